package engine

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// Snapshot is the items of tables at one moment. It does not change, and stays good when the engine is closed.
type Snapshot struct {
	tables map[string][]snapshotItem // in the order of their keys
}

type snapshotItem struct {
	order string // sorts as the table's key does
	names []string
	item  stored
}

// Snapshot copies the items of tables, all of one moment: of those named, or of all. Those of other Regions than Options.Region
// have it in their name: "eu-west-1/Books". A table that there is not ends the test. Indexes follow from items and are not part
// of it: Check holds them to each other.
func (e *Engine) Snapshot(t TB, tables ...string) *Snapshot {
	t.Helper()
	snapshot := &Snapshot{tables: map[string][]snapshotItem{}}
	err := e.store.Aside(func(r kv.Reader) error {
		catalog, err := readCatalog(r) // as of this moment
		if err != nil {
			return err
		}
		maps.DeleteFunc(catalog.byID, func(_ tableID, t *table) bool { return t.def.State.Name == deleting })
		names := tables
		if len(names) == 0 {
			for id := range catalog.byID {
				names = append(names, e.testName(id))
			}
		}
		for _, name := range names {
			region, tableName := e.regionTable(name)
			table := catalog.byID[e.session(context.Background(), region, "Scan").id(tableName)]
			if table == nil {
				return fmt.Errorf("%s: %w", name, errNoTable)
			}
			items := []snapshotItem{}
			r.Ascend(table.space, nil, nil, func(key, value []byte) bool {
				items = append(items, snapshotItem{string(key[hashBytes:]), table.names, bytes.Clone(value)})
				return true
			})
			slices.SortFunc(items, func(a, b snapshotItem) int { return cmp.Compare(a.order, b.order) })
			snapshot.tables[name] = items
		}
		return nil
	})
	if err != nil {
		t.Fatalf("engine: snapshot: %v", err)
		return nil
	}
	return snapshot
}

// Tables are the names of the tables in the snapshot, sorted.
func (s *Snapshot) Tables() []string { return slices.Sorted(maps.Keys(s.tables)) }

// Items are the items of a table in the order of its key, partition keys too; none of a table that is not in the snapshot.
func (s *Snapshot) Items(table string) []attr.Item {
	items := make([]attr.Item, len(s.tables[table]))
	for i, it := range s.tables[table] {
		items[i] = it.item.item()
	}
	return items
}

// String is all of the snapshot as text that is the same for the same items: each table, then a line for each item, in
// DynamoDB JSON, attributes by name.
func (s *Snapshot) String() string {
	var b strings.Builder
	for _, name := range s.Tables() {
		fmt.Fprintf(&b, "%s\n", name)
		for _, it := range s.tables[name] {
			fmt.Fprintf(&b, "  %s\n", it.item.json())
		}
	}
	return b.String()
}

// Diff is what is different in a later snapshot, as text; empty if nothing is. By table, in the order of the key:
//
//	Books
//	  + {"isbn":{"S":"978-3"},"price":{"N":"12"}}     an item that came
//	  - {"isbn":{"S":"978-1"},"price":{"N":"10"}}     one that went
//	  ~ {"isbn":{"S":"978-2"}}                        one that changed, by its key
//	      + tags {"SS":["new"]}                       attributes that came, went and changed
//	      - note {"S":"soon"}
//	      ~ price {"N":"11"} → {"N":"9"}
//	+ Authors, 2 items                                a table that came, with its items
//	- Drafts, 1 item                                  one that went
func (s *Snapshot) Diff(later *Snapshot) string {
	names := maps.Clone(s.tables)
	maps.Copy(names, later.tables)
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, had := s.tables[name]
		after, has := later.tables[name]
		var head string
		switch {
		case !had:
			head = "+ " + name + count(len(after))
		case !has:
			head = "- " + name + count(len(before))
		default:
			head = name
		}
		changes := diffItems(before, after)
		if changes != "" || had != has {
			fmt.Fprintf(&b, "%s\n%s", head, changes)
		}
	}
	return b.String()
}

func count(items int) string {
	if items == 1 {
		return ", 1 item"
	}
	return fmt.Sprintf(", %d items", items)
}

// diffItems walks through both lists, which have the same order.
func diffItems(before, after []snapshotItem) string {
	var b strings.Builder
	for len(before) > 0 || len(after) > 0 {
		order := 0
		switch {
		case len(after) == 0:
			order = -1
		case len(before) == 0:
			order = 1
		default:
			order = cmp.Compare(before[0].order, after[0].order)
		}
		switch {
		case order < 0:
			fmt.Fprintf(&b, "  - %s\n", before[0].item.json())
			before = before[1:]
		case order > 0:
			fmt.Fprintf(&b, "  + %s\n", after[0].item.json())
			after = after[1:]
		default:
			if !bytes.Equal(before[0].item, after[0].item) {
				b.WriteString(diffItem(before[0], after[0]))
			}
			before, after = before[1:], after[1:]
		}
	}
	return b.String()
}

// diffItem is what is different in one item. Two texts of equal items are not a difference: sets have no order.
func diffItem(before, after snapshotItem) string {
	was, is := before.item.item(), after.item.item()
	names := map[string]bool{}
	for _, it := range []attr.Item{was, is} {
		for i := range it.Len() {
			names[it.At(i).Name] = true
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(names)) {
		old, now := was.Get(name), is.Get(name)
		label := attributeName(name)
		switch {
		case old.IsZero():
			fmt.Fprintf(&b, "      + %s %s\n", label, valueText(now))
		case now.IsZero():
			fmt.Fprintf(&b, "      - %s %s\n", label, valueText(old))
		case !attr.Equal(old, now):
			fmt.Fprintf(&b, "      ~ %s %s → %s\n", label, valueText(old), valueText(now))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	var key attr.Item
	for _, name := range after.names {
		key.Set(name, is.Get(name))
	}
	return "  ~ " + string(attr.AppendItem(nil, key)) + "\n" + b.String()
}

// attributeName is a name as it is, or quoted where it would not be told from what stands around it.
func attributeName(name string) string {
	if name == "" || strings.ContainsAny(name, " \t\r\n\"{}→") {
		return string(attr.AppendText(nil, name))
	}
	return name
}

func valueText(v attr.Value) string { return string(attr.AppendValue(nil, v)) }
