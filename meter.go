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
	for name := range d.Fields("") {
		switch string(name) {
		case "Items":
			if c.Operation == executeStatement { // a query says how many they are
				for range d.Elems() {
					d.Raw()
					c.Items++
					c.Scanned++
				}
			} else if c.meterEnd(']') {
				return nil
			}
		case "Item":
			c.Items, c.Scanned = 1, 1
			if told || c.meterEnd('}') { // there is nothing else to learn: whoever wants the item reads it
				return d.Err()
			}
		case "ConsumedCapacity":
			told = true
			c.meterMember(d, name)
		default:
			c.meterMember(d, name)
		}
	}
	return d.End()
}

// meterMember reads a member of an answer that tells something in few bytes, or leaves any other.
func (c *Call) meterMember(d *attr.Decoder, name []byte) {
	switch string(name) {
	case "Count":
		c.Items = d.Int()
	case "ScannedCount":
		c.Scanned = d.Int()
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
		if d.Next() == attr.JSONArray {
			for range d.Elems() {
				c.meterTable(d)
			}
		} else {
			c.meterTable(d)
		}
	}
}

// meterEnd reads, from its end, what an answer has behind its items or its item, which end with a byte, and reports whether it learned
// everything: so nobody passes over the items but who wants them. Behind an item it is what was consumed that is looked for.
func (c *Call) meterEnd(before byte) bool {
	read, write, arms := c.Read, c.Write, len(c.arms)
	d := meters.Get().(*attr.Decoder)
	at, told, end := len(c.Response)-1, before == ']', false
	for c.Response[at] == '}' || at < len(c.Response)-1 {
		if end = told && c.Response[at-1] == before; end {
			break
		}
		var name string
		if at, name = c.memberBefore(d, at); at < 0 {
			break
		}
		told = told || name == "ConsumedCapacity"
	}
	d.Reset(nil)
	meters.Put(d)
	if !end {
		c.Read, c.Write, c.arms = read, write, c.arms[:arms]
	}
	return end
}

// memberBefore reads the member that ends where the answer does, or where one begins that was read so, and is where it begins and its
// name; -1 if it is none of those that are looked for, or not written as the service does. Within texts quotes have backslashes: what
// looks like a name is one, and as its value ends there it is no attribute's.
func (c *Call) memberBefore(d *attr.Decoder, end int) (begin int, name string) {
	text := c.Response[:end]
	if last := text[end-1]; last-'0' <= 9 {
		from := end
		for text[from-1]-'0' <= 9 {
			from--
		}
		for _, m := range [...]struct{ name, text string }{{"ScannedCount", `,"ScannedCount":`}, {"Count", `,"Count":`}} {
			if bytes.HasSuffix(text[:from], []byte(m.text)) && c.meterValue(d, m.name, text[from:]) {
				return from - len(m.text), m.name
			}
		}
		return -1, ""
	} else if last != '}' {
		return -1, ""
	}
	// Nearly all are short. A key of a table and one of an index take 6 KB, as many units as there may be indexes.
	for _, most := range [...]int{256, 8 << 10} {
		near := max(0, end-most)
		for _, m := range [...]struct{ name, text string }{{"LastEvaluatedKey", `,"LastEvaluatedKey":`}, {"ConsumedCapacity", `,"ConsumedCapacity":`}} {
			if at := bytes.LastIndex(text[near:], []byte(m.text)); at >= 0 && c.meterValue(d, m.name, text[near+at+len(m.text):]) {
				return near + at, m.name
			}
		}
		if near == 0 {
			break
		}
	}
	return -1, ""
}

// meterValue reads a member's value, and reports whether the text is one.
func (c *Call) meterValue(d *attr.Decoder, name string, text []byte) bool {
	read, write, arms, more := c.Read, c.Write, len(c.arms), c.More
	d.Reset(text)
	if c.meterMember(d, []byte(name)); d.Rest() == len(text) {
		d.Skip()
	}
	if d.Err() == nil && d.Rest() == 0 {
		return true
	}
	c.Read, c.Write, c.arms, c.More = read, write, c.arms[:arms], more
	return false
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
