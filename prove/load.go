package prove

import (
	"fmt"
	"slices"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// load makes the data set by calling the write patterns that create its entities, in an order in which everything that
// is pointed to exists already. What these calls consume is measured, but for those that give instances at once what a
// life brings.
func (s *session) load() error {
	order, err := creationOrder(s.req, needed(s.req, s.asked), nil)
	if err != nil {
		return err
	}
	for _, e := range needed(s.req, s.asked) {
		s.outside(e)
	}
	s.call.goals, s.call.seeding = map[*Instance]string{}, newSeeding(s.compiled, order)
	if order, err = creationOrder(s.req, needed(s.req, s.asked), s.call.seeding.bare); err != nil {
		return err
	}
	s.seeding, s.lives, s.order = s.call.seeding, s.call.seeding.lives, order
	defer func() { s.call.goals, s.call.seeding = nil, nil }()
	total, done := 0, 0
	for _, c := range order {
		total += s.pop.Count[c.root]
	}
	step := time.Duration(0)
	if _, stretch := timely(s.req); stretch > 0 && total > 0 {
		if _, simulated := s.o.Clock.(*Simulated); simulated {
			step = stretch / time.Duration(total)
		}
	}
	for _, c := range order {
		e := c.root
		for _, inside := range s.req.Entities {
			if k := creationOf(s.req, inside); k != nil && k.pattern == c.pattern {
				for _, r := range inside.There {
					if r != k.way && r.PerParent.Stated && !s.cast.lotted(r) {
						var there []*Instance
						if broughtInPart(s.req, inside) {
							there = s.cast.byRank[inside]
						}
						s.cast.lot(r, s.pop.Count[inside], there, s.oracle.parent)
					}
				}
			}
		}
		// What another creation has made beside its own is there already, and a call may make a list of them.
		vain := 0
		for rank := len(s.cast.byRank[e]); rank < s.pop.Count[e]; rank = max(rank+1, len(s.cast.byRank[e])) {
			if err := s.ctx.Err(); err != nil {
				return err
			}
			if s.failed(c.pattern) || vain == mostVain { // what makes up the identity is used up, say
				break
			}
			s.pass(step)
			if vain++; s.create(c, rank) {
				vain = 0
			}
			if done++; done%200 == 0 {
				s.o.progress(Progress{Phase: "load", Done: done, Of: total})
			}
		}
		for _, inside := range s.req.Entities {
			if k := creationOf(s.req, inside); k != nil && k.way != nil && k.pattern == c.pattern {
				s.cast.bySize(inside)
			}
		}
	}
	s.pass(s.o.Lag)
	s.age()
	s.pass(s.o.Lag)
	return nil
}

// outside gives an entity that another system keeps its cast: others refer to it, and nothing stores it.
func (s *session) outside(e *spec.Entity) {
	if !e.External {
		return
	}
	for rank := range s.pop.Count[e] {
		at := s.cast.standing(e, rank)
		s.call.born = s.call.born[:0]
		it := s.call.entity(e, nil, rank)
		for _, a := range e.Identity {
			if !it.Has(a.Name) { // the other system generates it
				it.Set(a.Name, s.src.value(a, at, true))
			}
		}
		s.cast.enter(s.oracle.put(e, it))
	}
}

// mostVain is how many instances in a row are tried to be made when none can be.
const mostVain = 48

// create calls the pattern that creates an entity; what is refused is tried again with other values. What the laws had
// for a call that was refused is there for the next. It reports whether one was made.
func (s *session) create(c *creation, rank int) bool {
	for range 8 {
		s.pass(time.Duration(s.src.rnd.IntN(4)) * time.Duration(s.src.rnd.IntN(4)) * time.Second / 4)
		s.cast.taken = s.cast.taken[:0]
		if put := s.call.seeding.put[c.root]; put != nil && c.action.Makes {
			if done, completed := s.seed(c.pattern, put, s.call.write(put, Regular, rank, nil)); done {
				s.enterCreated(put, completed)
				return true
			}
			s.cast.untake()
			continue
		}
		if bare := s.call.seeding.bare[c.pattern]; bare != nil {
			if done, completed := s.seed(c.pattern, bare, s.call.write(bare, Regular, rank, nil)); done {
				s.enterCreated(c.pattern, completed)
				return true
			}
			s.cast.untake()
			continue
		}
		args := s.call.write(c.pattern, Regular, rank, nil)
		if c.action.Makes { // its identity is made as that of what is created
			s.named(c.pattern, c.action, s.call.entity(c.root, nil, rank), &args)
		}
		use := &tablewright.Usage{}
		done, completed := s.write(c.pattern, Regular, args, use)
		if s.failed(c.pattern) {
			return false
		}
		if done {
			if !s.call.seeding.lives(c.pattern) && !c.action.Makes && c.action.Verb != spec.Upsert {
				s.tallies[c.pattern].add(use)
			}
			s.enterCreated(c.pattern, completed)
			return true
		}
		s.cast.untake()
	}
	return false
}

// make makes an instance as stored data is made.
func (s *session) make(c *creation, rank int) {
	for range 3 {
		done, completed := false, attr.Item{}
		if put := s.seeding.put[c.root]; put != nil && c.action.Makes {
			if done, completed = s.seed(c.pattern, put, s.call.write(put, Regular, rank, nil)); done {
				s.enterCreated(put, completed)
				return
			}
			continue
		}
		if bare := s.seeding.bare[c.pattern]; bare != nil {
			done, completed = s.seed(c.pattern, bare, s.call.write(bare, Regular, rank, nil))
		} else {
			done, completed = s.write(c.pattern, Regular, s.call.write(c.pattern, Regular, rank, nil), nil)
		}
		if done {
			s.enterCreated(c.pattern, completed)
		}
		if done || s.failed(c.pattern) {
			return
		}
	}
}

// seed makes a call of a pattern without its moves; it reports whether it was done, or at least the other elements of
// its lists where one was refused.
func (s *session) seed(p, bare *spec.Pattern, args attr.Item) (done bool, completed attr.Item) {
	s.oracle.SetNow(s.o.Clock.Now())
	res, err := s.seeding.program.Run(s.ctx, s.db, bare.Name, args, tablewright.RunOptions{})
	if completed = res.Arguments; completed.Len() == 0 {
		completed = args
	}
	want := s.oracle.Check(bare, completed)
	switch got := code(err); {
	case s.oracle.twice(bare, completed, got): // a booking from an account to itself: other arguments will do
	case err != nil && got == "":
		s.fail(p, "seed", args, &mismatch{cause: "making data failed: " + err.Error()}, nil)
	case err != nil && !want.Refused():
		s.fail(p, "seed", args, &mismatch{"what it creates, made without its moves, was refused as " + got + " and should have been done", "done", got}, nil)
	case err == nil && want.Refused():
		s.fail(p, "seed", args, &mismatch{"what it creates, made without its moves, was done and should have been refused", want.Codes, "done"}, nil)
	case err == nil || want.Partial:
		s.oracle.Write(bare, completed)
		return true, completed
	}
	return false, completed
}

// enter gives what a call has created its place in the cast: the value and the children inside it.
func (s *session) enter(c *creation, param string, completed attr.Item) {
	if c.action.Makes {
		for _, each := range s.oracle.elements(c.action, completed) {
			if in := s.oracle.key(c.action, completed, each); in != nil {
				s.enterOnce(in)
			}
		}
		return
	}
	values := []attr.Value{completed.Get(param)}
	if q := c.pattern.Parameter(param); q != nil && q.List {
		values = completed.Get(param).Elems()
	}
	for _, v := range values {
		s.enterValue(c.action, c.root, v.Map())
	}
}

// enterOnce enters what has no place yet: what is refused because it is there has one.
func (s *session) enterOnce(in *Instance) {
	if _, there := s.cast.rank[in]; !there {
		s.cast.enter(in)
	}
}

func (s *session) enterValue(a *spec.Action, e *spec.Entity, value attr.Item) {
	if in := s.oracle.Find(e, value); in != nil {
		s.enterOnce(in)
	}
	for _, way := range a.With {
		r := e.WayBack(way)
		inside := value.Get(way)
		list := inside.Elems()
		if inside.Kind() == attr.KindM {
			list = []attr.Value{inside}
		}
		for _, child := range list {
			it := child.Map().Clone()
			foreign(&it, r, value)
			if in := s.oracle.Find(r.From, it); in != nil {
				s.enterOnce(in)
			}
		}
	}
}

// valueParameter is the parameter that an action takes its value from.
func valueParameter(p *spec.Pattern, a *spec.Action) string {
	switch {
	case len(a.Value) > 0 && a.Value[0] != "each":
		return a.Value[0]
	case len(a.Each) > 0:
		return a.Each[0]
	}
	for _, q := range p.Parameters {
		if q.Entity == a.Entity {
			return q.Name
		}
	}
	return ""
}

// needed are the entities that patterns look at or change.
func needed(r *spec.Requirements, asked []*spec.Pattern) []*spec.Entity {
	in := map[*spec.Entity]bool{}
	var enter func(e *spec.Entity)
	walk := func(e *spec.Entity, path spec.Path) {
		for _, name := range path {
			if w := e.WayThere(name); w != nil {
				e = w.To
			} else if w := e.WayBack(name); w != nil {
				e = w.From
			} else {
				if a := e.Attribute(name); a != nil && a.Reference != nil {
					enter(a.Reference.To)
				}
				break
			}
			enter(e)
		}
	}
	enter = func(e *spec.Entity) {
		if in[e] {
			return
		}
		in[e] = true
		for _, a := range e.Attributes {
			if a.Derived != nil {
				walk(e, a.Derived.Path)
			}
		}
	}
	for _, p := range asked {
		if !p.Writes() {
			enter(p.Read)
			for _, paths := range [][]spec.Path{p.Given, p.With, p.Returns} {
				for _, path := range paths {
					walk(p.Read, path)
				}
			}
			for _, k := range p.Order {
				walk(p.Read, k.Path)
			}
			for t := range spec.Tests(p.Where) {
				walk(p.Read, t.Path)
			}
			for _, a := range p.Aggregates {
				walk(p.Read, a.Path)
			}
		}
		for _, a := range p.Actions {
			enter(a.Entity)
			for _, way := range a.With {
				walk(a.Entity, spec.Path{way})
			}
			for _, way := range a.Requires {
				enter(way.To)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(r.Entities), func(e *spec.Entity) bool { return !in[e] })
}

// How much the creation of an entity needs another one.
const (
	pointed  = iota // it may point to one
	led             // it points to one, which may be missing
	demanded        // it is refused without
)

// neighbour is an entity that the creation of another one needs.
type neighbour struct {
	entity *spec.Entity
	need   int
}

// neighbours are what the creation of an entity, and of those inside its value, needs. bare are the creations that go
// without what they do to something beside: who founds a guild leads it, and most players come after their guild.
func neighbours(r *spec.Requirements, root *spec.Entity, bare map[*spec.Pattern]*spec.Pattern) (out []neighbour) {
	add := func(e *spec.Entity, need int) {
		if i := slices.IndexFunc(out, func(n neighbour) bool { return n.entity == e }); i >= 0 {
			out[i].need = max(out[i].need, need)
		} else if e != root {
			out = append(out, neighbour{e, need})
		}
	}
	for _, x := range r.Entities {
		k := creationOf(r, x)
		if k == nil || k.root != root {
			continue
		}
		for _, way := range x.There {
			need := led
			if slices.ContainsFunc(way.By, func(a *spec.Attribute) bool { return a.Optional }) {
				need = pointed
			}
			add(way.To, need)
		}
		actions := k.pattern.Actions
		if without := bare[k.pattern]; without != nil {
			actions = without.Actions
		}
		for _, a := range actions {
			if a.Verb == spec.Update { // what the same call changes must exist as well
				add(a.Entity, demanded)
			}
			for _, way := range a.Requires {
				add(way.To, demanded)
			}
		}
	}
	return out
}

// creationOrder lists how the entities come into being, what is pointed to before what points to it. Where they point
// to each other in a circle, what is needed most comes first. Entities that stand inside another's value come with it.
func creationOrder(r *spec.Requirements, entities []*spec.Entity, bare map[*spec.Pattern]*spec.Pattern) ([]*creation, error) {
	var order []*creation
	state := map[*spec.Entity]int{} // 1: under way, 2: done
	// awaits reports whether what an entity needs, at least so much, leads to one that is under way.
	awaits := func(e *spec.Entity, need int) bool {
		seen := map[*spec.Entity]bool{}
		var leads func(e *spec.Entity) bool
		leads = func(e *spec.Entity) bool {
			if c := creationOf(r, e); c != nil {
				e = c.root
			}
			if state[e] == 1 {
				return true
			}
			if seen[e] {
				return false
			}
			seen[e] = true
			return slices.ContainsFunc(neighbours(r, e, bare), func(n neighbour) bool { return n.need >= need && leads(n.entity) })
		}
		return leads(e)
	}
	var visit func(e *spec.Entity) error
	visit = func(e *spec.Entity) error {
		c := creationOf(r, e)
		if c == nil && e.External {
			return nil
		}
		if c == nil {
			return fmt.Errorf("no pattern creates %s", e.Name)
		}
		root := c.root
		if state[root] != 0 {
			return nil // done, or a circle: the key dangles for a while, as requirements allow
		}
		state[root] = 1
		for _, n := range neighbours(r, root, bare) {
			if n.need < demanded && awaits(n.entity, n.need+1) {
				continue
			}
			if err := visit(n.entity); err != nil {
				return err
			}
		}
		state[root] = 2
		order = append(order, creationOf(r, root))
		return nil
	}
	for _, e := range entities {
		if err := visit(e); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(order, func(c *creation) bool { return c == nil || c.way != nil }), nil
}

// age moves entities through their states until the stored shares are about as stated, by the patterns that do so.
func (s *session) age() {
	for _, e := range s.req.Entities {
		for _, a := range e.Attributes {
			if a.States == nil || len(a.Shares) == 0 || s.call.seeding.states[a] || len(movers(s.req, e, a)) == 0 {
				continue
			}
			for _, in := range s.oracle.Instances(e) {
				if s.ctx.Err() != nil {
					return
				}
				to, ok := s.call.goals[in]
				if !ok {
					to = s.src.share(a, in.Item)
				}
				for range a.States.Names { // one call may lead to a state on the way only
					if !s.approach(in, a, to, true) {
						break
					}
				}
			}
		}
	}
}

// approach makes a call that moves an instance to a state or nearer to it; it reports whether one was done. What it
// consumes counts if it is asked to and all calls of the pattern make the same step: else it depends on the states
// chosen here.
func (s *session) approach(in *Instance, a *spec.Attribute, goal string, count bool) bool {
	next := func(to string) bool {
		return slices.Contains(a.States.Next[in.Item.Get(a.Name).Str()], to)
	}
	if in.Gone || in.Item.Get(a.Name).Str() == goal || !next(goal) {
		return false
	}
	for _, m := range movers(s.req, in.Entity, a) {
		to := m.to
		if m.param != "" {
			to = goal
		}
		if s.failed(m.pattern) || !next(to) || to != goal && !slices.Contains(a.States.Next[to], goal) {
			continue
		}
		args := s.call.write(m.pattern, Regular, -1, in)
		s.named(m.pattern, m.pattern.Actions[0], in.Item, &args)
		if m.param != "" {
			args.Set(m.param, attr.Text(to))
		}
		if s.oracle.Check(m.pattern, args).Refused() {
			continue
		}
		use := &tablewright.Usage{}
		s.pass(time.Duration(s.src.rnd.IntN(400)) * time.Millisecond)
		if done, _ := s.write(m.pattern, Regular, args, use); done {
			alone := listOf(m.pattern, m.pattern.Actions[0]) != nil // other calls have longer lists
			if count && !alone && m.param == "" && len(a.States.Before(to)) == 1 {
				s.tallies[m.pattern].add(use)
			}
			return true
		}
	}
	return false
}

// named lets the arguments of a call say that an action is about one item. Where they list what it is about, that is
// the only element: the item itself, or a mapping that the call has already, or a new one, with what the key takes from
// it.
func (s *session) named(p *spec.Pattern, a *spec.Action, it attr.Item, args *attr.Item) {
	var bare attr.Value
	var element attr.Item
	for _, key := range a.Key {
		v := it.Get(key.Path[0])
		switch r := key.Value.Reference; {
		case len(r) == 1 && r[0] == "each":
			bare = v
		case len(r) == 1:
			args.Set(r[0], v)
		case len(r) == 2 && r[0] == "each":
			element.Set(r[1], v)
		}
	}
	q := listOf(p, a)
	switch {
	case q == nil:
	case !bare.IsZero():
		args.Set(q.Name, attr.List(bare))
	case element.Len() > 0:
		whole := s.src.mapping(q.Like, middle)
		if has := args.Get(q.Name).Elems(); len(has) > 0 && has[0].Kind() == attr.KindM {
			whole = has[0].Map().Clone()
		}
		for name, v := range element.All() {
			whole.Set(name, v)
		}
		args.Set(q.Name, attr.List(attr.Map(whole)))
	}
}

// mover is a pattern that sets a states attribute and is about nothing else: to the value of a parameter, or to one
// state.
type mover struct {
	pattern   *spec.Pattern
	param, to string
}

func movers(r *spec.Requirements, e *spec.Entity, at *spec.Attribute) []mover {
	var out []mover
	for _, p := range r.Patterns {
		if len(p.Actions) != 1 || p.Actions[0].Verb != spec.Update || p.Actions[0].Entity != e {
			continue
		}
		for _, set := range p.Actions[0].Set {
			switch {
			case len(set.Path) != 1 || set.Path[0] != at.Name:
			case len(set.Value.Reference) == 1:
				out = append(out, mover{pattern: p, param: set.Value.Reference[0]})
			case set.Value.Op == "" && set.Value.Literal.Kind() == attr.KindS:
				out = append(out, mover{pattern: p, to: set.Value.Literal.Str()})
			}
		}
	}
	return out
}

// advance moves the clock. A real one is waited for in short steps, for whoever interrupts the proof.
func (s *session) advance(d time.Duration) {
	if _, simulated := s.o.Clock.(*Simulated); simulated {
		s.o.Clock.Advance(d)
		return
	}
	const step = 100 * time.Millisecond
	for ; d > 0 && s.ctx.Err() == nil; d -= step {
		s.o.Clock.Advance(min(d, step))
	}
}

// pass lets time pass.
func (s *session) pass(d time.Duration) {
	if d > 0 {
		s.keep(d)
		s.advance(d)
	}
	s.oracle.SetNow(s.o.Clock.Now())
}
