package model_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/model"
)

const gauges = `tablewright: 1
application: gauges
entities:
  Gauge:
    identity: [gaugeId]
    attributes:
      gaugeId: {type: string, bytes: 6}
      place: {type: string, bytes: 6, distinct: 30, hottest: 10%}
      level: {derived: last(levels.level)}
      readAt: {derived: last(levels.at)}
    count: 3_000
  Level:
    identity: [gaugeId, at]
    attributes:
      gaugeId: {references: Gauge, inverse: levels, per-parent: {average: 1_000, max: 2_000}}
      at: timestamp
      level: {type: number, digits: 4}
    bytes: 60
    count: 3_000_000
    retention: 30 days after at
patterns:
  addGauge: {write: {create: Gauge}, rate: {average: 1/month, peak: 1/s}}
  getGauges: {read: Gauge, given: [place], order: level descending, rate: {average: 1/s, peak: 4/s}}
  log: {write: {create: Level}, rate: {average: 1.1574/s, peak: 4/s}}
`

// TestLast: what the newest of some children has is optional, and of their type; time to live deletes these all the
// same. It is shown and ordered by, and nothing is found by it, tested on it or derived from it.
func TestLast(t *testing.T) {
	r, _, found := model.ReadRequirements("", []byte(gauges))
	if len(found) > 0 || r == nil {
		t.Fatal(found)
	}
	a := r.Entity("Gauge").Attribute("level")
	way, of, by := a.Newest()
	if !a.Last() || a.Counted() || a.Given() || !a.Optional || a.Digits != 4 || way.Inverse != "levels" || of.Name != "level" || by.Name != "at" {
		t.Errorf("%+v: %s, %s by %s", a, way.Inverse, of.Name, by.Name)
	}
	for name, x := range map[string]struct{ of, to, want string }{
		"found by it":         {"given: [place], order: level descending", "given: [level], results: {average: 3, max: 9}", "given of getGauges needs what the newest of some children has"},
		"tested":              {"order: level descending", "where: level > 3, results: {average: 3, max: 9}", "where of getGauges needs"},
		"in pages":            {"order: level descending", "order: level descending, page: 10", "order of getGauges needs"},
		"the highest":         {"order: level descending", "order: level descending, top: 10", "order of getGauges needs"},
		"added up":            {"order: level descending", "aggregate: {all: sum(level)}", "aggregate of getGauges needs"},
		"a condition":         {"  log:", "  move: {write: {update: Gauge, set: [place], condition: level > 3}, rate: {average: 1/month, peak: 1/s}}\n  log:", "write of move needs"},
		"copied":              {"      at: timestamp", "      at: timestamp\n      was: {derived: gauge.level}", "derived of was needs"},
		"set":                 {"  log:", "  move: {write: {update: Gauge, set: [level]}, rate: {average: 1/month, peak: 1/s}}\n  log:", "level is derived from levels.level"},
		"an aggregate itself": {"order: level descending", "aggregate: {all: last(level)}", "is not an aggregate"},
		"late":                {"last(levels.at)", "last(levels.at), within: 5s", "never late"},
		"of what expires":     {"retention: 30 days after at", "expires: at", "changes when one expires"},
		"of some":             {"last(levels.at)", "last(levels.at where level > 3)", "only counts and sums"},
		"which is not told":   {"identity: [gaugeId, at]", "identity: [at, level]", "which Level of one Gauge is the newest"},
	} {
		text := strings.Replace(gauges, x.of, x.to, 1)
		if text == gauges {
			t.Fatal(name)
		}
		_, _, found := model.ReadRequirements("", []byte(text))
		var all strings.Builder
		for _, d := range found {
			all.WriteString(d.Text())
		}
		if !strings.Contains(all.String(), x.want) {
			t.Errorf("%s: %s", name, all.String())
		}
	}
}
