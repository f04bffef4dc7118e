package workload

import (
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// TestArrivals: who buys a listing is known of what is sold alone, where only the sale sets it and as many have a buyer as are sold.
func TestArrivals(t *testing.T) {
	set := func(pairs ...string) (out []spec.Assign) {
		for i := 0; i < len(pairs); i += 2 {
			v := spec.Expr{Literal: attr.Text(pairs[i+1])}
			if pairs[i+1] == "$" {
				v = spec.Expr{Reference: spec.Reference{pairs[i]}}
			}
			out = append(out, spec.Assign{Path: spec.Path{pairs[i]}, Value: v})
		}
		return out
	}
	const no, yes, unknown = 0, 1, 0.6
	for _, c := range []struct {
		title               string
		present             float64
		sale, other         []spec.Assign
		from                string // where the other update finds it; "": anywhere
		remove, upsert      bool
		optional            string
		created, sold, paid float64
	}{
		{title: "with the sale alone", present: 0.6, sale: set("state", "sold", "buyer", "$"), created: no, sold: yes, paid: yes},
		{title: "as many as are sold or a little more", present: 0.604, sale: set("state", "sold", "buyer", "$"), created: no, sold: yes, paid: yes},
		{title: "more have one than are sold", present: 0.62, sale: set("state", "sold", "buyer", "$"), created: 0.62, sold: yes, paid: 0.62},
		{title: "set without the state", present: 0.6, sale: set("state", "sold", "buyer", "$"), other: set("buyer", "$"), created: unknown, sold: yes, paid: unknown},
		{title: "sold without it too", present: 0.6, sale: set("state", "sold", "buyer", "$"), other: set("state", "sold"), created: unknown, sold: yes, paid: unknown},
		{title: "goes to whatever state a caller says", present: 0.6, sale: set("state", "sold", "buyer", "$"), other: set("state", "$"), created: unknown, sold: yes, paid: unknown},
		{title: "a few less than are sold", present: 0.57, sale: set("state", "sold", "buyer", "$"), created: no, sold: yes, paid: yes},
		{title: "many less than are sold", present: 0.5, sale: set("state", "sold", "buyer", "$"), created: 0.5, sold: yes, paid: 0.5},
		{title: "taken back without it", present: 0.6, sale: set("state", "sold", "buyer", "$"), other: set("state", "active"), from: "sold", remove: true, created: no, sold: yes, paid: yes},
		{title: "taken back with it", present: 0.6, sale: set("state", "sold", "buyer", "$"), other: set("state", "active"), from: "sold", created: unknown, sold: yes, paid: unknown},
		{title: "removed", present: 0.6, sale: set("state", "sold", "buyer", "$"), remove: true, created: unknown, sold: yes, paid: unknown},
		{title: "written whole", present: 0.6, sale: set("state", "sold", "buyer", "$"), upsert: true, created: unknown, sold: yes, paid: unknown},
		{title: "left out by some", present: 0.6, sale: set("state", "sold", "buyer", "$"), optional: "buyer", created: unknown, sold: yes, paid: unknown},
		{title: "another state beside", present: 0.6, sale: set("state", "sold", "buyer", "$"), other: set("state", "ended"), from: "active", created: no, sold: yes, paid: yes},
	} {
		e := &spec.Entity{Name: "Listing"}
		state := &spec.Attribute{Name: "state", Entity: e, States: &spec.States{Names: []string{"active", "sold", "paid", "ended"},
			Next: map[string][]string{"active": {"sold", "ended"}, "sold": {"paid", "active"}}},
			Shares: []spec.Share{{Value: "active", Of: 0.1}, {Value: "sold", Of: 0.2}, {Value: "paid", Of: 0.4}, {Value: "ended", Of: 0.3}}}
		buyer := &spec.Attribute{Name: "buyer", Entity: e, Type: spec.String, Optional: true, Present: c.present}
		e.Attributes = []*spec.Attribute{state, buyer}
		update := func(as []spec.Assign) *spec.Pattern {
			return &spec.Pattern{Actions: []*spec.Action{{Verb: spec.Update, Entity: e, Set: as}}}
		}
		sale, pay, other := update(c.sale), update(set("state", "paid")), update(c.other)
		if c.from != "" {
			other.Actions[0].Condition = &spec.Test{Path: spec.Path{"state"}, Op: "=", Args: []spec.Expr{{Literal: attr.Text(c.from)}}}
		}
		if c.remove {
			other.Actions[0].Remove = []spec.Path{{"buyer"}}
		}
		if c.upsert {
			other.Actions[0].Verb = spec.Upsert
		}
		if c.optional != "" {
			sale.Parameters = []*spec.Parameter{{Name: c.optional, Optional: true, Stated: 1}}
		}
		w := New(&spec.Requirements{Entities: []*spec.Entity{e}, Patterns: []*spec.Pattern{sale, pay, other}}, Figures{})
		if got := w.Initial(e).Presence(buyer); got != c.created {
			t.Errorf("%s: %v of what is created has a buyer, not %v", c.title, got, c.created)
		}
		for p, want := range map[*spec.Pattern]float64{sale: c.sold, pay: c.paid} {
			for _, s := range w.Steps(p, e, nil) {
				if got := s.After.Presence(buyer); got != want {
					t.Errorf("%s: after %v, %v have a buyer, not %v", c.title, s.After, got, want)
				}
				if p == sale && c.created == no && s.Before.Presence(buyer) != no {
					t.Errorf("%s: a sale finds a buyer", c.title)
				}
			}
		}
	}
}
