package rules_test

import (
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules"
)

// An index has provisioned units of its own, which its description tells and dropping it saves.
func TestProvisionedIndex(t *testing.T) {
	e := engine.New(t, engine.Options{})
	_, err := e.Do(t.Context(), "CreateTable", []byte(`{"TableName":"Shop","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"day","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"ProvisionedThroughput":{"ReadCapacityUnits":10,"WriteCapacityUnits":5},
		"GlobalSecondaryIndexes":[{"IndexName":"ByDay","KeySchema":[{"AttributeName":"day","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},
		"ProvisionedThroughput":{"ReadCapacityUnits":100,"WriteCapacityUnits":20}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	live, err := tablewright.Describe(t.Context(), tablewright.New(tablewright.InProcess(e), tablewright.Options{}), "Shop")
	if err != nil {
		t.Fatal(err)
	}
	if live.Table.Billing != (plan.Billing{Read: 10, Write: 5}) || live.Indexes["ByDay"].Billing != (plan.Billing{Read: 100, Write: 20}) {
		t.Fatalf("described %+v and %+v", live.Table.Billing, live.Indexes)
	}
	from := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	c := stats.NewCollector(stats.Options{Clock: fixed{from}})
	for i := range 1_000 {
		c.Record(&stats.Event{Start: from.Add(time.Duration(i) * 10 * time.Minute).UnixNano(), Operation: "GetItem", Table: "Shop", Read: 0.5,
			Arms: []stats.Arm{{Table: "Shop", Read: 0.5}}, Units: stats.Reported, Weight: 1})
	}
	s := c.Snapshot()
	s.To = from.Add(8 * 24 * time.Hour)
	s.Watched = []stats.Period{{From: from, To: s.To}}
	find := func() []rules.Finding {
		in := rules.Input{Stats: s, Prices: capacity.DefaultPrices(), Thresholds: s.Thresholds, Tables: []*rules.Table{{Declared: live.Table, Live: &live}}}
		return rules.ByID("unused-index").Find(&in)
	}
	found := find()
	if len(found) != 1 || found[0].Saving == nil || found[0].Saving.Monthly() != capacity.MoneyOf((100*0.00013+20*0.00065)*730*1e9) {
		t.Errorf("found %+v", found)
	}
	s.Watched = []stats.Period{{From: from, To: from.Add(time.Hour)}, {From: s.To.Add(-time.Hour), To: s.To}}
	if found := find(); len(found) != 0 {
		t.Errorf("of two hours of eight days: %+v", found[0].Title)
	}
}

type fixed struct{ time.Time }

func (f fixed) Now() time.Time { return f.Time }
