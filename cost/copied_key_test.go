package cost_test

import (
	"testing"

	"github.com/tablewright/tablewright/cost"
)

// Goods are listed by shelf while their seller is in good standing. The standing may lag, so the consumer of a stream copies it.
const stallRequirements = `
tablewright: 1
application: stalls
entities:
  Seller:
    identity: [sellerId]
    attributes:
      sellerId: {type: string, bytes: 12}
      standing: {enum: [good, suspended], share: {suspended: 10%}}
      remark: {type: string, bytes: 30, optional: true, share: 50%}
    count: 10_000
  Good:
    identity: [goodId]
    attributes:
      goodId: {type: string, bytes: 12}
      sellerId: {references: Seller, inverse: goods, per-parent: 100}
      shelf: {type: string, bytes: 10, distinct: 5_000}
      standing: {derived: seller.standing, within: 1min}
      remark: {derived: seller.remark, within: 1min}
    count: 1_000_000
patterns:
  join: {write: {create: Seller}, rate: {average: 1/h, peak: 1/s}}
  suspend: {write: {update: Seller, set: {standing: suspended}, condition: standing = good}, rate: {average: 1/h, peak: 1/s}}
  forget: {write: {update: Seller, remove: [remark]}, rate: {average: 1/h, peak: 1/s}}
  remark: {write: {update: Seller, set: [remark]}, rate: {average: 1/h, peak: 1/s}}
  offer: {write: {create: Good, requires: [seller]}, rate: {average: 1/h, peak: 1/s}}
  listShelf: {read: Good, given: [shelf], where: standing = good, results: {average: 180, max: 400}, rate: {average: 1/s, peak: 1/s}}
`

const stallModel = `
tablewright: 1
application: stalls
tables:
  Sellers: {attributes: {sellerId: S}, key: {partition: sellerId}, stream: new-and-old, items: {Seller: {}}}
  Goods:
    attributes: {goodId: S, sellerId: S, shelf: S, standing: S}
    key: {partition: goodId}
    gsi:
      BySeller: {partition: sellerId, project: keys}
      ByShelf: {partition: [shelf, standing], project: all}
    stream: new-and-old
    items:
      Good:
        stores: [goodId, sellerId, shelf]
        copies:
          standing: {from: seller.standing, kept: {by: stream, within: 1min, recheck: true}}
          remark: {from: seller.remark, kept: {by: stream, within: 1min, recheck: true}}
plans:
  join: {steps: {write: {put: Seller, if: absent}}}
  suspend: {steps: {write: {update: Seller, key: [sellerId], set: {standing: "'suspended'"}, if: [present, standing = 'good']}}}
  forget: {steps: {write: {update: Seller, key: [sellerId], remove: [remark], if: present}}}
  remark: {steps: {write: {update: Seller, key: [sellerId], set: {remark: $remark}, if: present}}}
  offer:
    steps:
      found: {get: Seller, key: {sellerId: $good.sellerId}, consistent: true}
      write: {put: Good, value: $good, with: {standing: $found.standing, remark: $found.remark}, if: absent, needs: [found]}
  listShelf: {steps: {good: {query: Goods.ByShelf, items: [Good], where: {shelf: $shelf, standing: "'good'"}}}}
`

// TestCopiedKey prices what the consumer of a stream writes after a change, whether the call says the new value, a literal does, or
// the value goes: every copy, and where it is in a key its entry leaves one range of the index and comes into another. The range of a
// copied value holds what the pattern finds, no more.
func TestCopiedKey(t *testing.T) {
	report := cost.Price(compileText(t, stallRequirements, stallModel), nil)
	for _, x := range []struct {
		pattern                  string
		goods, bySeller, byShelf float64
	}{
		{"suspend", 100, 0, 200}, // a seller has a hundred goods
		{"forget", 100, 0, 100},
		{"remark", 100, 0, 100},
		{"join", 0, 0, 0},
	} {
		p := report.Pattern(x.pattern)
		near(t, x.pattern+" goods", p.Kept["Goods"], x.goods, 1e-9)
		near(t, x.pattern+" by seller", p.Kept["Goods.BySeller"], x.bySeller, 1e-9)
		near(t, x.pattern+" by shelf", p.Kept["Goods.ByShelf"], x.byShelf, 1e-9)
	}
	list := report.Pattern("listShelf")
	if len(list.Assumed) > 0 {
		t.Errorf("listShelf is priced by %v, though all is stated", list.Assumed)
	}
	read, _ := list.Units()
	near(t, "listShelf", read, 180*95/4096.0*0.5, 0.1) // an entry of 95 bytes, and the rounding to 4 KB
}
