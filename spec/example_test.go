package spec_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

func ExampleHolds() {
	c, err := spec.ParseCondition("quantity >= -$delta and not exists(closedAt)")
	if err != nil {
		fmt.Println(err)
		return
	}
	stock := attr.ItemOf(attr.Field{Name: "quantity", Value: attr.Num(attr.Int(7))})
	for _, delta := range []int64{-7, -8} {
		env := spec.Env{Now: time.Now(), Values: attr.ItemOf(attr.Field{Name: "delta", Value: attr.Num(attr.Int(delta))})}
		ok, err := spec.Holds(c, spec.On(stock), env)
		fmt.Println(delta, ok, err)
	}
	// Output:
	// -7 true <nil>
	// -8 false <nil>
}

func ExampleEval() {
	v, err := spec.ParseValue("now + 30 days")
	if err != nil {
		fmt.Println(err)
		return
	}
	env := spec.Env{Now: time.Date(2026, 11, 21, 9, 4, 0, 0, time.UTC)}
	expires, err := spec.Eval(v, spec.On(attr.Item{}), env)
	fmt.Println(expires.Str(), err)
	// Output: 2026-12-21T09:04:00.000Z <nil>
}

func ExampleParseCondition() {
	_, err := spec.ParseCondition("quantity + $delta >= 0")
	fmt.Println(err)
	// Output: arithmetic on the path `quantity` in a condition; compare the path itself: write `quantity >= -$delta`, not `quantity + $delta >= 0`
}

func ExampleScope() {
	order := &spec.Entity{Name: "Order", Attributes: []*spec.Attribute{
		{Name: "orderId", Type: spec.String},
		{Name: "kind", Type: spec.String, Enum: []string{"gift", "purchase"}},
	}}
	c, _ := spec.ParseCondition("kind = gift and orderId = $id")
	resolved, errs := spec.Scope{Entity: order, Reference: func(ref spec.Reference, like *spec.Attribute, _ int) *spec.Error {
		fmt.Println(ref, "must be like", like.Name)
		return nil
	}}.Condition(c)
	fmt.Println(resolved, errs)

	c, _ = spec.ParseCondition("knd = gift")
	_, errs = spec.Scope{Entity: order}.Condition(c)
	fmt.Println(errs[0])
	// Output:
	// $id must be like orderId
	// kind = 'gift' and orderId = $id []
	// Order has no knd; did you mean kind?
}
