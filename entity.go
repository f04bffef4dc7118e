package tablewright

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// View is a typed reading of one kind of item: T may be smaller than what is stored, and the projection follows from it.
// It is embedded in a declared struct.
type View[K, T any] struct{ d *decl }

// Entity is a View that also writes: the whole of one kind of item. Every write computes the key and index attributes that
// depend on it.
type Entity[K, T any] struct{ View[K, T] }

func (v *View[K, T]) typed() (*K, *T, *decl) { return nil, nil, v.d.orUndeclared() }

func (v *View[K, T]) head() headOf {
	return headOf{decl: &v.d, key: reflect.TypeFor[K](), item: reflect.TypeFor[T](), bind: newKeyCodec[K]}
}

func (e *Entity[K, T]) head() headOf {
	h := e.View.head()
	h.writes = true
	return h
}

// attach binds the declaration to the types of the head, and the head to it.
func (d *decl) attach(h headOf) (err error) {
	if d.bound, err = h.bind(d, d.parts); err != nil {
		return fmt.Errorf("key: %w", err)
	}
	if err := d.learnType(); err != nil {
		return err
	}
	*h.decl = d
	return nil
}

// itemKey is the key of one item, as the parts' values.
type itemKey struct {
	d     *decl
	parts [maxParts]attr.Value
	shard int // of a Counter, from 1: where it is chosen at random; 0: it follows from the parts
	err   error
}

// maxParts is how many parts a key may have: those of an index with as many attributes as there may be, one part in each.
const maxParts = capacity.IndexPartitionKeyParts + capacity.IndexSortKeyParts

// setKey makes k the key of an item of d. It is compiled for each type of keys, not for each entity.
func setKey[K any](k *itemKey, d *decl, key K) {
	if k.begin(d) {
		k.err = keyValues(d.bound, key, k.parts[:])
	}
}

// begin reports whether a key of an item of d can be made.
func (k *itemKey) begin(d *decl) bool {
	switch k.d = d.orUndeclared(); {
	case k.d == undeclared:
		k.err = errUndeclared
	case len(d.bound.paths) > maxParts:
		k.err = fmt.Errorf("a key of more than %d parts", maxParts)
	}
	return k.err == nil
}

// lookup finds the parts' values.
func (k *itemKey) lookup(p attrPath) (attr.Value, bool) {
	if p == shardPath {
		return attr.Num(attr.Int(int64(k.shard - 1))), k.shard > 0
	}
	if i := slices.Index(k.d.parts, p); i >= 0 {
		return k.parts[i], true
	}
	if i := slices.Index(k.d.parts, p.plain()); i >= 0 {
		return k.parts[i], true
	}
	return attr.Value{}, false
}

// beside is an item's JSON with the attributes that the key tells, as T has them. Parts that are coarser than the attribute,
// such as the day of a time, do not tell it.
func (k *itemKey) beside(raw []byte) []byte {
	var told attr.Item
	for i, p := range k.d.parts {
		if p == p.plain() && attr.LookupRaw(raw, p.top()) == nil {
			told = within(told, p.names(), k.parts[i])
		}
	}
	out := attr.AppendItem(nil, told)
	if len(raw) > 2 && told.Len() > 0 {
		return append(append(out[:len(out)-1], ','), raw[1:]...)
	}
	if len(raw) > 2 {
		return raw
	}
	return out
}

// within is the item with a value at a path of names.
func within(it attr.Item, names []string, v attr.Value) attr.Item {
	if len(names) > 1 {
		v = attr.Map(within(it.Get(names[0]).Map().Clone(), names[1:], v))
	}
	it.Set(names[0], v)
	return it
}

