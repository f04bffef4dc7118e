package design

import (
	"os"
	"testing"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/model"
)

func TestDebug(t *testing.T) {
	file := os.Getenv("DEBUG_FILE")
	if file == "" {
		t.Skip()
	}
	r, _, found, err := model.LoadRequirements(file)
	if r == nil || err != nil {
		t.Fatal(found, err)
	}
	f := study(r)
	ds, err := f.demands()
	if err != nil {
		t.Fatal(err)
	}
	price := newPricer(r, capacity.DefaultPrices())
	for _, c := range components(f, ds) {
		p := newPlanner(t.Context(), f, price, c)
		p.deadline = time.Now().Add(15 * time.Second)
		s := p.solve()
		b := s.cheapest
		t.Logf("%s\ncost %s unserved %d hard %v soft %v proven %v steps %d compared %d priced %d\nlosses %q", b.describe(), b.cost, b.unserved, b.hard, b.soft, s.proven, p.steps, p.compared, p.pricer.priced, b.losses)
		for i, h := range p.loads(b) {
			k := p.pricer.hot[i]
			if h.read > 100 || h.write > 100 || h.meet > 0.1 {
				t.Logf("  %s of %s item %v: read %v write %v meet %v", p.placeName(k.place), k.of, k.item, h.read, h.write, h.meet)
			}
		}
		t.Log(frequent(p.losses))
	}
}
