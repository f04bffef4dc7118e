package prove

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// attempts is how many callers try one thing at once.
const attempts = 8

// contest is something that several callers want at once.
type contest struct {
	what string
	args []attr.Item
	late func() []attr.Item // makes args just before, where contests before it may change with what it can happen; nil: args stand
}

// concurrency lets several callers make calls of each write pattern at once: of creates of one identity and of claims
// of one unique value one happens, of changes all that are answered are kept. The reads after it see what is left.
func (s *session) concurrency() error {
	s.stale(true)
	defer s.stale(false)
	for i, p := range s.asked {
		if !p.Writes() || s.failed(p) {
			continue
		}
		s.o.progress(Progress{"concurrency", p.Name, i, len(s.asked)})
		for _, c := range s.contests(p) {
			s.pass(s.o.Lag)
			if c.late != nil {
				c.args = c.late()
			}
			happened := s.race(rivals(p, s.onlyChildren(p, c.args)))
			s.evidence.Uniqueness = append(s.evidence.Uniqueness, ConcurrentCheck{p.Name, c.what, attempts, happened})
			s.reclaim(p)
			if s.failed(p) {
				break
			}
		}
	}
	s.copied()
	return s.sweep("concurrency", max(s.o.Calls/4, 4), lookAgain)
}

// reclaim asks for unique values that callers at once have asked for and that nobody has in the end: claims that nobody
// released show here.
func (s *session) reclaim(p *spec.Pattern) {
	if !slices.ContainsFunc(p.Actions, func(a *spec.Action) bool { return len(a.Entity.Unique) > 0 }) {
		return
	}
	for range attempts {
		if s.failed(p) || s.ctx.Err() != nil {
			return
		}
		done, completed := s.write(p, Freed, s.call.write(p, Freed, -1, nil), nil)
		if done {
			s.enterCreated(p, completed)
		}
	}
}

// contests lists what callers of a pattern can want at once: what only one of them may get if there is such a thing, and
// in any case the same call, which must neither lose changes nor make them twice.
func (s *session) contests(p *spec.Pattern) []contest {
	same := contest{what: "the same call", args: make([]attr.Item, attempts)}
	first := s.ready(p, Regular)
	for i := range same.args {
		same.args[i] = first
	}
	all := []contest{same}
	for _, a := range p.Actions {
		if len(a.Each) > 0 {
			continue
		}
		if instances := s.cast.byRank[a.Entity]; a.Verb == spec.Update && len(instances) > 0 {
			c := contest{what: "changes of one " + a.Entity.Name, late: func() []attr.Item { return s.changesOfOne(p, a, instances) }}
			all = append(all, c)
		}
		for _, unique := range a.Entity.Unique {
			switch a.Verb {
			case spec.Create:
				all = append(all, contest{what: "creates with one " + names(unique.Of), args: s.alike(p, a, unique.Of)})
			case spec.Update:
				if c, ok := s.claims(p, a, unique.Of); ok {
					all = append(all, c)
				}
			}
		}
		if a.Verb == spec.Create && !generated(a.Entity) {
			all = append(all, contest{what: "creates of one " + names(a.Entity.Identity), args: s.alike(p, a, a.Entity.Identity)})
		}
	}
	return all
}

// Causes of failures that several callers at once show.
const (
	tooMany    = "more of several concurrent calls succeeded than can"
	groundless = "one of several concurrent calls was refused, and nothing that was stored while it ran refuses it"
)

// changesOfOne are calls that change one instance: one with which that can happen, made anew where all that are there have
// been through it.
func (s *session) changesOfOne(p *spec.Pattern, a *spec.Action, instances []*Instance) []attr.Item {
	all := make([]attr.Item, attempts)
	s.vain[p] = 0 // attempts that failed before may succeed: other calls have changed what is stored
	for n := range tries {
		one := s.call.nearest(search{action: a}, instances, s.src.rnd.IntN(len(instances)), true, func(in *Instance) bool {
			return !in.Gone && !s.oracle.expired(in) && s.call.suits(a, in)
		})
		if n > tries/2 {
			if made := s.makeOne(p); made != nil {
				one = made
			}
		}
		if n > tries*3/4 {
			if made := s.meet(p, a); made != nil {
				one = made
			}
		}
		for i := range all {
			all[i] = s.call.write(p, Regular, -1, one)
		}
		if slices.ContainsFunc(all, func(args attr.Item) bool { return !s.call.hopeless(p, args) }) {
			break
		}
	}
	return all
}

func names(as []*spec.Attribute) string {
	text := ""
	for i, a := range as {
		if i > 0 {
			text += ", "
		}
		text += a.Name
	}
	return text
}

