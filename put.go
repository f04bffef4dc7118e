package tablewright

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/spec"
)

// Put writes an item whether it is there or not. It is the only write, with Delete, that can be a part of a batch.
type Put[T any] struct{ c *putCall }

// If makes the put depend on the item as it is stored: all conditions must hold.
func (p Put[T]) If(c ...Cond[T]) PutIf[T] { return PutIf[T]{p.c.with(testsOf(c))} }

// Run writes the item.
func (p Put[T]) Run(ctx context.Context, db *DB) error { return p.c.run(ctx, db) }

// New writes the item and returns it as stored: with its version and times.
func (p Put[T]) New(ctx context.Context, db *DB) (item T, err error) {
	err = p.c.new(ctx, db, &item)
	return item, err
}

// Old writes the item and returns the one before; ErrNotFound says that there was none, and that the item was written.
func (p Put[T]) Old(ctx context.Context, db *DB) (item T, err error) {
	err = p.c.old(ctx, db, &item)
	return item, err
}

// Request is what would be sent.
func (p Put[T]) Request() (Request, error) { return p.c.Request() }

func (p Put[T]) tx(add func(write))            { p.c.tx(add) }
func (p Put[T]) batchPart() (batchPart, error) { return p.c.batchPart() }

// PutIf is a Put with a condition.
type PutIf[T any] struct{ c *putCall }

// If adds conditions: all must hold.
func (p PutIf[T]) If(c ...Cond[T]) PutIf[T] { return PutIf[T]{p.c.with(testsOf(c))} }

// Else gives the conditions the error that they become: errors.Is finds it.
func (p PutIf[T]) Else(err error) PutIf[T] { return PutIf[T]{p.c.otherwise(err)} }

// Run writes the item.
func (p PutIf[T]) Run(ctx context.Context, db *DB) error { return p.c.run(ctx, db) }

// New writes the item and returns it as stored: with its version and times.
func (p PutIf[T]) New(ctx context.Context, db *DB) (item T, err error) {
	err = p.c.new(ctx, db, &item)
	return item, err
}

// Old writes the item and returns the one before; ErrNotFound says that there was none, and that the item was written,
// unless it is of Replace.
func (p PutIf[T]) Old(ctx context.Context, db *DB) (item T, err error) {
	err = p.c.old(ctx, db, &item)
	return item, err
}

// Request is what would be sent.
func (p PutIf[T]) Request() (Request, error) { return p.c.Request() }

func (p PutIf[T]) tx(add func(write)) { p.c.tx(add) }

// putCall is a put as it was built, whatever its type.
type putCall struct {
	d     *decl
	item  reflect.Value // addressable, and never changed
	guard guard
	tests []test
	other error
	moved bool // from another key: it was created before
	shard int  // of a key in random shards, from 1

	copies bool // there is an item in every shard

	pattern string
}

// putOf is a put of an item of d.
func putOf[T any](d *decl, item T, g guard) *putCall {
	one := &struct {
		c    putCall
		item T
	}{item: item}
	one.c.begin(d, g, reflect.ValueOf(&one.item).Elem())
	return &one.c
}

func (c *putCall) begin(d *decl, g guard, item reflect.Value) {
	c.d, c.guard, c.item = d.orUndeclared(), g, item
	if g == guardNone {
		c.shard = c.d.chooseShard()
	}
}

// putAll is a batch of puts.
func putAll[T any](d *decl, items iter.Seq[T]) Batch {
	return Batch{parts: func(yield func(batchPart, error) bool) {
		for item := range items {
			if !yield(putOf(d, item, guardNone).batchPart()) {
				return
			}
		}
	}}
}

var noPut = &putCall{d: undeclared}

func (c *putCall) tx(add func(write)) { add(c.or()) }

//go:noinline
func (c *putCall) or() *putCall {
	if c == nil {
		return noPut
	}
	return c
}

//go:noinline
func (c *putCall) copy() *putCall { own := *c.or(); return &own }

func (c *putCall) with(tests []test) *putCall {
	c = c.copy()
	c.tests = both(c.tests, tests)
	return c
}

