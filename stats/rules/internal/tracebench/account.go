package tracebench

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/wire"
)

// account is the way to the engine. It counts what the engine says that it consumed, whoever asked for that, and lets the
// caller's time pass.
type account struct {
	w     *World
	units map[Place]Units
	times float64 // how many calls the one at work stands for
}

const ask = `,"ReturnConsumedCapacity":"INDEXES"}`

func (a *account) Do(ctx context.Context, c *tablewright.Call) error {
	body, asked := c.Request, true
	if consumes(c.Operation) && !bytes.Contains(body, []byte(`"ReturnConsumedCapacity"`)) {
		body, asked = append(bytes.Clone(body[:len(body)-1]), ask...), false
	}
	answer, err := a.w.Engine.Do(ctx, c.Operation, body)
	a.pass(len(answer))
	if err != nil {
		a.refused(ctx, c, err)
		return err
	}
	if raw := attr.LookupRaw(answer, "ConsumedCapacity"); len(raw) > 0 {
		if err := a.count(raw, reads(c.Operation)); err != nil {
			return err
		}
		if !asked {
			answer = without(answer, "ConsumedCapacity")
		}
	}
	c.Response = answer
	return nil
}

// pass is how long a call takes whoever waits for it: 2 ms and, on average, 2 more, and what a large answer takes on the way.
func (a *account) pass(answer int) {
	if c := a.w.caller; c != nil {
		took := 2*time.Millisecond + time.Duration(a.w.latency.ExpFloat64()*2e6) + time.Duration(answer)*20
		c.at = c.at.Add(took)
	}
}

func consumes(operation string) bool {
	switch operation {
	case "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems", "ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction":
		return true
	}
	return reads(operation)
}

func reads(operation string) bool {
	switch operation {
	case "GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems":
		return true
	}
	return false
}

// consumed is ConsumedCapacity as the API has it.
type consumed struct {
	TableName string
	amount
	Table                                         *amount
	GlobalSecondaryIndexes, LocalSecondaryIndexes map[string]amount
}

type amount struct{ CapacityUnits, ReadCapacityUnits, WriteCapacityUnits float64 }

func (m amount) units(reads bool) Units {
	switch {
	case m.ReadCapacityUnits > 0 || m.WriteCapacityUnits > 0:
		return Units{m.ReadCapacityUnits, m.WriteCapacityUnits}
	case reads:
		return Units{Read: m.CapacityUnits}
	}
	return Units{Write: m.CapacityUnits}
}

func (a *account) count(raw []byte, reads bool) error {
	var all []consumed
	if raw[0] == '[' {
		if err := json.Unmarshal(raw, &all); err != nil {
			return err
		}
	} else {
		all = make([]consumed, 1)
		if err := json.Unmarshal(raw, &all[0]); err != nil {
			return err
		}
	}
	for _, c := range all {
		if c.Table != nil {
			a.add(Place{c.TableName, ""}, c.Table.units(reads))
		}
		for name, m := range c.GlobalSecondaryIndexes {
			a.add(Place{c.TableName, name}, m.units(reads))
		}
		for name, m := range c.LocalSecondaryIndexes {
			a.add(Place{c.TableName, name}, m.units(reads))
		}
	}
	return nil
}

func (a *account) add(at Place, u Units) {
	if a.units == nil {
		a.units = map[Place]Units{}
	}
	n := max(a.times, 1)
	sum := a.units[at]
	a.units[at] = Units{sum.Read + u.Read*n, sum.Write + u.Write*n}
}

// refused counts what a single write costs whose condition did not hold, of which the answer tells nothing: as much as
// writing the item that is there
// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ConditionExpressions.html).
func (a *account) refused(ctx context.Context, c *tablewright.Call, err error) {
	w, ok := err.(*wire.Error)
	if !ok || w.Code != wire.CodeConditionFailed || a.w.tables[c.Table] == nil {
		return
	}
	key := attr.LookupRaw(c.Request, "Key")
	if key == nil {
		item := attr.LookupRaw(c.Request, "Item")
		_, key = a.w.keys(c.Table, "", item)
	}
	body := append(append([]byte(`{"TableName":`), attr.AppendText(nil, c.Table)...), `,"Key":`...)
	answer, err := a.w.Engine.Do(ctx, "GetItem", append(append(body, key...), '}'))
	if err != nil {
		a.w.t.Errorf("tracebench: %v", err)
		return
	}
	size := capacity.Bytes(0)
	if item := attr.LookupRaw(answer, "Item"); item != nil {
		size = capacity.Bytes(attr.ItemSize(item))
	}
	a.add(Place{c.Table, ""}, Units{Write: float64(capacity.Write(size, size))})
}

// without is an object without a member.
func without(object []byte, name string) []byte {
	out := []byte{'{'}
	for member, value := range attr.Members(object) {
		if string(member) == name {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(attr.AppendText(out, string(member)), ':'), value...)
	}
	return append(out, '}')
}
