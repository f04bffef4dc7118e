package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

var indexKeyChurn = &Rule{
	ID:       "index-key-churn",
	Title:    "An index key that changes often",
	Category: Cost,
	Looks:    "At what writes consume on an index: one that changes the index key removes an entry and writes another, which is paid twice. And at how often the index is read for that.",
	Fires: "When the items of an index that were written changed their key there three times each, on average, while it was watched; when most of its write units are such changes; and when " +
		"there are more of these than reads of the index, and they cost more.",
	Rests:   "When an item passes through a few states in its life. When the order that the changes keep is asked for more often than it changes, as that of a ranking is. When updates leave the key as it is, or most do and an item's changes less than three times a day. While units are not reported.",
	Sources: []string{page("GSI"), page("CapacityUnitCalculations"), page("bp-indexes-general")},
	Find:    findIndexKeyChurn,
}

// changesOfItem is how often an item changes an index key that does so often: more often than it is created, paid and closed.
const changesOfItem = 3

// A key that most writes leave as it is, as one of the day that something was last seen, changes often if an item's does so oftenADay.
const (
	leaves    = 0.25 // share of the writes of a key that change it
	oftenADay = 3
)

func findIndexKeyChurn(in *Input) (found []Finding) {
	for _, t := range in.Tables {
		if in.unreported(t.Declared.Name) {
			continue
		}
		name := t.Declared.Name
		for _, index := range slices.Concat(sortedKeys(t.Declared.GSI), sortedKeys(t.Declared.LSI)) {
			x, _, _ := t.index(index)
			m, seen := in.entries(name, t.indexed(x), nil)
			if in.unread(name, index) >= in.Thresholds.Unused { // it is to be dropped, which another rule says
				continue
			}
			have := m.share()
			if !seen {
				have = 1
			}
			var moves, moved, units, stayed, tries float64
			changed := map[string]float64{}
			var by []*stats.Operation
			for _, o := range in.everything(name, writes) {
				calls, used := in.touched(o, name, index)
				units += used
				one := float64(capacity.ExpectWrite(m.sizes))
				if !seen {
					one = mostOfEntry(o, name, m.x.Key)
				}
				if one == 0 {
					continue
				}
				if o.Operation != "UpdateItem" && o.Operation != "DeleteItem" {
					stayed += max(calls-max(used/one-calls, 0), 0) // puts of new items, for all that is known
				}
				if n := min(used/one-calls, calls); n > 0.5*calls && calls > 0 {
					moves += n
					moved += 2 * one * n
					by = append(by, o)
					most := 0.0
					for _, key := range m.x.Key {
						if a := o.Attributes[key]; a != nil && !slices.Contains(m.x.TableKey, key) {
							changed[key] += a.Written
							most = max(most, written(o, key))
						}
					}
					tries += max(most, n)
				}
			}
			items := max(in.itemsWritten(name)*have, stayed)
			if moves < in.Thresholds.FewCalls || moves < changesOfItem*items || moved < 0.5*units {
				continue
			}
			if days := max(in.Stats.Span().Hours()/24, 1); moves < leaves*tries && moves < oftenADay*items*days {
				continue
			}
			var asked float64
			for _, o := range in.operations(name, index) {
				asked += ended(o)
			}
			paid := in.writes(name, in.perSecond(moved))
			var read capacity.Money
			if c := in.consumed(name, index); c != nil {
				read = in.reads(name, in.perSecond(c.Read))
			}
			if paid < read || asked > moves {
				continue
			}
			keys := sortedKeys(changed)
			f := Finding{
				Severity: Advice, Table: name, Index: index, Cause: cause(ofIndex, name, index),
				Title: fmt.Sprintf("%s changes the key of an item %s times, at two writes each: %s", place(name, index), number(moves/max(items, 1)), monthly(paid)),
				Evidence: []Evidence{
					{What: "changes of the index key of an item, on average", Value: moves / max(items, 1), Unit: "changes", Limit: changesOfItem},
					{What: "changes of index keys", Value: in.perSecond(moves), Unit: "changes/s", Source: page("GSI")},
					{What: "write units of these a month", Value: paid.Dollars(), Unit: "$"},
					{What: "read units of the index a month", Value: read.Dollars(), Unit: "$"},
				},
				Remedy: in.churnRemedy(t, index, keys),
			}
			if paid >= worth {
				f.Severity = Warning
			}
			f.Confidence, f.Because = in.sure(0.7, "Whether readers need the order at this moment cannot be seen.")
			in.affect(&f, slices.Concat(by, in.operations(name, index))...)
			found = append(found, f)
		}
	}
	return found
}

