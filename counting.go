package tablewright

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/tablewright/tablewright/attr"
)

// Refs counts, in an attribute of one kind of items, how many items of another kind refer to each: the orders of a customer.
// It gives the parts of transactions that keep the count true, so that nothing is deleted that something still refers to.
type Refs[T, K, P any] struct {
	to    Entity[K, P]
	count node
	of    func(item T) K
}

// NewRefs makes Refs: count is the number attribute of to that is kept, of tells which item of to an item refers to.
//
//	var CustomerOrders = tablewright.NewRefs(Customers.Entity, Customers.Orders, func(o Order) CustomerID { return o.Customer })
func NewRefs[T, K, P any, V Numeric](to Entity[K, P], count Number[P, V], of func(item T) K) Refs[T, K, P] {
	n := countNode(count.n)
	if n.err == nil && to.d != n.decl {
		n.err = fmt.Errorf("%s counts for %s, not for %s", n.path, n.decl.name, to.d.orUndeclared().name)
	}
	return Refs[T, K, P]{to, n, of}
}

// countNode is the node of a counting attribute.
func countNode(n *node) node {
	switch {
	case n == nil:
		return node{err: errUndeclared}
	case n.err == nil && !n.whole():
		return node{err: fmt.Errorf("%s: only a whole attribute counts from nothing", n.path)}
	}
	return *n
}

// add changes the count by n.
func (r Refs[T, K, P]) add(key K, n int64) Update[P] {
	node := r.count
	u := updateOf(r.to.d, key, []edit{{do: doAdd, n: &node, v: attr.Num(attr.Int(n)), err: node.err}})
	if n < 0 {
		u.tests = []test{{op: opAtLeast, n: &node, a: attr.Num(attr.Int(-n)), err: node.err}}
	}
	return Update[P]{u}
}

// Added counts an item that is created. The item it refers to must be there: ErrNotFound, or the error given with Else.
func (r Refs[T, K, P]) Added(item T) Update[P] { return r.add(r.of(item), 1) }

// Removed takes an item that is deleted from the count. A count that is 0 already is ErrConditionFailed.
func (r Refs[T, K, P]) Removed(item T) Update[P] { return r.add(r.of(item), -1) }

// Delete removes an item if nothing refers to it: its count is 0, or was never begun. Else is what it becomes otherwise.
func (r Refs[T, K, P]) Delete(key K) DeleteIf[P] {
	node := r.count
	none := Cond[P]{&test{op: opEqual, n: &node, a: attr.Num(attr.Int(0)), err: node.err}}
	never := Cond[P]{&test{op: opAbsent, n: &node, err: node.err}}
	return r.to.Delete(key).If(none.Or(never))
}

// Sequence gives out sequential numbers, from 1, kept in a number attribute of an item per sequence.
type Sequence[K, T any, V Numeric] struct {
	of     Entity[K, T]
	number Number[T, V]
}

// NewSequence makes a Sequence: number is the attribute of an item of e that holds the last number given out. The items are
// created when they are first needed.
func NewSequence[K, T any, V Numeric](e Entity[K, T], number Number[T, V]) Sequence[K, T, V] {
	return Sequence[K, T, V]{e, number}
}

// Next gives out the next number, with one write. Numbers rise and never repeat, but there can be gaps: where a caller
// fails after it took one, or an answer was lost. Where there must be none use Give.
func (s Sequence[K, T, V]) Next(ctx context.Context, db *DB, key K) (next V, err error) {
	one, err := numberOf[V](1)
	if err != nil {
		return next, err
	}
	u := updateOf(s.of.d, key, []edit{*s.number.Add(one).e})
	u.upsert, u.gaps = true, true
	var item T
	if err := u.new(ctx, db, &item); err != nil {
		return next, err
	}
	return s.last(item)
}

// Give gives out the next number without a gap: it reads the last one and calls f for the writes that use the next; these
// and the new last number are one transaction. If somebody else took the number meanwhile it is done again with the next
// one, within the retry budget, so that f may run more than once. The error of a transaction that was refused for another
// reason is a *TxError whose actions are those of f.
func (s Sequence[K, T, V]) Give(ctx context.Context, db *DB, key K, f func(next V) ([]TxWrite, error)) (V, error) {
	var none V
	b := db.budget()
	for {
		start := db.clock.Now()
		before, err := s.of.Get(key).Consistent().Run(ctx, db.left(&b))
		missing := errors.Is(err, ErrNotFound)
		if err != nil && !missing {
			return none, err
		}
		var last V
		if !missing {
			if last, err = s.last(before); err != nil {
				return none, err
			}
		}
		next, err := after(last)
		if err != nil {
			return none, err
		}
		writes, err := f(next)
		if err != nil {
			return none, err
		}
		step := s.of.Update(key, s.number.Set(next)).Upsert()
		if missing {
			step = step.If(s.number.Absent())
		} else {
			step = step.If(s.number.Equals(last))
		}
		err = Transact(append(append([]TxWrite(nil), writes...), step.Else(errTaken))...).Run(ctx, db.left(&b))
		if !errors.Is(err, errTaken) || !b.failed(ctx, start) {
			if err != nil {
				return none, err
			}
			return next, nil
		}
	}
}

