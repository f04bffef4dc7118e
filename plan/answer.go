package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// orderKey is one key of an order.
type orderKey struct {
	target target
	by     spec.Order
}

// counted is an aggregate that is read from a derived attribute instead of being counted.
type counted struct {
	entity    *spec.Entity
	attribute *spec.Attribute
}

// answer resolves how the steps' results become the pattern's answer; false if they cannot.
func (c *compiler) answer(path []string, p *Procedure, stages map[string]*Stage) bool {
	d := &p.Document.Answer
	pattern := p.Pattern
	if pattern.Writes() {
		if len(d.From) > 0 || d.Page > 0 || len(d.Order) > 0 || d.Keep != "" || d.Cursor != "" || d.OrderOf != "" {
			c.errorf(path, CodeAnswer, "leave it out", "%s writes: it answers the completed values", p.Name)
		}
		return true
	}
	e := pattern.Read
	find := func(key, name string) *Stage {
		s := stages[name]
		if s == nil || s.Verb.Writes() {
			c.errorf(at(path, key), CodeUnknown, meant(name, sortedKeys(stages)), "%s has no reading step %s", p.Name, name)
			return nil
		}
		return s
	}
	var reading []*Stage
	for _, s := range p.Stages {
		if s.Verb.Writes() {
			c.errorf(s.Path, CodeAnswer, "", "%s reads, and its plan writes", p.Name)
			return false
		}
		reading = append(reading, s)
	}
	for _, n := range d.From {
		if s := find("from", n); s != nil {
			p.From = append(p.From, s)
		}
	}
	if len(d.From) == 0 {
		if len(reading) != 1 {
			c.errorf(path, CodeAnswer, "answer: {from: …}", "%s has %d reading steps: say which the answer comes from", p.Name, len(reading))
			return false
		}
		p.From = reading
	}
	if len(p.From) == 0 {
		return false
	}
	for i, text := range d.Order {
		name, direction, _ := strings.Cut(strings.TrimSpace(text), " ")
		place := at(path, "order")
		if len(d.Order) > 1 {
			place = at(place, strconv.Itoa(i))
		}
		var tg target
		if a := e.Attribute(name); a != nil && a.Last() {
			tg = own(a)
		} else {
			var err error
			if tg, err = c.path(place, e, name); err != nil {
				continue
			}
		}
		if direction = strings.TrimSpace(direction); direction != "" && direction != "descending" && direction != "ascending" {
			c.errorf(place, CodeSyntax, "path, or path descending", "%q is no direction", direction)
		}
		by := spec.Order{Path: tg.path, Attribute: tg.attribute(), Descending: direction == "descending"}
		if i < len(pattern.Order) {
			by.First = pattern.Order[i].First
		}
		p.order = append(p.order, orderKey{tg, by})
	}
	if len(d.Order) == 0 {
		for _, o := range pattern.Order {
			if tg, err := resolvePath(e, o.Path); err == nil {
				p.order = append(p.order, orderKey{tg, o})
			}
		}
	}
	if d.OrderOf != "" {
		p.orderOf = find("order-of", d.OrderOf)
	}
	if d.Missing != "" && d.Missing != "drop" && d.Missing != "fail" {
		c.errorf(at(path, "missing"), CodeAnswer, "write drop or fail", "missing is %q", d.Missing)
	}
	if d.Keep != "" {
		s := p.From[len(p.From)-1]
		cond, err := c.condition(at(path, "keep"), e, s.lookup(stages), d.Keep)
		if err == nil {
			p.keep = cond
		}
	}
	p.tellApart()
	p.seek()
	p.original()
	c.paging(path, p, stages)
	for _, a := range pattern.Aggregates {
		p.counted = append(p.counted, p.countedBy(a))
	}
	p.native = p.orderOf == nil && p.inOrder()
	if pattern.Top > 0 && p.Cursor == nil {
		if s := p.first(); s != nil && s.Verb == Query && s.each == nil && !p.halves(s) && p.servesOrder(s) {
			p.topStage = s
		}
	}
	if len(pattern.Aggregates) > 0 && len(p.From) == 1 && !p.halves(p.From[0]) && !slices.ContainsFunc(pattern.Aggregates, func(a spec.Aggregate) bool { return a.Func != "exists" }) {
		p.existsStage = p.From[0]
	}
	p.keepLocal = true
	for t := range spec.Tests(p.keep) {
		tg, err := resolvePath(e, t.Path)
		s := p.Cursor
		if s == nil {
			s = p.topStage
		}
		if s != nil && (err != nil || s.Kind.Entity != e || !s.finds(tg)) {
			p.keepLocal = false
		}
	}
	p.postpone()
	return true
}

