package tablewright

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/tablewright/tablewright/attr"
)

// rows reads a query whose items lie in several partitions: the shards of a key, which are merged in the order of the
// index, and the buckets of a time (Index.Across), one behind the other. A query of one partition has a reader alone.
type rows struct {
	db      *DB
	s       *state
	name    []byte       // names the query in cursors
	buckets []attr.Value // one, the zero Value, if the query is not across several
	at      int          // the bucket that is read
	shards  []*shardRows
	page    bool  // whoever asked gets a cursor
	want    int   // items that are still wanted; 0: all
	most    int   // items to look at in all, but at least one in each shard; 0: all there are
	scanned int   // of readers that are closed
	from    place // of the cursor that it goes on from
	err     error
}

// shardRows is one shard of the bucket that is read.
type shardRows struct {
	r      *reader
	raws   [][]byte     // of the last answer, from the head on
	head   bool         // raws[0] is the next item
	sort   []attr.Value // by which the head is sorted
	last   []byte       // the item before raws in the same answer
	behind []byte       // position before the answer; nil: the beginning
	ended  bool
}

// together is how many shards are asked at once.
const together = 16

// several reports whether the query reads more than one partition.
func (s *state) several() bool { return s.across != nil || s.shardCount() > 1 }

// rows begins to read.
func (s *state) rows(db *DB) (*rows, error) {
	m := &rows{db: db, s: s, buckets: []attr.Value{{}}}
	var err error
	if s.across != nil {
		if m.buckets, err = s.bucketsOf(); err != nil {
			failed := *s
			failed.err = firstOf(s.err, err)
			m.s, m.buckets = &failed, []attr.Value{{}}
		}
	}
	if err := m.enter(0); err != nil {
		return nil, err
	}
	m.name = append(append([]byte(nil), m.shards[0].r.base...), fmt.Sprintf(" over %d shards", len(m.shards))...)
	if s.across != nil {
		m.name = attr.AppendValue(append(m.name, " and until "...), s.across.until)
	}
	if s.resume == "" {
		return m, nil
	}
	text, err := db.cursors.open(m.name, s.resume)
	if err == nil {
		err = m.read(text)
	}
	if err != nil {
		defer m.close()
		if e := new(Error); errors.As(err, &e) {
			return nil, err
		}
		return nil, fail(m.shards[0].r.c, nil, err)
	}
	return m, nil
}

// enter goes to the beginning of a bucket.
func (m *rows) enter(bucket int) error {
	m.close()
	m.at, m.shards = bucket, nil
	for i := range m.s.shardCount() {
		r, err := m.part(bucket, i).open(m.db)
		if err != nil {
			m.close()
			return err
		}
		r.page = m.page
		m.shards = append(m.shards, &shardRows{r: r})
	}
	return nil
}

// part is the query of one shard in one bucket.
func (m *rows) part(bucket, shard int) *state {
	s := *m.s
	s.resume = ""
	if s.across != nil {
		s = s.inBucket(m.buckets[bucket])
	}
	if m.s.shardCount() > 1 {
		s.shard = shard + 1
	}
	return &s
}

func (m *rows) close() {
	for _, sh := range m.shards {
		m.scanned += sh.r.scanned
		sh.r.close()
	}
	m.shards = nil
}

// looked is how many items were looked at so far.
func (m *rows) looked() int {
	n := m.scanned
	for _, sh := range m.shards {
		n += sh.r.scanned
	}
	return n
}

// limit is how many items a request to one shard looks at; 0: as many as the service does. Shards have about as many each of
// what comes next; twice the deviation of that more saves most second requests.
func (m *rows) limit() int {
	n := float64(len(m.shards))
	if e := m.s.evaluate; e > 0 && m.most == 0 {
		return e
	} else if e > 0 {
		return max(1, e/len(m.shards))
	}
	if m.want == 0 || len(m.s.tests) > 0 {
		return 0
	}
	share := float64(m.want) / n
	return min(m.want, int(math.Ceil(share+2*math.Sqrt(share))))
}

