package plan_test

import (
	"errors"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// TestLacking: of a list that need not be all or nothing, each element is refused alone that requires what a step
// before has not found. What all elements require is read once, and a list without elements requires nothing.
func TestLacking(t *testing.T) {
	r := requirements(t, "flock.yaml", []byte(`
tablewright: 1
application: flock
entities:
  Farm:
    identity: [farmId]
    attributes: {farmId: {type: string, bytes: 8}}
    bytes: 100
    count: 1_000
  Sheep:
    identity: [tag]
    attributes:
      tag: {type: string, bytes: 8}
      farmId: {references: Farm, inverse: sheep, per-parent: 40}
    bytes: 100
    count: 40_000
patterns:
  found: {write: {create: Farm}, rate: {average: 1/s, peak: 20/s}}
  buy:
    write: {create: Sheep, each: $flock, requires: [farm]}
    atomic: false
    parameters: {flock: {length: {average: 3, max: 30}}}
    rate: {average: 1/s, peak: 20/s}
  move:
    write: {update: Sheep, each: $tags, key: {tag: $each}, set: {farmId: $farmId}, requires: [farm]}
    atomic: false
    parameters: {tags: {length: {average: 3, max: 30}}}
    rate: {average: 1/s, peak: 20/s}
`))
	m, _ := document(t, "flock.model.yaml", []byte(`
tablewright: 1
application: flock
tables:
  Farms: {attributes: {farmId: S}, key: {partition: farmId}, items: {Farm: {holds: Farm}}}
  Sheep: {attributes: {tag: S}, key: {partition: tag}, items: {Sheep: {holds: Sheep}}}
plans:
  found: {steps: {a: {put: Farm, if: absent}}}
  buy:
    steps:
      farms: {batch-get: Farm, each: $flock, key: {farmId: $each.farmId}, consistent: true}
      a: {put: Sheep, each: $flock, if: absent, needs: [farms]}
  move:
    steps:
      there: {get: Farm, key: [farmId], consistent: true}
      a: {update: Sheep, each: $tags, key: {tag: $each}, set: [farmId], if: present, needs: [there]}
`))
	p, problems := plan.Compile(m, r)
	for _, x := range problems {
		t.Fatal(x)
	}
	f := newFake(p)
	text := func(name, value string) attr.Field { return attr.Field{Name: name, Value: attr.Text(value)} }
	if _, err := f.run("found", attr.ItemOf(attr.Field{Name: "farm", Value: attr.Map(attr.ItemOf(text("farmId", "f1")))}), nil); err != nil {
		t.Fatal(err)
	}
	sheep := func(tag, farm string) attr.Value {
		return attr.Map(attr.ItemOf(text("tag", tag), text("farmId", farm)))
	}
	list := func(name string, all ...attr.Value) attr.Field {
		return attr.Field{Name: name, Value: attr.List(all...)}
	}
	missing := func(err error) bool {
		var refusal *plan.Refusal
		return errors.As(err, &refusal) && refusal.Code == plan.RefusedMissing
	}

	_, err := f.run("buy", attr.ItemOf(list("flock", sheep("s1", "f1"), sheep("s2", "f2"), sheep("s3", "f1"))), nil)
	if n := len(f.tables["Sheep"]); !missing(err) || n != 2 {
		t.Errorf("%d are bought: %v", n, err)
	}
	for _, x := range []struct {
		farm string
		tags []attr.Value
		ok   bool
	}{
		{"f1", []attr.Value{attr.Text("s1"), attr.Text("s3")}, true},
		{"f2", []attr.Value{attr.Text("s1")}, false},
		{"f2", nil, true},
	} {
		_, err := f.run("move", attr.ItemOf(text("farmId", x.farm), list("tags", x.tags...)), nil)
		if x.ok && err != nil || !x.ok && !missing(err) {
			t.Errorf("%d to %s: %v", len(x.tags), x.farm, err)
		}
	}
}
