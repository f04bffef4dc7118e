package prove

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

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
				v = all[rank].Item.Get(statedOf(owner, hops, name).Name)
			}
		}
		if aim == Nothing || v.IsZero() {
			v = k.unknown(p, name)
		}
		args.Set(name, v)
	}
	k.where(&args, p, aim, rank, left)
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

// statedOf is the part of an identity that a path states which leads over some hops and ends with a name.
func statedOf(owner *spec.Entity, hops []hop, name string) *spec.Attribute {
	if last := hops[len(hops)-1]; !last.back {
		for i, a := range last.rel.By {
			if a.Name == name {
				return owner.Identity[i]
			}
		}
	}
	return owner.Identity[0]
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
	case skew.BySize: // whatever is picked lies where much lies
		rank := k.src.evenIndex(len(all), p, "pick")
		return all[rank], rank
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

// ranked are the instances that calls are about: while capacity is measured those of the data as it was made, without
// what calls of other patterns have left beside them since, to which nothing else belongs.
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
	if len(hops) == 1 && !hops[0].back && len(at) == 1 {
		return o.children(at[0], hops[0].rel)
	}
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
	slices.SortFunc(at, byBirth)
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

// where gives the parameters of a pattern's tests values. They are drawn together: one instance that the equalities
// match, and that passes what the pattern itself says, is the example for all tests that are no ranges; ranges then
// divide among them what is to be left of the others like it, so that as many match as the law of results says.
func (k *caller) where(args *attr.Item, p *spec.Pattern, aim Aim, rank int, left map[string]bool) {
	var alone, ranges []*spec.Test
	fixed := spec.Without(p.Where, func(name string) bool { return p.Parameter(name) != nil })
	for t := range spec.Tests(p.Where) {
		switch names := parameters(p, t); {
		case !slices.ContainsFunc(names, func(name string) bool { return name != "" }):
		case isRange(t):
			ranges = append(ranges, t)
		default:
			alone = append(alone, t)
		}
	}
	if len(alone) == 0 && len(ranges) == 0 {
		return
	}
	x := k.o.pool(p, *args)
	members, whole := x.live, true // whole: they are all of the pool
	narrow := func(c spec.Condition) {
		if c == nil {
			return
		}
		var some []*Instance
		for _, in := range members {
			if k.o.holds(c, in, *args, attr.Item{}) {
				some = append(some, in)
			}
		}
		k.o.looked += len(members)
		if len(some) > 0 && len(some) < len(members) {
			members, whole = some, false
		}
	}
	if aim != Edge && aim != Nothing && (len(alone) > 0 || fixed != nil) {
		narrow(fixed)
	}
	example := pickOne(k.src, members)
	for _, t := range alone {
		if aim == Edge { // such as may meet in none
			example = pickOne(k.src, members)
		}
		k.bind(args, p, t, example, members)
	}
	together := all(p.Where) && aim != Edge && aim != Nothing
	if together && len(ranges) > 0 {
		for _, t := range alone {
			if !leaves(left, parameters(p, t)) {
				narrow(t)
			}
		}
	}
	n := 0
	at := map[string]*rangeOf{}
	var order []*rangeOf
	for _, t := range ranges {
		r := at[t.Path.String()]
		if r == nil {
			r = &rangeOf{path: t.Path}
			at[t.Path.String()] = r
			order = append(order, r)
			if !leaves(left, parameters(p, t)) {
				n++
			}
		}
		r.tests = append(r.tests, t)
	}
	for _, r := range order {
		var c *column
		if whole {
			c = k.o.column(x, r.path)
		} else {
			c = k.o.columnOf(members, r.path)
		}
		k.bindRange(args, p, r, c, aim, rank, n)
		if n > 1 && together && !slices.ContainsFunc(r.tests, func(t *spec.Test) bool { return leaves(left, parameters(p, t)) }) {
			for _, t := range r.tests {
				narrow(t)
			}
			n--
		}
	}
}

// rangeOf is the tests that bound one path.
type rangeOf struct {
	path  spec.Path
	tests []*spec.Test
}

func isRange(t *spec.Test) bool {
	switch t.Op {
	case "between", "<", "<=", ">", ">=":
		return true
	}
	return false
}

// all reports whether every test of a condition has to hold.
func all(c spec.Condition) bool {
	return !slices.ContainsFunc(spec.Conjuncts(c), func(c spec.Condition) bool { _, ok := c.(*spec.Test); return !ok })
}

// leaves reports whether a call leaves one of some parameters out.
func leaves(left map[string]bool, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return left[name] })
}

