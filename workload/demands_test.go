package workload

import (
	"math"
	"slices"
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

// TestStatedValue: of what a caller sets to one of several values, those change that the condition lets through.
func TestStatedValue(t *testing.T) {
	bed := &spec.Entity{Name: "Bed"}
	state := &spec.Attribute{Name: "state", Entity: bed, Enum: []string{"free", "closed", "occupied"},
		Shares: []spec.Share{{Value: "free", Of: 0.15}, {Value: "closed", Of: 0.05}, {Value: "occupied", Of: 0.8}}}
	bed.Attributes = []*spec.Attribute{state}
	in := &spec.Test{Path: spec.Path{"state"}, Op: "in", Args: []spec.Expr{{Literal: attr.Text("free")}, {Literal: attr.Text("closed")}}}
	p := &spec.Pattern{Actions: []*spec.Action{{Verb: spec.Update, Entity: bed, Condition: in,
		Set: []spec.Assign{{Path: spec.Path{"state"}, Value: spec.Expr{Reference: spec.Reference{"state"}}}, {Path: spec.Path{"since"}, Value: spec.Expr{Now: true}}}}}}
	from, to := map[string]float64{}, map[string]float64{}
	for _, s := range New(&spec.Requirements{Entities: []*spec.Entity{bed}}, Figures{}).Steps(p, bed, nil) {
		from[s.Before["state"]] += s.Share
		to[s.After["state"]] += s.Share
	}
	if len(from) != 2 || math.Abs(from["free"]-0.75) > 1e-9 || math.Abs(to["occupied"]-0.8) > 1e-9 {
		t.Errorf("it leaves %v and enters %v", from, to)
	}
}

// TestLeaves: a life passes the states of a list that anything enters one after the other; an end beside it comes from each.
func TestLeaves(t *testing.T) {
	job := &spec.Entity{Name: "Job"}
	state := &spec.Attribute{Name: "state", Entity: job, States: &spec.States{Forward: true,
		Names: []string{"waiting", "offered", "working", "checked", "done", "dropped"},
		Next: map[string][]string{
			"waiting": {"offered", "working", "checked", "done", "dropped"}, "offered": {"working", "checked", "done", "dropped"},
			"working": {"checked", "done", "dropped"}, "checked": {"done", "dropped"},
		}}}
	job.Attributes = []*spec.Attribute{state}
	moves := func(to string) *spec.Pattern {
		return &spec.Pattern{Actions: []*spec.Action{{Verb: spec.Update, Entity: job, Set: []spec.Assign{{Path: spec.Path{"state"}, Value: spec.Expr{Literal: attr.Text(to)}}}}}}
	}
	offer, work, finish, drop := moves("offered"), moves("working"), moves("done"), moves("dropped")
	picky := moves("done")
	picky.Actions[0].Condition = &spec.Test{Path: spec.Path{"state"}, Op: "in", Args: []spec.Expr{{Literal: attr.Text("offered")}, {Literal: attr.Text("working")}}}
	r := &spec.Requirements{Entities: []*spec.Entity{job}, Patterns: []*spec.Pattern{offer, work, finish, drop, picky}}
	for _, c := range []struct {
		what string
		p    *spec.Pattern
		to   string
		want []string
	}{
		{"what is offered", offer, "offered", []string{"waiting"}},
		{"what is taken", work, "working", []string{"offered"}},
		{"what is done, and checked by nobody", finish, "done", []string{"working"}},
		{"what is dropped", drop, "dropped", []string{"waiting", "offered", "working"}},
		{"what says where it finds it", picky, "done", []string{"offered", "working"}},
	} {
		if got := Leaves(r, c.p.Actions[0], state, c.to); !slices.Equal(got, c.want) {
			t.Errorf("%s leaves %v, want %v", c.what, got, c.want)
		}
	}
	state.States.Forward = false // a map, which names each way
	if got := Leaves(r, finish.Actions[0], state, "done"); len(got) != 3 {
		t.Errorf("what is done leaves %v, want each that leads there", got)
	}
}

// TestOrigins: what is verified was returned, or queried in between, as often as rates say.
func TestOrigins(t *testing.T) {
	for _, c := range []struct {
		query, reject, cancel float64
		loose                 bool // something moves a pack to whatever state a caller says
		returned              float64
	}{
		{30, 12, 0, false, (840.0 - 30) / (840 - 12)},
		{30, 12, 100, false, (840.0 - 30) / (840 - 12)}, // what is cancelled was never returned
		{0, 0, 0, false, 1},
		{840, 0, 0, false, 0},
		{840, 840, 0, false, 0.5}, // nothing is left
		{30, 12, 0, true, 0.5},
	} {
		e := &spec.Entity{Name: "Pack"}
		state := &spec.Attribute{Name: "state", Entity: e, States: &spec.States{Names: []string{"issued", "returned", "queried", "verified", "rejected", "cancelled"}, Next: map[string][]string{
			"issued": {"returned", "cancelled"}, "returned": {"verified", "queried"}, "queried": {"verified", "rejected"}}}}
		e.Attributes = []*spec.Attribute{state}
		r := &spec.Requirements{Entities: []*spec.Entity{e}}
		add := func(rate float64, a *spec.Action) {
			a.Entity = e
			r.Patterns = append(r.Patterns, &spec.Pattern{Rate: spec.Rate{Average: rate}, Actions: []*spec.Action{a}})
		}
		to := func(v spec.Expr) *spec.Action {
			return &spec.Action{Verb: spec.Update, Set: []spec.Assign{{Path: spec.Path{"state"}, Value: v}}}
		}
		text := func(s string) spec.Expr { return spec.Expr{Literal: attr.Text(s)} }
		verify := to(text("verified"))
		add(1_000, &spec.Action{Verb: spec.Create})
		add(840, to(text("returned")))
		add(828, verify)
		for s, rate := range map[string]float64{"queried": c.query, "rejected": c.reject, "cancelled": c.cancel} {
			add(rate, to(text(s)))
		}
		if c.loose {
			add(1, to(spec.Expr{Reference: spec.Reference{"state"}}))
		}
		from := map[string]float64{}
		for _, s := range Origins(r, verify, state, "verified") {
			from[s.Value] = s.Of
		}
		steps := map[string]float64{}
		for _, s := range New(r, Figures{}).StepsOf(r.Patterns[2], verify, e, nil) {
			steps[s.Before["state"]] += s.Share
		}
		for _, got := range []map[string]float64{from, steps} {
			if math.Abs(got["returned"]-c.returned) > 1e-9 || math.Abs(got["returned"]+got["queried"]-1) > 1e-9 {
				t.Errorf("%+v: it was %v before, not %v of it returned", c, got, c.returned)
			}
		}
	}
}

// TestConstantBeside: a constant that is set changes what has another value; beside a number that is raised it is
// mostly there already.
func TestConstantBeside(t *testing.T) {
	side := &spec.Entity{Name: "Side"}
	archived := &spec.Attribute{Name: "archived", Entity: side, Type: spec.Bool, Shares: []spec.Share{{Value: "true", Of: 0.3}, {Value: "false", Of: 0.7}}}
	unread := &spec.Attribute{Name: "unread", Entity: side, Type: spec.Number}
	side.Attributes = []*spec.Attribute{archived, unread}
	raise := spec.Expr{Op: "+", Args: []spec.Expr{{Path: spec.Path{"unread"}}, {Literal: attr.Num(attr.Int(1))}}}
	for _, c := range []struct {
		unread spec.Expr
		want   float64 // of those that are archived before
	}{{spec.Expr{Literal: attr.Num(attr.Int(0))}, 1}, {raise, 0.3}} {
		p := &spec.Pattern{Actions: []*spec.Action{{Verb: spec.Update, Entity: side, Set: []spec.Assign{
			{Path: spec.Path{"archived"}, Value: spec.Expr{Literal: attr.Bool(false)}}, {Path: spec.Path{"unread"}, Value: c.unread}}}}}
		was, is := map[string]float64{}, map[string]float64{}
		for _, s := range New(&spec.Requirements{Entities: []*spec.Entity{side}}, Figures{}).Steps(p, side, nil) {
			was[s.Before["archived"]] += s.Share
			is[s.After["archived"]] += s.Share
		}
		if math.Abs(was["true"]-c.want) > 1e-9 || math.Abs(is["false"]-1) > 1e-9 {
			t.Errorf("unread = %v: it leaves %v and enters %v", c.unread, was, is)
		}
	}
}

// TestMissing: an update that sets a value only where it is missing leaves it as it is elsewhere.
func TestMissing(t *testing.T) {
	seen := &spec.Entity{Name: "Seen"}
	first := &spec.Attribute{Name: "firstAt", Entity: seen, Type: spec.Timestamp}
	note := &spec.Attribute{Name: "note", Entity: seen, Type: spec.String, Optional: true, Present: 0.75}
	seen.Attributes = []*spec.Attribute{first, note}
	missing := func(name string) spec.Assign {
		path := spec.Path{name}
		return spec.Assign{Path: path, Value: spec.Expr{Op: "if_missing", Args: []spec.Expr{{Path: path}, {Reference: spec.Reference{name}}}}}
	}
	p := &spec.Pattern{Actions: []*spec.Action{{Verb: spec.Update, Entity: seen, Makes: true, Set: []spec.Assign{missing("firstAt"), missing("note")}}}}
	left := map[string]float64{}
	for _, s := range New(&spec.Requirements{Entities: []*spec.Entity{seen}}, Figures{}).Steps(p, seen, nil) {
		for name := range s.Left {
			left[name] += s.Share
		}
		if !s.Left["note"] && (s.Before["note"] != Gone || s.After["note"] != There) {
			t.Errorf("what sets the note finds %q and leaves %q", s.Before["note"], s.After["note"])
		}
	}
	if math.Abs(left["firstAt"]-1) > 1e-9 || math.Abs(left["note"]-0.75) > 1e-9 {
		t.Errorf("it leaves %v as they are", left)
	}
}
