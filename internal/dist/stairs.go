package dist

// Stairs is a distribution prepared for expectations of step functions, such as the number of blocks that a size takes.
type Stairs struct {
	of    []atom
	below []float64 // by atom: the probability of all before it
}

// StairsOf prepares a distribution.
func StairsOf(d Dist) Stairs {
	s := Stairs{of: d.all(), below: make([]float64, d.Len()+1)}
	for i, a := range s.of {
		s.below[i+1] = s.below[i] + a.p
	}
	s.below[len(s.of)] = 1
	return s
}

// None reports whether nothing has been prepared.
func (s Stairs) None() bool { return s.of == nil }

// Expect is the expectation of f, which must not fall as x rises: it is asked for a few values around each of its steps.
func (s Stairs) Expect(f func(x float64) float64) float64 {
	n := len(s.of) - 1
	return s.between(f, 0, n, f(s.of[0].x), f(s.of[n].x))
}

// between is what the atoms from i to j add, of which f is known at both ends.
func (s Stairs) between(f func(x float64) float64, i, j int, low, high float64) float64 {
	if low == high {
		return float64(low * (s.below[j+1] - s.below[i]))
	}
	if j == i+1 {
		return float64(low*(s.below[j]-s.below[i])) + float64(high*(s.below[j+1]-s.below[j]))
	}
	m := (i + j) / 2
	at := f(s.of[m].x)
	// The atom in the middle counts on the left.
	return s.between(f, i, m, low, at) + s.right(f, m+1, j, high)
}

// right is between where f is not known at the left end.
func (s Stairs) right(f func(x float64) float64, i, j int, high float64) float64 {
	if i == j {
		return float64(high * (s.below[j+1] - s.below[j]))
	}
	return s.between(f, i, j, f(s.of[i].x), high)
}
