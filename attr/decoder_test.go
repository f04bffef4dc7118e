package attr_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/norace"
)

// query is read as a request would be: known members by type, unknown ones passed over.
type query struct {
	table   string
	limit   *int
	strong  bool
	names   map[string]string
	start   attr.Item
	columns []string
	raw     string
	units   float64
	token   int64
	invalid error
}

func readQuery(text string) (q query, err error) {
	d := attr.NewDecoder([]byte(text))
	for key := range d.Fields("QueryInput") {
		switch string(key) {
		case "TableName":
			q.table = d.Text()
		case "Limit":
			if !d.Null() {
				n := d.Int()
				q.limit = &n
			}
		case "ConsistentRead":
			q.strong = d.Bool()
		case "ExpressionAttributeNames":
			for name := range d.Entries("java.lang.String") {
				if q.names == nil {
					q.names = map[string]string{}
				}
				n := string(name)
				q.names[n] = d.Text()
			}
		case "ExclusiveStartKey":
			q.start, q.invalid = d.Item()
		case "AttributesToGet":
			for range d.Elems() {
				q.columns = append(q.columns, d.Text())
			}
		case "Raw":
			q.raw = string(d.Raw())
		case "Units":
			q.units = d.Float()
		case "Token":
			q.token = d.Long()
		}
	}
	return q, d.End()
}

func TestDecoder(t *testing.T) {
	q, err := readQuery(` { "TableName" : "T\u0061" , "Limit" : 5 , "ConsistentRead" : true ,
		"ExpressionAttributeNames" : { "#n" : "name", "#\"" : "\t" } , "ExclusiveStartKey" : { "pk" : { "S" : "a" } },
		"AttributesToGet" : [ "x" , "y" ], "Unknown" : { "a" : [ 1 , { } , [ ] , null , false ] }, "Raw" : { "a" : [ 1 ] } , "Units" : 0.5, "Token": 9007199254740993 } `)
	n := 5
	want := query{table: "Ta", limit: &n, strong: true, names: map[string]string{"#n": "name", `#"`: "\t"},
		start: attr.ItemOf(attr.Field{Name: "pk", Value: attr.Text("a")}), columns: []string{"x", "y"}, raw: `{ "a" : [ 1 ] }`, units: 0.5, token: 9007199254740993}
	if err != nil || !reflect.DeepEqual(q, want) {
		t.Errorf("%+v %v", q, err)
	}
	q, err = readQuery(`{"TableName":null,"Limit":null,"ConsistentRead":null,"ExpressionAttributeNames":null,"ExclusiveStartKey":null,"AttributesToGet":null,"Units":null,"Token":null}`)
	if err != nil || q.limit != nil || !reflect.DeepEqual(q, query{}) {
		t.Errorf("nulls: %+v %v", q, err)
	}
	// A content error does not end reading, and a form error behind it wins.
	q, err = readQuery(`{"ExclusiveStartKey":{"a":{"N":"x"},"b":{"S":"y"}},"Limit":7}`)
	if err != nil || q.limit == nil || outcome(attr.Value{}, q.invalid) != "value: The parameter cannot be converted to a numeric value: x" {
		t.Errorf("%+v %v", q, err)
	}
	q, err = readQuery(`{"ExclusiveStartKey":{"a":{"N":"x"},"b":{"S":1}}}`)
	if err == nil || err.Error() != "NUMBER_VALUE cannot be converted to String (at offset 45)" || q.invalid != err {
		t.Errorf("%+v %v", q, err)
	}
}

