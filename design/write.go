package design

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/spec"
)

// A writePlan is how a layout serves a write pattern. There is no choice in it: the layout determines it.
type writePlan struct {
	pattern  *spec.Pattern
	acts     []*act
	reads    []*readStep // what has to be read first, by keys that are known
	locators []*demand   // keys to be found first
	needs    []*readStep // of those reads, what must have found something
	transact bool
	crowded  string // what helps, where it has more actions than a transaction of DynamoDB takes; "": it has not

	elsewhere float64 // actions on other components, at most

	refused bool           // the layout cannot serve the pattern
	number  int            // short for what tells it apart
	touched []*spec.Entity // whose own items it reads or writes
}

// actVerb is what an act does.
type actVerb uint8

const (
	actPut actVerb = iota
	actUpdate
	actDelete
	actCheck
)

// An act is one change of one item, or one for each element of a list.
type act struct {
	verb   actVerb
	touch  *touch
	entity *spec.Entity       // whose own items it writes
	marker []*spec.Attribute  // it writes the marker of these unique attributes instead
	number *spec.Attribute    // it writes the sequence of this attribute instead
	aside  *spec.Attribute    // it writes what is counted of this attribute, in an item of its own, instead
	part   bool               // it writes the part that lies beside the entity's item instead
	locate *demand            // finds the key; nil: the key is known
	key    []assignment       // of update, delete and check: what tells the item
	via    *spec.Relationship // from the touched child to the item, its parent
	inside *embedding         // the entity lies in its parent's item, which is what it writes; nil: on its own
	times  times
	asks   bool   // it asks whether what is required is there, or what an action tests, and no write can make that false once it is true
	as     string // what a step that reads instead of asking is called where another one has the kind's name
	still  bool   // it was read first, found or not, and must still be so
	seen   bool   // its stamp was read before what lies under it, and must still be so
	stamp  bool   // of an update: it makes the stamp anew
	unit   *act   // of a write that need not be all or nothing: the first of those with which it happens or does not; nil: alone
	value  string // of a put: $order, $each
	each   string

	changes []*spec.Attribute // attributes of the item that an update changes
	set     []assignment
	add     []assignment
	remove  []string
	with    []assignment
	conds   []string
	orElse  string
}

// item is the entity whose own items an act writes.
func (a *act) item() *spec.Entity {
	if a.inside != nil {
		return a.inside.way.To
	}
	return a.entity
}

// beside reports whether an act writes no item that holds the entity, but one beside it.
func (a *act) beside() bool { return a.marker != nil || a.number != nil || a.aside != nil || a.part }

// assignment gives a path a value, both as text.
type assignment struct{ path, value string }

// writer synthesizes the write plans of a layout.
type writer struct {
	facts     *facts
	layout    *layout
	plan      *writePlan
	elsewhere float64 // actions of the pattern on other components, at most
	why       string  // set if the layout cannot serve the pattern
	limit     bool    // a limit of DynamoDB's is why
	extras    map[*spec.Entity]extra
	known     []*demand // keys that are found for it; nil: any
}

// writes is the plan of a write pattern in a layout, with so many actions on what lies elsewhere; why says what makes
// it impossible, and limit that a limit of DynamoDB's does.
func writes(f *facts, l *layout, p *spec.Pattern, elsewhere float64, extras map[*spec.Entity]extra, known []*demand) (plan *writePlan, why string, limit bool) {
	w := &writer{facts: f, layout: l, plan: &writePlan{pattern: p, elsewhere: elsewhere}, elsewhere: elsewhere, extras: extras, known: known}
	touches := slices.DeleteFunc(slices.Clone(f.touches), func(t *touch) bool { return t.pattern != p || t.inside != nil })
	if len(p.Found) > 0 { // what others use of it has to be known before them
		order := p.Reading()
		used := func(t *touch) int {
			if len(t.action.Found) > 0 {
				return slices.Index(order, t.action)
			}
			return len(order)
		}
		slices.SortStableFunc(touches, func(a, b *touch) int { return used(a) - used(b) })
	}
	for _, t := range touches {
		w.touch(t)
	}
	w.merge()
	w.ask()
	w.plan.transact = p.Atomic && (w.several() || p.Idempotency != "")
	if w.why == "" {
		w.within()
	}
	return w.plan, w.why, w.limit
}

