package expr_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// The position of a mistake stands in these texts as ^, before what is wrong.
func TestPositions(t *testing.T) {
	names := map[string]string{"#a": "a"}
	values := map[string]attr.Value{":s": attr.Text("s"), ":a": attr.Text("a"), ":n": attr.Num(attr.Int(1)), ":l": attr.List(), ":ss": attr.TextSet("x"), ":": {}}
	delete(values, ":")
	key := expr.KeySchema{Hash: []expr.KeyAttr{{Name: "p", Kind: attr.KindS}}, Range: []expr.KeyAttr{{Name: "r", Kind: attr.KindN}}}
	multi := expr.KeySchema{Hash: []expr.KeyAttr{{Name: "p", Kind: attr.KindS}, {Name: "q", Kind: attr.KindS}}, Range: []expr.KeyAttr{{Name: "r", Kind: attr.KindN}, {Name: "u", Kind: attr.KindN}}}
	condition := func(text string) error {
		_, err := expr.ParseCondition(text, expr.NewSubstitutions(names, values))
		return err
	}
	update := func(text string) error {
		_, err := expr.ParseUpdate(text, expr.NewSubstitutions(names, values))
		return err
	}
	projection := func(text string) error {
		_, err := expr.ParseProjection(text, expr.NewSubstitutions(names, values))
		return err
	}
	of := func(key expr.KeySchema) func(string) error {
		return func(text string) error {
			_, err := expr.ParseKeyCondition(text, expr.NewSubstitutions(names, values), key)
			return err
		}
	}
	keys, multiKeys := of(key), of(multi)
	deep := "b" + strings.Repeat(".c", 31)
	for _, c := range []struct {
		parse func(string) error
		text  string
		rule  expr.Rule
	}{
		{condition, "^", expr.RuleEmpty},
		{condition, "b = ^= :s", expr.RuleSyntax},
		{condition, "b = :s AND ^((b = :a))", expr.RuleParentheses},
		{condition, "b = :s AND ^sized(b) = :n", expr.RuleFunctionUnknown},
		{condition, "b = :s AND ^if_not_exists(b, :s) = :s", expr.RuleFunctionCondition},
		{condition, "b = :s AND ^size(b)", expr.RuleFunctionUse},
		{condition, "b = :s AND c.^date = :s", expr.RuleReserved},
		{condition, "c[^4294967295] = :s", expr.RuleIndex},
		{condition, "c.^#b = :s", expr.RuleNameUndefined},
		{condition, "c.d = ^:x", expr.RuleValueUndefined},
		{condition, deep + ".^c = :s", expr.RuleNesting},
		{condition, "b = :s AND ^begins_with(c)", expr.RuleOperandCount},
		{condition, "b = :s AND begins_with(c, :s, ^:s)", expr.RuleOperandCount},
		{condition, "attribute_exists(^:s)", expr.RuleOperandPath},
		{condition, "b = :s AND c < ^:l", expr.RuleOperandType},
		{condition, "begins_with(b, ^:n)", expr.RuleOperandType},
		{condition, "size(^:n) = :n", expr.RuleOperandType},
		{condition, "attribute_type(b, ^c)", expr.RuleOperandType},
		{condition, "attribute_type(b, ^:n)", expr.RuleOperandType},
		{condition, "attribute_type(b, ^:s)", expr.RuleAttributeType},
		{condition, "b = ^b", expr.RuleOperandDistinct},
		{condition, "b BETWEEN :s AND ^:n", expr.RuleBetweenType},
		{condition, "b BETWEEN :s AND ^:a", expr.RuleBetweenOrder},
		{condition, "b IN (" + strings.Repeat(":s, ", 100) + "^:s)", expr.RuleInCount},
		{condition, strings.Repeat("b=:s OR ", 150) + "b^=:s", expr.RuleOperatorCount},
		{condition, strings.Repeat("NOT ", 300) + "b ^= :s", expr.RuleOperatorCount},
		{condition, "size(b)=:n" + strings.Repeat(" OR size(b)=:n", 99) + " OR size(b)^=:n", expr.RuleOperatorCount},
		{update, "SET b = :n" + sums(300) + ", z = y ^+ :n", expr.RuleOperatorCount},
		{condition, "b = :s" + strings.Repeat(" ", 4090) + "^ ", expr.RuleSize},
		{update, "SET b = :s ^SET c = :s", expr.RuleSectionTwice},
		{update, "SET b = ^size(c)", expr.RuleFunctionUpdate},
		{update, "SET b = :s + ^list_append(c, :l)", expr.RuleFunctionUse},
		{update, "SET b = :s, ^b.c = :s", expr.RuleOverlap},
		{update, "SET b.c = :s REMOVE ^b[1]", expr.RuleConflict},
		{update, "SET b = c + ^:s", expr.RuleOperandType},
		{update, "SET b = list_append(c, ^:s)", expr.RuleOperandType},
		{update, "SET b = if_not_exists(^:s, c)", expr.RuleOperandPath},
		{update, "ADD b ^:s", expr.RuleOperandTypeUpdate},
		{update, "SET b = :n DELETE c ^:n", expr.RuleOperandTypeUpdate},
		{projection, "b, c.d, ^b", expr.RuleOverlap},
		{projection, "b, ^order", expr.RuleReserved},
		{keys, "p = :s ^OR p = :a", expr.RuleKeyOperator},
		{keys, "p = :s AND r ^<> :n", expr.RuleKeyOperator},
		{keys, "^size(p) = :n", expr.RuleKeyNestedOperation},
		{keys, "p = :s AND ^r.x = :n", expr.RuleKeyNestedPath},
		{keys, "p = ^r", expr.RuleKeySeveralNames},
		{keys, ":s ^= :a", expr.RuleKeyNoName},
		{keys, "^begins_with(:s, p)", expr.RuleKeyFirst},
		{keys, "p = :s AND ^p = :a", expr.RuleKeyTwice},
		{keys, "p = :s AND r = :n AND ^x = :s", expr.RuleKeyLength},
		{keys, "^p > :s", expr.RuleKeyUnsupported},
		{keys, "^x = :n AND p = :s", expr.RuleKeyMissing},
		{keys, "p = :s AND ^r = :s", expr.RuleKeyType},
		{multiKeys, "p = :s AND ^q > :s", expr.RuleKeyHash},
		{multiKeys, "p = :s AND q = :s AND ^u = :n", expr.RuleKeyRange},
		{multiKeys, "p = :s AND r > :n AND q = :s AND ^u = :n", expr.RuleKeyRange},
		{multiKeys, "p = :s AND q = :s AND ^x = :n", expr.RuleKeyMissing},
		{multiKeys, "p = :s AND q = :s AND r = :n AND u = :n AND ^x = :n", expr.RuleKeyUnsupported},
	} {
		at := strings.IndexByte(c.text, '^')
		text := c.text[:at] + c.text[at+1:]
		var wrong *expr.Error
		err := c.parse(text)
		if !errors.As(err, &wrong) || wrong.Rule != c.rule || wrong.At != at+1 {
			t.Errorf("%.80s: %v, at %d, want rule %d at %d", text, err, wrong.At, c.rule, at+1)
		}
	}
}

