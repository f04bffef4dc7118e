package plan

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// atomic checks that several writes happen all or not at all.
func (w *writeCheck) atomic() {
	var stages []*Stage
	several := false
	for _, s := range w.p.Stages {
		if !s.Verb.Writes() {
			continue
		}
		if s.Kind != nil && s.Kind.Role == SequenceItem {
			if !w.p.Document.Gaps {
				w.errorf(s.Path, CodeAtomic, "gaps: allowed, or read the number and count on in the transaction that uses it", "%s counts %s on before the rest is written: if that is refused, a number is skipped", w.p.Name, s.Kind.Name)
			}
			continue
		}
		stages = append(stages, s)
		several = several || s.Verb == BatchWrite && (len(s.Actions) > 1 || s.Actions[0].each != nil) || s.each != nil
	}
	if !w.p.Pattern.Atomic || len(stages) < 2 && !several {
		return
	}
	at := w.path
	if len(stages) > 0 {
		at = stages[0].Path
	}
	w.errorf(at, CodeAtomic, "put them into one transact", "%s happens all or not at all, and its plan writes several items one after another", w.p.Name)
}

// checkTransactions holds a plan's transactions, reading ones as well, to DynamoDB's limits at their maxima.
func (c *compiler) checkTransactions(p *Procedure) {
	for _, s := range p.Stages {
		if s.Verb != Transact && s.Verb != TransactGet {
			continue
		}
		does := "write"
		if s.Verb == TransactGet {
			does = "read"
		}
		actions, bytes := 0.0, 0.0
		for _, a := range s.Actions {
			n := a.most()
			if s.each != nil {
				n = 1
			}
			actions += n
			if a.Verb == Put || a.Verb == Update || a.Verb == Get {
				bytes += n * a.Kind.largest()
			}
		}
		if actions > MaxTransaction {
			c.errorf(s.Path, CodeLimit, "put fewer items, embed children, or split what need not be atomic", "%s can need %.0f actions in one transaction, and DynamoDB takes %d", p.Name, actions, MaxTransaction)
		}
		if bytes > maxTransactBytes {
			c.errorf(s.Path, CodeLimit, "keep less in these items", "%s can %s %.1f MB in one transaction, and DynamoDB takes 4", p.Name, does, bytes/(1<<20))
		}
	}
}

// most is how often a stage is carried out at most.
func (s *Stage) most() float64 {
	if s.each == nil {
		return 1
	}
	n := 1.0
	if p := s.each.param; p != nil && p.List && !s.Alike() {
		n = max(p.Length.Max, p.Length.Average, 1)
	}
	for _, g := range s.each.segs {
		if g.Back && g.Way.PerParent.Stated {
			n *= max(s.each.param.Brings(g.Way, g.Way.PerParent).Max, 1)
		}
	}
	if s.each.stage != nil {
		n *= s.each.stage.mostFound()
	}
	return n
}

// Alike reports whether a stage that goes over a list of the call is about one item for all elements: its key is made
// of what they have in common. Requests for one item are one: a batch has each key once, and a transaction has one
// action for it.
func (s *Stage) Alike() bool {
	if s.each == nil || s.each.param == nil || len(s.each.segs) > 0 || s.Verb == Put || len(s.key) == 0 {
		return false
	}
	for _, a := range s.key {
		for t := range a.value.Terms() {
			r := t.Reference
			shared := len(r) == 2 && r[0] == "each" && slices.Contains(s.each.param.Same, r[1])
			if len(r) > 0 && !shared && s.Procedure.Pattern.Parameter(r[0]) == nil {
				return false
			}
		}
	}
	return true
}

// mostFound is how many items a reading stage finds at most, as far as the relationships tell.
func (s *Stage) mostFound() float64 {
	if s.Verb == BatchGet {
		return s.most()
	}
	if s.Verb == Query {
		for _, w := range s.Kind.Entity.There {
			if w.PerParent.Stated && !slices.ContainsFunc(w.By, func(by *spec.Attribute) bool {
				return !slices.ContainsFunc(s.Where, func(b *Bound) bool { return b.Form == "is" && b.Path.String() == by.Name })
			}) {
				return max(w.PerParent.Max, 1)
			}
		}
	}
	return 1
}
