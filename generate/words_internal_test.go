package generate

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

func TestOdd(t *testing.T) {
	for _, s := range []string{"01KE6RDW3WDD168NRJDJS4MQRX", "019b8d62-8ffc-7bd1-9e3a-9e97e2c1bbaf", "cus-3869-linden-dawn", "swift.kernel.8380@example.com",
		"2026-01-05T09:39:49.500Z#01KE6RD2", "Anchor caramel, price: 47.5", "{productName: Oat, quantity: 3, …}", "9780262510875"} {
		if isOdd(s) {
			t.Errorf("%q is not odd", s)
		}
	}
	for _, s := range []string{`pro-6622~f|m漢t#Z1zp7dmsm`, "Straw Backpack Villages9Ah", "cus-7919sb1isid9np_", "text: 😀", "100%", "items: {Pea isa7sk0z K: {price: 1}}"} {
		if !isOdd(s) {
			t.Errorf("%q is odd", s)
		}
	}
}

func TestTypicalKeepsEveryKind(t *testing.T) {
	item := func(kind, key string) Sample {
		var it attr.Item
		it.Set("k", attr.Text(key))
		return Sample{kind, it}
	}
	all := []Sample{item("A", "x~1"), item("A", "amber"), item("B", "é"), item("A", "birch"), item("A", "y|2"), item("A", "cedar")}
	var got []string
	for _, s := range typical(all, []string{"k"}) {
		got = append(got, s.Kind+" "+s.Item.Get("k").Str())
	}
	if want := []string{"A amber", "B é", "A birch", "A cedar"}; !slices.Equal(got, want) {
		t.Errorf("typical samples are %q, want %q", got, want)
	}
}

// Whatever is cut, brackets are closed, and the text stays near its width.
func TestBriefClosesBrackets(t *testing.T) {
	var inner, outer attr.Item
	inner.Set("text", attr.Text("Mirror pasture maple compass and more of the same"))
	inner.Set("quantity", attr.Text("1"))
	for _, name := range []string{"pro-0001-amber", "pro-0002-birch", "pro-0003-cedar"} {
		outer.Set(name, attr.Map(inner))
	}
	v := attr.Map(outer)
	for n := 8; n < 200; n += 3 {
		s := brief(v, n)
		if strings.Count(s, "{") != strings.Count(s, "}") || !strings.HasSuffix(s, "}") {
			t.Errorf("%d letters: %s", n, s)
		}
		if got := utf8.RuneCountInString(s); got > n+45 {
			t.Errorf("%d letters are %d: %s", n, got, s)
		}
	}
	if s := brief(v, 1000); strings.Contains(s, "…") {
		t.Errorf("cut without need: %s", s)
	}
}

func TestTurns(t *testing.T) {
	for _, c := range []struct{ moves, below, above, want string }{
		{"40/s; the same is cheapest from 10.9/s, and chosen from a tenth to ten times of it", "get: query keys", "",
			"stated 40/s; this model is chosen from a tenth to ten times of that; cheapest below 10.9/s: query keys"},
		{"1.5/s; the same is cheapest up to 1.55/s, and chosen up to 2.5/s", "", "other: query keys",
			"stated 1.5/s; this model is chosen up to 2.5/s; cheapest above 1.55/s: other: query keys"},
		{"2/s; the same is cheapest from 1/s to 9/s, and chosen from 0.5/s to 12/s", "a", "b",
			"stated 2/s; this model is chosen from 0.5/s to 12/s; cheapest below 1/s: a; cheapest above 9/s: b"},
	} {
		d := plan.Decision{About: "get", Inputs: []plan.Input{{Name: "units", Value: "1 a call"}, {Name: "rate may move, for A", Value: c.moves}}}
		if c.below != "" {
			d.Inputs = append(d.Inputs, plan.Input{Name: "cheapest below, for A", Value: c.below})
		}
		if c.above != "" {
			d.Inputs = append(d.Inputs, plan.Input{Name: "cheapest above, for A", Value: c.above})
		}
		turns, rest := Turns(d)
		if len(turns) != 1 || turns[0].String() != c.want {
			t.Errorf("%s: %v, want %s", c.moves, turns, c.want)
		}
		if len(rest) != 1 || rest[0].Name != "units" {
			t.Errorf("other figures are %v", rest)
		}
	}
	// What is not in these words is not lost.
	if turns, rest := Turns(plan.Decision{Inputs: []plan.Input{{Name: "rate may move", Value: "a lot"}}}); len(turns) != 0 || len(rest) != 1 {
		t.Errorf("unknown words: %v, %v", turns, rest)
	}
}

func TestRemark(t *testing.T) {
	for because, want := range map[string]string{
		"costs $1.02 more a month": "",
		"costs the same":           "",
		"costs $1.02 less a month, within 2 %, and is less simple (22 points to 20)":                                 "cheaper, but less simple (complexity 22 instead of 20)",
		"costs $1.35 less a month, within 2 %, and is less simple (14 points to 13, for tables, indexes and copies)": "cheaper, but less simple (complexity 14 instead of 13)",
		"costs the same, and reads by identity need an index":                                                        "but reads by identity would need an index",
		"placeOrder changes it alone": "placeOrder changes it alone",
	} {
		if got := Remark(plan.Rejected{Cost: 1, Because: because}); got != want {
			t.Errorf("%s: %q, want %q", because, got, want)
		}
	}
}

func TestDeviation(t *testing.T) {
	for share, want := range map[float64]string{0: "0.0 %", -0.0001: "0.0 %", 0.0001: "0.0 %", -0.031: "-3.1 %", 0.02: "+2.0 %"} {
		if got := deviation(share); got != want {
			t.Errorf("%v is %s, want %s", share, got, want)
		}
	}
}

func TestRounds(t *testing.T) {
	keys := &plan.Stage{}
	item, beside := &plan.Stage{Needs: []*plan.Stage{keys}}, &plan.Stage{}
	last := &plan.Stage{Needs: []*plan.Stage{beside, item}}
	each := func(v plan.Verb) *plan.Stage {
		return &plan.Stage{Verb: v, Each: spec.Reference{"keys"}, Needs: []*plan.Stage{keys}}
	}
	for _, c := range []struct {
		stages   []*plan.Stage
		page     int
		rounds   int
		requests float64
	}{
		{[]*plan.Stage{keys}, 10, 1, 1},
		{[]*plan.Stage{keys, item}, 10, 2, 2},
		{[]*plan.Stage{keys, beside}, 10, 1, 2}, // neither waits for the other
		{[]*plan.Stage{keys, item, beside, last}, 10, 3, 4},
		{[]*plan.Stage{{Scatter: 16}}, 10, 1, 16},
		{[]*plan.Stage{keys, each(plan.BatchGet)}, 10, 2, 2},
		{[]*plan.Stage{keys, each(plan.BatchGet)}, 250, 2, 4}, // 100 keys a request
		{[]*plan.Stage{keys, each(plan.Query)}, 10, 2, 11},
	} {
		proc := &plan.Procedure{Stages: c.stages, Pattern: &spec.Pattern{Read: &spec.Entity{}, Page: c.page}}
		if rounds, n := Rounds(proc), requests(proc); rounds != c.rounds || n != c.requests {
			t.Errorf("%d stages take %d rounds and %v requests, want %d and %v", len(c.stages), rounds, n, c.rounds, c.requests)
		}
	}
}
