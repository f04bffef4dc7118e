package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"sync"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// Hold has items of a table as a transaction has them that does not come to its end: until release is called, writes of them
// are refused with TransactionConflictException, transactions are cancelled for the conflict. Keys are in DynamoDB JSON; the
// table is of Options.Region, or "eu-west-1/Books". A table or key that there cannot be, or an item that a transaction has
// already, ends the test; the end of the test releases.
func (e *Engine) Hold(t TB, tableName string, keys ...string) (release func()) {
	t.Helper()
	region, name := e.regionTable(tableName)
	table, err := e.session(context.Background(), region, "TransactWriteItems").lookup(name)
	if err != nil {
		t.Fatalf("engine: holding items of %s: %v", tableName, err)
		return nil
	}
	actions := make([]action, len(keys))
	before := newReasons(len(keys))
	for i, text := range keys {
		key, err := attr.ParseItem([]byte(text))
		if err == nil {
			if refused := table.checkKey(key); refused != nil {
				err = refused
			}
		}
		if err != nil {
			t.Fatalf("engine: holding %s of %s: %v", text, tableName, err)
			return nil
		}
		actions[i] = action{table: table, key: table.itemKey(key)}
	}
	free := e.inFlight.take(actions, before)
	if before.failed {
		free()
		t.Fatalf("engine: holding items of %s: %v", tableName, before.err())
		return nil
	}
	release = sync.OnceFunc(free)
	t.Cleanup(release)
	return release
}

// heldUntil is when the changes of an index that is held are due.
const heldUntil = math.MaxInt64

// HoldIndex has a global secondary index of a table lag behind: until show is called it stays as it is, whatever is written
// to the table; then it has all of it at once. The table is of Options.Region, or "eu-west-1/Books". An index that there is
// not ends the test, and its end shows.
func (e *Engine) HoldIndex(t TB, tableName, indexName string) (show func()) {
	t.Helper()
	region, name := e.regionTable(tableName)
	table, err := e.session(context.Background(), region, "Query").lookup(name)
	if err != nil {
		t.Fatalf("engine: holding an index of %s: %v", tableName, err)
		return nil
	}
	x := table.index(indexName)
	if x == nil || x.kind != globalIndex {
		t.Fatalf("engine: %s has no global secondary index %s", tableName, indexName)
		return nil
	}
	err = e.store.Update(func(w kv.Writer) error {
		if e.lag.on && e.lag.held[x.space] == 0 {
			e.lag.hold(w, x.space)
		}
		w.Undone(func() { e.lag.held[x.space]-- })
		e.lag.held[x.space]++
		return nil
	})
	if err != nil {
		t.Fatalf("engine: holding index %s of %s: %v", indexName, tableName, err)
		return nil
	}
	show = sync.OnceFunc(func() { _ = e.showHeld(&x.space) }) // the engine may be closed
	t.Cleanup(show)
	return show
}

// showHeld ends one hold of an index, and shows what was held if it was the last one; nil: of all.
func (e *Engine) showHeld(of *kv.Space) error {
	return e.store.Update(func(w kv.Writer) error {
		if of != nil {
			w.Undone(func() { e.lag.held[*of]++ })
			if e.lag.held[*of]--; e.lag.held[*of] > 0 {
				return nil
			}
		}
		entries := map[string]bool{} // whose changes are held
		id := func(value []byte) (kv.Space, string) {
			s, key, _ := decodePending(value)
			return s, string(spaceKey(s)) + string(key)
		}
		w.Ascend(spacePending, binary.BigEndian.AppendUint64(nil, heldUntil), nil, func(_, value []byte) bool {
			if s, entry := id(value); of == nil || s == *of {
				entries[entry] = true
			}
			return true
		})
		// With what a lag holds back of the same entries: it was written before, and must not come behind.
		var keys, values [][]byte
		w.Ascend(spacePending, nil, nil, func(key, value []byte) bool {
			if _, entry := id(value); entries[entry] {
				keys, values = append(keys, bytes.Clone(key)), append(values, bytes.Clone(value))
			}
			return true
		})
		spaces := e.ahead.Load().indexSpaces()
		for i, value := range values {
			s, key, entry := decodePending(value)
			if len(entry) == 0 {
				entry = nil
			}
			if spaces[s] {
				putEntry(w, s, key, entry)
			}
			e.lag.shown(w, keys[i], s, key)
		}
		return nil
	})
}
