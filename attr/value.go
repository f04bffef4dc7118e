package attr

import (
	"slices"
	"strings"
)

// Kind is one of DynamoDB's ten attribute types, or 0 for the zero Value.
type Kind uint8

// The ten types, by the names they have in DynamoDB JSON.
const (
	KindS Kind = iota + 1
	KindN
	KindB
	KindBOOL
	KindNULL
	KindM
	KindL
	KindSS
	KindNS
	KindBS
)

var kindNames = [...]string{"", "S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"}

// String is the type's name in DynamoDB JSON: "S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS".
func (k Kind) String() string { return kindNames[k] }

// Value is one attribute value. It is immutable, cheap to copy and safe to share; strings, binaries and numbers are
// held without boxing. The zero Value holds nothing (Kind 0) and stands for an absent attribute. Values are compared
// with Equal, not with ==.
type Value struct {
	_    [0]func() // no ==
	kind Kind
	flag bool       // BOOL
	str  string     // S; B: the bytes; N: the number's normal form
	more *container // M, L, SS, NS, BS; nil for an empty M or L
}

// A container is what does not fit into a Value: one of the two is used.
type container struct {
	list   []Value // L; SS, NS, BS: in order
	fields []Field // M
}

// Text makes a string value.
func Text(s string) Value { return Value{kind: KindS, str: s} }

// Binary makes a binary value; it copies b.
func Binary(b []byte) Value { return Value{kind: KindB, str: string(b)} }

// Bool makes a Boolean value.
func Bool(b bool) Value { return Value{kind: KindBOOL, flag: b} }

// Null makes a NULL value: present, and without content.
func Null() Value { return Value{kind: KindNULL} }

// Num makes a number value.
func Num(n Number) Value { return Value{kind: KindN, str: n.String()} }

// Map makes a map value. It keeps m's attributes: the caller must not change them afterwards.
func Map(m Item) Value {
	if len(m.fields) == 0 {
		return Value{kind: KindM}
	}
	return Value{kind: KindM, more: &container{fields: m.fields}}
}

// List makes a list value. It keeps elems: the caller must not change it afterwards.
func List(elems ...Value) Value {
	if len(elems) == 0 {
		return Value{kind: KindL}
	}
	return Value{kind: KindL, more: &container{list: elems}}
}

// TextSet makes a string set; it sorts and drops duplicates. An empty set can be made but not stored.
func TextSet(s ...string) Value {
	l := make([]Value, len(s))
	for i := range s {
		l[i] = Text(s[i])
	}
	return setOf(KindSS, normalSet(l))
}

// NumSet makes a number set; it sorts and drops duplicates. An empty set can be made but not stored.
func NumSet(n ...Number) Value {
	l := make([]Value, len(n))
	for i := range n {
		l[i] = Num(n[i])
	}
	return setOf(KindNS, normalSet(l))
}

// BinarySet makes a binary set; it sorts and drops duplicates. An empty set can be made but not stored.
func BinarySet(b ...[]byte) Value {
	l := make([]Value, len(b))
	for i := range b {
		l[i] = Binary(b[i])
	}
	return setOf(KindBS, normalSet(l))
}

// setOf makes a set of elements in order.
func setOf(kind Kind, elems []Value) Value {
	return Value{kind: kind, more: &container{list: elems}}
}

func normalSet(l []Value) []Value {
	slices.SortFunc(l, Compare)
	return slices.CompactFunc(l, func(a, b Value) bool { return a.str == b.str })
}

// Kind says which type v has; 0 if v is the zero Value.
func (v Value) Kind() Kind { return v.kind }

// IsZero reports whether v is the zero Value: an absent attribute.
func (v Value) IsZero() bool { return v.kind == 0 }

// Str is the text of an S, the bytes of a B as a string, and the normal form of an N; "" for all others.
func (v Value) Str() string { return v.str }

// Bytes is a copy of the bytes of a B.
func (v Value) Bytes() []byte { return []byte(v.str) }

// Number is the number of an N; zero for all others.
func (v Value) Number() Number {
	if v.kind != KindN {
		return Number{}
	}
	return number(v.str)
}

// Bool is the truth of a BOOL; false for all others.
func (v Value) Bool() bool { return v.flag }

// Elems are the elements of an L, SS, NS or BS; nil for all others. Those of a set are in order. The caller must not
// change them.
func (v Value) Elems() []Value {
	if v.more == nil {
		return nil
	}
	return v.more.list
}

// Map is the content of an M; empty for all others. It shares its attributes with v: Clone it before changing it.
func (v Value) Map() Item {
	if v.more == nil {
		return Item{}
	}
	return Item{v.more.fields}
}

// IsSet reports whether v is an SS, NS or BS.
func (v Value) IsSet() bool { return v.kind >= KindSS }

// Equal is DynamoDB's equality: same type and same content; maps and lists deep, sets without regard to order,
// numbers by value. Zero Values are equal to each other only.
func Equal(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case KindBOOL:
		return a.flag == b.flag
	case KindM:
		return EqualItems(a.Map(), b.Map())
	case KindL, KindSS, KindNS, KindBS: // sets are in order
		return slices.EqualFunc(a.Elems(), b.Elems(), Equal)
	}
	return a.str == b.str
}

// Compare orders two values of one scalar type as DynamoDB orders keys: S by UTF-8 bytes, B by unsigned bytes, N by
// value. It panics if the kinds differ or have no order.
func Compare(a, b Value) int {
	if a.kind != b.kind {
		panic("attr: Compare of " + a.kind.String() + " with " + b.kind.String())
	}
	switch a.kind {
	case KindS, KindB:
		return strings.Compare(a.str, b.str)
	case KindN:
		return a.Number().Cmp(b.Number())
	}
	panic("attr: " + a.kind.String() + " has no order")
}
