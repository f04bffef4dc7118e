package design

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// emitter writes configurations as a model, or parts of them as fragments of one.
type emitter struct {
	req     *spec.Requirements
	facts   *facts
	tables  map[*spec.Entity]string // names, by root
	indexes map[string]string       // index id → Table.Index
	parts   map[string]string       // part of an entity → the entity
	late    []string                // reading steps of a write that wait for its condition
	markers map[string]string       // item of a marker, or of what is counted → its table, where that has another name
}

// emission is the model of all components.
type emission struct {
	emitter
	names   *namer
	model   *plan.Model
	configs []*config
}

// emit makes the model of the chosen configurations.
func emit(f *facts, found []*solution) *emission {
	e := &emission{
		emitter: emitter{req: f.req, facts: f, tables: map[*spec.Entity]string{}, indexes: map[string]string{}, markers: map[string]string{}},
		names:   newNamer(f.req), model: &plan.Model{Application: f.req.Application.Name},
	}
	tables := map[*spec.Entity]plan.Table{}
	for _, s := range found {
		e.configs = append(e.configs, s.chosen)
		e.component(s.planner, s.chosen, tables)
	}
	for _, x := range f.req.Entities {
		if t, ok := tables[x]; ok {
			e.model.Tables = append(e.model.Tables, t)
		}
	}
	for _, p := range f.req.Patterns {
		e.model.Plans = append(e.model.Plans, e.plan(p))
	}
	return e
}

// component makes the tables of a configuration.
func (e *emission) component(p *planner, c *config, tables map[*spec.Entity]plan.Table) {
	l := c.layout
	for _, x := range p.c.entities {
		k := l.kinds[x]
		if k == nil {
			continue
		}
		if k.table == x {
			e.tables[x] = e.names.table(k)
		}
		for _, u := range k.markers() {
			name := k.option.markerName(u)
			if r := k.option.roster(u); r != nil && r.root != nil {
				continue // in the table of that
			} else if r == nil || r.sole {
				e.markers[name] = e.names.unused(plural(name))
			} else {
				e.markers[name] = e.names.unused(name)
			}
			e.model.Tables = append(e.model.Tables, e.marker(e.markers[name], k, u))
		}
		if o := k.option.aside; o != nil {
			for _, a := range o.attrs {
				name := asideName(a)
				if !strings.HasSuffix(name, "s") { // numbers are often named in the plural already
					name = plural(name)
				}
				e.markers[asideName(a)] = e.names.unused(name)
				e.model.Tables = append(e.model.Tables, e.aside(e.markers[asideName(a)], a, k.option))
			}
		}
		for _, a := range x.Attributes {
			if a.Sequence != nil {
				e.model.Tables = append(e.model.Tables, e.sequence(e.names.unused(plural(sequenceName(a))), x, a))
			}
		}
	}
	for _, x := range p.c.entities {
		k := l.kinds[x]
		if k == nil || k.table != x {
			continue
		}
		var on []chosenIndex
		for _, y := range c.indexes {
			if l.kinds[y.shape.entity].table == x {
				on = append(on, y)
			}
		}
		for i, name := range indexNames(k, on) {
			e.indexes[on[i].shape.id] = e.tables[x] + "." + name
		}
		tables[x] = e.table(l, k, c.figure, on)
	}
	stream := func(x *spec.Entity) {
		for l.kinds[x] == nil && l.options[x] != nil && l.options[x].within != nil { // it lies in its parent's item
			x = l.options[x].within.way.To
		}
		if k := l.kinds[x]; k != nil {
			t := tables[k.table]
			t.Stream = plan.NewAndOld
			tables[k.table] = t
		}
	}
	for _, x := range p.c.entities {
		if o := l.options[x]; o != nil && o.aside != nil {
			for _, a := range o.aside.attrs {
				if !o.aside.streamed(a) {
					continue
				}
				stream(x.WayBack(a.Derived.Path[0]).From)
				if len(p.facts.deleted[x]) > 0 { // its numbers go with it
					stream(x)
				}
			}
		}
		if o := l.options[x]; o != nil {
			for _, of := range o.countedBy() {
				stream(of)
			}
		}
		if g := c.figures[x]; g != nil {
			for _, r := range g.copies {
				if root := l.kinds[r.owner()]; root != nil && p.facts.streamed(r) {
					t := tables[root.table]
					t.Stream = plan.NewAndOld
					tables[root.table] = t
				}
				if p.facts.fills(r) || p.facts.rechecked(r) {
					stream(x)
				}
				if p.facts.streamed(r) {
					for _, t := range p.facts.turned(r) {
						stream(t.entity)
					}
				}
			}
		}
	}
}

