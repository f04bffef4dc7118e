package stats

import (
	"cmp"
	"slices"
	"time"
)

// Period is a time without interruption.
type Period struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// periodsKept bounds the periods of a Snapshot: beyond, those with the least between them are one.
const periodsKept = 1024

// join makes one of periods that meet, and is the rest in order.
func join(all []Period) (out []Period) {
	slices.SortFunc(all, func(a, b Period) int { return cmp.Or(a.From.Compare(b.From), a.To.Compare(b.To)) })
	for _, p := range all {
		n := len(out)
		if n == 0 || p.From.After(out[n-1].To) {
			out = append(out, p)
		} else if p.To.After(out[n-1].To) {
			out[n-1].To = p.To
		}
	}
	for len(out) > periodsKept {
		least := 1
		for i := 2; i < len(out); i++ {
			if out[i].From.Sub(out[i-1].To) < out[least].From.Sub(out[least-1].To) {
				least = i
			}
		}
		out[least-1].To = out[least].To
		out = slices.Delete(out, least, least+1)
	}
	return out
}

// watched are the periods of a Snapshot, also of one that tells none.
func (s *Snapshot) watched() []Period {
	if len(s.Watched) == 0 {
		return []Period{{s.From, s.To}}
	}
	return s.Watched
}
