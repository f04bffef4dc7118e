package prove

import (
	"testing"

	"github.com/tablewright/tablewright/spec"
)

// TestSearchInVain: what nothing will do for is not looked for among everything again and again, and what is there again is
// found again.
func TestSearchInVain(t *testing.T) {
	const n, searches = 20_000, 200
	all := make([]*Instance, n)
	for i := range all {
		all[i] = &Instance{Born: i + 1}
	}
	k := &caller{o: &Oracle{}, reach: map[search]int{}}
	of := search{action: &spec.Action{}}
	none := func(*Instance) bool { return false }
	for range searches {
		if got := k.nearest(of, all, n/2, true, none); got != all[n/2] {
			t.Fatalf("a search in vain found %d", got.Born)
		}
	}
	if most := 4*farthest + 2*closest*searches; k.o.looked > most {
		t.Errorf("%d searches in vain looked at %d instances, more than %d", searches, k.o.looked, most)
	}
	far := func(in *Instance) bool { return in.Born > n/2+1_000 }
	near := func(in *Instance) bool { return in.Born > n/2+3 }
	for range 12 {
		if got := k.nearest(of, all, n/2, true, near); got.Born != n/2+4 {
			t.Fatalf("found %d instead of the nearest", got.Born)
		}
	}
	if got := k.nearest(of, all, n/2, true, far); got.Born != n/2+1_001 {
		t.Errorf("after searches that found something the next went no further than %d", got.Born)
	}
}

// TestBareKeepsToken: a creation that is made without its moves keeps the token by which its calls are told apart, for its plan
// says it.
func TestBareKeepsToken(t *testing.T) {
	boat := &spec.Entity{Name: "Boat"}
	boat.Attributes = []*spec.Attribute{{Name: "state", Entity: boat, States: &spec.States{Names: []string{"new", "sold"}, Next: map[string][]string{"new": {"sold"}}}}}
	sale := &spec.Entity{Name: "Sale"}
	p := &spec.Pattern{
		Name: "sell", Idempotency: "token",
		Actions: []*spec.Action{
			{Verb: spec.Create, Entity: sale, Value: spec.Reference{"sale"}},
			{Verb: spec.Update, Entity: boat, Set: []spec.Assign{{Path: spec.Path{"state"}}}},
		},
		Parameters: []*spec.Parameter{{Name: "sale", Entity: sale}, {Name: "boatId"}, {Name: "token"}},
	}
	bare := withoutMoves(p)
	if bare == nil || len(bare.Actions) != 1 || len(bare.Parameters) != 2 || bare.Parameter("token") == nil {
		t.Errorf("without its moves it is %+v", bare)
	}
}
