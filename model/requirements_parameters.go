package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// Parameters come into being by use: their order is that of appearance, their type that of what they stand beside.

// appear brings a parameter into the pattern where it is used first.
func (p *patternReader) appear(name string) *spec.Parameter {
	if q := p.known[name]; q != nil {
		list := &p.out.Parameters
		if q.From != nil {
			list = &p.out.Found
		}
		if !slices.Contains(*list, q) {
			*list = append(*list, q)
		}
		return q
	}
	q := &spec.Parameter{Name: name, Stated: 1}
	p.known[name] = q
	p.out.Parameters = append(p.out.Parameters, q)
	return q
}

// scalar is told of a reference beside an attribute: a parameter of its type, or something inside a parameter that is
// an entity.
func (p *patternReader) scalar(ref spec.Reference, like *spec.Attribute, pos int) *spec.Error {
	if ref[0] == "each" {
		return &spec.Error{Offset: pos, Message: "$each is an element of `each`, and there is none here", Remedy: "add `each` with a list, such as $order.items"}
	}
	if len(ref) > 1 && slices.Contains(p.lostValues, ref[0]) {
		return nil
	}
	q := p.appear(ref[0])
	if len(ref) > 1 {
		if q.Entity == nil {
			return &spec.Error{Code: spec.UnknownName, Offset: pos, Message: fmt.Sprintf("$%s is not an entity that this pattern is given: nothing is inside", ref[0])}
		}
		if q.List {
			return &spec.Error{Code: spec.WrongType, Offset: pos, Message: fmt.Sprintf("$%s is a list", ref[0]), Remedy: "write `each: $" + ref[0] + "`, and $each for its elements"}
		}
		return p.inside(q.Entity, q.With, ref, 1, like, pos)
	}
	switch {
	case q.Entity != nil:
		return &spec.Error{Code: "parameter-clash", Offset: pos, Message: fmt.Sprintf("$%s is a whole %s, and here %s", q.Name, q.Entity.Name, like.Kind()), Remedy: "name an attribute of it, such as $" + q.Name + "." + anAttribute(q.Entity)}
	case q.List:
		return &spec.Error{Code: "parameter-clash", Offset: pos, Message: fmt.Sprintf("$%s is a list, and here %s", q.Name, like.Kind())}
	case q.Like == nil:
		q.Like = like
	case !spec.SameType(q.Like, like):
		return &spec.Error{Code: "parameter-clash", Offset: pos, Message: fmt.Sprintf("$%s is %s beside %s, and %s beside %s", q.Name, q.Like.Kind(), q.Like.Name, like.Kind(), like.Name), Remedy: "use two parameters"}
	case q.Like.Values() == nil && like.Values() != nil:
		q.Like = like // it knows the domain
	}
	return nil
}

// inside looks up what the names of a reference from at on lead to inside the value of an entity.
func (p *patternReader) inside(e *spec.Entity, children []string, ref spec.Reference, at int, like *spec.Attribute, pos int) *spec.Error {
	if len(ref) > at+1 && slices.Contains(children, ref[at]) {
		way := e.WayBack(ref[at])
		if list := ref[:at+1]; !(way.PerParent.Stated && way.PerParent.Max <= 1) {
			return &spec.Error{Code: spec.WrongType, Offset: pos, Message: fmt.Sprintf("%s is a list", list), Remedy: "write `each: " + list.String() + "`, and $each for its elements"}
		}
		return p.inside(way.From, nil, ref, at+1, like, pos)
	}
	a := attributeAt(e, ref[at:])
	if a == nil {
		names := slices.Clone(children)
		for _, b := range e.Attributes {
			if !b.Rest {
				names = append(names, b.Name)
			}
		}
		return &spec.Error{Code: spec.UnknownName, Offset: pos, Message: fmt.Sprintf("the value of %s has no %s", e.Name, strings.Join(ref[at:], ".")), Remedy: nearest(ref[at], names)}
	}
	if !spec.SameType(a, like) {
		return &spec.Error{Code: spec.WrongType, Offset: pos, Message: spec.Unlike(ref.String(), a, like.Name, like)}
	}
	return nil
}

// attributeAt is an attribute of an entity, or one inside its maps; nil if there is none.
func attributeAt(e *spec.Entity, names []string) *spec.Attribute {
	a := e.Attribute(names[0])
	for _, name := range names[1:] {
		if a == nil {
			return nil
		}
		i := slices.IndexFunc(a.Fields, func(f *spec.Attribute) bool { return f.Name == name })
		if i < 0 {
			return nil
		}
		a = a.Fields[i]
	}
	return a
}

