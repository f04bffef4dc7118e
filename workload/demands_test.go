package workload

import (
	"math"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// TestDemands: what takes several states is about each as often as it is stored; what moves them on is about each that it leaves.
func TestDemands(t *testing.T) {
	visit := &spec.Entity{Name: "Visit"}
	state := &spec.Attribute{Name: "state", Entity: visit,
		States: &spec.States{Names: []string{"waiting", "treated", "billed"}, Next: map[string][]string{"waiting": {"treated", "billed"}, "treated": {"billed"}}},
		Shares: []spec.Share{{Value: "waiting", Of: 0.01}, {Value: "treated", Of: 0.03}, {Value: "billed", Of: 0.96}}}
	visit.Attributes = []*spec.Attribute{state}
	in := &spec.Test{Path: spec.Path{"state"}, Op: "in", Args: []spec.Expr{{Literal: attr.Text("waiting")}, {Literal: attr.Text("treated")}}}
	p := &spec.Pattern{Actions: []*spec.Action{{Verb: spec.Update, Entity: visit, Condition: in}}}
	shares := map[string]float64{}
	for _, d := range Demands(p, visit) {
		shares[d.Is["state"]] += d.Share
	}
	if len(shares) != 2 || math.Abs(shares["waiting"]-0.25) > 1e-9 || math.Abs(shares["treated"]-0.75) > 1e-9 {
		t.Errorf("a note is about %v", shares)
	}
	w := New(&spec.Requirements{Entities: []*spec.Entity{visit}}, Figures{})
	p.Actions[0].Set = []spec.Assign{{Path: spec.Path{"state"}, Value: spec.Expr{Literal: attr.Text("billed")}}}
	if steps := w.Steps(p, visit, nil); len(steps) != 2 || steps[0].Share != 0.5 || steps[0].Before["state"] != "waiting" {
		t.Errorf("a bill makes the steps %+v", steps)
	}
	in.Args = in.Args[1:]
	if steps := w.Steps(p, visit, nil); len(steps) != 1 || steps[0].Before["state"] != "treated" {
		t.Errorf("a bill of what is treated makes the steps %+v", steps)
	}
}
