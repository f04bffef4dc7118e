package expr_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// Bind asks for the values in the order of the text, and says beside what each stands.
func TestBind(t *testing.T) {
	values := map[string]attr.Value{}
	for _, name := range []string{":a", ":b", ":c", ":d"} {
		values[name] = attr.Text(name)
	}
	values[":n"], values[":s"], values[":l"] = attr.Num(attr.Int(1)), attr.TextSet("x"), attr.List()
	var said []string
	ask := func(u expr.Use) (attr.Value, error) {
		word := "-"
		switch k := u.Value.Kind(); {
		case k == attr.KindS:
			word = u.Value.Str()
		case k == attr.KindN:
			word = u.Value.Number().String()
		case k == attr.KindSS:
			word = u.Value.Elems()[0].Str()
		}
		said = append(said, fmt.Sprintf("%s %s %v", word, u.Path, u.As))
		return u.Value, nil
	}
	for text, want := range map[string]string{
		"x = :a AND (NOT :b < y.z[1] OR w IN (:c, :d))": `:a x 0; :b y.z[1] 0; :c w 0; :d w 0`,
		"contains(x, :a) OR contains(:b, y)":            `:a x 1; :b y 4`,
		"size(x) BETWEEN :n AND :n":                     `1 x 2; 1 x 2`,
		"begins_with(x, :a) AND attribute_type(y, :b)":  "",
		"attribute_exists(x)":                           "",
	} {
		said = nil
		c, err := expr.ParseCondition(text, expr.NewSubstitutions(nil, values))
		if err != nil {
			if want != "" {
				t.Error(err)
			}
			continue
		}
		bound, err := c.Bind(ask)
		if got := strings.Join(said, "; "); err != nil || got != want && want != "" || bound.String() != c.String() {
			t.Errorf("%s: %s, %v, not %s; %s", text, got, err, want, bound)
		}
	}
	for text, want := range map[string]string{
		"SET a = :a, b = if_not_exists(c, :b), d = e + :n REMOVE f ADD g :s DELETE h :s": `:a a 0; :b c 0; 1 e 0; x g 0; x h 0`,
		"SET a = list_append(if_not_exists(a, :l), :l)":                                  `- a 0; - a 0`,
	} {
		said = nil
		u, err := expr.ParseUpdateFor(text, expr.NewSubstitutions(nil, values), ask)
		if got := strings.Join(said, "; "); err != nil || got != want {
			t.Errorf("%s: %s, %v, not %s; %s", text, got, err, want, u)
		}
	}
	// What is answered stands in the place of what was asked about, and the types of that are checked.
	c, _ := expr.ParseCondition("x = :a", expr.NewSubstitutions(nil, values))
	two, err := c.Bind(func(expr.Use) (attr.Value, error) { return attr.Text("two"), nil })
	it := attr.ItemOf(attr.Field{Name: "x", Value: attr.Text("two")})
	if err != nil || !two.Eval(it) || c.Eval(it) {
		t.Errorf("%v, %v", two, err)
	}
	if _, err := expr.ParseUpdateFor("ADD x :a", expr.NewSubstitutions(nil, values), func(expr.Use) (attr.Value, error) { return values[":s"], nil }); err != nil {
		t.Error(err)
	}
	var wrong *expr.Error
	if _, err := expr.ParseUpdateFor("ADD x :s", expr.NewSubstitutions(nil, values), func(expr.Use) (attr.Value, error) { return values[":a"], nil }); !errors.As(err, &wrong) || wrong.Rule != expr.RuleOperandTypeUpdate {
		t.Error(err)
	}
	stop := errors.New("stop")
	if _, err := c.Bind(func(expr.Use) (attr.Value, error) { return attr.Value{}, stop }); err != stop {
		t.Error(err)
	}
	if _, err := expr.ParseCondition("x = = :a", expr.NewSubstitutions(nil, values)); !errors.As(err, &wrong) || wrong.At != 5 {
		t.Errorf("%+v", wrong)
	}
}
