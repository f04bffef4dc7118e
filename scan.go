package tablewright

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sync"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/expr"
)

// Scan reads the whole table, or a whole index (see Index.Scan), for the items of one kind.
type Scan[T any] struct{ c *scanCall }

// maxSegments is the service's limit:
// docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html.
const maxSegments = 1_000_000

// Filter drops items that do not meet all conditions, after they were read and paid for.
func (s Scan[T]) Filter(c ...Cond[T]) Scan[T] { return Scan[T]{s.c.filter(testsOf(c))} }

// Parallel reads n segments of the table at once. Items then come in no order.
func (s Scan[T]) Parallel(segments int) Scan[T] {
	c := s.c.copy()
	c.segments = segments
	return Scan[T]{c}
}

// Rate holds the scan to so many read units a second, all segments together.
func (s Scan[T]) Rate(perSecond capacity.ReadUnits) Scan[T] {
	c := s.c.copy()
	c.rate = perSecond
	return Scan[T]{c}
}

// Consistent makes the scan see every write that was answered before, at twice the price. It is an error on a global index, which
// is always read as it was a moment ago.
func (s Scan[T]) Consistent() Scan[T] { c := s.c.copy(); c.consistent = true; return Scan[T]{c} }

// Intended says that the whole table is wanted: no other scan is warned of in the log of Options.Logger, once for each place
// that runs it, or, of an access pattern, once for all.
func (s Scan[T]) Intended() Scan[T] { c := s.c.copy(); c.intended = true; return Scan[T]{c} }

// Resume begins after the position of a Page of the same scan; the cursor covers all segments. "" is the beginning.
func (s Scan[T]) Resume(cursor Cursor) Scan[T] { return Scan[T]{s.c.after(cursor)} }

// All yields every item. After an error, which comes with the zero T, it ends.
func (s Scan[T]) All(ctx context.Context, db *DB) iter.Seq2[T, error] {
	return sequence[T](func(item any, next func() bool) error { return s.c.all(ctx, db, item, next) })
}

// Slice is all items.
func (s Scan[T]) Slice(ctx context.Context, db *DB) (items []T, err error) {
	err = s.c.slice(ctx, db, &items)
	return items, err
}

// First is any item: the first that is found; ErrNotFound if there is none.
func (s Scan[T]) First(ctx context.Context, db *DB) (item T, err error) {
	err = s.c.one(ctx, db, &item, false)
	return item, err
}

// One is the only item: ErrNotFound if there is none, ErrSeveral, with one of them, if there are more.
func (s Scan[T]) One(ctx context.Context, db *DB) (one T, err error) {
	err = s.c.one(ctx, db, &one, true)
	return one, err
}

// Count is the number of items: they are read and paid for, but not sent, unless other kinds of items or expired ones may lie
// among them.
func (s Scan[T]) Count(ctx context.Context, db *DB) (int, error) { return s.c.count(ctx, db) }

// Request is what the first request would be, of the first segment.
func (s Scan[T]) Request() (Request, error) { return s.c.Request() }

// Pages yields what each request brought, which may be nothing. A page's Next is the position of the whole scan once the
// page has been dealt with: save it, and Resume from there after an interruption. So is Page.At(i) once its items up to i
// have been.
func (s Scan[T]) Pages(ctx context.Context, db *DB) iter.Seq2[Page[T], error] {
	return scannedPages[T](ctx, db, s.c)
}

//go:noinline
func scannedPages[T any](ctx context.Context, db *DB, c *scanCall) iter.Seq2[Page[T], error] {
	return func(yield func(Page[T], error) bool) {
		err := c.pages(ctx, db, reflect.TypeFor[T](), func(items reflect.Value, end pageEnd) bool {
			return yield(pageOf(items.Interface().([]T), end), nil)
		})
		if err != nil {
			yield(Page[T]{}, err)
		}
	}
}

// scanCall is a scan as it was built, whatever its type.
type scanCall struct {
	d        *decl
	tests    []test
	segments int
	rate     capacity.ReadUnits
	intended bool
	resume   Cursor
	pattern  string

	x          *access // of the index that is read; nil: the table
	consistent bool
	counting   bool // the items are counted, not wanted
	most       int  // items that are wanted; 0: all
}

