package design

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
)

// place puts the indexes of each table onto as few as possible. None holds a kind twice.
func (s *overload) place() {
	for _, g := range s.groups() {
		for {
			of := s.lying(g)
			n := s.colour(of)
			if n <= int(capacity.GlobalIndexes) || len(g) == 1 {
				break
			}
			most, count := 0, -1
			for i, j := range g {
				if c := len(slices.DeleteFunc(slices.Clone(of), func(o *overlay) bool { return o.of != j })); c > count {
					most, count = i, c
				}
			}
			g[most].apart = "with its indexes one table would have more than the 20 that an account starts with"
			g = slices.Delete(slices.Clone(g), most, most+1)
		}
	}
}

// lying are the indexes of some tables.
func (s *overload) lying(g []*joining) (out []*overlay) {
	for _, o := range s.indexes {
		if slices.Contains(g, o.of) {
			out = append(out, o)
		}
	}
	return out
}

// colour numbers indexes so that those which cannot lie on one have different numbers, and answers how many numbers
// it took: never fewer than any kind has indexes.
func (s *overload) colour(of []*overlay) int {
	count := map[*plan.Kind]int{}
	least := min(1, len(of))
	for _, o := range of {
		for _, k := range o.kinds {
			count[k]++
			least = max(least, count[k])
		}
	}
	for n := least; ; n++ {
		for _, o := range of {
			o.number = 0
		}
		left := colourSteps
		if s.numbered(of, 0, n, &left) {
			return n
		}
	}
}

// colourSteps bounds how many ways to place indexes are tried before one more is taken.
const colourSteps = 20_000

// numbered gives the indexes from the i-th on numbers of at most n.
func (s *overload) numbered(of []*overlay, i, n int, left *int) bool {
	if i == len(of) {
		return true
	}
	if *left--; *left < 0 {
		return false
	}
	o := of[i]
	type choice struct{ number, wider int }
	var choices []choice
	fresh := false
	for c := 1; c <= n; c++ {
		var on []*overlay
		free := true
		for _, x := range of[:i] {
			if x.number == c {
				on = append(on, x)
				free = free && x.beside(o)
			}
		}
		if !free || len(on) == 0 && fresh && c != o.moved {
			continue // one that nothing lies on is as good as another
		}
		fresh = fresh || len(on) == 0
		wider := wider(o, on)
		if c == o.moved {
			wider = -1
		}
		choices = append(choices, choice{c, wider})
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return a.wider - b.wider })
	for _, c := range choices {
		o.number = c.number
		if s.numbered(of, i+1, n, left) {
			return true
		}
		o.number = 0
	}
	return false
}

// beside reports whether two indexes can lie on one.
func (o *overlay) beside(x *overlay) bool {
	if o.whole || x.whole || o.bare || x.bare || o.shape() != x.shape() {
		return false
	}
	return !slices.ContainsFunc(o.kinds, func(k *plan.Kind) bool { return slices.Contains(x.kinds, k) })
}

// shape is the types of the attributes of an index's key.
func (o *overlay) shape() string {
	if !o.native {
		return "text"
	}
	var b strings.Builder
	for i, w := range o.was.Partition {
		if i > 0 {
			b.WriteString(string(w.Type))
		}
	}
	b.WriteByte(';')
	for _, w := range o.was.Sort {
		b.WriteString(string(w.Type))
	}
	return b.String()
}

// allWide is how wide a projection of everything counts, beside one of some attributes.
const allWide = 30

// wider is by how many attributes projections grow where an index lies on others.
func wider(o *overlay, on []*overlay) int {
	width := func(xs ...*overlay) int {
		var names []string
		for _, x := range xs {
			if x.all || x.was.Project == plan.All {
				return allWide
			}
			names = merged(names, x.was.Include)
		}
		return len(names)
	}
	if len(on) == 0 {
		return 0
	}
	both := width(append(slices.Clone(on), o)...)
	return 2*both - width(o) - width(on...)
}
