package prove

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

const lending = `
tablewright: 1
application: lending
entities:
  Museum: {identity: [museumId], attributes: {museumId: {type: string, bytes: 8}, name: {type: string, bytes: 40}}, bytes: 90, count: 1_000}
  Artwork:
    identity: [artworkId]
    attributes:
      artworkId: {type: string, bytes: 8}
      title: {type: string, bytes: 20}
      awayAt: {references: Museum, as: host, inverse: guests, optional: true, share: 30%, per-parent: {average: 12, max: 300}}
    bytes: {average: 900, max: 9_000}
    count: 40_000
  Loan:
    identity: [loanId]
    attributes:
      loanId: {type: string, bytes: 8}
      artworkId: {references: Artwork, inverse: loans, per-parent: {average: 2, max: 60}}
      title: {derived: artwork.title}
      state: {states: [agreed, out, returned], share: {agreed: 10%, out: 10%}}
    bytes: 80
    count: 80_000
patterns:
  addMuseum: {write: {create: Museum}, rate: {average: 0.001/s, peak: 1/s}}
  addArtwork: {write: {create: Artwork}, rate: {average: 0.01/s, peak: 1/s}}
  addLoan: {write: {create: Loan, requires: [artwork]}, rate: {average: 0.01/s, peak: 1/s}}
  retitle: {write: {update: Artwork, set: [title]}, rate: {average: 0.01/s, peak: 1/s}}
  send:
    write:
      - {update: Loan, set: {state: out}}
      - {update: Artwork, key: {artworkId: loan.artworkId}, set: {awayAt: $museumId}}
    rate: {average: 0.01/s, peak: 1/s}
  bringBack:
    write:
      - {update: Loan, set: {state: returned}}
      - {update: Artwork, key: {artworkId: loan.artworkId}, remove: [awayAt]}
    rate: {average: 0.01/s, peak: 1/s}
  getGuests: {read: Artwork, given: [awayAt], order: title descending, returns: [artworkId, title], rate: {average: 20/s, peak: 90/s}}
  getLoan: {read: Loan, given: [loanId], rate: {average: 1/s, peak: 9/s}}
`

// TestTouches: what a call of a write meets, its estimate counts: the instance whose key is stored in another one, and what becomes of
// entries in indexes.
func TestTouches(t *testing.T) {
	r, _, found := model.ReadRequirements("lending.yaml", []byte(lending))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	d, err := design.Design(t.Context(), r, design.Options{})
	if err != nil {
		t.Fatal(err)
	}
	compiled, problems := plan.Compile(d.Model, r)
	if compiled == nil {
		t.Fatal(problems)
	}
	now := time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC)
	s := &session{req: r, oracle: NewOracle(r), compiled: compiled, src: newSource(1, now)}
	s.oracle.SetNow(now)
	text := func(pairs ...string) (it attr.Item) {
		for i := 0; i < len(pairs); i += 2 {
			it.Set(pairs[i], attr.Text(pairs[i+1]))
		}
		return it
	}
	inside := func(name string, it attr.Item) attr.Item {
		return attr.ItemOf(attr.Field{Name: name, Value: attr.Map(it)})
	}
	for i, c := range []struct {
		pattern string
		args    attr.Item
		arm     capacity.Arm
	}{
		{"addMuseum", inside("museum", text("museumId", "m1", "name", "Louvre")), capacity.None},
		{"addArtwork", inside("artwork", text("artworkId", "a1", "title", "Haystack")), capacity.None},
		{"addArtwork", inside("artwork", text("artworkId", "a2", "title", "Haystack", "awayAt", "m1")), capacity.Enter},
		{"addLoan", inside("loan", text("loanId", "l1", "artworkId", "a1", "state", "agreed")), capacity.None},
		{"retitle", text("artworkId", "a1", "title", "Haystacks"), capacity.None},
		{"send", text("loanId", "l1", "museumId", "m1"), capacity.Enter},
		{"retitle", text("artworkId", "a1", "title", "Haystack"), capacity.Move},
		{"retitle", text("artworkId", "a1", "title", "Haystack"), capacity.None},
		{"bringBack", text("loanId", "l1"), capacity.Leave},
	} {
		p := r.Pattern(c.pattern)
		met := s.touches(p, c.args)
		turns := 0
		for at, all := range met.turns {
			if at.step.Kind.Entity.Name != "Artwork" {
				continue
			}
			for _, turn := range all {
				if turns++; turn.Arm != c.arm {
					t.Errorf("%d. %s: the entry in %s is said to be %s: want %s", i, c.pattern, at.index.Name(), turn.Arm, c.arm)
				}
			}
		}
		if about := slices.ContainsFunc(p.Actions, func(a *spec.Action) bool { return a.Entity.Name == "Artwork" }); turns != 1 && about {
			t.Errorf("%d. %s does something to %d entries: want 1", i, c.pattern, turns)
		}
		if c.pattern == "send" {
			if about := s.oracle.about(p, c.args); len(about) != 2 || about[1].Entity.Name != "Artwork" {
				t.Errorf("send is about %d instances: want the loan and its artwork", len(about))
			}
		}
		if w := s.oracle.Write(p, c.args); w.Refused() {
			t.Fatalf("%d. %s is refused as %v", i, c.pattern, w.Codes)
		}
	}
	loans := r.Entity("Loan")
	if got, own := s.meanBytes(loans), float64(s.oracle.Instances(loans)[0].Item.Size()); math.Abs(got-own-float64(len("title")+len("Haystack"))) > 0.01 {
		t.Errorf("a loan of %g bytes of its own has %g with the title of its artwork", own, got)
	}

	// What has the same place in an order comes the other way round downwards, as its keys do.
	s.oracle.Write(r.Pattern("addArtwork"), inside("artwork", text("artworkId", "a3", "title", "Haystack", "awayAt", "m1")))
	w := newWalk(s.oracle, compiled.Procedure("getGuests"), s.src)
	all, _ := w.lying(w.proc.Stages[0], 0, "", [][]attr.Value{{attr.Text("m1")}})
	if len(all) != 2 || all[0].Born < all[1].Born {
		t.Errorf("%d guests lie in the museum, those that came first first: want 2, the last first", len(all))
	}

	// The items themselves show how many have an attribute that is stored and is also a key of an index. Its share does
	// not.
	at := w.proc.Stages[0].Kinds[0]
	home, away := s.oracle.Find(at.Entity, text("artworkId", "a1")), s.oracle.Find(at.Entity, text("artworkId", "a3"))
	if more := w.holds(at, nil, away) - w.holds(at, nil, home); more != float64(len("awayAt")+len("m1")) {
		t.Errorf("the item of an artwork that is away holds %g bytes more than that of one that is not", more)
	}
}

