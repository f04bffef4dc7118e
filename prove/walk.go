package prove

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// A walk follows the reading steps of a plan through the oracle's data, without a request: which instances lie in the
// range that a step asks for, how many of them it looks at until it has what it wants, and what it hands to the next.
// It counts what estimates rest on; what calls really consume is measured, and compared with what these counts come to.
type walk struct {
	o     *Oracle
	p     *spec.Pattern
	proc  *plan.Procedure
	src   *source
	calls int
	runs  map[*plan.Stage]map[string]*run   // by what is in them
	part  int                               // of the calls, that met answers for; -1: all
	in    [walkParts]int                    // calls of each part
	open  map[*plan.Stage]bool              // steps of which a walk cannot tell
	lies  map[string][]*Instance            // what lies in a range, by step and values
	test  map[*plan.Stage]spec.Condition    // filters
	bytes map[itemOf]float64                // what items hold
	packs map[*plan.Kind]map[string]float64 // what items hold in which several entities lie
	scans map[*plan.Stage]*scanned          // what a scan reads, whatever the call is about

	passed int // instances in the ranges of queries, looked at or not
}

// walkParts are how many parts the calls of a walk make, each a small picture of all: how much these differ says how
// far what is met by all can be off.
const walkParts = 16

// run is a run, and how often it was met in each part of the calls.
type run struct {
	cost.Run
	in [walkParts]float64
}

// scanned is how many items of each kind a scan reads, and what one of these holds.
type scanned struct {
	items, bytes []int
	passed       int // items in all
}

// itemOf is the item of an instance, or its entry in an index.
type itemOf struct {
	kind *plan.Kind
	in   *plan.Access
	of   *Instance
}

// holds is what an item holds of stored attributes: names and values.
func (w *walk) holds(k *plan.Kind, x *plan.Access, in *Instance) float64 {
	if x == nil {
		x = k.Table.Base
	}
	key := itemOf{k, x, in}
	if n, ok := w.bytes[key]; ok {
		return n
	}
	n := 0
	for _, s := range k.Stored {
		r := k.Recipe(s.Name)
		if v := w.o.value(in, s.Path); !v.IsZero() && (r == nil || r.Native) && x.Projects(s.Name) {
			n += len(s.Name) + v.Size()
		}
	}
	if k.Stamp != "" && x.Projects(k.Stamp) {
		n += len(k.Stamp) + plan.StampBytes
	}
	for _, e := range k.Embeds {
		if !x.Projects(e.Attribute) {
			continue
		}
		n += len(e.Attribute)
		if e.As != "value" {
			n += 3
		}
		for _, child := range w.o.children(in, e.Way) {
			n += w.childHolds(e, child)
		}
	}
	w.bytes[key] = float64(n)
	return float64(n)
}

// childHolds is what a child takes inside the item of its parent.
func (w *walk) childHolds(e *plan.Embedding, child *Instance) int {
	n := 3
	switch e.As {
	case "value":
	case "map":
		n += 1 + len(e.Name(w.o.value(child, spec.Path{e.By.Name})))
	default:
		n++
	}
	for _, s := range e.Stored {
		if v := w.o.value(child, s.Path); !v.IsZero() {
			n += 1 + len(s.Name) + v.Size()
		}
	}
	return n
}

// each is what one of some items holds on average, in bytes.
func (w *walk) each(k *plan.Kind, x *plan.Access, all []*Instance) int {
	if len(all) == 0 {
		return 0
	}
	sum := 0.0
	for _, in := range all {
		sum += w.holds(k, x, in)
	}
	return int(math.Round(sum / float64(len(all))))
}

func newWalk(o *Oracle, proc *plan.Procedure, src *source) *walk {
	w := &walk{o: o, p: proc.Pattern, proc: proc, src: src, runs: map[*plan.Stage]map[string]*run{}, part: -1, open: map[*plan.Stage]bool{}, lies: map[string][]*Instance{}, test: map[*plan.Stage]spec.Condition{}, bytes: map[itemOf]float64{}, scans: map[*plan.Stage]*scanned{}}
	for _, s := range proc.Stages {
		w.runs[s] = map[string]*run{}
		w.open[s] = !w.tells(s)
	}
	return w
}

