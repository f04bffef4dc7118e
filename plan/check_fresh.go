package plan

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// stale checks rule 6: what a write reads first it must check again, unless it cannot change; and that the reading sees
// what the pattern must see.
func (w *writeCheck) stale() {
	for _, s := range w.p.Stages {
		if s.Verb.Writes() || s.Verb == Check || w.p.Pattern.Consistency == "eventual" {
			continue
		}
		switch {
		case s.Verb == TransactGet:
		case s.Access.Global():
			w.errorf(s.Path, CodeConsistency, "find it in the table, or say consistency: eventual in the requirements", "%s must not miss what was just written, and step %s reads %s, which is eventually consistent", w.p.Name, s.label(), s.Access.Name())
		case !s.Consistent:
			w.errorf(s.Path, CodeConsistency, "consistent: true", "%s must not miss what was just written, and step %s is not consistent", w.p.Name, s.label())
		}
	}
	for _, s := range w.writes {
		for _, as := range [][]assign{s.key, s.with, s.sets, s.adds} {
			for _, a := range as {
				if s.rechecked(a) {
					continue
				}
				for t := range a.value.Terms() {
					w.recheck(s, t)
				}
			}
		}
	}
}

// rechecked reports whether an assignment is a copy that the consumer of a stream compares with its source when the item comes.
func (s *Stage) rechecked(a assign) bool {
	return slices.ContainsFunc(s.Kind.Stored, func(st *Stored) bool { return st.Copy && st.Kept.Recheck && same(st.target, a.target) })
}

func (w *writeCheck) recheck(s *Stage, v spec.Expr) {
	bare := v
	bare.Neg = false
	from, t, ok := w.p.follow(s, bare)
	if !ok || from.stage.Verb.Writes() || len(w.mutable(t)) == 0 {
		return
	}
	for _, o := range w.writes {
		if o != s && (w.group[o] == nil || w.group[o] != w.group[s]) || o.entity() != from.entity() {
			continue
		}
		if o.still == from.stage {
			return // with all that is used of it
		}
		for _, g := range o.guards {
			if u, ok := g.cond.(*spec.Test); ok && (g.again || g.code == RefusedVersion) {
				if tg, err := resolvePath(o.entity(), u.Path); err == nil && (same(tg, t) || tg.attribute().Generated == "version") {
					return
				}
			}
		}
	}
	w.errorf(s.Path, CodeStale, "if: "+t.id+" = "+v.Reference.String(), "%s uses %s as step %s found it, and it can have changed since: nothing checks it again", w.p.Name, t.id, from.stage.Name)
}

// checkConsistency checks that the answer is as fresh as the pattern demands.
func (c *compiler) checkConsistency(path []string, p *Procedure) {
	q := p.Pattern
	if q.Consistency != "strong" && q.Consistency != "snapshot" {
		return
	}
	for _, s := range p.Stages {
		switch {
		case s.Verb == TransactGet:
		case s.Access != nil && s.Access.Global():
			c.errorf(s.Path, CodeConsistency, "read the table, a unique marker or a local index", "%s asks for %s reads, and %s is eventually consistent", p.Name, q.Consistency, s.Access.Name())
		case !s.Consistent:
			c.errorf(s.Path, CodeConsistency, "consistent: true", "%s asks for %s reads, and step %s is not consistent", p.Name, q.Consistency, s.label())
		}
		for _, k := range s.found() {
			for _, st := range k.Stored {
				if st.Copy && st.Kept.Stream && p.asksFor(st.target) && !p.tolerates(st.target) {
					c.errorf(s.Path, CodeConsistency, "read the original", "%s asks for %s reads, and %s of %s is kept by a stream", p.Name, q.Consistency, st.Name, k.Name)
				}
			}
			for _, a := range k.Followed() {
				if k.Role == EntityItem && p.asksFor(own(a)) && !p.tolerates(own(a)) {
					c.errorf(s.Path, CodeConsistency, "keep it in the transactions that change it", "%s asks for %s reads, and %s of %s is kept by a stream", p.Name, q.Consistency, a.Name, k.Name)
				}
			}
			if k.Kept.Stream && k.Role != EntityItem && !(k.Role == AggregateItem && p.tolerates(own(k.Attribute))) {
				c.errorf(s.Path, CodeConsistency, "read the original", "%s asks for %s reads, and %s is kept by a stream", p.Name, q.Consistency, k.Name)
			}
		}
	}
	if q.Consistency == "snapshot" && len(p.Stages) > 1 {
		c.errorf(path, CodeConsistency, "one transact-get, or one query of a collection", "%s asks for one moment, and the plan has %d steps", p.Name, len(p.Stages))
	}
	if q.Consistency == "snapshot" && len(p.Stages) == 1 && p.Stages[0].Verb == BatchGet {
		c.errorf(p.Stages[0].Path, CodeConsistency, "transact-get", "%s asks for one moment, and a batch-get reads each item in its own", p.Name)
	}
}

// asksFor reports whether the pattern answers, tests or orders by a target, or by a derived attribute that has its value.
func (p *Procedure) asksFor(t target) bool {
	return slices.ContainsFunc(slices.Concat(looked(p.Pattern), shown(p.Pattern)), func(path spec.Path) bool { return p.isAbout(path, t) })
}

func (p *Procedure) isAbout(path spec.Path, t target) bool {
	u, err := resolvePath(p.Pattern.Read, path)
	return err == nil && (touches(u, t) || touches(origin(u), t))
}

// tolerates reports whether a strongly consistent pattern may be told what a target was: it answers no more of it than derived
// attributes that may lag, and neither finds nor orders by it.
func (p *Procedure) tolerates(t target) bool {
	q := p.Pattern
	return q.Consistency == "strong" &&
		!slices.ContainsFunc(looked(q), func(path spec.Path) bool { return p.isAbout(path, t) }) &&
		!slices.ContainsFunc(shown(q), func(path spec.Path) bool {
			a := q.Read.Attribute(path[0])
			return p.isAbout(path, t) && (len(path) > 1 || a == nil || a.Derived == nil || a.Derived.Within == 0)
		})
}

// looked are the paths by which a pattern finds, orders and aggregates.
func looked(q *spec.Pattern) []spec.Path {
	paths := slices.Clone(q.Given)
	for _, o := range q.Order {
		paths = append(paths, o.Path)
	}
	for _, a := range q.Aggregates {
		paths = append(paths, a.Path)
	}
	for test := range spec.Tests(q.Where) {
		paths = append(paths, test.Path)
		for _, a := range test.Args {
			paths = append(paths, itemPaths(a)...)
		}
	}
	return paths
}

// shown are the paths that a pattern answers.
func shown(q *spec.Pattern) []spec.Path {
	paths := slices.Clone(q.Returns)
	if q.All {
		for _, a := range q.Read.Attributes {
			paths = append(paths, spec.Path{a.Name})
		}
	}
	return paths
}
