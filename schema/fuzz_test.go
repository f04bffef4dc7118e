package schema_test

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/schema"
)

// Whatever is read as a JSON Schema is written as one, and read the same again.
func FuzzFromJSONSchema(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(maker{rand.New(rand.NewPCG(seed, 3))}.shape(2).JSONSchema())
	}
	f.Add(trees.Shape.JSONSchema())
	f.Add(everything.Shape.JSONSchema())
	f.Add([]byte(`{"properties":{"a":{"$ref":"#/definitions/n"},"b":{"anyOf":[{"type":"null"},{"$ref":"#"}]}},"definitions":{"n":{"enum":[1,null]}}}`))
	f.Add([]byte(`{"type":"object","required":["a"],"properties":{"a":{"const":"x"},"b":{"type":["integer","null","number"],"exclusiveMinimum":1,"minimum":1}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		shape, err := schema.FromJSONSchema(text)
		if err != nil {
			return
		}
		out := shape.JSONSchema()
		again, err := schema.FromJSONSchema(out)
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, out)
		}
		if other := again.JSONSchema(); !bytes.Equal(other, out) {
			t.Fatalf("%s\n%s\n%s", text, out, other)
		}
	})
}

// ParseJSON takes what another validator takes by the shape's JSON Schema.
func FuzzParseJSON(f *testing.F) {
	shape := schema.Object(
		schema.Required("s", schema.String().Len(1, 4)),
		schema.Optional("p", schema.Nullable(schema.String().Pattern("^[a-z]*$"))),
		schema.Optional("n", schema.Number().Range(-5, 1000).Decimals(2)),
		schema.Optional("set", schema.SetOf(schema.Number())),
		schema.Optional("m", schema.Map(schema.Bool()).Len(0, 2).Keys(schema.String().Len(0, 3))),
		schema.Optional("l", schema.List(schema.Object(schema.Required("x", schema.Any())).Closed())),
	)
	judge := compile(f, shape.JSONSchema())
	for _, text := range []string{`{"s":"a"}`, `{"s":"","n":1e2}`, `{"s":"ü","set":[1,1.0],"m":{"k":true}}`, `{"s":"a","l":[{"x":null},{"y":1}]}`, `[]`, `{"s":"a"} x`} {
		f.Add([]byte(text))
	}
	beyond := regexp.MustCompile(`[0-9.]{20,}|[0-9.][eE]`) // perhaps a number that DynamoDB does not have
	f.Fuzz(func(t *testing.T, text []byte) {
		it, err := shape.ParseJSON(text)
		value, bad := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if bad != nil || !utf8.Valid(text) || beyond.Match(text) {
			return
		}
		switch verdict := judge.Validate(value); {
		case (err == nil) != (verdict == nil):
			t.Fatalf("ours says %v, the other %v", err, verdict)
		case err == nil:
			if err := shape.Check(it); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Parse refuses what Check refuses; what it takes keeps the rules as a value, too.
func FuzzCheckAgainstParse(f *testing.F) {
	e := valid()
	it, err := attr.MarshalItem(&e)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(attr.AppendItem(nil, it))
	for _, c := range changes[:8] {
		e := valid()
		c.change(&e)
		it, _ := attr.MarshalItem(&e)
		f.Add(attr.AppendItem(nil, it))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		it, err := attr.ParseItem(text)
		if err != nil {
			return
		}
		checked := everything.Shape.Check(it)
		v, parsed := everything.Parse(it)
		if checked != nil {
			if parsed == nil {
				t.Fatalf("Check says %v, Parse nothing", checked)
			}
			return
		}
		if parsed != nil {
			return // what a type of the program's own does not take
		}
		if err := everything.Check(&v); err != nil {
			t.Fatalf("what was parsed is refused: %v", err)
		}
		if everything.Shape.Check(mustItem(t, &v)) != nil {
			t.Fatal("the value and its item differ")
		}
	})
}

func mustItem[T any](t *testing.T, v *T) attr.Item {
	t.Helper()
	it, err := attr.MarshalItem(v)
	if err != nil {
		t.Fatal(err)
	}
	return it
}