// sums are n more actions of an update with one operator each.
func sums(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, ",y%d=y+:n", i)
	}
	return text.String()
}

// Every mistake in the cases has a position in its text, but for what is missing, and what is wrong about substitutions.
func TestEveryPosition(t *testing.T) {
	found := 0
	for _, file := range []string{"syntax.txt", "static.txt", "key.txt", "update.txt", "projection.txt"} {
		forCases(t, filepath.Join("testdata", file), func(at string, c testCase, want string) string {
			wrong, ok := errors.AsType[*expr.Error](parseCase(c))
			switch {
			case !ok || wrong.Kind == 0:
			case wrong.At == 0 && (wrong.Rule == expr.RuleKeyMissing || wrong.Rule == expr.RuleKeyHash):
			case wrong.At < 1 || wrong.At > len(c.text)+1:
				t.Errorf("%s: %q: %v, at %d", at, c.text, wrong, wrong.At)
			default:
				found++
			}
			return want
		})
	}
	if found < 100 {
		t.Errorf("only %d mistakes", found)
	}
}

// parseCase reads the text of a case.
func parseCase(c testCase) (err error) {
	s := expr.NewSubstitutions(c.names, c.values)
	switch c.command {
	case "filter", "paths":
		_, err = expr.ParseFilter(c.text, s)
	case "update":
		_, err = expr.ParseUpdate(c.text, s)
	case "projection":
		_, err = expr.ParseProjection(c.text, s)
	}
	return err
}
