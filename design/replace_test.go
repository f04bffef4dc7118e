package design_test

import (
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/prove"
)

// TestUpsertsKeepWhatFollows upserts, several at once and one by one, entities that are counted, summed and unique: what
// markers and numbers say afterwards is right, whether or not there was one before.
func TestUpsertsKeepWhatFollows(t *testing.T) {
	r := parse(t, `
tablewright: 1
application: lockers
entities:
  Hall:
    identity: [hallId]
    attributes:
      hallId: {type: string, generated: ulid}
      rented: {derived: count(rentals)}
      paid: {derived: sum(rentals.fee)}
    bytes: 90
    count: 40
  Rental:
    identity: [locker]
    attributes:
      locker: {type: string, bytes: 7}
      hallId: {references: Hall, inverse: rentals, per-parent: {average: 30, max: 200}}
      tag: {type: string, bytes: 8}
      fee: {type: number, digits: 4, min: 0}
    unique: [tag]
    bytes: 120
    count: 1_200
patterns:
  build: {write: {create: Hall}, rate: {average: 0.01/s, peak: 1/s}}
  rent: {write: {upsert: Rental, requires: [hall]}, rate: {average: 0.1/s, peak: 1/s}}
  clear:
    write: {delete: Rental, each: $rentals}
    parameters: {rentals: {length: {average: 3, max: 9}}}
    rate: {average: 0.01/s, peak: 1/s}
  getHall: {read: Hall, given: [hallId], consistency: strong, rate: {average: 1/s, peak: 5/s}}
  byTag: {read: Rental, given: [tag], consistency: strong, rate: {average: 1/s, peak: 5/s}}
`)
	clock := prove.NewSimulated(time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC))
	e, err := engine.Open("", &engine.Options{Clock: clock, SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	evidence, err := prove.Run(t.Context(), compiled(t, r, designed(t, r)), prove.Options{Clock: clock, Calls: 16,
		Open: func(o tablewright.Options) (*tablewright.DB, error) {
			return tablewright.New(tablewright.InProcess(e), o), nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range evidence.Patterns {
		if !q.Verdicts.Answers.Right {
			t.Errorf("%s: %s", q.Name, q.Verdicts.Answers.Cause)
		}
	}
}