const clubsOfMembers = `
tablewright: 1
application: clubs
entities:
  Club:
    identity: [clubId]
    attributes:
      clubId: {type: string, bytes: 8}
      name: {type: string, bytes: {average: 20, max: 60}}
      award: {type: date, optional: true, share: 3%}
      about: {type: string, bytes: {average: 300, max: 3_900}}
      members: {derived: count(memberships)}
    bytes: {average: 400, max: 4_000}
    count: 2_000
  Membership:
    identity: [membershipId]
    attributes:
      membershipId: {type: string, bytes: 8}
      clubId: {references: Club, inverse: memberships, per-parent: {average: 30, max: 200}}
    bytes: 80
    count: 60_000
patterns:
  addClub: {write: {create: Club}, rate: {average: 0.001/s, peak: 1/s}}
  enter: {write: {create: Membership, requires: [club]}, rate: {average: 0.1/s, peak: 1/s}}
  leave: {write: {delete: Membership}, rate: {average: 0.1/s, peak: 1/s}}
  getClub: {read: Club, given: [clubId], consistency: strong, rate: {average: 5/s, peak: 9/s}}
  getAwarded: {read: Club, where: exists(award), order: award, results: {average: 60, max: 200}, rate: {average: 20/s, peak: 90/s}}
`

// TestTouchesOfNumbers: where a number of children is kept in the item of their parent, the estimate counts the parent
// whose child comes or goes, though no action names it: how large it is, and whether it has an entry in an index.
func TestTouchesOfNumbers(t *testing.T) {
	r, _, found := model.ReadRequirements("clubs.yaml", []byte(clubsOfMembers))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	d, err := design.Design(t.Context(), r, design.Options{})
	if err != nil {
		t.Fatal(err)
	}
	compiled, problems := plan.Compile(d.Model, r)
	if compiled == nil {
		t.Fatal(problems)
	}
	now := time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC)
	s := &session{req: r, oracle: NewOracle(r), compiled: compiled, src: newSource(1, now)}
	s.oracle.SetNow(now)
	call := func(pattern, inside string, pairs ...string) touched {
		t.Helper()
		var it attr.Item
		for i := 0; i < len(pairs); i += 2 {
			it.Set(pairs[i], attr.Text(pairs[i+1]))
		}
		if inside != "" {
			it = attr.ItemOf(attr.Field{Name: inside, Value: attr.Map(it)})
		}
		met := s.touches(r.Pattern(pattern), it)
		if w := s.oracle.Write(r.Pattern(pattern), it); w.Refused() {
			t.Fatalf("%s is refused as %v", pattern, w.Codes)
		}
		return met
	}
	call("addClub", "club", "clubId", "small", "about", "Go")
	call("addClub", "club", "clubId", "large", "about", strings.Repeat("Rowing ", 400), "award", "2026-01-02")
	for i, c := range []struct {
		pattern, inside, club string
		entries               int
	}{
		{"enter", "membership", "small", 0},
		{"enter", "membership", "large", 1},
		{"leave", "", "small", 0},
		{"leave", "", "large", 1},
	} {
		args := []string{"membershipId", c.club}
		if c.inside != "" {
			args = append(args, "clubId", c.club)
		}
		met := call(c.pattern, c.inside, args...)
		var bytes []float64
		for k, all := range met.bytes {
			if k.Entity.Name == "Club" {
				bytes = append(bytes, all...)
			}
		}
		if len(bytes) != 1 || (bytes[0] > 1_000) != (c.club == "large") {
			t.Errorf("%d. %s changes clubs of %v bytes: want one, the %s one", i, c.pattern, bytes, c.club)
		}
		known, entries := false, 0
		for at, all := range met.turns {
			if at.step.Kind.Entity.Name == "Club" {
				known = true
				for _, turn := range all {
					if turn.Arm == capacity.InPlace {
						entries++
					}
				}
			}
		}
		if !known || entries != c.entries {
			t.Errorf("%d. %s of the %s club changes %d entries, known %t: want %d", i, c.pattern, c.club, entries, known, c.entries)
		}
	}
}
