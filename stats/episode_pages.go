package stats

import (
	"sync"
	"time"
)

const (
	// pagesKept is how many reads a stripe knows of that stand at a page.
	pagesKept = 16
	// pageHorizon is how long after a page nobody takes its cursor any more. Where somebody does, what was counted is taken back.
	pageHorizon = int64(2 * time.Second)
	// wholePage is about how many units an eventually consistent read of 1 MB is: a page of as many ended there, not at the limit
	// that was asked for (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html).
	wholePage = 120
)

type pageStripe struct {
	mu     sync.Mutex
	hashes [pagesKept]uint64
	last   [pagesKept]int64
	reads  *[pagesKept]pagedRead
}

// pagedRead is reads by one pattern, of a query of one partition key, that stand at a page.
type pagedRead struct {
	op      *operationTraffic
	item    [1]uint64      // the partition key
	waiting [8]waitingPage // the oldest first
	n       int
	given   [8]uint8 // kinds of those that were counted, to take them back
	givens  int
}

type waitingPage struct {
	kind        uint8
	end         int64
	read, items float64
	took        float64
	caller      uint64
}

func (p *waitingPage) sum() episodeSum { return episodeSum{1, 1, 1, p.read, 0, p.items, p.took, 0} }

// page looks at a page that is not the last, or that goes on after one.
func (x *episodes) page(s *scratch, e *Event, op *operationTraffic, end int64) {
	h := fold(op.hash^e.Partition.Hash, 0xd6e8feb86659fd93)
	weight := x.pageShare.weight(h)
	if weight == 0 {
		return
	}
	kind := unpaged
	if e.More {
		s.readMore(false)
		if asks := e.asks(); asks&(Limited|Filtered) == Limited && e.Read < wholePage {
			kind = unpagedLimit
		}
	}
	t := &x.pages[stripeOf(h)]
	t.mu.Lock()
	defer t.mu.Unlock()
	at := -1
	for i, known := range t.hashes {
		if known == h {
			at = i
		}
	}
	if at < 0 {
		if !e.More {
			return // what it goes on after was forgotten
		}
		if t.reads == nil {
			t.reads = new([pagesKept]pagedRead)
		}
		at = x.pageShare.oldest(t.hashes[:], t.last[:])
		if old := &t.reads[at]; t.hashes[at] != 0 {
			left := max(x.pageShare.weight(t.hashes[at]), 1)
			for i := range old.waiting[:old.n] {
				if end-old.waiting[i].end >= pageHorizon {
					x.count(stripeOf(h), alone(old.waiting[i].kind, old.op), old.waiting[i].sum().weighted(left), old.waiting[i].caller, old.item[:], nil)
				}
			}
			if x.pageShare.weight(t.hashes[at]) > 0 {
				x.pageShare.forgot(t.last[at], end)
			}
		}
		x.pageShare.add(end)
		t.hashes[at], t.last[at], t.reads[at] = h, end, pagedRead{op: op, item: [1]uint64{e.Partition.Hash}}
	}
	p := &t.reads[at]
	t.last[at] = max(t.last[at], end)
	for p.n > 0 && end-p.waiting[0].end >= pageHorizon {
		p.give(x, h, weight)
	}
	if e.Resumed {
		p.take(x, h, weight)
	}
	if !e.More {
		return
	}
	if p.n == len(p.waiting) {
		p.give(x, h, weight)
	}
	if p.n == 0 {
		x.example(h, alone(kind, op), e.Partition.Text)
	}
	p.waiting[p.n] = waitingPage{kind, end, e.Read, float64(e.Items), float64(e.Took), e.Caller}
	p.n++
}

// give counts the oldest page as one whose cursor nobody took.
func (p *pagedRead) give(x *episodes, h uint64, weight float64) {
	w := p.waiting[0]
	copy(p.waiting[:], p.waiting[1:p.n])
	p.n--
	x.count(stripeOf(h), alone(w.kind, p.op), w.sum().weighted(weight), w.caller, p.item[:], nil)
	if p.givens < len(p.given) {
		p.given[p.givens] = w.kind
		p.givens++
	}
}

// take notes that somebody goes on after a page: the latest that waits, or else one that was counted already.
func (p *pagedRead) take(x *episodes, h uint64, weight float64) {
	switch {
	case p.n > 0:
		p.n--
	case p.givens > 0:
		p.givens--
		x.count(stripeOf(h), alone(p.given[p.givens], p.op), episodeSum{count: -1, seen: -1, calls: -1}.weighted(weight), 0, nil, nil)
	}
}

// collect adds the pages that have waited for too long. With reset they are forgotten.
func (t *pageStripe) collect(x *episodes, now int64, reset bool, add func(key episodeKey, sum episodeSum, caller uint64, items []uint64)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, h := range t.hashes {
		if h == 0 {
			continue
		}
		p := &t.reads[i]
		weight := max(x.pageShare.weight(h), 1)
		over := 0
		for j := range p.waiting[:p.n] {
			if now-p.waiting[j].end >= pageHorizon {
				add(alone(p.waiting[j].kind, p.op), p.waiting[j].sum().weighted(weight), p.waiting[j].caller, p.item[:])
				over = j + 1
			}
		}
		if reset {
			p.n = copy(p.waiting[:], p.waiting[over:p.n])
			p.givens = 0
		}
	}
}
