package doctor

import (
	"fmt"
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/stats"
)

func priceOf(p *plan.Program) *cost.Report { return cost.Price(p, capacity.DefaultPrices()) }

// skew writes how the calls of a read spread over the values of given. The statistics tell the load of keys, whichever
// patterns it is by: it is known where the pattern reads by key what hardly anybody else reads.
func (u *updater) skew(q *Pattern, s *spec.Pattern, proc *plan.Procedure) {
	const (
		what    = "skew"
		enough  = 1000 // calls
		its     = 0.9  // of all reads there
		atLeast = 50   // calls of the hottest key
	)
	stage := finder(proc)
	if stage == nil || stage.Scatter != 0 || q.Calls < enough || !byPartition(stage, s) {
		return
	}
	place := stage.Access.Name()
	var own, all float64
	for _, o := range u.stats.Operations {
		read, _ := arms(o)
		all += read[place]
		if o.Pattern == q.Name {
			own += read[place]
		}
	}
	consumption := slices.IndexFunc(u.stats.Consumed, func(x *stats.Consumption) bool { return placeName(x.Table, x.Index) == place })
	if all == 0 || own < its*all || consumption < 0 {
		return
	}
	var loads []float64
	var most, calls float64
	for _, k := range u.stats.Partitions.List {
		if placeName(k.Table, k.Index) == place && k.Read > 0 {
			if loads = append(loads, k.Read); k.Read >= most {
				most, calls = k.Read, k.Calls
			}
		}
	}
	if calls < atLeast {
		return
	}
	slices.Sort(loads)
	slices.Reverse(loads)
	after := fitted(loads, all, u.stats.Consumed[consumption].Partitions.Count())
	if alike(s.Skew, after) {
		return
	}
	path := []string{"patterns", q.Name, what}
	if s.AtPeak != nil {
		path = append(path, "calls")
	}
	u.want(Change{q.Name, what, s.Skew.String(), after.String(), fmt.Sprintf("%s of the reads of %s are of one key", show.Percent(loads[0]/all), place)},
		model.Edit{Path: path, Value: after.String()})
}

// byPartition reports whether what a pattern is given is the partition key of its query.
func byPartition(stage *plan.Stage, s *spec.Pattern) bool {
	bound := 0
	for _, b := range stage.Where {
		for _, w := range stage.Access.Partition {
			if b.Wire.Name == w.Name {
				bound++
			}
		}
	}
	return bound == len(s.Given) && bound == len(stage.Access.Partition)
}

// fitted is the skew of loads, the largest first, of so many keys with so much together: a power of the rank where that is what
// they are like, else the share of the hottest.
func fitted(loads []float64, all, keys float64) spec.Skew {
	hottest := loads[0] / all
	if keys < 2 || hottest < 3/keys { // no hotter than chance makes one of many
		return spec.Skew{}
	}
	// By least squares of logarithms, over the ranks that have enough load to be more than chance.
	n := min(len(loads), 100)
	if n >= 10 && loads[n-1] > 0 {
		var x, y, xx, xy, yy float64
		for i, load := range loads[:n] {
			a, b := math.Log(float64(i+1)), math.Log(load)
			x, y, xx, xy, yy = x+a, y+b, xx+a*a, xy+a*b, yy+b*b
		}
		m := float64(n)
		slope := (m*xy - x*y) / (m*xx - x*x)
		r := (m*xy - x*y) / math.Sqrt((m*xx-x*x)*(m*yy-y*y))
		if s := -slope; s >= 0.3 && r*r >= 0.9 {
			return spec.Skew{Zipf: math.Round(s*20) / 20}
		}
	}
	return spec.Skew{Hottest: digits(hottest, 2)}
}

// alike reports whether a stated skew may stay.
func alike(stated, measured spec.Skew) bool {
	switch {
	case stated.Uniform() || measured.Uniform():
		return stated.Uniform() == measured.Uniform()
	case stated.Zipf > 0 && measured.Zipf > 0:
		return math.Abs(stated.Zipf-measured.Zipf) <= 0.15
	case stated.Hottest > 0 && measured.Hottest > 0:
		return math.Abs(stated.Hottest-measured.Hottest) <= 0.3*stated.Hottest
	}
	return false
}
