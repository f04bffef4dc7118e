package cost

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
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
	Divided     bool    // DynamoDB can divide the key by its sort key, over several partitions: it does where the heat stays
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

// undivided reports whether DynamoDB cannot divide what lies under one key, as far as items of a kind are concerned: a
// table with local indexes keeps it together (LSI), and where the sort key only grows, all that is written falls on its
// end, however often it is divided. Timestamps count as growing: most of what is written is about now.
func undivided(k *plan.Kind, x *plan.Access) bool {
	if !x.Global() && slices.ContainsFunc(x.Table.Indexes, func(o *plan.Access) bool { return !o.Global() }) || len(x.Sort) == 0 {
		return true
	}
	return grows(k, x)
}

// loads computes the hottest key of each table and index, per entity that owns the key.
func (f *figures) loads(p *plan.Program) []Load {
	all := map[heatKey]*Load{}
	whole := map[string]bool{} // places of which no key can be divided
	for _, t := range p.Tables {
		for _, x := range append([]*plan.Access{t.Base}, t.Indexes...) {
			whole[x.Name()] = slices.ContainsFunc(t.Kinds, func(k *plan.Kind) bool { return keyRecipes(k, x) != nil && undivided(k, x) })
		}
	}
	add := func(k heatKey, part Part, transactions float64) {
		l := all[k]
		if l == nil {
			l = &Load{Place: k.place, Of: k.of, Item: k.item, Divided: !k.item && !whole[k.place]}
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
		hotter := cmp.Compare(math.Round(b.Heat*1e9), math.Round(a.Heat*1e9))
		items := 0
		switch {
		case a.Item && !b.Item:
			items = -1
		case b.Item && !a.Item:
			items = 1
		}
		return cmp.Or(hotter, cmp.Compare(a.Place, b.Place), cmp.Compare(a.Of, b.Of), items)
	})
	return out
}

// heat adds what a stage does to its hottest key at peak.
func (f *figures) heat(p *spec.Pattern, s *plan.Stage, add func(k heatKey, part Part, transactions float64)) {
	peak := p.Rate.Peak
	switch s.Verb {
	case plan.Query:
		paths := bound(s, s.Kinds[0])
		if f.ownerOf(s.Kinds[0].Entity, paths).entity == nil { // as what writes there calls it
			paths = partitionPaths(s.Kinds[0], s.Access)
		}
		m := f.matches(p, s, s.Kinds[0])
		units := f.reads(p, s)[s.Access.Name()] / math.Max(float64(s.Scatter), 1)
		add(heatKey{s.Access.Name(), ownerName(s.Kinds[0], f.ownerOf(s.Kinds[0].Entity, paths), paths), false}, Part{p.Name, peak, f.hottest(m.weight), units, false}, 0)
	case plan.Get, plan.BatchGet:
		f.heatOfGet(p, s, f.reads(p, s)[s.Kind.Table.Name], add)
	case plan.TransactGet:
		for _, a := range s.Actions {
			f.heatOfGet(p, a, f.get(p, a, capacity.Transactional), add)
		}
	case plan.Transact, plan.BatchWrite:
		for _, a := range s.Actions {
			f.heatOf(p, a, s.Verb == plan.Transact, add)
		}
	case plan.Put, plan.Update, plan.Delete, plan.Check:
		f.heatOf(p, s, false, add)
	}
}

