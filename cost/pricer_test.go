package cost_test

import (
	"math"
	"testing"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/plan"
)

// TestPricer holds that the parts of a model cost what the whole does.
func TestPricer(t *testing.T) {
	whole := publishedShop(t)
	report := cost.Price(whole, nil)
	fragments, pricer := plan.NewFragments(whole.Requirements), cost.NewPricer(whole.Requirements, nil)
	var tables []*plan.Schema
	for _, d := range whole.Model.Tables {
		s, err := fragments.Table(d)
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, s)
		for _, x := range append([]*plan.Access{s.Base}, s.Indexes...) {
			if got, want := pricer.Place(x).Stored, report.Place(x.Name()).Stored; math.Abs(float64(got-want)) > 1 {
				t.Errorf("%s stores %v bytes, of the whole model %v", x.Name(), got, want)
			}
		}
	}
	var heats []cost.Heat
	for _, d := range whole.Model.Plans {
		proc, err := fragments.Plan(d, tables...)
		if err != nil {
			t.Fatal(err)
		}
		use, want := pricer.Plan(proc), report.Pattern(d.Name)
		for _, x := range []struct{ got, want map[string]float64 }{{use.Read, want.Read}, {use.Write, want.Write}} {
			if len(x.got) != len(x.want) {
				t.Errorf("%s consumes %v, of the whole model %v", d.Name, x.got, x.want)
			}
			for where, n := range x.want {
				if math.Abs(x.got[where]-n) > 1e-9 {
					t.Errorf("%s consumes %v of %s, of the whole model %v", d.Name, x.got[where], where, n)
				}
			}
		}
		pricer.Forget() // tables are priced anew
		again := pricer.Plan(proc)
		for where, n := range use.Write {
			if again.Write[where] != n {
				t.Errorf("%s consumes %v of %s, and once that is forgotten %v", d.Name, n, where, again.Write[where])
			}
		}
		heats = append(heats, use.Heat...)
	}
	undivided := map[string]bool{}
	for _, s := range tables {
		for _, x := range append([]*plan.Access{s.Base}, s.Indexes...) {
			undivided[x.Name()] = cost.Undivided(x)
		}
	}
	loads := cost.Loads(heats, func(place string) bool { return undivided[place] })
	if len(loads) != len(report.Loads) {
		t.Fatalf("%d loads, of the whole model %d", len(loads), len(report.Loads))
	}
	for i, want := range report.Loads {
		got := loads[i]
		if got.Place != want.Place || got.Of != want.Of || got.Divided != want.Divided || math.Abs(got.Heat-want.Heat) > 1e-9 || math.Abs(got.Contention-want.Contention) > 1e-9 {
			t.Errorf("the hottest %s of %s has a heat of %v, of the whole model %s of %s has %v", got.Of, got.Place, got.Heat, want.Of, want.Place, want.Heat)
		}
	}
}

func BenchmarkPricer(b *testing.B) {
	whole := publishedShop(b)
	for b.Loop() {
		fragments, pricer := plan.NewFragments(whole.Requirements), cost.NewPricer(whole.Requirements, nil)
		var tables []*plan.Schema
		for _, d := range whole.Model.Tables {
			s, _ := fragments.Table(d)
			tables = append(tables, s)
		}
		for range 100 {
			for _, d := range whole.Model.Plans {
				proc, _ := fragments.Plan(d, tables...)
				pricer.Plan(proc)
			}
		}
	}
}
