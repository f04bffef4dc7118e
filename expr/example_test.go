package expr_test

import (
	"errors"
	"fmt"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

var order = attr.ItemOf(
	attr.Field{Name: "orderId", Value: attr.Text("o1")},
	attr.Field{Name: "status", Value: attr.Text("placed")},
	attr.Field{Name: "amount", Value: attr.Num(attr.Int(120))},
	attr.Field{Name: "tags", Value: attr.TextSet("gift", "new")},
	attr.Field{Name: "ship", Value: attr.Map(attr.ItemOf(attr.Field{Name: "city", Value: attr.Text("Oslo")}))},
)

func ExampleParseCondition() {
	s := expr.NewSubstitutions(
		map[string]string{"#s": "status"},
		map[string]attr.Value{":placed": attr.Text("placed"), ":max": attr.Num(attr.Int(1000))},
	)
	c, err := expr.ParseCondition("#s = :placed AND amount <= :max AND attribute_not_exists(invoice)", s)
	if err == nil {
		err = s.Unused()
	}
	fmt.Println(c.Eval(order), err)
	fmt.Println(c.Paths())
	// Output:
	// true <nil>
	// [status amount invoice]
}

func ExampleError() {
	_, err := expr.ParseFilter("status = :paid", nil)
	fmt.Println(err)
	var refused *expr.Error
	if errors.As(err, &refused) && refused.Rule == expr.RuleReserved {
		fmt.Println("write it as #status")
	}
	// Output:
	// Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: status
	// write it as #status
}

func ExampleParseUpdate() {
	s := expr.NewSubstitutions(
		map[string]string{"#s": "status"},
		map[string]attr.Value{":paid": attr.Text("paid"), ":fee": attr.Num(attr.Int(5)), ":gift": attr.TextSet("gift")},
	)
	u, err := expr.ParseUpdate("SET #s = :paid, amount = amount + :fee DELETE tags :gift", s)
	if err != nil {
		fmt.Println(err)
		return
	}
	after, written, err := u.Apply(order)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", attr.AppendItem(nil, expr.Pick(after, written)))
	// Output:
	// {"amount":{"N":"125"},"status":{"S":"paid"},"tags":{"SS":["new"]}}
}

func ExampleParseProjection() {
	p, err := expr.ParseProjection("orderId, ship.city, ship.street", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", attr.AppendItem(nil, p.Apply(order)))
	// Output:
	// {"orderId":{"S":"o1"},"ship":{"M":{"city":{"S":"Oslo"}}}}
}

// A global secondary index with two sort attributes: the first is fixed, the second has a range.
func ExampleParseKeyCondition() {
	byCustomer := expr.KeySchema{
		Hash:  []expr.KeyAttr{{Name: "customerId", Kind: attr.KindS}},
		Range: []expr.KeyAttr{{Name: "status", Kind: attr.KindS}, {Name: "placedAt", Kind: attr.KindN}},
		Index: "ByCustomer",
	}
	s := expr.NewSubstitutions(map[string]string{"#s": "status"}, map[string]attr.Value{
		":c": attr.Text("c1"), ":paid": attr.Text("paid"), ":since": attr.Num(attr.Int(1700000000)),
	})
	k, err := expr.ParseKeyCondition("customerId = :c AND placedAt >= :since AND #s = :paid", s, byCustomer)
	if err != nil {
		fmt.Println(err)
		return
	}
	last, _ := k.Range()
	fmt.Println(k.Hash(), k.Equal(), last.Attribute, last.Op, last.Low)

	_, err = expr.ParseKeyCondition("customerId = :c AND placedAt >= :since", s, byCustomer)
	fmt.Println(err)
	// Output:
	// [{"S":"c1"}] [{"S":"paid"}] placedAt >= {"N":"1700000000"}
	// RANGE key attributes status must have equality conditions specified in the query because a condition is present on key attribute placedAt
}

func ExamplePrinter() {
	status, stock := expr.Name("status"), expr.Name("stock")
	update := expr.NewUpdate(
		expr.Set(stock, expr.Minus(stock, expr.Literal(attr.Num(attr.Int(2))))),
		expr.Set(expr.Name("lines").Index(0).Field("picked"), expr.Literal(attr.Bool(true))),
	)
	condition := expr.And(
		expr.In(status, expr.Literal(attr.Text("placed")), expr.Literal(attr.Text("paid"))),
		expr.Or(expr.NotExists(expr.Name("hold")), expr.Less(expr.Size(expr.Name("hold")), expr.Literal(attr.Num(attr.Int(3))))),
	)
	var p expr.Printer
	text, err := p.AppendUpdate(nil, update)
	fmt.Printf("%s %v\n", text, err)
	text, err = p.AppendCondition(nil, condition)
	fmt.Printf("%s %v\n", text, err)
	fmt.Println(p.Names())
	fmt.Println(p.Values())
	// Output:
	// SET #0 = #0 - :0, #1[0].#2 = :1 <nil>
	// #3 IN (:2, :3) AND (attribute_not_exists(#4) OR size(#4) < :4) <nil>
	// [stock lines picked status hold]
	// [{"N":"2"} {"BOOL":true} {"S":"placed"} {"S":"paid"} {"N":"3"}]
}

// What String writes shows no values, and is not meant to be sent.
func ExampleCondition_String() {
	c := expr.Equal(expr.Name("ship").Field("zip code"), expr.Literal(attr.Text("0150")))
	fmt.Println(c)
	// Output:
	// ship.#"zip code" = :0
}

// A statement of PartiQL makes the trees that expressions make.
func ExampleParseStatement() {
	s, err := expr.ParseStatement(`UPDATE "Books" SET stock = stock - ? WHERE isbn = '978' AND stock >= ? RETURNING MODIFIED NEW *`,
		[]attr.Value{attr.Num(attr.Int(2)), attr.Num(attr.Int(2))})
	if err != nil {
		fmt.Println(err)
		return
	}
	key, rest, err := s.Where.Key([]string{"isbn"})
	fmt.Println(s.Verb, s.Table, s.Returning)
	fmt.Println(key.Get("isbn").Str(), rest, err)
	after, _, err := s.Update.Apply(attr.ItemOf(attr.Field{Name: "stock", Value: attr.Num(attr.Int(5))}))
	fmt.Println(after.Get("stock").Number(), err)
	// Output:
	// UPDATE Books RETURNING MODIFIED NEW *
	// 978 stock >= :0 <nil>
	// 3 <nil>
}

// Boxes tells which partitions a WHERE leads to.
func ExampleCondition_Boxes() {
	key := expr.KeySchema{Hash: []expr.KeyAttr{{Name: "customer", Kind: attr.KindS}}, Range: []expr.KeyAttr{{Name: "day", Kind: attr.KindN}}}
	for _, where := range []string{"customer IN ['c1', 'c2'] AND day > 7", "customer = 'c1' OR total > 9"} {
		s, err := expr.ParseStatement("SELECT * FROM Orders WHERE "+where, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		boxes, ok := s.Where.Boxes(key)
		fmt.Println(len(boxes), ok)
		for _, b := range boxes {
			fmt.Println(b.Hash[0].Str(), b.Range[0].Attribute, b.Range[0].Op, b.Range[0].Low.Number())
		}
	}
	// Output:
	// 2 true
	// c1 day > 7
	// c2 day > 7
	// 0 false
}
