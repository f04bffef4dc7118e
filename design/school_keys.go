package design

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// screaming is a name as literals of keys have it: OrderItem → ORDER_ITEM.
func screaming(name string) string {
	var b strings.Builder
	var before rune
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = '_'
		case unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before)):
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(r))
		before = r
	}
	return b.String()
}

// named is the literal of an entity.
func (s *overload) named(e *spec.Entity) string {
	if text := s.literal[e.Name]; text != "" {
		return text
	}
	return screaming(e.Name)
}

// owner is the literal of what some parts of a key identify: CUSTOMER where they are a customer's identity or point
// to one. What identifies nothing is told by its name: CUSTOMER_EMAIL.
func (s *overload) owner(k *plan.Kind, parts []*plan.Part) string {
	var as []*spec.Attribute
	for _, p := range parts {
		if a := p.Attribute; a != nil {
			if a.Follows() { // what is derived along a way is what lies at its end
				if g, ok := pathRef(a.Entity, a.Derived.Path); ok {
					a = g.shortened().attr
				}
			}
			as = append(as, a)
		}
	}
	if len(as) == 0 {
		return s.literal[k.Name]
	}
	if w := as[0].Reference; w != nil && slices.Equal(w.By, as) {
		return s.named(w.To)
	}
	if e := as[0].Entity; e != nil && slices.Equal(e.Identity, as) {
		return s.named(e)
	}
	if e := k.Entity; len(as) == 1 && as[0].Entity == e && k.Role == plan.EntityItem {
		return s.literal[k.Name] + "_" + screaming(shortName(ref{from: e, attr: as[0]}))
	}
	return s.literal[k.Name]
}

// root is the kind that a table is named after: the one whose sort key is a constant, where there are several.
func (j *joining) root() *plan.Kind {
	for _, k := range j.was.Kinds {
		for _, w := range j.was.Base.Sort {
			if r := k.Recipe(w.Name); r != nil && len(r.Parts) == 0 {
				return k
			}
		}
	}
	return j.was.Kinds[0]
}

// head is the literal that all partition keys of a table's items begin with.
func (s *overload) head(j *joining) string {
	root := j.root()
	if j.own {
		return s.literal[root.Name]
	}
	text := ""
	for _, k := range j.was.Kinds {
		of := s.owner(k, k.Recipe(j.was.Base.Partition[0].Name).Parts)
		if text != "" && of != text {
			return s.literal[root.Name]
		}
		text = of
	}
	return text
}

// partitionText is the template of an item's partition key.
func (s *overload) partitionText(j *joining, k *plan.Kind) string {
	return joinKey(s.head(j), text(k.Recipe(j.was.Base.Partition[0].Name)))
}

// sortText is the template of an item's sort key: what it is, then what tells it from others of its kind.
func (s *overload) sortText(j *joining, k *plan.Kind) string {
	if len(j.was.Base.Sort) == 0 {
		return s.literal[k.Name]
	}
	r := k.Recipe(j.was.Base.Sort[0].Name)
	if len(r.Parts) == 0 {
		return s.literal[k.Name]
	}
	t := text(r)
	if len(j.was.Kinds) > 1 { // it begins with a literal already
		t = strings.TrimPrefix(t, r.Literals[0])
	}
	return joinKey(s.literal[k.Name], t)
}

// entries are the attributes by which items of a kind are in an index.
func (s *overload) entries(o *overlay, k *plan.Kind, w wires) map[string]plan.Template {
	partition, sort := s.columns(o, w)
	out := map[string]plan.Template{}
	if o.bare {
		for _, c := range slices.Concat(o.was.Partition, o.was.Sort) {
			if t, ok := k.Document.Set[c.Name]; ok {
				out[c.Name] = t
			}
		}
		return out
	}
	head := s.above(o)
	if o.native {
		for i, name := range slices.Concat(partition, sort) {
			r := k.Recipe(slices.Concat(o.was.Partition, o.was.Sort)[i].Name)
			t := plan.Template{Value: alone(r), When: r.WhenText, Else: r.Else}
			if i == 0 {
				t.Value = joinKey(head, varying(r))
				if t.Else != "" {
					t.Else = joinKey(head, t.Else)
				}
			}
			out[name] = t
		}
		return out
	}
	var when []string
	joined := func(head string, of []plan.Wire) plan.Template {
		t := plan.Template{Value: head}
		for _, c := range of {
			r := k.Recipe(c.Name)
			if r.WhenText != "" {
				when = appendNew(when, r.WhenText)
			}
			if v := varying(r); v != "" {
				t.Value = joinKey(t.Value, v)
			}
			if r.Else != "" {
				t.Else = joinKey(head, r.Else)
			}
		}
		return t
	}
	p, q := joined(head, o.was.Partition), joined(s.literal[k.Name], o.was.Sort)
	if o.sparse != sortSparse {
		p.When = spec.AllOf(when)
	}
	if o.sparse != partitionSparse {
		q.When = spec.AllOf(when)
	}
	out[partition[0]], out[sort[0]] = p, q
	return out
}

