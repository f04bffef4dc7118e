package design

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// An option is one way to store the entities of a kind: as items of their own under some key, joined to the item
// collection of another entity, inside their parent's item, or both inside and on their own.
type option struct {
	entity   *spec.Entity
	within   *embedding        // inside the parent's item
	own      *shape            // items of their own
	root     *spec.Entity      // whose item collection the own items join; nil: a table of their own
	aside    *aside            // what is counted lies in items of its own; nil: in the entity's
	followed []*spec.Attribute // numbers in its items that a stream keeps
	pack     *packing          // several lie in one item; nil: each has its own
	cut      *cut              // some attributes lie in a part beside the item; nil: all of it is one item
	name     string            // canonical

	held    bool // single ones come and go inside the parent's item as well
	pointer bool // an item under the identity leads to it
	busy    bool // because a list shows what often changes, be it strongly consistent or not
	rosters []*roster
}

// shape is a key: what its partition is made of, and its sort parts.
type shape struct {
	partition []ref
	sort      []keyPart
	shards    int             // parts that what lies under one partition is split into; 0: none
	by        *spec.Attribute // whose hash tells the part
}

// key is the shape as text: {orderId; part}, {orderId} without sort parts, {deviceId; readAt} in 4 shards.
func (s *shape) key() string {
	text := keyText(refsKey(s.partition), s.sort)
	if s.shards > 1 {
		text += " in " + strconv.Itoa(s.shards) + " shards"
	}
	return text
}

func keyText(partition string, sort []keyPart) string {
	if len(sort) == 0 {
		return "{" + partition + "}"
	}
	return "{" + partition + "; " + partsKey(sort) + "}"
}

// indirect reports whether the items lie under the key of an access pattern, with the identity at its end: reads by
// identity then need an index.
func (o *option) indirect() bool {
	return o.own != nil && o.root == nil && len(o.own.refs()) > len(o.entity.Identity)
}

// refs are all parts of the key.
func (s *shape) refs() []ref { return append(slices.Clone(s.partition), partRefs(s.sort)...) }

// embedding says how children lie in their parent's item.
type embedding struct {
	way *spec.Relationship
	as  string          // map, list, value
	by  *spec.Attribute // of a map
}

// options lists every way to store an entity, in a fixed order: simple ones first.
func options(f *facts, e *spec.Entity, ws []want, together map[*spec.Entity][]chain, ds []*demand) []*option {
	var shapes []*shape
	add := func(s *shape) {
		if s = homeable(f, e, s); s == nil {
			return
		}
		if !slices.ContainsFunc(shapes, func(t *shape) bool { return t.key() == s.key() }) {
			shapes = append(shapes, s)
		}
	}
	id := identityRefs(e)
	var rest []keyPart
	for _, r := range id[1:] {
		rest = append(rest, keyPart{ref: r})
	}
	add(&shape{partition: id[:1], sort: rest})
	if len(id) > 1 {
		add(&shape{partition: id})
	}
	for _, w := range ws {
		w = w.lasting(f)
		for _, p := range partitions(w, ws) {
			add(&shape{partition: p, sort: tail(w, p)})
		}
		for _, s := range singly(w) {
			add(s)
		}
	}
	var out []*option
	put := func(o option) {
		o.entity = e
		o.name = o.text()
		out = append(out, &o)
	}
	within := embeddings(f, e, ds)
	for _, s := range shapes {
		put(option{own: s})
		for _, c := range together[e] {
			if joined := s.under(c); joined != nil {
				put(option{own: joined, root: c.to()})
			}
		}
	}
	own := slices.Clone(out)
	for _, m := range within {
		put(option{within: m})
		if !servedInside(e, m, ds) && !f.alone(m.way) {
			for _, o := range own {
				if usefulBeside(o, m, ws, ds) {
					put(option{within: m, own: o.own, root: o.root})
				}
			}
		}
	}
	for _, m := range holdings(f, e, ds) {
		for _, o := range own {
			if o.root == nil && len(o.own.refs()) == len(e.Identity) {
				put(option{within: m, own: o.own, held: true})
			}
		}
	}
	return out
}

