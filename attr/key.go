package attr

import (
	"bytes"
	"errors"
	"strings"
)

// Keys in bytes that sort as DynamoDB sorts keys. Each component begins with a tag and ends itself, so that components
// written one behind the other compare like tuples, component by component, and none of them needs to be known to find
// the next:
//
//	S, B    tag, the bytes with 00 written 01 01 and 01 written 01 02, 00
//	N > 0   tag, exponent, pairs of digits, 00
//	N = 0   tag
//	N < 0   tag, and what the positive number has, each byte inverted
//
// A number is 0.PPP × 100^e with pairs of digits P from 1 (for 00) to 100 (for 99), the first and last of them not 00;
// the exponent byte is e+128. Tags leave room on both sides, so that 00 is before and ff behind every component: with one
// of them appended, the key of a partition bounds its items.
const (
	tagNegative = 0x10
	tagZero     = 0x11
	tagPositive = 0x12
	tagText     = 0x20
	tagBinary   = 0x30

	keyEnd       = 0x00
	keyEscape    = 0x01
	escapedEnd   = 0x01
	escapedSelf  = 0x02
	exponentBias = 128
)

// AppendKey appends v, an S, B or N, in a form whose bytes.Compare order is Compare's order, S and B by bytes, N by
// value. Several components can be appended one after another and then sort like tuples; a component never begins with
// 00 or ff. It panics on other types, which can not be keys. An N takes at most 23 bytes, S and B two bytes more than
// they have plus one for each byte 00 and 01.
func AppendKey(dst []byte, v Value) []byte {
	if v.kind == KindN {
		return appendNumberKey(dst, v.str)
	}
	return append(AppendKeyPrefix(dst, v), keyEnd)
}

// AppendKeyPrefix appends an S or B without its end: a prefix of the keys of exactly those values that begin with v. It
// panics on other types, which have no prefixes.
func AppendKeyPrefix(dst []byte, v Value) []byte {
	switch v.kind {
	case KindS:
		dst = append(dst, tagText)
	case KindB:
		dst = append(dst, tagBinary)
	default:
		panic("attr: no key of type " + v.kind.String())
	}
	from := 0
	for i := range len(v.str) {
		if c := v.str[i]; c <= keyEscape {
			dst = append(dst, v.str[from:i]...)
			dst = append(dst, keyEscape, c+1)
			from = i + 1
		}
	}
	return append(dst, v.str[from:]...)
}

func appendNumberKey(dst []byte, s string) []byte {
	if s == "0" {
		return append(dst, tagZero)
	}
	invert := byte(0)
	tag := byte(tagPositive)
	if s[0] == '-' {
		invert = 0xff
		tag = tagNegative
		s = s[1:]
	}
	var buf [maxNumberText + 2]byte
	digits, exponent := digitPairs(buf[:0], s)
	dst = append(dst, tag, byte(exponent+exponentBias)^invert)
	for i := 0; i < len(digits); i += 2 {
		pair := (digits[i]-'0')*10 + digits[i+1] - '0'
		dst = append(dst, (pair+1)^invert)
	}
	return append(dst, keyEnd^invert)
}

// digitPairs lays out the digits of a positive normal form so that the value is 0.digits × 100^exponent, their number is
// even, and neither the first two nor the last two are 00.
func digitPairs(buf []byte, s string) (digits []byte, exponent int) {
	whole, decimals, _ := strings.Cut(s, ".")
	if whole != "0" {
		if len(whole)%2 == 1 {
			buf = append(buf, '0')
		}
		buf = append(buf, whole...)
	}
	exponent = len(buf) / 2
	buf = append(buf, decimals...)
	if len(buf)%2 == 1 {
		buf = append(buf, '0')
	}
	for buf[0] == '0' && buf[1] == '0' {
		buf = buf[2:]
		exponent--
	}
	for buf[len(buf)-1] == '0' && buf[len(buf)-2] == '0' {
		buf = buf[:len(buf)-2]
	}
	return buf, exponent
}

// ErrKey says that bytes are not what AppendKey writes.
var ErrKey = errors.New("attr: malformed key")

// DecodeKey reads the first component of a key that AppendKey wrote and returns what follows it. It takes nothing that
// AppendKey would write in another way.
func DecodeKey(key []byte) (v Value, rest []byte, err error) {
	if len(key) == 0 {
		return Value{}, nil, ErrKey
	}
	switch key[0] {
	case tagZero:
		return Value{kind: KindN, str: "0"}, key[1:], nil
	case tagNegative, tagPositive:
		return decodeNumberKey(key)
	case tagText:
		v.kind = KindS
	case tagBinary:
		v.kind = KindB
	default:
		return Value{}, nil, ErrKey
	}
	key = key[1:]
	end := bytes.IndexByte(key, keyEnd)
	if end < 0 {
		return Value{}, nil, ErrKey
	}
	text, rest := key[:end], key[end+1:]
	if bytes.IndexByte(text, keyEscape) < 0 {
		v.str = string(text)
		return v, rest, nil
	}
	plain := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == keyEscape {
			i++
			if i == len(text) || text[i] != escapedEnd && text[i] != escapedSelf {
				return Value{}, nil, ErrKey
			}
			c = text[i] - 1
		}
		plain = append(plain, c)
	}
	v.str = string(plain)
	return v, rest, nil
}

func decodeNumberKey(key []byte) (Value, []byte, error) {
	neg := key[0] == tagNegative
	invert := byte(0)
	if neg {
		invert = 0xff
	}
	if len(key) < 2 {
		return Value{}, nil, ErrKey
	}
	exponent := int(key[1]^invert) - exponentBias
	var buf [MaxDigits + 2]byte // 20 pairs
	digits := buf[:0]
	for i := 2; i < len(key); i++ {
		c := key[i] ^ invert
		if c == keyEnd {
			normal, ok := pairsToNormal(neg, digits, exponent)
			if !ok {
				return Value{}, nil, ErrKey
			}
			return Value{kind: KindN, str: normal}, key[i+1:], nil
		}
		if c > 100 || len(digits) == cap(digits) {
			return Value{}, nil, ErrKey
		}
		digits = append(digits, (c-1)/10+'0', (c-1)%10+'0')
	}
	return Value{}, nil, ErrKey
}

// pairsToNormal undoes digitPairs.
func pairsToNormal(neg bool, digits []byte, exponent int) (string, bool) {
	n := len(digits)
	if n == 0 || string(digits[:2]) == "00" || string(digits[n-2:]) == "00" {
		return "", false
	}
	point := 2 * exponent
	if digits[0] == '0' {
		digits = digits[1:]
		point--
	}
	digits = bytes.TrimRight(digits, "0")
	if first := point - 1; len(digits) > MaxDigits || first > maxExponent || first < minExponent {
		return "", false
	}
	var buf [maxNumberText]byte
	return string(appendDigits(buf[:0], neg, digits, point)), true
}
