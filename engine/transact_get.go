package engine

import (
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/engine/internal/throttle"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

const severalOnOne = "Transaction request cannot include multiple operations on one item"

func (e *session) transactGetItems(body []byte) ([]byte, error) {
	in, err := wire.DecodeTransactGetItems(body)
	if err != nil {
		return nil, err
	}
	projections := make([]*expr.Projection, len(in.Items))
	for i := range in.Items {
		g := &in.Items[i]
		// A transaction's Get takes names without an expression (captured on AWS).
		if g.ProjectionExpression == nil {
			g.Names = nil
		}
		p, err := readProjection(nil, g.ProjectionExpression, g.Names, &g.Key)
		if err != nil {
			return nil, err
		}
		projections[i] = p
	}
	tables, keys := make([]*table, len(in.Items)), make([][]byte, len(in.Items))
	reasons := newReasons(len(in.Items))
	seen := map[string]bool{}
	for i := range in.Items {
		t, err := e.lookup(in.Items[i].TableName)
		if err != nil {
			return nil, err
		}
		tables[i] = t
		if err := t.checkKey(in.Items[i].Key.Item); err != nil { // even an empty key cancels (captured on AWS)
			reasons.invalid(i, err)
			continue
		}
		if projections[i] != nil {
			if err := t.checkPaths(projections[i]); err != nil {
				return nil, err
			}
		}
		keys[i] = t.itemKey(in.Items[i].Key.Item)
		if id := string(spaceKey(t.space)) + string(keys[i]); seen[id] {
			return nil, wire.Invalid(severalOnOne)
		} else {
			seen[id] = true
		}
	}
	for i, t := range tables {
		if keys[i] != nil && e.inFlight.written(t.space, keys[i]) {
			reasons.conflict(i)
		} else if err := e.allow(nil, t, nil, throttle.Read, keys[i]); err != nil {
			refused := throttledAs(err)
			if refused == nil {
				return nil, err
			}
			reasons.throttled(i, refused)
		}
	}
	if err := reasons.err(); err != nil {
		return nil, err
	}
	var answer []byte
	err = e.store.View(func(r kv.Reader) error {
		out := wire.TransactGetItemsOutput{Items: make([]wire.Raw, len(in.Items))}
		m := meter{mode: in.ReturnConsumed, transactional: wire.Reads}
		var read capacity.Bytes
		for i, t := range tables {
			if _, err := e.current(t); err != nil {
				return err
			}
			s := stored(r.Get(t.space, keys[i]))
			if read += s.size(); read > capacity.TransactionBytes {
				return wire.Invalid("Transaction read size has exceeded the maximum allowed size")
			}
			units := float64(capacity.Get(s.size(), capacity.Transactional))
			if m.wanted() {
				m.of(t).table += units
			}
			if err := e.consumedRead(r, t, nil, units, itemRead{keys[i], s.size()}); err != nil {
				return err
			}
			switch {
			case s == nil:
			case projections[i] == nil:
				out.Items[i] = s.json()
			default: // nothing of the item: no Item either, unlike GetItem
				out.Items[i] = some(projections[i].Apply(s.item()))
			}
		}
		out.ConsumedCapacity = m.list()
		answer = out.Append(nil)
		return nil
	})
	return answer, err
}

// reasons collects why a transaction is cancelled.
type reasons struct {
	list   []wire.CancellationReason
	failed bool
}

func newReasons(n int) *reasons {
	r := &reasons{list: make([]wire.CancellationReason, n)}
	for i := range r.list {
		r.list[i].Code = "None"
	}
	return r
}

// invalid notes that action i is not valid.
func (r *reasons) invalid(i int, err *wire.Error) {
	r.failed = true
	r.list[i] = wire.CancellationReason{Code: "ValidationError", Message: err.Message}
}

// conflict notes that another request is on the item of action i.
func (r *reasons) conflict(i int) {
	r.failed = true
	r.list[i] = wire.CancellationReason{Code: "TransactionConflict", Message: ongoing}
}

// refused notes that the condition of action i does not hold, or that its item collection is full.
func (r *reasons) refused(i int, err *wire.Error) {
	r.failed = true
	code := "ConditionalCheckFailed"
	if err.Code == wire.CodeCollectionSizeExceeded {
		code = "ItemCollectionSizeLimitExceeded"
	}
	r.list[i] = wire.CancellationReason{Code: code, Message: err.Message, Item: err.Item}
}

// err is the answer of the cancelled transaction; nil if nothing speaks against it.
func (r *reasons) err() error {
	if !r.failed {
		return nil
	}
	codes := make([]string, len(r.list))
	for i := range r.list {
		codes[i] = r.list[i].Code
	}
	return &wire.Error{
		Code:    wire.CodeTransactionCanceled,
		Message: "Transaction cancelled, please refer cancellation reasons for specific reasons [" + strings.Join(codes, ", ") + "]",
		Reasons: r.list,
	}
}
