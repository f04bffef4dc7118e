package cost

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// Worst is what the reading steps take in a call of an unlucky caller: about the value with the most items, through
// filters that reject all of them.
type Worst struct {
	Units    float64       // read units
	Requests float64       // one after the other; those to different shards go out together
	Time     time.Duration // at 10 ms a request, as for transactions
	Items    float64       // that the largest of its queries evaluates
	Open     bool          // nothing stated ends that query before: it stops when enough pass its filter, or its range has no stated size
	Place    string        // Table or Table.Index of that query
}

// Assumption is a number that nobody states and that decides what a read costs: how much lies in a range of keys.
type Assumption struct {
	Place         string
	Of            string   // the entity
	Tests         []string // of a filter behind the range that are taken to leave half of it each; none: patterns that ask for more find so many
	Taken, Within float64  // items in the range, of so many under its equalities
}

const (
	perRequest = 10 * time.Millisecond
	unlucky    = 10 // times as many units as on average, and requests: worth knowing
)

// worst adds up what the stages of a plan read at worst.
func (f *figures) worst(proc *plan.Procedure) (w Worst) {
	if f.brings == nil {
		f.brings = map[*plan.Stage]float64{}
	}
	for _, s := range proc.Stages {
		f.worstOf(proc.Pattern, s, &w)
	}
	w.Time = time.Duration(w.Requests) * perRequest
	clear(f.brings)
	return w
}

func (f *figures) worstOf(p *spec.Pattern, s *plan.Stage, w *Worst) {
	factor := 0.5
	if s.Consistent {
		factor = 1
	}
	blocks := func(bytes float64) float64 {
		return math.Max(math.Ceil(bytes/float64(capacity.ReadBlock)), 1)
	}
	times := f.timesAtMost(p, s)
	switch s.Verb {
	case plan.Get, plan.BatchGet:
		n := times * math.Max(float64(s.Scatter), 1)
		w.Units += float64(n * blocks(f.size(s.Kind, nil, workload.Even(f.Members(s.Kind.Entity))).most()) * factor)
		w.Requests++
		f.brings[s] = times
		if s.Verb == plan.BatchGet {
			w.Requests += math.Max(math.Ceil(n/100), 1) - 1
		}
	case plan.TransactGet:
		for _, a := range s.Actions {
			w.Units += 4 * factor * blocks(f.size(a.Kind, nil, workload.Even(f.Members(a.Kind.Entity))).most())
		}
		w.Requests++
	case plan.Query, plan.Scan:
		items, bytes, open := f.rangeAtMost(p, s, times)
		requests := math.Max(math.Ceil(bytes/float64(capacity.PageBytes)), 1)
		shards := math.Max(float64(s.Scatter), 1)
		if s.Evaluate > 0 {
			requests = math.Max(requests, math.Max(math.Ceil(items/shards/float64(s.Evaluate)), 1))
		}
		w.Units += float64(times * shards * requests * blocks(bytes/shards/requests) * factor)
		w.Requests += times * requests
		if items > w.Items {
			w.Items, w.Open, w.Place = items, open, s.Access.Name()
		}
		f.brings[s] = float64(times * items)
		if n := float64(s.Wanted()); n > 0 {
			f.brings[s] = math.Min(f.brings[s], n)
		}
	}
}

// timesAtMost is how often a stage runs in one call at most.
func (f *figures) timesAtMost(p *spec.Pattern, s *plan.Stage) float64 {
	if len(s.Each) == 0 {
		return 1
	}
	if before := earlier(s, s.Each[0]); before != nil {
		n := f.brings[before]
		if _, ok := s.Narrows(); ok {
			n = math.Min(n, float64(s.Procedure.Leaves()))
		}
		return math.Max(n, 1)
	}
	if q := p.Parameter(s.Each[0]); q != nil && q.List {
		n := q.Length.Max
		if q.Like != nil && q.Like.Length.Max > 0 {
			n = q.Like.Length.Max
		}
		return math.Max(math.Max(n, f.Elements(p, s.Each)), 1)
	}
	return 1
}

