package design_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/design"
)

// What lies at the end of two ways is read by two steps, each of which brings it for the one before.
func TestSelfReferenceTwice(t *testing.T) {
	r := parse(t, `
tablewright: 1
application: staff
entities:
  Clerk:
    identity: [clerkId]
    attributes:
      clerkId: {type: string, generated: ulid}
      name: {type: string, bytes: 24}
      chiefId: {references: Clerk, as: chief, inverse: staff, optional: true, share: 98%, per-parent: {average: 0.98, max: 40}}
    count: 9_000
patterns:
  hire: {write: {create: Clerk}, rate: {average: 0.001/s, peak: 1/s}}
  get: {read: Clerk, given: [clerkId], returns: [all, chief.chief.name], rate: {average: 4/s, peak: 15/s}}
`)
	d := designed(t, r)
	compiled(t, r, d)
	if n := len(d.Model.Plans[1].Steps); n != 3 {
		t.Errorf("%d steps", n)
	}
}

// All reads that no key serves are named at once, each with what is in the way and what to write instead.
func TestUnsupported(t *testing.T) {
	r := parse(t, `
tablewright: 1
application: {name: beds, streams: [Bed]}
entities:
  Bed:
    identity: [bedId]
    attributes:
      bedId: {type: string, generated: ulid}
      name: {type: string, bytes: 30}
      lit: {type: bool, share: {true: 2%}}
      tags: {type: set, of: {type: string, bytes: 6}, length: 3}
      dueOn: {type: date, optional: true, share: 10%}
      place: {type: map, attributes: {hall: {type: string, bytes: 8}}}
    count: 400_000
patterns:
  addBed: {write: {create: Bed}, rate: {average: 0.01/s, peak: 1/s}}
  litBeds: {read: Bed, where: lit = true, page: 20, results: {average: 8_000, max: 20_000}, rate: {average: 2/s, peak: 9/s}}
  byWord: {read: Bed, where: "contains(name, $word)", page: 20, results: {average: 40, max: 900}, rate: {average: 2/s, peak: 9/s}}
  byTag: {read: Bed, where: "contains(tags, $tag)", page: 20, results: {average: 40, max: 900}, rate: {average: 2/s, peak: 9/s}}
  unlike: {read: Bed, where: name != $name, page: 20, results: {average: 399_000, max: 400_000}, rate: {average: 2/s, peak: 9/s}}
  due: {read: Bed, where: exists(dueOn), page: 20, results: {average: 40_000, max: 50_000}, rate: {average: 2/s, peak: 9/s}}
  inHall: {read: Bed, given: [place.hall], results: {average: 40, max: 90}, rate: {average: 2/s, peak: 9/s}}
  allInHall: {read: Bed, given: [place.hall], whole: true, results: {average: 40, max: 90}, rate: {average: 2/s, peak: 9/s}}
  any: {read: Bed, page: 20, rate: {average: 2/s, peak: 9/s}}
  wholeOf: {read: Bed, whole: true, page: 20, rate: {average: 2/s, peak: 9/s}}
`)
	_, err := design.Design(t.Context(), r, design.Options{})
	var none *design.UnsupportedError
	if !errors.As(err, &none) {
		t.Fatal(err)
	}
	want := map[string]string{
		"byWord": "search index outside", "byTag": "an entity of what tags holds", "unlike": "an enum or a bool", "any": "`whole: true` if all are wanted",
		"inHall": "`given: [placeHall]`",
	}
	for _, c := range none.Cases {
		if w, ok := want[c.Pattern]; !ok || !strings.Contains(c.Instead, w) || c.Because == "" || c.Statement == "" {
			t.Errorf("%s", c)
		}
		delete(want, c.Pattern)
	}
	if len(want) > 0 {
		t.Errorf("not named: %v", want)
	}
}

// TestCountedInVain states numbers that count some children only and that no stream can keep. The refusal says why, and what to state.
func TestCountedInVain(t *testing.T) {
	const text = `tablewright: 1
application: lifts
entities:
  Lift:
    identity: [liftId]
    attributes:
      liftId: {type: string, bytes: 12}
      street: string
      open: {derived: count(faults where state != closed), within: 10s}
    bytes: 300
    count: 5_000
  Fault:
    identity: [faultId]
    attributes:
      faultId: {type: string, generated: ulid}
      liftId: {references: Lift, inverse: faults, per-parent: {average: 40, max: 600}}
      state: {states: [reported, closed], share: {reported: 2%}}
      forgottenAt: timestamp
    bytes: 400
    count: 200_000
patterns:
  addLift: {write: {create: Lift}, rate: {average: 0.001/s, peak: 1/s}}
  getLift: {read: Lift, given: [liftId], rate: {average: 2/s, peak: 20/s}}
  report: {write: {create: Fault}, rate: {average: 0.1/s, peak: 5/s}}
  close: {write: {update: Fault, set: {state: closed}}, rate: {average: 0.1/s, peak: 5/s}}
`
	for _, x := range [][3]string{
		{"    count: 200_000\n", "    count: 200_000\n    expires: forgottenAt\n", "Lift.open changes whenever a Fault ends at its forgottenAt"},
		{"  close:", "  rename: {write: {update: Lift, set: [street], condition: open < 5}, rate: {average: 0.1/s, peak: 5/s}}\n  close:", "needs it as it is now: let the writes keep it"},
	} {
		_, err := design.Design(t.Context(), parse(t, strings.Replace(text, x[0], x[1], 1)), design.Options{})
		var none *design.UnsupportedError
		if !errors.As(err, &none) || !strings.Contains(err.Error(), x[2]) {
			t.Errorf("with %s: %v", x[1], err)
		}
	}
}

