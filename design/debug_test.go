package design_test

import (
	"math"
	"os"
	"testing"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/model"
)

func TestDebug(t *testing.T) {
	f := os.Getenv("DEBUGFILE")
	if f == "" {
		t.Skip()
	}
	r := load(t, f)
	d := designed(t, r)
	if os.Getenv("SHOW") != "" {
		t.Log(string(modelText(t, d)))
	}
	_ = model.Codes
	rep := cost.Price(compiled(t, r, d), nil)
	design.DebugBills(d, func(name string, dollars float64) {
		if c := rep.Pattern(name); c != nil && math.Abs(dollars-c.Cost.Dollars()) > 0.005 {
			t.Logf("%s designer %.3f cost %.3f  %v %v", name, dollars, c.Cost.Dollars(), c.Read, c.Write)
		}
	})
	proven(t, compiled(t, r, d))
	samePrice(t, d, compiled(t, r, d))
}
