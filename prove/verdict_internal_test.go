package prove

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// TestBlur: an estimate that rests on calls of which few have many matches may be off by what these come to, and one
// that rests on calls that all meet the same is not.
func TestBlur(t *testing.T) {
	r, _, found := model.ReadRequirements("lending.yaml", []byte(lending))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	d, err := design.Design(t.Context(), r, design.Options{})
	if err != nil {
		t.Fatal(err)
	}
	compiled, problems := plan.Compile(d.Model, r)
	if compiled == nil {
		t.Fatal(problems)
	}
	s := &session{req: r, oracle: NewOracle(r), compiled: compiled, src: newSource(1, time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC))}
	add := func(museum string, n int) {
		for i := range n {
			s.oracle.put(r.Entity("Artwork"), attr.ItemOf(
				attr.Field{Name: "artworkId", Value: attr.Text(fmt.Sprint(museum, i))},
				attr.Field{Name: "title", Value: attr.Text("Haystack")},
				attr.Field{Name: "awayAt", Value: attr.Text(museum)}))
		}
	}
	add("small", 1)
	add("large", 3_000)
	guests := r.Pattern("getGuests")
	fig := populate(r, r.Patterns, rootCount, 1).Figures()
	const calls = 40 * strata
	blurOf := func(large func(n int) bool) (blur, mean float64) {
		w := newWalk(s.oracle, compiled.Procedure("getGuests"), s.src)
		for n := range calls {
			museum := "small"
			if large(n) {
				museum = "large"
			}
			w.call(attr.ItemOf(attr.Field{Name: "awayAt", Value: attr.Text(museum)}))
		}
		x := &encounters{s: s, walks: map[*spec.Pattern]*walk{guests: w}}
		seen := cost.Seen{Met: x.met, Written: x.changed}
		blur, mean = x.blur(fig, seen)["getGuests"], sum(cost.EstimateMet(compiled, fig, seen)["getGuests"])
		return blur, mean
	}
	if blur, mean := blurOf(func(int) bool { return false }); blur != 0 || mean == 0 {
		t.Errorf("all calls meet the same: %g units, which may be off by %g", mean, blur)
	}
	if blur, mean := blurOf(func(n int) bool { return n%strata == 0 }); blur > 1e-9*mean {
		t.Errorf("each part of the calls meets the same: %g units, which may be off by %g", mean, blur)
	}
	_, one := blurOf(func(int) bool { return true })
	blur, mean := blurOf(func(n int) bool { return n%(calls/4) == 0 })
	// Four calls in all are about the large museum: of so many there may be none or eight as well.
	if most := 2.5 * math.Sqrt(4) * one / calls; blur < most/2 || blur > most*1.5 {
		t.Errorf("four calls meet much: %g units, which may be off by %g; want about %g", mean, blur, most)
	}
}

// TestUnitsOfBlurredEstimate: what calls consume is held against what the estimate may be off as well.
func TestUnitsOfBlurredEstimate(t *testing.T) {
	for _, c := range []struct {
		estimated, blur float64
		within          bool
	}{
		{10, 0, true},
		{8, 0, false},
		{8, 0.5, false}, // 8.8 is within the tolerance, 10 is more than 0.5 above
		{8, 1.3, true},
		{13, 1.8, true},
		{13, 1.5, false}, // 11.7 is within the tolerance
	} {
		u := &tally{estimated: c.estimated, blur: c.blur, sum: map[string]float64{}}
		for range 4 * strata {
			u.add(&tablewright.Usage{Arms: map[string]tablewright.Units{"Artworks": {Read: 10}}})
		}
		if v := u.units(true); v.Within != c.within || v.Low != 10 || v.High != 10 {
			t.Errorf("%g estimated, %g off: within is %t: %+v", c.estimated, c.blur, v.Within, v)
		}
	}
}
