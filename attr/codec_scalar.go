package attr

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"time"
)

type boolCodec struct{}

func (boolCodec) kind() Kind { return KindBOOL }

func (boolCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	e.put(Bool(v.Bool()))
	return true, nil
}

func (boolCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindBOOL {
		return mismatch(v, from)
	}
	v.SetBool(from.flag)
	return nil
}

func (boolCodec) plain(d *Decoder, i int, v reflect.Value) int {
	for _, word := range [...]string{"true", "false"} {
		if len(d.data)-i >= len(word) && string(d.data[i:i+len(word)]) == word {
			v.SetBool(word == "true")
			return i + len(word)
		}
	}
	return -1
}

type intCodec struct{}

func (intCodec) kind() Kind { return KindN }

func (intCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	e.int(v.Int())
	return true, nil
}

func (intCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindN {
		return mismatch(v, from)
	}
	n, err := strconv.ParseInt(from.str, 10, v.Type().Bits())
	if err != nil {
		return notIn(v)
	}
	v.SetInt(n)
	return nil
}

func (intCodec) plain(d *Decoder, i int, v reflect.Value) int {
	n, end := digitsAt(d.data, i)
	if end < 0 || v.OverflowInt(n) {
		return -1
	}
	v.SetInt(n)
	return end
}

type uintCodec struct{}

func (uintCodec) kind() Kind { return KindN }

func (uintCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	e.uint(v.Uint())
	return true, nil
}

func (uintCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindN {
		return mismatch(v, from)
	}
	n, err := strconv.ParseUint(from.str, 10, v.Type().Bits())
	if err != nil {
		return notIn(v)
	}
	v.SetUint(n)
	return nil
}

func (uintCodec) plain(d *Decoder, i int, v reflect.Value) int {
	n, end := digitsAt(d.data, i)
	if end < 0 || n < 0 || v.OverflowUint(uint64(n)) {
		return -1
	}
	v.SetUint(uint64(n))
	return end
}

// notIn says that a number has decimals or is too large, without telling it.
func notIn(v reflect.Value) error {
	return &FieldError{Err: fmt.Errorf("the number does not fit into %v", v.Type())}
}

type floatCodec struct{ bits int }

func (floatCodec) kind() Kind { return KindN }

func (c floatCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	return true, e.float(v.Float(), c.bits)
}

func (c floatCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindN {
		return mismatch(v, from)
	}
	f, err := strconv.ParseFloat(from.str, c.bits)
	if err != nil { // a float32 does not reach as far as a Number
		return notIn(v)
	}
	v.SetFloat(f)
	return nil
}

func (c floatCodec) plain(d *Decoder, i int, v reflect.Value) int {
	text, end := textAt(d.data, i)
	if end < 0 || !isNormal(text) {
		return -1
	}
	f, err := strconv.ParseFloat(lent(text), c.bits)
	if err != nil {
		return -1
	}
	v.SetFloat(f)
	return end
}

type stringCodec struct{}

func (stringCodec) kind() Kind { return KindS }

func (stringCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	e.text(v.String())
	return true, nil
}

func (stringCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindS {
		return mismatch(v, from)
	}
	v.SetString(from.str)
	return nil
}

func (stringCodec) plain(d *Decoder, i int, v reflect.Value) int {
	text, end := textAt(d.data, i)
	if end > 0 {
		v.SetString(d.keep(text))
	}
	return end
}

// bytesCodec stores slices and arrays of bytes as B; nil is absent.
type bytesCodec struct{}

func (bytesCodec) kind() Kind { return KindB }

func (bytesCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	if v.Kind() == reflect.Slice {
		if v.IsNil() {
			return false, nil
		}
	} else {
		v = addressable(v)
	}
	e.binary(v.Bytes())
	return true, nil
}

func (bytesCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindB {
		return mismatch(v, from)
	}
	if v.Kind() == reflect.Array {
		if len(from.str) != v.Len() {
			return &FieldError{Err: fmt.Errorf("%d bytes do not go into %v", len(from.str), v.Type())}
		}
		copy(v.Bytes(), from.str)
		return nil
	}
	v.SetBytes([]byte(from.str))
	return nil
}

type numberCodec struct{}

func (numberCodec) kind() Kind { return KindN }

func (numberCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	e.put(Num(*addressable(v).Addr().Interface().(*Number)))
	return true, nil
}

func (numberCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindN {
		return mismatch(v, from)
	}
	*v.Addr().Interface().(*Number) = from.Number()
	return nil
}

func (numberCodec) plain(d *Decoder, i int, v reflect.Value) int {
	text, end := textAt(d.data, i)
	if end < 0 || !isNormal(text) {
		return -1
	}
	*v.Addr().Interface().(*Number) = number(d.keep(text))
	return end
}

// jsonNumberCodec stores encoding/json's text of a number as N.
type jsonNumberCodec struct{}

func (jsonNumberCodec) kind() Kind { return KindN }

func (jsonNumberCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	n, err := ParseNumber(v.String())
	if err != nil {
		return false, err
	}
	e.put(Num(n))
	return true, nil
}

func (jsonNumberCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindN {
		return mismatch(v, from)
	}
	v.Set(reflect.ValueOf(json.Number(from.str)))
	return nil
}

// bigIntCodec stores math/big's integers as N, up to the 38 digits that fit. As text, which they would be by their methods,
// they would not sort.
type bigIntCodec struct{}

func (bigIntCodec) kind() Kind { return KindN }

func (bigIntCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	n, err := ParseNumber(addressable(v).Addr().Interface().(*big.Int).String())
	if err != nil {
		return false, err
	}
	e.put(Num(n))
	return true, nil
}

