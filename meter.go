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
	read, write, arms, items, scanned, more := c.Read, c.Write, len(c.arms), c.Items, c.Scanned, c.More
	if c.meterWritten() {
		return nil
	}
	c.Read, c.Write, c.arms, c.Items, c.Scanned, c.More = read, write, c.arms[:arms], items, scanned, more
	d := meters.Get().(*attr.Decoder)
	d.Reset(c.Response)
	err := c.meterAnswer(d)
	d.Reset(nil)
	meters.Put(d)
	return err
}

// asksUnits reports whether the answer tells what was consumed: because somebody here wants it, or who made the request does.
func (c *Call) asksUnits() bool {
	return c.Measure || c.foreign && c.asksUnitsItself()
}

func (c *Call) asksUnitsItself() bool {
	return bytes.Contains(c.Request, []byte(`"ReturnConsumedCapacity"`))
}

var meters = sync.Pool{New: func() any { return new(attr.Decoder) }}

func (c *Call) meterAnswer(d *attr.Decoder) error {
	told := !c.asksUnits() // what was consumed
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
	case "NextToken":
		c.More = c.More || c.Operation == executeStatement && d.Next() == attr.JSONString
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
	at, told, end := len(c.Response)-1, before == ']', false
	for c.Response[at] == '}' || at < len(c.Response)-1 {
		if end = told && c.Response[at-1] == before; end {
			break
		}
		var name string
		if at, name = c.memberBefore(at); at < 0 {
			break
		}
		told = told || name == consumedCapacity
	}
	if !end {
		c.Read, c.Write, c.arms = read, write, c.arms[:arms]
	}
	return end
}

// Members of answers that are looked for from the end.
const (
	consumedCapacity = "ConsumedCapacity"
	lastKey          = "LastEvaluatedKey"
)

// memberBefore reads the member that ends where the answer does, or where one begins that was read so, and is where it begins and its
// name; -1 if it is none of those that are looked for, or not written as the service does. Within texts quotes have backslashes: what
// looks like a name is one, and as its value ends there it is no attribute's.
func (c *Call) memberBefore(end int) (begin int, name string) {
	text := c.Response[:end]
	if last := text[end-1]; last-'0' <= 9 {
		from := end
		for text[from-1]-'0' <= 9 {
			from--
		}
		n := writtenText{b: text, i: from}
		if named, ok := bytes.CutSuffix(text[:from], []byte(`,"ScannedCount":`)); ok {
			c.Scanned = int(n.number())
			return len(named), "ScannedCount"
		} else if named, ok := bytes.CutSuffix(text[:from], []byte(`,"Count":`)); ok {
			c.Items = int(n.number())
			return len(named), "Count"
		}
		return -1, ""
	} else if last != '}' {
		return -1, ""
	}
	// Nearly all are short. A key of a table and one of an index take 6 KB, as many units as there may be indexes.
	for _, most := range [...]int{256, 8 << 10} {
		near := max(0, end-most)
		if at := memberAtEnd(text, near, `,"ConsumedCapacity":`, c.consumedAll); at >= 0 {
			return at, consumedCapacity
		}
		if at := memberAtEnd(text, near, `,"LastEvaluatedKey":`, isObject); at >= 0 {
			c.More = true
			return at, lastKey
		}
		if near == 0 {
			break
		}
	}
	return -1, ""
}

// memberAtEnd is where a member begins whose value is what is left of a text; -1 if there is none from a place on.
func memberAtEnd(text []byte, from int, member string, is func(value []byte) bool) int {
	for {
		next := bytes.Index(text[from:], []byte(member))
		if next < 0 {
			return -1
		}
		if from += next + len(member); is(text[from:]) {
			return from - len(member)
		}
	}
}

// consumedAll reads a text that is a ConsumedCapacity, and reports whether it is one.
func (c *Call) consumedAll(text []byte) bool {
	read, write, arms := c.Read, c.Write, len(c.arms)
	t := writtenText{b: text}
	if c.consumed(&t); !t.bad && t.i == len(text) {
		return true
	}
	c.Read, c.Write, c.arms = read, write, c.arms[:arms]
	return false
}

// isObject reports whether a text is an object and nothing else.
func isObject(text []byte) bool {
	if text[0] != '{' {
		return false
	}
	d := meters.Get().(*attr.Decoder)
	d.Reset(text)
	d.Skip()
	is := d.End() == nil
	d.Reset(nil)
	meters.Put(d)
	return is
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
	c.consume(table, from, &total, &base, based)
}

// consume adds what was read of one table: all that it consumed, and if that is told the part of the table itself. What its indexes
// consumed is in arms, from that one on.
func (c *Call) consume(table string, from int, total, base *unitMembers, based bool) {
	reads := c.Reads()
	u := total.units(reads)
	c.Read += u.Read
	c.Write += u.Write
	if based {
		u = base.units(reads)
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
