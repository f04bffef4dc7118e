package prove

import (
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// TestNumbersInTheirRange draws numbers of two digits up to 20, of which each comes up about as often.
func TestNumbersInTheirRange(t *testing.T) {
	low, high := attr.Int(0), attr.Int(20)
	at := &spec.Attribute{Name: "used", Type: spec.Number, Digits: 2, Min: &low, Max: &high}
	s, most := newSource(1, time.Unix(0, 0)), 0
	const draws = 2_100
	for range draws {
		if s.number(at).Cmp(high) == 0 {
			most++
		}
	}
	if most < draws/21/2 || most > 2*draws/21 {
		t.Errorf("%d of %d are the largest", most, draws)
	}
}
