package stats

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// name is the declared name of a table that a part of a request names. Whoever sends a request of several tables himself may have named one
// of them only.
func (c *Collector) name(call *tablewright.Call, actual []byte) string {
	if call.Table == string(actual) {
		return call.Table
	}
	return call.DeclaredName(actual)
}

// groupPart is a part of a batch or transaction, as it stands in the request.
type groupPart struct {
	action string // as in Part
	table  string // as declared
	keys   *tableKeys
	fields []attr.RawField // of the item that is put, or of the key
	item   json.RawMessage // nil if none is put
	of     *request        // the action of a transaction; nil of a batch
}

// readGroup reads the request of a batch or transaction and yields its parts, one at a time: what one has is gone with the next.
func (c *Collector) readGroup(s *scratch, call *tablewright.Call, yield func(p *groupPart)) {
	r := &s.request
	r.forget()
	k := attr.Skim(call.Request)
	for name, ok := k.Member(); ok; name, ok = k.Member() {
		switch string(name) {
		case "RequestItems":
			for table, ok := k.Member(); ok; table, ok = k.Member() {
				p := groupPart{table: c.name(call, table)}
				p.keys = s.keysOf(p.table)
				if k.Begins() == '{' {
					s.readGets(&k, &p, yield)
				} else {
					s.readWrites(&k, &p, yield)
				}
			}
		case "TransactItems":
			for k.Element() {
				for action, ok := k.Member(); ok; action, ok = k.Member() {
					s.action.read(&k)
					r.partAsks |= s.action.asks
					p := groupPart{action: actionName(action), table: c.name(call, bytes.Trim(s.action.table, `"`)), fields: s.action.known(), item: s.action.item, of: &s.action}
					p.keys = s.keysOf(p.table)
					yield(&p)
				}
			}
		case "Statements", "TransactStatements":
			c.readStatements(s, call, &k, yield)
		default:
			r.member(name, &k)
		}
	}
	s.parsed = true
}

// readGets reads what a batch gets of a table.
func (s *scratch) readGets(k *attr.Skimmer, p *groupPart, yield func(p *groupPart)) {
	p.action = "Get"
	one := &s.action
	one.forget()
	for name, ok := k.Member(); ok; name, ok = k.Member() {
		if string(name) != "Keys" {
			one.member(name, k)
			continue
		}
		for k.Element() {
			p.fields, _ = k.AppendFields(one.fields[:0])
			one.fields = p.fields
			yield(p)
		}
	}
	s.request.partAsks |= one.asks
}

// readWrites reads what a batch writes to a table.
func (s *scratch) readWrites(k *attr.Skimmer, p *groupPart, yield func(p *groupPart)) {
	for k.Element() {
		for action, ok := k.Member(); ok; action, ok = k.Member() {
			s.action.read(k)
			p.action, p.fields, p.item = "Delete", s.action.known(), s.action.item
			if string(action) == "PutRequest" {
				p.action = "Put"
			}
			yield(p)
		}
	}
}

// parts lists the items of a batch or transaction, and shares its units among them: of reads evenly, of writes by the size of
// what is put. The text of their keys is built in s.text.
func (c *Collector) parts(s *scratch, call *tablewright.Call) {
	c.readGroup(s, call, func(p *groupPart) { c.part(s, p) })
	s.event.Asks |= s.request.partAsks & Conditional
	switch call.Operation {
	case "BatchWriteItem", "BatchGetItem":
		s.event.Unprocessed = unprocessed(call.Response)
	case "BatchExecuteStatement":
		s.event.failed(call.Response)
	}
}

// actionName is a string that was there before.
func actionName(action []byte) string {
	for _, known := range [...]string{"Get", "Put", "Update", "Delete", "ConditionCheck"} {
		if string(action) == known {
			return known
		}
	}
	return "?"
}

// part adds a part; how much it weighs among the others stands in Write until share has been called.
func (c *Collector) part(s *scratch, of *groupPart) {
	p := Part{Action: of.action, Table: of.table, Write: 1}
	if of.action == "Put" {
		p.Write = float64(capacity.Write(0, capacity.Bytes(sizeOf(of.fields))))
	}
	p.Partition, p.Item = c.tableKey(s, of.table, of.keys, of.fields)
	s.event.Parts = append(s.event.Parts, p)
	if of.action != "Put" || of.keys == nil {
		return
	}
	for i := range of.keys.indexes {
		x := &of.keys.indexes[i]
		if key := c.key(s, s.placeOf(c, of.table, x.name).hash, of.fields, x.partition...); key.Hash != 0 {
			s.entries = append(s.entries, Part{Table: of.table, Index: x.name, Partition: key})
		}
	}
}

// addEntries adds the index entries of what was put to the parts, each with its share of what the index consumed.
func (s *scratch) addEntries() {
	e := &s.event
	if e.Outcome != Done {
		return
	}
	for _, a := range e.Arms {
		if a.Index == "" {
			continue
		}
		in := func(p *Part) bool { return same(p.Index, a.Index) && same(p.Table, a.Table) }
		n := 0.0
		for i := range s.entries {
			if in(&s.entries[i]) {
				n++
			}
		}
		for i := range s.entries {
			if p := &s.entries[i]; in(p) {
				p.Write += a.Write / n
			}
		}
	}
	e.Parts = append(e.Parts, s.entries...)
}

