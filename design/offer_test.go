package design_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/norace"
)

const playlists = `tablewright: 1
application: playlists
entities:
  Singer:
    identity: [singerId]
    attributes:
      singerId: {type: string, bytes: 12}
      name: {type: string, bytes: 20}
      life: {type: string, bytes: {average: 600, max: 2_000}}
    count: 2_000
  Song:
    identity: [listId, songNo]
    attributes:
      listId: {type: string, bytes: 12}
      songNo: {type: number, digits: 3, min: 1}
      singerId: {references: Singer, inverse: songs, per-parent: {average: 20, max: 5_000}}
    bytes: 80
    count: 40_000
patterns:
  addSinger: {write: {create: Singer}, rate: {average: 0.001/s, peak: 1/s}}
  getSinger: {read: Singer, given: [singerId], rate: {average: 2/s, peak: 9/s}}
  rename: {write: {update: Singer, set: [name]}, rate: {average: 0.001/s, peak: 1/s}}
  addSong: {write: {create: Song, requires: [singer]}, rate: {average: 0.1/s, peak: 3/s}}
  getSong: {read: Song, given: [listId, songNo], returns: [songNo, singer.name], rate: {average: 0.001/s, peak: 1/s}}
  getSongs: {read: Song, given: [listId], returns: [songNo, singer.name], results: {average: 10, max: 30}, rate: {average: 90/s, peak: 300/s}}
`

// TestOffers: a design offers a staleness where it saves money, and requirements that state it cost no more than the offer says. It
// offers nothing where they state it already, or where it would save next to nothing.
func TestOffers(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	d := designed(t, parse(t, playlists))
	if len(d.Offers) != 1 || d.Offers[0].String() != "`staleness: 5s` in getSongs" {
		t.Fatalf("offers %v, want staleness in getSongs alone", d.Offers)
	}
	offer := d.Offers[0]
	total := d.Components[0].Chosen.Cost
	if offer.Cost >= total*3/4 {
		t.Errorf("%s would make it %s instead of %s: want a quarter less", offer, offer.Cost, total)
	}
	noted := 0
	for _, x := range d.Model.Decisions {
		if o, ok := design.OfferOf(x); ok && o.String() == offer.String() && o.Cost == offer.Cost {
			noted++
		}
	}
	if noted != 1 {
		t.Errorf("the model notes it %d times, want once", noted)
	}
	said := designed(t, parse(t, strings.Replace(playlists, "singer.name], results", "singer.name], staleness: 5s, results", 1)))
	if got := said.Components[0].Chosen.Cost; got > offer.Cost {
		t.Errorf("with %s the design costs %s, more than the %s that were offered", offer, got, offer.Cost)
	}
	if len(said.Offers) > 0 {
		t.Errorf("offers %v where the requirements say so already", said.Offers)
	}
	seldom := designed(t, parse(t, strings.Replace(playlists, "rate: {average: 90/s", "rate: {average: 0.01/s", 1)))
	if len(seldom.Offers) > 0 {
		t.Errorf("offers %v, which save next to nothing", seldom.Offers)
	}
}

const depots = `tablewright: 1
application: depots
entities:
  Depot:
    identity: [depotId]
    attributes:
      depotId: {type: string, bytes: 6}
      name: {type: string, bytes: 24}
      waiting: {derived: "count(jobs where state = waiting)", within: 10s}
    bytes: 300
    count: 500
  Job:
    identity: [jobId]
    attributes:
      jobId: {type: string, generated: ulid}
      depotId: {references: Depot, inverse: jobs, per-parent: {average: 2_000, max: 9_000}}
      state: {states: [waiting, done], share: {waiting: 1%}}
    bytes: 200
    count: 1_000_000
patterns:
  addDepot: {write: {create: Depot}, rate: {average: 1/month, peak: 1/s}}
  getDepots: {read: Depot, whole: true, rate: {average: 0.5/s, peak: 5/s}}
  getJob: {read: Job, given: [jobId], rate: {average: 1/s, peak: 5/s}}
  addJob: {write: {create: Job}, rate: {average: 0.2/s, peak: 5/s}}
  finish: {write: {update: Job, set: {state: done}}, rate: {average: 0.2/s, peak: 5/s}}
`

