package plan

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// codec is one part's codec of package keys together with what the part's attribute makes of it: which texts it can
// write, and which value comes before another.
type codec struct {
	base     keys.Codec // zero: a number, binary or shard as it is, or a rank
	list     string     // of a rank: which values have which places
	wire     Type
	later    time.Duration // of a time: how much later than the attribute says it is written
	order    keys.Order
	readable bool
	negated  bool   // of N: the number with its sign turned
	width    int    // bytes of every written text; 0: it varies
	least    string // the smallest text, of a codec with a width
	most     string // the largest
	describe func(*lang)
	accepts  func(text string) bool // whether it can have written the text
	encode   func(dst []byte, v attr.Value) ([]byte, error)
	decode   func(text string) (attr.Value, error)
	number   func(v attr.Value) (attr.Value, error) // of N: the number written
	back     func(v attr.Value) (attr.Value, error) // of N: nil unless readable
	before   func(v attr.Value) (attr.Value, bool)  // the value next before v; nil or false if there is none
}

// keepsPrefix reports whether what is written of a value begins as the value does.
func (c *codec) keepsPrefix(a *spec.Attribute) bool {
	return c.wire == B || c.base.KeepsPrefix() && a.Type == spec.String
}

// folds reports whether different values can have one text.
func (c *codec) folds() bool { return !c.readable }

const (
	isoShape    = "0000-00-00T00:00:00.000Z"
	dateShape   = "0000-00-00"
	monthShape  = "0000-00"
	hourShape   = "0000-00-00T00"
	minuteShape = "0000-00-00T00:00"
	ms13Shape   = "0000000000000"
)

var errNoValue = errors.New("there is no value")

// newCodec makes the codec of a part. alone: the template is this part and nothing else. wire is the type of the
// attribute it is written to. a is nil for {shard}, which has shards instead.
func newCodec(a *spec.Attribute, names []string, wire Type, alone bool, shards int) (*codec, error) {
	switch {
	case a == nil:
		return shardCodec(names, wire, shards)
	case wire == B:
		return binaryCodec(a, names, alone)
	case a.Type == spec.Bool:
		return boolCodec(a, names, wire)
	case len(names) > 0 && strings.HasPrefix(names[0], rankPrefix):
		return rankCodec(a, names, wire, alone)
	}
	if wire == N && a.Type == spec.Number && len(names) == 1 && names[0] == negatedName {
		return negatedCodec(alone)
	}
	if wire == N && a.Type == spec.Number && (len(names) == 0 || len(names) == 1 && names[0] == "raw") {
		return numberCodec(a, alone)
	}
	if len(names) == 0 {
		switch {
		case wire == N:
			return nil, fmt.Errorf("%s, a %s, is not written to an N attribute so: a number goes as it is, a timestamp with epoch-ms or epoch-s", a.Name, a.Type)
		case a.Type == spec.String && alone, a.Type == spec.Date:
			names = []string{"raw"}
		case a.Type == spec.String:
			names = []string{"text"}
		case a.Type == spec.Timestamp:
			return nil, fmt.Errorf("%s is a timestamp: name a codec (iso, ms13, hour, day or month)", a.Name)
		case a.Type == spec.Number:
			return nil, fmt.Errorf("%s is a number: name a codec (padN or padN.M)", a.Name)
		default:
			return nil, fmt.Errorf("%s is a %s, which cannot be part of a text", a.Name, a.Type)
		}
	}
	later, names, err := plusCodec(names)
	if err != nil {
		return nil, err
	}
	base, err := keys.ParseCodec(strings.Join(names, ":"))
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "keys: "))
	}
	types := map[spec.Type]keys.Type{spec.String: keys.String, spec.Number: keys.Number, spec.Timestamp: keys.Timestamp, spec.Date: keys.Date}
	if t, ok := types[a.Type]; (!ok || !base.Takes(t)) && !(a.Type == spec.Date && base.Numeric() && later != 0) {
		return nil, fmt.Errorf("codec %s does not fit %s, a %s", base, a.Name, a.Type)
	}
	if base.Numeric() {
		c, err := epochCodec(a, base, wire, alone, later)
		if err == nil {
			c.later = later
		}
		return c, err
	}
	if later != 0 {
		return nil, fmt.Errorf("plus stands behind epoch-s or epoch-ms, not behind %s", base)
	}
	if wire == N {
		return nil, fmt.Errorf("codec %s writes a text, and the wire attribute is declared as N", base)
	}
	c := &codec{base: base, wire: S, order: base.Order(), readable: base.ReadsBack(), encode: base.Append, decode: base.Decode}
	switch name := names[0]; {
	case name == "raw", name == "text", name == "lower":
		return c, c.strings(a, alone)
	case name == "iso":
		c.shape(isoShape)
		c.before = func(v attr.Value) (attr.Value, bool) { return shift(v, keys.TimestampLayout, -time.Millisecond) }
	case name == "ms13":
		c.shape(ms13Shape)
		c.before = func(v attr.Value) (attr.Value, bool) { return shift(v, keys.TimestampLayout, -time.Millisecond) }
	case name == "hour", strings.HasPrefix(name, "hours"):
		c.shape(hourShape)
	case strings.HasPrefix(name, "minutes"):
		c.shape(minuteShape)
	case name == "day" && a.Type == spec.Date && base.Order() == keys.Reversed:
		c.shape(dateShape)
		c.before = func(v attr.Value) (attr.Value, bool) { return shift(v, keys.DateLayout, -24*time.Hour) }
	case name == "day" && a.Type == spec.Date: // a date is its own day
		return newCodec(a, []string{"raw"}, wire, alone, shards)
	case name == "day":
		c.shape(dateShape)
	case name == "month":
		c.shape(monthShape)
	default:
		size, signed := strings.CutPrefix(name, "signed")
		return c, c.pad(a, strings.TrimPrefix(size, "pad"), signed)
	}
	return c, nil
}

