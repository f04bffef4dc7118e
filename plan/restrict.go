package plan

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// restriction is one thing that an entity must meet to be answered: a test of a path against values. Pattern and plan are
// compared as lists of restrictions.
type restriction struct {
	target target
	op     string // = < <= > >= begins_with, or other
	value  spec.Expr
	text   string // of other: the whole test
}

func (r restriction) id() string {
	if r.op == "other" {
		return r.text
	}
	return r.target.from + " " + r.op + " " + r.value.String()
}

// restrictions takes a condition apart; `between` becomes two.
func restrictions(e *spec.Entity, c spec.Condition) (out []restriction) {
	switch c := c.(type) {
	case nil:
	case *spec.Logic:
		if c.Op == "and" {
			for _, a := range c.Args {
				out = append(out, restrictions(e, a)...)
			}
			return out
		}
		if x, test := spec.OrAbsent(c); test != nil {
			if t, err := resolvePath(e, x); err == nil {
				return append(out, orAbsent(t, test.Op, test.Args[0]))
			}
		}
		out = append(out, restriction{op: "other", text: c.String()})
	case *spec.Test:
		t, err := resolvePath(e, c.Path)
		if err != nil || len(c.Path) == 0 {
			return append(out, restriction{op: "other", text: c.String()})
		}
		switch c.Op {
		case "=", "<", "<=", ">", ">=", "begins_with":
			out = append(out, restriction{target: t, op: c.Op, value: c.Args[0]})
		case "between":
			out = append(out, restriction{target: t, op: ">=", value: c.Args[0]}, restriction{target: t, op: "<=", value: c.Args[1]})
		default:
			other := *c
			other.Path = t.path
			out = append(out, restriction{target: t, op: "other", text: other.String()})
		}
	}
	return out
}

// orAbsent is that a value is absent or meets a test.
func orAbsent(t target, op string, v spec.Expr) restriction {
	return restriction{target: t, op: "other", text: "absent(" + t.path.String() + ") or " + t.path.String() + " " + op + " " + v.String()}
}

// asked lists what a read pattern demands of each entity.
func asked(p *spec.Pattern) (out []restriction) {
	for _, g := range p.Given {
		if t, err := resolvePath(p.Read, g); err == nil {
			out = append(out, restriction{target: t, op: "=", value: spec.Expr{Reference: spec.Reference{g[len(g)-1]}}})
		}
	}
	return append(out, restrictions(p.Read, p.Where)...)
}

// demanded lists what a stage demands of the entities of a kind it reads, as paths of the kind's entity. What it demands
// loosely it tests only as its codec folds it, a time as its day, a name in lower case: that lets others through too.
func (s *Stage) demanded(k *Kind) (exact, loose []restriction) {
	switch s.Verb {
	case Get, BatchGet:
		for _, a := range s.key {
			exact = append(exact, restriction{target: a.target, op: "=", value: a.value})
		}
	case Query:
		i := slices.Index(s.Kinds, k)
		for b := range s.binds {
			d, w := s.binds[b].demanded(i)
			exact, loose = append(exact, d...), append(loose, w...)
		}
	}
	if k == s.Kind {
		exact = append(exact, restrictions(k.Entity, s.filter)...)
	}
	return exact, loose
}

// demanded lists what the bound parts of a key attribute demand of the i-th kind.
func (b *bind) demanded(i int) (exact, loose []restriction) {
	r := b.recipes[i]
	for j, v := range b.each[i] {
		p := r.Parts[j]
		if p.Attribute == nil {
			continue
		}
		if len(v.Reference) == 1 && v.Reference[0] == refBucket {
			continue // the range in the sort key says it exactly
		}
		x := restriction{target: p.target, op: "=", value: v}
		if p.codec.readable {
			exact = append(exact, x)
		} else {
			loose = append(loose, x)
		}
	}
	n := len(b.each[i])
	if n >= len(r.Parts) || n != len(b.values) {
		return exact, loose
	}
	p := r.Parts[n]
	add := func(op string, v spec.Expr) {
		x := restriction{target: p.target, op: op, value: v}
		if b.absent {
			x = orAbsent(p.target, op, v)
		}
		if p.codec.readable {
			exact = append(exact, x)
		} else {
			loose = append(loose, x)
		}
	}
	ops := func(l *limit, closed, open string) {
		if l == nil {
			return
		}
		if l.open {
			add(open, l.value)
		} else {
			add(closed, l.value)
		}
	}
	ops(b.low, ">=", ">")
	ops(b.high, "<=", "<")
	if b.prefix != nil {
		add("begins_with", *b.prefix)
	}
	return exact, loose
}

// implies reports whether tests that an entity meets make another hold.
func implies(known []restriction, want restriction) bool {
	for _, k := range known {
		if k.id() == want.id() {
			return true
		}
	}
	return false
}

// impliesWhen reports whether every entity that meets the tests has a sparse attribute.
func impliesWhen(e *spec.Entity, known []restriction, where spec.Condition, when spec.Condition) bool {
	switch w := when.(type) {
	case nil:
		return true
	case *spec.Logic:
		if w.Op == "and" {
			return !slices.ContainsFunc(w.Args, func(a spec.Condition) bool { return !impliesWhen(e, known, where, a) })
		}
		if w.Op == "or" && slices.ContainsFunc(w.Args, func(a spec.Condition) bool { return impliesWhen(e, known, where, a) }) {
			return true
		}
		return implies(known, restriction{op: "other", text: w.String()})
	case *spec.Test:
		for _, r := range restrictions(e, w) {
			if !implies(known, r) && !impliesTest(e, known, where, w) {
				return false
			}
		}
		return true
	}
	return false
}

// impliesTest knows of single tests: a state among some follows from a state among fewer, being there from any test.
func impliesTest(e *spec.Entity, known []restriction, where spec.Condition, t *spec.Test) bool {
	tg, err := resolvePath(e, t.Path)
	if err != nil {
		return false
	}
	if t.Op == "exists" {
		return slices.ContainsFunc(known, func(k restriction) bool { return same(k.target, tg) && !isAbsent(k) })
	}
	if allowed, ok := e.Among(t); ok && slices.ContainsFunc(known, func(k restriction) bool {
		return k.op == "=" && same(k.target, tg) && !k.value.Literal.IsZero() && slices.Contains(allowed, spec.ConstantText(k.value.Literal))
	}) {
		return true
	}
	return e.Implies(where, t)
}

func isAbsent(k restriction) bool {
	return k.op == "other" && len(k.text) > 7 && k.text[:7] == "absent("
}
