package tracebench

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/wire"
)

// Caller is one request that a process serves: its calls have one context, and follow each other in its own time.
type Caller struct {
	w   *World
	p   *process
	ctx context.Context
	at  time.Time
}

// Background has the caller's calls have the context that everybody's have.
func (c *Caller) Background() { c.ctx = context.Background() }

// Answer is what a call was answered.
type Answer struct {
	Raw  []byte // as JSON
	Last []byte // LastEvaluatedKey, nil on the last page
	next []byte // NextToken of a statement
	Err  error  // of the service

	t testing.TB
}

// Item is the item of a get, or what a write was asked to return; empty if there is none.
func (a *Answer) Item() (it attr.Item) {
	for _, name := range []string{"Item", "Attributes"} {
		if raw := attr.LookupRaw(a.Raw, name); raw != nil {
			return a.item(raw)
		}
	}
	for _, one := range a.Items() { // of a statement
		return one
	}
	return it
}

// Items are those of a page or a batch.
func (a *Answer) Items() (all []attr.Item) {
	for one := range attr.Elements(attr.LookupRaw(a.Raw, "Items")) {
		all = append(all, a.item(one))
	}
	for _, of := range attr.Members(attr.LookupRaw(a.Raw, "Responses")) {
		for one := range attr.Elements(of) {
			all = append(all, a.item(one))
		}
	}
	return all
}

func (a *Answer) item(raw []byte) attr.Item {
	it, err := attr.ParseItem(raw)
	if err != nil {
		a.t.Fatalf("tracebench: %v in %s", err, raw)
	}
	return it
}

// Wait lets time pass in which the caller does something else, such as computing or asking another service.
func (c *Caller) Wait(d time.Duration) { c.at = c.now().Add(d) }

// now is the caller's time, which is never behind the World's.
func (c *Caller) now() time.Time {
	if now := c.w.Clock.Now(); now.After(c.at) {
		c.at = now
	}
	return c.at
}

// Get reads an item by its key.
func (c *Caller) Get(table string, key Item, how ...Option) *Answer {
	return c.one("GetItem", table, "Key", key, how)
}

// Put writes an item.
func (c *Caller) Put(table string, item Item, how ...Option) *Answer {
	return c.one("PutItem", table, "Item", item, how)
}

// Delete deletes an item by its key.
func (c *Caller) Delete(table string, key Item, how ...Option) *Answer {
	return c.one("DeleteItem", table, "Key", key, how)
}

// Update changes an item by an update expression, such as "SET n = n + :one"; see Values.
func (c *Caller) Update(table string, key Item, expression string, how ...Option) *Answer {
	return c.one("UpdateItem", table, "Key", key, append(how, member("UpdateExpression", expression)))
}

// Client has the caller use the client as programs do, with what they declare on the Trace's tables: f makes the calls, and does with
// their errors what the program does.
func (c *Caller) Client(f func(ctx context.Context, db *tablewright.DB)) {
	c.now()
	c.w.caller = c
	f(c.ctx, c.p.db)
	c.w.caller = nil
	c.caughtUp()
}

// caughtUp moves the clock to a caller's time who is at work for longer than a moment.
func (c *Caller) caughtUp() {
	if c.at.Sub(c.w.Clock.Now()) > 100*time.Millisecond {
		c.w.until(c.at)
	}
}

func (c *Caller) one(operation, table, name string, item Item, how []Option) *Answer {
	r := c.request(operation, table, "", how)
	body := item.append(nil)
	r.raw(name, body)
	r.partition, r.item = c.w.keys(table, "", body)
	return r.run()
}

// Query reads a page of a partition, of the table or an index: of that with these values of the partition key.
func (c *Caller) Query(table, index string, partition Item, how ...Option) *Answer {
	r := c.request("Query", table, index, how)
	condition := ""
	for i, name := range c.w.partition(table, index) {
		value := ":p" + strconv.Itoa(i)
		if condition != "" {
			condition += " AND "
		}
		condition += "#p" + strconv.Itoa(i) + " = " + value
		r.names = append(r.names, [2]string{"#p" + strconv.Itoa(i), name})
		r.values = merged(r.values, Item{value: partition[name]})
	}
	if r.where != "" {
		condition += " AND " + r.where
	}
	r.text("KeyConditionExpression", condition)
	r.partition = partition.append(nil)
	return r.run()
}

// Scan reads a page of a table or index.
func (c *Caller) Scan(table, index string, how ...Option) *Answer {
	return c.request("Scan", table, index, how).run()
}

// BatchGet reads up to 100 items of a table by their keys.
func (c *Caller) BatchGet(table string, keys []Item, how ...Option) *Answer {
	r := c.request("BatchGetItem", "", "", how)
	b := append(attr.AppendText([]byte{'{'}, table), `:{"Keys":[`...)
	for i, key := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = key.append(b)
	}
	b = append(b, ']')
	inside := r.body() // options are said of the table
	r.members, r.names, r.values, r.consistent = nil, nil, nil, false
	if len(inside) > len("{}") {
		b = append(b, ',')
	}
	b = append(b, inside[1:]...)
	r.raw("RequestItems", append(b, '}'))
	return r.run()
}

