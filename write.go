package tablewright

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// A write is one action on one item: a call of its own, or a part of a transaction.
type write interface {
	// write writes the members of the operation and says what it wrote.
	write(db *DB, w *body, p *expr.Printer) (written, error)
	// outline says what it is as a step of a plan.
	outline(m marks) outlined
}

// written is what must be known about a write once it was sent: to explain why it was refused, and whether it may be
// sent again.
type written struct {
	d       *decl
	action  string // Put, Update, Delete, ConditionCheck
	key     []byte // the key's JSON, a copy
	guard   guard
	version *int64 // that must be stored; nil: not asked for
	other   error  // given with Else
	rep     repeatable
	once    bool // a second one is refused, because of what the first one wrote
	from    int  // which of a transaction's writes it belongs to
	marker  bool // it is no item of d, but one that keeps an attribute of d unique
}

// guard is what a write demands of the item before it.
type guard uint8

const (
	guardNone guard = iota
	guardAbsent
	guardPresent
)

// condition is the condition that makes the guard.
func (g guard) condition(d *decl) *expr.Condition {
	path := expr.Name(d.key[0].name)
	switch g {
	case guardAbsent:
		return expr.NotExists(path)
	case guardPresent:
		return expr.Exists(path)
	}
	return nil
}

// writeCondition writes the condition of a write: its guard, the version it expects, and the caller's tests.
func (w *body) writeCondition(p *expr.Printer, to written, tests []test) error {
	c, err := allOf(tests)
	if err != nil {
		return err
	}
	var version *expr.Condition
	if to.version != nil {
		version = expr.Equal(expr.Name(to.d.version), expr.Literal(attr.Num(attr.Int(*to.version))))
	}
	if c, err = to.d.bothNames(expr.And(to.guard.condition(to.d), version, c)); c == nil || err != nil {
		return err
	}
	if err := w.expression("ConditionExpression", func(dst []byte) ([]byte, error) { return p.AppendCondition(dst, c) }); err != nil {
		return err
	}
	w.text("ReturnValuesOnConditionCheckFailure", "ALL_OLD")
	w.asks |= AsksCondition
	return nil
}

// refuse says in the caller's words why a condition failed. item is what was stored, nil if there was nothing. Where an
// earlier try may have been carried out the condition may have met what that one wrote: then it says neither that nor
// anything else of why, so that nobody takes his own order for another's.
func (to *written) refuse(e *Error, item []byte) {
	if !to.marker {
		e.of, e.item = to.d.origin(), item
	}
	if slices.Contains(e.kinds, ErrUnknownOutcome) {
		return
	}
	e.other = to.other
	kind := ErrConditionFailed
	switch {
	case item != nil && to.guard == guardAbsent:
		kind = ErrExists
		if to.version != nil {
			kind = ErrStale
		}
	case item == nil && to.guard == guardPresent:
		kind = ErrNotFound
	case to.version != nil && !to.isVersion(item):
		kind = ErrStale
	}
	for i, k := range e.kinds {
		if k == ErrConditionFailed {
			e.kinds[i] = kind
			return
		}
	}
	e.kinds = append(e.kinds, kind)
}

// isVersion reports whether the stored item has the version that was expected.
func (to *written) isVersion(item []byte) bool {
	if item == nil {
		return false
	}
	v, _ := to.d.stands(item, to.d.version)
	n, ok := v.Number().Int64()
	return ok && n == *to.version
}

// returns is what a write is asked to answer.
type returns string

const (
	returnNothing returns = ""
	returnOld     returns = "ALL_OLD"
	returnNew     returns = "ALL_NEW"
	returnUpdated returns = "UPDATED_NEW"
)

