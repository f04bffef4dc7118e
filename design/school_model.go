package design

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// The attributes of a table that holds all kinds of items.
const (
	partitionWire = "PK"
	sortWire      = "SK"
)

// model writes the model as it stands.
func (s *overload) model() *plan.Model {
	m := &plan.Model{Application: s.from.Application, Decisions: s.from.Decisions}
	s.place()
	groups := s.groups()
	tables := map[*joining]string{} // where each lies now
	names := map[string]string{}    // Table or Table.Index → the same now
	taken := map[string]bool{}
	for _, j := range s.tables {
		if j.apart != "" {
			taken[j.was.Name] = true
		}
	}
	for _, g := range groups {
		name := s.tableName(g, taken)
		taken[name] = true
		m.Tables = append(m.Tables, s.table(name, g))
		for _, j := range g {
			tables[j] = name
			names[j.was.Name] = name
		}
	}
	for _, o := range s.indexes {
		if name := tables[o.of]; name != "" {
			names[o.was.Name()] = name + "." + indexNumbered(o.number)
		}
	}
	for _, j := range s.tables {
		if j.apart != "" {
			m.Tables = append(m.Tables, *j.was.Document)
		}
	}
	for _, p := range s.from.Plans {
		d := p
		d.Steps = map[string]plan.Step{}
		for name, step := range p.Steps {
			s.read(p.Name, &step, names)
			d.Steps[name] = step
		}
		m.Plans = append(m.Plans, d)
	}
	return m
}

// groups are the tables that join, those of one setting together, in the order of the model before.
func (s *overload) groups() (out [][]*joining) {
	at := map[string]int{}
	for _, j := range s.tables {
		if j.apart != "" {
			continue
		}
		i, ok := at[j.group]
		if !ok {
			i = len(out)
			at[j.group] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], j)
	}
	return out
}

// tableName is the application's name, with what tells its tables apart where there are several.
func (s *overload) tableName(g []*joining, taken map[string]bool) string {
	var words []string
	for _, w := range strings.FieldsFunc(s.from.Application+" "+g[0].group, func(r rune) bool { return strings.ContainsRune("-_. ", r) }) {
		words = append(words, upperFirst(w))
	}
	name := plain(strings.Join(words, ""))
	for base, i := name, 2; len(name) < 3 || taken[name]; i++ {
		name = fmt.Sprintf("%sTable", base)
		if i > 2 {
			name += fmt.Sprint(i)
		}
	}
	return name
}

// indexNumbered is the name of an index that has another meaning for each kind.
func indexNumbered(n int) string { return fmt.Sprintf("GSI%d", n) }

// table writes the table that tables join into.
func (s *overload) table(name string, g []*joining) plan.Table {
	t := plan.Table{Name: name, Attributes: map[string]plan.Type{}, GSI: map[string]plan.Index{}, Items: map[string]plan.Item{}}
	w := s.wires(g)
	t.Key = plan.Key{Partition: w.partition, Sort: w.sort}
	t.Attributes[w.partition], t.Attributes[w.sort] = plan.S, plan.S
	for _, j := range g {
		d := j.was.Document
		t.Class = d.Class
		t.Billing = plan.Billing{Read: t.Billing.Read + d.Billing.Read, Write: t.Billing.Write + d.Billing.Write}
		if d.Stream != "" {
			t.Stream = plan.NewAndOld
		}
		if d.TTL != "" {
			t.TTL = w.ends
			t.Attributes[w.ends] = plan.N
		}
		for _, k := range j.was.Kinds {
			t.Items[k.Name] = s.item(j, k, w)
		}
	}
	dropped := map[string]bool{}
	for _, j := range g {
		for _, k := range j.was.Kinds {
			for _, st := range k.Stored {
				dropped[st.Name] = true
			}
		}
	}
	for _, it := range t.Items { // what an item still stores is projected as before
		for _, n := range it.Stores {
			delete(dropped, n)
		}
		for n := range it.Copies {
			delete(dropped, n)
		}
		if it.Stores == nil {
			for _, st := range s.was.Kind(it.Name).Stored {
				delete(dropped, st.Name)
			}
		}
	}
	for _, o := range s.indexes {
		if !slices.Contains(g, o.of) {
			continue
		}
		n := indexNumbered(o.number)
		x, there := t.GSI[n]
		if !there {
			x.Partition, x.Sort = s.columns(o, w)
			x.Project = plan.Keys
			for i, c := range slices.Concat(x.Partition, x.Sort) {
				t.Attributes[c] = plan.S
				if o.bare || o.native && i > 0 {
					t.Attributes[c] = slices.Concat(o.was.Partition, o.was.Sort)[i].Type
				}
			}
		}
		x.Include = merged(x.Include, slices.DeleteFunc(slices.Clone(o.was.Include), func(n string) bool { return dropped[n] }))
		switch {
		case x.Project == plan.All, o.was.Project == plan.All, o.all:
			x.Project = plan.All
		case len(x.Include) > 0:
			x.Project = plan.Include
		}
		t.GSI[n] = x
	}
	for n, x := range t.GSI {
		if x.Project == plan.All {
			x.Include = nil
		}
		t.GSI[n] = x
	}
	s.fewerIncluded(&t)
	return t
}

