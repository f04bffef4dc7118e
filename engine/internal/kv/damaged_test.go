package kv_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine/internal/kv"
)

// TestDamagedFile: whichever page of the file of tables is damaged, opening, reading, writing and compacting it are done or
// refused, and never end the process; a list of free pages that cannot be read refuses the opening, with the remedy.
func TestDamagedFile(t *testing.T) {
	const page = 4096
	dir := t.TempDir()
	fill := func(store kv.Store, value string) error {
		for i := range 10 {
			err := store.Update(func(w kv.Writer) error {
				for j := range 20 {
					w.Put(kv.Space(1+i%2), fmt.Appendf(nil, "key %d of %d", j, i), []byte(strings.Repeat(value, 200)))
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	store, err := kv.OpenDurable(dir, kv.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"a", "b"} { // twice, for free pages
		if err := fill(store, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, kv.TablesFile))
	if err != nil {
		t.Fatal(err)
	}
	damages := []struct {
		at    int
		value uint16
	}{{8, 0xffff}, {8, 0}, {8, 0x10}} // kinds of a page: none that there is, none, a list of free pages
	lists, refused, failed := 0, 0, 0
	for at := 2 * page; at < len(whole); at += page {
		kind := binary.LittleEndian.Uint16(whole[at+8:])
		if kind == 0 {
			continue // never written
		}
		for _, d := range damages {
			one := t.TempDir()
			content := append([]byte(nil), whole...)
			binary.LittleEndian.PutUint16(content[at+d.at:], d.value)
			if err := os.WriteFile(filepath.Join(one, kv.TablesFile), content, 0o600); err != nil {
				t.Fatal(err)
			}
			store, err := kv.OpenDurable(one, kv.Options{NoSync: true, Memory: 1 << 10}) // so little that it is written to the file
			if err != nil {
				refused++
				if kind == 0x10 { // a list of free pages
					if lists++; !strings.Contains(err.Error(), "go back to a copy") {
						t.Errorf("page %d: %v", at/page, err)
					}
				}
				continue
			}
			read := func() error {
				return store.View(func(r kv.Reader) error {
					for s := range kv.Space(3) {
						r.Ascend(s, nil, nil, func(_, _ []byte) bool { return true })
					}
					return nil
				})
			}
			for _, err := range []error{read(), fill(store, "c"), read(), store.Close()} {
				if err != nil {
					failed++
				}
			}
			_ = kv.Compact(one)
		}
	}
	t.Logf("%d pages: %d refused, %d steps failed", len(whole)/page, refused, failed)
	if lists == 0 || failed == 0 {
		t.Errorf("the test damages nothing that counts: %d lists of free pages, %d steps that failed", lists, failed)
	}
}
