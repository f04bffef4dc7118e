package attr

import (
	"bytes"
	"sort"
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
// held without boxing. The zero Value holds nothing (Kind 0) and stands for an absent attribute.
type Value struct {
	kind Kind
	flag bool   // BOOL
	str  string // S; B: the bytes; N: the number's normal form
	list []Value
	item *Item // M
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

// Map makes a map value.
func Map(m Item) Value { return Value{kind: KindM, item: &m} }

// List makes a list value. It keeps elems: the caller must not change it afterwards.
func List(elems ...Value) Value { return Value{kind: KindL, list: elems} }

// TextSet makes a string set; it sorts and drops duplicates.
func TextSet(s ...string) Value {
	l := make([]Value, len(s))
	for i := range s {
		l[i] = Text(s[i])
	}
	return Value{kind: KindSS, list: normalSet(l)}
}

// NumSet makes a number set; it sorts and drops duplicates.
func NumSet(n ...Number) Value {
	l := make([]Value, len(n))
	for i := range n {
		l[i] = Num(n[i])
	}
	return Value{kind: KindNS, list: normalSet(l)}
}

// BinarySet makes a binary set; it sorts and drops duplicates.
func BinarySet(b ...[]byte) Value {
	l := make([]Value, len(b))
	for i := range b {
		l[i] = Binary(b[i])
	}
	return Value{kind: KindBS, list: normalSet(l)}
}

func normalSet(l []Value) []Value {
	sort.Slice(l, func(i, j int) bool { return Compare(l[i], l[j]) < 0 })
	out := l[:0]
	for i, v := range l {
		if i == 0 || Compare(v, out[len(out)-1]) != 0 {
			out = append(out, v)
		}
	}
	return out
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
	return Number{s: v.str}
}

// Bool is the truth of a BOOL; false for all others.
func (v Value) Bool() bool { return v.flag }

// Elems are the elements of an L, SS, NS or BS; nil for all others. The caller must not change them.
func (v Value) Elems() []Value { return v.list }

// Map is the content of an M; empty for all others.
func (v Value) Map() Item {
	if v.item == nil {
		return Item{}
	}
	return *v.item
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
	case KindL, KindSS, KindNS, KindBS:
		if len(a.list) != len(b.list) {
			return false
		}
		for i := range a.list { // sets are sorted
			if !Equal(a.list[i], b.list[i]) {
				return false
			}
		}
		return true
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
		return bytes.Compare([]byte(a.str), []byte(b.str))
	case KindN:
		return a.Number().Cmp(b.Number())
	}
	panic("attr: " + a.kind.String() + " has no order")
}
