package design_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/plan"
)

const manuscripts = `tablewright: 1
application: manuscripts
entities:
  Script:
    identity: [scriptId]
    attributes:
      scriptId: {type: string, generated: ulid}
      title: {type: string, bytes: {average: 30, max: 90}}
    count: 9_000
  Body:
    identity: [scriptId]
    attributes:
      scriptId: {parent: Script, inverse: body, per-parent: {average: 0.7, max: 1}}
      text: {type: string, bytes: {average: 90_000, max: 390_000}}
patterns:
  script: {read: Script, given: [scriptId], rate: {average: 3/s, peak: 9/s}}
  body: {read: Body, given: [scriptId], rate: {average: 1/s, peak: 3/s}}
  begin: {write: {create: Script}, rate: {average: 0.01/s, peak: 1/s}}
  hand-in: {write: {create: Body, requires: [script]}, rate: {average: 0.01/s, peak: 1/s}}
  burn: {write: {delete: Script, with: [body]}, rate: {average: 0.001/s, peak: 1/s}}
`

// TestOnlyChild: the only child under its parent's identity goes with the parent, and the compiler finds it where it stays.
func TestOnlyChild(t *testing.T) {
	r := parse(t, strings.ReplaceAll(manuscripts, "hand-in", "handIn"))
	d := designed(t, r)
	if text := summary(d); !strings.Contains(text, "delete Body") {
		t.Error("it lies inside, or is looked for:\n" + text)
	}
	proven(t, compiled(t, r, d))
	change(d.Model, "burn", func(s *plan.Step) {
		s.Transact = slices.DeleteFunc(s.Transact, func(a plan.Step) bool { return a.Delete == "Body" })
	})
	if _, problems := plan.Compile(d.Model, r); !slices.ContainsFunc(problems, func(p plan.Problem) bool { return strings.Contains(p.String(), "does not delete Body") }) {
		t.Error("it is not missed:", problems)
	}
}
