package schema

import (
	"fmt"
	"math"
	"reflect"

	"github.com/tablewright/tablewright/attr"
)

// goStruct checks values of a Go struct by a shape, without making an item of them. It may say no to what the shape would
// take (exotic types, numbers next to a bound), but never yes to what it would not: after a no, the shape decides.
type goStruct struct {
	checks []goField
	fills  []goFill
	rest   []int // the field that takes what the shape does not name, if it is closed
	unsure bool  // only the shape can tell
	derive bool  // it has computed attributes, which are not compared here
	done   bool  // false while it is made
}

// goField is a field of which something can be wrong.
type goField struct {
	index    []int
	required bool
	optional bool // values may be absent
	field    attr.StructField
	test     test // nil: every value will do
}

// test reports whether a value will do. depth counts the structs around it: pointers may lead in circles, which the codec
// refuses.
type test func(v reflect.Value, depth int) bool

// binder makes goStructs. One of a type that contains itself contains itself.
type binder struct {
	made      map[binding]*goStruct
	functions bool // there are computed attributes that only a function of items computes
}

// binding is a shape with the type that it is bound to.
type binding struct {
	shape *Shape
	typ   reflect.Type
}

// bind binds a shape to a struct; it is an error if they do not fit.
func (b *binder) bind(s *Shape, t reflect.Type) (*goStruct, error) {
	if g, ok := b.made[binding{s, t}]; ok {
		return g, nil
	}
	g := new(goStruct)
	b.made[binding{s, t}] = g
	fields, err := attr.Fields(t)
	if err != nil {
		return nil, err
	}
	byName := make(map[string]attr.StructField, len(fields))
	for _, f := range fields {
		if f.Role == attr.RoleRest && s.closed {
			g.rest = f.Index
		}
		byName[f.Name] = f
	}
	_, rest := byName[""]
	for i := range s.fields {
		x := &s.fields[i]
		f, ok := byName[x.name]
		if !ok {
			if rest {
				g.unsure = g.unsure || !x.optional || x.typ.form != anyForm
				continue
			}
			return nil, fmt.Errorf("%s has no attribute %s, which the shape has", t, x.name)
		}
		if err := b.addField(g, t, x, f); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t, f.Go, err)
		}
	}
	if s.closed {
		for _, f := range fields {
			if f.Role != attr.RoleRest && s.find(f.Name) == nil {
				return nil, fmt.Errorf("%s has the attribute %s, which the closed shape does not", t, f.Name)
			}
		}
	}
	g.done = true
	return g, nil
}

func (b *binder) addField(g *goStruct, t reflect.Type, x *field, f attr.StructField) error {
	check, err := b.value(x.typ, f)
	if err != nil {
		return err
	}
	gf := goField{index: f.Index, required: !x.optional, optional: maybeAbsent(t, f), field: f, test: check}
	if gf.test != nil || gf.required && gf.optional {
		g.checks = append(g.checks, gf)
	}
	g.derive = g.derive || x.computed != nil
	return b.addFill(g, t, x, f)
}

// valid reports whether v, which is addressable, certainly will do.
func (g *goStruct) valid(v reflect.Value, depth int) bool {
	if depth > attr.MaxDepth {
		return false
	}
	if g.rest != nil {
		if r, ok := fieldAt(v, g.rest); ok && r.Addr().Interface().(*attr.Item).Len() > 0 {
			return false
		}
	}
	for i := range g.checks {
		f := &g.checks[i]
		x, ok := fieldAt(v, f.index)
		if !ok || f.optional && f.field.Absent(x) {
			if f.required {
				return false
			}
			continue
		}
		if f.test != nil && !f.test(x, depth) {
			return false
		}
	}
	return true
}

// fieldAt is the field at an index path; false if a nil pointer is on the way.
func fieldAt(v reflect.Value, index []int) (reflect.Value, bool) {
	for i, x := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v, true
}

// value makes the test of a field or element. It is nil if every value that is not absent will do.
func (b *binder) value(n *node, f attr.StructField) (test, error) {
	if n.form == anyForm && n.null {
		return nil, nil
	}
	if f.Kind != 0 && !n.holds(f.Kind) {
		return nil, fmt.Errorf("%s is stored as %s, and must be %s", f.Type, f.Kind, n.want())
	}
	t, wrapped := held(f.Type)
	inner, err := b.bare(n, f, t)
	if err != nil || !wrapped {
		return inner, err
	}
	return unwrapping(n, inner), nil
}

