package streams

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/wire"
)

// Change is a change of one item, as a stream tells it. Old and New are the item before and after; nil where there was, or
// is, none, or where the stream's view does not have it.
type Change[T any] struct {
	Old, New *T
	Keys     attr.Item // of the item in the table, as stored
	Event    string    // INSERT, MODIFY or REMOVE, whatever the view
	Expired  bool      // removed by time to live
	At       time.Time // about when; the service rounds down to seconds

	Shard    string
	Sequence string // grows within the shard: see Compare
	ID       string // unique, and the same at every delivery: an idempotency key for other systems

	Attempt int // from 1: how often this handler was called with the change in this process

	once func(id string) tablewright.TxWrite
}

// Once is a part of a transaction that takes effect the first time the change is handled; later ones end with ErrHandled,
// all their writes undone. It keeps a marker in the table of leases, for as long as changes can come again. On the handlers
// of OnTx it is not needed.
func (c Change[T]) Once() tablewright.TxWrite { return c.once(c.ID) }

// Compare orders the sequence numbers of a shard, which may differ in length.
func Compare(a, b string) int {
	switch {
	case len(a) != len(b):
		return len(a) - len(b)
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// record is a change as it was read.
type record struct {
	wire.StreamRecord
	shard string
}

func (r *record) at() time.Time { return time.Unix(r.Created, 0).UTC() }

// changeOf makes a typed change; the error is of an image that is no T.
func changeOf[T any](r *record, attempt int, once func(string) tablewright.TxWrite, decode func([]byte) (T, error)) (c Change[T], err error) {
	c = Change[T]{Event: r.EventName, Expired: r.Expired, At: r.at(), Shard: r.shard, Sequence: r.Sequence, ID: r.EventID, Attempt: attempt, once: once}
	if c.Keys, err = attr.ParseItem(r.Keys); err != nil {
		return c, fmt.Errorf("streams: keys of change %s: %w", r.Sequence, err)
	}
	image := func(raw []byte) (*T, error) {
		if raw == nil {
			return nil, nil
		}
		item, err := decode(raw)
		if err != nil {
			return nil, unreadable{fmt.Errorf("streams: change %s: %w", r.Sequence, err)}
		}
		return &item, nil
	}
	if c.Old, err = image(r.OldImage); err == nil {
		c.New, err = image(r.NewImage)
	}
	return c, err
}

// unreadable is an error of an item that does not go into its type: no repetition helps.
type unreadable struct{ error }

func (e unreadable) Unwrap() error { return e.error }
