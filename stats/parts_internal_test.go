package stats

import (
	"testing"

	"github.com/tablewright/tablewright"
)

// Of a transaction's units what puts do not take is of the others, whose items may be large.
func TestShare(t *testing.T) {
	part := func(action, table string, weight float64) Part {
		return Part{Action: action, Table: table, Write: weight}
	}
	for _, test := range []struct {
		name, operation string
		parts           []Part
		arms            []Arm
		want            []float64 // read and write of each
	}{
		{"an update of a large item beside a small put", "TransactWriteItems", []Part{part("Put", "A", 1), part("Update", "A", 1)}, []Arm{{Table: "A", Write: 202}}, []float64{0, 2, 0, 200}},
		{"two updates beside a put", "TransactWriteItems", []Part{part("Update", "A", 1), part("Put", "A", 3), part("Update", "A", 1)}, []Arm{{Table: "A", Write: 26}}, []float64{0, 10, 0, 6, 0, 10}},
		{"puts that replace larger items", "TransactWriteItems", []Part{part("Put", "A", 1), part("Put", "A", 3)}, []Arm{{Table: "A", Write: 16}}, []float64{0, 4, 0, 12}},
		{"a table each, and an index", "TransactWriteItems", []Part{part("Put", "A", 1), part("Update", "B", 1)}, []Arm{{Table: "A", Write: 2}, {Table: "A", Index: "I", Write: 9}, {Table: "B", Write: 8}},
			[]float64{0, 2, 0, 8}},
		{"a batch with a delete of a large item", "BatchWriteItem", []Part{part("Put", "A", 2), part("Delete", "A", 1)}, []Arm{{Table: "A", Write: 12}}, []float64{0, 2, 0, 10}},
		{"a batch of which the puts were left", "BatchWriteItem", []Part{part("Put", "A", 3), part("Delete", "A", 1)}, []Arm{{Table: "A", Write: 2}}, []float64{0, 1.5, 0, 0.5}},
		{"gets", "BatchGetItem", []Part{part("Get", "A", 1), part("Get", "A", 1)}, []Arm{{Table: "A", Read: 3}}, []float64{1.5, 0, 1.5, 0}},
	} {
		e := Event{Operation: test.operation, Parts: test.parts, Arms: test.arms}
		e.share()
		for i, p := range e.Parts {
			if p.Read != test.want[2*i] || p.Write != test.want[2*i+1] {
				t.Errorf("%s: part %d takes %v and %v units, want %v", test.name, i, p.Read, p.Write, test.want[2*i:2*i+2])
			}
		}
	}
}

// A part of a request of several tables is of its own, whichever of them the caller named.
func TestNameOfAPart(t *testing.T) {
	c := NewCollector(Options{})
	for _, test := range []struct{ call, part, want string }{{"A", "A", "A"}, {"A", "B", "B"}, {"", "B", "B"}} {
		if got := c.name(&tablewright.Call{Table: test.call}, []byte(test.part)); got != test.want {
			t.Errorf("%q of a call of %q is %q, want %q", test.part, test.call, got, test.want)
		}
	}
}
