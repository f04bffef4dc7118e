package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

var hotPartition = &Rule{
	ID:       "hot-partition",
	Title:    "A partition key near the limit of a partition",
	Category: Capacity,
	Looks: "At the read and write units of every busy partition key of a table in its busiest minute, and at calls that were throttled because a range " +
		"of keys was at its limit.",
	Fires: "When a key took Thresholds.HotKey (80 %) of 3,000 read units or 1,000 write units a second over a minute, or over what was seen of it, ten seconds at least, reads and writes each for " +
		"itself; or when Thresholds.FewCalls of its calls were throttled for its range of keys, a fifth of all that were, while it took a twentieth of a partition.",
	Rests: "However large a share of the traffic a key has, as long as it is far from the limit; when calls are throttled for what is provisioned for " +
		"the table, or while a table on demand grows, with many keys alike: see throttle-burst.",
	Sources: []string{page("bp-partition-key-design"), page("bp-partition-key-sharding"), page("burst-adaptive-capacity"), page("throttling-key-range-limit-exceeded-mitigation")},
	Find:    findHotPartition,
}

func findHotPartition(in *Input) (found []Finding) {
	for _, hot := range in.hotKeys(false) {
		// Keys with the same cause are one finding: that of the hottest.
		var kinds []string
		at := map[string][]hotKey{}
		for _, h := range hot {
			kind := in.whyHot(&h).kind
			if at[kind] == nil {
				kinds = append(kinds, kind)
			}
			at[kind] = append(at[kind], h)
		}
		for _, kind := range kinds {
			h := at[kind][0]
			f := h.finding(in, at[kind][1:])
			in.cool(&f, &h)
			found = append(found, f)
		}
	}
	return found
}

// heatCause is why a partition key of a table is hot.
type heatCause struct {
	kind string // one of those below
	item *stats.Key
	size float64 // of the item, in bytes, as its units tell
}

const (
	largeItem   = "large item"   // few calls, each of many units
	oneRead     = "one read"     // one item that is read
	oneCount    = "one count"    // one item that is updated
	oneState    = "one state"    // one item that is written anew each time
	manyGrowing = "many growing" // items behind the end of a collection
	manyWritten = "many written" // items of a collection
	manyRead    = "many read"    // items of a collection, by queries or singly
)

// oneItem is the share of a key's load that makes a single item of it the cause.
const oneItem = 0.5

// largeCall is from how many units of one call on it is the item's size that makes the load, not the number of calls.
const largeCall = 16

func (in *Input) whyHot(h *hotKey) heatCause {
	k := h.key
	items := in.itemsUnder(k, h.writes)
	if len(items) > 0 {
		top := items[0]
		units, all := top.Read, k.Read
		if h.writes {
			units, all = top.Write, k.Write
		}
		if units >= oneItem*all {
			c := heatCause{item: top}
			each := in.unitsEach(top, h.writes)
			c.size = each * float64(capacity.WriteBlock)
			if !h.writes {
				c.size = each * 2 / (1 + in.consistently(top)) * float64(capacity.ReadBlock)
			}
			switch {
			case each >= largeCall:
				c.kind = largeItem
			case !h.writes:
				c.kind = oneRead
			case top.Operation == "PutItem" || top.Operation == "BatchWriteItem":
				c.kind = oneState
			default:
				c.kind = oneCount
			}
			return c
		}
	}
	switch {
	case !h.writes:
		return heatCause{kind: manyRead}
	case onlyGrows(in.sampledUnder(k)):
		return heatCause{kind: manyGrowing}
	}
	return heatCause{kind: manyWritten}
}

// unitsEach is what one call on an item takes on average, of those that take any; calls of the other kind are in the count of
// calls, which makes it the least that it can be.
func (in *Input) unitsEach(k *stats.Key, writes bool) float64 {
	if writes {
		return k.Write / max(k.Calls, 1)
	}
	return k.Read / max(k.Calls, 1)
}

// consistently is the share of the reads like those of an item that are strongly consistent, which take twice the units.
func (in *Input) consistently(item *stats.Key) float64 {
	var all, strong float64
	for _, o := range in.operations(item.Table, "", item.Operation) {
		if o.Detailed > 0 {
			all += o.Calls
			strong += o.Calls * o.Consistent / o.Detailed
		}
	}
	return strong / max(all, 1)
}

