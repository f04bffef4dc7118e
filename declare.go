package tablewright

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// Declare declares a kind of item of t and fills an E: a struct that embeds an Entity or a View (or is one) and has a
// field per attribute and index to address. Fields are bound by their Go names to the fields of the entity's type, nested
// structs to nested structs; indexes by their own name or a tag `index:"…"`, in which the table's name, or a
// dot where that is not known, means its key.
//
// How T's fields are stored is said by their tags, `ddb:"name,options"`: package attr's doc has their grammar (iso, epoch-s,
// epoch-ms, set, omitzero, version, created, updated, rest). How keys and computed attributes are built is said by item's
// templates, such as "o#{orderId}" or "{placedAt:day}"; package keys lists the codecs behind the colon.
//
// It panics, naming the caller's file and line, if a field has no counterpart or another type, a template does not parse
// or does not suit its codec, key parts are not K, or an index's parts are not those declared.
func Declare[E any](t *Table, item plan.Item) *E {
	if t == nil {
		panicAt(1, "declaring %s: the table is nil: make it with NewTable, in a variable of its own", nameOr(item.Name, reflect.TypeFor[E]()))
	}
	e := new(E)
	if err := declare(t, item, reflect.ValueOf(e).Elem()); err != nil {
		panicAt(1, "declaring %s in table %s: %v", nameOr(item.Name, reflect.TypeFor[E]()), t.p.Name, err)
	}
	return e
}

func nameOr(name string, t reflect.Type) string {
	if name == "" {
		return t.String()
	}
	return name
}

// ViewOf fills an E that embeds a View: a smaller reading of e's items, whose projection follows from the fields of its
// type. It panics like Declare, and where e's type has no such attribute.
func ViewOf[E, K, T any](e Typed[K, T]) *E {
	v := new(E)
	if e.declared() == undeclared {
		panicAt(1, "view %s: %v", reflect.TypeFor[E](), errUndeclared)
	}
	if err := viewOf(e.declared(), reflect.ValueOf(v).Elem()); err != nil {
		panicAt(1, "view %s of %s: %v", reflect.TypeFor[E](), e.declared().name, err)
	}
	return v
}

// Typed is any declared entity or view of a T with the key K. Only this package implements it.
type Typed[K, T any] interface {
	typed() (K, T)
	declared() *decl
}

// head is what a declared struct embeds: an Entity or a View.
type head interface {
	types() (key, item reflect.Type)
	attach(d *decl) error
	writes() bool
}

// attributeField is a descriptor: a field that addresses an attribute.
type attributeField interface {
	bind(d *decl, f attr.StructField, at []step) error
	rebase(at []step, err error)
}

// indexField is an Index: a field that addresses a key.
type indexField interface {
	bindIndex(d *decl, name string) error
	access() *access
}

func declare(t *Table, item plan.Item, e reflect.Value) (err error) {
	h, rest, err := findHead(e)
	if err != nil {
		return err
	}
	_, typ := h.types()
	t.mu.Lock()
	defer t.mu.Unlock()
	readsBefore, markersBefore := len(t.reads), len(t.markers)
	defer func() {
		if err != nil { // what was refused leaves nothing behind
			t.reads, t.markers = t.reads[:readsBefore], t.markers[:markersBefore]
		}
	}()
	if t.sealed {
		return errors.New("the table is in use already: declare everything before the first call")
	}
	d, err := newDecl(t, item, typ)
	if err != nil {
		return err
	}
	for _, other := range t.decls {
		if other.name == d.name {
			return fmt.Errorf("two items are called %s", d.name)
		}
	}
	if err := d.fill(h, e, rest); err != nil {
		return err
	}
	t.decls = append(t.decls, d)
	return nil
}

func viewOf(source *decl, e reflect.Value) error {
	h, rest, err := findHead(e)
	if err != nil {
		return err
	}
	if h.writes() {
		return errors.New("a view embeds a View: it only reads")
	}
	_, typ := h.types()
	d, err := source.view(typ)
	if err != nil {
		return err
	}
	return d.fill(h, e, rest)
}

