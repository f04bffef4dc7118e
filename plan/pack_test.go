package plan_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// cellars are readings of which those of half an hour lie in one item.
func cellars(t *testing.T) *fake {
	t.Helper()
	m, _ := document(t, "testdata/cellars.model.yaml", nil)
	p, problems := plan.Compile(m, requirements(t, "testdata/cellars.yaml", nil))
	for _, x := range problems {
		t.Fatal(x)
	}
	return newFake(p)
}

// minute is a time as an argument.
func minute(n int) string {
	return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Minute).Format("2006-01-02T15:04:05.000Z")
}

func reading(cellar string, n int) map[string]any {
	return map[string]any{"cellarId": cellar, "at": minute(n), "celsius": 100 - n, "alarm": n%9 == 0}
}

// minutes are the times of readings, in their order.
func minutes(t *testing.T, items []attr.Item) (out []int) {
	t.Helper()
	for _, it := range items {
		at, err := time.Parse("2006-01-02T15:04:05.000Z", it.Get("at").Str())
		if err != nil {
			t.Fatal(err)
		}
		n := int(at.Sub(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)).Minutes())
		if want := item(reading(it.Get("cellarId").Str(), n)); !attr.Equal(attr.Map(it), attr.Map(want)) {
			t.Errorf("%v, not %v", it, want)
		}
		out = append(out, n)
	}
	return out
}

// from and to are the minutes between two, by steps.
func fromTo(from, to, step int) (out []int) {
	for n := from; step > 0 && n <= to || step < 0 && n >= to; n += step {
		out = append(out, n)
	}
	return out
}

