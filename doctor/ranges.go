package doctor

import (
	"math"
	"time"
)

// Range is how far a measured figure may lie from what was promised, in shares of the promise: 0.5 and 1.25 are half of it to a
// quarter more.
type Range struct {
	Below float64 `json:"below"`
	Above float64 `json:"above"`
}

// Ranges are all that [Compare] compares with. DefaultRanges says why each is what it is.
type Ranges struct {
	Rate      Range `json:"rate"`      // calls a second, on average and in the busiest minute
	Units     Range `json:"units"`     // of one call
	Items     Range `json:"items"`     // of one call
	Bytes     Range `json:"bytes"`     // of one call
	ItemBytes Range `json:"itemBytes"` // of one item
	Hottest   Range `json:"hottest"`   // load of the hottest key in its busiest minute

	// FewCalls is a number of calls below which nothing is concluded about what one of them does.
	FewCalls float64 `json:"fewCalls"`
	// Day is for how long a program has to be watched before its average rate, or that it is less busy than promised, means
	// anything.
	Day time.Duration `json:"day"`
	// Expected is how many calls a pattern must have been promised in the time that was watched to count as never run.
	Expected float64 `json:"expected"`
	// Hot is the share of what one partition can do below which the load of a key is no matter.
	Hot float64 `json:"hot"`
}

// DefaultRanges are those of Compare without others.
func DefaultRanges() Ranges {
	return Ranges{
		// A quarter more than planned is a trend, not a matter of the day; half of it changes which model is the cheapest
		// seldom, but then capacity is provisioned for nobody.
		Rate: Range{0.5, 1.25},
		// What a call consumes is an expectation over sizes: a fifth is within what estimates of sizes are good for.
		Units: Range{0.6, 1.2},
		Items: Range{0.5, 1.5},
		Bytes: Range{0.5, 1.5},
		// Units are rounded up to 1 KB and 4 KB: sizes matter by steps.
		ItemBytes: Range{0.5, 1.5},
		Hottest:   Range{0, 1.5},
		FewCalls:  100,
		// Traffic has the rhythm of a day.
		Day: 24 * time.Hour,
		// Of 10 calls that are expected none comes by chance once in 22,000 times.
		Expected: 10,
		// A tenth of a partition needs ten times the traffic to become a problem.
		Hot: 0.1,
	}
}

// Verdict is what is said of a figure.
type Verdict string

// The verdicts.
const (
	Within     Verdict = "within"     // its range
	Above      Verdict = "above"      // its range
	Below      Verdict = "below"      // its range
	Unpromised Verdict = "unpromised" // neither stated nor computed
	Unmeasured Verdict = "unmeasured" // the statistics do not tell it
	Early      Verdict = "early"      // measured, but of too few calls, or too short a time, to conclude anything
)

// Figure is a promise and what was measured.
type Figure struct {
	Promised float64 `json:"promised"`
	Measured float64 `json:"measured"`
	Is       Verdict `json:"is"`
}

// Out reports whether the figure has left its range.
func (f Figure) Out() bool { return f.Is == Above || f.Is == Below }

// Ratio is the measured figure in shares of the promise; 0 where there is none.
func (f Figure) Ratio() float64 {
	if f.Promised == 0 {
		return 0
	}
	return f.Measured / f.Promised
}

// known is a figure of both sides; false if one of them is missing: NaN.
func known(promised, measured float64) (Figure, bool) {
	switch {
	case math.IsNaN(measured):
		if math.IsNaN(promised) {
			promised = 0
		}
		return Figure{Promised: promised, Is: Unmeasured}, false
	case math.IsNaN(promised):
		return Figure{Measured: measured, Is: Unpromised}, false
	}
	return Figure{Promised: promised, Measured: measured, Is: Within}, true
}

// figure compares. slack is how far the measured figure may lie from the promise by chance or rounding, beside the range.
func figure(promised, measured, slack float64, r Range) Figure {
	f, ok := known(promised, measured)
	switch {
	case !ok:
	case measured > promised*r.Above+slack:
		f.Is = Above
	case measured < promised*r.Below-slack:
		f.Is = Below
	}
	return f
}

// unless is a figure about which nothing is concluded if so.
func (f Figure) unless(early bool) Figure {
	if early && (f.Is == Within || f.Out()) {
		f.Is = Early
	}
	return f
}

// unlessBelow is a figure of which it means nothing that it is small, if so.
func (f Figure) unlessBelow(early bool) Figure {
	if early && f.Is == Below {
		f.Is = Early
	}
	return f
}
