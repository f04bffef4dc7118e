package workload

import (
	"math"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

func TestHolds(t *testing.T) {
	e := &spec.Entity{Name: "Ticket"}
	state := &spec.Attribute{Name: "state", Entity: e, Shares: []spec.Share{{Value: "open", Of: 0.2}, {Value: "held", Of: 0.3}, {Value: "done", Of: 0.5}}}
	note := &spec.Attribute{Name: "note", Entity: e, Optional: true, Present: 0.1}
	grade := &spec.Attribute{Name: "grade", Entity: e, Optional: true, Present: 0.5, Shares: []spec.Share{{Value: "a", Of: 0.4}, {Value: "b", Of: 0.6}}}
	size := &spec.Attribute{Name: "size", Entity: e}
	e.Attributes = []*spec.Attribute{state, note, grade, size}
	test := func(name, op string, values ...string) spec.Condition {
		c := &spec.Test{Path: spec.Path{name}, Op: op}
		for _, v := range values {
			c.Args = append(c.Args, spec.Expr{Literal: attr.Text(v)})
		}
		return c
	}
	logic := func(op string, args ...spec.Condition) spec.Condition { return &spec.Logic{Op: op, Args: args} }
	w := New(&spec.Requirements{Entities: []*spec.Entity{e}}, Figures{})
	for _, x := range []struct {
		what string
		c    spec.Condition
		sure Known
		want float64
	}{
		{"equal", test("state", "=", "open"), nil, 0.2},
		{"one of", test("state", "in", "open", "held"), nil, 0.5},
		{"unequal", test("state", "!=", "open"), nil, 0.8},
		{"not", logic("not", test("state", "=", "open")), nil, 0.8},
		{"and", logic("and", test("state", "=", "done"), test("note", "exists")), nil, 0.05},
		{"or", logic("or", test("state", "=", "done"), test("note", "exists")), nil, 1 - 0.5*0.9},
		{"absent", test("note", "absent"), nil, 0.9},
		{"optional and equal", test("grade", "=", "a"), nil, 0.5 * 0.4},
		{"optional and unequal: what is absent is not compared", test("grade", "!=", "a"), nil, 0.5 * 0.6},
		{"nothing stated", test("size", ">", "3"), nil, 1},
		{"an attribute of somebody else", test("colour", "=", "red"), nil, 1},
		{"known value", test("state", "in", "open", "held"), Known{"state": "held"}, 1},
		{"known other value", test("state", "=", "open"), Known{"state": "held"}, 0},
		{"known to be there", test("note", "exists"), Known{"note": There}, 1},
		{"there with a value nobody knows", test("grade", "=", "a"), Known{"grade": There}, 0.4},
		{"known to be gone", test("note", "exists"), Known{"note": Gone}, 0},
		{"gone, so not equal", test("grade", "=", "a"), Known{"grade": Gone}, 0},
	} {
		if got := w.Share(x.c, e, x.sure); math.Abs(got-x.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", x.what, got, x.want)
		}
	}
}

// TestTogether reads tests on one attribute together, and what is not stated as one test.
func TestTogether(t *testing.T) {
	e := &spec.Entity{Name: "Ticket", Count: 1_000, Growth: 1}
	state := &spec.Attribute{Name: "state", Entity: e, Shares: []spec.Share{{Value: "open", Of: 0.2}, {Value: "held", Of: 0.3}, {Value: "done", Of: 0.5}}}
	flag := &spec.Attribute{Name: "flag", Entity: e, Type: spec.Bool}
	heldBy := &spec.Attribute{Name: "heldBy", Entity: e, Optional: true, Present: 0.1}
	heldAt := &spec.Attribute{Name: "heldAt", Entity: e, Optional: true, Present: 0.1}
	size := &spec.Attribute{Name: "size", Entity: e, Type: spec.Number}
	made := &spec.Attribute{Name: "made", Entity: e, Type: spec.Timestamp, Generated: "now"}
	place := &spec.Attribute{Name: "place", Entity: e, Distinct: 40}
	owner := &spec.Attribute{Name: "owner", Entity: e}
	owner.Reference = &spec.Relationship{From: e, To: &spec.Entity{Name: "Owner", Count: 25}, By: []*spec.Attribute{owner}}
	e.Attributes = []*spec.Attribute{state, flag, heldBy, heldAt, size, made, place, owner}
	set := []spec.Assign{{Path: spec.Path{"heldBy"}}, {Path: spec.Path{"heldAt"}}}
	r := &spec.Requirements{Entities: []*spec.Entity{e}, Patterns: []*spec.Pattern{{Name: "hold", Actions: []*spec.Action{{Verb: spec.Update, Entity: e, Set: set}}}}}
	w := New(r, Figures{})
	read := &spec.Pattern{Name: "list", Read: e, Parameters: []*spec.Parameter{
		{Name: "seldom", Optional: true, Stated: 0.3}, {Name: "always", Stated: 1},
	}}
	for _, x := range []struct {
		text    string
		want    float64
		guesses int
	}{
		{"state = 'open' or state = 'held'", 0.5, 0},
		{"state = 'open' and state = 'held'", 0, 0},
		{"state != 'open' and state != 'held'", 0.5, 0},
		{"not (state = 'open' or state = 'done')", 0.3, 0},
		{"state = 'open' and exists(heldBy)", 0.02, 0},
		{"exists(heldBy) and exists(heldAt)", 0.1, 0}, // they come and go together
		{"exists(heldBy) and absent(heldAt)", 0, 0},
		{"flag = true", 0.5, 0},
		{"flag = true or flag = false", 1, 0},
		{"state = $state", 1.0 / 3, 0}, // each is asked for as often
		{"size > 3", 0.5, 1},
		{"size > 3 and size < 9", 0.5, 1}, // both ends of a range
		{"size > 3 and state = 'open'", 0.1, 1},
		{"size > 3 or heldBy = 'x'", 1 - 0.5*0.95, 2},
		{"heldAt > $from", 0.05, 1}, // a test on what is absent is false
		{"made > now - 100s", 0.1, 0},
		{"made <= now - 100s", 0.9, 0},
		{"made > now - 1 day", 1, 0}, // all that there are
		{"place = $always", 1.0 / 40, 0},
		{"place != $always", 1 - 1.0/40, 0},
		{"place in ('a', 'b')", 2.0 / 40, 0},
		{"owner = $always", 1.0 / 25, 0},     // as many values as there are of what it refers to
		{"place = $seldom", 0.3/40 + 0.7, 0}, // who leaves it out makes no test
		{"size <= $seldom and state = 'open'", 0.2 * (0.3*0.5 + 0.7), 1},
		{"place = $seldom and owner = $seldom", 0.3/40/25 + 0.7, 0}, // both are left out together
	} {
		c, err := spec.ParseCondition(x.text)
		if err != nil {
			t.Fatal(err)
		}
		got, guesses := w.Passes(c, read)
		if math.Abs(got-x.want) > 1e-12 || len(guesses) != x.guesses {
			t.Errorf("%s: %v pass with %d guesses, want %v with %d", x.text, got, len(guesses), x.want, x.guesses)
		}
	}
}

// TestTurn follows what passes over a change: what else is tested stays as it is.
func TestTurn(t *testing.T) {
	e := &spec.Entity{Name: "Ticket"}
	state := &spec.Attribute{Name: "state", Entity: e, Shares: []spec.Share{{Value: "open", Of: 0.2}, {Value: "held", Of: 0.3}, {Value: "done", Of: 0.5}}}
	note := &spec.Attribute{Name: "note", Entity: e, Optional: true, Present: 0.1}
	e.Attributes = []*spec.Attribute{state, note}
	w := New(&spec.Requirements{Entities: []*spec.Entity{e}}, Figures{})
	c, err := spec.ParseCondition("state in ('open', 'held') and exists(note)")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		before, after Known
		was, is, both float64
	}{
		{Known{"state": "open"}, Known{"state": "held"}, 0.1, 0.1, 0.1}, // with the same notes, not 1 % of them
		{Known{"state": "held"}, Known{"state": "done"}, 0.1, 0, 0},
		{nil, nil, 0.05, 0.05, 0.05},
		{nil, Known{"note": There}, 0.05, 0.5, 0.05},
		{nil, Known{"note": Gone}, 0.05, 0, 0},
	} {
		was, is, both := w.Turn(c, e, x.before, x.after)
		if math.Abs(was-x.was) > 1e-12 || math.Abs(is-x.is) > 1e-12 || math.Abs(both-x.both) > 1e-12 {
			t.Errorf("from %v to %v: %v, %v and %v, want %v, %v and %v", x.before, x.after, was, is, both, x.was, x.is, x.both)
		}
	}
}

