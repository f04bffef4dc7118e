package generate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

func stored(p *cost.Place) float64 {
	n := 0.0
	for _, it := range p.Items {
		n += it.Count
	}
	return n
}

// table is the section of one table, its indexes included.
func (in *Input) table(p *page, t *plan.Schema) {
	place := in.Price.Place(t.Name)
	p.heading(3, "%s", t.Name)
	p.text("%s", in.purpose(t))
	in.samples(p, t.Base)
	p.heading(4, "Keys of %s", t.Name)
	in.keys(p, t.Base)
	in.taxonomy(p, t)
	p.heading(4, "Attributes of %s", t.Name)
	in.attributes(p, t)
	p.heading(4, "Load of %s", t.Name)
	in.bounded(p, t.Base)
	in.capacity(p, place)
	if t.TTL != "" {
		p.text("Time to live is on %s: DynamoDB deletes an item some time after the moment that it holds (usually within days), without write units; readers filter what is expired and still there.", code(t.TTL))
	}
	if t.Document.Stream != "" {
		p.text("A stream (%s) is on: consumers outside see every change once, in order per item.", t.Document.Stream)
	}
	for _, x := range t.Indexes {
		in.index(p, x)
	}
}

// purpose says in a sentence or two what a table is for.
func (in *Input) purpose(t *plan.Schema) string {
	place := in.Price.Place(t.Name)
	reads, writes := in.patternsOf(t.Base)
	text := fmt.Sprintf("Holds %s: %s items, %s as billed.", show.List(kindNames(t.Kinds)), show.Number(stored(place)), show.Bytes(float64(place.Stored)))
	switch {
	case len(reads) > 0 && len(writes) > 0:
		text += fmt.Sprintf(" It serves %s and takes the writes of %s.", show.List(codes(reads)), show.List(codes(writes)))
	case len(reads) > 0:
		text += fmt.Sprintf(" It serves %s.", show.List(codes(reads)))
	case len(writes) > 0:
		text += fmt.Sprintf(" It takes the writes of %s", show.List(codes(writes)))
		if len(t.Indexes) > 0 {
			text += "; it is read through its indexes"
		}
		text += "."
	}
	for _, role := range Roles(in.Program, t) {
		text += " " + role
	}
	if class := t.Document.Class; class != "" && class != "standard" {
		text += " Its table class is " + class + "."
	}
	return text
}

// Roles says of each item of a table that is no entity why it is there.
func Roles(program *plan.Program, t *plan.Schema) []string {
	var out []string
	for _, k := range t.Kinds {
		switch k.Role {
		case plan.UniqueItem:
			what := k.Entity.Name + "." + strings.Join(attributeNames(k.Unique), "+")
			text := fmt.Sprintf("%s keeps %s unique. DynamoDB refuses a second item only under one table key, so each value is an item of its own, written in one transaction with its %s.", k.Name, what, k.Entity.Name)
			if x := indexBy(program, k); x != nil {
				text += fmt.Sprintf(" %s cannot do that, as an index accepts a value twice; and this item cannot replace the index, as it does not hold what reads answer.", x.Name())
			}
			out = append(out, text)
		case plan.SequenceItem:
			out = append(out, fmt.Sprintf("%s holds the last %s.%s that was given: whoever creates a %s counts it up in the same transaction, so that no number is given twice.", k.Name, k.Entity.Name, k.Attribute.Name, k.Entity.Name))
		case plan.AggregateItem:
			out = append(out, fmt.Sprintf("%s holds %s.%s apart from the %s, so that counting does not write the whole item anew.", k.Name, k.Entity.Name, k.Attribute.Name, k.Entity.Name))
		case plan.CopyItem:
			out = append(out, fmt.Sprintf("%s is %s once more under another key%s.", k.Name, k.Of.Name, kept(k.Kept)))
		}
	}
	return out
}

// indexBy is the index of an entity's items that has what a marker keeps unique as its partition; nil if there is none.
func indexBy(program *plan.Program, marker *plan.Kind) *plan.Access {
	home := program.Home(marker.Entity)
	if home == nil {
		return nil
	}
	for _, x := range home.Table.Indexes {
		if slices.Equal(wires(x.Partition), attributeNames(marker.Unique)) {
			return x
		}
	}
	return nil
}

