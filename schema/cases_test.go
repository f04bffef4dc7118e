package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/schema"
)

var update = flag.Bool("update", false, "rewrite the answers in testdata/*.txt")

// The cases of testdata/jsonschema.txt: how schemas are read, and what they make of documents.
func TestJSONSchemaCases(t *testing.T) {
	const file = "testdata/jsonschema.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		head, want, ok := strings.Cut(block+"\n", "----\n")
		if !ok { // a comment
			out = append(out, block)
			continue
		}
		var in []string
		for line := range strings.Lines(head) {
			if !strings.HasPrefix(line, "#") {
				in = append(in, strings.TrimSuffix(line, "\n"))
			}
		}
		got := runCase(in)
		if got != want && !*update {
			t.Errorf("%s\n----\n%s----\nand not\n%s", head, got, want)
		}
		out = append(out, strings.TrimSuffix(head+"----\n"+got, "\n"))
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(out, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func runCase(in []string) string {
	shape, err := schema.FromJSONSchema([]byte(in[0]))
	if err != nil {
		return err.Error() + "\n"
	}
	var b bytes.Buffer
	if err := json.Compact(&b, shape.JSONSchema()); err != nil {
		return err.Error()
	}
	b.WriteByte('\n')
	for _, doc := range in[1:] {
		if it, err := shape.ParseJSON([]byte(doc)); err != nil {
			fmt.Fprintln(&b, "wrong:", err)
		} else {
			fmt.Fprintln(&b, "item:", string(attr.AppendItem(nil, it)))
		}
	}
	return b.String()
}

// Changes of updates, each checked without the item.
func TestCheckChange(t *testing.T) {
	s := schema.Object(
		schema.Required("a", schema.String().Len(1, 3)),
		schema.Optional("n", schema.Number().Range(0, 9).Decimals(1)),
		schema.Optional("tags", schema.SetOf(schema.String().Len(1, 3))),
		schema.Optional("m", schema.Map(schema.Number()).Keys(schema.String().Len(2, 2))),
		schema.Optional("l", schema.List(schema.Object(
			schema.Optional("x", schema.Number().Default(attr.Int(7))),
			schema.Computed("y", schema.Number(), func(it attr.Item) attr.Value { return it.Get("x") }, "x"),
			schema.Optional("z", schema.Bool()),
		))),
		schema.Computed("up", schema.String(), func(it attr.Item) attr.Value { return attr.Text(strings.ToUpper(it.Get("a").Str())) }, "a"),
	).Closed()
	name := func(names ...string) (p []schema.Step) {
		for _, n := range names {
			if n == "[]" {
				p = append(p, schema.Step{Index: 2})
			} else {
				p = append(p, schema.Step{Name: n})
			}
		}
		return p
	}
	for _, test := range []struct {
		do    schema.Do
		path  []schema.Step
		value attr.Value
		want  string
	}{
		{schema.SetTo, name("a"), attr.Text("abc"), ""},
		{schema.SetTo, name("a"), attr.Text("abcd"), "a: must have 1 to 3 characters"},
		{schema.SetTo, name("a"), attr.Num(attr.Int(3)), "a: must be a text"},
		{schema.Remove, name("a"), attr.Value{}, "a: must be there: it is not removed"},
		{schema.Remove, name("n"), attr.Value{}, ""},
		{schema.SetTo, name("b"), attr.Text("x"), "b: is not known here"},
		{schema.Add, name("n"), attr.Num(attr.Dec("100.5")), ""}, // the sum may be in the range
		{schema.Add, name("n"), attr.Num(attr.Dec("0.05")), "n: must have at most 1 decimal"},
		{schema.AddTo, name("tags"), attr.TextSet("abc", "abcd"), "tags[]: must have 1 to 3 characters"},
		{schema.TakeFrom, name("tags"), attr.TextSet("abcd"), ""},
		{schema.SetTo, name("m", "k1"), attr.Num(attr.Int(1)), ""},
		{schema.SetTo, name("m", "key"), attr.Text("x"), "m.key: the key must have exactly 2 characters; m.key: must be a number"},
		{schema.Remove, name("m", "key"), attr.Value{}, ""},
		{schema.SetTo, name("l", "[]"), attr.Map(attr.Item{}), ""},
		{schema.SetTo, name("l", "[]", "z"), attr.Bool(true), ""},
		{schema.SetTo, name("l", "[]", "z"), attr.Text("x"), "l[2].z: must be true or false"},
		{schema.SetTo, name("l", "[]", "y"), attr.Text("x"), "l[2].y: is computed, and not changed otherwise"},
		{schema.SetTo, name("l", "[]", "x"), attr.Num(attr.Int(1)), "l[2].x: is what a computed attribute follows from: it is set with the whole that both are in"},
		{schema.SetTo, name("up"), attr.Text("x"), "up: is computed, and not changed otherwise"},
		{schema.AddTo, name("l"), attr.List(attr.Bool(true)), "l[]: must be a map"},
	} {
		_, err := s.CheckChange(schema.Change{Do: test.do, Path: test.path, Value: test.value})
		if got := fmt.Sprint(err); got != test.want && (err != nil || test.want != "") {
			t.Errorf("%v %v: %s, not %s", test.do, test.path, got, test.want)
		}
	}
	completed, err := s.CheckChange(schema.Change{Path: name("l", "[]"), Value: attr.Map(attr.Item{})})
	if err != nil || string(attr.AppendValue(nil, completed)) != `{"M":{"x":{"N":"7"},"y":{"N":"7"}}}` {
		t.Errorf("%s %v", attr.AppendValue(nil, completed), err)
	}
	completed, err = s.CheckChange(schema.Change{Do: schema.AddTo, Path: name("l"), Value: attr.List(attr.Map(attr.Item{}))})
	if err != nil || string(attr.AppendValue(nil, completed)) != `{"L":[{"M":{"x":{"N":"7"},"y":{"N":"7"}}}]}` {
		t.Errorf("%s %v", attr.AppendValue(nil, completed), err)
	}
	known := func(name string) (attr.Value, bool) { return attr.Text("abc"), name == "a" }
	derived, err := s.Derived(func(name string) bool { return name == "a" }, known)
	if err != nil || len(derived) != 1 || derived[0].Name != "up" || derived[0].Value.Str() != "ABC" {
		t.Error(derived, err)
	}
	if derived, err = s.Derived(func(name string) bool { return name == "n" }, known); err != nil || len(derived) != 0 {
		t.Error(derived, err)
	}
	if _, err = s.Derived(func(string) bool { return true }, func(string) (attr.Value, bool) { return attr.Value{}, false }); err == nil ||
		err.Error() != "up is computed from a, which is not known here" {
		t.Error(err)
	}
	open := schema.Object(schema.Computed("c", schema.Bool(), func(attr.Item) attr.Value { return attr.Bool(true) }))
	if _, err = open.Derived(func(string) bool { return true }, known); err == nil || errors.Unwrap(err) != nil {
		t.Error(err)
	}
}
