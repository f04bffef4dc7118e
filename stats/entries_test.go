package stats_test

import (
	"fmt"
	"testing"

	"github.com/tablewright/tablewright/stats"
)

// What writes put under each partition key of an index is told by operation, of few keys, and merged.
func TestEntryKeys(t *testing.T) {
	into := func(state string, units, weight float64) func(*stats.Event) {
		return func(e *stats.Event) {
			e.Arms = []stats.Arm{{Table: "Shop", Write: 1}, {Table: "Shop", Index: "ByState", Write: units}}
			e.Parts = []stats.Part{{Table: "Shop", Index: "ByState", Partition: stats.KeyID{Hash: hash("ByState." + state)}, Write: units, Weight: weight}}
		}
	}
	var all []*stats.Snapshot
	for range 2 {
		s := newScript(stats.Options{})
		for i := range 10 {
			s.do(8, "PutItem", fmt.Sprint("o", i), into("queued", 1, 0))
			s.do(8, "UpdateItem", fmt.Sprint("o", i), into([]string{"running", "done"}[i%2], 2, 4))
			s.do(8, "UpdateItem", fmt.Sprint("o", i), pattern("owner"), into(fmt.Sprint("u", i), 1, 0))
		}
		for i := range 40 {
			s.do(8, "UpdateItem", fmt.Sprint("o", i), pattern("other"), into(fmt.Sprint("u", i), 1, 0))
		}
		all = append(all, s.c.Snapshot())
	}
	merged, err := stats.Merge(all...)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range []*stats.Snapshot{all[0], merged} {
		n := float64(1 + i)
		of := map[string]*stats.EntryCounts{}
		for _, o := range s.Operations {
			of[o.Pattern] = o.Entries["ByState"]
		}
		put, update := of["putitem"], of["updateitem"]
		if len(put.Keys) != 1 || put.Keys[0] != (stats.EntryKey{Hash: hash("ByState.queued"), Write: 10 * n}) || put.Calls != 10*n {
			t.Errorf("%d: puts: %+v", i, put)
		}
		if len(update.Keys) != 2 || update.Keys[0].Write != 40*n || update.Keys[1].Write != 40*n || update.Keys[0].Hash > update.Keys[1].Hash {
			t.Errorf("%d: updates: %+v", i, update)
		}
		if owner := of["owner"]; len(owner.Keys) != 10 || owner.Many {
			t.Errorf("%d: few keys: %+v", i, owner)
		}
		if other := of["other"]; len(other.Keys) != 0 || !other.Many || other.Calls != 40*n {
			t.Errorf("%d: many keys: %+v", i, other)
		}
	}
}

// Indexes of different tables that are called the same are told apart in a transaction on both.
func TestEntriesOfSeveralTables(t *testing.T) {
	s := newScript(stats.Options{})
	var arms []stats.Arm
	var parts []stats.Part
	for i, table := range []string{"Orders", "Shop"} {
		arms = append(arms, stats.Arm{Table: table, Write: 2}, stats.Arm{Table: table, Index: "ByState", Write: float64(2 + i)})
		parts = append(parts, stats.Part{Table: table, Index: "ByState", Partition: stats.KeyID{Hash: hash(table + ".open")}, Write: float64(2 + i)})
	}
	for range 3 {
		s.do(8, "TransactWriteItems", "", func(e *stats.Event) { e.Table, e.Arms, e.Parts = "", arms, parts })
	}
	s.do(8, "BatchWriteItem", "", func(e *stats.Event) { e.Arms, e.Parts = arms, parts }) // named as of one of them
	s.do(8, "PutItem", "o1", func(e *stats.Event) { e.Arms, e.Parts = arms[2:], parts[1:] })
	for _, o := range s.c.Snapshot().Operations {
		want := map[string]float64{"Orders": 6, "Shop": 9}
		switch o.Operation {
		case "BatchWriteItem":
			want = map[string]float64{"Orders": 2, "Shop": 3}
		case "PutItem":
			want = map[string]float64{"Shop": 3}
		}
		for _, table := range []string{"Orders", "Shop", ""} {
			e := o.EntriesOf(table, "ByState")
			switch {
			case (e == nil) != (want[table] == 0):
				t.Errorf("%s: entries of %s: %+v", o.Operation, table, e)
			case e != nil && (e.Write != want[table] || len(e.Keys) != 1 || e.Keys[0] != stats.EntryKey{Hash: hash(table + ".open"), Write: want[table]}):
				t.Errorf("%s: entries of %s: %+v", o.Operation, table, e)
			}
		}
	}
}
