package prove_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
	"github.com/tablewright/tablewright/spec"
)

// epoch is when simulated proofs begin.
var epoch = time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC)

// onEngine are the options of a proof on an engine in this process whose indexes lag.
func onEngine(t testing.TB) prove.Options {
	t.Helper()
	clock := prove.NewSimulated(epoch)
	e, err := engine.Open("", &engine.Options{Clock: clock, Lag: &engine.Lag{Max: 200 * time.Millisecond, Seed: 1}, SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Check(); err != nil {
			t.Error(err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return prove.Options{
		Clock: clock,
		Lag:   200 * time.Millisecond,
		Open: func(o tablewright.Options) (*tablewright.DB, error) {
			return tablewright.New(tablewright.InProcess(e), o), nil
		},
	}
}

func requirements(t testing.TB, file string) *spec.Requirements {
	t.Helper()
	r, _, found, err := model.LoadRequirements(filepath.Join("..", "examples", file))
	if err != nil {
		t.Fatal(err)
	}
	if r == nil {
		t.Fatal(found)
	}
	return r
}

func published(t testing.TB) (*plan.Model, *spec.Requirements) {
	t.Helper()
	m, _, found, err := model.LoadModel(filepath.Join("..", "examples", "online-shop.published-model.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if m == nil {
		t.Fatal(found)
	}
	return m, requirements(t, "online-shop.yaml")
}

func sent(c *prove.Counterexample) string {
	text := ""
	for _, r := range c.Requests {
		text += fmt.Sprintf("\n  %s %s", r.Operation, r.Body)
	}
	return text
}
