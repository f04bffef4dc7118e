package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

var hotIndexPartition = &Rule{
	ID:       "hot-index-partition",
	Title:    "A partition key of an index near the limit of a partition",
	Category: Capacity,
	Looks: "At the units of every busy partition key of a global index in its busiest minute, and at how many of the items that are indexed have the same " +
		"value of it; at the other attributes of those items, and at what the queries of the index say about these.",
	Fires: "When a key of the index took Thresholds.HotKey (80 %) of 3,000 read units or 1,000 write units a second over a minute, or its calls were throttled " +
		"for its range of keys; for writes that do not tell the index's key, when the units of the index times the share of the items with one value come to as much, with what was put under that value. Entries that leave a key count as its load where more came to it than there are items.",
	Rests: "However few values an index's partition key has, as long as none is near the limit; when the table's own key is hot, which hot-partition tells.",
	Sources: []string{page("GSI.DesignPattern.MultiAttributeKeys"), page("gsi-throttling"), page("bp-partition-key-design"),
		page("throttling-key-range-limit-exceeded-mitigation")},
	Find: findHotIndexPartition,
}

func findHotIndexPartition(in *Input) (found []Finding) {
	known := map[[2]string]bool{}
	for _, hot := range in.hotKeys(true) {
		h := hot[0]
		known[[2]string{h.key.Table, h.key.Index}] = true
		f := h.finding(in, hot[1:])
		in.coolIndex(&f, &h)
		found = append(found, f)
	}
	for _, c := range in.Stats.Consumed {
		if c.Index == "" || known[[2]string{c.Table, c.Index}] {
			continue
		}
		if h, of, ok := in.guessHot(c); ok {
			f := h.finding(in, nil)
			f.Evidence = append(f.Evidence, Evidence{What: "sampled items with this value of the index's partition key", Value: 100 * of, Unit: "%"})
			f.Confidence, f.Because = min(f.Confidence, 0.6), "The key's load is the index's, shared as the sampled items share its values."
			in.coolIndex(&f, &h)
			found = append(found, f)
		}
	}
	return found
}

// muchChanged is how often an item's attribute changes that is better no key of an index.
const muchChanged = 0.2

// fewSampled is how many sampled items say how an index's values are shared.
const fewSampled = 30

// guessHot is the load of the value of an index's partition key that most sampled items have, where writes do not tell it. of is
// the share of these items.
func (in *Input) guessHot(c *stats.Consumption) (h hotKey, of float64, ok bool) {
	x, local, known := in.table(c.Table).index(c.Index)
	if !known || local {
		return h, 0, false
	}
	groups := in.indexed(c.Table, x)
	var top string
	n := 0
	for _, value := range slices.Sorted(maps.Keys(groups)) {
		n += len(groups[value])
		if len(groups[value]) > len(groups[top]) {
			top = value
		}
	}
	if n < fewSampled {
		return h, 0, false
	}
	of = float64(len(groups[top])) / float64(n)
	stay := in.inPlace(c.Table, c.Index) // what moves from value to value is written at both
	load := of * stay
	if k := in.entryKey(c, groups[top][0], x); k != nil { // and of what moves is half put where it says
		a := in.arrivals(c.Table, c.Index)
		load += (1 - stay) / 2 * k.Write * a.came(k) / max(a.all, 1)
	}
	peak := c.Traffic.Peak().Write * load
	h = hotKey{writes: true, perSecond: peak, heat: capacity.Heat(0, writeUnits(peak))}
	h.key = &stats.Key{Table: c.Table, Index: c.Index, Write: c.Write * load, Calls: c.Traffic.Sum().Calls * load, PeakWrite: peak * 60, Load: stats.Load(0, c.Write*load), Peak: stats.Load(0, peak*60)}
	for _, name := range x.Partition {
		p := attributeOf(groups[top][0], name)
		h.key.Values = append(h.key.Values, p.Value)
		h.key.Hash ^= p.Value
	}
	for _, x := range in.throttling() {
		if x.table == c.Table && x.index == c.Index && x.kind == rangeLimit && x.writes && x.refused >= in.Thresholds.FewCalls {
			h.refused = x.refused
		}
	}
	return h, of, h.heat >= in.Thresholds.HotKey || h.refused > 0 && h.heat >= fewHeat
}

// entryKey is the key under which an item lies in an index, if writes told it; nil if none did.
func (in *Input) entryKey(c *stats.Consumption, item *stats.SizedItem, x plan.Index) *stats.Key {
	var values []uint64
	for _, name := range x.Partition {
		values = append(values, attributeOf(item, name).Value)
	}
	for i := range in.Stats.Partitions.List {
		if k := &in.Stats.Partitions.List[i]; k.Table == c.Table && k.Index == c.Index && slices.Equal(k.Values, values) {
			return k
		}
	}
	return nil
}

