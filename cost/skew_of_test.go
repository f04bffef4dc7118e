package cost_test

import (
	"testing"

	"github.com/tablewright/tablewright/cost"
)

// TestSkewOf states the skew of a write of the values of one attribute: it is about the entity that this tells apart, and not about
// whatever else the same transaction writes.
func TestSkewOf(t *testing.T) {
	r := cost.Price(compileText(t, `
tablewright: 1
application: repairs
entities:
  Workshop:
    identity: [workshopId]
    attributes:
      workshopId: {type: string, bytes: 8}
      busy: {type: number, digits: 4, min: 0}
    count: 100
  Repair:
    identity: [repairId]
    attributes:
      repairId: {type: string, generated: ulid}
      workshopId: {references: Workshop}
      begun: {type: bool}
    count: 1_000_000
patterns:
  addWorkshop: {write: {create: Workshop}, rate: {average: 0.001/s, peak: 0.001/s}}
  getWorkshop: {read: Workshop, given: [workshopId], rate: {average: 1/s, peak: 1/s}}
  getRepair: {read: Repair, given: [repairId], rate: {average: 1/s, peak: 1/s}}
  bring: {write: {create: Repair}, rate: {average: 1/s, peak: 1/s}}
  begin:
    write:
      - update: Repair
        set: {begun: true}
        condition: workshopId = $workshopId
      - update: Workshop
        set: {busy: busy + 1}
    rate: {average: 1/s, peak: 100/s}
    skew: {calls: hottest 10%, peak: hottest 20%, of: workshopId}
`, `
tablewright: 1
application: repairs
tables:
  Workshops: {attributes: {workshopId: S}, key: {partition: workshopId}, items: {Workshop: {holds: Workshop}}}
  Repairs: {attributes: {repairId: S}, key: {partition: repairId}, items: {Repair: {holds: Repair}}}
plans:
  addWorkshop: {steps: {w: {put: Workshop, if: absent}}}
  getWorkshop: {steps: {w: {get: Workshop, key: [workshopId]}}}
  getRepair: {steps: {r: {get: Repair, key: [repairId]}}}
  bring: {steps: {r: {put: Repair, if: absent}}}
  begin:
    steps:
      write:
        transact:
          - {update: Repair, key: [repairId], set: {begun: "true"}, if: [present, workshopId = $workshopId]}
          - {update: Workshop, key: [workshopId], set: {busy: busy + 1}, if: present}
`), nil)
	for _, l := range r.Loads {
		switch {
		case l.Item && l.Of == "Workshop":
			near(t, "contention of the hottest workshop", l.Contention, 100*0.2*0.010, 1e-9)
		case l.Item && l.Of == "Repair":
			near(t, "contention of a repair", l.Contention, 100/1e6*0.010, 1e-9)
		}
	}
}
