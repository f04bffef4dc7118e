package expr_test

import (
	"errors"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

func TestKeyTermMatch(t *testing.T) {
	n := func(i int64) attr.Value { return attr.Num(attr.Int(i)) }
	for _, c := range []struct {
		term    expr.KeyTerm
		in, out []attr.Value
	}{
		{expr.KeyTerm{Op: expr.KeyEqual, Low: n(5)}, []attr.Value{n(5)}, []attr.Value{n(4), attr.Text("5")}},
		{expr.KeyTerm{Op: expr.KeyLess, Low: n(5)}, []attr.Value{n(4)}, []attr.Value{n(5), n(6)}},
		{expr.KeyTerm{Op: expr.KeyAtMost, Low: n(5)}, []attr.Value{n(4), n(5)}, []attr.Value{n(6)}},
		{expr.KeyTerm{Op: expr.KeyGreater, Low: n(5)}, []attr.Value{n(6)}, []attr.Value{n(5), n(4)}},
		{expr.KeyTerm{Op: expr.KeyAtLeast, Low: n(5)}, []attr.Value{n(5), n(6)}, []attr.Value{n(4)}},
		{expr.KeyTerm{Op: expr.KeyBetween, Low: n(5), High: n(7)}, []attr.Value{n(5), n(6), n(7)}, []attr.Value{n(4), n(8)}},
		{expr.KeyTerm{Op: expr.KeyBeginsWith, Low: attr.Text("ab")}, []attr.Value{attr.Text("ab"), attr.Text("abc")}, []attr.Value{attr.Text("a"), attr.Text("b"), n(1)}},
	} {
		for _, v := range c.in {
			if !c.term.Match(v) {
				t.Errorf("%v does not take %v", c.term, v)
			}
		}
		for _, v := range c.out {
			if c.term.Match(v) {
				t.Errorf("%v takes %v", c.term, v)
			}
		}
	}
}

func TestPathGet(t *testing.T) {
	it, err := attr.ParseItem([]byte(`{"a":{"M":{"b":{"L":[{"S":"x"},{"M":{"c":{"N":"7"}}}]}}},"s":{"S":"t"}}`))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]attr.Value{
		"s": attr.Text("t"), "a.b[0]": attr.Text("x"), "a.b[1].c": attr.Num(attr.Int(7)),
		"x": {}, "a.x": {}, "a.b[2]": {}, "s.x": {}, "s[0]": {}, "a[0]": {}, "a.b.c": {},
	} {
		c, err := expr.ParseProjection(path, &expr.Substitutions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Paths()[0].Get(it); !attr.Equal(got, want) && !(got.IsZero() && want.IsZero()) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if got := (expr.Path{}).Get(it); !got.IsZero() {
		t.Errorf("the empty path: %v", got)
	}
}

// TestStatementParts asks a statement of PartiQL what it does.
func TestStatementParts(t *testing.T) {
	parse := func(text string) *expr.Statement {
		s, err := expr.ParseStatement(text, nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return s
	}
	for text, writes := range map[string]bool{
		`SELECT * FROM Tbl WHERE pk = 'a'`: false, `INSERT INTO Tbl VALUE {'pk': 'a'}`: true,
		`UPDATE Tbl SET x = 1 WHERE pk = 'a'`: true, `DELETE FROM Tbl WHERE pk = 'a'`: true,
	} {
		if got := parse(text).Verb.Writes(); got != writes {
			t.Errorf("%s: %v", text, got)
		}
	}
	if p := parse(`SELECT * FROM Tbl`).Projection(); p != nil {
		t.Errorf("of all: %v", p)
	}
	it, err := attr.ParseItem([]byte(`{"a":{"M":{"b":{"S":"x"},"c":{"S":"y"}}},"d":{"S":"z"}}`))
	if err != nil {
		t.Fatal(err)
	}
	got := parse(`SELECT a.b FROM Tbl`).Projection().Apply(it)
	if text := string(attr.AppendItem(nil, got)); text != `{"a":{"M":{"b":{"S":"x"}}}}` {
		t.Errorf("%s", text)
	}
	in := parse(`SELECT * FROM Tbl WHERE pk IN ['a','b','c'] AND (x = 1 OR x IN [1,2,3,4])`).Where
	if pk, x, none := in.LongestIn("pk"), in.LongestIn("x"), in.LongestIn("y"); pk != 3 || x != 4 || none != 0 {
		t.Errorf("%d, %d, %d", pk, x, none)
	}
	if n := (*expr.Condition)(nil).LongestIn("pk"); n != 0 {
		t.Errorf("%d", n)
	}
	var e *expr.Error
	if err := expr.TooManyIn(101); !errors.As(err, &e) {
		t.Errorf("%#v", err)
	}
}

// TestMatchRange asks about the sort attributes alone: who looks into a partition has compared its key.
func TestMatchRange(t *testing.T) {
	k, err := expr.ParseKeyCondition("pk = :p AND sk > :s", expr.NewSubstitutions(nil, map[string]attr.Value{":p": attr.Text("a"), ":s": attr.Text("m")}), keySchemas["table"])
	if err != nil {
		t.Fatal(err)
	}
	of := func(pk, sk string) attr.Item {
		return attr.ItemOf(attr.Field{Name: "pk", Value: attr.Text(pk)}, attr.Field{Name: "sk", Value: attr.Text(sk)})
	}
	if !k.MatchRange(of("a", "n")) || !k.MatchRange(of("another", "n")) || k.MatchRange(of("a", "m")) || k.Match(of("another", "n")) {
		t.Error("of a > m")
	}
}

// TestCompared names what a condition compares, not what it only asks for.
func TestCompared(t *testing.T) {
	c, err := expr.ParseFilter("a = :v AND attribute_exists(b)", expr.NewSubstitutions(nil, map[string]attr.Value{":v": attr.Text("x")}))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Compared(); len(got) != 1 || got[0].String() != "a" || (*expr.Condition)(nil).Compared() != nil {
		t.Errorf("%v", got)
	}
}
