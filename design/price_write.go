package design

import (
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/spec"
)

// arm is what one call of a write pattern consumes on the table by an act.
func (p *pricer) arm(s *scene, w *writePlan, a *act) capacity.WriteUnits {
	v, pick := p.written(s, a), p.hit(w, a)
	key := keyOfWrite(v, pick)
	u, ok := p.writes[key]
	if !ok {
		u = capacity.ExpectWrite(v.picked(pick))
		p.writes[key] = u
	}
	if w.transact && a.number == nil || a.verb == actCheck { // a sequence counts on before the transaction
		u = capacity.Transact(u)
	}
	return u * capacity.WriteUnits(a.times.average)
}

// written is the volume of the item that an act writes.
func (p *pricer) written(s *scene, a *act) *sized {
	var which **spec.Attribute
	switch {
	case a.marker != nil:
		which = &a.marker[0]
	case a.aside != nil:
		which = &a.entity.Attributes[indexOf(a.entity.Attributes, a.aside)]
	case a.number != nil:
		which = &a.number.Entity.Attributes[slices.Index(a.number.Entity.Attributes, a.number)]
	default:
		return s.figure(a.entity).size
	}
	out := p.beside[which]
	if out == nil {
		var v volume
		switch {
		case a.marker != nil:
			v = p.marker(a.entity, a.marker)
		case a.aside != nil:
			v = p.aside(a.aside)
		default:
			v = p.sequence(a.number)
		}
		out = &sized{v, p.intern(v)}
		p.beside[which] = out
	}
	return out
}

// hit is how a write spreads over the instances of an entity: a new one is any, others as the pattern's skew says.
func (p *pricer) hit(w *writePlan, a *act) dist.Law {
	n := membersOf(a.entity.Count)
	if a.verb == actPut {
		return dist.Uniform(n, 1)
	}
	return p.calls(n, w.pattern.Skew)
}

// indexArm is what one call of a write pattern consumes on an index by an act.
func (p *pricer) indexArm(s *scene, x *indexShape, w *writePlan, a *act) capacity.WriteUnits {
	if a.entity != x.entity || a.beside() || a.verb == actCheck {
		return 0
	}
	g, pr := s.figure(x.entity), s.project(x)
	arms := x.arms(pr, a)
	if arms == 0 {
		return 0
	}
	e, pick := p.entryOf(g, x, pr), p.hit(w, a)
	if changed := p.changing(w.pattern, a); changed < 1 {
		arms *= changed
		pick = dist.Uniform(membersOf(a.entity.Count), 1) // every life has as many changes, however often it is written
	}
	key := keyOfWrite(e, pick)
	u, ok := p.writes[key]
	if !ok {
		u = capacity.ExpectWrite(e.picked(pick))
		p.writes[key] = u
	}
	return u * capacity.WriteUnits(float64(arms*a.times.average))
}

// changing is the share of an act's updates that change anything. A state that may be its own next one is written more
// often than it moves: at most once into each other state in a life.
func (p *pricer) changing(w *spec.Pattern, a *act) float64 {
	if a.verb != actUpdate || len(a.set) != 1 || len(a.add)+len(a.remove) > 0 {
		return 1
	}
	at := a.entity.Attribute(a.set[0].path)
	if at == nil || at.States == nil || !slices.ContainsFunc(at.States.Names, func(s string) bool { return slices.Contains(at.States.Next[s], s) }) {
		return 1
	}
	most := float64(len(at.States.Names) - 1)
	for _, k := range a.key {
		if r := referenced(a.touch, k.value); r != nil && r.Reference != nil && r.Reference.PerParent.Stated {
			children := p.children(r.Reference)
			return children.Expect(func(n float64) float64 { return math.Min(n, most) }) / children.Mean()
		}
	}
	if w.Rate.Average <= 0 {
		return 1
	}
	return math.Min(1, most*a.entity.Growth/w.Rate.Average)
}

