package prove

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// encounters follows calls of read patterns through the data as it was made: what the model is estimated to consume for
// such calls stands before any of them is made.
type encounters struct {
	s       *session
	caller  *caller // draws of its own: those of the proof stay what they are
	walks   map[*spec.Pattern]*walk
	matches map[*spec.Pattern]float64 // that an average call has
	written map[*spec.Pattern][]*Instance
	items   *walk // knows what items hold
}

const (
	mostDrawn   = 2_048
	leastDrawn  = 64
	lookedAt    = 500_000 // entities, for one pattern
	lookedInAll = 20_000_000
	// So many entities that a query only passes, without a look at what they hold, are as much work as one that is
	// looked at.
	passedPerLook = 8
	nearEnough    = 0.04 // between the stated law and what is met: the law stands
)

func newEncounters(s *session) *encounters {
	src := newSource(s.o.Seed, s.o.Clock.Now())
	c := *s.cast
	c.src = src
	return &encounters{s: s, caller: newCaller(s.oracle, &c, src), walks: map[*spec.Pattern]*walk{}, matches: map[*spec.Pattern]float64{}, written: map[*spec.Pattern][]*Instance{}, items: newWalk(s.oracle, &plan.Procedure{}, src)}
}

// walk follows calls of a pattern through the steps of its plan: such calls as are measured.
func (x *encounters) walk(p *spec.Pattern) {
	x.caller.measuring = true
	defer func() { x.caller.measuring = false }()
	o := x.s.oracle
	w := newWalk(o, x.s.compiled.Procedure(p.Name), x.caller.src)
	begun, found, most := o.looked, 0, min(lookedAt, lookedInAll/max(len(x.s.asked), 1))
	for n := 0; n < mostDrawn && x.s.ctx.Err() == nil; n++ {
		if n%strata == 0 && n >= leastDrawn && o.looked-begun+w.passed/passedPerLook > most {
			break // each looks at many
		}
		args := x.caller.read(p, Typical, nil)
		found += len(o.passing(p, p.Where, args, true))
		w.call(args)
	}
	x.walks[p], x.matches[p] = w, float64(found)/float64(max(w.calls, 1))
}

// met is what steps of the patterns' plans meet.
func (x *encounters) met(s *plan.Stage) ([]cost.Run, bool) {
	if w := x.walks[s.Procedure.Pattern]; w != nil {
		return w.met(s)
	}
	return nil, false
}

// leastWritten and mostWritten are how many calls of a write say what they are about.
const (
	leastWritten = 48
	mostWritten  = 256
)

// aim follows calls of a write pattern to what they change or need: calls that are refused change nothing. What the
// data was made with was about what the laws say.
func (x *encounters) aim(p *spec.Pattern) {
	o := x.s.oracle
	if x.s.tallies[p].calls > 0 {
		return
	}
	x.caller.measuring = true
	defer func() { x.caller.measuring = false }()
	done := 0
	var about []*Instance
	for n := 0; n < mostWritten && x.s.ctx.Err() == nil && (n < leastWritten || done > n/4); n++ {
		args := x.caller.write(p, Regular, -1, nil)
		if o.Check(p, args).Refused() {
			continue
		}
		done++
		about = append(about, o.about(p, args)...)
	}
	if done >= leastWritten/2 {
		x.written[p] = about
	}
}

// about are the instances that a call changes, deletes or requires. An only child that would go with its parent and
// is not there is one without values.
func (o *Oracle) about(p *spec.Pattern, args attr.Item) (out []*Instance) {
	args = o.readFirst(p, args)
	for _, a := range p.Actions {
		for _, each := range o.elements(a, args) {
			if a.Verb == spec.Update || a.Verb == spec.Delete {
				if in := o.key(a, args, each); in != nil {
					out = append(out, in)
					out = append(out, o.onlyChildren(a, in)...)
				}
			}
			if q := actionValue(a, args, each); len(a.Requires) > 0 && q.Len() > 0 {
				for _, way := range a.Requires {
					if in := o.parent(&Instance{Entity: a.Entity, Item: q}, way); in != nil {
						out = append(out, in)
					}
				}
			}
		}
	}
	return out
}

// onlyChildren are those that an action deletes with their parent, one for each relationship that allows no more.
func (o *Oracle) onlyChildren(a *spec.Action, parent *Instance) (out []*Instance) {
	if a.Verb != spec.Delete {
		return nil
	}
	for _, with := range a.With {
		way := a.Entity.WayBack(with)
		if way == nil || !way.Single() {
			continue
		}
		child := &Instance{Entity: way.From}
		if all := o.children(parent, way); len(all) > 0 {
			child = all[0]
		}
		out = append(out, child)
	}
	return out
}

