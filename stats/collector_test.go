package stats_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/wire"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What a program does is what the statistics say, operation by operation; units are those that the client itself measures.
func TestWhatAProgramDoes(t *testing.T) {
	c := stats.NewCollector(stats.Options{Detail: 1})
	db := open(t, c)
	c.Reset()
	var used tablewright.Usage
	db = db.Measure(&used)
	ctx := t.Context()
	for i := range 10 {
		must(t, orders.Put(order{ID: "o1", Line: fmt.Sprint(i), Customer: "c1", Note: strings.Repeat("x", 2000*i)}).Run(ctx, db))
	}
	_, err := orders.Get(orderKey{"o1", "3"}).Consistent().Run(ctx, db)
	must(t, err)
	_, err = orders.Get(orderKey{"o1", "none"}).Run(ctx, db)
	if !errors.Is(err, tablewright.ErrNotFound) {
		t.Fatal(err)
	}
	lines, err := linesOfOrder.With("o1").Evaluate(4).Slice(ctx, db)
	must(t, err)
	if len(lines) != 10 {
		t.Fatalf("%d lines", len(lines))
	}
	_, err = orders.ByCustomer.Of("c1").Filter(orders.Count.Equals(1)).Slice(ctx, db)
	must(t, err)
	must(t, orders.Update(orderKey{"o1", "1"}, orders.Count.Set(5), orders.Note.Remove()).If(orders.Count.Equals(0)).Run(ctx, db))
	err = orders.Update(orderKey{"o1", "1"}, orders.Count.Set(6)).If(orders.Count.Equals(0)).Run(ctx, db)
	if !errors.Is(err, tablewright.ErrConditionFailed) {
		t.Fatal(err)
	}
	must(t, tablewright.BatchOf(orders.Put(order{ID: "o2", Line: "1", Customer: "c2"}), orders.Put(order{ID: "o3", Line: "1", Customer: "c3"}), orders.Delete(orderKey{"o1", "0"})).Run(ctx, db))
	must(t, tablewright.Transact(orders.Put(order{ID: "o2", Line: "2", Customer: "c2"}), orders.Delete(orderKey{"o1", "absent"})).Run(ctx, db))

	s := c.Snapshot()
	var read, write float64
	for _, o := range s.Operations {
		read += o.Read
		write += o.Write
		if o.ComputedRead+o.ComputedWrite > 0 && o.Operation != "UpdateItem" {
			t.Errorf("%s: %v and %v units are computed", o.Operation, o.ComputedRead, o.ComputedWrite)
		}
	}
	update := operation(t, s, "UpdateItem", "")
	if read != float64(used.Read) || write-update.ComputedWrite != float64(used.Write) {
		t.Errorf("%v and %v units, the client says %v and %v", read, write-update.ComputedWrite, used.Read, used.Write)
	}
	if update.ComputedWrite != 1 || update.Refused != 1 || update.Outcomes[stats.Refused] != 1 || update.Outcomes[stats.Done] != 1 || update.Conditional != 2 {
		t.Errorf("updates: %+v", update.Counts)
	}
	if a := update.Attributes; a["count"].Written != 2 || a["note"].Written != 1 || a["count"].Tested != 2 {
		t.Errorf("attributes of updates: count %+v, note %+v", a["count"], a["note"])
	}
	put := operation(t, s, "PutItem", "")
	if put.Calls != 10 || put.Sizes.Count() != 10 || put.Sizes.Max() < 18_000 || put.Sizes.Max() > 18_100 || put.Attributes["note"].Written != 9 || put.Attributes["PK"].Written != 10 {
		t.Errorf("puts: %+v, sizes up to %d, note %+v", put.Counts, put.Sizes.Max(), put.Attributes["note"])
	}
	get := operation(t, s, "GetItem", "")
	if get.Calls != 2 || get.Items != 1 || get.Empty != 1 || get.Consistent != 1 || get.Took.Count() != 2 || get.Took.Min() <= 0 {
		t.Errorf("gets: %+v, took %d to %d", get.Counts, get.Took.Min(), get.Took.Max())
	}
	var sum float64
	for _, a := range put.Arms {
		sum += a.Write
	}
	if len(put.Arms) != 2 || put.Arms[0].Index != "" || put.Arms[1].Index != "ByCustomer" || sum != put.Write || put.Arms[1].Write < 10 {
		t.Errorf("puts consumed %+v, together %v", put.Arms, put.Write)
	}
	query := operation(t, s, "Query", "")
	if query.Pattern != "linesOfOrder" || query.Calls != 3 || query.More != 2 || query.Resumed != 2 || query.Items != 10 || query.MostItems != 4 || query.Limited != 3 {
		t.Errorf("queries of %s: %+v", query.Pattern, query.Counts)
	}
	filtered := operation(t, s, "Query", "ByCustomer")
	if filtered.Filtered != 1 || filtered.Scanned != 10 || filtered.Items != 0 || filtered.Empty != 1 || filtered.Attributes["count"].Tested != 1 {
		t.Errorf("queries of the index: %+v", filtered.Counts)
	}
	if b := operation(t, s, "BatchWriteItem", ""); b.Parts != 3 {
		t.Errorf("batches: %+v", b.Counts)
	}
	if x := operation(t, s, "TransactWriteItems", ""); x.Parts != 2 || x.Tokened != 1 {
		t.Errorf("transactions: %+v", x.Counts)
	}
	arms := map[string]*stats.Consumption{}
	for _, x := range s.Consumed {
		arms[x.Table+"."+x.Index] = x
	}
	for name, u := range used.Arms {
		if !strings.Contains(name, ".") {
			name += "."
		}
		x := arms[name]
		if x == nil || x.Read != float64(u.Read) || x.Write-x.ComputedWrite != float64(u.Write) || x.Traffic.Sum().Write != x.Write {
			t.Errorf("%s: %+v, the client says %+v", name, x, u)
		}
	}
	if n := arms["Shop."].Partitions.Count(); math.Round(n) != 3 {
		t.Errorf("%v partition keys", n)
	}
	if n := arms["Shop."].Items.Count(); math.Round(n) != 15 { // 10 lines, two that are not there, o2 twice, o3
		t.Errorf("%v items", n)
	}
	top := s.Partitions.List[0]
	if top.Key != `{"PK":{"S":"o#o1"}}` || top.Table != "Shop" || top.Missed != 0 {
		t.Errorf("the hottest partition key is %+v", top)
	}
	var index, o2 stats.Key
	for _, k := range s.Partitions.List {
		switch k.Key {
		case `{"customerId":{"S":"c1"}}`:
			index = k
		case `{"PK":{"S":"o#o2"}}`:
			o2 = k
		}
	}
	if index.Index != "ByCustomer" || index.Write < 10 || index.Read == 0 {
		t.Errorf("the index's hottest key is %+v", index)
	}
	if o2.Write != 1+2 || o2.Calls != 2 { // a put in a batch, and one in a transaction
		t.Errorf("o2 has %+v", o2)
	}
	if len(s.Contended.List) != 1 || s.Contended.List[0].Key != `{"PK":{"S":"o#o1"},"SK":{"S":"l#1"}}` || s.Contended.List[0].Load != 1 {
		t.Errorf("contended: %+v", s.Contended)
	}
	if z := s.Sizes[0]; z.Table != "Shop" || z.Largest[0].MaxBytes != int(put.Sizes.Max()) || z.Largest[0].Key != `{"PK":{"S":"o#o1"},"SK":{"S":"l#9"}}` || len(z.Sample) != 13 {
		t.Errorf("sizes: %+v", z)
	}
}