// arms is how many entries an act writes, per item: one that comes, goes or changes in place counts once, one that moves
// twice.
func (x *indexShape) arms(pr projection, a *act) float64 {
	switch a.verb {
	case actPut:
		if a.touch.verb == spec.Replace {
			return x.share("")
		}
		return x.share(x.initial())
	case actDelete:
		return x.share("")
	}
	keyed, listed, shown := false, false, false
	for _, at := range a.changes {
		keyed = keyed || hasRef(x.refs(), ref{from: x.entity, attr: at})
		listed = listed || x.sparse != nil && at == x.state
		shown = shown || pr.all || slices.Contains(pr.include, at.Name)
	}
	stays := 0.0 // what an entry costs that is there before and after
	switch {
	case keyed:
		stays = 2
	case shown:
		stays = 1
	}
	if !keyed && !listed {
		return stays * x.share("")
	}
	total, n := 0.0, 0.0
	for _, step := range x.steps(a) {
		was, is := x.optional(a, x.share(step[0]), x.share(step[1]))
		n++
		total += float64(stays*was*is) + float64((1-was)*is) + float64(was*(1-is))
	}
	return total / n
}

// share is the share of items that have an entry, of those in a state; "" are all.
func (x *indexShape) share(state string) float64 {
	share := 1.0
	switch {
	case x.sparse == nil:
	case state == "":
		share = shareOf(x.entity, x)
	case !x.holds(state):
		share = 0
	}
	seen := map[*spec.Attribute]bool{}
	for _, r := range x.needed() {
		if r.attr.Optional && !seen[r.attr] {
			seen[r.attr] = true
			share *= presence(r.attr)
		}
	}
	return share
}

// initial is the state in which an entity is created; "" if its sparse condition tests no state.
func (x *indexShape) initial() string {
	if x.sparse == nil || x.state.States == nil {
		return ""
	}
	return x.state.States.Names[0]
}

// steps are the changes of state that an update can make, all as frequent: what passes through all states makes each step
// once.
func (x *indexShape) steps(a *act) [][2]string {
	var out [][2]string
	for _, at := range a.changes {
		if at.States == nil {
			continue
		}
		to := ""
		for _, s := range a.set {
			if s.path == at.Name && slices.Contains(at.States.Names, strings.Trim(s.value, "'")) {
				to = strings.Trim(s.value, "'")
			}
		}
		for _, from := range at.States.Names {
			next := at.States.Next[from]
			switch {
			case to != "" && slices.Contains(next, to):
				out = append(out, x.step(at, from, to))
			case to == "" && len(next) > 0:
				out = append(out, x.step(at, from, next[0]))
			}
		}
	}
	if out == nil {
		return [][2]string{{"", ""}}
	}
	return out
}

// step is a change of state as the index sees it: one of another attribute does not change what it holds.
func (x *indexShape) step(at *spec.Attribute, from, to string) [2]string {
	if x.state != at {
		return [2]string{}
	}
	return [2]string{from, to}
}

// optional corrects shares for an optional attribute of the key that the act itself sets or removes: what it sets is there
// afterwards, and was before if it mostly is; what it removes was there.
func (x *indexShape) optional(a *act, was, is float64) (float64, float64) {
	for _, r := range x.needed() {
		if !r.attr.Optional || r.attr.Present == 0 {
			continue
		}
		if slices.ContainsFunc(a.set, func(s assignment) bool { return s.path == r.attr.Name }) {
			is /= r.attr.Present
			if r.attr.Present < 0.5 {
				was = 0
			}
			return min(was, 1), min(is, 1)
		}
		if slices.Contains(a.remove, r.attr.Name) {
			return min(was/r.attr.Present, 1), 0
		}
	}
	return was, is
}

// entries is how many entries an index has.
func (x *indexShape) entries() float64 {
	return float64(x.entity.Count * x.share(""))
}
