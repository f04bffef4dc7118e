package plan_test

import (
	"errors"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// TestChildBesideParent: what a transaction does to a child inside an item and to the item itself is one action, in
// whatever order the plan names them, and refuses with the code of each. A read goes on from the children inside what a
// step finds.
func TestChildBesideParent(t *testing.T) {
	r := requirements(t, "requirements.yaml", []byte(`
tablewright: 1
application: calls
entities:
  Nurse:
    identity: [nurseId]
    attributes:
      nurseId: {type: string, bytes: 6}
      onDuty: bool
      inHand: {derived: count(calls)}
    bytes: 90
    count: 100
  Call:
    identity: [callId]
    attributes:
      callId: {type: string, bytes: 6}
      nurseId: {references: Nurse, inverse: calls, per-parent: {average: 1, max: 2}}
      room: {type: string, bytes: 6}
    bytes: 90
    count: 100
patterns:
  getNurse: {read: Nurse, given: [nurseId], rate: {average: 1/s, peak: 1/s}}
  getCalls: {read: Call, given: [nurseId], consistency: strong, rate: {average: 1/s, peak: 1/s}}
  hire: {write: {create: Nurse}, rate: {average: 1/s, peak: 1/s}}
  take:
    write:
      - create: Call
      - update: Nurse
        key: {nurseId: $call.nurseId}
        set: {onDuty: true}
        condition: inHand < 2
        refusal: hands-full
    rate: {average: 1/s, peak: 1/s}
  end: {write: {delete: Call, condition: present}, rate: {average: 1/s, peak: 1/s}}
`))
	m, _ := document(t, "model.yaml", []byte(`
tablewright: 1
application: calls
tables:
  Nurses: {attributes: {nurseId: S}, key: {partition: nurseId}, items: {Nurse: {embed: {calls: {as: map, by: callId}}}}}
  Calls: {attributes: {callId: S}, key: {partition: callId}, items: {Call: {}}}
plans:
  getNurse: {steps: {n: {get: Nurse, key: [nurseId]}}}
  getCalls:
    steps:
      n: {get: Nurse, key: [nurseId], consistent: true}
      c: {batch-get: Call, each: $n.calls, key: [callId], consistent: true}
    answer: {from: c, keep: nurseId = $nurseId}
  hire: {steps: {w: {put: Nurse, if: absent}}}
  take:
    steps:
      w:
        transact:
          - {put: Nurse.calls, value: $call}
          - {put: Call, if: absent}
          - update: Nurse
            key: {nurseId: $call.nurseId}
            set: {onDuty: true}
            add: {inHand: 1}
            if: [present, inHand < 2]
            else: hands-full
  end:
    steps:
      f: {get: Call, key: [callId], consistent: true}
      w:
        transact:
          - {update: Nurse, key: {nurseId: $f.nurseId}, add: {inHand: -1}}
          - {delete: Call, key: [callId], if: present}
          - {delete: Nurse.calls, key: {callId: $callId, nurseId: $f.nurseId}}
`))
	p, problems := plan.Compile(m, r)
	for _, x := range problems {
		t.Error(x)
	}
	for _, name := range []string{"take", "end"} {
		stages := p.Procedure(name).Stages
		for _, s := range stages[len(stages)-1].Actions {
			if o := s.Outer(); s.Joins() != (s.Embed != nil) || s.Joins() && (o == nil || o.Embed != nil || o.Kind != s.Kind) {
				t.Errorf("%s: %s of %s joins another action: %v, %v", name, s.Verb, s.Kind.Name, s.Joins(), o)
			}
		}
	}
	f := newFake(p)
	run := func(name string, args map[string]any) []attr.Item {
		t.Helper()
		reply, err := f.run(name, item(args), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return reply.Items
	}
	call := func(id, nurse string) map[string]any {
		return map[string]any{"call": map[string]any{"callId": id, "nurseId": nurse, "room": "r" + id}}
	}
	run("hire", map[string]any{"nurse": map[string]any{"nurseId": "eve", "onDuty": false}})
	run("take", call("1", "eve"))
	run("take", call("2", "eve"))
	for _, c := range []struct{ id, nurse, code string }{{"3", "eve", "hands-full"}, {"3", "nobody", plan.RefusedMissing}} {
		var refusal *plan.Refusal
		if _, err := f.run("take", item(call(c.id, c.nurse)), nil); !errors.As(err, &refusal) || refusal.Code != c.code {
			t.Errorf("%s takes another call: %v, not %s", c.nurse, err, c.code)
		}
	}
	if calls := run("getCalls", map[string]any{"nurseId": "eve"}); len(calls) != 2 {
		t.Errorf("calls in hand: %v", calls)
	}
	run("end", map[string]any{"callId": "1"})
	if calls := run("getCalls", map[string]any{"nurseId": "eve"}); len(calls) != 1 || calls[0].Get("room").Str() != "r2" {
		t.Errorf("calls in hand: %v", calls)
	}
	if nurse := run("getNurse", map[string]any{"nurseId": "eve"})[0]; nurse.Get("inHand").Number().Cmp(attr.Int(1)) != 0 || !nurse.Get("onDuty").Bool() {
		t.Errorf("the nurse is %v", nurse)
	}
}
