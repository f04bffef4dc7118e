package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

// fewReads is a number of requests below which it may have been somebody who looked for something once.
const fewReads = 5

// filtered is a query or scan whose filter leaves out much of what it reads, which is what is paid.
type filtered struct {
	o            *stats.Operation
	equal, other []string // attributes that the filter always names: compared with =, or otherwise
	returned     float64  // share of what was read
	requests     float64
	items        float64 // that a request returns, on average
}

// filter looks at an operation; ok is false where its filter leaves out little, or too few calls say so.
func (in *Input) filter(o *stats.Operation) (f filtered, ok bool) {
	if o.Scanned < in.Thresholds.FewCalls || o.Detailed == 0 || o.Filtered < 0.5*o.Detailed {
		return f, false
	}
	f = filtered{o: o, returned: o.Items / o.Scanned, requests: requests(o)}
	if f.returned >= in.Thresholds.ReturnedShare || f.requests < fewReads { // the share is one of items
		return f, false
	}
	f.items = o.Items / f.requests
	for name, a := range o.Attributes {
		switch {
		case name == others || a.Sifted < 0.9*o.Filtered:
		case a.Equal >= 0.9*a.Sifted:
			f.equal = append(f.equal, name)
		default:
			f.other = append(f.other, name)
		}
	}
	slices.Sort(f.equal)
	slices.Sort(f.other)
	// Items past their time to live have to be filtered out until the service deletes them (ttl-expired-items).
	if t := in.table(o.Table); t != nil && t.Declared.TTL != "" && len(f.equal) == 0 && slices.Equal(f.other, []string{t.Declared.TTL}) {
		return f, false
	}
	return f, true
}

// answer is the index that answers such a read by its key condition, with what it costs.
type answer struct {
	name    string
	index   plan.Index
	model   entryModel
	sparse  []string // attributes of which only items with the value asked for should have one: booleans cannot be keys
	instead bool     // it replaces the index that is read now, which nothing else reads
}

// answer finds an index; ok is false where the filter has no equality and the read no partition.
func (in *Input) answer(f filtered) (a answer, ok bool) {
	t, ok := in.placed(f.o)
	if !ok {
		return a, false
	}
	var partition, sort []string
	if f.o.Operation == "Query" {
		partition, sort = t.keyOf(f.o.Index)
		sort = slices.DeleteFunc(slices.Clone(sort), func(name string) bool { return !keyed(f.o, name) })
	}
	equal := slices.DeleteFunc(slices.Clone(f.equal), func(name string) bool { return slices.Contains(partition, name) || slices.Contains(sort, name) })
	if len(equal) == 0 || len(partition)+len(equal) > capacity.IndexPartitionKeyParts {
		return a, false
	}
	a.index = plan.Index{Partition: slices.Concat(partition, equal), Sort: sort}
	if len(sort) == 0 && f.o.Operation == "Query" { // the order in which items came
		_, a.index.Sort = t.keyOf(f.o.Index)
		a.index.Sort = slices.DeleteFunc(slices.Clone(a.index.Sort), func(name string) bool { return slices.Contains(equal, name) })
	}
	a.name = t.newIndex(equal, a.index.Partition)
	a.index.Project, a.index.Include = f.projection(t, a.index)
	for _, name := range equal {
		if kind := in.typeOf(f.o.Table, name); kind != "" && kind != "S" && kind != "N" && kind != "B" {
			a.sparse = append(a.sparse, name)
		}
	}
	var known bool
	if a.model, known = in.entries(f.o.Table, t.indexed(a.index), nil); !known {
		if a.model, known = in.paidEntries(f.o, t, &a.index); !known {
			return a, false
		}
	}
	if _, local, is := in.table(f.o.Table).index(f.o.Index); is && !local && alwaysFilters(f.o) {
		a.instead = !slices.ContainsFunc(in.operations(f.o.Table, f.o.Index), func(o *stats.Operation) bool {
			same, drops := in.filter(o)
			return o != f.o && !(drops && alwaysFilters(o) && slices.Equal(same.equal, f.equal))
		})
	}
	return a, true
}

