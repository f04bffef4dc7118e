package attr

import "reflect"

// Value makes the Value of a field's content, v, as its tag says; the zero Value if it is absent. It is what CodecOf does,
// for those who know types only by reflection. Of a StructField that has a Type and nothing else, v is a value by itself.
func (f StructField) Value(v reflect.Value) (Value, error) {
	if f.null && f.absent(v) {
		return Null(), nil
	}
	if f.Absent(v) {
		return Value{}, nil
	}
	c, err := f.codecOf()
	if err != nil {
		return Value{}, err
	}
	return marshal(c, v)
}

// Set sets a field's content, v, which must be settable, from a Value; NULL and the zero Value set its zero.
func (f StructField) Set(v reflect.Value, from Value) error {
	c, err := f.codecOf()
	if err != nil {
		return err
	}
	return unmarshal(c, from, v)
}

// Absent reports whether an attribute is not written if v is the field's content: of what Fields and Elem tell of, without
// writing it, but for types that say themselves how they are stored.
func (f StructField) Absent(v reflect.Value) bool {
	if f.absent != nil && f.absent(v) {
		return !f.null
	}
	c, err := f.codecOf()
	return err == nil && absentBy(c, v)
}

func (f StructField) codecOf() (codec, error) {
	if f.codec != nil {
		return f.codec, nil
	}
	return codecFor(f.Type, f.options)
}

// absentBy reports whether a codec writes nothing for v.
func absentBy(c codec, v reflect.Value) bool {
	switch c := resolve(c).(type) {
	case *pointerCodec:
		return v.IsNil() || absentBy(c.elem, v.Elem())
	case *optCodec:
		state := State(v.Field(1).Uint())
		return state == StateAbsent || state == StatePresent && absentBy(c.inner, v.Field(0))
	case bytesCodec, *listCodec:
		return v.Kind() == reflect.Slice && v.IsNil()
	case *mapCodec:
		return v.IsNil()
	case *setCodec:
		if n := v.Len(); n == 0 || !isNilable(v.Type().Elem().Kind()) {
			return n == 0
		}
	case *mapSetCodec, *interfaceCodec, customCodec, valueCodec:
	default:
		return false
	}
	x, err := marshal(c, v)
	return err == nil && x.IsZero()
}

func isNilable(k reflect.Kind) bool {
	return k == reflect.Pointer || k == reflect.Interface || k == reflect.Slice || k == reflect.Struct
}

// Held describes what a field holds through pointers and Opt, as Elem does elements; false if it is neither.
func (f StructField) Held() (StructField, bool) {
	t := held(f.Type)
	if t == f.Type {
		return f, false
	}
	c, err := codecFor(t, f.options)
	if err != nil {
		return f, false
	}
	return StructField{Go: f.Go, Type: t, Kind: c.kind(), Tag: f.Tag, options: f.options, codec: c}, true
}

// Written is the value of v as the field writes it, whether or not it leaves such a one out: what conditions compare with. ok
// is false if v's type is neither the field's nor, through pointers and Opt, what that holds.
func (f StructField) Written(v reflect.Value) (w Value, ok bool, err error) {
	c, _, err := f.codecFor(v.Type())
	if err != nil {
		return Value{}, false, nil
	}
	w, err = marshal(c, v)
	return w, true, err
}