// run sends a write alone. got, if not nil, is called with the Attributes of the answer, nil if it has none.
func (db *DB) run(ctx context.Context, pattern string, action write, r returns, got func(item []byte) error) error {
	c := newCall("")
	defer c.release()
	c.Pattern = pattern
	to, err := db.compose(c, action, r)
	if err != nil {
		return err
	}
	if r == returnOld && !to.once {
		to.rep = harmful // a second one would answer as the old item what the first one left
	}
	b := db.budget()
	if err := db.send(ctx, c, &b, to.rep); err != nil {
		var e *Error
		var w *wire.Error
		if errors.As(err, &e) {
			e.of = to.d.origin()
			if errors.As(err, &w) && w.Code == wire.CodeConditionFailed {
				to.refuse(e, w.Item)
				e.follow(c)
			}
		}
		return err
	}
	if got == nil {
		return nil
	}
	err = got(attributesOf(c.Response))
	if err == nil || wasDone(err) {
		return err
	}
	if _, ours := errors.AsType[*Error](err); ours {
		return err
	}
	e := fail(c, nil, err)
	e.Time, e.done = db.clock.Now(), true
	return e
}

// compose writes the request of a write.
func (db *DB) compose(c *Call, action write, r returns) (written, error) {
	p := printers.Get().(*expr.Printer)
	defer func() { p.Reset(); printers.Put(p) }()
	w := &body{b: c.Request[:0]}
	w.open()
	to, err := action.write(db, w, p)
	if to.d != nil {
		c.Operation = to.action + "Item"
		c.on(db, to.d.table)
	}
	if err != nil {
		c.Request = w.b
		return to, &Error{Operation: c.Operation, Table: c.Table, Pattern: c.Pattern, Time: db.instant(), kinds: []error{ErrInvalid}, cause: err}
	}
	if r != returnNothing {
		w.text("ReturnValues", string(r))
		w.asks |= AsksAnswer
	}
	w.close()
	c.Request, c.Asks = w.b, AsksTold|w.asks
	if db.hooked {
		c.setKey(to.d.key[0].name, to.key)
	}
	return to, nil
}

func attributesOf(answer []byte) []byte {
	d := attr.NewDecoder(answer)
	var found []byte
	for name := range d.Fields("") {
		if string(name) == "Attributes" {
			found = d.Raw()
		}
	}
	return found
}

// fieldOf is a field of an item; invalid if it is in an embedded struct that is not there.
func fieldOf(item reflect.Value, f attr.StructField) reflect.Value {
	v, err := item.FieldByIndexErr(f.Index)
	if err != nil {
		return reflect.Value{}
	}
	return v
}

// ownField is a field of an item that is to be set. The item is a copy of the caller's; what it embeds by pointer is the
// caller's own until it is copied here.
func ownField(item reflect.Value, f attr.StructField) reflect.Value {
	for _, i := range f.Index {
		if item.Kind() == reflect.Pointer {
			own := reflect.New(item.Type().Elem())
			if !item.IsNil() {
				own.Elem().Set(item.Elem())
			}
			item.Set(own)
			item = own.Elem()
		}
		item = item.Field(i)
	}
	return item
}

// setTime sets a field with a role to the time, in the precision it is stored with.
func setTime(item reflect.Value, f attr.StructField, now time.Time) {
	v := ownField(item, f)
	for v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	v.Set(reflect.ValueOf(now.UTC().Truncate(time.Millisecond)))
}

// versionOf reads a version field; 0 if it is in an embedded struct that is not there.
func versionOf(item reflect.Value, f attr.StructField) int64 {
	v := fieldOf(item, f)
	switch {
	case !v.IsValid():
		return 0
	case v.CanInt():
		return v.Int()
	}
	return int64(min(v.Uint(), math.MaxInt64)) // which has no next one either
}

// nextVersion is the version after n; an error if the field's type ends there.
func (d *decl) nextVersion(n int64) (int64, error) {
	typ := d.fields[d.version].Type
	if n == math.MaxInt64 || n >= 0 && (typ.Kind() >= reflect.Uint && typ.OverflowUint(uint64(n+1)) || typ.Kind() < reflect.Uint && typ.OverflowInt(n+1)) {
		return 0, fmt.Errorf("%s of %s has no next one, its type %s ends there: give the field a wider type", d.version, d.name, typ)
	}
	return n + 1, nil
}

func setVersion(item reflect.Value, f attr.StructField, n int64) {
	v := ownField(item, f)
	if v.CanInt() {
		v.SetInt(n)
	} else {
		v.SetUint(uint64(n))
	}
}
