package attr

import (
	"encoding/base64"
	"strconv"
	"unicode/utf8"
)

// AppendValue appends v in DynamoDB JSON ({"S":"text"}) to dst. Bytes of a text that are not UTF-8 become U+FFFD, as in
// encoding/json. The zero Value, which no service takes, is {}.
func AppendValue(dst []byte, v Value) []byte {
	if v.kind == 0 {
		return append(dst, "{}"...)
	}
	dst = append(dst, '{', '"')
	dst = append(dst, v.kind.String()...)
	dst = append(dst, '"', ':')
	switch v.kind {
	case KindBOOL:
		dst = strconv.AppendBool(dst, v.flag)
	case KindNULL:
		dst = append(dst, "true"...)
	case KindM:
		dst = AppendItem(dst, v.Map())
	case KindL:
		dst = append(dst, '[')
		for i, e := range v.Elems() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendValue(dst, e)
		}
		dst = append(dst, ']')
	case KindSS, KindNS, KindBS:
		dst = append(dst, '[')
		for i, e := range v.Elems() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendScalar(dst, e)
		}
		dst = append(dst, ']')
	default:
		dst = appendScalar(dst, v)
	}
	return append(dst, '}')
}

// appendScalar appends the bare string that stands for an S, N or B.
func appendScalar(dst []byte, v Value) []byte {
	switch v.kind {
	case KindB:
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, []byte(v.str))
		return append(dst, '"')
	case KindN: // digits, dot and sign need no look
		dst = append(dst, '"')
		dst = append(dst, v.str...)
		return append(dst, '"')
	}
	return AppendText(dst, v.str)
}

// AppendItem appends the item in DynamoDB JSON, attributes in the order of their names, to dst.
func AppendItem(dst []byte, it Item) []byte {
	dst = append(dst, '{')
	for i := range it.fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendText(dst, it.fields[i].Name)
		dst = append(dst, ':')
		dst = AppendValue(dst, it.fields[i].Value)
	}
	return append(dst, '}')
}

// AppendText appends s as a JSON string: quotes, backslashes and control characters are escaped, bytes that are not UTF-8
// become U+FFFD, and everything else is written as it is.
func AppendText(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plain[c] {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(dst, s[from:i]...)
				dst = append(dst, "\ufffd"...)
				from = i + 1
			}
			i += n
			continue
		}
		dst = append(dst, s[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// String is the value in DynamoDB JSON, for people and tests; see Str for the text of an S.
func (v Value) String() string { return string(AppendValue(nil, v)) }

// MarshalJSON is AppendValue.
func (v Value) MarshalJSON() ([]byte, error) { return AppendValue(nil, v), nil }

// UnmarshalJSON is ParseValue.
func (v *Value) UnmarshalJSON(data []byte) (err error) {
	*v, err = ParseValue(data)
	return err
}

// String is the item in DynamoDB JSON, for people and tests.
func (it Item) String() string { return string(AppendItem(nil, it)) }

// MarshalJSON is AppendItem.
func (it Item) MarshalJSON() ([]byte, error) { return AppendItem(nil, it), nil }

// UnmarshalJSON is ParseItem.
func (it *Item) UnmarshalJSON(data []byte) (err error) {
	*it, err = ParseItem(data)
	return err
}
