package model

import (
	"fmt"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// The kinds of single values that documents hold, over the language of package spec. Each says in the JSON Schema what
// it looks like; the decoder has the last word.
type (
	numberText    struct{ attr.Number }
	durationText  time.Duration
	retentionText struct { // 2 years, or 2 years after closedAt
		For   durationText
		After nameText
	}
	rateText      float64 // per second
	sizeText      float64 // bytes
	shareText     float64 // 0 to 1
	skewText      struct{ spec.Skew }
	nameText      string
	pathText      spec.Path
	referenceText spec.Reference
	valueText     struct{ spec.Expr }
	conditionText struct{ spec.Condition }
	orderText     struct{ spec.Order }
	functionText  struct { // count, exists, sum(path), min(path), max(path), last(path), or a path alone
		Func  string
		Path  spec.Path
		Where spec.Condition // count(path where condition)
		from  int            // where the condition begins
	}
)

func (t *numberText) UnmarshalText(b []byte) (err error) {
	t.Number, err = spec.ParseNumber(string(b))
	return err
}

func (t *durationText) UnmarshalText(b []byte) error {
	d, err := spec.ParseDuration(string(b))
	*t = durationText(d)
	return err
}

func (t *retentionText) UnmarshalText(b []byte) error {
	text, after, counts := strings.Cut(string(b), " after ")
	if err := t.For.UnmarshalText([]byte(strings.TrimSpace(text))); err != nil || !counts {
		return err
	}
	return t.After.UnmarshalText([]byte(strings.TrimSpace(after)))
}

func (t *rateText) UnmarshalText(b []byte) error {
	r, err := spec.ParseRate(string(b))
	*t = rateText(r)
	return err
}

func (t *sizeText) UnmarshalText(b []byte) error {
	s, err := spec.ParseSize(string(b))
	*t = sizeText(s)
	return err
}

func (t *shareText) UnmarshalText(b []byte) error {
	s, err := spec.ParsePercentage(string(b))
	*t = shareText(s)
	return err
}

func (t *skewText) UnmarshalText(b []byte) (err error) {
	t.Skew, err = spec.ParseSkew(string(b))
	return err
}

func (t *nameText) UnmarshalText(b []byte) error {
	*t = nameText(b)
	if call, _, is := strings.Cut(string(b), "("); is && spec.IsName(call) {
		return &spec.Error{Message: fmt.Sprintf("`%s` is computed, and an attribute is named here", b), Remedy: spec.MeantCall(call)}
	}
	if !spec.IsName(string(b)) {
		return fmt.Errorf("`%s` is not a name: a letter, then letters, digits, _ and -", b)
	}
	return nil
}

func (t *pathText) UnmarshalText(b []byte) error {
	p, err := spec.ParsePath(string(b))
	*t = pathText(p)
	return err
}

func (t *referenceText) UnmarshalText(b []byte) error {
	r, err := spec.ParseReference(string(b))
	*t = referenceText(r)
	return err
}

func (t *valueText) UnmarshalText(b []byte) (err error) {
	t.Expr, err = spec.ParseValue(string(b))
	return err
}

func (t *conditionText) UnmarshalText(b []byte) (err error) {
	t.Condition, err = spec.ParseCondition(string(b))
	return err
}

func (t *orderText) UnmarshalText(b []byte) error {
	text, direction, _ := strings.Cut(string(b), " ")
	if name, minus := strings.CutPrefix(text, "-"); minus && direction == "" {
		return &spec.Error{Message: fmt.Sprintf("`%s` is not an order", text), Remedy: "write " + name + " descending"}
	}
	if strings.Contains(string(b), ",") {
		return &spec.Error{Offset: strings.Index(string(b), ","), Message: "an order by several is a list", Remedy: "write [" + string(b) + "]"}
	}
	switch strings.TrimSpace(direction) {
	case "descending":
		t.Descending = true
	case "ascending", "":
	default:
		return &spec.Error{Offset: len(text) + 1, Message: fmt.Sprintf("`%s` is not an order", direction), Remedy: "write " + text + " descending, or " + text + " alone"}
	}
	p, err := spec.ParsePath(text)
	t.Path = p
	return err
}

// text is the function as it was written, without its condition.
func (t functionText) text() string {
	if t.Func == "" {
		return t.Path.String()
	}
	return t.Func + "(" + t.Path.String() + ")"
}

func (t *functionText) UnmarshalText(b []byte) (err error) {
	text := string(b)
	name, rest, call := strings.Cut(text, "(")
	if !call {
		if text == "count" || text == "exists" {
			t.Func = text
			return nil
		}
		t.Path, err = spec.ParsePath(text)
		return err
	}
	inner, closed := strings.CutSuffix(rest, ")")
	switch {
	case !closed:
		return &spec.Error{Offset: len(text), Message: "`)` is missing"}
	case name != "count" && name != "sum" && name != "min" && name != "max" && name != "last":
		return &spec.Error{Message: fmt.Sprintf("`%s(…)` is not known", name), Remedy: or(functionWords[name], "write count, exists, sum(path), min(path), max(path) or last(path)")}
	}
	t.Func = name
	inner, condition, some := strings.Cut(inner, " where ")
	if some {
		t.from = len(name) + 1 + len(inner) + len(" where ")
		t.Where, err = spec.ParseCondition(condition)
		if e, ok := err.(*spec.Error); ok {
			e.Offset += t.from
		}
		if err != nil {
			return err
		}
	}
	t.Path, err = spec.ParsePath(strings.TrimSpace(inner))
	if e, ok := err.(*spec.Error); ok {
		e.Offset += len(name) + 1
	}
	return err
}

// What the kinds look like, for the JSON Schema. Editors check with it while typing.
const numberPattern = `-?[0-9]+(_[0-9]+)*(\.[0-9]+(_[0-9]+)*)?`

func (numberText) describe() (string, string) {
	return "^" + numberPattern + "$", "a number: digits, grouped by _, such as 40_000_000"
}
func (durationText) describe() (string, string) {
	return "^" + numberPattern + " *(ms|s|min|h|days?|months?|years?)$", "a duration, such as 5s or 18 months (a month is 730 hours, a year 365 days)"
}
func (retentionText) describe() (string, string) {
	return "^" + numberPattern + " *(ms|s|min|h|days?|months?|years?)( +after +[A-Za-z][A-Za-z0-9_]*)?$", "a duration, such as 18 months, and from when it counts: 18 months after closedAt"
}
func (rateText) describe() (string, string) {
	return "^" + numberPattern + "/(s|min|h|day|month)$", "a rate, such as 0.05/s or 130_000/month (of 730 hours)"
}
func (sizeText) describe() (string, string) {
	return "^" + numberPattern + " *(KB|MB|GB)?$", "a size in bytes, or in KB, MB, GB (powers of 1,024)"
}
func (shareText) describe() (string, string) {
	return "^" + numberPattern + "%$", "a percentage, such as 4%"
}
func (skewText) describe() (string, string) {
	return "^(uniform|by-size|zipf +" + numberPattern + "|hottest +([0-9_]+ have )?" + numberPattern + "%)$", "a skew: uniform, zipf 1.0, hottest 2%, hottest 50 have 45%, or by-size"
}
func (nameText) describe() (string, string) { return "", "a name" }
func (pathText) describe() (string, string) { return "", "a path: names joined by dots" }
func (referenceText) describe() (string, string) {
	return `^\$`, "a reference, such as $order.items"
}
func (valueText) describe() (string, string) {
	return "", "a value: a number, 'text', true, false, now, a $reference, a path, or a sum of them"
}
func (conditionText) describe() (string, string) {
	return "", "a condition, such as placedAt between $from and $to"
}
func (orderText) describe() (string, string) { return "", "a path, and ` descending` after it" }
func (functionText) describe() (string, string) {
	return "", "a path, or count, exists, sum(path), min(path), max(path), last(path), of some: count(path where condition)"
}