// above is the literal that all partition keys of an index's entries begin with.
func (s *overload) above(o *overlay) string {
	alone := s.literal[o.kinds[0].Name]
	if len(o.kinds) > 1 {
		alone += "_" + screaming(o.was.Index)
	}
	if o.own || o.native {
		return alone
	}
	text := ""
	for _, k := range o.kinds {
		var parts []*plan.Part
		for _, w := range o.was.Partition {
			parts = append(parts, k.Recipe(w.Name).Parts...)
		}
		of := s.owner(k, parts)
		if text != "" && of != text {
			return alone
		}
		text = of
	}
	return text
}

// stiff is why the key of an index cannot be written as one text; "" if it can. What the consumer of a stream keeps is
// changed alone, and a text made of it would stay as it was.
func (o *overlay) stiff() string {
	for _, k := range o.kinds {
		for _, w := range slices.Concat(o.was.Partition, o.was.Sort) {
			r := k.Recipe(w.Name)
			if r.Else != "" && (r.Wire.Type != plan.S || len(o.was.Sort) != 1 || len(r.Parts) != 1 || w != o.was.Sort[0]) {
				return "what has no value has a place of its own in its order"
			}
			for _, st := range k.Stored {
				if st.Kept.Stream && (st.Name == w.Name || slices.ContainsFunc(r.Parts, func(p *plan.Part) bool { return slices.Equal(p.Path, st.Path) })) {
					return "the consumer of a stream changes " + st.Name
				}
			}
		}
	}
	return ""
}

func joinKey(head, rest string) string {
	if rest == "" {
		return head
	}
	return head + "#" + rest
}

// varying is the text of a template that has parts; "" of a constant.
func varying(r *plan.Recipe) string {
	if len(r.Parts) == 0 {
		return ""
	}
	return text(r)
}

// text is a template whose parts can stand beside others.
func text(r *plan.Recipe) string {
	var b strings.Builder
	for i, p := range r.Parts {
		b.WriteString(r.Literals[i])
		b.WriteString("{" + partText(p) + "}")
	}
	b.WriteString(r.Literals[len(r.Parts)])
	return b.String()
}

func partText(p *plan.Part) string {
	switch {
	case p.Attribute == nil:
		return "shard"
	case len(p.Codecs) == 1 && p.Codecs[0] == negatedCodec: // a number's sign says nothing in a text
		return p.Path.String() + codecOf(p.Attribute, false) + ":inverted"
	case len(p.Codecs) > 0 && !(len(p.Codecs) == 1 && p.Codecs[0] == "raw"):
		return p.Path.String() + ":" + strings.Join(p.Codecs, ":")
	case len(p.Codecs) == 0 && p.Attribute.Ranked(): // it was stored as it is
		return p.Path.String()
	}
	return p.Path.String() + codecOf(p.Attribute, false)
}

// alone is a template that stays the only one of its attribute.
func alone(r *plan.Recipe) string {
	if !r.Native {
		return r.Text
	}
	p := r.Parts[0]
	if p.Attribute.Type == spec.Timestamp {
		return "{" + p.Path.String() + ":iso}"
	}
	return "{" + p.Path.String() + "}"
}

// partsOf are the paths of a template's parts that can be read back.
func partsOf(text string) (out []string) {
	for {
		_, rest, ok := strings.Cut(text, "{")
		if !ok {
			return out
		}
		part, behind, _ := strings.Cut(rest, "}")
		text = behind
		path, codec, _ := strings.Cut(part, ":")
		if c, err := keys.ParseCodec(codec); err != nil || c != keys.LowerCodec && !c.Bucketed() {
			out = append(out, path)
		}
	}
}
