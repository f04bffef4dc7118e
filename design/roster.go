package design

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// A roster lists entities under values that change, in an order that changes, or while they are in a state: for each of
// them a marker with the values and the identity as its key, put, moved and deleted in the transactions that write the
// entity. A strongly consistent query finds the markers, as no global index lets it, and the values may change, as
// those of a table's key may not. A marker either has all that the lists show, and every change of that writes it too,
// or the key alone, and whoever lists gets each item by it. Markers that have all that is asked of the children of an
// entity can lie in its item collection, so that one query brings it with these.
type roster struct {
	shape  shape              // the values, what the list is ordered by, and the identity
	of     []*spec.Attribute  // all of that
	while  spec.Condition     // of what is listed; nil: all that has the values
	state  *spec.Attribute    // that the condition tests
	stores []*spec.Attribute  // besides its key; nil: nothing
	brings []ref              // of what it stores, that which is derived along ways and never changes
	asked  bool               // by reads
	sole   bool               // it is the marker of what is unique, under that alone
	way    *spec.Relationship // to what the items hold copies of, which they are found by; nil: nothing needs to be
	kin    *spec.Relationship // it lists the children of each parent by this way; nil: it is another list
	root   *spec.Entity       // in whose item collection the markers lie, the parent's; nil: in a table of their own
}

// unique is what the markers of a roster say of the entity: no other instance has the same key, since the identity is
// in it.
func (r *roster) unique() spec.Unique { return spec.Unique{Of: r.of, While: r.while} }

// has reports whether the markers of a roster tell an attribute.
func (r *roster) has(a *spec.Attribute) bool {
	return slices.Contains(r.of, a) || slices.Contains(r.stores, a)
}

// shows reports whether the markers of a roster tell a value.
func (r *roster) shows(x ref) bool { return x.local() && r.has(x.attr) || hasRef(r.brings, x) }

func (r *roster) text() string {
	text := "listed by " + r.shape.key()
	if r.sole {
		text = "told by " + r.shape.key()
	}
	if r.while != nil {
		text += " if " + r.while.String()
	}
	if len(r.stores) > 0 {
		text += " with " + joinedNames(r.stores)
	}
	if r.root != nil {
		text += " in the collection of " + r.root.Name
	}
	return text
}

func rostersText(rs []*roster) string {
	var texts []string
	for _, r := range rs {
		texts = append(texts, r.text())
	}
	return strings.Join(texts, " and ")
}

// rosters are the options of an entity with rosters for the strongly consistent lists by values that change: for all of
// these lists, with keys alone or with all that the lists show.
func rosters(f *facts, e *spec.Entity, options []*option, ds []*demand) (out []*option) {
	var keys, full []*roster
	for _, d := range lists(ds) {
		if d.locates != nil {
			continue
		}
		var r *roster
		var needs []ref
		if d.target == e {
			r, needs = rosterFor(f, d), slices.Clone(d.needs)
			if d.expiry != nil {
				needs = append(needs, ref{from: e, attr: d.expiry})
			}
		} else if n := d.brings(e); n != nil {
			r = rosterBy(n.way)
			for _, x := range n.wants() {
				needs = append(needs, ref{from: e, attr: x}.canonical())
			}
		}
		if r == nil || f.unlistable(e, r.while) != "" {
			continue
		}
		same := func(o *roster) bool { return o.text() == r.text() }
		i := slices.IndexFunc(keys, same)
		if i < 0 {
			keys = append(keys, r)
			full = append(full, r.showing(f, needs))
		} else if full[i] != nil {
			full[i] = full[i].showing(f, needs)
		}
		if i >= 0 && full[i] != nil && r.kin != nil {
			full[i].kin = r.kin
		}
	}
	if len(keys) == 0 {
		return nil
	}
	joined, some := inCollections(full)
	for _, o := range options {
		if !o.listable() {
			continue
		}
		out = append(out, o.listing(keys))
		if slices.Contains(full, nil) {
			continue
		}
		out = append(out, o.listing(full))
		if some {
			out = append(out, o.listing(joined))
		}
	}
	return out
}

