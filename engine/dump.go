package engine

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// A dump is text, a JSON object on each line, whose one member says what it is:
//
//	{"dump":{"version":1,"created":"2026-08-01T12:00:00Z","account":"000000000000"}}   the first line
//	{"table":{"Region":"us-east-1","Create":{"TableName":"Books",…},…}}                 a table, with all its settings
//	{"item":{"isbn":{"S":"…"},…}}                                                       an item of the table before it
//	{"end":{"tables":1,"items":1}}                                                      the last line
//
// Items are in DynamoDB JSON, in the order of a Scan. Create is the request that makes the table as it is now; dump_table.go
// has the other members of a table. Entries of indexes are not in it, loading makes them; neither are records of streams,
// client request tokens, and what a Lag holds back. A dump without its last line has been cut off.

// dumpVersion numbers the format; a reader refuses higher numbers.
const dumpVersion = 1

// Dumped is how much a dump has, or a load has loaded.
type Dumped struct {
	Tables int   `json:"tables"`
	Items  int64 `json:"items"`
}

type dumpHead struct {
	Version int    `json:"version"`
	Created string `json:"created"`
	Account string `json:"account"`
}

// dumpLine is a line of a dump.
type dumpLine struct {
	Head  *dumpHead       `json:"dump,omitempty"`
	Table json.RawMessage `json:"table,omitempty"`
	Item  json.RawMessage `json:"item,omitempty"`
	End   *Dumped         `json:"end,omitempty"`
}

// Dump writes all tables with their items as they are at one moment, in a format of lines of JSON that Load reads; it is
// documented with the command tablewright engine dump. Requests go on meanwhile.
func (e *Engine) Dump(ctx context.Context, out io.Writer) (*Dumped, error) {
	var done Dumped
	b := bufio.NewWriterSize(out, 1<<16)
	err := e.store.Aside(func(r kv.Reader) error {
		c, err := readCatalog(r)
		if err != nil {
			return err
		}
		if err := writeLine(b, dumpLine{Head: &dumpHead{dumpVersion, e.now().UTC().Format("2006-01-02T15:04:05Z"), e.options.Account}}); err != nil {
			return err
		}
		for _, id := range slices.SortedFunc(maps.Keys(c.byID), tableID.compare) {
			t := c.byID[id]
			if t.def.State.Name == deleting {
				continue
			}
			def := *t.def
			def.settle()
			text, err := def.dumped()
			if err != nil {
				return err
			}
			if err := writeLine(b, dumpLine{Table: text}); err != nil {
				return err
			}
			done.Tables++
			r.Ascend(t.space, nil, nil, func(_, value []byte) bool {
				_, _ = b.WriteString(`{"item":`)
				_, _ = b.Write(stored(value).json())
				_, err = b.WriteString("}\n") // errors stick
				done.Items++
				return err == nil && (done.Items%1000 != 0 || ctx.Err() == nil)
			})
			if err := errors.Join(err, ctx.Err()); err != nil {
				return err
			}
		}
		return writeLine(b, dumpLine{End: &done})
	})
	if err == nil {
		err = b.Flush()
	}
	if err != nil {
		return nil, fmt.Errorf("engine: dump: %w", err)
	}
	return &done, nil
}

func writeLine(b *bufio.Writer, line dumpLine) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = b.Write(append(text, '\n'))
	return err
}

// maxDumpLine is the size of a line in bytes that is read at all: an item of 400 KB takes some more in JSON, with its
// escapes.
const maxDumpLine = 16 << 20

// Load adds the tables of a dump with their items, all or nothing: until the last line is read none of them is to be seen,
// and what was loaded is gone if there is an error or the program ends before. A table that is there already is an error.
// Requests go on meanwhile. Tables keep their ids and times, and belong to this engine's account; a table with a stream gets a
// new one, without records.
func (e *Engine) Load(ctx context.Context, in io.Reader) (*Dumped, error) {
	l := &loader{engine: e, apply: &Engine{store: e.store, options: e.options, lag: &lag{}}}
	err := l.read(ctx, bufio.NewReaderSize(in, 1<<16))
	if err == nil {
		err = l.show()
	}
	if err != nil {
		return nil, fmt.Errorf("engine: load: %w", errors.Join(err, l.drop()))
	}
	for _, t := range l.tables {
		e.startFills(nil, t)
	}
	return &l.done, nil
}

// loader loads one dump.
type loader struct {
	engine *Engine
	apply  *Engine // the same store without a lag
	marker []byte  // key of what is to be dropped if nothing comes of it
	tables []*table
	items  []json.RawMessage // of the last table, to be written next
	bytes  int
	done   Dumped
	line   int
}

// loadStep is how many bytes of items one update writes, so that others get their turn.
const loadStep = 1 << 20

func (l *loader) read(ctx context.Context, in *bufio.Reader) error {
	for ended := false; ; {
		text, err := readLine(in)
		if err == io.EOF {
			if ended {
				return nil
			}
			return errors.New("it ends before its last line: the dump was cut off")
		}
		if err != nil {
			return err
		}
		l.line++
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if ended {
			return fmt.Errorf("line %d: there is something behind the end", l.line)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if ended, err = l.take(text); err != nil {
			return fmt.Errorf("line %d: %w", l.line, err)
		}
	}
}

// readLine reads a line without its end.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxDumpLine:
			return nil, fmt.Errorf("a line has more than %d bytes: it is no dump", maxDumpLine)
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(line) > 0:
			return line, nil
		}
		return line, err
	}
}

