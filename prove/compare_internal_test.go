package prove

import (
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/model"
)

// TestLaggingOfItsOwn: where entities of one kind belong to each other, what an index shows of one may lack another
// that has been made lately, and nothing else of it may differ, nor may it lack one for longer than the index lags.
func TestLaggingOfItsOwn(t *testing.T) {
	r, _, found := model.ReadRequirements("beds.yaml", []byte(`
tablewright: 1
application: beds
entities:
  Bed:
    identity: [bedId]
    attributes:
      bedId: {type: string, bytes: 4}
      plant: {type: string, bytes: 8}
      previousId: {references: Bed, inverse: next, per-parent: {average: 0.4, max: 5}, optional: true, share: 40%}
    bytes: 90
    count: 500
patterns:
  dig: {write: {create: Bed}, rate: {average: 1/s, peak: 2/s}}
  beds: {read: Bed, given: [plant], with: [next], results: {average: 1, max: 9}, rate: {average: 1/s, peak: 2/s}}
`))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	o := NewOracle(r)
	at := time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC)
	dig := func(bed, plant, previous string) {
		it := attr.ItemOf(attr.Field{Name: "bedId", Value: attr.Text(bed)}, attr.Field{Name: "plant", Value: attr.Text(plant)})
		if previous != "" {
			it.Set("previousId", attr.Text(previous))
		}
		if out := o.Write(r.Pattern("dig"), attr.ItemOf(attr.Field{Name: "bed", Value: attr.Map(it)})); out.Refused() {
			t.Fatal(out)
		}
	}
	o.SetNow(at)
	dig("a", "rose", "")
	o.SetNow(at.Add(time.Hour))
	dig("b", "kale", "a")
	for _, x := range []struct {
		after time.Duration
		plant string // that the answer shows
		fine  bool
	}{{time.Second, "rose", true}, {time.Second, "kale", false}, {time.Minute, "rose", false}} {
		o.SetNow(at.Add(time.Hour + x.after))
		want := o.Read(r.Pattern("beds"), attr.ItemOf(attr.Field{Name: "plant", Value: attr.Text("rose")}))
		item := want.Matches[0].Item.Clone()
		item.Set("next", attr.List())
		item.Set("plant", attr.Text(x.plant))
		if wrong := o.tolerate(want, answer{items: []attr.Item{item}}, 5*time.Second); (wrong == nil) != x.fine {
			t.Errorf("%s with plant %s and nothing next: %v", x.after, x.plant, wrong)
		}
	}
}