// newIndex is a name for an index by attributes that no index of the table has: the first of these lists, or numbered.
func (t *Table) newIndex(by ...[]string) (name string) {
	taken := func() bool {
		_, _, known := t.index(name)
		return known
	}
	for _, attributes := range by {
		name = "By"
		for _, one := range attributes {
			name += strings.ToUpper(one[:1]) + one[1:]
		}
		if !taken() {
			return name
		}
	}
	for n, long := 2, name; taken(); n++ {
		name = fmt.Sprint(long, n)
	}
	return name
}

// alwaysFilters reports whether all calls of an operation have a filter. Where they have no names of access patterns, those of several are one
// operation, of which some may want what an index has as it is.
func alwaysFilters(o *stats.Operation) bool { return o.Filtered >= 0.99*o.Detailed }

// placed is the table that an operation reads, as it is declared. Of one that nobody declares, as where there is nothing but an export, it
// is what the calls and the keys that were seen tell: keys alone. ok is false where they do not tell the partition that a query reads.
func (in *Input) placed(o *stats.Operation) (t *Table, ok bool) {
	if t = in.table(o.Table); t != nil {
		return t, true
	}
	names := func(list *stats.Keys, index string) (names []string) {
		for i := range list.List {
			if k := &list.List[i]; k.Table == o.Table && k.Index == index {
				for _, p := range keyParts(k.Key) {
					names = append(names, p.name)
				}
				if names != nil {
					return names
				}
			}
		}
		return nil
	}
	t = &Table{Declared: plan.Table{Name: o.Table, GSI: map[string]plan.Index{}}}
	form := &t.Declared
	for i := range in.Stats.Partitions.List {
		k := &in.Stats.Partitions.List[i]
		if _, known := form.GSI[k.Index]; known || k.Table != o.Table || k.Index == "" {
			continue
		}
		var x plan.Index
		for _, p := range keyParts(k.Key) {
			x.Partition = append(x.Partition, p.name)
		}
		if x.Partition != nil {
			form.GSI[k.Index] = x
		}
	}
	if all := names(in.Stats.Items, ""); len(all) > 0 {
		form.Key.Partition = all[0]
		if len(all) > 1 {
			form.Key.Sort = all[1]
		}
	}
	if o.Operation != "Query" {
		return t, true
	}
	partition, sort := names(in.Stats.Partitions, o.Index), []string{}
	for name := range o.Attributes {
		if name != others && keyed(o, name) && !slices.Contains(partition, name) {
			sort = append(sort, name)
		}
	}
	if partition == nil && len(sort) == 1 { // keys are hashed, and every query names the partition
		partition, sort = sort, nil
	}
	if len(partition) == 0 || len(sort) > 1 {
		return nil, false
	}
	if o.Index != "" {
		form.GSI[o.Index] = plan.Index{Partition: partition, Sort: sort}
		return t, true
	}
	form.Key.Partition = partition[0]
	if len(sort) > 0 {
		form.Key.Sort = sort[0]
	}
	return t, len(partition) == 1
}

// paidEntries models an index of items of which nobody saw one whole, as where all calls count: what the reads pay for tells how
// large they are on average. It holds them whole, since of their attributes no size is known.
func (in *Input) paidEntries(o *stats.Operation, t *Table, x *plan.Index) (m entryModel, ok bool) {
	blocks := o.Read * 2 / (1 + min(o.Consistent/o.Detailed, 1)) // eventually consistent ones are half a unit each
	blocks -= requests(o) / 2                                    // each request is rounded up, by half a block on average
	if blocks <= 0 || in.unreported(o.Table) {
		return m, false
	}
	x.Project, x.Include = plan.All, nil
	return entryModel{x: t.indexed(*x), all: 1, anew: 1, sizes: sampled{blocks * float64(capacity.ReadBlock) / o.Scanned}}, true
}

// keyed reports whether key conditions of an operation name an attribute, in nearly all calls.
func keyed(o *stats.Operation, name string) bool {
	a := o.Attributes[name]
	return a != nil && a.Keyed >= 0.9*o.Detailed
}

