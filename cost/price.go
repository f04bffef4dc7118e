package cost

import (
	"math"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Estimate is what one call of each access pattern consumes on average: capacity units by Table and Table.Index, reads and
// writes added up. It is the expectation over the stated distributions, computed before anything is run.
func Estimate(p *plan.Program, fig Figures) map[string]map[string]float64 {
	f := newFigures(p.Requirements, fig)
	out := map[string]map[string]float64{}
	for _, proc := range p.Procedures {
		read, write := f.procedure(proc)
		read.plus(write)
		out[proc.Name] = read
	}
	return out
}

// Pattern is what one access pattern costs.
type Pattern struct {
	Name        string
	Rate        spec.Rate          // calls per second
	Read, Write map[string]float64 // units per call, by Table and Table.Index
	Cost        capacity.Money     // a month of reads and writes at the average rate
	Reads       capacity.Money     // of these, reads
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

// procedure is what one call of a plan consumes.
func (f *figures) procedure(proc *plan.Procedure) (read, write units) {
	read, write = units{}, units{}
	for _, s := range proc.Stages {
		read.plus(f.reads(proc.Pattern, s))
		write.plus(f.writes(proc.Pattern, s, false))
	}
	return read, write
}

// Price computes what a model costs a month at the rates of its requirements. prices nil: the embedded ones.
func Price(p *plan.Program, prices *capacity.Prices) *Report {
	if prices == nil {
		prices = capacity.DefaultPrices()
	}
	f := newFigures(p.Requirements, Figures{})
	r := &Report{Prices: prices}
	for _, t := range p.Tables {
		r.Places = append(r.Places, f.place(t, t.Base))
		for _, x := range t.Indexes {
			r.Places = append(r.Places, f.place(t, x))
		}
	}
	for _, pattern := range p.Requirements.Patterns {
		proc := p.Procedure(pattern.Name)
		if proc == nil {
			continue
		}
		read, write := f.procedure(proc)
		c := &Pattern{Name: pattern.Name, Rate: pattern.Rate, Read: read, Write: write}
		for where, n := range read {
			place := r.Place(where)
			place.Read += n * pattern.Rate.Average
			place.PeakRead += n * pattern.Rate.Peak
			c.Reads += place.tariff(prices).Reads(capacity.ReadUnits(n * pattern.Rate.Average))
		}
		c.Cost = c.Reads
		for where, n := range write {
			place := r.Place(where)
			place.Write += n * pattern.Rate.Average
			place.PeakWrite += n * pattern.Rate.Peak
			c.Cost += place.tariff(prices).Writes(capacity.WriteUnits(n * pattern.Rate.Average))
		}
		r.Patterns = append(r.Patterns, c)
	}
	var standard capacity.Bytes
	for _, place := range r.Places {
		place.price(prices, p.Requirements)
		r.Bill = r.Bill.Plus(place.Bill)
		if place.class() == capacity.Standard {
			standard += place.Stored
		}
	}
	r.Free = prices.FreeTier(standard, 0)
	r.Loads = f.loads(p)
	return r
}

func (p *Place) class() capacity.Class {
	if p.Table.Document.Class == "infrequent-access" {
		return capacity.InfrequentAccess
	}
	return capacity.Standard
}

func (p *Place) tariff(prices *capacity.Prices) capacity.Tariff {
	return prices.Tariff(p.class(), p.billing())
}

func (p *Place) billing() capacity.Billing {
	if b := p.Table.Document.Billing; b.Read > 0 || b.Write > 0 {
		return capacity.Provisioned
	}
	return capacity.OnDemand
}

// place is what lies in a table or index.
func (f *figures) place(t *plan.Schema, x *plan.Access) *Place {
	p := &Place{Name: x.Name(), Table: t}
	if x.Index != "" {
		p.Index = x
	}
	for _, k := range t.Kinds {
		if x.Index != "" && keyRecipes(k, x) == nil {
			continue
		}
		count := f.stored(k) * f.entries(k, x)
		size := f.size(k, x, even(f.members(k.Entity)))
		item := Item{Name: k.Name, Count: count, Bytes: size.mean(), Most: size.most()}
		p.Items = append(p.Items, item)
		p.Stored += capacity.Stored(count, item.Bytes)
	}
	return p
}

func (p *Place) price(prices *capacity.Prices, r *spec.Requirements) {
	t := p.tariff(prices)
	use := capacity.Usage{Read: capacity.ReadUnits(p.Read), Write: capacity.WriteUnits(p.Write), Stored: p.Stored}
	if p.billing() == capacity.Provisioned {
		use.Read = capacity.ReadUnits(math.Max(p.Table.Document.Billing.Read, 1))
		use.Write = capacity.WriteUnits(math.Max(p.Table.Document.Billing.Write, 1))
	}
	use.Recover = r.Application.RecoveryPoint > 0 && p.Index == nil
	p.Bill = t.Bill(use)
	provisioned := prices.Tariff(p.class(), capacity.Provisioned)
	p.Provisioned = provisioned.Reads(capacity.Provision(capacity.ReadUnits(p.Read))) + provisioned.Writes(capacity.Provision(capacity.WriteUnits(p.Write)))
	demand := prices.Tariff(p.class(), capacity.OnDemand)
	p.PeakReads = demand.Reads(capacity.ReadUnits(p.PeakRead))
	p.PeakWrites = demand.Writes(capacity.WriteUnits(p.PeakWrite))
}
