package design_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/plan"
)

// TestGathered: one query of what all entities of a way share stands for a get of each only where that finds all of
// them, whatever is written meanwhile.
func TestGathered(t *testing.T) {
	b, err := os.ReadFile("testdata/strategies/gathered.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const move = "  move: {write: {update: Member, set: [stationId]}, rate: {average: 0.0001/s, peak: 1/s}}\n"
	for _, x := range []struct {
		name, old, is string
		query         bool
	}{
		{"the station of a member never changes", "", "", true},
		{"a member moves to another station", "  rename:", move + "  rename:", false},
		{"the list says nothing of the members' stations", "Skill, given: [stationId, code]", "Skill, given: [code]", false},
	} {
		t.Run(x.name, func(t *testing.T) {
			text := strings.Replace(string(b), x.old, x.is, 1)
			if x.old != "" && text == string(b) {
				t.Fatalf("the requirements do not say %s", x.old)
			}
			r := parse(t, text)
			d := designed(t, r)
			if got := queries(d.Model, "getSkilled", "Crew"); got != x.query {
				t.Errorf("a query of the crew: %v, want %v\n%s", got, x.query, described(d.Model))
			}
			const because = "One query of every Member in question costs less than a get of each that is named"
			if says := strings.Contains(explained(d.Model, "getSkilled"), because); says != x.query {
				t.Errorf("the decision says so: %v, want %v", says, x.query)
			}
			proven(t, compiled(t, r, d))
		})
	}
}

// TestGatheredByKey lists what has two parts of a foreign key of three in common: one query of these two finds all
// entities to which the key leads.
func TestGatheredByKey(t *testing.T) {
	r := parse(t, `
tablewright: 1
application: bakery
entities:
  Run:
    identity: [plantId, day, productId]
    attributes:
      plantId: {type: string, bytes: 6, distinct: 20}
      day: date
      productId: {type: string, bytes: 6, distinct: 60}
      oven: {type: string, bytes: 10}
    bytes: 90
    count: 400_000
  Line:
    identity: [lineId]
    attributes:
      lineId: {type: string, generated: ulid}
      plantId:
        {references: Run, by: [plantId, day, productId], as: run, inverse: lines, per-parent: {average: 24, max: 300}}
      day: date
      productId: {type: string, bytes: 6, distinct: 60}
      pieces: {type: number, digits: 4}
    bytes: 110
    count: 9_600_000
patterns:
  getRuns:
    read: Run
    given: [plantId, day]
    order: productId
    results: {average: 60, max: 60}
    rate: {average: 3/s, peak: 10/s}
  getLines:
    read: Line
    given: [plantId, day]
    order: lineId
    returns: [all, run.oven]
    results: {average: 1_440, max: 9_000}
    page: 200
    rate: {average: 3/s, peak: 10/s}
  bake: {write: {create: Run}, rate: {average: 0.01/s, peak: 1/s}}
  moveOven: {write: {update: Run, set: [oven]}, rate: {average: 1/s, peak: 5/s}}
  sell: {write: {create: Line, requires: [run]}, rate: {average: 0.2/s, peak: 5/s}}
`)
	d := designed(t, r)
	if !queries(d.Model, "getLines", "Runs") {
		t.Errorf("no query of the runs of a day:\n%s", described(d.Model))
	}
	proven(t, compiled(t, r, d))
}

// queries reports whether the plan of a pattern queries a table.
func queries(m *plan.Model, pattern, table string) bool {
	_, after, _ := strings.Cut(described(m), "plan "+pattern+":")
	steps, _, _ := strings.Cut(after, "\n")
	return strings.Contains(steps, "query "+table)
}

// explained is why a model serves a pattern as it does.
func explained(m *plan.Model, about string) string {
	for _, d := range m.Decisions {
		if d.About == about {
			return d.Because
		}
	}
	return ""
}
