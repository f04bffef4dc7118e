package tablewright

import (
	"bytes"
	"context"
	"errors"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/expr"
)

// Get reads one item by its key.
type Get[T any] struct {
	key        itemKey
	consistent bool
	pattern    string
}

// Consistent makes the read see every write that was answered before, at twice the price.
func (g Get[T]) Consistent() Get[T] { g.consistent = true; return g }

// Run reads the item. ErrNotFound says that there is none, or that its time to live is over.
func (g Get[T]) Run(ctx context.Context, db *DB) (item T, err error) {
	c := newCall("GetItem")
	defer c.release()
	b := db.budget()
	get := getCall(g)
	raw, err := get.send(ctx, db, c, &b)
	if err != nil {
		return item, err
	}
	if err := decode(db, g.key.d, raw, &item); err != nil {
		return item, fail(c, nil, err)
	}
	return item, nil
}

// read is the item's JSON, a copy.
func (g *getCall) read(ctx context.Context, db *DB, b *budget) ([]byte, error) {
	c := newCall("GetItem")
	defer c.release()
	raw, err := g.send(ctx, db, c, b)
	return bytes.Clone(raw), err
}

// send is the item's JSON, a part of c.Response.
func (g *getCall) send(ctx context.Context, db *DB, c *Call, b *budget) ([]byte, error) {
	c.Pattern = g.pattern
	if err := g.compose(db, c); err != nil {
		return nil, err
	}
	if err := db.send(ctx, c, b, harmless); err != nil {
		return nil, err
	}
	d := attr.NewDecoder(c.Response)
	var raw []byte
	for name := range d.Fields("") {
		if string(name) == "Item" {
			raw = d.Raw()
		}
	}
	if err := d.End(); err != nil {
		return nil, fail(c, nil, err)
	}
	if raw = visible(db, g.key.d, raw); raw == nil {
		return nil, fail(c, ErrNotFound, nil)
	}
	return raw, nil
}

// Into makes the read a part of a Snapshot, which puts the item into dst.
func (g Get[T]) Into(dst *T) TxRead { return getInto[T]{g, dst} }

// Request is what would be sent.
func (g Get[T]) Request() (Request, error) {
	c := newCall("GetItem")
	defer c.release()
	get := getCall(g)
	if err := get.compose(nowhere, c); err != nil {
		return Request{}, err
	}
	return c.request(), nil
}

type getInto[T any] struct {
	get Get[T]
	dst *T
}

func (g getInto[T]) txRead() snapshotRead {
	g.get.key.d = g.get.key.d.orUndeclared()
	if g.dst == nil && g.get.key.err == nil {
		g.get.key.err = errors.New("Into was given nil: it puts the item into a variable")
	}
	return snapshotRead{getCall(g.get), func(db *DB, raw []byte) error {
		if raw == nil {
			return &Error{Operation: "TransactGetItems", Table: g.get.key.d.table.p.Name, kinds: []error{ErrNotFound}}
		}
		if err := decode(db, g.get.key.d, raw, g.dst); err != nil {
			return &Error{Operation: "TransactGetItems", Table: g.get.key.d.table.p.Name, cause: err}
		}
		return nil
	}}
}

// getCall is a get as it was built, whatever its type.
type getCall struct {
	key        itemKey
	consistent bool
	pattern    string
}

func (g *getCall) compose(db *DB, c *Call) error {
	g.key.d = g.key.d.orUndeclared()
	w := body{b: c.Request[:0]}
	w.open()
	err := g.write(db, &w, g.consistent)
	c.on(db, g.key.d.table)
	if err != nil {
		c.Request = w.b
		return fail(c, ErrInvalid, err)
	}
	w.close()
	c.Request = w.b
	if db.hooked {
		c.setKey(g.key.d.key[0].name, attr.LookupRaw(c.Request, "Key"))
	}
	return nil
}

// write writes the members of a get. In a transaction it is always consistent.
func (g *getCall) write(db *DB, w *body, consistent bool) (err error) {
	d := g.key.d
	if err := d.table.ready(db); err != nil {
		return err
	}
	w.text("TableName", db.actual(d.table.p.Name))
	w.key("Key")
	if w.b, err = g.key.append(w.b); err != nil {
		return err
	}
	w.flag("ConsistentRead", consistent)
	return d.writeProjection(w)
}

// writeProjection writes the projection of a view.
func (d *decl) writeProjection(w *body) error {
	if d.project == nil {
		return nil
	}
	p := printers.Get().(*expr.Printer)
	defer func() { p.Reset(); printers.Put(p) }()
	if err := d.appendProjection(w, p); err != nil {
		return err
	}
	w.substitutions(p)
	return nil
}