// inPlace is the share of an index's write units that are of entries which stay where they are, or come: not of those that move from
// one key to another, at two writes each.
func (in *Input) inPlace(table, index string) float64 {
	t := in.table(table)
	x, _, _ := t.index(index)
	one := in.entryUnits(table, x)
	if one == 0 {
		return 1
	}
	var all, moved float64
	for _, o := range in.everything(table, writes) {
		touches, units := in.touched(o, table, index)
		all += units
		moved += 2 * one * min(max(units/one-touches, 0), touches)
	}
	return max(1-moved/max(all, one), 0)
}

// arrivals is what came to the keys of an index, and what left them.
type arrivals struct {
	share map[uint64]float64 // of a key's write units those of entries put there; 1 of keys that are missing
	// index is nil where it is not known what left.
	index *stats.Consumption
	stays float64 // write units that no entry leaves after: what is written in place, and one entry for each item
	all   float64 // write units that came to keys that are known
}

// arrivals looks at all keys of an index at once: there may be thousands.
func (in *Input) arrivals(table, index string) *arrivals {
	t := in.table(table)
	x, local, known := t.index(index)
	if !known || local {
		return &arrivals{}
	}
	a := &arrivals{share: in.arrivalShares(t, index, x)}
	c, one := in.consumed(table, index), in.entryUnits(table, x)
	if c == nil || one == 0 {
		return a
	}
	items := in.items(table)
	if in.Stats.Rate > 0 {
		items /= in.Stats.Rate // only those of calls that were recorded are counted
	}
	a.index, a.stays = c, in.inPlace(table, index)*c.Write+items*one
	for i := range in.Stats.Partitions.List {
		if k := &in.Stats.Partitions.List[i]; k.Table == table && k.Index == index {
			a.all += k.Write * a.came(k)
		}
	}
	return a
}

// came is the share of a key's write units that are of entries put there.
func (a *arrivals) came(k *stats.Key) float64 {
	if share, told := a.share[k.Hash]; told {
		return share
	}
	return 1
}

// arrivalShares are arrivals.share. Of a put that moves an entry all units count as the key's, those of the entry that is removed, too: that one lay
// under another key if nothing else of the index's key can have changed.
func (in *Input) arrivalShares(t *Table, index string, x plan.Index) map[uint64]float64 {
	name := t.Declared.Name
	if slices.ContainsFunc(x.Sort, func(name string) bool { return !slices.Contains(t.keyAttributes(""), name) }) {
		return nil
	}
	all, share := map[uint64]float64{}, map[uint64]float64{}
	for _, o := range in.everything(name, writes) {
		e := o.Entries[index]
		if e == nil || o.Table != name || len(e.Keys) == 0 {
			continue
		}
		put := 1.0
		if o.Operation == "PutItem" && e.Write > 0 {
			put = min(e.Calls*in.putUnits(o, x)/e.Write, 1)
		}
		for _, at := range e.Keys {
			all[at.Hash] += at.Write
			share[at.Hash] += at.Write * put
		}
	}
	for hash, units := range all {
		share[hash] /= units
	}
	return share
}

// putUnits are the write units of an entry that puts of an operation write, as far as the items that they put tell, else as entryUnits.
func (in *Input) putUnits(o *stats.Operation, x plan.Index) float64 {
	one := in.entryUnits(o.Table, x)
	if x.Project != "" && x.Project != plan.All || o.Sizes == nil || o.Sizes.Count() == 0 {
		return one
	}
	var units float64
	for bytes, n := range o.Sizes.Buckets() {
		units += n * float64(capacity.Write(capacity.Bytes(bytes), 0))
	}
	return units / o.Sizes.Count()
}

// entryUnits are the write units of an entry of an index, on average of the sampled items. Where none was seen whole they are those of the
// table's items, which are as large at least; 0 where these are not known either.
func (in *Input) entryUnits(table string, x plan.Index) float64 {
	if m, seen := in.entries(table, in.table(table).indexed(x), nil); seen {
		return float64(capacity.ExpectWrite(m.sizes))
	}
	var units, calls float64
	for _, o := range in.everything(table, writes) {
		for _, a := range o.Arms {
			if one := o.Operation; a.Table == table && a.Index == "" && (one == "PutItem" || one == "UpdateItem" || one == "DeleteItem") {
				units, calls = units+a.Write, calls+ended(o)
			}
		}
	}
	if calls == 0 {
		return 0
	}
	return units / calls
}