// fill finds the head of the shard, or its end. Without one, and without an end, the reading has to stop here.
func (sh *shardRows) fill(ctx context.Context, x *access, limit int, stop func() bool) error {
	for !sh.head && !sh.ended {
		for len(sh.raws) > 0 && !sh.r.belongs(sh.raws[0]) {
			sh.pass()
		}
		switch {
		case len(sh.raws) > 0:
			sh.head = true
			sh.sort = sh.sort[:0]
			for _, w := range x.sort {
				v, _ := attr.Lookup(sh.raws[0], w.name)
				sh.sort = append(sh.sort, v)
			}
			return nil
		case sh.r.ended:
			sh.ended, sh.last = true, nil
			return nil
		}
		sh.behind, sh.last = sh.r.start, nil
		if sh.r.begun && stop() {
			return nil
		}
		if !sh.r.more(ctx, limit) {
			return sh.r.err
		}
		sh.raws = sh.r.c.raws
	}
	return nil
}

// pass goes on behind the first item.
func (sh *shardRows) pass() { sh.last, sh.raws, sh.head = sh.raws[0], sh.raws[1:], false }

// position is where the shard stands, for a cursor.
func (sh *shardRows) position() []byte {
	if sh.last != nil {
		return sh.r.position(sh.last)
	}
	return sh.behind
}

// ready gives every shard of a bucket that has items left its head; false at the end, after an error, or where as many items
// were looked at as may be.
func (m *rows) ready(ctx context.Context) bool {
	for m.err == nil {
		var lack []*shardRows
		left := false
		for _, sh := range m.shards {
			if !sh.head && !sh.ended {
				lack = append(lack, sh)
			}
		}
		m.err = m.fill(ctx, lack)
		if m.err != nil {
			return false
		}
		for _, sh := range m.shards {
			if !sh.head && !sh.ended {
				return false
			}
			left = left || sh.head
		}
		if left {
			return true
		}
		if m.at+1 >= len(m.buckets) {
			return false
		}
		if m.most > 0 && m.looked() >= m.most { // the next bucket begins with another page
			return false
		}
		m.err = m.enter(m.at + 1)
	}
	return false
}

// fill fills shards, several at once.
func (m *rows) fill(ctx context.Context, lack []*shardRows) error {
	limit := m.limit()
	looked := m.looked()
	stop := func() bool { return m.most > 0 && looked >= m.most }
	if len(lack) == 1 {
		return lack[0].fill(ctx, m.s.x, limit, func() bool { return m.most > 0 && m.looked() >= m.most })
	}
	errs := make([]error, len(lack))
	turn := make(chan struct{}, together)
	var wait sync.WaitGroup
	for i, sh := range lack {
		turn <- struct{}{}
		wait.Go(func() {
			errs[i] = sh.fill(ctx, m.s.x, limit, stop)
			<-turn
		})
	}
	wait.Wait()
	return firstOf(errs...)
}

// first is the shard whose head comes next.
func (m *rows) first() int {
	best := -1
	for i, sh := range m.shards {
		if !sh.head {
			continue
		}
		if best < 0 {
			best = i
			continue
		}
		c := slices.CompareFunc(sh.sort, m.shards[best].sort, attr.Compare)
		if m.s.descending && c >= 0 || !m.s.descending && c < 0 { // of equal ones the lower shard is first, or last
			best = i
		}
	}
	return best
}

// next is the next item, JSON that is valid until the call after, and the shard it lies in; nil at the end or after an error.
func (m *rows) next(ctx context.Context) (raw []byte, r *reader, shard int) {
	if !m.ready(ctx) {
		return nil, nil, 0
	}
	i := m.first()
	sh := m.shards[i]
	raw = sh.raws[0]
	sh.pass()
	if m.want > 1 {
		m.want--
	}
	return raw, sh.r, i
}

// place is a position in several partitions: behind one item, and so behind all that come before it in the others.
type place struct {
	bucket int
	own    int // the shard of that item; -1: a position behind none
	scanPosition
}

// place is where the reading stands.
func (m *rows) place() place {
	p := newPlace(m.at, len(m.shards))
	for i, sh := range m.shards {
		p.starts[i], p.ended[i] = sh.position(), sh.ended
	}
	return p
}

// spot is where one item lies.
type spot struct {
	bucket, shard int
	key           []byte
}

// newPlace is the beginning of a bucket.
func newPlace(bucket, shards int) place {
	return place{bucket, -1, scanPosition{starts: make([][]byte, shards), ended: make([]bool, shards)}}
}

// pass goes on behind an item.
func (p *place) pass(s spot) {
	if s.bucket != p.bucket {
		*p = newPlace(s.bucket, len(p.starts))
	}
	p.set(s.shard, s.key)
	p.own = s.shard
}

