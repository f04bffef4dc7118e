package dist

// harmonic is the generalized harmonic number: the sum of r^-s over the ranks 1 to n, for s >= 0.
func harmonic(n int64, s float64) float64 { return powerSum(1, n, s) }

// powerSum is the sum of (r/first)^-s over the ranks first to last, to about 1e-13 of itself. The first terms are added one by
// one, until the terms change slowly enough for the Euler-Maclaurin formula.
func powerSum(first, last int64, s float64) float64 {
	var sum float64
	logFirst := log(float64(first))
	term := 1.0
	for smooth := 24 + int64(4*s); first < smooth; first++ {
		if first > last || term < 1e-20 {
			return sum
		}
		sum += term
		term = exp(float64(s * (logFirst - log(float64(first+1)))))
	}
	if first > last {
		return sum
	}
	return sum + float64(term*smoothPowerSum(float64(first), float64(last), s))
}

// smoothPowerSum is the sum of (r/a)^-s over the ranks a to b by the Euler-Maclaurin formula with four corrections.
func smoothPowerSum(a, b, s float64) float64 {
	fa, fb := 1.0, pow(b/a, s)
	sum := float64(a*expm1Over(1-s, log(b/a))) + float64((fa+fb)/2)
	// Odd derivatives of (x/a)^-s at both ends, each from the one two before, over B(2k)/(2k)!.
	da, db := float64(s*fa)/a, float64(s*fb)/b
	sum += (da - db) / 12
	da, db = float64(da*float64((s+1)*(s+2)))/float64(a*a), float64(db*float64((s+1)*(s+2)))/float64(b*b)
	sum -= (da - db) / 720
	da, db = float64(da*float64((s+3)*(s+4)))/float64(a*a), float64(db*float64((s+3)*(s+4)))/float64(b*b)
	sum += (da - db) / 30240
	da, db = float64(da*float64((s+5)*(s+6)))/float64(a*a), float64(db*float64((s+5)*(s+6)))/float64(b*b)
	return sum - (da-db)/1209600
}

// expm1Over is (e^(t·w) - 1)/t, which is w at t = 0, for w >= 0: the integral of x^(t-1) from 1 to e^w.
func expm1Over(t, w float64) float64 {
	x := float64(t * w)
	if x > 0.5 || x < -0.5 {
		return (exp(x) - 1) / t
	}
	sum := 1.0
	for i := 18; i >= 2; i-- { // 1 + x/2(1 + x/3(…
		sum = 1 + float64(float64(x*sum)/float64(i))
	}
	return float64(w * sum)
}
