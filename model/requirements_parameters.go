package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// Parameters come into being by use: their order is that of appearance, their type that of what they stand beside.

// appear brings a parameter into the pattern where it is used first.
func (p *patternReader) appear(name string) *spec.Parameter {
	if q := p.known[name]; q != nil {
		if !slices.Contains(p.out.Parameters, q) {
			p.out.Parameters = append(p.out.Parameters, q)
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
	q := p.appear(ref[0])
	if len(ref) > 1 {
		if q.Entity == nil {
			return &spec.Error{Code: spec.UnknownName, Offset: pos, Message: fmt.Sprintf("$%s is not an entity that this pattern is given: nothing is inside", ref[0])}
		}
		if q.List {
			return &spec.Error{Code: spec.WrongType, Offset: pos, Message: fmt.Sprintf("$%s is a list", ref[0]), Remedy: "write `each: $" + ref[0] + "`, and $each for its elements"}
		}
		return p.inside(q.Entity, q.With, ref, like, pos)
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

// inside looks up what a reference names inside the value of an entity.
func (p *patternReader) inside(e *spec.Entity, children []string, ref spec.Reference, like *spec.Attribute, pos int) *spec.Error {
	if len(ref) > 2 && slices.Contains(children, ref[1]) {
		way := e.WayBack(ref[1])
		if way == nil || !(way.PerParent.Stated && way.PerParent.Max <= 1) {
			return &spec.Error{Code: spec.WrongType, Offset: pos, Message: fmt.Sprintf("%s is a list", spec.Reference(ref[:2])), Remedy: "write `each: " + spec.Reference(ref[:2]).String() + "`, and $each for its elements"}
		}
		return p.inside(way.From, nil, ref[1:], like, pos)
	}
	a := e.Attribute(ref[1])
	for _, name := range ref[2:] {
		if a == nil {
			break
		}
		i := slices.IndexFunc(a.Fields, func(f *spec.Attribute) bool { return f.Name == name })
		if i < 0 {
			a = nil
			break
		}
		a = a.Fields[i]
	}
	if a == nil {
		names := children
		for _, b := range e.Attributes {
			names = append(names, b.Name)
		}
		return &spec.Error{Code: spec.UnknownName, Offset: pos, Message: fmt.Sprintf("the value of %s has no %s", e.Name, strings.Join(ref[1:], ".")), Remedy: nearest(ref[1], names)}
	}
	if !spec.SameType(a, like) {
		return &spec.Error{Code: spec.WrongType, Offset: pos, Message: fmt.Sprintf("%s is %s, but %s is %s", ref, a.Kind(), like.Name, like.Kind())}
	}
	return nil
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
	for _, q := range p.out.Parameters {
		if q.Like != nil {
			q.Min, q.Max = q.Like.Min, q.Like.Max
		}
	}
	for _, d := range p.doc.Parameters {
		at := with(p.path, "parameters", d.Key)
		if q := p.parameter(d.Key, at); q != nil {
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

// parameter finds one that the pattern uses.
func (p *patternReader) parameter(name string, at []string) *spec.Parameter {
	if q := p.out.Parameter(name); q != nil {
		return q
	}
	if p.anyBroken() {
		return nil // it may be used in what could not be read
	}
	var names []string
	for _, q := range p.out.Parameters {
		names = append(names, q.Name)
	}
	p.errorAtKey(at, "unknown-name", nearest(name, names), "%s uses no parameter $%s", p.out.Name, name)
	return nil
}

// anyBroken reports whether something in the pattern could not be read.
func (p *patternReader) anyBroken() bool {
	for key := range p.broken {
		if strings.HasPrefix(key, pathKey(p.path)) {
			return true
		}
	}
	return false
}

func (p *patternReader) stated(q *spec.Parameter, d parameterDoc, at []string) {
	if d.Type != "" {
		switch t := spec.TypeNamed(d.Type); {
		case t == 0:
			p.errorAt(with(at, "type"), "unknown-name", nearest(d.Type, []string{"string", "number", "bool", "binary", "timestamp", "date"}), "there is no type %s", d.Type)
		case q.Like == nil || q.Like.Type != t:
			p.errorAt(with(at, "type"), "parameter-clash", "leave it out", "$%s is %s by its use", q.Name, p.kindOf(q))
		}
	}
	if d.Min != nil || d.Max != nil {
		if q.Like == nil || q.Like.Type != spec.Number {
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
			p.errorAt(at, "bad-value", "", "the smallest, %s, is above the largest, %s", q.Min, q.Max)
		}
	}
	if d.Length != nil {
		if !q.List {
			p.errorAt(with(at, "length"), "not-applicable", "", "`length` is for a list, and $%s is %s", q.Name, p.kindOf(q))
			return
		}
		q.Length = p.count(d.Length, with(at, "length"))
	}
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

// interval is the range of a number; nil ends are open.
type interval struct{ low, high *attr.Number }

var zero = attr.Int(0)

// ranges checks that no update can leave the range of a number without a condition.
func (p *patternReader) ranges() {
	for i, a := range p.out.Actions {
		if a.Verb != spec.Update {
			continue
		}
		for _, s := range a.Set {
			if len(s.Path) == 1 {
				if target := a.Entity.Attribute(s.Path[0]); target != nil && target.Type == spec.Number && (target.Min != nil || target.Max != nil) {
					p.inRange(a, target, s, with(p.path, "write", index(i), "set", s.Path.String()))
				}
			}
		}
	}
}

func (p *patternReader) inRange(a *spec.Action, target *spec.Attribute, s spec.Assign, at []string) {
	own, rest := p.change(a, s.Value, s.Path, false)
	low, high := false, false // whether the update can go below, or above
	switch own {
	case 0:
		low = target.Min != nil && (rest.low == nil || rest.low.Cmp(*target.Min) < 0)
		high = target.Max != nil && (rest.high == nil || rest.high.Cmp(*target.Max) > 0)
		if low || high {
			p.errorAt(at, "range", "state the range of the parameter with `parameters`", "%s can set %s outside its range%s", p.out.Name, target.Name, rangeText(target))
		}
		return
	case 1:
		low = target.Min != nil && (rest.low == nil || rest.low.Sign() < 0)
		high = target.Max != nil && (rest.high == nil || rest.high.Sign() > 0)
	default:
		low, high = target.Min != nil, target.Max != nil
	}
	below, above := guards(a.Condition, s.Path)
	if low && !below || high && !above {
		remedy := "add a condition such as `" + s.Path.String() + " >= …` with a `refusal`"
		if high && !above {
			remedy = "add a condition such as `" + s.Path.String() + " <= …` with a `refusal`"
		}
		p.errorAt(at, "range", remedy, "%s can move %s out of its range%s without a condition", p.out.Name, target.Name, rangeText(target))
	}
}

func rangeText(a *spec.Attribute) string {
	switch {
	case a.Max == nil:
		return ", " + a.Min.String() + " or more,"
	case a.Min == nil:
		return ", " + a.Max.String() + " or less,"
	}
	return ", " + a.Min.String() + " to " + a.Max.String() + ","
}

// guards reports whether a condition bounds a path from below and from above, whatever else it asks.
func guards(c spec.Condition, path spec.Path) (below, above bool) {
	switch c := c.(type) {
	case *spec.Test:
		if slices.Equal(c.Path, path) {
			switch c.Op {
			case ">", ">=":
				return true, false
			case "<", "<=":
				return false, true
			case "=", "between", "in":
				return true, true
			}
		}
	case *spec.Logic:
		if c.Op == "and" {
			for _, a := range c.Args {
				b, u := guards(a, path)
				below, above = below || b, above || u
			}
		}
	}
	return below, above
}

// change is how often a value counts the path itself, and the range of all the rest of it.
func (p *patternReader) change(a *spec.Action, v spec.Expr, path spec.Path, minus bool) (own int, rest interval) {
	switch {
	case v.Op == "if_missing":
		own, _ = p.change(a, v.Args[0], path, minus)
		_, first := p.change(a, v.Args[1], path, minus)
		if own != 0 { // beginning where it may be, it moves by nothing
			return own, interval{&zero, &zero}
		}
		return 0, first
	case v.Op == "+" || v.Op == "-":
		n, x := p.change(a, v.Args[0], path, minus)
		m, y := p.change(a, v.Args[1], path, minus != (v.Op == "-"))
		return n + m, interval{sum(x.low, y.low), sum(x.high, y.high)}
	case len(v.Path) > 0 && slices.Equal(v.Path, path):
		if v.Neg != minus {
			return -1, interval{&zero, &zero}
		}
		return 1, interval{&zero, &zero}
	}
	x := p.interval(a, v)
	if v.Neg != minus {
		x = interval{negative(x.high), negative(x.low)}
	}
	return 0, x
}

// interval is the range of a term, without its sign.
func (p *patternReader) interval(a *spec.Action, v spec.Expr) interval {
	like := func(b *spec.Attribute) interval {
		if b == nil {
			return interval{}
		}
		return interval{b.Min, b.Max}
	}
	switch {
	case v.Literal.Kind() == attr.KindN:
		n := v.Literal.Number()
		return interval{&n, &n}
	case len(v.Reference) == 1 && v.Reference[0] != "each":
		if q := p.out.Parameter(v.Reference[0]); q != nil {
			return interval{q.Min, q.Max}
		}
	case len(v.Reference) == 2:
		e := p.eachEntity(a)
		if v.Reference[0] != "each" {
			e = nil
			if q := p.out.Parameter(v.Reference[0]); q != nil {
				e = q.Entity
			}
		}
		if e != nil {
			return like(e.Attribute(v.Reference[1]))
		}
	case len(v.Path) > 0:
		if segments, err := a.Entity.Resolve(v.Path); err == nil {
			return like(segments[len(segments)-1].Attribute)
		}
	}
	return interval{}
}

func sum(a, b *attr.Number) *attr.Number {
	if a == nil || b == nil {
		return nil
	}
	if n, err := a.Add(*b); err == nil {
		return &n
	}
	return nil
}

func negative(a *attr.Number) *attr.Number {
	if a == nil {
		return nil
	}
	n := a.Neg()
	return &n
}

// anAttribute is the name of an attribute of e, to give an example.
func anAttribute(e *spec.Entity) string {
	for _, a := range slices.Concat(e.Identity, e.Attributes) {
		return a.Name
	}
	return "name"
}
