package keys

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// Codec writes a logical value as text, a part of a key or a whole one. Codecs are comparable values; the zero Codec is
// none and refuses every value. Use ParseCodec or the variables of this package.
type Codec struct {
	base             base
	inverted         bool
	digits, decimals uint8  // of pad
	signed           bool   // of pad: a digit before it says the sign
	shards           uint16 // of hash
	every            uint8  // of minutes and hours: how many make a bucket
}

type base uint8

const (
	noBase base = iota
	text
	raw
	lower
	iso
	ms13
	epochMS
	epochS
	hour
	day
	month
	pad
	hash
	minutes
	hours
)

var baseNames = [...]string{"", "text", "raw", "lower", "iso", "ms13", "epoch-ms", "epoch-s", "hour", "day", "month", "pad", "shard", "minutes", "hours"}

// The codecs without parameters. See the table of the package.
var (
	TextCodec    = Codec{base: text}
	RawCodec     = Codec{base: raw}
	LowerCodec   = Codec{base: lower}
	ISOCodec     = Codec{base: iso}
	MS13Codec    = Codec{base: ms13}
	EpochMSCodec = Codec{base: epochMS}
	EpochSCodec  = Codec{base: epochS}
	HourCodec    = Codec{base: hour}
	DayCodec     = Codec{base: day}
	MonthCodec   = Codec{base: month}
)

// Pad is the codec padN or, with decimals, padN.M. It panics unless digits is 1 to 38, decimals is not negative and
// both together are at most 38, the precision of a number.
func Pad(digits, decimals int) Codec {
	if digits < 1 || decimals < 0 || digits+decimals > attr.MaxDigits {
		panic(fmt.Sprintf("keys: Pad(%d, %d): 1 to %d digits in all", digits, decimals, attr.MaxDigits))
	}
	return Codec{base: pad, digits: uint8(digits), decimals: uint8(decimals)}
}

// Signed is the codec signedN or, with decimals, signedN.M, under the same terms as Pad: what Pad writes behind a 1,
// and of a negative number the digits inverted behind a 0, so that it sorts before those that are not negative, and by
// value.
func Signed(digits, decimals int) Codec {
	c := Pad(digits, decimals)
	c.signed = true
	return c
}

// Minutes is the codec minutesN: the bucket of n minutes that a moment lies in, by its beginning, 2026-11-21T09:30. It
// panics unless n divides an hour and is less.
func Minutes(n int) Codec {
	if n < 1 || n >= 60 || 60%n != 0 {
		panic(fmt.Sprintf("keys: Minutes(%d): what divides an hour", n))
	}
	return Codec{base: minutes, every: uint8(n)}
}

// Hours is the codec hoursN: the bucket of n hours that a moment lies in, by its beginning, 2026-11-21T06. It panics
// unless n divides a day and is more than 1 and less than 24.
func Hours(n int) Codec {
	if n < 2 || n >= 24 || 24%n != 0 {
		panic(fmt.Sprintf("keys: Hours(%d): what divides a day", n))
	}
	return Codec{base: hours, every: uint8(n)}
}

// Inverted is the codec with every digit d written as 9-d, so that it sorts in reverse; false if c is none of iso,
// ms13, pad, signed and day, or is inverted already. Inverted, day takes dates only, which it writes each in a way of
// its own.
func (c Codec) Inverted() (Codec, bool) {
	if c.inverted || c.base != iso && c.base != ms13 && c.base != pad && c.base != day {
		return Codec{}, false
	}
	c.inverted = true
	return c, true
}

// ParseCodec reads a codec as it stands in a template after the path: "text", "pad10.2", "iso:inverted".
func ParseCodec(s string) (Codec, error) {
	name, modifier, modified := strings.Cut(s, ":")
	c, err := parseBase(name)
	if err != nil || !modified {
		return c, err
	}
	if modifier != "inverted" {
		return Codec{}, fmt.Errorf("keys: after codec %s only inverted can follow, not %q", name, modifier)
	}
	inverted, ok := c.Inverted()
	if !ok {
		return Codec{}, fmt.Errorf("keys: codec %s cannot be inverted: only iso, ms13, pad, signed and day can", name)
	}
	return inverted, nil
}

func parseBase(name string) (Codec, error) {
	for b := text; b < pad; b++ {
		if name == baseNames[b] {
			return Codec{base: b}, nil
		}
	}
	if size, ok := strings.CutPrefix(name, "minutes"); ok {
		if n, ok := smallNumber(size); ok && n < 60 && 60%n == 0 {
			return Minutes(n), nil
		}
		return Codec{}, fmt.Errorf("keys: codec %q: minutes takes a number that divides 60, such as minutes15", name)
	}
	if size, ok := strings.CutPrefix(name, "hours"); ok {
		if n, ok := smallNumber(size); ok && n > 1 && n < 24 && 24%n == 0 {
			return Hours(n), nil
		}
		return Codec{}, fmt.Errorf("keys: codec %q: hours takes a number that divides 24, such as hours6", name)
	}
	size, isPad := strings.CutPrefix(name, "pad")
	signed := false
	if !isPad {
		if size, signed = strings.CutPrefix(name, "signed"); !signed {
			return Codec{}, fmt.Errorf("keys: unknown codec %q", name)
		}
	}
	whole, fraction, hasFraction := strings.Cut(size, ".")
	digits, ok := smallNumber(whole)
	decimals, okDecimals := 0, true
	if hasFraction {
		decimals, okDecimals = smallNumber(fraction)
	}
	if !ok || !okDecimals || digits+decimals > attr.MaxDigits {
		which := "pad"
		if signed {
			which = "signed"
		}
		return Codec{}, fmt.Errorf("keys: codec %q: %s takes the number of digits, such as %[2]s10 or %[2]s10.2, at most %d in all", name, which, attr.MaxDigits)
	}
	if signed {
		return Signed(digits, decimals), nil
	}
	return Pad(digits, decimals), nil
}

