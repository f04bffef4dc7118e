package keys

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/tablewright/tablewright/attr"
)

// Layouts of package time in which timestamps and dates are stored.
const (
	TimestampLayout = "2006-01-02T15:04:05.000Z"
	DateLayout      = "2006-01-02"
)

const (
	// Lengths of buckets, which are beginnings of a timestamp.
	minuteLen = len("2006-01-02T15:04")
	hourLen   = len("2006-01-02T15")
	dayLen    = len(DateLayout)
	monthLen  = len("2006-01")

	// Years 0 to 9999 are what four digits hold.
	leastISO = -62167219200000
	mostISO  = 253402300799999
	// 13 digits end at 2286-11-20T17:46:39.999Z.
	mostMS13 = 9999999999999
)

var (
	errTimestamp = errors.New("keys: not a timestamp such as 2026-11-21T09:04:00.000Z")
	errDate      = errors.New("keys: not a date such as 2026-11-21")
	errYear      = errors.New("keys: a timestamp must lie in the years 0 to 9999")
)

// TimestampOf is the logical value of a moment: an S in UTC with milliseconds; what is finer is cut off. It fails
// outside the years 0 to 9999.
func TimestampOf(t time.Time) (attr.Value, error) {
	ms := t.UnixMilli()
	if ms < leastISO || ms > mostISO {
		return attr.Value{}, errYear
	}
	return attr.Text(time.UnixMilli(ms).UTC().Format(TimestampLayout)), nil
}

// TimeOf is the moment of a logical timestamp, in UTC.
func TimeOf(v attr.Value) (time.Time, error) {
	if v.Kind() == attr.KindS {
		if ms, ok := parseTimestamp(v.Str()); ok {
			return time.UnixMilli(ms).UTC(), nil
		}
	}
	return time.Time{}, errTimestamp
}

// parseTimestamp reads a timestamp in its one spelling as milliseconds since 1970. Package time would take others too,
// and ten times as long.
func parseTimestamp(s string) (ms int64, ok bool) {
	if len(s) != len(TimestampLayout) || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[19] != '.' || s[23] != 'Z' {
		return 0, false
	}
	days, ok1 := parseDate(s[:10])
	h, ok2 := parseDigits(s[11:13])
	m, ok3 := parseDigits(s[14:16])
	sec, ok4 := parseDigits(s[17:19])
	milli, ok5 := parseDigits(s[20:23])
	if !(ok1 && ok2 && ok3 && ok4 && ok5) || h > 23 || m > 59 || sec > 59 {
		return 0, false
	}
	return (((days*24+h)*60+m)*60+sec)*1000 + milli, true
}

// parseDate reads a date in its one spelling as days since 1970.
func parseDate(s string) (days int64, ok bool) {
	if len(s) != len(DateLayout) || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	y, ok1 := parseDigits(s[:4])
	m, ok2 := parseDigits(s[5:7])
	d, ok3 := parseDigits(s[8:10])
	if !(ok1 && ok2 && ok3) || m < 1 || m > 12 || d < 1 || d > daysIn(m, y) {
		return 0, false
	}
	// Counted in years that begin with March, so that the leap day is the last; 400 of them, 146,097 days, are added to
	// stay above 0, and 719,468 days lie between 0000-03-01 and 1970-01-01.
	if m < 3 {
		m, y = m+12, y-1
	}
	y += 400
	return y*365 + y/4 - y/100 + y/400 + (153*(m-3)+2)/5 + d - 1 - 146097 - 719468, true
}