func (c *putCall) otherwise(err error) *putCall {
	c = c.copy()
	c.other = err
	return c
}

func (c *putCall) run(ctx context.Context, db *DB) error {
	c = c.or()
	return db.run(ctx, c.pattern, c, returnNothing, nil)
}

// new writes the item and decodes what was written into item, a pointer.
func (c *putCall) new(ctx context.Context, db *DB, item any) error {
	c = c.or()
	keep := &keptPut{putCall: c}
	err := db.run(ctx, c.pattern, keep, returnNothing, nil)
	if err != nil {
		return err
	}
	if err = c.d.decode(db, keep.sent, item); err != nil {
		err = &Error{Operation: "PutItem", Table: c.d.table.p.Name, Pattern: c.pattern, Time: db.clock.Now(), done: true, cause: err}
	}
	return err
}

// keptPut is a put that keeps what it sent.
type keptPut struct {
	*putCall
	sent []byte // the item as sent
}

func (c *keptPut) write(db *DB, w *body, p *expr.Printer) (written, error) {
	return c.writeItem(db, w, p, func(raw []byte) { c.sent = append(c.sent[:0], raw...) })
}

// old writes the item and decodes the one before into item, a pointer.
func (c *putCall) old(ctx context.Context, db *DB, item any) error {
	c = c.or()
	return db.run(ctx, c.pattern, c, returnOld, func(raw []byte) error { return c.d.decodeOld(db, raw, item, "PutItem") })
}

// Request is what would be sent.
func (c *putCall) Request() (Request, error) { return requestOf(c.or()) }

// decodeOld decodes what was there before a write into item, a pointer.
func (d *decl) decodeOld(db *DB, raw []byte, item any, operation string) error {
	if raw == nil {
		return &Error{Operation: operation, Table: d.table.p.Name, Time: db.instant(), kinds: []error{ErrNotFound}, detail: "there was none before", done: true}
	}
	return d.decode(db, raw, item)
}

func (c *putCall) write(db *DB, w *body, p *expr.Printer) (written, error) {
	return c.writeItem(db, w, p, nil)
}

// own is a copy of the item, to be changed.
func (c *putCall) own() reflect.Value {
	item := reflect.New(c.item.Type()).Elem()
	item.Set(c.item)
	return item
}

// writeItem writes the put; sent, if not nil, sees the item.
func (c *putCall) writeItem(db *DB, w *body, p *expr.Printer, sent func(raw []byte)) (written, error) {
	d := c.d
	to := written{d: d, action: "Put", guard: c.guard, other: c.other, rep: harmless}
	if err := d.table.ready(db); err != nil {
		return to, err
	}
	if d.atRandom() && !c.copies && (c.guard != guardNone || len(c.tests) > 0) {
		return to, errShardUnknown
	}
	item := c.own()
	if d.version != "" {
		f := d.fields[d.version]
		expected := versionOf(item, f)
		switch {
		case c.guard == guardAbsent:
		case c.guard == guardNone && expected == 0:
			to.guard, to.version = guardAbsent, &expected
		default:
			to.version = &expected
		}
		next, err := d.nextVersion(expected)
		if err != nil {
			return to, err
		}
		setVersion(item, f, next)
	}
	to.once = to.guard == guardAbsent || to.version != nil
	c.stamp(db, item)
	if err := d.prepareItem(item); err != nil {
		return to, err
	}
	w.text("TableName", db.actual(d.table.p.Name))
	w.key("Item")
	start := len(w.b)
	var err error
	if w.b, err = d.codec.Encode(w.b, item); err != nil {
		return to, err
	}
	if w.b, err = d.complete(w.b, start, c.shard); err != nil {
		return to, err
	}
	raw := w.b[start:]
	if to.key, err = d.rawKey(raw); err != nil {
		return to, err
	}
	if sent != nil {
		sent(raw)
	}
	return to, w.conditionAnd(p, to, c.tests)
}

