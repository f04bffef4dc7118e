package engine

import (
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/engine/internal/throttle"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

func (e *session) getItem(body []byte) ([]byte, error) {
	in, err := wire.DecodeGetItem(body)
	if err != nil {
		return nil, err
	}
	projection, refused := readProjection(in.AttributesToGet, in.ProjectionExpression, in.Names, &in.Key)
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
	if projection != nil {
		if err := t.checkPaths(projection); err != nil {
			return nil, err
		}
	}
	key := t.itemKey(in.Key.Item)
	if err := e.allow(nil, t, nil, throttle.Read, key); err != nil {
		return nil, err
	}
	var answer []byte
	err = e.store.View(func(r kv.Reader) error {
		t, err := e.shown(t)
		if err != nil {
			return err
		}
		found := stored(r.Get(t.space, key))
		out := wire.GetItemOutput{Item: found.json()}
		if projection != nil && found != nil {
			out.Item = wire.RawOf(projection.Apply(found.item()))
		}
		m := meter{mode: in.ReturnConsumed}
		units := float64(capacity.Get(found.size(), consistency(in.ConsistentRead)))
		if m.wanted() {
			m.of(t).table = units
			out.ConsumedCapacity = m.one(t)
		}
		answer = out.Append(make([]byte, 0, len(found)+128))
		return e.consumedRead(r, t, nil, units, itemRead{key, found.size()})
	})
	return answer, err
}

func consistency(strong bool) capacity.Consistency {
	if strong {
		return capacity.Strong
	}
	return capacity.Eventual
}

// readProjection reads the projection of a read by key, its only expression, or makes it of AttributesToGet.
func readProjection(wanted []string, projection *string, names map[string]string, key *wire.Attributes) (*expr.Projection, *wire.Error) {
	x := wire.Expressions{Names: names}
	old := given(parameter{"AttributesToGet", len(wanted) > 0})
	if err := plain.parameters(old, &x, text{expr.ProjectionExpression, projection}); err != nil {
		return nil, err
	}
	if err := plain.attributes(key); err != nil {
		return nil, err
	}
	if projection == nil {
		return plain.attributesToGet(wanted)
	}
	s, err := plain.substitutions(&x)
	if err != nil {
		return nil, err
	}
	p, err := parse(plain, projection, s, expr.ParseProjection)
	if err != nil {
		return nil, err
	}
	return p, plain.unused(s)
}

func attrItem(name string, v attr.Value) attr.Item {
	return attr.ItemOf(attr.Field{Name: name, Value: v})
}
