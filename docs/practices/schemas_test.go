package practices

import (
	"errors"
	"fmt"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/schema"
)

type Invoice struct {
	No     string        `ddb:"no" check:"pattern=^R-[0-9]+$"`
	Lines  []InvoiceLine `ddb:"lines" check:"len=1..100"`
	Status string        `ddb:"status,omitzero" check:"enum=open|paid|void,default=open"`
	Total  attr.Number   `ddb:"total" check:"computed=Sum:lines"`
	Tags   []string      `ddb:"tags,set" check:"len=..5,each,len=1..20"`
}

type InvoiceLine struct {
	Text  string      `ddb:"text" check:"len=1..200"`
	Price attr.Number `ddb:"price" check:"range=0..1000000,decimals=2"`
}

// Sum is what Total follows from.
func (i Invoice) Sum() (sum attr.Number) {
	for _, l := range i.Lines {
		sum, _ = sum.Add(l.Price)
	}
	return sum
}

var InvoicesTable = tablewright.NewTable(plan.Table{Name: "Invoices", Key: plan.Key{Partition: "no"}})

var Invoices = tablewright.Declare[tablewright.Entity[string, Invoice]](InvoicesTable, plan.Item{Name: "Invoice"})

func Example_schemas() {
	ctx, db := open(InvoicesTable)
	i, err := Invoices.Create(Invoice{No: "R-1", Lines: []InvoiceLine{{"work", attr.Dec("80.50")}, {"tax", attr.Dec("15.30")}}}).New(ctx, db)
	fmt.Println(i.Total, i.Status, err)

	err = Invoices.Create(Invoice{No: "1", Lines: []InvoiceLine{{"", attr.Dec("1.005")}}, Status: "lost"}).Run(ctx, db)
	var wrong *schema.Error
	if errors.As(err, &wrong) {
		for _, p := range wrong.Problems {
			fmt.Println(p)
		}
	}
	// Output:
	// 95.8 open <nil>
	// lines[0].price: must have at most 2 decimals
	// lines[0].text: must have 1 to 200 characters
	// no: must match ^R-[0-9]+$
	// status: must be open, paid or void
}

// newInvoice is what may come from outside: no total, no status.
var newInvoice = schema.Of[Invoice]().Shape.Omit(schema.Name("total"), schema.Name("status"))

func Example_shapes() {
	item, err := newInvoice.ParseJSON([]byte(`{"no": "R-2", "lines": [{"text": "work", "price": 80.5}]}`))
	fmt.Println(item.Len(), err)
	_, err = newInvoice.ParseJSON([]byte(`{"no": "R-2", "lines": []}`))
	fmt.Println(err)

	event := schema.Object(
		schema.Required("kind", schema.String().Enum("click", "view")),
		schema.Optional("tags", schema.SetOf(schema.String().Len(1, 40))),
	)
	fmt.Println(event.Check(attr.ItemOf(attr.Field{Name: "kind", Value: attr.Text("sniff")})))
	fmt.Println(string(event.JSONSchema()))
	// Output:
	// 2 <nil>
	// lines: must have 1 to 100 elements
	// kind: must be click or view
	// {
	//   "$schema": "https://json-schema.org/draft/2020-12/schema",
	//   "type": "object",
	//   "properties": {
	//     "kind": {
	//       "type": "string",
	//       "enum": [
	//         "click",
	//         "view"
	//       ]
	//     },
	//     "tags": {
	//       "type": "array",
	//       "uniqueItems": true,
	//       "items": {
	//         "type": "string",
	//         "minLength": 1,
	//         "maxLength": 40
	//       }
	//     }
	//   },
	//   "required": [
	//     "kind"
	//   ]
	// }
}
