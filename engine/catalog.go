package engine

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/iam"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// The engine's own spaces. Those of tables and indexes are numbered from spaceTables on, and no number is used twice.
const (
	spaceMeta    kv.Space = 0 // format, next number, definitions of tables
	spaceStats   kv.Space = 1 // number (4 bytes) → count and bytes of a table or index
	spaceTokens  kv.Space = 3 // client request tokens, see tokens.go
	spacePending kv.Space = 4 // index entries that wait, see lag.go
	spaceTables  kv.Space = 16
)

// collectionsOf is the space of the figures of a table's item collections: number of the table, hash and partition key →
// bytes. Each table has one, so that they go with it at once, however many they are.
func collectionsOf(table kv.Space) kv.Space { return table | 1<<31 }

var (
	keyFormat = []byte("format")
	keyNext   = []byte("next")
)

const tablePrefix = "table/"

// definition is a table as it is stored, in JSON.
type definition struct {
	Region               string
	Space                kv.Space
	ID                   string
	Create               wire.CreateTableInput // as asked for, with the changes since
	Indexes              []indexDefinition     // where the indexes of Create are kept
	Created              int64                 // in nanoseconds since 1970
	OnDemandSince        int64                 // as Created; 0 for a table that never was on demand
	StreamLabel          string
	TTL                  string // attribute; empty if off
	TTLBefore            string // attribute of what TTLChanged ended; empty if that was off
	TTLChanged           int64  // as Created; 0 if never
	Increased, Decreased int64  // as Created; of provisioned throughput
	Budgets              budgets

	State    state                  // of the table: creating, updating or deleting
	Doing    string                 `json:",omitempty"` // what is updated, while State says so
	Before   *wire.CreateTableInput `json:",omitempty"` // as asked for before that
	Going    []goingIndex           `json:",omitempty"` // indexes that are told to be deleted
	SSEState state
	Warm     warmth

	Policies []policy             `json:",omitempty"` // of the table and its streams
	Backups  pointInTime          // recovery
	Kinesis  []kinesisDestination `json:",omitempty"`
	Insights []insights           `json:",omitempty"`
}

// indexDefinition is where an index is kept and whether it is complete.
type indexDefinition struct {
	Name                 string
	Kind                 indexKind
	Space                kv.Space
	Filling              bool  // entries of items that were there before are still added
	State                state // creating or updating
	Warm                 warmth
	Increased, Decreased int64 // as of the table
	Budget               budget
}

// goingIndex is a global index that is gone but still told to be deleted.
type goingIndex struct {
	Index wire.Index
	Until int64
}

type indexKind uint8

const (
	globalIndex indexKind = iota
	localIndex
	expiryIndex // of the engine itself: items by time to live
)

// expiryName is the name of an expiry index, which no user's index can have.
const expiryName = "\x00expiry"

// table is a table as operations use it. It does not change: a changed definition makes a new one.
type table struct {
	def      *definition
	id       tableID
	name     string
	space    kv.Space
	key      expr.KeySchema
	names    []string               // of the key's attributes
	indexes  []*index               // in the order of the definition: local, global, expiry
	locals   bool                   // has local indexes
	policies map[string]*iam.Policy // of the table, "", and of streams by label; nil if there are none
	stream   *stream                // that records the changes; nil if there is none
}

// index is an index as operations use it.
type index struct {
	name    string
	kind    indexKind
	space   kv.Space
	key     expr.KeySchema
	filling bool
	state   state // creating or updating
	entries capacity.Index
}

// catalog is all tables at a time, and all streams, of which some have outlived their tables.
type catalog struct {
	byID    map[tableID]*table
	streams map[streamID]*stream
}

// lookup finds a table for an operation on items, by name or ARN.
func (e *session) lookup(name string) (*table, error) {
	t := e.catalog.Load().byID[e.id(e.nameOf(name))]
	if t == nil || !e.usable(t) || !e.permits(t) {
		return nil, errNoTable
	}
	e.table = t.name
	return t, nil
}

var errNoTable = &wire.Error{Code: wire.CodeResourceNotFound, Message: "Requested resource not found"}

// current is t as it is now, within an update: an operation has looked t up before, and it may have changed or gone since.
func (e *Engine) current(t *table) (*table, error) { return e.ahead.Load().current(t) }

