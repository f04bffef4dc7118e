package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/prove"
)

// throttleFlags are those of a proof within DynamoDB's limits.
type throttleFlags struct {
	on            bool
	allowed       string
	settle, while time.Duration
	quota         float64
}

func (f *throttleFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&f.on, "throttle", false, "also run all access patterns at their peak rates within DynamoDB's limits")
	flags.StringVar(&f.allowed, "throttle-allow", "1%", "with --throttle: `SHARE` of a pattern's calls that may be throttled")
	flags.DurationVar(&f.settle, "throttle-settle", 15*time.Minute, "with --throttle: simulated `TIME` of load before it counts")
	flags.DurationVar(&f.while, "throttle-time", 10*time.Minute, "with --throttle: simulated `TIME` for which it counts")
	flags.Float64Var(&f.quota, "throttle-quota", float64(capacity.TableReads), "with --throttle: read and write `UNITS` per second that the account allows a table on demand")
}

// dataScale is how much data and work a proof is.
type dataScale float64

func (s *dataScale) add(c *cobra.Command) {
	c.Flags().Float64Var((*float64)(s), "data-scale", 1, "`FACTOR` of the proof's data and work: 1 takes seconds")
}

func (s dataScale) check() error {
	if !(s >= 0.1 && s <= 1000) {
		return usage("--data-scale takes a factor from 0.1 to 1000, such as 10")
	}
	return nil
}

// read is what the proof is to be held to; nil: nothing.
func (f *throttleFlags) read(c *cobra.Command) (*prove.Throttle, error) {
	if !f.on {
		for _, name := range []string{"throttle-allow", "throttle-settle", "throttle-time", "throttle-quota"} {
			if c.Flags().Changed(name) {
				return nil, usage("--%s goes with --throttle", name)
			}
		}
		return nil, nil
	}
	allowed, err := strconv.ParseFloat(strings.TrimSuffix(f.allowed, "%"), 64)
	if strings.HasSuffix(f.allowed, "%") {
		allowed /= 100
	}
	switch {
	case err != nil || !(allowed > 0 && allowed < 1):
		return nil, usage("--throttle-allow takes a share above 0 and below 1, such as 1%% or 0.01, not %q", f.allowed)
	case f.settle <= 0 || f.while <= 0:
		return nil, usage("--throttle-settle and --throttle-time take times above 0, such as 15m")
	case f.settle+f.while > 24*time.Hour:
		return nil, usage("--throttle-settle and --throttle-time take a day together at most")
	case !(f.quota >= 1):
		return nil, usage("--throttle-quota takes units per second, such as 60000")
	}
	t := &prove.Throttle{Settle: f.settle, Time: f.while, Allowed: allowed}
	t.Limits.TableReads, t.Limits.TableWrites = capacity.ReadUnits(f.quota), capacity.WriteUnits(f.quota)
	return t, nil
}
