package tablewright

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// BatchWrite is a write that may stand in a batch: an unconditional Put or Delete.
type BatchWrite interface{ batchPart() (batchPart, error) }

// batchPart is one write of a batch.
type batchPart struct {
	d *decl
	// encode appends the element of RequestItems and answers the key's JSON too.
	encode func(db *DB, dst []byte) (element, key []byte, err error)
}

// Batch writes any number of items, in as many requests as it takes. It is not atomic: a part of it can fail.
type Batch struct {
	parts    func(yield func(batchPart, error) bool)
	parallel int
	rate     capacity.WriteUnits
}

// BatchOf makes a batch of puts and deletes of any declared kinds.
func BatchOf(w ...BatchWrite) Batch {
	return Batch{parts: func(yield func(batchPart, error) bool) {
		for _, one := range w {
			if one == nil {
				if !yield(batchPart{}, &Error{Operation: "BatchWriteItem", kinds: []error{ErrInvalid}, detail: "a nil write: leave it out"}) {
					return
				}
				continue
			}
			if !yield(one.batchPart()) {
				return
			}
		}
	}}
}

// Parallel lets up to n requests be under way at once; 1 without. The order in which two writes of one key are done is
// certain only without it.
func (b Batch) Parallel(n int) Batch { b.parallel = n; return b }

// Rate holds the batch to so many write units a second, those of index entries included, as the service reports them.
func (b Batch) Rate(perSecond capacity.WriteUnits) Batch { b.rate = perSecond; return b }

// Run writes everything. It is nil if all is done, else a *BatchError that says what is not. What the service leaves
// unprocessed is sent again, with what the retry budget allows for each request. Once ctx has ended, no more is taken from
// the sequence: the last failure is then of the last that was taken, and what follows it was not looked at.
func (b Batch) Run(ctx context.Context, db *DB) error {
	if db == nil || db.core == nil {
		return &Error{Operation: "BatchWriteItem", Time: db.instant(), kinds: []error{ErrInvalid}, cause: errNoDB}
	}
	if b.parts == nil { // the zero Batch
		return nil
	}
	r := batchRun{db: db, pace: pace{clock: db.clock, rate: float64(b.rate), start: db.clock.Now()}, turns: make(chan struct{}, max(b.parallel, 1))}
	turn := &r.pace
	chunk := &batchChunk{}
	last := false
	flush := func() {
		if len(chunk.index) == 0 {
			return
		}
		chunk.counted, _ = turn.wait(ctx, float64(chunk.units)) // the send that follows tells if ctx ended
		r.send(ctx, chunk, last)
		chunk = &batchChunk{}
	}
	i := 0
	var scratch []byte // one element: chunks take copies
	for part, err := range b.parts {
		if over := ctx.Err(); over != nil { // however long the sequence goes on
			r.failed(i, &Error{Operation: "BatchWriteItem", Time: db.clock.Now(), cause: over})
			i++
			break
		}
		if err == nil {
			err = part.d.table.ready(db)
		}
		if err == nil {
			var element, key []byte
			if element, key, err = part.encode(db, scratch[:0]); err == nil {
				scratch = element
				if chunk.has(part.d, key) || len(chunk.index) == capacity.BatchWriteItems {
					flush()
				}
				chunk.add(part.d, key, element, i)
			}
		}
		if err != nil {
			r.failed(i, err)
		}
		i++
	}
	last = true
	flush()
	r.wait.Wait()
	return r.result(i)
}

// batchChunk is what goes into one request.
type batchChunk struct {
	tables []*Table
	parts  map[*Table][]byte // elements, with commas
	index  map[string]int    // position in the batch by table and key
	units  capacity.WriteUnits

	counted float64 // units that the pace knows of
}

func (k *batchChunk) has(d *decl, key []byte) bool {
	_, there := k.index[d.table.p.Name+string(key)]
	return there
}

