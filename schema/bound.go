package schema

import (
	"reflect"
	"sync"

	"github.com/tablewright/tablewright/attr"
)

// Bound is a Typed whose type is known as a [reflect.Type] only. It is made by CompileType, for packages whose own code is
// generic and should not be compiled for every type of their callers. Its methods take values of that type that are
// addressable. It is safe for concurrent use.
type Bound struct {
	Shape *Shape
	typ   reflect.Type
	plan  *goStruct // nil: the type is no struct; the shape alone checks
	codec attr.ItemCodec
	fills byWhat
}

// byWhat is how defaults and computed attributes are set.
type byWhat uint8

const (
	byNothing byWhat = iota // there are none
	byPlan
	byItem // by functions of items, or in what is no struct
)

var compiled sync.Map // reflect.Type → *Bound

// CompileType is Compile of a type.
func CompileType(t reflect.Type) (*Bound, error) {
	if b, ok := compiled.Load(t); ok {
		return b.(*Bound), nil
	}
	shape := Object()
	if t.Kind() == reflect.Struct && t != itemType {
		var err error
		if shape, err = (&reader{shapes: map[reflect.Type]*Shape{}}).shape(t); err != nil {
			return nil, err
		}
	}
	b, err := bind(shape, t)
	if err == nil {
		compiled.Store(t, b)
	}
	return b, err
}

func bind(s *Shape, t reflect.Type) (*Bound, error) {
	c := &Bound{Shape: s, typ: t}
	if s.self.fillable() {
		c.fills = byItem
	}
	c.codec, _ = attr.ItemCodecOf(t) // what has none is told where a value is to be stored
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

// Check is [Typed.Check].
func (b *Bound) Check(v reflect.Value) error {
	if b.plan != nil && !b.plan.unsure && !b.plan.derive && b.plan.valid(v, 0) {
		return nil
	}
	return b.explain(v)
}

// explain checks the item that v makes.
func (b *Bound) explain(v reflect.Value) error {
	it, err := b.item(v)
	if err != nil {
		return unstorable(err)
	}
	return b.Shape.Check(it)
}

// item is the item of a value.
func (b *Bound) item(v reflect.Value) (attr.Item, error) {
	if b.codec.IsZero() {
		_, err := attr.ItemCodecOf(b.typ)
		return attr.Item{}, err
	}
	return b.codec.Marshal(v)
}

// Complete is [Typed.Complete].
func (b *Bound) Complete(v reflect.Value) { b.fill(v, true) }

// Default is [Typed.Default].
func (b *Bound) Default(v reflect.Value) { b.fill(v, false) }

func (b *Bound) fill(v reflect.Value, compute bool) {
	switch b.fills {
	case byPlan:
		b.plan.fill(v, filling{set: true, compute: compute})
	case byItem:
		filled := reflect.New(b.typ).Elem()
		if it, err := b.item(v); err == nil && b.codec.Unmarshal(b.Shape.fill(it, compute), filled) == nil {
			v.Set(filled)
		} // what has no item, Check tells of
	}
}

// Prepare is [Typed.Prepare].
func (b *Bound) Prepare(v reflect.Value) error {
	b.Complete(v)
	if b.plan != nil && !b.plan.unsure && b.plan.valid(v, 0) {
		return nil // what is computed was computed now
	}
	return b.explain(v)
}

// set sets v to a parsed item, unless parsing it failed.
func (b *Bound) set(v reflect.Value, it attr.Item, err error) error {
	if err != nil {
		return err
	}
	if b.codec.IsZero() {
		_, err = attr.ItemCodecOf(b.typ)
	} else {
		err = b.codec.Unmarshal(it, v)
	}
	if err != nil {
		return unstorable(err)
	}
	return nil
}