func (o *option) text() string {
	var parts []string
	if o.within != nil {
		parts = append(parts, "in "+o.within.way.To.Name+" as "+o.within.as)
	}
	if o.own != nil {
		s := o.own.key()
		if o.root != nil {
			s += " in the collection of " + o.root.Name
		}
		parts = append(parts, s)
	}
	if o.aside != nil {
		parts = append(parts, o.aside.text())
	}
	if len(o.followed) > 0 {
		parts = append(parts, followedText(o.followed))
	}
	if o.cut != nil {
		parts = append(parts, o.cut.text())
	}
	if o.pack != nil {
		parts = append(parts, o.pack.text())
	}
	if o.pointer {
		parts = append(parts, "a pointer")
	}
	if len(o.rosters) > 0 {
		parts = append(parts, rostersText(o.rosters))
	}
	return strings.Join(parts, " and ")
}

// lasting is the part of a want that the key of a table can hold: what never changes.
func (w want) lasting(f *facts) want {
	out := want{entity: w.entity, paged: w.paged}
	for _, r := range w.equal {
		if f.fixed(r) && r.present() {
			out.equal = append(out.equal, r)
		}
	}
	for _, p := range w.then {
		if !f.fixed(p.ref) || !p.ref.present() {
			break
		}
		out.then = append(out.then, p)
	}
	return out
}

// askable reports whether the identity leads to the items of an option.
func (o *option) askable() bool {
	return o.own != nil && o.within == nil && (o.pointer || len(o.own.refs()) == len(o.entity.Identity))
}

// partitions are the candidates for a partition that serves w: all of its equalities, and what they share with other
// wants of the entity.
func partitions(w want, all []want) [][]ref {
	var out [][]ref
	add := func(p []ref) {
		if len(p) > 0 && !slices.ContainsFunc(out, func(q []ref) bool { return refsKey(q) == refsKey(p) }) {
			out = append(out, p)
		}
	}
	add(w.equal)
	for _, o := range all {
		var p []ref
		for _, r := range w.equal {
			if hasRef(o.equal, r) {
				p = append(p, r)
			}
		}
		add(p)
	}
	return out
}

// singly are shapes of a table for a want with values that no template puts together with others, as binary ones: each
// of these alone is the partition, and what a template can hold follows in the sort key. The rest is tested on what is
// found.
func singly(w want) (out []*shape) {
	if len(w.equal) < 2 {
		return nil
	}
	for _, r := range w.equal {
		if !composable(r.attr) {
			p := []ref{r}
			out = append(out, &shape{partition: p, sort: slices.DeleteFunc(tail(w, p), func(x keyPart) bool { return !composable(x.ref.attr) })})
		}
	}
	return out
}

// tail are the sort parts behind a partition: the other equalities, then range and order.
func tail(w want, partition []ref) []keyPart {
	var out []keyPart
	for _, r := range w.equal {
		if !hasRef(partition, r) {
			out = append(out, keyPart{ref: r})
		}
	}
	for _, p := range w.then {
		if !hasRef(partition, p.ref) && refIndex(partRefs(out), p.ref) < 0 {
			out = append(out, p)
		}
	}
	return out
}

// homeable completes a shape to the key of a table, or answers nil if it cannot be one: a
// key's parts contain the identity, further parts never change, and then the identity cannot come twice.
func homeable(f *facts, e *spec.Entity, s *shape) *shape {
	s = completed(f, e, s)
	if s == nil || len(s.refs()) > len(e.Identity) && !f.neverTwice(e) {
		return nil
	}
	return s
}

// completed is a shape as the key of a table, whether or not something else keeps the identity from coming twice.
func completed(f *facts, e *spec.Entity, s *shape) *shape {
	s = &shape{partition: slices.Clone(s.partition), sort: slices.Clone(s.sort)}
	all := s.refs()
	for _, r := range all {
		if len(r.rest) > 0 || !r.present() || !f.fixed(r) || !keyType(r.attr) && r.attr.Type != spec.Bool {
			return nil
		}
		if ok, _ := f.copyable(r); !r.local() && !ok {
			return nil
		}
	}
	for _, r := range identityRefs(e) {
		if !hasRef(all, r) {
			if !keyType(r.attr) {
				return nil
			}
			s.sort = append(s.sort, keyPart{ref: r})
		}
	}
	if len(s.partition) > 1 && slices.ContainsFunc(s.partition, func(r ref) bool { return !composable(r.attr) }) {
		return nil
	}
	if len(s.sort) > 1 {
		for _, p := range s.sort {
			if !composable(p.ref.attr) {
				return nil
			}
		}
	}
	for _, p := range s.sort {
		if p.inverted && !invertible(p.ref.attr) || p.special() && len(s.sort) == 1 {
			return nil // alone, it would be written under its own name in another way than it is stored
		}
	}
	if len(s.partition) == 1 && s.partition[0].attr.Type == spec.Bool {
		return nil
	}
	if keyBytes(s.partition) > float64(capacity.PartitionKeyBytes) || keyBytes(partRefs(s.sort)) > float64(capacity.SortKeyBytes) {
		return nil
	}
	return s
}

