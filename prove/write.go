package prove

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Outcome of a write: no codes and it has happened, or the codes with any of which it may be refused and nothing
// has changed; or, of one that is not all or nothing, only what came before the action that is refused, and the other elements
// of its list.
type Outcome struct {
	Codes   []string
	Partial bool // something came before

	at *spec.Action // that refuses what is not all or nothing
}

// Refused reports whether the write must be refused.
func (w Outcome) Refused() bool { return len(w.Codes) > 0 }

func (w *Outcome) refuse(code string) {
	if !slices.Contains(w.Codes, code) {
		w.Codes = append(w.Codes, code)
	}
}

// change is one instance as a write leaves it.
type change struct {
	entity *spec.Entity
	item   attr.Item
	gone   *Instance // deleted
}

// Check tells whether a write must be refused, and with what codes; nothing changes. args are complete: with the
// attributes that the client generates.
func (o *Oracle) Check(p *spec.Pattern, args attr.Item) Outcome {
	w, _ := o.plan(p, args, nil)
	return w
}

// plan is what a write comes to; what is not all or nothing ends with last, if that is not nil.
func (o *Oracle) plan(p *spec.Pattern, args attr.Item, last *spec.Action) (w Outcome, changes []change) {
	o.forgetTurns()
	defer o.forgetTurns()
	args = o.readFirst(p, args)
	for _, a := range p.InTurn() {
		elements := o.elements(a, args)
		if twice(a, elements) {
			w.refuse("exists")
		}
		for _, each := range elements {
			var one Outcome
			done := o.act(&one, p, a, args, each)
			for _, code := range one.Codes {
				w.refuse(code)
			}
			if p.Atomic || !one.Refused() {
				changes = append(changes, done...)
				o.turn(done)
			}
		}
		if !p.Atomic && w.Refused() {
			w.at = a
			if w.Partial = len(changes) > 0; !w.Partial {
				o.further(&w, p, args, a)
			}
			return w, changes
		}
		if a == last {
			break
		}
	}
	return w, changes
}

// readFirst are the arguments of a call with what the pattern finds in stored entities first.
func (o *Oracle) readFirst(p *spec.Pattern, args attr.Item) attr.Item {
	if len(p.Found) == 0 {
		return args
	}
	args = args.Clone()
	for _, q := range p.Found {
		if in := o.key(q.From, args, attr.Item{}); in != nil {
			args.Set(q.Name, attr.Map(in.Item))
		}
	}
	return args
}

// further adds the codes with which other actions refuse a call of which nothing has happened: which of them is asked first is
// the plan's affair.
func (o *Oracle) further(w *Outcome, p *spec.Pattern, args attr.Item, refused *spec.Action) {
	for _, a := range p.Actions {
		if a == refused {
			continue
		}
		for _, each := range o.elements(a, args) {
			o.act(w, p, a, args, each)
		}
	}
}

// forgetTurns forgets earlier actions: another call begins.
func (o *Oracle) forgetTurns() {
	clear(o.turned)
	clear(o.ended)
	clear(o.begun)
}

// turn notes what instances have become by actions of a call, for the actions that follow: two that count at one instance
// both count.
func (o *Oracle) turn(done []change) {
	for _, c := range done {
		if c.gone != nil {
			if o.ended == nil {
				o.ended = map[*Instance]bool{}
			}
			o.ended[c.gone] = true
			continue
		}
		if in := o.Find(c.entity, c.item); in != nil {
			if o.turned == nil {
				o.turned = map[*Instance]attr.Item{}
			}
			o.turned[in] = c.item
		} else if identified(c.entity, c.item) {
			if o.begun == nil {
				o.begun = map[string]bool{}
			}
			o.begun[c.entity.Name+" "+c.entity.IdentityOf(c.item)] = true
		}
	}
}

