package expr_test

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// Values are asked for in the order of the text, and it is said beside what each stands.
func TestParseFor(t *testing.T) {
	values := map[string]attr.Value{}
	for _, name := range []string{":a", ":b", ":c", ":d"} {
		values[name] = attr.Text(name)
	}
	values[":S"] = attr.Text("S")
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
		"begins_with(x, :a) AND attribute_type(y, :S)":  `:a x 0; S y 3`,
		"attribute_exists(x)":                           "",
	} {
		said = nil
		c, err := expr.ParseConditionFor(text, expr.NewSubstitutions(nil, values), ask)
		if err != nil {
			t.Error(err)
			continue
		}
		plain, err := expr.ParseCondition(text, expr.NewSubstitutions(nil, values))
		if got := strings.Join(said, "; "); err != nil || got != want || plain.String() != c.String() {
			t.Errorf("%s: %s, %v, not %s; %s", text, got, err, want, c)
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
	say := func(v attr.Value, err error) func(expr.Use) (attr.Value, error) {
		return func(expr.Use) (attr.Value, error) { return v, err }
	}
	two, err := expr.ParseConditionFor("x = :a", expr.NewSubstitutions(nil, values), say(attr.Text("two"), nil))
	if it := attr.ItemOf(attr.Field{Name: "x", Value: attr.Text("two")}); err != nil || !two.Eval(it) {
		t.Errorf("%v, %v", two, err)
	}
	if _, err := expr.ParseConditionFor("begins_with(x, :n)", expr.NewSubstitutions(nil, values), say(attr.Text("t"), nil)); err != nil {
		t.Error(err)
	}
	if _, err := expr.ParseUpdateFor("ADD x :a", expr.NewSubstitutions(nil, values), func(expr.Use) (attr.Value, error) { return values[":s"], nil }); err != nil {
		t.Error(err)
	}
	var wrong *expr.Error
	if _, err := expr.ParseUpdateFor("ADD x :s", expr.NewSubstitutions(nil, values), func(expr.Use) (attr.Value, error) { return values[":a"], nil }); !errors.As(err, &wrong) || wrong.Rule != expr.RuleOperandTypeUpdate {
		t.Error(err)
	}
	if _, err := expr.ParseConditionFor("begins_with(x, :a)", expr.NewSubstitutions(nil, values), say(values[":n"], nil)); !errors.As(err, &wrong) || wrong.Rule != expr.RuleOperandType {
		t.Error(err)
	}
	stop := errors.New("stop")
	if _, err := expr.ParseConditionFor("x = :a", expr.NewSubstitutions(nil, values), say(attr.Value{}, stop)); err != stop {
		t.Error(err)
	}
}

// Places are the paths where they are written, as often as they are.
func TestPlaces(t *testing.T) {
	values := map[string]attr.Value{":a": attr.Text("a"), ":l": attr.List()}
	c, err := expr.ParseCondition("x = :a AND (size(y.z[1]) > x OR NOT x IN (:a, w))", expr.NewSubstitutions(nil, values))
	if err != nil {
		t.Fatal(err)
	}
	u, err := expr.ParseUpdate("SET a = list_append(if_not_exists(b, :l), c) REMOVE d[0]", expr.NewSubstitutions(nil, values))
	if err != nil {
		t.Fatal(err)
	}
	show := func(places iter.Seq2[int, expr.Path]) (text string) {
		for at, p := range places {
			text += fmt.Sprintf("%d:%s ", at, p)
			if p.Attribute() == "w" || p.Attribute() == "c" {
				break
			}
		}
		return text
	}
	if got := show(c.Places()); got != "1:x 18:y.z[1] 28:x 37:x 47:w " {
		t.Error(got)
	}
	if got := show(u.Places()); got != "5:a 35:b 43:c " {
		t.Error(got)
	}
	for at, p := range (*expr.Condition)(nil).Places() {
		t.Error(at, p)
	}
}
