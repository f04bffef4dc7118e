package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// SampleOptions of Sample; ReadUnits is required.
type SampleOptions struct {
	// ReadUnits is what may be read. It is exceeded only by pages with an item more than twice as large
	// as any that was seen when they were asked for: the largest there can be costs 50 units. So many pages as the units have
	// room for such items are under way at once, at least one.
	ReadUnits capacity.ReadUnits
	// Rate is how many read units a second; 0: as fast as the answers come, and a quarter of what is provisioned of a table
	// that is.
	Rate     capacity.ReadUnits
	Parallel int                  // requests under way at once; 0: 4
	Seed     uint64               // of what is read; 0: another one each time
	HashKeys []byte               // as SamplerOptions have it
	Progress func(SampleProgress) // is told after each page, one at a time; nil: nobody is
}

// SampleProgress is how far a Sample is.
type SampleProgress struct {
	Items    int
	Requests int
	Read     capacity.ReadUnits
}

// Sampled is what was read of a table.
type Sampled struct {
	SampleProgress
	Sampler *Sampler
	Whole   bool // all of the table was read
}

// Sample reads a part of a table, within so many read units, and looks at its items: pages of segments of a parallel scan, in
// random order, each from its beginning. Segments are ranges of hashes of partition keys
// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Scan.ParallelScan.html), so that items are as likely to be read as
// their partition keys are to lie at the beginning of a segment: which is random, but items of one collection come together. Reads
// are eventually consistent: half a unit for each 4 KB.
//
// d is what Describe says of the table. On an error, and when ctx ends, what was read so far comes with it.
func Sample(ctx context.Context, db *tablewright.DB, d *tablewright.Description, o SampleOptions) (*Sampled, error) {
	if o.ReadUnits <= 0 {
		return nil, fmt.Errorf("doctor: a sample needs read units")
	}
	s := &sampling{db: db, description: d, o: o, left: float64(o.ReadUnits), rate: float64(o.Rate), out: &Sampled{Sampler: NewSampler(d.Table, SamplerOptions{HashKeys: o.HashKeys})}}
	if s.rate == 0 && d.Table.Billing.Read > 0 {
		s.rate = max(d.Table.Billing.Read/4, 1)
	}
	seed := o.Seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	s.total = s.segments()
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(s.total) {
		s.queue = append(s.queue, segment{number: i})
	}
	s.mean = s.expected()
	s.largest = min(4*s.mean, s.left*blockOfUnit)
	workers := o.Parallel
	if workers <= 0 {
		workers = 4
	}
	workers = min(workers, max(1, int(s.left/largestUnits)))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.ready = sync.NewCond(&s.mu)
	stop := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		s.ready.Broadcast()
		s.mu.Unlock()
	})
	defer stop()
	var ended sync.WaitGroup
	for range min(workers, s.total) {
		ended.Go(func() {
			if err := s.work(ctx); err != nil {
				cancel(err)
			}
		})
	}
	ended.Wait()
	s.out.Whole = len(s.queue) == 0 && context.Cause(ctx) == nil
	return s.out, context.Cause(ctx)
}

// sampling is a Sample under way.
type sampling struct {
	db          *tablewright.DB
	description *tablewright.Description
	o           SampleOptions
	total       int // segments
	rate        float64

	mu      sync.Mutex
	ready   *sync.Cond
	queue   []segment // to be read, or read on
	busy    int       // pages under way
	left    float64   // units
	mean    float64   // bytes of an item, as far as is known
	largest float64   // bytes of the largest item that is reckoned with: twice the largest seen
	next    time.Time // when the next request may be sent, at a rate
	out     *Sampled
}

// segment is a part of the table, and where to go on in it.
type segment struct {
	number int
	start  json.RawMessage
}

// segments is how many parts the table is read in: each has to be worth a request or two.
func (s *sampling) segments() int {
	n := float64(s.o.ReadUnits) / 2
	if items := s.description.Items; items > 0 { // an empty segment costs half a unit as well
		n = min(n, float64(items)/10)
	} else { // as it is for six hours after a table is made
		n = min(n, 4)
	}
	return int(max(1, min(n, 4096)))
}

// expected is the size of an item before any was seen.
func (s *sampling) expected() float64 {
	if d := s.description; d.Items > 0 && d.Bytes > 0 {
		return float64(d.Bytes) / float64(d.Items)
	}
	return float64(capacity.ReadBlock)
}

// blockOfUnit is how many bytes a unit reads.
const blockOfUnit = 2 * float64(capacity.ReadBlock)

// largestUnits are those of an item that nobody expected to be as large as items can be.
const largestUnits = float64(capacity.ItemBytes) / blockOfUnit

