// Package dist holds distributions that are stated by a few figures, and computes expectations over them: rank laws over
// populations of any size, and discrete distributions.
//
// A [Law] says how a quantity spreads over n members that are ordered from the largest: [Power] from an average and a
// maximum, [Zipf], [Hottest], [Uniform]. It is kept as means over strata of ranks on a geometric grid (each rank up to 100
// on its own, then ratio 1.01), so an expectation over a hundred million members evaluates a function some two thousand times.
// Quantities are whole numbers: a member whose value is 2.3 has 2 or 3, at random, with mean 2.3.
//
// Laws over the same population can be read together ([Together]): rank 1 is the same member in all of them.
//
// A [Dist] is a discrete distribution: that of one member of a Law, of one weighted by another law ([Law.Weighted], the value
// behind a call when calls are skewed) or by itself ([Dist.SizeBiased], the siblings that a child has), of a page
// ([Dist.Pages]), or of sums of independent values ([Plus], [Sums], [Compound]).
//
// Everything is deterministic and the same on every machine: no source of randomness, elementary functions of its own (those
// of package math are assembly on some architectures), and products rounded by an explicit float64(…) before they are added
// to something, where a compiler could otherwise fuse both.
package dist
