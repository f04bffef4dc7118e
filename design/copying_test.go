package design_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/design"
)

// TestCopiesUnknown takes from requirements what lets a create read the value by which its items are listed: the error,
// or the decision for pages that the client makes instead, names the write, and what to type.
func TestCopiesUnknown(t *testing.T) {
	for _, x := range []struct{ file, old, is, says string }{
		{
			"read-first", "{create: Parcel, requires: [round]}", "{create: Parcel}",
			"an index would need round.depotId in every Parcel, and addParcel does not require the round to be there (write `requires: [round]` in addParcel)",
		},
		{
			"read-first", "{create: Round, requires: [depot]}", "{create: Round}",
			"an index would need round.depot.region in every Parcel, and addRound does not require the depot to be there (write `requires: [depot]` in addRound)",
		},
		{
			"read-first-moves", "{update: Desk, set: [roomId], requires: [room]}", "{update: Desk, set: [roomId]}",
			"an index would need room.floor in every Desk, and moveDesk does not require the room to be there (write `requires: [room]` in moveDesk)",
		},
		{
			"read-first-kept", "max: 40}", "max: 400}",
			"an index would need room.floor in every Desk, and moveRoom would have to write up to 400 of them anew in one transaction, and DynamoDB takes 100 actions",
		},
	} {
		b, err := os.ReadFile("testdata/strategies/" + x.file + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(string(b), x.old, x.is, 1)
		if text == string(b) {
			t.Fatalf("%s does not say %s", x.file, x.old)
		}
		said := ""
		found, err := design.Design(t.Context(), parse(t, text), design.Options{})
		if err != nil {
			said = err.Error()
		} else {
			for _, d := range found.Model.Decisions {
				said += d.About + ": " + d.Because + "\n"
			}
		}
		if !strings.Contains(said, x.says) {
			t.Errorf("%s with %s:\n%v\nwant\n%s", x.file, x.is, said, x.says)
		}
	}
}

// TestFilledInTwoWaysOff: what lies two ways off comes into items by the consumer of a stream, whether or not it ever
// changes, where nothing requires it to be there: then no create knows it. The consumer has to reach what lies on the
// way by its identity, and so that is not inside another item.
func TestFilledInTwoWaysOff(t *testing.T) {
	const needs = `
tablewright: 1
application: tickets
entities:
  Event: {identity: [eventId], attributes: {eventId: {type: string, generated: ulid}, startsAt: timestamp}, bytes: 500, count: 60_000}
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
      price: {type: number, digits: 7, min: 0}
      startsAt: {derived: place.event.startsAt, within: 10min}
    bytes: 220
    count: 10_800_000
patterns:
  announce: {write: {create: Event, with: [sections]}, rate: {average: 0.002/s, peak: 1/s}}
  getEvent: {read: Event, given: [eventId], with: [sections], rate: {average: 1/s, peak: 2/s}}
  issue: {write: {create: Ticket}, rate: {average: 0.35/s, peak: 2/s}}
  reprice:
    write:
      - {update: Ticket, set: {price: $price}}
      - {update: Section, key: {eventId: $eventId, section: $section}, condition: cap >= $price, refusal: above-cap}
    rate: {average: 0.22/s, peak: 2/s}
  ahead: {read: Ticket, given: [ownerId], where: startsAt > now, order: startsAt, page: 20, results: {average: 1.2, max: 300}, rate: {average: 2/s, peak: 3/s}}
`
	for name, more := range map[string]string{
		"it never changes": "",
		"it changes":       "  postpone: {write: {update: Event, set: [startsAt]}, rate: {average: 0.0003/s, peak: 0.1/s}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			d := designed(t, parse(t, needs+more))
			for _, table := range d.Model.Tables {
				if it, ok := table.Items["Ticket"]; ok && !it.Copies["startsAt"].Kept.Stream {
					t.Errorf("the consumer of the stream does not bring a Ticket its startsAt: %+v", it)
				}
			}
		})
	}
}

// TestTurnedOnTheWay: the consumer of a stream follows what lies on the way of a copy where that is made to point to
// something else, if the write is about one and says what to. It does not follow a write of many, nor a way that may
// end, and the read gets what it shows.
func TestTurnedOnTheWay(t *testing.T) {
	b, err := os.ReadFile("testdata/strategies/copies-turned.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		old, is string
		copied  bool
	}{
		"one class, by a parameter": {"", "", true},
		"with the class anew":       {"handOver:", "sync: {write: {upsert: Class}, rate: {average: 0.0001/s, peak: 1/s}}\n  handOver:", true},
		"many classes": {
			"{update: Class, set: [teacherId], condition: teacherId = $from, refusal: not-theirs}",
			"{update: Class, key: {classId: $each}, each: $classes, set: {teacherId: $to}}, atomic: false, parameters: {classes: {length: {average: 5, max: 40}}}", false,
		},
		"a class without a teacher": {"per-parent: {average: 5, max: 40}}", "per-parent: {average: 4.5, max: 40}, optional: true, share: 90%}", false},
		"as it is":                  {", within: 1h", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(string(b), x.old, x.is, 1)
			d := designed(t, parse(t, text))
			for _, table := range d.Model.Tables {
				it, ok := table.Items["Enrolment"]
				if !ok {
					continue
				}
				c, copied := it.Copies["teacherName"]
				if copied != x.copied || copied && !c.Kept.Stream {
					t.Errorf("copied: %t, %+v", copied, c)
				}
				for _, other := range d.Model.Tables {
					if copied && other.Stream == "" {
						t.Errorf("%s has no stream, and the consumer follows what lies in it", other.Name)
					}
				}
			}
		})
	}
}
