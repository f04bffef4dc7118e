package prove

import (
	"slices"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/spec"
)

const lockers = `
tablewright: 1
application: lockers
entities:
  Owner:
    identity: [ownerId]
    attributes: {ownerId: {type: string, bytes: 8}, name: {type: string, bytes: 8}}
    count: 10
  Box:
    identity: [boxId]
    attributes:
      boxId: {type: string, bytes: 8}
      ownerId: {references: Owner, inverse: boxes, per-parent: {average: 4, max: 20}}
    count: 40
  Thing:
    identity: [thingId]
    attributes:
      thingId: {type: string, bytes: 8}
      boxId: {references: Box, inverse: inside, per-parent: {average: 4, max: 20}}
    count: 160
patterns:
  addOwner: {write: {create: Owner}, rate: {average: 1/s, peak: 1/s}}
  rename: {write: {update: Owner, set: [name]}, rate: {average: 1/s, peak: 1/s}}
  addBox: {write: {create: Box, requires: [owner]}, rate: {average: 1/s, peak: 1/s}}
  addThing: {write: {create: Thing, requires: [box]}, rate: {average: 1/s, peak: 1/s}}
  getThing: {read: Thing, given: [thingId], returns: [all, box.owner.name], staleness: 5s, rate: {average: 1/s, peak: 1/s}}
`

const lockersModel = `
tablewright: 1
application: lockers
tables:
  Owners: {attributes: {ownerId: S}, key: {partition: ownerId}, items: {Owner: {}}}
  Boxes: {attributes: {boxId: S}, key: {partition: boxId}, items: {Box: {}}}
  Things:
    attributes: {thingId: S}
    key: {partition: thingId}
    items: {Thing: {copies: {name: {from: box.owner.name, kept: {by: stream, within: 5s}}}}}
plans:
  addOwner: {steps: {a: {put: Owner, if: absent}}}
  rename: {steps: {a: {update: Owner, key: [ownerId], set: [name], if: present}}}
  addBox: {steps: {a: {transact: [{put: Box, if: absent}, {check: Owner, key: {ownerId: $box.ownerId}, if: present}]}}}
  addThing: {steps: {a: {transact: [{put: Thing, if: absent}, {check: Box, key: {boxId: $thing.boxId}, if: present}]}}}
  getThing: {steps: {a: {get: Thing, key: [thingId]}}}
`

// TestShowing: the consumer of a stream looks at what shows the value that has changed, over two ways, and at nothing
// else.
func TestShowing(t *testing.T) {
	r, _, found := model.ReadRequirements("lockers.yaml", []byte(lockers))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	m, source, found := model.ReadModel("model.yaml", []byte(lockersModel))
	if found.Err() != nil {
		t.Fatal(found)
	}
	compiled, found := model.CompileModel(m, source, r)
	if found.Err() != nil {
		t.Fatal(found)
	}
	o := NewOracle(r)
	o.keep, o.sources = time.Minute, map[*spec.Entity]bool{r.Entity("Owner"): true}
	put := func(e string, pairs ...string) *Instance {
		var it attr.Item
		for i := 0; i < len(pairs); i += 2 {
			it.Set(pairs[i], attr.Text(pairs[i+1]))
		}
		return o.put(r.Entity(e), it)
	}
	for _, n := range []string{"1", "2"} {
		put("Owner", "ownerId", n, "name", "before")
		put("Box", "boxId", "b"+n, "ownerId", n)
		put("Thing", "thingId", "x"+n, "boxId", "b"+n)
		put("Thing", "thingId", "y"+n, "boxId", "b"+n)
	}
	o.changed = nil
	put("Owner", "ownerId", "2", "name", "after")
	var got []string
	for _, in := range o.showing(compiled.Kind("Thing"), o.changed) {
		got = append(got, in.ID)
	}
	slices.Sort(got)
	var want []string
	for _, id := range []string{"x2", "y2"} {
		want = append(want, r.Entity("Thing").IdentityOf(attr.ItemOf(attr.Field{Name: "thingId", Value: attr.Text(id)})))
	}
	if !slices.Equal(got, want) {
		t.Errorf("owner 2 is shown in %q, want %q", got, want)
	}
}

// TestEverMadeAnew: what was deleted and comes again has for a while none of the copies that it had, though it points
// to the same.
func TestEverMadeAnew(t *testing.T) {
	r, _, found := model.ReadRequirements("lockers.yaml", []byte(lockers))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	o := NewOracle(r)
	o.keep, o.sources = time.Minute, map[*spec.Entity]bool{r.Entity("Owner"): true, r.Entity("Box"): true, r.Entity("Thing"): true}
	put := func(e string, pairs ...string) *Instance {
		var it attr.Item
		for i := 0; i < len(pairs); i += 2 {
			it.Set(pairs[i], attr.Text(pairs[i+1]))
		}
		return o.put(r.Entity(e), it)
	}
	put("Owner", "ownerId", "1", "name", "ada")
	put("Box", "boxId", "b", "ownerId", "1")
	o.now = o.now.Add(time.Hour)
	thing := put("Thing", "thingId", "x", "boxId", "b")
	lacks := func() bool {
		return slices.ContainsFunc(o.ever(thing, spec.Path{"box", "owner", "name"}, o.now.Add(-time.Minute)), attr.Value.IsZero)
	}
	if o.now = o.now.Add(time.Hour); lacks() {
		t.Error("a thing of an hour ago has no name")
	}
	o.remove(thing)
	o.now = o.now.Add(time.Hour)
	if put("Thing", "thingId", "x", "boxId", "b"); !lacks() {
		t.Error("a thing that has just come again has its name at once")
	}
	if o.now = o.now.Add(time.Hour); lacks() {
		t.Error("a thing that came again an hour ago has no name")
	}
}