// mostOfEntry is what an update that leaves the keys as they are consumes at most of an index, where no item was seen whole: as much as
// of the table. It is 0 of what does not write any of these keys.
func mostOfEntry(o *stats.Operation, table string, keys []string) float64 {
	if !slices.ContainsFunc(keys, func(key string) bool { return o.Table == table && written(o, key) > 0.5*ended(o) }) {
		return 0
	}
	return armOf(o, table, "") / max(ended(o), 1)
}

// itemsWritten is how many items were written, if all that were seen are known one by one; else how many there are.
func (in *Input) itemsWritten(table string) float64 {
	var known, written float64
	for i := range in.Stats.Items.List {
		if k := &in.Stats.Items.List[i]; k.Table == table {
			known++
			if k.Write > 0 {
				written++
			}
		}
	}
	if c := in.consumed(table, ""); c != nil && c.Items != nil && written > 0 && known >= 0.95*c.Items.Count() {
		return written
	}
	return in.items(table)
}

func (in *Input) churnRemedy(t *Table, index string, keys []string) Remedy {
	x, _, _ := t.index(index)
	what := strings.Join(keys, " and ")
	if what == "" {
		what = "the key"
	}
	text := "Let " + what + " change less often: "
	var alternatives []string
	if len(keys) == 1 && in.isTime(t.Declared.Name, keys[0]) {
		alternatives = append(alternatives, "store it for the index by the day or hour, which most changes leave as it is, and sort what was read of a day in the program")
	} else {
		alternatives = append(alternatives, "store a coarser value for the index, such as a rank of ten or a status that lasts, which most changes leave as it is")
	}
	if len(keys) == 1 && slices.Contains(x.Sort, keys[0]) {
		alternatives = append(alternatives, "take it out of the key and project it: a change is one write then, and the order is made by who reads")
	}
	alternatives = append(alternatives, "write it only when it differs by enough to matter")
	name := append(slices.Clone(keys), "rank")[0]
	snippet := fmt.Sprintf("type Thing struct {\n\tValue int `ddb:%q`\n\tRank  int `ddb:%q` // Value / 100: in the key of %s instead\n}", name, name+"Rank", index)
	if in.isTime(t.Declared.Name, name) {
		snippet = fmt.Sprintf("type Thing struct {\n\tAt  time.Time `ddb:\"%s,epoch-s\"`\n\tDay string    `ddb:%q` // 2026-11-22: in the key of %s instead, which changes once a day\n}", name, name+"Day", index)
	}
	return Remedy{Text: text + strings.Join(alternatives, "; or ") + ". Each is an index made anew, beside the one there is.", Ease: NewIndex,
		Snippets: []Snippet{{Kind: "go", Text: snippet}}}
}

// isTime reports whether values of an attribute look like times.
func (in *Input) isTime(table, name string) bool {
	items := in.sample(table)
	var seen, times int
	for i := range items {
		if p, ok := printOf(&items[i], name); ok {
			seen++
			if p.Number > 0 || strings.Contains(p.Shape, "<date>") || strings.Contains(p.Shape, "<time>") {
				times++
			}
		}
	}
	return seen > 0 && 2*times > seen
}
