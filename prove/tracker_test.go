package prove_test

import (
	"path/filepath"
	"testing"

	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
	"github.com/tablewright/tablewright/spec"
)

// tracker is an application that needs every kind of item: markers, sequences, counters, copies, shards, children inside
// their parents, time to live.
func tracker(t testing.TB) (*plan.Model, *spec.Requirements) {
	t.Helper()
	return loaded(t, filepath.Join("testdata", "tracker"))
}

// museum is an application whose entities lie in several items each.
func museum(t testing.TB) (*plan.Model, *spec.Requirements) {
	t.Helper()
	return loaded(t, filepath.Join("..", "plan", "testdata", "museum"))
}

// loaded is a model made by hand, with its requirements.
func loaded(t testing.TB, name string) (*plan.Model, *spec.Requirements) {
	t.Helper()
	r, _, found, err := model.LoadRequirements(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	if r == nil {
		t.Fatal(found)
	}
	m, _, found, err := model.LoadModel(name + ".model.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if m == nil {
		t.Fatal(found)
	}
	return m, r
}

// allProven reports every pattern that is not proven, with its counterexample in full.
func allProven(t *testing.T, evidence *prove.Evidence) {
	t.Helper()
	t.Log(evidence.Entities)
	for _, p := range evidence.Patterns {
		t.Log(p.Name, p.Proven, p.Calls, p.Aims, p.Refused, p.Measured, p.Estimated, p.Consumed)
		if !p.Proven {
			t.Errorf("%s is not proven: %s\ninput %v\nexpected %v\ngot %v%s", p.Name, p.Failure, p.Failure.Input, p.Failure.Expected, p.Failure.Got, sent(p.Failure))
		}
	}
}
