package attr

import (
	"bytes"
	"encoding/json"
	"iter"
	"unicode/utf16"
	"unicode/utf8"
)

// What reads DynamoDB JSON that was checked before, or came from who makes it right, and wants little of it: nothing is
// built, nothing allocated, nothing refused. Of text that is no JSON the answers mean nothing.

// Members yields the names and values of a JSON object, in the order of the text, without checking it. Both are parts of
// object; a name that is written with escapes is yielded with them.
func Members(object []byte) iter.Seq2[[]byte, json.RawMessage] {
	return func(yield func([]byte, json.RawMessage) bool) {
		for i := space(object, 0); i < len(object) && object[i] != '}'; { // at '{' or ','
			start := space(object, i+1)
			end := passValue(object, start)
			if end-start < 2 || object[start] != '"' {
				return
			}
			from := space(object, space(object, end)+1) // behind the colon
			if i = passValue(object, from); i <= from {
				return
			}
			if !yield(object[start+1:end-1], object[from:i:i]) {
				return
			}
			i = space(object, i)
		}
	}
}

// Elements yields the elements of a JSON array without checking it.
func Elements(array []byte) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		for i := space(array, 0); i < len(array) && array[i] != ']'; { // at '[' or ','
			start := space(array, i+1)
			if i = passValue(array, start); i <= start {
				return
			}
			if !yield(array[start:i:i]) {
				return
			}
			i = space(array, i)
		}
	}
}

// ItemSize is what ParseItem(item) would have as its Size, without building it.
func ItemSize(item []byte) int {
	s := sizer{b: item}
	size, _ := s.members(0)
	return size
}

// Sizes yields the name of each attribute of an item and the size of name and value, in one pass, as ItemSize adds them up.
// What follows the item is not looked at. A name that is written with escapes is yielded with them.
func Sizes(item []byte) iter.Seq2[[]byte, int] {
	return func(yield func([]byte, int) bool) {
		s := sizer{b: item}
		if !s.at('{') || s.at('}') {
			return
		}
		for s.i < len(s.b) {
			name, size := s.name()
			if !yield(name, size+s.value(0)) || !s.at(',') {
				return
			}
		}
	}
}

// ValueSize is what ParseValue(value) would have as its Size, without building it.
func ValueSize(value []byte) int {
	s := sizer{b: value}
	return s.value(0)
}

// deepest is how deep sizes are looked for: deeper than what DynamoDB stores.
const deepest = 2 * (MaxDepth + 1)

// sizer adds up sizes in one pass.
type sizer struct {
	b []byte
	i int
}

// at passes white space and c; it reports false, and passes all, if anything else stands there.
func (s *sizer) at(c byte) bool {
	for s.i < len(s.b) {
		switch got := s.b[s.i]; got {
		case c:
			s.i++
			return true
		case ' ', '\t', '\n', '\r':
			s.i++
		default:
			return false
		}
	}
	return false
}

// text passes a string and is its content, with its escapes.
func (s *sizer) text() []byte {
	if !s.at('"') {
		s.i = len(s.b)
		return nil
	}
	start := s.i
	s.i = passText(s.b, start-1)
	return s.b[start:max(start, s.i-1)]
}

// name passes the name of a member and its colon, and is the name, with its escapes, and its length without.
func (s *sizer) name() (name []byte, length int) {
	if i := s.i; i < len(s.b) && s.b[i] == '"' {
		if end, escapes := quoteFrom(s.b, i+1); end > 0 && !escapes && end+1 < len(s.b) && s.b[end+1] == ':' {
			s.i = end + 2
			return s.b[i+1 : end], end - i - 1
		}
	}
	name = s.text()
	s.at(':')
	return name, unescapedLen(name)
}

func (s *sizer) members(depth int) (size, n int) {
	if !s.at('{') || depth > deepest {
		s.i = len(s.b)
		return 0, 0
	}
	if s.at('}') {
		return 0, 0
	}
	for {
		_, length := s.name()
		size += length + s.value(depth)
		n++
		if !s.at(',') {
			s.at('}')
			return size, n
		}
	}
}