// append writes the members of the key's JSON object.
func (k *itemKey) append(dst []byte) ([]byte, error) {
	if k.err != nil {
		return dst, k.err
	}
	dst = append(dst, '{')
	for i, w := range k.d.key {
		v, err := w.value(k.lookup)
		if err == nil {
			err = checkKeySize(w.name, v, i == 0)
		}
		if err != nil {
			return dst, err
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = attr.AppendText(dst, w.name)
		dst = append(dst, ':')
		dst = attr.AppendValue(dst, v)
	}
	return append(dst, '}'), nil
}

// value is the wire attribute's value.
func (w *column) value(get lookup) (attr.Value, error) {
	if !w.native() {
		return w.tmpl.value(get)
	}
	v, known := get(attrPath(w.name))
	switch {
	case !known:
		return v, errUnknown{attrPath(w.name)}
	case v.IsZero() || v.Kind() == attr.KindNULL:
		return v, errAbsent{attrPath(w.name)}
	case v.Kind() != attr.KindN && v.Str() == "":
		return v, fmt.Errorf("%s is empty: a key has no empty parts", w.name)
	}
	return v, nil
}

// checkKeySize holds a key attribute against the limits of
// docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html.
func checkKeySize(name string, v attr.Value, partition bool) error {
	limit := capacity.SortKeyBytes
	if partition {
		limit = capacity.PartitionKeyBytes
	}
	if n := v.Size(); capacity.Bytes(n) > limit {
		return fmt.Errorf("%s has %d bytes: at most %d fit into the key", name, n, limit)
	}
	return nil
}

// Get reads the item with a key.
func (v *View[K, T]) Get(key K) Get[T] { return Get[T]{getOf(v.d, key)} }

// GetAll reads the items with the keys, in as many requests as it takes.
func (v *View[K, T]) GetAll(keys []K) GetAll[K, T] { return GetAll[K, T]{getAllOf(v.d, keys)} }

// Scan reads all items of the kind by reading the whole table. A query is nearly always what is wanted instead.
func (v *View[K, T]) Scan() Scan[T] { return Scan[T]{&scanCall{d: v.d.orUndeclared()}} }

// Where is a condition as text with placeholders, "qty >= ? AND begins_with(ship.city, ?)": it is parsed, and its paths and the
// types of its values are checked against T, also inside structs, lists and maps; a mistake is returned, with its position,
// by the call it is used in. A value is written as the attribute beside it is: a time.Time by that one's tag, a slice beside a set
// as a set. Names need no # even if they are reserved words.
func (v *View[K, T]) Where(text string, args ...any) Cond[T] {
	return Cond[T]{where(v.d.orUndeclared(), text, args)}
}

// Key is the key of an item.
func (v *View[K, T]) Key(item T) (key K) {
	v.d.keyInto(reflect.ValueOf(&key).Elem(), reflect.ValueOf(&item).Elem())
	return key
}

// keyInto sets dst to the key of an item.
func (d *decl) keyInto(dst, item reflect.Value) {
	if d == nil {
		return
	}
	if d.raw() {
		dst.Set(reflect.ValueOf(d.keyOfRaw(item.Interface().(attr.Item))))
		return
	}
	for _, p := range d.bound.paths {
		f := item
		var last attr.StructField
		names := p.names()
		for j := range names {
			last, _ = d.find(attrPath(strings.Join(names[:j+1], ".")))
			for f.Kind() == reflect.Pointer {
				if f.IsNil() {
					return
				}
				f = f.Elem()
			}
			if f = fieldOf(f, last); !f.IsValid() {
				return
			}
		}
		if d.bound.shape == nil {
			for f.Kind() == reflect.Pointer && f.Type() != dst.Type() {
				if f.IsNil() {
					return
				}
				f = f.Elem()
			}
			dst.Set(f)
			return
		}
		dst.FieldByName(last.Go).Set(f)
	}
}

// setKeyOf makes k the key of a whole item of d.
func (k *itemKey) setKeyOf(d *decl, item reflect.Value) {
	if !k.begin(d) {
		return
	}
	key := reflect.New(d.bound.typ).Elem()
	d.keyInto(key, item)
	k.err = d.bound.untyped(key.Interface(), k.parts[:])
}

// Refused is the item that made a condition of a write of this kind fail, as it was stored; false if err is another error,
// or there was no item.
func (v *View[K, T]) Refused(err error) (item T, ok bool) {
	ok = v.d.orUndeclared().refused(err, &item)
	return item, ok
}

// refused decodes into item, a pointer, the item that a condition failed on.
func (d *decl) refused(err error, item any) bool {
	raw := refusedItem(err, d)
	if raw == nil || d == undeclared {
		return false
	}
	_, bad := d.codec.Decode(raw, reflect.ValueOf(item).Elem())
	return bad == nil
}

// refusedItem finds the item in the tree of err that a condition on an item of d failed on.
func refusedItem(err error, d *decl) []byte {
	if e, ok := err.(*Error); ok && e.item != nil && e.of == d.origin() {
		e.followed.ask()
		return e.item
	}
	switch u := err.(type) {
	case interface{ Unwrap() error }:
		return refusedItem(u.Unwrap(), d)
	case interface{ Unwrap() []error }:
		for _, inner := range u.Unwrap() {
			if raw := refusedItem(inner, d); raw != nil {
				return raw
			}
		}
	}
	return nil
}

// origin is the entity behind a view.
func (d *decl) origin() *decl {
	if d.source != nil {
		return d.source.origin()
	}
	return d
}

// Create writes an item that is not there yet: ErrExists if it is. What is there is what the service has: an item whose time to
// live is over counts, up to some days, until the service removes it, though reads show it no more, for whether its time is
// over is the clock of the reader's to say, and two writers may differ. Where such an item is as good as none, as for leases
// and sessions, the write says so: Put(item).If(e.Expires.Absent().Or(e.Expires.AtMost(now))).
func (e *Entity[K, T]) Create(item T) PutIf[T] { return PutIf[T]{putOf(e.d, item, guardAbsent)} }

// Replace writes an item that is there: ErrNotFound if it is not, ErrStale if it has a version and another one is stored.
func (e *Entity[K, T]) Replace(item T) PutIf[T] { return PutIf[T]{putOf(e.d, item, guardPresent)} }

// Put writes an item whether it is there or not. If it has a version, the stored one must be the item's (0: none), or it
// is ErrStale.
func (e *Entity[K, T]) Put(item T) Put[T] { return Put[T]{putOf(e.d, item, guardNone)} }

// Update changes attributes of an item: ErrNotFound if it is not there, unless Upsert. Index attributes that depend on
// what is changed are computed anew; if they need attributes that are neither changed nor in the key, the call fails
// before anything is sent: use Patch. So does a change of a part of the key. An item whose time to live is over and that the
// service has not removed yet is there; a change of its time revives it.
func (e *Entity[K, T]) Update(key K, changes ...Change[T]) Update[T] {
	return Update[T]{updateOf(e.d, key, editsOf(changes))}
}

// Patch writes the difference between two whole values of one item, attribute by attribute. If it has a version, before's
// must be stored, or it is ErrStale. If nothing differs nothing is sent.
func (e *Entity[K, T]) Patch(before, after T) Update[T] {
	return Update[T]{patchOf(e.d, reflect.ValueOf(&before).Elem(), reflect.ValueOf(&after).Elem())}
}

// patchOf is the update that turns before into after, which is completed.
func patchOf(d *decl, before, after reflect.Value) *updateCall {
	u := &updateCall{patch: true}
	if u.key.setKeyOf(d, before); d == nil {
		return u
	}
	if d.shape != nil {
		d.rules.Complete(after)
	}
	u.difference(d, before, after)
	if u.err == nil {
		u.err = checkPatched(d, after, u.edits)
	}
	return u
}

// difference fills in the edits that turn before into after.
func (c *updateCall) difference(d *decl, before, after reflect.Value) {
	if c.before, c.err = d.codec.Marshal(before); c.err != nil {
		return
	}
	if c.after, c.err = d.codec.Marshal(after); c.err != nil {
		return
	}
	names := fieldNames(d)
	if d.raw() {
		names = slices.Concat(slices.Collect(keysOf(c.before)), slices.Collect(keysOf(c.after)))
		slices.Sort(names)
		names = slices.Compact(names)
	}
	for _, name := range names {
		if name == d.version || name == d.created || name == d.updated {
			continue
		}
		a, b := c.before.Get(name), c.after.Get(name)
		if attr.Equal(a, b) {
			continue
		}
		for _, p := range d.parts {
			if p.top() == name {
				c.err = errors.New("the key differs in " + name + ": Patch changes an item in its place, Move puts it under its new key")
				return
			}
		}
		at := []step{{name, -1}}
		edit := edit{do: doSet, n: &node{decl: d, at: at, path: pathOf(at)}, v: b}
		if b.IsZero() {
			edit.do = doRemove
		}
		c.edits = append(c.edits, edit)
	}
}

func keysOf(it attr.Item) iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range it.All() {
			if !yield(name) {
				return
			}
		}
	}
}

// Delete removes an item; one that is not there is no error.
func (e *Entity[K, T]) Delete(key K) Delete[T] { return Delete[T]{deleteOf(e.d, key)} }

// Check is a condition on an item that a transaction does not change.
func (e *Entity[K, T]) Check(key K, c ...Cond[T]) Check { return checkOf(e.d, key, testsOf(c)) }

// PutAll writes items as Put does, in batches.
func (e *Entity[K, T]) PutAll(items iter.Seq[T]) Batch { return putAll(e.d, items) }

// DeleteAll removes items in batches.
func (e *Entity[K, T]) DeleteAll(keys iter.Seq[K]) Batch { return deleteAll(e.d, keys) }

// Clause is changes as text with placeholders, "SET qty = qty + ?, ship.city = ? REMOVE note", checked as Where checks
// and with values as there.
func (e *Entity[K, T]) Clause(text string, args ...any) Change[T] {
	return Change[T]{clause(e.d.orUndeclared(), text, args)}
}