// rangeAtMost is how many items each of some runs of a query or scan evaluates for the value with most of them. open:
// no statement says so, for only what it finds ends it, or what lies in its range is guessed.
func (f *figures) rangeAtMost(p *spec.Pattern, s *plan.Stage, times float64) (items, bytes float64, open bool) {
	for i, k := range s.Kinds {
		size := f.size(k, s.Access, workload.Even(f.Members(k.Entity)))
		n := f.stored(k) * f.entries(k, s.Access)
		if s.Verb == plan.Query {
			m := f.matches(p, s, k)
			if m.guesses != nil {
				m, open = f.collected(p, s, k), true
			}
			kept := f.kept(p, s, m)
			m = f.inItems(s, k, m)
			if n = f.most(m); m.counts != nil {
				n = m.counts.Max()
			}
			if m.total > 0 { // the runs with most of them do not come together
				n = math.Min(n, m.total/times)
			}
			if i == 0 && s.Wanted() > 0 {
				if kept < 1 {
					open = true
				} else { // nothing is rejected: it ends where enough have been found
					n = math.Min(n, math.Max(float64(s.Wanted()), float64(s.Evaluate)))
				}
			}
		} else if s.Wanted() > 0 && s.Document.Filter == "" {
			n = math.Min(n, math.Max(float64(s.Wanted()), float64(s.Evaluate)))
		}
		items += n
		if n <= 1 {
			bytes += float64(n * size.most())
		} else {
			bytes += float64(n * size.mean())
		}
	}
	return items, bytes, open
}

// assumptions are what the queries of a plan are priced by without that anybody states it.
func (f *figures) assumptions(proc *plan.Procedure) (out []Assumption) {
	for _, s := range proc.Stages {
		if s.Verb != plan.Query || len(s.Kinds) != 1 {
			continue
		}
		m := f.matches(proc.Pattern, s, s.Kinds[0])
		if len(m.guesses) == 0 && !m.atLeast {
			continue
		}
		a := Assumption{Place: s.Access.Name(), Of: s.Kinds[0].Entity.Name, Taken: m.average(), Within: m.all}
		if m.atLeast {
			a.Within = f.Count(s.Kinds[0].Entity)
		}
		for _, t := range m.guesses {
			if text := t.String(); !slices.Contains(a.Tests, text) {
				a.Tests = append(a.Tests, text)
			}
		}
		out = append(out, a)
	}
	return out
}

// unlucky are findings about reads that cost an unlucky caller far more than others, and about such as are priced by an
// assumption.
func (p *Pattern) unlucky() (out []Finding) {
	for _, a := range p.Assumed {
		if len(a.Tests) == 0 {
			out = append(out, Finding{"assumed", p.Name, fmt.Sprintf("how many %s have the same key where %s reads %s is not stated: it is priced for %s, as many as others find that ask for more than that key",
				a.Of, p.Name, a.Place, show.Number(a.Taken)), false})
			continue
		}
		out = append(out, Finding{"assumed", p.Name, fmt.Sprintf("how many %s lie in the range that %s reads from %s is not stated: it is priced for %s of %s, as if %s left half of them",
			a.Of, p.Name, a.Place, show.Number(a.Taken), show.Number(a.Within), strings.Join(a.Tests, " and ")), false})
	}
	read, _ := p.Units()
	if w := p.Worst; p.Cut > 0 && w.Requests > 1 && (w.Requests >= unlucky || w.Units >= unlucky*read) {
		out = append(out, Finding{"client-pages", p.Name, fmt.Sprintf("no key has the order of %s: each of its pages of %d is cut out of all that matches, which takes %s units, at worst %s units in %s requests",
			p.Name, p.Cut, show.Number(read), show.Number(w.Units), show.Number(w.Requests)), false})
	}
	if w := p.Worst; w.Open && w.Requests >= unlucky && w.Units >= unlucky*read {
		out = append(out, Finding{"worst-case", p.Name, fmt.Sprintf("a call of %s whose filter rejects all reads %s items of %s in %s requests, one after the other: %s units instead of %s, for about %s",
			p.Name, show.Number(math.Round(w.Items)), w.Place, show.Number(w.Requests), show.Number(w.Units), show.Number(read), w.Time), false})
	}
	return out
}
