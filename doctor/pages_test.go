package doctor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/doctor"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules"
)

// scene is something that a doctor is shown, for the pages of its rules.
type scene struct {
	name  string
	found []rules.Finding
}

func (s *scene) of(rule string) *rules.Finding {
	i := slices.IndexFunc(s.found, func(f rules.Finding) bool { return f.Rule == rule })
	if i < 0 {
		return nil
	}
	return &s.found[i]
}

// testPages holds the page of each rule of the package to what the rule says and to what was found, and what was not, in the
// scenes that the other tests have too; -update writes them anew.
func testPages(t *testing.T) {
	planned, changed := days(t)
	p := rooms(t)
	quiet := &scene{"a day as it was planned", doctor.Compare(p, planned, nil).Findings()}
	day := &scene{"a day on which rooms are read and messages posted more often than planned, messages are larger, more is said to them, and nobody reads one alone", doctor.Compare(p, changed, nil).Findings()}
	key := func(share float64) []rules.Finding {
		s, keys := *planned, *planned.Partitions
		keys.List = append([]stats.Key{{Table: "Chat", Index: "ByRoom", Hash: 1, Key: `{"roomId":{"S":"lobby"}}`, Peak: 60 * share}}, keys.List...)
		s.Partitions = &keys
		return doctor.Compare(p, &s, nil).Findings()
	}
	text, err := os.ReadFile("testdata/rooms.yaml")
	must(t, err)
	crowded := strings.Replace(string(text), "read: Message, given: [messageId], rate: {average: 0.00125/s, peak: 0.05/s}", "read: Message, given: [messageId], skew: hottest 90%, rate: {average: 2_000/s, peak: 8_000/s}", 1)
	differing := doctor.Examine(&doctor.Case{Differences: map[string][]tablewright.Difference{"Chat": {{What: "projection of ByRoom", Declared: "all", Found: "keys"}}}}).Findings
	named := *changed
	named.Operations = slices.DeleteFunc(slices.Clone(changed.Operations), func(o *stats.Operation) bool { return o.Pattern == "" })
	answers := promised()
	answers.reactions, answers.perHour = 60, map[string]float64{"reactionsOf": 9} // all answers are alike: which are looked into is left to chance
	asked := doctor.Compare(p, watched(t, p, answers), nil).Findings()
	scenes := map[string][2]*scene{
		"promise-units": {{"a day on which messages have sixty reactions each", asked}, quiet},
		"pattern-idle":  {{"a day on which nobody reads a single message, and all calls have names", doctor.Compare(p, &named, nil).Findings()}, quiet},
		"promise-skew":  {{"a room that takes 70 % of what one partition can do in its busiest minute", key(0.7)}, {"a room that takes 5 %", key(0.05)}},
		"model-limit":   {{"requirements that state 8,000 reads a second at peak, nine tenths of them of one message", doctor.Limits(compiled(t, []byte(crowded)), nil)}, {"requirements that state a tenth of a read a second", doctor.Limits(p, nil)}},
		"table-differs": {{"a table whose index has the keys only", differing}, {"a table as the model says", nil}},
	}
	files, err := filepath.Glob("pages/*.md")
	must(t, err)
	for _, r := range doctor.Rules() {
		file := "pages/" + r.ID + ".md"
		if rules.ByID(r.ID) != nil {
			continue
		}
		files = slices.DeleteFunc(files, func(f string) bool { return filepath.ToSlash(f) == file })
		s, ok := scenes[r.ID]
		if !ok {
			s = [2]*scene{day, quiet}
		}
		f := s[0].of(r.ID)
		if f == nil || s[1].of(r.ID) != nil {
			t.Errorf("%s: found in %q: %v; in %q: %v", r.ID, s[0].name, f, s[1].name, s[1].of(r.ID))
			continue
		}
		text := page(t, r, s, f)
		if *update {
			must(t, os.WriteFile(file, []byte(text), 0o666))
		}
		if kept, err := os.ReadFile(file); err != nil || words(string(kept)) != words(text) {
			t.Errorf("%s is otherwise (-update writes it anew): %v\n%s", file, err, text)
		}
	}
	if len(files) > 0 {
		t.Errorf("pages of no rule: %v", files)
	}
}

// words are what is compared of pages: how lines are broken is package rules' matter.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

func page(t *testing.T, r *rules.Rule, s [2]*scene, f *rules.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- Written by go test ./doctor -run TestRooms/Pages -update, from the rule and what the tests show it. -->\n\n# %s\n\n%s (%s).\n", r.ID, r.Title, r.Category)
	fmt.Fprintf(&b, "\n## What it looks at\n\n%s\n\n## When it fires\n\n%s\n\n## When it does not\n\n%s\n", r.Looks, r.Fires, r.Rests)
	fmt.Fprintf(&b, "\n## An example\n\nIn %s this is found:\n\n```text\n", s[0].name)
	must(t, rules.WriteText(&b, []rules.Finding{*f}))
	fmt.Fprintf(&b, "```\n\nIn %s the rule finds nothing.\n\n## Sources\n\n", s[1].name)
	for _, source := range r.Sources {
		fmt.Fprintf(&b, "- <%s>\n", source)
	}
	return b.String()
}