// keys justifies the key of a table or index: what it is, how many values it has, how much lies under one.
func (in *Input) keys(p *page, a *plan.Access) {
	var rows [][]string
	for _, k := range a.Table.Kinds {
		if ok, _ := k.In(a); !ok {
			continue
		}
		rows = append(rows, []string{kindText(k), template(k, a.Partition), template(k, a.Sort), in.spread(k, a)})
	}
	p.table([]string{"item", "partition key", "sort key", "how it spreads"}, rows)
	if a.Index == "" {
		if why := in.reason(a.Table.Name + ".key"); why != "" {
			p.text("%s", why)
		}
	}
}

// template is how a kind builds some key attributes.
func template(k *plan.Kind, ws []plan.Wire) string {
	var out []string
	for _, w := range ws {
		r := k.Recipe(w.Name)
		if r == nil {
			continue
		}
		text := code(w.Name)
		if !r.Native || len(r.Parts) != 1 || r.Parts[0].Path.String() != w.Name {
			text += " = " + code(r.Text)
		}
		if r.WhenText != "" {
			text += " when " + code(r.WhenText)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// spread says how many partition key values a kind has and how many items lie under one.
func (in *Input) spread(k *plan.Kind, a *plan.Access) string {
	var paths []spec.Path
	for _, w := range a.Partition {
		r := k.Recipe(w.Name)
		if r == nil {
			return ""
		}
		for _, part := range r.Parts {
			if part.Path != nil {
				paths = append(paths, source(k.Entity, part.Path))
			}
		}
	}
	shards := ""
	if k.Shards > 1 && slices.ContainsFunc(a.Partition, func(w plan.Wire) bool {
		return slices.ContainsFunc(k.Recipe(w.Name).Parts, func(x *plan.Part) bool { return x.Path == nil })
	}) {
		shards = fmt.Sprintf(", spread over %d shards", k.Shards)
	}
	if len(paths) == 0 {
		return "one value for all" + shards
	}
	owner, way := ownerOf(k.Entity, paths)
	switch {
	case owner == k.Entity && way == nil:
		return fmt.Sprintf("%s values, one item each", show.Number(owner.Count)) + shards
	case owner == nil:
		return in.spreadOfValues(k, a, paths) + shards
	case way == nil || !way.PerParent.Stated:
		return fmt.Sprintf("%s values, one per %s", show.Number(owner.Count), owner.Name) + shards
	case len(paths[0]) == 1 && way.PerParent.Max > 1:
		return fmt.Sprintf("%s values, one per %s: %s items each, at most %s", show.Number(owner.Count), owner.Name, show.Number(way.PerParent.Average), show.Number(way.PerParent.Max)) + shards
	case len(paths[0]) == 1:
		return fmt.Sprintf("%s values, one per %s: one item each", show.Number(owner.Count), owner.Name) + shards
	}
	return fmt.Sprintf("%s values, one per %s: %s items each", show.Number(owner.Count), owner.Name, show.Number(k.Entity.Count/math.Max(owner.Count, 1))) + shards
}

// source is where the value of a path comes from: what is derived without a function is followed to what it copies.
func source(e *spec.Entity, path spec.Path) spec.Path {
	for len(path) == 1 {
		a := e.Attribute(path[0])
		if a == nil || a.Derived == nil || a.Derived.Func != "" || len(a.Derived.Path) == 0 {
			break
		}
		path = a.Derived.Path
	}
	return path
}

// spreadOfValues says what is known of a partition that belongs to no entity: of enums and states their number and
// shares, else how many items the reads of it find.
func (in *Input) spreadOfValues(k *plan.Kind, a *plan.Access, paths []spec.Path) string {
	for _, set := range k.Entity.Unique {
		if len(set) == len(paths) && !slices.ContainsFunc(paths, func(p spec.Path) bool { return len(p) != 1 || !slices.Contains(set, k.Entity.Attribute(p[0])) }) {
			return fmt.Sprintf("%s values, one item each", show.Number(k.Entity.Count))
		}
	}
	values, largest := 1, 1.0
	for _, path := range paths {
		at := k.Entity.Attribute(path[len(path)-1])
		if len(path) != 1 || at == nil || len(at.Shares) == 0 {
			values = 0
			break
		}
		values *= len(at.Shares)
		most := 0.0
		for _, s := range at.Shares {
			most = math.Max(most, s.Of)
		}
		largest *= most
	}
	if values > 0 {
		text := show.Count(values, "value", "")
		if _, sparse := k.In(a); !sparse {
			text += fmt.Sprintf(", the most frequent on about %s of the items", show.Percent(largest))
		}
		return text
	}
	for _, x := range in.Requirements.Patterns {
		if x.Writes() || x.Read != k.Entity || len(x.Given) != len(paths) || x.Where != nil || x.Results.Average == 0 {
			continue
		}
		if !slices.ContainsFunc(paths, func(p spec.Path) bool {
			return !slices.ContainsFunc(x.Given, func(g spec.Path) bool { return g.String() == p.String() })
		}) {
			return fmt.Sprintf("%s items each, at most %s, as %s finds them", show.Number(x.Results.Average), show.Number(x.Results.Max), code(x.Name))
		}
	}
	return "the requirements do not say how many values there are"
}

// ownerOf is the entity whose instances are told apart by some paths of another entity, and the way there; nil if the
// paths are no identity.
func ownerOf(e *spec.Entity, paths []spec.Path) (*spec.Entity, *spec.Relationship) {
	var whole []*spec.Attribute
	var last *spec.Relationship
	for _, path := range paths {
		a := origin(e, path)
		if a == nil {
			return nil, nil
		}
		whole = append(whole, a)
		x := e
		for _, name := range path {
			if r := x.WayThere(name); r != nil {
				x, last = r.To, r
			} else if at := x.Attribute(name); at != nil && at.Reference != nil && last == nil {
				last = at.Reference
			}
		}
	}
	holds := func(o *spec.Entity) bool {
		for _, a := range o.Identity {
			if !slices.Contains(whole, a) && !slices.Contains(whole, origin(o, spec.Path{a.Name})) {
				return false
			}
		}
		return len(o.Identity) == len(whole)
	}
	if holds(e) {
		if last != nil && last.To == e {
			return e, last // it points to others of its kind
		}
		return e, nil
	}
	for _, a := range whole {
		if a.Entity != nil && holds(a.Entity) {
			return a.Entity, last
		}
	}
	return nil, nil
}

// taxonomy says what sort keys stand side by side in a table with several kinds.
func (in *Input) taxonomy(p *page, t *plan.Schema) {
	if len(t.Base.Sort) == 0 || len(t.Kinds) < 2 {
		return
	}
	sort := t.Base.Sort[0].Name
	var rows [][]string
	for _, k := range t.Kinds {
		r := k.Recipe(sort)
		example := ""
		if in.Proof != nil {
			for _, s := range typical(in.Proof.Samples[t.Name], wires(t.Base.Sort)) {
				if s.Kind == k.Name {
					example = code(brief(s.Item.Get(sort), keyWidth))
					break
				}
			}
		}
		prefix := "the whole range"
		if lead := r.Literals[0]; lead != "" && len(r.Parts) > 0 {
			prefix = "begins with " + code(lead)
		} else if len(r.Parts) == 0 {
			prefix = "exactly " + code(r.Text)
		}
		rows = append(rows, []string{k.Name, code(r.Text), prefix, example, strings.Join(codes(in.queriesOf(k, t.Base)), ", ")})
	}
	p.text("What the sort key %s of one collection holds, and which queries read it:", code(sort))
	p.table([]string{"kind", code(sort), "range", "example", "queried by"}, rows)
}

// picks reports whether a stage reads single items by their keys.
func picks(s *plan.Stage) bool { return s.Verb == plan.Get || s.Verb == plan.BatchGet }

// queriesOf are the patterns that read items of a kind through a table or index.
func (in *Input) queriesOf(k *plan.Kind, a *plan.Access) []string {
	var out []string
	for _, proc := range in.Program.Procedures {
		stages(proc, func(s *plan.Stage) {
			hit := a.Index == "" && picks(s) && s.Kind == k
			hit = hit || s.Access == a && (s.Verb == plan.Query || s.Verb == plan.Scan) && slices.Contains(s.Kinds, k)
			if hit {
				out = appendNew(out, proc.Name)
			}
		})
	}
	return out
}

// attributes lists what is stored: names, types, in which items.
func (in *Input) attributes(p *page, t *plan.Schema) {
	type column struct {
		name, kind, from string
		in               []string
	}
	var list []*column
	add := func(name, kind, from string, k *plan.Kind) {
		for _, c := range list {
			if c.name == name && c.from == from {
				c.in = append(c.in, k.Name)
				return
			}
		}
		list = append(list, &column{name, kind, from, []string{k.Name}})
	}
	for _, k := range t.Kinds {
		for _, r := range k.Recipes {
			if r.Native && slices.ContainsFunc(k.Stored, func(s *plan.Stored) bool { return s.Name == r.Wire.Name }) {
				continue
			}
			from := "built: " + code(r.Text)
			if len(r.Parts) == 0 {
				from = "constant"
			}
			if r.WhenText != "" {
				from += " when " + code(r.WhenText)
			}
			add(r.Wire.Name, string(r.Wire.Type), from, k)
		}
		for _, s := range k.Stored {
			from := ""
			switch {
			case s.Copy:
				from = "copy of " + code(s.Path.String()) + kept(s.Kept)
			case s.Attribute != nil && s.Attribute.Rest:
				from = fmt.Sprintf("stands for about %s that the stated size leaves to attributes without a name; not to be created", show.Bytes(s.Attribute.Bytes.Average))
			case s.Attribute != nil:
				from = attribute(s.Attribute)
			}
			add(s.Name, wireType(s.Attribute), from, k)
		}
		for _, m := range k.Embeds {
			add(m.Attribute, map[string]string{"list": "L"}[m.As]+map[string]string{"map": "M", "value": "M"}[m.As],
				m.Way.Inverse+": "+m.Child.Name+childrenText(m), k)
		}
	}
	var rows [][]string
	order := map[string]int{}
	for i, c := range list {
		if _, seen := order[c.name]; !seen {
			order[c.name] = i
		}
	}
	slices.SortStableFunc(list, func(a, b *column) int { return order[a.name] - order[b.name] }) // one name, several meanings: side by side
	for _, c := range list {
		where := strings.Join(c.in, ", ")
		if len(t.Kinds) == 1 {
			where = ""
		} else if len(c.in) == len(t.Kinds) {
			where = "all"
		}
		rows = append(rows, []string{code(c.name), c.kind, c.from, where})
	}
	p.table([]string{"attribute", "type", "what it is", "in"}, rows)
}

func childrenText(m *plan.Embedding) string {
	n := m.Way.PerParent
	switch {
	case m.As == "value":
		return ", one"
	case m.By != nil:
		return fmt.Sprintf(" by %s, %s on average, at most %s", code(m.By.Name), show.Number(n.Average), show.Number(n.Max))
	}
	return fmt.Sprintf(", %s on average, at most %s", show.Number(n.Average), show.Number(n.Max))
}

// kept says how a copy stays true.
func kept(k plan.Kept) string {
	switch {
	case k.Snapshot:
		return ", as it was then"
	case len(k.By) > 0:
		text := ", rewritten by " + strings.Join(codes(k.By), ", ")
		if k.Atomic {
			text += " in the same transaction"
		}
		return text
	case k.Stream:
		return ", kept by a stream consumer within " + k.Within
	}
	return ", which never changes"
}

func wireType(a *spec.Attribute) string {
	if a == nil {
		return ""
	}
	switch a.Type {
	case spec.Number:
		return "N"
	case spec.Bool:
		return "BOOL"
	case spec.Binary:
		return "B"
	case spec.MapType:
		return "M"
	case spec.ListType:
		return "L"
	case spec.SetType:
		if a.Of != nil && a.Of.Type == spec.Number {
			return "NS"
		}
		return "SS"
	}
	return "S"
}

// bounded says how much each read over a table or index can bring.
func (in *Input) bounded(p *page, a *plan.Access) {
	var rows [][]string
	for _, x := range in.Requirements.Patterns {
		proc := in.Program.Procedure(x.Name)
		if proc == nil || x.Writes() {
			continue
		}
		var how []string
		stages(proc, func(s *plan.Stage) {
			if s.Access == a && (s.Verb == plan.Query || s.Verb == plan.Scan) {
				x := s.Explain()
				x.Target, x.Items = "", nil
				how = append(how, line(x))
			} else if a.Index == "" && picks(s) && s.Kind.Table == a.Table {
				how = append(how, s.Verb.Operation())
			}
		})
		if len(how) == 0 {
			continue
		}
		read := in.Price.Pattern(x.Name).Read[a.Name()]
		rows = append(rows, []string{code(x.Name), strings.Join(how, "; "), bound(x), in.tripsText(proc), show.Number(x.Rate.Average) + " (" + show.Number(x.Rate.Peak) + ")", show.Units(read)})
	}
	p.table([]string{"read", "how", "at most", ">round trips of the whole call", ">calls/s (peak)", ">read units of a call here"}, rows)
}

// bound is what limits an answer.
func bound(x *spec.Pattern) string {
	switch {
	case one(x):
		return oneWith(x)
	case x.Page > 0:
		return fmt.Sprintf("%s a page", show.Number(float64(x.Page)))
	case x.Top > 0:
		return show.Number(float64(x.Top))
	case x.Whole:
		return "everything, in pages of 1 MB"
	}
	return fmt.Sprintf("%s, %s", show.Number(x.Results.Max), show.Bytes(x.Results.Max*x.Read.Bytes.Average))
}

// oneWith is one entity with the most of its children that an answer holds.
func oneWith(x *spec.Pattern) string {
	var children []string
	for _, path := range x.With {
		if way := x.Read.WayBack(path[0]); way != nil && len(path) == 1 {
			children = append(children, show.Number(math.Max(way.PerParent.Max, 1))+" "+path[0])
		}
	}
	if len(children) == 0 {
		return "one"
	}
	return "one with " + show.List(children)
}

// capacity is what a table or index consumes and costs.
func (in *Input) capacity(p *page, place *cost.Place) {
	b := place.Bill
	rows := [][]string{
		{"read units/s", show.Number(place.Read), show.Number(place.PeakRead), b.Reads.String()},
		{"write units/s", show.Number(place.Write), show.Number(place.PeakWrite), b.Writes.String()},
		{"stored", show.Bytes(float64(place.Stored)), "", b.Storage.String()},
	}
	if b.Streams != 0 {
		rows = append(rows, []string{"reads of the stream", "", "", b.Streams.String()})
	}
	if b.Recovery != 0 {
		rows = append(rows, []string{"point-in-time recovery", "", "", b.Recovery.String()})
	}
	p.table([]string{"", ">on average", ">at peak", ">a month"}, append(rows, []string{"together", "", "", b.Total().String()}))
}

// index is the section of an index, under its table.
func (in *Input) index(p *page, x *plan.Access) {
	place := in.Price.Place(x.Name())
	sort := "Global secondary index"
	if x.Local {
		sort = "Local secondary index"
	}
	p.heading(4, "%s of %s", x.Index, x.Table.Name)
	p.text("%s on %s, %s entries, %s. %s", sort, keyText(x), show.Number(stored(place)), show.Bytes(float64(place.Stored)), in.serves(x))
	if multi(x) {
		p.text("Its key has several attributes in one part (a multi-attribute key): " + multiText)
	}
	if why := in.reason(x.Name()); why != "" && !strings.HasPrefix(why, "Holds ") { // what it holds is said above
		p.text("%s", in.named(why))
	}
	in.samples(p, x)
	in.keys(p, x)
	p.list(in.projection(x), in.sparse(x))
	in.bounded(p, x)
	in.capacity(p, place)
}

// multiText is what has to be known of multi-attribute keys: up to four attributes for each part, of global indexes only
// (developer guide, GSI.DesignPattern.MultiAttributeKeys; since November 2025).
const multiText = "a query states every attribute of the partition with =, of the sort part the first ones. Global indexes have such keys since November 2025: " +
	"what creates tables (infrastructure tools, SDKs, emulators) must be new enough to know them."

// multi reports whether an index has several attributes in one part of its key.
func multi(x *plan.Access) bool { return len(x.Partition) > 1 || len(x.Sort) > 1 }

// serves says what an index is for: reads, and writes that find their item there.
func (in *Input) serves(x *plan.Access) string {
	var reads, finds []string
	all, _ := in.patternsOf(x)
	for _, name := range all {
		if p := in.Requirements.Pattern(name); p != nil && p.Writes() {
			finds = append(finds, code(name))
		} else {
			reads = append(reads, code(name))
		}
	}
	verb := " find their items in it"
	if len(finds) == 1 {
		verb = " finds its item in it"
	}
	switch {
	case len(all) == 0:
		return "No access pattern reads it: it can go."
	case len(finds) == 0:
		return "Serves " + show.List(reads) + "."
	case len(reads) == 0:
		return show.List(finds) + verb + " before writing."
	}
	return "Serves " + show.List(reads) + "; " + show.List(finds) + verb + " before writing."
}

// projection justifies what an index copies.
func (in *Input) projection(x *plan.Access) string {
	place, base := in.Price.Place(x.Name()), in.Price.Place(x.Table.Name)
	entry, item := 0.0, 0.0
	for _, it := range place.Items {
		n := it.Count / math.Max(stored(place), 1)
		entry += n * it.Bytes
		for _, b := range base.Items {
			if b.Name == it.Name {
				item += n * b.Bytes
			}
		}
	}
	numbers := fmt.Sprintf("%s of the item's %s", show.Bytes(entry), show.Bytes(item))
	if entry > item { // the items that are in it are larger than the others
		numbers = show.Bytes(entry) + " an entry"
	}
	switch x.Project {
	case plan.Keys:
		return "**Projection: keys only**, " + numbers + ". Answers take the rest from the table."
	case plan.All, "":
		text := "**Projection: all**, " + numbers
		if whole := in.wholeAnswers(x); len(whole) > 0 {
			return text + fmt.Sprintf(". Whole items are the answer of %s: with a narrower entry each would be read a second time, from the table.", show.List(codes(whole)))
		}
		return text + ": answers need no second read."
	}
	spared := place.Bill.Storage
	if entry > 0 {
		spared = capacity.Money(float64(place.Bill.Storage) * max(item-entry, 0) / (entry + float64(capacity.StoredItemOverhead)))
	}
	return fmt.Sprintf("**Projection: %s** besides the keys, %s: what its reads answer or test, and nothing else. All attributes would store %s more a month, and be read and written with it.",
		strings.Join(included(x), ", "), numbers, spared)
}

// included are the attributes that an index copies, what has no name last.
func included(x *plan.Access) []string {
	var out []string
	filler := ""
	for _, name := range x.Include {
		if slices.ContainsFunc(x.Table.Kinds, func(k *plan.Kind) bool {
			ok, _ := k.In(x)
			return ok && slices.ContainsFunc(k.Stored, func(s *plan.Stored) bool { return s.Name == name && s.Attribute != nil && s.Attribute.Rest })
		}) {
			filler = code(name) + " (what has no name)"
			continue
		}
		out = append(out, code(name))
	}
	if filler != "" {
		out = append(out, filler)
	}
	return out
}

// wholeAnswers are the reads through an index that answer all attributes of what they find there.
func (in *Input) wholeAnswers(x *plan.Access) []string {
	var out []string
	reads, _ := in.patternsOf(x)
	for _, name := range reads {
		if p := in.Requirements.Pattern(name); p != nil && !p.Writes() && p.All && len(p.Aggregates) == 0 {
			out = append(out, name)
		}
	}
	return out
}

// sparse says which items are in an index.
func (in *Input) sparse(x *plan.Access) string {
	place, base := in.Price.Place(x.Name()), in.Price.Place(x.Table.Name)
	if stored(base) == 0 {
		return "**Sparseness**: the table is empty today."
	}
	var out, partly []string
	for _, k := range x.Table.Kinds {
		ok, may := k.In(x)
		switch {
		case !ok:
			out = append(out, k.Name)
		case may:
			partly = append(partly, k.Name)
		}
	}
	part := show.Percent(stored(place) / stored(base))
	switch {
	case len(out) == 0 && len(partly) == 0:
		return "**Not sparse**: every item has its key attributes."
	case len(partly) == 0:
		verb := "lack its key attributes and cost"
		if len(out) == 1 {
			verb = "lacks its key attributes and costs"
		}
		return fmt.Sprintf("**Sparse by kind**: %s of the table's items are in it; %s %s it nothing.", part, show.List(out), verb)
	}
	text := fmt.Sprintf("**Sparse**: %s of the table's items are in it; items of %s only while they have its key attributes", part, show.List(partly))
	if len(out) > 0 {
		text += ", of " + show.List(out) + " none"
	}
	return text + "."
}
