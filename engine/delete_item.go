package engine

import (
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

func (e *session) deleteItem(body []byte) ([]byte, error) {
	in, err := wire.DecodeDeleteItem(body)
	if err != nil {
		return nil, err
	}
	condition, refused := prefixed.condition(&in.Condition, &in.Expectations, func() *wire.Error {
		return prefixed.attributes(&in.Key)
	})
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
	if condition != nil {
		if err := t.checkPaths(condition); err != nil {
			return nil, err
		}
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
