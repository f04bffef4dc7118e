package rules_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules"
)

// busyDays have a collector see as many different things as it keeps: 512 operations on 32 tables with an index each, more keys than it
// holds, two days by the minute. Each of the calls is seen by its hook and stands for many, so that there are so many of them together.
func busyDays(t testing.TB, calls, all int) (*stats.Collector, []*tablewright.Table) {
	t.Helper()
	clock := &settable{time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)}
	var tables []*tablewright.Table
	for i := range 32 {
		tables = append(tables, tablewright.NewTable(plan.Table{Name: fmt.Sprintf("Table%02d", i), Key: plan.Key{Partition: "PK", Sort: "SK"},
			GSI: map[string]plan.Index{"ByStatus": {Partition: []string{"status"}, Sort: []string{"SK"}}}, Attributes: map[string]plan.Type{"PK": plan.S, "SK": plan.S, "status": plan.S}}))
	}
	c := stats.NewCollector(stats.Options{Clock: clock, Tables: tables})
	answer := ""
	hook := c.Hook(tablewright.TransportFunc(func(_ context.Context, call *tablewright.Call) error {
		call.Response = append(call.Response[:0], answer...)
		clock.at = clock.at.Add(4 * time.Millisecond)
		return nil
	}))
	journal := c.Journal(stats.JournalOptions{Keys: true, Bytes: 64 << 20})
	r := rand.New(rand.NewPCG(1, 2))
	step := 48 * time.Hour / time.Duration(calls)
	for i := range calls {
		clock.at = clock.at.Add(step)
		table, key, pattern := tables[r.IntN(32)].Name(), r.IntN(1+r.IntN(20_000)), r.IntN(4)
		item := fmt.Sprintf(`{"PK":{"S":"c#%06d"},"SK":{"S":"o#%d"},"status":{"S":"s%d"},"total":{"N":"%d"},"note":{"S":"%0*d"}}`, key, i%50, pattern, i, 50+r.IntN(2000), i)
		call := tablewright.Call{Operation: []string{"PutItem", "GetItem", "Query", "UpdateItem"}[i%4], Table: table, Pattern: fmt.Sprintf("pattern%d", pattern), Attempt: 1,
			Key: fmt.Appendf(nil, `{"PK":{"S":"c#%06d"}}`, key), Items: 1, Scanned: 1, Read: 0.5}
		whole := fmt.Sprintf(`{"PK":{"S":"c#%06d"},"SK":{"S":"o#%d"}}`, key, i%50)
		call.ItemKey = []byte(whole)
		switch i % 4 {
		case 0:
			call.Request, answer, call.Read, call.Write = []byte(`{"Item":`+item+`}`), `{}`, 0, 2
		case 1:
			call.Request, answer = []byte(`{"Key":`+whole+`,"ConsistentRead":true}`), `{"Item":`+item+`}`
		case 2:
			call.Request, answer, call.ItemKey = []byte(`{"KeyConditionExpression":"PK = :p","FilterExpression":"total > :t"}`), `{"Items":[`+item+`],"Count":1,"ScannedCount":9}`, nil
			call.Scanned = 9
		case 3:
			call.Request, answer, call.Read, call.Write = []byte(`{"Key":`+whole+`,"UpdateExpression":"SET total = :t","ConditionExpression":"total < :t"}`), `{}`, 0, 1
		}
		type request struct{ context.Context }
		_ = hook.Do(&request{t.Context()}, &call)
	}
	journal.Stop()
	for e := range journal.Events() {
		e.Weight, e.Caller = float64(all/calls-1), 0
		if e.Operation == "PutItem" { // each item has an entry under a key of its own
			e.Arms = []stats.Arm{{Table: e.Table, Write: 1}, {Table: e.Table, Index: "ByStatus", Write: 1}}
			e.Parts = []stats.Part{{Table: e.Table, Index: "ByStatus", Partition: stats.KeyID{Hash: e.Item.Hash}, Write: 1}}
		}
		c.Record(e)
	}
	return c, tables
}

// settable is a clock that stands where it is put.
type settable struct{ at time.Time }

func (s *settable) Now() time.Time { return s.at }

// Findings over ten million calls take less than a second, the copy of what the collector knows included, whatever they are of:
// what it keeps is bounded.
func TestFindingsOverTenMillionCalls(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	c, tables := busyDays(t, 20_000, 10_000_000)
	a := rules.NewAdviser(c, rules.Options{Tables: tables})
	start := worked()
	found := a.All()
	took := worked() - start
	calls := 0.0
	s := c.Snapshot()
	for _, o := range s.Operations {
		calls += o.Calls
	}
	t.Logf("%d findings over %.0f calls of %d operations and %d keys in %v", len(found), calls, len(s.Operations), len(s.Partitions.List), took)
	if calls < 9.9e6 || len(s.Operations) != 512 || took > time.Second {
		t.Errorf("%.0f calls of %d operations took %v", calls, len(s.Operations), took)
	}
	start = worked()
	if again := a.All(); worked()-start > 50*time.Millisecond || len(again) != len(found) {
		t.Errorf("asked again it took %v", worked()-start)
	}
}

// BenchmarkFindings is findings over ten million calls, snapshot included.
func BenchmarkFindings(b *testing.B) {
	c, tables := busyDays(b, 20_000, 10_000_000)
	var in rules.Input
	for _, t := range tables {
		in.Tables = append(in.Tables, &rules.Table{Declared: t.Definition()})
	}
	for b.Loop() {
		in.Stats = c.Snapshot()
		rules.Recommend(in)
	}
}