// heatOfGet adds what a read by key does to the item most read.
func (f *figures) heatOfGet(p *spec.Pattern, s *plan.Stage, units float64, add func(k heatKey, part Part, transactions float64)) {
	units /= math.Max(float64(s.Scatter), 1)
	add(heatKey{s.Kind.Table.Name, itemName(s.Kind), true}, Part{p.Name, p.Rate.Peak, f.hottest(f.picked(p, s.Kind)), units, false}, 0)
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

// hottest is the share of calls that fall on the first of those over which they spread.
func (f *figures) hottest(weight spread) float64 { return f.law(weight).Share(1) }

// heatOf adds what a write does: to the item, and to the partition of each index that it touches.
func (f *figures) heatOf(p *spec.Pattern, s *plan.Stage, transacted bool, add func(k heatKey, part Part, transactions float64)) {
	out := f.writes(p, s, transacted)
	peak := p.Rate.Peak
	k := s.Kind
	if s.Verb != plan.Put && k.Role != plan.UniqueItem {
		share := f.hottestItem(p, s)
		transactions := 0.0
		if transacted {
			transactions = peak * share * f.times(p, s)
		}
		add(heatKey{k.Table.Name, itemName(k), true}, Part{p.Name, peak, share, out[k.Table.Name], true}, transactions)
	}
	for _, x := range append([]*plan.Access{k.Table.Base}, k.Table.Indexes...) {
		n := out[x.Name()]
		if n == 0 {
			continue
		}
		paths := partitionPaths(k, x)
		o := f.ownerOf(k.Entity, paths)
		if o.entity == k.Entity {
			continue // a partition of its own: the item's load
		}
		share := 1 / float64(o.members)
		switch {
		case o.entity == nil:
			share = math.Max(share, f.commonest(s, paths))
		case slices.ContainsFunc(o.ways, func(r *spec.Relationship) bool { return f.children(r).Stated }):
			direct, _ := f.under(o)
			share = f.hottest(direct)
		}
		if k.Shards > 0 {
			share /= float64(k.Shards)
		}
		add(heatKey{x.Name(), ownerName(k, o, paths), false}, Part{p.Name, peak, share, n, true}, 0)
	}
}

// commonest is the share of a write's calls that fall on the values which most instances have: of enums and states by their
// shares, all of those into the state in which everything begins or that they set; of other attributes by what patterns
// state that look for them, alone or together.
func (f *figures) commonest(s *plan.Stage, paths []spec.Path) float64 {
	e := s.Kind.Entity
	share := 1.0
	for _, p := range paths {
		a := e.Attribute(p[0])
		most := 0.0
		switch {
		case a == nil || len(p) > 1:
		case a.States != nil && (s.Verb == plan.Put || slices.Contains(s.Changes, a.Name)):
			most = 1
		case len(a.Shares) > 0:
			for _, v := range a.Shares {
				most = math.Max(most, v.Of)
			}
		default:
			most = math.Max(1/float64(f.members(e)), f.frequent[valuesOf(e, []spec.Path{p})])
		}
		share *= most
	}
	return math.Max(share, f.frequent[valuesOf(e, paths)])
}

// frequent is the share of instances that have the most frequent values of what a pattern looks for, by these.
func frequent(r *spec.Requirements) map[string]float64 {
	out := map[string]float64{}
	for _, e := range r.Entities {
		for _, a := range e.Attributes {
			if a.Hottest > 0 {
				out[valuesOf(e, []spec.Path{{a.Name}})] = a.Hottest
			}
		}
	}
	for _, p := range r.Patterns {
		if p.Writes() || p.Read == nil || len(p.Given) == 0 || p.Read.Count <= 0 {
			continue
		}
		name := valuesOf(p.Read, p.Given)
		out[name] = math.Max(out[name], math.Min(math.Max(p.Results.Max, p.Results.Average)/p.Read.Count, 1))
	}
	return out
}

// valuesOf names the values of some paths together, in whatever order they are stated.
func valuesOf(e *spec.Entity, paths []spec.Path) string {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = p.String()
	}
	slices.Sort(names)
	return e.Name + ": " + strings.Join(names, ", ")
}

// itemName says whose item carries a load: an entity, or a number that is kept beside it.
func itemName(k *plan.Kind) string {
	if k.Role == plan.EntityItem {
		return k.Entity.Name
	}
	return k.Name
}

// hottestItem is the share of calls that fall on the item most written.
func (f *figures) hottestItem(p *spec.Pattern, s *plan.Stage) float64 {
	e := s.Kind.Entity
	switch s.Kind.Role {
	case plan.SequenceItem: // one for each of what the numbers run within
		if way := s.Kind.Attribute.Sequence.Reference; way != nil {
			return f.hottest(f.kids(way))
		}
		return 1
	case plan.AggregateItem: // changes as the children come and go that it counts
		share := 1 / float64(f.members(e))
		if d := s.Kind.Attribute.Derived; d != nil && len(d.Path) > 0 {
			if way := e.WayBack(d.Path[0]); way != nil {
				share = f.hottest(f.kids(way))
			}
		}
		return share / float64(max(s.Kind.Shards, 1))
	}
	if !p.Skew.Uniform() {
		return f.hottest(calls(f.members(e), p.Skew))
	}
	// An action whose key comes from children's foreign keys is as skewed as these are.
	share := 1 / float64(f.members(e))
	for _, a := range p.Actions {
		if a.Entity != e {
			continue
		}
		for _, key := range a.Key {
			if at := referenced(p, a, key.Value.Reference); at != nil && at.Reference != nil && f.children(at.Reference).Stated {
				others := f.members(e) / max(f.members(at.Reference.To), 1)
				share = math.Max(share, f.hottest(f.kids(at.Reference))/math.Max(float64(others), 1))
			}
		}
	}
	return share
}
