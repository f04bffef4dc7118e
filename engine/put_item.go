package engine

import (
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

func (e *Engine) putItem(body []byte) ([]byte, error) {
	in, err := wire.DecodePutItem(body)
	if err != nil {
		return nil, err
	}
	var after stored
	condition, refused := prefixed.condition(&in.Condition, in.Legacy, func() *wire.Error {
		if err := prefixed.attributes(&in.Item); err != nil {
			return err
		}
		if in.ReturnValues != "" && in.ReturnValues != "NONE" && in.ReturnValues != "ALL_OLD" {
			return wire.Invalid(expr.Prefix + "ReturnValues can only be ALL_OLD or NONE")
		}
		after = store(in.Item.Item)
		return tooLarge(after)
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
	key := t.itemKey(in.Item.Item)
	var out wire.WriteOutput
	err = e.store.Update(func(w kv.Writer) error {
		t, err := e.current(t)
		if err != nil {
			return err
		}
		c := change{table: t, key: key, before: imageOf(w, t, key), after: after, item: in.Item.Item}
		if err := c.check(false); err != nil {
			return err
		}
		if !holds(condition, &c.before) {
			return failed(&in.Condition, &c.before)
		}
		if err := c.checkCollection(w); err != nil {
			return err
		}
		out = wire.WriteOutput{}
		if in.ReturnValues == "ALL_OLD" && c.before.stored != nil {
			out.Attributes = append(wire.Raw(nil), c.before.stored.json()...)
		}
		c.apply(e, w)
		c.report(w, &in.Report, &out)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out.Append(nil), nil
}

func tooLarge(after stored) *wire.Error {
	if after.size() > capacity.ItemBytes {
		return wire.Invalid("Item size has exceeded the maximum allowed size")
	}
	return nil
}
