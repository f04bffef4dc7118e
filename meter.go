package tablewright

import (
	"bytes"
	"strings"
	"sync"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// meter reads from the answer what it cost and how many items it brought, for hooks and Usage. Single, batch, query and
// scan operations report CapacityUnits alone; ReadCapacityUnits and WriteCapacityUnits appear in transactional ones
// (measured on AWS, 2026-08), where a repeated token turns a write into a read.
func (c *Call) meter() error {
	if len(c.Response) == 0 { // some operations, such as TagResource, have nothing to say
		return nil
	}
	d := meters.Get().(*attr.Decoder)
	d.Reset(c.Response)
	err := c.meterAnswer(d)
	d.Reset(nil)
	meters.Put(d)
	return err
}

var meters = sync.Pool{New: func() any { return new(attr.Decoder) }}

func (c *Call) meterAnswer(d *attr.Decoder) error {
	told := !c.Measure // what was consumed
	if !told && bytes.HasPrefix(c.Response, []byte(`{"Item":`)) {
		told = c.meterEnd(d)
	}
	for name := range d.Fields("") {
		switch string(name) {
		case "Count":
			c.Items = d.Int()
		case "ScannedCount":
			c.Scanned = d.Int()
		case "Items":
			if c.Operation == executeStatement { // a query says how many they are
				for range d.Elems() {
					d.Raw()
					c.Items++
					c.Scanned++
				}
			}
		case "Item":
			c.Items, c.Scanned = 1, 1
			if told { // there is nothing else to learn: whoever wants the item reads it
				return d.Err()
			}
		case "LastEvaluatedKey":
			c.More = d.Next() == attr.JSONObject
		case "Responses":
			c.meterResponses(d)
		case "Records":
			for range d.Elems() {
				c.Items++
			}
			c.Scanned = c.Items
		case "ConsumedCapacity":
			told = true
			if d.Next() == attr.JSONArray {
				for range d.Elems() {
					c.meterTable(d)
				}
			} else {
				c.meterTable(d)
			}
		}
	}
	return d.End()
}

// meterEnd reads the ConsumedCapacity that stands last in an answer, and reports whether it does, so that nobody passes over the
// item before it: only a member of the answer itself has nothing but one brace behind it, and within text quotes are not written so.
func (c *Call) meterEnd(d *attr.Decoder) bool {
	const member = `,"ConsumedCapacity":`
	at := bytes.LastIndex(c.Response, []byte(member))
	if at < 0 {
		return false
	}
	d.Reset(c.Response[at+len(member):])
	c.meterTable(d)
	last := d.Err() == nil && d.Rest() == 1 && c.Response[len(c.Response)-1] == '}'
	if !last {
		c.Read, c.Write, c.arms = 0, 0, c.arms[:0]
	}
	d.Reset(c.Response)
	return last
}

// meterResponses counts the items of a BatchGetItem (an object of arrays) or TransactGetItems (an array of objects with
// an Item in each that was found).
func (c *Call) meterResponses(d *attr.Decoder) {
	if d.Next() == attr.JSONArray {
		for range d.Elems() {
			for name := range d.Fields("") {
				if string(name) == "Item" {
					c.Items++
				}
			}
			c.Scanned++
		}
		return
	}
	for range d.Entries("") {
		for range d.Elems() {
			c.Items++
			c.Scanned++
		}
	}
}

// meterTable reads the ConsumedCapacity of one table.
func (c *Call) meterTable(d *attr.Decoder) {
	var table string
	var total, base unitMembers
	based, from := false, len(c.arms)
	for name := range d.Fields("") {
		switch string(name) {
		case "TableName":
			table = c.declared(d.TextBytes())
		case "Table":
			based = true
			for name := range d.Fields("") {
				base.read(d, name)
			}
		case "GlobalSecondaryIndexes", "LocalSecondaryIndexes":
			for index := range d.Entries("") {
				a := arm{index: string(index)}
				var u unitMembers
				for name := range d.Fields("") {
					u.read(d, name)
				}
				a.Units = u.units(c.Reads())
				c.arms = append(c.arms, a)
			}
		default:
			total.read(d, name)
		}
	}
	u := total.units(c.Reads())
	c.Read += u.Read
	c.Write += u.Write
	if based {
		u = base.units(c.Reads())
	}
	if (based || from == len(c.arms)) && u != (Units{}) {
		c.arms = append(c.arms, arm{Units: u})
	}
	for i := from; i < len(c.arms); i++ {
		c.arms[i].table = table
	}
}

// unitMembers are the three members in which the service states units.
type unitMembers struct {
	all, in, out float64
	split        bool
}

func (u *unitMembers) read(d *attr.Decoder, name []byte) {
	switch string(name) {
	case "CapacityUnits":
		u.all = d.Float()
	case "ReadCapacityUnits":
		u.in, u.split = d.Float(), true
	case "WriteCapacityUnits":
		u.out, u.split = d.Float(), true
	}
}

func (u *unitMembers) units(reads bool) Units {
	switch {
	case u.split:
		return Units{capacity.ReadUnits(u.in), capacity.WriteUnits(u.out)}
	case reads:
		return Units{Read: capacity.ReadUnits(u.all)}
	}
	return Units{Write: capacity.WriteUnits(u.all)}
}

// reads reports whether an operation only reads items: its units are read units, and it may be repeated freely.
func reads(operation string) bool {
	switch operation {
	case "GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems":
		return true
	}
	return false
}

// readStatement notes that a request that somebody else put together is a SELECT, or several: the service states their units as
// CapacityUnits, and does not say of which kind they are.
func (c *Call) readStatement() {
	statement := attr.LookupRaw(c.Request, "Statement")
	switch c.Operation {
	case "ExecuteStatement":
	case "BatchExecuteStatement", "ExecuteTransaction": // all read or all write
		name := "Statements"
		if c.Operation == "ExecuteTransaction" {
			name = "TransactStatements"
		}
		for one := range attr.Elements(attr.LookupRaw(c.Request, name)) {
			statement = attr.LookupRaw(one, "Statement")
			break
		}
	default:
		return
	}
	const verb = "SELECT"
	text := bytes.TrimLeft(bytes.TrimPrefix(statement, []byte{'"'}), " ")
	c.selects = len(text) > len(verb) && strings.EqualFold(string(text[:len(verb)]), verb)
}

// Reads reports whether the call only reads items, a SELECT among them: it consumes read units, and Items and
// Scanned count.
func (c *Call) Reads() bool { return c.selects || reads(c.Operation) }
