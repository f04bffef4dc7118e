package attr

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/bits"
)

// Lookup reads one attribute of an item in DynamoDB JSON and passes over the rest without building anything: for
// questions about an item that will be answered as it is. It is false if the item has no such attribute. The text must be
// an item that AppendItem wrote or ParseItem took; of a damaged one the answer is undefined (it never panics).
func Lookup(item []byte, name string) (Value, bool) {
	raw := LookupRaw(item, name)
	if raw == nil {
		return Value{}, false
	}
	v, err := ParseValue(raw)
	return v, err == nil
}

// LookupRaw is Lookup without reading the value: its text ({"S":"text"}), a part of item, or nil.
func LookupRaw(item []byte, name string) json.RawMessage {
	var found json.RawMessage
	s := Skim(item)
	for is, ok := s.memberIs(name); ok; is, ok = s.memberIs(name) {
		value := s.Value()
		if len(value) == 0 {
			break
		}
		if is {
			found = value // the last one of a name counts
		}
	}
	return found
}

// memberIs is Member, told whether it has a name.
func (s *Skimmer) memberIs(name string) (is, ok bool) {
	got, ok := s.Member()
	if len(got) > len(name) && bytes.IndexByte(got, '\\') >= 0 {
		return unescaped(got) == name, ok
	}
	return string(got) == name, ok
}

// unescaped is a name without its escapes.
func unescaped(name []byte) string {
	d := Decoder{data: append(append([]byte{'"'}, name...), '"')}
	return string(d.TextBytes())
}

func space(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\t' || data[i] == '\n' || data[i] == '\r') {
		i++
	}
	return i
}

// passValue is where the JSON value at i ends, found by quotes and brackets alone.
func passValue(data []byte, i int) int {
	for ; i < len(data); i++ {
		switch data[i] {
		case '"':
			return passText(data, i)
		case '{':
			if end := plainEnd(data, i); end > 0 {
				return end + 2
			}
			return passNested(data, i+1)
		case '[':
			return passNested(data, i+1)
		case '}', ']', ',', ' ', '\t', '\n', '\r': // behind a number or word
			return i
		}
	}
	return i
}

// plainEnd is where the text ends within an attribute's value that begins at i, if it is what nearly all are: a text or number,
// written without spaces or escapes, {"S":"text"}. It is 0 of any other.
func plainEnd(data []byte, i int) int {
	if len(data)-i > 6 && data[i] == '{' && data[i+1] == '"' && data[i+3] == '"' && data[i+4] == ':' && data[i+5] == '"' {
		if end, escapes := quoteFrom(data, i+6); end > 0 && !escapes && end+1 < len(data) && data[end+1] == '}' {
			return end
		}
	}
	return 0
}

// passNested is where the object or array ends whose first bracket stands before i. Eight bytes are looked at at once, unless there is
// a backslash among them, or the end may be.
func passNested(data []byte, i int) int {
	depth := 1
	for within := uint64(0); i < len(data); { // a text: 1 if i is
		if len(data)-i >= 8 {
			w := binary.LittleEndian.Uint64(data[i:])
			texts := zeros(w^'"'*ones)>>7*ones + within*ones&ones // odd, in its lowest bit, where so many quotes stood before
			brackets := w | 0x20*ones                             // [ and ] are { and } without this bit
			opened, closed := zeros(brackets^'{'*ones)>>7&^texts, zeros(brackets^'}'*ones)>>7&^texts
			if n := bits.OnesCount64(closed); n < depth && zeros(w^'\\'*ones) == 0 {
				depth += bits.OnesCount64(opened) - n
				within = texts >> 56 & 1
				i += 8
				continue
			}
		}
		for stop := i + 8; i < stop && i < len(data); i++ {
			switch c := data[i]; {
			case c == '"' || within != 0:
				i = passText(data, i-int(within)) - 1
				within = 0
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	return len(data)
}

// zeros has the highest bit set of every byte that is 0.
func zeros(w uint64) uint64 {
	const lows = ^uint64(highs)
	return ^(w&lows + lows | w | lows)
}

// passText is where the string at i ends, its quote included.
func passText(data []byte, i int) int {
	i++
	if end, escapes := quoteFrom(data, i); end >= 0 && !escapes {
		return end + 1
	}
	for {
		n := bytes.IndexByte(data[min(i, len(data)):], '"')
		if n < 0 {
			return len(data)
		}
		quote := i + n
		back := quote
		for back > i && data[back-1] == '\\' {
			back--
		}
		i = quote + 1
		if (quote-back)%2 == 0 {
			return i
		}
	}
}

// quoteFrom is where the first quote from i on is, -1 if there is none, unless there are escapes: then there is a backslash before it.
// Most texts are short: looking at eight bytes at once is quicker there than what is made for long ones; see runEnd.
func quoteFrom(data []byte, i int) (quote int, escapes bool) {
	const short = 64
	end := i + short
	for ; i < end && len(data)-i >= 8; i += 8 {
		w := binary.LittleEndian.Uint64(data[i:])
		quote, slash := w^'"'*ones, w^'\\'*ones
		if m := ((quote-ones)&^quote | (slash-ones)&^slash) & highs; m != 0 {
			i += bits.TrailingZeros64(m) / 8
			return i, data[i] == '\\'
		}
	}
	for ; i < end && i < len(data); i++ {
		if c := data[i]; c == '"' || c == '\\' {
			return i, c == '\\'
		}
	}
	if i >= len(data) {
		return -1, false
	}
	n := bytes.IndexByte(data[i:], '"')
	if n < 0 {
		return -1, false
	}
	return i + n, bytes.IndexByte(data[i:i+n], '\\') >= 0
}