// mostIncluded is how many attributes all indexes of a table may name together (Constraints).
const mostIncluded = 100

// fewerIncluded projects everything where indexes would name more attributes than DynamoDB allows, the longest list
// first.
func (s *overload) fewerIncluded(t *plan.Table) {
	for {
		all, longest := 0, ""
		for _, n := range slices.Sorted(maps.Keys(t.GSI)) {
			all += len(t.GSI[n].Include)
			if longest == "" || len(t.GSI[n].Include) > len(t.GSI[longest].Include) {
				longest = n
			}
		}
		if all <= mostIncluded {
			return
		}
		x := t.GSI[longest]
		x.Project, x.Include = plan.All, nil
		t.GSI[longest] = x
	}
}

// merged is a followed by what b has besides.
func merged(a, b []string) []string {
	a = slices.Clone(a)
	for _, n := range b {
		a = appendNew(a, n)
	}
	return a
}

// wires are the names of a table's attributes that no entity has.
type wires struct{ partition, sort, kind, ends, index string }

// wires chooses them so that no item stores something else under one of them.
func (s *overload) wires(g []*joining) wires {
	stored := map[string]bool{}
	for _, j := range g {
		for _, k := range j.was.Kinds {
			for _, st := range k.Stored {
				stored[st.Name] = true
			}
			for _, m := range k.Embeds {
				stored[m.Attribute] = true
			}
			for _, a := range k.Entity.Attributes {
				stored[a.Name] = true
			}
		}
	}
	free := func(names ...string) string {
		for _, n := range names {
			if !stored[n] {
				return n
			}
		}
		n := names[len(names)-1]
		for stored[n] {
			n += "_"
		}
		return n
	}
	w := wires{free(partitionWire), free(sortWire), free("type", "entityType", "itemType"), free("ttl", "expiresAt", "timeToLive"), "GSI"}
	for slices.ContainsFunc(slices.Collect(maps.Keys(stored)), func(n string) bool { return strings.HasPrefix(n, w.index) }) {
		w.index += "_"
	}
	return w
}

// columns are the attributes of the key of an index.
func (s *overload) columns(o *overlay, w wires) (partition, sort []string) {
	name := func(what string, i int) string {
		if i > 0 {
			return fmt.Sprintf("%s%d%s%d", w.index, o.number, what, i+1)
		}
		return fmt.Sprintf("%s%d%s", w.index, o.number, what)
	}
	if o.bare {
		for _, c := range o.was.Partition {
			partition = append(partition, c.Name)
		}
		for _, c := range o.was.Sort {
			sort = append(sort, c.Name)
		}
		return partition, sort
	}
	if !o.native {
		return []string{name(partitionWire, 0)}, []string{name(sortWire, 0)}
	}
	for i := range o.was.Partition {
		partition = append(partition, name(partitionWire, i))
	}
	for i := range o.was.Sort {
		sort = append(sort, name(sortWire, i))
	}
	return partition, sort
}

// item writes an item of the table before with the keys of the one that it joins.
func (s *overload) item(j *joining, k *plan.Kind, w wires) plan.Item {
	it := k.Document
	it.Name = k.Name
	it.Key = map[string]string{w.partition: s.partitionText(j, k), w.sort: s.sortText(j, k)}
	it.Set = map[string]plan.Template{w.kind: {Value: k.Name}}
	for name, t := range k.Document.Set {
		switch {
		case name == j.was.TTL:
			it.Set[w.ends] = t
		case !slices.ContainsFunc(j.was.Indexes, func(a *plan.Access) bool { return a.Global() && keyed(a, name) }):
			it.Set[name] = t
		}
	}
	for _, o := range s.indexes {
		if o.of == j && slices.Contains(o.kinds, k) {
			maps.Copy(it.Set, s.entries(o, k, w))
		}
	}
	s.lean(&it, k)
	return it
}