// TestOfferedRequirement: a number that a stream keeps lies in its entity's items where children come to entities alone that are there.
func TestOfferedRequirement(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	d := designed(t, parse(t, depots))
	if len(d.Offers) != 1 || d.Offers[0].String() != "`requires: [depot]` in addJob" {
		t.Fatalf("offers %v, want what addJob could require", d.Offers)
	}
	said := designed(t, parse(t, strings.Replace(depots, "{create: Job}", "{create: Job, requires: [depot]}", 1)))
	if got := said.Components[0].Chosen.Cost; got > d.Offers[0].Cost {
		t.Errorf("with %s the design costs %s, more than the %s that were offered", d.Offers[0], got, d.Offers[0].Cost)
	}
	if len(said.Offers) > 0 {
		t.Errorf("offers %v where the requirements say so already", said.Offers)
	}
}

const dispatches = `tablewright: 1
application: dispatches
entities:
  Employer:
    identity: [employerId]
    attributes: {employerId: {type: string, bytes: 6}, name: {type: string, bytes: {average: 22, max: 80}}}
    bytes: 180
    count: 410
  Call:
    identity: [callId]
    attributes:
      callId: {type: string, generated: ulid}
      employerId: {references: Employer, inverse: calls, per-parent: {average: 761, max: 40_000}}
    bytes: 250
    count: 312_000
  Dispatch:
    identity: [workerId, day]
    attributes:
      workerId: {type: string, bytes: 8, distinct: 36_000}
      day: date
      callId: {references: Call, inverse: dispatches, per-parent: {average: 9, max: 120}}
      employerName: {derived: call.employer.name}
    bytes: 195
    count: 2_808_000
patterns:
  addEmployer: {write: {create: Employer}, rate: {average: 4/month, peak: 0.1/s}}
  rename: {write: {update: Employer, set: [name]}, rate: {average: 1/month, peak: 0.1/s}}
  placeCall: {write: {create: Call, requires: [employer]}, rate: {average: 0.003/s, peak: 3/s}}
  getCall: {read: Call, given: [callId], rate: {average: 1/s, peak: 40/s}}
  send: {write: {create: Dispatch, requires: [call]}, rate: {average: 0.03/s, peak: 45/s}}
  getDispatch: {read: Dispatch, given: [workerId, day], consistency: strong, rate: {average: 1/s, peak: 60/s}}
  getMyShifts: {read: Dispatch, given: [workerId], order: day descending, page: 15, results: {average: 78, max: 900}, rate: {average: 3/s, peak: 60/s}}
`

// TestOfferedLag: a strongly consistent read shows a derived attribute that may not lag. No staleness of other reads helps, for all would
// find the copy in the same items: that the attribute may lag is offered. Where a staleness saves as much, that alone is.
func TestOfferedLag(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	d := designed(t, parse(t, dispatches))
	if len(d.Offers) != 1 || d.Offers[0].String() != "`within: 5s` in Dispatch.employerName" {
		t.Fatalf("offers %v, want that employerName may lag", d.Offers)
	}
	offer, total := d.Offers[0], d.Components[0].Chosen.Cost
	if offer.Cost >= total/3 {
		t.Errorf("%s would make it %s instead of %s: want a third", offer, offer.Cost, total)
	}
	for _, x := range d.Model.Decisions {
		if o, ok := design.OfferOf(x); ok && (o.String() != offer.String() || len(o.Patterns) > 0 || len(o.Attributes) != 1) {
			t.Errorf("the model notes %+v, want %+v", o, offer)
		}
	}
	said := designed(t, parse(t, strings.Replace(dispatches, "call.employer.name}", "call.employer.name, within: 5s}", 1)))
	if got := said.Components[0].Chosen.Cost; got > offer.Cost || len(said.Offers) > 0 {
		t.Errorf("with %s the design costs %s and offers %v", offer, got, said.Offers)
	}
	eventual := designed(t, parse(t, strings.Replace(dispatches, "consistency: strong, ", "", 1)))
	if len(eventual.Offers) != 1 || eventual.Offers[0].String() != "`staleness: 5s` in getDispatch and getMyShifts" {
		t.Errorf("offers %v, want a staleness of both reads alone", eventual.Offers)
	}
}
