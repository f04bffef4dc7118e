package plan

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/keys"
)

// interval is a range of texts in the order of their bytes (of an S or B attribute) or of numbers (of an N). The zero
// interval is everything.
type interval struct {
	low, high     attr.Value // zero: no end
	lowOut        bool       // low itself lies outside; texts use the next text instead
	highOut       bool       // high itself lies outside
	none          bool       // nothing lies inside
	prefix        string     // what all texts begin with, if that is all there is to it
	isPrefix, one bool       // it is a prefix; it is the single value low
}

// text makes a value of the attribute's type.
func (w Wire) text(s []byte) attr.Value {
	if w.Type == B {
		return attr.Binary(s)
	}
	return attr.Text(string(s))
}

// successor is the first text behind all that begin with prefix; false if there is none.
func (w Wire) successor(prefix []byte) (attr.Value, bool) {
	if w.Type == B {
		b, ok := keys.SuccessorBytes(prefix)
		return attr.Binary(b), ok
	}
	s, ok := keys.Successor(string(prefix))
	return attr.Text(s), ok
}

// begins is the interval of all texts with a prefix.
func (w Wire) begins(prefix []byte) interval {
	if len(prefix) == 0 {
		return interval{}
	}
	x := interval{low: w.text(prefix), highOut: true, isPrefix: true, prefix: string(prefix)}
	x.high, _ = w.successor(prefix)
	return x
}

// exactly is the interval of one value.
func exactly(v attr.Value) interval { return interval{low: v, high: v, one: true} }

// ends are the values of a range: nil where it has no end.
type ends struct {
	low, high       *attr.Value
	lowOut, highOut bool
	prefix          *attr.Value
	absent          bool // with one of low and high: what has no value as well
}

// writable moves the ends to numbers that a codec writes, for a call may ask for more than is ever stored: from -5 on, up to a
// million. It is false if nothing lies between them then.
func (e *ends) writable(c keys.Codec) bool {
	move := func(end **attr.Value, out *bool, up bool) bool {
		if *end == nil {
			return true
		}
		v, ok := c.Nearest(**end, up)
		if ok && !attr.Equal(v, **end) {
			*end, *out = &v, false
		}
		return ok
	}
	return move(&e.low, &e.lowOut, true) && move(&e.high, &e.highOut, false)
}

// rangeOn is the interval of the values of a wire attribute whose first parts have the values and whose next part lies
// between the ends.
func (r *Recipe) rangeOn(values []attr.Value, e ends) (interval, error) {
	if e.absent && (e.low == nil) != (e.high == nil) {
		e.absent = false
		x, err := r.rangeOn(values, e)
		switch {
		case err != nil:
		case x.none: // nobody has such a value
			x = exactly(r.absent)
		case r.place() > 0:
			x = interval{low: x.low, lowOut: x.lowOut}
		default:
			x = interval{high: x.high, highOut: x.highOut}
		}
		return x, err
	}
	if r.Wire.Type == N {
		return r.numbers(values, e)
	}
	n := len(values)
	base, err := r.appendParts(nil, values)
	if err != nil {
		return interval{}, err
	}
	last := n == len(r.Parts)
	if e.low == nil && e.high == nil && e.prefix == nil {
		if last {
			return interval{low: r.Wire.text(base), high: r.Wire.text(base), one: true, none: len(base) == 0}, nil
		}
		if n == 0 && r.Else != "" { // what has no value begins otherwise
			return interval{}, nil
		}
		return r.Wire.begins(base), nil
	}
	p := r.Parts[n]
	encode := func(v attr.Value) ([]byte, error) {
		b, err := p.codec.encode(slices.Clone(base), v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name(), err)
		}
		return b, nil
	}
	if e.prefix != nil {
		b, err := encode(*e.prefix)
		return r.Wire.begins(b), err
	}
	if !e.writable(p.codec.base) {
		return interval{none: true}, nil
	}
	if p.codec.order == keys.Reversed {
		e.low, e.high, e.lowOut, e.highOut = e.high, e.low, e.highOut, e.lowOut
	}
	if p.codec.order == keys.Weakly { // other values share the text of the one that is left out
		e.lowOut, e.highOut = false, false
	}
	next := r.Literals[n+1]
	ends := next == "" && n+1 == len(r.Parts)
	behind := func(b []byte) attr.Value { // what follows everything that goes on from b
		if next != "" {
			_, size := utf8.DecodeRuneInString(next)
			b = append(b, next[:size]...)
		}
		v, _ := r.Wire.successor(b)
		return v
	}
	if e.highOut && ends && p.codec.order == keys.Same && p.codec.before != nil { // the value before it can be named
		v, ok := p.codec.before(*e.high)
		if !ok {
			return interval{none: true}, nil
		}
		e.high, e.highOut = &v, false
	}
	x := r.Wire.begins(base)
	x.isPrefix = false
	if e.low != nil {
		b, err := encode(*e.low)
		switch {
		case err != nil:
			return x, err
		case !e.lowOut:
			x.low = r.Wire.text(b)
		case ends:
			x.low, x.lowOut = r.Wire.text(b), true
		default:
			x.low = behind(b)
		}
	}
	if e.high != nil {
		b, err := encode(*e.high)
		switch {
		case err != nil:
			return x, err
		case e.highOut:
			x.high, x.highOut = r.Wire.text(b), true
		case ends:
			x.high, x.highOut = r.Wire.text(b), false
		default:
			x.high, x.highOut = behind(b), true
		}
	}
	x.check()
	return x, nil
}

