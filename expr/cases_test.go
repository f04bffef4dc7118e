package expr_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

var update = flag.Bool("update", false, "rewrite the expected lines of testdata/*.txt")

// The cases lie in testdata/*.txt, in blocks with an empty line between them: a command, lines of input, ----, and for
// every line of input a line of output. A line that begins with # comments. A line of input that begins with " is a Go
// string. Commands that only set something have neither ---- nor output:
//
//	item            name and value per line: the item of the cases that follow
//	names, values   placeholder and what is behind it, per line: those that a case mentions are its substitutions
//
// The others take an expression per line and answer its error or what it does:
//
//	filter          true or false for the item
//	paths           the paths that the condition reads
//	update          the attributes that change
//	projection      the part of the item
//	key SCHEMA      the key condition it makes for schema table, hash or gsi
//	print KIND      the text and the substitutions of the expression when it is printed
//	statement       what a statement of PartiQL says; its parameters are "p", 7 and the set of "a"
//	reach SCHEMA    the parts of schema table, hash or gsi that its condition leads to
type block struct {
	file    string
	line    int
	head    []string // comments
	command string
	arg     string
	input   []string
	output  []string
	ruled   bool // it has ----
}

// testCase is one line of input with everything it depends on.
type testCase struct {
	command, arg, text string
	item               attr.Item
	names              map[string]string
	values             map[string]attr.Value
}

func readBlocks(t testing.TB, file string) (blocks []block) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	line := 1
	for text := range strings.SplitSeq(strings.TrimRight(string(data), "\n"), "\n\n") {
		b := block{file: filepath.Base(file), line: line}
		line += strings.Count(text, "\n") + 2
		for l := range strings.SplitSeq(text, "\n") {
			switch {
			case b.ruled:
				b.output = append(b.output, l)
			case l == "----":
				b.ruled = true
			case b.command == "" && strings.HasPrefix(l, "#"):
				b.head = append(b.head, l)
			case b.command == "":
				b.command, b.arg, _ = strings.Cut(l, " ")
			default:
				b.input = append(b.input, l)
			}
		}
		blocks = append(blocks, b)
	}
	return blocks
}

func (b block) String() string {
	lines := append([]string{}, b.head...)
	if b.command != "" {
		lines = append(lines, strings.TrimSpace(b.command+" "+b.arg))
	}
	lines = append(lines, b.input...)
	if b.ruled {
		lines = append(append(lines, "----"), b.output...)
	}
	return strings.Join(lines, "\n")
}

var placeholder = regexp.MustCompile(`[#:][A-Za-z0-9_]+`)

