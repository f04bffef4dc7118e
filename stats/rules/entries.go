package rules

import (
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

// sampled are sizes in bytes of items or index entries, each as likely as any other.
type sampled []float64

// Expect makes them capacity.Sizes.
func (s sampled) Expect(f func(bytes float64) float64) float64 {
	var sum float64
	for _, bytes := range s {
		sum += f(bytes)
	}
	return sum / max(float64(len(s)), 1)
}

func (s sampled) mean() float64 { return s.Expect(func(b float64) float64 { return b }) }

// entryModel tells what an index costs that is not there, or would be if it were another: from the items that were sampled and
// from what writes do to its attributes.
type entryModel struct {
	x     capacity.Index
	all   int     // sampled items
	sizes sampled // of the entries of those that have one
	anew  float64 // how many entries a put of an item that was there writes, on average: two if it changes the index key, none if the entry stays as it is
}

// entries models an index of a table. Only items that satisfy keep are in it; nil: all that have its key. ok is false where no
// item was seen whole.
func (in *Input) entries(table string, x capacity.Index, keep func(*stats.SizedItem) bool) (m entryModel, ok bool) {
	items := in.sample(table)
	m = entryModel{x: x, all: len(items)}
	const few = 10
	var keyed, again, changed, touched float64
	for i := range items {
		item := &items[i]
		var size, whole, entry, moved float64
		keys := 0
		for _, p := range item.Attributes {
			if slices.Contains(x.Key, p.Name) {
				keys++
				moved = max(moved, p.Changes)
			}
			if x.Projects(p.Name) {
				size += float64(p.Bytes)
				entry = max(entry, p.Changes)
			}
			whole = max(whole, p.Changes)
		}
		if keys == len(x.Key) && (keep == nil || keep(item)) {
			m.sizes = append(m.sizes, size)
			changed, touched = changed+whole, touched+entry+moved
			again, keyed = again+max(item.Seen-1, 0), keyed+moved
		}
	}
	switch {
	case changed >= few && in.putAnew(table):
		m.anew = touched / changed
	case again > 0:
		m.anew = 1 + min(keyed/again, 1)
	default:
		m.anew = 1
	}
	return m, len(m.sizes) > 0
}

// putAnew reports whether what changes in a table's items are puts that change it, not updates, which change what they like.
func (in *Input) putAnew(table string) bool {
	var puts, updates float64
	for _, o := range in.everything(table, writes) {
		switch o.Operation {
		case "PutItem", "BatchWriteItem":
			puts += max(ended(o), o.Parts)
		default:
			updates += max(ended(o), o.Parts)
		}
	}
	return puts >= 10*updates
}

// share is how many of the items have an entry.
func (m *entryModel) share() float64 { return float64(len(m.sizes)) / max(float64(m.all), 1) }

// writes are the units that writes of a table consume on the index, in sum over all that was seen. kept is the share of the
// items with its attributes that have an entry: 1 but for a sparse one.
func (m *entryModel) writes(in *Input, table string, kept float64) float64 {
	var units float64
	one, two := float64(capacity.ExpectArm(capacity.InPlace, m.sizes)), float64(capacity.ExpectArm(capacity.Move, m.sizes))
	again := in.again(table)
	for _, o := range in.everything(table, writes) {
		done := ended(o)
		switch o.Operation {
		case "PutItem", "BatchWriteItem", "TransactWriteItems":
			n := written(o, m.x.Key...)
			units += n * kept * one * (1 - again + again*m.anew)
		case "UpdateItem":
			var moved, touched float64
			for name := range o.Attributes {
				switch {
				case slices.Contains(m.x.Key, name):
					moved = max(moved, written(o, name))
				case m.x.Projects(name):
					touched = max(touched, written(o, name))
				}
			}
			moved = min(moved, done)
			touched = max(min(touched, done)-moved, 0)
			units += moved*kept*two + touched*kept*m.of(in, o)*one
		case "DeleteItem":
			units += done * kept * m.share() * one
		}
	}
	return units
}

// of is the share of the items that an update concerns which have an entry: of those in the sample that have what it writes.
func (m *entryModel) of(in *Input, o *stats.Operation) float64 {
	var like, with float64
	items := in.sample(o.Table)
	for i := range items {
		if !has(&items[i], func(yield func(string) bool) {
			for name, a := range o.Attributes {
				if a.Written > 0 && a.Written >= o.Detailed/2 && !yield(name) {
					return
				}
			}
		}) {
			continue
		}
		like++
		if has(&items[i], slices.Values(m.x.Key)) {
			with++
		}
	}
	if like == 0 {
		return m.share()
	}
	return with / like
}

func has(item *stats.SizedItem, names func(func(string) bool)) bool {
	for name := range names {
		if _, ok := printOf(item, name); !ok {
			return false
		}
	}
	return true
}

// written is how many puts of an operation have all of the attributes, or how many updates change them: of the share of the
// calls that was looked into, which is more exact than the sums.
func written(o *stats.Operation, names ...string) float64 {
	if o.Detailed == 0 {
		return 0
	}
	n := 0.0
	for i, name := range names {
		var one float64
		if a := o.Attributes[name]; a != nil {
			one = a.Written
		}
		if i == 0 || one < n {
			n = one
		}
	}
	return n / o.Detailed * ended(o)
}

// again is the share of a table's puts that replace an item that was there, as far as that was seen.
func (in *Input) again(table string) float64 {
	var puts float64
	for _, o := range in.everything(table, writes) {
		puts += in.puts(o, table)
	}
	c := in.consumed(table, "")
	if puts == 0 || c == nil || c.Items == nil {
		return 0
	}
	return min(max(1-c.Items.Count()/puts, 0), 1)
}

// puts is how many items of a table an operation put: of batches and transactions of the one table, of which attributes tell.
func (in *Input) puts(o *stats.Operation, table string) float64 {
	switch {
	case o.Operation == "PutItem":
		return ended(o)
	case o.Parts == 0 || in.table(table) == nil || slices.ContainsFunc(o.Arms, func(a stats.Arm) bool { return a.Table != table }):
		return 0
	}
	return written(o, in.table(table).keyAttributes("")...)
}

// queried is what one query of so many items or entries on average consumes, eventually consistent.
func queried(items float64, sizes sampled) float64 {
	mean := sizes.mean()
	return float64(capacity.ExpectQuery(capacity.Fixed(capacity.Bytes(items*mean)), mean, capacity.Eventual))
}
