package capacity

import (
	"math"
	"strconv"
	"strings"
)

// Bytes is a size as DynamoDB counts it: names and values of attributes (CapacityUnitCalculations).
type Bytes int

// Powers of 1,024: DynamoDB's KB, MB and GB.
const (
	KB Bytes = 1 << 10
	MB Bytes = 1 << 20
	GB Bytes = 1 << 30
)

// ReadUnits are read capacity units, or read request units, which are the same amount of work: one strongly consistent
// read of up to 4 KB. Where a function says so they are per second.
type ReadUnits float64

// WriteUnits are write capacity units, or write request units, which are the same amount of work: one write of up to
// 1 KB. Where a function says so they are per second.
type WriteUnits float64

// Money is an amount in nano-dollars (10⁻⁹ USD). Sums of Money are exact.
type Money int64

// Dollar is one US dollar.
const Dollar Money = 1_000_000_000

// Consistency is how a read is made.
type Consistency uint8

// The consistencies of reads. The zero value is DynamoDB's default.
const (
	Eventual      Consistency = iota // half a unit per 4 KB
	Strong                           // one unit per 4 KB
	Transactional                    // two units per 4 KB: TransactGetItems
)

// String is "eventual", "strong" or "transactional".
func (c Consistency) String() string {
	switch c {
	case Eventual:
		return "eventual"
	case Strong:
		return "strong"
	case Transactional:
		return "transactional"
	}
	return "Consistency(" + strconv.Itoa(int(c)) + ")"
}

// units are what so many blocks of 4 KB consume (read-write-operations).
func (c Consistency) units(blocks float64) ReadUnits {
	switch c {
	case Eventual:
		return ReadUnits(blocks / 2)
	case Strong:
		return ReadUnits(blocks)
	case Transactional:
		return ReadUnits(blocks + blocks)
	}
	panic("capacity: unknown " + c.String())
}

// String is the size for people: "350 bytes", "1.5 KB", "217 GB".
func (b Bytes) String() string {
	switch {
	case b < 0:
		return "-" + (-b).String()
	case b < KB:
		return strconv.Itoa(int(b)) + " bytes"
	case b < MB:
		return short(float64(b)/float64(KB)) + " KB"
	case b < GB:
		return short(float64(b)/float64(MB)) + " MB"
	}
	return short(float64(b)/float64(GB)) + " GB"
}

// String is the number of units without superfluous decimals, to a thousandth: "0.5", "14.026".
func (u ReadUnits) String() string { return decimals(float64(u), 3) }

// String is the number of units without superfluous decimals, to a thousandth: "1", "5.504".
func (u WriteUnits) String() string { return decimals(float64(u), 3) }

// Dollars is m in US dollars, for charts and ratios; sums are exact only in Money.
func (m Money) Dollars() float64 { return float64(m) / float64(Dollar) }

// String is m in dollars and cents, digits grouped: "$1,081.61", "-$0.05". Halves of a cent round away from zero.
func (m Money) String() string {
	const cent = Dollar / 100
	sign, u := "", uint64(m)
	if m < 0 {
		sign, u = "-", -u // in uint64, so that the smallest Money has a magnitude too
	}
	cents := (u + uint64(cent)/2) / uint64(cent)
	if cents == 0 {
		sign = ""
	}
	return sign + "$" + grouped(cents/100) + "." + strconv.FormatUint(100+cents%100, 10)[1:]
}

// MoneyOf rounds nano-dollars to Money, halves away from zero, and stays within its range. Amounts computed in floating
// point become exact here, once, so that everything added up from them is the same on every machine.
func MoneyOf(nanoDollars float64) Money {
	r := math.Round(nanoDollars)
	switch {
	case r != r:
		return 0
	case r >= math.MaxInt64:
		return math.MaxInt64
	case r <= math.MinInt64:
		return math.MinInt64
	}
	return Money(r)
}

func grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	var b strings.Builder
	for i, d := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

func short(f float64) string {
	if f >= 100 {
		return decimals(f, 0)
	}
	return decimals(f, 1)
}

func decimals(f float64, n int) string {
	s := strconv.FormatFloat(f, 'f', n, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}
