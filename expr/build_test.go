package expr_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// TestBuildRefused: what the grammar makes impossible to write is an error when what was built is printed.
func TestBuildRefused(t *testing.T) {
	a, one := expr.Name("a"), expr.Literal(attr.Num(attr.Int(1)))
	condition := func(c *expr.Condition) error { _, err := new(expr.Printer).AppendCondition(nil, c); return err }
	update := func(c ...expr.Change) error {
		_, err := new(expr.Printer).AppendUpdate(nil, expr.NewUpdate(c...))
		return err
	}
	many := make([]*expr.Condition, 151)
	for i := range many {
		many[i] = expr.Equal(a, one)
	}
	long := make([]expr.Path, 40)
	for i := range long {
		long[i] = expr.Name(strings.Repeat("n", i+1))
	}
	deep := a
	for range 32 {
		deep = deep.Index(0)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{condition(expr.Equal(expr.Plus(a, one), one)), "Invalid ConditionExpression: The function is not allowed in a condition expression; function: +"},
		{condition(expr.Equal(expr.IfNotExists(a, one), one)), "Invalid ConditionExpression: The function is not allowed in a condition expression; function: if_not_exists"},
		{condition(expr.Less(a, expr.Literal(attr.Bool(true)))), "Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
		{condition(expr.And(many...)), "Invalid ConditionExpression: The expression contains too many operators; operator count: 301"},
		{condition(expr.In(a)), `Invalid ConditionExpression: Syntax error; token: ")", near: "()"`},
		{condition(expr.Equal(a, expr.Literal(attr.Value{}))), "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{condition(expr.Exists(expr.Path{})), "Invalid ConditionExpression: The document path has too many nesting levels; nesting levels: 0"},
		{condition(expr.Exists(deep)), "Invalid ConditionExpression: The document path has too many nesting levels; nesting levels: 33"},
		{condition(expr.Exists(a.Field(""))), "ExpressionAttributeNames contains invalid value: Empty attribute name for key #"},
		{condition(expr.HasType(a, 0)), "Invalid ConditionExpression: Invalid attribute type name found; type: , valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
		{update(expr.Set(a, expr.Size(a))), "Invalid UpdateExpression: The function is not allowed in an update expression; function: size"},
		{update(expr.Set(a, expr.Plus(expr.Plus(a, one), one))), "Invalid UpdateExpression: The function is not allowed to be used this way in an expression; function: +"},
		{update(expr.Set(a, expr.IfNotExists(a.Field("b"), expr.ListAppend(a, a)))), "Invalid UpdateExpression: The function is not allowed to be used this way in an expression; function: list_append"},
		{update(expr.Add(a, attr.Text("x"))), "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, operand type: STRING"},
		{update(expr.Set(a, one), expr.Remove(a.Field("b"))), "Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf(" got %v\nwant %s", c.err, c.want)
		}
	}
	wrong := expr.NewUpdate(expr.Set(a.Field("b"), one), expr.Set(a.Index(0), one))
	if _, _, err := wrong.Apply(attr.Item{}); err == nil {
		t.Error("an update with paths in conflict was applied")
	}
	if _, err := new(expr.Printer).AppendProjection(nil, expr.Project()); err == nil {
		t.Error("a projection of nothing was printed")
	}
	if _, err := new(expr.Printer).AppendProjection(nil, expr.Project(long...)); err != nil {
		t.Error(err)
	}
	for _, k := range []*expr.KeyExpression{
		expr.NewKeyExpression(),
		expr.NewKeyExpression(expr.KeyTerm{Attribute: "a", Op: expr.KeyEqual}),
		expr.NewKeyExpression(expr.KeyTerm{Attribute: "a", Low: attr.Text("x")}),
		expr.NewKeyExpression(expr.KeyTerm{Attribute: "a", Op: expr.KeyEqual, Low: attr.Text("x")}, expr.KeyTerm{Attribute: "a", Op: expr.KeyEqual, Low: attr.Text("x")}),
		expr.NewKeyExpression(expr.KeyTerm{Attribute: "a", Op: expr.KeyBetween, Low: attr.Text("x")}),
	} {
		if text, err := new(expr.Printer).AppendKey(nil, k); err == nil {
			t.Errorf("printed %s", text)
		}
	}
}

// TestOnlyRemoves: an update takes away only if it has actions and each of them is REMOVE or DELETE.
func TestOnlyRemoves(t *testing.T) {
	for text, want := range map[string]bool{
		"REMOVE a":                  true,
		"DELETE s :v":               true,
		"REMOVE a, m.b DELETE s :v": true,
		"SET a = b":                 false,
		"ADD s :v":                  false,
		"REMOVE a SET b = c":        false,
		"DELETE s :v ADD r :v":      false,
	} {
		u, err := expr.ParseUpdate(text, expr.NewSubstitutions(nil, map[string]attr.Value{":v": attr.TextSet("x")}))
		if err != nil {
			t.Fatal(err)
		}
		if u.OnlyRemoves() != want {
			t.Errorf("%s: %t", text, !want)
		}
	}
	if (*expr.Update)(nil).OnlyRemoves() {
		t.Error("nil removes")
	}
}

// TestNil: a condition, update or projection that is nil is one that a request leaves out.
func TestNil(t *testing.T) {
	it := benchItem()
	var c *expr.Condition
	var u *expr.Update
	var p *expr.Projection
	if !c.Eval(it) || c.Paths() != nil || c.String() != "" {
		t.Error("nil condition")
	}
	if after, written, err := u.Apply(it); err != nil || written != nil || !attr.EqualItems(after, it) || u.Touched() != nil || u.Actions() != nil {
		t.Error("nil update")
	}
	if !attr.EqualItems(p.Apply(it), it) || p.Paths() != nil {
		t.Error("nil projection")
	}
	var printer expr.Printer
	text, err := printer.AppendCondition([]byte("x"), c)
	if err == nil {
		text, err = printer.AppendUpdate(text, u)
	}
	if err == nil {
		text, err = printer.AppendProjection(text, p)
	}
	if err != nil || string(text) != "x" {
		t.Errorf("%s, %v", text, err)
	}
	one := expr.Exists(expr.Name("a"))
	if expr.And() != nil || expr.And(nil, nil) != nil || expr.And(nil, one) != one || expr.Or(one, nil) != nil || expr.Or(one) != one {
		t.Error("nil in And and Or")
	}
	defer func() {
		if recover() == nil {
			t.Error("Not(nil) did not panic")
		}
	}()
	expr.Not(nil)
}

// TestWritten: what UPDATED_NEW and UPDATED_OLD answer.
func TestWritten(t *testing.T) {
	s := expr.NewSubstitutions(nil, map[string]attr.Value{":n": attr.Num(attr.Int(9))})
	u, err := expr.ParseUpdate("SET m.x = :n REMOVE gone, l[0] ADD cnt :n", s)
	if err != nil {
		t.Fatal(err)
	}
	before, err := attr.ParseItem([]byte(`{"m":{"M":{"x":{"N":"1"},"y":{"N":"2"}}},"gone":{"S":"g"},"l":{"L":[{"N":"7"},{"N":"8"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	after, written, err := u.Apply(before)
	if err != nil {
		t.Fatal(err)
	}
	updated := string(attr.AppendItem(nil, expr.Pick(after, written)))
	if want := `{"cnt":{"N":"9"},"m":{"M":{"x":{"N":"9"}}}}`; updated != want {
		t.Errorf("UPDATED_NEW %s, want %s", updated, want)
	}
	updated = string(attr.AppendItem(nil, expr.Pick(before, u.Touched())))
	if want := `{"gone":{"S":"g"},"l":{"L":[{"N":"7"}]},"m":{"M":{"x":{"N":"1"}}}}`; updated != want {
		t.Errorf("UPDATED_OLD %s, want %s", updated, want)
	}
	sections := ""
	for _, a := range u.Actions() {
		sections += a.Section.String() + " " + a.Path.String() + "; "
	}
	if want := "SET m.x; REMOVE gone; REMOVE l[0]; ADD cnt; "; sections != want {
		t.Errorf("actions %s", sections)
	}
}

// TestImmutable: an update leaves the item before, and everything in it, as it was.
func TestImmutable(t *testing.T) {
	const text = `{"l":{"L":[{"N":"1"},{"M":{"x":{"SS":["a","b"]}}}]},"m":{"M":{"x":{"N":"1"}}},"ss":{"SS":["a","b"]}}`
	before, err := attr.ParseItem([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s := expr.NewSubstitutions(nil, map[string]attr.Value{":n": attr.Num(attr.Int(9)), ":ss": attr.TextSet("a", "c")})
	u, err := expr.ParseUpdate("SET l[0] = :n, l[5] = :n REMOVE m.x ADD ss :ss DELETE l[1].x :ss", s)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		after, _, err := u.Apply(before)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := string(attr.AppendItem(nil, after)), `{"l":{"L":[{"N":"9"},{"M":{"x":{"SS":["b"]}}},{"N":"9"}]},"m":{"M":{}},"ss":{"SS":["a","b","c"]}}`; got != want {
			t.Errorf("after\n got %s\nwant %s", got, want)
		}
		if got := string(attr.AppendItem(nil, before)); got != text {
			t.Errorf("before is now %s", got)
		}
	}
}

// TestKeyMatch compares what a key condition matches with what the same text does as a filter.
func TestKeyMatch(t *testing.T) {
	s := expr.NewSubstitutions(nil, map[string]attr.Value{":p": attr.Text("p"), ":b": attr.Text("b"), ":c": attr.Text("c")})
	for _, text := range []string{
		"pk = :p", "pk = :p AND sk = :b", "pk = :p AND sk < :b", "pk = :p AND sk <= :b", "pk = :p AND sk > :b", "pk = :p AND sk >= :b",
		"pk = :p AND :b < sk", "pk = :p AND sk BETWEEN :b AND :c", "pk = :p AND begins_with(sk, :b)",
	} {
		k, err := expr.ParseKeyCondition(text, s, keySchemas["table"])
		if err != nil {
			t.Fatal(err)
		}
		f, err := expr.ParseFilter(text, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, pk := range []string{"p", "q"} {
			for _, sk := range []string{"a", "b", "ba", "c", "ca"} {
				it := attr.ItemOf(attr.Field{Name: "pk", Value: attr.Text(pk)}, attr.Field{Name: "sk", Value: attr.Text(sk)})
				if k.Match(it) != f.Eval(it) {
					t.Errorf("%s on %s, %s: %v", text, pk, sk, k.Match(it))
				}
			}
		}
		if k.Match(attr.ItemOf(attr.Field{Name: "sk", Value: attr.Text("b")})) {
			t.Errorf("%s matches an item without partition key", text)
		}
	}
	k, err := expr.ParseKeyCondition("h1=:p AND h2=:b AND r1=:c AND begins_with(r2, :b)", s, keySchemas["gsi"])
	if err != nil {
		t.Fatal(err)
	}
	it := attr.ItemOf(attr.Field{Name: "h1", Value: attr.Text("p")}, attr.Field{Name: "h2", Value: attr.Text("b")}, attr.Field{Name: "r1", Value: attr.Text("c")}, attr.Field{Name: "r2", Value: attr.Text("bx")})
	if !k.Match(it) {
		t.Error("gsi: no match")
	}
	it.Set("r2", attr.Text("x"))
	if k.Match(it) {
		t.Error("gsi: match")
	}
}

// TestAdded: an ADD says what it adds, and other changes that they add nothing.
func TestAdded(t *testing.T) {
	five := attr.Num(attr.Int(5))
	if v, ok := expr.Add(expr.Name("n"), five).Added(); !ok || !attr.Equal(v, five) {
		t.Errorf("ADD n 5 adds %v, %t", v, ok)
	}
	for _, c := range []expr.Change{expr.Set(expr.Name("n"), expr.Literal(five)), expr.Remove(expr.Name("n"))} {
		if v, ok := c.Added(); ok {
			t.Errorf("%v adds %v", c, v)
		}
	}
}