// keyBytes is how long the values of a key can be, one after another.
func keyBytes(rs []ref) float64 {
	n := 0.0
	for _, r := range rs {
		n += 1 + r.attr.Bytes.Max
	}
	return n
}

// keyable reports whether a value can be part of a key: stored whole, as S, N or B, or true or false, which a template
// writes.
func keyable(r ref) bool { return len(r.rest) == 0 && (keyType(r.attr) || r.attr.Type == spec.Bool) }

// keyType reports whether an attribute can be a key as it is stored: S, N or B.
func keyType(a *spec.Attribute) bool {
	switch a.Type {
	case spec.String, spec.Number, spec.Timestamp, spec.Date, spec.Binary:
		return true
	}
	return false
}

// composable reports whether an attribute can be a part of a longer template in its order.
func composable(a *spec.Attribute) bool {
	switch a.Type {
	case spec.String, spec.Timestamp, spec.Date, spec.Bool, spec.Number:
		return true
	}
	return false
}

// invertible reports whether an attribute has a codec that reverses its order.
func invertible(a *spec.Attribute) bool {
	return a.Type == spec.Timestamp || a.Type == spec.Date || a.Type == spec.Number && composable(a) || a.Ranked()
}

// A chain is the to-one ways from an entity to one whose item collection it could join.
type chain []*spec.Relationship

func (c chain) to() *spec.Entity { return c[len(c)-1].To }

// partition is the identity at the end of the chain, seen from its start.
func (c chain) partition() []ref {
	rs := identityRefs(c.to())
	for i := range rs {
		for j := len(c) - 1; j >= 0; j-- {
			rs[i] = rs[i].via(c[j])
		}
	}
	return rs
}

// inherited is by which of its own attributes an entity says which one it belongs to at the end of the chain: the
// identity there, where each generation between has it in its own; nil: some generation does not hand it down.
func (c chain) inherited() []ref {
	rs := c.partition()
	if slices.ContainsFunc(rs, func(r ref) bool { return !r.local() }) {
		return nil
	}
	return rs
}

// under is the shape as part of the collection at the end of a chain: the same if its partition is the identity there.
func (s *shape) under(c chain) *shape {
	p := c.partition()
	if len(p) != len(s.partition) {
		return nil
	}
	for _, r := range p {
		if !hasRef(s.partition, r) {
			return nil
		}
	}
	for _, q := range s.sort {
		if !composable(q.ref.attr) {
			return nil
		}
	}
	return &shape{partition: p, sort: s.sort}
}

// companions finds, for every entity, the collections it could join: those of entities that some pattern reads
// together with it, at the end of identifying or referencing ways, and of what those join themselves.
func companions(ds []*demand) map[*spec.Entity][]chain {
	out := map[*spec.Entity][]chain{}
	add := func(e *spec.Entity, c chain) {
		if e == c.to() {
			return
		}
		for _, d := range out[e] {
			if d.to() == c.to() && refsKey(d.partition()) == refsKey(c.partition()) {
				return
			}
		}
		out[e] = append(out[e], c)
	}
	var follow func(from *spec.Entity, up chain, ns []*wayNode)
	follow = func(from *spec.Entity, up chain, ns []*wayNode) {
		for _, n := range ns {
			if n.back {
				c := append(chain{n.way}, up...)
				for i := range c {
					add(n.way.From, slices.Clone(c[:i+1]))
				}
				follow(n.way.From, c, n.inner)
			} else {
				add(from, chain{n.way})
				follow(n.way.To, nil, n.inner)
			}
		}
	}
	for _, d := range ds {
		follow(d.target, nil, d.ways)
	}
	// what joins an entity can join what that one joins
	for range 2 {
		for _, e := range sortedEntities(out) {
			for _, c := range slices.Clone(out[e]) {
				for _, up := range out[c.to()] {
					add(e, append(slices.Clone(c), up...))
				}
			}
		}
	}
	return out
}

func sortedEntities[V any](m map[*spec.Entity]V) []*spec.Entity {
	es := make([]*spec.Entity, 0, len(m))
	for e := range m {
		es = append(es, e)
	}
	slices.SortFunc(es, func(a, b *spec.Entity) int { return strings.Compare(a.Name, b.Name) })
	return es
}
