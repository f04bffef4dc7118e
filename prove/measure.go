package prove

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// tolerance is how far consumed capacity may lie from the estimate.
const tolerance = 0.10

// tally gathers what calls of a pattern consumed.
type tally struct {
	result    *PatternResult
	estimated float64 // units per call, all arms
	blur      float64 // how far that may lie from what calls consume, since it rests on some calls only
	byLaw     float64 // the same by stated figures, as far as the data was cut, and not by what it turned out to have
	sum       map[string]float64
	calls     int
	dearest   float64 // the most work that one check of a read took
	expected  float64 // entities that a call of a read finds, as the estimate has it

	found, scanned, returned float64        // in measured calls: entities, and items looked at and returned
	stated, elements         map[string]int // in measured calls: how often a parameter was stated, and elements of lists

	meets touched // of measured calls of a write
	next  touched // of the last one

	turned   map[string]int // regular calls of a write that were refused, by code
	lacked   map[string]int // what regular calls that were refused as missing did not find
	answered int            // calls of a read that found something
	atRest   bool           // calls were measured while what is stored was as stated: no others count

	// Calls are drawn such that sixteen in a row make a small picture of all (see spread): how much the means of such
	// blocks differ says how far the mean of all can be off.
	block   float64
	blocks  int
	squares float64 // of the sums of blocks
	total   float64 // of the sums of blocks
	single  float64 // of the squares of single calls
}

func (t *tally) add(u *tablewright.Usage) {
	t.calls++
	t.meets.add(t.next)
	t.next = touched{}
	t.scanned += float64(u.Scanned)
	t.returned += float64(u.Returned)
	all := 0.0
	for arm, units := range u.Arms {
		n := float64(units.Read) + float64(units.Write)
		t.sum[arm] += n
		all += n
	}
	t.block += all
	t.single += float64(all * all)
	if t.calls%strata == 0 {
		t.blocks++
		t.total += t.block
		t.squares += float64(t.block * t.block)
		t.block = 0
	}
}

// with notes the arguments of a measured call.
func (t *tally) with(p *spec.Pattern, args attr.Item) {
	if t.stated == nil {
		t.stated, t.elements = map[string]int{}, map[string]int{}
	}
	for _, q := range p.Parameters {
		if v := args.Get(q.Name); !v.IsZero() {
			t.stated[q.Name]++
			t.elements[q.Name] += len(v.Elems())
		}
	}
}

// mean is what an average call has consumed.
func (t *tally) mean() float64 {
	return sum(t.sum) / float64(max(t.calls, 1))
}

// off reports whether a mean lies too far from the estimate.
func (t *tally) off() bool { return math.Abs(t.mean()-t.estimated) > tolerance*t.estimated }

// clear reports whether enough has been measured: the mean lies within the tolerance, and so do two standard errors
// around it. That it lies outside is never clear early: a rare large answer that has not come up yet does not show in
// the error either.
func (t *tally) clear() bool {
	if t.blocks < 3 {
		return false
	}
	n := float64(t.blocks)
	variance := math.Max(t.squares-float64(t.total*t.total)/n, 0) / (n - 1)
	twice := 2 * math.Sqrt(variance/n) / strata
	return math.Abs(t.mean()-t.estimated)+twice < tolerance*t.estimated
}

// perCall are the units of an average call, rounded so that the evidence is the same on every machine.
func (t *tally) perCall() map[string]float64 {
	out := map[string]float64{}
	for arm, n := range t.sum {
		out[arm] = rounded(n / float64(max(t.calls, 1)))
	}
	return out
}

func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// longest is how many times as many calls as asked for are measured of a pattern for which it is not clear yet whether
// it lies within the tolerance.
const longest = 10

// mostPages is how many pages are read for the measure of one pattern, as long as some calls are measured.
const mostPages = 2_000

