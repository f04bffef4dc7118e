package model

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/near"
	"github.com/tablewright/tablewright/spec"
)

// typeOf works out what an attribute of an entity holds. That of a foreign key follows from the identity it points
// to, that of a derived attribute from what it is derived from: so one may need another first.
func (r *requirementsReader) typeOf(e *spec.Entity, a *spec.Attribute) {
	s := r.entities[e].attributes[a]
	switch s.typed {
	case done:
		return
	case underWay:
		r.errorAt(s.path, "circle", "state the type of one of them", "the type of %s follows from itself", a.Name)
		s.typed = done
		return
	}
	s.typed = underWay
	defer func() { s.typed = done }()
	d := s.doc
	pointed := r.pointedTo(e, a, d)
	if pointed == nil {
		r.oneKind(d, s.path)
	}
	switch {
	case pointed != nil:
		r.typeOf(pointed.Entity, pointed)
		like(a, pointed)
	case d.References != "" || d.Parent != "":
		r.foreignType(e, a)
	case d.Derived != nil:
		r.derived(e, a)
	default:
		r.plainType(a, d, s.path, map[string]bool{})
	}
	r.generated(e, a, s)
	r.keysForType(a, d, s.path)
	if a.Optional && d.Derived == nil {
		a.Present = 0.5
	}
	r.share(a, d, s.path)
	r.spreadOfValues(a, d, s.path)
}

// pointedTo is the part of an identity for which an attribute stands in a composite foreign key that another attribute
// declares, if nothing else says what it is.
func (r *requirementsReader) pointedTo(e *spec.Entity, a *spec.Attribute, d *attributeDoc) *spec.Attribute {
	if d.Type != "" || d.References != "" || d.Parent != "" || d.Derived != nil || d.States != nil || d.Enum != nil || d.Generated != "" || d.Sequence != "" ||
		r.brokenWithin(r.entities[e].attributes[a].path...) {
		return nil
	}
	for _, w := range e.There {
		if i := slices.Index(w.By, a); i >= 0 && w.To.Identity[i] != a {
			return w.To.Identity[i]
		}
	}
	return nil
}

// like gives an attribute of a foreign key what the one that it points to is.
func like(a, to *spec.Attribute) {
	a.Type, a.Enum, a.Sorts, a.Digits, a.Scale, a.Min, a.Max = to.Type, to.Enum, to.Sorts, to.Digits, to.Scale, to.Min, to.Max
}

// spreadOfValues reads how many values an attribute has, and how many have the most frequent.
func (r *requirementsReader) spreadOfValues(a *spec.Attribute, d *attributeDoc, path []string) {
	plain := d.References == "" && d.Parent == "" && d.Derived == nil && a.Values() == nil && a.Generated == "" && a.Sequence == nil
	switch a.Type {
	case spec.Bool, spec.MapType, spec.ListType, spec.SetType:
		plain = false
	}
	for _, k := range []struct {
		name  string
		given bool
	}{{"distinct", d.Distinct != nil}, {"hottest", d.Hottest != nil}} {
		if k.given && !plain && a.Type != 0 {
			r.errorAt(with(path, k.name), "not-applicable", "", "`%s` is for plain values that several have, and %s is not one", k.name, a.Name)
			return
		}
	}
	if d.Distinct != nil {
		if a.Distinct = d.Distinct.Float64(); a.Distinct < 1 {
			r.errorAt(with(path, "distinct"), "bad-value", "write how many different values there are, 1 or more", "%s has no fewer than one value", a.Name)
			a.Distinct = 0
		}
	}
	if d.Hottest != nil {
		if a.Hottest = float64(*d.Hottest); a.Distinct > 0 && a.Hottest < (1-1e-9)/a.Distinct {
			r.errorAt(with(path, "hottest"), "bad-value", "write at least "+figure(100/a.Distinct)+"%", "the most frequent of %s values of %s is on no fewer than %s%%",
				spec.FormatNumber(a.Distinct), a.Name, figure(100/a.Distinct))
		}
	}
}