// inCollections moves the rosters that list the children of each parent into the collection of the parent: one query
// returns the parent with all of its children. It returns false if no roster can move.
func inCollections(rs []*roster) (out []*roster, some bool) {
	for _, r := range rs {
		if r != nil && r.joins() {
			q := *r
			q.root, some = r.kin.To, true
			r = &q
		}
		out = append(out, r)
	}
	return out, some
}

// joins reports whether the markers of a roster can lie in the collection of a parent: they list the children of each,
// and what ends them is called as what ends others there.
func (r *roster) joins() bool {
	if r.kin == nil || r.kin.To.External {
		return false
	}
	x := r.kin.From
	return x.Expires == nil && x.Kept == nil || ttlName(x) == ttlName(r.kin.To)
}

// foreign is the partition of the markers in the collection of what their entity points to, in the order of its key.
func (r *roster) foreign(own *shape) (out []ref) {
	for _, x := range own.partition {
		out = append(out, ref{from: r.kin.From, attr: r.kin.By[indexOf(r.kin.To.Identity, x.attr)]})
	}
	return out
}

// listable reports whether the markers of rosters can follow the items of an option.
func (o *option) listable() bool {
	return o.own != nil && o.within == nil && !o.pointer && o.cut == nil && !o.indirect()
}

// listing is an option with rosters besides those that it has.
func (o *option) listing(rs []*roster) *option {
	q := *o
	q.rosters = slices.Concat(o.rosters, rs)
	q.name = q.text()
	return &q
}

// unlistable is why no marker of a list can follow an entity; "" if one can: it is written in the same transactions,
// and ends with the entity. A list of those that meet a condition under which nothing ends them has markers without an
// end. A delete that need not be all or nothing takes each entity with its markers at once all the same, and leaves
// what lies under it to others.
func (f *facts) unlistable(e *spec.Entity, while spec.Condition) string {
	for _, a := range []*spec.Attribute{e.Expires, e.Kept} {
		if a != nil && len(f.changed[a]) > 0 && !f.without(e, a, while) {
			return f.changed[a][0].pattern.Name + " changes " + a.Name + ", which ends the marker as well; let it stay"
		}
	}
	for _, t := range f.of[e] {
		switch {
		case !t.pattern.Atomic && t.verb != spec.Delete:
			return t.pattern.Name + " need not write all at once; leave out `atomic: false`"
		case t.verb == spec.Update && t.action.Makes:
			return t.pattern.Name + " may make a " + e.Name + " as it updates one; say `create` of new ones"
		}
	}
	return ""
}

// without reports whether what meets a condition lacks an attribute: a marker of it needs no end that rests on that.
func (f *facts) without(e *spec.Entity, a *spec.Attribute, while spec.Condition) bool {
	return while != nil && (e.Implies(while, &spec.Test{Path: spec.Path{a.Name}, Op: "absent"}) || a == e.Kept && f.req.Over(e, while))
}

// unlisted is why no roster can serve a list by a value that changes; "" if nothing is known.
func (f *facts) unlisted(d *demand) string {
	for _, q := range d.eqs {
		if by := f.changed[q.ref.attr]; q.test == nil && len(by) > 0 {
			if why := f.unlistable(d.target, nil); why != "" {
				return by[0].pattern.Name + " changes " + q.ref.key() + ", which a table key does not follow, and a marker for each does not either: " + why
			}
		}
	}
	return ""
}

