package attr

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"iter"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// What reads DynamoDB JSON that was checked before, or came from who makes it right, and wants little of it: nothing is
// built, nothing allocated, nothing refused. Of text that is no JSON the answers mean nothing.

// Skimmer passes over a JSON text from its front, each byte once: whoever wants something of what is inside an object or array goes
// into it with Member or Element, and passes what he does not want with Value.
//
//	for name, ok := s.Member(); ok; name, ok = s.Member() {
//		if string(name) == "Items" {
//			for s.Element() {
//				fields, item = s.AppendFields(fields[:0])
//				…
//			}
//			continue
//		}
//		s.Value()
//	}
type Skimmer struct {
	b []byte
	i int
}

// Skim is a Skimmer at the beginning of a text.
func Skim(text []byte) Skimmer { return Skimmer{b: text} }

// RawField is an attribute of an item, or a member of another object, as it stands in its text.
type RawField struct {
	Name    []byte          // with its escapes, if it has any
	Value   json.RawMessage // of an attribute {"S":"text"}
	Size    int             // of an attribute's name and value, as ItemSize adds them up
	escaped bool            // Name has escapes
}

// Named reports whether a field has a name.
func (f *RawField) Named(name string) bool {
	if f.escaped {
		return unescaped(f.Name) == name
	}
	return string(f.Name) == name
}

// Member passes to the value of an object's next member, of the first one at its beginning, and is its name, with its escapes; false
// if there is none: then the object is passed. What it is told of has to be passed before the next.
func (s *Skimmer) Member() (name []byte, ok bool) {
	if i := s.i; i+1 < len(s.b) && (s.b[i] == ',' || s.b[i] == '{') && s.b[i+1] == '"' { // without spaces, as nearly all are
		if end, escapes := quoteFrom(s.b, i+2); end > 0 && !escapes && end+1 < len(s.b) && s.b[end+1] == ':' {
			s.i = end + 2
			return s.b[i+2 : end], true
		}
	}
	if !s.next('{', '}') || s.b[s.i] != '"' {
		return nil, false
	}
	name, _ = s.name()
	return name, true
}

// Element passes to an array's next element, to the first one at its beginning; false if there is none: then the array is passed.
func (s *Skimmer) Element() bool { return s.next('[', ']') }

// next passes to the next part of an object or array, or its end. Of anything else all is passed.
func (s *Skimmer) next(begin, end byte) bool {
	i := space(s.b, s.i)
	if i < len(s.b) && (s.b[i] == ',' || s.b[i] == begin) {
		i = space(s.b, i+1)
		if i < len(s.b) && s.b[i] != end {
			s.i = i
			return true
		}
	}
	s.i = len(s.b)
	if i < len(s.b) && s.b[i] == end {
		s.i = i + 1
	}
	return false
}

// Value passes a value and is its text.
func (s *Skimmer) Value() json.RawMessage {
	from := space(s.b, s.i)
	s.i = passValue(s.b, from)
	return s.b[from:s.i:s.i]
}

