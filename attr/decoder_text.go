package attr

import (
	"unicode/utf16"
	"unicode/utf8"
)

// quoted reads the string that begins here. The bytes belong to the data, or to d.text if there are escapes: they are
// valid until the next string.
func (d *Decoder) quoted() []byte {
	start := d.pos + 1
	if i := runEnd(d.data, start); i < len(d.data) {
		if d.data[i] == '"' {
			d.pos = i + 1
			return d.data[start:i]
		}
		return d.escaped(start, i)
	}
	d.pos = len(d.data)
	d.syntax("end of text in a string")
	return nil
}

// plain holds the bytes that stand for themselves in a string: no quote, backslash, control character, and ASCII.
var plain = func() (t [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// escaped goes on reading a string that began at start and has met its first byte that is not plain at i.
func (d *Decoder) escaped(start, i int) []byte {
	var out []byte // nil until the first escape
	from := start  // what is not in out yet
	fail := func(reason string) []byte {
		d.pos = min(i, len(d.data))
		d.syntax(reason)
		return nil
	}
	for i < len(d.data) {
		c := d.data[i]
		switch {
		case plain[c]:
			i++
		case c == '"':
			d.pos = i + 1
			if out == nil {
				return d.data[start:i]
			}
			out = append(out, d.data[from:i]...)
			d.text = out
			return out
		case c < ' ':
			return fail("control character in a string")
		case c != '\\':
			r, n := utf8.DecodeRune(d.data[i:])
			if r == utf8.RuneError && n <= 1 {
				return fail("bytes that are not UTF-8")
			}
			i += n
		default:
			if out == nil {
				out = d.text[:0]
			}
			out = append(out, d.data[from:i]...)
			i++
			if i == len(d.data) {
				return fail("end of text in a string")
			}
			switch c := d.data[i]; c {
			case '"', '\\', '/':
				out = append(out, c)
			case 'b':
				out = append(out, '\b')
			case 'f':
				out = append(out, '\f')
			case 'n':
				out = append(out, '\n')
			case 'r':
				out = append(out, '\r')
			case 't':
				out = append(out, '\t')
			case 'u':
				r, ok := hex4(d.data, i+1)
				if !ok {
					return fail("malformed \\u escape")
				}
				i += 4
				if utf16.IsSurrogate(r) {
					// Half a pair stands for nothing: U+FFFD, as in encoding/json.
					half := r
					r = utf8.RuneError
					if i+2 < len(d.data) && d.data[i+1] == '\\' && d.data[i+2] == 'u' {
						low, ok := hex4(d.data, i+3)
						if !ok {
							return fail("malformed \\u escape")
						}
						if whole := utf16.DecodeRune(half, low); whole != utf8.RuneError {
							r = whole
							i += 6
						}
					}
				}
				out = utf8.AppendRune(out, r)
			default:
				return fail("unknown escape in a string")
			}
			i++
			from = i
		}
	}
	return fail("end of text in a string")
}

func hex4(data []byte, i int) (rune, bool) {
	if len(data)-i < 4 {
		return 0, false
	}
	var r rune
	for _, c := range data[i : i+4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// numberEnd is where the JSON number at i ends, -1 if there is none, and whether it is an integer.
func numberEnd(data []byte, i int) (end int, integer bool) {
	digits := func() bool {
		start := i
		for i < len(data) && data[i]-'0' <= 9 {
			i++
		}
		return i > start
	}
	if i < len(data) && data[i] == '-' {
		i++
	}
	if i < len(data) && data[i] == '0' { // no other digit may follow a leading zero
		i++
	} else if !digits() {
		return -1, false
	}
	integer = true
	if i < len(data) && data[i] == '.' {
		i++
		integer = false
		if !digits() {
			return -1, false
		}
	}
	if i < len(data) && (data[i] == 'e' || data[i] == 'E') {
		i++
		integer = false
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		if !digits() {
			return -1, false
		}
	}
	return i, integer
}
