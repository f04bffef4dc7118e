package dist

import "math"

// log and exp are accurate to about one unit in the last place, and give the same bits on every architecture. Those of
// package math do not: they are assembly on some, and fused on others.

const (
	ln2High = 6.93147180369123816490e-01 // the upper bits of ln 2, so that k·ln2High is exact for any exponent k
	ln2Low  = 1.90821492927058770002e-10
)

// log is the natural logarithm of a positive, finite x.
func log(x float64) float64 {
	frac, e := math.Frexp(x) // exact
	if frac < math.Sqrt2/2 {
		frac, e = frac+frac, e-1
	}
	k := float64(e)
	// ln(frac) = 2·artanh(s), |s| < 0.172: the series ends below the precision at the 11th term.
	s := (frac - 1) / (frac + 1)
	z := float64(s * s)
	var series float64
	for i := 23; i >= 3; i -= 2 {
		series = float64(float64(series+1/float64(i)) * z)
	}
	return float64(k*ln2High) + float64(float64(2*s)+float64(float64(2*s)*series)+float64(k*ln2Low))
}

// exp is e^x, for any x.
func exp(x float64) float64 {
	switch {
	case x > 709.7:
		return math.Inf(1)
	case x < -745:
		return 0
	}
	k := math.Floor(float64(x/math.Ln2) + 0.5)
	r := float64(x-float64(k*ln2High)) - float64(k*ln2Low) // |r| <= 0.347
	sum := 1.0
	for i := 15; i >= 1; i-- { // Horner: 1 + r(1 + r/2(1 + r/3(…
		sum = 1 + float64(float64(r*sum)/float64(i))
	}
	return math.Ldexp(sum, int(k)) // exact but for subnormal results
}

// pow is x^-s for positive x.
func pow(x, s float64) float64 { return exp(-float64(s * log(x))) }

// bisect finds where a function that does not increase falls below zero, to the last bit: the largest float between low
// and high, as far as it can tell, with f >= 0. f(low) must be >= 0.
func bisect(low, high float64, f func(float64) float64) float64 {
	for {
		mid := low + float64((high-low)/2)
		if mid <= low || mid >= high {
			return low
		}
		if f(mid) >= 0 {
			low = mid
		} else {
			high = mid
		}
	}
}
