package cost_test

import (
	"testing"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
)

const scriptRequirements = `
tablewright: 1
application: manuscripts
entities:
  Script:
    identity: [scriptId]
    attributes: {scriptId: {type: string, generated: ulid}}
    bytes: 100
    count: 9_000
  Body:
    identity: [scriptId]
    attributes: {scriptId: {parent: Script, inverse: body, per-parent: {average: 0.7, max: 1}}}
    bytes: {average: 90_000, max: 90_000}
patterns:
  body: {read: Body, given: [scriptId], rate: {average: 1/s, peak: 1/s}}
  begin: {write: {create: Script}, rate: {average: 1/s, peak: 1/s}}
  handIn: {write: {create: Body, requires: [script]}, rate: {average: 1/s, peak: 1/s}}
  burn: {write: {delete: Script, with: [body]}, rate: {average: 1/s, peak: 1/s}}
`

const scriptModel = `
tablewright: 1
application: manuscripts
tables:
  Scripts: {attributes: {scriptId: S}, key: {partition: scriptId}, items: {Script: {}}}
  Body: {attributes: {scriptId: S}, key: {partition: scriptId}, items: {Body: {}}}
plans:
  body: {steps: {body: {get: Body, key: [scriptId]}}}
  begin: {steps: {write: {put: Script, value: $script, if: absent}}}
  handIn:
    steps:
      write:
        transact: [{put: Body, value: $body, if: absent}, {check: Script, key: {scriptId: $body.scriptId}, if: present}]
  burn: {steps: {write: {transact: [{delete: Script, key: [scriptId]}, {delete: Body, key: [scriptId]}]}}}
`

// TestDeleteOfAnOnlyChild counts the delete of a child that 3 in 10 parents don't have as that of a missing item
// there: it consumes the least that a write can.
func TestDeleteOfAnOnlyChild(t *testing.T) {
	program := compileText(t, scriptRequirements, scriptModel)
	there := float64(capacity.ExpectWrite(capacity.Fixed(90_000)))
	near(t, "units of Body", cost.Estimate(program, cost.Figures{})["burn"]["Body"], 2*(0.7*there+0.3*1), 0.01)
}
