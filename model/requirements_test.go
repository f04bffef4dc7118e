package model

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

var update = flag.Bool("update", false, "rewrite testdata/*.golden")

// Each testdata/requirements/NAME.yaml (or .json) is read, and its diagnostics compared with NAME.golden. Together they
// have every code, and no golden line can be reached by a code that is not in the table.
func TestDiagnostics(t *testing.T) {
	files, err := filepath.Glob("testdata/requirements/*.*")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		if filepath.Ext(file) == ".golden" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, _, diagnostics := ReadRequirements(filepath.Base(file), text)
		if (r == nil) != (diagnostics.Errors() > 0) {
			t.Errorf("%s: %d errors, requirements %v", file, diagnostics.Errors(), r)
		}
		var got bytes.Buffer
		if err := diagnostics.WriteText(&got); err != nil {
			t.Fatal(err)
		}
		golden(t, strings.TrimSuffix(file, filepath.Ext(file))+".golden", got.Bytes())
		for _, d := range diagnostics {
			seen[d.Code] = true
			if d.Remedy == "" || d.Source == "" && len(bytes.TrimSpace(text)) > 0 {
				t.Errorf("%s: %s has no remedy, or shows no line", file, d)
			}
			if !isCode(d.Code) {
				t.Errorf("%s: %s has a code that is in no table", file, d)
			}
			if i := slices.IndexFunc(Codes, func(c Code) bool { return c.Name == d.Code }); i >= 0 && Codes[i].Severity == Warning && d.Severity == Error {
				t.Errorf("%s: %s is an error, and the table calls it a warning", file, d)
			}
		}
	}
	for _, c := range Codes {
		if !seen[c.Name] && c.Name != "beyond-limits" && c.Name != "uncovered" { // the designer makes them
			t.Errorf("no case has the code %s", c.Name)
		}
		if c.Meaning == "" || c.Remedy == "" {
			t.Errorf("%s has no meaning or remedy", c.Name)
		}
	}
	if !slices.IsSortedFunc(Codes, func(a, b Code) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the codes are not in order")
	}
}

// Each testdata/resolved/NAME.yaml is free of findings and resolves to what NAME.golden describes.
func TestResolved(t *testing.T) {
	files, err := filepath.Glob("testdata/resolved/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		r, _, diagnostics, err := LoadRequirements(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(diagnostics) > 0 {
			var text bytes.Buffer
			diagnostics.WriteText(&text)
			t.Errorf("%s", text.Bytes())
			continue
		}
		golden(t, strings.TrimSuffix(file, ".yaml")+".golden", []byte(describe(r)))
	}
}

// golden compares with a file, or rewrites it.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s:\n--- got\n%s--- want\n%s", file, got, want)
	}
}

// The files that people begin with have nothing to complain about.
func TestExamplesAreClean(t *testing.T) {
	for _, file := range requirementsFiles(t) {
		r, _, diagnostics, err := LoadRequirements(file)
		if err != nil || r == nil || len(diagnostics) > 0 {
			t.Errorf("%s: %v %v", file, err, diagnostics)
		}
	}
	if r, _, diagnostics := ReadRequirements("starter.yaml", Starter()); r == nil || len(diagnostics) > 0 {
		t.Errorf("the starter file: %v", diagnostics)
	}
	if _, _, _, err := LoadRequirements("testdata/no-such-file.yaml"); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A month is one length: what is created in it and what it costs are compared by readers.
func TestMonth(t *testing.T) {
	if spec.Month.Seconds() != capacity.DefaultPrices().Seconds() {
		t.Errorf("a month has %v s in requirements and %v s in prices", spec.Month.Seconds(), capacity.DefaultPrices().Seconds())
	}
}

// YAML and JSON of one content mean the same, down to the diagnostics' texts.
func TestJSONMeansTheSame(t *testing.T) {
	for _, file := range requirementsFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, diagnostics := NewSource(file, text)
		if diagnostics != nil {
			t.Fatal(diagnostics)
		}
		asJSON := toJSON(s.root)
		if !json.Valid([]byte(asJSON)) {
			t.Fatalf("%s: not JSON:\n%s", file, asJSON)
		}
		r, _, _ := ReadRequirements(file, text)
		j, _, diagnostics := ReadRequirements(file+".json", []byte(asJSON))
		if diagnostics != nil {
			t.Fatal(diagnostics)
		}
		if a, b := describe(r), describe(j); a != b {
			t.Errorf("%s: as JSON it is\n%s\nand not\n%s", file, b, a)
		}
	}
}

