package engine

import (
	"bytes"
	"context"
	"encoding/binary"
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

// Sweep deletes all items whose time to live is over and returns their number. It runs by itself every
// Options.SweepEvery.
func (e *Engine) Sweep(ctx context.Context) (deleted int, err error) {
	now := e.now()
	for _, t := range e.catalog.Load().byName {
		for {
			if err := ctx.Err(); err != nil {
				return deleted, err
			}
			n, more, err := e.sweepTable(t, now)
			if err != nil {
				return deleted, err
			}
			deleted += n
			if !more || n == 0 { // all changed meanwhile: the next sweep looks again
				break
			}
		}
	}
	return deleted, nil
}

// sweepTable deletes some expired items of a table; more is whether there may be others.
func (e *Engine) sweepTable(t *table, now time.Time) (deleted int, more bool, err error) {
	x := t.expiry()
	if x == nil {
		return 0, false, nil
	}
	from := attr.AppendKey(nil, attr.Num(attr.Int(now.AddDate(-expiryYears, 0, 0).Unix())))
	to := attr.AppendKey(nil, attr.Num(attr.Int(now.Unix())))
	var keys [][]byte
	err = e.store.View(func(r kv.Reader) error {
		keys = nil
		r.Ascend(x.space, from, to, func(key, _ []byte) bool {
			keys = append(keys, bytes.Clone(key[attrKeyLen(key):]))
			return len(keys) < sweepStep
		})
		return nil
	})
	if err != nil || len(keys) == 0 {
		return 0, false, err
	}
	err = e.store.Update(func(w kv.Writer) error {
		deleted, more = 0, len(keys) == sweepStep
		var sum capacity.Bytes
		t, err := e.current(t)
		if err != nil || t.expiry() == nil {
			more = false
			return nil // gone meanwhile
		}
		for _, rest := range keys {
			if capacity.PageFull(sum) {
				more = true
				break
			}
			key := make([]byte, hashBytes, hashBytes+len(rest))
			binary.BigEndian.PutUint32(key, hashOf(rest[:attrKeyLen(rest)]))
			key = append(key, rest...)
			c := change{table: t, key: key, before: imageOf(w, t, key)}
			v := c.before.get().Get(t.def.TTL)
			if v.Kind() != attr.KindN || v.Number().Cmp(attr.Int(now.Unix())) >= 0 {
				continue // changed meanwhile
			}
			sum += c.before.stored.size()
			c.apply(e, w)
			deleted++
		}
		return nil
	})
	return deleted, more, err
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
			// A failing disk fails the next write too, where there is someone to tell.
			_ = e.showDue()
			_, _ = e.Sweep(ctx)
		}
	}
}
