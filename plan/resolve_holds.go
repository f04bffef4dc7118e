package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

func (c *compiler) entity(path []string, name string) *spec.Entity {
	e := c.r.Entity(name)
	if e == nil {
		var names []string
		for _, e := range c.r.Entities {
			names = append(names, e.Name)
		}
		c.errorf(path, CodeUnknown, meant(name, names), "there is no entity %s", name)
	}
	return e
}

// attribute finds Entity.name.
func (c *compiler) attributeOf(path []string, text string) (*spec.Entity, *spec.Attribute) {
	en, an, ok := strings.Cut(text, ".")
	if !ok {
		c.errorf(path, CodeSyntax, "write Entity.attribute", "%q names no attribute", text)
		return nil, nil
	}
	e := c.entity(path, en)
	if e == nil {
		return nil, nil
	}
	a := e.Attribute(an)
	if a == nil {
		c.errorf(path, CodeUnknown, meant(an, attributeNames(e)), "%s has no attribute %s", en, an)
	}
	return e, a
}

func attributeNames(e *spec.Entity) []string {
	var names []string
	for _, a := range e.Attributes {
		names = append(names, a.Name)
	}
	return names
}

// while resolves which instances have a marker. It is what the requirements say of what is unique, as far as they say it.
func (c *compiler) while(k *Kind, path []string, text string) bool {
	var err error
	if k.While, err = c.condition(path, k.Entity, nil, text); err != nil {
		return false
	}
	for t := range spec.Tests(k.While) {
		tg, err := resolvePath(k.Entity, t.Path)
		if err != nil || len(t.Path) == 0 {
			c.errorf(path, CodeSyntax, "test attributes", "%s tests the item itself", text)
			return false
		}
		k.while = append(k.while, tg)
	}
	return true
}

// keeps reports whether a marker keeps unique what the requirements call so.
func (k *Kind) keeps(u spec.Unique) bool {
	return k.Role == UniqueItem && len(k.Unique) == len(u.Of) && !slices.ContainsFunc(u.Of, func(a *spec.Attribute) bool { return !slices.Contains(k.Unique, a) }) &&
		(k.While == nil) == (u.While == nil) && (k.While == nil || k.While.String() == u.While.String())
}

// unique is what a marker keeps.
func (k *Kind) unique() spec.Unique { return spec.Unique{Of: k.Unique, While: k.While} }

// holds resolves what an item is.
func (c *compiler) holds(k *Kind) bool {
	h, path := k.Document.Holds, at(k.Path, "holds")
	switch {
	case h.Unique != "":
		k.Role = UniqueItem
		en, list, ok := strings.Cut(h.Unique, ".")
		if !ok {
			c.errorf(path, CodeSyntax, "write {unique: Entity.attribute}, or Entity.a+b for several together", "%q names no attribute", h.Unique)
			return false
		}
		if k.Entity = c.entity(path, en); k.Entity == nil {
			return false
		}
		for _, n := range strings.Split(list, "+") {
			a := k.Entity.Attribute(n)
			if a == nil {
				c.errorf(path, CodeUnknown, meant(n, attributeNames(k.Entity)), "%s has no attribute %s", en, n)
				return false
			}
			k.Unique = append(k.Unique, a)
		}
		if h.While != "" && !c.while(k, at(path, "while"), h.While) {
			return false
		}
	case h.Sequence != "", h.Aggregate != "":
		k.Role = SequenceItem
		if h.Aggregate != "" {
			k.Role = AggregateItem
		}
		if k.Entity, k.Attribute = c.attributeOf(path, h.Sequence+h.Aggregate); k.Attribute == nil {
			return false
		}
		if h.Sequence != "" && k.Attribute.Sequence == nil {
			c.errorf(path, CodeHolds, "declare it with `sequence` in the requirements", "%s is not a sequence", h.Sequence)
			return false
		}
		if h.Aggregate != "" && (k.Attribute.Derived == nil || k.Attribute.Derived.Func == "") {
			c.errorf(path, CodeHolds, "an aggregate is derived by count, sum, min or max", "%s is not derived from other entities", h.Aggregate)
			return false
		}
	case h.CopyOf != "":
		k.Role = CopyItem
		if k.Of = c.prog.kinds[h.CopyOf]; k.Of == nil || k.Of.Role != EntityItem {
			c.errorf(path, CodeUnknown, meant(h.CopyOf, sortedKeys(c.prog.kinds)), "%s copies %s, which is no item that holds an entity", k.Name, h.CopyOf)
			return false
		}
		k.Entity = k.Of.Entity
	default:
		k.Role = EntityItem
		name := h.Entity
		if name == "" {
			name, path = k.Name, k.Path
		}
		if k.Entity = c.entity(path, name); k.Entity == nil {
			return false
		}
	}
	if k.Document.Kept != nil {
		if k.Role == EntityItem {
			c.errorf(at(k.Path, "kept"), CodeHolds, "`kept` belongs to copies, markers, aggregates and sequences", "%s is an entity itself and is kept by the patterns that write it", k.Name)
		}
		k.Kept = *k.Document.Kept
		if k.Role == AggregateItem && k.Kept.Stream {
			c.mayLag(at(k.Path, "kept"), k, k.Attribute, k.Kept)
		}
	}
	return true
}

