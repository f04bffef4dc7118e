package cost

import (
	"cmp"
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// Load is what the hottest key of a table or index carries at peak, all patterns together. Ranks coincide: the instance
// most read is the one most written.
type Load struct {
	Place       string  // Table or Table.Index
	Of          string  // whose key it is: an entity, or the attributes that make the partition
	Value       string  // of enums, states and times in the key ("now": what is created now): those of the hottest; "": it has none
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
	place, of, value string
	item             bool
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
	var heats []Heat
	for _, proc := range p.Procedures {
		heats = append(heats, f.heats(proc)...)
	}
	for _, pattern := range p.Requirements.Patterns {
		for _, t := range p.Tables {
			for _, k := range f.keeping(t, pattern, p.Tables) {
				heats = append(heats, k.Heat...)
			}
		}
	}
	whole := map[string]bool{} // places of which no key can be divided
	for _, t := range p.Tables {
		for _, x := range append([]*plan.Access{t.Base}, t.Indexes...) {
			whole[x.Name()] = Undivided(x)
		}
	}
	return Loads(heats, func(place string) bool { return whole[place] })
}

// heats is what the stages of a plan do to their hottest keys at peak.
func (f *figures) heats(proc *plan.Procedure) (out []Heat) {
	for _, s := range proc.Stages {
		f.heat(proc.Pattern, s, func(k heatKey, part Part, transactions float64) {
			out = append(out, Heat{k.place, k.of, k.value, k.item, part, transactions})
		})
	}
	return out
}

// Loads adds up what plans put on the hottest keys of tables and indexes, hottest first: of keys with different values
// the hottest only. undivided reports whether DynamoDB cannot divide the keys of a place (see [Undivided]).
func Loads(heats []Heat, undivided func(place string) bool) []Load {
	type values struct {
		order []string
		of    map[string]*Load
	}
	all := map[heatKey]*values{}
	for _, h := range heats {
		k := heatKey{h.Place, h.Of, "", h.Item}
		if all[k] == nil {
			all[k] = &values{of: map[string]*Load{}}
		}
		v := all[k]
		l := v.of[h.Value]
		if l == nil {
			l = &Load{Place: h.Place, Of: h.Of, Value: h.Value, Item: h.Item, Divided: !h.Item && !undivided(h.Place)}
			v.of[h.Value], v.order = l, append(v.order, h.Value)
		}
		part := h.Part
		if n := part.Rate * part.Share * part.Units; part.Write {
			l.Write += n
		} else {
			l.Read += n
		}
		l.Contention += capacity.Contention(h.Transactions)
		if !slices.Contains(l.Patterns, part.Pattern) {
			l.Patterns = append(l.Patterns, part.Pattern)
		}
		l.Parts = append(l.Parts, part)
	}
	out := make([]Load, 0, len(all))
	for _, v := range all {
		var hottest *Load
		for _, value := range v.order {
			l := v.of[value]
			l.Heat = capacity.Heat(capacity.ReadUnits(l.Read), capacity.WriteUnits(l.Write))
			if hottest == nil || l.Heat > hottest.Heat {
				hottest = l
			}
		}
		out = append(out, *hottest)
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
	peak, hot := p.Rate.Peak, f.atPeak(p)
	switch s.Verb {
	case plan.Query:
		k := s.Kinds[0]
		paths := bound(s, k)
		if f.OwnerOf(k.Entity, paths).Entity == nil { // as what writes there calls it
			paths = partitionPaths(k, s.Access)
		}
		share := f.Hottest(hot.matches(p, s, k).weight)
		units := f.reads(p, s)[s.Access.Name()] / math.Max(float64(s.Scatter), 1)
		of := f.OwnerOf(k.Entity, paths)
		for _, on := range f.Asked(k.Entity, partitionKeys(k, s.Access), constant(s)) {
			part := on.Share
			if of.Entity == nil { // values are what the calls are spread over
				part = 1
			}
			add(heatKey{s.Access.Name(), ownerName(k, of, paths), on.Value, false}, Part{p.Name, peak, part * share, units, false}, 0)
		}
	case plan.Get, plan.BatchGet:
		f.heatOfGet(p, s, f.reads(p, s)[s.Kind.Table.Name], add)
	case plan.TransactGet:
		for _, a := range s.Actions {
			f.heatOfGet(p, a, f.get(p, a, capacity.Transactional), add)
		}
	case plan.Transact, plan.BatchWrite:
		for _, a := range s.Actions {
			f.heatOf(p, a, s.Transacted(), add)
		}
	case plan.Put, plan.Update, plan.Delete, plan.Check:
		f.heatOf(p, s, false, add)
	}
}

// constant is what a query says of a part of its key, if that is a value of its own.
func constant(s *plan.Stage) func(path spec.Path) (spec.Expr, bool) {
	return func(path spec.Path) (spec.Expr, bool) {
		for _, b := range s.Where {
			if b.Form == "is" && slices.Equal(b.Path, path) && len(b.Values) == 1 {
				return b.Values[0], true
			}
		}
		return spec.Expr{}, false
	}
}

// heatOfGet adds what a read by key does to the item most read, and to the key of an owner under which it lies with
// others.
func (f *figures) heatOfGet(p *spec.Pattern, s *plan.Stage, units float64, add func(k heatKey, part Part, transactions float64)) {
	units /= math.Max(float64(s.Scatter), 1)
	k := s.Kind
	hot := f.atPeak(p)
	item, under := hot.hottestRead(p, s)
	add(heatKey{k.Table.Name, itemName(k), "", true}, Part{p.Name, p.Rate.Peak, item, units, false}, 0)
	paths := partitionPaths(k, k.Table.Base)
	if o := f.OwnerOf(k.Entity, paths); k.Role == plan.EntityItem && o.Entity != nil && o.Entity != k.Entity && len(k.Table.Base.Sort) > 0 {
		if under == 0 { // whichever is read: large owners have more
			direct, _ := f.Under(o)
			under = f.Hottest(direct)
		}
		if p.Read != nil && f.OwnerOf(p.Read, p.Given).Entity == o.Entity {
			under = f.Hottest(hot.calls(p, o.Members, f.Lying(o.Ways[len(o.Ways)-1])))
		}
		add(heatKey{k.Table.Name, ownerName(k, o, paths), "", false}, Part{p.Name, p.Rate.Peak, math.Max(under, item) / float64(shardsOf(k, k.Table.Base)), units, false}, 0)
	}
}

// hottestRead is the share of reads by key that fall on the item most read, and on the owner whose items are most read;
// 0 where nothing is known of that. What is read for each item of a range is read as often as calls are about that
// range; what these items refer to, as often as the most popular is referred to.
func (f *figures) hottestRead(p *spec.Pattern, s *plan.Stage) (item, under float64) {
	item = f.Hottest(f.picked(p, s.Kind))
	if p.Writes() {
		if way := f.Causes(p, s.Kind.Entity); way != nil { // it asks whether the parent of what it writes is there
			item = math.Max(item, f.hottestParent(p, way))
		}
	}
	for _, r := range references(s) {
		before, name := earlier(s, r[0]), r[len(r)-1]
		if r[0] == "each" && len(s.Each) > 0 {
			before = earlier(s, s.Each[0])
		}
		if before == nil || before.Kind == nil || len(r) != 2 {
			continue
		}
		a := before.Kind.Entity.Attribute(name)
		if a != nil && a.Reference != nil && a.Reference.To == s.Kind.Entity {
			most := f.Hottest(f.Lying(a.Reference))
			if way := leadsTo(s, before); way != nil { // a batch asks for it once
				times := math.Max(f.times(p, s), 1e-9)
				most = math.Min(float64(most*f.referring(p, s, way, before)), 1) / times
			}
			return math.Max(item, most), 0
		}
		if before.Verb != plan.Query || before.Kind.Entity != s.Kind.Entity {
			continue
		}
		m := f.matches(p, before, before.Kinds[0])
		calls, shown := f.Hottest(m.weight), 1.0
		if before == s.Procedure.Cursor { // one of its pages
			shown = math.Min(float64(before.Wanted())/math.Max(f.most(m), 1), 1)
		} else if _, ok := s.Narrows(); ok {
			shown = math.Min(float64(s.Procedure.Leaves())/math.Max(f.most(m), 1), 1)
		}
		return math.Max(item, calls*shown/math.Max(f.times(p, s), 1)), calls
	}
	return item, 0
}

func ownerName(k *plan.Kind, o owner, paths []spec.Path) string {
	if o.Entity != nil {
		return o.Entity.Name
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

// heatOf adds what a write does: to the item, and to the partition of each index that it touches.
func (f *figures) heatOf(p *spec.Pattern, s *plan.Stage, transacted bool, add func(k heatKey, part Part, transactions float64)) {
	out := f.writes(p, s, transacted)
	peak := p.Rate.Peak
	k := s.Kind
	if s.Verb != plan.Put && k.Role != plan.UniqueItem {
		share := f.atPeak(p).hottestItem(p, s)
		transactions := 0.0
		if transacted {
			transactions = peak * share * f.times(p, s)
		}
		add(heatKey{k.Table.Name, itemName(k), "", true}, Part{p.Name, peak, share, out[k.Table.Name], true}, transactions)
	}
	for _, x := range append([]*plan.Access{k.Table.Base}, k.Table.Indexes...) {
		n := out[x.Name()]
		if n == 0 {
			continue
		}
		paths := partitionPaths(k, x)
		o := f.OwnerOf(k.Entity, paths)
		if o.Entity == k.Entity {
			continue // a partition of its own: the item's load
		}
		of := ownerName(k, o, paths)
		for _, fall := range f.atPeak(p).falls(p, s, x) {
			add(heatKey{x.Name(), of, fall.value, false}, Part{p.Name, peak, fall.share / float64(shardsOf(k, x)), n * fall.part, true}, 0)
		}
	}
}

// fall is the part of a write's units in a table or index that goes to keys with some values, and the share of calls in
// which that is the hottest of these keys.
type fall struct {
	value       string
	part, share float64
}

// falls are the keys of a table or index on which a write falls, a share of its calls each.
func (f *figures) falls(p *spec.Pattern, s *plan.Stage, x *plan.Access) (out []fall) {
	k := s.Kind
	act := workload.ActionOf(p, k.Entity)
	keys := partitionKeys(k, x)
	arms := []arm{{units: 1}}
	creates := s.Verb == plan.Put && s.Embed == nil && (act == nil || act.Verb != spec.Replace) // not a child inside what is there
	if creates {
		arms[0].is = f.Initial(k.Entity)
	} else if act != nil && act.Entity == k.Entity {
		arms[0].is = workload.Demanded(p, k.Entity)
	}
	if x.Index != "" {
		arms = f.arms(p, s, x)
	}
	total := 0.0
	for _, a := range arms {
		total += a.units
	}
	for _, a := range arms {
		fresh := func(name string) bool {
			return creates || a.step != nil && a.step.Writes(act, name)
		}
		for _, on := range f.Falls(p, act, k.Entity, keys, a.is, fresh) {
			i := slices.IndexFunc(out, func(o fall) bool { return o.value == on.Value && o.share == on.Share })
			if i < 0 {
				i = len(out)
				out = append(out, fall{on.Value, 0, on.Share})
			}
			out[i].part += a.units / total
		}
	}
	return out
}

// partitionKeys are the parts of an entity of which the partition of a key is made.
func partitionKeys(k *plan.Kind, x *plan.Access) (out []workload.Key) {
	for _, w := range x.Partition {
		r := k.Recipe(w.Name)
		if r == nil {
			continue
		}
		for _, part := range r.Parts {
			if part.Path != nil {
				bucket := slices.ContainsFunc(part.Codecs, func(name string) bool { c, err := keys.ParseCodec(name); return err == nil && c.Bucketed() })
				out = append(out, workload.Key{Path: part.Path, Bucket: bucket})
			}
		}
	}
	return out
}

// itemName says whose item carries a load: an entity, a part of one, or a number that is kept beside it.
func itemName(k *plan.Kind) string {
	if k.Role == plan.EntityItem && !k.Part() {
		return k.Entity.Name
	}
	return k.Name
}

// hottestCount is the share of the changes of a number kept beside its entity that fall on the item most written: it
// changes as the children come and go that it counts.
func (f *figures) hottestCount(p *spec.Pattern, k *plan.Kind) float64 {
	share := 1 / float64(f.Members(k.Entity))
	if d := k.Attribute.Derived; d != nil && len(d.Path) > 0 {
		if way := k.Entity.WayBack(d.Path[0]); way != nil {
			share = f.hottestParent(p, way)
		}
	}
	return share / float64(max(k.Shards, 1))
}

// hottestParent is the share of the calls of a pattern that are about children of one parent: as the pattern says of
// the foreign key, else as many as the parent has.
func (f *figures) hottestParent(p *spec.Pattern, way *spec.Relationship) float64 {
	return f.Hottest(f.parents(p, way))
}

// parents is how the calls of a pattern spread over the parents of the children that they are about.
func (f *figures) parents(p *spec.Pattern, way *spec.Relationship) spread {
	for _, a := range way.By {
		if skew := f.SkewOf(p, spec.Path{a.Name}); !skew.Uniform() {
			return workload.Calls(f.Members(way.To), skew)
		}
	}
	return f.Kids(way)
}

// hottestItem is the share of calls that fall on the item most written.
func (f *figures) hottestItem(p *spec.Pattern, s *plan.Stage) float64 {
	e := s.Kind.Entity
	switch s.Kind.Role {
	case plan.SequenceItem: // one for each of what the numbers run within
		if way := s.Kind.Attribute.Sequence.Reference; way != nil {
			return f.Hottest(f.Kids(way))
		}
		return 1
	case plan.AggregateItem:
		return f.hottestCount(p, s.Kind)
	}
	if s.Verb == plan.Put && f.Once(p, workload.ActionOf(p, e), e) {
		return 1 / float64(f.Members(e))
	}
	if skew := f.SkewOver(p, e); !skew.Uniform() {
		return f.Hottest(workload.Calls(f.Members(e), skew))
	}
	// An action whose key comes from children's foreign keys is as skewed as these are.
	share := 1 / float64(f.Members(e))
	if workload.ActionOf(p, e) == nil { // it counts its children, or holds them
		if way := f.Causes(p, e); way != nil {
			share = f.hottestParent(p, way)
		}
	}
	for _, a := range p.Actions {
		if a.Entity != e {
			continue
		}
		for _, key := range a.Key {
			if at := workload.Referenced(p, a, key.Value.Reference); at != nil && at.Reference != nil && f.Children(at.Reference).Stated {
				others := f.Members(e) / max(f.Members(at.Reference.To), 1)
				share = math.Max(share, f.hottestParent(p, at.Reference)/math.Max(float64(others), 1))
			}
		}
	}
	return share
}