// oneKind checks that an attribute says in exactly one way what it is.
func (r *requirementsReader) oneKind(d *attributeDoc, path []string) {
	var kinds []string
	unsure := false
	for _, k := range []struct {
		name  string
		given bool
	}{
		{"type", d.Type != ""}, {"references", d.References != ""}, {"parent", d.Parent != ""},
		{"derived", d.Derived != nil}, {"states", d.States != nil}, {"enum", d.Enum != nil},
	} {
		if k.given {
			kinds = append(kinds, k.name)
		}
		unsure = unsure || r.isBroken(with(path, k.name)...)
	}
	switch {
	case r.isBroken(path...):
	case len(kinds) == 0 && (d.Generated != "" || d.Sequence != ""): // which say what it is
	case len(kinds) == 0 && !unsure:
		r.badValue(r.Place(path...), path, "attribute-kind", "add one of type, references, parent, derived, states, enum", "it is not said what %s is", path[len(path)-1])
	case len(kinds) > 1:
		remedy := "keep one of them"
		if kinds[0] == "type" && (kinds[1] == "references" || kinds[1] == "parent") {
			remedy = "leave `type` out: a foreign key has the type of what it points to"
		}
		r.errorAt(path, "attribute-kind", remedy, "%s has %s and %s", path[len(path)-1], kinds[0], kinds[1])
	}
}

// foreignType gives a foreign key the type of the identity it points to.
func (r *requirementsReader) foreignType(e *spec.Entity, a *spec.Attribute) {
	w := a.Reference
	if w == nil { // what it points to is not known, which is reported
		return
	}
	for i, part := range w.By {
		to := w.To.Identity[i]
		r.typeOf(w.To, to)
		if part == a {
			like(a, to)
			continue
		}
		r.typeOf(e, part)
		r.inherit(e, part, to)
		if !spec.SameType(part, to) {
			r.errorAt(with(r.entities[e].attributes[a].path, "by", index(i)), "wrong-type", "", "%s", spec.Unlike(part.Name, part, to.Name+" of "+w.To.Name, to))
		}
	}
}

// inherit gives a number in a foreign key the digits and the range of what it points to, unless it states its own.
func (r *requirementsReader) inherit(e *spec.Entity, a, to *spec.Attribute) {
	s := r.entities[e].attributes[a]
	if s == nil || a.Type != spec.Number || to.Type != spec.Number || s.doc.References != "" || s.doc.Parent != "" {
		return
	}
	switch {
	case s.doc.Digits == nil && s.doc.Scale == nil:
		a.Digits, a.Scale = to.Digits, to.Scale
	case a.Digits-a.Scale < to.Digits-to.Scale:
		r.warnAt(with(s.path, "digits"), "foreign-key", "leave `digits` out: a foreign key has those of what it points to",
			"%s has %d digits, but %s of %s has up to %d: nothing can point to the larger ones", a.Name, a.Digits-a.Scale, to.Name, to.Entity.Name, to.Digits-to.Scale)
	}
	if s.doc.Min == nil {
		a.Min = to.Min
	}
	if s.doc.Max == nil && (a.Min == nil || to.Max == nil || a.Min.Cmp(*to.Max) <= 0) {
		a.Max = to.Max
	}
}

// plainType reads type, states or enum. types are the named types that are being read, so that none holds itself.
func (r *requirementsReader) plainType(a *spec.Attribute, d *attributeDoc, path []string, types map[string]bool) {
	switch {
	case d.States != nil:
		a.Type = spec.String
		r.states(a, d, path)
	case d.Enum != nil:
		a.Type, a.Enum = spec.String, d.Enum
		r.distinct(d.Enum, with(path, "enum"))
	case d.Type != "":
		if t := spec.TypeNamed(d.Type); t != 0 {
			a.Type = t
			break
		}
		r.namedType(a, d.Type, with(path, "type"), types)
	case d.Sequence != "" || d.Generated == "version":
		a.Type = spec.Number
	case d.Generated == "now":
		a.Type = spec.Timestamp
	case d.Generated != "":
		a.Type = spec.String
	}
	if d.Ordered != nil {
		if a.Sorts = spec.AsText; *d.Ordered {
			a.Sorts = spec.AsStated
			r.rankable(a, d, path)
		}
	}
	fields := d.Attributes
	if fields != nil && a.Type != spec.MapType && a.Type != 0 {
		r.errorAt(with(path, "attributes"), "not-applicable", "write `type: map`", "`attributes` is for a map, and %s is %s", a.Name, a.Kind())
		fields = nil
	}
	for i := range fields {
		a.Fields = append(a.Fields, r.inside(fields[i].Key, &fields[i].Value, a.Entity, with(path, "attributes", fields[i].Key), types))
	}
	if d.Of != nil {
		a.Of = r.inside(a.Name, d.Of, a.Entity, with(path, "of"), types)
		if a.Type == spec.SetType && a.Of.Type != spec.String && a.Of.Type != spec.Number && a.Of.Type != spec.Binary && a.Of.Type != 0 {
			r.errorAt(with(path, "of"), "wrong-type", "use a list", "DynamoDB has sets of strings, numbers and binaries, not of %ss", a.Of.Type)
		}
	} else if a.Type == spec.SetType && !r.isBroken(path...) {
		r.badValue(r.Place(path...), path, "missing-key", "add `of: string`, `of: number` or `of: binary`", "it is not said what %s is a set of", a.Name)
	}
	a.Length = r.count(d.Length, with(path, "length"))
	if a.Type == spec.Number {
		r.numberRange(a, d, path)
	}
}

