package plan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

func lifers(t testing.TB) *plan.Program {
	r := requirements(t, "testdata/late.yaml", nil)
	m, src := document(t, "testdata/late.model.yaml", nil)
	p, problems := plan.Compile(m, r)
	for _, d := range src.Problems(problems) {
		if d.Severity == "error" {
			t.Fatal(d.Text())
		}
	}
	return p
}

// Late steps are those that bring only what an answer shows that the client cuts.
func TestLate(t *testing.T) {
	p := lifers(t)
	for _, c := range []struct{ pattern, late, narrows string }{
		{"names", "species a-family likes", "species likes"},
		{"photos", "likes photos", "likes photos"},
		{"byName", "likes", "likes"}, // the family of each species that it is ordered by
		{"byLikes", "species", "species"},
		{"rare", "likes", "likes"},
		{"most", "likes species", "likes species"},
		{"everything", "", ""},
		{"inOrder", "", ""},
		{"counted", "", ""},
		{"stops", "species", "species"},
		{"learners", "mentor", "mentor"},
	} {
		var late, narrows []string
		proc := p.Procedure(c.pattern)
		if proc == nil {
			t.Errorf("%s has no plan", c.pattern)
			continue
		}
		for _, s := range proc.Stages {
			if s.Late() {
				late = append(late, s.Name)
				if behind, ok := s.Narrows(); ok {
					narrows = append(narrows, strings.Join(append([]string{s.Name}, behind...), "."))
				}
			} else if late != nil {
				t.Errorf("%s: %s comes behind late steps", c.pattern, s.Name)
			}
		}
		if got := strings.Join(late, " "); got != c.late {
			t.Errorf("%s: late are %q, not %q", c.pattern, got, c.late)
		}
		if got := strings.Join(narrows, " "); got != c.narrows {
			t.Errorf("%s: %q narrow, not %q", c.pattern, got, c.narrows)
		}
	}
}

// Late steps read only for the entities of the page. The answer keeps an entity for which they find nothing. The next
// page continues after the cut.
func TestLateAnswers(t *testing.T) {
	p := lifers(t)
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 20 {
		f := newFake(p)
		f.page = 1 + random.IntN(6)
		add := func(pattern string, args map[string]any) {
			t.Helper()
			if _, err := f.run(pattern, item(args), nil); err != nil {
				t.Fatal(pattern, err)
			}
		}
		for i := range 3 {
			add("addFamily", map[string]any{"family": map[string]any{"familyId": fmt.Sprint("f", i), "name": fmt.Sprint("family ", i)}})
		}
		for i := range 8 { // s8 and s9 are missing, and the family of s3, s7
			add("addSpecies", map[string]any{"species": map[string]any{"speciesId": fmt.Sprint("s", i), "familyId": fmt.Sprint("f", i%4), "name": fmt.Sprint("name ", 9-i), "rare": i%2 == 0}})
		}
		want := map[string]attr.Item{}
		for i := range random.IntN(20) {
			id, species := fmt.Sprintf("l%02d", i), random.IntN(10)
			l := map[string]any{"liferId": id, "observerId": "o1", "speciesId": fmt.Sprint("s", species), "times": random.IntN(4)}
			add("addLifer", map[string]any{"lifer": l})
			likes, photos := random.IntN(3), random.IntN(3)
			for n := range likes {
				add("like", map[string]any{"like": map[string]any{"liferId": id, "by": fmt.Sprint("b", n)}})
			}
			var list []any
			for n := range photos {
				photo := map[string]any{"liferId": id, "no": n}
				add("addPhoto", map[string]any{"photo": photo})
				list = append(list, photo)
			}
			l["likes"], l["photos"] = likes, list
			if species < 8 {
				about := map[string]any{"name": fmt.Sprint("name ", 9-species)}
				if species%4 < 3 {
					about["family"] = map[string]any{"name": fmt.Sprint("family ", species%4)}
				}
				l["species"] = about
			}
			want[id] = item(l)
		}
		for _, c := range []struct {
			pattern string
			order   []string
			down    bool
			shows   []string
			keeps   bool
			top     int
		}{
			{pattern: "names", order: []string{"times", "speciesId"}, shows: []string{"species"}},
			{pattern: "photos", order: []string{"times"}, down: true, shows: []string{"photos"}},
			{pattern: "byName", order: []string{"species.name"}, shows: []string{"species"}},
			{pattern: "byLikes", order: []string{"likes"}, down: true, shows: []string{"species.name"}},
			{pattern: "rare", order: []string{"times"}, shows: []string{"species"}, keeps: true},
			{pattern: "most", order: []string{"times"}, down: true, shows: []string{"species.name"}, top: 4},
		} {
			what := fmt.Sprintf("round %d, %s of %d", round, c.pattern, len(want))
			var got []attr.Item
			var cursor *plan.Cursor
			for {
				reply, requests := f.observed(t, c.pattern, item(map[string]any{"observerId": "o1"}), cursor)
				got = append(got, reply.Items...)
				species := map[string]bool{}
				for _, it := range reply.Items {
					species[it.Get("speciesId").Str()] = true
				}
				for _, r := range requests {
					most := len(reply.Items)
					if s := r.Stage; s.Kind.Name == "Species" && s.Late() && len(r.Keys) != len(species) {
						t.Fatalf("%s: %d species requested for a page with %d", what, len(r.Keys), len(species))
					} else if s.Late() && len(r.Keys) > most {
						t.Fatalf("%s: %d of %s requested for a page of %d", what, len(r.Keys), s.Kind.Name, most)
					}
				}
				if cursor = reply.Next; cursor == nil {
					break
				}
				if len(reply.Items) != 3 {
					t.Fatalf("%s: a page of %d", what, len(reply.Items))
				}
			}
			total := 0
			for _, it := range want {
				if !c.keeps || strings.Contains("s0 s2 s4 s6", at(it, "speciesId").Str()) {
					total++
				}
			}
			if c.top > 0 {
				total = min(total, c.top)
			}
			if len(got) != total {
				t.Fatalf("%s: %d answered, not %d", what, len(got), total)
			}
			seen := map[string]bool{}
			for i, it := range got {
				id := it.Get("liferId").Str()
				w := want[id]
				if seen[id] {
					t.Fatalf("%s: %s comes twice", what, id)
				}
				seen[id] = true
				for _, path := range append([]string{"observerId", "speciesId", "times", "likes"}, c.shows...) {
					x, y := at(it, path), at(w, path)
					if path == "photos" && len(y.Elems()) == 0 {
						y = attr.List()
					}
					if x.IsZero() != y.IsZero() || !x.IsZero() && !attr.Equal(x, y) {
						t.Fatalf("%s: item %d has %s %s, not %s", what, i, path, attr.AppendValue(nil, x), attr.AppendValue(nil, y))
					}
				}
				if i == 0 {
					continue
				}
				for _, path := range c.order {
					x, y := at(got[i-1], path), at(it, path)
					d := 0
					switch {
					case x.IsZero() || y.IsZero():
					default:
						d = attr.Compare(x, y)
					}
					if d != 0 {
						if d > 0 != c.down {
							t.Fatalf("%s: item %d is not in order", what, i)
						}
						break
					}
				}
			}
		}
	}
}

