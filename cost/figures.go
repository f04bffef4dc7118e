package cost

import (
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// Figures are counts, children and results that replace those of the requirements.
type Figures = workload.Figures

// Cut is a skew of children that their stated maximum contradicts.
type Cut = workload.Cut

// figures answers what the walk over the plans asks, and remembers what it has computed: sizes, and what each stage
// consumes, which money and loads both need.
type figures struct {
	*workload.Workload
	sizes        map[sizeKey]*size
	fill         map[*plan.Kind]float64 // how many entities lie in one item
	made         map[mixed]*size        // by what they are made of: items of many models are made of the same
	counts       map[counted]dist.Dist
	callers      map[counted]counted
	pages        map[paged]dist.Dist
	read         map[*plan.Stage]units
	write        map[*plan.Stage]units
	queries      map[asked]float64    // units of one query
	gathers      map[gathered]float64 // of one query of several kinds
	owners       map[members][]dist.Outcome
	brings       map[*plan.Stage]float64 // at most
	rates        map[changing]spec.Rate  // of changes
	peak         *figures                // those of the busiest hours
	stated       Figures
	requirements *spec.Requirements
	fragments    *plan.Fragments
	seen         Seen
}

type (
	spread = workload.Spread
	owner  = workload.Owner
	known  = workload.Known
)

// counted is what decides how many items a call meets.
type counted struct {
	each, weight spread
	per          *dist.Dist
}

type sizeKey struct {
	kind   *plan.Kind
	access *plan.Access
	weight spread
	sure   string // what is known of optional attributes
	grown  growth // a part of the children inside is there
	made   bool   // the item is new: only the children created with it lie inside
	with   string // the names of these
}

func newFigures(r *spec.Requirements, f Figures) *figures {
	return &figures{
		Workload: workload.New(r, f), sizes: map[sizeKey]*size{}, fill: map[*plan.Kind]float64{}, made: map[mixed]*size{}, counts: map[counted]dist.Dist{}, callers: map[counted]counted{}, pages: map[paged]dist.Dist{},
		queries: map[asked]float64{}, gathers: map[gathered]float64{}, owners: map[members][]dist.Outcome{}, read: map[*plan.Stage]units{}, write: map[*plan.Stage]units{},
		rates:  map[changing]spec.Rate{},
		stated: f, requirements: r, fragments: plan.NewFragments(r),
	}
}

// atPeak are the figures by which a pattern's calls spread in the busiest hours.
func (f *figures) atPeak(p *spec.Pattern) *figures {
	if p.AtPeak == nil || f.stated.Peak {
		return f
	}
	if f.peak == nil {
		busy := f.stated
		busy.Peak = true
		f.peak = newFigures(f.requirements, busy)
	}
	return f.peak
}