// failing answers with errors.
func failing(errs ...error) tablewright.Hook {
	return func(tablewright.Transport) tablewright.Transport {
		i := 0
		return tablewright.TransportFunc(func(context.Context, *tablewright.Call) error {
			i++
			return errs[min(i, len(errs))-1]
		})
	}
}

// Each way in which a call ends is counted for itself, with the service's reasons.
func TestOutcomes(t *testing.T) {
	throttled := wire.NewError(wire.CodeThroughputExceeded, "slow down")
	throttled.Throttling = []wire.ThrottlingReason{{Reason: "IndexWriteKeyRangeThroughputExceeded", Resource: "arn:aws:dynamodb:eu-west-1:1:table/Shop/index/ByCustomer"}}
	cancelled := wire.NewError(wire.CodeTransactionCanceled, "")
	cancelled.Reasons = []wire.CancellationReason{{Code: "None"}, {Code: "ConditionalCheckFailed"}, {Code: "ConditionalCheckFailed"}}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		err     error
		outcome stats.Outcome
		reason  string
	}{
		{throttled, stats.Throttled, "IndexWriteKeyRangeThroughputExceeded Shop.ByCustomer"},
		{fmt.Errorf("wrapped: %w", throttled), stats.Throttled, "IndexWriteKeyRangeThroughputExceeded Shop.ByCustomer"},
		{wire.NewError(wire.CodeThrottling, ""), stats.Throttled, "(not told)"},
		{wire.NewError(wire.CodeTransactionConflict, ""), stats.Conflict, ""},
		{cancelled, stats.Refused, ""},
		{wire.Invalid("no"), stats.Invalid, ""},
		{wire.NewError(wire.CodeResourceNotFound, ""), stats.Invalid, ""},
		{wire.NewError(wire.CodeInternal, ""), stats.Failed, ""},
		{io.ErrUnexpectedEOF, stats.Lost, ""},
		{context.Canceled, stats.Ended, ""},
	} {
		c := stats.NewCollector(stats.Options{})
		ctx := t.Context()
		if test.outcome == stats.Ended {
			ctx = ended
		}
		call := getCall(1)
		call.Operation, call.Read, call.Response, call.Attempt = "UpdateItem", 0, nil, 3
		_ = failing(test.err)(nil).Do(ctx, call)
		if err := c.Hook(failing(test.err)(nil)).Do(ctx, call); err != test.err {
			t.Errorf("%v became %v", test.err, err)
		}
		s := c.Snapshot()
		o := s.Operations[0]
		if o.Outcomes[test.outcome] != 1 || o.Retries != 1 || o.Write != 0 && test.outcome != stats.Refused {
			t.Errorf("%v: %+v", test.err, o.Counts)
		}
		if test.reason != "" && (o.Throttling[test.reason] != 1 || len(s.Throttled.List) != 1 || s.Throttled.List[0].Calls != 1) {
			t.Errorf("%v: reasons %v, keys %+v", test.err, o.Throttling, s.Throttled)
		}
		if test.err == error(cancelled) && o.Refused != 2 {
			t.Errorf("%v conditions were refused", o.Refused)
		}
	}
}

