package dist

import (
	"fmt"
	"math"
	"sort"
)

// Law is how a quantity spreads over the members of a population. Members are ranked: rank 1 has the most. Values are
// real numbers; whoever needs whole ones rounds them at random (see Whole), which the expectations of this package do.
// A Law is immutable. The zero Law is one member with 0.
type Law struct {
	members int64 // 0: 1
	mean    float64
	law     *curve // nil: every member has mean
}

// curve is a law that is not flat: rank 1 has first; the others have min(first, e^logScale·rank^-s), or first up to rank hot, and rest.
type curve struct {
	first       float64
	logScale, s float64
	rest        float64   // if s is NaN
	hot         int64     // if s is NaN: ranks that have first
	means       []float64 // of strata
	sums        []float64 // of the values in strata 0 to i-1
}

// Uniform is a law by which all members have the same.
func Uniform(members int64, average float64) Law {
	check("average", average)
	return Law{members: count(members), mean: average}
}

// Power is the law {average a, max m} over n members: rank r has m·r^-s, with the s >= 0 that makes a the mean. Where n
// members cannot have both, because one with m alone is more than n times a, the mean holds and rank 1 has all: that of
// a single member is a. A maximum below the average counts as the average.
func Power(members int64, average, most float64) Law {
	check("average", average)
	check("maximum", most)
	n := count(members)
	total := float64(average * float64(n))
	switch {
	case n == 1 || most <= average:
		return Law{members: n, mean: average}
	case most >= total:
		return newHottest(n, 1, average, total)
	}
	// The sum of r^-s decreases from n at 0 to 1; above s = 1100 even 2^-s is 0.
	s := bisect(0, 1100, func(s float64) float64 { return float64(most*harmonic(n, s)) - total })
	if s == 0 { // most is next to average
		return Law{members: n, mean: average}
	}
	return newPower(n, average, most, log(most), s)
}

// Zipf is the law with a stated exponent s >= 0: rank r has min(most, c·r^-s), with the c that makes average the mean. The
// maximum may be infinite: then the law is that of shares (see Share).
func Zipf(members int64, s, average, most float64) Law {
	check("exponent", s)
	check("average", average)
	if math.IsNaN(most) || most < 0 {
		check("maximum", most)
	}
	n := count(members)
	if n == 1 || s == 0 || average == 0 || most <= average {
		return Law{members: n, mean: average}
	}
	total := float64(average * float64(n))
	free := total / harmonic(n, s) // of rank 1, if the maximum binds nobody
	if free <= most {
		return newPower(n, average, free, log(free), s)
	}
	// The sum increases with c. Searched is x = ln(c/most), since c itself can exceed every float.
	x := bisect(0, float64(s*log(float64(n)))+1, func(x float64) float64 {
		capped := cappedRanks(n, x, s)
		return total - float64(most*(float64(capped)+tail(capped+1, n, x, s)))
	})
	return newPower(n, average, most, log(most)+x, s)
}

// cappedRanks is how many of n ranks r have e^x·r^-s >= 1.
func cappedRanks(n int64, x, s float64) int64 {
	r := exp(x / s)
	if r >= float64(n) {
		return n
	}
	return int64(r)
}

// tail is the sum of e^x·r^-s over the ranks first to last; 0 if there are none.
func tail(first, last int64, x, s float64) float64 {
	if first > last {
		return 0
	}
	return float64(exp(x-float64(s*log(float64(first)))) * powerSum(first, last, s))
}

// Hottest is the law by which one member has a share of the whole, and the others the same each. The first gets no more than
// most, and no less than the others.
func Hottest(members int64, share, average, most float64) Law {
	return HottestOf(members, 1, share, average, most)
}

// HottestOf is the law by which the first so many members have a share of the whole together, the same each, and the others the
// same each.
func HottestOf(members, hot int64, share, average, most float64) Law {
	check("share", share)
	check("average", average)
	if math.IsNaN(most) || most < 0 {
		check("maximum", most)
	}
	n := count(members)
	hot = min(max(hot, 1), n)
	first := min(float64(min(share, 1)*float64(average*float64(n)))/float64(hot), most)
	if n == hot || first <= average {
		return Law{members: n, mean: average}
	}
	return newHottest(n, hot, average, first)
}

func check(what string, v float64) {
	if !(v >= 0) || math.IsInf(v, 1) {
		panic(fmt.Sprintf("dist: %s %v", what, v))
	}
}

// count keeps a number of members within what a law can have.
func count(members int64) int64 { return min(max(members, 1), maxMembers) }

// newHottest makes a law by which the first so many ranks have as much each, and the others as much each. n is more than hot.
func newHottest(n, hot int64, average, first float64) Law {
	total := float64(average * float64(n))
	rest := max(0, total-float64(first*float64(hot))) / float64(n-hot)
	c := &curve{first: first, hot: hot, s: math.NaN(), rest: rest}
	g := universal()
	c.means = make([]float64, g.strata(n))
	for i := range c.means {
		from, end := g.edges[i], g.end(i, n)
		switch {
		case end-1 <= hot:
			c.means[i] = first
		case from > hot:
			c.means[i] = rest
		default:
			c.means[i] = (float64(float64(hot-from+1)*first) + float64(float64(end-1-hot)*rest)) / float64(end-from)
		}
	}
	c.addUp(g, n)
	return Law{members: n, mean: average, law: c}
}

