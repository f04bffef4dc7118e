package stats_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/stats"
)

// traffic does things of every kind.
func traffic(t testing.TB, db *tablewright.DB, seed uint64, n int) {
	r := rand.New(rand.NewPCG(seed, 1))
	ctx := t.Context()
	for range n {
		id, line := fmt.Sprint(int(math.Exp(r.Float64()*4))), fmt.Sprint(r.IntN(3))
		key := orderKey{id, line}
		var err error
		switch r.IntN(8) {
		case 0, 1, 2:
			err = orders.Put(order{ID: id, Line: line, Customer: "c" + id, Note: strings.Repeat("x", r.IntN(3000))}).Run(ctx, db)
		case 3:
			_, _ = orders.Get(key).Run(ctx, db)
		case 4:
			_, err = linesOfOrder.With(id).Slice(ctx, db)
		case 5:
			_ = orders.Update(key, orders.Count.Plus(1)).If(orders.Count.AtMost(2)).Run(ctx, db)
		case 6:
			err = tablewright.BatchOf(orders.Put(order{ID: id, Line: "8", Customer: "c1"}), orders.Delete(key)).Run(ctx, db)
		case 7:
			err = tablewright.Transact(orders.Put(order{ID: id, Line: "9", Customer: "c2"}), orders.Delete(key)).Run(ctx, db)
		}
		must(t, err)
	}
}

// same compares what two snapshots say, but for when they were taken and rounding.
func same(t testing.TB, got, want *stats.Snapshot) {
	t.Helper()
	got.From, got.To, got.Watched, got.Sources = want.From, want.To, want.Watched, want.Sources
	var a, b any
	for s, into := range map[*stats.Snapshot]*any{got: &a, want: &b} {
		for _, k := range []*stats.Keys{s.Partitions, s.Items, s.Throttled, s.Contended} { // loads are equal but for rounding
			slices.SortFunc(k.List, func(x, y stats.Key) int { return cmp.Compare(x.Hash, y.Hash) })
			for i := range k.List { // by a vote, which a tie leaves to chance
				k.List[i].Operation, k.List[i].Pattern = "", ""
				k.List[i].PeakReadMost, k.List[i].PeakWriteMost = 0, 0 // as the processors shared the calls
			}
		}
		text, err := json.Marshal(s)
		must(t, err)
		must(t, json.Unmarshal(text, into))
	}
	if where := difference("", a, b); where != "" {
		t.Error(where)
	}
}

func difference(at string, a, b any) string {
	switch x := a.(type) {
	case map[string]any:
		y, _ := b.(map[string]any)
		if len(x) != len(y) {
			return fmt.Sprintf("%s: %d members, want %d", at, len(x), len(y))
		}
		for name := range x {
			if d := difference(at+"."+name, x[name], y[name]); d != "" {
				return d
			}
		}
	case []any:
		y, _ := b.([]any)
		if len(x) != len(y) {
			return fmt.Sprintf("%s: %d elements, want %d", at, len(x), len(y))
		}
		for i := range x {
			if d := difference(fmt.Sprintf("%s[%d]", at, i), x[i], y[i]); d != "" {
				return d
			}
		}
	case float64:
		y, ok := b.(float64)
		if !ok || math.Abs(x-y) > 1e-5*max(math.Abs(x), 1e-9) {
			return fmt.Sprintf("%s: %v, want %v", at, a, b)
		}
	default:
		if a != b {
			return fmt.Sprintf("%s: %v, want %v", at, a, b)
		}
	}
	return ""
}

// From a journal everything can be computed again, also after it was written and read.
func TestJournalTellsEverything(t *testing.T) {
	for _, o := range []stats.Options{{}, {Detail: 1}, {HashKeys: []byte("secret")}, {NoUnits: true}} {
		c := stats.NewCollector(o)
		db := open(t, c)
		c.Reset()
		j := c.Journal(stats.JournalOptions{Keys: true})
		traffic(t, db, 7, 600)
		j.Stop()
		want := c.Snapshot()
		surfaced := 0.0
		for _, o := range want.Operations { // what became of errors came after the calls: a journal says nothing of it
			surfaced += o.Surfaced
			o.Surfaced, o.Asked = 0, 0
		}
		if surfaced == 0 {
			t.Error("no error of a condition was given to the program")
		}
		if len(want.Tables) == 0 {
			t.Error("no table is declared")
		}
		traffic(t, db, 8, 5) // nobody looks

		var b bytes.Buffer
		_, err := j.WriteTo(&b)
		must(t, err)
		read, err := stats.ReadJournal(&b, 0)
		must(t, err)
		if read.Len() != j.Len() || read.Len() < 600 || j.Dropped() != 0 || read.KeySpace() != want.KeySpace {
			t.Fatalf("%d calls were written, %d read", j.Len(), read.Len())
		}
		again := stats.NewCollector(o)
		for e := range read.Events() {
			again.Record(e)
		}
		recorded := again.Snapshot()
		recorded.Tables = want.Tables // an event is of a call
		for _, got := range []*stats.Snapshot{recorded, read.Snapshot(o)} {
			if got.From.Before(want.From) || got.To.After(want.To) || got.Span() < want.Span()/2 || len(got.Watched) != 1 || got.Watched[0] != (stats.Period{From: got.From, To: got.To}) {
				t.Errorf("again it is of %v to %v, %v, and was of %v to %v", got.From, got.To, got.Watched, want.From, want.To)
			}
			same(t, got, want)
		}
	}
}

