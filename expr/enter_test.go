package expr_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

func TestEnters(t *testing.T) {
	s := expr.NewSubstitutions(map[string]string{"#d": "a.b"}, map[string]attr.Value{":v": attr.Text("x")})
	for text, want := range map[string]string{
		"a = :v": "", "a.b = :v": "a", "NOT (x = :v OR size(a[0]) > b.c.d)": "ab", "attribute_exists(#d.x)": "a.b", "b IN (:v, a.x)": "a",
	} {
		c, err := expr.ParseCondition(text, s)
		if err != nil {
			t.Fatal(err)
		}
		check(t, text, c, want)
	}
	for text, want := range map[string]string{"a, b.c": "b", "#d": "", "a[1]": "a"} {
		p, err := expr.ParseProjection(text, s)
		if err != nil {
			t.Fatal(err)
		}
		check(t, text, p, want)
	}
	for text, want := range map[string]string{
		"SET a = :v, x = b.c": "b", "REMOVE a.b": "a", "SET x = if_not_exists(a.c, b[0])": "ab", "SET x = a - b.c": "b",
	} {
		u, err := expr.ParseUpdate(text, s)
		if err != nil {
			t.Fatal(err)
		}
		check(t, text, u, want)
	}
	var c *expr.Condition
	var p *expr.Projection
	var u *expr.Update
	if c.Enters("a") || p.Enters("a") || u.Enters("a") {
		t.Error("an absent expression enters nothing")
	}
}

func check(t *testing.T, text string, x interface{ Enters(string) bool }, want string) {
	t.Helper()
	for _, a := range []string{"a", "b", "a.b"} {
		entered := want == a || want == "ab" && a != "a.b"
		if x.Enters(a) != entered {
			t.Errorf("%s enters %s: %v", text, a, !entered)
		}
	}
}

func TestLiteral(t *testing.T) {
	s := expr.NewSubstitutions(nil, map[string]attr.Value{":n": attr.Num(attr.Int(1)), ":s": attr.TextSet("x")})
	u, err := expr.ParseUpdate("SET a = :n, b = a, c = :n + a REMOVE d ADD e :n DELETE f :s", s)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range u.Actions() {
		v, ok := a.Literal()
		want := map[string]attr.Kind{"a": attr.KindN, "e": attr.KindN, "f": attr.KindSS}[a.Path.Attribute()]
		if ok != (want != 0) || ok && v.Kind() != want {
			t.Errorf("%s: %v %v", a.Path, v, ok)
		}
	}
}

// TestUpdatePaths: what an update changes and reads, each path once.
func TestUpdatePaths(t *testing.T) {
	u, err := expr.ParseUpdate("SET a.b = if_not_exists(c, :v) + d[0], e = a.b REMOVE f ADD g :v", expr.NewSubstitutions(nil, map[string]attr.Value{":v": attr.Num(attr.Int(1))}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range u.Paths() {
		got = append(got, p.String())
	}
	if want := "a.b c d[0] e f g"; strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if l := (*expr.Update)(nil).Paths(); l != nil {
		t.Error(l)
	}
}
