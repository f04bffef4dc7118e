package model_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/tablewright/tablewright/model"
)

func TestRewrite(t *testing.T) {
	size := []model.EditField{{Name: "average", Value: "12.5"}, {Name: "max", Value: "40"}}
	for _, c := range []struct {
		name, file, before, after string
		edit                      model.Edit
	}{
		{"a value in braces, the comment stays", "r.yaml", "a: {b: 3/s, c: 1} # why\n", "a: {b: 4/s, c: 1} # why\n", model.Edit{Path: []string{"a", "b"}, Value: "4/s"}},
		{"a value on a line of its own", "r.yaml", "a:\n  b:   3/s   # why\n  c: 1\n", "a:\n  b:   4/s   # why\n  c: 1\n", model.Edit{Path: []string{"a", "b"}, Value: "4/s"}},
		{"a quoted value", "r.yaml", "a: {b: \"3/s\", c: 'it''s'}\n", "a: {b: 4/s, c: 'it''s'}\n", model.Edit{Path: []string{"a", "b"}, Value: "4/s"}},
		{"another quote", "r.yaml", "a: {c: 'it''s', b: 'x}'}\n", "a: {c: 'it''s', b: 4/s}\n", model.Edit{Path: []string{"a", "b"}, Value: "4/s"}},
		{"the short form of a map", "r.yaml", "a: {bytes: 350}\n", "a: {bytes: {average: 12.5, max: 40}}\n", model.Edit{Path: []string{"a", "bytes"}, Fields: size}},
		{"the same in block style", "r.yaml", "a:\n  bytes: 350 # old\n  z: 1\n", "a:\n  bytes: {average: 12.5, max: 40} # old\n  z: 1\n", model.Edit{Path: []string{"a", "bytes"}, Fields: size}},
		{"keys of a map", "r.yaml", "a:\n  bytes:\n    average: 1\n    max: 2\n", "a:\n  bytes:\n    average: 12.5\n    max: 40\n", model.Edit{Path: []string{"a", "bytes"}, Fields: size}},
		{"a key of a map is missing", "r.yaml", "a:\n  bytes: {average: 1}\n", "a:\n  bytes: {average: 12.5, max: 40}\n", model.Edit{Path: []string{"a", "bytes"}, Fields: size}},
		{"a new key in braces", "r.yaml", "a: {b: 1,\n    c: [1, 2] }\nd: 1\n", "a: {b: 1,\n    c: [1, 2], skew: zipf 1.0 }\nd: 1\n", model.Edit{Path: []string{"a", "skew"}, Value: "zipf 1.0"}},
		{"a new key in empty braces", "r.yaml", "a: {}\n", "a: {skew: hottest 4%}\n", model.Edit{Path: []string{"a", "skew"}, Value: "hottest 4%"}},
		{"a new key in a block, before the comment of what follows", "r.yaml", "p:\n  a:\n    b: 1\n    c:\n      d: 2 # two\n\n  # about e\n  e: 3\n", "p:\n  a:\n    b: 1\n    c:\n      d: 2 # two\n    skew: uniform\n\n  # about e\n  e: 3\n", model.Edit{Path: []string{"p", "a", "skew"}, Value: "uniform"}},
		{"a new key at the end", "r.yaml", "p:\n  a:\n    b: [1,\n        2]", "p:\n  a:\n    b: [1,\n        2]\n    skew: uniform", model.Edit{Path: []string{"p", "a", "skew"}, Value: "uniform"}},
		{"a new key of a map in a list", "r.yaml", "p:\n  - b: 1\n    c: 2\n  - b: 2\n", "p:\n  - b: 1\n    c: 2\n    d: 3\n  - b: 2\n", model.Edit{Path: []string{"p", "0", "d"}, Value: "3"}},
		{"a new key behind a block of text", "r.yaml", "a:\n  note: |\n    # no comment\n    x\nb: 1\n", "a:\n  note: |\n    # no comment\n    x\n  c: 1\nb: 1\n", model.Edit{Path: []string{"a", "c"}, Value: "1"}},
		{"lines of Windows", "r.yaml", "a:\r\n  b: 1\r\nc: 2\r\n", "a:\r\n  b: 1\r\n  d: 4\r\nc: 2\r\n", model.Edit{Path: []string{"a", "d"}, Value: "4"}},
		{"characters of several bytes", "r.yaml", "ä: {ö: 'ß', b: 3}\n", "ä: {ö: 'ß', b: 4}\n", model.Edit{Path: []string{"ä", "b"}, Value: "4"}},
		{"a value that wants quotes", "r.yaml", "a: {b: 1}\n", "a: {b: \"x, y\"}\n", model.Edit{Path: []string{"a", "b"}, Value: "x, y"}},
		{"JSON", "r.json", "{\n  \"a\": {\"b\": \"3/s\"}\n}\n", "{\n  \"a\": {\"b\": \"4/s\"}\n}\n", model.Edit{Path: []string{"a", "b"}, Value: "4/s"}},
		{"a new key in JSON", "r.json", "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n", "{\n  \"a\": {\n    \"b\": 1, \"bytes\": {\"average\": 12.5, \"max\": 40}\n  }\n}\n", model.Edit{Path: []string{"a", "bytes"}, Fields: size}},
	} {
		got, err := model.Rewrite(c.file, []byte(c.before), []model.Edit{c.edit})
		if err != nil || string(got) != c.after {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.after)
		}
	}
}