// actionValue is the value that an action writes whole.
func actionValue(a *spec.Action, args, each attr.Item) attr.Item {
	if a.Verb == spec.Update || a.Verb == spec.Delete {
		return attr.Item{}
	}
	if len(a.Value) == 0 || a.Value[0] == "each" {
		return each
	}
	v := args.Get(a.Value[0])
	for _, name := range a.Value[1:] {
		v = v.Map().Get(name)
	}
	return v.Map()
}

// changed is what the items of a kind hold that calls of a pattern change.
func (x *encounters) changed(p *spec.Pattern, k *plan.Kind) (out []float64) {
	if k.Role != plan.EntityItem {
		return nil
	}
	for _, in := range x.written[p] {
		if in.Entity == k.Entity {
			out = append(out, x.items.holds(k, nil, in))
		}
	}
	return out
}

// estimate computes what calls will consume on the data as it was made. Where a stated law and the data that other
// statements ask for cannot both be met, the data has the last word, and a cut or a remark says so.
func (s *session) estimate() {
	fig := s.pop.Figures()
	stated := cost.Estimate(s.compiled, fig)
	fig.Results = maps.Clone(fig.Results) // calls are still drawn by the law
	s.counts(&fig)
	x := newEncounters(s)
	for _, p := range s.asked {
		if s.compiled.Procedure(p.Name) == nil {
			continue
		}
		if p.Writes() {
			x.aim(p)
			continue
		}
		x.walk(p)
		met, law := x.matches[p], s.lawOf(p)
		if math.Abs(met-law) <= nearEnough*law {
			continue
		}
		if p.Skew.BySize && law > 0 { // the law is weighted by itself
			of := fig.Results[p]
			fig.Results[p] = spec.Size{Average: of.Average * met / law, Max: of.Max * met / law}
			continue
		}
		fig.Results[p] = spec.Size{Average: met, Max: math.Max(met, fig.Results[p].Max)}
		if stated := p.Results.Average; met < stated*(1-nearEnough) && (p.Where != nil || plainGiven(p) != nil || len(p.Given) > 1) {
			s.pop.Cuts = append(s.pop.Cuts, Cut{What: "results of " + p.Name + " on average", Stated: rounded(stated), Used: rounded(met), Because: s.fewer(p)})
		}
	}
	s.evidence.Cuts = s.pop.Cuts
	fig.Bytes = s.bytes()
	s.renewed = s.renews(x.caller)
	fig.Renews = s.renewed
	s.figures, s.seen = fig, cost.Seen{Met: x.met, Written: x.changed}
	estimates := cost.EstimateMet(s.compiled, fig, s.seen)
	blur := x.blur(fig, s.seen)
	for p, t := range s.tallies {
		for arm, units := range estimates[p.Name] {
			t.result.Estimated[arm] = rounded(units)
		}
		t.estimated, t.byLaw, t.blur = sum(estimates[p.Name]), sum(stated[p.Name]), blur[p.Name]
		if t.expected = fig.Results[p].Average; p.Top > 0 {
			t.expected = math.Min(t.expected, float64(p.Top))
		}
	}
}

// blur is how far the estimate of each pattern may lie from what calls consume on average, for it rests on some calls
// only: few have many matches, and one such more or less among those that were followed makes a difference. It has a
// confidence of 95 %.
func (x *encounters) blur(fig cost.Figures, seen cost.Seen) map[string]float64 {
	of := map[string][]float64{}
	for i := range walkParts {
		for _, w := range x.walks {
			w.part = i
		}
		estimates := cost.EstimateMet(x.s.compiled, fig, seen)
		for p, w := range x.walks {
			if w.in[i] > 0 {
				of[p.Name] = append(of[p.Name], sum(estimates[p.Name]))
			}
		}
	}
	for _, w := range x.walks {
		w.part = -1
	}
	out := map[string]float64{}
	for name, all := range of {
		total, squares, n := 0.0, 0.0, float64(len(all))
		for _, units := range all {
			total += units
			squares += float64(units * units)
		}
		if len(all) > 2 {
			out[name] = quantile(len(all)-1) * math.Sqrt(math.Max(squares-float64(total*total)/n, 0)/(n-1)/n)
		}
	}
	return out
}

