package engine

import (
	"cmp"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/engine/internal/throttle"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

const duplicateKeys = "Provided list of item keys contains duplicates"

// tableGets are the reads of one table in a batch.
type tableGets struct {
	in         *wire.KeysOfTable
	projection *expr.Projection
	table      *table
	keys       [][]byte
}

func (e *session) batchGetItem(body []byte) ([]byte, error) {
	in, err := wire.DecodeBatchGetItem(body)
	if err != nil {
		return nil, err
	}
	gets, total := make([]tableGets, len(in.Tables)), 0
	for i := range in.Tables {
		gets[i].in = &in.Tables[i]
		total += len(in.Tables[i].Keys)
	}
	if total > capacity.BatchGetItems {
		return nil, wire.Invalid("Too many items requested for the BatchGetItem call")
	}
	if err := mixedGets(in.Tables); err != nil {
		return nil, err
	}
	for i := range gets {
		if err := gets[i].static(); err != nil {
			return nil, err
		}
	}
	for i := range gets {
		if gets[i].table, err = e.lookup(gets[i].in.TableName); err != nil {
			return nil, err
		}
	}
	for i := range gets {
		if err := gets[i].check(); err != nil {
			return nil, err
		}
	}
	var answer []byte
	err = e.store.View(func(r kv.Reader) error {
		out := wire.BatchGetItemOutput{Responses: make([]wire.ItemsOfTable, len(gets))}
		m := meter{mode: in.ReturnConsumed}
		var read capacity.Bytes
		var limit *wire.Error
		unread := 0
		for i := range gets {
			g := &gets[i]
			if _, err := e.shown(g.table); err != nil {
				return err
			}
			out.Responses[i].TableName = g.in.TableName
			left, refused, err := g.run(e, r, &out.Responses[i].Items, &m, &read)
			if err != nil {
				return err
			}
			if left != nil {
				out.Unprocessed = append(out.Unprocessed, *left)
				unread += len(left.Keys)
			}
			limit = cmp.Or(refused, limit)
		}
		if unread == total && limit != nil { // nothing of it was done: told as an error (API_BatchGetItem)
			return limit
		}
		out.ConsumedCapacity = m.list()
		answer = out.Append(nil)
		return nil
	})
	return answer, err
}

// mixedGets refuses AttributesToGet together with ProjectionExpression, be it for different tables (captured on AWS).
func mixedGets(tables []wire.KeysOfTable) *wire.Error {
	var old bool
	var projection *string
	for i := range tables {
		old = old || len(tables[i].AttributesToGet) > 0
		if p := tables[i].ProjectionExpression; p != nil {
			projection = p
		}
	}
	return plain.parameters(given(parameter{"AttributesToGet", old}), new(wire.Expressions), text{expr.ProjectionExpression, projection})
}

// static does the checks before the table is known.
func (g *tableGets) static() *wire.Error {
	seen := make(map[string]bool, len(g.in.Keys))
	var text []byte
	for i := range g.in.Keys {
		if err := plain.attributes(&g.in.Keys[i]); err != nil {
			return err
		}
		text = attr.AppendItem(text[:0], g.in.Keys[i].Item)
		if seen[string(text)] {
			return wire.Invalid(duplicateKeys)
		}
		seen[string(text)] = true
	}
	var none wire.Attributes
	var err *wire.Error
	g.projection, err = readProjection(g.in.AttributesToGet, g.in.ProjectionExpression, g.in.Names, &none)
	return err
}

// check does the checks that need the table.
func (g *tableGets) check() error {
	for i := range g.in.Keys {
		if err := g.table.checkKey(g.in.Keys[i].Item); err != nil {
			return err
		}
		g.keys = append(g.keys, g.table.itemKey(g.in.Keys[i].Item))
	}
	if g.projection != nil {
		if err := g.table.checkPaths(g.projection); err != nil {
			return err
		}
	}
	return nil
}

// run reads the items of one table into l, up to 16 MB of the whole batch and 1 MB of a partition; what is left over is
// returned, with the limit that something was left over for. read is what the batch has read before.
func (g *tableGets) run(e *session, r kv.Reader, l *wire.RawList, m *meter, read *capacity.Bytes) (left *wire.KeysOfTable, limit *wire.Error, err error) {
	partitions := map[string]capacity.Bytes{}
	for i, key := range g.keys {
		refused := e.allow(r, g.table, nil, throttle.Read, key)
		if refused != nil {
			if limit = throttledAs(refused); limit == nil {
				return nil, nil, refused
			}
		}
		s := stored(r.Get(g.table.space, key))
		partition := string(key[:hashBytes+attrKeyLen(key[hashBytes:])])
		if refused != nil || *read+s.size() > capacity.BatchBytes || partitions[partition]+s.size() > capacity.BatchPartition {
			if left == nil {
				rest := *g.in
				rest.Keys = nil
				left = &rest
			}
			left.Keys = append(left.Keys, g.in.Keys[i])
			continue
		}
		*read += s.size()
		partitions[partition] += s.size()
		units := float64(capacity.Get(s.size(), consistency(g.in.ConsistentRead)))
		if m.wanted() {
			m.of(g.table).table += units
		}
		if err := e.consumedRead(r, g.table, nil, units, itemRead{key, s.size()}); err != nil {
			return nil, nil, err
		}
		switch {
		case s == nil:
		case g.projection == nil:
			l.Add(s.json())
		default:
			l.AddItem(g.projection.Apply(s.item()))
		}
	}
	return left, limit, nil
}