// shown is current within a view.
func (e *Engine) shown(t *table) (*table, error) { return e.catalog.Load().current(t) }

func (c *catalog) current(t *table) (*table, error) {
	now := c.byID[t.id]
	switch {
	case now == t:
		return t, nil
	case now == nil || now.space != t.space || now.def.State.Name == deleting:
		return nil, errNoTable
	}
	return now, nil
}

// nameOf is the table's name in an ARN, or what it is given.
func (e *session) nameOf(name string) string {
	if strings.HasPrefix(name, "arn:") {
		if own, ok := strings.CutPrefix(e.here(name), e.arn("")); ok {
			return own
		}
	}
	return name
}

// here is an ARN in the Region whose tables all Regions show with Options.ShareRegions, whatever Region it names: a program makes
// it with the one that it asks.
func (e *session) here(arn string) string {
	if !e.options.ShareRegions {
		return arn
	}
	part := splitARN(arn)
	if len(part) < 6 || part[2] != "dynamodb" {
		return arn
	}
	part[3] = e.region
	return strings.Join(part, ":")
}

func (e *session) arn(table string) string {
	return e.Engine.arn(tableID{e.region, table})
}

// arn is the name of a table in all the world.
func (e *Engine) arn(t tableID) string {
	return "arn:aws:dynamodb:" + t.region + ":" + e.options.Account + ":table/" + t.name
}

// index finds an index that a request names.
func (t *table) index(name string) *index {
	for _, x := range t.indexes {
		if x.name == name && x.kind != expiryIndex {
			return x
		}
	}
	return nil
}

// build makes a table of its definition.
func build(def *definition) *table {
	t := &table{def: def, id: tableID{def.Region, def.Create.TableName}, name: def.Create.TableName, space: def.Space}
	kinds := map[string]attr.Kind{}
	for _, a := range def.Create.Attributes {
		kinds[a.Name] = kindOf(a.Type)
	}
	t.key = keySchema(def.Create.Key, kinds)
	t.names = keyNames(t.key)
	t.policies = readPolicies(def)
	add := func(kind indexKind, w *wire.Index) {
		x := &index{name: w.Name, kind: kind, key: keySchema(w.Key, kinds)}
		x.key.Index = w.Name // messages about its key name it
		x.entries = capacity.Index{TableKey: t.names, Key: keyNames(x.key), Projection: capacity.All}
		if p := w.Projection; p != nil {
			switch p.Type {
			case "KEYS_ONLY":
				x.entries.Projection = capacity.KeysOnly
			case "INCLUDE":
				x.entries.Projection, x.entries.Include = capacity.Include, p.NonKey
			}
		}
		i := slices.IndexFunc(def.Indexes, func(d indexDefinition) bool { return d.Name == w.Name })
		x.space, x.filling, x.state = def.Indexes[i].Space, def.Indexes[i].Filling, def.Indexes[i].State
		t.indexes = append(t.indexes, x)
	}
	for i := range def.Create.Local {
		add(localIndex, &def.Create.Local[i])
		t.locals = true
	}
	for i := range def.Create.Global {
		add(globalIndex, &def.Create.Global[i])
	}
	for _, d := range def.Indexes {
		if d.Kind != expiryIndex {
			continue
		}
		key := expr.KeySchema{Hash: []expr.KeyAttr{{Name: def.TTL, Kind: attr.KindN}}}
		t.indexes = append(t.indexes, &index{
			name: d.Name, kind: expiryIndex, space: d.Space, filling: d.Filling, key: key,
			entries: capacity.Index{TableKey: t.names, Key: []string{def.TTL}, Projection: capacity.KeysOnly},
		})
	}
	// Of several bad index keys that of the first index by name is told (captured on AWS).
	slices.SortStableFunc(t.indexes, func(a, b *index) int { return strings.Compare(a.name, b.name) })
	return t
}

func kindOf(name string) attr.Kind {
	switch name {
	case "S":
		return attr.KindS
	case "N":
		return attr.KindN
	}
	return attr.KindB
}

func keySchema(l []wire.KeyElement, kinds map[string]attr.Kind) (s expr.KeySchema) {
	for _, k := range l {
		a := expr.KeyAttr{Name: k.Name, Kind: kinds[k.Name]}
		if k.Type == "HASH" {
			s.Hash = append(s.Hash, a)
		} else {
			s.Range = append(s.Range, a)
		}
	}
	return s
}