// parameters are the parameters that the arguments of a test are made of; "" where one is made of none.
func parameters(p *spec.Pattern, t *spec.Test) []string {
	names := make([]string, len(t.Args))
	for i, x := range t.Args {
		for term := range x.Terms() {
			if len(term.Reference) == 1 && p.Parameter(term.Reference[0]) != nil {
				names[i] = term.Reference[0]
			}
		}
	}
	return names
}

// bind gives the parameters of a test that is no range values from an instance that is to match.
func (k *caller) bind(args *attr.Item, p *spec.Pattern, t *spec.Test, example *Instance, members []*Instance) {
	names := parameters(p, t)
	v := attr.Value{}
	if example != nil {
		v = k.o.value(example, t.Path)
	}
	for range 30 { // one that has the attribute
		if !v.IsZero() || len(members) == 0 {
			break
		}
		v = k.o.value(members[k.src.rnd.IntN(len(members))], t.Path)
	}
	for i, name := range names {
		if name == "" || args.Has(name) {
			continue
		}
		if i > 0 && len(members) > 0 { // of several values others have the rest
			if w := k.o.value(members[k.src.rnd.IntN(len(members))], t.Path); !w.IsZero() {
				v = w
			}
		}
		switch {
		case v.IsZero():
			args.Set(name, k.unknown(p, name))
		case t.Op == "begins_with":
			args.Set(name, k.beginning(v))
		case t.Op == "contains" && v.Kind() == attr.KindS:
			args.Set(name, attr.Text(k.word(p, t, v.Str(), members)))
		case t.Op == "contains":
			if len(v.Elems()) > 0 {
				v = v.Elems()[k.src.rnd.IntN(len(v.Elems()))]
			}
			args.Set(name, v)
		case t.Op == "size":
			args.Set(name, attr.Num(attr.Int(int64(sizeOfValue(v)))))
		case i < len(t.Args):
			args.Set(name, k.solved(t.Args[i], v))
		default:
			args.Set(name, v)
		}
	}
}

// sizeOfValue is what the size of a value is in a test.
func sizeOfValue(v attr.Value) int {
	switch v.Kind() {
	case attr.KindS:
		return attr.UTF16Len(v.Str())
	case attr.KindB:
		return len(v.Str())
	case attr.KindM:
		return v.Map().Len()
	}
	return len(v.Elems())
}

// word is a part of a text that about as many of the instances have as the law of results says.
func (k *caller) word(p *spec.Pattern, t *spec.Test, text string, members []*Instance) string {
	runes := []rune(text)
	candidates := append([]string{text}, strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })...)
	for _, n := range []int{1, 2, 3} {
		if len(runes) >= n {
			at := k.src.rnd.IntN(len(runes) - n + 1)
			candidates = append(candidates, string(runes[at:at+n]))
		}
	}
	wanted := k.cast.pop.Results[p].Average / math.Max(float64(len(members)), 1)
	const looked = 40
	var some []string
	for i := range min(len(members), looked) {
		some = append(some, k.o.value(members[i*len(members)/min(len(members), looked)], t.Path).Str())
	}
	best, off := text, math.Inf(1)
	for _, c := range candidates {
		n := 0
		for _, other := range some {
			if strings.Contains(other, c) {
				n++
			}
		}
		if d := math.Abs(float64(n)/math.Max(float64(len(some)), 1) - wanted); c != "" && d < off {
			best, off = c, d
		}
	}
	return best
}

// stated is an end of a range that the pattern itself states; false if callers do.
func (k *caller) stated(t *spec.Test, names []string, end int) (attr.Value, bool) {
	if t.Op != "between" || len(names) < 2 || names[end] != "" {
		return attr.Value{}, false
	}
	v, ok := k.o.eval(t.Args[end], nil, attr.Item{}, attr.Item{})
	return v, ok && !v.IsZero()
}

// inside are the ends of a range of which the pattern itself states one: the other one is not beyond that, for a range
// without an inside is not asked for.
func (k *caller) inside(t *spec.Test, names []string, from, to attr.Value) (low, high attr.Value) {
	if v, ok := k.stated(t, names, 0); ok && v.Kind() == to.Kind() && attr.Compare(to, v) < 0 {
		to = v
	}
	if v, ok := k.stated(t, names, 1); ok && v.Kind() == from.Kind() && attr.Compare(from, v) > 0 {
		from = v
	}
	return from, to
}

