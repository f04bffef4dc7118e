package pipeline

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tablewright/tablewright/design"
)

// TestUncovered: what no rule covers is told with its place in the requirements, down to the test.
func TestUncovered(t *testing.T) {
	const text = `tablewright: 1
application: beds
entities:
  Bed:
    identity: [bedId]
    attributes:
      bedId: {type: string, generated: ulid}
      name: {type: string, bytes: 30}
    count: 400_000
patterns:
  addBed: {write: {create: Bed}, rate: {average: 0.01/s, peak: 1/s}}
  byWord: {read: Bed, where: "contains(name, $word)", page: 20, results: {average: 40, max: 900}, rate: {average: 2/s, peak: 9/s}}
  any: {read: Bed, page: 20, rate: {average: 2/s, peak: 9/s}}
`
	job, err := Read(Document{Name: "beds.yaml", Text: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	err = job.Design(t.Context(), Options{})
	var none *design.UnsupportedError
	var where *Uncovered
	if !errors.As(err, &none) || !errors.As(err, &where) {
		t.Fatal(err)
	}
	want := []string{"beds.yaml:12:31 byWord", "beds.yaml:13:3 any"}
	if len(where.Diagnostics) != len(want) {
		t.Fatal(where.Diagnostics)
	}
	for i, d := range where.Diagnostics {
		if got := fmt.Sprintf("%s:%d:%d %s", d.File, d.Line, d.Column, d.Of); got != want[i] || d.Code != "uncovered" || d.Remedy != none.Cases[i].Instead {
			t.Errorf("%s, not %s: %s", got, want[i], d.Text())
		}
	}
}
