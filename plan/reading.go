package plan

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// bind is what a query demands of one attribute of its key: its first parts have values, and the one behind them may
// have limits.
type bind struct {
	wire    Wire
	recipes []*Recipe     // for each of the stage's kinds
	values  []spec.Expr   // of the first parts
	each    [][]spec.Expr // for each of the stage's kinds: values, or what a kind that builds the attribute otherwise can bind
	equal   bool          // that is the whole attribute, alike for all kinds
	low     *limit
	high    *limit
	prefix  *spec.Expr
	absent  bool  // what has no value as well, which lies at the end that is open
	shape   cover // how several kinds are covered
	common  int   // bytes of the literal behind values that all kinds share, of coverPrefix
}

// cover is how the range of several kinds is written.
type cover uint8

const (
	coverInterval cover = iota // from the first kind to the last
	coverPrefix                // what all kinds begin with
	coverAll                   // nothing else lies there: no condition at all
)

// What a scatter binds: no parameter or step can have these names.
const (
	refShard  = "{shard}"
	refBucket = "{bucket}"
)

// limit is one end of a range.
type limit struct {
	value spec.Expr
	open  bool // the value itself lies outside
}

// ranged reports whether a part has limits.
func (b *bind) ranged() bool { return b.low != nil || b.high != nil || b.prefix != nil }

// reading resolves a query or scan.
func (c *compiler) reading(s *Stage, name string, stages map[string]*Stage) bool {
	d := s.Document
	place := at(s.Path, s.Verb.String())
	table, index, _ := strings.Cut(name, ".")
	t := c.prog.Table(table)
	if t == nil {
		var names []string
		for _, t := range c.prog.Tables {
			names = append(names, t.Name)
		}
		c.errorf(place, CodeUnknown, meant(table, names), "there is no table %s", table)
		return false
	}
	if s.Access = t.Access(index); s.Access == nil {
		c.errorf(place, CodeUnknown, meant(index, append(sortedKeys(t.Document.GSI), sortedKeys(t.Document.LSI)...)), "%s has no index %s", table, index)
		return false
	}
	if d.Consistent && s.Access.Global() {
		c.errorf(at(s.Path, "consistent"), CodeConsistency, "read the table itself, or accept eventual consistency",
			"%s: a global secondary index gives no strongly consistent reads", s.Procedure.Name)
	}
	ok := true
	for _, n := range d.Items {
		k := c.kind(at(s.Path, "items"), n)
		switch {
		case k == nil:
			ok = false
		case k.Table != t:
			c.errorf(at(s.Path, "items"), CodeUnknown, "", "%s lies in %s, not in %s", n, k.Table.Name, t.Name)
			ok = false
		case slices.Contains(s.Kinds, k):
			c.errorf(at(s.Path, "items"), CodeDuplicate, "", "%s is listed twice", n)
		default:
			s.Kinds = append(s.Kinds, k)
		}
	}
	if len(s.Kinds) == 0 {
		if ok {
			c.errorf(at(s.Path, "items"), CodeSteps, "list all items that can fall into the range", "%s: step %s says not what it reads", s.Procedure.Name, s.Path[len(s.Path)-1])
		}
		return false
	}
	if !ok {
		return false
	}
	s.Kind = s.Kinds[0]
	s.Descending = d.Order == "descending"
	if d.Filter != "" {
		if len(s.Kinds) > 1 {
			c.errorf(at(s.Path, "filter"), CodeSteps, "use `keep` in the answer", "%s: a filter tests every item read, and %d kinds lie in the range", s.Procedure.Name, len(s.Kinds))
		}
		var err error
		if s.filter, err = c.condition(at(s.Path, "filter"), s.Kind.Entity, s.lookup(stages), d.Filter); err != nil {
			return false
		}
		ok = c.filterable(s)
	}
	for _, text := range d.Project {
		tg, err := c.path(at(s.Path, "project"), s.Kind.Entity, text)
		if err != nil {
			ok = false
			continue
		}
		s.project = append(s.project, tg)
	}
	if s.Verb == Query {
		ok = c.where(s, stages) && ok
	}
	return ok
}

