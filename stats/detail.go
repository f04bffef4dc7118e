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
func (c *Collector) inspect(s *scratch, call *tablewright.Call) *Detail {
	e, d, r := &s.event, &s.detail, &s.request
	s.printer.reset()
	*d = Detail{Asks: r.asks, Sizes: d.Sizes[:0], Attributes: d.Attributes[:0]}
	d.expressions(r)
	switch {
	case r.item != nil:
		c.size(s, call, e.Table, e.Item, r.item, d.item(r.item, Written, 1), e.Outcome == Done)
	case r.tables != nil:
		for table, list := range attr.Members(r.tables) {
			name := c.name(call, table)
			keys := c.tables.of(call, name)
			if inner := attr.LookupRaw(list, "Keys"); inner != nil {
				d.Asks |= readRequest(list).asks
				continue
			}
			for one := range attr.Elements(list) {
				for action, put := range attr.Members(one) {
					if string(action) == "PutRequest" {
						c.written(s, call, name, keys, attr.LookupRaw(put, "Item"))
					}
				}
			}
		}
	case r.actions != nil:
		for one := range attr.Elements(r.actions) {
			for _, action := range attr.Members(one) {
				inner := readRequest(action)
				d.Asks |= inner.asks
				d.expressions(&inner)
				if inner.item != nil {
					name := c.name(call, bytes.Trim(attr.LookupRaw(action, "TableName"), `"`))
					c.written(s, call, name, c.tables.of(call, name), inner.item)
				}
			}
		}
	}
	if e.Outcome == Done {
		c.inspectAnswer(s, call)
		if s.kind == getCall {
			c.trails.note(e, call.Response)
		}
		if r.update != nil && !r.after {
			c.paidSize(s)
		}
	}
	return d
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
			s.detail.Sizes = append(s.detail.Sizes, Size{Table: e.Table, Item: e.Item, Bytes: int((a.Write - 0.5) * block)})
		}
	}
}

func (c *Collector) written(s *scratch, call *tablewright.Call, table string, keys *tableKeys, item []byte) {
	if item == nil {
		return
	}
	c.size(s, call, table, c.itemKey(s, table, keys, item), item, s.detail.item(item, Written, 1), s.event.Outcome == Done && s.event.Unprocessed == 0)
}

func (c *Collector) inspectAnswer(s *scratch, call *tablewright.Call) {
	e, d := &s.event, &s.detail
	const onlyItem = `{"Item":` // what a GetItem is answered by, without passing over it first
	if call.Operation == "GetItem" && bytes.HasPrefix(call.Response, []byte(onlyItem)) {
		c.whole(s, call, e.Table, e.Item, nil, d.item(call.Response[len(onlyItem):], Read, 1))
		return
	}
	for name, value := range attr.Members(call.Response) {
		switch string(name) {
		case "Item":
			c.whole(s, call, e.Table, e.Item, value, d.item(value, Read, 1))
		case "Attributes":
			if d.Asks&Returned != 0 { // ALL_OLD and ALL_NEW are whole items, UPDATED_… are not; those are smaller, and seldom
				if bytes := d.item(value, Read, 1); s.request.after {
					c.size(s, call, e.Table, e.Item, value, bytes, true)
				}
			}
		case "Items":
			c.inspectItems(s, call, e.Table, value)
		case "Responses":
			if bytes.HasPrefix(bytes.TrimLeft(value, " "), []byte("[")) {
				i := 0
				for one := range attr.Elements(value) {
					if item := attr.LookupRaw(one, "Item"); item != nil {
						if bytes := d.item(item, Read, 1); i < len(e.Parts) {
							c.whole(s, call, e.Parts[i].Table, e.Parts[i].Item, item, bytes)
						}
					}
					i++
				}
				continue
			}
			for table, items := range attr.Members(value) {
				c.inspectItems(s, call, c.name(call, table), items)
			}
		}
	}
}

// inspectItems looks at the items of a page, or of a table in a batch.
func (c *Collector) inspectItems(s *scratch, call *tablewright.Call, table string, items json.RawMessage) {
	e, d := &s.event, &s.detail
	keys := c.tables.of(call, table)
	step, i := 1, 0
	if e.Items > mostItems {
		step = (e.Items + mostItems - 1) / mostItems
		i = c.chance(step)
	}
	d.Step = float64(step)
	for item := range attr.Elements(items) {
		if i++; i%step != 0 {
			continue
		}
		size := d.item(item, Read, step) // it stands for the others
		if e.Index != "" && !keys.wholeIn(e.Index) || d.Asks&Projected != 0 {
			continue
		}
		c.whole(s, call, table, c.itemKey(s, table, keys, item), item, size)
	}
}

// item notes the attributes of an item that stands for so many, and is its size.
func (d *Detail) item(item []byte, use Use, times int) (sum int) {
	before, next := len(d.Attributes), 0 // an item has no name twice: only those of before can be meant again
	for name, size := range attr.Sizes(item) {
		sum += size
		next = d.attribute(before, next, name, use, times*size, times)
	}
	return sum
}

// whole notes the size of an item of the answer, if it is a whole one.
func (c *Collector) whole(s *scratch, call *tablewright.Call, table string, key KeyID, item []byte, size int) {
	if s.detail.Asks&Projected == 0 {
		c.size(s, call, table, key, item, size, true)
	}
}

// size notes the size of an item, and its attributes where it is one of the sample and exists.
func (c *Collector) size(s *scratch, call *tablewright.Call, table string, key KeyID, item []byte, size int, exists bool) {
	one := Size{Table: table, Item: key, Bytes: size}
	if t := s.sizesOf(c, table); exists && key.Hash != 0 && t != nil {
		if before, sampled := t.content(key.Hash); sampled {
			text := []byte(item)
			if item == nil { // nobody has looked for its end
				text = call.Response
			}
			if one.Content = fast(1, text) | 1; one.Content != before {
				if item == nil {
					item = attr.LookupRaw(call.Response, "Item")
				}
				one.Prints = s.printer.print(c, c.tables.of(call, table), item)
			}
		}
	}
	s.detail.Sizes = append(s.detail.Sizes, one)
}

// attribute counts a use of an attribute that stands among the first before, or is a new one, and is where the next one is
// likely to stand, since items are much alike. likely is that of this one.
func (d *Detail) attribute(before, likely int, name []byte, use Use, size, times int) int {
	at := likely
	if before == 0 {
		at = -1
	} else if at >= before || d.Attributes[at].Use != use || !bytes.Equal(d.Attributes[at].Name, name) {
		at = slices.IndexFunc(d.Attributes[:before], func(a Attribute) bool { return a.Use == use && bytes.Equal(a.Name, name) })
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

// expressions notes what the expressions of a request name.
func (d *Detail) expressions(r *request) {
	for i, text := range [...]json.RawMessage{r.condition, r.keyCondition, r.filter, r.projection, r.update} {
		if text == nil {
			continue
		}
		paths(text, r.names, i == 4, func(name []byte, n naming) {
			use := [...]Use{Tested, Keyed, Sifted, Asked, Reckoned}[i]
			switch {
			case n.changed:
				use = Written
			case n.equal && use == Sifted:
				use = Equal
			}
			d.attribute(len(d.Attributes), 0, name, use, 0, 1)
			if n.added {
				d.attribute(len(d.Attributes), 0, name, Reckoned, 0, 1)
			}
			if n.bare {
				d.attribute(len(d.Attributes), 0, name, Bare, 0, 1)
			}
		})
	}
}
