package practices

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/tablewrighttest"
)

func TestWithdraw(t *testing.T) {
	kit := tablewrighttest.Start(t, AccountsTable)
	kit.Load(t, "testdata/accounts.yaml")

	if _, err := withdraw(t.Context(), kit.DB, "a1", 200); err != nil {
		t.Fatal(err)
	}
	if a := tablewrighttest.Has(t, kit, Accounts, "a1"); a.Cents != 300 {
		t.Error("left:", a.Cents)
	}
	if _, err := withdraw(t.Context(), kit.DB, "blocked", 1); !errors.Is(err, errBlocked) {
		t.Error(err)
	}
	kit.Expect(t, tablewrighttest.Calls{Operation: "UpdateItem"}, tablewrighttest.Count{Requests: 2})
	kit.NoScans(t)
}

func TestSessionsExpire(t *testing.T) {
	kit := tablewrighttest.Start(t, SessionsTable)
	s := Session{ID: "s1", User: "ada", Expires: kit.Clock.Now().Add(time.Hour)}
	if err := Sessions.Create(s).Run(t.Context(), kit.DB); err != nil {
		t.Fatal(err)
	}
	kit.Clock.Advance(2 * time.Hour)
	tablewrighttest.HasNot(t, kit, Sessions, "s1")
}

func TestLostAnswer(t *testing.T) {
	kit := tablewrighttest.Start(t, AccountsTable)
	kit.Load(t, "testdata/accounts.yaml")
	kit.Inject(tablewrighttest.Fault{Operation: "UpdateItem", Times: 1, DropAnswer: true}) // done, and nobody hears of it

	_, err := withdraw(context.Background(), kit.DB, "a1", 200)
	if !errors.Is(err, tablewright.ErrUnknownOutcome) {
		t.Error(err)
	}
	if a := tablewrighttest.Has(t, kit, Accounts, "a1"); a.Cents != 300 {
		t.Error("taken twice:", a.Cents)
	}
}

func TestThrottled(t *testing.T) {
	kit := tablewrighttest.Start(t, AccountsTable)
	kit.Load(t, "testdata/accounts.yaml")
	kit.Inject(tablewrighttest.Fault{Operation: "UpdateItem", Times: 2, Throttle: true})

	if _, err := withdraw(t.Context(), kit.DB, "a1", 200); err != nil { // waits by the kit's clock: no real time
		t.Error(err)
	}
}