// filterable checks that the filter names what entries of the index have, and no key of it: DynamoDB refuses both.
func (c *compiler) filterable(s *Stage) bool {
	ok := true
	for t := range spec.Tests(s.filter) {
		paths := []spec.Path{t.Path}
		for _, a := range t.Args {
			paths = append(paths, itemPaths(a)...)
		}
		for _, p := range paths {
			if len(p) == 0 {
				continue
			}
			tg, err := resolvePath(s.Kind.Entity, p)
			if err != nil || !c.readable(s, at(s.Path, "filter"), p) {
				ok = false
				continue
			}
			wire := ""
			if st := s.Kind.storing(tg); st != nil {
				wire = st.Name
			} else {
				wire = s.Kind.alone(tg).Wire.Name
			}
			if !s.Access.Projects(wire) {
				c.errorf(at(s.Path, "filter"), CodeProjection, "project it", "%s: %s does not project %s, which the filter tests", s.Procedure.Name, s.Access.Name(), wire)
				ok = false
			}
			if s.Verb == Query && s.Access.hasKey(wire) {
				c.errorf(at(s.Path, "filter"), CodeSteps, "bind it under where, or test it with `keep`",
					"%s: DynamoDB refuses filters on %s, a key of %s", s.Procedure.Name, wire, s.Access.Name())
				ok = false
			}
		}
	}
	return ok
}

// where resolves the key condition of a query.
func (c *compiler) where(s *Stage, stages map[string]*Stage) bool {
	place := at(s.Path, "where")
	first := s.Kind
	type given struct {
		name  string
		tg    target
		rng   Range
		bound bool
	}
	var givens []*given
	ok := true
	for _, n := range sortedKeys(s.Document.Where) {
		tg, err := c.path(at(place, n), first.Entity, n)
		if err != nil {
			ok = false
			continue
		}
		givens = append(givens, &given{name: n, tg: tg, rng: s.Document.Where[n]})
	}
	if !ok {
		return false
	}
	find := func(p *Part) *given {
		for _, exact := range []bool{true, false} {
			for _, g := range givens {
				if p.Attribute != nil && (exact && g.tg.id == p.target.id || !exact && same(g.tg, p.target)) {
					return g
				}
			}
		}
		return nil
	}
	scatterPath := target{}
	switch sc := s.Document.Scatter; {
	case sc == "shard":
		if first.Shards == 0 {
			c.errorf(at(s.Path, "scatter"), CodeShard, "", "%s is not divided into shards", first.Name)
			return false
		}
		s.Scatter = first.Shards
	case sc != "":
		var err error
		if scatterPath, err = c.path(at(s.Path, "scatter"), first.Entity, sc); err != nil {
			return false
		}
		s.Scatter = -1
	}
	is := map[string]spec.Expr{}
	closed := false // an attribute before ended in the middle
	open := ""      // what stands before, and a call may leave out
	for i, w := range append(slices.Clone(s.Access.Partition), s.Access.Sort...) {
		partition := i < len(s.Access.Partition)
		b := bind{wire: w}
		for _, k := range s.Kinds {
			r := k.recipe(w.Name)
			if r == nil && k.stored(w.Name) != nil {
				return false // stored as something else than the table declares, which is reported
			}
			if r == nil {
				c.errorf(at(s.Path, "items"), CodeSparse, "give it a template under set, or leave it out of items",
					"%s: %s has no %s, so none of it is ever in %s", s.Procedure.Name, k.Name, w.Name, s.Access.Name())
				return false
			}
			b.recipes = append(b.recipes, r)
		}
		r := b.recipes[0]
		if closed {
			break
		}
		for _, p := range r.Parts {
			if p.Attribute == nil && partition && s.Scatter > 0 {
				b.values = append(b.values, spec.Expr{Reference: spec.Reference{refShard}})
				continue
			}
			if partition && s.Scatter < 0 && p.Attribute != nil && same(p.target, scatterPath) {
				b.values = append(b.values, spec.Expr{Reference: spec.Reference{refBucket}})
				continue
			}
			g := find(p)
			if g == nil {
				break
			}
			values, low, high, prefix, good := c.rangeOf(s, at(place, g.name), g.rng, p, stages)
			if !good {
				return false
			}
			g.bound = true
			left := values != nil && s.leavable(values[0])
			if left && partition {
				c.errorf(at(place, g.name), CodeWhere, "put the part into the sort key, or test it with filter",
					"%s: a call may leave out %s, and it is part of the partition key of %s, which takes one value",
					s.Procedure.Name, g.name, s.Access.Name())
				return false
			}
			if open != "" {
				c.errorf(at(place, g.name), CodeWhere, "put the part before "+open+", or test it with keep",
					"%s: a call that leaves out %s finds whatever %s there is: it stands behind that in the key of %s",
					s.Procedure.Name, open, g.name, s.Access.Name())
				return false
			}
			if left {
				open = g.name
			}
			if values == nil && partition {
				c.errorf(at(place, g.name), CodeWhere, "use {is: …}, or put the part into the sort key", "%s: %s is part of the partition key of %s, which takes one value", s.Procedure.Name, g.name, s.Access.Name())
				return false
			}
			if values == nil && !c.absentBeside(s, at(place, g.name), g.rng, r, low, high) {
				return false
			}
			if values == nil {
				b.low, b.high, b.prefix, b.absent = low, high, prefix, g.rng.Absent
				break
			}
			b.values = append(b.values, values[0])
			is[p.target.id] = values[0]
		}
		if !c.alike(s, &b, partition, is) {
			return false
		}
		if partition && !b.equal {
			missing := "it"
			if len(b.values) < len(r.Parts) {
				missing = r.Parts[len(b.values)].name()
			}
			c.errorf(place, CodeWhere, "bind it, or query an index without it", "%s: the partition key %s of %s is %s, and nothing binds %s", s.Procedure.Name, w.Name, s.Access.Name(), r.Text, missing)
			return false
		}
		closed = !b.equal
		s.binds = append(s.binds, b)
		for j := range r.Parts {
			if j < len(b.values) {
				s.bound(w, r.Parts[j], "is", b.values[j])
			} else if j == len(b.values) {
				s.boundRange(w, r.Parts[j], &b)
			}
		}
	}
	if s.Scatter < 0 && !c.bucketed(s, scatterPath) {
		return false
	}
	for _, g := range givens {
		if !g.bound && !(s.Scatter < 0 && same(g.tg, scatterPath)) {
			c.errorf(at(place, g.name), CodeWhere, "bind the parts before it, or test it with filter or keep",
				"%s: %s cannot be bound: it is no part of the key of %s, or one before it is not bound to a value", s.Procedure.Name, g.name, s.Access.Name())
			ok = false
		}
	}
	return ok
}

