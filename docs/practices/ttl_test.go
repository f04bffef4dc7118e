package practices

import (
	"errors"
	"fmt"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/docs/internal/local"
	"github.com/tablewright/tablewright/plan"
)

type Session struct {
	ID      string    `ddb:"sessionId"`
	User    string    `ddb:"user"`
	Expires time.Time `ddb:"expires,epoch-s"`
}

var SessionsTable = tablewright.NewTable(plan.Table{
	Name: "Sessions", Key: plan.Key{Partition: "sessionId"}, TTL: "expires",
})

type sessions struct {
	tablewright.Entity[string, Session]
	Expires tablewright.Time[Session]
}

var Sessions = tablewright.Declare[sessions](SessionsTable, plan.Item{Name: "Session"})

var errExpired = errors.New("session has expired")

func renew(id string, now time.Time) tablewright.Update[Session] {
	return Sessions.Update(id, Sessions.Expires.Set(now.Add(time.Hour))).
		If(Sessions.Expires.Greater(now)).Else(errExpired)
}

func Example_ttl() {
	ctx, db, clock := local.OpenAt(noon, SessionsTable)
	_ = Sessions.Create(Session{ID: "s1", User: "ada", Expires: noon.Add(time.Hour)}).Run(ctx, db)

	clock.Advance(30 * time.Minute)
	fmt.Println(renew("s1", db.Now()).Run(ctx, db))

	clock.Advance(2 * time.Hour) // over, and not yet deleted: that takes the service up to days
	_, err := Sessions.Get("s1").Run(ctx, db)
	fmt.Println(errors.Is(err, tablewright.ErrNotFound))

	fmt.Println(errors.Is(renew("s1", db.Now()).Run(ctx, db), errExpired)) // a write sees what is stored
	fmt.Println(errors.Is(Sessions.Create(Session{ID: "s1", User: "eve", Expires: db.Now().Add(time.Hour)}).Run(ctx, db), tablewright.ErrExists))

	err = Sessions.Put(Session{ID: "s1", User: "eve", Expires: db.Now().Add(time.Hour)}).
		If(Sessions.Expires.Absent().Or(Sessions.Expires.AtMost(db.Now()))).
		Run(ctx, db)
	fmt.Println(err)
	// Output:
	// <nil>
	// true
	// true
	// true
	// <nil>
}
