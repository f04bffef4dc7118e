package attr_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/norace"
)

func TestParseNumber(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"0", "0"}, {"-0", "0"}, {"+0", "0"}, {"000", "0"}, {"0.000", "0"}, {".0", "0"}, {"-0.0e5", "0"}, {"0e125", "0"}, {"0e-130", "0"},
		{"7", "7"}, {"007", "7"}, {"+5", "5"}, {"-5", "-5"}, {".5", "0.5"}, {"5.", "5"}, {"-.5", "-0.5"},
		{"1.50", "1.5"}, {"100", "100"}, {"1E3", "1000"}, {"1e+2", "100"}, {"12.5e1", "125"}, {"12.5e-3", "0.0125"}, {"1200e-2", "12"},
		{"0.001", "0.001"}, {"10.0", "10"}, {"1234567890.0987654321", "1234567890.0987654321"},
		{"1e-130", "0." + strings.Repeat("0", 129) + "1"},
		{"1e125", "1" + strings.Repeat("0", 125)},
		{"0.1e126", "1" + strings.Repeat("0", 125)},
		{"9.9999999999999999999999999999999999999E+125", strings.Repeat("9", 38) + strings.Repeat("0", 88)},
		{"-9.9999999999999999999999999999999999999E+125", "-" + strings.Repeat("9", 38) + strings.Repeat("0", 88)},
		{"1.2345678901234567890123456789012345678e-130", "0." + strings.Repeat("0", 129) + "12345678901234567890123456789012345678"},
		{"12345678901234567890123456789012345678", "12345678901234567890123456789012345678"},
		{"000000000000000000000000000000000000000000000000001", "1"},
		{"1." + strings.Repeat("0", 60), "1"},
		{"1" + strings.Repeat("0", 60), "1" + strings.Repeat("0", 60)},
		{"1" + strings.Repeat("0", 60) + "e-60", "1"},
	} {
		n, err := attr.ParseNumber(c.text)
		if err != nil || n.String() != c.want {
			t.Errorf("%s: %v %v, want %s", c.text, n, err, c.want)
		}
		if again, err := attr.ParseNumber(n.String()); err != nil || again != n {
			t.Errorf("%s: its normal form reads as %v %v", c.text, again, err)
		}
	}
	if attr.Dec("0.00") != (attr.Number{}) || attr.Num(attr.Dec("-0")).Number() != (attr.Number{}) {
		t.Error("0 is not the zero Number")
	}
}

func TestParseNumberErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		reason error
	}{
		{"", attr.ErrNumberSyntax}, {" ", attr.ErrNumberSyntax}, {" 1", attr.ErrNumberSyntax}, {"1 ", attr.ErrNumberSyntax},
		{"+", attr.ErrNumberSyntax}, {"-", attr.ErrNumberSyntax}, {".", attr.ErrNumberSyntax}, {"-.", attr.ErrNumberSyntax}, {"--1", attr.ErrNumberSyntax},
		{"1.2.3", attr.ErrNumberSyntax}, {"1..2", attr.ErrNumberSyntax}, {"1e", attr.ErrNumberSyntax}, {"1e+", attr.ErrNumberSyntax}, {"e1", attr.ErrNumberSyntax},
		{"1e1.5", attr.ErrNumberSyntax}, {"1_000", attr.ErrNumberSyntax}, {"1,000", attr.ErrNumberSyntax}, {"0x1", attr.ErrNumberSyntax},
		{"NaN", attr.ErrNumberSyntax}, {"Infinity", attr.ErrNumberSyntax}, {"-Inf", attr.ErrNumberSyntax}, {"1/2", attr.ErrNumberSyntax},
		{"١", attr.ErrNumberSyntax}, {"1\x00", attr.ErrNumberSyntax},
		{"123456789012345678901234567890123456789", attr.ErrNumberPrecision},
		{"1.00000000000000000000000000000000000001", attr.ErrNumberPrecision},
		{"1e126", attr.ErrNumberOverflow}, {"-1e126", attr.ErrNumberOverflow}, {"10e125", attr.ErrNumberOverflow},
		{"1e99999999999999999999", attr.ErrNumberOverflow}, {"0e1000", attr.ErrNumberOverflow},
		{"1e-131", attr.ErrNumberUnderflow}, {"0.1e-130", attr.ErrNumberUnderflow}, {"-1e-99999999999999999999", attr.ErrNumberUnderflow},
	} {
		n, err := attr.ParseNumber(c.text)
		if !errors.Is(err, c.reason) || n != (attr.Number{}) {
			t.Errorf("%q: %v %v, want %v", c.text, n, err, c.reason)
		}
	}
	for text, want := range map[string]string{
		"":    "The parameter cannot be converted to a numeric value",
		"NaN": "The parameter cannot be converted to a numeric value: NaN",
		"123456789012345678901234567890123456789": "Attempting to store more than 38 significant digits in a Number",
	} {
		if _, err := attr.ParseNumber(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// randomNumber makes any number, with a taste for the edges: few digits, many digits, extreme exponents, nines.
func randomNumber(r *rand.Rand) attr.Number {
	if r.IntN(20) == 0 {
		return attr.Number{}
	}
	digits := 1 + r.IntN(6)
	if r.IntN(3) == 0 {
		digits = 1 + r.IntN(38)
	}
	var b strings.Builder
	if r.IntN(2) == 0 {
		b.WriteByte('-')
	}
	nines := r.IntN(4) == 0
	for i := range digits {
		switch {
		case nines:
			b.WriteByte('9')
		case i == 0:
			b.WriteByte(byte('1' + r.IntN(9)))
		default:
			b.WriteByte(byte('0' + r.IntN(10)))
		}
	}
	exp := -r.IntN(5)
	switch r.IntN(6) {
	case 0:
		exp = r.IntN(255) - 130
	case 1:
		exp = 125
	case 2:
		exp = -130
	}
	b.WriteString("e" + strconv.Itoa(max(-130, min(125, exp))-digits+1))
	return attr.Dec(b.String())
}

func rat(t testing.TB, text string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number to math/big", text)
	}
	return r
}

// inRange says what DynamoDB's limits say about an exact value.
func inRange(r *big.Rat) error {
	if r.Sign() == 0 {
		return nil
	}
	abs := new(big.Rat).Abs(r)
	ten := func(exp int64) *big.Rat {
		p := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(max(exp, -exp)), nil))
		if exp < 0 {
			p.Inv(p)
		}
		return p
	}
	if abs.Cmp(ten(126)) >= 0 {
		return attr.ErrNumberOverflow
	}
	if abs.Cmp(ten(-130)) < 0 {
		return attr.ErrNumberUnderflow
	}
	digits := strings.ReplaceAll(strings.Trim(abs.FloatString(300), "0"), ".", "")
	if len(strings.Trim(digits, "0")) > 38 {
		return attr.ErrNumberPrecision
	}
	return nil
}

func TestArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		a, b := randomNumber(r), randomNumber(r)
		if r.IntN(10) == 0 {
			b = a.Neg()
		}
		x, y := rat(t, a.String()), rat(t, b.String())
		if got, want := a.Cmp(b), x.Cmp(y); got != want {
			t.Fatalf("%v cmp %v: %d, want %d", a, b, got, want)
		}
		if got, want := a.Sign(), x.Sign(); got != want {
			t.Fatalf("sign of %v: %d", a, got)
		}
		if (a == b) != (x.Cmp(y) == 0) {
			t.Fatalf("%v == %v is %v", a, b, a == b)
		}
		if rat(t, a.Neg().String()).Cmp(new(big.Rat).Neg(x)) != 0 {
			t.Fatalf("-(%v) = %v", a, a.Neg())
		}
		check := func(op string, got attr.Number, err error, want *big.Rat) {
			t.Helper()
			if limit := inRange(want); limit != nil {
				if !errors.Is(err, limit) {
					t.Fatalf("%v %s %v = %v %v, want %v", a, op, b, got, err, limit)
				}
				return
			}
			if err != nil || rat(t, got.String()).Cmp(want) != 0 {
				t.Fatalf("%v %s %v = %v %v, want %v", a, op, b, got, err, want.FloatString(170))
			}
			if same, err := attr.ParseNumber(got.String()); err != nil || same != got {
				t.Fatalf("%v %s %v = %v is not the normal form %v", a, op, b, got, same)
			}
		}
		sum, err := a.Add(b)
		check("+", sum, err, new(big.Rat).Add(x, y))
		difference, err := a.Sub(b)
		check("-", difference, err, new(big.Rat).Sub(x, y))
	}
}

func TestNumberConversions(t *testing.T) {
	for _, n := range []int64{0, 1, -1, 42, math.MaxInt64, math.MinInt64} {
		if got, ok := attr.Int(n).Int64(); !ok || got != n {
			t.Errorf("%d: %d %v", n, got, ok)
		}
	}
	for _, n := range []uint64{0, 1, math.MaxUint64} {
		if got, ok := attr.Uint(n).Uint64(); !ok || got != n {
			t.Errorf("%d: %d %v", n, got, ok)
		}
	}
	for _, text := range []string{"1.5", "9223372036854775808", "-9223372036854775809", "1e30"} {
		if n, ok := attr.Dec(text).Int64(); ok {
			t.Errorf("%s is the integer %d", text, n)
		}
	}
	if _, ok := attr.Int(-1).Uint64(); ok {
		t.Error("-1 is no unsigned integer")
	}
	for _, f := range []float64{0, 1, -2.5, 0.1, 1e100, 1.7976931348623157e-100, math.Pi, 5e-130} {
		n, err := attr.Float(f)
		if err != nil || n.Float64() != f {
			t.Errorf("%g: %v %v reads back as %g", f, n, err, n.Float64())
		}
	}
	for f, reason := range map[float64]error{math.Inf(1): attr.ErrNumberSyntax, 1e200: attr.ErrNumberOverflow, 1e-200: attr.ErrNumberUnderflow} {
		if _, err := attr.Float(f); !errors.Is(err, reason) {
			t.Errorf("%g: %v", f, err)
		}
	}
}

