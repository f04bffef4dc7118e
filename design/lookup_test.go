package design_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/plan"
)

// TestNarrowLookup: all of the few that a list refers to are read by a scan of an index only where the list may be
// behind, and where what it shows of all of them is little, also after years of growth.
func TestNarrowLookup(t *testing.T) {
	b, err := os.ReadFile("testdata/strategies/lookup-narrow.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		old, is string
		scans   bool
	}{
		"four hundred":          {"", "", true},
		"strongly consistent":   {"rate: {average: 0.4/s", "consistency: strong, rate: {average: 0.4/s", false},
		"four thousand":         {"    count: 400\n", "    count: 4_000\n", false},
		"more and more":         {"growth: 6/month", "growth: 100/month", false},
		"all that they have":    {"given: [shopId, day], returns: [all, product.name]", "given: [shopId, day], with: [product]", false},
		"names that are longer": {"{average: 26, max: 80}", "{average: 200, max: 800}", false},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(string(b), x.old, x.is, 1)
			switch name {
			case "four thousand":
				text = strings.ReplaceAll(text, "average: 10_000, max", "average: 1_000, max")
				text = strings.ReplaceAll(text, "average: 1_200, max", "average: 120, max")
			case "more and more":
				text = strings.Replace(text, "rate: {average: 6/month", "rate: {average: 100/month", 1)
			}
			r := parse(t, text)
			d := designed(t, r)
			scans := false
			for _, p := range d.Model.Plans {
				scans = scans || slices.ContainsFunc(stepsOf(p), func(s plan.Step) bool { return s.Scan != "" })
			}
			if scans != x.scans {
				t.Errorf("scans: %t, want %t\n%s", scans, x.scans, described(d.Model))
			}
		})
	}
}

func stepsOf(p plan.Plan) (out []plan.Step) {
	for _, s := range p.Steps {
		out = append(out, s)
	}
	return out
}
