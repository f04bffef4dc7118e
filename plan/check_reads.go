package plan

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// checkRead proves that a plan answers what its read pattern asks: the right entities, in the right order and pages, with
// all that they are to show, as fresh as demanded.
func (c *compiler) checkRead(p *Procedure) {
	path := []string{"plans", p.Name}
	mains := p.mains()
	if len(mains) == 0 && !slices.ContainsFunc(p.counted, func(k *counted) bool { return k != nil }) {
		c.errorf(at(path, "steps"), CodeServe, "read an item that holds it", "%s asks for %s, and no step of the answer reads any", p.Name, p.Pattern.Read.Name)
		return
	}
	for _, m := range mains {
		c.checkSelection(p, m, mains)
	}
	c.checkMoment(path, p)
	c.checkExpired(p)
	c.checkOrder(path, p)
	c.checkPage(path, p)
	c.checkComplete(path, p)
	c.checkShown(path, p, mains)
	c.checkRelated(path, p, mains)
	c.checkConsistency(path, p)
}

// checkSelection checks that a source gives exactly the entities that the pattern asks for. Of what lies in parts, it is enough
// if the source of one part sees to something.
func (c *compiler) checkSelection(p *Procedure, m source, mains []source) {
	s := m.stage.action(m.kind)
	want := asked(p.Pattern)
	unsure := len(s.uses) > 0 || len(p.Stages) > 1
	for _, w := range want {
		if p.holds(m, w, 0) || slices.ContainsFunc(mains, func(o source) bool { return o.siblings(m) && p.holds(o, w, 0) }) {
			continue
		}
		report := c.errorf
		if unsure && w.op == "=" && w.target.there() {
			report = c.warnf // joined over steps in a way that is not understood here: data will tell
		}
		report(s.Path, CodeServe, "bind it under where, or test it with filter or keep", "%s asks for %s, and step %s does not see to it", p.Name, w.describe(), m.stage.label())
	}
	have, loose := s.demanded(m.kind)
	have = append(have, loose...) // what is tested loosely is left out as well
	if m.embed == nil {
		have = append(have, restrictions(m.kind.Entity, p.keep)...)
	}
	allowed := want
	if e := p.Pattern.Read.Expires; e != nil { // what has expired is never answered
		allowed = append(slices.Clone(want), restriction{target: own(e), op: ">", value: spec.Expr{Now: true}})
		if e.Optional { // what has no time to expire never does
			allowed = append(allowed, restriction{op: "other", text: "absent(" + e.Name + ") or " + e.Name + " > now"})
		}
	}
	for _, h := range have {
		if m.embed != nil && h.op != "other" {
			h.target = m.embed.up(h.target)
		}
		if _, _, ok := p.follow(s, h.value); ok && h.op == "=" || implies(allowed, h) {
			continue
		}
		c.errorf(s.Path, CodeExtra, "leave it out", "%s does not ask for %s, which step %s demands: entities would be missing", p.Name, h.describe(), m.stage.label())
	}
	c.checkSparse(p, m, want)
}

func (r restriction) describe() string {
	if r.op == "other" {
		return r.text
	}
	return r.target.id + " " + r.op + " " + r.value.String()
}

// checkSparse checks that an index or a table of markers has all entities that the pattern asks for: those it leaves out do
// not meet the pattern's own tests. The steps that the keys of a source come from found the same entities before.
func (c *compiler) checkSparse(p *Procedure, m source, want []restriction) {
	if m.embed != nil {
		return // the parent's index: its own tests are demands on the parent
	}
	for range p.Stages {
		c.checkInIndex(p, m, want)
		var ok bool
		if m, ok = p.identical(m); !ok {
			return
		}
	}
}

// checkInIndex is checkSparse for one step.
func (c *compiler) checkInIndex(p *Procedure, m source, known []restriction) {
	s := m.stage.action(m.kind)
	if m.kind.Role == UniqueItem {
		c.checkMarked(p, m, known)
	}
	if s.Verb != Query && s.Verb != Scan {
		return
	}
	for _, w := range s.Access.keys() {
		r := m.kind.recipe(w.Name)
		if r == nil {
			continue
		}
		if !impliesWhen(m.kind.Entity, known, p.Pattern.Where, r.When) {
			c.errorf(s.Path, CodeSparse, "query an index that has them all", "%s asks for more than %s holds: %s is only there when %s", p.Name, s.Access.Name(), w.Name, r.WhenText)
		}
		if r.Else != "" {
			continue // what has no value is there too
		}
		for _, part := range r.Parts {
			for _, seg := range part.target.segs {
				if seg.Attribute == nil || !seg.Attribute.Optional {
					continue
				}
				if !slices.ContainsFunc(known, func(k restriction) bool { return same(k.target, part.target) && !isAbsent(k) }) && !whenSays(r.When, part.target) {
					c.errorf(s.Path, CodeSparse, "query an index whose key is always there", "%s asks also for entities without %s, which are not in %s", p.Name, part.target.id, s.Access.Name())
				}
			}
		}
	}
}

