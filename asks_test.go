package tablewright_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// asks holds what calls tell of what writes ask for against their requests, and counts it.
type asks struct {
	t    *testing.T
	mu   sync.Mutex
	seen map[tablewright.Asks]int
}

func newAsks(t *testing.T) *asks { return &asks{t: t, seen: map[tablewright.Asks]int{}} }

func (a *asks) hook(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		want := tablewright.Asks(0)
		switch c.Operation {
		case "PutItem", "UpdateItem", "DeleteItem":
			var request struct{ ConditionExpression, ReturnValues string }
			if err := json.Unmarshal(c.Request, &request); err != nil {
				return err
			}
			want = tablewright.AsksTold
			if request.ConditionExpression != "" {
				want |= tablewright.AsksCondition
			}
			if request.ReturnValues != "" && request.ReturnValues != "NONE" {
				want |= tablewright.AsksAnswer
			}
		}
		if c.Asks != want {
			a.t.Errorf("%s tells %b, want %b: %s", c.Operation, c.Asks, want, c.Request)
		}
		a.mu.Lock()
		a.seen[c.Asks]++
		a.mu.Unlock()
		return next.Do(ctx, c)
	})
}

// A write of one item tells hooks what it asks for.
func TestAsks(t *testing.T) {
	type slip struct {
		ID   string `ddb:"id"`
		Note string `ddb:"note,omitzero"`
	}
	table := tablewright.NewTable(plan.Table{Name: "Slips", Key: plan.Key{Partition: "PK"}})
	slips := tablewright.Declare[struct {
		tablewright.Entity[string, slip]
		Note tablewright.Text[slip, string]
	}](table, plan.Item{Name: "Slip", Key: map[string]string{"PK": "{id}"}})
	a := newAsks(t)
	db, ctx := open(t, tablewright.Options{Hooks: []tablewright.Hook{a.hook}}, table), t.Context()
	run := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	run(slips.Create(slip{ID: "1"}).Run(ctx, db))
	run(slips.Put(slip{ID: "1"}).Run(ctx, db))
	run(slips.Put(slip{ID: "1"}).If(slips.Note.Absent()).Run(ctx, db))
	_, err := slips.Put(slip{ID: "1"}).Old(ctx, db)
	run(err)
	_, err = slips.Update("1", slips.Note.Set("x")).New(ctx, db)
	run(err)
	run(slips.Update("2", slips.Note.Set("y")).Upsert().Run(ctx, db))
	_, err = slips.Get("1").Run(ctx, db)
	run(err)
	run(slips.Delete("1").Run(ctx, db))
	_, err = slips.Delete("2").If(slips.Note.Equals("y")).Old(ctx, db)
	run(err)
	for asked := range tablewright.Asks(8) {
		if told := asked&tablewright.AsksTold != 0; (told || asked == 0) != (a.seen[asked] > 0) {
			t.Errorf("%d calls told %b", a.seen[asked], asked)
		}
	}
}