// bindRange gives the parameters of the tests that bound one path values. among is how many such ranges divide what is
// to be left out.
func (k *caller) bindRange(args *attr.Item, p *spec.Pattern, r *rangeOf, c *column, aim Aim, rank, among int) {
	if len(c.values) == 0 || !c.sorted {
		for _, t := range r.tests {
			names := parameters(p, t)
			for i, name := range names {
				if name == "" || args.Has(name) {
					continue
				}
				if v, ok := k.stated(t, names, (i+1)%2); ok {
					args.Set(name, k.solved(t.Args[i], v))
				} else {
					args.Set(name, k.unknown(p, name))
				}
			}
			if t.Op == "between" {
				order(args, names)
			}
		}
		return
	}
	low, high := attr.Value{}, attr.Value{}
	slices.SortStableFunc(r.tests, func(a, b *spec.Test) int { return upper(a) - upper(b) })
	for _, t := range r.tests {
		names := parameters(p, t)
		if low.IsZero() || t.Op[0] != '<' { // else the range that the test before has begun
			low, high = k.window(p, c.values, aim, rank, among)
			if aim == Edge {
				low, high = k.nudge(low), k.nudge(high)
			}
		}
		from, to := low, high
		if aim != Edge { // what stands at an end is meant to be among the matches
			switch t.Op {
			case ">":
				if b := k.before(low); b.Str() != " " || low.Kind() == attr.KindN {
					from = b
				}
			case "<":
				to = k.behind(high)
			}
		}
		switch {
		case t.Op == "between":
			if aim != Edge {
				from, to = k.inside(t, names, from, to)
			}
			if names[0] != "" {
				args.Set(names[0], k.solved(t.Args[0], from))
			}
			if len(names) > 1 && names[1] != "" {
				args.Set(names[1], k.solved(t.Args[1], to))
				if aim != Edge {
					order(args, names)
				}
			}
		case t.Op[0] == '<':
			args.Set(names[0], k.solved(t.Args[0], to))
		default:
			args.Set(names[0], k.solved(t.Args[0], from))
		}
	}
}

// solved is the value of the only parameter in an expression such that the expression has a value: of `now - $age`, how
// long ago a time is.
func (k *caller) solved(x spec.Expr, v attr.Value) attr.Value {
	if x.Op != "+" && x.Op != "-" || len(x.Args) != 2 {
		if x.Neg && v.Kind() == attr.KindN {
			return attr.Num(v.Number().Neg())
		}
		return v
	}
	a, okA := k.o.eval(x.Args[0], nil, attr.Item{}, attr.Item{})
	b, okB := k.o.eval(x.Args[1], nil, attr.Item{}, attr.Item{})
	okA, okB = okA && !a.IsZero(), okB && !b.IsZero()
	if at, err := time.Parse(time.RFC3339Nano, v.Str()); err == nil && v.Kind() == attr.KindS {
		switch {
		case okA && a.Kind() == attr.KindS: // now ± $duration
			if from, err := time.Parse(time.RFC3339Nano, a.Str()); err == nil {
				d := at.Sub(from).Milliseconds()
				if x.Op == "-" {
					d = -d
				}
				return attr.Num(attr.Int(max(d, 0)))
			}
		case okB && b.Kind() == attr.KindN: // $time ± duration
			ms, _ := b.Number().Int64()
			if x.Op == "+" {
				ms = -ms
			}
			return spec.TimeValue(at.Add(time.Duration(ms) * time.Millisecond))
		}
		return v
	}
	if v.Kind() != attr.KindN {
		return v
	}
	var n attr.Number
	var err error
	switch {
	case okA && x.Op == "+" && a.Kind() == attr.KindN:
		n, err = v.Number().Sub(a.Number())
	case okA && a.Kind() == attr.KindN:
		n, err = a.Number().Sub(v.Number())
	case okB && x.Op == "+" && b.Kind() == attr.KindN:
		n, err = v.Number().Sub(b.Number())
	case okB && b.Kind() == attr.KindN:
		n, err = v.Number().Add(b.Number())
	default:
		return v
	}
	if err != nil {
		return v
	}
	return attr.Num(n)
}

// upper is 1 of tests that end a range above, else 0.
func upper(t *spec.Test) int {
	if t.Op == "<" || t.Op == "<=" {
		return 1
	}
	return 0
}

// window is the first and last of the stored values that a range is to match: as many in a row as the law of results
// says, where so many ranges share in leaving out the rest.
func (k *caller) window(p *spec.Pattern, values []attr.Value, aim Aim, rank, among int) (low, high attr.Value) {
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
		share := math.Min(k.src.law(int64(members), law.Average, law.Max).At(int64(rank+1))/float64(n), 1)
		want = min(whole(float64(n)*math.Pow(share, 1/float64(max(among, 1))), k.src.even(p, "matches")), n)
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
