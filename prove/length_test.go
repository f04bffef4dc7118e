package prove_test

import (
	"testing"

	"github.com/tablewright/tablewright/prove"
)

// TestLengthInside: where only some children come inside the values of their parents, calls bring as few as is stated,
// and data is made with as many in all as parents have.
func TestLengthInside(t *testing.T) {
	r := stated(t, `
entities:
  Meeting:
    identity: [meetingId]
    attributes:
      meetingId: {type: string, generated: ulid}
    bytes: 200
    count: 8_000
  Guest:
    identity: [meetingId, name]
    attributes:
      meetingId: {parent: Meeting, inverse: guests, per-parent: {average: 12, max: 180}}
      name: {type: string, bytes: 20}
      asked: {derived: count(questions)}
    bytes: 110
  Question:
    identity: [questionId]
    attributes:
      questionId: {type: string, generated: ulid}
      meetingId: {references: Guest, by: [meetingId, name], as: guest, inverse: questions, per-parent: {average: 2, max: 40}}
      name: string
    bytes: 110
    count: 192_000
patterns:
  getMeeting: {read: Meeting, given: [meetingId], with: [guests], rate: {average: 2/s, peak: 9/s}}
  getGuests: {read: Guest, given: [meetingId], order: name, page: 60, rate: {average: 2/s, peak: 9/s}}
  getQuestion: {read: Question, given: [questionId], rate: {average: 2/s, peak: 9/s}}
  callMeeting: {write: {create: Meeting, with: [guests]}, rate: {average: 0.01/s, peak: 1/s}, parameters: {meeting.guests: {length: {average: 3, max: 20}}}}
  invite: {write: {create: Guest, requires: [meeting]}, rate: {average: 0.1/s, peak: 2/s}}
  ask: {write: {create: Question, requires: [guest]}, rate: {average: 0.1/s, peak: 2/s}}
`)
	planned, e := prove.Populate(r), proof(t, cheapest(t, r))
	allProven(t, e)
	if guest := r.Entity("Guest"); e.Entities["Guest"] < planned.Count[guest]*9/10 || planned.Children[guest.Parent].Max < 150 {
		t.Errorf("%d Guest are made where %d are planned, %v each", e.Entities["Guest"], planned.Count[guest], planned.Children[guest.Parent])
	}
	units := 0.0
	for _, n := range e.Pattern("callMeeting").Consumed {
		units += n
	}
	if units < 2*(1+2) || units > 2*(1+4) { // a transaction of a meeting and 3 guests, and not 12
		t.Errorf("a call of callMeeting consumes %v units", units)
	}
}

// TestLengthInside_together: an item that is created with the children inside it is as large as those that come with
// the call.
func TestLengthInside_together(t *testing.T) {
	e := proof(t, cheapest(t, stated(t, `
entities:
  Meeting:
    identity: [meetingId]
    attributes:
      meetingId: {type: string, generated: ulid}
      guestsCount: {derived: count(guests)}
    bytes: 200
    count: 8_000
  Guest:
    identity: [meetingId, name]
    attributes:
      meetingId: {parent: Meeting, inverse: guests, per-parent: {average: 12, max: 60}}
      name: {type: string, bytes: 20}
      note: {type: string, bytes: 80}
      state: {states: [asked, coming], share: {asked: 40%}}
    bytes: 190
patterns:
  getMeeting: {read: Meeting, given: [meetingId], with: [guests], rate: {average: 20/s, peak: 90/s}}
  callMeeting:
    write:
      - {create: Meeting, with: [guests]}
    rate: {average: 0.01/s, peak: 1/s}
    parameters: {meeting.guests: {length: {average: 3, max: 20}}}
  invite: {write: {create: Guest, requires: [meeting]}, rate: {average: 0.1/s, peak: 2/s}}
  say: {write: {update: Guest, set: {state: coming}}, rate: {average: 0.1/s, peak: 2/s}}
`)))
	allProven(t, e)
	units := 0.0
	for _, n := range e.Pattern("callMeeting").Estimated {
		units += n
	}
	if units <= 1 || units >= 1.5 { // 3 guests of 190 bytes, now and then more than 4, and not 12
		t.Errorf("a call of callMeeting is estimated at %v units", units)
	}
}
