package schema

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// decimals counts the decimals of a number.
func decimals(n attr.Number) int {
	text := n.String()
	if dot := strings.IndexByte(text, '.'); dot >= 0 {
		return len(text) - dot - 1
	}
	return 0
}

// isMultiple reports whether n is a whole number of times step, exactly.
func isMultiple(n, step attr.Number) bool {
	if n.Sign() == 0 {
		return true
	}
	places := max(decimals(n), decimals(step))
	a, b := scaled(n, places), scaled(step, places)
	return new(big.Int).Rem(a, b).Sign() == 0
}

// maxPlaces is how many decimals the smallest number has.
const maxPlaces = 130

// commonMultiple is the least number that is a multiple of both.
func commonMultiple(x, y attr.Number) (attr.Number, error) {
	places := max(decimals(x), decimals(y))
	a, b := scaled(x, places), scaled(y, places)
	a.Div(a.Mul(a, b), new(big.Int).GCD(nil, nil, scaled(x, places), b))
	n, err := attr.ParseNumber(a.String() + "e-" + strconv.Itoa(places))
	if err != nil {
		return n, fmt.Errorf("decimals and a multiple that have no number in common")
	}
	return n, nil
}

// scaled is n without its dot, with so many decimals.
func scaled(n attr.Number, places int) *big.Int {
	text := n.String()
	text = strings.Replace(text, ".", "", 1) + strings.Repeat("0", places-decimals(n))
	i, _ := new(big.Int).SetString(text, 10)
	return i
}

// fitsSingle reports whether a number goes into a float32, as the codec asks.
func fitsSingle(n attr.Number) bool {
	_, err := strconv.ParseFloat(n.String(), 32)
	return err == nil
}

// narrow adds the range of a Go kind of integers to the rules.
func (n *node) narrow(k reflect.Kind) {
	bits := 64
	switch k {
	case reflect.Int8, reflect.Uint8:
		bits = 8
	case reflect.Int16, reflect.Uint16:
		bits = 16
	case reflect.Int32, reflect.Uint32:
		bits = 32
	case reflect.Int, reflect.Uint:
		bits = strconv.IntSize
	}
	low, high := attr.Int(math.MinInt64>>(64-bits)), attr.Int(math.MaxInt64>>(64-bits))
	if k >= reflect.Uint {
		low, high = attr.Int(0), attr.Uint(math.MaxUint64>>(64-bits))
	}
	n.integer = true
	if !n.low.set || n.low.n.Cmp(low) < 0 {
		n.low = boundAt(low, false)
	}
	if !n.high.set || n.high.n.Cmp(high) > 0 {
		n.high = boundAt(high, false)
	}
}

// wide reports whether a bound is only the end of Go's 64-bit integers.
func (b *bound) wide() bool {
	return b.set && !b.open && (b.isI && (b.i == math.MinInt64 || b.i == math.MaxInt64) || b.n == attr.Uint(math.MaxUint64))
}
