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
// the bucket which the item's key has, and but for what the key does not have of the identity. Each is an attribute of
// the item, named by its time from the beginning of the bucket on and by that, so that an update writes it whether the
// item is there or not. An item costs 100 bytes of overhead and a unit to write: what is small and comes often costs
// less if many share these.
type Packing struct {
	By     *spec.Attribute   // the timestamp, a part of the identity
	Within []*spec.Attribute // the parts of the identity that the names tell beside the time, in its order
	Stored []*Stored         // what is stored of each: all but what the key and the name tell
	Most   float64           // lie in one item, if that is ten times as full as the fullest is on average

	recipe *Recipe // of the key attribute that has the bucket
	part   int     // which part of it
}

// entrySign begins the name of the attribute that holds an entity. No attribute of an entity has it in its name.
// partSign is before each part of the identity that follows the time there.
// nameSign is what the position of a page has under that name, where times alone do not tell them.
const (
	entrySign = "+"
	partSign  = '#'
	nameSign  = "+#"
)

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
	out := spec.Size{Average: n, Max: n}
	for _, a := range p.Within {
		out.Average += 1 + a.Bytes.Average
		out.Max += 1 + 2*a.Bytes.Max // each of its characters may be one that is written as two
	}
	return out
}

// Name is the name of the attribute that holds an entity, by its time and the other values of its identity.
func (p *Packing) Name(of func(a *spec.Attribute) attr.Value) (string, error) {
	t, err := keys.TimeOf(of(p.By))
	if err != nil {
		return "", err
	}
	text := []byte(entrySign)
	text = strconv.AppendInt(text, t.Sub(p.Bucket().Bucket(t)).Milliseconds(), 10)
	for _, a := range p.Within {
		v := of(a)
		if v.IsZero() {
			return "", fmt.Errorf("%s is absent", a.Name)
		}
		text = appendNamed(append(text, partSign), v)
	}
	return string(text), nil
}

// appendNamed writes a value as a part of a name, which ends where the next begins.
func appendNamed(text []byte, v attr.Value) []byte {
	var value string
	switch v.Kind() {
	case attr.KindN:
		value = v.Number().String()
	case attr.KindBOOL:
		value = strconv.FormatBool(v.Bool())
	default:
		value = v.Str()
	}
	for i := range len(value) {
		if value[i] == partSign || value[i] == '\\' {
			text = append(text, '\\')
		}
		text = append(text, value[i])
	}
	return text
}

// nameable reports whether names can tell values of an attribute.
func nameable(a *spec.Attribute) bool {
	switch a.Type {
	case spec.String, spec.Number, spec.Bool, spec.Timestamp, spec.Date:
		return true
	}
	return false
}

// named reads the time, in milliseconds from the beginning of the bucket on, and the values of a name.
func (p *Packing) named(name string) (ms int64, values []attr.Value, ok bool) {
	if name, ok = strings.CutPrefix(name, entrySign); !ok {
		return 0, nil, false
	}
	var parts []string
	var part []byte
	for i := 0; i < len(name); i++ {
		switch {
		case name[i] == partSign:
			parts, part = append(parts, string(part)), part[:0]
			continue
		case name[i] == '\\' && i+1 < len(name):
			i++
		}
		part = append(part, name[i])
	}
	parts = append(parts, string(part))
	ms, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil || len(parts) != 1+len(p.Within) {
		return 0, nil, false
	}
	for i, a := range p.Within {
		v := attr.Text(parts[i+1])
		switch a.Type {
		case spec.Number:
			n, err := attr.ParseNumber(parts[i+1])
			if err != nil {
				return 0, nil, false
			}
			v = attr.Num(n)
		case spec.Bool:
			v = attr.Bool(parts[i+1] == "true")
		}
		values = append(values, v)
	}
	return ms, values, true
}

// nameIn is the name of the attribute that holds the entity of a scope.
func (p *Packing) nameIn(s *scope) (string, error) {
	return p.Name(func(a *spec.Attribute) attr.Value { return s.at(own(a)) })
}

// nameOf is the name of the attribute that holds an entity.
func (p *Packing) nameOf(it attr.Item) (string, error) {
	return p.Name(func(a *spec.Attribute) attr.Value { return it.Get(a.Name) })
}

