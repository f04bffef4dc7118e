package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

var largeItems = &Rule{
	ID:       "large-items",
	Title:    "Items that are large",
	Category: Cost,
	Looks:    "At the sizes of the items that were read and written whole, the largest of each table; of others at the units of their writes.",
	Fires:    "When an item has Thresholds.LargeItem (100 KB) or more: every change of it costs a write unit for each KB, whatever changes, and every read of it half a unit for each 4 KB.",
	Rests:    "When items are below that; when an item was that large once and is not any more. That one attribute has most of it is told by large-attributes, that it grows by growing-items.",
	Sources:  []string{page("Constraints"), page("bp-use-s3-too"), page("CapacityUnitCalculations")},
	Find:     findLargeItems,
}

func findLargeItems(in *Input) (found []Finding) {
	seen := map[uint64]bool{}
	for _, s := range in.Stats.Sizes {
		for _, list := range [][]stats.SizedItem{s.Sample, s.Largest} {
			for i := range list {
				seen[list[i].Hash] = true
			}
		}
		for _, kind := range kindsOf(sizedItems(s, int(in.Thresholds.LargeItem))) {
			found = append(found, in.largeItem(s.Table, kind))
		}
	}
	paid := in.paidItems(seen)
	for _, table := range sortedKeys(paid) {
		for _, kind := range kindsOf(paid[table]) {
			f := in.largeItem(table, kind)
			if !slices.ContainsFunc(found, func(other Finding) bool { return other.Cause == f.Cause }) {
				f.Because = "How large it is is reckoned from the units of its writes."
				found = append(found, f)
			}
		}
	}
	return found
}

// paidItems are items whose writes consumed so much that they are large, by table, from the largest: of those that nobody looked into.
// A write consumes a unit for each KB begun.
func (in *Input) paidItems(seen map[uint64]bool) map[string][]*stats.SizedItem {
	found := map[string][]*stats.SizedItem{}
	for i := range in.Stats.Items.List {
		k := &in.Stats.Items.List[i]
		each := k.Write / max(k.Calls, 1)
		least := float64(in.Thresholds.LargeItem)/float64(capacity.WriteBlock) + 1
		if each < least || seen[k.Hash] || in.unreported(k.Table) || k.Operation != "PutItem" && k.Operation != "UpdateItem" ||
			len(in.operations(k.Table, "", "TransactWriteItems")) > 0 && each < 2*least {
			continue
		}
		found[k.Table] = append(found[k.Table], &stats.SizedItem{Hash: k.Hash, Key: k.Key, LastBytes: int((each - 0.5) * float64(capacity.WriteBlock))})
	}
	for _, items := range found {
		slices.SortStableFunc(items, func(a, b *stats.SizedItem) int {
			return cmp.Or(cmp.Compare(b.LastBytes, a.LastBytes), cmp.Compare(a.Hash, b.Hash))
		})
	}
	return found
}

// nearLimit is the share of the largest possible item from which on the next change may be refused.
const nearLimit = 0.9

// largeItem is a finding of items that are large, of which the first is the largest.
func (in *Input) largeItem(table string, kind *itemKind) Finding {
	top, n := kind.items[0], len(kind.items)
	size := capacity.Bytes(top.LastBytes)
	f := Finding{
		Severity: Advice, Table: table, Key: top.Key, Cause: cause(ofItem, table, "large", kind.name), Confidence: 0.8, Because: "What of the item is needed together is not seen.",
		Title: fmt.Sprintf("%s: the item %s has %s, so that each change costs %s write units", table, itemName(top), inBytes(float64(size)), number(float64(capacity.Write(size, size)))),
		Evidence: []Evidence{
			{What: "bytes of the largest item", Value: float64(size), Unit: "B", Limit: float64(in.Thresholds.LargeItem), Source: "Thresholds.LargeItem"},
			{What: "items of its kind that are as large, of those that were seen", Value: float64(n), Unit: "items"},
			{What: "share of what an item may have", Value: 100 * float64(size) / float64(in.Thresholds.ItemLimit), Unit: "%", Limit: 100, Source: page("Constraints")},
		},
	}
	if n > 1 {
		f.Title += fmt.Sprintf("; %d like it are large", n-1)
	}
	r := &f.Remedy
	r.Ease = Migration
	r.Text = "Split it: what changes often or is read for lists into an item of its own, and the rest beside it under the same partition key, so that a query still reads both. " +
		"A change then costs what it changes, and a read what it needs."
	if p, of := biggest(top); p.Name != "" && of >= mostOfItem/2 {
		f.Evidence = append(f.Evidence, Evidence{What: "of it in the attribute " + p.Name, Value: 100 * of, Unit: "%"})
		r.Text += fmt.Sprintf(" %s of it is in the attribute %s (%s).", percent(of), p.Name, p.Type)
	}
	partition, sort := keyNames(in.table(table), &stats.Key{Key: top.Key})
	if sort == "" {
		sort = "SK"
		r.Text += " The table has no sort key: the second item gets a key of its own there, or the table one."
	}
	r.Snippets = []Snippet{{"go", fmt.Sprintf(`var Heads = tablewright.Declare[heads](%[1]s, plan.Item{Name: "Head", Key: map[string]string{%[2]q: "{id}", %[3]q: "head"}})
var Bodies = tablewright.Declare[bodies](%[1]s, plan.Item{Name: "Body", Key: map[string]string{%[2]q: "{id}", %[3]q: "body"}})`, goName(table), partition, sort)}}
	freeNames(r.Snippets, partition, sort)
	if float64(size) >= nearLimit*float64(in.Thresholds.ItemLimit) {
		f.Severity = Critical
		f.Title += ": the next change may be refused"
	} else if n > 1 {
		f.Severity = Warning
	}
	in.affect(&f, in.everything(table, func(o *stats.Operation) bool { return writes(o) || o.Operation == "GetItem" })...)
	return f
}
