package prove_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/prove"
	"github.com/tablewright/tablewright/spec"
)

// applications are all requirements that there are to test with.
func applications(t testing.TB) map[string]*spec.Requirements {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "examples", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*spec.Requirements{"notes": parsed(t, notes)}
	for _, f := range append(files, filepath.Join("testdata", "tracker.yaml")) {
		if r, _, _, err := model.LoadRequirements(f); err == nil && r != nil {
			all[filepath.Base(f)] = r
		}
	}
	if len(all) < 5 {
		t.Fatalf("found %d applications only", len(all))
	}
	return all
}

// A population keeps what the requirements say of one parent, or says where it does not.
func TestPopulation(t *testing.T) {
	for name, r := range applications(t) {
		p := prove.Populate(r)
		cut := map[string]prove.Cut{}
		for _, c := range p.Cuts {
			if c.Used >= c.Stated || c.Because == "" {
				t.Errorf("%s: %+v", name, c)
			}
			if _, twice := cut[c.What]; twice {
				t.Errorf("%s: %s is cut twice", name, c.What)
			}
			cut[c.What] = c
		}
		for _, e := range r.Entities {
			n := float64(p.Count[e])
			if n < 1 || n > math.Ceil(e.Count) {
				t.Errorf("%s: %v %s of %v", name, n, e.Name, e.Count)
			}
			if c, ok := cut["count of "+e.Name]; n < e.Count && (!ok || c.Used != n) {
				t.Errorf("%s: only %v of %v %s, and no cut says so", name, n, e.Count, e.Name)
			}
			for _, way := range e.There {
				if !way.PerParent.Stated {
					continue
				}
				law := p.Children[way]
				what := e.Name + " per " + way.To.Name + " (" + way.Name + ")"
				if c, ok := cut[what]; law.Max < way.PerParent.Max && (!ok || c.Used != law.Max) {
					t.Errorf("%s: %s reach %v of %v, and no cut says so", name, what, law.Max, way.PerParent.Max)
				}
				if law.Average > law.Max || law.Max > math.Max(way.PerParent.Max, math.Ceil(law.Average)) {
					t.Errorf("%s: %s: %+v of %+v", name, what, law, way.PerParent)
				}
				if way.Identifying && law.Average != way.PerParent.Average {
					t.Errorf("%s: %s: on average %v instead of %v", name, what, law.Average, way.PerParent.Average)
				}
			}
		}
		for _, pattern := range r.Patterns {
			if pattern.Writes() {
				continue
			}
			if law := p.Results[pattern]; law.Average > law.Max+1e-9 || law.Average < 0 {
				t.Errorf("%s: %s matches %+v", name, pattern.Name, law)
			}
		}
	}
}

// A collection that is read page by page is large enough for three pages and a part of a fourth, where it may be so large.
func TestPopulationFillsPages(t *testing.T) {
	for name, r := range applications(t) {
		p := prove.Populate(r)
		for _, pattern := range r.Patterns {
			if pattern.Writes() || pattern.Page == 0 || len(pattern.Given) != 1 || len(pattern.Given[0]) != 1 {
				continue
			}
			a := pattern.Read.Attribute(pattern.Given[0][0])
			if a == nil || a.Reference == nil || !a.Reference.PerParent.Stated {
				continue
			}
			want := math.Min(float64(3*pattern.Page+1), a.Reference.PerParent.Max)
			full := slices.ContainsFunc(p.Cuts, func(c prove.Cut) bool { return strings.Contains(c.Because, "a proof keeps") })
			if got := p.Children[a.Reference].Max; got < want && !full {
				t.Errorf("%s: the largest collection that %s reads has %v, want %v", name, pattern.Name, got, want)
			}
		}
	}
}

// Of what is read by a rare state there is enough to measure.
func TestPopulationOfRareStates(t *testing.T) {
	r := requirements(t, filepath.Join("..", "prove", "testdata", "desk.yaml"))
	p := prove.Populate(r)
	for _, e := range r.Entities {
		if n := p.Count[e]; e.Name == "Ticket" && n < 600 { // 8% are open
			t.Errorf("%d tickets", n)
		}
	}
}

