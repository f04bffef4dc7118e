package design

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Options of a design. The zero value is ready to use.
type Options struct {
	Prices *capacity.Prices // nil: the embedded price file
	// Steps bounds the search of each component: the same requirements and steps give the same model, byte for byte. 0:
	// DefaultSteps.
	Steps int
	// Time after which the design ends with the best that it has found; 0: none. The search takes at most three fifths
	// of it, and leaves the rest for what explains the model and for the offers. How far it gets in it depends on the
	// machine, so that equal models are certain only where the search ends before.
	Time time.Duration
	// Progress is called now and then with what the search has found so far; nil: nobody asks.
	Progress func(Progress)
}

// DefaultSteps is how many steps the search of a component takes at most where nothing else is said.
const DefaultSteps = 60_000

// Progress of a design.
type Progress struct {
	Component, Components int
	Entities              []string       // of the component
	Steps                 int            // of its search so far
	Cheapest              capacity.Money // of what it has found; 0: nothing yet
}

// Result is a finished design.
type Result struct {
	// Model is the document: tables, indexes, a plan for every access pattern, and the decisions behind them.
	Model *plan.Model
	// Components are the parts that were solved apart, in the order of the requirements.
	Components []Component
	// Turns say how far the rates that matter may move before the design would be another, in the order of the requirements.
	Turns []Turn
	// Offers are what the requirements could allow, and what the model would cost then.
	Offers []Offer

	stated *spec.Requirements // of facts, some may be stricter
	facts  *facts
	found  []*solution
}

// Component is a set of entities whose storage had to be decided together.
type Component struct {
	Entities       []string
	Cheapest       Total
	Chosen         Total
	Bound          capacity.Money // no configuration costs less
	Proven         bool           // every configuration was looked into: none costs less than the cheapest
	Layouts        int            // ways to store the entities that were looked into
	Configurations int            // complete configurations that were compared
}