// conditionAnd writes the condition and the substitutions that end an action.
func (w *body) conditionAnd(p *expr.Printer, to written, tests []test) error {
	asked := to
	if to.guard == guardAbsent {
		asked.version = nil // there is no stored version to compare with
	}
	if err := w.writeCondition(p, asked, tests); err != nil {
		return err
	}
	w.substitutions(p)
	return nil
}

// stamp sets created and updated times.
func (c *putCall) stamp(db *DB, v reflect.Value) {
	if c.d.created == "" && c.d.updated == "" {
		return
	}
	now := db.now()
	if name := c.d.created; name != "" && (c.guard == guardAbsent && !c.moved || unset(v, c.d.fields[name])) {
		setTime(v, c.d.fields[name], now)
	}
	if name := c.d.updated; name != "" {
		setTime(v, c.d.fields[name], now)
	}
}

// unset reports whether a field has no value.
func unset(item reflect.Value, f attr.StructField) bool {
	v := fieldOf(item, f)
	return !v.IsValid() || v.IsZero()
}

func (c *putCall) batchPart() (batchPart, error) {
	c = c.or()
	part := batchPart{d: c.d}
	if c.d.version != "" {
		return part, &Error{Operation: "BatchWriteItem", Table: c.d.table.p.Name, kinds: []error{ErrInvalid},
			detail: c.d.name + " has a version, which a batch cannot check: put its items one by one or in transactions"}
	}
	part.encode = func(db *DB, dst []byte) ([]byte, []byte, error) {
		item := c.own()
		c.stamp(db, item)
		err := c.d.prepareItem(item)
		dst = append(dst, `{"PutRequest":{"Item":`...)
		start := len(dst)
		if err == nil {
			dst, err = c.d.codec.Encode(dst, item)
		}
		if err == nil {
			dst, err = c.d.complete(dst, start, c.shard)
		}
		if err != nil {
			return dst, nil, &Error{Operation: "BatchWriteItem", Table: c.d.table.p.Name, Time: db.instant(), kinds: []error{ErrInvalid}, cause: err}
		}
		key, err := c.d.rawKey(dst[start:])
		return append(dst, "}}"...), key, err
	}
	return part, nil
}

// complete adds the computed attributes to the item that begins at start, which is the last thing in b, and checks it. shard
// is what chooseShard chose.
func (d *decl) complete(b []byte, start, shard int) ([]byte, error) {
	// What is looked up stands before the closing brace: it stays where it is while attributes are added behind.
	get := rawLookup(b[start:])
	if shard > 0 {
		get = inShard(get, shard)
	}
	full := len(b) > start+len("{}")
	b = b[:len(b)-1]
	for _, w := range d.wires {
		v, err := d.computed(w, get)
		if err != nil {
			return b, err
		}
		if v.IsZero() {
			continue
		}
		if full {
			b = append(b, ',')
		}
		full = true
		b = append(attr.AppendText(b, w.name), ':')
		b = attr.AppendValue(b, v)
	}
	b = append(b, '}')
	if len(b)-start > int(capacity.ItemBytes) { // the JSON is longer than the size: only then is it worth measuring
		it, err := attr.ParseItem(b[start:])
		if err != nil {
			return b, err
		}
		if n := it.Size(); n > int(capacity.ItemBytes) {
			return b, fmt.Errorf("the item has %d bytes: at most %d can be stored", n, capacity.ItemBytes)
		}
	}
	return b, d.checkNative(b[start:])
}

// computed is a computed attribute's value; the zero Value if the item has none.
func (d *decl) computed(w *column, get lookup) (attr.Value, error) {
	if d.shards != nil {
		get = d.spread(get)
	}
	if w.when != nil {
		s := &subject{d: d, get: get}
		holds, err := spec.Holds(w.when, s, spec.Env{})
		if s.unknown != "" {
			return attr.Value{}, errUnknown{s.unknown}
		}
		if err != nil || !holds {
			return attr.Value{}, err
		}
	}
	v, err := w.value(get)
	var absent errAbsent
	if errors.As(err, &absent) && !d.isKey(w) {
		return attr.Value{}, nil
	}
	if err == nil && d.isKey(w) {
		err = checkKeySize(w.name, v, w == d.key[0])
	}
	if err != nil {
		return v, fmt.Errorf("%s of %s: %w", w.name, d.name, err)
	}
	return v, nil
}

