package model_test

import (
	"math"
	"testing"

	"github.com/tablewright/tablewright/model"
)

// TestNewly: two patterns that may make the same share its growth, and each makes as much of what it is about.
func TestNewly(t *testing.T) {
	r, _, found := model.ReadRequirements("r.yaml", []byte(`
tablewright: 1
application: days
entities:
  Day:
    identity: [day]
    attributes: {day: date, visits: {type: number, digits: 6}}
    bytes: 60
    count: 700
    growth: 30/month
patterns:
  get: {read: Day, given: [day], rate: {average: 1/s, peak: 1/s}}
  enter: {write: {upsert: Day, set: {visits: "if_missing(visits, 0) + 1"}}, rate: {average: 40/month, peak: 1/s}}
  leave: {write: {upsert: Day, set: {visits: "if_missing(visits, 0) - 1"}}, rate: {average: 20/month, peak: 1/s}}
`))
	if r == nil {
		t.Fatal(found)
	}
	for _, name := range []string{"enter", "leave"} {
		if p := r.Pattern(name); math.Abs(p.Actions[0].Made(p)-0.5) > 1e-9 {
			t.Errorf("%s makes %v of what it is about", name, p.Actions[0].Made(p))
		}
	}
}