// unwrapping follows pointers and Opts to what they hold.
func unwrapping(n *node, inner test) test {
	if inner == nil && n.null {
		return nil
	}
	return func(v reflect.Value, depth int) bool {
		for {
			switch {
			case v.Kind() == reflect.Pointer:
				if v.IsNil() {
					return n.null
				}
				v = v.Elem()
			case v.Kind() == reflect.Struct && isOpt(v.Type()):
				if attr.State(v.Field(1).Uint()) != attr.StatePresent {
					return n.null
				}
				v = v.Field(0)
			default:
				return inner == nil || inner(v, depth)
			}
		}
	}
}

// bare makes the test of values of type t, which f holds.
func (b *binder) bare(n *node, f attr.StructField, t reflect.Type) (test, error) {
	if c, ok := f.Held(); ok {
		f = c
	}
	switch f.Kind {
	case attr.KindS:
		switch {
		case n.form == timeForm && isTime(t), n.form == stringForm && n.plain():
			return nil, nil
		case t.Kind() == reflect.String && !isText(t):
			return func(v reflect.Value, depth int) bool { return n.textOK(v.String()) }, nil
		}
	case attr.KindN:
		return n.numberTest(f, t), nil
	case attr.KindBOOL:
		if n.enum == nil {
			return nil, nil
		}
	case attr.KindB:
		if n.plain() {
			return nil, nil
		}
		return func(v reflect.Value, depth int) bool { return n.size.holds(v.Len()) }, nil
	case attr.KindM:
		return b.mapTest(n, f, t)
	case attr.KindL, attr.KindSS, attr.KindNS, attr.KindBS:
		return b.listTest(n, f, t)
	}
	return slow(n, f), nil
}

// slow makes the test of what only the codec knows how to read.
func slow(n *node, f attr.StructField) test {
	return func(v reflect.Value, depth int) bool {
		x, err := f.Value(v)
		if err != nil {
			return false
		}
		if x.IsZero() {
			x = attr.Null()
		}
		return n.check(x, nil)
	}
}

// numberTest compares Go's numbers without making texts of them.
func (n *node) numberTest(f attr.StructField, t reflect.Type) test {
	own := newNode(numberForm)
	own.takeNumbers(t)
	simple := n.places < 0 && !n.stepped && n.single == own.single && n.enum == nil
	k := t.Kind()
	switch {
	case n.plain() || simple && own.integer == n.integer && n.low == own.low && n.high == own.high:
		return nil
	case t == numberType:
		return func(v reflect.Value, depth int) bool {
			if !v.CanAddr() {
				return n.check(attr.Num(v.Interface().(attr.Number)), nil)
			}
			return n.check(attr.Num(*v.Addr().Interface().(*attr.Number)), nil)
		}
	case simple && k >= reflect.Int && k <= reflect.Int64 && n.low.small() && n.high.small():
		return func(v reflect.Value, depth int) bool { return n.holdsInt(v.Int()) }
	case simple && k >= reflect.Uint && k <= reflect.Uint64 && n.low.small() && (n.high.small() || n.high == own.high):
		return func(v reflect.Value, depth int) bool {
			u := v.Uint()
			return u <= math.MaxInt64 && n.holdsInt(int64(u)) // a larger one, the shape decides
		}
	case simple && !n.integer && (k == reflect.Float32 || k == reflect.Float64):
		low, high := math.Inf(-1), math.Inf(1)
		if n.low.set {
			low = n.low.n.Float64()
		}
		if n.high.set {
			high = n.high.n.Float64()
		}
		atLow, atHigh := n.low.exact(), n.high.exact()
		return func(v reflect.Value, depth int) bool { // a bound that is no float is for the shape
			x := v.Float()
			return (x > low || atLow && x == low) && (x < high || atHigh && x == high)
		}
	}
	return slow(n, f)
}

