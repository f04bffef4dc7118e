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
	"github.com/tablewright/tablewright/spec"
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
	in := generate.Input{Requirements: r, Program: program, Price: cost.Price(program, nil), Proof: proof(t, dir, r)}
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

// proof is what a case's proof.json holds, as package prove writes it; without one it is made up.
func proof(t *testing.T, dir string, r *spec.Requirements) *generate.Proof {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "proof.json"))
	if err == nil {
		p := &generate.Proof{Samples: map[string][]generate.Sample{}}
		if err := json.Unmarshal(text, p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := &generate.Proof{Seed: 7, Entities: map[string]int{"Reader": 40, "Book": 40, "Loan": 1600}, Samples: map[string][]generate.Sample{},
		Cuts: []generate.Cut{{What: "count of Loan", Stated: 2_000_000, Used: 1600, Because: "the proof keeps a sample"}}}
	for _, x := range r.Patterns {
		v := generate.Verdict{Name: x.Name, Proven: true, Calls: 1200, Aims: map[string]int{"typical": 1000, "absent": 200}, Measured: 400,
			Estimated: map[string]float64{"Books": 0.5}, Consumed: map[string]float64{"Books": 0.51}}
		if x.Name == "returnBook" {
			v.Proven, v.Cause = false, "it was done and should have been refused"
		}
		if x.Name == "addBook" {
			v.Answers, v.Low, v.High, v.Heat = true, 0.49, 0.53, 0.02
		}
		p.Patterns = append(p.Patterns, v)
	}
	p.Concurrent = []generate.Concurrent{
		{Pattern: "addBook", What: "create of one identity", Attempts: 8, Happened: 1},
		{Pattern: "returnBook", What: "changes of one Loan", Attempts: 8, Happened: 0},
	}
	return p
}

// TestGolden holds both documents of a case as text; -update rewrites them.
func TestGolden(t *testing.T) {
	for _, dir := range cases {
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
}

// cases are requirements with a model and samples: a library made by hand, and orders as they were designed and proven.
var cases = []string{filepath.Join("testdata", "library"), filepath.Join("testdata", "orders")}

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
	for _, dir := range cases {
		in := input(t, dir)
		unproven := in
		unproven.Proof = nil
		for name, text := range map[string][]byte{
			"requirement": generate.Requirement(in), "model": generate.DataModel(in),
			"unproven requirement": generate.Requirement(unproven), "unproven model": generate.DataModel(unproven),
		} {
			t.Run(filepath.Base(dir)+" "+name, func(t *testing.T) { wellFormed(t, string(text)) })
		}
	}
}

// TestSaid holds what readers missed in these documents, and what they could make nothing of.
func TestSaid(t *testing.T) {
	library, orders := input(t, cases[0]), input(t, cases[1])
	for _, c := range []struct {
		name, text string
		has, not   []string
	}{
		{"library", string(generate.DataModel(library)),
			[]string{
				"storage $0.35", // the parts of the price
				"DynamoDB refuses a second item only under one table key", // why a marker table stands beside an index
				"`getLoansOfBookInTime` still takes more than one round trip",
				"| `Loans.ByReader` | global secondary index |", // a sort key alone is no multi-attribute key
				"*absent*: values that nobody has",
			},
			[]string{"makes a second round", "changes of one Loan", "-0.0 %", "the proof keeps a sample", "no model serves all patterns"}},
		{"orders", string(generate.DataModel(orders)),
			[]string{
				"point-in-time recovery $0.45",
				"**OrderItem is stored twice**: inside Order (`items`), and as items of its own in `Sales` for `getSalesOfProduct`",
				"`Orders.ByPriorityStatus` `{priority, status; placedAt}`",
				"| `Orders.ByPriorityStatus` | multi-attribute index |",
				"6 values, the most frequent on about 83 % of the items", // of the index's partition
				"stands for about 338 bytes that the stated size leaves to attributes without a name",
				"**Replication** to eu-central-1",
				"reads pages of 50: more than three of them have a first, an inner and a last page",
			},
			[]string{"so no index can lead to it", "the proof keeps a sample", "Holds OrderItem by", "😀"}},
		{"orders, requirement", string(generate.Requirement(orders)),
			[]string{
				"| 100,000 | 2,628 |", // growth as it was stated
				"338 of the 400 bytes of Customer",
				"not: `Customer`",
				"a month has 730 hours",
			},
			[]string{"Nothing here is a table"}},
	} {
		for _, x := range c.has {
			if !strings.Contains(c.text, x) {
				t.Errorf("%s does not say %q", c.name, x)
			}
		}
		for _, x := range c.not {
			if strings.Contains(c.text, x) {
				t.Errorf("%s says %q", c.name, x)
			}
		}
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
