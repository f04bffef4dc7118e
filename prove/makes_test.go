package prove_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/norace"
)

// TestWhatIsMadeFollowsTheRest: an action that may make what it changes takes its key from what the other actions are about, and does
// not move them to what is stored for another key.
func TestWhatIsMadeFollowsTheRest(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	e := proof(t, cheapest(t, stated(t, `
entities:
  Campaign:
    identity: [campaignId]
    attributes: {campaignId: {type: string, generated: ulid}, budget: {type: number, digits: 9, min: 0}, state: {states: {running: [ended], ended: []}, share: {running: 4%}}}
    bytes: 90
    count: 20_000
  Break:
    identity: [stationId, startsAt]
    attributes: {stationId: {type: string, bytes: 4, distinct: 80}, startsAt: timestamp, spots: {type: number, digits: 1, min: 0, max: 8}, closed: {type: bool, share: {true: 91%}}}
    bytes: 90
    count: 80_000
  Spot:
    identity: [spotId]
    attributes:
      spotId: {type: string, generated: ulid}
      stationId: {references: Break, by: [stationId, startsAt], as: break, inverse: bookings, per-parent: {average: 4, max: 8}}
      startsAt: timestamp
      campaignId: {references: Campaign, inverse: spots, per-parent: {average: 16, max: 90}}
      price: {type: number, digits: 5, min: 0}
    bytes: 150
    count: 320_000
  DayPlan:
    identity: [campaignId, stationId, day]
    attributes: {campaignId: {references: Campaign, inverse: days, per-parent: {average: 6, max: 60}}, stationId: {type: string, bytes: 4, distinct: 80}, day: date, spots: {type: number, digits: 2, min: 0, max: 12}}
    bytes: 90
    count: 120_000
patterns:
  getCampaign: {read: Campaign, given: [campaignId], rate: {average: 1/s, peak: 2/s}}
  getBreak: {read: Break, given: [stationId, startsAt], rate: {average: 1/s, peak: 2/s}}
  draft: {write: {create: Campaign}, rate: {average: 0.01/s, peak: 1/s}}
  plan: {write: {create: Break}, rate: {average: 0.04/s, peak: 1/s}}
  getSpot: {read: Spot, given: [spotId], rate: {average: 1/s, peak: 2/s}}
  getDays: {read: DayPlan, given: [campaignId], rate: {average: 1/s, peak: 2/s}}
  book:
    write:
      - create: Spot
      - {update: Break, key: {stationId: $spot.stationId, startsAt: $spot.startsAt}, set: {spots: spots + 1}, condition: closed = false and spots < 8, refusal: full}
      - {update: Campaign, key: {campaignId: $spot.campaignId}, set: {budget: budget - $spot.price}, condition: state = running and budget >= $spot.price, refusal: campaign}
      - {upsert: DayPlan, key: {campaignId: $spot.campaignId, stationId: $spot.stationId, day: $day}, set: {spots: "if_missing(spots, 0) + 1"}, condition: spots < 12, refusal: too-often}
    rate: {average: 0.15/s, peak: 5/s}
`)))
	p := e.Pattern("book")
	if p.Measured < 16 || p.Failure != nil && !strings.Contains(p.Failure.Cause, "answers were right") {
		t.Errorf("%d calls are measured, %v, refused %v", p.Measured, p.Failure, p.Refused)
	}
}
