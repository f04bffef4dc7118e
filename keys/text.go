package keys

import (
	"errors"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// Escape is the byte that begins an escaped one in text. A separator after text begins with a smaller byte.
const Escape = '$'

// Separator is the byte that by custom stands between parts of a key.
const Separator = '#'

const hexDigits = "0123456789ABCDEF"

// AppendText writes s behind dst with the bytes 00 to 24 hex (controls, space, ! " # $) as $ and two hex digits. The
// rest stays as it is, so most keys read as their values. What it writes sorts as s does, also with a Separator behind.
func AppendText(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if b := s[i]; b > Escape {
			dst = append(dst, b)
		} else {
			dst = append(dst, Escape, hexDigits[b>>4], hexDigits[b&15])
		}
	}
	return dst
}

var errEscape = errors.New("keys: no text of codec text")

// DecodeText reads back what AppendText wrote; it fails on everything else.
func DecodeText(s string) (string, error) {
	for i := 0; ; i++ {
		if i == len(s) {
			return s, nil // nothing escaped
		}
		if s[i] <= Escape {
			break
		}
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		b := s[i]
		switch {
		case b < Escape:
			return "", errEscape
		case b == Escape:
			if i+2 >= len(s) {
				return "", errEscape
			}
			high, low := strings.IndexByte(hexDigits, s[i+1]), strings.IndexByte(hexDigits, s[i+2])
			if high < 0 || low < 0 || high<<4|low > Escape {
				return "", errEscape
			}
			b, i = byte(high<<4|low), i+2
		}
		out = append(out, b)
	}
	return string(out), nil
}

// Composite is the key of several strings: each as text, with a Separator between. Keys compare as the lists of strings
// do, element by element, and no two lists but the empty one and the one of a single empty string give the same key.
func Composite(parts ...string) string {
	var dst []byte
	for i, p := range parts {
		if i > 0 {
			dst = append(dst, Separator)
		}
		dst = AppendText(dst, p)
	}
	return string(dst)
}

// Split reads the strings of a Composite back, at least one.
func Split(key string) ([]string, error) {
	parts := strings.Split(key, string(Separator))
	for i, p := range parts {
		s, err := DecodeText(p)
		if err != nil {
			return nil, err
		}
		parts[i] = s
	}
	return parts, nil
}

func (c Codec) appendText(dst []byte, s string) []byte {
	switch c.base {
	case raw:
		return append(dst, s...)
	case lower:
		s = strings.ToLower(s)
	}
	return AppendText(dst, s)
}

func (c Codec) decodeText(s string) (attr.Value, error) {
	t, err := DecodeText(s)
	if err != nil {
		return attr.Value{}, err
	}
	return attr.Text(t), nil
}
