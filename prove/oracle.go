package prove

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// Oracle answers access patterns from their definition alone: it knows entities, relationships and patterns, and
// nothing of tables, keys or plans. What a model answers is right if the oracle answers the same.
type Oracle struct {
	req     *spec.Requirements
	stores  map[*spec.Entity]*store
	now     time.Time
	version uint64 // counts what was stored, changed and deleted
	expires bool   // some entity does: what is found then depends on the time as well
	pools   pools
	looked  int                       // instances that reads have looked at
	keep    time.Duration             // for how long earlier values are remembered; 0: they are not
	sources map[*spec.Entity]bool     // of copies that somebody keeps true later
	late    map[*spec.Attribute]*late // numbers that somebody keeps true later
	pending time.Time                 // since when copies may be old; zero: none is
	// Since the consumer of a stream has looked the last time:
	changed  []*Instance                     // of sources of copies
	counting map[*spec.Attribute][]*Instance // whose number may have changed

	turned map[*Instance]attr.Item // what instances have become by earlier actions of the call that is looked at
	begun  map[string]bool         // what these have created
	ended  map[*Instance]bool      // those that earlier actions of it delete
}

// store holds all instances of one entity, with an index per set of own attributes that somebody has looked for.
type store struct {
	entity  *spec.Entity
	byID    map[string]*Instance
	made    []*Instance          // all that were ever created, in that order
	indexes map[string]*index    // by the names of the attributes
	counted []*spec.Relationship // ways there to what has numbers that are derived from these
	born    int
	lately  *Instance // the last to change
}

// index is the instances that have a value of each of some own attributes.
type index struct {
	attributes []string
	by         func(item attr.Item) string // of what the identity tells alone, instead of attributes
	of         map[string][]*Instance      // encoded values → instances, in the order of their creation
}

// Instance is one entity that is stored, or was.
type Instance struct {
	Entity  *spec.Entity
	Item    attr.Item // own attributes; of derived ones what is unique
	ID      string
	Born    int
	Gone    bool
	Changed time.Time                 // when it was made, changed or deleted last
	Counted time.Time                 // when what numbers of it are derived from changed last
	past    []version                 // what it was before, the latest last
	numbers map[*spec.Attribute][]was // what numbers of it that may lag were before, the latest last
	sums    map[*late]attr.Number     // what children add up to for them now, where that is known
}

// NewOracle makes an oracle that knows nothing yet.
func NewOracle(r *spec.Requirements) *Oracle {
	o := &Oracle{req: r, stores: map[*spec.Entity]*store{}}
	for _, e := range r.Entities {
		s := &store{entity: e, byID: map[string]*Instance{}, indexes: map[string]*index{}}
		for _, way := range e.There {
			if slices.ContainsFunc(way.To.Attributes, func(a *spec.Attribute) bool {
				return a.Derived != nil && a.Derived.Func != "" && a.Derived.Path[0] == way.Inverse
			}) {
				s.counted = append(s.counted, way)
			}
		}
		o.stores[e] = s
		o.expires = o.expires || e.Expires != nil
	}
	return o
}

// fork is an oracle that knows what this one knows now, and what is done in it shows there alone. It remembers nothing
// of before.
func (o *Oracle) fork() *Oracle {
	f := NewOracle(o.req)
	f.now = o.now
	for e, s := range o.stores {
		to := f.stores[e]
		to.born = s.born
		for _, in := range s.made {
			own := &Instance{Entity: e, Item: in.Item, ID: in.ID, Born: in.Born, Gone: in.Gone, Changed: in.Changed, Counted: in.Counted}
			to.byID[in.ID] = own
			to.made = append(to.made, own)
		}
	}
	return f
}

// SetNow tells the time at which what follows happens.
func (o *Oracle) SetNow(t time.Time) { o.now = t }

// Instances are the entities stored now, in the order in which they were created.
func (o *Oracle) Instances(e *spec.Entity) []*Instance {
	s := o.stores[e]
	all := make([]*Instance, 0, len(s.made))
	for _, in := range s.made {
		if !in.Gone {
			all = append(all, in)
		}
	}
	return all
}

