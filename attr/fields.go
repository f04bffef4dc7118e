package attr

import (
	"fmt"
	"reflect"
)

// A StructField says how a field of a struct is stored, for those who bind names and values to fields before there is
// an item: descriptors, templates, conditions.
type StructField struct {
	Go    string            // the Go name; promoted fields without that of the embedded struct
	Name  string            // the attribute's name; "" for the field that takes the rest, and for elements
	Was   string            // the name it had before, which is still read; "" if it had no other
	Index []int             // for reflect.Value.FieldByIndex, which embedded nil pointers make panic
	Type  reflect.Type      // the Go type
	Kind  Kind              // the type that is written; 0 if the value decides (interfaces, Value, Marshaler)
	Role  Role              // what it is for
	Omit  bool              // the zero value, or what is empty, is absent (omitzero, omitempty)
	Tag   reflect.StructTag // all tags, for those of other packages; "" for elements

	options options
	codec   codec                    // nil: that of Type and options
	absent  func(reflect.Value) bool // of Omit, or, if null is set, for what is written as NULL; nil without
	null    bool
}

// Fields are the attributes of a struct, in the order of their names, the one that takes the rest last. A field that is a
// struct itself is one attribute; call Fields with its type for what is inside. The error is a *PlanError.
func Fields(t reflect.Type) ([]StructField, error) {
	if t.Kind() != reflect.Struct || !isFlattened(t) {
		return nil, &PlanError{Type: t, Reason: "is not a struct with attributes"}
	}
	c, err := codecFor(t, options{})
	if err != nil {
		return nil, err
	}
	s := c.(*structCodec)
	fields := make([]StructField, 0, len(s.fields)+1)
	for _, f := range s.fields {
		fields = append(fields, StructField{
			Go: f.goName, Name: f.name, Was: f.tag.was, Index: f.index, Type: f.typ, Kind: f.codec.kind(), Role: f.tag.role,
			Omit: f.absent != nil && !f.null, Tag: f.raw, options: f.tag.options, codec: f.codec, absent: f.absent, null: f.null,
		})
	}
	if s.rest != nil {
		f := t.FieldByIndex(s.rest)
		fields = append(fields, StructField{Go: f.Name, Index: s.rest, Type: f.Type, Kind: KindM, Role: RoleRest, Tag: f.Tag})
	}
	return fields, nil
}

// Elem describes the elements of a field that is a list, set or map, through pointers and Opt: those of a set as one
// element of it is written. It is false for other fields.
func (f StructField) Elem() (StructField, bool) {
	t := held(f.Type)
	o := f.options
	switch {
	case f.Kind == KindM && t.Kind() == reflect.Map, f.Kind == KindL:
		t = t.Elem()
	case f.Kind >= KindSS && t.Kind() == reflect.Map:
		t = t.Key()
		o.set, o.setOfKind = false, 0
	case f.Kind >= KindSS:
		t = t.Elem()
		o.set, o.setOfKind = false, 0
	default:
		return StructField{}, false
	}
	c, err := codecFor(t, o)
	if err != nil {
		return StructField{}, false // not of a field that Fields has found
	}
	return StructField{Type: t, Kind: c.kind(), options: o, codec: c}, true
}

// Alike reports whether two fields hold values of one type and write them in one way: through pointers and Opt, and
// whatever their names, roles and empty values.
func (f StructField) Alike(g StructField) bool {
	a, b := f.options, g.options
	a.elemZero, b.elemZero = 0, 0
	return held(f.Type) == held(g.Type) && f.Kind == g.Kind && a == b
}

// A Codec writes and reads values of type V as a field's tag says: what conditions and updates compare with and set. The
// zero Codec can not be used.
type Codec[V any] struct {
	codec codec
	plain plainKind
}

// plainKind names the codecs that are short enough to be run without the encoder.
type plainKind uint8

const (
	notPlain plainKind = iota
	plainText
	plainInt
)

// CodecOf is the codec of a field's values. V is the field's type, or, if that is a pointer or Opt, what it points to or
// holds; anything else is an error.
func CodecOf[V any](f StructField) (Codec[V], error) {
	c, plain, err := f.codecFor(reflect.TypeFor[V]())
	return Codec[V]{c, plain}, err
}

func (f StructField) codecFor(want reflect.Type) (codec, plainKind, error) {
	t := f.Type
	for t != want {
		switch {
		case isOpt(t):
			t = t.Field(0).Type
		case t.Kind() == reflect.Pointer:
			t = t.Elem()
		default:
			return nil, notPlain, fmt.Errorf("attr: %s is a %v, not a %v", f.Go, f.Type, want)
		}
	}
	c, err := codecFor(t, f.options)
	if err != nil {
		return nil, notPlain, err
	}
	switch resolve(c).(type) {
	case stringCodec:
		return c, plainText, nil
	case intCodec:
		return c, plainInt, nil
	}
	return c, notPlain, nil
}

// Kind is the type that is written; 0 if the value decides.
func (c Codec[V]) Kind() Kind { return c.codec.kind() }

// Value makes the Value of v; the zero Value if v is absent.
func (c Codec[V]) Value(v V) (Value, error) {
	switch c.plain {
	case plainText:
		return Text(reflect.ValueOf(&v).Elem().String()), nil
	case plainInt:
		return Num(Int(reflect.ValueOf(&v).Elem().Int())), nil
	}
	return marshalCopy(c.codec, v)
}

// marshalCopy is a function of its own so that v moves to the heap only where the codec wants it.
func marshalCopy[V any](c codec, v V) (Value, error) { return marshal(c, reflect.ValueOf(&v).Elem()) }

// Set sets into from a Value; NULL and the zero Value set the zero of V.
func (c Codec[V]) Set(into *V, from Value) error {
	return unmarshal(c.codec, from, reflect.ValueOf(into).Elem())
}
