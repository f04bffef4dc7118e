// Package show writes numbers for people: grouped, and with no more digits than they are good for.
package show

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Number is n with digits grouped and about three of them significant: 40,000,000; 1,234; 12.5; 0.014. Whole numbers
// keep all digits.
func Number(n float64) string {
	switch m := math.Abs(n); {
	case math.IsInf(n, 0) || math.IsNaN(n):
		return strconv.FormatFloat(n, 'g', -1, 64)
	case m >= 100 || m == math.Trunc(m):
		return grouped(strconv.FormatFloat(math.Round(n), 'f', 0, 64))
	case m >= 10:
		return trimmed(n, 1)
	case m >= 1:
		return trimmed(n, 2)
	default:
		return trimmed(n, min(2-int(math.Floor(math.Log10(m))), 9))
	}
}

// Units is capacity units with two decimals, and more below 0.01 so that little is not shown as nothing.
func Units(n float64) string {
	if n > 0 && n < 0.01 {
		return Number(n)
	}
	return grouped(strconv.FormatFloat(n, 'f', 2, 64))
}

// Bytes is a size in the largest unit (powers of 1,024) of which there is one: 195 bytes, 4.2 KB, 217 GB.
func Bytes(n float64) string {
	if n < 1024 {
		return Number(math.Round(n)) + " bytes"
	}
	for _, unit := range []string{" KB", " MB", " GB"} {
		if n /= 1024; n < 1024 {
			return Number(n) + unit
		}
	}
	return Number(n/1024) + " TB"
}

// Percent is a share of 1 as a percentage: 67 %, 4.2 %, 0.033 %.
func Percent(share float64) string {
	switch p := 100 * share; {
	case math.Abs(p) >= 10:
		return Number(math.Round(p)) + " %"
	case math.Abs(p) >= 1:
		return trimmed(p, 1) + " %"
	case p == 0:
		return "0 %"
	default:
		return trimmed(p, min(1-int(math.Floor(math.Log10(math.Abs(p)))), 9)) + " %"
	}
}

func trimmed(n float64, decimals int) string {
	s := strconv.FormatFloat(n, 'f', decimals, 64)
	return grouped(strings.TrimSuffix(strings.TrimRight(s, "0"), "."))
}

// grouped puts commas between thousands.
func grouped(s string) string {
	sign, whole, rest := "", s, ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	if i := strings.IndexByte(whole, '.'); i >= 0 {
		whole, rest = whole[:i], whole[i:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return sign + whole + rest
}

// Count is a number with its noun in the singular or plural: 1 table, 2 tables. plural is "" where an s makes it.
func Count(n int, singular, plural string) string {
	if n == 1 {
		return "1 " + singular
	}
	if plural == "" {
		plural = singular + "s"
	}
	return Number(float64(n)) + " " + plural
}

// List is words as a sentence has them: a, b and c.
func List(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// Lasting is a time in its largest unit of which there are two: "8 days", "2.5 hours", "12 minutes", "850 ms", "61.8 µs".
func Lasting(d time.Duration) string {
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{24 * time.Hour, "days"}, {time.Hour, "hours"}, {time.Minute, "minutes"}, {time.Second, "seconds"}} {
		if d < 2*u.of {
			continue
		}
		n := float64(d) / float64(u.of)
		if n < 10 {
			return Number(math.Round(n*10)/10) + " " + u.name
		}
		return Number(math.Round(n)) + " " + u.name
	}
	switch {
	case d >= time.Millisecond:
		return Number(float64(d)/1e6) + " ms"
	case d >= time.Microsecond:
		return Number(float64(d)/1e3) + " µs"
	}
	return d.String()
}
