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

// TestSkewOfCreates: however skewed the calls of a create are, no two of them write the same identity or unique value. The skew is of
// whose foreign keys they state; where what is created can be deleted and come again, it is of its identity as well.
func TestSkewOfCreates(t *testing.T) {
	for _, again := range []bool{false, true} {
		gone, dropped := "", ""
		if again {
			gone, dropped = `
  drop: {write: {delete: Message}, rate: {average: 1/s, peak: 1/s}}`, `
  drop:
    steps:
      found: {get: Message, key: [boxId, number], consistent: true}
      write: {transact: [{delete: Message, key: [boxId, number], if: present}, {delete: Id, key: {id: $found.id}}]}`
		}
		r := cost.Price(compileText(t, `
tablewright: 1
application: messages
entities:
  Box: {identity: [boxId], attributes: {boxId: {type: string, bytes: 8}}, count: 100}
  Message:
    identity: [boxId, number]
    attributes:
      boxId: {references: Box, inverse: messages, per-parent: {average: 1_000, max: 90_000}}
      number: {type: string, bytes: 8}
      id: {type: string, bytes: 20}
    unique: [id]
    count: 100_000
patterns:
  addBox: {write: {create: Box}, rate: {average: 0.001/s, peak: 0.001/s}}
  getBox: {read: Box, given: [boxId], rate: {average: 1/s, peak: 1/s}}
  getMessage: {read: Message, given: [boxId, number], rate: {average: 1/s, peak: 1/s}}
  send: {write: {create: Message}, rate: {average: 1/s, peak: 1_000/s}, skew: hottest 40%}`+gone+`
`, `
tablewright: 1
application: messages
tables:
  Boxes: {attributes: {boxId: S}, key: {partition: boxId}, items: {Box: {holds: Box}}}
  Messages: {attributes: {boxId: S, number: S}, key: {partition: boxId, sort: number}, items: {Message: {holds: Message}}}
  Ids: {attributes: {id: S}, key: {partition: id}, items: {Id: {holds: {unique: Message.id}, key: {id: "{id}"}}}}
plans:
  addBox: {steps: {w: {put: Box, if: absent}}}
  getBox: {steps: {w: {get: Box, key: [boxId]}}}
  getMessage: {steps: {w: {get: Message, key: [boxId, number]}}}
  send:
    steps:
      write: {transact: [{put: Message, value: $message, if: absent}, {put: Id, value: $message, if: absent}]}`+dropped+`
`), nil)
		most := map[string]float64{}
		for _, l := range r.Loads {
			key := l.Place
			if l.Item {
				key += " item"
			}
			most[key] = max(most[key], l.Write)
		}
		near(t, "units on the hottest box", most["Messages"], 2*1_000*0.4, 1)
		for _, on := range []string{"Messages item", "Ids item"} {
			want := 2 * 1_000 / 1e5
			if again {
				want = 2 * 1_000 * 0.4
			}
			near(t, "units on the hottest of "+on, most[on], want, 0.01*want+0.1)
		}
	}
}
