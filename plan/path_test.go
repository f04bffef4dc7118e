package plan_test

import (
	"testing"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// What is derived along a path is the same as what lies at its end, and the identity of a parent the same as the foreign key.
func TestSameValue(t *testing.T) {
	r := requirements(t, "", []byte(`
tablewright: 1
application: stalls
entities:
  Seller: {identity: [sellerId], attributes: {sellerId: {type: string, bytes: 9}, standing: {enum: [good, bad]}}, count: 9}
  Good:
    identity: [goodId]
    attributes:
      goodId: {type: string, bytes: 9}
      sellerId: {references: Seller, inverse: goods, per-parent: 10}
      standing: {derived: seller.standing}
      mark: {enum: [good, bad]}
    bytes: 90
    count: 90
  Part:
    identity: [goodId, no]
    attributes:
      goodId: {references: Good, inverse: parts, per-parent: 2}
      no: {type: number, digits: 2}
      standing: {derived: good.standing}
    bytes: 60
    count: 180
patterns:
  join: {write: {create: Seller}, rate: {average: 1/h, peak: 1/s}}
  offer: {write: {create: Good}, rate: {average: 1/h, peak: 1/s}}
  add: {write: {create: Part}, rate: {average: 1/h, peak: 1/s}}
`))
	path := func(text string) (p spec.Path) {
		c, err := spec.ParseCondition(text + " = 1")
		if err != nil {
			t.Fatal(err)
		}
		return c.(*spec.Test).Path
	}
	for _, x := range []struct {
		entity, a, b string
		want         bool
	}{
		{"Good", "standing", "standing", true},
		{"Good", "standing", "seller.standing", true},
		{"Good", "seller.standing", "standing", true},
		{"Good", "mark", "standing", false},
		{"Good", "mark", "seller.standing", false},
		{"Good", "seller.sellerId", "sellerId", true},
		{"Part", "standing", "good.seller.standing", true},
		{"Part", "good.standing", "good.seller.standing", true},
		{"Part", "good.mark", "good.seller.standing", false},
		{"Part", "good.nothing", "standing", false},
	} {
		if got := plan.SameValue(r.Entity(x.entity), path(x.a), path(x.b)); got != x.want {
			t.Errorf("%s: %s and %s are the same: %v", x.entity, x.a, x.b, got)
		}
	}
}
