package prove

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Concurrent calls of two patterns: one changes a value, the other makes items that copy it. The first rewrites the
// copies that it finds. An item made in between must not keep the old value for good.

// meeting is two patterns whose calls meet at one instance.
type meeting struct {
	changes, brings *spec.Pattern
	change, bring   *spec.Action
	way             *spec.Relationship // from what holds a copy to what the value is of
}

// meetings lists which patterns can meet, as the model keeps its copies.
func (s *session) meetings() (out []meeting) {
	for _, t := range s.compiled.Tables {
		for _, k := range t.Kinds {
			for _, st := range k.Stored {
				if k.Role != plan.EntityItem || !st.Copy || len(st.Kept.By) == 0 {
					continue
				}
				if way := k.Entity.WayOn(st.Path); way != nil {
					out = s.meetingsOn(out, way, st.Kept.By)
				}
			}
		}
	}
	return out
}

func (s *session) meetingsOn(out []meeting, way *spec.Relationship, by []string) []meeting {
	for _, p := range s.asked {
		for _, a := range p.Actions {
			if !slices.Contains(by, p.Name) || a.Entity != way.To || len(a.Each) > 0 || !p.Atomic || a.Verb != spec.Update && a.Verb != spec.Replace && a.Verb != spec.Upsert {
				continue
			}
			for _, q := range s.asked {
				i := slices.IndexFunc(q.Actions, func(b *spec.Action) bool {
					return b.Entity == way.From && (brings(b) || movesBy(b, way) != nil) && len(b.Each) == 0
				})
				if i < 0 || q == p || !q.Atomic && len(q.Actions) > 1 {
					continue
				}
				m := meeting{p, q, a, q.Actions[i], way}
				if !slices.ContainsFunc(out, func(o meeting) bool { return o.changes == p && o.brings == q && o.way == way }) {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

// brings reports whether an action makes a whole instance.
func brings(a *spec.Action) bool {
	return a.Verb == spec.Create || a.Verb == spec.Upsert || a.Verb == spec.Replace
}

// movesBy are the references that an update gives the foreign key of a way; nil if it does not give all of it.
func movesBy(a *spec.Action, way *spec.Relationship) (out []string) {
	for _, by := range way.By {
		i := slices.IndexFunc(a.Set, func(set spec.Assign) bool {
			return len(set.Path) == 1 && set.Path[0] == by.Name && len(set.Value.Reference) == 1
		})
		if a.Verb != spec.Update || i < 0 {
			return nil
		}
		out = append(out, a.Set[i].Value.Reference[0])
	}
	return out
}

const (
	rounds     = 6  // of each meeting
	changers   = 2  // calls of those at once change the value
	mostLooked = 10 // items with copies are looked at after each
)

// copied lets calls that change a value meet calls that bring or move what holds copies of it, and looks at all copies then.
func (s *session) copied() {
	for _, m := range s.meetings() {
		for range rounds {
			if s.failed(m.changes) || s.failed(m.brings) || s.ctx.Err() != nil {
				break
			}
			s.pass(s.o.Lag)
			s.meetAt(m)
		}
	}
}

// meetAt is one round.
func (s *session) meetAt(m meeting) {
	at := s.fewChildren(m.way)
	if at == nil {
		return
	}
	var all []rival
	for range changers {
		all = append(all, rival{m.changes, s.about(m.changes, m.change, at)})
	}
	var bring []attr.Item
	for i := range attempts - changers {
		bring = append(bring, s.bringing(m, at, i))
	}
	all = append(all, rivals(m.brings, s.onlyChildren(m.brings, bring))...)
	before := slices.Clone(s.oracle.children(at, m.way))
	happened := s.race(all)
	what := fmt.Sprintf("calls of %s and %s about one %s", m.changes.Name, m.brings.Name, m.way.To.Name)
	s.evidence.Uniqueness = append(s.evidence.Uniqueness, ConcurrentCheck{m.changes.Name, what, len(all), happened})
	s.pass(s.o.Lag)
	here := slices.Clone(s.oracle.children(at, m.way))
	look := append(slices.DeleteFunc(slices.Clone(here), func(in *Instance) bool { return slices.Contains(before, in) }), // what came,
		slices.DeleteFunc(slices.Clone(before), func(in *Instance) bool { return slices.Contains(here, in) })...) // what went, and the rest
	look = append(look, slices.DeleteFunc(here, func(in *Instance) bool { return slices.Contains(look, in) })...)
	look = look[:min(len(look), mostLooked)]
	for _, p := range s.asked {
		var around []*Instance
		switch {
		case p.Writes():
		case p.Read == m.way.From:
			around = look
		case p.Read == at.Entity && touches(m.brings, p):
			around = []*Instance{at}
		}
		for _, in := range around {
			if s.failed(p) || in.Gone {
				continue
			}
			if s.check(p, "concurrent", s.call.read(p, Typical, in), false); s.failed(p) {
				s.result(p).Failure.Cause += fmt.Sprintf(", after calls of %s and %s at once about one %s: where %s does not find what %s makes in between, a copy stays as it was",
					m.changes.Name, m.brings.Name, m.way.To.Name, m.changes.Name, m.brings.Name)
			}
		}
	}
}

// fewChildren is an instance to which as many can come as a contest brings; nil if none is found.
func (s *session) fewChildren(way *spec.Relationship) *Instance {
	all := s.cast.byRank[way.To]
	for range tries {
		in := pickOne(s.src, all)
		if in == nil {
			return nil
		}
		if n := len(s.oracle.children(in, way)); !in.Gone && !s.oracle.expired(in) && (!way.PerParent.Stated || float64(n+attempts) <= way.PerParent.Max) {
			return in
		}
	}
	return nil
}

// about are the arguments of a call that changes an instance.
func (s *session) about(p *spec.Pattern, a *spec.Action, in *Instance) attr.Item {
	args := s.call.write(p, Regular, -1, in)
	if a.Verb != spec.Update {
		param := valueParameter(p, a)
		value := args.Get(param).Map().Clone()
		for _, x := range a.Entity.Identity {
			value.Set(x.Name, in.Item.Get(x.Name))
		}
		args.Set(param, attr.Map(value))
	}
	return args
}

// bringing are the arguments of the i-th call that brings something to an instance, or takes it from there.
func (s *session) bringing(m meeting, at *Instance, i int) (args attr.Item) {
	children := s.oracle.children(at, m.way)
	for range tries {
		var around *Instance
		away := !brings(m.bring) && i%2 == 1 && len(children) > 0
		if away {
			around = children[s.src.rnd.IntN(len(children))]
		}
		args = s.call.write(m.brings, Regular, -1, around)
		switch {
		case away:
		case brings(m.bring):
			param := valueParameter(m.brings, m.bring)
			value := args.Get(param).Map().Clone()
			foreign(&value, m.way, at.Item)
			args.Set(param, attr.Map(value))
		default:
			for i, name := range movesBy(m.bring, m.way) {
				args.Set(name, at.Item.Get(m.way.To.Identity[i].Name))
			}
		}
		if !s.oracle.Check(m.brings, args).Refused() {
			break
		}
	}
	return args
}
