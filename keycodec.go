package tablewright

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/tablewright/tablewright/attr"
)

// keyCodec takes a Go value for one or several parts of a key apart: a scalar if there is one part, else a struct whose
// fields have the names of the entity's.
type keyCodec struct {
	typ    reflect.Type // K
	paths  []attrPath
	scalar any          // of one part: attr.Codec[K]
	shape  reflect.Type // of several: K with the tags of the entity's fields
	names  []string     // of several: the attribute's name in shape, in the order of paths

	untyped func(k any, dst []attr.Value) error // keyValues
}

// newKeyCodec fits K to the parts.
func newKeyCodec[K any](d *decl, paths []attrPath) (*keyCodec, error) {
	c, err := fitKey(d, paths, reflect.TypeFor[K](), func(f attr.StructField) (any, error) { return attr.CodecOf[K](f) })
	if err == nil {
		c.untyped = func(k any, dst []attr.Value) error { return keyValues(c, k.(K), dst) }
	}
	return c, err
}

func fitKey(d *decl, paths []attrPath, k reflect.Type, scalar func(attr.StructField) (any, error)) (*keyCodec, error) {
	c := &keyCodec{typ: k, paths: paths}
	if k == itemType {
		c.shape = itemType
		return c, nil
	}
	fields := make([]attr.StructField, len(paths))
	for i, p := range paths {
		var err error
		if fields[i], err = d.find(p); err != nil {
			return nil, err
		}
	}
	if len(paths) == 1 {
		var err error
		if c.scalar, err = scalar(fields[0]); err != nil {
			return nil, fmt.Errorf("the part %s is %s, not %s", paths[0], fields[0].Type, k)
		}
		return c, nil
	}
	if len(paths) == 0 && (k.Kind() != reflect.Struct || k.NumField() != 0) {
		return nil, fmt.Errorf("there are no parts, only constant text: every item would have the same key; what there is one of is addressed by struct{}, not by %s", k)
	}
	if k.Kind() != reflect.Struct {
		return nil, fmt.Errorf("there are %d parts (%s): they need a struct, not %s", len(paths), paths, k)
	}
	if k.NumField() != len(paths) {
		return nil, fmt.Errorf("there are %d parts (%s), and %s has %d fields", len(paths), paths, k, k.NumField())
	}
	shape := make([]reflect.StructField, len(paths))
	for i, f := range fields {
		own, ok := k.FieldByName(f.Go)
		if !ok || own.Type != f.Type || !own.IsExported() || len(own.Index) > 1 {
			return nil, fmt.Errorf("%s has no field %s %s for the part %s", k, f.Go, f.Type, paths[i])
		}
		at := own.Index[0]
		if shape[at].Name != "" {
			return nil, fmt.Errorf("the parts %s have one Go name", paths)
		}
		shape[at] = reflect.StructField{Name: own.Name, Type: own.Type, Tag: f.Tag}
		c.names = append(c.names, f.Name)
	}
	c.shape = reflect.StructOf(shape)
	if !k.ConvertibleTo(c.shape) {
		return nil, fmt.Errorf("%s cannot be read as a key", k)
	}
	return c, nil
}

var errEmptyKey = errors.New("a part of the key is absent")

// keyValues puts the parts' values, as stored, into dst, which has room for them. k has the codec's type.
func keyValues[K any](c *keyCodec, k K, dst []attr.Value) error {
	if c.shape != nil {
		return c.several(k, dst)
	}
	v, err := c.scalar.(attr.Codec[K]).Value(k)
	return c.single(v, err, dst)
}

func (c *keyCodec) single(v attr.Value, err error, dst []attr.Value) error {
	if err == nil && v.IsZero() {
		err = errEmptyKey
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.paths[0], err)
	}
	dst[0] = v
	return nil
}

func (c *keyCodec) several(k any, dst []attr.Value) error {
	if c.shape == itemType {
		return rawKeyValues(c.paths, k.(attr.Item), dst)
	}
	whole, err := attr.Marshal(reflect.ValueOf(k).Convert(c.shape).Interface())
	if err != nil {
		return err
	}
	parts := whole.Map()
	for i, name := range c.names {
		if dst[i] = parts.Get(name); dst[i].IsZero() {
			return fmt.Errorf("%s: %w", c.paths[i], errEmptyKey)
		}
	}
	return nil
}
