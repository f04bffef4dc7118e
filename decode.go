package tablewright

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// DecodeError says that a stored item does not go into the Go type that is to hold it. It is the cause of an *Error, which
// says in which table and operation; its text has names, no values. Another type or tag of the field helps, or a repair of
// the item: [Table.Raw] reads and writes it as it is stored, by Key.
type DecodeError struct {
	Entity    string    // the declared name of the kind of item
	Attribute string    // by its path, such as lines[2].qty; "" if it is the item as a whole
	Key       attr.Item // of the item, in the table; empty where the answer has it not
	Err       error     // the reason: an *attr.FieldError, or what a method of the type says
}

// Error names the kind of item, the attribute and the reason.
func (e *DecodeError) Error() string {
	what := e.Attribute
	if what == "" {
		what = "the whole"
	}
	reason := e.Err.Error()
	var f *attr.FieldError
	if errors.As(e.Err, &f) {
		reason = (&attr.FieldError{Err: f.Err}).Error() // without the path, and without values
	}
	return fmt.Sprintf("an item of %s cannot be read: %s: %s (give the field another type or tag, or repair the item with Table.Raw: "+
		"DecodeError has its key)", e.Entity, what, strings.TrimPrefix(reason, "attr: "))
}

// Unwrap is the reason.
func (e *DecodeError) Unwrap() error { return e.Err }

// decode decodes an item of d, gives it the defaults of what is absent, and checks it if db wants that; the error is a
// *DecodeError, or what the check says.
func decode[T any](db *DB, d *decl, raw []byte, into *T) error {
	whole, err := attr.DecodeWhole(raw, into)
	if err != nil {
		return d.unreadable(raw, err)
	}
	return checkRead(db, d, raw, into, whole)
}

// unreadable makes the error of an item that cannot be decoded.
func (d *decl) unreadable(raw []byte, err error) error {
	e := &DecodeError{Entity: d.name, Err: err}
	var f *attr.FieldError
	if errors.As(err, &f) {
		e.Attribute = f.Path
	}
	for _, w := range d.origin().key {
		if v, ok := attr.Lookup(raw, w.name); ok {
			e.Key.Set(w.name, v)
		}
	}
	return e
}