// Sampled sums are right on average, and rates 0 and 1 do what they say.
func TestSampling(t *testing.T) {
	for _, rate := range []float64{0, 0.05, 0.5, 1} {
		c := stats.NewCollector(stats.Options{})
		c.SetRate(rate)
		hook := c.Hook(nothing)
		const n = 20_000
		for i := range n {
			_ = hook.Do(t.Context(), getCall(i%10))
		}
		var calls, detailed, read float64
		s := c.Snapshot()
		for _, o := range s.Operations {
			calls, detailed, read = o.Calls, o.Detailed, o.Read
		}
		if s.Rate != rate && rate > 0 {
			t.Errorf("rate %v is told as %v", rate, s.Rate)
		}
		if all, err := stats.Merge(stats.NewCollector(stats.Options{}).Snapshot(), s); err != nil || rate > 0 && all.Rate != rate {
			t.Errorf("merged the rate is %v, %v", all.Rate, err)
		}
		want, spread := float64(n), 5*math.Sqrt(n*(1-rate)/max(rate, 1e-9))
		if rate == 0 {
			want, spread = 0, 0
		}
		if math.Abs(calls-want) > spread || math.Abs(read-calls/2) > 1e-6*calls || math.Abs(s.Partitions.Total-calls*0.5/3000) > 1e-6 {
			t.Errorf("rate %v: %v calls of %v, %v units", rate, calls, want, read)
		}
		if rate > 0 && math.Abs(detailed-n) > 5*math.Sqrt(n/rate*32) {
			t.Errorf("rate %v: calls that were looked into stand for %v of %v", rate, detailed, n)
		}
	}
}

