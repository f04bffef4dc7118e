package doctor

import (
	"math"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
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
	} else if kind, x := onlyRead(proc); kind != nil {
		p.items = answered(proc)
		if of := c.item(kind, x); of != nil {
			p.bytes = p.items * of.Bytes
		}
	}
	if len(stated.Read) > 0 || len(stated.Write) > 0 {
		p.read, p.write = stated.Read, stated.Write
	}
	return p
}

// onlyRead is the kind of item that a pattern's only request reads, and where; nil if it does anything else, or leaves out
// some of what it reads.
func onlyRead(proc *plan.Procedure) (*plan.Kind, *plan.Access) {
	if len(proc.Stages) != 1 {
		return nil, nil
	}
	s := proc.Stages[0]
	if s.Document.Filter != "" || proc.Document.Answer.Keep != "" || s.Each != nil || s.Scatter != 0 || len(proc.Pattern.With) > 0 || len(proc.Pattern.Aggregates) > 0 || len(proc.Pattern.Optional) > 0 {
		return nil, nil
	}
	switch {
	case s.Verb == plan.Get:
		return s.Kind, s.Kind.Table.Base
	case s.Verb == plan.Query && len(s.Kinds) == 1 && s.Kinds[0].Entity == proc.Pattern.Read && len(s.Document.Project) == 0:
		return s.Kinds[0], s.Access
	}
	return nil, nil
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

// matches is how many entities a call of a read finds: calls spread over values as the pattern says, and the largest answer is
// the one that is asked for most.
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
	switch {
	case p.Skew.Zipf > 0:
		return law.Weighted(dist.Zipf(members, p.Skew.Zipf, 1, math.Inf(1)))
	case p.Skew.Hottest > 0:
		return law.Weighted(dist.Hottest(members, p.Skew.Hottest, 1, math.Inf(1)))
	}
	return law.Dist()
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