// mayLag checks that a number may be as old as the consumer of a stream lets it become.
func (c *compiler) mayLag(place []string, k *Kind, number *spec.Attribute, kept Kept) {
	d := number.Derived
	within, err := spec.ParseDuration(kept.Within)
	switch {
	case kept.Within == "":
		c.errorf(place, CodeKept, "add within: 5s", "%s: a number kept by a stream lags behind: say how far", k.Name)
	case err != nil:
		c.errorf(at(place, "within"), CodeKept, "write a duration, such as 5s", "%s is kept within %s, which is no duration", k.Name, kept.Within)
	case d.Within == 0:
		c.errorf(place, CodeKept, "update it in the transactions that change it, or say `within: "+kept.Within+"` at the attribute in the requirements",
			"%s.%s may not lag, and a stream lets it", k.Entity.Name, number.Name)
	case within > d.Within:
		c.errorf(at(place, "within"), CodeKept, "within: "+spec.FormatDuration(d.Within), "%s.%s may lag by %s, and %s by %s", k.Entity.Name, number.Name, spec.FormatDuration(d.Within), k.Name, kept.Within)
	}
}

func (c *compiler) shard(k *Kind) {
	s := k.Document.Shard
	if s == nil {
		return
	}
	path := at(k.Path, "shard")
	if s.Of < 2 || s.Of > 10_000 {
		c.errorf(at(path, "of"), CodeShard, "2 to 10,000 shards", "%s is divided into %d shards", k.Name, s.Of)
		return
	}
	k.Shards = s.Of
	if s.By == "random" {
		return
	}
	if k.ShardBy = k.Entity.Attribute(s.By); k.ShardBy == nil {
		c.errorf(at(path, "by"), CodeUnknown, meant(s.By, append(attributeNames(k.Entity), "random")), "%s has no attribute %s", k.Entity.Name, s.By)
	}
}