// rosterFor is the roster that serves a list; nil: none.
func rosterFor(f *facts, d *demand) *roster {
	e := d.target
	r := &roster{asked: true}
	moves := false
	for _, q := range d.eqs {
		if q.test != nil && len(q.ref.attr.Shares) > 0 && q.ref.local() && r.while == nil {
			r.while, r.state = q.test, q.ref.attr
			moves = moves || !f.fixed(q.ref)
			continue
		}
		if !q.ref.local() || !keyType(q.ref.attr) || !composable(q.ref.attr) || counted(q.ref.attr) {
			continue
		}
		if hasRef(r.shape.partition, q.ref) {
			continue
		}
		r.shape.partition = append(r.shape.partition, q.ref)
		moves = moves || !f.fixed(q.ref) || !q.ref.present()
	}
	for _, c := range d.filters {
		if at := constantTest(e, c); at != nil && (at.States != nil || at.Optional) && r.while == nil {
			r.while, r.state = c, at
			moves = moves || len(f.changed[at]) > 0
		}
	}
	if len(r.shape.partition) == 0 || identified(e, r.shape.partition) || slices.ContainsFunc(e.Unique, d.by) {
		return nil
	}
	for _, p := range d.sequences()[0] {
		if !f.fixed(p.ref) && !d.paged() { // the client sorts, and what the order rests on moves no marker
			break
		}
		if !p.ref.local() || !p.ref.present() || p.absent != nowhere || p.inverted && !invertible(p.ref.attr) ||
			!composable(p.ref.attr) || counted(p.ref.attr) || hasRef(r.shape.refs(), p.ref) {
			break
		}
		r.shape.sort = append(r.shape.sort, p)
		moves = moves || !f.fixed(p.ref)
	}
	if !moves {
		return nil // the key of a table does it
	}
	for _, x := range identityRefs(e) {
		if !composable(x.attr) {
			return nil
		}
		if !hasRef(r.shape.refs(), x) {
			r.shape.sort = append(r.shape.sort, keyPart{ref: x})
		}
	}
	if keyBytes(r.shape.partition) > float64(capacity.PartitionKeyBytes) || keyBytes(partRefs(r.shape.sort)) > float64(capacity.SortKeyBytes) {
		return nil
	}
	for _, x := range r.shape.refs() {
		r.of = append(r.of, x.attr)
	}
	return r
}

// counted reports whether an attribute is derived from children. A write that adds to it does not know the old value,
// and so cannot find the marker under it.
func counted(a *spec.Attribute) bool { return a.Counted() || a.Last() }

// brings is the node of the children of a kind that a demand brings with the one entity that it is about; nil: it
// brings none so.
func (d *demand) brings(e *spec.Entity) *wayNode {
	i := slices.IndexFunc(d.ways, func(n *wayNode) bool { return n.back && n.entity() == e })
	if i < 0 || slices.ContainsFunc(identityRefs(d.target), func(r ref) bool { _, ok := d.equal(r); return !ok }) {
		return nil
	}
	return d.ways[i]
}

// rosterBy is the roster of the children of each parent by a way, which lie under a key without their parent's; nil:
// they lie there.
func rosterBy(way *spec.Relationship) *roster {
	r := &roster{asked: true, kin: way}
	r.shape.partition = refsOf(way.From, way.By)
	for _, x := range identityRefs(way.From) {
		if !hasRef(r.shape.partition, x) {
			r.shape.sort = append(r.shape.sort, keyPart{ref: x})
		}
	}
	for _, x := range r.shape.refs() {
		if !keyType(x.attr) || !composable(x.attr) {
			return nil
		}
		r.of = append(r.of, x.attr)
	}
	if identified(way.From, r.shape.partition) || len(r.of) == len(way.From.Identity) ||
		keyBytes(r.shape.partition) > float64(capacity.PartitionKeyBytes) || keyBytes(partRefs(r.shape.sort)) > float64(capacity.SortKeyBytes) {
		return nil
	}
	return r
}

// showing is a roster whose markers also have what a list needs of its entities, all of it; nil if they cannot. What is
// derived along ways they take from the items, which then hold it as well: it has to be there when one is made, and
// stay as it is.
func (r *roster) showing(f *facts, needs []ref) *roster {
	q := *r
	q.stores = slices.Clone(r.stores)
	for _, x := range needs {
		switch {
		case q.shows(x):
		case x.local() && x.attr.Derived == nil:
			q.store(x.attr)
		case f.stays(x):
			q.store(x.alias)
			q.brings = withRefs(slices.Clone(q.brings), []ref{x})
		default:
			return nil
		}
	}
	return &q
}

