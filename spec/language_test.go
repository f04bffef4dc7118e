package spec

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
)

var update = flag.Bool("update", false, "rewrite the expected lines of testdata/*.txt")

// cases runs a file of cases: a line of input, then a line "=> output" with what the test makes of it. Lines that
// begin with # and empty lines are kept.
func cases(t *testing.T, file string, run func(input string) string) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	input, n := "", 0
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		want, isOutput := strings.CutPrefix(line, "=> ")
		if !isOutput {
			if input = line; line == "" || line[0] == '#' || !*update {
				fmt.Fprintln(&out, line)
				continue
			}
			fmt.Fprintf(&out, "%s\n=> %s\n", line, run(input))
			continue
		}
		n++
		if got := run(input); got != want && !*update {
			t.Errorf("%s: %s\n got %s\nwant %s", file, input, got, want)
		}
	}
	if *update {
		if err := os.WriteFile("testdata/"+file, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if n == 0 {
		t.Errorf("%s has no cases", file)
	}
}

func failure(err error) string {
	e, ok := err.(*Error)
	if !ok {
		return "not an *Error: " + err.Error()
	}
	return fmt.Sprintf("error at %d: %s", e.Offset, e)
}

func TestParseValue(t *testing.T) {
	cases(t, "values.txt", func(in string) string {
		v, err := ParseValue(in)
		if err != nil {
			return failure(err)
		}
		return v.String()
	})
}

func TestParseCondition(t *testing.T) {
	cases(t, "conditions.txt", func(in string) string {
		c, err := ParseCondition(in)
		if err != nil {
			return failure(err)
		}
		return c.String()
	})
}

func TestParseQuantities(t *testing.T) {
	cases(t, "quantities.txt", func(in string) string {
		kind, text, _ := strings.Cut(in, " ")
		var v any
		var err error
		switch kind {
		case "number":
			v, err = ParseNumber(text)
		case "duration":
			v, err = ParseDuration(text)
		case "rate":
			v, err = ParseRate(text)
		case "size":
			v, err = ParseSize(text)
		case "percentage":
			v, err = ParsePercentage(text)
		case "skew":
			v, err = ParseSkew(text)
		case "path":
			v, err = ParsePath(text)
		case "reference":
			v, err = ParseReference(text)
		default:
			t.Fatalf("what is %s?", kind)
		}
		if err != nil {
			return failure(err)
		}
		return fmt.Sprint(v)
	})
}

// A subject with everything in it.
var subject = attr.ItemOf(
	attr.Field{Name: "name", Value: attr.Text("Ærøskøbing")},
	attr.Field{Name: "quantity", Value: attr.Num(attr.Int(7))},
	attr.Field{Name: "price", Value: attr.Num(attr.Dec("0.1"))},
	attr.Field{Name: "gift", Value: attr.Bool(true)},
	attr.Field{Name: "status", Value: attr.Text("paid")},
	attr.Field{Name: "placedAt", Value: attr.Text("2026-02-28T23:59:59.999Z")},
	attr.Field{Name: "day", Value: attr.Text("2024-02-28")},
	attr.Field{Name: "tags", Value: attr.TextSet("b", "a")},
	attr.Field{Name: "numbers", Value: attr.NumSet(attr.Int(2))},
	attr.Field{Name: "lines", Value: attr.List(attr.Text("x"), attr.Text("y"))},
	attr.Field{Name: "data", Value: attr.Binary([]byte{0xff, 0})},
	attr.Field{Name: "address", Value: attr.Map(attr.ItemOf(attr.Field{Name: "city", Value: attr.Text("Oslo")}))},
)

var env = Env{
	Now: time.Date(2026, 3, 1, 0, 0, 0, 123_999_999, time.UTC),
	Values: attr.ItemOf(
		attr.Field{Name: "delta", Value: attr.Num(attr.Int(-7))},
		attr.Field{Name: "text", Value: attr.Text("x")},
		attr.Field{Name: "to", Value: attr.Text("shipped")},
		attr.Field{Name: "each", Value: attr.Map(attr.ItemOf(attr.Field{Name: "quantity", Value: attr.Num(attr.Int(8))}))},
	),
}

var life = &States{Names: []string{"placed", "paid", "shipped"},
	Next: map[string][]string{"placed": {"paid", "shipped"}, "paid": {"shipped"}}}

func TestHolds(t *testing.T) {
	cases(t, "holds.txt", func(in string) string {
		c, err := ParseCondition(in)
		if err != nil {
			return failure(err)
		}
		for test := range Tests(c) {
			if test.Op == "before" && test.Path.String() == "status" {
				test.States = life
			}
		}
		ok, err := Holds(c, On(subject), env)
		if err != nil {
			return "error: " + err.Error()
		}
		return fmt.Sprint(ok)
	})
	if ok, err := Holds(nil, On(subject), env); !ok || err != nil {
		t.Error("the nil condition does not hold")
	}
	for text, want := range map[string]bool{"present": false, "absent": true, "quantity = 7": false, "absent or quantity = 7": true} {
		c, _ := ParseCondition(text)
		if ok, err := Holds(c, On(attr.Item{}), env); ok != want || err != nil {
			t.Errorf("%s of no item: %v %v, want %v", text, ok, err, want)
		}
	}
}

func TestEval(t *testing.T) {
	cases(t, "eval.txt", func(in string) string {
		v, err := ParseValue(in)
		if err != nil {
			return failure(err)
		}
		x, err := Eval(v, On(subject), env)
		if err != nil {
			return "error: " + err.Error()
		}
		return show(x)
	})
}

func show(v attr.Value) string {
	switch {
	case v.IsZero():
		return "absent"
	case v.Kind() == attr.KindBOOL:
		return fmt.Sprint(v.Bool())
	case v.Kind() == attr.KindL || v.IsSet():
		var elems []string
		for _, e := range v.Elems() {
			elems = append(elems, show(e))
		}
		return v.Kind().String() + "[" + strings.Join(elems, " ") + "]"
	case v.Kind() == attr.KindN:
		return v.Number().String()
	}
	return fmt.Sprintf("%q", v.Str())
}

func TestWithout(t *testing.T) {
	left := func(name string) bool { return name == "x" || name == "y" }
	for in, want := range map[string]string{
		"a = $x":                               "",
		"a = $z":                               "a = $z",
		"a = $x and b = $z and c = 1":          "b = $z and c = 1",
		"a = $x and b = $z":                    "b = $z",
		"a between $from and $x or b = 1":      "a >= $from or b = 1",
		"a between $x and 9":                   "a <= 9",
		"a between $x and $y - 1":              "",
		"not a = $x":                           "",
		"not (a = $x or b = $z)":               "not b = $z",
		"absent or a = $x":                     "",
		"absent or a = $z":                     "absent or a = $z",
		"absent or a = $x and b = $z":          "absent or b = $z",
		"(a = $x or b > $y) and c = 3":         "c = 3",
		"(a = 'x' or b > $y) and not (c = $y)": "a = 'x'",
		"a >= $z - $x":                         "",
	} {
		c, err := ParseCondition(in)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if c := Without(c, left); c != nil {
			got = c.String()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// Random trees print to texts that parse back to the same tree.
func TestPrintParse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		v := randomValue(r, 4, false)
		back, err := ParseValue(v.String())
		if err != nil {
			t.Fatalf("%s: %v", v, err)
		}
		if strip(back).String() != v.String() || !reflect.DeepEqual(strip(back), strip(v)) {
			t.Fatalf("%s comes back as %s", v, back)
		}
		c := randomCondition(r, 4)
		cBack, err := ParseCondition(c.String())
		if err != nil {
			t.Fatalf("%s: %v", c, err)
		}
		if !reflect.DeepEqual(stripCondition(cBack), stripCondition(c)) {
			t.Fatalf("%s comes back as %s", c, cBack)
		}
	}
}

func strip(v Expr) Expr {
	v.Pos = 0
	args := v.Args
	v.Args = nil
	for _, a := range args {
		v.Args = append(v.Args, strip(a))
	}
	return v
}

func stripCondition(c Condition) Condition {
	switch c := c.(type) {
	case *Test:
		out := *c
		out.Pos, out.Args = 0, nil
		for _, a := range c.Args {
			out.Args = append(out.Args, strip(a))
		}
		return &out
	case *Logic:
		out := &Logic{Op: c.Op}
		for _, a := range c.Args {
			out.Args = append(out.Args, stripCondition(a))
		}
		return out
	}
	return nil
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func randomPath(r *rand.Rand) Path {
	return pick(r, Path{"a"}, Path{"order", "customerId"}, Path{"not"}, Path{"present"}, Path{"in-transit"}, Path{"and"}, Path{"größe_2"})
}

func randomValue(r *rand.Rand, depth int, condition bool) Expr {
	switch n := r.IntN(12); {
	case n < 2 && depth > 0:
		return Expr{Op: pick(r, "+", "-"), Args: []Expr{randomSum(r, depth-1, condition), randomTerm(r, condition)}}
	case n == 2 && depth > 0 && !condition:
		return Expr{Op: pick(r, "append", "prepend", "if_missing"), Args: []Expr{{Path: randomPath(r)}, randomValue(r, depth-1, false)}}
	}
	if condition {
		return pick(r, randomTerm(r, true), Expr{Path: randomPath(r)})
	}
	return randomTerm(r, false)
}

func randomSum(r *rand.Rand, depth int, condition bool) Expr {
	if depth == 0 || r.IntN(2) == 0 {
		return randomTerm(r, condition)
	}
	return Expr{Op: pick(r, "+", "-"), Args: []Expr{randomSum(r, depth-1, condition), randomTerm(r, condition)}}
}

func randomTerm(r *rand.Rand, condition bool) Expr {
	neg := r.IntN(2) == 0
	return pick(r,
		Expr{Literal: attr.Num(attr.Dec(pick(r, "0", "5", "-5", "0.25", "-1234567.125")))},
		Expr{Literal: attr.Num(attr.Int(r.Int64N(1e12) - 5e11)), Duration: true},
		Expr{Literal: attr.Text(pick(r, "", "it's", "a 'quoted' one", "é\n", "and"))},
		Expr{Literal: attr.Bool(neg)},
		Expr{Now: true},
		Expr{Reference: pick(r, Reference{"x"}, Reference{"each", "a-b"}), Neg: neg},
		Expr{Path: randomPath(r), Neg: neg}.orNow(condition),
	)
}

// orNow replaces a path where arithmetic must not touch one.
func (v Expr) orNow(replace bool) Expr {
	if replace {
		return Expr{Now: true}
	}
	return v
}

func randomCondition(r *rand.Rand, depth int) Condition {
	if depth > 0 && r.IntN(2) == 0 {
		op := pick(r, "and", "or", "not")
		if op == "not" {
			return &Logic{Op: op, Args: []Condition{randomCondition(r, depth-1)}}
		}
		l := &Logic{Op: op}
		for len(l.Args) < 2+r.IntN(2) {
			c := randomCondition(r, depth-1)
			if inner, ok := c.(*Logic); ok && inner.Op == op {
				continue // the parser makes one of two
			}
			l.Args = append(l.Args, c)
		}
		return l
	}
	t := &Test{Op: pick(r, "=", "!=", "<", "<=", ">", ">=", "between", "in", "before", "exists", "absent", "begins_with", "contains", "size", "present")}
	if t.Op != "present" {
		t.Path = randomPath(r)
	}
	n := 1
	switch t.Op {
	case "present", "exists", "absent":
		n = 0
		if t.Op == "absent" && r.IntN(2) == 0 {
			t.Path = nil
		}
	case "between":
		n = 2
	case "in":
		n = 1 + r.IntN(3)
	case "size":
		t.SizeOp = pick(r, "=", ">=")
	}
	for range n {
		t.Args = append(t.Args, randomValue(r, 2, true))
	}
	return t
}

func FuzzParse(f *testing.F) {
	for _, file := range []string{"values.txt", "conditions.txt"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			f.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			if !strings.HasPrefix(line, "=> ") {
				f.Add(line)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		offset := func(err error) {
			if e := err.(*Error); e.Offset < 0 || e.Offset > len(text) {
				t.Fatalf("%q: offset %d", text, e.Offset)
			}
		}
		if c, err := ParseCondition(text); err != nil {
			offset(err)
		} else if back, err := ParseCondition(c.String()); err != nil {
			t.Fatalf("%q prints %q: %v", text, c, err)
		} else if !reflect.DeepEqual(stripCondition(back), stripCondition(c)) {
			t.Fatalf("%q prints %q, which reads as %q", text, c, back)
		} else {
			Holds(c, On(subject), env)
		}
		if v, err := ParseValue(text); err != nil {
			offset(err)
		} else if back, err := ParseValue(v.String()); err != nil {
			t.Fatalf("%q prints %q: %v", text, v, err)
		} else if !reflect.DeepEqual(strip(back), strip(v)) {
			t.Fatalf("%q prints %q, which reads as %q", text, v, back)
		} else {
			Eval(v, On(subject), env)
		}
		for _, parse := range []func(string) error{
			func(s string) error { _, err := ParsePath(s); return err },
			func(s string) error { _, err := ParseReference(s); return err },
			func(s string) error { _, err := ParseNumber(s); return err },
			func(s string) error { _, err := ParseRate(s); return err },
			func(s string) error { _, err := ParseSize(s); return err },
			func(s string) error { _, err := ParsePercentage(s); return err },
			func(s string) error { _, err := ParseSkew(s); return err },
			func(s string) error { _, err := ParseDuration(s); return err },
		} {
			if err := parse(text); err != nil {
				offset(err)
			}
		}
	})
}

// Whatever conditions are joined, the text reads back to all of them.
func TestAllOf(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5_000 {
		want := &Logic{Op: "and"}
		var texts []string
		for range 1 + r.IntN(4) {
			c := randomCondition(r, 3)
			texts = append(texts, c.String())
			if l, ok := c.(*Logic); ok && l.Op == "and" {
				want.Args = append(want.Args, l.Args...)
			} else {
				want.Args = append(want.Args, c)
			}
		}
		var tree Condition = want
		if len(want.Args) == 1 {
			tree = want.Args[0]
		}
		text := AllOf(texts)
		back, err := ParseCondition(text)
		if err != nil || !reflect.DeepEqual(stripCondition(back), stripCondition(tree)) {
			t.Fatalf("%q become %s: %v", texts, text, err)
		}
	}
	if got := AllOf(nil); got != "" {
		t.Errorf("%q", got)
	}
}
