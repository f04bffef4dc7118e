package bulk

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// ExportOptions of Export; the zero value writes lines of DynamoDB JSON. How many segments are read at once, and the limit
// of units a second, are the scan's (Parallel, Rate).
type ExportOptions struct {
	Format   Format         // DynamoDBJSON or JSON
	Gzip     bool           // pack it, also where FILE does not end in .gz
	State    string         // where the state is kept; "": FILE.state
	Every    time.Duration  // between two times that the state is saved; 0: 5 s
	Progress func(Progress) // is told after each page; nil: nobody is
}

// Progress says how far an export or import is.
type Progress struct {
	Items   int64 // written to the file, or to the table
	Refused int64 // lines that were not written
	Units   tablewright.Units
}

// Exported is what an export came to. Items and Bytes include what an earlier run of the same export did, Read does not.
type Exported struct {
	Items   int64
	Bytes   int64 // of the file
	Read    capacity.ReadUnits
	Resumed bool // it went on where an earlier one had stopped
}

// exportState is the file in which an export that stopped says where.
type exportState struct {
	Version int                `json:"tablewright"`
	Format  Format             `json:"format"`
	Packed  bool               `json:"packed"`
	Cursor  tablewright.Cursor `json:"cursor"`
	Offset  int64              `json:"offset"` // of FILE.part: what lies behind is not counted
	Items   int64              `json:"items"`
}

const stateVersion = 1

// Export writes the items of a scan to a file, a line each. The file has its name when it is complete, in place of what had
// that name before. After an error (of the scan, of ctx, of the disk) what was written stays in FILE.part: Export of the same
// scan to the same FILE goes on from there. Of another scan, or in another format, it is an error until the state is removed.
func Export[T any](ctx context.Context, db *tablewright.DB, s tablewright.Scan[T], file string, o ExportOptions) (Exported, error) {
	if err := o.check(); err != nil {
		return Exported{}, err
	}
	if o.State == "" {
		o.State = file + ".state"
	}
	o.Gzip = o.Gzip || strings.HasSuffix(file, ".gz")
	part := file + ".part"
	before := exportState{Version: stateVersion, Format: o.Format, Packed: o.Gzip}
	resumed, err := readState(o.State, &before)
	if err != nil {
		return Exported{}, err
	}
	if resumed && (before.Format != o.Format || before.Packed != o.Gzip) {
		return Exported{}, fmt.Errorf("bulk: %s is of an export in another format: remove it to begin anew", o.State)
	}
	f, err := openPart(part, before.Offset, resumed)
	if err != nil {
		return Exported{}, err
	}
	defer f.Close()
	e := exporting{o: &o, f: f, state: before, resumed: resumed}
	done, err := export(ctx, db, s, &e)
	if err != nil {
		if resumed && errors.Is(err, tablewright.ErrCursor) {
			err = fmt.Errorf("bulk: %s is of another scan (table, segments, filter or cursor key): remove it to begin anew: %w", o.State, err)
		}
		return done, err
	}
	if err := f.Close(); err != nil {
		return done, fmt.Errorf("bulk: %w", err)
	}
	if err := os.Rename(part, file); err != nil {
		return done, fmt.Errorf("bulk: %w", err)
	}
	if err := errors.Join(syncFolder(filepath.Dir(file)), forget(o.State)); err != nil {
		return done, fmt.Errorf("bulk: %w", err)
	}
	return done, nil
}

// ExportTo writes the items of a scan to w, which cannot be gone on with: State and Every have no meaning.
func ExportTo[T any](ctx context.Context, db *tablewright.DB, s tablewright.Scan[T], w io.Writer, o ExportOptions) (Exported, error) {
	if err := o.check(); err != nil {
		return Exported{}, err
	}
	return export(ctx, db, s, &exporting{o: &o, w: w})
}

func (o *ExportOptions) check() error {
	switch o.Format {
	case "":
		o.Format = DynamoDBJSON
	case DynamoDBJSON, JSON:
	default:
		return fmt.Errorf("bulk: items are written as %s or %s, not as %q", DynamoDBJSON, JSON, o.Format)
	}
	if o.Every <= 0 {
		o.Every = 5 * time.Second
	}
	return nil
}

