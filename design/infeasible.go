package design

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/spec"
)

// An InfeasibleError says that no model can serve the requirements within DynamoDB's limits, and which of their statements
// collide: taking back any one of them helps.
type InfeasibleError struct {
	Conflicts []Conflict
	Smallest  bool     // no smaller set collides; else the set is irreducible, and not proven to be the smallest
	Losses    []string // why candidates were left out, the most frequent reason first
}

// Conflict is a statement of the requirements that collides with others, or with a limit alone.
type Conflict struct {
	Of        string // the pattern, relationship or entity that states it
	Statement string // what it states: "peak 12000/s"
	Fits      string // what would fit, all else as stated: "peak 9000/s", "no page"
}

// Error names the colliding statements and what would fit, one per line.
func (e *InfeasibleError) Error() string {
	var b strings.Builder
	b.WriteString("no model serves the requirements within DynamoDB's limits")
	if len(e.Conflicts) > 0 {
		b.WriteString(": these statements collide")
	}
	for _, c := range e.Conflicts {
		b.WriteString("\n  " + c.Of + ": " + c.Statement)
		if c.Fits != "" {
			b.WriteString(" (would fit: " + c.Fits + ")")
		}
	}
	for _, l := range e.Losses {
		b.WriteString("\n  " + l)
	}
	return b.String()
}

// conflict searches for the smallest set of statements that keeps the entities of a component from being served, as far as
// its work is bounded. It is called when all of them together do. If it is no limit that does, but a rule that is missing,
// the error is an *UnsupportedError.
func conflict(ctx context.Context, s *solution, prices *capacity.Prices, within *effort) error {
	f, best := s.planner.facts, s.cheapest
	broken := map[string]int{} // what has broken a limit, of all candidates that were left out
	for why, n := range s.planner.losses {
		if f.limits[why] && best.unserved > 0 { // else the best one has avoided what broke others
			broken[why] = n
		}
	}
	for _, why := range best.losses {
		if f.limits[why] || f.remedies[why] {
			broken[why] += 1 << 20 // what is closest to a model tells most
		}
	}
	e := &InfeasibleError{Losses: frequent(broken)}
	hints, all := s.unread(best.frame)
	var missing []string // rules, not limits
	for _, why := range best.refused {
		if !f.limits[why] {
			missing = append(missing, why)
		}
	}
	x := explainer{ctx: ctx, req: f.req, prices: prices, within: within, part: map[*spec.Pattern]float64{}}
	for _, n := range s.planner.c.entities {
		x.entities = append(x.entities, n.Name)
	}
	switch {
	case len(missing) > 0:
		if c, ok := x.loosened(best); ok && len(hints) == 0 {
			e.Conflicts, e.Losses, e.Smallest = []Conflict{c}, missing, true
			return e
		}
		for _, h := range hints {
			missing = append(missing, fmt.Sprintf("nothing serves %s with %s; it would be served with %s", h.Of, h.Statement, h.Fits))
		}
		for _, why := range best.losses {
			if f.remedies[why] {
				missing = append(missing, why)
			}
		}
		missing = append(missing, s.unpointed()...)
		return &UnsupportedError{Of: strings.Join(s.planner.c.names(), ", "), Losses: missing}
	case all:
		e.Conflicts = hints
		e.Losses = append(e.Losses, s.unpointed()...)
		return e
	}
	stated := x.statements(s)
	if possible := withoutAtomic(stated); !x.feasible(nil, stated) && x.feasible(nil, possible) {
		stated = possible // no rule serves the write without all or nothing
	}
	if !x.feasible(nil, stated) {
		if c, ok := x.loosened(best); ok {
			e.Conflicts, e.Smallest = []Conflict{c}, true
			return e
		}
		if x.over() || len(broken) > 0 && best.unserved == 0 {
			return e // what cannot be taken back, such as the size of every item
		}
		own := map[string]int{}
		for _, why := range best.losses {
			own[why]++
		}
		u := &UnsupportedError{Losses: frequent(own), Of: strings.Join(x.entities, ", ")}
		if slices.ContainsFunc(u.Losses, func(why string) bool { return f.limits[why] }) {
			e.Losses, e.Smallest = u.Losses, true
			return e
		}
		return u
	}
	found := x.shrink(nil, nil, stated, stated)
	if x.over() { // what was not tried may not collide
		found = nil
	}
	e.Smallest = len(found) == 1
	e.Conflicts = x.remedies(found) // before the time is spent on smaller sets
	if n := len(found); n > 1 && len(stated) <= maxStatements && !x.over() {
		if smaller := x.smaller(stated, min(n-1, maxSubset)); smaller != nil {
			found = smaller
			e.Conflicts = x.remedies(found)
		}
		e.Smallest = len(found)-1 <= maxSubset && !x.over()
	}
	return e
}

