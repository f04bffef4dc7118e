package engine

import (
	"errors"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/engine/internal/throttle"
	"github.com/tablewright/tablewright/wire"
)

// What requests have to do with limits (throttle.go): they ask allow before they work on a key, and what they consumed is
// taken from the limits afterwards. All of it is nothing where Options.Throttle is nil and no Fault is
// injected.

// allow is nil if an operation on a key of a table, or of an index if x is not nil, may begin; else it is how the service
// refuses it. r is the view or update that is open, nil if none is.
func (e *session) allow(r kv.Reader, t *table, x *index, op throttle.Operation, key []byte) error {
	if err := e.throttleFault(t, x, op, key); err != nil || e.throttle == nil {
		return err
	}
	resource, err := e.throttle.of(r, t, x)
	if err != nil {
		return err
	}
	if limit := resource.Admit(op, key, e.now()); limit != throttle.None {
		return e.throttled(t, x, op, limit)
	}
	return nil
}

// limited reports whether anything may be refused for a limit.
func (e *Engine) limited() bool { return e.throttle != nil || e.faults.Load() != nil }

// admitWrite is allow for a change, in its table and the indexes that it writes to.
func (e *session) admitWrite(w kv.Writer, c *change) error {
	if !e.limited() {
		return nil
	}
	if err := e.allow(w, c.table, nil, throttle.Write, c.key); err != nil {
		return err
	}
	return e.admitIndexes(w, c)
}

// admitIndexes is allow for the global indexes that a change writes to: a write waits for all of them (gsi-throttling).
func (e *session) admitIndexes(w kv.Reader, c *change) error {
	if !e.limited() {
		return nil
	}
	for _, x := range c.table.indexes {
		if x.kind != globalIndex {
			continue
		}
		for _, u := range c.entryUses(x) {
			if err := e.allow(w, c.table, x, throttle.Write, u.Key); err != nil {
				return err
			}
		}
	}
	return nil
}

// entryUses is what a change consumes of an index, by the keys of its entries.
func (c *change) entryUses(x *index) (uses []throttle.Use) {
	was, is := c.before.get(), c.item
	if !x.holds(was) {
		was = attr.Item{}
	}
	if !x.holds(is) {
		is = attr.Item{}
	}
	arm, units := x.entries.Write(was, is)
	use := func(it attr.Item, units capacity.WriteUnits) {
		key := c.table.entryKey(x, it)
		uses = append(uses, throttle.Use{Key: key, Collection: collectionOf(c.table, x, key), Units: float64(units)})
	}
	switch arm {
	case capacity.Enter, capacity.InPlace:
		use(is, units)
	case capacity.Leave:
		use(was, units)
	case capacity.Move: // each entry is rounded alone
		use(was, capacity.Write(x.entries.EntrySize(was), 0))
		use(is, capacity.Write(0, x.entries.EntrySize(is)))
	}
	return uses
}

// wrote takes what a change consumed, and gives it back if the update is undone.
func (th *throttling) wrote(w kv.Writer, c *change) {
	var uses [][]throttle.Use
	var resources []*throttle.Resource
	add := func(x *index, l []throttle.Use) {
		if r, err := th.of(w, c.table, x); err == nil && len(l) > 0 {
			resources, uses = append(resources, r), append(uses, l)
		}
	}
	if !c.expired { // deletions for the time to live consume nothing (howitworks-ttl)
		add(nil, []throttle.Use{c.use()})
		for _, x := range c.table.indexes {
			if x.kind != expiryIndex {
				add(x, c.entryUses(x))
			}
		}
	}
	now := th.engine.now()
	for i, r := range resources {
		r.Consume(throttle.Write, now, uses[i]...)
	}
	growth := int64(c.after.size() - c.before.stored.size())
	table, err := th.of(w, c.table, nil)
	if err == nil && growth != 0 {
		table.Grow(c.key, growth, now)
	}
	w.Undone(func() {
		for i, r := range resources {
			for j := range uses[i] {
				uses[i][j].Units = -uses[i][j].Units
			}
			r.Consume(throttle.Write, now, uses[i]...)
		}
		if err == nil && growth != 0 {
			table.Grow(c.key, -growth, now)
		}
	})
}

// use is what a change consumes of its table: that of an item before or after it, whichever is larger.
func (c *change) use() throttle.Use {
	units := capacity.Write(c.before.stored.size(), c.after.size())
	if c.transacted {
		units = capacity.Transact(units)
	}
	return throttle.Use{Key: c.key, Collection: collectionOf(c.table, nil, c.key), Units: float64(units)}
}

// consumedFailing takes what a write consumes whose condition does not hold: as much as if it did (read-write-operations).
func (e *Engine) consumedFailing(w kv.Reader, c *change) {
	if e.throttle == nil {
		return
	}
	if r, err := e.throttle.of(w, c.table, nil); err == nil {
		r.Consume(throttle.Write, e.now(), c.use())
	}
}

