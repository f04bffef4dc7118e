package tablewright

import (
	"errors"

	"github.com/tablewright/tablewright/plan"
)

// What a caller forgot is told by the call, in words that say what to do, not by a panic in the middle of this package.
var (
	errUndeclared = errors.New("it was not declared: an entity, its descriptors and indexes are filled by Declare (a view by ViewOf, " +
		"a collection by NewCollection), in a package-level variable")
	errNoDB = errors.New("the DB is nil or zero: make one with Connect, or with New and a Transport")
)

// undeclared stands for the declaration of what was never declared: its table refuses every call.
var undeclared = &decl{name: "?", table: &Table{
	p:      plan.Table{Name: "?", Key: plan.Key{Partition: "?"}},
	sealed: true,
	err:    &Error{kinds: []error{ErrInvalid}, cause: errUndeclared},
}}

var undeclaredAccess = &access{d: undeclared}

// noKey is the key of a call that was not made by an entity.
var noKey = itemKey{d: undeclared, err: errUndeclared}

func (d *decl) orUndeclared() *decl {
	if d == nil {
		return undeclared
	}
	return d
}