// typeOf is the type of an attribute in the items that were seen; "" if none has it.
func (in *Input) typeOf(table, name string) string {
	items := in.sample(table)
	for i := range items {
		if p, ok := printOf(&items[i], name); ok {
			return p.Type
		}
	}
	return ""
}

// projection is what an index has to hold for a read that asks for some attributes only.
func (f *filtered) projection(t *Table, x plan.Index) (project string, include []string) {
	if f.o.Projected+f.o.Counted < 0.99*f.o.Detailed { // who counts asks for nothing but what the filter names
		return plan.All, nil
	}
	held := slices.Concat(t.keyAttributes(""), x.Partition, x.Sort)
	for name, a := range f.o.Attributes {
		if (a.Asked > 0 || slices.Contains(f.other, name)) && !slices.Contains(held, name) {
			include = append(include, name)
		}
	}
	slices.Sort(include)
	if len(include) == 0 {
		return plan.Keys, nil
	}
	return plan.Include, include
}

// price is what answering by the index saves; nil if it saves nothing.
func (in *Input) price(f filtered, a answer) *Saving {
	o := f.o
	l := in.ledger(o.Table)
	consistency := capacity.Eventual
	after := f.requests * float64(capacity.ExpectQuery(capacity.Fixed(capacity.Bytes(f.items*a.model.sizes.mean())), a.model.sizes.mean(), consistency))
	kept := 1.0
	if len(a.sparse) > 0 {
		kept = f.returned // only items that are asked for have an entry
	}
	units := in.perSecond(a.model.writes(in, o.Table, kept))
	was := 0.0
	var gone capacity.Bytes
	if a.instead {
		for _, other := range in.operations(o.Table, o.Index) {
			same, _ := in.filter(other)
			l.reads(o.Index, in.perSecond(other.Read), 0)
			if other != o {
				after += same.requests * float64(capacity.ExpectQuery(capacity.Fixed(capacity.Bytes(same.items*a.model.sizes.mean())), a.model.sizes.mean(), consistency))
			}
		}
		if c := in.consumed(o.Table, o.Index); c != nil {
			was = in.perSecond(c.Write)
		}
		t := in.table(o.Table)
		x, _, _ := t.index(o.Index)
		if m, ok := in.entries(o.Table, t.indexed(x), nil); ok {
			switch same := in.perSecond(m.writes(in, o.Table, 1)); {
			case in.unreported(o.Table):
				was = same
			case same > 0: // what is known of the one there is corrects what is reckoned of the other
				units *= was / same
			}
		}
		gone = in.stored(o.Table, o.Index)
		l.writes(o.Index, was, 0)
		l.storage(gone, 0)
	} else {
		l.reads(o.Index, in.perSecond(o.Read), 0)
	}
	l.reads(o.Index, 0, in.perSecond(after))
	var stored capacity.Bytes
	count, _, known := in.table(o.Table).stored("")
	if !known && o.Operation == "Scan" && !byStatement(o) {
		count = o.Scanned / f.requests // all there are
	}
	stored = capacity.Stored(count*a.model.share()*kept, a.model.sizes.mean())
	l.added(o.Index, units, stored)
	return l.worth()
}

