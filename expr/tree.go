package expr

import "slices"

// pathTree is a set of paths that are apart from each other, arranged by their steps: the children of a branch are either
// all fields, in the order of names, or all list elements, in the order of indexes. Updates and projections walk an item
// along it, so that every container is copied once.
type pathTree struct {
	step
	kids []pathTree
	leaf int // place of the path in the set, if there are no kids
}

func newPathTree(paths []Path) *pathTree {
	root := new(pathTree)
	for i, p := range paths {
		t := root
		for _, s := range p.steps {
			t = t.kid(s)
		}
		t.leaf = i
	}
	root.sort()
	return root
}

// kid finds or makes the child of a step.
func (t *pathTree) kid(s step) *pathTree {
	for i := range t.kids {
		if t.kids[i].step == s {
			return &t.kids[i]
		}
	}
	t.kids = append(t.kids, pathTree{step: s})
	return &t.kids[len(t.kids)-1]
}

func (t *pathTree) sort() {
	slices.SortFunc(t.kids, func(a, b pathTree) int { return a.step.compare(b.step) })
	for i := range t.kids {
		t.kids[i].sort()
	}
}
