package plan_test

import (
	"testing"

	"github.com/tablewright/tablewright/plan"
)

// TestRenews: a marker that a call deletes and puts anew is one write where both take its value from the same place, and two
// where they do not.
func TestRenews(t *testing.T) {
	r := requirements(t, "requirements.yaml", []byte(`
tablewright: 1
application: members
entities:
  Member:
    identity: [clubId, playerId]
    attributes:
      clubId: {type: string, bytes: 6}
      playerId: {type: string, bytes: 6}
    unique: [playerId]
    bytes: 100
    count: 1_000
patterns:
  leave:
    write: [{delete: Member, key: {clubId: $old, playerId: $member.playerId}}, {create: Member}]
    rate: {average: 1/s, peak: 1/s}
  exchange:
    write: [{delete: Member, key: {clubId: $old, playerId: $whom}}, {create: Member}]
    rate: {average: 1/s, peak: 1/s}
`))
	m, _ := document(t, "model.yaml", []byte(`
tablewright: 1
application: members
tables:
  Markers: {attributes: {playerId: S}, key: {partition: playerId}, items: {Marker: {holds: {unique: Member.playerId}, key: {playerId: "{playerId}"}}}}
  Members: {attributes: {clubId: S, playerId: S}, key: {partition: clubId, sort: playerId}, items: {Member: {holds: Member}}}
plans:
  leave:
    steps:
      found: {get: Member, key: {clubId: $old, playerId: $member.playerId}, consistent: true}
      write:
        transact:
          - {delete: Member, key: {clubId: $old, playerId: $member.playerId}, still: $found}
          - {put: Member, value: $member, if: absent}
          - {delete: Marker, each: $found, key: {playerId: $member.playerId}}
          - {put: Marker, value: $member, if: absent}
  exchange:
    steps:
      found: {get: Member, key: {clubId: $old, playerId: $whom}, consistent: true}
      write:
        transact:
          - {delete: Member, key: {clubId: $old, playerId: $whom}, still: $found}
          - {put: Member, value: $member, if: absent}
          - {delete: Marker, each: $found, key: {playerId: $whom}}
          - {put: Marker, value: $member, if: absent}
`))
	compiled, problems := plan.Compile(m, r)
	for _, x := range problems {
		t.Fatal(x)
	}
	for name, one := range map[string]bool{"leave": true, "exchange": false} {
		var removed, put *plan.Stage
		for _, s := range compiled.Procedure(name).Stages {
			for _, a := range s.Actions {
				switch {
				case a.Kind.Role != plan.UniqueItem:
				case a.Verb == plan.Delete:
					removed = a
				default:
					put = a
				}
			}
		}
		if put.Renews(removed) != one {
			t.Errorf("%s: the marker is one write: %v, want %v", name, !one, one)
		}
		if removed.Renews(put) {
			t.Errorf("%s: a delete renews a put", name)
		}
	}
}
