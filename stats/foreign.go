package stats

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

// Requests that this module's client did not put together, such as those of the SDK's client over a DB, come without the keys that
// they are about: these are read from the request here, and what the attributes of keys are called from many requests, where
// nobody declared the table.

// foreignKeys are the partition key and the item's key of a request that tells neither.
func (c *Collector) foreignKeys(s *scratch, call *tablewright.Call) (partition, item []byte) {
	switch s.kind {
	case getCall, putCall, updateCall, deleteCall:
	case queryCall:
		return c.queryKey(s, call), nil
	default:
		return nil, nil
	}
	k := s.keysOf(call.Table)
	if k == nil {
		return nil, nil
	}
	s.readRequest()
	partition, _ = s.key(s.request.known(), k.partition)
	if !k.half {
		item, _ = s.key(s.request.known(), k.partition, k.sort)
	}
	return partition, item
}

// queryKey is the partition key that the condition of a query names.
func (c *Collector) queryKey(s *scratch, call *tablewright.Call) []byte {
	k := s.keysOf(call.Table)
	if k == nil {
		return nil
	}
	names := k.partitionOf(call.Index)
	if len(names) == 0 {
		return nil
	}
	s.readRequest()
	start := len(s.text)
	s.text = append(s.text, '{')
	for i, name := range names {
		value := s.request.equal(name)
		if value == nil {
			s.text = s.text[:start]
			return nil
		}
		if i > 0 {
			s.text = append(s.text, ',')
		}
		s.text = append(appendName(s.text, name), value...)
	}
	s.text = append(s.text, '}')
	return s.text[start:len(s.text):len(s.text)]
}

// partitionOf are the attributes of a table's partition key, or of an index's; none where they are not known.
func (k *tableKeys) partitionOf(index string) []string {
	for i := range k.indexes {
		if k.indexes[i].name == index {
			return k.indexes[i].partition
		}
	}
	if index == "" || k.complete { // or a local index
		return []string{k.partition}
	}
	return nil
}

// sortOf are the attributes of a table's sort key, or of an index's, as far as they are known.
func (k *tableKeys) sortOf(index string) []string {
	if index != "" {
		return k.sorts[index]
	}
	return []string{k.sort}
}

// equal is the value that a key condition compares an attribute with by =.
func (r *request) equal(attribute string) (value json.RawMessage) {
	r.equalities(func(name, v []byte) {
		if string(name) == attribute {
			value = attr.LookupRaw(r.values, string(v))
		}
	})
	return value
}

// equalities yields the attributes that a key condition compares by =, with the placeholders of their values.
func (r *request) equalities(yield func(attribute, value []byte)) {
	text := bytes.Trim(r.keyCondition, `"`)
	for i := 1; i < len(text); i++ {
		if text[i] != '=' || text[i-1] == '<' || text[i-1] == '>' {
			continue
		}
		left, right := lastToken(text[:i]), firstToken(text[i+1:])
		if len(left) > 0 && left[0] == ':' {
			left, right = right, left
		}
		if len(left) == 0 || len(right) == 0 || right[0] != ':' {
			continue
		}
		if left[0] == '#' {
			left = r.named(left)
		}
		yield(left, right)
	}
}

func firstToken(text []byte) []byte {
	text = bytes.TrimLeft(text, " (")
	if len(text) == 0 {
		return nil
	}
	return text[:word(text, 1)]
}

func lastToken(text []byte) []byte {
	text = bytes.TrimRight(text, " )")
	start := len(text)
	for start > 0 && word(text[start-1:start], 0) == 1 {
		start--
	}
	if start > 0 && (text[start-1] == '#' || text[start-1] == ':') {
		start--
	}
	return text[start:]
}

// learnForeign takes what a request tells of the names of key attributes, where nobody declared the table: a key of one attribute is
// the partition key, of two it is the one that queries compare by =. Where no query tells, attributes that are called as the
// developer guide calls them are taken for what they say.
func (t *tables) learnForeign(s *scratch, call *tablewright.Call) {
	if s.stated {
		t.learnStatement(s.request.of, s.statement.outline)
		return
	}
	known := t.find(call.Table)
	if call.Table == "" || known != nil && known.declared != nil {
		return
	}
	switch s.kind {
	case getCall, updateCall, deleteCall:
		var names []string
		for name := range attr.Members(attr.LookupRaw(call.Request, "Key")) {
			names = append(names, string(name))
		}
		t.learnKey(call.Table, known, names)
	case putCall:
		if known == nil {
			var names []string
			for name := range attr.Members(attr.LookupRaw(call.Request, "Item")) {
				if keyName(name) != 0 {
					names = append(names, string(name))
				}
			}
			if len(names) == 2 {
				t.learnKey(call.Table, nil, names)
			}
		}
	case queryCall:
		s.readRequest()
		var equal, all []string
		s.request.equalities(func(name, _ []byte) { equal = append(equal, string(name)) })
		s.request.paths(s.request.keyCondition, Keyed, func(name []byte, _ naming) { all = append(all, string(name)) })
		if len(equal) == 1 {
			t.learnPartition(call.Table, call.Index, known, equal[0], all)
		}
	}
}

// keyName is 1 of a name that says that it is a partition key's, 2 of a sort key's (HowItWorks.CoreComponents).
func keyName(name []byte) int {
	switch strings.ToLower(strings.ReplaceAll(string(name), "_", "")) {
	case "pk", "hk", "hashkey", "partitionkey":
		return 1
	case "sk", "rk", "rangekey", "sortkey":
		return 2
	}
	return 0
}

// learnKey takes the names of a whole key.
func (t *tables) learnKey(table string, known *tableKeys, names []string) {
	k := &tableKeys{}
	if known != nil {
		if !known.half {
			return
		}
		*k = *known
		k.half = false
	}
	switch {
	case len(names) == 1:
		k.partition, k.sort = names[0], ""
	case len(names) == 2 && k.partition != "":
		k.sort = names[0]
		if names[0] == k.partition {
			k.sort = names[1]
		}
	case len(names) == 2 && keyName([]byte(names[0]))+keyName([]byte(names[1])) == 3:
		k.partition, k.sort = names[0], names[1]
		if keyName([]byte(names[0])) == 2 {
			k.partition, k.sort = names[1], names[0]
		}
	default:
		return
	}
	t.replace(table, known, k)
}

// learnPartition takes the attribute of a partition key, and of the sort key where a condition names it too.
func (t *tables) learnPartition(table, index string, known *tableKeys, partition string, all []string) {
	k := &tableKeys{half: true}
	if known != nil {
		*k = *known
	}
	if index != "" {
		if known == nil || len(k.partitionOf(index)) > 0 || partition == k.partition { // a local index has the table's
			return
		}
		k.indexes = append(slices.Clip(k.indexes), indexKeys{name: index, partition: []string{partition}})
		k.others = append(slices.Clip(k.others), partition)
		t.replace(table, known, k)
		return
	}
	if known != nil && !known.half {
		return
	}
	k.partition = partition
	for _, name := range all {
		if name != partition {
			k.sort, k.half = name, false
		}
	}
	t.replace(table, known, k)
}
