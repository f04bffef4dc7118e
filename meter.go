package tablewright

import (
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
	d := attr.NewDecoder(c.Response)
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
	return d.End()
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

// Reads reports whether the call only reads items, a SELECT of this package's among them: it consumes read units, and Items and
// Scanned count.
func (c *Call) Reads() bool { return c.selects || reads(c.Operation) }
