package model

import (
	"strings"
	"testing"
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
