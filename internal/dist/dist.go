package dist

import (
	"math"
	"slices"
	"sort"
)

// Dist is a discrete distribution: finitely many values, each with a probability. It is immutable. The zero Dist is 0 for
// certain.
type Dist struct {
	atoms []atom // by rising x, no x twice; nil: 0 for certain
}

type atom struct{ x, p float64 }

// Point is x for certain.
func Point(x float64) Dist { return Dist{[]atom{{x, 1}}} }

// whole is x rounded up or down at random.
func whole(x float64) Dist {
	var c collector
	c.addWhole(x, 1)
	return c.dist()
}

// Mix is the distribution of a value drawn from one of several distributions, picked by weight. Weights need not sum to 1; one
// at least is positive.
func Mix(weights []float64, of []Dist) Dist {
	var c collector
	for i, d := range of {
		for _, a := range d.all() {
			c.add(a.x, float64(weights[i]*a.p))
		}
	}
	return c.dist()
}

// collector gathers values with weights.
type collector struct{ atoms []atom }

func (c *collector) add(x, weight float64) {
	if weight > 0 {
		c.atoms = append(c.atoms, atom{x, weight})
	}
}

// collect makes a collector with room for a number of values.
func collect(n int) collector { return collector{make([]atom, 0, n)} }

// addWhole adds x rounded up or down at random.
func (c *collector) addWhole(x, weight float64) {
	low := math.Floor(x)
	up := x - low
	c.add(low, float64(weight*(1-up)))
	c.add(low+1, float64(weight*up))
}

// dist makes a distribution of what was gathered, weights in proportion.
func (c *collector) dist() Dist {
	if !slices.IsSortedFunc(c.atoms, byValue) { // most come in order
		slices.SortStableFunc(c.atoms, byValue)
	}
	out := c.atoms[:0]
	var total float64
	for _, a := range c.atoms {
		total += a.p
		if n := len(out); n > 0 && out[n-1].x == a.x {
			out[n-1].p += a.p
		} else {
			out = append(out, a)
		}
	}
	for i := range out {
		out[i].p /= total
	}
	if cap(out) >= 2*len(out) { // distributions are kept, and many values have become one
		out = slices.Clone(out)
	}
	return Dist{out}
}

func byValue(a, b atom) int {
	switch {
	case a.x < b.x:
		return -1
	case a.x > b.x:
		return 1
	}
	return 0
}

var zero = []atom{{0, 1}}

func (d Dist) all() []atom {
	if d.atoms == nil {
		return zero
	}
	return d.atoms
}

// Len is the number of different values.
func (d Dist) Len() int { return len(d.all()) }

// At is the i-th value, from the smallest, and its probability.
func (d Dist) At(i int) (x, p float64) { return d.all()[i].x, d.all()[i].p }

// Min is the smallest value.
func (d Dist) Min() float64 { return d.all()[0].x }

// Max is the largest value.
func (d Dist) Max() float64 { return d.all()[d.Len()-1].x }

// Expect is the expectation of f.
func (d Dist) Expect(f func(x float64) float64) float64 {
	var sum float64
	for _, a := range d.all() {
		sum += float64(f(a.x) * a.p)
	}
	return sum
}

// Mean is the expectation of the value itself.
func (d Dist) Mean() float64 { return d.Expect(func(x float64) float64 { return x }) }

// Quantile is the value below which no more than u of the distribution lies, for u from 0 up to but not 1: with uniform random
// numbers it draws from the distribution.
func (d Dist) Quantile(u float64) float64 {
	rest := clamp(u)
	for _, a := range d.all() {
		if rest < a.p {
			return a.x
		}
		rest -= a.p
	}
	return d.Max()
}

// Below is the probability of a value less than x.
func (d Dist) Below(x float64) float64 {
	all := d.all()
	var sum float64
	for _, a := range all[:sort.Search(len(all), func(i int) bool { return all[i].x >= x })] {
		sum += a.p
	}
	return sum
}

