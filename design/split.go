package design

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// A cut says which attributes of an entity lie in an item of their own, a part beside the rest under the same partition key:
// one query reads both, one get reads either, a write takes what it changes alone, and indexes copy nothing of the part.
type cut struct {
	attrs []*spec.Attribute
	name  string // of the part
	first bool   // of those of its entity
}

func (c *cut) text() string { return joinedNames(c.attrs) + " apart" }

func joinedNames(as []*spec.Attribute) string {
	var names []string
	for _, a := range as {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}

// literal tells the part from other items of its collection: it stands behind the rest.
func (c *cut) literal() string { return lowerFirst(c.name) }

// parted reports whether an attribute lies in the part.
func (o *option) parted(a *spec.Attribute) bool { return o.cut != nil && indexOf(o.cut.attrs, a) >= 0 }

// which parts of an entity a step reads.
type which uint8

const (
	restOnly which = iota // the item that indexes are on; all of what is not cut
	partOnly
	bothParts
)

// splits are the options of an entity that keep some of its attributes in a part. Numbers that a stream keeps in the entity's items
// stay in the rest, which they alone make worth dividing where children come and go often.
func splits(f *facts, e *spec.Entity, options []*option, all map[*spec.Entity][]want, ds []*demand) (out []*option) {
	cuts := map[bool][][]*spec.Attribute{}
	for _, o := range options {
		if o.own == nil || o.within != nil || o.root != nil || o.aside != nil || !o.bare() {
			continue
		}
		follows := len(o.followed) > 0
		if _, known := cuts[follows]; !known {
			cuts[follows] = f.cuts(e, all, ds, o.followed)
		}
		for i, attrs := range cuts[follows] {
			q := *o
			q.cut = &cut{attrs: attrs, name: f.partNameOf(e, attrs), first: i == 0}
			q.name = q.text()
			out = append(out, &q)
		}
	}
	return out
}

// near reports whether the search tries an option where an entity is stored in another way: of splits under another key only
// the first, the others once it has that key.
func (o *option) near(now *option) bool {
	return o.cut == nil || o.cut.first || now.own != nil && now.root == nil && now.within == nil && o.own.key() == now.own.key()
}

// partNameOf names the part after the only attribute that it has, else after the first one and what is beside it.
func (f *facts) partNameOf(e *spec.Entity, attrs []*spec.Attribute) string {
	name := e.Name + "Details"
	if len(attrs) == 1 {
		name = e.Name + upperFirst(attrs[0].Name)
	}
	base := name
	for i := 2; slices.ContainsFunc(f.req.Entities, func(x *spec.Entity) bool { return x.Name == name }); i++ {
		name = base + strconv.Itoa(i)
	}
	return name
}

// maxCuts is how many cuts of an entity are looked into.
const maxCuts = 4

// cuts are the sets of attributes of an entity that are worth a part: what is written most often, with less and less often
// written attributes, and what is left of the entity by each of these, or what of that its lists do not show. A part pays
// only where writes take less units for it than for the whole, more than it takes to make two items in a transaction.
func (f *facts) cuts(e *spec.Entity, all map[*spec.Entity][]want, ds []*demand, followed []*spec.Attribute) (out [][]*spec.Attribute) {
	if e.Bytes.Average <= float64(capacity.WriteBlock) || !f.divisible(e) {
		return nil
	}
	movable := f.movable(e, all, ds)
	rates := f.changeRates(e)
	for _, a := range followed {
		rates[a] = f.countRate(a)
	}
	created := 0.0
	for _, t := range f.of[e] {
		if t.verb == spec.Create {
			created += float64(t.pattern.Rate.Average * t.times.average)
		}
	}
	var steps []float64
	for a, r := range rates { // a version changes with whatever does: alone it is nothing that writes take
		if r > 0 && a.Generated != "version" && !slices.Contains(steps, r) {
			steps = append(steps, r)
		}
	}
	slices.SortFunc(steps, func(a, b float64) int { return cmp.Compare(b, a) })
	listed := listed(e, ds)
	add := func(attrs []*spec.Attribute, hot bool, rate float64) {
		bytes := 0.0
		for _, a := range attrs {
			bytes += a.Bytes.Average
		}
		written := e.Bytes.Average - bytes
		if hot {
			written = bytes
		}
		units := func(bytes float64) float64 { return math.Ceil(bytes / float64(capacity.WriteBlock)) }
		saved, more := rate*(units(e.Bytes.Average)-units(written)), created*(units(e.Bytes.Average)+2)
		if len(attrs) == 0 || saved <= more || len(out) == maxCuts ||
			slices.ContainsFunc(out, func(o []*spec.Attribute) bool { return slices.Equal(o, attrs) }) {
			return
		}
		out = append(out, attrs)
	}
	for _, least := range steps[:min(2, len(steps))] {
		var hot, cold, unlisted []*spec.Attribute
		stays, rate := false, f.changedTogether(e, rates, least)
		for _, a := range followed {
			if rates[a] >= least {
				rate += rates[a]
			}
		}
		for _, a := range e.Attributes {
			can := indexOf(movable, a) >= 0
			switch {
			case rates[a] >= least && can:
				hot = append(hot, a)
			case rates[a] >= least:
				stays = true // it is written with the rest in any case
			case can:
				cold = append(cold, a)
				if indexOf(listed, a) < 0 {
					unlisted = append(unlisted, a)
				}
			}
		}
		if !stays {
			add(hot, true, rate)
		}
		add(unlisted, false, rate)
		add(cold, false, rate)
	}
	return out
}

// divisible reports whether the writes of an entity can take its parts one by one: none makes it where it is not there, puts it
// whole over what is, or deletes it with its parent; and it does not end for readers at a time that one part tells alone. Time
// to live takes the parts of what is kept for some time at different moments, when it may be gone in any case: reads of both
// show neither then. For that each has the time from its creation on, so no write may change it. Each update raises a version,
// in whichever part that lies, and who follows the entity's changes sees each part's.
func (f *facts) divisible(e *spec.Entity) bool {
	if e.Expires != nil || e.Kept != nil && len(f.changed[e.Kept]) > 0 || slices.ContainsFunc(e.Attributes, func(a *spec.Attribute) bool { return a.Sequence != nil }) {
		return false
	}
	return !slices.ContainsFunc(f.of[e], func(t *touch) bool {
		switch t.verb {
		case spec.Replace, spec.Upsert:
			return true
		case spec.Update:
			return t.action.Makes
		case spec.Delete:
			return t.inside != nil
		case spec.Create:
			return !t.pattern.Atomic
		}
		return false
	})
}

// countRate is how often a second a number of children changes, if each change of a child that can count changes it.
func (f *facts) countRate(a *spec.Attribute) (sum float64) {
	way := a.Entity.WayBack(a.Derived.Path[0])
	counts := slices.Clone(way.By)
	for test := range spec.Tests(a.Derived.Where) {
		counts = append(counts, way.From.Attribute(test.Path[0]))
	}
	if len(a.Derived.Path) > 1 {
		counts = append(counts, way.From.Attribute(a.Derived.Path[1]))
	}
	for _, t := range f.of[way.From] {
		if t.verb != spec.Update || t.action.Makes || slices.ContainsFunc(counts, func(x *spec.Attribute) bool { return slices.Contains(f.changed[x], t) }) {
			sum += float64(t.pattern.Rate.Average * t.times.average)
		}
	}
	return sum
}

// changeRates are how often a second each attribute is written anew.
func (f *facts) changeRates(e *spec.Entity) map[*spec.Attribute]float64 {
	rates := map[*spec.Attribute]float64{}
	for _, a := range e.Attributes {
		seen := map[*touch]bool{}
		for _, t := range f.changed[a] {
			if t.entity == e && !seen[t] {
				seen[t] = true
				rates[a] += float64(t.pattern.Rate.Average * t.times.average)
			}
		}
	}
	return rates
}

// changedTogether is how often a second something is written anew of the attributes that are written at some rate or more, and
// of these alone.
func (f *facts) changedTogether(e *spec.Entity, rates map[*spec.Attribute]float64, least float64) (sum float64) {
	seen := map[*touch]bool{}
	for _, a := range e.Attributes {
		for _, t := range f.changed[a] {
			if t.entity == e {
				seen[t] = seen[t] || rates[a] < least
			}
		}
	}
	for _, t := range f.of[e] {
		if both, ok := seen[t]; ok && !both {
			sum += float64(t.pattern.Rate.Average * t.times.average)
		}
	}
	return sum
}

// movable are the attributes that nothing looks for: they are no part of an identity, relationship or marker, no read finds,
// orders or tests by them, and no other entity shows or sums them up.
func (f *facts) movable(e *spec.Entity, all map[*spec.Entity][]want, ds []*demand) []*spec.Attribute {
	fixed := map[*spec.Attribute]bool{}
	at := func(r ref) {
		if r.owner() == e {
			fixed[r.attr] = true
		}
	}
	for _, x := range sortedEntities(all) {
		for _, w := range all[x] {
			for _, r := range append(slices.Clone(w.equal), partRefs(w.then)...) {
				at(r)
			}
		}
	}
	for _, d := range ds {
		for _, q := range d.eqs {
			at(q.ref)
		}
		for _, q := range d.back {
			at(q.ref)
		}
		for _, q := range d.ranges {
			at(q.ref)
		}
		for _, q := range d.order {
			at(q.ref)
		}
		for _, c := range d.filters {
			for _, r := range d.remark(c).refs {
				at(r)
			}
		}
	}
	for _, x := range f.req.Entities {
		for _, a := range x.Attributes {
			if a.Derived != nil {
				if segs, err := x.Resolve(a.Derived.Path); err == nil && segs[len(segs)-1].Attribute != nil {
					fixed[segs[len(segs)-1].Attribute] = true
				}
			}
			if a.Sequence != nil {
				fixed[a.Sequence] = true
			}
		}
		for _, w := range x.There {
			for _, a := range w.By {
				fixed[a] = true
			}
		}
	}
	if e.Kept != nil {
		fixed[e.Kept] = true // markers end with the entity, and are made of its rest
	}
	for _, u := range e.Unique {
		for _, a := range e.Attributes {
			fixed[a] = fixed[a] || u.Rests(a)
		}
	}
	var out []*spec.Attribute
	for _, a := range e.Attributes {
		if !fixed[a] && a.Derived == nil && indexOf(e.Identity, a) < 0 {
			out = append(out, a)
		}
	}
	return out
}

// listed are the attributes of an entity that reads show of several at once.
func listed(e *spec.Entity, ds []*demand) (out []*spec.Attribute) {
	for _, d := range ds {
		if d.target != e || d.pattern.All || d.results.Average <= 1 {
			continue
		}
		for _, r := range d.needs {
			if r.local() && indexOf(out, r.attr) < 0 {
				out = append(out, r.attr)
			}
		}
	}
	return out
}

// partsOf says which parts of a kind have what is wanted: cols are the columns of the rest, without the key's.
func (k *kind) partsOf(needs []ref, cols []string) which {
	if k.option.cut == nil || !slices.ContainsFunc(needs, func(r ref) bool { return r.local() && k.option.parted(r.attr) }) {
		return restOnly
	}
	for _, c := range cols {
		if !slices.ContainsFunc(k.entity.Identity, func(a *spec.Attribute) bool { return a.Name == c }) {
			return bothParts
		}
	}
	return partOnly
}

// halve gives an act on an entity that lies in two parts to those that it is about: each is changed and tested where it lies,
// and one of them says whether the entity is there.
func (w *writer) halve(a *act) {
	o := w.layout.options[a.entity]
	if o == nil || o.cut == nil || a.inside != nil {
		return
	}
	in := func(path string) bool {
		name, _, _ := strings.Cut(path, ".")
		return slices.ContainsFunc(o.cut.attrs, func(x *spec.Attribute) bool { return x.Name == name })
	}
	b := *a
	b.seen, b.stamp, b.still = false, false, false // what is read first of an entity is its rest: nothing is looked for by the part
	b.part, b.set, b.remove, b.changes, b.conds, b.orElse = true, nil, nil, nil, nil, ""
	var rest act
	for _, x := range a.set {
		if in(x.path) {
			b.set = append(b.set, x)
		} else {
			rest.set = append(rest.set, x)
		}
	}
	for _, x := range a.remove {
		if in(x) {
			b.remove = append(b.remove, x)
		} else {
			rest.remove = append(rest.remove, x)
		}
	}
	for _, x := range a.changes {
		if o.parted(x) {
			b.changes = append(b.changes, x)
		} else {
			rest.changes = append(rest.changes, x)
		}
	}
	for _, text := range a.conds {
		stated := a.touch.action.Condition != nil && a.touch.action.Condition.String() == text
		for _, c := range w.conjuncts(a, text) {
			switch here, there := sides(c.paths, in); {
			case here && there:
				w.refuse("%s tests both parts of a %s in one condition", w.plan.pattern.Name, a.entity.Name)
			case here:
				b.conds = append(b.conds, c.text)
				if stated {
					b.orElse = a.orElse
				}
			default:
				rest.conds = append(rest.conds, c.text)
				if stated {
					rest.orElse = a.orElse
				}
			}
		}
	}
	a.orElse = rest.orElse
	a.set, a.remove, a.changes, a.conds = rest.set, rest.remove, rest.changes, rest.conds
	i := slices.Index(w.plan.acts, a)
	switch {
	case a.verb == actDelete:
		w.plan.acts = slices.Insert(w.plan.acts, i+1, &b)
	case len(b.changes)+len(b.conds) == 0:
		return
	case !a.seen && !a.still && len(a.changes)+len(a.add) == 0 && !slices.ContainsFunc(a.conds, func(c string) bool { return c != "present" }):
		b.conds = append([]string{"present"}, b.conds...)
		w.plan.acts[i] = &b
		return
	default:
		if len(a.changes)+len(a.add) == 0 {
			a.verb = actCheck
		}
		if len(b.changes) == 0 {
			b.verb = actCheck
		}
		b.conds = append([]string{"present"}, b.conds...)
		w.plan.acts = slices.Insert(w.plan.acts, i+1, &b)
	}
	if !w.plan.pattern.Atomic && a.verb != actDelete {
		w.refuse("%s writes both parts of a %s, and need not write all at once", w.plan.pattern.Name, a.entity.Name)
	}
}

// conjunct is a test that must hold, with the paths that it names.
type conjunct struct {
	text  string
	paths []spec.Path
}

// conjuncts takes a condition of an act apart, as far as the requirements state it.
func (w *writer) conjuncts(a *act, text string) []conjunct {
	c := a.touch.action.Condition
	if c == nil || c.String() != text { // one of our own, which begins with what it tests
		name, _, found := strings.Cut(text, " ")
		if !found {
			return []conjunct{{text: text}} // present, absent
		}
		return []conjunct{{text, []spec.Path{{name}}}}
	}
	var out []conjunct
	var take func(c spec.Condition)
	take = func(c spec.Condition) {
		if l, ok := c.(*spec.Logic); ok && l.Op == "and" {
			for _, x := range l.Args {
				take(x)
			}
			return
		}
		x := conjunct{text: c.String()}
		for t := range spec.Tests(c) {
			x.paths = append(x.paths, t.Path)
			for _, v := range t.Args {
				for term := range v.Terms() {
					x.paths = append(x.paths, term.Path)
				}
			}
		}
		out = append(out, x)
	}
	take(c)
	return out
}

// sides reports whether some of the paths lie in the part, and some in the rest.
func sides(paths []spec.Path, in func(string) bool) (part, rest bool) {
	for _, p := range paths {
		if len(p) > 0 {
			part, rest = part || in(p[0]), rest || !in(p[0])
		}
	}
	return part, rest
}
