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
		return dst, c.outside("takes numbers that are not negative")
	case len(whole) > int(c.digits):
		return dst, c.outside("is too short for the number")
	case len(fraction) > int(c.decimals):
		return dst, c.outside("has too few decimals for the number")
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

// Nearest is the number next to one that the codec writes: the least that is not below it if up, else the greatest that is not
// above it. It is false if there is none: nothing that is written lies on that side. Of what is no number, and of a codec
// that writes none with digits, it is the value itself. An end of a range need not be a value that is ever stored.
func (c Codec) Nearest(v attr.Value, up bool) (attr.Value, bool) {
	if c.base != pad || v.Kind() != attr.KindN {
		return v, true
	}
	most := attr.Dec(strings.Repeat("9", int(c.digits)) + strings.TrimSuffix("."+strings.Repeat("9", int(c.decimals)), "."))
	least := attr.Int(0)
	if c.signed {
		least = most.Neg()
	}
	n := v.Number()
	switch {
	case n.Cmp(least) < 0:
		return attr.Num(least), up
	case n.Cmp(most) > 0:
		return attr.Num(most), !up
	}
	whole, fraction, _ := strings.Cut(n.String(), ".")
	if len(fraction) <= int(c.decimals) {
		return v, true
	}
	cut := attr.Dec(strings.TrimSuffix(whole+"."+fraction[:c.decimals], ".")) // towards 0
	if up == (n.Sign() > 0) {
		step := attr.Dec("1")
		if c.decimals > 0 {
			step = attr.Dec("0." + strings.Repeat("0", int(c.decimals)-1) + "1")
		}
		if !up {
			step = step.Neg()
		}
		cut, _ = cut.Add(step) // within the digits that it has
	}
	return attr.Num(cut), true
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
