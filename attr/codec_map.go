package attr

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

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
		d.lacks = true
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
