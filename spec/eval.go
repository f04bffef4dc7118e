package spec

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
)

// TimestampLayout and DateLayout are the forms, for package time, in which timestamps (always in UTC) and dates are
// logical values.
const (
	TimestampLayout = "2006-01-02T15:04:05.000Z"
	DateLayout      = "2006-01-02"
)

// TimeValue is t as the logical value of a timestamp; fractions of a millisecond are cut off.
func TimeValue(t time.Time) attr.Value { return attr.Text(t.UTC().Format(TimestampLayout)) }

// Env is what values and conditions can see besides their subject.
type Env struct {
	Now time.Time // the moment of the call
	// Values are what references name: parameters, earlier steps, and "each". An entity is a map.
	Values attr.Item
}

// Lookup is the value of a reference; the zero Value if there is none.
func (e Env) Lookup(r Reference) attr.Value { return walk(e.Values, r) }

// Subject is what a condition is tested on and where the paths of values begin.
type Subject interface {
	// Present reports whether the item exists at all.
	Present() bool
	// At is the value at the end of a path; the zero Value if an attribute or an entity on the way is absent.
	At(Path) attr.Value
}

// On makes a Subject of a logical value of an entity. Paths walk through the maps inside it: through a way there
// only if the related entity stands inside under the way's name. An item without attributes is not present.
func On(it attr.Item) Subject { return onItem(it) }

type onItem attr.Item

func (s onItem) Present() bool        { return attr.Item(s).Len() > 0 }
func (s onItem) At(p Path) attr.Value { return walk(attr.Item(s), p) }

func walk(it attr.Item, names []string) attr.Value {
	for i, n := range names {
		v := it.Get(n)
		if i == len(names)-1 || v.Kind() != attr.KindM {
			if i < len(names)-1 {
				return attr.Value{}
			}
			return v
		}
		it = v.Map()
	}
	return attr.Value{}
}

// Eval computes a value. The zero Value stands for an absent one: a path or a reference that leads to nothing, and
// the negative of one. The error says what cannot be computed: arithmetic on an absent value, or a sum that leaves
// the range of numbers.
//
// A timestamp or date plus or minus a number of milliseconds is a timestamp or date. append and prepend take one element;
// on an absent list they make one, and append on a set adds the element to the set.
func Eval(v Expr, on Subject, env Env) (attr.Value, error) {
	switch {
	case v.Op != "":
		return evalOp(v, on, env)
	case v.Now && v.Day:
		return attr.Text(env.Now.UTC().Format(DateLayout)), nil
	case v.Now:
		return TimeValue(env.Now), nil
	}
	x := v.Literal
	if len(v.Reference) > 0 {
		x = env.Lookup(v.Reference)
	} else if len(v.Path) > 0 {
		x = on.At(v.Path)
	}
	if v.Neg && !x.IsZero() {
		if x.Kind() != attr.KindN {
			return x, fmt.Errorf("%s: the negative of what is no number", v)
		}
		return attr.Num(x.Number().Neg()), nil
	}
	return x, nil
}

func evalOp(v Expr, on Subject, env Env) (attr.Value, error) {
	a, err := Eval(v.Args[0], on, env)
	if err != nil {
		return a, err
	}
	if v.Op == "if_missing" && !a.IsZero() {
		return a, nil
	}
	b, err := Eval(v.Args[1], on, env)
	if err != nil || v.Op == "if_missing" {
		return b, err
	}
	switch v.Op {
	case "larger", "smaller":
		if b.IsZero() || !a.IsZero() && (attr.Compare(a, b) < 0) == (v.Op == "smaller") {
			return a, nil
		}
		return b, nil
	case "append", "prepend":
		return extend(v, a, b)
	case "+", "-":
		sum, err := add(a, b, v.Op == "-")
		if err != nil {
			return sum, fmt.Errorf("%s: %w", v, err)
		}
		return sum, nil
	}
	return attr.Value{}, fmt.Errorf("%q is not an operation", v.Op)
}

func extend(v Expr, list, element attr.Value) (attr.Value, error) {
	switch {
	case element.IsZero():
		return list, nil
	case list.IsZero():
		return attr.List(element), nil
	case v.Op == "append" && list.IsSet():
		return addToSet(v, list, element)
	case list.Kind() != attr.KindL:
		return list, fmt.Errorf("%s: %s is not a list", v, v.Args[0])
	case v.Op == "prepend":
		return attr.List(append([]attr.Value{element}, list.Elems()...)...), nil
	}
	return attr.List(append(slices.Clone(list.Elems()), element)...), nil
}

func addToSet(v Expr, set, element attr.Value) (attr.Value, error) {
	elems := append(slices.Clone(set.Elems()), element)
	if elems[0].Kind() != element.Kind() {
		return set, fmt.Errorf("%s: a set of %s has no %s", v, elems[0].Kind(), element.Kind())
	}
	switch element.Kind() {
	case attr.KindN:
		numbers := make([]attr.Number, len(elems))
		for i, e := range elems {
			numbers[i] = e.Number()
		}
		return attr.NumSet(numbers...), nil
	case attr.KindB:
		binaries := make([][]byte, len(elems))
		for i, e := range elems {
			binaries[i] = e.Bytes()
		}
		return attr.BinarySet(binaries...), nil
	}
	texts := make([]string, len(elems))
	for i, e := range elems {
		texts[i] = e.Str()
	}
	return attr.TextSet(texts...), nil
}

