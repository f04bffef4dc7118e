package rules_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// An export alone is enough for rules that look at how tables are declared.
func TestExportAlone(t *testing.T) {
	table := tablewright.NewTable(plan.Table{Name: "Rooms", Key: plan.Key{Partition: "room"}, GSI: map[string]plan.Index{"ByGuest": {Partition: []string{"guest"}}}})
	clock := engine.NewClock(time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC))
	c := stats.NewCollector(stats.Options{Clock: clock, Tables: []*tablewright.Table{table}})
	for i := range 9 * 24 {
		c.Record(&stats.Event{Start: clock.Now().UnixNano(), Took: time.Millisecond, Operation: "PutItem", Table: "Rooms", Pattern: "saveRoom", Attempt: 1, Weight: 1000, Write: 2, Units: stats.Reported,
			Arms: []stats.Arm{{Table: "Rooms", Write: 1}, {Table: "Rooms", Index: "ByGuest", Write: 1}}})
		c.Record(&stats.Event{Start: clock.Now().UnixNano(), Took: time.Millisecond, Operation: "GetItem", Table: "Rooms", Pattern: fmt.Sprint("room", i%2), Attempt: 1, Weight: 1000, Read: 0.5, Items: 1,
			Units: stats.Reported, Arms: []stats.Arm{{Table: "Rooms", Read: 0.5}}})
		clock.Advance(time.Hour)
	}
	var text bytes.Buffer
	if err := c.Snapshot().Write(&text); err != nil {
		t.Fatal(err)
	}
	read, err := stats.ReadSnapshot(&text)
	if err != nil {
		t.Fatal(err)
	}
	found := rules.Recommend(rules.Input{Stats: read})
	if len(found) == 0 || found[0].Rule != "unused-index" || found[0].Index != "ByGuest" || found[0].Saving == nil {
		t.Errorf("%v", found)
	}
	// Who describes the table knows better: there the index is gone.
	gone := &rules.Table{Declared: plan.Table{Name: "Rooms", Key: plan.Key{Partition: "room"}}}
	for _, f := range rules.Recommend(rules.Input{Stats: read, Tables: []*rules.Table{gone}}) {
		if f.Rule == "unused-index" {
			t.Errorf("%v", f)
		}
	}
}

// A sample of a table's items is enough for rules that look at items alone: of an index whose calls nobody saw it is not said that nobody
// reads it.
func TestItemsAlone(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	for _, rule := range []string{"concatenated-keys", "key-formats"} {
		i := slices.IndexFunc(traces[rule], func(tr tracebench.Trace) bool { return len(tr.Fires) > 0 })
		in := input(traces[rule][i].Play(t))
		alone := *in.Stats
		alone.Operations, alone.Consumed, alone.Episodes = nil, nil, nil
		in.Stats = &alone
		if found := rules.Recommend(in); !slices.ContainsFunc(found, func(f rules.Finding) bool { return f.Rule == rule && f.Calls == 0 }) {
			t.Errorf("%s: %v", rule, found)
		}
	}
}