// Gap is how much more the cheapest configuration costs than what none costs less than, as a share of the former; 0 if it
// is proven to be the cheapest.
func (c Component) Gap() float64 {
	if c.Proven || c.Cheapest.Cost <= 0 {
		return 0
	}
	return float64(c.Cheapest.Cost-c.Bound) / float64(c.Cheapest.Cost)
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
	if o.Steps == 0 {
		o.Steps = DefaultSteps
	}
	end := time.Now().Add(o.Time)
	left := func() time.Duration { // at least a moment, since none is without end
		if o.Time == 0 {
			return 0
		}
		return max(time.Until(end), 1)
	}
	searching := o
	searching.Time = max(o.Time/5*3, min(o.Time, 1))
	f, found, err := searchStricter(ctx, r, prices, searching)
	if err != nil {
		return nil, err
	}
	res := &Result{stated: r, facts: f, found: found}
	e := emit(f, res.found)
	res.Model = e.model
	if o.Time > 0 {
		for i, s := range res.found {
			s.planner.patience = time.Now().Add(left() / 2 * time.Duration(i+1) / time.Duration(len(res.found)))
		}
	}
	if err := e.explain(ctx, res.found); err != nil {
		return nil, err
	}
	for _, s := range res.found {
		res.Components = append(res.Components, s.summary())
	}
	if res.Turns, err = res.sensitivity(ctx); err != nil {
		return nil, err
	}
	e.turns(res.Turns)
	o.Time = left()
	if res.Offers, err = res.offers(ctx, prices, o); err != nil {
		return nil, err
	}
	e.offers(res.Offers)
	if r.Application.School == SingleTable {
		if res.Model, err = OneTable(ctx, r, res.Model, prices); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return res, nil
}

// errUnserved is what a search returns where nobody asks for the reasons.
var errUnserved = errors.New("no model serves the requirements")

// search finds the cheapest configuration of each component, and the simplest of those that cost hardly more. With matters it is a
// trial: components that do not matter get the first configuration that serves everything, and a refusal has no reasons, which take
// long to find.
func search(ctx context.Context, r *spec.Requirements, prices *capacity.Prices, o Options, matters func(*component) bool) (f *facts, found []*solution, err error) {
	f = study(r)
	ds, err := f.demands()
	if err != nil {
		return nil, nil, err
	}
	price := newPricer(r, prices)
	cs := components(f, ds)
	for _, c := range cs {
		if u, ok := keyless(c); ok {
			return nil, nil, &UnsupportedError{Cases: []Unsupported{u}}
		}
	}
	refused := make([]error, len(cs)) // of components that nothing serves
	var deadline time.Time
	if o.Time > 0 {
		deadline = time.Now().Add(o.Time)
	}
	share := func(n int) (until time.Time) { // what the components before the nth have left of the time is divided among the rest
		if o.Time > 0 {
			until = time.Now().Add(max(time.Until(deadline)/time.Duration(len(cs)-n), o.Time/20))
		}
		return until
	}
	turns := bySize(cs)
	planners, begun := make([]*planner, len(cs)), make([]beginning, len(cs))
	for n, i := range turns { // begin all before finishing any: a model near the final one exists early
		c := cs[i]
		p := newPlanner(ctx, f, price, c)
		p.budget, p.deadline = o.Steps, share(n)
		p.any = matters != nil && !matters(c)
		if o.Progress != nil {
			p.report = func(best capacity.Money) {
				o.Progress(Progress{Component: i + 1, Components: len(cs), Entities: c.names(), Steps: p.steps, Cheapest: best})
			}
		}
		planners[i], begun[i] = p, p.begin()
	}
	solutions := make([]*solution, len(cs))
	for n, i := range turns {
		p := planners[i]
		p.ended, p.deadline = false, share(n)
		s := p.finish(begun[i])
		if ctx.Err() != nil && !s.cheapest.admissible() {
			return nil, nil, ctx.Err()
		}
		if !s.cheapest.admissible() {
			if matters != nil {
				return nil, nil, errUnserved
			}
			var until time.Time
			if o.Time > 0 {
				until = time.Now().Add(o.Time / 2)
			}
			refused[i] = conflict(ctx, s, prices, &effort{deadline: until})
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			continue
		}
		solutions[i] = s
	}
	for _, s := range solutions {
		if s != nil {
			found = append(found, s)
		}
	}
	if refused = slices.DeleteFunc(refused, func(err error) bool { return err == nil }); len(refused) > 0 {
		return nil, nil, joined(refused)
	}
	if err := sound(ctx, f, found); err != nil {
		return nil, nil, err
	}
	return f, found, nil
}

// bySize are the places of components, the smallest first: they need little of the time, and all that they leave is for the largest,
// which would otherwise be cut off while nobody else needs the time.
func bySize(cs []*component) []int {
	out := make([]int, len(cs))
	for i := range cs {
		out[i] = i
	}
	size := func(i int) int { return len(cs[i].entities) * (len(cs[i].demands) + len(cs[i].writes)) }
	slices.SortStableFunc(out, func(i, j int) int { return cmp.Compare(size(i), size(j)) })
	return out
}

// joined is what is said of several components that nothing serves: rules that are missing come before limits.
func joined(errs []error) error {
	var unsupported *UnsupportedError
	var infeasible *InfeasibleError
	for _, err := range errs {
		switch e := err.(type) {
		case *UnsupportedError:
			if unsupported == nil {
				unsupported = e
				continue
			}
			unsupported.Cases = append(unsupported.Cases, e.Cases...)
			unsupported.Losses = append(unsupported.Losses, e.Losses...)
			unsupported.Of += "; " + e.Of
		case *InfeasibleError:
			if infeasible == nil {
				infeasible = e
				continue
			}
			infeasible.Conflicts = append(infeasible.Conflicts, e.Conflicts...)
			infeasible.Losses = append(infeasible.Losses, e.Losses...)
			infeasible.Smallest = infeasible.Smallest && e.Smallest
		default:
			return err
		}
	}
	if unsupported != nil {
		return unsupported
	}
	return infeasible
}

// maxRepairs is how often plans that the compiler refuses are left out and the search is made again.
const maxRepairs = 8

// sound holds the whole model to what the compiler demands of models made by hand. A plan that it refuses is no candidate; what
// else it refuses, no rule covers.
func sound(ctx context.Context, f *facts, found []*solution) error {
	var last *UnsupportedError
	for range maxRepairs {
		made := emit(f, found).model
		_, problems := plan.Compile(made, f.req)
		var refused *UnsupportedError
		banned := false
		seen := map[string]bool{} // what comes after the first problem of a plan is about the plan that has gone
		for _, x := range problems {
			if x.Severity != plan.Error {
				continue
			}
			about := strings.Join(x.Path, ".")
			if len(x.Path) > 1 && x.Path[0] == "plans" {
				about = x.Path[1]
			}
			if seen[about] {
				continue
			}
			for i, s := range found {
				if s.ban(about) || s.bar(about, x) || s.unseat(made, x) {
					banned, seen[about] = true, true
					last = refusal(about, x)
					f.refused = append(f.refused, last.Losses[0])
					if again := s.planner.solve(); again.cheapest.admissible() {
						found[i] = again
						continue
					}
					return refusal(about, x)
				}
			}
			if refused == nil {
				refused = refusal(about, x)
			}
		}
		switch {
		case refused == nil && !banned:
			return nil
		case !banned:
			return refused
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
	return last
}

func refusal(about string, x plan.Problem) *UnsupportedError {
	why := x.Message
	if x.Remedy != "" {
		why += ": " + x.Remedy
	}
	return &UnsupportedError{Of: about, Losses: []string{why}}
}

// ban leaves the plan of a read pattern out of the candidates; false if it is none of the solution's.
func (s *solution) ban(pattern string) bool {
	c, p := s.chosen, s.planner
	some := false
	for i, d := range c.demands {
		if d.name == pattern && d.locates == nil && len(c.choices[i]) > 0 {
			p.banned[c.plans[i].within+c.plans[i].name] = true
			some = true
		}
	}
	if some {
		p.anew()
	}
	return some
}

// anew has the next search take nothing from what was found before.
func (p *planner) anew() {
	clear(p.frames)
	clear(p.plans)
	clear(p.pool)
	clear(p.hotter)
	p.ended, p.steps, p.most = false, 0, p.compared+mostCompared
}

func (c *component) names() []string {
	var out []string
	for _, e := range c.entities {
		out = append(out, e.Name)
	}
	return out
}

// summary is what a caller sees of a solution.
func (s *solution) summary() Component {
	return Component{
		Entities: s.planner.c.names(),
		Cheapest: Total{s.cheapest.cost, s.cheapest.points}, Chosen: Total{s.chosen.cost, s.chosen.points},
		Bound: s.bound, Proven: s.proven, Layouts: s.layouts, Configurations: s.planner.compared,
	}
}

// gap says how far a component's design may be from the cheapest, where not everything was looked into.
func (s *solution) gap(total capacity.Money) (plan.Decision, bool) {
	if s.proven {
		return plan.Decision{}, false
	}
	c := s.summary()
	return plan.Decision{
		About: "search for " + listOf(c.Entities), Rule: "gap", Cost: total.Dollars(),
		Because: fmt.Sprintf("Not every way to store these entities was looked into, so a cheaper model is not ruled out: none costs less than %s a month for them, and this one costs %s, which leaves a gap of %s (%s).",
			c.Bound, c.Chosen.Cost, c.Chosen.Cost-c.Bound, show.Percent(float64(c.Chosen.Cost-c.Bound)/float64(max(c.Chosen.Cost, 1)))),
	}, true
}

// explain writes the decisions of all components into the model.
func (e *emission) explain(ctx context.Context, found []*solution) error {
	var total capacity.Money
	for _, s := range found {
		total += s.chosen.cost
	}
	for _, s := range found {
		if d, ok := s.gap(total); ok {
			e.model.Decisions = append(e.model.Decisions, d)
		}
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
