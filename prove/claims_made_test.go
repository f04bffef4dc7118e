package prove_test

import (
	"testing"

	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/prove"
)

// allDone demands that calls of all patterns were done and were right.
func allDone(t *testing.T, e *prove.Evidence, patterns ...string) {
	t.Helper()
	for _, p := range e.Patterns {
		if p.Failure != nil {
			t.Errorf("%s: %v\n%v%s", p.Name, p.Failure, p.Failure.Input, sent(p.Failure))
		}
	}
	for _, name := range patterns {
		if p := e.Pattern(name); p.Measured < 16 {
			t.Errorf("%s: %d calls were done, refused %v", name, p.Measured, p.Refused)
		}
	}
}

// TestClaimsUsedUp: of each model one rollout runs or is paused, and each has soon been paused; of each bike one job is open, and a call
// offers many at once. Parents of whom nothing is claimed yet are made: of a build those of another model, of jobs one for each.
func TestClaimsUsedUp(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	allDone(t, proof(t, cheapest(t, stated(t, `
entities:
  Model: {identity: [modelId], attributes: {modelId: {type: string, bytes: 8}}, bytes: 60, count: 240}
  Build:
    identity: [modelId, build]
    attributes:
      modelId: {parent: Model, inverse: builds, per-parent: {average: 25, max: 200}}
      build: {type: number, digits: 6, min: 1}
    bytes: 90
  Bike:
    identity: [bikeId]
    attributes:
      bikeId: {type: string, bytes: 14}
      modelId: {references: Model, inverse: bikes, per-parent: {average: 5_000, max: 160_000}}
    bytes: 80
    count: 1_200_000
  Rollout:
    identity: [rolloutId]
    attributes:
      rolloutId: {type: string, generated: ulid}
      modelId: {references: Build, by: [modelId, build], as: firmware, inverse: rollouts, per-parent: {average: 0.5, max: 12}}
      build: {type: number, digits: 6, min: 1}
      open: {type: number, digits: 5, min: 0}
      state: {states: {planned: [running], running: [paused, completed], paused: [running], completed: []}, share: {planned: 1%, running: 2%, paused: 0.5%}}
    unique:
      - {of: [modelId], while: "state in (running, paused)"}
    bytes: 160
    count: 3_000
  Job:
    identity: [rolloutId, bikeId]
    attributes:
      rolloutId: {parent: Rollout, inverse: jobs, per-parent: {average: 2_000, max: 160_000}}
      bikeId: {references: Bike, inverse: jobs, per-parent: {average: 5, max: 60}}
      state: {states: [offered, loading, installed], share: {offered: 6%, loading: 0.2%}}
    unique:
      - {of: [bikeId], while: "state in (offered, loading)"}
    bytes: 120
patterns:
  addModel: {write: {create: Model}, rate: {average: 2/month, peak: 0.1/s}}
  addBuild: {write: {create: Build, requires: [model]}, rate: {average: 160/month, peak: 0.1/s}}
  registerBike: {write: {create: Bike, requires: [model]}, rate: {average: 0.015/s, peak: 2/s}}
  getModel: {read: Model, given: [modelId], rate: {average: 1/s, peak: 2/s}}
  getBuild: {read: Build, given: [modelId, build], rate: {average: 1/s, peak: 2/s}}
  getBike: {read: Bike, given: [bikeId], rate: {average: 3/s, peak: 60/s}}
  getRollout: {read: Rollout, given: [rolloutId], rate: {average: 1/s, peak: 2/s}}
  getJob: {read: Job, given: [rolloutId, bikeId], rate: {average: 1/s, peak: 2/s}}
  plan: {write: {create: Rollout, requires: [firmware]}, rate: {average: 80/month, peak: 0.1/s}}
  start: {write: {update: Rollout, set: {state: running}, condition: "state in (planned, paused)", refusal: not-startable}, rate: {average: 100/month, peak: 0.1/s}}
  pause: {write: {update: Rollout, set: {state: paused}, condition: state = running, refusal: not-running}, rate: {average: 25/month, peak: 0.1/s}}
  complete: {write: {update: Rollout, set: {state: completed}, condition: state = running and open = 0, refusal: busy}, rate: {average: 75/month, peak: 0.1/s}}
  offer:
    write: {create: Job, each: $jobs}
    atomic: false
    parameters: {jobs: {length: {average: 25, max: 25}}}
    rate: {average: 0.006/s, peak: 2/s}
  load:
    write:
      - {update: Job, set: {state: loading}, condition: state = offered, refusal: not-offered}
      - {update: Rollout, set: {open: open + 1}, condition: state = running, refusal: busy}
    rate: {average: 0.14/s, peak: 6/s}
  install:
    write:
      - {update: Job, set: {state: installed}, condition: state = loading, refusal: not-loading}
      - {update: Rollout, set: {open: open - 1}, condition: open >= 1, refusal: none-open}
    rate: {average: 0.14/s, peak: 6/s}
`))), "start", "pause", "complete", "offer", "load", "install")
}