// forCases calls f with every case of a file, in order, and the output that stands there; it writes what f returns if the
// test is to update.
func forCases(t *testing.T, file string, f func(at string, c testCase, want string) string) {
	t.Helper()
	var item attr.Item
	names := map[string]string{}
	values := map[string]attr.Value{}
	blocks := readBlocks(t, file)
	for i := range blocks {
		b := &blocks[i]
		switch b.command {
		case "":
			continue
		case "item":
			item = attr.Item{}
			for _, l := range b.input {
				name, value, _ := strings.Cut(l, " ")
				item.Set(name, parseValue(t, value))
			}
			continue
		case "names":
			clear(names)
			for _, l := range b.input {
				ref, name, _ := strings.Cut(l, " ")
				names[ref] = unquote(t, name)
			}
			continue
		case "values":
			clear(values)
			for _, l := range b.input {
				ref, value, _ := strings.Cut(l, " ")
				values[ref] = parseValue(t, value)
			}
			continue
		}
		if !b.ruled || !*update && len(b.output) != len(b.input) {
			t.Fatalf("%s:%d: %d lines of input, %d of output", b.file, b.line, len(b.input), len(b.output))
		}
		var got []string
		for j, l := range b.input {
			c := testCase{command: b.command, arg: b.arg, text: unquote(t, l), item: item}
			for _, ref := range placeholder.FindAllString(c.text, -1) {
				if name, ok := names[ref]; ok {
					if c.names == nil {
						c.names = map[string]string{}
					}
					c.names[ref] = name
				}
				if v, ok := values[ref]; ok {
					if c.values == nil {
						c.values = map[string]attr.Value{}
					}
					c.values[ref] = v
				}
			}
			want := ""
			if j < len(b.output) {
				want = b.output[j]
			}
			at := fmt.Sprintf("%s:%d", b.file, b.line+len(b.head)+1+j)
			got = append(got, f(at, c, want))
		}
		b.output = got
	}
	if *update {
		texts := make([]string, len(blocks))
		for i, b := range blocks {
			texts[i] = b.String()
		}
		if err := os.WriteFile(file, []byte(strings.Join(texts, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func caseFiles(t testing.TB) []string {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	return files
}

func parseValue(t testing.TB, text string) attr.Value {
	t.Helper()
	v, err := attr.ParseValue([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func unquote(t testing.TB, text string) string {
	if !strings.HasPrefix(text, `"`) {
		return text
	}
	s, err := strconv.Unquote(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}

var keySchemas = map[string]expr.KeySchema{
	"table": {Hash: []expr.KeyAttr{{Name: "pk", Kind: attr.KindS}}, Range: []expr.KeyAttr{{Name: "sk", Kind: attr.KindS}}},
	"hash":  {Hash: []expr.KeyAttr{{Name: "pk", Kind: attr.KindS}}},
	"gsi": {
		Hash:  []expr.KeyAttr{{Name: "h1", Kind: attr.KindS}, {Name: "h2", Kind: attr.KindS}},
		Range: []expr.KeyAttr{{Name: "r1", Kind: attr.KindS}, {Name: "r2", Kind: attr.KindS}, {Name: "r3", Kind: attr.KindN}},
		Index: "ggg",
	},
}

// run answers a case.
func (c testCase) run() (string, error) {
	s := expr.NewSubstitutions(c.names, c.values)
	var out string
	var err error
	switch c.command {
	case "filter":
		var f *expr.Condition
		if f, err = expr.ParseFilter(c.text, s); err == nil {
			out = strconv.FormatBool(f.Eval(c.item))
		}
	case "paths":
		var f *expr.Condition
		if f, err = expr.ParseFilter(c.text, s); err == nil {
			out = fmt.Sprint(f.Paths())
		}
	case "update":
		var u *expr.Update
		var after attr.Item
		if u, err = expr.ParseUpdate(c.text, s); err == nil {
			if after, _, err = u.Apply(c.item); err == nil {
				out = difference(c.item, after)
			}
		}
	case "projection":
		var p *expr.Projection
		if p, err = expr.ParseProjection(c.text, s); err == nil {
			out = string(attr.AppendItem(nil, p.Apply(c.item)))
		}
	case "key":
		var k *expr.KeyCondition
		if k, err = expr.ParseKeyCondition(c.text, s, keySchemas[c.arg]); err == nil {
			out = describe(k)
		}
	case "print":
		return c.print(s)
	case "statement", "reach":
		return c.statement()
	default:
		out = "unknown command"
	}
	if err == nil {
		err = s.Unused()
	}
	return out, err
}

// print answers the text that is printed of what was parsed.
func (c testCase) print(s *expr.Substitutions) (string, error) {
	var p expr.Printer
	var text []byte
	var shown fmt.Stringer
	var err error
	switch c.arg {
	case "filter":
		var f *expr.Condition
		if f, err = expr.ParseFilter(c.text, s); err == nil {
			shown = f
			text, err = p.AppendFilter(nil, f)
		}
	case "update":
		var u *expr.Update
		if u, err = expr.ParseUpdate(c.text, s); err == nil {
			shown = u
			text, err = p.AppendUpdate(nil, u)
		}
	case "projection":
		var r *expr.Projection
		if r, err = expr.ParseProjection(c.text, s); err == nil {
			shown = r
			text, err = p.AppendProjection(nil, r)
		}
	case "key":
		var k *expr.KeyExpression
		if k, err = expr.ParseKey(c.text, s); err == nil {
			shown = k
			text, err = p.AppendKey(nil, k)
		}
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s  |  %s  |  %q %v", text, shown, p.Names(), p.Values()), nil
}

// difference lists the attributes that were changed and removed.
func difference(before, after attr.Item) string {
	var out []string
	for name, v := range after.All() {
		if !attr.Equal(v, before.Get(name)) {
			out = append(out, name+"="+string(attr.AppendValue(nil, v)))
		}
	}
	for name := range before.All() {
		if !after.Has(name) {
			out = append(out, "-"+name)
		}
	}
	if out == nil {
		return "no change"
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func describe(k *expr.KeyCondition) string {
	var out []string
	for _, v := range k.Hash() {
		out = append(out, string(attr.AppendValue(nil, v)))
	}
	out = append(out, "|")
	for _, v := range k.Equal() {
		out = append(out, "= "+string(attr.AppendValue(nil, v)))
	}
	if term, ok := k.Range(); ok {
		out = append(out, term.Attribute, term.Op.String(), string(attr.AppendValue(nil, term.Low)))
		if !term.High.IsZero() {
			out = append(out, "AND", string(attr.AppendValue(nil, term.High)))
		}
	}
	return strings.Join(out, " ")
}

func TestCases(t *testing.T) {
	for _, file := range caseFiles(t) {
		forCases(t, file, func(at string, c testCase, want string) string {
			got, err := c.run()
			if err != nil {
				got = err.Error()
			}
			if got != want && !*update {
				t.Errorf("%s: %s\n got %s\nwant %s", at, c.text, got, want)
			}
			return got
		})
	}
}