// BatchWrite writes and deletes up to 25 items of a table.
func (c *Caller) BatchWrite(table string, puts, deletes []Item, how ...Option) *Answer {
	r := c.request("BatchWriteItem", "", "", how)
	b := append(attr.AppendText([]byte{'{'}, table), `:[`...)
	for i, put := range puts {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(put.append(append(b, `{"PutRequest":{"Item":`...)), "}}"...)
	}
	for i, key := range deletes {
		if i+len(puts) > 0 {
			b = append(b, ',')
		}
		b = append(key.append(append(b, `{"DeleteRequest":{"Key":`...)), "}}"...)
	}
	r.raw("RequestItems", append(b, "]}"...))
	return r.run()
}

// Statement runs a statement of PartiQL.
func (c *Caller) Statement(text string, how ...Option) *Answer {
	r := c.request("ExecuteStatement", "", "", how)
	r.text("Statement", text)
	return r.run()
}

// Action is one of a transaction.
type Action struct {
	Do    string // Put, Update, Delete, ConditionCheck, Get
	Table string
	Item  Item // or its key
	How   []Option
}

// Transact runs a transaction, of Get actions or of others.
func (c *Caller) Transact(actions []Action, how ...Option) *Answer {
	operation := "TransactWriteItems"
	if len(actions) > 0 && actions[0].Do == "Get" {
		operation = "TransactGetItems"
	}
	r := c.request(operation, "", "", how)
	b := []byte{'['}
	for i, a := range actions {
		if i > 0 {
			b = append(b, ',')
		}
		one := c.request("", a.Table, "", a.How)
		name := "Key"
		if a.Do == "Put" {
			name = "Item"
		}
		one.raw(name, a.Item.append(nil))
		b = append(attr.AppendText(append(b, '{'), a.Do), ':')
		b = append(append(b, one.body()...), '}')
	}
	r.raw("TransactItems", append(b, ']'))
	return r.run()
}

// Option says more about a call.
type Option func(r *request)

// Pattern is the name of the access pattern.
func Pattern(name string) Option { return func(r *request) { r.call.Pattern = name } }

// If is the condition of a write, which may name values.
func If(condition string) Option { return member("ConditionExpression", condition) }

// Set is the update expression of an Update in a transaction.
func Set(expression string) Option { return member("UpdateExpression", expression) }

// Where is the condition on an index's or a table's sort key: "SK BETWEEN :from AND :to".
func Where(condition string) Option { return func(r *request) { r.where = condition } }

// Filter leaves out items that were read.
func Filter(condition string) Option { return member("FilterExpression", condition) }

// Project asks for some attributes only.
func Project(attributes string) Option { return member("ProjectionExpression", attributes) }

// Values are those that expressions name, with their colons.
func Values(values Item) Option { return func(r *request) { r.values = merged(r.values, values) } }

// Names are attributes that expressions name with a number sign: Names("#status", "status").
func Names(names ...string) Option {
	return func(r *request) {
		for i := 0; i+1 < len(names); i += 2 {
			r.names = append(r.names, [2]string{names[i], names[i+1]})
		}
	}
}

// Limit is how many items a page looks at.
func Limit(n int) Option {
	return func(r *request) { r.raw("Limit", strconv.AppendInt(nil, int64(n), 10)) }
}

// Consistent makes a read strongly consistent, of a batch as well.
func Consistent() Option { return func(r *request) { r.consistent = true } }

// Descending reads a partition from its end.
func Descending() Option { return func(r *request) { r.raw("ScanIndexForward", []byte("false")) } }

// Count asks for the number of items only.
func Count() Option { return member("Select", "COUNT") }

// After goes on where a page ended.
func After(page *Answer) Option {
	return func(r *request) {
		r.raw("ExclusiveStartKey", page.Last)
		r.token = page.next
		r.call.Resumed = true
	}
}

// Token makes a transaction that can be repeated.
func Token(token string) Option { return member("ClientRequestToken", token) }

// Return is what a write answers, such as ALL_OLD.
func Return(values string) Option { return member("ReturnValues", values) }

// Once sends a call once, whatever it is answered. Others are repeated up to ten times, with pauses in between, where the
// service is at a limit or another transaction is in the way.
func Once() Option { return func(r *request) { r.tries = 1 } }

// Times makes a call stand for n alike: see the package's documentation.
func Times(n int) Option { return func(r *request) { r.times = float64(n) } }

func member(name, value string) Option { return func(r *request) { r.text(name, value) } }

// request is a call that is put together.
type request struct {
	c               *Caller
	call            tablewright.Call
	members         []byte
	values          Item
	names           [][2]string
	where           string
	partition, item []byte
	consistent      bool
	token           []byte // of the page that it goes on after, if that was a statement's
	times           float64
	tries           int
}

func (c *Caller) request(operation, table, index string, how []Option) *request {
	r := &request{c: c, call: tablewright.Call{Operation: operation, Table: table, Index: index}, times: 1, tries: 10}
	if table != "" {
		r.text("TableName", table)
	}
	if index != "" {
		r.text("IndexName", index)
	}
	for _, o := range how {
		o(r)
	}
	return r
}