// text is the place in a cursor: the bucket, the shard of the item before, then the position in each shard. The keys of a place are much alike, which
// makes it worth compressing.
func (p place) text() []byte {
	var plain, out bytes.Buffer
	fmt.Fprintf(&plain, "%d,%d ", p.bucket, p.own)
	plain.Write(p.append(nil))
	w, _ := flate.NewWriter(&out, flate.BestCompression) // the level is known
	_, _ = w.Write(plain.Bytes())                        // into memory
	_ = w.Close()
	return out.Bytes()
}

// placeBytes is the most that a place has: nobody makes us unpack more.
const placeBytes = 64 << 20

// read goes to the place in a cursor.
func (m *rows) read(text []byte) error {
	wrong := func(err error) error { return fmt.Errorf("%w: %w", ErrCursor, err) }
	plain, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(text)), placeBytes))
	if err != nil {
		return wrong(err)
	}
	var bucket, own int
	head, rest, _ := bytes.Cut(plain, []byte(" "))
	if _, err := fmt.Sscanf(string(head), "%d,%d", &bucket, &own); err != nil || bucket < 0 || bucket >= len(m.buckets) || own < -1 || own >= len(m.shards) {
		return wrong(errors.New("of another range"))
	}
	if bucket != m.at {
		if err := m.enter(bucket); err != nil {
			return err
		}
	}
	p := newPlace(bucket, len(m.shards))
	if err := p.read(rest, m.shards[0].r.keys); err != nil {
		return err
	}
	for i, sh := range m.shards {
		sh.r.start, sh.behind = p.starts[i], p.starts[i]
		sh.ended, sh.r.ended = p.ended[i], p.ended[i]
	}
	p.own = own
	m.from = p
	return nil
}

// readRows reads a page of n items; see readPage.
func readRows(ctx context.Context, m *rows, n int, items places) (pageEnd, error) {
	p := pageEnd{at: pageAt{cursors: m.db.cursors, query: m.name, from: m.place()}}
	if n <= 0 {
		return p, fail(m.shards[0].r.c, ErrInvalid, fmt.Errorf("a page of %d items: ask for one or more", n))
	}
	m.want, m.most = min(n, math.MaxInt-1)+1, m.s.evaluate
	m.page = true
	for _, sh := range m.shards {
		sh.r.page = true
	}
	for items.len() < n {
		raw, r, i := m.next(ctx)
		if raw == nil {
			break
		}
		if err := m.s.append(r, raw, items); err != nil {
			return p, err
		}
		p.at.spots = append(p.at.spots, spot{m.at, i, r.position(raw)})
	}
	if items.len() == n && len(m.s.tests) == 0 { // one item further: does one follow?
		m.ready(ctx)
	}
	if m.err != nil {
		return p, m.err
	}
	p.scanned = m.looked()
	if !m.unread() {
		return p, nil
	}
	at := m.place()
	if k := len(p.at.spots); k == n {
		switch last := p.at.spots[k-1]; last.bucket {
		case m.at: // shards that have ended need not be asked again, but for that of the item which the cursor stands behind
			at.pass(last)
		default:
			at = p.at.place(k - 1)
		}
	}
	p.next = m.db.cursors.seal(m.name, at.text())
	return p, nil
}

// unread reports whether there is something that was not looked at.
func (m *rows) unread() bool {
	return m.at+1 < len(m.buckets) || slices.ContainsFunc(m.shards, func(sh *shardRows) bool { return sh.head || !sh.ended })
}

// countRows counts the items of every part on its own.
func (s *state) countRows(ctx context.Context, db *DB) (int, error) {
	m, err := s.rows(db)
	if err != nil {
		return 0, err
	}
	defer m.close()
	if s.resume != "" || s.top > 0 { // the parts are not counted from their beginning, or not to their end
		m.want = s.top
		n := 0
		for raw, _, _ := m.next(ctx); raw != nil; raw, _, _ = m.next(ctx) {
			if n++; n == s.top {
				return n, nil
			}
		}
		return n, m.err
	}
	sum := 0
	for bucket := range m.buckets {
		counts, errs := make([]int, len(m.shards)), make([]error, len(m.shards))
		turn := make(chan struct{}, together)
		var wait sync.WaitGroup
		for i := range m.shards {
			turn <- struct{}{}
			wait.Go(func() {
				counts[i], errs[i] = m.part(bucket, i).count(ctx, db)
				<-turn
			})
		}
		wait.Wait()
		if err := firstOf(errs...); err != nil {
			return 0, err
		}
		for _, n := range counts {
			sum += n
		}
	}
	return sum, nil
}
