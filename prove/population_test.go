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

// TestPopulationOfPairs: where all would be too many, there are still as many wagons as trains need that have each once.
func TestPopulationOfPairs(t *testing.T) {
	r := stated(t, `
entities:
  Yard: {identity: [yardId], attributes: {yardId: {type: string, bytes: 6}}, bytes: 90, count: 1_500}
  Wagon: {identity: [wagonNo], attributes: {wagonNo: {type: string, bytes: 12}}, bytes: 90, count: 240_000}
  Train:
    identity: [trainNo]
    attributes:
      trainNo: {type: string, bytes: 6}
      yardId: {references: Yard, inverse: trains, per-parent: {average: 4_000, max: 70_000}}
    bytes: 90
    count: 6_000_000
  Coupling:
    identity: [trainNo, wagonNo]
    attributes:
      trainNo: {parent: Train, inverse: couplings, per-parent: {average: 27, max: 60}}
      wagonNo: {references: Wagon, inverse: couplings, per-parent: {average: 675, max: 3_000}}
    bytes: 90
patterns:
  addYard: {write: {create: Yard}, rate: {average: 0.01/s, peak: 1/s}}
  addWagon: {write: {create: Wagon}, rate: {average: 0.01/s, peak: 1/s}}
  plan: {write: {create: Train, with: [couplings]}, rate: {average: 0.1/s, peak: 1/s}}
  getTrains: {read: Train, given: [yardId], page: 60, rate: {average: 1/s, peak: 2/s}}
  getTrain: {read: Train, given: [trainNo], with: [couplings], rate: {average: 1/s, peak: 2/s}}
`)
	p := prove.Populate(r)
	if way := r.Entity("Train").WayBack("couplings"); float64(p.Count[r.Entity("Wagon")]) < 2*p.Children[way].Average || p.Children[way].Average < 20 {
		t.Errorf("%d wagons, and %v of them in a train", p.Count[r.Entity("Wagon")], p.Children[way])
	}
}

// TestPopulationCutsLists: a list that is written bit by bit is cut where further elements are written like those before.
func TestPopulationCutsLists(t *testing.T) {
	r := stated(t, `
entities:
  Text: {identity: [textId], attributes: {textId: {type: string, generated: ulid}}, bytes: 90, count: 900_000}
  Line:
    identity: [textId, lineNo]
    attributes:
      textId: {parent: Text, inverse: lines, per-parent: {average: 300, max: 40_000}}
      lineNo: {type: number, digits: 5, min: 1}
    bytes: 120
patterns:
  addText: {write: {create: Text}, rate: {average: 0.1/s, peak: 1/s}}
  load: {write: {create: Line, each: $lines}, atomic: false, parameters: {lines: {length: {average: 300, max: 40_000}}}, rate: {average: 0.1/s, peak: 1/s}}
  getLines: {read: Line, given: [textId], page: 20, rate: {average: 1/s, peak: 2/s}}
`)
	p := prove.Populate(r)
	cut := map[string]float64{}
	for _, c := range p.Cuts {
		cut[c.What] = c.Used
	}
	most, average := cut["length of lines of load"], cut["length of lines of load on average"]
	if most < 3*25 || most > 200 || average < 25 || average > most {
		t.Errorf("a list has %v lines on average and %v at most", average, most)
	}
	if e := proof(t, cheapest(t, r)); math.Abs(e.Pattern("load").Consumed["Texts"]+e.Pattern("load").Consumed["Lines"]-average) > 0.1*average {
		t.Errorf("a call consumes %v", e.Pattern("load").Consumed)
	}
}