// readsMuch makes the finding of both rules.
func (in *Input) readsMuch(f filtered) (Finding, bool) {
	o := f.o
	now := in.perSecond(o.Read)
	found := Finding{
		Severity: Warning, Table: o.Table, Index: o.Index, Cause: cause(ofReads, o.Table, o.Index, o.Operation, o.Pattern),
		Title: fmt.Sprintf("%s reads %s items for each that it returns", subject(o), number(o.Scanned/max(o.Items, 1))),
		Evidence: []Evidence{
			share("items returned of those read", f.returned, in.Thresholds.ReturnedShare, "Thresholds.ReturnedShare"),
			{What: "read units", Value: now, Unit: "read units/s", Source: page("Query.FilterExpression")},
			{What: "read units of one request", Value: o.Read / f.requests, Unit: "read units"},
			{What: "items that a request returns", Value: f.items, Unit: "items"},
			{What: "reads a month, as they are", Value: in.reads(o.Table, now).Dollars(), Unit: "$"},
		},
		Confidence: 0.8,
	}
	in.affect(&found, o)
	if p, ok := in.present(f); ok {
		return in.byPresent(found, f, p)
	}
	a, ok := in.answer(f)
	if !ok {
		if a, ok := in.ranged(f); ok {
			return in.perhaps(found, f, a), true
		}
		if all := in.bill(o.Table); o.Operation != "Scan" || 10*in.reads(o.Table, now) < all.Reads+all.Writes {
			return found, false // no index is known to serve it: a filter on what only some items have may be the best there is
		}
		found.Severity, found.Confidence = Advice, 0.5
		found.Because = "What the filter asks for is no equality, as far as it was seen: an index needs one."
		if len(f.equal) > 0 {
			found.Because = "What an index costs cannot be reckoned: the table's declaration or items of it were not seen."
		}
		found.Remedy = Remedy{
			Text: "A filter drops items after they were read and paid for. Give the items that are asked for a key of their own: an attribute that only they have, as the " +
				"partition key of an index, spread over some values if there are many writes. If everything is read once in a while, for a report, an export to S3 reads no units of the table.",
			Ease: Migration,
		}
		return found, true
	}
	if found.Saving = in.price(f, a); found.Saving == nil {
		return found, false // the index would cost as much as the filter
	}
	found.Evidence = append(found.Evidence, Evidence{What: "what the index itself costs a month", Value: found.Saving.Remedy.Dollars(), Unit: "$", Source: page("GSI")})
	found.Remedy = in.indexRemedy(f, a)
	if a.instead { // whatever else is wrong with it
		found.replaces = cause(ofIndex, o.Table, o.Index)
	}
	found.Confidence, found.Because = in.sure(0.8, sentences("What an index costs that is not there is reckoned from a sample of the items.", reckoned(o)))
	if in.table(o.Table) == nil {
		found.Confidence *= 0.9
		found.Because = sentences(found.Because, fmt.Sprintf("What %s is declared as was not told: an index like it may be there.", o.Table))
	}
	if o.Consistent > 0.5*o.Detailed {
		found.Confidence *= 0.6
		found.Because = sentences(found.Because, "The reads are strongly consistent now; an index never is: what was written just before may be missing.")
	}
	if len(f.other) > 0 {
		found.Confidence *= 0.9
		found.Because = sentences(found.Because, fmt.Sprintf("The filter also names %s, which remains a filter.", strings.Join(f.other, ", ")))
	}
	return found, true
}

// ranged is the index that answers a query whose filter names one attribute otherwise than with =, if it is for a range of its
// values; ok is false where even then the index would cost as much as the filter.
func (in *Input) ranged(f filtered) (a answer, ok bool) {
	t, ok := in.placed(f.o)
	if !ok || f.o.Operation != "Query" || len(f.equal) > 0 || len(f.other) != 1 || f.requests < in.Thresholds.FewCalls {
		return a, false
	}
	name := f.other[0]
	partition, sort := t.keyOf(f.o.Index)
	if len(partition) == 0 || slices.ContainsFunc(sort, func(one string) bool { return keyed(f.o, one) }) || !slices.Contains([]string{"S", "N", "B"}, in.typeOf(f.o.Table, name)) {
		return a, false
	}
	a.index = plan.Index{Partition: partition, Sort: []string{name}}
	a.name = t.newIndex([]string{name}, []string{partition[0], name})
	a.index.Project, a.index.Include = f.projection(t, a.index)
	if a.model, ok = in.entries(f.o.Table, t.indexed(a.index), nil); !ok {
		return a, false
	}
	if in.table(f.o.Table) == nil && slices.ContainsFunc(in.expiries(f.o.Table, name), func(x *expiry) bool { return x.moments() > 0 }) {
		return a, false // it may be the time to live
	}
	return a, in.price(f, a) != nil
}

