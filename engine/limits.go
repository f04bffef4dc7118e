package engine

import (
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/throttle"
	"github.com/tablewright/tablewright/wire"
)

// Limits are the limits of an engine's tables, for whoever asks what they let pass without making the requests: a load of
// 100,000 requests a second, for minutes, on tables of terabytes, is told from the units that each request consumes and the
// key that it is about. Take answers what such a request would have been answered, and consumes as it would have.
//
// Nothing is read or written. The engine's clock is the time of Take: a load is simulated by moving it.
type Limits struct{ session *session }

// Limits are the limits of the tables in the engine's own Region; nil without Options.Throttle.
func (e *Engine) Limits() *Limits {
	if e.throttle == nil {
		return nil
	}
	return &Limits{&session{Engine: e, region: e.options.Region}}
}

// Demand is what a request consumes of one table or index, for one key.
type Demand struct {
	Table, Index string // Index "": the table itself
	// Key has the key attributes of the table or index, with values of their types. What it lacks of the sort key is as if
	// there was none.
	Key   attr.Item
	Read  capacity.ReadUnits
	Write capacity.WriteUnits
}

// Take asks for a request with all of its demands: if each may begin, all consume what they say, else none does. The error
// is the *wire.Error with which the service refuses the request, with its ThrottlingReasons, for the first that may not;
// and a *wire.Error without them if there is no such table or index, or Key is not one of it.
func (l *Limits) Take(demands ...Demand) error {
	e := l.session
	type part struct {
		resource *throttle.Resource
		op       throttle.Operation
		use      throttle.Use
	}
	parts := make([]part, 0, 16)
	now := e.now()
	for i := range demands {
		d := &demands[i]
		t, x, resource, err := l.of(d.Table, d.Index)
		if err != nil {
			return err
		}
		use := throttle.Use{}
		if use.Key, use.Collection, err = t.demandKey(x, d.Key); err != nil {
			return err
		}
		for op, units := range [...]float64{throttle.Read: float64(d.Read), throttle.Write: float64(d.Write)} {
			if units <= 0 {
				continue
			}
			op, use := throttle.Operation(op), use
			if limit := resource.Admit(op, use.Key, now); limit != throttle.None {
				return e.throttled(t, x, op, limit)
			}
			use.Units = units
			parts = append(parts, part{resource, op, use})
		}
	}
	for i := range parts {
		parts[i].resource.Consume(parts[i].op, now, parts[i].use)
	}
	return nil
}

// Holds says how many bytes a table or index is to be taken to hold: it has as many partitions as they need, at least.
// What was asked of its limits before is forgotten.
func (l *Limits) Holds(table, index string, size capacity.Bytes) error {
	t, x, _, err := l.of(table, index)
	if err != nil {
		return err
	}
	th := l.session.throttle
	space := t.space
	if x != nil {
		space = x.space
	}
	th.mu.Lock()
	defer th.mu.Unlock()
	th.resources[space] = &limited{throttle.New(&th.parameters, t.limits(x), int64(size), th.engine.now()), t.def}
	return nil
}

// Partitions is how many partitions a table or index has.
func (l *Limits) Partitions(table, index string) (int, error) {
	_, _, r, err := l.of(table, index)
	if err != nil {
		return 0, err
	}
	return r.Partitions(), nil
}

// of finds a table or index; a local one is its table.
func (l *Limits) of(tableName, indexName string) (t *table, x *index, r *throttle.Resource, err error) {
	if t, err = l.session.lookup(tableName); err != nil {
		return nil, nil, nil, err
	}
	x = t.index(indexName)
	switch {
	case indexName != "" && x == nil:
		return nil, nil, nil, wire.Invalid("The table does not have the specified index: " + indexName)
	case x != nil && x.kind != globalIndex:
		x = nil
	}
	r, err = l.session.throttle.of(nil, t, x)
	return t, x, r, err
}

// demandKey is the key that an item has in the space of a table or global index, and the length of what its item collection
// shares of it.
func (t *table) demandKey(x *index, it attr.Item) (key []byte, collection int, err error) {
	schema := t.key
	if x != nil {
		schema = x.key
	}
	values := make([]attr.Value, 0, capacity.IndexPartitionKeyParts)
	for _, a := range schema.Hash {
		v := it.Get(a.Name)
		if v.Kind() != a.Kind {
			return nil, 0, errKeySchema
		}
		values = append(values, v)
	}
	key = partitionKey(values)
	collection = len(key)
	for _, a := range schema.Range {
		v := it.Get(a.Name)
		if v.Kind() != a.Kind {
			break
		}
		key = attr.AppendKey(key, v)
	}
	return key, collection, nil
}
