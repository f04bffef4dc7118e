package plan

import "github.com/tablewright/tablewright/spec"

// holds reports whether every entity from a source meets a restriction on its target: by what its stage demands, or by
// what the steps that its key comes from demand.
func (p *Procedure) holds(m source, want restriction, depth int) bool {
	if depth > 6 {
		return false
	}
	s := m.stage.action(m.kind)
	demanded, _ := s.demanded(m.kind)
	if m.kind.Entity == p.Pattern.Read && m.embed == nil {
		demanded = append(demanded, restrictions(p.Pattern.Read, p.keep)...)
	}
	if s.Verb == Query || s.Verb == Scan { // what is in an index meets its condition
		for _, w := range s.Access.keys() {
			if r := m.kind.recipe(w.Name); r != nil {
				demanded = append(demanded, restrictions(m.kind.Entity, r.When)...)
				for _, part := range r.always() { // and has what its key is made of
					demanded = append(demanded, restriction{op: "other", text: "exists(" + part.target.id + ")"})
				}
			}
		}
	}
	if m.kind.Role == UniqueItem { // so does what has a marker
		demanded = append(demanded, restrictions(m.kind.Entity, m.kind.While)...)
		for _, a := range m.kind.Unique {
			demanded = append(demanded, restriction{op: "other", text: "exists(" + a.Name + ")"})
		}
	}
	if m.embed != nil { // the parent's demands, as the child sees them
		own := demanded
		demanded = restrictions(p.Pattern.Read, p.keep)
		for _, d := range own {
			if d.op != "other" {
				d.target = m.embed.up(d.target)
				demanded = append(demanded, d)
			}
		}
	}
	if implies(demanded, want) {
		return true
	}
	if from, ok := p.identical(m); ok && p.holds(from, want, depth+1) {
		return true
	}
	for _, d := range demanded { // equal to what another step found, which meets it
		if d.op != "=" || !same(d.target, want.target) {
			continue
		}
		if from, t, ok := p.follow(s, d.value); ok {
			w := want
			w.target = t
			if p.holds(from, w, depth+1) {
				return true
			}
		}
	}
	if len(want.target.segs) < 2 || want.target.segs[0].Way == nil || want.target.up == nil {
		return false
	}
	// Along a way: a step that found the related entity.
	w, back := want.target.segs[0].Way, want.target.segs[0].Back
	up := want
	up.target = *want.target.up
	for _, o := range p.Stages {
		for _, k := range o.found() {
			related := source{o, k, nil}
			if k.Entity != w.To && !back || k.Entity != w.From && back || o == m.stage {
				continue
			}
			if p.joined(m, related, w, back) && p.holds(related, up, depth+1) {
				return true
			}
		}
	}
	return !back && p.holdsBeyond(m, want, depth)
}

// holdsBeyond follows a way there and then one back, where no step has to read what lies between: both sides hold its identity.
func (p *Procedure) holdsBeyond(m source, want restriction, depth int) bool {
	up := want.target.up
	if len(up.segs) < 2 || up.segs[0].Way == nil || !up.segs[0].Back || up.up == nil {
		return false
	}
	there, back := want.target.segs[0].Way, up.segs[0].Way
	beyond := want
	beyond.target = *up.up
	for _, o := range p.Stages {
		for _, k := range o.found() {
			far := source{o, k, nil}
			if k.Entity != back.From || o == m.stage {
				continue
			}
			same := true
			for i := range there.By {
				same = same && p.equalValues(m, own(there.By[i]), far, own(back.By[i]))
			}
			if same && p.holds(far, beyond, depth+1) {
				return true
			}
		}
	}
	return false
}

// identical finds the step that found the very same entity before: by its key, or an index or marker that holds it.
func (p *Procedure) identical(m source) (from source, ok bool) {
	if m.embed != nil {
		return from, false
	}
	s := m.stage.action(m.kind)
	demanded, _ := s.demanded(m.kind)
	taken := map[*spec.Attribute]bool{} // from that step; the rest both ask for with one value
	for _, a := range m.kind.Entity.Identity {
		for _, d := range demanded {
			if d.op != "=" || !same(d.target, own(a)) {
				continue
			}
			o, t, follows := p.follow(s, d.value)
			if follows && o.entity() == m.kind.Entity && same(t, own(a)) && (from.stage == nil || from.stage == o.stage) {
				from, taken[a] = o, true
			}
		}
	}
	if from.stage == nil {
		return from, false
	}
	for _, a := range m.kind.Entity.Identity {
		if !taken[a] && !p.equalValues(m, own(a), from, own(a)) {
			return from, false
		}
	}
	return from, true
}

// follow finds the step and target that a value comes from: $s.attr, or $each.attr beside each: $s.
func (p *Procedure) follow(s *Stage, v spec.Expr) (from source, t target, ok bool) {
	if len(v.Reference) < 2 || v.Op != "" || v.Neg {
		return from, t, false
	}
	var stage *Stage
	var inside *Embedding
	if v.Reference[0] == "each" {
		if s.each == nil || s.each.stage == nil || len(s.each.segs) > 1 {
			return from, t, false
		}
		stage = s.each.stage
		if len(s.each.segs) == 1 && stage.Kind != nil { // children inside what it finds
			if inside = stage.Kind.embedding(s.each.segs[0].Name); inside == nil {
				return from, t, false
			}
		}
	} else {
		for _, o := range p.Stages {
			if o.Name == v.Reference[0] {
				stage = o
			}
		}
	}
	if stage == nil || stage.Kind == nil {
		return from, t, false
	}
	from = source{stage, stage.Kind, inside}
	tg, err := resolvePath(from.entity(), spec.Path(v.Reference[1:]))
	if err != nil {
		return from, t, false
	}
	return from, tg, true
}

// joined reports whether entities of one source are those related to another's by a way: the foreign key on one side is
// the identity on the other, because a step took it from there or because both were asked for with one value.
func (p *Procedure) joined(m, o source, w *spec.Relationship, back bool) bool {
	child, parent := m, o
	if back {
		child, parent = o, m
	}
	for i, by := range w.By {
		if !p.equalValues(child, own(by), parent, own(w.To.Identity[i])) {
			return false
		}
	}
	return true
}

// equalValues reports whether two targets of two sources always have one value.
func (p *Procedure) equalValues(a source, t target, b source, u target) bool {
	da, _ := a.stage.action(a.kind).demanded(a.kind)
	db, _ := b.stage.action(b.kind).demanded(b.kind)
	for _, x := range da {
		if x.op != "=" || !same(x.target, t) {
			continue
		}
		if from, v, ok := p.follow(a.stage.action(a.kind), x.value); ok && from.stage == b.stage && from.embed == b.embed && same(v, u) {
			return true
		}
		for _, y := range db {
			if y.op == "=" && same(y.target, u) && x.value.String() == y.value.String() && len(x.value.Reference) > 0 && x.value.Reference[0] != "each" {
				return true
			}
		}
	}
	for _, y := range db {
		if y.op != "=" || !same(y.target, u) {
			continue
		}
		if from, v, ok := p.follow(b.stage.action(b.kind), y.value); ok && from.stage == a.stage && from.embed == a.embed && same(v, t) {
			return true
		}
	}
	return false
}
