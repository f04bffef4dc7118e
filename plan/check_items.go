package plan

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// checkItems proves what holds for the items of a model whatever its plans do.
func (c *compiler) checkItems() {
	for _, t := range c.prog.Tables {
		for _, k := range t.Kinds {
			c.checkSizes(k)
			c.checkIdentity(k)
			c.checkExpiry(k)
			c.checkNumbers(k)
			c.checkSources(k)
			c.checkEmbeds(k)
			c.checkPack(k)
		}
		c.checkApart(t)
	}
	c.checkParts()
}

// identityOf lists what must tell items of a kind apart.
func (k *Kind) identityOf() []*spec.Attribute {
	switch k.Role {
	case UniqueItem:
		return k.Unique
	case SequenceItem:
		if s := k.Attribute.Sequence; s != nil {
			return []*spec.Attribute{s}
		}
	}
	return k.Entity.Identity
}

// checkIdentity checks rule 4: the key contains the identity, and what else it contains cannot change and does not
// weaken `if: absent`.
func (c *compiler) checkIdentity(k *Kind) {
	path := at(k.Path, "key")
	identity := k.identityOf()
	var extra []target
	held := make([]bool, len(identity))
	folded := make([]bool, len(identity))
	for _, r := range k.Recipes {
		if !r.Key {
			continue
		}
		if r.When != nil {
			c.errorf(path, CodeIdentity, "", "%s: a key cannot be absent, and %s has a condition", k.Name, r.Wire.Name)
		}
		for _, p := range r.Parts {
			if p.Attribute == nil {
				continue
			}
			i := slices.IndexFunc(identity, func(a *spec.Attribute) bool { return same(p.target, own(a)) })
			switch {
			case i >= 0 && p.codec.folds():
				folded[i] = true
			case i >= 0:
				held[i] = true
			default:
				extra = append(extra, p.target)
			}
			if p.target.attribute().Optional && (k.Role != UniqueItem || i < 0) { // what is absent has no marker
				c.errorf(path, CodeIdentity, "a key is always there", "%s: %s in %s is optional", k.Name, p.Path, r.Text)
			}
		}
	}
	if k.Role == SequenceItem || k.Role == UniqueItem {
		extra = nil // what else stands there only makes more of them, which checkUnique looks at
	}
	for i, a := range identity {
		switch {
		case held[i]:
		case k.Pack != nil && (folded[i] && a == k.Pack.By || slices.Contains(k.Pack.Within, a)): // the names of the attributes tell them apart
		case folded[i] && k.Role == UniqueItem:
			c.warnf(path, CodeInjective, "use text if values that differ in case may both exist", "%s: values of %s that differ are kept as one", k.Name, a.Name)
		case folded[i]:
			c.errorf(path, CodeInjective, "use a codec that reads back", "%s: two values of %s can give one key, because its codec writes them alike", k.Name, a.Name)
		default:
			c.errorf(path, CodeIdentity, "add {"+a.Name+"} to the key", "%s: the key does not contain %s, so two %s can have one key", k.Name, a.Name, k.Entity.Name)
		}
	}
	for _, t := range extra {
		if by := c.mutable(t); len(by) > 0 {
			c.errorf(path, CodeIdentity, "leave it out of the key, or delete and put", "%s: its key contains %s, which %s changes", k.Name, t.id, by[0].Name)
		}
	}
	k.besides = extra
}

// checkSecond checks that nothing in a key weakens `if: absent`: either the client makes the identity, or a sequence
// numbers it, or every put of the item comes with one of another whose key is the identity alone. A marker of the
// identity is one: that it is put is checked with the markers.
func (c *compiler) checkSecond(k *Kind) {
	random := k.Shards > 0 && (k.ShardBy == nil || !slices.Contains(k.identityOf(), k.ShardBy)) && k.usesShard()
	if k.Role != EntityItem || len(k.besides) == 0 && !random || c.generatedRoot(k.Entity) || c.rooted(k.Entity, c.numbered) ||
		c.pointed(k.Entity) || c.marked(k) {
		return
	}
	what := "{shard}"
	if len(k.besides) > 0 {
		what = k.besides[0].id
	}
	c.errorf(at(k.Path, "key"), CodeIdentity, "leave it out of the key, generate the identity, or put an item whose key is the identity in the same transaction, if: absent",
		"%s: the key contains %s besides the identity of %s, which callers choose: `if: absent` would not notice a second one", k.Name, what, k.Entity.Name)
}