// remedies describes statements that collide, and what would fit instead of each.
func (x *explainer) remedies(found []statement) (out []Conflict) {
	for _, st := range found {
		out = append(out, st.describe())
	}
	for _, figures := range []bool{false, true} { // a figure takes many attempts, and time may be short
		for i, st := range found {
			if st.figure() == figures {
				out[i].Fits = x.fits(st)
			}
		}
	}
	return out
}

// unread lists, for every read that no plan serves, the statements that each, left out alone, would let some plan serve it. all
// says that nothing else keeps the component from being served, as far as is known.
func (s *solution) unread(c *frame) (out []Conflict, all bool) {
	all = len(c.refused) == 0
	for i, d := range c.demands {
		if len(c.choices[i]) > 0 {
			continue
		}
		if d.locates != nil { // nobody states how a write finds its key
			all = false
			continue
		}
		hints := hints(d, func(p *spec.Pattern) bool {
			e, err := s.planner.facts.normalize(p)
			return err == nil && s.planner.reaches(c.layout, e)
		})
		out = append(out, hints...)
		some := len(hints) > 0
		all = all && some
	}
	return out, all && len(out) > 0
}

// hints are the statements of a read that each, left out alone, would let a model serve it.
func hints(d *demand, served func(*spec.Pattern) bool) (out []Conflict) {
	strongest := ""
	for _, st := range []statement{{kind: statePage, pattern: d.pattern}, {kind: stateOrder, pattern: d.pattern}, {kind: stateMoment, pattern: d.pattern}, {kind: stateConsistency, pattern: d.pattern}} {
		relaxed := *d.pattern
		fits := ""
		switch {
		case st.kind == statePage && (d.pattern.Page > 0 || d.pattern.Top > 0):
			relaxed.Page, relaxed.Top, fits = 0, 0, "no page"
		case st.kind == stateOrder && len(d.pattern.Order) > 0:
			if alike, text := oneDirection(d.pattern.Order); alike != nil {
				relaxed.Order = alike
				if served(&relaxed) {
					x := st.describe()
					x.Fits = "order " + text
					out = append(out, x)
					continue
				}
			}
			relaxed.Order, fits = nil, "no order"
		case st.kind == stateMoment && d.pattern.Consistency == "snapshot":
			relaxed.Consistency, fits = "strong", "consistency strong"
		case st.kind == stateConsistency && strong(d.pattern) && strongest == "":
			relaxed.Consistency, fits = "eventual", "consistency eventual"
		default:
			continue
		}
		if served(&relaxed) {
			x := st.describe()
			x.Fits = fits
			out = append(out, x)
			if st.kind == stateMoment {
				strongest = fits
			}
		}
	}
	return out
}

// oneDirection is an order of which all parts go in the direction of the first, and how it is stated; nil: it is that already.
func oneDirection(order []spec.Order) (alike []spec.Order, text string) {
	alike = slices.Clone(order)
	differs := false
	for i := range alike {
		differs = differs || alike[i].Descending != order[0].Descending
		alike[i].Descending = order[0].Descending
	}
	if !differs {
		return nil, ""
	}
	return alike, "[" + orderText(alike) + "]"
}

func orderText(order []spec.Order) string {
	var parts []string
	for _, o := range order {
		t := o.Path.String()
		if o.Descending {
			t += " descending"
		}
		parts = append(parts, t)
	}
	return strings.Join(parts, ", ")
}

