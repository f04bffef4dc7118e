package prove_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/norace"
)

// TestWhatIsMadeFollowsTheRest: an action that may make what it changes takes its key from what the other actions are
// about, and does not move them to what is stored for another key.
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

// TestEachElementHasItsOwn: where all that is done for each element of a list is rarely stored together, it is made for
// as many elements as lists have, so that calls are as large as is stated.
func TestEachElementHasItsOwn(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	e := proof(t, cheapest(t, stated(t, `
entities:
  Vessel: {identity: [vesselId], attributes: {vesselId: {type: string, bytes: 12}, name: {type: string, bytes: 20}}, bytes: 90, count: 24_000}
  Quota:
    identity: [speciesId, areaId]
    attributes:
      speciesId: {type: string, bytes: 3, distinct: 180}
      areaId: {type: string, bytes: 5, distinct: 60}
      remaining: {type: number, digits: 9, min: 0}
      state: {states: {open: [closed], closed: []}, share: {open: 9%}}
    bytes: 90
    count: 12_000
  Allocation:
    identity: [vesselId, speciesId, areaId]
    attributes:
      vesselId: {references: Vessel, inverse: allocations, per-parent: {average: 20, max: 80}}
      speciesId: {references: Quota, by: [speciesId, areaId], as: quota, inverse: allocations, per-parent: {average: 40, max: 300}}
      areaId: {type: string, bytes: 5}
      remaining: {type: number, digits: 8, min: 0}
    bytes: 90
    count: 480_000
  Landing:
    identity: [landingId]
    attributes: {landingId: {type: string, generated: ulid}, vesselId: {references: Vessel, inverse: landings, per-parent: {average: 60, max: 400}}}
    bytes: 90
    count: 1_440_000
  Line:
    identity: [landingId, speciesId, areaId]
    attributes:
      landingId: {parent: Landing, inverse: lines, per-parent: {average: 3, max: 12}}
      speciesId: {type: string, bytes: 3}
      areaId: {type: string, bytes: 5}
      kg: {type: number, digits: 6, min: 1}
    bytes: 120
patterns:
  addVessel: {write: {create: Vessel}, rate: {average: 0.001/s, peak: 1/s}}
  getVessel: {read: Vessel, given: [vesselId], rate: {average: 1/s, peak: 2/s}}
  setQuota: {write: {create: Quota}, rate: {average: 0.001/s, peak: 1/s}}
  getQuota: {read: Quota, given: [speciesId, areaId], rate: {average: 1/s, peak: 2/s}}
  allot: {write: {create: Allocation, requires: [vessel, quota]}, rate: {average: 0.001/s, peak: 1/s}}
  getAllocations: {read: Allocation, given: [vesselId], rate: {average: 1/s, peak: 2/s}}
  getLanding: {read: Landing, given: [landingId], with: [lines], rate: {average: 1/s, peak: 2/s}}
  declare:
    write:
      - {create: Landing, with: [lines]}
      - {update: Allocation, each: $landing.lines, key: {vesselId: $landing.vesselId, speciesId: $each.speciesId, areaId: $each.areaId}, set: {remaining: remaining - $each.kg}, condition: remaining >= $each.kg, refusal: over}
      - {update: Quota, each: $landing.lines, key: {speciesId: $each.speciesId, areaId: $each.areaId}, set: {remaining: remaining - $each.kg}, condition: state = open and remaining >= $each.kg, refusal: exhausted}
    rate: {average: 0.1/s, peak: 5/s}
`)))
	p := e.Pattern("declare")
	if p.Measured < 16 || p.Failure != nil {
		t.Errorf("%d calls are measured, %v, refused %v, estimated %v, consumed %v", p.Measured, p.Failure, p.Refused, p.Estimated, p.Consumed)
	}
}