// checkInside checks that no child lies inside two items of its parent: where its identity does not tell its parent,
// and callers choose it, `if: absent` would ask one item alone. Another item of the same child under its identity
// notices a second one.
func (c *compiler) checkInside(m *Embedding) {
	e := m.Child
	if e.Under(m.Way) || c.generatedRoot(e) || c.rooted(e, c.numbered) {
		return
	}
	if slices.ContainsFunc(c.prog.Parts(e), (*Kind).keyedByIdentity) {
		return
	}
	c.errorf(at(m.Kind.Path, "embed", m.Way.Inverse), CodeIdentity, "give the children items of their own, generate the identity, or let it contain "+attributeList(m.Way.By),
		"%s: callers choose %s of a %s, and nothing refuses a second one inside another item", m.Kind.Name, attributeList(e.Identity), e.Name)
}

// marked reports whether each transaction that makes an item of a kind also makes one of the same entity under its
// identity, if that is not there.
func (c *compiler) marked(k *Kind) bool {
	some := false
	for _, p := range c.prog.Procedures {
		for _, s := range p.Stages {
			puts := s.Actions
			if len(puts) == 0 {
				puts = []*Stage{s}
			}
			for _, a := range puts {
				if a.Verb != Put || a.Kind != k || a.Embed != nil || a.demandsPresent() {
					continue
				}
				some = true
				if s.Verb != Transact || !slices.ContainsFunc(puts, func(o *Stage) bool {
					return o.Verb == Put && o.Kind != k && o.Kind.Entity == k.Entity && o.Kind.keyedByIdentity() && o.demandsAbsent() && o.denotes() == a.denotes()
				}) {
					return false
				}
			}
		}
	}
	return some
}

// numbered reports whether a sequence tells all entities of a kind apart: the identity has its number and what it
// counts under, all writes of the sequence count it on, and each put of an entity takes a number of its own from one of
// them.
func (c *compiler) numbered(e *spec.Entity) bool {
	i := slices.IndexFunc(e.Identity, func(a *spec.Attribute) bool { return a.Sequence != nil && slices.Contains(e.Identity, a.Sequence) })
	if i < 0 {
		return false
	}
	some := false
	for _, p := range c.prog.Procedures {
		var writes []*Stage
		for _, s := range p.Stages {
			writes = append(append(writes, s), s.Actions...)
		}
		for _, s := range writes {
			switch {
			case !s.Verb.Writes() || s.Kind == nil:
			case s.counts(e.Identity[i]):
				if !s.countsOn() {
					return false
				}
			case s.Verb == Put && s.writesWhole(e) && !s.demandsPresent():
				some = true
				if s.Each != nil || !slices.ContainsFunc(writes, func(n *Stage) bool { return n.counts(e.Identity[i]) && n.numbers(s) }) {
					return false
				}
			}
		}
	}
	return some
}

// counts reports whether a stage writes the item that holds the last number of a sequence.
func (s *Stage) counts(a *spec.Attribute) bool {
	return s.Verb.Writes() && s.Kind != nil && s.Kind.Role == SequenceItem && s.Kind.Attribute == a
}

// countsOn reports whether a stage raises the last number of a sequence by one, and does nothing else.
func (s *Stage) countsOn() bool {
	return s.Verb == Update && len(s.sets) == 0 && len(s.removes) == 0 && len(s.adds) == 1 && s.adds[0].value.String() == "1"
}

