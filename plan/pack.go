package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// Packing is what lies together in an item: all entities that share their identity but for one timestamp, and of that
// the bucket which the item's key has. Each is an attribute of the item, named by its time from the beginning of the
// bucket on, so that an update writes it whether the item is there or not. An item costs 100 bytes of overhead and a
// unit to write: what is small and comes often costs less if many share these.
type Packing struct {
	By     *spec.Attribute // the timestamp, a part of the identity
	Stored []*Stored       // what is stored of each: all but what the key and the name tell
	Most   float64         // lie in one item, if that is ten times as full as the fullest is on average

	recipe *Recipe // of the key attribute that has the bucket
	part   int     // which part of it
}

// entrySign begins the name of the attribute that holds an entity. No attribute of an entity has it in its name.
const entrySign = "+"

// maxEntries bounds how many entities one update writes: an expression has 4 KB at most.
const maxEntries = 100

// Bucket is the codec of the key that tells which entities lie together.
func (p *Packing) Bucket() keys.Codec { return p.recipe.Parts[p.part].codec.base }

// Period is how long a bucket is, at most.
func (p *Packing) Period() time.Duration {
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC) // a month of 31 days
	return p.Bucket().NextBucket(start).Sub(start)
}

// NameBytes is how long the names of the attributes are that hold an entity.
func (p *Packing) NameBytes() spec.Size {
	n := float64(len(entrySign) + len(strconv.FormatInt(p.Period().Milliseconds()-1, 10)))
	return spec.Size{Average: n, Max: n}
}

// Name is the name of the attribute that holds an entity of a time.
func (p *Packing) Name(by attr.Value) (string, error) {
	t, err := keys.TimeOf(by)
	if err != nil {
		return "", err
	}
	return entrySign + strconv.FormatInt(t.Sub(p.Bucket().Bucket(t)).Milliseconds(), 10), nil
}

// entry is the attribute of an item that holds one entity.
func (p *Packing) entry(s *scope) (name string, value attr.Value, err error) {
	if name, err = p.Name(s.at(own(p.By))); err != nil {
		return "", value, err
	}
	var it attr.Item
	for _, st := range p.Stored {
		if v := s.at(st.target); !v.IsZero() {
			it.Set(st.Name, v)
		}
	}
	return name, attr.Map(it), nil
}

// Unpack takes the entities out of a wire item in which several lie, by time.
func (k *Kind) Unpack(wire attr.Item) []attr.Item {
	r := k.Pack.recipe
	parts, ok := r.split(wire.Get(r.Wire.Name).Str(), nil)
	if !ok {
		return nil
	}
	start, err := k.Pack.Bucket().ParseBucket(parts[k.Pack.part])
	if err != nil {
		return nil
	}
	type timed struct {
		at     int64
		entity attr.Item
	}
	var all []timed
	shared := k.Read(wire)
	for name, v := range wire.All() {
		if name[:1] != entrySign || v.Kind() != attr.KindM {
			continue
		}
		ms, err := strconv.ParseInt(name[1:], 10, 64)
		if err != nil {
			continue
		}
		at, err := keys.TimestampOf(start.Add(time.Duration(ms) * time.Millisecond))
		if err != nil {
			continue
		}
		it := shared.Clone()
		for n, w := range v.Map().All() {
			it.Set(n, w)
		}
		it.Set(k.Pack.By.Name, at)
		all = append(all, timed{ms, it})
	}
	slices.SortFunc(all, func(a, b timed) int { return cmp.Compare(a.at, b.at) })
	out := make([]attr.Item, len(all))
	for i, t := range all {
		out[i] = t.entity
	}
	return out
}

// tells reports whether the entities in an item have a target.
func (p *Packing) tells(t target) bool {
	if len(t.segs) == 0 || t.segs[0].Attribute == nil {
		return false
	}
	return t.segs[0].Attribute == p.By || slices.ContainsFunc(p.Stored, func(s *Stored) bool { return s.Attribute == t.segs[0].Attribute })
}

