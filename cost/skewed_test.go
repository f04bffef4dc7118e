package cost_test

import (
	"testing"
	"time"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/plan"
)

// A choir of billions: few parents have most of all children, and calls are about these.
const skewedRequirements = `
tablewright: 1
application: star-catalogue
entities:
  Sky: {identity: [skyId], attributes: {skyId: {type: string, bytes: 16}}, bytes: 100, count: 150_000}
  Star:
    identity: [starId]
    attributes:
      starId: {type: string, generated: ulid}
      skyId: {references: Sky, inverse: stars, per-parent: {average: 8_000, max: 60_000_000, skew: hottest 25%}}
      kind: {enum: [dwarf, giant, pulsar], share: {dwarf: 90%, giant: 9%}}
      brightness: {type: number, digits: 8}
      text: {type: string, bytes: {average: 70, max: 800}}
    bytes: {average: 210, max: 1_000}
    count: 1_200_000_000
patterns:
  addSky: {write: {create: Sky}, rate: {average: 1/s, peak: 10/s}}
  addStar: {write: {create: Star}, rate: {average: 600/s, peak: 9_000/s}}
  turn: {write: {update: Star, set: [kind]}, rate: {average: 1/s, peak: 1/s}}
  all: {read: Star, given: [skyId], order: starId, page: 70, skew: hottest 25%, rate: {average: 14/s, peak: 60/s}}
  pulsars: {read: Star, given: [skyId], where: kind = pulsar, order: starId, page: 20, results: {average: 80, max: 600_000}, skew: zipf 1.1, rate: {average: 14/s, peak: 60/s}}
  latest: {read: Star, given: [skyId], order: starId descending, top: 12, skew: hottest 25%, rate: {average: 500/s, peak: 2_000/s}}
  bright: {read: Star, given: [skyId], where: brightness > $least, order: starId, top: 12, results: {average: 2_000, max: 9_000_000}, skew: hottest 25%, rate: {average: 1/s, peak: 2/s}}
  between: {read: Star, given: [skyId], where: starId between $from and $to and brightness > $least, order: starId, results: {average: 50, max: 9_000}, rate: {average: 1/s, peak: 2/s}}
`

const skewedModel = `
tablewright: 1
application: star-catalogue
tables:
  Skies:
    attributes: {skyId: S}
    key: {partition: skyId}
    items: {Sky: {holds: Sky}}
  Stars:
    attributes: {skyId: S, starId: S, bucket: S, pulsar: S}
    key: {partition: starId}
    gsi:
      BySky: {partition: skyId, sort: starId, project: all}
      Spread: {partition: [skyId, bucket], sort: starId, project: all}
      Pulsars: {partition: [skyId, pulsar], sort: starId, project: keys}
    items:
      Star:
        set: {bucket: "{shard}", pulsar: {value: y, when: kind = 'pulsar'}}
        shard: {of: 4_096, by: starId}
plans:
  addSky: {steps: {w: {put: Sky, value: $sky, if: absent}}}
  addStar: {steps: {w: {put: Star, value: $star, if: absent}}}
  turn: {steps: {w: {update: Star, key: [starId], set: [kind], if: present}}}
  all: {steps: {r: {query: Stars.Spread, items: [Star], where: [skyId], scatter: shard}}, answer: {page: 70}}
  pulsars:
    steps:
      k: {query: Stars.Pulsars, items: [Star], where: [skyId], evaluate: 20}
      r: {batch-get: Star, each: $k, key: {starId: $each.starId}}
    answer: {from: r, order-of: k, page: 20, cursor: k}
  latest: {steps: {r: {query: Stars.BySky, items: [Star], where: [skyId], order: descending}}}
  bright: {steps: {r: {query: Stars.BySky, items: [Star], where: [skyId], filter: brightness > $least, evaluate: 100}}}
  between: {steps: {r: {query: Stars.BySky, items: [Star], where: {skyId: $skyId, starId: {between: [$from, $to]}}, filter: brightness > $least}}}
`

// TestSkewedIsQuick prices what lies under keys with tens of millions of items: no figure makes a loop longer.
func TestSkewedIsQuick(t *testing.T) {
	p := compileText(t, skewedRequirements, skewedModel)
	began := time.Now()
	report := cost.Price(p, nil)
	if took := time.Since(began); took > 2*time.Second { // some 30 ms
		t.Errorf("it takes %v", took)
	}
	read, _ := report.Pattern("bright").Units()
	if read <= 0.5 || read > 100 {
		t.Errorf("the twelve brightest, of which one in four passes, cost %v units", read)
	}
}

// BenchmarkFragments prices each plan of a skewed model on its own.
func BenchmarkFragments(b *testing.B) {
	whole := compileText(b, skewedRequirements, skewedModel)
	for _, d := range whole.Model.Plans {
		b.Run(d.Name, func(b *testing.B) {
			pricer := cost.NewPricer(whole.Requirements, nil)
			proc := whole.Procedure(d.Name)
			for b.Loop() {
				pricer.Plan(proc)
			}
		})
		b.Run(d.Name+"/first", func(b *testing.B) {
			for b.Loop() {
				cost.NewPricer(whole.Requirements, nil).Plan(whole.Procedure(d.Name))
			}
		})
	}
	b.Run("places", func(b *testing.B) {
		for b.Loop() {
			pricer := cost.NewPricer(whole.Requirements, nil)
			for _, t := range whole.Tables {
				for _, x := range append([]*plan.Access{t.Base}, t.Indexes...) {
					pricer.Place(x)
				}
			}
		}
	})
}
