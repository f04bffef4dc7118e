package prove

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// A scene is what has to be stored together for a write to be done. Each action of the write that changes what is
// stored is a role, and so is what the ways of its conditions lead to. An instance plays a role if the conditions hold
// for it, and if what the role says of its attributes is the same wherever the scene has the same name: the open ride
// and the scooter in use have one scooterId. That is a conjunctive query over what is stored, and casting a scene is a
// join. What is done for each element of a list has roles for one element.
type scene struct {
	roles    []*role
	optional map[string]bool       // names that a call may leave out
	fixed    map[string]attr.Value // names of constants
	spoilt   bool                  // something in it is not to be so: see breaches
}

// role is what one instance plays.
type role struct {
	entity *spec.Entity
	action *spec.Action // nil: a way leads to it
	list   string       // not empty: it is a role for an element of this list
	says   []saying
	states []spec.Condition // what the action holds against what a call states, but for what is equal to it: see told
	asks   spec.Condition   // what other roles ask of what their ways lead to, which is this one
	needed bool             // what is created has to lead to it
	broken spec.Condition   // not nil: of what the action asks, this alone is not to hold
	unlike *saying          // not nil: this alone is not to be so
}

// saying says that an attribute has the value of a name.
type saying struct {
	at   *spec.Attribute
	name string
}

// playing is who plays the roles of a scene, and what its names stand for then.
type playing struct {
	by    map[*role]*Instance
	names map[string]attr.Value
	// lengths are how many elements lists are to have, and before those who play the roles of elements before.
	lengths map[string]int
	before  map[*Instance]bool
}

// sceneOf is the scene of a write, which has no roles if nothing has to be stored for it.
func (k *caller) sceneOf(p *spec.Pattern) *scene {
	if x, ok := k.scenes[p]; ok {
		return x
	}
	x := &scene{optional: map[string]bool{}, fixed: map[string]attr.Value{}}
	k.scenes[p] = x
	for _, q := range p.Optional {
		x.optional[spec.Reference{q.Name}.String()] = true
	}
	for _, a := range p.Reading() {
		if a.Demands() || a.Verb == spec.Delete {
			x.roles = append(x.roles, k.roleOf(x, a))
		}
	}
	for _, r := range slices.Clone(x.roles) {
		for _, c := range spec.Conjuncts(ofItself(r.action.Condition)) {
			x.along(r, c)
		}
		for _, s := range slices.Clone(r.says) {
			if s.at.Follows() {
				x.lead(r, s.at.Derived.Path, func(to *role, rest spec.Path) {
					if at := to.entity.Attribute(rest[0]); at != nil && len(rest) == 1 {
						to.says = append(to.says, saying{at, s.name})
					}
				})
			}
		}
	}
	x.require(p)
	return x
}

// require adds the roles of what a created value has to lead to, where a part of the way there is said of another role
// as well: the bet is on a runner of the race that is still open. Where nothing else is said of it, any parent will do.
func (x *scene) require(p *spec.Pattern) {
	var ways []*role
	for _, a := range p.Actions {
		q := p.Parameter(first(spec.Assign{Value: spec.Expr{Reference: a.Value}}))
		if a.Verb != spec.Create || len(a.Each) > 0 || len(a.Value) != 1 || q == nil || q.List {
			continue
		}
		for _, way := range a.Requires {
			if way.To.External || slices.ContainsFunc(way.By, func(by *spec.Attribute) bool { return by.Optional || !by.Given() }) {
				continue
			}
			r := &role{entity: way.To, needed: true}
			for i, by := range way.By {
				r.says = append(r.says, saying{way.To.Identity[i], spec.Reference{q.Name, by.Name}.String()})
			}
			ways = append(ways, r)
		}
	}
	says := func(r *role, name string) bool {
		return slices.ContainsFunc(r.says, func(s saying) bool { return s.name == name })
	}
	for n := -1; n < len(x.roles); { // what leads to one more may say a part of the way to another
		n = len(x.roles)
		ways = slices.DeleteFunc(ways, func(r *role) bool {
			shared, same := false, false
			for _, other := range x.roles {
				shared = shared || slices.ContainsFunc(r.says, func(s saying) bool { return says(other, s.name) })
				same = same || other.entity == r.entity && !slices.ContainsFunc(r.says, func(s saying) bool { return !slices.Contains(other.says, s) })
			}
			if shared && !same {
				x.roles = append(x.roles, r)
			}
			return shared || same
		})
	}
}

