package practices

import (
	"errors"
	"fmt"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

type User struct {
	ID    string `ddb:"userId"`
	Email string `ddb:"email"`
}

var UsersTable = tablewright.NewTable(plan.Table{
	Name: "Users", Key: plan.Key{Partition: "PK"},
	Items: map[string]plan.Item{
		"UserEmail": {Holds: plan.Holds{Unique: "User.email"}, Key: map[string]string{"PK": "email#{email:lower}"}},
	},
})

type users struct {
	tablewright.Entity[string, User]
	EmailClaim tablewright.Unique[User, string] // of the field Email
}

var Users = tablewright.Declare[users](UsersTable, plan.Item{Name: "User", Key: map[string]string{"PK": "u#{userId}"}})

var errTaken = errors.New("e-mail address is taken")

func register(u User) tablewright.Tx {
	return tablewright.Transact(Users.Create(u), Users.EmailClaim.Claim(u).Else(errTaken))
}

func changeEmail(before User, email string) tablewright.Tx {
	after := before
	after.Email = email
	return tablewright.Transact(Users.Patch(before, after), Users.EmailClaim.Change(before, after).Else(errTaken))
}

func remove(u User) tablewright.Tx {
	return tablewright.Transact(Users.Delete(u.ID), Users.EmailClaim.Release(u))
}

func Example_uniqueness() {
	ctx, db := open(UsersTable)
	ada, eve := User{"1", "ada@example.org"}, User{"2", "eve@example.org"}
	fmt.Println(register(ada).Run(ctx, db), register(eve).Run(ctx, db))

	fmt.Println(errors.Is(register(User{"3", "ADA@example.org"}).Run(ctx, db), errTaken))
	fmt.Println(errors.Is(changeEmail(eve, ada.Email).Run(ctx, db), errTaken))
	fmt.Println(remove(ada).Run(ctx, db))
	fmt.Println(changeEmail(eve, ada.Email).Run(ctx, db))
	// Output:
	// <nil> <nil>
	// true
	// true
	// <nil>
	// <nil>
}
