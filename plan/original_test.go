package plan_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

const toursRequirements = `
tablewright: 1
application: tours
entities:
  Region: {identity: [regionId], attributes: {regionId: {type: string, bytes: 6}, climate: {type: string, bytes: 9, optional: true, share: 90%}}, bytes: 60, count: 10}
  Town:
    identity: [townId]
    attributes:
      townId: {type: string, bytes: 6}
      name: {type: string, bytes: 12}
      regionId: {references: Region, per-parent: {average: 10, max: 50}}
    bytes: 90
    count: 100
  Tour:
    identity: [tourId]
    attributes:
      tourId: {type: string, bytes: 8}
      startId: {references: Town, as: start, per-parent: {average: 10, max: 50}}
      endId: {references: Town, as: end, per-parent: {average: 10, max: 50}}
      startName: {derived: start.name}
    bytes: 120
    count: 1_000
patterns:
  addRegion: {write: {create: Region}, rate: {average: 1/s, peak: 1/s}}
  addTown: {write: {create: Town}, rate: {average: 1/s, peak: 1/s}}
  addTour: {write: {create: Tour, requires: [start, end]}, rate: {average: 1/s, peak: 1/s}}
  rename: {write: {update: Town, set: [name]}, rate: {average: 1/s, peak: 1/s}}
  setClimate: {write: {update: Region, remove: [climate]}, rate: {average: 1/s, peak: 1/s}}
  removeTown: {write: {delete: Town}, rate: {average: 1/s, peak: 1/s}}
  getTour: {read: Tour, given: [tourId], returns: [all, start.name, start.region.climate], rate: {average: 1/s, peak: 1/s}}
  getEnds: {read: Tour, given: [tourId], returns: [tourId, start.name, end.name], staleness: 1h, rate: {average: 1/s, peak: 1/s}}
`

const toursModel = `
tablewright: 1
application: tours
tables:
  Regions: {attributes: {regionId: S}, key: {partition: regionId}, items: {Region: {}}}
  Towns:
    attributes: {townId: S}
    key: {partition: townId}
    items: {Town: {copies: {climate: {from: region.climate, kept: {by: stream, within: 1h}}}}}
  Tours:
    attributes: {tourId: S}
    key: {partition: tourId}
    items:
      Tour:
        stores: [tourId, startId, endId, rest]
        copies:
          start: {from: start.name, kept: {by: stream, within: 1h}}
          end: {from: end.name, kept: KEPT}
          climate: {from: start.region.climate, kept: {by: stream, within: 1h}}
plans:
  addRegion: {steps: {w: {put: Region, if: absent}}}
  addTown: {steps: {w: {put: Town, if: absent}}}
  addTour:
    steps:
      start: {get: Town, key: {townId: $tour.startId}, consistent: true}
      end: {get: Town, key: {townId: $tour.endId}, consistent: true}
      w:
        transact:
          - {put: Tour, with: {start.name: $start.name, end.name: $end.name}, if: absent}
          - {check: Town, key: {townId: $tour.startId}, if: [present, name = $start.name]}
          - {check: Town, key: {townId: $tour.endId}, if: [present, name = $end.name]}
  rename: {steps: {w: {update: Town, key: [townId], set: [name], if: present}}}
  setClimate: {steps: {w: {update: Region, key: [regionId], remove: [climate], if: present}}}
  removeTown: {steps: {w: {delete: Town, key: [townId], if: present}}}
  getTour:
    steps:
      tour: {get: Tour, key: [tourId]}
      start: {get: Town, key: {townId: $tour.startId}}
      region: {get: Region, key: {regionId: $start.regionId}}
    answer: {from: [tour, start, region]}
  getEnds:
    steps:
      tour: {get: Tour, key: [tourId]}
      start: {get: Town, key: {townId: $tour.startId}}
    answer: {from: [tour, start]}
`

// TestOriginal: an item has copies that are not as their originals are. A read that gets the original answers the
// original, also by the name of what is derived from it, and also if the original has no value or is not there; what it
// does not get it answers by the copy.
func TestOriginal(t *testing.T) {
	r := requirements(t, "tours.yaml", []byte(toursRequirements))
	m, _ := document(t, "tours.model.yaml", []byte(strings.ReplaceAll(toursModel, "KEPT", "{by: stream, within: 1h}")))
	p, problems := plan.Compile(m, r)
	for _, x := range problems {
		t.Fatal(x)
	}
	f := newFake(p)
	put := func(table string, it map[string]any) {
		s, items := f.table(table)
		w := item(it)
		items[keyText(s, w)] = w
	}
	read := func(pattern string) attr.Item {
		t.Helper()
		reply, err := f.run(pattern, item(map[string]any{"tourId": "coast"}), nil)
		if err != nil || len(reply.Items) != 1 {
			t.Fatalf("%s: %v, %v", pattern, reply, err)
		}
		return reply.Items[0]
	}
	name := func(it attr.Item, way string) string { return it.Get(way).Map().Get("name").Str() }

	put("Regions", map[string]any{"regionId": "south", "climate": "mild"})
	put("Towns", map[string]any{"townId": "a", "name": "Newton", "regionId": "south", "climate": "wet"})
	put("Towns", map[string]any{"townId": "b", "name": "Newham", "regionId": "south"})
	put("Tours", map[string]any{"tourId": "coast", "startId": "a", "endId": "b", "start": "Oldton", "end": "Oldham", "climate": "dry"})
	tour := read("getTour")
	climate := tour.Get("start").Map().Get("region").Map().Get("climate").Str()
	if got := tour.Get("startName").Str(); name(tour, "start") != "Newton" || got != "Newton" || climate != "mild" {
		t.Errorf("it starts in %q and %q, where it is %q", name(tour, "start"), got, climate)
	}
	if ends := read("getEnds"); name(ends, "start") != "Newton" || name(ends, "end") != "Oldham" {
		t.Errorf("it starts in %q, which is read, and ends in %q, which is not", name(ends, "start"), name(ends, "end"))
	}
	put("Tours", map[string]any{"tourId": "coast", "startId": "a", "endId": "a", "start": "Oldton", "end": "Oldton", "climate": "dry"})
	put("Regions", map[string]any{"regionId": "south"})
	if tour := read("getTour"); tour.Get("start").Map().Has("region") {
		t.Errorf("a climate that is no more is answered: %v", tour)
	}
	put("Tours", map[string]any{"tourId": "coast", "startId": "c", "endId": "b", "start": "Oldton", "end": "Oldham", "climate": "dry"})
	if tour := read("getTour"); tour.Has("start") || tour.Has("startName") {
		t.Errorf("a town that is not there is answered: %v", tour)
	}

	// A snapshot cannot answer a read of the current value, even if the plan has other steps.
	m, _ = document(t, "tours.model.yaml", []byte(strings.ReplaceAll(toursModel, "KEPT", "snapshot")))
	_, problems = plan.Compile(m, r)
	if len(problems) != 1 || problems[0].Code != plan.CodeKept || !strings.Contains(problems[0].Message, "getEnds returns end.name as it is") {
		t.Errorf("with a snapshot: %v", problems)
	}
}
