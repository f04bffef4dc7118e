package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/plan"
)

// TestRangeOrAbsent: a range finds what has no value as well, where it says so and the key has that at its open end.
func TestRangeOrAbsent(t *testing.T) {
	compile := func(where, last, rng string) (*plan.Program, []plan.Problem) {
		r := requirements(t, "requirements.yaml", fmt.Appendf(nil, `
tablewright: 1
application: roads
entities:
  Closure:
    identity: [road, closureNo]
    attributes:
      road: {type: string, bytes: 6}
      closureNo: {type: string, bytes: 6}
      until: {type: date, optional: true, share: 50%%}
    bytes: 90
    count: 100
patterns:
  close: {write: {create: Closure}, rate: {average: 1/s, peak: 1/s}}
  map: {read: Closure, given: [road], where: %q, results: {average: 3, max: 9}, rate: {average: 1/s, peak: 1/s}}
`, where))
		m, _ := document(t, "model.yaml", fmt.Appendf(nil, `
tablewright: 1
application: roads
tables:
  Closures:
    attributes: {road: S, closureNo: S, ends: S}
    key: {partition: road, sort: closureNo}
    gsi: {ByRoad: {partition: road, sort: ends, project: all}}
    items: {Closure: {set: {ends: %s}}}
plans:
  close: {steps: {w: {put: Closure, if: absent}}}
  map: {steps: {q: {query: Closures.ByRoad, items: [Closure], where: {road: $road, until: %s}}}}
`, last, rng))
		return plan.Compile(m, r)
	}
	const behind, before = `{value: "1{until}", else: "2"}`, `{value: "1{until}", else: "0"}`
	for _, c := range []struct{ where, last, rng, problem string }{
		{"absent(until) or until >= $day", behind, "{from: $day, absent: true}", ""},
		{"until > $day or absent(until)", behind, "{after: $day, absent: true}", ""},
		{"absent(until) or until < $day", before, "{before: $day, absent: true}", ""},
		{"absent(until) or until >= $day", behind, "{from: $day}", "would find what has none as well"},
		{"absent(until) or until >= $day", before, "{from: $day, absent: true}", "does not lie at the open end"},
		{"absent(until) or until <= $day", behind, "{to: $day, absent: true}", "does not lie at the open end"},
		{"absent(until) or until >= $day", behind, "{between: [$day, $day], absent: true}", "does not lie at the open end"},
		{"absent(until) or until >= $day", `"1{until}"`, "{from: $day, absent: true}", "what has no until is not in ends"},
		{"until >= $day", behind, "{from: $day, absent: true}", "does not ask for absent(until) or until >= $day"},
		{"absent(until) or until > $day", behind, "{from: $day, absent: true}", "asks for absent(until) or until > $day"},
	} {
		p, problems := compile(c.where, c.last, c.rng)
		errors := slices.DeleteFunc(problems, func(x plan.Problem) bool { return x.Severity != plan.Error })
		switch {
		case c.problem == "" && len(errors) > 0:
			t.Errorf("%s by %s: %v", c.where, c.rng, errors)
		case c.problem != "" && !slices.ContainsFunc(errors, func(x plan.Problem) bool { return strings.Contains(x.Message, c.problem) }):
			t.Errorf("%s by %s of %s: %v, want %s", c.where, c.rng, c.last, errors, c.problem)
		case c.problem == "":
			f := newFake(p)
			for no, until := range map[string]any{"a": nil, "b": "2026-03-01", "c": "2026-04-01", "d": "2026-05-01"} {
				closure := map[string]any{"road": "r1", "closureNo": no}
				if until != nil {
					closure["until"] = until
				}
				if _, err := f.run("close", item(map[string]any{"closure": closure}), nil); err != nil {
					t.Fatal(err)
				}
			}
			for day, want := range map[string]string{"2026-04-01": map[string]string{behind: "a c d", before: "a b"}[c.last], "2027-01-01": map[string]string{behind: "a", before: "a b c d"}[c.last]} {
				if strings.Contains(c.where, "until >") && !strings.Contains(c.where, ">=") {
					want = strings.Replace(want, " c", "", 1)
				}
				reply, err := f.run("map", item(map[string]any{"road": "r1", "day": day}), nil)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, it := range reply.Items {
					got = append(got, it.Get("closureNo").Str())
				}
				if slices.Sort(got); strings.Join(got, " ") != want {
					t.Errorf("%s on %s: %v, want %s", c.where, day, got, want)
				}
			}
		}
	}
}
