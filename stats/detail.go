package stats

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// mostItems is how many items of one answer are looked at for Detail: of more, every second, third, … from a random one on.
const mostItems = 32

// mostAttributes is how many uses of attributes one call is asked for.
const mostAttributes = 256

// inspect looks into a request and its answer. s.r is the request.
func (c *Collector) inspect(s *scratch, call *tablewright.Call, known *knownUses) *Detail {
	e, d, r := &s.event, &s.detail, &s.request
	s.printer.reset()
	*d = Detail{Asks: r.asks | r.partAsks, Sizes: d.Sizes[:0], Attributes: d.Attributes[:0]}
	known.note(d, r)
	switch {
	case r.item != nil:
		c.size(s, call, e.Table, e.Item, r.fields, r.item, d.item(r.fields, Written, 1), e.Outcome == Done)
	case s.kind == groupCall && call.Operation != "BatchGetItem": // of which the answer tells all
		c.inspectGroup(s, call)
	}
	if e.Outcome == Done {
		if s.answersItems() {
			c.inspectAnswer(s, call)
		}
		if s.kind == getCall {
			c.trails.note(e, s.itemKey, call.Response)
		}
		if (r.update != nil || r.of != nil && s.kind == updateCall) && !r.after {
			c.paidSize(s)
		}
	}
	return d
}

// answersItems reports whether there may be an item in the answer.
func (s *scratch) answersItems() bool {
	switch s.kind {
	case putCall, updateCall, deleteCall:
		return s.request.asks&Returned != 0
	}
	return true
}

// paidFrom is from how many write units on an update tells how large an item is: a unit is a kilobyte.
const paidFrom = 4

// paidSize notes the size of an item by what its update was charged, the larger of its sizes before and after in blocks of 1 KB
// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html), half a block less on average.
func (c *Collector) paidSize(s *scratch) {
	e := &s.event
	if e.Units != Reported || e.Item.Hash == 0 {
		return
	}
	for _, a := range e.Arms {
		if a.Table == e.Table && a.Index == "" && a.Write >= paidFrom {
			block := float64(capacity.WriteBlock)
			c.size(s, s.call, e.Table, e.Item, nil, nil, int((a.Write-0.5)*block), false)
		}
	}
}

// inspectGroup looks at what a batch or transaction puts, and at its expressions.
func (c *Collector) inspectGroup(s *scratch, call *tablewright.Call) {
	e, d, i := &s.event, &s.detail, 0
	c.readGroup(s, call, func(p *groupPart) {
		if p.of != nil {
			d.expressions(p.of)
		}
		if p.item != nil {
			c.size(s, call, p.table, e.Parts[i].Item, p.fields, p.item, d.item(p.fields, Written, 1), e.Outcome == Done && e.Unprocessed == 0)
		}
		i++
	})
}

func (c *Collector) inspectAnswer(s *scratch, call *tablewright.Call) {
	e := &s.event
	k := attr.Skim(call.Response)
	for name, ok := k.Member(); ok; name, ok = k.Member() {
		switch string(name) {
		case "Item":
			c.inspectItem(s, call, &k, e.Table, e.Item)
			return
		case "Attributes": // ALL_OLD and ALL_NEW are whole items, UPDATED_… are not; those are smaller, and seldom
			c.inspectReturned(s, call, &k)
			return
		case "Items":
			switch s.kind {
			default:
				c.inspectItems(s, call, &k, e.Table)
			case getCall: // by a statement, as the following
				if k.Element() {
					c.inspectItem(s, call, &k, e.Table, e.Item)
				}
			case putCall, updateCall, deleteCall:
				if k.Element() {
					c.inspectReturned(s, call, &k)
				}
			}
			return
		case "Responses":
			c.inspectResponses(s, call, &k)
			return
		}
		k.Value()
	}
}

// inspectReturned looks at what a write answers of its item.
func (c *Collector) inspectReturned(s *scratch, call *tablewright.Call, k *attr.Skimmer) {
	e := &s.event
	fields, item := s.readItem(k)
	if bytes := s.detail.item(fields, Read, 1); s.request.after {
		c.size(s, call, e.Table, e.Item, fields, item, bytes, true)
	}
}