// keyed reports whether an attribute is part of the key of an index.
func keyed(a *plan.Access, name string) bool {
	return slices.ContainsFunc(slices.Concat(a.Partition, a.Sort), func(w plan.Wire) bool { return w.Name == name })
}

// lean leaves out what an item's keys tell, so that it is stored once.
func (s *overload) lean(it *plan.Item, k *plan.Kind) {
	if k.Role != plan.EntityItem {
		return
	}
	told := map[string]bool{} // paths
	if !s.full[k.Name] {
		for _, text := range it.Key {
			for _, p := range partsOf(text) {
				told[p] = true
			}
		}
	}
	inIndex := map[string]bool{}
	if !s.full[k.Name] {
		for _, t := range it.Set {
			if t.When == "" && t.Else == "" {
				for _, p := range partsOf(t.Value) {
					inIndex[p] = true
				}
			}
		}
	}
	bare := map[string]bool{}
	for _, o := range s.indexes {
		for _, c := range slices.Concat(o.was.Partition, o.was.Sort) {
			bare[c.Name] = bare[c.Name] || o.bare && slices.Contains(o.kinds, k)
		}
	}
	it.Stores = []string{}
	it.Copies = maps.Clone(k.Document.Copies)
	if k.Pack != nil { // of each of those that lie in it
		for _, st := range k.Pack.Stored {
			it.Stores = append(it.Stores, st.Name)
		}
		for _, a := range k.Pack.Within {
			it.Stores = append(it.Stores, a.Name)
		}
	}
	for _, st := range k.Stored {
		name := st.Path.String()
		switch {
		case st.Copy && !st.Kept.Snapshot && !st.Kept.Stream && len(st.Kept.By) == 0 && (told[name] || inIndex[name]) && !s.told[st.Name] && !bare[st.Name]:
			delete(it.Copies, st.Name)
		case st.Copy:
		case !told[name] || s.told[st.Name] || bare[st.Name]:
			it.Stores = append(it.Stores, st.Name)
		}
	}
}

// read writes where a step reads now, and what can fall into its range.
func (s *overload) read(pattern string, step *plan.Step, names map[string]string) {
	was := cmp.Or(step.Query, step.Scan)
	now := names[was]
	if now == "" {
		return
	}
	if step.Query != "" {
		step.Query = now
	} else {
		step.Scan = now
	}
	t := s.was.Table(was)
	if t == nil || len(step.Items) < 2 {
		return
	}
	// The kinds of a collection lie one behind the other by their literals, which may be in another order now: what
	// lay between those that are asked for may lie elsewhere, and something else between them.
	var all []string
	for _, k := range t.Kinds {
		all = append(all, k.Name)
	}
	slices.SortFunc(all, func(a, b string) int { return strings.Compare(s.literal[a], s.literal[b]) })
	asks := s.answered(pattern)
	asked := func(n string) bool {
		return n == step.Items[0] || slices.Contains(step.Items, n) && (len(asks) == 0 || slices.Contains(asks, s.was.Kind(n).Entity))
	}
	from := slices.IndexFunc(all, asked)
	to := len(all)
	for to > 0 && !asked(all[to-1]) {
		to--
	}
	items := step.Items[:1:1]
	for _, n := range all[max(from, 0):to] {
		items = appendNew(items, n)
	}
	step.Items = items
}

// answered are the entities that the answer of a read shows; none where everything that a step lists counts.
func (s *overload) answered(pattern string) (out []*spec.Entity) {
	p := s.req.Pattern(pattern)
	if p.Writes() || s.fillers {
		return nil
	}
	out = append(out, p.Read)
	for _, paths := range [][]spec.Path{p.With, p.Returns, p.Given} {
		for _, path := range paths {
			segments, err := p.Read.Resolve(path)
			if err != nil {
				return nil
			}
			for _, x := range segments {
				if x.Way != nil {
					out = append(out, x.Entity())
				}
			}
		}
	}
	return out
}
