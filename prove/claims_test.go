package prove_test

import "testing"

// TestClaimIsHandedOver: a unique value may pass from one instance to another in one call, if an earlier action gives it up. Its
// marker is written once.
func TestClaimIsHandedOver(t *testing.T) {
	allProven(t, proof(t, cheapest(t, stated(t, `
entities:
  Player: {identity: [playerId], attributes: {playerId: {type: string, bytes: 6}}, bytes: 120, count: 300}
  Club: {identity: [clubId], attributes: {clubId: {type: string, bytes: 6}}, bytes: 120, count: 40}
  Membership:
    identity: [clubId, playerId]
    attributes:
      clubId: {parent: Club, inverse: members, per-parent: {average: 15, max: 60}}
      playerId: {references: Player, inverse: memberships, per-parent: {average: 2, max: 6}}
      first: {type: bool, share: {true: 40%}}
    unique: [{of: [playerId], while: first = true}]
    bytes: 120
    count: 600
patterns:
  addPlayer: {write: {create: Player}, rate: {average: 1/h, peak: 1/s}}
  addClub: {write: {create: Club}, rate: {average: 1/h, peak: 1/s}}
  join: {write: {create: Membership, requires: [club, player]}, rate: {average: 10/h, peak: 1/s}}
  ofPlayer: {read: Membership, given: [playerId], results: {average: 2, max: 6}, rate: {average: 1/s, peak: 3/s}}
  move:
    write:
      - {update: Membership, key: {clubId: $from, playerId: $player}, set: {first: false}, condition: first = true, refusal: not-first}
      - {update: Membership, key: {clubId: $to, playerId: $player}, set: {first: true}, condition: first = false, refusal: not-member}
    rate: {average: 5/h, peak: 1/s}
  leaveFor:
    write:
      - {delete: Membership, key: {clubId: $old, playerId: $membership.playerId}}
      - {create: Membership, requires: [club, player]}
    rate: {average: 5/h, peak: 1/s}
`))))
}

// TestChildrenClaimTheirParent: of children that are created with their parent one alone has what is unique under it.
func TestChildrenClaimTheirParent(t *testing.T) {
	allProven(t, proof(t, cheapest(t, stated(t, `
entities:
  Vehicle: {identity: [vehicleId], attributes: {vehicleId: {type: string, generated: ulid}}, bytes: 220, count: 400}
  Holding:
    identity: [vehicleId, holdingId]
    attributes:
      vehicleId: {parent: Vehicle, inverse: holdings, per-parent: {average: 3, max: 20}}
      holdingId: {type: string, generated: ulid}
      endedAt: {type: timestamp, optional: true, share: 68%}
    unique: [{of: [vehicleId], while: absent(endedAt)}]
    bytes: 120
    count: 1_200
patterns:
  register: {write: {create: Vehicle, with: [holdings]}, rate: {average: 420/day, peak: 3/s}}
  end: {write: {update: Holding, set: {endedAt: now}, condition: absent(endedAt), refusal: ended}, rate: {average: 300/day, peak: 3/s}}
  get: {read: Vehicle, given: [vehicleId], with: [holdings], rate: {average: 1/s, peak: 3/s}}
`))))
}

// TestNoMarkerIsLeftBehind: whom a delete tests to be no leader has no marker, whatever else the same call writes.
func TestNoMarkerIsLeftBehind(t *testing.T) {
	allProven(t, proof(t, cheapest(t, stated(t, `
entities:
  Clan:
    identity: [clanId]
    attributes: {clanId: {type: string, generated: ulid}, members: {type: number, digits: 3, min: 0}}
    bytes: 90
    count: 6_000
  Member:
    identity: [playerId]
    attributes:
      playerId: {type: string, bytes: 8}
      clanId: {references: Clan, inverse: roster, per-parent: {average: 18, max: 50}}
      role: {enum: [leader, officer, member], share: {leader: 5.5%, officer: 12%}}
    unique: [{of: [clanId], while: role = leader}]
    bytes: 90
    count: 108_000
patterns:
  found: {write: {create: Clan}, rate: {average: 0.1/s, peak: 1/s}}
  getClan: {read: Clan, given: [clanId], rate: {average: 1/s, peak: 2/s}}
  getMember: {read: Member, given: [playerId], rate: {average: 1/s, peak: 2/s}}
  join:
    write:
      - create: Member
      - {update: Clan, key: {clanId: $member.clanId}, set: {members: members + 1}, condition: members < 50, refusal: full}
    rate: {average: 1/s, peak: 2/s}
  leave:
    write:
      - {delete: Member, condition: role != leader, refusal: leads}
      - {update: Clan, key: {clanId: member.clanId}, set: {members: members - 1}, condition: members >= 1, refusal: miscounted}
    rate: {average: 1/s, peak: 2/s}
`))))
}
