package bulk_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/bulk"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
)

type Book struct {
	ISBN   string `ddb:"isbn"`
	Title  string `ddb:"title"`
	Author string `ddb:"author" check:"len=1.."`
	Copies int    `ddb:"copies"`
}

func library() *tablewright.Table {
	return tablewright.NewTable(plan.Table{
		Name: "Library", Key: plan.Key{Partition: "PK"},
		GSI: map[string]plan.Index{"ByAuthor": {Partition: []string{"author"}, Sort: []string{"copies"}, Project: plan.Keys}},
	})
}

var (
	Library = library()
	Books   = tablewright.Declare[tablewright.Entity[string, Book]](Library, plan.Item{Name: "Book", Key: map[string]string{"PK": "b#{isbn}"}})
)

// cut fails the nth and every later request of an operation, until it is mended.
type cut struct {
	operation string
	left      atomic.Int64
}

func (c *cut) hook(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, call *tablewright.Call) error {
		if call.Operation == c.operation && c.left.Add(-1) < 0 {
			return errors.New("the cable is cut")
		}
		return next.Do(ctx, call)
	})
}

func open(t *testing.T, hooks ...tablewright.Hook) *tablewright.DB {
	t.Helper()
	e := engine.New(t, engine.Options{})
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: hooks, Retry: tablewright.Retry{Attempts: 1}})
	if err := Library.CreateIn(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	return db
}

func fill(t *testing.T, db *tablewright.DB, n int) {
	t.Helper()
	err := Books.PutAll(func(yield func(Book) bool) {
		for i := range n {
			if !yield(Book{fmt.Sprintf("%05d", i), strings.Repeat("t", 500), fmt.Sprintf("a%d", i%7), i}) {
				return
			}
		}
	}).Run(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
}

// contents are all items as lines, sorted.
func contents(t *testing.T, db *tablewright.DB) []string {
	t.Helper()
	var lines []string
	for it, err := range Library.Raw().Scan().Intended().All(t.Context(), db) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(attr.AppendItem(nil, it)))
	}
	slices.Sort(lines)
	return lines
}

func textOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(file, ".gz") {
		return string(text)
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	text, err = io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestThereAndBack: what is exported and imported elsewhere is the same, in each form, typed and untyped.
func TestThereAndBack(t *testing.T) {
	db := open(t)
	fill(t, db, 300)
	want := contents(t, db)
	for _, test := range []struct {
		name  string
		typed bool
		o     bulk.ExportOptions
		first string // what a line begins with
	}{
		{"a.jsonl", false, bulk.ExportOptions{}, `{"Item":{"PK":{"S":"b#`},
		{"b.jsonl.gz", false, bulk.ExportOptions{Format: bulk.JSON}, `{"PK":"b#`},
		{"c.jsonl", true, bulk.ExportOptions{}, `{"Item":{"author":{"S":`},
		{"d.json", true, bulk.ExportOptions{Format: bulk.JSON}, `{"author":"a`},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), test.name)
			var done bulk.Exported
			var err error
			if test.typed {
				done, err = bulk.Export(t.Context(), db, Books.Scan().Intended().Parallel(3), file, test.o)
			} else {
				done, err = bulk.Export(t.Context(), db, Library.Raw().Scan().Intended(), file, test.o)
			}
			if err != nil {
				t.Fatal(err)
			}
			if done.Items != 300 || done.Read == 0 || done.Resumed {
				t.Errorf("exported %+v", done)
			}
			info, err := os.Stat(file)
			if err != nil || info.Mode().Perm() != 0o600 || info.Size() != done.Bytes {
				t.Errorf("%v: mode %v, %d bytes, told %d", err, info.Mode(), info.Size(), done.Bytes)
			}
			if left, _ := filepath.Glob(file + ".*"); left != nil {
				t.Errorf("left: %v", left)
			}
			text := textOf(t, file)
			if !strings.HasPrefix(text, test.first) || strings.Count(text, "\n") != 300 {
				t.Errorf("%d lines, %.80s", strings.Count(text, "\n"), text)
			}
			to := open(t)
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			in := bulk.ImportOptions{Format: test.o.Format, Parallel: 2}
			var loaded bulk.Imported
			if test.typed {
				loaded, err = bulk.Import(t.Context(), to, Books, f, in)
			} else {
				loaded, err = bulk.Import(t.Context(), to, Library.Raw(), f, in)
			}
			if err != nil || loaded.Items != 300 || loaded.Refused != 0 || loaded.Write == 0 {
				t.Errorf("%v: imported %+v", err, loaded)
			}
			if !slices.Equal(contents(t, to), want) {
				t.Error("the items are not the same")
			}
		})
	}
}