// TestVariety: a test of what lies at the end of a way leaves as much as its values there say.
func TestVariety(t *testing.T) {
	session := &spec.Entity{Name: "Session", Count: 400}
	telescope := &spec.Attribute{Name: "telescopeId", Entity: session, Distinct: 50}
	session.Attributes = []*spec.Attribute{telescope}
	frame := &spec.Entity{Name: "Frame", Count: 10_000}
	by := &spec.Attribute{Name: "sessionId", Entity: frame}
	way := &spec.Relationship{Name: "session", From: frame, To: session, By: []*spec.Attribute{by}}
	by.Reference = way
	frame.There = []*spec.Relationship{way}
	derived := &spec.Attribute{Name: "telescopeId", Entity: frame, Derived: &spec.Derived{Path: spec.Path{"session", "telescopeId"}}}
	frame.Attributes = []*spec.Attribute{by, derived}
	w := New(&spec.Requirements{Entities: []*spec.Entity{session, frame}}, Figures{})
	if got := w.variety(derived); got != 50 {
		t.Errorf("frames are of %v telescopes, want 50", got)
	}
}

// What lies at the end of ways spreads over whoever points there as it does there, by a name that is derived or by the path.
func TestShareBehind(t *testing.T) {
	seller := &spec.Entity{Name: "Seller", Count: 400}
	standing := &spec.Attribute{Name: "standing", Entity: seller, Shares: []spec.Share{{Value: "good", Of: 0.9}, {Value: "bad", Of: 0.1}}}
	size := &spec.Attribute{Name: "size", Entity: seller}
	seller.Attributes = []*spec.Attribute{standing, size}
	good := &spec.Entity{Name: "Good", Count: 10_000}
	to := func(name string, optional bool) *spec.Attribute {
		by := &spec.Attribute{Name: name + "Id", Entity: good, Optional: optional, Present: 0.5}
		by.Reference = &spec.Relationship{Name: name, From: good, To: seller, By: []*spec.Attribute{by}}
		good.There = append(good.There, by.Reference)
		return by
	}
	derived := &spec.Attribute{Name: "standing", Entity: good, Derived: &spec.Derived{Path: spec.Path{"seller", "standing"}}}
	good.Attributes = []*spec.Attribute{to("seller", false), to("helper", false), to("heir", true), derived}
	w := New(&spec.Requirements{Entities: []*spec.Entity{seller, good}}, Figures{})
	for text, want := range map[string]float64{
		"standing = 'bad'":                                    0.1,
		"seller.standing != 'bad'":                            0.9,
		"seller.standing = 'bad' and helper.standing = 'bad'": 0.01, // nothing says that they are alike
		"seller.standing = 'bad' or seller.standing = 'good'": 1,
		"heir.standing = 'bad'":                               half, // nobody says whether those that have one are like the others
		"seller.size > 3":                                     half,
	} {
		c, err := spec.ParseCondition(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := w.Passes(c, &spec.Pattern{Read: good}); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
