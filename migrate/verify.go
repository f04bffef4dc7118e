package migrate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
)

// Verify compares two indexes of a table that are to have the same items: an old one with a concatenated key, and the one of
// several attributes that takes its place.
type Verify struct {
	Table    *tablewright.Table
	Old, New string
	ReadRate capacity.ReadUnits // units a second of the table's scan; 0: as fast as may be
	Most     int                // items that Found names at most; 0: 100
}

// Report is what Verify found.
type Report struct {
	Items    int // of declared kinds, in the table
	Indexed  int // of which so many have the keys of both indexes
	Old, New int // entries of the indexes
	Wrong    int // items with something wrong
	Found    []Finding
}

// Finding is what is wrong with an item.
type Finding struct {
	Key attr.Item
	Why string
}

// OK reports whether the indexes can stand for each other.
func (r Report) OK() bool { return r.Wrong == 0 && r.Old == r.Indexed && r.New == r.Indexed }

// String sums it up.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d items, %d of them indexed; %d entries in the old index, %d in the new one; %d items are wrong", r.Items, r.Indexed, r.Old, r.New, r.Wrong)
	for _, f := range r.Found {
		fmt.Fprintf(&b, "\n%s: %s", attr.AppendItem(nil, f.Key), f.Why)
	}
	return b.String()
}

// Run reads the table and both indexes: each item has to be what it would be written as today, and to have the keys of both
// indexes or of neither; each index has to have as many entries as there are such items. Writes that go on meanwhile, and
// indexes that lag behind them, can make the numbers differ for a moment: run it again.
func (v Verify) Run(ctx context.Context, db *tablewright.DB) (r Report, err error) {
	if v.Table == nil {
		return r, errors.New("migrate: Verify without a Table")
	}
	definition := v.Table.Definition()
	before, ok := definition.GSI[v.Old]
	after, both := definition.GSI[v.New]
	if !ok || !both {
		return r, fmt.Errorf("migrate: %s and %s are not both declared as global indexes of %s: declare both until the old one is dropped", v.Old, v.New, definition.Name)
	}
	if v.Most == 0 {
		v.Most = 100
	}
	kinds, raw := v.Table.Kinds(), v.Table.Raw()
	for it, err := range raw.Scan().Intended().Rate(v.ReadRate).All(ctx, db) {
		if err != nil {
			return r, err
		}
		kind, known := kindOf(kinds, it)
		if !known {
			continue
		}
		r.Items++
		in, too := has(it, before), has(it, after)
		if in && too {
			r.Indexed++
		}
		_, needed, err := kind.Renew(it)
		why := ""
		switch {
		case err != nil:
			why = err.Error()
		case needed:
			why = "it is not as it would be written today: Backfill it"
		case in && !too:
			why = fmt.Sprintf("it is in %s, and lacks a key attribute of %s", v.Old, v.New)
		case too && !in:
			why = fmt.Sprintf("it is in %s, and lacks a key attribute of %s", v.New, v.Old)
		default:
			continue
		}
		if r.Wrong++; len(r.Found) < v.Most {
			r.Found = append(r.Found, Finding{raw.Key(it), why})
		}
	}
	if r.Old, err = entries(ctx, db, definition.Name, v.Old); err == nil {
		r.New, err = entries(ctx, db, definition.Name, v.New)
	}
	return r, err
}

// has reports whether an item has all key attributes of an index.
func has(it attr.Item, x plan.Index) bool {
	return !slices.ContainsFunc(slices.Concat(x.Partition, x.Sort), func(name string) bool { return !it.Has(name) })
}

// entries counts the entries of an index, without reading them over the wire.
func entries(ctx context.Context, db *tablewright.DB, table, index string) (n int, err error) {
	var start []byte
	for {
		request := attr.AppendText([]byte(`{"Select":"COUNT","TableName":`), db.TableName(table))
		request = attr.AppendText(append(request, `,"IndexName":`...), index)
		if start != nil {
			request = append(append(request, `,"ExclusiveStartKey":`...), start...)
		}
		answer, err := db.Send(ctx, "Scan", table, append(request, '}'))
		if err != nil {
			return n, err
		}
		start = nil
		d := attr.NewDecoder(answer)
		for name := range d.Fields("") {
			switch string(name) {
			case "Count":
				n += d.Int()
			case "LastEvaluatedKey":
				start = slices.Clone(d.Raw())
			}
		}
		if err := d.End(); err != nil {
			return n, fmt.Errorf("migrate: answer: %w", err)
		}
		if len(start) <= len("{}") {
			return n, nil
		}
	}
}
