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

func newPathTree(paths []Path, order []int) *pathTree {
	root := new(pathTree)
	for _, i := range order {
		t := root
		for _, s := range paths[i].steps {
			t = t.lastKid(s)
		}
		t.leaf = i
	}
	return root
}

// lastKid is the child of a step, made if it is not there. Paths come in order, so it can only be the last child.
func (t *pathTree) lastKid(s step) *pathTree {
	if n := len(t.kids); n == 0 || t.kids[n-1].step != s {
		t.kids = append(t.kids, pathTree{step: s})
	}
	return &t.kids[len(t.kids)-1]
}

// sortPaths is the order of paths, as places in paths: by their steps, fields before list elements, a path before those that
// it leads to.
func sortPaths(paths []Path) []int {
	order := make([]int, len(paths))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return slices.CompareFunc(paths[i].steps, paths[j].steps, step.compare) })
	return order
}

// disjoint checks that no path overlaps or conflicts with another. In order, paths that do have a neighbour that does, so
// all pairs are looked at only to report the one that the service reports: it goes from the last path to the first.
// at tells where the paths stand in the text, if they do.
func disjoint(k Kind, paths []Path, order []int, at func(i int) int32) *Error {
	related := false
	for i := 1; i < len(order); i++ {
		related = related || relate(paths[order[i-1]], paths[order[i]]) != apart
	}
	if !related {
		return nil
	}
	for i := len(paths) - 1; i >= 0; i-- {
		for j, q := range paths[i+1:] {
			rule := RuleOverlap
			switch relate(paths[i], q) {
			case apart:
				continue
			case conflict:
				rule = RuleConflict
			}
			err := rule.fail(k, paths[i].inMessage(), q.inMessage())
			if at != nil {
				err.At = int(at(i + 1 + j))
			}
			return err
		}
	}
	return nil
}