// Find is the instance with an identity; nil if there is none now.
func (o *Oracle) Find(e *spec.Entity, identity attr.Item) *Instance {
	in := o.stores[e].byID[e.IdentityOf(identity)]
	if in == nil || in.Gone {
		return nil
	}
	return in
}

func encoded(v attr.Value) string { return string(attr.AppendValue(nil, v)) }

// lookup are the instances whose own attribute has a value, in the order in which they were created. It is the index
// itself: whoever changes what is stored meanwhile clones it.
func (s *store) lookup(attribute string, v attr.Value) []*Instance {
	return s.lookupAll([]string{attribute}, []attr.Value{v})
}

// lookupAll are the instances whose own attributes all have some values: see lookup.
func (s *store) lookupAll(attributes []string, values []attr.Value) []*Instance {
	x := s.index(strings.Join(attributes, " "), func() *index { return &index{attributes: slices.Clone(attributes)} })
	var space [128]byte
	key := space[:0]
	for _, v := range values {
		key = attr.AppendValue(append(key, 0), v)
	}
	return x.of[string(key)]
}

// index is an index by its name, which make makes if there is none yet.
func (s *store) index(name string, make func() *index) *index {
	x := s.indexes[name]
	if x == nil {
		x = make()
		x.of = map[string][]*Instance{}
		s.indexes[name] = x
		for _, in := range s.made {
			if !in.Gone {
				x.enter(in)
			}
		}
	}
	return x
}

func byBirth(a, b *Instance) int { return cmp.Compare(a.Born, b.Born) }

// key is under which an item stands; false if it lacks one of the attributes.
func (x *index) key(item attr.Item) (string, bool) {
	if x.by != nil {
		return x.by(item), true
	}
	var key []byte
	for _, a := range x.attributes {
		v := item.Get(a)
		if v.IsZero() {
			return "", false
		}
		key = attr.AppendValue(append(key, 0), v)
	}
	return string(key), true
}

func (x *index) enter(in *Instance) {
	k, ok := x.key(in.Item)
	if !ok {
		return
	}
	list := x.of[k]
	if n := len(list); n == 0 || list[n-1].Born < in.Born {
		x.of[k] = append(list, in)
		return
	}
	if at, found := slices.BinarySearchFunc(list, in, byBirth); !found {
		x.of[k] = slices.Insert(list, at, in)
	}
}

func (x *index) leave(in *Instance) {
	k, ok := x.key(in.Item)
	if !ok {
		return
	}
	if at, found := slices.BinarySearchFunc(x.of[k], in, byBirth); found {
		x.of[k] = slices.Delete(x.of[k], at, at+1)
	}
}

// put stores a value of an entity, new or changed.
func (o *Oracle) put(e *spec.Entity, item attr.Item) *Instance {
	s := o.stores[e]
	item = o.following(e, item)
	id := e.IdentityOf(item)
	in := s.byID[id]
	if in == nil {
		s.born++
		in = &Instance{Entity: e, ID: id, Born: s.born, Gone: true}
		s.byID[id] = in
		s.made = append(s.made, in)
	}
	o.remember(in)
	o.noteNumbers(in, item)
	o.count(in, item)
	if !in.Gone {
		for _, x := range s.indexes {
			if slices.ContainsFunc(x.attributes, func(a string) bool { return !attr.Equal(in.Item.Get(a), item.Get(a)) }) {
				x.leave(in)
			}
		}
	}
	in.Item, in.Gone, in.Changed = item, false, o.now
	s.lately = in
	o.version++
	for _, x := range s.indexes {
		x.enter(in)
	}
	return in
}

func (o *Oracle) remove(in *Instance) {
	s := o.stores[in.Entity]
	o.remember(in)
	o.noteNumbers(in, attr.Item{})
	o.count(in, attr.Item{})
	for _, x := range s.indexes {
		x.leave(in)
	}
	in.Gone, in.Changed = true, o.now
	s.lately = in
	o.version++
}

// count notes for those whose numbers are derived from an instance that it changes to a value; zero: that it goes.
func (o *Oracle) count(in *Instance, next attr.Item) {
	for _, way := range o.stores[in.Entity].counted {
		for _, item := range []attr.Item{in.Item, next} {
			if parent := o.parent(&Instance{Entity: in.Entity, Item: item}, way); parent != nil {
				parent.Counted = o.now
			}
		}
	}
}

