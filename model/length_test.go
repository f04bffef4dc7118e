package model_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/model"
)

// TestLengthInside: a pattern says how many children come inside a value of one call, which agrees with how many there
// are in all.
func TestLengthInside(t *testing.T) {
	const all = "  addGuest: {write: {create: Guest, requires: [meeting]}, rate: {average: 1/h, peak: 1/s}}"
	for _, c := range []struct{ parameters, more, want string }{
		{`meeting.guests: {length: {average: 3, max: 20}}`, all, ""},
		{`meeting.guests: {length: 2}`, all, ""},
		{`meeting.guests: {length: {average: 6, max: 180}}`, "", ""},
		{`meeting.guests: {length: {average: 3, max: 200}}`, all, "error count-disagrees a call of plan brings up to 200 Guest, and one Meeting has at most 180"},
		{`meeting.guests: {length: {average: 3, max: 20}}`, "", "warning count-disagrees plan alone creates Guest, 3 with one call on average, but one Meeting has 6"},
		{`meeting.guests: {length: {average: 9, max: 20}}`, all, "warning count-disagrees each Meeting comes with 9 Guest on average and nothing deletes them, but one Meeting has 6"},
		{`meeting.guests: {length: {average: 9, max: 20}}`, "  leave: {write: {delete: Guest}, rate: {average: 1/h, peak: 1/s}}", ""},
		{`meeting.guests: {length: {average: 9, max: 5}}`, all, "error bad-spread"},
		{`meeting.guests: {length: {average: 3, max: 4.5}}`, all, "error bad-value"},
		{`meeting.guests: {min: 3}`, all, "error not-applicable"},
		{`meeting.minutes: {length: 1}`, all, "error not-applicable `length` is for a list, and $meeting.minutes is one Minutes"},
		{`meeting.place: {length: 1}`, all, "error not-applicable"},
		{`guests: {length: 3}`, all, "error unknown-name $guests is no parameter of plan"},
	} {
		r, _, found := model.ReadRequirements("r.yaml", []byte(`
tablewright: 1
application: meetings
entities:
  Meeting: {identity: [meetingId], attributes: {meetingId: {type: string, generated: ulid}, place: {type: string, bytes: 9}}, bytes: 200, count: 8_000}
  Guest:
    identity: [meetingId, name]
    attributes:
      meetingId: {parent: Meeting, inverse: guests, per-parent: {average: 6, max: 180}}
      name: {type: string, bytes: 20}
    bytes: 110
  Minutes: {identity: [meetingId], attributes: {meetingId: {parent: Meeting, inverse: minutes, per-parent: 1}}, bytes: 900}
patterns:
  getMeeting: {read: Meeting, given: [meetingId], with: [guests, minutes], rate: {average: 2/s, peak: 9/s}}
  plan: {write: {create: Meeting, with: [guests, minutes]}, rate: {average: 1/h, peak: 1/s}, parameters: {`+c.parameters+`}}
`+c.more+"\n"))
		var got []string
		for _, d := range found {
			if d.Remedy == "" {
				t.Errorf("%s: nothing to write instead: %s", c.parameters, d.Message)
			}
			got = append(got, string(d.Severity)+" "+d.Code+" "+d.Message)
		}
		if s := strings.Join(got, "; "); s != c.want && (c.want == "" || !strings.HasPrefix(s, c.want)) || len(got) > 1 {
			t.Errorf("%s: %q, not %q", c.parameters, s, c.want)
		}
		if c.want != "" || c.more != all {
			continue
		}
		p := r.Pattern("plan")
		q, way := p.ValueOf(p.Actions[0]), r.Entity("Meeting").WayBack("guests")
		if n := q.Brings(way, way.PerParent); !q.BringsStated(way) || n.Max > 20 || r.Entity("Guest").Growth*3600 != n.Average+1 {
			t.Errorf("%s: %v with one call, %v an hour", c.parameters, n, r.Entity("Guest").Growth*3600)
		}
		few := way.PerParent
		few.Average, few.Max = 1, 2 // as a proof has it
		if n := q.Brings(way, few); n.Max != 2 || n.Average != 2 {
			t.Errorf("%s: %v with one call where none has more than 2", c.parameters, n)
		}
		if got := q.LengthOf(way, 40); got != "parameters: {meeting.guests: {length: {average: 6, max: 40}}}" {
			t.Error(got)
		}
	}
}
