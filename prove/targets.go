package prove

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// skewOver is how a write's calls spread over the instances of an entity that it is about.
func skewOver(p *spec.Pattern, e *spec.Entity) spec.Skew {
	if p.SpreadsOver(e) {
		return p.Skew
	}
	return spec.Skew{}
}

// targets are the instances that the keys of a pattern's actions are about, chosen so that parameters which several
// actions share agree.
func (k *caller) targets(p *spec.Pattern, intent Intent, around *Instance, args *attr.Item) (map[string]attr.Value, map[*spec.Entity]*Instance) {
	named := map[string]attr.Value{}
	if k.together != nil {
		for ref, v := range k.together.names {
			if name := strings.TrimPrefix(ref, "$"); p.Parameter(name) != nil {
				named[name] = v
			}
		}
	}
	for ref, v := range k.said {
		name := strings.TrimPrefix(ref, "$")
		if q := p.Parameter(name); name != ref && q != nil && q.Entity == nil && q.Like != nil && !q.List {
			named[name] = v
		}
	}
	about := map[*spec.Entity]*Instance{}
	fixed := map[string]bool{}      // parts of passed values that say what an action before is about
	taken := map[*Instance]bool{}   // what actions before change
	made := map[*spec.Action]bool{} // what makes what it would change
	for _, a := range p.Actions {
		made[a] = (around == nil || around.Entity != a.Entity) && k.makes(p, a)
	}
	for _, a := range k.byKeys(p, made, around) {
		all := k.cast.byRank[a.Entity]
		if len(all) == 0 || intent != Contrary && a.AdmitsNone() && (isAbsent(a.Condition) || k.src.chance(0.5)) {
			continue // what must not be there is what nobody has named
		}
		rank, contrary := k.cast.pick(len(all), skewOver(p, a.Entity), p), -1
		own := ofItself(a.Condition)
		if intent == Contrary && own != nil && k.src.chance(0.5) {
			contrary = k.src.rnd.IntN(len(all))
		}
		in := k.o.key(a, *args, attr.Item{})                 // its key may be in a value that is passed
		if in == nil && intent != Absent && len(named) > 0 { // or follow from what another action is about
			in = k.o.key(a, given(*args, named), attr.Item{})
		}
		if k.playing[a] != nil {
			in = k.playing[a]
		}
		passed := k.passed(a, *args)
		anew := made[a] && in == nil && len(passed) == len(a.Key) // what is passed names nobody yet, and that is to be made
		var under []*Instance                                     // what a list can speak of
		if q := listOf(p, a); q != nil && in == nil && intent != Absent && named[q.Name].IsZero() {
			var said bool
			if under, said = k.under(a, given(*args, named), taken, intent); said && len(under) == 0 && !a.Makes {
				named[q.Name] = attr.List()
				continue
			}
		}
		var beside []*Instance // what agrees with a part of the key that an action before has said
		if in == nil && intent != Absent && len(a.Each) == 0 {
			beside, _ = k.under(a, given(*args, named), taken, intent)
		}
		switch {
		case in != nil:
		case len(under) > 0:
			in = under[k.src.rnd.IntN(len(under))]
		case around != nil && around.Entity == a.Entity && !taken[around]: // DynamoDB takes one action on an item
			in = around
		case len(beside) > 0:
			in = beside[k.src.evenIndex(len(beside), a, "beside")]
		case contrary >= 0: // such as the condition refuses
			in = k.nearest(search{action: a, refused: true}, all, contrary, false, func(in *Instance) bool { return !in.Gone && k.refused(own, in) })
		default:
			do := func(in *Instance) bool {
				return !in.Gone && (intent != Regular && intent != Freed || k.suits(a, in))
			}
			if in = k.akin(a, passed, *args, fixed, func(in *Instance) bool { return do(in) && !taken[in] }); in != nil {
				break
			}
			if intent != Absent && !made[a] {
				if in = k.beside(a, named, func(in *Instance) bool { return do(in) && !taken[in] }); in != nil {
					break
				}
			}
			if intent == Regular || intent == Freed {
				in = k.suited(p, a, all, rank)
			} else {
				in = k.nearest(search{action: a}, all, rank, intent == Regular || intent == Freed, do)
			}
		}
		if intent != Absent {
			for _, key := range passed {
				said := a.Makes && fixed[key.Value.Reference.String()] // what makes what is missing leaves the rest of its key as it is
				if !said && !anew && !k.settled(p, key.Value.Reference) {
					place(args, spec.Path(key.Value.Reference), in.Item.Get(key.Path[0]))
				}
				fixed[key.Value.Reference.String()] = true
			}
		}
		about[a.Entity], taken[in] = in, !a.Checks()
		if intent == Absent && k.src.chance(0.3) && len(all) > 1 { // half of the key right
			other := all[k.src.rnd.IntN(len(all))]
			mixed := in.Item.Clone()
			mixed.Set(a.Entity.Identity[0].Name, other.Item.Get(a.Entity.Identity[0].Name))
			in = &Instance{Entity: a.Entity, Item: mixed}
		}
		k.elements(p, a, in, intent, named, taken)
		alone := map[string]*spec.Attribute{} // parameters of this action's key alone
		for _, key := range a.Key {
			if r := key.Value.Reference; len(r) == 1 && r[0] != "each" && named[r[0]].IsZero() {
				alone[r[0]] = a.Entity.Attribute(key.Path[0])
				named[r[0]] = in.Item.Get(key.Path[0])
				if intent == Absent && len(a.Entity.Identity) == 1 {
					named[r[0]] = k.src.value(a.Entity.Identity[0], middle, true)
				}
			}
		}
		if made[a] && len(alone) > 0 {
			k.another(a, all, alone, *args, named)
		}
		for range tries { // what is made is not what another action changes
			if !a.Makes || len(alone) == 0 || !k.o.doubles(p, given(*args, named)) {
				break
			}
			other := all[k.src.rnd.IntN(len(all))]
			for name, at := range alone {
				named[name] = other.Item.Get(at.Name)
			}
		}
		k.states(p, a, in, intent, named, args)
		k.known(p, a, in, intent, named)
		if k.regular {
			k.agree(p, a, in, named, args)
		}
	}
	return named, about
}