// TestExportGoesOn: an export that is cut off at any request, again and again, has each item once in the end.
func TestExportGoesOn(t *testing.T) {
	for segments, name := range []string{1: "x.jsonl", 2: "x.jsonl.gz"} {
		if name == "" {
			continue
		}
		c := &cut{operation: "Scan"}
		db := open(t, c.hook)
		fill(t, db, 6000) // 3.4 MB: several pages
		file := filepath.Join(t.TempDir(), name)
		scan := Library.Raw().Scan().Intended().Parallel(segments)
		var done bulk.Exported
		var err error
		runs := 0
		for ; runs < 20; runs++ {
			c.left.Store(int64(segments))
			if done, err = bulk.Export(t.Context(), db, scan, file, bulk.ExportOptions{Every: time.Nanosecond}); err == nil {
				break
			}
			if _, err := os.Stat(file); err == nil {
				t.Fatal("half an export has its name")
			}
			if info, err := os.Stat(file + ".state"); err == nil && info.Mode().Perm() != 0o600 {
				t.Errorf("the state has mode %v", info.Mode())
			}
			// What was written behind the last state does not count.
			if f, err := os.OpenFile(file+".part", os.O_APPEND|os.O_WRONLY, 0); err == nil {
				fmt.Fprint(f, "half a li")
				f.Close()
			}
		}
		if err != nil || runs < 1 || !done.Resumed || done.Items != 6000 {
			t.Fatalf("%v after %d runs: %+v", err, runs, done)
		}
		seen := map[string]bool{}
		for line := range strings.Lines(textOf(t, file)) {
			if seen[line] {
				t.Fatalf("twice: %.60s", line)
			}
			seen[line] = true
		}
		if len(seen) != 6000 {
			t.Errorf("%d items", len(seen))
		}
	}
}

