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
	var paths []Path
	err := read(ProjectionExpression, text, func(p *parser) *Error {
		n := p.projection()
		if p.err != nil {
			return p.err
		}
		if err := p.search(); err != nil {
			return err
		}
		r := resolver{p: p, s: s}
		var err *Error
		paths, err = r.paths(n)
		return err
	})
	if err != nil {
		return nil, err
	}
	return Project(paths...), nil
}

// paths resolves the children of node n: paths, or actions whose first child is the path. The service goes through them from
// the last to the first, which shows when there are several errors.
func (r *resolver) paths(n int32) ([]Path, *Error) {
	var at []int32
	for c := r.p.nodes[n].first; c != 0; c = r.p.nodes[c].next {
		at = append(at, c)
	}
	paths := make([]Path, len(at))
	for i := len(at) - 1; i >= 0; i-- {
		var err *Error
		if paths[i], err = r.path(at[i]); err != nil {
			return nil, err
		}
		if err := disjoint(r.p.kind, paths[i], paths[i+1:]); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// Project makes a projection of paths. Paths that overlap are an error when it is printed.
func Project(paths ...Path) *Projection {
	return &Projection{paths, newPathTree(paths)}
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
func Pick(it attr.Item, paths []Path) attr.Item { return newPathTree(paths).pickFields(it) }

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
