package plan

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// checkOrder checks that the answer has the pattern's order.
func (c *compiler) checkOrder(path []string, p *Procedure) {
	d := &p.Document.Answer
	if len(p.Pattern.Order) == 0 {
		return
	}
	if len(d.Order) > 0 && !p.sameOrder() {
		c.errorf(at(path, "answer", "order"), CodeOrder, "order as the pattern says", "%s asks for another order than the answer's", p.Name)
		return
	}
	for _, o := range p.telling() {
		if a := o.target.attribute(); a != nil && a.Last() && len(o.target.segs) == 1 {
			c.checkLast(at(path, "answer"), p, a, p.mains(), p.Name+" is to be ordered by "+o.target.id)
			continue
		}
		if !slices.ContainsFunc(p.From, func(s *Stage) bool { return p.shows(s, o.target) }) {
			c.errorf(at(path, "answer"), CodeOrder, "copy it", "%s is to be ordered by %s, which no step reads", p.Name, o.target.id)
		}
	}
	if p.orderOf != nil && !p.servesOrder(p.orderOf) {
		c.errorf(at(path, "answer", "order-of"), CodeOrder, "query in the asked order", "%s: step %s does not find its items in the asked order", p.Name, p.orderOf.Name)
	}
	if p.Cursor != nil && !p.servesOrder(p.Cursor) {
		c.errorf(p.Cursor.Path, CodeOrder, "put the order's paths into the sort key behind what is bound, and mind the direction",
			"%s wants pages ordered by %s, and step %s finds its items in another order", p.Name, p.orderText(), p.Cursor.label())
	}
}

// telling returns the part of the order that decides. Nothing after the whole identity does: no two entities share it.
func (p *Procedure) telling() []orderKey {
	for i := range p.order {
		if !slices.ContainsFunc(p.Pattern.Read.Identity, func(a *spec.Attribute) bool {
			return !slices.ContainsFunc(p.order[:i], func(o orderKey) bool { return same(o.target, own(a)) })
		}) {
			return p.order[:i]
		}
	}
	return p.order
}

func (p *Procedure) orderText() string {
	var out []string
	for _, o := range p.order {
		t := o.target.id
		if o.by.Descending {
			t += " descending"
		}
		out = append(out, t)
	}
	return strings.Join(out, ", ")
}

// sameOrder reports whether the answer's order is the pattern's, or begins with it.
func (p *Procedure) sameOrder() bool {
	for i, o := range p.Pattern.Order {
		t, err := resolvePath(p.Pattern.Read, o.Path)
		if err != nil || i >= len(p.order) || !same(t, p.order[i].target) || o.Descending != p.order[i].by.Descending {
			return false
		}
	}
	return true
}

// checkPage checks pages and tops.
func (c *compiler) checkPage(path []string, p *Procedure) {
	q := p.Pattern
	if q.Page != p.Page {
		remedy := "answer: {page: " + spec.FormatNumber(float64(q.Page)) + "}"
		if q.Page == 0 {
			remedy = "leave page out"
		}
		c.errorf(at(path, "answer", "page"), CodePage, remedy, "%s asks for pages of %d, and the plan makes pages of %d (0: everything at once)", p.Name, q.Page, p.Page)
	}
	if p.Cursor != nil {
		for _, m := range p.mains() {
			if m.stage == p.Cursor && m.embed != nil {
				c.errorf(p.Cursor.Path, CodePage, "page items of their own", "%s pages over children inside %s", p.Name, m.kind.Name)
			}
		}
		if !slices.Contains(p.From, p.Cursor) && !slices.ContainsFunc(p.From, func(s *Stage) bool { return s.uses[p.Cursor] }) {
			c.errorf(at(path, "answer", "cursor"), CodePage, "page a step that the answer is made of", "%s pages step %s, which the answer is not made of", p.Name, p.Cursor.Name)
		}
		if p.keep != nil && !p.keepLocal {
			c.warnf(at(path, "answer", "keep"), CodePage, "test it in the paged step", "%s: keep tests what the paged step does not read, so pages can be short", p.Name)
		}
	}
	if p.topStage != nil && p.keep != nil && !p.keepLocal {
		c.errorf(at(path, "answer", "keep"), CodeCut, "project what it tests", "%s: the step stops at %d before keep has tested them", p.Name, q.Top)
	}
}

// Handful reports whether a step of a read scans a table, or an index, only for entities that the answer refers to, and
// of which there are few (see [spec.Entity.Handful]). One scan may then cost less than a get of each by its key.
func (s *Stage) Handful() bool {
	p := s.Procedure.Pattern
	return s.Verb == Scan && !p.Writes() && !slices.ContainsFunc(s.Kinds, func(k *Kind) bool { return k.Entity == p.Read || !s.few(k) }) &&
		!slices.ContainsFunc(s.Access.Table.Kinds, func(k *Kind) bool { in, _ := k.In(s.Access); return in && !slices.Contains(s.Kinds, k) })
}

// few reports whether all items of a kind, or all entries of an index as far as it holds them, are few.
func (s *Stage) few(k *Kind) bool {
	if s.Access.Index == "" || s.Access.Project == All {
		return k.Entity.Handful()
	}
	names := slices.Clone(s.Access.Include)
	for _, w := range slices.Concat(s.Access.keys(), s.Access.Table.Base.keys()) {
		names = append(names, w.Name)
	}
	slices.Sort(names)
	var attrs []*spec.Attribute
	for _, name := range slices.Compact(names) {
		if st := k.stored(name); st != nil {
			attrs = append(attrs, st.Attribute)
			continue
		}
		r := k.recipe(name)
		if r == nil || slices.ContainsFunc(r.Parts, func(p *Part) bool { return p.Attribute == nil }) {
			return k.Entity.Handful() // all else of an entity has no size of its own
		}
		for _, part := range r.Parts {
			attrs = append(attrs, part.Attribute)
		}
	}
	return k.Entity.HandfulOf(attrs...)
}

// checkComplete checks that steps read all that is wanted.
func (c *compiler) checkComplete(path []string, p *Procedure) {
	for _, s := range p.Stages {
		if s.Verb == Scan && !p.Pattern.Whole && s.Access.Table != nil && !s.Handful() {
			c.errorf(s.Path, CodeScan, "serve it by a key, or say `whole: true` in the requirements", "%s is served by a scan, and does not ask for the whole set", p.Name)
		}
		if s.Evaluate == 0 || s == p.Cursor || s == p.topStage || s == p.existsStage {
			continue
		}
		if s.unique() && s.filter == nil && s.Verb == Query && len(s.Kinds) == 1 || p.newest(s) {
			continue
		}
		c.errorf(at(s.Path, "evaluate"), CodeCut, "leave evaluate out, or page the step", "%s: step %s stops after %d items, and there may be more", p.Name, s.label(), s.Evaluate)
	}
	if p.Pattern.Top > 0 && p.Cursor != nil {
		c.errorf(at(path, "answer", "page"), CodePage, "leave page out", "%s asks for the top %d at once", p.Name, p.Pattern.Top)
	}
}