// shape says that every text has the form: a digit where it has 0, else the same byte.
func (c *codec) shape(form string) {
	c.width, c.least, c.most = len(form), form, strings.ReplaceAll(form, "0", "9")
	c.describe = func(l *lang) { l.shape(form) }
	c.accepts = func(text string) bool {
		if len(text) != len(form) {
			return false
		}
		for i := range len(text) {
			digit := text[i] >= '0' && text[i] <= '9'
			if form[i] == '0' && !digit || form[i] != '0' && text[i] != form[i] {
				return false
			}
		}
		return true
	}
}

// strings completes text, raw and lower.
func (c *codec) strings(a *spec.Attribute, alone bool) error {
	if a.Type == spec.Date {
		c.shape(dateShape)
		c.before = func(v attr.Value) (attr.Value, bool) { return shift(v, keys.DateLayout, -24*time.Hour) }
		return nil
	}
	switch {
	case c.base != keys.RawCodec:
		c.describe = (*lang).escaped
		c.accepts = func(text string) bool {
			_, err := keys.DecodeText(text)
			return err == nil
		}
	case high(a):
		c.describe = (*lang).high
		c.accepts = isHigh
	case alone:
		c.describe = (*lang).any
		c.accepts = func(string) bool { return true }
	default:
		return fmt.Errorf("codec raw inside a longer template needs a type without the bytes 00 to 24 hex, and %s is any string: use text", a.Name)
	}
	if list := a.Values(); len(list) > 0 {
		texts := make([]string, len(list))
		for i, s := range list {
			b, err := c.base.Append(nil, attr.Text(s))
			if err != nil {
				return err
			}
			texts[i] = string(b)
		}
		c.describe = func(l *lang) { l.oneOf(texts) }
		c.accepts = func(text string) bool { return slices.Contains(texts, text) }
		if a.Ranked() && !slices.IsSorted(list) {
			c.order = keys.NoOrder // these values sort as they are stated, not as their texts
		}
	}
	return nil
}

// isHigh reports whether a text has no byte below 25 hex.
func isHigh(s string) bool {
	for i := range len(s) {
		if s[i] <= keys.Escape {
			return false
		}
	}
	return true
}

