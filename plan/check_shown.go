package plan

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// shows reports whether a stage of the answer tells a target of the pattern's entity, in its own items or in those of
// related entities.
func (p *Procedure) shows(s *Stage, t target) bool {
	for _, k := range s.found() {
		act := s.action(k)
		if k.Entity == p.Pattern.Read && !p.beside[s] && act.tells(k, t) {
			return true
		}
		for _, m := range k.Embeds {
			if m.Child == p.Pattern.Read && act.tellsChild(m, t) {
				return true
			}
		}
		for u := &t; len(u.segs) > 1 && u.segs[0].Way != nil && u.up != nil; u = u.up { // as each entity on the way names it
			if k.Entity == u.segs[0].Entity() && (k.Entity != p.Pattern.Read || p.beside[s]) && act.tells(k, *u.up) {
				return true
			}
		}
	}
	return t.from != t.id && p.shows(s, origin(t)) // what is derived is shown by what it is derived from
}

// tells reports whether what a stage reads of a kind has a target.
func (s *Stage) tells(k *Kind, t target) bool {
	if len(s.project) > 0 && !slices.ContainsFunc(s.project, func(x target) bool { return touches(x, t) }) && !s.keyTells(k, t) {
		return false
	}
	return k.offers(t, s.Access)
}

// keyTells reports whether the keys, which are always read, have a target.
func (s *Stage) keyTells(k *Kind, t target) bool {
	return k.offers(t, &Access{Table: s.Access.Table, Index: s.Access.Index, Partition: s.Access.Partition, Sort: s.Access.Sort, Project: Keys})
}

// tellsChild reports whether the children inside what a stage reads have a target.
func (s *Stage) tellsChild(m *Embedding, t target) bool {
	if !s.Access.projects(m.Kind, m.Attribute) {
		return false
	}
	for _, st := range m.Stored {
		if st.target.id == t.id || st.target.from == t.from {
			return true
		}
	}
	if len(t.segs) == 1 && m.told(t.segs[0].Attribute) {
		return true
	}
	for _, id := range m.Kind.Recipes {
		for _, p := range id.Parts {
			if p.Attribute != nil && same(m.up(p.target), t) && p.codec.readable {
				return true
			}
		}
	}
	for _, st := range m.Kind.Stored {
		if same(m.up(st.target), t) && s.Access.projects(m.Kind, st.Name) {
			return true
		}
	}
	return false
}

// checkShown checks that the answer has every attribute that it is to show.
func (c *compiler) checkShown(path []string, p *Procedure, mains []source) {
	q := p.Pattern
	if len(q.Aggregates) > 0 {
		for i, a := range q.Aggregates {
			if p.counted[i] != nil || len(a.Path) == 0 {
				continue
			}
			if t, err := resolvePath(q.Read, a.Path); err == nil && !slices.ContainsFunc(p.From, func(s *Stage) bool { return p.shows(s, t) }) {
				c.errorf(path, CodeReturns, "project it", "%s aggregates %s, which no step reads", p.Name, t.id)
			}
		}
		return
	}
	var want []target
	if q.All {
		for _, a := range q.Read.Attributes {
			want = append(want, own(a))
		}
	}
	for _, r := range q.Returns {
		if t, err := resolvePath(q.Read, r); err == nil {
			want = append(want, t)
		}
	}
	for _, t := range want {
		if a := t.attribute(); a != nil && a.Last() && len(t.segs) == 1 {
			c.checkLast(path, p, a, mains, p.Name+" returns "+t.id)
			continue
		}
		if a := t.attribute(); a != nil && a.Derived != nil && a.Derived.Func != "" && len(t.segs) == 1 {
			if !c.tellsAggregate(p, a) {
				c.errorf(path, CodeReturns, "read the item that keeps it", "%s returns %s, which no step reads", p.Name, t.id)
			}
			continue
		}
		c.checkFresh(path, p, mains, t)
		told := false
		for _, m := range mains {
			s := m.stage.action(m.kind)
			told = told || m.embed == nil && s.tells(m.kind, t) || m.embed != nil && s.tellsChild(m.embed, t)
		}
		if !told && !slices.ContainsFunc(p.From, func(s *Stage) bool { return p.shows(s, t) }) {
			where := ""
			if len(mains) > 0 {
				where = " (" + mains[0].stage.where() + ")"
			}
			c.errorf(path, CodeReturns, "project it, copy it, or fetch the whole item", "%s returns %s, which no step reads%s", p.Name, t.id, where)
		}
	}
}

