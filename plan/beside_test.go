package plan_test

import (
	"testing"

	"github.com/tablewright/tablewright/plan"
)

// TestJoinsPut: the check of what an action requires is part of the put where an action before it creates just that. Of something else
// it stays a check.
func TestJoinsPut(t *testing.T) {
	r := requirements(t, "rooms.yaml", []byte(`
tablewright: 1
application: rooms
entities:
  Account: {identity: [accountId], attributes: {accountId: {type: string, bytes: 10}}, bytes: 90, count: 9_000}
  Room: {identity: [roomId], attributes: {roomId: {type: string, bytes: 12}}, bytes: 120, count: 3_000}
  Seat:
    identity: [roomId, accountId]
    attributes:
      roomId: {references: Room, inverse: seats, per-parent: {average: 9, max: 300}}
      accountId: {references: Account, inverse: seats, per-parent: {average: 3, max: 90}}
    bytes: 60
    count: 27_000
patterns:
  addAccount: {write: {create: Account}, rate: {average: 0.001/s, peak: 1/s}}
  open: {write: [{create: Room}, {create: Seat, requires: [room, account]}], rate: {average: 0.01/s, peak: 1/s}}
`))
	m, _ := document(t, "rooms.model.yaml", []byte(`
tablewright: 1
application: rooms
tables:
  Accounts: {attributes: {accountId: S}, key: {partition: accountId}, items: {Account: {}}}
  Rooms: {attributes: {roomId: S}, key: {partition: roomId}, items: {Room: {}}}
  Seats: {attributes: {roomId: S, accountId: S}, key: {partition: roomId, sort: accountId}, items: {Seat: {}}}
plans:
  addAccount: {steps: {a: {put: Account, if: absent}}}
  open:
    steps:
      a:
        transact:
          - {put: Room, value: $room, if: absent}
          - {put: Seat, value: $seat, if: absent}
          - {check: Room, key: {roomId: $seat.roomId}, if: present}
          - {check: Account, key: {accountId: $seat.accountId}, if: present}
`))
	p, problems := plan.Compile(m, r)
	for _, x := range problems {
		t.Fatal(x)
	}
	for i, want := range []bool{false, false, true, false} {
		if s := p.Procedure("open").Stages[0].Actions[i]; s.JoinsPut() != want {
			t.Errorf("action %d, %s of %s, joins a put: %t, want %t", i, s.Verb, s.Kind.Name, s.JoinsPut(), want)
		}
	}
}
