package prove

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/spec"
)

// Of sixteen in a row one falls into each sixteenth, and of 256 one into each part of 256.
func TestSpread(t *testing.T) {
	s, rnd := newSpread(2), rand.New(rand.NewPCG(1, 1))
	for range 4 {
		fine := map[int]int{}
		for range strata {
			coarse := map[int]int{}
			for range strata {
				u := s.next(rnd)
				if u < 0 || u >= 1 {
					t.Fatal(u)
				}
				coarse[int(u*strata)]++
				fine[int(u*strata*strata)]++
			}
			if len(coarse) != strata {
				t.Fatalf("16 in a row fall into %d sixteenths", len(coarse))
			}
		}
		if len(fine) != strata*strata {
			t.Fatalf("256 in a row fall into %d parts of 256", len(fine))
		}
	}
}

// madeUp is an application whose data is known to the oracle alone.
func madeUp(t *testing.T) *session {
	t.Helper()
	path := filepath.Join("testdata", "library.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, _, found := model.ReadRequirements(path, text)
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	return madeOf(t, r)
}

func madeOf(t *testing.T, r *spec.Requirements) *session {
	t.Helper()
	s := &session{req: r, oracle: NewOracle(r), pop: Populate(r)}
	s.oracle.SetNow(time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC))
	s.src = newSource(1, s.oracle.now)
	s.cast = newCast(s.pop, s.src)
	s.call = newCaller(s.oracle, s.cast, s.src)
	order, err := creationOrder(r, r.Entities, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range order {
		for _, way := range c.root.There {
			s.cast.lot(way, s.pop.Count[c.root], nil, nil)
		}
		for rank := range s.pop.Count[c.root] {
			args := s.call.write(c.pattern, Regular, rank, nil)
			if w := s.oracle.Write(c.pattern, args); w.Refused() {
				t.Fatalf("%s is refused as %v: %v", c.pattern.Name, w.Codes, plainItem(args))
			}
			s.enter(c, valueParameter(c.pattern, c.action), args)
		}
	}
	return s
}

// Of a key of several attributes a part may be absent, and is as often as is stated.
func TestPartOfKeyAbsent(t *testing.T) {
	r, _, found := model.ReadRequirements("stands.yaml", []byte(`
tablewright: 1
application: stands
entities:
  Airport: {identity: [airport], attributes: {airport: {type: string, bytes: 3}}, bytes: 60, count: 40}
  Stand:
    identity: [airport, standNo]
    attributes:
      airport: {parent: Airport, inverse: stands, per-parent: {average: 20, max: 60}}
      standNo: {type: string, bytes: 4}
    bytes: 60
  Turn:
    identity: [turnId]
    attributes:
      turnId: {type: string, bytes: 26}
      airport: {references: Airport, as: place, inverse: turns, per-parent: {average: 500, max: 900}}
      standNo: {references: Stand, by: [airport, standNo], as: stand, inverse: turns, optional: true, share: 96%, per-parent: {average: 24, max: 60}}
      at: timestamp
    bytes: 150
    count: 20_000
patterns:
  addAirport: {write: {create: Airport}, rate: {average: 1/month, peak: 1/s}}
  addStand: {write: {create: Stand}, rate: {average: 1/month, peak: 1/s}}
  plan: {write: {create: Turn, requires: [place]}, rate: {average: 1/s, peak: 2/s}}
  assign: {write: {update: Turn, set: [standNo], requires: [stand]}, rate: {average: 1/s, peak: 2/s}}
  getTurns: {read: Turn, given: [airport, standNo], order: at, rate: {average: 1/s, peak: 2/s}}
  withoutStand: {read: Turn, given: [airport], where: absent(standNo), order: at, results: {average: 20, max: 60}, rate: {average: 1/s, peak: 2/s}}
`))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	s := madeOf(t, r)
	turns := r.Entity("Turn")
	if has := s.present(turns, turns.Attribute("standNo")); has < 0.9 || has > 0.99 {
		t.Errorf("%.3f of %d turns have a stand: want 0.96", has, len(s.oracle.Instances(turns)))
	}
	for _, in := range s.oracle.Instances(turns) {
		if !in.Item.Has("airport") {
			t.Fatalf("%v has no airport", plainItem(in.Item))
		}
	}
}

// Data keep the stated averages, shares and ranges.
func TestDataAsStated(t *testing.T) {
	s := madeUp(t)
	book := s.req.Entity("Book")
	all := s.oracle.Instances(book)
	if len(all) != s.pop.Count[book] {
		t.Fatalf("%d books, want %d", len(all), s.pop.Count[book])
	}
	rated, fiction, bytes := 0, 0, 0
	per := map[string]int{}
	for _, in := range all {
		if in.Item.Has("rating") {
			rated++
			if n := in.Item.Get("rating").Number(); n.Cmp(attr.Int(1)) < 0 || n.Cmp(attr.Int(5)) > 0 {
				t.Errorf("rating %s", n)
			}
		}
		if in.Item.Get("kind").Str() == "fiction" {
			fiction++
		}
		bytes += len(in.Item.Get("title").Str())
		per[in.Item.Get("shelfId").Str()]++
	}
	n := len(all)
	near := func(what string, got, want, within float64) {
		if got < want-within || got > want+within {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("share of those with a rating", float64(rated)/float64(n), 0.3, 0.02)
	near("share of fiction", float64(fiction)/float64(n), 0.7, 0.02)
	near("average length of titles", float64(bytes)/float64(n), 30, 1.5)
	near("books of a shelf", float64(n)/float64(len(per)), 12, 0.7)
	most := 0
	for _, k := range per {
		most = max(most, k)
	}
	near("books of the largest shelf", float64(most), s.pop.Children[book.There[0]].Max, 2)
}

// Calls of each aim hit what they are to hit.
func TestAims(t *testing.T) {
	s := madeUp(t)
	p := s.req.Pattern("booksOfShelf")
	found, empty, on := 0, 0, 0
	for range 200 {
		args := s.call.read(p, Typical, nil)
		if args.Get("from").Number().Cmp(args.Get("to").Number()) > 0 {
			t.Errorf("a typical range ends before it begins: %v", plainItem(args))
		}
		found += len(s.oracle.Read(p, args).Matches)

		args = s.call.read(p, Nothing, nil)
		if n := len(s.oracle.Read(p, args).Matches); n > 0 {
			t.Errorf("a call that is to find nothing finds %d: %v", n, plainItem(args))
		}

		args = s.call.read(p, Edge, nil)
		x := s.oracle.Read(p, args)
		if len(x.Matches) == 0 {
			empty++
		}
		for _, m := range x.Matches {
			if year := m.Item.Get("year"); attr.Equal(year, args.Get("from")) || attr.Equal(year, args.Get("to")) {
				on++
				break
			}
		}
	}
	if want := s.pop.Results[p].Average; float64(found)/200 < 0.8*want || float64(found)/200 > 1.2*want {
		t.Errorf("typical calls find %v on average, want %v", float64(found)/200, want)
	}
	if on < 50 || empty < 5 {
		t.Errorf("of 200 calls at edges %d find what stands on one, %d nothing", on, empty)
	}
	shelf := s.cast.byRank[p.Read.There[0].To][0]
	args := s.call.read(p, Largest, nil)
	if !attr.Equal(args.Get("shelfId"), shelf.Item.Get("shelfId")) {
		t.Errorf("the largest collection is not asked for: %v", plainItem(args))
	}
	if got, all := len(s.oracle.Read(p, args).Matches), len(s.oracle.children(shelf, p.Read.There[0])); got != all {
		t.Errorf("%d of %d in the largest collection are asked for", got, all)
	}
}

// Writes are refused, or not, as their intent says.
func TestIntents(t *testing.T) {
	s := madeUp(t)
	codes := func(pattern string, intent Intent) map[string]int {
		got := map[string]int{}
		p := s.req.Pattern(pattern)
		for range 60 {
			w := s.oracle.Check(p, s.call.write(p, intent, -1, nil))
			for _, c := range w.Codes {
				got[c]++
			}
			if !w.Refused() {
				got["done"]++
			}
		}
		return got
	}
	for _, c := range []struct {
		pattern string
		intent  Intent
		want    string
		least   int
	}{
		{"addBook", Regular, "done", 60},
		{"addBook", Again, "exists", 15},
		{"addBook", Again, "unique", 15},
		{"lend", Regular, "done", 60},
		{"lend", Absent, "missing", 20},
		{"lend", Contrary, "none-left", 1},
	} {
		if got := codes(c.pattern, c.intent); got[c.want] < c.least {
			t.Errorf("%s, %s: %v, want at least %d %s", c.pattern, c.intent, got, c.least, c.want)
		}
	}
}
