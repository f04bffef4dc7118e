package tracebench

import (
	"math"
	"slices"
	"sort"
	"time"
)

// Shape is how traffic is spread over its time: its density at a share of that, from 0 to 1, and of how long that is. Only proportions count.
type Shape func(at float64, span time.Duration) float64

// Steady is the same all the time.
func Steady(float64, time.Duration) float64 { return 1 }

// Daily is a working day's curve, every day: five times as much at 13:00 as at 1:00.
func Daily(at float64, span time.Duration) float64 {
	return 1.5 - math.Cos(2*math.Pi*(at*span.Hours()-1)/24)
}

// Spiky is little most of the time, and fifty times as much for the first two minutes of every hour.
func Spiky(at float64, span time.Duration) float64 {
	if math.Mod(at*span.Minutes(), 60) < 2 {
		return 50
	}
	return 1
}

// Growing is ten times as much at the end as at the beginning.
func Growing(at float64, _ time.Duration) float64 { return 1 + 9*at }

// Traffic has callers come for so long, so many of them, at random times that are spread as shape says. f is what each of them
// does. The clock stands at the end of the time when it returns.
func (w *World) Traffic(span time.Duration, callers int, shape Shape, f func(c *Caller)) {
	end := w.Clock.Now().Add(span)
	for _, at := range w.times(span, callers, shape) {
		w.until(at)
		f(w.Caller())
	}
	w.until(end)
}

// Mix is traffic of several kinds at once.
func (w *World) Mix(span time.Duration, shape Shape, kinds ...Kind) {
	end := w.Clock.Now().Add(span)
	type arrival struct {
		at   time.Time
		kind int
	}
	var all []arrival
	for i, k := range kinds {
		of := shape
		if k.Shape != nil {
			of = k.Shape
		}
		for _, at := range w.times(span, k.Callers, of) {
			all = append(all, arrival{at, i})
		}
	}
	slices.SortStableFunc(all, func(a, b arrival) int { return a.at.Compare(b.at) })
	for _, a := range all {
		w.until(a.at)
		kinds[a.kind].Do(w.Caller())
	}
	w.until(end)
}

// Kind is one kind of callers of a Mix.
type Kind struct {
	Callers int
	Do      func(c *Caller)
	Shape   Shape // nil: that of the Mix
}

// times draws moments, in order.
func (w *World) times(span time.Duration, n int, shape Shape) []time.Time {
	steps := min(max(int(span/time.Minute), 100), 20_000)
	sums := make([]float64, steps)
	sum := 0.0
	for i := range sums {
		sum += shape((float64(i)+0.5)/float64(steps), span)
		sums[i] = sum
	}
	now := w.Clock.Now()
	out := make([]time.Time, n)
	for i := range out {
		u := (float64(i) + w.Rand.Float64()) / float64(n) * sum
		step := min(sort.SearchFloat64s(sums, u), steps-1)
		before := 0.0
		if step > 0 {
			before = sums[step-1]
		}
		share := (float64(step) + (u-before)/(sums[step]-before)) / float64(steps)
		out[i] = now.Add(time.Duration(share * float64(span)))
	}
	return out
}

// until moves the clock to a time, if that is not over.
func (w *World) until(at time.Time) {
	for w.scaling != nil {
		next := w.Clock.Now().Truncate(time.Minute).Add(time.Minute)
		if next.After(at) {
			break
		}
		w.Clock.Advance(next.Sub(w.Clock.Now()))
		w.scaling.minute(next.Unix()/60 - 1)
	}
	if d := at.Sub(w.Clock.Now()); d > 0 {
		w.Clock.Advance(d)
	}
}

// Zipf draws numbers from 0 to n-1, the ith as often as 1/(i+1)^s: s of 0 is evenly, 1 is what many keys have.
func (w *World) Zipf(s float64, n int) func() int {
	sums := make([]float64, n)
	sum := 0.0
	for i := range sums {
		sum += math.Pow(float64(i+1), -s)
		sums[i] = sum
	}
	return func() int { return min(sort.SearchFloat64s(sums, w.Rand.Float64()*sum), n-1) }
}