// perhaps is a finding whose remedy helps if the filter is for a range, which is not seen: it claims no saving.
func (in *Input) perhaps(found Finding, f filtered, a answer) Finding {
	found.Severity, found.Confidence = Advice, 0.5
	found.Because = "Whether the filter is for a range of values is not seen: only that needs no more than a sort key."
	found.Remedy = in.indexRemedy(f, a)
	found.Remedy.Text = fmt.Sprintf("Where the filter is for a range of %s, with <, >, BETWEEN or begins_with: %s Where it is for something else, give the items that are asked for an "+
		"attribute that only they have, as a key of an index.", f.other[0], strings.Replace(found.Remedy.Text, "Let", "let", 1))
	return found
}

// indexRemedy says how to make the index and what becomes of the code.
func (in *Input) indexRemedy(f filtered, a answer) Remedy {
	o, x := f.o, a.index
	text := fmt.Sprintf("Let the key condition say what the filter says: query an index of %s by %s", o.Table, strings.Join(x.Partition, " and "))
	if len(x.Sort) > 0 {
		text += ", sorted by " + strings.Join(x.Sort, " and ")
	}
	text += ". A filter itself saves nothing: what it drops was read and is paid."
	if a.instead {
		text += fmt.Sprintf(" It takes the place of %s, which nothing else reads.", o.Index)
	}
	if !alwaysFilters(o) {
		text += fmt.Sprintf(" %s of these calls have no filter, and stay as they are.", percent(1-o.Filtered/o.Detailed))
	}
	if len(a.sparse) > 0 {
		text += fmt.Sprintf(" %s cannot be a key as it is: write an attribute of text only where it is true, so that the index holds these items alone.", strings.Join(a.sparse, ", "))
	}
	if n := in.valuesOf(o.Table, x.Partition); n > 0 && n <= fewValues {
		text += fmt.Sprintf(" Its partition key has few values, %d of those that were seen: each bears 1,000 writes a second, so that more have to be spread over shards.", n)
	}
	text += " The index is filled while the program runs; query it when it is active."
	var fields, types []string
	for _, name := range x.Partition {
		fields = append(fields, fmt.Sprintf("%q", name))
		types = append(types, in.goType(o.Table, name))
	}
	p := types[0]
	if len(types) > 1 {
		p = "struct{ "
		for i, name := range x.Partition {
			if i > 0 {
				p += "; "
			}
			p += strings.ToUpper(name[:1]) + name[1:] + " " + types[i]
		}
		p += " }"
	}
	index := fmt.Sprintf("%q: {Partition: []string{%s}", a.name, strings.Join(fields, ", "))
	typed := []string{"Thing", p}
	if len(x.Sort) > 0 {
		var sorted []string
		for _, name := range x.Sort {
			sorted = append(sorted, fmt.Sprintf("%q", name))
			typed = append(typed, in.goType(o.Table, name))
		}
		index += fmt.Sprintf(", Sort: []string{%s}", strings.Join(sorted, ", "))
	}
	switch x.Project {
	case plan.Keys:
		index += ", Project: plan.Keys"
	case plan.Include:
		index += ", Project: plan.Include, Include: " + goStrings(x.Include)
	}
	code := fmt.Sprintf("// in plan.Table{Name: %q, GSI: map[string]plan.Index{…}}:\n%s},\n// a field of the declared entity, whose type stands for Thing:\n%s tablewright.Index%d[%s]\n// and instead of the filter:\nfor v, err := range Things.%s.Of(…).All(ctx, db) { … }",
		o.Table, index, a.name, len(x.Sort), strings.Join(typed, ", "), a.name)
	return Remedy{Text: text, Snippets: []Snippet{{Kind: "go", Text: code}}, Ease: NewIndex}
}

// valuesOf is how many different values of these attributes the sampled items have.
func (in *Input) valuesOf(table string, names []string) int {
	different := map[string]bool{}
	items := in.sample(table)
	for i := range items {
		text := ""
		for _, name := range names {
			p, ok := printOf(&items[i], name)
			if !ok {
				text = ""
				break
			}
			text += fmt.Sprint(p.Value, " ")
		}
		if text != "" {
			different[text] = true
		}
	}
	return len(different)
}

// goType is what an attribute is in Go.
func (in *Input) goType(table, name string) string {
	switch in.typeOf(table, name) {
	case "N":
		return "int64"
	case "B":
		return "[]byte"
	}
	return "string"
}