// lacks says what a call is about and is not there; "" if all is.
func (o *Oracle) lacks(p *spec.Pattern, args attr.Item) string {
	args = o.readFirst(p, args)
	for _, a := range p.Actions {
		if a.Verb != spec.Delete && !a.Demands() {
			continue
		}
		for _, each := range o.elements(a, args) {
			if o.key(a, args, each) != nil {
				continue
			}
			key := ""
			for i, k := range a.Key {
				if i > 0 {
					key += ", "
				}
				key += k.Path[0] + ": " + k.Value.String()
			}
			return fmt.Sprintf("no %s with `key: {%s}` as calls state it", a.Entity.Name, key)
		}
	}
	return ""
}

// twice reports whether two elements of a list are to be created under one identity.
func twice(a *spec.Action, elements []attr.Item) bool {
	if a.Verb != spec.Create || len(a.Each) != 1 {
		return false
	}
	seen := map[string]bool{}
	for _, each := range elements {
		id := a.Entity.IdentityOf(each)
		if seen[id] && identified(a.Entity, each) {
			return true
		}
		seen[id] = true
	}
	return false
}

// identified reports whether values of one call that agree in what they have of their identity are the same. What the client
// generates for each they have in no call that is still to be made; the moment of a call is that of all of them.
func identified(e *spec.Entity, value attr.Item) bool {
	return !slices.ContainsFunc(e.Identity, func(a *spec.Attribute) bool { return !value.Has(a.Name) && a.Generated != "now" })
}

// distinct reports whether the client generates a part of the identity for each value, so that no call makes two under one.
func distinct(e *spec.Entity) bool {
	return slices.ContainsFunc(e.Identity, func(a *spec.Attribute) bool { return !a.Given() && a.Generated != "now" })
}

// Write does what a write pattern's actions say, all or nothing unless it need not be, or tells why it must be refused.
func (o *Oracle) Write(p *spec.Pattern, args attr.Item) Outcome {
	w, changes := o.plan(p, args, nil)
	if !w.Refused() || w.Partial {
		o.change(changes)
	}
	return w
}

// stop does what a write that is not all or nothing does before an action stops it, and in it: the elements of its list that are not
// refused.
func (o *Oracle) stop(p *spec.Pattern, args attr.Item, at *spec.Action) {
	_, changes := o.plan(p, args, at)
	o.change(changes)
}

// only is what an action of a write comes to by itself.
func (o *Oracle) only(p *spec.Pattern, args attr.Item, a *spec.Action) (w Outcome, changes []change) {
	args = o.readFirst(p, args)
	for _, each := range o.elements(a, args) {
		changes = append(changes, o.act(&w, p, a, args, each)...)
	}
	return w, changes
}

func (o *Oracle) change(changes []change) {
	for _, c := range changes {
		if c.gone != nil {
			o.remove(c.gone)
		}
	}
	for _, c := range changes {
		if c.gone == nil {
			o.put(c.entity, c.item)
		}
	}
}

// elements are the values of $each: one empty item where an action runs once.
func (o *Oracle) elements(a *spec.Action, args attr.Item) []attr.Item {
	if len(a.Each) == 0 {
		return []attr.Item{{}}
	}
	v := args.Get(a.Each[0])
	for _, name := range a.Each[1:] {
		v = v.Map().Get(name)
	}
	elems := v.Elems()
	if v.Kind() == attr.KindM { // a single child inside its parent's value
		elems = []attr.Value{v}
	}
	out := make([]attr.Item, len(elems))
	for i, e := range elems {
		out[i] = elementItem(e)
	}
	return out
}

func (o *Oracle) act(w *Outcome, p *spec.Pattern, a *spec.Action, args, each attr.Item) []change {
	switch a.Verb {
	case spec.Create, spec.Replace, spec.Upsert:
		return o.write(w, p, a, a.Entity, passed(a, args, each), args)
	case spec.Update:
		return o.update(w, p, a, args, each)
	case spec.Delete:
		return o.delete(w, p, a, args, each)
	}
	panic("prove: verb " + string(a.Verb))
}

