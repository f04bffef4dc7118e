package prove

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// bucket is the time in which entities lie together in an item, as its key has it.
func bucket(k *plan.Kind, at attr.Value) string {
	text, err := k.Pack.Bucket().Append(nil, at)
	if err != nil {
		return ""
	}
	return string(text)
}

// packOf tells in which item an entity lies with others.
func packOf(k *plan.Kind, it attr.Item) string {
	var id []byte
	for _, a := range k.Entity.Identity {
		if a != k.Pack.By && !slices.Contains(k.Pack.Within, a) {
			id = attr.AppendValue(id, it.Get(a.Name))
		}
	}
	return string(append(id, bucket(k, it.Get(k.Pack.By.Name))...))
}

// mates are the entities that lie in one item with an entity, and itself if it is there.
func (w *walk) mates(k *plan.Kind, it attr.Item) []*Instance {
	x := w.o.stores[k.Entity].index("in one item of "+k.Name, func() *index {
		return &index{by: func(it attr.Item) string { return packOf(k, it) }}
	})
	return x.of[packOf(k, it)]
}

// packHolds is what an item in which several entities lie holds of stored attributes: names and values.
func packHolds(k *plan.Kind, all []*Instance) float64 {
	if len(all) == 0 {
		return 0
	}
	n := 0
	for _, s := range k.Stored {
		n += len(s.Name) + all[0].Item.Get(s.Name).Size()
	}
	for _, in := range all {
		name, err := k.Pack.Name(func(a *spec.Attribute) attr.Value { return in.Item.Get(a.Name) })
		if err != nil {
			continue
		}
		n += len(name) + 3
		for _, s := range k.Pack.Stored {
			if v := in.Item.Get(s.Name); !v.IsZero() {
				n += 1 + len(s.Name) + v.Size()
			}
		}
	}
	return float64(n)
}

// packBytes is what the items of a kind hold in which entities lie together, by which these are.
func (w *walk) packBytes(k *plan.Kind) map[string]float64 {
	if sizes := w.packs[k]; sizes != nil {
		return sizes
	}
	all, sizes := map[string][]*Instance{}, map[string]float64{}
	for _, in := range w.o.Instances(k.Entity) {
		id := packOf(k, in.Item)
		all[id] = append(all[id], in)
	}
	for id, list := range all {
		sizes[id] = packHolds(k, list)
	}
	if w.packs == nil {
		w.packs = map[*plan.Kind]map[string]float64{}
	}
	w.packs[k] = sizes
	return sizes
}

// evaluates counts the items that a query evaluates from the entity at from on, where entities lie together, and in
// which of them lies the last entity that it wants; 0: it does not find so many. each is what one of the items holds on
// average.
func (w *walk) evaluates(s *plan.Stage, all []*Instance, passing []int, from, wanted int) (items, until, each int) {
	k := s.Kinds[0]
	sizes, last, found, bytes := []float64{}, "", 0, w.packBytes(k)
	passes := make([]bool, len(all))
	for _, i := range passing {
		passes[i] = true
	}
	for i, in := range all {
		if i < from {
			continue
		}
		if id := packOf(k, in.Item); id != last {
			last = id
			sizes = append(sizes, bytes[id])
		}
		if passes[i] {
			if found++; found == wanted {
				until = len(sizes)
			}
		}
	}
	looks := sizes
	if step := s.Evaluate; step > 0 && (until > 0 || wanted == 0) {
		looks = looks[:min(len(looks), max((until+step-1)/step, 1)*step)]
	}
	sum := 0.0
	for _, n := range looks {
		sum += n
	}
	if len(looks) > 0 {
		each = int(sum/float64(len(looks)) + 0.5)
	}
	return len(sizes), until, each
}

// bucketed are the bounds of a query as the key of items in which entities lie together knows them: by the beginning of
// their time.
func bucketed(s *plan.Stage, k *plan.Kind, v attr.Value, b *plan.Bound, bounds []attr.Value) (inside bool) {
	at := bucket(k, v)
	low, high := bucket(k, bounds[0]), bucket(k, bounds[len(bounds)-1])
	switch b.Form {
	case "from", "after":
		return at >= low
	case "to", "before":
		return at <= high
	}
	return at >= low && at <= high
}

// packed is what writes of entities that lie with others meet: what the items hold behind them, how many items these
// are, and what becomes of their entries in indexes.
func (w *walk) packed(s *plan.Stage, written []attr.Item) (out touched) {
	k := s.Kind
	out.bytes = map[*plan.Kind][]float64{}
	out.turns = map[target][]cost.Turn{}
	var order []string
	packs := map[string][]attr.Item{}
	for _, it := range written {
		id := packOf(k, it)
		if packs[id] == nil {
			order = append(order, id)
		}
		packs[id] = append(packs[id], it)
	}
	for _, id := range order {
		before := w.mates(k, packs[id][0])
		after := slices.Clone(before)
		for _, it := range packs[id] {
			in := &Instance{Entity: k.Entity, Item: it, ID: k.Entity.IdentityOf(it)}
			after = slices.DeleteFunc(after, func(o *Instance) bool { return o.ID == in.ID })
			if s.Verb == plan.Put {
				after = append(after, in)
			}
		}
		out.bytes[k] = append(out.bytes[k], max(packHolds(k, before), packHolds(k, after)))
		for _, x := range k.Table.Indexes {
			if keyed(k, x) == nil {
				continue
			}
			has := func(all []*Instance) bool {
				return slices.ContainsFunc(all, func(in *Instance) bool { return w.entered(k, x, in) })
			}
			turn := cost.Turn{After: packHolds(k, after)}
			switch {
			case has(before):
				turn.Arm, turn.Before = capacity.InPlace, packHolds(k, before)
			case has(after):
				turn.Arm = capacity.Enter
			default:
				turn.After = 0
			}
			at := target{s, x}
			out.turns[at] = append(out.turns[at], turn)
		}
	}
	return out
}

// goings are the identities of what a call deletes of an entity, whether or not it is there.
func goings(p *spec.Pattern, e *spec.Entity, o *Oracle, args attr.Item) (out []attr.Item) {
	for _, a := range p.Actions {
		if a.Entity != e || a.Verb != spec.Delete {
			continue
		}
		for _, each := range o.elements(a, args) {
			var id attr.Item
			for _, k := range a.Key {
				if v, ok := o.eval(k.Value, nil, args, each); ok {
					id.Set(k.Path[0], v)
				}
			}
			if id.Len() == len(a.Key) {
				out = append(out, id)
			}
		}
	}
	return out
}

// wholes are the values that a call writes whole of an entity.
func wholes(p *spec.Pattern, e *spec.Entity, o *Oracle, args attr.Item) (out []attr.Item) {
	for _, a := range p.Actions {
		if a.Entity != e || a.Verb == spec.Update || a.Verb == spec.Delete {
			continue
		}
		for _, each := range o.elements(a, args) {
			if v := actionValue(a, args, each); v.Len() > 0 {
				out = append(out, v)
			}
		}
	}
	return out
}
