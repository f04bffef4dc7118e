package model

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const placed = `tablewright: 1
entities:
  Order:
    identity: [orderId, line]   # a comment
    attributes:
      orderId: string
      "note": 'it''s é, long'
patterns:
  save:
    write: {create: Order}
    order: "a.b descending"
  both:
    write:
      - update: Order
        set: [status, order.state]
`

func TestPlace(t *testing.T) {
	s, diagnostics := NewSource("placed.yaml", []byte(placed))
	if diagnostics != nil {
		t.Fatal(diagnostics)
	}
	for _, c := range []struct {
		path string
		text string // what stands there
	}{
		{"", "tablewright"},
		{"tablewright", "1"},
		{"entities/Order", "Order"},
		{"entities/Order/identity", "identity"},
		{"entities/Order/identity/1", "line"},
		{"entities/Order/attributes/orderId", "string"},
		{"entities/Order/attributes/orderId/type", "string"},          // the obvious key
		{"entities/Order/attributes/orderId/bytes/average", "string"}, // not there: its place
		{"entities/Order/attributes/note", "'it''s é, long'"},
		{"entities/Order/bytes", "Order"},
		{"entities/Oder/bytes", "entities"},
		{"patterns/save/write/0", "write"},
		{"patterns/save/write/0/create", "Order"},
		{"patterns/save/order/0", `"a.b descending"`},
		{"patterns/both/write/0/update", "Order"},
		{"patterns/both/write/0/set/status", "status"},
		{"patterns/both/write/0/set/order.state", "order.state"},
	} {
		var path []string
		if c.path != "" {
			path = strings.Split(c.path, "/")
		}
		at := s.Place(path...)
		line := []rune(s.lines[at.Line-1])
		if got := string(line[at.Column-1 : min(at.EndColumn-1, len(line))]); got != c.text && !(c.path == "" && strings.HasPrefix(c.text, got)) {
			t.Errorf("%s is at %q, want %q", c.path, got, c.text)
		}
	}
	if at := s.KeyPlace("entities", "Order", "attributes", "orderId"); at != (Range{6, 7, 14}) {
		t.Errorf("the key orderId is at %v", at)
	}
	if at := s.Inside(4, "patterns", "save", "order"); at != (Range{11, 17, 27}) {
		t.Errorf("`descending` is at %v", at)
	}
	// Where characters are doubled the column is that of the whole.
	if at := s.Inside(8, "entities", "Order", "attributes", "note"); at.Column != 15 {
		t.Errorf("inside a doubled quote: %v", at)
	}
}

func TestJSONPlaces(t *testing.T) {
	text := "{\n\t\"a\": {\"é\": [1, -2.50, true, null, \"x\\n\"]},\n  \"b\" : \"\\ud83d\\ude00\"}"
	s, diagnostics := NewSource("x.json", []byte(text))
	if diagnostics != nil {
		t.Fatal(diagnostics)
	}
	for path, want := range map[string]Range{
		"a":     {2, 2, 5},
		"a/é":   {2, 8, 11},
		"a/é/0": {2, 14, 15},
		"a/é/1": {2, 17, 22},
		"a/é/2": {2, 24, 28},
		"a/é/3": {2, 30, 34},
		"a/é/4": {2, 36, 41},
		"b":     {3, 9, 23},
	} {
		if at := s.Place(strings.Split(path, "/")...); at != want {
			t.Errorf("%s is at %v, want %v", path, at, want)
		}
	}
	if _, n := s.find([]string{"b"}); n == nil || n.text != "😀" {
		t.Errorf("b is %v", n)
	}
	if _, n := s.find([]string{"a", "é", "1"}); n == nil || n.text != "-2.50" {
		t.Errorf("a number is not kept as it is written: %v", n)
	}
}

func TestAliases(t *testing.T) {
	s, diagnostics := NewSource("x.yaml", []byte("a: &x {b: 1}\nc: *x\n"))
	if diagnostics != nil {
		t.Fatal(diagnostics)
	}
	if _, n := s.find([]string{"c", "b"}); n == nil || n.text != "1" {
		t.Errorf("an alias leads to %v", n)
	}
	// A small text that stands for a billion values.
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 10; i++ {
		prev := string(rune('0' + i - 1))
		bomb += "a" + string(rune('0'+i)) + ": &a" + string(rune('0'+i)) + " [" + strings.Repeat("*a"+prev+", ", 9) + "*a" + prev + "]\n"
	}
	if _, diagnostics := NewSource("bomb.yaml", []byte(bomb)); diagnostics.Errors() != 1 || diagnostics[0].Code != "syntax" {
		t.Errorf("a bomb: %v", diagnostics)
	}
	if _, diagnostics := NewSource("deep.yaml", []byte(strings.Repeat("[", 5000)+strings.Repeat("]", 5000))); diagnostics.Errors() != 1 {
		t.Errorf("a deep one: %v", diagnostics)
	}
	if _, diagnostics := NewSource("deep.json", []byte(strings.Repeat("[", 5000)+strings.Repeat("]", 5000))); diagnostics.Errors() != 1 {
		t.Errorf("a deep one: %v", diagnostics)
	}
	if _, diagnostics := NewSource("latin1.yaml", []byte("a: 1\nb: \xe9\n")); diagnostics.Errors() != 1 || diagnostics[0].Line != 2 {
		t.Errorf("not UTF-8: %v", diagnostics)
	}
	if _, diagnostics := NewSource("bom.yaml", []byte("\xef\xbb\xbfa: 1\r\nb: 2\r\n")); diagnostics != nil {
		t.Errorf("a byte order mark and Windows' ends of lines: %v", diagnostics)
	}
}

