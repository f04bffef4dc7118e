package plan_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
)

// Models that are right, each with one thing broken, and what Compile says about it. A case of testdata/problems.txt is
// a title, the model it starts from, and edits: - is replaced by +, once; r- and r+ edit the requirements. The problems
// follow behind ----.
func TestProblems(t *testing.T) {
	const file = "testdata/problems.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	bases := map[string][2]string{
		"shop":     {"../examples/online-shop.yaml", "../examples/online-shop.published-model.yaml"},
		"forum":    {"testdata/forum.yaml", "testdata/forum.model.yaml"},
		"cellars":  {"testdata/cellars.yaml", "testdata/cellars.model.yaml"},
		"club":     {"testdata/club.yaml", "testdata/club.model.yaml"},
		"museum":   {"testdata/museum.yaml", "testdata/museum.model.yaml"},
		"pool":     {"testdata/pool.yaml", "testdata/pool.model.yaml"},
		"guests":   {"testdata/guests.yaml", "testdata/guests.model.yaml"},
		"adverts":  {"testdata/adverts.yaml", "testdata/adverts.model.yaml"},
		"invoices": {"testdata/invoices.yaml", "testdata/invoices.model.yaml"},
		"tracker":  {"../prove/testdata/tracker.yaml", "../prove/testdata/tracker.model.yaml"},
	}
	for name, files := range bases {
		m, _ := document(t, files[1], nil)
		_, problems := plan.Compile(m, requirements(t, files[0], nil))
		for _, p := range problems {
			t.Errorf("%s before it is broken: %s", name, p)
		}
	}
	var out strings.Builder
	codes := map[string]bool{}
	for _, section := range strings.Split("\n"+string(text), "\n== ")[1:] {
		head, _, _ := strings.Cut(section, "\n----\n")
		lines := strings.Split(strings.TrimRight(head, "\n"), "\n")
		title, base, _ := strings.Cut(lines[0], " @ ")
		var texts [2][]byte
		for i, name := range bases[base] {
			if texts[i], err = os.ReadFile(name); err != nil {
				t.Fatal(err)
			}
		}
		for i := 1; i < len(lines); i++ {
			which, edit := 1, lines[i]
			if rest, ok := strings.CutPrefix(edit, "r"); ok {
				which, edit = 0, rest
			}
			old, ok := strings.CutPrefix(edit, "- ")
			if !ok || i+1 == len(lines) {
				t.Fatalf("%s: %q is no edit", title, lines[i])
			}
			i++
			new := strings.TrimPrefix(strings.TrimPrefix(lines[i], "r"), "+")
			old = strings.ReplaceAll(old, `\n`, "\n")
			if n := strings.Count(string(texts[which]), old); n != 1 {
				t.Fatalf("%s: %q is there %d times", title, old, n)
			}
			new = strings.ReplaceAll(strings.TrimPrefix(new, " "), `\n`, "\n")
			texts[which] = []byte(strings.Replace(string(texts[which]), old, new, 1))
		}
		r := requirements(t, "requirements.yaml", texts[0])
		m, src, ds := model.ReadModel("model.yaml", texts[1])
		if m != nil {
			var problems []plan.Problem
			_, problems = plan.Compile(m, r)
			for _, p := range problems {
				codes[p.Code] = true
			}
			ds = src.Problems(problems)
		}
		fmt.Fprintf(&out, "== %s\n----\n", strings.Join(lines, "\n"))
		for _, d := range ds {
			fmt.Fprintf(&out, "%s\n", d)
			if d.Remedy != "" {
				fmt.Fprintf(&out, "  = %s\n", d.Remedy)
			}
		}
		if len(ds) == 0 {
			t.Errorf("%s: nothing is found", title)
		}
		out.WriteByte('\n')
	}
	golden(t, file, out.String())
	for code := range plan.Codes {
		if !codes[code] {
			t.Errorf("no case shows the problem %s", code)
		}
	}
	for code := range codes {
		if plan.Codes[code] == "" {
			t.Errorf("the code %s is not explained", code)
		}
	}
}
