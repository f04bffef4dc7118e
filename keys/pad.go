package keys

import (
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// appendPad writes a number given in its normal form: plain decimal, no superfluous zeros.
func (c Codec) appendPad(dst []byte, number string) ([]byte, error) {
	negative := number[0] == '-'
	if negative && c.signed {
		number = number[1:]
	}
	whole, fraction, _ := strings.Cut(number, ".")
	switch {
	case negative && !c.signed:
		return dst, c.refuse("takes numbers that are not negative")
	case len(whole) > int(c.digits):
		return dst, c.refuse("is too short for the number")
	case len(fraction) > int(c.decimals):
		return dst, c.refuse("has too few decimals for the number")
	}
	start := len(dst)
	if c.signed {
		dst = append(dst, '1')
	}
	for range int(c.digits) - len(whole) {
		dst = append(dst, '0')
	}
	dst = append(dst, whole...)
	if c.decimals > 0 {
		dst = append(dst, '.')
		dst = append(dst, fraction...)
		for range int(c.decimals) - len(fraction) {
			dst = append(dst, '0')
		}
	}
	if c.signed && negative {
		dst[start] = '0'
		invert(dst[start+1:])
	}
	if c.inverted {
		invert(dst[start:])
	}
	return dst, nil
}

func (c Codec) decodePad(s string) (attr.Value, error) {
	b := []byte(s)
	if len(b) != c.padWidth() {
		return attr.Value{}, c.refuse("did not write this text")
	}
	dot := len(b) - 1 - int(c.decimals)
	for i, d := range b {
		if i == dot && c.decimals > 0 {
			if d != '.' {
				return attr.Value{}, c.refuse("did not write this text")
			}
			continue
		}
		if d < '0' || d > '9' {
			return attr.Value{}, c.refuse("did not write this text")
		}
	}
	if c.inverted {
		invert(b)
	}
	negative := false
	if c.signed {
		negative = b[0] == '0'
		if b[0] > '1' {
			return attr.Value{}, c.refuse("did not write this text")
		}
		if b = b[1:]; negative {
			invert(b)
		}
	}
	n, err := attr.ParseNumber(string(b))
	if err != nil {
		return attr.Value{}, err
	}
	if negative {
		if n.Sign() == 0 {
			return attr.Value{}, c.refuse("did not write this text")
		}
		n = n.Neg()
	}
	return attr.Num(n), nil
}

func (c Codec) padWidth() int {
	n := int(c.digits)
	if c.signed {
		n++
	}
	if c.decimals > 0 {
		n += 1 + int(c.decimals)
	}
	return n
}
