package plan_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

const tanksNeeds = `
tablewright: 1
application: tanks
entities:
  Tank: {identity: [tankId], attributes: {tankId: {type: string, bytes: 6}}, count: 300}
  Level:
    identity: [tankId, at, probe, no]
    attributes:
      tankId: {references: Tank, inverse: levels, per-parent: {average: 10_000, max: 20_000}}
      at: timestamp
      probe: {type: string, bytes: {average: 6, max: 20}}
      no: {type: number, digits: 3, scale: 1}
      level: {type: number, digits: 4}
    bytes: 60
    count: 3_000_000
    retention: 30 days
patterns:
  getTank: {read: Tank, given: [tankId], rate: {average: 1/s, peak: 4/s}}
  addTank: {write: {create: Tank}, rate: {average: 1/month, peak: 1/s}}
  getLevels: {read: Level, given: [tankId], where: at between $from and $to, order: at, page: 3, results: {average: 120, max: 1_440}, rate: {average: 1/s, peak: 4/s}}
  getBack: {read: Level, given: [tankId], where: at < $before, order: at descending, page: 3, results: {average: 120, max: 1_440}, rate: {average: 1/s, peak: 4/s}}
  getOfProbe: {read: Level, given: [tankId, probe], where: at >= $from, order: at, results: {average: 40, max: 400}, rate: {average: 1/s, peak: 4/s}}
  getLevel: {read: Level, given: [tankId, at, probe, no], rate: {average: 1/s, peak: 4/s}}
  send: {write: {create: Level, each: $levels}, atomic: false, parameters: {levels: {length: {average: 4, max: 60}}}, rate: {average: 1/s, peak: 4/s}}
`

const tanksModel = `
tablewright: 1
application: tanks
tables:
  Tanks: {attributes: {tankId: S}, key: {partition: tankId}, items: {Tank: {}}}
  Levels:
    attributes: {tankId: S, hour: S, ttl: N}
    key: {partition: tankId, sort: hour}
    ttl: ttl
    items:
      Level: {pack: at, key: {hour: "{at:hour}"}, set: {ttl: "{at:epoch-s:plus 721h}"}}
plans:
  getTank: {steps: {t: {get: Tank, key: [tankId]}}}
  addTank: {steps: {w: {put: Tank, if: absent}}}
  getLevels: {steps: {q: {query: Levels, items: [Level], where: {tankId: $tankId, at: {between: [$from, $to]}}, evaluate: 1}}, answer: {page: 3, keep: at between $from and $to}}
  getBack: {steps: {q: {query: Levels, items: [Level], where: {tankId: $tankId, at: {before: $before}}, order: descending}}, answer: {page: 3, keep: at < $before}}
  getOfProbe: {steps: {q: {query: Levels, items: [Level], where: {tankId: $tankId, at: {from: $from}}}}, answer: {keep: probe = $probe and at >= $from}}
  getLevel: {steps: {q: {query: Levels, items: [Level], where: [tankId, at]}}, answer: {keep: at = $at and probe = $probe and no = $no}}
  send: {steps: {w: {put: Level, each: $levels, if: absent}}}
`

