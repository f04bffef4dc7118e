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
//	"t" Region NUL operation NUL token   time (8 bytes), SHA-256 of the request, and for each action the table and the read
//	                                     units of a replay
//	"x" time, then as above              nothing: tokens in the order in which they are forgotten
//
// They are written with the transaction itself, so that a crash forgets both or neither. A token means something to one
// operation of an account (observed on AWS), and Regions know nothing of each other.

const tokenLife = 10 * time.Minute

// clientToken is the token of a request and a digest of what it asks for.
type clientToken struct {
	text   string // empty: the request has none
	digest [sha256.Size]byte
}

func (e *session) tokenKey(token string) []byte {
	return []byte("t" + e.region + "\x00" + e.operation + "\x00" + token)
}

// tokenTime is where a token, by its key, stands in the order of time.
func tokenTime(at int64, key []byte) []byte {
	return append(binary.BigEndian.AppendUint64([]byte{'x'}, uint64(at)), key[min(1, len(key)):]...)
}

// digest is of the request without what may differ in a replay: the token itself and the figures asked for.
func digest(in *wire.TransactWriteItemsInput) [sha256.Size]byte {
	same := wire.TransactWriteItemsInput{Actions: in.Actions}
	return sha256.Sum256(same.Append(nil))
}

// replay looks for the token of a transaction. If it has succeeded before, nothing is written again: the answer reports
// a transactional read of the same images (measured on AWS).
func (e *session) replay(token clientToken, report *wire.Report, out *wire.TransactWriteItemsOutput) (replayed bool, err error) {
	var record []byte
	err = e.store.View(func(r kv.Reader) error {
		record = bytes.Clone(r.Get(spaceTokens, e.tokenKey(token.text)))
		return nil
	})
	if record == nil || err != nil {
		return false, err
	}
	if at := int64(binary.BigEndian.Uint64(record)); e.nanoseconds()-at >= int64(tokenLife) {
		return false, nil
	}
	if !bytes.Equal(record[8:8+sha256.Size], token.digest[:]) {
		return false, wire.NewError(wire.CodeIdempotentMismatch,
			"Request parameters do not match those of an earlier request with the same client request token")
	}
	m := meter{mode: report.ConsumedCapacity, transactional: wire.Reads}
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
func (e *session) remember(w kv.Writer, token clientToken, changes []change) {
	if token.text == "" {
		return
	}
	now := e.nanoseconds()
	record := append(binary.BigEndian.AppendUint64(nil, uint64(now)), token.digest[:]...)
	for i := range changes {
		c := &changes[i]
		record = binary.AppendUvarint(record, uint64(len(c.table.name)))
		record = append(record, c.table.name...)
		record = binary.AppendUvarint(record, uint64(capacity.Replay(c.before.stored.size(), c.after.size())))
	}
	own := e.tokenKey(token.text)
	w.Put(spaceTokens, own, record)
	w.Put(spaceTokens, tokenTime(now, own), []byte{})
	var old [][]byte
	// Those of exactly that age are over too: the bound is not.
	w.Ascend(spaceTokens, []byte{'x'}, tokenTime(max(now-int64(tokenLife)+1, 0), nil), func(key, _ []byte) bool {
		old = append(old, bytes.Clone(key))
		return len(old) < 4 // more than are added: the space does not grow
	})
	for _, key := range old {
		w.Delete(spaceTokens, key)
		forgotten := append([]byte{'t'}, key[9:]...)
		if r := w.Get(spaceTokens, forgotten); r != nil && bytes.Equal(r[:8], key[1:9]) { // not if used again since
			w.Delete(spaceTokens, forgotten)
		}
	}
}
