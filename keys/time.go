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
	hourLayout  = "2006-01-02T15"
	monthLayout = "2006-01"

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

// TimestampOf is the logical value of a moment: an S in UTC with milliseconds; what is finer is cut off. It fails outside
// the years 0 to 9999.
func TimestampOf(t time.Time) (attr.Value, error) {
	ms := t.UnixMilli()
	if ms < leastISO || ms > mostISO {
		return attr.Value{}, errYear
	}
	return attr.Text(time.UnixMilli(ms).UTC().Format(TimestampLayout)), nil
}

// TimeOf is the moment of a logical timestamp, in UTC.
func TimeOf(v attr.Value) (time.Time, error) {
	if v.Kind() != attr.KindS {
		return time.Time{}, errTimestamp
	}
	return parseExact(v.Str(), TimestampLayout, errTimestamp)
}

// parseExact accepts only what Format writes, so that values and texts correspond one to one.
func parseExact(s, layout string, failure error) (time.Time, error) {
	if len(s) != len(layout) {
		return time.Time{}, failure
	}
	t, err := time.Parse(layout, s)
	if err != nil {
		return time.Time{}, failure
	}
	var again [len(TimestampLayout)]byte
	if string(t.AppendFormat(again[:0], layout)) != s { // time.Parse takes a comma for the dot
		return time.Time{}, failure
	}
	return t, nil
}

func (c Codec) appendTime(dst []byte, v attr.Value) ([]byte, error) {
	if v.Kind() != attr.KindS {
		return dst, c.refuse("takes a timestamp")
	}
	var t time.Time
	var err error
	if len(v.Str()) == len(DateLayout) && c.Takes(Date) {
		t, err = parseExact(v.Str(), DateLayout, errDate)
	} else {
		t, err = TimeOf(v)
	}
	if err != nil {
		return dst, fmt.Errorf("%w, which codec %s takes", err, c)
	}
	return c.AppendTime(dst, t)
}

// AppendTime writes the timestamp of t behind dst, as Append writes TimestampOf(t).
func (c Codec) AppendTime(dst []byte, t time.Time) ([]byte, error) {
	ms := t.UnixMilli()
	if ms < leastISO || ms > mostISO {
		return dst, errYear
	}
	start := len(dst)
	switch c.base {
	case iso:
		dst = time.UnixMilli(ms).UTC().AppendFormat(dst, TimestampLayout)
	case hour:
		dst = time.UnixMilli(ms).UTC().AppendFormat(dst, hourLayout)
	case day:
		dst = time.UnixMilli(ms).UTC().AppendFormat(dst, DateLayout)
	case month:
		dst = time.UnixMilli(ms).UTC().AppendFormat(dst, monthLayout)
	case ms13:
		if ms < 0 || ms > mostMS13 {
			return dst, c.refuse("takes timestamps from 1970 to 2286-11-20T17:46:39.999Z")
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
	if c.base == iso {
		if _, err := parseExact(s, TimestampLayout, errTimestamp); err != nil {
			return attr.Value{}, err
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