func (bigIntCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindN {
		return mismatch(v, from)
	}
	if _, ok := v.Addr().Interface().(*big.Int).SetString(from.str, 10); !ok {
		v.SetZero()
		return notIn(v)
	}
	return nil
}

// quotedCodec stores numbers as S, for the option string of package attributevalue.
type quotedCodec struct{ inner codec }

func (quotedCodec) kind() Kind { return KindS }

func (c quotedCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	n, _, err := e.valueOf(c.inner, v)
	if err != nil {
		return false, err
	}
	e.text(n.str)
	return true, nil
}

func (c quotedCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindS {
		return mismatch(v, from)
	}
	n, err := ParseNumber(from.str)
	if err != nil {
		return &FieldError{Err: err}
	}
	return c.inner.decode(v, Num(n))
}

// timeCodec stores times.
type timeCodec struct{ form timeForm }

// timeIn is the time in v, which may be of a type made of time.Time.
func timeIn(v reflect.Value) *time.Time {
	if v.Type() != timeType {
		return v.Addr().Convert(reflect.TypeFor[*time.Time]()).Interface().(*time.Time)
	}
	return v.Addr().Interface().(*time.Time)
}

// isoLayout has a fixed width, so that texts sort as times do. It holds milliseconds.
const isoLayout = "2006-01-02T15:04:05.000Z"

func (c timeCodec) kind() Kind {
	if c.form == timeSeconds || c.form == timeMillis {
		return KindN
	}
	return KindS
}

func (c timeCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	t := *timeIn(addressable(v))
	switch c.form {
	case timeSeconds:
		e.int(t.Unix())
		return true, nil
	case timeMillis:
		e.int(t.UnixMilli())
		return true, nil
	}
	layout := time.RFC3339Nano
	if c.form == timeISO {
		t = t.UTC()
		layout = isoLayout
	}
	if y := t.Year(); y < 0 || y > 9999 {
		return false, fmt.Errorf("a year that does not have four digits can not be stored as text")
	}
	if e.build {
		e.put(Text(t.Format(layout)))
		return true, nil
	}
	e.dst = append(e.dst, `{"S":"`...)
	e.dst = t.AppendFormat(e.dst, layout) // nothing in it needs an escape
	e.dst = append(e.dst, '"', '}')
	return true, nil
}

// decode reads any RFC 3339 time of an S, and the number of the form's unit of an N.
func (c timeCodec) decode(v reflect.Value, from Value) error {
	if from.kind != c.kind() {
		return mismatch(v, from)
	}
	var t time.Time
	switch c.form {
	case timeSeconds, timeMillis:
		n, ok := from.Number().Int64()
		if !ok {
			return notIn(v)
		}
		t = c.since(n)
	default:
		var err error
		if t, err = c.parse(from.str); err != nil {
			return &FieldError{Err: fmt.Errorf("the text is no time such as 2006-01-02T15:04:05.000Z")}
		}
	}
	*timeIn(v) = t
	return nil
}

func (c timeCodec) plain(d *Decoder, i int, v reflect.Value) int {
	if c.kind() == KindN {
		n, end := digitsAt(d.data, i)
		if end > 0 {
			*timeIn(v) = c.since(n)
		}
		return end
	}
	text, end := textAt(d.data, i)
	if end < 0 {
		return -1
	}
	t, err := c.parse(lent(text))
	if err != nil {
		return -1
	}
	*timeIn(v) = t
	return end
}

// parse is the time of a text; nothing of that is kept but in an error.
func (c timeCodec) parse(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if c.form == timeISO {
		t = t.UTC()
	}
	return t, err
}

// since is the time of a number.
func (c timeCodec) since(n int64) time.Time {
	if c.form == timeSeconds {
		return time.Unix(n, 0).UTC()
	}
	return time.UnixMilli(n).UTC()
}

// textCodec stores types that write and read themselves as text.
type textCodec struct{}

func (textCodec) kind() Kind { return KindS }

func (textCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	text, err := addressable(v).Addr().Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return false, err
	}
	e.text(string(text))
	return true, nil
}

func (textCodec) decode(v reflect.Value, from Value) error {
	if from.kind != KindS {
		return mismatch(v, from)
	}
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(from.str)); err != nil {
		return &FieldError{Err: err}
	}
	return nil
}

// customCodec calls the methods of Marshaler and Unmarshaler; a type that has only one is stored by its kind in the other
// direction.
type customCodec struct {
	marshals, unmarshals bool
	other                codec
}

func (c customCodec) kind() Kind { return 0 }

func (c customCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	if !c.marshals {
		return c.other.encode(e, v)
	}
	value, err := addressable(v).Addr().Interface().(Marshaler).MarshalValue()
	if err != nil || value.IsZero() {
		return false, err
	}
	if e.depth+value.Depth() > MaxDepth {
		return false, ErrDepth
	}
	e.put(value)
	return true, nil
}

func (c customCodec) decode(v reflect.Value, from Value) error {
	if !c.unmarshals {
		return c.other.decode(v, from)
	}
	if err := v.Addr().Interface().(Unmarshaler).UnmarshalValue(from); err != nil {
		return &FieldError{Err: err}
	}
	return nil
}

// valueCodec stores a Value as it is; the zero Value is absent.
type valueCodec struct{}

func (valueCodec) kind() Kind { return 0 }

func (valueCodec) encode(e *encoder, v reflect.Value) (bool, error) {
	value := *addressable(v).Addr().Interface().(*Value)
	if value.IsZero() {
		return false, nil
	}
	if e.depth+value.Depth() > MaxDepth {
		return false, ErrDepth
	}
	e.put(value)
	return true, nil
}

func (valueCodec) decode(v reflect.Value, from Value) error {
	*v.Addr().Interface().(*Value) = from
	return nil
}
