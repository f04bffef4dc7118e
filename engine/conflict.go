package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"sync"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/engine/internal/throttle"
	"github.com/tablewright/tablewright/wire"
)

// What is under way on items, so that it can be told as the service does (transaction-apis, Transaction conflict handling):
//
//	a plain write            finds a transaction on the item: TransactionConflictException, in a batch the write is left over
//	TransactWriteItems       finds another one on an item: it is cancelled, the action's reason is TransactionConflict
//	TransactGetItems         finds any write on an item: the same
//
// Plain writes of one item wait for each other, a transaction waits for plain writes that were there before it, and reads
// that are not transactions see what is committed: none of them is ever refused. Under way is a write from before it
// reads until its answer is durable, also where it waits for the disk.

// inFlight is the items that are being written, in shards by the hash that their keys begin with. A shard holds what is
// under way at one moment, a few entries: looking through them costs less than a map would.
type inFlight struct {
	// taking is held while a transaction takes its items: of two that want the same ones the first gets all of them, where
	// taking turns item by item might refuse both.
	taking sync.Mutex
	shards [inFlightShards]inFlightShard
	tokens tokensInUse
}

const inFlightShards = 64

type inFlightShard struct {
	mu    sync.Mutex
	items []flight
}

// flight is one write that is under way on an item; plain writes of the same item have one each.
type flight struct {
	space       kv.Space
	key         []byte // of the item in its table's space
	transaction bool
}

func (f *inFlight) shard(s kv.Space, key []byte) *inFlightShard {
	return &f.shards[(binary.BigEndian.Uint32(key)+uint32(s))%inFlightShards]
}

// find is where an entry is; -1: nowhere. A nil transaction stands for any kind of write.
func (h *inFlightShard) find(s kv.Space, key []byte, transaction *bool) int {
	for i := range h.items {
		if x := &h.items[i]; x.space == s && (transaction == nil || x.transaction == *transaction) && bytes.Equal(x.key, key) {
			return i
		}
	}
	return -1
}

var (
	ofTransaction = true
	ofPlainWrite  = false
)

// begin notes a write of an item; it is false, and notes nothing, if a transaction has the item.
func (f *inFlight) begin(s kv.Space, key []byte, transaction bool) bool {
	h := f.shard(s, key)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.find(s, key, &ofTransaction) >= 0 {
		return false
	}
	h.items = append(h.items, flight{s, key, transaction})
	return true
}

// end takes back what begin noted.
func (f *inFlight) end(s kv.Space, key []byte, transaction bool) {
	kind := &ofPlainWrite
	if transaction {
		kind = &ofTransaction
	}
	h := f.shard(s, key)
	h.mu.Lock()
	defer h.mu.Unlock()
	i, last := h.find(s, key, kind), len(h.items)-1
	h.items[i] = h.items[last]
	h.items[last] = flight{}
	h.items = h.items[:last]
}

// written reports whether any write of an item is under way.
func (f *inFlight) written(s kv.Space, key []byte) bool {
	h := f.shard(s, key)
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.find(s, key, nil) >= 0
}

// The text of a conflict, alone and as a reason (API_TransactWriteItems).
const ongoing = "Transaction is ongoing for the item"

var errConflict = wire.NewError(wire.CodeTransactionConflict, ongoing)

// writeItem is store.Update for what writes one item and is no transaction: it is refused while one has the item, and where
// the item's table or partition is at its limit.
func (e *session) writeItem(t *table, key []byte, f func(w kv.Writer) error) error {
	if !e.inFlight.begin(t.space, key, false) {
		return errConflict
	}
	defer e.inFlight.end(t.space, key, false)
	if err := e.wait(); err != nil {
		return err
	}
	if err := e.allow(nil, t, nil, throttle.Write, key); err != nil {
		return err
	}
	return e.store.Update(f)
}

// take notes a transaction on the items of its actions. What cannot be taken gets its reason; the rest is taken all the
// same, and given back by calling release: the transaction is cancelled then, but goes on to see what else speaks against
// it. Actions that are refused already have no item.
func (f *inFlight) take(actions []action, before *reasons) (release func()) {
	taken := make([]*action, 0, len(actions))
	f.taking.Lock()
	defer f.taking.Unlock()
	for i := range actions {
		switch a := &actions[i]; {
		case before.list[i].Code != "None":
		case f.begin(a.table.space, a.key, true):
			taken = append(taken, a)
		default:
			before.conflict(i)
		}
	}
	return func() {
		for _, a := range taken {
			f.end(a.table.space, a.key, true)
		}
	}
}

// tokensInUse are the client request tokens of transactions that are under way. Calls with the same one run one after
// another, and the later ones find what became of the first (observed on AWS).
type tokensInUse struct {
	mu   sync.Mutex
	done map[string]chan struct{} // closed when the call that has the token ends
}

// enter waits until no call has the token, and has it until leave is called.
func (u *tokensInUse) enter(ctx context.Context, token string) (leave func(), err error) {
	for {
		u.mu.Lock()
		before := u.done[token]
		if before == nil {
			done := make(chan struct{})
			if u.done == nil {
				u.done = map[string]chan struct{}{}
			}
			u.done[token] = done
			u.mu.Unlock()
			return func() {
				u.mu.Lock()
				delete(u.done, token)
				u.mu.Unlock()
				close(done)
			}, nil
		}
		u.mu.Unlock()
		select {
		case <-before:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
