package plan

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/near"
	"github.com/tablewright/tablewright/spec"
)

// compiler resolves one model.
type compiler struct {
	m        *Model
	r        *spec.Requirements
	prog     *Program
	problems []Problem
}

func (c *compiler) report(s Severity, path []string, code, remedy, format string, args ...any) {
	c.problems = append(c.problems, Problem{
		Severity: s, Code: code, Path: slices.Clone(path), Remedy: remedy,
		Message: article.ReplaceAllString(fmt.Sprintf(format, args...), "${1}an $2"),
	})
}

// article finds where a message says "a" before the name of an entity that begins with a vowel.
var article = regexp.MustCompile(`(^|\s)a ([AEIOU][a-z])`)

func (c *compiler) errorf(path []string, code, remedy, format string, args ...any) {
	c.report(Error, path, code, remedy, format, args...)
}

func (c *compiler) warnf(path []string, code, remedy, format string, args ...any) {
	c.report(Warning, path, code, remedy, format, args...)
}

// at extends a document path.
func at(path []string, keys ...string) []string {
	return append(slices.Clone(path), keys...)
}

// meant suggests a name for one that does not exist.
func meant(name string, candidates []string) string {
	if n := near.Name(name, candidates); n != "" {
		return "did you mean " + n + "?"
	}
	if len(candidates) > 0 && len(candidates) <= 12 {
		return "there is " + strings.Join(candidates, ", ")
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// tables resolves all tables with their indexes, then all items.
func (c *compiler) tables() {
	for i := range c.m.Tables {
		c.table(&c.m.Tables[i])
	}
	// Copies after what they copy: an item may name one of another table.
	for _, copies := range []bool{false, true} {
		for _, t := range c.prog.Tables {
			for _, name := range sortedKeys(t.Document.Items) {
				if it := t.Document.Items[name]; (it.Holds.CopyOf != "") == copies {
					c.item(t, name, it)
				}
			}
		}
	}
	for _, t := range c.prog.Tables {
		slices.SortFunc(t.Kinds, func(a, b *Kind) int { return strings.Compare(a.Name, b.Name) })
	}
}

func (c *compiler) table(d *Table) {
	path := []string{"tables", d.Name}
	if c.prog.Table(d.Name) != nil {
		c.errorf(path, CodeDuplicate, "give each table one name", "two tables are called %s", d.Name)
		return
	}
	t := &Schema{Name: d.Name, Document: d, TTL: d.TTL}
	for _, name := range sortedKeys(d.Attributes) {
		if ty := d.Attributes[name]; ty != S && ty != N && ty != B {
			c.errorf(at(path, "attributes", name), CodeType, "write S, N or B", "%s.%s is %q", d.Name, name, ty)
		}
		t.Attributes = append(t.Attributes, Wire{name, d.Attributes[name]})
	}
	wires := func(path []string, names ...string) []Wire {
		var out []Wire
		for _, n := range names {
			ty, ok := d.Attributes[n]
			if !ok {
				c.errorf(path, CodeUnknown, "declare it under attributes: {"+n+": S}", "%s has no wire attribute %s", d.Name, n)
				ty = S
			}
			out = append(out, Wire{n, ty})
		}
		return out
	}
	var sort []string
	if d.Key.Sort != "" {
		sort = []string{d.Key.Sort}
	}
	t.Base = &Access{Table: t, Project: All, Partition: wires(at(path, "key", "partition"), d.Key.Partition), Sort: wires(at(path, "key", "sort"), sort...)}
	for _, name := range sortedKeys(d.GSI) {
		x, p := d.GSI[name], at(path, "gsi", name)
		t.Indexes = append(t.Indexes, &Access{Table: t, Index: name, Project: projection(x), Include: x.Include,
			Partition: wires(at(p, "partition"), x.Partition...), Sort: wires(at(p, "sort"), x.Sort...)})
	}
	for _, name := range sortedKeys(d.LSI) {
		x, p := d.LSI[name], at(path, "lsi", name)
		t.Indexes = append(t.Indexes, &Access{Table: t, Index: name, Local: true, Project: projection(x), Include: x.Include,
			Partition: t.Base.Partition, Sort: wires(at(p, "sort"), x.Sort...)})
	}
	if d.TTL != "" {
		if w := wires(at(path, "ttl"), d.TTL)[0]; w.Type != N {
			c.errorf(at(path, "ttl"), CodeType, "declare it as N and set it with codec epoch-s", "time to live needs an N attribute, and %s.%s is %s", d.Name, d.TTL, w.Type)
		}
	}
	c.prog.Tables = append(c.prog.Tables, t)
}

func projection(x Index) string {
	if x.Project == "" {
		return All
	}
	return x.Project
}

// item resolves one item of a table. It is left out of the program if its entity or key is not to be found.
func (c *compiler) item(t *Schema, name string, d Item) {
	path := []string{"tables", t.Name, "items", name}
	if c.prog.kinds[name] != nil {
		c.errorf(path, CodeDuplicate, "names of items are unique in the model", "two items are called %s", name)
		return
	}
	k := &Kind{Name: name, Table: t, Document: d, Path: path}
	if !c.holds(k) {
		return
	}
	before := len(c.problems)
	c.shard(k)
	c.stored(k)
	c.embeds(k)
	c.recipes(k)
	broken := false
	for _, p := range c.problems[before:] {
		broken = broken || p.Severity == Error
	}
	k.index()
	if broken && !k.keyed() {
		return // nothing can be written or found without a key
	}
	c.prog.kinds[name] = k
	t.Kinds = append(t.Kinds, k)
}

// kind finds a kind by the name of its item. One that is there but could not be resolved is reported already.
func (c *compiler) kind(place []string, name string) *Kind {
	k := c.prog.kinds[name]
	if k != nil {
		return k
	}
	for _, t := range c.m.Tables {
		if _, ok := t.Items[name]; ok {
			return nil
		}
	}
	c.errorf(place, CodeUnknown, meant(name, sortedKeys(c.prog.kinds)), "there is no item %s", name)
	return nil
}

// keyed reports whether every attribute of the table's key can be built.
func (k *Kind) keyed() bool {
	for _, w := range k.Table.Base.keys() {
		if k.recipe(w.Name) == nil {
			return false
		}
	}
	return true
}

// keys are the attributes of the key, partition before sort.
func (a *Access) keys() []Wire { return append(slices.Clone(a.Partition), a.Sort...) }

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
	}
	return true
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
			if !c.elsewhere(k, a) {
				names = append(names, a.Name)
			}
		}
	}
	for i, n := range names {
		a := k.Entity.Attribute(n)
		if a == nil {
			c.errorf(at(k.Path, "stores", strconv.Itoa(i)), CodeUnknown, meant(n, attributeNames(k.Entity)), "%s has no attribute %s", k.Entity.Name, n)
			continue
		}
		if k.stored(n) != nil {
			c.errorf(at(k.Path, "stores", strconv.Itoa(i)), CodeDuplicate, "", "%s stores %s twice", k.Name, n)
			continue
		}
		k.Stored = append(k.Stored, &Stored{Name: n, Attribute: a, Path: spec.Path{n}})
	}
	for _, n := range sortedKeys(k.Document.Copies) {
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
		k.Stored = append(k.Stored, &Stored{Name: n, Attribute: tg.attribute(), Path: tg.path, Copy: true, Kept: d.Kept, target: tg})
	}
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
			if tg.attribute() == nil {
				err = fmt.Errorf("%s is a way to another entity, not an attribute", text)
			} else {
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
			if m.By.Type != spec.String && m.By.Type != spec.Date && m.By.Type != spec.Timestamp {
				c.errorf(at(path, "by"), CodeEmbed, "keys of a map are text", "%s.%s is a %s", m.Child.Name, m.By.Name, m.By.Type)
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

// recipes resolves templates, and the stored attributes that keys name.
func (c *compiler) recipes(k *Kind) {
	t := k.Table
	base := map[string]bool{}
	for _, w := range t.Base.keys() {
		base[w.Name] = true
	}
	for _, n := range sortedKeys(k.Document.Key) {
		path := at(k.Path, "key", n)
		if !base[n] {
			c.errorf(path, CodeKey, "other attributes belong under set", "%s is not part of the key of %s", n, t.Name)
			continue
		}
		c.recipe(k, path, n, Template{Value: k.Document.Key[n]}, true)
	}
	for _, n := range sortedKeys(k.Document.Set) {
		path := at(k.Path, "set", n)
		if base[n] {
			c.errorf(path, CodeKey, "attributes of the table's key belong under key", "%s sets %s, which is part of the key", k.Name, n)
			continue
		}
		c.recipe(k, path, n, k.Document.Set[n], false)
	}
	for _, w := range t.Attributes { // stored attributes that keys and indexes name
		s := k.stored(w.Name)
		if s == nil || k.recipe(w.Name) != nil {
			continue
		}
		if kindOf(s.Attribute) != w.Type {
			if t.names(w.Name) {
				c.errorf(k.Path, CodeType, "give the wire attribute another name and a template", "%s stores %s, a %s, and %s declares %s as %s", k.Name, w.Name, s.Attribute.Type, t.Name, w.Name, w.Type)
			}
			continue
		}
		cd, err := nativeCodec(s.Attribute, w.Type)
		if err != nil {
			c.errorf(k.Path, CodeType, "", "%s: %s", k.Name, err)
			continue
		}
		tg := s.where()
		k.Recipes = append(k.Recipes, &Recipe{
			Wire: w, Text: "{" + w.Name + "}", Literals: []string{"", ""}, Key: base[w.Name], Native: true,
			Parts: []*Part{{Path: tg.path, Attribute: s.Attribute, target: tg, codec: cd}},
		})
	}
	for _, w := range t.Base.keys() {
		if k.recipe(w.Name) == nil {
			c.errorf(at(k.Path, "key"), CodeKey, fmt.Sprintf("add a template under key: {%s: …}", w.Name), "%s has no %s, which is part of the key of %s", k.Name, w.Name, t.Name)
		}
	}
	slices.SortFunc(k.Recipes, func(a, b *Recipe) int {
		if a.Key != b.Key {
			if a.Key {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Wire.Name, b.Wire.Name)
	})
}

// names reports whether a key, an index or time to live names the wire attribute.
func (t *Schema) names(wire string) bool {
	for _, a := range append([]*Access{t.Base}, t.Indexes...) {
		for _, w := range a.keys() {
			if w.Name == wire {
				return true
			}
		}
	}
	return t.TTL == wire
}

// nativeCodec is the codec of an attribute that is written as it is stored.
func nativeCodec(a *spec.Attribute, wire Type) (*codec, error) {
	if a.Type == spec.Timestamp && wire == S {
		return newCodec(a, []string{"iso"}, wire, true, 0)
	}
	return newCodec(a, nil, wire, true, 0)
}

// where is the path a stored attribute's value comes from.
func (s *Stored) where() target {
	if s.Copy || len(s.target.segs) > 0 {
		return s.target
	}
	return own(s.Attribute)
}

// recipe resolves one template.
func (c *compiler) recipe(k *Kind, path []string, name string, d Template, key bool) {
	text, err := parseTemplate(d.Value)
	if err != nil {
		c.errorf(path, CodeTemplate, "text with parts {path:codec}", "%s: %s", d.Value, err)
		return
	}
	r := &Recipe{Wire: Wire{Name: name, Type: S}, Text: d.Value, Literals: text.literals, WhenText: d.When, Key: key}
	alone := len(text.parts) == 1 && text.literals[0] == "" && text.literals[1] == ""
	if ty, ok := k.Table.Document.Attributes[name]; ok {
		r.Wire.Type = ty
	} else if alone && len(text.parts[0].codecs) == 1 && strings.HasPrefix(text.parts[0].codecs[0], "epoch-") {
		r.Wire.Type = N
	}
	ok := true
	for _, p := range text.parts {
		part := &Part{Codecs: p.codecs}
		if len(p.path) == 1 && p.path[0] == "shard" && k.Entity.Attribute("shard") == nil {
			if k.Shards == 0 {
				c.errorf(path, CodeShard, "add shard: {of: …, by: …} to the item", "%s uses {shard}, and %s is not divided", d.Value, k.Name)
				ok = false
				continue
			}
		} else {
			if part.target, err = c.path(path, k.Entity, p.path.String()); err != nil {
				ok = false
				continue
			}
			if !part.target.toOne() {
				c.errorf(path, CodePath, "a template follows ways there", "{%s} in %s leads to several values", p.path, d.Value)
				ok = false
				continue
			}
			part.Path, part.Attribute = part.target.path, part.target.attribute()
		}
		if part.codec, err = newCodec(part.Attribute, p.codecs, r.Wire.Type, alone, k.Shards); err != nil {
			c.errorf(path, CodeCodec, "", "%s: %s", d.Value, err)
			ok = false
			continue
		}
		r.Parts = append(r.Parts, part)
	}
	if !ok || !c.separable(path, r) {
		return
	}
	if len(r.Parts) == 0 && r.Wire.Type == N {
		if _, err := attr.ParseNumber(d.Value); err != nil {
			c.errorf(path, CodeType, "write a number", "%s is an N attribute, and %q is no number", name, d.Value)
			return
		}
	}
	if d.When != "" {
		if r.When, err = c.condition(at(path, "when"), k.Entity, nil, d.When); err != nil {
			return
		}
		for t := range spec.Tests(r.When) {
			tg, err := resolvePath(k.Entity, t.Path)
			if err != nil || len(t.Path) == 0 {
				c.errorf(at(path, "when"), CodeSyntax, "test attributes", "%s tests the item itself", d.When)
				return
			}
			r.when = append(r.when, tg)
			for _, a := range t.Args {
				for _, p := range itemPaths(a) {
					if tg, err := resolvePath(k.Entity, p); err == nil {
						r.when = append(r.when, tg)
					}
				}
			}
		}
	}
	if s := k.stored(name); s != nil { // the template and the stored attribute are one and must agree
		same := alone && r.When == nil && s.where().id == r.Parts[0].target.id && r.Wire.Type == kindOf(s.Attribute) &&
			r.Parts[0].codec.readable && !slices.ContainsFunc(r.Parts[0].Codecs, func(n string) bool { return n != "iso" && n != "raw" })
		if !same {
			c.errorf(path, CodeDuplicate, "rename the wire attribute, or leave the attribute out with stores", "%s stores its attribute %s under the name that %s is written to", k.Name, name, d.Value)
			return
		}
		r.Native = true
	}
	k.Recipes = append(k.Recipes, r)
}

// separable checks that the parts of a text can be told apart again: what follows a part of varying length begins with
// a byte that the part cannot hold.
func (c *compiler) separable(path []string, r *Recipe) bool {
	for i, p := range r.Parts {
		last := i == len(r.Parts)-1 && r.Literals[i+1] == ""
		if last || p.codec.wire != S || p.codec.width > 0 {
			continue
		}
		if r.Literals[i+1] == "" || r.Literals[i+1][0] >= '$' {
			c.errorf(path, CodeTemplate, "put # behind it", "%s: the text behind {%s} must begin with a byte below $, else values run into each other and sort wrongly", r.Text, p.Path)
			return false
		}
	}
	return true
}

// condition parses and resolves a condition on an entity.
func (c *compiler) condition(place []string, e *spec.Entity, params scopeOf, text string) (spec.Condition, error) {
	cond, err := spec.ParseCondition(text)
	if err == nil {
		cond, err = resolveCondition(e, params, cond)
	}
	if err != nil {
		c.failed(place, err)
		return nil, err
	}
	return cond, nil
}
