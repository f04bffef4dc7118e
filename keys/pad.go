package keys

import (
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// appendPad writes a number given in its normal form: plain decimal, no superfluous zeros.
func (c Codec) appendPad(dst []byte, number string) ([]byte, error) {
	whole, fraction, _ := strings.Cut(number, ".")
	switch {
	case number[0] == '-':
		return dst, c.refuse("takes numbers that are not negative")
	case len(whole) > int(c.digits):
		return dst, c.refuse("is too short for the number")
	case len(fraction) > int(c.decimals):
		return dst, c.refuse("has too few decimals for the number")
	}
	start := len(dst)
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
	for i, d := range b {
		if i == int(c.digits) && d == '.' {
			continue // padWidth is larger than digits only with decimals
		}
		if d < '0' || d > '9' || i == int(c.digits) {
			return attr.Value{}, c.refuse("did not write this text")
		}
	}
	if c.inverted {
		invert(b)
	}
	n, err := attr.ParseNumber(string(b))
	if err != nil {
		return attr.Value{}, err
	}
	return attr.Num(n), nil
}

func (c Codec) padWidth() int {
	if c.decimals == 0 {
		return int(c.digits)
	}
	return int(c.digits) + 1 + int(c.decimals)
}
