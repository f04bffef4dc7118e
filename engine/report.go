package engine

import (
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// meter adds up what an operation consumes of tables and indexes.
type meter struct {
	mode          string // "TOTAL", "INDEXES"; everything else counts nothing
	transactional wire.Direction
	tables        []*tableMeter
}

type tableMeter struct {
	name   string
	table  float64
	failed float64 // counts in the sum, but neither for the table nor for an index
	arms   []armMeter
}

type armMeter struct {
	index *index
	units float64
}

func (m *meter) wanted() bool { return m.mode == "TOTAL" || m.mode == "INDEXES" }

// of is the meter of a table; a table that consumes nothing must not be asked for.
func (m *meter) of(t *table) *tableMeter {
	for _, tm := range m.tables {
		if tm.name == t.name {
			return tm
		}
	}
	tm := &tableMeter{name: t.name}
	m.tables = append(m.tables, tm)
	return tm
}

func (tm *tableMeter) arm(x *index, units float64) {
	for i := range tm.arms {
		if tm.arms[i].index == x {
			tm.arms[i].units += units
			return
		}
	}
	tm.arms = append(tm.arms, armMeter{x, units})
}

// write adds a write; its table's arm costs double in a transaction, index arms do not (measured on AWS).
func (m *meter) write(t *table, u *units) {
	if !m.wanted() {
		return
	}
	tm := m.of(t)
	if m.transactional != 0 {
		tm.table += float64(capacity.Transact(u.table))
	} else {
		tm.table += float64(u.table)
	}
	for _, a := range u.arms {
		tm.arm(a.index, float64(a.units))
	}
}

// list is the answer for operations on several tables; nil if it is not wanted.
func (m *meter) list() []wire.ConsumedCapacity {
	if !m.wanted() {
		return nil
	}
	l := make([]wire.ConsumedCapacity, len(m.tables))
	for i, tm := range m.tables {
		l[i] = *m.consumed(tm)
	}
	return l
}

// one is the answer for operations on one table; nil if it is not wanted.
func (m *meter) one(t *table) *wire.ConsumedCapacity {
	if !m.wanted() {
		return nil
	}
	return m.consumed(m.of(t))
}

func (m *meter) consumed(tm *tableMeter) *wire.ConsumedCapacity {
	c := &wire.ConsumedCapacity{TableName: tm.name, Units: tm.table + tm.failed, Transactional: m.transactional,
		Indexes: m.mode == "INDEXES", TableUnits: tm.table}
	for _, a := range tm.arms {
		c.Units += a.units
		arm := wire.IndexUnits{Name: a.index.name, Units: a.units}
		if a.index.kind == localIndex {
			c.Local = append(c.Local, arm)
		} else {
			c.Global = append(c.Global, arm)
		}
	}
	return c
}

// report puts what a single write consumed, and its item collection's size, into the answer.
func (c *change) report(r kv.Reader, wanted *wire.Report, out *wire.WriteOutput) {
	m := meter{mode: wanted.ConsumedCapacity}
	m.write(c.table, &c.units)
	out.ConsumedCapacity = m.one(c.table)
	if wanted.ItemCollectionMetrics == "SIZE" && c.table.locals {
		metrics := c.metrics(r)
		out.Metrics = &metrics
	}
}

// metrics are those of the item collection that a change belongs to: its size after the change as a range of a gigabyte. The
// collection is told by the key, which a deletion of nothing has too.
func (c *change) metrics(r kv.Reader) wire.ItemCollectionMetrics {
	whole := float64(collectionBytes(r, c.collectionKey()) / int64(capacity.GB))
	partition, _, err := attr.DecodeKey(c.key[hashBytes:])
	if err != nil {
		panic("engine: damaged key: " + err.Error())
	}
	key := wire.RawOf(attrItem(c.table.names[0], partition))
	return wire.ItemCollectionMetrics{Key: key, Gigabytes: [2]float64{whole, whole + 1}}
}
