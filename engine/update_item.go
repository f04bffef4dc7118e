package engine

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

func (e *session) updateItem(body []byte) ([]byte, error) {
	in, err := wire.DecodeUpdateItem(body)
	if err != nil {
		return nil, err
	}
	update, condition, refused := readUpdate(prefixed, in.UpdateExpression, &in.Condition, in.Legacy, &in.Key)
	if refused != nil {
		return nil, refused
	}
	t, err := e.lookup(in.TableName)
	if err != nil {
		return nil, err
	}
	if err := t.checkKey(in.Key.Item); err != nil {
		return nil, err
	}
	if err := t.checkTouched(update); err != nil {
		return nil, err
	}
	key := t.itemKey(in.Key.Item)
	var out wire.WriteOutput
	err = e.writeItem(t, key, func(w kv.Writer) error {
		t, err := e.current(t)
		if err != nil {
			return err
		}
		c := change{table: t, key: key, before: imageOf(w, t, key)}
		if !holds(condition, &c.before) {
			return failed(&in.Condition, &c.before)
		}
		written, refused := c.update(update, in.Key.Item)
		if refused != nil {
			return refused
		}
		if err := prefixed.longNames(c.after, c.item); err != nil {
			return err
		}
		if err := c.check(true); err != nil {
			return err
		}
		if tooMuch(update, &c) {
			return errUpdateTooLarge
		}
		if err := new(growths).check(w, &c); err != nil {
			return err
		}
		out = wire.WriteOutput{Attributes: c.returned(in.ReturnValues, update, written)}
		c.apply(e.Engine, w)
		c.report(w, &in.Report, &out)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out.Append(nil), nil
}

// readUpdate reads the expressions of an update.
func readUpdate(d dialect, updateText *string, c *wire.Condition, legacy []string, key *wire.Attributes) (*expr.Update, *expr.Condition, *wire.Error) {
	s, err := d.placeholders(legacy, &c.Expressions,
		text{expr.UpdateExpression, updateText}, text{expr.ConditionExpression, c.ConditionExpression})
	if err != nil {
		return nil, nil, err
	}
	if err := d.attributes(key); err != nil {
		return nil, nil, err
	}
	update, err := parse(d, updateText, s, expr.ParseUpdate)
	if err != nil {
		return nil, nil, err
	}
	condition, err := parse(d, c.ConditionExpression, s, expr.ParseCondition)
	if err != nil {
		return nil, nil, err
	}
	return update, condition, d.unused(s)
}

// checkTouched refuses an update of key attributes.
func (t *table) checkTouched(u *expr.Update) *wire.Error {
	if u == nil {
		return nil
	}
	for _, p := range u.Touched() {
		if slices.Contains(t.names, p.Attribute()) {
			return wire.Invalid(inv + "Cannot update attribute " + p.Attribute() + ". This attribute is part of the key")
		}
	}
	return nil
}

// update computes the item after; a missing item begins as its key. written is what UPDATED_NEW answers.
func (c *change) update(u *expr.Update, key attr.Item) (written []expr.Path, refused *wire.Error) {
	was := c.before.get()
	if c.before.stored == nil {
		was = key
	}
	c.item = was
	if u != nil {
		after, paths, err := u.Apply(was)
		if err != nil {
			return nil, plain.refuse(err)
		}
		if after.Depth() > attr.MaxDepth {
			return nil, wire.Invalid(attr.ErrDepth.Error())
		}
		c.item, written = after, paths
	}
	c.after = store(c.item)
	return written, nil
}

var errUpdateTooLarge = wire.Invalid("Item size to update has exceeded the maximum allowed size")

// tooMuch holds an UpdateItem to what it is held to besides the item that it makes (found on AWS by bisecting the limit,
// 2026-08): the attributes that its expression names, as they are afterwards, and 3 bytes, 19 for each SET and ADD, one
// more if that is of a list's element, and 2 for each REMOVE and DELETE. An update in a transaction is not held to it.
func tooMuch(u *expr.Update, c *change) bool {
	size := 3
	if int(c.after.size())+size+20*len(u.Actions()) <= int(capacity.ItemBytes) { // as nearly always
		return false
	}
	var seen []string
	for _, a := range u.Actions() {
		switch a.Section {
		case expr.SET, expr.ADD:
			size += 19
			if a.Path.Len() > 1 && strings.HasSuffix(a.Path.String(), "]") {
				size++
			}
		default:
			size += 2
		}
		if name := a.Path.Attribute(); !slices.Contains(seen, name) {
			seen = append(seen, name)
			if v := c.item.Get(name); !v.IsZero() {
				size += len(name) + v.Size()
			}
		}
	}
	return size > int(capacity.ItemBytes)
}

// returned is what ReturnValues asks for; nil if that is nothing.
func (c *change) returned(values string, u *expr.Update, written []expr.Path) wire.Raw {
	switch values {
	case "ALL_OLD":
		if c.before.stored != nil {
			return append(wire.Raw(nil), c.before.stored.json()...)
		}
	case "ALL_NEW":
		return append(wire.Raw(nil), c.after.json()...)
	case "UPDATED_OLD":
		if u != nil && c.before.stored != nil {
			return some(expr.Pick(c.before.get(), u.Touched()))
		}
	case "UPDATED_NEW":
		return some(expr.Pick(c.item, written))
	}
	return nil
}

func some(it attr.Item) wire.Raw {
	if it.Len() == 0 {
		return nil
	}
	return wire.RawOf(it)
}
