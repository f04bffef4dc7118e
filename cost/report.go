package cost

import (
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Pattern is what one access pattern costs.
type Pattern struct {
	Name        string
	Rate        spec.Rate          // calls per second
	Read, Write map[string]float64 // units per call, by Table and Table.Index
	Kept        map[string]float64 // units per call that the consumer of a stream writes, by Table and Table.Index; they are part of Cost
	Finds       map[string]float64 // units per call that it reads to find what it writes
	Cost        capacity.Money     // a month of reads and writes at the average rate
	Reads       capacity.Money     // of these, reads
	Worst       Worst
	Assumed     []Assumption
	Cut         int // entities of a page that the client cuts out of all that matches; 0: none
}

// Units are all units of one call.
func (p *Pattern) Units() (read, write float64) {
	for _, n := range p.Read {
		read += n
	}
	for _, n := range p.Write {
		write += n
	}
	return read, write
}

// Item is what lies in a table under one kind of key.
type Item struct {
	Name  string
	Count float64
	Bytes float64 // average, as DynamoDB counts them, without its overhead of 100 bytes
	Most  float64 // at the maxima of all that varies
}

// Place is a table, or one of its indexes.
type Place struct {
	Name                  string // Table or Table.Index
	Table                 *plan.Schema
	Index                 *plan.Access // nil: the table itself
	Items                 []Item
	Stored                capacity.Bytes // as billed
	Read, Write           float64        // units per second on average
	PeakRead, PeakWrite   float64        // all patterns at their peaks
	Bill                  capacity.Bill
	Provisioned           capacity.Money // reads and writes a month if provisioned by auto scaling
	PeakReads, PeakWrites capacity.Money // a month of running at peak all the time, on demand
}

// Report is the price of a model.
type Report struct {
	Prices   *capacity.Prices
	Patterns []*Pattern // in the order of the requirements
	Places   []*Place   // tables, each followed by its indexes
	Bill     capacity.Bill
	Free     capacity.Money // what an account that uses its free tier for nothing else does not pay; not deducted
	Loads    []Load         // the hottest keys, hottest first
	Cut      []Cut          // skews that a stated maximum contradicts
}

// Total is a month at average rates, without the free tier.
func (r *Report) Total() capacity.Money { return r.Bill.Total() }

// Peak is a month at peak rates all the time: an upper bound, for comparison.
func (r *Report) Peak() capacity.Money {
	sum := r.Bill.Storage + r.Bill.Streams + r.Bill.Recovery
	for _, p := range r.Places {
		sum += p.PeakReads + p.PeakWrites
	}
	return sum
}

// Pattern finds a pattern's cost; nil if there is none.
func (r *Report) Pattern(name string) *Pattern {
	for _, p := range r.Patterns {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Place finds a table or index by name; nil if there is none.
func (r *Report) Place(name string) *Place {
	for _, p := range r.Places {
		if p.Name == name {
			return p
		}
	}
	return nil
}
