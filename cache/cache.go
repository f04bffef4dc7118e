package cache

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

// Options of a Cache; the zero value keeps every table's items for a minute in at most 64 MB.
type Options struct {
	// TTL is how long an item is answered from the cache: the longest time that a change by another program is not seen.
	// 0: one minute.
	TTL time.Duration
	// Missing is how long it is remembered that there is no such item. 0: as long as TTL, but at most five seconds, since
	// what is missing is usually about to be made; negative: not at all.
	Missing time.Duration
	// Settle is how long after a write of this program its keys are read past the cache. 0: one second.
	Settle time.Duration
	// Tables are those that are kept, by their declared names. Nil: all.
	Tables []string
	// Queries keeps pages of queries of tables, too.
	Queries bool
	// Store is where it is kept. Nil: NewMemory(64 << 20).
	Store Store
	// Clock tells the time. Nil: the system's.
	Clock tablewright.Clock
}

// Cache is a hook with its memory. It is safe for concurrent use, also by several DBs on the same tables.
type Cache struct {
	o      Options
	tables map[string]bool
	states *states
	names  names
	counts struct{ hits, missing, misses, joined, passed, drops atomic.Int64 }
}

// Stats count reads since the Cache was made.
type Stats struct {
	Hits    int64 // answered from the cache, with an item
	Missing int64 // answered from the cache: there is none
	Misses  int64 // asked of the service, and kept if nothing was written meanwhile
	Joined  int64 // answered together with an equal read that was under way
	Passed  int64 // of kinds or tables that are not kept, or too soon after a write
	Drops   int64 // partition keys and tables forgotten because of writes
}

// New makes a Cache. The error is that a setting is not possible.
func New(o Options) (*Cache, error) {
	if o.TTL == 0 {
		o.TTL = time.Minute
	}
	if o.Missing == 0 {
		o.Missing = min(o.TTL, 5*time.Second)
	}
	if o.Settle == 0 {
		o.Settle = time.Second
	}
	if o.TTL < 0 || o.Settle < 0 {
		return nil, errNegative
	}
	if o.Store == nil {
		var err error
		if o.Store, err = NewMemory(64 << 20); err != nil {
			return nil, err
		}
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	c := &Cache{o: o, states: newStates(o.Settle, o.Clock)}
	if o.Tables != nil {
		c.tables = map[string]bool{}
		for _, name := range o.Tables {
			c.tables[name] = true
		}
	}
	return c, nil
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

// Stats are the counts so far.
func (c *Cache) Stats() Stats {
	n := &c.counts
	return Stats{n.hits.Load(), n.missing.Load(), n.misses.Load(), n.joined.Load(), n.passed.Load(), n.drops.Load()}
}

// Hook goes into tablewright.Options.Hooks.
func (c *Cache) Hook(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, call *tablewright.Call) error {
		switch call.Operation {
		case "GetItem", "Query":
			return c.read(ctx, call, next)
		case "BatchGetItem", "TransactGetItems", "Scan":
			c.counts.passed.Add(1)
			return next.Do(ctx, call)
		case "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems":
			return c.write(ctx, call, next)
		case "ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction":
			if !mayWrite(call.Request) {
				return next.Do(ctx, call)
			}
			defer c.Clear(context.WithoutCancel(ctx))
			return next.Do(ctx, call)
		case "CreateTable", "DeleteTable", "UpdateTimeToLive":
			defer c.Clear(context.WithoutCancel(ctx))
			return next.Do(ctx, call)
		}
		return next.Do(ctx, call)
	})
}

// mayWrite reports whether a request of PartiQL has a word that writes; a value that is such a word does no harm.
func mayWrite(request []byte) bool {
	request = bytes.ToUpper(request)
	return slices.ContainsFunc([]string{"INSERT", "UPDATE", "DELETE"}, func(w string) bool { return bytes.Contains(request, []byte(w)) })
}

// Drop forgets all that was read under a partition key of a table, by its name at the service, because another program wrote
// there: what a consumer of the table's stream tells. key is an item or a key that has the partition key's attribute, or nil
// for all of the table.
func (c *Cache) Drop(ctx context.Context, table string, key attr.Item) {
	at := []place{c.names.of(table, key)}
	c.states.written(at, 0)
	c.forget(ctx, at)
}

// Clear forgets everything.
func (c *Cache) Clear(ctx context.Context) {
	c.states.all()
	c.o.Store.Drop(ctx, "", "")
	c.counts.drops.Add(1)
}