// numbers reports whether a put takes the number to which a stage counts on, under what the put's value says.
func (s *Stage) numbers(put *Stage) bool {
	a := s.Kind.Attribute
	of := "$" + strings.Join(append(slices.Clone(put.valueRef), a.Sequence.Name), ".")
	given := func(as []assign, a *spec.Attribute, value string) bool {
		return slices.ContainsFunc(as, func(x assign) bool { return same(x.target, own(a)) && x.value.String() == value })
	}
	return s.Each == nil && s.Document.Return == "new" && given(s.key, a.Sequence, of) && given(put.with, a, "$"+s.Name+"."+a.Name)
}

// writesWhole reports whether a put makes an entity: as an item, or inside one.
func (s *Stage) writesWhole(e *spec.Entity) bool {
	if s.Embed != nil {
		return s.Embed.Way.From == e
	}
	return s.Kind.Role == EntityItem && s.Kind.Entity == e
}

// keyedByIdentity reports whether the key is made of the entity's identity alone.
func (k *Kind) keyedByIdentity() bool {
	for _, r := range k.Recipes {
		for _, p := range r.Parts {
			if r.Key && (p.Attribute == nil || !slices.ContainsFunc(k.Entity.Identity, func(a *spec.Attribute) bool { return same(p.target, own(a)) })) {
				return false
			}
		}
	}
	return true
}

// pointsTo reports whether a marker has the identity of an entity as what it keeps unique: it says where the entity
// lies.
func (k *Kind) pointsTo(e *spec.Entity) bool {
	return k.Role == UniqueItem && k.While == nil && k.Entity == e && len(k.Unique) == len(e.Identity) &&
		!slices.ContainsFunc(e.Identity, func(a *spec.Attribute) bool { return !slices.Contains(k.Unique, a) })
}

// Lists reports whether a marker has the identity of its entity, and more or in another order, as what it keeps unique:
// no other instance has it. It makes no value unique, but lists instances under the values, strongly consistent.
func (k *Kind) Lists() bool {
	return k.Role == UniqueItem && !slices.Equal(k.Unique, k.Entity.Identity) &&
		!slices.ContainsFunc(k.Entity.Identity, func(a *spec.Attribute) bool { return !slices.Contains(k.Unique, a) })
}

// purpose is what a marker does, for messages.
func (k *Kind) purpose() string {
	if k.Lists() {
		return "lists it by " + attributeList(k.Unique)
	}
	return "keeps " + attributeList(k.Unique) + " unique"
}

// Points reports whether a marker leads from the identity of its entity to where the entity lies.
func (k *Kind) Points() bool { return k.pointsTo(k.Entity) }

// pointed reports whether a marker keeps the identity of an entity unique, whatever else its own key contains.
func (c *compiler) pointed(e *spec.Entity) bool {
	for _, t := range c.prog.Tables {
		if slices.ContainsFunc(t.Kinds, func(k *Kind) bool { return k.pointsTo(e) }) {
			return true
		}
	}
	return false
}

func (k *Kind) usesShard() bool {
	return slices.ContainsFunc(k.Recipes, func(r *Recipe) bool {
		return r.Key && slices.ContainsFunc(r.Parts, func(p *Part) bool { return p.Attribute == nil })
	})
}

