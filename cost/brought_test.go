package cost_test

import (
	"testing"

	"github.com/tablewright/tablewright/cost"
)

const deliveryRequirements = `
tablewright: 1
application: deliveries
entities:
  Delivery:
    identity: [deliveryId]
    attributes:
      deliveryId: {type: string, generated: ulid}
      van: {type: string, bytes: 10}
      state: {states: [planned, loaded, delivered], also: [refused], share: {planned: 1%, loaded: 0.1%, refused: 0.5%}}
      signature: {type: binary, bytes: 1_500, optional: true, share: 98%}
    bytes: 1_700
    count: 90_000
patterns:
  plan: {write: {create: Delivery}, rate: {average: 1/s, peak: 1/s}}
  load: {write: {update: Delivery, set: {state: loaded}, condition: state = planned}, rate: {average: 1/s, peak: 1/s}}
  deliver: {write: {update: Delivery, set: {state: delivered, signature: $signature}, condition: state = loaded}, rate: {average: 0.99/s, peak: 1/s}}
  refuse: {write: {update: Delivery, set: {state: refused}, condition: state = loaded}, rate: {average: 0.01/s, peak: 1/s}}
  get: {read: Delivery, given: [deliveryId], rate: {average: 1/s, peak: 1/s}}
`

const deliveryModel = `
tablewright: 1
application: deliveries
tables:
  Deliveries:
    attributes: {deliveryId: S, van: S}
    key: {partition: deliveryId}
    gsi: {ByVan: {partition: van, project: all}}
    items: {Delivery: {}}
plans:
  plan: {steps: {w: {put: Delivery, if: absent}}}
  load: {steps: {w: {update: Delivery, key: [deliveryId], set: {state: "'loaded'"}, if: [present, state in before('loaded'), state = 'planned']}}}
  deliver: {steps: {w: {update: Delivery, key: [deliveryId], set: {state: "'delivered'", signature: $signature}, if: [present, state in before('delivered'), state = 'loaded']}}}
  refuse: {steps: {w: {update: Delivery, key: [deliveryId], set: {state: "'refused'"}, if: [present, state in before('refused'), state = 'loaded']}}}
  get: {steps: {d: {get: Delivery, key: [deliveryId]}}}
`

// TestWhatComesLaterIsNotWrittenBefore: a signature of 1,500 bytes comes as a delivery is delivered: until then it is written
// without one, also where most of what is stored has one.
func TestWhatComesLaterIsNotWrittenBefore(t *testing.T) {
	report := cost.Price(compileText(t, deliveryRequirements, deliveryModel), nil)
	for name, units := range map[string]float64{"plan": 1, "load": 1, "deliver": 2, "refuse": 1} {
		x := report.Pattern(name)
		near(t, name, x.Write["Deliveries"], units, 1e-9)
		near(t, name+" in the index", x.Write["Deliveries.ByVan"], units, 1e-9)
	}
}