func TestRewriteRefuses(t *testing.T) {
	for _, c := range []struct {
		before, says string
		edit         model.Edit
	}{
		{"a: &x {b: 1}\nc: *x\n", "by an anchor", model.Edit{Path: []string{"c", "b"}, Value: "2"}},
		{"a: &x {b: 1}\nc: *x\n", "by an anchor", model.Edit{Path: []string{"a", "b"}, Value: "2"}},
		{"a: {b: 1}\n", "there is no x", model.Edit{Path: []string{"x", "b"}, Value: "2"}},
		{"a: string\n", "a is written in its short form", model.Edit{Path: []string{"a", "b"}, Value: "2"}},
		{"a: |\n  x\n", "several lines", model.Edit{Path: []string{"a"}, Value: "2"}},
		{"a: 'x\n  y'\n", "several lines", model.Edit{Path: []string{"a"}, Value: "2"}},
		{"a:\nb: 1\n", "no value stands there", model.Edit{Path: []string{"a"}, Value: "2"}},
		{"a: {b: 1}\n", "not a single value", model.Edit{Path: []string{"a"}, Value: "2"}},
		{"a: [b]\n", "a list", model.Edit{Path: []string{"a"}, Fields: []model.EditField{{Name: "x", Value: "1"}}}},
		{"a: {b: 1 # one\n}\n", "ends cannot be told", model.Edit{Path: []string{"a", "c"}, Value: "2"}},
		{"a: [1\n", "yaml", model.Edit{Path: []string{"a"}, Value: "2"}},
		{"", "empty", model.Edit{Path: []string{"a"}, Value: "2"}},
		{"a: 1\rb: 2\r", "line feeds", model.Edit{Path: []string{"a"}, Value: "2"}},
	} {
		got, err := model.Rewrite("r.yaml", []byte(c.before), []model.Edit{c.edit})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, %q", c.before, err, got)
		}
	}
}

// FuzzRewrite: what a change does not concern stays as it is read, whatever the text looks like.
func FuzzRewrite(f *testing.F) {
	for _, text := range []string{"a: {b: 3/s, c: 1} # why\n", "a:\n  b: 'x'\n  c:\n    - 1\n", "{\"a\": {\"b\": \"x\"}}", "a: {b: \"}\", c: '#'}", "a:\n  c: |\n   x\n  b: 1\n# end", "a:\n- b: 1\n"} {
		f.Add(text, "4/s")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		for _, path := range [][]string{{"a", "b"}, {"a", "new"}, {"a", "0", "b"}} {
			got, err := model.Rewrite("r.yaml", []byte(text), []model.Edit{{Path: path, Value: value}})
			if err != nil {
				continue
			}
			if before, after := without(t, text, path), without(t, string(got), path); before != after {
				t.Errorf("%q\nbecomes %q: besides the value\n%s\nis\n%s", text, got, before, after)
			}
			again, err := model.Rewrite("r.yaml", got, []model.Edit{{Path: path, Value: value}})
			if err != nil || string(again) != string(got) {
				t.Errorf("%q\nbecomes %q\nthen %q: %v", text, got, again, err)
			}
		}
	})
}

// without is a document, written anew, without the value at a path.
func without(t *testing.T, text string, path []string) string {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	var show func(n *yaml.Node, path []string) string
	show = func(n *yaml.Node, path []string) string {
		if n.Kind == yaml.AliasNode {
			return "*" + n.Value
		}
		var parts []string
		for i := 0; i < len(n.Content); i++ {
			name := strconv.Itoa(i)
			if n.Kind == yaml.MappingNode {
				name = n.Content[i].Value
				i++
			}
			switch {
			case len(path) == 1 && path[0] == name:
			case len(path) > 1 && path[0] == name:
				parts = append(parts, name+": "+show(n.Content[i], path[1:]))
			default:
				parts = append(parts, name+": "+show(n.Content[i], nil))
			}
		}
		return fmt.Sprintf("%d %s %q &%s (%s)", n.Kind, n.Tag, n.Value, n.Anchor, strings.Join(parts, ", "))
	}
	return show(&doc, append([]string{"0"}, path...))
}