// openPart opens the file that is not complete yet, at the place to go on.
func openPart(name string, offset int64, resumed bool) (*os.File, error) {
	if !resumed {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return nil, fmt.Errorf("bulk: %w", err)
		}
		if err := f.Chmod(0o600); err != nil { // one that was there already
			return nil, errors.Join(fmt.Errorf("bulk: %w", err), f.Close())
		}
		return f, nil
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("bulk: the state of the export is there, and what it had written is not: %w", err)
	}
	info, err := f.Stat()
	if err == nil && info.Size() < offset {
		err = fmt.Errorf("%s has %d bytes, and the state of the export says %d", name, info.Size(), offset)
	}
	if err == nil {
		err = f.Truncate(offset)
	}
	if err == nil {
		_, err = f.Seek(offset, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("bulk: %w", err), f.Close())
	}
	return f, nil
}

// exporting is an export under way.
type exporting struct {
	o       *ExportOptions
	f       *os.File  // nil: w
	w       io.Writer // where there is no state
	state   exportState
	resumed bool
	written counting
	buffer  *bufio.Writer
	zip     *gzip.Writer
	line    []byte
}

func export[T any](ctx context.Context, db *tablewright.DB, s tablewright.Scan[T], e *exporting) (done Exported, err error) {
	var used tablewright.Usage
	e.written = counting{w: e.w, n: e.state.Offset}
	if e.f != nil {
		e.written.w = e.f
	}
	e.buffer = bufio.NewWriterSize(&e.written, 1<<18)
	defer func() {
		sum := used.Sum()
		done = Exported{Items: e.state.Items, Bytes: e.written.n, Read: sum.Read, Resumed: e.resumed}
	}()
	saved := time.Now()
	for page, err := range s.Resume(e.state.Cursor).Pages(ctx, db.Measure(&used)) {
		if err != nil {
			return done, err
		}
		for i := range page.Items {
			if err := e.item(itemOf(&page.Items[i])); err != nil {
				return done, err
			}
		}
		e.state.Items += int64(len(page.Items))
		e.state.Cursor = page.Next
		if e.o.Progress != nil {
			e.o.Progress(Progress{Items: e.state.Items, Units: used.Sum()})
		}
		if e.f != nil && page.Next != "" && time.Since(saved) >= e.o.Every {
			if err := e.save(); err != nil {
				return done, err
			}
			saved = time.Now()
		}
	}
	return done, e.flush()
}

// itemOf is an item of a scan: what is untyped as it is.
func itemOf[T any](item *T) (attr.Item, error) {
	if it, raw := any(item).(*attr.Item); raw {
		return *it, nil
	}
	return attr.MarshalItem(item)
}

func (e *exporting) item(it attr.Item, err error) error {
	if err == nil {
		e.line = appendLine(e.line[:0], e.o.Format, it)
		if e.o.Gzip {
			if e.zip == nil {
				e.zip = gzip.NewWriter(e.buffer)
			}
			_, err = e.zip.Write(e.line)
		} else {
			_, err = e.buffer.Write(e.line)
		}
	}
	if err != nil {
		return fmt.Errorf("bulk: %w", err)
	}
	return nil
}

// flush makes the file whole up to here. A packed file has a part of its own (RFC 1952, a member) from one place to go on to
// the next: whoever unpacks it reads them as one.
func (e *exporting) flush() error {
	var err error
	if e.o.Gzip && e.zip == nil && e.written.n == 0 { // an empty table, packed
		e.zip = gzip.NewWriter(e.buffer)
	}
	if e.zip != nil {
		err, e.zip = e.zip.Close(), nil
	}
	if err = errors.Join(err, e.buffer.Flush()); err == nil && e.f != nil {
		err = e.f.Sync()
	}
	if err != nil {
		return fmt.Errorf("bulk: %w", err)
	}
	return nil
}

// save writes down where the export stands: first the file, then the state.
func (e *exporting) save() error {
	if err := e.flush(); err != nil {
		return err
	}
	e.state.Offset = e.written.n
	return writeState(e.o.State, &e.state)
}

// counting counts what is written.
type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
