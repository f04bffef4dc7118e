package tablewright

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
)

// Renew is the update that makes an item, as it is stored, what it would be written as today: what is absent but told by its
// keys is stored under its own name, attributes under a name they had before (the tag was) under their new one, computed
// ones, index attributes among them, computed anew. Names in remove, of attributes that are not declared any more, are removed.
// Everything else stays, the version too. ok is false if nothing is to be done.
//
// The update is conditional: it is ErrConditionFailed if what it was computed from was changed meanwhile; read the item again and
// renew that. The error of Renew says what about the item is not as its templates have it; package migrate does this for
// whole tables.
func (k Kind) Renew(stored attr.Item, remove ...string) (u Update[attr.Item], ok bool, err error) {
	d := k.d.orUndeclared()
	if err := d.table.Seal(); err != nil {
		return u, false, err
	}
	after, sources, err := d.renewed(stored, remove)
	if err != nil {
		return u, false, fmt.Errorf("tablewright: an item of %s: %w", d.name, err)
	}
	if attr.EqualItems(stored, after) {
		return u, false, nil
	}
	raw := d.table.Raw()
	u = raw.Patch(stored, after) // nobody else's yet: it may be changed
	for i := range u.c.edits {
		sources[u.c.edits[i].n.top()] = true
	}
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		if raw.d.isKeyName(name) {
			continue
		}
		at := []step{{name, -1}}
		t := test{op: opAbsent, n: &node{decl: raw.d, at: at, path: pathOf(at)}}
		if v := stored.Get(name); !v.IsZero() {
			t.op, t.a = opEqual, v
		}
		u.c.tests = append(u.c.tests, t)
	}
	return u, true, nil
}

func (d *decl) isKeyName(name string) bool {
	return slices.ContainsFunc(d.key, func(w *column) bool { return w.name == name })
}

// renewed is an item as it would be written today, and what that depends on.
func (d *decl) renewed(it attr.Item, remove []string) (out attr.Item, sources map[string]bool, err error) {
	out, sources = it.Clone(), map[string]bool{}
	for name, f := range d.fields {
		if f.Was == "" || !out.Has(f.Was) {
			continue
		}
		sources[name], sources[f.Was] = true, true
		if !out.Has(name) {
			out.Set(name, out.Get(f.Was))
		}
		out.Remove(f.Was)
	}
	shard := 0
	for _, w := range d.wires {
		n, err := d.told(w, it, &out)
		if err != nil {
			return out, nil, err
		}
		shard = max(shard, n)
	}
	for _, w := range d.wires {
		v, err := d.computed(w, inShard(itemLookup(out), shard))
		if err != nil {
			return out, nil, err
		}
		if attr.Equal(v, it.Get(w.name)) {
			continue
		}
		if d.isKey(w) {
			return out, nil, fmt.Errorf("%s is not what its attributes make: Move it", w.name)
		}
		for _, p := range w.deps {
			sources[p.top()] = true
		}
		if v.IsZero() {
			out.Remove(w.name)
		} else {
			out.Set(w.name, v)
		}
	}
	for _, name := range remove {
		if d.column(name) != nil || d.fields[name].Name != "" {
			return out, nil, fmt.Errorf("%s cannot be removed: it is declared", name)
		}
		out.Remove(name)
	}
	return out, sources, nil
}

// told sets what the text of a computed attribute tells and the item has not; shard is that of a key in random shards, from 1.
func (d *decl) told(w *column, it attr.Item, out *attr.Item) (shard int, err error) {
	v := it.Get(w.name)
	if v.IsZero() {
		return 0, nil
	}
	texts, ok := w.tmpl.split(v.Str())
	for i, p := range w.tmpl.parts {
		names := p.path.names()
		switch {
		case p.shard && ok && d.isKey(w) && d.atRandom():
			n, err := d.shards.Decode(texts[i])
			if err != nil {
				return 0, err
			}
			shard = n + 1
			continue
		case p.shard || len(names) > 1 || out.Has(names[0]):
			continue
		case !ok:
			return 0, fmt.Errorf("%s is absent, and cannot be read from %s, which is not what its template %q builds", p.path, w.name, w.tmpl.text)
		case p.codec != (keys.Codec{}) && !p.codec.ReadsBack():
			continue // another attribute may tell it
		}
		value := v
		if p.codec != (keys.Codec{}) {
			if value, err = p.codec.Decode(texts[i]); err == nil {
				value, err = stored(p.field, value)
			}
			if err != nil {
				return 0, fmt.Errorf("%s: %w", w.name, err)
			}
		}
		out.Set(names[0], value)
	}
	return shard, nil
}

