package design_test

import (
	"testing"

	"github.com/tablewright/tablewright/design"
)

// TestRefusedOnce: a plan that the compiler refuses for two reasons goes once, and the plan that takes its place stays.
func TestRefusedOnce(t *testing.T) {
	d, err := design.Design(t.Context(), parse(t, refusedTwice), design.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(design.Refused(d)) == 0 {
		t.Error("the compiler refuses nothing: the test shows nothing")
	}
}

const refusedTwice = `tablewright: 1
application: repairs
entities:
  Ward:
    identity: [wardId]
    attributes:
      wardId: {type: string, generated: ksuid}
      opened: timestamp
    count: 103_000
  Reader:
    identity: [readerId]
    attributes:
      readerId: {type: string, bytes: {average: 9, max: 29}}
      currency: {type: string, bytes: 120}
      wardId: {parent: Ward, inverse: readers, per-parent: {average: 0.536, max: 3}}
      mentorId: {references: Reader, inverse: readers, per-parent: {average: 0.92, max: 2_580}, optional: true, share: 92%}
    bytes: {average: 327, max: 415}
patterns:
  addWard: {write: {create: Ward}, rate: {average: 0.4/h, peak: 2/h}}
  addReader: {write: {create: Reader}, rate: {average: 0.03625/s, peak: 1.275/s}}
  getWard: {read: Ward, given: [wardId], with: [readers], rate: {average: 5/h, peak: 40/h}}
  readersOfWard:
    read: Reader
    given: [wardId]
    with: [ward, readers.ward]
    returns: [readerId, currency, ward.opened]
    order: ward.wardId
    results: {average: 0.536, max: 3}
    top: 10
    rate: {average: 0.6/day, peak: 1/day}
`
