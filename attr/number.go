package attr

import (
	"strconv"
	"strings"
)

// Number is an exact decimal within DynamoDB's range: up to 38 significant digits, magnitude 1E-130 to
// 9.99…E+125, or zero. It is held in DynamoDB's normal form (plain decimal text, as the service answers it), so
// that == is equality of value, and printing costs nothing. The zero Number is 0.
type Number struct{ s string } // normal form; "" for 0

// The limits of a Number, from the page HowItWorks.NamingRulesDataTypes of the developer guide.
const (
	MaxDigits   = 38   // significant digits
	maxExponent = 125  // of the first significant digit
	minExponent = -130 // of the first significant digit
)

// maxNumberText is the longest normal form: sign, "0.", 129 zeros, 38 digits.
const maxNumberText = 1 + 2 + (-minExponent - 1) + MaxDigits

// Errors of ParseNumber and of arithmetic; their texts are DynamoDB's.
var (
	ErrNumberSyntax    error = serviceText("The parameter cannot be converted to a numeric value")
	ErrNumberPrecision error = serviceText("Attempting to store more than 38 significant digits in a Number")
	ErrNumberOverflow  error = serviceText("Number overflow. Attempting to store a number with magnitude larger than supported range")
	ErrNumberUnderflow error = serviceText("Number underflow. Attempting to store a number with magnitude smaller than supported range")
)

// A serviceText is an error in the service's own words.
type serviceText string

func (t serviceText) Error() string { return string(t) }

// A NumberError says why a text is no Number. Its text is what DynamoDB answers in a ValidationException; errors.Is
// tells the four reasons apart.
type NumberError struct {
	Text   string // what was to be read; "" for the result of arithmetic
	Reason error  // ErrNumberSyntax, ErrNumberPrecision, ErrNumberOverflow or ErrNumberUnderflow
}

// Error is DynamoDB's message: of a text that is no number it repeats the text, of a number out of range it does not.
func (e *NumberError) Error() string {
	if e.Reason == ErrNumberSyntax && e.Text != "" {
		return e.Reason.Error() + ": " + e.Text
	}
	return e.Reason.Error()
}

// Unwrap is the reason.
func (e *NumberError) Unwrap() error { return e.Reason }

// ParseNumber reads a decimal as DynamoDB does: an optional sign, digits with at most one dot, an optional exponent
// ("+5", ".5", "5." and "007" are numbers; blanks, "1e", "1_000", "0x1" and "NaN" are not). The error is a *NumberError.
func ParseNumber(text string) (Number, error) {
	if isNormal(text) {
		return number(text), nil
	}
	var buf [maxNumberText]byte
	b, err := appendNormal(buf[:0], text)
	if err != nil {
		return Number{}, &NumberError{Text: text, Reason: err}
	}
	return number(string(b)), nil
}

// number makes a Number of a text in normal form.
func number(normal string) Number {
	if normal == "0" {
		return Number{}
	}
	return Number{normal}
}

// isNormal reports whether text is a normal form of so few digits that neither precision nor range need a look. It is
// the fast path of parsing: the numbers that DynamoDB answers, and nearly all that it is sent, pass.
func isNormal[T string | []byte](text T) bool {
	i := 0
	if len(text) > 0 && text[0] == '-' {
		i = 1
	}
	digits := len(text) - i
	if digits == 0 || digits > MaxDigits {
		return false
	}
	if text[i] == '0' {
		if digits == 1 {
			return i == 0 // "-0" is written 0
		}
		if text[i+1] != '.' {
			return false
		}
	}
	dot := -1
	for j := i; j < len(text); j++ {
		if c := text[j]; c-'0' > 9 {
			if c != '.' || dot >= 0 || j == i {
				return false
			}
			dot = j
		}
	}
	last := text[len(text)-1]
	return dot < 0 || last != '.' && last != '0'
}

// appendNormal appends the normal form of any text that is a number, or tells which of the four errors it is.
func appendNormal[T string | []byte](dst []byte, text T) ([]byte, error) {
	var (
		digits [MaxDigits]byte
		n      int  // digits kept, from the first significant one
		point  int  // the value is 0.digits × 10^point
		more   bool // a significant digit did not fit
		any    bool // there is a digit at all
		dot    bool
		neg    bool
		i      int
	)
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		neg = text[0] == '-'
		i = 1
	}
