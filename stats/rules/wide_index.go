package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

var wideIndex = &Rule{
	ID:       "wide-index",
	Title:    "An index that holds more than is asked of it",
	Category: Cost,
	Looks: "At the attributes that queries of a global index ask for, test and count by, against those that it projects, and at what writes consume on it: entries of fewer " +
		"attributes are smaller, and writes that change none of these do not touch it.",
	Fires: "When every query of the index, a hundred at least (Thresholds.FewCalls), asks for some attributes only, and an index of these would cost a tenth less, in writes, reads and storage together.",
	Rests: "When a query asks for whole items. When entries are small whatever they hold, and writes change what is asked for: then the units are the same. For local indexes, whose " +
		"projection cannot be changed. While units are not reported.",
	Sources: []string{page("GSI"), page("bp-indexes-general"), page("CapacityUnitCalculations")},
	Find:    findWideIndex,
}

func findWideIndex(in *Input) (found []Finding) {
	for _, t := range in.Tables {
		if in.unreported(t.Declared.Name) {
			continue
		}
		for _, index := range sortedKeys(t.Declared.GSI) {
			x := t.Declared.GSI[index]
			if x.Project == plan.Keys {
				continue
			}
			needed, ok := in.neededOf(t.Declared.Name, index)
			if !ok {
				continue
			}
			if f, ok := in.narrow(t, index, x, needed); ok {
				found = append(found, f)
			}
		}
	}
	return found
}

// neededOf are the attributes that reads of an index ask for; ok is false where one asks for all, or there are too few.
func (in *Input) neededOf(table, index string) (needed []string, ok bool) {
	var calls float64
	for _, o := range in.operations(table, index) {
		if o.Operation != "Query" && o.Operation != "Scan" || o.Detailed == 0 || o.Projected+o.Counted < 0.999*o.Detailed {
			return nil, false
		}
		calls += ended(o)
		for name, a := range o.Attributes {
			if name == others {
				return nil, false
			}
			if a.Asked > 0 || a.Tested > 0 {
				needed = append(needed, name)
			}
		}
	}
	if c := in.consumed(table, index); c == nil || calls < in.Thresholds.FewCalls {
		return nil, false
	}
	slices.Sort(needed)
	return slices.Compact(needed), true
}

func (in *Input) narrow(t *Table, index string, x plan.Index, needed []string) (f Finding, ok bool) {
	name := t.Declared.Name
	held := t.keyAttributes(index)
	include := slices.DeleteFunc(slices.Clone(needed), func(n string) bool { return slices.Contains(held, n) })
	then := x
	then.Project, then.Include = plan.Include, include
	if len(include) == 0 {
		then.Project, then.Include = plan.Keys, nil
	}
	was, seen := in.entries(name, t.indexed(x), nil)
	is, _ := in.entries(name, t.indexed(then), nil)
	if !seen { // nobody read or wrote a whole item: the service tells how large entries are, or the units of the reads do
		paid := paidHalves(in.operations(name, index), held)
		if len(paid.whole) == 0 {
			return f, false
		}
		was.sizes, is.sizes = paid.whole, paid.small
		if count, bytes, known := t.stored(index); known && count > 0 {
			was.sizes = sampled{max(bytes, is.sizes.mean())}
		}
	}
	l := in.ledger(name)
	var before, after float64
	smaller := float64(capacity.ExpectWrite(is.sizes) / capacity.ExpectWrite(was.sizes))
	var affected []*stats.Operation
	for _, o := range in.everything(name, writes) {
		_, units := in.touched(o, name, index)
		if units == 0 {
			continue
		}
		affected = append(affected, o)
		before += units
		after += units * smaller * in.stays(o, name, index, &was.x, &is.x)
	}
	l.writes(index, in.perSecond(before), in.perSecond(after))
	for _, o := range in.operations(name, index) {
		affected = append(affected, o)
		items := o.Scanned / max(ended(o), 1)
		l.reads(index, in.perSecond(o.Read), in.perSecond(o.Read*queried(items, is.sizes)/queried(items, was.sizes)))
	}
	if count, bytes, known := t.stored(index); known {
		l.storage(capacity.Stored(count, bytes), capacity.Stored(count, bytes*is.sizes.mean()/max(was.sizes.mean(), 1)))
	}
	saving := l.worth()
	if saving == nil {
		return f, false
	}
	f = Finding{
		Severity: saving.severity(), Table: name, Index: index, Cause: cause(ofIndex, name, index), Saving: saving,
		Title: fmt.Sprintf("%s holds entries of %s on average, of which %s are asked for", place(name, index), inBytes(was.sizes.mean()), inBytes(is.sizes.mean())),
		Evidence: []Evidence{
			{What: "bytes of an entry, on average", Value: was.sizes.mean(), Unit: "B"},
			{What: "bytes of an entry with what is asked for", Value: is.sizes.mean(), Unit: "B"},
			{What: "write units of the index", Value: in.perSecond(before), Unit: "write units/s", Source: page("GSI")},
			{What: "write units of an index with what is asked for", Value: in.perSecond(after), Unit: "write units/s"},
		},
		Remedy: in.narrowRemedy(t, index, then),
	}
	f.Confidence, f.Because = in.sure(0.8, "A program whose statistics are not here may ask the index for more: it would be refused.")
	if !seen {
		f.Confidence *= 0.8
		f.Because = sentences("No whole item was seen: how large entries would be is reckoned from what the reads brought.", f.Because)
	}
	in.affect(&f, affected...)
	return f, true
}

