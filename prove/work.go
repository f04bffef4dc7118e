package prove

import "math"

// A proof is bounded by work and not by time, so that it is the same on every machine: what calls read is counted in bytes
// of answers, a request as so many more. Each access pattern gets its share of what a phase may do, and makes a few calls of
// each aim in any case.
const (
	perRequest = 4_096
	allReads   = 240_000_000 // of one sweep over all read patterns: some seconds
	mostReads  = 24_000_000  // of one of them
	leastReads = 6_000_000
	lookAgain  = 0.25
	fewCalls   = 3 // of each aim in any case
)

// allowance is how much work a phase may do for one access pattern; part is how much of it a phase is that only looks again.
func (s *session) allowance(part float64) float64 {
	each := allReads / float64(max(len(s.asked), 1))
	return math.Min(math.Max(each, leastReads), mostReads) * part * s.o.Scale
}

// budget is work that may be done.
type budget struct {
	of  *operations
	end float64
}

func (s *session) budget(part float64) budget {
	return budget{s.counted, s.counted.done() + s.allowance(part)}
}

// spent reports whether it is done.
func (b budget) spent() bool { return b.of.done() > b.end }

func (o *operations) done() float64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.work
}
