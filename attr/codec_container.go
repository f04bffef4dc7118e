package attr

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
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

// keyForm is how the keys of a map become names.
type keyForm uint8

const (
	stringKey keyForm = iota
	intKey
	uintKey
	textKey
)

// mapCodec stores maps as M; nil is absent. Elements that are absent are NULL, so that their keys are kept.
type mapCodec struct {
	key     keyForm
	elem    codec
	empty   emptiness // of elements
	isEmpty func(reflect.Value) bool
}

func (*mapCodec) kind() Kind { return KindM }

func (c *mapCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	if v.IsNil() {
		return false, nil
	}
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

func (c *mapCodec) encodeMembers(e *encoder, v reflect.Value) error {
	type entry struct {
		name  string
		value reflect.Value
	}
	entries := make([]entry, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		name, err := c.name(it.Key())
		if err != nil {
			return err
		}
		entries = append(entries, entry{name, it.Value()})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	for i, x := range entries {
		if i > 0 && x.name == entries[i-1].name {
			return in(x.name, fmt.Errorf("two keys of the map have this text"))
		}
		elem := c.elem
		if c.empty != emptyWritten && c.isEmpty(x.value) {
			if c.empty == emptyOmitted {
				continue
			}
			elem = nil
		}
		if err := e.entry(x.name, elem, x.value); err != nil {
			return in(x.name, err)
		}
	}
	return nil
}

func (c *mapCodec) name(key reflect.Value) (string, error) {
	switch c.key {
	case intKey:
		return strconv.FormatInt(key.Int(), 10), nil
	case uintKey:
		return strconv.FormatUint(key.Uint(), 10), nil
	case textKey:
		text, err := addressable(key).Addr().Interface().(encoding.TextMarshaler).MarshalText()
		return string(text), err
	}
	return key.String(), nil
}

func (c *mapCodec) setKey(key reflect.Value, name string) error {
	switch c.key {
	case intKey:
		n, err := strconv.ParseInt(name, 10, key.Type().Bits())
		if err != nil {
			return &FieldError{Err: fmt.Errorf("the name does not go into %v", key.Type())}
		}
		key.SetInt(n)
	case uintKey:
		n, err := strconv.ParseUint(name, 10, key.Type().Bits())
		if err != nil {
			return &FieldError{Err: fmt.Errorf("the name does not go into %v", key.Type())}
		}
		key.SetUint(n)
	case textKey:
		if err := key.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(name)); err != nil {
			return &FieldError{Err: err}
		}
	default:
		key.SetString(name)
	}
	return nil
}

func (c *mapCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindM {
		return mismatch(v, from)
	}
	return c.decodeMembers(v, from.Map())
}

func (c *mapCodec) decodeMembers(v reflect.Value, from Item) error {
	v.Set(reflect.MakeMapWithSize(v.Type(), from.Len()))
	for name, x := range from.All() {
		elem := reflect.New(v.Type().Elem()).Elem()
		if err := c.elem.decode(elem, x); err != nil {
			return in(name, err)
		}
		if err := c.insert(v, name, elem); err != nil {
			return in(name, err)
		}
	}
	return nil
}

func (c *mapCodec) insert(v reflect.Value, name string, elem reflect.Value) error {
	key := reflect.New(v.Type().Key()).Elem()
	if err := c.setKey(key, name); err != nil {
		return err
	}
	v.SetMapIndex(key, elem)
	return nil
}

func (c *mapCodec) stream(d *Decoder, v reflect.Value) error {
	if d.nextKind() != KindM {
		from, err := d.Value()
		if err != nil {
			return err
		}
		return c.decode(v, from)
	}
	d.openValue()
	if err := c.streamMembers(d, v); err != nil {
		return err
	}
	return d.closeValue()
}

func (c *mapCodec) streamMembers(d *Decoder, v reflect.Value) error {
	if !d.members() {
		return d.err
	}
	v.Set(reflect.MakeMap(v.Type()))
	for first := true; d.key(first); first = false {
		name := d.keep(d.quoted())
		if !d.colon() {
			break
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		if err := streamInto(c.elem, d, elem); err != nil {
			return in(name, err)
		}
		if err := c.insert(v, name, elem); err != nil {
			return in(name, err)
		}
	}
	return d.err
}

// rawItemCodec stores an Item as it is.
type rawItemCodec struct{}

func (rawItemCodec) kind() Kind { return KindM }

func (rawItemCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	value := Map(*addressable(v).Addr().Interface().(*Item))
	if e.depth+value.Depth() > MaxDepth {
		return false, ErrDepth
	}
	e.put(value)
	return true, nil
}

func (rawItemCodec) encodeMembers(e *encoder, v reflect.Value) error {
	it := *addressable(v).Addr().Interface().(*Item)
	if it.Depth() > MaxDepth {
		return ErrDepth
	}
	e.members(it)
	return nil
}

func (rawItemCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindM {
		return mismatch(v, from)
	}
	*v.Addr().Interface().(*Item) = from.Map()
	return nil
}

func (rawItemCodec) decodeMembers(v reflect.Value, from Item) error {
	*v.Addr().Interface().(*Item) = from
	return nil
}

func (rawItemCodec) streamMembers(d *Decoder, v reflect.Value) error {
	it, err := d.Item()
	if err != nil {
		return err
	}
	*v.Addr().Interface().(*Item) = it
	return nil
}
