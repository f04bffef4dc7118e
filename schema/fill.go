package schema

import (
	"fmt"
	"reflect"

	"github.com/tablewright/tablewright/attr"
)

// goFill is a field that may have to be set: its own default, defaults and computed attributes inside, or what a method of
// the struct computes.
type goFill struct {
	index  []int
	field  attr.StructField
	value  attr.Value // the default
	inside filler
	method int // of a computed one; -1
}

// filler sets what is absent inside a value, which is the caller's own: whatever it shares with others (what pointers,
// slices and maps hold) is copied before. It reports whether there is anything to set.
type filler func(v reflect.Value, do filling) bool

// filling says how far a filler goes.
type filling struct {
	set     bool // otherwise it only looks
	compute bool // computed attributes, too
	depth   int  // structs around: pointers may lead in circles, which the codec refuses
}

// asking is the same, without changing anything.
func (f filling) asking() filling { f.set = false; return f }

func (b *binder) addFill(g *goStruct, t reflect.Type, x *field, f attr.StructField) error {
	fill := goFill{index: f.Index, field: f, value: x.typ.missing, method: -1}
	if x.computed != nil {
		if method := computedBy(t, f); method >= 0 {
			fill.method = method
		} else {
			b.functions = true
		}
	}
	if !fill.value.IsZero() {
		if err := f.Set(reflect.New(f.Type).Elem(), fill.value); err != nil {
			return fmt.Errorf("default: it does not go into %s", f.Type)
		}
	}
	var err error
	if fill.inside, err = b.filler(x.typ, f); err != nil {
		return err
	}
	if !fill.value.IsZero() || fill.inside != nil || fill.method >= 0 {
		g.fills = append(g.fills, fill)
	}
	return nil
}

// computedBy is the method that the field's tag names; -1 without.
func computedBy(t reflect.Type, f attr.StructField) int {
	r, err := parseRules(f.Tag.Get("check"))
	if err != nil || r.method == "" {
		return -1
	}
	m, err := methodOf(t, f, r.method)
	if err != nil {
		return -1
	}
	return m
}

// fill sets defaults, then what is computed from all.
func (g *goStruct) fill(v reflect.Value, do filling) bool {
	if do.depth++; do.depth > attr.MaxDepth {
		return false
	}
	found := false
	for i := range g.fills {
		f := &g.fills[i]
		if f.method >= 0 {
			continue
		}
		x, ok := fieldAt(v, f.index)
		if !ok {
			continue // in an embedded struct that is not there
		}
		absent := f.field.Absent(x)
		switch {
		case absent && f.value.IsZero():
			// and what is inside stays absent with it
		case absent:
			found = true
			if do.set {
				_ = f.field.Set(ownField(v, f.index), f.value) // it was tried when the type was bound
			}
		case f.inside != nil && f.inside(x, do.asking()):
			found = true
			if do.set {
				f.inside(ownField(v, f.index), do)
			}
		}
	}
	for i := range g.fills {
		f := &g.fills[i]
		if f.method < 0 || !do.compute {
			continue
		}
		found = true
		if do.set {
			got := v.Addr().Method(f.method).Call(nil)[0]
			ownField(v, f.index).Set(got)
		}
	}
	return found
}

// ownField is a field that is to be set, in a struct that is the caller's own; what it embeds by pointer is copied.
func ownField(v reflect.Value, index []int) reflect.Value {
	for i, x := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			own := reflect.New(v.Type().Elem())
			if !v.IsNil() {
				own.Elem().Set(v.Elem())
			}
			v.Set(own)
			v = own.Elem()
		}
		v = v.Field(x)
	}
	return v
}

// filler makes what fills a value of a field or element; nil if there is never anything to fill.
func (b *binder) filler(n *node, f attr.StructField) (filler, error) {
	if !n.fillable() {
		return nil, nil
	}
	t, wrapped := held(f.Type)
	inner, err := b.bareFiller(n, f, t)
	if err != nil || inner == nil || !wrapped {
		return inner, err
	}
	return func(v reflect.Value, do filling) bool { return fillHeld(v, do, inner) }, nil
}

// fillHeld fills what pointers and Opts hold.
func fillHeld(v reflect.Value, do filling, inner filler) bool {
	switch {
	case v.Kind() == reflect.Pointer:
		if v.IsNil() || !fillHeld(v.Elem(), do.asking(), inner) {
			return false
		}
		if do.set {
			own := reflect.New(v.Type().Elem())
			own.Elem().Set(v.Elem())
			v.Set(own)
			fillHeld(own.Elem(), do, inner)
		}
		return true
	case v.Kind() == reflect.Struct && isOpt(v.Type()):
		return attr.State(v.Field(1).Uint()) == attr.StatePresent && fillHeld(v.Field(0), do, inner)
	}
	return inner(v, do)
}