// What was recorded is of its own time; a Collector whose hook watches too covers both.
func TestRecordedTime(t *testing.T) {
	yesterday := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	clock := &settable{at: yesterday.AddDate(0, 0, 1)}
	record := func(c *stats.Collector) {
		for minute := range 60 {
			c.Record(&stats.Event{Start: yesterday.Add(time.Duration(minute) * time.Minute).UnixNano(), Took: time.Second, Operation: "GetItem", Table: "Shop", Weight: 10})
		}
	}
	last := yesterday.Add(59*time.Minute + time.Second)
	alone := stats.NewCollector(stats.Options{Clock: clock})
	record(alone)
	clock.at = clock.at.Add(time.Hour)
	if s := alone.Reset(); !s.From.Equal(yesterday) || !s.To.Equal(last) {
		t.Errorf("recorded calls are of %v to %v", s.From, s.To)
	}
	if s := alone.Snapshot(); !s.From.Equal(clock.at) || !s.To.Equal(clock.at) {
		t.Errorf("after a reset it is of %v to %v", s.From, s.To)
	}

	both := stats.NewCollector(stats.Options{Clock: clock})
	both.Hook(nothing)
	from := clock.at
	record(both)
	clock.at = clock.at.Add(time.Hour)
	if s := both.Snapshot(); len(s.Watched) != 2 || !s.From.Equal(yesterday) || !s.To.Equal(clock.at) || !s.Watched[0].To.Equal(last) || !s.Watched[1].From.Equal(from) {
		t.Errorf("calls before and after are of %v to %v, %v", s.From, s.To, s.Watched)
	}

	sampled := stats.NewCollector(stats.Options{})
	hook := sampled.Hook(nothing)
	j := sampled.Journal(stats.JournalOptions{Rate: 0.25})
	for i := range 100 {
		_ = hook.Do(t.Context(), getCall(i))
	}
	if s := j.Snapshot(stats.Options{}); s.Rate != 0.25 || !s.Hashed || s.Rate == sampled.Snapshot().Rate {
		t.Errorf("a quarter of the calls is a rate of %v, hashed: %t", s.Rate, s.Hashed)
	}
}

// A journal keeps the newest calls that it has room for, hashes instead of keys, and of a sample right sums.
func TestJournalIsBounded(t *testing.T) {
	c := stats.NewCollector(stats.Options{})
	hook := c.Hook(nothing)
	j := c.Journal(stats.JournalOptions{Bytes: 300 << 10})
	const n = 20_000
	for i := range n {
		_ = hook.Do(t.Context(), getCall(1_000_000+i))
	}
	var b bytes.Buffer
	_, err := j.WriteTo(&b)
	must(t, err)
	if b.Len() > 340<<10 || j.Dropped() == 0 || j.Dropped()+j.Len() != n || strings.Contains(b.String(), "o#1") {
		t.Errorf("%d bytes, %d calls kept, %d dropped", b.Len(), j.Len(), j.Dropped())
	}
	last := int64(0)
	for e := range j.Events() {
		if e.Start < last || e.Partition.Hash == 0 || e.Operation != "GetItem" || e.Table != "Shop" {
			t.Fatalf("%+v", e)
		}
		last = e.Start
	}
	j = c.Journal(stats.JournalOptions{Rate: 0.1})
	for i := range n {
		_ = hook.Do(t.Context(), getCall(i))
	}
	var sum float64
	for e := range j.Events() {
		sum += e.Weight
	}
	if math.Abs(sum-n) > 5*math.Sqrt(n*9) {
		t.Errorf("a tenth of %d calls stands for %v", n, sum)
	}
}

