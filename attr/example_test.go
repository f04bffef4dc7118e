package attr_test

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/tablewright/tablewright/attr"
)

func Example() {
	it := attr.ItemOf(
		attr.Field{Name: "lines", Value: attr.List(attr.Text("a"), attr.Num(attr.Dec("19.90")))},
		attr.Field{Name: "id", Value: attr.Text("o1")},
	)
	fmt.Println(string(attr.AppendItem(nil, it)))
	fmt.Println(it.Size(), "bytes")
	for name, v := range it.All() {
		fmt.Println(name, v.Kind())
	}
	// Output:
	// {"id":{"S":"o1"},"lines":{"L":[{"S":"a"},{"N":"19.9"}]}}
	// 18 bytes
	// id S
	// lines L
}

type Order struct {
	ID       string         `ddb:"orderId"`
	PlacedAt time.Time      `ddb:"placedAt,iso"`
	Draft    time.Time      `ddb:"draftUntil,epoch-s,omitzero"`
	Tags     []string       `ddb:"tags,set"`
	Total    attr.Number    `ddb:"total"`
	Ship     *Address       `ddb:"ship"`
	Extra    map[string]any `ddb:"extra"`
	Version  int            `ddb:"version,version"`
	Rest     attr.Item      `ddb:",rest"`
}

type Address struct {
	City string `ddb:"city"`
}

func ExampleEncode() {
	order := Order{
		ID: "o1", PlacedAt: time.Date(2026, 11, 21, 9, 4, 0, 0, time.UTC), Tags: []string{"web", "gift"},
		Total: attr.Dec("44.80"), Ship: &Address{City: "Oslo"},
	}
	text, err := attr.Encode(nil, &order)
	fmt.Println(string(text), err)
	// Output:
	// {"orderId":{"S":"o1"},"placedAt":{"S":"2026-11-21T09:04:00.000Z"},"ship":{"M":{"city":{"S":"Oslo"}}},"tags":{"SS":["gift","web"]},"total":{"N":"44.8"},"version":{"N":"0"}} <nil>
}

func ExampleDecode() {
	var order Order
	err := attr.Decode([]byte(`{"PK":{"S":"o#1"},"orderId":{"S":"o1"},"draftUntil":{"N":"1795255440"},"total":{"N":"44.8"}}`), &order)
	fmt.Println(order.ID, order.Draft, order.Total, order.Rest, err)

	err = attr.Decode([]byte(`{"ship":{"M":{"city":{"N":"5"}}}}`), &order)
	fmt.Println(err)
	// Output:
	// o1 2026-11-21 10:04:00 +0000 UTC 44.8 {"PK":{"S":"o#1"}} <nil>
	// attr: ship.city: type N does not go into string
}

func ExampleNumber() {
	a := attr.Dec("0.1")
	b, err := a.Add(attr.Dec("2e-1"))
	fmt.Println(b, b == attr.Dec("0.3"), err)

	_, err = attr.ParseNumber("1e126")
	fmt.Println(errors.Is(err, attr.ErrNumberOverflow))
	// Output:
	// 0.3 true <nil>
	// true
}

func ExampleParseValue() {
	for _, text := range []string{`{"N":"1.50"}`, `{"N":1}`, `{"SS":[]}`} {
		v, err := attr.ParseValue([]byte(text))
		switch err := err.(type) {
		case nil:
			fmt.Println(v)
		case *attr.TypeError:
			fmt.Println("SerializationException:", err.Message)
		case *attr.ValueError:
			fmt.Println("ValidationException:", err.Message)
		}
	}
	// Output:
	// {"N":"1.5"}
	// SerializationException: NUMBER_VALUE cannot be converted to String
	// ValidationException: One or more parameter values were invalid: An string set  may not be empty
}

func ExampleDecoder() {
	d := attr.NewDecoder([]byte(`{"TableName":"Shop","Key":{"PK":{"S":"o#1"}},"ConsistentRead":true,"New":[1,2]}`))
	for key := range d.Fields("GetItemInput") {
		switch string(key) {
		case "TableName":
			fmt.Println("table", d.Text())
		case "Key":
			it, err := d.Item()
			fmt.Println("key", it, err)
		case "ConsistentRead":
			fmt.Println("consistent", d.Bool())
		} // New is passed over
	}
	fmt.Println(d.End())
	// Output:
	// table Shop
	// key {"PK":{"S":"o#1"}} <nil>
	// consistent true
	// <nil>
}

func ExampleLookup() {
	item := []byte(`{"PK":{"S":"o#1"},"lines":{"L":[{"S":"a"}]},"total":{"N":"44.8"}}`)
	v, ok := attr.Lookup(item, "total")
	fmt.Println(v, ok)
	// Output: {"N":"44.8"} true
}

func ExampleAppendKey() {
	key := attr.AppendKey(nil, attr.Text("c-1843"))
	key = attr.AppendKey(key, attr.Num(attr.Int(-5)))
	for len(key) > 0 {
		v, rest, err := attr.DecodeKey(key)
		fmt.Println(v, err)
		key = rest
	}
	// Output:
	// {"S":"c-1843"} <nil>
	// {"N":"-5"} <nil>
}

// Celsius is stored as a number with a unit in the attribute's value.
type Celsius float64

func (c Celsius) MarshalValue() (attr.Value, error) {
	return attr.Text(fmt.Sprintf("%.1f °C", float64(c))), nil
}

func (c *Celsius) UnmarshalValue(v attr.Value) error {
	_, err := fmt.Sscanf(v.Str(), "%f °C", (*float64)(c))
	return err
}

func ExampleMarshaler() {
	v, err := attr.Marshal([]Celsius{21.5})
	fmt.Println(v, err)
	var back []Celsius
	err = attr.Unmarshal(v, &back)
	fmt.Println(back, err)
	// Output:
	// {"L":[{"S":"21.5 °C"}]} <nil>
	// [21.5] <nil>
}

func ExampleOpt() {
	type Change struct {
		Note attr.Opt[string] `ddb:"note"`
		Ship attr.Opt[string] `ddb:"ship"`
		Mark attr.Opt[string] `ddb:"mark"`
	}
	text, err := attr.Encode(nil, &Change{Note: attr.Some(""), Ship: attr.None[string]()})
	fmt.Println(string(text), err)
	// Output: {"note":{"S":""},"ship":{"NULL":true}} <nil>
}

func ExampleFields() {
	fields, err := attr.Fields(reflect.TypeFor[Order]())
	for _, f := range fields {
		if f.Role == attr.RoleVersion || f.Kind == attr.KindN {
			fmt.Println(f.Go, f.Name, f.Kind, f.Role == attr.RoleVersion)
		}
	}
	fmt.Println(err)
	// Output:
	// Draft draftUntil N false
	// Total total N false
	// Version version N true
	// <nil>
}

func ExampleCodecOf() {
	fields, _ := attr.Fields(reflect.TypeFor[Order]())
	for _, f := range fields {
		if f.Name == "draftUntil" { // a time, stored as seconds
			codec, err := attr.CodecOf[time.Time](f)
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println(codec.Value(time.Date(2026, 11, 21, 10, 4, 0, 0, time.UTC)))
		}
	}
	// Output: {"N":"1795255440"} <nil>
}