// packs resolves what lies together in the items of a kind: its stored attributes are those that all of them share.
func (c *compiler) packs(k *Kind) {
	name, path := k.Document.Pack, at(k.Path, "pack")
	if name == "" {
		return
	}
	by := k.Entity.Attribute(name)
	switch {
	case by == nil:
		c.errorf(path, CodeUnknown, meant(name, attributeNames(k.Entity)), "%s has no attribute %s", k.Entity.Name, name)
		return
	case by.Type != spec.Timestamp || !slices.Contains(k.Entity.Identity, by):
		c.errorf(path, CodePack, "name a timestamp of the identity", "%s.%s does not tell at which time a %s is", k.Entity.Name, name, k.Entity.Name)
		return
	case k.Role != EntityItem || len(k.Document.Embed) > 0 || len(k.Document.Copies) > 0 || k.Document.Shard != nil || k.Document.Stamp != "":
		c.errorf(path, CodePack, "give it an item of its own", "%s holds several of an entity in one item, and more: children, copies, shards or a stamp", k.Name)
		return
	}
	p := &Packing{By: by}
	shared := k.Stored[:0:0]
	for _, s := range k.Stored {
		switch {
		case s.Attribute == by:
		case slices.ContainsFunc(k.Table.Base.keys(), func(w Wire) bool { return w.Name == s.Name }):
			shared = append(shared, s)
		case slices.Contains(k.Entity.Identity, s.Attribute) && c.inTemplate(k, s.Attribute):
		default:
			s.target = s.where()
			p.Stored = append(p.Stored, s)
		}
	}
	k.Stored, k.Pack = shared, p
}

// crowded is how many times as full as others an item may be: that they come evenly is not stated.
const crowded = 10

// most is how many entities of a kind lie in one item at most. What is stated is how many there are under the rest of
// the identity, and how long they are kept, or how many come.
func (c *compiler) most(k *Kind) float64 {
	e := k.Entity
	rest := func(a *spec.Attribute) bool { return a != k.Pack.By && slices.Contains(e.Identity, a) }
	under := e.Count
	for _, w := range e.There {
		if w.PerParent.Stated && !slices.ContainsFunc(w.By, func(a *spec.Attribute) bool { return !rest(a) }) {
			under = min(under, w.PerParent.Max)
		}
	}
	for _, p := range c.r.Patterns {
		if p.Read == e && p.Results.Max > 0 && p.Where == nil && len(p.Given) == len(e.Identity)-1 &&
			!slices.ContainsFunc(p.Given, func(g spec.Path) bool { a := e.Attribute(g[0]); return len(g) > 1 || a == nil || !rest(a) }) {
			under = min(under, p.Results.Max)
		}
	}
	span := e.Retention.Seconds()
	if span == 0 && e.Growth > 0 {
		span = e.Count / float64(e.Growth)
	}
	if span <= 0 {
		return under
	}
	return min(under, max(1, crowded*under*k.Pack.Period().Seconds()/span))
}

// largest is how many bytes one entity takes in an item at most.
func (p *Packing) largest() float64 {
	n := p.NameBytes().Max + 3
	for _, s := range p.Stored {
		n += 1 + float64(len(s.Name)) + s.Attribute.Bytes.Max
	}
	return n
}

// Holds is how many entities at their maximum fit into an item.
func (p *Packing) Holds() float64 { return math.Floor(maxItemBytes / p.largest()) }

// Words is the bucket as text: hour, 30 minutes.
func (p *Packing) Words() string {
	name := p.Bucket().String()
	if i := strings.IndexAny(name, "0123456789"); i > 0 {
		return name[i:] + " " + name[:i]
	}
	return name
}

// inTemplate reports whether a template of the key is made of an attribute.
func (c *compiler) inTemplate(k *Kind, a *spec.Attribute) bool {
	for _, text := range k.Document.Key {
		t, err := parseTemplate(text)
		if err == nil && slices.ContainsFunc(t.parts, func(p partText) bool { return len(p.path) == 1 && p.path[0] == a.Name }) {
			return true
		}
	}
	return false
}

// packed finds the bucket in the key of a kind whose items hold several entities; a kind without one holds none.
func (c *compiler) packed(k *Kind) {
	if k.Pack == nil {
		return
	}
	for _, r := range k.Recipes {
		for i, part := range r.Parts {
			if r.Key && part.Attribute == k.Pack.By && part.codec.base.Bucketed() && r.Wire.Type == S {
				k.Pack.recipe, k.Pack.part = r, i
			}
		}
	}
	if k.Pack.recipe == nil {
		c.errorf(at(k.Path, "pack"), CodePack, "write "+k.Pack.By.Name+" into the sort key with a codec such as minutes30, hour or day",
			"%s holds all of a time, and no part of its key says which", k.Name)
		k.Stored, k.Pack = append(k.Stored, k.Pack.Stored...), nil
		return
	}
	k.Pack.Most = c.most(k)
}

