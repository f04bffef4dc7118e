package attr

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
)

// structCodec stores structs as M, and as items.
type structCodec struct {
	fields []structField // by name
	byName map[string]int
	was    map[string]int // by the names that fields had before; nil if none had another
	rest   []int          // index path of the field that takes all other attributes; nil without
	always int            // fields that are written whatever they hold

	// Which field's attribute followed which in the items read last, plus one: follows[0] is the first, follows[i+1] is that
	// behind fields[i]. The service writes attributes in an order of its own, but mostly in the same.
	follows []atomic.Int32
}

type structField struct {
	name   string
	quoted string // the name as JSON, with a colon
	index  []int
	codec  codec
	head   string                   // what stands before the content in the plain form: "name":{"S": with the quotes; "" if plain is nil
	plain  plainCodec               // the codec, if it reads the plain form
	absent func(reflect.Value) bool // omitzero, omitempty, nullempty; nil without
	null   bool                     // nullempty: NULL instead of absent
	always bool                     // it is written whatever it holds
	goName string
	typ    reflect.Type
	tag    tag
	raw    reflect.StructTag
}

func (p *planner) makeStruct(t reflect.Type) (codec, error) {
	fields, rest, err := collectFields(t)
	if err != nil {
		return nil, err
	}
	if len(fields) == 0 && rest == nil && t.NumField() > 0 && !t.Field(0).IsExported() {
		return nil, &PlanError{Type: t, Reason: "has no exported fields: its content would be lost"}
	}
	c := &structCodec{fields: fields, byName: make(map[string]int, len(fields)), rest: rest}
	for i := range c.fields {
		f := &c.fields[i]
		f.quoted = string(append(AppendText(nil, f.name), ':'))
		c.byName[f.name] = i
		switch {
		case f.tag.omitZero:
			f.absent = zeroTest(f.typ)
		case f.tag.empty != emptyWritten:
			f.absent = emptyTest(f.typ)
			f.null = f.tag.empty == emptyNull
		}
		if f.codec, err = p.plan(f.typ, f.tag.options); err != nil {
			if e, ok := err.(*PlanError); ok && e.Type == f.typ {
				return nil, &PlanError{Type: t, Field: f.goName, Reason: fmt.Sprintf("%v %s", f.typ, e.Reason)}
			}
			return nil, err
		}
		f.plain, f.head = plainOf(f.codec, f.quoted)
		if f.always = (f.absent == nil || f.null) && alwaysWritten(t, f); f.always {
			c.always++
		}
	}
	c.follows = make([]atomic.Int32, len(fields)+1)
	for i, f := range c.fields {
		if f.tag.was == "" {
			continue
		}
		_, now := c.byName[f.tag.was]
		_, twice := c.was[f.tag.was]
		if now || twice {
			return nil, &PlanError{Type: t, Field: f.goName, Reason: fmt.Sprintf("was %q, which is also the name of another field", f.tag.was)}
		}
		if c.was == nil {
			c.was = map[string]int{}
		}
		c.was[f.tag.was] = i
	}
	return c, nil
}

// plainOf is a codec as one that reads the plain form, and what then stands before a value's content.
func plainOf(c codec, quoted string) (plainCodec, string) {
	p, ok := c.(plainCodec)
	if kind := c.kind(); ok && (kind == KindS || kind == KindN || kind == KindBOOL) {
		return p, quoted + `{"` + kind.String() + `":`
	}
	return nil, ""
}

// alwaysWritten reports whether the codec of a field of t writes whatever the field holds.
func alwaysWritten(t reflect.Type, f *structField) bool {
	for i := 1; i < len(f.index); i++ {
		if t.FieldByIndex(f.index[:i]).Type.Kind() == reflect.Pointer {
			return false // embedded
		}
	}
	switch f.codec.(type) {
	case boolCodec, intCodec, uintCodec, floatCodec, stringCodec, numberCodec, jsonNumberCodec, bigIntCodec, quotedCodec, timeCodec,
		textCodec, rawItemCodec, *structCodec:
		return true
	case bytesCodec, *listCodec:
		return f.typ.Kind() == reflect.Array
	}
	return false
}

// A candidate is a field that may give an attribute, if no other hides it.
type candidate struct {
	structField
	depth int
}