// Begins is the first byte of what comes next, 0 at the end.
func (s *Skimmer) Begins() byte {
	if s.i = space(s.b, s.i); s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

// AppendMembers passes an object of any kind and appends its members, without sizes.
func (s *Skimmer) AppendMembers(dst []RawField) []RawField {
	if !s.at('{') || s.at('}') {
		return dst
	}
	for s.i < len(s.b) {
		name, length := s.name()
		dst = append(dst, RawField{Name: name, Value: s.Value(), escaped: length != len(name)})
		if !s.at(',') {
			s.at('}')
			break
		}
	}
	return dst
}

// AppendFields passes an item and appends its attributes; item is its text.
func (s *Skimmer) AppendFields(dst []RawField) (fields []RawField, item json.RawMessage) {
	start := space(s.b, s.i)
	if !s.at('{') || s.at('}') {
		return dst, s.b[start:s.i:s.i]
	}
	for s.i < len(s.b) {
		dst = slices.Grow(dst, 1)[:len(dst)+1]
		f := &dst[len(dst)-1]
		if s.plainField(f) {
			if s.i < len(s.b) && s.b[s.i] == ',' {
				s.i++
				continue
			}
		} else {
			name, length := s.name()
			from := space(s.b, s.i)
			s.i = from
			size := length + s.value(0)
			*f = RawField{name, s.b[from:s.i:s.i], size, length != len(name)}
		}
		if !s.at(',') {
			s.at('}')
			break
		}
	}
	return dst, s.b[start:s.i:s.i]
}

// plainField passes an attribute that is a text or number without spaces or escapes, as most are: it is the same as name and value,
// at once. It reports false, and passes nothing, of any other.
func (s *Skimmer) plainField(f *RawField) bool {
	b, i := s.b, s.i
	if i >= len(b) || b[i] != '"' {
		return false
	}
	colon, escapes := quoteFrom(b, i+1)
	if colon++; colon <= 0 || escapes || len(b)-colon < 8 || binary.LittleEndian.Uint64(b[colon:])&^(0xff<<24|0xff<<56) != valueBegins {
		return false
	}
	end, escapes := quoteFrom(b, colon+7)
	if end < 0 || escapes || end+1 >= len(b) || b[end+1] != '}' {
		return false
	}
	text := b[colon+7 : end]
	size := colon - i - 2
	switch kind := b[colon+3]; {
	case kind == 'S':
		size += len(text)
	case kind == 'N' && plainDigits(text):
		size += numberSize(lent(text))
	default:
		return false
	}
	s.i = end + 2
	f.Name, f.Value, f.Size, f.escaped = b[i+1:colon-1], b[colon+1:s.i:s.i], size, false
	return true
}

// valueBegins is :{"S":"x without the type and the first letter of the value.
const valueBegins = ':' | '{'<<8 | '"'<<16 | '"'<<32 | ':'<<40 | '"'<<48

// Members yields the names and values of a JSON object, in the order of the text, without checking it. Both are parts of
// object; a name that is written with escapes is yielded with them.
func Members(object []byte) iter.Seq2[[]byte, json.RawMessage] {
	return func(yield func([]byte, json.RawMessage) bool) {
		s := Skim(object)
		for name, ok := s.Member(); ok; name, ok = s.Member() {
			if value := s.Value(); len(value) == 0 || !yield(name, value) {
				return
			}
		}
	}
}

// Elements yields the elements of a JSON array without checking it.
func Elements(array []byte) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		for s := Skim(array); s.Element(); {
			if value := s.Value(); len(value) == 0 || !yield(value) {
				return
			}
		}
	}
}

// ItemSize is what ParseItem(item) would have as its Size, without building it.
func ItemSize(item []byte) int {
	s := Skim(item)
	size, _ := s.members(0)
	return size
}

// ValueSize is what ParseValue(value) would have as its Size, without building it.
func ValueSize(value []byte) int {
	s := Skim(value)
	return s.value(0)
}

// deepest is how deep sizes are looked for: deeper than what DynamoDB stores.
const deepest = 2 * (MaxDepth + 1)

// at passes white space and c; it reports false, and passes all, if anything else stands there.
func (s *Skimmer) at(c byte) bool {
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
func (s *Skimmer) text() []byte {
	if !s.at('"') {
		s.i = len(s.b)
		return nil
	}
	start := s.i
	s.i = passText(s.b, start-1)
	return s.b[start:max(start, s.i-1)]
}

// name passes the name of a member and its colon, and is the name, with its escapes, and its length without.
func (s *Skimmer) name() (name []byte, length int) {
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

func (s *Skimmer) members(depth int) (size, n int) {
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

func (s *Skimmer) value(depth int) (size int) {
	if end := plainEnd(s.b, s.i); end > 0 {
		text := s.b[s.i+6 : end]
		switch kind := s.b[s.i+2]; {
		case kind == 'S':
			s.i = end + 2
			return len(text)
		case kind == 'N' && plainDigits(text):
			s.i = end + 2
			return numberSize(lent(text))
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

func (s *Skimmer) elements(size func() int) (sum int) {
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