// add computes a + b or a - b of numbers, or of a point in time and milliseconds.
func add(a, b attr.Value, negate bool) (attr.Value, error) {
	if a.IsZero() || b.IsZero() {
		return attr.Value{}, fmt.Errorf("arithmetic on an absent value")
	}
	if b.Kind() != attr.KindN || a.Kind() != attr.KindN && a.Kind() != attr.KindS {
		return attr.Value{}, fmt.Errorf("arithmetic on %s and %s", a.Kind(), b.Kind())
	}
	n := b.Number()
	if negate {
		n = n.Neg()
	}
	if a.Kind() == attr.KindN {
		sum, err := a.Number().Add(n)
		return attr.Num(sum), err
	}
	const tenThousandYears = 10_000 * 366 * 24 * 3_600_000
	ms, ok := n.Int64()
	if !ok || ms > tenThousandYears || ms < -tenThousandYears {
		return attr.Value{}, fmt.Errorf("a point in time cannot be moved by %s milliseconds", n)
	}
	layout := TimestampLayout
	if len(a.Str()) == len(DateLayout) {
		layout = DateLayout
	}
	t, err := time.Parse(layout, a.Str())
	if err != nil {
		return attr.Value{}, fmt.Errorf("arithmetic on a text that is no date or timestamp")
	}
	// Past the year 9999 the text would no longer sort as time does.
	t = time.UnixMilli(t.UnixMilli() + ms).UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return attr.Value{}, fmt.Errorf("the year %d is not between 0 and 9999", y)
	}
	return attr.Text(t.Format(layout)), nil
}

// Holds reports whether a condition holds for a subject; the nil Condition always does. A test on an absent attribute,
// or against an absent value, is false, whatever its operator (`not` turns that into true). Strings, timestamps and
// dates compare by their UTF-8 bytes, numbers by value. The error says what cannot be compared.
func Holds(c Condition, on Subject, env Env) (bool, error) {
	switch c := c.(type) {
	case nil:
		return true, nil
	case *Test:
		return c.holds(on, env)
	case *Logic:
		for _, a := range c.Args {
			ok, err := Holds(a, on, env)
			switch {
			case err != nil:
				return false, err
			case c.Op == "not":
				return !ok, nil
			case ok != (c.Op == "and"): // decided: false in `and`, true in `or`
				return ok, nil
			}
		}
		return c.Op == "and", nil
	}
	return false, fmt.Errorf("%T is not a condition", c)
}

func (t *Test) holds(on Subject, env Env) (bool, error) {
	if len(t.Path) == 0 {
		return on.Present() == (t.Op == "present"), nil
	}
	left := on.At(t.Path)
	switch t.Op {
	case "exists":
		return !left.IsZero(), nil
	case "absent":
		return left.IsZero(), nil
	}
	if left.IsZero() {
		return false, nil
	}
	args := make([]attr.Value, len(t.Args))
	for i, a := range t.Args {
		v, err := Eval(a, on, env)
		if err != nil {
			return false, err
		}
		args[i] = v
	}
	if t.Op == "in" {
		return slices.ContainsFunc(args, func(v attr.Value) bool { return attr.Equal(left, v) }), nil
	}
	for _, v := range args {
		if v.IsZero() {
			return false, nil
		}
	}
	switch t.Op {
	case "before":
		if t.States == nil {
			return false, fmt.Errorf("%s: the states of %s are not resolved", t, t.Path)
		}
		return slices.Contains(t.States.Before(args[0].Str()), left.Str()), nil
	case "begins_with":
		if left.Kind() != args[0].Kind() || left.Kind() != attr.KindS && left.Kind() != attr.KindB {
			return false, t.mismatch(left, args[0])
		}
		return strings.HasPrefix(left.Str(), args[0].Str()), nil
	case "contains":
		return t.contains(left, args[0])
	case "size":
		return t.compare(t.SizeOp, attr.Num(attr.Int(int64(SizeOf(left)))), args[0])
	case "between":
		low, err := t.compare(">=", left, args[0])
		if err != nil || !low {
			return false, err
		}
		return t.compare("<=", left, args[1])
	}
	return t.compare(t.Op, left, args[0])
}

// SizeOf is what DynamoDB's size function answers, and `size` of a condition: UTF-16 units of a text, bytes of a binary, elements of the others.
func SizeOf(v attr.Value) int {
	switch v.Kind() {
	case attr.KindS:
		return attr.UTF16Len(v.Str())
	case attr.KindB:
		return len(v.Str())
	case attr.KindM:
		return v.Map().Len()
	}
	return len(v.Elems())
}

func (t *Test) contains(left, v attr.Value) (bool, error) {
	if left.Kind() == attr.KindL || left.IsSet() {
		return slices.ContainsFunc(left.Elems(), func(e attr.Value) bool { return attr.Equal(e, v) }), nil
	}
	if left.Kind() != v.Kind() || left.Kind() != attr.KindS && left.Kind() != attr.KindB {
		return false, t.mismatch(left, v)
	}
	return strings.Contains(left.Str(), v.Str()), nil
}

func (t *Test) compare(op string, a, b attr.Value) (bool, error) {
	if a.Kind() != b.Kind() {
		return false, t.mismatch(a, b)
	}
	if op == "=" || op == "!=" {
		return attr.Equal(a, b) == (op == "="), nil
	}
	if a.Kind() > attr.KindB {
		return false, fmt.Errorf("%s: %s has no order", t, a.Kind())
	}
	c := attr.Compare(a, b)
	switch op {
	case "<":
		return c < 0, nil
	case "<=":
		return c <= 0, nil
	case ">":
		return c > 0, nil
	case ">=":
		return c >= 0, nil
	}
	return false, fmt.Errorf("%q is not a comparison", op)
}

func (t *Test) mismatch(a, b attr.Value) error {
	return fmt.Errorf("%s: %s and %s cannot be compared", t, a.Kind(), b.Kind())
}
