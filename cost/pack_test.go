package cost_test

import (
	"bytes"
	"math"
	"os"
	"testing"
	"time"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
)

// TestPacked: readings of half an hour lie in one item. There are as many items as half hours; a write meets from one
// to all of them, a range as many items as its times, and one more by the halves at its ends; an index has the items
// that have one of those it is about.
func TestPacked(t *testing.T) {
	r, _, ds, err := model.LoadRequirements("../plan/testdata/cellars.yaml")
	if err != nil || r == nil {
		t.Fatal(err, ds)
	}
	m, _, ds, err := model.LoadModel("../plan/testdata/cellars.model.yaml")
	if err != nil || m == nil {
		t.Fatal(err, ds)
	}
	p, problems := plan.Compile(m, r)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	e := r.Entity("Reading")
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.005*math.Max(math.Abs(want), 1) {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	for period, want := range map[time.Duration]float64{30 * time.Minute: 30, time.Hour: 60, time.Second: 1.0083} {
		filled, met := cost.Together(r, e, e.Attribute("at"), nil, period)
		near("in an item of "+period.String(), filled, want)
		if met < filled || met > filled*1.02 {
			t.Errorf("%v where one is written, %v on average", met, filled)
		}
	}
	report := cost.Price(p, nil)
	items := report.Place("Readings").Items
	if len(items) != 1 {
		t.Fatal(items)
	}
	near("items", items[0].Count, 12_960_000/30)
	// The name of an attribute, a map of celsius, alarm and, of a hundredth, note.
	one := 8 + 3 + (1 + 7 + e.Attribute("celsius").Bytes.Average) + (1 + 5 + 1) + 0.01*(1+4+10)
	key := float64(len("cellarId") + 6 + len("period2026-11-21T09:30") + len("ttl") + 6)
	near("bytes", items[0].Bytes, key+30*one+float64(len("alarmed")+1)*0.01)
	entries := report.Place("Readings.Alarms").Items[0]
	near("entries", entries.Count, 12_960_000/30*(1-math.Pow(0.99, 30)))
	near("a write", report.Pattern("record").Write["Readings"], 1)
	if n := report.Pattern("record").Write["Readings.Alarms"]; n < 0.1 || n > 1-math.Pow(0.99, 30) {
		t.Errorf("a write takes %v of the index", n)
	}
	near("one", report.Pattern("getReading").Read["Readings"], 0.5)
	near("the newest", report.Pattern("getNewest").Read["Readings"], 0.5)
	all := items[0].Bytes * 43_200 / 30 / 4_096 / 2
	near("all of a cellar", report.Pattern("getCold").Read["Readings"]/all, 1)
}

// TestPackedLists: ten readings of a quarter of an hour lie in one item of four hours, or in two; those of one hub's
// list are written one by one, since nothing states that they are of one silo or close together in time.
func TestPackedLists(t *testing.T) {
	for text, want := range map[string]float64{
		", same: [siloId], within: {at: {average: 15min, max: 2h}}": 1 + 0.25/4,
		", same: [siloId], within: {at: 8h}":                        3,
		", same: [siloId], within: {at: 900h}":                      10,
		", same: [siloId]":                                          10,
		", within: {at: 15min}":                                     10,
		"":                                                          10,
	} {
		needs, err := os.ReadFile("../design/testdata/strategies/packed-lists.yaml")
		if err != nil {
			t.Fatal(err)
		}
		r, _, ds := model.ReadRequirements("r.yaml", bytes.Replace(needs, []byte(", same: [siloId], within: {at: {average: 15min, max: 2h}}"), []byte(text), 1))
		m, _, more := model.ReadModel("m.yaml", []byte(`
tablewright: 1
application: packed-lists
tables:
  Silos: {attributes: {siloId: S}, key: {partition: siloId}, items: {Silo: {}}}
  Readings:
    attributes: {siloId: S, period: S, ttl: N}
    key: {partition: siloId, sort: period}
    ttl: ttl
    items: {Reading: {pack: at, key: {period: "{at:hours4}"}, set: {ttl: "{at:epoch-s:plus 724h}"}}}
plans:
  getSilo: {steps: {s: {get: Silo, key: [siloId]}}}
  getReadings: {steps: {q: {query: Readings, items: [Reading], where: {siloId: $siloId, at: {between: [$from, $to]}}}}, answer: {page: 100, keep: at between $from and $to}}
  getHot: {steps: {q: {query: Readings, items: [Reading], where: [siloId], order: descending}}, answer: {page: 20, keep: hot = true}}
  addSilo: {steps: {w: {put: Silo, if: absent}}}
  send:
    steps:
      r: {put: Reading, each: $readings, if: absent}
      s: {update: Silo, key: [siloId], set: [lastAt], if: [present, absent(lastAt) or lastAt < $lastAt], else: older}
`))
		if r == nil || m == nil {
			t.Fatal(ds, more)
		}
		p, problems := plan.Compile(m, r)
		for _, x := range problems {
			t.Fatal(x)
		}
		if got := cost.Price(p, nil).Pattern("send").Write["Readings"]; math.Abs(got/want-1) > 0.03 { // a few items are larger than a unit
			t.Errorf("%q: %v units, not %v", text, got, want)
		}
	}
}