func TestDecoderMismatches(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                                       "type: Unrecognized collection type class com.amazonaws.dynamodb.v20120810.QueryInput",
		`"x"`:                                      "type: Unexpected field type",
		`{"TableName":5}`:                          "type: NUMBER_VALUE cannot be converted to String",
		`{"TableName":5.5}`:                        "type: DECIMAL_VALUE cannot be converted to String",
		`{"TableName":["x"]}`:                      "type: Unrecognized collection type class java.lang.String",
		`{"TableName":{}}`:                         "type: Start of structure or map found where not expected",
		`{"Limit":"5"}`:                            "type: STRING_VALUE cannot be converted to Integer",
		`{"Limit":true}`:                           "type: TRUE_VALUE cannot be converted to Integer",
		`{"Limit":5.5}`:                            "type: DECIMAL_VALUE cannot be converted to Integer",
		`{"Limit":5000000000}`:                     "type: NUMBER_VALUE cannot be converted to Integer",
		`{"Token":"5"}`:                            "type: STRING_VALUE cannot be converted to Long",
		`{"Units":"5"}`:                            "type: STRING_VALUE cannot be converted to Double",
		`{"Units":1e999}`:                          "type: NUMBER_VALUE cannot be converted to Double",
		`{"ConsistentRead":"true"}`:                "type: Unexpected token received from parser",
		`{"ConsistentRead":0}`:                     "type: NUMBER_VALUE cannot be converted to Boolean",
		`{"ExpressionAttributeNames":[]}`:          "type: Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>",
		`{"ExpressionAttributeNames":"x"}`:         "type: Unexpected field type",
		`{"ExpressionAttributeNames":{"#n":1}}`:    "type: NUMBER_VALUE cannot be converted to String",
		`{"ExclusiveStartKey":[]}`:                 "type: Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>",
		`{"ExclusiveStartKey":5}`:                  "type: Unexpected field type",
		`{"ExclusiveStartKey":{"pk":"a"}}`:         "type: Unexpected value type in payload",
		`{"AttributesToGet":"x"}`:                  "type: Unexpected field type",
		`{"AttributesToGet":{}}`:                   "type: Start of structure or map found where not expected",
		`{"AttributesToGet":[["x"]]}`:              "type: Unrecognized collection type class java.lang.String",
		`{"Limit":"5","TableName":7}`:              "type: STRING_VALUE cannot be converted to Integer",
		`{"Limit":"5"`:                             "syntax",
		`{"Limit":"5","Unknown":nul}`:              "syntax",
		`{"Limit":"5"} {}`:                         "syntax",
		``:                                         "syntax",
		`{"Limit":}`:                               "syntax",
		`{"Limit" 5}`:                              "syntax",
		`{"TableName":"x" "Limit":5}`:              "syntax",
		`{"AttributesToGet":["x" "y"]}`:            "syntax",
		`{"AttributesToGet":["x",]}`:               "syntax",
		"{\"TableName\":\"x\"}\x00":                "syntax",
		`{"Unknown":` + strings.Repeat("[", 20000): "syntax",
	} {
		_, err := readQuery(text)
		if got := outcome(attr.Value{}, err); got != want {
			t.Errorf("%.60s: %s, want %s", text, got, want)
		}
	}
}

func TestDecoderNext(t *testing.T) {
	for text, want := range map[string]attr.JSONType{
		"": attr.NoJSON, " ": attr.NoJSON, "x": attr.NoJSON, "null": attr.JSONNull, "true": attr.JSONTrue, "false": attr.JSONFalse,
		"-1": attr.JSONInteger, "1.0": attr.JSONDecimal, "1e5": attr.JSONDecimal, `"`: attr.JSONString, "[": attr.JSONArray, " {": attr.JSONObject,
	} {
		if got := attr.NewDecoder([]byte(text)).Next(); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestDecoderSticks(t *testing.T) {
	d := attr.NewDecoder([]byte(`{"a":1,"b":{"c":[1,2]}}`))
	for key := range d.Fields("X") {
		if string(key) == "a" {
			_ = d.Text()
		} else {
			t.Errorf("went on to %s", key)
		}
	}
	first := d.Err()
	if _, ok := errors.AsType[*attr.TypeError](first); !ok {
		t.Fatal(first)
	}
	for range d.Elems() {
		t.Error("elements after an error")
	}
	d.Skip()
	if d.Text() != "" || d.Bool() || d.Int() != 0 || d.Float() != 0 || d.Raw() != nil || d.Null() || d.Next() != attr.NoJSON {
		t.Error("something was read after an error")
	}
	if _, err := d.Value(); err != first {
		t.Error(err)
	}
	if d.End() != first {
		t.Error(d.End())
	}
	d.Reset([]byte(`"again"`))
	if d.Text() != "again" || d.End() != nil {
		t.Error("reset did not help")
	}
}

func TestDecoderOffset(t *testing.T) {
	d := attr.NewDecoder([]byte(`  [ 1 , "x" ] `))
	var at []int
	at = append(at, d.Offset())
	for range d.Elems() {
		at = append(at, d.Offset())
		d.Skip()
	}
	if got := fmt.Sprint(at); got != "[2 4 8]" || d.End() != nil {
		t.Errorf("%s %v", got, d.End())
	}
}

func TestDecoderAllocations(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	text := []byte(`{"TableName":"Shop","Limit":5,"ConsistentRead":true,"Key":{"pk":{"S":"a"},"sk":{"S":"b"}},"Unknown":[1,2,{"a":"b"}]}`)
	var d attr.Decoder
	var table string
	var key attr.Item
	read := func() {
		d.Reset(text)
		for name := range d.Fields("GetItemInput") {
			switch string(name) {
			case "TableName":
				table = d.Text()
			case "Limit":
				d.Int()
			case "Key":
				key, _ = d.Item()
			}
		}
	}
	// the table's name, the key's texts, its two attributes
	if n := testing.AllocsPerRun(100, read); n > 3 || d.Err() != nil || table != "Shop" || key.Len() != 2 {
		t.Errorf("%v allocations, %v", n, d.Err())
	}
}
