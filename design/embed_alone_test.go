package design_test

import (
	"strings"
	"testing"
)

const crates = `tablewright: 1
application: crates
entities:
  Truck:
    identity: [truckId]
    attributes:
      truckId: {type: string, bytes: 6}
      leaving: bool
      load: {derived: sum(crates.kg)}
    bytes: 110
    count: 2_000
  Crate:
    identity: [truckId, crateNo]
    attributes:
      truckId: {parent: Truck, inverse: crates, per-parent: {average: 6, max: 40}}
      crateNo: {type: string, bytes: 6}
      kg: {type: number, digits: 4, min: 1}
    bytes: 80
  Yard:
    identity: [yardId]
    attributes: {yardId: {type: string, bytes: 6}, crates: {type: number, digits: 6, min: 0}}
    bytes: 40
    count: 20
patterns:
  buy: {write: {create: Truck}, rate: {average: 0.001/s, peak: 1/s}}
  open: {write: {create: Yard}, rate: {average: 0.001/s, peak: 1/s}}
  getYard: {read: Yard, given: [yardId], rate: {average: 0.1/s, peak: 1/s}}
  getTruck: {read: Truck, given: [truckId], with: [crates], consistency: strong, rate: {average: 2/s, peak: 20/s}}
  load: {write: [{create: Crate}, {update: Truck, key: {truckId: $crate.truckId}, condition: leaving = false, refusal: leaving}], rate: {average: 0.5/s, peak: 10/s}}
  unload: {write: {delete: Crate, condition: kg = $kg, refusal: reweighed}, rate: {average: 0.4/s, peak: 10/s}}
`

// TestAloneInside: what a parent derives of its children is kept by the update that brings or takes one inside its
// item, unless the write does not know by how much it changes.
func TestAloneInside(t *testing.T) {
	const unload = "  unload: {write: {delete: Crate, condition: kg = $kg, refusal: reweighed}, rate: {average: 0.4/s, peak: 10/s}}\n"
	for _, x := range []struct{ was, is, why string }{
		{"", "", ""},
		{"condition: kg = $kg, refusal: reweighed", "condition: present", "by what kg was before"},
		{unload, "", ""},
		{"sum(crates.kg)", "count(crates where kg > 500), within: 1min", "counts some of the crates"},
		{"sum(crates.kg)", "count(crates), within: 1min", ""},
		{"{delete: Crate, condition: kg = $kg, refusal: reweighed}", "[{delete: Crate}, {update: Yard, set: {crates: crates + 1}}]", "may be missing with its Truck"},
		{"{delete: Crate, condition: kg = $kg, refusal: reweighed}", "[{delete: Crate, condition: kg = $kg}, {update: Yard, set: {crates: crates + 1}}]", ""},
		{"kg = $kg, refusal", "kg > 5, refusal", "by what kg was before"},
		{"max: 40", "max: 9_000", "too large for one item"},
	} {
		d := designed(t, parse(t, strings.Replace(crates, x.was, x.is, 1)))
		inside := strings.Contains(summary(d), "embeds crates")
		why := ""
		for _, c := range d.Model.Decisions {
			for _, r := range c.Rejected {
				if c.About == "Crate" && strings.HasPrefix(r.What, "inside") {
					why = r.Because
				}
			}
		}
		if inside != (x.why == "") || !strings.Contains(why, x.why) {
			t.Errorf("%q: inside %v, because %q, not %q", x.is, inside, why, x.why)
		}
	}
}
