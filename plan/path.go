package plan

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// target is where a path of an entity leads, in the shortest of its equal forms: order.orderId of an order's item is
// its own orderId.
type target struct {
	path spec.Path
	segs []spec.Segment
	id   string  // the path's text: names the target among those of one entity
	from string  // the id of its origin
	up   *target // behind the first way: the same target as the related entity names it
}

// newTarget brings a resolved path into its shortest form.
func newTarget(p spec.Path, segs []spec.Segment) target {
	t := shorten(target{path: p, segs: segs})
	t.id = t.path.String()
	t.from = t.id
	if o := followDerived(t); o.path != nil {
		t.from = o.path.String()
	}
	if len(t.segs) > 1 && t.segs[0].Way != nil {
		up := newTarget(t.path[1:], t.segs[1:])
		t.up = &up
	}
	return t
}

// own is the target of an entity's attribute.
func own(a *spec.Attribute) target {
	return newTarget(spec.Path{a.Name}, []spec.Segment{{Name: a.Name, Attribute: a}})
}

// resolvePath looks a path up.
func resolvePath(e *spec.Entity, p spec.Path) (target, error) {
	segs, err := e.Resolve(p)
	if err != nil {
		return target{}, err
	}
	return newTarget(p, segs), nil
}

// attribute is the attribute at the end; nil if the path ends with a way.
func (t target) attribute() *spec.Attribute {
	if len(t.segs) == 0 {
		return nil
	}
	return t.segs[len(t.segs)-1].Attribute
}

// shorten replaces the identity of a related entity by the foreign key that holds it.
func shorten(t target) target {
	for len(t.segs) >= 2 {
		last, way := t.segs[len(t.segs)-1], t.segs[len(t.segs)-2]
		if last.Attribute == nil || way.Way == nil || way.Back {
			return t
		}
		i := slices.Index(way.Way.To.Identity, last.Attribute)
		if i < 0 || i >= len(way.Way.By) {
			return t
		}
		by := way.Way.By[i]
		n := len(t.segs) - 2
		t = target{
			path: append(slices.Clone(t.path[:n]), by.Name),
			segs: append(slices.Clone(t.segs[:n]), spec.Segment{Name: by.Name, Attribute: by}),
		}
	}
	return t
}

// followDerived follows derived to-one attributes to where their values come from: of an invoice whose customerId is
// derived from order.customerId, both have the origin order.customerId. Without path: it comes from nowhere else.
func followDerived(t target) (o target) {
	for range 16 { // derived attributes cannot form a circle; this only keeps a wrong document from looping
		a := t.attribute()
		if a == nil || a.Derived == nil || a.Derived.Func != "" || a.Entity == nil {
			return o
		}
		segs, err := a.Entity.Resolve(a.Derived.Path)
		if err != nil {
			return o
		}
		n := len(t.segs) - 1
		t = shorten(target{
			path: append(slices.Clone(t.path[:n]), a.Derived.Path...),
			segs: append(slices.Clone(t.segs[:n]), segs...),
		})
		o = t
	}
	return o
}

// origin is where the target's value comes from; itself unless it is derived.
func origin(t target) target {
	if o := followDerived(t); o.path != nil {
		return newTarget(o.path, o.segs)
	}
	return t
}

// same reports whether two targets of one entity always have the same value.
func same(a, b target) bool { return a.id == b.id || a.from == b.from }

// SameValue reports whether two paths of an entity always lead to the same value: they are one, or one of them is derived along the
// other. sellerStanding of a listing is seller.standing.
func SameValue(e *spec.Entity, a, b spec.Path) bool {
	plain := func(p spec.Path) bool { // nothing else leads there by a name alone
		x := e.Attribute(p[0])
		return len(p) == 1 && x != nil && x.Derived == nil
	}
	switch {
	case slices.Equal(a, b):
		return true
	case len(a) == 0 || len(b) == 0 || plain(a) && plain(b):
		return false
	}
	x, err := resolvePath(e, a)
	if err != nil {
		return false
	}
	y, err := resolvePath(e, b)
	return err == nil && same(x, y)
}

// toOne reports whether the path meets at most one value: no segment leads to several.
func (t target) toOne() bool {
	for _, s := range t.segs {
		if !s.ToOne() {
			return false
		}
	}
	return true
}

// kindOf is the DynamoDB type of a value of an attribute that is stored without a template.
func kindOf(a *spec.Attribute) Type {
	switch a.Type {
	case spec.Number:
		return N
	case spec.Binary:
		return B
	case spec.String, spec.Timestamp, spec.Date:
		return S
	}
	return "" // bool, map, list, set: no key
}

// there reports whether the path leaves the entity.
func (t target) there() bool { return len(t.segs) > 1 && t.segs[0].Way != nil }