// table describes the table of a root kind: its items, and indexes on these.
func (e *emitter) table(l *layout, root *kind, figureOf func(*spec.Entity) *figure, on []chosenIndex) plan.Table {
	t := plan.Table{Name: e.tables[root.entity], Attributes: map[string]plan.Type{}, Items: map[string]plan.Item{}}
	g := figureOf(root.entity)
	t.Key = plan.Key{Partition: g.partition.name, Sort: g.sort.name}
	declare(&t, g.partition)
	if g.sort.name != "" {
		declare(&t, g.sort)
	}
	for _, k := range l.neighbours(root) {
		x := k.entity
		t.Items[x.Name] = e.item(figureOf(x))
		if c := k.option.cut; c != nil {
			t.Items[c.name] = e.part(figureOf(x))
		}
		for _, y := range figureOf(x).indexes { // an attribute that is made for an index is written by all models that have it
			partition, sort := indexColumns(k, y)
			for _, c := range slices.Concat(partition, sort) {
				if c.wire != "" {
					declare(&t, c)
				}
			}
		}
		if x.Expires != nil || x.Kept != nil {
			t.TTL = ttlName(x)
			t.Attributes[t.TTL] = plan.N
		}
		if slices.Contains(e.req.Application.Streams, x) {
			t.Stream = plan.NewAndOld
		}
		for _, y := range k.guests {
			it := e.guest(g, y.of, y.roster)
			if t.Items[it.Name] = it; len(it.Set) > 0 {
				t.TTL = ttlName(x)
				t.Attributes[t.TTL] = plan.N
			}
		}
	}
	for _, y := range on {
		e.index(&t, figureOf(y.shape.entity), y)
	}
	return t
}

// declare types a wire attribute of a key.
func declare(t *plan.Table, c column) { t.Attributes[c.name] = wireType(c) }

func wireType(c column) plan.Type {
	if c.wire != "" {
		return c.wire
	}
	if c.ref.attr == nil {
		return plan.S
	}
	switch c.ref.attr.Type {
	case spec.Number:
		return plan.N
	case spec.Binary:
		return plan.B
	}
	return plan.S
}

// ttlName is the attribute that time to live looks at.
func ttlName(x *spec.Entity) string { return unusedName(x, "ttl") }

