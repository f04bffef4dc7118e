package prove

import (
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// A wish is what a few of the stored instances of an entity are to meet. Requirements state each share on its own;
// where a pattern asks for several things at once that few have, by chance none would have all of them, and what looks
// for them would find nothing, what changes them could never be done.
type wish struct {
	entity *spec.Entity
	meets  spec.Condition // of attributes that callers give, with constants, now and what the instance has besides
	beside []companion    // what it leads to has to fit as well
	fixed  attr.Item      // of one that is demanded, what it is to have whatever else it has

	made, have int
	tried      int // how often one was made for it
}

// companion is a way there to what another action of the same pattern changes or tests, or of which a test asks
// something that lies on the way.
type companion struct {
	way    *spec.Relationship
	action *spec.Action   // nil: a test
	asks   spec.Condition // of what the way leads to
}

// fits reports whether what a way leads to is as it is to be.
func (k *caller) fits(c companion, in *Instance) bool {
	if c.action != nil {
		return k.suits(c.action, in)
	}
	return k.o.holds(c.asks, in, attr.Item{}, attr.Item{})
}

// leastMet is how many instances are to meet a wish.
const leastMet = 6

// wishesOf are the wishes that patterns have of stored data.
func wishesOf(patterns []*spec.Pattern) map[*spec.Entity][]*wish {
	out := map[*spec.Entity][]*wish{}
	add := func(w *wish) {
		if w.meets != nil || len(w.beside) > 0 {
			out[w.entity] = append(out[w.entity], w)
		}
	}
	// beyond wishes what tests ask of what lies on ways, of each that the ways lead to.
	var beyond func(c companion)
	beyond = func(c companion) {
		w := &wish{entity: c.way.To, meets: own(c.way.To, spec.Conjuncts(c.asks)), beside: onWays(c.way.To, c.asks)}
		add(w)
		for _, c := range w.beside {
			beyond(c)
		}
	}
	for _, p := range patterns {
		if !p.Writes() {
			where := ofItself(p.Where)
			w := &wish{entity: p.Read, meets: own(p.Read, spec.Conjuncts(where)), beside: onWays(p.Read, where)}
			add(w)
			for _, c := range w.beside {
				beyond(c)
			}
		}
		for _, a := range p.Actions {
			if w := wishOf(p, a); w != nil {
				ways := onWays(a.Entity, ofItself(a.Condition))
				for _, c := range ways {
					if i := slices.IndexFunc(w.beside, func(b companion) bool { return b.way == c.way }); i < 0 {
						beyond(c)
					} else if b := wishOf(p, w.beside[i].action); b != nil { // both of one
						b.meets = own(c.way.To, append(spec.Conjuncts(b.meets), spec.Conjuncts(c.asks)...))
						further := onWays(c.way.To, c.asks)
						b.beside = append(b.beside, further...)
						add(b)
						for _, c := range further {
							beyond(c)
						}
					}
				}
				w.beside = append(w.beside, ways...)
				add(w)
			}
		}
	}
	return out
}

// onWays is what a condition asks of what ways there lead to, each way once: a ticket that is still ahead is one for a
// section of an event that is.
func onWays(e *spec.Entity, c spec.Condition) (out []companion) {
	for _, c := range spec.Conjuncts(c) {
		t, ok := c.(*spec.Test)
		if !ok || t.Op == "absent" || len(t.Path) == 0 {
			continue
		}
		there := *t
		if at := e.Attribute(t.Path[0]); at != nil && at.Follows() && len(t.Path) == 1 {
			there.Path = at.Derived.Path
		}
		way := e.WayOn(there.Path)
		if way == nil || way.To == e || way.To.External || slices.ContainsFunc(t.Args, asksOwn) {
			continue
		}
		there.Path = there.Path[1:]
		if i := slices.IndexFunc(out, func(c companion) bool { return c.way == way }); i >= 0 {
			out[i].asks = both(out[i].asks, &there)
		} else {
			out = append(out, companion{way: way, asks: &there})
		}
	}
	return out
}

// asksOwn reports whether a value is made of attributes of what is tested.
func asksOwn(x spec.Expr) bool {
	for term := range x.Terms() {
		if len(term.Path) > 0 {
			return true
		}
	}
	return false
}

// wishOf is what an action needs of the instance that it is about; nil: it changes nothing that is stored.
func wishOf(p *spec.Pattern, a *spec.Action) *wish {
	if a.Verb != spec.Update && a.Verb != spec.Delete {
		return nil
	}
	all := spec.Conjuncts(ofItself(a.Condition))
	for _, set := range a.Set {
		at := a.Entity.Attribute(set.Path[0])
		switch {
		case at == nil || len(set.Path) > 1:
		case at.States != nil:
			all = append(all, before(at, set))
		case rare(at):
			all = append(all, &spec.Test{Path: set.Path, Op: "absent"})
		}
	}
	for _, path := range a.Remove {
		all = append(all, &spec.Test{Path: path[:1], Op: "exists"})
	}
	w := &wish{entity: a.Entity, meets: own(a.Entity, all)}
	for _, b := range p.Actions {
		if way := leadsAlong(a, b); way != nil && guards(p, b) {
			w.beside = append(w.beside, companion{way: way, action: b})
		}
	}
	return w
}

// before tests whether an attribute is in a state from which an assignment moves it.
func before(at *spec.Attribute, set spec.Assign) spec.Condition {
	t := &spec.Test{Path: set.Path, Op: "in"}
	for _, from := range at.States.Names {
		if leadsFrom(at, set.Value, from) {
			t.Args = append(t.Args, spec.Expr{Literal: attr.Text(from)})
		}
	}
	return t
}

// leadsAlong is the way there from what an action is about to what another one is about, where their keys say so.
func leadsAlong(a, b *spec.Action) *spec.Relationship {
	if a == b || len(b.Each) > 0 {
		return nil
	}
	own := map[string]string{} // a reference → the attribute of the identity of the first
	for _, key := range a.Key {
		own[strings.Join(key.Value.Reference, ".")] = key.Path[0]
	}
	for _, r := range a.Entity.There {
		if r.To == b.Entity && len(b.Key) == len(r.By) && !slices.ContainsFunc(b.Key, func(key spec.Assign) bool {
			at := own[strings.Join(key.Value.Reference, ".")]
			i := slices.IndexFunc(r.To.Identity, func(x *spec.Attribute) bool { return x.Name == key.Path[0] })
			return len(key.Value.Reference) == 0 || i < 0 || r.By[i].Name != at
		}) {
			return r
		}
	}
	return nil
}

// own is of some tests, all of which must hold, what callers decide when they create an instance; nil: nothing.
func own(e *spec.Entity, all []spec.Condition) spec.Condition {
	var out []spec.Condition
	for _, c := range all {
		decided := true
		for t := range spec.Tests(c) {
			if len(t.Path) != 1 {
				decided = false
				break
			}
			a := e.Attribute(t.Path[0])
			decided = decided && a != nil && a.Given() && !slices.Contains(e.Identity, a) &&
				!slices.ContainsFunc(t.Args, func(x spec.Expr) bool {
					for term := range x.Terms() {
						if len(term.Path) == 0 {
							continue
						}
						if other := e.Attribute(term.Path[0]); other == nil || !other.Given() || len(term.Path) > 1 {
							return true
						}
					}
					return false
				})
		}
		if decided {
			out = append(out, c)
		}
	}
	switch len(out) {
	case 0:
		return nil
	case 1:
		return out[0]
	}
	return &spec.Logic{Op: "and", Args: out}
}

// due is the wish that the next instance of an entity is to meet, so that a few do, spread over all sizes; nil: none.
// Another one is to meet what is demanded of it.
func (k *caller) due(e *spec.Entity, inside *spec.Relationship) *wish {
	if k.demand != nil {
		if k.demand.entity == e {
			return k.demand
		}
		return nil
	}
	if k.goals == nil {
		return nil
	}
	for _, w := range k.wishes[e] {
		n := max(k.cast.pop.Count[e], 1)
		if float64(w.have) >= leastMet*(float64(w.made)+0.5)/float64(n) || w.tried > 3*(leastMet+w.have) { // enough, or in vain
			continue
		}
		if !slices.ContainsFunc(w.beside, func(c companion) bool { return c.way == inside && !k.fits(c, k.enclosing) }) {
			w.tried++
			return w
		}
	}
	return nil
}

// granted counts which wishes a new instance meets, after it has been changed to meet the one that is due.
func (k *caller) granted(e *spec.Entity, inside *spec.Relationship, due *wish, it *attr.Item, parents map[*spec.Relationship]*Instance, at standing) {
	if due != nil && due.meets != nil && !k.meets(due, e, *it) {
		for range 4 {
			x := it.Clone()
			if k.force(&x, e, due.meets, at) && k.meets(due, e, x) {
				*it = x
				break
			}
		}
	}
	if k.goals == nil {
		return
	}
	for _, w := range k.wishes[e] {
		w.made++
		if k.meets(w, e, *it) && !slices.ContainsFunc(w.beside, func(c companion) bool {
			to := parents[c.way]
			if c.way == inside {
				to = k.enclosing
			}
			return to == nil || !k.fits(c, to)
		}) {
			w.have++
		}
	}
}

// meets reports whether a value meets a wish, as far as the value decides.
func (k *caller) meets(w *wish, e *spec.Entity, it attr.Item) bool {
	return w.meets == nil || k.o.holds(w.meets, &Instance{Entity: e, Item: it}, attr.Item{}, attr.Item{})
}

// wished is a parent for an instance that is to meet a wish: the one that it would have if that fits, else one that
// waits for children and does, else any that does.
func (k *caller) wished(w *wish, r *spec.Relationship, parent *Instance) *Instance {
	if w == nil {
		return parent
	}
	fits := func(in *Instance) bool {
		return !in.Gone && k.mayHave(r, in) && !slices.ContainsFunc(w.beside, func(c companion) bool { return c.way == r && !k.fits(c, in) })
	}
	if !slices.ContainsFunc(w.beside, func(c companion) bool { return c.way == r }) || parent != nil && fits(parent) {
		return parent
	}
	if parent != nil {
		k.cast.giveBack(r, parent)
	}
	if in := k.cast.waitingFor(r, fits); in != nil {
		return in
	}
	if all := k.cast.byRank[r.To]; len(all) > 0 {
		if in := k.outward(all, k.src.rnd.IntN(len(all)), farthest, fits); in != nil {
			return in
		}
	}
	return parent
}

// force changes a value such that a condition holds of it; false: it cannot.
func (k *caller) force(it *attr.Item, e *spec.Entity, c spec.Condition, at standing) bool {
	switch c := c.(type) {
	case *spec.Logic:
		switch c.Op {
		case "and":
			for _, x := range c.Args {
				if !k.force(it, e, x, at) {
					return false
				}
			}
			return true
		case "or":
			return k.force(it, e, c.Args[k.src.rnd.IntN(len(c.Args))], at)
		}
		for t := range spec.Tests(c) { // of what is absent no test holds
			if a := e.Attribute(t.Path[0]); a.Optional && a.Reference == nil && !k.o.holds(c, &Instance{Entity: e, Item: *it}, attr.Item{}, attr.Item{}) {
				it.Remove(a.Name)
			}
		}
		return k.o.holds(c, &Instance{Entity: e, Item: *it}, attr.Item{}, attr.Item{})
	case *spec.Test:
		if k.o.holds(c, &Instance{Entity: e, Item: *it}, attr.Item{}, attr.Item{}) {
			return true
		}
		return k.forceTest(it, e.Attribute(c.Path[0]), c, at)
	}
	return true
}

func (k *caller) forceTest(it *attr.Item, a *spec.Attribute, t *spec.Test, at standing) bool {
	if a.States != nil && (k.seeding == nil || !k.seeding.states[a]) {
		return false
	}
	var args []attr.Value
	for _, x := range t.Args {
		v, ok := k.o.eval(x, &Instance{Entity: a.Entity, Item: *it}, attr.Item{}, attr.Item{})
		if !ok {
			return false
		}
		args = append(args, v)
	}
	if a.Reference != nil { // it leads to somebody or to nobody
		switch {
		case t.Op == "absent" && a.Optional:
			for _, fk := range a.Reference.By {
				if fk.Optional {
					it.Remove(fk.Name)
				}
			}
			return true
		case t.Op == "exists" && len(a.Reference.By) == 1:
			in := pickOne(k.src, k.cast.byRank[a.Reference.To])
			if in != nil {
				foreign(it, a.Reference, in.Item)
			}
			return in != nil
		}
		return false
	}
	var v attr.Value
	switch t.Op {
	case "absent":
		it.Remove(a.Name)
		return a.Optional
	case "exists":
		v = k.plain(a, a.Entity, at)
	case "=":
		v = args[0]
	case "in":
		if len(args) == 0 {
			return false
		}
		v = args[k.src.rnd.IntN(len(args))]
	case "!=":
		if v = k.plain(a, a.Entity, at); len(a.Shares) > 0 {
			v = other(a, args[0])
		}
	case "between":
		v = args[0]
	case "<", "<=", ">", ">=":
		var ok bool
		if v, ok = k.src.beyond(a, t.Op, args[0]); !ok {
			return false
		}
	default:
		return false
	}
	if v.IsZero() {
		return false
	}
	it.Set(a.Name, v)
	return true
}

// beyond is a value of an attribute that stands to another one as an operator says; false if there is none.
func (s *source) beyond(a *spec.Attribute, op string, than attr.Value) (attr.Value, bool) {
	below := op[0] == '<'
	switch {
	case than.Kind() == attr.KindN:
		low, high := attr.Int(0), mostOf(a)
		if a.Min != nil {
			low = *a.Min
		}
		one := attr.Int(0)
		if len(op) == 1 {
			one = attr.Int(1)
		}
		var err error
		if below {
			var most attr.Number
			if most, err = than.Number().Sub(one); most.Cmp(high) < 0 {
				high = most
			}
		} else {
			var least attr.Number
			if least, err = than.Number().Add(one); least.Cmp(low) > 0 {
				low = least
			}
		}
		if err != nil || low.Cmp(high) > 0 {
			return attr.Value{}, false
		}
		return attr.Num(s.between(low, high, false)), true
	case a.Type == spec.Timestamp || a.Type == spec.Date:
		t, err := time.Parse(spec.TimestampLayout, than.Str())
		if a.Type == spec.Date {
			t, err = time.Parse(time.DateOnly, than.Str())
		}
		if err != nil {
			return attr.Value{}, false
		}
		away := time.Hour + time.Duration(s.rnd.Int64N(int64(20*24*time.Hour)))
		if a.Type == spec.Date {
			away += 24 * time.Hour
		}
		if below {
			away = -away
		}
		if t = t.Add(away).Truncate(time.Millisecond).UTC(); a.Type == spec.Date {
			return attr.Text(t.Format(time.DateOnly)), true
		}
		return spec.TimeValue(t), true
	}
	return attr.Value{}, false
}

// joins reports whether the other actions of a pattern can be done too where they follow from what one of them is
// about: their keys name the same parameters.
func (k *caller) joins(p *spec.Pattern, a *spec.Action, in *Instance) bool {
	if len(p.Actions) < 2 || len(a.Each) > 0 {
		return true
	}
	known := map[string]attr.Value{}
	for _, key := range a.Key {
		if r := key.Value.Reference; len(r) > 0 && r[0] != "each" {
			known[strings.Join(r, ".")] = in.Item.Get(key.Path[0])
		}
	}
	for _, x := range a.Found {
		known[spec.FoundName(a.Entity)+"."+x.Name] = in.Item.Get(x.Name)
	}
	for _, e := range equals(a) {
		v := k.o.value(in, spec.Path{e.at.Name})
		if q := p.Parameter(e.ref[0]); v.IsZero() && (q == nil || !q.Optional) {
			return false // nothing that a call states is equal to it
		}
		if name := strings.Join(e.ref, "."); known[name].IsZero() {
			known[name] = v
		}
	}
	for _, b := range p.Actions {
		if b == a || b.Verb != spec.Update && b.Verb != spec.Delete || len(b.Each) > 0 || b.Makes {
			continue
		}
		var id attr.Item
		for _, key := range b.Key {
			if v := known[strings.Join(key.Value.Reference, ".")]; !v.IsZero() {
				id.Set(key.Path[0], v)
			}
		}
		if id.Len() < len(b.Entity.Identity) {
			continue
		}
		if to := k.o.Find(b.Entity, id); to == nil && (b.Verb == spec.Update || b.Condition != nil) || to != nil && !k.suits(b, to) {
			return false
		}
	}
	return true
}

// agree gives what a call passes, and a condition compares with what is stored, a value with which the condition holds:
// the sum of a bid is more than the highest so far, who pays is who owes.
func (k *caller) agree(p *spec.Pattern, a *spec.Action, in *Instance, named map[string]attr.Value, args *attr.Item) {
	if len(a.Each) > 0 {
		return
	}
	for _, c := range spec.Conjuncts(bothEnds(a.Condition)) {
		k.meet(p, c, in, named, args)
	}
}

// meet is agree for one condition. Of tests of which one is enough, the first that can be met is.
func (k *caller) meet(p *spec.Pattern, c spec.Condition, in *Instance, named map[string]attr.Value, args *attr.Item) {
	holds := func() bool { return k.o.holds(c, in, given(*args, named), attr.Item{}) }
	switch c := c.(type) {
	case *spec.Logic:
		for _, one := range c.Args {
			if c.Op == "not" || c.Op == "or" && holds() {
				return
			}
			k.meet(p, one, in, named, args)
		}
	case *spec.Test:
		switch c.Op {
		case "begins_with", "contains", "size", "in":
			if !holds() {
				k.part(p, c, in, named)
			}
		default:
			k.compared(p, c, in, named, args)
		}
	}
}

// part gives the first parameter of a test that is no comparison, if the call is still free to state it, what the test
// looks for in what is stored: the beginning of a name, a part of it, one of several values, how many there are.
func (k *caller) part(p *spec.Pattern, t *spec.Test, in *Instance, named map[string]attr.Value) {
	stored := k.o.value(in, t.Path)
	at := slices.IndexFunc(t.Args, func(x spec.Expr) bool { return k.free(p, x, named) })
	if stored.IsZero() || at < 0 {
		return
	}
	name := t.Args[at].Reference[0]
	if t.Op != "size" {
		named[name] = k.partOf(t, stored)
		return
	}
	n := attr.Num(attr.Int(int64(sizeOfValue(stored))))
	if op := strings.NewReplacer("<", ">", ">", "<").Replace(t.SizeOp); op != "=" {
		n, _ = k.src.beyond(limited(p.Parameter(name).Like, p.Parameter(name)), op, n)
	}
	if !n.IsZero() {
		named[name] = n
	}
}

// partOf is what a test looks for in a value that passes it.
func (k *caller) partOf(t *spec.Test, v attr.Value) attr.Value {
	text := []rune(v.Str())
	switch {
	case t.Op == "begins_with":
		return k.beginning(v)
	case t.Op == "contains" && v.Kind() == attr.KindS && len(text) > 0:
		from := k.src.rnd.IntN(len(text))
		return attr.Text(string(text[from:min(from+1+k.src.rnd.IntN(3), len(text))]))
	case t.Op == "contains" && len(v.Elems()) > 0:
		return v.Elems()[k.src.rnd.IntN(len(v.Elems()))]
	}
	return v
}

// beginning is the first one to three characters of a string or bytes of a binary; an empty value begins with itself.
func (k *caller) beginning(v attr.Value) attr.Value {
	if v.Kind() == attr.KindB {
		return attr.Binary([]byte(v.Str()[:min(1+k.src.rnd.IntN(3), len(v.Str()))]))
	}
	text := []rune(v.Str())
	return attr.Text(string(text[:min(1+k.src.rnd.IntN(3), len(text))]))
}

// free reports whether a value is a parameter alone that the call still has to state.
func (k *caller) free(p *spec.Pattern, x spec.Expr, named map[string]attr.Value) bool {
	if x.Op != "" || x.Neg || len(x.Reference) != 1 || !named[x.Reference[0]].IsZero() {
		return false
	}
	q := p.Parameter(x.Reference[0])
	return q != nil && q.Entity == nil && q.Like != nil && !q.List
}

// compared is meet for a comparison with what is stored.
func (k *caller) compared(p *spec.Pattern, t *spec.Test, in *Instance, named map[string]attr.Value, args *attr.Item) {
	if len(t.Args) != 1 {
		return
	}
	r, more := stated(t.Args[0])
	if len(r) == 0 {
		r, more = k.summand(p, t.Args[0], named)
	}
	if len(r) == 0 {
		return
	}
	stored := k.o.value(in, t.Path)
	q := p.Parameter(r[0])
	if stored.IsZero() || q == nil {
		return
	}
	if more.Sign() != 0 {
		n, err := stored.Number().Sub(more)
		if stored.Kind() != attr.KindN || err != nil {
			return
		}
		stored = attr.Num(n)
	}
	var like *spec.Attribute
	switch {
	case len(r) == 1 && q.Entity == nil && q.Like != nil && !q.List:
		like = q.Like
	case len(r) == 2 && q.Entity != nil && !q.List:
		like = q.Entity.Attribute(r[1])
	}
	if like == nil || len(r) == 1 && !named[r[0]].IsZero() || len(r) == 2 && k.o.holds(t, in, *args, attr.Item{}) {
		return
	}
	v, ok := stored, t.Op == "=" || t.Op == ">=" || t.Op == "<="
	switch op := t.Op; {
	case op == "<" || op == "<=":
		if v, ok = k.src.beyond(limited(like, q), ">"+op[1:], stored); !ok && op == "<=" {
			v, ok = stored, true
		}
	case op == ">" || op == ">=":
		if v, ok = k.src.beyond(limited(like, q), "<"+op[1:], stored); !ok && op == ">=" {
			v, ok = stored, true
		}
	}
	switch {
	case !ok:
	case len(r) == 1:
		named[r[0]] = v
	default:
		place(args, spec.Path(r), v)
	}
}

// summand is the first of two parameters that a value adds or takes away, and what the other one adds to it: that is
// drawn now. The reference is empty if the value is anything else.
func (k *caller) summand(p *spec.Pattern, x spec.Expr, named map[string]attr.Value) (r spec.Reference, more attr.Number) {
	if x.Op != "+" && x.Op != "-" || len(x.Args) != 2 || !k.free(p, x.Args[0], named) || len(x.Args[1].Reference) != 1 || x.Args[1].Neg || x.Args[1].Op != "" {
		return nil, more
	}
	name := x.Args[1].Reference[0]
	q := p.Parameter(name)
	if named[name].IsZero() && k.free(p, x.Args[1], named) && q.Like.Type == spec.Number {
		if v, ok := k.src.beyond(limited(q.Like, q), ">=", attr.Num(attr.Int(0))); ok {
			named[name] = v
		}
	}
	if v := named[name]; v.Kind() == attr.KindN {
		if more = v.Number(); x.Op == "-" {
			more = more.Neg()
		}
		return x.Args[0].Reference, more
	}
	return nil, more
}

// stated is what a call states in a value, and how much the value is more than that: `$draft.version - 1`. The
// reference is empty if the value is anything else.
func stated(x spec.Expr) (r spec.Reference, more attr.Number) {
	plain := func(x spec.Expr) bool { return x.Op == "" && len(x.Reference) > 0 && !x.Neg }
	number := func(x spec.Expr) bool { return x.Op == "" && x.Literal.Kind() == attr.KindN && !x.Duration }
	switch {
	case plain(x):
		return x.Reference, more
	case len(x.Args) != 2:
	case x.Op == "+" && plain(x.Args[0]) && number(x.Args[1]):
		return x.Args[0].Reference, x.Args[1].Literal.Number()
	case x.Op == "+" && plain(x.Args[1]) && number(x.Args[0]):
		return x.Args[1].Reference, x.Args[0].Literal.Number()
	case x.Op == "-" && plain(x.Args[0]) && number(x.Args[1]):
		return x.Args[0].Reference, x.Args[1].Literal.Number().Neg()
	}
	return nil, more
}

// limited is an attribute within the range that a parameter has.
func limited(a *spec.Attribute, q *spec.Parameter) *spec.Attribute {
	if q.Min == nil && q.Max == nil {
		return a
	}
	out := *a
	if q.Min != nil {
		out.Min = q.Min
	}
	if q.Max != nil {
		out.Max = q.Max
	}
	return &out
}
