package design_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/plan"
)

// TestCutNoWorse: the client may cut the pages out of all that a call finds where that is seldom more than a page, and
// at worst no more than what a plan that filters in the order reads; and never more than ten requests bring.
func TestCutNoWorse(t *testing.T) {
	b, err := os.ReadFile("testdata/strategies/cut-no-worse.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const results = "results: {average: 60, max: 30_000}"
	for name, x := range map[string]struct {
		old, is string
		cut     bool
	}{
		"less than a page of many": {"", "", true},
		"more than a page":         {results, "results: {average: 300, max: 30_000}", false},
		"far more at worst":        {results, "results: {average: 60, max: 100_000}", false},
	} {
		t.Run(name, func(t *testing.T) {
			d := designed(t, parse(t, strings.Replace(string(b), x.old, x.is, 1)))
			i := slices.IndexFunc(d.Model.Plans, func(p plan.Plan) bool { return p.Name == "getLedger" })
			if got := d.Model.Plans[i].Answer.Cursor == "answer"; got != x.cut {
				t.Errorf("cut by the client: %t, want %t\n%s", got, x.cut, described(d.Model))
			}
		})
	}
}