//go:noinline
func (c *scanCall) copy() *scanCall {
	if c == nil {
		return &scanCall{d: undeclared}
	}
	own := *c
	return &own
}

func (c *scanCall) filter(tests []test) *scanCall {
	c = c.copy()
	c.tests = both(c.tests, tests)
	return c
}

func (c *scanCall) after(cursor Cursor) *scanCall {
	c = c.copy()
	c.resume = cursor
	return c
}

// all sets item, a pointer, to one item after the other and calls next, until that says no.
func (c *scanCall) all(ctx context.Context, db *DB, item any, next func() bool) error {
	into := reflect.ValueOf(item).Elem()
	return c.pages(ctx, db, into.Type(), func(items reflect.Value, _ pageEnd) bool {
		for i := range items.Len() {
			into.Set(items.Index(i))
			if !next() {
				return false
			}
		}
		return true
	})
}

// slice appends all items to a slice.
func (c *scanCall) slice(ctx context.Context, db *DB, slice any) error {
	into := reflect.ValueOf(slice).Elem()
	return c.pages(ctx, db, into.Type().Elem(), func(items reflect.Value, _ pageEnd) bool {
		into.Set(reflect.AppendSlice(into, items))
		return true
	})
}

// one sets item, a pointer, to the first item; alone says that there must be no other.
func (c *scanCall) one(ctx context.Context, db *DB, item any, alone bool) error {
	c = c.copy()
	c.most = 1
	if alone {
		c.most = 2
	}
	n := 0
	into := reflect.ValueOf(item).Elem()
	err := c.pages(ctx, db, into.Type(), func(items reflect.Value, _ pageEnd) bool {
		if n == 0 && items.Len() > 0 {
			into.Set(items.Index(0))
		}
		n += items.Len()
		return n < c.most
	})
	if err != nil {
		return err
	}
	failed := c.head(db)
	switch {
	case n == 0:
		failed.kinds = []error{ErrNotFound}
	case n > 1 && alone:
		failed.kinds = []error{ErrSeveral}
	default:
		return nil
	}
	return failed
}

// count counts the items. Where all that the service counts belong, they stay there.
func (c *scanCall) count(ctx context.Context, db *DB) (n int, err error) {
	c = c.copy()
	c.counting = true
	err = c.pages(ctx, db, c.d.typ, func(_ reflect.Value, end pageEnd) bool {
		n += end.counted
		return true
	})
	return n, err
}

// Request is what the first request would be, of the first segment.
func (c *scanCall) Request() (Request, error) {
	c = c.copy()
	run, err := c.open(nowhere, c.d.typ)
	if err != nil {
		return Request{}, err
	}
	defer run.close()
	first := run.readers[0]
	first.compose(0)
	return first.c.request(), nil
}

// head is an error about the scan.
func (c *scanCall) head(db *DB) *Error {
	e := &Error{Operation: "Scan", Table: c.d.table.p.Name, Pattern: c.pattern, Time: db.instant()}
	if c.x != nil {
		e.Index = c.x.index
	}
	return e
}

// pages calls f with what each request brought, a slice of typ, until f wants no more.
func (c *scanCall) pages(ctx context.Context, db *DB, typ reflect.Type, f func(items reflect.Value, end pageEnd) bool) error {
	if c == nil {
		c = &scanCall{d: undeclared}
	}
	if !c.intended && db != nil && c.d != undeclared {
		db.warnScan(c)
	}
	run, err := c.open(db, typ)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	pages := make(chan scanned)
	var wait sync.WaitGroup
	for i := range run.readers {
		if run.position.done(i) {
			continue
		}
		wait.Add(1)
		go func() { defer wait.Done(); run.segment(ctx, i, pages) }()
	}
	go func() { wait.Wait(); close(pages) }()
	defer func() { // let the segments end, whatever they are about to say
		cancel()
		for range pages {
		}
		run.close()
	}()
	for p := range pages {
		if p.err != nil {
			return p.err
		}
		p.end.at.cursors, p.end.at.query = db.cursors, run.base
		for i, key := range p.end.at.keys {
			run.position.set(p.segment, key)
			p.end.at.keys[i] = run.position.append(nil)
		}
		run.position.set(p.segment, p.last)
		if !run.position.all() {
			p.end.next = db.cursors.seal(run.base, run.position.append(nil))
		}
		if !f(p.items.v, p.end) {
			return nil
		}
	}
	return nil
}