// inspectResponses looks at what a batch or transaction got.
func (c *Collector) inspectResponses(s *scratch, call *tablewright.Call, k *attr.Skimmer) {
	e := &s.event
	if k.Begins() == '{' { // by table
		for table, ok := k.Member(); ok; table, ok = k.Member() {
			c.inspectItems(s, call, k, c.name(call, table))
		}
		return
	}
	for i := 0; k.Element(); i++ {
		for name, ok := k.Member(); ok; name, ok = k.Member() {
			switch {
			case string(name) != "Item":
				k.Value()
			case i < len(e.Parts) && !s.gaps:
				c.inspectItem(s, call, k, e.Parts[i].Table, e.Parts[i].Item)
			default:
				fields, _ := s.readItem(k)
				s.detail.item(fields, Read, 1)
			}
		}
	}
}

// readItem reads an item of the answer. It is there until the next one is read.
func (s *scratch) readItem(k *attr.Skimmer) (fields []attr.RawField, item json.RawMessage) {
	s.fields, item = k.AppendFields(s.fields[:0])
	return s.fields, item
}

// inspectItem looks at an item whose key is known.
func (c *Collector) inspectItem(s *scratch, call *tablewright.Call, k *attr.Skimmer, table string, key KeyID) {
	fields, item := s.readItem(k)
	c.whole(s, call, table, key, fields, item, s.detail.item(fields, Read, 1))
}

// inspectItems looks at the items of a page, or of a table in a batch.
func (c *Collector) inspectItems(s *scratch, call *tablewright.Call, k *attr.Skimmer, table string) {
	e, d := &s.event, &s.detail
	keys := s.keysOf(table)
	step, i := 1, 0
	if e.Items > mostItems {
		step = (e.Items + mostItems - 1) / mostItems
		i = c.chance(step)
	}
	d.Step = float64(step)
	for k.Element() {
		if i++; i%step != 0 {
			k.Value()
			continue
		}
		fields, item := s.readItem(k)
		size := d.item(fields, Read, step) // it stands for the others
		if e.Index != "" && !keys.wholeIn(e.Index) || d.Asks&Projected != 0 {
			continue
		}
		c.whole(s, call, table, c.itemKey(s, table, keys, fields), fields, item, size)
	}
}

// item notes the attributes of an item that stands for so many, and is its size.
func (d *Detail) item(fields []attr.RawField, use Use, times int) (sum int) {
	before, next := len(d.Attributes), 0 // an item has no name twice: only those of before can be meant again
	if slices.ContainsFunc(d.Attributes, func(a Attribute) bool { return a.Use == use }) {
		for i := range fields {
			f := &fields[i]
			sum += f.Size
			next = d.attribute(before, next, f.Name, use, times*f.Size, times)
		}
		return sum
	}
	list := slices.Grow(d.Attributes, len(fields))
	for i := range fields {
		f := &fields[i]
		sum += f.Size
		if len(list) < mostAttributes {
			list = append(list, Attribute{f.Name, use, times * f.Size, times})
		}
	}
	d.Attributes = list
	return sum
}

// whole notes the size of an item of the answer, if it is a whole one.
func (c *Collector) whole(s *scratch, call *tablewright.Call, table string, key KeyID, fields []attr.RawField, item json.RawMessage, size int) {
	if s.detail.Asks&Projected == 0 {
		c.size(s, call, table, key, fields, item, size, true)
	}
}

// size notes the size of an item, and its attributes where it is one of the sample and exists.
func (c *Collector) size(s *scratch, call *tablewright.Call, table string, key KeyID, fields []attr.RawField, item json.RawMessage, size int, exists bool) {
	one := Size{Table: table, Item: key, Bytes: size}
	var print func(before uint64)
	if exists {
		print = func(before uint64) {
			if one.Content = fast(1, item) | 1; one.Content != before {
				one.Prints = s.printer.print(c, s.keysOf(table), fields)
			}
		}
	}
	c.sizes.add(s.sizesOf(c, table), &one, s.event.Start, print)
	s.detail.Sizes = append(s.detail.Sizes, one)
}

// attribute counts a use of an attribute that stands among the first before, or is a new one, and is where the next one is
// likely to stand, since items are much alike. likely is that of this one.
func (d *Detail) attribute(before, likely int, name []byte, use Use, size, times int) int {
	known, at := d.Attributes[:before], -1
	if likely < before && known[likely].is(name, use) {
		at = likely
	} else {
		for i := range known {
			if known[i].is(name, use) {
				at = i
				break
			}
		}
	}
	switch {
	case at >= 0:
		d.Attributes[at].Bytes += size
		d.Attributes[at].Count += times
		return at + 1
	case len(d.Attributes) < mostAttributes:
		d.Attributes = append(d.Attributes, Attribute{name, use, size, times})
	}
	return likely
}

func (a *Attribute) is(name []byte, use Use) bool { return a.Use == use && bytes.Equal(a.Name, name) }