// newPower makes strata of min(first, e^logScale·r^-s).
func newPower(n int64, average, first, logScale, s float64) Law {
	c := &curve{first: first, logScale: logScale, s: s}
	g := universal()
	c.means = make([]float64, g.strata(n))
	capped := max(1, cappedRanks(n, logScale-log(first), s))
	for i := range c.means {
		from, end := g.edges[i], g.end(i, n)
		switch {
		case end-1 <= capped:
			c.means[i] = first
		case end-from == 1:
			c.means[i] = c.at(from)
		case from > capped && i+1 < len(g.edges) && end == g.edges[i+1] && s <= 3:
			c.means[i] = g.stratumMean(i, logScale, s)
		default: // cut short by the end or by the cap
			low := max(from, capped+1)
			sum := float64(float64(low-from)*first) + tail(low, end-1, logScale, s)
			c.means[i] = sum / float64(end-from)
		}
	}
	c.addUp(g, n)
	return Law{members: n, mean: average, law: c}
}

// stratumMean is the mean of e^logScale·r^-s over a whole stratum: the integral between its borders by Simpson's rule, less
// the first correction of the midpoint rule, which together are exact to 1e-9 for s <= 3 at the width of 1 %.
func (g *grid) stratumMean(i int, logScale, s float64) float64 {
	at := func(logRank float64) float64 { return exp(logScale - float64(s*logRank)) }
	a, b := float64(g.edges[i])-0.5, float64(g.edges[i+1])-0.5
	fa, fm, fb := at(g.borderLogs[i]), at(g.centreLogs[i]), at(g.borderLogs[i+1])
	simpson := (fa + float64(4*fm) + fb) / 6
	slope := float64(s*fa)/a - float64(s*fb)/b // f'(b) - f'(a)
	return simpson - float64(slope/float64(24*(b-a)))
}

func (c *curve) addUp(g *grid, n int64) {
	c.sums = make([]float64, len(c.means)+1)
	for i, m := range c.means {
		c.sums[i+1] = c.sums[i] + float64(m*float64(g.size(i, n)))
	}
}

// Members is the number of members.
func (l Law) Members() int64 { return count(l.members) }

// Mean is the average over all members.
func (l Law) Mean() float64 { return l.mean }

// Total is the sum over all members.
func (l Law) Total() float64 { return float64(l.mean * float64(l.Members())) }

// Max is what rank 1 has.
func (l Law) Max() float64 { return l.At(1) }

// At is what a rank has, 1 being the first. It is 0 behind the last.
func (l Law) At(rank int64) float64 {
	switch {
	case rank < 1:
		panic("dist: ranks begin at 1")
	case rank > l.Members():
		return 0
	case l.law == nil:
		return l.mean
	}
	return l.law.at(rank)
}

func (c *curve) at(rank int64) float64 {
	switch {
	case rank == 1 || rank <= c.hot:
		return c.first
	case math.IsNaN(c.s):
		return c.rest
	}
	return min(c.first, exp(c.logScale-float64(c.s*log(float64(rank)))))
}

// Exponent is the s of a Power or Zipf law; 0 if all members are alike or the law is another.
func (l Law) Exponent() float64 {
	if l.law == nil || math.IsNaN(l.law.s) {
		return 0
	}
	return l.law.s
}

// Share is the part of the total that a rank has: of calls that spread by this law, those that fall on it.
func (l Law) Share(rank int64) float64 {
	if total := l.Total(); total > 0 {
		return l.At(rank) / total
	}
	return 1 / float64(l.Members())
}

// Rank is the rank of a member picked evenly: u, from 0 up to but not 1, is a uniform random number.
func (l Law) Rank(u float64) int64 {
	return min(1+int64(float64(clamp(u)*float64(l.Members()))), l.Members())
}

// Pick is the rank of a member picked with a probability proportional to what it has, u being a uniform random number
// as for Rank. Within one stratum all ranks are as likely.
func (l Law) Pick(u float64) int64 {
	c := l.law
	if c == nil {
		return l.Rank(u)
	}
	target := float64(clamp(u) * c.sums[len(c.sums)-1])
	low := sort.Search(len(c.means)-1, func(i int) bool { return c.sums[i+1] > target })
	g := universal()
	rank := g.edges[low]
	if m := c.means[low]; m > 0 {
		rank += int64(float64(target-c.sums[low]) / m)
	}
	return min(rank, g.end(low, l.Members())-1)
}

func clamp(u float64) float64 {
	if !(u >= 0 && u < 1) {
		panic(fmt.Sprintf("dist: %v is no uniform random number", u))
	}
	return u
}

// Whole rounds x up or down at random, so that its mean stays: u is a uniform random number as for Law.Rank.
func Whole(x, u float64) int64 {
	whole := math.Floor(x)
	if clamp(u) < x-whole {
		whole++
	}
	return int64(whole)
}
