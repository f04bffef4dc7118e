package design

import (
	"context"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Options of a design. The zero value is ready to use.
type Options struct {
	Prices *capacity.Prices // nil: the embedded price file
}

// Result is a finished design.
type Result struct {
	Model *plan.Model
}

// Design finds the cheapest model that serves every access pattern of r within DynamoDB's limits, and the simplest within
// 2 % of it for each independent component.
func Design(ctx context.Context, r *spec.Requirements, o Options) (*Result, error) {
	prices := o.Prices
	if prices == nil {
		prices = capacity.DefaultPrices()
	}
	f := study(r)
	ds, err := f.demands()
	if err != nil {
		return nil, err
	}
	price := newPricer(f, prices.Tariff(capacity.Standard, capacity.OnDemand))
	var found []*solution
	for _, c := range components(f, ds) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := newPlanner(f, price, c)
		s := p.solve()
		if s.chosen == nil {
			return nil, conflict(f, c.entities, p.losses)
		}
		found = append(found, s)
	}
	e := emit(f, found)
	var total capacity.Money
	for _, s := range found {
		total += s.chosen.cost
	}
	for _, s := range found {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := decider{s: s, e: e, total: total, others: total - s.chosen.cost}
		e.model.Decisions = append(e.model.Decisions, d.decisions()...)
	}
	e.model.Decisions = append(e.model.Decisions, e.writeDecisions(found, total)...)
	return &Result{Model: e.model}, nil
}
