package tablewrighttest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
)

func init() {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "write golden files instead of comparing with them")
	}
}

// Updating reports whether the tests run with -update. The flag is this package's: where a test package has golden files of
// its own kind, too, they ask here.
func Updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// Golden holds the items of tables, or of all tables, to a file: each table by its name, an item a line, in the order of the
// keys, as they are stored. A difference fails the test and is told by items and attributes; with -update the file is written
// instead.
func (k *Kit) Golden(t testing.TB, file string, tables ...*tablewright.Table) {
	t.Helper()
	if len(tables) == 0 {
		tables = k.tables
	}
	var names []string
	for _, table := range tables {
		names = append(names, k.DB.TableName(table.Name()))
	}
	now := k.Engine.Snapshot(t, names...)
	if Updating() {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatalf("tablewrighttest: %v", err)
		}
		if err := os.WriteFile(file, []byte(now.String()), 0o644); err != nil {
			t.Fatalf("tablewrighttest: %v", err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	if string(text) == now.String() {
		return
	}
	then, err := k.parse(t, place(file), string(text), tables)
	if err != nil {
		t.Fatalf("%v (go test -update writes it anew)", err)
	}
	if d := then.Diff(now); d != "" {
		t.Errorf("the items are not those of %s (+ came, - went, ~ changed; go test -update takes them over):\n%s", place(file), d)
	}
}

// parse reads a golden file into an engine of its own, whose differences are told readably.
func (k *Kit) parse(t testing.TB, file, text string, tables []*tablewright.Table) (*engine.Snapshot, error) {
	t.Helper()
	e := engine.New(t, engine.Options{Clock: k.Clock})
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Clock: k.Clock, TableName: k.DB.TableName})
	byName := map[string]*tablewright.Table{}
	var names []string
	for _, table := range tables {
		name := k.DB.TableName(table.Name())
		names, byName[name] = append(names, name), table
		if err := table.CreateIn(context.Background(), db); err != nil {
			return nil, err
		}
	}
	var table *tablewright.Table
	var items []attr.Item
	flush := func() error {
		if table == nil || len(items) == 0 {
			return nil
		}
		err := putRaw(db, table, items)
		items = nil
		return err
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		switch item, indented := strings.CutPrefix(line, "  "); {
		case line == "":
		case !indented:
			if err := flush(); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n, err)
			}
			if table = byName[line]; table == nil {
				return nil, fmt.Errorf("%s:%d: there is no table %s among %s", file, n, line, strings.Join(names, ", "))
			}
		default:
			it, err := attr.ParseItem([]byte(item))
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n, err)
			}
			items = append(items, it)
		}
	}
	if err := flush(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return e.Snapshot(t, names...), nil
}

// putRaw writes items as they are.
func putRaw(db *tablewright.DB, table *tablewright.Table, items []attr.Item) error {
	var all iter.Seq[attr.Item] = func(yield func(attr.Item) bool) {
		for _, it := range items {
			if !yield(it) {
				return
			}
		}
	}
	return table.Raw().PutAll(all).Run(context.Background(), db)
}
