package schema_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/schema"
)

// Order is a type of the application's.
type Order struct {
	ID     string      `ddb:"orderId" check:"pattern=^o[0-9]+$"`
	Status string      `ddb:"status,omitzero" check:"enum=placed|paid|shipped,default=placed"`
	Total  attr.Number `ddb:"total" check:"range=0..10000,decimals=2"`
	Lines  []Line      `ddb:"lines" check:"required,len=1..50"`
	Tags   []string    `ddb:"tags,set" check:"len=..10,each,len=1..40"`
	Note   *string     `ddb:"note" check:"len=..500"`
}

type Line struct {
	SKU string `ddb:"sku" check:"len=1..20"`
	Qty int    `ddb:"qty" check:"range=1..99"`
}

var orders = schema.Of[Order]()

// A value that breaks several rules: all are told, with their paths.
func ExampleOf() {
	err := orders.Check(&Order{
		ID:     "7",
		Status: "lost",
		Total:  attr.Dec("19.999"),
		Lines:  []Line{{"s1", 2}, {"", 100}},
	})
	var wrong *schema.Error
	if errors.As(err, &wrong) {
		for _, p := range wrong.Problems {
			fmt.Printf("%s: %s (%s)\n", p.Path, p.Text, p.Rule)
		}
	}
	// Output:
	// lines[1].qty: must be from 1 to 99 (range)
	// lines[1].sku: must have 1 to 20 characters (len)
	// orderId: must match ^o[0-9]+$ (pattern)
	// status: must be placed, paid or shipped (enum)
	// total: must have at most 2 decimals (decimals)
}

// The body of a request: plain JSON in, a T out, with its defaults.
func ExampleTyped_ParseJSON() {
	order, err := orders.ParseJSON([]byte(`{"orderId": "o7", "total": 19.90, "lines": [{"sku": "s1", "qty": 2}], "tags": ["new"]}`))
	fmt.Println(order.ID, order.Status, order.Total, order.Lines, order.Tags, err)
	_, err = orders.ParseJSON([]byte(`{"orderId": "o7", "total": "much", "lines": []}`))
	fmt.Println(err)
	// Output:
	// o7 placed 19.9 [{s1 2}] [new] <nil>
	// lines: must have 1 to 50 elements; total: must be a number
}

// OrderChange is what may be changed, and how: absent leaves, null removes.
type OrderChange struct {
	Note  attr.Opt[string] `ddb:"note"`
	Lines attr.Opt[[]Line] `ddb:"lines"`
}

// A shape cut down, and bound to another type.
func ExampleFor() {
	changes := schema.For[OrderChange](orders.Shape.Pick(schema.Name("note"), schema.Name("lines")).Partial().Closed())
	change, err := changes.ParseJSON([]byte(`{"note": null}`))
	fmt.Println(change.Note.State == attr.StateNull, change.Lines.State == attr.StateAbsent, err)
	_, err = changes.ParseJSON([]byte(`{"lines": null, "orderId": "o8"}`))
	fmt.Println(err)
	// Output:
	// true true <nil>
	// lines: must be a list; orderId: is not known here
}

// A shape built by hand, for items that have no Go type.
func ExampleObject() {
	event := schema.Object(
		schema.Required("kind", schema.String().Enum("click", "view")),
		schema.Required("n", schema.Number().Integer().Range(0, 1_000)),
		schema.Optional("tags", schema.SetOf(schema.String().Len(1, 40))),
		schema.Optional("where", schema.Object(schema.Required("city", schema.String()))),
	)
	fmt.Println(event.Check(attr.ItemOf(
		attr.Field{Name: "kind", Value: attr.Text("scroll")},
		attr.Field{Name: "where", Value: attr.Map(attr.Item{})},
	)))
	it, err := event.ParseJSON([]byte(`{"kind": "view", "n": 3, "tags": ["a", "b"]}`))
	fmt.Println(string(attr.AppendItem(nil, it)), err)
	// Output:
	// kind: must be click or view; n: must be there; where.city: must be there
	// {"kind":{"S":"view"},"n":{"N":"3"},"tags":{"SS":["a","b"]}} <nil>
}

// Article has an attribute that follows from another.
type Article struct {
	Title string `ddb:"title" check:"len=1..200"`
	Slug  string `ddb:"slug" check:"computed=MakeSlug:title"`
}

// MakeSlug is what the title looks like in an address.
func (a Article) MakeSlug() string { return strings.ReplaceAll(strings.ToLower(a.Title), " ", "-") }

// Computed attributes follow from others; nobody can send others.
func ExampleTyped_Complete() {
	articles := schema.Of[Article]()
	a := Article{Title: "Dawn of Tables"}
	fmt.Println(articles.Check(&a))
	articles.Complete(&a)
	fmt.Println(a.Slug, articles.Check(&a))
	// Output:
	// slug: must be what it is computed from
	// dawn-of-tables <nil>
}

// JSON Schema out: for forms, for documentation, for services in other languages.
func ExampleShape_JSONSchema() {
	fmt.Println(string(schema.Of[Line]().Shape.JSONSchema()))
	// Output:
	// {
	//   "$schema": "https://json-schema.org/draft/2020-12/schema",
	//   "title": "Line",
	//   "type": "object",
	//   "properties": {
	//     "qty": {
	//       "type": "integer",
	//       "minimum": 1,
	//       "maximum": 99
	//     },
	//     "sku": {
	//       "type": "string",
	//       "minLength": 1,
	//       "maxLength": 20
	//     }
	//   },
	//   "required": [
	//     "qty",
	//     "sku"
	//   ]
	// }
}

// JSON Schema in: what cannot be kept is refused by name.
func ExampleFromJSONSchema() {
	shape, err := schema.FromJSONSchema([]byte(`{
		"type": "object",
		"properties": {"name": {"type": "string", "maxLength": 5}, "size": {"type": ["integer", "null"]}},
		"required": ["name"]
	}`))
	fmt.Println(shape.Names(), err)
	_, err = shape.ParseJSON([]byte(`{"name": "Wagner", "size": null}`))
	fmt.Println(err)
	_, err = schema.FromJSONSchema([]byte(`{"type": "object", "properties": {"a": {"type": "string", "not": {"const": "x"}}}}`))
	fmt.Println(err)
	// Output:
	// [name size] <nil>
	// name: must have at most 5 characters
	// schema: #/properties/a/not: the keyword cannot be kept here
}
