package workload

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// An arrival is how an optional attribute comes to an instance: with the change to one of some states, which it then keeps to.
type arrival struct {
	state *spec.Attribute
	in    map[string]bool // the states in which instances have the attribute; in all others none does
}

// sameShare is how far two stated shares may differ that mean the same instances, and fewShare which part of the instances in some
// states may be said to have what each of them has: the figures are estimates, and none is left that could have it elsewhere.
const (
	sameShare = 0.005
	fewShare  = 0.95
)

// arrivals finds the optional attributes that only updates bring which change the state as well. Shares say whether an instance has
// one in other states too: where as many have the attribute as are in the states that are entered with it, and from these on, or a few
// less, none is left that could. What takes an instance back from these removes the attribute.
func arrivals(r *spec.Requirements) map[*spec.Attribute]arrival {
	out := map[*spec.Attribute]arrival{}
	for _, e := range r.Entities {
		for _, at := range e.Attributes {
			if at.States == nil || len(at.Shares) == 0 {
				continue
			}
			for _, a := range e.Attributes {
				if _, known := out[a]; known || !a.Optional {
					continue
				}
				in := statesWith(r, a, at)
				if in == nil {
					continue
				}
				if of := stored(at, in); a.Present <= of+sameShare && a.Present >= fewShare*of-sameShare {
					out[a] = arrival{at, in}
				}
			}
		}
	}
	return out
}

// stored is the share of instances that are in one of some states.
func stored(at *spec.Attribute, in map[string]bool) (share float64) {
	for _, s := range at.Shares {
		if in[s.Value] {
			share += s.Of
		}
	}
	return share
}

// A move is an update that changes a state.
type move struct {
	from   []string
	to     string
	brings bool // the attribute, with the state
	takes  bool // it away
}

// statesWith are the states that updates enter as they set an attribute, and those that are entered from these alone; nil: something
// else may set it, or a state is entered with it and without.
func statesWith(r *spec.Requirements, a, at *spec.Attribute) map[string]bool {
	var moves []move
	in := map[string]bool{}
	for _, p := range r.Patterns {
		for _, act := range p.Actions {
			if act.Entity != a.Entity || act.Verb == spec.Create || act.Verb == spec.Delete {
				continue
			}
			to, literal := "", false
			for _, s := range act.Set {
				if s.Path[0] == at.Name {
					to, literal = text(s.Value)
				}
			}
			brings, takes := act.Sets(a.Name), act.Removes(a.Name)
			switch {
			case act.Verb != spec.Update, act.Makes, takes && to == "", act.Sets(at.Name) && !literal,
				brings && (to == "" || stated(p, act, a.Name) != nil || stated(p, act, at.Name) != nil):
				return nil
			case to != "":
				moves = append(moves, move{Leaves(r, act, at, to), to, brings, takes})
				in[to] = in[to] || brings
			}
		}
	}
	for more := true; more; {
		more = false
		for _, m := range moves {
			if !in[m.to] && !m.takes && len(m.from) > 0 && !slices.ContainsFunc(m.from, func(s string) bool { return !in[s] }) {
				in[m.to], more = true, true
			}
		}
	}
	for _, m := range moves {
		if m.takes && in[m.to] || !m.brings && !m.takes && slices.ContainsFunc(m.from, func(s string) bool { return in[s] != in[m.to] }) {
			return nil
		}
	}
	if in[at.States.Names[0]] || !slices.ContainsFunc(moves, func(m move) bool { return m.brings }) {
		return nil
	}
	return in
}

// Initial are the states in which an entity is created, and what only comes with later ones.
func (w *Workload) Initial(e *spec.Entity) Known {
	k := Known{}
	for _, a := range e.Attributes {
		if a.States != nil {
			k[a.Name] = a.States.Names[0]
		}
	}
	return w.implied(k, e)
}

// implied is what is known of an instance with what its state says of the attributes that come with a state.
func (w *Workload) implied(k Known, e *spec.Entity) Known {
	for _, a := range e.Attributes {
		x, ok := w.arrivals[a]
		if !ok {
			continue
		}
		switch is, known := k[x.state.Name]; {
		case !known || is == There || is == Gone:
		case !x.in[is]:
			k = k.With(a.Name, Gone)
		case k[a.Name] == Gone || k[a.Name] == There:
			k = k.With(a.Name, There)
		}
	}
	return k
}
