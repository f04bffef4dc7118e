package engine

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

func (e *session) putItem(body []byte) ([]byte, error) {
	in, err := wire.DecodePutItem(body)
	if err != nil {
		return nil, err
	}
	var after stored
	condition, refused := prefixed.condition(&in.Condition, &in.Expectations, func() *wire.Error {
		if err := prefixed.attributes(&in.Item); err != nil {
			return err
		}
		if in.ReturnValues != "" && in.ReturnValues != "NONE" && in.ReturnValues != "ALL_OLD" {
			return wire.Invalid(expr.Prefix + "ReturnValues can only be ALL_OLD or NONE")
		}
		after = store(in.Item.Item)
		return prefixed.tooLarge(after, in.Item.Item)
	})
	if refused != nil {
		return nil, refused
	}
	t, err := e.lookup(in.TableName)
	if err != nil {
		return nil, err
	}
	if err := t.checkItemKey(in.Item.Item); err != nil {
		return nil, err
	}
	if condition != nil {
		if err := t.checkPaths(condition); err != nil {
			return nil, err
		}
	}
	key := t.itemKey(in.Item.Item)
	var out wire.WriteOutput
	err = e.writeItem(t, key, func(w kv.Writer) error {
		t, err := e.current(t)
		if err != nil {
			return err
		}
		c := change{table: t, key: key, before: imageOf(w, t, key), after: after, item: in.Item.Item}
		if err := c.check(false); err != nil {
			return err
		}
		if !holds(condition, &c.before) {
			e.consumedFailing(w, &c)
			return failed(&in.Condition, &c.before)
		}
		if err := new(growths).check(w, &c); err != nil {
			return err
		}
		if err := e.admitIndexes(w, &c); err != nil {
			return err
		}
		out = wire.WriteOutput{}
		if in.ReturnValues == "ALL_OLD" && c.before.stored != nil {
			out.Attributes = append(wire.Raw(nil), c.before.stored.json()...)
		}
		c.apply(e.Engine, w)
		c.report(w, &in.Report, &out)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out.Append(nil), nil
}

// tooLarge holds an item that is put to the limits of an item and of the names in it.
func (d dialect) tooLarge(after stored, it attr.Item) *wire.Error {
	if err := d.longNames(after, it); err != nil {
		return err
	}
	if after.size() > capacity.ItemBytes {
		return wire.Invalid("Item size has exceeded the maximum allowed size")
	}
	return nil
}

// longNames holds the names of attributes, and of fields of maps, to less than 64 KB (measured on AWS, 2026-09).
func (d dialect) longNames(s stored, it attr.Item) *wire.Error {
	if int(s.size()) <= maxName || !hasLongName(it) { // a smaller item has none
		return nil
	}
	message := nameTooLarge
	if d == prefixed {
		message = expr.Prefix + message
	}
	return wire.Invalid(message)
}

const (
	maxName      = int(capacity.AttributeNameBytes)
	nameTooLarge = "Attribute name is too large, must be less than 65536 bytes"
)

func hasLongName(it attr.Item) bool {
	for i := range it.Len() {
		if f := it.At(i); len(f.Name) > maxName || hasLongNameIn(f.Value) {
			return true
		}
	}
	return false
}

func hasLongNameIn(v attr.Value) bool {
	switch v.Kind() {
	case attr.KindM:
		return hasLongName(v.Map())
	case attr.KindL:
		return slices.ContainsFunc(v.Elems(), hasLongNameIn)
	}
	return false
}
