package plan

import (
	"maps"
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// chain is how the value that a put writes lies inside a parameter: the ways back from the parameter's entity down to
// it. $order.items lies below items. ok is false for what an earlier step found.
func (s *Stage) chain() (ways []spec.Segment, ok bool) {
	if s.value == nil || s.value.stage != nil {
		return nil, false
	}
	if s.value.each {
		ways = append(ways, s.each.segs...)
	}
	return append(ways, s.value.segs...), s.value.param != nil
}

// has reports whether one of the assignments gives the target, under any of its equal names.
func has(as []assign, t target) bool {
	return slices.ContainsFunc(as, func(a assign) bool { return same(a.target, t) })
}

// knows reports whether the stage knows the value of a target without reading the item: from its key, from `with`,
// from what it sets, or from the value it puts and what encloses that.
func (s *Stage) knows(t target) bool {
	if has(s.with, t) {
		return true
	}
	if s.Verb != Put {
		for _, a := range s.sets {
			if same(a.target, t) {
				return len(itemPaths(a.value)) == 0 && !has(s.adds, t)
			}
		}
		return has(s.key, t) || slices.ContainsFunc(s.removes, func(r target) bool { return same(r, t) })
	}
	if s.value.stage != nil {
		return s.value.stage.finds(t)
	}
	ways, _ := s.chain()
	return valueKnows(s, ways, t)
}

// valueKnows reports whether a parameter's value has the target: itself, or through what encloses it.
func valueKnows(s *Stage, ways []spec.Segment, t target) bool {
	first := t.segs[0]
	if first.Way == nil {
		a := first.Attribute
		switch {
		case a.Sequence != nil && a.Generated == "":
			return false // only `with` gives the number
		case a.Derived != nil && a.Derived.Func == "":
			if o := origin(t); o.id != t.id {
				return has(s.with, o) || valueKnows(s, ways, o)
			}
		}
		return true
	}
	if first.Back {
		return s.Kind.embedding(first.Name) != nil && len(ways) == 0
	}
	if len(ways) == 0 || ways[len(ways)-1].Way != first.Way {
		return false
	}
	if len(t.segs) == 1 {
		return true
	}
	up := *t.up
	return valueKnows(s, ways[:len(ways)-1], up)
}

// finds reports whether the items that a reading stage finds have the target.
func (s *Stage) finds(t target) bool {
	if s.Kind == nil {
		return false
	}
	return s.Kind.offers(t, s.Access)
}

// offers reports whether a wire item read through an access has the target, or it can be read back from it.
func (k *Kind) offers(t target, a *Access) bool {
	for _, u := range []target{t, origin(t)} {
		if st := k.byPath[u.id]; st != nil && a.projects(k, st.Name) {
			return true
		}
		for _, r := range k.Recipes {
			for _, p := range r.Parts {
				// What a sparse attribute holds is there where the index holds the item.
				always := r.When == nil || a.hasKey(r.Wire.Name)
				if always && p.Attribute != nil && p.codec.readable && p.target.id == u.id && a.projects(k, r.Wire.Name) {
					return true
				}
			}
		}
	}
	if k.Pack != nil && a.Project == All && (k.Pack.tells(t) || k.Pack.tells(origin(t))) {
		return true
	}
	if len(t.path) > 1 && t.segs[0].Attribute != nil { // inside a map
		return k.offers(newTarget(t.path[:1], t.segs[:1]), a)
	}
	if m := k.embedding(t.path[0]); m != nil && m.As == "value" {
		return a.projects(k, m.Attribute)
	}
	return false
}

// projects reports whether the wire attribute of a kind is in the access's entries.
func (a *Access) projects(k *Kind, wire string) bool {
	if a.Project == All || slices.Contains(a.Include, wire) {
		return true
	}
	return a.hasKey(wire) || a.Table.Base.hasKey(wire)
}

// TellsEnd reports whether what a step finds of a kind says when it expires: then a read leaves out what has.
func (s *Stage) TellsEnd(k *Kind) bool {
	return k.Entity.Expires != nil && s.action(k).tells(k, own(k.Entity.Expires))
}

// Projects reports whether entries of the access have the wire attribute, if the item has it.
func (a *Access) Projects(wire string) bool { return a.projects(nil, wire) }

func (a *Access) hasKey(wire string) bool {
	is := func(w Wire) bool { return w.Name == wire }
	return slices.ContainsFunc(a.Partition, is) || slices.ContainsFunc(a.Sort, is)
}

// embedding is the children that a way back leads to, if they lie inside the item.
func (k *Kind) embedding(way string) *Embedding {
	for _, m := range k.Embeds {
		if m.Way.Inverse == way {
			return m
		}
	}
	return nil
}

// itemPaths lists the paths in a value: what only the stored item knows.
func itemPaths(v spec.Expr) (out []spec.Path) {
	for t := range v.Terms() {
		if len(t.Path) > 0 {
			out = append(out, t.Path)
		}
	}
	return out
}

// Joins reports whether an action on a child inside an item and another action of its transaction on that item are sent
// as one update: a transaction takes each item once (TransactWriteItems).
func (s *Stage) Joins() bool { return s.Outer() != nil }

// Outer is the action on the item itself that an action on a child inside joins; nil if there is none.
func (s *Stage) Outer() *Stage {
	if s.Embed == nil {
		return nil
	}
	key := map[string]string{}
	for i, by := range s.Embed.Way.By {
		of := s.Embed.Way.To.Identity[i].Name
		if key[of] = s.Document.Key[by.Name]; s.Verb == Put {
			key[of] = s.valueRef.String() + "." + by.Name
		}
	}
	i := slices.IndexFunc(s.Procedure.Stages, func(t *Stage) bool { return slices.Contains(t.Actions, s) })
	if i < 0 {
		return nil
	}
	j := slices.IndexFunc(s.Procedure.Stages[i].Actions, func(o *Stage) bool {
		return o.Embed == nil && o.Kind == s.Kind && (o.Verb == Update || o.Verb == Check) && maps.Equal(o.Document.Key, key) && slices.Equal(o.Each, s.Each)
	})
	if j < 0 {
		return nil
	}
	return s.Procedure.Stages[i].Actions[j]
}

// Transacted reports whether the stage is sent as a transaction, which takes twice the units of its writes.
func (s *Stage) Transacted() bool { return s.Verb == Transact && !s.alone() }

// alone reports whether what a transaction writes is always one item, as one update: a child inside it, and the item
// itself, which is changed or tested. It is sent as a write of that item, which is as much all or nothing and takes
// half of the units.
func (s *Stage) alone() bool {
	if s.Verb != Transact || s.each != nil || s.token != nil {
		return false
	}
	left := slices.DeleteFunc(slices.Clone(s.Actions), (*Stage).Joins)
	return len(left) == 1 && len(s.Actions) > 1 && left[0].each == nil && (left[0].Verb == Update || left[0].Verb == Check)
}

// up is the parent's target as the child sees it: through its way there.
func (m *Embedding) up(t target) target {
	return newTarget(append(spec.Path{m.Way.Name}, t.path...), append([]spec.Segment{{Name: m.Way.Name, Way: m.Way}}, t.segs...))
}

// outer is a target of the item's entity as the paths of the stage name it.
func (s *Stage) outer(t target) target {
	if s.Embed != nil {
		return s.Embed.up(t)
	}
	return t
}

// keyKnown checks that all parts of the item's key are known.
func (c *compiler) keyKnown(s *Stage) bool {
	ok := true
	for _, r := range s.Kind.Recipes {
		if !r.Key {
			continue
		}
		for _, p := range r.Parts {
			if p.Attribute == nil {
				ok = c.shardKnown(s) && ok
				continue
			}
			if !s.knows(s.outer(p.target)) {
				c.errorf(at(s.Path, "key"), CodeKey, "give it under key, or find it with a step before",
					"%s: the key of %s has %s in %s, which step %s does not know", s.Procedure.Name, s.Kind.Name, p.Path, r.Text, s.label())
				ok = false
			}
		}
	}
	if s.Kind.Pack != nil && s.Verb == Delete {
		for _, a := range slices.Concat([]*spec.Attribute{s.Kind.Pack.By}, s.Kind.Pack.Within) {
			if !s.knows(own(a)) {
				c.errorf(at(s.Path, "key"), CodeKey, "give it under key", "%s: which of those in an item of %s goes is told by %s, which step %s does not know", s.Procedure.Name, s.Kind.Name, a.Name, s.label())
				ok = false
			}
		}
	}
	for _, a := range s.key {
		used := s.Embed != nil && (a.target.attribute() == s.Embed.By) || s.Kind.Pack != nil && slices.Contains(s.Kind.Pack.Within, a.target.attribute())
		for _, r := range s.Kind.Recipes {
			for _, p := range r.Parts {
				used = used || p.Attribute != nil && same(s.outer(p.target), a.target)
			}
		}
		if !used {
			c.errorf(at(s.Path, "key", a.target.id), CodeKey, "leave it out", "%s: no key or template of %s has %s", s.Procedure.Name, s.Kind.Name, a.target.id)
			ok = false
		}
	}
	if s.Embed != nil && s.Embed.As == "map" && s.Verb != Put && !has(s.key, own(s.Embed.By)) {
		c.errorf(at(s.Path, "key"), CodeKey, "give it under key", "%s: %s tells which of the %s is meant", s.Procedure.Name, s.Embed.By.Name, s.Embed.Way.Inverse)
		ok = false
	}
	return ok
}

// label names a stage in messages.
func (s *Stage) label() string {
	if s.Name != "" {
		return s.Name
	}
	return s.Path[len(s.Path)-3] + " " + s.Path[len(s.Path)-2] + " " + s.Path[len(s.Path)-1]
}

// shardKnown checks that it is clear which shard is meant.
func (c *compiler) shardKnown(s *Stage) bool {
	k := s.Kind
	if k.ShardBy != nil {
		t := own(k.ShardBy)
		if s.Verb == Put || s.knows(s.outer(t)) {
			return true
		}
		c.errorf(at(s.Path, "key"), CodeShard, "give it under key", "%s: the shard of %s follows from %s, which step %s does not know", s.Procedure.Name, k.Name, k.ShardBy.Name, s.label())
		return false
	}
	switch {
	case s.Verb == Put, s.Verb == BatchGet && s.Document.Scatter == "shard":
		return true
	case s.Verb == Update && k.Role == AggregateItem:
		return true // any shard will do
	}
	c.errorf(s.Path, CodeShard, "read all shards (batch-get with `scatter: shard`), or choose the shard by an attribute",
		"%s: nobody knows in which of its %d shards an item of %s lies", s.Procedure.Name, k.Shards, k.Name)
	return false
}

func (c *compiler) scatterKeys(s *Stage) bool {
	switch s.Document.Scatter {
	case "":
		return true
	case "shard":
		if s.Kind.Shards > 0 && s.Kind.ShardBy == nil {
			s.Scatter = s.Kind.Shards
			return true
		}
	}
	c.errorf(at(s.Path, "scatter"), CodeShard, "", "%s is not divided into random shards", s.Kind.Name)
	return false
}

// putComplete checks that a put knows all it writes.
func (c *compiler) putComplete(s *Stage) bool {
	ok := true
	need := func(t target, what string) {
		if !s.knows(s.outer(t)) {
			c.errorf(s.Path, CodeElsewhere, "give it: with: {"+s.outer(t).id+": …}",
				"%s: %s needs %s of %s, which is neither in %s nor in a value around it", s.Procedure.Name, what, t.id, s.Kind.Name, s.valueRef)
			ok = false
		}
	}
	if s.Embed != nil {
		for _, r := range s.Kind.Recipes {
			for _, p := range r.Parts {
				if r.Key && p.Attribute != nil {
					need(p.target, r.Wire.Name)
				}
			}
		}
		return ok
	}
	for _, r := range s.Kind.Recipes {
		if c.filledIn(s, r) {
			s.lacks = append(s.lacks, r.Wire.Name)
			continue // with what it is made of
		}
		for _, t := range r.targets() {
			need(t, r.Wire.Name)
		}
	}
	if k := s.Kind; k.Pack != nil {
		for _, a := range k.Pack.Within {
			need(own(a), a.Name)
		}
		for _, st := range k.Pack.Stored {
			need(st.target, st.Name)
		}
	}
	for _, st := range s.Kind.Stored {
		if st.Attribute.Derived != nil && st.Attribute.Derived.Func != "" && !st.Copy {
			continue // begins at nothing
		}
		if c.fills(s, st) != nil {
			s.lacks = append(s.lacks, st.Name)
			continue // the consumer of the stream fills it in
		}
		need(st.target, st.Name)
	}
	return ok
}

// EntersLater reports whether an item that a stage makes enters an index only when the consumer of a stream fills in
// its key.
func (s *Stage) EntersLater(x *Access) bool {
	return slices.ContainsFunc(s.lacks, func(name string) bool { return x.hasKey(name) })
}

// fills is the first way of a copy that a stage which makes an item does not know and the consumer of the stream fills
// in; nil for any other.
func (c *compiler) fills(s *Stage, st *Stored) *spec.Relationship {
	if ways := st.ways(); len(ways) > 0 && fillsIn(c.r, ways) && !s.knows(s.outer(st.target)) {
		return ways[0]
	}
	return nil
}

// filledIn reports whether the consumer of the stream writes a template that a put cannot. The template then consists
// of the table's key and of what the consumer fills in along one way.
func (c *compiler) filledIn(s *Stage, r *Recipe) bool {
	var way *spec.Relationship
	for _, t := range r.targets() {
		if s.Kind.inKey(t) {
			continue
		}
		st := s.Kind.storing(t)
		if st == nil {
			return false
		}
		first := c.fills(s, st)
		if first == nil || way != nil && first != way {
			return false
		}
		way = first
	}
	return way != nil && !r.Key
}

// inKey reports whether the table's key is made of a target.
func (k *Kind) inKey(t target) bool {
	return slices.ContainsFunc(k.Recipes, func(r *Recipe) bool {
		return r.Key && slices.ContainsFunc(r.Parts, func(p *Part) bool { return p.Attribute != nil && same(p.target, t) })
	})
}