// checkFresh checks that what is shown is not only there as it once was.
func (c *compiler) checkFresh(path []string, p *Procedure, mains []source, t target) {
	if len(t.segs) < 2 && t.from == t.id {
		return
	}
	for _, m := range mains {
		for _, u := range []target{t, origin(t)} {
			st := m.kind.byPath[u.id]
			if m.embed == nil && st != nil && st.Copy && st.Kept.Snapshot && !p.readsOriginal(m, origin(t)) && len(c.mutable(st.target)) > 0 {
				c.errorf(path, CodeKept, "keep it by the patterns that change it, or read the original", "%s returns %s as it is, and %s has it as it was", p.Name, t.id, m.kind.Name)
				return
			}
		}
	}
}

// where names what a stage reads from.
func (s *Stage) where() string {
	if s.Access != nil && s.Verb == Query {
		return s.Access.Name() + " does not project it"
	}
	return s.label()
}

// tellsAggregate reports whether a step of the answer reads a number that is derived of children.
func (c *compiler) tellsAggregate(p *Procedure, a *spec.Attribute) bool {
	for _, s := range p.From {
		for _, k := range s.found() {
			if act := s.action(k); k.Entity == a.Entity && k.byPath[a.Name] != nil && (act.Access.projects(k, a.Name) || act.tells(k, own(a))) {
				return true
			}
		}
	}
	return false
}

// checkRelated checks that related entities are read, all of them, and whole.
func (c *compiler) checkRelated(path []string, p *Procedure, mains []source) {
	for _, w := range p.Pattern.With {
		segs, err := p.Pattern.Read.Resolve(w)
		if err != nil {
			continue
		}
		from := mains
		for i, seg := range segs {
			e := seg.Entity()
			if e == nil {
				break
			}
			name := spec.Path(w[:i+1]).String()
			to := p.sources(e)
			if seg.Way.From == seg.Way.To && len(p.beside) > 0 {
				to = slices.DeleteFunc(to, func(s source) bool { return !p.beside[s.stage] })
			}
			if len(to) == 0 {
				c.errorf(path, CodeReturns, "read it in the same collection, in a step of its own, or embed it", "%s answers %s inside, and no step of the answer reads a %s", p.Name, name, e.Name)
				break
			}
			if !slices.ContainsFunc(to, func(o source) bool {
				return slices.ContainsFunc(from, func(m source) bool { return p.reaches(m, o, seg) }) || p.descends(mains, o, segs[:i+1])
			}) {
				c.warnf(path, CodeServe, "read them by the key of what they belong to", "%s: it is not clear that the steps read the %s of what they answer", p.Name, name)
			}
			for _, a := range e.Attributes {
				if a.Last() {
					c.checkLast(path, p, a, to, p.Name+" returns "+name+" whole, with "+a.Name)
					continue
				}
				if a.Derived != nil && a.Derived.Func != "" {
					if !c.tellsAggregate(p, a) {
						c.errorf(path, CodeReturns, "read the item that keeps it", "%s returns %s whole, and no step reads %s of it", p.Name, name, a.Name)
					}
					continue
				}
				t := own(a)
				if !slices.ContainsFunc(to, func(o source) bool {
					s := o.stage.action(o.kind)
					return o.embed == nil && s.tells(o.kind, t) || o.embed != nil && s.tellsChild(o.embed, t)
				}) && !p.followed(t) {
					c.errorf(path, CodeReturns, "project it", "%s returns %s whole, and no step reads %s of it", p.Name, name, a.Name)
				}
			}
			from = to
		}
	}
}

