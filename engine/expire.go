package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// Items whose time to live is over are deleted by a sweep. An index of the engine's own holds them by their time, so that
// a sweep reads only what it deletes. Reads show expired items until they are deleted, as the service's do
// (howitworks-ttl).

// expiryYears is how long ago an item may have expired: older times never expire (time-to-live-ttl-before-you-start).
const expiryYears = 5

// sweepStep is how many items one update deletes, up to a megabyte of them: others get their turn between.
const sweepStep = 100

// Sweep deletes all items whose time to live is over and returns their number. It also removes what streams have held for
// their 24 hours and nobody can read any more. It runs by itself every Options.SweepEvery.
func (e *Engine) Sweep(ctx context.Context) (deleted int, err error) {
	deleted, err = e.sweep(ctx, math.MaxInt)
	if err == nil {
		err = e.trimStreams(ctx)
	}
	return deleted, err
}

// sweep is Sweep of up to limit items.
func (e *Engine) sweep(ctx context.Context, limit int) (deleted int, err error) {
	defer func() {
		e.metrics.sweeps.Add(1)
		e.metrics.expired.Add(uint64(deleted))
	}()
	now := e.now()
	for _, t := range e.catalog.Load().byID {
		x := t.expiry()
		if x == nil {
			continue
		}
		from := attr.AppendKey(nil, attr.Num(attr.Int(firstExpiry(now))))
		for from != nil && deleted < limit {
			if err := ctx.Err(); err != nil {
				return deleted, err
			}
			n, next, err := e.sweepTable(t, x, from, now, min(limit-deleted, sweepStep))
			if err != nil {
				return deleted, err
			}
			deleted += n
			from = next
		}
	}
	return deleted, nil
}

// sweepTable deletes the expired items of a table whose entries are next in its expiry index; next is where to go on, nil
// at the end. step is how many entries are looked at.
func (e *Engine) sweepTable(t *table, x *index, from []byte, now time.Time, step int) (deleted int, next []byte, err error) {
	to := attr.AppendKey(nil, attr.Num(attr.Int(now.Unix())))
	var entries [][]byte
	err = e.store.View(func(r kv.Reader) error {
		entries = nil
		r.Ascend(x.space, from, to, func(key, _ []byte) bool {
			entries = append(entries, bytes.Clone(key))
			return len(entries) < step
		})
		return nil
	})
	if err != nil || len(entries) == 0 {
		return 0, nil, err
	}
	err = e.store.Update(func(w kv.Writer) error {
		deleted, next = 0, nil
		t, err := e.current(t)
		if err != nil || t.expiry() == nil {
			return nil // gone meanwhile
		}
		var sum capacity.Bytes
		for i, entry := range entries {
			rest := entry[attrKeyLen(entry):]
			key := make([]byte, hashBytes, hashBytes+len(rest))
			binary.BigEndian.PutUint32(key, hashOf(rest[:attrKeyLen(rest)]))
			key = append(key, rest...)
			c := change{table: t, key: key, before: imageOf(w, t, key), expired: true}
			if expired(c.before.get().Get(t.def.TTL), now) { // else changed meanwhile
				sum += c.before.stored.size()
				c.apply(e, w)
				deleted++
			}
			if i == step-1 || capacity.PageFull(sum) {
				next = append(entry, 0)
				break
			}
		}
		return nil
	})
	return deleted, next, err
}

// firstExpiry is the oldest time to live that is over at a time: older ones never are.
func firstExpiry(now time.Time) int64 { return now.AddDate(-expiryYears, 0, 0).Unix() }

// expired reports whether a time to live is over at a time, as an expiry index is read for it.
func expired(v attr.Value, now time.Time) bool {
	return v.Kind() == attr.KindN && v.Number().Cmp(attr.Int(now.Unix())) < 0 && v.Number().Cmp(attr.Int(firstExpiry(now))) >= 0
}

func (t *table) expiry() *index {
	for _, x := range t.indexes {
		if x.kind == expiryIndex {
			return x
		}
	}
	return nil
}

// sweepAlways sweeps until the engine is closed.
func (e *Engine) sweepAlways() {
	ctx := e.tasks.ctx
	tick := time.NewTicker(e.options.SweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			e.doDue(ctx, 1)
		}
	}
}

// doDue does what time has made due, with so many sweeps at once. A failing disk fails the next write too, where there is
// someone to tell.
func (e *Engine) doDue(ctx context.Context, sweeps int) {
	limit := math.MaxInt
	if n := e.options.SweepLimit; n > 0 && sweeps <= limit/n {
		limit = n * sweeps
	}
	_ = e.showDue()
	_, _ = e.sweep(ctx, limit)
	_ = e.renewShards()
	_ = e.trimStreams(ctx)
}
