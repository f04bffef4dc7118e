package schema

import "reflect"

// Quick reports what the plan of the Go type says alone: true means that v certainly will do.
func Quick[T any](t Typed[T], v *T) bool {
	return t.plan != nil && !t.plan.unsure && !t.plan.derive && t.plan.valid(reflect.ValueOf(v).Elem(), 0)
}
