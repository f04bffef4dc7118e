package tracebench_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
	"github.com/tablewright/tablewright/wire"
)

type item = tracebench.Item

var shop = plan.Table{
	Name: "Shop", Key: plan.Key{Partition: "PK", Sort: "SK"}, Attributes: map[string]plan.Type{"n": plan.N},
	GSI: map[string]plan.Index{"ByStatus": {Partition: []string{"status"}, Sort: []string{"n"}}},
	LSI: map[string]plan.Index{"ByN": {Sort: []string{"n"}}},
}

// near compares sums of many floating-point numbers.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(1, math.Abs(b)) }

// Every kind of call arrives as it should, and what the collectors saw is what the account has.
func TestAccount(t *testing.T) {
	for _, processes := range []int{1, 3} {
		tr := tracebench.Trace{Name: "all calls", Tables: []plan.Table{shop}, Processes: processes, Live: true,
			Seed: func(w *tracebench.World) { w.Store("Shop", item{"PK": "o#0", "SK": "x", "status": "old", "n": 1}) },
			Run: func(w *tracebench.World) {
				done := func(a *tracebench.Answer) *tracebench.Answer {
					if a.Err != nil {
						t.Error(a.Err)
					}
					return a
				}
				w.Traffic(time.Hour, 30, tracebench.Steady, func(c *tracebench.Caller) {
					n := w.Rand.IntN(100)
					key := item{"PK": fmt.Sprint("o#", n), "SK": "x"}
					done(c.Put("Shop", item{"PK": key["PK"], "SK": "x", "status": "new", "n": n, "b": []byte{1}, "t": true, "z": nil, "s": []string{"a", "b"}, "l": []any{1, "x"}, "m": item{"f": 1.5}, "note": tracebench.Text(2000)}, tracebench.Times(10)))
					if it := done(c.Get("Shop", key, tracebench.Consistent())).Item(); it.Len() != 11 {
						t.Errorf("%v came back", it)
					}
					done(c.Update("Shop", key, "SET #s = :s", tracebench.Names("#s", "status"), tracebench.Values(item{":s": "paid"}), tracebench.If("n = :n"), tracebench.Values(item{":n": n})))
					page := done(c.Query("Shop", "ByStatus", item{"status": "paid"}, tracebench.Limit(1), tracebench.Where("n BETWEEN :a AND :b"), tracebench.Values(item{":a": 0, ":b": 100})))
					if len(page.Items()) != 1 {
						t.Errorf("%s came back", page.Raw)
					}
					if page.Last != nil {
						done(c.Query("Shop", "ByStatus", item{"status": "paid"}, tracebench.After(page), tracebench.Where("n BETWEEN :a AND :b"), tracebench.Values(item{":a": 0, ":b": 100}), tracebench.Descending()))
					}
					done(c.Query("Shop", "ByN", item{"PK": key["PK"]}, tracebench.Filter("note <> :n"), tracebench.Values(item{":n": "-"}), tracebench.Project("PK, n")))
					done(c.Scan("Shop", "", tracebench.Limit(3), tracebench.Count()))
					if all := done(c.BatchGet("Shop", []item{key, {"PK": "o#0", "SK": "x"}}, tracebench.Consistent())).Items(); len(all) == 0 {
						t.Error("a batch brought nothing")
					}
					done(c.BatchWrite("Shop", []item{{"PK": "b", "SK": fmt.Sprint(n)}}, []item{{"PK": "b", "SK": "none"}}))
					done(c.Transact([]tracebench.Action{{Do: "Put", Table: "Shop", Item: item{"PK": "t", "SK": "1"}}, {Do: "Update", Table: "Shop", Item: item{"PK": "t", "SK": "2"}, How: []tracebench.Option{tracebench.Set("ADD n :n"), tracebench.Values(item{":n": 1})}}},
						tracebench.Token(fmt.Sprint("token", w.Rand.Uint64())), tracebench.Pattern("both")))
					done(c.Transact([]tracebench.Action{{Do: "Get", Table: "Shop", Item: key}}))
					if old := done(c.Delete("Shop", key, tracebench.Return("ALL_OLD"))).Item(); old.Get("status").Str() != "paid" {
						t.Errorf("deleted %v", old)
					}
				})
			}}
		r := tr.Play(t)
		if r.Span != time.Hour || r.Stats.Span() != time.Hour || r.Stats.Sources != processes {
			t.Errorf("%v of %d sources", r.Span, r.Stats.Sources)
		}
		seen := map[tracebench.Place]tracebench.Units{}
		for _, c := range r.Stats.Consumed {
			seen[tracebench.Place{Table: c.Table, Index: c.Index}] = tracebench.Units{Read: c.Read, Write: c.Write}
			if c.ComputedRead+c.ComputedWrite > 0 {
				t.Errorf("%s.%s: units are computed", c.Table, c.Index)
			}
		}
		for _, at := range []tracebench.Place{{"Shop", ""}, {"Shop", "ByStatus"}, {"Shop", "ByN"}} {
			if u := r.Units[at]; u.Write == 0 || u.Read == 0 || !near(seen[at].Read, u.Read) || !near(seen[at].Write, u.Write) {
				t.Errorf("%v: %v, the collectors say %v", at, u, seen[at])
			}
		}
		for _, o := range r.Stats.Operations {
			switch {
			case o.Operation == "PutItem" && o.Calls != 300, o.Operation == "GetItem" && o.Consistent != o.Calls, o.Operation == "TransactWriteItems" && (o.Pattern != "both" || o.Tokened != 30),
				o.Operation == "PutItem" && !near(o.Detailed, 300):
				t.Errorf("%s by %q: %+v", o.Operation, o.Pattern, o.Counts)
			case o.Took.Min() < int64(2*time.Millisecond):
				t.Errorf("%s took %v", o.Operation, time.Duration(o.Took.Min()))
			}
		}
		perSecond := r.PerSecond()
		tariff := capacity.DefaultPrices().Tariff(capacity.Standard, capacity.OnDemand)
		units := tariff.Reads(capacity.ReadUnits(perSecond.Read)) + tariff.Writes(capacity.WriteUnits(perSecond.Write))
		if d := (r.Bill - units).Dollars(); d < -1e-6 || d > 1e-3 || len(r.Live) != 1 {
			t.Errorf("the bill is %v, units alone %v", r.Bill, units)
		}
	}
}