// write puts a whole value, with the children inside it.
func (o *Oracle) write(w *Outcome, p *spec.Pattern, a *spec.Action, e *spec.Entity, value, args attr.Item) []change {
	own := value.Clone()
	var changes []change
	var children []change
	for _, way := range a.With {
		r := e.WayBack(way)
		inside := value.Get(way)
		own.Remove(way)
		list := inside.Elems()
		if inside.Kind() == attr.KindM {
			list = []attr.Value{inside}
		}
		seen := map[string]bool{}
		for _, c := range list {
			child := c.Map().Clone()
			for i, fk := range r.By {
				child.Set(fk.Name, own.Get(r.To.Identity[i].Name))
			}
			id := r.From.IdentityOf(child)
			if seen[id] && identified(r.From, child) {
				w.refuse("exists")
			}
			seen[id] = true
			none := spec.Action{Verb: a.Verb, Entity: r.From}
			children = append(children, o.write(w, p, &none, r.From, child, args)...)
		}
	}
	for _, at := range e.Attributes {
		if at.Derived != nil {
			own.Remove(at.Name)
		}
	}
	if a.Verb == spec.Create {
		own = begun(e, own)
	}
	old := o.Find(e, own)
	if o.ended[old] { // an earlier action of the call deletes it
		old = nil
	}
	switch {
	case a.Verb == spec.Create && old != nil:
		w.refuse("exists")
	case a.Verb == spec.Replace && old == nil:
		w.refuse("missing")
	}
	if c := conditionOf(p, a, args); a.Verb != spec.Create && old != nil && c != nil && !o.holds(c, old, args, attr.Item{}) {
		w.refuse(refusal(a))
	}
	if !o.unique(e, own, old) {
		w.refuse("unique")
	}
	o.required(w, p, a, &Instance{Entity: e, Item: own})
	return append(append(changes, change{entity: e, item: own}), children...)
}

// begun is a value as it is created: in the states in which a life begins where it says none.
func begun(e *spec.Entity, value attr.Item) attr.Item {
	out := value
	for _, at := range e.Attributes {
		if at.States != nil && !out.Has(at.Name) {
			out = out.Clone()
			out.Set(at.Name, attr.Text(at.States.Names[0]))
		}
	}
	return out
}

func refusal(a *spec.Action) string {
	if a.Refusal == "" {
		return "condition"
	}
	return a.Refusal
}

// isLeft reports whether a call leaves a parameter out.
func isLeft(p *spec.Pattern, args attr.Item, name string) bool {
	q := p.Parameter(name)
	return q != nil && q.Optional && !args.Has(name)
}

// conditionOf is the condition of an action in a call: without the tests whose parameters the call leaves out. nil: nothing.
func conditionOf(p *spec.Pattern, a *spec.Action, args attr.Item) spec.Condition {
	if len(p.Optional) == 0 {
		return a.Condition
	}
	return spec.Without(a.Condition, func(name string) bool { return isLeft(p, args, name) })
}

// unique reports whether no other instance has the same unique attributes.
func (o *Oracle) unique(e *spec.Entity, item attr.Item, self *Instance) bool {
	item = o.following(e, item)
	return !slices.ContainsFunc(e.Unique, func(u spec.Unique) bool { return u.Claimed(item) && o.taken(e, u, item, self) })
}

// following is an item with what is unique of it and lies at the end of ways: a bird flies one race a day, and the day
// is that of the race.
func (o *Oracle) following(e *spec.Entity, item attr.Item) attr.Item {
	whole := false
	for _, u := range e.Unique {
		for _, a := range u.Of {
			if !a.Follows() {
				continue
			}
			if !whole {
				item, whole = item.Clone(), true
			}
			item.Remove(a.Name)
			if v := o.value(&Instance{Entity: e, Item: item}, a.Derived.Path); !v.IsZero() {
				item.Set(a.Name, v)
			}
		}
	}
	return item
}