// collectFields finds the attributes of a struct. As in encoding/json, the fields of embedded structs count as the
// struct's own; of several with one name the least deep wins, then one whose tag names it. Unlike there, what is still
// undecided is an error, for else two fields would vanish silently.
func collectFields(t reflect.Type) (fields []structField, rest []int, err error) {
	var all []candidate
	if err := collect(t, nil, 0, []reflect.Type{t}, &all); err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		if a.depth != b.depth {
			return a.depth - b.depth
		}
		return boolInt(a.tag.name == "") - boolInt(b.tag.name == "")
	})
	for i, c := range all {
		if c.tag.role == RoleRest {
			if rest != nil {
				return nil, nil, &PlanError{Type: t, Field: c.goName, Reason: "a second field that takes the rest"}
			}
			rest = c.index
			continue
		}
		if n := len(fields); n > 0 && fields[n-1].name == c.name {
			continue
		}
		if i+1 < len(all) && all[i+1].name == c.name && all[i+1].depth == c.depth && (all[i+1].tag.name == "") == (c.tag.name == "") {
			return nil, nil, &PlanError{Type: t, Field: c.goName,
				Reason: fmt.Sprintf("attribute %q is that of field %s too", c.name, all[i+1].goName)}
		}
		fields = append(fields, c.structField)
	}
	return fields, rest, nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// collect appends the fields of t and of what it embeds. Path holds the structs on the way: one that embeds a pointer to
// itself is not entered twice.
func collect(t reflect.Type, index []int, depth int, path []reflect.Type, all *[]candidate) error {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, err := parseTag(f)
		if err != nil {
			return &PlanError{Type: t, Field: f.Name, Reason: err.Error()}
		}
		if tag.skip {
			continue
		}
		at := append(slices.Clone(index), i)
		if f.Anonymous && tag.name == "" && tag.role == RoleNone {
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if isFlattened(inner) {
				if f.Type.Kind() == reflect.Pointer && !f.IsExported() {
					return &PlanError{Type: t, Field: f.Name, Reason: "an embedded pointer to an unexported struct can not be set"}
				}
				if slices.Contains(path, inner) {
					continue
				}
				if err := collect(inner, at, depth+1, append(slices.Clone(path), inner), all); err != nil {
					return err
				}
				continue
			}
		}
		if !f.IsExported() {
			continue
		}
		if err := tag.check(f.Type); err != nil {
			return &PlanError{Type: t, Field: f.Name, Reason: err.Error()}
		}
		name := tag.name
		if name == "" {
			name = f.Name
		}
		if tag.role == RoleRest {
			name = "" // it has none, and hides nothing
		}
		*all = append(*all, candidate{
			structField{name: name, index: at, goName: f.Name, typ: f.Type, tag: tag, raw: f.Tag},
			depth,
		})
	}
	return nil
}

// isFlattened reports whether an embedded type gives its fields: a struct that is not stored in a way of its own.
func isFlattened(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || isTime(t) || t == numberType || t == valueType || t == itemType || isOpt(t) || isText(t) {
		return false
	}
	p := reflect.PointerTo(t)
	return !p.Implements(marshalerType) && !p.Implements(unmarshalerType)
}

func (*structCodec) kind() Kind { return KindM }

func (c *structCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	base, err := e.openMap()
	if err != nil {
		return false, err
	}
	if err := c.encodeMembers(e, v); err != nil {
		return false, err
	}
	e.closeMap(base)
	return true, nil
}

func (c *structCodec) encodeMembers(e *encoder, v reflect.Value) error {
	v = addressable(v)
	var rest []Field
	if c.rest != nil {
		if r, ok := fieldAt(v, c.rest, false); ok {
			rest = r.Addr().Interface().(*Item).fields
		}
	}
	for i := range c.fields {
		f := &c.fields[i]
		for len(rest) > 0 && rest[0].Name <= f.name {
			if rest[0].Name != f.name { // the field's own value counts, absent or not
				if err := e.rest(rest[0]); err != nil {
					return err
				}
			}
			rest = rest[1:]
		}
		x, ok := fieldAt(v, f.index, false)
		if !ok {
			continue
		}
		elem := f.codec
		if f.absent != nil && f.absent(x) {
			if !f.null {
				continue
			}
			elem = nil
		}
		if err := e.member(f.name, f.quoted, elem, x); err != nil {
			return in(f.name, err)
		}
	}
	for _, r := range rest {
		if err := e.rest(r); err != nil {
			return err
		}
	}
	return nil
}