// TestCountedUntilExpiry counts and sums what expires: no write takes it out of a number then, wherever the number
// lies. The refusal says what to read instead.
func TestCountedUntilExpiry(t *testing.T) {
	const text = `tablewright: 1
application: moorings
entities:
  Harbour:
    identity: [harbourId]
    attributes:
      harbourId: {type: string, bytes: 12}
      name: {type: string, bytes: 40}
      taken: {derived: NUMBER}
    count: 5_000
  Permit:
    identity: [permitId]
    attributes:
      permitId: {type: string, generated: ulid}
      harbourId: {references: Harbour, inverse: permits, per-parent: {average: 5, max: 40}}
      berths: {type: number, digits: 2, min: 0}
      endsAt: timestamp
    bytes: 200
    count: 25_000
    ENDS
patterns:
  addHarbour: {write: {create: Harbour}, rate: {average: 0.001/s, peak: 1/s}}
  getHarbour: {read: Harbour, given: [harbourId], rate: {average: 2/s, peak: 20/s}}
  getPermit: {read: Permit, given: [permitId], rate: {average: 2/s, peak: 20/s}}
  permit: {write: {create: Permit, requires: [harbour]}, rate: {average: 0.1/s, peak: 5/s}}
`
	for _, x := range [][2]string{
		{"count(permits)", "let it be read, `aggregate: {taken: count}` of Permit"},
		{"sum(permits.berths)", "let it be read, `aggregate: {taken: sum(berths)}` of Permit"},
		{"sum(permits.berths), within: 1min", "let it be read, `aggregate: {taken: sum(berths)}` of Permit"},
	} {
		counted := strings.Replace(text, "NUMBER", x[0], 1)
		_, err := design.Design(t.Context(), parse(t, strings.Replace(counted, "ENDS", "expires: endsAt", 1)), design.Options{})
		var none *design.UnsupportedError
		if !errors.As(err, &none) || !strings.Contains(err.Error(), x[1]) {
			t.Errorf("%s: %v", x[0], err)
		}
		if _, err := design.Design(t.Context(), parse(t, strings.Replace(counted, "    ENDS\n", "", 1)), design.Options{}); err != nil {
			t.Errorf("%s of what stays: %v", x[0], err)
		}
	}
}

// TestCountedBeforeThere looks for shelves by a number that may count before there is a shelf. The refusal says what to write, and with
// that there is a model.
func TestCountedBeforeThere(t *testing.T) {
	b, err := os.ReadFile("testdata/strategies/counted-where-there.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const check = "{update: Shelf, key: {hallId: $hallId, shelfNo: $shelfNo}, condition: present}"
	text := strings.Replace(string(b), "      - "+check+"\n", "", 1)
	_, err = design.Design(t.Context(), parse(t, text), design.Options{})
	var none *design.UnsupportedError
	if !errors.As(err, &none) || !strings.Contains(err.Error(), "write `"+check+"` beside the upsert in putAway") {
		t.Error(err)
	}
}

// TestOrderedAside looks for wards by a number that may count before there is one, without leave to scan them. All of
// them are listed by an index, and ordered by the client; where they are too large for that, the refusal says what
// would help, and offers the scan.
func TestOrderedAside(t *testing.T) {
	b, err := os.ReadFile("testdata/strategies/ordered-aside.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(b), "whole: true, ", "", 1)
	r := parse(t, text)
	d, err := design.Design(t.Context(), r, design.Options{})
	if err != nil {
		t.Fatal(err)
	}
	proven(t, compiled(t, r, d))
	_, err = design.Design(t.Context(), parse(t, strings.Replace(text, "    bytes: 200\n", "    bytes: 20_000\n", 1)), design.Options{})
	if err == nil || !strings.Contains(err.Error(), "write `requires: [ward]` in call; or `whole: true` in getBoard") {
		t.Error(err)
	}
}

// TestSameParent: where each element of a list tests its order and counts there, the refusal says how to state that all
// are of one.
func TestSameParent(t *testing.T) {
	b, err := os.ReadFile("testdata/strategies/same-parent.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, err = design.Design(t.Context(), parse(t, strings.Replace(string(b), ", same: [orderId]", "", 1)), design.Options{})
	if err == nil || !strings.Contains(err.Error(), "or, where all of a call are of one Order, `parameters: {lines: {same: [orderId]}}`") {
		t.Error(err)
	}
}
