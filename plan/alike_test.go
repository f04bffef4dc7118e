package plan_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/plan"
)

const lineRequirements = `
tablewright: 1
application: lines
entities:
  Order: {identity: [orderId], attributes: {orderId: {type: string, bytes: 9}, lines: {type: number, digits: 4}}, bytes: 80, count: 900}
  Line:
    identity: [orderId, lineNo]
    attributes:
      orderId: {references: Order, inverse: allLines, per-parent: {average: 20, max: 900}}
      lineNo: {type: number, digits: 4}
    bytes: 90
    count: 18_000
patterns:
  order: {write: {create: Order}, rate: {average: 1/s, peak: 1/s}}
  add: {write: {create: Line, each: $lines, requires: [order]}, rate: {average: 1/s, peak: 1/s}, parameters: {lines: {length: {average: 20, max: 80}SAME}}}
  getLines: {read: Line, given: [orderId], rate: {average: 1/s, peak: 1/s}}
`

const lineModel = `
tablewright: 1
application: lines
tables:
  Orders: {attributes: {orderId: S}, key: {partition: orderId}, items: {Order: {}}}
  Lines: {attributes: {orderId: S, lineNo: N}, key: {partition: orderId, sort: lineNo}, items: {Line: {}}}
plans:
  order: {steps: {write: {put: Order, if: absent}}}
  add:
    steps:
      write:
        transact:
          - {put: Line, each: $lines, if: absent}
          - {check: Order, each: $lines, key: {orderId: $each.orderId}, if: present}
  getLines: {steps: {line: {query: Lines, items: [Line], where: [orderId]}}}
`

// TestAlike: what is tested for each element of a list is one action of a transaction where all elements lead to one
// item.
func TestAlike(t *testing.T) {
	for same, problem := range map[string]string{"": "can need 160 actions", ", same: [orderId]": "", ", same: [lineNo]": "can need 160 actions"} {
		r := requirements(t, "lines.yaml", []byte(strings.Replace(lineRequirements, "SAME", same, 1)))
		m, _ := document(t, "lines.model.yaml", []byte(lineModel))
		p, problems := plan.Compile(m, r)
		switch {
		case problem != "":
			if len(problems) != 1 || !strings.Contains(problems[0].String(), problem) {
				t.Errorf("%q: %v", same, problems)
			}
			continue
		case len(problems) > 0:
			t.Fatalf("%q: %v", same, problems)
		}
		for _, s := range p.Procedure("add").Stages {
			if s.Alike() != (s.Verb == plan.Check) {
				t.Errorf("%s: alike %v", s.Kind.Name, s.Alike())
			}
		}
	}
}
