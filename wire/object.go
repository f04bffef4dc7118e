package wire

import (
	"maps"
	"slices"
	"strconv"

	"github.com/tablewright/tablewright/attr"
)

// object appends the members of a JSON object.
type object struct {
	dst  []byte
	full bool // a member stands already
}

func begin(dst []byte) object { return object{dst: append(dst, '{')} }

func (o *object) end() []byte { return append(o.dst, '}') }

// key begins a member; its value is appended to o.dst.
func (o *object) key(name string) {
	if o.full {
		o.dst = append(o.dst, ',')
	}
	o.full = true
	o.dst = append(attr.AppendText(o.dst, name), ':')
}

func (o *object) text(name, value string) {
	o.key(name)
	o.dst = attr.AppendText(o.dst, value)
}

// word appends a text unless it is empty.
func (o *object) word(name, value string) {
	if value != "" {
		o.text(name, value)
	}
}

func (o *object) optional(name string, value *string) {
	if value != nil {
		o.text(name, *value)
	}
}

func (o *object) int(name string, n int) {
	o.key(name)
	o.dst = strconv.AppendInt(o.dst, int64(n), 10)
}

func (o *object) optionalInt(name string, n *int) {
	if n != nil {
		o.int(name, *n)
	}
}

func (o *object) optionalBool(name string, b *bool) {
	if b != nil {
		o.key(name)
		o.dst = strconv.AppendBool(o.dst, *b)
	}
}

// truth appends true, or nothing.
func (o *object) truth(name string, b bool) {
	if b {
		o.key(name)
		o.dst = append(o.dst, "true"...)
	}
}

// raw appends JSON text, unless there is none.
func (o *object) raw(name string, r []byte) {
	if r != nil {
		o.key(name)
		o.dst = append(o.dst, r...)
	}
}

func (o *object) item(name string, it attr.Item) {
	o.key(name)
	o.dst = attr.AppendItem(o.dst, it)
}

// units appends capacity units with at least one decimal, as the service does.
func (o *object) units(name string, units float64) {
	o.key(name)
	o.dst = appendFloat(o.dst, units)
}

func appendFloat(dst []byte, f float64) []byte {
	from := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if !slices.Contains(dst[from:], '.') {
		dst = append(dst, ".0"...)
	}
	return dst
}

// list appends an array of n elements, each written by element.
func (o *object) list(n int, element func(o *object, i int)) {
	o.dst = append(o.dst, '[')
	for i := range n {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		element(o, i)
	}
	o.dst = append(o.dst, ']')
}

func (o *object) nested(f func(o *object)) {
	inner := begin(o.dst)
	f(&inner)
	o.dst = inner.end()
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