// alike are different values that agree in some attributes.
func (s *session) alike(p *spec.Pattern, a *spec.Action, agree []*spec.Attribute) []attr.Item {
	param := valueParameter(p, a)
	all := make([]attr.Item, attempts)
	for i := range all {
		all[i] = s.call.write(p, Regular, -1, nil)
		if i == 0 {
			continue
		}
		value := all[i].Get(param).Map().Clone()
		for _, at := range agree {
			if v := all[0].Get(param).Map().Get(at.Name); !v.IsZero() {
				value.Set(at.Name, v)
			} else {
				value.Remove(at.Name)
			}
		}
		all[i].Set(param, attr.Map(value))
	}
	return all
}

// claims are changes of different instances to the same unique value.
func (s *session) claims(p *spec.Pattern, a *spec.Action, unique []*spec.Attribute) (contest, bool) {
	c := contest{what: "changes to one " + names(unique), args: make([]attr.Item, attempts)}
	var shared []string
	for _, set := range a.Set {
		at := a.Entity.Attribute(set.Path[0])
		if slices.Contains(unique, at) && len(set.Value.Reference) == 1 {
			shared = append(shared, set.Value.Reference[0])
		}
	}
	for i := range c.args {
		c.args[i] = s.call.write(p, Regular, -1, nil)
		for _, name := range shared {
			c.args[i].Set(name, c.args[0].Get(name))
		}
	}
	return c, len(shared) == len(unique)
}

// onlyChildren are calls of which no two give one parent an only child: an application that promises it sees to that itself, and
// no model refuses the second.
func (s *session) onlyChildren(p *spec.Pattern, all []attr.Item) (out []attr.Item) {
	child := map[string]string{} // of a way and a parent
	for i, args := range all {
		claims, double := map[string]string{}, false
		claim := func(r *spec.Relationship, key attr.Item, of string) {
			parent := r.From.Name + " " + r.Name
			for _, a := range r.By {
				v := key.Get(a.Name)
				if v.IsZero() {
					return
				}
				parent += " " + encoded(v)
			}
			claims[parent] = of
			if to := s.oracle.parent(&Instance{Entity: r.From, Item: key}, r); to != nil {
				double = double || slices.ContainsFunc(s.oracle.children(to, r), func(in *Instance) bool { return in.ID != of })
			}
		}
		var made func(e *spec.Entity, value attr.Item)
		made = func(e *spec.Entity, value attr.Item) {
			of := fmt.Sprint("call ", i)
			if !generated(e) {
				of = e.IdentityOf(value)
			}
			for _, r := range e.There {
				if r.Single() {
					claim(r, value, of)
				}
			}
			for _, r := range e.Back {
				v := value.Get(r.Inverse)
				if v.Kind() == attr.KindM {
					made(r.From, v.Map())
				}
				for _, x := range v.Elems() {
					made(r.From, x.Map())
				}
			}
		}
		for _, q := range p.Parameters {
			switch v := args.Get(q.Name); {
			case q.Entity == nil || v.IsZero():
			case q.List:
				for _, x := range v.Elems() {
					made(q.Entity, x.Map())
				}
			default:
				made(q.Entity, v.Map())
			}
		}
		known := s.oracle.readFirst(p, args)
		for _, a := range p.Actions {
			in := s.oracle.key(a, known, attr.Item{})
			if a.Verb != spec.Update || in == nil {
				continue
			}
			key := in.Item.Clone()
			for _, set := range a.Set {
				if v, ok := s.oracle.eval(set.Value, in, known, attr.Item{}); ok && len(set.Path) == 1 {
					key.Set(set.Path[0], v)
				}
			}
			for _, r := range a.Entity.There {
				if r.Single() && slices.ContainsFunc(a.Set, func(set spec.Assign) bool {
					return slices.ContainsFunc(r.By, func(by *spec.Attribute) bool { return by.Name == set.Path[0] })
				}) {
					claim(r, key, in.ID)
				}
			}
		}
		for parent, of := range claims {
			other, taken := child[parent]
			double = double || taken && other != of
		}
		if !double {
			maps.Copy(child, claims)
			out = append(out, args)
		}
	}
	return out
}

// A rival is one of several calls at once.
type rival struct {
	pattern *spec.Pattern
	args    attr.Item
}

// rivals are calls of one pattern.
func rivals(p *spec.Pattern, all []attr.Item) (out []rival) {
	for _, args := range all {
		out = append(out, rival{p, args})
	}
	return out
}

