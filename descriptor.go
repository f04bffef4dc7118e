package tablewright

import (
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// step is one step of a document path: a name (index < 0), or an element of a list.
type step struct {
	name  string
	index int
}

func pathOf(at []step) expr.Path {
	p := expr.Name(at[0].name)
	for _, s := range at[1:] {
		if s.index >= 0 {
			p = p.Index(s.index)
		} else {
			p = p.Field(s.name)
		}
	}
	return p
}

// node is what a descriptor addresses.
type node struct {
	decl *decl
	at   []step
	path expr.Path
	err  error // there is no such place: calls that use it say so
}

// steps are a copy of the steps, with room for one more; of a node that was not declared, a place holder.
func (n *node) steps() []step {
	if n == nil {
		return []step{{name: "?", index: -1}}
	}
	return append(make([]step, 0, len(n.at)+1), n.at...)
}

// mistake is why the node cannot be used.
func (n *node) mistake() error {
	if n == nil {
		return errUndeclared
	}
	return n.err
}

// name is the path on the wire; "" if there is none.
func (n *node) name() string {
	if n == nil {
		return ""
	}
	return n.path.String()
}

// element are the steps to an element of a list.
func (n *node) element(i int) []step { return append(n.steps(), step{index: max(i, 0)}) }

// noElement is why there is no element at position i; nil if there may be one.
func (n *node) noElement(i int) error {
	if err := n.mistake(); err != nil || i >= 0 && i <= math.MaxInt32 {
		return err
	}
	return fmt.Errorf("%s: there is no position %d: a list is counted from 0, and not from its end, to %d", n.path, i, math.MaxInt32)
}

// noValue is why there is no value under a key of a map; nil if there may be one.
func (n *node) noValue(key string) error {
	if err := n.mistake(); err != nil || key != "" {
		return err
	}
	return fmt.Errorf("%s: the value under an empty key cannot be addressed", n.path)
}

func (n *node) top() string { return n.at[0].name }

// whole reports whether the node is a whole attribute, not something inside one.
func (n *node) whole() bool { return len(n.at) == 1 }

// Attr addresses one attribute of T, or something inside one, of Go type V. It is a field of a declared struct; so are
// the other descriptors, one for each kind of attribute, which add what only that kind can do.
type Attr[T, V any] struct {
	n     *node
	codec attr.Codec[V]
}

// Equals holds if the attribute is there and has the value v.
func (a *Attr[T, V]) Equals(v V) Cond[T] { return Cond[T]{compare(a.n, opEqual, a.codec, v)} }

// NotEquals holds if the attribute has another value, and also if it is absent.
func (a *Attr[T, V]) NotEquals(v V) Cond[T] { return Cond[T]{compare(a.n, opNotEqual, a.codec, v)} }

// In holds if the attribute has one of the values, of which there may be 100.
func (a *Attr[T, V]) In(v ...V) Cond[T] { return Cond[T]{oneOf(a.n, a.codec, v)} }

// Exists holds if the attribute is there, even if it is NULL.
func (a *Attr[T, V]) Exists() Cond[T] { return Cond[T]{on(a.n, opExists)} }

// Absent holds if the attribute is not there.
func (a *Attr[T, V]) Absent() Cond[T] { return Cond[T]{on(a.n, opAbsent)} }

// Set gives the attribute a value. A value that is stored as absent (a nil pointer, slice or map, an empty set) removes it.
func (a *Attr[T, V]) Set(v V) Change[T] { return Change[T]{change(a.n, doSet, a.codec, v)} }

// SetIfAbsent gives the attribute a value unless it is there already.
func (a *Attr[T, V]) SetIfAbsent(v V) Change[T] {
	return Change[T]{change(a.n, doSetIfAbsent, a.codec, v)}
}

// Remove removes the attribute; of an element of a list, those behind it move up.
func (a *Attr[T, V]) Remove() Change[T] { return Change[T]{removal(a.n)} }

// AttributeName is the path on the wire, such as ship.city. It is a method of the value, so that descriptors can be handed over
// as they are: to [schema.Shape.Pick], say.
func (a Attr[T, V]) AttributeName() string { return a.n.name() }

func (a *Attr[T, V]) descriptor() descriptor {
	return descriptor{n: &a.n, item: reflect.TypeFor[T](), value: reflect.TypeFor[V](), codec: &a.codec, learn: learnCodec[V]}
}

// descriptor is what binding has to know of one, whatever its types.
type descriptor struct {
	n           **node
	item, value reflect.Type
	codec       any // *attr.Codec[V], which learn sets
	learn       func(codec any, f attr.StructField) error

	elem      any // of a set: *attr.Codec[E]
	learnElem func(codec any, f attr.StructField) error
	kind      attr.Kind // of a list or map
	inside    reflect.Value
}

func learnCodec[V any](codec any, f attr.StructField) (err error) {
	*codec.(*attr.Codec[V]), err = attr.CodecOf[V](f)
	return err
}

func (a descriptor) bind(d *decl, f attr.StructField, at []step) error {
	if a.item != d.typ {
		return fmt.Errorf("%s describes an attribute of %s, not of %s", nameOr(f.Go, f.Type), a.item, d.typ)
	}
	if err := a.learn(a.codec, f); err != nil {
		return fmt.Errorf("%s is %s, described as %s", nameOr(f.Go, f.Type), f.Type, a.value)
	}
	*a.n = &node{decl: d, at: at, path: pathOf(at)}
	switch {
	case a.elem != nil:
		elem, ok := f.Elem()
		if !ok || f.Kind < attr.KindSS {
			return fmt.Errorf("%s is described as a set: tag it set", f.Go)
		}
		return a.learnElem(a.elem, elem)
	case a.inside.IsValid():
		return bindElement(d, f, a.kind, a.inside)
	}
	return nil
}

// rebase puts the steps at before the descriptor's own; err says that there is no such place.
func (a descriptor) rebase(at []step, err error) {
	n := node{err: errUndeclared}
	if *a.n != nil {
		n = **a.n
	}
	n.at = append(append([]step(nil), at...), n.at...)
	n.path = pathOf(n.at)
	if n.err == nil {
		n.err = err
	}
	*a.n = &n
}

// Ordered is an attribute with an order: texts and binaries by their bytes, numbers by value. It has the methods of [Attr], such as
// Equals and Set, too.
type Ordered[T, V any] struct{ Attr[T, V] }

// Less holds if the attribute is less than v.
func (a *Ordered[T, V]) Less(v V) Cond[T] { return Cond[T]{compare(a.n, opLess, a.codec, v)} }

// AtMost holds if the attribute is v or less.
func (a *Ordered[T, V]) AtMost(v V) Cond[T] { return Cond[T]{compare(a.n, opAtMost, a.codec, v)} }

// Greater holds if the attribute is greater than v.
func (a *Ordered[T, V]) Greater(v V) Cond[T] { return Cond[T]{compare(a.n, opGreater, a.codec, v)} }

// AtLeast holds if the attribute is v or greater.
func (a *Ordered[T, V]) AtLeast(v V) Cond[T] { return Cond[T]{compare(a.n, opAtLeast, a.codec, v)} }

// Between holds if the attribute is from lo to hi, both included. A lo above hi is an error of the call.
func (a *Ordered[T, V]) Between(lo, hi V) Cond[T] { return Cond[T]{between(a.n, a.codec, lo, hi)} }

// Text is a string attribute. It has the methods of [Attr], such as Equals, In, Exists and Set, and of [Ordered], such as Less and
// Between, too.
type Text[T any, V ~string] struct{ Ordered[T, V] }

// BeginsWith holds if the text begins with prefix.
func (a *Text[T, V]) BeginsWith(prefix V) Cond[T] {
	return Cond[T]{compare(a.n, opBegins, a.codec, prefix)}
}

// Contains holds if part is somewhere in the text.
func (a *Text[T, V]) Contains(part V) Cond[T] {
	return Cond[T]{compare(a.n, opContains, a.codec, part)}
}

// Size is the length of the text, as DynamoDB counts it: in UTF-16 code units, not in bytes. A condition on it does not
// hold if the attribute is absent.
func (a *Text[T, V]) Size() Size[T] { return Size[T]{a.n} }

// Size is the size of an attribute of T, for conditions.
type Size[T any] struct{ n *node }

// Equals holds if the size is n.
func (s Size[T]) Equals(n int) Cond[T] { return Cond[T]{sized(s.n, opEqual, n)} }

// Less holds if the size is less than n.
func (s Size[T]) Less(n int) Cond[T] { return Cond[T]{sized(s.n, opLess, n)} }

// AtMost holds if the size is n or less.
func (s Size[T]) AtMost(n int) Cond[T] { return Cond[T]{sized(s.n, opAtMost, n)} }

// Greater holds if the size is greater than n.
func (s Size[T]) Greater(n int) Cond[T] { return Cond[T]{sized(s.n, opGreater, n)} }

// AtLeast holds if the size is n or greater.
func (s Size[T]) AtLeast(n int) Cond[T] { return Cond[T]{sized(s.n, opAtLeast, n)} }

// Numeric is what a number attribute holds.
type Numeric interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64 | attr.Number
}