// first is the step that decides which entities are answered: the only one that finds them, the one that finds the keys
// of all others, or the one that finds a part of them, if the other parts are read for that; nil if there is none.
func (p *Procedure) first() *Stage {
	mains := p.mains()
	if len(mains) == 0 || mains[0].embed != nil {
		return nil
	}
	after := func(s *Stage) bool {
		return !slices.ContainsFunc(mains, func(m source) bool {
			return m.stage != s && !(m.siblings(mains[0]) && m.stage.uses[s])
		})
	}
	s := mains[0].stage
	if keys := p.orderOf; keys != nil && (s.Verb == BatchGet || s.each != nil && p.halves(s)) && s.uses[keys] && keys.Kind.Entity == p.Pattern.Read && (len(mains) == 1 || after(keys)) {
		return keys // keys, then their items
	}
	for _, m := range mains {
		if after(m.stage) {
			return m.stage
		}
	}
	return nil
}

// paging finds the step that is paged.
func (c *compiler) paging(path []string, p *Procedure, stages map[string]*Stage) {
	d := &p.Document.Answer
	if p.Page = d.Page; d.Page < 0 {
		c.errorf(at(path, "page"), CodeAnswer, "", "a page holds at least 1")
		p.Page = 0
	}
	if d.Cursor == CutAnswer && stages[CutAnswer] == nil {
		p.cutAnswer(c, path)
		return
	}
	if d.Cursor != "" {
		if p.Cursor = stages[d.Cursor]; p.Cursor == nil || p.Cursor.Verb != Query && p.Cursor.Verb != Scan {
			c.errorf(at(path, "cursor"), CodeUnknown, meant(d.Cursor, sortedKeys(stages)), "%s has no query or scan %s", p.Name, d.Cursor)
			p.Cursor = nil
			return
		}
	}
	if p.Page == 0 {
		if p.Cursor != nil {
			c.errorf(at(path, "cursor"), CodeAnswer, "add page", "%s has a cursor and no page", p.Name)
		}
		return
	}
	if p.Cursor == nil {
		var queries []*Stage
		for _, s := range p.Stages {
			if s.Verb == Query || s.Verb == Scan {
				queries = append(queries, s)
			}
		}
		if len(queries) != 1 {
			c.errorf(at(path, "page"), CodeAnswer, "name the step under cursor", "%s is paged, and %d of its steps could be", p.Name, len(queries))
			return
		}
		p.Cursor = queries[0]
	}
	if p.halves(p.Cursor) {
		c.errorf(at(path, "cursor"), CodeAnswer, "page a step that finds one part, and read the others for each", "%s: step %s finds several parts of each %s, which it cannot count", p.Name, p.Cursor.Name, p.Pattern.Read.Name)
	}
	if p.Cursor.each != nil {
		c.errorf(at(path, "cursor"), CodeAnswer, "page the step before", "%s: a step that runs once for each of several cannot be paged", p.Name)
	}
	if p.Cursor.Kind.Entity != p.Pattern.Read {
		c.errorf(at(path, "cursor"), CodeAnswer, "page a step that finds "+p.Pattern.Read.Name+"; children inside an item cannot be paged",
			"%s answers pages of %s, and step %s finds %s", p.Name, p.Pattern.Read.Name, p.Cursor.Name, p.Cursor.Kind.Entity.Name)
	}
}

// nests reports whether a stage reads children behind each of the pattern's entities, so that only the next entity
// shows where they end.
func (p *Procedure) nests(s *Stage) bool {
	return slices.ContainsFunc(s.Kinds, func(k *Kind) bool { return p.related(k.Entity) })
}

// related reports whether the answer shows an entity inside those it asks for.
func (p *Procedure) related(e *spec.Entity) bool {
	return e != p.Pattern.Read && slices.ContainsFunc(p.Pattern.With, func(w spec.Path) bool { return p.asks(w, e) })
}

// asks reports whether a path of `with` passes an entity.
func (p *Procedure) asks(w spec.Path, e *spec.Entity) bool {
	segs, err := p.Pattern.Read.Resolve(w)
	return err == nil && slices.ContainsFunc(segs, func(s spec.Segment) bool { return s.Entity() == e })
}

// inOrder reports whether the answer comes in the pattern's order without sorting.
func (p *Procedure) inOrder() bool {
	if len(p.order) == 0 {
		return true
	}
	return len(p.From) == 1 && p.servesOrder(p.From[0]) && p.From[0].each == nil && p.From[0].Scatter == 0
}

