package engine

import (
	"bytes"
	"context"
	"math"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// streamsDue notes that shards of a writer reach the end of their life. It is a time at which there may be nothing to do,
// but never a later one.
func (e *Engine) streamsDue(d *streamWriter) {
	if life := e.options.Streams.ShardLife; life > 0 && d.opened < math.MaxInt64-int64(life) {
		e.shardsEnd.Store(min(e.shardsEnd.Load(), d.opened+int64(life)))
	}
}

// renewShards closes the shards whose life is over and opens their children. What reads streams begins with it, so that
// also shards that nobody writes to end in time.
func (e *Engine) renewShards() error {
	if e.nanoseconds() < e.shardsEnd.Load() {
		return nil
	}
	life := int64(e.options.Streams.ShardLife)
	return e.store.Update(func(w kv.Writer) error {
		now, before := e.nanoseconds(), e.shardsEnd.Load()
		w.Undone(func() { e.shardsEnd.Store(before) })
		e.shardsEnd.Store(math.MaxInt64)
		for _, s := range e.ahead.Load().streams {
			if s.writer == nil {
				continue
			}
			for _, h := range s.writer.open {
				if now-h.Opened >= life {
					s.writer.replace(w, s, h, now, false)
				}
			}
			e.streamsDue(s.writer)
		}
		return nil
	})
}

// trimStep is how many records one update removes, up to a megabyte of them: others get their turn between.
const trimStep = 1000

// trimStreams removes the records, shards and streams that nobody can read any more.
func (e *Engine) trimStreams(ctx context.Context) error {
	horizon := e.nanoseconds() - int64(streamRetention)
	for _, s := range e.catalog.Load().streams {
		var shards []*shard
		err := e.store.View(func(r kv.Reader) (err error) {
			shards, err = s.shards(r)
			return err
		})
		if err != nil {
			return err
		}
		for _, h := range shards {
			for more := true; more; {
				if err := ctx.Err(); err != nil {
					return err
				}
				if more, err = e.trimShard(s, h, horizon); err != nil {
					return err
				}
			}
		}
		if s.def.Disabled != 0 && s.def.Disabled <= horizon {
			if err := e.dropStream(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// trimShard removes the shard's records up to a time, a step of them, and the shard when all of it is older; more is
// whether there may be more to remove.
func (e *Engine) trimShard(s *stream, h *shard, horizon int64) (more bool, err error) {
	over := h.Closed != 0 && h.Closed <= horizon
	if !over {
		due := false
		err := e.store.View(func(r kv.Reader) error {
			_, first := s.next(r, h, 0)
			due = first != nil && first.time() <= horizon
			return nil
		})
		if err != nil || !due {
			return false, err
		}
	}
	err = e.store.Update(func(w kv.Writer) error {
		more = false
		now := s.stored(w, h.Number)
		if now == nil {
			return nil // gone meanwhile, with its stream
		}
		var keys [][]byte
		var sum capacity.Bytes
		w.Ascend(s.def.Space, recordKey(h.Number, 0), recordKey(h.Number, math.MaxUint64), func(key, value []byte) bool {
			if record(value).time() > horizon {
				return false
			}
			if len(keys) == trimStep || capacity.PageFull(sum) {
				more = true
				return false
			}
			sum += capacity.Bytes(len(value))
			keys = append(keys, bytes.Clone(key))
			return true
		})
		for _, key := range keys {
			w.Delete(s.def.Space, key)
			now.Trimmed = recordNumber(key)
		}
		s.raiseFloor(w, now.Trimmed)
		switch {
		case over && !more:
			s.raiseFloor(w, now.End)
			w.Delete(s.def.Space, shardKey(h.Number))
		case len(keys) > 0:
			now.put(w, s)
		}
		return nil
	})
	return more, err
}

// splitARN takes an ARN apart: arn, partition, service, Region, account, resource.
func splitARN(arn string) []string { return strings.SplitN(arn, ":", 6) }
