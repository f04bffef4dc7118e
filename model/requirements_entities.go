package model

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/near"
	"github.com/tablewright/tablewright/spec"
)

// entityState is what is known of an entity beside its value.
type entityState struct {
	doc  *entityDoc
	path []string
	// attributes of the entity itself, not of the maps inside
	attributes map[*spec.Attribute]*attributeState
	sized      progress

	lost    map[string]bool // ways that could not be read
	created []creation      // by the patterns
	read    bool            // by a pattern
}

type attributeState struct {
	doc   *attributeDoc
	path  []string
	typed progress
}

// progress of something that is worked out when it is first needed.
type progress uint8

const (
	untouched progress = iota
	underWay
	done
)

// nearest is a did-you-mean.
func nearest(name string, candidates []string) string {
	if n := near.Name(name, candidates); n != "" {
		return "did you mean " + n + "?"
	}
	if len(candidates) > 0 && len(candidates) <= 12 {
		return "there are " + strings.Join(candidates, ", ")
	}
	return ""
}

func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

func duration(d durationText) time.Duration { return time.Duration(d) }

// readEntities makes entities, attributes and relationships, in this order, since each needs all of the one before.
func (r *requirementsReader) readEntities() {
	for i := range r.doc.Entities {
		r.newEntity(&r.doc.Entities[i])
	}
	for _, e := range r.out.Entities {
		r.identity(e)
	}
	for _, e := range r.out.Entities {
		for _, a := range e.Attributes {
			r.relationship(e, a)
		}
		r.checkForeignKeys(e)
	}
	for _, e := range r.out.Entities {
		r.nameSpace(e)
		r.parents(e)
	}
	for _, e := range r.out.Entities {
		for _, a := range e.Attributes {
			r.typeOf(e, a)
		}
	}
	for _, e := range r.out.Entities {
		r.uniques(e)
		r.sizes(e)
		r.keyTypes(e)
		r.keptElsewhere(e)
	}
	for i, name := range r.doc.Application.Streams {
		if e := r.entity(name, "application", "streams", index(i)); e != nil {
			r.out.Application.Streams = append(r.out.Application.Streams, e)
		}
	}
}

func (r *requirementsReader) newEntity(d *entry[entityDoc]) {
	path := []string{"entities", d.Key}
	r.checkName(d.Key, path, true)
	e := &spec.Entity{Name: d.Key, Retention: duration(d.Value.Retention.For), External: d.Value.External, Group: d.Value.Group, Note: d.Value.Note}
	state := &entityState{doc: &d.Value, path: path, attributes: map[*spec.Attribute]*attributeState{}, lost: map[string]bool{}}
	if c := d.Value.Count; c != nil && c.Sign() < 0 {
		at := with(path, "count")
		r.badValue(r.Place(at...), at, "bad-value", "write how many are stored today, 0 or more", "a count is not negative")
		d.Value.Count = nil
	}
	for i := range d.Value.Attributes {
		ad := &d.Value.Attributes[i]
		at := with(path, "attributes", ad.Key)
		r.checkName(ad.Key, at, false)
		a := &spec.Attribute{Name: ad.Key, Entity: e, Present: 1, Optional: ad.Value.Optional, Sensitive: ad.Value.Sensitive, Note: ad.Value.Note}
		state.attributes[a] = &attributeState{doc: &ad.Value, path: at}
		e.Attributes = append(e.Attributes, a)
	}
	r.out.Entities = append(r.out.Entities, e)
	r.entities[e] = state
}

// checkName reports a key that cannot be a name. An attribute's name has no dash, which would read as a minus.
func (r *requirementsReader) checkName(name string, path []string, dash bool) {
	at := r.KeyPlace(path...)
	switch {
	case !spec.IsName(name):
		remedy := "a name is a letter, then letters, digits, _ and -"
		if joined := camel(strings.ReplaceAll(name, " ", "-")); spec.IsName(joined) {
			remedy = "write " + joined + ": " + remedy
		}
		r.report(at, Error, "bad-name", path, "`"+name+"` is not a name", remedy)
	case !dash && strings.Contains(name, "-"):
		r.report(at, Error, "bad-name", path, "`"+name+"` has a dash, which an attribute's name has not", "write "+camel(name))
	case !dash && (name == "true" || name == "false" || name == "now" || name == "all" || name == "each"):
		r.report(at, Error, "bad-name", path, "`"+name+"` is a word of the language", "take another name")
	}
}

