package prove

import (
	"fmt"
	"slices"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// version is what an instance was until some time.
type version struct {
	item  attr.Item
	gone  bool
	until time.Time
}

// remember keeps what an instance is before it changes, for as long as some answer may still show it.
func (o *Oracle) remember(in *Instance) {
	if o.keep == 0 || in.Gone && len(in.past) == 0 && !o.sources[in.Entity] {
		return
	}
	since := o.now.Add(-o.keep)
	for len(in.past) > 0 && in.past[0].until.Before(since) {
		in.past = in.past[1:]
	}
	in.past = append(in.past, version{in.Item, in.Gone, o.now})
	if o.sources[in.Entity] {
		o.changed = append(o.changed, in)
		if o.pending.IsZero() {
			o.pending = o.now
		}
	}
}

// were are an instance as it is, and as it was at some time since another.
func (o *Oracle) were(in *Instance, since time.Time) []*Instance {
	all := []*Instance{in}
	for _, v := range in.past {
		if !v.until.Before(since) {
			all = append(all, &Instance{Entity: in.Entity, Item: v.item, Gone: v.gone})
		}
	}
	return all
}

// ever are the values that a to-one path has had since a time, the zero Value where it led to nothing.
func (o *Oracle) ever(in *Instance, path spec.Path, since time.Time) (out []attr.Value) {
	ends := o.were(in, since)
	e := in.Entity
	for i := range path {
		r := e.WayOn(path[i:])
		if r == nil {
			for _, x := range ends {
				v := attr.Value{}
				if !x.Gone {
					v = x.Item.Get(path[i])
					if a := e.Attribute(path[i]); v.IsZero() && a != nil && a.Derived != nil {
						out = append(out, o.lately(x, a)...)
						v = o.attribute(x, a)
					}
					for _, name := range path[i+1:] {
						v = v.Map().Get(name)
					}
				}
				out = append(out, v)
			}
			return out
		}
		var next []*Instance
		for _, x := range ends {
			if x.Gone { // what is made anew comes without the copies that it had
				out = append(out, attr.Value{})
			}
			var id attr.Item
			for j, a := range r.By {
				id.Set(r.To.Identity[j].Name, x.Item.Get(a.Name))
			}
			if to := o.stores[r.To].byID[r.To.IdentityOf(id)]; to != nil {
				next = append(next, o.were(to, since)...)
			} else {
				out = append(out, attr.Value{})
			}
		}
		ends, e = next, r.To
	}
	return out
}

// renewed is an answer in which related values that were true not too long ago are replaced by those that are true now: what
// tolerates so much staleness may show them.
func (o *Oracle) renewed(x *Expected, got answer, since time.Time) answer {
	p := x.Pattern
	waiting := map[string]int{}
	for _, m := range x.Matches {
		waiting[normal(m.Item, p)]++
	}
	out := got
	out.items = slices.Clone(got.items)
	var old []int // answered, and not as it is now
	for i, item := range got.items {
		if k := normal(item, p); waiting[k] > 0 {
			waiting[k]--
		} else {
			old = append(old, i)
		}
	}
	var left []int // matches that were not answered as they are now
	for i, m := range x.Matches {
		if k := normal(m.Item, p); waiting[k] > 0 {
			waiting[k]--
			left = append(left, i)
		}
	}
	for _, i := range old {
		for j, m := range left {
			if in := x.Matches[m].Instance; o.shownOnce(in, p, x.Matches[m].Item, got.items[i], nil, since) {
				out.items[i] = x.Matches[m].Item
				left = slices.Delete(left, j, j+1)
				break
			}
		}
	}
	return out
}

// shownOnce reports whether an item shows an instance as it was at some time since another, as far as what it shows is not
// the instance's own: that has to be as it is. path leads to what is compared.
func (o *Oracle) shownOnce(in *Instance, p *spec.Pattern, want, got attr.Item, path spec.Path, since time.Time) bool {
	names := map[string]bool{}
	for name := range want.All() {
		names[name] = true
	}
	for name := range got.All() {
		names[name] = true
	}
	for name := range names {
		a, b := want.Get(name), got.Get(name)
		if attr.Equal(a, b) {
			continue
		}
		if r := in.Entity.WayBack(name); r != nil && len(path) == 0 {
			if !o.insideOnce(r, p, a, b, since) {
				return false
			}
			continue
		}
		at := append(slices.Clone(path), name)
		way := len(path) == 0 && in.Entity.WayThere(name) != nil || len(path) > 0
		if way && (a.Kind() == attr.KindM || b.Kind() == attr.KindM) {
			if !o.shownOnce(in, p, a.Map(), b.Map(), at, since) {
				return false
			}
			continue
		}
		if d := in.Entity.Attribute(name); len(path) == 0 && slices.ContainsFunc(o.lately(in, d), func(v attr.Value) bool { return attr.Equal(v, b) }) {
			continue
		}
		back := since
		switch d := in.Entity.Attribute(name); {
		case len(path) > 0:
		case d == nil || !d.Follows():
			return false // its own
		default:
			at = d.Derived.Path
			if late := o.now.Add(-d.Derived.Within); p.Consistency != "snapshot" && late.Before(back) {
				back = late
			}
		}
		if !slices.ContainsFunc(o.ever(in, at, back), func(v attr.Value) bool { return attr.Equal(v, b) }) {
			return false
		}
	}
	return true
}

// insideOnce reports whether the related entities inside an item, which have no order of their own, are those that are wanted,
// each shown as it was at some time since another.
func (o *Oracle) insideOnce(r *spec.Relationship, p *spec.Pattern, want, got attr.Value, since time.Time) bool {
	if want.Kind() == attr.KindM && got.Kind() == attr.KindM {
		want, got = attr.List(want), attr.List(got)
	}
	if want.Kind() != attr.KindL || got.Kind() != attr.KindL || len(want.Elems()) != len(got.Elems()) {
		return false
	}
	shown := map[string]attr.Item{}
	for _, v := range got.Elems() {
		shown[r.From.IdentityOf(v.Map())] = v.Map()
	}
	return !slices.ContainsFunc(want.Elems(), func(v attr.Value) bool {
		id := r.From.IdentityOf(v.Map())
		child, item := o.stores[r.From].byID[id], shown[id]
		return child == nil || !attr.EqualItems(v.Map(), item) && !o.shownOnce(child, p, v.Map(), item, nil, since)
	})
}

// A read that finds or orders by what may lag does so by what was: an entity of which that has changed lately may stand where it
// stood, or not be there any more, or not yet.

// lateKeys are the paths by which a pattern finds or orders and that may lag: attributes that are derived, its own or
// at the end of ways there, and whatever lies there, which copies may show as it was where the pattern tolerates that.
func lateKeys(p *spec.Pattern) (out []spec.Path) {
	note := func(path spec.Path) {
		if len(path) == 0 || slices.ContainsFunc(out, func(x spec.Path) bool { return slices.Equal(x, path) }) {
			return
		}
		segs, err := p.Read.Resolve(path)
		late := err == nil && segs[len(segs)-1].Attribute != nil && segs[len(segs)-1].Attribute.Derived != nil && segs[len(segs)-1].Attribute.Derived.Within > 0
		if there := p.Read.WayOn(path) != nil; late && (there || len(path) == 1) || p.Staleness > 0 && there {
			out = append(out, path)
		}
	}
	for _, path := range p.Given {
		note(held(p.Read, path))
	}
	for _, k := range p.Order {
		note(held(p.Read, k.Path))
	}
	for t := range spec.Tests(p.Where) {
		note(held(p.Read, t.Path))
	}
	return out
}

// wavers reports whether one of some paths has had several values within the time that it may lag.
func (o *Oracle) wavers(in *Instance, p *spec.Pattern, keys []spec.Path, lag time.Duration) bool {
	return slices.ContainsFunc(keys, func(path spec.Path) bool {
		var values []attr.Value
		if a := in.Entity.Attribute(path[0]); in.Entity.WayOn(path) != nil {
			values = o.ever(in, path, o.now.Add(-p.Staleness-lag))
		} else if values = o.lately(in, a); a.Follows() {
			values = o.ever(in, a.Derived.Path, o.now.Add(-a.Derived.Within-lag))
		}
		return slices.ContainsFunc(values, func(v attr.Value) bool { return !attr.Equal(v, values[0]) })
	})
}

// tolerateLate holds an answer against what is expected where keys may be late: who does not waver stands in its place, once, and
// is missing only where those who waver may have taken its place; who wavers shows what it is or was.
func (o *Oracle) tolerateLate(x *Expected, got answer, keys []spec.Path, lag time.Duration, stale bool, since time.Time) *mismatch {
	p := x.Pattern
	moves := func(in *Instance) bool { return stale && in.changed(o.now.Add(-lag)) || o.wavers(in, p, keys, lag) }
	all := slices.Concat(x.Matches, x.beyond)
	expected, moving := map[*Instance]*Match{}, map[*Instance]bool{}
	for i := range all {
		expected[all[i].Instance] = &all[i]
		if moves(all[i].Instance) {
			moving[all[i].Instance] = true
		}
	}
	if slices.ContainsFunc(p.Read.Identity, func(a *spec.Attribute) bool {
		return !p.All && !slices.ContainsFunc(p.Returns, func(path spec.Path) bool { return len(path) == 1 && path[0] == a.Name })
	}) {
		if len(moving) > 0 {
			return nil // who is answered cannot be told
		}
		return compare(x, got)
	}
	seen := map[*Instance]bool{}
	var last []attr.Value
	for i, item := range got.items {
		in := o.stores[p.Read].byID[p.Read.IdentityOf(item)]
		m := expected[in]
		switch {
		case in == nil:
			return &mismatch{fmt.Sprintf("item %d has never been stored", i+1), nil, item}
		case seen[in]:
			return &mismatch{fmt.Sprintf("item %d was answered before: each is expected once over all pages", i+1), nil, item}
		case moves(in):
			moving[in] = true
		case m == nil:
			return &mismatch{fmt.Sprintf("item %d is not among the %d that match, nor was it lately", i+1, len(x.Matches)), shownAt(x, i), item}
		case last != nil && compareKeys(p, last, m.Keys) > 0:
			return &mismatch{fmt.Sprintf("item %d stands in the wrong place: the order is %s", i+1, orderText(p)), shownAt(x, i), item}
		default:
			last = m.Keys
		}
		if want := o.shown(in, p); !(stale && in.changed(o.now.Add(-lag))) && !in.Gone && !o.shownOnce(in, p, want, item, nil, since) {
			return &mismatch{fmt.Sprintf("item %d has other contents than expected: %s", i+1, differing(want, item)), want, item}
		}
		seen[in] = true
	}
	// ahead is how many may stand before a match: those who waver, who stand before it, and who are tied with it.
	ahead := func(m *Match) int {
		n := len(moving)
		for i := range all {
			if !moving[all[i].Instance] && all[i].Instance != m.Instance && compareKeys(p, all[i].Keys, m.Keys) <= 0 {
				n++
			}
		}
		return n
	}
	for i := range all {
		m := &all[i]
		if moving[m.Instance] || seen[m.Instance] {
			continue
		}
		if behind := last == nil || len(p.Order) == 0 || compareKeys(p, m.Keys, last) >= 0; behind && (got.more || p.Top > 0 && ahead(m) >= p.Top) {
			continue // it may stand on a page that was not read, or behind the end
		}
		return &mismatch{"an item is missing of which nothing has changed lately", o.shown(m.Instance, p), nil}
	}
	return pagesFull(p, got)
}
