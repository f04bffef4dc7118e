package schema

import (
	"fmt"
	"regexp"

	"github.com/tablewright/tablewright/attr"
)

// Type says what one value must be: what [String], [Time], [Number], [Bool], [Binary], [List], [SetOf], [Map], [Any],
// [Nullable] and [Object] make. Types do not change; methods return changed copies. Only this package implements it.
type Type interface{ node() *node }

// changed is a copy of a type with a rule more; it panics if the rules contradict each other.
func changed(n *node, f func(n *node)) *node {
	c := *n
	f(&c)
	must(c.settle())
	return &c
}

// lengths checks the arguments of Len.
func lengths(least, most int) size {
	if least < 0 || most < -1 {
		panic(fmt.Sprintf("schema: a length from %d to %d", least, most))
	}
	return size{least, most}
}

// StringType is a text. The zero StringType is any text.
type StringType struct{ n *node }

var anyString = newNode(stringForm)

// String is any text.
func String() StringType { return StringType{&anyString} }

func (t StringType) node() *node {
	if t.n == nil {
		return &anyString
	}
	return t.n
}

// Len limits the length, in characters (Unicode code points), both included; a most of -1 is without end.
func (t StringType) Len(least, most int) StringType {
	return StringType{changed(t.node(), func(n *node) { n.size = lengths(least, most) })}
}

// Pattern demands that the regular expression, of package regexp, matches somewhere in the text: ^ and $ tie it to its ends.
func (t StringType) Pattern(re string) StringType {
	return StringType{changed(t.node(), func(n *node) { n.pattern = regexp.MustCompile(re) })}
}

// Enum demands one of the texts.
func (t StringType) Enum(v ...string) StringType {
	return StringType{changed(t.node(), func(n *node) {
		n.enum = make([]attr.Value, len(v))
		for i := range v {
			n.enum[i] = attr.Text(v[i])
		}
	})}
}

// Default is what an absent text means.
func (t StringType) Default(v string) StringType {
	return StringType{changed(t.node(), func(n *node) { n.missing = attr.Text(v) })}
}

// TimeType is a time, stored as an RFC 3339 text. For times that are stored as numbers use Number().Integer().
type TimeType struct{}

var anyTime = newNode(timeForm)

// Time is any time, stored as text. What is parsed from JSON is stored in UTC with milliseconds, so that it sorts.
func Time() TimeType { return TimeType{} }

func (TimeType) node() *node { return &anyTime }

// NumberType is a number. The zero NumberType is any number.
type NumberType struct{ n *node }

var anyNumber = newNode(numberForm)

// Number is any number that DynamoDB has.
func Number() NumberType { return NumberType{&anyNumber} }

func (t NumberType) node() *node {
	if t.n == nil {
		return &anyNumber
	}
	return t.n
}

// Range demands a number from low to high, both included.
func (t NumberType) Range(low, high int64) NumberType {
	return t.From(attr.Int(low)).To(attr.Int(high))
}

// From demands n or a greater number.
func (t NumberType) From(n attr.Number) NumberType { return t.bounded(n, false, true) }

// To demands n or a smaller number.
func (t NumberType) To(n attr.Number) NumberType { return t.bounded(n, false, false) }

// Above demands a greater number than n.
func (t NumberType) Above(n attr.Number) NumberType { return t.bounded(n, true, true) }

// Below demands a smaller number than n.
func (t NumberType) Below(n attr.Number) NumberType { return t.bounded(n, true, false) }

func (t NumberType) bounded(at attr.Number, open, low bool) NumberType {
	return NumberType{changed(t.node(), func(n *node) {
		if low {
			n.low = boundAt(at, open)
		} else {
			n.high = boundAt(at, open)
		}
	})}
}

// Integer demands a number without decimals.
func (t NumberType) Integer() NumberType {
	return NumberType{changed(t.node(), func(n *node) { n.integer = true })}
}

// Decimals allows at most so many decimals: of an amount of money, say, two.
func (t NumberType) Decimals(most int) NumberType {
	if most < 0 {
		panic(fmt.Sprintf("schema: %d decimals", most))
	}
	return NumberType{changed(t.node(), func(n *node) { n.setPlaces(most) })}
}

// setPlaces limits the decimals; none are an integer.
func (n *node) setPlaces(most int) {
	n.places = most
	if most == 0 {
		n.places, n.integer = -1, true
	}
}

