package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// Shape is what an object has: an item, or a map with known keys. It does not change; its methods make others. As a Type it
// is that of a map in an attribute.
type Shape struct {
	fields []field // by name
	closed bool
	name   string // of the Go type; "" without
	self   node
}

// field is an attribute of a shape.
type field struct {
	name     string
	typ      *node
	optional bool
	implied  bool   // it is required only because the Go type always writes it: an update may remove it
	readOnly bool   // not for those who send the object
	doc      string // what it is
	computed func(attr.Item) attr.Value
	from     []string // attributes that it is computed from; nil: not told
}

// Field is an attribute of a Shape: what Required, Optional and Computed make.
type Field struct{ f field }

// Required is an attribute that must be there. It panics if the type has a default, which is what an absent one means.
func Required(name string, t Type) Field {
	if !t.node().missing.IsZero() {
		panic("schema: " + name + " has a default, so that it may be absent: Optional")
	}
	return Field{field{name: name, typ: t.node()}}
}

// Optional is an attribute that may be absent.
func Optional(name string, t Type) Field {
	return Field{field{name: name, typ: t.node(), optional: true}}
}

// Computed is an attribute that follows from the others of its object. f must be pure; the zero Value is absent. Parse
// sets it, whatever was there, and Check demands it. Where from names attributes, it depends on no others.
func Computed(name string, t Type, f func(attr.Item) attr.Value, from ...string) Field {
	return Field{field{name: name, typ: t.node(), optional: true, readOnly: true, computed: f, from: from}}
}

// Describe says what the attribute is: a JSON Schema has it as the description.
func (f Field) Describe(text string) Field { f.f.doc = text; return f }

// Object is the shape with the fields. It panics if two have one name, or one has none.
func Object(fields ...Field) *Shape {
	s := new(Shape)
	for _, f := range fields {
		s.fields = append(s.fields, f.f)
	}
	must(s.seal())
	return s
}

// seal puts the fields in order.
func (s *Shape) seal() error {
	slices.SortStableFunc(s.fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	for i, f := range s.fields {
		if f.name == "" {
			return fmt.Errorf("a field without a name")
		}
		if i > 0 && s.fields[i-1].name == f.name {
			return fmt.Errorf("two fields are called %s", f.name)
		}
	}
	s.self = newNode(objectForm)
	s.self.shape = s
	return nil
}

func (s *Shape) node() *node { return &s.self }

// made is a new shape with other fields.
func (s *Shape) made(fields []field) *Shape {
	n := &Shape{fields: fields, closed: s.closed}
	must(n.seal())
	return n
}

// find is the field with a name; nil if there is none.
func (s *Shape) find(name string) *field {
	i, ok := slices.BinarySearchFunc(s.fields, name, func(f field, name string) int { return strings.Compare(f.name, name) })
	if !ok {
		return nil
	}
	return &s.fields[i]
}

// Names are the attributes of the shape, in their order.
func (s *Shape) Names() []string {
	names := make([]string, len(s.fields))
	for i := range s.fields {
		names[i] = s.fields[i].name
	}
	return names
}

// Check tells what is wrong with an item: nil, or an *Error.
func (s *Shape) Check(it attr.Item) error {
	if s.check(it, nil) {
		return nil
	}
	var r report
	s.check(it, &r)
	return r.result()
}

// Closed is the shape that refuses attributes it does not name, at its top.
func (s *Shape) Closed() *Shape {
	c := s.made(slices.Clone(s.fields))
	c.closed = true
	return c
}

// Partial is the shape of changes to an object, as the body of an HTTP PATCH has them: every attribute may be absent, which
// leaves it, and those that were optional may be NULL, which removes them. There are neither defaults, which would overwrite
// what is stored, nor computed attributes. What is inside an attribute is as before, since it is replaced as a whole.
func (s *Shape) Partial() *Shape {
	var fields []field
	for _, f := range s.fields {
		if f.computed != nil {
			continue
		}
		c := *f.typ
		c.missing = attr.Value{}
		c.null = c.null || f.optional
		fields = append(fields, field{name: f.name, typ: &c, optional: true, readOnly: f.readOnly})
	}
	return s.made(fields)
}

// Extend is the shape with further fields, or other ones of the same names.
func (s *Shape) Extend(fields ...Field) *Shape {
	all := slices.Clone(s.fields)
	for _, f := range fields {
		all = slices.DeleteFunc(all, func(g field) bool { return g.name == f.f.name })
	}
	for _, f := range fields {
		all = append(all, f.f)
	}
	return s.made(all)
}

// Named is an attribute: a descriptor of a declared entity, or a Name.
type Named interface{ AttributeName() string }

// Name is the name of an attribute, or the path of one inside: ship.city, lines[0].qty, where one element stands for all.
type Name string

// AttributeName is the name itself.
func (n Name) AttributeName() string { return string(n) }

// Pick is the shape with these attributes only. Of an attribute of which something inside is picked, only that is left. It
// panics if the shape does not have one of them.
func (s *Shape) Pick(names ...Named) *Shape {
	picked, err := s.cut(paths(names), true)
	must(err)
	return picked
}

// Omit is the shape without these attributes. It panics if the shape does not have one of them.
func (s *Shape) Omit(names ...Named) *Shape {
	left, err := s.cut(paths(names), false)
	must(err)
	return left
}

// paths splits names into their steps; "[]" is an element.
func paths(names []Named) [][]string {
	all := make([][]string, len(names))
	for i, n := range names {
		for step := range strings.SplitSeq(n.AttributeName(), ".") {
			name, index, ok := strings.Cut(step, "[")
			all[i] = append(all[i], name)
			for ; ok; _, index, ok = strings.Cut(index, "[") {
				all[i] = append(all[i], "[]")
			}
		}
	}
	return all
}

// cut keeps what the paths name, or what they do not.
func (s *Shape) cut(paths [][]string, keep bool) (*Shape, error) {
	inside := map[string][][]string{}
	whole := map[string]bool{}
	for _, p := range paths {
		if s.find(p[0]) == nil {
			return nil, fmt.Errorf("there is no attribute %s", strings.Join(p, "."))
		}
		if len(p) == 1 {
			whole[p[0]] = true
		} else {
			inside[p[0]] = append(inside[p[0]], p[1:])
		}
	}
	var fields []field
	for _, f := range s.fields {
		switch {
		case whole[f.name]:
			if !keep {
				continue
			}
		case inside[f.name] != nil:
			n, err := f.typ.cut(inside[f.name], keep)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			f.typ = n
		case keep:
			continue
		}
		fields = append(fields, f)
	}
	left := s.made(fields)
	for i := range left.fields { // what cannot be computed any more is an attribute like others
		f := &left.fields[i]
		if f.computed != nil && (f.from == nil || slices.ContainsFunc(f.from, func(name string) bool { return left.find(name) == nil })) {
			f.computed = nil
		}
	}
	return left, nil
}

// cut is that of a shape, through lists and maps.
func (n *node) cut(paths [][]string, keep bool) (*node, error) {
	c := *n
	switch n.form {
	case objectForm:
		s, err := n.shape.cut(paths, keep)
		c.shape = s
		return &c, err
	case listForm, mapForm:
		for i, p := range paths {
			if len(p) < 2 {
				return nil, fmt.Errorf("one element cannot be picked or left out")
			}
			paths[i] = p[1:]
		}
		elem, err := n.elem.cut(paths, keep)
		c.elem = elem
		return &c, err
	}
	return nil, fmt.Errorf("there is nothing inside")
}