// camel is a-name as aName.
func camel(name string) string {
	words := strings.Split(name, "-")
	for i, w := range words {
		if i > 0 && w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}

// attribute looks up an attribute of an entity that is named at a document path.
func (r *requirementsReader) attribute(e *spec.Entity, name string, path []string) *spec.Attribute {
	if name == "" || r.isBroken(path...) {
		return nil
	}
	if a := e.Attribute(name); a != nil {
		return a
	}
	var names []string
	for _, a := range e.Attributes {
		names = append(names, a.Name)
	}
	if r.isOpaque(e) {
		return nil
	}
	r.errorAt(path, "unknown-name", nearest(name, names), "%s has no attribute %s", e.Name, name)
	return e.Attribute(near.Name(name, names)) // as if it were meant, so that nothing follows from the word
}

// keptElsewhere reports what cannot be said of an entity that another system keeps.
func (r *requirementsReader) keptElsewhere(e *spec.Entity) {
	s := r.entities[e]
	if !e.External {
		return
	}
	for _, k := range []struct {
		name  string
		given bool
	}{{"growth", s.doc.Growth != nil}, {"retention", s.doc.Retention.For != 0}, {"expires", s.doc.Expires != ""}, {"unique", s.doc.Unique != nil}} {
		if k.given {
			r.errorAt(with(s.path, k.name), "external", "leave it out", "%s is kept elsewhere: nothing here looks at its `%s`", e.Name, k.name)
		}
	}
	for _, a := range e.Attributes {
		if d := s.attributes[a]; d != nil && d.doc.Derived != nil {
			r.errorAt(with(d.path, "derived"), "external", "leave it out", "%s is kept elsewhere: nothing here keeps %s true", e.Name, a.Name)
		}
	}
}

// isOpaque reports whether it could not be read what attributes an entity has: any name may be one.
func (r *requirementsReader) isOpaque(e *spec.Entity) bool {
	return r.isBroken(with(r.entities[e].path, "attributes")...)
}

func (r *requirementsReader) attributeList(e *spec.Entity, names []nameText, path []string) []*spec.Attribute {
	var out []*spec.Attribute
	for i, n := range names {
		a := r.attribute(e, string(n), with(path, index(i)))
		switch {
		case a == nil:
		case slices.Contains(out, a) && a.Name != string(n): // taken for what was meant
		case slices.Contains(out, a):
			r.errorAt(with(path, index(i)), "repeated-key", "", "%s is there already", n)
		default:
			out = append(out, a)
		}
	}
	return out
}

// isWhole reports whether all that an entity says of its identity and its ways could be read: where it could not, what a
// pattern states may be more than is known.
func (r *requirementsReader) isWhole(e *spec.Entity) bool {
	s := r.entities[e]
	return len(e.Identity) > 0 && len(e.Identity) == len(s.doc.Identity) && len(s.lost) == 0 &&
		!slices.ContainsFunc(e.There, func(w *spec.Relationship) bool {
			return r.brokenWithin(r.entities[e].attributes[r.declares[w]].path...)
		})
}

func (r *requirementsReader) identity(e *spec.Entity) {
	s := r.entities[e]
	path := with(s.path, "identity")
	e.Identity = r.attributeList(e, s.doc.Identity, path)
	if len(s.doc.Identity) == 0 && !r.isBroken(path...) {
		r.errorAt(path, "missing-key", "name the attributes that together are unique", "%s has no identity", e.Name)
	}
	for i, a := range e.Identity {
		d := s.attributes[a].doc
		at := with(path, index(i))
		switch {
		case a.Optional:
			r.errorAt(at, "identity", "leave `optional` out, or choose what is always there", "%s is optional: what is part of the identity is always there", a.Name)
		case d.Derived != nil:
			r.errorAt(at, "identity", "", "%s is derived: an identity rests on what is stored", a.Name)
		case d.States != nil || d.Generated == "version":
			r.errorAt(at, "identity", "", "%s changes: an identity does not", a.Name)
		}
	}
	e.Expires = r.attribute(e, string(s.doc.Expires), with(s.path, "expires"))
	e.After = r.attribute(e, string(s.doc.Retention.After), with(s.path, "retention"))
}

// keyTypes checks that what is unique can be part of a key: DynamoDB has keys of strings, numbers and binaries.
func (r *requirementsReader) keyTypes(e *spec.Entity) {
	s := r.entities[e]
	check := func(a *spec.Attribute, path []string) {
		switch a.Type {
		case spec.Bool, spec.MapType, spec.ListType, spec.SetType:
			r.errorAt(path, "identity", "", "%s is %s, which cannot be part of a key", a.Name, a.Kind())
			return
		}
		if most := float64(capacity.PartitionKeyBytes); a.Bytes.Max > most {
			r.errorAt(path, "too-large", "lower the max of its `bytes`, or identify by what is shorter, such as a hash of it", "%s can have %s bytes: a key has at most %s",
				a.Name, spec.FormatNumber(math.Ceil(a.Bytes.Max)), spec.FormatNumber(most))
		}
	}
	for i, name := range s.doc.Identity {
		if a := e.Attribute(string(name)); a != nil {
			at := with(s.path, "identity", index(i))
			check(a, at)
			if by := a.Sequence; by != nil && !slices.Contains(e.Identity, by) && !e.GeneratesIdentity() {
				r.errorAt(at, "identity", "add "+by.Name+" to the identity, or leave `sequence` out",
					"%s begins anew for each %s: it does not tell two of %s apart", a.Name, by.Name, e.Name)
			}
		}
	}
	for i := range s.doc.Unique {
		names, path := s.unique(i)
		for j, name := range names {
			if a := e.Attribute(string(name)); a != nil {
				check(a, with(path, index(j)))
			}
		}
	}
}

// unique is one entry of `unique`: the names of its attributes, and where they stand.
func (s *entityState) unique(i int) ([]nameText, []string) {
	at, d := with(s.path, "unique", index(i)), s.doc.Unique[i]
	if d.B != nil {
		return d.B.Of, with(at, "of")
	}
	if d.A != nil {
		return *d.A, at
	}
	return nil, at
}

// uniques reads what is unique besides the identity, once the types of all attributes are known.
func (r *requirementsReader) uniques(e *spec.Entity) {
	s := r.entities[e]
	for i, d := range s.doc.Unique {
		names, at := s.unique(i)
		u := spec.Unique{Of: r.attributeList(e, names, at)}
		known := len(u.Of) > 0
		if known && d.B != nil && d.B.While.Condition != nil {
			u.While = r.ofItself(e, d.B.While.Condition, with(s.path, "unique", index(i), "while"), 0, "whether the "+attributeNames(u.Of)+" of a "+e.Name+" is unique")
		}
		if !known || d.B != nil && u.While == nil { // which is reported
			r.broken[pathKey(at)] = true
			continue
		}
		if slices.ContainsFunc(e.Unique, func(o spec.Unique) bool { return sameAttributes(o.Of, u.Of) }) {
			r.errorAt(at, "repeated-key", "state it once: unique for each of several values is {of: ["+attributeNames(u.Of)+", state], while: \"state in (draft, open)\"}",
				"it is said already when the %s of %s is unique", attributeNames(u.Of), e.Name)
			continue
		}
		e.Unique = append(e.Unique, u)
	}
}

func sameAttributes(a, b []*spec.Attribute) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(x *spec.Attribute) bool { return !slices.Contains(b, x) })
}