// refuse says why the layout cannot serve the pattern.
func (w *writer) refuse(format string, args ...any) {
	if w.why == "" {
		w.why = fmt.Sprintf(format, args...)
	}
}

func (w *writer) do(a *act) {
	if w.alike(a) {
		a.times = once
	}
	w.plan.acts = append(w.plan.acts, a)
}

// leading are the attributes of a list's elements by which an update or check of a transaction finds its item; nil if
// something else leads there.
func (w *writer) leading(a *act) (q *spec.Parameter, names []string) {
	list, ok := strings.CutPrefix(a.each, "$")
	if q = w.plan.pattern.Parameter(list); !ok || q == nil || !w.plan.pattern.Atomic || a.verb == actPut {
		return nil, nil
	}
	for _, k := range a.key {
		name, each := strings.CutPrefix(k.value, "$each.")
		if !each {
			return nil, nil
		}
		names = append(names, name)
	}
	return q, names
}

// alike reports whether an update or check for each element of a list is about one item, by what the elements have in
// common.
func (w *writer) alike(a *act) bool {
	q, names := w.leading(a)
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(q.Same, name) })
}

// unite has what a write does since so many acts happen at once, in a transaction of its own where the write need not
// be all or nothing: an entity and what goes with it.
func (w *writer) unite(from int) { w.atOnce(w.plan.acts[from:]) }

// atOnce has some acts happen at once: see unite.
func (w *writer) atOnce(acts []*act) {
	if w.plan.pattern.Atomic || len(acts) < 2 {
		return
	}
	for _, a := range acts {
		if a.each != acts[0].each && acts[0].each != "" {
			w.refuse("%s would have to read several %s first, and to write each with what goes with it", w.plan.pattern.Name, acts[0].entity.Name)
		}
		a.unit = acts[0]
	}
	if acts[0].each == "" {
		w.fits(0, acts)
	}
}

// pair has each entity that a write makes or changes since so many acts happen at once with what it requires, what
// keeps it unique and what counts it, where the write need not be all or nothing: neither a refusal nor an interruption
// comes between them.
func (w *writer) pair(from int) {
	if w.plan.pattern.Atomic {
		return
	}
	counted := func(a *act) bool { // it is asked as well where it is counted in
		return slices.ContainsFunc(w.plan.acts[from:], func(b *act) bool { return a != b && a.touch == b.touch && sameItem(a, b) })
	}
	acts := slices.DeleteFunc(slices.Clone(w.plan.acts[from:]), func(a *act) bool { return !counted(a) && w.asked(a) })
	w.plan.acts = append(w.plan.acts[:from], acts...)
	var touches []*touch
	by := map[*touch][]*act{}
	for _, a := range acts {
		if a.number != nil {
			continue
		}
		if by[a.touch] = append(by[a.touch], a); len(by[a.touch]) == 1 {
			touches = append(touches, a.touch)
		}
	}
	for _, t := range touches {
		if slices.ContainsFunc(by[t], func(a *act) bool { return a.beside() || a.via != nil || a.verb == actCheck || a.stamp }) {
			w.atOnce(by[t])
		}
	}
}

func (w *writer) touch(t *touch) {
	if from := len(w.plan.acts); t.verb != spec.Delete {
		defer func() {
			if slices.ContainsFunc(w.plan.acts[from:], func(a *act) bool { return a.still }) {
				w.unite(from)
			} else {
				w.pair(from)
			}
		}()
	}
	switch t.verb {
	case spec.Create, spec.Replace, spec.Upsert:
		w.put(t)
	case spec.Update:
		w.update(t)
	case spec.Delete:
		w.delete(t)
	}
}

