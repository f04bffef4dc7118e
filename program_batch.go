package tablewright

import (
	"context"
	"fmt"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/plan"
)

// batchGet reads all keys of a request, in as many requests as it takes.
func (r *run) batchGet(ctx context.Context, q *plan.Request, b *budget) (plan.Result, error) {
	var all plan.Result
	for keys := q.Keys; len(keys) > 0; {
		n := min(len(keys), capacity.BatchGetItems)
		c := newCall("BatchGetItem")
		c.Pattern = r.pattern
		c.names(r.db, q.Table)
		w := &body{b: c.Request[:0]}
		w.open()
		w.key("RequestItems")
		w.open()
		w.table(r.db.actual(q.Table))
		w.open()
		w.key("Keys")
		w.b = append(w.b, '[')
		for i, k := range keys[:n] {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.b = attr.AppendItem(w.b, k)
		}
		w.b = append(w.b, ']')
		w.flag("ConsistentRead", q.Consistent)
		if q.Projection != nil {
			var p expr.Printer
			if err := w.expression("ProjectionExpression", func(dst []byte) ([]byte, error) { return p.AppendProjection(dst, q.Projection) }); err != nil {
				c.release()
				return all, fail(c, ErrInvalid, err)
			}
			w.substitutions(&p)
		}
		w.close()
		w.close()
		w.close()
		c.Request = w.b
		err := r.db.sendBatch(ctx, c, b, func(d *attr.Decoder) error {
			it, err := d.Item()
			all.Items = append(all.Items, it)
			return err
		})
		c.release()
		if err != nil {
			return all, err
		}
		keys = keys[n:]
	}
	return all, nil
}

// batchWrite carries out all actions of a request, in as many requests as it takes.
func (r *run) batchWrite(ctx context.Context, q *plan.Request, b *budget) error {
	for actions := q.Actions; len(actions) > 0; {
		n := min(len(actions), capacity.BatchWriteItems)
		c := newCall("BatchWriteItem")
		c.Pattern = r.pattern
		w := &body{b: c.Request[:0]}
		w.open()
		w.key("RequestItems")
		w.open()
		for _, table := range tablesOf(actions[:n]) {
			c.names(r.db, table)
			w.table(r.db.actual(table))
			w.b, w.full = append(w.b, '['), false
			for _, a := range actions[:n] {
				if a.Table != table {
					continue
				}
				if w.full {
					w.b = append(w.b, ',')
				}
				w.open()
				if a.Verb == plan.Put {
					w.key("PutRequest")
					w.open()
					w.item("Item", a.Item)
				} else {
					w.key("DeleteRequest")
					w.open()
					w.item("Key", a.Key)
				}
				w.close()
				w.close()
			}
			w.b, w.full = append(w.b, ']'), true
		}
		w.close()
		w.close()
		c.Request = w.b
		err := r.db.sendBatch(ctx, c, b, nil)
		c.release()
		if err != nil {
			return err
		}
		actions = actions[n:]
	}
	return nil
}

func tablesOf(actions []*plan.Request) []string {
	var names []string
	for _, a := range actions {
		known := false
		for _, n := range names {
			known = known || n == a.Table
		}
		if !known {
			names = append(names, a.Table)
		}
	}
	return names
}

// sendBatch sends a batch and what it leaves unprocessed until nothing is left or the budget is used up. It hands every
// item that comes back to got, which reads it.
func (db *DB) sendBatch(ctx context.Context, c *Call, b *budget, got func(d *attr.Decoder) error) error {
	for {
		start := db.clock.Now()
		if err := db.send(ctx, c, b, harmless); err != nil {
			return err
		}
		c.used += float64(c.Read) + float64(c.Write)
		rest, progress, err := readBatch(c, got)
		if err != nil {
			return fail(c, nil, fmt.Errorf("answer: %w", err))
		}
		if rest == nil {
			b.progress()
			return nil
		}
		if progress {
			b.progress()
		}
		if db.retry.Adaptive {
			db.gates.find(c).answered(db.clock.Now(), true)
		}
		w := &body{b: c.Request[:0]}
		w.open()
		w.raw("RequestItems", rest) // a part of c.Response, not of c.Request
		w.close()
		c.Request = w.b
		if !b.failed(ctx, start) {
			return db.failure(c, fmt.Errorf("%w: parts of the batch were left unprocessed", ErrThrottled), c.lost)
		}
	}
}

// readBatch reads the answer of a batch: rest is the RequestItems left over, nil if there are none; progress is whether
// anything was done.
func readBatch(c *Call, got func(d *attr.Decoder) error) (rest []byte, progress bool, err error) {
	d := attr.NewDecoder(c.Response)
	for name := range d.Fields("") {
		switch string(name) {
		case "Responses":
			for range d.Entries("") {
				for range d.Elems() {
					progress = true
					if bad := got(d); bad != nil && err == nil {
						err = bad
					}
				}
			}
		case "UnprocessedKeys", "UnprocessedItems":
			if text := d.Raw(); len(text) > 2 {
				rest = text
			}
		}
	}
	if bad := d.End(); bad != nil {
		return nil, false, bad
	}
	if c.Operation == "BatchWriteItem" {
		progress = len(rest) < len(c.Request)-len(`{"RequestItems":}`)
	}
	return rest, progress, err
}
