package prove

import (
	"slices"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// Aim says what a read's arguments are to hit.
type Aim uint8

// The aims.
const (
	Typical Aim = iota // values as the skew of calls says, matches as the law of results says
	Largest            // the largest collection, all of it
	Edge               // ranges that begin and end on stored values, or just beside them, and empty ones
	Nothing            // values that nobody has
)

// String is the name under which [PatternResult] counts calls with the aim and a [Counterexample] tells it: "typical",
// "largest", "edge" or "absent".
func (a Aim) String() string { return [...]string{"typical", "largest", "edge", "absent"}[a] }

// read makes the arguments of a read pattern; around, if not nil, is an instance that the answer should be about.
func (k *caller) read(p *spec.Pattern, aim Aim, around *Instance) attr.Item {
	var args attr.Item
	left := map[string]bool{}
	for _, q := range p.Parameters {
		if q.Optional && !k.src.evenChance(q.Stated, q, "stated") {
			left[q.Name] = true
		}
	}
	target := around
	rank := 0
	if target == nil {
		target, rank = k.target(p, aim)
	}
	for i, g := range p.Given {
		name := g[len(g)-1]
		v := attr.Value{}
		if target != nil {
			v = k.o.value(target, g)
		}
		if owner, hops := named(p); i == 0 && around == nil && owner != nil && slices.ContainsFunc(hops, func(h hop) bool { return h.back }) {
			// Over a way back the target has several values; the one that was chosen is meant.
			if all := k.cast.byRank[owner]; rank < len(all) {
				v = all[rank].Item.Get(owner.Identity[0].Name)
			}
		}
		if aim == Nothing || v.IsZero() {
			v = k.unknown(p, name)
		}
		args.Set(name, v)
	}
	var pool []*Instance
	for _, in := range k.o.candidates(p, args) {
		if !k.o.expired(in) && k.o.given(in, p, args) {
			pool = append(pool, in)
		}
	}
	whole := map[string]attr.Value{} // the upper ends of ranges whose lower end another test has
	tests := slices.Collect(spec.Tests(p.Where))
	slices.SortStableFunc(tests, func(a, b *spec.Test) int { return upper(a) - upper(b) })
	for _, t := range tests {
		k.bind(&args, p, t, pool, aim, rank, whole)
	}
	for _, q := range p.Parameters {
		if !args.Has(q.Name) && q.Like != nil {
			args.Set(q.Name, k.unknown(p, q.Name))
		}
		if left[q.Name] {
			args.Remove(q.Name)
		}
	}
	return args
}

// upper is 1 of tests that end a range above, else 0.
func upper(t *spec.Test) int {
	if op, _ := comparison(t); op == "<" || op == "<=" {
		return 1
	}
	return 0
}

// comparison is how a test compares, and what: the value at a path, or its size.
func comparison(t *spec.Test) (op, of string) {
	if t.Op == "size" {
		return t.SizeOp, "size(" + t.Path.String() + ")"
	}
	return t.Op, t.Path.String()
}

// unknown is a value of a parameter that nobody has, as far as its type allows.
func (k *caller) unknown(p *spec.Pattern, name string) attr.Value {
	q := p.Parameter(name)
	if q.Like.States != nil {
		return attr.Text(q.Like.States.Names[k.src.rnd.IntN(len(q.Like.States.Names))])
	}
	return k.src.value(q.Like, middle, true)
}

// target chooses an instance whose values the call states, by the rank of what the first equality names.
func (k *caller) target(p *spec.Pattern, aim Aim) (*Instance, int) {
	all := k.ranked(p.Read)
	if len(p.Given) == 0 || len(all) == 0 {
		return pickOne(k.src, all), 0
	}
	skew := p.Skew
	if aim == Largest {
		skew = spec.Skew{Hottest: 1}
	}
	// Follow the first path to the entity whose identity it names, then come back to a match of it.
	owner, way := named(p)
	switch {
	case owner == nil, plainGiven(p) != nil:
		return k.valued(p, aim, all)
	case owner == p.Read && len(way) == 0:
		rank := k.cast.pick(len(all), skew, p)
		return all[rank], rank
	}
	parents := k.ranked(owner)
	if len(parents) == 0 {
		return nil, 0
	}
	rank := k.cast.pick(len(parents), skew, p)
	// A parent without children is a call like any other: the identity is stated through a value of its own.
	if matches := k.o.reaching(parents[rank:rank+1:rank+1], way); len(matches) > 0 {
		return matches[k.src.rnd.IntN(len(matches))], rank
	}
	return &Instance{Entity: p.Read, Item: k.orphan(p, parents[rank], way)}, rank
}

// ranked are the instances that calls are about: while capacity is measured those of the data as it was made, without what
// calls of other patterns have left beside them since, to which nothing else belongs.
func (k *caller) ranked(e *spec.Entity) []*Instance {
	all := k.cast.byRank[e]
	if k.measuring {
		all = all[:min(len(all), k.cast.pop.Count[e])]
	}
	return all
}

// valued chooses values of plain attributes: every enum value is as likely, however many have it; of others one that
// somebody has.
func (k *caller) valued(p *spec.Pattern, aim Aim, all []*Instance) (*Instance, int) {
	if combinations := combinations(p); combinations != nil && aim != Largest {
		rank := k.src.evenIndex(len(combinations), p, "pick")
		return &Instance{Entity: p.Read, Item: combinations[rank]}, rank
	}
	if a := plainGiven(p); a != nil && len(k.cast.shared[a]) > 0 && aim != Edge && aim != Nothing {
		shared, beside := k.cast.shared[a], listed(p)
		rank, which := 0, 0
		if aim == Typical {
			rank, which = k.cast.pick(len(shared), p.Skew, p), k.src.evenIndex(len(beside), p, "beside")
		}
		item := beside[which].Clone()
		item.Set(a.Name, shared[rank])
		return &Instance{Entity: p.Read, Item: item}, rank
	}
	rank := k.src.evenIndex(len(all), p, "pick")
	for range 30 { // one that has what the call states
		if k.o.value(all[rank], p.Given[0]).IsZero() {
			rank = k.src.evenIndex(len(all), p, "pick")
		}
	}
	return all[rank], rank
}

// hop is one way on a path: there, to the entity that a foreign key names, or back.
type hop struct {
	rel  *spec.Relationship
	back bool
}

// named is the entity whose identity a pattern's first equality states, and the hops from the entity read to it; nil
// if it states a plain attribute.
func named(p *spec.Pattern) (*spec.Entity, []hop) {
	if len(p.Given) == 0 {
		return nil, nil
	}
	return leads(p.Read, p.Given[0])
}

// leads is the entity whose identity a path states, and the hops to it; nil if it states a plain attribute.
func leads(e *spec.Entity, path spec.Path) (*spec.Entity, []hop) {
	var hops []hop
	for i, name := range path {
		if r := e.WayOn(path[i:]); r != nil {
			hops, e = append(hops, hop{rel: r}), r.To
			continue
		}
		if r := e.WayBack(name); r != nil {
			hops, e = append(hops, hop{r, true}), r.From
			continue
		}
		a := e.Attribute(name)
		switch {
		case a == nil:
			return nil, nil
		case a.Reference != nil && a.Derived == nil:
			return a.Reference.To, append(hops, hop{rel: a.Reference})
		case a.Derived != nil && a.Derived.Func == "":
			to, more := leads(e, a.Derived.Path)
			return to, append(hops, more...)
		case len(e.Identity) > 0 && e.Identity[0] == a:
			return e, hops
		}
		return nil, nil
	}
	return nil, nil
}

// reaching are the instances from which hops lead to one of those given, each once, in the order of their creation.
func (o *Oracle) reaching(at []*Instance, hops []hop) []*Instance {
	for _, h := range slices.Backward(hops) {
		var next []*Instance
		seen := map[*Instance]bool{}
		for _, in := range at {
			from := o.children
			if h.back {
				from = func(in *Instance, r *spec.Relationship) []*Instance {
					if to := o.parent(in, r); to != nil {
						return []*Instance{to}
					}
					return nil
				}
			}
			for _, x := range from(in, h.rel) {
				if !seen[x] {
					seen[x] = true
					next = append(next, x)
				}
			}
		}
		at = next
	}
	slices.SortFunc(at, func(a, b *Instance) int { return a.Born - b.Born })
	return at
}

// orphan is a made-up value that leads to a parent nobody is a child of.
func (k *caller) orphan(p *spec.Pattern, parent *Instance, ways []hop) attr.Item {
	var it attr.Item
	if len(ways) == 1 && !ways[0].back {
		foreign(&it, ways[0].rel, parent.Item)
	}
	return it
}

func pickOne(src *source, all []*Instance) *Instance {
	if len(all) == 0 {
		return nil
	}
	return all[src.rnd.IntN(len(all))]
}

// bind gives the parameters of one test values from the instances that the equalities match.
func (k *caller) bind(args *attr.Item, p *spec.Pattern, t *spec.Test, pool []*Instance, aim Aim, rank int, whole map[string]attr.Value) {
	var names []string
	for _, x := range t.Args {
		name := ""
		for term := range x.Terms() {
			if len(term.Reference) == 1 && p.Parameter(term.Reference[0]) != nil {
				name = term.Reference[0]
			}
		}
		names = append(names, name)
	}
	if len(names) == 0 || names[0] == "" {
		return
	}
	var values []attr.Value
	op, of := comparison(t)
	for _, in := range pool {
		v := k.o.value(in, t.Path)
		switch {
		case v.IsZero():
		case t.Op == "size":
			values = append(values, attr.Num(attr.Int(int64(spec.SizeOf(v)))))
		default:
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		for _, name := range names {
			if name != "" && !args.Has(name) {
				args.Set(name, k.unknown(p, name))
			}
		}
		if op == "between" {
			order(args, names)
		}
		return
	}
	if values[0].Kind() <= attr.KindB {
		slices.SortFunc(values, attr.Compare)
	}
	switch op {
	case "between", "<", "<=", ">", ">=":
		low, high := attr.Value{}, whole[of]
		if high.IsZero() || op[0] != '<' { // else the range that the test before has begun
			low, high = k.window(p, values, aim, rank)
			if aim == Edge {
				low, high = k.nudge(low), k.nudge(high)
			}
		}
		if op[0] == '>' {
			whole[of] = high
		}
		if aim != Edge { // what stands at an end is meant to be among the matches
			switch op {
			case ">":
				if b := k.before(low); b.Str() != " " || low.Kind() == attr.KindN {
					low = b
				}
			case "<":
				high = k.behind(high)
			}
		}
		switch {
		case op == "between":
			args.Set(names[0], low)
			if len(names) > 1 && names[1] != "" {
				args.Set(names[1], high)
				if aim != Edge {
					order(args, names)
				}
			}
		case op[0] == '<':
			args.Set(names[0], high)
		default:
			args.Set(names[0], low)
		}
	case "begins_with":
		text := []rune(values[k.src.rnd.IntN(len(values))].Str())
		args.Set(names[0], attr.Text(string(text[:1+k.src.rnd.IntN(max(min(len(text), 3), 1))])))
	case "contains":
		v := values[k.src.rnd.IntN(len(values))]
		if len(v.Elems()) > 0 {
			v = v.Elems()[k.src.rnd.IntN(len(v.Elems()))]
		}
		args.Set(names[0], v)
	default:
		for _, name := range names {
			if name != "" {
				args.Set(name, values[k.src.rnd.IntN(len(values))])
			}
		}
	}
}

// window is the first and last of the stored values that a range is to match: as many in a row as the law of results
// says.
func (k *caller) window(p *spec.Pattern, values []attr.Value, aim Aim, rank int) (low, high attr.Value) {
	n := len(values)
	want := n
	switch aim {
	case Typical:
		law := k.cast.pop.Results[p]
		members := n
		if owner, _ := named(p); owner != nil {
			members = k.cast.pop.Count[owner]
		} else if combinations := combinations(p); combinations != nil {
			members = len(combinations)
		}
		members = max(members, rank+1)
		want = min(whole(k.src.law(int64(members), law.Average, law.Max).At(int64(rank+1)), k.src.even(p, "matches")), n)
	case Edge:
		want = 1 + k.src.rnd.IntN(n)
	}
	if want == 0 {
		v := k.before(values[0])
		return v, v
	}
	first := k.src.evenIndex(n-want+1, p, "first")
	if aim == Edge {
		return values[first], values[first+want-1]
	}
	// A range takes all of equal values or none: it ends before or after the last group, such that the mean is kept.
	for first > 0 && attr.Equal(values[first-1], values[first]) {
		first--
	}
	from, to := first+want-1, first+want
	for from > first && attr.Equal(values[from-1], values[first+want-1]) {
		from--
	}
	for to < n && attr.Equal(values[to], values[first+want-1]) {
		to++
	}
	short, long := from-first, to-first
	last := to - 1
	if !k.src.evenChance(float64(want-short)/float64(long-short), p, "ties") {
		if short == 0 {
			v := k.before(values[first])
			return v, v
		}
		last = from - 1
	}
	return values[first], values[last]
}

// order exchanges the bounds of a range that ends before it begins.
func order(args *attr.Item, names []string) {
	if len(names) < 2 || names[0] == "" || names[1] == "" {
		return
	}
	a, b := args.Get(names[0]), args.Get(names[1])
	if a.Kind() == b.Kind() && a.Kind() <= attr.KindB && attr.Compare(a, b) > 0 {
		args.Set(names[0], b)
		args.Set(names[1], a)
	}
}

// nudge leaves a bound as it is or moves it by the least there is.
func (k *caller) nudge(v attr.Value) attr.Value {
	if w, ok := moved(v, k.src.rnd.IntN(3)-1); ok {
		return w
	}
	return v
}

// behind is a value above one and below what lies further up, where there is one.
func (k *caller) behind(v attr.Value) attr.Value {
	if w, ok := moved(v, 1); ok {
		return w
	}
	return attr.Text(v.Str() + " ")
}

// before is a value below one and above what lies further down, where there is one, else one below all.
func (k *caller) before(v attr.Value) attr.Value {
	if w, ok := moved(v, -1); ok {
		return w
	}
	return attr.Text(" ")
}

// moved is a number, timestamp or date so many of its least steps further; false for texts, which have none.
func moved(v attr.Value, steps int) (attr.Value, bool) {
	if v.Kind() == attr.KindN {
		n, err := v.Number().Add(attr.Int(int64(steps)))
		return attr.Num(n), err == nil
	}
	if t, err := time.Parse(spec.TimestampLayout, v.Str()); err == nil {
		return spec.TimeValue(t.Add(time.Duration(steps) * time.Millisecond)), true
	}
	if t, err := time.Parse(spec.DateLayout, v.Str()); err == nil {
		return attr.Text(t.AddDate(0, 0, steps).Format(spec.DateLayout)), true
	}
	return v, false
}