func TestNumberJSON(t *testing.T) {
	var v struct{ A, B, C attr.Number }
	if err := json.Unmarshal([]byte(`{"A":1e3,"B":"12345678901234567890.5","C":null}`), &v); err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(v); err != nil || string(got) != `{"A":1000,"B":12345678901234567890.5,"C":0}` {
		t.Errorf("%s %v", got, err)
	}
	if err := json.Unmarshal([]byte(`{"A":true}`), &v); !errors.Is(err, attr.ErrNumberSyntax) {
		t.Errorf("true as a number: %v", err)
	}
}

func FuzzParseNumber(f *testing.F) {
	for _, s := range []string{"0", "-0", "1", "1.50", "1E3", "1e-130", "9.9e125", ".5", "5.", "007", "1e", "0e1000", "123456789012345678901234567890123456789", "-1e126", "1_0", "0x1p3", "1/2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := attr.ParseNumber(text)
		if len(text) > 400 {
			return // the oracle is slow with huge exponents, which are short
		}
		want, ok := oracleNumber(text)
		switch {
		case !ok:
			if !errors.Is(err, attr.ErrNumberSyntax) {
				t.Fatalf("%q: %v %v, want a syntax error", text, n, err)
			}
		case want == nil: // an exponent that only says "far out"
			if err == nil {
				t.Fatalf("%q: %v", text, n)
			}
		case want.Sign() == 0:
			if err == nil && n != (attr.Number{}) {
				t.Fatalf("%q: %v", text, n)
			}
		default:
			if limit := inRange(want); limit != nil {
				if !errors.Is(err, limit) {
					t.Fatalf("%q: %v %v, want %v", text, n, err, limit)
				}
			} else if err != nil || rat(t, n.String()).Cmp(want) != 0 {
				t.Fatalf("%q: %v %v", text, n, err)
			}
		}
		if err != nil {
			return
		}
		if again, err := attr.ParseNumber(n.String()); err != nil || again != n {
			t.Fatalf("%q: %v is not its own normal form: %v %v", text, n, again, err)
		}
	})
}

// oracleNumber reads the grammar with math/big, which reads more than DynamoDB does: fractions, other bases, underscores.
// An exponent of more than four digits gives nil.
func oracleNumber(text string) (*big.Rat, bool) {
	for _, c := range text {
		if !strings.ContainsRune("0123456789+-.eE", c) {
			return nil, false
		}
	}
	if mantissa, exp, ok := strings.Cut(strings.ToLower(text), "e"); ok {
		if len(strings.TrimLeft(exp, "+-0")) > 4 {
			_, good := new(big.Rat).SetString(mantissa)
			if _, err := strconv.ParseInt(exp, 10, 64); err != nil && !errors.Is(err, strconv.ErrRange) {
				good = false
			}
			if r, _ := new(big.Rat).SetString(mantissa); good && r.Sign() == 0 {
				return r, true
			}
			return nil, good
		}
	}
	return new(big.Rat).SetString(text)
}

func TestNumberAllocations(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	a, b := attr.Dec("12345.678"), attr.Dec("99.5")
	for name, c := range map[string]struct {
		max float64
		f   func()
	}{
		"parse normal": {0, func() { _, _ = attr.ParseNumber("12345.678") }},
		"cmp":          {0, func() { _ = a.Cmp(b) }},
		"add":          {1, func() { _, _ = a.Add(b) }},
		"size":         {0, func() { _ = a.Size() }},
	} {
		if got := testing.AllocsPerRun(100, c.f); got > c.max {
			t.Errorf("%s: %v allocations, want at most %v", name, got, c.max)
		}
	}
}

func BenchmarkNumberAdd(b *testing.B) {
	for _, c := range []struct{ name, x, y string }{
		{"ordinary", "12345.678", "99.5"},
		{"38 digits", "1234567890123456789.0123456789012345678", "9876543210987654321.0123456789012345678"},
	} {
		b.Run(c.name, func(b *testing.B) {
			x, y := attr.Dec(c.x), attr.Dec(c.y)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = x.Add(y)
			}
		})
	}
}

func BenchmarkParseNumber(b *testing.B) {
	for _, text := range []string{"12345.678", "1.50e3"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = attr.ParseNumber(text)
			}
		})
	}
}
