package rules

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

// hotKey is a partition key of a table or an index that is at a partition's limit, or near it.
type hotKey struct {
	key       *stats.Key
	writes    bool    // it is the limit of writes, else that of reads
	perSecond float64 // units of that kind in the busiest minute
	heat      float64 // as a share of what one partition does
	refused   float64 // calls that were refused because the key's range was at its limit
}

const (
	// fewHeat is the load, as a share of what one partition does, that a key has to have in its busiest minute for being
	// throttled to be its own fault: a load that comes within three seconds is far above the limit then, and this much over the minute.
	fewHeat = 0.05
	// mostRefused is the share of the calls refused for a range of keys that one key has to have: where many keys share a range
	// that is at its limit, as while a table on demand grows, none of them has that much.
	mostRefused = 0.2
	// halfRefused is the share that a key has to have that is throttled at whatever load: its range holds little else then.
	halfRefused = 0.5
	// aloneRefused is how often that has to have been.
	aloneRefused = 20
)

// hotKeys are the hot partition keys of tables, or of indexes, by table and index, from the hottest.
func (in *Input) hotKeys(ofIndexes bool) [][]hotKey {
	throttled, all := map[uint64]*stats.Key{}, map[[2]string]float64{}
	for i := range in.Stats.Throttled.List {
		k := &in.Stats.Throttled.List[i]
		throttled[k.Hash] = k
		all[[2]string{k.Table, k.Index}] += k.RangeReads + k.RangeWrites
	}
	// Writes that an index refused tell the table's key only: of its own keys it is the one with most of the load.
	inIndex, topOf := map[[2]string]float64{}, map[[2]string]*stats.Key{}
	if ofIndexes {
		for _, x := range in.throttling() {
			if x.kind == rangeLimit && x.index != "" && x.writes {
				inIndex[[2]string{x.table, x.index}] += x.refused
			}
		}
		for i := range in.Stats.Partitions.List {
			k := &in.Stats.Partitions.List[i]
			if at := [2]string{k.Table, k.Index}; k.Index != "" && (topOf[at] == nil || k.PeakWrite > topOf[at].PeakWrite) {
				topOf[at] = k
			}
		}
	}
	arrived := map[[2]string]*arrivals{}
	found := map[[2]string][]hotKey{}
	var order [][2]string
	for i := range in.Stats.Partitions.List {
		k := &in.Stats.Partitions.List[i]
		if _, local, _ := in.table(k.Table).index(k.Index); (k.Index != "" && !local) != ofIndexes || k.Table == others {
			continue
		}
		reads, writes := in.busiest(k)
		at := [2]string{k.Table, k.Index}
		if ofIndexes && writes > 0 {
			if arrived[at] == nil {
				arrived[at] = in.arrivals(k.Table, k.Index)
			}
			writes = max(writes*arrived[at].came(k), arrived[at].leaving(k))
		}
		h := hotKey{key: k}
		h.of(reads, writes, capacity.Heat(0, writeUnits(writes)) > capacity.Heat(readUnits(reads), 0))
		alone := false
		if t := throttled[k.Hash]; t != nil {
			sum := t.RangeReads + t.RangeWrites
			alone = sum >= aloneRefused && sum >= halfRefused*all[at]
			if alone || sum >= in.Thresholds.FewCalls && sum >= mostRefused*all[at] {
				h.refused = sum
				h.of(reads, writes, t.RangeWrites > t.RangeReads) // what is refused is the limit that counts
			}
		}
		if n := inIndex[at]; n >= in.Thresholds.FewCalls && topOf[at] == k {
			h.refused += n
			h.of(reads, writes, true)
		}
		if h.heat < in.Thresholds.HotKey && (h.refused == 0 || h.heat < fewHeat && !alone) {
			continue
		}
		if found[at] == nil {
			order = append(order, at)
		}
		found[at] = append(found[at], h)
	}
	var out [][]hotKey
	slices.SortFunc(order, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	for _, at := range order {
		slices.SortStableFunc(found[at], func(a, b hotKey) int { return cmp.Compare(b.heat, a.heat) })
		out = append(out, found[at])
	}
	return out
}

// shortest is for how long a load has to be seen at least: what comes within a moment is not what comes in a second.
const shortest = 10 * time.Second

// busiest are the units per second of a key's busiest minutes. Where several saw the key, who were not busiest in the same minute, it
// is what they saw at most or, if that is less, the key's share of what the table or index took in its busiest minute.
func (in *Input) busiest(k *stats.Key) (reads, writes float64) {
	reads, writes = k.PeakRead/60, k.PeakWrite/60
	for _, m := range k.Minutes { // the first and the last are not seen as a whole
		at := time.Unix(m.Minute*60, 0)
		from, to := at, at.Add(time.Minute)
		if from.Before(in.Stats.From) {
			from = in.Stats.From
		}
		if to.After(in.Stats.To) {
			to = in.Stats.To
		}
		seen := max(to.Sub(from), shortest).Seconds()
		reads, writes = max(reads, m.Read/seen), max(writes, m.Write/seen)
	}
	c := in.consumed(k.Table, k.Index)
	if c == nil || k.PeakReadMost <= k.PeakRead && k.PeakWriteMost <= k.PeakWrite && k.Index == "" {
		return reads, writes
	}
	peak := c.Traffic.Peak()
	reads = max(reads, min(k.PeakReadMost/60, peak.Read*min(k.Read/max(c.Read, 1), 1)))
	writes = max(writes, min(k.PeakWriteMost/60, peak.Write*min(k.Write/max(c.Write, 1), 1)))
	if k.Index != "" { // entries are known of some writes, which stand for the others
		writes = min(writes, peak.Write)
	}
	return reads, writes
}

// of takes a key's units per second for those that matter.
func (h *hotKey) of(reads, writes float64, isWrites bool) {
	h.writes, h.perSecond, h.heat = isWrites, reads, capacity.Heat(readUnits(reads), 0)
	if isWrites {
		h.perSecond, h.heat = writes, capacity.Heat(0, writeUnits(writes))
	}
}

// unit is "read" or "write".
func (h *hotKey) unit() string {
	if h.writes {
		return "write"
	}
	return "read"
}

// limit is what one partition does a second.
func (h *hotKey) limit() float64 {
	if h.writes {
		return float64(capacity.PartitionWrites)
	}
	return float64(capacity.PartitionReads)
}

// shards is over how many keys the load is to be spread: at least two.
func (h *hotKey) shards() int {
	heat := h.heat
	if h.refused > 0 { // what was refused would have come on top
		heat = max(heat, 1) * 1.2
	}
	if h.writes {
		return max(2, capacity.Shards(0, writeUnits(heat*h.limit())))
	}
	return max(2, capacity.Shards(readUnits(heat*h.limit()), 0))
}

// finding is what is the same for every cause: title, evidence, severity, confidence.
func (h *hotKey) finding(in *Input, others []hotKey) Finding {
	k := h.key
	f := Finding{
		Severity: Warning, Table: k.Table, Index: k.Index, Key: k.Key,
		Cause:      causeOfKey(k),
		Confidence: 0.85, Because: "The busiest minute that was seen may not be a usual one.",
	}
	f.Evidence = []Evidence{
		{What: h.unit() + " units of one partition key in its busiest minute", Value: h.perSecond, Unit: h.unit() + " units/s", Limit: h.limit(), Source: page("bp-partition-key-design")},
		share("of what one partition does", h.heat, in.Thresholds.HotKey, "Thresholds.HotKey"),
	}
	f.Title = fmt.Sprintf("%s: the partition key %s takes %s %s units a second, %s of what one partition does", place(k.Table, k.Index), keyName(k), number(h.perSecond), h.unit(), percent(h.heat))
	if h.refused > 0 {
		f.Severity = Critical
		f.Title += fmt.Sprintf(", and %s of its calls were throttled", number(h.refused))
		refused := Evidence{What: "calls of this key throttled because its range was at its limit", Value: h.refused, Unit: "calls", Source: page("throttling-key-range-limit-exceeded-mitigation")}
		f.Evidence = append([]Evidence{refused}, f.Evidence...)
		f.Confidence = 0.95
		if h.heat < fewHeat {
			f.Confidence, f.Because = 0.7, "The key's own load is far below what one partition does: what else lies in its range was not seen."
		}
	} else if k.Peak > 0 && k.Load < 2*k.Peak {
		f.Confidence, f.Because = 0.7, "Only one minute was that busy: a single job, perhaps."
	}
	if h.heat >= 1 && h.refused == 0 {
		f.Severity = Critical
	}
	if len(others) > 0 {
		f.Evidence = append(f.Evidence, Evidence{What: "other partition keys like it", Value: float64(len(others)), Unit: "keys"})
	}
	in.affect(&f, in.asking(k, h.writes)...)
	return f
}

// asking are the operations that a key's load can be from: who has most of it first, then all others that read, or write, at its place.
func (in *Input) asking(k *stats.Key, writes bool) (all []*stats.Operation) {
	for _, o := range in.Stats.Operations {
		for _, a := range o.Arms {
			if a.Table == k.Table && a.Index == k.Index && (writes && a.Write > 0 || !writes && a.Read > 0) {
				all = append(all, o)
				break
			}
		}
	}
	return all
}

// keyName names a key as short as it can be told: its values, or its hash where keys are hashed.
func keyName(k *stats.Key) string {
	if values := keyTexts(k.Key); len(values) > 0 {
		return strings.Join(values, " ")
	}
	return "(hashed) " + strconv.FormatUint(k.Hash, 16)
}

// keyTexts are the values of a key in DynamoDB JSON, in the order of its attributes there; nil if it is cut or hashed.
func keyTexts(key string) (texts []string) {
	for _, p := range keyParts(key) {
		texts = append(texts, p.text)
	}
	return texts
}

type keyPart struct{ name, kind, text string }

// keyParts are a key's attributes, as they stand.
func keyParts(key string) (parts []keyPart) {
	if !strings.HasSuffix(key, "}}") {
		return nil
	}
	for name, value := range attr.Members([]byte(key)) {
		for kind, text := range attr.Members(value) {
			p := keyPart{name: string(name), kind: string(kind), text: strings.Trim(string(text), `"`)}
			if strings.Contains(p.text, `\`) {
				if err := json.Unmarshal(text, &p.text); err != nil {
					return nil
				}
			}
			parts = append(parts, p)
		}
	}
	return parts
}

// itemsUnder are the items with load that lie under a partition key, from the most of reads or writes.
func (in *Input) itemsUnder(k *stats.Key, writes bool) (items []*stats.Key) {
	if k.Index != "" {
		return nil
	}
	of := func(i *stats.Key) float64 {
		if writes {
			return i.Write
		}
		return i.Read
	}
	for i := range in.Stats.Items.List {
		if item := &in.Stats.Items.List[i]; item.Partition == k.Hash && of(item) > 0 {
			items = append(items, item)
		}
	}
	slices.SortStableFunc(items, func(a, b *stats.Key) int { return cmp.Compare(of(b), of(a)) })
	return items
}

// sampledUnder are the sampled items that lie under a partition key; none where keys are hashed.
func (in *Input) sampledUnder(k *stats.Key) (items []*stats.SizedItem) {
	s := in.sizes(k.Table)
	prefix, whole := strings.CutSuffix(k.Key, "}")
	if s == nil || !whole {
		return nil
	}
	for i := range s.Sample {
		if item := &s.Sample[i]; item.Key == k.Key || strings.HasPrefix(item.Key, prefix+",") {
			items = append(items, item)
		}
	}
	return items
}

// attributeOf is the print of an item's attribute; nil if it has none.
func attributeOf(item *stats.SizedItem, name string) *stats.Print {
	for i := range item.Attributes {
		if item.Attributes[i].Name == name {
			return &item.Attributes[i]
		}
	}
	return nil
}

// fewInOrder is how many items say whether their sort keys only grow.
const fewInOrder = 8

// onlyGrows reports whether the sort keys of sampled items came in order: nearly each that was first seen later lies behind.
func onlyGrows(items []*stats.SizedItem) bool {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b *stats.SizedItem) int { return a.First.Compare(b.First) })
	pairs, rising := 0, 0
	for i := 1; i < len(items); i++ {
		a, b := keyParts(items[i-1].Key), keyParts(items[i].Key)
		if len(a) < 2 || len(b) < 2 || a[1].kind != b[1].kind || !items[i].First.After(items[i-1].First) {
			continue
		}
		pairs++
		if before(a[1], b[1]) {
			rising++
		}
	}
	return pairs >= fewInOrder && float64(rising) >= 0.9*float64(pairs)
}

func before(a, b keyPart) bool {
	if a.kind != "N" {
		return a.text < b.text
	}
	x, _ := strconv.ParseFloat(a.text, 64)
	y, _ := strconv.ParseFloat(b.text, 64)
	return x < y
}