// servesOrder reports whether each request of a query finds the pattern's entities in the asked order: what is not
// bound of the key begins with the order's paths, in its directions.
func (p *Procedure) servesOrder(s *Stage) bool {
	if s.Verb != Query {
		return len(p.order) == 0
	}
	for _, k := range s.Kinds {
		order := p.order
		if k.Entity != p.Pattern.Read {
			if s != p.orderOf {
				continue
			}
			var ok bool
			if order, ok = p.orderFrom(k.Entity); !ok {
				return false
			}
		}
		if !s.ordered(k, order) {
			return false
		}
	}
	return true
}

// orderFrom is the order as an entity has it that leads to what the pattern reads; false if it does not lead there.
func (p *Procedure) orderFrom(e *spec.Entity) (out []orderKey, ok bool) {
	for _, w := range e.There {
		if w.To != p.Pattern.Read {
			continue
		}
		for _, o := range p.order {
			t, err := resolvePath(e, append(spec.Path{w.Name}, o.by.Path...))
			if err != nil {
				return nil, false
			}
			out = append(out, orderKey{t, o.by})
		}
		return out, true
	}
	return nil, false
}

// ordered reports whether the items of a kind come in an order. What stands behind the whole identity orders nothing:
// no two have that alike.
func (s *Stage) ordered(k *Kind, order []orderKey) bool {
	asked := s.Procedure.Pattern
	bound := func(t target) bool {
		if k.Entity == asked.Read && slices.ContainsFunc(asked.Given, func(path spec.Path) bool {
			u, err := resolvePath(k.Entity, path)
			return err == nil && same(u, t)
		}) {
			return true // however it is tested, all that is answered have one value
		}
		return slices.ContainsFunc(s.Where, func(b *Bound) bool {
			if b.Form != "is" || b.Path == nil {
				return false
			}
			u, err := resolvePath(k.Entity, b.Path)
			return err == nil && same(u, t)
		})
	}
	need := order
	skip := func() {
		for len(need) > 0 && bound(need[0].target) {
			need = need[1:]
		}
		seen := order[:len(order)-len(need)]
		if !slices.ContainsFunc(k.Entity.Identity, func(a *spec.Attribute) bool {
			return !bound(own(a)) && !slices.ContainsFunc(seen, func(o orderKey) bool { return same(o.target, own(a)) })
		}) {
			need = nil
		}
	}
	skip()
	for _, w := range s.Access.Sort {
		r := k.recipe(w.Name)
		if r == nil {
			return false
		}
		for _, part := range r.Parts {
			if len(need) == 0 {
				return true
			}
			if part.Attribute == nil || bound(part.target) {
				if part.Attribute == nil {
					return false
				}
				continue
			}
			if !same(part.target, need[0].target) {
				return false
			}
			if place := r.place(); r.Else != "" && (place == 0 || (place < 0) != (need[0].by.First != s.Descending)) {
				return false
			}
			order := part.codec.order
			if k.Pack != nil && part.Attribute == k.Pack.By && s.fixed(k) && order == keys.Weakly {
				order = keys.Same // those in an item follow one another by time
			}
			switch order {
			case keys.Same:
				if need[0].by.Descending != s.Descending {
					return false
				}
			case keys.Reversed:
				if need[0].by.Descending == s.Descending {
					return false
				}
			default:
				return false
			}
			need = need[1:]
			skip()
		}
	}
	return len(need) == 0
}

// countedBy finds a derived attribute, read by one of the answer's steps, that is the aggregate. There is none where
// the pattern has a condition, for the attribute counts without it, nor where the answer finds what is aggregated
// itself: then the attribute belongs to what is shown beside.
func (p *Procedure) countedBy(a spec.Aggregate) *counted {
	if p.Pattern.Where != nil || slices.ContainsFunc(p.From, func(s *Stage) bool {
		return s.Kind != nil && s.Kind.Entity == p.Pattern.Read && s.Kind.Role == EntityItem
	}) {
		return nil
	}
	for _, s := range p.From {
		if s.Kind == nil || s.Kind.Entity == p.Pattern.Read {
			continue
		}
		for _, d := range s.Kind.Entity.Attributes {
			if d.Derived == nil || d.Derived.Func == "" || d.Derived.Where != nil || s.Kind.byPath[d.Name] == nil {
				continue
			}
			segs, err := s.Kind.Entity.Resolve(d.Derived.Path)
			if err != nil || segs[0].Entity() != p.Pattern.Read {
				continue
			}
			f := a.Func
			if f == "exists" {
				f = "count"
			}
			if d.Derived.Func == f && d.Derived.Path[1:].String() == a.Path.String() {
				return &counted{s.Kind.Entity, d}
			}
		}
	}
	return nil
}
