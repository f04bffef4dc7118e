package design

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// A ref is a value that an entity leads to: an attribute of its own (no hops), or an attribute of an entity at the end of
// to-one ways. Two refs of one entity are equal iff their keys are.
type ref struct {
	from *spec.Entity
	hops []hop
	attr *spec.Attribute
	rest spec.Path // names inside a map attribute

	alias *spec.Attribute // of the entity, derived along this path; nil if none is
}

// A hop is a way there, or the way back to an only child.
type hop struct {
	way  *spec.Relationship
	back bool
}

func (h hop) to() *spec.Entity {
	if h.back {
		return h.way.From
	}
	return h.way.To
}

func (h hop) name() string {
	if h.back {
		return h.way.Inverse
	}
	return h.way.Name
}

// resolveRef follows a path that only uses to-one ways and ends in an attribute (or inside a map). It answers false if
// the path goes back to several entities or ends in a way.
func resolveRef(e *spec.Entity, p spec.Path) (ref, bool) {
	r, ok := pathRef(e, p)
	if !ok {
		return ref{}, false
	}
	return r.canonical(), true
}

// pathRef is a path as it is written.
func pathRef(e *spec.Entity, p spec.Path) (ref, bool) {
	r := ref{from: e}
	at := e
	for i, name := range p {
		if w := at.WayThere(name); w != nil && i < len(p)-1 {
			r.hops = append(r.hops, hop{way: w})
			at = w.To
			continue
		}
		if w := at.WayBack(name); w != nil && single(w) && i < len(p)-1 {
			r.hops = append(r.hops, hop{w, true})
			at = w.From
			continue
		}
		a := at.Attribute(name)
		if a == nil {
			return ref{}, false
		}
		r.attr, r.rest = a, p[i+1:]
		return r, true
	}
	return ref{}, false
}

// canonical shortens a ref: order.orderId is orderId, because the foreign key holds the same value; invoice.orderId of an
// order is its orderId if each has an invoice; and what goes there and comes back by the same way has not moved. What is
// derived along a path is what lies at its end, whether or not an item holds it under the name of its own.
func (r ref) canonical() ref {
	r = r.shortened()
	r.alias = nil
	if len(r.hops) > 0 {
		for _, a := range r.from.Attributes {
			if a.Follows() {
				if g, ok := pathRef(r.from, a.Derived.Path); ok && g.shortened().same(r) {
					r.alias = a
					break
				}
			}
		}
	}
	return r
}

func (r ref) shortened() ref {
	if r.attr.Follows() {
		if g, ok := pathRef(r.owner(), r.attr.Derived.Path); ok {
			g = g.shortened()
			r = ref{from: r.from, hops: slices.Concat(r.hops, g.hops), attr: g.attr, rest: slices.Concat(g.rest, r.rest)}
		}
	}
	for i := 0; i+1 < len(r.hops); i++ {
		if a, b := r.hops[i], r.hops[i+1]; a.way == b.way && a.back != b.back && (b.back || always(a.way)) {
			r.hops = append(append([]hop(nil), r.hops[:i]...), r.hops[i+2:]...)
			i = -1
		}
	}
	for len(r.hops) > 0 {
		last := r.hops[len(r.hops)-1]
		from, to := last.way.To.Identity, last.way.By
		if last.back {
			if !always(last.way) {
				break
			}
			from, to = to, from
		}
		i := indexOf(from, r.attr)
		if i < 0 {
			break
		}
		r.attr = to[i]
		r.hops = r.hops[:len(r.hops)-1]
	}
	return r
}

// always reports whether every parent has children by a way.
func always(w *spec.Relationship) bool { return w.PerParent.Average >= 1 }

func indexOf(as []*spec.Attribute, a *spec.Attribute) int {
	for i, b := range as {
		if a == b {
			return i
		}
	}
	return -1
}

// local reports whether the value is a whole attribute of the entity itself.
func (r ref) local() bool { return len(r.hops) == 0 && len(r.rest) == 0 }

// path is the ref as a path of its entity.
func (r ref) path() spec.Path {
	var p spec.Path
	for _, h := range r.hops {
		p = append(p, h.name())
	}
	return append(append(p, r.attr.Name), r.rest...)
}

// key is the path as text, or the name of the attribute that is derived along it.
func (r ref) key() string {
	switch {
	case r.local():
		return r.attr.Name
	case r.alias != nil:
		return r.alias.Name
	}
	return strings.Join(r.path(), ".")
}

// same reports whether two refs of one entity are equal.
func (r ref) same(q ref) bool {
	if r.local() && q.local() {
		return r.attr == q.attr
	}
	return len(r.hops) == len(q.hops) && r.attr == q.attr && slices.Equal(r.hops, q.hops) && slices.Equal(r.rest, q.rest)
}

// owner is the entity that holds the attribute.
func (r ref) owner() *spec.Entity {
	if len(r.hops) == 0 {
		return r.from
	}
	return r.hops[len(r.hops)-1].to()
}

// via is the ref seen from the many side of w: what w leads to, one hop further away.
func (r ref) via(w *spec.Relationship) ref {
	return ref{from: w.From, hops: append([]hop{{way: w}}, r.hops...), attr: r.attr, rest: r.rest}.canonical()
}

// lift is the ref seen from the one side of w; false if the value does not lie there. A foreign key of w lifts to the
// identity it points to, and a path through w loses its first hop. All values of an only child lie there.
func (r ref) lift(w *spec.Relationship) (ref, bool) {
	if len(r.hops) == 0 {
		if i := indexOf(w.By, r.attr); i >= 0 {
			return ref{from: w.To, attr: w.To.Identity[i], rest: r.rest}, true
		}
	} else if r.hops[0] == (hop{way: w}) {
		return ref{from: w.To, hops: r.hops[1:], attr: r.attr, rest: r.rest}.canonical(), true
	}
	if single(w) {
		return ref{from: w.To, hops: append([]hop{{w, true}}, r.hops...), attr: r.attr, rest: r.rest}.canonical(), true
	}
	return ref{}, false
}

// refsKey joins the keys of refs.
func refsKey(rs []ref) string {
	ks := make([]string, len(rs))
	for i, r := range rs {
		ks[i] = r.key()
	}
	return strings.Join(ks, ",")
}

// identityRefs are the refs of an entity's identity.
func identityRefs(e *spec.Entity) []ref {
	rs := make([]ref, len(e.Identity))
	for i, a := range e.Identity {
		rs[i] = ref{from: e, attr: a}
	}
	return rs
}

func hasRef(rs []ref, r ref) bool { return refIndex(rs, r) >= 0 }

func refIndex(rs []ref, r ref) int {
	return slices.IndexFunc(rs, r.same)
}
