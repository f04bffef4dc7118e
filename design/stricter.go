package design

import (
	"context"
	"slices"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// mostStricter is how many patterns at most are made stricter one by one, besides all of them together.
const mostStricter = 4

// A stricter statement serves a looser one as well: a write that is all or nothing serves a pattern with `atomic: false` of which a
// refusal leaves nothing, an answer that is as new as can be serves one with a `staleness`. What a looser statement opens may close
// something else, so that it has to be compared with what the stricter one allows.
type stricter struct {
	patterns []string
	change   func(*spec.Pattern)
}

// allAtOnce has a write be all or nothing.
func allAtOnce(p *spec.Pattern) { p.Atomic = true }

// asItIs has a read tolerate no age.
func asItIs(p *spec.Pattern) { p.Staleness = 0 }

// wholly reports whether a write that need not be all or nothing could be: it fits into a transaction, and it never leaves anything
// behind where it is refused, since what was done before a refusal has to stay.
func (f *facts) wholly(p *spec.Pattern) bool {
	return p.Writes() && !p.Atomic && p.LeavesNothing() && f.mostActions(p) <= float64(capacity.TransactionActions)
}

// stricterThan lists what is to be compared with what the requirements allow. Statements of age are compared only where nothing
// serves the requirements: a copy that may lag is one more candidate, and seldom takes one away.
func stricterThan(r *spec.Requirements, served bool) (out []stricter) {
	f := study(r)
	var apart, lagging []string
	for _, p := range r.Patterns {
		switch {
		case f.wholly(p):
			apart = append(apart, p.Name)
		case p.Read != nil && p.Staleness > 0:
			lagging = append(lagging, p.Name)
		}
	}
	each := func(names []string, change func(*spec.Pattern)) {
		if len(names) > 0 {
			out = append(out, stricter{names, change})
		}
		if n := len(names); n > 1 && n <= mostStricter {
			for _, name := range names {
				out = append(out, stricter{[]string{name}, change})
			}
		}
	}
	each(apart, allAtOnce)
	if !served {
		each(lagging, asItIs)
		if len(apart) > 0 && len(lagging) > 0 {
			out = append(out, stricter{append(slices.Clone(apart), lagging...), func(p *spec.Pattern) {
				if p.Writes() {
					allAtOnce(p)
				} else {
					asItIs(p)
				}
			}})
		}
	}
	return out
}

// searchStricter is search, and compares what it finds with what serves stricter statements. The model has to serve the requirements
// as they are.
func searchStricter(ctx context.Context, r *spec.Requirements, prices *capacity.Prices, o Options) (f *facts, found []*solution, err error) {
	f, found, err = search(ctx, r, prices, o, nil)
	all := stricterThan(r, err == nil)
	if len(all) == 0 || ctx.Err() != nil {
		return f, found, err
	}
	o.Progress = nil
	if o.Time > 0 {
		o.Time = max(o.Time/4/time.Duration(len(all)), 1)
	}
	for _, s := range all {
		if ctx.Err() != nil {
			break
		}
		req := r.Clone()
		for _, name := range s.patterns {
			s.change(req.Pattern(name))
		}
		other, instead, refused := search(ctx, req, prices, o, func(*component) bool { return true })
		if refused != nil || err == nil && costOf(instead) >= costOf(found) {
			continue
		}
		if _, problems := plan.Compile(emit(other, instead).model, r); slices.ContainsFunc(problems, func(x plan.Problem) bool { return x.Severity == plan.Error }) {
			continue
		}
		f, found, err = other, instead, nil
	}
	return f, found, err
}

// costOf is what the chosen configurations of all components cost a month.
func costOf(found []*solution) (sum capacity.Money) {
	for _, s := range found {
		sum += s.chosen.cost
	}
	return sum
}