// takeNumbers adds the rules that follow from a Go type of numbers.
func (n *node) takeNumbers(t reflect.Type) {
	switch k := t.Kind(); {
	case isTime(t):
		n.narrow(reflect.Int64)
	case t == bigIntType:
		n.integer = true
	case k >= reflect.Int && k <= reflect.Uint64:
		n.narrow(k)
	case k == reflect.Float32:
		n.single = true
	}
}

// exact reports whether the bound is closed and, as a float, the same number.
func (b *bound) exact() bool { return b.set && !b.open && b.isI && b.i > -1<<53 && b.i < 1<<53 }

// small reports whether a bound can be compared as an integer.
func (b *bound) small() bool { return !b.set || b.isI }

// holdsInt is the range for integers; the bounds are small, or beyond all of them.
func (n *node) holdsInt(i int64) bool {
	if n.low.set && (i < n.low.i || n.low.open && i == n.low.i) {
		return false
	}
	return !n.high.set || !n.high.isI || i < n.high.i || i == n.high.i && !n.high.open
}

func (b *binder) listTest(n *node, f attr.StructField, t reflect.Type) (test, error) {
	if t.Kind() == reflect.Map { // to struct{} or bool
		return slow(n, f), nil
	}
	e, ok := f.Elem()
	if !ok {
		return slow(n, f), nil
	}
	elem, err := b.value(n.elem, e)
	if err != nil {
		return nil, fmt.Errorf("elements: %w", err)
	}
	absents := nilable(e) && !n.elem.null && n.form == listForm // they are NULL, which the type does not take
	if isForeign(f.Tag, "omitemptyelem") || isForeign(f.Tag, "nullemptyelem") {
		return slow(n, f), nil
	}
	if elem == nil && n.size.any() && !absents {
		return nil, nil
	}
	least, most := n.size.min, n.size.max
	if n.form == setForm && least > 1 {
		most = -2 // elements that are there twice do not count: the shape decides
	}
	return func(v reflect.Value, depth int) bool {
		count := v.Len()
		if count < least || most >= 0 && count > most || most == -2 {
			return false
		}
		for i := range count {
			x := v.Index(i)
			if absents && e.Absent(x) || elem != nil && !elem(x, depth) {
				return false
			}
		}
		return true
	}, nil
}

func (b *binder) mapTest(n *node, f attr.StructField, t reflect.Type) (test, error) {
	switch {
	case n.form == objectForm && t.Kind() == reflect.Struct && t != itemType:
		g, err := b.bind(n.shape, t)
		if err != nil {
			return nil, err
		}
		if g.done && len(g.checks) == 0 && g.rest == nil && !g.unsure && !g.derive {
			return nil, nil
		}
		return func(v reflect.Value, depth int) bool {
			if g.unsure || g.derive {
				return false
			}
			if !v.CanAddr() {
				c := reflect.New(t).Elem()
				c.Set(v)
				v = c
			}
			return g.valid(v, depth+1)
		}, nil
	case n.form == mapForm && t.Kind() == reflect.Map:
		e, ok := f.Elem()
		if !ok {
			return slow(n, f), nil
		}
		elem, err := b.value(n.elem, e)
		if err != nil {
			return nil, fmt.Errorf("elements: %w", err)
		}
		if t.Key().Kind() != reflect.String || isText(t.Key()) || nilable(e) || isForeign(f.Tag, "omitemptyelem") || isForeign(f.Tag, "nullemptyelem") {
			if elem == nil && n.size.any() && n.keys == nil && n.elem.null {
				return nil, nil
			}
			return slow(n, f), nil
		}
		if elem == nil && n.size.any() && n.keys == nil {
			return nil, nil
		}
		return func(v reflect.Value, depth int) bool {
			if !n.size.holds(v.Len()) {
				return false
			}
			for it := v.MapRange(); it.Next(); {
				if n.keys != nil && !n.keys.textOK(it.Key().String()) || elem != nil && !elem(it.Value(), depth) {
					return false
				}
			}
			return true
		}, nil
	case t == itemType && n.form == objectForm && len(n.shape.fields) == 0 && !n.shape.closed:
		return nil, nil
	}
	if t.Kind() == reflect.Struct && t != itemType {
		return nil, fmt.Errorf("%s is a struct, and must be a map with free keys", t)
	}
	return slow(n, f), nil
}