// followed reports whether a target is derived along a way, and a step of the answer tells what lies at its end.
func (p *Procedure) followed(t target) bool {
	for u := origin(t); t.from != t.id && len(u.segs) > 1 && u.up != nil; u = *u.up {
		for _, s := range p.From {
			if slices.ContainsFunc(s.found(), func(k *Kind) bool { return k.Entity == u.segs[0].Entity() && s.action(k).tells(k, *u.up) }) {
				return true
			}
		}
	}
	return false
}

// reaches reports whether a source has the entities that a way leads to from another.
func (p *Procedure) reaches(m, o source, seg spec.Segment) bool {
	if o.embed != nil && seg.Back && o.embed.Way == seg.Way && o.kind == m.kind && o.stage == m.stage {
		return true
	}
	if m.embed != nil && !seg.Back && m.embed.Way == seg.Way && o.kind == m.kind && o.stage == m.stage {
		return true
	}
	if m.stage == o.stage && m.embed == nil && o.embed == nil && m.stage.Verb == Query {
		return m.stage.collected(m.kind, o.kind, seg)
	}
	if p.joined(m, o, seg.Way, seg.Back) {
		return true
	}
	// Whole items are often read by keys that an index found: what the index was asked for tells what they belong to.
	if keys, ok := p.identical(o); ok && p.joined(m, keys, seg.Way, seg.Back) {
		return true
	}
	keys, ok := p.identical(m)
	return ok && p.joined(keys, o, seg.Way, seg.Back)
}

// descends reports whether a source has all that lies at the end of ways back from the first of them on: each
// generation has in its identity whose child it is, and the source is asked for nothing but for those of one of the
// first.
func (p *Procedure) descends(first []source, o source, ways []spec.Segment) bool {
	if len(ways) < 2 || o.embed != nil || slices.ContainsFunc(ways, func(s spec.Segment) bool { return !s.Back }) {
		return false
	}
	if keys, ok := p.identical(o); ok {
		o = keys
	}
	top := ways[0].Way.To
	names := make([]target, len(top.Identity)) // what the last generation calls the identity of the first
	for i, a := range top.Identity {
		for _, s := range ways {
			at := slices.Index(s.Way.To.Identity, a)
			if at < 0 {
				return false
			}
			a = s.Way.By[at]
		}
		names[i] = own(a)
	}
	asked, _ := o.stage.action(o.kind).demanded(o.kind)
	if slices.ContainsFunc(asked, func(d restriction) bool {
		return !slices.ContainsFunc(names, func(t target) bool { return d.op == "=" && same(d.target, t) })
	}) {
		return false
	}
	return slices.ContainsFunc(first, func(m source) bool {
		for i, a := range top.Identity {
			if !p.equalValues(o, names[i], m, own(a)) {
				return false
			}
		}
		return true
	})
}

// collected reports whether a query that finds an entity finds what a way leads to from it: what it binds of the one is
// what it binds of the other, seen along the way.
func (s *Stage) collected(from, to *Kind, seg spec.Segment) bool {
	child, parent := slices.Index(s.Kinds, from), slices.Index(s.Kinds, to)
	if seg.Back {
		child, parent = parent, child
	}
	for i := range s.binds {
		b := &s.binds[i]
		if !b.equal {
			break
		}
		for n := range b.values {
			down, up := b.recipes[child].Parts[n], b.recipes[parent].Parts[n]
			if up.Attribute == nil {
				continue
			}
			along := newTarget(append(spec.Path{seg.Way.Name}, up.target.path...), append([]spec.Segment{{Name: seg.Way.Name, Way: seg.Way}}, up.target.segs...))
			if down.Attribute == nil || !same(down.target, along) {
				return false
			}
		}
	}
	return true
}
