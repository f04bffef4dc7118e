package tablewright

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
)

// Table is a declared table: what lies in it is declared with Declare, most often in package-level variables. It is not
// tied to a service: the same Table serves any number of DBs. It is safe for concurrent use.
type Table struct {
	p plan.Table

	mu       sync.Mutex
	decls    []*decl
	markers  []*marker
	reads    []boundIndex
	gathers  []gathering
	patterns []PatternInfo
	sealed   bool
	err      error       // of sealing
	usable   atomic.Bool // sealed, without an error
}

// NewTable declares a table. It panics, naming the caller's file and line, if p breaks DynamoDB's rules for names, keys or
// indexes. Types of attributes may be left out: they are taken from the items declared.
func NewTable(p plan.Table) *Table {
	if err := checkTable(&p); err != nil {
		panicAt(1, "table %s: %v", p.Name, err)
	}
	types := maps.Clone(p.Attributes)
	if types == nil {
		types = map[string]plan.Type{}
	}
	p.Attributes = types
	return &Table{p: p}
}

// Name is the declared name.
func (t *Table) Name() string { return t.p.Name }

// panicAt panics with the place of the caller skip frames above the function that calls it.
func panicAt(skip int, format string, args ...any) {
	_, file, line, _ := runtime.Caller(skip + 1)
	panic(fmt.Sprintf("tablewright: %s:%d: ", filepath.Base(file), line) + fmt.Sprintf(format, args...))
}

// checkTable holds a declaration against the rules of
// docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html and Constraints.html.
func checkTable(p *plan.Table) error {
	if err := checkName(p.Name); err != nil {
		return err
	}
	if p.Key.Partition == "" {
		return fmt.Errorf("no partition key")
	}
	if p.Key.Partition == p.Key.Sort {
		return fmt.Errorf("partition and sort key are both %s", p.Key.Sort)
	}
	for name, typ := range p.Attributes {
		if typ != plan.S && typ != plan.N && typ != plan.B {
			return fmt.Errorf("attribute %s has type %q: key attributes are S, N or B", name, typ)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.GSI)) {
		x := p.GSI[name]
		if err := checkIndex(name, x, 1, capacity.IndexPartitionKeyParts, 0, capacity.IndexSortKeyParts); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.LSI)) {
		x := p.LSI[name]
		if len(x.Partition) == 1 && x.Partition[0] != p.Key.Partition {
			return fmt.Errorf("local index %s has another partition key than the table", name)
		}
		if err := checkIndex(name, x, 0, 1, 1, 1); err != nil {
			return err
		}
		if _, twice := p.GSI[name]; twice {
			return fmt.Errorf("two indexes are called %s", name)
		}
	}
	return nil
}

func checkIndex(name string, x plan.Index, minP, maxP, minS, maxS int) error {
	if err := checkName(name); err != nil {
		return fmt.Errorf("index %w", err)
	}
	if len(x.Partition) < minP || len(x.Partition) > maxP {
		return fmt.Errorf("index %s has %d partition attributes: %d to %d are possible", name, len(x.Partition), minP, maxP)
	}
	if len(x.Sort) < minS || len(x.Sort) > maxS {
		return fmt.Errorf("index %s has %d sort attributes: %d to %d are possible", name, len(x.Sort), minS, maxS)
	}
	seen := map[string]bool{}
	for _, a := range slices.Concat(x.Partition, x.Sort) {
		if a == "" || seen[a] {
			return fmt.Errorf("index %s names %q twice, or an attribute without a name", name, a)
		}
		seen[a] = true
	}
	switch x.Project {
	case "", plan.All, plan.Keys, "include":
	default:
		return fmt.Errorf("index %s projects %q: all, keys or include are possible", name, x.Project)
	}
	if (x.Project == "include") != (len(x.Include) > 0) {
		return fmt.Errorf("index %s: project include and a list of attributes go together", name)
	}
	return nil
}

func checkName(name string) error {
	ok := len(name) >= int(capacity.TableNameBytesLeast) && len(name) <= int(capacity.TableNameBytes)
	for i := range len(name) {
		c := name[i]
		ok = ok && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_.-", c) >= 0)
	}
	if !ok {
		return fmt.Errorf("name %q: names have %d to %d letters, digits, _, . or -", name, capacity.TableNameBytesLeast, capacity.TableNameBytes)
	}
	return nil
}

// typeOf is the type of a wire attribute, stated or taken from an item; "" if nothing told it yet.
func (t *Table) typeOf(name string) plan.Type { return t.p.Attributes[name] }

// learn takes the type of a wire attribute from an item.
func (t *Table) learn(name string, typ plan.Type) error {
	if known := t.p.Attributes[name]; known != "" && known != typ {
		return fmt.Errorf("attribute %s is %s here and %s elsewhere", name, typ, known)
	}
	t.p.Attributes[name] = typ
	return nil
}

// keyAttributes are the wire attributes that the table's key and its indexes name, each once.
func (t *Table) keyAttributes() []string {
	set := map[string]bool{t.p.Key.Partition: true}
	if t.p.Key.Sort != "" {
		set[t.p.Key.Sort] = true
	}
	for _, all := range []map[string]plan.Index{t.p.GSI, t.p.LSI} {
		for _, x := range all {
			for _, a := range slices.Concat(x.Partition, x.Sort) {
				set[a] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// index finds an index by name, or the table's own key under the table's name or "".
func (t *Table) index(name string) (plan.Index, bool) {
	if name == "" || name == t.p.Name {
		return plan.Index{Partition: one(t.p.Key.Partition), Sort: one(t.p.Key.Sort), Project: plan.All}, true
	}
	if x, ok := t.p.GSI[name]; ok {
		return x, true
	}
	x, ok := t.p.LSI[name]
	if ok && len(x.Partition) == 0 {
		x.Partition = one(t.p.Key.Partition)
	}
	return x, ok
}

// Seal checks what needs all declarations of t: that every wire attribute has a type; that the keys of two kinds of items,
// markers of Unique included, cannot be mistaken for each other; that no other kind of item can fall into what an index of a
// kind reads, unless a collection or a tag `with:"…"` lists it; and that collections have a field for every kind in their
// partitions. The first call on t does it too; after that nothing more can be declared.
func (t *Table) Seal() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sealed {
		return t.err
	}
	t.sealed = true
	t.err = t.check()
	t.usable.Store(t.err == nil)
	return t.err
}

// ready seals the table before a call. What is only shown does not: declarations may go on.
func (t *Table) ready(db *DB) error {
	switch {
	case db == nil || db.core == nil:
		return &Error{Table: t.p.Name, Time: db.instant(), kinds: []error{ErrInvalid}, cause: errNoDB}
	case t == undeclared.table:
		return t.err
	case t.usable.Load() || db.core == nowhere.core:
		return nil
	}
	return t.Seal()
}

// CreateIn creates the table with its indexes, time to live and stream, and with the settings, and waits until it is usable:
// for tests, local servers and first starts. ErrExists says that there is one already; Compare tells whether it is the
// same.
func (t *Table) CreateIn(ctx context.Context, db *DB, with ...Setting) error {
	if err := t.ready(db); err != nil {
		return err
	}
	s := settingsOf(with)
	if err := createTable(ctx, db, &t.p, s); err != nil {
		return err
	}
	if err := awaitTable(ctx, db, &t.p); err != nil {
		return err
	}
	return s.after(ctx, db, t.p.Name)
}