// checkSources checks rule 5: what a template or copy takes from elsewhere cannot change, or is kept true.
func (c *compiler) checkSources(k *Kind) {
	for _, s := range k.Stored {
		if !s.Copy {
			continue
		}
		path := at(k.Path, "copies", s.Name)
		by := c.mutable(s.target)
		switch {
		case s.Kept.differs():
		case len(s.Kept.By) > 0:
			for _, n := range s.Kept.By {
				if c.r.Pattern(n) == nil {
					var names []string
					for _, p := range c.r.Patterns {
						names = append(names, p.Name)
					}
					c.errorf(at(path, "kept", "by"), CodeUnknown, meant(n, names), "there is no access pattern %s", n)
				}
			}
			for _, p := range by {
				if !slices.Contains(s.Kept.By, p.Name) {
					c.errorf(at(path, "kept"), CodeKept, "name it under by", "%s copies %s, which %s changes without being named", k.Name, s.target.id, p.Name)
				}
			}
		case len(by) > 0:
			c.errorf(path, CodeKept, "kept: snapshot, {by: ["+by[0].Name+"]} or stream", "%s copies %s as if it never changed, and %s changes it", k.Name, s.target.id, by[0].Name)
		}
		if s.Kept.Stream && s.Kept.Within == "" {
			c.errorf(at(path, "kept"), CodeKept, "add within: 5s", "%s: a copy kept by a stream lags behind: say how far", k.Name)
		}
	}
	seen := map[string]bool{}
	check := func(r *Recipe, t target) {
		if !strings.Contains(t.id, ".") && t.from == t.id || k.byPath[t.id] != nil && k.byPath[t.id].Copy || seen[t.id] {
			return
		}
		o := origin(t)
		if len(o.segs) < 2 || o.segs[0].Way == nil {
			return
		}
		if st := k.byPath[o.id]; st != nil && st.Copy {
			return
		}
		seen[t.id] = true
		if by := c.mutable(o); len(by) > 0 && !r.Key { // of keys: checkIdentity
			c.errorf(k.Path, CodeKept, "add it under copies with kept", "%s: %s is built from %s, which %s changes: nothing would keep it true", k.Name, r.Wire.Name, t.id, by[0].Name)
		}
	}
	for _, r := range k.Recipes {
		for _, p := range r.Parts {
			if p.Attribute != nil {
				check(r, p.target)
			}
		}
		for _, t := range r.when {
			check(r, t)
		}
	}
	for _, s := range k.Stored {
		if o := origin(s.target); !s.Copy && s.target.from != s.target.id && k.Role != UniqueItem {
			if by := c.mutable(o); len(by) > 0 {
				c.errorf(k.Path, CodeKept, "store it under copies with kept instead", "%s stores %s, derived from %s, which %s changes: nothing would keep it true", k.Name, s.Name, o.id, by[0].Name)
			}
		}
	}
}

// checkEmbeds checks that every child inside an item has a parent to lie in.
func (c *compiler) checkEmbeds(k *Kind) {
	for _, m := range k.Embeds {
		for _, p := range c.r.Patterns {
			for _, a := range p.Actions {
				if a.Verb != spec.Create && a.Verb != spec.Upsert || a.Entity != m.Child || slices.Contains(a.Requires, m.Way) {
					continue
				}
				c.errorf(at(k.Path, "embed", m.Way.Inverse), CodeEmbed, "give the child an item of its own, or let the pattern say requires: ["+m.Way.Name+"]",
					"%s creates a %s without a %s having to exist, and inside %s there is no place for it then", p.Name, m.Child.Name, k.Entity.Name, k.Name)
			}
		}
	}
}

// checkApart checks that no two kinds of a table can have one key.
func (c *compiler) checkApart(t *Schema) {
	for i, a := range t.Kinds {
		for _, b := range t.Kinds[i+1:] {
			if a.collides(b) {
				c.errorf(at(b.Path, "key"), CodeCollide, "begin their keys with different literals", "%s and %s can have one key in %s, and would overwrite each other", a.Name, b.Name, t.Name)
			}
		}
	}
	t.tell = newTeller(t.Kinds)
}

// collides reports whether two kinds can have items with one key.
func (k *Kind) collides(o *Kind) bool {
	for _, w := range k.Table.Base.keys() {
		a, b := k.recipe(w.Name), o.recipe(w.Name)
		if a == nil || b == nil || !a.meets(b) {
			return false
		}
	}
	return true
}

