package plan

import (
	"slices"
	"strings"

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
		c.checkSelection(path, p, m)
	}
	c.checkOrder(path, p)
	c.checkPage(path, p)
	c.checkComplete(path, p)
	c.checkShown(path, p, mains)
	c.checkRelated(path, p, mains)
	c.checkConsistency(path, p)
}

// source is a kind read by a stage: where entities of the answer come from.
type source struct {
	stage *Stage
	kind  *Kind
	embed *Embedding // the entities are children inside the kind's items
}

// sources lists where the answer's steps find an entity.
func (p *Procedure) sources(e *spec.Entity) (out []source) {
	for _, s := range p.From {
		for _, k := range s.reads1() {
			if k.Entity == e && (k.Role == EntityItem || k.Role == CopyItem || k.Role == UniqueItem) {
				out = append(out, source{s, k, nil})
			}
			for _, m := range k.Embeds {
				if m.Child == e && s.Access.projects(k, m.Attribute) {
					out = append(out, source{s, k, m})
				}
			}
		}
	}
	return out
}

// reads1 lists the kinds that a reading stage can find.
func (s *Stage) reads1() []*Kind {
	switch s.Verb {
	case Get, BatchGet:
		return []*Kind{s.Kind}
	case TransactGet:
		var out []*Kind
		for _, a := range s.Actions {
			out = append(out, a.Kind)
		}
		return out
	}
	return s.Kinds
}

// mains lists where the entities that the pattern asks for come from.
func (p *Procedure) mains() []source { return p.sources(p.Pattern.Read) }