// reaches reports whether some plan serves a demand in a layout.
func (p *planner) reaches(l *layout, d *demand) bool {
	seek := seeker{facts: p.facts, layout: l, wants: p.c.wants, demands: p.c.demands, d: d, misses: map[string]string{}}
	return len(seek.plans()) > 0
}

// Sets of up to maxSubset statements are tried one after another if there are no more than maxStatements.
const (
	maxStatements = 16
	maxSubset     = 2
	tryingSteps   = 400 // of one attempt
	halvings      = 8   // of a figure: enough for the two digits that are reported
)

// frequent are the most frequent reasons.
func frequent(losses map[string]int) []string {
	var out []string
	for why := range losses {
		out = append(out, why)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(losses[b], losses[a]), cmp.Compare(a, b)) })
	return out[:min(len(out), 5)]
}

// A statement is something that the requirements say and that a limit can collide with.
type statement struct {
	kind    statementKind
	pattern *spec.Pattern
	way     *spec.Relationship
	entity  *spec.Entity
	attr    *spec.Attribute
	action  int // of the pattern
}

// withoutAtomic are the statements but those that a write is all or nothing.
func withoutAtomic(all []statement) []statement {
	return slices.DeleteFunc(slices.Clone(all), func(s statement) bool { return s.kind == stateAtomic })
}

type statementKind uint8

const (
	statePeak        statementKind = iota + 1 // a pattern's rate at peak
	statePage                                 // its page
	stateOrder                                // its order
	stateConsistency                          // its consistency
	stateMoment                               // of this, that it is of one moment
	stateAtomic                               // that a write is all or nothing
	stateChildren                             // the most children of a parent
	stateBytes                                // the largest size of an entity
	stateSkew                                 // how much of a pattern's calls fall on the hottest
	stateTest                                 // an action that only tests an entity that is hot
	stateRequires                             // that such an entity is there
	stateExact                                // that a derived number does not lag
)

// explainer asks again and again whether part of the requirements could be served.
type explainer struct {
	ctx      context.Context
	req      *spec.Requirements
	prices   *capacity.Prices
	entities []string
	within   *effort
	part     map[*spec.Pattern]float64 // of a peak that would fit
}

func (x *explainer) over() bool {
	return x.ctx.Err() != nil || x.within.over()
}

// An effort bounds what is looked into, by time and by how many configurations are compared. Unlike time, these are the same
// on all machines.
type effort struct {
	deadline time.Time // zero: none
	most     int       // configurations; 0: any number
	compared int       // so far
}

// over reports whether no more is to be looked into.
func (e *effort) over() bool {
	return e.most > 0 && e.compared >= e.most || !e.deadline.IsZero() && !time.Now().Before(e.deadline)
}

// solve searches a component for anything that serves it, and no longer than the effort goes. cut says that it ended for that.
func (e *effort) solve(p *planner) (s *solution, cut bool) {
	p.deadline, p.any = e.deadline, true
	if e.most > 0 {
		p.most = min(p.most, max(e.most-e.compared, 1))
	}
	s = p.solve()
	e.compared += p.compared
	return s, p.ended
}