// high reports whether no value of the attribute has a byte below 25 hex, so that it can stand raw inside a template.
func high(a *spec.Attribute) bool {
	if a.Type == spec.Date {
		return true
	}
	if list := a.Values(); len(list) > 0 {
		return !slices.ContainsFunc(list, func(s string) bool { return !isHigh(s) })
	}
	switch a.Generated {
	case "ulid", "uuid", "ksuid":
		return true
	}
	if r := a.Reference; r != nil { // a foreign key holds what the identity it points to holds
		for i, by := range r.By {
			if by == a && i < len(r.To.Identity) && r.To.Identity[i] != a {
				return high(r.To.Identity[i])
			}
		}
	}
	return false
}

// rankPrefix begins the codec of states and enum values that writes their places: rank(severe,high,low), or with
// numbers of one's own rank(severe=10,high=20,low=30), so that there is room for later ones.
const rankPrefix = "rank("

// rankCodec writes the places of states or enum values, padded to one width.
func rankCodec(a *spec.Attribute, names []string, wire Type, alone bool) (*codec, error) {
	list, closed := strings.CutSuffix(strings.TrimPrefix(names[0], rankPrefix), ")")
	values := a.Values()
	switch {
	case !closed || len(names) > 1:
		return nil, fmt.Errorf("%s is not a codec: write rank(first,second)", strings.Join(names, ":"))
	case len(values) == 0:
		return nil, fmt.Errorf("codec rank is for states and enum values, and %s is a %s", a.Name, a.Type)
	case wire != S && !(wire == N && alone):
		return nil, fmt.Errorf("codec rank writes digits: into a text, or into an N attribute with nothing beside it")
	}
	places := map[string]int{}
	most := 0
	for i, entry := range strings.Split(list, ",") {
		value, number, numbered := strings.Cut(strings.TrimSpace(entry), "=")
		place := i
		if numbered {
			n, err := strconv.Atoi(number)
			if err != nil || n < 0 || n > 1e9 {
				return nil, fmt.Errorf("rank: %q is no place: write a whole number from 0", number)
			}
			place = n
		}
		if _, twice := places[value]; twice || !slices.Contains(values, value) {
			return nil, fmt.Errorf("rank: %q is no value of %s, or is there twice: they are %s", value, a.Name, strings.Join(values, ", "))
		}
		places[value], most = place, max(most, place)
	}
	byPlace := map[int]string{}
	order, last := keys.Same, -1
	up, down := a.Ranked(), a.Ranked()
	for _, v := range values {
		place, ok := places[v]
		if _, twice := byPlace[place]; !ok || twice {
			return nil, fmt.Errorf("rank: each value of %s needs a place of its own: %s", a.Name, strings.Join(values, ", "))
		}
		byPlace[place] = v
		up, down = up && place > last, down && (last < 0 || place < last)
		last = place
	}
	switch {
	case up: // a single value is as it is
	case down && wire == S:
		order = keys.Reversed
	default:
		order = keys.NoOrder
	}
	if wire == N {
		return &codec{
			wire: N, order: order, readable: true, list: names[0],
			number: func(v attr.Value) (attr.Value, error) {
				place, ok := places[v.Str()]
				if !ok {
					return v, errNoValue
				}
				return attr.Num(attr.Int(int64(place))), nil
			},
			back: func(v attr.Value) (attr.Value, error) {
				n, _ := v.Number().Int64()
				value, ok := byPlace[int(n)]
				if !ok {
					return v, errNoValue
				}
				return attr.Text(value), nil
			},
		}, nil
	}
	width := len(strconv.Itoa(most))
	text := func(place int) string { return fmt.Sprintf("%0*d", width, place) }
	values = slices.Clone(values)
	slices.SortFunc(values, func(v, w string) int { return places[v] - places[w] })
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = text(places[v])
	}
	return &codec{
		wire: S, order: order, readable: true, width: width, least: texts[0], most: texts[len(texts)-1], list: names[0],
		describe: func(l *lang) { l.oneOf(texts) },
		accepts:  func(t string) bool { return slices.Contains(texts, t) },
		encode: func(dst []byte, v attr.Value) ([]byte, error) {
			place, ok := places[v.Str()]
			if !ok {
				return dst, errNoValue
			}
			return append(dst, text(place)...), nil
		},
		decode: func(t string) (attr.Value, error) {
			i := slices.Index(texts, t)
			if i < 0 {
				return attr.Value{}, errNoValue
			}
			return attr.Text(values[i]), nil
		},
	}, nil
}