// Names are bounded by their bytes, too: of a program that makes up long ones most are called others.
func TestJournalOfManyNames(t *testing.T) {
	c := stats.NewCollector(stats.Options{Detail: 1})
	hook := c.Hook(nothing)
	j := c.Journal(stats.JournalOptions{Bytes: 400 << 10})
	for i := range 1000 {
		name := fmt.Sprintf("%d-%s", i, strings.Repeat("x", 1000))
		_ = hook.Do(t.Context(), &tablewright.Call{Operation: "PutItem", Table: "Shop", Attempt: 1, Write: 1, Request: fmt.Appendf(nil, `{"TableName":"Shop","Item":{%q:{"S":"x"}}}`, name)})
	}
	var b bytes.Buffer
	_, err := j.WriteTo(&b)
	must(t, err)
	if b.Len() > 500<<10 || j.Dropped() > 0 {
		t.Errorf("%d bytes, %d calls dropped", b.Len(), j.Dropped())
	}
	read, err := stats.ReadJournal(&b, 0)
	must(t, err)
	if read.Len() != 1000 {
		t.Errorf("%d calls", read.Len())
	}
}

func FuzzReadJournal(f *testing.F) {
	c := stats.NewCollector(stats.Options{Detail: 1})
	j := c.Journal(stats.JournalOptions{Keys: true})
	db := open(f, c)
	traffic(f, db, 9, 12)
	var b bytes.Buffer
	_, err := j.WriteTo(&b)
	must(f, err)
	f.Add(b.Bytes())
	f.Add([]byte("tablewright-journal 2\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		j, err := stats.ReadJournal(bytes.NewReader(text), 1<<20)
		if err != nil {
			return
		}
		c := stats.NewCollector(stats.Options{Keys: 64})
		for e := range j.Events() {
			c.Record(e)
		}
		var out bytes.Buffer
		must(t, c.Snapshot().Write(&out))
		if _, err := stats.ReadSnapshot(&out); err != nil {
			t.Error(err)
		}
	})
}

// What is no export is told with what is wrong with it.
func TestReadSnapshotMistakes(t *testing.T) {
	for text, want := range map[string]string{
		``: "ends in the middle", `{"tablewrightStats":1,"kept":2,"oper`: "ends in the middle", `{"kept":2}`: "no export of statistics",
		`{"tablewrightStats":1}`: "kept is 0", `{"tablewrightStats":99,"kept":2}`: "newer than this program", `{"tablewrightStats":-1}`: "format -1",
		`{"tablewrightStats":1,"kept":2,"rate":2}`:                                                                                        "rate of 2",
		`{"tablewrightStats":1,"kept":2,"from":"2026-01-02T00:00:00Z","to":"2026-01-01T00:00:00Z"}`:                                       "before it begins",
		`{"tablewrightStats":1,"kept":2}` + "\n" + `{"tablewrightStats":1,"kept":2}`:                                                      "more follows after the export",
		`{"tablewrightStats":1,"kept":2}]`:                                                                                                "more follows",
		`{"tablewrightStats":1,"kept":2,"operations":[{"operation":"PutItem","entries":{"ByState":{"keys":[{"hash":"1","write":-1}]}}}]}`: "entries of index ByState",
	} {
		if _, err := stats.ReadSnapshot(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := stats.ReadSnapshot(strings.NewReader(`{"tablewrightStats":1,"kept":2}` + "\n\n")); err != nil {
		t.Error(err)
	}
}

func FuzzReadSnapshot(f *testing.F) {
	c := stats.NewCollector(stats.Options{Detail: 1, Keys: 64})
	db := open(f, c)
	traffic(f, db, 10, 30)
	var b bytes.Buffer
	must(f, c.Snapshot().Write(&b))
	f.Add(b.String())
	f.Add(`{"tablewrightStats":1,"kept":2,"operations":[{"operation":"GetItem","took":{"sum":1,"min":1,"max":1,"buckets":[1],"counts":[1]}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := stats.ReadSnapshot(strings.NewReader(text))
		if err != nil {
			return
		}
		both, err := stats.Merge(s, s)
		must(t, err)
		for _, o := range both.Operations {
			_, _, _ = o.Took.Quantile(0.5), o.Took.Mean(), o.Traffic.Peak()
		}
		var out bytes.Buffer
		must(t, both.WritePrometheus(&out, stats.PrometheusOptions{Keys: 3}))
		out.Reset()
		if err := both.Write(&out); err != nil {
			return // sums that are beyond what numbers can be
		}
		if _, err := stats.ReadSnapshot(&out); err != nil {
			t.Error(err)
		}
	})
}
