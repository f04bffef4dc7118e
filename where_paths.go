package tablewright

import (
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// The paths of a text: what the Go type has there.

// check refuses paths that the type does not have.
func (t *phrase) check(places iter.Seq2[int, expr.Path]) error {
	for at, p := range places {
		if _, _, err := t.at(at, p); err != nil {
			return err
		}
	}
	return nil
}

// at is what the type has at a path, which stands at a place of the prepared text. known is false where it does not tell, as
// inside an interface.
func (t *phrase) at(place int, p expr.Path) (f attr.StructField, known bool, err error) {
	if t.d.raw() || p.Len() == 0 {
		return f, false, nil
	}
	nothing := func(step int, format string, args ...any) error {
		at := t.step(place, step)
		return fmt.Errorf("%s: %s (position %d)", t.quote(at-1), fmt.Sprintf(format, args...), at)
	}
	top, _ := p.Step(0)
	f, ok := t.d.fields[top]
	if !ok {
		return f, false, nothing(0, "%s has no attribute %s", t.d.typ, top)
	}
	so := expr.Name(top)
	for i := 1; i < p.Len(); i++ {
		name, index := p.Step(i)
		inner := f.Type
		if held, ok := f.Held(); ok {
			inner = held.Type
		}
		switch {
		case f.Kind == 0:
			return f, false, nil
		case name == "" && f.Kind == attr.KindL:
			if f, ok = f.Elem(); !ok {
				return f, false, nil
			}
			so = so.Index(index)
			continue
		case name == "":
			return f, false, nothing(i, "%s is a %s, which has no positions", so, kindWord(f.Kind))
		case f.Kind != attr.KindM:
			return f, false, nothing(i, "%s is a %s: there is no %s in it", so, kindWord(f.Kind), name)
		case inner.Kind() == reflect.Map:
			if f, ok = f.Elem(); !ok {
				return f, false, nil
			}
		default:
			fields, err := attr.Fields(inner)
			if err != nil {
				return f, false, nil // a type that says itself how it is stored
			}
			k := slices.IndexFunc(fields, func(f attr.StructField) bool { return f.Name == name })
			if k < 0 {
				return f, false, nothing(i, "%s is a %s, which has no attribute %s", so, inner, name)
			}
			f = fields[k]
		}
		so = so.Field(name)
	}
	return f, f.Kind != 0, nil
}
