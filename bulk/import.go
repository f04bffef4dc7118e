package bulk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
)

// ImportOptions of Import; the zero value reads lines of DynamoDB JSON and writes as fast as the table takes them, one request
// at a time.
type ImportOptions struct {
	Format Format
	Header []string             // of CSV: the attributes, where the first line does not name them
	Comma  rune                 // of CSV: between fields; 0: a comma
	Types  map[string]plan.Type // of CSV: attributes that are no texts: N, B (base64), BOOL, or JSON for what is composed

	Parallel int                 // requests under way at once; 0: 1
	Rate     capacity.WriteUnits // write units a second, those of index entries included; 0: no limit

	State    string         // file that says how far it is; "": it cannot go on
	Progress func(Progress) // is told after each block; nil: nobody is
	Refused  func(Refusal)  // is told of each line that is not written; nil: nobody is
}

// Refusal is a line that was not written, and why. Its error names attributes, and of values nothing that the service's own
// messages do not have.
type Refusal struct {
	Line int // from 1; of CSV the line on which the record begins
	Err  error
}

// Imported is what an import came to. Items and Refused include what an earlier run of the same import did, Write does not.
type Imported struct {
	Items    int64
	Refused  int64
	Refusals []Refusal // of this run, the first 1,000
	Write    capacity.WriteUnits
	Resumed  bool
}

const keptRefusals = 1000

// importState is the file in which an import that stopped says where.
type importState struct {
	Version int    `json:"tablewright"`
	Table   string `json:"table"`
	Format  Format `json:"format"`
	Size    int64  `json:"size"`    // of the file; 0: it is none
	Records int64  `json:"records"` // that have been dealt with
	Items   int64  `json:"items"`
	Refused int64  `json:"refused"`
}

// Import writes the items of a file into a table: those of an entity by its type, or as they are with Table.Raw. Items that
// are there already are replaced. Its error says why it stopped, with some items written; lines that were refused are none,
// they are in the result.
//
// An entity with a version takes no part in batches: its items are put one by one, and each has to have the version that is
// stored (none for a new item). To load such items as they were exported use Table.Raw.
func Import[K, T any](ctx context.Context, db *tablewright.DB, into *tablewright.Entity[K, T], from io.Reader, o ImportOptions) (Imported, error) {
	if o.Format == "" {
		o.Format = DynamoDBJSON
	}
	m := importing[K, T]{ctx: ctx, into: into, o: &o, clock: time.Now()}
	m.db = db.Measure(&m.used)
	d, err := tablewright.Describe(ctx, db, into.Table().Name())
	if err != nil {
		return Imported{}, err
	}
	m.table, m.check = d.Table, entryCheck(&d.Table, raw[T]())
	m.state = importState{Version: stateVersion, Table: d.Table.Name, Format: o.Format}
	if f, ok := from.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			m.state.Size = info.Size()
		}
	}
	if err := m.resume(); err != nil {
		return Imported{}, err
	}
	s, err := newSource(from, &o, d.Table.Attributes)
	if err != nil {
		return m.done, err
	}
	return m.run(s)
}

// raw reports whether items are taken as they are.
func raw[T any]() bool {
	_, is := any(new(T)).(*attr.Item)
	return is
}

// importing is an import under way.
type importing[K, T any] struct {
	ctx   context.Context
	db    *tablewright.DB
	into  *tablewright.Entity[K, T]
	o     *ImportOptions
	table plan.Table
	check func(attr.Item) error
	used  tablewright.Usage
	clock time.Time // when this run began
	state importState
	done  Imported
	items []T
	lines []int
}

func (m *importing[K, T]) resume() error {
	if m.o.State == "" {
		return nil
	}
	before := m.state
	there, err := readState(m.o.State, &before)
	if err != nil || !there {
		return err
	}
	if before.Table != m.state.Table || before.Format != m.state.Format || before.Size != m.state.Size {
		return fmt.Errorf("bulk: %s is of an import of another file, or to another table: remove it to begin anew", m.o.State)
	}
	m.state, m.done.Resumed = before, true
	return nil
}

// block is how many items are written before it is noted that they are. With a rate it is what takes about five seconds.
func (m *importing[K, T]) block() int {
	if m.o.Rate <= 0 {
		return 100 * capacity.BatchWriteItems
	}
	return min(max(capacity.BatchWriteItems, 5*int(m.o.Rate)), 100*capacity.BatchWriteItems)
}

func (m *importing[K, T]) run(s source) (Imported, error) {
	skip := m.state.Records
	read := m.state.Records
	for {
		it, line, bad, err := s.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return m.result(), fmt.Errorf("bulk: behind line %d: %w", line, err)
		}
		if skip > 0 {
			skip--
			continue
		}
		read++
		if bad == nil {
			bad = m.take(it, line)
		}
		if bad != nil {
			m.refuse(line, bad)
		}
		if len(m.items) >= m.block() {
			if err := m.write(read); err != nil {
				return m.result(), err
			}
		}
	}
	if err := m.write(read); err != nil {
		return m.result(), err
	}
	if m.o.State != "" {
		if err := forget(m.o.State); err != nil {
			return m.result(), fmt.Errorf("bulk: %w", err)
		}
	}
	return m.result(), nil
}

