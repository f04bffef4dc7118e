package plan_test

import (
	"fmt"
	"testing"

	"github.com/tablewright/tablewright/plan"
)

// A model of 28 patterns and one of 32; 60 patterns should compile in a few milliseconds.
func BenchmarkCompile(b *testing.B) {
	for _, c := range []struct{ name, requirements, model string }{
		{"shop", "../examples/online-shop.yaml", "../examples/online-shop.published-model.yaml"},
		{"forum", "testdata/forum.yaml", "testdata/forum.model.yaml"},
	} {
		r := requirements(b, c.requirements, nil)
		m, _ := document(b, c.model, nil)
		b.Run(fmt.Sprintf("%s-%d", c.name, len(r.Patterns)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				plan.Compile(m, r)
			}
		})
	}
}
