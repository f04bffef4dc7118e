package attr

import (
	"fmt"
	"reflect"
)

// pointerCodec: nil is absent.
type pointerCodec struct{ elem codec }

func (c *pointerCodec) kind() Kind { return c.elem.kind() }

func (c *pointerCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	if v.IsNil() {
		return false, nil
	}
	return c.elem.encode(e, v.Elem())
}

func (c *pointerCodec) decode(v reflect.Value, from Value) error {
	if from.kind == KindNULL {
		v.SetZero()
		return nil
	}
	v.Set(reflect.New(v.Type().Elem()))
	return c.elem.decode(v.Elem(), from)
}

func (c *pointerCodec) stream(d *Decoder, v reflect.Value) error {
	if d.nextKind() == KindNULL {
		_, err := d.Value()
		return err
	}
	v.Set(reflect.New(v.Type().Elem()))
	return streamInto(c.elem, d, v.Elem())
}

func (c *pointerCodec) plain(d *Decoder, i int, v reflect.Value) int {
	elem, ok := c.elem.(plainCodec)
	if !ok {
		return -1
	}
	v.Set(reflect.New(v.Type().Elem()))
	return elem.plain(d, i, v.Elem())
}

func (c *pointerCodec) item() (itemCodec, error) {
	if i, ok := resolve(c.elem).(itemCodec); ok && i.kind() == KindM {
		return i, nil
	}
	return nil, fmt.Errorf("points to what is no item")
}

func (c *pointerCodec) encodeMembers(e *encoder, v reflect.Value) error {
	i, err := c.item()
	if err != nil {
		return err
	}
	if v.IsNil() {
		return fmt.Errorf("a nil pointer is no item")
	}
	return i.encodeMembers(e, v.Elem())
}

func (c *pointerCodec) decodeMembers(v reflect.Value, from Item) error {
	i, err := c.item()
	if err != nil {
		return err
	}
	v.Set(reflect.New(v.Type().Elem()))
	return i.decodeMembers(v.Elem(), from)
}

func (c *pointerCodec) streamMembers(d *Decoder, v reflect.Value) error {
	i, err := c.item()
	if err != nil {
		return err
	}
	v.Set(reflect.New(v.Type().Elem()))
	return i.streamMembers(d, v.Elem())
}

// optCodec keeps absent, NULL and value apart.
type optCodec struct{ inner codec }

func (c *optCodec) kind() Kind { return c.inner.kind() }

func (c *optCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	switch State(v.Field(1).Uint()) {
	case StateAbsent:
		return false, nil
	case StateNull:
		e.null()
		return true, nil
	}
	return c.inner.encode(e, v.Field(0))
}

func (c *optCodec) decode(v reflect.Value, from Value) error {
	v.SetZero()
	if from.kind == KindNULL {
		v.Field(1).SetUint(uint64(StateNull))
		return nil
	}
	v.Field(1).SetUint(uint64(StatePresent))
	return c.inner.decode(v.Field(0), from)
}

func (c *optCodec) stream(d *Decoder, v reflect.Value) error {
	if d.nextKind() == KindNULL {
		v.Field(1).SetUint(uint64(StateNull))
		_, err := d.Value()
		return err
	}
	v.Field(1).SetUint(uint64(StatePresent))
	return streamInto(c.inner, d, v.Field(0))
}

func (c *optCodec) plain(d *Decoder, i int, v reflect.Value) int {
	inner, ok := c.inner.(plainCodec)
	if !ok {
		return -1
	}
	v.Field(1).SetUint(uint64(StatePresent))
	return inner.plain(d, i, v.Field(0))
}

// interfaceCodec writes what is in an interface by its own type. It reads into interfaces without methods only.
type interfaceCodec struct{}

func (*interfaceCodec) kind() Kind { return 0 }

func (*interfaceCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	if v.IsNil() {
		return false, nil
	}
	c, err := codecFor(v.Elem().Type(), options{})
	if err != nil {
		return false, err
	}
	return c.encode(e, v.Elem())
}

func (*interfaceCodec) decode(v reflect.Value, from Value) error {
	x := plainGo(from)
	if x == nil {
		v.SetZero()
		return nil
	}
	if v.NumMethod() > 0 {
		return mismatch(v, from)
	}
	v.Set(reflect.ValueOf(x))
	return nil
}

// plainGo is what any holds after reading: string, Number, []byte, bool, nil, map[string]any, []any. A set stays a Value,
// as a slice of its elements would be written back as a list.
func plainGo(v Value) any {
	switch v.kind {
	case KindS:
		return v.str
	case KindN:
		return v.Number()
	case KindB:
		return v.Bytes()
	case KindBOOL:
		return v.flag
	case KindM:
		m := make(map[string]any, v.Map().Len())
		for name, e := range v.Map().All() {
			m[name] = plainGo(e)
		}
		return m
	case KindL:
		l := make([]any, len(v.Elems()))
		for i, e := range v.Elems() {
			l[i] = plainGo(e)
		}
		return l
	case KindSS, KindNS, KindBS:
		return v
	}
	return nil
}