// fillable reports whether there are defaults or computed attributes inside.
func (n *node) fillable() bool {
	for n.form == listForm || n.form == mapForm {
		n = n.elem
	}
	return n.form == objectForm && n.fillableBut(map[*Shape]bool{})
}

// fillableBut leaves out shapes that are looked at already.
func (n *node) fillableBut(seen map[*Shape]bool) bool {
	switch n.form {
	case listForm, mapForm:
		return n.elem.fillableBut(seen)
	case objectForm:
		if seen[n.shape] {
			return false
		}
		seen[n.shape] = true
		for i := range n.shape.fields {
			f := &n.shape.fields[i]
			if f.computed != nil || !f.typ.missing.IsZero() || f.typ.fillableBut(seen) {
				return true
			}
		}
	}
	return false
}

func (b *binder) bareFiller(n *node, f attr.StructField, t reflect.Type) (filler, error) {
	if c, ok := f.Held(); ok {
		f = c
	}
	switch {
	case n.form == objectForm && t.Kind() == reflect.Struct && t != itemType:
		g, err := b.bind(n.shape, t)
		if err != nil {
			return nil, err
		}
		return g.fill, nil
	case n.form == listForm || n.form == mapForm && t.Kind() == reflect.Map:
		e, ok := f.Elem()
		if !ok {
			return nil, nil
		}
		elem, err := b.filler(n.elem, e)
		if err != nil || elem == nil {
			return nil, err
		}
		if n.form == mapForm {
			return func(v reflect.Value, do filling) bool { return fillMap(v, do, elem) }, nil
		}
		return func(v reflect.Value, do filling) bool { return fillList(v, do, elem) }, nil
	}
	return nil, nil
}

func fillList(v reflect.Value, do filling, elem filler) bool {
	found := false
	for i := 0; i < v.Len() && !found; i++ {
		found = elem(v.Index(i), do.asking())
	}
	if !found || !do.set {
		return found
	}
	if v.Kind() == reflect.Slice {
		own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(own, v)
		v.Set(own)
	}
	for i := range v.Len() {
		elem(v.Index(i), do)
	}
	return true
}

func fillMap(v reflect.Value, do filling, elem filler) bool {
	var own reflect.Value
	found := false
	for it := v.MapRange(); it.Next(); {
		x := reflect.New(v.Type().Elem()).Elem()
		x.Set(it.Value())
		if !elem(x, do) {
			continue
		}
		found = true
		if !do.set {
			return true
		}
		if !own.IsValid() {
			own = reflect.MakeMapWithSize(v.Type(), v.Len())
			for all := v.MapRange(); all.Next(); {
				own.SetMapIndex(all.Key(), all.Value())
			}
		}
		own.SetMapIndex(it.Key(), x)
	}
	if found {
		v.Set(own)
	}
	return found
}

// fill sets defaults of an object and, if compute is set, computed attributes; it shares with it what stays as it is.
func (s *Shape) fill(it attr.Item, compute bool) attr.Item {
	own := false
	set := func(name string, v attr.Value) {
		if !own {
			it, own = it.Clone(), true
		}
		it.Set(name, v)
	}
	for i := range s.fields {
		f := &s.fields[i]
		v := it.Get(f.name)
		switch {
		case f.computed != nil:
		case v.IsZero() && !f.typ.missing.IsZero():
			set(f.name, f.typ.missing)
		case !v.IsZero() && f.typ.fillable():
			set(f.name, f.typ.fill(v, compute))
		}
	}
	for i := range s.fields {
		if f := &s.fields[i]; f.computed != nil && compute {
			set(f.name, f.computed(it))
		}
	}
	return it
}

func (n *node) fill(v attr.Value, compute bool) attr.Value {
	switch {
	case n.form == objectForm && v.Kind() == attr.KindM:
		return attr.Map(n.shape.fill(v.Map(), compute))
	case n.form == listForm && v.Kind() == attr.KindL:
		elems := make([]attr.Value, len(v.Elems()))
		for i, e := range v.Elems() {
			elems[i] = n.elem.fill(e, compute)
		}
		return attr.List(elems...)
	case n.form == mapForm && v.Kind() == attr.KindM:
		m := v.Map().Clone()
		for i := range m.Len() {
			m.Set(m.At(i).Name, n.elem.fill(m.At(i).Value, compute))
		}
		return attr.Map(m)
	}
	return v
}
