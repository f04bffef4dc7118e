package practices

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

type Account struct {
	ID      string `ddb:"accountId"`
	Cents   int    `ddb:"cents"`
	Limit   int    `ddb:"limit"`
	Blocked bool   `ddb:"blocked"`
}

var AccountsTable = tablewright.NewTable(plan.Table{Name: "Accounts", Key: plan.Key{Partition: "accountId"}})

type accounts struct {
	tablewright.Entity[string, Account]
	Cents   tablewright.Number[Account, int]
	Blocked tablewright.Attr[Account, bool]
}

var Accounts = tablewright.Declare[accounts](AccountsTable, plan.Item{Name: "Account"})

var errBlocked = errors.New("account is blocked")

// withdraw takes money if there is enough, in one request and without reading first.
func withdraw(ctx context.Context, db *tablewright.DB, id string, cents int) (Account, error) {
	a, err := Accounts.Update(id, Accounts.Cents.Minus(cents)).
		If(Accounts.Cents.AtLeast(cents), Accounts.Blocked.Equals(false)).
		New(ctx, db)
	if refused, ok := Accounts.Refused(err); ok {
		if refused.Blocked {
			return refused, errBlocked
		}
		return refused, fmt.Errorf("%d cents are missing", cents-refused.Cents)
	}
	return a, err
}

func Example_conditionalWrites() {
	ctx, db := open(AccountsTable)
	_ = Accounts.Create(Account{ID: "a1", Cents: 500}).Run(ctx, db)

	a, err := withdraw(ctx, db, "a1", 200)
	fmt.Println(a.Cents, err)
	_, err = withdraw(ctx, db, "a1", 400)
	fmt.Println(err)
	_, err = withdraw(ctx, db, "a2", 1)
	fmt.Println(errors.Is(err, tablewright.ErrNotFound))
	// Output:
	// 300 <nil>
	// 100 cents are missing
	// true
}

// Lock is held by one owner until a time, or until it is given back.
type Lock struct {
	Name  string    `ddb:"name"`
	Owner string    `ddb:"owner"`
	Until time.Time `ddb:"until,epoch-ms"`
}

var LocksTable = tablewright.NewTable(plan.Table{Name: "Locks", Key: plan.Key{Partition: "name"}})

type locks struct {
	tablewright.Entity[string, Lock]
	Owner tablewright.Text[Lock, string]
	Until tablewright.Time[Lock]
}

var Locks = tablewright.Declare[locks](LocksTable, plan.Item{Name: "Lock"})

var errHeld = errors.New("somebody else has the lock")

func acquire(name, owner string, now time.Time) tablewright.PutIf[Lock] {
	return Locks.Put(Lock{name, owner, now.Add(10 * time.Second)}).
		If(Locks.Owner.Absent().Or(Locks.Owner.Equals(owner)).Or(Locks.Until.Less(now))).
		Else(errHeld)
}

func release(name, owner string) tablewright.DeleteIf[Lock] {
	return Locks.Delete(name).If(Locks.Owner.Equals(owner)).Else(errHeld)
}

func Example_locks() {
	ctx, db := open(LocksTable)
	fmt.Println(acquire("report", "w1", noon).Run(ctx, db))
	fmt.Println(errors.Is(acquire("report", "w2", noon.Add(time.Second)).Run(ctx, db), errHeld))
	fmt.Println(acquire("report", "w1", noon.Add(5*time.Second)).Run(ctx, db))  // the owner renews it
	fmt.Println(acquire("report", "w2", noon.Add(20*time.Second)).Run(ctx, db)) // and then went away
	fmt.Println(errors.Is(release("report", "w1").Run(ctx, db), errHeld))
	// Output:
	// <nil>
	// true
	// <nil>
	// <nil>
	// true
}