// take puts an item into the block.
func (m *importing[K, T]) take(it attr.Item, line int) error {
	if err := m.check(it); err != nil {
		return err
	}
	var item T
	if whole, raw := any(&item).(*attr.Item); raw {
		*whole = it
	} else if err := attr.UnmarshalItem(it, &item); err != nil {
		return err
	}
	m.items, m.lines = append(m.items, item), append(m.lines, line)
	return nil
}

func (m *importing[K, T]) refuse(line int, err error) {
	m.state.Refused++
	r := Refusal{line, err}
	if len(m.done.Refusals) < keptRefusals {
		m.done.Refusals = append(m.done.Refusals, r)
	}
	if m.o.Refused != nil {
		m.o.Refused(r)
	}
}

// write writes the block, and notes that all records up to here have been dealt with.
func (m *importing[K, T]) write(records int64) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	err := m.into.PutAll(slices.Values(m.items)).Parallel(m.o.Parallel).Rate(m.o.Rate).Run(m.ctx, m.db)
	written := len(m.items)
	var part *tablewright.BatchError
	if errors.As(err, &part) {
		for _, f := range part.Failed {
			why, stop := m.alone(f)
			if stop != nil {
				return stop
			}
			if why != nil {
				written--
				m.refuse(m.lines[f.Index], why)
			}
		}
	} else if err != nil {
		return err
	}
	m.state.Items += int64(written)
	m.state.Records = records
	m.items, m.lines = m.items[:0], m.lines[:0]
	if m.o.State != "" {
		if err := writeState(m.o.State, &m.state); err != nil {
			return err
		}
	}
	if m.o.Progress != nil {
		m.o.Progress(Progress{Items: m.state.Items, Refused: m.state.Refused, Units: m.used.Sum()})
	}
	return m.pace()
}

// alone puts one item that failed in a batch again. The service refuses a batch of 25 for one bad item
// (docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html), so that this tells which it was. why is that
// the item cannot be written; stop that nothing can.
func (m *importing[K, T]) alone(f tablewright.Failure) (why, stop error) {
	if !errors.Is(f.Err, tablewright.ErrInvalid) {
		return nil, f.Err
	}
	err := m.into.Put(m.items[f.Index]).Run(m.ctx, m.db)
	for _, kind := range []error{tablewright.ErrInvalid, tablewright.ErrConditionFailed, tablewright.ErrLimit} {
		if errors.Is(err, kind) {
			return err, nil
		}
	}
	return nil, err
}

// pace waits until what was written so far was due: between blocks, as Batch.Rate does within one.
func (m *importing[K, T]) pace() error {
	if m.o.Rate <= 0 {
		return nil
	}
	due := time.Duration(float64(m.used.Sum().Write) / float64(m.o.Rate) * float64(time.Second))
	t := time.NewTimer(due - time.Since(m.clock))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-m.ctx.Done():
		return m.ctx.Err()
	}
}

func (m *importing[K, T]) result() Imported {
	m.done.Items, m.done.Refused, m.done.Write = m.state.Items, m.state.Refused, m.used.Sum().Write
	return m.done
}

// entryCheck says what the service would refuse an item for, as far as the table tells: a key that is missing, empty or of
// another type, the same of the keys of indexes unless it is missing, an item that is too large. Of an entity's items the
// keys are not there yet.
func entryCheck(t *plan.Table, raw bool) func(attr.Item) error {
	indexed := map[string]string{} // attributes of indexes' keys, and one of the indexes
	for _, of := range []map[string]plan.Index{t.GSI, t.LSI} {
		for index, x := range of {
			for _, name := range slices.Concat(x.Partition, x.Sort) {
				indexed[name] = max(indexed[name], index)
			}
		}
	}
	delete(indexed, t.Key.Partition)
	delete(indexed, t.Key.Sort)
	names := slices.Sorted(maps.Keys(indexed))
	return func(it attr.Item) error {
		if it.Size() > int(capacity.ItemBytes) {
			return fmt.Errorf("it has %s: an item has at most %s", capacity.Bytes(it.Size()), capacity.Bytes(capacity.ItemBytes))
		}
		if !raw {
			return nil
		}
		for _, name := range []string{t.Key.Partition, t.Key.Sort} {
			if name == "" {
				continue
			}
			if !it.Has(name) {
				return fmt.Errorf("the key's attribute %s is missing", name)
			}
			if wrong := keyCheck(t.Attributes[name], it.Get(name)); wrong != "" {
				return fmt.Errorf("the key's attribute %s is %s", name, wrong)
			}
		}
		for _, name := range names {
			if wrong := keyCheck(t.Attributes[name], it.Get(name)); it.Has(name) && wrong != "" {
				return fmt.Errorf("%s, of the key of index %s, is %s", name, indexed[name], wrong)
			}
		}
		return nil
	}
}

// keyCheck says what is wrong with a value of a key; "": nothing.
func keyCheck(want plan.Type, v attr.Value) string {
	kinds := map[plan.Type]attr.Kind{plan.S: attr.KindS, plan.N: attr.KindN, plan.B: attr.KindB}
	switch {
	case v.Kind() != kinds[want]:
		return fmt.Sprintf("%s, and the table's is %s", v.Kind(), want)
	case v.Kind() == attr.KindS && v.Str() == "", v.Kind() == attr.KindB && len(v.Bytes()) == 0:
		return "empty"
	}
	return ""
}
