package prove

import (
	"slices"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// Intent says what a write's arguments are to do.
type Intent uint8

// The intents.
const (
	Regular  Intent = iota // what the application does every day
	Again                  // create what exists; claim what is taken
	Absent                 // change what nobody has
	Contrary               // states backwards, numbers beyond their range, more than there is
	Fresh                  // change what has just been made
	Freed                  // claim a unique value that was claimed before and is free again
)

// String is the name under which [PatternResult] counts calls with the intent and a [Counterexample] tells it: "regular",
// "again", "absent", "contrary", "just made" or "freed".
func (i Intent) String() string {
	return [...]string{"regular", "again", "absent", "contrary", "just made", "freed"}[i]
}

// write makes the arguments of a write pattern. rank is the place in its laws of what is created; negative: any. Regular
// calls are such as an application makes that knows its data: as a rule they are not refused.
func (k *caller) write(p *spec.Pattern, intent Intent, rank int, around *Instance) attr.Item {
	k.drawn = k.drawn[:0]
	if args, ok := k.asStaged(p, intent, rank, around); ok && intent == Regular {
		return args
	}
	args := k.tryWrite(p, intent, rank, around)
	for n := 0; n < tries && k.o.doubles(p, args); n++ {
		args = k.tryWrite(p, intent, rank, around)
	}
	if intent != Regular && intent != Fresh && intent != Freed {
		return args
	}
	patience, ok := k.patience[p]
	if !ok {
		patience = tries
	}
	for range patience {
		if !k.hopeless(p, args) {
			k.patience[p] = min(2*patience, tries)
			return args
		}
		args = k.tryWrite(p, intent, rank, around)
	}
	k.patience[p] = max(patience/2, 1)
	if joint, ok := k.jointly(p, intent, rank, around); ok {
		return joint
	}
	return args
}

// lacks reports whether a call will not be done, or is smaller than it was to be, for want of what is stored.
func (k *caller) lacks(p *spec.Pattern, args attr.Item) bool { return k.short || k.hopeless(p, args) }

// hopeless reports whether a call will not be done: it is refused, or about one item twice.
func (k *caller) hopeless(p *spec.Pattern, args attr.Item) bool {
	return k.o.doubles(p, args) || k.o.Check(p, args).Refused()
}

// tries are how often a call is tried again with other values before it is made although it will be refused: half as often
// after each that was refused in the end, so that a pattern that nothing lets happen any more does not take all the time.
const tries = 24

func (k *caller) tryWrite(p *spec.Pattern, intent Intent, rank int, around *Instance) attr.Item {
	k.excessive, k.lost, k.regular, k.around = intent == Contrary, intent == Absent, intent == Regular || intent == Fresh || intent == Freed, around
	defer func() { k.excessive, k.lost, k.regular, k.around = false, false, false, nil }()
	k.asked, k.born, k.together, k.short = 0, k.born[:0], nil, false
	clear(k.anew)
	var args attr.Item
	makes := 0
	for _, q := range p.Parameters {
		if q.Entity != nil {
			makes++
		}
	}
	for _, q := range parentsFirst(p) {
		if q.Entity == nil || q.Optional && k.number(func() int { return whole(q.Stated, k.src.even(q, "stated")) }) == 0 {
			continue
		}
		a := actionOn(p, q)
		beside := false // another pattern makes most of these: the rank is that of what comes with it
		if makes > 1 {
			c := creationOf(k.o.req, q.Entity)
			beside = c != nil && c.pattern.Name != p.Name
		}
		n := 1
		if q.List {
			n = k.number(func() int { return k.elementsOf(q) })
		}
		k.alongside = k.madeBeside(p, a, args)
		var list []attr.Value
		seen := map[string]bool{}
		for i := range n {
			r := rank + i // those of a list follow each other
			if rank < 0 || beside {
				r = k.number(func() int {
					if made := len(k.cast.byRank[q.Entity]); a.Verb == spec.Create && made >= k.cast.pop.Count[q.Entity] {
						return k.cast.alike(q.Entity, made+i)
					}
					return k.src.evenIndex(max(k.cast.pop.Count[q.Entity], 1), q, "rank")
				})
			}
			value, fits := attr.Item{}, true
			for range tries { // each of a list is another one
				value = k.fresh(p, a, q.Name, r)
				if fits = !q.List || k.chosen(p, spec.Reference{q.Name}, nil, &value); !fits {
					break
				}
				k.led(q, &value)
				k.twist(&value, q.Entity, a, intent)
				if len(list) > 0 {
					alike(q, list[0].Map(), &value)
					spaced(q, list[0].Map(), &value, i, n)
				}
				if fits = !(q.List && k.regular && a.Verb == spec.Create && k.o.occupied(q.Entity, value)) && claimAll(seen, k.o.claimsOf(q.Entity, value)); fits {
					break
				}
			}
			if !fits {
				break // no other one is left
			}
			list = append(list, attr.Map(value))
		}
		if q.List {
			args.Set(q.Name, attr.List(list...))
		} else {
			args.Set(q.Name, list[0])
		}
	}
	k.alongside = nil
	targets, about := k.targets(p, intent, around, &args)
	for _, q := range p.Parameters {
		if q.Like == nil || q.Optional && !k.src.evenChance(q.Stated, q, "stated") {
			continue
		}
		if v := k.scalar(p, q, intent, targets, about); !v.IsZero() {
			if _, drawn := targets[q.Name]; q.List && !drawn {
				v = attr.List(v)
			}
			args.Set(q.Name, v)
		}
	}
	return args
}

// parentsFirst are the parameters of a write, each after those whose value may be its parent.
func parentsFirst(p *spec.Pattern) (out []*spec.Parameter) {
	for _, q := range p.Parameters {
		at := slices.IndexFunc(out, func(child *spec.Parameter) bool {
			return q.Entity != nil && child.Entity != nil && child.Entity != q.Entity &&
				slices.ContainsFunc(child.Entity.There, func(r *spec.Relationship) bool { return r.To == q.Entity })
		})
		if at < 0 {
			at = len(out)
		}
		out = slices.Insert(out, at, q)
	}
	return out
}

// madeBeside are the parents of what an action creates that other actions of the call create: of a race and of pools
// beside it, the pools are those of the race. Nothing says so, and so half of the calls are about others, but for those
// that make data: what is there would soon have all the children that it can have. What requires a parent that an action before
// it creates is made for that one.
func (k *caller) madeBeside(p *spec.Pattern, a *spec.Action, args attr.Item) map[*spec.Relationship]attr.Item {
	if a.Verb != spec.Create {
		return nil
	}
	out := map[*spec.Relationship]attr.Item{}
	asked := false
	for _, b := range p.Actions {
		if b.Verb != spec.Create || b == a || len(b.Each) > 0 || len(b.Value) != 1 || generated(b.Entity) {
			continue
		}
		for _, r := range a.Entity.There {
			required := slices.Contains(a.Requires, r)
			if v := args.Get(b.Value[0]); r.To == b.Entity && v.Kind() == attr.KindM && (!required || p.MadeBefore(a, r) == b) {
				out[r], asked = v.Map(), asked || required
			}
		}
	}
	if len(out) > 0 && k.goals == nil && !(asked && k.regular) && k.src.chance(0.5) {
		return nil
	}
	return out
}

// elementsOf is how many elements a list of a call has.
func (k *caller) elementsOf(q *spec.Parameter) int {
	law := k.cast.pop.lengthOf(q)
	if law.Average == 0 {
		law = spec.Size{Average: 2, Max: 3}
	}
	return max(k.src.size(law, standing{int64(k.src.evenIndex(int(middle.members), q, "length") + 1), middle.members}), 1)
}

// alike gives an element what all elements of its list have in common.
func alike(q *spec.Parameter, one attr.Item, element *attr.Item) {
	for _, name := range q.Same {
		if v := one.Get(name); v.IsZero() {
			element.Remove(name)
		} else {
			element.Set(name, v)
		}
	}
}

// spaced gives the element at i of a list of n the times that it has so long after the first.
func spaced(q *spec.Parameter, one attr.Item, element *attr.Item, i, n int) {
	for _, w := range q.Within {
		begin, err := keys.TimeOf(one.Get(w.Of.Name))
		span, _ := q.Spans(w.Of, float64(n))
		if err != nil || n < 2 {
			continue
		}
		if at, err := keys.TimestampOf(begin.Add(time.Duration(float64(span) * float64(i) / float64(n-1))).Truncate(time.Millisecond)); err == nil {
			element.Set(w.Of.Name, at)
		}
	}
}

// actionOn is the action that takes its value from a parameter.
func actionOn(p *spec.Pattern, q *spec.Parameter) *spec.Action {
	for _, a := range p.Actions {
		if len(a.Value) > 0 && (a.Value[0] == q.Name || a.Value[0] == "each" && len(a.Each) > 0 && a.Each[0] == q.Name) {
			return a
		}
	}
	for _, a := range p.Actions {
		if a.Entity == q.Entity {
			return a
		}
	}
	return &spec.Action{Verb: spec.Create, Entity: q.Entity}
}

// twist makes a fresh value collide with what is stored.
func (k *caller) twist(value *attr.Item, e *spec.Entity, a *spec.Action, intent Intent) {
	if intent == Freed && len(e.Unique) > 0 {
		u := e.Unique[k.src.rnd.IntN(len(e.Unique))]
		if claim := k.freed(e, u); claim != nil {
			for _, at := range u.Of {
				if !at.Follows() {
					value.Set(at.Name, claim.Get(at.Name))
				}
			}
		}
		return
	}
	all := k.cast.byRank[e]
	if n := k.cast.pop.Count[e]; intent == Regular && 0 < n && n < len(all) {
		all = all[:n] // what calls have made since has no children: the more calls, the fewer would be found under what is replaced
	}
	other := pickOne(k.src, all)
	if other == nil || other.Gone {
		return
	}
	replaces := a.Verb == spec.Replace || a.Verb == spec.Upsert && k.goals == nil && k.src.chance(0.5) // data is made of new ones
	claims := len(e.Unique)
	if intent == Again && claims > 0 && !generated(e) { // as often what makes up its identity
		claims = k.src.evenIndex(claims+1, e, "again")
	}
	switch {
	case intent == Again && claims > 0:
		for _, at := range e.Unique[claims-1].Of {
			same := []*spec.Attribute{at}
			if at.Follows() { // what it leads to is the same, and so has the same
				same = e.WayThere(at.Derived.Path[0]).By
			}
			for _, x := range same {
				value.Set(x.Name, other.Item.Get(x.Name))
			}
		}
	case intent == Again || replaces && intent == Regular:
		for _, at := range e.Identity {
			if at.Given() {
				value.Set(at.Name, other.Item.Get(at.Name))
			}
		}
	}
}

// claim notes the unique values that a call has asked for, whether or not it got them.
func (k *caller) claim(p *spec.Pattern, args attr.Item) {
	note := func(e *spec.Entity, value attr.Item) {
		value = k.o.following(e, value)
		for _, u := range e.Unique {
			var claim attr.Item
			for _, at := range u.Of {
				if v := value.Get(at.Name); !v.IsZero() {
					claim.Set(at.Name, v)
				}
			}
			if claim.Len() == len(u.Of) {
				k.claims[names(u.Of)+" of "+e.Name] = append(k.claims[names(u.Of)+" of "+e.Name], claim)
			}
		}
	}
	for _, q := range p.Parameters {
		v := args.Get(q.Name)
		switch {
		case v.IsZero():
		case q.Entity != nil && q.List:
			for _, each := range v.Elems() {
				note(q.Entity, each.Map())
			}
		case q.Entity != nil:
			note(q.Entity, v.Map())
		case q.Like != nil && q.Like.Entity != nil:
			note(q.Like.Entity, attr.ItemOf(attr.Field{Name: q.Like.Name, Value: v}))
		}
	}
}

// freed is one of the latest claims of a unique value that nobody has now; nil if there is none.
func (k *caller) freed(e *spec.Entity, u spec.Unique) *attr.Item {
	key := names(u.Of) + " of " + e.Name
	all := k.claims[key]
	for i := len(all) - 1; i >= 0 && i >= len(all)-400; i-- {
		if !k.o.taken(e, u, all[i], nil) {
			claim := all[i]
			k.claims[key] = slices.Delete(all, i, i+1)
			return &claim
		}
	}
	return nil
}

// states chooses the state that an update moves to: regularly the next, or the same again where a life allows it.
func (k *caller) states(p *spec.Pattern, a *spec.Action, in *Instance, intent Intent, named map[string]attr.Value, args *attr.Item) {
	for _, s := range a.Set {
		at := a.Entity.Attribute(s.Path[0])
		if at == nil || at.States == nil || len(s.Path) > 1 || len(s.Value.Reference) == 0 {
			continue
		}
		to := attr.Text(k.next(p, a, at, in, intent))
		switch r := s.Value.Reference; {
		case len(r) == 1:
			named[r[0]] = to
		case intent == Regular && !args.Get(r[0]).IsZero(): // the value that is passed says it
			place(args, spec.Path(r), to)
		}
	}
}

func (k *caller) next(p *spec.Pattern, a *spec.Action, at *spec.Attribute, in *Instance, intent Intent) string {
	now := in.Item.Get(at.Name).Str()
	var further []string
	stay := false
	for _, s := range at.States.Next[now] {
		if s == now {
			stay = true
		} else {
			further = append(further, s)
		}
	}
	if stay && k.goals != nil {
		return k.approach(at, in, now, k.left(p, a, in))
	}
	// A life passes its states once, however often they are written.
	moves := 1.0
	if stay && p.Rate.Average > 0 {
		moves = float64(len(at.States.Names)-1) * in.Entity.Growth / p.Rate.Average
	}
	switch {
	case intent == Contrary || len(further) == 0 && !stay:
		return at.States.Names[k.src.rnd.IntN(len(at.States.Names))]
	case len(further) == 0 || stay && !k.src.evenChance(moves, p, "moves"):
		return now
	}
	return further[0]
}

// left is how many more calls of a pattern will be about an instance while the data set is made: a call comes with each of
// its children.
func (k *caller) left(p *spec.Pattern, a *spec.Action, in *Instance) int {
	for _, key := range a.Key {
		if len(key.Value.Reference) < 2 {
			continue
		}
		at := element(p, a, key.Value.Reference)
		if at == nil || at.Reference == nil || at.Reference.To != in.Entity {
			continue
		}
		n := 0
		for _, rank := range k.cast.waiting[at.Reference] {
			if rank == k.cast.rank[in] {
				n++
			}
		}
		return n
	}
	return 0
}

// approach is the state that brings an instance nearer to the one it is to end in, so that the data set has the stated
// shares. It takes one step after the other, spread over the calls that are left; the last of these goes all the way.
func (k *caller) approach(at *spec.Attribute, in *Instance, now string, left int) string {
	goal, ok := k.goals[in]
	if !ok {
		goal = k.src.share(at, in.Item)
		k.goals[in] = goal
	}
	var steps []string
	for s := now; s != goal; {
		i := slices.IndexFunc(at.States.Next[s], func(to string) bool {
			return to != s && (to == goal || slices.Contains(at.States.Next[to], goal)) && !slices.Contains(steps, to)
		})
		if i < 0 {
			return now // it has gone past its goal
		}
		s = at.States.Next[s][i]
		steps = append(steps, s)
	}
	switch {
	case len(steps) == 0 || !k.src.chance(float64(len(steps))/float64(left+1)):
		return now
	case left == 0:
		return goal
	}
	return steps[0]
}

// within is a parent for an instance to move to, where a write sets only a part of what leads there, such as an attribute: another
// place of the tank in which it stays. nil if the write sets all of it, or there is no other one.
func (k *caller) within(p *spec.Pattern, a *spec.Attribute, moves *Instance) *Instance {
	r := a.Reference
	if moves == nil || len(r.By) < 2 {
		return nil
	}
	var names []string
	var values []attr.Value
	for i, by := range r.By {
		if slices.ContainsFunc(p.Actions, func(x *spec.Action) bool { return x.Entity == a.Entity && x.Changes(by.Name) }) {
			continue
		}
		v := moves.Item.Get(by.Name)
		if v.IsZero() {
			return nil
		}
		names, values = append(names, r.To.Identity[i].Name), append(values, v)
	}
	if len(names) == 0 {
		return nil
	}
	now := k.o.parent(moves, r)
	return pickOne(k.src, slices.DeleteFunc(slices.Clone(k.o.stores[r.To].lookupAll(names, values)), func(in *Instance) bool { return in == now || in.Gone }))
}

// scalar is a value for a parameter that is no entity.
func (k *caller) scalar(p *spec.Pattern, q *spec.Parameter, intent Intent, targets map[string]attr.Value, about map[*spec.Entity]*Instance) attr.Value {
	if v, ok := targets[q.Name]; ok {
		return v
	}
	a := q.Like
	if a.States != nil {
		return attr.Text(a.States.Names[k.src.rnd.IntN(len(a.States.Names))])
	}
	if a.Reference != nil {
		if intent != Absent {
			in := k.cast.parent(a.Reference)
			if changed := about[a.Entity]; changed != nil {
				for range 8 { // an application does not move to where it is already
					if in == nil || in != k.o.parent(changed, a.Reference) {
						break
					}
					in = pickOne(k.src, k.cast.byRank[in.Entity])
				}
			}
			if anew := k.within(p, a, about[a.Entity]); anew != nil {
				in = anew
			}
			if in != nil && in == about[a.Entity] { // what leads to itself would be changed and checked at once
				in = pickOne(k.src, k.cast.byRank[in.Entity])
			}
			if in != nil && !k.vacant(a.Reference, in) {
				in = k.childless(a.Reference, in)
			}
			if in != nil {
				for i, fk := range a.Reference.By {
					if fk == a {
						return in.Item.Get(a.Reference.To.Identity[i].Name)
					}
				}
			}
		}
		return k.src.value(a, middle, true)
	}
	if a.Type == spec.Number {
		low, high := q.Min, q.Max
		if low == nil {
			low = a.Min
		}
		if high == nil {
			high = a.Max
		}
		if low != nil && high != nil {
			return attr.Num(k.src.between(*low, *high, intent == Contrary))
		}
	}
	if a.Entity != nil && intent == Freed {
		for _, u := range a.Entity.Unique {
			if len(u.Of) == 1 && u.Of[0] == a {
				if claim := k.freed(a.Entity, u); claim != nil {
					return claim.Get(a.Name)
				}
			}
		}
	}
	if isUniqueAnywhere(p, a) && intent == Again {
		if in := pickOne(k.src, k.cast.byRank[a.Entity]); in != nil && in.Item.Has(a.Name) {
			return in.Item.Get(a.Name)
		}
	}
	if a.Entity != nil && a.Entity.Expires == a {
		return k.plain(a, a.Entity, middle)
	}
	at := middle
	if in := about[a.Entity]; in != nil { // a large one stays large
		at = k.cast.standing(a.Entity, k.cast.rank[in])
	}
	v := k.src.value(a, at, isUniqueAnywhere(p, a) || q.Name == p.Idempotency) // another call has another token
	if len(a.Shares) > 0 && k.reports(p, a.Entity) {
		return v
	}
	for range 8 { // an application does not write what is there already
		if in := about[a.Entity]; in == nil || !attr.Equal(v, in.Item.Get(a.Name)) {
			break
		}
		v = k.src.value(a, at, false)
	}
	if in := about[a.Entity]; in != nil && attr.Equal(v, in.Item.Get(a.Name)) {
		return other(a, v)
	}
	return v
}

// reports reports whether a pattern's update of an entity may say what is there already: see [workload.Reports].
func (k *caller) reports(p *spec.Pattern, e *spec.Entity) bool {
	a := workload.ActionOf(p, e)
	return a != nil && a.Verb == spec.Update && workload.Reports(a)
}

// other is the most frequent value of an attribute that is not a given one; that one if it has no other.
func other(a *spec.Attribute, v attr.Value) attr.Value {
	most, out := 0.0, v
	for _, s := range a.Shares {
		x := attr.Text(s.Value)
		if a.Type == spec.Bool {
			x = attr.Bool(s.Value == "true")
		}
		if s.Of > most && !attr.Equal(x, v) {
			most, out = s.Of, x
		}
	}
	return out
}

func isUniqueAnywhere(p *spec.Pattern, a *spec.Attribute) bool {
	return a.Entity != nil && (isUnique(a.Entity, a) || slices.Contains(a.Entity.Identity, a) && a.Reference == nil)
}

// between is a whole number in a range; extreme asks for its ends.
func (s *source) between(low, high attr.Number, extreme bool) attr.Number {
	a, okA := low.Int64()
	b, okB := high.Int64()
	if !okA || !okB || b < a {
		return low
	}
	if extreme {
		if s.chance(0.5) {
			return low
		}
		return high
	}
	return attr.Int(a + s.rnd.Int64N(b-a+1))
}