func (d *decl) appendProjection(w *body, p *expr.Printer) error {
	paths := make([]expr.Path, len(d.project))
	for i, name := range d.project {
		paths[i] = expr.Name(name)
	}
	projection := expr.Project(paths...)
	return w.expression("ProjectionExpression", func(dst []byte) ([]byte, error) { return p.AppendProjection(dst, projection) })
}

// visible is raw, or nil if its time to live is over: the service removes such items days later
// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html).
func visible(db *DB, d *decl, raw []byte) []byte {
	ttl := d.table.p.TTL
	if raw == nil || ttl == "" {
		return raw
	}
	if v, ok := attr.Lookup(raw, ttl); ok && v.Kind() == attr.KindN {
		// Times more than five years back do not expire an item.
		if at, ok := v.Number().Int64(); ok && at <= db.clock.Now().Unix() && at > db.clock.Now().AddDate(-5, 0, 0).Unix() {
			return nil
		}
	}
	return raw
}

// GetAll reads the items with many keys.
type GetAll[K, T any] struct {
	view       View[K, T]
	keys       []K
	consistent bool
}

// Found is one slot of the answer of a GetAll.
type Found[T any] struct {
	Item T
	OK   bool // there is such an item
}

// Consistent makes the reads see every write that was answered before, at twice the price.
func (g GetAll[K, T]) Consistent() GetAll[K, T] { g.consistent = true; return g }

// Run reads the items: one slot per key, in the order of the keys. Keys that occur twice are sent once.
func (g GetAll[K, T]) Run(ctx context.Context, db *DB) ([]Found[T], error) {
	return g.read(ctx, db, len(g.keys), func(i int) itemKey { return g.view.keyOf(g.keys[i]) })
}

// read reads the items with n keys.
func (g GetAll[K, T]) read(ctx context.Context, db *DB, n int, keyOf func(i int) itemKey) ([]Found[T], error) {
	d := g.view.declared()
	found := make([]Found[T], n)
	if err := d.table.ready(db); err != nil {
		return nil, err
	}
	if n == 0 {
		return found, nil
	}
	slots := make(map[string][]int, n) // by the key as canonical JSON
	var unique [][]byte
	for i := range n {
		key := keyOf(i)
		raw, err := key.append(nil)
		if err != nil {
			return nil, &Error{Operation: "BatchGetItem", Table: d.table.p.Name, kinds: []error{ErrInvalid}, cause: err}
		}
		if slots[string(raw)] == nil {
			unique = append(unique, raw)
		}
		slots[string(raw)] = append(slots[string(raw)], i)
	}
	b := db.budget()
	for len(unique) > 0 {
		n := min(len(unique), capacity.BatchGetItems)
		if err := g.chunk(ctx, db, &b, unique[:n], slots, found); err != nil {
			return found, err
		}
		unique = unique[n:]
	}
	return found, nil
}

// chunk reads the items of one request's keys.
func (g GetAll[K, T]) chunk(ctx context.Context, db *DB, b *budget, keys [][]byte, slots map[string][]int, found []Found[T]) error {
	d := g.view.d
	c := newCall("BatchGetItem")
	defer c.release()
	c.on(db, d.table)
	w := &body{b: c.Request[:0]}
	w.open()
	w.key("RequestItems")
	w.open()
	w.table(db.actual(d.table.p.Name))
	w.open()
	w.key("Keys")
	w.b = append(w.b, '[')
	for i, k := range keys {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = append(w.b, k...)
	}
	w.b = append(w.b, ']')
	w.full = true
	w.flag("ConsistentRead", g.consistent)
	if err := d.writeProjection(w); err != nil {
		return fail(c, ErrInvalid, err)
	}
	w.close()
	w.close()
	w.close()
	c.Request = w.b
	return db.sendBatch(ctx, c, b, func(dec *attr.Decoder) error {
		raw := dec.Raw()
		if raw == nil {
			return dec.Err()
		}
		key, err := d.rawKey(raw)
		if err != nil {
			return err
		}
		at, known := slots[string(key)]
		if !known { // the service may write numbers otherwise than they were sent
			if it, err := attr.ParseItem(key); err == nil {
				at = slots[string(d.canonical(it))]
			}
		}
		shown := visible(db, d, raw)
		if shown == nil || len(at) == 0 {
			return nil
		}
		for _, i := range at {
			if err := decode(db, d, shown, &found[i].Item); err != nil {
				return err
			}
			found[i].OK = true
		}
		return nil
	})
}

// canonical is a key's JSON as this package writes it: partition first, numbers in normal form.
func (d *decl) canonical(key attr.Item) []byte {
	b := []byte{'{'}
	for i, w := range d.key {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(attr.AppendText(b, w.name), ':')
		b = attr.AppendValue(b, key.Get(w.name))
	}
	return append(b, '}')
}
