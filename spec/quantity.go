package spec

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
)

// Units of duration. A month is 730 hours, the twelfth part of a year of 365 days, in rates and durations alike: the
// month by which AWS prices what is paid by the hour, so that what is created a month and what a month costs agree.
const (
	Day   = 24 * time.Hour
	Month = 730 * time.Hour
	Year  = 12 * Month
)

var units = map[string]time.Duration{
	"ms": time.Millisecond, "s": time.Second, "min": time.Minute, "h": time.Hour,
	"day": Day, "days": Day, "month": Month, "months": Month, "year": Year, "years": Year,
}

// ParseNumber reads digits grouped by _, with at most one dot and a leading minus: 40_000_000, -0.5.
func ParseNumber(text string) (attr.Number, error) {
	n, err := parseNumber(text, 0)
	if err != nil {
		return attr.Number{}, err
	}
	return n, nil
}

func parseNumber(text string, offset int) (attr.Number, *Error) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || number(digits) != len(digits) {
		return attr.Number{}, errorf(offset, meantNumber(text), "`%s` is not a number: digits, grouped by _, with at most one dot", text)
	}
	n, err := attr.ParseNumber(strings.ReplaceAll(text, "_", ""))
	if err != nil {
		return attr.Number{}, errorf(offset, "a number has at most 38 significant digits and a magnitude from 1E-130 to below 1E+126",
			"`%s` is not a number that DynamoDB keeps", text)
	}
	return n, nil
}

// amount reads a number with what follows it, such as a unit.
func amount(text string) (value float64, unit string, err *Error) {
	digits := strings.TrimPrefix(text, "-")
	n := number(digits) + len(text) - len(digits)
	v, err := parseNumber(text[:n], 0)
	if err != nil {
		return 0, "", errorf(0, "", "`%s` does not begin with a number", text)
	}
	return v.Float64(), text[n:], nil
}

// ParseDuration reads a number and ms, s, min, h, day, days, month, months, year or years, with or without a space
// between: 5s, 18 months. A month is 730 hours, a year 365 days. It is never negative and at most 290 years.
func ParseDuration(text string) (time.Duration, error) {
	d, err := parseDuration(text)
	if err != nil {
		return 0, err
	}
	return d, nil
}

func parseDuration(text string) (time.Duration, *Error) {
	v, unit, err := amount(text)
	if err != nil {
		return 0, errorf(0, "", "`%s` is not a duration: a number and a unit, such as 5s or 18 months", text)
	}
	u, ok := units[strings.TrimLeft(unit, " ")]
	switch {
	case !ok && unit == "":
		return 0, errorf(0, "", "`%s` has no unit: ms, s, min, h, days, months or years", text)
	case !ok:
		return 0, errorf(len(text)-len(unit), cmp.Or(meantDuration(text), "write ms, s, min, h, days, months or years"), "`%s` is not a unit of time", strings.TrimLeft(unit, " "))
	case v < 0:
		return 0, errorf(0, "", "a duration is not negative")
	case v*float64(u) > float64(290*Year):
		return 0, errorf(0, "", "`%s` is longer than 290 years", text)
	}
	return time.Duration(math.Round(v * float64(u))), nil
}

// FormatDuration writes what [ParseDuration] reads, in the first unit that divides d of days, months, hours and those
// below: 18 days, 18 months, 36h.
func FormatDuration(d time.Duration) string {
	for _, u := range []struct {
		name string
		of   time.Duration
	}{{" days", Day}, {" months", Month}, {"h", time.Hour}, {"min", time.Minute}, {"s", time.Second}, {"ms", time.Millisecond}} {
		if d%u.of == 0 && (d != 0 || u.name == "ms") {
			n := strconv.FormatInt(int64(d/u.of), 10)
			if n == "1" && u.name[0] == ' ' {
				return n + strings.TrimSuffix(u.name, "s")
			}
			return n + u.name
		}
	}
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', -1, 64) + "ms"
}

// ParseRate reads a number per unit of time and answers it per second: 0.05/s, 130_000/month (of 730 hours).
func ParseRate(text string) (float64, error) {
	v, per, err := amount(text)
	if err != nil {
		return 0, errorf(0, meantRate(text), "`%s` is not a rate: a number per time, such as 3/s or 130_000/month", text)
	}
	at := len(text) - len(per)
	u, ok := units[strings.TrimPrefix(per, "/")]
	switch {
	case per == "":
		return 0, errorf(at, "write "+text+"/s, or /min, /h, /day, /month", "`%s` does not say per what time", text)
	case per[0] != '/' || !ok || u == time.Millisecond || u == Year || strings.HasSuffix(per, "days") || strings.HasSuffix(per, "months"):
		return 0, errorf(at, cmp.Or(meantRate(text), "write /s, /min, /h, /day or /month"), "`%s` does not say per what time", per)
	case v < 0:
		return 0, errorf(0, "", "a rate is not negative")
	}
	return v / u.Seconds(), nil
}

