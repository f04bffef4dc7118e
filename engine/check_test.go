package engine_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// TestCheckFinds damages data in every way that Check looks for.
func TestCheckFinds(t *testing.T) {
	const table, lsi, gsi = 16, 17, 18 // spaces of a first table with the indexes of schema
	const collections = table | 1<<31
	first := func(w kv.Writer, s kv.Space) (key, value []byte) {
		w.Ascend(s, nil, nil, func(k, v []byte) bool {
			key, value = bytes.Clone(k), bytes.Clone(v)
			return false
		})
		return key, value
	}
	for _, c := range []struct {
		what   string
		damage func(w kv.Writer)
		want   []string
	}{
		{"nothing", func(kv.Writer) {}, nil},
		{"an item lost", func(w kv.Writer) { k, _ := first(w, table); w.Delete(table, k) }, []string{"but figures say", "has no item", "item collection"}},
		{"an entry lost", func(w kv.Writer) { k, _ := first(w, gsi); w.Delete(gsi, k) }, []string{"index gsi: no entry", "index gsi: 1 entries"}},
		{"an entry moved", func(w kv.Writer) { k, v := first(w, lsi); w.Delete(lsi, k); w.Put(lsi, append(k, 1), v) }, []string{"index lsi: no entry", "has no item"}},
		{"an entry changed", func(w kv.Writer) {
			k, v := first(w, gsi)
			w.Put(gsi, k, bytes.Replace(v, []byte(`"x"`), []byte(`"y"`), 1))
		}, []string{"is not what its item makes it"}},
		{"a size changed", func(w kv.Writer) { k, v := first(w, table); v[0]++; w.Put(table, k, v) }, []string{"is stored as"}},
		{"text damaged", func(w kv.Writer) { k, v := first(w, table); v[1] = '['; w.Put(table, k, v) }, []string{"is not an item in"}},
		{"an item under another key", func(w kv.Writer) { k, v := first(w, table); w.Delete(table, k); w.Put(table, append(k, 1), v) }, []string{"is not under its key"}},
		{"figures lost", func(w kv.Writer) { k, _ := first(w, 1); w.Delete(1, k) }, []string{"but figures say 0 of 0"}},
		{"figures of a collection lost", func(w kv.Writer) { k, _ := first(w, collections); w.Delete(collections, k) }, []string{"has no figures"}},
	} {
		dir := t.TempDir()
		e, err := engine.Open(dir, &engine.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		do(t, e, "CreateTable", schema)
		for i := range 2 {
			do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"p"},"sk":{"N":"%d"},"g":{"S":"g"},"h":{"N":"1"},"l":{"S":"l"},"v":{"S":"x"}}}`, i)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		b, err := kv.OpenDurable(dir, kv.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Update(func(w kv.Writer) error { c.damage(w); return nil }); err != nil {
			t.Fatal(err)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		if e, err = engine.Open(dir, nil); err != nil {
			t.Fatal(err)
		}
		err = e.Check()
		if len(c.want) == 0 && err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nwant %s", c.what, err, want)
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCheckOrder: the same damage is told in the same words, table by table.
func TestCheckOrder(t *testing.T) {
	s := kv.NewMemory()
	e, err := engine.OpenStore(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var want []string
	for _, name := range []string{"ccc", "aaa", "bbb"} {
		do(t, e, "CreateTable", strings.Replace(schema, `"tbl"`, `"`+name+`"`, 1))
		for i := range 5 {
			do(t, e, "PutItem", `{"TableName":"%s","Item":{"pk":{"S":"%d"},"sk":{"N":"1"},"g":{"S":"g"},"h":{"N":"1"},"l":{"S":"l"}}}`, name, i)
		}
		want = append(want, name)
	}
	slices.Sort(want)
	err = s.Update(func(w kv.Writer) error {
		for first := kv.Space(16); first < 28; first += 4 {
			w.Drop(first | 1<<31) // item collections
			w.Drop(first + 1)     // a local index
			var entries [][]byte
			w.Ascend(first+2, nil, nil, func(k, _ []byte) bool { entries = append(entries, bytes.Clone(k)); return true })
			for _, k := range entries {
				w.Delete(first+2, k)
				w.Put(first+2, append(k, 1), []byte{0})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	told := e.Check().Error()
	var tables []string
	for line := range strings.Lines(told) {
		tables = append(tables, strings.TrimPrefix(line[:strings.Index(line, ":")], "table "))
	}
	if !slices.IsSorted(tables) || !slices.Equal(slices.Compact(tables), want) || len(tables) < 3*20 {
		t.Errorf("told of %v:\n%s", tables, told)
	}
	for range 5 {
		if again := e.Check().Error(); again != told {
			t.Fatalf("first\n%s\nthen\n%s", told, again)
		}
	}
}
