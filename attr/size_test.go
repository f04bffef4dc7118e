package attr_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
)

func TestNumberSize(t *testing.T) {
	nines := strings.Repeat("9", 38)
	for text, want := range map[string]int{
		"0": 1, "1": 2, "9": 2, "10": 2, "99": 2, "100": 2, "101": 3, "123": 3, "1000": 2, "1010": 3, "9900": 2, "12345": 4, "99999999": 5,
		"120": 3, "12000": 3, "0.012": 3, "1.05": 3,
		"0.1": 2, "0.15": 2, "0.01": 2, "0.001": 2, "0.0001": 2, "0.00012": 3, "1.5": 3, "12.5": 3, "100.5": 4, "1.234": 4, "3.14159": 5, "123.45": 4,
		"-1": 3, "-123": 4, "-12345": 5, "-0.5": 3, "1E125": 2, "-1E125": 3, "1E-130": 2, "1E-129": 2,
		nines: 20, nines[:37] + ".9": 21, "0." + nines: 20, "-" + nines: 21,
	} {
		if got := attr.Dec(text).Size(); got != want {
			t.Errorf("%s: %d bytes, want %d", text, got, want)
		}
		if got := attr.Num(attr.Dec(text)).Size(); got != want {
			t.Errorf("value %s: %d bytes, want %d", text, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for text, want := range map[string]int{
		`{}`:                       0,
		`{"a":{"S":""}}`:           1,
		`{"é":{"S":"😀"}}`:          6,
		`{"a":{"B":"AAEC"}}`:       4,
		`{"a":{"BOOL":false}}`:     2,
		`{"a":{"NULL":true}}`:      2,
		`{"a":{"N":"-123"}}`:       5,
		`{"a":{"L":[]}}`:           4,
		`{"a":{"M":{}}}`:           4,
		`{"a":{"L":[{"S":"xy"}]}}`: 1 + 3 + 1 + 2,
		`{"a":{"M":{"key":{"S":"xy"},"k":{"NULL":true}}}}`: 1 + 3 + 2 + (3 + 2) + (1 + 1),
		`{"a":{"L":[{"L":[{"L":[]}]}]}}`:                   1 + 3 + 1 + 3 + 1 + 3,
		`{"a":{"SS":["x","yy"]},"b":{"NS":["1","1.5"]}}`:   1 + 3 + 1 + 2 + 3,
		`{"a":{"BS":["AA==","AQI="]},"bb":{"S":"text"}}`:   1 + 3 + 2 + 4,
	} {
		it, err := attr.ParseItem([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := it.Size(); got != want {
			t.Errorf("%s: %d bytes, want %d", text, got, want)
		}
	}
	if got := (attr.Value{}).Size(); got != 0 {
		t.Errorf("the zero Value has %d bytes", got)
	}
}