// cool writes the remedy.
func (in *Input) cool(f *Finding, h *hotKey) {
	k, c, t := h.key, in.whyHot(h), in.table(h.key.Table)
	partition, sort := keyNames(t, k, c.item)
	r := &f.Remedy
	switch c.kind {
	case largeItem:
		calls := h.perSecond / max(in.unitsEach(c.item, h.writes), 1)
		f.Evidence = append(f.Evidence, Evidence{What: "units of one call on its one item", Value: in.unitsEach(c.item, h.writes), Unit: h.unit() + " units"})
		r.Ease = Migration
		r.Text = fmt.Sprintf("It is one item of about %s: %s calls a second are enough to use up a partition. Split it: what changes or is read often into "+
			"an item of its own, the rest beside it under another key, or into an object store. Every call then takes the units of what it needs.",
			inBytes(c.size), number(calls))
		r.Snippets = []Snippet{{"go", fmt.Sprintf(`// Two kinds of items instead of one: the small part is what is called often.
var Heads = tablewright.Declare[heads](%[1]s, plan.Item{Name: "Head", Key: map[string]string{%[2]q: "head#{id}"%[3]s}})
var Bodies = tablewright.Declare[bodies](%[1]s, plan.Item{Name: "Body", Key: map[string]string{%[2]q: "body#{id}"%[4]s}})`,
			goName(k.Table), partition, sortTemplate(sort, "head"), sortTemplate(sort, "body"))}}
	case oneRead:
		n := h.shards()
		r.Ease = Code
		r.Text = fmt.Sprintf("It is one item that is read: DynamoDB never divides an item, so that no capacity of the table helps. Keep it near the program with "+
			"package cache: a read from memory takes no units, and what is a few seconds old will do for most of what is read that often. Where every read has to "+
			"go to the table, keep %d copies of it: each write then writes all of them, in one transaction.", n)
		r.Snippets = []Snippet{
			{"go", fmt.Sprintf(`near, err := cache.New(cache.Options{TTL: 5 * time.Second, Tables: []string{%q}})
// …
db, err := tablewright.Connect(ctx, tablewright.Options{Hooks: []tablewright.Hook{near.Hook}})`, k.Table)},
			{"go", fmt.Sprintf(`// Or copies. Key: map[string]string{%q: "…#{shard}"}, Shard: &plan.Shard{Of: %d, By: "random"}
var Copies = tablewright.NewCopies(Items.Entity)
item, err := Copies.Get(key).Run(ctx, db)`, partition, n)},
		}
	case oneCount:
		n := h.shards()
		r.Ease = Migration
		r.Text = fmt.Sprintf("It is one item that is updated: DynamoDB never divides an item. If it counts, count in %d items and add them up when the count is read: "+
			"each update takes one of them at random, reading takes all %d, half a unit each. A count that has to refuse at zero cannot be split: keep it out of "+
			"transactions, and let callers reserve several at once. If it only notes the latest state, note it less often.", n, n)
		r.Snippets = []Snippet{{"go", fmt.Sprintf(`var Tallies = tablewright.Declare[tallies](%s, plan.Item{
	Name:  "Tally",
	Key:   map[string]string{%q: "{what}#{shard}"%s},
	Shard: &plan.Shard{Of: %d, By: "random"},
})
var Counter = tablewright.NewShardCounter(Tallies.Entity, Tallies.Count)

err := Counter.Add(what, 1).Run(ctx, db)
n, err := Counter.Sum(ctx, db, what)`, goName(k.Table), partition, sortTemplate(sort, "count"), n)}}
		if !in.counts(c.item) {
			f.Confidence, f.Because = min(f.Confidence, 0.7), "Whether what is updated is a count is not seen."
		}
	case oneState:
		n := h.shards()
		r.Ease = Migration
		r.Text = fmt.Sprintf("It is one item that is written whole, again and again: DynamoDB never divides an item. Give each writer an item of its own, with what "+
			"tells writers apart as a further part of the key (a device, a worker, a region), at least %d of them, and put them together when they are read; or gather what one "+
			"process has to write, and write the latest state once a second.", n)
		r.Snippets = []Snippet{{"go", fmt.Sprintf(`plan.Item{Name: "State", Key: map[string]string{%q: "{what}#{source}"%s}} // source: who writes`, partition, sortTemplate(sort, "state"))}}
		f.Confidence, f.Because = min(f.Confidence, 0.7), "What tells the writers apart is not seen."
	case manyRead:
		n := h.shards()
		each := k.Read / max(k.Calls, 1)
		r.Ease = Migration
		spread := fmt.Sprintf("spread the items over %d partition keys with {shard}: queries read all of them at once and merge what they find, which costs a request "+
			"and at least half a read unit for each", n)
		if each >= float64(n) {
			r.Text = fmt.Sprintf("Queries of this key read much, %s units each: %s. Where answers may be some seconds old, cache them first (cache.Options.Queries).", number(each), spread)
			r.Snippets = append(r.Snippets, shardSnippet(in, k, partition, sort, n), cacheQueries(k.Table))
		} else {
			r.Ease = Code
			r.Text = fmt.Sprintf("Many small reads ask for this key, %s units each: cache what they ask for (cache.Options.Queries for queries). Where every read has to go to the "+
				"table, %s.", number(each), spread)
			r.Snippets = append(r.Snippets, cacheQueries(k.Table), shardSnippet(in, k, partition, sort, n))
		}
	case manyGrowing:
		n := h.shards()
		r.Ease = Migration
		r.Text = fmt.Sprintf("All writes go behind the newest end of one collection, whose sort keys only grow: DynamoDB divides a hot collection by its sort keys, but here "+
			"the newer half would be as hot. Put a span of time and one of %d shards into the partition key: the shards spread the writes of one moment, and old spans become cold "+
			"as a whole. A query reads one span, all its shards at once; a range of time is read with Across.", n)
		r.Snippets = []Snippet{{"go", fmt.Sprintf(`plan.Item{
	Name:  "Entry",
	Key:   map[string]string{%q: "{what}#{at:hour}#{shard}", %q: "{at:iso}#{id}"},
	Shard: &plan.Shard{Of: %d, By: "id"}, // the hash of an attribute of the key: a Get finds it again
}`, partition, sort, n)}}
	default:
		n := h.shards()
		r.Ease = Migration
		r.Text = fmt.Sprintf("Many items are written under one partition key. Spread them over %d with {shard} in its template: the hash of an attribute of the key chooses, so "+
			"that an item is found by its key as before, and a query reads all %d at once and merges them, for a request and at least half a read unit each.", n, n)
		if t != nil && len(t.Declared.LSI) > 0 {
			r.Text += " The table has local indexes, for which DynamoDB keeps a collection together: without them it would divide it where its sort keys differ."
		}
		r.Snippets = []Snippet{shardSnippet(in, k, partition, sort, n)}
	}
	if c.kind != manyRead && c.kind != manyWritten {
		freeNames(r.Snippets, partition, sort)
	}
	if (c.kind == manyRead || c.kind == manyWritten) && (t == nil || len(t.Declared.LSI) == 0) {
		r.Text += " DynamoDB itself divides a collection between its sort keys when it stays hot for minutes, and they do not only grow: that helps where the load is on many of its items, and is not promised."
	}
	if r.Ease == Migration {
		r.Text += " What is stored already is written anew: package migrate does that while the program runs."
	}
	if q := in.queriesOf(k.Table); len(q) > 0 && strings.Contains(r.Text, "{shard}") {
		r.Text += " Queries that will read every shard: " + strings.Join(q, ", ") + "."
	}
}

