package tablewright

import (
	"context"
	"sync"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// Transport takes one call to a service or engine: it sends c.Request, the JSON body of c.Operation, and puts the body
// of the answer into c.Response. It may append to c.Response[:0] or replace it. It must not keep c or its bytes.
//
// An answer of the service that is an error is returned as a *wire.Error. Any other error means that the outcome is not
// known, unless it has a method NotSent() bool that answers true: then nothing left, and the call may be repeated. An error
// that is ErrInvalid means that nothing left and no repetition helps. Do is called by many goroutines at once.
type Transport interface {
	Do(ctx context.Context, c *Call) error
}

// Hook wraps a Transport. The chain of hooks is built once, in Connect or New; without hooks it costs nothing.
type Hook func(next Transport) Transport

// TransportFunc makes a Transport of a function.
type TransportFunc func(ctx context.Context, c *Call) error

// Do calls f.
func (f TransportFunc) Do(ctx context.Context, c *Call) error { return f(ctx, c) }

// Engine is what answers operations in the same process, as package engine's Engine does: op is the operation's name,
// body its JSON request; the answer is its JSON response or a *wire.Error.
type Engine interface {
	Do(ctx context.Context, op string, body []byte) ([]byte, error)
}

// InProcess is the Transport to an engine in the same process: it hands over the bytes that a server would be sent.
func InProcess(e Engine) Transport {
	if e == nil {
		return nil
	}
	return TransportFunc(func(ctx context.Context, c *Call) error {
		body, err := e.Do(ctx, c.Operation, c.Request)
		if err != nil {
			return err
		}
		c.Response = body
		return nil
	})
}

// Call is one request and its answer, as transports and hooks see it. It is reused: valid only during Do. Table and
// Index are the names as declared; both are empty where a request names several tables.
type Call struct {
	Operation string // as in the service's API: GetItem, Query, …
	Table     string
	Index     string
	Pattern   string // the access pattern, if the call is named
	Key       []byte // the partition key in DynamoDB JSON, {"PK":{"S":"o#1"}}; nil where there is none or are several
	ItemKey   []byte // the whole key of the one item of a get or write, {"PK":{"S":"o#1"},"SK":{"S":"o"}}; nil elsewhere
	Request   []byte
	Response  []byte
	Attempt   int    // from 1
	RequestID string // of the answer, set by the transport if it has one
	Resumed   bool   // a Query, Scan or SELECT that goes on where a page ended
	GoesOn    bool   // the client itself goes on after the page, if whoever asked wants more items; false where he is given a cursor
	Asks      Asks   // what a write of one item asks for besides, if this package made it

	// After Do: what was consumed, if Measure was set, and how many items came back and were looked at.
	Measure        bool // ask for consumed capacity, for the table and each index; a hook may set it before it calls on
	Read           capacity.ReadUnits
	Write          capacity.WriteUnits
	Items, Scanned int
	More           bool // the answer is a page that is not the last

	db      *DB      // on which it is made; nil if that is not known yet
	foreign bool     // its request is not made by this package
	lost    bool     // an earlier try, of a batch that of another part of it, may have been carried out
	selects bool     // an ExecuteStatement that only reads
	priced  bool     // the client itself wants to know what was consumed
	used    float64  // units of all requests of a batch, if they are known
	raws    [][]byte // the items of a page, as they stand in Response
	arms    []arm
	tables  []tableName // more than one name only in batches and transactions
	keys    []byte      // what Key and ItemKey are parts of

	handling *Handling // that counts what becomes of this try's error; see Follow
	weight   int64     // as how many
}

// Asks is what a write of one item asks for besides. It is 0 where only Call.Request tells.
type Asks uint8

// What a write may ask for.
const (
	AsksTold      Asks = 1 << iota // the others are told
	AsksCondition                  // has a condition
	AsksAnswer                     // wants attributes of the item
)

// tableName is a table as declared and as the service knows it. Where only a name is known, table is nil.
type tableName struct {
	declared, actual string
	table            *Table
}

// Declared is the declaration of a table that the call concerns, by its declared name; nil if the client knows only the
// name, as of a request that somebody else made or of a model that is run.
func (c *Call) Declared(table string) *Table {
	for i := range c.tables {
		if c.tables[i].declared == table {
			return c.tables[i].table
		}
	}
	return nil
}

// DeclaredName is the declared name of a table that a request or an answer names.
func (c *Call) DeclaredName(actual []byte) string { return c.declared(actual) }

// setKey keeps the key of the one item of a call, and its part named partition, for hooks. That is its first one in general.
func (c *Call) setKey(partition string, key []byte) {
	c.keys = append(c.keys[:0], key...)
	n := len(key)
	var value []byte
	for name, first := range attr.Members(key) {
		if string(name) == partition {
			value = first
		}
		break
	}
	if value == nil {
		value = attr.LookupRaw(key, partition)
	}
	c.keys = append(attr.AppendText(append(c.keys, '{'), partition), ':')
	c.keys = append(append(c.keys, value...), '}')
	c.ItemKey, c.Key = c.keys[:n:n], c.keys[n:]
}

// arm is what one table or index consumed.
type arm struct {
	table, index string
	Units
}

// Units are read and write capacity units.
type Units struct {
	Read  capacity.ReadUnits
	Write capacity.WriteUnits
}

// Consumed yields what each table and index consumed, by declared table and index name ("" for the table itself). It is
// empty unless Measure was set before the call was sent.
func (c *Call) Consumed(yield func(table, index string, u Units) bool) {
	for _, a := range c.arms {
		if !yield(a.table, a.index, a.Units) {
			return
		}
	}
}

// declared is the declared name of a table that the service named.
func (c *Call) declared(actual []byte) string {
	for _, t := range c.tables {
		if t.actual == string(actual) {
			return t.declared
		}
	}
	return string(actual)
}

// calls keeps Calls with their buffers. Who takes one with newCall owns it and its bytes until release.
var calls = sync.Pool{New: func() any { return &Call{Request: make([]byte, 0, 1024)} }}

// maxKept is the size above which a buffer is dropped instead of kept: one 1 MB page must not stay with every idle call.
const maxKept = 256 << 10

// maxKeptItems is the same of items of a page.
const maxKeptItems = 4096

func newCall(operation string) *Call {
	c := calls.Get().(*Call)
	c.Operation = operation
	return c
}

// release gives c back. Nothing may point into its buffers any more.
func (c *Call) release() {
	req, resp, arms, tables, keys := c.Request[:0], c.Response[:0], c.arms[:0], c.tables[:0], c.keys[:0]
	if cap(req) > maxKept {
		req = nil
	}
	if cap(resp) > maxKept {
		resp = nil
	}
	clear(tables[:cap(tables)])
	raws := c.raws[:0]
	if cap(raws) > maxKeptItems {
		raws = nil
	}
	clear(raws[:cap(raws)])
	*c = Call{Request: req, Response: resp, raws: raws, arms: arms, tables: tables, keys: keys}
	calls.Put(c)
}
