package plan_test

import (
	"testing"

	"github.com/tablewright/tablewright/plan"
)

const loansRequirements = `
tablewright: 1
application: loans
entities:
  Owner:
    identity: [ownerId]
    attributes: {ownerId: {type: string, bytes: 8}, town: {type: string, bytes: 8, distinct: 20, hottest: 9%}}
    count: 10
  Tool:
    identity: [toolId]
    attributes:
      toolId: {type: string, bytes: 8}
      kind: {type: string, bytes: 8, distinct: 20, hottest: 9%}
      ownerId: {references: Owner, optional: true, share: 90%, inverse: tools, per-parent: {average: 3.6, max: 20}}
      town: {derived: owner.town, within: 1min}
    count: 40
patterns:
  addOwner: {write: {create: Owner}, rate: {average: 1/s, peak: 1/s}}
  addTool: {write: {create: Tool}, rate: {average: 1/s, peak: 1/s}}
  ofTown: {read: Tool, given: [town], results: {average: 2, max: 20}, rate: {average: 1/s, peak: 1/s}}
  ofKind: {read: Tool, given: [kind], results: {average: 2, max: 3}, rate: {average: 1/s, peak: 1/s}}
`

const loansModel = `
tablewright: 1
application: loans
tables:
  Owners: {attributes: {ownerId: S}, key: {partition: ownerId}, items: {Owner: {}}}
  Tools:
    attributes: {toolId: S, ownerTown: S, kind: S}
    key: {partition: toolId}
    gsi: {ByTown: {partition: ownerTown, project: all}, ByKind: {partition: kind, project: all}}
    items:
      Tool: {stores: [toolId, kind, ownerId], copies: {ownerTown: {from: owner.town, kept: {by: stream, within: 1min}}}}
plans:
  addOwner: {steps: {a: {put: Owner, if: absent}}}
  addTool: {steps: {a: {put: Tool, if: absent}}}
  ofTown: {steps: {a: {query: Tools.ByTown, items: [Tool], where: [town]}}}
  ofKind: {steps: {a: {query: Tools.ByKind, items: [Tool], where: [kind]}}}
`

// TestEntersLater: a put leaves a copy to the consumer of a stream. The item enters the index by that copy later, and
// every other index at once.
func TestEntersLater(t *testing.T) {
	m, _ := document(t, "loans.model.yaml", []byte(loansModel))
	p, problems := plan.Compile(m, requirements(t, "loans.yaml", []byte(loansRequirements)))
	for _, x := range problems {
		t.Fatal(x)
	}
	put := p.Procedure("addTool").Stages[0]
	for _, x := range put.Kind.Table.Indexes {
		if got, want := put.EntersLater(x), x.Name() == "Tools.ByTown"; got != want {
			t.Errorf("into %s later: %t, want %t", x.Name(), got, want)
		}
	}
}
