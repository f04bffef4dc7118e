package design_test

import (
	"math"
	"testing"

	"github.com/tablewright/tablewright/design"
)

// TestTurns designs again at other rates. Up to a turn that the answer states the cheapest cost is a line, because the design
// is the same; beyond it the cost is below that line, because another is cheaper.
func TestTurns(t *testing.T) {
	r := example(t, "complaint-management")
	turns, checked := designed(t, r).Turns, 0
	for _, turn := range turns {
		t.Log(turn.Pattern, turn)
		for _, p := range r.Patterns {
			if p.Name != turn.Pattern || math.IsInf(turn.CheapestTo, 1) {
				continue
			}
			checked++
			stated := p.Rate.Average
			at := func(rate float64) float64 {
				p.Rate.Average = rate
				defer func() { p.Rate.Average = stated }()
				return cheapest(designed(t, r))
			}
			end := turn.CheapestTo * 0.999
			low, mid, high := at(stated), at((stated+end)/2), at(end)
			if math.Abs(mid-(low+high)/2) > 1e-6*mid {
				t.Errorf("%s: the design is not the same from %v/s to %v/s", turn.Pattern, stated, end)
			}
			far := turn.CheapestTo * 1.1
			if line := low + (high-low)*(far-stated)/(end-stated); at(far) > line-1e-6*line {
				t.Errorf("%s: the design is the same at %v/s, beyond the turn", turn.Pattern, far)
			}
		}
	}
	if checked == 0 {
		t.Error("no rate turns the design upwards")
	}
}

func cheapest(d *design.Result) float64 {
	sum := 0.0
	for _, c := range d.Components {
		sum += c.Cheapest.Cost.Dollars()
	}
	return sum
}