// taken reports whether another instance claims what an item has of what is unique.
func (o *Oracle) taken(e *spec.Entity, u spec.Unique, item attr.Item, self *Instance) bool {
	attributes, values := make([]string, len(u.Of)), make([]attr.Value, len(u.Of))
	for i, a := range u.Of {
		attributes[i], values[i] = a.Name, item.Get(a.Name)
	}
	return slices.ContainsFunc(o.stores[e].lookupAll(attributes, values), func(in *Instance) bool {
		return in != self && u.Claimed(in.Item) && !o.handsOver(in, u)
	})
}

// handsOver reports whether an earlier action of the call gives up what an instance claims: a player changes the first
// club.
func (o *Oracle) handsOver(in *Instance, u spec.Unique) bool {
	now, changed := o.turned[in]
	return o.ended[in] || changed && (!u.Claimed(now) ||
		slices.ContainsFunc(u.Of, func(a *spec.Attribute) bool { return !attr.Equal(now.Get(a.Name), in.Item.Get(a.Name)) }))
}

// required refuses if a way there that must exist leads nowhere, neither to what is stored nor to what an earlier action creates.
func (o *Oracle) required(w *Outcome, p *spec.Pattern, a *spec.Action, in *Instance) {
	for _, r := range a.Requires {
		absent := slices.ContainsFunc(r.By, func(fk *spec.Attribute) bool { return in.Item.Get(fk.Name).IsZero() })
		if !absent && o.parent(in, r) == nil && (p.MadeBefore(a, r) == nil || !o.madeBefore(in, r)) {
			w.refuse("missing")
		}
	}
}

// madeBefore reports whether an earlier action of the call creates what a way leads to.
func (o *Oracle) madeBefore(in *Instance, r *spec.Relationship) bool {
	var id attr.Item
	for i, a := range r.By {
		id.Set(r.To.Identity[i].Name, in.Item.Get(a.Name))
	}
	return o.begun[r.To.Name+" "+r.To.IdentityOf(id)]
}

// key finds the instance that an action is about.
func (o *Oracle) key(a *spec.Action, args, each attr.Item) *Instance {
	var id attr.Item
	for _, k := range a.Key {
		v, ok := o.eval(k.Value, nil, args, each)
		if !ok {
			return nil
		}
		id.Set(k.Path[0], v)
	}
	return o.Find(a.Entity, id)
}

// doubles reports whether a call would have two changes of one item, and DynamoDB takes one: a move from a place to
// itself, a list that names one thing twice or claims one unique value twice. Two that only count are one with the sum.
func (o *Oracle) doubles(p *spec.Pattern, args attr.Item) bool {
	var about []*spec.Action
	lists := false
	for _, a := range p.Actions {
		makes := a.Verb == spec.Create && len(a.Value) > 0
		if makes && (!distinct(a.Entity) || len(a.Entity.Unique) > 0) || a.Verb == spec.Update && !a.Checks() {
			about = append(about, a)
			lists = lists || len(a.Each) > 0
		}
	}
	if len(about) < 2 && !lists || !p.Atomic {
		return false
	}
	args = o.readFirst(p, args)
	by := map[string]*spec.Action{}
	again := func(a *spec.Action, id string) bool {
		b := by[id]
		by[id] = a
		return b != nil && (a.Makes || b.Makes || !counts(a) || !counts(b) || testsCounted(a, b))
	}
	for _, a := range about {
		for _, each := range o.elements(a, args) {
			if a.Verb != spec.Create {
				if in := o.unmade(a, args, each); in != nil && again(a, a.Entity.Name+" "+a.Entity.IdentityOf(in.Item)) {
					return true
				}
				continue
			}
			for _, claim := range o.claimsOf(a.Entity, passed(a, args, each)) {
				if again(a, claim) {
					return true
				}
			}
		}
	}
	return false
}

// twice reports whether a call was refused because two of its actions are about one item, and they are.
func (o *Oracle) twice(p *spec.Pattern, args attr.Item, code string) bool {
	return code == plan.RefusedTwice && o.doubles(p, args)
}

