package iam

import (
	"encoding/base64"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// condition is one key under one operator, with the values that satisfy it.
type condition struct {
	key      string // in lower case
	test     func(value string, want pattern) bool
	negated  bool
	null     bool // the operator Null: want tells whether the key is to be absent
	absent   bool
	ifExists bool
	all, any bool // ForAllValues:, ForAnyValue:
	want     []pattern
}

// operators are those that are not negations, with how a value is compared. Negations are made of them.
var operators = map[string]func(value string, want pattern) bool{
	"StringEquals":             func(v string, p pattern) bool { return v == p.plain() },
	"StringEqualsIgnoreCase":   func(v string, p pattern) bool { return strings.EqualFold(v, p.plain()) },
	"StringLike":               func(v string, p pattern) bool { return p.glob(v) },
	"NumericEquals":            numeric(func(c int) bool { return c == 0 }),
	"NumericLessThan":          numeric(func(c int) bool { return c < 0 }),
	"NumericLessThanEquals":    numeric(func(c int) bool { return c <= 0 }),
	"NumericGreaterThan":       numeric(func(c int) bool { return c > 0 }),
	"NumericGreaterThanEquals": numeric(func(c int) bool { return c >= 0 }),
	"DateEquals":               date(func(c int) bool { return c == 0 }),
	"DateLessThan":             date(func(c int) bool { return c < 0 }),
	"DateLessThanEquals":       date(func(c int) bool { return c <= 0 }),
	"DateGreaterThan":          date(func(c int) bool { return c > 0 }),
	"DateGreaterThanEquals":    date(func(c int) bool { return c >= 0 }),
	"Bool":                     func(v string, p pattern) bool { return strings.EqualFold(v, p.plain()) },
	"BinaryEquals":             binaryEquals,
	"IpAddress":                inNetwork,
	"ArnEquals":                func(v string, p pattern) bool { return p.matchARN(v, nil) },
	"ArnLike":                  func(v string, p pattern) bool { return p.matchARN(v, nil) },
}

// negations are the operators that hold where another one does not.
var negations = map[string]string{
	"StringNotEquals": "StringEquals", "StringNotEqualsIgnoreCase": "StringEqualsIgnoreCase", "StringNotLike": "StringLike",
	"NumericNotEquals": "NumericEquals", "DateNotEquals": "DateEquals", "NotIpAddress": "IpAddress",
	"ArnNotEquals": "ArnEquals", "ArnNotLike": "ArnLike",
}

func newCondition(operator, key string, values []scalar, variables bool) (c condition, err error) {
	c.key = strings.ToLower(key)
	name := operator
	if rest, ok := strings.CutPrefix(name, "ForAllValues:"); ok {
		name, c.all = rest, true
	} else if rest, ok := strings.CutPrefix(name, "ForAnyValue:"); ok {
		name, c.any = rest, true
	}
	if name == "Null" {
		if len(values) != 1 || values[0] != "true" && values[0] != "false" {
			return c, fmt.Errorf("the operator Null takes true or false for %s", key)
		}
		c.null, c.absent = true, values[0] == "true"
		return c, nil
	}
	name, c.ifExists = strings.CutSuffix(name, "IfExists")
	if positive, ok := negations[name]; ok {
		name, c.negated = positive, true
	}
	if c.test = operators[name]; c.test == nil {
		return c, fmt.Errorf("there is no condition operator %q", operator)
	}
	for _, v := range values {
		c.want = append(c.want, compile(string(v), variables))
	}
	return c, nil
}

// holds reports whether the condition is satisfied (reference_policies_multi-value-conditions).
func (c *condition) holds(context map[string][]string) bool {
	values, present := context[c.key]
	switch {
	case c.null:
		return present != c.absent
	case c.all:
		return !slices.ContainsFunc(values, func(v string) bool { return !c.value(v, context) })
	case !present && c.any:
		return c.ifExists
	case !present:
		return c.ifExists || c.negated
	}
	if c.negated && !c.any {
		return !slices.ContainsFunc(values, func(v string) bool { return !c.value(v, context) })
	}
	return slices.ContainsFunc(values, func(v string) bool { return c.value(v, context) })
}

// value reports whether a single value of the key satisfies the operator with any of the wanted ones, or, negated, with
// none.
func (c *condition) value(v string, context map[string][]string) bool {
	return slices.ContainsFunc(c.want, func(p pattern) bool {
		p, ok := p.resolve(context)
		return ok && c.test(v, p)
	}) != c.negated
}

func numeric(is func(int) bool) func(string, pattern) bool {
	return func(v string, p pattern) bool {
		a, err := strconv.ParseFloat(v, 64)
		b, err2 := strconv.ParseFloat(p.plain(), 64)
		if err != nil || err2 != nil {
			return false
		}
		switch {
		case a < b:
			return is(-1)
		case a > b:
			return is(1)
		}
		return is(0)
	}
}

func date(is func(int) bool) func(string, pattern) bool {
	return func(v string, p pattern) bool {
		a, ok := readDate(v)
		b, ok2 := readDate(p.plain())
		return ok && ok2 && is(a.Compare(b))
	}
}

// readDate reads a date of ISO 8601, or seconds since 1970.
func readDate(s string) (time.Time, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && len(s) > 4 {
		return time.Unix(n, 0), true
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", time.DateOnly, "2006-01", "2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func binaryEquals(v string, p pattern) bool {
	a, err := base64.StdEncoding.DecodeString(v)
	b, err2 := base64.StdEncoding.DecodeString(p.plain())
	return err == nil && err2 == nil && string(a) == string(b)
}

// inNetwork takes an address or a range of them in CIDR form.
func inNetwork(v string, p pattern) bool {
	a, err := netip.ParseAddr(v)
	if err != nil {
		return false
	}
	a = a.Unmap()
	want := p.plain()
	if !strings.Contains(want, "/") {
		b, err := netip.ParseAddr(want)
		return err == nil && a == b.Unmap()
	}
	network, err := netip.ParsePrefix(want)
	return err == nil && network.Contains(a)
}