// Number is a number attribute. It has the methods of [Attr], such as Equals, In, Exists and Set, and of [Ordered], such as AtLeast
// and Between, too.
type Number[T any, V Numeric] struct{ Ordered[T, V] }

// Add adds v; a missing attribute counts as 0. Only whole attributes, not elements, can be missing.
func (a *Number[T, V]) Add(v V) Change[T] { return Change[T]{change(a.n, doAdd, a.codec, v)} }

// Plus adds v; a missing attribute makes the update fail.
func (a *Number[T, V]) Plus(v V) Change[T] { return Change[T]{change(a.n, doPlus, a.codec, v)} }

// Minus takes v away; a missing attribute makes the update fail.
func (a *Number[T, V]) Minus(v V) Change[T] { return Change[T]{change(a.n, doMinus, a.codec, v)} }

// Time is a time attribute, stored as its tag says: iso (the default), epoch-s or epoch-ms. Its methods are
// those of [Attr], such as Equals and Set, and of [Ordered], such as Less and Between.
type Time[T any] struct{ Ordered[T, time.Time] }

// Set is a string, number or binary set. It has the methods of [Attr], such as Exists and Set, too.
type Set[T, E any] struct {
	Attr[T, []E]
	elem attr.Codec[E]
}

func (a *Set[T, E]) descriptor() descriptor {
	d := a.Attr.descriptor()
	d.elem, d.learnElem = &a.elem, learnCodec[E]
	return d
}