// item describes what lies in a table under one kind of key.
func (e *emitter) item(g *figure) plan.Item {
	x, own := g.kind.entity, g.kind.option.own
	it := plan.Item{Name: x.Name, Key: map[string]string{}, Set: map[string]plan.Template{}, Copies: map[string]plan.Copy{}, Embed: map[string]plan.Embed{}}
	switch {
	case own.shards > 1:
		it.Key[g.partition.name] = templateBeside(refParts(own.partition)) + "#{shard}"
		it.Shard = &plan.Shard{Of: own.shards, By: own.by.Name}
	case g.partition.ref.attr == nil:
		it.Key[g.partition.name] = template(refParts(own.partition))
	default:
		e.copied(&it, g.partition)
	}
	switch {
	case g.kind.mixed && len(own.sort) == 0:
		it.Key[g.sort.name] = g.kind.literal()
	case g.kind.mixed:
		it.Key[g.sort.name] = g.kind.literal() + "#" + templateBeside(own.sort)
	case g.sort.name != "" && g.sort.ref.attr == nil:
		it.Key[g.sort.name] = template(own.sort)
	case g.sort.name != "":
		e.copied(&it, g.sort)
	}
	for _, c := range g.stored {
		if c.ref.attr != nil {
			e.copied(&it, c)
		}
	}
	g.kind.option.follow(&it)
	it.Stamp = g.stamp
	all := true
	for _, a := range x.Attributes {
		if p := g.kind.option.pack; p != nil && a == p.by || a.Last() { // its name says it, or others have it
			continue
		}
		if _, copied := it.Copies[a.Name]; copied {
			all = false
		} else if slices.ContainsFunc(g.columns(), func(c column) bool { return c.name == a.Name }) {
			it.Stores = append(it.Stores, a.Name)
		} else {
			all = false
		}
	}
	if all {
		it.Stores = nil
	}
	for _, y := range g.indexes {
		partition, sort := indexColumns(g.kind, y)
		if y.composite() {
			it.Set[sort[0].name] = compositeTemplate(y)
		}
		if y.apart && !y.local && len(y.partition) > 0 {
			it.Set[partition[0].name] = plan.Template{Value: template(refParts(y.partition[:1]))}
		}
		for _, c := range slices.Concat(partition, sort) {
			if c.template.Value != "" {
				it.Set[c.name] = c.template
			}
		}
		if y.marked() {
			mark := plan.Template{Value: markValue}
			if y.sparse != nil {
				mark.When = y.sparse.String()
			}
			it.Set[markColumn(y).name] = mark
		}
		if y.shards > 1 {
			it.Set[shardColumn(y).name] = plan.Template{Value: "{shard}"}
			it.Shard = &plan.Shard{Of: y.shards, By: y.by.Name}
		}
	}
	e.facts.ends(&it, x, nil)
	if p := g.kind.option.pack; p != nil {
		p.packed(&it, x, g.sort.name)
	}
	for _, m := range g.kind.embeds {
		d := plan.Embed{Attribute: m.way.Inverse, As: m.as}
		if m.by != nil {
			d.By = m.by.Name
		}
		it.Embed[m.way.Inverse] = d
	}
	return it
}

// ends lets an item end with its entity.
func (f *facts) ends(it *plan.Item, x *spec.Entity, while spec.Condition) {
	if x.Expires != nil && !f.without(x, x.Expires, while) {
		it.Set[ttlName(x)] = plan.Template{Value: "{" + x.Expires.Name + ":epoch-s}"}
	}
	if x.Kept != nil && !f.without(x, x.Kept, while) {
		it.Set[ttlName(x)] = plan.Template{Value: "{" + x.Kept.Name + ":epoch-s:plus " + spec.FormatDuration(x.Retention) + "}"}
	}
}

// part describes what lies beside the items of an entity, under the same partition key.
func (e *emitter) part(g *figure) plan.Item {
	x, own, c := g.kind.entity, g.kind.option.own, g.kind.option.cut
	it := plan.Item{Name: c.name, Holds: plan.Holds{Entity: x.Name}, Key: map[string]string{g.sort.name: c.literal()}}
	if g.partition.ref.attr == nil {
		it.Key[g.partition.name] = template(refParts(own.partition))
	} else {
		it.Stores = append(it.Stores, g.partition.ref.attr.Name)
	}
	for _, a := range c.attrs {
		it.Stores = append(it.Stores, a.Name)
	}
	if x.Kept != nil {
		it.Set = map[string]plan.Template{}
		e.facts.ends(&it, x, nil)
	}
	return it
}

// patternsOf are the patterns of some touches, each once.
func patternsOf(ts []*touch) []string {
	var out []string
	for _, t := range ts {
		out = appendNew(out, t.pattern.Name)
	}
	return out
}

