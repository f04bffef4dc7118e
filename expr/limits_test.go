package expr_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// repeat joins n copies of part.
func repeat(part, separator string, n int) string {
	return strings.TrimSuffix(strings.Repeat(part+separator, n), separator)
}

// numbered joins n copies of part, in which %d is the number of the copy.
func numbered(part string, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(part, i)
	}
	return strings.Join(list, ",")
}

// TestLimits holds the limits on both sides. The figures are those of the page Constraints of the developer guide.
func TestLimits(t *testing.T) {
	s := func() *expr.Substitutions {
		return expr.NewSubstitutions(nil, map[string]attr.Value{":v": attr.Num(attr.Int(1))})
	}
	filter := func(text string) error { _, err := expr.ParseFilter(text, s()); return err }
	update := func(text string) error { _, err := expr.ParseUpdate(text, s()); return err }
	projection := func(text string) error { _, err := expr.ParseProjection(text, s()); return err }
	key := func(text string) error { _, err := expr.ParseKey(text, s()); return err }
	cases := []struct {
		name  string
		parse func(string) error
		text  string
		want  string
	}{
		{"empty", filter, "", "Invalid FilterExpression: The expression can not be empty;"},
		{"empty", update, "", "Invalid UpdateExpression: The expression can not be empty;"},
		{"empty", projection, "", "Invalid ProjectionExpression: The expression can not be empty;"},
		{"empty", key, "", "Invalid KeyConditionExpression: The expression can not be empty;"},

		{"4096 bytes", filter, "a=:v" + strings.Repeat(" ", 4092), ""},
		{"4097 bytes", filter, "a=:v" + strings.Repeat(" ", 4093), "Invalid FilterExpression: Expression size has exceeded the maximum allowed size; expression size: 4097"},
		{"4097 blanks", filter, strings.Repeat(" ", 4097), "Invalid FilterExpression: Expression size has exceeded the maximum allowed size; expression size: 4097"},
		{"bytes, not characters", key, strings.Repeat("é", 2049), "Invalid KeyConditionExpression: Expression size has exceeded the maximum allowed size;"},
		{"4096 bytes", update, "REMOVE a" + strings.Repeat(" ", 4088), ""},
		{"4097 bytes", update, "REMOVE a" + strings.Repeat(" ", 4089), "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;"},
		{"4097 bytes", projection, "a" + strings.Repeat(" ", 4096), "Invalid ProjectionExpression: Expression size has exceeded the maximum allowed size;"},

		{"150 comparisons, 149 ANDs", filter, repeat("a=:v", " AND ", 150), ""},
		{"151 comparisons, 150 ANDs", filter, repeat("a=:v", " AND ", 151), "Invalid FilterExpression: The expression contains too many operators; operator count: 301"},
		{"400 comparisons, 399 ANDs", filter, repeat("a=:v", " AND ", 400), "Invalid FilterExpression: The expression contains too many operators; operator count: 301"},
		{"299 NOTs", filter, strings.Repeat("NOT ", 299) + "a=:v", ""},
		{"300 NOTs", filter, strings.Repeat("NOT ", 300) + "a=:v", "Invalid FilterExpression: The expression contains too many operators; operator count: 301"},
		{"100 sizes", filter, repeat("size(a)=:v", " OR ", 100), ""},
		{"101 sizes", filter, repeat("size(a)=:v", " OR ", 101), "Invalid FilterExpression: The expression contains too many operators; operator count: 301"},
		{"151 BETWEENs", filter, repeat("a BETWEEN :v AND :v", " OR ", 151), "Invalid FilterExpression: The expression contains too many operators; operator count: 301"},
		{"151 INs", filter, repeat("a IN (:v,b)", " OR ", 151), "Invalid FilterExpression: The expression contains too many operators; operator count: 301"},
		{"operators are counted last", filter, repeat("a=:v", " AND ", 151) + " AND #u=:v", "Invalid FilterExpression: An expression attribute name used in the document path is not defined; attribute name: #u"},
		{"nesting counts by its operators only", filter, strings.Repeat("(a=:v OR ", 148) + "a=:v" + strings.Repeat(")", 148), ""},

		{"assignments are no operators", update, "SET " + numbered("q%d=:v", 301), ""},
		{"150 sums", update, "SET " + numbered("q%d=a+:v", 150), ""},
		{"301 sums", update, "SET " + numbered("q%d=a+:v", 301), "Invalid UpdateExpression: The expression contains too many operators; operator count: 301"},
		{"600 paths", projection, numbered("q%d", 600), ""},

		{"IN of 100", filter, "a IN (" + repeat(":v", ",", 100) + ")", ""},
		{"IN of 101", filter, "a IN (" + repeat(":v", ",", 101) + ")", "Invalid FilterExpression: The IN operator is provided with too many operands; number of operands: 101"},
		{"IN of 101, not distinct", filter, "a IN (" + repeat(":v", ",", 99) + ",a,a)", "Invalid FilterExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: IN, first operand: [a]"},

		{"4096 parentheses", filter, strings.Repeat("(", 4096), `Invalid FilterExpression: Syntax error; token: "<EOF>", near: "("`},
		{"2000 pairs", filter, strings.Repeat("(", 2000) + "a=:v" + strings.Repeat(")", 2000), "Invalid FilterExpression: The expression has redundant parentheses;"},
		{"1300 functions", filter, strings.Repeat("f(", 1300) + "a" + strings.Repeat(")", 1300), "Invalid FilterExpression: Invalid function name; function: f"},
		{"400 sizes in each other", filter, strings.Repeat("size(", 400) + "a" + strings.Repeat(")", 400) + "=:v", "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: size, operand type: N"},
		{"a name of 256 bytes without placeholder", filter, strings.Repeat("x", 256) + "=:v", ""},
	}
	for _, c := range cases {
		got := ""
		if err := c.parse(c.text); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestSubstitutions(t *testing.T) {
	names := func(pairs ...string) map[string]string {
		m := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return m
	}
	values := func(keys ...string) map[string]attr.Value {
		m := map[string]attr.Value{}
		for _, k := range keys {
			m[k] = attr.Null()
		}
		return m
	}
	const longest = 255
	big := func(n int) map[string]attr.Value {
		return map[string]attr.Value{":v": attr.Text(strings.Repeat("x", n-len(":v")))}
	}
	cases := []struct {
		names  map[string]string
		values map[string]attr.Value
		want   string
	}{
		{nil, nil, ""},
		{names("#a", "a.b", "#0", "#0", "#_", "x"), values(":v", ":0", ":_"), ""},
		{names(), nil, "ExpressionAttributeNames must not be empty"},
		{nil, values(), "ExpressionAttributeValues must not be empty"},
		{names(), values(), "ExpressionAttributeNames must not be empty"},
		{names("x", "a"), nil, `ExpressionAttributeNames contains invalid key: Syntax error; key: "x"`},
		{names("#", "a"), values("v"), `ExpressionAttributeNames contains invalid key: Syntax error; key: "#"`},
		{names("#a.b", "a"), nil, `ExpressionAttributeNames contains invalid key: Syntax error; key: "#a.b"`},
		{names("#é", "a"), nil, `ExpressionAttributeNames contains invalid key: Syntax error; key: "#é"`},
		{names("##a", "a"), nil, `ExpressionAttributeNames contains invalid key: Syntax error; key: "##a"`},
		{names("z", "a", "y", "a", "#x", "a"), nil, `ExpressionAttributeNames contains invalid key: Syntax error; key: "y"`},
		{names("", "a"), nil, "ExpressionAttributeNames contains invalid key: The expression attribute map contains an empty key;"},
		{names("#a", ""), nil, "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a"},
		{names("#a", strings.Repeat("x", 65535)), nil, ""},
		{names("#a", strings.Repeat("x", 65536)), nil, "ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes for key #a"},
		{names("#"+strings.Repeat("x", longest-1), "a"), nil, ""},
		{names("#"+strings.Repeat("x", longest), "a"), nil, "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256"},
		{nil, values("loc"), `ExpressionAttributeValues contains invalid key: Syntax error; key: "loc"`},
		{nil, values("::v"), `ExpressionAttributeValues contains invalid key: Syntax error; key: "::v"`},
		{nil, values(""), "ExpressionAttributeValues contains invalid key: The expression attribute map contains an empty key;"},
		{nil, values(":" + strings.Repeat("x", longest)), "ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too long;"},
		{nil, big(2 << 20), ""},
		{nil, big(2<<20 + 1), "ExpressionAttributeValues exceeds max size"},
	}
	for _, c := range cases {
		got := ""
		if err := expr.NewSubstitutions(c.names, c.values).Check(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%.40v %.40v\n got %s\nwant %s", c.names, c.values, got, c.want)
		}
	}
	if err := (*expr.Substitutions)(nil).Check(); err != nil {
		t.Error(err)
	}
}

func TestUnspecified(t *testing.T) {
	names := expr.NewSubstitutions(map[string]string{"#a": "a"}, map[string]attr.Value{":v": attr.Null()})
	values := expr.NewSubstitutions(nil, map[string]attr.Value{":v": attr.Null()})
	for _, c := range []struct {
		s     *expr.Substitutions
		kinds []expr.Kind
		want  string
	}{
		{nil, []expr.Kind{expr.ConditionExpression}, ""},
		{expr.NewSubstitutions(nil, nil), []expr.Kind{expr.ConditionExpression}, ""},
		{names, []expr.Kind{expr.ConditionExpression}, "ExpressionAttributeNames can only be specified when using expressions"},
		{values, []expr.Kind{expr.ConditionExpression}, "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null"},
		{values, []expr.Kind{expr.UpdateExpression, expr.ConditionExpression}, "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null"},
		{values, []expr.Kind{expr.FilterExpression, expr.KeyConditionExpression}, "ExpressionAttributeValues can only be specified when using expressions: FilterExpression and KeyConditionExpression are null"},
	} {
		got := ""
		if err := c.s.Unspecified(c.kinds...); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf(" got %s\nwant %s", got, c.want)
		}
	}
}

// TestUnused: a placeholder is used by any expression of the request, and the order of several unused is that of the
// service's hash set, not of our map (these were compared with DynamoDB Local).
func TestUnused(t *testing.T) {
	s := expr.NewSubstitutions(
		map[string]string{"#used": "a", "#x": "q", "#y": "r"},
		map[string]attr.Value{":used": attr.Null(), ":z": attr.Null(), ":y": attr.Null(), ":x": attr.Null(), ":b": attr.Null()})
	if _, err := expr.ParseCondition("#used = :used", s); err != nil {
		t.Fatal(err)
	}
	want := func(text string) {
		t.Helper()
		if err := s.Unused(); err == nil || err.Error() != text {
			t.Errorf("got %v, want %s", err, text)
		}
	}
	want("Value provided in ExpressionAttributeNames unused in expressions: keys: {#x, #y}")
	if _, err := expr.ParseProjection("#x, #y", s); err != nil {
		t.Fatal(err)
	}
	want("Value provided in ExpressionAttributeValues unused in expressions: keys: {:z, :b, :x, :y}")
	if _, err := expr.ParseUpdate("SET c = :z, d = :b, e = :y", s); err != nil {
		t.Fatal(err)
	}
	want("Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}")
	if _, err := expr.ParseKey("p = :x", s); err != nil {
		t.Fatal(err)
	}
	if err := s.Unused(); err != nil {
		t.Error(err)
	}
	s = expr.NewSubstitutions(map[string]string{"#z": "a", "#b": "a", "#c": "d"}, nil)
	want("Value provided in ExpressionAttributeNames unused in expressions: keys: {#c, #z, #b}")
}

// TestPrefixed: what is checked without table and item may stand behind the prefix, the rest never does.
func TestPrefixed(t *testing.T) {
	value := expr.NewSubstitutions(nil, map[string]attr.Value{":v": attr.Text("x")})
	_, syntax := expr.ParseUpdate("SET", nil)
	_, operand := expr.ParseUpdate("ADD a :v", value)
	_, key := expr.ParseKeyCondition("q = :v", value, keySchemas["table"])
	u, err := expr.ParseUpdate("SET a = b", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, _, missing := u.Apply(attr.Item{})
	for _, c := range []struct {
		err  error
		want bool
		kind expr.Kind
	}{
		{syntax, true, expr.UpdateExpression},
		{operand, true, expr.UpdateExpression},
		{value.Unspecified(expr.ConditionExpression), true, 0},
		{expr.NewSubstitutions(map[string]string{}, nil).Check(), true, 0},
		{key, false, expr.KeyConditionExpression},
		{missing, false, expr.UpdateExpression},
	} {
		var e *expr.Error
		if !errors.As(c.err, &e) || e.Rule.Prefixed() != c.want || e.Kind != c.kind {
			t.Errorf("%v: %+v", c.err, e)
		}
	}
}

// TestEvalAllocates: filters are evaluated on every item, so they must leave nothing to the garbage collector.
func TestEvalAllocates(t *testing.T) {
	it := benchItem()
	s := benchSubstitutions()
	for _, text := range []string{benchFilter, "size(tags) > :low OR size(#s) < :high", "begins_with(#s, :paid) AND NOT rows0[0].qty IN (:low, :high)", "attribute_type(tags, :paid2)"} {
		if strings.Contains(text, ":paid2") {
			s = expr.NewSubstitutions(nil, map[string]attr.Value{":paid2": attr.Text("SS")})
		}
		c, err := expr.ParseFilter(text, s)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() { c.Eval(it) }); n != 0 {
			t.Errorf("%s: %v allocations", text, n)
		}
	}
}
