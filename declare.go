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
	return declareNew(t, item, reflect.TypeFor[E]()).(*E)
}

// declareNew declares a new typ and answers a pointer to it.
func declareNew(t *Table, item plan.Item, typ reflect.Type) any {
	if t == nil {
		panicAt(2, "declaring %s: the table is nil: make it with NewTable, in a variable of its own", nameOr(item.Name, typ))
	}
	e := reflect.New(typ)
	if err := declare(t, item, e.Elem()); err != nil {
		panicAt(2, "declaring %s in table %s: %v", nameOr(item.Name, typ), t.p.Name, err)
	}
	return e.Interface()
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
	_, _, d := e.typed()
	return viewNew(d, reflect.TypeFor[E]()).(*E)
}

// viewNew fills a new typ and answers a pointer to it.
func viewNew(d *decl, typ reflect.Type) any {
	if d == undeclared {
		panicAt(2, "view %s: %v", typ, errUndeclared)
	}
	v := reflect.New(typ)
	if err := viewOf(d, v.Elem()); err != nil {
		panicAt(2, "view %s of %s: %v", typ, d.name, err)
	}
	return v.Interface()
}

// Typed is any declared entity or view of a T with the key K. Only this package implements it.
type Typed[K, T any] interface {
	// typed says by its types what the entity is of; only the declaration is a value.
	typed() (*K, *T, *decl)
}

// head is what a declared struct embeds: an Entity or a View.
type head interface{ head() headOf }

// headOf is what Declare has to know of a head, and where the declaration goes.
type headOf struct {
	decl      **decl
	key, item reflect.Type
	writes    bool
	bind      func(d *decl, paths []attrPath) (*keyCodec, error)
}

// attributeField is a descriptor: a field that addresses an attribute.
type attributeField interface{ descriptor() descriptor }

// indexField is an Index: a field that addresses a key.
type indexField interface {
	bindIndex(d *decl, name string) (*access, error)
}

func declare(t *Table, item plan.Item, e reflect.Value) (err error) {
	h, rest, err := findHead(e)
	if err != nil {
		return err
	}
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
	d, err := newDecl(t, item, h.item)
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
	if h.writes {
		return errors.New("a view embeds a View: it only reads")
	}
	d, err := source.view(h.item)
	if err != nil {
		return err
	}
	return d.fill(h, e, rest)
}

// findHead finds the Entity or View that e is or embeds, and the other fields.
func findHead(e reflect.Value) (h headOf, rest []int, err error) {
	if at, ok := e.Addr().Interface().(head); ok && isHead(e.Type()) {
		return at.head(), nil, nil
	}
	if e.Kind() != reflect.Struct {
		return h, nil, fmt.Errorf("%s is no struct that embeds an Entity or a View", e.Type())
	}
	for i := range e.NumField() {
		f := e.Type().Field(i)
		if f.Anonymous && isHead(f.Type) {
			if h.decl != nil {
				return h, nil, fmt.Errorf("%s embeds two entities", e.Type())
			}
			if !f.IsExported() {
				return h, nil, fmt.Errorf("%s embeds %s under a name that is not exported", e.Type(), f.Type)
			}
			h = e.Field(i).Addr().Interface().(head).head()
			continue
		}
		rest = append(rest, i)
	}
	if h.decl == nil {
		return h, nil, fmt.Errorf("%s embeds no Entity or View", e.Type())
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
func (d *decl) fill(h headOf, e reflect.Value, rest []int) error {
	if err := d.attach(h); err != nil {
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
			bound, err := x.bindIndex(d, name)
			if err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
			if d.source == nil { // a view reads what its entity's indexes read
				d.table.reads = append(d.table.reads, boundIndex{x: bound, d: d, field: f.Name, with: strings.Fields(f.Tag.Get("with"))})
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
		return a.descriptor().bind(d, f, at)
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
		a.descriptor().rebase(at, err)
		return
	}
	for i := range v.NumField() {
		rebaseAll(v.Field(i), at, err)
	}
}
