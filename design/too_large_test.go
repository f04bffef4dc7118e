package design_test

import "testing"

// TestTooLargeBesidePresent: what would be too large a transaction lies in one item, whatever other writes test.
func TestTooLargeBesidePresent(t *testing.T) {
	r := parse(t, `tablewright: 1
application: stalls
entities:
  Stall:
    identity: [stallId]
    attributes:
      stallId: {type: string, bytes: 9}
      size: {type: number, digits: 2}
    count: 1_000
  Shelf:
    identity: [stallId, shelfId]
    attributes:
      stallId: {parent: Stall, inverse: shelves, per-parent: {average: 3, max: 500}}
      shelfId: {type: string, bytes: 9}
patterns:
  open: {write: {create: Stall, with: [shelves]}, rate: {average: 1/s, peak: 2/s}}
  grow: {write: {update: Stall, set: [size], condition: present}, rate: {average: 1/s, peak: 2/s}}
  stall: {read: Stall, given: [stallId], with: [shelves], rate: {average: 1/s, peak: 2/s}}
`)
	compiled(t, r, designed(t, r))
}