// A condition that fails costs what the item there does, which the answer does not say; a throttled call is repeated, and time
// passes.
func TestRefusedAndThrottled(t *testing.T) {
	tr := tracebench.Trace{Name: "refusals", Tables: []plan.Table{{Name: "Things", Key: plan.Key{Partition: "id"}, Billing: plan.Billing{Read: 5, Write: 5}}},
		Seed: func(w *tracebench.World) { w.Store("Things", item{"id": "a", "note": tracebench.Text(3000)}) },
		Run: func(w *tracebench.World) {
			c := w.Caller()
			for _, a := range []*tracebench.Answer{
				c.Put("Things", item{"id": "a"}, tracebench.If("attribute_not_exists(id)")),
				c.Update("Things", item{"id": "a"}, "SET x = :x", tracebench.If("x = :x"), tracebench.Values(item{":x": 1})),
			} {
				if !errors.Is(a.Err, wire.ErrConditionFailed) {
					t.Error(a.Err)
				}
			}
			w.Engine.Inject(engine.Fault{Operation: "GetItem", Throttle: true, Times: 3})
			if a := c.Get("Things", item{"id": "a"}, tracebench.Times(5)); a.Err != nil {
				t.Error(a.Err)
			}
			w.Engine.Inject(engine.Fault{Operation: "GetItem", Throttle: true, Times: 1})
			if a := c.Get("Things", item{"id": "a"}, tracebench.Once()); !errors.Is(a.Err, wire.ErrThrottled) {
				t.Error(a.Err)
			}
			w.Pause(time.Minute)
		}}
	r := tr.Play(t)
	at := tracebench.Place{Table: "Things"}
	if u := r.Units[at]; u.Write != 6 || u.Read != 2.5 {
		t.Errorf("%v", u)
	}
	for _, o := range r.Stats.Operations {
		if o.Operation == "GetItem" && (o.Calls != 21 || o.Outcomes[stats.Throttled] != 16 || o.Retries != 15) {
			t.Errorf("gets: %+v", o.Counts)
		}
	}
	tariff := capacity.DefaultPrices().Tariff(capacity.Standard, capacity.Provisioned)
	if want := tariff.Reads(5) + tariff.Writes(5); r.Bill != want {
		t.Errorf("a month costs %v, want %v", r.Bill, want)
	}
}

// The same trace is the same each time, and what is drawn for its traffic does not depend on how many calls there are.
func TestTraffic(t *testing.T) {
	for name, shape := range map[string]tracebench.Shape{"steady": tracebench.Steady, "daily": tracebench.Daily, "spiky": tracebench.Spiky, "growing": tracebench.Growing} {
		var runs [2][]time.Duration
		var keys [2][]int
		for i := range runs {
			tr := tracebench.Trace{Name: name, Tables: []plan.Table{{Name: "Things", Key: plan.Key{Partition: "id"}}}, Run: func(w *tracebench.World) {
				start := w.Clock.Now()
				zipf := w.Zipf(1, 100)
				w.Traffic(48*time.Hour, 1000, shape, func(c *tracebench.Caller) {
					runs[i] = append(runs[i], w.Clock.Now().Sub(start))
					keys[i] = append(keys[i], zipf())
					for range i {
						c.Get("Things", item{"id": "x"})
					}
				})
			}}
			tr.Play(t)
		}
		early, night, peak, most := 0, 0, 0, 0
		for i, at := range runs[0] {
			if at != runs[1][i] || keys[0][i] != keys[1][i] {
				t.Fatalf("%s: caller %d comes at %v and %v for %d and %d", name, i, at, runs[1][i], keys[0][i], keys[1][i])
			}
			if at < 24*time.Hour {
				early++
			}
			if h := int(at.Hours()) % 24; h < 6 {
				night++
			}
			if at%time.Hour < 2*time.Minute {
				peak++
			}
			if keys[0][i] == 0 {
				most++
			}
		}
		want := map[string][3][2]int{"steady": {{495, 505}, {240, 260}, {20, 50}}, "daily": {{495, 505}, {60, 140}, {20, 50}}, "spiky": {{480, 520}, {230, 270}, {580, 680}}, "growing": {{280, 300}, {160, 190}, {20, 50}}}[name]
		for j, n := range []int{early, night, peak} {
			if n < want[j][0] || n > want[j][1] {
				t.Errorf("%s: figure %d is %d, want %v", name, j, n, want[j])
			}
		}
		if most < 150 || most > 240 { // 1/5.19 of 1,000
			t.Errorf("%s: the first of a hundred is drawn %d times", name, most)
		}
	}
}
