package stats

import (
	"bytes"
	"slices"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// name is the declared name of a table that a request names.
func (c *Collector) name(call *tablewright.Call, actual []byte) string {
	if call.Table != "" {
		return call.Table
	}
	return call.DeclaredName(actual)
}

// parts lists the items of a batch or transaction, and shares its units among them: of reads evenly, of writes by the size of
// what is put. The text of their keys is built in s.text.
func (c *Collector) parts(s *scratch, call *tablewright.Call) {
	e, r := &s.event, &s.request
	for table, list := range attr.Members(r.tables) {
		name := c.name(call, table)
		keys := c.tables.of(call, name)
		for key := range attr.Elements(attr.LookupRaw(list, "Keys")) {
			c.part(s, "Get", name, keys, key)
		}
		if !bytes.HasPrefix(bytes.TrimLeft(list, " "), []byte("[")) {
			continue
		}
		for one := range attr.Elements(list) {
			for action, inner := range attr.Members(one) {
				if string(action) == "PutRequest" {
					c.part(s, "Put", name, keys, attr.LookupRaw(inner, "Item"))
				} else {
					c.part(s, "Delete", name, keys, attr.LookupRaw(inner, "Key"))
				}
			}
		}
	}
	for one := range attr.Elements(r.actions) {
		for action, inner := range attr.Members(one) {
			name := c.name(call, bytes.Trim(attr.LookupRaw(inner, "TableName"), `"`))
			item := attr.LookupRaw(inner, "Key")
			if string(action) == "Put" {
				item = attr.LookupRaw(inner, "Item")
			}
			c.part(s, actionName(action), name, c.tables.of(call, name), item)
		}
	}
	if call.Operation == "BatchWriteItem" || call.Operation == "BatchGetItem" {
		e.Unprocessed = unprocessed(call.Response)
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
func (c *Collector) part(s *scratch, action, table string, keys *tableKeys, item []byte) {
	p := Part{Action: action, Table: table, Write: 1}
	if action == "Put" {
		p.Write = float64(capacity.Write(0, capacity.Bytes(attr.ItemSize(item))))
	}
	p.Partition, p.Item = c.tableKey(s, table, keys, item)
	s.event.Parts = append(s.event.Parts, p)
	if action != "Put" || keys == nil {
		return
	}
	for i := range keys.indexes {
		x := &keys.indexes[i]
		if key := c.key(s, c.places.hash(table, x.name), item, x.partition...); key.Hash != 0 {
			s.entries = append(s.entries, Part{Table: table, Index: x.name, Partition: key})
		}
	}
}

// addEntries adds the index entries of what was put to the parts, each with its share of what the index consumed.
func (s *scratch) addEntries() {
	e := &s.event
	if e.Outcome != Done {
		return
	}
	for i := range s.entries {
		p := &s.entries[i]
		for _, a := range e.Arms {
			if a.Table == p.Table && a.Index == p.Index {
				n := 0.0
				for j := range s.entries {
					if o := &s.entries[j]; o.Table == p.Table && o.Index == p.Index {
						n++
					}
				}
				p.Write += a.Write / n
			}
		}
	}
	e.Parts = append(e.Parts, s.entries...)
}

// share gives every part its share of the units of its table.
func (e *Event) share() {
	for i := range e.Parts {
		p := &e.Parts[i]
		if slices.ContainsFunc(e.Parts[:i], func(o Part) bool { return o.Table == p.Table }) {
			continue
		}
		var weight float64
		for _, o := range e.Parts[i:] {
			if o.Table == p.Table {
				weight += o.Write
			}
		}
		var read, write float64
		for _, a := range e.Arms {
			if a.Table == p.Table && a.Index == "" {
				read += a.Read
				write += a.Write
			}
		}
		for j := range e.Parts[i:] {
			if o := &e.Parts[i+j]; o.Table == p.Table {
				part := o.Write / weight
				o.Read, o.Write = read*part, write*part
			}
		}
	}
}

// unprocessed counts what the service left of a batch.
func unprocessed(answer []byte) (n int) {
	if bytes.HasSuffix(answer, []byte(`"UnprocessedKeys":{}}`)) || bytes.HasSuffix(answer, []byte(`"UnprocessedItems":{}}`)) {
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

// entries adds to the parts of a put what it consumed of global indexes, by the partition key of each entry.
func (c *Collector) entries(s *scratch, call *tablewright.Call, weight float64) {
	e := &s.event
	if s.request.item == nil || e.Units != Reported {
		return
	}
	keys := c.tables.of(call, e.Table)
	if keys == nil {
		return
	}
	for i := range keys.indexes {
		x := &keys.indexes[i]
		for _, a := range e.Arms {
			if a.Index != x.name || a.Write == 0 {
				continue
			}
			if key := c.key(s, c.places.hash(e.Table, x.name), s.request.item, x.partition...); key.Hash != 0 {
				e.Parts = append(e.Parts, Part{Table: e.Table, Index: x.name, Partition: key, Write: a.Write, Weight: weight})
			}
		}
	}
}

// key is the key of these attributes of an item; nil if one is not there.
func (s *scratch) key(item []byte, names ...string) (key []byte, ok bool) {
	start := len(s.text)
	if s.text, ok = appendKey(s.text, item, names...); !ok {
		return nil, false
	}
	return s.text[start:len(s.text):len(s.text)], true
}

func (c *Collector) key(s *scratch, place uint64, item []byte, names ...string) KeyID {
	text, ok := s.key(item, names...)
	if !ok {
		return KeyID{}
	}
	return c.keyID(place, text)
}

// tableKey is the partition key and the whole key of an item, or of what is a key already.
func (c *Collector) tableKey(s *scratch, table string, keys *tableKeys, item []byte) (partition, whole KeyID) {
	if keys == nil {
		return KeyID{}, KeyID{}
	}
	first, second := keys.values(item)
	if first == nil {
		return KeyID{}, KeyID{}
	}
	if s.place == nil || s.place.index != "" || !same(s.place.table, table) {
		s.place = c.places.of(table, "")
	}
	start := len(s.text)
	s.text = append(append(appendName(append(s.text, '{'), keys.partition), first...), '}')
	partition = c.keyID(s.place.hash, s.text[start:len(s.text):len(s.text)])
	switch {
	case keys.half || second == nil && keys.sort != "":
	case keys.sort == "":
		whole = partition
	default:
		end := len(s.text)
		s.text = append(append(s.text, s.text[start:end-1]...), ',')
		s.text = append(append(appendName(s.text, keys.sort), second...), '}')
		whole = c.keyID(s.place.hash, s.text[end:len(s.text):len(s.text)])
	}
	return partition, whole
}

// itemKey is the whole key of an item, or of what is a key already.
func (c *Collector) itemKey(s *scratch, table string, keys *tableKeys, item []byte) KeyID {
	_, whole := c.tableKey(s, table, keys, item)
	return whole
}

// keyID is the hash of a key and, unless keys are hashed, its text.
func (c *Collector) keyID(place uint64, text []byte) KeyID {
	k := KeyID{Hash: c.hash.sum(place, text)}
	if !c.hashed {
		k.Text = text
	}
	return k
}