// checkMarked checks that everything that the pattern asks for has a marker of a kind.
func (c *compiler) checkMarked(p *Procedure, m source, known []restriction) {
	k := m.kind
	if !impliesWhen(k.Entity, known, p.Pattern.Where, k.While) {
		c.errorf(m.stage.Path, CodeSparse, "read what has them all", "%s asks for more than %s has markers of: there is one while %s", p.Name, k.Name, k.While)
	}
	for _, a := range k.Unique {
		if a.Optional && !slices.ContainsFunc(known, func(r restriction) bool { return same(r.target, own(a)) && !isAbsent(r) }) && !whenSays(k.While, own(a)) {
			c.errorf(m.stage.Path, CodeSparse, "read what has them all", "%s asks also for entities without %s, which have no marker %s", p.Name, a.Name, k.Name)
		}
	}
}

// whenSays reports whether a condition tests the target: then it is there where the condition holds.
func whenSays(c spec.Condition, t target) bool {
	for u := range spec.Tests(c) {
		if u.Path.String() == t.id {
			return true
		}
	}
	return false
}

// checkMoment checks what becomes of an entity whose parts are read each at its own moment: nothing changes several of them
// at once, and the part is read that says whether it has expired.
func (c *compiler) checkMoment(path []string, p *Procedure) {
	for i, x := range p.parts {
		e := x.kind.Entity
		var others []*Kind
		for _, o := range p.parts[i+1:] {
			if o.kind.Entity == e && o.main == x.main {
				others = append(others, o.kind)
			}
		}
		for _, o := range others {
			if by := c.changedTogether(x.kind, o); by != nil && !p.atOnce(x.kind, o) {
				c.errorf(path, CodeConsistency, "transact-get, or one query of a collection", "%s reads %s and %s, each at its own moment, and %s changes both at once", p.Name, x.kind.Name, o.Name, by.Name)
			}
		}
		if e.Expires != nil && !slices.ContainsFunc(p.parts, func(o soughtPart) bool {
			return o.kind.Entity == e && o.main == x.main && o.kind.has(own(e.Expires))
		}) {
			c.errorf(path, CodeReturns, "read the part that has "+e.Expires.Name, "%s reads %s, a part of a %s that does not say whether it has expired", p.Name, x.kind.Name, e.Name)
		}
	}
}

// checkExpired checks that a read knows of what it goes through whether it has expired: for a read it is gone then,
// with all that it leads to. Whole items of the same entity that are read by these keys tell as well.
func (c *compiler) checkExpired(p *Procedure) {
	for _, s := range p.Stages {
		for _, k := range s.found() {
			e := k.Entity
			if e.Expires == nil || k.Role == AggregateItem || k.part || s.TellsEnd(k) {
				continue
			}
			on := func(o *Stage) bool { // goes on from it to another entity
				return slices.Contains(o.Needs, s) && !slices.ContainsFunc(o.found(), func(k *Kind) bool { return k.Entity == e })
			}
			if slices.Contains(p.From, s) || slices.ContainsFunc(p.Stages, on) {
				c.errorf(s.Path, CodeReturns, "project it, or fetch the whole item", "%s goes through %s without its %s: what has expired would count", p.Name, k.Name, e.Expires.Name)
			}
		}
	}
}

// atOnce reports whether one step reads both kinds in one moment.
func (p *Procedure) atOnce(a, b *Kind) bool {
	return slices.ContainsFunc(p.From, func(s *Stage) bool {
		return (s.Verb == TransactGet || s.Verb == Query && s.Scatter == 0) && slices.Contains(s.found(), a) && slices.Contains(s.found(), b)
	})
}

// changedTogether finds a pattern that changes something of both parts of an entity.
func (c *compiler) changedTogether(a, b *Kind) *spec.Pattern {
	changed := func(act *spec.Action, k *Kind) bool {
		return slices.ContainsFunc(k.Entity.Attributes, func(x *spec.Attribute) bool { return k.has(own(x)) && act.Alters(k.Entity, x) })
	}
	for _, p := range c.r.Patterns {
		if slices.ContainsFunc(p.Actions, func(act *spec.Action) bool { return changed(act, a) && changed(act, b) }) {
			return p
		}
	}
	return nil
}