// FormatRate writes a rate given per second: 3/s.
func FormatRate(perSecond float64) string { return FormatNumber(perSecond) + "/s" }

// ParseSize reads a number of bytes, or of KB, MB or GB (powers of 1,024): 350, 6KB.
func ParseSize(text string) (float64, error) {
	v, unit, err := amount(text)
	if err != nil {
		return 0, errorf(0, meantSize(text), "`%s` is not a size: a number of bytes, KB, MB or GB", text)
	}
	by, ok := map[string]float64{"": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}[strings.TrimLeft(unit, " ")]
	switch {
	case !ok:
		return 0, errorf(len(text)-len(unit), cmp.Or(meantSize(text), "write nothing for bytes, or KB, MB, GB"), "`%s` is not a unit of size", strings.TrimLeft(unit, " "))
	case v < 0:
		return 0, errorf(0, "", "a size is not negative")
	}
	return v * by, nil
}

// ParsePercentage reads a number and %, and answers a share: 4% is 0.04.
func ParsePercentage(text string) (float64, error) {
	v, unit, err := amount(text)
	switch {
	case err != nil || unit != "%":
		return 0, errorf(0, meantPercentage(text), "`%s` is not a percentage, such as 4%%", text)
	case v < 0 || v > 100:
		return 0, errorf(0, "", "`%s` is not between 0%% and 100%%", text)
	}
	return v / 100, nil
}

// ParseSkew reads uniform, by-size, zipf and a number, or hottest and a percentage, with the number of values that share it
// before it if they are several: zipf 1.0, hottest 2%, hottest 50 have 45%.
func ParseSkew(text string) (Skew, error) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimLeft(rest, " ")
	switch word {
	case "uniform":
		if rest == "" {
			return Skew{}, nil
		}
	case "zipf":
		if n, err := parseNumber(rest, 0); err == nil {
			if v := n.Float64(); v >= 0 && v <= 10 {
				return Skew{Zipf: v}, nil
			}
			return Skew{}, errorf(len(text)-len(rest), "1.0 is common; the larger, the more unequal", "zipf takes an exponent from 0 to 10")
		}
	case "by-size":
		if rest == "" {
			return Skew{BySize: true}, nil
		}
	case "hottest":
		if many, share, several := strings.Cut(rest, " have "); several {
			n, err := parseNumber(strings.TrimSpace(many), 0)
			of, bad := ParsePercentage(strings.TrimSpace(share))
			keys, whole := n.Int64()
			switch {
			case err != nil || bad != nil:
			case !whole || keys < 1 || keys > 1_000_000:
				return Skew{}, errorf(len(word)+1, "write how many values they are, such as 50", "`%s` is not a number of values from 1 to 1_000_000", many)
			case keys == 1:
				return Skew{Hottest: of}, nil
			default:
				return Skew{Hottest: of, Keys: int(keys)}, nil
			}
		}
		if of, err := ParsePercentage(rest); err == nil {
			return Skew{Hottest: of}, nil
		}
	}
	return Skew{}, errorf(0, "write uniform, zipf 1.0, hottest 2%, hottest 50 have 45%, or by-size", "`%s` is not a skew", text)
}

// String is what [ParseSkew] reads.
func (s Skew) String() string {
	switch {
	case s.BySize:
		return "by-size"
	case s.Hottest > 0 && s.Keys > 1:
		return "hottest " + FormatNumber(float64(s.Keys)) + " have " + FormatNumber(s.Hottest*100) + "%"
	case s.Hottest > 0:
		return "hottest " + FormatNumber(s.Hottest*100) + "%"
	case s.Zipf > 0:
		return "zipf " + FormatNumber(s.Zipf)
	}
	return "uniform"
}

// FormatNumber writes a number as people write it in a requirements file: digits grouped by _, without
// exponent and with at most nine significant digits: 40_000_000, 0.05.
func FormatNumber(v float64) string {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 9, 64), 64)
	if err != nil {
		r = v
	}
	text := strconv.FormatFloat(r, 'f', -1, 64)
	whole, decimals, dot := strings.Cut(text, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	if len(whole) > 3 {
		first := (len(whole)-1)%3 + 1
		groups := whole[:first]
		for i := first; i < len(whole); i += 3 {
			groups += "_" + whole[i:i+3]
		}
		whole = groups
	}
	if dot {
		whole += "." + decimals
	}
	return sign + whole
}