// capacity makes typical calls of every pattern and measures what a call consumes: reads on data at rest first, then
// what changes, last what creates.
func (s *session) capacity() error {
	s.catchUp() // items without their copies are smaller than nearly all are
	s.pass(s.o.Lag)
	for i, p := range readsFirst(s.asked, s.lives) {
		if s.failed(p) {
			continue
		}
		s.o.progress(Progress{"capacity", p.Name, i, len(s.asked)})
		if p.Writes() {
			s.measureWrites(p, s.tallies[p])
		} else {
			s.measureReads(p, s.tallies[p])
		}
		s.tallies[p].atRest = s.tallies[p].calls > 0
		if err := s.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// measureReads calls a read pattern as its skew and law of results say.
func (s *session) measureReads(p *spec.Pattern, t *tally) {
	s.call.measuring = true
	defer func() { s.call.measuring = false }()
	begun, work, twice := t.result.Calls, s.budget(1), s.budget(2)
	for n := 0; n < s.o.Measured || n < longest*s.o.Measured && !t.clear(); n++ {
		// To come to a page all before it are read: of many pages there are fewer calls.
		requests := t.result.Calls - begun
		if s.ctx.Err() != nil || n >= 3*strata && n%strata == 0 && (work.spent() || requests > mostPages) || n == strata && twice.spent() {
			return
		}
		args := s.call.read(p, Typical, nil)
		use, found, err := s.page(p, args)
		t.found += float64(found)
		if err != nil {
			s.fail(p, "typical", args, &mismatch{cause: "the read failed: " + err.Error()}, nil)
			return
		}
		t.add(use)
	}
}

// measureWrites makes regular calls of a write pattern until enough have been measured.
func (s *session) measureWrites(p *spec.Pattern, t *tally) {
	least := s.o.Measured
	most := longest * s.o.Measured
	if drifts(p) {
		most = max(s.alive(p)/2, 1)
		least = min(max(s.alive(p)/6, 48), most, least)
	}
	work := s.budget(1)
	if grows(p) {
		most = least
	}
	met := 0
	for n := 0; n < 2*least || n < 2*most && !t.clear(); n++ {
		if t.calls >= least && (t.clear() || t.calls >= most) || n >= 3*strata && work.spent() || s.failed(p) || s.ctx.Err() != nil {
			return
		}
		s.pass(s.o.Lag)
		use := &tablewright.Usage{}
		args := s.call.write(p, Regular, -1, s.due(p))
		if s.call.hopeless(p, args) {
			args = s.call.write(p, Regular, -1, nil)
		}
		if s.call.lacks(p, args) && met < mostMet {
			met++
			args = s.provided(p, Regular, args)
		}
		done, completed := s.write(p, Regular, args, use)
		if done {
			s.enterCreated(p, completed)
			t.add(use)
			t.with(p, args)
		}
	}
}

// mostMet is how many are made for the calls of one pattern that nothing stored would let happen.
const mostMet = 96

// mostMade is how many are made until one has what a call is to remove.
const mostMade = 8

// due is an instance for the next step that a pattern lets states make. A life makes every step once, so that all come
// up as often as rates say, however rare the states in which they begin: an instance is made where none is left in one.
// What is removed is there, and what few have is set where it is not. A list gets an element where it has room for one.
// nil: the pattern moves no states, or may write
// the one that is there again, and does neither of these.
func (s *session) due(p *spec.Pattern) *Instance {
	for _, a := range p.Actions {
		if a.Verb != spec.Update {
			continue
		}
		if all := s.cast.byRank[a.Entity]; (len(a.Remove) > 0 || needsRoom(a)) && len(all) > 0 && !movesStates(p, a) {
			is := func(in *Instance) bool { return !in.Gone && !s.oracle.expired(in) && sensible(a, in) }
			in := s.call.nearest(search{action: a}, all, s.cast.pick(len(all), skewOver(p, a.Entity), p), true, is)
			for n := 0; n < mostMade && (in == nil || !is(in)); n++ {
				in = s.makeOne(p)
			}
			return in
		}
		for _, set := range a.Set {
			at := a.Entity.Attribute(set.Path[0])
			if at == nil || at.States == nil || len(set.Path) > 1 {
				continue
			}
			if again(a) {
				return nil
			}
			begin, all := workload.Origins(s.req, a, at, set.Value.Literal.Str()), s.cast.byRank[a.Entity]
			if len(begin) == 0 || len(all) == 0 {
				return nil
			}
			from, u := begin[len(begin)-1].Value, s.src.even(p, "step")
			for _, x := range begin {
				if u -= x.Of; u < 0 {
					from = x.Value
					break
				}
			}
			is := func(in *Instance) bool {
				return !in.Gone && !s.oracle.expired(in) && in.Item.Get(at.Name).Str() == from && sensible(a, in)
			}
			in := s.call.nearest(search{action: a}, all, s.cast.pick(len(all), skewOver(p, a.Entity), p), true, is)
			if is(in) {
				return in
			}
			made := s.makeOne(p)
			for made != nil && !is(made) && s.approach(made, at, from, false) {
			}
			if made != nil && !is(made) { // no call of its own leads there
				if in := s.meet(p, a, &spec.Test{Path: set.Path, Op: "=", Args: []spec.Expr{{Literal: attr.Text(from)}}}); in != nil {
					return in
				}
			}
			return made
		}
		if in := s.demanded(p, a); in != nil {
			return in
		}
	}
	return nil
}

// demanded is an instance in one of the states, or with one of the values of an enum, among which the condition of an
// action takes several: each comes up as often as it is stored, however many have been moved on meanwhile. nil: it does
// not.
func (s *session) demanded(p *spec.Pattern, a *spec.Action) *Instance {
	demands, all := workload.Demands(p, a.Entity), s.cast.byRank[a.Entity]
	if workload.ActionOf(p, a.Entity) != a || len(demands) < 2 || len(all) == 0 {
		return nil
	}
	d, u := demands[0], s.src.even(p, "demand")
	for _, d = range demands {
		if u -= d.Share; u < 0 {
			break
		}
	}
	is := func(in *Instance) bool {
		if in.Gone || s.oracle.expired(in) || !s.call.suits(a, in) || !s.call.joins(p, a, in) {
			return false
		}
		for name, value := range d.Is {
			at := a.Entity.Attribute(name)
			if len(at.Shares) > 0 && value != workload.Gone && value != workload.There && !attr.Equal(in.Item.Get(name), at.Constant(value)) {
				return false
			}
		}
		return true
	}
	if in := s.call.nearest(search{action: a, joint: true}, all, s.cast.pick(len(all), skewOver(p, a.Entity), p), false, is); is(in) {
		return in
	}
	var tests []spec.Condition
	for _, name := range slices.Sorted(maps.Keys(d.Is)) {
		at := a.Entity.Attribute(name)
		if value := d.Is[name]; len(at.Shares) > 0 && value != workload.Gone && value != workload.There {
			tests = append(tests, &spec.Test{Path: spec.Path{name}, Op: "=", Args: []spec.Expr{{Literal: at.Constant(value)}}})
		}
	}
	return s.meet(p, a, tests...)
}

// readsFirst sorts patterns such that none spoils for another what estimates speak of: reads, then what changes, then
// what deletes or ends, then what creates.
//
// lives says which creations make what is in its first state, where what is stored is in all: these come last of all.
func readsFirst(patterns []*spec.Pattern, lives func(*spec.Pattern) bool) []*spec.Pattern {
	rank := func(p *spec.Pattern) int {
		worst := 0
		if p.Writes() && lives(p) {
			return 4
		}
		for _, a := range p.Actions {
			switch {
			case a.Verb == spec.Delete, slices.ContainsFunc(a.Set, func(s spec.Assign) bool { return ends(a.Entity, s) }):
				worst = max(worst, 2)
			case a.Verb == spec.Update, a.Verb == spec.Replace:
				worst = max(worst, 1)
			default:
				worst = max(worst, 3)
			}
		}
		return worst
	}
	out := slices.Clone(patterns)
	slices.SortStableFunc(out, func(a, b *spec.Pattern) int { return rank(a) - rank(b) })
	return out
}

// ends reports whether an assignment lets an entity expire.
func ends(e *spec.Entity, s spec.Assign) bool {
	return e.Expires != nil && len(s.Path) == 1 && s.Path[0] == e.Expires.Name && s.Value.Now
}

// alive are how many instances of what a pattern changes are there, have not expired, and can sensibly be changed.
func (s *session) alive(p *spec.Pattern) int {
	fewest := math.MaxInt
	for _, a := range p.Actions {
		if a.Verb != spec.Delete && a.Verb != spec.Update {
			continue
		}
		n := 0
		for _, in := range s.oracle.stores[a.Entity].made {
			if !in.Gone && !s.oracle.expired(in) && (a.Verb == spec.Delete || !slices.ContainsFunc(a.Set, func(set spec.Assign) bool { return constant(a.Entity, set) }) || sensible(a, in)) {
				n++
			}
		}
		fewest = min(fewest, n)
	}
	return fewest
}

// drifts reports whether many calls of a pattern alone would change what is stored in kind: fewer are left, more have
// reached their last state, all have what few should. Estimates speak of stored shares, so that such calls must stay
// few.
func drifts(p *spec.Pattern) bool {
	return slices.ContainsFunc(p.Actions, func(a *spec.Action) bool {
		return a.Verb == spec.Delete || len(a.Remove) > 0 || slices.ContainsFunc(a.Set, func(s spec.Assign) bool {
			at := a.Entity.Attribute(s.Path[0])
			return at != nil && (at.States != nil || constant(a.Entity, s) || at.Optional || a.Entity.Expires == at)
		})
	})
}

// grows reports whether calls of a pattern make what is stored larger than is stated: each adds to a parent, and those
// that have most get most.
func grows(p *spec.Pattern) bool {
	return slices.ContainsFunc(p.Actions, func(a *spec.Action) bool {
		return a.Verb == spec.Create && slices.ContainsFunc(a.Entity.There, func(r *spec.Relationship) bool { return r.Identifying })
	})
}

// page reads one page of an answer, each of its pages being as likely, and says what that page consumed, and how many
// entities there are over all pages.
func (s *session) page(p *spec.Pattern, args attr.Item) (used *tablewright.Usage, n int, err error) {
	at := 0
	if p.Page > 0 {
		n = len(s.oracle.passing(p, p.Where, args, false))
		at = s.src.evenIndex(max((n+p.Page-1)/p.Page, 1), p, "page")
	}
	var cursor tablewright.Cursor
	for i := 0; ; i++ {
		use := &tablewright.Usage{}
		res, err := s.run(p, args, cursor, nil, use)
		if p.Page == 0 {
			n = len(res.Items)
		}
		if err != nil || i == at || res.Cursor == "" {
			return use, n, err
		}
		cursor = res.Cursor
	}
}

// conclude compares consumed capacity with the estimate and gives the verdicts.
func (s *session) conclude(heat map[string]HeatVerdict) {
	s.evidence.Proven = true
	s.renew()
	for _, p := range s.req.Patterns {
		t := s.tallies[p]
		if !slices.Contains(s.asked, p) && t.result.Failure == nil {
			continue // it has only made data
		}
		s.evidence.Patterns = append(s.evidence.Patterns, t.result)
		r := t.result
		r.Measured, r.Consumed, r.Requests = t.calls, t.perCall(), s.counted.by[p.Name]
		v := &r.Verdicts
		if r.Failure == nil && (p.Writes() && t.calls == 0 || !p.Writes() && t.answered == 0) { // what never happened has never gone wrong
			r.Failure = &Counterexample{Cause: s.unshown(p, t), Aim: "typical"}
			if p.Writes() {
				r.Failure.Got = r.Refused
			}
		}
		v.Answers.Right = r.Failure == nil
		if r.Failure != nil {
			v.Answers.Cause = r.Failure.Cause
		}
		if v.Units = t.units(!p.Writes()); !v.Units.Within {
			v.Units.Cause = fmt.Sprintf("a call consumes %.3f units where %.3f were estimated, more than 10 %% apart", t.mean(), t.estimated)
			if why := s.explain(p, t); why != "" {
				v.Units.Cause += ": " + why
			}
			if r.Failure == nil {
				cause := v.Units.Cause
				if r.Calls > 0 { // a wrong answer would be the failure
					cause = fmt.Sprintf("all %s answers were right; but %s", show.Number(float64(r.Calls)), cause)
				}
				r.Failure = &Counterexample{Cause: cause, Aim: "typical", Expected: r.Estimated, Got: r.Consumed}
			}
		}
		if far(t.byLaw, t.estimated) && t.calls > 0 {
			v.Units.Stated, v.Units.Remark = rounded(t.byLaw), s.remark(p, t)
		}
		if v.Heat = heat[p.Name]; v.Heat.Where == "" {
			v.Heat.Fits = true
		}
		r.Proven = v.Answers.Right && v.Units.Within
		s.evidence.Proven = s.evidence.Proven && r.Proven
	}
}