// leavable reports whether a value uses a parameter that a call may leave out.
func (s *Stage) leavable(v spec.Expr) bool {
	for t := range v.Terms() {
		if len(t.Reference) > 0 {
			if q := s.Procedure.Pattern.Parameter(t.Reference[0]); q != nil && q.Optional {
				return true
			}
		}
	}
	return false
}

// absentBeside checks that a range says of what has no value whether it is meant, where the key has that, and that it
// lies at the open end of the range.
func (c *compiler) absentBeside(s *Stage, place []string, rng Range, r *Recipe, low, high *limit) bool {
	name := place[len(place)-1]
	switch side := r.place(); {
	case r.Else != "" && !rng.Absent:
		c.errorf(place, CodeWhere, "use an index on "+name+" itself", "%s: a range of %s would find what has none as well, which %s has too", s.Procedure.Name, name, r.Wire.Name)
	case !rng.Absent:
		return true
	case r.Else == "":
		c.errorf(place, CodeWhere, "leave `absent` out, or give the key an `else`", "%s: what has no %s is not in %s", s.Procedure.Name, name, r.Wire.Name)
	case (low == nil) == (high == nil) || side == 0 || (side > 0) != ((low != nil) != (r.Parts[0].codec.order == keys.Reversed)):
		c.errorf(place, CodeWhere, "let the range have one end, opposite to what has no value", "%s: what has no %s does not lie at the open end of the range in %s",
			s.Procedure.Name, name, r.Wire.Name)
	default:
		return true
	}
	return false
}

func (p *Part) name() string {
	if p.Attribute == nil {
		return "{shard}"
	}
	return p.Path.String()
}

func (s *Stage) bound(w Wire, p *Part, form string, values ...spec.Expr) {
	s.Where = append(s.Where, &Bound{Wire: w, Path: p.Path, Form: form, Values: values})
}

func (s *Stage) boundRange(w Wire, p *Part, b *bind) {
	switch {
	case b.prefix != nil:
		s.bound(w, p, "prefix", *b.prefix)
	case b.low != nil && b.high != nil && !b.low.open && !b.high.open:
		s.bound(w, p, "between", b.low.value, b.high.value)
	default:
		for _, x := range []struct {
			l            *limit
			closed, open string
		}{{b.low, "from", "after"}, {b.high, "to", "before"}} {
			switch {
			case x.l == nil:
			case x.l.open:
				s.bound(w, p, x.open, x.l.value)
			default:
				s.bound(w, p, x.closed, x.l.value)
			}
		}
	}
	if b.absent {
		s.Where[len(s.Where)-1].Absent = true
	}
}

