package rules_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/stats/rules"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var update = flag.Bool("update", false, "write the pages of the rules anew")

// examples are what pages show of a rule: the first of its traces that fires it, and the first near miss. Traces whose callers have to be
// learned come last: when the addresses of contexts are used again is chance, and what is told of them differs.
type examples struct {
	played       bool
	learned      bool
	fires, rests string
	found        *rules.Finding
}

// see takes what was found in a trace of a rule for its page.
func (e *examples) see(rule string, tr *tracebench.Trace, found *rules.Finding) {
	e.played = true
	switch {
	case found == nil && tr.Near && e.rests == "":
		e.rests = tr.Name
	case found != nil && (e.found == nil || e.found.Rule != rule && found.Rule == rule || e.learned && !tr.Foreign && found.Rule == rule):
		e.fires, e.found, e.learned = tr.Name, found, tr.Foreign
	}
}

// checkPages holds the pages of all rules, and the list of them, to what the rules say and what was found in their traces.
func checkPages(t *testing.T, seen map[string]*examples) {
	wanted := map[string]string{"README.md": pageIndex()}
	for _, r := range rules.All() {
		e := seen[r.ID]
		switch {
		case e == nil || !e.played: // some rules only were to be tested
			wanted[r.ID+".md"] = ""
		case e.found == nil || e.rests == "":
			t.Errorf("%s has no examples for its page", r.ID)
		default:
			wanted[r.ID+".md"] = rulePage(t, r, e)
		}
	}
	for name, want := range wanted {
		path := filepath.Join("pages", name)
		is, err := os.ReadFile(path)
		if err == nil && (want == "" || withoutFigures(string(is)) == withoutFigures(want)) {
			continue
		}
		if !*update || want == "" {
			t.Errorf("%s is not what the rule and its traces say: go test ./stats/rules -run 'TestTraces/^(%s|pages)$' -update writes it", path, strings.TrimSuffix(name, ".md"))
			continue
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Error(err)
		}
	}
	files, err := filepath.Glob("pages/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if _, ok := wanted[filepath.Base(path)]; ok {
			continue
		}
		if !*update {
			t.Errorf("%s is of no rule", path)
		} else if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
}

var figures = regexp.MustCompile(`[0-9][0-9.,]*`)

// withoutFigures is what is compared of pages: of what traces consume and how long they take a little is drawn by lot, as
// collectors do.
func withoutFigures(text string) string {
	return strings.Join(strings.Fields(figures.ReplaceAllString(text, "0")), " ")
}

func rulePage(t *testing.T, r *rules.Rule, e *examples) string {
	t.Helper()
	var printed bytes.Buffer
	if err := rules.WriteText(&printed, []rules.Finding{*e.found}); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- Written by go test ./stats/rules -run TestTraces -update, from the rule and its traces. -->\n\n# %s\n\n%s (%s).\n", r.ID, r.Title, r.Category)
	for _, part := range []struct{ title, text string }{{"What it looks at", r.Looks}, {"When it fires", r.Fires}, {"When it does not", r.Rests}} {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", part.title, part.text)
	}
	fmt.Fprintf(&b, "\n## An example\n\nIn the traffic of “%s” this is found:\n\n```text\n%s```\n", e.fires, printed.String())
	fmt.Fprintf(&b, "\nIn that of “%s”, which looks like it, the rule finds nothing.\n", e.rests)
	b.WriteString("\n## Sources\n\n")
	for _, source := range r.Sources {
		fmt.Fprintf(&b, "- <%s>\n", source)
	}
	return b.String()
}

func pageIndex() string {
	var b strings.Builder
	b.WriteString("<!-- Written by go test ./stats/rules -run TestTraces -update. -->\n\n# Rules\n\nWhat package `stats/rules` looks for in the statistics of a running program. Each page has an example " +
		"of firing and one of not firing, from the traffic with which the rule is tested; every saving that is claimed there was played again with the remedy applied.\n")
	for _, c := range []rules.Category{rules.Reliability, rules.Cost, rules.Capacity, rules.Performance, rules.Practice} {
		var of []*rules.Rule
		for _, r := range rules.All() {
			if r.Category == c {
				of = append(of, r)
			}
		}
		if len(of) == 0 {
			continue
		}
		slices.SortFunc(of, func(a, b *rules.Rule) int { return strings.Compare(a.ID, b.ID) })
		fmt.Fprintf(&b, "\n## %s%s\n\n", strings.ToUpper(string(c[:1])), c[1:])
		for _, r := range of {
			fmt.Fprintf(&b, "- [%s](%s.md): %s\n", r.ID, r.ID, r.Title)
		}
	}
	return b.String()
}

// TestPage reads a rule's page as programs do.
func TestPage(t *testing.T) {
	for _, r := range rules.All() {
		if text := rules.Page(r.ID); !strings.HasPrefix(text, "# "+r.ID+"\n") {
			t.Errorf("%s has no page", r.ID)
		}
		if rules.ByID(r.ID) != r {
			t.Errorf("%s is not found", r.ID)
		}
	}
	if rules.Page("README") != "" || rules.Page("../finding") != "" || rules.ByID("none") != nil {
		t.Error("there is a page of no rule")
	}
}