// statements are those that could be taken back for what a component's best configuration does not serve, in the order
// of the requirements.
func (x *explainer) statements(s *solution) []statement {
	best := s.cheapest
	concerned := map[string]bool{}
	for i, d := range best.demands {
		if best.plans[i] == nil {
			concerned[d.name] = true
		}
	}
	loads := s.planner.loads(best)
	crowded := map[string][]string{} // items that transactions hold all the time, by pattern
	for h := range best.heats() {
		l := loads[h.key]
		meets := l.meet >= capacity.ContentionFull && h.meet > 0
		if meets {
			crowded[h.pattern] = appendNew(crowded[h.pattern], s.planner.pricer.hot[h.key].of)
		}
		if meets || l.read > float64(capacity.PartitionReads) && h.read > 0 ||
			l.write > float64(capacity.PartitionWrites) && h.write > 0 {
			concerned[h.pattern] = true
		}
	}
	whole := best.unserved > 0
	if whole && len(concerned) == 0 && len(best.refused) == 0 { // a size is what is in the way
		for _, d := range best.demands {
			concerned[d.name] = true
		}
	}
	var out []statement
	if whole {
		for _, e := range x.req.Entities {
			if !slices.Contains(x.entities, e.Name) {
				continue
			}
			if e.Bytes.Max > e.Bytes.Average {
				out = append(out, statement{kind: stateBytes, entity: e})
			}
			for _, w := range e.There {
				if w.PerParent.Stated && w.PerParent.Max > w.PerParent.Average {
					out = append(out, statement{kind: stateChildren, way: w})
				}
			}
		}
	}
	touches := s.planner.facts.touches
	for _, p := range x.req.Patterns {
		mine := concerned[p.Name]
		if p.Writes() && whole {
			mine = mine || slices.ContainsFunc(touches, func(t *touch) bool { return t.pattern == p && slices.Contains(x.entities, t.entity.Name) })
		}
		if !mine {
			continue
		}
		if p.Rate.Peak > 0 {
			out = append(out, statement{kind: statePeak, pattern: p})
		}
		if p.Page > 0 || p.Top > 0 {
			out = append(out, statement{kind: statePage, pattern: p})
		}
		if len(p.Order) > 0 {
			out = append(out, statement{kind: stateOrder, pattern: p})
		}
		if p.Consistency != "eventual" {
			out = append(out, statement{kind: stateConsistency, pattern: p})
		}
		if p.Writes() && p.Atomic {
			out = append(out, statement{kind: stateAtomic, pattern: p})
		}
		out = append(out, crowding(p, crowded[p.Name])...)
	}
	return out
}

// crowding are the statements of a write for which its transactions hold some items that carry these names.
func crowding(p *spec.Pattern, names []string) (out []statement) {
	if len(names) == 0 {
		return nil
	}
	if !p.Skew.Uniform() || !p.PeakSkew().Uniform() {
		out = append(out, statement{kind: stateSkew, pattern: p})
	}
	for i, a := range p.Actions {
		if a.Checks() && slices.Contains(names, a.Entity.Name) {
			out = append(out, statement{kind: stateTest, pattern: p, action: i})
		}
		for _, way := range a.Requires {
			if slices.Contains(names, way.To.Name) {
				out = append(out, statement{kind: stateRequires, pattern: p, action: i, way: way})
			}
		}
		for _, way := range a.Entity.There {
			for _, x := range way.To.Attributes {
				d := x.Derived
				if way.Inverse == "" || d == nil || d.Func != "count" && d.Func != "sum" || d.Path[0] != way.Inverse || d.Within > 0 {
					continue
				}
				if slices.Contains(names, way.To.Name) || slices.Contains(names, asideName(x)) {
					out = append(out, statement{kind: stateExact, pattern: p, attr: x})
				}
			}
		}
	}
	return out
}

// feasible reports whether a model exists if of all statements only those count that are kept.
func (x *explainer) feasible(kept, all []statement) bool {
	factors := map[statement]float64{}
	for _, s := range all {
		if !slices.Contains(kept, s) {
			factors[s] = 0
		}
	}
	return x.served(factors)
}

// served reports whether the entities can be served if of some statements only a part counts: nothing of it, or of their
// figures.
func (x *explainer) served(factors map[statement]float64) bool {
	if x.over() {
		return true
	}
	r := x.req.Clone()
	for s, factor := range factors {
		s.apply(r, factor)
	}
	return x.solvable(r)
}

// loosened is the order of a read that keeps writes from being served, with what would do: one direction, or the whole set. An index
// holds what it counts down in an attribute that an update would have to know.
func (x *explainer) loosened(best *config) (Conflict, bool) {
	for _, d := range best.demands {
		if d.locates != nil || len(d.pattern.Order) < 2 || x.over() {
			continue
		}
		alike, text := oneDirection(d.pattern.Order)
		if alike == nil {
			continue
		}
		r := x.req.Clone()
		r.Pattern(d.name).Order = alike
		if !x.solvable(r) || x.over() {
			continue
		}
		c := statement{kind: stateOrder, pattern: d.pattern}.describe()
		c.Fits = "order " + text
		whole := x.req.Clone()
		if whole.Pattern(d.name).Whole = true; len(d.eqs) == 0 && d.page == 0 && !d.whole && x.solvable(whole) {
			c.Fits += ", or `whole: true`"
		}
		return c, true
	}
	return Conflict{}, false
}

