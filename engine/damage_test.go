package engine_test

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/norace"
)

// TestDamagedPages flips a bit in the header or the directory of a page of the file of tables. Pages have no checksums
// (STORAGE.md): what is told of such a file is what does not fit together. The process lives on, and where neither opening
// nor Check complains everything is as it was.
func TestDamagedPages(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	const items, page = 300, 4096
	dir := t.TempDir()
	e := openDamaged(t, dir)
	do(t, e, "CreateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST",
		"GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}`)
	text := strings.Repeat("x", 400)
	for i := range items {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"g":{"S":"g%d"},"v":{"S":"%s"}}}`, i, i%20, text)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	told, failed := 0, 0
	r := rand.New(rand.NewPCG(1, 1))
	for range 80 {
		at := (2+r.IntN(len(whole)/page-2))*page + 8 + r.IntN(32) // behind the two pages that bbolt has checksums for
		one := t.TempDir()
		content := append([]byte(nil), whole...)
		content[at] ^= 1 << r.IntN(8)
		if err := os.WriteFile(filepath.Join(one, "tables.db"), content, 0o600); err != nil {
			t.Fatal(err)
		}
		e, err := engine.Open(one, &engine.Options{NoSync: true, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
		if err != nil {
			told++
			continue
		}
		var wrong []string
		for i := range items {
			answer, err := try(e, "GetItem", `{"TableName":"tbl","Key":{"pk":{"S":"%d"}},"ProjectionExpression":"v"}`, i)
			if err != nil {
				failed++
			}
			if got := fmt.Sprint(answer); err != nil || got != "map[Item:map[v:map[S:"+text+"]]]" {
				wrong = append(wrong, fmt.Sprintf("item %d: %.80s %v", i, got, err))
			}
		}
		if err := e.Check(); err != nil {
			told++
		} else if len(wrong) > 0 {
			t.Errorf("a bit of byte %d of page %d: nobody says that %s", at%page, at/page, strings.Join(wrong, ", "))
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d told, %d reads failed", told, failed)
	if told == 0 || failed == 0 {
		t.Error("the test damages nothing that counts")
	}
}

func openDamaged(t *testing.T, dir string) *engine.Engine {
	t.Helper()
	e, err := engine.Open(dir, &engine.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	return e
}
