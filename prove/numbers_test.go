package prove

import (
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/model"
)

const boxes = `
tablewright: 1
application: boxes
entities:
  Box:
    identity: [boxId]
    attributes:
      boxId: {type: string, bytes: 8}
      things: {derived: count(inside), within: 30s}
    count: 100
  Thing:
    identity: [thingId]
    attributes:
      thingId: {type: string, bytes: 8}
      boxId: {references: Box, inverse: inside, per-parent: {average: 4, max: 20}}
    count: 400
patterns:
  addBox: {write: {create: Box}, rate: {average: 1/s, peak: 1/s}}
  getBox: {read: Box, given: [boxId], rate: {average: 1/s, peak: 1/s}}
  addThing: {write: {create: Thing}, rate: {average: 1/s, peak: 1/s}}
  moveThing: {write: {update: Thing, set: [boxId]}, rate: {average: 1/s, peak: 1/s}}
  dropThing: {write: {delete: Thing}, rate: {average: 1/s, peak: 1/s}}
`

// TestLately holds what a number may be shown as against what it was: as long as it may lag, with the lag of reads, and no longer;
// of both parents where a child moves.
func TestLately(t *testing.T) {
	r, _, found := model.ReadRequirements("boxes.yaml", []byte(boxes))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	o := NewOracle(r)
	box, thing := r.Entity("Box"), r.Entity("Thing")
	things := box.Attribute("things")
	o.followLate(things, time.Second)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	item := func(pairs ...string) attr.Item {
		var it attr.Item
		for i := 0; i < len(pairs); i += 2 {
			it.Set(pairs[i], attr.Text(pairs[i+1]))
		}
		return it
	}
	shows := func(when time.Duration, in *Instance, n int64) bool {
		t.Helper()
		o.SetNow(at.Add(when))
		for _, v := range o.lately(in, things) {
			if attr.Equal(v, attr.Num(attr.Int(n))) {
				return true
			}
		}
		return false
	}
	o.SetNow(at)
	a, b := o.put(box, item("boxId", "a")), o.put(box, item("boxId", "b"))
	o.SetNow(at.Add(time.Hour))
	o.put(thing, item("thingId", "1", "boxId", "a"))
	o.SetNow(at.Add(time.Hour + time.Minute))
	o.put(thing, item("thingId", "1", "boxId", "b")) // it moves
	for _, x := range []struct {
		after time.Duration
		in    *Instance
		n     int64
		may   bool
	}{
		{0, a, 0, true}, {0, a, 1, true}, {0, a, 2, false}, {0, b, 0, true}, {0, b, 1, true},
		{30 * time.Second, a, 1, true}, {31 * time.Second, a, 1, true}, {32 * time.Second, a, 1, false},
		{32 * time.Second, b, 0, false}, {32 * time.Second, b, 1, true}, {32 * time.Second, a, 0, true},
	} {
		if got := shows(time.Hour+time.Minute+x.after, x.in, x.n); got != x.may {
			t.Errorf("%s after the move, %s may be shown with %d things: %t", x.after, x.in.ID, x.n, got)
		}
	}
	if o.late[things].at.Derived.Func != "count" || o.pending != at {
		t.Error("the consumer has something to do since", o.pending)
	}
}

// TestAddsUp: what children add up to is followed as each of them comes, changes, moves and goes, where they alone tell
// it, and is then what all of them say.
func TestAddsUp(t *testing.T) {
	text := strings.Replace(boxes, "things: {derived: count(inside), within: 30s}", `things: {derived: count(inside), within: 30s}
      weight: {derived: sum(inside.grams where kind != void), within: 30s}
      heaviest: {derived: max(inside.grams), within: 30s}
      parts: {derived: count(inside.parts), within: 30s}`, 1)
	text = strings.Replace(text, "thingId: {type: string, bytes: 8}\n", `thingId: {type: string, bytes: 8}
      grams: {type: number, digits: 5, optional: true, share: 60%}
      kind: {enum: [plain, void], share: {void: 20%}}
`, 1)
	text = strings.Replace(text, "patterns:", `  Part:
    identity: [partId]
    attributes:
      partId: {type: string, bytes: 8}
      thingId: {references: Thing, inverse: parts, per-parent: {average: 2, max: 9}}
    count: 800
patterns:
  addPart: {write: {create: Part}, rate: {average: 1/s, peak: 1/s}}`, 1)
	r, _, found := model.ReadRequirements("boxes.yaml", []byte(text))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	o := NewOracle(r)
	box, thing := r.Entity("Box"), r.Entity("Thing")
	for name, want := range map[string]struct{ own, adds bool }{
		"things": {true, true}, "weight": {true, true}, "heaviest": {true, false}, "parts": {false, false},
	} {
		a := box.Attribute(name)
		o.followLate(a, time.Second)
		if n := o.late[a]; n.own != want.own || n.adds != want.adds {
			t.Errorf("%s follows from own attributes of children alone: %t, and is what they add up to: %t", name, n.own, n.adds)
		}
	}
	o.SetNow(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	var all []*Instance
	for _, id := range []string{"a", "b"} {
		all = append(all, o.put(box, attr.ItemOf(attr.Field{Name: "boxId", Value: attr.Text(id)})))
	}
	put := func(id, in, kind string, grams int64) *Instance {
		it := attr.ItemOf(attr.Field{Name: "thingId", Value: attr.Text(id)}, attr.Field{Name: "boxId", Value: attr.Text(in)}, attr.Field{Name: "kind", Value: attr.Text(kind)})
		if grams > 0 {
			it.Set("grams", attr.Num(attr.Int(grams)))
		}
		return o.put(thing, it)
	}
	for i, do := range []func(){
		func() { put("1", "a", "plain", 5) },
		func() { put("2", "a", "void", 7) },
		func() { put("2", "a", "plain", 8) },
		func() { put("1", "b", "plain", 5) },
		func() { put("3", "b", "plain", 0) },
		func() { o.remove(put("2", "a", "plain", 8)) },
		func() { put("2", "b", "plain", 30) },
	} {
		do()
		for _, in := range all {
			for a, n := range o.late {
				if got, want := o.number(in, n), o.attribute(in, a); !attr.Equal(got, want) {
					t.Errorf("after %d changes %s of %s is %v, and not %v", i+1, a.Name, in.ID, got, want)
				}
			}
		}
	}
}