// solvable reports whether the entities can be served by requirements that differ from the stated ones.
func (x *explainer) solvable(r *spec.Requirements) bool {
	f := study(r)
	ds, err := f.demands()
	if err != nil {
		return false
	}
	price := newPricer(r, x.prices)
	for _, c := range components(f, ds) {
		if !slices.ContainsFunc(c.entities, func(e *spec.Entity) bool { return slices.Contains(x.entities, e.Name) }) {
			continue
		}
		p := newPlanner(x.ctx, f, price, c)
		p.budget = tryingSteps
		if s, _ := x.within.solve(p); !s.cheapest.admissible() {
			return false
		}
	}
	return true
}

// apply changes requirements so that only a part of a statement counts.
func (s statement) apply(r *spec.Requirements, factor float64) {
	shrink := func(size *spec.Size) { size.Max = max(size.Average, size.Max*factor) }
	switch s.kind {
	case stateChildren:
		e := r.Entity(s.way.From.Name)
		i := slices.Index(s.way.From.There, s.way)
		w := e.There[i]
		w.PerParent.Max = max(w.PerParent.Average, w.PerParent.Max*factor)
		return
	case stateBytes:
		e := r.Entity(s.entity.Name)
		shrink(&e.Bytes)
		for _, a := range e.Attributes {
			shrink(&a.Bytes)
		}
		return
	case stateExact:
		r.Entity(s.attr.Entity.Name).Attribute(s.attr.Name).Derived.Within = offeredAge
		return
	}
	p := r.Pattern(s.pattern.Name)
	switch s.kind {
	case statePeak:
		p.Rate.Peak *= factor
	case statePage:
		p.Page, p.Top = 0, 0
	case stateOrder:
		p.Order = nil
	case stateConsistency:
		p.Consistency = "eventual"
	case stateAtomic:
		p.Atomic = false
	case stateSkew:
		p.Skew = lessSkewed(p.Skew, factor)
		if p.AtPeak != nil {
			skew := lessSkewed(*p.AtPeak, factor)
			p.AtPeak = &skew
		}
	case stateTest:
		p.Actions = slices.Delete(p.Actions, s.action, s.action+1)
	case stateRequires:
		a := p.Actions[s.action]
		a.Requires = slices.DeleteFunc(a.Requires, func(way *spec.Relationship) bool { return way.Name == s.way.Name })
	}
}

// lessSkewed scales a skew by a factor from 0 to 1.
func lessSkewed(s spec.Skew, factor float64) spec.Skew {
	s.Hottest *= factor
	s.Zipf *= factor
	s.BySize = s.BySize && factor > 0
	return s
}

// shrink finds an irreducible subset of candidates that, with the background, cannot be served (QuickXplain: the added part
// alone may do; else both halves are shrunk against each other).
func (x *explainer) shrink(background, added, candidates, all []statement) []statement {
	if len(added) > 0 && !x.feasible(background, all) {
		return nil
	}
	if len(candidates) <= 1 {
		return candidates
	}
	half := len(candidates) / 2
	a, b := candidates[:half], candidates[half:]
	fromB := x.shrink(slices.Concat(background, a), a, b, all)
	fromA := x.shrink(slices.Concat(background, fromB), fromB, a, all)
	return slices.Concat(fromA, fromB)
}

// smaller finds a set of at most n statements that cannot be served together, the smallest first; nil if there is none.
func (x *explainer) smaller(all []statement, n int) []statement {
	for size := 1; size <= n; size++ {
		if set := x.subsets(all, nil, size, all); set != nil {
			return set
		}
	}
	return nil
}

func (x *explainer) subsets(from, chosen []statement, size int, all []statement) []statement {
	if size == 0 {
		if !x.feasible(chosen, all) {
			return slices.Clone(chosen)
		}
		return nil
	}
	for i := range from {
		if set := x.subsets(from[i+1:], append(slices.Clone(chosen), from[i]), size-1, all); set != nil {
			return set
		}
	}
	return nil
}

// figure reports whether a part of a statement may do.
func (s statement) figure() bool {
	switch s.kind {
	case statePeak, stateSkew, stateChildren, stateBytes:
		return true
	}
	return false
}

