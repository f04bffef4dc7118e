package cost_test

import (
	"reflect"
	"testing"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// cases are the models that properties are held to.
func cases(t *testing.T) map[string]*plan.Program {
	return map[string]*plan.Program{
		"archive": archive(t),
		"tracker": compile(t, "../prove/testdata/tracker.yaml", "../prove/testdata/tracker.model.yaml"),
	}
}

// TestRepeatable prices twice: maps have no order, and money must be the same to the last nano-dollar.
func TestRepeatable(t *testing.T) {
	for name, p := range cases(t) {
		first := cost.Price(p, nil)
		for range 3 {
			if !reflect.DeepEqual(first, cost.Price(p, nil)) {
				t.Fatalf("%s is not priced alike every time", name)
			}
		}
	}
}

// TestSumsAgree adds up the report in two ways: by pattern and by place.
func TestSumsAgree(t *testing.T) {
	for name, p := range cases(t) {
		r := cost.Price(p, nil)
		patterns, places := 0.0, 0.0
		for _, x := range r.Patterns {
			patterns += x.Cost.Dollars()
			if x.Reads > x.Cost {
				t.Errorf("%s: reads of %s cost more than it does", name, x.Name)
			}
		}
		for _, x := range r.Places {
			places += (x.Bill.Reads + x.Bill.Writes).Dollars()
			if x.PeakRead < x.Read || x.PeakWrite < x.Write {
				t.Errorf("%s: %s does less at peak than on average", name, x.Name)
			}
		}
		near(t, name+": patterns and places", patterns, places, 1e-6)
		if r.Peak() < r.Total() {
			t.Errorf("%s: a month at peak costs %v, on average %v", name, r.Peak(), r.Total())
		}
		for _, l := range r.Loads {
			read, write := 0.0, 0.0
			for _, part := range l.Parts {
				if n := part.Rate * part.Share * part.Units; part.Write {
					write += n
				} else {
					read += n
				}
				if part.Share < 0 || part.Share > 1 {
					t.Errorf("%s: %s puts %v of its calls on one %s", name, part.Pattern, part.Share, l.Of)
				}
			}
			near(t, name+": "+l.Place+" "+l.Of+" read", l.Read, read, 1e-9)
			near(t, name+": "+l.Place+" "+l.Of+" write", l.Write, write, 1e-9)
		}
	}
}

// TestRatesScale multiplies all rates: money for throughput and heat follow, units per call and storage stay.
func TestRatesScale(t *testing.T) {
	for name, p := range cases(t) {
		before := cost.Price(p, nil)
		for _, x := range p.Requirements.Patterns {
			x.Rate = spec.Rate{Average: 4 * x.Rate.Average, Peak: 4 * x.Rate.Peak}
		}
		for _, e := range p.Requirements.Entities {
			e.Growth *= 4
		}
		after := cost.Price(p, nil)
		near(t, name+" reads", after.Bill.Reads.Dollars(), 4*before.Bill.Reads.Dollars(), 1e-6)
		near(t, name+" writes", after.Bill.Writes.Dollars(), 4*before.Bill.Writes.Dollars(), 1e-6)
		near(t, name+" storage", after.Bill.Storage.Dollars(), before.Bill.Storage.Dollars(), 0)
		for i, x := range before.Patterns {
			read, write := x.Units()
			reads, writes := after.Patterns[i].Units()
			near(t, name+" "+x.Name, reads+writes, read+write, 1e-9)
		}
		for i, l := range before.Loads {
			near(t, name+" "+l.Place, after.Loads[i].Heat, 4*l.Heat, 1e-9)
		}
	}
}

// TestConsistencyCosts doubles what reads of the table itself cost, and nothing else.
func TestConsistencyCosts(t *testing.T) {
	for name, p := range cases(t) {
		before := cost.Estimate(p, cost.Figures{})
		for _, proc := range p.Procedures {
			for _, s := range proc.Stages {
				s.Consistent = true
			}
		}
		after := cost.Estimate(p, cost.Figures{})
		for pattern, arms := range before {
			for place, units := range arms {
				if got := after[pattern][place]; got < units-1e-9 || got > 2*units+1e-9 {
					t.Errorf("%s: %s on %s: %v units eventually consistent, %v strongly", name, pattern, place, units, got)
				}
			}
		}
	}
}