// stored resolves what is stored under own names: the entity's attributes, then copies.
func (c *compiler) stored(k *Kind) {
	var names []string
	switch {
	case k.Document.Stores != nil:
		names = k.Document.Stores
	case k.Role == UniqueItem:
		for _, a := range k.Entity.Identity { // whose it is
			names = append(names, a.Name)
		}
	case k.Role == SequenceItem, k.Role == AggregateItem:
		names = []string{k.Attribute.Name}
	default:
		for _, a := range k.Entity.Attributes {
			if !c.elsewhere(k, a) && !a.Last() {
				names = append(names, a.Name)
			}
		}
	}
	for _, n := range sortedKeys(k.Document.Copies) {
		if _, own := k.ownNumber(n); own && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	for i, n := range names {
		a := k.Entity.Attribute(n)
		if a == nil {
			c.errorf(at(k.Path, "stores", strconv.Itoa(i)), CodeUnknown, meant(n, attributeNames(k.Entity)), "%s has no attribute %s", k.Entity.Name, n)
			continue
		}
		if a.Last() {
			c.errorf(at(k.Path, "stores", strconv.Itoa(i)), CodeKept, "leave it out: reads take it from there", "%s.%s is what the newest of its %s has, and no write keeps it", k.Entity.Name, n, a.Derived.Path[0])
			continue
		}
		st := &Stored{Name: n, Attribute: a, Path: spec.Path{n}}
		if d, own := k.ownNumber(n); own {
			if st.Kept = d.Kept; st.Kept.Stream {
				c.mayLag(at(k.Path, "copies", n, "kept"), k, a, st.Kept)
			} else {
				c.errorf(at(k.Path, "copies", n), CodeKept, "kept: {by: stream, within: 5s}, or leave it out of `copies`",
					"%s is a number of %s itself: only a stream keeps it without the transactions that change it", n, k.Entity.Name)
			}
		}
		if d := a.Derived; d != nil && d.Where != nil && !(k.Role == AggregateItem && k.Kept.Stream) && !st.Kept.Stream {
			c.errorf(k.Path, CodeKept, "hold it in an item of its own: {aggregate: "+k.Entity.Name+"."+n+"}, kept: {by: stream, within: 5s}",
				"%s counts some of the %s, and no plan of a write knows which counted before", n, d.Path[0])
			continue
		}
		if k.stored(n) != nil {
			c.errorf(at(k.Path, "stores", strconv.Itoa(i)), CodeDuplicate, "", "%s stores %s twice", k.Name, n)
			continue
		}
		k.Stored = append(k.Stored, st)
	}
	for _, n := range sortedKeys(k.Document.Copies) {
		if _, own := k.ownNumber(n); own {
			continue
		}
		d, path := k.Document.Copies[n], at(k.Path, "copies", n)
		tg, err := c.path(at(path, "from"), k.Entity, d.From)
		if err != nil {
			continue
		}
		if !tg.toOne() {
			c.errorf(at(path, "from"), CodePath, "a copy follows ways there", "%s leads to several values", d.From)
			continue
		}
		if k.stored(n) != nil {
			c.errorf(path, CodeDuplicate, "give the copy another name", "%s stores an attribute %s already", k.Name, n)
			continue
		}
		if d.Kept.Recheck && !d.Kept.Stream {
			c.errorf(at(path, "kept", "recheck"), CodeKept, "kept: {by: stream, within: 5s, recheck: true}, or leave recheck out", "only the consumer of a stream compares what a new %s brings with its source", k.Name)
		}
		k.Stored = append(k.Stored, &Stored{Name: n, Attribute: tg.attribute(), Path: tg.path, Copy: true, Kept: d.Kept, target: tg})
	}
}

// ownNumber is what `copies` says of a number that is derived for the entity itself; false of all else.
func (k *Kind) ownNumber(name string) (Copy, bool) {
	d, ok := k.Document.Copies[name]
	a := k.Entity.Attribute(name)
	return d, ok && k.Role == EntityItem && a != nil && a.Derived != nil && a.Derived.Func != "" && d.From == name
}

// Followed are the numbers that the consumer of a stream keeps in items of the kind: that of an aggregate item, or those among the
// attributes of the entity that `copies` says it of.
func (k *Kind) Followed() (out []*spec.Attribute) {
	if k.Role == AggregateItem && k.Kept.Stream {
		out = append(out, k.Attribute)
	}
	for _, st := range k.Stored {
		if k.Role == EntityItem && !st.Copy && st.Kept.Stream {
			out = append(out, st.Attribute)
		}
	}
	return out
}

// elsewhere reports whether an aggregate item keeps the attribute instead of the entity's own item.
func (c *compiler) elsewhere(k *Kind, a *spec.Attribute) bool {
	if a.Derived == nil || a.Derived.Func == "" {
		return false
	}
	for _, t := range c.m.Tables {
		for _, it := range t.Items {
			if it.Holds.Aggregate == k.Entity.Name+"."+a.Name {
				return true
			}
		}
	}
	return false
}

// path parses and resolves a path that must lead to an attribute.
func (c *compiler) path(place []string, e *spec.Entity, text string) (target, error) {
	p, err := spec.ParsePath(text)
	if err == nil {
		var tg target
		if tg, err = resolvePath(e, p); err == nil {
			switch {
			case tg.attribute() == nil:
				err = fmt.Errorf("%s is a way to another entity, not an attribute", text)
			case slices.ContainsFunc(tg.segs, func(s spec.Segment) bool { return s.Attribute != nil && s.Attribute.Last() }):
				err = fmt.Errorf("%s is what the newest of some children has, and lies in no item", text)
			default:
				return tg, nil
			}
		}
	}
	c.failed(place, err)
	return target{}, err
}

// failed reports an error of the language with its remedy. One without text follows from what is reported already.
func (c *compiler) failed(place []string, err error) {
	if e, ok := err.(*spec.Error); ok {
		if e.Message == "" {
			return
		}
		c.errorf(place, CodeSyntax, e.Remedy, "%s", e.Message)
		return
	}
	c.errorf(place, CodeSyntax, "", "%s", err)
}

func (c *compiler) embeds(k *Kind) {
	for _, way := range sortedKeys(k.Document.Embed) {
		d, path := k.Document.Embed[way], at(k.Path, "embed", way)
		if k.Role != EntityItem && k.Role != CopyItem {
			c.errorf(path, CodeEmbed, "children lie inside the item that holds their parent", "%s holds no entity", k.Name)
			continue
		}
		w := k.Entity.WayBack(way)
		if w == nil {
			var names []string
			for _, b := range k.Entity.Back {
				names = append(names, b.Inverse)
			}
			c.errorf(path, CodeUnknown, meant(way, names), "%s has no way back %s", k.Entity.Name, way)
			continue
		}
		m := &Embedding{Kind: k, Way: w, Child: w.From, Attribute: d.Attribute, As: d.As}
		if m.Attribute == "" {
			m.Attribute = way
		}
		switch d.As {
		case "map":
			if m.By = m.Child.Attribute(d.By); m.By == nil {
				c.errorf(at(path, "by"), CodeEmbed, meant(d.By, attributeNames(m.Child)), "a map of %s needs `by`: one of their attributes", way)
				continue
			}
			if m.By.Type != spec.String && m.By.Type != spec.Number && m.By.Type != spec.Date && m.By.Type != spec.Timestamp {
				c.errorf(at(path, "by"), CodeEmbed, "keys of a map are text, and numbers can be written as such", "%s.%s is a %s", m.Child.Name, m.By.Name, m.By.Type)
				continue
			}
			if !m.identifies() {
				c.errorf(at(path, "by"), CodeEmbed, "two children with one key would overwrite each other", "%s alone does not tell the %s of one %s apart", m.By.Name, way, k.Entity.Name)
			}
		case "list":
		case "value":
			if !w.PerParent.Stated || w.PerParent.Max > 1 {
				c.errorf(at(path, "as"), CodeEmbed, "use `as: map` or `as: list`", "a %s can have several %s", k.Entity.Name, way)
			}
		default:
			c.errorf(at(path, "as"), CodeEmbed, "write map, list or value", "%s is embedded as %q", way, d.As)
			continue
		}
		if k.stored(m.Attribute) != nil {
			c.errorf(at(path, "attribute"), CodeDuplicate, "name another attribute", "%s stores an attribute %s already", k.Name, m.Attribute)
			continue
		}
		for _, a := range m.Child.Attributes {
			if m.told(a) {
				continue
			}
			m.Stored = append(m.Stored, &Stored{Name: a.Name, Attribute: a, Path: spec.Path{a.Name}, target: own(a)})
		}
		k.Embeds = append(k.Embeds, m)
	}
}

// identifies reports whether By and the parent's identity are the child's identity.
func (m *Embedding) identifies() bool {
	for _, a := range m.Child.Identity {
		if a != m.By && !slices.Contains(m.Way.By, a) {
			return false
		}
	}
	return slices.Contains(m.Child.Identity, m.By)
}

// told reports whether an embedded child need not store the attribute: the parent, or the key in the map, tells it.
func (m *Embedding) told(a *spec.Attribute) bool {
	if a == m.By || slices.Contains(m.Way.By, a) {
		return true
	}
	return a.Derived != nil && a.Derived.Func == "" && len(a.Derived.Path) > 1 && a.Derived.Path[0] == m.Way.Name
}
