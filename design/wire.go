package design

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/plan"
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
	if r.alias != nil {
		return r.alias.Name
	}
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
		b.WriteString("{" + p.ref.key() + p.codec(len(parts) == 1) + "}")
	}
	return b.String()
}

// partTemplate writes one part of an index's key that is not written as it is stored. What may be absent stands behind a digit,
// or beyond all numbers, so that what is absent has its place before or behind it.
func partTemplate(p keyPart) plan.Template {
	a := p.ref.attr
	t := plan.Template{Value: template([]keyPart{p})}
	if p.negated() {
		t.Value = "{" + p.ref.key() + ":" + negatedCodec + "}"
	}
	switch {
	case p.absent == nowhere:
		return t
	case a.Type == spec.Number:
		t.Else = "1" + strings.Repeat("0", max(1, a.Digits-a.Scale))
		if p.absent == lowest {
			t.Else = "-" + t.Else
		}
		if beyond := p.absent == highest; a.Max != nil && beyond != p.inverted || a.Min != nil && beyond == p.inverted { // it may be further out than the digits say
			t.Else += "0"
		}
		return t
	}
	t.Value = "1" + templateBeside([]keyPart{p})
	if t.Else = "2"; p.absent == lowest {
		t.Else = "0"
	}
	return t
}

// negatedCodec writes a number with its sign turned.
const negatedCodec = "negated"

// negated reports whether a part of an index's key is a number that counts down: it is written with its sign turned.
func (p keyPart) negated() bool { return p.inverted && p.ref.attr.Type == spec.Number }

// specialName is the attribute that is made for such a part.
func specialName(k *kind, p keyPart) string {
	names := []string{wireName(k, p.ref)}
	switch {
	case p.absent == lowest:
		names = append(names, "first")
	case p.absent == highest:
		names = append(names, "last")
	case p.ref.attr.Ranked():
		names = append(names, "rank")
	case !p.inverted:
		names = append(names, "text")
	}
	if p.inverted {
		names = append(names, "down")
	}
	return unusedName(k.entity, camel(names...))
}

// rankOf is the codec of values that sort as they are stated.
func rankOf(values []string) string { return ":rank(" + strings.Join(values, ",") + ")" }

// codec is how a part is written, with its colon. Ranks count down where the values are named the other way round.
func (p keyPart) codec(alone bool) string {
	switch {
	case !p.inverted:
		return codecOf(p.ref.attr, alone)
	case p.ref.attr.Ranked():
		values := slices.Clone(p.ref.attr.Values())
		slices.Reverse(values)
		return rankOf(values)
	}
	if p.ref.attr.Type == spec.Date {
		return ":day:inverted"
	}
	return codecOf(p.ref.attr, false) + ":inverted"
}

// codecOf is the codec of an attribute in a template, with its colon.
func codecOf(a *spec.Attribute, alone bool) string {
	if a.Ranked() {
		return rankOf(a.Values())
	}
	switch a.Type {
	case spec.Timestamp:
		return ":iso"
	case spec.Number:
		if alone {
			return ""
		}
		codec, whole := "pad", max(1, a.Digits-a.Scale)
		if !a.NeverNegative() {
			codec = "signed"
		}
		if a.Scale > 0 {
			return fmt.Sprintf(":%s%d.%d", codec, whole, a.Scale)
		}
		return fmt.Sprintf(":%s%d", codec, whole)
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
