package design

import (
	"fmt"

	"github.com/tablewright/tablewright/capacity"
)

// noMoment notes why nothing answers a demand as of one moment. DynamoDB reads that way one item, or up to a hundred by keys that are
// known before (TransactGetItems); a query goes on while others write, even within one page.
func (s *seeker) noMoment() {
	if _, known := s.misses[s.d.name]; known {
		return
	}
	only := fmt.Sprintf("one moment is that of one item, or of up to %d whose keys the call gives", capacity.TransactionActions)
	for _, n := range s.d.ways {
		if !n.back || single(n.way) {
			continue
		}
		why := forbidsEmbedding(s.facts, n.entity(), n.way, s.demands)
		if why == "" {
			continue
		}
		s.misses[s.d.name] = fmt.Sprintf("%s; the %s are found by a query, and cannot lie inside the item of their %s because %s", only, n.way.Inverse, n.way.To.Name, why)
		return
	}
	s.misses[s.d.name] = only + "; what a query finds is not"
}
