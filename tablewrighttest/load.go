package tablewrighttest

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/near"
)

// rawKind is the name, in a file, of items as they are stored.
const rawKind = "raw"

// Load writes the items of files, past conditions and hooks. Files with the extension .yaml, .yml or .json have tables by
// their declared names, in them kinds of items by theirs, and in these lists of items: attributes by the names that tags
// give them, values as they are written by hand. Times are as of RFC 3339, sets are lists, binary is base64. Key and index
// attributes are computed; a version that is missing is 1, created and updated times are now. Attributes that the kind does
// not have are a mistake, and end the test with the place.
//
// The kind "raw" has items in DynamoDB JSON, as they are stored.
//
// Files with the extension .ndjson or .jsonl have an object on each line with one item by its kind, {"Order": {…}}, and the
// table, {"Table": "Shop", "Order": {…}}, where the kit has several; {"Item": {…}} is a raw one, as AWS exports tables.
func (k *Kit) Load(t testing.TB, files ...string) {
	t.Helper()
	for _, file := range files {
		if err := k.load(file); err != nil {
			t.Fatalf("tablewrighttest: %v", err)
		}
	}
}

func (k *Kit) load(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	nodes, err := parseFile(file, text)
	if err != nil {
		return err
	}
	l := loader{kit: k, items: map[*tablewright.Table][]attr.Item{}, places: map[string]string{}}
	take := l.document
	switch filepath.Ext(file) {
	case ".ndjson", ".jsonl":
		take = l.line
	}
	for _, n := range nodes {
		if err := take(n); err != nil {
			return err
		}
	}
	for _, table := range k.tables {
		if items := l.items[table]; len(items) > 0 {
			if err := putRaw(k.direct, table, items); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	return nil
}

// loader collects the items of a file.
type loader struct {
	kit    *Kit
	items  map[*tablewright.Table][]attr.Item
	places map[string]string // of items, by table and key
}

// document takes a file of tables.
func (l *loader) document(n node) error {
	if n.kind != nodeMap {
		return n.errorf("tables by their names are wanted, not %v", n.kind)
	}
	for _, m := range n.fields {
		table, err := l.table(m.node, m.name)
		if err != nil {
			return err
		}
		if m.node.kind != nodeMap {
			return m.node.errorf("kinds of items of %s by their names are wanted, not %v", m.name, m.node.kind)
		}
		for _, kind := range m.node.fields {
			if kind.node.kind != nodeList {
				return kind.node.errorf("a list of items of %s is wanted, not %v", kind.name, kind.node.kind)
			}
			for _, item := range kind.node.list {
				if err := l.item(table, kind.name, item); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// line takes one item.
func (l *loader) line(n node) error {
	if n.kind != nodeMap {
		return n.errorf("an item by its kind is wanted, not %v", n.kind)
	}
	var table *tablewright.Table
	if len(l.kit.tables) == 1 {
		table = l.kit.tables[0]
	}
	if name, ok := n.get("Table"); ok {
		var err error
		if table, err = l.table(name, name.text); err != nil {
			return err
		}
	}
	if table == nil {
		return n.errorf(`the kit has several tables: name one, "Table": "…"`)
	}
	for _, m := range n.fields {
		kind := m.name
		switch kind {
		case "Table":
			continue
		case "Item":
			kind = rawKind
		}
		if err := l.item(table, kind, m.node); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) table(at node, name string) (*tablewright.Table, error) {
	var names []string
	for _, t := range l.kit.tables {
		if t.Name() == name {
			return t, nil
		}
		names = append(names, t.Name())
	}
	return nil, at.errorf("the kit was started without a table %s%s", name, meant(name, names))
}

// meant suggests a name for one that is not among others.
func meant(name string, names []string) string {
	if n := near.Name(name, names); n != "" {
		return ": is " + n + " meant?"
	}
	return ": there is " + strings.Join(names, ", ")
}

// item takes an item of a kind.
func (l *loader) item(table *tablewright.Table, kind string, n node) error {
	if n.kind != nodeMap {
		return n.errorf("an item of %s is wanted, not %v", kind, n.kind)
	}
	it, err := l.stored(table, kind, n)
	if err != nil {
		return err
	}
	key := table.Name()
	p := table.Definition()
	for _, name := range []string{p.Key.Partition, p.Key.Sort} {
		if name != "" {
			key += string(attr.AppendValue(nil, it.Get(name)))
		}
	}
	if other, twice := l.places[key]; twice {
		return n.errorf("it has the key of the item at %s", other)
	}
	l.places[key] = n.at
	l.items[table] = append(l.items[table], it)
	return nil
}

// stored makes an item as the table has it.
func (l *loader) stored(table *tablewright.Table, kind string, n node) (it attr.Item, err error) {
	if kind == rawKind {
		if it, err = attr.ParseItem(n.json(nil)); err != nil {
			return it, n.errorf("%w", err)
		}
		return it, nil
	}
	kinds := table.Kinds()
	i := slices.IndexFunc(kinds, func(k tablewright.Kind) bool { return k.Name() == kind })
	if i < 0 {
		names := []string{rawKind}
		for _, k := range kinds {
			names = append(names, k.Name())
		}
		return it, n.errorf("table %s has no kind of items %s%s", table.Name(), kind, meant(kind, names))
	}
	v, err := structure(n, kinds[i].Type())
	if err != nil {
		return it, err
	}
	item, err := kinds[i].Decode(attr.AppendItem(nil, v.Map()))
	if err != nil {
		return it, n.errorf("%w", err)
	}
	p := reflect.New(kinds[i].Type())
	p.Elem().Set(reflect.ValueOf(item))
	if err := l.roles(p.Elem()); err != nil {
		return it, n.errorf("%w", err)
	}
	text, err := kinds[i].Encode(p.Interface())
	if err != nil {
		return it, n.errorf("%w", err)
	}
	return attr.ParseItem(text)
}

// roles fills in what the client would: the first version, the times.
func (l *loader) roles(item reflect.Value) error {
	fields, err := attr.Fields(item.Type())
	if err != nil {
		return err
	}
	now := l.kit.Clock.Now().UTC().Truncate(time.Millisecond)
	for _, f := range fields {
		v, err := item.FieldByIndexErr(f.Index)
		if err != nil || f.Role == attr.RoleNone || !v.IsZero() { // in an embedded struct that is not there nothing is filled in
			continue
		}
		switch f.Role {
		case attr.RoleVersion:
			if v.CanInt() {
				v.SetInt(1)
			} else if v.CanUint() {
				v.SetUint(1)
			}
		case attr.RoleCreated, attr.RoleUpdated:
			if v.Kind() == reflect.Pointer {
				v.Set(reflect.ValueOf(&now))
			} else {
				v.Set(reflect.ValueOf(now))
			}
		}
	}
	return nil
}
