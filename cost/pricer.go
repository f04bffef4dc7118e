package cost

import (
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Pricer prices parts of models, one at a time, for whoever compares many models of the same requirements: a plan by
// its own, and what lies in a table or index by its own. The price of a model is the sum over its plans and places, so
// that what a part costs is exactly what it adds to [Price]. A Pricer remembers what it has computed of tables that it
// has seen; it is not safe for concurrent use.
type Pricer struct {
	f            *figures
	requirements *spec.Requirements
	prices       *capacity.Prices
}

// NewPricer makes a pricer. prices nil: the embedded ones.
func NewPricer(r *spec.Requirements, prices *capacity.Prices) *Pricer {
	if prices == nil {
		prices = capacity.DefaultPrices()
	}
	return &Pricer{newFigures(r, Figures{}), r, prices}
}

// Forget makes a Pricer forget what it remembers of tables, which are large. What follows from figures alone it keeps,
// since tables to come have the same.
func (p *Pricer) Forget() {
	for _, f := range []*figures{p.f, p.f.peak} {
		if f != nil {
			clear(f.sizes)
			clear(f.fill)
			clear(f.brings)
			for _, b := range f.made { // what they amount to is kept, the distributions behind it are not
				b.totals = sumsBy{}
			}
		}
	}
}

// Use is what one call of a plan consumes, and what it does to the hottest keys at peak.
type Use struct {
	Read, Write map[string]float64 // units per call, by Table and Table.Index
	Heat        []Heat
}

// Heat is what one step of a plan puts on the hottest key of a table or index at peak. [Loads] adds them up.
type Heat struct {
	Place        string // Table or Table.Index
	Of           string // whose key it is, as in [Load.Of]
	Value        string // as in [Load.Value]: keys with different values are different keys, and only one is the hottest
	Item         bool   // a single item
	Part         Part
	Transactions float64 // per second on the key at peak
}

// Plan prices a plan.
func (p *Pricer) Plan(proc *plan.Procedure) Use {
	return p.PlanOf(proc, func(*plan.Stage) bool { return true })
}

// PlanOf prices some of the stages of a plan; of none of the others anything counts.
func (p *Pricer) PlanOf(proc *plan.Procedure, counts func(*plan.Stage) bool) Use {
	u := Use{Read: units{}, Write: units{}}
	for _, s := range proc.Stages {
		if !counts(s) {
			continue
		}
		units(u.Read).plus(p.f.reads(proc.Pattern, s))
		units(u.Write).plus(p.f.writes(proc.Pattern, s, false))
		p.f.heat(proc.Pattern, s, func(k heatKey, part Part, transactions float64) {
			u.Heat = append(u.Heat, Heat{k.place, k.of, k.value, k.item, part, transactions})
		})
	}
	clear(p.f.read) // stages are not seen again
	clear(p.f.write)
	if p.f.peak != nil {
		clear(p.f.peak.read)
		clear(p.f.peak.write)
	}
	return u
}

// Place is what lies in a table, or in one of its indexes: what is stored and what that costs, without what plans
// consume.
func (p *Pricer) Place(x *plan.Access) *Place {
	out := p.f.place(x.Table, x)
	out.price(p.prices, p.requirements)
	return out
}

// Undivided reports whether DynamoDB cannot divide what lies under one key of an access between partitions, because of
// one of the kinds that lie there: see [Load.Divided].
func Undivided(x *plan.Access) bool {
	for _, k := range x.Table.Kinds {
		if keyRecipes(k, x) != nil && undivided(k, x) {
			return true
		}
	}
	return false
}
