package cost_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tablewright/tablewright/cost"
)

// drivers are listed by a status that is plain text: only the results of the read say how many share one.
func drivers(t *testing.T, sort string) *cost.Report {
	t.Helper()
	return cost.Price(compileText(t, `
tablewright: 1
application: drivers
entities:
  Driver:
    identity: [driverId]
    attributes:
      driverId: {type: string, generated: ulid}
      status: {type: string, bytes: 6}
      name: {type: string, bytes: 20}
      seenAt: timestamp
    bytes: 400
    count: 50_000
patterns:
  getDriver: {read: Driver, given: [driverId], rate: {average: 30/s, peak: 150/s}}
  list: {read: Driver, given: [status], page: 20, results: {average: 10_000, max: 40_000}, rate: {average: 5/s, peak: 40/s}}
  addDriver: {write: {create: Driver}, rate: {average: 0/s, peak: 1/s}}
  report: {write: {update: Driver, set: [`+sort+`]}, rate: {average: 500/s, peak: 4_000/s}}
`, fmt.Sprintf(`
tablewright: 1
application: drivers
tables:
  Drivers:
    attributes: {driverId: S, status: S, %[1]s: S}
    key: {partition: driverId}
    gsi:
      ByStatus: {partition: status, sort: %[1]s, project: keys}
    items:
      Driver: {key: {}}
plans:
  getDriver: {steps: {a: {get: Driver, key: [driverId]}}}
  list:
    steps:
      k: {query: Drivers.ByStatus, items: [Driver], where: [status], evaluate: 20}
      d: {batch-get: Driver, each: $k, key: [driverId]}
    answer: {from: d, page: 20, cursor: k}
  addDriver: {steps: {a: {put: Driver, if: absent}}}
  report: {steps: {a: {update: Driver, key: [driverId], set: {%[1]s: $%[1]s}, if: present}}}
`, sort)), nil)
}

// TestHotValues takes the share of writes that fall on one value from what patterns state: 40,000 of 50,000 drivers have
// the same status, so that 3,200 of 4,000 reports a second move an entry under it, 2 units each.
func TestHotValues(t *testing.T) {
	of := func(r *cost.Report) cost.Load {
		var found []cost.Load
		for _, l := range r.Loads {
			if l.Place == "Drivers.ByStatus" {
				found = append(found, l)
			}
		}
		if len(found) != 1 || !slices.Equal(found[0].Patterns, []string{"list", "addDriver", "report"}) {
			t.Fatalf("loads of the index: %+v", found)
		}
		return found[0]
	}
	r := drivers(t, "seenAt")
	l := of(r)
	near(t, "write units of the most frequent status", l.Write, 0.8*(4_000*2+1), 1e-9)
	if l.Divided {
		t.Error("entries by time lie at the end, which cannot be divided")
	}
	if fs := findings(r.Findings()); !slices.Contains(fs, "hot-key Drivers.ByStatus!") {
		t.Errorf("found %q", fs)
	}
	r = drivers(t, "name") // names lie anywhere: DynamoDB divides them
	if l := of(r); !l.Divided || l.Heat < 6 {
		t.Errorf("%+v", l)
	}
	if fs := findings(r.Findings()); !slices.Contains(fs, "hot-key Drivers.ByStatus") {
		t.Errorf("found %q", fs)
	}
}
