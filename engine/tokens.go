package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// Client request tokens make TransactWriteItems idempotent for ten minutes (TransactWriteItems in the API reference). In
// spaceTokens:
//
//	"t" token        time (8 bytes), SHA-256 of the request, and for each action the table and the read units of a replay
//	"x" time token   nothing: tokens in the order in which they are forgotten
//
// They are written with the transaction itself, so that a crash forgets both or neither.

const tokenLife = 10 * time.Minute

func tokenKey(token string) []byte { return append([]byte{'t'}, token...) }

func tokenTime(at int64, token string) []byte {
	return append(binary.BigEndian.AppendUint64([]byte{'x'}, uint64(at)), token...)
}

// digest is of the request without what may differ in a replay: the token itself and the figures asked for.
func digest(in *wire.TransactWriteItemsInput) [sha256.Size]byte {
	same := wire.TransactWriteItemsInput{Actions: in.Actions}
	return sha256.Sum256(same.Append(nil))
}

// replay looks for the token of a transaction. If it has succeeded before, nothing is written again: the answer reports
// a transactional read of the same images (measured on AWS).
func (e *Engine) replay(w kv.Writer, in *wire.TransactWriteItemsInput, out *wire.TransactWriteItemsOutput) (bool, error) {
	if in.Token == "" {
		return false, nil
	}
	record := w.Get(spaceTokens, tokenKey(in.Token))
	if record == nil {
		return false, nil
	}
	if at := int64(binary.BigEndian.Uint64(record)); e.nanoseconds()-at >= int64(tokenLife) {
		return false, nil
	}
	sum := digest(in)
	if !bytes.Equal(record[8:8+sha256.Size], sum[:]) {
		return false, wire.NewError(wire.CodeIdempotentMismatch,
			"Request parameters do not match those of an earlier request with the same client request token")
	}
	m := meter{mode: in.Report.ConsumedCapacity, transactional: wire.Reads}
	if m.wanted() {
		for rest := record[8+sha256.Size:]; len(rest) > 0; {
			n, k := binary.Uvarint(rest)
			name := string(rest[k : k+int(n)])
			units, l := binary.Uvarint(rest[k+int(n):])
			rest = rest[k+int(n)+l:]
			m.of(&table{name: name}).table += float64(units)
		}
	}
	out.ConsumedCapacity = m.list()
	return true, nil
}

// remember keeps the token of a transaction that succeeds, and forgets old ones.
func (e *Engine) remember(w kv.Writer, in *wire.TransactWriteItemsInput, changes []change) {
	if in.Token == "" {
		return
	}
	now := e.nanoseconds()
	sum := digest(in)
	record := append(binary.BigEndian.AppendUint64(nil, uint64(now)), sum[:]...)
	for i := range changes {
		c := &changes[i]
		record = binary.AppendUvarint(record, uint64(len(c.table.name)))
		record = append(record, c.table.name...)
		record = binary.AppendUvarint(record, uint64(capacity.Replay(c.before.stored.size(), c.after.size())))
	}
	w.Put(spaceTokens, tokenKey(in.Token), record)
	w.Put(spaceTokens, tokenTime(now, in.Token), []byte{})
	var old [][]byte
	// Those of exactly that age are over too: the bound is not.
	w.Ascend(spaceTokens, []byte{'x'}, tokenTime(max(now-int64(tokenLife)+1, 0), ""), func(key, _ []byte) bool {
		old = append(old, bytes.Clone(key))
		return len(old) < 4 // more than are added: the space does not grow
	})
	for _, key := range old {
		w.Delete(spaceTokens, key)
		token := tokenKey(string(key[9:]))
		if r := w.Get(spaceTokens, token); r != nil && bytes.Equal(r[:8], key[1:9]) { // not if used again since
			w.Delete(spaceTokens, token)
		}
	}
}