// share gives every part its share of the units of its table. What a put consumes is known by its size, unless what it replaced was larger:
// what is over is that of updates, deletes and conditions, of which the request does not tell the item's size.
func (e *Event) share() {
	for i := range e.Parts {
		p := &e.Parts[i]
		if slices.ContainsFunc(e.Parts[:i], func(o Part) bool { return o.Table == p.Table }) {
			continue
		}
		var read, write float64
		for _, a := range e.Arms {
			if a.Table == p.Table && a.Index == "" {
				read += a.Read
				write += a.Write
			}
		}
		var puts, others float64
		for _, o := range e.Parts[i:] {
			if o.Table == p.Table && o.Action == "Put" {
				puts += o.Write
			} else if o.Table == p.Table {
				others++
			}
		}
		blocks := write
		if e.Operation == "TransactWriteItems" || e.As == "TransactWriteItems" { // two units each (transaction-apis)
			blocks /= 2
		}
		other := 1.0
		if others > 0 {
			other = max(other, (blocks-puts)/others)
		}
		weight := puts + others*other
		for j := range e.Parts[i:] {
			if o := &e.Parts[i+j]; o.Table == p.Table {
				if o.Action != "Put" {
					o.Write = other
				}
				part := o.Write / weight
				o.Read, o.Write = read*part, write*part
			}
		}
	}
}

// unprocessed counts what the service left of a batch. No attribute is an empty object, so that what says nothing was left is found
// wherever it stands.
func unprocessed(answer []byte) (n int) {
	if bytes.Contains(answer, []byte(`"UnprocessedKeys":{}`)) || bytes.Contains(answer, []byte(`"UnprocessedItems":{}`)) {
		return 0
	}
	for name, value := range attr.Members(answer) {
		switch string(name) {
		case "UnprocessedItems":
			for _, list := range attr.Members(value) {
				for range attr.Elements(list) {
					n++
				}
			}
		case "UnprocessedKeys":
			for _, inner := range attr.Members(value) {
				for range attr.Elements(attr.LookupRaw(inner, "Keys")) {
					n++
				}
			}
		}
	}
	return n
}

// entries adds to the parts of a put or update what it consumed of global indexes, by the partition key of each entry, as far as the
// request tells it.
func (c *Collector) entries(s *scratch, call *tablewright.Call, weight float64) {
	e := &s.event
	if e.Units != Reported || s.kind != putCall && s.kind != updateCall {
		return
	}
	keys := s.keysOf(e.Table)
	if keys == nil {
		return
	}
	for i := range keys.indexes {
		x := &keys.indexes[i]
		for _, a := range e.Arms {
			if a.Index != x.name || a.Write == 0 {
				continue
			}
			if key, moves := c.entryKey(s, e.Table, x); key.Hash != 0 {
				write := a.Write
				if moves && write > 1 { // the other half is the entry's that was removed, under the key that it had
					write /= 2
				}
				e.Parts = append(e.Parts, Part{Table: e.Table, Index: x.name, Partition: key, Write: write, Weight: weight})
			}
		}
	}
}

// key is the key of these attributes of an item; nil if one is not there.
func (s *scratch) key(fields []attr.RawField, names ...string) (key []byte, ok bool) {
	start := len(s.text)
	if s.text, ok = appendKey(s.text, fields, names...); !ok {
		return nil, false
	}
	return s.text[start:len(s.text):len(s.text)], true
}

func (c *Collector) key(s *scratch, place uint64, fields []attr.RawField, names ...string) KeyID {
	text, ok := s.key(fields, names...)
	if !ok {
		return KeyID{}
	}
	return c.keyID(place, text)
}

// tableKey is the partition key and the whole key of an item, or of what is a key already.
func (c *Collector) tableKey(s *scratch, table string, keys *tableKeys, fields []attr.RawField) (partition, whole KeyID) {
	if keys == nil {
		return KeyID{}, KeyID{}
	}
	place := s.placeOf(c, table, "")
	text, ok := s.key(fields, keys.partition)
	if !ok {
		return KeyID{}, KeyID{}
	}
	partition = c.keyID(place.hash, text)
	if keys.sort == "" && !keys.half {
		return partition, partition
	}
	return partition, c.itemKey(s, table, keys, fields)
}

// itemKey is the whole key of an item, or of what is a key already.
func (c *Collector) itemKey(s *scratch, table string, keys *tableKeys, fields []attr.RawField) KeyID {
	if keys == nil || keys.half {
		return KeyID{}
	}
	return c.key(s, s.placeOf(c, table, "").hash, fields, keys.partition, keys.sort)
}

// keysOf is what is known of a table, most likely the same as before.
func (s *scratch) keysOf(table string) *tableKeys {
	if now := s.c.tables.known.Load(); s.keys == nil || now != s.keysIn || !same(s.keysTable, table) {
		s.keys, s.keysTable, s.keysIn = s.c.tables.of(s.call, table), table, now
	}
	return s.keys
}

// placeOf is a table or index, most likely the same as before.
func (s *scratch) placeOf(c *Collector, table, index string) *place {
	last := &s.table
	if index != "" {
		last = &s.index
	}
	if at := *last; at == nil || !same(at.table, table) || !same(at.index, index) {
		*last = c.places.of(table, index)
	}
	return *last
}

// keyID is the hash of a key and, unless keys are hashed, its text.
func (c *Collector) keyID(place uint64, text []byte) KeyID {
	k := KeyID{Hash: c.hash.sum(place, text)}
	if !c.hashed {
		k.Text = text
	}
	return k
}
