package design_test

import "testing"

// What lies at the end of two ways is read by two steps, each of which brings it for the one before.
func TestSelfReferenceTwice(t *testing.T) {
	r := parse(t, `
tablewright: 1
application: staff
entities:
  Clerk:
    identity: [clerkId]
    attributes:
      clerkId: {type: string, generated: ulid}
      name: {type: string, bytes: 24}
      chiefId: {references: Clerk, as: chief, inverse: staff, optional: true, share: 98%, per-parent: {average: 0.98, max: 40}}
    count: 9_000
patterns:
  hire: {write: {create: Clerk}, rate: {average: 0.001/s, peak: 1/s}}
  get: {read: Clerk, given: [clerkId], returns: [all, chief.chief.name], rate: {average: 4/s, peak: 15/s}}
`)
	d := designed(t, r)
	compiled(t, r, d)
	if n := len(d.Model.Plans[1].Steps); n != 3 {
		t.Errorf("%d steps", n)
	}
}