// tells reports whether a walk can follow a step: of a page of a scan, of buckets, and of reads by a key that is spread
// over shards, the laws know as much.
func (w *walk) tells(s *plan.Stage) bool {
	if s.Scatter < 0 || s.Kind == nil && len(s.Kinds) == 0 || s.Scatter > 0 && (s.Verb != plan.Query || len(s.Kinds) > 1) {
		return false
	}
	for _, b := range s.Needs { // what waits for a write finds what was there before it
		if w.open[b] && !(b.Verb.Writes() && slices.Contains(s.Document.After, b.Name)) {
			return false
		}
	}
	if len(s.Each) > 1 && w.step(s.Each[0]) != nil {
		return false
	}
	kinds := s.Kinds
	switch s.Verb {
	case plan.Get, plan.BatchGet:
		kinds = []*plan.Kind{s.Kind}
		for _, text := range s.Document.Key {
			if _, err := spec.ParseValue(text); err != nil {
				return false
			}
		}
	case plan.Query:
		if len(kinds) > 1 && (s.Wanted() > 0 || s.Evaluate > 0 || s.Document.Filter != "") {
			return false
		}
		if !w.filters(s) {
			return false
		}
		for _, b := range s.Where {
			if b.Path == nil && s.Scatter == 0 {
				return false
			}
		}
	case plan.Scan: // of which a page may begin anywhere
		if s.Wanted() > 0 || s.Evaluate > 0 || !w.filters(s) {
			return false
		}
	default:
		return false
	}
	for _, k := range kinds {
		sharded := k.Shards > 0 && s.Scatter == 0 && (s.Verb != plan.Query || s.Access.Index == "")
		if sharded && (s.Verb == plan.Query || k.ShardBy == nil) { // else a key says in which shard its item lies
			return false
		}
		switch k.Role {
		case plan.EntityItem, plan.CopyItem:
		case plan.UniqueItem:
			if s.Verb == plan.Query && !k.Lists() {
				return false
			}
		case plan.AggregateItem: // as many as there are instances, or might be
			if s.Verb == plan.Query || s.Verb == plan.Scan {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// filters reads the filter of a step, if it has one.
func (w *walk) filters(s *plan.Stage) bool {
	if s.Document.Filter == "" {
		return true
	}
	c, err := spec.ParseCondition(s.Document.Filter)
	if err == nil {
		w.test[s] = c
	}
	return err == nil
}

func (w *walk) step(name string) *plan.Stage {
	i := slices.IndexFunc(w.proc.Stages, func(s *plan.Stage) bool { return s.Name == name && name != "" })
	if i < 0 {
		return nil
	}
	return w.proc.Stages[i]
}

// looksOfGet is how many instances could be looked at while one is found by its key.
const looksOfGet = 5

// call walks through one call, and through one of its pages, each being as likely. It tells what each step finds, and
// what values there are then.
func (w *walk) call(args attr.Item) (found map[*plan.Stage][]*Instance, values attr.Item) {
	w.calls++
	w.in[w.current()]++
	found, values = map[*plan.Stage][]*Instance{}, args.Clone()
	var left map[*Instance]bool
	for _, s := range w.proc.Stages {
		if w.open[s] {
			continue
		}
		elements := []attr.Item{{}}
		if len(s.Each) > 0 {
			elements = w.elements(s, found, args, w.left(s, args, &left))
		}
		seen := map[string]bool{}
		for _, e := range elements {
			switch s.Verb {
			case plan.Query:
				found[s] = append(found[s], w.query(s, args, values, e)...)
			case plan.Scan:
				found[s] = append(found[s], w.scan(s, args, values, e)...)
			default:
				w.o.looked += looksOfGet
				if in, key, ok := w.get(s, values, e); ok && !(s.Verb == plan.BatchGet && seen[key]) {
					seen[key] = true
					if in == nil {
						w.note(s, []int{0}, 0, []int{0})
					} else {
						w.note(s, []int{1}, 0, []int{w.each(s.Kind, nil, []*Instance{in})})
						found[s] = append(found[s], in)
					}
				}
			}
		}
		found[s] = slices.DeleteFunc(found[s], func(in *Instance) bool { return w.gone(s, in) })
		if list := found[s]; len(list) > 0 && s.Name != "" {
			values.Set(s.Name, attr.Map(w.o.whole(list[0])))
		}
	}
	return found, values
}

// current is the part of the calls that the one under way belongs to.
func (w *walk) current() int { return (w.calls - 1) / strata % walkParts }

// gone reports whether a read leaves out what a step has found: it has expired, and what is read of it says so.
func (w *walk) gone(s *plan.Stage, in *Instance) bool {
	if w.p.Writes() || !w.o.expired(in) {
		return false
	}
	tells := func(k *plan.Kind) bool { return k != nil && k.Entity == in.Entity && s.TellsEnd(k) }
	return tells(s.Kind) || slices.ContainsFunc(s.Kinds, tells)
}

// keyed are the instances behind the keys of a step that writes by what a walk has found; known is false where it
// cannot tell.
func (w *walk) keyed(s *plan.Stage, found map[*plan.Stage][]*Instance, args, values attr.Item) (all []*Instance, known bool) {
	elements := []attr.Item{{}}
	if len(s.Each) > 0 {
		if before := w.step(s.Each[0]); len(s.Each) > 1 || before != nil && w.open[before] {
			return nil, false
		}
		elements = w.elements(s, found, args, nil)
	}
	for _, text := range s.Document.Key {
		v, err := spec.ParseValue(text)
		if err != nil {
			return nil, false
		}
		for term := range v.Terms() {
			if len(term.Reference) == 0 {
				continue
			}
			if before := w.step(term.Reference[0]); before != nil && w.open[before] {
				return nil, false
			}
		}
	}
	for _, e := range elements {
		if in, _, ok := w.get(s, values, e); ok && in != nil {
			all = append(all, in)
		}
	}
	return all, true
}

// note counts a run.
func (w *walk) note(s *plan.Stage, items []int, until int, bytes []int) {
	var key []byte
	for _, n := range slices.Concat(items, []int{until}, bytes) {
		key = append(key, byte(n), byte(n>>8), byte(n>>16))
	}
	r := w.runs[s][string(key)]
	if r == nil {
		r = &run{Run: cost.Run{Items: slices.Clone(items), Until: until}}
		for _, n := range bytes {
			r.Each = append(r.Each, float64(n))
		}
		w.runs[s][string(key)] = r
	}
	r.Times++
	r.in[w.current()]++
}

// left are the entities that the client leaves when it cuts the answer, each page being as likely, where a step goes
// over these; nil where it does not. They are the same for all steps of a call.
func (w *walk) left(s *plan.Stage, args attr.Item, same *map[*Instance]bool) map[*Instance]bool {
	if _, ok := s.Narrows(); !ok {
		return nil
	}
	if *same == nil {
		*same = map[*Instance]bool{}
		all, n := w.o.matches(w.p, args), w.proc.Leaves()
		begin := 0
		if w.proc.Cut {
			begin = n * w.src.evenIndex(max((len(all)+n-1)/n, 1), w.p, "page")
		}
		for _, m := range all[begin:min(begin+n, len(all))] {
			(*same)[m.Instance] = true
		}
	}
	return *same
}

// elements are what a step goes over; left: of what a step before has found, those of these entities.
func (w *walk) elements(s *plan.Stage, found map[*plan.Stage][]*Instance, args attr.Item, left map[*Instance]bool) (out []attr.Item) {
	if before := w.step(s.Each[0]); before != nil {
		for _, in := range found[before] {
			if left == nil || left[in] {
				out = append(out, w.o.whole(in))
			}
		}
		return out
	}
	list := args.Get(s.Each[0]).Elems()
	for i, name := range s.Each[1:] {
		up := list
		if v := args.Get(s.Each[0]); i == 0 && v.Kind() == attr.KindM { // the call's value, not a list of such
			up = []attr.Value{v}
		}
		list = nil
		for _, v := range up {
			if in := v.Map().Get(name); in.Kind() == attr.KindM { // a single child
				list = append(list, in)
			} else {
				list = append(list, in.Elems()...)
			}
		}
	}
	for _, v := range list {
		out = append(out, elementItem(v))
	}
	return out
}

// value is what a key is made of; false where it is not there, so that no request is made.
func (w *walk) value(v spec.Expr, values, each attr.Item) (attr.Value, bool) {
	x, ok := w.o.eval(v, nil, values, each)
	return x, ok && !x.IsZero()
}

// get is the instance behind a key; nil if there is none.
func (w *walk) get(s *plan.Stage, values, each attr.Item) (in *Instance, key string, ok bool) {
	var it attr.Item
	for name, text := range s.Document.Key {
		v, err := spec.ParseValue(text)
		if err != nil {
			return nil, "", false
		}
		x, ok := w.value(v, values, each)
		if !ok {
			return nil, "", false
		}
		it.Set(name, x)
	}
	e := s.Kind.Entity
	if !slices.ContainsFunc(e.Identity, func(a *spec.Attribute) bool { return !it.Has(a.Name) }) {
		return w.o.Find(e, it), e.IdentityOf(it), true
	}
	for _, a := range s.Kind.Unique {
		if !it.Has(a.Name) {
			return nil, "", false
		}
	}
	if len(s.Kind.Unique) == 0 {
		return nil, "", false
	}
	for _, in := range w.o.stores[e].lookup(s.Kind.Unique[0].Name, it.Get(s.Kind.Unique[0].Name)) {
		if !slices.ContainsFunc(s.Kind.Unique, func(a *spec.Attribute) bool { return !attr.Equal(in.Item.Get(a.Name), it.Get(a.Name)) }) &&
			claimed(s.Kind, in.Item) {
			return in, in.ID, true
		}
	}
	return nil, string(attr.AppendItem(nil, it)), true
}

// query is what a query hands on, and notes what it meets.
func (w *walk) query(s *plan.Stage, args, values, each attr.Item) []*Instance {
	bounds := make([][]attr.Value, len(s.Where))
	key := []byte(s.Name)
	for i, b := range s.Where {
		if b.Path == nil {
			continue
		}
		known := 0
		for _, v := range b.Values { // of a range of which a call leaves out one end the other one stays
			x, ok := w.value(v, values, each)
			switch {
			case ok:
				known++
				key = attr.AppendValue(append(key, byte(i), byte(len(bounds[i]))), x)
			case b.Form == "is" && !w.leaves(v, args):
				return nil // nothing to ask for
			default:
				x = attr.Value{}
			}
			bounds[i] = append(bounds[i], x)
		}
		if known == 0 {
			bounds[i] = nil
		}
	}
	if len(s.Kinds) > 1 {
		items, bytes := make([]int, len(s.Kinds)), make([]int, len(s.Kinds))
		var out []*Instance
		for i := range s.Kinds {
			all, ok := w.lying(s, i, string(key), bounds)
			if !ok {
				w.open[s] = true
				return nil
			}
			items[i], bytes[i] = len(all), w.each(s.Kinds[i], s.Access, all)
			if i == 0 {
				out = all
			}
			w.passed += len(all)
		}
		w.note(s, items, 0, bytes)
		return slices.Clone(out)
	}
	all, _ := w.lying(s, 0, string(key), bounds)
	w.passed += len(all)
	// Without an order a page is filled from one shard after the other.
	if s.Scatter > 0 && s == w.proc.Cursor && len(w.p.Order) == 0 {
		all = slices.Clone(all)
		slices.SortStableFunc(all, func(a, b *Instance) int { return shardOf(s, a) - shardOf(s, b) })
	}
	wanted := s.Wanted()
	filter := w.test[s]
	if wanted == 0 && filter == nil {
		w.scattered(s, all, nil, 0, 0)
		if s.Evaluate > 0 && s.Scatter == 0 {
			return slices.Clone(all[:min(len(all), s.Evaluate)])
		}
		return slices.Clone(all)
	}
	var passing []int
	where := w.p.Where
	if len(w.p.Optional) > 0 {
		left := func(name string) bool { return isLeft(w.p, args, name) }
		where, filter = spec.Without(where, left), spec.Without(filter, left)
	}
	main := s.Kinds[0].Entity == w.p.Read
	w.o.looked += len(all)
	for i, in := range all {
		if main && wanted > 0 {
			if !w.o.expired(in) && w.o.given(in, w.p, args) && w.o.holds(where, in, args, attr.Item{}) {
				passing = append(passing, i)
			}
		} else if filter == nil || w.o.holds(filter, in, values, each) {
			passing = append(passing, i)
		}
	}
	at := func(from, to int) (out []*Instance) {
		for _, i := range passing[min(from, len(passing)):min(to, len(passing))] {
			out = append(out, all[i])
		}
		return out
	}
	if wanted == 0 {
		w.scattered(s, all, nil, 0, 0)
		return at(0, len(passing))
	}
	page := 0
	if s == w.proc.Cursor {
		page = w.src.evenIndex(max((len(passing)+wanted-1)/wanted, 1), w.p, "page")
	}
	begin, from := page*wanted, 0
	if begin > 0 {
		from = passing[begin-1] + 1
	}
	w.scattered(s, all, passing, from, wanted)
	return at(begin, begin+wanted)
}

// scan is what a scan hands on, and notes what it reads: all items of its table, or all entries of its index, whatever
// becomes of them.
func (w *walk) scan(s *plan.Stage, args, values, each attr.Item) (out []*Instance) {
	r := w.scans[s]
	if r == nil {
		r = &scanned{}
		for i, k := range s.Kinds {
			all, _ := w.lying(s, i, s.Name, nil)
			r.items, r.bytes = append(r.items, len(all)), append(r.bytes, w.each(k, s.Access, all))
			r.passed += len(all)
		}
		w.scans[s] = r
	}
	w.passed += r.passed
	w.note(s, r.items, 0, r.bytes)
	out, _ = w.lying(s, 0, s.Name, nil)
	filter := w.test[s]
	if len(w.p.Optional) > 0 {
		filter = spec.Without(filter, func(name string) bool { return isLeft(w.p, args, name) })
	}
	if filter == nil {
		return slices.Clone(out)
	}
	w.o.looked += len(out)
	return slices.DeleteFunc(slices.Clone(out), func(in *Instance) bool { return !w.o.holds(filter, in, values, each) })
}

// leaves reports whether a value is a parameter that the call leaves out: what is bound by it is open then.
func (w *walk) leaves(v spec.Expr, args attr.Item) bool {
	for t := range v.Terms() {
		if len(t.Reference) > 0 && isLeft(w.p, args, t.Reference[0]) {
			return true
		}
	}
	return false
}

// scattered notes the runs of a query in each shard: each looks for as many as are wanted in all, from where the page
// begins.
func (w *walk) scattered(s *plan.Stage, all []*Instance, passing []int, from, wanted int) {
	if s.Kinds[0].Pack != nil {
		items, until, each := w.evaluates(s, all, passing, from, wanted)
		w.note(s, []int{items}, until, []int{each})
		return
	}
	shards := max(s.Scatter, 1)
	left, found, until := make([]int, shards), make([]int, shards), make([]int, shards)
	members := make([][]*Instance, shards)
	passes := make([]bool, len(all))
	for _, i := range passing {
		passes[i] = true
	}
	for i, in := range all {
		if i < from {
			continue
		}
		n := shardOf(s, in)
		left[n]++
		members[n] = append(members[n], in)
		if passes[i] {
			if found[n]++; found[n] == wanted {
				until[n] = left[n]
			}
		}
	}
	for n := range shards {
		if shards > 1 && from > 0 && left[n] == 0 {
			continue // the page before has come to its end
		}
		looks := members[n] // only so many: those that were made first are the largest, and may lie first or last
		if step := s.Evaluate; step > 0 && (until[n] > 0 || wanted == 0) {
			looks = looks[:min(len(looks), max((until[n]+step-1)/step, 1)*step)]
		}
		w.note(s, []int{left[n]}, until[n], []int{w.each(s.Kinds[0], s.Access, looks)})
	}
}

// shardOf is in which of the shards that a step reads an instance lies. Where a write takes one at random, it is in
// any, the same each time.
func shardOf(s *plan.Stage, in *Instance) int {
	if s.Scatter < 2 {
		return 0
	}
	if by := s.Kinds[0].ShardBy; by != nil {
		return keys.Shards{Of: s.Scatter}.Hash(in.Item.Get(by.Name))
	}
	h := fnv.New32a()
	h.Write([]byte(in.ID))
	return int(h.Sum32() % uint32(s.Scatter))
}

// lying are the instances of one of a query's kinds that lie in its range, in its order.
func (w *walk) lying(s *plan.Stage, kind int, key string, bounds [][]attr.Value) ([]*Instance, bool) {
	k := s.Kinds[kind]
	key = string(append([]byte(key), 0xff, byte(kind)))
	if all, ok := w.lies[key]; ok {
		return all, true
	}
	paths := make([]spec.Path, len(s.Where))
	for i, b := range s.Where {
		if paths[i] = b.Path; kind > 0 && b.Path != nil {
			if paths[i] = like(s.Kinds[0], k, b); paths[i] == nil {
				return nil, false
			}
		}
	}
	var out []*Instance
	for _, in := range w.candidates(s, k, paths, bounds) {
		w.o.looked++
		if w.inside(s, k, in, paths, bounds) && w.entered(k, s.Access, in) {
			out = append(out, in)
		}
	}
	if s.Access != nil && kind == 0 {
		w.sort(s, k, out)
	}
	w.lies[key] = out
	return out, true
}

// like is the path that stands in the key of another kind where a query binds one of the first.
func like(first, k *plan.Kind, b *plan.Bound) spec.Path {
	r, o := first.Recipe(b.Wire.Name), k.Recipe(b.Wire.Name)
	if r == nil || o == nil {
		return nil
	}
	for i, part := range r.Parts {
		if slices.Equal(part.Path, b.Path) && i < len(o.Parts) && slices.Equal(r.Literals[:i+1], o.Literals[:i+1]) {
			return o.Parts[i].Path
		}
	}
	return nil
}

func (w *walk) candidates(s *plan.Stage, k *plan.Kind, paths []spec.Path, bounds [][]attr.Value) []*Instance {
	var best []*Instance
	known := false
	for i, b := range s.Where {
		if b.Form != "is" || len(bounds[i]) != 1 {
			continue
		}
		var some []*Instance
		if a := k.Entity.Attribute(paths[i][0]); len(paths[i]) == 1 && a != nil && a.Derived == nil {
			some = w.o.stores[k.Entity].lookup(a.Name, bounds[i][0])
		} else if to, ways := leads(k.Entity, paths[i]); to != nil && len(ways) > 0 {
			some = w.o.reaching(w.o.stores[to].lookup(statedOf(to, ways, paths[i][len(paths[i])-1]).Name, bounds[i][0]), ways)
		} else {
			continue
		}
		if !known || len(some) < len(best) {
			best, known = some, true
		}
	}
	if !known {
		return w.o.Instances(k.Entity)
	}
	return best
}

// inside reports whether an instance lies in a query's range.
func (w *walk) inside(s *plan.Stage, k *plan.Kind, in *Instance, paths []spec.Path, bounds [][]attr.Value) bool {
	for i, b := range s.Where {
		if len(bounds[i]) == 0 {
			continue
		}
		v := w.o.value(in, paths[i])
		if v.IsZero() {
			if b.Absent {
				continue
			}
			return false
		}
		if k.Pack != nil && b.Path[0] == k.Pack.By.Name && b.Form != "prefix" {
			if !bucketed(s, k, v, b, bounds[i]) {
				return false
			}
			continue
		}
		ok := true
		d := 0
		if b.Form != "is" && b.Form != "prefix" {
			d = w.compare(k, paths[i], v, bounds[i][0])
		}
		switch b.Form {
		case "is":
			ok = attr.Equal(v, bounds[i][0])
		case "prefix":
			ok = strings.HasPrefix(v.Str(), bounds[i][0].Str())
		case "from":
			ok = d >= 0
		case "after":
			ok = d > 0
		case "to":
			ok = d <= 0
		case "before":
			ok = d < 0
		case "between":
			ok = (bounds[i][0].IsZero() || d >= 0) && (bounds[i][1].IsZero() || w.compare(k, paths[i], v, bounds[i][1]) <= 0)
		}
		if !ok {
			return false
		}
	}
	return true
}

// keyed are the templates of the key of an access for a kind; nil if it has none there.
func keyed(k *plan.Kind, x *plan.Access) (out []*plan.Recipe) {
	for _, wire := range slices.Concat(x.Partition, x.Sort) {
		r := k.Recipe(wire.Name)
		if r == nil {
			return nil
		}
		out = append(out, r)
	}
	return out
}

// entered reports whether an instance has an entry in an access.
func (w *walk) entered(k *plan.Kind, x *plan.Access, in *Instance) bool {
	if k.Role == plan.UniqueItem {
		return claimed(k, in.Item)
	}
	if x.Index == "" {
		return true
	}
	keys := keyed(k, x)
	for _, r := range keys {
		if r.When != nil && !w.o.holds(r.When, in, attr.Item{}, attr.Item{}) {
			return false
		}
		for _, part := range r.Parts {
			if r.Else == "" && part.Path != nil && w.o.value(in, part.Path).IsZero() {
				return false
			}
		}
	}
	return keys != nil
}

// compare orders values of an attribute as keys do: enums and states that have an order by that.
func (w *walk) compare(k *plan.Kind, path spec.Path, x, y attr.Value) int {
	if x.IsZero() || y.IsZero() { // what is written instead lies where the order asks for it
		low := slices.ContainsFunc(w.p.Order, func(o spec.Order) bool { return slices.Equal(o.Path, path) && o.First != o.Descending })
		switch {
		case x.IsZero() && y.IsZero():
			return 0
		case x.IsZero() == low:
			return -1
		}
		return 1
	}
	if a := k.Entity.Attribute(path[0]); a != nil && len(path) == 1 && a.Ranked() {
		return a.Compare(x, y)
	}
	switch {
	case x.Kind() != y.Kind():
		return cmp.Compare(x.Kind(), y.Kind())
	case x.Kind() <= attr.KindB:
		return attr.Compare(x, y)
	}
	return bytes.Compare(attr.AppendValue(nil, x), attr.AppendValue(nil, y))
}

// sort brings instances into the order in which a query of an access finds them.
func (w *walk) sort(s *plan.Stage, k *plan.Kind, all []*Instance) {
	var paths []spec.Path
	for _, wire := range s.Access.Sort {
		if r := k.Recipe(wire.Name); r != nil {
			for _, part := range r.Parts {
				if part.Path != nil {
					paths = append(paths, part.Path)
				}
			}
		}
	}
	keys := make(map[*Instance][]attr.Value, len(all))
	for _, in := range all {
		for _, path := range paths {
			keys[in] = append(keys[in], w.o.value(in, path))
		}
	}
	slices.SortFunc(all, func(a, b *Instance) int {
		d := 0
		for i := 0; i < len(paths) && d == 0; i++ {
			d = w.compare(k, paths[i], keys[a][i], keys[b][i])
		}
		if d == 0 {
			d = byBirth(a, b)
		}
		if s.Descending { // what is equal comes the other way round as well
			return -d
		}
		return d
	})
}

// met are the runs of a step, as estimates want them: those of all calls, or of a part of them.
func (w *walk) met(s *plan.Stage) ([]cost.Run, bool) {
	all, ok := w.runs[s]
	if !ok || w.open[s] || w.calls == 0 {
		return nil, false
	}
	out := make([]cost.Run, 0, len(all))
	for _, r := range all {
		times := r.Times / float64(w.calls)
		if w.part >= 0 {
			times = r.in[w.part] / float64(max(w.in[w.part], 1))
		}
		if times > 0 {
			out = append(out, cost.Run{Times: times, Items: r.Items, Until: r.Until, Each: r.Each})
		}
	}
	slices.SortFunc(out, func(a, b cost.Run) int {
		return cmp.Or(slices.Compare(a.Items, b.Items), cmp.Compare(a.Until, b.Until), slices.Compare(a.Each, b.Each))
	})
	return out, true
}
