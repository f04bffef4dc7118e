package cost

import (
	"cmp"
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Load is what the hottest key of a table or index carries at peak, all patterns together. Ranks coincide: the instance
// most read is the one most written.
type Load struct {
	Place       string  // Table or Table.Index
	Of          string  // whose key it is: an entity, or the attributes that make the partition
	Read, Write float64 // units per second at peak
	Heat        float64 // share of what one partition can do: 3,000 read units or 1,000 write units per second
	Item        bool    // a single item, that no split of its partition helps
	Contention  float64 // share of transactions on it that conflict at peak; 0 if none writes it
	Patterns    []string
	Parts       []Part // what adds up, in the order of the model's plans
}

// Part is what one step of an access pattern puts on a key at peak: Rate × Share × Units.
type Part struct {
	Pattern string
	Rate    float64 // calls per second at peak
	Share   float64 // of calls that fall on the key
	Units   float64 // of one call, there
	Write   bool    // write units, else read units
}

type heatKey struct {
	place, of string
	item      bool
}

// loads computes the hottest key of each table and index, per entity that owns the key.
func (f *figures) loads(p *plan.Program) []Load {
	all := map[heatKey]*Load{}
	add := func(k heatKey, part Part, transactions float64) {
		l := all[k]
		if l == nil {
			l = &Load{Place: k.place, Of: k.of, Item: k.item}
			all[k] = l
		}
		if n := part.Rate * part.Share * part.Units; part.Write {
			l.Write += n
		} else {
			l.Read += n
		}
		l.Contention += capacity.Contention(transactions)
		if !slices.Contains(l.Patterns, part.Pattern) {
			l.Patterns = append(l.Patterns, part.Pattern)
		}
		l.Parts = append(l.Parts, part)
	}
	for _, proc := range p.Procedures {
		for _, s := range proc.Stages {
			f.heat(proc.Pattern, s, add)
		}
	}
	out := make([]Load, 0, len(all))
	for _, l := range all {
		l.Heat = capacity.Heat(capacity.ReadUnits(l.Read), capacity.WriteUnits(l.Write))
		out = append(out, *l)
	}
	slices.SortFunc(out, func(a, b Load) int {
		return cmp.Or(cmp.Compare(math.Round(b.Heat*1e9), math.Round(a.Heat*1e9)), cmp.Compare(a.Place, b.Place), cmp.Compare(a.Of, b.Of))
	})
	return out
}

// heat adds what a stage does to its hottest key at peak.
func (f *figures) heat(p *spec.Pattern, s *plan.Stage, add func(k heatKey, part Part, transactions float64)) {
	peak := p.Rate.Peak
	switch s.Verb {
	case plan.Query:
		k := s.Kinds[0]
		m := f.matches(p, s, k)
		o := f.ownerOf(k.Entity, bound(s, k))
		add(heatKey{s.Access.Name(), ownerName(k, o, bound(s, k)), false}, Part{p.Name, peak, hottest(m.weight), f.read(p, s) / math.Max(float64(s.Scatter), 1), false}, 0)
	case plan.Get, plan.BatchGet:
		weight := f.picked(p, s.Kind)
		add(heatKey{s.Kind.Table.Name, s.Kind.Entity.Name, true}, Part{p.Name, peak, hottest(weight), f.read(p, s), false}, 0)
	case plan.Transact, plan.BatchWrite:
		for _, a := range s.Actions {
			f.heatOf(p, a, s.Verb == plan.Transact, add)
		}
	case plan.Put, plan.Update, plan.Delete, plan.Check:
		f.heatOf(p, s, false, add)
	}
}

func ownerName(k *plan.Kind, o owner, paths []spec.Path) string {
	if o.entity != nil {
		return o.entity.Name
	}
	name := k.Entity.Name
	for i, p := range paths {
		if i == 0 {
			name += " by "
		} else {
			name += ", "
		}
		for j, n := range p {
			if j > 0 {
				name += "."
			}
			name += n
		}
	}
	return name
}

func hottest(weight dist.Law) float64 { return weight.Share(1) }

// heatOf adds what a write does: to the item, and to the partition of each index that it touches.
func (f *figures) heatOf(p *spec.Pattern, s *plan.Stage, transacted bool, add func(k heatKey, part Part, transactions float64)) {
	out := units{}
	f.write(p, s, transacted, out)
	peak := p.Rate.Peak
	share := 0.0
	if s.Verb != plan.Put && s.Kind.Role == plan.EntityItem {
		share = f.touched(p, s)
		transactions := 0.0
		if transacted {
			transactions = peak * share * f.times(p, s)
		}
		add(heatKey{s.Kind.Table.Name, s.Kind.Entity.Name, true}, Part{p.Name, peak, share, out[s.Kind.Table.Name], true}, transactions)
	}
	for _, x := range append([]*plan.Access{s.Kind.Table.Base}, s.Kind.Table.Indexes...) {
		n := out[x.Name()]
		if n == 0 {
			continue
		}
		paths := partitionPaths(s.Kind, x)
		o := f.ownerOf(s.Kind.Entity, paths)
		if o.entity == s.Kind.Entity {
			continue // a partition of its own: the item's load
		}
		weight := f.calls(o.members, spec.Skew{})
		for _, r := range o.ways {
			if c := f.children(r); c.Stated {
				weight = f.under(o.ways, o.members)
				break
			}
		}
		by := hottest(weight)
		if s.Kind.Shards > 0 {
			by /= float64(s.Kind.Shards)
		}
		add(heatKey{x.Name(), ownerName(s.Kind, o, paths), false}, Part{p.Name, peak, by, n, true}, 0)
	}
}

// touched is the share of calls that fall on the item most written.
func (f *figures) touched(p *spec.Pattern, s *plan.Stage) float64 {
	e := s.Kind.Entity
	if !p.Skew.Uniform() {
		return hottest(f.calls(f.members(e), p.Skew))
	}
	// An action whose key comes from children's foreign keys is as skewed as these are.
	share := 1 / float64(f.members(e))
	for _, a := range p.Actions {
		if a.Entity != e {
			continue
		}
		for _, key := range a.Key {
			if at := referenced(p, a, key.Value.Reference); at != nil && at.Reference != nil {
				if c := f.children(at.Reference); c.Stated {
					others := f.members(e) / max(f.members(at.Reference.To), 1)
					share = math.Max(share, hottest(f.kids(at.Reference))/math.Max(float64(others), 1))
				}
			}
		}
	}
	return share
}

// referenced is the attribute of a passed value that a reference inside an action names.
func referenced(p *spec.Pattern, a *spec.Action, r spec.Reference) *spec.Attribute {
	if len(r) == 0 {
		return nil
	}
	if r[0] == "each" && len(a.Each) > 0 {
		r = append(slices.Clone(a.Each), r[1:]...)
	}
	q := p.Parameter(r[0])
	if q == nil || q.Entity == nil || len(r) < 2 {
		return nil
	}
	e := q.Entity
	for _, name := range r[1 : len(r)-1] {
		way := e.WayBack(name)
		if way == nil {
			return nil
		}
		e = way.From
	}
	return e.Attribute(r[len(r)-1])
}

// partitionPaths are what the partition of a key is made of, for a kind.
func partitionPaths(k *plan.Kind, x *plan.Access) []spec.Path {
	var out []spec.Path
	for _, w := range x.Partition {
		for _, r := range k.Recipes {
			if r.Wire.Name != w.Name {
				continue
			}
			for _, part := range r.Parts {
				if part.Path != nil {
					out = append(out, part.Path)
				}
			}
		}
	}
	return out
}
