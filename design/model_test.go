package design_test

import (
	"bytes"
	"math"
	"runtime"
	"testing"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// designedExample designs an example once for all tests.
func designedExample(t *testing.T, name string) (*spec.Requirements, *design.Result) {
	t.Helper()
	_, d, err := designedFile(t, examplePath(name))
	if err != nil {
		t.Fatal(err)
	}
	return example(t, name), d
}

func modelText(t *testing.T, d *design.Result) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := model.WriteModel(&b, d.Model); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSameBytes designs each example several times, read anew and with other numbers of threads: Go shuffles the order of
// its maps in every run, so any choice that hung on it would show.
func TestSameBytes(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	for _, name := range examples {
		t.Run(name, func(t *testing.T) {
			_, d := designedExample(t, name)
			first := modelText(t, d)
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			if again := modelText(t, designed(t, example(t, name))); !bytes.Equal(first, again) {
				t.Error("the same requirements gave another model")
			}
		})
	}
}

// TestExamples holds the designs of the examples to what they were when somebody last looked. Only what wants everything scans.
func TestExamples(t *testing.T) {
	for _, name := range examples {
		t.Run(name, func(t *testing.T) {
			r, d := designedExample(t, name)
			golden(t, "testdata/"+name+".golden", summary(d))
			if m, _, found := model.ReadModel("model.yaml", modelText(t, d)); m == nil {
				t.Errorf("the model as it is written does not load: %v", found)
			}
			p := compiled(t, r, d)
			for _, proc := range p.Procedures {
				for _, s := range proc.Stages {
					if s.Verb == plan.Scan && !proc.Pattern.Whole {
						t.Errorf("%s scans", proc.Name)
					}
				}
			}
			samePrice(t, d, p)
		})
	}
}

// samePrice holds the designer's own figures, computed from structures before there is a model, to those that package cost
// computes from the finished model.
func samePrice(t *testing.T, d *design.Result, p *plan.Program) {
	t.Helper()
	total := 0.0
	for _, c := range d.Components {
		total += c.Chosen.Cost.Dollars()
	}
	report := cost.Price(p, nil)
	if priced := report.Total().Dollars(); math.Abs(total-priced) > 0.005*priced+0.005 {
		t.Errorf("the designer says $%.2f a month, and package cost $%.2f", total, priced)
	} else {
		t.Logf("$%.2f and $%.2f", total, priced)
	}
}