// TestPackWithin: what lies in one item differs in more of its identity than the time. Names tell it, whatever is in
// it; several have one time, and a page may end between them.
func TestPackWithin(t *testing.T) {
	m, _ := document(t, "model.yaml", []byte(tanksModel))
	p, problems := plan.Compile(m, requirements(t, "requirements.yaml", []byte(tanksNeeds)))
	for _, x := range problems {
		t.Fatal(x)
	}
	k := p.Kind("Level")
	if n := k.Pack.NameBytes(); len(k.Pack.Within) != 2 || n.Average < 8+7+2 || n.Max < 8+41 {
		t.Errorf("%v, names of %v", k.Pack.Within, n)
	}
	e := k.Entity
	if n := plan.MostPacked(p.Requirements, e, k.Pack.By, k.Pack.Within, time.Hour); n != k.Pack.Most || n < 277 || n > 278 { // ten times 20,000 in 720 hours
		t.Errorf("at most %v, not %v", k.Pack.Most, n)
	}
	f := newFake(p)
	probes := []string{"a", "a#", `a\`, `a\#1`, "-b#"}
	level := func(at, probe int, no float64) map[string]any {
		return map[string]any{"tankId": "t1", "at": minute(at), "probe": probes[probe], "no": no, "level": at}
	}
	var all []any
	var want []string
	text := func(it attr.Item) string {
		return fmt.Sprint(it.Get("at").Str(), " ", it.Get("probe").Str(), " ", it.Get("no").Number())
	}
	for at := range 12 {
		for probe := range probes {
			one := level(at*20/3, probe, 1.5)
			all, want = append(all, one), append(want, text(item(one)))
		}
	}
	all = append(all, level(3, 1, -2)) // another number of the same probe
	want = append(want, text(item(level(3, 1, -2))))
	if _, err := f.run("send", item(map[string]any{"levels": all}), nil); err != nil {
		t.Fatal(err)
	}
	if n := len(f.tables["Levels"]); n != 2 || len(f.sent) != 2 {
		t.Errorf("%d items by %d requests, not one each hour", n, len(f.sent))
	}
	slices.Sort(want)
	var refusal *plan.Refusal
	if _, err := f.run("send", item(map[string]any{"levels": []any{level(0, 1, 1.5), level(0, 1, 7)}}), nil); !errors.As(err, &refusal) || refusal.Code != plan.RefusedExists {
		t.Errorf("one is there: %v", err)
	}
	want = append(want, text(item(level(0, 1, 7))))
	for _, x := range []struct {
		pattern string
		args    map[string]any
		want    int
	}{
		{"getLevels", map[string]any{"from": minute(0), "to": minute(500)}, len(want)},
		{"getBack", map[string]any{"before": minute(500)}, len(want)},
		{"getOfProbe", map[string]any{"from": minute(0), "probe": `a\#1`}, 12},
		{"getLevel", map[string]any{"at": minute(3), "probe": "a#", "no": -2}, 1},
		{"getLevel", map[string]any{"at": minute(3), "probe": "a", "no": -2}, 0},
	} {
		args := item(x.args)
		args.Set("tankId", attr.Text("t1"))
		got, _, err := f.pages(x.pattern, args, func() {})
		if err != nil {
			t.Fatal(x.pattern, err)
		}
		var texts, times []string
		for _, it := range got {
			texts, times = append(texts, text(it)), append(times, it.Get("at").Str())
		}
		if x.pattern == "getBack" {
			slices.Reverse(times)
		}
		if !slices.IsSorted(times) || len(got) != x.want {
			t.Errorf("%s: %d, not %d, at %v", x.pattern, len(got), x.want, times)
		}
		if slices.Sort(texts); x.want == len(want) {
			if slices.Sort(want); !slices.Equal(texts, want) {
				t.Errorf("%s: %v, not %v", x.pattern, texts, want)
			}
		}
	}
	x := p.Procedure("send").Stages[0].Explain()
	if x.Changes[0] != "$each, under its time within the hour and its probe and its no" || !slices.Contains(x.Options, "those of one item in one update") {
		t.Errorf("%+v", x)
	}
}

// TestPackTransaction: a list that is all or nothing is a transaction of one update for each item. If one is there,
// none is written.
func TestPackTransaction(t *testing.T) {
	needs := strings.Replace(tanksNeeds, "atomic: false, ", "", 1)
	text := strings.Replace(tanksModel, "{put: Level, each: $levels, if: absent}", "{transact: [{put: Level, each: $levels, if: absent}]}", 1)
	m, _ := document(t, "model.yaml", []byte(text))
	p, problems := plan.Compile(m, requirements(t, "requirements.yaml", []byte(needs)))
	for _, x := range problems {
		t.Fatal(x)
	}
	f := newFake(p)
	send := func(minutes ...int) error {
		var all []any
		for _, n := range minutes {
			all = append(all, map[string]any{"tankId": "t1", "at": minute(n), "probe": "a", "no": 1, "level": n})
		}
		f.sent = nil
		_, err := f.run("send", item(map[string]any{"levels": all}), nil)
		return err
	}
	if err := send(3, 4, 61, 5, 62); err != nil || len(f.sent) != 1 || len(f.sent[0].Actions) != 2 {
		t.Fatalf("%v, %v", f.sent, err)
	}
	var refusal *plan.Refusal
	if err := send(6, 4, 63); !errors.As(err, &refusal) || refusal.Code != plan.RefusedExists {
		t.Errorf("one is there: %v", err)
	}
	if err := send(7, 7); !errors.As(err, &refusal) || len(f.sent) != 0 {
		t.Errorf("one comes twice: %v, %v", f.sent, err)
	}
	got, _, err := f.pages("getLevels", item(map[string]any{"tankId": "t1", "from": minute(0), "to": minute(100)}), func() {})
	if err != nil || len(got) != 5 {
		t.Errorf("%v, %v", got, err)
	}
}

// TestPackDelete: what is deleted is taken out of the item in which it lies with others, several by one update. The
// item stays, and ends when it would have; where there was none comes one that has nothing in it and ends as well.
func TestPackDelete(t *testing.T) {
	const keyed = "key: {tankId: $each.tankId, at: $each.at, probe: $each.probe, no: $each.no}"
	needs := tanksNeeds + `
  drop: {write: {delete: Level, each: $levels, ` + keyed + `}, atomic: false, parameters: {levels: {length: {average: 4, max: 60}}}, rate: {average: 1/s, peak: 4/s}}
  take: {write: {delete: Level, each: $levels, ` + keyed + `}, parameters: {levels: {length: {average: 4, max: 60}}}, rate: {average: 1/s, peak: 4/s}}
`
	text := tanksModel + `
  drop: {steps: {w: {delete: Level, each: $levels, key: [tankId, at, probe, no]}}}
  take: {steps: {w: {transact: [{delete: Level, each: $levels, key: [tankId, at, probe, no]}]}}}
`
	m, _ := document(t, "model.yaml", []byte(text))
	p, problems := plan.Compile(m, requirements(t, "requirements.yaml", []byte(needs)))
	for _, x := range problems {
		t.Fatal(x)
	}
	f := newFake(p)
	of := func(values bool, minutes ...int) attr.Item {
		var all []any
		for _, n := range minutes {
			one := map[string]any{"tankId": "t1", "at": minute(n), "probe": "a", "no": 1}
			if values {
				one["level"] = n
			}
			all = append(all, one)
		}
		return item(map[string]any{"levels": all})
	}
	run := func(pattern string, args attr.Item, updates int) {
		t.Helper()
		f.sent = nil
		if _, err := f.run(pattern, args, nil); err != nil {
			t.Fatal(pattern, err)
		}
		n := len(f.sent)
		if pattern == "take" {
			n = len(f.sent[0].Actions)
		}
		if n != updates {
			t.Errorf("%s: %d updates, not %d: %v", pattern, n, updates, f.sent)
		}
	}
	there := func(want ...int) {
		t.Helper()
		args := item(map[string]any{"tankId": "t1", "from": minute(0), "to": minute(1_000)})
		got, _, err := f.pages("getLevels", args, func() {})
		var levels []int
		for _, it := range got {
			n, _ := it.Get("level").Number().Int64()
			levels = append(levels, int(n))
		}
		if err != nil || !slices.Equal(levels, want) {
			t.Errorf("%v, not %v: %v", levels, want, err)
		}
	}
	run("send", of(true, 3, 4, 61, 62, 130), 3)
	run("drop", of(false, 4, 61, 62, 200), 3)
	there(3, 130)
	if n := len(f.tables["Levels"]); n != 4 {
		t.Errorf("%d items, not 4", n)
	}
	for _, it := range f.tables["Levels"] {
		if it.Get("ttl").IsZero() {
			t.Errorf("%v stays for good", it)
		}
	}
	run("send", of(true, 4, 61), 2) // they can be made again
	run("take", of(false, 3, 4, 130, 500), 3)
	there(61)
	if x := p.Procedure("drop").Stages[0].Explain(); x.Operation != "UpdateItem" || !slices.Contains(x.Changes, "takes out what is under its time within the hour and its probe and its no") {
		t.Errorf("%+v", x)
	}
	for name, x := range map[string]struct{ of, to, want string }{
		"it never ends":    {`, set: {ttl: "{at:epoch-s:plus 721h}"}`, "", "nothing says when that ends"},
		"only if there":    {"drop: {steps: {w: {delete: Level, each: $levels, ", "drop: {steps: {w: {delete: Level, each: $levels, if: present, ", "whether or not it is there"},
		"one of them":      {"drop: {steps: {w: {delete: Level, each: $levels, key: [tankId, at, probe, no]", "drop: {steps: {w: {delete: Level, each: $levels, key: [tankId, at, probe]", "told by no"},
		"listed in others": {"key: {partition: tankId, sort: hour}", "key: {partition: tankId, sort: hour}\n    gsi: {ByHour: {partition: hour, sort: tankId}}", "single ones are deleted"},
	} {
		changed := strings.Replace(text, x.of, x.to, 1)
		if changed == text {
			t.Fatal(name)
		}
		m, _ := document(t, "model.yaml", []byte(changed))
		_, problems := plan.Compile(m, requirements(t, "requirements.yaml", []byte(needs)))
		if !strings.Contains(fmt.Sprint(problems), x.want) {
			t.Errorf("%s: %v, and nothing about %q", name, problems, x.want)
		}
	}
}
