package design

import (
	"fmt"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// The names and texts of wire attributes. Prices and the model file take them from here, so that every byte that is
// written was counted.

// wireName is the attribute that holds a value in the items of a kind: an attribute under its own name, the end of a path
// under the last of its names, or all of them where that could mean something else.
func wireName(k *kind, r ref) string {
	if r.local() {
		return r.attr.Name
	}
	e, name := k.entity, r.attr.Name
	if !k.mixed && e.Attribute(name) == nil && e.WayThere(name) == nil && e.WayBack(name) == nil {
		return name
	}
	return camel(r.path()...)
}

// camel joins names: order, placedAt → orderPlacedAt.
func camel(names ...string) string {
	var b strings.Builder
	for i, n := range names {
		if i > 0 {
			n = upperFirst(n)
		}
		b.WriteString(strings.ReplaceAll(n, "-", "_"))
	}
	return b.String()
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// compositeName is the attribute that holds several values one after another, and what follows them.
func compositeName(k *kind, rs []ref, then ...string) string {
	names := make([]string, len(rs), len(rs)+len(then))
	for i, r := range rs {
		names[i] = wireName(k, r)
	}
	names = append(names, then...)
	return unusedName(k.entity, camel(names...))
}

// partName is the sort key of tables that hold several kinds: a name that no attribute has.
func partName(r *spec.Requirements) string {
	name := "part"
	for _, e := range r.Entities {
		name = unusedName(e, name)
	}
	return name
}

// partitionName is the partition key of a table that several kinds share.
func partitionName(root *spec.Entity) string {
	if len(root.Identity) == 1 {
		return root.Identity[0].Name
	}
	return compositeName(&kind{entity: root}, identityRefs(root))
}

func unusedName(e *spec.Entity, name string) string {
	for e.Attribute(name) != nil || e.WayThere(name) != nil || e.WayBack(name) != nil {
		name += "_"
	}
	return name
}

// template writes values one after another, separated, in their order.
func template(parts []keyPart) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteByte('#')
		}
		b.WriteString("{" + p.ref.key() + codecOf(p.ref.attr, len(parts) == 1 && !p.inverted))
		if p.inverted {
			b.WriteString(":inverted")
		}
		b.WriteByte('}')
	}
	return b.String()
}

// codecOf is the codec of an attribute in a template, with its colon.
func codecOf(a *spec.Attribute, alone bool) string {
	switch a.Type {
	case spec.Timestamp:
		return ":iso"
	case spec.Number:
		if alone {
			return ""
		}
		whole := max(1, a.Digits-a.Scale)
		if a.Scale > 0 {
			return fmt.Sprintf(":pad%d.%d", whole, a.Scale)
		}
		return fmt.Sprintf(":pad%d", whole)
	case spec.String:
		if !alone && opaque(a) {
			return ":raw"
		}
	}
	return ""
}

// opaque reports whether all values are ids that clients generate, which hold no byte that a template could mistake.
func opaque(a *spec.Attribute) bool {
	switch a.Generated {
	case "ulid", "uuid", "ksuid":
		return true
	}
	if r := a.Reference; r != nil {
		if i := indexOf(r.By, a); i >= 0 && i < len(r.To.Identity) && r.To.Identity[i] != a {
			return opaque(r.To.Identity[i])
		}
	}
	return false
}
