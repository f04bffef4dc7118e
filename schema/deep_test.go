package schema_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/schema"
)

type comment struct {
	Text    string              `ddb:"text" check:"len=1..80"`
	Likes   int                 `ddb:"likes,omitzero" check:"default=1"`
	Answers []comment           `ddb:"answers,omitzero"`
	Best    *comment            `ddb:"best,omitzero"`
	ByName  map[string]*comment `ddb:"byName,omitzero"`
}

type (
	lists []lists
	maps  map[string]maps
	left  struct {
		Right *right `ddb:"right,omitzero"`
	}
	right struct {
		Left *left  `ddb:"left,omitzero"`
		Name string `ddb:"name" check:"len=2.."`
	}
	endless struct {
		L lists `ddb:"l,omitzero"`
		M maps  `ddb:"m,omitzero"`
	}
)

// chain is a comment with so many in it, one in another; the innermost has no text, which is wrong.
func chain(n int) *comment {
	c := &comment{}
	for range n {
		c = &comment{Text: "t", Best: c}
	}
	return c
}

// within fails the test if f takes long: what is deep may not be slow.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s: no end after 20 s", what)
	}
}

// Types may contain themselves, directly, in lists and maps, and each other.
func TestRecursiveTypes(t *testing.T) {
	comments := schema.Of[comment]()
	good := comment{Text: "a", Answers: []comment{{Text: "b", ByName: map[string]*comment{"c": {Text: "c"}}}}, Best: &comment{Text: "d"}}
	if err := comments.Prepare(&good); err != nil || good.Answers[0].ByName["c"].Likes != 1 || good.Best.Likes != 1 {
		t.Errorf("%+v: %v", good, err)
	}
	bad := comment{Text: "a", Answers: []comment{{Text: "b", ByName: map[string]*comment{"c": {Text: ""}}}}, Best: &comment{}}
	err := comments.Check(&bad)
	for _, path := range []string{"answers[0].byName.c.text", "best.text"} {
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s is not told: %v", path, err)
		}
	}
	if err := schema.Of[left]().Check(&left{&right{&left{&right{Name: "x"}}, "ab"}}); err == nil || !strings.Contains(err.Error(), "right.left.right.name") {
		t.Error(err)
	}
	for _, text := range []string{string(comments.Shape.JSONSchema()), string(schema.Of[left]().Shape.JSONSchema())} {
		back, err := schema.FromJSONSchema([]byte(text))
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if again := string(back.JSONSchema()); again != text {
			t.Errorf("a recursive schema comes back as\n%s\nof\n%s", again, text)
		}
	}
	// Derived shapes of one that contains itself.
	if err := comments.Shape.Partial().Check(attr.ItemOf(attr.Field{Name: "best", Value: attr.Map(attr.ItemOf(attr.Field{Name: "text", Value: attr.Text("x")}))})); err != nil {
		t.Errorf("partial: %v", err)
	}
	more := comments.Shape.Extend(schema.Optional("at", schema.Time()))
	if err := more.Check(attr.ItemOf(attr.Field{Name: "text", Value: attr.Text("x")}, attr.Field{Name: "at", Value: attr.Num(attr.Int(1))})); err == nil {
		t.Error("extended: a wrong time")
	}
}

// Types without an end of their own: lists of lists of …, maps of maps of ….
func TestEndlessTypes(t *testing.T) {
	within(t, "declaring", func() {
		s := schema.Of[endless]()
		if err := s.Check(&endless{L: lists{lists{lists{}}}, M: maps{"a": maps{"b": nil}}}); err != nil {
			t.Error(err)
		}
		if text := s.Shape.JSONSchema(); len(text) > 1<<20 {
			t.Errorf("a JSON Schema of %d bytes", len(text))
		}
	})
}

// Values as deep as DynamoDB has them are checked to their bottom; deeper ones, and those that lead in circles, are an error
// and not an overflow (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html: 32 levels).
func TestDeepValues(t *testing.T) {
	comments := schema.Of[comment]()
	var wrong *schema.Error
	if err := comments.Check(chain(attr.MaxDepth - 1)); !errors.As(err, &wrong) || len(wrong.Problems) != 1 ||
		wrong.Problems[0].Path != strings.Repeat("best.", attr.MaxDepth-1)+"text" {
		t.Errorf("the deepest possible: %v", err)
	}
	circle := &comment{Text: "a"}
	circle.Best = circle
	for name, c := range map[string]*comment{"33 levels": chain(attr.MaxDepth + 1), "a million": chain(1_000_000), "a circle": circle} {
		within(t, name, func() {
			v := *c
			if err := comments.Prepare(&v); !errors.As(err, &wrong) {
				t.Errorf("%s: %v", name, err)
			}
			if err := comments.Check(c); !errors.As(err, &wrong) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// The same of text from outside, which is as deep as somebody likes.
func TestDeepText(t *testing.T) {
	comments := schema.Of[comment]()
	const n = 200_000
	for name, text := range map[string]string{
		"objects": strings.Repeat(`{"text":"t","best":`, n) + `{"text":"t"}` + strings.Repeat("}", n),
		"lists":   `{"text":"t","answers":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}",
		"unknown": `{"text":"t","other":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}",
		"no end":  strings.Repeat(`{"best":`, n),
	} {
		within(t, name, func() {
			if _, err := comments.ParseJSON([]byte(text)); err == nil {
				t.Errorf("%s: no error", name)
			}
		})
	}
	for name, text := range map[string]string{
		"properties": strings.Repeat(`{"type":"object","properties":{"a":`, n) + `{"type":"string"}` + strings.Repeat("}}", n),
		"items":      `{"type":"object","properties":{"a":` + strings.Repeat(`{"type":"array","items":`, n) + `{"type":"string"}` + strings.Repeat("}", n) + "}}",
		"circle":     `{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}}}`,
		"itself":     `{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/x"}}}`,
	} {
		within(t, name, func() {
			if _, err := schema.FromJSONSchema([]byte(text)); err == nil {
				t.Errorf("a JSON Schema, %s: no error", name)
			}
		})
	}
}