// smallNumber reads 1 to 38 without leading zeros, so that a codec has one spelling.
func smallNumber(s string) (int, bool) {
	if s == "" || len(s) > 2 || s[0] < '1' || s[0] > '9' {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n <= attr.MaxDigits
}

// String is the codec as ParseCodec reads it; "" for the zero Codec, and for that of Shards a name that ParseCodec does
// not read.
func (c Codec) String() string {
	s := baseNames[c.base]
	if c.base == pad {
		if c.signed {
			s = "signed"
		}
		s += strconv.Itoa(int(c.digits))
		if c.decimals > 0 {
			s += "." + strconv.Itoa(int(c.decimals))
		}
	}
	if c.base == hash {
		s += strconv.Itoa(int(c.shards))
	}
	if c.every > 0 {
		s += strconv.Itoa(int(c.every))
	}
	if c.inverted {
		s += ":inverted"
	}
	return s
}

// Type is the logical type of a value, as far as codecs tell types apart.
type Type uint8

// The logical types that codecs write.
const (
	String    Type = iota + 1 // S
	Number                    // N
	Timestamp                 // S as 2026-11-21T09:04:00.000Z
	Date                      // S as 2026-11-21
)

// Takes reports whether the codec writes values of a type.
func (c Codec) Takes(t Type) bool {
	switch c.base {
	case text, raw:
		return t == String || t == Date
	case lower:
		return t == String
	case iso, ms13, epochMS, epochS, hour, minutes, hours:
		return t == Timestamp
	case day, month:
		return t == Timestamp && !c.inverted || t == Date
	case pad:
		return t == Number
	case hash:
		return t >= String && t <= Date
	}
	return false
}

// Order is what the order of the written texts, as UTF-8 bytes (of numbers: by value), says about the order of values:
// strings as UTF-8 bytes, numbers and times by value.
type Order uint8

// The orders.
const (
	NoOrder  Order = iota // nothing
	Same                  // a < b exactly if written a < written b
	Reversed              // a < b exactly if written a > written b
	Weakly                // a < b only if written a <= written b: several values are written alike
)

// String is "none", "same", "reversed" or "weakly".
func (o Order) String() string { return [...]string{"none", "same", "reversed", "weakly"}[o] }

// Order is the codec's order.
func (c Codec) Order() Order {
	switch {
	case c.inverted:
		return Reversed
	case c.base == lower, c.base == hash, c.base == noBase:
		return NoOrder
	case c.base == epochS, c.Bucketed():
		return Weakly
	}
	return Same
}

// ReadsBack reports whether Decode gives the value again, whatever it was.
func (c Codec) ReadsBack() bool { return c.Order() == Same || c.Order() == Reversed }

// KeepsPrefix reports whether the written text of a begins with that of b exactly if a begins with b.
func (c Codec) KeepsPrefix() bool { return c.base == text || c.base == raw }

// Numeric reports whether the codec writes a number, for an N attribute of its own.
func (c Codec) Numeric() bool { return c.base == epochMS || c.base == epochS }

// Append writes v behind dst. An error says that v is not of a type the codec takes, or does not fit; it does not show
// the value.
func (c Codec) Append(dst []byte, v attr.Value) ([]byte, error) {
	switch c.base {
	case text, raw, lower:
		if v.Kind() != attr.KindS {
			return dst, c.refuse("takes a string")
		}
		return c.appendText(dst, v.Str()), nil
	case pad:
		if v.Kind() != attr.KindN {
			return dst, c.refuse("takes a number")
		}
		return c.appendPad(dst, v.Str())
	case hash:
		if k := v.Kind(); k != attr.KindS && k != attr.KindN && k != attr.KindB {
			return dst, c.refuse("takes a string, number or binary")
		}
		s := Shards{Of: int(c.shards)}
		return s.Append(dst, s.Hash(v))
	case noBase:
		return dst, fmt.Errorf("keys: no codec")
	}
	return c.appendTime(dst, v)
}

// Wire writes v as the value of a wire attribute of its own: an N if the codec is Numeric, else an S.
func (c Codec) Wire(v attr.Value) (attr.Value, error) {
	b, err := c.Append(nil, v)
	if err != nil {
		return attr.Value{}, err
	}
	if !c.Numeric() {
		return attr.Text(string(b)), nil
	}
	n, err := attr.ParseNumber(string(b))
	return attr.Num(n), err
}

// Decode reads a written text back: an S from text, raw, iso and ms13, of a number its normal form from epoch-ms, an N
// from pad and signed. It fails if the codec does not read back, and on every text that Append cannot have written.
func (c Codec) Decode(s string) (attr.Value, error) {
	if !c.ReadsBack() {
		return attr.Value{}, c.refuse("does not read back")
	}
	switch c.base {
	case text:
		return c.decodeText(s)
	case raw:
		return attr.Text(s), nil
	case pad:
		return c.decodePad(s)
	}
	return c.decodeTime(s)
}

func (c Codec) refuse(why string) error { return fmt.Errorf("keys: codec %s %s", c, why) }

// ErrOutside is what [Codec.Append] returns, wrapped, for a value of the codec's type that the codec cannot write: a
// number with more digits than it has, or a time before its first. No key holds such a value, so a read for it finds
// nothing.
var ErrOutside = errors.New("keys: outside what the codec writes")

// outsideError says which bound of a codec a value does not keep.
type outsideError struct{ error }

func (outsideError) Is(target error) bool { return target == ErrOutside }

func (c Codec) outside(why string) error { return outsideError{c.refuse(why)} }
