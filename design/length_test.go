package design

import (
	"regexp"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/model"
)

// Guests have a number that others count, so that they cannot lie inside the item of their meeting.
const meetings = `tablewright: 1
application: meetings
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
      meetingId: {parent: Meeting, inverse: guests, per-parent: {average: 6, max: 180}}
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
    count: 96_000
patterns:
  getMeeting: {read: Meeting, given: [meetingId], with: [guests], rate: {average: 2/s, peak: 9/s}}
  ask: {write: {create: Question, requires: [guest]}, rate: {average: 0.1/s, peak: 2/s}}
  getQuestion: {read: Question, given: [questionId], rate: {average: 2/s, peak: 9/s}}
`

// TestLengthInside: how many children come with one call is what a transaction is held to, where it is stated; the
// refusal of one that is too large says how to state it, and check finds it.
func TestLengthInside(t *testing.T) {
	const (
		invite = "  invite: {write: {create: Guest, requires: [meeting]}, rate: {average: 0.1/s, peak: 2/s}}\n"
		call   = "  callMeeting: {write: {create: Meeting, with: [guests]}, rate: {average: 0.01/s, peak: 1/s}%s}\n"
	)
	examined := func(patterns, length string) (message, instead string) {
		r, _, ds := model.ReadRequirements("meetings.yaml", []byte(meetings+strings.Replace(patterns, "%s", length, 1)))
		if ds.Errors() > 0 {
			t.Fatal(ds.Err())
		}
		found, all := Examine(t.Context(), r, Options{})
		if !all || len(found) > 1 {
			t.Fatalf("%v (all %t)", found, all)
		}
		_, err := Design(t.Context(), r, Options{Steps: 2_000})
		if (err != nil) != (len(found) > 0) {
			t.Fatalf("examined: %v; designed: %v", found, err)
		}
		for _, o := range found {
			if o.Of != "callMeeting" || !strings.Contains(err.Error(), o.Instead) {
				t.Errorf("%s: %s: %v", o.Of, o.Message, err)
			}
			message, instead = o.Message, o.Instead
		}
		return message, instead
	}
	message, instead := examined(call+invite, "")
	paste := regexp.MustCompile("`(parameters: .*?)`").FindStringSubmatch(instead)
	if !strings.Contains(message, "181 actions") || paste == nil || paste[1] != "parameters: {meeting.guests: {length: {average: 6, max: 99}}}" {
		t.Fatalf("%s: %s", message, instead)
	}
	if message, _ := examined(call+invite, ", "+paste[1]); message != "" {
		t.Errorf("as it is to be written: %s", message)
	}
	if message, instead := examined(call+invite, ", parameters: {meeting.guests: {length: {average: 3, max: 120}}}"); !strings.Contains(message, "121 actions") ||
		!strings.Contains(instead, "bring fewer: `parameters: {meeting.guests: {length: {average: 6, max: 99}}}`") || strings.Contains(instead, "Guest.meetingId") {
		t.Errorf("a length above what fits: %s: %s", message, instead)
	}
	if _, instead := examined(call, ""); !strings.Contains(instead, "at most 99 for Guest.meetingId") || strings.Contains(instead, "parameters") {
		t.Errorf("where none comes later: %s", instead)
	}
}

// TestOvercrowded: a transaction that is too large in every layout is found where there are more layouts than are
// looked at.
func TestOvercrowded(t *testing.T) {
	r, _, ds, err := model.LoadRequirements("testdata/workloads/evidence-reviews.yaml")
	if err != nil || ds.Errors() > 0 {
		t.Fatal(err, ds.Err())
	}
	found, _ := Examine(t.Context(), r, Options{})
	if len(found) != 1 || found[0].Of != "startReview" || !strings.Contains(found[0].Instead, "`parameters: {review.reviewers: {length: {average: 4.5, max: 98}}}`") {
		t.Errorf("%v", found)
	}
}
