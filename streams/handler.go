package streams

import (
	"context"
	"fmt"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// Kind is a declared entity or view of a T.
type Kind[T any] interface {
	Table() *tablewright.Table
	Holds(stored []byte) bool
	Decode(stored []byte) (T, error)
}

// Handler is what to do with the changes of one kind of items. Several handlers may have the same kind: they are called in
// the order in which they are given.
type Handler struct {
	name   string
	table  *tablewright.Table     // nil: any
	holds  func(keys []byte) bool // nil: what no other handler takes
	images bool                   // needs the items before and after
	one    func(ctx context.Context, d delivery) error
	many   func(ctx context.Context, d []delivery) error
	tx     func(ctx context.Context, d delivery) ([]tablewright.TxWrite, error)
	sums   func(d delivery) ([]addition, error) // of Aggregate
}

// transactional reports whether a handler's writes go with the checkpoint.
func (h *Handler) transactional() bool { return h.tx != nil || h.sums != nil }

// delivery is a record as it is handed to a handler.
type delivery struct {
	*record
	attempt int
	once    func(id string) tablewright.TxWrite
	db      *tablewright.DB
}

func handlerOf[T any](e Kind[T]) Handler {
	var zero T
	return Handler{name: fmt.Sprintf("%T", zero), table: e.Table(), holds: e.Holds}
}

// On handles the changes of e one by one: those of one item in the order in which they were made, each at least once. A
// change comes again if the process ends, or loses the shard, before the checkpoint behind it is written.
func On[T any](e Kind[T], f func(ctx context.Context, c Change[T]) error) Handler {
	h := handlerOf(e)
	h.one = func(ctx context.Context, d delivery) error {
		c, err := changeOf(d.record, d.attempt, d.once, e.Decode)
		if err != nil {
			return err
		}
		return f(ctx, c)
	}
	return h
}

// OnBatch handles the changes of e in batches of up to Options.Batch, in their order. A batch that fails in all attempts is
// handed over once more change by change, so that one that is poison is found. Within a batch of the shard's changes these
// handlers are called before the others.
func OnBatch[T any](e Kind[T], f func(ctx context.Context, c []Change[T]) error) Handler {
	h := handlerOf(e)
	h.many = func(ctx context.Context, all []delivery) error {
		changes := make([]Change[T], len(all))
		for i, d := range all {
			var err error
			if changes[i], err = changeOf(d.record, d.attempt, d.once, e.Decode); err != nil {
				return err
			}
		}
		return f(ctx, changes)
	}
	return h
}

// OnTx handles the changes of e exactly once, as far as writes go: those that f answers are done in one transaction with the
// checkpoint. f may be called more than once for a change, but the writes of one call alone take effect; what else it does
// is done at least once. Answer up to 99 writes of different items of the same Region and account; none is fine too.
//
// Every change costs a transaction: twice the units of its writes, and two for the checkpoint.
func OnTx[T any](e Kind[T], f func(ctx context.Context, c Change[T]) ([]tablewright.TxWrite, error)) Handler {
	h := handlerOf(e)
	h.tx = func(ctx context.Context, d delivery) ([]tablewright.TxWrite, error) {
		c, err := changeOf(d.record, d.attempt, d.once, e.Decode)
		if err != nil {
			return nil, err
		}
		writes, err := f(ctx, c)
		if n := len(writes); err == nil && n >= capacity.TransactionActions {
			err = fmt.Errorf("streams: %d writes: a transaction has room for %d beside the checkpoint", n, capacity.TransactionActions-1)
		}
		return writes, err
	}
	return h
}

// Else handles the changes of items that no other handler takes, as they are stored: of kinds that nobody declared, and of
// declared ones without a handler. Without it they are passed over.
func Else(f func(ctx context.Context, c Change[attr.Item]) error) Handler {
	h := Handler{name: "attr.Item"}
	h.one = func(ctx context.Context, d delivery) error {
		c, err := changeOf(d.record, d.attempt, d.once, attr.ParseItem)
		if err != nil {
			return err
		}
		return f(ctx, c)
	}
	return h
}

// checkHandlers refuses handlers that never get a change, or not what they need of it.
func checkHandlers(t *tablewright.Table, handlers []Handler) error {
	if len(handlers) == 0 {
		return fmt.Errorf("streams: no handlers: everything would be passed over")
	}
	for _, h := range handlers {
		switch {
		case h.one == nil && h.many == nil && !h.transactional():
			return fmt.Errorf("streams: the zero Handler handles nothing")
		case h.table != nil && h.table != t:
			return fmt.Errorf("streams: %s lies in table %s, not in %s", h.name, h.table.Name(), t.Name())
		}
	}
	return nil
}

// takers are the handlers that a record goes to.
func takers(handlers []Handler, r *record) (takes []int) {
	for i, h := range handlers {
		if h.holds != nil && h.holds(r.Keys) {
			takes = append(takes, i)
		}
	}
	if takes != nil {
		return takes
	}
	for i, h := range handlers {
		if h.holds == nil {
			takes = append(takes, i)
		}
	}
	return takes
}
