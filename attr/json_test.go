package attr_test

import (
	"testing"

	"github.com/tablewright/tablewright/attr"
)

func TestSmoke(t *testing.T) {
	for _, s := range []string{
		`{"a":{"S":"x\n\"é"},"b":{"N":"12.5"},"c":{"B":"AAEC"},"d":{"BOOL":true},"e":{"NULL":true},"f":{"M":{"x":{"L":[{"S":""},{"L":[]}]},"y":{"M":{}}}},"g":{"SS":["a","b"]},"h":{"NS":["1","10"]},"i":{"BS":["AA==","AQ=="]}}`,
	} {
		it, err := attr.ParseItem([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(attr.AppendItem(nil, it)); got != s {
			t.Errorf("%s", got)
		}
	}
	for _, s := range []string{`{}`, `{"S":1}`, `{"S":"a"`, `[]`, `"x"`, `{"N":"x"}`, `{"SS":[]}`, `{"SS":["a","b","a"]}`, `{"BS":["Yg==","Yg=="]}`, `{"NS":["1","1.0"]}`, `{"S":"a","N":"1"}`, `{"L":{"S":1}}`, `{"M":[]}`, `{"NULL":false}`, `{"B":"a"}`, `{"B":"abc!"}`, `{"BOOL":"true"}`, `{"X":1}`} {
		v, err := attr.ParseValue([]byte(s))
		t.Logf("%s: %v %T %v", s, v.Kind(), err, err)
		if err == nil {
			t.Error(s)
		}
	}
}
