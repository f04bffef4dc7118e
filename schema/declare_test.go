package schema_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/schema"
)

func wrongTag[T any]() error {
	_, err := schema.Compile[T]()
	return err
}

type withMethod struct {
	A string `ddb:"a" check:"computed=Take"`
}

func (withMethod) Take(int) string { return "" }

type badSlug struct {
	A int `ddb:"a" check:"computed=Slug"`
}

func (badSlug) Slug() string { return "" }

// What is declared wrongly is told with the type, the field and the reason.
func TestMistakesInTags(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{wrongTag[struct {
			A string `check:"size=3"`
		}](), `.A: tag check has no rule "size"`},
		{wrongTag[struct {
			A string `check:"len"`
		}](), ".A: tag check: len needs a value"},
		{wrongTag[struct {
			A float64 `check:"integer=3"`
		}](), ".A: tag check: integer takes no value"},
		{wrongTag[struct {
			A string `check:"len=5..2"`
		}](), ".A: a length from 5 to 2"},
		{wrongTag[struct {
			A string `check:"len=a"`
		}](), ".A: len=a is none such as len=1..40"},
		{wrongTag[struct {
			A string `check:"len=.."`
		}](), ".A: len=.. is none such as len=1..40"},
		{wrongTag[struct {
			A string `check:"len=-1"`
		}](), ".A: len=-1 is none such as len=1..40"},
		{wrongTag[struct {
			A string `check:"range=1..2"`
		}](), ".A: range is a rule for numbers"},
		{wrongTag[struct {
			A bool `check:"len=3"`
		}](), ".A: len is a rule for texts, binaries, lists, sets and maps"},
		{wrongTag[struct {
			A int `check:"pattern=x"`
		}](), ".A: pattern is a rule for texts"},
		{wrongTag[struct {
			A time.Time `check:"enum=x"`
		}](), ".A: enum is a rule for texts and numbers"},
		{wrongTag[struct {
			A string `check:"pattern=("`
		}](), ".A: error parsing regexp"},
		{wrongTag[struct {
			A int `check:"range=1-3"`
		}](), ".A: range=1-3 is none such as range=0..100"},
		{wrongTag[struct {
			A int `check:"range=a.."`
		}](), `.A: "a" is no number`},
		{wrongTag[struct {
			A int `check:"range=5..1"`
		}](), ".A: a range in which there is nothing"},
		{wrongTag[struct {
			A int8 `check:"range=200.."`
		}](), ".A: a range in which there is nothing"},
		{wrongTag[struct {
			A int `check:"above=x"`
		}](), `.A: "x" is no number`},
		{wrongTag[struct {
			A float64 `check:"decimals=x"`
		}](), ".A: decimals=x is no number of decimals"},
		{wrongTag[struct {
			A float64 `check:"decimals=200"`
		}](), ".A: 200 decimals: no number has so many"},
		{wrongTag[struct {
			A float64 `check:"multiple=0"`
		}](), ".A: multiple=0 is no number above 0"},
		{wrongTag[struct {
			A int `check:"enum=1|x"`
		}](), `.A: enum: "x" is no number`},
		{wrongTag[struct {
			A int8 `check:"enum=1|300"`
		}](), ".A: the enumeration has what the other rules do not allow"},
		{wrongTag[struct {
			A string `check:"required"`
		}](), ".A: required does nothing: the attribute is always written"},
		{wrongTag[struct {
			A string `check:"default=x"`
		}](), ".A: the default does nothing: the attribute is always written"},
		{wrongTag[struct {
			A *string `check:"required,default=x"`
		}](), ".A: required, and a default"},
		{wrongTag[struct {
			A *int `check:"default=x"`
		}](), `.A: default: "x" is no number`},
		{wrongTag[struct {
			A *bool `check:"default=2"`
		}](), `.A: default: "2" is neither true nor false`},
		{wrongTag[struct {
			A *int `check:"range=1..3,default=4"`
		}](), ".A: the default breaks the rules"},
		{wrongTag[struct {
			A []int `check:"default=4"`
		}](), ".A: default: is for texts, numbers and truth values"},
		{wrongTag[struct {
			A string `check:"each,len=3"`
		}](), ".A: each is for lists, sets and maps"},
		{wrongTag[struct {
			A []int `check:"each,len=3"`
		}](), ".A: each: len is a rule for"},
		{wrongTag[struct {
			A []string `check:"each,required"`
		}](), ".A: elements have neither required"},
		{wrongTag[struct {
			A []string `check:"keys,len=3"`
		}](), ".A: keys is for maps"},
		{wrongTag[struct {
			A map[string]int `check:"keys,range=1..2"`
		}](), ".A: keys: range is a rule for numbers"},
		{wrongTag[struct {
			A map[string]int `check:"keys,required"`
		}](), ".A: keys have the rules of texts only"},
		{wrongTag[struct {
			A string `check:"computed=Slug"`
		}](), "has no method Slug"},
		{wrongTag[withMethod](), ".A: computed: Take is no method without arguments that returns a string"},
		{wrongTag[badSlug](), ".A: computed: Slug is no method without arguments that returns a int"},
		{wrongTag[struct {
			B struct {
				A string `check:"len=x"`
			}
		}](), ".A: len=x is none such as"},
		{wrongTag[struct{ C chan int }](), "has no attribute type"},
		{wrongTag[int](), ""},
	} {
		switch {
		case test.want == "" && test.err != nil:
			t.Error(test.err)
		case test.want != "" && (test.err == nil || !strings.Contains(test.err.Error(), test.want)):
			t.Errorf("%v, not %s", test.err, test.want)
		}
	}
}

