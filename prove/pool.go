package prove

import (
	"slices"
	"sort"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// pool is what the equalities of a call leave of the entity read. It is kept as long as nothing changes: many calls ask
// for the same few values, and collections are large.
type pool struct {
	all, live []*Instance        // live without what has expired; each in the order of creation
	columns   map[string]*column // of live, by path
	asked     int                // how often
}

// column is the instances of a pool that have a value at a path, in the order of these values.
type column struct {
	members []*Instance
	values  []attr.Value
	sorted  bool // values are of one kind, which has an order
}

// pools keeps pools.
type pools struct {
	of      map[string]*pool
	version uint64
	now     time.Time
	size    int
}

// mostPooled is how many members pools may have in all before they are forgotten.
const mostPooled = 400_000

// pool is the pool of a call.
func (o *Oracle) pool(p *spec.Pattern, args attr.Item) *pool {
	if o.pools.of == nil || o.pools.version != o.version || o.expires && !o.pools.now.Equal(o.now) || o.pools.size > mostPooled {
		o.pools = pools{of: map[string]*pool{}, version: o.version, now: o.now}
	}
	key := []byte(p.Name)
	for _, g := range p.Given {
		key = attr.AppendValue(append(key, 0), args.Get(g[len(g)-1]))
	}
	if x := o.pools.of[string(key)]; x != nil {
		x.asked++
		return x
	}
	x := &pool{columns: map[string]*column{}}
	candidates, exact := o.candidates(p, args)
	o.looked += len(candidates)
	if exact {
		x.all = slices.Clone(candidates)
	} else {
		for _, in := range candidates {
			if o.given(in, p, args) {
				x.all = append(x.all, in)
			}
		}
	}
	x.live = x.all
	if p.Read.Expires != nil {
		x.live = slices.DeleteFunc(slices.Clone(x.all), o.expired)
	}
	o.pools.of[string(key)] = x
	o.pools.size += len(x.all) + 1
	return x
}

// column makes the column of a path, or finds it.
func (o *Oracle) column(x *pool, path spec.Path) *column {
	if c := x.columns[path.String()]; c != nil {
		return c
	}
	c := o.columnOf(x.live, path)
	x.columns[path.String()] = c
	return c
}

func (o *Oracle) columnOf(members []*Instance, path spec.Path) *column {
	o.looked += len(members)
	c := &column{sorted: true}
	type pair struct {
		in *Instance
		v  attr.Value
	}
	var pairs []pair
	for _, in := range members {
		if v := o.value(in, path); !v.IsZero() {
			pairs = append(pairs, pair{in, v})
			c.sorted = c.sorted && v.Kind() <= attr.KindB && v.Kind() == pairs[0].v.Kind()
		}
	}
	if c.sorted {
		slices.SortStableFunc(pairs, func(a, b pair) int { return attr.Compare(a.v, b.v) })
	}
	c.members, c.values = make([]*Instance, len(pairs)), make([]attr.Value, len(pairs))
	for i, p := range pairs {
		c.members[i], c.values[i] = p.in, p.v
	}
	return c
}

// interval are the members of a column that a test can let pass; false: the test says nothing of that kind.
func (o *Oracle) interval(c *column, t *spec.Test, args attr.Item) (low, high int, ok bool) {
	if !c.sorted {
		return 0, 0, false
	}
	n := len(c.values)
	if n == 0 {
		return 0, 0, true
	}
	at := func(i int, behind bool) (int, bool) {
		v, ok := o.eval(t.Args[i], nil, args, attr.Item{})
		if !ok || v.Kind() != c.values[0].Kind() {
			return 0, false
		}
		return sort.Search(n, func(k int) bool {
			d := attr.Compare(c.values[k], v)
			return d > 0 || d == 0 && !behind
		}), true
	}
	low, high = 0, n
	okLow, okHigh := true, true
	switch t.Op {
	case "=":
		low, okLow = at(0, false)
		high, okHigh = at(0, true)
	case "<":
		high, okHigh = at(0, false)
	case "<=":
		high, okHigh = at(0, true)
	case ">":
		low, okLow = at(0, true)
	case ">=":
		low, okLow = at(0, false)
	case "between":
		low, okLow = at(0, false)
		high, okHigh = at(1, true)
	}
	return low, max(low, high), okLow && okHigh
}

// direct reports whether a test compares a path with what only the caller knows.
func direct(t *spec.Test) bool {
	switch t.Op {
	case "=", "<", "<=", ">", ">=", "between":
	default:
		return false
	}
	for _, a := range t.Args {
		for term := range a.Terms() {
			if len(term.Path) > 0 {
				return false
			}
		}
	}
	return len(t.Path) > 0
}

// passing are the members of a call's pool that pass a condition, in the order of their creation. expired says that what
// has expired counts as well.
func (o *Oracle) passing(p *spec.Pattern, where spec.Condition, args attr.Item, expired bool) []*Instance {
	if len(p.Optional) > 0 {
		where = spec.Without(where, func(name string) bool { return isLeft(p, args, name) })
	}
	x := o.pool(p, args)
	members := x.live
	if expired {
		members = x.all
	}
	if where == nil {
		return members
	}
	all := spec.Conjuncts(where)
	if x.asked > 0 && len(x.all) == len(x.live) && len(members) > 16 {
		for _, c := range all {
			t, ok := c.(*spec.Test)
			if !ok || !direct(t) {
				continue
			}
			col := o.column(x, t.Path)
			if low, high, ok := o.interval(col, t, args); ok && high-low < len(members) {
				if members = col.members[low:high]; len(all) == 1 {
					members = slices.Clone(members)
					slices.SortFunc(members, byBirth)
					return members
				}
			}
		}
	}
	o.looked += len(members)
	var out []*Instance
	for _, in := range members {
		if o.holds(where, in, args, attr.Item{}) {
			out = append(out, in)
		}
	}
	slices.SortFunc(out, byBirth)
	return out
}
