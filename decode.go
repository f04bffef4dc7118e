package tablewright

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/schema"
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

// decodeInto decodes an item of d into what is addressed by into, gives it the defaults of what is absent, and checks it if db
// wants that; the error is a *DecodeError, or what the check says. Most often into has the type that d declares; of an
// index, or a statement, it may be another.
func (d *decl) decodeInto(db *DB, raw []byte, into reflect.Value) error {
	codec, rules := d.codec, d.rules
	if typ := into.Type(); d.typ != typ || codec.IsZero() {
		var err error
		if codec, err = attr.ItemCodecOf(typ); err != nil {
			return d.unreadable(raw, err)
		}
		if rules, err = schema.CompileType(typ); err != nil {
			rules = nil // nothing is known of what has no schema
		}
	}
	if db != nil && db.ownTexts { // View.Decode has no DB
		codec = codec.Apart()
	}
	whole, err := codec.Decode(raw, into)
	if err != nil {
		return d.unreadable(raw, err)
	}
	if d.shape == nil || rules == nil {
		return nil
	}
	return d.checkRead(db, rules, raw, into, whole)
}

// decodePart decodes some attributes of an item into what item, a pointer, points to. What is not there is not absent, so that it
// gets no default and misses no rule.
func (d *decl) decodePart(db *DB, raw []byte, item any) error {
	codec := d.codec
	if db.ownTexts {
		codec = codec.Apart()
	}
	if _, err := codec.Decode(raw, reflect.ValueOf(item).Elem()); err != nil {
		return d.unreadable(raw, err)
	}
	return nil
}

// item reads an item of no declared type.
func (db *DB) item(raw []byte) (it attr.Item, err error) {
	if !db.ownTexts {
		return attr.ParseItem(raw)
	}
	codec, err := attr.ItemCodecOf(reflect.TypeFor[attr.Item]())
	if err == nil {
		_, err = codec.Apart().Decode(raw, reflect.ValueOf(&it).Elem())
	}
	return it, err
}

// decode decodes an item into what item, a pointer, points to.
func (d *decl) decode(db *DB, raw []byte, item any) error {
	return d.decodeInto(db, raw, reflect.ValueOf(item).Elem())
}

// decodeNew decodes an item into a new value of the declared type.
func (d *decl) decodeNew(db *DB, raw []byte) (any, error) {
	v := reflect.New(d.typ).Elem()
	err := d.decodeInto(db, raw, v)
	return v.Interface(), err
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