func (k *batchChunk) add(d *decl, key, element []byte, i int) {
	if k.index == nil {
		k.index, k.parts = map[string]int{}, map[*Table][]byte{}
	}
	k.index[d.table.p.Name+string(key)] = i
	list, known := k.parts[d.table]
	if !known {
		k.tables = append(k.tables, d.table)
	} else {
		list = append(list, ',')
	}
	k.parts[d.table] = append(list, element...)
	k.units += max(1, capacity.WriteUnits((len(element)+int(capacity.WriteBlock)-1)/int(capacity.WriteBlock)))
}

// batchRun is a batch under way.
type batchRun struct {
	db    *DB
	pace  pace
	turns chan struct{}
	wait  sync.WaitGroup

	mu     sync.Mutex
	errors []Failure
}

func (r *batchRun) failed(i int, err error) {
	r.mu.Lock()
	r.errors = append(r.errors, Failure{i, err})
	r.mu.Unlock()
}

// send sends a request when it is its turn. The last one, after which there is nothing else to do, needs no goroutine.
func (r *batchRun) send(ctx context.Context, k *batchChunk, last bool) {
	r.turns <- struct{}{}
	if last {
		r.one(ctx, k)
		<-r.turns
		return
	}
	r.wait.Add(1)
	go func() {
		defer func() { <-r.turns; r.wait.Done() }()
		r.one(ctx, k)
	}()
}

// one sends one request and notes what of it is not done.
func (r *batchRun) one(ctx context.Context, k *batchChunk) {
	c := newCall("BatchWriteItem")
	defer c.release()
	w := &body{b: c.Request[:0]}
	w.open()
	w.key("RequestItems")
	w.open()
	for _, t := range k.tables {
		c.on(r.db, t)
		w.table(r.db.actual(t.p.Name))
		w.b = append(append(append(w.b, '['), k.parts[t]...), ']')
	}
	w.close()
	w.close()
	c.Request = w.b
	b := r.db.budget()
	c.priced = r.pace.rate > 0
	err := r.db.sendBatch(ctx, c, &b, nil)
	if c.used > 0 {
		r.pace.spent(c.used, k.counted)
	}
	if err == nil {
		return
	}
	// What is left over is what the request holds now: all of it, or what the service left unprocessed.
	left, bad := r.left(c, k)
	if bad != nil {
		err = errors.Join(err, bad)
		left = nil
		for _, i := range k.index {
			left = append(left, i)
		}
	}
	for _, i := range left {
		r.failed(i, err)
	}
}

// left finds the positions of the writes in the request.
func (r *batchRun) left(c *Call, k *batchChunk) (left []int, err error) {
	d := attr.NewDecoder(c.Request)
	for name := range d.Fields("") {
		if string(name) != "RequestItems" {
			continue
		}
		for table := range d.Entries("") {
			declared := c.declared(table)
			for range d.Elems() {
				for range d.Fields("") {
					for range d.Fields("") {
						it, bad := d.Item()
						i, known := k.find(declared, it)
						if bad != nil || !known {
							err = fmt.Errorf("cannot tell which write was left unprocessed: %v", bad)
						}
						left = append(left, i)
					}
				}
			}
		}
	}
	return left, errors.Join(err, d.End())
}

// find is the position of the write of an item or key.
func (k *batchChunk) find(table string, it attr.Item) (int, bool) {
	for _, t := range k.tables {
		if t.p.Name != table {
			continue
		}
		i, known := k.index[table+string(t.decls[0].canonical(it))] // all kinds have the same key attributes
		return i, known
	}
	return 0, false
}

// result is the batch's error.
func (r *batchRun) result(n int) error {
	if len(r.errors) == 0 {
		return nil
	}
	e := &BatchError{Done: n - len(r.errors), Failed: r.errors}
	slices.SortFunc(e.Failed, func(a, b Failure) int { return a.Index - b.Index })
	return e
}