func (r *request) raw(name string, value []byte) {
	if len(r.members) > 0 {
		r.members = append(r.members, ',')
	}
	r.members = append(append(attr.AppendText(r.members, name), ':'), value...)
}

func (r *request) text(name, value string) { r.raw(name, attr.AppendText(nil, value)) }

func (r *request) body() []byte {
	if r.consistent {
		r.raw("ConsistentRead", []byte("true"))
	}
	if len(r.names) > 0 {
		b := []byte{'{'}
		for i, n := range r.names {
			if i > 0 {
				b = append(b, ',')
			}
			b = attr.AppendText(append(attr.AppendText(b, n[0]), ':'), n[1])
		}
		r.raw("ExpressionAttributeNames", append(b, '}'))
	}
	if len(r.values) > 0 {
		r.raw("ExpressionAttributeValues", r.values.append(nil))
	}
	return append(append([]byte{'{'}, r.members...), '}')
}

// run sends a request until it is answered.
func (r *request) run() *Answer {
	body := r.body()
	c, w := r.c, r.c.w
	if w.trace.Stated {
		if statement, can := r.stated(body); can {
			w.account.key = r.item
			body, r.partition, r.item = statement, nil, nil
			r.call.Operation, r.call.Index = "ExecuteStatement", ""
		}
	}
	var journal *stats.Journal
	if r.times > 1 {
		journal = c.p.collector.Journal(stats.JournalOptions{Keys: true, Bytes: 32 << 10})
		// Of many calls a part is recorded, which stands for the others: all of one call that stands for many is the same.
		rate := c.p.collector.Rate()
		c.p.collector.SetRate(1)
		defer c.p.collector.SetRate(rate)
	}
	w.account.times = r.times
	answer := &Answer{t: w.t}
	for try := 1; ; try++ {
		call := r.call
		call.Request, call.Key, call.ItemKey, call.Attempt = body, r.partition, r.item, try
		c.now()
		w.caller = c
		answer.Err = c.send(&call)
		w.caller = nil
		c.caughtUp()
		if answer.Err == nil {
			answer.Raw = call.Response
			answer.Last, answer.next = attr.LookupRaw(call.Response, "LastEvaluatedKey"), attr.LookupRaw(call.Response, "NextToken")
			break
		}
		w.foreseen(&call, answer.Err)
		if try >= r.tries || !errors.Is(answer.Err, wire.ErrThrottled) && !errors.Is(answer.Err, wire.ErrConflict) {
			break
		}
		c.Wait(time.Duration(w.latency.Int64N(int64(25*time.Millisecond) << min(try, 5))))
		w.until(c.at)
	}
	w.account.times = 1
	if journal != nil {
		journal.Stop()
		for e := range journal.Events() { // the calls of the others, whom nobody follows
			e.Caller, e.Weight = 0, e.Weight*(r.times-1)
			if e.Detail != nil {
				e.Detail.Weight *= r.times - 1
			}
			for i := range e.Parts {
				e.Parts[i].Weight *= r.times - 1
			}
			c.p.collector.Record(e)
		}
	}
	return answer
}

func (c *Caller) send(call *tablewright.Call) error {
	if !c.w.trace.Foreign {
		return c.p.way.Do(c.ctx, call)
	}
	call.Key, call.ItemKey, call.Resumed = nil, nil, false
	ctx, cancel := context.WithTimeout(c.ctx, time.Minute)
	defer cancel()
	return c.p.way.Do(ctx, call)
}

// foreseen ends a trace with a mistake in it: one that a program would not get away with either.
func (w *World) foreseen(call *tablewright.Call, err error) {
	if errors.Is(err, wire.ErrInvalid) && !errors.Is(err, wire.ErrConditionFailed) {
		w.t.Helper()
		w.t.Errorf("tracebench: %s: %s: %v: %s", w.trace.Name, call.Operation, err, call.Request)
	}
}

// partition are the attributes of a partition key.
func (w *World) partition(table, index string) []string {
	p := w.tables[table]
	if p == nil {
		w.t.Fatalf("tracebench: %s: there is no table %s", w.trace.Name, table)
	}
	if x, global := p.GSI[index]; global {
		return x.Partition
	}
	return []string{p.Key.Partition}
}

// keys are the partition key and the whole key of an item or key of a table, as the client tells them to hooks.
func (w *World) keys(table, index string, item []byte) (partition, whole []byte) {
	names := w.partition(table, index)
	p := w.tables[table]
	partition = part(item, names...)
	if p == nil || p.Key.Sort == "" {
		return partition, partition
	}
	return partition, part(item, p.Key.Partition, p.Key.Sort)
}

func part(item []byte, names ...string) []byte {
	b := []byte{'{'}
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(attr.AppendText(b, name), ':'), attr.LookupRaw(item, name)...)
	}
	return append(b, '}')
}

func merged(a, b Item) Item {
	out := Item{}
	for _, it := range []Item{a, b} {
		for name, value := range it {
			out[name] = value
		}
	}
	return out
}
