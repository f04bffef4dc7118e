package wire

import "github.com/tablewright/tablewright/attr"

// ConsumedCapacity is what an operation consumed of a table. Units are read or write units by the operation; in
// transactional operations the service also names them apart (measured on AWS, 2026-08), see Transactional.
type ConsumedCapacity struct {
	TableName string
	Units     float64 // of the table and its indexes together
	// Transactional: the answer has ReadCapacityUnits or WriteCapacityUnits beside CapacityUnits.
	Transactional Direction
	// Indexes: the answer splits the units; the arms are told only then.
	Indexes    bool
	TableUnits float64
	Local      []IndexUnits // local secondary indexes that consumed anything
	Global     []IndexUnits // global secondary indexes that consumed anything
}

// IndexUnits is what an operation consumed of one index.
type IndexUnits struct {
	Name  string
	Units float64
}

// Direction is reading or writing.
type Direction uint8

// The directions; the zero Direction is neither.
const (
	Reads Direction = iota + 1
	Writes
)

func (c *ConsumedCapacity) append(dst []byte) []byte {
	o := begin(dst)
	o.units("CapacityUnits", c.Units)
	c.direction(&o, c.Units)
	if c.Indexes {
		o.key("Table")
		o.nested(func(o *object) {
			o.units("CapacityUnits", c.TableUnits)
			c.direction(o, c.TableUnits)
		})
		c.arms(&o, "GlobalSecondaryIndexes", c.Global)
		c.arms(&o, "LocalSecondaryIndexes", c.Local)
	}
	o.text("TableName", c.TableName)
	return o.end()
}

func (c *ConsumedCapacity) direction(o *object, units float64) {
	switch c.Transactional {
	case Reads:
		o.units("ReadCapacityUnits", units)
	case Writes:
		o.units("WriteCapacityUnits", units)
	}
}

func (c *ConsumedCapacity) arms(o *object, name string, arms []IndexUnits) {
	if len(arms) == 0 {
		return
	}
	o.key(name)
	o.nested(func(o *object) {
		for _, a := range arms {
			o.key(a.Name)
			o.nested(func(o *object) {
				o.units("CapacityUnits", a.Units)
				c.direction(o, a.Units)
			})
		}
	})
}

func (o *object) consumed(c *ConsumedCapacity) {
	if c != nil {
		o.key("ConsumedCapacity")
		o.dst = c.append(o.dst)
	}
}

func (o *object) consumedList(l []ConsumedCapacity) {
	if l == nil {
		return
	}
	o.key("ConsumedCapacity")
	o.list(len(l), func(o *object, i int) { o.dst = l[i].append(o.dst) })
}

func decodeConsumed(d *attr.Decoder) *ConsumedCapacity {
	if d.Null() {
		return nil
	}
	c := new(ConsumedCapacity)
	arms := func() (l []IndexUnits) {
		for key := range d.Entries("Capacity") {
			name := string(key)
			l = append(l, IndexUnits{name, decodeCapacity(d)})
		}
		return l
	}
	for key := range d.Fields("ConsumedCapacity") {
		switch string(key) {
		case "TableName":
			c.TableName = d.Text()
		case "CapacityUnits":
			c.Units = d.Float()
		case "ReadCapacityUnits":
			c.Transactional = Reads
		case "WriteCapacityUnits":
			c.Transactional = Writes
		case "Table":
			c.Indexes = true
			c.TableUnits = decodeCapacity(d)
		case "GlobalSecondaryIndexes":
			c.Indexes = true
			c.Global = arms()
		case "LocalSecondaryIndexes":
			c.Indexes = true
			c.Local = arms()
		}
	}
	return c
}

func decodeCapacity(d *attr.Decoder) (units float64) {
	for key := range d.Fields("Capacity") {
		if string(key) == "CapacityUnits" {
			units = d.Float()
		}
	}
	return units
}

func decodeConsumedList(d *attr.Decoder) (l []ConsumedCapacity) {
	for range d.Elems() {
		if c := decodeConsumed(d); c != nil {
			l = append(l, *c)
		}
	}
	return l
}

// ItemCollectionMetrics tells the size of the item collection that a write belongs to, in tables with local secondary
// indexes.
type ItemCollectionMetrics struct {
	Key       Raw        // the partition key
	Gigabytes [2]float64 // the estimate's lower and upper bound
}

func (m *ItemCollectionMetrics) append(dst []byte) []byte {
	o := begin(dst)
	o.raw("ItemCollectionKey", m.Key)
	o.key("SizeEstimateRangeGB")
	o.dst = append(o.dst, '[')
	o.dst = appendFloat(o.dst, m.Gigabytes[0])
	o.dst = append(o.dst, ',')
	o.dst = appendFloat(o.dst, m.Gigabytes[1])
	o.dst = append(o.dst, ']')
	return o.end()
}

// metricsByTable appends the metrics of several tables, by table.
func (o *object) metricsByTable(m map[string][]ItemCollectionMetrics) {
	if m == nil {
		return
	}
	o.key("ItemCollectionMetrics")
	o.nested(func(o *object) {
		for _, table := range sortedKeys(m) {
			o.key(table)
			l := m[table]
			o.list(len(l), func(o *object, i int) { o.dst = l[i].append(o.dst) })
		}
	})
}

func decodeMetrics(d *attr.Decoder) *ItemCollectionMetrics {
	if d.Null() {
		return nil
	}
	m := new(ItemCollectionMetrics)
	for key := range d.Fields("ItemCollectionMetrics") {
		switch string(key) {
		case "ItemCollectionKey":
			m.Key = cloneRaw(d.Raw())
		case "SizeEstimateRangeGB":
			for i := range d.Elems() {
				if i < 2 {
					m.Gigabytes[i] = d.Float()
				}
			}
		}
	}
	return m
}
