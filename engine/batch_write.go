package engine

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// batched is one write of a batch, checked and ready.
type batched struct {
	table *table
	key   []byte
	after stored
	put   *wire.Attributes
	asked asked
}

// asked is where a request has a write of a batch.
type asked struct {
	table *wire.WritesOfTable
	write int
}

// leftOver are the writes of a batch that were not done and are answered as unprocessed.
type leftOver []wire.WritesOfTable

func (l *leftOver) add(a asked) {
	i := slices.IndexFunc(*l, func(t wire.WritesOfTable) bool { return t.TableName == a.table.TableName })
	if i < 0 {
		i = len(*l)
		*l = append(*l, wire.WritesOfTable{TableName: a.table.TableName})
	}
	(*l)[i].Writes = append((*l)[i].Writes, a.table.Writes[a.write])
}

const severalTypes = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"

func (e *session) batchWriteItem(body []byte) ([]byte, error) {
	in, err := wire.DecodeBatchWriteItem(body)
	if err != nil {
		return nil, err
	}
	writes, err := e.readBatch(in)
	if err != nil {
		return nil, err
	}
	// The documentation knows no conflict of a batch: a write that a transaction is in the way of is left over, as one that
	// fails otherwise (API_BatchWriteItem).
	var conflicting leftOver
	free := writes[:0]
	for _, b := range writes {
		if e.inFlight.begin(b.table.space, b.key, false) {
			free = append(free, b)
		} else {
			conflicting.add(b.asked)
		}
	}
	writes = free
	defer func() {
		for _, b := range writes {
			e.inFlight.end(b.table.space, b.key, false)
		}
	}()
	if err := e.wait(); err != nil {
		return nil, err
	}
	var out wire.BatchWriteItemOutput
	err = e.store.Update(func(w kv.Writer) error {
		changes := make([]change, len(writes))
		var grown growths
		for i, b := range writes {
			t, err := e.current(b.table)
			if err != nil {
				return err
			}
			c := &changes[i]
			*c = change{table: t, key: b.key, before: imageOf(w, t, b.key), after: b.after}
			if b.put != nil {
				c.item = b.put.Item
			}
			if err := c.check(false); err != nil {
				return err
			}
			if err := grown.check(w, c); err != nil {
				return err
			}
		}
		left := leftOver(nil)
		for i := range conflicting { // cloned: this may run again
			left = append(left, wire.WritesOfTable{TableName: conflicting[i].TableName, Writes: slices.Clone(conflicting[i].Writes)})
		}
		m := meter{mode: in.Report.ConsumedCapacity}
		var done []change // nil: all; the throttle's own undoing points at changes, which stay where they are
		var limit *wire.Error
		for i := range changes {
			if err := e.admitWrite(w, &changes[i]); err != nil {
				if limit = throttledAs(err); limit == nil {
					return err
				}
				left.add(writes[i].asked)
				if done == nil {
					done = append(make([]change, 0, len(changes)), changes[:i]...)
				}
				continue
			}
			c := &changes[i]
			c.apply(e.Engine, w)
			m.write(c.table, &c.units)
			if done != nil {
				done = append(done, *c)
			}
		}
		if done == nil {
			done = changes
		}
		if len(done) == 0 && limit != nil { // nothing of it was done: told as an error (API_BatchWriteItem)
			return limit
		}
		out = wire.BatchWriteItemOutput{Unprocessed: left, Metrics: collectionMetrics(w, done, in.Report.ItemCollectionMetrics)}
		out.ConsumedCapacity = m.list()
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out.Append(nil), nil
}

// readBatch checks the whole batch before any of it is written.
func (e *session) readBatch(in *wire.BatchWriteItemInput) ([]batched, error) {
	total := 0
	for _, t := range in.Tables {
		total += len(t.Writes)
	}
	if total > capacity.BatchWriteItems {
		return nil, wire.Invalid("Too many items requested for the BatchWriteItem call")
	}
	writes := make([]batched, 0, total)
	for i := range in.Tables {
		for j := range in.Tables[i].Writes {
			b, err := staticWrite(&in.Tables[i].Writes[j])
			if err != nil {
				return nil, err
			}
			writes = append(writes, b)
		}
	}
	n := 0
	seen := make(map[string]bool, total)
	for i := range in.Tables {
		t, err := e.lookup(in.Tables[i].TableName)
		if err != nil {
			return nil, err
		}
		for j := range in.Tables[i].Writes {
			b := &writes[n]
			b.asked = asked{&in.Tables[i], j}
			n++
			if err := b.find(t, in.Tables[i].Writes[j].Delete); err != nil {
				return nil, err
			}
			id := string(spaceKey(t.space)) + string(b.key)
			if seen[id] {
				return nil, wire.Invalid(duplicateKeys)
			}
			seen[id] = true
		}
	}
	return writes, nil
}

// find checks the write against the table; key is that of a delete.
func (b *batched) find(t *table, key *wire.Attributes) *wire.Error {
	if b.put == nil {
		if err := t.checkKey(key.Item); err != nil {
			return err
		}
		b.table, b.key = t, t.itemKey(key.Item)
		return nil
	}
	if err := t.checkKeyIn(b.put.Item); err != nil {
		return err
	}
	b.table, b.key = t, t.itemKey(b.put.Item)
	return t.checkIndexKeys(attr.Item{}, b.put.Item, false, nil)
}

func staticWrite(w *wire.BatchWrite) (b batched, refused *wire.Error) {
	if (w.Put == nil) == (w.Delete == nil) {
		return b, wire.Invalid(severalTypes)
	}
	if w.Delete != nil {
		return b, plain.attributes(w.Delete)
	}
	if err := plain.attributes(w.Put); err != nil {
		return b, err
	}
	b.put, b.after = w.Put, store(w.Put.Item)
	return b, plain.tooLarge(b.after, w.Put.Item)
}

// applyAll applies changes that are all found good, and collects the metrics of their item collections.
func applyAll(e *Engine, w kv.Writer, changes []change, m *meter, metrics string) map[string][]wire.ItemCollectionMetrics {
	for i := range changes {
		changes[i].apply(e, w)
		m.write(changes[i].table, &changes[i].units)
	}
	return collectionMetrics(w, changes, metrics)
}

// collectionMetrics are those of the item collections that changes belong to, by table; nil if they are not asked for.
func collectionMetrics(w kv.Writer, changes []change, metrics string) map[string][]wire.ItemCollectionMetrics {
	if metrics != "SIZE" {
		return nil
	}
	var by map[string][]wire.ItemCollectionMetrics
	seen := map[string]bool{}
	for i := range changes {
		c := &changes[i]
		if !c.table.locals || seen[string(c.collectionKey())] {
			continue
		}
		seen[string(c.collectionKey())] = true
		if by == nil {
			by = map[string][]wire.ItemCollectionMetrics{}
		}
		by[c.table.name] = append(by[c.table.name], c.metrics(w))
	}
	return by
}