func toJSON(n *node) string {
	text := func(s string) string {
		b, _ := json.Marshal(s)
		return string(b)
	}
	var parts []string
	switch n.kind {
	case mapping:
		for i := 0; i < len(n.children); i += 2 {
			parts = append(parts, text(n.children[i].text)+":\n"+toJSON(n.children[i+1]))
		}
		return "{" + strings.Join(parts, ",\n") + "}"
	case sequence:
		for _, c := range n.children {
			parts = append(parts, toJSON(c))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	if n.text == "true" || regexp.MustCompile(`^[1-9][0-9]*$`).MatchString(n.text) {
		return n.text
	}
	return text(n.text)
}

// TestListedShare takes the share of an optional attribute from a pattern that lists all that have it.
func TestListedShare(t *testing.T) {
	text := func(where, results string) []byte {
		return []byte(`
tablewright: 1
application: kennel
entities:
  Dog:
    identity: [dogId]
    attributes:
      dogId: {type: string, bytes: 8}
      chip: {type: string, bytes: 15, optional: true}
    count: 2_000
patterns:
  addDog: {write: {create: Dog}, rate: {average: 1/s, peak: 1/s}}
  chipped: {read: Dog, where: ` + where + `, order: chip, page: 20, results: ` + results + `, rate: {average: 1/s, peak: 1/s}}
`)
	}
	for _, c := range []struct {
		where, results string
		want           float64
		warned         bool
	}{
		{"exists(chip)", "{average: 300, max: 400}", 0.15, false},
		{"chip > $from", "{average: 300, max: 400}", 0.5, true}, // a part of those that have it
	} {
		r, _, ds := ReadRequirements("kennel.yaml", text(c.where, c.results))
		if r == nil {
			t.Fatal(ds)
		}
		if got := r.Entity("Dog").Attribute("chip").Present; got != c.want {
			t.Errorf("%s: %v of all have it, want %v", c.where, got, c.want)
		}
		if warned := strings.Contains(fmt.Sprint(ds), "share-missing"); warned != c.warned {
			t.Errorf("%s: warned %v", c.where, warned)
		}
	}
}

// TestImpliedRequires holds that a write requires what another of its actions updates at the end of a way, and only that.
func TestImpliedRequires(t *testing.T) {
	for _, c := range []struct {
		name, key, more string
		want            int
	}{
		{"the same kennel", "{kennelId: $dog.kennelId}", "", 1},
		{"another kennel", "{kennelId: $kennelId}", "", 0},
		{"each for itself", "{kennelId: $dog.kennelId}", "atomic: false, ", 0},
	} {
		r, _, ds := ReadRequirements("kennel.yaml", []byte(`
tablewright: 1
application: kennel
entities:
  Kennel:
    identity: [kennelId]
    attributes:
      kennelId: {type: string, bytes: 8}
      free: {type: number, digits: 3, min: 0}
    count: 20
  Dog:
    identity: [dogId]
    attributes:
      dogId: {type: string, generated: ulid}
      kennelId: {references: Kennel}
    count: 2_000
patterns:
  addKennel: {write: {create: Kennel}, rate: {average: 1/s, peak: 1/s}}
  bring:
    write:
      - create: Dog
      - {update: Kennel, key: `+c.key+`, set: {free: free - 1}, condition: free >= 1}
    `+c.more[:max(0, len(c.more)-2)]+`
    rate: {average: 1/s, peak: 1/s}
`))
		if r == nil {
			t.Fatal(ds)
		}
		if got := len(r.Pattern("bring").Actions[0].Requires); got != c.want {
			t.Errorf("%s: a new dog requires %d ways, want %d", c.name, got, c.want)
		}
	}
}