// panics is what f panics with.
func panics(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return ""
}

func TestMistakesInBuilders(t *testing.T) {
	s := schema.Object(schema.Required("a", schema.String()), schema.Optional("l", schema.List(schema.Object(schema.Required("b", schema.Bool())))))
	for _, test := range []struct {
		f    func()
		want string
	}{
		{func() { schema.String().Len(3, 2) }, "schema: a length from 3 to 2"},
		{func() { schema.String().Len(-1, 2) }, "schema: a length from -1 to 2"},
		{func() { schema.String().Pattern("(") }, "missing closing )"},
		{func() { schema.String().Enum("a").Default("b") }, "schema: the default breaks the rules"},
		{func() { schema.Number().Range(3, 2) }, "schema: a range in which there is nothing"},
		{func() { schema.Number().Above(attr.Int(3)).To(attr.Int(3)) }, "schema: a range in which there is nothing"},
		{func() { schema.Number().MultipleOf(attr.Int(0)) }, "schema: a multiple of 0"},
		{func() { schema.Number().Decimals(-1) }, "schema: -1 decimals"},
		{func() { schema.SetOf(schema.Bool()) }, "schema: sets are of texts, numbers or binaries"},
		{func() { schema.SetOf(schema.Nullable(schema.String())) }, "schema: sets are of"},
		{func() { schema.Object(schema.Required("", schema.Bool())) }, "schema: a field without a name"},
		{func() { schema.Object(schema.Required("a", schema.Bool()), schema.Optional("a", schema.Bool())) }, "schema: two fields are called a"},
		{func() { schema.Required("a", schema.String().Default("x")) }, "schema: a has a default, so that it may be absent"},
		{func() { s.Pick(schema.Name("x")) }, "schema: there is no attribute x"},
		{func() { s.Omit(schema.Name("a.b")) }, "schema: a: there is nothing inside"},
		{func() { s.Omit(schema.Name("l[0]")) }, "schema: l: one element cannot be picked"},
		{func() { s.Pick(schema.Name("l[0].c")) }, "schema: l: there is no attribute c"},
		{func() { schema.For[Line](s) }, "schema: schema_test.Line has no attribute a, which the shape has"},
		{func() { schema.For[struct{ a string }](s) }, "has no exported fields"},
		{func() {
			schema.For[struct {
				A int `ddb:"a"`
				L any `ddb:"l"`
			}](s)
		}, ".A: int is stored as N, and must be a text"},
		{func() {
			schema.For[struct {
				A string   `ddb:"a"`
				L []string `ddb:"l"`
			}](s)
		}, ".L: elements: string is stored as S, and must be a map"},
		{func() {
			schema.For[struct {
				A string `ddb:"a"`
				L any    `ddb:"l"`
				X int    `ddb:"x"`
			}](s.Closed())
		}, "has the attribute x, which the closed shape does not"},
		{func() {
			schema.For[struct {
				A []Line `ddb:"a"`
			}](schema.Object(schema.Optional("a", schema.List(schema.Map(schema.Any())))))
		}, "elements: schema_test.Line is a struct, and must be a map with free keys"},
		{func() {
			schema.For[struct {
				N int8 `ddb:"n"`
			}](schema.Object(schema.Optional("n", schema.Number().Default(attr.Int(300)))))
		}, ".N: default: it does not go into int8"},
		{func() { schema.Of[badSlug]() }, "schema: schema_test.badSlug.A: computed"},
	} {
		if got := panics(test.f); !strings.Contains(got, test.want) {
			t.Errorf("%s, not %s", got, test.want)
		}
	}
}