// TestOneCallNamesOneItemTwice: entries of one call that differ by its time alone are one entry, and two cards of one type cannot both
// be minted by one call where the limit stands in the item. Calls are refused for it, and the proof knows that they are.
func TestOneCallNamesOneItemTwice(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	allDone(t, proof(t, cheapest(t, stated(t, `
entities:
  Type:
    identity: [typeId]
    attributes:
      typeId: {type: string, bytes: 9}
      minted: {type: number, digits: 8, min: 0}
      print: {type: number, digits: 8, min: 1}
    bytes: 90
    count: 12
  Pack:
    identity: [packId]
    attributes:
      packId: {type: string, generated: ulid}
      state: {states: [sealed, opened], share: {sealed: 12%}}
    bytes: 80
    count: 12_000
  Card:
    identity: [cardId]
    attributes:
      cardId: {type: string, generated: ulid}
      typeId: {references: Type, inverse: cards, per-parent: {average: 500, max: 5_000}}
      moves: {type: number, digits: 3, min: 0}
    bytes: 90
    count: 6_000
  Transfer:
    identity: [cardId, at]
    attributes:
      cardId: {references: Card, inverse: transfers, per-parent: {average: 0.6, max: 500}}
      at: {type: timestamp, generated: now}
      reason: {enum: [trade, sale, gift], ordered: false}
    bytes: 110
    count: 3_600
  Trade:
    identity: [tradeId]
    attributes:
      tradeId: {type: string, generated: ulid}
      state: {states: [open, accepted], share: {open: 30%}}
    bytes: 80
    count: 1_200
patterns:
  getType: {read: Type, given: [typeId], rate: {average: 1/s, peak: 2/s}}
  getPack: {read: Pack, given: [packId], rate: {average: 1/s, peak: 2/s}}
  getCard: {read: Card, given: [cardId], rate: {average: 1/s, peak: 2/s}}
  getTrade: {read: Trade, given: [tradeId], rate: {average: 1/s, peak: 2/s}}
  ledger: {read: Transfer, given: [cardId], order: at descending, page: 20, rate: {average: 1/s, peak: 2/s}}
  addType: {write: {create: Type}, rate: {average: 250/month, peak: 5/s}}
  buyPack: {write: {create: Pack}, rate: {average: 0.2/s, peak: 4/s}}
  begin: {write: {create: Trade}, rate: {average: 0.2/s, peak: 4/s}}
  openPack:
    write:
      - {update: Pack, set: {state: opened}, condition: state = sealed, refusal: not-sealed}
      - {create: Card, each: $cards, requires: [type]}
      - {update: Type, key: {typeId: $each.typeId}, each: $cards, set: {minted: minted + 1}, condition: minted < print, refusal: sold-out}
    parameters: {cards: {length: 3}}
    rate: {average: 0.18/s, peak: 8/s}
  accept:
    write:
      - {update: Trade, set: {state: accepted}, condition: state = open, refusal: not-open}
      - {create: Transfer, each: $transfers}
    parameters: {transfers: {length: {average: 6, max: 12}}}
    rate: {average: 0.1/s, peak: 6/s}
`))), "openPack", "accept")
}

// TestListsFindWhatIsFree: each element of a list claims a driver's day. One that is taken, and the whole call is refused.
func TestListsFindWhatIsFree(t *testing.T) {
	e := proof(t, cheapest(t, stated(t, `
entities:
  Driver: {identity: [driverId], attributes: {driverId: {type: string, bytes: 8}}, bytes: 60, count: 300}
  Duty:
    identity: [dutyId]
    attributes:
      dutyId: {type: string, generated: ulid}
      driverId: {references: Driver, inverse: duties, per-parent: {average: 60, max: 90}}
      day: date
    unique: [[driverId, day]]
    bytes: 100
    count: 18_000
patterns:
  hire: {write: {create: Driver}, rate: {average: 1/day, peak: 1/s}}
  publish: {write: {create: Duty, each: $duties}, atomic: false, parameters: {duties: {length: {average: 180, max: 600}}}, rate: {average: 6/day, peak: 1/s}}
  dutiesOf: {read: Duty, given: [driverId], order: day, rate: {average: 1/s, peak: 5/s}}
`)))
	allDone(t, e, "publish")
	if p := e.Pattern("publish"); p.Refused["unique"] > p.Calls/4 {
		t.Errorf("of %d calls %d were refused", p.Calls, p.Refused["unique"])
	}
}