// TestPack: readings of half an hour are attributes of one item. Each is found by itself, in ranges that begin and end
// in the middle of items, in both directions, in pages that do, and by an index on the items that have one that it is
// about.
func TestPack(t *testing.T) {
	f := cellars(t)
	for n := range 200 {
		for _, cellar := range []string{"c1", "c2"} {
			if n%50 == 17 { // some are missing
				continue
			}
			if _, err := f.run("record", item(map[string]any{"reading": reading(cellar, n)}), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := len(f.tables["Readings"]); n != 2*7 {
		t.Errorf("%d items, not one each half hour", n)
	}
	has := func(all []int) []int {
		return slices.DeleteFunc(all, func(n int) bool { return n%50 == 17 || n > 199 || n < 0 })
	}
	for _, x := range []struct {
		pattern string
		args    map[string]any
		want    []int
	}{
		{"getReading", map[string]any{"at": minute(61)}, []int{61}},
		{"getReading", map[string]any{"at": minute(17)}, nil},
		{"getReadings", map[string]any{"from": minute(25), "to": minute(95)}, has(fromTo(25, 95, 1))},
		{"getReadings", map[string]any{"from": minute(30), "to": minute(30)}, []int{30}},
		{"getReadings", map[string]any{"from": minute(-10), "to": minute(500)}, has(fromTo(0, 199, 1))},
		{"getReadings", map[string]any{"from": minute(95), "to": minute(25)}, nil},
		{"getBack", map[string]any{"before": minute(90)}, has(fromTo(89, 0, -1))},
		{"getBack", map[string]any{"before": minute(91)}, has(fromTo(90, 0, -1))},
		{"getNewest", nil, []int{199, 198, 197}},
		{"getCold", map[string]any{"limit": -95}, []int{199, 198, 197, 196}},
		{"getAlarms", nil, has(fromTo(0, 198, 9))},
	} {
		args := item(x.args)
		args.Set("cellarId", attr.Text("c2"))
		got, _, err := f.pages(x.pattern, args, func() {})
		if err != nil {
			t.Fatal(x.pattern, err)
		}
		if ns := minutes(t, got); !slices.Equal(ns, x.want) {
			t.Errorf("%s of %v:\n%v, not\n%v", x.pattern, x.args, ns, x.want)
		}
	}
	if p := f.program.Procedure("getReadings"); p.Page != 7 {
		t.Fatal("pages that end in the middle of items")
	}
}

// TestPackWrites: a second one of a time is refused by itself; those of a list that lie in one item are written in one
// update, and the item lives as long as the latest of them.
func TestPackWrites(t *testing.T) {
	f := cellars(t)
	record := func(n int) error {
		_, err := f.run("record", item(map[string]any{"reading": reading("c1", n)}), nil)
		return err
	}
	if err := errors.Join(record(3), record(20)); err != nil {
		t.Fatal(err)
	}
	var refusal *plan.Refusal
	if err := record(3); !errors.As(err, &refusal) || refusal.Code != plan.RefusedExists {
		t.Errorf("a second one at that time: %v", err)
	}
	list := func(ns ...int) map[string]any {
		var all []any
		for _, n := range ns {
			all = append(all, reading("c1", n))
		}
		return map[string]any{"readings": all}
	}
	f.sent = nil
	if _, err := f.run("sendAgain", item(list(29, 3, 31, 5, 28, 31)), nil); err != nil {
		t.Fatal(err)
	}
	if len(f.sent) != 2 {
		t.Errorf("%d requests for two items", len(f.sent))
	}
	ttl := func() (all []string) {
		for _, it := range f.tables["Readings"] {
			all = append(all, it.Get("ttl").Number().String())
		}
		slices.Sort(all)
		return all
	}
	end := func(n int) string {
		at, _ := time.Parse(time.RFC3339, minute(n))
		return fmt.Sprint(at.Add(31 * 24 * time.Hour).Unix())
	}
	if got, want := ttl(), []string{end(29), end(31)}; !slices.Equal(got, want) {
		t.Errorf("they end at %v, not %v", got, want)
	}
	f.sent = nil
	if _, err := f.run("sendAgain", item(list(append(fromTo(1, 29, 1), fromTo(1, 29, 1)...)...)), nil); err != nil || len(f.sent) != 1 {
		t.Errorf("%d requests, %v", len(f.sent), err)
	}
	f.sent = nil
	if _, err := f.run("sendNew", item(list(40, 3, 41)), nil); !errors.As(err, &refusal) || refusal.Code != plan.RefusedExists || len(f.sent) != 2 {
		t.Errorf("one of them is there, in an item of its own: %d requests, %v", len(f.sent), err)
	}
	f.sent = nil
	if _, err := f.run("sendNew", item(list(42, 43, 44)), nil); err != nil || len(f.sent) != 1 {
		t.Errorf("three in one item: %d requests, %v", len(f.sent), err)
	}
	f.sent = nil
	if _, err := f.run("sendNew", item(list(45, 43, 46)), nil); !errors.As(err, &refusal) || refusal.Code != plan.RefusedExists || len(f.sent) != 2 {
		t.Errorf("one of them is there: %d requests, %v", len(f.sent), err)
	}
	f.sent = nil
	if _, err := f.run("sendNew", item(list(45, 43, 46, 44)), nil); !errors.As(err, &refusal) || refusal.Code != plan.RefusedExists || len(f.sent) != 1 {
		t.Errorf("all are there: %d requests, %v", len(f.sent), err)
	}
	got, _, err := f.pages("getReadings", item(map[string]any{"cellarId": "c1", "from": minute(0), "to": minute(60)}), func() {})
	if want := append(fromTo(1, 29, 1), 31, 40, 41, 42, 43, 44, 45, 46); err != nil || !slices.Equal(minutes(t, got), want) {
		t.Errorf("%v, not %v: %v", minutes(t, got), want, err)
	}
}

// TestPacking: what is told of items that hold several.
func TestPacking(t *testing.T) {
	f := cellars(t)
	k := f.program.Kind("Reading")
	p := k.Pack
	if p.By.Name != "at" || p.Bucket().String() != "minutes30" || p.Period() != 30*time.Minute || p.Words() != "30 minutes" || f.program.Kind("Cellar").Pack != nil {
		t.Errorf("%+v, %s, %v, %s", p, p.Bucket(), p.Period(), p.Words())
	}
	at := func(text string) func(*spec.Attribute) attr.Value {
		return func(*spec.Attribute) attr.Value { return attr.Text(text) }
	}
	name, err := p.Name(at(minute(29)))
	if err != nil || name != "+1740000" || float64(len(name)) > p.NameBytes().Max {
		t.Errorf("%s of %v bytes, %v", name, p.NameBytes(), err)
	}
	if _, err := p.Name(at("soon")); err == nil {
		t.Error("no time")
	}
	// 43,200 in 30 days are 30 in half an hour, 44,000 a few more; ten times as many may come.
	if p.Most < 300 || p.Most > 310 || p.Holds() < 9_000 || p.Holds() > 9_200 {
		t.Errorf("at most %v, and %v fit", p.Most, p.Holds())
	}
	wire := item(map[string]any{"cellarId": "c1", "period": "2026-11-21T09:30", "ttl": 1, "+60000": map[string]any{"celsius": 4}, "+0": map[string]any{"celsius": 5}, "+x": "no"})
	got := k.Unpack(wire)
	if len(got) != 2 || got[0].Get("at").Str() != minute(30) || got[1].Get("at").Str() != minute(31) || got[1].Get("cellarId").Str() != "c1" || got[1].Get("celsius").Number().String() != "4" {
		t.Errorf("%v", got)
	}
	wire.Set("period", attr.Text("2026-11-21"))
	if got := k.Unpack(wire); got != nil {
		t.Errorf("%v of no half hour", got)
	}
	x := f.program.Procedure("sendAgain").Stages[0].Explain()
	if x.Operation != "UpdateItem" || len(x.Changes) != 1 || x.Changes[0] != "$each, under its time within the 30 minutes" {
		t.Errorf("%+v", x)
	}
}