// pageUnits is what one page is meant to cost.
const pageUnits = 2

// work reads pages until nothing is left, of the table or of the units.
func (s *sampling) work(ctx context.Context) error {
	for {
		one, limit, reserved, wait, ok := s.take(ctx)
		if !ok {
			return ctx.Err()
		}
		if wait > 0 {
			t := time.NewTimer(wait)
			select {
			case <-ctx.Done():
				t.Stop()
				return ctx.Err()
			case <-t.C:
			}
		}
		page, err := s.page(ctx, one, limit)
		if err != nil {
			s.mu.Lock()
			s.busy--
			s.ready.Broadcast()
			s.mu.Unlock()
			return err
		}
		s.give(one, page, reserved)
	}
}

// take is the next segment to read from and how many items; ok is false at the end.
func (s *sampling) take(ctx context.Context) (one segment, limit int, reserved float64, wait time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if ctx.Err() != nil {
			return one, 0, 0, 0, false
		}
		if len(s.queue) > 0 {
			limit = int(max(1, min(math.Floor(pageUnits*blockOfUnit/s.mean), 200)))
			for ; limit > 1 && s.most(limit) > s.left; limit /= 2 {
			}
			if reserved = s.most(limit); reserved <= s.left {
				break
			}
		}
		// What is under way may give back units, or a segment that goes on.
		if s.busy == 0 {
			return one, 0, 0, 0, false
		}
		s.ready.Wait()
	}
	one, s.queue = s.queue[0], s.queue[1:]
	s.busy++
	s.left -= reserved
	if s.rate > 0 {
		now := time.Now()
		if s.next.Before(now) {
			s.next = now
		}
		wait = s.next.Sub(now)
		s.next = s.next.Add(time.Duration(reserved / s.rate * float64(time.Second)))
	}
	return one, limit, reserved, wait, true
}

// most is what a page of so many items costs at most, as far as can be told: all of them are as large as the largest, or they are
// twice as large as usual, and one is the largest.
func (s *sampling) most(limit int) float64 {
	n := float64(limit)
	bytes := min(n*s.largest, 2*n*s.mean+s.largest, float64(capacity.PageBytes)+float64(capacity.ItemBytes))
	return max(0.5, math.Ceil(2*bytes/blockOfUnit)/2)
}

// scanPage is an answer of Scan.
type scanPage struct {
	Items            []attr.Item
	LastEvaluatedKey json.RawMessage
	ConsumedCapacity struct{ CapacityUnits float64 }
}

func (s *sampling) page(ctx context.Context, one segment, limit int) (*scanPage, error) {
	table := s.description.Table.Name
	request := attr.AppendText([]byte(`{"TableName":`), s.db.TableName(table))
	request = fmt.Appendf(request, `,"Limit":%d,"ReturnConsumedCapacity":"TOTAL"`, limit)
	if s.total > 1 {
		request = fmt.Appendf(request, `,"Segment":%d,"TotalSegments":%d`, one.number, s.total)
	}
	if one.start != nil {
		request = append(append(request, `,"ExclusiveStartKey":`...), one.start...)
	}
	answer, err := s.db.Send(ctx, "Scan", table, append(request, '}'))
	if err != nil {
		return nil, err
	}
	var page scanPage
	if err := json.Unmarshal(answer, &page); err != nil {
		return nil, fmt.Errorf("doctor: Scan of %s: the answer is none: %w", table, err)
	}
	return &page, nil
}

// give counts a page and puts back the segment if it goes on, behind all others.
func (s *sampling) give(one segment, page *scanPage, reserved float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	s.left += reserved - page.ConsumedCapacity.CapacityUnits
	s.out.Requests++
	s.out.Read += capacity.ReadUnits(page.ConsumedCapacity.CapacityUnits)
	for _, it := range page.Items {
		if s.out.Items == 0 {
			s.largest = 0 // what is known is better than what was expected
		}
		s.largest = max(s.largest, 2*float64(it.Size()))
		s.out.Items++
		s.out.Sampler.Add(it)
	}
	s.largest = min(s.largest, float64(capacity.ItemBytes))
	if s.out.Items > 0 {
		s.mean = float64(s.out.Sampler.Bytes) / float64(s.out.Items)
	}
	if len(page.LastEvaluatedKey) > 0 && !slices.Equal(page.LastEvaluatedKey, []byte("null")) {
		s.queue = append(s.queue, segment{one.number, page.LastEvaluatedKey})
	}
	if s.o.Progress != nil {
		s.o.Progress(s.out.SampleProgress)
	}
	s.ready.Broadcast()
}
