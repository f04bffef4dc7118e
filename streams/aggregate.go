package streams

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

// Target is a declared entity of an A whose items are kept in step.
type Target[K, A any] interface {
	Update(key K, changes ...tablewright.Change[A]) tablewright.Update[A]
}

// Sum is a number that Aggregate keeps; Count and SumOf make it.
type Sum[T, A any] struct {
	into string // attribute
	of   func(item T) (attr.Number, error)
	add  func(n attr.Number) (tablewright.Change[A], error)
}

// Count keeps the number of items: streams.Count[Order](Totals.Orders).
func Count[T, A any, V tablewright.Numeric](into tablewright.Number[A, V]) Sum[T, A] {
	return Sum[T, A]{into: into.AttributeName(), of: func(T) (attr.Number, error) { return attr.Int(1), nil }, add: adding(into)}
}

// SumOf keeps the sum of a number of each item. The sum's type has to have room for negative differences.
func SumOf[T, A any, V tablewright.Numeric](into tablewright.Number[A, V], of func(item T) V) Sum[T, A] {
	return Sum[T, A]{into: into.AttributeName(), add: adding(into), of: func(item T) (attr.Number, error) {
		v, err := attr.Marshal(of(item))
		if err == nil && v.Kind() != attr.KindN {
			return attr.Number{}, nil
		}
		return v.Number(), err
	}}
}

func adding[A any, V tablewright.Numeric](into tablewright.Number[A, V]) func(n attr.Number) (tablewright.Change[A], error) {
	return func(n attr.Number) (tablewright.Change[A], error) {
		var v V
		if err := attr.Unmarshal(attr.Num(n), &v); err != nil {
			return tablewright.Change[A]{}, fmt.Errorf("streams: the difference does not go into %s: %w", into.AttributeName(), err)
		}
		return into.Add(v), nil
	}
}

// Aggregate keeps counts and sums of the items of e in items of another kind, exactly once for every change: they are
// written in one transaction with the checkpoint (see OnTx). group says which item counts a T, and whether any does; it must
// answer the same for the same T. An item that counts is made with its first T, and stays when it counts none any more. What
// was there before the group began is not counted. Several Aggregates may keep the same items, and the same attributes: what
// the changes of a batch do to an item is one write, and up to 99 items go in one transaction.
//
//	streams.Aggregate(Orders, Totals, func(o Order) (CustomerID, bool) { return o.Customer, o.Status == Paid },
//		streams.Count[Order](Totals.Orders), streams.SumOf(Totals.Spent, func(o Order) int { return o.Total }))
//
// The stream has to have the items before and after. An item that counts very many changes is written once for each batch of each
// shard that has some: Options.Batch and Options.Wait say how many changes that is, and how late the sums may be.
func Aggregate[T any, K comparable, A any](e Kind[T], into Target[K, A], group func(item T) (key K, counts bool), sums ...Sum[T, A]) Handler {
	h := handlerOf(e)
	h.images = true
	h.sums = func(d delivery) (all []addition, err error) {
		c, err := changeOf(d.record, d.attempt, d.once, e.Decode)
		if err != nil {
			return nil, err
		}
		add := func(key K, from, to *T) error {
			deltas, err := differences(sums, from, to)
			if err != nil || len(deltas) == 0 {
				return err
			}
			a := addition{kind: reflect.TypeFor[A](), deltas: deltas, write: func(changes []any) write {
				typed := make([]tablewright.Change[A], len(changes))
				for i, c := range changes {
					typed[i] = c.(tablewright.Change[A])
				}
				return into.Update(key, typed...).Upsert()
			}}
			all = append(all, a)
			return nil
		}
		var was, is K
		var counted, counts bool
		if c.Old != nil {
			was, counted = group(*c.Old)
		}
		if c.New != nil {
			is, counts = group(*c.New)
		}
		if counted && counts && was == is {
			return all, add(is, c.Old, c.New)
		}
		if counted {
			err = add(was, c.Old, nil)
		}
		if counts && err == nil {
			err = add(is, nil, c.New)
		}
		return all, err
	}
	return h
}

// addition is what a change does to the sums of one item. Those of several Aggregates to one item become one write: a
// transaction takes one of each item.
type addition struct {
	kind   reflect.Type // of the item
	deltas []delta
	write  func(changes []any) write // of the Change[A]s of deltas
}

