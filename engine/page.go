package engine

import (
	"bytes"
	"sync"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// pages keeps the texts in which pages are collected. They stay small: a page is 1 MB of items and their JSON.
var pages = sync.Pool{New: func() any { return new(wire.RawList) }}

// page is one page of a Query or Scan.
type page struct {
	q       *reading
	r       kv.Reader
	out     wire.ReadOutput
	sum     capacity.Bytes   // of what was evaluated
	fetched []capacity.Bytes // sizes of the items read from the table
	read    capacity.Bytes   // sum and all of fetched
	limited bool             // items are kept, for what their partitions have to give
	items   []itemRead
}

// consumed takes what the page consumed from the limits of table or index.
func (p *page) consumed(e *Engine) error {
	if !p.limited {
		return nil
	}
	q := p.q
	if len(p.items) == 0 {
		p.items = append(p.items, itemRead{key: q.from})
	}
	c := consistency(q.in.ConsistentRead)
	units := float64(capacity.Query(p.sum, c)) + float64(capacity.FetchBack(p.fetched, c)) // of a local index both are the table's
	return e.consumedRead(p.r, q.table, q.index, units, p.items...)
}

// entry takes the next item or entry; it returns false when the page is full.
func (p *page) entry(key, value []byte) bool {
	q := p.q
	s := stored(value)
	if p.limited {
		p.items = append(p.items, itemRead{bytes.Clone(key), s.size()})
	}
	p.out.Scanned++
	p.sum += s.size()
	p.read += s.size()
	entry, filtered := s, s
	if q.fetch {
		filtered = stored(p.r.Get(q.table.space, q.table.itemKey(q.keyOf(s))))
		p.fetched = append(p.fetched, filtered.size())
		p.read += filtered.size()
		if !q.partial {
			s = filtered
		}
	}
	// A page ends at 1 MB of what it reads (API_Query), what it fetches from the table included (seen on DynamoDB Local):
	// small entries must not make it as large as all their items.
	full := q.in.Limit != nil && p.out.Scanned >= *q.in.Limit || capacity.PageFull(p.read)
	if full && !q.single {
		p.out.LastKey = q.cursor(entry)
	}
	switch {
	case q.filter == nil && q.count:
		p.out.Count++
	case q.filter == nil && q.projection == nil:
		p.out.Count++
		p.out.Items.Add(s.json())
	default:
		it := filtered.item()
		if q.filter != nil && !q.filter.Eval(it) {
			break
		}
		p.out.Count++
		switch {
		case q.count:
		case q.projection == nil:
			p.out.Items.Add(s.json())
		default:
			p.out.Items.AddItem(q.projection.Apply(it))
		}
	}
	return !full
}

// cursor is the key of an item or entry, as LastEvaluatedKey has it.
func (q *reading) cursor(s stored) wire.Raw {
	key := wire.Raw{'{'}
	for i, name := range q.keyNames() {
		if i > 0 {
			key = append(key, ',')
		}
		key = append(attr.AppendText(key, name), ':')
		key = append(key, attr.LookupRaw(s.json(), name)...)
	}
	return append(key, '}')
}

// keyOf is the table's key in an entry.
func (q *reading) keyOf(s stored) attr.Item {
	var key attr.Item
	for _, name := range q.table.names {
		v, _ := attr.Lookup(s.json(), name)
		key.Set(name, v)
	}
	return key
}

func (p *page) answer() []byte {
	q := p.q
	m := meter{mode: q.in.ReturnConsumed}
	if m.wanted() {
		c := consistency(q.in.ConsistentRead)
		read := float64(capacity.Query(p.sum, c))
		tm := m.of(q.table)
		if q.index == nil {
			tm.table = read
		} else {
			tm.arm(q.index, read)
		}
		if q.fetch {
			tm.table += float64(capacity.FetchBack(p.fetched, c))
		}
		p.out.ConsumedCapacity = m.one(q.table)
	}
	return p.out.Append(make([]byte, 0, p.out.Items.Size()+256))
}
