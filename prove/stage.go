package prove

import (
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// stagings are how often it is tried to make what a write needs and nothing stored has: each time more of it is made,
// and less of it is taken from what is stored.
const stagings = 4

// mostInVain is how many of these tries for a write may come to nothing one after another before no more are made.
const mostInVain = 3

// ready makes the arguments of a call that is to be done. Where nothing stored lets it happen any more, that is made
// first.
func (s *session) ready(p *spec.Pattern, intent Intent) attr.Item {
	args := s.call.write(p, intent, -1, nil)
	if s.call.lacks(p, args) {
		return s.provided(p, intent, args)
	}
	return args
}

// provided makes the arguments of a call anew after what it needs has been made; those that it has stay if that does
// not help.
func (s *session) provided(p *spec.Pattern, intent Intent, args attr.Item) attr.Item {
	if in := s.meet(p, nil); in != nil {
		if anew := s.call.write(p, intent, -1, in); !s.call.hopeless(p, anew) || s.call.hopeless(p, args) {
			return anew
		}
	}
	return s.elsewhere(p, args)
}

// meet makes what a write needs to be stored, each in the state that it would have after a life of its own, where none
// is left that will do. It answers who plays the role of an action, or the last role that was cast if no action is
// named. more is what the former is to meet besides. nil: it could not be made.
func (s *session) meet(p *spec.Pattern, of *spec.Action, more ...spec.Condition) *Instance {
	plays := func(r *role) bool { return of == nil || r.action == of }
	if s.vain[p] >= mostInVain || !slices.ContainsFunc(s.call.sceneOf(p).roles, plays) {
		return nil
	}
	lengths := s.lengths(p) // drawn once: what is tried again is as large
	for n := range stagings {
		if in := s.stage(p, of, more, lengths, float64(n)/stagings); in != nil {
			s.vain[p] = 0
			s.pass(s.o.Lag)
			return in
		}
	}
	s.vain[p]++
	return nil
}

// lengths draws the number of elements of each list inside a created value whose elements name stored entities:
// something has to be stored for each element.
func (s *session) lengths(p *spec.Pattern) map[string]int {
	out := map[string]int{}
	for _, r := range s.call.sceneOf(p).roles {
		if r.action == nil || len(r.action.Each) != 2 {
			continue
		}
		list := r.action.Each.String()
		q := p.Parameter(r.action.Each[0])
		if _, drawn := out[list]; drawn || q == nil || q.Entity == nil {
			continue
		}
		if way := q.Entity.WayBack(r.action.Each[1]); way != nil {
			out[list] = s.cast.brought(q, way, s.src.evenIndex(max(s.pop.Count[q.Entity], 1), q, "rank of staged"))
		}
	}
	return out
}

// stage casts all roles of a scene, parents before their children, and makes those who play the last and others where
// anew says so, or where nobody is stored; then those of each further element of lists.
func (s *session) stage(p *spec.Pattern, of *spec.Action, more []spec.Condition, lengths map[string]int, anew float64) *Instance {
	x := s.call.sceneOf(p)
	at := x.enact()
	at.lengths, at.before = lengths, map[*Instance]bool{}
	roles := s.inTurn(x)
	last := s.fill(p, x, at, roles, of, more, anew)
	if last == nil {
		return nil
	}
	for _, list := range slices.Sorted(maps.Keys(lengths)) {
		elements := slices.DeleteFunc(slices.Clone(roles), func(r *role) bool { return r.list != list })
		for range lengths[list] - 1 {
			next := at.another(elements, list)
			if s.fill(p, x, next, elements, nil, nil, anew) == nil {
				return nil
			}
			for _, in := range next.by {
				at.before[in] = true
			}
		}
	}
	s.call.staged = at
	return last
}

// another is a playing of a scene in which nobody plays the roles of the elements of a list yet, and all else is as it
// was.
func (at *playing) another(elements []*role, list string) *playing {
	next := &playing{by: maps.Clone(at.by), names: maps.Clone(at.names), before: maps.Clone(at.before)}
	for _, r := range elements {
		next.before[at.by[r]] = true
		delete(next.by, r)
	}
	maps.DeleteFunc(next.names, func(name string, _ attr.Value) bool { return strings.HasPrefix(name, list+".") })
	return next
}

// fill casts some roles of a scene, or makes those who play them, beside those who play already. It answers who plays
// the role of an action, or the last one that was cast if no action is named; nil: not all can be cast.
func (s *session) fill(p *spec.Pattern, x *scene, at *playing, roles []*role, of *spec.Action, more []spec.Condition, anew float64) (last *Instance) {
	for i, r := range roles {
		var in *Instance
		special := of != nil && r.action == of && len(more) > 0
		w := s.needs(p, x, at, r)
		if special {
			w.meets = own(r.entity, append(spec.Conjuncts(w.meets), more...))
		}
		if i < len(roles)-1 && !special && !(w.meets != nil && s.src.chance(anew)) {
			in = s.stored(x, at, r)
		}
		if in == nil {
			in = s.makeFor(x, at, r, w)
		}
		if in == nil {
			in = s.stored(x, at, r)
		}
		if in == nil {
			return nil
		}
		at.cast(s.oracle, r, in)
		if of == nil || r.action == of {
			last = in
		}
	}
	return last
}

// inTurn are the roles of a scene in the order in which those who play them come into being.
func (s *session) inTurn(x *scene) []*role {
	place := func(r *role) int {
		e := r.entity
		if c := creationOf(s.req, e); c != nil {
			e = c.root
		}
		return slices.IndexFunc(s.order, func(c *creation) bool { return c.root == e })
	}
	out := slices.Clone(x.roles)
	slices.SortStableFunc(out, func(a, b *role) int {
		if n := place(a) - place(b); n != 0 {
			return n
		}
		return above(a.entity) - above(b.entity) // of those that come into being inside another one, that one first
	})
	return out
}

// above counts the entities by which the instances of one are counted, one after the other.
func above(e *spec.Entity) (n int) {
	for way := primary(e); way != nil && way.To != e; way = primary(way.To) {
		n++
	}
	return n
}

// stored is somebody stored who can play a role beside those who play already; nil: there is none, or none that is soon
// found.
func (s *session) stored(x *scene, at *playing, r *role) *Instance {
	list := s.call.auditions(at, r)
	from := s.src.rnd.IntN(max(len(list), 1))
	for i := range min(len(list), farthest) {
		if in := list[(from+i)%len(list)]; s.call.plays(x, at, r, in) {
			return in
		}
	}
	return nil
}

// needs is what an instance that is made for a role is to meet: besides what its action asks of it alone, that it has
// what a call is to state, and what those who play already say that a call will state.
func (s *session) needs(p *spec.Pattern, x *scene, at *playing, r *role) *wish {
	all := spec.Conjuncts(r.asks)
	if r.action != nil {
		if w := wishOf(p, r.action); w != nil {
			all = append(all, spec.Conjuncts(w.meets)...)
		}
	}
	for _, say := range r.says {
		if say.at.Optional && !x.optional[say.name] && at.names[say.name].IsZero() {
			all = append(all, &spec.Test{Path: spec.Path{say.at.Name}, Op: "exists"})
		}
	}
	return &wish{entity: r.entity, meets: own(r.entity, append(all, r.told(at.names)...))}
}

// makeFor makes somebody who can play a role beside those who play already; nil: it cannot be made.
func (s *session) makeFor(x *scene, at *playing, r *role, w *wish) *Instance {
	if r.entity.External {
		return nil
	}
	for _, say := range r.says {
		v := at.names[say.name]
		switch {
		case v.IsZero() || say.at.Follows():
		case !say.at.Given() || !holdsValue(say.at, v):
			return nil // nobody says what is generated, and what one attribute has need not fit another
		default:
			w.fixed.Set(say.at.Name, v)
		}
	}
	c := s.creationBeside(r.entity, w.fixed)
	if c == nil || s.failed(c.pattern) {
		return nil
	}
	for _, u := range r.entity.Unique {
		s.unclaimed(x, at, r.entity, u, w)
	}
	made := &Instance{Entity: r.entity, Item: w.fixed}
	for _, way := range r.entity.There {
		if parent := s.oracle.parent(made, way); parent != nil && !s.call.mayHave(way, parent) {
			return nil
		}
	}
	before := s.oracle.stores[r.entity].born
	s.call.seeding, s.call.demand = s.seeding, w
	s.make(c, s.src.rnd.IntN(max(s.pop.Count[c.root], 1)))
	s.call.seeding, s.call.demand = nil, nil
	for _, in := range slices.Backward(s.oracle.stores[r.entity].made) {
		if in.Born <= before {
			break
		}
		if s.call.plays(x, at, r, in) {
			return in
		}
	}
	return nil
}

// elsewhere moves what a write creates to new parents, where children claim all that are stored: every instrument may
// run already. Of a list each element that is refused gets a parent of its own.
func (s *session) elsewhere(p *spec.Pattern, args attr.Item) attr.Item {
	if s.vain[p] >= mostInVain || !slices.Contains(s.oracle.Check(p, args).Codes, "unique") {
		return args
	}
	for _, a := range p.Actions {
		name := valueParameter(p, a)
		if a.Verb != spec.Create || len(a.Value) > 1 || len(a.Each) > 1 || !args.Has(name) {
			continue
		}
		values, list := []attr.Value{args.Get(name)}, args.Get(name).Kind() == attr.KindL
		if list {
			values = slices.Clone(args.Get(name).Elems())
		}
		claimed, moved := map[string]bool{}, false
		for i, v := range values {
			value := v.Map().Clone()
			for _, u := range a.Entity.Unique {
				way := claimedParent(u, attr.Item{})
				if way == nil || !s.oracle.taken(a.Entity, u, s.oracle.following(a.Entity, value), nil) && claimAll(claimed, s.oracle.claimsOf(a.Entity, value)) {
					continue
				}
				x := s.call.sceneOf(p)
				if parent := s.parentFor(x, x.enact(), way, u); parent != nil {
					foreign(&value, way, parent.Item)
					moved = claimAll(claimed, s.oracle.claimsOf(a.Entity, value)) || moved
				}
			}
			values[i] = attr.Map(value)
		}
		if !moved {
			continue
		}
		anew := args.Clone()
		if anew.Set(name, values[0]); list {
			anew.Set(name, attr.List(values...))
		}
		if s.pass(s.o.Lag); !s.call.hopeless(p, anew) {
			return anew
		}
	}
	s.vain[p]++
	return args
}

// claimedParent is the way to the parent that a unique value claims, or that says of whom it is claimed, if nothing
// else of the value is open besides what is fixed: of a model one rollout runs, and a rollout leads to a build of the
// model.
func claimedParent(u spec.Unique, fixed attr.Item) (way *spec.Relationship) {
	for _, by := range u.Of {
		switch {
		case fixed.Has(by.Name):
		case way != nil || by.Reference == nil || by.Optional || !by.Given():
			return nil // chance finds one
		case slices.ContainsFunc(by.Reference.By, func(x *spec.Attribute) bool { return fixed.Has(x.Name) || x.Optional || !x.Given() }):
			return nil // it has to agree with what is fixed
		default:
			way = by.Reference
		}
	}
	return way
}

// unclaimed gives an instance that is to be made a parent whom nobody claims whose claim it would refuse: of a member
// who has an open case no other one is made. A parent is made where all are taken.
func (s *session) unclaimed(x *scene, at *playing, e *spec.Entity, u spec.Unique, w *wish) {
	way := claimedParent(u, w.fixed)
	if way == nil {
		return
	}
	with := func(in *Instance) attr.Item {
		item := w.fixed.Clone()
		foreign(&item, way, in.Item)
		return item
	}
	all := s.cast.byRank[way.To]
	if len(all) == 0 {
		return
	}
	in := s.call.outward(all, s.src.rnd.IntN(len(all)), farthest, func(in *Instance) bool {
		return !in.Gone && s.call.mayHave(way, in) && !s.oracle.taken(e, u, with(in), nil)
	})
	if in == nil {
		in = s.parentFor(x, at, way, u)
	}
	if in != nil {
		w.fixed = with(in)
	}
}

// parentFor makes a parent of whom nobody claims anything yet. Where a part of its own key says what is claimed, it
// gets a new parent there: a build of a new model.
func (s *session) parentFor(x *scene, at *playing, way *spec.Relationship, u spec.Unique) *Instance {
	w := &wish{entity: way.To}
	for i, by := range way.By {
		up := way.To.Identity[i].Reference
		if !slices.Contains(u.Of, by) || up == nil || up.To == way.To {
			continue
		}
		j := slices.Index(up.By, way.To.Identity[i])
		above := spec.Unique{Of: up.By[j : j+1]}
		grand := s.parentFor(x, at, up, above)
		if grand == nil {
			return nil
		}
		foreign(&w.fixed, up, grand.Item)
	}
	return s.makeFor(x, at, &role{entity: way.To}, w)
}

// holdsValue reports whether an attribute can have a value of another one, as both are stated.
func holdsValue(a *spec.Attribute, v attr.Value) bool {
	switch {
	case a.Reference != nil:
		return true
	case a.States != nil:
		return slices.Contains(a.States.Names, v.Str())
	case len(a.Enum) > 0:
		return slices.Contains(a.Enum, v.Str())
	case v.Kind() == attr.KindN:
		return (a.Min == nil || v.Number().Cmp(*a.Min) >= 0) && v.Number().Cmp(mostOf(a)) <= 0
	case a.Type == spec.String && a.Bytes.Average > 0:
		n := float64(len(v.Str()))
		return n <= max(a.Bytes.Max, a.Bytes.Average) && (n == a.Bytes.Average || a.Bytes.Max > a.Bytes.Average)
	}
	return true
}

// creationBeside is how an instance comes into being of which some attributes are known: alone, where its parent is
// known and may be stored already.
func (s *session) creationBeside(e *spec.Entity, fixed attr.Item) *creation {
	c := creationOf(s.req, e)
	if c == nil || c.way == nil || !slices.ContainsFunc(c.way.By, func(by *spec.Attribute) bool { return fixed.Has(by.Name) }) {
		return c
	}
	for _, p := range s.req.Patterns {
		for _, a := range p.Actions {
			if a.Verb == spec.Create && a.Entity == e && len(a.Each) == 0 {
				return &creation{p, a, e, nil}
			}
		}
	}
	return nil
}