// scanned is what a segment read: a page and the segment's position behind it.
type scanned struct {
	segment int
	items   places
	end     pageEnd
	last    []byte // nil: the segment is read to its end
	err     error
}

// scanRun is a scan under way.
type scanRun struct {
	db       *DB
	d        *decl
	x        *access      // of the index that is read; nil: the table
	slice    reflect.Type // of what is read
	readers  []*reader
	base     []byte
	position scanPosition
	pace     pace
	limit    int  // items that a request looks at; 0: as many as the service does
	counts   bool // the items are counted, not wanted
}

func (s *scanCall) open(db *DB, typ reflect.Type) (*scanRun, error) {
	if err := s.d.table.ready(db); err != nil {
		return nil, err
	}
	n := max(s.segments, 1)
	head := s.head(db)
	if s.segments < 0 || s.rate < 0 {
		head.kinds, head.detail = []error{ErrInvalid}, fmt.Sprintf("segments or a rate below 0: Parallel %d, Rate %v", s.segments, s.rate)
		return nil, head
	}
	if n > maxSegments {
		head.kinds, head.detail = []error{ErrInvalid}, fmt.Sprintf("%d segments: there may be %d", n, maxSegments)
		return nil, head
	}
	if s.consistent && s.x != nil && s.x.global {
		head.kinds, head.detail = []error{ErrInvalid}, "a global index cannot be read consistently"
		return nil, head
	}
	run := &scanRun{db: db, d: s.d, x: s.x, slice: reflect.SliceOf(typ), position: scanPosition{starts: make([][]byte, n), ended: make([]bool, n)},
		counts: s.counting, pace: pace{clock: db.clock, rate: float64(s.rate), start: db.clock.Now()}}
	for i := range n {
		r := &reader{db: db, d: s.d, b: db.budget(), c: newCall("Scan"), keys: s.d.origin().keyNames()}
		if s.x != nil {
			r.keys, r.c.Index = s.x.keys, s.x.index
		}
		r.c.Pattern, r.c.priced = s.pattern, s.rate > 0
		run.readers = append(run.readers, r)
		r.counting = s.counting && r.plain()
		if s.most > 0 && len(s.tests) == 0 && r.plain() {
			run.limit = s.most
		}
		name, err := r.compileScan(s, i, n)
		if err != nil {
			run.close()
			return nil, err
		}
		if i == 0 {
			run.base = name
		}
	}
	if s.resume != "" {
		text, err := db.cursors.open(run.base, s.resume)
		if err == nil {
			err = run.position.read(text, run.readers[0].keys)
		}
		if err != nil {
			run.close()
			head.cause = err
			return nil, head
		}
		for i, r := range run.readers {
			r.start = run.position.starts[i]
		}
	}
	return run, nil
}

func (run *scanRun) close() {
	for _, r := range run.readers {
		r.close()
	}
}

// compileScan writes the request of segment i of n. name is what names the scan in cursors.
func (r *reader) compileScan(s *scanCall, i, n int) (name []byte, err error) {
	r.c.on(r.db, r.d.table)
	if err := r.d.table.ready(r.db); err != nil {
		return nil, err
	}
	project := r.d.project
	if s.x != nil {
		project = s.x.project
	}
	if r.base, err = r.scanText(s, i, n, project); err != nil {
		return nil, fail(r.c, ErrInvalid, err)
	}
	name = r.base
	if r.counting && project != nil { // the service takes no projection with a count
		r.base, err = r.scanText(s, i, n, nil)
	}
	return name, err
}

// scanText is the request of segment i of n, without its end.
func (r *reader) scanText(s *scanCall, i, n int, project []string) ([]byte, error) {
	p := printers.Get().(*expr.Printer)
	defer func() { p.Reset(); printers.Put(p) }()
	w := &body{}
	w.open()
	w.text("TableName", r.db.actual(r.d.table.p.Name))
	if s.x != nil {
		w.text("IndexName", s.x.index)
		if err := eachName(s.tests, s.x.has); err != nil {
			return nil, err
		}
	}
	if err := r.filterAndProject(w, p, s.tests, project); err != nil {
		return nil, err
	}
	w.flag("ConsistentRead", s.consistent)
	w.substitutions(p)
	if n > 1 {
		w.int("Segment", i)
		w.int("TotalSegments", n)
	}
	return w.b, nil
}