// isAbsent reports whether a condition is that there is nothing.
func isAbsent(c spec.Condition) bool {
	t, ok := c.(*spec.Test)
	return ok && t.Op == "absent" && len(t.Path) == 0
}

// settled reports whether what a call passes is demanded of what it makes.
func (k *caller) settled(p *spec.Pattern, r spec.Reference) bool {
	q := p.Parameter(r[0])
	return k.demand != nil && q != nil && q.Entity == k.demand.entity && k.demand.fixed.Has(r[len(r)-1])
}

// byKeys lists the actions that change or delete in the order in which it is drawn what they are about. One that may
// make what it changes goes before what a part of its key names, if it is to find something there: of the players some
// have no score yet.
func (k *caller) byKeys(p *spec.Pattern, made map[*spec.Action]bool, around *Instance) (out []*spec.Action) {
	for _, a := range p.Reading() {
		if a.Verb != spec.Update && a.Verb != spec.Delete {
			continue
		}
		at := len(out)
		if a.Makes && !made[a] {
			if i := slices.IndexFunc(out, func(b *spec.Action) bool {
				return partOf(b, a) && !k.choosy(p, b) && (around == nil || around.Entity != b.Entity)
			}); i >= 0 {
				at = i
			}
		} else if i := slices.IndexFunc(out, func(b *spec.Action) bool {
			return tells(a, b) && !tells(b, a) && (around == nil || around.Entity != b.Entity)
		}); i >= 0 {
			at = i
		}
		out = slices.Insert(out, at, a)
	}
	return out
}

// tells reports whether the condition of an action says, beside its key, what another one is about: of the entries of a
// list few have an offer, and one that has it says of which plot.
func tells(a, b *spec.Action) bool {
	says, conditional := map[string]bool{}, map[string]bool{}
	for _, key := range a.Key {
		says[key.Value.Reference.String()] = true
	}
	for _, e := range equals(a) {
		conditional[e.ref.String()] = true
	}
	needs := false
	for _, key := range b.Key {
		r := key.Value.Reference.String()
		if len(key.Value.Reference) == 0 || !says[r] && !conditional[r] {
			return false
		}
		needs = needs || !says[r]
	}
	return needs && len(a.Each) == 0 && len(b.Each) == 0
}

