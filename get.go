package tablewright

import (
	"bytes"
	"context"
	"errors"
	"reflect"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/expr"
)

// Get reads one item by its key.
type Get[T any] struct{ c *getCall }

// Consistent makes the read see every write that was answered before, at twice the price.
func (g Get[T]) Consistent() Get[T] { return Get[T]{g.c.consistently()} }

// Run reads the item. ErrNotFound says that there is none, or that its time to live is over.
func (g Get[T]) Run(ctx context.Context, db *DB) (item T, err error) {
	err = g.c.run(ctx, db, &item)
	return item, err
}

// Into makes the read a part of a Snapshot, which puts the item into dst.
func (g Get[T]) Into(dst *T) TxRead { return getInto{g.c.or(), dst, dst == nil} }

// Request is what would be sent.
func (g Get[T]) Request() (Request, error) { return g.c.Request() }

// getCall is a get as it was built, whatever its type.
type getCall struct {
	key        itemKey
	consistent bool
	pattern    string
}

// getOf is a get by a key of d.
func getOf[K any](d *decl, key K) *getCall {
	c := new(getCall)
	setKey(&c.key, d, key)
	return c
}

var noGet = &getCall{key: noKey}

//go:noinline
func (g *getCall) or() *getCall {
	if g == nil {
		return noGet
	}
	return g
}

//go:noinline
func (g *getCall) copy() *getCall { own := *g.or(); return &own }

func (g *getCall) consistently() *getCall {
	g = g.copy()
	g.consistent = true
	return g
}

// run reads the item into item, a pointer.
func (g *getCall) run(ctx context.Context, db *DB, item any) error {
	g = g.or()
	c := newCall("GetItem")
	defer c.release()
	b := db.budget()
	raw, err := g.send(ctx, db, c, &b)
	if err != nil {
		return err
	}
	if err := g.key.d.decode(db, raw, item); err != nil {
		return fail(c, nil, err)
	}
	return nil
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

// Request is what would be sent.
func (g *getCall) Request() (Request, error) {
	c := newCall("GetItem")
	defer c.release()
	if err := g.or().compose(nowhere, c); err != nil {
		return Request{}, err
	}
	return c.request(), nil
}

// getInto is a get with its target, a pointer.
type getInto struct {
	get  *getCall
	dst  any
	none bool // dst is nil
}

func (g getInto) txRead() snapshotRead {
	get, d := *g.get, g.get.key.d
	if g.none && get.key.err == nil {
		get.key.err = errors.New("Into was given nil: it puts the item into a variable")
	}
	return snapshotRead{get, func(db *DB, raw []byte) error {
		if raw == nil {
			return ErrNotFound
		}
		return d.decode(db, raw, g.dst)
	}}
}

func (g *getCall) compose(db *DB, c *Call) error {
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
		c.setKey(g.key.d.key[0].name, c.Request[w.itemFrom:w.itemTo])
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
	w.itemFrom = len(w.b)
	if w.b, err = g.key.append(w.b); err != nil {
		return err
	}
	w.itemTo = len(w.b)
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
type GetAll[K, T any] struct{ c *getAllCall }

// Found is one slot of the answer of a GetAll.
type Found[T any] struct {
	Item T
	OK   bool // there is such an item
}

// Consistent makes the reads see every write that was answered before, at twice the price.
func (g GetAll[K, T]) Consistent() GetAll[K, T] { return GetAll[K, T]{g.c.consistently()} }

// Run reads the items: one slot per key, in the order of the keys. Keys that occur twice are sent once.
func (g GetAll[K, T]) Run(ctx context.Context, db *DB) (found []Found[T], err error) {
	err = g.c.run(ctx, db, &found)
	return found, err
}

// getAllCall is a GetAll whatever its types.
type getAllCall struct {
	d          *decl
	n          int
	key        func(i int, k *itemKey) // sets the i-th key
	consistent bool
}

// getAllOf reads the items of d with keys.
func getAllOf[K any](d *decl, keys []K) *getAllCall {
	return &getAllCall{d: d.orUndeclared(), n: len(keys), key: func(i int, k *itemKey) { setKey(k, d, keys[i]) }}
}

func (g *getAllCall) consistently() *getAllCall {
	if g == nil {
		return nil
	}
	own := *g
	own.consistent = true
	return &own
}

// run reads the items into a *[]Found[T].
func (g *getAllCall) run(ctx context.Context, db *DB, into any) error {
	if g == nil {
		return undeclared.table.err
	}
	d := g.d
	if err := d.table.ready(db); err != nil {
		return err
	}
	list := reflect.ValueOf(into).Elem()
	found := reflect.MakeSlice(list.Type(), g.n, g.n)
	if g.n == 0 {
		list.Set(found)
		return nil
	}
	slots := make(map[string][]int, g.n) // by the key as canonical JSON
	var unique [][]byte
	for i := range g.n {
		var key itemKey
		g.key(i, &key)
		raw, err := key.append(nil)
		if err != nil {
			return &Error{Operation: "BatchGetItem", Table: d.table.p.Name, Time: db.instant(), kinds: []error{ErrInvalid}, cause: err}
		}
		if slots[string(raw)] == nil {
			unique = append(unique, raw)
		}
		slots[string(raw)] = append(slots[string(raw)], i)
	}
	list.Set(found)
	b := db.budget()
	for len(unique) > 0 {
		n := min(len(unique), capacity.BatchGetItems)
		if err := g.chunk(ctx, db, &b, unique[:n], slots, found); err != nil {
			return err
		}
		unique = unique[n:]
	}
	return nil
}

// chunk reads the items of one request's keys.
func (g *getAllCall) chunk(ctx context.Context, db *DB, b *budget, keys [][]byte, slots map[string][]int, found reflect.Value) error {
	d := g.d
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
			slot := found.Index(i) // a Found: the item, and whether there is one
			if err := d.decodeInto(db, shown, slot.Field(0)); err != nil {
				return err
			}
			slot.Field(1).SetBool(true)
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
