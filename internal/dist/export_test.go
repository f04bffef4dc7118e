package dist

// For tests from outside.
var (
	Log, Exp = log, exp
	Harmonic = harmonic
)

// Strata is how many strata the law has; 1 if it is flat.
func (l Law) Strata() int {
	if l.law == nil {
		return 1
	}
	return len(l.law.means)
}

// StratumMeans yields every stratum with its mean.
func (l Law) StratumMeans(yield func(first, end int64, mean float64)) {
	g := universal()
	for i, m := range l.law.means {
		yield(g.edges[i], g.end(i, l.Members()), m)
	}
}
