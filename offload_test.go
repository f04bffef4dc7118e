package tablewright_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// Document has a text that may be larger than an item.
type Document struct {
	ID   string           `ddb:"id"`
	Text tablewright.Blob `ddb:"text"`
}

var DocumentsTable = tablewright.NewTable(plan.Table{Name: "Documents", Key: plan.Key{Partition: "id"}})

var Documents = tablewright.Declare[tablewright.Entity[string, Document]](DocumentsTable, plan.Item{Name: "Document"})

// Large values lie in a store, small ones in the item; the item says where.
func ExampleOffload() {
	ctx, db := inMemory(DocumentsTable)
	dir, _ := os.MkdirTemp("", "blobs")
	defer os.RemoveAll(dir)
	large := tablewright.Offload{Store: tablewright.Folder(dir), Compress: true}
	text := []byte(strings.Repeat("all work and no play ", 100_000))
	err := large.Write(ctx, tablewright.Blob{}, text, func(b tablewright.Blob) error {
		return Documents.Create(Document{"d1", b}).Run(ctx, db)
	})
	fmt.Println(err)
	d, _ := Documents.Get("d1").Run(ctx, db)
	read, err := large.Load(ctx, d.Text)
	fmt.Println(d.Text.Size(), d.Text.Key() != "", bytes.Equal(read, text), err)
	// Output:
	// <nil>
	// 2100000 true true <nil>
}

func TestOffload(t *testing.T) {
	db := open(t, tablewright.Options{}, DocumentsTable)
	ctx := t.Context()
	store := tablewright.Folder(t.TempDir())
	o := tablewright.Offload{Store: store, Threshold: 100}
	stored := func() (n int) {
		for _, err := range store.List(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		return n
	}
	write := func(before tablewright.Blob, data []byte) {
		t.Helper()
		if err := o.Write(ctx, before, data, func(b tablewright.Blob) error { return Documents.Put(Document{"d", b}).Run(ctx, db) }); err != nil {
			t.Fatal(err)
		}
		d := must[Document](t)(Documents.Get("d").Run(ctx, db))
		if got, err := o.Load(ctx, d.Text); err != nil || !bytes.Equal(got, data) || d.Text.Size() != len(data) {
			t.Errorf("%d bytes came back as %d: %v", len(data), len(got), err)
		}
	}
	noise := make([]byte, 5000)
	for i := range noise {
		noise[i] = byte(rand.IntN(256))
	}
	current := func() tablewright.Blob { return must[Document](t)(Documents.Get("d").Run(ctx, db)).Text }
	write(tablewright.Blob{}, nil)
	write(current(), []byte("small"))
	write(current(), noise[:100])
	if n := stored(); n != 0 {
		t.Errorf("%d values in the store", n)
	}
	write(current(), noise[:101])
	o.Compress = true
	write(current(), noise)
	write(current(), bytes.Repeat([]byte("x"), 1_000_000))
	if n := stored(); n != 1 {
		t.Errorf("%d values in the store: those before are gone", n)
	}
	// A write that fails leaves nothing behind; one whose outcome is not known leaves both.
	mine := errors.New("no")
	if err := o.Write(ctx, current(), noise, func(tablewright.Blob) error { return mine }); !errors.Is(err, mine) || stored() != 1 {
		t.Errorf("%v, %d in the store", err, stored())
	}
	if err := o.Write(ctx, current(), noise, func(tablewright.Blob) error { return tablewright.ErrUnknownOutcome }); err == nil || stored() != 2 {
		t.Errorf("%v, %d in the store", err, stored())
	}
	all := func(fail error) iter.Seq2[tablewright.Blob, error] {
		return func(yield func(tablewright.Blob, error) bool) {
			for d, err := range Documents.Scan().Intended().All(ctx, db) {
				if !yield(d.Text, errors.Join(err, fail)) {
					return
				}
			}
		}
	}
	if n, err := o.Sweep(ctx, all(nil), time.Hour); n != 0 || err != nil {
		t.Errorf("within the grace: %d removed, %v", n, err)
	}
	if n, err := o.Sweep(ctx, all(mine), -time.Hour); n != 0 || !errors.Is(err, mine) || stored() != 2 {
		t.Errorf("a scan that fails: %d removed, %v", n, err)
	}
	if n, err := o.Sweep(ctx, all(nil), -time.Hour); n != 1 || err != nil || stored() != 1 {
		t.Errorf("%d removed, %v", n, err)
	}
	d := current()
	if _, err := o.Load(ctx, d); err != nil {
		t.Error(err)
	}
	if err := errors.Join(o.Delete(ctx, d), o.Delete(ctx, d)); err != nil {
		t.Error(err)
	}
	_, err := o.Load(ctx, d)
	isError(t, err, tablewright.ErrNotFound)
	for _, key := range []string{"", "..", "../x", "a/b", ".hidden"} {
		if err := store.Put(ctx, key, nil); err == nil {
			t.Errorf("key %q was taken", key)
		}
	}
	for _, v := range []attr.Value{attr.Bool(true), attr.Map(attr.Item{})} {
		var b tablewright.Blob
		if b.UnmarshalValue(v) == nil {
			t.Errorf("%v was read", v)
		}
	}
	var b tablewright.Blob
	if err := b.UnmarshalValue(attr.Text("before")); err != nil || b.Size() != 6 {
		t.Error(b, err)
	}
}

// An error that is about the answer alone does not take the value away that the item refers to.
func TestOffloadAnswer(t *testing.T) {
	db := open(t, tablewright.Options{}, DocumentsTable)
	ctx := t.Context()
	o := tablewright.Offload{Store: tablewright.Folder(t.TempDir()), Threshold: 10}
	text := []byte(strings.Repeat("x", 100))
	err := o.Write(ctx, tablewright.Blob{}, text, func(b tablewright.Blob) error { _, err := Documents.Put(Document{"d", b}).Old(ctx, db); return err })
	if !errors.Is(err, tablewright.ErrNotFound) || !strings.Contains(err.Error(), "the write was done") {
		t.Error(err)
	}
	d := must[Document](t)(Documents.Get("d").Run(ctx, db))
	if got, err := o.Load(ctx, d.Text); err != nil || !bytes.Equal(got, text) {
		t.Errorf("the item refers to nothing: %v", err)
	}
}