func (r *requirementsReader) namedType(a *spec.Attribute, name string, path []string, types map[string]bool) {
	for i := range r.doc.Types {
		t := &r.doc.Types[i]
		if t.Key != name {
			continue
		}
		if types[name] {
			r.errorAt(path, "circle", "", "the type %s holds itself", name)
			return
		}
		types[name] = true
		defer delete(types, name)
		a.Type = spec.MapType
		for j := range t.Value {
			f := &t.Value[j]
			a.Fields = append(a.Fields, r.inside(f.Key, &f.Value, a.Entity, []string{"types", name, f.Key}, types))
		}
		return
	}
	if r.isBroken(path...) {
		return
	}
	known := []string{"string", "number", "bool", "binary", "timestamp", "date", "map", "list", "set"}
	for _, t := range r.doc.Types {
		known = append(known, t.Key)
	}
	remedy := nearest(name, known)
	if r.out.Entity(name) != nil {
		remedy = "an entity is pointed to with `references: " + name + "`"
	} else if w := elsewhere(typeWords, name); w != "" {
		remedy = "write `" + w + "`"
	}
	r.badValue(r.Place(path...), path, "unknown-name", remedy, "there is no type %s", name)
}

// inside reads an attribute inside a map, or the element of a list or set.
func (r *requirementsReader) inside(name string, d *attributeDoc, e *spec.Entity, path []string, types map[string]bool) *spec.Attribute {
	a := &spec.Attribute{Name: name, Entity: e, Present: 1, Optional: d.Optional, Sensitive: d.Sensitive, Note: d.Note}
	if path[len(path)-1] == name {
		r.checkName(name, path, false)
	}
	for _, k := range []struct {
		name  string
		given bool
	}{
		{"references", d.References != ""}, {"parent", d.Parent != ""}, {"derived", d.Derived != nil}, {"states", d.States != nil},
		{"generated", d.Generated != ""}, {"sequence", d.Sequence != ""}, {"distinct", d.Distinct != nil}, {"hottest", d.Hottest != nil},
	} {
		if k.given {
			at := with(path, k.name)
			r.badValue(r.Place(at...), at, "not-applicable", "make it an attribute of the entity", "`%s` is for attributes of an entity, not for what is inside one", k.name)
			return a
		}
	}
	r.oneKind(d, path)
	r.plainType(a, d, path, types)
	r.keysForType(a, d, path)
	if a.Optional {
		a.Present = 0.5
	}
	r.share(a, d, path)
	return a
}

// rankable checks that values which sort as they are stated can be named in a template: {urgency:rank(severe,high,low)}.
func (r *requirementsReader) rankable(a *spec.Attribute, d *attributeDoc, path []string) {
	for _, v := range a.Values() {
		if v == "" || strings.ContainsAny(v, ":,=(){}") || strings.TrimSpace(v) != v {
			r.errorAt(with(path, "ordered"), "bad-value", "give it another name, or let them sort as text with `ordered: false`",
				"the value `%s` of %s has a sign that the template of a key cannot name", v, a.Name)
			return
		}
	}
}

func (r *requirementsReader) distinct(values []string, path []string) {
	for i, v := range values {
		if slices.Contains(values[:i], v) {
			r.errorAt(with(path, index(i)), "repeated-key", "", "%s is there already", v)
		}
	}
	if len(values) == 0 && !r.isBroken(path...) {
		r.errorAt(path, "bad-value", "name them, such as [first, second]", "there are no values")
	}
}