// MultipleOf demands a whole number of times step, which is greater than 0.
func (t NumberType) MultipleOf(step attr.Number) NumberType {
	if step.Sign() <= 0 {
		panic("schema: a multiple of " + step.String())
	}
	return NumberType{changed(t.node(), func(n *node) { n.step, n.stepped = step, true })}
}

// Enum demands one of the numbers.
func (t NumberType) Enum(v ...attr.Number) NumberType {
	return NumberType{changed(t.node(), func(n *node) {
		n.enum = make([]attr.Value, len(v))
		for i := range v {
			n.enum[i] = attr.Num(v[i])
		}
	})}
}

// Default is what an absent number means.
func (t NumberType) Default(v attr.Number) NumberType {
	return NumberType{changed(t.node(), func(n *node) { n.missing = attr.Num(v) })}
}

// BoolType is true or false.
type BoolType struct{ n *node }

var anyBool = newNode(boolForm)

// Bool is true or false.
func Bool() BoolType { return BoolType{&anyBool} }

func (t BoolType) node() *node {
	if t.n == nil {
		return &anyBool
	}
	return t.n
}

// Enum demands one of the values: true, say, of a consent.
func (t BoolType) Enum(v ...bool) BoolType {
	return BoolType{changed(t.node(), func(n *node) {
		n.enum = make([]attr.Value, len(v))
		for i := range v {
			n.enum[i] = attr.Bool(v[i])
		}
	})}
}

// Default is what an absent value means.
func (t BoolType) Default(v bool) BoolType {
	return BoolType{changed(t.node(), func(n *node) { n.missing = attr.Bool(v) })}
}

// BinaryType is a binary. The zero BinaryType is any binary.
type BinaryType struct{ n *node }

var anyBinary = newNode(binaryForm)

// Binary is any binary.
func Binary() BinaryType { return BinaryType{&anyBinary} }

func (t BinaryType) node() *node {
	if t.n == nil {
		return &anyBinary
	}
	return t.n
}

// Len limits the length, in bytes, both included; a most of -1 is without end.
func (t BinaryType) Len(least, most int) BinaryType {
	return BinaryType{changed(t.node(), func(n *node) { n.size = lengths(least, most) })}
}

// ListType is a list of elements of one type, or a set. It has no zero value that works: see List and SetOf.
type ListType struct{ n *node }

// List is a list whose elements are of a type.
func List(of Type) ListType {
	n := newNode(listForm)
	n.elem = of.node()
	return ListType{&n}
}

// SetOf is a set of texts, numbers or binaries; it panics on another type. A set has at least one element: in JSON and in Go,
// an empty one is absent.
func SetOf(of Type) ListType {
	n := newNode(setForm)
	n.elem = of.node()
	if f := n.elem.form; n.elem.null || f != stringForm && f != timeForm && f != numberForm && f != binaryForm {
		panic("schema: sets are of texts, numbers or binaries")
	}
	return ListType{&n}
}

func (t ListType) node() *node { return t.n }

// Len limits the number of elements, both included; a most of -1 is without end.
func (t ListType) Len(least, most int) ListType {
	return ListType{changed(t.n, func(n *node) { n.size = lengths(least, most) })}
}

// MapType is a map with free keys. It has no zero value that works: see Map.
type MapType struct{ n *node }

// Map is a map with free keys whose values are of a type. A map with known keys is an Object.
func Map(of Type) MapType {
	n := newNode(mapForm)
	n.elem = of.node()
	return MapType{&n}
}

func (t MapType) node() *node { return t.n }

// Len limits the number of elements, both included; a most of -1 is without end.
func (t MapType) Len(least, most int) MapType {
	return MapType{changed(t.n, func(n *node) { n.size = lengths(least, most) })}
}

// Keys holds the keys to the rules of a text.
func (t MapType) Keys(of StringType) MapType {
	return MapType{changed(t.n, func(n *node) { n.keys = of.node() })}
}

// NullableType is what Nullable makes.
type NullableType struct{ n *node }

// Nullable is a type that can also be NULL: null in JSON.
func Nullable(t Type) NullableType {
	return NullableType{changed(t.node(), func(n *node) { n.null = true })}
}

func (t NullableType) node() *node { return t.n }

// AnyType is what Any makes.
type AnyType struct{}

var anything = node{form: anyForm, null: true, size: size{0, -1}, places: -1}

// Any is any value, NULL included.
func Any() AnyType { return AnyType{} }

func (AnyType) node() *node { return &anything }