// numbers is rangeOn of an N attribute, which holds one part or a constant.
func (r *Recipe) numbers(values []attr.Value, e ends) (interval, error) {
	if len(r.Parts) == 0 {
		return exactly(r.constant), nil
	}
	p := r.Parts[0]
	write := func(v attr.Value) (attr.Value, error) {
		n, err := p.codec.number(v)
		if err != nil {
			return n, fmt.Errorf("%s: %w", p.name(), err)
		}
		return n, nil
	}
	if len(values) == 1 {
		v, err := write(values[0])
		return exactly(v), err
	}
	weak := p.codec.order == keys.Weakly
	if p.codec.order == keys.Reversed {
		e.low, e.high, e.lowOut, e.highOut = e.high, e.low, e.highOut, e.lowOut
	}
	var x interval
	var err error
	if e.low != nil {
		x.low, err = write(*e.low)
		x.lowOut = e.lowOut && !weak
	}
	if e.high != nil && err == nil {
		x.high, err = write(*e.high)
		x.highOut = e.highOut && !weak
	}
	x.check()
	return x, err
}

// check finds out whether anything lies inside. No key is empty, and DynamoDB refuses to be asked for one.
func (x *interval) check() {
	if x.low.Kind() != attr.KindN && x.low.Str() == "" {
		x.low, x.lowOut = attr.Value{}, false
	}
	if !x.high.IsZero() && x.high.Kind() != attr.KindN && x.high.Str() == "" {
		x.none = true
	}
	if x.low.IsZero() || x.high.IsZero() {
		return
	}
	d := attr.Compare(x.low, x.high)
	x.none = x.none || d > 0 || d == 0 && (x.lowOut || x.highOut)
}

// appendParts appends the literals and the encoded values of the first parts, and the literal behind them.
func (r *Recipe) appendParts(dst []byte, values []attr.Value) ([]byte, error) {
	dst = append(dst, r.Literals[0]...)
	var err error
	for i, v := range values {
		if dst, err = r.Parts[i].codec.encode(dst, v); err != nil {
			return dst, fmt.Errorf("%s: %w", r.Parts[i].name(), err)
		}
		dst = append(dst, r.Literals[i+1]...)
	}
	return dst, nil
}

// holds reports whether a value lies inside.
func (x *interval) holds(v attr.Value) bool {
	if x.none || v.IsZero() {
		return false
	}
	if !x.low.IsZero() {
		if v.Kind() != x.low.Kind() {
			return false
		}
		if d := attr.Compare(v, x.low); d < 0 || d == 0 && x.lowOut {
			return false
		}
	}
	if !x.high.IsZero() {
		if v.Kind() != x.high.Kind() {
			return false
		}
		if d := attr.Compare(v, x.high); d > 0 || d == 0 && x.highOut {
			return false
		}
	}
	return true
}

// hull is the smallest interval around all of xs.
func hull(xs []interval) interval {
	var h interval
	first := true
	for _, x := range xs {
		if x.none {
			continue
		}
		if first {
			h, first = x, false
			continue
		}
		if h.isPrefix && x.isPrefix && h.prefix == x.prefix || h.one && x.one && attr.Equal(h.low, x.low) {
			continue
		}
		h.isPrefix, h.one = false, false
		if !h.low.IsZero() {
			switch {
			case x.low.IsZero():
				h.low, h.lowOut = x.low, false
			default:
				if d := attr.Compare(x.low, h.low); d < 0 || d == 0 && h.lowOut {
					h.low, h.lowOut = x.low, x.lowOut
				}
			}
		}
		if !h.high.IsZero() {
			switch {
			case x.high.IsZero():
				h.high, h.highOut = x.high, false
			default:
				if d := attr.Compare(x.high, h.high); d > 0 || d == 0 && h.highOut {
					h.high, h.highOut = x.high, x.highOut
				}
			}
		}
	}
	h.none = first
	return h
}

// term is the interval as a condition on a key attribute; ok is false if it has no ends. DynamoDB has only one operator
// for two ends, and that includes both: what lies on an end that should be out is dropped after reading.
func (x *interval) term(name string) (t expr.KeyTerm, ok bool) {
	t.Attribute = name
	switch {
	case x.one:
		t.Op, t.Low = expr.KeyEqual, x.low
	case x.isPrefix:
		t.Op, t.Low = expr.KeyBeginsWith, x.low
	case x.low.IsZero() && x.high.IsZero():
		return t, false
	case x.high.IsZero() && x.lowOut:
		t.Op, t.Low = expr.KeyGreater, x.low
	case x.high.IsZero():
		t.Op, t.Low = expr.KeyAtLeast, x.low
	case x.low.IsZero() && x.highOut:
		t.Op, t.Low = expr.KeyLess, x.high
	case x.low.IsZero():
		t.Op, t.Low = expr.KeyAtMost, x.high
	default:
		t.Op, t.Low, t.High = expr.KeyBetween, x.low, x.high
		if x.lowOut && x.low.Kind() == attr.KindS { // a text has a next one
			t.Low = attr.Text(keys.Next(x.low.Str()))
		}
	}
	return t, true
}