// --- paths ---

// expired reports whether no read returns the instance any more.
func (o *Oracle) expired(in *Instance) bool {
	a := in.Entity.Expires
	if a == nil {
		return false
	}
	v := in.Item.Get(a.Name)
	if v.IsZero() {
		return false
	}
	t, err := time.Parse(time.RFC3339Nano, v.Str())
	return err == nil && !t.After(o.now)
}

// parent is where a way there leads; nil if the foreign key is absent or dangles.
func (o *Oracle) parent(in *Instance, r *spec.Relationship) *Instance {
	var id attr.Item
	for i, a := range r.By {
		v := in.Item.Get(a.Name)
		if v.IsZero() && a.Derived != nil {
			v = o.attribute(in, a)
		}
		if v.IsZero() {
			return nil
		}
		id.Set(r.To.Identity[i].Name, v)
	}
	return o.Find(r.To, id)
}

// children are where a way back leads, in the order in which they were created: see lookup.
func (o *Oracle) children(in *Instance, r *spec.Relationship) []*Instance {
	if len(r.By) == 1 {
		return o.stores[r.From].lookup(r.By[0].Name, in.Item.Get(r.To.Identity[0].Name))
	}
	attributes, values := make([]string, len(r.By)), make([]attr.Value, len(r.By))
	for i, a := range r.By {
		attributes[i], values[i] = a.Name, in.Item.Get(r.To.Identity[i].Name)
	}
	return o.stores[r.From].lookupAll(attributes, values)
}

// follow walks the ways of a path from an instance; what is left is the name of an attribute and maps inside it, or
// nothing if the path ends with a way.
func (o *Oracle) follow(in *Instance, path spec.Path) (ends []*Instance, rest spec.Path) {
	ends = []*Instance{in}
	for i, name := range path {
		e := in.Entity
		if len(ends) > 0 {
			e = ends[0].Entity
		}
		var next []*Instance
		if r := e.WayOn(path[i:]); r != nil {
			for _, x := range ends {
				if p := o.parent(x, r); p != nil && !o.expired(p) {
					next = append(next, p)
				}
			}
		} else if r := e.WayBack(name); r != nil {
			for _, x := range ends {
				for _, c := range o.children(x, r) {
					if !o.expired(c) {
						next = append(next, c)
					}
				}
			}
		} else {
			return ends, path[i:]
		}
		if len(next) == 0 {
			return nil, path[i+1:]
		}
		ends = next
	}
	return ends, nil
}

// held is a path that ends with what identifies the end of a way there, as one that ends with the foreign key that
// holds the same: garden.gardenId is gardenId, also where nobody is there any more.
func held(root *spec.Entity, path spec.Path) spec.Path {
	e := root
	for i := range len(path) - 1 {
		way := e.WayThere(path[i])
		if way == nil {
			back := e.WayBack(path[i])
			if back == nil {
				return path
			}
			e = back.From
			continue
		}
		if i == len(path)-2 {
			for j, a := range way.To.Identity {
				if a.Name == path[i+1] {
					return held(root, append(slices.Clone(path[:i]), way.By[j].Name))
				}
			}
		}
		e = way.To
	}
	return path
}

// values are all values at the end of a path; a to-one path has at most one.
func (o *Oracle) values(in *Instance, path spec.Path) []attr.Value {
	ends, rest := o.follow(in, held(in.Entity, path))
	var out []attr.Value
	for _, x := range ends {
		if len(rest) == 0 {
			continue
		}
		v := x.Item.Get(rest[0])
		if a := x.Entity.Attribute(rest[0]); v.IsZero() && a != nil && a.Derived != nil {
			v = o.attribute(x, a)
		}
		for _, name := range rest[1:] {
			v = v.Map().Get(name)
		}
		if !v.IsZero() {
			out = append(out, v)
		}
	}
	return out
}

func (o *Oracle) value(in *Instance, path spec.Path) attr.Value {
	if len(path) == 1 { // the common case, and a hot one: it needs no walk and no slices
		if v := in.Item.Get(path[0]); !v.IsZero() {
			return v
		}
	}
	if vs := o.values(in, path); len(vs) > 0 {
		return vs[0]
	}
	return attr.Value{}
}