// templateBeside writes the parts of a key beside a literal or shard.
func templateBeside(parts []keyPart) string {
	if len(parts) == 1 && !parts[0].inverted { // not alone
		p := parts[0]
		return "{" + p.ref.key() + p.codec(false) + "}"
	}
	return template(parts)
}

// copied notes that a column holds a value from elsewhere. What never changes need not be kept, but for what the
// consumer of the stream fills in.
func (e *emitter) copied(it *plan.Item, c column) {
	if !c.ref.local() && !(e.facts.fixed(c.ref) && c.ref.alias != nil && !e.facts.streamed(c.ref)) {
		it.Copies[c.name] = plan.Copy{From: c.ref.path().String(), Kept: e.facts.kept(c.ref)}
	}
}

// columns are the key columns and the stored ones.
func (g *figure) columns() []column { return append([]column{g.partition, g.sort}, g.stored...) }

// index describes an index of a table.
func (e *emitter) index(t *plan.Table, g *figure, y chosenIndex) {
	x := y.shape
	var d plan.Index
	_, name, _ := strings.Cut(e.indexes[x.id], ".")
	partition, sort := indexColumns(g.kind, x)
	for _, c := range partition {
		if !x.local { // that of a local index is the table's, which may hold several values in one
			d.Partition = append(d.Partition, keyAttribute(t, c))
		}
	}
	for _, c := range sort {
		d.Sort = append(d.Sort, keyAttribute(t, c))
	}
	switch {
	case y.project.all:
		d.Project = plan.All
	case len(y.project.include) == 0:
		d.Project = plan.Keys
	default:
		d.Project = "include"
		for _, c := range g.stored {
			if slices.Contains(y.project.include, c.key) {
				d.Include = append(d.Include, c.name)
			}
		}
	}
	if x.local {
		if t.LSI == nil {
			t.LSI = map[string]plan.Index{}
		}
		t.LSI[name] = d
		return
	}
	if t.GSI == nil {
		t.GSI = map[string]plan.Index{}
	}
	t.GSI[name] = d
}

func keyAttribute(t *plan.Table, c column) string {
	declare(t, c)
	return c.name
}

// uniqueOf is what is said of attributes that are unique; nil if they are not: they make up the identity.
func uniqueOf(e *spec.Entity, set []*spec.Attribute) *spec.Unique {
	i := slices.IndexFunc(e.Unique, func(u spec.Unique) bool { return slices.Equal(u.Of, set) })
	if i < 0 {
		return nil
	}
	return &e.Unique[i]
}

// marker makes the table of a unique marker: whose value it is, and where that lies.
func (e *emitter) marker(table string, k *kind, u []*spec.Attribute) plan.Table {
	x := k.entity
	name := k.option.markerName(u)
	t := plan.Table{Name: table, Attributes: map[string]plan.Type{}, Items: map[string]plan.Item{}}
	it := plan.Item{Name: name, Holds: plan.Holds{Unique: x.Name + "." + joinNames(u)}, Key: map[string]string{}}
	r := k.option.roster(u)
	if r != nil && !r.sole {
		return r.table(e.facts, t, it)
	}
	of := uniqueOf(x, u)
	if of != nil && !of.Always() {
		it.Holds.While = of.While.String()
	}
	key := compositeName(&kind{entity: x}, refsOf(x, u))
	if len(u) == 1 {
		key = u[0].Name
	}
	t.Key.Partition = key
	t.Attributes[key] = plan.S
	it.Key[key] = template(refParts(refsOf(x, u)))
	if len(u) == 1 && u[0].Type == spec.Number {
		t.Attributes[key] = plan.N
	}
	told, pointer := k.told(), slices.Equal(u, x.Identity)
	for _, r := range told {
		it.Stores = append(it.Stores, r.attr.Name)
	}
	if len(told) > 0 && !pointer {
		for _, r := range identityRefs(x) {
			it.Stores = append(it.Stores, r.attr.Name)
		}
	}
	if r != nil {
		for _, a := range x.Attributes {
			if slices.Contains(r.stores, a) {
				it.Stores = append(it.Stores, a.Name)
			}
		}
	}
	if pointer && len(told) > 0 || of != nil && of.Outlives {
		it.Set = map[string]plan.Template{}
		if e.facts.ends(&it, x, nil); len(it.Set) > 0 {
			t.TTL = ttlName(x)
			t.Attributes[t.TTL] = plan.N
		}
	}
	t.Items[name] = it
	return t
}

