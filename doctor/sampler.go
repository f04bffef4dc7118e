package doctor

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

// Sampler gathers what rules look at of items from any source: a file, a scan. It looks at them as a collector looks at items
// that pass by, and keeps what that would keep of them: sizes, the largest, and of a random sample the shapes of their
// attributes, no values. It is for one goroutine.
type Sampler struct {
	table     string
	names     plan.Key
	collector *stats.Collector
	see       tablewright.Transport
	item      []byte // the answer that is seen
	request   []byte
	key       []byte
	partition []byte

	Items int   // that were added
	Bytes int64 // of them, as DynamoDB counts them

	passed int
}

// Passed is how many items were passed over because they do not have the table's key.
func (s *Sampler) Passed() int { return s.passed }

// SamplerOptions of NewSampler; the zero value works.
type SamplerOptions struct {
	HashKeys []byte            // keep hashes of keys instead of keys, as stats.Options.HashKeys does; nil: keys are shown
	Clock    tablewright.Clock // the time at which items are seen; nil: the system's
}

// NewSampler samples items of a table, of which the name and the key are what matters.
func NewSampler(table plan.Table, o SamplerOptions) *Sampler {
	s := &Sampler{table: table.Name, names: table.Key}
	s.collector = stats.NewCollector(stats.Options{Detail: 1, NoUnits: true, Clock: o.Clock, HashKeys: o.HashKeys, Keys: 64})
	s.see = s.collector.Hook(tablewright.TransportFunc(func(_ context.Context, c *tablewright.Call) error {
		c.Response, c.Items, c.Scanned = s.item, 1, 1
		return nil
	}))
	return s
}

// Add looks at an item. One without the table's key is counted, and else passed over.
func (s *Sampler) Add(it attr.Item) {
	s.Items++
	s.Bytes += int64(it.Size())
	key := attr.ItemOf(attr.Field{Name: s.names.Partition, Value: it.Get(s.names.Partition)})
	if !it.Has(s.names.Partition) || s.names.Sort != "" && !it.Has(s.names.Sort) {
		s.passed++
		return
	}
	s.partition = attr.AppendItem(s.partition[:0], key)
	if s.names.Sort != "" {
		key.Set(s.names.Sort, it.Get(s.names.Sort))
	}
	s.key = attr.AppendItem(s.key[:0], key)
	s.item = append(attr.AppendItem(append(s.item[:0], `{"Item":`...), it), '}')
	s.request = append(append(attr.AppendText(append(s.request[:0], `{"TableName":`...), s.table), `,"Key":`...), s.key...)
	s.request = append(s.request, '}')
	call := tablewright.Call{Operation: "GetItem", Table: s.table, Key: s.partition, ItemKey: s.key, Request: s.request, Attempt: 1}
	_ = s.see.Do(context.Background(), &call) // it is answered here
}

// Into puts what is known of the items into a snapshot, in place of what it knew of the same table's.
func (s *Sampler) Into(to *stats.Snapshot) {
	for _, z := range s.collector.Snapshot().Sizes {
		i, found := slices.BinarySearchFunc(to.Sizes, z.Table, func(o *stats.ItemSizes, table string) int { return strings.Compare(o.Table, table) })
		if found {
			to.Sizes = slices.Clone(to.Sizes)
			to.Sizes[i] = z
			continue
		}
		to.Sizes = slices.Insert(slices.Clone(to.Sizes), i, z)
	}
}

// Empty is a snapshot of a collector that saw nothing: what items are put into where there are no statistics.
func Empty(t stats.Thresholds) *stats.Snapshot {
	return stats.NewCollector(stats.Options{Keys: 64, Thresholds: t}).Snapshot()
}

// GuessKey guesses which attributes are the key of a table from items of it: those that are usually called so, PK and SK, if all
// items have them; else the first one, or pair, of texts, numbers and binaries that all items have and that no two have alike. ""
// and "" if there is none.
func GuessKey(items []attr.Item) plan.Key {
	if len(items) == 0 {
		return plan.Key{}
	}
	var names []string
	for name, v := range items[0].All() {
		if scalarKey(v) && !slices.ContainsFunc(items, func(it attr.Item) bool { return it.Get(name).Kind() != v.Kind() }) {
			names = append(names, name)
		}
	}
	find := func(usual ...string) string {
		for _, u := range usual {
			if i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, u) }); i >= 0 {
				return names[i]
			}
		}
		return ""
	}
	if p := find("PK", "partitionKey", "partition_key", "hashKey", "hash_key"); p != "" {
		return plan.Key{Partition: p, Sort: find("SK", "sortKey", "sort_key", "rangeKey", "range_key")}
	}
	// Those that look like identities first.
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(identityRank(a), identityRank(b)) })
	for _, p := range names {
		if differ(items, p) {
			return plan.Key{Partition: p}
		}
	}
	for i, p := range names {
		for _, s := range names[i+1:] {
			if differ(items, p, s) {
				return plan.Key{Partition: p, Sort: s}
			}
		}
	}
	return plan.Key{}
}

func scalarKey(v attr.Value) bool {
	return v.Kind() == attr.KindS || v.Kind() == attr.KindN || v.Kind() == attr.KindB
}

func identityRank(name string) int {
	switch lower := strings.ToLower(name); {
	case lower == "id":
		return 0
	case strings.HasSuffix(lower, "id") || strings.HasSuffix(lower, "key"):
		return 1
	}
	return 2
}

// differ reports whether no two items have the same values of these attributes.
func differ(items []attr.Item, names ...string) bool {
	seen := make(map[string]bool, len(items))
	for _, it := range items {
		var key attr.Item
		for _, n := range names {
			key.Set(n, it.Get(n))
		}
		text := string(attr.AppendItem(nil, key))
		if seen[text] {
			return false
		}
		seen[text] = true
	}
	return true
}
