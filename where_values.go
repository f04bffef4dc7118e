package tablewright

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// The values behind a text's ?: what stands beside each one tells how it is written, and of which type it has to be.

// fit is the value for the next ?, as the attribute beside it is written, whose type it must have: a time as the tag says,
// a slice as a set.
func (t *phrase) fit(use expr.Use) (attr.Value, error) {
	i := t.fitted
	t.fitted++
	f, known, err := t.at(use.At, use.Path)
	if err != nil {
		return use.Value, err
	}
	v, err := use.Value, error(nil)
	switch {
	case use.As == expr.AsSize && v.Kind() != attr.KindN:
		err = fmt.Errorf("a size is compared with a number, not with a %s", kindWord(v.Kind()))
	case use.As == expr.AsSize || use.As == expr.AsType || use.As == expr.AsItself || !known:
	case use.As == expr.AsElement && f.Kind >= attr.KindL && f.Kind != attr.KindM:
		if elem, ok := f.Elem(); ok {
			v, err = fitTo(elem, use, t.args[i], "holds")
		}
	case use.As == expr.AsElement && f.Kind != attr.KindS && f.Kind != attr.KindB:
		err = fmt.Errorf("%s is a %s: contains looks into texts, binaries, sets and lists", use.Path, kindWord(f.Kind))
	default:
		v, err = fitTo(f, use, t.args[i], "is")
	}
	if err == nil && v.IsZero() {
		err = errAbsentValue
	}
	if err != nil {
		return v, fmt.Errorf("%s: value %d (position %d): %w", t.quote(t.marks[i]-1), i+1, t.marks[i], err)
	}
	return v, nil
}

var errAbsentValue = errors.New("it is stored as absent")

// fitTo is a value as a field writes it.
func fitTo(f attr.StructField, use expr.Use, arg any, verb string) (attr.Value, error) {
	v := use.Value
	given := reflect.ValueOf(arg)
	for given.Kind() == reflect.Pointer && !given.IsNil() && given.Type() != f.Type {
		given = given.Elem()
	}
	if w, ok, err := f.Written(given); err != nil {
		return v, err
	} else if ok {
		v = w
	}
	if k := v.Kind(); f.Kind != 0 && k != f.Kind && k != attr.KindNULL && !v.IsZero() {
		return v, fmt.Errorf("a %s, and %s %s a %s", kindWord(k), use.Path, verb, kindWord(f.Kind))
	}
	return v, nil
}

// kindWords are the types in words.
var kindWords = map[attr.Kind]string{
	attr.KindS: "text", attr.KindN: "number", attr.KindB: "binary", attr.KindBOOL: "boolean", attr.KindNULL: "NULL", attr.KindM: "map", attr.KindL: "list",
	attr.KindSS: "set of texts", attr.KindNS: "set of numbers", attr.KindBS: "set of binaries",
}

func kindWord(k attr.Kind) string { return kindWords[k] }
