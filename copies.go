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
	g := getOf(c.of.d, key)
	n := 1
	if d := g.key.d; d.shards != nil {
		n = d.shards.Of
	}
	g.key.copy(rand.IntN(n))
	return Get[T]{g}
}

// copy makes the key that of one copy.
func (k *itemKey) copy(i int) {
	switch {
	case k.err != nil:
	case !k.d.atRandom():
		k.err = fmt.Errorf("the key of %s has no {shard} that is chosen at random: its copies would be one item", k.d.name)
	default:
		k.shard = i + 1
	}
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

func copiesOf(d *decl, one func(i int) TxWrite) CopiesWrite {
	w := CopiesWrite{n: 1, one: one}
	if d != nil && d.atRandom() {
		w.n = d.shards.Of
	}
	return w
}

// Put writes all copies, whether they are there or not.
func (c Copies[K, T]) Put(item T) CopiesWrite {
	put := putOf(c.of.d, item, guardNone)
	return copiesOf(c.of.d, func(i int) TxWrite {
		own := put.copy()
		own.shard = i + 1
		return own
	})
}

// Create writes all copies of an item that is not there yet: ErrExists if it is.
func (c Copies[K, T]) Create(item T) CopiesWrite {
	put := putOf(c.of.d, item, guardAbsent)
	return copiesOf(c.of.d, func(i int) TxWrite {
		own := put.copy()
		own.shard, own.copies = i+1, true
		return own
	})
}

// Update changes all copies: ErrNotFound if they are not there.
func (c Copies[K, T]) Update(key K, changes ...Change[T]) CopiesWrite {
	update := updateOf(c.of.d, key, editsOf(changes))
	return copiesOf(c.of.d, func(i int) TxWrite {
		own := update.copy()
		own.key.copy(i)
		return own
	})
}

// Delete removes all copies.
func (c Copies[K, T]) Delete(key K) CopiesWrite {
	remove := deleteOf(c.of.d, key)
	return copiesOf(c.of.d, func(i int) TxWrite {
		own := remove.copy()
		own.key.copy(i)
		return own
	})
}
