package attr

import (
	"encoding/binary"
	"math/bits"
	"reflect"
	"unsafe"
)

// The service writes its answers without white space, and few texts need escapes. What follows reads that form quickly. It
// refuses nothing: whatever looks otherwise it leaves to the general way, which knows what is wrong with it, if anything is.

// Bytes of a word, for runEnd.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// runEnd is where the bytes that stand for themselves end that begin at i: at a quote, a backslash, a control character, a
// byte that is not ASCII, or the end of the data. It looks at eight bytes at once: a byte that ends the run sets its highest
// bit, and perhaps those of bytes behind it, of which the first counts.
func runEnd(data []byte, i int) int {
	for ; len(data)-i >= 8; i += 8 {
		w := binary.LittleEndian.Uint64(data[i:])
		quote, slash := w^'"'*ones, w^'\\'*ones
		if m := ((w-' '*ones)&^w | (quote-ones)&^quote | (slash-ones)&^slash | w) & highs; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(data) && plain[data[i]] {
		i++
	}
	return i
}

// textAt is the text whose opening quote would be at i, and where what follows it begins; -1 if it is not plain.
func textAt(data []byte, i int) (text []byte, end int) {
	if i >= len(data) || data[i] != '"' {
		return nil, -1
	}
	i++
	end = runEnd(data, i)
	if end >= len(data) || data[end] != '"' {
		return nil, -1
	}
	return data[i:end], end + 1
}

// scalarAt reads an attribute value {"S":"…"} or {"N":"…"} that would begin at i, and is where it ends; -1 of any other.
func scalarAt(data []byte, i int) (kind byte, text []byte, end int) {
	const before = len(`{"S":`)
	if len(data)-i < before+len(`""}`) || data[i] != '{' || data[i+1] != '"' || data[i+3] != '"' || data[i+4] != ':' {
		return 0, nil, -1
	}
	if kind = data[i+2]; kind != 'S' && kind != 'N' {
		return 0, nil, -1
	}
	text, end = textAt(data, i+before)
	if end < 0 || end >= len(data) || data[end] != '}' {
		return 0, nil, -1
	}
	return kind, text, end + 1
}

// membersEnd is where the last of the plain members ends whose first has its key at i; -1 if that is not plain itself. Members of
// other types than S, N, BOOL and NULL end the row.
func membersEnd(data []byte, i int) int {
	for last := -1; ; {
		_, end := textAt(data, i)
		if end < 0 || end >= len(data) || data[end] != ':' {
			return last
		}
		if end = scalarEnd(data, end+1); end < 0 {
			return last
		}
		last, i = end, end+1
		if i >= len(data) || data[end] != ',' {
			return last
		}
	}
}

// scalarEnd is where an attribute value of one of the types of membersEnd ends that would begin at i; -1 of any other.
func scalarEnd(data []byte, i int) int {
	if _, _, end := scalarAt(data, i); end > 0 {
		return end
	}
	for _, word := range [...]string{`{"BOOL":true}`, `{"BOOL":false}`, `{"NULL":true}`} {
		if len(data)-i >= len(word) && string(data[i:i+len(word)]) == word {
			return i + len(word)
		}
	}
	return -1
}

// digitsAt reads an integer of at most 18 digits in quotes, as the service writes it, that would begin at i.
func digitsAt(data []byte, i int) (n int64, end int) {
	const most = 18 // more may not fit
	if len(data)-i < len(`"0"`) || data[i] != '"' {
		return 0, -1
	}
	i++
	negative := data[i] == '-'
	if negative {
		i++
	}
	start := i
	for i < len(data) && data[i]-'0' <= 9 {
		n = n*10 + int64(data[i]-'0')
		if i++; i-start > most {
			return 0, -1
		}
	}
	if i == start || i == len(data) || data[i] != '"' {
		return 0, -1
	}
	if negative {
		n = -n
	}
	return n, i + 1
}

// lent makes a string of bytes that nobody may keep.
func lent(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// A plainCodec is a codec that reads the content of a value ("text" of {"S":"text"}, true of {"BOOL":true}) in the plain form.
type plainCodec interface {
	// plain reads what begins at i of d's data into v and is where it ends. -1 leaves it to the general way, whatever is in v by
	// then. Nothing of d moves.
	plain(d *Decoder, i int, v reflect.Value) int
}
