package design

import (
	"slices"
	"testing"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
)

// TestLate holds which steps the search takes for late, for the limits of what a call reads, to which ones are in the
// model.
func TestLate(t *testing.T) {
	met, late := 0, 0
	for _, file := range []string{"testdata/strategies/names-of-page.yaml", "../plan/testdata/late.yaml"} {
		r, _, found, err := model.LoadRequirements(file)
		if err != nil || r == nil {
			t.Fatal(err, found)
		}
		f, solved, err := search(t.Context(), r, capacity.DefaultPrices(), Options{Steps: DefaultSteps}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := plan.Compile(emit(f, solved).model, r)
		for _, s := range solved {
			for i, q := range s.chosen.plans {
				dm := s.chosen.demands[i]
				proc := p.Procedure(dm.pattern.Name)
				if q == nil || dm.pattern.Writes() || dm.limit() == 0 || proc.Leaves() == 0 {
					continue
				}
				met++
				want := 0
				for _, stage := range proc.Stages {
					if stage.Late() {
						want++
					}
				}
				late += want
				got := q.late()
				if n := len(slices.DeleteFunc(got, func(x bool) bool { return !x })); n != want {
					t.Errorf("%s: %d steps are taken for late, and %d are", dm.name, n, want)
				}
			}
		}
	}
	if met < 5 || late < 4 {
		t.Errorf("%d plans that the client cuts, with %d late steps", met, late)
	}
}
