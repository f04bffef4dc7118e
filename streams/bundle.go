package streams

import (
	"errors"

	"github.com/tablewright/tablewright/capacity"
)

// bundle is what consecutive changes of a batch add to sums. They are written in one transaction, with the checkpoint
// behind the last of them: an item that counts a thousand changes of a batch is written once. Changes that add to
// nothing wait for those before them, since a checkpoint stands for everything up to it.
type bundle struct {
	h     *holding
	batch []record
	takes [][]int

	first, next int // which changes are in it
	sums        []addition
	items       map[string]bool // that the sums lie in
	poison      map[int]bool    // changes that have been given up
}

// deliver hands a change to the handlers that take changes one by one.
func (b *bundle) deliver(i int) error {
	r := &b.batch[i]
	if err := b.h.deliverOne(r, b.takes[i]); err != nil {
		return err
	}
	for _, t := range b.takes[i] {
		if b.h.w.handlers[t].tx != nil { // what it writes may be what the sums are in
			if err := b.write(); err != nil {
				return err
			}
			err := b.h.deliverTx(r, b.takes[i])
			if err == nil {
				b.first, b.next = i+1, i+1
				b.h.handled(r, len(b.batch)-i-1)
			}
			return err
		}
	}
	sums, items, err := b.sumsOf(i)
	if err != nil {
		return err
	}
	more := 0
	for _, item := range items {
		if !b.items[item] {
			more++
		}
	}
	if len(b.items)+more >= capacity.TransactionActions { // one is the checkpoint's
		if err := b.write(); err != nil {
			return err
		}
	}
	for j, a := range sums {
		b.items[items[j]] = true
		b.sums = append(b.sums, a)
	}
	b.next = i + 1
	if len(b.sums) == 0 {
		return b.write()
	}
	return nil
}

// sumsOf is what a change adds to sums, and in which items they lie.
func (b *bundle) sumsOf(i int) (all []addition, items []string, err error) {
	r := &b.batch[i]
	for _, t := range b.takes[i] {
		handler := b.h.w.handlers[t]
		if handler.sums == nil {
			continue
		}
		var sums []addition
		var in []string
		err := b.h.try(handler, func(attempt int) (err error) {
			if sums, err = handler.sums(delivery{r, attempt, b.h.w.store.once, b.h.w.db}); err != nil {
				return err
			}
			in = make([]string, len(sums))
			for i, a := range sums {
				if in[i], err = a.item(); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.poison[i] = true
			return nil, nil, b.h.poison(handler, r, err) // in part is not at all
		}
		all, items = append(all, sums...), append(items, in...)
	}
	return all, items, nil
}

// write writes the sums, and notes that their changes have been handled.
func (b *bundle) write() error {
	if b.first == b.next {
		return nil
	}
	first, sums := b.first, b.sums
	last := &b.batch[b.next-1]
	b.first, b.sums, b.items = b.next, nil, map[string]bool{}
	writes, err := together(sums)
	if err == nil && len(writes) > 0 {
		err = b.h.try(b.summing(first), func(int) error { return b.h.commit(last, writes) })
		var f *failure
		if err != nil && !errors.As(err, &f) {
			return err
		}
	}
	for i := first; i < b.next; i++ {
		if err != nil && !b.poison[i] { // one of them is poison
			if err := b.h.deliverTx(&b.batch[i], b.takes[i]); err != nil {
				return err
			}
		}
		b.h.handled(&b.batch[i], len(b.batch)-i-1)
	}
	return nil
}

// summing is a handler that keeps sums, of the first change that has one.
func (b *bundle) summing(first int) Handler {
	for _, takes := range b.takes[first:] {
		for _, t := range takes {
			if h := b.h.w.handlers[t]; h.sums != nil {
				return h
			}
		}
	}
	return Handler{}
}
