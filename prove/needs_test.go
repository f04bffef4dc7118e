package prove_test

import (
	"strings"
	"testing"

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