// relationship makes what a foreign key declares.
func (r *requirementsReader) relationship(e *spec.Entity, a *spec.Attribute) {
	s := r.entities[e].attributes[a]
	d, key, target := s.doc, "references", s.doc.References
	if d.Parent != "" {
		key, target = "parent", d.Parent
	}
	for _, k := range []struct {
		name  string
		given bool
	}{{"inverse", d.Inverse != ""}, {"as", d.As != ""}, {"by", d.By != nil}, {"per-parent", d.PerParent != nil}} {
		if k.given && target == "" && !r.isBroken(with(s.path, "references")...) && !r.isBroken(with(s.path, "parent")...) {
			r.errorAt(with(s.path, k.name), "not-applicable", "", "`%s` is for a foreign key: an attribute with `references` or `parent`", k.name)
		}
	}
	if target == "" {
		return
	}
	to := r.entity(target, with(s.path, key)...)
	if to == nil || len(to.Identity) == 0 { // which is reported
		r.entities[e].lost[wayName(a, d)] = true
		if to != nil && d.Inverse != "" {
			r.entities[to].lost[string(d.Inverse)] = true
		}
		return
	}
	w := &spec.Relationship{Inverse: string(d.Inverse), From: e, To: to, By: []*spec.Attribute{a}, Identifying: key == "parent"}
	w.Name = wayName(a, d)
	if d.By != nil {
		path := with(s.path, "by")
		w.By = r.attributeList(e, d.By, path)
		if !slices.Contains(w.By, a) {
			r.errorAt(path, "foreign-key", "", "`by` of %s does not name %s itself", a.Name, a.Name)
		}
		if d.As == "" {
			r.errorAt(path, "foreign-key", "add `as`, a name for the way to "+to.Name, "a composite foreign key needs a name")
		}
	}
	if len(w.By) != len(to.Identity) {
		names := attributeNames(to.Identity)
		r.errorAt(with(s.path, key), "foreign-key", "add `by`: the attributes of "+e.Name+" that stand for "+names+", in this order",
			"%s is identified by %s: %d attributes, not %d", to.Name, names, len(to.Identity), len(w.By))
		r.entities[e].lost[w.Name], r.entities[to].lost[w.Inverse] = true, true
		return
	}
	r.perParent(w, d.PerParent, with(s.path, "per-parent"))
	r.declares[w] = a
	a.Reference = w
	e.There = append(e.There, w)
	if w.Inverse != "" {
		to.Back = append(to.Back, w)
	}
	if w.Identifying {
		if e.Parent != nil {
			r.errorAt(with(s.path, "parent"), "foreign-key", "write `references` for one of the two", "%s has a parent already: %s", e.Name, e.Parent.To.Name)
		} else {
			e.Parent = w
		}
	}
}

