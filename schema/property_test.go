package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/schema"
)

// compile reads a JSON Schema with a validator that is not ours, and has it assert formats and encodings.
func compile(t testing.TB, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.AssertContent()
	if err := c.AddResource("shape.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("shape.json")
	if err != nil {
		t.Fatalf("the schema that was written is none: %v\n%s", err, text)
	}
	return s
}

// maker makes random shapes, and JSON that may suit them.
type maker struct{ *rand.Rand }

func (m maker) pick(words ...string) string { return words[m.IntN(len(words))] }

var names = []string{"a", "b", "kind", "größe", "with space", "x.y"}

func (m maker) shape(depth int) *schema.Shape {
	var fields []schema.Field
	for _, name := range names {
		switch m.IntN(4) {
		case 0:
			fields = append(fields, schema.Required(name, m.typ(depth, false)))
		case 1:
			fields = append(fields, schema.Optional(name, m.typ(depth, true)).Describe(m.pick("", "what it is")))
		}
	}
	s := schema.Object(fields...)
	if m.IntN(3) == 0 {
		s = s.Closed()
	}
	return s
}

func (m maker) typ(depth int, missing bool) schema.Type {
	var t schema.Type
	n := 6
	if depth > 0 {
		n = 11
	}
	switch m.IntN(n) {
	case 0, 1:
		t = m.text(missing)
	case 2, 3:
		t = m.number(missing)
	case 4:
		b := schema.Bool()
		if m.IntN(3) == 0 {
			b = b.Enum(true)
		}
		if missing && m.IntN(3) == 0 {
			b = b.Default(true)
		}
		t = b
	case 5:
		t = m.scalar()
	case 6, 7:
		t = m.shape(depth - 1)
	case 8:
		l := schema.List(m.typ(depth-1, false))
		if m.IntN(2) == 0 {
			l = l.Len(m.IntN(2), 1+m.IntN(3))
		}
		t = l
	case 9:
		l := schema.SetOf([]schema.Type{m.text(false), m.number(false), schema.Binary()}[m.IntN(3)])
		if m.IntN(2) == 0 {
			l = l.Len(m.IntN(3), 2+m.IntN(3))
		}
		t = l
	case 10:
		e := schema.Map(m.typ(depth-1, false))
		if m.IntN(2) == 0 {
			e = e.Keys(m.text(false))
		}
		if m.IntN(2) == 0 {
			e = e.Len(m.IntN(2), 1+m.IntN(3))
		}
		t = e
	}
	if m.IntN(5) == 0 {
		t = schema.Nullable(t)
	}
	return t
}

func (m maker) scalar() schema.Type {
	switch m.IntN(4) {
	case 0:
		return schema.Time()
	case 1:
		return schema.Any()
	case 2:
		return schema.Binary().Len(3*m.IntN(2)+1, 3*(1+m.IntN(2))+3) // lengths that its base64 tells, too
	}
	return schema.Binary()
}

func (m maker) text(missing bool) schema.StringType {
	s := schema.String()
	switch m.IntN(4) {
	case 0:
		s = s.Len(m.IntN(3), 3+m.IntN(3))
	case 1:
		s = s.Pattern(m.pick("^[a-z]+$", "o", `^\S`))
	case 2:
		return s.Enum("red", "größer", "")
	}
	if missing && m.IntN(2) == 0 {
		s = s.Default("foo")
	}
	return s
}

func (m maker) number(missing bool) schema.NumberType {
	n := schema.Number()
	switch m.IntN(7) {
	case 0:
		n = n.Range(-5, 12)
	case 1:
		n = n.Above(attr.Dec("-0.5")).Below(attr.Int(7))
	case 2:
		n = n.Integer()
	case 3:
		n = n.Decimals(1 + m.IntN(2))
	case 4:
		n = n.MultipleOf(attr.Dec(m.pick("0.05", "3", "0.5")))
		if m.IntN(2) == 0 {
			n = n.Decimals(1)
		}
	case 5:
		return n.Enum(attr.Int(1), attr.Dec("2.5"))
	}
	if missing && m.IntN(2) == 0 {
		n = n.Default(attr.Int(6))
	}
	return n
}

// json makes a JSON value; at the top it is an object.
func (m maker) json(depth int) any {
	n := 16
	if depth == 0 {
		n = 10
	}
	switch m.IntN(n) {
	case 0:
		return nil
	case 1:
		return m.IntN(2) == 0
	case 2, 3, 4:
		return m.word()
	case 5, 6, 7, 8, 9:
		return json.Number(m.pick("0", "1", "2.5", "2.50", "-5", "12", "13", "0.05", "0.051", "6", "1e1", "1.0", "300"))
	case 10, 11, 12:
		l := make([]any, m.IntN(4))
		for i := range l {
			l[i] = m.json(depth - 1)
		}
		if m.IntN(2) == 0 { // of one kind
			for i := range l {
				l[i] = m.word()
			}
		}
		return l
	}
	return m.object(depth)
}

func (m maker) word() string {
	return m.pick("red", "größer", "", "foo", "o", " x", "toolong", "Zm9v", "Zg==", "Zm9=Zg", "2026-11-21T12:00:00Z", "2026-11-21T12:00:00.5+01:00", "2026-13-01T00:00:00Z")
}

func (m maker) object(depth int) map[string]any {
	o := map[string]any{}
	for _, name := range append(names, "red", "foo") {
		if m.IntN(2) == 0 {
			o[name] = m.json(depth - 1)
		}
	}
	return o
}

// fitting makes JSON by a schema's own words, so that much of it suits.
func (m maker) fitting(s map[string]any) any {
	if m.IntN(12) == 0 {
		return m.json(1)
	}
	typ, _ := s["type"].(string)
	if list, ok := s["type"].([]any); ok {
		typ, _ = list[m.IntN(2)].(string)
	}
	if e, ok := s["enum"].([]any); ok {
		return e[m.IntN(len(e))]
	}
	switch typ {
	case "object":
		o := map[string]any{}
		properties, _ := s["properties"].(map[string]any)
		required := fmt.Sprint(s["required"])
		for name, p := range properties {
			if q, ok := p.(map[string]any); ok && (strings.Contains(required, name) || m.IntN(2) == 0) {
				o[name] = m.fitting(q)
			} else if !ok {
				o[name] = m.json(1)
			}
		}
		if e, ok := s["additionalProperties"].(map[string]any); ok {
			for range m.IntN(3) {
				o[m.word()] = m.fitting(e)
			}
		}
		return o
	case "array":
		l := make([]any, m.IntN(4))
		items, _ := s["items"].(map[string]any)
		for i := range l {
			l[i] = m.fitting(items)
		}
		return l
	case "string":
		return m.word()
	case "number", "integer":
		return json.Number(m.pick("0", "1", "3", "6", "2.5", "0.5", "-1", "12"))
	case "boolean":
		return m.IntN(4) > 0
	}
	return nil
}

// placesOf lists where an error has problems.
func placesOf(err error) string {
	wrong, _ := errors.AsType[*schema.Error](err)
	if wrong == nil {
		return ""
	}
	var b strings.Builder
	for _, p := range wrong.Problems {
		b.WriteString(p.Path + " ")
	}
	return b.String()
}

// What a shape takes is what a validator of others takes by the JSON Schema of the shape; and the shape that is read from
// that JSON Schema is the same again.
func TestAgreesWithJSONSchema(t *testing.T) {
	took, refused := 0, 0
	for seed := range uint64(600) {
		m := maker{rand.New(rand.NewPCG(seed, 1))}
		shape := m.shape(2)
		text := shape.JSONSchema()
		again, err := schema.FromJSONSchema(text)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if other := again.JSONSchema(); !bytes.Equal(other, text) {
			t.Fatalf("seed %d: the schema read again differs\n%s\n%s", seed, text, other)
		}
		var words map[string]any
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&words); err != nil {
			t.Fatal(err)
		}
		judge := compile(t, text)
		for range 8 {
			doc := m.fitting(words)
			body, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			it, err := shape.ParseJSON(body)
			var verdict error
			if value, bad := jsonschema.UnmarshalJSON(bytes.NewReader(body)); bad != nil {
				t.Fatal(bad)
			} else {
				verdict = judge.Validate(value)
			}
			if (err == nil) != (verdict == nil) {
				t.Fatalf("seed %d: ours says %v, the other one %v\nof %s\nby %s", seed, err, verdict, body, text)
			}
			other, err2 := again.ParseJSON(body)
			if placesOf(err2) != placesOf(err) || !attr.EqualItems(it, other) {
				t.Fatalf("seed %d: read again: %v, not %v\nof %s\nby %s", seed, err2, err, body, text)
			}
			if err != nil {
				refused++
				continue
			}
			took++
			if err := shape.Check(it); err != nil {
				t.Fatalf("seed %d: what was parsed is refused: %v\n%s", seed, err, body)
			}
			if parsed, err := shape.Parse(it); err != nil || !attr.EqualItems(parsed, it) {
				t.Fatalf("seed %d: parsed twice: %v", seed, err)
			}
		}
	}
	if took < 500 || refused < 500 {
		t.Errorf("%d documents were taken, %d refused: the test says little", took, refused)
	}
}
