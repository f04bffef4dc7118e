package attr

import "reflect"

// An ItemCodec writes and reads the items of one Go type that is known as a [reflect.Type] only: Encode, Decode,
// MarshalItem and UnmarshalItem without a type parameter. It is for packages whose own code is generic and should not be
// compiled for every type of their callers. The zero ItemCodec can not be used.
type ItemCodec struct {
	c     itemCodec
	apart bool
}

// ItemCodecOf is the codec of the items of a struct, a map with text keys, or a pointer to one; of other types it is a
// *PlanError.
func ItemCodecOf(t reflect.Type) (ItemCodec, error) {
	c, err := itemCodecFor(t)
	return ItemCodec{c: c}, err
}

// IsZero reports whether c is the zero ItemCodec.
func (c ItemCodec) IsZero() bool { return c.c == nil }

// Apart is the codec, but Decode gives every text and binary memory of its own: slower, for items of which little is kept for
// long.
func (c ItemCodec) Apart() ItemCodec { return ItemCodec{c.c, true} }

// Marshal is MarshalItem of v, which has the codec's type and is addressable.
func (c ItemCodec) Marshal(v reflect.Value) (Item, error) {
	e := borrowEncoder()
	defer e.giveBack()
	e.build = true
	if err := c.c.encodeMembers(e, v); err != nil {
		return Item{}, whole(err)
	}
	return Item{e.popFields(0)}, nil
}

// Unmarshal is UnmarshalItem into v, which has the codec's type and can be set.
func (c ItemCodec) Unmarshal(it Item, into reflect.Value) error {
	into.SetZero()
	if err := c.c.decodeMembers(into, it); err != nil {
		return whole(err)
	}
	return nil
}

// Encode is Encode of v, which has the codec's type and is addressable.
func (c ItemCodec) Encode(dst []byte, v reflect.Value) ([]byte, error) {
	e := borrowEncoder()
	defer e.giveBack()
	e.dst = append(dst, '{')
	if err := c.c.encodeMembers(e, v); err != nil {
		return dst, whole(err)
	}
	return append(e.dst, '}'), nil
}

// Decode is DecodeWhole into v, which has the codec's type and can be set.
func (c ItemCodec) Decode(item []byte, into reflect.Value) (whole bool, err error) {
	d := borrowDecoder(item)
	defer d.giveBack()
	if c.apart {
		d.strings = arena{apart: true}
	}
	err = c.from(d, into)
	if end := d.End(); end != nil {
		return false, end
	}
	return err == nil && !d.lacks, err
}

// from decodes the item that comes next.
func (c ItemCodec) from(d *Decoder, into reflect.Value) error {
	into.SetZero()
	start := d.mark()
	if err := c.c.streamMembers(d, into); err != nil && d.err == nil {
		d.rewind(start)
		d.Skip()
		return whole(err)
	}
	return d.err
}
