package spec

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What people write for a quantity where this language has one form: thousands grouped by commas, k for thousand, rps.
// The remedy of an error then says how it is written here. It is never read as what it may mean: 1,200 may be both.

var (
	looseNumber = regexp.MustCompile(`^[+~] ?|^`)
	looseDigits = regexp.MustCompile(`^([0-9][0-9_.,' ]*)([eE]\+?[0-9]+)? ?(k|K|M|m|mn|mln|million|millions|thousand|bn|billion)?(?:$|[ /%]|per )`)
	looseRate   = regexp.MustCompile(`^ *(?:calls?|requests?|reqs?|ops|times|writes?|reads?)? *(?:/|per|an?) *([a-z]+)$`)
)

var looseTimes = map[string]string{
	"sec": "s", "secs": "s", "second": "s", "seconds": "s", "m": "min", "mins": "min", "minute": "min", "minutes": "min",
	"hr": "h", "hrs": "h", "hour": "h", "hours": "h", "d": "day", "mo": "month", "mon": "month", "mth": "month",
	"y": "year", "yr": "year", "yrs": "year", "w": "week", "wk": "week", "weeks": "week", "millis": "ms", "milliseconds": "ms", "msec": "ms",
}

// looseValue is the number at the beginning of a text, however it is grouped, and what follows it.
func looseValue(text string) (v float64, rest string, ok bool) {
	text = text[len(looseNumber.FindString(text)):]
	m := looseDigits.FindStringSubmatch(text)
	if m == nil {
		return 0, "", false
	}
	digits := strings.TrimRight(m[1], " ")
	rest = strings.TrimLeft(text[len(m[1])+len(m[2]):], " ")
	rest = strings.TrimPrefix(rest, m[3])
	digits = strings.NewReplacer("_", "", "'", "", " ", "").Replace(digits)
	switch groups := strings.Split(digits, ","); {
	case len(groups) > 1 && (len(groups) > 2 || len(groups[1]) == 3 && groups[0] != "0"): // 1,200
		digits = strings.Join(groups, "")
	case strings.Count(digits, ".") > 1: // 1.200.000
		if slices.ContainsFunc(strings.Split(digits, ".")[1:], func(g string) bool { return len(g) != 3 }) {
			return 0, "", false
		}
		digits = strings.ReplaceAll(digits, ".", "")
	case len(groups) == 2: // 0,5
		digits = groups[0] + "." + groups[1]
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(digits, ".")+m[2], 64)
	if err != nil || math.IsInf(v, 0) {
		return 0, "", false
	}
	switch m[3] {
	case "k", "K", "thousand":
		v *= 1e3
	case "M", "m", "mn", "mln", "million", "millions":
		v *= 1e6
	case "bn", "billion":
		v *= 1e9
	}
	return v, rest, true
}

// meantNumber is how a number is written here; "" if that cannot be told. So are those below.
func meantNumber(text string) string {
	if v, rest, ok := looseValue(text); ok && rest == "" {
		return "write " + FormatNumber(v)
	}
	return ""
}

func meantRate(text string) string {
	v, rest, ok := looseValue(text)
	if !ok {
		return ""
	}
	rest = strings.ToLower(strings.TrimSpace(rest))
	unit := ""
	if rest == "rps" || rest == "qps" || rest == "tps" || rest == "ps" || rest == "hz" {
		unit = "s"
	} else if m := looseRate.FindStringSubmatch(rest); m != nil {
		unit = m[1]
	}
	if u, ok := looseTimes[unit]; ok {
		unit = u
	}
	switch unit {
	case "days", "months":
		unit = unit[:len(unit)-1]
	case "week":
		v, unit = v/7, "day"
	case "year":
		v, unit = v/12, "month"
	}
	switch unit {
	case "s", "min", "h", "day", "month":
		return "write " + FormatNumber(v) + "/" + unit
	}
	return ""
}

func meantDuration(text string) string {
	n := number(text)
	if n == 0 {
		return ""
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text[:n], "_", ""), 64)
	unit := strings.ToLower(strings.TrimSpace(text[n:]))
	if u, ok := looseTimes[unit]; ok {
		unit = u
	}
	if unit == "week" {
		v, unit = v*7, "days"
	}
	if _, ok := units[unit]; !ok || err != nil {
		return ""
	}
	switch unit {
	case "day", "month", "year":
		if unit = " " + unit; v != 1 {
			unit += "s"
		}
	case "days", "months", "years":
		unit = " " + unit
	}
	return "write " + FormatNumber(v) + unit
}

