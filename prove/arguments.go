package prove

import (
	"math"
	"slices"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// caller makes the arguments of calls from what is stored: present, absent and at the edges.
type caller struct {
	o    *Oracle
	cast *cast
	src  *source
	// small are attributes whose value a write takes away from another: a large one would soon find nothing left.
	small map[*spec.Attribute]bool
	// ample are attributes that are taken from.
	ample map[*spec.Attribute]bool
	// goals are the states in which instances are to end while the data set is made; nil afterwards.
	goals   map[*Instance]string
	seeding *seeding // says in which states these are made at once; nil afterwards
	// wishes are what a few instances of each entity are to meet; demand, if not nil, is what the next one made is to
	// meet.
	wishes map[*spec.Entity][]*wish
	demand *wish
	// enclosing is the value inside which the next is made.
	enclosing *Instance
	alongside map[*spec.Relationship]attr.Item // parents of the next value that the current call makes beside it
	// pairs are attributes that patterns look for in certain states only, and that hardly any entity in these would
	// have by chance.
	pairs map[*spec.Attribute]*pair
	links []*link
	// later are optional attributes that nothing has when it is created, as figures say: regular calls leave them out.
	later map[*spec.Attribute]bool
	// brim are the parents that were full at some time while the data set was made: hardly any gets room again before
	// the end, and where most are full they are asked for again and again.
	brim map[kinship]bool
	// equated are the optional attributes that an action demands to be what a call states: see equatedBy.
	equated map[*spec.Action][]*spec.Attribute
	// bearing are the states of the parents by each way that have children: see bearingOf.
	bearing map[*spec.Relationship][]bearing
	// claims are the unique values that calls have asked for, by what is unique, the latest last.
	claims map[string][]attr.Item
	// measuring calls keep to the data as it was made: estimates speak of it.
	measuring bool
	// regular calls are to be done; around, if not nil, is what the current call is to be about.
	regular bool
	around  *Instance
	// excessive calls take more than there is, lost ones are about what nobody has.
	excessive, lost bool
	// drawn are the numbers that a call's size rests on, in the order in which they are asked for: which values it
	// states, how many elements and children these have, of which rank. What is tried again with other values keeps
	// them: large calls are refused more often than small ones, and to draw them anew would make the mean call too
	// small.
	drawn []int
	asked int                   // of drawn, in the current try
	born  []kinship             // children that the current try makes
	anew  map[*spec.Action]bool // whether it makes what an action would update: see makes
	// parents says which have an only child, at a version of what is stored: see vacant.
	parents   map[kinship]bool
	parentsAt uint64
	// reach is how far the next search goes, patience how often a call is tried: see nearest and write.
	reach    map[search]int
	patience map[*spec.Pattern]int
	// scenes are those of writes that have been looked at, playing who plays in that of the current call, if that is
	// cast.
	scenes  map[*spec.Pattern]*scene
	playing map[*spec.Action]*Instance
	said    map[string]attr.Value // what the names of its scene stand for, if the current call is about those who play it
	leads   []lead                // what the values of the current call have so that they lead to who plays
	staged  *playing              // those who have been made to play last
	// lengths are how many elements the lists of the current call have, if that is known; short says that one has fewer
	// than was drawn, for nothing stored goes with more.
	lengths map[string]int
	short   bool
	// together is what the elements of the current call's lists have in common, if they are chosen; nil if not.
	together *band
}

// kinship is a parent that a call has given to a child.
type kinship struct {
	way    *spec.Relationship
	parent *Instance
}

// number is one of the numbers that a call's size rests on: it is drawn in the first try.
func (k *caller) number(draw func() int) int {
	if k.asked == len(k.drawn) {
		k.drawn = append(k.drawn, draw())
	}
	k.asked++
	return k.drawn[k.asked-1]
}

func newCaller(o *Oracle, c *cast, src *source) *caller {
	src.timely, _ = timely(o.req)
	src.now = func() time.Time { return o.now }
	k := &caller{o: o, cast: c, src: src, parents: map[kinship]bool{}, anew: map[*spec.Action]bool{}, claims: map[string][]attr.Item{},
		small: map[*spec.Attribute]bool{}, ample: map[*spec.Attribute]bool{}, reach: map[search]int{}, patience: map[*spec.Pattern]int{},
		scenes: map[*spec.Pattern]*scene{}, wishes: wishesOf(o.req.Patterns), pairs: pairsOf(o.req, c.pop), links: linksOf(o.req), later: laterOf(o.req), equated: equatedBy(o.req.Patterns), bearing: bearingOf(o.req), brim: map[kinship]bool{}}
	src.days = map[*spec.Attribute]int{}
	for r, law := range c.pop.Children {
		for _, a := range r.From.Identity { // a parent has one of each day: there are as many as it needs, and some more
			if a.Type == spec.Date && slices.Contains(r.From.Identity, r.By[0]) {
				src.days[a] = max(src.days[a], int(1.25*law.Max))
			}
		}
	}
	for _, e := range o.req.Entities {
		for _, of := range append([]spec.Unique{{Of: e.Identity}}, e.Unique...) {
			if a, few := dayAmong(of.Of); a != nil {
				src.days[a] = max(src.days[a], (dayFold*c.pop.Count[e]+daySpare)/few)
			}
		}
	}
	for _, p := range o.req.Patterns {
		for _, a := range p.Actions {
			for _, s := range a.Set {
				if s.Value.Op == "-" {
					k.ample[a.Entity.Attribute(s.Path[0])] = true
					for _, arg := range s.Value.Args {
						if len(arg.Reference) > 1 {
							if at := element(p, a, arg.Reference); at != nil {
								k.small[at] = true
							}
						}
					}
				}
			}
		}
	}
	return k
}

// dayFold and daySpare are how many days there are for what is unique by its day: some for each that is stored at
// first, and some for what calls make. With hardly a day free, most creations would be refused, and calls that need a
// new one could not be made.
const (
	dayFold  = 3
	daySpare = 600
)

// dayAmong is the date among attributes of which all else have few values, and how many of these there are together;
// nil if there is none.
func dayAmong(of []*spec.Attribute) (day *spec.Attribute, few int) {
	few = 1
	for _, a := range of {
		switch n := len(a.Values()); {
		case a.Type == spec.Date && a.Reference == nil && day == nil:
			day = a
		case n > 0:
			few *= n
		case a.Type == spec.Bool:
			few *= 2
		default:
			return nil, 0
		}
	}
	return day, few
}

// element is the attribute of a value's entity that a reference inside an action names.
func element(p *spec.Pattern, a *spec.Action, r spec.Reference) *spec.Attribute {
	r = inList(a, r)
	q := p.Parameter(r[0])
	if q == nil || q.Entity == nil {
		return nil
	}
	e := q.Entity
	for _, name := range r[1 : len(r)-1] {
		switch {
		case e.WayBack(name) != nil:
			e = e.WayBack(name).From
		case e.WayThere(name) != nil:
			e = e.WayThere(name).To
		default:
			return nil
		}
	}
	return e.Attribute(r[len(r)-1])
}

// inList is a reference inside an action with the name of the list instead of each.
func inList(a *spec.Action, r spec.Reference) spec.Reference {
	if r[0] == "each" && len(a.Each) > 0 {
		return append(slices.Clone(a.Each), r[1:]...)
	}
	return r
}

// creation says how instances of an entity come into being: the pattern, the action and the parameter, and the ways
// back by which they stand inside an enclosing value.
type creation struct {
	pattern *spec.Pattern
	action  *spec.Action
	root    *spec.Entity
	way     *spec.Relationship // nil: the entity is the value itself
}

// creationOf finds how an entity is created: inside its parent's value if there is such a pattern, else alone, and then
// by the first of the patterns that create the fewest other entities beside it. With each event of a parcel would come
// a parcel more. Where it is stated how many come inside a value, these are not all that a parent has: others come
// alone.
func creationOf(r *spec.Requirements, e *spec.Entity) *creation {
	var alone, made, some *creation
	fewest := 0
	for _, p := range r.Patterns {
		others := 0
		for _, a := range p.Actions {
			if (a.Verb == spec.Create || a.Verb == spec.Upsert) && a.Entity != e {
				others++
			}
		}
		for _, a := range p.Actions {
			if a.Makes && a.Entity == e && made == nil {
				made = &creation{p, a, e, nil}
			}
			if a.Verb != spec.Create && a.Verb != spec.Upsert {
				continue
			}
			for _, way := range a.With {
				w := a.Entity.WayBack(way)
				switch {
				case w == nil || w.From != e:
				case !p.ValueOf(a).BringsStated(w):
					return &creation{p, a, a.Entity, w}
				case some == nil:
					some = &creation{p, a, a.Entity, w}
				}
			}
			if a.Entity == e && (alone == nil || others < fewest) {
				alone, fewest = &creation{p, a, e, nil}, others
			}
		}
	}
	switch {
	case alone != nil:
		return alone
	case some != nil:
		return some
	}
	return made
}

// broughtInPart reports whether some of an entity come inside the values of their parents, and others alone.
func broughtInPart(r *spec.Requirements, e *spec.Entity) bool {
	if k := creationOf(r, e); k == nil || k.way != nil {
		return false
	}
	return slices.ContainsFunc(r.Patterns, func(p *spec.Pattern) bool {
		return slices.ContainsFunc(p.Parameters, func(q *spec.Parameter) bool {
			return slices.ContainsFunc(q.Inside, func(in spec.Inside) bool { return in.Way.From == e })
		})
	})
}

// --- values of entities ---

// fresh makes a value of an entity for a write pattern: foreign keys to what exists, children inside, and such that
// what the pattern's other actions are about exists too. rank is the entity's place in its laws.
func (k *caller) fresh(p *spec.Pattern, a *spec.Action, param string, rank int) attr.Item {
	value := k.entity(a.Entity, nil, rank)
	k.companions(p, spec.Reference{param}, a.Entity, &value)
	k.enclosing = &Instance{Entity: a.Entity, Item: value.Clone()}
	for _, way := range a.With {
		r := a.Entity.WayBack(way)
		n := k.number(func() int {
			if n, known := k.lengths[(spec.Reference{param, way}).String()]; known {
				return n
			}
			return k.cast.brought(p.Parameter(param), r, rank)
		})
		seen := map[string]bool{}
		var list []attr.Value
		for len(list) < n {
			child, ok := attr.Item{}, false
			for range 20 {
				child = k.entity(r.From, r, k.src.evenIndex(max(k.cast.pop.Count[r.From], 1), r.From, "rank"))
				k.companions(p, spec.Reference{param, way}, r.From, &child)
				if ok = k.chosen(p, spec.Reference{param, way}, &value, &child); !ok {
					k.short = true
					break
				}
				k.enclosing.Item = value.Clone()
				if ok = claimAll(seen, k.o.claimsOf(r.From, under(child, r, value))); ok {
					break
				}
			}
			if !ok {
				break // the identities, and unique values, that are left are used up
			}
			list = append(list, attr.Map(child))
		}
		switch {
		case !r.Single():
			value.Set(way, attr.List(list...))
		case len(list) > 0:
			value.Set(way, list[0])
		}
	}
	return value
}

// under is a child with the key of its parent. An empty text stands for a part that the client generates.
func under(child attr.Item, way *spec.Relationship, parent attr.Item) attr.Item {
	child = child.Clone()
	foreign(&child, way, parent)
	for _, by := range way.By {
		if child.Get(by.Name).IsZero() {
			child.Set(by.Name, attr.Text(""))
		}
	}
	return child
}

// claimAll adds claims to those that are seen, unless one of them is: then it reports false.
func claimAll(seen map[string]bool, claims []string) bool {
	if slices.ContainsFunc(claims, func(c string) bool { return seen[c] }) {
		return false
	}
	for _, c := range claims {
		seen[c] = true
	}
	return true
}

func generated(e *spec.Entity) bool {
	return slices.ContainsFunc(e.Identity, func(a *spec.Attribute) bool { return !a.Given() })
}

// entity makes an entity's own attributes, as a caller states them. inside is the way to the value that encloses it:
// its foreign key is left out.
func (k *caller) entity(e *spec.Entity, inside *spec.Relationship, rank int) attr.Item {
	at := k.cast.standing(e, rank)
	due := k.due(e, inside)
	it, parents := k.foreignKeys(e, inside, at, due)
	for range 30 { // foreign keys that make up the identity: a pair that is not there yet
		if inside != nil || len(parents) < 2 || k.o.Find(e, it) == nil {
			break
		}
		for _, r := range e.There { // in their order: chance must not depend on a map's
			if parent := parents[r]; parent != nil {
				k.cast.giveBack(r, parent)
				k.unborn(r, parent)
			}
		}
		it, parents = k.foreignKeys(e, inside, at, due)
	}
	var paired []*spec.Attribute
	for _, a := range e.Attributes {
		if !a.Given() || a.Reference != nil || it.Has(a.Name) || inside != nil && slices.Contains(inside.By, a) {
			continue
		}
		if k.leaves(a) || a.Optional && k.pairs[a] == nil && !k.src.evenChance(a.Present, a, "present") {
			continue
		}
		if a.States != nil {
			if k.seeding != nil && k.seeding.states[a] {
				it.Set(a.Name, attr.Text(k.src.state(a, it, k.cast.pop.Count[e])))
			}
			continue // else create starts at the first
		}
		if len(a.Enum) > 0 {
			it.Set(a.Name, attr.Text(k.src.share(a, it)))
			continue
		}
		if a.Optional && k.pairs[a] != nil {
			paired = append(paired, a) // once it is known in which state it is
			continue
		}
		it.Set(a.Name, k.plain(a, e, at))
	}
	for _, a := range paired {
		if k.pairs[a].has(k.src, a, it) {
			it.Set(a.Name, k.plain(a, e, at))
		}
	}
	for range 8 { // of what the identity shares with others, so much as makes it one that is not there yet
		if inside != nil || k.goals == nil || k.o.Find(e, it) == nil {
			break
		}
		for _, a := range e.Identity {
			if _, shared := k.cast.pop.Values[a]; shared && a.Given() && a.Reference == nil {
				it.Set(a.Name, k.cast.otherValue(a, it.Get(a.Name)))
			}
		}
	}
	if k.goals != nil {
		k.linked(e, &it, parents)
	}
	k.granted(e, inside, due, &it, parents, at)
	return it
}

// leaves reports whether a call leaves an attribute out of what it creates.
func (k *caller) leaves(a *spec.Attribute) bool { return k.regular && k.seeding == nil && k.later[a] }

// laterOf are the optional attributes that come to what is stored after its creation.
func laterOf(r *spec.Requirements) map[*spec.Attribute]bool {
	out := map[*spec.Attribute]bool{}
	w := workload.New(r, workload.Figures{})
	for _, e := range r.Entities {
		created := w.Initial(e)
		for _, a := range e.Attributes {
			out[a] = created[a.Name] == workload.Gone
		}
	}
	return out
}

// foreignKeys gives a new entity its parents: first those that a key of several attributes leads to, for what these
// share with other keys follows from them.
func (k *caller) foreignKeys(e *spec.Entity, inside *spec.Relationship, at standing, due *wish) (attr.Item, map[*spec.Relationship]*Instance) {
	var it attr.Item
	if due != nil {
		it = due.fixed.Clone()
	}
	if inside == nil {
		for _, r := range e.There {
			parent, is := k.alongside[r]
			if is && !slices.ContainsFunc(r.By, func(a *spec.Attribute) bool { return it.Has(a.Name) }) {
				foreign(&it, r, parent)
			}
		}
	}
	parents := map[*spec.Relationship]*Instance{}
	ways := slices.Clone(e.There)
	slices.SortStableFunc(ways, func(a, b *spec.Relationship) int { return len(b.By) - len(a.By) })
	for _, r := range ways {
		if r == inside || !r.By[0].Given() || k.leaves(r.By[0]) ||
			!slices.ContainsFunc(r.By, func(a *spec.Attribute) bool { return !it.Has(a.Name) }) {
			continue
		}
		if parent := k.wished(due, r, k.agreeing(r, it)); parent != nil {
			foreign(&it, r, parent.Item)
			parents[r] = parent
			if r.PerParent.Stated || r.Single() {
				k.born = append(k.born, kinship{r, parent})
			}
		} else if !slices.ContainsFunc(r.By, func(fk *spec.Attribute) bool { return fk.Optional }) {
			k.dangle(&it, r, at)
		}
	}
	for _, r := range ways { // a part of a key that has to be there where the rest may be absent
		if r != inside && r.By[0].Given() {
			k.dangle(&it, r, at)
		}
	}
	return it, parents
}

// dangle gives a new entity what it has to have of a foreign key though nobody is there yet, as requirements allow.
func (k *caller) dangle(it *attr.Item, r *spec.Relationship, at standing) {
	for _, fk := range r.By {
		if !fk.Optional && !it.Has(fk.Name) {
			it.Set(fk.Name, k.src.value(fk, at, true))
		}
	}
}

// agreeing is a parent by a way there that has what is known of the key already: by a way that is stated before it,
// say. nil: none, or none that has that.
func (k *caller) agreeing(r *spec.Relationship, it attr.Item) *Instance {
	agrees := func(in *Instance) bool {
		if !k.vacant(r, in) || k.claimedBy(r, it, in) || !k.mayHave(r, in) {
			return false
		}
		for i, a := range r.By {
			if v := it.Get(a.Name); !v.IsZero() && !attr.Equal(v, in.Item.Get(r.To.Identity[i].Name)) {
				return false
			}
		}
		return true
	}
	parent := k.cast.parent(r)
	if parent == nil || agrees(parent) {
		return k.roomier(r, parent, agrees)
	}
	k.cast.giveBack(r, parent)
	if other := k.cast.waitingFor(r, agrees); other != nil {
		return other
	}
	for i, a := range r.By {
		if v := it.Get(a.Name); !v.IsZero() {
			var fit []*Instance
			for _, in := range k.o.stores[r.To].lookup(r.To.Identity[i].Name, v) {
				if !in.Gone && agrees(in) {
					fit = append(fit, in)
				}
			}
			if len(fit) > 0 {
				if roomy := slices.DeleteFunc(slices.Clone(fit), func(in *Instance) bool { return k.full(r, in) }); len(roomy) > 0 {
					fit = roomy
				}
				return fit[k.src.evenIndex(len(fit), r, "pick")]
			}
		}
	}
	switch known := slices.ContainsFunc(r.By, func(a *spec.Attribute) bool { return it.Has(a.Name) }); {
	case known:
		return nil
	case r.Single():
		return k.childless(r, parent)
	}
	if all, may := k.cast.byRank[r.To], k.mayHave(r, parent); !may || k.claimedBy(r, it, parent) {
		if in := k.searched(search{way: r, joint: true}, func(reach int) *Instance {
			return k.outward(all, k.cast.rank[parent], reach, func(in *Instance) bool { return !in.Gone && agrees(in) && !k.full(r, in) })
		}); in != nil {
			return in
		}
		if may {
			return parent // all are taken
		}
	}
	return nil
}

// claimedBy reports whether a new instance would be refused under a parent, for another one claims what is unique there
// already: of a bike with an open job no other one is offered. While data is made it is not known yet what claims
// anything.
func (k *caller) claimedBy(r *spec.Relationship, it attr.Item, parent *Instance) bool {
	if !k.regular || k.goals != nil {
		return false
	}
	e := r.From
	return slices.ContainsFunc(e.Unique, func(u spec.Unique) bool {
		if claimedParent(u, it) != r {
			return false
		}
		value := it.Clone()
		foreign(&value, r, parent.Item)
		return u.Claimed(begun(e, value)) && (slices.Contains(k.born, kinship{r, parent}) || k.o.taken(e, u, value, nil))
	})
}

// full reports whether a parent has as many children by a way as are stated at most: applications keep to that, and
// plans rely on it.
func (k *caller) full(r *spec.Relationship, in *Instance) bool {
	if r.Single() || !r.PerParent.Stated {
		return false
	}
	at := kinship{r, in}
	if k.goals != nil && k.brim[at] {
		return true
	}
	n := len(k.o.children(in, r))
	if float64(n) >= r.PerParent.Max {
		if k.goals != nil {
			k.brim[at] = true
		}
		return true
	}
	for _, x := range k.born {
		if x == at {
			n++
		}
	}
	return float64(n) >= r.PerParent.Max
}

// roomier is the parent nearest to one that is full which agrees and may get another child; that one where it is not
// full, or where none is found.
func (k *caller) roomier(r *spec.Relationship, parent *Instance, agrees func(*Instance) bool) *Instance {
	if parent == nil || !k.full(r, parent) {
		return parent
	}
	all := k.cast.byRank[r.To]
	if in := k.searched(search{way: r}, func(reach int) *Instance {
		return k.outward(all, k.cast.rank[parent], reach, func(in *Instance) bool { return !in.Gone && agrees(in) && !k.full(r, in) })
	}); in != nil {
		return in
	}
	return parent
}

// vacant reports whether a parent may get another child by a way: applications promise an only child, and plans rely on
// it.
func (k *caller) vacant(r *spec.Relationship, in *Instance) bool {
	if !r.Single() {
		return true
	}
	if k.parentsAt != k.o.version {
		clear(k.parents)
		k.parentsAt = k.o.version
	}
	has, known := k.parents[kinship{r, in}]
	if !known {
		has = len(k.o.children(in, r)) > 0
		k.parents[kinship{r, in}] = has
	}
	return !has && !slices.Contains(k.born, kinship{r, in})
}

// childless is the parent nearest to one that has a child already, whose only child a new one will be; nil if all have
// one.
func (k *caller) childless(r *spec.Relationship, parent *Instance) *Instance {
	all := k.cast.byRank[r.To]
	if len(all) == 0 {
		return nil
	}
	return k.outward(all, k.cast.rank[parent], farthest, func(in *Instance) bool { return !in.Gone && k.vacant(r, in) })
}

// scarce is the share of what is taken from that has hardly any left: some among forty, and of these one has nothing.
const scarce = 0.1

func (k *caller) plain(a *spec.Attribute, e *spec.Entity, at standing) attr.Value {
	if _, shared := k.cast.pop.Values[a]; shared {
		return k.cast.sharedValue(a)
	}
	v := k.src.value(a, at, slices.Contains(e.Identity, a) || isUnique(e, a))
	switch {
	case e.Expires == a:
		// Most live on for a while; some have ended already.
		ahead := time.Duration(k.src.rnd.Int64N(int64(24*time.Hour))) - 2*time.Hour
		return spec.TimeValue(k.o.now.Add(ahead).Truncate(time.Second))
	case a.Type == spec.Number && k.small[a]:
		n := attr.Int(1)
		if a.Min != nil && a.Min.Cmp(n) > 0 {
			n = *a.Min
		}
		return attr.Num(n)
	case a.Type == spec.Number && k.ample[a] && k.src.evenChance(scarce, a, "scarce"):
		few := attr.Int(int64(k.src.placed[purpose{a, "few"}] % 3)) // the first has nothing
		k.src.placed[purpose{a, "few"}]++
		if a.Min == nil || a.Min.Cmp(few) <= 0 {
			v = attr.Num(few) // of some there is hardly any left
		}
	case a.Type == spec.Number && k.ample[a]:
		other := k.src.value(a, at, false)
		if other.Number().Cmp(v.Number()) > 0 {
			v = other
		}
	}
	return v
}

func isUnique(e *spec.Entity, a *spec.Attribute) bool {
	return slices.ContainsFunc(e.Unique, func(u spec.Unique) bool { return slices.Contains(u.Of, a) })
}

// companions makes a value fit what the other actions of its pattern are about: where an update, delete or a required
// way takes its key from the value, attributes that are free are set so that the key exists.
func (k *caller) companions(p *spec.Pattern, at spec.Reference, e *spec.Entity, value *attr.Item) {
	for _, a := range p.Actions {
		if a.Verb != spec.Update && a.Verb != spec.Delete {
			continue
		}
		from := keyFrom(a, at)
		if len(from) == 1 && len(a.Key) == 1 {
			k.mover(p, a, e, from, value)
		}
		if len(from) < 2 || len(from) != len(a.Key) {
			continue // a single key attribute is a foreign key and exists already
		}
		if k.makes(p, a) {
			continue // what the value names is made
		}
		if fit := k.fitting(p, a, e, from, *value); fit != nil {
			for own, theirs := range from {
				value.Set(own, fit.Item.Get(theirs))
			}
			if k.excessive {
				k.exceed(a, at, e, fit, value)
			}
		}
	}
}

// keyFrom tells which attributes of a passed value identify what an action is about: the value's → the identity's.
func keyFrom(a *spec.Action, at spec.Reference) map[string]string {
	from := map[string]string{}
	for _, key := range a.Key {
		r := key.Value.Reference
		if len(r) > 1 {
			r = inList(a, r)
		}
		if len(r) == len(at)+1 && slices.Equal(r[:len(at)], at) {
			from[r[len(at)]] = key.Path[0]
		}
	}
	return from
}

// mover lets a value point to an instance with which an action can be done, where that rests on its state or on what a
// condition says of it alone: the one that the call is to be about, else that which it points to, else one of a like
// rank. One that is full is not pointed to, unless nothing else will do.
func (k *caller) mover(p *spec.Pattern, a *spec.Action, e *spec.Entity, from map[string]string, value *attr.Item) {
	fixed := ofItself(a.Condition)
	if k.lost && k.src.chance(0.5) { // it points to nothing
		for own, theirs := range from {
			value.Set(own, k.src.value(a.Entity.Attribute(theirs), middle, true))
		}
		return
	}
	if k.excessive && fixed != nil { // such as the condition refuses
		if all := k.cast.byRank[a.Entity]; len(all) > 0 {
			in := k.nearest(search{action: a, refused: true}, all, k.src.rnd.IntN(len(all)), false, func(in *Instance) bool { return !in.Gone && k.refused(fixed, in) })
			for own, theirs := range from {
				value.Set(own, in.Item.Get(theirs))
			}
		}
		return
	}
	if !k.regular || !k.picks(p, a) {
		return
	}
	for own, theirs := range from {
		all := k.cast.byRank[a.Entity]
		now := k.o.Find(a.Entity, attr.ItemOf(attr.Field{Name: theirs, Value: value.Get(own)}))
		var way *spec.Relationship
		if i := slices.IndexFunc(e.There, func(r *spec.Relationship) bool { return len(r.By) == 1 && r.By[0].Name == own }); i >= 0 {
			way = e.There[i]
			k.unborn(way, now)
		}
		do := func(in *Instance) bool {
			return k.suits(a, in) && k.joins(p, a, in) && (way == nil || !k.full(way, in))
		}
		switch {
		case k.around != nil && k.around.Entity == a.Entity:
			now = k.around
		case len(all) == 0:
			return
		case now == nil || !do(now):
			var rank int
			if now == nil {
				rank = k.src.rnd.IntN(len(all))
			} else {
				rank = k.cast.rank[now]
			}
			now = k.nearest(search{action: a, joint: true, way: way}, all, rank, true, func(in *Instance) bool { return !in.Gone && do(in) })
			if !do(now) {
				now = k.suited(p, a, all, rank)
			}
		}
		value.Set(own, now.Item.Get(theirs))
		if way != nil {
			k.born = append(k.born, kinship{way, now})
		}
	}
}

// unborn takes back that the current try makes a child of a parent.
func (k *caller) unborn(r *spec.Relationship, parent *Instance) {
	if i := slices.Index(k.born, kinship{r, parent}); i >= 0 {
		k.born = slices.Delete(k.born, i, i+1)
	}
}

// picks reports whether an action can sensibly be done with some instances only, by their states, by what a condition
// says of them alone, or because it needs room in them.
func (k *caller) picks(p *spec.Pattern, a *spec.Action) bool {
	return ofItself(a.Condition) != nil || movesStates(p, a) && !again(a) || needsRoom(a)
}

// suited is the instance nearest to a rank with which an action can be done, and what follows from its key as well; if
// there is none, one with which the action can.
func (k *caller) suited(p *spec.Pattern, a *spec.Action, all []*Instance, rank int) *Instance {
	do := func(in *Instance) bool { return !in.Gone && k.suits(a, in) && k.joins(p, a, in) }
	if len(p.Actions) > 1 {
		if in := k.nearest(search{action: a, joint: true}, all, rank, true, do); do(in) {
			return in
		}
	}
	return k.nearest(search{action: a}, all, rank, true, func(in *Instance) bool { return !in.Gone && k.suits(a, in) })
}

// ofItself is what a condition says of an instance whatever callers state; nil: nothing.
func ofItself(c spec.Condition) spec.Condition {
	return spec.Without(bothEnds(c), func(string) bool { return true })
}

// bothEnds is a condition with each `between` as two tests: callers may state one end of it.
func bothEnds(c spec.Condition) spec.Condition {
	switch c := c.(type) {
	case *spec.Test:
		if c.Op == "between" && len(c.Args) == 2 {
			low, high := *c, *c
			low.Op, low.Args = ">=", c.Args[:1]
			high.Op, high.Args = "<=", c.Args[1:]
			return &spec.Logic{Op: "and", Args: []spec.Condition{&low, &high}}
		}
	case *spec.Logic:
		out := &spec.Logic{Op: c.Op}
		for _, x := range c.Args {
			out.Args = append(out.Args, bothEnds(x))
		}
		return out
	}
	return c
}

// refused reports whether a condition that says all it needs refuses a change of an instance.
func (k *caller) refused(fixed spec.Condition, in *Instance) bool {
	return !k.o.holds(fixed, in, attr.Item{}, attr.Item{})
}

// suits reports whether an application would make a change, and whether the change is possible as far as the instance
// alone decides.
func (k *caller) suits(a *spec.Action, in *Instance) bool {
	return sensible(a, in) && k.o.holds(ofItself(a.Condition), in, attr.Item{}, attr.Item{}) &&
		!slices.ContainsFunc(k.equated[a], func(at *spec.Attribute) bool { return !in.Item.Has(at.Name) })
}

// equatedBy are, for each action, the attributes that may be absent and of which its condition says that they are what
// each call states: with what lacks one of them the action cannot be done.
func equatedBy(patterns []*spec.Pattern) map[*spec.Action][]*spec.Attribute {
	out := map[*spec.Action][]*spec.Attribute{}
	for _, p := range patterns {
		for _, a := range p.Actions {
			for _, e := range equals(a) {
				if q := p.Parameter(inList(a, e.ref)[0]); q != nil && !q.Optional && e.at.Optional && e.at.Derived == nil && !a.Makes {
					out[a] = append(out[a], e.at)
				}
			}
		}
	}
	return out
}

// exceed makes a value ask for one more than an instance has left, where an action's condition compares the two.
func (k *caller) exceed(a *spec.Action, at spec.Reference, e *spec.Entity, in *Instance, value *attr.Item) {
	for t := range spec.Tests(a.Condition) {
		if t.Op != ">=" && t.Op != ">" || len(t.Args) != 1 || len(t.Args[0].Reference) == 0 {
			continue
		}
		r := inList(a, t.Args[0].Reference)
		if len(r) != len(at)+1 || !slices.Equal(r[:len(at)], at) {
			continue
		}
		asked := e.Attribute(r[len(at)])
		more, err := k.o.value(in, t.Path).Number().Add(attr.Int(1))
		if asked == nil || asked.Type != spec.Number || err != nil || more.Cmp(mostOf(asked)) > 0 {
			continue
		}
		value.Set(asked.Name, attr.Num(more))
	}
}

// mostOf is the largest number that an attribute can hold.
func mostOf(a *spec.Attribute) attr.Number {
	most := attr.Int(int64(math.Pow10(min(max(a.Digits-a.Scale, 0), 15))) - 1)
	if a.Max != nil && a.Max.Cmp(most) < 0 {
		return *a.Max
	}
	return most
}

// scarcest is the instance that has the least left of what is taken from it.
func (k *caller) scarcest(all []*Instance) *Instance {
	left := func(in *Instance) attr.Number {
		for _, a := range in.Entity.Attributes {
			if v := in.Item.Get(a.Name); k.ample[a] && v.Kind() == attr.KindN {
				return v.Number()
			}
		}
		return attr.Number{}
	}
	return slices.MinFunc(all, func(a, b *Instance) int { return left(a).Cmp(left(b)) })
}

// fitting finds an instance whose identity agrees with what the value has by a stated relationship; any one if none
// does. For a regular call it is one with which the action can be done, if there is one.
func (k *caller) fitting(p *spec.Pattern, act *spec.Action, e *spec.Entity, from map[string]string, value attr.Item) *Instance {
	target := act.Entity
	choosy := k.regular && k.picks(p, act)
	if choosy && k.around != nil && k.around.Entity == target {
		return k.around
	}
	for _, a := range e.Attributes {
		theirs, ok := from[a.Name]
		if !ok || a.Reference == nil || !a.Reference.PerParent.Stated {
			continue
		}
		if fit := k.o.stores[target].lookup(theirs, value.Get(a.Name)); len(fit) > 0 {
			if k.excessive {
				return k.scarcest(fit)
			}
			if one := fit[k.src.rnd.IntN(len(fit))]; !choosy || k.suits(act, one) {
				return one
			}
		}
	}
	if all := k.cast.byRank[target]; len(all) > 0 {
		if choosy {
			return k.nearest(search{action: act}, all, k.cast.pick(len(all), skewOver(p, act.Entity), p), true, func(in *Instance) bool { return !in.Gone && k.suits(act, in) })
		}
		return all[k.src.rnd.IntN(len(all))]
	}
	return nil
}
