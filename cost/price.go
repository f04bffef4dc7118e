package cost

import (
	"math"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// Estimate is what one call of each access pattern consumes on average: capacity units by Table and Table.Index, reads
// and writes added up. It is the expectation over the stated distributions, computed before anything is run.
func Estimate(p *plan.Program, fig Figures) map[string]map[string]float64 {
	return EstimateMet(p, fig, Seen{})
}

// EstimateMet is Estimate for calls of which more is known: what each reading step meets, and what the call changes.
func EstimateMet(p *plan.Program, fig Figures, seen Seen) map[string]map[string]float64 {
	f := newFigures(p.Requirements, fig)
	f.seen = seen
	out := map[string]map[string]float64{}
	for _, proc := range p.Procedures {
		read, write := f.procedure(proc)
		read.plus(write)
		out[proc.Name] = read
	}
	return out
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
		c := &Pattern{Name: pattern.Name, Rate: pattern.Rate, Read: read, Write: write, Worst: f.worst(proc), Assumed: f.assumptions(proc), Cut: cutOf(proc)}
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
		for _, t := range p.Tables {
			f.follow(t, p.Tables, pattern, c, r)
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
	r.Cut = f.Cuts(p.Requirements)
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
		count := f.items(k, x)
		size := f.size(k, x, workload.Even(f.Members(k.Entity)))
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