// leaving are the write units a second of a key of an index with those of the entries that left it again, in the index's busiest minute. An
// entry that moves is removed under the value that the item had before, which no update says; but where more came to a key than the table
// has items, all but these have left it since, and come to others. 0 where that is not known.
func (a *arrivals) leaving(k *stats.Key) float64 {
	c := a.index
	if c == nil || k.Write == 0 {
		return 0
	}
	came := k.Write * a.came(k)
	nobodys, elsewhere := c.Write-a.all, a.all-came // units of which no key is known, and what came to other keys
	return (came + max(min(came-a.stays, nobodys, elsewhere), 0)) / c.Write * c.Traffic.Peak().Write
}

// indexed are the sampled items that are in an index, by the values of its partition key.
func (in *Input) indexed(table string, x plan.Index) map[string][]*stats.SizedItem {
	groups := map[string][]*stats.SizedItem{}
	s := in.sizes(table)
	if s == nil {
		return groups
	}
	for i := range s.Sample {
		item := &s.Sample[i]
		value, all := "", true
		for _, name := range slices.Concat(x.Partition, x.Sort) {
			p := attributeOf(item, name)
			if p == nil {
				all = false
				break
			}
			if slices.Contains(x.Partition, name) {
				value += fmt.Sprintf("%x ", p.Value)
			}
		}
		if all {
			groups[value] = append(groups[value], item)
		}
	}
	return groups
}

// spreader is an attribute that would spread a key of an index, as a further attribute of its partition key.
type spreader struct {
	name   string
	values int
	top    float64 // share of the items with its most frequent value
	breaks []string
	broken float64 // calls of the patterns that say nothing of it, as a share
}

// spreaders are the attributes that spread the items of a hot key well enough, the best first: those that fewest queries leave
// out, and among them those with the fewest values, so that who has to can ask for all of them.
func (in *Input) spreaders(h *hotKey, x plan.Index, items []*stats.SizedItem) (all []spreader) {
	if len(items) < fewSampled {
		return nil
	}
	values, with, changes := map[string]map[uint64]int{}, map[string]int{}, map[string]float64{}
	for _, item := range items {
		for _, p := range item.Attributes {
			if p.Type != "S" && p.Type != "N" && p.Type != "B" || slices.Contains(x.Partition, p.Name) || p.Bytes > int(capacity.KeyAttributeNameBytes) {
				continue
			}
			if values[p.Name] == nil {
				values[p.Name] = map[uint64]int{}
			}
			values[p.Name][p.Value]++
			with[p.Name]++
			changes[p.Name] += p.Changes
		}
	}
	queries := in.operations(h.key.Table, h.key.Index, "Query")
	var calls float64
	for _, o := range queries {
		calls += o.Calls
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		n := len(items)
		switch {
		case float64(with[name]) < 0.95*float64(n): // items without it would leave the index
			continue
		case changes[name] > muchChanged*float64(n): // each change would move the entry, for two writes
			continue
		}
		s := spreader{name: name, values: len(values[name])}
		for _, count := range values[name] {
			s.top = max(s.top, float64(count)/float64(n))
		}
		if s.top*h.heat > 0.7 {
			continue
		}
		for _, o := range queries {
			if !asksBy(o, name, slices.Contains(x.Sort, name)) {
				s.breaks = append(s.breaks, cmp.Or(o.Pattern, o.Operation))
				s.broken += o.Calls / max(calls, 1)
			}
		}
		if len(values[name]) == with[name] && s.broken > 0 { // as many values as items: nobody can ask for all of them
			continue
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b spreader) int {
		return cmp.Or(cmp.Compare(a.broken, b.broken), cmp.Compare(a.values, b.values))
	})
	return all
}

// asksBy reports whether calls mostly name one value of an attribute: in a filter with =, or in the key condition, where the sort
// key may also be given by a range.
func asksBy(o *stats.Operation, name string, sorts bool) bool {
	a := o.Attributes[name]
	if a == nil || o.Detailed == 0 {
		return false
	}
	n := a.Equal
	if sorts {
		n += a.Keyed
	}
	return n >= 0.9*o.Detailed
}

