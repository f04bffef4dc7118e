package design

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// A statement is something that the requirements say and that a limit can collide with. Relaxed statements are taken
// back to see which of them conflict.
type statement struct {
	kind    statementKind
	pattern *spec.Pattern
	way     *spec.Relationship
	entity  *spec.Entity
}

type statementKind uint8

const (
	statePeak        statementKind = iota + 1 // a pattern's rate at peak
	statePage                                 // its page
	stateOrder                                // its order
	stateConsistency                          // its consistency
	stateAtomic                               // that a write is all or nothing
	stateChildren                             // the most children of a parent
	stateBytes                                // the largest size of an entity
)

// strictness is what of the requirements counts. Its zero value is all of it.
type strictness struct {
	relaxed []statement
	scaled  map[statement]float64 // numbers that count in part
}

// factor is what remains of a statement's number: 1 as stated, 0 if it does not count.
func (s *strictness) factor(st statement) float64 {
	if slices.Contains(s.relaxed, st) {
		return 0
	}
	if f, ok := s.scaled[st]; ok {
		return f
	}
	return 1
}

func (s *strictness) counts(st statement) bool { return s.factor(st) > 0 }

// peak is a pattern's rate at peak, as far as it counts.
func (f *facts) peak(p *spec.Pattern) float64 {
	return p.Rate.Peak * f.strict.factor(statement{kind: statePeak, pattern: p})
}

// mostChildren is the largest number of children of a parent, as far as it counts.
func (f *facts) mostChildren(w *spec.Relationship) float64 {
	c := w.PerParent
	return max(c.Average, c.Max*f.strict.factor(statement{kind: stateChildren, way: w}))
}

// most is the size of the largest item of a kind, as far as sizes and numbers of children count.
func (f *facts) most(v volume, k *kind) float64 {
	own := f.strict.factor(statement{kind: stateBytes, entity: k.entity})
	sum := v.fixed
	for _, l := range v.laws {
		sum += max(l.Mean(), l.Max()*own)
	}
	for _, b := range v.inside {
		each := max(b.mean, b.most*f.strict.factor(statement{kind: stateBytes, entity: b.way.From}))
		sum += f.mostChildren(b.way) * each
	}
	return sum + v.slack
}

// strong reports whether a pattern must see what was answered before, as far as its consistency counts.
func (f *facts) strong(p *spec.Pattern) bool {
	return p.Consistency != "eventual" && f.strict.counts(statement{kind: stateConsistency, pattern: p})
}