// TestListsThatMoveStates: where an update of a list of bare keys moves states, the data set is aged by it; the scans of one call
// have one moment, and so each is of another piece; and a signature comes with the last state, so that what is created and loaded
// has none, and is as small as that.
func TestListsThatMoveStates(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	e := proof(t, cheapest(t, stated(t, `
entities:
  Hotel: {identity: [hotelId], attributes: {hotelId: {type: string, bytes: 7}, name: {type: string, bytes: 20}}, bytes: 90, count: 90}
  Piece:
    identity: [chipId]
    attributes:
      chipId: {type: string, bytes: 24}
      hotelId: {references: Hotel, inverse: pieces, optional: true, share: 62%, per-parent: {average: 20, max: 90}}
      state: {states: {clean: [out], out: [dirty, lost], dirty: [clean], lost: [dirty]}, share: {out: 60%, dirty: 10%, lost: 2%}}
      movedAt: {type: timestamp, generated: now}
    bytes: 100
    count: 2_900
  Scan:
    identity: [chipId, at]
    attributes:
      chipId: {references: Piece, inverse: scans, per-parent: {average: 3, max: 9}}
      at: {type: timestamp, generated: now}
    bytes: 80
    count: 8_700
  Delivery:
    identity: [deliveryId]
    attributes:
      deliveryId: {type: string, generated: ulid}
      state: {states: [planned, loaded, delivered], also: [refused], share: {planned: 1%, loaded: 0.1%, refused: 0.5%}}
      signature: {type: binary, bytes: {average: 900, max: 2_000}, optional: true, share: 98%}
    bytes: {average: 1_100, max: 2_300}
    count: 600
patterns:
  addHotel: {write: {create: Hotel}, rate: {average: 0.001/s, peak: 1/s}}
  getHotel: {read: Hotel, given: [hotelId], with: [pieces], rate: {average: 0.1/s, peak: 2/s}}
  addPiece: {write: {create: Piece}, rate: {average: 0.001/s, peak: 1/s}}
  getPiece: {read: Piece, given: [chipId], with: [scans], rate: {average: 1/s, peak: 2/s}}
  ship:
    write: {update: Piece, key: {chipId: $each}, each: $chips, set: {state: out, hotelId: $hotelId, movedAt: now}, condition: state = clean, refusal: not-clean}
    atomic: false
    parameters: {chips: {length: {average: 4, max: 9}}}
    rate: {average: 0.2/s, peak: 4/s}
  bringBack:
    write: {update: Piece, key: {chipId: $each}, each: $chips, set: {state: dirty, movedAt: now}, remove: [hotelId], condition: "state in (out, lost)", refusal: not-out}
    atomic: false
    parameters: {chips: {length: {average: 4, max: 9}}}
    rate: {average: 0.2/s, peak: 4/s}
  wash:
    write: {update: Piece, key: {chipId: $each}, each: $chips, set: {state: clean, movedAt: now}, condition: state = dirty, refusal: not-dirty}
    atomic: false
    parameters: {chips: {length: {average: 4, max: 9}}}
    rate: {average: 0.2/s, peak: 4/s}
  lose: {write: {update: Piece, set: {state: lost, movedAt: now}, condition: state = out, refusal: not-out}, rate: {average: 0.001/s, peak: 1/s}}
  scan: {write: {create: Scan, each: $scans}, atomic: false, parameters: {scans: {length: {average: 20, max: 40}}}, rate: {average: 0.1/s, peak: 4/s}}
  plan: {write: {create: Delivery}, rate: {average: 0.01/s, peak: 1/s}}
  load: {write: {update: Delivery, set: {state: loaded}, condition: state = planned, refusal: not-planned}, rate: {average: 0.01/s, peak: 1/s}}
  deliver: {write: {update: Delivery, set: {state: delivered, signature: $signature}, condition: state = loaded, refusal: not-loaded}, rate: {average: 0.01/s, peak: 1/s}}
  refuse: {write: {update: Delivery, set: {state: refused}, condition: state = loaded, refusal: not-loaded}, rate: {average: 50/month, peak: 1/s}}
  getDelivery: {read: Delivery, given: [deliveryId], rate: {average: 0.1/s, peak: 1/s}}
`)))
	for _, p := range e.Patterns {
		if p.Failure != nil {
			t.Errorf("%s: %s", p.Name, p.Failure.Cause)
		}
	}
}

// TestBeginningOfABinary: what a binary is to begin with is a binary, too, with and without a key that tells it.
func TestBeginningOfABinary(t *testing.T) {
	allProven(t, proof(t, cheapest(t, stated(t, `
entities:
  Firmware:
    identity: [firmwareId]
    attributes: {firmwareId: {type: string, generated: ulid}, model: {type: string, distinct: 40}, digest: {type: binary, bytes: 32}}
    bytes: 90
    count: 4_000
patterns:
  addFirmware: {write: {create: Firmware}, rate: {average: 1/s, peak: 2/s}}
  getFirmware: {read: Firmware, given: [firmwareId], where: "begins_with(digest, $start)", optional: [start], rate: {average: 1/s, peak: 2/s}}
  findFirmware: {read: Firmware, given: [model], where: "begins_with(digest, $start)", results: {average: 2, max: 100}, rate: {average: 1/s, peak: 2/s}}
`))))
}

// TestNumberPastItsKey: notes name their deed by a number of fewer digits than a deed can have. A deed past that has
// none.
func TestNumberPastItsKey(t *testing.T) {
	allProven(t, proof(t, cheapest(t, stated(t, `
entities:
  Deed:
    identity: [bookId, deedNo]
    attributes: {bookId: {type: string, bytes: 6, distinct: 90}, deedNo: {sequence: bookId}, title: string}
    bytes: 90
    count: 4_000
  Note:
    identity: [bookId, deedNo, noteNo]
    attributes:
      bookId: {references: Deed, by: [bookId, deedNo], as: deed, inverse: notes, per-parent: {average: 0.7, max: 40}}
      deedNo: {type: number, digits: 5, min: 1}
      noteNo: {type: number, digits: 3, min: 1}
    bytes: 300
    count: 2_800
patterns:
  addDeed: {write: {create: Deed}, rate: {average: 1/s, peak: 2/s}}
  addNote: {write: {create: Note}, rate: {average: 1/s, peak: 2/s}}
  getDeed: {read: Deed, given: [bookId, deedNo], with: [notes], rate: {average: 1/s, peak: 2/s}}
  getNote: {read: Note, given: [bookId, deedNo, noteNo], with: [deed], rate: {average: 1/s, peak: 2/s}}
`))))
}