func (d *decl) isKey(w *column) bool { return w == d.key[0] || len(d.key) > 1 && w == d.key[1] }

// checkNative checks the attributes of the item's own that keys name: the service refuses the whole write for an empty or
// NULL one. It goes through the item once, and parses no value that cannot be too large.
func (d *decl) checkNative(item []byte) error {
	natives := d.natives()
	if len(natives) == 0 {
		return nil
	}
	var partition, sort bool // seen
	in := attr.NewDecoder(item)
	for member := range in.Fields("") {
		raw := in.Raw()
		i := 0
		for i < len(natives) && natives[i] != string(member) {
			i++
		}
		if i == len(natives) {
			continue
		}
		name := natives[i]
		first := name == d.key[0].name
		second := len(d.key) > 1 && name == d.key[1].name
		partition, sort = partition || first, sort || second
		switch string(raw) { // as package attr writes them
		case `{"NULL":true}`:
			return fmt.Errorf("%s of %s is NULL: a key attribute is absent or has a value", name, d.name)
		case `{"S":""}`, `{"B":""}`:
			return fmt.Errorf("%s of %s is empty: a key attribute is absent or has a value", name, d.name)
		}
		if (first || second) && len(raw) > int(capacity.SortKeyBytes) {
			v, err := attr.ParseValue(raw)
			if err == nil {
				err = checkKeySize(name, v, first)
			}
			if err != nil {
				return err
			}
		}
	}
	if err := in.End(); err != nil {
		return err
	}
	for i, seen := range [...]bool{partition, sort} {
		if i < len(d.key) && !seen && slices.Contains(natives, d.key[i].name) {
			return fmt.Errorf("%s of %s: %w", d.key[i].name, d.name, errAbsent{attrPath(d.key[i].name)})
		}
	}
	return nil
}

// natives are the attributes of T that a key or index names.
func (d *decl) natives() []string {
	d.nativeOnce.Do(func() {
		for _, name := range d.table.keyAttributes() {
			if _, own := d.fields[name]; own {
				d.nativeNames = append(d.nativeNames, name)
			}
		}
	})
	return d.nativeNames
}

// rawKey takes the key's JSON out of an item's.
func (d *decl) rawKey(item []byte) ([]byte, error) {
	key := []byte{'{'}
	for i, w := range d.key {
		raw := attr.LookupRaw(item, w.name)
		if raw == nil {
			return nil, fmt.Errorf("the item has no %s", w.name)
		}
		if i > 0 {
			key = append(key, ',')
		}
		key = append(append(attr.AppendText(key, w.name), ':'), raw...)
	}
	return append(key, '}'), nil
}

// rawLookup finds values in an item's JSON.
func rawLookup(item []byte) lookup {
	return func(p attrPath) (attr.Value, bool) {
		names := p.names()
		v, _ := attr.Lookup(item, names[0])
		for _, n := range names[1:] {
			v = v.Map().Get(n)
		}
		return v, true
	}
}

// itemLookup finds values in an item.
func itemLookup(it attr.Item) lookup {
	return func(p attrPath) (attr.Value, bool) {
		names := p.names()
		v := it.Get(names[0])
		for _, n := range names[1:] {
			v = v.Map().Get(n)
		}
		return v, true
	}
}

// subject lets conditions of templates look at an item through a lookup.
type subject struct {
	d       *decl
	get     lookup
	unknown attrPath // the first path that could not be told
}

func (s *subject) Present() bool { return true }

func (s *subject) At(p spec.Path) attr.Value {
	path := attrPath(strings.Join(p, "."))
	v, known := s.get(path)
	if !known && s.unknown == "" {
		s.unknown = path
	}
	if f, err := s.d.find(path); err == nil {
		if l, err := logical(f, v); err == nil {
			return l
		}
	}
	return v
}
