package generate_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/generate"
	"github.com/tablewright/tablewright/model"
)

var update = flag.Bool("update", false, "rewrite golden files")

// input reads a case: requirements, model, and a proof of which returnBook has failed.
func input(t *testing.T, dir string) generate.Input {
	t.Helper()
	r, _, ds, err := model.LoadRequirements(filepath.Join(dir, "requirements.yaml"))
	if err != nil || r == nil {
		t.Fatal(err, ds)
	}
	m, source, ds, err := model.LoadModel(filepath.Join(dir, "model.yaml"))
	if err != nil || m == nil {
		t.Fatal(err, ds)
	}
	program, ds := model.CompileModel(m, source, r)
	if ds.Err() != nil {
		t.Fatal(ds)
	}
	in := generate.Input{Requirements: r, Program: program, Price: cost.Price(program, nil)}
	in.Proof = &generate.Proof{Seed: 7, Entities: map[string]int{"Reader": 40, "Book": 40, "Loan": 1600}, Samples: map[string][]generate.Sample{},
		Cuts: []generate.Cut{{What: "count of Loan", Stated: 2_000_000, Used: 1600, Because: "the proof keeps a sample"}}}
	for _, p := range r.Patterns {
		v := generate.Verdict{Name: p.Name, Proven: true, Calls: 1200, Aims: map[string]int{"typical": 1000, "absent": 200}, Measured: 400,
			Estimated: map[string]float64{"Books": 0.5}, Consumed: map[string]float64{"Books": 0.51}}
		if p.Name == "returnBook" {
			v.Proven, v.Cause = false, "it was done and should have been refused"
		}
		in.Proof.Patterns = append(in.Proof.Patterns, v)
	}
	in.Proof.Concurrent = []generate.Concurrent{{Pattern: "addBook", What: "create of one identity", Attempts: 8, Happened: 1}}
	text, err := os.ReadFile(filepath.Join(dir, "samples.json"))
	if err != nil {
		t.Fatal(err)
	}
	var samples map[string][]struct {
		Kind string
		Item attr.Item
	}
	if err := json.Unmarshal(text, &samples); err != nil {
		t.Fatal(err)
	}
	for place, list := range samples {
		for _, s := range list {
			in.Proof.Samples[place] = append(in.Proof.Samples[place], generate.Sample(s))
		}
	}
	return in
}

// TestGolden holds both documents of a case as text; -update rewrites them.
func TestGolden(t *testing.T) {
	dir := filepath.Join("testdata", "library")
	in := input(t, dir)
	for name, got := range map[string][]byte{generate.RequirementFile: generate.Requirement(in), generate.DataModelFile: generate.DataModel(in)} {
		path := filepath.Join(dir, name)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s is not as it was; go test -run Golden -update rewrites it. First difference:\n%s", path, difference(string(got), string(want)))
		}
	}
}

// difference is the first line in which two texts differ, of both.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got  " + g[i] + "\nwant " + w[i]
		}
	}
	return "one is longer"
}

// TestDocuments checks of both documents, proven or not, what makes them readable: every heading has something under it, every
// table has cells under its head and as many in each row, and links lead somewhere.
func TestDocuments(t *testing.T) {
	in := input(t, filepath.Join("testdata", "library"))
	unproven := in
	unproven.Proof = nil
	for name, text := range map[string][]byte{
		"requirement": generate.Requirement(in), "model": generate.DataModel(in),
		"unproven requirement": generate.Requirement(unproven), "unproven model": generate.DataModel(unproven),
	} {
		t.Run(name, func(t *testing.T) { wellFormed(t, string(text)) })
	}
}

func wellFormed(t *testing.T, text string) {
	t.Helper()
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	level := func(line string) int { return len(line) - len(strings.TrimLeft(line, "#")) }
	headings := map[string]bool{}
	for i, line := range lines {
		if n := level(line); n > 0 {
			headings[strings.ToLower(strings.ReplaceAll(strings.TrimLeft(line, "# "), " ", "-"))] = true
			next := i + 1
			for next < len(lines) && lines[next] == "" {
				next++
			}
			if next == len(lines) || level(lines[next]) > 0 && level(lines[next]) <= n {
				t.Errorf("nothing stands under %q", line)
			}
		}
		if strings.HasPrefix(line, "|") {
			if i == 0 || !strings.HasPrefix(lines[i-1], "|") {
				if i+2 >= len(lines) || !strings.HasPrefix(lines[i+2], "|") {
					t.Errorf("the table %q has no rows", line)
				}
			} else if cells(line) != cells(lines[i-1]) {
				t.Errorf("%q has %d cells, the row before %d", line, cells(line), cells(lines[i-1]))
			}
		}
		if strings.Contains(line, "%!") {
			t.Errorf("a format went wrong: %q", line)
		}
	}
	for _, part := range strings.Split(text, "](#")[1:] {
		if link := part[:strings.IndexByte(part, ')')]; !headings[link] {
			t.Errorf("no heading for the link #%s", link)
		}
	}
}

// cells counts the cells of a row; an escaped bar belongs to its cell.
func cells(row string) int { return strings.Count(strings.ReplaceAll(row, `\|`, ""), "|") }

// TestUnprovenIsSaid: a document must not claim what nobody has tried.
func TestUnprovenIsSaid(t *testing.T) {
	in := input(t, filepath.Join("testdata", "library"))
	proven := string(generate.DataModel(in))
	if !strings.Contains(proven, "8 of 9 are proven") || !strings.Contains(proven, "**not proven**: it was done and should have been refused") {
		t.Error("the data model does not say which pattern is not proven, or why")
	}
	if !strings.Contains(string(generate.Requirement(in)), "- [ ] Every access pattern is proven (8 of 9); not: `returnBook`") {
		t.Error("the checklist ticks what is not proven")
	}
	in.Proof = nil
	if text := string(generate.DataModel(in)); !strings.Contains(text, "has not been proven") || strings.Contains(text, "Sample items") {
		t.Error("without a proof the data model does not say so")
	}
	if text := string(generate.Requirement(in)); !strings.Contains(text, "- [ ] The model has not been proven") {
		t.Error("without a proof the checklist does not say so")
	}
}
