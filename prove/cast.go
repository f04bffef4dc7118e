package prove

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/spec"
)

// cast knows who plays which part: the rank of every instance in its entity's laws, and which parents the children
// still to be made will get. Rank 0 of an entity is the same instance in every law: the largest is the hottest.
type cast struct {
	pop     *Population
	src     *source
	byRank  map[*spec.Entity][]*Instance
	rank    map[*Instance]int
	waiting map[*spec.Relationship][]int // ranks of parents for the next children; -1: none
	taken   []taken                      // of these, and of lots of values, what the current call has taken
	skews   map[skewOf][]float64
	shared  map[*spec.Attribute][]attr.Value // values that several entities have
	lots    map[*spec.Attribute][]attr.Value // of these, those for the entities still to be made
}

// taken is a parent, or a value, that a call has taken from those that are waiting.
type taken struct {
	way   *spec.Relationship
	rank  int
	of    *spec.Attribute
	value attr.Value
}

// lotted reports whether the parents of a relationship's children have been laid out.
func (c *cast) lotted(r *spec.Relationship) bool {
	_, ok := c.waiting[r]
	return ok
}

// untake gives back what a call has taken that was not done.
func (c *cast) untake() {
	for _, t := range c.taken {
		if t.way != nil {
			ranks := c.waiting[t.way]
			c.waiting[t.way] = slices.Insert(ranks, c.src.rnd.IntN(len(ranks)+1), t.rank)
		} else {
			c.putBack(t.of, t.value)
		}
	}
	c.taken = c.taken[:0]
}

type skewOf struct {
	n    int
	skew spec.Skew
}

func newCast(pop *Population, src *source) *cast {
	return &cast{pop: pop, src: src, byRank: map[*spec.Entity][]*Instance{}, rank: map[*Instance]int{}, waiting: map[*spec.Relationship][]int{}, skews: map[skewOf][]float64{},
		shared: map[*spec.Attribute][]attr.Value{}, lots: map[*spec.Attribute][]attr.Value{}}
}

// enter gives an instance its rank, the next of its entity.
func (c *cast) enter(in *Instance) {
	c.rank[in] = len(c.byRank[in.Entity])
	c.byRank[in.Entity] = append(c.byRank[in.Entity], in)
}

// bySize ranks the instances of an entity anew, the largest first: what stands inside others is made in their order.
func (c *cast) bySize(e *spec.Entity) {
	all := c.byRank[e]
	slices.SortStableFunc(all, func(a, b *Instance) int { return cmp.Compare(b.Item.Size(), a.Item.Size()) })
	for i, in := range all {
		c.rank[in] = i
	}
}

// kids is the number of children of the parent of a rank.
func (c *cast) kids(r *spec.Relationship, rank int) int {
	law, ok := c.pop.Children[r]
	if !ok {
		return 0
	}
	n := int64(max(c.pop.Count[r.To], rank+1))
	spread := c.src.law(n, law.Average, law.Max)
	if law.Skew.Zipf > 0 {
		spread = dist.Zipf(n, law.Skew.Zipf, law.Average, max(law.Max, law.Average))
	}
	return whole(spread.At(int64(rank+1)), c.src.even(r, "children"))
}

// brought is the number of children inside a value that a call passes, of the parent of a rank.
func (c *cast) brought(q *spec.Parameter, r *spec.Relationship, rank int) int {
	law, ok := c.pop.Children[r]
	if !ok || !q.BringsStated(r) {
		return c.kids(r, rank)
	}
	n := q.Brings(r, law)
	members := int64(max(c.pop.Count[r.To], rank+1))
	return whole(c.src.law(members, n.Average, n.Max).At(int64(rank+1)), c.src.even(r, "brought"))
}

// lot makes the list of parents that n children of a relationship will have, in random order, without the places of
// those that are there.
func (c *cast) lot(r *spec.Relationship, n int, there []*Instance, parent func(*Instance, *spec.Relationship) *Instance) {
	var ranks []int
	for rank := range c.pop.Count[r.To] {
		for range c.kids(r, rank) {
			ranks = append(ranks, rank)
		}
	}
	optional := slices.ContainsFunc(r.By, func(a *spec.Attribute) bool { return a.Optional })
	for !optional && len(ranks) < n && len(ranks) > 0 {
		ranks = append(ranks, ranks[c.src.rnd.IntN(len(ranks))])
	}
	for optional && len(ranks) < n {
		ranks = append(ranks, -1)
	}
	for _, in := range there {
		if parent := parent(in, r); parent != nil {
			if i := slices.Index(ranks, c.rank[parent]); i >= 0 {
				ranks = slices.Delete(ranks, i, i+1)
			}
		}
	}
	c.src.rnd.Shuffle(len(ranks), func(i, j int) { ranks[i], ranks[j] = ranks[j], ranks[i] })
	c.waiting[r] = ranks
}

