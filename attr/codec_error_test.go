package attr_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
)

func TestCodecDecodeErrors(t *testing.T) {
	type all struct {
		Int   int8              `ddb:"int"`
		Uint  uint              `ddb:"uint"`
		F32   float32           `ddb:"f32"`
		Bool  bool              `ddb:"bool"`
		Text  string            `ddb:"text"`
		Time  time.Time         `ddb:"time"`
		Epoch time.Time         `ddb:"epoch,epoch-s"`
		Big   *big.Int          `ddb:"big"`
		Bytes [2]byte           `ddb:"bytes"`
		Pair  [2]int            `ddb:"pair"`
		Lines []line            `ddb:"lines"`
		By    map[string][]line `ddb:"by"`
		Keys  map[int]string    `ddb:"keys"`
		Temp  celsius           `ddb:"temp"`
		Level level             `ddb:"level"`
		Set   []int             `ddb:"set,set"`
		Face  fmt.Stringer      `ddb:"face"`
		Opt   attr.Opt[address] `ddb:"opt"`
	}
	for _, c := range []struct{ attribute, path, says string }{
		{`"int":{"S":"5"}`, "int", "type S does not go into int8"},
		{`"int":{"N":"128"}`, "int", "does not fit into int8"},
		{`"int":{"N":"1.5"}`, "int", "does not fit into int8"},
		{`"uint":{"N":"-1"}`, "uint", "does not fit into uint"},
		{`"f32":{"N":"1E100"}`, "f32", "does not fit into float32"},
		{`"bool":{"N":"1"}`, "bool", "type N"},
		{`"text":{"N":"1"}`, "text", "type N does not go into string"},
		{`"text":{"M":{}}`, "text", "type M does not go into string"},
		{`"time":{"S":"yesterday"}`, "time", "no time"},
		{`"time":{"N":"5"}`, "time", "type N"},
		{`"epoch":{"S":"2026-05-17T12:00:00Z"}`, "epoch", "type S"},
		{`"epoch":{"N":"1.5"}`, "epoch", "does not fit"},
		{`"big":{"N":"1.5"}`, "big", "does not fit into big.Int"},
		{`"bytes":{"B":"AAEC"}`, "bytes", "3 bytes"},
		{`"pair":{"L":[{"N":"1"},{"N":"1"},{"N":"1"}]}`, "pair", "3 elements"},
		{`"lines":{"M":{}}`, "lines", "type M does not go into []attr_test.line"},
		{`"lines":{"L":[{"M":{}},{"M":{"qty":{"S":"x"}}}]}`, "lines[1].qty", "type S does not go into int"},
		{`"by":{"M":{"x":{"L":[{"M":{"price":{"BOOL":true}}}]}}}`, "by.x[0].price", "type BOOL"},
		{`"by":{"L":[]}`, "by", "type L"},
		{`"keys":{"M":{"x":{"S":""}}}`, "keys.x", "the name does not go into int"},
		{`"temp":{"N":"1"}`, "temp", "no temperature"},
		{`"level":{"S":"x"}`, "level", "not stars"},
		{`"set":{"SS":["x"]}`, "set", "type SS does not go into []int"},
		{`"set":{"L":[{"S":"x"}]}`, "set[0]", "type S"},
		{`"face":{"S":"x"}`, "face", "type S does not go into fmt.Stringer"},
		{`"opt":{"M":{"city":{"N":"1"}}}`, "opt.city", "type N"},
		{`"text":{}`, "text", "a value without a type"},
		{`"lines":{"L":[{"M":{},"S":"x"}]}`, "lines[0]", "more than one type"},
		{`"by":{"M":{"x":{"L":[],"L":[]}}}`, "by.x", "more than one type"},
		{`"lines":{"L":[{"M":{"price":{"N":"x"}}}]}`, "lines[0].price", "a number that is malformed"},
	} {
		text := `[{"before":{"S":""},` + c.attribute + `,"zz":{"S":""}},{"int":{"N":"7"}}]`
		// From a longer text: reading goes on behind the item.
		d := attr.NewDecoder([]byte(text))
		for i := range d.Elems() {
			var v all
			err := attr.DecodeFrom(d, &v)
			if i == 1 {
				if err != nil || v.Int != 7 {
					t.Errorf("%s: the next item: %v %v", c.attribute, v.Int, err)
				}
				continue
			}
			f, ok := errors.AsType[*attr.FieldError](err)
			if !ok || f.Path != c.path || !strings.Contains(f.Error(), c.says) {
				t.Errorf("%s: %v, want %s: %s", c.attribute, err, c.path, c.says)
			}
		}
		if err := d.End(); err != nil {
			t.Errorf("%s: %v", c.attribute, err)
		}
		if it, err := attr.ParseItem([]byte("{" + c.attribute + "}")); err == nil && !strings.Contains(c.attribute, `"L":[],"L"`) {
			var v all
			err := attr.UnmarshalItem(it, &v)
			f, ok := errors.AsType[*attr.FieldError](err)
			if !ok || f.Path != c.path || !strings.Contains(f.Error(), c.says) {
				t.Errorf("item %s: %v, want %s: %s", c.attribute, err, c.path, c.says)
			}
		}
	}
	var v all
	for text, want := range map[string]string{
		`{"text":{"S":"a"}`:                       "syntax",
		`{"text":{"S":"a"}}x`:                     "syntax",
		`{"int":{"S":"a"},"text":{"S":}}`:         "syntax",
		`{"int":{"N":"500"},"text":{"S":1}}`:      "field", // what comes behind the first error is skipped
		`{"lines":{"L":[{"M":{"qty":{"N":1}}}]}}`: "type: NUMBER_VALUE cannot be converted to String",
		`{"lines":[]}`:                            "type: Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue",
		`[]`:                                      "type: Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>",
		`{"unknown":{"S":1e}}`:                    "syntax",
	} {
		err := attr.Decode([]byte(text), &v)
		if _, ok := errors.AsType[*attr.FieldError](err); ok && want == "field" {
			continue
		}
		if got := outcome(attr.Value{}, err); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestCodecEncodeErrors(t *testing.T) {
	type inner struct {
		F any `ddb:"f"`
	}
	type outer struct {
		L []inner        `ddb:"l"`
		M map[string]any `ddb:"m"`
	}
	for _, c := range []struct {
		v          outer
		path, says string
	}{
		{outer{L: []inner{{}, {math.NaN()}}}, "l[1].f", "numeric value"},
		{outer{L: []inner{{1e200}}}, "l[0].f", "overflow"},
		{outer{M: map[string]any{"x": time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}}, "m.x", "four digits"},
		{outer{M: map[string]any{"x": json.Number("")}}, "m.x", "numeric value"},
		{outer{M: map[string]any{"x": func() {}}}, "m.x", "has no attribute type"},
	} {
		text, err := attr.Encode([]byte("kept"), &c.v)
		f, ok := errors.AsType[*attr.FieldError](err)
		if !ok || f.Path != c.path || !strings.Contains(err.Error(), c.says) || string(text) != "kept" {
			t.Errorf("%s %v, want %s: %s", text, err, c.path, c.says)
		}
		if _, err := attr.MarshalItem(&c.v); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("as item: %v", err)
		}
	}
}

func TestPlanErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		says string
	}{
		{second(attr.Marshal(struct{ F func() }{})), "func() has no attribute type"},
		{second(attr.Marshal(struct{ C []chan int }{})), "chan int"},
		{second(attr.Marshal(complex(1, 2))), "complex128"},
		{second(attr.Marshal(map[float64]int{})), "keys of a map"},
		{second(attr.Marshal(struct {
			A string `ddb:"x"`
			B string `ddb:"x"`
		}{})), `attribute "x" is that of field B too`},
		{second(attr.Marshal(struct {
			A string `ddb:"a,omitempty"`
		}{})), `no option "omitempty"`},
		{second(attr.Marshal(struct {
			A string `ddb:"a,epoch-s"`
		}{})), "time.Time"},
		{second(attr.Marshal(struct {
			A string `ddb:"a,set"`
		}{})), "a set is a slice"},
		{second(attr.Marshal(struct {
			A []bool `ddb:"a,set"`
		}{})), "sets are of texts"},
		{second(attr.Marshal(struct {
			A map[string]int `ddb:"a,set"`
		}{})), "struct{} or bool"},
		{second(attr.Marshal(struct {
			A []int `dynamodbav:"a,stringset"`
		}{})), "sets are of texts"},
		{second(attr.Marshal(struct {
			A string `ddb:"a,version"`
		}{})), "a version is an integer"},
		{second(attr.Marshal(struct {
			A string `ddb:"a,created"`
		}{})), "created and updated"},
		{second(attr.Marshal(struct {
			A map[string]string `ddb:"a,rest"`
		}{})), "rest is for attr.Item"},
		{second(attr.Marshal(struct {
			A, B attr.Item `ddb:",rest"`
		}{})), "a second field"},
		{second(attr.Marshal(struct {
			A time.Time `ddb:"a,created,updated"`
		}{})), "two roles"},
		{second(attr.Marshal(struct {
			A time.Time `ddb:"a,iso,epoch-s"`
		}{})), "two forms"},
		{second(attr.Marshal(struct{ *lower }{})), "can not be set"},
		{second(attr.Marshal(strings.Builder{})), "content would be lost"},
	} {
		if _, ok := errors.AsType[*attr.PlanError](c.err); !ok || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%v, want %s", c.err, c.says)
		}
	}
}
