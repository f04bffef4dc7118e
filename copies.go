package tablewright

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// Copies keeps several copies of an item that is read more often than one partition answers, about 3,000 read units a second:
// every write goes to all copies at once, each read to one of them at random. The items' key has {shard}, chosen at random;
// there are as many copies as shards.
//
//	var Fronts = tablewright.NewCopies(FrontPages.Entity) // Key: {"PK": "front#{country}#{shard}"}, Shard: {Of: 5, By: "random"}
//
// A query or scan meets every copy.
type Copies[K, T any] struct{ of Entity[K, T] }

// NewCopies makes Copies of the items of e.
func NewCopies[K, T any](e Entity[K, T]) Copies[K, T] { return Copies[K, T]{e} }

// Get reads one copy.
func (c Copies[K, T]) Get(key K) Get[T] {
	d := c.of.declared()
	n := 1
	if d.shards != nil {
		n = d.shards.Of
	}
	return Get[T]{key: c.key(key, rand.IntN(n))}
}

// key is the key of one copy.
func (c Copies[K, T]) key(key K, i int) itemKey {
	k := c.of.keyOf(key)
	switch {
	case k.err != nil:
	case !k.d.atRandom():
		k.err = fmt.Errorf("the key of %s has no {shard} that is chosen at random: its copies would be one item", k.d.name)
	default:
		k.shard = i + 1
	}
	return k
}

// CopiesWrite is a write of all copies of an item: a transaction of its own, or, in Transact, a part of one, that counts as
// many actions as there are copies.
type CopiesWrite struct {
	n   int
	one func(i int) TxWrite
}

// Run writes all copies, or none.
func (w CopiesWrite) Run(ctx context.Context, db *DB) error { return Transact(w).Run(ctx, db) }

func (w CopiesWrite) tx(add func(write)) {
	for i := range w.n { // the zero CopiesWrite has none: a transaction of nothing is refused
		w.one(i).tx(add)
	}
}

func (c Copies[K, T]) write(one func(d *decl, i int) TxWrite) CopiesWrite {
	d := c.of.declared()
	w := CopiesWrite{n: 1, one: func(i int) TxWrite { return one(d, i) }}
	if d.atRandom() {
		w.n = d.shards.Of
	}
	return w
}

// Put writes all copies, whether they are there or not.
func (c Copies[K, T]) Put(item T) CopiesWrite {
	return c.write(func(d *decl, i int) TxWrite {
		return Put[T]{putCall[T]{d: d, item: item, shard: i + 1}}
	})
}

// Create writes all copies of an item that is not there yet: ErrExists if it is.
func (c Copies[K, T]) Create(item T) CopiesWrite {
	return c.write(func(d *decl, i int) TxWrite {
		return PutIf[T]{putCall[T]{d: d, item: item, shard: i + 1, copies: true, guard: guardAbsent}}
	})
}

// Update changes all copies: ErrNotFound if they are not there.
func (c Copies[K, T]) Update(key K, changes ...Change[T]) CopiesWrite {
	return c.write(func(_ *decl, i int) TxWrite {
		u := c.of.Update(key, changes...)
		u.c.key = c.key(key, i)
		return u
	})
}

// Delete removes all copies.
func (c Copies[K, T]) Delete(key K) CopiesWrite {
	return c.write(func(_ *decl, i int) TxWrite { return Delete[T]{deleteCall{key: c.key(key, i)}} })
}
