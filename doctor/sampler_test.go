package doctor_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/doctor"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/wire"
)

func item(t testing.TB, text string) attr.Item {
	t.Helper()
	it, err := attr.ParseItem([]byte(text))
	must(t, err)
	return it
}

// What a sampler keeps of items is what a collector keeps of them: sizes, shapes and types, no values.
func TestSampler(t *testing.T) {
	s := doctor.NewSampler(plan.Table{Name: "T", Key: plan.Key{Partition: "PK", Sort: "SK"}}, doctor.SamplerOptions{})
	for i := range 1000 {
		s.Add(item(t, fmt.Sprintf(`{"PK":{"S":"o#%d"},"SK":{"S":"l#1"},"orderId":{"S":"%[1]d"},"secret":{"S":"tomato%[1]d%s"},"until":{"N":"1700000000"}}`, i, strings.Repeat("x", i))))
	}
	s.Add(item(t, `{"other":{"S":"x"}}`))
	into := doctor.Empty(stats.Thresholds{})
	into.Sizes = []*stats.ItemSizes{{Table: "S"}, {Table: "T", Largest: []stats.SizedItem{{Hash: 1}}}, {Table: "U"}}
	s.Into(into)
	if len(into.Sizes) != 3 || into.Sizes[0].Table != "S" || into.Sizes[2].Table != "U" {
		t.Fatalf("%+v", into.Sizes)
	}
	z := into.Sizes[1]
	if s.Items != 1001 || s.Passed() != 1 || len(z.Sample) != 256 || len(z.Largest) != 64 || z.Largest[0].Key != `{"PK":{"S":"o#999"},"SK":{"S":"l#1"}}` || int64(z.Largest[0].MaxBytes) < 1000 || s.Bytes < 500_000 {
		t.Errorf("%d items, %d passed over, sample of %d, largest %+v", s.Items, s.Passed(), len(z.Sample), z.Largest[0])
	}
	prints := map[string]stats.Print{}
	for _, p := range z.Sample[0].Attributes {
		prints[p.Name] = p
	}
	if p := prints["PK"]; p.Shape != "o#{orderId}" || p.Type != "S" {
		t.Errorf("PK: %+v", p)
	}
	if p := prints["until"]; p.Number != 1_700_000_000 || p.Type != "N" {
		t.Errorf("until: %+v", p)
	}
	if p := prints["secret"]; strings.Contains(p.Shape, "tomato") || p.Bytes < 10 {
		t.Errorf("secret: %+v", p)
	}
}

// Where keys are hashed nothing of them is kept, nor words that shapes would have.
func TestSamplerHides(t *testing.T) {
	s := doctor.NewSampler(plan.Table{Name: "T", Key: plan.Key{Partition: "PK"}}, doctor.SamplerOptions{HashKeys: []byte("0123456789abcdef")})
	for i := range 50 {
		s.Add(item(t, fmt.Sprintf(`{"PK":{"S":"tomato#%d"},"note":{"S":"tomato#x"}}`, i)))
	}
	into := doctor.Empty(stats.Thresholds{})
	s.Into(into)
	var text strings.Builder
	must(t, into.Write(&text))
	if len(into.Sizes[0].Sample) != 50 || strings.Contains(text.String(), "tomato") {
		t.Errorf("%d items: %s", len(into.Sizes[0].Sample), text.String())
	}
}

func TestGuessKey(t *testing.T) {
	for _, c := range []struct {
		items []string
		want  plan.Key
	}{
		{[]string{`{"a":{"S":"1"},"pk":{"S":"x"},"sk":{"S":"y"}}`, `{"pk":{"S":"x"},"sk":{"S":"z"}}`}, plan.Key{Partition: "pk", Sort: "sk"}},
		{[]string{`{"PK":{"S":"x"}}`}, plan.Key{Partition: "PK"}},
		{[]string{`{"a":{"S":"1"},"isbn":{"S":"x"},"year":{"N":"1"}}`, `{"a":{"S":"1"},"isbn":{"S":"y"},"year":{"N":"1"}}`}, plan.Key{Partition: "isbn"}},
		{[]string{`{"name":{"S":"1"},"userId":{"S":"x"}}`, `{"name":{"S":"2"},"userId":{"S":"y"}}`}, plan.Key{Partition: "userId"}},
		{[]string{`{"room":{"S":"1"},"at":{"N":"1"}}`, `{"room":{"S":"1"},"at":{"N":"2"}}`, `{"room":{"S":"2"},"at":{"N":"2"}}`}, plan.Key{Partition: "at", Sort: "room"}},
		{[]string{`{"a":{"BOOL":true}}`, `{"a":{"BOOL":false}}`}, plan.Key{}},
		{[]string{`{"a":{"S":"1"}}`, `{"b":{"S":"1"}}`}, plan.Key{}},
		{nil, plan.Key{}},
	} {
		var items []attr.Item
		for _, text := range c.items {
			items = append(items, item(t, text))
		}
		if got := doctor.GuessKey(items); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.items, got, c.want)
		}
	}
}