// action is the stage that reads a kind: inside a transaction, the get itself.
func (s *Stage) action(k *Kind) *Stage {
	for _, a := range s.Actions {
		if a.Kind == k {
			return a
		}
	}
	return s
}

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
	if s.Verb == Query || s.Verb == Scan { // what is in a sparse index meets its condition
		for _, w := range s.Access.keys() {
			if r := m.kind.recipe(w.Name); r != nil {
				demanded = append(demanded, restrictions(m.kind.Entity, r.When)...)
			}
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
		for _, k := range o.kindsRead() {
			related := source{o, k, nil}
			if k.Entity != w.To && !back || k.Entity != w.From && back || o == m.stage {
				continue
			}
			if p.joined(m, related, w, back) && p.holds(related, up, depth+1) {
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
	for _, a := range m.kind.Entity.Identity {
		found := false
		for _, d := range demanded {
			if d.op != "=" || !same(d.target, own(a)) {
				continue
			}
			o, t, follows := p.follow(s, d.value)
			if follows && o.kind.Entity == m.kind.Entity && same(t, own(a)) && (from.stage == nil || from.stage == o.stage) {
				from, found = o, true
			}
		}
		if !found {
			return from, false
		}
	}
	return from, from.stage != nil
}

// kindsRead lists what a reading stage finds, whether or not the answer is made of it.
func (s *Stage) kindsRead() []*Kind {
	if s.Verb.Writes() || s.Verb == Check {
		return nil
	}
	return s.reads1()
}

// follow finds the step and target that a value comes from: $s.attr, or $each.attr beside each: $s.
func (p *Procedure) follow(s *Stage, v spec.Expr) (from source, t target, ok bool) {
	if len(v.Reference) < 2 || v.Op != "" || v.Neg {
		return from, t, false
	}
	var stage *Stage
	if v.Reference[0] == "each" {
		if s.each == nil || s.each.stage == nil || len(s.each.segs) > 0 {
			return from, t, false
		}
		stage = s.each.stage
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
	tg, err := resolvePath(stage.Kind.Entity, spec.Path(v.Reference[1:]))
	if err != nil {
		return from, t, false
	}
	return source{stage, stage.Kind, nil}, tg, true
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
		if from, v, ok := p.follow(a.stage.action(a.kind), x.value); ok && from.stage == b.stage && same(v, u) {
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
		if from, v, ok := p.follow(b.stage.action(b.kind), y.value); ok && from.stage == a.stage && same(v, t) {
			return true
		}
	}
	return false
}

// checkSelection checks that a source gives exactly the entities that the pattern asks for.
func (c *compiler) checkSelection(path []string, p *Procedure, m source) {
	s := m.stage.action(m.kind)
	want := asked(p.Pattern)
	unsure := len(s.uses) > 0 || len(p.Stages) > 1
	for _, w := range want {
		if p.holds(m, w, 0) {
			continue
		}
		report := c.errorf
		if unsure && w.op == "=" && w.target.there() {
			report = c.warnf // joined over steps in a way that is not understood here: data will tell
		}
		report(s.Path, CodeServe, "bind it under where, or test it with filter or keep", "%s asks for %s, and step %s does not see to it", p.Name, w.describe(), m.stage.label())
	}
	have, _ := s.demanded(m.kind)
	if m.embed == nil {
		have = append(have, restrictions(m.kind.Entity, p.keep)...)
	}
	allowed := want
	if e := p.Pattern.Read.Expires; e != nil { // what has expired is never answered
		allowed = append(slices.Clone(want), restriction{target: own(e), op: ">", value: spec.Expr{Now: true}})
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
	c.checkSparse(path, p, m, want)
}

func (r restriction) describe() string {
	if r.op == "other" {
		return r.text
	}
	return r.target.id + " " + r.op + " " + r.value.String()
}

// checkSparse checks that the index has all entities that the pattern asks for: those it leaves out do not meet the
// pattern's own tests.
func (c *compiler) checkSparse(path []string, p *Procedure, m source, want []restriction) {
	s := m.stage.action(m.kind)
	if s.Verb != Query && s.Verb != Scan {
		return
	}
	known := want
	if m.embed != nil {
		return // the parent's index: its own tests are demands on the parent
	}
	for _, w := range s.Access.keys() {
		r := m.kind.recipe(w.Name)
		if r == nil {
			continue
		}
		if !impliesWhen(m.kind.Entity, known, p.Pattern.Where, r.When) {
			c.errorf(s.Path, CodeSparse, "query an index that has them all", "%s asks for more than %s holds: %s is only there when %s", p.Name, s.Access.Name(), w.Name, r.WhenText)
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

// whenSays reports whether a condition tests the target: then it is there where the condition holds.
func whenSays(c spec.Condition, t target) bool {
	for u := range spec.Tests(c) {
		if u.Path.String() == t.id {
			return true
		}
	}
	return false
}

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
	for _, o := range p.order {
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
	if p.Cursor != nil && len(p.From) == 1 && p.From[0] != p.Cursor && p.orderOf == nil && len(d.Order) == 0 && p.From[0].Verb == BatchGet {
		return // sorted at the client, page by page
	}
}

func (p *Procedure) orderText() string {
	var out []string
	for _, o := range p.order {
		t := o.target.id
		if o.descending {
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
		if err != nil || i >= len(p.order) || !same(t, p.order[i].target) || o.Descending != p.order[i].descending {
			return false
		}
	}
	return true
}

// shows reports whether a stage of the answer tells a target of the pattern's entity, in its own items or in those of
// related entities.
func (p *Procedure) shows(s *Stage, t target) bool {
	for _, k := range s.reads1() {
		act := s.action(k)
		if k.Entity == p.Pattern.Read && act.tells(k, t) {
			return true
		}
		for _, m := range k.Embeds {
			if m.Child == p.Pattern.Read && act.tellsChild(m, t) {
				return true
			}
		}
		if len(t.segs) > 1 && t.segs[0].Way != nil && t.up != nil && k.Entity == t.segs[0].Entity() && act.tells(k, *t.up) {
			return true
		}
	}
	return false
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

// checkComplete checks that steps read all that is wanted.
func (c *compiler) checkComplete(path []string, p *Procedure) {
	for _, s := range p.Stages {
		if s.Verb == Scan && !p.Pattern.Whole && s.Access.Table != nil {
			c.errorf(s.Path, CodeScan, "serve it by a key, or say `whole: true` in the requirements", "%s is served by a scan, and does not ask for the whole set", p.Name)
		}
		if s.Evaluate == 0 || s == p.Cursor || s == p.topStage || s == p.existsStage {
			continue
		}
		if s.unique() && s.filter == nil && s.Verb == Query && len(s.Kinds) == 1 {
			continue
		}
		c.errorf(at(s.Path, "evaluate"), CodeCut, "leave evaluate out, or page the step", "%s: step %s stops after %d items, and there may be more", p.Name, s.label(), s.Evaluate)
	}
	if p.Pattern.Top > 0 && p.Cursor != nil {
		c.errorf(at(path, "answer", "page"), CodePage, "leave page out", "%s asks for the top %d at once", p.Name, p.Pattern.Top)
	}
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
			if m.embed == nil && st != nil && st.Copy && st.Kept.Snapshot && len(p.From) == 1 && len(c.mutable(st.target)) > 0 {
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

// tellsAggregate reports whether a step reads a derived number.
func (c *compiler) tellsAggregate(p *Procedure, a *spec.Attribute) bool {
	for _, s := range p.From {
		for _, k := range s.reads1() {
			if k.Entity == p.Pattern.Read && k.byPath[a.Name] != nil && s.action(k).Access.projects(k, a.Name) {
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
			if len(to) == 0 {
				c.errorf(path, CodeReturns, "read it in the same collection, in a step of its own, or embed it", "%s answers %s inside, and no step of the answer reads a %s", p.Name, name, e.Name)
				break
			}
			if !slices.ContainsFunc(to, func(o source) bool {
				return slices.ContainsFunc(from, func(m source) bool { return p.reaches(m, o, seg) })
			}) {
				c.warnf(path, CodeServe, "read them by the key of what they belong to", "%s: it is not clear that the steps read the %s of what they answer", p.Name, name)
			}
			for _, a := range e.Attributes {
				if a.Derived != nil && a.Derived.Func != "" {
					continue
				}
				t := own(a)
				if !slices.ContainsFunc(to, func(o source) bool {
					s := o.stage.action(o.kind)
					return o.embed == nil && s.tells(o.kind, t) || o.embed != nil && s.tellsChild(o.embed, t)
				}) {
					c.errorf(path, CodeReturns, "project it", "%s returns %s whole, and no step reads %s of it", p.Name, name, a.Name)
				}
			}
			from = to
		}
	}
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
	return p.joined(m, o, seg.Way, seg.Back)
}

// collected reports whether a query that finds an entity finds what a way leads to from it: what it binds of the one is
// what it binds of the other, seen along the way.
func (s *Stage) collected(from, to *Kind, seg spec.Segment) bool {
	i, j := slices.Index(s.Kinds, from), slices.Index(s.Kinds, to)
	child, parent := from, to
	if seg.Back {
		child, parent = to, from
	}
	_ = child
	for b := range s.binds {
		x := &s.binds[b]
		if !x.equal {
			break
		}
		for n := range x.values {
			p, q := x.recipes[i].Parts[n], x.recipes[j].Parts[n]
			if p.Attribute == nil {
				continue
			}
			c, d := p, q
			if seg.Back {
				c, d = q, p
			}
			along := newTarget(append(spec.Path{seg.Way.Name}, d.target.path...), append([]spec.Segment{{Name: seg.Way.Name, Way: seg.Way}}, d.target.segs...))
			if !same(c.target, along) {
				return false
			}
		}
	}
	return parent != nil
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
		for _, k := range s.reads1() {
			for _, st := range k.Stored {
				if st.Copy && st.Kept.Stream {
					c.errorf(s.Path, CodeConsistency, "read the original", "%s asks for %s reads, and %s of %s is kept by a stream", p.Name, q.Consistency, st.Name, k.Name)
				}
			}
			if k.Kept.Stream && k.Role != EntityItem {
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