// fits is the value of a statement that would do, all else as stated; "" if none would.
func (x *explainer) fits(s statement) string {
	if part, known := x.part[s.pattern]; known && s.kind == stateSkew && s.pattern.PeakSkew().Hottest > 0 {
		return s.number(part) // a key is as hot as the rate times its share
	}
	if x.over() || !x.served(map[statement]float64{s: 0}) {
		return ""
	}
	switch s.kind {
	case statePage:
		return "no page"
	case stateOrder:
		return "no order"
	case stateConsistency:
		return "consistency eventual"
	case stateAtomic:
		return "atomic false"
	case stateExact:
		return "within: " + spec.FormatDuration(offeredAge)
	case stateTest, stateRequires:
		return "leave it out: let the caller ask first, and accept what comes in the moment of a change"
	}
	low, high := 0.0, 1.0
	for range halvings {
		if x.over() {
			break
		}
		mid := (low + high) / 2
		if x.served(map[statement]float64{s: mid}) {
			low = mid
		} else {
			high = mid
		}
	}
	if s.kind == statePeak {
		x.part[s.pattern] = low
	}
	return s.number(low)
}

// number is the statement with part of its figure, rounded down to two digits.
func (s statement) number(part float64) string {
	digits := func(v float64) string {
		if v <= 0 {
			return "0"
		}
		unit := math.Pow(10, math.Floor(math.Log10(v))-1)
		return show.Number(math.Floor(v/unit) * unit)
	}
	switch s.kind {
	case stateSkew:
		skew := lessSkewed(s.pattern.PeakSkew(), part)
		skew.Hottest, skew.Zipf = math.Floor(skew.Hottest*100)/100, math.Floor(skew.Zipf*100)/100
		return "skew " + skew.String() + " at peak"
	case statePeak:
		return "peak " + digits(s.pattern.Rate.Peak*part) + "/s"
	case stateChildren:
		return "per-parent max " + digits(max(s.way.PerParent.Max*part, s.way.PerParent.Average))
	}
	return "bytes max " + digits(max(s.entity.Bytes.Max*part, s.entity.Bytes.Average))
}

// describe is the statement for people.
func (s statement) describe() Conflict {
	switch s.kind {
	case statePage:
		if s.pattern.Page == 0 {
			return Conflict{Of: s.pattern.Name, Statement: fmt.Sprintf("top %d", s.pattern.Top)}
		}
		return Conflict{Of: s.pattern.Name, Statement: fmt.Sprintf("page %d", s.pattern.Page)}
	case stateOrder:
		return Conflict{Of: s.pattern.Name, Statement: "order " + orderText(s.pattern.Order)}
	case stateConsistency, stateMoment:
		return Conflict{Of: s.pattern.Name, Statement: "consistency " + s.pattern.Consistency}
	case stateAtomic:
		return Conflict{Of: s.pattern.Name, Statement: "atomic"}
	case statePeak:
		return Conflict{Of: s.pattern.Name, Statement: "peak " + show.Number(s.pattern.Rate.Peak) + "/s"}
	case stateSkew:
		return Conflict{Of: s.pattern.Name, Statement: "skew " + s.pattern.SkewText()}
	case stateTest:
		a := s.pattern.Actions[s.action]
		text := fmt.Sprintf("`update: %s` with `condition: %s`, which changes nothing", a.Entity.Name, a.Condition)
		return Conflict{Of: s.pattern.Name, Statement: text}
	case stateRequires:
		return Conflict{Of: s.pattern.Name, Statement: "requires " + s.way.Name}
	case stateExact:
		text := fmt.Sprintf("derived %s(%s) without a lag", s.attr.Derived.Func, s.attr.Derived.Path)
		return Conflict{Of: s.attr.Entity.Name + "." + s.attr.Name, Statement: text}
	case stateChildren:
		return Conflict{Of: s.way.From.Name + "." + s.way.Name, Statement: "per-parent max " + show.Number(s.way.PerParent.Max)}
	}
	return Conflict{Of: s.entity.Name, Statement: "bytes max " + show.Number(s.entity.Bytes.Max)}
}
