package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/plan"
)

const gaugesNeeds = `
tablewright: 1
application: gauges
entities:
  Site: {identity: [siteId], attributes: {siteId: {type: string, bytes: 6}}, count: 300}
  Gauge:
    identity: [siteId, no]
    attributes:
      siteId: {references: Site, inverse: gauges, per-parent: {average: 10, max: 20}}
      no: {type: number, digits: 2, min: 1}
      level: {derived: last(levels.level)}
      readAt: {derived: last(levels.at)}
    count: 3_000
  Level:
    identity: [siteId, no, at]
    attributes:
      siteId: {references: Gauge, by: [siteId, no], as: gauge, inverse: levels, per-parent: {average: 1_000, max: 2_000}}
      no: {type: number, digits: 2, min: 1}
      at: timestamp
      level: {type: number, digits: 4}
    bytes: 60
    count: 3_000_000
    retention: 30 days after at
patterns:
  getSite: {read: Site, given: [siteId], with: [gauges], rate: {average: 1/s, peak: 4/s}}
  addSite: {write: {create: Site}, rate: {average: 1/month, peak: 1/s}}
  addGauge: {write: {create: Gauge}, rate: {average: 1/month, peak: 1/s}}
  getGauges: {read: Gauge, given: [siteId], order: level descending, rate: {average: 1/s, peak: 4/s}}
  getLevels: {read: Level, given: [siteId, no], where: at >= $from, results: {average: 120, max: 1_440}, rate: {average: 1/s, peak: 4/s}}
  log: {write: {create: Level}, rate: {average: 1/s, peak: 4/s}}
`

const gaugesModel = `
tablewright: 1
application: gauges
tables:
  Sites: {attributes: {siteId: S}, key: {partition: siteId}, items: {Site: {}}}
  Gauges: {attributes: {siteId: S, no: N}, key: {partition: siteId, sort: no}, items: {Gauge: {}}}
  Levels:
    attributes: {gauge: S, hour: S, ttl: N}
    key: {partition: gauge, sort: hour}
    ttl: ttl
    items:
      Level: {pack: at, key: {gauge: "{siteId}#{no:pad2}", hour: "{at:hour}"}, set: {ttl: "{at:epoch-s:plus 721h}"}}
plans:
  getSite:
    steps:
      s: {get: Site, key: [siteId]}
      g: {query: Gauges, items: [Gauge], where: [siteId]}
      l: {query: Levels, items: [Level], each: $g, where: {siteId: $each.siteId, no: $each.no}, order: descending, evaluate: 1}
    answer: {from: [s, g, l]}
  addSite: {steps: {w: {put: Site, if: absent}}}
  addGauge: {steps: {w: {put: Gauge, if: absent}}}
  getGauges:
    steps:
      g: {query: Gauges, items: [Gauge], where: [siteId]}
      l: {query: Levels, items: [Level], each: $g, where: {siteId: $each.siteId, no: $each.no}, order: descending, evaluate: 1}
    answer: {from: [g, l]}
  getLevels: {steps: {q: {query: Levels, items: [Level], where: {siteId: $siteId, no: $no, at: {from: $from}}}}, answer: {keep: at >= $from}}
  log: {steps: {w: {put: Level, if: absent}}}
`

