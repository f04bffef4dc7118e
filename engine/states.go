package engine

import (
	"math"
	"slices"

	"github.com/tablewright/tablewright/wire"
)

// Tables, indexes and settings pass through states on the way to another (CREATING, UPDATING, ENABLING, …), each of them for
// Options.StateTime by the engine's clock. What is asked for is done at once all the same: a state is only told, and has the
// service's consequences, until it is over. Nothing runs when it ends.

// state is such a state and when it is over; the zero state is none.
type state struct {
	Name  string `json:",omitempty"`
	Until int64  `json:",omitempty"` // in nanoseconds since 1970
}

// at is the state's name at a time, empty if it is over.
func (s state) at(now int64) string {
	if now < s.Until {
		return s.Name
	}
	return ""
}

// entering is a state that begins now. Without a StateTime it is in the answer of the request only, see settle.
func (e *Engine) entering(name string) state {
	if e.options.StateTime <= 0 {
		return state{Name: name, Until: math.MaxInt64}
	}
	return state{Name: name, Until: e.nanoseconds() + int64(e.options.StateTime)}
}

const (
	creating = "CREATING"
	updating = "UPDATING"
	deleting = "DELETING"
	active   = "ACTIVE"
)

// usable reports whether operations on items find the table: one that is created or deleted is not there for them.
func (e *Engine) usable(t *table) bool {
	s := &t.def.State
	return s.Name == "" || s.Name == updating || s.Name == creating && e.nanoseconds() >= s.Until
}

// gone reports whether the table has been deleted, and is no longer told to be on the way.
func (t *table) gone(now int64) bool { return t.def.State.Name == deleting && now >= t.def.State.Until }

// find is the table of an identity in whatever state, nil if there is none.
func (e *Engine) find(id tableID) *table {
	t := e.catalog.Load().byID[id]
	if t == nil || t.def.State.Name == deleting && t.gone(e.nanoseconds()) {
		return nil
	}
	return t
}

const inUse = "Attempt to change a resource which is still in use: "

// changeable refuses changes of a table that is created or deleted (captured on AWS, 2026-10).
func (e *Engine) changeable(t *table) *wire.Error {
	switch t.def.State.at(e.nanoseconds()) {
	case creating:
		return wire.NewError(wire.CodeResourceInUse, inUse+"Table is being created: "+t.name)
	case deleting:
		return wire.NewError(wire.CodeResourceInUse, inUse+"Table is being deleted: "+t.name)
	}
	return nil
}

// settle ends all states of a definition: those of the request that has just been answered, where states take no time.
func (def *definition) settle() {
	def.State, def.Doing, def.Before, def.Going, def.SSEState = state{}, "", nil, nil, state{}
	def.Warm.State = state{}
	settled(&def.Indexes, func(x *indexDefinition) bool {
		changed := x.State != state{} || x.Warm.State != state{}
		x.State, x.Warm.State = state{}, state{}
		return changed
	})
	settled(&def.Kinesis, func(k *kinesisDestination) bool {
		changed := k.State != state{}
		k.State = state{}
		return changed
	})
	settled(&def.Insights, func(x *insights) bool {
		changed := x.State != state{}
		x.State = state{}
		return changed
	})
}

// settled changes the elements of a list that end needs to change, in a copy: older definitions have the same list.
func settled[T any](list *[]T, end func(*T) bool) {
	cloned := false
	for i, x := range *list {
		if !end(&x) {
			continue
		}
		if !cloned {
			*list, cloned = slices.Clone(*list), true
		}
		(*list)[i] = x
	}
}