// parameters applies what the pattern says of its parameters beside their use.
func (p *patternReader) parameters() {
	if t := string(p.doc.Idempotency); t != "" {
		at := with(p.path, "idempotency")
		token := &spec.Attribute{Name: t, Type: spec.String, Present: 1, Bytes: exactly(36)} // DynamoDB's client request tokens have up to 36
		if err := p.scalar(spec.Reference{t}, token, 0); err != nil {
			p.expression(err, at)
		}
		p.out.Idempotency = t
	}
	for _, q := range slices.Concat(p.out.Parameters, p.out.Found) {
		if q.Like != nil {
			q.Min, q.Max = q.Like.Min, q.Like.Max
		}
	}
	p.unsure = p.mayUseMore()
	for _, d := range p.doc.Parameters {
		at := with(p.path, "parameters", d.Key)
		name, part, inside := strings.Cut(d.Key, ".")
		switch q := p.parameter(name, at); {
		case q == nil, inside && q.Entity != nil && slices.Contains(q.With, part): // read with the value
		case inside:
			p.statedOfPart(q, part, d.Value, at)
		default:
			p.stated(q, d.Value, at)
		}
	}
	p.optional()
	for _, q := range p.out.Parameters {
		if q.List && q.Length.Max == 0 && !p.isBroken(with(p.path, "parameters", q.Name)...) {
			p.errorAt(p.path, "length-missing", "add `parameters: {"+q.Name+": {length: {average: 3, max: 20}}}`", "how many elements the list $%s has is not said", q.Name)
		}
	}
	p.ranges()
}

// inValue applies what the pattern says of the children by a way inside a value.
func (p *patternReader) inValue(q *spec.Parameter, way *spec.Relationship, d *parameterDoc, at []string) {
	name := q.Name + "." + way.Inverse
	switch {
	case d.Type != "" || d.Min != nil || d.Max != nil || len(d.Same) > 0 || len(d.Within) > 0:
		p.errorAt(at, "not-applicable", "state ranges and types at the attributes of "+way.From.Name, "of the %s inside a %s only their number, `length`, can be stated", way.From.Name, way.To.Name)
	case d.Length == nil || d.Length.Average == nil:
	case way.Single():
		p.errorAt(with(at, "length"), "not-applicable", "leave it out", "`length` is for a list, and $%s is one %s", name, way.From.Name)
	default:
		n := p.count(d.Length, with(at, "length"))
		if n.Max < 1 || n.Max != math.Trunc(n.Max) {
			p.errorAt(with(at, "length"), "bad-value", "write {average: …, max: …} with a whole number of at least 1 as max", "a call cannot bring up to %s children", spec.FormatNumber(n.Max))
			return
		}
		q.Inside = append(q.Inside, spec.Inside{Way: way, Number: n})
	}
}

// wayInside is the way back of the children that values of the pattern have under a name, and the path to them; nil if
// none has.
func (p *patternReader) wayInside(name string) (*spec.Relationship, string) {
	for _, a := range p.out.Actions {
		if q := p.out.ValueOf(a); q != nil && slices.Contains(a.With, name) {
			return a.Entity.WayBack(name), q.Name + "." + name
		}
	}
	return nil, ""
}

// parameter finds one that the pattern uses.
func (p *patternReader) parameter(name string, at []string) *spec.Parameter {
	if q := p.out.Parameter(name); q != nil {
		return q
	}
	if p.unsure {
		return nil
	}
	var names []string
	for _, q := range p.out.Parameters {
		names = append(names, q.Name)
	}
	if way, path := p.wayInside(name); way != nil {
		p.errorAtKey(at, "unknown-name", "write `"+path+"` for how many come with one call; how many there are in all is `per-parent` of "+way.From.Name+"."+way.By[0].Name,
			"$%s is no parameter of %s: they are children inside the value of a %s", name, p.out.Name, way.To.Name)
		return nil
	}
	p.errorAtKey(at, "unknown-name", nearest(name, names), "%s uses no parameter $%s", p.out.Name, name)
	return nil
}

