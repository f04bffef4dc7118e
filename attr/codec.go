package attr

import (
	"fmt"
	"reflect"
)

// Marshaler is implemented by types that say themselves how they are stored. MarshalValue must not keep or change the
// receiver; the zero Value means that the attribute is absent.
//
// A type that has neither this nor the methods of encoding.TextMarshaler and TextUnmarshaler, which make it an S, is
// stored by its Go kind.
type Marshaler interface {
	MarshalValue() (Value, error)
}

// Unmarshaler is the reverse of Marshaler, with a pointer receiver. It is not called for an absent attribute, but it is
// for NULL.
type Unmarshaler interface {
	UnmarshalValue(Value) error
}

// A PlanError says that a Go type can not be stored: a kind that has no attribute type, or tags that contradict.
type PlanError struct {
	Type   reflect.Type
	Field  string // the Go name of the field at fault, "" if it is the type as a whole
	Reason string
}

// Error names type, field and reason.
func (e *PlanError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("attr: %v: %s", e.Type, e.Reason)
	}
	return fmt.Sprintf("attr: %v.%s: %s", e.Type, e.Field, e.Reason)
}

// A FieldError says which attribute could not be written or read. Its text never tells the attribute's value, unless an
// error of the type's own methods does.
type FieldError struct {
	Path string // by attribute names: "lines[2].qty"; "" for the value as a whole
	Err  error  // the reason; it may hold the value, as a *NumberError or *ValueError does
}

// Error tells the path and the reason.
func (e *FieldError) Error() string {
	reason := e.Err.Error()
	switch err := e.Err.(type) {
	case *NumberError:
		reason = err.Reason.Error()
	case *ValueError:
		reason = err.Check.String()
	}
	if e.Path == "" {
		return "attr: " + reason
	}
	return "attr: " + e.Path + ": " + reason
}

// Unwrap is the reason.
func (e *FieldError) Unwrap() error { return e.Err }

// whole makes a *FieldError of an error that has not come through a field.
func whole(err error) error {
	if _, ok := err.(*FieldError); ok {
		return err
	}
	return &FieldError{Err: err}
}

// in puts a step before the path of an error on its way up: a name or an index in brackets.
func in(step string, err error) error {
	f, ok := err.(*FieldError)
	switch {
	case !ok:
		return &FieldError{Path: step, Err: err}
	case f.Path == "":
		f.Path = step
	case f.Path[0] == '[':
		f.Path = step + f.Path
	default:
		f.Path = step + "." + f.Path
	}
	return f
}

func inElement(i int, err error) error { return in(fmt.Sprintf("[%d]", i), err) }

// mismatch is what comes of a value of another type than v can hold: zero from NULL, else an error.
func mismatch(v reflect.Value, from Value) error {
	if from.kind == KindNULL || from.kind == 0 {
		v.SetZero()
		return nil
	}
	return &FieldError{Err: fmt.Errorf("type %v does not go into %v", from.kind, v.Type())}
}

// A codec writes and reads one Go type. It is made once per type and set of options, and is safe for concurrent use.
type codec interface {
	// encode writes v, or nothing, which it reports, if v is absent.
	encode(e *encoder, v reflect.Value) (written bool, err error)
	// decode sets v, which is addressable. It keeps nothing of what was in v.
	decode(v reflect.Value, from Value) error
	// kind is the type that is written; 0 if the value decides.
	kind() Kind
}

// A streamer is a codec that reads large things from JSON without building a Value first.
type streamer interface {
	stream(d *Decoder, v reflect.Value) error
}

// An itemCodec is a codec whose values can be whole items: the members of an M without the M.
type itemCodec interface {
	codec
	encodeMembers(e *encoder, v reflect.Value) error
	decodeMembers(v reflect.Value, from Item) error
	streamMembers(d *Decoder, v reflect.Value) error
}