// TestNothingToFollow: a call that leaves out all that an update could set leaves the marker alone that holds a copy of
// it.
func TestNothingToFollow(t *testing.T) {
	allProven(t, proof(t, cheapest(t, stated(t, `
entities:
  Creditor: {identity: [creditorId], attributes: {creditorId: {type: string, bytes: 6}}, bytes: 90, count: 300}
  Debtor:
    identity: [debtorId]
    attributes:
      debtorId: {type: string, generated: ulid}
      creditorId: {references: Creditor, inverse: debtors, per-parent: {average: 1_000, max: 40_000}}
      customerNo: {type: string, bytes: 10}
      name: {type: string, bytes: {average: 20, max: 80}}
      email: {type: string, bytes: {average: 20, max: 80}}
    unique: [[creditorId, customerNo]]
    bytes: 300
    count: 300_000
patterns:
  addCreditor: {write: {create: Creditor}, rate: {average: 0.01/s, peak: 1/s}}
  getCreditor: {read: Creditor, given: [creditorId], rate: {average: 0.01/s, peak: 1/s}}
  addDebtor: {write: {create: Debtor}, rate: {average: 0.01/s, peak: 1/s}}
  editDebtor: {write: {update: Debtor, set: [name, email]}, optional: {name: 30%, email: 80%}, rate: {average: 0.02/s, peak: 2/s}}
  getByNo: {read: Debtor, given: [creditorId, customerNo], consistency: strong, rate: {average: 200/s, peak: 400/s}}
  getDebtor: {read: Debtor, given: [debtorId], rate: {average: 1/s, peak: 4/s}}
`))))
}

// TestCountsBesideWhatIsFound: what is counted beside the entities that a query finds is read for as many as it finds
// in the data, which are more than stated where there is room for few.
func TestCountsBesideWhatIsFound(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	allProven(t, proof(t, cheapest(t, stated(t, `
entities:
  Machine:
    identity: [machineId]
    attributes: {machineId: {type: string, generated: ulid}}
    bytes: 90
    count: 150_000
  Beat:
    identity: [machineId, at]
    attributes: {machineId: {parent: Machine, inverse: beats, per-parent: {average: 2_000, max: 9_000}}, at: timestamp}
    bytes: 90
  Campaign:
    identity: [campaignId]
    attributes:
      campaignId: {type: string, bytes: 8}
      closed: {type: bool, share: {true: 75%}}
      open: {derived: "count(cases where state != done)", within: 5min}
    bytes: 420
    count: 240
  Case:
    identity: [campaignId, machineId]
    attributes:
      campaignId: {parent: Campaign, inverse: cases, per-parent: {average: 3_000, max: 40_000}}
      machineId: {references: Machine, inverse: cases, per-parent: {average: 4.8, max: 30}}
      state: {states: [open, booked, done], share: {open: 4%, booked: 6%}}
    bytes: 120
patterns:
  addMachine: {write: {create: Machine}, rate: {average: 0.01/s, peak: 1/s}}
  beat: {write: {create: Beat}, rate: {average: 10/s, peak: 20/s}}
  getBeats: {read: Beat, given: [machineId], order: at descending, page: 20, rate: {average: 1/s, peak: 2/s}}
  issue: {write: {create: Campaign}, rate: {average: 3/month, peak: 1/s}}
  close: {write: {update: Campaign, set: {closed: true}}, rate: {average: 3/month, peak: 1/s}}
  addCase: {write: {create: Case}, rate: {average: 9_000/month, peak: 1/s}}
  do: {write: {update: Case, set: {state: done}}, rate: {average: 9_000/month, peak: 1/s}}
  getCampaigns: {read: Campaign, where: closed = false, results: {average: 60, max: 150}, rate: {average: 0.02/s, peak: 1/s}}
  getCasesOfMachine: {read: Case, given: [machineId], where: state != done, results: {average: 0.48, max: 9}, rate: {average: 3/s, peak: 30/s}}
`))))
}

// TestSizeOfWhatIsAbsent: what is absent has no size, not another one.
func TestSizeOfWhatIsAbsent(t *testing.T) {
	allProven(t, proof(t, cheapest(t, stated(t, `
entities:
  Price:
    identity: [priceId]
    attributes:
      priceId: {type: string, generated: ulid}
      market: {type: string, distinct: 40}
      currency: {type: string, bytes: {average: 3, max: 5}, optional: true, share: 60%}
    bytes: 90
    count: 4_000
patterns:
  addPrice: {write: {create: Price}, rate: {average: 1/s, peak: 2/s}}
  correct: {write: {update: Price, set: {market: $to}, condition: size(currency) != 3, refusal: settled}, rate: {average: 1/s, peak: 2/s}}
  getPrices: {read: Price, given: [market], where: size(currency) != 3, results: {average: 40, max: 100}, rate: {average: 1/s, peak: 2/s}}
`))))
}