// stays reports whether an item holds what is derived along a way from when it is made, and it never changes.
func (f *facts) stays(x ref) bool {
	if x.local() || x.alias == nil || !f.fixed(x) {
		return false
	}
	ok, _ := f.copyable(x)
	return ok
}

// store adds an attribute to what the markers have besides their key.
func (r *roster) store(a *spec.Attribute) {
	all := a.Entity.Attributes
	r.stores = append(slices.Clone(r.stores), a)
	slices.SortFunc(r.stores, func(a, b *spec.Attribute) int { return indexOf(all, a) - indexOf(all, b) })
}

// roster is the roster of a kind whose markers have the values of some attributes; nil: these are unique.
func (o *option) roster(u []*spec.Attribute) *roster {
	if o == nil {
		return nil
	}
	for _, r := range o.rosters {
		if slices.Equal(r.of, u) {
			return r
		}
	}
	return nil
}

// claims are what the markers of a kind rest on: what is unique of its entity, and the keys of its rosters.
func (o *option) claims() []spec.Unique {
	out := slices.Clone(o.entity.Unique)
	for _, r := range o.rosters {
		if !r.sole {
			out = append(out, r.unique())
		}
	}
	return out
}

// byRoster queries the markers of a list, and gets what they do not show.
func (s *seeker) byRoster(a ask, k *kind) []*access {
	if !s.d.strong || a.prev >= 0 || a.depth > 0 {
		return nil
	}
	if n := s.d.brings(a.entity); a.entity != s.d.target && (n == nil || a.related == nil || n.way != a.related.way) {
		return nil
	}
	var out []*access
	for _, r := range k.option.rosters {
		if r.sole || r.while != nil && !s.states(r.while) {
			continue
		}
		rest := a
		rest.eqs = slices.DeleteFunc(slices.Clone(a.eqs), func(e equality) bool { return e.test != nil && r.while != nil && e.test.String() == r.while.String() })
		f, ok := fitKey(rest, &r.shape)
		if !ok || f.full || a.paged && !f.sorted {
			continue
		}
		keep := f.leftovers()
		found := s.estimate(rest, f)
		if r.while != nil {
			found = s.sparseMatches(rest, f, &indexShape{entity: a.entity, sparse: r.while, state: r.state}, found)
		}
		t := &readStep{
			verb: verbQuery, kinds: []*spec.Entity{a.entity}, marker: r.of, eqs: f.eqs, rng: f.rng, down: f.down, prev: a.prev, per: a.per,
			found: found, strong: true,
		}
		if !s.limit(a, t, f) {
			continue
		}
		needs := append(slices.Clone(a.needs), tested(keep)...)
		if len(a.inside) == 0 && !slices.ContainsFunc(needs, func(x ref) bool { return !r.shows(x) }) {
			out = append(out, &access{steps: []*readStep{t}, sorted: f.sorted, keep: keep, found: found, rule: "transactional list"})
			continue
		}
		if acc := s.called(a, k, r, t, f, found, keep); acc != nil {
			out = append(out, acc)
		}
	}
	return out
}

// states reports whether the demand asks only for what meets a condition.
func (s *seeker) states(c spec.Condition) bool {
	return slices.ContainsFunc(spec.Conjuncts(s.d.pattern.Where), func(w spec.Condition) bool { return w.String() == c.String() }) ||
		s.d.target.Implies(s.d.pattern.Where, c)
}

// called follows the markers by gets of the items. An item may have moved since, so what its marker says is tested
// again.
func (s *seeker) called(a ask, k *kind, r *roster, t *readStep, f fit, found matches, keep []remark) *access {
	again := s.changeable(f, &indexShape{entity: a.entity, sparse: r.while, state: r.state})
	if a.paged && (len(again)+len(keep) > 0 || len(s.d.filters) > 0 || s.d.expiry != nil) {
		return nil // how many of a page are left is known too late
	}
	a.needs = append(slices.Clone(a.needs), tested(append(slices.Clone(keep), again...))...)
	cols, copies, ok := s.columns(a, k)
	if !ok {
		return nil
	}
	t.limit = 0
	g := &readStep{
		verb: verbGet, kinds: []*spec.Entity{a.entity}, need: cols, copies: copies, keepers: s.keepers(k, copies), prev: a.base, per: found, found: oneMatch, strong: true,
		parts: k.partsOf(a.needs, cols),
	}
	for _, x := range k.option.own.refs() {
		g.eqs = append(g.eqs, equality{ref: x, value: "@" + x.key()})
	}
	return &access{steps: []*readStep{t, g}, sorted: f.sorted, keep: append(slices.Clone(keep), again...), found: found, rule: "transactional list"}
}