// streamInto reads the attribute value that comes next.
func streamInto(c codec, d *Decoder, v reflect.Value) error {
	if s, ok := resolve(c).(streamer); ok {
		return s.stream(d, v)
	}
	from, err := d.Value()
	if err != nil {
		return err
	}
	d.lacks = d.lacks || from.kind == KindNULL
	return c.decode(v, from)
}

// Marshal makes the Value of any Go value: the zero Value if v is absent (a nil pointer, slice or map, an empty set, an
// absent Opt). Texts are shared with v.
func Marshal[T any](v T) (Value, error) {
	c, err := codecFor(reflect.TypeFor[T](), options{})
	if err != nil {
		return Value{}, err
	}
	return marshal(c, reflect.ValueOf(&v).Elem())
}

func marshal(c codec, v reflect.Value) (Value, error) {
	e := borrowEncoder()
	defer e.giveBack()
	value, _, err := e.valueOf(c, v)
	if err != nil {
		return Value{}, whole(err)
	}
	return value, nil
}

// Unmarshal sets into, whatever it held before, from a Value. NULL and the zero Value set the zero of T. Texts are shared
// with v.
func Unmarshal[T any](v Value, into *T) error {
	c, err := codecFor(reflect.TypeFor[T](), options{})
	if err != nil {
		return err
	}
	return unmarshal(c, v, reflect.ValueOf(into).Elem())
}

func unmarshal(c codec, from Value, v reflect.Value) error {
	v.SetZero()
	if from.IsZero() {
		return nil
	}
	if err := c.decode(v, from); err != nil {
		return whole(err)
	}
	return nil
}

// MarshalItem makes the item of a struct, a map with text keys, or a pointer to one. Texts are shared with v.
func MarshalItem[T any](v *T) (Item, error) {
	c, err := ItemCodecOf(reflect.TypeFor[T]())
	if err != nil {
		return Item{}, err
	}
	return c.Marshal(reflect.ValueOf(v).Elem())
}

// UnmarshalItem sets into, whatever it held before, from an item. Attributes that T has no field for are passed over,
// unless a field takes the rest; fields without an attribute are zero. Texts are shared with it.
func UnmarshalItem[T any](it Item, into *T) error {
	c, err := ItemCodecOf(reflect.TypeFor[T]())
	if err != nil {
		return err
	}
	return c.Unmarshal(it, reflect.ValueOf(into).Elem())
}

// Encode appends the item of a struct, a map with text keys, or a pointer to one, in DynamoDB JSON, to dst: the same text
// as AppendItem of MarshalItem, without the item. After an error, dst is returned as it was.
func Encode[T any](dst []byte, v *T) ([]byte, error) {
	c, err := ItemCodecOf(reflect.TypeFor[T]())
	if err != nil {
		return dst, err
	}
	return c.Encode(dst, reflect.ValueOf(v).Elem())
}

// Decode sets into, whatever it held before, from an item in DynamoDB JSON, as UnmarshalItem of ParseItem would, without
// the item: attributes that T does not have are checked to be JSON and passed over. The texts of into share a buffer, also
// with those of items read before and after, but not item; one of them, kept, may keep up to 8 KB alive.
func Decode[T any](item []byte, into *T) error {
	_, err := DecodeWhole(item, into)
	return err
}

// DecodeWhole is Decode that also reports whether certainly all attributes that T always writes were there, at every level,
// and none of them NULL. It may say no of an item that has them all, in forms that are rare.
func DecodeWhole[T any](item []byte, into *T) (whole bool, err error) {
	c, err := ItemCodecOf(reflect.TypeFor[T]())
	if err != nil {
		return false, err
	}
	return c.Decode(item, reflect.ValueOf(into).Elem())
}

// DecodeFrom is Decode for the item that comes next in a longer text. The error is d's if it has one, or else a
// *FieldError, after which d stands behind the item and reading can go on.
func DecodeFrom[T any](d *Decoder, into *T) error {
	c, err := ItemCodecOf(reflect.TypeFor[T]())
	if err != nil {
		return err
	}
	return c.from(d, reflect.ValueOf(into).Elem())
}
