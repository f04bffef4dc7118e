package rules

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

var overFetching = &Rule{
	ID:       "over-fetching",
	Title:    "Items of which most is never asked for together",
	Category: Cost,
	Looks: "At reads of a table's items that ask for some attributes only, while the whole item is read and paid, whatever the projection says; at who reads and writes the rest; and " +
		"at the sizes of both parts.",
	Fires: "When splitting the items in two, what is asked for and the rest, costs a tenth less: reads of the one part, reads of both by who asks for all, and the writes of two items " +
		"instead of one together.",
	Rests: "When items that are got one by one are of a block of 4 KB or less, or all that a query reads is: then a part of it costs as much as the whole. When most reads ask for all. A projection expression is no remedy: it saves bytes on " +
		"the way and not a single unit, and so this rule never advises one. While units are not reported.",
	Sources: []string{page("ProjectionExpressions"), page("read-write-operations"), page("bp-use-s3-too"), page("CapacityUnitCalculations")},
	Find:    findOverFetching,
}

// mostAsk is the share of the calls of an operation that ask for some attributes only, from which on it is about these: the others are
// paid for as those that read both parts.
const mostAsk = 0.5

// asks is the share of the calls of an operation that ask for some attributes only.
func asks(o *stats.Operation) float64 { return min(o.Projected/o.Detailed, 1) }

// readsOf are the operations that read items of a table, and nothing else: batches name no table, but tell what they read.
func (in *Input) readsOf(table string) []*stats.Operation {
	return in.everything(table, func(o *stats.Operation) bool {
		switch o.Operation {
		case "GetItem", "Query", "Scan":
			return o.Index == ""
		case "BatchGetItem":
			return o.Table == table || len(o.Arms) == 1
		}
		return false
	})
}

// asked is asks as all answers tell it, not only those that were looked into: the answers with whole items are larger.
// Where the sizes of both kinds of answers are too close to tell them apart, it is what the calls that were looked into
// say.
func asked(o *stats.Operation, h halves) float64 {
	sampled := asks(o)
	if sampled > 0.99 || o.Received == nil || o.Received.Count() == 0 {
		return sampled
	}
	const around = 512 // bytes of JSON beside the values
	var small, whole float64
	switch o.Operation {
	case "GetItem":
		small, whole = slices.Max(h.small)+around, slices.Min(h.whole)
	case "Query": // the longest answer with parts of items, and one of the usual length with whole items
		const each = 128 // bytes of JSON beside the values of an item
		small = float64(o.MostItems)*(slices.Max(h.small)+each) + around
		whole = o.Items / max(ended(o), 1) * slices.Min(h.whole)
	}
	if whole < 2*small || small == 0 {
		return sampled
	}
	n := sort.Search(1000, func(i int) bool { return float64(o.Received.Quantile(float64(i)/1000)) > (small+whole)/2 })
	return float64(n) / 1000
}

func findOverFetching(in *Input) (found []Finding) {
	for _, t := range in.Tables {
		name := t.Declared.Name
		if in.unreported(name) {
			continue
		}
		var asking []*stats.Operation
		needed := t.keyAttributes("")
		keys := slices.Clone(needed)
		for _, o := range in.readsOf(name) {
			if o.Operation == "Scan" {
				continue
			}
			if ended(o) < in.Thresholds.FewCalls || o.Detailed == 0 || o.Projected < mostAsk*o.Detailed || o.Attributes[others] != nil {
				continue
			}
			asking = append(asking, o)
			all := o.Operation == "BatchGetItem" && asks(o) >= 0.99 // what these ask for is told by what they bring
			for attribute, a := range o.Attributes {
				if a.Asked > 0 || a.Sifted > 0 || all && a.Read > 0 {
					needed = append(needed, attribute)
				}
			}
		}
		slices.Sort(needed)
		needed = slices.Compact(needed)
		if len(asking) == 0 || len(needed) == len(keys) {
			continue
		}
		if f, ok := in.split(t, asking, keys, needed); ok {
			found = append(found, f)
		}
	}
	return found
}

// halves are the sizes of the items that are asked for, whole and in two parts, in the same order.
type halves struct{ whole, small, rest sampled }

