package engine

import (
	"errors"
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
	update, condition, late, refused := readUpdate(prefixed, in)
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
	if late != nil {
		return nil, late
	}
	if err := t.checkUpdate(update, condition); err != nil {
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
			e.consumedFailing(w, &c)
			return failed(&in.Condition, &c.before)
		}
		written, refused := c.update(update, in.Key.Item)
		if refused != nil {
			if refused == errStoredType && len(in.AttributeUpdates) > 0 {
				refused = wire.Invalid("Type mismatch for attribute to update")
			}
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
		if err := e.admitIndexes(w, &c); err != nil {
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

// readUpdate reads the expressions of an update, or makes them of the parameters from before: late is as of
// attributeUpdates.
func readUpdate(d dialect, in *wire.UpdateItemInput) (u *expr.Update, c *expr.Condition, late, refused *wire.Error) {
	w := &in.Condition
	expected, operator := expectations(&in.Expectations)
	old := given(parameter{"AttributeUpdates", len(in.AttributeUpdates) > 0}, expected, operator)
	if err := d.parameters(old, &w.Expressions, text{expr.UpdateExpression, in.UpdateExpression}, text{expr.ConditionExpression, w.ConditionExpression}); err != nil {
		return nil, nil, nil, err
	}
	if err := d.attributes(&in.Key); err != nil {
		return nil, nil, nil, err
	}
	if in.UpdateExpression == nil && w.ConditionExpression == nil {
		if u, late, refused = d.attributeUpdates(in.AttributeUpdates); refused != nil {
			return nil, nil, nil, refused
		}
		c, refused = d.expected(&in.Expectations)
		return u, c, late, refused
	}
	s, err := d.substitutions(&w.Expressions)
	if err != nil {
		return nil, nil, nil, err
	}
	u, err = parse(d, in.UpdateExpression, s, expr.ParseUpdate)
	if err != nil {
		return nil, nil, nil, err
	}
	c, err = parse(d, w.ConditionExpression, s, expr.ParseCondition)
	if err != nil {
		return nil, nil, nil, err
	}
	return u, c, nil, d.unused(s)
}

// checkUpdate holds the expressions of an update to the keys of the table and its indexes.
func (t *table) checkUpdate(u *expr.Update, c *expr.Condition) *wire.Error {
	if u == nil && c == nil {
		return nil
	}
	if err := t.checkLiterals(u); err != nil {
		return err
	}
	return t.checkPaths(u, c)
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

// update computes the item after; a missing item begins as its key, and stays missing if the update only removes (AWS's
// page on AttributeUpdates; of expressions it was seen on AWS by the makers of its SDK for Java, issue 2761). written is what
// UPDATED_NEW answers.
func (c *change) update(u *expr.Update, key attr.Item) (written []expr.Path, refused *wire.Error) {
	was := c.before.get()
	if c.before.stored == nil {
		was = key
	}
	c.item = was
	if u != nil {
		after, paths, err := u.Apply(was)
		if err != nil {
			return nil, refusedUpdate(err)
		}
		if after.Depth() > attr.MaxDepth {
			return nil, wire.Invalid(attr.ErrDepth.Error())
		}
		// Exactly is it told when the item is in its stored form (check): what is far too large is not brought into one, since
		// an attribute of 400 KB can be assigned to hundreds of others.
		if after.Size() > 4*int(capacity.ItemBytes) {
			return nil, errUpdateTooLarge
		}
		c.item, written = after, paths
	}
	if c.before.stored == nil && u.OnlyRemoves() {
		c.item = attr.Item{}
		return nil, nil
	}
	c.after = store(c.item)
	return written, nil
}

// refusedUpdate is the answer of an update that what is stored speaks against.
func refusedUpdate(err error) *wire.Error {
	var e *expr.Error
	if errors.As(err, &e) && e.Rule == expr.RuleOperandTypeStored {
		return errStoredType
	}
	return plain.refuse(err)
}

var errStoredType = wire.Invalid("An operand in the update expression has an incorrect data type")

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
		if c.after != nil {
			return append(wire.Raw(nil), c.after.json()...)
		}
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