// several reports whether more than one item changes together.
func (w *writer) several() bool {
	n := w.elsewhere
	for _, a := range w.plan.acts {
		if a.number == nil {
			n += a.times.most
		}
	}
	return n > 1
}

// oneItem reports whether all that a plan writes is one update of one item: of a child inside it, and of the item
// itself.
func (p *writePlan) oneItem() bool {
	outer := 0
	for _, a := range p.acts {
		if a.inside == nil {
			outer++
		}
	}
	return p.elsewhere == 0 && outer == 1 && len(p.acts) > 1 && !slices.ContainsFunc(p.acts, func(a *act) bool {
		return a.beside() || a.times.most > 1 || a.item() != p.acts[0].item() || a.inside == nil && a.verb != actUpdate && a.verb != actCheck
	})
}

// within holds the plan to DynamoDB's limits of a transaction, at the most that a call can have.
func (w *writer) within() {
	if !w.plan.transact {
		return
	}
	w.fits(w.elsewhere, w.plan.acts)
}

// fits holds a transaction to the actions that DynamoDB takes, so many on other components among them.
func (w *writer) fits(n float64, acts []*act) {
	var most *spec.Relationship // whose children make the most of them
	var makes *touch            // by which these come
	by := map[*spec.Relationship]float64{}
	var made sums
	made.add("write what is stored apart from these", n)
	for _, a := range acts {
		times := max(1, a.times.most)
		n += times
		made.add(a.what(), times)
		if ways := a.times.ways; len(ways) > 0 && a.times.most > 1 {
			if by[ways[len(ways)-1]] += times; most == nil || by[ways[len(ways)-1]] > by[most] {
				most, makes = ways[len(ways)-1], a.touch
			}
		}
	}
	limit := float64(capacity.TransactionActions)
	if n <= limit {
		return
	}
	remedy := "let it be several (`atomic: false`)"
	for _, a := range acts {
		if q, names := w.leading(a); len(names) > 0 && a.times.most > 1 && n-a.times.most+1 <= limit {
			remedy += fmt.Sprintf("; or, where all of a call are of one %s, `parameters: {%s: {same: [%s]}}`",
				a.entity.Name, q.Name, strings.Join(names, ", "))
			break
		}
	}
	if most != nil {
		q := makes.brings(most)
		if fits := math.Floor((limit - n + by[most]) / (by[most] / q.Brings(most, most.PerParent).Max)); fits >= 1 {
			length := ""
			if q != nil {
				length = "`" + q.LengthOf(most, fits) + "`"
			}
			if q.BringsStated(most) {
				remedy += ", or let a call bring fewer: " + length
			} else {
				remedy += fmt.Sprintf(", or state a `max` of at most %.0f for %s.%s", fits, most.From.Name, most.By[0].Name) + w.facts.lettingIn(most, fits)
				if q != nil && w.facts.comesLater(makes, most) {
					remedy += "; or, where others come later, how many come with one call: " + length
				}
			}
		}
	}
	w.limit, w.plan.crowded = true, remedy
	if why := w.outside(); why != "" {
		w.limit, remedy = false, remedy+"; "+why // one item would hold them
	}
	w.refuse("%s would be a transaction of up to %.0f actions (%s), and DynamoDB takes %d: %s",
		w.plan.pattern.Name, n, made.text(), capacity.TransactionActions, remedy)
}

// brings is the parameter in whose value the children by a way come about which a touch is; nil: they are stored.
func (t *touch) brings(way *spec.Relationship) *spec.Parameter {
	if t.inside != nil && t.way == way {
		return t.pattern.ValueOf(t.action)
	}
	if each := t.action.Each; len(each) == 2 {
		if q := t.pattern.Parameter(each[0]); q != nil && q.Entity != nil && q.Entity.WayBack(each[1]) == way {
			return q
		}
	}
	return nil
}

