package engine

import (
	"bytes"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/engine/internal/throttle"
	"github.com/tablewright/tablewright/wire"
)

// selectedPage is one page of a SELECT.
type selectedPage struct {
	e   *session
	q   *selection
	r   kv.Reader
	out *wire.ExecuteStatementOutput
	m   meter

	looked  int
	sum     capacity.Bytes   // of what was evaluated in the partition
	fetched []capacity.Bytes // sizes of the items of the partition that were read from the table
	items   []itemRead       // of the partition, if throughput is limited
	read    capacity.Bytes   // of the whole page
	full    bool
}

// run reads the parts until the page is full.
func (p *selectedPage) run() error {
	q := p.q
	partitions := 0
	for i, x := range q.parts {
		first := x.from
		if q.backward {
			first = x.to
		}
		if err := p.e.allow(p.r, q.table, q.at.index, throttle.Read, first); err != nil {
			return err
		}
		if q.backward {
			p.r.Descend(q.at.space, x.from, x.to, p.entry)
		} else {
			p.r.Ascend(q.at.space, x.from, x.to, p.entry)
		}
		last := i+1 == len(q.parts)
		if !p.full && !last && x.sameAs(q.parts[i+1]) {
			continue
		}
		if err := p.consumed(x.from); err != nil || p.full {
			return err
		}
		if partitions++; partitions == pageOfPartitions && !last {
			// All of the partition is behind us: its end stands for the item that was last.
			end := x.to
			if q.backward {
				end = x.from
			}
			p.out.NextToken = q.next(end)
			return nil
		}
	}
	if len(q.parts) == 0 { // the condition leads nowhere, or no further
		return p.consumed(nil)
	}
	return nil
}

// entry takes the next item or entry; it returns false when the page is full.
func (p *selectedPage) entry(key, value []byte) bool {
	q := p.q
	s := stored(value)
	if p.e.throttle != nil {
		p.items = append(p.items, itemRead{bytes.Clone(key), s.size()})
	}
	p.looked++
	p.sum += s.size()
	p.read += s.size()
	tested, selected := s, s
	if q.at.fetch {
		tested = stored(p.r.Get(q.table.space, q.table.itemKey(q.at.keyOf(s))))
		p.fetched = append(p.fetched, tested.size())
		p.read += tested.size()
		if !q.at.partial {
			selected = tested
		}
	}
	p.take(tested, selected)
	if (q.limit == nil || p.looked < *q.limit) && !capacity.PageFull(p.read) {
		return true
	}
	p.full = true
	if !q.single {
		p.out.NextToken, p.out.LastKey = q.next(key), q.at.cursor(s)
	}
	return false
}

// take adds an item to the page if it meets the condition.
func (p *selectedPage) take(tested, selected stored) {
	q := p.q
	if q.Where == nil && q.Columns == nil {
		p.out.Items.Add(selected.json())
		return
	}
	it := tested.item()
	switch {
	case !q.Where.Eval(it):
	case q.Columns == nil:
		p.out.Items.Add(selected.json())
	default:
		p.out.Items.AddItem(q.Select(it))
	}
}

// consumed adds what the partition has consumed, which begins with a key: each is a query of its own.
func (p *selectedPage) consumed(from []byte) error {
	q := p.q
	c := consistency(q.strong)
	units, fetched := float64(capacity.Query(p.sum, c)), float64(capacity.FetchBack(p.fetched, c))
	if p.m.wanted() {
		tm := p.m.of(q.table)
		if q.at.index == nil {
			tm.table += units
		} else {
			tm.arm(q.at.index, units)
		}
		tm.table += fetched
	}
	items := p.items
	if len(items) == 0 && from != nil {
		items = []itemRead{{key: from}}
	}
	p.sum, p.fetched, p.items = 0, p.fetched[:0], nil
	if len(items) == 0 {
		return nil
	}
	return p.e.consumedRead(p.r, q.table, q.at.index, units+fetched, items...)
}
