package rules

import (
	"math"
	"slices"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

// What auto scaling does, as far as it is told:
//
//   - Its alarms look at consumed units by minute. Above the target utilization for two minutes one after the other, more is
//     provisioned; 20 points of a hundred below it for 15 minutes, less
//     (AutoScaling; https://repost.aws/knowledge-center/dynamodb-auto-scaling). A minute in which nothing was consumed has no
//     figure, so that a table without any traffic keeps what it has.
//   - What it provisions is what the consumption is the target utilization of.
//   - A table or index can be decreased four times on a day of UTC, and once more in every hour in which it was not, 27 times at
//     most (ServiceQuotas).
//   - 300 seconds of provisioned units that were not used are there for bursts (burst-adaptive-capacity).
const (
	outMinutes  = 2
	inMinutes   = 15
	inBelow     = capacity.TargetUtilization - 0.2
	lag         = 1 // minutes until a change is in effect
	freeDrops   = 4 // decreases on a day that need not wait
	hourMinutes = 60
	dayMinutes  = 24 * hourMinutes
	mostMinutes = 366 * dayMinutes // of what is looked at
)

// curve is units per second, minute by minute, without gaps.
type curve struct {
	first int64 // minute since 1970
	units []float64
}

// curveOf is what a table or index consumed, from the first minute that is known to the last.
func (in *Input) curveOf(c *stats.Consumption, read bool) curve {
	var out curve
	if c == nil || c.Traffic == nil {
		return out
	}
	from, to := in.Stats.From.Truncate(time.Minute), in.Stats.To
	for at, m := range c.Traffic.All() {
		if len(out.units) == 0 {
			if c.Traffic.Dropped() != (stats.Minute{}) { // older minutes are forgotten
				from = at
			}
			if at.Before(from) || at.Sub(from) > mostMinutes*time.Minute {
				from = at
			}
			out.first = from.Unix() / 60
		}
		if minute := at.Unix() / 60; minute-out.first-int64(len(out.units)) > mostMinutes { // as in an export with a clock that went wrong
			out = curve{first: minute}
		}
		for int64(len(out.units)) < at.Unix()/60-out.first {
			out.units = append(out.units, 0)
		}
		units := m.Write
		if read {
			units = m.Read
		}
		out.units = append(out.units, units/60)
	}
	for len(out.units) > 0 && len(out.units) < mostMinutes && out.first+int64(len(out.units)) < to.Unix()/60 {
		out.units = append(out.units, 0)
	}
	return out
}

func (c curve) peak() float64 {
	most := 0.0
	for _, u := range c.units {
		most = max(most, u)
	}
	return most
}

func (c curve) mean() float64 {
	var sum float64
	for _, u := range c.units {
		sum += u
	}
	return sum / max(float64(len(c.units)), 1)
}

// needed is what is provisioned for a load at the target utilization.
func needed(load float64) float64 {
	return math.Ceil(float64(capacity.Provision(capacity.ReadUnits(load))) - 1e-9)
}

// scaled is how auto scaling follows a curve.
type scaled struct {
	least     float64 // units that it never goes below
	most      float64 // the most that it provisioned
	average   float64 // provisioned units, hour by hour those of its dearest minute: an hour is what is billed
	throttled float64 // units that were refused, in units·seconds
	changes   int
}

// follow simulates auto scaling with a least number of units.
func (c curve) follow(least float64) scaled {
	out := scaled{least: least}
	if len(c.units) == 0 {
		return out
	}
	have := max(least, needed(c.units[0]))
	burst := float64(capacity.BurstSeconds * have)
	over := 0
	var low []float64 // the latest minutes that had figures
	type change struct {
		at    int
		units float64
	}
	var next *change
	drops, dropped, today := 0, -hourMinutes, int64(-1)
	var hour, hours float64
	for i, used := range c.units {
		if day := (c.first + int64(i)) / dayMinutes; day != today {
			today, drops = day, 0
		}
		if next != nil && i >= next.at {
			have, next, over, low = next.units, nil, 0, low[:0]
			out.changes++
		}
		out.most, hour = max(out.most, have), max(hour, have)
		if end := (c.first+int64(i)+1)%hourMinutes == 0; end || i == len(c.units)-1 {
			minutes := min(float64(hourMinutes), float64(i+1))
			if !end {
				minutes = min(minutes, float64((c.first+int64(i)+1)%hourMinutes))
			}
			out.average, hours, hour = out.average+float64(hour*minutes), hours+minutes, 0
		}
		// What is refused comes again: it is counted once, and not as consumed.
		if spare := float64((have - used) * 60); spare >= 0 {
			burst = min(burst+spare, float64(capacity.BurstSeconds*have))
		} else if burst += spare; burst < 0 {
			out.throttled, burst = out.throttled-burst, 0
		}
		if used > float64(have*capacity.TargetUtilization) {
			over++
		} else {
			over = 0
		}
		if used > 0 {
			if low = append(low, used); len(low) > inMinutes {
				low = low[1:]
			}
		}
		switch {
		case next != nil:
		case over >= outMinutes:
			next = &change{i + 1 + lag, max(least, needed(used))}
		case len(low) == inMinutes && slices.Max(low) < float64(have*inBelow):
			want := max(least, needed(slices.Max(low)))
			if want < have && (drops < freeDrops || i-dropped >= hourMinutes) {
				next = &change{i + 1 + lag, want}
				drops, dropped = drops+1, i
			}
		}
	}
	out.average /= hours
	return out
}

// best is auto scaling with the least units for which nothing is refused and the least is paid.
func (c curve) best() scaled {
	sorted := slices.Clone(c.units)
	slices.Sort(sorted)
	var best scaled
	for i, q := range []float64{0, 0.25, 0.5, 0.75, 0.9, 0.99, 1} {
		s := c.follow(needed(sorted[int(q*float64(len(sorted)-1))]))
		if i == 0 || (s.throttled == 0) != (best.throttled == 0) && s.throttled == 0 || (s.throttled == 0) == (best.throttled == 0) && s.average < best.average {
			best = s
		}
	}
	return best
}