// partOf reports whether the key of an action is a part of the key of another one.
func partOf(b, a *spec.Action) bool {
	return len(b.Each) == 0 && len(a.Each) == 0 && len(b.Key) < len(a.Key) && !slices.ContainsFunc(b.Key, func(x spec.Assign) bool {
		return len(x.Value.Reference) != 1 || !slices.ContainsFunc(a.Key, func(y spec.Assign) bool { return slices.Equal(x.Value.Reference, y.Value.Reference) })
	})
}

// choosy reports whether it rests on the state of an instance, or on what a condition says of it alone, whether an
// action can be done.
func (k *caller) choosy(p *spec.Pattern, a *spec.Action) bool {
	return ofItself(a.Condition) != nil || movesStates(p, a) && !again(a)
}

// beside is an instance that will do and has the parts of its key that actions before have said: a score of the player
// whose battle it is. nil if none is said, or there is none.
func (k *caller) beside(a *spec.Action, named map[string]attr.Value, do func(*Instance) bool) *Instance {
	var list []*Instance
	known := map[string]attr.Value{}
	for _, key := range a.Key {
		r := key.Value.Reference
		if len(r) != 1 || named[r[0]].IsZero() || len(a.Each) > 0 {
			continue
		}
		if of := k.o.stores[a.Entity].lookup(key.Path[0], named[r[0]]); len(known) == 0 || len(of) < len(list) {
			list = of
		}
		known[key.Path[0]] = named[r[0]]
	}
	if len(list) == 0 {
		return nil
	}
	from := k.src.evenIndex(len(list), a, "beside")
	for i := range min(len(list), farthest) {
		k.o.looked++
		in, agrees := list[(from+i)%len(list)], true
		for name, v := range known {
			agrees = agrees && attr.Equal(in.Item.Get(name), v)
		}
		if agrees && do(in) {
			return in
		}
	}
	return nil
}

// first is the name of the parameter that says a part of a key.
func first(key spec.Assign) string {
	if len(key.Value.Reference) == 0 {
		return ""
	}
	return key.Value.Reference[0]
}

// another gives the parameters that an action's key alone has values with which it makes what nobody has.
func (k *caller) another(a *spec.Action, all []*Instance, alone map[string]*spec.Attribute, args attr.Item, named map[string]attr.Value) {
	last := lastGiven(a.Entity)
	free := last != nil && slices.ContainsFunc(a.Key, func(key spec.Assign) bool { return alone[first(key)] == last })
	for range tries {
		other := all[k.src.rnd.IntN(len(all))]
		for _, key := range a.Key {
			switch at := alone[first(key)]; {
			case at == nil:
			case at == last:
				named[first(key)] = k.src.value(at, middle, true)
			case !free:
				named[first(key)] = other.Item.Get(at.Name)
			}
		}
		if k.o.key(a, given(args, named), attr.Item{}) == nil {
			return
		}
	}
}

// given are the arguments of a call with what is known already of those still to be stated.
func given(args attr.Item, named map[string]attr.Value) attr.Item {
	out := args.Clone()
	for name, v := range named {
		out.Set(name, v)
	}
	return out
}

// passed are the parts of a key that stand in values which a call passes.
func (k *caller) passed(a *spec.Action, args attr.Item) (out []spec.Assign) {
	if len(a.Each) > 0 {
		return nil
	}
	for _, key := range a.Key {
		if r := key.Value.Reference; len(r) > 1 && args.Get(r[0]).Map().Len() > 0 {
			out = append(out, key)
		}
	}
	return out
}