// Map is the distribution of f of the value.
func (d Dist) Map(f func(x float64) float64) Dist {
	c := collect(d.Len())
	for _, a := range d.all() {
		c.add(f(a.x), a.p)
	}
	return c.dist()
}

// Shift is the distribution of the value plus a constant.
func (d Dist) Shift(by float64) Dist { return d.Map(func(x float64) float64 { return x + by }) }

// SizeBiased is the distribution that weighs every value by itself: of the number of children that a parent has, it is the
// number of siblings, itself included, that a child finds. Values must not be negative; of 0 for certain it is 0 for certain.
func (d Dist) SizeBiased() Dist {
	var c collector
	for _, a := range d.all() {
		c.add(a.x, float64(a.x*a.p))
	}
	if c.atoms == nil {
		return Dist{}
	}
	return c.dist()
}

// Requests splits a whole number into as few requests of at most a limit as it takes, at least one, all full but for the
// last: the distribution of what one of them has, and how many there are on average.
func (d Dist) Requests(limit int) (each Dist, mean float64) {
	c := collect(d.Len())
	for _, a := range d.all() {
		n := math.Max(math.Ceil(a.x/float64(limit)), 1)
		mean += float64(a.p * n)
		if n > 1 {
			c.add(float64(limit), float64(a.p*(n-1)))
		}
		c.add(a.x-float64((n-1)*float64(limit)), a.p)
	}
	return c.dist(), mean
}

// Asked is the share of n parts that a page asks, on average, where k elements lie in n parts by chance and are read
// from all of them in pages of a size: the first page asks all, a later one those that still have some of what is left.
// In an order the pages come from all parts alike; without one they come from one part after the other, and what is
// left lies in the last ones.
func (d Dist) Asked(n, page int, ordered bool) float64 {
	if page < 1 || n < 1 {
		panic("dist: a page has at least one element, and there is at least one part")
	}
	const all = 20 // times as many elements as parts: none is without
	const some = 64
	size, parts := float64(page), float64(n)
	missed := math.Inf(-1) // logarithm of the chance that one element lies elsewhere
	if n > 1 {
		missed = log(1 - 1/parts)
	}
	return d.Thinned().Expect(func(k float64) float64 {
		pages := math.Max(1, math.Ceil(k/size))
		first := math.Max(1, math.Floor((k-float64(all*parts))/size)) // pages that ask all of them
		first = math.Min(first, pages)
		if !ordered {
			first = 1
		}
		hit := parts // of all parts, those that have something
		if 0 < k && k < float64(all*parts) {
			hit = float64(parts * (1 - exp(float64(k*missed))))
		}
		sum, later := first, pages-first
		stand := math.Max(1, later/some) // pages for which one stands
		for i := 0.0; i < later; i += stand {
			stands := math.Min(stand, later-i)
			left := k - float64((first+i+(stands-1)/2)*size)
			empty := 1.0
			switch {
			case left <= 0:
			case ordered:
				empty = exp(float64(left * missed))
			default: // one part, and as many more as have their first element there
				empty = 1 - (1+float64((hit-1)*math.Max(left-1, 0))/math.Max(k-1, 1))/parts
			}
			sum += float64(stands * (1 - empty))
		}
		return sum / pages
	})
}

// Pages is the distribution of the number of elements on a page, of a whole number k that is read in pages of a size: k has
// ⌈k/page⌉ pages, at least one, all as likely, full but for the last.
func (d Dist) Pages(page int) Dist {
	if page < 1 {
		panic("dist: a page has at least one element")
	}
	size := float64(page)
	var c collector
	for _, a := range d.all() {
		pages := max(1, math.Ceil(a.x/size))
		c.add(size, float64(a.p*(pages-1))/pages)
		c.add(a.x-float64((pages-1)*size), a.p/pages)
	}
	return c.dist()
}
