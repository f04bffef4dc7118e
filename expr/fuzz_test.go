package expr_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// seed gives the expressions of testdata of a command to a fuzz target.
func seed(f *testing.F, command string) {
	for _, file := range caseFiles(f) {
		for _, b := range readBlocks(f, file) {
			if b.command == command || b.command == "print" && b.arg == command {
				for _, l := range b.input {
					f.Add(unquote(f, l))
				}
			}
		}
	}
}

// everything defines all placeholders of a text: names and values of many kinds.
func everything(text string) *expr.Substitutions {
	kinds := []attr.Value{attr.Num(attr.Int(1)), attr.Text("x"), attr.TextSet("a"), attr.List(), attr.Text("N"), attr.Binary([]byte{0}), attr.Bool(true)}
	names, values := map[string]string{}, map[string]attr.Value{}
	for i, ref := range placeholder.FindAllString(text, -1) {
		if ref[0] == '#' {
			names[ref] = strings.Repeat("a.", i%3) + ref[1:]
		} else {
			values[ref] = kinds[int(ref[len(ref)-1])%len(kinds)]
		}
	}
	return expr.NewSubstitutions(names, values)
}

// refused checks an error of a parser.
func refused(t *testing.T, err error) {
	t.Helper()
	var e *expr.Error
	if !errors.As(err, &e) || e.Message == "" || e.Rule == 0 || strings.Contains(e.Message, "%!(") { // nor left by fmt
		t.Fatalf("%#v", err)
	}
}

var fuzzItem = attr.ItemOf(
	attr.Field{Name: "a", Value: attr.Num(attr.Int(1))},
	attr.Field{Name: "s", Value: attr.Text("abc")},
	attr.Field{Name: "l", Value: attr.List(attr.Num(attr.Int(1)), attr.Text("x"))},
	attr.Field{Name: "m", Value: attr.Map(attr.ItemOf(attr.Field{Name: "x", Value: attr.Null()}))},
	attr.Field{Name: "ss", Value: attr.TextSet("a", "b")},
)

// The fuzz targets hold: no parser panics, every refusal is an *Error, and what is accepted can be evaluated, printed, and
// is read again as the same tree.

func FuzzCondition(f *testing.F) {
	seed(f, "filter")
	seed(f, "paths")
	f.Add(strings.Repeat("(", 4000))
	f.Add(strings.Repeat("(", 1500) + "a" + strings.Repeat(")", 1500) + "=:v")
	f.Add(strings.Repeat("NOT ", 299) + "a=:v")
	f.Add(strings.Repeat("NOT (", 290) + "a=:v" + strings.Repeat(")", 290))
	f.Fuzz(func(t *testing.T, text string) {
		c, err := expr.ParseCondition(text, everything(text))
		if err != nil {
			refused(t, err)
			return
		}
		want := c.Eval(fuzzItem)
		var p expr.Printer
		printed, err := p.AppendCondition(nil, c)
		if err != nil {
			if len(text) < 200 {
				t.Fatalf("%q was read and cannot be printed: %v", text, err)
			}
			return // fresh placeholders may be longer than those before
		}
		again, err := expr.ParseCondition(string(printed), p.Substitutions())
		if err != nil || !expr.SameCondition(c, again) || again.Eval(fuzzItem) != want {
			t.Fatalf("%q\nwas printed as %s: %v", text, printed, err)
		}
	})
}

func FuzzUpdate(f *testing.F) {
	seed(f, "update")
	f.Fuzz(func(t *testing.T, text string) {
		u, err := expr.ParseUpdate(text, everything(text))
		if err != nil {
			refused(t, err)
			return
		}
		before := fuzzItem.Clone()
		after, _, err := u.Apply(fuzzItem)
		if err != nil {
			refused(t, err)
		}
		if !attr.EqualItems(before, fuzzItem) {
			t.Fatalf("%q changed the item before", text)
		}
		var p expr.Printer
		printed, err := p.AppendUpdate(nil, u)
		if err != nil {
			if len(text) < 200 {
				t.Fatalf("%q was read and cannot be printed: %v", text, err)
			}
			return
		}
		again, err := expr.ParseUpdate(string(printed), p.Substitutions())
		if err != nil || !expr.SameUpdate(u, again) {
			t.Fatalf("%q\nwas printed as %s: %v", text, printed, err)
		}
		if afterAgain, _, _ := again.Apply(fuzzItem); !attr.EqualItems(after, afterAgain) {
			t.Fatalf("%q\nprinted as %s does something else", text, printed)
		}
	})
}

func FuzzProjection(f *testing.F) {
	seed(f, "projection")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := expr.ParseProjection(text, everything(text))
		if err != nil {
			refused(t, err)
			return
		}
		picked := r.Apply(fuzzItem)
		for name, v := range picked.All() {
			if v.IsZero() || v.Size() > fuzzItem.Get(name).Size() {
				t.Fatalf("%q picked more than there is", text)
			}
		}
		var p expr.Printer
		printed, err := p.AppendProjection(nil, r)
		if err != nil {
			if len(text) < 200 {
				t.Fatalf("%q was read and cannot be printed: %v", text, err)
			}
			return
		}
		again, err := expr.ParseProjection(string(printed), p.Substitutions())
		if err != nil || !expr.SameProjection(r, again) {
			t.Fatalf("%q\nwas printed as %s: %v", text, printed, err)
		}
	})
}

func FuzzKey(f *testing.F) {
	seed(f, "key")
	f.Fuzz(func(t *testing.T, text string) {
		k, err := expr.ParseKey(text, everything(text))
		if err != nil {
			refused(t, err)
			return
		}
		for _, schema := range keySchemas {
			c, err := k.For(schema)
			if err != nil {
				refused(t, err)
				continue
			}
			if len(c.Hash()) != len(schema.Hash) || len(c.Equal()) > len(schema.Range) {
				t.Fatalf("%q: %s", text, describe(c))
			}
		}
		var p expr.Printer
		printed, err := p.AppendKey(nil, k)
		if err != nil {
			if len(text) < 200 {
				t.Fatalf("%q was read and cannot be printed: %v", text, err)
			}
			return
		}
		again, err := expr.ParseKey(string(printed), p.Substitutions())
		if err != nil || !expr.SameKey(k, again) {
			t.Fatalf("%q\nwas printed as %s: %v", text, printed, err)
		}
	})
}