// akin is an instance that will do and has the foreign keys of the values which a call passes: of the account whose
// receipt is made, say. nil if there is none.
func (k *caller) akin(a *spec.Action, passed []spec.Assign, args attr.Item, fixed map[string]bool, do func(*Instance) bool) *Instance {
	said := func(key spec.Assign) bool { return fixed[key.Value.Reference.String()] }
	bound := slices.ContainsFunc(passed, said)
	for _, key := range passed {
		at := a.Entity.Attribute(key.Path[0])
		if at == nil || at.Reference == nil || bound && !said(key) {
			continue
		}
		v, ok := k.o.eval(key.Value, nil, args, attr.Item{})
		if !ok {
			continue
		}
		list := k.o.stores[a.Entity].lookup(at.Name, v)
		for i, from := 0, k.src.evenIndex(max(len(list), 1), a, "akin"); i < min(len(list), farthest); i++ {
			k.o.looked++
			if in := list[(from+i)%len(list)]; do(in) && !slices.ContainsFunc(passed, func(key spec.Assign) bool {
				v, ok := k.o.eval(key.Value, nil, args, attr.Item{})
				return said(key) && !(ok && attr.Equal(v, in.Item.Get(key.Path[0])))
			}) {
				return in
			}
		}
	}
	return nil
}

// makes reports whether the current try makes what an action would update. It is drawn once: values are made such that
// they name nobody then.
func (k *caller) makes(p *spec.Pattern, a *spec.Action) bool {
	if !a.Makes || len(a.Each) > 0 {
		return false
	}
	anew, drawn := k.anew[a]
	if !drawn {
		anew = k.src.evenChance(k.newly(p, a), a, "makes")
		k.anew[a] = anew
	}
	return anew
}

// newly is the share of calls that make what they would update: as many as is stated while capacity is measured, and
// none while data is made that has them already.
func (k *caller) newly(p *spec.Pattern, a *spec.Action) float64 {
	switch {
	case k.measuring:
		return a.Made(p)
	case k.seeding != nil && k.seeding.put[a.Entity] != nil: // those that are stored are made whole: see puts
		return 0
	}
	return 0.25
}

// lastGiven is the last attribute of an identity that is no foreign key; nil if all are.
func lastGiven(e *spec.Entity) *spec.Attribute {
	for _, a := range slices.Backward(e.Identity) {
		if a.Reference == nil {
			return a
		}
	}
	return nil
}

// listOf is the list parameter, of what is no entity, for each of whose elements an action is done; nil if there is
// none.
func listOf(p *spec.Pattern, a *spec.Action) *spec.Parameter {
	if len(a.Each) != 1 {
		return nil
	}
	if q := p.Parameter(a.Each[0]); q != nil && q.Like != nil && q.List {
		return q
	}
	return nil
}