// mayUseMore reports whether something in the pattern could not be read, in which parameters may be used.
func (p *patternReader) mayUseMore() bool {
	return p.brokenWithin(p.path...) ||
		slices.ContainsFunc(p.out.Actions, func(a *spec.Action) bool { return !p.isWhole(a.Entity) }) ||
		slices.ContainsFunc(p.diags, func(d Diagnostic) bool {
			return d.Of == p.out.Name && (d.Code == "unknown-name" || d.Code == "wrong-type" || d.Code == "parameter-clash" || d.Code == "set-fixed")
		})
}

func (p *patternReader) stated(q *spec.Parameter, d parameterDoc, at []string) {
	if d.Type != "" {
		switch t := spec.TypeNamed(d.Type); {
		case t == 0:
			p.errorAt(with(at, "type"), "unknown-name", nearest(d.Type, []string{"string", "number", "bool", "binary", "timestamp", "date"}), "there is no type %s", d.Type)
		case q.Like == nil || q.Like.Type != t && q.Like.Type != 0:
			p.errorAt(with(at, "type"), "parameter-clash", "leave it out", "$%s is %s by its use", q.Name, p.kindOf(q))
		}
	}
	if d.Length != nil {
		if q.List {
			q.Length = p.count(d.Length, with(at, "length"))
		} else {
			p.errorAt(with(at, "length"), "not-applicable", "", "`length` is for a list, and $%s is %s", q.Name, p.kindOf(q))
		}
	}
	p.same(q, d.Same, with(at, "same"))
	p.within(q, d.Within, with(at, "within"))
	if d.Min != nil || d.Max != nil {
		if q.Like == nil || q.Like.Type != spec.Number && q.Like.Type != 0 {
			p.errorAt(at, "not-applicable", "", "`min` and `max` are for numbers, and $%s is %s", q.Name, p.kindOf(q))
			return
		}
		if d.Min != nil {
			q.Min = &d.Min.Number
		}
		if d.Max != nil {
			q.Max = &d.Max.Number
		}
		if q.Min != nil && q.Max != nil && q.Min.Cmp(*q.Max) > 0 {
			p.errorAt(at, "bad-value", "let min be at most max", "the smallest, %s, is above the largest, %s", q.Min, q.Max)
		}
	}
}

// same applies what the elements of a list have in common.
func (p *patternReader) same(q *spec.Parameter, names []string, at []string) {
	if len(names) == 0 {
		return
	}
	if !q.List || q.Entity == nil && (q.Like == nil || len(q.Like.Fields) == 0) {
		p.errorAt(at, "not-applicable", "leave it out", "`same` is for a list whose elements have attributes, and $%s is %s", q.Name, p.kindOf(q))
		return
	}
	var have []*spec.Attribute
	if q.Entity != nil {
		have = q.Entity.Attributes
	} else {
		have = q.Like.Fields
	}
	for i, name := range names {
		var a *spec.Attribute
		if k := slices.Index(namesOf(have), name); k >= 0 {
			a = have[k]
		}
		switch at := with(at, index(i)); {
		case a == nil:
			p.errorAt(at, "unknown-name", nearest(name, namesOf(have)), "the elements of $%s have no %s", q.Name, name)
		case a.Generated != "" || a.Sequence != nil || a.Derived != nil:
			p.errorAt(at, "not-applicable", "name what the call states", "%s of $%s is not stated by the call", name, q.Name)
		default:
			q.Same = append(q.Same, name)
		}
	}
	if e := q.Entity; e != nil && q.Length.Max > 1 &&
		!slices.ContainsFunc(e.Identity, func(a *spec.Attribute) bool { return !slices.Contains(q.Same, a.Name) }) {
		p.errorAt(at, "not-applicable", "leave out what tells one from another",
			"elements of $%s that have all of %s in common are one %s", q.Name, strings.Join(namesOf(e.Identity), ", "), e.Name)
	}
}

