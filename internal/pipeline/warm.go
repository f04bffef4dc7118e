package pipeline

import (
	"fmt"
	"math"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

// spare is how many times its stated peak a table or index is made warm for: peaks are estimates, and keys lie on
// partitions by chance.
const spare = 1.25

// warm has the tables and indexes of a model that are asked for more at peak than a new one on demand takes be ready for it
// from the start (warm-throughput): else the first peak is throttled, and only 30 minutes later they take more. It reports
// whether there are any.
func warm(m *plan.Model, r *cost.Report) bool {
	any := false
	for _, place := range r.Places {
		if place.PeakRead <= float64(capacity.NewTableReads) && place.PeakWrite <= float64(capacity.NewTableWrites) || place.Index != nil && !place.Index.Global() {
			continue
		}
		for i := range m.Tables {
			t := &m.Tables[i]
			if t.Name != place.Table.Name || t.Billing != (plan.Billing{}) {
				continue
			}
			units := plan.Billing{
				Read:  math.Max(roundUp(spare*place.PeakRead), float64(capacity.NewTableReads)),
				Write: math.Max(roundUp(spare*place.PeakWrite), float64(capacity.NewTableWrites)),
			}
			if place.Index != nil {
				x := t.GSI[place.Index.Index]
				x.Warm = units
				t.GSI[place.Index.Index] = x
			} else {
				t.Warm = units
			}
			any = true
			m.Decisions = append(m.Decisions, plan.Decision{
				About: place.Name, Rule: "warm throughput",
				Because: fmt.Sprintf("At peak it is asked for %s read and %s write units per second; a new table on demand takes %s and %s, and more only 30 minutes after it was asked for more. What is warm beyond that is paid once.",
					show.Number(math.Ceil(place.PeakRead)), show.Number(math.Ceil(place.PeakWrite)), show.Number(float64(capacity.NewTableReads)), show.Number(float64(capacity.NewTableWrites))),
				Cost: r.Total().Dollars(),
			})
		}
	}
	return any
}

// roundUp makes a number of units a round one.
func roundUp(x float64) float64 { return math.Ceil(x/1000) * 1000 }