// wayName is the name of the way there.
func wayName(a *spec.Attribute, d *attributeDoc) string {
	if d.As != "" {
		return string(d.As)
	}
	if name := strings.TrimSuffix(a.Name, "Id"); name != "" {
		return name
	}
	return a.Name
}

func attributeNames(as []*spec.Attribute) string {
	var names []string
	for _, a := range as {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}

func (r *requirementsReader) perParent(w *spec.Relationship, d *childrenDoc, path []string) {
	if d == nil || d.Average == nil {
		return
	}
	w.PerParent = spec.Children{Stated: true, Average: d.Average.Float64(), Max: d.Average.Float64(), Skew: d.Skew.Skew}
	if w.PerParent.Skew.BySize {
		r.errorAt(with(path, "skew"), "not-applicable", "leave it out: new children follow those that are there", "`by-size` is for calls")
		w.PerParent.Skew = spec.Skew{}
	}
	if d.Max != nil {
		w.PerParent.Max = d.Max.Float64()
	}
	if c := w.PerParent; c.Average < 0 || c.Average > c.Max {
		r.spread(path, c.Average, c.Max)
	}
	if m := w.PerParent.Max; m != float64(int64(m)) {
		r.errorAt(path, "bad-spread", "write {average: …, max: …} with a whole number as max", "a parent cannot have up to %s children", spec.FormatNumber(m))
	}
}

// spread reports an average above its maximum.
func (r *requirementsReader) spread(path []string, average, most float64) {
	r.errorAt(path, "bad-spread", "", "the average, %s, is not between 0 and the maximum, %s", spec.FormatNumber(average), spec.FormatNumber(most))
}

// checkForeignKeys marks the attributes that are part of a composite foreign key without declaring one.
func (r *requirementsReader) checkForeignKeys(e *spec.Entity) {
	for _, w := range e.There {
		for _, a := range w.By {
			if a.Reference == nil {
				a.Reference = w
			}
		}
	}
}

// nameSpace reports names that mean two things: attributes, ways there and ways back share one name space. Only a
// foreign key and the way that it declares may have one name: followers are reached by follower.
func (r *requirementsReader) nameSpace(e *spec.Entity) {
	taken := map[string]string{}
	for _, a := range e.Attributes {
		taken[a.Name] = "an attribute"
	}
	clash := func(name, what string, path []string, remedy string) {
		if by, ok := taken[name]; ok {
			r.errorAt(path, "name-clash", remedy, "%s is %s of %s, and %s already", name, what, e.Name, by)
		}
		taken[name] = what
	}
	for _, w := range e.There {
		declares := r.declares[w]
		if declares.Name == w.Name {
			continue
		}
		clash(w.Name, "the way to "+w.To.Name, r.entities[e].attributes[declares].path, "give the way another name with `as`")
	}
	for _, w := range e.Back {
		clash(w.Inverse, "the way back to "+w.From.Name, with(r.entities[w.From].attributes[r.declares[w]].path, "inverse"), "take another name for `inverse`, or for what has it already")
	}
}

// parents reports circles of parents: nothing could be created first.
func (r *requirementsReader) parents(e *spec.Entity) {
	seen := map[*spec.Entity]bool{}
	for p := e; p.Parent != nil; p = p.Parent.To {
		if seen[p] {
			return // a circle above, reported there
		}
		seen[p] = true
		if p.Parent.To == e {
			s := r.entities[e].attributes[r.declares[e.Parent]]
			r.errorAt(with(s.path, "parent"), "circle", "write `references` for one of them", "%s is its own parent", e.Name)
			return
		}
	}
}