func TestDiagnosticsAsJSON(t *testing.T) {
	_, _, ds := ReadRequirements("x.yaml", []byte("tablewright: 3\n"))
	var b bytes.Buffer
	if err := ds.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back []map[string]any
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if len(back) != len(ds) || len(back) == 0 {
		t.Fatalf("%d of %d", len(back), len(ds))
	}
	for i, d := range back {
		for _, key := range []string{"file", "line", "column", "endColumn", "severity", "code", "message", "source"} {
			if _, ok := d[key]; !ok {
				t.Errorf("%v has no %s", d, key)
			}
		}
		if d["code"] != ds[i].Code || d["line"] != float64(ds[i].Line) {
			t.Errorf("%v is not %v", d, ds[i])
		}
	}
	b.Reset()
	if err := (Diagnostics)(nil).WriteJSON(&b); err != nil || b.String() != "[]\n" {
		t.Errorf("nothing is %q, %v", b.String(), err)
	}
	if (Diagnostics{{Severity: Warning}}).Err() != nil {
		t.Error("a warning is an error")
	}
	if err := ds.Err(); err == nil || !strings.Contains(err.Error(), "x.yaml:1:14: error: this program reads version 1 of the format, not 3 (version)") && !strings.Contains(err.Error(), "and") {
		t.Errorf("the errors are %v", err)
	}
}

// Whatever the text, reading ends with requirements or with errors that have a place in the text.
func FuzzReadRequirements(f *testing.F) {
	for _, pattern := range []string{"testdata/requirements/*.yaml", "testdata/requirements/*.json", "testdata/resolved/*.yaml", "../examples/*.yaml", "starter.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal(pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, s, ds := ReadRequirements("x.yaml", text)
		if (r == nil) != (ds.Errors() > 0) {
			t.Fatalf("%d errors, and requirements: %v", ds.Errors(), r != nil)
		}
		for _, d := range ds {
			if d.Line < 1 || d.Line > len(s.lines) || d.Column < 1 || !isCode(d.Code) || d.Message == "" {
				t.Fatalf("%+v", d)
			}
			d.Text()
		}
		if r != nil {
			describe(r)
		}
	})
}

// Words of one file put in each other's places make files that are well formed and wrong in every way: reading them
// must end like any other.
func TestExchangedWords(t *testing.T) {
	word := regexp.MustCompile(`[A-Za-z][A-Za-z-]*|[0-9][0-9_.]*|\[[^\[\]]*\]`)
	random := rand.New(rand.NewPCG(3, 4))
	for _, file := range []string{"testdata/resolved/relationships.yaml", "testdata/resolved/short-forms.yaml", "../examples/online-shop.yaml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		words := word.FindAllString(string(text), -1)
		clean := 0
		for range 60 {
			changed := string(text)
			for range 1 + random.IntN(4) {
				at := word.FindAllStringIndex(changed, -1)
				i := at[random.IntN(len(at))]
				changed = changed[:i[0]] + words[random.IntN(len(words))] + changed[i[1]:]
			}
			r, s, ds := ReadRequirements("x.yaml", []byte(changed))
			if (r == nil) != (ds.Errors() > 0) {
				t.Fatalf("%d errors, and requirements: %v\n%s", ds.Errors(), r != nil, changed)
			}
			for _, d := range ds {
				if d.Line < 1 || d.Line > len(s.lines) || !isCode(d.Code) {
					t.Fatalf("%+v", d)
				}
			}
			if r != nil {
				describe(r)
				clean++
			}
		}
		if clean == 60 {
			t.Errorf("%s: no change was an error", file)
		}
	}
}

// What is well formed has no line of which it would be said that it is not.
func TestMisindented(t *testing.T) {
	for _, pattern := range []string{"testdata/requirements/*.yaml", "testdata/resolved/*.yaml", "testdata/*.yaml", "../examples/*.yaml", "starter.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, found := NewSource(file, text)
			if at := s.misindented(); at > 0 && found == nil {
				t.Errorf("%s:%d is taken for one that is indented wrongly: %s", file, at, s.lines[at-1])
			}
		}
	}
	for text, want := range map[string]int{
		"a:\n  b: 1\n   c: 2\n":                      3,
		"a:\n    b: 1\n  c: 2\n":                     3,
		"a:\n  b: |\n    c: d\n      e: f\n  g: 1\n": 0,
		"a:\n  b: {c: 1,\n d: 2}\n  e: 1\n":          0,
		"a:\n- b: 1\n  c: 2\n- d: 3\n":               0,
		"a:\n- b: 1\n   c: 2\n":                      3,
		"a: # why\n  \"b\": 1 # because\n  c: 2\n":   0,
		"a: 1\n  and more of it\nb: 2\n":             0,
	} {
		s, _ := NewSource("x.yaml", []byte(text))
		if got := s.misindented(); got != want {
			t.Errorf("line %d, not %d, of %q", got, want, text)
		}
	}
}