// fieldAt is the field at an index path; false if a nil pointer is on the way and make is not set.
func fieldAt(v reflect.Value, index []int, make bool) (reflect.Value, bool) {
	for i, x := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if !make {
					return v, false
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v, true
}

func (c *structCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindM {
		return mismatch(v, from)
	}
	v.SetZero()
	return c.decodeMembers(v, from.Map())
}

// decodeMembers walks fields and attributes side by side: both are in the order of their names.
func (c *structCodec) decodeMembers(v reflect.Value, from Item) error {
	var rest []Field
	fields := c.fields
	for _, a := range from.fields {
		for len(fields) > 0 && fields[0].name < a.Name {
			fields = fields[1:]
		}
		if len(fields) == 0 || fields[0].name != a.Name {
			at, before := c.was[a.Name]
			if !before {
				rest = append(rest, a)
			} else if f := &c.fields[at]; from.Get(f.name).IsZero() {
				x, _ := fieldAt(v, f.index, true)
				if err := f.codec.decode(x, a.Value); err != nil {
					return in(a.Name, err)
				}
			}
			continue
		}
		x, _ := fieldAt(v, fields[0].index, true)
		if err := fields[0].codec.decode(x, a.Value); err != nil {
			return in(a.Name, err)
		}
	}
	c.setRest(v, rest)
	return nil
}

func (c *structCodec) setRest(v reflect.Value, rest []Field) {
	if c.rest == nil || len(rest) == 0 {
		return
	}
	x, _ := fieldAt(v, c.rest, true)
	*x.Addr().Interface().(*Item) = Item{rest}
}

func (c *structCodec) stream(d *Decoder, v reflect.Value) error {
	if d.nextKind() != KindM {
		from, err := d.Value()
		if err != nil {
			return err
		}
		d.lacks = true
		return c.decode(v, from)
	}
	d.openValue()
	if err := c.streamMembers(d, v); err != nil {
		return err
	}
	return d.closeValue()
}

func (c *structCodec) streamMembers(d *Decoder, v reflect.Value) error {
	if !d.members() {
		return d.err
	}
	var rest []Field
	var earlier []Field // what stands under names that fields had before
	here := 0           // fields that are always written, and there
	few := [2]uint64{}
	seen := bitset(few[:])
	if len(c.fields) > len(few)*64 {
		seen = make(bitset, (len(c.fields)+63)/64)
	}
	link := &c.follows[0]
	for first := true; d.key(first); first = false {
		at := int(link.Load()) - 1
		if at >= 0 && !seen.has(at) && c.fields[at].readPlain(d, v) {
			f := &c.fields[at]
			seen.add(at)
			if f.always {
				here++
			}
			link = &c.follows[at+1]
			continue
		}
		key := d.quoted()
		if at < 0 || c.fields[at].name != string(key) {
			var ok bool
			if at, ok = c.byName[string(key)]; !ok {
				at = -1
			}
		}
		var name string
		before := false
		if at < 0 && c.was != nil {
			_, before = c.was[string(key)]
		}
		if at < 0 && (c.rest != nil || before) {
			name = d.keep(key)
		}
		if !d.colon() {
			break
		}
		switch {
		case at >= 0:
			f := &c.fields[at]
			if link.Load() != int32(at+1) {
				link.Store(int32(at + 1))
			}
			link = &c.follows[at+1]
			x, _ := fieldAt(v, f.index, true)
			if seen.has(at) {
				x.SetZero() // of several attributes with one name the last counts
				d.lacks = true
			} else if f.always {
				here++
			}
			seen.add(at)
			if err := streamInto(f.codec, d, x); err != nil {
				return in(f.name, err)
			}
		case c.rest != nil || before:
			value, err := d.Value()
			if err != nil {
				return in(name, err)
			}
			if before {
				earlier = append(earlier, Field{name, value})
			} else {
				rest = append(rest, Field{name, value})
			}
		default:
			d.Skip()
		}
	}
	for _, a := range earlier {
		if at := c.was[a.Name]; !seen.has(at) {
			if c.fields[at].always {
				here++
			}
			x, _ := fieldAt(v, c.fields[at].index, true)
			if err := c.fields[at].codec.decode(x, a.Value); err != nil {
				return in(a.Name, err)
			}
		}
	}
	if len(rest) > 1 {
		rest = normalFields(rest)
	}
	c.setRest(v, rest)
	d.lacks = d.lacks || here < c.always
	return d.err
}

// readPlain reads the member that comes next, if it is the field's and has the plain form.
func (f *structField) readPlain(d *Decoder, v reflect.Value) bool {
	i := d.pos + len(f.head)
	if f.plain == nil || i > len(d.data) || string(d.data[d.pos:i]) != f.head {
		return false
	}
	x, _ := fieldAt(v, f.index, true)
	end := f.plain.plain(d, i, x)
	if end < 0 || end >= len(d.data) || d.data[end] != '}' {
		x.SetZero()
		return false
	}
	d.pos = end + 1
	return true
}

// bitset is a set of small numbers.
type bitset []uint64

func (s bitset) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }
func (s bitset) add(i int)      { s[i/64] |= 1 << (i % 64) }
