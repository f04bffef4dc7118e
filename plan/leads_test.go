package plan_test

import (
	"errors"
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

// TestKeyless: a write that changes what an optional foreign key leads to is refused where the key is absent, and changes nothing.
// What it deletes by such a key is not there, and what only counts by it has nothing to count, also beside an update of the same entity.
func TestKeyless(t *testing.T) {
	r := requirements(t, "requirements.yaml", []byte(`
tablewright: 1
application: jobs
entities:
  Plan: {identity: [planId], attributes: {planId: {type: string, bytes: 6}, runs: {type: number, digits: 5, min: 0}}, bytes: 60, count: 100}
  Note: {identity: [noteId], attributes: {noteId: {type: string, bytes: 6}}, bytes: 60, count: 100}
  Job:
    identity: [jobId]
    attributes:
      jobId: {type: string, bytes: 8}
      planId: {references: Plan, optional: true, share: 70%}
      noteId: {references: Note, optional: true, share: 70%}
      afterId: {references: Job, optional: true, share: 10%, as: after}
      state: {states: [open, done], share: {open: 10%}}
    bytes: 90
    count: 1_000
patterns:
  addPlan: {write: {create: Plan}, rate: {average: 1/s, peak: 1/s}}
  addNote: {write: {create: Note}, rate: {average: 1/s, peak: 1/s}}
  spawn:
    write: [{create: Job}, {update: Plan, key: {planId: $job.planId}, set: {runs: runs + 1}}, {delete: Note, key: {noteId: $job.noteId}}]
    rate: {average: 1/s, peak: 1/s}
  spawnAll:
    write: {update: Plan, each: $jobs, key: {planId: $each.planId}, set: {runs: runs + 1}}
    atomic: false
    parameters: {jobs: {length: {average: 2, max: 5}}}
    rate: {average: 1/s, peak: 1/s}
  follow:
    write:
      - {update: Job, key: {jobId: $before}, set: {state: done}}
      - {create: Job, requires: [after]}
    rate: {average: 1/s, peak: 1/s}
  getPlan: {read: Plan, given: [planId], rate: {average: 1/s, peak: 1/s}}
  getNote: {read: Note, given: [noteId], rate: {average: 1/s, peak: 1/s}}
  getJob: {read: Job, given: [jobId], rate: {average: 1/s, peak: 1/s}}
`))
	m, _ := document(t, "model.yaml", []byte(`
tablewright: 1
application: jobs
tables:
  Plans: {attributes: {planId: S}, key: {partition: planId}, items: {Plan: {}}}
  Notes: {attributes: {noteId: S}, key: {partition: noteId}, items: {Note: {}}}
  Jobs: {attributes: {jobId: S}, key: {partition: jobId}, items: {Job: {}}}
plans:
  addPlan: {steps: {w: {put: Plan, if: absent}}}
  addNote: {steps: {w: {put: Note, if: absent}}}
  spawn:
    steps:
      w:
        transact:
          - {put: Job, if: absent}
          - {update: Plan, key: {planId: $job.planId}, set: {runs: runs + 1}, if: present}
          - {delete: Note, key: {noteId: $job.noteId}}
  spawnAll: {steps: {w: {update: Plan, each: $jobs, key: {planId: $each.planId}, set: {runs: runs + 1}, if: present}}}
  follow:
    steps:
      w:
        transact:
          - {update: Job, key: {jobId: $before}, set: {state: "'done'"}, if: [present, "state in before('done')"]}
          - {put: Job, if: absent}
          - {check: Job, key: {jobId: $job.afterId}, if: present}
  getPlan: {steps: {s: {get: Plan, key: [planId]}}}
  getNote: {steps: {s: {get: Note, key: [noteId]}}}
  getJob: {steps: {t: {get: Job, key: [jobId]}}}
`))
	p, problems := plan.Compile(m, r)
	for _, x := range problems {
		t.Error(x)
	}
	if t.Failed() {
		return
	}
	f := newFake(p)
	args := func(name string, fields map[string]any) attr.Item {
		return attr.ItemOf(attr.Field{Name: name, Value: attr.Map(item(fields))})
	}
	run := func(pattern string, args attr.Item) []attr.Item {
		t.Helper()
		reply, err := f.run(pattern, args, nil)
		if err != nil {
			t.Fatalf("%s: %v", pattern, err)
		}
		return reply.Items
	}
	run("addPlan", args("plan", map[string]any{"planId": "daily", "runs": 0}))
	run("addNote", args("note", map[string]any{"noteId": "n1"}))

	if got := refusalOf(f.run("spawn", args("job", map[string]any{"jobId": "j1", "noteId": "n1"}), nil)); got != plan.RefusedMissing {
		t.Errorf("a job of no plan: refused as %q, want missing", got)
	}
	if got := run("getJob", item(map[string]any{"jobId": "j1"})); len(got) > 0 {
		t.Errorf("a refused write made %v", got)
	}
	run("spawn", args("job", map[string]any{"jobId": "j1", "planId": "daily"}))
	if got := run("getNote", item(map[string]any{"noteId": "n1"})); len(got) != 1 {
		t.Errorf("a job without a note deleted one: %v are left", got)
	}

	if got := refusalOf(f.run("spawnAll", item(map[string]any{"jobs": []any{map[string]any{}, map[string]any{"planId": "daily"}}}), nil)); got != plan.RefusedMissing {
		t.Errorf("a list with a job of no plan: refused as %q, want missing", got)
	}
	if got := run("getPlan", item(map[string]any{"planId": "daily"})); len(got) != 1 || got[0].Get("runs").Number().Cmp(attr.Int(2)) != 0 {
		t.Errorf("the other element of the list is not done: %v", got)
	}
	run("follow", item(map[string]any{"before": "j1", "job": map[string]any{"jobId": "j2"}}))
	if got := refusalOf(f.run("follow", item(map[string]any{"before": "j2", "job": map[string]any{"jobId": "j3", "afterId": "none"}}), nil)); got != plan.RefusedMissing {
		t.Errorf("after a job that is not there: refused as %q, want missing", got)
	}
}

// refusalOf is the code with which a call is refused; "" if it is not.
func refusalOf(_ *plan.Reply, err error) string {
	var refusal *plan.Refusal
	if errors.As(err, &refusal) {
		return refusal.Code
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