// meets reports whether two recipes of one wire attribute can write one value.
func (r *Recipe) meets(o *Recipe) bool {
	if r.texts == nil || o.texts == nil { // numbers
		return len(r.Parts) > 0 || len(o.Parts) > 0 || r.Text == o.Text
	}
	n := min(len(r.Literals[0]), len(o.Literals[0]))
	return r.Literals[0][:n] == o.Literals[0][:n] && meet(r.texts, o.texts)
}

// checkParts checks that every entity lies somewhere, and each of its attributes in one place only.
func (c *compiler) checkParts() {
	for _, e := range c.r.Entities {
		parts := c.prog.Parts(e)
		if len(parts) == 0 {
			if !e.External && len(c.prog.embeddings(e)) == 0 && !c.broken(e) {
				c.errorf([]string{"tables"}, CodeHome, "add an item that holds it", "%s lies in no table", e.Name)
			}
			continue
		}
		for _, k := range parts[1:] {
			if !k.part || !parts[0].part {
				c.errorf(at(k.Path, "holds"), CodeHome, "holds: {copy-of: "+parts[0].Name+"}, or divide the attributes with `stores`",
					"%s lies in %s and in %s: one is the entity, the other a copy", e.Name, parts[0].Name, k.Name)
			}
		}
		for _, a := range e.Attributes {
			if slices.Contains(e.Identity, a) {
				for _, k := range parts {
					if !k.offers(own(a), k.Table.Base) {
						c.errorf(at(k.Path, "stores"), CodeReadable, "store it", "%s: %s is neither stored nor readable from a template", k.Name, a.Name)
					}
				}
				continue
			}
			c.checkHeld(e, a, parts)
		}
	}
}

// checkHeld checks that one part holds an attribute, and no other stores it.
func (c *compiler) checkHeld(e *spec.Entity, a *spec.Attribute, parts []*Kind) {
	var stored []*Kind
	for _, k := range parts {
		if k.byPath[a.Name] != nil {
			stored = append(stored, k)
		}
	}
	switch {
	case len(stored) > 1 && stored[0].part && stored[1].part:
		c.errorf(at(stored[1].Path, "stores"), CodeHome, "store it in one of them", "%s and %s both store %s of %s", stored[0].Name, stored[1].Name, a.Name, e.Name)
	case !kept(a) || slices.ContainsFunc(parts, func(k *Kind) bool { return k.offers(own(a), k.Table.Base) }):
	case len(parts) > 1:
		c.errorf(at(parts[0].Path, "stores"), CodeReadable, "store it in one of them", "%s of %s is neither stored in a part of it nor readable from a template", a.Name, e.Name)
	default:
		c.errorf(at(parts[0].Path, "stores"), CodeReadable, "store it", "%s: %s is neither stored nor readable from a template", parts[0].Name, a.Name)
	}
}

// broken reports whether an item of the entity is in the document but could not be resolved; then that is reported.
func (c *compiler) broken(e *spec.Entity) bool {
	for _, t := range c.m.Tables {
		for name, it := range t.Items {
			h := it.Holds
			if h.Entity == e.Name || h == (Holds{}) && name == e.Name {
				return true
			}
			for way := range it.Embed {
				for _, r := range e.There {
					if r.Inverse == way {
						return true
					}
				}
			}
		}
	}
	return false
}

// checkNumbers checks that no number is stored that changes with the time alone: when what it counts expires no read
// finds that any more, and no write takes it out of the number.
func (c *compiler) checkNumbers(k *Kind) {
	if k.Entity == nil {
		return
	}
	for _, a := range k.Entity.Attributes {
		if e := a.Expiring(); e != nil && k.byPath[a.Name] != nil {
			c.errorf(k.Path, CodeKept, "leave "+a.Name+" out of the requirements, and read `aggregate` over the "+e.Name+" where it is needed",
				"%s holds %s.%s, which changes whenever a %s expires, and no write follows", k.Name, k.Entity.Name, a.Name, e.Name)
		}
	}
}

