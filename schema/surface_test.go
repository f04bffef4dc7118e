package schema_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/schema"
)

// TestBind binds a shape that a program learned as it ran; one that does not fit is an error, not a panic.
func TestBind(t *testing.T) {
	type point struct {
		X     int    `ddb:"x"`
		Color string `ddb:"color,omitzero"`
	}
	shape := schema.Object(schema.Required("x", schema.Number().From(attr.Int(3))), schema.Optional("color", schema.String().Default("red")))
	points, err := schema.Bind[point](shape)
	if err != nil {
		t.Fatal(err)
	}
	if err := points.Check(&point{X: 2}); err == nil || points.Check(&point{X: 3}) != nil || !strings.HasPrefix(err.Error(), "x: ") {
		t.Errorf("%v", err)
	}
	p := point{X: 3}
	if points.Default(&p); p.Color != "red" {
		t.Errorf("%+v", p)
	}
	if _, err := schema.Bind[point](schema.Object(schema.Required("x", schema.List(schema.String())))); err == nil {
		t.Error("a number was bound to a list")
	}
}

func TestNamesAndProblems(t *testing.T) {
	if got := schema.Name("ship.city").AttributeName(); got != "ship.city" {
		t.Error(got)
	}
	if got := (schema.Problem{Path: "lines[0].qty", Rule: schema.RuleRange, Text: "must be 1 or more"}).String(); got != "lines[0].qty: must be 1 or more" {
		t.Error(got)
	}
	if got := (schema.Problem{Text: "must be an object"}).String(); got != "must be an object" {
		t.Error(got)
	}
}
