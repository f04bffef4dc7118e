package jsonscan

import (
	"bytes"
	"errors"
	"strconv"
	"unicode/utf8"
)

// ErrSyntax says that the text is no JSON where it was looked at.
var ErrSyntax = errors.New("jsonscan: not well-formed JSON")

// Space is the index of the first byte at or after i that is no white space.
func Space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// Skip is the index after the value that begins at i, which may be preceded by white space.
func Skip(b []byte, i int) (int, error) {
	i = Space(b, i)
	if i >= len(b) {
		return 0, ErrSyntax
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipNested(b, i)
	}
	j := i
	for j < len(b) {
		switch b[j] {
		case ',', '}', ']', ' ', '\t', '\n', '\r':
			if j == i {
				return 0, ErrSyntax
			}
			return j, nil
		}
		j++
	}
	return j, nil
}

// skipString expects b[i] to be the opening quote.
func skipString(b []byte, i int) (int, error) {
	i++
	for {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return 0, ErrSyntax
		}
		end := i + n
		if n == 0 || b[end-1] != '\\' {
			return end + 1, nil
		}
		slashes := 0
		for j := end - 1; j >= i && b[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 0 {
			return end + 1, nil
		}
		i = end + 1
	}
}

func skipNested(b []byte, i int) (int, error) {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			end, err := skipString(b, i)
			if err != nil {
				return 0, err
			}
			i = end
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1, nil
			}
		}
		i++
	}
	return 0, ErrSyntax
}

// Members calls f for every member of the object that begins at i: its name as written between the quotes (escapes
// left in) and the value's place. It returns the index after the object. An error of f ends the walk and is returned.
func Members(b []byte, i int, f func(name []byte, start, end int) error) (int, error) {
	i = Space(b, i)
	if i >= len(b) || b[i] != '{' {
		return 0, ErrSyntax
	}
	i = Space(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1, nil
	}
	for {
		i = Space(b, i)
		if i >= len(b) || b[i] != '"' {
			return 0, ErrSyntax
		}
		end, err := skipString(b, i)
		if err != nil {
			return 0, err
		}
		name := b[i+1 : end-1]
		i = Space(b, end)
		if i >= len(b) || b[i] != ':' {
			return 0, ErrSyntax
		}
		start := Space(b, i+1)
		if end, err = Skip(b, start); err != nil {
			return 0, err
		}
		if err := f(name, start, end); err != nil {
			return 0, err
		}
		i = Space(b, end)
		if i >= len(b) {
			return 0, ErrSyntax
		}
		switch b[i] {
		case ',':
			i++
		case '}':
			return i + 1, nil
		default:
			return 0, ErrSyntax
		}
	}
}

// Elements calls f for every element of the array that begins at i with the element's place, and returns the index
// after the array. An error of f ends the walk and is returned.
func Elements(b []byte, i int, f func(start, end int) error) (int, error) {
	i = Space(b, i)
	if i >= len(b) || b[i] != '[' {
		return 0, ErrSyntax
	}
	i = Space(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1, nil
	}
	for {
		start := Space(b, i)
		end, err := Skip(b, start)
		if err != nil {
			return 0, err
		}
		if err := f(start, end); err != nil {
			return 0, err
		}
		i = Space(b, end)
		if i >= len(b) {
			return 0, ErrSyntax
		}
		switch b[i] {
		case ',':
			i++
		case ']':
			return i + 1, nil
		default:
			return 0, ErrSyntax
		}
	}
}

// String is the text of a JSON string value, quotes included in b.
func String(b []byte) (string, error) {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return "", ErrSyntax
	}
	if bytes.IndexByte(b, '\\') < 0 && utf8.Valid(b) {
		return string(b[1 : len(b)-1]), nil
	}
	return unescape(b[1 : len(b)-1])
}

// unescape reads what stands between the quotes.
func unescape(b []byte) (string, error) {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		if b[i] != '\\' {
			r, n := utf8.DecodeRune(b[i:])
			out = utf8.AppendRune(out, r)
			i += n
			continue
		}
		if i+1 >= len(b) {
			return "", ErrSyntax
		}
		i += 2
		switch b[i-1] {
		case '"', '\\', '/':
			out = append(out, b[i-1])
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
			r, n := unit(b, i)
			if n == 0 {
				return "", ErrSyntax
			}
			i += n
			if 0xD800 <= r && r < 0xDC00 && i+1 < len(b) && b[i] == '\\' && b[i+1] == 'u' {
				if low, n := unit(b, i+2); n != 0 && 0xDC00 <= low && low < 0xE000 {
					r = (r-0xD800)<<10 | (low - 0xDC00) + 0x10000
					i += 2 + n
				}
			}
			out = utf8.AppendRune(out, r) // half a pair alone becomes U+FFFD
		default:
			return "", ErrSyntax
		}
	}
	return string(out), nil
}

func unit(b []byte, i int) (rune, int) {
	if i+4 > len(b) {
		return 0, 0
	}
	n, err := strconv.ParseUint(string(b[i:i+4]), 16, 32)
	if err != nil {
		return 0, 0
	}
	return rune(n), 4
}

const hex = "0123456789abcdef"

// AppendString appends s as a JSON string. Bytes that are no UTF-8 become U+FFFD, as encoding/json writes them.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' {
				i++
				continue
			}
			dst = append(dst, s[from:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\n':
				dst = append(dst, '\\', 'n')
			default:
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			from = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, s[from:i]...)
			dst = append(dst, "\uFFFD"...)
			i++
			from = i
			continue
		}
		i += n
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}