// boolCodec writes true or false as these words, in this order.
func boolCodec(a *spec.Attribute, names []string, wire Type) (*codec, error) {
	if wire != S || len(names) > 1 || len(names) == 1 && names[0] != "text" && names[0] != "raw" {
		return nil, fmt.Errorf("%s is a bool, which a template writes as the text true or false: {%s} in an S attribute", a.Name, a.Name)
	}
	texts := []string{"false", "true"}
	return &codec{
		base: keys.RawCodec, wire: S, order: keys.Same, readable: true,
		describe: func(l *lang) { l.oneOf(texts) },
		accepts:  func(t string) bool { return slices.Contains(texts, t) },
		encode: func(dst []byte, v attr.Value) ([]byte, error) {
			return strconv.AppendBool(dst, v.Kind() == attr.KindBOOL && v.Bool()), kind(v, attr.KindBOOL)
		},
		decode: func(t string) (attr.Value, error) {
			if !slices.Contains(texts, t) {
				return attr.Value{}, errNoValue
			}
			return attr.Bool(t == "true"), nil
		},
	}, nil
}

// pad completes padN and padN.M, and signedN and signedN.M.
func (c *codec) pad(a *spec.Attribute, size string, signed bool) error {
	whole, fraction, _ := strings.Cut(size, ".")
	var n, m int
	if _, err := fmt.Sscan(whole, &n); err != nil {
		return err
	}
	if fraction != "" {
		if _, err := fmt.Sscan(fraction, &m); err != nil {
			return err
		}
	}
	if !signed && !a.NeverNegative() {
		return fmt.Errorf("codec %s writes no negative numbers, and %s has no min of 0 or more: use signed", c.base, a.Name)
	}
	if a.Scale > m {
		return fmt.Errorf("codec %s writes %d decimals, and %s has %d", c.base, m, a.Name, a.Scale)
	}
	if bound := attr.Dec("1" + strings.Repeat("0", n)); a.Digits-a.Scale > n && (a.Max == nil || a.Max.Cmp(bound) >= 0 || signed && (a.Min == nil || a.Min.Cmp(bound.Neg()) <= 0)) {
		return fmt.Errorf("codec %s writes %d digits before the point, and %s has up to %d", c.base, n, a.Name, a.Digits-a.Scale)
	}
	form := strings.Repeat("0", n)
	unit := attr.Int(1)
	if m > 0 {
		form += "." + strings.Repeat("0", m)
		unit = attr.Dec("0." + strings.Repeat("0", m-1) + "1")
	}
	if signed {
		form = "0" + form
	}
	c.shape(form)
	if signed {
		any := c.accepts
		c.most = "1" + c.most[1:]
		if c.base.Order() == keys.Reversed {
			c.least, c.most = "8"+c.least[1:], "9"+c.most[1:]
		}
		c.accepts = func(text string) bool { return any(text) && text >= c.least && text <= c.most }
	}
	c.before = func(v attr.Value) (attr.Value, bool) {
		d, err := v.Number().Sub(unit)
		if err != nil {
			return attr.Value{}, false
		}
		_, err = c.encode(nil, attr.Num(d)) // it has a place only if it fits
		return attr.Num(d), err == nil
	}
	return nil
}

func shift(v attr.Value, layout string, by time.Duration) (attr.Value, bool) {
	t, err := time.Parse(layout, v.Str())
	if err != nil {
		return attr.Value{}, false
	}
	s := t.Add(by).Format(layout)
	return attr.Text(s), len(s) == len(layout) && s[0] != '-'
}

// kind checks the type of a value to be written as it is.
func kind(v attr.Value, k attr.Kind) error {
	if v.IsZero() {
		return errNoValue
	}
	if v.Kind() != k {
		return fmt.Errorf("it is %s, not %s", v.Kind(), k)
	}
	return nil
}