// comesLater reports whether children by a way are created otherwise than by a touch as well.
func (f *facts) comesLater(t *touch, way *spec.Relationship) bool {
	return slices.ContainsFunc(f.of[way.From], func(o *touch) bool { return o.makes() && o.action != t.action })
}

// lettingIn says what else has to be stated where there are to be at most so many children of a way: writes let in more
// while they count fewer of them than a condition says.
func (f *facts) lettingIn(way *spec.Relationship, most float64) string {
	counted := ""
	var names []string
	for _, p := range f.req.Patterns {
		for _, a := range p.Actions {
			for t := range spec.Tests(a.Condition) {
				if len(t.Path) != 1 || len(t.Args) != 1 {
					continue // `absent` has no path
				}
				at := a.Entity.Attribute(t.Path[0])
				if at == nil || at.Derived == nil {
					continue
				}
				d := at.Derived
				if d.Func != "count" || d.Where != nil || len(d.Path) > 1 || a.Entity.WayBack(d.Path[0]) != way {
					continue
				}
				n, whole := t.Args[0].Literal.Number().Int64()
				if whole && (t.Op == "<" && float64(n) > most || t.Op == "<=" && float64(n) >= most) && !slices.Contains(names, p.Name) {
					counted, names = at.Name, append(names, p.Name)
				}
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" with `%s < %.0f` in the condition of %s", counted, most, listOf(names))
}

// what is what an act does to what, in a few words.
func (a *act) what() string {
	name := a.entity.Name
	switch {
	case len(a.marker) > 0:
		name = fmt.Sprintf("the marker of %s of a %s", joinNames(a.marker), name)
	case a.aside != nil:
		name += "." + a.aside.Name
	case a.number != nil:
		name += "." + a.number.Name
	case a.part:
		name = "the other part of a " + name
	case a.inside != nil:
		name = a.item().Name + "." + a.inside.way.Inverse
	}
	return [...]string{actPut: "put ", actUpdate: "update ", actDelete: "delete ", actCheck: "check "}[a.verb] + name
}

// sums are numbers of what has names.
type sums []sum

type sum struct {
	of string
	n  float64
}

func (s *sums) add(of string, n float64) {
	if i := slices.IndexFunc(*s, func(x sum) bool { return x.of == of }); i >= 0 {
		(*s)[i].n += n
	} else if n > 0 {
		*s = append(*s, sum{of, n})
	}
}

// text lists them, the largest first.
func (s sums) text() string {
	slices.SortStableFunc(s, func(a, b sum) int { return cmp.Compare(b.n, a.n) })
	var parts []string
	for _, x := range s {
		parts = append(parts, fmt.Sprintf("%.0f to %s", x.n, x.of))
	}
	return strings.Join(parts, ", ")
}

// outside says why children that a write creates with their parent, and that its item has room for, do not lie there;
// "" if there are none.
func (w *writer) outside() string {
	for _, a := range w.plan.acts {
		t := a.touch
		if a.verb != actPut || t.inside == nil || a.inside != nil || a.beside() || t.verb != spec.Create || t.entity.Bytes.Average*t.way.PerParent.Max > float64(capacity.ItemBytes) {
			continue
		}
		if why := forbidsEmbedding(w.facts, t.entity, t.way, nil); why != "" {
			return fmt.Sprintf("%s %s would fit into the item of their %s, but %s", show.Number(t.way.PerParent.Max), t.entity.Name, t.way.To.Name, why)
		}
	}
	return ""
}

// put writes a whole value and the children inside it.
func (w *writer) put(t *touch) {
	o := w.layout.options[t.entity]
	if o == nil { // another component's, unlike the children perhaps
		for _, c := range t.inner {
			w.put(c)
		}
		return
	}
	var put *act
	if alone := o.within != nil && (t.inside == nil || t.way != o.within.way); o.own != nil || alone {
		a := &act{verb: actPut, touch: t, entity: t.entity, times: t.times, value: t.source, each: t.each}
		if alone && !o.held {
			w.enter(a, o)
		}
		if t.each != "" {
			a.value = "$each"
		}
		switch {
		case t.verb == spec.Create:
			a.conds = []string{"absent"}
		case t.verb == spec.Replace:
			a.conds = []string{"present"}
		}
		if c := t.action.Condition; c != nil && t.inside == nil && t.verb != spec.Create {
			text := c.String()
			if t.verb == spec.Upsert {
				text = (&spec.Logic{Op: "or", Args: []spec.Condition{&spec.Test{Op: "absent"}, c}}).String()
			}
			a.conds, a.orElse = append(a.conds, text), t.action.Refusal
		}
		w.number(t, a)
		if t.inside != nil {
			for i, x := range t.way.By {
				if value := numbered(t.inside, t.way.To.Identity[i]); value != "" {
					a.with = append(a.with, assignment{x.Name, value})
				}
			}
		}
		if o.own != nil {
			w.reachable(t, a, o.own.refs())
		}
		w.reachable(t, a, w.extras[t.entity].copies)
		for _, u := range o.claims() {
			w.reachable(t, a, followed(t.entity, u.Of))
		}
		w.replaces(t, a)
		w.do(a)
		if o.cut != nil {
			b := *a
			b.part, b.conds, b.orElse = true, nil, ""
			w.do(&b)
		}
		if o.pointer { // before what else is unique: where there is one already, that is what a call is told
			w.lead(t, a)
		}
		w.claim(t, a)
		if alone && o.held {
			w.hold(t, o)
		}
		put = a
	}
	for _, c := range t.inner {
		w.put(c)
	}
	w.count(t, put)
	if put != nil && t.replaces() {
		w.copies(t, put)
	}
	if t.inside == nil {
		w.require(t, put)
	}
}

// enter lets an act on a child change the item of its parent, in which the child lies.
func (w *writer) enter(a *act, o *option) {
	k := w.layout.kinds[o.within.way.To]
	if o.own != nil || k == nil || len(k.option.own.refs()) != len(k.entity.Identity) {
		w.refuse("%s does not know the key of the %s in which a %s lies", w.plan.pattern.Name, o.within.way.To.Name, a.entity.Name)
		return
	}
	a.inside = o.within
}

// number gives a new entity its sequence number: the sequence counts on first, so a refused write leaves a gap.
func (w *writer) number(t *touch, a *act) {
	for _, x := range t.entity.Attributes {
		if x.Sequence == nil || t.verb != spec.Create {
			continue
		}
		if t.times.most > 1 {
			w.refuse("%s would number several %s at once", w.plan.pattern.Name, t.entity.Name)
			return
		}
		w.do(&act{
			verb: actUpdate, touch: t, entity: t.entity, number: x, times: t.times,
			key: []assignment{{x.Sequence.Name, t.source + "." + x.Sequence.Name}},
			add: []assignment{{x.Name, "1"}},
		})
		a.with = append(a.with, assignment{x.Name, "$" + numberStep(t.pattern) + "." + x.Name})
	}
}

// numbered is the number that an attribute of a new entity gets from a sequence, of its own or of what encloses it; ""
// if it comes with the value.
func numbered(t *touch, x *spec.Attribute) string {
	if x.Sequence != nil {
		return "$" + numberStep(t.pattern) + "." + x.Name
	}
	if t.inside != nil {
		if i := indexOf(t.way.By, x); i >= 0 {
			return numbered(t.inside, t.way.To.Identity[i])
		}
	}
	return ""
}

// numberStep is the step that counts a sequence on.
func numberStep(p *spec.Pattern) string {
	return stepName(p, "number", func(string) bool { return false })
}

// reachable makes sure that a put knows the values at the end of ways there that its item holds: from what encloses it,
// or read first where the pattern requires that it exists.
func (w *writer) reachable(t *touch, a *act, refs []ref) {
	for _, r := range refs {
		if encloses(t, r) {
			continue
		}
		w.fetch(t, a, r)
	}
}

// fetch reads what a ref leads to, once, and hands its value to a put.
func (w *writer) fetch(t *touch, a *act, r ref) {
	at, up := t.outermost(r)
	if len(up.hops) == 0 || slices.ContainsFunc(up.hops, func(h hop) bool { return h.back }) || at.inside != nil && !w.facts.lookedUp(r) ||
		at.each != "" && !w.facts.eachBrings(at, r) {
		w.refuse("%s does not know %s of a new %s", w.plan.pattern.Name, r.key(), t.entity.Name)
		return
	}
	way := up.hops[0].way
	if !w.facts.assures(at, way) && !w.facts.lookedUp(r) {
		w.refuse("%s does not require that the %s of a new %s exists, so %s cannot be copied", w.plan.pattern.Name, way.Name, at.entity.Name, r.key())
		return
	}
	key, found := keyOf(way, valueOf(at)), ""
	for i, h := range up.hops {
		if i > 0 && !(w.facts.belongs(h.way) && w.facts.fixed(up)) {
			w.refuse("%s does not know %s of a new %s", w.plan.pattern.Name, r.key(), t.entity.Name)
			return
		}
		q := w.getEach(h.way.To, key, at.each)
		if q == nil {
			q = w.getBy(h.way.To, key, at.each, h.way.Name)
		}
		if q == nil {
			w.refuse("%s does not know the key of the %s", w.plan.pattern.Name, h.way.Name)
			return
		}
		if found = "$" + q.foundAs(); i+1 < len(up.hops) {
			key = keyOf(up.hops[i+1].way, found)
		}
	}
	value := found + "." + r.attr.Name
	if with := (assignment{r.key(), value}); !slices.Contains(a.with, with) {
		a.with = append(a.with, with)
	}
	if len(w.facts.changed[r.attr]) > 0 && !w.facts.rechecked(r) { // it must still be so when the item is written
		w.do(w.joins(r, &act{
			verb: actCheck, touch: at, entity: way.To, times: at.times, key: keyOf(way, at.source), conds: []string{"present", r.attr.Name + " = " + value},
		}))
	}
}

// keyOf are the identity of what a way leads to, by the foreign key in a value.
func keyOf(way *spec.Relationship, source string) []assignment {
	var out []assignment
	for i, x := range way.By {
		out = append(out, assignment{way.To.Identity[i].Name, source + "." + x.Name})
	}
	return out
}

// get adds a strongly consistent read by identity; nil if the key has more in it, or another one of the kind is read.
func (w *writer) get(e *spec.Entity, key []assignment) *readStep {
	return w.getEach(e, key, "")
}

// getAs is get of what a way leads to, called after the way: another one of its kind is read as well.
func (w *writer) getAs(way *spec.Relationship, key []assignment) *readStep {
	return w.getBy(way.To, key, "", way.Name)
}

// getEach is get for each element of a list.
func (w *writer) getEach(e *spec.Entity, key []assignment, each string) *readStep {
	return w.getBy(e, key, each, "")
}

func (w *writer) getBy(e *spec.Entity, key []assignment, each, as string) *readStep {
	k := w.layout.kinds[e]
	if k == nil {
		return nil
	}
	if k.option.pointer {
		key = w.placed(e, key, each)
	}
	if key == nil || !k.option.pointer && len(k.option.own.refs()) != len(e.Identity) {
		return nil
	}
	t := &readStep{verb: verbGet, kinds: []*spec.Entity{e}, each: each, as: as, prev: -1, per: oneMatch, found: oneMatch, strong: true}
	for _, r := range k.option.own.refs() {
		for _, x := range key {
			if x.path == r.key() {
				t.eqs = append(t.eqs, equality{ref: r, value: x.value})
			}
		}
	}
	return w.read(t)
}

// read adds what has to be read first, once; nil if something else is read that the plan would call the same. What is
// called after its kind is no other step than that.
func (w *writer) read(t *readStep) *readStep {
	for _, old := range w.plan.reads {
		if old.kinds[0] == t.kinds[0] && (old.as == "" || t.as != "") && slices.Equal(old.marker, t.marker) && old.verb == t.verb && old.each == t.each &&
			slices.EqualFunc(old.eqs, t.eqs, func(a, b equality) bool { return a.ref.same(b.ref) && a.value == b.value }) {
			return old
		}
	}
	if slices.ContainsFunc(w.plan.reads, func(old *readStep) bool { return old.foundAs() == t.foundAs() }) {
		return nil
	}
	w.plan.reads = append(w.plan.reads, t)
	return t
}

// replaces reads the entity that a whole value replaces first, if there is one, where markers or numbers elsewhere
// depend on what it was.
func (w *writer) replaces(t *touch, a *act) {
	if t.verb == spec.Create || t.inside != nil || a.inside != nil || len(w.layout.options[t.entity].claims()) == 0 && len(w.counts(t.entity)) == 0 {
		return
	}
	var key []assignment
	for _, x := range t.entity.Identity {
		key = append(key, assignment{x.Name, valueOf(t) + "." + x.Name})
	}
	if w.getEach(t.entity, key, t.each) != nil && (w.plan.pattern.Atomic || t.each == "") {
		a.still = true
	}
}

// claim puts the markers that keep attributes of a new entity unique.
func (w *writer) claim(t *touch, put *act) {
	o := w.layout.options[t.entity]
	for _, u := range o.claims() {
		if t.verb != spec.Create {
			if !put.still {
				w.refuse("%s replaces a whole %s, and what was unique in it before would have to be read", w.plan.pattern.Name, t.entity.Name)
				return
			}
			w.release(t, put, u)
		}
		a := &act{verb: actPut, touch: t, entity: t.entity, marker: u.Of, times: t.times, value: t.source, each: t.each, conds: []string{"absent"}}
		brings := followed(t.entity, u.Of)
		for _, r := range brings {
			if !w.facts.fixed(r) {
				w.refuse("%s is unique and lies elsewhere, where it changes: its marker would not follow", r.key())
				return
			}
		}
		if r := o.roster(u.Of); r != nil {
			brings = withRefs(brings, r.brings)
			if !r.sole {
				a.conds = nil
			}
		}
		for _, x := range put.with {
			if slices.ContainsFunc(brings, func(b ref) bool { return b.key() == x.path }) {
				a.with = append(a.with, x)
			}
		}
		if t.each != "" {
			a.value = "$each"
		}
		for _, x := range u.Of {
			if len(u.Of) > 1 && !composable(x) {
				w.refuse("%s are unique together, and %s is binary, which cannot stand beside others in a key", joinNames(u.Of), x.Name)
			}
		}
		for _, x := range t.entity.Attributes {
			if x.Sequence != nil {
				a.with = append(a.with, assignment{x.Name, "$" + numberStep(t.pattern) + "." + x.Name})
			}
		}
		w.do(a)
	}
}

// followed are those of some attributes that lie at the end of ways.
func followed(e *spec.Entity, attrs []*spec.Attribute) (out []ref) {
	for _, x := range attrs {
		if x.Follows() {
			out = append(out, ref{from: e, attr: x}.canonical())
		}
	}
	return out
}

// find completes the key of an act: what the identity does not tell is found by a locator.
func (w *writer) find(a *act, t *touch) {
	k := w.layout.kinds[a.entity]
	if k == nil {
		w.refuse("%s lies in its parent, where %s cannot find it", a.entity.Name, w.plan.pattern.Name)
		return
	}
	var missing []ref
	for _, r := range k.option.own.refs() {
		if !slices.ContainsFunc(a.key, func(x assignment) bool { return x.path == r.key() }) {
			missing = append(missing, r)
		}
	}
	if len(missing) == 0 {
		return
	}
	if k.option.pointer {
		w.follow(a)
		return
	}
	if a.each != "" || a.entity != t.entity {
		w.refuse("%s does not know the key of %s", w.plan.pattern.Name, a.entity.Name)
		return
	}
	d := &demand{
		name: w.plan.pattern.Name, pattern: w.plan.pattern, target: a.entity, locates: t,
		strong: strong(w.plan.pattern), rate: w.plan.pattern.Rate, skew: w.plan.pattern.Skew,
		results: spec.Size{Average: 1, Max: 1}, needs: missing,
	}
	for _, x := range a.key {
		r, ok := resolveRef(a.entity, spec.Path{x.path})
		if !ok {
			w.refuse("%s gives a key that is no attribute", w.plan.pattern.Name)
			return
		}
		d.eqs = append(d.eqs, equality{ref: r, value: x.value})
	}
	if len(w.extras) > 0 { // the configuration has its demands already
		i := slices.IndexFunc(w.known, func(e *demand) bool { return sameDemand(e, d) })
		if i < 0 {
			w.refuse("%s does not know the key of %s", w.plan.pattern.Name, a.entity.Name)
			return
		}
		d = w.known[i]
	}
	a.locate = d
	w.plan.locators = append(w.plan.locators, d)
}

// merge joins acts on one item, which a transaction takes only once: a check adds its condition to an update, and two
// updates of different attributes become one. Actions that need not happen together stay apart: each can be refused for
// itself.
func (w *writer) merge() {
	var out []*act
	for _, a := range w.plan.acts {
		i := slices.IndexFunc(out, func(b *act) bool {
			return sameItem(a, b) && (w.plan.pattern.Atomic || a.unit != nil || a.touch == b.touch)
		})
		if i < 0 {
			out = append(out, a)
			continue
		}
		b := out[i]
		if a.verb == actUpdate && b.verb == actCheck {
			a, b = b, a
			out[i] = b
		}
		if a.verb == actPut || b.verb == actPut || a.verb == actDelete || b.verb == actDelete || a.orElse != "" && b.orElse != "" && a.orElse != b.orElse {
			w.refuse("%s would do two things to one item of %s in a transaction", w.plan.pattern.Name, a.entity.Name)
			continue
		}
		for _, c := range a.conds {
			if !slices.Contains(b.conds, c) {
				b.conds, b.asks = append(b.conds, c), b.asks && a.asks
			}
		}
		b.set, b.still = append(b.set, a.set...), a.still || b.still
		b.seen, b.stamp = a.seen || b.seen, a.stamp || b.stamp
		b.add, b.with = append(b.add, a.add...), append(b.with, a.with...)
		b.remove = append(b.remove, a.remove...)
		for _, x := range a.changes {
			if !slices.Contains(b.changes, x) {
				b.changes = append(b.changes, x)
			}
		}
		if b.orElse == "" {
			b.orElse = a.orElse
		}
	}
	w.plan.acts = out
	for i, a := range out {
		if a.inside != nil && slices.ContainsFunc(slices.Delete(slices.Clone(out), i, i+1), func(b *act) bool { return b.item() == a.item() && b.unit == a.unit && !b.beside() && !a.joins(b) }) {
			w.refuse("%s would do two things to one item of %s in a transaction", w.plan.pattern.Name, a.item().Name)
		}
	}
}

// joins reports whether an act on a child inside an item and one on the item itself are one action of a transaction,
// should they be about the same.
func (a *act) joins(b *act) bool {
	return b.inside == nil && (b.verb == actUpdate || b.verb == actCheck)
}

func sameItem(a, b *act) bool {
	return a.entity == b.entity && a.unit == b.unit && slices.Equal(a.marker, b.marker) && a.number == nil && b.number == nil && a.aside == b.aside && a.part == b.part &&
		len(a.key) > 0 && slices.Equal(a.key, b.key) && a.each == b.each && a.locate == nil && b.locate == nil
}