// elements gives a list, for each of whose elements an action is done, elements that belong together: instances that
// agree in what of their keys the list does not say, each once, the first of them the one that the call is about.
func (k *caller) elements(p *spec.Pattern, a *spec.Action, about *Instance, intent Intent, named map[string]attr.Value, taken map[*Instance]bool) {
	q := listOf(p, a)
	if q == nil {
		return
	}
	type said struct{ field, identity string } // what is said of an element, or bare, and of which part of the identity
	var inside []said
	var common []string // own attributes in which all elements agree with the first
	agree := func(name string) bool {
		known := !about.Item.Get(name).IsZero()
		if known && !slices.Contains(common, name) {
			common = append(common, name)
		}
		return known
	}
	ranked := true
	for _, key := range a.Key {
		if r := key.Value.Reference; first(key) == "each" && len(r) <= 2 {
			inside = append(inside, said{strings.Join(r[1:], ""), key.Path[0]})
		} else if agree(key.Path[0]) {
			ranked = false
		}
	}
	for _, s := range inside {
		if slices.Contains(q.Same, s.field) {
			agree(s.identity)
		}
	}
	alike := slices.DeleteFunc(equals(a), func(e equal) bool { return e.ref[0] == "each" })
	for _, e := range alike {
		if e.at.Derived == nil {
			agree(e.at.Name)
		}
	}
	shared := slices.DeleteFunc(slices.Clone(a.Key), func(key spec.Assign) bool {
		return first(key) == "each" && len(key.Value.Reference) <= 2
	})
	members := k.cast.byRank[a.Entity]
	if len(common) > 0 {
		values := make([]attr.Value, len(common))
		for i, name := range common {
			values[i] = about.Item.Get(name)
		}
		members = slices.Clone(k.o.stores[a.Entity].lookupAll(common, values))
		if ranked {
			slices.SortFunc(members, func(a, b *Instance) int { return cmp.Compare(k.cast.rank[a], k.cast.rank[b]) })
		}
	}
	members = slices.DeleteFunc(slices.Clone(members), func(in *Instance) bool {
		switch {
		case in.Gone || in == about || taken[in]:
			return true
		case slices.ContainsFunc(shared, func(key spec.Assign) bool {
			return !attr.Equal(in.Item.Get(key.Path[0]), about.Item.Get(key.Path[0]))
		}):
			return true
		case intent == Regular && !k.suits(a, in):
			return true
		case slices.ContainsFunc(inside, func(s said) bool { // what all elements have in common
			return slices.Contains(q.Same, s.field) && !attr.Equal(in.Item.Get(s.identity), about.Item.Get(s.identity))
		}):
			return true
		}
		return slices.ContainsFunc(alike, func(e equal) bool { // one value of the call is to be equal to what each of them has
			return !attr.Equal(k.o.value(in, spec.Path{e.at.Name}), k.o.value(about, spec.Path{e.at.Name}))
		})
	})
	list := named[q.Name].Elems() // what another action has said of them
	n := len(list)
	if n == 0 {
		n = k.number(func() int { return k.elementsOf(q) })
	}
	out := make([]attr.Value, 0, n)
	for i := range n {
		var one attr.Item
		switch {
		case i < len(list):
			one = elementItem(list[i]).Clone()
		case q.Like.Type == spec.MapType:
			one = k.src.mapping(q.Like, middle)
		}
		last := lastGiven(a.Entity)
		in, made := about, a.Makes && last != nil && slices.ContainsFunc(inside, func(x said) bool { return x.identity == last.Name })
		made = made && (i > 0 && len(members) == 0 || k.src.evenChance(k.newly(p, a), a, "makes"))
		if i > 0 && !made {
			if len(members) == 0 {
				break
			}
			at := k.src.rnd.IntN(len(members))
			in = members[at]
			members = slices.Delete(members, at, at+1)
		}
		id := in.Item.Clone()
		for range tries { // until nobody has it
			if !made {
				break
			}
			id.Set(last.Name, k.src.value(last, middle, true))
			if k.o.Find(a.Entity, id) == nil && !slices.ContainsFunc(out, func(e attr.Value) bool {
				return !slices.ContainsFunc(inside, func(x said) bool { return !attr.Equal(elementItem(e).Get(x.field), id.Get(x.identity)) })
			}) {
				break
			}
		}
		for _, x := range inside {
			v := id.Get(x.identity)
			if intent == Absent && (i == 0 || k.src.chance(0.2)) {
				v = k.src.value(a.Entity.Attribute(x.identity), middle, true)
			}
			one.Set(x.field, v)
		}
		if !made {
			k.element(p, a, in, intent, &one)
		}
		if len(inside) > 0 && slices.ContainsFunc(out, func(e attr.Value) bool { // DynamoDB takes one action on an item
			return !slices.ContainsFunc(inside, func(x said) bool { return !attr.Equal(elementItem(e).Get(x.field), one.Get(x.field)) })
		}) {
			continue
		}
		if v := one.Get(bare); q.Like.Type != spec.MapType && !v.IsZero() {
			out = append(out, v)
		} else {
			out = append(out, attr.Map(one))
		}
	}
	named[q.Name] = attr.List(out...)
}

// element gives an element of a list what follows from the instance that it is about: the state that this one moves to,
// and what a condition holds to be as it is stored.
func (k *caller) element(p *spec.Pattern, a *spec.Action, in *Instance, intent Intent, one *attr.Item) {
	for _, s := range a.Set {
		at := a.Entity.Attribute(s.Path[0])
		if r := s.Value.Reference; at != nil && at.States != nil && len(s.Path) == 1 && len(r) == 2 && r[0] == "each" {
			one.Set(r[1], attr.Text(k.next(p, a, at, in, intent)))
		}
	}
	for _, e := range equals(a) {
		if v := in.Item.Get(e.at.Name); k.regular && len(e.ref) == 2 && e.ref[0] == "each" && !v.IsZero() {
			one.Set(e.ref[1], v)
		}
	}
}