// roleOf is the role of an action, with what its key, its condition and those who read it first say.
func (k *caller) roleOf(x *scene, a *spec.Action) *role {
	r := &role{entity: a.Entity, action: a}
	if len(a.Each) > 0 {
		r.list = a.Each.String()
	}
	say := func(at *spec.Attribute, v spec.Expr) {
		switch {
		case at == nil || v.Op != "" || v.Neg:
		case len(v.Reference) > 0: // what all actions of a list call $each.x has one name
			r.says = append(r.says, saying{at, inList(a, v.Reference).String()})
		default:
			if fixed, ok := k.o.eval(v, nil, attr.Item{}, attr.Item{}); ok {
				x.fixed[v.String()] = fixed
				r.says = append(r.says, saying{at, v.String()})
			}
		}
	}
	for _, key := range a.Key {
		say(a.Entity.Attribute(key.Path[0]), key.Value)
	}
	for _, e := range equals(a) {
		say(e.at, spec.Expr{Reference: e.ref})
	}
	for _, at := range a.Found {
		say(at, spec.Expr{Reference: spec.Reference{spec.FoundName(a.Entity), at.Name}})
	}
	for _, c := range spec.Conjuncts(bothEnds(a.Condition)) {
		if spec.Without(c, func(string) bool { return true }) == nil && !equates(a.Entity, c) {
			r.states = append(r.states, c)
		}
	}
	return r
}

// told are what an action holds against what a call states, with what the names stand for in their place, as far as all
// of them are known: the hours of the week that is chosen are at least those of the duty that is chosen already.
func (r *role) told(names map[string]attr.Value) (out []spec.Condition) {
	for _, c := range r.states {
		known := true
		c = spec.MapTerms(c, func(term spec.Expr) spec.Expr {
			if len(term.Reference) == 0 {
				return term
			}
			v := names[inList(r.action, term.Reference).String()]
			known = known && !v.IsZero() && !term.Neg
			return spec.Expr{Literal: v}
		})
		if known {
			out = append(out, c)
		}
	}
	return out
}

// along adds what a condition asks of what a way leads to, in a path or in an attribute that follows from it.
func (x *scene) along(r *role, c spec.Condition) {
	t, ok := c.(*spec.Test)
	if !ok || t.Op == "absent" || len(t.Path) == 0 {
		return
	}
	path := t.Path
	at := r.entity.Attribute(path[0])
	if at != nil && at.Follows() && len(path) == 1 && !slices.ContainsFunc(t.Args, asksOwn) {
		path = at.Derived.Path
	}
	if len(path) < 2 {
		return
	}
	x.lead(r, path, func(to *role, rest spec.Path) {
		there := *t
		there.Path = rest
		to.asks = both(to.asks, &there)
		x.along(to, &there)
	})
}

func both(c, d spec.Condition) spec.Condition {
	if c == nil {
		return d
	}
	return &spec.Logic{Op: "and", Args: []spec.Condition{c, d}}
}

// lead adds the role of what the first way of a path leads to, or finds the one that is the same by all that identifies
// it: the campaign of the coupon is the one that is charged.
func (x *scene) lead(r *role, path spec.Path, add func(to *role, rest spec.Path)) {
	way := r.entity.WayOn(path)
	if way == nil || way.To.External || !way.By[0].Given() {
		return
	}
	rest := path[1:]
	to := &role{entity: way.To, list: r.list}
	for i, by := range way.By {
		name := r.list + fmt.Sprint(".of role ", slices.Index(x.roles, r), " ", by.Name)
		if j := slices.IndexFunc(r.says, func(s saying) bool { return s.at == by }); j >= 0 {
			name = r.says[j].name
		} else {
			r.says = append(r.says, saying{by, name})
		}
		to.says = append(to.says, saying{way.To.Identity[i], name})
	}
	if i := slices.IndexFunc(x.roles, func(other *role) bool {
		return other != r && other.entity == to.entity && other.list == to.list &&
			!slices.ContainsFunc(to.says, func(s saying) bool { return !slices.Contains(other.says, s) })
	}); i >= 0 {
		add(x.roles[i], rest)
		return
	}
	x.roles = append(x.roles, to)
	add(to, rest)
}

// enact begins with what is known before anybody plays.
func (x *scene) enact() *playing {
	at := &playing{by: map[*role]*Instance{}, names: map[string]attr.Value{}}
	for name, v := range x.fixed {
		at.names[name] = v
	}
	return at
}

