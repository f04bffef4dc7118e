package engine

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine/internal/throttle"
	"github.com/tablewright/tablewright/wire"
)

// Fault is something that goes wrong with requests, for a test to see what becomes of it. The first members say which
// requests meet it, the others what happens to them; both may be several. Injected faults are tried in their order, and
// a request may meet several: delays add up, the first error is answered.
type Fault struct {
	// Operation is the operation that meets the fault, such as "PutItem". Empty: all.
	Operation string
	// Table is the table, by name, that the request names, Index the index of a Query, Scan or SELECT. Empty: any or none.
	Table, Index string
	// Key is the key of an item that the request names, in DynamoDB JSON: {"isbn":{"S":"978-0"}}. Without the sort key it is
	// all items of that partition key. Empty: any or none. A statement names the item that it inserts, or those whose key
	// its WHERE states with = or IN.
	Key string
	// Skip is how many requests pass before the first meets the fault, Times how many meet it then; 0: all.
	Skip, Times int

	// Delay is a time that the request waits, by the engine's clock: with a ManualClock until that is moved. A write waits
	// when it is under way, so that transactions conflict with it, as it does with them if it is one.
	Delay time.Duration
	// Until is waited for, as for Delay, until it is closed.
	Until <-chan struct{}
	// Throttle refuses what is read or written as if its partition was at its limit: a part of a batch is left over, a
	// transaction cancelled. Each item that is refused counts for Skip and Times; the members below mean nothing then, nor
	// do Delay and Until.
	Throttle bool
	// Err is answered, and nothing done: a *wire.Error as the service answers it, any other as a failure on the way, which
	// over HTTP is a connection that ends.
	Err error
	// DropAnswer does what is asked and loses the answer: ErrAnswerLost, over HTTP a connection that ends.
	DropAnswer bool
}

// ErrAnswerLost is the error of a request that was done, but met a Fault that drops its answer.
var ErrAnswerLost = errors.New("engine: the answer was lost")

// Injected is a Fault at work.
type Injected struct {
	Fault
	engine *Engine
	key    attr.Item
	met    atomic.Int64 // requests or items that matched, those that were let through too
}

// Inject has requests meet a fault from now on, until it is removed. An operation that the service does not have, a key
// that is not DynamoDB JSON, a number below 0, or a fault that does nothing is a mistake of the test: Inject panics.
func (e *Engine) Inject(f Fault) *Injected {
	i := &Injected{Fault: f, engine: e}
	if f.Operation != "" && handlers[f.Operation] == nil && laterOperations[f.Operation] == "" {
		panic("engine: a fault of the operation " + strconv.Quote(f.Operation) + ", which there is not")
	}
	if f.Skip < 0 || f.Times < 0 || f.Delay < 0 {
		panic("engine: Skip, Times and Delay of a fault are 0 or more")
	}
	if f.Key != "" {
		key, err := attr.ParseItem([]byte(f.Key))
		if err != nil {
			panic("engine: the key of a fault: " + err.Error())
		}
		i.key = key
	}
	if f.Delay == 0 && f.Until == nil && !f.Throttle && f.Err == nil && !f.DropAnswer {
		panic("engine: a fault that does nothing")
	}
	e.changeFaults(func(l []*Injected) []*Injected { return append(l, i) })
	return i
}

// Remove ends the fault; requests that wait for it go on waiting.
func (i *Injected) Remove() {
	i.engine.changeFaults(func(l []*Injected) []*Injected {
		return slices.DeleteFunc(l, func(x *Injected) bool { return x == i })
	})
}

// Met is how many requests, or items for Throttle, have met the fault.
func (i *Injected) Met() int {
	n := max(int(i.met.Load())-i.Skip, 0)
	if i.Times > 0 {
		n = min(n, i.Times)
	}
	return n
}

// changeFaults changes the list of faults; requests look at it without a lock.
func (e *Engine) changeFaults(change func([]*Injected) []*Injected) {
	e.control.Lock()
	defer e.control.Unlock()
	var l []*Injected
	if before := e.faults.Load(); before != nil {
		l = slices.Clone(*before)
	}
	if l = change(l); len(l) == 0 {
		e.faults.Store(nil)
		return
	}
	e.faults.Store(&l)
}

// meet counts a request or item that matches; it is true if that meets the fault.
func (i *Injected) meet() bool {
	n := int(i.met.Add(1)) - i.Skip
	return n > 0 && (i.Times == 0 || n <= i.Times)
}

// answerWith is answer for a session that may meet faults.
func (e *session) answerWith(faults []*Injected, body []byte) (answer []byte, err error) {
	var asked *named // what the request names, read when a fault wants to know
	dropped := false
	for _, i := range faults {
		if i.Throttle || i.Operation != "" && i.Operation != e.operation {
			continue
		}
		if i.Table != "" || i.Index != "" || i.key.Len() > 0 {
			if asked == nil {
				asked = e.namesIn(body)
			}
			if !asked.match(i) {
				continue
			}
		}
		if !i.meet() {
			continue
		}
		if i.Delay > 0 || i.Until != nil {
			e.waits = append(e.waits, i)
		}
		if i.Err != nil {
			if err := e.wait(); err != nil {
				return nil, err
			}
			var refused *wire.Error
			if errors.As(i.Err, &refused) {
				return nil, refused
			}
			return nil, &lostError{i.Err}
		}
		dropped = dropped || i.DropAnswer
	}
	if len(e.waits) > 0 && !waitsUnderWay[e.operation] && !e.writesStatements(body) {
		if err := e.wait(); err != nil {
			return nil, err
		}
	}
	answer, err = e.answer(body)
	if dropped && err == nil {
		return nil, &lostError{ErrAnswerLost}
	}
	return answer, err
}