// under are the instances of which the elements of a list can speak where actions before have said a part of their
// keys: the steps of the case that is cancelled, without those that another action changes. said is false where no part
// is known.
func (k *caller) under(a *spec.Action, known attr.Item, taken map[*Instance]bool, intent Intent) (list []*Instance, said bool) {
	narrow := func(name string, r spec.Reference) {
		if len(r) != 1 || known.Get(r[0]).IsZero() {
			return
		}
		v := known.Get(r[0])
		if !said {
			list, said = slices.Clone(k.o.stores[a.Entity].lookup(name, v)), true
		}
		list = slices.DeleteFunc(list, func(in *Instance) bool { return !attr.Equal(in.Item.Get(name), v) })
	}
	for _, key := range a.Key {
		narrow(key.Path[0], key.Value.Reference)
	}
	if intent == Regular || intent == Freed { // what its condition holds to be so as well
		for _, e := range equals(a) {
			if e.at.Derived == nil {
				narrow(e.at.Name, e.ref)
			}
		}
	}
	k.o.looked += len(list)
	return slices.DeleteFunc(list, func(in *Instance) bool {
		return taken[in] || (intent == Regular || intent == Freed) && !k.suits(a, in)
	}), said
}

// farthest is how far from a rank something that will do is looked for at most, closest where nothing has been found
// lately.
const (
	farthest = 4_096
	closest  = 16
)

// search is what is looked for: with what an action can be done, or what its condition refuses.
type search struct {
	action  *spec.Action
	refused bool
	joint   bool // with the other actions of the pattern
	scene   *scene
	way     *spec.Relationship // to a parent that is not full
}

// nearest is the instance next to a rank, the hottest being the first, that will do: one that is still there, say, and
// for which a call makes sense. What calls take away or change once thus keeps its spread over ranks, and with it over
// sizes. If none will do, or none that is not too far away, it is the one of the rank. What can move on is looked for
// by its state, for it may be rare, if moves says that it has to.
//
// Each search in vain halves how far the next one for the same goes, and each that finds something doubles it: where
// nothing will do any more, calls do not look at everything again and again.
func (k *caller) nearest(of search, all []*Instance, rank int, moves bool, do func(*Instance) bool) *Instance {
	if in := k.searched(of, func(reach int) *Instance {
		if lists, few := k.movable(of.action, len(all)); moves && few {
			return k.among(lists, all[rank].Born, rank, reach, do)
		}
		return k.outward(all, rank, reach, do)
	}); in != nil {
		return in
	}
	return all[rank]
}

// searched is what a search finds within the reach that it has now; nil: nothing.
func (k *caller) searched(of search, find func(reach int) *Instance) *Instance {
	reach, ok := k.reach[of]
	if !ok {
		reach = farthest
	}
	in := find(reach)
	if in == nil {
		k.reach[of] = max(reach/2, closest)
	} else {
		k.reach[of] = min(2*reach, farthest)
	}
	return in
}

// outward is the instance nearest to a place in a list that will do; nil if none is within reach.
func (k *caller) outward(all []*Instance, rank, reach int, do func(*Instance) bool) *Instance {
	for d := range min(len(all), reach) {
		for i, at := range [...]int{rank - d, rank + d} {
			if at < 0 || at >= len(all) || d == 0 && i > 0 {
				continue
			}
			if k.o.looked++; do(all[at]) {
				return all[at]
			}
		}
	}
	return nil
}

// movable are the instances that are in a state from which an action moves them, a list for each state; few says that
// these are a small part of all.
func (k *caller) movable(a *spec.Action, all int) (lists [][]*Instance, few bool) {
	for _, s := range a.Set {
		at := a.Entity.Attribute(s.Path[0])
		if at == nil || at.States == nil || len(s.Path) > 1 {
			continue
		}
		n := 0
		for _, from := range at.States.Names {
			if leadsFrom(at, s.Value, from) {
				list := k.o.stores[a.Entity].lookup(at.Name, attr.Text(from))
				lists, n = append(lists, list), n+len(list)
			}
		}
		return lists, n <= all/8
	}
	return nil, false
}

