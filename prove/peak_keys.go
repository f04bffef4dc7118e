package prove

import (
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
)

// draw draws the keys of one demand. Draws are not random: each is a fixed irrational step from the one before, which
// covers [0, 1) as evenly as any sequence can, and different steps keep the demands of a call independent.
type draw struct {
	*cost.Demand
	lots   []*lot // of the parts of a partition key that is written; nil: Partition says on which keys calls fall
	name   string // tells its partition keys from those of others
	times  int    // keys of one call
	each   float64
	at, by float64 // the last draw, and the step
	n      uint64
	order  *uint64 // of all writes of the run, for what comes at the end of the sort keys
}

func newDraw(d *cost.Demand, seed int, order *uint64) *draw {
	times := max(int(math.Round(d.Times)), 1) * max(d.Scatter, 1)
	by := math.Sqrt(float64(primes[seed%len(primes)]))
	_, start := math.Modf(float64(seed+1) * math.Phi)
	_, by = math.Modf(by)
	return &draw{Demand: d, name: d.Key(), times: times, each: d.Units / float64(times), at: start, by: by, order: order}
}

var primes = [...]int{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113}

func (d *draw) next() float64 {
	_, d.at = math.Modf(d.at + d.by)
	d.n++
	return d.at
}

// pick is the partition key of the next item, by rank and shard, and the rank of the item within.
func (d *draw) pick(i int) (rank, shard, item int64) {
	u := d.next()
	rank, item = 1, 1
	if d.lots == nil {
		rank = d.Partition.Pick(u)
	} else {
		rank = 0
		for _, l := range d.lots {
			rank = rank*l.members + l.pick()
		}
		rank++
	}
	switch {
	case d.Own:
	case d.lots != nil:
		item = d.Item.Pick(u)
	default:
		item = d.Item.Pick(u)
		if item == 1 && d.Item.Share(1) > d.Partition.Share(1) {
			rank = 1 // the hottest item lies under the hottest key, wherever the two laws put it
		}
	}
	if n := d.Partition.Each(); n > 1 {
		shard = int64(d.n) % n
		if d.Scatter > 1 {
			shard = int64(i % d.Scatter)
		}
	}
	return rank, shard, item
}

// share is the part of the calls that falls on one key of a rank.
func (d *draw) share(rank int64) float64 {
	if d.lots == nil {
		return d.Partition.Share(rank)
	}
	share, rest := 1.0, rank-1
	for _, l := range slices.Backward(d.lots) {
		share *= l.share(rest % l.members)
		rest /= l.members
	}
	return share / float64(d.Partition.Each())
}

// among is how many keys there are.
func (d *draw) among() int64 {
	if d.lots == nil {
		return d.Partition.Members()
	}
	n := int64(1)
	for _, l := range d.lots {
		n *= min(l.members, 1<<30)
	}
	return n
}

// says is what of a key is the same in all calls.
func (d *draw) says() string {
	var out []string
	for _, l := range d.lots {
		if l.says != "" {
			out = append(out, l.says)
		}
	}
	return strings.Join(out, ", ")
}

// fill writes the demands of a request that stands for so many calls.
func (s *step) fill(calls float64) {
	s.demand, s.asked = s.demand[:0], s.asked[:0]
	for _, d := range s.draws {
		var rank, shard, item int64
		for i := range d.times {
			if r, sh, it := d.pick(i); i == 0 || d.Scatter < 2 {
				rank, shard, item = r, sh, it
			} else {
				shard = sh // all shards of one key
			}
			units := float64(d.each * calls)
			q := engine.Demand{Table: d.Access.Table.Name, Index: indexOf(d.Access), Key: d.key(rank, shard, item)}
			if d.Write {
				q.Write = capacity.WriteUnits(units)
			} else {
				q.Read = capacity.ReadUnits(units)
			}
			s.demand = append(s.demand, q)
			s.asked = append(s.asked, asked{d, rank, shard, units})
		}
	}
}

// key is a key of the place: any two that differ in what they are of, rank or shard differ, and lie on partitions by chance.
func (d *draw) key(rank, shard, item int64) attr.Item {
	x := d.Access
	if !x.Global() {
		x = x.Table.Base // a local index shares the table's partition keys
	}
	fields := make([]attr.Field, 0, 4)
	set := func(w plan.Wire, v attr.Value) { fields = append(fields, attr.Field{Name: w.Name, Value: v}) }
	for i, w := range x.Partition {
		text := "-"
		if i == 0 {
			text = d.name + "|" + strconv.FormatInt(rank, 10) + "|" + strconv.FormatInt(shard, 10)
		}
		set(w, keyValue(w, text))
	}
	for _, w := range x.Sort[:min(len(x.Sort), 1)] {
		switch {
		case d.Grows && d.Write:
			*d.order++
			set(w, orderedValue(w, *d.order))
		case d.Grows: // what came last is read most
			set(w, orderedValue(w, *d.order))
		default:
			set(w, keyValue(w, d.Kind.Name+strconv.FormatInt(item, 10)))
		}
	}
	return attr.ItemOf(fields...)
}

// keyValue is a value of a key attribute for a text: others for others.
func keyValue(w plan.Wire, text string) attr.Value {
	h := fnv.New64a()
	h.Write([]byte(text))
	switch w.Type {
	case plan.N:
		return attr.Num(attr.Int(int64(h.Sum64() >> 1)))
	case plan.B:
		return attr.Binary(h.Sum(nil))
	}
	return attr.Text(strconv.FormatUint(h.Sum64(), 36))
}

// orderedValue is a value that is greater for a greater number.
func orderedValue(w plan.Wire, n uint64) attr.Value {
	text := strconv.FormatUint(1<<62+n, 10)
	switch w.Type {
	case plan.N:
		return attr.Num(attr.Int(int64(n)))
	case plan.B:
		return attr.Binary([]byte(text))
	}
	return attr.Text(text)
}
