package plan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// Pages of every kind (children between the paged entities, filters, keeps, shards, buckets, cut by the client), and a
// whole list whose keys lie in shards, hold each entity exactly once, whole, in order, and are full but for the last:
// over random data, with requests that bring few items.
func TestPages(t *testing.T) {
	r := requirements(t, "testdata/pages.yaml", nil)
	m, src := document(t, "testdata/pages.model.yaml", nil)
	p, problems := plan.Compile(m, r)
	for _, d := range src.Problems(problems) {
		t.Error(d.Text())
	}
	random := rand.New(rand.NewPCG(9, 10))
	for round := range 40 {
		f := newFake(p)
		f.page = 1 + random.IntN(6)
		var notes []attr.Item
		for i := range random.IntN(40) {
			note := map[string]any{
				"ownerId": fmt.Sprint("o", random.IntN(2)), "weight": random.IntN(8), "hidden": random.IntN(2) == 0,
				"at": f.now.Add(time.Duration(random.IntN(6*24)) * time.Hour).Format("2006-01-02T15:04:05.000Z"),
			}
			var lines []any
			for no := range random.IntN(5) {
				lines = append(lines, map[string]any{"no": no, "text": fmt.Sprint(i)})
			}
			note["lines"] = lines
			reply, err := f.run("addNote", item(map[string]any{"note": note}), nil)
			if err != nil {
				t.Fatal(err)
			}
			notes = append(notes, reply.Items[0])
		}
		from, to := "2026-11-22T00:00:00.000Z", "2026-11-24T09:04:00.000Z"
		for _, c := range []struct {
			pattern    string
			args       map[string]any
			in         func(attr.Item) bool
			order      string
			descending bool
			page, top  int
			lines, cut bool
		}{
			{pattern: "withLines", args: map[string]any{"ownerId": "o1"}, in: owned, order: "at", descending: true, page: 3, lines: true},
			{pattern: "shown", args: map[string]any{"ownerId": "o1"}, in: func(n attr.Item) bool { return owned(n) && !n.Get("hidden").Bool() }, order: "at", page: 3},
			{pattern: "firstShown", args: map[string]any{"ownerId": "o1"}, in: func(n attr.Item) bool { return owned(n) && !n.Get("hidden").Bool() }, order: "at", top: 3},
			{pattern: "kept", args: map[string]any{"ownerId": "o1", "least": 4}, in: func(n attr.Item) bool { return owned(n) && n.Get("weight").Number().Cmp(attr.Int(4)) >= 0 }, order: "at", page: 4},
			{pattern: "heaviest", in: func(attr.Item) bool { return true }, order: "weight", descending: true, page: 5},
			{pattern: "lightest", args: map[string]any{"ownerId": "o1"}, in: owned, order: "weight", page: 3, lines: true, cut: true},
			{pattern: "weights", in: func(attr.Item) bool { return true }, order: "weight", descending: true},
			{pattern: "top", in: func(attr.Item) bool { return true }, order: "weight", descending: true, top: 4},
			{pattern: "between", args: map[string]any{"from": from, "to": to}, in: func(n attr.Item) bool { return n.Get("at").Str() >= from && n.Get("at").Str() <= to }, order: "at", page: 2},
		} {
			if wanted := p.Procedure(c.pattern).Stages[0].Wanted(); wanted != max(c.page, c.top) && !c.cut || c.cut && wanted != 0 {
				t.Errorf("%s wants %d", c.pattern, wanted)
			}
			what := fmt.Sprintf("round %d, %s, %d notes, requests of %d", round, c.pattern, len(notes), f.page)
			want := map[string]attr.Item{}
			var keys []attr.Value
			for _, n := range notes {
				if c.in(n) {
					n = n.Clone()
					if !c.lines {
						n.Remove("lines")
					} else if !n.Has("lines") {
						n.Set("lines", attr.List())
					}
					want[n.Get("noteId").Str()] = n
					keys = append(keys, n.Get(c.order))
				}
			}
			slices.SortFunc(keys, attr.Compare)
			if c.descending {
				slices.Reverse(keys)
			}
			total := len(keys)
			if c.top > 0 {
				total = min(total, c.top)
			}
			var got []attr.Item
			var cursor *plan.Cursor
			for page := 0; ; page++ {
				reply, err := f.run(c.pattern, item(c.args), cursor)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				got = append(got, reply.Items...)
				if c.page > 0 && (len(reply.Items) > c.page || len(reply.Items) < c.page && reply.Next != nil && len(got) < total) {
					t.Fatalf("%s: page %d has %d", what, page, len(reply.Items))
				}
				if cursor = reply.Next; cursor == nil {
					break
				}
				if page > 200 {
					t.Fatalf("%s does not end", what)
				}
			}
			if len(got) != total {
				t.Fatalf("%s: %d instead of %d", what, len(got), total)
			}
			for i, n := range got {
				id := n.Get("noteId").Str()
				n = sortLines(n)
				if w, ok := want[id]; !ok || !attr.EqualItems(w, n) {
					t.Fatalf("%s: item %d is\n%s, not\n%s", what, i, attr.AppendItem(nil, n), attr.AppendItem(nil, w))
				}
				delete(want, id)
				if attr.Compare(n.Get(c.order), keys[i]) != 0 {
					t.Fatalf("%s: item %d has %s %s, not %s", what, i, c.order, n.Get(c.order).Str(), keys[i].Str())
				}
			}
		}
	}
}

// sortLines puts children, which have no order of their own, into one.
func sortLines(n attr.Item) attr.Item {
	v := n.Get("lines")
	if v.IsZero() {
		return n
	}
	lines := slices.Clone(v.Elems())
	slices.SortFunc(lines, func(a, b attr.Value) int { return attr.Compare(a.Map().Get("no"), b.Map().Get("no")) })
	out := n.Clone()
	out.Set("lines", attr.List(lines...))
	return out
}

func owned(n attr.Item) bool { return n.Get("ownerId").Str() == "o1" }
