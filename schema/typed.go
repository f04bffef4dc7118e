package schema

import (
	"errors"
	"reflect"
	"sync"

	"github.com/tablewright/tablewright/attr"
)

// Typed is a Shape that is bound to a Go type. It is made by Of, For, Compile and Bind; the zero Typed cannot be used. It is
// safe for concurrent use.
type Typed[T any] struct {
	Shape *Shape
	plan  *goStruct // nil: T is no struct; the shape alone checks
	fills byWhat
}

// byWhat is how defaults and computed attributes are set.
type byWhat uint8

const (
	byNothing byWhat = iota // there are none
	byPlan
	byItem // by functions of items, or in what is no struct
)

// Of is the shape of T, a struct, by its tags. It panics if there is a mistake in them.
func Of[T any]() Typed[T] {
	t, err := Compile[T]()
	must(err)
	return t
}

// Compile is Of for those who handle the error: the client, which tells where a declaration is wrong. An attr.Item, or a map,
// has a shape without fields.
func Compile[T any]() (Typed[T], error) {
	t := reflect.TypeFor[T]()
	if c, ok := compiled.Load(t); ok {
		return c.(Typed[T]), nil
	}
	shape := Object()
	if t.Kind() == reflect.Struct && t != itemType {
		var err error
		if shape, err = (&reader{shapes: map[reflect.Type]*Shape{}}).shape(t); err != nil {
			return Typed[T]{}, err
		}
	}
	c, err := Bind[T](shape)
	if err == nil {
		compiled.Store(t, c)
	}
	return c, err
}

var compiled sync.Map // reflect.Type → Typed of it

// For is a shape bound to T. It panics if they do not fit: where the shape has an attribute that T does not have, or of
// another kind. Attributes that T has besides are not checked.
func For[T any](s *Shape) Typed[T] {
	t, err := Bind[T](s)
	must(err)
	return t
}

// Bind is For for shapes that a program learns as it runs.
func Bind[T any](s *Shape) (Typed[T], error) {
	t := reflect.TypeFor[T]()
	c := Typed[T]{Shape: s}
	if s.self.fillable() {
		c.fills = byItem
	}
	if t.Kind() != reflect.Struct || t == itemType {
		return c, nil
	}
	b := binder{made: map[binding]*goStruct{}}
	var err error
	c.plan, err = b.bind(s, t)
	if c.fills != byNothing && !b.functions {
		c.fills = byPlan
	}
	return c, err
}

// Check tells what is wrong with a value: nil, or an *Error. Where nothing is wrong it allocates nothing, but for maps, for
// types that say themselves how they are stored, and to compare computed attributes. It does not change v.
func (t Typed[T]) Check(v *T) error {
	if t.plan != nil && !t.plan.unsure && !t.plan.derive && t.plan.valid(reflect.ValueOf(v).Elem(), 0) {
		return nil
	}
	return t.explain(v)
}

// explain checks the item that v makes.
func (t Typed[T]) explain(v *T) error {
	it, err := attr.MarshalItem(v)
	if err != nil {
		return unstorable(err)
	}
	return t.Shape.Check(it)
}

// Complete gives v the defaults of what is absent and its computed attributes. What v shares with others, in slices, maps and
// behind pointers, is copied before it is changed.
func (t Typed[T]) Complete(v *T) { t.fill(v, true) }

// Default gives v the defaults of what is absent, and leaves computed attributes as they are: what a reader does.
func (t Typed[T]) Default(v *T) { t.fill(v, false) }

func (t Typed[T]) fill(v *T, compute bool) {
	switch t.fills {
	case byPlan:
		t.plan.fill(reflect.ValueOf(v).Elem(), filling{set: true, compute: compute})
	case byItem:
		var c T
		if it, err := attr.MarshalItem(v); err == nil && attr.UnmarshalItem(t.Shape.fill(it, compute), &c) == nil {
			*v = c
		} // what has no item, Check tells of
	}
}

// Prepare is Complete and Check in one, as before every write.
func (t Typed[T]) Prepare(v *T) error {
	t.Complete(v)
	if t.plan != nil && !t.plan.unsure && t.plan.valid(reflect.ValueOf(v).Elem(), 0) {
		return nil // what is computed was computed now
	}
	return t.explain(v)
}

// Parse makes a T of an item, with defaults and computed attributes; the error is an *Error. Attributes that T does not have
// are passed over, unless the shape is closed or a field takes the rest.
func (t Typed[T]) Parse(it attr.Item) (T, error) {
	var v T
	it, err := t.Shape.Parse(it)
	if err == nil {
		err = attr.UnmarshalItem(it, &v)
		if err != nil {
			err = unstorable(err)
		}
	}
	return v, err
}

// ParseJSON makes a T of a plain JSON object, with defaults and computed attributes; the error is an *Error.
func (t Typed[T]) ParseJSON(text []byte) (T, error) {
	var v T
	it, err := t.Shape.ParseJSON(text)
	if err == nil {
		err = attr.UnmarshalItem(it, &v)
		if err != nil {
			err = unstorable(err)
		}
	}
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
