package attr

import (
	"fmt"
	"reflect"
)

// listCodec stores slices and arrays as L; a nil slice is absent.
type listCodec struct {
	elem    codec
	empty   emptiness // of elements
	isEmpty func(reflect.Value) bool
}

func (*listCodec) kind() Kind { return KindL }

func (c *listCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		return false, nil
	}
	base, err := e.openList()
	if err != nil {
		return false, err
	}
	for i := range v.Len() {
		x, elem := v.Index(i), c.elem
		if c.empty != emptyWritten && c.isEmpty(x) {
			if c.empty == emptyOmitted {
				continue
			}
			elem = nil
		}
		if err := e.element(elem, x); err != nil {
			return false, inElement(i, err)
		}
	}
	e.closeList(base)
	return true, nil
}

// decode reads sets too: a list that was a set before, or is one elsewhere.
func (c *listCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindL && !from.IsSet() {
		return mismatch(v, from)
	}
	elems := from.Elems()
	if err := resize(v, len(elems)); err != nil {
		return err
	}
	for i, x := range elems {
		if err := c.elem.decode(v.Index(i), x); err != nil {
			return inElement(i, err)
		}
	}
	return nil
}

// resize makes room for n elements, all zero.
func resize(v reflect.Value, n int) error {
	switch {
	case v.Kind() != reflect.Slice:
		if n > v.Len() {
			return &FieldError{Err: fmt.Errorf("%d elements do not go into %v", n, v.Type())}
		}
		v.SetZero()
	case n == 0:
		v.Set(reflect.MakeSlice(v.Type(), 0, 0)) // not nil
	default:
		v.SetZero()
		v.Grow(n)
		v.SetLen(n)
	}
	return nil
}

func (c *listCodec) stream(d *Decoder, v reflect.Value) error {
	if v.Kind() == reflect.Array || d.nextKind() != KindL {
		from, err := d.Value()
		if err != nil {
			return err
		}
		d.lacks = true
		return c.decode(v, from)
	}
	d.openValue()
	if !d.array() {
		return d.err
	}
	v.SetZero()
	n := 0
	for ; d.elem(n == 0); n++ {
		if n == v.Cap() {
			v.Grow(max(4, n))
		}
		v.SetLen(n + 1)
		if err := streamInto(c.elem, d, v.Index(n)); err != nil {
			return inElement(n, err)
		}
	}
	if n == 0 {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0)) // not nil
	}
	return d.closeValue()
}

// setCodec stores slices and arrays as sets; an empty one is absent, since DynamoDB has no empty sets.
type setCodec struct {
	elem codec
	set  Kind
}

func (c *setCodec) kind() Kind { return c.set }

func (c *setCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	base := len(e.values)
	for i := range v.Len() {
		if err := c.push(e, v.Index(i)); err != nil {
			return false, inElement(i, err)
		}
	}
	return e.set(c.set, base), nil
}

// push leaves an element on the encoder's stack.
func (c *setCodec) push(e *encoder, v reflect.Value) error {
	x, written, err := e.valueOf(c.elem, v)
	if written {
		e.values = append(e.values, x)
	}
	return err
}

// decode reads lists too: a set that was a list before.
func (c *setCodec) decode(v reflect.Value, from Value) error {
	if from.kind != c.set && from.kind != KindL {
		return mismatch(v, from)
	}
	elems := from.Elems()
	if err := resize(v, len(elems)); err != nil {
		return err
	}
	for i, x := range elems {
		if err := c.elem.decode(v.Index(i), x); err != nil {
			return inElement(i, err)
		}
	}
	return nil
}

// mapSetCodec stores maps to struct{} or bool as sets of their keys.
type mapSetCodec struct{ setCodec }

func (c *mapSetCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	base := len(e.values)
	for it := v.MapRange(); it.Next(); {
		if it.Value().Kind() == reflect.Bool && !it.Value().Bool() {
			continue
		}
		if err := c.push(e, it.Key()); err != nil {
			return false, err
		}
	}
	return e.set(c.set, base), nil
}

func (c *mapSetCodec) decode(v reflect.Value, from Value) error {
	if from.kind != c.set && from.kind != KindL {
		return mismatch(v, from)
	}
	t := v.Type()
	v.Set(reflect.MakeMapWithSize(t, len(from.Elems())))
	there := reflect.New(t.Elem()).Elem()
	if there.Kind() == reflect.Bool {
		there.SetBool(true)
	}
	for i, x := range from.Elems() {
		key := reflect.New(t.Key()).Elem()
		if err := c.elem.decode(key, x); err != nil {
			return inElement(i, err)
		}
		v.SetMapIndex(key, there)
	}
	return nil
}