// entry is the attribute of an item that holds one entity.
func (p *Packing) entry(s *scope) (name string, value attr.Value, err error) {
	if name, err = p.nameIn(s); err != nil {
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
		name   string // of several at one time
		entity attr.Item
	}
	var all []timed
	shared := k.Read(wire)
	for name, v := range wire.All() {
		if v.Kind() != attr.KindM {
			continue
		}
		ms, values, ok := k.Pack.named(name)
		if !ok {
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
		for i, a := range k.Pack.Within {
			it.Set(a.Name, values[i])
		}
		all = append(all, timed{ms, name, it})
	}
	slices.SortFunc(all, func(a, b timed) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.name, b.name)) })
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
	a := t.segs[0].Attribute
	return a == p.By || slices.Contains(p.Within, a) || slices.ContainsFunc(p.Stored, func(s *Stored) bool { return s.Attribute == a })
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
		case slices.Contains(k.Entity.Identity, s.Attribute) && nameable(s.Attribute):
			p.Within = append(p.Within, s.Attribute)
		default:
			s.target = s.where()
			p.Stored = append(p.Stored, s)
		}
	}
	slices.SortFunc(p.Within, func(a, b *spec.Attribute) int {
		return cmp.Compare(slices.Index(k.Entity.Identity, a), slices.Index(k.Entity.Identity, b))
	})
	k.Stored, k.Pack = shared, p
}

// crowded is how many times as full as others an item may be: that they come evenly is not stated.
const crowded = 10