func cacheQueries(table string) Snippet {
	return Snippet{"go", fmt.Sprintf(`near, err := cache.New(cache.Options{TTL: 5 * time.Second, Tables: []string{%q}, Queries: true})`, table)}
}

// queriesOf are the patterns that query the table itself.
func (in *Input) queriesOf(table string) (patterns []string) {
	for _, o := range in.operations(table, "", "Query") {
		if o.Pattern != "" {
			patterns = append(patterns, o.Pattern)
		}
	}
	slices.Sort(patterns)
	return slices.Compact(patterns)
}

// shardSnippet declares items whose partition key is spread. What the key is made of is taken from the sampled items, or else from
// its name, where that says anything.
func shardSnippet(in *Input, k *stats.Key, partition, sort string, n int) Snippet {
	template, by := "{what}", "random"
	if !generic(partition) {
		template = "{" + ownName(partition) + "}"
	}
	if items := in.sampledUnder(k); len(items) > 0 {
		if p := attributeOf(items[0], partition); p != nil && known(p.Shape) {
			template = p.Shape
		} else if p != nil && !strings.Contains(p.Shape, "{") {
			template = "{" + ownName(partition) + "}"
		}
		if p := attributeOf(items[0], sort); p != nil {
			if names := placeholders(p.Shape); len(names) > 0 {
				by = names[0]
			}
		}
	}
	if by == "random" && sort != "" && !generic(sort) {
		by = sort
	}
	comment := "the hash of " + by + " says which: a Get finds the item by its key as before"
	if by == "random" {
		comment = "at random: read such items with queries; or By an attribute of the key, so that a Get finds them"
	}
	set := ""
	if sort != "" && by != sort {
		set = fmt.Sprintf(", %q: \"…\"", sort)
	}
	return Snippet{"go", fmt.Sprintf(`plan.Item{
	Key:   map[string]string{%q: %q%s}, // as it is, and {shard}
	Shard: &plan.Shard{Of: %d, By: %q}, // %s
}`, partition, template+"#{shard}", set, n, by, comment)}
}