// decode decodes an item, with what the index's keys tell of it.
func (run *scanRun) decode(raw []byte, into reflect.Value) error {
	if run.x != nil {
		return run.x.decodeItem(run.db, raw, into)
	}
	return run.d.decodeInto(run.db, raw, into)
}

// has checks that an index has an attribute that a filter names. A scan's may be a part of the key.
func (x *access) has(name string) error {
	if x.projected != nil && !slices.Contains(x.projected, name) {
		return fmt.Errorf("index %s does not project %s: a filter by it would see it absent in every item", x.index, name)
	}
	return nil
}

// filters checks that a query can be filtered by an attribute.
func (x *access) filters(name string) error {
	is := func(w *column) bool { return w.name == name }
	if slices.ContainsFunc(x.partition, is) || slices.ContainsFunc(x.sort, is) {
		return fmt.Errorf("%s is a part of the key: it cannot be filtered, only bound", name)
	}
	return x.has(name)
}

// segment reads one segment to its end.
func (run *scanRun) segment(ctx context.Context, i int, out chan<- scanned) {
	// Nothing is held back when ctx ends: whoever ranges over the pages receives until out is closed, and a dropped error
	// would make a scan that was cut short look complete.
	r := run.readers[i]
	failed := func(err error) { out <- scanned{segment: i, err: err} }
	for {
		counted, err := run.pace.wait(ctx, 0)
		if err != nil {
			failed(fail(r.c, nil, err))
			return
		}
		before := r.scanned
		if !r.more(ctx, run.limit) {
			if r.err != nil {
				failed(r.err)
			}
			return
		}
		if run.pace.rate > 0 {
			run.pace.spent(float64(r.c.Read), counted)
		}
		p := scanned{segment: i, last: r.start}
		p.items = places{reflect.New(run.slice).Elem()}
		p.end.scanned, p.end.counted = r.scanned-before, r.counted
		if !r.counting {
			p.end.counted = 0
		}
		for raw := range r.items() {
			if run.counts {
				p.end.counted++
				continue
			}
			if err := run.decode(raw, p.items.add()); err != nil {
				failed(fail(r.c, nil, err))
				return
			}
			p.end.at.keys = append(p.end.at.keys, r.position(raw))
		}
		if r.err != nil {
			failed(r.err)
			return
		}
		if out <- p; r.ended {
			return
		}
	}
}

// scanPosition is where each segment stands.
type scanPosition struct {
	starts [][]byte // ExclusiveStartKey; nil: at the beginning
	ended  []bool
}

func (p *scanPosition) done(i int) bool { return p.ended[i] }

func (p *scanPosition) set(i int, last []byte) { p.starts[i], p.ended[i] = last, last == nil }

func (p *scanPosition) all() bool {
	for _, e := range p.ended {
		if !e {
			return false
		}
	}
	return true
}

// append writes a JSON array: null at the beginning, the key, or true at the end of each segment.
func (p *scanPosition) append(dst []byte) []byte {
	dst = append(dst, '[')
	for i, s := range p.starts {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch {
		case p.ended[i]:
			dst = append(dst, "true"...)
		case s == nil:
			dst = append(dst, "null"...)
		default:
			dst = append(dst, s...)
		}
	}
	return append(dst, ']')
}

func (p *scanPosition) read(text []byte, keys []string) error {
	d := attr.NewDecoder(text)
	n := 0
	var wrong error
	for i := range d.Elems() {
		if n++; i >= len(p.starts) {
			continue
		}
		switch d.Next() {
		case attr.JSONObject:
			p.starts[i] = append([]byte(nil), d.Raw()...)
			wrong = firstOf(wrong, checkPosition(p.starts[i], keys))
		case attr.JSONNull:
		default:
			p.ended[i] = d.Bool()
		}
	}
	if err := d.End(); err != nil || n != len(p.starts) {
		return errors.Join(fmt.Errorf("%w: of a scan with %d segments, not %d", ErrCursor, n, len(p.starts)), err)
	}
	return wrong
}
