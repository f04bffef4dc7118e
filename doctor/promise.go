package doctor

import (
	"math"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// promise is what a plan was priced with; NaN is not known.
type promise struct {
	average, peak float64
	items, bytes  float64
	read, write   map[string]float64
}

// promise is what the plan states, and what it does not state as package cost computes it.
func (c *comparer) promise(proc *plan.Procedure, priced *cost.Pattern) promise {
	stated := &proc.Document.Promise
	p := promise{average: priced.Rate.Average, peak: priced.Rate.Peak, items: math.NaN(), bytes: math.NaN(), read: priced.Read, write: priced.Write}
	if stated.AverageRate > 0 || stated.PeakRate > 0 {
		p.average, p.peak = stated.AverageRate, stated.PeakRate
	}
	if stated.Items > 0 || stated.Bytes > 0 {
		p.items, p.bytes = stated.Items, stated.Bytes
	} else if from := readFrom(proc); from != nil {
		n := answered(proc)
		p.items, p.bytes = n*float64(len(from)), 0
		for _, f := range from {
			of := c.item(f.kind, f.access)
			if of == nil {
				p.bytes = math.NaN()
				break
			}
			p.bytes += n * of.Bytes
		}
	}
	if len(stated.Read) > 0 || len(stated.Write) > 0 {
		p.read, p.write = stated.Read, stated.Write
	}
	return p
}

// source is a kind of item that a request reads, and where.
type source struct {
	kind   *plan.Kind
	access *plan.Access
}

// readFrom is what the requests of a pattern read, if that is the items that it answers, once for each request: those
// of its only request, or of a query of an index and the batch that gets what the entries are of. nil if it does
// anything else, or leaves out some of what it reads.
func readFrom(proc *plan.Procedure) []source {
	p := proc.Pattern
	if len(proc.Stages) == 0 || proc.Document.Answer.Keep != "" || len(p.With) > 0 || len(p.Aggregates) > 0 || len(p.Optional) > 0 {
		return nil
	}
	first := proc.Stages[0]
	if first.Document.Filter != "" || first.Each != nil || first.Scatter != 0 {
		return nil
	}
	one := len(proc.Stages) == 1
	switch {
	case one && first.Verb == plan.Get:
		return []source{{first.Kind, first.Kind.Table.Base}}
	case first.Verb != plan.Query || len(first.Kinds) != 1 || first.Kinds[0].Entity != p.Read || len(first.Document.Project) > 0:
		return nil
	case one:
		return []source{{first.Kinds[0], first.Access}}
	}
	if last := proc.Stages[1]; len(proc.Stages) == 2 && last.Verb == plan.BatchGet && last.Each != nil && last.Kind == first.Kinds[0] && len(last.Document.Project) == 0 {
		return []source{{first.Kinds[0], first.Access}, {last.Kind, last.Kind.Table.Base}}
	}
	return nil
}

// kindRead is the kind of item that a pattern reads, as Table/Item; "" if it reads several, or does anything else.
func kindRead(proc *plan.Procedure) string {
	if from := readFrom(proc); from != nil {
		return from[0].kind.Table.Name + "/" + from[0].kind.Name
	}
	return ""
}

// kindPut is the kind of item that a pattern's plan puts, as Table/Item; "" if it puts several, or none.
func kindPut(proc *plan.Procedure) (name string) {
	var all []*plan.Stage
	for _, s := range proc.Stages {
		all = append(append(all, s), s.Actions...)
	}
	for _, s := range all {
		if s.Verb != plan.Put || s.Embed != nil || s.Kind.Pack != nil {
			continue
		}
		put := s.Kind.Table.Name + "/" + s.Kind.Name
		if name != "" && name != put {
			return ""
		}
		name = put
	}
	return name
}

// answered is how many items a request of such a pattern answers on average.
func answered(proc *plan.Procedure) float64 {
	p := proc.Pattern
	if proc.Stages[0].Verb == plan.Get {
		return 1
	}
	results := matches(p)
	if p.Page > 0 {
		return results.Pages(p.Page).Mean()
	}
	if p.Top > 0 {
		return results.Map(func(x float64) float64 { return min(x, float64(p.Top)) }).Mean()
	}
	return results.Mean()
}

// matches is how many entities a call of a read finds: calls spread over values as the pattern says, and the largest
// answer is the one that is asked for most.
func matches(p *spec.Pattern) dist.Dist {
	r := p.Results
	members := int64(1)
	if r.Average > 0 {
		members = int64(max(1, math.Round(p.Read.Count/r.Average)))
	}
	law := dist.Uniform(members, r.Average)
	if r.Max > r.Average {
		law = dist.Power(members, r.Average, r.Max)
	}
	if p.Skew.BySize {
		return law.Weighted(law)
	}
	return law.Weighted(workload.CallLaw(members, p.Skew))
}

// item is what package cost says of a kind of item where it lies.
func (c *comparer) item(k *plan.Kind, x *plan.Access) *cost.Item {
	place := c.price.Place(x.Name())
	if place == nil {
		return nil
	}
	for i := range place.Items {
		if place.Items[i].Name == k.Name {
			return &place.Items[i]
		}
	}
	return nil
}