// within applies how close together times of the elements of a list lie.
func (p *patternReader) within(q *spec.Parameter, spans mapOf[spanDoc], at []string) {
	if len(spans) == 0 {
		return
	}
	if !q.List || q.Entity == nil {
		p.errorAt(at, "not-applicable", "leave it out", "`within` is for a list of values of an entity, and $%s is %s", q.Name, p.kindOf(q))
		return
	}
	for _, d := range spans {
		a := q.Entity.Attribute(d.Key)
		average := duration(d.Value.Average)
		most := average
		if d.Value.Max != nil {
			most = duration(*d.Value.Max)
		}
		switch at := with(at, d.Key); {
		case a == nil:
			p.errorAtKey(at, "unknown-name", nearest(d.Key, namesOf(q.Entity.Attributes)), "the elements of $%s have no %s", q.Name, d.Key)
		case a.Type != spec.Timestamp || a.Generated != "" || a.Derived != nil || slices.Contains(q.Same, a.Name):
			p.errorAt(at, "not-applicable", "name a timestamp that the call states of each", "%s of $%s is no time that the call states of each", d.Key, q.Name)
		case average <= 0 || most < average:
			p.errorAt(at, "bad-value", "write a duration, or {average: …, max: …}", "times lie at most %s apart, and %s on average", spec.FormatDuration(most), spec.FormatDuration(average))
		default:
			q.Within = append(q.Within, spec.Near{Of: a, Average: average, Max: most})
		}
	}
}

func namesOf(as []*spec.Attribute) (names []string) {
	for _, a := range as {
		names = append(names, a.Name)
	}
	return names
}

// statedOfPart applies what is said of a part of each element of a list: $agencies is a list, and agencies.amount a
// part.
func (p *patternReader) statedOfPart(q *spec.Parameter, part string, d parameterDoc, at []string) {
	f := partOf(q, part)
	switch {
	case f == nil && q.Entity != nil:
		p.errorAtKey(at, "not-applicable", "state it at the attribute", "a part of a whole %s has the range of its attribute", q.Entity.Name)
	case f == nil:
		p.errorAtKey(at, "unknown-name", "", "%s uses no part %s of the elements of $%s", p.out.Name, part, q.Name)
	case d.Length != nil:
		p.errorAt(with(at, "length"), "not-applicable", "", "`length` is for a list, and each %s of $%s is %s", part, q.Name, f.Kind())
	default: // as of a parameter that is this part
		one := &spec.Parameter{Name: q.Name + "." + part, Like: f, Min: f.Min, Max: f.Max}
		p.stated(one, d, at)
		f.Min, f.Max = one.Min, one.Max
	}
}

// partOf is what a part of each element of a list is like, where the list is of what the pattern uses of it; nil
// elsewhere.
func partOf(q *spec.Parameter, part string) *spec.Attribute {
	if q.Like == nil || !q.List {
		return nil
	}
	if i := slices.IndexFunc(q.Like.Fields, func(f *spec.Attribute) bool { return f.Name == part }); i >= 0 {
		return q.Like.Fields[i]
	}
	return nil
}

func (p *patternReader) kindOf(q *spec.Parameter) string {
	switch {
	case q.List:
		return "a list"
	case q.Entity != nil:
		return "a whole " + q.Entity.Name
	case q.Like == nil:
		return "of no type"
	}
	return q.Like.Kind()
}

func (p *patternReader) optional() {
	d := p.doc.Optional
	if d == nil {
		return
	}
	path := with(p.path, "optional")
	add := func(name string, share float64, at []string) {
		q := p.parameter(name, at)
		if q == nil {
			return
		}
		for _, g := range p.out.Given {
			if g[len(g)-1] == name {
				p.errorAt(at, "conflict", "test it in `where`", "every call states $%s, since it is in `given`", name)
				return
			}
		}
		if q.Entity != nil || q.List {
			p.errorAt(at, "not-applicable", "", "$%s is what is written: a call cannot leave it out", name)
			return
		}
		for _, a := range p.out.Actions {
			for _, k := range a.Key {
				if k.Value.Uses(name) {
					p.errorAt(at, "conflict", "", "$%s says which %s: a call cannot leave it out", name, a.Entity.Name)
					return
				}
			}
		}
		q.Optional, q.Stated = true, share
		for _, a := range p.out.Actions {
			for i := range a.Set {
				a.Set[i].Optional = a.Set[i].Optional || a.Set[i].Value.Uses(name)
			}
		}
		p.out.Optional = append(p.out.Optional, spec.Optional{Name: name, Share: share})
	}
	if d.A != nil {
		for i, name := range *d.A {
			add(string(name), 0.5, with(path, index(i)))
		}
		return
	}
	for _, e := range *d.B {
		add(e.Key, float64(e.Value), with(path, e.Key))
	}
}

// anAttribute is the name of an attribute of e, to give an example.
func anAttribute(e *spec.Entity) string {
	for _, a := range slices.Concat(e.Identity, e.Attributes) {
		return a.Name
	}
	return "name"
}
