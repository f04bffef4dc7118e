package prove

import (
	"testing"

	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/spec"
)

// TestLater: a pack gets its batch as it is returned, so that regular calls create none with one; the data, and other calls, do.
func TestLater(t *testing.T) {
	r, _, found, err := model.LoadRequirements("testdata/comes-with-state.yaml")
	if err != nil || r == nil {
		t.Fatal(err, found)
	}
	pack := r.Entity("Pack")
	for _, c := range []struct {
		name  string
		later bool
	}{{"batchId", true}, {"returnedAt", true}, {"packId", false}, {"state", false}} {
		a := pack.Attribute(c.name)
		k := &caller{later: laterOf(r), regular: true}
		if k.leaves(a) != c.later {
			t.Errorf("a regular call leaves out %s: %v", c.name, !c.later)
		}
		for _, k := range []*caller{{later: k.later}, {later: k.later, regular: true, seeding: &seeding{states: map[*spec.Attribute]bool{}}}} {
			if k.leaves(a) {
				t.Errorf("%s is left out of what is no regular call", c.name)
			}
		}
	}
}