// However much is stated, a proof keeps what a minute can load and read, and says which figure asks for more.
func TestPopulationIsBounded(t *testing.T) {
	r := parsed(t, `
tablewright: 1
application: rooms
entities:
  Room:
    identity: [roomId]
    attributes: {roomId: {type: string, generated: ulid}}
    count: 100_000
  Message:
    identity: [roomId, messageId]
    attributes:
      roomId: {parent: Room, inverse: messages, per-parent: {average: 12_000, max: 5_000_000}}
      messageId: {type: string, generated: ulid}
  Reaction:
    identity: [roomId, messageId, reactionId]
    attributes:
      roomId: string
      messageId: {type: string, bytes: 26}
      reactionId: {type: string, generated: ulid}
      text: string
    bytes: 100
    count: 1_000
patterns:
  getRoom: {read: Room, given: [roomId], rate: {average: 1/s, peak: 1/s}}
  countMessages: {read: Message, given: [roomId], aggregate: {n: count}, rate: {average: 1/s, peak: 1/s}}
  addRoom: {write: {create: Room}, rate: {average: 1/s, peak: 1/s}}
  post: {write: {create: Message}, rate: {average: 1/s, peak: 1/s}}
  react: {write: {create: Reaction}, rate: {average: 1/s, peak: 1/s}}
`)
	p := prove.Populate(r)
	all := 0
	for _, n := range p.Count {
		all += n
	}
	if all > 50_000 || all < 10_000 {
		t.Errorf("%d entities", all)
	}
	named := false
	for _, c := range p.Cuts {
		named = named || strings.Contains(c.Because, "most of them Message")
	}
	if !named {
		t.Errorf("no cut says that messages ask for more: %+v", p.Cuts)
	}
}

// Of what is large a proof keeps little, and as much as ever of everything else.
func TestPopulationOfLarge(t *testing.T) {
	text := func(bytes string) string {
		return `tablewright: 1
application: {name: archive}
entities:
  Folder: {identity: [folderId], attributes: {folderId: {type: string, generated: ulid}}, bytes: 100, count: 40}
  Scan:
    identity: [folderId, scanId]
    attributes:
      folderId: {parent: Folder, inverse: scans, per-parent: {average: 200, max: 400}}
      scanId: {type: string, generated: ulid}
      page: {type: string}
    bytes: ` + bytes + `
  Note:
    identity: [folderId, noteId]
    attributes:
      folderId: {parent: Folder, inverse: notes, per-parent: {average: 200, max: 400}}
      noteId: {type: string, generated: ulid}
    bytes: 100
patterns:
  addFolder: {write: {create: Folder}, rate: {average: 1/s, peak: 1/s}}
  addScan: {write: {create: Scan}, rate: {average: 1/s, peak: 1/s}}
  addNote: {write: {create: Note}, rate: {average: 1/s, peak: 1/s}}
  getFolder: {read: Folder, given: [folderId], rate: {average: 1/s, peak: 1/s}}
  getScan: {read: Scan, given: [folderId, scanId], rate: {average: 1/s, peak: 1/s}}
  getNotes: {read: Note, given: [folderId], rate: {average: 1/s, peak: 1/s}}
`
	}
	counts := func(bytes string) (scans, notes float64) {
		r := parsed(t, text(bytes))
		p := prove.Populate(r)
		return float64(p.Count[r.Entity("Scan")]), float64(p.Count[r.Entity("Note")])
	}
	small, smallNotes := counts("300")
	large, notes := counts("100KB")
	if large*100_000 > 30<<20 || large >= small {
		t.Errorf("%v scans of 100 KB are kept, and %v of 300 bytes", large, small)
	}
	if notes != smallNotes {
		t.Errorf("%v notes are kept beside large scans, and %v beside small ones", notes, smallNotes)
	}
}

// Of entities that point to each other one is counted first, and there are as many as what is read of them asks for.
func TestPopulationInACircle(t *testing.T) {
	r := parsed(t, `
tablewright: 1
application: pairs
entities:
  Cover:
    identity: [coverId]
    attributes:
      coverId: {type: string, bytes: 20}
      bookId: {references: Book, inverse: covers, per-parent: {average: 0.95, max: 1}}
    bytes: 100
    count: 95_000
  Book:
    identity: [bookId]
    attributes:
      bookId: {type: string, bytes: 20}
      coverId: {references: Cover, inverse: books, per-parent: {average: 1.05, max: 5}}
      kind: {enum: [thick, thin], share: {thin: 1%}}
    bytes: 100
    count: 100_000
patterns:
  bind: {write: {create: Book}, rate: {average: 0.1/s, peak: 1/s}}
  draw: {write: {create: Cover}, rate: {average: 0.1/s, peak: 1/s}}
  getThin: {read: Book, where: kind = thin, order: bookId, page: 50, results: {average: 1_000, max: 1_000}, rate: {average: 0.1/s, peak: 1/s}}
  getCover: {read: Cover, given: [coverId], with: [books], rate: {average: 0.1/s, peak: 1/s}}
`)
	p := prove.Populate(r)
	if books, covers := p.Count[r.Entity("Book")], p.Count[r.Entity("Cover")]; books < 1_500 || books > 1_600 || covers < books*9/10 {
		t.Errorf("%d books and %d covers, want enough for pages of the few that are thin", books, covers)
	}
}
