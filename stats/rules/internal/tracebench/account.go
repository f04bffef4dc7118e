package tracebench

import (
	"bytes"
	"context"
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
	key   []byte  // of its item, if it is a statement
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
		if err := a.count(raw, reads(c.Operation) || bytes.HasPrefix(attr.LookupRaw(body, "Statement"), []byte(`"SELECT `))); err != nil {
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

// amount is an object with units, as ConsumedCapacity has several.
type amount struct{ all, in, out float64 }

func (m *amount) read(d *attr.Decoder, name []byte) {
	switch string(name) {
	case "CapacityUnits":
		m.all = d.Float()
	case "ReadCapacityUnits":
		m.in = d.Float()
	case "WriteCapacityUnits":
		m.out = d.Float()
	}
}

func (m *amount) units(reads bool) Units {
	switch {
	case m.in > 0 || m.out > 0:
		return Units{m.in, m.out}
	case reads:
		return Units{Read: m.all}
	}
	return Units{Write: m.all}
}

// count adds a ConsumedCapacity, of one table or several.
func (a *account) count(raw []byte, reads bool) error {
	d := attr.NewDecoder(raw)
	if raw[0] == '[' {
		for range d.Elems() {
			a.table(d, reads)
		}
	} else {
		a.table(d, reads)
	}
	return d.End()
}

func (a *account) table(d *attr.Decoder, reads bool) {
	table, of := "", map[string]Units{}
	one := func() Units {
		var m amount
		for name := range d.Fields("") {
			m.read(d, name)
		}
		return m.units(reads)
	}
	for name := range d.Fields("") {
		switch string(name) {
		case "TableName":
			table = d.Text()
		case "Table":
			of[""] = one()
		case "GlobalSecondaryIndexes", "LocalSecondaryIndexes":
			for index := range d.Entries("") {
				of[string(index)] = one()
			}
		}
	}
	for index, u := range of {
		a.add(Place{table, index}, u)
	}
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
	if c.Operation == "ExecuteStatement" {
		key = bytes.Clone(a.key)
	} else if key == nil {
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
