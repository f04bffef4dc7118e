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
	// Model is the document: tables, indexes, a plan for every access pattern, and the decisions behind them.
	Model *plan.Model
	// Components are the parts that were solved apart, in the order of the requirements.
	Components []Component
	// Turns say how far the rates that matter may move before the design would be another, in the order of the requirements.
	Turns []Turn

	facts *facts
	found []*solution
}

// Component is a set of entities whose storage had to be decided together.
type Component struct {
	Entities       []string
	Cheapest       Total
	Chosen         Total
	Layouts        int // ways to store the entities that serve all writes within the limits
	Configurations int // complete configurations that were priced
}

// Total is what a configuration of a component costs a month at average rates, and the points of simplicity it takes: 3 for
// a table, 2 for an index, 1 for a local index, for a kind of copy or marker, for a dependent step of a pattern, for a write
// that becomes a transaction, and for sorting or merging at the client; 3 more for scattering.
type Total struct {
	Cost   capacity.Money
	Points int
}

// Design finds the cheapest model that serves every access pattern of r within DynamoDB's limits, and of those within 2 % of
// it the simplest, for each independent component. The same requirements always give the same model, byte for byte.
//
// The error is an *[InfeasibleError] if no model can serve the requirements, an *[UnsupportedError] if they say something
// that no rule covers, or that of ctx.
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
	res := &Result{facts: f}
	price := newPricer(f, prices.Tariff(capacity.Standard, capacity.OnDemand))
	for _, c := range components(f, ds) {
		p := newPlanner(ctx, f, price, c)
		s := p.solve()
		if s.chosen == nil && ctx.Err() == nil {
			err = conflict(ctx, f, c.entities, p.losses)
		}
		if ended := ctx.Err(); ended != nil { // before its end the search may not have found what there is
			return nil, ended
		}
		if err != nil {
			return nil, err
		}
		res.found = append(res.found, s)
		res.Components = append(res.Components, s.summary())
	}
	e := emit(f, res.found)
	res.Model = e.model
	if err := e.explain(ctx, res.found); err != nil {
		return nil, err
	}
	if res.Turns, err = res.sensitivity(ctx); err != nil {
		return nil, err
	}
	e.turns(res.Turns)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return res, nil
}

// summary is what a caller sees of a solution.
func (s *solution) summary() Component {
	c := Component{
		Cheapest: Total{s.cheapest.cost, s.cheapest.points}, Chosen: Total{s.chosen.cost, s.chosen.points},
		Layouts: len(s.cases), Configurations: len(s.pool),
	}
	for _, e := range s.planner.c.entities {
		c.Entities = append(c.Entities, e.Name)
	}
	return c
}

// explain writes the decisions of all components into the model.
func (e *emitter) explain(ctx context.Context, found []*solution) error {
	var total capacity.Money
	for _, s := range found {
		total += s.chosen.cost
	}
	for _, s := range found {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := decider{s: s, e: e, total: total, others: total - s.chosen.cost}
		e.model.Decisions = append(e.model.Decisions, d.decisions()...)
	}
	e.model.Decisions = append(e.model.Decisions, e.writeDecisions(found, total)...)
	return nil
}
