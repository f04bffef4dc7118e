package workload_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/workload"
)

// TestParentStates: in which states a parent may have children, as far as the writes that bring them say.
func TestParentStates(t *testing.T) {
	const stated = `
tablewright: 1
application: clubs
entities:
  Club:
    identity: [clubId]
    attributes:
      clubId: {type: string, generated: ulid}
      state: {states: {forming: [running, dropped], running: [ended], ended: [], dropped: []}}
    count: 100
  Meeting:
    identity: [meetingId]
    attributes:
      meetingId: {type: string, generated: ulid}
      clubId: {references: Club, inverse: meetings, per-parent: {average: 5, max: 50}}
    count: 500
patterns:
  add: {write: {create: Club}, rate: {average: 1/s, peak: 9/s}}
  begin: {write: {update: Club, set: {state: running}}, rate: {average: 1/s, peak: 9/s}}
  call:
    write:
      - {create: Meeting}
      - {update: Club, key: {clubId: $meeting.clubId}, condition: state = running}
    rate: {average: 1/s, peak: 9/s}
`
	for _, c := range []struct{ name, old, new, want string }{
		{"a test beside", "", "", "running ended"},
		{"the state is set", "condition: state = running", "set: {state: running}", "running ended"},
		{"one of several", "condition: state = running", `condition: "state in (forming, ended)"`, "forming ended running dropped"},
		{"more is asked", "condition: state = running", "condition: state = running and present", "running ended"},
		{"any but one", "condition: state = running", "condition: state != forming", ""},
		{"nothing is asked", "condition: state = running", "condition: present", ""},
		{"of another club", "  call", "  move: {write: {update: Meeting, set: [clubId]}, rate: {average: 1/s, peak: 9/s}}\n  call", ""},
		{"not at once", "condition: state = running}\n", "set: {state: running}}\n    atomic: false\n", ""},
		{"inside its club", "  begin:", "  found: {write: {create: Club, with: [meetings]}, rate: {average: 1/s, peak: 9/s}}\n  begin:", ""},
	} {
		r, _, ds := model.ReadRequirements("clubs.yaml", []byte(strings.Replace(stated, c.old, c.new, 1)))
		if r == nil {
			t.Fatalf("%s: %v", c.name, ds)
		}
		got := workload.ParentStates(r, r.Entity("Meeting").WayThere("club"), r.Entity("Club").Attribute("state"))
		want := strings.Fields(c.want)
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
	}
}
