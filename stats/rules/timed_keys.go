package rules

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tablewright/tablewright/stats"
)

// What rules read from partition keys whose text or number goes up with time.

// timedKey is a partition key with a part that grows: a date, a time or a number.
type timedKey struct {
	*stats.Key
	form   string    // the key with that part as <time> or <number>
	at     time.Time // the time of it; zero of a number
	number float64   // what it is ordered by: seconds of a time
}

// dates are the forms of dates in keys, each from the year on, down to a month at least: 2026-11, 2026-11-22, 2026-11-22T14,
// 20261122, 2026/11/22, 2026-W47; daysFirst those whose year comes last: 22.11.2026, 22-11-2026.
var dates = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)[0-9]{2}(?:-W[0-9]{2}|[-/_]?(?:0[1-9]|1[0-2])(?:[-/_]?(?:0[1-9]|[12][0-9]|3[01])(?:[T_ -]?(?:[01][0-9]|2[0-3])(?::?[0-5][0-9])*Z?)?)?))(?:[^0-9]|$)`)

var daysFirst = regexp.MustCompile(`(?:^|[^0-9])((?:0[1-9]|[12][0-9]|3[01])([.-])(?:0[1-9]|1[0-2])[.-](?:19|20)[0-9]{2})(?:[^0-9]|$)`)

// numbers are runs of digits, the last of which is what counts up.
var numbers = regexp.MustCompile(`[0-9]+`)

var dateForms = []string{"20060102150405", "200601021504", "2006010215", "20060102", "200601"}

// timed reads a partition key; ok is false if nothing in it can go up with time, or keys are hashed. A key of several attributes
// is their values in order.
func timed(k *stats.Key) (t timedKey, ok bool) {
	text := strings.Join(keyTexts(k.Key), "/")
	t.Key = k
	if at := dates.FindStringSubmatchIndex(text); at != nil {
		from, to := at[2], at[3]
		if day, ok := dateOf(text[from:to]); ok {
			t.form, t.at, t.number = text[:from]+"<time>"+text[to:], day, float64(day.Unix())
			return t, true
		}
	}
	if at := daysFirst.FindStringSubmatchIndex(text); at != nil {
		from, to := at[2], at[3]
		if day, err := time.Parse("02"+text[at[4]:at[5]]+"01"+text[at[4]:at[5]]+"2006", text[from:to]); err == nil {
			t.form, t.at, t.number = text[:from]+"<time>"+text[to:], day, float64(day.Unix())
			return t, true
		}
	}
	all := numbers.FindAllStringIndex(text, -1)
	if len(all) == 0 {
		return t, false
	}
	last := all[len(all)-1]
	n, err := strconv.ParseFloat(text[last[0]:last[1]], 64)
	if err != nil || last[1]-last[0] > 15 { // digits of an identifier, not of a count
		return t, false
	}
	t.form, t.number = text[:last[0]]+"<number>"+text[last[1]:], n
	if n >= 1e9 && n < 4.2e9 { // seconds since 1970
		t.at = time.Unix(int64(n), 0).UTC()
	}
	return t, true
}

// dateOf reads a date, a week or an hour of the forms that dates finds.
func dateOf(text string) (time.Time, bool) {
	if year, week, ok := strings.Cut(text, "-W"); ok {
		y, _ := strconv.Atoi(year)
		w, _ := strconv.Atoi(week)
		fourth := time.Date(y, 1, 4, 0, 0, 0, 0, time.UTC) // always in the first week
		monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7)
		return monday.AddDate(0, 0, 7*(w-1)), true
	}
	digits := strings.Join(numbers.FindAllString(text, -1), "")
	for _, form := range dateForms {
		if len(form) == len(digits) {
			at, err := time.Parse(form, digits)
			return at, err == nil
		}
	}
	return time.Time{}, false
}

// causeOfKey is the cause of what concerns a partition key: the key itself, or, of one that goes with the date, its form, which is
// the same tomorrow.
func causeOfKey(k *stats.Key) string {
	if t, ok := timed(k); ok && strings.Contains(t.form, "<time>") {
		return cause(ofKey, k.Table, k.Index, t.form)
	}
	return cause(ofKey, k.Table, k.Index, keyName(k))
}