func (in *Input) halves(table string, keys, needed []string) (h halves, rest map[string]float64) {
	rest = map[string]float64{}
	items := in.sample(table)
	for i := range items {
		var key, small, large float64
		mine := slices.ContainsFunc(items[i].Attributes, func(p stats.Print) bool {
			return !slices.Contains(keys, p.Name) && slices.Contains(needed, p.Name)
		})
		if !mine { // another kind of items
			continue
		}
		for _, p := range items[i].Attributes {
			switch {
			case slices.Contains(keys, p.Name):
				key += float64(p.Bytes)
			case slices.Contains(needed, p.Name):
				small += float64(p.Bytes)
			default:
				large += float64(p.Bytes)
				rest[p.Name] += float64(p.Bytes)
			}
		}
		if large == 0 {
			continue
		}
		h.whole, h.small, h.rest = append(h.whole, key+small+large), append(h.small, key+small), append(h.rest, key+large)
	}
	return h, rest
}

// paidHalves are those of items that nobody read or wrote whole: the units tell on average how large they are.
func paidHalves(asking []*stats.Operation, keys []string) (h halves) {
	var read, paid, brought, key float64
	for _, o := range asking {
		n := o.Items
		blocks := o.Read * 2 / (1 + min(o.Consistent/o.Detailed, 1)) // eventually consistent ones are half a unit each
		if o.Operation == "Query" {
			n = o.Scanned
		} else {
			blocks -= n / 2 // of single items each is rounded up, by half a block on average
		}
		if n == 0 {
			continue
		}
		read += n
		paid += blocks * float64(capacity.ReadBlock)
		for name, a := range o.Attributes {
			if a.Read > 0 {
				bytes := a.Bytes * n / max(o.Items, 1)
				brought += bytes
				if slices.Contains(keys, name) {
					key += bytes
				}
			}
		}
	}
	if read == 0 || paid <= brought {
		return h
	}
	return halves{sampled{paid / read}, sampled{brought / read}, sampled{(paid - brought + key) / read}}
}

// wholes reports whether what an operation reads without asking for some attributes only are such items too, not others of the table:
// their largest attribute comes with them.
func wholes(o *stats.Operation, rest map[string]float64) bool {
	var largest string
	for name, bytes := range rest {
		if largest == "" || bytes > rest[largest] || bytes == rest[largest] && name < largest {
			largest = name
		}
	}
	a := o.Attributes[largest]
	return a != nil && a.Read >= 0.7*(1-asks(o))*o.Detailed*o.Items/max(ended(o), 1)
}