// Keys that are hashed are nowhere to be found, and are the same for who has the secret.
func TestHashedKeys(t *testing.T) {
	var out [3]strings.Builder
	var all [3]*stats.Snapshot
	for i, secret := range []string{"one", "one", "two"} {
		c := stats.NewCollector(stats.Options{HashKeys: []byte(secret), Detail: 1})
		j := c.Journal(stats.JournalOptions{Keys: true})
		hook := c.Hook(nothing)
		for id := range 100 {
			_ = hook.Do(t.Context(), getCall(77_000+id))
		}
		all[i] = c.Snapshot()
		must(t, all[i].Write(&out[i]))
		_, err := j.WriteTo(&out[i])
		must(t, err)
		if strings.Contains(out[i].String(), "o#") || len(all[i].Items.List) != 100 || len(all[i].Sizes[0].Sample) != 100 {
			t.Errorf("secret %s: %d items; %.200s", secret, len(all[i].Items.List), out[i].String())
		}
	}
	hashes := map[uint64]int{}
	for i, s := range all {
		for _, k := range s.Items.List {
			hashes[k.Hash] += []int{1, 1, 10}[i]
		}
	}
	for hash, n := range hashes {
		if n != 2 && n != 10 {
			t.Errorf("hash %x is there %d times", hash, n)
		}
	}
	if _, err := stats.Merge(all[0], all[1]); err != nil {
		t.Error(err)
	}
	if _, err := stats.Merge(all[0], all[2]); err == nil {
		t.Error("keys of different secrets were merged")
	}
}

// Long answers are looked into more seldom and stand for as many more: what is said of them stands for all calls nevertheless, and
// looking costs each kind of call about the same.
func TestLongAnswersAreSampled(t *testing.T) {
	const calls, items = 60_000, 30
	hook := func(o stats.Options) (*stats.Collector, tablewright.Transport) {
		c := stats.NewCollector(o)
		return c, c.Hook(nothing)
	}
	page := `{"Count":30,"Items":[` + item + strings.Repeat(","+item, items-1) + `],"ScannedCount":30}`
	query := getCall(1)
	query.Operation, query.Index, query.ItemKey, query.Items, query.Scanned, query.Response = "Query", "ByCustomer", nil, items, items, []byte(page)
	c, some := hook(stats.Options{})
	all, every := hook(stats.Options{Detail: 1})
	journal := c.Journal(stats.JournalOptions{Bytes: 64 << 20})
	for range calls {
		_ = some.Do(t.Context(), query)
	}
	for range 1000 {
		_ = every.Do(t.Context(), query)
	}
	sampled, whole := c.Snapshot().Operations[0], all.Snapshot().Operations[0]
	if whole.Detailed != 1000 {
		t.Errorf("of all calls %v of 1000 are looked into", whole.Detailed)
	}
	n := len(page) / 1024 // so many times fewer, each stands for 32 n
	looked := 0
	for e := range journal.Events() {
		if e.Detail != nil {
			looked++
		}
	}
	// The first 256, and of the next, until one in 32 is more, ever fewer; of each processor that the calls came to.
	begin := 256 * (1 + math.Log(32)/float64(n)) * float64(min(runtime.GOMAXPROCS(0), 8))
	if most := int(begin*5/4) + calls/32/n*3/2; looked > most {
		t.Errorf("%d calls were looked into, at most %d", looked, most)
	}
	if deviation := 6 * math.Sqrt(calls*32*float64(n)); math.Abs(sampled.Detailed-calls) > deviation {
		t.Errorf("what was looked into stands for %.0f calls of %d", sampled.Detailed, calls)
	}
	for name, a := range sampled.Attributes {
		if got, want := a.Read/sampled.Detailed, whole.Attributes[name].Read/whole.Detailed; math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%s is read %v times by a call, want %v", name, got, want)
		}
	}
	if len(sampled.Attributes) != len(whole.Attributes) || len(whole.Attributes) == 0 {
		t.Errorf("%d attributes, want %d", len(sampled.Attributes), len(whole.Attributes))
	}
}
