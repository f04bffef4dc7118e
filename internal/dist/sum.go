package dist

import (
	"math"
	"math/bits"
)

// Sums of independent values grow in the number of different ones. They are kept few by merging light ones that are close to
// each other, in relation to how far they are from the mean: into their own mean, rounded at random, so that sums of whole
// numbers stay whole and keep their mean. Near the mean, where the weight is, nothing is merged.
const (
	// apart is how far from the mean whole numbers stay apart; beyond, it is how many values there are until the distance has
	// doubled.
	apart = 32
	// heavy values are never merged, so that a size which most have stays exactly what it is.
	heavy = 1.0 / 512
	// light runs of values are merged wherever they are.
	light = 1e-9
	// many is how many values a sum may have before any are merged.
	many = 256
)

// Plus is the distribution of the sum of two independent values.
func Plus(d, e Dist) Dist {
	if d.Len() > e.Len() {
		d, e = e, d
	}
	if d.Len() == 1 {
		return e.Shift(d.Min())
	}
	m := merger{centre: math.Round(d.Mean() + e.Mean()), keep: d.Len()*e.Len() <= many}
	m.exact = collect(min(d.Len()*e.Len(), many))
	for _, a := range d.all() {
		for _, b := range e.all() {
			m.add(a.x+b.x, float64(a.p*b.p))
		}
	}
	return m.dist()
}

// merger gathers many weighted values, merged as they come.
type merger struct {
	centre      float64
	keep        bool // all of them
	exact       collector
	above, less []bin // by distance from the centre
}

// bin is a merged value: its weight, and the sum of weighted distances from the centre.
type bin struct{ p, moment float64 }

func (m *merger) add(x, p float64) {
	if m.keep || p >= heavy {
		m.exact.add(x, p)
		return
	}
	distance, side := x-m.centre, &m.above
	if distance < 0 {
		distance, side = -distance, &m.less
	}
	i := binOf(distance)
	for len(*side) <= i {
		*side = append(*side, bin{})
	}
	b := &(*side)[i]
	b.p += p
	b.moment += float64(p * distance)
}

// binOf numbers the merged values by their distance from the centre: each whole number below apart on its own, then apart/2 of
// them per doubling.
func binOf(distance float64) int {
	if distance < apart {
		return int(distance)
	}
	n := uint64(distance)
	shift := bits.Len64(n) - bits.Len(apart-1)
	return shift*(apart/2) + int(n>>shift)
}

func (m *merger) dist() Dist {
	for _, b := range m.above {
		m.addMerged(m.centre+b.moment/b.p, b.p)
	}
	for _, b := range m.less {
		m.addMerged(m.centre-b.moment/b.p, b.p)
	}
	d := m.exact.dist()
	d.mergeLight()
	return d
}

// addMerged adds what a bin holds. The mean of one whole number may be off in its last digits.
func (m *merger) addMerged(x, p float64) {
	if r := math.Round(x); math.Abs(x-r) < 1e-9 {
		m.exact.add(r, p)
	} else {
		m.exact.addWhole(x, p)
	}
}

// hasLight reports whether neighbours weigh next to nothing together.
func (d *Dist) hasLight() bool {
	for i := 1; i < len(d.atoms); i++ {
		if d.atoms[i-1].p+d.atoms[i].p < light {
			return true
		}
	}
	return false
}

// mergeLight merges runs of values that weigh next to nothing together.
func (d *Dist) mergeLight() {
	if !d.hasLight() {
		return
	}
	c := collect(d.Len())
	for i := 0; i < len(d.atoms); {
		a, end := d.atoms[i], i+1
		for ; end < len(d.atoms) && a.p+d.atoms[end].p < light; end++ {
			b := d.atoms[end]
			p := a.p + b.p
			a.x += float64((b.x - a.x) * (b.p / p))
			a.p = p
		}
		if end == i+1 {
			c.add(a.x, a.p)
		} else {
			c.addWhole(a.x, a.p)
		}
		i = end
	}
	*d = c.dist()
}

// Sums are the distributions of sums of independent values that are all distributed alike. It remembers what it has computed,
// and is not safe for concurrent use.
type Sums struct {
	of     Dist
	done   map[int]Dist // that of 1 is merged
	coarse int          // to how many values sums are merged; 0: as many as it takes
	spread float64      // standard deviation of one, where sums are coarse
}

// CoarseSums makes the sums of values distributed like d for who asks for blocks of thousands only, such as bytes: values and
// sums are kept Coarse, which is a hundred times faster where values differ much.
func CoarseSums(d Dist, n int) *Sums {
	s := NewSums(d.Coarse(n))
	s.coarse = n
	mean := s.of.Mean()
	s.spread = math.Sqrt(s.of.Expect(func(x float64) float64 { return float64((x - mean) * (x - mean)) }))
	return s
}

// NewSums makes the sums of values distributed like d.
func NewSums(d Dist) *Sums {
	m := merger{centre: math.Round(d.Mean()), keep: d.Len() <= many}
	for _, a := range d.all() {
		m.add(a.x, a.p)
	}
	return &Sums{of: d, done: map[int]Dist{0: {}, 1: m.dist()}}
}

// Of is the distribution of the sum of k values.
func (s *Sums) Of(k int) Dist {
	switch {
	case s.of.Len() == 1:
		return Point(float64(float64(k) * s.of.Min()))
	case k == 1:
		return s.of
	}
	return s.sum(k)
}

// normal is from how many values on a coarse sum is taken as a normal distribution.
const normal = 256

func (s *Sums) sum(k int) Dist {
	d, ok := s.done[k]
	switch {
	case ok:
	case s.coarse > 0 && k >= normal:
		mean, by := float64(float64(k)*s.of.Mean()), float64(math.Sqrt(float64(k))*s.spread)
		c := collect(len(deviates))
		for _, z := range deviates {
			c.add(mean+float64(z*by), 1)
		}
		d = c.dist()
		s.done[k] = d
	default:
		d = Plus(s.sum(k/2), s.sum(k-k/2))
		if s.coarse > 0 {
			d = d.Coarse(s.coarse)
		}
		s.done[k] = d
	}
	return d
}

// Compound is the distribution of the sum of a random number of values: count is the distribution of how many there are, a
// whole number, and of whatever it is each is distributed like the other sums says.
func (s *Sums) Compound(count Dist) Dist {
	if s.of.Len() == 1 {
		x := s.of.Min()
		return count.Map(func(k float64) float64 { return float64(k * x) })
	}
	count = count.Thinned()
	m := merger{centre: math.Round(float64(count.Mean() * s.of.Mean()))}
	for _, a := range count.all() {
		for _, b := range s.Of(int(a.x)).all() {
			m.add(b.x, float64(a.p*b.p))
		}
	}
	return m.dist()
}

// exactCounts is up to which number every count is convolved; behind it light ones are rounded, at random so that their mean
// stays, to eight numbers per doubling.
const exactCounts = 32

// Thinned is a distribution of whole numbers with few different values, all near those of d: its mean stays, and so do small
// numbers and such as are frequent.
func (d Dist) Thinned() Dist {
	if d.Len() <= exactCounts {
		return d
	}
	var c collector
	for _, a := range d.all() {
		if a.x <= exactCounts || a.p >= heavy {
			c.add(a.x, a.p)
			continue
		}
		step := float64(uint64(1) << (bits.Len64(uint64(a.x)) - 4))
		low := float64(math.Floor(a.x/step) * step)
		up := (a.x - low) / step
		c.add(low, float64(a.p*(1-up)))
		c.add(low+step, float64(a.p*up))
	}
	return c.dist()
}
