package expr

import "github.com/tablewright/tablewright/attr"

// resolver makes the tree that is evaluated from the syntax tree. Operands are looked up and checked from left to right,
// what is inside before what is around it, so that of several errors the service's comes first.
type resolver struct {
	p    *parser
	s    *Substitutions
	open bool // values are not the last word: what depends on them is not checked

	// What the tree is made of, allocated at once: its parts live as long as each other anyway.
	nodes    slab[node]
	operands slab[operand]
	steps    slab[step]
}

func newResolver(p *parser, s *Substitutions, open bool) resolver {
	var nodes, operands, steps int
	for i := range p.nodes {
		switch n := &p.nodes[i]; n.kind {
		case sAnd, sOr, sNot, sCompare, sBetween, sIn:
			nodes++
		case sFunction:
			if n.asCondition {
				nodes++
			} else {
				operands++
			}
		case sPath, sValue, sPlus, sMinus:
			operands++
		case sName, sNameRef, sIndex:
			steps++
		}
	}
	return resolver{p: p, s: s, open: open, nodes: slab[node]{size: nodes}, operands: slab[operand]{size: operands}, steps: slab[step]{size: steps}}
}

// slab hands out slices of one allocation, made when it is first needed.
type slab[T any] struct {
	size int
	rest []T
}

func (s *slab[T]) take(n int) []T {
	if s.rest == nil {
		s.rest = make([]T, s.size)
	}
	taken := s.rest[:n:n]
	s.rest = s.rest[n:]
	return taken
}

// children counts the children of node n.
func (r *resolver) children(n int32) int {
	count := 0
	for c := r.p.nodes[n].first; c != 0; c = r.p.nodes[c].next {
		count++
	}
	return count
}

// condition resolves node n into out.
func (r *resolver) condition(n int32, out *node) *Error {
	sn := &r.p.nodes[n]
	out.at = sn.start + 1
	switch sn.kind {
	case sAnd, sOr, sNot:
		out.op = opAnd
		if sn.kind == sOr {
			out.op = opOr
		} else if sn.kind == sNot {
			out.op = opNot
		}
		out.kids = r.nodes.take(r.children(n))
		i := 0
		for c := sn.first; c != 0; c = r.p.nodes[c].next {
			if err := r.condition(c, &out.kids[i]); err != nil {
				return err
			}
			i++
		}
		return nil
	case sCompare:
		out.op = sn.op
	case sBetween:
		out.op = opBetween
	case sIn:
		out.op = opIn
	case sFunction:
		out.op = functions[r.p.text(sn)].op
	}
	args, err := r.args(n)
	if err != nil {
		return err
	}
	if out.args = args; r.open {
		return nil
	}
	return out.check(r.p.kind).from(out.at)
}

// args resolves the children of node n, which are operands.
func (r *resolver) args(n int32) ([]operand, *Error) {
	args := r.operands.take(r.children(n))
	i := 0
	for c := r.p.nodes[n].first; c != 0; c = r.p.nodes[c].next {
		if err := r.operand(c, &args[i]); err != nil {
			return nil, err
		}
		i++
	}
	return args, nil
}

// operand resolves node n into out.
func (r *resolver) operand(n int32, out *operand) *Error {
	sn := &r.p.nodes[n]
	out.at = sn.start + 1
	var err *Error
	switch sn.kind {
	case sPath:
		out.kind = oPath
		out.path, err = r.path(n)
		return err
	case sValue:
		out.kind = oValue
		out.value, err = r.value(sn)
		return err
	case sFunction:
		out.kind = functions[r.p.text(sn)].operand
	case sPlus:
		out.kind = oPlus
	case sMinus:
		out.kind = oMinus
	}
	if out.args, err = r.args(n); err != nil || r.open {
		return err
	}
	return out.check(r.p.kind).from(out.at)
}

func (r *resolver) value(sn *syntaxNode) (attr.Value, *Error) {
	ref := r.p.text(sn)
	v, ok := r.s.value(ref)
	if !ok {
		return attr.Value{}, RuleValueUndefined.fail(r.p.kind, ref).from(sn.start + 1)
	}
	return v, nil
}

func (r *resolver) path(n int32) (Path, *Error) {
	steps := r.steps.take(r.children(n))[:0]
	tooDeep := int32(0)
	for c := r.p.nodes[n].first; c != 0; c = r.p.nodes[c].next {
		sn := &r.p.nodes[c]
		text := r.p.text(sn)
		if len(steps) == maxSteps {
			tooDeep = sn.start + 1
		}
		switch sn.kind {
		case sName:
			steps = append(steps, field(text))
		case sNameRef:
			name, ok := r.s.name(text)
			if !ok {
				return Path{}, RuleNameUndefined.fail(r.p.kind, text).from(sn.start + 1)
			}
			steps = append(steps, field(name))
		case sIndex:
			i, _ := position(text) // in range: search has seen to it
			steps = append(steps, element(i))
		}
	}
	p := Path{steps}
	return p, p.check(r.p.kind).from(tooDeep)
}