// MostPacked is how many of an entity lie in one item at most, if those of a period do that share their identity but
// for a timestamp and some other parts. What is stated is how many there are under the rest of the identity, and how
// long they are kept, or how many come.
func MostPacked(r *spec.Requirements, e *spec.Entity, by *spec.Attribute, within []*spec.Attribute, period time.Duration) float64 {
	rest := func(a *spec.Attribute) bool {
		return a != by && slices.Contains(e.Identity, a) && !slices.Contains(within, a)
	}
	under := e.Count
	for _, w := range e.There {
		if w.PerParent.Stated && !slices.ContainsFunc(w.By, func(a *spec.Attribute) bool { return !rest(a) }) {
			under = min(under, w.PerParent.Max)
		}
	}
	for _, p := range r.Patterns {
		if p.Read == e && p.Results.Max > 0 && p.Where == nil && len(p.Given) == len(e.Identity)-1-len(within) &&
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
	most := max(1, crowded*under*period.Seconds()/span)
	for _, p := range r.Patterns {
		for _, q := range p.Parameters {
			if q.Entity == e && len(q.Within) > 0 { // whose list may lie in one item
				most = max(most, q.Length.Max)
			}
		}
	}
	return min(under, most)
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

// told says by what the entities in an item are told apart.
func (p *Packing) told() string {
	told := "its time within the " + p.Words()
	for _, a := range p.Within {
		told += " and its " + a.Name
	}
	return told
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
	k.Pack.Most = MostPacked(c.r, k.Entity, k.Pack.By, k.Pack.Within, k.Pack.Period())
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
	if e.Expires != nil || e.After != nil && e.After != k.Pack.By || len(e.Unique) > 0 || len(e.Back) > 0 {
		refuse("a %s expires on its own, is unique, or others refer to it, and %s holds several in one item", e.Name, k.Name)
	}
	for _, a := range e.Attributes {
		if a.Sequence != nil || a.Derived != nil || a.Generated == "version" {
			refuse("%s.%s follows from other writes, and %s holds several in one item", e.Name, a.Name, k.Name)
		}
	}
	for _, w := range e.There {
		for _, a := range w.To.Attributes {
			if a.Counted() && w.Inverse != "" && a.Derived.Path[0] == w.Inverse {
				refuse("%s.%s counts what lies in %s, several in one item", w.To.Name, a.Name, k.Name)
			}
		}
	}
	for _, r := range k.Recipes {
		for _, p := range r.Parts {
			if r.ends(k) && p.Attribute != nil && p.Attribute == e.Kept && p.Attribute.Generated == "now" {
				continue // the last that is written ends last, and the item with it
			}
			shared := p.Attribute != nil && len(p.target.segs) == 1 && slices.Contains(e.Identity, p.Attribute) && !slices.Contains(k.Pack.Within, p.Attribute)
			if !shared || p.Attribute == k.Pack.By && p.codec.readable && !r.ends(k) {
				c.errorf(path, CodePack, "build it from the rest of the identity and the bucket", "%s: %s differs between those that lie in one item", k.Name, r.Wire.Name)
			}
		}
	}
	if c.deletes(e) && !k.fades() {
		refuse("what is deleted of a %s leaves the item of %s, empty at last, and nothing says when that ends", e.Name, k.Name)
	}
	for _, x := range k.Table.Indexes {
		if in, _ := k.In(x); in && c.deletes(e) {
			refuse("%s lists %s, of which each item has several, and single ones are deleted", x.Name(), e.Name)
		}
		if in, _ := k.In(x); in && x.Project != All {
			c.errorf(at(k.Path, "pack"), CodeProjection, "project all", "%s projects some attributes, and each %s in an item is one", x.Name(), e.Name)
		}
	}
}

// ends reports whether a recipe writes when time to live deletes the item.
func (r *Recipe) ends(k *Kind) bool { return k.Table.TTL != "" && r.Wire.Name == k.Table.TTL }

// fades reports whether time to live ends an item of the kind, and whoever knows the identity of an entity knows when:
// a delete takes the entity out of its item, and may make one in which there is none.
func (k *Kind) fades() bool {
	ends := false
	for _, r := range k.Recipes {
		if r.Key || r.Native {
			continue
		}
		ends = ends || r.ends(k)
		if slices.ContainsFunc(r.Parts, func(p *Part) bool { return p.Attribute == nil || !slices.Contains(k.Entity.Identity, p.Attribute) }) {
			return false
		}
	}
	return ends
}

// checkPacked checks a step on items that hold several entities, or an action of one of others.
func (c *compiler) checkPacked(p *Procedure, s, of *Stage) {
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
	case of != nil && (of.Verb != Transact || of.each != nil):
		c.errorf(s.Path, CodePack, "write it by itself, or in one transaction", "%s: an action of a batch, or of a transaction for each, is about one item, and %s holds several of a %s in each", p.Name, k.Name, k.Entity.Name)
	case of != nil && s.each != nil && (s.each.param == nil || s.each.param.Length.Max+float64(len(k.Recipes)) > maxEntries):
		c.errorf(s.Path, CodePack, "let it be several (`atomic: false`), or shorter", "%s: %s may bring more than one update of an item of %s can write", p.Name, s.Each, k.Name)
	case of != nil && slices.ContainsFunc(of.Actions, func(o *Stage) bool { return o != s && o.Kind == k }):
		c.errorf(s.Path, CodePack, "write them as one list", "%s: two actions of a transaction can be about one item of %s, which holds several of a %s", p.Name, k.Name, k.Entity.Name)
	case s.Verb == Put && (len(d.Return) > 0 || d.Still != "" || len(s.guards) > 1 || len(s.guards) == 1 && !s.demandsAbsent()):
		c.errorf(s.Path, CodePack, "ask for absent, or nothing", "%s: whether one of those in an item of %s may be written depends on no more than whether it is there", p.Name, k.Name)
	case s.Verb == Delete && (len(d.Return) > 0 || d.Still != "" || len(s.guards) > 0):
		c.errorf(s.Path, CodePack, "ask for nothing", "%s: one of those in an item of %s is taken out whether or not it is there", p.Name, k.Name)
	case s.Verb == Put, s.Verb == Delete:
	case p.newest(s) && c.deletes(k.Entity):
		c.errorf(s.Path, CodePack, "give each an item of its own", "%s: step %s ends with the last item of %s, and each of those in it may have been deleted", p.Name, s.label(), k.Name)
	case s.Verb != Query:
		c.errorf(s.Path, CodePack, "query them, and test them with `keep` of the answer", "%s: a %s is about one item, and %s holds several of a %s in each", p.Name, s.Verb, k.Name, k.Entity.Name)
	case len(kinds) > 1 || s.filter != nil || len(s.project) > 0 || s.Scatter != 0 || s.each != nil && !p.newest(s) || p.Pattern.Writes():
		c.errorf(s.Path, CodePack, "query them alone, and test them with `keep` of the answer", "%s: step %s reads items of %s, each with several of a %s, and does more than that", p.Name, s.label(), k.Name, k.Entity.Name)
	case s == p.Cursor && !s.fixed(k):
		c.errorf(s.Path, CodePage, "bind the identity but for "+k.Pack.By.Name, "%s: step %s pages over several items of one time, and each of them holds several of a %s", p.Name, s.label(), k.Entity.Name)
	}
}

// fixed reports whether a query finds entities that differ in nothing of their identity but the time by which they lie
// together, and what the names tell beside it.
func (s *Stage) fixed(k *Kind) bool {
	for _, a := range k.Entity.Identity {
		if a == k.Pack.By || slices.Contains(k.Pack.Within, a) {
			continue
		}
		if !slices.ContainsFunc(s.Where, func(b *Bound) bool { return b.Form == "is" && len(b.Path) == 1 && b.Path[0] == a.Name }) {
			return false
		}
	}
	return true
}

// one makes the update that writes one entity into the item in which it lies, or takes it out. Where there is no item,
// one comes that has nothing in it, and ends like others.
func (p *Packing) one(c *Call, s *Stage, x *translator, r *Request, env spec.Env) error {
	name, value, err := p.entry(r.scope)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Kind.Name, err)
	}
	if s.Verb == Delete {
		value = attr.Value{}
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

// entry is what an update gives an attribute of the item; a zero value: it goes.
type entry struct {
	name  string
	value attr.Value
}

// packed builds the update of a request from its entries.
func (r *Request) packed() {
	r.changes = nil
	for _, e := range r.entries {
		if e.value.IsZero() {
			r.changes = append(r.changes, expr.Remove(expr.Name(e.name)))
			continue
		}
		r.changes = append(r.changes, expr.Set(expr.Name(e.name), expr.Literal(e.value)))
	}
	r.Update = expr.NewUpdate(r.changes...)
}

// together makes one update of those that write into the same item: the later one's values count, of numbers, which say
// when the item ends, the larger. Where each is to be written only if it is not there, none of them is if one is: then
// the others are written by another update. A transaction has none twice.
func together(all []*Request, atomic bool) (out []*Request) {
	open := map[string]*Request{}
	for _, r := range all {
		id := string(attr.AppendItem(nil, r.Key))
		to := open[id]
		if to == nil || (atomic || len(r.tests) > 0) && to.holds(r) || to.with(r) > maxEntries {
			open[id] = r
			out = append(out, r)
			continue
		}
		if len(to.merged) == 0 {
			first := *to
			first.entries = slices.Clone(to.entries)
			to.merged = []*Request{&first}
		}
		to.merged = append(to.merged, r)
		to.tests = append(to.tests, r.tests...)
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
		to.condition()
	}
	return out
}

// with is how many entries an update has that writes what another one does as well.
func (r *Request) with(o *Request) int {
	n := len(r.entries)
	for _, e := range o.entries {
		if !slices.ContainsFunc(r.entries, func(x entry) bool { return x.name == e.name }) {
			n++
		}
	}
	return n
}

// holds reports whether an update writes the same entity as another one.
func (r *Request) holds(o *Request) bool {
	return slices.ContainsFunc(r.entries, func(e entry) bool {
		return strings.HasPrefix(e.name, entrySign) && slices.ContainsFunc(o.entries, func(x entry) bool { return x.name == e.name })
	})
}

// without is the update of those that were not there, where one of several was, by the item as it was; nil if that
// tells none, or all, of them.
func (r *Request) without(old attr.Item) (rest *Request, refused *Request) {
	var left []*Request
	for _, one := range r.merged {
		if slices.ContainsFunc(one.tests, func(t test) bool { return !t.cond.Eval(old) }) {
			refused = one
			continue
		}
		again := *one
		again.entries = slices.Clone(one.entries)
		left = append(left, &again)
	}
	if refused == nil || len(left) == 0 {
		return nil, nil
	}
	rest = together(left, false)[0]
	rest.part = r.part
	return rest, refused
}

// place is where the entity of a put lies in the item.
func (p *Packing) place(s *scope) (expr.Path, error) {
	name, err := p.nameIn(s)
	return expr.Name(name), err
}

// resume is where a page begins that ended within an item: behind the item before it, and there behind the entity with
// the time, and the name where several have that.
func (p *part) resume(after attr.Item) {
	p.behind, p.named, p.last = after.Get(entrySign), after.Get(nameSign).Str(), after
	if !p.behind.IsZero() {
		p.last = after.Clone()
		p.last.Remove(entrySign)
		p.last.Remove(nameSign)
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
			d := attr.Compare(v, p.behind)
			if d == 0 && p.named != "" {
				name, _ := k.Pack.nameOf(it)
				d = cmp.Compare(name, p.named)
			}
			if d == 0 || d < 0 != p.stage.Descending {
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
	after.Remove(nameSign)
	for _, f := range slices.Backward(p.items[:end]) {
		if at := s.Access.position(f.wire); !attr.Equal(attr.Map(here), attr.Map(at)) {
			after = at
			break
		}
	}
	after.Set(entrySign, last.entity.Get(last.kind.Pack.By.Name))
	if len(last.kind.Pack.Within) > 0 {
		name, _ := last.kind.Pack.nameOf(last.entity)
		after.Set(nameSign, attr.Text(name))
	}
	return after, true
}
