package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/plain"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// arguments reads --param name=value… into the parameters of an access pattern. Texts, numbers and times stand as they are;
// entities, lists and maps are JSON, @FILE is read from a file.
func arguments(proc *plan.Procedure, given []string) (attr.Item, error) {
	var args attr.Item
	var names []string
	for _, q := range proc.Pattern.Parameters {
		names = append(names, q.Name)
	}
	for _, one := range given {
		name, text, ok := strings.Cut(one, "=")
		if !ok {
			return args, usage("--param takes name=value, not %q", one)
		}
		q := proc.Pattern.Parameter(name)
		if q == nil {
			return args, usage("%s has no parameter %s%s\n\n  tablewright run %s", proc.Name, name, meant(name, names), signature(proc))
		}
		if args.Has(name) {
			return args, usage("--param %s is given twice", name)
		}
		if file, from := strings.CutPrefix(text, "@"); from {
			content, err := os.ReadFile(file)
			if err != nil {
				return args, err
			}
			text = strings.TrimSuffix(string(content), "\n")
		}
		v, err := argument(q, text)
		if err != nil {
			return args, usage("--param %s: %v; it takes %s", name, err, takenFor(q))
		}
		args.Set(name, v)
	}
	for _, q := range proc.Pattern.Parameters {
		if !q.Optional && !args.Has(q.Name) && q.Name != proc.Pattern.Idempotency {
			return args, usage("%s wants --param %s=%s\n\n  tablewright run %s", proc.Name, q.Name, takenFor(q), signature(proc))
		}
	}
	return args, nil
}