// checkPack checks what lies together in an item: nothing of it is changed, counted or looked for but by its key.
func (c *compiler) checkPack(k *Kind) {
	if k.Pack == nil {
		return
	}
	e, path := k.Entity, at(k.Path, "pack")
	refuse := func(format string, args ...any) {
		c.errorf(path, CodePack, "give each an item of its own", format, args...)
	}
	for _, t := range c.prog.Tables {
		for _, o := range t.Kinds {
			if o != k && o.Entity == e {
				refuse("%s lies in %s as well, and %s holds several in one item", e.Name, o.Name, k.Name)
			}
		}
	}
	if e.Expires != nil || e.After != nil || len(e.Unique) > 0 || len(e.Back) > 0 {
		refuse("a %s expires on its own, is unique, or others refer to it, and %s holds several in one item", e.Name, k.Name)
	}
	for _, a := range e.Attributes {
		if a.Sequence != nil || a.Derived != nil || a.Generated == "version" {
			refuse("%s.%s follows from other writes, and %s holds several in one item", e.Name, a.Name, k.Name)
		}
	}
	for _, w := range e.There {
		for _, a := range w.To.Attributes {
			if a.Derived != nil && a.Derived.Func != "" && w.Inverse != "" && a.Derived.Path[0] == w.Inverse {
				refuse("%s.%s counts what lies in %s, several in one item", w.To.Name, a.Name, k.Name)
			}
		}
	}
	for _, r := range k.Recipes {
		for _, p := range r.Parts {
			if r.ends(k) && p.Attribute != nil && p.Attribute == e.Kept && p.Attribute.Generated == "now" {
				continue // the last that is written ends last, and the item with it
			}
			shared := p.Attribute != nil && len(p.target.segs) == 1 && slices.Contains(e.Identity, p.Attribute)
			if !shared || p.Attribute == k.Pack.By && p.codec.readable && !r.ends(k) {
				c.errorf(path, CodePack, "build it from the rest of the identity and the bucket", "%s: %s differs between those that lie in one item", k.Name, r.Wire.Name)
			}
		}
	}
	for _, x := range k.Table.Indexes {
		if in, _ := k.In(x); in && x.Project != All {
			c.errorf(at(k.Path, "pack"), CodeProjection, "project all", "%s projects some attributes, and each %s in an item is one", x.Name(), e.Name)
		}
	}
}

// ends reports whether a recipe writes when time to live deletes the item.
func (r *Recipe) ends(k *Kind) bool { return k.Table.TTL != "" && r.Wire.Name == k.Table.TTL }

// checkPacked checks a step on items that hold several entities.
func (c *compiler) checkPacked(p *Procedure, s *Stage, grouped bool) {
	kinds := s.Kinds
	if s.Kind != nil && len(kinds) == 0 {
		kinds = []*Kind{s.Kind}
	}
	i := slices.IndexFunc(kinds, func(k *Kind) bool { return k.Pack != nil })
	if i < 0 {
		return
	}
	k := kinds[i]
	d := s.Document
	switch {
	case grouped:
		c.errorf(s.Path, CodePack, "write it by itself", "%s: a step of a transaction or batch is about one item, and %s holds several of a %s in each", p.Name, k.Name, k.Entity.Name)
	case s.Verb == Put && (len(d.Return) > 0 || d.Still != "" || len(s.guards) > 1 || len(s.guards) == 1 && !s.demandsAbsent()):
		c.errorf(s.Path, CodePack, "ask for absent, or nothing", "%s: whether one of those in an item of %s may be written depends on no more than whether it is there", p.Name, k.Name)
	case s.Verb == Put:
	case s.Verb != Query:
		c.errorf(s.Path, CodePack, "query them, and test them with `keep` of the answer", "%s: a %s is about one item, and %s holds several of a %s in each", p.Name, s.Verb, k.Name, k.Entity.Name)
	case len(kinds) > 1 || s.filter != nil || len(s.project) > 0 || s.Scatter != 0 || s.each != nil || p.Pattern.Writes():
		c.errorf(s.Path, CodePack, "query them alone, and test them with `keep` of the answer", "%s: step %s reads items of %s, each with several of a %s, and does more than that", p.Name, s.label(), k.Name, k.Entity.Name)
	case s == p.Cursor && !s.fixed(k):
		c.errorf(s.Path, CodePage, "bind the identity but for "+k.Pack.By.Name, "%s: step %s pages over several items of one time, and each of them holds several of a %s", p.Name, s.label(), k.Entity.Name)
	}
}