// states reads a life cycle: a list, which only moves forward, or a map from state to the next ones.
func (r *requirementsReader) states(a *spec.Attribute, d *attributeDoc, path []string) {
	s := &spec.States{Next: map[string][]string{}}
	a.States = s
	at := with(path, "states")
	if list := d.States.A; list != nil {
		r.distinct(*list, at)
		s.Names, s.Forward = slices.Clone(*list), true
		for i, name := range s.Names {
			s.Next[name] = slices.Clone(s.Names[i+1:])
		}
		for i, end := range d.Also {
			if slices.Contains(s.Names, end) {
				r.errorAt(with(path, "also", index(i)), "repeated-key", "", "%s is there already", end)
				continue
			}
			for _, from := range (*list)[:max(0, len(*list)-1)] {
				s.Next[from] = append(s.Next[from], end)
			}
			s.Names = append(s.Names, end)
		}
		return
	}
	for _, e := range *d.States.B {
		s.Names = append(s.Names, e.Key)
	}
	if len(s.Names) == 0 && !r.isBroken(at...) {
		r.errorAt(at, "bad-value", "name them, such as [open, closed]", "there are no values")
	}
	if d.Also != nil {
		r.errorAt(with(path, "also"), "not-applicable", "write them as next states in the map", "`also` is for states that are a list")
	}
	for _, e := range *d.States.B {
		for i, next := range e.Value {
			if !slices.Contains(s.Names, next) {
				remedy := near.Name(next, s.Names)
				if remedy != "" {
					remedy = "did you mean " + remedy + "?"
				} else {
					remedy = "add `" + next + ": []` to the states, with those that follow in the brackets"
				}
				r.errorAt(with(at, e.Key, index(i)), "unknown-name", remedy, "there is no state %s", next)
				continue
			}
			s.Next[e.Key] = append(s.Next[e.Key], next)
		}
	}
}

// number reads digits, scale and range.
func (r *requirementsReader) numberRange(a *spec.Attribute, d *attributeDoc, path []string) {
	a.Digits = 6
	if d.Digits != nil {
		if a.Digits = *d.Digits; a.Digits < 1 || a.Digits > attr.MaxDigits {
			r.errorAt(with(path, "digits"), "bad-value", "write how many significant digits it has at most: 6 unless given", "a number has 1 to %d digits, not %d", attr.MaxDigits, a.Digits)
			a.Digits = 6
		}
	}
	if d.Scale != nil {
		if a.Scale = *d.Scale; a.Scale > a.Digits {
			r.errorAt(with(path, "scale"), "bad-value", "raise `digits`, which counts decimals too, or lower `scale`", "%d of %d digits cannot be decimals", a.Scale, a.Digits)
			a.Scale = 0
		}
	}
	if d.Min != nil {
		a.Min = &d.Min.Number
	}
	if d.Max != nil {
		a.Max = &d.Max.Number
	}
	if a.Min != nil && a.Max != nil && a.Min.Cmp(*a.Max) > 0 {
		r.errorAt(with(path, "min"), "bad-value", "let min be at most max", "the smallest, %s, is above the largest, %s", a.Min, a.Max)
	}
}

// keysForType reports keys that mean nothing for what the attribute is.
func (r *requirementsReader) keysForType(a *spec.Attribute, d *attributeDoc, path []string) {
	foreign := d.References != "" || d.Parent != "" || d.Derived != nil
	number := a.Type == spec.Number && !foreign
	collection := a.Type == spec.ListType || a.Type == spec.SetType
	sized := !foreign && a.Values() == nil && !slices.Contains([]spec.Type{spec.Number, spec.Bool, spec.Timestamp, spec.Date}, a.Type)
	for _, k := range []struct {
		name        string
		given, fits bool
		what        string
	}{
		{"digits", d.Digits != nil, number, "a number"},
		{"scale", d.Scale != nil, number, "a number"},
		{"min", d.Min != nil, number, "a number"},
		{"max", d.Max != nil, number, "a number"},
		{"of", d.Of != nil, collection, "a list or set"},
		{"length", d.Length != nil, collection, "a list or set"},
		{"bytes", d.Bytes != nil, sized, "what has no size of its own"},
		{"also", d.Also != nil, d.States != nil, "states"},
		{"ordered", d.Ordered != nil, d.States != nil || d.Enum != nil, "states and enum"},
		{"within", d.Within != 0, d.Derived != nil, "a derived attribute"},
	} {
		if k.given && !k.fits && a.Type != 0 {
			remedy := ""
			switch {
			case k.name == "length" && sized, k.name == "max" && sized && d.Bytes == nil:
				remedy = "write `bytes`: how large a value is"
			case k.name == "bytes" && number:
				remedy = "write `digits`: its size follows from them"
			}
			r.errorAt(with(path, k.name), "not-applicable", remedy, "`%s` is for %s, and %s is %s", k.name, k.what, a.Name, a.Kind())
		}
	}
}

