package streams

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

// errLater ends the handling of a batch early because the worker stops: what is left comes again, here or elsewhere.
var errLater = errors.New("streams: the rest later")

// deliver hands a batch to the handlers and notes the checkpoint behind what they have handled.
func (h *holding) deliver(batch []record) error {
	if len(batch) == 0 {
		return nil
	}
	select {
	case h.w.slots <- struct{}{}:
		defer func() { <-h.w.slots }()
	case <-h.stop.Done():
		return nil
	}
	takes := make([][]int, len(batch))
	for i := range batch {
		takes[i] = takers(h.w.handlers, &batch[i])
	}
	err := h.deliverBatches(batch, takes)
	b := bundle{h: h, batch: batch, takes: takes, items: map[string]bool{}, poison: map[int]bool{}}
	for i := range batch {
		if err != nil {
			break
		}
		if h.stop.Err() != nil {
			err = errLater
			break
		}
		err = b.deliver(i)
	}
	if h.ctx.Err() == nil {
		if failed := b.write(); failed != nil && (err == nil || errors.Is(err, errLater)) {
			err = failed
		}
	}
	if h.ctx.Err() != nil {
		return context.Cause(h.ctx)
	}
	if failed := h.checkpoint(); failed != nil && (err == nil || errors.Is(err, errLater)) {
		return failed
	}
	if errors.Is(err, errLater) {
		return nil
	}
	return err
}

// handled notes that a change has been handled.
func (h *holding) handled(r *record, pending int) {
	h.after, h.at = r.Sequence, r.at()
	h.w.o.Watch.change(h.shard, func(s *ShardState) {
		s.Handled++
		s.Pending, s.After, s.At, s.Failing = pending, h.after, h.at, nil
	})
}

// deliverBatches hands the changes of a batch to the handlers that take batches.
func (h *holding) deliverBatches(batch []record, takes [][]int) error {
	for i, handler := range h.w.handlers {
		if handler.many == nil {
			continue
		}
		var part []*record
		for j := range batch {
			for _, t := range takes[j] {
				if t == i {
					part = append(part, &batch[j])
				}
			}
		}
		if len(part) == 0 {
			continue
		}
		all := func(l []*record, attempt int) error {
			d := make([]delivery, len(l))
			for k, r := range l {
				d[k] = delivery{r, attempt, h.w.store.once, h.w.db}
			}
			return handler.many(h.ctx, d)
		}
		err := h.try(handler, func(attempt int) error { return all(part, attempt) })
		if err == nil {
			continue
		}
		if errors.Is(err, errLater) || h.ctx.Err() != nil {
			return err
		}
		for _, r := range part { // one of them is poison
			err := h.try(handler, func(attempt int) error { return all([]*record{r}, attempt) })
			if err = h.poison(handler, r, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// deliverOne hands a change to the handlers that take changes one by one and write by themselves.
func (h *holding) deliverOne(r *record, takes []int) error {
	for _, i := range takes {
		handler := h.w.handlers[i]
		var err error
		switch {
		case handler.one != nil:
			err = h.try(handler, func(attempt int) error { return handler.one(h.ctx, delivery{r, attempt, h.w.store.once, h.w.db}) })
		case handler.transactional():
			continue
		}
		if err = h.poison(handler, r, err); err != nil {
			return err
		}
	}
	return nil
}

// deliverTx does the writes of all handlers that answer some, and the checkpoint, in one transaction.
func (h *holding) deliverTx(r *record, takes []int) error {
	var taker []Handler
	for _, i := range takes {
		if h.w.handlers[i].transactional() {
			taker = append(taker, h.w.handlers[i])
		}
	}
	if len(taker) == 0 {
		return nil
	}
	err := h.try(taker[0], func(attempt int) error { return h.transact(r, taker, attempt) })
	return h.poison(taker[0], r, err)
}

// try calls a handler until it succeeds, its attempts are used up, or no more is to be begun.
func (h *holding) try(handler Handler, call func(attempt int) error) error {
	o := &h.w.o.Retry
	counted := 0
	for attempt, wait := 1, o.Wait; ; attempt, wait = attempt+1, min(2*wait, o.Longest) {
		err := call(attempt)
		if err == nil {
			return nil
		}
		if h.ctx.Err() != nil {
			return context.Cause(h.ctx)
		}
		h.w.o.Watch.change(h.shard, func(s *ShardState) { s.Retried++; s.Failing = err })
		var never unreadable
		if errors.As(err, &never) {
			return &failure{err, attempt}
		}
		if !passes(err) {
			if counted++; counted >= o.Attempts {
				return &failure{err, attempt}
			}
		}
		h.w.o.Logger.Warn("streams: a handler failed; it is called again", slog.String("shard", h.shard), slog.String("kind", handler.name),
			slog.Int("attempt", attempt), slog.Any("error", err))
		if pause(h.stop, wait/2+rand.N(wait/2+1)) != nil {
			return errLater
		}
	}
}

// failure is what a handler ended with that could not handle a change.
type failure struct {
	error
	attempts int
}

func (f *failure) Unwrap() error { return f.error }

// poison does with a change that could not be handled what the options say. Its error ends the batch.
func (h *holding) poison(handler Handler, r *record, err error) error {
	var f *failure
	if err == nil || !errors.As(err, &f) {
		return err
	}
	if h.w.o.Poison == nil {
		return &PoisonError{Shard: h.shard, Sequence: r.Sequence, Handler: handler.name, Attempts: f.attempts, Err: f.error}
	}
	raw, unread := changeOf(r, f.attempts, h.w.store.once, attr.ParseItem)
	if unread == nil {
		unread = h.w.o.Poison(h.ctx, raw, f.error)
	}
	if unread != nil {
		return &PoisonError{Shard: h.shard, Sequence: r.Sequence, Handler: handler.name, Attempts: f.attempts, Err: errors.Join(f.error, unread)}
	}
	h.w.o.Watch.change(h.shard, func(s *ShardState) { s.Poison++ })
	h.w.o.Logger.Error("streams: a change was poison", slog.String("shard", h.shard), slog.String("sequence", r.Sequence), slog.String("kind", handler.name))
	return nil
}

// transact is one attempt of deliverTx.
func (h *holding) transact(r *record, handlers []Handler, attempt int) error {
	var writes []tablewright.TxWrite
	var sums []addition
	for _, handler := range handlers {
		d := delivery{r, attempt, h.w.store.once, h.w.db}
		if handler.sums != nil {
			more, err := handler.sums(d)
			if err != nil {
				return err
			}
			sums = append(sums, more...)
			continue
		}
		more, err := handler.tx(h.ctx, d)
		if err != nil {
			return err
		}
		writes = append(writes, more...)
	}
	more, err := together(sums)
	if err != nil {
		return err
	}
	writes = append(writes, more...)
	if len(writes) == 0 {
		return nil // the checkpoint of the batch will do
	}
	return h.commit(r, writes)
}
