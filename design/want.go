package design

import (
	"cmp"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// A want is what a demand would like to bind on the items of one entity: equalities, then a sequence of sort parts. It
// is where the shapes of homes and indexes come from.
type want struct {
	entity *spec.Entity
	equal  []ref
	then   []keyPart
	paged  bool
}

// keyPart is one part of a sort key. Inverted parts count down where the others count up.
type keyPart struct {
	ref      ref
	inverted bool
	absent   place // where what has no value stands
}

// place is where items without a value stand in a key.
type place uint8

const (
	nowhere place = iota // they are not there, or there are none
	lowest
	highest
)

// special reports whether a part is not written as it is stored: values that sort as they are stated, true and false, and
// what may be absent and has a place all the same.
func (p keyPart) special() bool {
	return p.absent != nowhere || p.ref.attr.Ranked() || p.ref.attr.Type == spec.Bool
}

func partRefs(ps []keyPart) []ref {
	rs := make([]ref, len(ps))
	for i, p := range ps {
		rs[i] = p.ref
	}
	return rs
}

func partsKey(ps []keyPart) string {
	s := ""
	for i, p := range ps {
		if i > 0 {
			s += ","
		}
		if p.inverted {
			s += "-"
		}
		s += p.ref.key() + [...]string{"", " (absent first)", " (absent last)"}[p.absent]
	}
	return s
}

// sequences are the sort parts that serve a demand's range and order behind its equalities, the best first: range and
// order at once where the range is on the first of the order, else each for itself. Sorting at the client is possible
// where the call answers all matches.
func (d *demand) sequences() [][]keyPart {
	var order []keyPart
	for i, o := range d.order {
		if o.ref.attr.Last() { // which no key has
			order = nil
			break
		}
		order = append(order, keyPart{o.ref, i > 0 && o.descending != d.order[0].descending, o.absent})
	}
	down := func(p keyPart) bool { return p.inverted && !invertible(p.ref.attr) }
	if flipped := flip(order); slices.ContainsFunc(order, down) && !slices.ContainsFunc(flipped, down) {
		order = flipped
	}
	var out [][]keyPart
	if len(order) > 0 {
		out = append(out, order)
	}
	for _, r := range d.ranges {
		if len(order) > 0 && order[0].ref.key() == r.ref.key() {
			continue
		}
		if len(order) == 0 || !d.paged() {
			out = append(out, []keyPart{{ref: r.ref, absent: r.absent()}})
		}
	}
	if len(out) == 0 || !d.paged() && len(order) > 0 {
		out = append(out, nil)
	}
	return out
}

// flip is the same order for an index that is read in the other direction.
func flip(parts []keyPart) []keyPart {
	var out []keyPart
	for _, p := range parts {
		out = append(out, keyPart{p.ref, !p.inverted, p.absent.flipped()})
	}
	return out
}

// flipped is the place at the other end.
func (at place) flipped() place {
	switch at {
	case lowest:
		return highest
	case highest:
		return lowest
	}
	return at
}

// wants collects what all demands, and the ways their answers go, would bind on each entity.
func wants(f *facts, ds []*demand) map[*spec.Entity][]want {
	out := map[*spec.Entity][]want{}
	add := func(w want) {
		for _, o := range out[w.entity] {
			if refsKey(o.equal) == refsKey(w.equal) && partsKey(o.then) == partsKey(w.then) {
				return
			}
		}
		out[w.entity] = append(out[w.entity], w)
	}
	foreign := func(w *spec.Relationship) {
		rs := make([]ref, len(w.By))
		for i, a := range w.By {
			rs[i] = ref{from: w.From, attr: a}
		}
		add(want{entity: w.From, equal: rs})
	}
	var follow func(up chain, ns []*wayNode)
	follow = func(up chain, ns []*wayNode) {
		for _, n := range ns {
			if !n.back {
				add(want{entity: n.way.To, equal: identityRefs(n.way.To)})
				follow(nil, n.inner)
				continue
			}
			foreign(n.way)
			if n.last {
				add(want{entity: n.way.From, equal: refsOf(n.way.From, n.way.By), then: []keyPart{{ref: ref{from: n.way.From, attr: n.way.Succession()}}}})
				continue
			}
			c := append(chain{n.way}, up...)
			for i := 1; i < len(c); i++ {
				if rs := c[:i+1].inherited(); rs != nil {
					add(want{entity: n.way.From, equal: rs})
				}
			}
			follow(c, n.inner)
		}
	}
	for _, d := range ds {
		eq := bindable(d.eqs)
		backs := d.back
		for _, e := range d.eqs {
			if b, ok := e.onlyChild(); ok {
				backs = append(slices.Clone(backs), b)
			}
		}
		for _, b := range backs {
			if len(b.there) > 0 {
				eq = append(eq, b.joins(d.target)...)
			}
		}
		for _, s := range d.sequences() {
			if len(eq) > 0 {
				add(want{d.target, eq, s, d.paged()})
			}
			for _, w := range hopsOf(eq, s) {
				if up, ok := liftWant(want{d.target, eq, s, d.paged()}, w); ok {
					add(up)
					foreign(w)
				}
			}
		}
		for _, b := range backs {
			add(want{entity: b.way.From, equal: []ref{b.ref}})
		}
		follow(nil, d.ways)
	}
	for _, t := range f.touches {
		if t.inside != nil && t.verb == spec.Delete { // to be found with its parent's key
			foreign(t.way)
		}
		if t.inside == nil && (t.verb == spec.Update || t.verb == spec.Delete) {
			add(want{entity: t.entity, equal: identityRefs(t.entity)})
		}
	}
	return out
}

// hopsOf are the ways there by which values of a want leave the entity, and its parent's, each once.
func hopsOf(eq []ref, then []keyPart) []*spec.Relationship {
	var out []*spec.Relationship
	add := func(w *spec.Relationship) {
		if w != nil && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	for _, r := range append(slices.Clone(eq), partRefs(then)...) {
		if len(r.hops) > 0 {
			if !r.hops[0].back && r.alias == nil {
				add(r.hops[0].way)
			}
		} else {
			add(r.attr.Reference)
		}
	}
	return out
}

// liftWant is a want seen from the one side of w: the parts of it that lie there. It answers false if no equality does.
func liftWant(c want, w *spec.Relationship) (want, bool) {
	up := want{entity: w.To}
	for _, r := range c.equal {
		if l, ok := r.lift(w); ok {
			up.equal = append(up.equal, l)
		}
	}
	for _, p := range c.then {
		l, ok := p.ref.lift(w)
		if !ok {
			break
		}
		up.then = append(up.then, keyPart{l, p.inverted, p.absent})
	}
	return up, len(up.equal) > 0
}

// bindable are the values of equalities that a key can hold together. What no key can hold, and the longest of what is too long for
// one, is tested on what is found.
func bindable(eqs []equality) (out []ref) {
	for _, e := range eqs {
		if keyable(e.ref) {
			out = append(out, e.ref)
		}
	}
	for keyBytes(out) > float64(capacity.IndexPartitionBytes) {
		longest := slices.MaxFunc(out, func(a, b ref) int { return cmp.Compare(a.attr.Bytes.Max, b.attr.Bytes.Max) })
		out = slices.DeleteFunc(out, longest.same)
	}
	return out
}
