package schema

import "reflect"

// Quick reports what the plan of the Go type says alone: true means that v certainly will do.
func Quick[T any](t Typed[T], v *T) bool {
	p := t.of.plan
	return p != nil && !p.unsure && !p.derive && p.valid(reflect.ValueOf(v).Elem(), 0)
}
