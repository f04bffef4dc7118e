package doctor

import (
	"math"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

// places compares tables and indexes.
func (c *comparer) places() (out []*Place) {
	short := c.watched < c.ranges.Day
	consumed := map[string]*stats.Consumption{}
	for _, x := range c.stats.Consumed {
		consumed[placeName(x.Table, x.Index)] = x
	}
	for _, priced := range c.price.Places {
		p := &Place{Name: priced.Name}
		out = append(out, p)
		var read, write float64
		if x := consumed[priced.Name]; x != nil && c.seconds > 0 {
			read, write = x.Read/c.seconds, x.Write/c.seconds
		}
		p.Read = figure(priced.Read, read, 0.1, c.ranges.Rate).unless(short)
		p.Write = figure(priced.Write, write, 0.1, c.ranges.Rate).unless(short)
		promised := 0.0
		if l := hottest(c.price.Loads, priced.Name); l != nil {
			promised, p.Of = stats.Load(l.Read, l.Write), l.Of
		}
		measured := math.NaN()
		if k := busiest(c.stats.Partitions, priced); k != nil {
			measured, p.Key = k.Peak/60, k.Key
		}
		p.Hottest = figure(promised, measured, 0, c.ranges.Hottest).unless(measured < c.ranges.Hot)
	}
	return out
}

// hottest is the promised load of the hottest key of a place, of an item collection rather than an item; nil if none is
// known.
func hottest(loads []cost.Load, place string) (found *cost.Load) {
	for i := range loads {
		l := &loads[i]
		if l.Place == place && (found == nil || found.Item && !l.Item || found.Item == l.Item && stats.Load(l.Read, l.Write) > stats.Load(found.Read, found.Write)) {
			found = l
		}
	}
	return found
}

// busiest is the key with the busiest minute of a place.
func busiest(keys *stats.Keys, place *cost.Place) (found *stats.Key) {
	index := ""
	if place.Index != nil {
		index = place.Index.Index
	}
	for i := range keys.List {
		k := &keys.List[i]
		if k.Table == place.Table.Name && k.Index == index && (found == nil || k.Peak > found.Peak) {
			found = k
		}
	}
	return found
}

// items compares the sizes of what lies in tables: of what was read or written whole, by steps that only concern one
// kind.
func (c *comparer) items() (out []*Item) {
	sizes := map[*plan.Kind]*stats.Distribution{}
	for name, all := range c.byPattern {
		kinds := kindsOf(c.procedure(name))
		for _, o := range all {
			if k := kinds[stepKey(o.Operation, o.Table, o.Index)]; k != nil && o.Sizes.Count() > 0 {
				if sizes[k] == nil {
					sizes[k] = new(stats.Distribution)
				}
				sizes[k].Merge(o.Sizes)
			}
		}
	}
	for _, t := range c.program.Tables {
		for _, k := range t.Kinds {
			promised := k.Document.Promise
			if of := c.item(k, t.Base); promised.Bytes == 0 && of != nil {
				promised.Bytes, promised.BytesMost = of.Bytes, of.Most
			}
			it := &Item{Name: k.Name, Table: t.Name}
			out = append(out, it)
			d := sizes[k]
			if d == nil {
				it.Bytes, _ = known(promised.Bytes, math.NaN())
				it.Most, _ = known(promised.BytesMost, math.NaN())
				continue
			}
			it.Seen = d.Count()
			few := it.Seen < c.ranges.FewCalls
			it.Bytes = figure(promised.Bytes, d.Mean(), 64, c.ranges.ItemBytes).unless(few)
			it.Most = figure(promised.BytesMost, float64(d.Max()), 64, Range{0, c.ranges.ItemBytes.Above})
		}
	}
	return out
}

// kindsOf are the kinds of items that requests of a plan read or write whole, of those requests that do so with one
// kind only.
func kindsOf(proc *plan.Procedure) map[string]*plan.Kind {
	out, mixed := map[string]*plan.Kind{}, map[string]bool{}
	for _, s := range proc.Stages {
		key := stageKey(s)
		var k *plan.Kind
		switch {
		case s.Verb == plan.Get || s.Verb == plan.BatchGet || s.Verb == plan.Put && s.Embed == nil && s.Kind.Pack == nil:
			k = s.Kind
		case (s.Verb == plan.Query || s.Verb == plan.Scan) && len(s.Kinds) == 1 && s.Access.Index == "":
			k = s.Kinds[0]
		case s.Verb == plan.BatchWrite:
			k = onlyKind(s.Actions)
		}
		if before, there := out[key]; k == nil || there && before != k {
			mixed[key] = true
		}
		out[key] = k
	}
	for key := range mixed {
		delete(out, key)
	}
	return out
}

func onlyKind(actions []*plan.Stage) (k *plan.Kind) {
	for _, a := range actions {
		if a.Verb == plan.Delete {
			continue
		}
		if k != nil && k != a.Kind {
			return nil
		}
		k = a.Kind
	}
	return k
}
