package plan_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

const desksRequirements = `
tablewright: 1
application: desks
entities:
  Pass:
    identity: [passId]
    attributes:
      passId: {type: string, bytes: 6}
      badge: {type: string, bytes: 6}
    unique: [badge]
    bytes: 100
    count: 1_000
  Shift:
    identity: [shiftId]
    attributes:
      shiftId: {type: string, bytes: 6}
    bytes: 60
    count: 1_000
patterns:
  issue: {write: {create: Pass}, rate: {average: 1/s, peak: 1/s}}
  rebadge: {write: {update: Pass, set: [badge]}, rate: {average: 1/s, peak: 1/s}}
  begin:
    write: [{create: Shift}, {delete: Pass, each: $passes}]
    parameters: {passes: {length: {average: 2, max: 4}}}
    rate: {average: 1/s, peak: 1/s}
`

const desksModel = `
tablewright: 1
application: desks
tables:
  Passes: {attributes: {passId: S}, key: {partition: passId}, items: {Pass: {key: {passId: "{passId}"}}}}
  Badges: {attributes: {badge: S}, key: {partition: badge}, items: {Badge: {holds: {unique: Pass.badge}, key: {badge: "{badge}"}}}}
  Shifts: {attributes: {shiftId: S}, key: {partition: shiftId}, items: {Shift: {key: {shiftId: "{shiftId}"}}}}
plans:
  issue: {steps: {w: {transact: [{put: Pass, if: absent}, {put: Badge, value: $pass, if: absent}]}}}
  rebadge:
    steps:
      was: {get: Pass, key: [passId], consistent: true}
      w:
        transact:
          - {update: Pass, key: [passId], set: [badge], if: [present, badge = $was.badge]}
          - {delete: Badge, key: {badge: $was.badge}}
          - {put: Badge, value: $was, with: {badge: $badge}, if: absent}
  begin:
    steps:
      was: {batch-get: Pass, each: $passes, key: [passId], consistent: true}
      w:
        transact:
          - {put: Shift, if: absent}
          - {delete: Pass, each: $passes, key: [passId], still: $was}
          - {delete: Badge, each: $was, key: [badge]}
`

// TestStill deletes passes of which one is missing, while somebody changes another one's badge and makes the missing one
// between the read and the write: each time the call begins anew, and in the end all badges are gone with their passes. A pass
// that is named twice is deleted once.
func TestStill(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"r.yaml": desksRequirements, "m.yaml": desksModel} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, _ := document(t, filepath.Join(dir, "m.yaml"), nil)
	p, problems := plan.Compile(m, requirements(t, filepath.Join(dir, "r.yaml"), nil))
	for _, x := range problems {
		t.Fatal(x)
	}
	f := newFake(p)
	pass := func(id, badge string) {
		t.Helper()
		if _, err := f.run("issue", attr.ItemOf(attr.Field{Name: "pass", Value: attr.Map(attr.ItemOf(
			attr.Field{Name: "passId", Value: attr.Text(id)}, attr.Field{Name: "badge", Value: attr.Text(badge)}))}), nil); err != nil {
			t.Fatal(err)
		}
	}
	element := func(id string) attr.Value {
		return attr.Map(attr.ItemOf(attr.Field{Name: "passId", Value: attr.Text(id)}))
	}
	pass("p1", "red")
	meanwhile := []func(){
		func() {
			if _, err := f.run("rebadge", attr.ItemOf(attr.Field{Name: "passId", Value: attr.Text("p1")}, attr.Field{Name: "badge", Value: attr.Text("blue")}), nil); err != nil {
				t.Fatal(err)
			}
		},
		func() { pass("p2", "green") },
	}
	call, err := p.Procedure("begin").Begin(attr.ItemOf(
		attr.Field{Name: "shift", Value: attr.Map(attr.ItemOf(attr.Field{Name: "shiftId", Value: attr.Text("s1")}))},
		attr.Field{Name: "passes", Value: attr.List(element("p1"), element("p2"), element("p1"))}), nil, f)
	if err != nil {
		t.Fatal(err)
	}
	writes := 0
	for {
		requests, err := call.Next()
		if err != nil {
			t.Fatal(err)
		}
		if len(requests) == 0 {
			break
		}
		for _, r := range requests {
			if r.Verb == plan.Transact {
				if writes++; writes <= len(meanwhile) {
					meanwhile[writes-1]()
				}
			}
			result, failures := f.do(r)
			if failures != nil {
				err = call.Refused(r, failures)
			} else {
				err = call.Done(r, result)
			}
			if err != nil {
				var refusal *plan.Refusal
				t.Fatal(err, errors.As(err, &refusal))
			}
		}
	}
	if writes != 3 || len(f.tables["Passes"]) != 0 || len(f.tables["Badges"]) != 0 || len(f.tables["Shifts"]) != 1 {
		t.Errorf("%d attempts to write, left %v", writes, f.tables)
	}
}