// Shapes of shapes.
func TestPickOmitExtendPartial(t *testing.T) {
	s := schema.Object(
		schema.Required("a", schema.String()),
		schema.Optional("n", schema.Number().Default(attr.Int(1))),
		schema.Required("o", schema.Object(schema.Required("x", schema.Bool()), schema.Required("y", schema.Bool()))),
		schema.Optional("l", schema.List(schema.Object(schema.Required("p", schema.Bool()), schema.Required("q", schema.Bool())))),
		schema.Optional("m", schema.Map(schema.Object(schema.Required("p", schema.Bool()), schema.Optional("q", schema.Bool())))),
	)
	for _, test := range []struct {
		name  string
		shape *schema.Shape
		json  string
		want  string
	}{
		{"pick", s.Pick(schema.Name("a")), `{}`, "a: must be there"},
		{"pick inside", s.Pick(schema.Name("o.x")), `{"o":{}}`, "o.x: must be there"},
		{"pick in elements", s.Pick(schema.Name("l[0].q")), `{"l":[{}]}`, "l[0].q: must be there"},
		{"pick in a map", s.Pick(schema.Name("m.any.p")), `{"m":{"k":{"q":1}}}`, "m.k.p: must be there"},
		{"omit", s.Omit(schema.Name("a"), schema.Name("o.y")), `{"o":{}}`, "o.x: must be there"},
		{"omit in elements", s.Omit(schema.Name("a"), schema.Name("o"), schema.Name("l[0].q")), `{"l":[{}]}`, "l[0].p: must be there"},
		{"extend", s.Extend(schema.Required("a", schema.Bool()), schema.Required("z", schema.Bool())), `{"a":"x","o":{"x":true,"y":true}}`,
			"a: must be true or false; z: must be there"},
		{"partial", s.Partial(), `{"a":null,"n":null,"l":null}`, "a: must be a text"},
		{"partial inside", s.Partial(), `{"o":{"x":true}}`, "o.y: must be there"},
		{"closed", s.Pick(schema.Name("a")).Closed(), `{"a":"x","b":1}`, "b: is not known here"},
		{"partial stays closed", s.Closed().Partial(), `{"b":1}`, "b: is not known here"},
	} {
		if _, err := test.shape.ParseJSON([]byte(test.json)); fmt.Sprint(err) != test.want {
			t.Errorf("%s: %v, not %s", test.name, err, test.want)
		}
	}
	if it, err := s.Partial().ParseJSON([]byte(`{}`)); err != nil || it.Len() != 0 {
		t.Errorf("a partial shape has defaults: %v %v", it, err)
	}
	if got := fmt.Sprint(s.Names(), s.Omit(schema.Name("l")).Names()); got != "[a l m n o] [a m n o]" {
		t.Error(got)
	}
}

// Many problems are counted, not listed.
func TestManyProblems(t *testing.T) {
	type list struct {
		L []int `ddb:"l" check:"each,range=0..1"`
	}
	v := list{L: make([]int, 300)}
	for i := range v.L {
		v.L[i] = 7
	}
	s := schema.Of[list]()
	err := s.Check(&v)
	wrong, _ := errors.AsType[*schema.Error](err)
	if wrong == nil || len(wrong.Problems) != 100 || wrong.More != 200 || !strings.HasSuffix(err.Error(), "; and 292 more") {
		t.Error(err)
	}
}

// What the codec refuses is a problem with a path, and without the value.
func TestUnstorable(t *testing.T) {
	type odd struct {
		F  float64   `ddb:"f"`
		At time.Time `ddb:"at" check:"required"`
	}
	if err := wrongTag[odd](); err == nil {
		t.Error("required on a time that is always written")
	}
	type number struct {
		F float64 `ddb:"f" check:"range=0.."`
	}
	s := schema.Of[number]()
	v := number{F: -1}
	v.F /= 0 * v.F // infinite
	err := s.Check(&v)
	if err == nil || err.Error() != "f: must be what the Go type can hold" || errors.Unwrap(err) == nil {
		t.Error(err)
	}
	type key struct {
		M map[int8]string `ddb:"m"`
	}
	if _, err := schema.Of[key]().ParseJSON([]byte(`{"m":{"300":"x","y":"z"}}`)); err == nil || err.Error() != "m.y: the key must match ^-?[0-9]+$" {
		t.Error(err)
	}
	if _, err := schema.Of[key]().ParseJSON([]byte(`{"m":{"300":"x"}}`)); err == nil || err.Error() != "m.300: must be what the Go type can hold" {
		t.Error(err)
	}
}
