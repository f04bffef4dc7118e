package dist

import (
	"math"
	"sort"
	"sync"
)

// maxMembers bounds a population: every rank up to it is an exact float64.
const maxMembers = 1 << 53

// singles is how many ranks stand alone before strata grow by ratio.
const (
	singles = 100
	ratio   = 1.01
)

// grid is where strata begin, for the largest population; a smaller one cuts the last stratum short. Strata hold the
// ranks from edge i to before edge i+1. The logarithms at borders and centres are what power laws need.
type grid struct {
	edges      []int64
	borderLogs []float64 // log(edges[i] - 1/2)
	centreLogs []float64 // log of the middle of borders i and i+1
}

var universal = sync.OnceValue(func() *grid {
	g := &grid{}
	for e := int64(1); e <= maxMembers; {
		g.edges = append(g.edges, e)
		g.borderLogs = append(g.borderLogs, log(float64(e)-0.5))
		next := e + 1
		if e >= singles {
			next = max(next, int64(math.Floor(float64(float64(e)*ratio))))
		}
		g.centreLogs = append(g.centreLogs, log(float64(float64(e+next)/2)-0.5))
		e = next
	}
	return g
})

// strata is how many strata n members have.
func (g *grid) strata(n int64) int { return g.find(n) + 1 }

// find is the stratum that holds a rank.
func (g *grid) find(rank int64) int {
	return sort.Search(len(g.edges), func(i int) bool { return g.edges[i] > rank }) - 1
}

// end is the rank behind stratum i of n members.
func (g *grid) end(i int, n int64) int64 {
	if i+1 < len(g.edges) && g.edges[i+1] <= n {
		return g.edges[i+1]
	}
	return n + 1
}

// size is how many ranks stratum i of n members holds.
func (g *grid) size(i int, n int64) int64 { return g.end(i, n) - g.edges[i] }