// rangeOf resolves the values of one bound part.
func (c *compiler) rangeOf(s *Stage, place []string, r Range, p *Part, stages map[string]*Stage) (is []spec.Expr, low, high *limit, prefix *spec.Expr, ok bool) {
	ok = true
	value := func(text string) spec.Expr {
		v, err := c.value(place, nil, s.lookup(stages), text, p.Attribute)
		ok = ok && err == nil
		return v
	}
	forms := 0
	end := func(text string, open bool, to **limit) {
		if text == "" {
			return
		}
		if *to != nil {
			forms = 9
		}
		*to = &limit{value(text), open}
	}
	if r.Is != "" {
		forms++
		is = []spec.Expr{value(r.Is)}
	}
	if r.Prefix != "" {
		forms++
		v := value(r.Prefix)
		prefix = &v
		if !p.codec.keepsPrefix(p.Attribute) {
			c.errorf(place, CodeCodec, "a prefix needs a string with codec text or raw, or a binary", "%s: {%s} of %s keeps no prefixes", s.Procedure.Name, p.name(), s.Kind.Name)
			ok = false
		}
	}
	if len(r.Between) > 0 {
		forms++
		if len(r.Between) != 2 {
			forms = 9
		} else {
			end(r.Between[0], false, &low)
			end(r.Between[1], false, &high)
		}
	}
	if r.From+r.After+r.To+r.Before != "" {
		forms++
		end(r.From, false, &low)
		end(r.After, true, &low)
		end(r.To, false, &high)
		end(r.Before, true, &high)
	}
	if forms != 1 {
		c.errorf(place, CodeWhere, "a value, or {between: [a, b]}, {from: a}, {to: b}, {after: a}, {before: b} or {prefix: a}", "%s: a part has one form of range", s.Procedure.Name)
		return nil, nil, nil, nil, false
	}
	if (low != nil || high != nil) && p.codec.order == keys.NoOrder {
		c.errorf(place, CodeCodec, "use a codec that keeps the order", "%s: {%s} of %s is written in no order, so it has no ranges", s.Procedure.Name, p.name(), s.Kind.Name)
		ok = false
	}
	if is == nil && p.Attribute.Values() != nil {
		c.errorf(place, CodeWhere, "states and enum values have no order", "%s: a range of %s", s.Procedure.Name, p.name())
		ok = false
	}
	return is, low, high, prefix, ok
}

// alike checks that all kinds of a query build the bound parts in the same way, and whether the whole attribute is
// bound for all of them. A sort attribute that a kind builds otherwise is bound as far as the kind has the same paths.
func (c *compiler) alike(s *Stage, b *bind, partition bool, is map[string]spec.Expr) bool {
	first := b.recipes[0]
	n := len(b.values)
	b.equal = n == len(first.Parts) && !b.ranged()
	b.each = [][]spec.Expr{b.values}
	for i, r := range b.recipes[1:] {
		upTo := n
		if b.ranged() {
			upTo++
		}
		good := len(r.Parts) >= upTo
		for j := 0; good && j < upTo; j++ {
			p, q := first.Parts[j], r.Parts[j]
			good = first.Literals[j] == r.Literals[j] && p.codec.base == q.codec.base && p.codec.list == q.codec.list && p.codec.wire == q.codec.wire &&
				p.codec.width == q.codec.width && (p.Attribute == nil) == (q.Attribute == nil) &&
				(p.Attribute == nil || p.Attribute.Type == q.Attribute.Type)
		}
		values := b.values
		if !good {
			if partition || b.ranged() || r.Wire.Type != S {
				c.errorf(at(s.Path, "items"), CodeWhere, "build both alike, or use two queries",
					"%s: %s builds %s as %s and %s as %s, so one range cannot cover both", s.Procedure.Name, s.Kinds[0].Name, b.wire.Name, first.Text, s.Kinds[i+1].Name, r.Text)
				return false
			}
			values = nil
			for _, p := range r.Parts {
				v, ok := is[p.target.id]
				if !ok || p.Attribute == nil {
					break
				}
				values = append(values, v)
			}
		}
		b.each = append(b.each, values)
		b.equal = b.equal && good && len(r.Parts) == n && r.Literals[n] == first.Literals[n]
	}
	return true
}

// bucketed checks a scatter over the buckets of a range: the range has both ends.
func (c *compiler) bucketed(s *Stage, t target) bool {
	for _, b := range s.binds {
		for _, v := range b.values {
			if len(v.Reference) == 1 && v.Reference[0] == refBucket {
				for i := range s.binds {
					x := &s.binds[i]
					if x.low != nil && x.high != nil && len(x.recipes[0].Parts) > len(x.values) && same(x.recipes[0].Parts[len(x.values)].target, t) {
						return true
					}
				}
				c.errorf(at(s.Path, "where"), CodeWhere, "bind it in the sort key with between", "%s: a scatter over the buckets of %s needs a range of it with both ends", s.Procedure.Name, t.id)
				return false
			}
		}
	}
	c.errorf(at(s.Path, "scatter"), CodeShard, "name a part such as {placedAt:day} of the partition key", "%s: %s is no bucket in the partition key of %s", s.Procedure.Name, t.id, s.Access.Name())
	return false
}