// stays is the share of an operation's writes of an index that remain if it holds less: those of updates and of puts of items that
// are there which change nothing of what it then holds do not.
func (in *Input) stays(o *stats.Operation, table, index string, was, is *capacity.Index) float64 {
	switch o.Operation {
	case "UpdateItem":
		var all, kept float64
		for name, a := range o.Attributes {
			if was.Projects(name) {
				all = max(all, a.Written)
			}
			if is.Projects(name) {
				kept = max(kept, a.Written)
			}
		}
		if all > 0 {
			return min(kept/all, 1)
		}
	case "PutItem", "BatchWriteItem":
		if touches, _ := in.touched(o, table, index); touches > 0 {
			puts := in.puts(o, table)
			anew := min(((1-in.again(table))*puts+max(o.Parts-puts, 0))/touches, 1) // what a batch does not put it deletes
			return anew + (1-anew)*in.changes(table, was, is)
		}
	}
	return 1
}

// changes is how often an item of the sample changed in what one index holds, as a share of how often it did in what another one holds
// that holds more. A changed key is two writes of either.
func (in *Input) changes(table string, was, is *capacity.Index) float64 {
	const few = 10
	var all, kept float64
	items := in.sample(table)
	for i := range items {
		var one, other, moved float64
		for _, p := range items[i].Attributes {
			if was.Projects(p.Name) {
				one = max(one, p.Changes)
			}
			if is.Projects(p.Name) {
				other = max(other, p.Changes)
			}
			if slices.Contains(was.Key, p.Name) {
				moved = max(moved, p.Changes)
			}
		}
		all += one + moved
		kept += other + moved
	}
	if all < few {
		return 1
	}
	return kept / all
}

func (in *Input) narrowRemedy(t *Table, index string, then plan.Index) Remedy {
	name := t.Declared.Name
	holds, project := "the keys alone", "Project: plan.Keys"
	if then.Project == plan.Include {
		holds = "the keys and " + strings.Join(then.Include, ", ")
		project = fmt.Sprintf("Project: plan.Include, Include: []string{%q}", strings.Join(then.Include, `", "`))
		project = strings.ReplaceAll(project, `\"`, `"`)
	}
	sorted := ""
	if len(then.Sort) > 0 {
		sorted = fmt.Sprintf(", Sort: []string{\"%s\"}", strings.Join(then.Sort, `", "`))
	}
	return Remedy{
		Text: fmt.Sprintf("Make an index with %s beside %s, query it instead when it is active, and drop the old one: what an index holds cannot be changed. "+
			"A projection expression alone saves no units, only bytes on the way.", holds, index),
		Snippets: []Snippet{{Kind: "go", Text: fmt.Sprintf("// in plan.Table{Name: %q, GSI: map[string]plan.Index{…}}:\n\"%sSmall\": {Partition: []string{\"%s\"}%s, %s},",
			name, index, strings.Join(then.Partition, `", "`), sorted, project)}},
		Ease: NewIndex,
	}
}