// TestNewest: what the newest of some children has is taken from that child, whichever was written last, by one request
// for each parent that ends with the first item.
func TestNewest(t *testing.T) {
	m, _ := document(t, "model.yaml", []byte(gaugesModel))
	p, problems := plan.Compile(m, requirements(t, "requirements.yaml", []byte(gaugesNeeds)))
	for _, x := range problems {
		t.Fatal(x)
	}
	f := newFake(p)
	f.page = 10
	run := func(pattern string, args map[string]any) *plan.Reply {
		t.Helper()
		reply, err := f.run(pattern, item(args), nil)
		if err != nil {
			t.Fatal(pattern, err)
		}
		return reply
	}
	run("addSite", map[string]any{"site": map[string]any{"siteId": "s1"}})
	for no := 1; no <= 3; no++ {
		run("addGauge", map[string]any{"gauge": map[string]any{"siteId": "s1", "no": no}})
	}
	for _, x := range []struct{ no, at, level int }{{1, 5, 10}, {1, 130, 12}, {1, 70, 99}, {2, 8, 40}, {2, 3, 77}} { // 70 and 3 come late
		run("log", map[string]any{"level": map[string]any{"siteId": "s1", "no": x.no, "at": minute(x.at), "level": x.level}})
	}
	f.sent = nil
	reply := run("getGauges", map[string]any{"siteId": "s1"})
	got := ""
	for _, it := range reply.Items {
		got += fmt.Sprint(it.Get("no").Number(), ": ", it.Get("level").Number(), " at ", it.Get("readAt").Str(), "; ")
	}
	want := "2: 40 at " + minute(8) + "; 1: 12 at " + minute(130) + "; 3: 0 at ; " // that has none comes last
	if got != want || len(f.sent) != 4 {
		t.Errorf("%s by %d requests, not %s", got, len(f.sent), want)
	}
	if reply.Items[2].Has("level") {
		t.Error("a gauge without levels shows one")
	}
	if gauges := run("getSite", map[string]any{"siteId": "s1"}).Items[0].Get("gauges").Elems(); len(gauges) != 3 || gauges[0].Map().Get("level").Number().String() != "12" {
		t.Errorf("%v", gauges)
	}
}

// TestNewestRefused: a plan that does not read the newest child of each is none, and what it has lies in no item and no
// key.
func TestNewestRefused(t *testing.T) {
	const step = "order: descending, evaluate: 1}\n    answer: {from: [g, l]}"
	for name, x := range map[string]struct{ of, to, want string }{
		"the oldest":      {step, "evaluate: 1}\n    answer: {from: [g, l]}", "stops after 1 items"},
		"of some":         {step, "filter: level > 3, order: descending, evaluate: 1}\n    answer: {from: [g, l]}", "Level does not store level"},
		"not read":        {step, "order: descending, evaluate: 1}\n    answer: {from: [g]}", "no step reads the newest of its levels"},
		"stored":          {"items: {Gauge: {}}", "items: {Gauge: {stores: [siteId, no, level]}}", "no write keeps it"},
		"of one for all":  {"where: {siteId: $each.siteId, no: $each.no}, " + step, "where: {siteId: $each.siteId, no: '1'}, " + step, "no step reads the newest of its levels"},
		"behind a moment": {"where: {siteId: $each.siteId, no: $each.no}, " + step, "where: {siteId: $each.siteId, no: $each.no, at: {before: now}}, " + step, "no step reads the newest of its levels"},
		"in a template":   {"items: {Gauge: {}}", "items: {Gauge: {set: {x: '{level}'}}}", "lies in no item"},
	} {
		text := strings.Replace(gaugesModel, x.of, x.to, 1)
		if text == gaugesModel {
			t.Fatal(name)
		}
		m, _ := document(t, "model.yaml", []byte(text))
		_, problems := plan.Compile(m, requirements(t, "requirements.yaml", []byte(gaugesNeeds)))
		found := false
		for _, p := range problems {
			found = found || strings.Contains(p.Message, x.want)
		}
		if !found {
			t.Errorf("%s: %v, and nothing about %q", name, problems, x.want)
		}
	}
	with := strings.Replace(gaugesNeeds, "with: [gauges]", "with: [gauges.levels]", 1)
	m, _ := document(t, "model.yaml", []byte(gaugesModel))
	if _, problems := plan.Compile(m, requirements(t, "requirements.yaml", []byte(with))); !strings.Contains(fmt.Sprint(problems), "getSite") {
		t.Errorf("the newest of all that are shown: %v", problems)
	}
	drops := gaugesNeeds + "  drop: {write: {delete: Level}, rate: {average: 1/month, peak: 1/s}}\n"
	m, _ = document(t, "model.yaml", []byte(gaugesModel+"  drop: {steps: {w: {delete: Level, key: [siteId, no, at]}}}\n"))
	if _, problems := plan.Compile(m, requirements(t, "requirements.yaml", []byte(drops))); !strings.Contains(fmt.Sprint(problems), "may have been deleted") {
		t.Errorf("the last item may be empty: %v", problems)
	}
}