// checkExpiry checks that time to live deletes entities when the requirements let them go, and not before.
func (c *compiler) checkExpiry(k *Kind) {
	e := k.Entity
	if k.Role == UniqueItem {
		c.checkMarkerEnds(k)
	}
	if k.Role != EntityItem {
		return
	}
	remedy := "leave " + k.Table.TTL + " out of its set: the requirements state neither `expires` nor `retention`"
	ends := e.Expires
	switch {
	case ends != nil:
		remedy = k.Table.TTL + `: "{` + ends.Name + `:epoch-s}"`
	case e.Retention > 0:
		ends = e.Kept
		if remedy = "let it hold the time of its creation, and add the retention: "; ends != nil {
			remedy += k.Table.TTL + `: "{` + ends.Name + ":epoch-s:plus " + spec.FormatDuration(e.Retention) + `}"`
		} else {
			remedy += `"{createdAt:epoch-s:plus ` + spec.FormatDuration(e.Retention) + `}"`
		}
	}
	var r *Recipe
	if k.Table.TTL != "" {
		r = k.recipe(k.Table.TTL)
	}
	if r == nil {
		if e.Expires == nil && e.Kept != nil && !c.deletes(e) {
			c.warnf(k.Path, CodeExpiry, "name an N attribute under ttl of "+k.Table.Name+`, and set it to "{`+e.Kept.Name+":epoch-s:plus "+spec.FormatDuration(e.Retention)+`}"`,
				"%s is kept %s, and nothing deletes it then", k.Name, spec.FormatDuration(e.Retention))
		}
		return
	}
	path := at(k.Path, "set", r.Wire.Name)
	if len(r.Parts) != 1 || r.Parts[0].Attribute == nil {
		return // a constant
	}
	part := r.Parts[0]
	switch from := part.target.attribute(); {
	case e.Expires == nil && e.Retention == 0:
		c.errorf(path, CodeExpiry, remedy, "time to live deletes %s, which the requirements keep", k.Name)
	case e.Expires != nil && from == e.Expires || from == e.Kept && from != nil:
		least := e.Retention
		if k.Pack != nil { // the item ends when the last that can be in it does
			least += k.Pack.Period()
			remedy = k.Table.TTL + `: "{` + ends.Name + ":epoch-s:plus " + spec.FormatDuration(least) + `}"`
		}
		if e.Expires == nil && part.codec.later < least || part.codec.later < 0 {
			c.errorf(path, CodeExpiry, remedy, "time to live deletes %s before it has been kept %s", k.Name, spec.FormatDuration(least))
		}
	case ends != nil || from.Generated == "now" && part.codec.later < e.Retention:
		c.errorf(path, CodeExpiry, remedy, "time to live deletes %s by %s, which is not when the requirements let it go", k.Name, part.target.id)
	}
}

// deletes reports whether a pattern deletes an entity.
func (c *compiler) deletes(e *spec.Entity) bool {
	return slices.ContainsFunc(c.r.Patterns, func(p *spec.Pattern) bool {
		return slices.ContainsFunc(p.Actions, func(a *spec.Action) bool { return a.Verb == spec.Delete && a.Entity == e })
	})
}

// checkMarkerEnds checks that a marker ends with its entity where that may still claim it when its retention is over.
func (c *compiler) checkMarkerEnds(k *Kind) {
	e := k.Entity
	if e.Kept == nil || k.Table.TTL != "" && k.recipe(k.Table.TTL) != nil || c.deletes(e) || !slices.ContainsFunc(e.Unique, func(u spec.Unique) bool { return u.Outlives && k.keeps(u) }) {
		return
	}
	c.warnf(k.Path, CodeExpiry, "name an N attribute under ttl of "+k.Table.Name+`, and set it to "{`+e.Kept.Name+":epoch-s:plus "+spec.FormatDuration(e.Retention)+`}"`,
		"%s is kept %s, and its marker %s stays", e.Name, spec.FormatDuration(e.Retention), k.Name)
}
