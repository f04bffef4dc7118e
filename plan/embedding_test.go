package plan_test

import (
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// TestEmbeddingName: children whose key is a number lie under its text, equal numbers under one, and that text is never
// longer than NameBytes says.
func TestEmbeddingName(t *testing.T) {
	zero := attr.Value{}.Number()
	boxes := plan.Embedding{Attribute: "boxes", As: "map", By: &spec.Attribute{Name: "boxNo", Type: spec.Number, Digits: 3, Min: &zero}}
	for text, want := range map[string]string{"7": "7", "7.0": "7", "0150": "150", "1.5e2": "150", "999": "999"} {
		n, err := attr.ParseNumber(text)
		if err != nil {
			t.Fatal(err)
		}
		got := boxes.Name(attr.Num(n))
		if got != want {
			t.Errorf("%s lies under %q, not %q", text, got, want)
		}
		if float64(len(got)) > boxes.NameBytes().Max {
			t.Errorf("%q is longer than %v bytes", got, boxes.NameBytes().Max)
		}
	}
	signed := plan.Embedding{By: &spec.Attribute{Name: "offset", Type: spec.Number, Digits: 3, Scale: 1}}
	if got := signed.NameBytes().Max; got != float64(len("-12.3")) {
		t.Errorf("a sign, three digits and a point take %v bytes", got)
	}
	rooms := plan.Embedding{By: &spec.Attribute{Name: "room", Type: spec.String, Bytes: spec.Size{Average: 5, Max: 10}}}
	if got := rooms.Name(attr.Text("attic")); got != "attic" || rooms.NameBytes().Max != 10 {
		t.Errorf("attic lies under %q, of at most %v bytes", got, rooms.NameBytes().Max)
	}
}
