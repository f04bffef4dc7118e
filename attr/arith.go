package attr

import (
	"cmp"
	"strconv"
	"strings"
)

// Cmp orders by value: -1, 0 or 1. It allocates nothing.
func (n Number) Cmp(m Number) int {
	if sn, sm := n.Sign(), m.Sign(); sn != sm {
		return cmp.Compare(sn, sm)
	} else if sn < 0 {
		n, m = Number{m.s[1:]}, Number{n.s[1:]}
	}
	// Of two positive normal forms the one with more digits before the dot is larger; of as many, digits and dots stand
	// below each other and the text decides.
	if c := cmp.Compare(wholeDigits(n.s), wholeDigits(m.s)); c != 0 {
		return c
	}
	return strings.Compare(n.s, m.s)
}

func wholeDigits(s string) int {
	if dot := strings.IndexByte(s, '.'); dot >= 0 {
		return dot
	}
	return len(s)
}

// Neg is -n.
func (n Number) Neg() Number {
	switch n.Sign() {
	case 0:
		return n
	case -1:
		return Number{n.s[1:]}
	}
	return Number{"-" + n.s}
}

// Add is n + m, exactly; a *NumberError if the sum leaves DynamoDB's range or precision.
func (n Number) Add(m Number) (Number, error) { return add(n, m, false) }

// Sub is n - m, exactly; a *NumberError if the difference leaves DynamoDB's range or precision.
func (n Number) Sub(m Number) (Number, error) { return add(n, m, true) }

func add(n, m Number, negate bool) (Number, error) {
	a, b := n.String(), m.String()
	if sum, ok := addShort(a, b, negate); ok {
		return sum, nil
	}
	var x, y decimal
	x.read(a)
	y.read(b)
	y.neg = y.neg != negate
	return x.add(&y)
}

// shortDigits is how many digits a term of addShort may have: two terms of 18 digits never overflow an int64.
const shortDigits = 18

var pow10 = [shortDigits + 1]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// addShort adds ordinary numbers, those that are whole multiples of one power of ten below 10^18, in an int64.
func addShort(a, b string, negate bool) (Number, bool) {
	x, xd, ok := scaled(a)
	if !ok {
		return Number{}, false
	}
	y, yd, ok := scaled(b)
	if !ok {
		return Number{}, false
	}
	decimals := max(xd, yd)
	if len(a)-xd+decimals > shortDigits || len(b)-yd+decimals > shortDigits {
		return Number{}, false
	}
	x, y = x*pow10[decimals-xd], y*pow10[decimals-yd]
	if negate {
		y = -y
	}
	sum := x + y
	if decimals == 0 {
		return Int(sum), true
	}
	var text [24]byte
	neg := sum < 0
	if neg {
		sum = -sum
	}
	digits := strconv.AppendInt(text[:0], sum, 10)
	point := len(digits) - decimals
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	var buf [2*shortDigits + 4]byte
	return number(string(appendDigits(buf[:0], neg, digits, point))), true
}

// scaled is the value of a normal form without its dot, and how many decimals it has.
func scaled(s string) (coefficient int64, decimals int, ok bool) {
	if len(s) > shortDigits {
		return 0, 0, false
	}
	i, dot := 0, -1
	if s[0] == '-' {
		i = 1
	}
	for ; i < len(s); i++ {
		if s[i] == '.' {
			dot = i
			continue
		}
		coefficient = coefficient*10 + int64(s[i]-'0')
	}
	if dot >= 0 {
		decimals = len(s) - dot - 1
	}
	if s[0] == '-' {
		coefficient = -coefficient
	}
	return coefficient, decimals, true
}

// A decimal holds any Number, and any sum of two, digit by digit in columns: column c has the weight 10^(maxExponent-c).
type decimal struct {
	neg         bool
	first, past int // columns in use; none if equal
	column      [columns]byte
}

// columns reaches from one above the largest number, for a carry, down to the last digit of the smallest.
const (
	columns  = 1 + maxExponent + 1 - minExponent + MaxDigits
	unit     = 1 + maxExponent // the column of 10^0
	overflow = 0               // the column of the carry
)

// read takes the columns of a number in its normal form.
func (x *decimal) read(s string) {
	if s == "0" {
		x.first, x.past = unit, unit
		return
	}
	if s[0] == '-' {
		x.neg = true
		s = s[1:]
	}
	x.first = unit - wholeDigits(s) + 1
	x.past = x.first
	for i := range len(s) {
		if s[i] != '.' {
			x.column[x.past] = s[i] - '0'
			x.past++
		}
	}
}

// add adds in columns, as on paper; it uses x up.
func (x *decimal) add(y *decimal) (Number, error) {
	if x.neg != y.neg && x.less(y) {
		x, y = y, x
	}
	first, past := min(x.first, y.first), max(x.past, y.past)
	var carry int8
	for c := past - 1; c >= first; c-- {
		if x.neg == y.neg {
			sum := int8(x.column[c]+y.column[c]) + carry
			carry = 0
			if sum > 9 {
				sum, carry = sum-10, 1
			}
			x.column[c] = byte(sum)
		} else {
			sum := int8(x.column[c]) - int8(y.column[c]) - carry
			carry = 0
			if sum < 0 {
				sum, carry = sum+10, 1
			}
			x.column[c] = byte(sum)
		}
	}
	if carry > 0 { // only of a sum: in a difference x is the larger
		first--
		x.column[first] = 1
	}
	x.first, x.past = first, past
	return x.number()
}

// less compares magnitudes. Columns not in use are zero.
func (x *decimal) less(y *decimal) bool {
	for c := min(x.first, y.first); c < max(x.past, y.past); c++ {
		if x.column[c] != y.column[c] {
			return x.column[c] < y.column[c]
		}
	}
	return false
}

// number is the value in its normal form.
func (x *decimal) number() (Number, error) {
	first, past := x.first, x.past
	for first < past && x.column[first] == 0 {
		first++
	}
	for first < past && x.column[past-1] == 0 {
		past--
	}
	switch {
	case first == past:
		return Number{}, nil
	case first == overflow:
		return Number{}, &NumberError{Reason: ErrNumberOverflow}
	case unit-first < minExponent:
		return Number{}, &NumberError{Reason: ErrNumberUnderflow}
	case past-first > MaxDigits:
		return Number{}, &NumberError{Reason: ErrNumberPrecision}
	}
	digits := x.column[first:past]
	for i := range digits {
		digits[i] += '0'
	}
	var buf [maxNumberText]byte
	return Number{string(appendDigits(buf[:0], x.neg, digits, unit-first+1))}, nil
}