// split prices items in two parts.
func (in *Input) split(t *Table, asking []*stats.Operation, keys, needed []string) (f Finding, ok bool) {
	name := t.Declared.Name
	h, rest := in.halves(name, keys, needed)
	for _, o := range asking {
		if asks(o) < 0.99 && !wholes(o, rest) {
			return f, false
		}
	}
	unseen := len(h.whole) == 0
	if unseen {
		h = paidHalves(asking, keys)
	}
	queries := slices.ContainsFunc(asking, func(o *stats.Operation) bool { return o.Operation == "Query" }) // which sum up sizes
	if len(h.whole) == 0 || h.whole.mean() <= float64(capacity.ReadBlock)/2 && !queries {
		return f, false
	}
	get := func(s sampled) float64 { return float64(capacity.ExpectGet(s, capacity.Eventual)) }
	put := func(s sampled) float64 { return float64(capacity.ExpectWrite(s)) }
	both := sampled{(h.small.mean() + h.rest.mean()) / 2}
	l := in.ledger(name)
	affected := slices.Clone(asking)
	// concerns reports whether an operation is about such items, as far as its attributes tell.
	concerns := func(o *stats.Operation) bool {
		for attribute, a := range o.Attributes {
			if !slices.Contains(keys, attribute) && (a.Read > 0 || a.Written > 0) && (rest[attribute] > 0 || slices.Contains(needed, attribute)) {
				return true
			}
		}
		return false
	}
	for _, o := range in.readsOf(name) {
		now := in.perSecond(o.Read)
		var ratio float64
		share := asked(o, h)
		items := o.Scanned / max(ended(o), 1)
		switch {
		case slices.Contains(asking, o) && o.Operation == "Query":
			ratio = (share*queried(items, h.small) + (1-share)*queried(2*items, both)) / queried(items, h.whole)
		case slices.Contains(asking, o):
			ratio = (get(h.small) + (1-share)*get(h.rest)) / get(h.whole)
		case !concerns(o):
			continue
		case o.Operation == "Query" || o.Operation == "Scan": // both parts lie in the range, their keys twice
			ratio = queried(2*items, both) / queried(items, h.whole)
			affected = append(affected, o)
		default:
			ratio = (get(h.small) + get(h.rest)) / get(h.whole)
			affected = append(affected, o)
		}
		l.reads("", now, now*ratio)
	}
	for _, o := range in.everything(name, writes) {
		if !concerns(o) && o.Operation != "DeleteItem" {
			continue
		}
		units := armOf(o, name, "")
		if units == 0 {
			continue
		}
		ratio := (put(h.small) + put(h.rest)) / put(h.whole)
		if o.Operation == "UpdateItem" {
			var small, large float64
			for attribute, a := range o.Attributes {
				switch {
				case slices.Contains(needed, attribute):
					small = max(small, a.Written)
				case rest[attribute] > 0:
					large = max(large, a.Written)
				}
			}
			if small+large > 0 {
				n := max(small, large)
				ratio = (small/n*put(h.small) + large/n*put(h.rest)) / put(h.whole)
			}
		}
		affected = append(affected, o)
		l.writes("", in.perSecond(units), in.perSecond(units*ratio))
	}
	if count, _, known := t.stored(""); known {
		items := in.sample(name)
		n := count * float64(len(h.whole)) / max(float64(len(items)), 1)
		l.storage(capacity.Stored(n, h.whole.mean()), capacity.Stored(n, h.small.mean())+capacity.Stored(n, h.rest.mean()))
	}
	saving := l.worth()
	if saving == nil {
		return f, false
	}
	largest := ""
	for _, attribute := range sortedKeys(rest) {
		if largest == "" || rest[attribute] > rest[largest] {
			largest = attribute
		}
	}
	others := strings.Join(sortedKeys(rest), ", ")
	if unseen {
		others = "the rest"
	}
	wanted := slices.DeleteFunc(slices.Clone(needed), func(n string) bool { return slices.Contains(keys, n) })
	var calls float64
	for _, o := range asking {
		calls += ended(o) * asked(o, h)
	}
	f = Finding{
		Severity: saving.severity(), Table: name, Cause: cause(ofAttribute, name, largest), Saving: saving,
		Title: fmt.Sprintf("%s asks for %s of items of %s, and pays for all of each", subject(asking[0]), inBytes(h.small.mean()), inBytes(h.whole.mean())),
		Evidence: []Evidence{
			{What: "bytes of an item, on average", Value: h.whole.mean(), Unit: "B", Limit: float64(capacity.ReadBlock), Source: page("read-write-operations")},
			{What: "bytes of it that are asked for", Value: h.small.mean(), Unit: "B"},
			{What: "reads that ask for these only", Value: in.perSecond(calls), Unit: "calls/s"},
		},
		Remedy: Remedy{
			Text: fmt.Sprintf("Store the item in two: %s under the key there is, %s under a key of its own beside it. Who asks for the first part pays for it alone; who needs both reads two items. "+
				"Move the items while the program runs: write both, fill in, then read the parts. Where both parts have to change together a transaction does it, at twice the units.",
				strings.Join(wanted, ", "), others),
			Snippets: []Snippet{{Kind: "go", Text: fmt.Sprintf("type Thing struct {\n\tID string `ddb:%q`\n\t… // %s\n}\n\ntype ThingBody struct { // plan.Item{Name: \"ThingBody\", …} with a key of its own\n\tID string `ddb:%q`\n\t… // %s\n}",
				keys[0], strings.Join(wanted, ", "), keys[0], others)}},
			Ease: Migration,
		},
	}
	f.Confidence, f.Because = in.sure(0.7, "Whether both parts have to change together cannot be seen: transactions would cost twice as much.")
	if unseen {
		f.Confidence *= 0.8
		f.Because = sentences("No whole item was seen: how large they are is reckoned from the units of the reads.", f.Because)
	}
	in.affect(&f, affected...)
	return f, true
}

// armOf are the units that an operation wrote to a table or index.
func armOf(o *stats.Operation, table, index string) float64 {
	for _, a := range o.Arms {
		if a.Table == table && a.Index == index {
			return a.Write
		}
	}
	return 0
}
