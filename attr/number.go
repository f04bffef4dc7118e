package attr

import (
	"errors"
	"math/big"
	"strings"
)

// Number is an exact decimal within DynamoDB's range: up to 38 significant digits, magnitude 1E-130 to
// 9.99…E+125, or zero. It is held in DynamoDB's normal form (plain decimal text, as the service answers it), so
// that == is equality of value. The zero Number is 0.
type Number struct{ s string }

// Errors of ParseNumber; their texts are DynamoDB's.
var (
	ErrNumberSyntax    = errors.New("The parameter cannot be converted to a numeric value")
	ErrNumberPrecision = errors.New("Attempting to store more than 38 significant digits in a Number")
	ErrNumberOverflow  = errors.New("Number overflow. Attempting to store a number with magnitude larger than supported range")
	ErrNumberUnderflow = errors.New("Number underflow. Attempting to store a number with magnitude smaller than supported range")
)

// ParseNumber reads a decimal as DynamoDB does: an optional sign, digits with at most one dot, an optional exponent.
func ParseNumber(text string) (Number, error) {
	r, ok := new(big.Rat).SetString(text)
	if !ok || strings.ContainsAny(text, "/_xXpP ") {
		return Number{}, ErrNumberSyntax
	}
	s := r.FloatString(130)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "0" || s == "-0" {
		s = ""
	}
	return Number{s}, nil
}

// Int makes a Number of n.
func Int(n int64) Number {
	if n == 0 {
		return Number{}
	}
	return Number{big.NewInt(n).String()}
}

// Dec parses a decimal constant; it panics on text that is no number.
func Dec(text string) Number {
	n, err := ParseNumber(text)
	if err != nil {
		panic("attr: " + err.Error() + ": " + text)
	}
	return n
}

// String is the normal form: plain decimal without exponent, without superfluous zeros.
func (n Number) String() string {
	if n.s == "" {
		return "0"
	}
	return n.s
}

func (n Number) rat() *big.Rat { r, _ := new(big.Rat).SetString(n.String()); return r }

// Cmp orders by value: -1, 0 or 1.
func (n Number) Cmp(m Number) int { return n.rat().Cmp(m.rat()) }

// Sign is -1, 0 or 1.
func (n Number) Sign() int { return n.rat().Sign() }

// Add is n + m; an error if the sum leaves DynamoDB's range or precision.
func (n Number) Add(m Number) (Number, error) {
	return ParseNumber(new(big.Rat).Add(n.rat(), m.rat()).FloatString(130))
}

// Sub is n - m; an error if the difference leaves DynamoDB's range or precision.
func (n Number) Sub(m Number) (Number, error) {
	return ParseNumber(new(big.Rat).Sub(n.rat(), m.rat()).FloatString(130))
}

// Neg is -n.
func (n Number) Neg() Number {
	m, _ := ParseNumber(new(big.Rat).Neg(n.rat()).FloatString(130))
	return m
}

// Int64 is n as an integer; false if n has decimals or does not fit.
func (n Number) Int64() (int64, bool) {
	r := n.rat()
	if !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}

// Float64 is the nearest float64.
func (n Number) Float64() float64 { f, _ := n.rat().Float64(); return f }
