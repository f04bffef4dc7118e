package prove

import "math/rand/v2"

// spread gives numbers of [0, 1) each of which is as random as any, while together they lie more evenly than chance alone
// would have them: of sixteen in a row one falls into each sixteenth of the range, and of the sixteen that have fallen
// into one sixteenth, one into each sixteenth of that. A mean over calls that are drawn so needs far fewer calls than one
// over independent draws (stratified sampling), and rare large answers come up as often as they should.
type spread struct {
	order [strata]uint8 // what is left of the current round, from at on
	at    int
	inner [strata]*spread // nil in those that divide no further
}

const strata = 16

func newSpread(depth int) *spread {
	s := &spread{at: strata}
	for i := range s.order {
		s.order[i] = uint8(i)
		if depth > 1 {
			s.inner[i] = newSpread(depth - 1)
		}
	}
	return s
}

func (s *spread) next(rnd *rand.Rand) float64 {
	if s.at == strata {
		rnd.Shuffle(strata, func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
		s.at = 0
	}
	k := s.order[s.at]
	s.at++
	within := 0.0
	if in := s.inner[k]; in != nil {
		within = in.next(rnd)
	} else {
		within = rnd.Float64()
	}
	return (float64(k) + within) / strata
}

// purpose is what a number is drawn for. Draws for one purpose lie evenly among themselves, and by chance to those for
// another.
type purpose struct {
	of   any // the attribute, relationship, pattern or parameter concerned
	what string
}

// even is the next number of [0, 1) for a purpose.
func (s *source) even(of any, what string) float64 {
	p := purpose{of, what}
	e := s.spreads[p]
	if e == nil {
		e = newSpread(2)
		s.spreads[p] = e
	}
	return e.next(s.rnd)
}

// evenChance is true with probability p.
func (s *source) evenChance(p float64, of any, what string) bool { return s.even(of, what) < p }

// evenIndex is one of n indexes.
func (s *source) evenIndex(n int, of any, what string) int {
	return min(int(s.even(of, what)*float64(n)), n-1)
}
