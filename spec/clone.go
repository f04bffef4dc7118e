package spec

import "reflect"

// Clone is a deep copy: entities, relationships and patterns refer to each other as before, and nothing is shared that
// could be changed.
func (r *Requirements) Clone() *Requirements {
	c := cloner{}
	return c.value(reflect.ValueOf(r)).Interface().(*Requirements)
}

// cloner copies values of this package's types, each pointer once.
type cloner map[any]reflect.Value

var home = reflect.TypeFor[Requirements]().PkgPath()

func (c cloner) value(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || v.Type().Elem().PkgPath() != home {
			return v
		}
		if out, ok := c[v.Interface()]; ok {
			return out
		}
		out := reflect.New(v.Type().Elem())
		c[v.Interface()] = out
		out.Elem().Set(c.value(v.Elem()))
		return out
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(c.value(v.Elem()))
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(c.value(v.Index(i)))
		}
		return out
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, k := range v.MapKeys() {
			out.SetMapIndex(c.value(k), c.value(v.MapIndex(k)))
		}
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		if v.Type().PkgPath() == home {
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					out.Field(i).Set(c.value(v.Field(i)))
				}
			}
		}
		return out
	}
	return v
}