// plays reports whether an instance can play a role beside those who play already.
func (k *caller) plays(x *scene, at *playing, r *role, in *Instance) bool {
	if k.o.looked++; in.Gone || k.o.expired(in) {
		return false
	}
	if at.before[in] && r.action != nil {
		return false
	}
	for other, by := range at.by { // DynamoDB takes one action on an item
		if by == in && other.action != nil && r.action != nil {
			return false
		}
	}
	for _, s := range r.says {
		v, is := k.o.value(in, spec.Path{s.at.Name}), at.names[s.name]
		if v.IsZero() && !x.optional[s.name] || !is.IsZero() && !attr.Equal(v, is) {
			return false
		}
	}
	if !x.spoilt && !k.o.holds(r.asks, in, attr.Item{}, attr.Item{}) {
		return false // whoever asks it would be refused; in a scene that is spoilt, each action asks for itself
	}
	switch {
	case r.action == nil:
		return k.hold(x, at, r, in)
	case r.broken != nil:
		return k.refused(r.broken, in) && !slices.ContainsFunc(demandsOf(r.action), func(c spec.Condition) bool {
			return !meet(c, r.broken) && k.refused(c, in)
		})
	}
	return k.suits(r.action, in) && k.hold(x, at, r, in)
}

// hold reports whether what those who play hold against what a call states is so with what all of them say, and one
// more in a role.
func (k *caller) hold(x *scene, at *playing, r *role, in *Instance) bool {
	if !slices.ContainsFunc(x.roles, func(r *role) bool { return len(r.states) > 0 }) {
		return true
	}
	undo := at.cast(k.o, r, in)
	defer undo()
	return !slices.ContainsFunc(x.roles, func(r *role) bool {
		by := at.by[r]
		return by != nil && slices.ContainsFunc(r.told(at.names), func(c spec.Condition) bool {
			return !k.o.holds(c, by, attr.Item{}, attr.Item{})
		})
	})
}

// cast gives an instance a role; who takes it away again calls what is returned.
func (at *playing) cast(o *Oracle, r *role, in *Instance) (undo func()) {
	var told []string
	for _, s := range r.says {
		if v := o.value(in, spec.Path{s.at.Name}); !v.IsZero() && at.names[s.name].IsZero() {
			at.names[s.name] = v
			told = append(told, s.name)
		}
	}
	at.by[r] = in
	return func() {
		delete(at.by, r)
		for _, name := range told {
			delete(at.names, name)
		}
	}
}

// auditions are the instances among which somebody for a role is: those that have all values that are known already, or
// else are in one of the states from which the action moves them, or else all.
func (k *caller) auditions(at *playing, r *role) []*Instance {
	var attributes []string
	var values []attr.Value
	for _, s := range r.says {
		if v := at.names[s.name]; !v.IsZero() && s.at.Derived == nil {
			attributes, values = append(attributes, s.at.Name), append(values, v)
		}
	}
	if len(attributes) > 0 {
		return k.o.stores[r.entity].lookupAll(attributes, values)
	}
	all := k.cast.byRank[r.entity]
	if r.action == nil || r.broken != nil {
		return all
	}
	if lists, few := k.movable(r.action, len(all)); few {
		return slices.Concat(lists...)
	}
	return all
}

// perform casts all roles that nobody plays yet: those first among whom there is the least to choose. left is how many
// instances may still be looked at. It reports whether that was possible; what was cast before stays in any case.
func (k *caller) perform(x *scene, at *playing, left *int) bool {
	var next *role
	var list []*Instance
	for _, r := range x.roles {
		if at.by[r] != nil {
			continue
		}
		if some := k.auditions(at, r); next == nil || len(some) < len(list) {
			next, list = r, some
		}
	}
	if next == nil {
		return true
	}
	from := k.src.rnd.IntN(max(len(list), 1))
	for i := range list {
		if *left--; *left < 0 {
			return false
		}
		in := list[(from+i)%len(list)]
		if !k.plays(x, at, next, in) {
			continue
		}
		undo := at.cast(k.o, next, in)
		if k.perform(x, at, left) {
			return true
		}
		undo()
	}
	return false
}

// opening casts the roles of a scene; around, if not nil, is to play one of them. nil: what is stored lets nobody play
// it so, or none that is soon found.
func (k *caller) opening(x *scene, around *Instance) *playing {
	of := search{scene: x, joint: around != nil}
	reach, ok := k.reach[of]
	if !ok {
		reach = farthest
	}
	left := reach
	for _, r := range x.roles {
		if around != nil && (r.action == nil || r.entity != around.Entity) {
			continue
		}
		at := x.enact()
		if around != nil {
			if !k.plays(x, at, r, around) {
				continue
			}
			at.cast(k.o, r, around)
		}
		if k.perform(x, at, &left) {
			k.reach[of] = min(2*reach, farthest)
			return at
		}
		if around == nil {
			break
		}
	}
	k.reach[of] = max(reach/2, closest)
	return nil
}

// takes are how often a scene is cast anew where a call about those who play it is refused all the same: for a value
// that is unique, or a number that a call states.
const takes = 4