scan:
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '.':
			if dot {
				return dst, ErrNumberSyntax
			}
			dot = true
		case c-'0' <= 9:
			any = true
			if n == 0 && c == '0' { // a leading zero
				if dot {
					point--
				}
				continue
			}
			if !dot {
				point++
			}
			if n < MaxDigits {
				digits[n] = c
				n++
			} else if c != '0' {
				more = true
			}
		default:
			break scan
		}
	}
	if !any {
		return dst, ErrNumberSyntax
	}
	exp, ok := parseExponent(text, i)
	if !ok {
		return dst, ErrNumberSyntax
	}
	for n > 0 && digits[n-1] == '0' {
		n--
	}
	if n == 0 {
		// A zero far out of range, such as 0e1000, was stored as 0 for years and is refused since about 2025-09
		// (scylladb/scylladb issue 26079, observed on AWS).
		point = 1
	}
	switch first := point + exp - 1; {
	case first > maxExponent:
		return dst, ErrNumberOverflow
	case first < minExponent:
		return dst, ErrNumberUnderflow
	case more:
		return dst, ErrNumberPrecision
	}
	return appendDigits(dst, neg, digits[:n], point+exp), nil
}

// parseExponent reads what follows the digits: nothing, or e, a sign and digits. Beyond what could make any difference
// the exponent is cut, so that it cannot overflow.
func parseExponent[T string | []byte](text T, i int) (int, bool) {
	if i == len(text) {
		return 0, true
	}
	if text[i] != 'e' && text[i] != 'E' {
		return 0, false
	}
	i++
	neg := false
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		neg = text[i] == '-'
		i++
	}
	if i == len(text) {
		return 0, false
	}
	exp := 0
	for ; i < len(text); i++ {
		c := text[i] - '0'
		if c > 9 {
			return 0, false
		}
		if exp < 1e8 { // far beyond every number, also where an int has 32 bits
			exp = exp*10 + int(c)
		}
	}
	if neg {
		exp = -exp
	}
	return exp, true
}

// appendDigits appends the normal form of ±0.digits × 10^point. The digits are text and begin and end with one that is
// not '0'; no digits are 0.
func appendDigits(dst []byte, neg bool, digits []byte, point int) []byte {
	if len(digits) == 0 {
		return append(dst, '0')
	}
	if neg {
		dst = append(dst, '-')
	}
	switch {
	case point <= 0:
		dst = append(dst, "0."...)
		dst = appendZeros(dst, -point)
		dst = append(dst, digits...)
	case point >= len(digits):
		dst = append(dst, digits...)
		dst = appendZeros(dst, point-len(digits))
	default:
		dst = append(dst, digits[:point]...)
		dst = append(dst, '.')
		dst = append(dst, digits[point:]...)
	}
	return dst
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}

// Int makes a Number of n.
func Int(n int64) Number { return number(strconv.FormatInt(n, 10)) }

// Uint makes a Number of n.
func Uint(n uint64) Number { return number(strconv.FormatUint(n, 10)) }

// Float makes a Number of the shortest decimal that reads back as f, as encoding/json prints it. NaN, infinities and
// magnitudes out of range are a *NumberError.
func Float(f float64) (Number, error) {
	var buf [32]byte
	return ParseNumber(string(strconv.AppendFloat(buf[:0], f, 'e', -1, 64)))
}

// Dec parses a decimal constant; it panics on text that is no number.
func Dec(text string) Number {
	n, err := ParseNumber(text)
	if err != nil {
		panic("attr: " + err.Error() + ": " + text)
	}
	return n
}

// String is the normal form: plain decimal without exponent, without superfluous zeros, at most 170 bytes.
func (n Number) String() string {
	if n.s == "" {
		return "0"
	}
	return n.s
}

// Sign is -1, 0 or 1.
func (n Number) Sign() int {
	switch {
	case n.s == "":
		return 0
	case n.s[0] == '-':
		return -1
	}
	return 1
}

// Int64 is n as an integer; false if n has decimals or does not fit.
func (n Number) Int64() (int64, bool) {
	i, err := strconv.ParseInt(n.String(), 10, 64)
	return i, err == nil
}

// Uint64 is n as an integer without sign; false if n is negative, has decimals or does not fit.
func (n Number) Uint64() (uint64, bool) {
	i, err := strconv.ParseUint(n.String(), 10, 64)
	return i, err == nil
}

// Float64 is the nearest float64. Digits beyond the sixteenth or so are lost.
func (n Number) Float64() float64 {
	f, _ := strconv.ParseFloat(n.String(), 64)
	return f
}

// MarshalJSON writes a JSON number.
func (n Number) MarshalJSON() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalJSON reads a JSON number, or a string that holds one, which keeps digits in readers that know only float64.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	return n.UnmarshalText([]byte(strings.Trim(string(text), `"`)))
}

// MarshalText writes the normal form.
func (n Number) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText reads what ParseNumber reads.
func (n *Number) UnmarshalText(text []byte) (err error) {
	*n, err = ParseNumber(string(text))
	return err
}
