package plan_test

import (
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// TestLeadsOn: a write that requires a parent by an optional way asks for it where there is a key, and asks nothing where there
// is none.
func TestLeadsOn(t *testing.T) {
	r := requirements(t, "requirements.yaml", []byte(`
tablewright: 1
application: tools
entities:
  Shelf: {identity: [shelfId], attributes: {shelfId: {type: string, bytes: 6}}, bytes: 60, count: 100}
  Tool:
    identity: [toolId]
    attributes:
      toolId: {type: string, bytes: 8}
      shelfId: {references: Shelf, optional: true, share: 70%}
    bytes: 90
    count: 1_000
patterns:
  addShelf: {write: {create: Shelf}, rate: {average: 1/s, peak: 1/s}}
  addTool: {write: {create: Tool, requires: [shelf]}, rate: {average: 1/s, peak: 1/s}}
  getShelf: {read: Shelf, given: [shelfId], rate: {average: 1/s, peak: 1/s}}
  getTool: {read: Tool, given: [toolId], rate: {average: 1/s, peak: 1/s}}
`))
	m, _ := document(t, "model.yaml", []byte(`
tablewright: 1
application: tools
tables:
  Shelves: {attributes: {shelfId: S}, key: {partition: shelfId}, items: {Shelf: {}}}
  Tools: {attributes: {toolId: S}, key: {partition: toolId}, items: {Tool: {}}}
plans:
  addShelf: {steps: {w: {put: Shelf, if: absent}}}
  addTool: {steps: {w: {transact: [{put: Tool, if: absent}, {check: Shelf, key: {shelfId: $tool.shelfId}, if: present}]}}}
  getShelf: {steps: {s: {get: Shelf, key: [shelfId]}}}
  getTool: {steps: {t: {get: Tool, key: [toolId]}}}
`))
	p, problems := plan.Compile(m, r)
	for _, x := range problems {
		t.Error(x)
	}
	for _, s := range p.Procedure("addTool").Stages[0].Actions {
		if s.LeadsOn() != (s.Verb == plan.Check) {
			t.Errorf("%s leads on: %v", s.Verb, s.LeadsOn())
		}
	}
	f := newFake(p)
	tool := func(id, shelf string) attr.Item {
		it := item(map[string]any{"toolId": id})
		if shelf != "" {
			it.Set("shelfId", attr.Text(shelf))
		}
		return attr.ItemOf(attr.Field{Name: "tool", Value: attr.Map(it)})
	}
	if _, err := f.run("addTool", tool("saw", ""), nil); err != nil {
		t.Errorf("on no shelf: %v", err)
	}
	if _, err := f.run("addTool", tool("axe", "top"), nil); err == nil {
		t.Error("it lies on a shelf that is not there")
	}
}
