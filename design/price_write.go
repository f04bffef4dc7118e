package design

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// arm is what one call of a write pattern consumes on the table by an act.
func (p *pricer) arm(s *scene, w *writePlan, a *act) capacity.WriteUnits {
	var v volume
	switch {
	case a.marker != nil:
		v = p.marker(a.entity, a.marker)
	case a.number != nil:
		v = volume{fixed: 64}
	default:
		v = s.figure(a.entity).whole
	}
	var b strings.Builder
	b.WriteString("w")
	if a.marker == nil && a.number == nil {
		b.WriteString(s.figure(a.entity).id)
	} else if a.marker != nil {
		b.WriteString(a.entity.Name + "." + a.marker[0].Name)
	}
	if a.verb != actPut && a.each == "" {
		num(&b, w.pattern.Skew.Zipf, w.pattern.Skew.Hottest)
		v = v.picked(p.skewed(w.pattern.Skew, a.entity.Count))
	}
	u, ok := p.writes[b.String()]
	if !ok {
		u = capacity.ExpectWrite(v)
		p.writes[b.String()] = u
	}
	if w.transact {
		u = capacity.Transact(u)
	}
	return u * capacity.WriteUnits(a.times.average)
}

// indexArm is what one call of a write pattern consumes on an index by an act.
func (p *pricer) indexArm(s *scene, x *indexShape, w *writePlan, a *act) capacity.WriteUnits {
	if a.entity != x.entity || a.marker != nil || a.number != nil || a.verb == actCheck {
		return 0
	}
	g, pr := s.figure(x.entity), s.project(x)
	enter, move, inPlace := x.flow(g, pr, a)
	arms := enter + 2*move + inPlace
	if arms == 0 {
		return 0
	}
	key := "x" + g.id + x.id + "/" + pr.name
	u, ok := p.writes[key]
	if !ok {
		u = capacity.ExpectWrite(p.entry(g, x, pr))
		p.writes[key] = u
	}
	return u * capacity.WriteUnits(float64(arms*a.times.average))
}

// flow is how often an act makes an entry come or go, move, or change in place, per item that it writes.
func (x *indexShape) flow(g *figure, pr projection, a *act) (enter, move, inPlace float64) {
	share := x.present() * shareOf(x.entity, x)
	switch a.verb {
	case actPut:
		if a.touch.verb == spec.Create {
			return x.present() * x.initial(), 0, 0
		}
		return 0, share, 0
	case actDelete:
		return share, 0, 0
	}
	keyed := func(at *spec.Attribute) bool {
		return hasRef(x.refs(), ref{from: x.entity, attr: at})
	}
	optional := false
	for _, at := range a.changes {
		if keyed(at) {
			if at.Optional {
				optional = true
			} else {
				move = share
			}
		}
	}
	if optional {
		return 1, 0, 0 // it comes or goes
	}
	if x.sparse != nil && slices.Contains(a.changes, x.state) {
		in, out, stay := x.transitions(a)
		enter = x.present() * (in + out)
		share = x.present() * stay
		if move > 0 {
			move = share
		}
	}
	if move > 0 {
		return enter, move, 0
	}
	for _, at := range a.changes {
		r := ref{from: x.entity, attr: at}
		if pr.all || slices.Contains(pr.include, r.key()) {
			return enter, 0, share
		}
	}
	return enter, 0, 0
}

// present is the share of items that have all attributes of an index's key.
func (x *indexShape) present() float64 {
	p := 1.0
	for _, r := range x.refs() {
		p = min(p, presence(r))
	}
	return p
}

// initial is the share of new items that enter an index.
func (x *indexShape) initial() float64 {
	if x.sparse == nil {
		return 1
	}
	if s := x.state.States; s != nil {
		if x.holds(s.Names[0]) {
			return 1
		}
		return 0
	}
	return shareOf(x.entity, x)
}

// transitions are the shares of the updates of a state by which items enter a sparse index, leave it and stay in it. The
// requirements say which states may follow, not how often: all ways into the states that the pattern sets count alike.
func (x *indexShape) transitions(a *act) (in, out, stay float64) {
	var to []string
	for _, s := range a.set {
		if s.path != x.state.Name {
			continue
		}
		for _, v := range x.state.Values() {
			if s.value == v || s.value == "'"+v+"'" {
				to = append(to, v)
			}
		}
	}
	if len(to) == 0 {
		to = x.state.Values()
	}
	n := 0.0
	for _, v := range to {
		from := x.state.Values()
		if x.state.States != nil {
			from = x.state.States.Before(v)
			if i := slices.Index(x.state.States.Names, v); i > 0 && slices.Contains(from, x.state.States.Names[i-1]) {
				from = []string{x.state.States.Names[i-1]} // step by step is the rule, leaps are the exception
			}
		}
		for _, u := range from {
			if u == v {
				continue
			}
			n++
			switch before, after := x.holds(u), x.holds(v); {
			case before && after:
				stay++
			case before:
				out++
			case after:
				in++
			}
		}
	}
	if n == 0 {
		return 0, 0, 0
	}
	return in / n, out / n, stay / n
}

// entries is how many entries an index has.
func (x *indexShape) entries() float64 {
	return float64(x.entity.Count * x.present() * shareOf(x.entity, x))
}
