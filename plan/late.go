package plan

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// A client that sorts what it has read and cuts a page or a top out of it shows few of the entities that it has found.
// What it only shows of them, such as the names of what they refer to, it reads after the cut, and for these few: such
// steps are late. Which they are follows from the plan.

// Leaves is how many entities a call leaves of those that its steps have found, where the client cuts: those of a page,
// or of a top that no step finds in its order. 0: all.
func (p *Procedure) Leaves() int {
	switch {
	case p.Cut:
		return p.Page
	case p.Cursor == nil && p.topStage == nil && len(p.Pattern.Aggregates) == 0:
		return p.Pattern.Top
	}
	return 0
}

// Late reports whether a step runs after the client has cut the answer, because it brings only what the answer shows.
// It then goes over the entities that are left, or over what other late steps have found for these.
func (s *Stage) Late() bool { return s.Procedure.late[s] }

// Narrows reports whether a step is late and goes over what steps found before the cut: over so much of it as belongs
// to the entities that are left. behind is the rest of its `each`, as those entities name it.
func (s *Stage) Narrows() (behind spec.Reference, ok bool) {
	if !s.Late() || s.each.stage.Late() {
		return nil, false
	}
	at, _ := s.Procedure.within(s.each)
	return s.Each[1+at:], true
}

// within is how many names of a referent lead to the entities that the pattern asks for; false if none of them does.
func (p *Procedure) within(r *referent) (names int, ok bool) {
	if r.from == p.Pattern.Read {
		return 0, true
	}
	i := slices.IndexFunc(r.segs, func(g spec.Segment) bool { return g.Entity() == p.Pattern.Read })
	return i + 1, i >= 0
}

// postpone finds the late steps, and has them wait for all others.
func (p *Procedure) postpone() {
	if p.Leaves() == 0 || p.Document.Answer.Missing == "fail" || p.Pattern.Consistency == "snapshot" {
		return
	}
	late := map[*Stage]bool{}
	for _, s := range p.Stages {
		late[s] = !p.decides(s)
	}
	for again := true; again; {
		again = false
		for _, s := range p.Stages {
			switch {
			case late[s] && !p.goesOver(s, late):
				late[s], again = false, true
			case !late[s]:
				for _, n := range s.Needs {
					again = again || late[n]
					late[n] = false
				}
			}
		}
	}
	isLate := func(s *Stage) bool { return late[s] }
	if !slices.ContainsFunc(p.Stages, isLate) {
		return
	}
	before := slices.DeleteFunc(slices.Clone(p.Stages), isLate)
	after := slices.DeleteFunc(p.Stages, func(s *Stage) bool { return !late[s] })
	for _, s := range after {
		for _, o := range before {
			if !slices.Contains(s.Needs, o) {
				s.Needs = append(s.Needs, o)
			}
		}
	}
	p.Stages, p.late = append(before, after...), late
}

// goesOver reports whether a step goes over entities that the pattern asks for, or over what late steps have found.
func (p *Procedure) goesOver(s *Stage, late map[*Stage]bool) bool {
	if s.each == nil || s.each.stage == nil {
		return false
	}
	if late[s.each.stage] {
		return true
	}
	if _, ok := p.within(s.each); !ok {
		return false
	}
	return slices.ContainsFunc(p.mains(), func(m source) bool {
		for range p.Stages {
			if m.stage == s.each.stage {
				return true
			}
			from, ok := p.identical(m) // the keys of these
			if !ok {
				return false
			}
			m = from
		}
		return false
	})
}

// decides reports whether which entities are left, and in which order, depends on what a step finds.
func (p *Procedure) decides(s *Stage) bool {
	if s == p.orderOf || slices.ContainsFunc(p.mains(), func(m source) bool { return m.stage == s }) {
		return true
	}
	return slices.ContainsFunc(p.decisive(), func(t target) bool { return s.passed(t) })
}

// decisive are the targets by which the answer is ordered and tested.
func (p *Procedure) decisive() (out []target) {
	for _, o := range p.order {
		out = append(out, o.target)
	}
	for t := range spec.Tests(p.keep) {
		paths := []spec.Path{t.Path}
		for _, a := range t.Args {
			paths = append(paths, itemPaths(a)...)
		}
		for _, path := range paths {
			if tg, err := resolvePath(p.Pattern.Read, path); err == nil {
				out = append(out, tg)
			}
		}
	}
	return out
}

// passed reports whether a target leads to or through something that a step finds, or is a number that it finds.
func (s *Stage) passed(t target) bool {
	if a := t.attribute(); slices.ContainsFunc(s.found(), func(k *Kind) bool { return k.Attribute != nil && k.Attribute == a }) {
		return true
	}
	if len(t.segs) > 0 && t.segs[0].Way != nil {
		e := t.segs[0].Entity()
		if slices.ContainsFunc(s.found(), func(k *Kind) bool {
			return k.Entity == e || slices.ContainsFunc(k.Embeds, func(m *Embedding) bool { return m.Child == e })
		}) {
			return true
		}
		if t.up != nil && s.passed(*t.up) {
			return true
		}
	}
	return t.from != t.id && s.passed(origin(t))
}

// choose cuts the answer out of what the steps before the late ones have found: it notes which entities are left, and
// in which order.
func (c *Call) choose() error {
	mains, err := c.answered(c.pool())
	if err != nil {
		return err
	}
	c.chosen = make(map[string]int, len(mains))
	for i, r := range mains {
		c.chosen[r.entity.IdentityOf(r.value)] = i
	}
	return nil
}

// narrow drops what does not belong to the entities that are left from what a late step is about to go over.
func (c *Call) narrow(s *Stage, level []*scope) ([]*scope, error) {
	if _, ok := s.Narrows(); !ok {
		return level, nil
	}
	if c.chosen == nil {
		if err := c.choose(); err != nil {
			return nil, err
		}
	}
	e := c.proc.Pattern.Read
	return slices.DeleteFunc(level, func(x *scope) bool {
		_, left := c.chosen[e.IdentityOf(x.value)]
		return x.entity == e && !left
	}), nil
}

// chosenOf are the entities that are left, with what late steps have found for them.
func (c *Call) chosenOf(p *pool) []*record {
	out := make([]*record, len(c.chosen))
	for _, r := range p.all[c.proc.Pattern.Read] {
		if i, left := c.chosen[r.entity.IdentityOf(r.value)]; left {
			out[i] = r
		}
	}
	return out
}
