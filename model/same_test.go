package model_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/model"
)

// TestSame: a pattern says what the elements of a list have in common.
func TestSame(t *testing.T) {
	for _, c := range []struct{ parameters, want string }{
		{`loops: {length: {average: 240, max: 1_400}, same: [titleId, reelNo]}`, ""},
		{`marks: {length: 9, same: [reelNo]}`, ""},
		{`loops: {length: 9, same: [titleId, reel]}`, "unknown-name the elements of $loops have no reel"},
		{`loops: {length: 9, same: [titleId, madeAt]}`, "not-applicable madeAt of $loops is not stated by the call"},
		{`loops: {length: 9, same: [titleId, reelNo, place]}`, "not-applicable elements of $loops that have all of titleId, reelNo, place in common are one Loop"},
		{`titleId: {same: [reelNo]}`, "not-applicable `same` is for a list whose elements have attributes, and $titleId is"},
	} {
		marks := c.parameters
		if !strings.Contains(marks, "marks") {
			marks = "marks: {length: 9}"
		}
		loops := c.parameters
		if !strings.Contains(loops, "loops") {
			loops = "loops: {length: 9}"
		}
		title := ""
		if strings.HasPrefix(c.parameters, "titleId") {
			title = ", " + c.parameters
		}
		r, _, found := model.ReadRequirements("r.yaml", []byte(`
tablewright: 1
application: dubbing
entities:
  Loop:
    identity: [titleId, reelNo, place]
    attributes:
      titleId: {type: string, bytes: 8, distinct: 900}
      reelNo: {type: number, digits: 3}
      place: {type: number, digits: 5}
      madeAt: {type: timestamp, generated: now}
      text: {type: string, bytes: 90}
    bytes: 200
    count: 90_000
patterns:
  getLoops: {read: Loop, given: [titleId, reelNo], results: 240, rate: {average: 2/s, peak: 9/s}}
  load: {write: {create: Loop, each: $loops}, atomic: false, rate: {average: 1/h, peak: 1/s}, parameters: {`+loops+`}}
  retext:
    write: {update: Loop, each: $marks, key: {titleId: $titleId, reelNo: $each.reelNo, place: $each.place}, set: {text: $each.text}}
    atomic: false
    rate: {average: 1/h, peak: 1/s}
    parameters: {`+marks+title+`}
`))
		var got []string
		for _, d := range found {
			got = append(got, d.Code+" "+d.Message)
		}
		if s := strings.Join(got, "; "); s != c.want && (c.want == "" || !strings.HasPrefix(s, c.want)) || len(got) > 1 {
			t.Errorf("%s: %q, not %q", c.parameters, s, c.want)
		}
		if c.want == "" && strings.HasPrefix(c.parameters, "loops") {
			if q := r.Pattern("load").Parameter("loops"); !slices.Equal(q.Same, []string{"titleId", "reelNo"}) {
				t.Error(q.Same)
			}
		}
	}
}

// TestRequiresWhatIsMade: what a write requires may not be what the same write makes, with an identity that no caller
// knows.
func TestRequiresWhatIsMade(t *testing.T) {
	for _, generated := range []string{", generated: ulid", ", bytes: 26"} {
		_, _, found := model.ReadRequirements("r.yaml", []byte(`
tablewright: 1
application: spaces
entities:
  Space: {identity: [spaceId], attributes: {spaceId: {type: string`+generated+`}}, bytes: 60, count: 90}
  Member:
    identity: [spaceId, name]
    attributes: {spaceId: {references: Space, inverse: members, per-parent: {average: 9, max: 90}}, name: {type: string, bytes: 20}}
    bytes: 60
    count: 810
patterns:
  open: {write: [{create: Space}, {create: Member, requires: [space]}], rate: {average: 1/h, peak: 1/s}}
  getSpace: {read: Space, given: [spaceId], with: [members], rate: {average: 1/h, peak: 1/s}}
`))
		warned := slices.ContainsFunc(found, func(d model.Diagnostic) bool {
			return d.Code == "unknown-parent" && strings.Contains(d.Remedy, "`{create: Space, with: [members]}`")
		})
		if warned != strings.Contains(generated, "ulid") {
			t.Errorf("%s: %v", generated, found)
		}
	}
}