// delta is the difference of one sum.
type delta struct {
	into   string
	n      attr.Number
	change func(n attr.Number) (any, error) // a Change[A]
}

// write is a tablewright.Update, its type unknown.
type write interface {
	tablewright.TxWrite
	Request() (tablewright.Request, error)
}

func (a addition) finish() (write, error) {
	changes := make([]any, len(a.deltas))
	for i, d := range a.deltas {
		var err error
		if changes[i], err = d.change(d.n); err != nil {
			return nil, err
		}
	}
	return a.write(changes), nil
}

// item is the item's key with its table's name, in the form of requests.
func (a addition) item() (string, error) {
	w, err := a.finish()
	if err != nil {
		return "", err
	}
	r, err := w.Request()
	return string(attr.LookupRaw(r.Body, "TableName")) + string(attr.LookupRaw(r.Body, "Key")), err
}

// together makes one write of the additions to each item. Sums that stay as they are are left out.
func together(all []addition) (writes []tablewright.TxWrite, err error) {
	var merged []addition
	at := map[string]int{}
	for _, a := range all {
		item, err := a.item()
		if err != nil {
			return nil, err
		}
		i, known := at[item]
		if !known {
			at[item] = len(merged)
			a.deltas = slices.Clip(a.deltas)
			merged = append(merged, a)
			continue
		}
		m := &merged[i]
		if m.kind != a.kind {
			return nil, fmt.Errorf("streams: aggregates keep sums of two kinds, %v and %v, in one item: give them keys of their own", m.kind, a.kind)
		}
		for _, d := range a.deltas {
			k := slices.IndexFunc(m.deltas, func(o delta) bool { return o.into == d.into })
			if k < 0 {
				m.deltas = append(m.deltas, d)
			} else if m.deltas[k].n, err = m.deltas[k].n.Add(d.n); err != nil {
				return nil, err
			}
		}
	}
	for _, a := range merged {
		a.deltas = slices.DeleteFunc(a.deltas, func(d delta) bool { return d.n == attr.Int(0) })
		if len(a.deltas) == 0 {
			continue
		}
		w, err := a.finish()
		if err != nil {
			return nil, err
		}
		writes = append(writes, w)
	}
	return writes, nil
}

// differences are what takes a T out of sums and puts another one in; sums that stay are left out.
func differences[T, A any](sums []Sum[T, A], from, to *T) (deltas []delta, err error) {
	for _, s := range sums {
		var before, after attr.Number
		if from != nil {
			if before, err = s.of(*from); err != nil {
				return nil, err
			}
		}
		if to != nil {
			if after, err = s.of(*to); err != nil {
				return nil, err
			}
		}
		n, err := after.Sub(before)
		if err != nil {
			return nil, err
		}
		if n == attr.Int(0) {
			continue
		}
		i := slices.IndexFunc(deltas, func(d delta) bool { return d.into == s.into })
		if i < 0 {
			deltas = append(deltas, delta{s.into, n, func(n attr.Number) (any, error) { return s.add(n) }})
		} else if deltas[i].n, err = deltas[i].n.Add(n); err != nil {
			return nil, err
		}
	}
	return deltas, nil
}

// Copy keeps attributes of the items of e in other items that repeat them, such as a customer's name in their orders.
// targets finds the items, by a query most often; set says what a T means for them, and where that is the same before and
// after a change nothing is written. Items that are gone meanwhile are passed over; what is deleted leaves its copies as
// they are.
//
// A change that comes again is copied again: the copies are for a moment what they were before, and then follow. In the end
// they are right, since the changes of an item come in order.
func Copy[T, K, U any](e Kind[T], to Target[K, U], targets func(ctx context.Context, db *tablewright.DB, item T) iter.Seq2[K, error],
	set func(item T) []tablewright.Change[U]) Handler {
	h := handlerOf(e)
	h.one = func(ctx context.Context, d delivery) error {
		c, err := changeOf(d.record, d.attempt, d.once, e.Decode)
		if err != nil || c.New == nil {
			return err
		}
		changes := set(*c.New)
		if len(changes) == 0 || c.Old != nil && reflect.DeepEqual(set(*c.Old), changes) {
			return nil
		}
		for key, err := range targets(ctx, d.db, *c.New) {
			if err != nil {
				return err
			}
			if err := to.Update(key, changes...).Run(ctx, d.db); err != nil && !errors.Is(err, tablewright.ErrNotFound) {
				return err
			}
		}
		return nil
	}
	return h
}
