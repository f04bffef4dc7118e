package pipeline_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/prove"
)

// TestExamplesAtPeak: the examples stay within DynamoDB's limits at the peak rates of all their access patterns, the sessions
// only where the account's quota for a table has been raised, as their price warns.
func TestExamplesAtPeak(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	soon := func(quota int) prove.Throttle { // as the defaults, but for partitions that are divided sooner
		o := prove.Throttle{Limits: engine.Throttle{SplitAfter: 4 * time.Second}, Settle: 15 * time.Second, Time: 10 * time.Second}
		if quota > 0 {
			o.Limits.TableReads, o.Limits.TableWrites = capacity.ReadUnits(quota), capacity.WriteUnits(quota)
		}
		return o
	}
	for _, c := range []struct {
		requirements, model string
		limits              prove.Throttle
		reason              string // of what is over; "": nothing is
	}{
		{"online-shop.yaml", "", soon(0), ""},
		{"online-shop.yaml", "online-shop.published-model.yaml", soon(0), ""},
		{"complaint-management.yaml", "", soon(0), ""},
		{"session-management.yaml", "", soon(70_000), ""},
		{"session-management.yaml", "", soon(0), "TableReadAccountLimitExceeded"},
	} {
		in := func(name string) pipeline.Document {
			d, err := pipeline.Open(filepath.Join("..", "..", "examples", name))
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		j, err := pipeline.Read(in(c.requirements))
		if err == nil && c.model == "" {
			err = j.Design(t.Context(), pipeline.Options{})
		} else if err == nil {
			err = j.Load(in(c.model), pipeline.Options{})
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := prove.AtPeak(t.Context(), j.Program, c.limits, nil)
		if err != nil {
			t.Fatal(err)
		}
		reason := ""
		if len(got.Limits) > 0 {
			reason = got.Limits[0].Reason
		}
		if got.Within != (c.reason == "") || reason != c.reason {
			t.Errorf("%s %s: within the limits %v, %s\n%+v", c.requirements, c.model, got.Within, reason, got.Patterns)
		}
	}
}