// attribute is the value of a derived attribute.
func (o *Oracle) attribute(in *Instance, a *spec.Attribute) attr.Value {
	if a.Derived.Func == "" {
		return o.value(in, a.Derived.Path)
	}
	ends, rest := o.follow(in, a.Derived.Path)
	if a.Last() {
		_, of, by := a.Newest()
		var newest *Instance
		for _, x := range ends {
			if newest == nil || by.Compare(x.Item.Get(by.Name), newest.Item.Get(by.Name)) > 0 {
				newest = x
			}
		}
		if newest == nil {
			return attr.Value{}
		}
		return newest.Item.Get(of.Name)
	}
	if where := a.Derived.Where; where != nil {
		ends = slices.DeleteFunc(slices.Clone(ends), func(x *Instance) bool { return !o.holds(where, x, attr.Item{}, attr.Item{}) })
		if len(rest) > 0 {
			var vs []attr.Value
			for _, x := range ends {
				if v := x.Item.Get(rest[0]); !v.IsZero() {
					vs = append(vs, v)
				}
			}
			return aggregate(a.Derived.Func, vs)
		}
	}
	if a.Derived.Func == "count" && len(rest) == 0 {
		return attr.Num(attr.Int(int64(len(ends))))
	}
	return aggregate(a.Derived.Func, o.values(in, a.Derived.Path))
}

// aggregate folds values; sum of nothing is 0, min and max of nothing are absent.
func aggregate(f string, vs []attr.Value) attr.Value {
	switch f {
	case "count":
		return attr.Num(attr.Int(int64(len(vs))))
	case "exists":
		return attr.Bool(len(vs) > 0)
	case "sum":
		var sum attr.Number
		for _, v := range vs {
			s, err := sum.Add(v.Number())
			if err != nil {
				return attr.Value{}
			}
			sum = s
		}
		return attr.Num(sum)
	}
	var best attr.Value
	for _, v := range vs {
		if best.IsZero() || (attr.Compare(v, best) < 0) == (f == "min") {
			best = v
		}
	}
	return best
}

// whole is an entity's value as it is returned: with its derived attributes.
func (o *Oracle) whole(in *Instance) attr.Item {
	item := in.Item.Clone()
	for _, a := range in.Entity.Attributes {
		if a.Derived != nil {
			item.Set(a.Name, o.attribute(in, a))
		}
	}
	return item
}

// pathText is how messages name a path.
func pathText(p spec.Path) string { return strings.Join(p, ".") }

// --- values and conditions ---

// subject lets conditions and values walk from an instance through its relationships.
type subject struct {
	o  *Oracle
	in *Instance
}

func (s subject) Present() bool             { return s.in != nil }
func (s subject) At(p spec.Path) attr.Value { return s.o.value(s.in, p) }

// bare is the name under which an element of a list that is no map stands in an item of its own.
const bare = ""

// elementItem is an element of a list as an item.
func elementItem(v attr.Value) attr.Item {
	if v.Kind() == attr.KindM {
		return v.Map()
	}
	return attr.ItemOf(attr.Field{Name: bare, Value: v})
}

// env is what expressions of a call see.
func (o *Oracle) env(args, each attr.Item) spec.Env {
	values := args
	if each.Len() > 0 {
		values = args.Clone()
		if v := each.Get(bare); each.Len() == 1 && !v.IsZero() {
			values.Set("each", v)
		} else {
			values.Set("each", attr.Map(each))
		}
	}
	return spec.Env{Now: o.now, Values: values}
}

// holds reports whether a condition is true; what cannot be compared is not.
func (o *Oracle) holds(c spec.Condition, in *Instance, args, each attr.Item) bool {
	ok, err := spec.Holds(c, subject{o, in}, o.env(args, each))
	return ok && err == nil
}

// eval computes a value; false if it cannot be computed.
func (o *Oracle) eval(v spec.Expr, in *Instance, args, each attr.Item) (attr.Value, bool) {
	var on spec.Subject = spec.On(attr.Item{})
	if in != nil {
		on = subject{o, in}
	}
	x, err := spec.Eval(v, on, o.env(args, each))
	return x, err == nil
}
