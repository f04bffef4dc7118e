package model

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/spec"
)

// TestSizesOfCircles: entities that point to each other have the same sizes in whatever order they stand.
func TestSizesOfCircles(t *testing.T) {
	const head = "tablewright: 1\napplication: {name: circle, domain: test, context: Test., figures: Nobody's., regions: [us-east-1]}\nentities:\n"
	crew := "  Crew: {identity: [crewId], attributes: {lead: {references: Sailor, inverse: leads}, crewId: {type: number, digits: 6, min: 0}, name: {type: string, bytes: 30}}, count: 100}\n"
	sailor := "  Sailor: {identity: [sailorId], attributes: {crew: {references: Crew, inverse: sailors}, sailorId: {type: number, digits: 9, min: 0}}, count: 1000}\n"
	const patterns = "patterns:\n  form: {write: {create: Crew}, rate: {average: 1/s, peak: 2/s}}\n  sign: {write: {create: Sailor}, rate: {average: 1/s, peak: 2/s}}\n  get: {read: Sailor, given: [sailorId], rate: {average: 1/s, peak: 2/s}}\n"
	sizes := func(parts ...string) map[string]float64 {
		r, _, found := ReadRequirements("circle.yaml", []byte(head+strings.Join(parts, "")+patterns))
		if r == nil || found.Errors() > 0 {
			t.Fatal(found)
		}
		out := map[string]float64{}
		for _, e := range r.Entities {
			out[e.Name] = e.Bytes.Average
			for _, a := range e.Attributes {
				out[e.Name+"."+a.Name] = a.Bytes.Average
			}
		}
		return out
	}
	one, other := sizes(crew, sailor), sizes(sailor, crew)
	for name, n := range one {
		if other[name] != n {
			t.Errorf("%s has %g bytes, and %g in the other order", name, n, other[name])
		}
	}
	if one["Sailor.crew"] != one["Crew.crewId"] || one["Crew.lead"] != one["Sailor.sailorId"] {
		t.Errorf("references are as large as what they refer to: %v", one)
	}
}

// TestSizesOfIdentitiesInACircle: an identity that is a key which is a key of another entity has the size of the last of them, also where
// that one lies below the first.
func TestSizesOfIdentitiesInACircle(t *testing.T) {
	const head = "tablewright: 1\napplication: circle\nentities:\n"
	crew := "  Crew: {identity: [sailorId], attributes: {sailorId: {references: Sailor}}, count: 100}\n"
	sailor := "  Sailor: {identity: [bunkId], attributes: {bunkId: {references: Bunk}}, count: 100}\n"
	bunk := "  Bunk: {identity: [bunkId], attributes: {bunkId: {type: string, bytes: 20}, crewId: {parent: Crew, per-parent: 3}}}\n"
	const patterns = "patterns:\n  form: {write: {create: Crew}, rate: {average: 1/s, peak: 2/s}}\n  sign: {write: {create: Sailor}, rate: {average: 1/s, peak: 2/s}}\n  build: {write: {create: Bunk}, rate: {average: 1/s, peak: 2/s}}\n"
	for _, text := range []string{crew + sailor + bunk, bunk + sailor + crew, sailor + bunk + crew} {
		r, _, found := ReadRequirements("circle.yaml", []byte(head+text+patterns))
		if r == nil || found.Errors() > 0 {
			t.Fatal(found)
		}
		for _, at := range []*spec.Attribute{r.Entity("Crew").Identity[0], r.Entity("Sailor").Identity[0], r.Entity("Bunk").Attribute("crewId")} {
			if at.Bytes.Average != 20 {
				t.Errorf("%s.%s has %g bytes, not 20", at.Entity.Name, at.Name, at.Bytes.Average)
			}
		}
	}
}

// TestSizesOfCopies: what is derived from each other over two ways has the same size in whatever order the entities stand.
func TestSizesOfCopies(t *testing.T) {
	const head = "tablewright: 1\napplication: {name: circle, domain: test, context: Test., figures: Nobody's., regions: [us-east-1]}\nentities:\n"
	crew := "  Crew: {identity: [crewId], attributes: {crewId: {type: string, generated: ulid}, lead: {references: Sailor, inverse: leads, per-parent: {average: 0.1, max: 3}}, leader: {derived: lead.name}, motto: {type: string, bytes: 30}}, bytes: 400, count: 100}\n"
	sailor := "  Sailor: {identity: [sailorId], attributes: {sailorId: {type: string, generated: ulid}, crew: {references: Crew, inverse: sailors, per-parent: 10}, crewMotto: {derived: crew.motto}, name: {type: string, bytes: 20}}, bytes: 300, count: 1000}\n"
	const patterns = "patterns:\n  form: {write: {create: Crew}, rate: {average: 1/s, peak: 2/s}}\n  sign: {write: {create: Sailor}, rate: {average: 1/s, peak: 2/s}}\n  get: {read: Sailor, given: [sailorId], rate: {average: 1/s, peak: 2/s}}\n"
	for _, text := range []string{crew + sailor, sailor + crew} {
		r, _, found := ReadRequirements("circle.yaml", []byte(head+text+patterns))
		if r == nil || found.Errors() > 0 {
			t.Fatal(found)
		}
		for _, x := range []struct {
			entity, attribute string
			bytes             float64
		}{{"Crew", "leader", 20}, {"Sailor", "crewMotto", 30}} {
			if a := r.Entity(x.entity).Attribute(x.attribute); a.Bytes.Average != x.bytes {
				t.Errorf("%s.%s has %g bytes, not %g", x.entity, x.attribute, a.Bytes.Average, x.bytes)
			}
		}
	}
}

// TestSizesOfDerivedValues: what is derived along a path is as large as what lies at its end, a value of an enum or a state too. The
// rest of an entity's bytes goes to what has no size.
func TestSizesOfDerivedValues(t *testing.T) {
	r, _, found := ReadRequirements("stalls.yaml", []byte(`
tablewright: 1
application: stalls
entities:
  Seller: {identity: [sellerId], attributes: {sellerId: {type: string, bytes: 9}, standing: {enum: [good, suspended], share: {suspended: 20%}}, step: {states: [new, approved]}}, count: 9}
  Good:
    identity: [goodId]
    attributes:
      goodId: {type: string, bytes: 9}
      sellerId: {references: Seller, inverse: goods, per-parent: 10}
      standing: {derived: seller.standing}
      step: {derived: seller.step}
      text: string
    bytes: 300
    count: 90
patterns:
  join: {write: {create: Seller}, rate: {average: 1/h, peak: 1/s}}
  offer: {write: {create: Good}, rate: {average: 1/h, peak: 1/s}}
  get: {read: Good, given: [goodId], rate: {average: 1/h, peak: 1/s}}
`))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	for _, name := range []string{"standing", "step"} {
		if got, want := r.Entity("Good").Attribute(name).Bytes, r.Entity("Seller").Attribute(name).Bytes; got != want || want.Average < 3 {
			t.Errorf("%s has %v bytes, and %v where it comes from", name, got, want)
		}
	}
	if got := r.Entity("Good").Attribute("text").Bytes.Average; got < 200 {
		t.Errorf("the text has %v bytes of 300", got)
	}
}