func daysIn(month, year int64) int64 {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

func parseDigits(s string) (n int64, ok bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n, true
}

func (c Codec) appendTime(dst []byte, v attr.Value) ([]byte, error) {
	if v.Kind() != attr.KindS {
		return dst, c.refuse("takes a timestamp")
	}
	if s := v.Str(); len(s) == len(DateLayout) && c.Takes(Date) {
		if _, ok := parseDate(s); !ok {
			return dst, fmt.Errorf("%w, which codec %s takes", errDate, c)
		}
		return c.appendStamp(dst, s, 0)
	}
	if !c.Takes(Timestamp) {
		return dst, fmt.Errorf("%w, which codec %s takes", errDate, c)
	}
	ms, ok := parseTimestamp(v.Str())
	if !ok {
		return dst, fmt.Errorf("%w, which codec %s takes", errTimestamp, c)
	}
	return c.appendStamp(dst, v.Str(), ms)
}

// AppendTime writes the timestamp of t behind dst, as Append writes TimestampOf(t).
func (c Codec) AppendTime(dst []byte, t time.Time) ([]byte, error) {
	if !c.Takes(Timestamp) {
		return dst, c.refuse("takes no timestamp")
	}
	ms := t.UnixMilli()
	if ms < leastISO || ms > mostISO {
		return dst, errYear
	}
	var stamp [len(TimestampLayout)]byte
	return c.appendStamp(dst, string(time.UnixMilli(ms).UTC().AppendFormat(stamp[:0], TimestampLayout)), ms)
}

// appendStamp writes a valid timestamp, or a date where the codec takes one, of which buckets are beginnings.
func (c Codec) appendStamp(dst []byte, stamp string, ms int64) ([]byte, error) {
	start := len(dst)
	switch c.base {
	case iso:
		dst = append(dst, stamp...)
	case hour:
		dst = append(dst, stamp[:hourLen]...)
	case day:
		dst = append(dst, stamp[:dayLen]...)
	case month:
		dst = append(dst, stamp[:monthLen]...)
	case minutes:
		of, _ := parseDigits(stamp[hourLen+1 : minuteLen])
		dst = appendDigits(append(dst, stamp[:hourLen+1]...), uint64(of-of%int64(c.every)), 2)
	case hours:
		of, _ := parseDigits(stamp[dayLen+1 : hourLen])
		dst = appendDigits(append(dst, stamp[:dayLen+1]...), uint64(of-of%int64(c.every)), 2)
	case ms13:
		if ms < 0 || ms > mostMS13 {
			return dst, c.outside("takes timestamps from 1970 to 2286-11-20T17:46:39.999Z")
		}
		dst = appendDigits(dst, uint64(ms), 13)
	case epochMS:
		dst = strconv.AppendInt(dst, ms, 10)
	case epochS:
		dst = strconv.AppendInt(dst, floorDiv(ms, 1000), 10)
	default:
		return dst, c.refuse("takes no timestamp")
	}
	if c.inverted {
		invert(dst[start:])
	}
	return dst, nil
}

func (c Codec) decodeTime(s string) (attr.Value, error) {
	if c.inverted {
		b := []byte(s)
		invert(b)
		s = string(b)
	}
	if c.base == day {
		if _, ok := parseDate(s); !ok {
			return attr.Value{}, errDate
		}
		return attr.Text(s), nil
	}
	if c.base == iso {
		if _, ok := parseTimestamp(s); !ok {
			return attr.Value{}, errTimestamp
		}
		return attr.Text(s), nil
	}
	ms, err := strconv.ParseInt(s, 10, 64)
	written, mismatch := c.withoutInversion().AppendTime(nil, time.UnixMilli(ms))
	if err != nil || mismatch != nil || string(written) != s {
		return attr.Value{}, c.refuse("did not write this text")
	}
	return TimestampOf(time.UnixMilli(ms))
}

func (c Codec) withoutInversion() Codec {
	c.inverted = false
	return c
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// appendDigits writes n with leading zeros to a width that it fits.
func appendDigits(dst []byte, n uint64, width int) []byte {
	var buf [20]byte
	for i := range width {
		buf[width-1-i] = byte('0' + n%10)
		n /= 10
	}
	return append(dst, buf[:width]...)
}

// invert turns each digit d into 9-d.
func invert(b []byte) {
	for i, d := range b {
		if '0' <= d && d <= '9' {
			b[i] = '9' - d + '0'
		}
	}
}

// Bucketed reports whether the codec writes the time that a moment lies in: some minutes, an hour, some hours, a day or
// a month.
func (c Codec) Bucketed() bool {
	return c.base == minutes || c.base == hour || c.base == hours || c.base == day || c.base == month
}

// Bucket is the beginning, in UTC, of the minutes, hours, day or month that t lies in: what a roll-up of it is called.
// It panics unless the codec is Bucketed.
func (c Codec) Bucket(t time.Time) time.Time {
	t = t.UTC()
	switch c.base {
	case minutes:
		return t.Truncate(time.Duration(c.every) * time.Minute)
	case hour:
		return t.Truncate(time.Hour)
	case hours:
		return time.Date(t.Year(), t.Month(), t.Day(), t.Hour()-t.Hour()%int(c.every), 0, 0, 0, time.UTC)
	case day:
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	case month:
		return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
	}
	panic("keys: Bucket of codec " + c.String())
}

// ParseBucket is the beginning, in UTC, of the bucket that a written text names. It fails on what Append cannot have
// written, and panics unless the codec is Bucketed.
func (c Codec) ParseBucket(s string) (time.Time, error) {
	layout := map[base]string{minutes: TimestampLayout[:minuteLen], hour: TimestampLayout[:hourLen], hours: TimestampLayout[:hourLen], day: DateLayout, month: DateLayout[:monthLen]}[c.base]
	t, err := time.Parse(layout, s)
	if err != nil || c.Bucket(t) != t || t.Format(layout) != s {
		return time.Time{}, c.refuse("did not write this text")
	}
	return t, nil
}

// NextBucket is the beginning, in UTC, of the bucket behind the one that t lies in. It panics unless the codec is
// Bucketed.
func (c Codec) NextBucket(t time.Time) time.Time {
	t = c.Bucket(t)
	switch c.base {
	case minutes:
		return t.Add(time.Duration(c.every) * time.Minute)
	case hour:
		return t.Add(time.Hour)
	case hours:
		return t.Add(time.Duration(c.every) * time.Hour)
	case day:
		return t.AddDate(0, 0, 1)
	}
	return t.AddDate(0, 1, 0)
}
