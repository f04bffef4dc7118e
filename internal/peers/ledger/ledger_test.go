package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/peers/ledger"
)

func read(t *testing.T, text string) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		entry, in string
		d         ledger.Difference
		explained bool
	}{
		{"*\n at a.«».N\n ours 1\n theirs 2\n why x", "{}", ledger.Difference{Operation: "Scan", At: "a.b.N", Ours: "1", Theirs: "2"}, true},
		{"*\n at a.«».N\n ours 1\n theirs 2\n why x", "{}", ledger.Difference{Operation: "Scan", At: "b.b.N", Ours: "1", Theirs: "2"}, false},
		{"Query\n at a\n ours 1\n theirs 2\n why x", "{}", ledger.Difference{Operation: "Scan", At: "a", Ours: "1", Theirs: "2"}, false},
		{"Query\n in «»\"x\"«»\n at a\n ours 1\n theirs 2\n why x", `{"y":1}`, ledger.Difference{Operation: "Query", At: "a", Ours: "1", Theirs: "2"}, false},
		{"*\n at a\n ours 1 «m»\n theirs 2 «m»\n why x", "", ledger.Difference{At: "a", Ours: "1 same", Theirs: "2 same"}, true},
		{"*\n at a\n ours 1 «m»\n theirs 2 «m»\n why x", "", ledger.Difference{At: "a", Ours: "1 same", Theirs: "2 other"}, false},
		{"*\n at a\n ours «»\n theirs 7\n theirs [twice]\n why x", "", ledger.Difference{At: "a", Ours: "1.5", Theirs: "3"}, true},
		{"*\n at a\n ours «»\n theirs 7\n theirs [twice]\n why x", "", ledger.Difference{At: "a", Ours: "1.5", Theirs: "7"}, true},
		{"*\n at a\n ours «»\n theirs 7\n theirs [twice]\n why x", "", ledger.Difference{At: "a", Ours: "1.5", Theirs: "2"}, false},
		{"*\n at a\n ours «»\n theirs [less]\n why x", "", ledger.Difference{At: "a", Ours: "2", Theirs: "-"}, false},
	} {
		l := read(t, c.entry)
		if got := l.Explain(c.in, c.d) != nil; got != c.explained || got == (len(l.Unused()) > 0) {
			t.Errorf("%q explains %v: %t, unused %d", c.entry, c.d, got, len(l.Unused()))
		}
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		" at a":                        "1: no operation above",
		"*\n at a\n ours 1\n theirs 2": "1: an entry needs",
		"*\n at a\n our 1":             `3: "our" is none of`,
		"*\n at a\n ours 1\n theirs [mor]\n why x": "4: no relation is called [mor]",
	} {
		if _, err := ledger.Read(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct{ ours, theirs, want string }{
		{`{"Item":{"n":{"NS":["1","2.0"]},"CreationDateTime":{"N":"1"}}}`, `{"Item":{"CreationDateTime":{"N":"1"},"n":{"NS":["2.0","1"]}}}`, ""},
		{`{"Count":1,"TableId":"a"}`, `{"Count":1.0,"TableId":"b"}`, ""},
		{`{"Items":[{"a":1},{"a":2}]}`, `{"Items":[{"a":1},{"a":3,"b":1}]}`, "Items[].a 2 3; Items[].b - 1"},
		{`{"Items":[1]}`, `{"Items":[]}`, "Items [1] []"},
		{`{"ConsumedCapacity":{"CapacityUnits":3,"Table":{"CapacityUnits":2},"GlobalSecondaryIndexes":{"g":{"CapacityUnits":1}}}}`,
			`{"ConsumedCapacity":{"CapacityUnits":4,"Table":{"CapacityUnits":2},"GlobalSecondaryIndexes":{"g":{"CapacityUnits":2}}}}`,
			"ConsumedCapacity.GlobalSecondaryIndexes.g.CapacityUnits 1 2"},
		{`{"ConsumedCapacity":{"CapacityUnits":3,"Table":{"CapacityUnits":2}}}`, `{"ConsumedCapacity":{"CapacityUnits":2,"Table":{"CapacityUnits":2}}}`,
			"ConsumedCapacity.CapacityUnits less the parts 1 0"},
	} {
		var got []string
		for _, d := range ledger.Compare("Query", ledger.NewAnswer(200, []byte(c.ours)), ledger.NewAnswer(200, []byte(c.theirs))) {
			got = append(got, d.At+" "+d.Ours+" "+d.Theirs)
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s and %s:\n  got  %s\n  want %s", c.ours, c.theirs, text, c.want)
		}
	}
}

func ExampleCompare() {
	ours := ledger.NewAnswer(400, []byte(`{"__type":"com.amazon.coral.validate#ValidationException","message":"Limit: 0"}`))
	theirs := ledger.NewAnswer(200, []byte(`{"Items":[]}`))
	for _, d := range ledger.Compare("Query", ours, theirs) {
		fmt.Println(d)
	}
	// Output:
	// Query at error
	//   ours   ValidationException: Limit: 0
	//   theirs -
}