// among is the instance of some lists, each in the order of ranks, that is nearest to a rank and will do; nil if none
// is within reach.
func (k *caller) among(lists [][]*Instance, born, rank, reach int, do func(*Instance) bool) *Instance {
	var best *Instance
	off := math.MaxInt
	for _, list := range lists {
		above := sort.Search(len(list), func(i int) bool { return list[i].Born >= born })
		below := above - 1
		away := func(i int) int {
			if i < 0 || i >= len(list) {
				return math.MaxInt
			}
			r, ok := k.cast.rank[list[i]]
			if !ok {
				r = len(k.cast.rank) // nobody has ranked it
			}
			return max(r-rank, rank-r)
		}
		for range reach {
			at, d := below, away(below)
			if e := away(above); e < d {
				at, d = above, e
			}
			if d >= off {
				break
			}
			if at == below {
				below--
			} else {
				above++
			}
			if _, ranked := k.cast.rank[list[at]]; !ranked {
				continue
			}
			if k.o.looked++; do(list[at]) {
				best, off = list[at], d
				break
			}
		}
	}
	return best
}

// constant reports whether an assignment always writes the same value, to what is no state.
func constant(e *spec.Entity, s spec.Assign) bool {
	at := e.Attribute(s.Path[0])
	return at != nil && at.States == nil && len(s.Path) == 1 && s.Value.Op == "" && !s.Value.Now && !s.Value.Literal.IsZero()
}

// sensible reports whether an application would make a change: a state has a next, what is removed is there, what few
// have is set where it is not, a list that may hold so many and no more has room for one more, and of the constants
// that are written not all are there already: seen is what has not been seen. What adds to a number changes that in any
// case.
func sensible(a *spec.Action, in *Instance) bool {
	isConstant := func(s spec.Assign) bool { return constant(a.Entity, s) }
	if !workload.Adds(a) && slices.ContainsFunc(a.Set, isConstant) && !slices.ContainsFunc(a.Set, func(s spec.Assign) bool {
		return isConstant(s) && !attr.Equal(s.Value.Literal, in.Item.Get(s.Path[0]))
	}) {
		return false
	}
	for _, s := range a.Set {
		at := a.Entity.Attribute(s.Path[0])
		switch {
		case at == nil || len(s.Path) > 1:
		case at.States != nil && !leadsTo(at, s.Value, in):
			return false
		case rare(at) && in.Item.Has(at.Name):
			return false
		case fills(at, s) && float64(len(in.Item.Get(at.Name).Elems())) >= at.Length.Max:
			return false
		}
	}
	for _, path := range a.Remove {
		if !in.Item.Has(path[0]) {
			return false
		}
	}
	return true
}

// rare reports whether few have an attribute. What sets it finds it absent.
func rare(at *spec.Attribute) bool { return at.Optional && at.Present < 0.5 }

// adds reports whether an assignment adds an element to a list or set.
func adds(s spec.Assign) bool {
	return len(s.Path) == 1 && (s.Value.Op == "append" || s.Value.Op == "prepend")
}

// fills reports whether an assignment adds an element to what may have only so many.
func fills(at *spec.Attribute, s spec.Assign) bool { return adds(s) && at.Length.Max > 0 }

// needsRoom reports whether an action sets what few have, so that it is absent before, or adds to what may be full.
func needsRoom(a *spec.Action) bool {
	return !a.Makes && slices.ContainsFunc(a.Set, func(s spec.Assign) bool {
		at := a.Entity.Attribute(s.Path[0])
		return at != nil && (len(s.Path) == 1 && rare(at) || fills(at, s))
	})
}

// leadsTo reports whether an instance can move to the state that an update sets: to any other, if callers say which.
func leadsTo(at *spec.Attribute, v spec.Expr, in *Instance) bool {
	return leadsFrom(at, v, in.Item.Get(at.Name).Str())
}

func leadsFrom(at *spec.Attribute, v spec.Expr, from string) bool {
	next := at.States.Next[from]
	if to := v.Literal.Str(); v.Op == "" && to != "" {
		return slices.Contains(next, to)
	}
	return len(next) > 0
}