// table completes the table of a roster: what its markers have as their key, and store.
func (r *roster) table(f *facts, t plan.Table, it plan.Item) plan.Table {
	x := r.of[0].Entity
	if r.while != nil {
		it.Holds.While = r.while.String()
	}
	it.Stores = []string{}
	part := func(parts []keyPart) string {
		name := compositeName(&kind{entity: x}, partRefs(parts))
		t.Attributes[name] = plan.S
		if len(parts) == 1 {
			delete(t.Attributes, name)
			name = parts[0].ref.attr.Name
			t.Attributes[name] = wireType(column{ref: parts[0].ref})
		}
		it.Key[name] = template(parts)
		return name
	}
	t.Key.Partition, t.Key.Sort = part(refParts(r.shape.partition)), part(r.shape.sort)
	for _, a := range x.Attributes {
		if slices.Contains(r.stores, a) {
			it.Stores = append(it.Stores, a.Name)
		}
	}
	it.Set = map[string]plan.Template{}
	if f.ends(&it, x, r.while); len(it.Set) > 0 {
		t.TTL = ttlName(x)
		t.Attributes[t.TTL] = plan.N
	}
	t.Items[it.Name] = it
	return t
}

// guest describes the markers of a roster in the collection of the parent: its key tells whose they are.
func (e *emitter) guest(host *figure, g *kind, r *roster) plan.Item {
	x, name := g.entity, g.option.markerName(r.of)
	it := plan.Item{
		Name: name, Holds: plan.Holds{Unique: x.Name + "." + joinNames(r.of)},
		Stores: []string{}, Set: map[string]plan.Template{},
		Key: map[string]string{
			host.partition.name: template(refParts(r.foreign(host.kind.option.own))),
			host.sort.name:      lowerFirst(name) + "#" + templateBeside(r.shape.sort),
		},
	}
	for _, a := range x.Attributes {
		if slices.Contains(r.stores, a) {
			it.Stores = append(it.Stores, a.Name)
		}
	}
	e.facts.ends(&it, x, nil)
	return it
}

// enrol prepares the markers of a roster for what an update changes: it is read first, whole, since a marker may have
// to be put anew. Where no marker moves, what it shows is changed in it as well. false: the rest is done.
func (w *writer) enrol(t *touch, a *act, r *roster, moves bool) bool {
	var shown []*spec.Attribute
	for _, x := range a.changes {
		if slices.Contains(r.stores, x) {
			shown = append(shown, x)
		}
	}
	if before, _ := t.action.Decides(r.while); !moves && (len(shown) == 0 || before == spec.Never) {
		return false
	}
	if !a.still && !w.still(a) {
		w.refuse("%s would have to read the %s first whose place in a list it changes, and to write all at once", w.plan.pattern.Name, a.entity.Name)
		return false
	}
	if moves {
		return true
	}
	m := &act{verb: actUpdate, touch: t, entity: a.entity, marker: r.of, times: t.times, each: a.every()}
	for _, x := range r.of {
		m.key = append(m.key, assignment{x.Name, w.old(a, x)})
	}
	of := func(path string) bool {
		p, err := spec.ParsePath(path)
		return err == nil && slices.ContainsFunc(shown, func(x *spec.Attribute) bool { return x.Name == p[0] })
	}
	for _, s := range a.set {
		if of(s.path) {
			m.set = append(m.set, s)
		}
	}
	for _, p := range a.remove {
		if of(p) {
			m.remove = append(m.remove, p)
		}
	}
	m.changes = shown
	w.do(m)
	return false
}
