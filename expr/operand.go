package expr

import (
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// operandKind is what an operand is.
type operandKind uint8

const (
	oPath operandKind = iota
	oValue
	oSize        // conditions only
	oIfNotExists // this and the rest: updates only
	oListAppend
	oPlus
	oMinus
)

var operandNames = [...]string{oSize: "size", oIfNotExists: "if_not_exists", oListAppend: "list_append", oPlus: "+", oMinus: "-"}

func (k operandKind) String() string { return operandNames[k] }

// operand is a path, a value, or a function or sum of operands.
type operand struct {
	kind  operandKind
	at    int32 // where it stands in the text, from 1; 0 if it was built in Go
	path  Path
	value attr.Value
	args  []operand
}

// get is the operand's value for an item; the zero Value if it is missing. Operands of updates have none here.
func (o *operand) get(it attr.Item) attr.Value {
	switch o.kind {
	case oPath:
		return o.path.Get(it)
	case oValue:
		return o.value
	case oSize:
		if n, ok := o.size(it); ok {
			return attr.Num(attr.Int(int64(n)))
		}
	}
	return attr.Value{}
}

// size is the value of a size operand; false if there is none.
func (o *operand) size(it attr.Item) (int, bool) {
	v := o.args[0].get(it)
	switch v.Kind() {
	case attr.KindS:
		return attr.UTF16Len(v.Str()), true
	case attr.KindB:
		return len(v.Str()), true
	case attr.KindM:
		return v.Map().Len(), true
	case attr.KindL, attr.KindSS, attr.KindNS, attr.KindBS:
		return len(v.Elems()), true
	}
	return 0, false
}

// isEqual reports whether both operands are there and equal.
func isEqual(a, b *operand, it attr.Item) bool {
	if a.kind == oSize || b.kind == oSize {
		c, ok := compareSizes(a, b, it)
		return ok && c == 0
	}
	v := a.get(it)
	return !v.IsZero() && attr.Equal(v, b.get(it))
}

// compare orders two operands; ok is false if they have no order: one is missing, or they are not both strings, numbers or
// binaries.
func compare(a, b *operand, it attr.Item) (c int, ok bool) {
	if a.kind == oSize || b.kind == oSize {
		return compareSizes(a, b, it)
	}
	return compareValues(a.get(it), b.get(it))
}

func compareValues(v, w attr.Value) (c int, ok bool) {
	if v.Kind() != w.Kind() {
		return 0, false
	}
	switch v.Kind() {
	case attr.KindS, attr.KindN, attr.KindB:
		return attr.Compare(v, w), true
	}
	return 0, false
}

// compareSizes is compare where at least one operand is a size. Sizes are small integers, so the comparison nearly always
// goes without making a Number of them, which would allocate.
func compareSizes(a, b *operand, it attr.Item) (int, bool) {
	if a.kind != oSize {
		c, ok := compareSizes(b, a, it)
		return -c, ok
	}
	n, ok := a.size(it)
	if !ok {
		return 0, false
	}
	if b.kind == oSize {
		m, ok := b.size(it)
		return n - m, ok
	}
	v := b.get(it)
	if v.Kind() != attr.KindN {
		return 0, false
	}
	if m, ok := v.Number().Int64(); ok {
		return cmpInt(int64(n), m), true
	}
	return attr.Int(int64(n)).Cmp(v.Number()), true
}

func cmpInt(n, m int64) int {
	if n < m {
		return -1
	}
	if n > m {
		return 1
	}
	return 0
}

// contains reports whether v, a string, binary, set or list, has w in it.
func contains(v, w attr.Value) bool {
	if w.IsZero() {
		return false
	}
	switch v.Kind() {
	case attr.KindS, attr.KindB:
		return v.Kind() == w.Kind() && strings.Contains(v.Str(), w.Str())
	case attr.KindL, attr.KindSS, attr.KindNS, attr.KindBS:
		for _, e := range v.Elems() {
			if attr.Equal(e, w) {
				return true
			}
		}
	}
	return false
}

// beginsWith reports whether v and w are both strings or both binaries, and v begins with w.
func beginsWith(v, w attr.Value) bool {
	k := v.Kind()
	return (k == attr.KindS || k == attr.KindB) && k == w.Kind() && strings.HasPrefix(v.Str(), w.Str())
}