// take takes one line.
func (l *loader) take(text []byte) (end bool, err error) {
	var line dumpLine
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&line); err != nil {
		return false, fmt.Errorf("it is no line of a dump: %w", err)
	}
	switch {
	case l.line == 1:
		if line.Head == nil {
			return false, errors.New("it does not begin as a dump does")
		}
		if v := line.Head.Version; v < 1 || v > dumpVersion {
			return false, fmt.Errorf("the dump has version %d, this program reads up to %d", v, dumpVersion)
		}
		return false, nil
	case line.Table != nil:
		if err := l.write(); err != nil {
			return false, err
		}
		return false, l.table(line.Table)
	case line.Item != nil:
		if len(l.tables) == 0 {
			return false, errors.New("an item before any table")
		}
		l.items = append(l.items, line.Item)
		l.bytes += len(line.Item)
		if l.bytes >= loadStep {
			return false, l.write()
		}
		return false, nil
	case line.End != nil:
		if err := l.write(); err != nil {
			return false, err
		}
		if *line.End != l.done {
			return false, fmt.Errorf("it has %d tables and %d items, its last line says %d and %d", l.done.Tables, l.done.Items, line.End.Tables, line.End.Items)
		}
		return true, nil
	}
	return false, errors.New("it is no line of a dump")
}

// table begins a table: it gets places for its data, which are noted as to be dropped.
func (l *loader) table(text json.RawMessage) error {
	dumped, create, err := readDumped(text)
	if err != nil {
		return fmt.Errorf("the table cannot be read: %w", err)
	}
	e := &session{Engine: l.engine, region: cmp.Or(dumped.Region, l.engine.options.Region)}
	id := e.id(create.TableName)
	if err := l.free(id); err != nil {
		return err
	}
	for _, t := range l.tables {
		if t.id == id {
			return fmt.Errorf("table %s of %s is there twice", id.name, id.region)
		}
	}
	var def *definition
	err = l.engine.store.Update(func(w kv.Writer) (err error) {
		if def, err = dumped.define(e, create, w); err != nil {
			return err
		}
		marker := l.marker
		if marker == nil {
			marker = append([]byte(loadPrefix), spaceKey(def.Space)...)
		}
		spaces := append(bytes.Clone(w.Get(spaceMeta, marker)), spaceKey(def.Space)...)
		for _, x := range def.Indexes {
			spaces = append(spaces, spaceKey(x.Space)...)
		}
		w.Put(spaceMeta, marker, spaces)
		return nil
	})
	if err != nil {
		return err
	}
	if l.marker == nil {
		l.marker = append([]byte(loadPrefix), spaceKey(def.Space)...)
	}
	l.tables = append(l.tables, build(def))
	l.done.Tables++
	return nil
}

func (l *loader) free(id tableID) error {
	if l.engine.find(id) != nil {
		return fmt.Errorf("table %s of %s is there already: delete it, or load into another directory", id.name, id.region)
	}
	return nil
}

// write writes the items that were read.
func (l *loader) write() error {
	if len(l.items) == 0 {
		return nil
	}
	t := l.tables[len(l.tables)-1]
	changes := make([]change, len(l.items))
	for i, text := range l.items {
		it, err := attr.ParseItem(text)
		if err != nil {
			return fmt.Errorf("table %s: an item before this line: %w", t.name, err)
		}
		if err := t.checkItemKey(it); err != nil {
			return fmt.Errorf("table %s: an item before this line: %s", t.name, err.Message)
		}
		changes[i] = change{table: t, key: t.itemKey(it), after: store(it), item: it}
	}
	err := l.engine.store.Update(func(w kv.Writer) error {
		for i := range changes {
			c := changes[i]
			if c.before = imageOf(w, t, c.key); c.before.stored != nil {
				return fmt.Errorf("table %s: two items before this line have the same key", t.name)
			}
			c.apply(l.apply, w)
		}
		return nil
	})
	l.done.Items += int64(len(l.items))
	l.items, l.bytes = l.items[:0], 0
	return err
}

// show lets the tables be seen, all at once.
func (l *loader) show() error {
	e := l.engine
	e.control.Lock()
	defer e.control.Unlock()
	return e.store.Update(func(w kv.Writer) error {
		old := e.catalog.Load()
		c := &catalog{byID: maps.Clone(old.byID), streams: old.streams}
		for _, t := range l.tables {
			if err := l.free(t.id); err != nil {
				return err
			}
			def := *t.def
			if def.StreamLabel != "" {
				def.relabel(e.newStreamLabel(t.id))
			}
			if err := e.keep(w, c, old, t.id, &def); err != nil {
				return err
			}
		}
		if l.marker != nil {
			w.Delete(spaceMeta, l.marker)
		}
		e.follow(w, c)
		return nil
	})
}

// drop removes what was loaded.
func (l *loader) drop() error {
	if l.marker == nil {
		return nil
	}
	return l.engine.store.Update(func(w kv.Writer) error {
		dropLoaded(w, l.marker)
		return nil
	})
}

// loadPrefix begins the keys under which the spaces are noted that a load fills.
const loadPrefix = "load/"

// dropLoaded drops the spaces that are noted under a key.
func dropLoaded(w kv.Writer, marker []byte) {
	spaces := bytes.Clone(w.Get(spaceMeta, marker))
	for ; len(spaces) >= 4; spaces = spaces[4:] {
		dropSpace(w, spaceIn(spaces))
		w.Drop(collectionsOf(spaceIn(spaces)))
	}
	w.Delete(spaceMeta, marker)
}

// dropUnfinished drops what loads left that did not come to their end.
func dropUnfinished(w kv.Writer) {
	var markers [][]byte
	w.Ascend(spaceMeta, []byte(loadPrefix), []byte(loadPrefix+"\xff\xff\xff\xff\xff"), func(key, _ []byte) bool {
		markers = append(markers, bytes.Clone(key))
		return true
	})
	for _, m := range markers {
		dropLoaded(w, m)
	}
}