// aside makes the table of what is counted of an entity.
func (e *emitter) aside(table string, a *spec.Attribute, of *option) plan.Table {
	o := of.aside
	shards := o.shards
	name, id := asideName(a), refParts(identityRefs(a.Entity))
	t := plan.Table{Name: table, Attributes: map[string]plan.Type{}, Items: map[string]plan.Item{}}
	it := plan.Item{Name: name, Holds: plan.Holds{Aggregate: a.Entity.Name + "." + a.Name}, Key: map[string]string{}}
	if o.streamed(a) {
		it.Kept = &plan.Kept{Stream: true, Within: spec.FormatDuration(a.Derived.Within)}
	}
	key, kind := column{ref: id[0].ref}, &kind{entity: a.Entity}
	partition, sort, together := of.together()
	switch {
	case together:
		column := func(rs []ref) string {
			key := column{ref: rs[0], name: rs[0].attr.Name}
			if len(rs) > 1 {
				key = column{name: compositeName(kind, rs)}
			}
			it.Key[key.name] = template(refParts(rs))
			declare(&t, key)
			return key.name
		}
		t.Key.Partition, t.Key.Sort = column(partition), column(sort)
		t.Items[name] = it
		return t
	case shards > 1:
		key = column{name: compositeName(kind, partRefs(id), "shard")}
		it.Key[key.name] = templateBeside(id) + "#{shard}"
		it.Shard = &plan.Shard{Of: shards, By: "random"}
	case len(id) > 1:
		key = column{name: compositeName(kind, partRefs(id))}
		it.Key[key.name] = template(id)
	default:
		key.name = id[0].ref.attr.Name
		it.Key[key.name] = template(id)
	}
	t.Key.Partition = key.name
	declare(&t, key)
	t.Items[name] = it
	return t
}

// sequence makes the table of a sequence: the last number given.
func (e *emitter) sequence(table string, x *spec.Entity, a *spec.Attribute) plan.Table {
	name := sequenceName(a)
	t := plan.Table{Name: table, Attributes: map[string]plan.Type{a.Sequence.Name: wireType(column{ref: ref{from: x, attr: a.Sequence}})}, Items: map[string]plan.Item{}}
	t.Key.Partition = a.Sequence.Name
	t.Items[name] = plan.Item{
		Name: name, Holds: plan.Holds{Sequence: x.Name + "." + a.Name},
		Key: map[string]string{a.Sequence.Name: template([]keyPart{{ref: ref{from: x, attr: a.Sequence}}})},
	}
	return t
}

func refsOf(x *spec.Entity, as []*spec.Attribute) []ref {
	rs := make([]ref, len(as))
	for i, a := range as {
		rs[i] = ref{from: x, attr: a}
	}
	return rs
}

func joinNames(as []*spec.Attribute) string {
	s := ""
	for i, a := range as {
		if i > 0 {
			s += "+"
		}
		s += a.Name
	}
	return s
}

// stepName gives a step of a plan a name that neither a parameter nor another step has.
func stepName(p *spec.Pattern, base string, taken func(string) bool) string {
	name := base
	for i := 2; p.Parameter(name) != nil || taken(name) || name == "each"; i++ {
		name = base + strconv.Itoa(i)
	}
	return name
}