// parent is the parent that the next child of a relationship gets: by the law while the data is made, then as the
// skew says. nil: none.
func (c *cast) parent(r *spec.Relationship) *Instance {
	all := c.byRank[r.To]
	if ranks := c.waiting[r]; len(ranks) > 0 {
		for i, rank := range ranks { // one that exists by now: an entity may be its own parent
			if rank < len(all) {
				if c.waiting[r] = ranks[1:]; i > 0 {
					c.waiting[r] = slices.Delete(ranks, i, i+1)
				}
				c.taken = append(c.taken, taken{way: r, rank: rank})
				if rank < 0 {
					return nil
				}
				return all[rank]
			}
			if i > 8 {
				break
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	for _, a := range r.By {
		if a.Optional && !c.src.evenChance(a.Present, a, "present") {
			return nil
		}
	}
	if law, ok := c.pop.Children[r]; ok {
		if law.Skew.Uniform() { // as those that are there do
			return all[min(c.src.law(int64(c.pop.Count[r.To]), law.Average, law.Max).Pick(c.src.even(r, "pick")), int64(len(all)))-1]
		}
		return all[c.pick(len(all), law.Skew, r)]
	}
	return all[c.src.evenIndex(len(all), r, "pick")]
}

// furthest is how many of the parents that wait for children are looked at for one that will do.
const furthest = 512

// waitingFor is the next of the parents that are laid out for children to come that will do; nil if none soon will.
func (c *cast) waitingFor(r *spec.Relationship, do func(*Instance) bool) *Instance {
	all := c.byRank[r.To]
	for i, rank := range c.waiting[r][:min(len(c.waiting[r]), furthest)] {
		if rank >= 0 && rank < len(all) && do(all[rank]) {
			c.waiting[r] = slices.Delete(c.waiting[r], i, i+1)
			c.taken = append(c.taken, taken{way: r, rank: rank})
			return all[rank]
		}
	}
	return nil
}

// giveBack returns a parent that parent has given and that does not fit after all.
func (c *cast) giveBack(r *spec.Relationship, parent *Instance) {
	ranks := c.waiting[r]
	if len(ranks) == 0 {
		return // it came from the skew of calls
	}
	at := c.src.rnd.IntN(len(ranks) + 1)
	c.waiting[r] = slices.Insert(ranks, at, c.rank[parent])
	if i := slices.IndexFunc(c.taken, func(t taken) bool { return t.way == r && t.rank == c.rank[parent] }); i >= 0 {
		c.taken = slices.Delete(c.taken, i, i+1)
	}
}

// pick is a rank among n, as a skew says: of the calls of a pattern, or of the children of a relationship.
func (c *cast) pick(n int, skew spec.Skew, of any) int {
	u := c.src.even(of, "pick")
	if skew.Uniform() || n < 2 {
		return min(int(u*float64(n)), n-1)
	}
	k := skewOf{n, skew}
	cumulated, ok := c.skews[k]
	if !ok {
		sum := 0.0
		for i := range n {
			w := 1.0
			switch {
			case skew.Zipf > 0:
				w = math.Pow(float64(i+1), -skew.Zipf)
			case i < max(skew.Keys, 1):
				w = skew.Hottest / float64(min(max(skew.Keys, 1), n))
			default:
				w = (1 - skew.Hottest) / float64(n-max(skew.Keys, 1))
			}
			sum += w
			cumulated = append(cumulated, sum)
		}
		c.skews[k] = cumulated
	}
	return min(sort.SearchFloat64s(cumulated, u*cumulated[n-1]), n-1)
}

// sharedValue is a value of an attribute that patterns look for: as many entities have the same as the law says.
func (c *cast) sharedValue(a *spec.Attribute) attr.Value {
	law := c.pop.Values[a]
	if c.shared[a] == nil {
		n := max(int(float64(c.pop.Count[a.Entity])/max(law.Average, 1)), 1)
		spread := c.src.law(int64(n), law.Average, law.Max)
		for i := range n {
			// How many share a value says nothing of its size: sizes lie evenly over those that are shared by many and
			// by few.
			_, place := math.Modf(float64(i+1) * math.Phi)
			v := c.src.value(a, standing{int64(place*float64(n)) + 1, int64(n)}, true)
			c.shared[a] = append(c.shared[a], v)
			for range whole(spread.At(int64(i+1)), c.src.even(a, "children")) {
				c.lots[a] = append(c.lots[a], v)
			}
		}
		lot := c.lots[a]
		c.src.rnd.Shuffle(len(lot), func(i, j int) { lot[i], lot[j] = lot[j], lot[i] })
	}
	if lot := c.lots[a]; len(lot) > 0 {
		c.lots[a] = lot[1:]
		c.taken = append(c.taken, taken{of: a, value: lot[0]})
		return lot[0]
	}
	return c.shared[a][c.src.rnd.IntN(len(c.shared[a]))]
}

// otherValue is another value of an attribute than one that sharedValue has given, which goes back.
func (c *cast) otherValue(a *spec.Attribute, not attr.Value) attr.Value {
	if i := slices.IndexFunc(c.taken, func(t taken) bool { return t.of == a && attr.Equal(t.value, not) }); i >= 0 {
		c.taken = slices.Delete(c.taken, i, i+1)
		c.putBack(a, not)
	}
	return c.sharedValue(a)
}

// putBack puts a value among those that wait, anywhere. Lots are long: nothing is moved for it but one.
func (c *cast) putBack(a *spec.Attribute, v attr.Value) {
	lot := append(c.lots[a], v)
	at, last := c.src.rnd.IntN(len(lot)), len(lot)-1
	lot[at], lot[last] = lot[last], lot[at]
	c.lots[a] = lot
}

// standing is where the instance of a rank stands in the laws of sizes. What is made beyond the planned number stands
// among those: a law for each number of members would be worked out for each instance.
func (c *cast) standing(e *spec.Entity, rank int) standing {
	return standing{int64(c.alike(e, rank) + 1), int64(max(c.pop.Count[e], 1))}
}

// alike is the rank of data that one has which calls have made since: they are spread over all of these, and keep their
// sizes when they are changed.
func (c *cast) alike(e *spec.Entity, rank int) int {
	n := max(c.pop.Count[e], 1)
	if rank < n {
		return max(rank, 0)
	}
	_, at := math.Modf(float64(rank-n+1) * math.Phi)
	return min(int(at*float64(n)), n-1)
}

// foreign puts a parent's identity into a child's foreign key.
func foreign(child *attr.Item, r *spec.Relationship, parent attr.Item) {
	for i, a := range r.By {
		child.Set(a.Name, parent.Get(r.To.Identity[i].Name))
	}
}
