package proofs_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/peers"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
)

func TestX(t *testing.T) {
	local, _ := peers.StartLocal(t)
	for _, c := range []struct{ req, mod string }{{"online-shop", "online-shop.published-model"}, {"online-shop", ""}, {"complaint-management", ""}, {"session-management", ""}} {
		t.Run(c.req+c.mod, func(t *testing.T) {
			r, _, found, err := model.LoadRequirements(filepath.Join("../../../examples", c.req+".yaml"))
			if err != nil || r == nil {
				t.Fatal(err, found)
			}
			var m *plan.Model
			if c.mod != "" {
				m, _, _, err = model.LoadModel(filepath.Join("../../../examples", c.mod+".yaml"))
			} else {
				var d *design.Result
				d, err = design.Design(t.Context(), r, design.Options{})
				if d != nil {
					m = d.Model
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			p, problems := plan.Compile(m, r)
			for _, x := range problems {
				t.Error(x)
			}
			if p == nil {
				t.FailNow()
			}
			start := time.Now()
			clock := prove.NewSimulated(time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC))
			e, err := engine.Open("", &engine.Options{Clock: clock, Lag: &engine.Lag{Max: 200 * time.Millisecond, Seed: 1}, SweepEvery: -1})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			ours, err := prove.Run(t.Context(), p, prove.Options{Clock: clock, Lag: 200 * time.Millisecond, Open: func(o tablewright.Options) (*tablewright.DB, error) {
				return tablewright.New(tablewright.InProcess(e), o), nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			t.Log("engine", time.Since(start), ours.Entities)
			start = time.Now()
			n := 0
			theirs, err := prove.Run(t.Context(), p, prove.Options{Clock: prove.System{}, Lag: 20 * time.Millisecond, Prefix: "x-", Open: func(o tablewright.Options) (*tablewright.DB, error) {
				o.Endpoint = local
				return tablewright.Connect(t.Context(), o)
			}, Progress: func(p prove.Progress) {
				n++
				if p.Done == 0 {
					t.Log(time.Since(start), p.Phase)
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			t.Log("local", time.Since(start))
			for i, a := range ours.Patterns {
				b := theirs.Patterns[i]
				t.Log(a.Name, a.Proven, b.Proven, a.Requests, a.Calls, a.Estimated, a.Consumed, b.Consumed, b.Failure)
				if !a.Proven {
					t.Log("ENGINE", a.Failure)
				}
			}
		})
	}
}