func keyNames(s expr.KeySchema) (names []string) {
	for _, a := range s.Hash {
		names = append(names, a.Name)
	}
	for _, a := range s.Range {
		names = append(names, a.Name)
	}
	return names
}

// readCatalog reads all definitions.
func readCatalog(r kv.Reader) (c *catalog, err error) {
	c = &catalog{byID: map[tableID]*table{}}
	if c.streams, err = readStreams(r); err != nil {
		return c, err
	}
	r.Ascend(spaceMeta, []byte(tablePrefix), []byte(tablePrefix+"\xff"), func(key, value []byte) bool {
		def := new(definition)
		if err = json.Unmarshal(value, def); err != nil {
			err = fmt.Errorf("engine: definition of %s: %w", key, err)
			return false
		}
		t := build(def)
		if id, enabled := t.streamID(); enabled {
			t.stream = c.streams[id]
		}
		c.byID[t.id] = t
		return true
	})
	return c, err
}

// define runs f in an update and keeps the definition that it returns for the table of that identity; nil removes the
// table. Operations see it from the same moment on: they run in the same order of updates. f may be run more than once. It
// may look at the catalog: nothing else is ahead of the disk while control is held.
// Indexes that the definition adds are filled then: those of a small table before define returns.
func (e *Engine) define(id tableID, f func(w kv.Writer) (*definition, error)) error {
	before, after, err := e.redefine(id, f)
	if err == nil && after != nil {
		e.startFills(before, after)
	}
	return err
}

// redefine is define without what follows; it returns the table before and after.
func (e *Engine) redefine(id tableID, f func(w kv.Writer) (*definition, error)) (before, after *table, err error) {
	e.control.Lock()
	defer e.control.Unlock()
	before = e.catalog.Load().byID[id]
	err = e.store.Update(func(w kv.Writer) error {
		def, err := f(w)
		if err != nil {
			return err
		}
		if def != nil && e.options.StateTime <= 0 {
			def.settle()
		}
		old, now := e.catalog.Load(), e.nanoseconds()
		c := &catalog{byID: make(map[tableID]*table, len(old.byID)+1), streams: old.streams}
		for n, t := range old.byID {
			switch {
			case n == id:
			case t.gone(now):
				w.Delete(spaceMeta, n.key())
			default:
				c.byID[n] = t
			}
		}
		if err := e.keep(w, c, old, id, def); err != nil {
			return err
		}
		e.follow(w, c)
		return nil
	})
	after = e.catalog.Load().byID[id]
	e.metrics.forget(before, after)
	return before, after, err
}

// follow has later updates see a catalog, those of the same commit too, and everybody else when it is on disk.
func (e *Engine) follow(w kv.Writer, c *catalog) {
	before := e.ahead.Load()
	w.Undone(func() { e.ahead.Store(before) })
	w.Done(func() { e.catalog.Store(c) })
	e.ahead.Store(c)
}

// key is where the table's definition is stored.
func (t tableID) key() []byte { return []byte(tablePrefix + t.region + "/" + t.name) }

// keep keeps the definition of a table, or removes the table if it is nil, in c, which becomes the catalog after old; the
// table's stream follows.
func (e *Engine) keep(w kv.Writer, c, old *catalog, id tableID, def *definition) error {
	if def == nil {
		w.Delete(spaceMeta, id.key())
	} else {
		text, err := json.Marshal(def)
		if err != nil {
			return err
		}
		w.Put(spaceMeta, id.key(), text)
		c.byID[id] = build(def)
	}
	return e.followStream(w, c, old.byID[id], c.byID[id])
}

// number takes the next number for a space: one that no update has had before, not even one that was undone. What is kept in
// memory by the number, such as what a throttled index consumed, is then never another one's.
func (e *Engine) number(w kv.Writer) kv.Space {
	next := max(e.nextNumber, spaceTables)
	if v := w.Get(spaceMeta, keyNext); v != nil {
		next = max(next, kv.Space(binary.BigEndian.Uint32(v)))
	}
	e.nextNumber = next + 1
	w.Put(spaceMeta, keyNext, binary.BigEndian.AppendUint32(nil, uint32(next)+1))
	return next
}