// occupied reports whether a value that is created claims what another instance has: its identity, or what is unique. One such among the
// elements of a list, and the call is refused.
func (o *Oracle) occupied(e *spec.Entity, value attr.Item) bool {
	return identified(e, value) && o.Find(e, value) != nil || slices.ContainsFunc(e.Unique, func(u spec.Unique) bool {
		return u.Claimed(begun(e, value)) && o.taken(e, u, value, nil)
	})
}

// claimsOf are the texts of what no other value of a call may have of one that is created: its identity, if callers state it
// but for the moment of the call, and what is unique.
func (o *Oracle) claimsOf(e *spec.Entity, value attr.Item) (out []string) {
	if !distinct(e) {
		out = append(out, e.Name+" "+e.IdentityOf(value))
	}
	value = o.following(e, begun(e, value))
	for _, u := range e.Unique {
		if u.Claimed(value) {
			text := e.Name + " " + names(u.Of)
			for _, at := range u.Of {
				text += " " + encoded(value.Get(at.Name))
			}
			out = append(out, text)
		}
	}
	return out
}

// passed is the value that an action makes.
func passed(a *spec.Action, args, each attr.Item) attr.Item {
	if len(a.Value) == 0 || a.Value[0] == "each" {
		return each
	}
	v := args.Get(a.Value[0])
	for _, name := range a.Value[1:] {
		v = v.Map().Get(name)
	}
	return v.Map()
}

// counts reports whether an update does nothing but add to numbers.
func counts(a *spec.Action) bool {
	return a.Verb == spec.Update && len(a.Remove) == 0 && !slices.ContainsFunc(a.Set, func(s spec.Assign) bool {
		v := s.Value
		return v.Op != "+" && v.Op != "-" || len(v.Args) != 2 || !slices.Equal(v.Args[0].Path, s.Path) || len(v.Args[1].Path) > 0
	})
}

// testsCounted reports whether an action compares what one before it counts with anything but a number that the call knows. The number
// is moved by what is counted; what the item says, `minted < print`, cannot be, since DynamoDB computes nothing in conditions.
func testsCounted(a, before *spec.Action) bool {
	counted := func(path spec.Path) bool {
		return slices.ContainsFunc(before.Set, func(s spec.Assign) bool { return slices.Equal(s.Path, path) })
	}
	for _, c := range spec.Conjuncts(a.Condition) {
		touches, own := false, false
		for t := range spec.Tests(c) {
			touches = touches || counted(t.Path)
			for _, x := range t.Args {
				for term := range x.Terms() {
					touches, own = touches || counted(term.Path), own || len(term.Path) > 0
				}
			}
		}
		t, alone := c.(*spec.Test)
		if touches && (own || !alone || !slices.Contains([]string{"=", "<", "<=", ">", ">="}, t.Op)) {
			return true
		}
	}
	return false
}

// unmade is what an update makes: so far it has its identity alone. nil if that is not known.
func (o *Oracle) unmade(a *spec.Action, args, each attr.Item) *Instance {
	in := &Instance{Entity: a.Entity}
	for _, k := range a.Key {
		v, ok := o.eval(k.Value, nil, args, each)
		if !ok || v.IsZero() {
			return nil
		}
		in.Item.Set(k.Path[0], v)
	}
	return in
}