// freeNames gives the fields of a snippet's templates other names than the table's key attributes have: what such an attribute holds
// is made of fields, and is none of them.
func freeNames(s []Snippet, taken ...string) []Snippet {
	for i := range s {
		for _, name := range taken {
			for _, end := range []string{"}", ":"} {
				s[i].Text = strings.ReplaceAll(s[i].Text, "{"+name+end, "{"+ownName(name)+end)
			}
			s[i].Text = strings.ReplaceAll(s[i].Text, "By: \""+name+"\"", "By: \""+ownName(name)+"\"")
		}
	}
	return s
}

// generic reports whether the name of a key attribute says nothing of what it holds.
func generic(attribute string) bool {
	return slices.Contains([]string{"pk", "sk"}, strings.ToLower(attribute))
}

// ownName is another name for what a key attribute held.
func ownName(attribute string) string {
	if own := map[string]string{"what": "subject", "id": "name", "at": "time", "owner": "holder", "source": "writer"}[attribute]; own != "" {
		return own
	}
	if own, isID := strings.CutSuffix(attribute, "Id"); isID && own != "" {
		return own
	}
	return attribute + "Id"
}

// known reports whether a shape is made of attributes and constants only.
func known(shape string) bool { return strings.Contains(shape, "{") && !strings.Contains(shape, "<") }

// placeholders are the attributes that a shape names.
func placeholders(shape string) (names []string) {
	for {
		_, rest, found := strings.Cut(shape, "{")
		if !found {
			return names
		}
		name, rest, found := strings.Cut(rest, "}")
		if !found {
			return names
		}
		names, shape = append(names, name), rest
	}
}

// keyNames are the names of the table's key attributes, from its declaration or from a key of it.
func keyNames(t *Table, keys ...*stats.Key) (partition, sort string) {
	if t != nil {
		return t.Declared.Key.Partition, t.Declared.Key.Sort
	}
	for _, k := range keys {
		if k == nil {
			continue
		}
		if parts := keyParts(k.Key); len(parts) > 0 {
			partition = parts[0].name
			if len(parts) > 1 {
				sort = parts[1].name
			}
		}
	}
	if partition == "" {
		partition = "PK"
	}
	return partition, sort
}

// sortTemplate is the further member of a key's templates, where the table has a sort key.
func sortTemplate(sort, template string) string {
	if sort == "" {
		return ""
	}
	return fmt.Sprintf(", %q: %q", sort, template)
}

// goName is a table's name as that of a variable.
func goName(table string) string {
	name := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, table)
	if name == "" || name[0] <= '9' {
		return "Table" + name
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// counts reports whether what updates change of a sampled item is a number.
func (in *Input) counts(item *stats.Key) bool {
	s := in.sizes(item.Table)
	if s == nil {
		return false
	}
	written := map[string]bool{}
	for _, o := range in.operations(item.Table, "", "UpdateItem") {
		if o.Pattern == item.Pattern || item.Pattern == "" {
			for name, a := range o.Attributes {
				written[name] = written[name] || a.Written > 0
			}
		}
	}
	for _, list := range [][]stats.SizedItem{s.Sample, s.Largest} {
		for i := range list {
			if list[i].Hash == item.Hash {
				for _, p := range list[i].Attributes {
					if p.Type == "N" && written[p.Name] {
						return true
					}
				}
			}
		}
	}
	return false
}