// race makes calls at once, their requests interleaved by chance. Each outcome is held against the oracle in the order
// in which the calls ended: what was done must have been possible then, and what was refused must have been to refuse at
// some time while it ran. Of calls of several patterns each is all or nothing, or has one action only.
func (s *session) race(calls []rival) (happened int) {
	results := make([]tablewright.Result, len(calls))
	errs := make([]error, len(calls))
	t := newTurns(s.ctx, s.src.rnd, len(calls))
	refusable := make([][]string, len(calls))
	for _, c := range calls {
		r := s.result(c.pattern)
		r.Calls++
		r.Aims["concurrent"]++
		s.call.claim(c.pattern, c.args)
	}
	s.oracle.SetNow(s.o.Clock.Now())
	begun := s.oracle.now
	ended := make([]bool, len(calls))
	tokens := map[*spec.Pattern][]attr.Value{} // of calls that were done
	completed := func(i int) attr.Item {
		if args := results[i].Arguments; args.Len() > 0 {
			return args
		}
		return calls[i].args
	}
	note := func() { // what could be refused as things stand
		for i, c := range calls {
			if !ended[i] {
				refusable[i] = append(refusable[i], s.oracle.Check(c.pattern, completed(i)).Codes...)
			}
		}
	}
	note()
	var early []func()                       // judged when all have ended
	halfway := map[*spec.Pattern][]stopped{} // of what is not all or nothing, others show before they have ended: judged when all have
	call := func(i int) {
		results[i], errs[i] = s.program.Run(t.context(i), s.db, calls[i].pattern.Name, calls[i].args, tablewright.RunOptions{})
	}
	if len(calls) > 0 {
		p := calls[0].pattern
		if actions := s.inRequests(p); len(actions) > 0 {
			var events []event
			t.run(call, func(i, wrote int) {
				events = append(events, event{call: i, at: s.o.Clock.Now(), wrote: wrote})
			}, func(i int) { events[len(events)-1].ended = true })
			var all []attr.Item
			for _, c := range calls {
				all = append(all, c.args)
			}
			return s.interleaved(p, actions, all, results, errs, events, begun)
		}
	}
	t.run(call, func(int, int) {}, func(i int) {
		p, args := calls[i].pattern, calls[i].args
		if slices.ContainsFunc(calls, func(c rival) bool { return s.failed(c.pattern) }) {
			return
		}
		ended[i] = true
		s.oracle.SetNow(s.o.Clock.Now())
		completed := completed(i)
		got := code(errs[i])
		used := func() bool {
			return slices.ContainsFunc(tokens[p], func(v attr.Value) bool { return attr.Equal(v, completed.Get(p.Idempotency)) })
		}
		switch {
		case errs[i] == nil && p.Idempotency != "" && used():
			note() // a call with the same token has done it
		case p.Idempotency != "" && errors.Is(errs[i], tablewright.ErrTokenUsed): // what is generated differs in each call
			early = append(early, func() {
				if !used() {
					s.fail(p, "concurrent", args, &mismatch{cause: "the token was used before, and no call with it was done"}, nil)
				}
			})
		case errs[i] == nil:
			tokens[p] = append(tokens[p], completed.Get(p.Idempotency))
			if w := s.oracle.Write(p, completed); w.Refused() {
				s.fail(p, "concurrent", args, &mismatch{tooMany, w.Codes, "done"}, nil)
				return
			}
			happened++
			s.enterCreated(p, completed)
			note()
		case got == "" && !errors.Is(errs[i], tablewright.ErrConflict):
			s.fail(p, "concurrent", args, &mismatch{cause: "the write failed: " + errs[i].Error()}, nil)
		case got != "":
			w := s.oracle.Check(p, completed)
			if !p.Atomic && !slices.Contains(w.Codes, got) {
				halfway[p] = append(halfway[p], stopped{args, completed, got, refusable[i]})
				return
			}
			if refusable[i] = append(refusable[i], w.Codes...); w.Partial {
				s.oracle.Write(p, completed)
				note()
			}
			late := got == "missing" && p.Consistency == "eventual" && s.oracle.keyLately(p, completed, begun.Add(-s.o.Lag))
			if !late && !slices.Contains(refusable[i], got) && !s.oracle.twice(p, completed, got) {
				s.fail(p, "concurrent", args, &mismatch{groundless, refusable[i], got}, nil)
			}
		}
	})
	for _, judge := range early {
		judge()
	}
	for _, p := range s.asked {
		s.settle(p, halfway[p])
	}
	return happened
}

// stopped is a call among several that is not all or nothing and was refused on its way.
type stopped struct {
	args, completed attr.Item
	code            string
	refusable       []string // codes with which it could be refused at some time
}

// settle judges calls that stopped half-way: something refuses each, be it what another one of them had done before it stopped. Of
// calls that make the same list, each may make a part of it. The oracle then learns what they have done.
func (s *session) settle(p *spec.Pattern, calls []stopped) {
	at := make([]*spec.Action, len(calls)) // that refused them
	for i, c := range calls {
		codes := c.refusable
		if w := s.oracle.Check(p, c.completed); w.Refused() {
			codes = append(codes, w.Codes...)
			at[i] = w.at
		}
		if !slices.Contains(codes, c.code) {
			others := s.oracle.fork()
			for j, other := range calls {
				if j != i {
					others.Write(p, other.completed)
				}
			}
			w := others.Check(p, c.completed)
			codes = append(codes, w.Codes...)
			at[i] = w.at
		}
		if !s.failed(p) && !slices.Contains(codes, c.code) {
			s.fail(p, "concurrent", c.args, &mismatch{groundless, codes, c.code}, nil)
		}
	}
	for i, c := range calls {
		if at[i] != nil {
			s.oracle.stop(p, c.completed, at[i])
		}
	}
}