// consumedCancelled takes what a cancelled transaction consumes: of each action that was examined as much as its write alone
// would have, half of what the transaction would have consumed (transaction-apis: each item is written once to prepare the
// transaction and once to commit it). changes has what was examined of the actions; those that are throttled consume
// nothing.
func (e *Engine) consumedCancelled(r kv.Reader, actions []action, changes []change, reasons []wire.CancellationReason) {
	if e.throttle == nil {
		return
	}
	for i := range actions {
		switch reasons[i].Code {
		case reasonThrottled, reasonProvisioned, "ValidationError":
			continue
		}
		c := change{table: actions[i].table, key: actions[i].key}
		if i < len(changes) && changes[i].table != nil {
			c = changes[i]
			c.transacted = false
		} else {
			c.before = imageOf(r, c.table, c.key)
		}
		e.consumedFailing(r, &c)
	}
}

// cancelled is consumedCancelled, if err says that the transaction is cancelled.
func (e *Engine) cancelled(r kv.Reader, actions []action, changes []change, err error) {
	var refused *wire.Error
	if e.throttle != nil && errors.As(err, &refused) && refused.Code == wire.CodeTransactionCanceled {
		e.consumedCancelled(r, actions, changes, refused.Reasons)
	}
}

// consumedRead takes what a read consumed. The items' keys are those in the space of the table, or of the index if x is not nil;
// units of all of them are divided by their sizes.
func (e *Engine) consumedRead(r kv.Reader, t *table, x *index, units float64, items ...itemRead) error {
	e.metrics.read(t, x, units)
	if e.throttle == nil {
		return nil
	}
	resource, err := e.throttle.of(r, t, x)
	if err != nil {
		return err
	}
	var sum capacity.Bytes
	for _, i := range items {
		sum += i.size
	}
	uses := make([]throttle.Use, len(items))
	for i, it := range items {
		share := 1 / float64(len(items))
		if sum > 0 {
			share = float64(it.size) / float64(sum)
		}
		uses[i] = throttle.Use{Key: it.key, Collection: collectionOf(t, x, it.key), Units: float64(units * share)}
	}
	resource.Consume(throttle.Read, e.now(), uses...)
	return nil
}

// itemRead is an item or entry that was read, or was not there.
type itemRead struct {
	key  []byte
	size capacity.Bytes
}

// The messages of what is refused for a limit (Programming.Errors, API_TransactWriteItems).
const (
	provisionedTable = "The level of configured provisioned throughput for the table was exceeded. " +
		"Consider increasing your provisioning level with the UpdateTable API."
	provisionedIndex = "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. " +
		"Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API."
	onDemandTable = "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index " +
		"so please try again shortly. If exceptions persist, check if you have a hot key: " +
		"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html" // no stop (captured on AWS, 2021 and 2024)
	onDemandIndex = "Throughput exceeds the current capacity for one or more global secondary indexes. " +
		"DynamoDB is automatically scaling your index so please try again shortly."
	onDemandMost = "Throughput exceeds the maximum OnDemandThroughput configured on table or index"
	accountLimit = "Throughput exceeds the current throughput limit for your account. " +
		"To request a limit increase, contact AWS Support at https://aws.amazon.com/support."
)

// throttled is how an operation is refused that exceeds a limit.
func (e *Engine) throttled(t *table, x *index, op throttle.Operation, limit throttle.Limit) *wire.Error {
	reason, resource := "Table", e.arn(t.id)
	if x != nil && x.kind == globalIndex {
		reason, resource = "Index", resource+"/index/"+x.name
	} else {
		x = nil
	}
	reason += [...]string{throttle.Read: "Read", throttle.Write: "Write"}[op] + limit.String()
	err := &wire.Error{Throttling: []wire.ThrottlingReason{{Reason: reason, Resource: resource}}}
	provisioned := t.limits(x).Provisioned
	switch {
	case limit == throttle.Account:
		err.Code, err.Message = wire.CodeRequestLimit, accountLimit
	case limit == throttle.MaxOnDemand:
		err.Code, err.Message = wire.CodeThrottling, onDemandMost
	case provisioned && x != nil:
		err.Code, err.Message = wire.CodeThroughputExceeded, provisionedIndex
	case provisioned:
		err.Code, err.Message = wire.CodeThroughputExceeded, provisionedTable
	case x != nil && op == throttle.Write:
		err.Code, err.Message = wire.CodeThrottling, onDemandIndex
	default:
		err.Code, err.Message = wire.CodeThrottling, onDemandTable
	}
	return err
}

// throttledAs is an error as a refusal for a limit; nil if it is none.
func throttledAs(err error) *wire.Error {
	var refused *wire.Error
	if errors.As(err, &refused) && refused.Throttling != nil {
		return refused
	}
	return nil
}

// admitActions is allow for the actions of a transaction that are not refused already.
func (e *session) admitActions(actions []action, before *reasons) error {
	if !e.limited() {
		return nil
	}
	for i := range actions {
		if before.list[i].Code != "None" {
			continue
		}
		if err := e.allow(nil, actions[i].table, nil, throttle.Write, actions[i].key); err != nil {
			refused := throttledAs(err)
			if refused == nil {
				return err
			}
			before.throttled(i, refused)
		}
	}
	return nil
}

// The codes of reasons for limits (API_TransactWriteItems).
const (
	reasonThrottled   = "ThrottlingError"
	reasonProvisioned = "ProvisionedThroughputExceeded"
)

// throttled notes that action i exceeds a limit.
func (r *reasons) throttled(i int, err *wire.Error) {
	r.failed = true
	code := reasonThrottled
	if err.Code == wire.CodeThroughputExceeded {
		code = reasonProvisioned
	}
	r.list[i] = wire.CancellationReason{Code: code, Message: err.Message}
}
