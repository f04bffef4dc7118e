package attr

import "encoding/json"

// Opt holds a value that may be absent, NULL or there, and keeps the three apart where a pointer or zero value can not:
// in partial updates, and in attributes that are written as NULL on purpose. The zero Opt is absent.
//
// With encoding/json, a missing member stays absent, null becomes NULL and anything else a value. To leave an absent Opt
// out when writing, tag the field omitzero; without, it is written null.
type Opt[V any] struct {
	V     V
	State State
}

// State of an Opt.
type State uint8

// The states of an Opt.
const (
	StateAbsent State = iota
	StateNull
	StatePresent
)

// Some makes a present Opt.
func Some[V any](v V) Opt[V] { return Opt[V]{v, StatePresent} }

// None makes an Opt that is NULL.
func None[V any]() Opt[V] { return Opt[V]{State: StateNull} }

// Get is the value, and whether there is one.
func (o Opt[V]) Get() (V, bool) { return o.V, o.State == StatePresent }

// IsZero reports whether o is absent: the question that omitzero asks.
func (o Opt[V]) IsZero() bool { return o.State == StateAbsent }

// MarshalJSON writes the value, or null if there is none.
func (o Opt[V]) MarshalJSON() ([]byte, error) {
	if o.State != StatePresent {
		return []byte("null"), nil
	}
	return json.Marshal(o.V)
}

// UnmarshalJSON reads null as NULL and anything else as the value.
func (o *Opt[V]) UnmarshalJSON(data []byte) error {
	*o = Opt[V]{State: StateNull}
	if string(data) == "null" {
		return nil
	}
	o.State = StatePresent
	return json.Unmarshal(data, &o.V)
}