func meantSize(text string) string {
	n := number(text)
	if n > 0 {
		switch unit := strings.ToLower(strings.TrimSpace(text[n:])); unit {
		case "b", "byte", "bytes":
			return "write " + text[:n]
		case "k", "kb", "kib", "m", "mb", "mib", "g", "gb", "gib":
			return "write " + text[:n] + strings.ToUpper(unit[:1]) + "B"
		}
	}
	return meantNumber(text)
}

func meantPercentage(text string) string {
	v, rest, ok := looseValue(text)
	switch rest = strings.TrimSpace(rest); {
	case !ok || rest != "" && rest != "%" && rest != "percent":
		return ""
	case rest == "" && v < 1:
		v *= 100
	case rest == "" && v == 1:
		return "write 100%, or 1% if that is meant"
	}
	if v > 100 {
		return ""
	}
	return "write " + FormatNumber(v) + "%"
}

// meantTest is how a test of SQL is written here, by the word after the path.
func meantTest(p Path, word string) string {
	if word == "" && len(p) == 1 {
		switch p[0] {
		case "missing", "none", "new", "not_exists", "free":
			return "write absent, or a comparison after it"
		case "existing", "there", "found":
			return "write present, or a comparison after it"
		}
	}
	switch strings.ToLower(word) {
	case "like", "startswith", "starts", "begins":
		return "write begins_with(" + p.String() + ", …) or contains(" + p.String() + ", …)"
	case "contains", "includes", "has":
		return "write contains(" + p.String() + ", …)"
	case "is", "isnull", "exists":
		return "write absent(" + p.String() + ") or exists(" + p.String() + "), or = and a value"
	}
	return ""
}

// What is computed of an attribute is no part of a key: it is kept.
const (
	meantFolded = "keep it in lower case as well, in an attribute that callers state, such as `emailLower: {type: string, bytes: 26}`, and name that here"
	meantDay    = "state the two ends, in the zone that you mean: `at between $from and $to`; where keys or lists are of days, keep the day as an attribute that callers state: `day: date`"
)

// meantCall is how a function of DynamoDB's expressions, or of SQL, is written here.
var meantCall = map[string]string{
	"now": "write now", "current_timestamp": "write now", "getdate": "write now", "today": "write now",
	"if_not_exists": "write if_missing(path, value)", "coalesce": "write if_missing(path, value)", "ifnull": "write if_missing(path, value)",
	"list_append": "write append(path, value)", "push": "write append(path, value)", "concat": "write append(path, value)",
	"attribute_exists": "write exists(path)", "attribute_not_exists": "write absent(path)",
	"starts_with": "write begins_with(path, value)", "startswith": "write begins_with(path, value)", "includes": "write contains(path, value)",
	"max":   "set the new value with a condition that it is larger: `set: {highest: $bid}, condition: highest < $bid`",
	"min":   "set the new value with a condition that it is smaller: `set: {lowest: $ask}, condition: lowest > $ask`",
	"lower": meantFolded, "upper": meantFolded, "lcase": meantFolded, "ucase": meantFolded, "tolower": meantFolded, "toupper": meantFolded, "ilike": meantFolded, "normalize": meantFolded,
	"day": meantDay, "date": meantDay, "to_date": meantDay, "date_trunc": meantDay, "month": meantDay, "year": meantDay, "hour": meantDay, "week": meantDay, "weekday": meantDay, "local_date": meantDay,
	"length": "write size(path) >= value", "len": "write size(path) >= value", "count": meantDerived, "sum": meantDerived,
}

// meantDerived answers who counts in a condition, or in a value.
const meantDerived = "give the parent an attribute that is derived, such as `dogCount: {derived: count(dogs)}`, and use that; the length of a list is size(path)"

// MeantCall is how a function of SQL or of DynamoDB's expressions is written here; "" if there is nothing like it.
func MeantCall(name string) string { return meantCall[strings.ToLower(name)] }
