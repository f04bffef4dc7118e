package cost

import (
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// Request is one step of an access pattern at peak: what all of it together takes of tables and indexes, and on which
// keys. DynamoDB does all of a step or refuses it: a write waits for every index that it changes (gsi-throttling), a
// transaction for every action.
type Request struct {
	Pattern string
	Step    string  // its name in the plan
	Rate    float64 // calls per second at peak
	Demands []Demand
}

// Demand is what a request takes of one table or index.
type Demand struct {
	Access *plan.Access
	Kind   *plan.Kind // of the items; of a query the first
	Of     string     // whose partition it is, as in [Load.Of]: demands with the same Access and Of share their keys
	Write  bool
	Times  float64 // items, or queries, of one call
	Units  float64 // of one call, all of them together
	// Partition says on which partition keys they fall, Item on which items within: where Own is set, each item has a
	// partition key of its own, and Partition tells both.
	Partition, Item Keys
	Own             bool
	Scatter         int  // a call asks all of so many shards of a key; 0: one
	Grows           bool // what is written comes at the end of the sort keys, behind all that is there
}

// Keys says how calls fall on keys. Rank 1 of an owner is the same one in all demands.
type Keys struct {
	law  dist.Law
	each int64
}

func (f *figures) keys(s spread, each int64) Keys { return Keys{f.Law(s), max(each, 1)} }

// Members is how many ranks there are, Each how many keys each of them has, which are hit evenly: shards, say.
func (k Keys) Members() int64 { return k.law.Members() }

// Each is how many keys one rank has.
func (k Keys) Each() int64 { return max(k.each, 1) }

// Share is the part of the calls that falls on one key of a rank.
func (k Keys) Share(rank int64) float64 { return k.law.Share(rank) / float64(k.Each()) }

// Pick is the rank of the key that a call falls on; u, from 0 up to but not 1, is a uniform random number.
func (k Keys) Pick(u float64) (rank int64) { return k.law.Pick(u) }

// Traffic is what a model's access patterns ask of its tables and indexes, step by step: how much, and of which keys.
// Like loads it is computed from the requirements and the plans alone; [Load] tells its hottest keys.
func Traffic(p *plan.Program, fig Figures) []Request {
	fig.Peak = true
	f := newFigures(p.Requirements, fig)
	var out []Request
	for _, pattern := range p.Requirements.Patterns {
		proc := p.Procedure(pattern.Name)
		if proc == nil {
			continue
		}
		for _, s := range proc.Stages {
			r := Request{Pattern: pattern.Name, Step: s.Name, Rate: pattern.Rate.Peak, Demands: f.demands(pattern, s)}
			if len(r.Demands) > 0 {
				out = append(out, r)
			}
		}
	}
	return out
}

// demands are those of a stage.
func (f *figures) demands(p *spec.Pattern, s *plan.Stage) (out []Demand) {
	switch s.Verb {
	case plan.Query, plan.Scan:
		out = append(out, f.demandOfRange(p, s))
	case plan.Get, plan.BatchGet:
		out = append(out, f.demandOfGet(p, s, f.reads(p, s)[s.Kind.Table.Name]))
	case plan.TransactGet:
		for _, a := range s.Actions {
			out = append(out, f.demandOfGet(p, a, f.get(p, a, capacity.Transactional)))
		}
	case plan.Transact, plan.BatchWrite:
		for _, a := range s.Actions {
			out = append(out, f.demandsOfWrite(p, a, s.Transacted())...)
		}
	case plan.Put, plan.Update, plan.Delete, plan.Check:
		out = f.demandsOfWrite(p, s, false)
	}
	return slices.DeleteFunc(out, func(d Demand) bool { return d.Units <= 0 })
}

// demandOfRange is that of a query or scan. A page of a scan lies anywhere.
func (f *figures) demandOfRange(p *spec.Pattern, s *plan.Stage) Demand {
	k := s.Kinds[0]
	d := Demand{Access: s.Access, Kind: k, Times: math.Max(f.times(p, s), 1), Units: f.reads(p, s)[s.Access.Name()], Scatter: s.Scatter, Grows: grows(k, s.Access)}
	f.placed(p, &d, workload.Even(f.Members(k.Entity)), nil)
	if s.Verb == plan.Scan {
		return d
	}
	d.Own = false
	paths := bound(s, k)
	o := f.OwnerOf(k.Entity, paths)
	if o.Entity == nil { // as what writes there calls it
		o = f.OwnerOf(k.Entity, partitionPaths(k, s.Access))
	}
	weight := f.matches(p, s, k).weight
	if o.Entity != nil {
		weight.Members = o.Members
	}
	d.Partition = f.keys(weight, shardsOf(k, s.Access))
	return d
}

// demandOfGet is that of reads by key.
func (f *figures) demandOfGet(p *spec.Pattern, s *plan.Stage, units float64) Demand {
	k := s.Kind
	d := Demand{Access: k.Table.Base, Kind: k, Times: math.Max(f.times(p, s), 1), Units: units, Scatter: s.Scatter, Grows: grows(k, k.Table.Base)}
	items := f.picked(p, k)
	if most, _ := f.hottestRead(p, s); most > f.Hottest(items) {
		items = workload.Calls(items.Members, spec.Skew{Hottest: most})
	}
	f.placed(p, &d, items, nil)
	return d
}

// demandsOfWrite are those of one written item: the table's, and those of the indexes in which it has an entry.
func (f *figures) demandsOfWrite(p *spec.Pattern, s *plan.Stage, transacted bool) (out []Demand) {
	k := s.Kind
	units := f.writes(p, s, transacted)
	for _, x := range append([]*plan.Access{k.Table.Base}, k.Table.Indexes...) {
		if units[x.Name()] == 0 {
			continue
		}
		d := Demand{Access: x, Kind: k, Write: true, Times: math.Max(f.times(p, s), 1), Units: units[x.Name()], Grows: grows(k, x)}
		f.placed(p, &d, f.written(p, s), s)
		out = append(out, d)
	}
	return out
}

// written is how a stage's writes spread over the items of its kind: what is made is new each time.
func (f *figures) written(p *spec.Pattern, s *plan.Stage) spread {
	k := s.Kind
	switch {
	case s.Verb == plan.Put || k.Role == plan.UniqueItem:
	case k.Role == plan.SequenceItem:
		if way := k.Attribute.Sequence.Reference; way != nil { // one for each of what the numbers run within
			return f.Kids(way)
		}
		return workload.Even(1)
	case k.Role == plan.AggregateItem: // changes as the children come and go that it counts
		if d := k.Attribute.Derived; d != nil && len(d.Path) > 0 {
			if way := k.Entity.WayBack(d.Path[0]); way != nil {
				return f.Kids(way)
			}
		}
	default:
		return f.reached(p, s)
	}
	return workload.Even(f.Members(k.Entity))
}

// placed says on which keys the items of a demand lie, on which calls fall by a law; s is the stage if it writes.
func (f *figures) placed(p *spec.Pattern, d *Demand, items spread, s *plan.Stage) {
	paths := partitionPaths(d.Kind, d.Access)
	o := f.OwnerOf(d.Kind.Entity, paths)
	d.Of = ownerName(d.Kind, o, paths)
	shards := shardsOf(d.Kind, d.Access)
	d.Item = f.keys(items, 1)
	switch {
	case o.Entity == d.Kind.Entity && len(o.Ways) == 0:
		d.Own, d.Partition = true, f.keys(items, shards)
	case s != nil && s.Kind == d.Kind:
		d.Partition = f.keys(f.onKeys(p, s, d.Access, o), shards)
	case o.Entity != nil && slices.ContainsFunc(o.Ways, func(r *spec.Relationship) bool { return f.Children(r).Stated }):
		direct, _ := f.Under(o)
		d.Partition = f.keys(direct, shards)
	default:
		d.Partition = f.keys(workload.Even(o.Members), shards)
	}
}

// onKeys is how a write spreads over the partition keys of an access: as the children of an owner do, with the share of
// the hottest.
func (f *figures) onKeys(p *spec.Pattern, s *plan.Stage, x *plan.Access, o owner) spread {
	byValue, most := map[string]float64{}, 0.0
	for _, on := range f.falls(p, s, x) {
		byValue[on.value] += on.part * on.share
		most = math.Max(most, byValue[on.value])
	}
	if o.Entity != nil && slices.ContainsFunc(o.Ways, func(r *spec.Relationship) bool { return f.Children(r).Stated }) {
		if direct, _ := f.Under(o); math.Abs(f.Hottest(direct)-most) < 1e-9 {
			return direct
		}
	}
	return workload.Calls(o.Members, spec.Skew{Hottest: most})
}

// shardsOf is how many keys a kind has in an access for each value of the rest of its partition.
func shardsOf(k *plan.Kind, x *plan.Access) int64 {
	for _, w := range x.Partition {
		if r := k.Recipe(w.Name); r != nil && slices.ContainsFunc(r.Parts, func(part *plan.Part) bool { return part.Path == nil }) {
			return int64(max(k.Shards, 1))
		}
	}
	return 1
}

// Template is the template of the partition key on which a demand falls, such as CUSTOMER#{customerId}: of several
// attributes, joined by commas.
func (d *Demand) Template() string {
	var texts []string
	for _, w := range d.Access.Partition {
		if r := d.Kind.Recipe(w.Name); r != nil {
			texts = append(texts, r.Text)
		}
	}
	return strings.Join(texts, ", ")
}

// Key tells partition keys apart that different demands fall on: those with the same Key, rank and shard are one.
func (d *Demand) Key() string {
	var b strings.Builder
	b.WriteString(d.Of)
	for _, w := range d.Access.Partition {
		if r := d.Kind.Recipe(w.Name); r != nil {
			b.WriteByte('|')
			b.WriteString(strings.Join(r.Literals, "*"))
		}
	}
	return b.String()
}

// grows reports whether what is written of a kind comes at the end of the sort keys: they begin with a time or a number
// that only grows.
func grows(k *plan.Kind, x *plan.Access) bool {
	if len(x.Sort) == 0 {
		return false
	}
	r := k.Recipe(x.Sort[0].Name)
	if r == nil || len(r.Parts) == 0 {
		return false
	}
	a := r.Parts[0].Attribute
	return a != nil && (a.Type == spec.Timestamp || a.Generated == "ulid" || a.Generated == "ksuid" || a.Sequence != nil)
}
