package design

import (
	"context"
	"runtime"
	"slices"
	"sync"
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

// stricterThan lists what is to be compared with what the requirements allow, and what besides where nothing serves
// them. Statements of age are compared only then: a copy that may lag is one more candidate, and seldom takes one away.
func stricterThan(r *spec.Requirements) (always, unserved []stricter) {
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
	each := func(names []string, change func(*spec.Pattern)) (out []stricter) {
		if len(names) > 0 {
			out = append(out, stricter{names, change})
		}
		if n := len(names); n > 1 && n <= mostStricter {
			for _, name := range names {
				out = append(out, stricter{[]string{name}, change})
			}
		}
		return out
	}
	always, unserved = each(apart, allAtOnce), each(lagging, asItIs)
	if len(apart) > 0 && len(lagging) > 0 {
		unserved = append(unserved, stricter{append(slices.Clone(apart), lagging...), func(p *spec.Pattern) {
			if p.Writes() {
				allAtOnce(p)
			} else {
				asItIs(p)
			}
		}})
	}
	return always, unserved
}

// A trial is what a search of its own finds.
type trial struct {
	facts *facts
	found []*solution
	err   error
}

// searchStricter is search, and compares what it finds with what serves stricter statements. The model has to serve the requirements
// as they are. The searches know nothing of each other, and run side by side.
func searchStricter(ctx context.Context, r *spec.Requirements, prices *capacity.Prices, o Options) (*facts, []*solution, error) {
	always, unserved := stricterThan(r)
	try := func(s stricter, of int) trial {
		o := o
		o.Progress = nil
		if o.Time > 0 {
			o.Time = max(o.Time/4/time.Duration(of), 1)
		}
		req := r.Clone()
		for _, name := range s.patterns {
			s.change(req.Pattern(name))
		}
		f, found, err := search(ctx, req, prices, o, func(*component) bool { return true })
		return trial{f, found, err}
	}
	var best trial
	better := func(t trial) {
		if t.err != nil || best.err == nil && costOf(t.found) >= costOf(best.found) {
			return
		}
		_, problems := plan.Compile(emit(t.facts, t.found).model, r)
		if !slices.ContainsFunc(problems, func(x plan.Problem) bool { return x.Severity == plan.Error }) {
			best = t
		}
	}
	trials := make([]trial, len(always))
	sideBySide(len(always)+1, func(i int) {
		if i == 0 {
			best.facts, best.found, best.err = search(ctx, r, prices, o, nil)
		} else {
			trials[i-1] = try(always[i-1], len(always))
		}
	})
	if best.err != nil && ctx.Err() == nil {
		more := make([]trial, len(unserved))
		sideBySide(len(unserved), func(i int) { more[i] = try(unserved[i], len(unserved)) })
		trials = append(trials, more...)
	}
	if ctx.Err() == nil { // else the first search has what there is
		for _, t := range trials {
			better(t)
		}
	}
	return best.facts, best.found, best.err
}

// sideBySide does n things that know nothing of each other, as many at once as there are processors.
func sideBySide(n int, do func(i int)) {
	next := make(chan int)
	var all sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	all.Wait()
}

// rounds is how many of n things sideBySide does one after another at most.
func rounds(n int) int {
	at := runtime.GOMAXPROCS(0)
	return (n + at - 1) / at
}

// costOf is what the chosen configurations of all components cost a month.
func costOf(found []*solution) (sum capacity.Money) {
	for _, s := range found {
		sum += s.chosen.cost
	}
	return sum
}
