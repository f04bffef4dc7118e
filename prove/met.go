package prove

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// encounters says how many entities calls of read patterns meet in the data as it was made, by their equalities and some
// of their tests. It looks at the oracle's data and at arguments as calls will have them, never at a model: what the model
// is estimated to consume for such calls stands before any of them is made.
type encounters struct {
	s      *session
	caller *caller // draws of its own: those of the proof stay what they are
	drawn  map[*spec.Pattern][]attr.Item
	of     map[string][]cost.Met
}

const (
	mostDrawn  = 2_048
	leastDrawn = 64
	lookedAt   = 500_000 // entities, for one pattern
	nearEnough = 0.04    // between the stated law and what is met: the law stands
)

func newEncounters(s *session) *encounters {
	src := newSource(s.o.Seed, s.o.Clock.Now())
	c := *s.cast
	c.src = src
	return &encounters{s: s, caller: newCaller(s.oracle, &c, src), drawn: map[*spec.Pattern][]attr.Item{}, of: map[string][]cost.Met{}}
}

// met is how many entities calls of a pattern meet that pass its equalities and a condition.
func (x *encounters) met(p *spec.Pattern, where spec.Condition, key string) []cost.Met {
	key = p.Name + ": " + key
	if met, ok := x.of[key]; ok {
		return met
	}
	o := x.s.oracle
	args, ok := x.drawn[p]
	if !ok {
		begun := o.looked
		for n := 0; n < mostDrawn && x.s.ctx.Err() == nil; n++ {
			if n%strata == 0 && n >= leastDrawn && o.looked-begun > lookedAt {
				break // each looks at many
			}
			args = append(args, x.caller.read(p, Typical, nil))
			o.matching(p, p.Where, args[n])
		}
		x.drawn[p] = args
	}
	counts := map[int]int{}
	for _, a := range args {
		if x.s.ctx.Err() != nil {
			break
		}
		counts[o.matching(p, where, a)]++
	}
	var met []cost.Met
	for items, n := range counts {
		met = append(met, cost.Met{Items: float64(items), Of: float64(n) / float64(len(args))})
	}
	slices.SortFunc(met, func(a, b cost.Met) int { return int(a.Items - b.Items) })
	x.of[key] = met
	return met
}

// matching is how many entities pass a pattern's equalities and a condition. What has expired and has not been deleted is
// read like all else (ttl-expired-items).
func (o *Oracle) matching(p *spec.Pattern, where spec.Condition, args attr.Item) int {
	return len(o.passing(p, where, args, true))
}

func meanMet(met []cost.Met) float64 {
	sum := 0.0
	for _, m := range met {
		sum += float64(m.Items * m.Of)
	}
	return sum
}

// estimate computes what calls will consume on the data as it was made. Where a stated law of results and the data that
// other statements ask for cannot both be met, the data has the last word, and a cut says so.
func (s *session) estimate() {
	fig := s.pop.Figures()
	fig.Results = maps.Clone(fig.Results) // calls are still drawn by the law
	x := newEncounters(s)
	differs := map[*spec.Pattern]bool{}
	for _, p := range s.asked {
		owner, hops := named(p)
		skewed := slices.ContainsFunc(hops, func(h hop) bool { return !h.rel.PerParent.Skew.Uniform() }) // no power law then
		if p.Writes() || p.Where == nil && plainGiven(p) == nil && len(p.Given) < 2 && !skewed && !p.Skew.BySize {
			continue
		}
		met := meanMet(x.met(p, p.Where, "all"))
		law := s.lawOf(p)
		if !skewed && (plainGiven(p) == nil || len(p.Given) == 1 && owner == nil) && math.Abs(met-law) <= nearEnough*law {
			continue
		}
		differs[p] = true
		if p.Skew.BySize && law > 0 { // the law is weighted by itself
			of := fig.Results[p]
			fig.Results[p] = spec.Size{Average: of.Average * met / law, Max: of.Max * met / law}
			continue
		}
		fig.Results[p] = spec.Size{Average: met, Max: math.Max(met, fig.Results[p].Max)}
		if stated := p.Results.Average; met < stated*(1-nearEnough) {
			s.pop.Cuts = append(s.pop.Cuts, Cut{What: "results of " + p.Name + " on average", Stated: rounded(stated), Used: rounded(met), Because: s.fewer(p)})
		}
	}
	s.evidence.Cuts = s.pop.Cuts
	fig.Met = func(p *spec.Pattern, tests []*spec.Test) []cost.Met {
		all := slices.Collect(spec.Tests(p.Where))
		switch {
		case len(tests) == len(all):
			if differs[p] {
				return x.met(p, p.Where, "all")
			}
			return nil
		case len(tests) == 0:
			return nil
		}
		if l, ok := p.Where.(*spec.Logic); !ok || l.Op != "and" || len(l.Args) != len(all) {
			return nil // one test alone says nothing
		}
		key, args := []string{}, []spec.Condition{}
		for _, t := range tests {
			key, args = append(key, t.String()), append(args, t)
		}
		return x.met(p, &spec.Logic{Op: "and", Args: args}, strings.Join(key, " and "))
	}
	estimates := cost.Estimate(s.compiled, fig)
	for p, t := range s.tallies {
		for arm, units := range estimates[p.Name] {
			t.result.Estimated[arm] = rounded(units)
		}
		t.estimated = sum(estimates[p.Name])
		if t.expected = fig.Results[p].Average; p.Top > 0 {
			t.expected = math.Min(t.expected, float64(p.Top))
		}
	}
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
