package tablewrighttest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

// Has answers an item that has to be there: without it the test ends. It is not counted.
func Has[K, T any](t testing.TB, k *Kit, e Reader[K, T], key K) T {
	t.Helper()
	item, err := e.Get(key).Consistent().Run(context.Background(), k.direct)
	if err != nil {
		t.Fatalf("no item %v: %v", key, err)
	}
	return item
}

// HasNot fails the test if an item is there, or cannot be read. One whose time to live is over is not there.
func HasNot[K, T any](t testing.TB, k *Kit, e Reader[K, T], key K) {
	t.Helper()
	item, err := e.Get(key).Consistent().Run(context.Background(), k.direct)
	switch {
	case err == nil:
		t.Errorf("there is an item %v: %+v", key, item)
	case !errors.Is(err, tablewright.ErrNotFound):
		t.Errorf("item %v: %v", key, err)
	}
}

// Entity is a declared entity.
type Entity[K, T any] interface {
	Reader[K, T]
	Key(item T) K
	Encode(item T) ([]byte, error)
}

// HasEqual fails the test unless the item is stored as it is given, attribute by attribute, its version and times too; the
// difference names attributes.
func HasEqual[K, T any](t testing.TB, k *Kit, e Entity[K, T], want T) {
	t.Helper()
	got, err := e.Get(e.Key(want)).Consistent().Run(context.Background(), k.direct)
	if err != nil {
		t.Errorf("no item %v: %v", e.Key(want), err)
		return
	}
	a, errA := stored(e, want)
	b, errB := stored(e, got)
	if err := errors.Join(errA, errB); err != nil {
		t.Errorf("item %v: %v", e.Key(want), err)
		return
	}
	if d := difference(a, b); d != "" {
		t.Errorf("item %v differs (- wanted, + stored):\n%s", e.Key(want), d)
	}
}

func stored[K, T any](e Entity[K, T], item T) (attr.Item, error) {
	text, err := e.Encode(item)
	if err != nil {
		return attr.Item{}, err
	}
	return attr.ParseItem(text)
}

// difference lists the attributes that two items do not have alike.
func difference(want, got attr.Item) string {
	var b strings.Builder
	line := func(sign, name string, v attr.Value) {
		if !v.IsZero() {
			fmt.Fprintf(&b, "  %s %s %s\n", sign, name, attr.AppendValue(nil, v))
		}
	}
	for name, w := range want.All() {
		if g := got.Get(name); !attr.Equal(w, g) {
			line("-", name, w)
			line("+", name, g)
		}
	}
	for name, g := range got.All() {
		if !want.Has(name) {
			line("+", name, g)
		}
	}
	return b.String()
}
