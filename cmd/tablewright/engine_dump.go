package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/internal/show"
)

func (a *app) engineDumpCommand() *cobra.Command {
	packed := false
	c := &cobra.Command{
		Use:   "dump DIR [FILE]",
		Short: "Write all tables with their items as lines of JSON",
		Long: `Writes tables, settings and items as they are at one moment to FILE, packed if its name ends in .gz, or to
standard output. It is text, a JSON object on each line:

  {"dump":{"version":1,"created":"2026-08-01T12:00:00Z","account":"000000000000"}}
  {"table":{"Region":"us-east-1","Create":{"TableName":"Books",…},…}}
  {"item":{"isbn":{"S":"…"},…}}             items of the table before, in DynamoDB JSON
  {"end":{"tables":1,"items":1}}            without this line it has been cut off

Create is the request that makes the table, which has other members for what it does not tell, such as
TimeToLive. Records of streams, client request tokens and entries of indexes are not in it; load makes
the latter.
Of a server that runs, GET /dump at its --admin address is the same, packed.`,
		Example: example(`
			tablewright engine dump ./data backup.jsonl.gz
			tablewright engine dump ./data | grep '^{"item"' | head -3`),
		Args: takes("DIR", "[FILE]"),
		RunE: func(c *cobra.Command, args []string) error {
			file := fileArgument(args)
			switch {
			case file == "" && a.output == "json":
				return usage("--output json goes with FILE: without, the dump is what is printed")
			case file != "":
				if err := hasFolder(file); err != nil {
					return err
				}
			}
			return withEngine(args[0], func(e *engine.Engine) error {
				return a.dump(c.Context(), e, file, packed || strings.HasSuffix(file, ".gz"))
			})
		},
	}
	c.Flags().BoolVar(&packed, "gzip", false, "pack it, whatever the file is called")
	return c
}

// dump writes a dump to a file, which is complete or not there, or to standard output.
func (a *app) dump(ctx context.Context, e *engine.Engine, file string, packed bool) (err error) {
	out := a.stdout
	if file != "" {
		t, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*")
		if err != nil {
			return err
		}
		defer os.Remove(t.Name()) // it is not there any more if all went well
		defer t.Close()
		out = t
	}
	sized := &counter{Writer: out}
	tell, done := a.progress()
	lines := &counter{Writer: sized, each: counted(tell, "dump")}
	var z *gzip.Writer
	if packed {
		z = gzip.NewWriter(sized)
		lines.Writer = z
	}
	dumped, err := e.Dump(ctx, lines)
	done()
	if err == nil && z != nil {
		err = z.Close()
	}
	if err != nil || file == "" {
		return err
	}
	t := out.(*os.File)
	if err := errors.Join(t.Sync(), t.Close()); err != nil {
		return err // what the file had before stays
	}
	if err := os.Rename(t.Name(), file); err != nil {
		return err
	}
	return a.moved(dumped, "dumped", file, sized.bytes)
}

// moved tells what a dump or load came to.
func (a *app) moved(d *engine.Dumped, verb, file string, size int64) error {
	if a.output == "json" {
		return a.json(struct {
			Version int    `json:"tablewright"`
			File    string `json:"file,omitempty"`
			Bytes   int64  `json:"bytes"`
			*engine.Dumped
		}{outputVersion, file, size, d})
	}
	if file != "" {
		file = ": " + file
	}
	_, err := fmt.Fprintf(a.stdout, "%s %s with %s%s, %s\n", verb, show.Count(d.Tables, "table", ""), show.Count(int(d.Items), "item", ""), file, show.Bytes(float64(size)))
	return err
}

func (a *app) engineLoadCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "load DIR [FILE]",
		Short: "Add the tables of a dump, all or nothing",
		Long: `Reads a dump from FILE, or from standard input, packed or not, and adds its tables to those of DIR, which is
made if it does not exist. If a table is there already, or anything is wrong with the dump, nothing is
added. Tables keep their ids and times; streams begin anew. A dump may be written by hand: of a table
Create is enough.`,
		Example: example(`
			tablewright engine load ./restored backup.jsonl.gz
			tablewright engine dump ./data | tablewright engine load ./restored`),
		Args: takes("DIR", "[FILE]"),
		RunE: func(c *cobra.Command, args []string) (err error) {
			file := fileArgument(args)
			in := a.stdin
			if file != "" {
				f, err := os.Open(file)
				if err != nil {
					return err
				}
				defer f.Close()
				in = f
			} else if terminal(in) {
				return usage("a dump is read from FILE or standard input: tablewright engine load %s backup.jsonl.gz", args[0])
			}
			return a.load(c.Context(), args[0], file, in)
		},
	}
}

func (a *app) load(ctx context.Context, dir, file string, in io.Reader) error {
	sized := &countingReader{Reader: in}
	text, err := unpacked(sized)
	if err != nil {
		return err
	}
	fresh := !hasFiles(dir)
	e, err := engine.Open(dir, &engine.Options{SweepEvery: -1})
	if errors.Is(err, engine.ErrInUse) {
		return fmt.Errorf("%w: stop it first, or load into another folder", err)
	}
	if err != nil {
		return err
	}
	tell, done := a.progress()
	loaded, err := e.Load(ctx, &countingReader{Reader: text, each: counted(tell, "load")})
	done()
	if errors.Is(err, io.ErrUnexpectedEOF) { // packed, and not to its end
		err = fmt.Errorf("the dump was cut off: %w", err)
	}
	if err != nil && file != "" {
		err = fmt.Errorf("%s: %w", file, err)
	}
	stats, _ := e.Stats()
	if closed := errors.Join(err, e.Close()); closed != nil {
		if err != nil && fresh && stats != nil && len(stats.Tables) == 0 { // what was not there before is not there after
			_ = os.RemoveAll(dir)
		}
		return closed
	}
	return a.moved(loaded, "loaded", file, sized.bytes)
}

// hasFiles reports whether there is anything in a folder, or at that path.
func hasFiles(dir string) bool {
	entries, err := os.ReadDir(dir)
	return len(entries) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// unpacked reads a stream that may be packed, as its first bytes tell.
func unpacked(in io.Reader) (io.Reader, error) {
	b := bufio.NewReader(in)
	if head, _ := b.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return gzip.NewReader(b)
	}
	return b, nil
}

// counted shows the number of lines; nil without progress.
func counted(tell func(pipeline.Event), stage string) func(lines int) {
	if tell == nil {
		return nil
	}
	return func(lines int) { tell(pipeline.Event{Stage: stage, Detail: show.Number(float64(lines)) + " lines"}) }
}

// counter counts what is written.
type counter struct {
	io.Writer
	each  func(lines int)
	bytes int64
	lines int
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.bytes += int64(n)
	if c.each != nil {
		c.lines += bytes.Count(p[:n], []byte{'\n'})
		c.each(c.lines)
	}
	return n, err
}

// countingReader counts what is read.
type countingReader struct {
	io.Reader
	each  func(lines int)
	bytes int64
	lines int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes += int64(n)
	if c.each != nil {
		c.lines += bytes.Count(p[:n], []byte{'\n'})
		c.each(c.lines)
	}
	return n, err
}