// Has holds if e is in the set.
func (a *Set[T, E]) Has(e E) Cond[T] { return Cond[T]{compare(a.n, opContains, a.elem, e)} }

// Size is the number of elements. A condition on it does not hold if the attribute is absent.
func (a *Set[T, E]) Size() Size[T] { return Size[T]{a.n} }

// Insert puts elements into the set; one that is there already changes nothing.
func (a *Set[T, E]) Insert(e ...E) Change[T] { return Change[T]{change(a.n, doInsert, a.codec, e)} }

// Drop takes elements out of the set; the last one out takes the attribute with it.
func (a *Set[T, E]) Drop(e ...E) Change[T] { return Change[T]{change(a.n, doDrop, a.codec, e)} }

// List is a list of E whose elements are addressed as F: a descriptor, or a struct of them.
type List[T, E, F any] struct {
	Attr[T, []E]
	elem F
}

func (a *List[T, E, F]) descriptor() descriptor {
	d := a.Attr.descriptor()
	d.kind, d.inside = attr.KindL, reflect.ValueOf(&a.elem).Elem()
	return d
}

// bindElement binds what describes the elements of a list or map, at no place yet.
func bindElement(d *decl, f attr.StructField, kind attr.Kind, v reflect.Value) error {
	elem, ok := f.Elem()
	if !ok || f.Kind != kind {
		return fmt.Errorf("%s is stored as %s, described as %s", f.Go, f.Kind, kind)
	}
	elem.Go = f.Go + " element"
	if a, ok := v.Addr().Interface().(attributeField); ok {
		of := a.descriptor()
		if err := of.bind(d, elem, []step{{index: -1}}); err != nil {
			return err
		}
		(*of.n).at = nil // an element has no steps of its own
		return nil
	}
	for i := range v.NumField() {
		if err := bindAttribute(d, v.Field(i), v.Type().Field(i).Name, elem.Type, nil); err != nil {
			return fmt.Errorf("%s: %w", f.Go, err)
		}
	}
	return nil
}

// At addresses the element at position i, from 0. A position below 0, or beyond
// 2,147,483,647, is an error of the call in which it is used.
func (a *List[T, E, F]) At(i int) *F {
	f := a.elem
	rebaseAll(reflect.ValueOf(&f).Elem(), a.n.element(i), a.n.noElement(i))
	return &f
}

// Size is the number of elements. A condition on it does not hold if the attribute is absent.
func (a *List[T, E, F]) Size() Size[T] { return Size[T]{a.n} }

// Append puts elements behind the list's last; a missing list is begun.
func (a *List[T, E, F]) Append(e ...E) Change[T] { return Change[T]{change(a.n, doAppend, a.codec, e)} }

// Prepend puts elements before the list's first; a missing list is begun.
func (a *List[T, E, F]) Prepend(e ...E) Change[T] {
	return Change[T]{change(a.n, doPrepend, a.codec, e)}
}

// Map is a map with free keys whose values are addressed as F: a descriptor, or a struct of them.
type Map[T, E, F any] struct {
	Attr[T, map[string]E]
	elem F
}

func (a *Map[T, E, F]) descriptor() descriptor {
	d := a.Attr.descriptor()
	d.kind, d.inside = attr.KindM, reflect.ValueOf(&a.elem).Elem()
	return d
}

// Size is the number of keys. A condition on it does not hold if the attribute is absent.
func (a *Map[T, E, F]) Size() Size[T] { return Size[T]{a.n} }

// At addresses the value under a key. The empty key, which no path of the service can name, is an error of the call in
// which it is used.
func (a *Map[T, E, F]) At(key string) *F {
	f := a.elem
	rebaseAll(reflect.ValueOf(&f).Elem(), append(a.n.steps(), step{name: key, index: -1}), a.n.noValue(key))
	return &f
}