// fixed reports whether a query finds entities that differ in nothing of their identity but the time by which they lie
// together.
func (s *Stage) fixed(k *Kind) bool {
	for _, a := range k.Entity.Identity {
		if a == k.Pack.By {
			continue
		}
		if !slices.ContainsFunc(s.Where, func(b *Bound) bool { return b.Form == "is" && len(b.Path) == 1 && b.Path[0] == a.Name }) {
			return false
		}
	}
	return true
}

// one makes the update that writes one entity into the item in which it lies.
func (p *Packing) one(c *Call, s *Stage, x *translator, r *Request, env spec.Env) error {
	name, value, err := p.entry(r.scope)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Kind.Name, err)
	}
	r.Verb = Update
	r.entries = append(r.entries, entry{name, value})
	for _, rec := range s.Kind.Recipes {
		if rec.Key || rec.Native {
			continue
		}
		v, err := rec.build(r.scope, 0, env)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Kind.Name, err)
		}
		if !v.IsZero() { // what is sparse stays if another in the item has it
			r.entries = append(r.entries, entry{rec.Wire.Name, v})
		}
	}
	r.packed()
	return nil
}

// entry is what an update gives an attribute of the item.
type entry struct {
	name  string
	value attr.Value
}

// packed builds the update of a request from its entries.
func (r *Request) packed() {
	r.changes = nil
	for _, e := range r.entries {
		r.changes = append(r.changes, expr.Set(expr.Name(e.name), expr.Literal(e.value)))
	}
	r.Update = expr.NewUpdate(r.changes...)
}

// together makes one update of those that write into the same item, where nothing is asked of any: the later one's
// values count, of numbers, which say when the item ends, the larger.
func together(all []*Request) []*Request {
	var out []*Request
	open := map[string]*Request{}
	for _, r := range all {
		id := string(attr.AppendItem(nil, r.Key))
		to := open[id]
		if to == nil || len(r.tests) > 0 || len(to.tests) > 0 || len(to.entries)+len(r.entries) > maxEntries {
			open[id] = r
			out = append(out, r)
			continue
		}
		for _, e := range r.entries {
			i := slices.IndexFunc(to.entries, func(o entry) bool { return o.name == e.name })
			switch {
			case i < 0:
				to.entries = append(to.entries, e)
			case e.value.Kind() == attr.KindN && attr.Compare(to.entries[i].value, e.value) > 0:
			default:
				to.entries[i] = e
			}
		}
		to.packed()
	}
	return out
}

// place is where the entity of a put lies in the item.
func (p *Packing) place(s *scope) (expr.Path, error) {
	name, err := p.Name(s.at(own(p.By)))
	return expr.Name(name), err
}

// resume is where a page begins that ended within an item: behind the item before it, and there behind the entity with
// the time.
func (p *part) resume(after attr.Item) {
	p.behind, p.last = after.Get(entrySign), after
	if !p.behind.IsZero() {
		p.last = after.Clone()
		p.last.Remove(entrySign)
	}
}

// unpack adds the entities of an item in the order of the query, but for those that came on an earlier page.
func (p *part) unpack(k *Kind, w attr.Item) {
	all := k.Unpack(w)
	if p.stage.Descending {
		slices.Reverse(all)
	}
	for _, it := range all {
		if v := it.Get(k.Pack.By.Name); !p.behind.IsZero() {
			if d := attr.Compare(v, p.behind); d == 0 || d < 0 != p.stage.Descending {
				continue
			}
		}
		p.items = append(p.items, &found{kind: k, wire: w, entity: it, at: len(p.items)})
	}
}

// within is where a page goes on that ends behind the entity at end-1, in the middle of an item: behind the item before
// that, and the time of the entity. began is where the part began; false if the page ends with an item.
func (p *part) within(s *Stage, end int, began attr.Item) (after attr.Item, ok bool) {
	last := p.items[end-1]
	if last.kind.Pack == nil || end == len(p.items) {
		return after, false
	}
	here := s.Access.position(last.wire)
	if !attr.Equal(attr.Map(here), attr.Map(s.Access.position(p.items[end].wire))) {
		return after, false
	}
	after = began.Clone()
	for _, f := range slices.Backward(p.items[:end]) {
		if at := s.Access.position(f.wire); !attr.Equal(attr.Map(here), attr.Map(at)) {
			after = at
			break
		}
	}
	after.Set(entrySign, last.entity.Get(last.kind.Pack.By.Name))
	return after, true
}