// AddIndex makes a global index of the declaration in a table that is there already, and waits until it is usable: the
// service fills it from the items first, at the price of writing them into it. ErrExists says that there is one of that name;
// Compare tells whether it is the same. A table makes one index at a time.
func (t *Table) AddIndex(ctx context.Context, db *DB, name string) error {
	if err := t.ready(db); err != nil {
		return err
	}
	x, ok := t.p.GSI[name]
	if !ok {
		return &Error{Operation: "UpdateTable", Table: t.p.Name, Index: name, Time: db.instant(), kinds: []error{ErrInvalid}, detail: "no global index of that name is declared"}
	}
	there, err := hasIndex(ctx, db, t.p.Name, name)
	if err != nil {
		return err
	}
	if there {
		return &Error{Operation: "UpdateTable", Table: t.p.Name, Index: name, Time: db.instant(), kinds: []error{ErrExists}}
	}
	err = control(ctx, db, "UpdateTable", t.p.Name, func(w *body) {
		w.key("AttributeDefinitions")
		w.b = append(w.b, '[')
		for i, name := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(x.Partition, x.Sort)))) {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.open()
			w.text("AttributeName", name)
			w.text("AttributeType", string(t.p.Attributes[name]))
			w.close()
		}
		w.b = append(w.b, ']')
		w.full = true
		indexUpdate(w, "Create", name, func() {
			w.key("KeySchema")
			writeKeySchema(w, x.Partition, x.Sort)
			writeProjection(w, x)
			writeThroughput(w, t.p.Billing)
			writeWarm(w, x.Warm)
		})
	}, nil)
	if err != nil {
		return err
	}
	return awaitActive(ctx, db, t.p.Name)
}

// DropIndex removes a global index that the declaration has no more, and waits until it is gone. One that is not there is no
// error. An index that is still declared is refused: its queries would fail.
func (t *Table) DropIndex(ctx context.Context, db *DB, name string) error {
	if err := t.ready(db); err != nil {
		return err
	}
	if _, declared := t.index(name); declared {
		return &Error{Operation: "UpdateTable", Table: t.p.Name, Index: name, Time: db.instant(), kinds: []error{ErrInvalid}, detail: "it is still declared: take it out of the declaration first"}
	}
	there, err := hasIndex(ctx, db, t.p.Name, name)
	if err != nil || !there {
		return err
	}
	if err := control(ctx, db, "UpdateTable", t.p.Name, func(w *body) { indexUpdate(w, "Delete", name, func() {}) }, nil); err != nil {
		return err
	}
	return awaitActive(ctx, db, t.p.Name)
}

// indexUpdate writes the change of one index.
func indexUpdate(w *body, action, name string, members func()) {
	w.key("GlobalSecondaryIndexUpdates")
	w.b = append(w.b, '[')
	w.open()
	w.key(action)
	w.open()
	w.text("IndexName", name)
	members()
	w.close()
	w.close()
	w.b = append(w.b, ']')
	w.full = true
}

// hasIndex reports whether a table has a global index.
func hasIndex(ctx context.Context, db *DB, table, index string) (there bool, err error) {
	err = control(ctx, db, "DescribeTable", table, func(*body) {}, func(d *attr.Decoder) {
		for name := range d.Fields("") {
			if string(name) != "Table" {
				continue
			}
			for name := range d.Fields("") {
				if string(name) != "GlobalSecondaryIndexes" {
					continue
				}
				for range d.Elems() {
					for name := range d.Fields("") {
						if string(name) == "IndexName" {
							there = there || string(d.TextBytes()) == index
						}
					}
				}
			}
		}
	})
	return there, err
}

// awaitActive waits until a table and its indexes are usable, or gone.
func awaitActive(ctx context.Context, db *DB, table string) error {
	for wait := firstPoll; ; wait = min(2*wait, longestPoll) {
		ready, err := describe(ctx, db, table)
		if err != nil || ready {
			return err
		}
		if err := pause(ctx, db.clock, wait); err != nil {
			return err
		}
	}
}

// Sleep waits on [Options.Clock], if that can, else in real time; it ends with ctx's error when ctx does.
func (db *DB) Sleep(ctx context.Context, d time.Duration) error { return pause(ctx, db.clock, d) }