// argument is the logical value of a parameter.
func argument(q *spec.Parameter, text string) (attr.Value, error) {
	if !q.List && q.Entity == nil && q.Like != nil && q.Like.Type != spec.MapType && q.Like.Type != spec.ListType && q.Like.Type != spec.SetType {
		return scalar(q.Like, text)
	}
	v, err := plain.Value([]byte(text))
	if err != nil {
		return v, err
	}
	if !q.List {
		return argumentOf(q, v)
	}
	if v.Kind() != attr.KindL {
		return v, fmt.Errorf("a JSON array is wanted")
	}
	elems := slices.Clone(v.Elems())
	for i := range elems {
		if elems[i], err = argumentOf(q, elems[i]); err != nil {
			return v, fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return attr.List(elems...), nil
}

func argumentOf(q *spec.Parameter, v attr.Value) (attr.Value, error) {
	if q.Entity != nil {
		return logicalEntity(q.Entity, v)
	}
	if q.Like == nil {
		return v, nil
	}
	return logical(q.Like, v)
}

// logicalEntity gives the attributes of an entity, and children inside it, their logical form.
func logicalEntity(e *spec.Entity, v attr.Value) (attr.Value, error) {
	if v.Kind() != attr.KindM {
		return v, fmt.Errorf("the attributes of a %s are wanted, as a JSON object", e.Name)
	}
	var out attr.Item
	var names []string
	for _, a := range e.Attributes {
		names = append(names, a.Name)
	}
	for name, value := range v.Map().All() {
		a := e.Attribute(name)
		if a == nil {
			if way := e.WayBack(name); way != nil { // children inside
				inner, err := children(spec.Segment{Name: name, Way: way, Back: true}, value)
				if err != nil {
					return v, fmt.Errorf("%s%w", name, err)
				}
				out.Set(name, inner)
				continue
			}
			return v, fmt.Errorf("%s has no %s%s", e.Name, name, meant(name, names))
		}
		l, err := logical(a, value)
		if err != nil {
			return v, fmt.Errorf("%s: %w", name, err)
		}
		out.Set(name, l)
	}
	return attr.Map(out), nil
}

// children are those inside an entity's value: a list, or one where there is at most one.
func children(way spec.Segment, v attr.Value) (attr.Value, error) {
	if way.ToOne() && v.Kind() == attr.KindM {
		one, err := logicalEntity(way.Entity(), v)
		if err != nil {
			err = fmt.Errorf(": %w", err)
		}
		return one, err
	}
	if v.Kind() != attr.KindL {
		return v, fmt.Errorf(": a JSON array of %s is wanted", way.Entity().Name)
	}
	elems := slices.Clone(v.Elems())
	for i := range elems {
		var err error
		if elems[i], err = logicalEntity(way.Entity(), elems[i]); err != nil {
			return v, fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return attr.List(elems...), nil
}

// logical gives a value that JSON knows the type of its attribute.
func logical(a *spec.Attribute, v attr.Value) (attr.Value, error) {
	switch a.Type {
	case spec.MapType:
		if v.Kind() != attr.KindM {
			return v, fmt.Errorf("a JSON object is wanted")
		}
		var out attr.Item
		for name, inner := range v.Map().All() {
			i := slices.IndexFunc(a.Fields, func(f *spec.Attribute) bool { return f.Name == name })
			if i >= 0 {
				var err error
				if inner, err = logical(a.Fields[i], inner); err != nil {
					return v, fmt.Errorf("%s: %w", name, err)
				}
			}
			out.Set(name, inner)
		}
		return attr.Map(out), nil
	case spec.ListType, spec.SetType:
		if v.Kind() != attr.KindL {
			return v, fmt.Errorf("a JSON array is wanted")
		}
		elems := slices.Clone(v.Elems())
		for i := range elems {
			var err error
			if a.Of == nil {
				continue
			}
			if elems[i], err = logical(a.Of, elems[i]); err != nil {
				return v, fmt.Errorf("[%d]: %w", i, err)
			}
		}
		if a.Type == spec.SetType {
			return setOf(elems)
		}
		return attr.List(elems...), nil
	}
	switch v.Kind() {
	case attr.KindS:
		return scalar(a, v.Str())
	case attr.KindN:
		if a.Type != spec.Number {
			return v, fmt.Errorf("a %s is wanted, not a number", a.Type)
		}
		return v, nil
	case attr.KindBOOL:
		if a.Type != spec.Bool {
			return v, fmt.Errorf("a %s is wanted, not true or false", a.Type)
		}
		return v, nil
	}
	return v, fmt.Errorf("a %s is wanted", a.Type)
}

func setOf(elems []attr.Value) (attr.Value, error) {
	if len(elems) == 0 {
		return attr.Value{}, fmt.Errorf("a set has at least one element")
	}
	var texts []string
	var numbers []attr.Number
	var binaries [][]byte
	for _, e := range elems {
		switch e.Kind() {
		case attr.KindS:
			texts = append(texts, e.Str())
		case attr.KindN:
			numbers = append(numbers, e.Number())
		case attr.KindB:
			binaries = append(binaries, e.Bytes())
		}
	}
	switch len(elems) {
	case len(texts):
		return attr.TextSet(texts...), nil
	case len(numbers):
		return attr.NumSet(numbers...), nil
	case len(binaries):
		return attr.BinarySet(binaries...), nil
	}
	return attr.Value{}, fmt.Errorf("the elements of a set are all texts, all numbers or all binaries")
}

// scalar reads text as a value of an attribute.
func scalar(a *spec.Attribute, text string) (attr.Value, error) {
	switch a.Type {
	case spec.Number:
		n, err := attr.ParseNumber(text)
		if err != nil {
			return attr.Value{}, fmt.Errorf("%q is no number", text)
		}
		return attr.Num(n), nil
	case spec.Bool:
		if text != "true" && text != "false" {
			return attr.Value{}, fmt.Errorf("%q is neither true nor false", text)
		}
		return attr.Bool(text == "true"), nil
	case spec.Binary:
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return attr.Value{}, fmt.Errorf("%q is no base64", text)
		}
		return attr.Binary(b), nil
	case spec.Timestamp:
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
			if at, err := time.Parse(layout, text); err == nil {
				return attr.Text(at.UTC().Format("2006-01-02T15:04:05.000Z")), nil
			}
		}
		return attr.Value{}, fmt.Errorf("%q is no time", text)
	case spec.Date:
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			return attr.Value{}, fmt.Errorf("%q is no date", text)
		}
	}
	if known := a.Values(); len(known) > 0 && !slices.Contains(known, text) {
		return attr.Value{}, fmt.Errorf("%q is not one of %s%s", text, strings.Join(known, ", "), meant(text, known))
	}
	return attr.Text(text), nil
}

// takenFor says what a parameter takes, by example.
func takenFor(q *spec.Parameter) string {
	one := "TEXT"
	switch {
	case q.Entity != nil:
		var names []string
		for _, at := range q.Entity.Attributes {
			if at.Given() && !at.Optional && !at.Rest {
				names = append(names, `"`+at.Name+`": …`)
			}
		}
		for _, way := range q.With {
			inside := "[…]"
			if r := q.Entity.WayBack(way); r != nil && (spec.Segment{Way: r, Back: true}).ToOne() {
				inside = "{…}"
			}
			names = append(names, `"`+way+`": `+inside)
		}
		one = "'{" + strings.Join(names, ", ") + "}'"
	case q.Like != nil:
		switch q.Like.Type {
		case spec.Number:
			one = "NUMBER"
		case spec.Bool:
			one = "true|false"
		case spec.Binary:
			one = "BASE64"
		case spec.Timestamp:
			one = "2026-11-21T12:00:00Z"
		case spec.Date:
			one = "2026-11-21"
		case spec.MapType:
			one = "'{…}'"
		case spec.ListType, spec.SetType:
			one = "'[…]'"
		default:
			if known := q.Like.Values(); len(known) > 0 {
				one = strings.Join(known, "|")
			}
		}
	}
	if q.List {
		return "'[" + strings.Trim(one, "'") + ", …]'"
	}
	return one
}
