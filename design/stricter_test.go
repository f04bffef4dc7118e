package design_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/design"
)

// TestStricter: a looser statement never costs more, nor leaves unserved what the stricter one serves.
func TestStricter(t *testing.T) {
	const text = `tablewright: 1
application: stalls
entities:
  Stall:
    identity: [stallId]
    attributes:
      stallId: {type: string, bytes: 9}
      hallId: {type: string, bytes: 6, distinct: 20}
      size: {type: number, digits: 2}
    count: 1_000
  Shelf:
    identity: [shelfId]
    attributes:
      stallId: {parent: Stall, inverse: shelves, per-parent: {average: 3, max: 5}}
      shelfId: {type: string, bytes: 9}
patterns:
  open: {write: {create: Stall, with: [shelves]}, rate: {average: 1/s, peak: 2/s}}
  stall: {read: Stall, given: [stallId], with: [shelves], rate: {average: 1/s, peak: 2/s}}
  some: {read: Stall, given: [hallId], consistency: strong, results: {average: 50, max: 90}, rate: {average: 1/s, peak: 2/s}}
`
	whole := parse(t, text)
	apart := parse(t, strings.Replace(text, "with: [shelves]}, rate", "with: [shelves]}, atomic: false, rate", 1))
	if whole.Pattern("open").Atomic == apart.Pattern("open").Atomic {
		t.Fatal("they do not differ")
	}
	most, err := design.Design(t.Context(), whole, design.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := design.Design(t.Context(), apart, design.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if is, was := d.Components[0].Cheapest.Cost, most.Components[0].Cheapest.Cost; is > was {
		t.Errorf("it costs %s with `atomic: false`, and %s without", is, was)
	}
	proven(t, compiled(t, apart, d))
}
