package prove

import (
	"math"

	"github.com/tablewright/tablewright/spec"
)

// A proof is bounded by work and not by time, so that it is the same on every machine: what calls read is counted in bytes
// of answers, a request as so many more, and so is an instance that the oracle looks at. Each access pattern gets its share
// of what a phase may do, and makes a few calls of each aim or intent in any case: the more patterns there are, the fewer calls
// each has. Options.Scale makes all of it larger.
const (
	perRequest = 4_096
	perLook    = 48
	allWork    = 240_000_000 // of one phase over all patterns: some seconds
	mostWork   = 24_000_000  // of one of them
	lookAgain  = 0.25
	fewCalls   = 3    // of each aim in any case
	mostOfRead = 0.05 // of what a phase may do, one call that goes through all of its pages
)

// allowance is how much work a phase may do for one access pattern; part is how much of it a phase is that only looks again.
func (s *session) allowance(part float64) float64 {
	return math.Min(allWork/float64(max(len(s.asked), 1)), mostWork) * part * s.o.Scale
}

// dear reports whether one call of a read pattern can take all the work that a phase which looks again may do for it, such as a
// list of everything with the children of each. It is called once with each aim on data at rest, and not after each write.
func (s *session) dear(p *spec.Pattern) bool { return s.tallies[p].dearest > s.allowance(lookAgain) }

// inAnyCase is how many calls of a read pattern each aim has, however much work they take.
func (s *session) inAnyCase(p *spec.Pattern) int {
	if s.dear(p) {
		return 1
	}
	return fewCalls
}

// budget is work that may be done.
type budget struct {
	of  *session
	end float64
}

func (s *session) budget(part float64) budget {
	return budget{s, s.worked() + s.allowance(part)}
}

// spent reports whether it is done.
func (b budget) spent() bool { return b.of.worked() > b.end }

// worked is the work of the proof so far.
func (s *session) worked() float64 {
	return s.counted.done() + perLook*float64(s.oracle.looked)
}

func (o *operations) done() float64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.work
}