// The children inside an item that the answer is cut out of are those that a late step goes over.
func TestLateInside(t *testing.T) {
	f := newFake(lifers(t))
	var stops []any
	for i := range 8 {
		stops = append(stops, map[string]any{"stopId": fmt.Sprint("p", i), "place": 7 - i, "speciesId": fmt.Sprint("s", i)})
		if _, err := f.run("addSpecies", item(map[string]any{"species": map[string]any{"speciesId": fmt.Sprint("s", i), "familyId": "f", "name": fmt.Sprint("name ", i), "rare": false}}), nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.run("addWalk", item(map[string]any{"walk": map[string]any{"walkId": "w", "stops": stops}}), nil); err != nil {
		t.Fatal(err)
	}
	var names []string
	var cursor *plan.Cursor
	for {
		reply, requests := f.observed(t, "stops", item(map[string]any{"walkId": "w"}), cursor)
		for _, it := range reply.Items {
			names = append(names, at(it, "species.name").Str())
		}
		last := requests[len(requests)-1]
		if len(requests) != 2 || len(last.Keys) != len(reply.Items) {
			t.Errorf("%d species in %d requests for a page of %d", len(last.Keys), len(requests), len(reply.Items))
		}
		if cursor = reply.Next; cursor == nil {
			break
		}
	}
	if want := []string{"name 7", "name 6", "name 5", "name 4", "name 3", "name 2", "name 1", "name 0"}; !slices.Equal(names, want) {
		t.Errorf("the stops are at %v", names)
	}
}

// An entity may show another one of its own kind. That one need not be on the page.
func TestLateOfOwnKind(t *testing.T) {
	f := newFake(lifers(t))
	const n = 8
	for i := range n { // each is taught by the one before
		o := map[string]any{"observerId": fmt.Sprint("o", i), "town": "t", "points": i}
		if i > 0 {
			o["mentorId"] = fmt.Sprint("o", i-1)
		}
		if _, err := f.run("addObserver", item(map[string]any{"observer": o}), nil); err != nil {
			t.Fatal(err)
		}
	}
	left := n
	var cursor *plan.Cursor
	for {
		reply, requests := f.observed(t, "learners", item(map[string]any{"town": "t"}), cursor)
		for _, it := range reply.Items {
			left--
			want := attr.Item{}
			if left > 0 {
				want = item(map[string]any{"points": left - 1})
			}
			if id, mentor := it.Get("observerId").Str(), it.Get("mentor").Map(); id != fmt.Sprint("o", left) || !attr.EqualItems(mentor, want) {
				t.Errorf("%s instead of o%d, taught by %s", id, left, attr.AppendItem(nil, mentor))
			}
		}
		if last := requests[len(requests)-1]; len(last.Keys) != min(len(reply.Items), left+len(reply.Items)-1) {
			t.Errorf("%d mentors for a page of %d", len(last.Keys), len(reply.Items))
		}
		if cursor = reply.Next; cursor == nil {
			break
		}
	}
	if left != 0 {
		t.Errorf("%d are missing", left)
	}
}

// at is what a path of names leads to.
func at(it attr.Item, path string) attr.Value {
	name, rest, deep := strings.Cut(path, ".")
	if !deep {
		return it.Get(name)
	}
	return at(it.Get(name).Map(), rest)
}

// observed is run, with the requests that it sends.
func (f *fake) observed(t *testing.T, pattern string, args attr.Item, cursor *plan.Cursor) (*plan.Reply, []*plan.Request) {
	t.Helper()
	f.sent = nil
	reply, err := f.run(pattern, args, cursor)
	if err != nil {
		t.Fatal(pattern, err)
	}
	return reply, f.sent
}
