package design_test

import (
	"testing"

	"github.com/tablewright/tablewright/design"
)

// BenchmarkDesign designs the examples, decisions and turns included.
func BenchmarkDesign(b *testing.B) {
	for _, name := range examples {
		b.Run(name, func(b *testing.B) {
			r := example(b, name)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := design.Design(b.Context(), r, design.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
