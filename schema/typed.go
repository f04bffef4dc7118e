package schema

import (
	"errors"
	"reflect"

	"github.com/tablewright/tablewright/attr"
)

// Typed is a Shape that is bound to a Go type. It is made by Of, For, Compile and Bind; the zero Typed cannot be used. It is
// safe for concurrent use.
type Typed[T any] struct {
	Shape *Shape
	of    *Bound
}

// Of is the shape of T, a struct, by its tags. It panics if there is a mistake in them.
func Of[T any]() Typed[T] {
	t, err := Compile[T]()
	must(err)
	return t
}

// Compile is Of for those who handle the error: the client, which tells where a declaration is wrong. An attr.Item, or a map,
// has a shape without fields.
func Compile[T any]() (Typed[T], error) { return typed[T](CompileType(reflect.TypeFor[T]())) }

// For is a shape bound to T. It panics if they do not fit: where the shape has an attribute that T does not have, or of
// another kind. Attributes that T has besides are not checked.
func For[T any](s *Shape) Typed[T] {
	t, err := Bind[T](s)
	must(err)
	return t
}

// Bind is For for shapes that a program learns as it runs.
func Bind[T any](s *Shape) (Typed[T], error) { return typed[T](bind(s, reflect.TypeFor[T]())) }

func typed[T any](b *Bound, err error) (Typed[T], error) {
	if err != nil {
		return Typed[T]{}, err
	}
	return Typed[T]{b.Shape, b}, nil
}

// Check tells what is wrong with a value: nil, or an *Error. Where nothing is wrong it allocates nothing, but for maps, for
// types that say themselves how they are stored, and to compare computed attributes. It does not change v.
func (t Typed[T]) Check(v *T) error { return t.of.Check(reflect.ValueOf(v).Elem()) }

// Complete gives v the defaults of what is absent and its computed attributes. What v shares with others, in slices, maps and
// behind pointers, is copied before it is changed.
func (t Typed[T]) Complete(v *T) { t.of.Complete(reflect.ValueOf(v).Elem()) }

// Default gives v the defaults of what is absent, and leaves computed attributes as they are: what a reader does.
func (t Typed[T]) Default(v *T) { t.of.Default(reflect.ValueOf(v).Elem()) }

// Prepare is Complete and Check in one, as before every write.
func (t Typed[T]) Prepare(v *T) error { return t.of.Prepare(reflect.ValueOf(v).Elem()) }

// Parse makes a T of an item, with defaults and computed attributes; the error is an *Error. Attributes that T does not have
// are passed over, unless the shape is closed or a field takes the rest.
func (t Typed[T]) Parse(it attr.Item) (v T, err error) {
	it, err = t.Shape.Parse(it)
	err = t.of.set(reflect.ValueOf(&v).Elem(), it, err)
	return v, err
}

// ParseJSON makes a T of a plain JSON object, with defaults and computed attributes; the error is an *Error.
func (t Typed[T]) ParseJSON(text []byte) (v T, err error) {
	it, err := t.Shape.ParseJSON(text)
	err = t.of.set(reflect.ValueOf(&v).Elem(), it, err)
	return v, err
}

// unstorable makes an *Error of what the codec refused, without the value.
func unstorable(err error) error {
	p := Problem{Rule: RuleType, Text: "must be what the Go type can hold"}
	var f *attr.FieldError
	if errors.As(err, &f) {
		p.Path = f.Path
	}
	return &Error{Problems: []Problem{p}, cause: err}
}

// Parse is the item with defaults and computed attributes, if it is as it must be; else the error is an *Error.
func (s *Shape) Parse(it attr.Item) (attr.Item, error) {
	it = s.fill(it, true)
	return it, s.Check(it)
}