// jointly makes the arguments of a call about instances with which all its actions can be done; false if none are
// found.
func (k *caller) jointly(p *spec.Pattern, intent Intent, rank int, around *Instance) (attr.Item, bool) {
	x := k.sceneOf(p)
	if len(x.roles) == 0 {
		return attr.Item{}, false
	}
	for range takes {
		at := k.opening(x, around)
		if at == nil {
			break
		}
		args := k.about(p, intent, rank, around, at)
		if !k.hopeless(p, args) {
			return args, true
		}
	}
	return attr.Item{}, false
}

// asStaged makes the arguments of a call about those who have been made to play its scene; false if that is not about
// an instance.
func (k *caller) asStaged(p *spec.Pattern, intent Intent, rank int, around *Instance) (attr.Item, bool) {
	at := k.staged
	if at == nil || around == nil || !slices.ContainsFunc(k.sceneOf(p).roles, func(r *role) bool { return at.by[r] == around }) {
		return attr.Item{}, false
	}
	args := k.about(p, intent, rank, around, at)
	return args, !k.hopeless(p, args)
}

// about makes the arguments of a call about those who play its scene.
func (k *caller) about(p *spec.Pattern, intent Intent, rank int, around *Instance, at *playing) attr.Item {
	k.playing, k.lengths, k.said = map[*spec.Action]*Instance{}, at.lengths, at.names
	defer func() { k.playing, k.lengths, k.leads, k.said = nil, nil, nil, nil }()
	for r, in := range at.by {
		if r.action != nil {
			k.playing[r.action] = in
		}
		if r.needed {
			for _, s := range r.says {
				k.leads = append(k.leads, lead{s.name, in.Item.Get(s.at.Name)})
			}
		}
	}
	return k.tryWrite(p, intent, rank, around)
}

// lead is what a created value has so that it leads to one who plays.
type lead struct {
	name  string
	value attr.Value
}

// led gives a value that a call passes what leads to those who play its scene.
func (k *caller) led(q *spec.Parameter, value *attr.Item) {
	for _, at := range q.Entity.Attributes {
		name := spec.Reference{q.Name, at.Name}.String()
		if i := slices.IndexFunc(k.leads, func(l lead) bool { return l.name == name }); i >= 0 {
			value.Set(at.Name, k.leads[i].value)
		}
	}
}

// demandsOf are the conditions on which it rests whether an action can be done with an instance, whatever a call
// states.
func demandsOf(a *spec.Action) []spec.Condition {
	all := spec.Conjuncts(ofItself(a.Condition))
	for _, set := range a.Set {
		if at := a.Entity.Attribute(set.Path[0]); at != nil && at.States != nil && len(set.Path) == 1 {
			all = append(all, before(at, set))
		}
	}
	return all
}

// meet reports whether two conditions test the same attribute: then the one may fail with the other.
func meet(c, d spec.Condition) bool {
	for t := range spec.Tests(c) {
		for u := range spec.Tests(d) {
			if slices.Equal(t.Path, u.Path) {
				return true
			}
		}
	}
	return false
}

// breaches are scenes of a write in which all is as it has to be but for one condition, or one agreement, of one role.
func (k *caller) breaches(p *spec.Pattern) (out []*scene) {
	x := k.sceneOf(p)
	spoilt := func(i int, change func(r *role)) {
		other := *x
		other.roles, other.spoilt = slices.Clone(x.roles), true
		r := *other.roles[i]
		change(&r)
		other.roles[i] = &r
		out = append(out, &other)
	}
	for i, r := range x.roles {
		if r.action == nil {
			continue
		}
		for _, c := range demandsOf(r.action) {
			spoilt(i, func(r *role) { r.broken = c })
		}
		for _, e := range equals(r.action) {
			one := saying{e.at, e.ref.String()}
			if q := p.Parameter(e.ref[0]); q != nil && !q.Optional && len(e.ref) == 1 && slices.ContainsFunc(x.roles, func(other *role) bool {
				return other != r && slices.ContainsFunc(other.says, func(s saying) bool { return s.name == one.name })
			}) {
				spoilt(i, func(r *role) {
					r.says = slices.DeleteFunc(slices.Clone(r.says), func(s saying) bool { return s == one })
					r.unlike = &one
				})
			}
		}
	}
	return out
}

// spoilt makes the arguments of a call about those who play such a scene; false if nobody is found.
func (k *caller) spoilt(p *spec.Pattern, x *scene) (attr.Item, bool) {
	for range takes {
		at := k.opening(x, nil)
		if at == nil {
			break
		}
		args := k.about(p, Regular, -1, nil, at)
		for _, r := range x.roles {
			if r.unlike != nil { // the call says what the others say
				args.Set(r.unlike.name[1:], at.names[r.unlike.name])
			}
		}
		if !k.o.doubles(p, args) && k.o.Check(p, args).Refused() {
			return args, true
		}
	}
	return attr.Item{}, false
}
