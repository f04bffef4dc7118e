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
	for i := range in.Items {
		if tables[i], err = e.lookup(in.Items[i].TableName); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{}
	for i, t := range tables {
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
	g := transactGets{tables: tables, keys: keys, mode: in.ReturnConsumed, project: func(i int, s stored) wire.Raw {
		if projections[i] == nil || s == nil {
			return cloneJSON(s)
		}
		return some(projections[i].Apply(s.item())) // nothing of the item: no Item either, unlike GetItem
	}}
	items, consumed, err := g.run(e, reasons)
	if err != nil {
		return nil, err
	}
	out := wire.TransactGetItemsOutput{Items: items, ConsumedCapacity: consumed}
	return out.Append(nil), nil
}

// transactGets is a transaction that reads items by their keys: all of them as they are at one moment.
type transactGets struct {
	tables  []*table
	keys    [][]byte                       // nil: of those that are refused already
	project func(i int, s stored) wire.Raw // what is answered of the item for key i, which may be absent
	mode    string                         // ReturnConsumedCapacity
}

// run reads the items, unless something speaks against it or does so already.
func (g *transactGets) run(e *session, reasons *reasons) (items []wire.Raw, consumed []wire.ConsumedCapacity, err error) {
	for i, t := range g.tables {
		if g.keys[i] != nil && e.inFlight.written(t.space, g.keys[i]) {
			reasons.conflict(i)
		} else if err := e.allow(nil, t, nil, throttle.Read, g.keys[i]); err != nil {
			refused := throttledAs(err)
			if refused == nil {
				return nil, nil, err
			}
			reasons.throttled(i, refused)
		}
	}
	if err := reasons.err(); err != nil {
		return nil, nil, err
	}
	err = e.store.View(func(r kv.Reader) error {
		items = make([]wire.Raw, len(g.keys))
		m := meter{mode: g.mode, transactional: wire.Reads}
		var read capacity.Bytes
		for i, t := range g.tables {
			if _, err := e.shown(t); err != nil {
				return err
			}
			s := stored(r.Get(t.space, g.keys[i]))
			if read += s.size(); read > capacity.TransactionBytes {
				return wire.Invalid("Transaction read size has exceeded the maximum allowed size")
			}
			units := float64(capacity.Get(s.size(), capacity.Transactional))
			if m.wanted() {
				m.of(t).table += units
			}
			if err := e.consumedRead(r, t, nil, units, itemRead{g.keys[i], s.size()}); err != nil {
				return err
			}
			items[i] = g.project(i, s)
		}
		consumed = m.list()
		return nil
	})
	return items, consumed, err
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
	switch err.Code {
	case wire.CodeCollectionSizeExceeded:
		code = "ItemCollectionSizeLimitExceeded"
	case wire.CodeDuplicateItem:
		code = "DuplicateItem"
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