// counts puts what there is in the place of what was planned, where some could not be made: of pairs, say, that are
// used up.
func (s *session) counts(fig *cost.Figures) {
	fig.Count, fig.Children = maps.Clone(fig.Count), maps.Clone(fig.Children)
	for _, e := range s.req.Entities {
		n, planned := float64(len(s.oracle.Instances(e))), fig.Count[e]
		if planned == 0 || n == 0 || math.Abs(n-planned) <= nearEnough*planned {
			continue
		}
		fig.Count[e] = n
		made := creationOf(s.req, e)
		for _, way := range e.There {
			if made != nil && made.way == way {
				continue // calls make as many inside their parent's value as ever
			}
			if c, ok := fig.Children[way]; ok {
				c.Average *= n / planned
				fig.Children[way] = c
			}
		}
	}
}

// fewestSized stored values say how large those of calls to come are; fewer do not, and the law stands.
const fewestSized = 8

// bytes are the sizes of attributes as they are stored. What calls add elements to is left out: those that a call makes
// have not grown.
func (s *session) bytes() map[*spec.Attribute]spec.Size {
	out := map[*spec.Attribute]spec.Size{}
	grows := map[*spec.Attribute]bool{}
	for _, p := range s.req.Patterns {
		for _, a := range p.Actions {
			for _, set := range a.Set {
				if adds(set) {
					grows[a.Entity.Attribute(set.Path[0])] = true
				}
			}
		}
	}
	for _, e := range s.req.Entities {
		all := s.oracle.Instances(e)
		for _, a := range e.Attributes {
			if grows[a] {
				continue
			}
			n, sum, most := 0, 0, 0
			for _, in := range all {
				if v := in.Item.Get(a.Name); !v.IsZero() {
					n, sum, most = n+1, sum+v.Size(), max(most, v.Size())
				}
			}
			if n >= fewestSized {
				out[a] = spec.Size{Average: float64(sum) / float64(n), Max: float64(most)}
			}
		}
	}
	return out
}

// renews is the share of the calls of each upsert that find what they write there.
func (s *session) renews(k *caller) map[*spec.Pattern]float64 {
	const calls = 512
	out := map[*spec.Pattern]float64{}
	for _, p := range s.asked {
		for _, a := range p.Actions {
			if a.Verb != spec.Upsert {
				continue
			}
			there := 0
			for range calls {
				v := k.write(p, Regular, -1, nil).Get(valueParameter(p, a))
				if v.Kind() == attr.KindM && s.oracle.Find(a.Entity, v.Map()) != nil {
					there++
				}
			}
			out[p] = float64(there) / calls
		}
	}
	return out
}

// lawOf is how many a call is expected to match by the law of results, with the stated skew of calls.
func (s *session) lawOf(p *spec.Pattern) float64 {
	law := s.pop.Results[p]
	owner, _ := named(p)
	if owner == nil && !p.Skew.BySize || p.Skew.Uniform() || law.Max <= law.Average {
		return law.Average
	}
	n := int64(math.Max(float64(s.pop.Count[p.Read])/math.Max(law.Average, 1), 1)) // as many values as make that many each
	if owner != nil {
		n = int64(max(s.pop.Count[owner], 1))
	}
	found := dist.Power(n, law.Average, law.Max)
	calls := workload.CallLaw(n, p.Skew)
	if p.Skew.BySize {
		calls = found
	}
	return found.Weighted(calls).Mean()
}

// fewer says why calls of a pattern match fewer than is stated.
func (s *session) fewer(p *spec.Pattern) string {
	n := s.pop.Count[p.Read]
	switch owner, _ := named(p); {
	case plainGiven(p) != nil && len(p.Given) == 1:
		return fmt.Sprintf("among %d %s as many have one %s as can: pages and what is left out show all the same", n, p.Read.Name, p.Given[0][0])
	case plainGiven(p) != nil:
		return fmt.Sprintf("among %d %s values have as many as pages show; a call states each value of its enums and states as often", n, p.Read.Name)
	case owner != nil:
		return fmt.Sprintf("as many as a %s has here at most: those with few have fewer than the law of results asks for, and the estimate counts what there is", lower(owner.Name))
	}
	return fmt.Sprintf("there are %d %s in all, and what a call asks for is a share of these", n, p.Read.Name)
}

// sum adds units up in an order of their own: float sums must not depend on a map's.
func sum(units map[string]float64) float64 {
	total := 0.0
	for _, arm := range slices.Sorted(maps.Keys(units)) {
		total += units[arm]
	}
	return total
}
