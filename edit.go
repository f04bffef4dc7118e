package tablewright

import (
	"context"
	"errors"
	"reflect"
)

// Edit reads an item, lets a function change it, and writes the difference, again and again until nobody else has changed
// it meanwhile.
type Edit[T any] struct {
	get   getCall
	f     func(*T) error
	patch func(before, after T) Update[T]
}

// Edit reads the item with a strong read, calls f on it, and patches it: again when another version was stored meanwhile,
// within the retry budget, so that f may run more than once. An error of f ends it and is returned. T must have a version.
func (e Entity[K, T]) Edit(key K, f func(*T) error) Edit[T] {
	return Edit[T]{get: getCall{key: e.keyOf(key), consistent: true}, f: f, patch: e.Patch}
}

// Run edits the item. ErrNotFound says that there is none, ErrStale that the budget is used up.
func (e Edit[T]) Run(ctx context.Context, db *DB) error {
	_, err := e.New(ctx, db)
	return err
}

// New edits the item and returns it as stored.
func (e Edit[T]) New(ctx context.Context, db *DB) (item T, err error) {
	d := e.get.key.d.orUndeclared()
	if err := d.table.ready(db); err != nil {
		return item, err
	}
	if d.version == "" {
		return item, &Error{Operation: "UpdateItem", Table: d.table.p.Name, kinds: []error{ErrInvalid},
			detail: d.name + " has no version, by which Edit would see that somebody else was faster: tag a field version"}
	}
	b := db.budget()
	for {
		start := db.clock.Now()
		raw, err := e.get.read(ctx, db, &b)
		if err != nil {
			return item, err
		}
		var before, after T // decoded apart: f may change what both would share
		if err := decode(db, d, raw, &before); err != nil {
			return item, &Error{Operation: "GetItem", Table: d.table.p.Name, Time: db.clock.Now(), cause: err}
		}
		if err := decode(db, d, raw, &after); err != nil { // a method of T's may fail the second time
			return item, &Error{Operation: "GetItem", Table: d.table.p.Name, Time: db.clock.Now(), cause: err}
		}
		if err := e.f(&after); err != nil {
			return item, err
		}
		item, err = e.patch(before, after).New(ctx, db)
		if !errors.Is(err, ErrStale) || errors.Is(err, ErrUnknownOutcome) || !b.failed(ctx, start) {
			return item, err
		}
	}
}

// Move writes an item under the key of after and removes the one under the key of before, in one transaction. If it has a
// version, before's must be stored; its created time stays. What is at the new key already is ErrExists. For a change that leaves the key as it is
// use Patch.
func (e Entity[K, T]) Move(before, after T) Tx {
	remove := deleteCall{key: e.keyOf(e.Key(before))}
	d := e.declared()
	if name := d.version; name != "" {
		n := versionOf(reflect.ValueOf(&before).Elem(), d.fields[name])
		remove.version = &n
	} else {
		remove.guard = guardPresent
	}
	return Transact(DeleteIf[T]{remove}, PutIf[T]{putCall[T]{d: d, item: after, guard: guardAbsent, moved: true}})
}
