package expr_test

import (
	"fmt"
	"testing"

	"github.com/tablewright/tablewright/expr"
)

func TestStepsOfAPath(t *testing.T) {
	p := expr.Name("a.b").Field("c").Index(3)
	var got string
	for i := range p.Len() {
		name, index := p.Step(i)
		got += fmt.Sprintf("%q %d; ", name, index)
	}
	if want := `"a.b" 0; "c" 0; "" 3; `; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}
