package expr

import "github.com/tablewright/tablewright/attr"

// Projection is a projection expression. It is immutable and safe for concurrent use. A nil *Projection keeps the whole
// item.
type Projection struct {
	paths []Path
	tree  *pathTree
}

// ParseProjection reads a ProjectionExpression. Errors are *Error.
func ParseProjection(text string, s *Substitutions) (*Projection, error) {
	out := new(Projection)
	err := read(ProjectionExpression, text, func(p *parser) *Error {
		n := p.projection()
		if p.err != nil {
			return p.err
		}
		if err := p.search(); err != nil {
			return err
		}
		r := newResolver(p, s, false)
		at := make([]int32, 0, r.children(n))
		for c := p.nodes[n].first; c != 0; c = p.nodes[c].next {
			at = append(at, c)
		}
		var err *Error
		out.paths, out.tree, err = r.paths(at)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// paths resolves paths and arranges them. The service goes from the last to the first and compares each with those behind
// it before it looks at the next, which shows when there are several errors.
func (r *resolver) paths(at []int32) ([]Path, *pathTree, *Error) {
	paths := make([]Path, len(at))
	i := len(at) - 1
	var failed *Error
	for ; i >= 0 && failed == nil; i-- {
		paths[i], failed = r.path(at[i])
	}
	if failed != nil {
		paths, at = paths[i+2:], at[i+2:]
	}
	order := sortPaths(paths)
	if err := disjoint(r.p.kind, paths, order, func(i int) int32 { return r.p.nodes[at[i]].start + 1 }); err != nil {
		return nil, nil, err
	}
	if failed != nil {
		return nil, nil, failed
	}
	return paths, newPathTree(paths, order), nil
}

// Project makes a projection of paths. Paths that overlap are an error when it is printed.
func Project(paths ...Path) *Projection {
	return &Projection{paths, newPathTree(paths, sortPaths(paths))}
}

// Apply is the part of the item that the projection names. Missing paths drop out, and what they lead through with them;
// picked list elements move together, in the order of the list. Values are shared with it.
func (p *Projection) Apply(it attr.Item) attr.Item {
	if p == nil {
		return it
	}
	return p.tree.pickFields(it)
}

// Pick is the part of the item at the paths, as a projection of them.
func Pick(it attr.Item, paths []Path) attr.Item {
	return newPathTree(paths, sortPaths(paths)).pickFields(it)
}

func (t *pathTree) pickFields(it attr.Item) (out attr.Item) {
	for i := range t.kids {
		if v := t.kids[i].pick(it.Get(t.kids[i].name)); !v.IsZero() {
			out.Set(t.kids[i].name, v)
		}
	}
	return out
}

// pick is the part of v that the branch names; the zero Value if that is nothing.
func (t *pathTree) pick(v attr.Value) attr.Value {
	switch {
	case len(t.kids) == 0:
		return v
	case t.kids[0].isField():
		if m := t.pickFields(v.Map()); m.Len() > 0 {
			return attr.Map(m)
		}
	case v.Kind() == attr.KindL:
		var elems []attr.Value
		for i := range t.kids {
			if e := t.kids[i].pick(t.kids[i].of(v)); !e.IsZero() {
				elems = append(elems, e)
			}
		}
		if len(elems) > 0 {
			return attr.List(elems...)
		}
	}
	return attr.Value{}
}

// Paths are the paths as written. The caller must not change them.
func (p *Projection) Paths() []Path {
	if p == nil {
		return nil
	}
	return p.paths
}
