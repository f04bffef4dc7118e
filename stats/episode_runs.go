package stats

import (
	"slices"
	"time"
)

const (
	// between is how long after one call the next one still belongs to a run; shortest is how many calls are one.
	between, betweenLong   = int64(250 * time.Millisecond), int64(100 * time.Millisecond)
	shortest, shortestLong = 3, 4
	// longest is the most that one BatchGetItem gets: a run that is longer counts as several.
	longest = 100
)

// run is calls that one batch could be, not yet over.
type run struct {
	first       *operationTraffic
	n           int
	start, end  int64
	read, write float64
	returned    float64
	items       [8]uint64 // the last of them
	// of two runs whose calls take turns, as of a loop over two tables: the first call of the other, and whether it has just had its turn
	turns *operationTraffic
	their bool
}

// like reports whether two calls can be of one run: gets by one pattern, puts and deletes of one table.
func (t *operationTraffic) like(o *operationTraffic) bool {
	return t == o || t.call != getCall && o.call != getCall && t.key.table == o.key.table
}

// stands reports whether a run goes on although there was another call that is one of a run, since they take turns. Of one table that is
// more likely a chain, where each call needs what the one before brought.
func (r *run) stands(op *operationTraffic) bool {
	if r.their || op.key.table == r.first.key.table || (op.call == getCall) != (r.first.call == getCall) || r.n > 1 && (r.turns == nil || !r.turns.like(op)) {
		return false
	}
	r.turns, r.their = op, true
	return true
}

// goesOn reports whether a call like those of the run is its next one: where they took turns, the other has had its own.
func (r *run) goesOn() bool {
	if r.n == 2 && !r.their { // one call of another kind at its begin is no turn
		r.turns = nil
	}
	return r.turns == nil || r.their
}

// run lets a call go on a run, or end those that it stands between.
func (w *caller) run(x *episodes, h uint64, e *Event, op *operationTraffic, joins, again bool, end int64, weight float64, gap int64) {
	if again {
		return // it needs no batch, it need not be
	}
	mine := -1
	for i := range w.runs {
		r := &w.runs[i]
		if r.n == 0 {
			continue
		}
		like := r.first.like(op)
		goesOn := joins && mine < 0 && like && r.goesOn() && e.Start-r.end <= gap && !(op.call != getCall && slices.Contains(r.items[:], e.Item.Hash))
		switch {
		case goesOn:
			mine = i
		case joins && !like && !w.old(end) && e.Start >= r.end && e.Start-r.end <= gap && r.stands(op):
		case e.Start >= r.end:
			w.end(x, h, r, weight)
		}
	}
	if !joins {
		return
	}
	if mine < 0 {
		oldest := 0
		for i := range w.runs {
			if w.runs[i].n == 0 {
				oldest = i
				break
			}
			if w.runs[i].end < w.runs[oldest].end {
				oldest = i
			}
		}
		mine = oldest
		w.end(x, h, &w.runs[mine], weight)
		w.runs[mine] = run{first: op, start: e.Start, end: end}
	}
	r := &w.runs[mine]
	r.their = false
	r.items[r.n%len(r.items)] = e.Item.Hash
	r.end = max(r.end, end)
	r.n++
	r.read += e.Read
	r.write += e.Write
	r.returned += float64(e.Items)
	if r.n == shortest {
		x.example(h, r.key(), e.Item.Text)
	}
	if r.n == longest {
		w.end(x, h, r, weight)
	}
}

func (r *run) key() episodeKey {
	if r.first.call == getCall {
		return alone(singleGets, r.first)
	}
	return alone(singlePuts, r.first) // puts and deletes may follow each other
}

// end counts a run that is over, if it is long enough to be one.
func (w *caller) end(x *episodes, h uint64, r *run, weight float64) {
	if sum, key := w.ended(r); sum.count > 0 {
		w.found(x, h, weight, key, sum, r.items[0], nil)
	}
	r.n = 0
}

func (w *caller) ended(r *run) (episodeSum, episodeKey) {
	least := shortest
	if w.old(r.end) {
		least = shortestLong
	}
	if r.n < least {
		return episodeSum{}, episodeKey{}
	}
	return episodeSum{1, 1, float64(r.n), r.read, r.write, r.returned, float64(r.end - r.start), float64(r.n) * float64(r.n)}, r.key()
}
