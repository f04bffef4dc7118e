package workload

import (
	"testing"

	"github.com/tablewright/tablewright/spec"
)

// TestUnderOnce: what lies under children of children is a sum over thousands of values, which is made once: whoever asks
// again gets it at the same address, and can remember by that what follows from it.
func TestUnderOnce(t *testing.T) {
	name := &spec.Attribute{Name: "id"}
	town := &spec.Entity{Name: "Town", Count: 10, Identity: []*spec.Attribute{name}}
	street := &spec.Entity{Name: "Street", Count: 400, Identity: []*spec.Attribute{name}}
	house := &spec.Entity{Name: "House", Count: 20_000, Identity: []*spec.Attribute{name}}
	inTown := &spec.Relationship{Name: "town", From: street, To: town, PerParent: spec.Children{Stated: true, Average: 40, Max: 90}}
	inStreet := &spec.Relationship{Name: "street", From: house, To: street, PerParent: spec.Children{Stated: true, Average: 50, Max: 300}}
	w := New(&spec.Requirements{Entities: []*spec.Entity{town, street, house}}, Figures{})
	o := Owner{Entity: town, Members: 10, Ways: []*spec.Relationship{inStreet, inTown}}
	_, first := w.Under(o)
	_, again := w.Under(o)
	if first == nil || first != again {
		t.Errorf("under each street lies %p, and asked again %p", first, again)
	}
}

// TestOwnerOfAgain: the owner that was found for some paths is not that of others.
func TestOwnerOfAgain(t *testing.T) {
	id, of, note := &spec.Attribute{Name: "id"}, &spec.Attribute{Name: "of"}, &spec.Attribute{Name: "note"}
	town := &spec.Entity{Name: "Town", Count: 10, Attributes: []*spec.Attribute{id}, Identity: []*spec.Attribute{id}}
	street := &spec.Entity{Name: "Street", Count: 400, Attributes: []*spec.Attribute{id, of, note}, Identity: []*spec.Attribute{id}}
	way := &spec.Relationship{Name: "town", From: street, To: town, By: []*spec.Attribute{of}}
	of.Reference, street.There = way, []*spec.Relationship{way}
	w := New(&spec.Requirements{Entities: []*spec.Entity{town, street}}, Figures{})
	for range 2 {
		paths := []spec.Path{{"note"}, {"of"}}
		if o := w.OwnerOf(street, paths); o.Entity != town || len(o.Rest) != 1 || o.Rest[0][0] != "note" {
			t.Errorf("a note and a town name %v, and %v besides", o.Entity, o.Rest)
		}
		paths[0] = spec.Path{"other"} // whoever asked changes what is his
		if o := w.OwnerOf(street, []spec.Path{{"id"}}); o.Entity != street || len(o.Rest) != 0 {
			t.Errorf("an id names %v, and %v besides", o.Entity, o.Rest)
		}
	}
}
