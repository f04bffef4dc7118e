package model_test

import (
	"slices"
	"strings"
	"testing"
	"time"

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

// TestWithin: a pattern says how close together the times of a list lie.
func TestWithin(t *testing.T) {
	for _, c := range []struct{ within, want string }{
		{`{at: 15min}`, ""},
		{`{at: {average: 10min, max: 2h}}`, ""},
		{`{when: 15min}`, "unknown-name the elements of $levels have no when"},
		{`{no: 15min}`, "not-applicable no of $levels is no time that the call states of each"},
		{`{madeAt: 15min}`, "not-applicable madeAt of $levels is no time that the call states of each"},
		{`{tankAt: 15min}`, "not-applicable tankAt of $levels is no time that the call states of each"},
		{`{at: {average: 2h, max: 10min}}`, "bad-value times lie at most 10min apart, and 2h on average"},
	} {
		r, _, found := model.ReadRequirements("r.yaml", []byte(`
tablewright: 1
application: tanks
entities:
  Level:
    identity: [tankId, at, no]
    attributes:
      tankId: {type: string, bytes: 8, distinct: 900}
      at: timestamp
      no: {type: number, digits: 5}
      tankAt: timestamp
      madeAt: {type: timestamp, generated: now}
    bytes: 110
    count: 90_000
patterns:
  getLevels: {read: Level, given: [tankId], results: 240, rate: {average: 2/s, peak: 9/s}}
  load: {write: {create: Level, each: $levels}, atomic: false, rate: {average: 1/h, peak: 1/s}, parameters: {levels: {length: {average: 11, max: 90}, same: [tankId, tankAt], within: `+c.within+`}}}
`))
		var got []string
		for _, d := range found {
			got = append(got, d.Code+" "+d.Message)
		}
		if s := strings.Join(got, "; "); s != c.want && (c.want == "" || !strings.HasPrefix(s, c.want)) || len(got) > 1 {
			t.Errorf("%s: %q, not %q", c.within, got, c.want)
		}
		if c.want != "" || r == nil {
			continue
		}
		q, at := r.Pattern("load").Parameter("levels"), r.Entity("Level").Attribute("at")
		for n, want := range map[float64]time.Duration{1: 0, 6: q.Within[0].Average / 2, 11: q.Within[0].Average, 900: q.Within[0].Max} {
			if got, ok := q.Spans(at, n); got != want || !ok {
				t.Errorf("%s: %v of %v, not %v", c.within, got, n, want)
			}
		}
	}
}