func (r *requirementsReader) generated(e *spec.Entity, a *spec.Attribute, s *attributeState) {
	d := s.doc
	fits := func(key string, t spec.Type) {
		if a.Type != 0 && a.Type != t || a.Values() != nil || d.References != "" || d.Parent != "" || d.Derived != nil {
			r.errorAt(with(s.path, key), "wrong-type", "write `type: "+t.String()+"`", "`%s` makes a %s, and %s is %s", key, t, a.Name, a.Kind())
		}
	}
	if d.Generated != "" {
		a.Generated = d.Generated
		switch d.Generated {
		case "now":
			fits("generated", spec.Timestamp)
		case "version":
			fits("generated", spec.Number)
		default:
			fits("generated", spec.String)
		}
	}
	if d.Sequence != "" {
		fits("sequence", spec.Number)
		if a.Sequence = r.attribute(e, string(d.Sequence), with(s.path, "sequence")); a.Sequence == a {
			r.errorAt(with(s.path, "sequence"), "circle", "", "%s counts per value of itself", a.Name)
		}
		if d.Generated != "" {
			r.errorAt(with(s.path, "sequence"), "conflict", "keep one of them", "%s is generated and a sequence", a.Name)
		}
	}
}

// derived finds out what an attribute follows from.
func (r *requirementsReader) derived(e *spec.Entity, a *spec.Attribute) {
	s := r.entities[e].attributes[a]
	d := s.doc.Derived
	path := with(s.path, "derived")
	a.Derived = &spec.Derived{Func: d.Func, Path: d.Path, Within: duration(s.doc.Within)}
	if d.Func == "exists" || d.Func == "count" && d.Path == nil {
		r.errorAt(path, "bad-value", "write count(path), such as count(likes)", "what is counted is not said")
		return
	}
	if first := d.Path[0]; e.Attribute(first) != nil && e.WayBack(first) != nil { // which is reported at the way
		a.Type, a.Digits = spec.Number, countDigits(nil)
		return
	}
	segments, err := e.Resolve(d.Path)
	if err != nil {
		if se, ok := err.(*spec.Error); ok && !r.lost(e, d.Path) {
			if d.Func != "" {
				se.Offset += len(d.Func + "(")
			}
			r.expression(se, path)
		}
		r.broken[pathKey(path)] = true
		return
	}
	r.goesAlong(segments, path)
	r.some(a, d, segments, path)
	last := segments[len(segments)-1]
	many := slices.ContainsFunc(segments, func(s spec.Segment) bool { return !s.ToOne() })
	switch {
	case d.Func == "" && (many || last.Attribute == nil):
		r.errorAt(path, "wrong-type", "write count(…), sum(…), min(…), max(…) or last(…) over many", "%s does not lead to one value", d.Path)
		return
	case d.Func == "count":
		switch {
		case last.Attribute == a:
			r.errorAt(path, "name-clash", "name the way with `inverse` in the foreign key that leads here, and the number otherwise, such as `"+a.Name+"Count`",
				"%s is this number itself, and no way back has that name", a.Name)
		case last.Way == nil || !last.Back:
			r.errorAt(path, "wrong-type", "count a way back", "%s does not lead to entities that can be counted", d.Path)
		}
		a.Type, a.Digits = spec.Number, countDigits(segments)
		return
	case d.Func == "last" && !r.newest(a, segments, path):
		return
	case last.Attribute == nil:
		r.errorAt(path, "wrong-type", "name an attribute at its end", "%s does not lead to values", d.Path)
		return
	case len(segments) == 1:
		r.errorAt(path, "wrong-type", "derive from another entity", "%s is an attribute of %s itself", d.Path, e.Name)
		return
	}
	// It is there if every foreign key on the way is, and the attribute at the end.
	here, from := e, last.Attribute
	for _, seg := range segments {
		if seg.Way == nil {
			if _, ok := r.entities[here].attributes[seg.Attribute]; ok { // else it is inside a map
				r.typeOf(here, seg.Attribute)
			}
			a.Optional, a.Present = a.Optional || seg.Attribute.Optional, a.Present*seg.Attribute.Present
			continue
		}
		for _, key := range seg.Way.By {
			if !seg.Back && key.Optional {
				r.typeOf(here, key)
				a.Optional, a.Present = true, a.Present*key.Present
			}
		}
		here = seg.Entity()
	}
	a.Type, a.Enum, a.Sorts, a.Digits, a.Scale, a.Of, a.Fields, a.Length = from.Type, from.Values(), from.Sorts, from.Digits, from.Scale, from.Of, from.Fields, from.Length
	switch d.Func {
	case "sum":
		if from.Type != spec.Number && from.Type != 0 {
			r.errorAt(path, "wrong-type", "", "%s is %s: only numbers have a sum", d.Path, from.Kind())
		}
		a.Digits = min(from.Digits+3, attr.MaxDigits)
	case "last":
		a.Optional = true // there may be none
	case "min", "max":
		if !from.Ordered() && from.Type != 0 {
			r.errorAt(path, "wrong-type", "", "%s is %s, which has no order", d.Path, from.Kind())
		}
		a.Optional = true // there may be none
	}
}