func (o *Oracle) update(w *Outcome, p *spec.Pattern, a *spec.Action, args, each attr.Item) []change {
	in := o.key(a, args, each)
	made := in == nil && a.Makes
	if made {
		if in = o.unmade(a, args, each); in != nil {
			in.Item = begun(in.Entity, in.Item)
		}
	}
	if in == nil && a.AdmitsNone() {
		return nil
	}
	if in == nil {
		w.refuse("missing")
		return nil
	}
	self := in
	if item, ok := o.turned[in]; ok {
		turned := *in
		turned.Item = item
		in = &turned
	}
	left := func(r spec.Reference) bool { return isLeft(p, args, r[0]) }
	if c := conditionOf(p, a, args); c != nil && !made && !o.holds(c, in, args, each) {
		w.refuse(refusal(a))
	}
	item := in.Item.Clone()
	for _, s := range a.Set {
		if usesLeft(s.Value, left) {
			continue
		}
		at := in.Entity.Attribute(s.Path[0])
		v, ok := o.eval(s.Value, in, args, each)
		if at != nil && at.States != nil && len(s.Path) == 1 {
			if !ok || !slices.Contains(at.States.Before(v.Str()), in.Item.Get(at.Name).Str()) {
				w.refuse("state")
			}
		}
		if !ok {
			w.refuse(refusal(a))
			continue
		}
		if at != nil && at.Type == spec.SetType && len(s.Path) == 1 && v.Kind() == attr.KindL { // what is appended to none makes a set
			v = setOf(v.Elems())
		}
		place(&item, s.Path, v)
	}
	for _, path := range a.Remove {
		removePath(&item, path)
	}
	for _, at := range in.Entity.Attributes {
		if at.Generated != "version" || a.Checks() {
			continue
		}
		if p.StatesVersion(at) && args.Has(at.Name) && !attr.Equal(args.Get(at.Name), in.Item.Get(at.Name)) {
			w.refuse("version")
		}
		if next, err := in.Item.Get(at.Name).Number().Add(attr.Int(1)); err == nil {
			item.Set(at.Name, attr.Num(next))
		}
	}
	if !o.unique(in.Entity, item, self) {
		w.refuse("unique")
	}
	o.required(w, p, a, &Instance{Entity: in.Entity, Item: item})
	return []change{{entity: in.Entity, item: item}}
}

// setOf is a set of elements of one kind.
func setOf(elements []attr.Value) attr.Value {
	if len(elements) == 0 {
		return attr.Value{}
	}
	var numbers []attr.Number
	var binaries [][]byte
	var texts []string
	for _, e := range elements {
		switch e.Kind() {
		case attr.KindN:
			numbers = append(numbers, e.Number())
		case attr.KindB:
			binaries = append(binaries, e.Bytes())
		default:
			texts = append(texts, e.Str())
		}
	}
	switch {
	case numbers != nil:
		return attr.NumSet(numbers...)
	case binaries != nil:
		return attr.BinarySet(binaries...)
	}
	return attr.TextSet(texts...)
}

func usesLeft(v spec.Expr, left func(spec.Reference) bool) bool {
	if len(v.Reference) > 0 && left(v.Reference) {
		return true
	}
	return slices.ContainsFunc(v.Args, func(x spec.Expr) bool { return usesLeft(x, left) })
}

func removePath(item *attr.Item, path spec.Path) {
	if len(path) == 1 {
		item.Remove(path[0])
		return
	}
	inner := item.Get(path[0])
	if inner.Kind() != attr.KindM {
		return
	}
	m := inner.Map().Clone()
	removePath(&m, path[1:])
	item.Set(path[0], attr.Map(m))
}

func (o *Oracle) delete(w *Outcome, p *spec.Pattern, a *spec.Action, args, each attr.Item) []change {
	in := o.key(a, args, each)
	if in == nil && a.Condition != nil {
		w.refuse(refusal(a))
		w.refuse("missing")
		return nil
	}
	if c := conditionOf(p, a, args); c != nil && !o.holds(c, in, args, each) {
		w.refuse(refusal(a))
	}
	var changes []change
	if in != nil {
		changes = append(changes, change{gone: in})
	} else if in = o.unmade(a, args, each); in == nil { // what lies under the key goes, whether or not the parent is there
		return nil
	}
	for _, way := range a.With {
		for _, c := range o.children(in, in.Entity.WayBack(way)) {
			changes = append(changes, change{gone: c})
		}
	}
	return changes
}
