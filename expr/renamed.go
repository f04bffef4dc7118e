package expr

import "slices"

// Alias tells of a path which of its steps, from number from on, is a field that also stands under the name it had before.
// ok is false if none does.
type Alias func(p Path, from int) (at int, was string, ok bool)

// Renamed is the condition for items in which fields stand under their name or, where that is not there, under the one they
// had before: it holds for an item exactly if c holds for that item with all fields under their names. A comparison becomes
// two, so that it counts threefold towards the limit of operators.
func (c *Condition) Renamed(alias Alias) *Condition {
	if c == nil {
		return nil
	}
	return &Condition{c.root.renamed(alias)}
}

func (n *node) renamed(alias Alias) node {
	if n.op == opAnd || n.op == opOr || n.op == opNot {
		out := node{op: n.op, kids: make([]node, len(n.kids))}
		for i := range n.kids {
			out.kids[i] = n.kids[i].renamed(alias)
		}
		return out
	}
	r := renaming{alias: alias, whole: argPaths(n.args, nil)}
	r.single = len(r.whole) == 1
	return r.path(*n, slices.Clone(r.whole), 0, 0)
}

// renaming writes out one comparison.
type renaming struct {
	alias  Alias
	whole  []Path // under their names
	single bool
}

// path writes out step from of path i, and what follows; now are the paths as n has them.
func (r *renaming) path(n node, now []Path, i, from int) node {
	if i == len(r.whole) {
		return n
	}
	at, was, ok := r.alias(r.whole[i], from)
	if !ok {
		return r.path(n, now, i+1, 0)
	}
	here := Path{now[i].steps[:at+1]}
	before := Path{slices.Clone(now[i].steps)}
	before.steps[at].name = was
	old := slices.Clone(now)
	old[i] = before
	under := r.path(n, now, i, at+1)
	formerly := r.path(node{op: n.op, at: n.at, args: replaced(n.args, now[i], before)}, old, i, at+1)
	last := at == len(now[i].steps)-1
	switch {
	case n.op == opNotExists && last:
		return both(under, formerly)
	case n.op == opExists && last:
		return either(under, formerly)
	case !r.single || n.op == opNotEqual || n.op == opNotExists: // what may hold where nothing is
		under = both(node{op: opExists, args: []operand{here.operand()}}, under)
	}
	return either(under, both(node{op: opNotExists, args: []operand{here.operand()}}, formerly))
}

func both(a, b node) node   { return node{op: opAnd, kids: []node{a, b}} }
func either(a, b node) node { return node{op: opOr, kids: []node{a, b}} }

// replaced is a copy of operands with one path instead of another.
func replaced(args []operand, old, new Path) []operand {
	out := slices.Clone(args)
	for i := range out {
		if out[i].kind == oPath && out[i].path.Equal(old) {
			out[i].path = new
		}
		if len(out[i].args) > 0 {
			out[i].args = replaced(out[i].args, old, new)
		}
	}
	return out
}

// Compared are the paths whose values the condition looks at, not only whether something is there and of which type.
func (c *Condition) Compared() []Path {
	if c == nil {
		return nil
	}
	return c.root.compared(nil)
}

func (n *node) compared(list []Path) []Path {
	for i := range n.kids {
		list = n.kids[i].compared(list)
	}
	switch n.op {
	case opExists, opNotExists, opType:
		return list
	}
	return argPaths(n.args, list)
}
