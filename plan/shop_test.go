package plan_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

var update = flag.Bool("update", false, "rewrite golden files")

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (rewrite with -update):\n%s", file, firstDifference(string(want), got))
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		a, b := "<end>", "<end>"
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			return fmt.Sprintf("line %d\nwant %s\ngot  %s", i+1, a, b)
		}
	}
	return ""
}

func shop(t testing.TB) *plan.Program {
	t.Helper()
	r := requirements(t, "../examples/online-shop.yaml", nil)
	m, src := document(t, "../examples/online-shop.published-model.yaml", nil)
	p, problems := plan.Compile(m, r)
	for _, d := range src.Problems(problems) {
		t.Error(d.Text())
	}
	if len(p.Procedures) != len(r.Patterns) {
		t.Fatalf("%d plans for %d patterns", len(p.Procedures), len(r.Patterns))
	}
	return p
}

// The published model of the online shop, every plan called with the requests it sends, its answer or refusal. Calls are
// in testdata/shop.calls: a pattern and its arguments in JSON.
func TestShop(t *testing.T) { runCalls(t, shop(t), "testdata/shop") }

// runCalls runs the calls of file.calls, all on one small store, and compares what is sent and answered with
// file.requests.
func runCalls(t *testing.T, p *plan.Program, file string) {
	f := newFake(p)
	calls, err := os.ReadFile(file + ".calls")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	called := map[string]bool{}
	for _, line := range strings.Split(string(calls), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		pattern, text, _ := strings.Cut(line, " ")
		if pattern == "wait" {
			d, err := time.ParseDuration(text)
			if err != nil {
				t.Fatal(err)
			}
			f.now = f.now.Add(d)
			fmt.Fprintf(&out, "%s\n\n", line)
			continue
		}
		var args map[string]any
		if err := json.Unmarshal([]byte(text), &args); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		called[pattern] = true
		f.log = nil
		fmt.Fprintf(&out, "%s %s\n", pattern, text)
		items, aggregates, err := f.pages(pattern, item(args), func() { f.log = append(f.log, "next page") })
		for _, r := range f.log {
			out.WriteString("  " + strings.ReplaceAll(strings.TrimSpace(r), "\n", "\n  ") + "\n")
		}
		var refusal *plan.Refusal
		switch {
		case errors.As(err, &refusal):
			fmt.Fprintf(&out, "refused: %s\n", strings.TrimSpace(refusal.Code+" "+refusal.Of))
		case err != nil:
			fmt.Fprintf(&out, "error: %v\n", err)
		case aggregates.Len() > 0:
			fmt.Fprintf(&out, "= %s\n", attr.AppendItem(nil, aggregates))
		default:
			for _, it := range items {
				fmt.Fprintf(&out, "= %s\n", attr.AppendItem(nil, it))
			}
		}
		out.WriteByte('\n')
	}
	for _, p := range f.program.Procedures {
		if !called[p.Name] {
			t.Errorf("%s is not called", p.Name)
		}
	}
	golden(t, file+".requests", out.String())
}

// What documents print of the shop's plans.
func TestExplain(t *testing.T) {
	var out strings.Builder
	for _, p := range shop(t).Procedures {
		fmt.Fprintf(&out, "%s\n", p.Name)
		for _, s := range p.Stages {
			printExplanation(&out, "  "+s.Name+": ", "    ", s.Explain())
		}
		for _, done := range p.AtClient() {
			fmt.Fprintf(&out, "  at the client: %s\n", done)
		}
	}
	golden(t, "testdata/shop.explained", out.String())
}

func printExplanation(out *strings.Builder, first, indent string, x plan.Explanation) {
	fmt.Fprintf(out, "%s%s %s %s\n", first, x.Operation, x.Target, strings.Join(x.Items, ", "))
	for _, part := range []struct {
		name string
		list []string
	}{{"key", x.Key}, {"option", x.Options}, {"condition", x.Condition}, {"change", x.Changes}} {
		for _, text := range part.list {
			fmt.Fprintf(out, "%s%s: %s\n", indent, part.name, text)
		}
	}
	for _, a := range x.Actions {
		printExplanation(out, indent, indent+"  ", a)
	}
}