// waitsUnderWay are the operations that call wait themselves, once their items are taken; so do statements that write.
var waitsUnderWay = map[string]bool{"PutItem": true, "UpdateItem": true, "DeleteItem": true, "BatchWriteItem": true, "TransactWriteItems": true}

// wait waits for what the faults that the request has met want it to, once.
func (e *session) wait() error {
	waits := e.waits
	e.waits = nil
	for _, i := range waits {
		if err := e.pause(e.ctx, i.Delay); err != nil {
			return err
		}
		if i.Until != nil {
			select {
			case <-i.Until:
			case <-e.ctx.Done():
				return e.ctx.Err()
			}
		}
	}
	return nil
}

// lostError is the error of a request whose caller hears nothing from the engine.
type lostError struct{ error }

func (e *lostError) Unwrap() error { return e.error }

// named is what a request names.
type named struct {
	index string
	items []namedItem
}

type namedItem struct {
	table string
	item  attr.Item // or key; empty: only the table
}

// namesIn reads what a request of any operation names: TableName with Key or Item beside it, wherever that stands, and
// the members of RequestItems. What is not well formed names nothing: the operation itself refuses it.
func (e *session) namesIn(body []byte) *named {
	n := new(named)
	var v map[string]json.RawMessage
	if json.Unmarshal(body, &v) != nil {
		return n
	}
	_ = json.Unmarshal(v["IndexName"], &n.index)
	n.statements(e, body)
	n.one(e, v)
	var actions []map[string]map[string]json.RawMessage
	_ = json.Unmarshal(v["TransactItems"], &actions)
	for _, a := range actions {
		for _, parts := range a {
			n.one(e, parts)
		}
	}
	var tables map[string]json.RawMessage
	_ = json.Unmarshal(v["RequestItems"], &tables)
	for table, request := range tables {
		n.items = append(n.items, namedItem{table: e.nameOf(table)})
		var gets struct{ Keys []json.RawMessage }
		var writes []map[string]map[string]json.RawMessage
		_ = json.Unmarshal(request, &gets)
		_ = json.Unmarshal(request, &writes)
		for _, key := range gets.Keys {
			n.add(e.nameOf(table), key)
		}
		for _, w := range writes {
			for _, parts := range w {
				n.add(e.nameOf(table), parts["Key"])
				n.add(e.nameOf(table), parts["Item"])
			}
		}
	}
	return n
}

// one reads TableName and what stands beside it.
func (n *named) one(e *session, v map[string]json.RawMessage) {
	var table string
	if json.Unmarshal(v["TableName"], &table) != nil {
		return
	}
	table = e.nameOf(table)
	n.items = append(n.items, namedItem{table: table})
	n.add(table, v["Key"])
	n.add(table, v["Item"])
}

func (n *named) add(table string, item json.RawMessage) {
	if it, err := attr.ParseItem(item); err == nil {
		n.items = append(n.items, namedItem{table, it})
	}
}

// match reports whether a request that names this is what a fault waits for.
func (n *named) match(i *Injected) bool {
	if i.Index != "" && i.Index != n.index {
		return false
	}
	return slices.ContainsFunc(n.items, func(x namedItem) bool {
		if i.Table != "" && i.Table != x.table || i.key.Len() > x.item.Len() {
			return false
		}
		for j := range i.key.Len() {
			if f := i.key.At(j); !attr.Equal(f.Value, x.item.Get(f.Name)) {
				return false
			}
		}
		return true
	}) || i.Table == "" && i.key.Len() == 0
}

// throttleFault is how an operation on a key is refused by a fault; nil if none is met.
func (e *session) throttleFault(t *table, x *index, op throttle.Operation, key []byte) error {
	faults := e.faults.Load()
	if faults == nil {
		return nil
	}
	for _, i := range *faults {
		if !i.Throttle || i.Operation != "" && i.Operation != e.operation || i.Table != "" && i.Table != t.name ||
			i.Index != "" && (x == nil || i.Index != x.name) || i.key.Len() > 0 && !t.hasKey(i.key, x, key) {
			continue
		}
		if i.meet() {
			return e.throttled(t, x, op, throttle.KeyRange)
		}
	}
	return nil
}

// hasKey reports whether a key in the space of a table, or of an index, belongs to the item of a key or to one of those with
// its partition key. Keys of indexes are those of their own attributes.
func (t *table) hasKey(of attr.Item, x *index, key []byte) bool {
	schema := t.key
	if x != nil {
		schema = x.key
	}
	var values []attr.Value
	for _, a := range schema.Hash {
		v := of.Get(a.Name)
		if v.Kind() != a.Kind {
			return false
		}
		values = append(values, v)
	}
	prefix := partitionKey(values)
	for _, a := range schema.Range {
		if v := of.Get(a.Name); v.Kind() == a.Kind {
			prefix = attr.AppendKey(prefix, v)
		}
	}
	return strings.HasPrefix(string(key), string(prefix))
}