// filled is a table of so many items of so many bytes each, of which every hundredth has large bytes.
func filled(t testing.TB, items, bytes, large int, hooks ...tablewright.Hook) (*tablewright.DB, *tablewright.Description) {
	t.Helper()
	e, err := engine.Open("", &engine.Options{SweepEvery: -1})
	must(t, err)
	t.Cleanup(func() { must(t, e.Close()) })
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: hooks})
	table := tablewright.NewTable(plan.Table{Name: "Things", Attributes: map[string]plan.Type{"id": plan.S}, Key: plan.Key{Partition: "id"}})
	must(t, table.CreateIn(t.Context(), db))
	for i := range items {
		size := bytes
		if large > 0 && i%100 == 99 {
			size = large
		}
		it := attr.ItemOf(attr.Field{Name: "id", Value: attr.Text(fmt.Sprint("id", i))}, attr.Field{Name: "text", Value: attr.Text(strings.Repeat("x", size))})
		must(t, table.Raw().Put(it).Run(t.Context(), db))
	}
	d, err := tablewright.Describe(t.Context(), db, "Things")
	must(t, err)
	if d.Items != int64(items) {
		t.Fatalf("the table says it has %d items", d.Items)
	}
	return db, &d
}

// A sample keeps within its units, reads from all over the table, and all of a small one.
func TestSample(t *testing.T) {
	db, d := filled(t, 1000, 500, 0)
	for _, units := range []float64{1, 10, 50, 400} {
		told := 0
		s, err := doctor.Sample(t.Context(), db, d, doctor.SampleOptions{ReadUnits: capacity.ReadUnits(units), Seed: 1, Progress: func(p doctor.SampleProgress) { told++ }})
		must(t, err)
		if float64(s.Read) > units || s.Items == 0 || told != s.Requests || s.Sampler.Items != s.Items {
			t.Errorf("%v units: read %v with %d requests, %d items, told %d times", units, s.Read, s.Requests, s.Items, told)
		}
		if whole := s.Items == 1000; whole != (units == 400) || s.Whole != whole {
			t.Errorf("%v units: %d items, whole: %v", units, s.Items, s.Whole)
		}
		if units == 50 && (s.Items < 500 || float64(s.Read) < 40) {
			t.Errorf("of %v units %v were used, for %d items", units, s.Read, s.Items)
		}
	}
	// From all over: the keys of a tenth are not the first ones of a scan.
	seen := map[string]bool{}
	for seed := range uint64(3) {
		s, err := doctor.Sample(t.Context(), db, d, doctor.SampleOptions{ReadUnits: 20, Seed: seed + 1})
		must(t, err)
		into := doctor.Empty(stats.Thresholds{})
		s.Sampler.Into(into)
		for _, it := range into.Sizes[0].Sample {
			seen[it.Key] = true
		}
	}
	if len(seen) < 270 { // one sample keeps 256; how its readers take turns is not in the seed
		t.Errorf("three samples saw %d different items", len(seen))
	}
}

// Some items are much larger than most: the sample stays within its units once it has seen one.
func TestSampleOfLargeItems(t *testing.T) {
	db, d := filled(t, 600, 200, 60_000)
	over := 0
	for seed := range uint64(5) {
		s, err := doctor.Sample(t.Context(), db, d, doctor.SampleOptions{ReadUnits: 60, Seed: seed + 1})
		must(t, err)
		if s.Read > 60+8 { // a page with an item of 60 KB that nobody expected; a second one is not under way
			t.Errorf("%v units were read", s.Read)
		}
		if s.Read > 60 {
			over++
		}
		if s.Items < 50 {
			t.Errorf("%d items", s.Items)
		}
	}
	if over > 2 {
		t.Errorf("%d of 5 samples took more than they should", over)
	}
}

// Of few units not several such pages are under way at once: the first of them is the last.
func TestSampleOfFewUnits(t *testing.T) {
	db, d := filled(t, 600, 200, 150_000) // 19 units each
	for seed := range uint64(30) {
		s, err := doctor.Sample(t.Context(), db, d, doctor.SampleOptions{ReadUnits: 40, Seed: seed + 1})
		must(t, err)
		if s.Read > 40+20 {
			t.Errorf("%v units were read", s.Read)
		}
	}
}

func TestSampleEnds(t *testing.T) {
	n := 0
	ctx, cancel := context.WithCancel(t.Context())
	failure := error(nil)
	db, d := filled(t, 300, 500, 0, func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(c context.Context, call *tablewright.Call) error {
			if call.Operation == "Scan" {
				if n++; n == 3 {
					if failure != nil {
						return failure
					}
					cancel()
				}
			}
			return next.Do(c, call)
		})
	})
	s, err := doctor.Sample(ctx, db, d, doctor.SampleOptions{ReadUnits: 50, Parallel: 1})
	if !errors.Is(err, context.Canceled) || s.Requests < 1 || s.Requests > 3 || s.Whole {
		t.Errorf("interrupted: %v after %d requests", err, s.Requests)
	}
	n, failure = 0, wire.NewError("ValidationException", "gone")
	s, err = doctor.Sample(t.Context(), db, d, doctor.SampleOptions{ReadUnits: 50, Parallel: 1})
	if err == nil || !strings.Contains(err.Error(), "gone") || s.Items == 0 {
		t.Errorf("failed: %v after %d items", err, s.Items)
	}
	if _, err := doctor.Sample(t.Context(), db, d, doctor.SampleOptions{}); err == nil {
		t.Error("a sample without units")
	}
}

// A rate is kept, whatever is under way at once.
func TestSampleRate(t *testing.T) {
	db, d := filled(t, 300, 500, 0)
	start := time.Now()
	s, err := doctor.Sample(t.Context(), db, d, doctor.SampleOptions{ReadUnits: 15, Rate: 100, Seed: 1})
	must(t, err)
	if took := time.Since(start); took < 80*time.Millisecond || s.Read < 8 {
		t.Errorf("%v units in %v", s.Read, took)
	}
}