// some resolves which children count.
func (r *requirementsReader) some(a *spec.Attribute, d *functionText, segments []spec.Segment, path []string) {
	if d.Where == nil {
		return
	}
	way := segments[0].Way
	if d.Func != "count" && d.Func != "sum" || way == nil || !segments[0].Back || len(segments) > 2 || d.Func == "sum" && len(segments) != 2 {
		r.errorAt(path, "wrong-type", "write count(way where …) or sum(way.attribute where …), along one way back", "only counts and sums of an entity's children can leave some out")
		return
	}
	if a.Derived.Within == 0 && !r.isBroken(with(path[:len(path)-1], "within")...) {
		r.errorAt(path, "not-applicable", "add `within: 5s`, so that a stream keeps it; a number that is never late, as conditions of writes want it, is one that the writes keep: `type: number`, and `set: {"+a.Name+": "+a.Name+" + 1}` beside what counts",
			"%s leaves some %s out, and no write knows whether one of them counted before", a.Name, way.From.Name)
		return
	}
	a.Derived.Where = r.ofItself(way.From, d.Where, path, d.from, "whether a "+way.From.Name+" counts")
}

// ofItself resolves a condition that decides something of an entity whenever one is written, so that it must follow from what is
// kept of it alone: of its own attributes and of values that stand there. nil if it does not, which is reported.
func (r *requirementsReader) ofItself(e *spec.Entity, c spec.Condition, path []string, from int, what string) spec.Condition {
	for t := range spec.Tests(c) {
		here := func(p spec.Path) bool {
			if len(p) == 0 {
				return false
			}
			own := e.Attribute(p[0])
			if own != nil {
				if _, ok := r.entities[e].attributes[own]; ok {
					r.typeOf(e, own)
				}
			}
			return own != nil && own.Derived == nil
		}
		ok := here(t.Path)
		for _, v := range t.Args {
			for term := range v.Terms() {
				ok = ok && !term.Now && len(term.Reference) == 0 && (len(term.Path) == 0 || term.Path.String() == "" || len(term.Path) == 1 && (e.Attribute(term.Path[0]) == nil || here(term.Path)))
			}
		}
		if !ok {
			r.errorAt(path, "wrong-type", "test attributes of "+e.Name+" against values that stand here", "%s must follow from what is kept of it alone", what)
			return nil
		}
	}
	out, errs := spec.Scope{Entity: e}.Condition(c)
	for _, err := range errs {
		err.Offset += from
		r.expression(err, path)
	}
	if errs != nil {
		return nil
	}
	return out
}

// countDigits is how many digits the largest count of what a path leads to has.
func countDigits(segments []spec.Segment) int {
	most := 1.0
	for _, s := range segments {
		if s.Back && !s.Way.PerParent.Stated {
			return 9
		}
		if s.Back {
			most *= s.Way.PerParent.Max
		}
	}
	return max(1, min(len(strconv.FormatFloat(most, 'f', 0, 64)), attr.MaxDigits))
}
