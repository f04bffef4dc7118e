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

// TestOfferedLag: a strongly consistent read shows a derived attribute that may not lag. No staleness of other reads
// helps, for all would find the copy in the same items: that the attribute may lag is offered. Where a staleness saves
// as much, that alone is.
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

const gauges = `tablewright: 1
application: gauges
entities:
  Gauge:
    identity: [gaugeId]
    attributes:
      gaugeId: {type: string, bytes: 6}
      place: {type: string, bytes: 6, distinct: 30, hottest: 10%}
      level: {type: number, digits: 4, optional: true, share: 99%}
      readAt: {type: timestamp, optional: true, share: 99%}
    count: 3_000
  Level:
    identity: [gaugeId, at]
    attributes:
      gaugeId: {references: Gauge, inverse: levels, per-parent: {average: 43_200, max: 50_000}}
      at: timestamp
      level: {type: number, digits: 4}
    bytes: 60
    count: 129_600_000
    retention: 30 days after at
patterns:
  addGauge: {write: {create: Gauge}, rate: {average: 1/month, peak: 1/s}}
  getGauge: {read: Gauge, given: [gaugeId], rate: {average: 1/s, peak: 4/s}}
  getLevels: {read: Level, given: [gaugeId], where: at >= $from, order: at, page: 100, results: {average: 120, max: 1_440}, rate: {average: 0.1/s, peak: 4/s}}
  log:
    write:
      - create: Level
      - {update: Gauge, key: {gaugeId: $level.gaugeId}, set: {level: $level.level, readAt: $level.at}, condition: absent(readAt) or readAt <= $level.at, refusal: older}
    rate: {average: 50/s, peak: 90/s}
`

// TestOfferLast: where an update gives a parent what its newest child has, and nothing else does, a design offers that
// this is derived from the child. Requirements that say so cost what was offered. It offers nothing where that would be
// another value, where something is found by it, or where it is read more often than it is written.
func TestOfferLast(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	d := designed(t, parse(t, gauges))
	if len(d.Offers) != 1 || d.Offers[0].String() != "`derived: last(levels.level), last(levels.at), instead of the update in log, and requires: [gauge] there` in Gauge.level and Gauge.readAt" {
		t.Fatalf("offers %v, want that log creates the Level alone", d.Offers)
	}
	offer := d.Offers[0]
	if total := d.Components[0].Chosen.Cost; offer.Cost >= total*2/3 {
		t.Errorf("%s would make it %s instead of %s: want a third less", offer, offer.Cost, total)
	}
	noted := d.Model.Decisions[len(d.Model.Decisions)-1]
	if o, ok := design.OfferOf(noted); !ok || o.String() != offer.String() || !strings.Contains(noted.Because, "older than that is written then, and not refused") || !strings.Contains(noted.Because, "all gone shows none") {
		t.Errorf("the model notes %+v", noted)
	}
	said := strings.Replace(gauges, "level: {type: number, digits: 4, optional: true, share: 99%}", "level: {derived: last(levels.level)}", 1)
	said = strings.Replace(said, "readAt: {type: timestamp, optional: true, share: 99%}", "readAt: {derived: last(levels.at)}", 1)
	at := strings.Index(said, "      - create: Level")
	said = said[:at] + "      - {create: Level, requires: [gauge]}\n" + said[strings.Index(said, "    rate: {average: 50/s"):]
	if x := designed(t, parse(t, said)); x.Components[0].Chosen.Cost > offer.Cost || len(x.Offers) > 0 {
		t.Errorf("with %s the design costs %s and offers %v", offer, x.Components[0].Chosen.Cost, x.Offers)
	}
	for name, x := range map[string]struct{ of, to string }{
		"the last that was written":    {", condition: absent(readAt) or readAt <= $level.at, refusal: older", ""},
		"another order":                {"absent(readAt) or readAt <= $level.at", "absent(level) or level <= $level.level"},
		"all or nothing of some":       {"absent(readAt) or readAt <= $level.at", "readAt <= $level.at"},
		"set by another":               {"  log:", "  reset: {write: {update: Gauge, set: [level]}, rate: {average: 1/month, peak: 1/s}}\n  log:"},
		"others come without":          {"  log:", "  load: {write: {create: Level}, rate: {average: 1/month, peak: 1/s}}\n  log:"},
		"they go":                      {"  log:", "  drop: {write: {delete: Level}, rate: {average: 1/month, peak: 1/s}}\n  log:"},
		"found by it":                  {"  log:", "  getHigh: {read: Gauge, given: [place], order: level descending, page: 10, rate: {average: 1/month, peak: 1/s}}\n  log:"},
		"read more often than written": {"given: [gaugeId], rate: {average: 1/s, peak: 4/s}", "given: [gaugeId], rate: {average: 2_000/s, peak: 4_000/s}"},
	} {
		text := strings.Replace(gauges, x.of, x.to, 1)
		if text == gauges {
			t.Fatal(name)
		}
		for _, o := range designed(t, parse(t, text)).Offers {
			if strings.Contains(o.Statement, "last(") {
				t.Errorf("%s: offers %s", name, o)
			}
		}
	}
}