var errTaken = errors.New("somebody else took the number")

// last is the number in an item; 0 if it has none.
func (s Sequence[K, T, V]) last(item T) (last V, err error) {
	v, err := s.number.n.in(reflect.ValueOf(&item).Elem())
	if err != nil || v.IsZero() {
		return last, err
	}
	return last, s.number.codec.Set(&last, v)
}

// in is the attribute's value in an item.
func (n *node) in(item reflect.Value) (attr.Value, error) {
	if err := n.mistake(); err != nil {
		return attr.Value{}, err
	}
	f := n.decl.fields[n.top()]
	v := fieldOf(item, f)
	if !v.IsValid() {
		return attr.Value{}, nil
	}
	return f.Value(v)
}

// numberOf is a number as a V.
func numberOf[V Numeric](n int64) (v V, err error) {
	return v, attr.Unmarshal(attr.Num(attr.Int(n)), &v)
}

// after is the number after v; an error if the type ends there.
func after[V Numeric](v V) (next V, err error) {
	n, err := attr.Marshal(v)
	if err != nil {
		return next, err
	}
	sum, err := n.Number().Add(attr.Int(1))
	if err != nil {
		return next, err
	}
	return next, attr.Unmarshal(attr.Num(sum), &next)
}

// Counter counts what many do at once: an item takes about 1,000 writes a second, so a hot count is kept in several items and
// added up when it is read (docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html).
type Counter[P, K, T any, V Numeric] struct {
	of     Entity[K, T]
	number Number[T, V]
	shards int
	key    func(k *itemKey, what P, shard int)
}

// NewCounter makes a Counter: number is the attribute that counts, in items of e, of which each thing that is counted has so
// many shards, whose keys key makes for shard 0 to shards-1. The items are created when they are first needed. More shards
// can be added at any time, fewer would lose counts.
func NewCounter[P, K, T any, V Numeric](e Entity[K, T], number Number[T, V], shards int, key func(what P, shard int) K) Counter[P, K, T, V] {
	return Counter[P, K, T, V]{e, number, max(shards, 1), func(k *itemKey, what P, shard int) { setKey(k, e.d, key(what, shard)) }}
}

// NewShardCounter makes a Counter of items whose key has {shard}, chosen at random: the shards that they were declared
// with, as a model's counts in shards are. What is counted is the key without the shard.
//
//	var Likes = tablewright.NewShardCounter(LikeCounts.Entity, LikeCounts.Count) // Key: {"PK": "likes#{postId}#{shard}"}, Shard: {Of: 10, By: "random"}
func NewShardCounter[K, T any, V Numeric](e Entity[K, T], number Number[T, V]) Counter[K, K, T, V] {
	c := Counter[K, K, T, V]{e, number, 1, func(k *itemKey, what K, shard int) {
		setKey(k, e.d, what)
		switch {
		case k.err != nil:
		case !k.d.atRandom():
			k.err = fmt.Errorf("the key of %s has no {shard} that is chosen at random: give the item one, or use NewCounter", k.d.name)
		default:
			k.shard = shard + 1
		}
	}}
	if d := e.d.orUndeclared(); d.atRandom() {
		c.shards = d.shards.Of
	}
	return c
}

// Add adds n in a shard chosen at random. An answer that was lost is ErrUnknownOutcome: use it in a transaction of its own,
// at twice the price, where each has to be counted exactly once.
func (c Counter[P, K, T, V]) Add(what P, n V) Update[T] {
	if c.key == nil {
		return Update[T]{}
	}
	u := &updateCall{edits: []edit{*c.number.Add(n).e}, upsert: true}
	c.key(&u.key, what, rand.IntN(max(c.shards, 1)))
	return Update[T]{u}
}

// Sum reads all shards and adds them up: the count as of a moment ago.
func (c Counter[P, K, T, V]) Sum(ctx context.Context, db *DB, what P) (sum V, err error) {
	if c.key == nil {
		return sum, undeclared.table.err
	}
	all := &getAllCall{d: c.of.d.orUndeclared(), n: max(c.shards, 1), key: func(i int, k *itemKey) { c.key(k, what, i) }}
	var found []Found[T]
	if err := all.run(ctx, db, &found); err != nil {
		return sum, err
	}
	var total attr.Number
	for i := range found {
		v, err := c.number.n.in(reflect.ValueOf(&found[i].Item).Elem())
		if err != nil {
			return sum, err
		}
		if found[i].OK && !v.IsZero() {
			if total, err = total.Add(v.Number()); err != nil {
				return sum, err
			}
		}
	}
	return sum, attr.Unmarshal(attr.Num(total), &sum)
}
