package prove_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
	"github.com/tablewright/tablewright/spec"
)

// stated reads requirements; what every test would repeat is added.
func stated(t testing.TB, text string) *spec.Requirements {
	t.Helper()
	r, _, found := model.ReadRequirements("needs.yaml", []byte("tablewright: 1\napplication: needs\n"+text))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	return r
}

// byHand compiles a model for requirements.
func byHand(t testing.TB, r *spec.Requirements, text string) *plan.Program {
	t.Helper()
	m, source, found := model.ReadModel("needs.model.yaml", []byte("tablewright: 1\napplication: needs\n"+text))
	if m == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	p, found := model.CompileModel(m, source, r)
	if found.Errors() > 0 {
		t.Fatal(found)
	}
	return p
}

// cheapest designs a model for requirements.
func cheapest(t testing.TB, r *spec.Requirements) *plan.Program {
	t.Helper()
	d, err := design.Design(t.Context(), r, design.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, problems := plan.Compile(d.Model, r)
	for _, x := range problems {
		if x.Severity == plan.Error {
			t.Fatal(x)
		}
	}
	return p
}

func proof(t testing.TB, p *plan.Program) *prove.Evidence {
	t.Helper()
	e, err := prove.Run(t.Context(), p, onEngine(t))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestUnitsOfWhatCallsAreAbout: calls of writes find what they are about as often in the states, and with the
// attributes, that estimates speak of, also where what is stored is used up.
func TestUnitsOfWhatCallsAreAbout(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	for name, c := range map[string]struct {
		pattern string
		units   float64 // of its entries in indexes
		text    string
	}{
		"a state into which only a call about two things leads": {"finish", 0.97, `
entities:
  Linguist: {identity: [linguistId], attributes: {linguistId: {type: string, generated: ulid}}, bytes: 90, count: 60_000}
  Document:
    identity: [documentId]
    attributes:
      documentId: {type: string, generated: ulid}
      addedAt: {type: timestamp, generated: now}
      translatorId: {references: Linguist, inverse: translations, optional: true, share: 97%, per-parent: {average: 15.132, max: 2_000}}
      state: {states: [waiting, offered, working, done], share: {waiting: 0.5%, offered: 0.4%, working: 4%}}
    bytes: 300
    count: 936_000
  Offer:
    identity: [offerId]
    attributes:
      offerId: {type: string, generated: ulid}
      documentId: {references: Document, inverse: offers, per-parent: {average: 0.1, max: 6}}
      state: {states: [open, taken], share: {open: 8%}}
    bytes: 200
    count: 93_600
patterns:
  addLinguist: {write: {create: Linguist}, rate: {average: 0.01/s, peak: 1/s}}
  addDocument: {write: {create: Document}, rate: {average: 0.06/s, peak: 3/s}}
  offer: {write: [{create: Offer}, {update: Document, key: {documentId: $offer.documentId}, set: {state: offered}}], rate: {average: 0.06/s, peak: 3/s}}
  take:
    write:
      - {update: Offer, set: {state: taken}, condition: state = open and documentId = $documentId, refusal: gone}
      - {update: Document, set: {translatorId: $linguistId, state: working}, condition: absent(translatorId), refusal: has-one}
    rate: {average: 0.06/s, peak: 3/s}
  finish: {write: {update: Document, set: {state: done}}, rate: {average: 0.06/s, peak: 3/s}}
  getWork:
    read: Document
    given: [translatorId]
    where: state = working
    order: addedAt
    results: {average: 0.6, max: 40}
    rate: {average: 50/s, peak: 400/s}
`},
		"an attribute that few have, set beside what is created": {"defer", 1, `
entities:
  Centre: {identity: [centreId], attributes: {centreId: {type: string, bytes: 6}}, bytes: 90, count: 140}
  Donor:
    identity: [donorId]
    attributes:
      donorId: {type: string, generated: ulid}
      centreId: {references: Centre, inverse: donors, per-parent: {average: 9, max: 60}}
      eligibleFrom: {type: date, optional: true, share: 30%}
    bytes: 380
    count: 1_260
  Deferral:
    identity: [donorId, deferralId]
    attributes:
      donorId: {parent: Donor, inverse: deferrals, per-parent: {average: 0.4, max: 20}}
      deferralId: {type: string, generated: ulid}
    bytes: 180
patterns:
  addCentre: {write: {create: Centre}, rate: {average: 0.01/s, peak: 1/s}}
  register: {write: {create: Donor}, rate: {average: 0.01/s, peak: 1/s}}
  defer: {write: [{create: Deferral}, {update: Donor, key: {donorId: $deferral.donorId}, set: {eligibleFrom: $eligibleFrom}}], rate: {average: 0.1/s, peak: 1/s}}
  getEligible:
    read: Donor
    given: [centreId]
    where: eligibleFrom <= $day
    order: eligibleFrom
    results: {average: 2, max: 20}
    rate: {average: 50/s, peak: 400/s}
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := proof(t, cheapest(t, stated(t, c.text)))
			allProven(t, e)
			estimated, consumed, p := 0.0, 0.0, e.Pattern(c.pattern)
			for arm := range p.Consumed {
				if strings.Contains(arm, ".") {
					estimated, consumed = estimated+p.Estimated[arm], consumed+p.Consumed[arm]
				}
			}
			if math.Abs(estimated-c.units) > 0.04 || math.Abs(consumed-c.units) > 0.1 { // both by what some fifty calls meet
				t.Errorf("%s consumes %.3f units in indexes, and %.3f are estimated: want %.3f", p.Name, consumed, estimated, c.units)
			}
		})
	}
}

// TestNeedsAreProven proves needs whose data or calls have to be drawn with some thought.
func TestNeedsAreProven(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	for name, text := range map[string]string{
		"values on both sides of now": `
entities:
  Permit:
    identity: [ownerId, permitId]
    attributes:
      ownerId: {type: string, bytes: 10}
      permitId: {type: string, bytes: 10}
      endsAt: timestamp
      issued: {type: timestamp, generated: now}
    bytes: 150
    count: 50_000
patterns:
  issue: {write: {create: Permit}, rate: {average: 1/s, peak: 2/s}}
  valid: {read: Permit, given: [ownerId], where: endsAt > now, results: {average: 2, max: 30}, rate: {average: 1/s, peak: 2/s}}
  ended: {read: Permit, given: [ownerId], where: endsAt <= now, results: {average: 2, max: 30}, rate: {average: 1/s, peak: 2/s}}
  older: {read: Permit, given: [ownerId], where: issued < now - 7 days, results: {average: 2, max: 30}, rate: {average: 1/s, peak: 2/s}}
  newer: {read: Permit, given: [ownerId], where: issued >= now - 7 days, results: {average: 2, max: 30}, rate: {average: 1/s, peak: 2/s}}
`,
		"a list of what lies under one parent": `
entities:
  Shelf: {identity: [shelfId], attributes: {shelfId: {type: string, bytes: 10}}, bytes: 80, count: 1_000}
  Jar:
    identity: [shelfId, jarId]
    attributes:
      shelfId: {parent: Shelf, inverse: jars, per-parent: {average: 20, max: 300}}
      jarId: {type: string, bytes: 10}
      place: {type: number, digits: 3}
    bytes: 120
patterns:
  addShelf: {write: {create: Shelf}, rate: {average: 0.01/s, peak: 1/s}}
  getShelf: {read: Shelf, given: [shelfId], rate: {average: 1/s, peak: 2/s}}
  addJar: {write: {create: Jar}, rate: {average: 1/s, peak: 3/s}}
  jarsOn: {read: Jar, given: [shelfId], rate: {average: 1/s, peak: 2/s}}
  rearrange:
    write: {update: Jar, each: $jars, key: {shelfId: $shelfId, jarId: $each.jarId}, set: {place: $each.place}}
    parameters: {jars: {length: {average: 3, max: 12}}}
    rate: {average: 0.2/s, peak: 1/s}
`,
		"a long list that several callers make at once": `
entities:
  Trip: {identity: [tripId], attributes: {tripId: {type: string, bytes: 10}}, bytes: 80, count: 1_000}
  Bag:
    identity: [tripId, bagNo]
    attributes:
      tripId: {parent: Trip, inverse: bags, per-parent: {average: 20, max: 300}}
      bagNo: {type: string, bytes: 10}
      weight: {type: number, digits: 3}
    bytes: 120
patterns:
  addTrip: {write: {create: Trip}, rate: {average: 0.01/s, peak: 1/s}}
  bagsOn: {read: Bag, given: [tripId], rate: {average: 1/s, peak: 2/s}}
  checkIn: {write: {create: Bag, each: $bags}, atomic: false, parameters: {bags: {length: {average: 90, max: 200}}}, rate: {average: 0.1/s, peak: 1/s}}
`,
		"what a stored value says and no reference": `
entities:
  Yard: {identity: [yardId], attributes: {yardId: {type: string, bytes: 5}}, bytes: 80, count: 20}
  Row:
    identity: [yardId, rowNo]
    attributes:
      yardId: {parent: Yard, inverse: rows, per-parent: {average: 30, max: 60}}
      rowNo: {type: string, bytes: 10}
      free: {type: number, digits: 3, min: 0}
    bytes: 70
  Boat:
    identity: [boatId]
    attributes:
      boatId: {type: string, generated: ulid}
      yardId: {references: Yard, inverse: boats, per-parent: {average: 500, max: 900}}
      rowNo: {type: string, bytes: 10}
      leftAt: {type: timestamp, optional: true, share: 50%}
    bytes: 120
    count: 10_000
patterns:
  addYard: {write: {create: Yard}, rate: {average: 0.0001/s, peak: 1/s}}
  addRow: {write: {create: Row}, rate: {average: 0.0001/s, peak: 1/s}}
  rowsOf: {read: Row, given: [yardId], rate: {average: 1/s, peak: 2/s}}
  getBoat: {read: Boat, given: [boatId], rate: {average: 1/s, peak: 2/s}}
  come:
    write:
      - create: Boat
      - {update: Row, key: {yardId: $boat.yardId, rowNo: $boat.rowNo}, set: {free: free - 1}, condition: free >= 1, refusal: full}
    rate: {average: 0.1/s, peak: 1/s}
  move:
    write:
      - {update: Boat, set: {rowNo: $toRow}, condition: yardId = $yardId and rowNo = $fromRow, refusal: not-there}
      - {update: Row, key: {yardId: $yardId, rowNo: $fromRow}, set: {free: free + 1}}
      - {update: Row, key: {yardId: $yardId, rowNo: $toRow}, set: {free: free - 1}, condition: free >= 1, refusal: full}
    rate: {average: 0.2/s, peak: 1/s}
  leave:
    write:
      - {update: Boat, set: {leftAt: now}, condition: absent(leftAt) and yardId = $yardId and rowNo = $rowNo, refusal: not-there}
      - {update: Row, key: {yardId: $yardId, rowNo: $rowNo}, set: {free: free + 1}}
    rate: {average: 0.1/s, peak: 1/s}
`,
		"values of every form": `
entities:
  Tally:
    identity: [tallyId]
    attributes:
      tallyId: {type: string, bytes: 10}
      points: {type: number, digits: 6, optional: true, share: 50%}
      bonus: {type: number, digits: 6, optional: true, share: 50%}
      seen: {type: timestamp, optional: true}
      due: date
      marks: {type: list, of: string, length: {average: 3, max: 9}, optional: true, share: 50%}
      tags: {type: set, of: string, length: {average: 3, max: 9}, optional: true, share: 50%}
    bytes: 400
    count: 20_000
patterns:
  add: {write: {create: Tally}, rate: {average: 0.1/s, peak: 1/s}}
  get: {read: Tally, given: [tallyId], rate: {average: 1/s, peak: 2/s}}
  gain: {write: {update: Tally, set: {points: "if_missing(points, 0) + $gained"}}, parameters: {gained: {min: 1, max: 9}}, rate: {average: 1/s, peak: 2/s}}
  lose: {write: {update: Tally, set: {points: "if_missing(points, 10) - $lost - 1"}}, parameters: {lost: {min: 1, max: 9}}, rate: {average: 1/s, peak: 2/s}}
  rest: {write: {update: Tally, set: {points: "100 - if_missing(points, 0)"}}, rate: {average: 1/s, peak: 2/s}}
  both: {write: {update: Tally, set: {points: "if_missing(points, 0) + if_missing(bonus, 0)"}}, rate: {average: 1/s, peak: 2/s}}
  fall: {write: {update: Tally, set: {points: "if_missing(points, if_missing(bonus, 5))"}}, rate: {average: 1/s, peak: 2/s}}
  begin: {write: {update: Tally, set: {seen: "if_missing(seen, now)", due: now + 30 days}}, rate: {average: 1/s, peak: 2/s}}
  negate: {write: {update: Tally, set: {bonus: "-$by + 3"}}, parameters: {by: {min: 1, max: 9}}, rate: {average: 1/s, peak: 2/s}}
  note: {write: {update: Tally, set: {marks: "append(marks, $mark)"}}, rate: {average: 1/s, peak: 2/s}}
  head: {write: {update: Tally, set: {marks: "prepend(marks, $mark)"}}, rate: {average: 1/s, peak: 2/s}}
  tag: {write: {update: Tally, set: {tags: "append(tags, $tag)"}}, rate: {average: 1/s, peak: 2/s}}
`,
		"a number that lags beside children of children": `
entities:
  Site:
    identity: [siteId]
    attributes:
      siteId: {type: string, bytes: 8}
      name: {type: string, bytes: 28}
      free: {derived: count(plugs where state = free), within: 15s}
    bytes: 900
    count: 4_000
  Station:
    identity: [stationId]
    attributes:
      stationId: {type: string, bytes: 8}
      siteId: {references: Site, inverse: stations, per-parent: {average: 5, max: 40}}
    bytes: 300
    count: 20_000
  Plug:
    identity: [stationId, plugNo]
    attributes:
      stationId: {parent: Station, inverse: plugs, per-parent: {average: 2, max: 4}}
      plugNo: {type: number, digits: 1, min: 1}
      siteId: {references: Site, inverse: plugs, per-parent: {average: 10, max: 160}}
      state: {enum: [free, busy, broken], share: {free: 80%, broken: 3%}}
    bytes: 200
patterns:
  addSite: {write: {create: Site}, rate: {average: 0.001/s, peak: 1/s}}
  addStation: {write: {create: Station, with: [plugs]}, rate: {average: 0.005/s, peak: 1/s}}
  report: {write: {update: Plug, set: [state]}, rate: {average: 4/s, peak: 40/s}}
  getSite: {read: Site, given: [siteId], with: [stations.plugs], rate: {average: 8/s, peak: 60/s}}
`,
		"what updates alone make, with values that none of them writes": `
entities:
  House: {identity: [houseId], attributes: {houseId: {type: string, bytes: 8}}, bytes: 100, count: 1_000}
  Profile:
    identity: [houseId, guestId]
    attributes:
      houseId: {references: House, inverse: profiles, per-parent: {average: 80, max: 900}}
      guestId: {type: string, bytes: 10}
      visits: {type: number, digits: 4, min: 0}
      vip: {type: bool, share: {true: 2%}}
    bytes: 120
    count: 80_000
  Sales:
    identity: [houseId, day]
    attributes:
      houseId: {references: House, inverse: sales, per-parent: {average: 365, max: 366}}
      day: date
      guests: {type: number, digits: 4, min: 0}
    bytes: 60
    count: 365_000
  Stay:
    identity: [stayId]
    attributes:
      stayId: {type: string, generated: ulid}
      houseId: {references: House, inverse: stays, per-parent: {average: 20, max: 90}}
      state: {states: [here, gone, paid], share: {here: 10%, gone: 20%}}
    bytes: 90
    count: 20_000
patterns:
  addHouse: {write: {create: House}, rate: {average: 0.01/s, peak: 1/s}}
  getHouse: {read: House, given: [houseId], rate: {average: 1/s, peak: 2/s}}
  visit:
    write: {upsert: Profile, set: {visits: "if_missing(visits, 0) + 1", vip: "if_missing(vip, false)"}}
    rate: {average: 1/s, peak: 2/s}
  getVips: {read: Profile, given: [houseId], where: vip = true, rate: {average: 0.1/s, peak: 2/s}, results: {average: 1.6, max: 40}}
  arrive: {write: {create: Stay, requires: [house]}, rate: {average: 1/s, peak: 2/s}}
  leave:
    write:
      - {update: Stay, set: {state: gone}, condition: state = here and houseId = $houseId, refusal: left}
      - {upsert: Sales, key: {houseId: $houseId, day: $day}, set: {guests: "if_missing(guests, 0) + 1"}}
    rate: {average: 1/s, peak: 2/s}
  pay: {write: {update: Stay, set: {state: paid}}, rate: {average: 1/s, peak: 2/s}}
  unpaid: {read: Stay, given: [houseId], where: state = gone, rate: {average: 1/s, peak: 2/s}, results: {average: 4, max: 30}}
  getSales: {read: Sales, given: [houseId], where: day >= $from, order: day, results: {average: 30, max: 366}, rate: {average: 1/s, peak: 2/s}}
`,
		"lists of what lies under what another action is about": `
entities:
  Case:
    identity: [caseId]
    attributes:
      caseId: {type: string, generated: ulid}
      state: {states: [open, shipped], also: [dropped], share: {open: 20%, dropped: 2%}}
    bytes: 150
    count: 30_000
  Step:
    identity: [caseId, stepNo]
    attributes:
      caseId: {parent: Case, inverse: steps, per-parent: {average: 6, max: 40}}
      stepNo: {type: number, digits: 2, min: 1}
      state: {states: [waiting, ready, begun, done], also: [skipped], share: {waiting: 5%, ready: 3%, begun: 3%, skipped: 1%}}
    bytes: 90
patterns:
  receive: {write: {create: Case, with: [steps]}, rate: {average: 0.1/s, peak: 1/s}}
  getCase: {read: Case, given: [caseId], with: [steps], rate: {average: 1/s, peak: 2/s}}
  begin: {write: {update: Step, set: {state: begun}, condition: state = ready, refusal: not-ready}, rate: {average: 0.5/s, peak: 2/s}}
  finish:
    write:
      - {update: Step, set: {state: done}, condition: state = begun, refusal: not-begun}
      - {update: Step, each: $next, key: {caseId: $caseId, stepNo: $each.stepNo}, set: {state: ready}, condition: state = waiting, refusal: order}
    parameters: {next: {length: {average: 0.8, max: 4}}}
    rate: {average: 0.5/s, peak: 2/s}
  drop:
    write:
      - {update: Case, set: {state: dropped}, condition: state = open, refusal: not-open}
      - {update: Step, each: $steps, key: {caseId: $caseId, stepNo: $each.stepNo}, set: {state: skipped}, condition: "state in (waiting, ready)", refusal: begun}
    parameters: {steps: {length: {average: 3, max: 40}}}
    rate: {average: 0.01/s, peak: 1/s}
`,
		"what a creation requires, under the same race as what its guard asks for": `
entities:
  Race:
    identity: [dayId, raceNo]
    attributes:
      dayId: {type: string, bytes: 10}
      raceNo: {type: number, digits: 2, min: 1}
      state: {states: [open, off, settled], share: {open: 0.4%, off: 0.1%}}
    bytes: 120
    count: 21_000
  Runner:
    identity: [dayId, raceNo, number]
    attributes:
      dayId: {parent: Race, by: [dayId, raceNo], as: race, inverse: runners, per-parent: {average: 11, max: 40}}
      raceNo: {type: number, digits: 2, min: 1}
      number: {type: number, digits: 2, min: 1}
    bytes: 90
  Bet:
    identity: [betId]
    attributes:
      betId: {type: string, generated: ulid}
      dayId: {references: Runner, by: [dayId, raceNo, number], as: runner, inverse: bets, per-parent: {average: 4, max: 400}}
      raceNo: {type: number, digits: 2, min: 1}
      number: {type: number, digits: 2, min: 1}
    bytes: 90
    count: 924_000
patterns:
  addRace: {write: {create: Race}, rate: {average: 0.01/s, peak: 1/s}}
  declare: {write: {create: Runner, requires: [race]}, rate: {average: 0.1/s, peak: 1/s}}
  getRace: {read: Race, given: [dayId, raceNo], with: [runners], rate: {average: 1/s, peak: 2/s}}
  moveOn: {write: {update: Race, set: [state]}, rate: {average: 0.02/s, peak: 1/s}}
  getBet: {read: Bet, given: [betId], rate: {average: 1/s, peak: 2/s}}
  bet:
    write:
      - {create: Bet, requires: [runner]}
      - {update: Race, key: {dayId: $bet.dayId, raceNo: $bet.raceNo}, condition: state = open, refusal: off}
    rate: {average: 1/s, peak: 2/s}
  addBet: {write: {create: Bet, requires: [runner]}, rate: {average: 1/s, peak: 2/s}}
`,
		"calls that create a parent and as many children as it can have": `
entities:
  Race:
    identity: [raceId]
    attributes:
      raceId: {type: string, bytes: 10}
      state: {states: [open, off, settled], share: {open: 0.4%, off: 0.1%}}
    bytes: 120
    count: 21_000
  Pool:
    identity: [raceId, kind]
    attributes:
      raceId: {parent: Race, inverse: pools, per-parent: 4}
      kind: {enum: [win, place, exacta, trifecta], share: {win: 25%, place: 25%, exacta: 25%}}
    bytes: 90
  Ticket:
    identity: [ticketId]
    attributes:
      ticketId: {type: string, generated: ulid}
      raceId: {references: Pool, by: [raceId, kind], as: pool, inverse: tickets, per-parent: {average: 40, max: 400}}
      kind: {enum: [win, place, exacta, trifecta], share: {win: 25%, place: 25%, exacta: 25%}}
    bytes: 90
    count: 3_360_000
patterns:
  addRace: {write: [{create: Race}, {create: Pool, each: $pools}], parameters: {pools: {length: 4}}, rate: {average: 0.01/s, peak: 1/s}}
  getRace: {read: Race, given: [raceId], with: [pools], rate: {average: 1/s, peak: 2/s}}
  sell: {write: {create: Ticket, requires: [pool]}, rate: {average: 1/s, peak: 2/s}}
  moveOn: {write: {update: Race, set: [state]}, rate: {average: 0.02/s, peak: 1/s}}
  bet:
    write:
      - {create: Ticket, requires: [pool]}
      - {update: Race, key: {raceId: $ticket.raceId}, condition: state = open, refusal: off}
    rate: {average: 1/s, peak: 2/s}
  getTicket: {read: Ticket, given: [ticketId], rate: {average: 1/s, peak: 2/s}}
`,
		"lists of plain values": `
entities:
  Team: {identity: [teamId], attributes: {teamId: {type: string, bytes: 10}}, bytes: 80, count: 400}
  Right:
    identity: [teamId, person, name]
    attributes:
      teamId: {references: Team, inverse: rights, per-parent: {average: 60, max: 300}}
      person: {type: string, bytes: 12}
      name: {type: string, bytes: 8}
    bytes: 60
    count: 24_000
patterns:
  found: {write: {create: Team}, rate: {average: 0.01/s, peak: 1/s}}
  getTeam: {read: Team, given: [teamId], rate: {average: 1/s, peak: 2/s}}
  grant: {write: {create: Right}, rate: {average: 1/s, peak: 2/s}}
  rightsOf: {read: Right, given: [teamId], rate: {average: 1/s, peak: 2/s}}
  withdraw:
    atomic: false
    write: {delete: Right, each: $names, key: {teamId: $teamId, person: $person, name: $each}}
    parameters: {names: {length: {average: 1, max: 20}}}
    rate: {average: 0.1/s, peak: 1/s}
`,
		"what compares two attributes of one": `
entities:
  Clock: {identity: [clockId], attributes: {clockId: {type: string, bytes: 4}}, bytes: 60, count: 38}
  Lot:
    identity: [lotId]
    attributes:
      lotId: {type: string, generated: ulid}
      clockId: {references: Clock, inverse: lots, per-parent: {average: 60, max: 120}}
      stems: {type: number, digits: 6, min: 1}
      left: {type: number, digits: 6, min: 0}
      state: {states: [announced, queued, sold], also: [withdrawn], share: {announced: 0.6%, queued: 0.8%, withdrawn: 2%}}
    bytes: 330
    count: 2_280
patterns:
  addClock: {write: {create: Clock}, rate: {average: 0.01/s, peak: 1/s}}
  announce: {write: {create: Lot, requires: [clock]}, rate: {average: 0.5/s, peak: 1/s}}
  getLot: {read: Lot, given: [lotId], rate: {average: 1/s, peak: 2/s}}
  getWhole: {read: Lot, given: [clockId], where: left = stems, results: {average: 1, max: 20}, rate: {average: 1/s, peak: 2/s}}
  withdraw: {write: {update: Lot, set: {state: withdrawn}, condition: "state in (announced, queued) and left = stems", refusal: too-late}, rate: {average: 0.01/s, peak: 1/s}}
`,
		"a time that a key says": `
entities:
  Team: {identity: [teamId], attributes: {teamId: {type: string, bytes: 6}}, bytes: 60, count: 60}
  Agent: {identity: [agentId], attributes: {agentId: {type: string, bytes: 8}}, bytes: 60, count: 600}
  Slot:
    identity: [teamId, startsAt]
    attributes:
      teamId: {references: Team, inverse: slots, per-parent: {average: 40, max: 60}}
      startsAt: timestamp
    bytes: 70
    count: 2_400
    retention: 1 month after startsAt
  Break:
    identity: [teamId, startsAt, agentId]
    attributes:
      teamId: {parent: Slot, by: [teamId, startsAt], as: slot, inverse: breaks, per-parent: {average: 0.9, max: 4}}
      startsAt: timestamp
      agentId: {references: Agent, inverse: breaks, per-parent: {average: 3.6, max: 9}}
    bytes: 80
    retention: 1 month after startsAt
patterns:
  addTeam: {write: {create: Team}, rate: {average: 0.01/s, peak: 1/s}}
  hire: {write: {create: Agent}, rate: {average: 0.01/s, peak: 1/s}}
  open: {write: {create: Slot, requires: [team]}, rate: {average: 0.2/s, peak: 1/s}}
  book: {write: {create: Break, requires: [slot]}, rate: {average: 0.2/s, peak: 1/s}}
  getSlot: {read: Slot, given: [teamId, startsAt], with: [breaks], rate: {average: 1/s, peak: 2/s}}
  getBreaks: {read: Break, given: [agentId], where: startsAt >= now, order: startsAt, results: {average: 2, max: 9}, rate: {average: 1/s, peak: 2/s}}
`,
		"elements that name what is stored with what is around them": `
entities:
  Vessel: {identity: [vesselId], attributes: {vesselId: {type: string, bytes: 12}}, bytes: 90, count: 24_000}
  Allocation:
    identity: [vesselId, year, species]
    attributes:
      vesselId: {references: Vessel, inverse: allocations, per-parent: {average: 80, max: 400}}
      year: {type: number, digits: 4}
      species: {type: string, bytes: 3}
      remaining: {type: number, digits: 8, min: 0}
    bytes: 110
    count: 1_920_000
  Landing:
    identity: [landingId]
    attributes:
      landingId: {type: string, generated: ulid}
      vesselId: {references: Vessel, inverse: landings, per-parent: {average: 600, max: 4_000}}
    bytes: 120
    count: 14_400_000
  Line:
    identity: [landingId, species]
    attributes:
      landingId: {parent: Landing, inverse: lines, per-parent: {average: 2, max: 6}}
      species: {type: string, bytes: 3}
      kg: {type: number, digits: 6, min: 1}
    bytes: 75
patterns:
  addVessel: {write: {create: Vessel}, rate: {average: 0.01/s, peak: 1/s}}
  getVessel: {read: Vessel, given: [vesselId], rate: {average: 1/s, peak: 2/s}}
  allot: {write: {create: Allocation, requires: [vessel]}, rate: {average: 0.1/s, peak: 1/s}}
  getAllocations: {read: Allocation, given: [vesselId], page: 20, rate: {average: 1/s, peak: 2/s}}
  getLandings: {read: Landing, given: [vesselId], with: [lines], page: 20, rate: {average: 1/s, peak: 2/s}}
  declare:
    write:
      - {create: Landing, with: [lines]}
      - {update: Allocation, each: $landing.lines, key: {vesselId: $landing.vesselId, year: $year, species: $each.species}, set: {remaining: remaining - $each.kg}, condition: remaining >= $each.kg, refusal: over}
    rate: {average: 0.1/s, peak: 1/s}
`,
		"lists that claim what is held": `
entities:
  Patron: {identity: [patronId], attributes: {patronId: {type: string, bytes: 26}}, bytes: 90, count: 6_000}
  Show: {identity: [showId], attributes: {showId: {type: string, bytes: 12}, sold: {type: number, digits: 4, min: 0}}, bytes: 90, count: 60}
  Seat:
    identity: [showId, seatNo]
    attributes:
      showId: {parent: Show, inverse: seats, per-parent: {average: 100, max: 280}}
      seatNo: {type: string, bytes: 5}
      state: {states: {free: [held], held: [held, free, sold], sold: [free]}, share: {free: 60%, held: 2%}}
      heldBy: {references: Patron, as: holder, optional: true, share: 2%}
    bytes: 90
  Hold:
    identity: [holdId]
    attributes:
      holdId: {type: string, generated: ulid}
      patronId: {references: Patron, inverse: holds, per-parent: {average: 0.05, max: 3}}
      showId: {references: Show}
    bytes: 120
    count: 300
  HeldSeat:
    identity: [holdId, seatNo]
    attributes: {holdId: {parent: Hold, inverse: seats, per-parent: {average: 2, max: 5}}, seatNo: {type: string, bytes: 5}}
    bytes: 60
  Ticket:
    identity: [ticketId]
    attributes:
      ticketId: {type: string, generated: ulid}
      showId: {references: Show, inverse: tickets, per-parent: {average: 30, max: 280}}
      seatNo: {type: string, bytes: 5}
      patronId: {references: Patron, inverse: tickets, per-parent: {average: 0.3, max: 20}}
    unique: [[showId, seatNo]]
    bytes: 150
    count: 1_800
patterns:
  register: {write: {create: Patron}, rate: {average: 0.01/s, peak: 1/s}}
  plan: {write: {create: Show, with: [seats]}, atomic: false, rate: {average: 0.01/s, peak: 1/s}}
  getSeats: {read: Seat, given: [showId], rate: {average: 1/s, peak: 2/s}}
  getHolds: {read: Hold, given: [patronId], with: [seats], rate: {average: 1/s, peak: 2/s}}
  getTickets: {read: Ticket, given: [patronId], rate: {average: 1/s, peak: 2/s}}
  hold:
    write:
      - {create: Hold, with: [seats]}
      - {update: Seat, each: $hold.seats, key: {showId: $hold.showId, seatNo: $each.seatNo}, set: {state: held, heldBy: $hold.patronId}, condition: state = free, refusal: taken}
    rate: {average: 0.1/s, peak: 1/s}
  buy:
    write:
      - {delete: Hold, with: [seats], condition: patronId = $patronId, refusal: lapsed}
      - {create: Ticket, each: $tickets}
      - {update: Seat, each: $tickets, key: {showId: $each.showId, seatNo: $each.seatNo}, set: {state: sold}, remove: [heldBy], condition: state = held and heldBy = $patronId, refusal: not-held}
      - {update: Show, key: {showId: $showId}, set: {sold: sold + 1}}
    parameters: {tickets: {length: {average: 2, max: 5}}}
    rate: {average: 0.1/s, peak: 1/s}
`,
		"what lies ahead at the end of a way, and what a parent beside others is in": `
entities:
  Event:
    identity: [eventId]
    attributes:
      eventId: {type: string, generated: ulid}
      startsAt: timestamp
      state: {states: [announced, trading, closed], share: {announced: 2%, trading: 1%}}
    bytes: 500
    count: 60_000
  Section:
    identity: [eventId, section]
    attributes:
      eventId: {parent: Event, inverse: sections, per-parent: {average: 9, max: 90}}
      section: {type: string, bytes: {average: 5, max: 20}}
      cap: {type: number, digits: 7, min: 0}
    bytes: 130
  Ticket:
    identity: [ticketId]
    attributes:
      ticketId: {type: string, bytes: 24}
      eventId: {references: Section, by: [eventId, section], as: place, inverse: tickets, per-parent: {average: 20, max: 9_000}}
      section: {type: string, bytes: {average: 5, max: 20}}
      ownerId: {type: string, bytes: 8}
      startsAt: {derived: place.event.startsAt, within: 10min}
    bytes: 220
    count: 10_800_000
  Listing:
    identity: [listingId]
    attributes:
      listingId: {type: string, generated: ulid}
      ticketId: {references: Ticket, inverse: listings, per-parent: {average: 0.6, max: 40}}
      eventId: {references: Event, inverse: listings, per-parent: {average: 108, max: 90_000}}
      price: {type: number, digits: 7, min: 1}
    bytes: 290
    count: 6_480_000
patterns:
  announce: {write: {create: Event, with: [sections]}, rate: {average: 0.002/s, peak: 1/s}}
  start: {write: {update: Event, set: {state: trading}, condition: state = announced}, rate: {average: 0.002/s, peak: 1/s}}
  close: {write: {update: Event, set: {state: closed}, condition: state = trading}, rate: {average: 0.002/s, peak: 1/s}}
  getEvent: {read: Event, given: [eventId], with: [sections], rate: {average: 1/s, peak: 2/s}}
  issue: {write: {create: Ticket}, rate: {average: 0.35/s, peak: 2/s}}
  getListing: {read: Listing, given: [listingId], rate: {average: 1/s, peak: 2/s}}
  list:
    write:
      - create: Listing
      - update: Ticket
        key: {ticketId: $listing.ticketId}
        condition: eventId = $listing.eventId and section = $section
        refusal: elsewhere
      - {update: Section, key: {eventId: $listing.eventId, section: $section}, condition: cap >= $listing.price, refusal: above-cap}
      - {update: Event, key: {eventId: $listing.eventId}, condition: state = trading, refusal: not-trading}
    rate: {average: 0.22/s, peak: 2/s}
  ahead: {read: Ticket, given: [ownerId], where: startsAt > now, order: startsAt, page: 20, results: {average: 1.2, max: 300}, rate: {average: 2/s, peak: 3/s}}
`,
		"what ways lead to that is not there, and a condition that a call leaves out": `
entities:
  Desk: {identity: [deskId], attributes: {deskId: {type: string, bytes: 20}, choirKind: {references: Choir}}, count: 1_000}
  Concert:
    identity: [deskId, number]
    attributes: {deskId: {parent: Desk, inverse: concerts, per-parent: {average: 0.317, max: 1}}, number: {type: number}}
  Choir:
    identity: [kind]
    attributes:
      concertDeskId: string
      concertNumber: {parent: Concert, by: [concertDeskId, concertNumber], as: concert, per-parent: {average: 1.5, max: 3}}
      kind: string
    bytes: 400
  Musician: {identity: [musicianId], attributes: {musicianId: {type: string, bytes: 8}, category: {type: string, bytes: 3}}, bytes: 400, count: 1_000}
patterns:
  open: {write: {create: Desk, with: [concerts]}, rate: {average: 1/s, peak: 1/s}}
  choirs: {read: Choir, given: [concert.desk.deskId], where: concertNumber <= $number, results: {average: 0.254, max: 15}, rate: {average: 1/s, peak: 1/s}}
  move: {write: {upsert: Choir}, rate: {average: 1/s, peak: 1/s}}
  play: {write: {upsert: Musician, condition: category = $category, refusal: other}, rate: {average: 1/s, peak: 1/s}, optional: [category]}
  getMusician: {read: Musician, given: [musicianId], rate: {average: 1/s, peak: 1/s}}
`,
		"what one action asks of the parent that another one changes": `
entities:
  Campaign:
    identity: [campaignId]
    attributes:
      campaignId: {type: string, generated: ulid}
      left: {type: number, digits: 6, min: 0}
      endsAt: timestamp
      state: {states: {draft: [live], live: [ended], ended: []}, share: {draft: 2%, live: 4%}}
    bytes: 400
    count: 18_000
  Shopper: {identity: [shopperId], attributes: {shopperId: {type: string, generated: ulid}}, bytes: 90, count: 14_000_000}
  Clip:
    identity: [shopperId, campaignId]
    attributes:
      shopperId: {parent: Shopper, inverse: clips, per-parent: {average: 20, max: 90}}
      campaignId: {references: Campaign, inverse: clips, per-parent: {average: 15_556, max: 400_000}}
      endsAt: {derived: campaign.endsAt}
      state: {states: {clipped: [redeemed], redeemed: []}, share: {redeemed: 90%}}
    bytes: 150
    count: 280_000_000
  Redemption:
    identity: [receiptNo, campaignId]
    attributes:
      receiptNo: {type: string, bytes: 14}
      campaignId: {references: Campaign, inverse: redemptions, per-parent: {average: 10_000, max: 300_000}}
      shopperId: {type: string, bytes: 26}
    bytes: 160
    count: 180_000_000
patterns:
  register: {write: {create: Shopper}, rate: {average: 0.1/s, peak: 1/s}}
  addCampaign: {write: {create: Campaign}, rate: {average: 0.01/s, peak: 1/s}}
  getCampaign: {read: Campaign, given: [campaignId], rate: {average: 5/s, peak: 9/s}}
  launch: {write: {update: Campaign, set: {state: live}}, rate: {average: 0.01/s, peak: 1/s}}
  end: {write: {update: Campaign, set: {state: ended}}, rate: {average: 0.01/s, peak: 1/s}}
  clip: {write: {create: Clip, requires: [campaign]}, rate: {average: 2/s, peak: 9/s}}
  getWallet: {read: Clip, given: [shopperId], where: state = clipped and endsAt > now, order: endsAt, results: {average: 1, max: 50}, rate: {average: 9/s, peak: 30/s}}
  getReceipt: {read: Redemption, given: [receiptNo], results: {average: 1.6, max: 20}, rate: {average: 1/s, peak: 5/s}}
  redeem:
    write:
      - {create: Redemption}
      - {update: Clip, key: {shopperId: $redemption.shopperId, campaignId: $redemption.campaignId}, set: {state: redeemed}, condition: endsAt > now, refusal: not-valid}
      - {update: Campaign, key: {campaignId: $redemption.campaignId}, set: {left: left - 1}, condition: left >= 1 and state = live, refusal: spent}
    rate: {average: 1/s, peak: 9/s}
`,
		"bookings from an account to itself, which make two postings": `
entities:
  Account:
    identity: [accountNo]
    attributes:
      accountNo: {type: string, bytes: 8}
      balance: {type: number, digits: 9, min: 0}
      revision: {type: number, generated: version}
    bytes: 120
    count: 3
  Slip:
    identity: [slipId]
    attributes:
      slipId: {type: string, generated: ulid}
      state: {states: {issued: [booked], booked: []}, share: {issued: 1%}}
    bytes: 120
    count: 9_000_000
  Posting:
    identity: [accountNo, postingId]
    attributes:
      accountNo: {references: Account, inverse: postings, per-parent: {average: 6_000_000, max: 9_000_000}}
      postingId: {type: string, generated: ulid}
      slipId: {references: Slip, inverse: postings, per-parent: {average: 2, max: 2}}
      amount: {type: number, digits: 5}
    bytes: 120
    count: 18_000_000
patterns:
  open: {write: {create: Account}, rate: {average: 0.01/s, peak: 1/s}}
  getAccount: {read: Account, given: [accountNo], consistency: strong, rate: {average: 1/s, peak: 2/s}}
  raise: {write: {update: Account, set: {balance: balance + $more}, condition: revision = $revision, refusal: version}, parameters: {more: {min: 1, max: 90}}, rate: {average: 0.1/s, peak: 1/s}}
  issue: {write: {create: Slip}, rate: {average: 1/s, peak: 2/s}}
  getPostings: {read: Posting, given: [accountNo], order: postingId, page: 20, rate: {average: 1/s, peak: 2/s}}
  book:
    write:
      - {update: Slip, key: {slipId: $giving.slipId}, set: {state: booked}}
      - {update: Account, key: {accountNo: $giving.accountNo}, set: {balance: balance - $amount}, condition: balance >= $amount, refusal: too-little}
      - {update: Account, key: {accountNo: $taking.accountNo}, set: {balance: balance + $amount}}
      - {create: Posting, value: $giving}
      - {create: Posting, value: $taking}
    parameters: {amount: {min: 1, max: 400}}
    rate: {average: 1/s, peak: 2/s}
`,
		"moves that change more than a number, of which two may be of one account": `
entities:
  Account:
    identity: [accountNo]
    attributes:
      accountNo: {type: string, bytes: 8}
      balance: {type: number, digits: 9}
      limit: {type: number, digits: 5, min: 20_000, max: 60_000}
      usedAt: {type: timestamp, optional: true, share: 90%}
    bytes: 120
    count: 3
  Slip:
    identity: [slipId]
    attributes:
      slipId: {type: string, generated: ulid}
      state: {states: {issued: [booked], booked: []}, share: {issued: 1%}}
    bytes: 120
    count: 9_000_000
  Posting:
    identity: [accountNo, postingId]
    attributes:
      accountNo: {references: Account, inverse: postings, per-parent: {average: 6_000_000, max: 9_000_000}}
      postingId: {type: string, generated: ulid}
      slipId: {references: Slip, inverse: postings, per-parent: {average: 2, max: 2}}
      amount: {type: number, digits: 5}
    bytes: 120
    count: 18_000_000
patterns:
  open: {write: {create: Account}, rate: {average: 0.01/s, peak: 1/s}}
  getAccount: {read: Account, given: [accountNo], consistency: strong, rate: {average: 1/s, peak: 2/s}}
  issue: {write: {create: Slip}, rate: {average: 1/s, peak: 2/s}}
  getPostings: {read: Posting, given: [accountNo], order: postingId, page: 20, rate: {average: 1/s, peak: 2/s}}
  book:
    write:
      - {update: Slip, key: {slipId: $giving.slipId}, set: {state: booked}}
      - {update: Account, key: {accountNo: $giving.accountNo}, set: {balance: $giving.amount, usedAt: now}, condition: limit >= $giving.amount + $taking.amount, refusal: too-much}
      - {update: Account, key: {accountNo: $taking.accountNo}, set: {balance: $taking.amount, usedAt: now}}
      - {create: Posting, value: $giving}
      - {create: Posting, value: $taking}
    rate: {average: 1/s, peak: 2/s}
`,
		"what is made only of moves": `
entities:
  Parcel:
    identity: [parcelId]
    attributes:
      parcelId: {type: string, generated: ulid}
      state: {states: [packed, sent, received], share: {packed: 0.1%, sent: 0.2%}}
      packedAt: {type: timestamp, generated: now}
    bytes: 150
    count: 3_000_000
  Scan:
    identity: [parcelId, scanId]
    attributes:
      parcelId: {references: Parcel, inverse: scans, per-parent: {average: 2, max: 2}}
      scanId: {type: string, generated: ulid}
    bytes: 90
    count: 6_000_000
patterns:
  pack: {write: {create: Parcel}, rate: {average: 1/s, peak: 2/s}}
  getParcel: {read: Parcel, given: [parcelId], with: [scans], rate: {average: 1/s, peak: 2/s}}
  underWay: {read: Parcel, where: state = sent, order: packedAt, results: {average: 6_000, max: 6_000}, page: 20, rate: {average: 0.1/s, peak: 1/s}}
  send:
    write: [{update: Parcel, key: {parcelId: $scan.parcelId}, set: {state: sent}}, {create: Scan}]
    rate: {average: 1/s, peak: 2/s}
  receive:
    write: [{update: Parcel, key: {parcelId: $scan.parcelId}, set: {state: received}}, {create: Scan}]
    rate: {average: 1/s, peak: 2/s}
`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := proof(t, cheapest(t, stated(t, text)))
			for _, p := range e.Patterns {
				if p.Failure != nil && !strings.Contains(p.Failure.Cause, "answers were right") {
					t.Errorf("%s: %v\n%v%s", p.Name, p.Failure, p.Failure.Input, sent(p.Failure))
				}
			}
		})
	}
}

// TestMadeForCalls: what a write needs to be stored is made for as many of its calls as there are, where few are in the
// states that it asks of several entities at once, and other writes use these up.
func TestMadeForCalls(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	e := proof(t, cheapest(t, stated(t, `
entities:
  Member: {identity: [memberId], attributes: {memberId: {type: string, generated: ulid}, calls: {type: number, digits: 2, min: 0, max: 12}}, bytes: 90, count: 1_200_000}
  Truck:
    identity: [truckId]
    attributes:
      truckId: {type: string, bytes: 8}
      state: {states: {free: [busy, off], busy: [free], off: [free]}, share: {free: 35%, busy: 5%}}
      freeSince: {type: timestamp, optional: true, share: 35%}
    bytes: 120
    count: 1_200
  Case:
    identity: [caseId]
    attributes:
      caseId: {type: string, generated: ulid}
      memberId: {references: Member, inverse: cases, per-parent: {average: 6, max: 60}}
      state: {states: {waiting: [assigned], assigned: [waiting, on-site], on-site: [repaired, towed], repaired: [], towed: []}, share: {waiting: 0.01%, assigned: 0.01%, on-site: 0.01%, repaired: 60%}}
      truckId: {references: Truck, optional: true, share: 90%, inverse: cases, per-parent: {average: 5_400, max: 40_000}}
      closedAt: {type: timestamp, optional: true, share: 99.97%}
    unique:
      - {of: [memberId], while: "state in (waiting, assigned, on-site)"}
    bytes: 420
    count: 7_200_000
patterns:
  join: {write: {create: Member}, rate: {average: 0.4/s, peak: 5/s}}
  addTruck: {write: {create: Truck}, rate: {average: 0.001/s, peak: 1/s}}
  getMember: {read: Member, given: [memberId], rate: {average: 1/s, peak: 2/s}}
  getTruck: {read: Truck, given: [truckId], rate: {average: 1/s, peak: 2/s}}
  getCase: {read: Case, given: [caseId], rate: {average: 1/s, peak: 2/s}}
  openCase:
    write:
      - create: Case
      - {update: Member, key: {memberId: $case.memberId}, set: {calls: calls - 1}, condition: calls >= 1, refusal: used-up}
    rate: {average: 0.08/s, peak: 8/s}
  assign:
    write:
      - {update: Case, set: {state: assigned, truckId: $truckId}, condition: state = waiting, refusal: not-waiting}
      - {update: Truck, key: {truckId: $truckId}, set: {state: busy}, remove: [freeSince], condition: state = free, refusal: taken}
    rate: {average: 0.08/s, peak: 8/s}
  arrive: {write: {update: Case, set: {state: on-site}, condition: state = assigned, refusal: changed}, rate: {average: 0.07/s, peak: 7/s}}
  repaired:
    write:
      - {update: Case, set: {state: repaired, closedAt: now}, condition: state = on-site and truckId = $truckId, refusal: changed}
      - {update: Truck, key: {truckId: $truckId}, set: {state: free, freeSince: now}, condition: state = busy, refusal: changed}
    rate: {average: 0.046/s, peak: 5/s}
  tow:
    write:
      - {update: Case, set: {state: towed, closedAt: now}, condition: state = on-site and truckId = $truckId, refusal: changed}
      - {update: Truck, key: {truckId: $truckId}, set: {state: free, freeSince: now}, condition: state = busy, refusal: changed}
    rate: {average: 0.023/s, peak: 3/s}
`)))
	for _, name := range []string{"assign", "repaired", "tow"} {
		p := e.Pattern(name)
		if p.Measured < 16 || p.Failure != nil && !strings.Contains(p.Failure.Cause, "answers were right") {
			t.Errorf("%s: %d calls are measured, %v, refused %v", name, p.Measured, p.Failure, p.Refused)
		}
		for _, c := range e.Uniqueness {
			if c.Pattern == name && c.Happened != 1 {
				t.Errorf("%s: of %s %d happened", name, c.What, c.Happened)
			}
		}
	}
}

// TestStatedOfSeveral: what a call states is held against several instances at once. Who plays in a scene goes together
// by it, what is made for a role has it, and the call states what is said of them: the minutes of the duty, which the
// week has at least.
func TestStatedOfSeveral(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	e := proof(t, cheapest(t, stated(t, `
entities:
  Driver: {identity: [driverId], attributes: {driverId: {type: string, generated: ulid}}, bytes: 90, count: 18_000}
  Duty:
    identity: [dutyId]
    attributes:
      dutyId: {type: string, bytes: 8}
      driverId: {references: Driver, optional: true, share: 99%, inverse: duties, per-parent: {average: 442, max: 620}}
      minutes: {type: number, digits: 3, min: 0, max: 780}
      state: {states: {planned: [running], running: []}, share: {planned: 3.8%}}
    bytes: 120
    count: 8_040_000
  Week:
    identity: [driverId, week]
    attributes:
      driverId: {references: Driver, inverse: weeks, per-parent: {average: 90, max: 120}}
      week: {type: string, bytes: 8}
      minutes: {type: number, digits: 3, min: 0, max: 800}
    bytes: 100
    count: 1_620_000
  Swap:
    identity: [swapId]
    attributes:
      swapId: {type: string, generated: ulid}
      dutyId: {references: Duty, inverse: swaps, per-parent: {average: 0.06, max: 12}}
      offeredBy: {references: Driver, as: owner, inverse: offers, per-parent: {average: 26.8, max: 600}}
      takenBy: {references: Driver, as: taker, optional: true, share: 15%}
      state: {states: {agreed: [approved], approved: []}, share: {agreed: 0.5%}}
    bytes: 270
    count: 482_400
patterns:
  hire: {write: {create: Driver}, rate: {average: 0.01/s, peak: 1/s}}
  plan: {write: {create: Duty}, rate: {average: 0.01/s, peak: 1/s}}
  begin: {write: {create: Week}, rate: {average: 0.01/s, peak: 1/s}}
  offer: {write: {create: Swap}, rate: {average: 0.01/s, peak: 1/s}}
  getDuty: {read: Duty, given: [dutyId], rate: {average: 1/s, peak: 2/s}}
  approve:
    write:
      - {update: Swap, set: {state: approved}, condition: state = agreed and takenBy = $toId and offeredBy = $fromId, refusal: not-agreed}
      - update: Duty
        key: {dutyId: swap.dutyId}
        set: {driverId: $toId}
        condition: driverId = $fromId and state = planned and minutes = $minutes
        refusal: changed
      - update: Week
        key: {driverId: $fromId, week: $week}
        set: {minutes: minutes - $minutes}
        condition: minutes >= $minutes + 20
        refusal: no-hours
    parameters: {minutes: {min: 0, max: 780}}
    rate: {average: 0.01/s, peak: 1/s}
`)))
	if p := e.Pattern("approve"); p.Measured < 12 || p.Failure != nil {
		t.Errorf("approve: %d calls are measured, %v, refused %v", p.Measured, p.Failure, p.Refused)
	}
}

// TestOneEndLeftOut: of a range of which a call leaves out one end the other one stays, and calls are drawn, and what
// they meet is counted, such that it is so. A range without an inside is not asked for.
func TestOneEndLeftOut(t *testing.T) {
	e := proof(t, cheapest(t, stated(t, `
entities:
  Garden:
    identity: [gardenId]
    attributes:
      gardenId: {type: string, generated: ulid}
      bornAt: timestamp
      startsAt: {type: timestamp, generated: now}
      digs: {type: number, digits: 3, max: 400}
    bytes: {average: 6_259, max: 10_290}
    count: 8_650_000
patterns:
  open: {write: {create: Garden}, rate: {average: 110/s, peak: 200/s}}
  get: {read: Garden, given: [gardenId], rate: {average: 1/s, peak: 2/s}}
  ofYear:
    read: Garden
    given: [bornAt]
    where: startsAt between now - 12 months and now - $age
    optional: [age]
    results: {average: 0.111, max: 5}
    rate: {average: 60/s, peak: 400/s}
  since:
    read: Garden
    where: startsAt between $from and $to
    optional: [to]
    results: {average: 3, max: 30}
    rate: {average: 1/s, peak: 2/s}
  dug:
    read: Garden
    where: digs between $least and 300
    optional: [least]
    results: {average: 3, max: 30}
    rate: {average: 1/s, peak: 2/s}
`)))
	for _, p := range e.Patterns {
		if p.Failure != nil {
			t.Errorf("%s: %v\n%v%s", p.Name, p.Failure, p.Failure.Input, sent(p.Failure))
		}
	}
}

// TestMadeAsPlanned: a call that makes a list of an entity, or another entity beside it, makes no more than the proof
// plans, and what children refer to is there in such numbers that each has as many as is stated.
func TestMadeAsPlanned(t *testing.T) {
	r := stated(t, `
entities:
  Customer: {identity: [customerId], attributes: {customerId: {type: string, bytes: 26}}, count: 90_000, external: true}
  Locker: {identity: [lockerId], attributes: {lockerId: {type: string, bytes: 8}}, bytes: 200, count: 6_000}
  Parcel:
    identity: [parcelId]
    attributes:
      parcelId: {type: string, bytes: 16}
      lockerId: {references: Locker, inverse: parcels, per-parent: {average: 80, max: 300}}
      customerId: {references: Customer, inverse: parcels, optional: true, share: 60%, per-parent: {average: 3.2, max: 40}}
    bytes: 300
    count: 480_000
  Scan:
    identity: [parcelId, scanId]
    attributes:
      parcelId: {parent: Parcel, inverse: scans, per-parent: {average: 3, max: 12}}
      scanId: {type: string, generated: ulid}
    bytes: 90
  Message:
    identity: [lockerId, messageId]
    attributes:
      lockerId: {references: Locker, inverse: messages, per-parent: {average: 30, max: 100}}
      messageId: {type: string, generated: ulid}
    bytes: 90
    count: 180_000
patterns:
  addLocker: {write: {create: Locker}, rate: {average: 0.01/s, peak: 1/s}}
  getLocker: {read: Locker, given: [lockerId], rate: {average: 1/s, peak: 2/s}}
  announce: {write: [{create: Parcel, requires: [locker]}, {create: Scan, value: $scan}], rate: {average: 1/s, peak: 2/s}}
  scan: {write: {create: Scan, requires: [parcel]}, rate: {average: 2/s, peak: 4/s}}
  getParcel: {read: Parcel, given: [parcelId], with: [scans], rate: {average: 1/s, peak: 2/s}}
  parcelsAt: {read: Parcel, given: [lockerId], page: 20, rate: {average: 1/s, peak: 2/s}}
  parcelsOf: {read: Parcel, given: [customerId], page: 20, rate: {average: 1/s, peak: 2/s}}
  tell:
    write: {create: Message, value: $each, each: $messages}
    atomic: false
    parameters: {messages: {length: {average: 20, max: 25}}}
    rate: {average: 0.1/s, peak: 1/s}
  messagesAt: {read: Message, given: [lockerId], page: 10, rate: {average: 1/s, peak: 2/s}}
`)
	planned, e := prove.Populate(r), proof(t, cheapest(t, r))
	for _, entity := range r.Entities {
		if made, n := e.Entities[entity.Name], planned.Count[entity]; float64(made) > 1.1*float64(n)+25 {
			t.Errorf("%d %s are made where %d are planned", made, entity.Name, n)
		}
	}
	parcel := r.Entity("Parcel")
	if n := planned.Children[parcel.WayThere("customer")].Average; math.Abs(n-3.2) > 0.2 {
		t.Errorf("a Customer has %.1f Parcel on average, and 3.2 are stated", n)
	}
	for _, p := range e.Patterns {
		if !p.Proven {
			t.Errorf("%s: %v", p.Name, p.Failure)
		}
	}
}

const clubs = `
entities:
  Club:
    identity: [clubId]
    attributes:
      clubId: {type: string, bytes: 10}
      title: {type: string, bytes: 20}
    bytes: 300
    count: 2_000
  Membership:
    identity: [personId, clubId]
    attributes:
      personId: {type: string, bytes: 10}
      clubId: {references: Club, inverse: memberships, per-parent: {average: 20, max: 100}}
    bytes: 90
    count: 40_000
patterns:
  found: {write: {create: Club}, rate: {average: 0.01/s, peak: 1/s}}
  getClub: {read: Club, given: [clubId], rate: {average: 1/s, peak: 2/s}}
  rename: {write: {update: Club, set: [title]}, rate: {average: 0.1/s, peak: 1/s}}
  enter: {write: {create: Membership, requires: [club]}, rate: {average: 0.1/s, peak: 1/s}}
  clubsOf: {read: Membership, given: [personId], returns: [clubId, club.title], results: {average: 3, max: 20}, staleness: %s, rate: {average: 9/s, peak: 20/s}}
`

const clubsModel = `
tables:
  Clubs: {attributes: {clubId: S}, key: {partition: clubId}, items: {Club: {holds: Club}}}
  Memberships:
    attributes: {personId: S, clubId: S}
    key: {partition: personId, sort: clubId}
    items: {Membership: {holds: Membership, copies: {title: {from: club.title, kept: {by: stream, within: 6h}}}}}
plans:
  found: {steps: {w: {put: Club, value: $club, if: absent}}}
  getClub: {steps: {c: {get: Club, key: [clubId]}}}
  rename: {steps: {w: {update: Club, key: [clubId], set: [title], if: present}}}
  enter:
    steps:
      club: {get: Club, key: {clubId: $membership.clubId}, consistent: true}
      w:
        transact:
          - {put: Membership, value: $membership, with: {club.title: %s}, if: absent}
          - {check: Club, key: {clubId: $membership.clubId}, if: [present, title = $club.title]}
  clubsOf: {steps: {m: {query: Memberships, items: [Membership], where: [personId]}}}
`

// TestToleratedStaleness: a copy that others keep true may be as old as its reader tolerates, no older, and never have
// been something else.
func TestToleratedStaleness(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	for _, c := range []struct {
		name, staleness, copied string
		right                   bool
	}{
		{"as old as is tolerated", "6h", "$club.title", true},
		{"older than is tolerated", "1s", "$club.title", false},
		{"never true", "6h", `"'a club'"`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := proof(t, byHand(t, stated(t, fmt.Sprintf(clubs, c.staleness)), fmt.Sprintf(clubsModel, c.copied)))
			for _, p := range e.Patterns {
				if want := c.right || p.Name != "clubsOf"; p.Verdicts.Answers.Right != want {
					t.Errorf("%s: answers right: %v, %v", p.Name, p.Verdicts.Answers.Right, p.Failure)
				}
			}
		})
	}
}

// TestVerdicts: answers and units are judged apart, and what explains a difference is named.
func TestVerdicts(t *testing.T) {
	const needs = `
entities:
  Ticket:
    identity: [ticketId]
    attributes:
      ticketId: {type: string, generated: ulid}
      who: {type: string, bytes: 12}
      seat: {type: string, bytes: 8, optional: true}
    bytes: 120
    count: 50_000
patterns:
  sell: {write: {create: Ticket}, rate: {average: 1/s, peak: 2/s}}
  get: {read: Ticket, given: [ticketId], rate: {average: 1/s, peak: 2/s}}
  of: {read: Ticket, given: [who], results: {average: 3, max: 20}, rate: {average: 1/s, peak: 2/s}}
`
	p := cheapest(t, stated(t, needs))
	o := onEngine(t)
	open := o.Open
	o.Open = func(to tablewright.Options) (*tablewright.DB, error) { // gets that are consistent take twice as much
		to.Hooks = append(to.Hooks, onRead("GetItem", regexp.MustCompile(`^\{`), `{"ConsistentRead":true,`))
		return open(to)
	}
	e, err := prove.Run(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	get, of := e.Pattern("get"), e.Pattern("of")
	if v := get.Verdicts; !v.Answers.Right || v.Units.Within || v.Units.Estimated != 0.5 || v.Units.Consumed != 1 || v.Units.Low != 1 || v.Units.High != 1 || get.Proven || !strings.Contains(get.Failure.Cause, "answers were right") {
		t.Errorf("%+v %v", v, get.Failure)
	}
	if v := of.Verdicts; !v.Answers.Right || !v.Units.Within || !of.Proven || v.Units.Calls == 0 {
		t.Errorf("%+v %v", v, of.Failure)
	}
	if e.Proven || !e.UnitsAlone() {
		t.Errorf("proven %v, units alone %v", e.Proven, e.UnitsAlone())
	}
}

// TestNothingFound: a pattern that cannot find anything is a defect, and the words say of what.
func TestNothingFound(t *testing.T) {
	const needs = `
entities:
  Lamp:
    identity: [lampId]
    attributes:
      lampId: {type: string, bytes: 10}
      kind: {enum: [desk, wall]}
      watts: {type: number, digits: 2, max: 60}
      room: {type: string, bytes: 5}
      state: {states: {new: [lit], lit: [broken], broken: []}, share: {new: 20%, lit: 50%}}
    bytes: 90
    count: 5_000
  Room: {identity: [roomNo], attributes: {roomNo: {type: string, bytes: 12}, lamps: {type: number, digits: 3}}, bytes: 60, count: 100}
patterns:
  addRoom: {write: {create: Room}, rate: {average: 0.01/s, peak: 1/s}}
  getRoom: {read: Room, given: [roomNo], rate: {average: 1/s, peak: 2/s}}
  take:
    write:
      - {update: Lamp, set: {kind: $kind}, condition: room = $room, refusal: elsewhere}
      - {update: Room, key: {roomNo: $room}, set: {lamps: lamps - 1}}
    rate: {average: 1/s, peak: 2/s}
  clear:
    write:
      - {update: Lamp, set: {kind: $kind}, condition: room = $room, refusal: elsewhere}
      - {update: Room, key: {roomNo: $room}, set: {lamps: 0}, condition: lamps > 5_000, refusal: few}
    rate: {average: 1/s, peak: 2/s}
  add: {write: {create: Lamp}, rate: {average: 1/s, peak: 2/s}}
  get: {read: Lamp, given: [lampId], rate: {average: 1/s, peak: 2/s}}
  strong: {read: Lamp, given: [kind], where: watts > 80, results: {average: 10, max: 50}, rate: {average: 1/s, peak: 2/s}}
  dim: {write: {update: Lamp, set: {kind: $kind}, condition: watts > 80, refusal: weak}, rate: {average: 1/s, peak: 2/s}}
  swap: {write: {update: Lamp, set: {kind: $kind}, condition: watts > 40 and watts < 20, refusal: other}, rate: {average: 1/s, peak: 2/s}}
`
	e := proof(t, cheapest(t, stated(t, needs)))
	for name, want := range map[string]string{"take": "most as `missing`: there is no Room with `key: {roomNo: $room}`", "clear": "most as `missing`: there is no Room", "strong": "`watts > 80` holds for none of them", "dim": "`condition: watts > 80` holds for no Lamp",
		"swap": "`condition: watts > 40` and `watts < 20` hold for some Lamp each, and for none together"} {
		if f := e.Pattern(name).Failure; f == nil || !strings.Contains(f.Cause, want) {
			t.Errorf("%s: %v", name, f)
		}
	}
	if e.UnitsAlone() {
		t.Error("what shows nothing is no matter of units")
	}
}

// TestNothingWhateverIsAsked states conditions that nothing stored can meet, whatever a call says. The proof reports
// each of them with its reason: nothing has it, or nothing has it beside something else.
func TestNothingWhateverIsAsked(t *testing.T) {
	const needs = `
entities:
  Club: {identity: [clubId], attributes: {clubId: {type: string, bytes: 12}, town: {type: string, bytes: 8}, best: {derived: max(badges.points)}}, bytes: 90, count: 200}
  Guest:
    identity: [guestId]
    attributes:
      guestId: {type: string, generated: ulid}
      town: {type: string, bytes: 8, optional: true, share: 70%}
    bytes: 90
    count: 3_000
  Badge:
    identity: [badgeId]
    attributes:
      badgeId: {type: string, generated: ulid}
      clubId: {references: Club, inverse: badges, per-parent: {average: 5, max: 30}}
      points: {type: number, digits: 3, min: 0}
    bytes: 90
    count: 1_000
patterns:
  addClub: {write: {create: Club}, rate: {average: 0.01/s, peak: 1/s}}
  join: {write: {create: Guest}, rate: {average: 1/s, peak: 2/s}}
  award:
    write:
      - {create: Badge, requires: [club]}
      - {update: Club, key: {clubId: $badge.clubId}, set: {town: $town}, condition: best = $best, refusal: beaten}
    rate: {average: 1/s, peak: 2/s}
  getClub: {read: Club, given: [clubId], rate: {average: 1/s, peak: 2/s}}
  strangers: {read: Guest, given: [town], where: guestId > $guestId and absent(town), results: {average: 10, max: 50}, rate: {average: 1/s, peak: 2/s}}
`
	e := proof(t, cheapest(t, stated(t, needs)))
	for name, want := range map[string]string{
		"award":     "no Club that is stored has a best, and `condition: best = $best` tests it",
		"strangers": "`absent(town)` and `exists(town)`, which each call asks for, hold for some of them, and for none together",
	} {
		if f := e.Pattern(name).Failure; f == nil || !strings.Contains(f.Cause, want) {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// TestTwoActionsOfOneItem: a call of which two actions are about one item is refused, which contradicts nothing.
func TestTwoActionsOfOneItem(t *testing.T) {
	e := proof(t, cheapest(t, stated(t, `
entities:
  Bank: {identity: [bankId], attributes: {bankId: {type: string, bytes: 4}, held: {type: number, digits: 9}, seen: {type: timestamp, optional: true, share: 50%}}, bytes: 100, count: 1}
  Trade:
    identity: [tradeId]
    attributes:
      tradeId: {type: string, generated: ulid}
      sellerId: {references: Bank, as: seller, inverse: sales, per-parent: {average: 60, max: 60}}
      buyerId: {references: Bank, as: buyer, inverse: purchases, per-parent: {average: 60, max: 60}}
      state: {states: [open, settled], share: {open: 50%}}
    bytes: 150
    count: 60
patterns:
  addBank: {write: {create: Bank}, rate: {average: 0.001/s, peak: 1/s}}
  getBank: {read: Bank, given: [bankId], rate: {average: 1/s, peak: 5/s}}
  getTrade: {read: Trade, given: [tradeId], rate: {average: 1/s, peak: 5/s}}
  trade: {write: {create: Trade}, rate: {average: 1/s, peak: 5/s}}
  settle:
    write:
      - {update: Trade, set: {state: settled}}
      - {update: Bank, key: {bankId: trade.sellerId}, set: {held: held - 1}}
      - {update: Bank, key: {bankId: trade.buyerId}, set: {held: held + 1, seen: now}}
    rate: {average: 1/s, peak: 5/s}
`)))
	allProven(t, e)
	if e.Pattern("settle").Refused[plan.RefusedTwice] == 0 {
		t.Errorf("settle: %v", e.Pattern("settle").Refused)
	}
}

// TestWhatIsTakenAwayIsThere: what a creation takes away beside what it creates, and what follows from that alone, is
// left out of making data, so that both are there as many times as they are stored.
func TestWhatIsTakenAwayIsThere(t *testing.T) {
	p := cheapest(t, stated(t, `
entities:
  Licence: {identity: [licenceId], attributes: {licenceId: {type: string, bytes: 10}, free: {type: number, digits: 5, min: 0}}, bytes: 100, count: 40}
  Lease:
    identity: [leaseId]
    attributes: {leaseId: {type: string, generated: uuid}, licenceId: {references: Licence, inverse: leases, per-parent: {average: 2, max: 20}}, expiresAt: timestamp}
    bytes: 230
    count: 80
  Usage:
    identity: [usageId]
    attributes: {usageId: {type: string, generated: ulid}, licenceId: {references: Licence, inverse: usages, per-parent: {average: 30, max: 60}}}
    bytes: 150
    count: 1_200
patterns:
  addLicence: {write: {create: Licence}, rate: {average: 0.01/s, peak: 1/s}}
  getLicence: {read: Licence, given: [licenceId], rate: {average: 0.01/s, peak: 1/s}}
  take: {write: {create: Lease, requires: [licence]}, rate: {average: 1/s, peak: 10/s}}
  all: {read: Lease, whole: true, rate: {average: 0.01/s, peak: 1/s}}
  used: {read: Usage, given: [licenceId], rate: {average: 0.1/s, peak: 1/s}}
  giveBack:
    write:
      - delete: Lease
      - {update: Licence, key: {licenceId: lease.licenceId}, set: {free: free + 1}}
      - {create: Usage}
    rate: {average: 1/s, peak: 10/s}
`))
	e := proof(t, p)
	allProven(t, e)
	if e.Entities["Lease"] != 80 || e.Entities["Usage"] != 1200 {
		t.Errorf("%d leases and %d usages are there, want 80 and 1,200", e.Entities["Lease"], e.Entities["Usage"])
	}
}

// TestWhatLiesBesideIsLeftOut: making data leaves out what a creation does to something beside, and the copies of that
// with it; it makes no more of what the creation would make there than is stored.
func TestWhatLiesBesideIsLeftOut(t *testing.T) {
	e := proof(t, cheapest(t, stated(t, `
entities:
  Van: {identity: [vanId], attributes: {vanId: {type: string, bytes: 4}}, bytes: 160, count: 75}
  Tour:
    identity: [tourId]
    attributes:
      tourId: {type: string, generated: ulid}
      vanId: {references: Van, inverse: tours, per-parent: {average: 10, max: 40}}
      litres: {type: number, digits: 5, min: 0, max: 32_000}
      state: {states: [planned, driving, unloaded], share: {planned: 2%, driving: 8%}}
    unique: [{of: [vanId], while: state = driving}]
    bytes: 200
    count: 750
  Load:
    identity: [loadId]
    attributes:
      loadId: {type: string, generated: ulid}
      tourId: {references: Tour, inverse: loads, per-parent: {average: 4, max: 20}}
      litres: {type: number, digits: 3, min: 0}
      bad: {type: bool, share: {true: 1%}}
    bytes: 160
    count: 3_000
  Month:
    identity: [vanId, month]
    attributes:
      vanId: {parent: Van, inverse: months, per-parent: {average: 20, max: 40}}
      month: {type: string, bytes: 7}
      litres: {type: number, digits: 7, min: 0}
      paid: {type: bool, share: {false: 3%}}
    bytes: 100
    growth: 75/month
patterns:
  addVan: {write: {create: Van}, rate: {average: 0.001/s, peak: 1/s}}
  planTour: {write: {create: Tour, requires: [van]}, rate: {average: 0.002/s, peak: 1/s}}
  start: {write: {update: Tour, set: {state: driving}}, rate: {average: 0.002/s, peak: 1/s}}
  unload: {write: {update: Tour, set: {state: unloaded}}, rate: {average: 0.002/s, peak: 1/s}}
  load:
    write:
      - {create: Load}
      - update: Tour
        key: {tourId: $load.tourId}
        set: {litres: litres + $load.litres}
        condition: state = driving and litres <= 31_000
      - {upsert: Month, key: {vanId: $van, month: $month}, set: {litres: "if_missing(litres, 0) + 1", paid: "if_missing(paid, false)"}}
    rate: {average: 0.02/s, peak: 3/s}
  ofVan: {read: Tour, given: [vanId], where: state = driving, consistency: strong, results: {average: 0.8, max: 1}, rate: {average: 0.6/s, peak: 8/s}}
  ofTour: {read: Load, given: [tourId], rate: {average: 0.4/s, peak: 6/s}}
  bad: {read: Load, where: bad = true, page: 20, results: {average: 30, max: 60}, rate: {average: 0.02/s, peak: 1/s}}
  ofMonths: {read: Month, given: [vanId], top: 12, order: month descending, rate: {average: 0.4/s, peak: 8/s}}
  unpaid: {read: Month, where: paid = false, page: 200, results: {average: 45, max: 100}, rate: {average: 0.005/s, peak: 2/s}}
  pay: {write: {update: Month, set: {paid: true}, condition: paid = false}, rate: {average: 75/month, peak: 20/s}}
`)))
	allProven(t, e)
	if loads, months := e.Entities["Load"], e.Entities["Month"]; loads != 3000 || months != 1500 {
		t.Errorf("%d loads and %d months are there, want 3,000 and 1,500", loads, months)
	}
}

// TestWhatCallsHaveMadeKeepsItsSize: what calls make while others are measured is spread over all sizes, and is as
// large after it is changed.
func TestWhatCallsHaveMadeKeepsItsSize(t *testing.T) {
	e := proof(t, cheapest(t, stated(t, `
entities:
  Visit:
    identity: [visitId]
    attributes:
      visitId: {type: string, generated: ulid}
      adviser: {type: string, bytes: 5}
      state: {states: [wanted, done], share: {wanted: 0.5%}}
      report: {type: string, optional: true, share: 85%}
    bytes: {average: 900, max: 6_000}
    count: 20_400
patterns:
  want: {write: {create: Visit}, rate: {average: 570/month, peak: 1/s}}
  get: {read: Visit, given: [visitId], rate: {average: 0.1/s, peak: 1/s}}
  finish: {write: {update: Visit, set: {state: done, report: $report}}, rate: {average: 530/month, peak: 1/s}}
`)))
	allProven(t, e)
	if v := e.Pattern("finish").Verdicts.Units; math.Abs(v.Consumed/v.Estimated-1) > 0.2 {
		t.Errorf("%+v", v)
	}
}

// TestItemsThatGrow: calls of a proof add more to the items of a few parents than the application does; what each call
// is to consume follows from the item that it meets.
func TestItemsThatGrow(t *testing.T) {
	const needs = `
entities:
  Member:
    identity: [memberId]
    attributes: {memberId: {type: string, generated: ulid}, name: {type: string, bytes: 20}, address: map}
    bytes: {average: 350, max: 800}
    count: 12_000_000
  Vehicle:
    identity: [memberId, plate]
    attributes: {memberId: {parent: Member, inverse: vehicles, per-parent: {average: 1.3, max: 40}}, plate: {type: string, bytes: 9}, make: {type: string, bytes: 24}}
    bytes: 110
patterns:
  join: {write: {create: Member, with: [vehicles]}, rate: {average: 0.4/s, peak: 5/s}}
  add: {write: {create: Vehicle, requires: [member]}, rate: {average: 0.2/s, peak: 3/s}}
  erase: {write: {delete: Member, with: [vehicles]}, rate: {average: 0.02/s, peak: 1/s}}
  get: {read: Member, given: [memberId], with: [vehicles], rate: {average: 2/s, peak: 20/s}}
`
	e := proof(t, cheapest(t, stated(t, needs)))
	allProven(t, e)
	if v := e.Pattern("add").Verdicts.Units; v.Stated == 0 || v.Consumed < 1.3*v.Stated {
		t.Errorf("the items have not grown: %+v", v)
	}
}

// TestMadeBeside: an upsert makes what the value beside it names, as often as is stated, so that the calls do not stop
// once what is stored has reached its limit. Numbers that are stored lie anywhere below it.
func TestMadeBeside(t *testing.T) {
	e := proof(t, cheapest(t, stated(t, `
entities:
  Show:
    identity: [showId]
    attributes:
      showId: {type: string, bytes: 8}
    bytes: 60
    count: 500
  Line:
    identity: [showId, country]
    attributes:
      showId: {references: Show, inverse: lines, per-parent: {average: 24, max: 24}}
      country: {type: string, bytes: 2}
      votes: {type: number, digits: 8, min: 0}
    bytes: 100
    count: 12_000
    growth: 480/month
  Ballot:
    identity: [showId, phone]
    attributes:
      showId: {references: Show}
      phone: {type: string, bytes: 32}
      used: {type: number, digits: 2, min: 0, max: 20}
    bytes: 110
    count: 1_000_000
    growth: 1_000_000/month
  Vote:
    identity: [phone, voteId]
    attributes:
      phone: {type: string, bytes: 32}
      voteId: {type: string, generated: ulid}
      showId: {references: Line, by: [showId, country], as: line, inverse: slips, per-parent: {average: 1_500, max: 400_000}}
      country: {type: string, bytes: 2}
    bytes: 200
    count: 18_000_000
patterns:
  getBallot: {read: Ballot, given: [showId, phone], consistency: strong, rate: {average: 0.3/s, peak: 300/s}}
  getVote: {read: Vote, given: [phone, voteId], rate: {average: 0.005/s, peak: 1/s}}
  getLines: {read: Line, given: [showId], rate: {average: 0.005/s, peak: 1/s}}
  getSlips: {read: Vote, given: [showId, country], order: voteId, page: 5, rate: {average: 0.01/s, peak: 1/s}}
  planShow: {write: {create: Show}, rate: {average: 20/month, peak: 1/s}}
  castVote:
    write:
      - upsert: Ballot
        key: {showId: $vote.showId, phone: $vote.phone}
        set: {used: "if_missing(used, 0) + 1"}
        condition: used < 20
        refusal: used-up
      - {create: Vote}
      - upsert: Line
        key: {showId: $vote.showId, country: $vote.country}
        set: {votes: "if_missing(votes, 0) + 1"}
    atomic: false
    rate: {average: 3_000_000/month, peak: 6_000/s}
`)))
	allProven(t, e)
	if p := e.Pattern("castVote"); p.Refused["used-up"] > 2*p.Calls/3 {
		t.Errorf("%d calls of %d were refused", p.Refused["used-up"], p.Calls)
	}
}

// TestEndsSoon: wherever a proof is, it ends within a second of being told to.
func TestEndsSoon(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	p := cheapest(t, stated(t, `
entities:
  Cow: {identity: [cowId], attributes: {cowId: {type: string, bytes: 10}}, bytes: 120, count: 2_000}
  Milking:
    identity: [cowId, at]
    attributes:
      cowId: {references: Cow, inverse: milkings, per-parent: {average: 6_000, max: 20_000}}
      at: timestamp
      litres: {type: number, digits: 3}
    bytes: 220
    count: 12_000_000
patterns:
  addCow: {write: {create: Cow}, rate: {average: 0.01/s, peak: 1/s}}
  getCow: {read: Cow, given: [cowId], rate: {average: 1/s, peak: 5/s}}
  addMilking: {write: {create: Milking}, rate: {average: 4/s, peak: 20/s}}
  some: {read: Milking, given: [cowId], where: at between $from and $to and litres >= $least, results: {average: 60, max: 300}, rate: {average: 8/s, peak: 30/s}}
`))
	for _, after := range []time.Duration{0, 300 * time.Millisecond, 1500 * time.Millisecond, 2500 * time.Millisecond} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(after, cancel)
		begun := time.Now()
		o := onEngine(t)
		o.Scale = 4
		if _, err := prove.Run(ctx, p, o); !errors.Is(err, context.Canceled) {
			t.Errorf("after %v: %v", after, err)
		}
		if late := time.Since(begun) - after; late > 2*time.Second { // a second, and as much again where a machine is busy
			t.Errorf("told after %v, it ended %v later", after, late)
		}
		cancel()
	}
}

// TestRefusedAndChanged: a write that is refused after its first step has changed something is found, for each of its
// refusals.
func TestRefusedAndChanged(t *testing.T) {
	r := stated(t, `
entities:
  Trip:
    identity: [tripId]
    attributes:
      tripId: {type: string, bytes: 10}
      seats: {type: number, digits: 4, min: 0}
    bytes: 120
    count: 3_000
  Guest:
    identity: [tripId, name]
    attributes:
      tripId: {references: Trip, inverse: guests, per-parent: {average: 8, max: 40}}
      name: {type: string, bytes: 12}
    bytes: 90
    count: 24_000
patterns:
  offer: {write: {create: Trip}, rate: {average: 0.01/s, peak: 1/s}}
  getTrip: {read: Trip, given: [tripId], rate: {average: 1/s, peak: 2/s}}
  guestsOf: {read: Guest, given: [tripId], rate: {average: 1/s, peak: 2/s}}
  book:
    atomic: false
    write:
      - {update: Trip, key: {tripId: $guest.tripId}, set: {seats: seats - 1}, condition: seats >= 1, refusal: full}
      - create: Guest
    rate: {average: 0.2/s, peak: 5/s}
`)
	for steps, right := range map[string]bool{
		"{first: {put: Guest, value: $guest, if: absent}, trip: {update: Trip, key: {tripId: $guest.tripId}, set: {seats: seats - 1}, if: [present, seats >= 1], else: full, after: [first]}}": false,
		"{w: {transact: [{put: Guest, value: $guest, if: absent}, {update: Trip, key: {tripId: $guest.tripId}, set: {seats: seats - 1}, if: [present, seats >= 1], else: full}]}}":             true,
	} {
		e := proof(t, byHand(t, r, `
tables:
  Trips: {attributes: {tripId: S}, key: {partition: tripId}, items: {Trip: {holds: Trip}}}
  Guests: {attributes: {tripId: S, name: S}, key: {partition: tripId, sort: name}, items: {Guest: {holds: Guest}}}
plans:
  offer: {steps: {w: {put: Trip, value: $trip, if: absent}}}
  getTrip: {steps: {t: {get: Trip, key: [tripId]}}}
  guestsOf: {steps: {g: {query: Guests, items: [Guest], where: [tripId]}}}
  book: {steps: `+steps+`}
`))
		book := e.Pattern("book")
		if book.Verdicts.Answers.Right != right || !right && !strings.Contains(book.Failure.Cause, "refused write has changed") {
			t.Errorf("%v: %v %v %v", right, book.Failure, book.Refused, book.Aims)
		}
		if right && (book.Refused["full"] == 0 || book.Refused["missing"] == 0 || book.Refused["exists"] == 0) {
			t.Errorf("refused %v", book.Refused)
		}
	}
}

// TestBetweenActions: of calls at once that are not all or nothing, each action is held against what was done just
// before it, not against the order in which the calls came to their ends.
func TestBetweenActions(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	p := cheapest(t, stated(t, `
entities:
  Gate: {identity: [gateId], attributes: {gateId: {type: string, bytes: 6}}, bytes: 80, count: 2}
  Passage:
    identity: [gateId, at]
    attributes:
      gateId: {references: Gate, inverse: passages, per-parent: {average: 600, max: 1_000}}
      at: timestamp
      metres: {type: number, digits: 3, min: 0}
    bytes: 80
    count: 1_200
  Last:
    identity: [gateId, kind]
    attributes:
      gateId: {references: Gate, inverse: lasts, per-parent: {average: 3, max: 4}}
      kind: {type: string, bytes: 5}
      nick: {type: string, bytes: 10}
      seen: {type: number, digits: 6, min: 0}
    bytes: 80
    count: 6
  Tally:
    identity: [gateId, kind]
    attributes:
      gateId: {references: Gate, inverse: tallies, per-parent: {average: 3, max: 4}}
      kind: {type: string, bytes: 5}
      persons: {type: number, digits: 6, min: 0}
    bytes: 80
    count: 6
patterns:
  addGate: {write: {create: Gate}, rate: {average: 0.01/s, peak: 1/s}}
  getGate: {read: Gate, given: [gateId], rate: {average: 1/s, peak: 2/s}}
  passages: {read: Passage, given: [gateId], order: at descending, top: 3, results: {average: 600, max: 1_000}, rate: {average: 1/s, peak: 2/s}}
  lasts: {read: Last, given: [gateId], rate: {average: 1/s, peak: 2/s}}
  tallies: {read: Tally, given: [gateId], rate: {average: 1/s, peak: 2/s}}
  pass:
    atomic: false
    write:
      - create: Passage
      - {upsert: Last, key: {gateId: $passage.gateId, kind: $kind}, set: {nick: $nick, seen: "if_missing(seen, 0) + 1"}}
      - {upsert: Tally, key: {gateId: $passage.gateId, kind: $kind}, set: {persons: "if_missing(persons, 0) + 1"}}
    rate: {average: 1/s, peak: 2/s}
`))
	for _, seed := range []uint64{3, 5} { // with which calls get between each other
		o := onEngine(t)
		o.Seed = seed
		e, err := prove.Run(t.Context(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range e.Patterns {
			if p.Failure != nil && !strings.Contains(p.Failure.Cause, "answers were right") {
				t.Errorf("seed %d: %s: %v", seed, p.Name, p.Failure)
			}
		}
	}
}

// TestMadeInPart: a list call that is not all or nothing makes its other elements even if one exists already. The
// proof counts them as stored.
func TestMadeInPart(t *testing.T) {
	r := stated(t, `
entities:
  Page:
    identity: [pageNo]
    attributes:
      pageNo: {type: number, digits: 6, min: 1}
      agreedAt: {type: timestamp, optional: true, share: 80%}
    bytes: 120
    count: 2_000
  Line:
    identity: [pageNo, lineNo]
    attributes:
      pageNo: {references: Page, inverse: lines, per-parent: {average: 6, max: 9}}
      lineNo: {type: number, digits: 1, min: 1}
    bytes: 90
    count: 12_000
patterns:
  load: {write: {create: Page}, rate: {average: 0.1/s, peak: 1/s}}
  getPage: {read: Page, given: [pageNo], rate: {average: 1/s, peak: 2/s}}
  linesOf: {read: Line, given: [pageNo], order: lineNo, rate: {average: 1/s, peak: 2/s}}
  agree:
    write:
      - {create: Line, each: $lines}
      - {update: Page, set: {agreedAt: now}, condition: absent(agreedAt), refusal: agreed}
    atomic: false
    parameters: {lines: {length: {average: 4, max: 9}}}
    rate: {average: 0.1/s, peak: 1/s}
`)
	planned, e := prove.Populate(r), proof(t, cheapest(t, r))
	for _, p := range e.Patterns {
		if p.Failure != nil {
			t.Errorf("%s: %v\n%v%s", p.Name, p.Failure, p.Failure.Input, sent(p.Failure))
		}
	}
	if line := r.Entity("Line"); e.Entities["Line"] < planned.Count[line]*9/10 {
		t.Errorf("%d Line are made where %d are planned", e.Entities["Line"], planned.Count[line])
	}
}

// TestDaysForAll: what is unique by its day and a value of few has days enough for all that calls make.
func TestDaysForAll(t *testing.T) {
	e := proof(t, cheapest(t, stated(t, `
entities:
  Sale:
    identity: [saleId]
    attributes:
      saleId: {type: string, generated: ulid}
      hall: {enum: [north, south, online]}
      day: date
      state: {states: [planned, live, closed], share: {planned: 1%, live: 0.2%}}
    unique: [[hall, day]]
    bytes: 200
    count: 1_500
  Lot:
    identity: [saleId, lotNo]
    attributes:
      saleId: {parent: Sale, inverse: lots, per-parent: {average: 20, max: 90}}
      lotNo: {type: string, bytes: 4}
      state: {states: [listed, open], share: {listed: 2%}}
    bytes: 90
patterns:
  plan: {write: {create: Sale}, rate: {average: 30/month, peak: 1/s}}
  start: {write: {update: Sale, set: {state: live}, condition: state = planned, refusal: late}, rate: {average: 30/month, peak: 1/s}}
  close: {write: {update: Sale, set: {state: closed}, condition: state = live, refusal: late}, rate: {average: 30/month, peak: 1/s}}
  ofHall: {read: Sale, given: [hall], where: day between $from and $to, order: day, results: {average: 8, max: 90}, rate: {average: 1/s, peak: 5/s}}
  list: {write: {create: Lot, requires: [sale]}, rate: {average: 600/month, peak: 5/s}}
  getLot: {read: Lot, given: [saleId, lotNo], rate: {average: 1/s, peak: 5/s}}
  open:
    write:
      - {update: Lot, set: {state: open}, condition: state = listed, refusal: late}
      - {update: Sale, key: {saleId: $saleId}, condition: state = live, refusal: closed}
    rate: {average: 600/month, peak: 5/s}
`)))
	allProven(t, e)
	if made := e.Pattern("plan"); made.Refused["unique"] > made.Calls/4 {
		t.Errorf("of %d creations %d were refused", made.Calls, made.Refused["unique"])
	}
}