// shardCodec writes the number of a shard, padded to the width of the largest.
func shardCodec(names []string, wire Type, shards int) (*codec, error) {
	if len(names) > 0 {
		return nil, errors.New("{shard} takes no codec")
	}
	if wire != S {
		return nil, errors.New("{shard} needs a wire attribute of type S")
	}
	s := keys.Shards{Of: shards}
	texts := make([]string, shards)
	for i := range texts {
		b, err := s.Append(nil, i)
		if err != nil {
			return nil, err
		}
		texts[i] = string(b)
	}
	return &codec{
		wire: S, order: keys.Same, readable: true, width: s.Width(), least: texts[0], most: texts[shards-1],
		describe: func(l *lang) { l.oneOf(texts) },
		accepts:  func(text string) bool { return slices.Contains(texts, text) },
		encode: func(dst []byte, v attr.Value) ([]byte, error) {
			i, ok := v.Number().Int64()
			if !ok {
				return dst, errNoValue
			}
			return s.Append(dst, int(i))
		},
		decode: func(text string) (attr.Value, error) {
			i, err := s.Decode(text)
			return attr.Num(attr.Int(int64(i))), err
		},
	}, nil
}

// numberCodec is a number as it is.
func numberCodec(a *spec.Attribute, alone bool) (*codec, error) {
	if !alone {
		return nil, fmt.Errorf("an N attribute holds one part and no text beside it")
	}
	same := func(v attr.Value) (attr.Value, error) { return v, kind(v, attr.KindN) }
	return &codec{wire: N, order: keys.Same, readable: true, number: same, back: same}, nil
}

// plusCodec takes a duration from the end of a codec: epoch-s:plus 90 days.
func plusCodec(names []string) (later time.Duration, rest []string, err error) {
	if len(names) == 0 {
		return 0, names, nil
	}
	text, ok := strings.CutPrefix(names[len(names)-1], "plus ")
	if !ok {
		return 0, names, nil
	}
	later, err = spec.ParseDuration(text)
	return later, names[:len(names)-1], err
}

// epochCodec is a timestamp, or a time so much later, as a number. Of a date it is the time so much after the day
// begins, in UTC.
func epochCodec(a *spec.Attribute, base keys.Codec, wire Type, alone bool, later time.Duration) (*codec, error) {
	if wire != N || !alone {
		return nil, fmt.Errorf("codec %s writes a number: declare the wire attribute as N and let {%s:%s} stand alone", base, a.Name, base)
	}
	c := &codec{base: base, wire: N, order: base.Order(), readable: base.ReadsBack(), number: base.Wire}
	if later != 0 { // for time to live, which nothing reads back
		c.order, c.readable = keys.NoOrder, false
		c.number = func(v attr.Value) (attr.Value, error) {
			layout := spec.TimestampLayout
			if a.Type == spec.Date {
				layout = spec.DateLayout
			}
			t, err := time.Parse(layout, v.Str())
			if err != nil {
				return v, errNoValue
			}
			return base.Wire(spec.TimeValue(t.Add(later)))
		}
	}
	if c.readable {
		c.back = func(v attr.Value) (attr.Value, error) {
			if err := kind(v, attr.KindN); err != nil {
				return v, err
			}
			return base.Decode(v.Str())
		}
	}
	return c, nil
}

// binaryCodec is a binary as it is.
func binaryCodec(a *spec.Attribute, names []string, alone bool) (*codec, error) {
	if !alone || a.Type != spec.Binary || len(names) > 1 || len(names) == 1 && names[0] != "raw" {
		return nil, fmt.Errorf("a B attribute holds one binary attribute alone, as it is")
	}
	return &codec{
		wire: B, order: keys.Same, readable: true, describe: (*lang).any,
		accepts: func(string) bool { return true },
		encode:  func(dst []byte, v attr.Value) ([]byte, error) { return append(dst, v.Str()...), kind(v, attr.KindB) },
		decode:  func(text string) (attr.Value, error) { return attr.Binary([]byte(text)), nil },
	}, nil
}
