package workload

import (
	"math"
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// Range is how many of what a pattern reads lie in a range of keys that a query binds.
type Range struct {
	Average, Most float64      // matches of all that is bound
	Guesses       []*spec.Test // tests outside the range of which nobody states how much they leave: each is taken to leave half
}

// Range estimates how much lies in a range that answers for some of the tests of a pattern and leaves others to a filter: as
// much as the results of the pattern say, divided by the share that the others leave. given says whether an equality is
// bound, in whether a test is. ok is false where nothing can be said: an equality that is not bound names an owner or a
// value of which nobody states a share.
func (w *Workload) Range(p *spec.Pattern, given func(path spec.Path) bool, in func(t *spec.Test) bool) (r Range, ok bool) {
	left := 1.0
	for _, g := range p.Given {
		if given(g) {
			continue
		}
		a := p.Read.Attribute(g[0])
		if a == nil || len(g) > 1 || len(shares(a)) == 0 {
			return Range{}, false
		}
		left /= float64(len(shares(a))) // each value is stated as often
	}
	var bound []spec.Condition
	for _, c := range spec.Conjuncts(p.Where) {
		all := true
		for t := range spec.Tests(c) {
			all = all && in(t)
		}
		if all {
			bound = append(bound, c)
		}
	}
	whole, guesses := w.Passes(p.Where, p)
	part, within := w.Passes(and(bound), p)
	if part > 0 {
		left *= whole / part
	}
	for _, t := range guesses {
		if !slices.Contains(within, t) {
			r.Guesses = append(r.Guesses, t)
		}
	}
	if left <= 0 {
		return Range{}, false
	}
	res := w.Results(p)
	r.Average, r.Most = res.Average/left, math.Max(res.Max, res.Average)/left
	return r, true
}

func and(all []spec.Condition) spec.Condition {
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return &spec.Logic{Op: "and", Args: all}
}

// Decides reports whether stated figures say how much of an entity passes an equality or a test on an attribute, so that no
// pattern has to be asked.
func (w *Workload) Decides(a *spec.Attribute) bool { return a != nil && len(shares(a)) > 0 }

// Equal is the share of an entity's instances whose attribute equals what a call states: a value of its own, or any of them,
// each as often.
func (w *Workload) Equal(a *spec.Attribute, v spec.Expr) float64 {
	all := shares(a)
	if len(all) == 0 {
		return 1
	}
	if value, ok := text(v); ok {
		i := slices.IndexFunc(all, func(s spec.Share) bool { return s.Value == value })
		if i < 0 {
			return 0
		}
		return presence(a) * all[i].Of
	}
	return presence(a) / float64(len(all))
}

// Alike is how many of an entity have the same values of some attributes that name nobody: as a pattern says that lists them by
// these alone; else, with atLeast, no fewer than any pattern finds that asks for these values among others. 0: nobody says.
func (w *Workload) Alike(e *spec.Entity, paths []spec.Path) (n spec.Size, atLeast bool) {
	if len(paths) == 0 {
		return spec.Size{}, false
	}
	if p := w.lists[valuesOf(e, paths)]; p != nil {
		return w.Results(p), false
	}
	for _, p := range w.reads[e] {
		asks := func(path spec.Path) bool {
			return slices.ContainsFunc(p.Given, func(g spec.Path) bool { return slices.Equal(g, path) })
		}
		if slices.ContainsFunc(paths, func(path spec.Path) bool { return !asks(path) }) {
			continue
		}
		res := w.Results(p)
		if all, ok := w.Range(p, func(path spec.Path) bool {
			return slices.ContainsFunc(paths, func(b spec.Path) bool { return slices.Equal(path, b) })
		}, func(*spec.Test) bool { return false }); ok && len(all.Guesses) == 0 {
			res = spec.Size{Average: all.Average, Max: all.Most}
		}
		if res.Average > n.Average {
			n, atLeast = res, true
		}
	}
	return n, atLeast
}
