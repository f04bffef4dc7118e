package stats

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

// mostItems is how many items of one answer are looked at for Detail: of more, every second, third, … from a random one on.
const mostItems = 32

// mostAttributes is how many uses of attributes one call is asked for.
const mostAttributes = 256

// inspect looks into a request and its answer. s.r is the request.
func (c *Collector) inspect(s *scratch, call *tablewright.Call) *Detail {
	e, d, r := &s.event, &s.detail, &s.request
	*d = Detail{Asks: r.asks, Sizes: d.Sizes[:0], Attributes: d.Attributes[:0]}
	d.expressions(r)
	switch {
	case r.item != nil:
		d.Sizes = append(d.Sizes, Size{e.Table, e.Item, d.item(r.item, Written, 1)})
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
						c.written(s, name, keys, attr.LookupRaw(put, "Item"))
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
					c.written(s, name, c.tables.of(call, name), inner.item)
				}
			}
		}
	}
	if e.Outcome == Done {
		c.inspectAnswer(s, call)
	}
	return d
}

func (c *Collector) written(s *scratch, table string, keys *tableKeys, item []byte) {
	if item == nil {
		return
	}
	s.detail.Sizes = append(s.detail.Sizes, Size{table, c.itemKey(s, table, keys, item), s.detail.item(item, Written, 1)})
}

func (c *Collector) inspectAnswer(s *scratch, call *tablewright.Call) {
	e, d := &s.event, &s.detail
	const onlyItem = `{"Item":` // what a GetItem is answered by, without passing over it first
	if call.Operation == "GetItem" && bytes.HasPrefix(call.Response, []byte(onlyItem)) {
		d.size(e.Table, e.Item, d.item(call.Response[len(onlyItem):], Read, 1))
		return
	}
	for name, value := range attr.Members(call.Response) {
		switch string(name) {
		case "Item":
			d.size(e.Table, e.Item, d.item(value, Read, 1))
		case "Attributes":
			if d.Asks&Returned != 0 { // ALL_OLD and ALL_NEW are whole items, UPDATED_… are not; those are smaller, and seldom
				d.item(value, Read, 1)
			}
		case "Items":
			c.inspectItems(s, call, e.Table, value)
		case "Responses":
			if bytes.HasPrefix(bytes.TrimLeft(value, " "), []byte("[")) {
				i := 0
				for one := range attr.Elements(value) {
					if item := attr.LookupRaw(one, "Item"); item != nil {
						if bytes := d.item(item, Read, 1); i < len(e.Parts) {
							d.size(e.Parts[i].Table, e.Parts[i].Item, bytes)
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
		if e.Index != "" || d.Asks&Projected != 0 {
			continue
		}
		d.size(table, c.itemKey(s, table, keys, item), size)
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

// size notes the size of an item of the answer, if it is a whole one.
func (d *Detail) size(table string, item KeyID, size int) {
	if d.Asks&Projected == 0 {
		d.Sizes = append(d.Sizes, Size{table, item, size})
	}
}

// attribute counts a use of an attribute that stands among the first before, or is a new one, and is where the next one is
// likely to stand, since items are much alike. likely is that of this one.
func (d *Detail) attribute(before, likely int, name []byte, use Use, size, times int) int {
	at := likely
	if at >= before || d.Attributes[at].Use != use || !bytes.Equal(d.Attributes[at].Name, name) {
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
	for _, text := range [...]json.RawMessage{r.condition, r.filter, r.keyCondition} {
		if text != nil {
			paths(text, r.names, false, func(name []byte, _ bool) { d.attribute(len(d.Attributes), 0, name, Tested, 0, 1) })
		}
	}
	if r.projection != nil {
		paths(r.projection, r.names, false, func(name []byte, _ bool) { d.attribute(len(d.Attributes), 0, name, Asked, 0, 1) })
	}
	if r.update != nil {
		paths(r.update, r.names, true, func(name []byte, changed bool) {
			if changed {
				d.attribute(len(d.Attributes), 0, name, Written, 0, 1)
			} else {
				d.attribute(len(d.Attributes), 0, name, Tested, 0, 1)
			}
		})
	}
}
