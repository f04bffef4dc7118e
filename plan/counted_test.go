package plan_test

import (
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// TestCountedAtCreation: of children that are created inside their parent's value those count that the number is about, by the state
// in which they begin where the caller states none.
func TestCountedAtCreation(t *testing.T) {
	r := requirements(t, "requirements.yaml", []byte(`
tablewright: 1
application: wards
entities:
  Ward:
    identity: [wardId]
    attributes:
      wardId: {type: string, bytes: 6}
      free: {derived: count(beds where state = free), within: 5s}
      places: {derived: sum(beds.places where state = free), within: 5s}
    bytes: 60
    count: 100
  Bed:
    identity: [wardId, bedNo]
    attributes:
      wardId: {parent: Ward, inverse: beds, per-parent: {average: 20, max: 60}}
      bedNo: {type: number, digits: 3, min: 1}
      places: {type: number, digits: 1, min: 1}
      state: {states: {free: [taken], taken: [free]}, share: {free: 10%}}
    bytes: 90
patterns:
  openWard: {write: {create: Ward, with: [beds]}, rate: {average: 1/s, peak: 1/s}}
  getWard: {read: Ward, given: [wardId], rate: {average: 1/s, peak: 1/s}}
`))
	m, _ := document(t, "model.yaml", []byte(`
tablewright: 1
application: wards
tables:
  Wards:
    attributes: {wardId: S}
    key: {partition: wardId}
    items:
      Ward:
        copies: {free: {from: free, kept: {by: stream, within: 5s}}, places: {from: places, kept: {by: stream, within: 5s}}}
  Beds: {attributes: {wardId: S, bedNo: N}, key: {partition: wardId, sort: bedNo}, stream: new-and-old, items: {Bed: {}}}
plans:
  openWard: {steps: {w: {transact: [{put: Ward, if: absent}, {put: Bed, each: $ward.beds, if: absent}]}}}
  getWard: {steps: {w: {get: Ward, key: [wardId]}}}
`))
	p, problems := plan.Compile(m, r)
	for _, x := range problems {
		t.Error(x)
	}
	if t.Failed() {
		return
	}
	f := newFake(p)
	bed := func(no int, state string) map[string]any {
		out := map[string]any{"bedNo": no, "places": no}
		if state != "" {
			out["state"] = state
		}
		return out
	}
	ward := item(map[string]any{"ward": map[string]any{"wardId": "w1", "beds": []any{bed(1, "taken"), bed(2, ""), bed(3, "free")}}})
	if _, err := f.run("openWard", ward, nil); err != nil {
		t.Fatal(err)
	}
	reply, err := f.run("getWard", item(map[string]any{"wardId": "w1"}), nil)
	if err != nil || len(reply.Items) != 1 {
		t.Fatal(reply, err)
	}
	for name, want := range map[string]int64{"free": 2, "places": 5} {
		if got := reply.Items[0].Get(name); got.Number().Cmp(attr.Int(want)) != 0 {
			t.Errorf("%s is %v, want %d", name, got, want)
		}
	}
}