// findHead finds the Entity or View that e is or embeds, and the other fields.
func findHead(e reflect.Value) (head, []int, error) {
	if h, ok := e.Addr().Interface().(head); ok && isHead(e.Type()) {
		return h, nil, nil
	}
	if e.Kind() != reflect.Struct {
		return nil, nil, fmt.Errorf("%s is no struct that embeds an Entity or a View", e.Type())
	}
	var h head
	var rest []int
	for i := range e.NumField() {
		f := e.Type().Field(i)
		if f.Anonymous && isHead(f.Type) {
			if h != nil {
				return nil, nil, fmt.Errorf("%s embeds two entities", e.Type())
			}
			if !f.IsExported() {
				return nil, nil, fmt.Errorf("%s embeds %s under a name that is not exported", e.Type(), f.Type)
			}
			h = e.Field(i).Addr().Interface().(head)
			continue
		}
		rest = append(rest, i)
	}
	if h == nil {
		return nil, nil, fmt.Errorf("%s embeds no Entity or View", e.Type())
	}
	return h, rest, nil
}

// isHead reports whether t is an Entity or View itself, not a struct that embeds one and has its methods from there.
func isHead(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t.PkgPath() != reflect.TypeFor[decl]().PkgPath() {
		return false
	}
	_, ok := reflect.New(t).Interface().(head)
	return ok
}

// fill attaches the declaration to the head and binds the other fields.
func (d *decl) fill(h head, e reflect.Value, rest []int) error {
	if err := h.attach(d); err != nil {
		return err
	}
	for _, i := range rest {
		f := e.Type().Field(i)
		if !f.IsExported() {
			return fmt.Errorf("field %s is not exported", f.Name)
		}
		if x, ok := e.Field(i).Addr().Interface().(indexField); ok {
			name := f.Name
			if tag := f.Tag.Get("index"); tag != "" {
				name = tag
			}
			if name == "." {
				name = d.table.p.Name
			}
			if err := x.bindIndex(d, name); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
			if d.source == nil { // a view reads what its entity's indexes read
				d.table.reads = append(d.table.reads, boundIndex{x: x.access(), d: d, field: f.Name, with: strings.Fields(f.Tag.Get("with"))})
			}
			continue
		}
		if u, ok := e.Field(i).Addr().Interface().(uniqueField); ok {
			if err := u.bindUnique(d, f.Name); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
			continue
		}
		if p, ok := e.Field(i).Addr().Interface().(partialField); ok {
			if err := p.bindPartial(d); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
			continue
		}
		if err := bindAttribute(d, e.Field(i), f.Name, d.typ, nil); err != nil {
			return err
		}
	}
	return nil
}

// bindAttribute binds a descriptor, or a struct of them, to the field of the same name in typ.
func bindAttribute(d *decl, v reflect.Value, name string, typ reflect.Type, at []step) error {
	fields, err := attr.Fields(typ)
	if err != nil {
		return fmt.Errorf("%s: %s has no attributes inside", name, typ)
	}
	i := slices.IndexFunc(fields, func(f attr.StructField) bool { return f.Go == name && f.Name != "" })
	if i < 0 {
		return fmt.Errorf("%s has no field %s", typ, name)
	}
	return bindTo(d, v, fields[i], append(slices.Clone(at), step{name: fields[i].Name, index: -1}))
}

// bindTo binds a descriptor, or a struct of them, to a field.
func bindTo(d *decl, v reflect.Value, f attr.StructField, at []step) error {
	if a, ok := v.Addr().Interface().(attributeField); ok {
		return a.bind(d, f, at)
	}
	if v.Kind() != reflect.Struct {
		return fmt.Errorf("%s is neither a descriptor nor a struct of descriptors, but %s", f.Go, v.Type())
	}
	inner := f.Type
	for inner.Kind() == reflect.Pointer {
		inner = inner.Elem()
	}
	for i := range v.NumField() {
		if err := bindAttribute(d, v.Field(i), v.Type().Field(i).Name, inner, at); err != nil {
			return fmt.Errorf("%s: %w", f.Go, err)
		}
	}
	return nil
}

// rebaseAll moves a descriptor, or a struct of them, to another place: an element of a list or map.
func rebaseAll(v reflect.Value, at []step, err error) {
	if a, ok := v.Addr().Interface().(attributeField); ok {
		a.rebase(at, err)
		return
	}
	for i := range v.NumField() {
		rebaseAll(v.Field(i), at, err)
	}
}