func (c *Cache) read(ctx context.Context, call *tablewright.Call, next tablewright.Transport) error {
	at, ok := c.place(call)
	if !ok {
		c.counts.passed.Add(1)
		return next.Do(ctx, call)
	}
	request := call.Operation + string(call.Request)
	f, role := c.states.begin(at, request)
	switch role {
	case pass:
		c.counts.passed.Add(1)
		return next.Do(ctx, call)
	case join:
		select {
		case <-f.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if f.answer == nil { // the other one failed, perhaps because its caller gave up
			return next.Do(ctx, call)
		}
		c.counts.joined.Add(1)
		f.answer.fill(call)
		return nil
	}
	defer c.states.end(at, request, f) // also if the transport panics
	now := c.o.Clock.Now()
	if kept, ok := c.o.Store.Get(ctx, at.table, at.partition, request); ok {
		if a, err := openAnswer(kept, now); err == nil {
			if a.fill(call); call.Items == 0 && call.Operation == "GetItem" {
				c.counts.missing.Add(1)
			} else {
				c.counts.hits.Add(1)
			}
			f.answer = a
			return nil
		}
	}
	c.counts.misses.Add(1)
	if err := next.Do(ctx, call); err != nil {
		return err
	}
	a := &answer{items: call.Items, scanned: call.Scanned, more: call.More, body: bytes.Clone(call.Response)}
	f.answer = a
	ttl := c.o.TTL
	if call.Operation == "GetItem" && call.Items == 0 {
		ttl = c.o.Missing
	}
	if ttl > 0 && c.states.still(at, f) {
		c.o.Store.Set(ctx, at.table, at.partition, request, a.seal(now.Add(ttl)), ttl)
		if !c.states.still(at, f) { // a write came in between: its Drop may have been before the Set
			c.o.Store.Drop(ctx, at.table, at.partition)
		}
	}
	return nil
}

func (c *Cache) write(ctx context.Context, call *tablewright.Call, next tablewright.Transport) error {
	if call.Key != nil && c.tables != nil && !c.tables[call.Table] { // without a key it may be another's request, which has no declared name
		return next.Do(ctx, call)
	}
	places := c.names.written(call)
	if len(places) == 0 {
		return next.Do(ctx, call)
	}
	c.states.written(places, +1)
	defer func() { // it may have been done, whatever became of the answer
		c.forget(context.WithoutCancel(ctx), places)
		c.states.written(places, -1)
	}()
	return next.Do(ctx, call)
}

func (c *Cache) forget(ctx context.Context, places []place) {
	for _, at := range places {
		c.o.Store.Drop(ctx, at.table, at.partition)
		c.counts.drops.Add(1)
	}
}

// place is where a read's answer belongs; ok is false for what is not kept.
func (c *Cache) place(call *tablewright.Call) (at place, ok bool) {
	if call.Key == nil || c.tables != nil && !c.tables[call.Table] || call.Operation == "Query" && (!c.o.Queries || call.Index != "") ||
		bytes.Contains(call.Request, []byte(`"ConsistentRead":true`)) {
		return at, false
	}
	table := tableOf(call.Request)
	if table == "" || !c.names.learn(table, call.Key) {
		return at, false
	}
	return place{table, string(call.Key)}, true
}

// answer is what the service said to a read.
type answer struct {
	items, scanned int
	more           bool
	body           []byte
}

func (a *answer) fill(call *tablewright.Call) {
	call.Response = append(call.Response[:0], a.body...)
	call.Items, call.Scanned, call.More, call.Read, call.Write, call.RequestID = a.items, a.scanned, a.more, 0, 0, ""
}

// seal makes bytes of an answer, with the time at which it ends.
func (a *answer) seal(ends time.Time) []byte {
	b := binary.AppendVarint(nil, ends.UnixNano())
	b = binary.AppendUvarint(b, uint64(a.items))
	scanned := uint64(a.scanned) << 1
	if a.more {
		scanned |= 1
	}
	b = binary.AppendUvarint(b, scanned)
	return append(b, a.body...)
}

// openAnswer reads what seal made. An error is that it is over, or not of ours.
func openAnswer(b []byte, now time.Time) (*answer, error) {
	ends, n := binary.Varint(b)
	if n <= 0 || !now.Before(time.Unix(0, ends)) {
		return nil, errOver
	}
	b = b[n:]
	items, n := binary.Uvarint(b)
	scanned, m := binary.Uvarint(b[max(n, 0):])
	if n <= 0 || m <= 0 {
		return nil, errOver
	}
	return &answer{int(items), int(scanned >> 1), scanned&1 == 1, b[n+m:]}, nil
}

// The errors of this package.
var (
	errNegative = errors.New("tablewright/cache: TTL and Settle cannot be negative")
	errOver     = errors.New("tablewright/cache: an answer that is over")
)
