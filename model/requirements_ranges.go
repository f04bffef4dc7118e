package model

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// interval is the range of a number; nil ends are open.
type interval struct{ low, high *attr.Number }

var zero = attr.Int(0)

// ranges checks that no update can leave the range of a number without a condition.
func (p *patternReader) ranges() {
	for i, a := range p.out.Actions {
		if a.Verb != spec.Update || a.Condition == nil && p.unsure {
			continue // of an update whose condition could not be read nothing is known
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
	if a.Makes { // what is made is not there yet, so that no condition is asked
		_, first := p.change(a, whenMade(s.Value, s.Path), s.Path, false)
		if target.Min != nil && (first.low == nil || first.low.Cmp(*target.Min) < 0) || target.Max != nil && (first.high == nil || first.high.Cmp(*target.Max) > 0) {
			p.errorAt(at, "range", "state the range of the parameter with `parameters`", "%s can make %s outside %s", p.out.Name, target.Name, rangeText(target))
			return
		}
	}
	own, rest := p.change(a, s.Value, s.Path, false)
	low, high := false, false // whether the update can go below, or above
	switch own {
	case 0:
		low = target.Min != nil && (rest.low == nil || rest.low.Cmp(*target.Min) < 0)
		high = target.Max != nil && (rest.high == nil || rest.high.Cmp(*target.Max) > 0)
		if low || high {
			p.errorAt(at, "range", "state the range of the parameter with `parameters`", "%s can set %s outside %s", p.out.Name, target.Name, rangeText(target))
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
		if own == 1 && len(s.Value.Args) == 2 {
			remedy += p.rangeRemedy(a, s.Value.Args[1].Reference)
		}
		p.errorAt(at, "range", remedy, "%s can move %s out of %s without a condition", p.out.Name, target.Name, rangeText(target))
	}
}

// rangeRemedy is how the range of what is passed is stated, as a further remedy; "" where it cannot be.
func (p *patternReader) rangeRemedy(a *spec.Action, ref spec.Reference) string {
	switch {
	case len(ref) == 1 && ref[0] != "each":
		return ", or state the range of $" + ref[0] + " with `parameters`"
	case len(ref) == 2 && p.eachEntity(a) == nil && ref[0] == "each" && len(a.Each) == 1:
		return ", or state its range, `parameters: {" + a.Each[0] + "." + ref[1] + ": {min: …, max: …}}`"
	}
	return ""
}

// whenMade is a value where the path has none yet.
func whenMade(v spec.Expr, path spec.Path) spec.Expr {
	if v.Op == "if_missing" && slices.Equal(v.Args[0].Path, path) {
		return v.Args[1]
	}
	v.Args = slices.Clone(v.Args)
	for i := range v.Args {
		v.Args[i] = whenMade(v.Args[i], path)
	}
	return v
}

func rangeText(a *spec.Attribute) string {
	switch {
	case a.Max == nil:
		return "its range of " + a.Min.String() + " or more"
	case a.Min == nil:
		return "its range of " + a.Max.String() + " or less"
	}
	return "its range of " + a.Min.String() + " to " + a.Max.String()
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
	case len(v.Reference) == 1:
		if q := p.out.Known(p.list(a, v.Reference[0])); q != nil {
			return interval{q.Min, q.Max}
		}
	case len(v.Reference) > 1:
		e, names := p.eachEntity(a), v.Reference[1:]
		if q := p.out.Known(v.Reference[0]); q != nil {
			if e = q.Entity; e != nil && len(names) > 1 && slices.Contains(q.With, names[0]) {
				e, names = e.WayBack(names[0]).From, names[1:]
			}
		}
		if e != nil {
			return like(attributeAt(e, names))
		}
		if q := p.out.Known(p.list(a, v.Reference[0])); q != nil && len(names) == 1 {
			return like(partOf(q, names[0]))
		}
	case len(v.Path) > 0:
		if segments, err := a.Entity.Resolve(v.Path); err == nil {
			return like(segments[len(segments)-1].Attribute)
		}
	}
	return interval{}
}

// list is the name of the list of which $each is an element; any other name is itself.
func (p *patternReader) list(a *spec.Action, name string) string {
	if name == "each" && len(a.Each) == 1 {
		return a.Each[0]
	}
	return name
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
