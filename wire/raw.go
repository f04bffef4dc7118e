package wire

import (
	"bytes"
	"iter"

	"github.com/tablewright/tablewright/attr"
)

// Raw is one item (or key, or other map of attribute values) in DynamoDB JSON. Nil stands for none.
type Raw []byte

// Item decodes the text.
func (r Raw) Item() (attr.Item, error) {
	if r == nil {
		return attr.Item{}, nil
	}
	return attr.ParseItem(r)
}

// MarshalJSON is the text itself.
func (r Raw) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("null"), nil
	}
	return r, nil
}

func cloneRaw[T ~[]byte](r T) Raw { return Raw(bytes.Clone(r)) }

// RawOf encodes an item.
func RawOf(it attr.Item) Raw { return attr.AppendItem(nil, it) }

// RawList is a list of items in DynamoDB JSON, kept in one piece of text.
type RawList struct {
	text []byte // elements with commas between them
	n    int
}

// Add appends an item; it copies the text.
func (l *RawList) Add(item []byte) {
	if l.n > 0 {
		l.text = append(l.text, ',')
	}
	l.text = append(l.text, item...)
	l.n++
}

// AddItem appends an item that is not encoded yet.
func (l *RawList) AddItem(it attr.Item) {
	if l.n > 0 {
		l.text = append(l.text, ',')
	}
	l.text = attr.AppendItem(l.text, it)
	l.n++
}

// Len is the number of items.
func (l *RawList) Len() int { return l.n }

// Reset makes the list empty and keeps its memory.
func (l *RawList) Reset() { l.text, l.n = l.text[:0], 0 }

// All yields the items' texts, parts of the list's own.
func (l *RawList) All() iter.Seq[Raw] {
	return func(yield func(Raw) bool) {
		for rest := l.text; len(rest) > 0; {
			d := attr.NewDecoder(rest)
			r := d.Raw()
			if r == nil || !yield(Raw(r)) {
				return
			}
			rest = rest[min(len(r)+1, len(rest)):] // the comma
		}
	}
}

func (l *RawList) append(dst []byte) []byte {
	dst = append(dst, '[')
	dst = append(dst, l.text...)
	return append(dst, ']')
}

// decodeRawList reads an array of items.
func decodeRawList(d *attr.Decoder) (l RawList) {
	for range d.Elems() {
		if l.text == nil {
			l.text = make([]byte, 0, d.Rest()) // hardly anything follows an answer's items
		}
		l.Add(d.Raw())
	}
	return l
}

// Size is the length of the list's text in bytes; 0 of a nil list.
func (l *RawList) Size() int {
	if l == nil {
		return 0
	}
	return len(l.text)
}