func (s *sizer) value(depth int) (size int) {
	// Nearly all values are texts and numbers, written without spaces: {"S":"…"}
	if v := s.b[s.i:]; len(v) > 6 && v[0] == '{' && v[1] == '"' && v[3] == '"' && v[4] == ':' && v[5] == '"' {
		if end, escapes := quoteFrom(v, 6); end > 0 && !escapes && end+1 < len(v) && v[end+1] == '}' && (v[2] == 'S' || v[2] == 'N') {
			if v[2] == 'S' {
				s.i += end + 2
				return end - 6
			}
			if text := v[6:end]; plainDigits(text) {
				s.i += end + 2
				return numberSize(lent(text))
			}
		}
	}
	if !s.at('{') {
		s.i = len(s.b)
		return 0
	}
	kind := s.text()
	s.at(':')
	switch string(kind) {
	case "S":
		size = unescapedLen(s.text())
	case "N":
		size = digitsSize(s.text())
	case "B":
		size = binarySize(s.text())
	case "M":
		inner, n := s.members(depth + 1)
		size = 3 + n + inner
	case "L":
		size = 3 + s.elements(func() int { return 1 + s.value(depth+1) })
	case "SS":
		size = s.elements(func() int { return unescapedLen(s.text()) })
	case "NS":
		size = s.elements(func() int { return digitsSize(s.text()) })
	case "BS":
		size = s.elements(func() int { return binarySize(s.text()) })
	default: // BOOL, NULL
		s.i = passValue(s.b, space(s.b, s.i))
		size = 1
	}
	s.at('}')
	return size
}

func (s *sizer) elements(size func() int) (sum int) {
	if !s.at('[') || s.at(']') {
		return 0
	}
	for s.i < len(s.b) {
		sum += size()
		if !s.at(',') {
			s.at(']')
			break
		}
	}
	return sum
}

// unescapedLen is the length in bytes of a JSON string's content without its escapes.
func unescapedLen(text []byte) int {
	if bytes.IndexByte(text, '\\') < 0 {
		return len(text)
	}
	n := 0
	for i := 0; i < len(text); i++ {
		n++
		if text[i] != '\\' {
			continue
		}
		if i++; i >= len(text) || text[i] != 'u' {
			continue
		}
		r := hexRune(text[i+1:])
		i += 4
		if utf16.IsSurrogate(r) && i+2 < len(text) && text[i+1] == '\\' && text[i+2] == 'u' {
			if both := utf16.DecodeRune(r, hexRune(text[i+3:])); both != utf8.RuneError {
				r = both
				i += 6
			}
		}
		if utf16.IsSurrogate(r) {
			r = utf8.RuneError
		}
		n += utf8.RuneLen(r) - 1
	}
	return n
}

func hexRune(text []byte) (r rune) {
	for _, c := range text[:min(4, len(text))] {
		r <<= 4
		switch {
		case c >= '0' && c <= '9':
			r |= rune(c - '0')
		case c >= 'a' && c <= 'f':
			r |= rune(c - 'a' + 10)
		case c >= 'A' && c <= 'F':
			r |= rune(c - 'A' + 10)
		}
	}
	return r
}

// binarySize is how many bytes base64 text stands for.
func binarySize(text []byte) int {
	n := unescapedLen(text)
	for len(text) > 0 && text[len(text)-1] == '=' {
		text = text[:len(text)-1]
		n--
	}
	return n * 3 / 4
}

// digitsSize is the size of a number as it is written; see Number.Size.
func digitsSize(text []byte) int {
	if !plainDigits(text) {
		n, err := ParseNumber(string(text))
		if err != nil {
			return 0
		}
		return n.Size()
	}
	return numberSize(lent(text))
}

// plainDigits reports whether a number is written as Number.String writes it.
func plainDigits(text []byte) bool {
	if len(text) > 1 && text[0] == '-' && string(text) != "-0" {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 30 || text[0] == '0' && len(text) > 1 && text[1] != '.' {
		return false
	}
	dot := -1
	for i, c := range text {
		switch {
		case c == '.' && dot < 0 && i > 0:
			dot = i
		case c < '0' || c > '9':
			return false
		}
	}
	return dot < 0 || text[len(text)-1] != '0' && dot < len(text)-1
}