// coolIndex writes the remedy.
func (in *Input) coolIndex(f *Finding, h *hotKey) {
	k, t := h.key, in.table(h.key.Table)
	x, _, known := t.index(k.Index)
	if !known {
		for _, p := range keyParts(k.Key) {
			x.Partition = append(x.Partition, p.name)
		}
	}
	var items []*stats.SizedItem
	groups := in.indexed(k.Table, x)
	items = groups[hexes(k.Values)]
	if items == nil && len(k.Values) == 0 { // keys are hashed: the largest group it is
		for _, value := range slices.Sorted(maps.Keys(groups)) {
			if len(groups[value]) > len(items) {
				items = groups[value]
			}
		}
	}
	r, n := &f.Remedy, h.shards()
	r.Ease = NewIndex
	found := in.spreaders(h, x, items)
	shard := fmt.Sprintf("{shard} in the template of %s, of %d: queries of the index then read all %d at once and merge what they find, for a request and at least half a read unit each",
		strings.Join(x.Partition, ", "), n, n)
	throttles := ""
	if h.writes {
		throttles = " An index that is at its limit throttles the writes of its table, whatever the table itself could take."
	}
	if len(found) == 0 {
		r.Text = "No attribute of the items spreads this key well enough. Use " + shard + "." + throttles
		r.Snippets = []Snippet{indexShard(x, n)}
		if items == nil {
			r.Text = "Use " + shard + "; or add to its partition key an attribute that has more values and that the queries know." + throttles
		}
		f.Confidence, f.Because = min(f.Confidence, 0.7), "Which attributes would spread it is not seen."
		return
	}
	best := found[0]
	name := k.Index + "And" + goName(best.name)
	partition := append(slices.Clone(x.Partition), best.name)
	sort := slices.DeleteFunc(slices.Clone(x.Sort), func(s string) bool { return s == best.name })
	f.Evidence = append(f.Evidence,
		Evidence{What: "values of " + best.name + " among the key's sampled items", Value: float64(best.values), Unit: "values"},
		Evidence{What: "share of the one that most of them have", Value: 100 * best.top, Unit: "%"})
	r.Text = fmt.Sprintf("Make an index with %s as a further attribute of the partition key: it has %s values among the items of this key, the most frequent one with %s of them, so that "+
		"the hottest key of the new index takes about %s of what one partition does. Build it, move the queries there, then drop %s.%s", best.name, number(float64(best.values)), percent(best.top),
		percent(best.top*h.heat), k.Index, throttles)
	if len(best.breaks) > 0 {
		slices.Sort(best.breaks)
		r.Text += fmt.Sprintf(" These ask without %s, and would have to ask once for each of its values: %s.", best.name, strings.Join(slices.Compact(best.breaks), ", "))
		if best.values > n {
			r.Text += " Where that is too many, use " + shard + "."
		}
		f.Confidence, f.Because = min(f.Confidence, 0.75), "Queries without the further attribute become several."
	} else if queries := in.operations(k.Table, k.Index, "Query"); len(queries) > 0 {
		r.Text += " All queries of the index name it already."
	}
	r.Snippets = []Snippet{
		{"go", fmt.Sprintf("GSI: map[string]plan.Index{\n\t%q: {Partition: %s, Sort: %s%s},\n}", name, goStrings(partition), goStrings(sort), projection(x))},
		{"model", fmt.Sprintf("gsi: {%s: {partition: [%s], sort: [%s], project: %s}}", name, strings.Join(partition, ", "), strings.Join(sort, ", "), cmp.Or(x.Project, "all"))},
	}
	if len(best.breaks) > 0 {
		r.Snippets = append(r.Snippets, indexShard(x, n))
	}
	if len(found) > 1 {
		var others []string
		for _, s := range found[1:min(len(found), 4)] {
			others = append(others, fmt.Sprintf("%s (%d values, left out by %d queries)", s.name, s.values, len(s.breaks)))
		}
		r.Text += " Others that would do: " + strings.Join(others, ", ") + "."
	}
}

func indexShard(x plan.Index, n int) Snippet {
	name := "GSI1PK"
	if len(x.Partition) > 0 {
		name = x.Partition[0]
	}
	return Snippet{"go", fmt.Sprintf(`plan.Item{
	Set:   map[string]plan.Template{%q: {Value: "…#{shard}"}}, // what it is today, and {shard}
	Shard: &plan.Shard{Of: %d, By: "random"},
}`, name, n)}
}

func projection(x plan.Index) string {
	switch x.Project {
	case "", "all":
		return ""
	case "include":
		return `, Project: "include", Include: ` + goStrings(x.Include)
	}
	return fmt.Sprintf(", Project: %q", x.Project)
}

// goStrings is a literal of names.
func goStrings(names []string) string {
	if len(names) == 0 {
		return "nil"
	}
	return `[]string{"` + strings.Join(names, `", "`) + `"}`
}

func hexes(values []uint64) (text string) {
	for _, v := range values {
		text += fmt.Sprintf("%x ", v)
	}
	return text
}
