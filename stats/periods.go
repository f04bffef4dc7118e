package stats

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
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

// recorded is when the calls were that no hook saw.
type recorded struct {
	hooked atomic.Bool // somebody made a hook

	mu          sync.Mutex
	first, last int64 // beginning of the first, end of the last; nanoseconds since 1970
	any         bool
}

func (r *recorded) see(e *Event) {
	end := e.Start + max(int64(e.Took), 0)
	if end < e.Start { // too large a number
		end = e.Start
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.any {
		r.any, r.first, r.last = true, e.Start, end
		return
	}
	r.first, r.last = min(r.first, e.Start), max(r.last, end)
}

// watched are the times that a Collector covers that watches since from: its own, and that of what was recorded. Calls of a time
// before it are all there is where no hook watches.
func (r *recorded) watched(from, now time.Time, reset bool) []Period {
	r.mu.Lock()
	defer r.mu.Unlock()
	own := Period{from, now}
	if !r.any {
		return []Period{own}
	}
	of := Period{time.Unix(0, r.first).UTC(), time.Unix(0, r.last).UTC()}
	if reset {
		r.any = false
	}
	if of.To.Before(from) && !r.hooked.Load() {
		return []Period{of}
	}
	return join([]Period{of, own})
}
