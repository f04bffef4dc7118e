package cost_test

import (
	"testing"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

const papers = `
tablewright: 1
application: papers
entities:
  Paper:
    identity: [paperId]
    attributes:
      paperId: {type: string, bytes: 8}
      shelf: {type: string, bytes: 8}
      at: timestamp
      text: string
    bytes: 1_000
    count: 1_000
patterns:
  keep: {write: {upsert: Paper}, rate: {average: 1/s, peak: 1/s}}
  newest: {read: Paper, given: [shelf], where: "contains(text, $word)", order: at descending, top: 4, results: {average: 6, max: 20}, rate: {average: 1/s, peak: 1/s}}
`

const papersModel = `
tablewright: 1
application: papers
tables:
  Papers:
    attributes: {paperId: S, shelf: S, at: S}
    key: {partition: paperId}
    gsi: {ByShelf: {partition: shelf, sort: at, project: all}}
    items: {Paper: {}}
plans:
  keep: {steps: {p: {put: Paper, value: $paper}}}
  newest: {steps: {p: {query: Papers.ByShelf, items: [Paper], where: [shelf], order: descending, evaluate: 4, filter: "contains(text, $word)"}}}
`

// TestMet prices runs that are known: what a top looks at behind a filter, in whole requests, and one more where the end of
// a range shows in none.
func TestMet(t *testing.T) {
	p := compileText(t, papers, papersModel)
	units := func(runs ...cost.Run) float64 {
		met := func(s *plan.Stage) ([]cost.Run, bool) { return runs, s.Procedure.Pattern.Name == "newest" }
		return cost.EstimateMet(p, cost.Figures{}, cost.Seen{Met: met})["newest"]["Papers.ByShelf"]
	}
	near(t, "until the sixth", units(cost.Run{Times: 1, Items: []int{40}, Until: 6}), 2*0.5, 1e-9) // 4 KB a request
	near(t, "to the end", units(cost.Run{Times: 1, Items: []int{9}}), 3*0.5, 1e-9)
	near(t, "to an end that a full request hides", units(cost.Run{Times: 1, Items: []int{8}}), 3*0.5, 1e-9)
	near(t, "nothing there", units(cost.Run{Times: 0.5, Items: []int{0}}), 0.25, 1e-9)
}

// TestRenews prices an upsert that finds what it writes: its entry moves.
func TestRenews(t *testing.T) {
	p := compileText(t, papers, papersModel)
	keep := p.Requirements.Pattern("keep")
	for share, want := range map[float64]float64{0: 1, 0.5: 1.5, 1: 2} {
		got := cost.Estimate(p, cost.Figures{Renews: map[*spec.Pattern]float64{keep: share}})
		near(t, "entry", got["keep"]["Papers.ByShelf"], want, 1e-9)
	}
}

// TestMetOfOneValue prices what a query finds by a constant: each has that in its key, however long the other values are.
func TestMetOfOneValue(t *testing.T) {
	p := compileText(t, `
tablewright: 1
application: papers
entities:
  Paper:
    identity: [paperId]
    attributes: {paperId: {type: string, bytes: 8}, kept: {type: bool, share: {false: 1%}}}
    bytes: 500
    count: 10_000
patterns:
  keep: {write: {create: Paper}, rate: {average: 1/s, peak: 1/s}}
  lost: {read: Paper, where: kept = false, page: 500, results: {average: 100, max: 200}, rate: {average: 1/s, peak: 1/s}}
`, `
tablewright: 1
application: papers
tables:
  Papers:
    attributes: {paperId: S, keptText: S}
    key: {partition: paperId}
    gsi: {ByKept: {partition: keptText, project: all}}
    items: {Paper: {set: {keptText: "{kept}"}}}
plans:
  keep: {steps: {p: {put: Paper, value: $paper, if: absent}}}
  lost: {steps: {p: {query: Papers.ByKept, items: [Paper], where: {kept: false}, evaluate: 500}}, answer: {page: 500}}
`)
	const all, stored = 64, 52 // with the key's name and "true" these would fill one block of 4 KB
	met := func(s *plan.Stage) ([]cost.Run, bool) {
		return []cost.Run{{Times: 1, Items: []int{all}, Each: []float64{stored}}}, s.Procedure.Pattern.Name == "lost"
	}
	near(t, "of two blocks", cost.EstimateMet(p, cost.Figures{}, cost.Seen{Met: met})["lost"]["Papers.ByKept"], 2*0.5, 1e-9)
}
