package spec_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/spec"
)

const implied = `
tablewright: 1
application: implied
entities:
  Shift:
    identity: [shiftId]
    attributes:
      shiftId: {type: string, generated: ulid}
      desk: {type: string, bytes: 6}
      state: {states: {planned: [open], open: [paused, closed], paused: [open, closed], closed: []}}
      paid: bool
      endedAt: {type: timestamp, optional: true}
    unique: [{of: desk, while: "state in (open, paused)"}]
    bytes: 100
    count: 1_000
patterns:
  plan: {write: {create: Shift}, rate: {average: 1/s, peak: 1/s}}
  getShift: {read: Shift, given: [shiftId], rate: {average: 1/s, peak: 1/s}}
  open: {write: {update: Shift, set: {state: open}, condition: state = planned}, rate: {average: 1/s, peak: 1/s}}
  pause: {write: {update: Shift, set: {state: paused}}, rate: {average: 1/s, peak: 1/s}}
  end: {write: {update: Shift, set: {state: closed, endedAt: now}}, rate: {average: 1/s, peak: 1/s}}
  move: {write: {update: Shift, set: [state]}, rate: {average: 1/s, peak: 1/s}}
  carry: {write: {update: Shift, set: [desk]}, rate: {average: 1/s, peak: 1/s}}
  pay: {write: {update: Shift, set: {paid: true}}, rate: {average: 1/s, peak: 1/s}}
  shut: {write: {update: Shift, set: [state], condition: state = paused}, rate: {average: 1/s, peak: 1/s}}
  drop: {write: {delete: Shift, condition: state = planned}, rate: {average: 1/s, peak: 1/s}}
`

func read(t *testing.T) *spec.Requirements {
	t.Helper()
	r, _, found := model.ReadRequirements("implied.yaml", []byte(implied))
	if found.Errors() > 0 {
		t.Fatal(found)
	}
	return r
}

func TestImplies(t *testing.T) {
	e := read(t).Entity("Shift")
	condition := func(text string) spec.Condition {
		c, err := spec.ParseCondition(text)
		if err != nil {
			t.Fatal(err)
		}
		out, errs := spec.Scope{Entity: e}.Condition(c)
		if errs != nil {
			t.Fatal(errs[0])
		}
		return out
	}
	for _, c := range []struct {
		met, want         string
		implies, excludes bool
	}{
		{"state = open", "state in (open, paused)", true, false},
		{"state = open", "state != closed", true, false},
		{"state = closed", "state != closed", false, true},
		{"state in (open, closed)", "state = open", false, false},
		{"state = open and paid = true", "state = open", true, false},
		{"state = open", "state = open and paid = true", false, false},
		{"state = open and paid = true", "state = open and paid = true", true, false},
		{"state = open", "state = open or paid = true", true, false},
		{"state = planned", "state = open or state = paused", false, true},
		{"state = open or paid = true", "state = open", false, false},
		{"endedAt > '2026-01-01T00:00:00.000Z'", "exists(endedAt)", true, false},
		{"absent(endedAt)", "exists(endedAt)", false, true},
		{"exists(endedAt)", "absent(endedAt)", false, true},
		{"state = open", "not state = open", false, true},
		{"state = open", "absent(endedAt)", false, false},
	} {
		met, want := condition(c.met), condition(c.want)
		if e.Implies(met, want) != c.implies || e.Excludes(met, want) != c.excludes {
			t.Errorf("%s: %s is implied %t, excluded %t", c.met, c.want, e.Implies(met, want), e.Excludes(met, want))
		}
	}
	if !e.Implies(nil, nil) || e.Implies(nil, condition("state = open")) {
		t.Error("what nothing is known of implies what is not always so")
	}
	if n := len(spec.Conjuncts(condition("state = open and (paid = true and exists(endedAt))"))); n != 3 {
		t.Errorf("%d conditions are demanded", n)
	}
	if of, ok := e.Among(condition("state != closed").(*spec.Test)); !ok || len(of) != 3 {
		t.Errorf("not closed are %v", of)
	}
	if spec.MeantCall("Lower") == "" {
		t.Error("nothing is meant by lower")
	}
}

func TestUnique(t *testing.T) {
	r := read(t)
	u := r.Entity("Shift").Unique[0]
	if u.Always() || !u.Tests(r.Entity("Shift").Attribute("state")) || !u.Rests(r.Entity("Shift").Attribute("desk")) || u.Rests(r.Entity("Shift").Attribute("paid")) {
		t.Errorf("%v rests on other attributes", u)
	}
	for name, want := range map[string][2]bool{ // gives up the claim, gets it
		"open":  {false, true},
		"pause": {false, false},
		"end":   {true, false},
		"move":  {true, true},
		"carry": {true, true},
		"shut":  {true, true},
		"pay":   {false, false},
	} {
		a := r.Pattern(name).Actions[0]
		if gives, gets := a.Turns(u); gives != want[0] || gets != want[1] {
			t.Errorf("%s gives %t, gets %t", name, gives, gets)
		}
		if a.Touches(u) != (name != "pay") {
			t.Errorf("%s touches %t", name, a.Touches(u))
		}
	}
	// What has no badge gives up none.
	pinned := strings.NewReplacer("endedAt: {", "badge: {type: string, bytes: 6, optional: true}\n      endedAt: {", `paused)"}]`, `paused)"}, badge]`).Replace(implied)
	for condition, want := range map[string]bool{"absent(badge) and paid = true": false, "absent(badge) or paid = true": true, "paid = true": true} {
		r, _, found := model.ReadRequirements("pinned.yaml", []byte(pinned+"  pin: {write: {update: Shift, set: [badge], condition: "+condition+"}, rate: {average: 1/s, peak: 1/s}}\n"))
		if found.Errors() > 0 {
			t.Fatal(found)
		}
		if gives, gets := r.Pattern("pin").Actions[0].Turns(r.Entity("Shift").Unique[1]); gives != want || !gets {
			t.Errorf("%s: gives %t, gets %t", condition, gives, gets)
		}
	}
	// A state that the call states is one that another leads to, unless the call may leave it out.
	planned, move := spec.Unique{While: &spec.Test{Path: spec.Path{"state"}, Op: "=", Args: []spec.Expr{{Literal: attr.Text("planned")}}}}, r.Pattern("move").Actions[0]
	if gives, gets := move.Turns(planned); !gives || gets {
		t.Errorf("moving gives %t the claim of what is planned, and gets it %t", gives, gets)
	}
	move.Set[0].Optional = true
	if _, gets := move.Turns(planned); !gets {
		t.Error("what may stay as it is is not known")
	}
	if v := r.Pattern("end").Actions[0].Entered(r.Entity("Shift").Attribute("state")); v != "closed" || move.Entered(r.Entity("Shift").Attribute("state")) != "" {
		t.Errorf("closing enters %s", v)
	}
	if before, _ := r.Pattern("drop").Actions[0].Decides(u.While); before != spec.Never {
		t.Errorf("what is planned claims %d", before)
	}
}