// TestExportOfAnotherScan: a state is not mistaken for that of another export.
func TestExportOfAnotherScan(t *testing.T) {
	c := &cut{operation: "Scan"}
	db := open(t, c.hook)
	fill(t, db, 4000)
	file := filepath.Join(t.TempDir(), "x.jsonl")
	scan := Library.Raw().Scan().Intended()
	c.left.Store(1)
	if _, err := bulk.Export(t.Context(), db, scan, file, bulk.ExportOptions{Every: 1}); err == nil {
		t.Fatal("it was not cut")
	}
	c.left.Store(1000)
	for want, f := range map[string]func() error{
		"of another scan": func() error {
			_, err := bulk.Export(t.Context(), db, scan.Parallel(4), file, bulk.ExportOptions{})
			return err
		},
		"in another format": func() error {
			_, err := bulk.Export(t.Context(), db, scan, file, bulk.ExportOptions{Format: bulk.JSON})
			return err
		},
		"not as": func() error {
			_, err := bulk.Export(t.Context(), db, scan, file, bulk.ExportOptions{Format: bulk.CSV})
			return err
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := os.WriteFile(file+".state", []byte(`{"tablewright":9}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := bulk.Export(t.Context(), db, scan, file, bulk.ExportOptions{}); err == nil || !strings.Contains(err.Error(), "remove it to begin anew") {
		t.Error(err)
	}
}

const badLines = `{"Item":{"PK":{"S":"b#1"},"author":{"S":"a"},"copies":{"N":"1"}}}
{"Item":{"PK":{"S":"b#2"},"author":{"S":"a"}
{"Item":{"author":{"S":"a"}}}
{"Item":{"PK":{"N":"4"}}}

{"Item":{"PK":{"S":"b#6"},"author":{"N":"6"},"copies":{"N":"1"}}}
{"PK":{"S":"b#7"},"Item":{"S":"an attribute of this name"}}
{"Item":{"PK":{"S":""}}}
{"Item":{"PK":{"S":"b#9"},"text":{"S":"LONG"}}}
[{"PK":{"S":"b#10"}}]
{"Item":{"PK":{"S":"b#11"}}}
{"Item":{"PK":{"S":"KEY"}}}`

// TestRefused: lines that cannot be written are told with their numbers and reasons, and all others are written, also those
// that the service refuses a whole batch for.
func TestRefused(t *testing.T) {
	db := open(t)
	var told []int
	text := strings.Replace(badLines, "LONG", strings.Repeat("x", 400<<10), 1)
	text = strings.Replace(text, "KEY", strings.Repeat("x", 2049), 1) // this only the service refuses
	done, err := bulk.Import(t.Context(), db, Library.Raw(), strings.NewReader(text), bulk.ImportOptions{Refused: func(r bulk.Refusal) { told = append(told, r.Line) }})
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]string{2: "no JSON", 3: "PK is missing", 4: "PK is N, and the table's is S", 6: "author, of the key of index ByAuthor, is N", 8: "PK is empty", 9: "at most 400 KB", 10: "an array", 12: "2048"}
	for _, r := range done.Refusals {
		if want[r.Line] == "" || !strings.Contains(r.Err.Error(), want[r.Line]) {
			t.Errorf("line %d: %v", r.Line, r.Err)
		}
		delete(want, r.Line)
	}
	if len(want) > 0 || done.Refused != 8 || len(told) != 8 || done.Items != 3 {
		t.Errorf("not refused: %v; %+v", want, done)
	}
	if got := contents(t, db); len(got) != 3 || !strings.Contains(got[0], "an attribute of this name") {
		t.Errorf("stored: %q", got)
	}
}

// TestRefusedBySchema: a typed import holds lines to the schema of their type.
func TestRefusedBySchema(t *testing.T) {
	db := open(t)
	text := `{"isbn":"1","title":"x","author":"a","copies":1}
{"isbn":"2","title":"x","author":"","copies":1}
{"isbn":"3","title":5,"author":"a"}
`
	done, err := bulk.Import(t.Context(), db, Books, strings.NewReader(text), bulk.ImportOptions{Format: bulk.JSON})
	if err != nil || done.Items != 1 || len(done.Refusals) != 2 {
		t.Fatalf("%v: %+v", err, done)
	}
	slices.SortFunc(done.Refusals, func(a, b bulk.Refusal) int { return a.Line - b.Line })
	if r := done.Refusals[0]; r.Line != 2 || !strings.Contains(r.Err.Error(), "author") {
		t.Errorf("line %d: %v", r.Line, r.Err)
	}
	if r := done.Refusals[1]; r.Line != 3 || !strings.Contains(r.Err.Error(), "title") {
		t.Errorf("line %d: %v", r.Line, r.Err)
	}
}

// TestImportGoesOn: an import that is cut off at any batch ends with all items there, told once each.
func TestImportGoesOn(t *testing.T) {
	var text strings.Builder
	for i := range 8000 {
		fmt.Fprintf(&text, `{"PK":"b#%d","n":%d}`+"\n", i, i)
		if i == 100 {
			text.WriteString("{}\n") // refused in the first block, told in the sum of all runs
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "in.jsonl")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &cut{operation: "BatchWriteItem"}
	db := open(t, c.hook)
	o := bulk.ImportOptions{Format: bulk.JSON, State: filepath.Join(dir, "state"), Parallel: 2}
	var done bulk.Imported
	runs := 0
	for ; runs < 20; runs++ {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		c.left.Store(150)
		done, err = bulk.Import(t.Context(), db, Library.Raw(), f, o)
		f.Close()
		if err == nil {
			break
		}
		if !strings.Contains(err.Error(), "the cable is cut") {
			t.Fatal(err)
		}
	}
	if runs < 2 || !done.Resumed || done.Items != 8000 || done.Refused != 1 {
		t.Errorf("after %d runs: %+v", runs, done)
	}
	if got := len(contents(t, db)); got != 8000 {
		t.Errorf("%d items", got)
	}
	if _, err := os.Stat(o.State); err == nil {
		t.Error("the state of what is done is still there")
	}
	// A state of another file is not gone on with.
	c.left.Store(100)
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := bulk.Import(t.Context(), db, Library.Raw(), f, o); err == nil {
		t.Fatal("it was not cut")
	}
	if _, err := bulk.Import(t.Context(), db, Library.Raw(), strings.NewReader("{}"), o); err == nil || !strings.Contains(err.Error(), "of another file") {
		t.Error(err)
	}
}

// TestCSV: keys and stated attributes have their types, all others are texts, empty fields are no attributes.
func TestCSV(t *testing.T) {
	db := open(t)
	text := "\ufeffPK;author;copies;note;tags\nb#1;Ann;2;\"several\nlines\";\"[1,\"\"a\"\"]\"\nb#2;;;x;\nb#3;Bob;many;;\n;x;1;;\nb#5;a;b;c;d;e;f\n"
	done, err := bulk.Import(t.Context(), db, Library.Raw(), strings.NewReader(text),
		bulk.ImportOptions{Format: bulk.CSV, Comma: ';', Types: map[string]plan.Type{"tags": "JSON"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"PK":{"S":"b#1"},"author":{"S":"Ann"},"copies":{"N":"2"},"note":{"S":"several\nlines"},"tags":{"L":[{"N":"1"},{"S":"a"}]}}`,
		`{"PK":{"S":"b#2"},"note":{"S":"x"}}`,
	}
	if got := contents(t, db); !slices.Equal(got, want) {
		t.Errorf("stored %q", got)
	}
	lines := map[int]string{}
	for _, r := range done.Refusals {
		lines[r.Line] = r.Err.Error()
	}
	for line, why := range map[int]string{5: "copies: it is no number", 6: "PK is missing", 7: "7 fields"} {
		if !strings.Contains(lines[line], why) {
			t.Errorf("line %d: %s, want %s", line, lines[line], why)
		}
	}
	done, err = bulk.Import(t.Context(), db, Library.Raw(), strings.NewReader("b#9\tx\n"),
		bulk.ImportOptions{Format: bulk.CSV, Comma: '\t', Header: []string{"PK", "note"}})
	if err != nil || done.Items != 1 {
		t.Errorf("%v %+v", err, done)
	}
	for _, text := range []string{"", "PK,PK\n", "PK,\n"} {
		if _, err := bulk.Import(t.Context(), db, Library.Raw(), strings.NewReader(text), bulk.ImportOptions{Format: bulk.CSV}); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

// TestEstimates: what an import into an empty table is estimated to consume is what it consumes; that of an export follows
// from the table's size.
func TestEstimates(t *testing.T) {
	db := open(t)
	fill(t, db, 200)
	var out bytes.Buffer
	exported, err := bulk.ExportTo(t.Context(), db, Books.Scan().Intended(), &out, bulk.ExportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := tablewright.Describe(t.Context(), db, "Library")
	if err != nil {
		t.Fatal(err)
	}
	e := bulk.EstimateExport(&d, nil)
	if e.Items != 200 || e.Units.Read != exported.Read || e.Units.Read == 0 {
		t.Errorf("estimated %+v, consumed %v", e, exported.Read)
	}
	to := open(t)
	e, err = bulk.EstimateImport(&d, Books, bytes.NewReader(out.Bytes()), bulk.ImportOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	done, err := bulk.Import(t.Context(), to, Books, &out, bulk.ImportOptions{})
	if err != nil || e.Units.Write != done.Write || e.Items != 200 || done.Write != 400 {
		t.Errorf("%v: estimated %+v, consumed %v", err, e, done.Write)
	}
	// 400 write units at $0.625 a million.
	if want := capacity.MoneyOf(400 * 0.625 * 1000); e.Cost != want {
		t.Errorf("cost %d, want %d nano-dollars", e.Cost, want)
	}
	if e.Takes(10) != 40*time.Second || e.Takes(0) != 0 {
		t.Error(e.Takes(10))
	}
	e, err = bulk.EstimateImport(&d, Library.Raw(), strings.NewReader(badLines), bulk.ImportOptions{}, nil)
	if err != nil || e.Refused != 6 || e.Refusals[0].Line != 2 {
		t.Errorf("%v %+v", err, e)
	}
}

// TestRate: an import with a rate takes as long as its units say.
func TestRate(t *testing.T) {
	db := open(t)
	start := time.Now()
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, `{"PK":"b#%d"}`+"\n", i)
	}
	blocks := 0
	done, err := bulk.Import(t.Context(), db, Library.Raw(), strings.NewReader(text.String()),
		bulk.ImportOptions{Format: bulk.JSON, Rate: 200, Progress: func(p bulk.Progress) { blocks++ }})
	if took := time.Since(start); err != nil || took < 280*time.Millisecond || done.Write != 60 || blocks != 1 {
		t.Errorf("%v: %v for %v units in %d blocks", err, took, done.Write, blocks)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err = bulk.Import(ctx, db, Library.Raw(), strings.NewReader(text.String()), bulk.ImportOptions{Format: bulk.JSON, Rate: 1}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func FuzzImport(f *testing.F) {
	f.Add([]byte(badLines), 0)
	f.Add([]byte("PK,a\nb#1,\"x\n"), 2)
	f.Add([]byte(`{"PK":"b#1"}`), 1)
	f.Add([]byte("\x1f\x8b\x08"), 0)
	d := tablewright.Description{Table: Library.Definition()}
	f.Fuzz(func(t *testing.T, text []byte, format int) {
		o := bulk.ImportOptions{Format: []bulk.Format{bulk.DynamoDBJSON, bulk.JSON, bulk.CSV}[(format%3+3)%3]}
		e, err := bulk.EstimateImport(&d, Library.Raw(), bytes.NewReader(text), o, nil)
		if err == nil && e.Items+e.Refused > int64(bytes.Count(text, []byte("\n")))+1 {
			t.Errorf("%d lines, %+v", bytes.Count(text, []byte("\n"))+1, e)
		}
	})
}
