package stats

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// tableKeys are the names of a table's key attributes, and those of its global indexes' partition keys.
type tableKeys struct {
	partition, sort string
	indexes         []indexKeys
	declared        *tablewright.Table  // nil where nobody declared it
	form            *TableForm          // of one that passed; nil of others
	others          []string            // key attributes of indexes
	whole           []string            // indexes that have items whole
	sorts           map[string][]string // sort keys of indexes, by their names
	complete        bool                // indexes that are not listed are local ones
	half            bool                // whether there is a sort key is not known yet
}

// has reports whether an attribute is one of a key, of the table or an index.
func (k *tableKeys) has(name []byte) bool {
	if k == nil {
		return false
	}
	if string(name) == k.partition || string(name) == k.sort {
		return true
	}
	for _, other := range k.others {
		if string(name) == other {
			return true
		}
	}
	return false
}

type indexKeys struct {
	name      string
	partition []string
}

// wholeIn reports whether an index has items whole.
func (k *tableKeys) wholeIn(index string) bool {
	return k != nil && slices.Contains(k.whole, index)
}

// tables knows the key attributes of tables: from Options, from the declaration that a call carries, or from the keys of
// calls that were seen.
type tables struct {
	known atomic.Pointer[map[string]*tableKeys]
	mu    sync.Mutex // of who adds one
}

func keysOf(t *tablewright.Table) *tableKeys {
	k := keysOfForm(t.Definition())
	k.declared = t
	return k
}

func keysOfForm(d plan.Table) *tableKeys {
	k := &tableKeys{partition: d.Key.Partition, sort: d.Key.Sort, complete: true, sorts: map[string][]string{}}
	for _, name := range slices.Sorted(maps.Keys(d.GSI)) {
		k.indexes = append(k.indexes, indexKeys{name, d.GSI[name].Partition})
		k.others = append(append(k.others, d.GSI[name].Partition...), d.GSI[name].Sort...)
		k.sorts[name] = d.GSI[name].Sort
		k.holds(name, d.GSI[name])
	}
	for name, x := range d.LSI {
		k.others = append(k.others, x.Sort...)
		k.sorts[name] = x.Sort
		k.holds(name, x)
	}
	return k
}

func (k *tableKeys) holds(index string, x plan.Index) {
	if x.Project == "" || x.Project == plan.All {
		k.whole = append(k.whole, index)
	}
}

// Tables are the declared tables that c knows, in the order of names: those of Options, and those whose calls it has seen.
func (c *Collector) Tables() (all []*tablewright.Table) {
	known := c.tables.known.Load()
	if known == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(*known)) {
		if t := (*known)[name].declared; t != nil {
			all = append(all, t)
		}
	}
	return all
}

// forms are what is known of how tables are declared, in the order of names: of those that the program declares as they are now, since
// items that are declared later tell more of them.
func (c *Collector) forms() (all []*TableForm) {
	known := c.tables.known.Load()
	if known == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(*known)) {
		switch k := (*known)[name]; {
		case k.declared != nil:
			all = append(all, formOf(k.declared.Definition()))
		case k.form != nil:
			all = append(all, k.form)
		}
	}
	return all
}

// find is what is known of a table; nil if nothing is.
func (t *tables) find(name string) *tableKeys {
	if known := t.known.Load(); known != nil {
		return (*known)[name]
	}
	return nil
}

// of is what is known of a table, by its declaration where the call carries one: what requests told before, such as the one that
// made the table, is less.
func (t *tables) of(call *tablewright.Call, name string) *tableKeys {
	k := t.find(name)
	if call != nil && (k == nil || k.declared == nil) {
		if d := call.Declared(name); d != nil {
			before := k
			k = keysOf(d)
			t.replace(name, before, k)
		}
	}
	return k
}

// maxTables bounds what is remembered: a program that makes tables by the thousand gets no keys of batches on the others.
const maxTables = 512

func (t *tables) add(name string, k *tableKeys) *tableKeys {
	t.mu.Lock()
	defer t.mu.Unlock()
	with := map[string]*tableKeys{}
	if known := t.known.Load(); known != nil {
		with = maps.Clone(*known)
	}
	if with[name] == nil && len(with) < maxTables {
		with[name] = k
		t.known.Store(&with)
	}
	return k
}

// replace has something else known of a table than was before.
func (t *tables) replace(name string, before, k *tableKeys) {
	if before == nil {
		t.add(name, k)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	with := maps.Clone(*t.known.Load())
	if with[name] == before {
		with[name] = k
		t.known.Store(&with)
	}
}

// learn takes the names from the first call of its kind.
func (t *tables) learn(s *scratch, call *tablewright.Call) {
	if len(call.Key) == 0 && len(call.ItemKey) == 0 {
		t.learnForeign(s, call)
		return
	}
	if call.Table == "" || t.of(call, call.Table) != nil || call.Index != "" || len(call.ItemKey) == 0 || len(call.Key) == 0 {
		return
	}
	var k tableKeys
	for name := range attr.Members(call.Key) {
		k.partition = string(name)
	}
	for name := range attr.Members(call.ItemKey) {
		if string(name) != k.partition {
			k.sort = string(name)
		}
	}
	t.add(call.Table, &k)
}

func appendName(dst []byte, name string) []byte { return append(attr.AppendText(dst, name), ':') }

// appendKey appends those of an item's or key's attributes that have these names as a key; false if one is not there.
func appendKey(dst []byte, fields []attr.RawField, names ...string) ([]byte, bool) {
	start := len(dst)
	dst = append(dst, '{')
	for i, name := range names {
		if name == "" {
			continue
		}
		value := valueOf(fields, name)
		if value == nil {
			return dst[:start], false
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendName(dst, name), value...)
	}
	return append(dst, '}'), true
}
