package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/bulk"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

// bulkFlags are those that export and import have in common.
type bulkFlags struct {
	format   string
	parallel int
	rate     float64
	state    string
	dryRun   bool
	yes      bool
	prices   priceFlag
}

func (b *bulkFlags) add(c *cobra.Command, unit string) {
	flags := c.Flags()
	flags.IntVar(&b.parallel, "parallel", 1, "`N` requests at once")
	flags.Float64Var(&b.rate, "rate", 0, "at most `UNITS` "+unit+" capacity units a second")
	flags.BoolVar(&b.dryRun, "dry-run", false, "say what it would consume, take and cost, and do nothing")
	flags.BoolVar(&b.yes, "yes", false, "pay for it, on AWS")
	b.prices.add(c)
}

func (b *bulkFlags) check(formats ...string) error {
	known := false
	for _, f := range formats {
		known = known || f == b.format
	}
	switch {
	case !known:
		return usage("--format is %s, not %q", strings.Join(formats, " or "), b.format)
	case b.parallel < 1:
		return usage("--parallel takes a number of requests, 1 or more")
	case b.rate < 0:
		return usage("--rate takes capacity units a second")
	}
	return nil
}

// source opens a table as it is, whatever lies in it.
func openTable(ctx context.Context, db *tablewright.DB, name, prefix string) (tablewright.Description, *tablewright.Table, error) {
	d, err := tablewright.Describe(ctx, db, name)
	if errors.Is(err, tablewright.ErrNotFound) {
		there, _ := tableNames(ctx, db, prefix)
		return d, nil, usage("there is no table %s%s", name, meant(name, there))
	}
	if err != nil {
		return d, nil, err
	}
	as := d.Table
	as.TTL = "" // what has expired and is still there is there
	return d, tablewright.NewTable(as), nil
}

// estimated is what --dry-run prints, and what is said before anything is paid for.
type estimated struct {
	Version int     `json:"tablewright"`
	Items   int64   `json:"items"`
	Bytes   int64   `json:"bytes"`
	Read    float64 `json:"readUnits"`
	Write   float64 `json:"writeUnits"`
	Seconds float64 `json:"seconds,omitempty"`
	Cost    float64 `json:"cost"`
	Refused int64   `json:"refused,omitempty"`
	refused []bulk.Refusal
}

func estimateOf(e *bulk.Estimate, rate float64) estimated {
	return estimated{outputVersion, e.Items, int64(e.Bytes), float64(e.Units.Read), float64(e.Units.Write), e.Takes(rate).Seconds(), e.Cost.Dollars(), e.Refused, e.Refusals}
}

func (e *estimated) String() string {
	text := fmt.Sprintf("%s of %s: ", show.Count(int(e.Items), "item", ""), show.Bytes(float64(e.Bytes)))
	if e.Write > 0 {
		text += show.Units(e.Write) + " write units"
	} else {
		text += show.Units(e.Read) + " read units"
	}
	if e.Seconds > 0 {
		text += fmt.Sprintf(", %v", time.Duration(e.Seconds)*time.Second)
	}
	return text + fmt.Sprintf(", %s on demand", dollars(e.Cost))
}

// dollars shows small sums with as many decimals as they need.
func dollars(d float64) string {
	if d > 0 && d < 0.01 {
		return "$" + show.Number(d)
	}
	return capacity.MoneyOf(d * float64(capacity.Dollar)).String()
}

// consent shows an estimate, or asks for --yes where it costs money; done reports that nothing more is to be done.
func (a *app) consent(b *bulkFlags, s *serviceFlags, e estimated) (done bool, err error) {
	switch {
	case b.dryRun && a.output == "json":
		return true, a.json(e)
	case b.dryRun:
		fmt.Fprintln(a.stdout, &e)
		a.refusals(a.stdout, e.refused, e.Refused)
		return true, nil
	case s.billed() && !b.yes:
		return true, usage("%s. That costs money: --yes says that you want it", &e)
	}
	return false, nil
}

// refusals lists lines that are not written.
func (a *app) refusals(w io.Writer, some []bulk.Refusal, n int64) {
	const most = 20
	for _, r := range some[:min(len(some), most)] {
		fmt.Fprintf(w, "line %d: %s\n", r.Line, strings.TrimPrefix(r.Err.Error(), "tablewright: "))
	}
	if n > most {
		fmt.Fprintf(w, "and %s more\n", show.Count(int(n-most), "line", ""))
	}
}

// told shows progress of an export or import.
func told(tell func(pipeline.Event), stage string, of int64) func(bulk.Progress) {
	if tell == nil {
		return nil
	}
	return func(p bulk.Progress) {
		detail := show.Units(float64(p.Units.Read)) + " read units,"
		if p.Units.Write > 0 {
			detail = show.Units(float64(p.Units.Write)) + " write units,"
		}
		tell(pipeline.Event{Stage: stage, Detail: detail, Done: int(p.Items), Of: int(max(of, p.Items))})
	}
}

func (a *app) exportCommand() *cobra.Command {
	var (
		service serviceFlags
		b       bulkFlags
	)
	c := &cobra.Command{
		Use:   "export TABLE [FILE]",
		Short: "Write the items of a table to a file",
		Long: `Writes all items of a table, one on a line, to FILE (readable for you only, packed if its name ends in .gz), or
to standard output. It reads the table from end to end: half a read unit for each 4 KB.

  dynamodb-json  {"Item":{"isbn":{"S":"978-0"}}}   what DynamoDB's own export to S3 writes and its import reads
  json           {"isbn":"978-0"}                  sets become arrays, binaries base64

FILE has its name when it is complete. What stopped goes on when it is called again: FILE.part and
FILE.state say where. On AWS it wants --yes.

` + serviceHelp,
		Example: example(`
			tablewright export Books books.jsonl.gz --dir ./data
			tablewright export Books --dir ./data --format json | head -3
			tablewright export Books --dir ./data --dry-run
			tablewright export Shop shop.jsonl.gz --aws --region eu-central-1 --parallel 4 --rate 200 --yes`),
		Args: takes("TABLE", "[FILE]"),
		RunE: func(c *cobra.Command, args []string) error {
			file := fileArgument(args)
			if err := b.check(string(bulk.DynamoDBJSON), string(bulk.JSON)); err != nil {
				return err
			}
			if err := service.check(); err != nil {
				return err
			}
			p, err := b.prices.read()
			if err != nil {
				return err
			}
			switch {
			case file == "" && a.output == "json" && !b.dryRun:
				return usage("--output json goes with FILE: without, the items are what is printed")
			case file != "" && !b.dryRun:
				if err := hasFolder(file); err != nil {
					return err
				}
			}
			return service.with(c.Context(), false, func(db *tablewright.DB) error {
				d, table, err := openTable(c.Context(), db, args[0], service.prefix)
				if err != nil {
					return err
				}
				e := bulk.EstimateExport(&d, p)
				if done, err := a.consent(&b, &service, estimateOf(&e, b.rate)); done {
					return err
				}
				return a.export(c.Context(), db, table, file, &b, d.Items)
			})
		},
	}
	b.add(c, "read")
	c.Flags().StringVar(&b.format, "format", string(bulk.DynamoDBJSON), "write lines of `dynamodb-json|json`")
	service.add(c)
	return c
}

func (a *app) export(ctx context.Context, db *tablewright.DB, table *tablewright.Table, file string, b *bulkFlags, of int64) error {
	scan := table.Raw().Scan().Intended().Parallel(b.parallel).Rate(capacity.ReadUnits(b.rate))
	tell, done := a.progress()
	o := bulk.ExportOptions{Format: bulk.Format(b.format), Progress: told(tell, "export", of)}
	if file == "" {
		_, err := bulk.ExportTo(ctx, db, scan, a.stdout, o)
		done()
		return err
	}
	exported, err := bulk.Export(ctx, db, scan, file, o)
	done()
	if err != nil {
		if _, there := os.Stat(file + ".state"); there == nil {
			err = fmt.Errorf("%w\nwhat was written is in %s.part; called again it goes on from there", err, file)
		}
		return err
	}
	if a.output == "json" {
		return a.json(struct {
			Version int     `json:"tablewright"`
			File    string  `json:"file"`
			Items   int64   `json:"items"`
			Bytes   int64   `json:"bytes"`
			Read    float64 `json:"readUnits"`
			Resumed bool    `json:"resumed,omitempty"`
		}{outputVersion, file, exported.Items, exported.Bytes, float64(exported.Read), exported.Resumed})
	}
	_, err = fmt.Fprintf(a.stdout, "exported %s: %s, %s; %s read units\n", show.Count(int(exported.Items), "item", ""), file, show.Bytes(float64(exported.Bytes)), show.Units(float64(exported.Read)))
	return err
}

// importFlags are those of import alone.
type importFlags struct {
	header, types string
	comma         string
	rejects       string
}

func (a *app) importCommand() *cobra.Command {
	var (
		service serviceFlags
		b       bulkFlags
		own     importFlags
	)
	c := &cobra.Command{
		Use:   "import TABLE [FILE]",
		Short: "Load a file of items into a table",
		Long: `Writes the items of FILE, or of standard input, into a table, packed (gzip) or not. Items with the same key are
replaced. The format is told by FILE's name or --format:

  dynamodb-json  {"Item":{"isbn":{"S":"978-0"}}}   a line each, as export and DynamoDB's export to S3 write them
  json           {"isbn":"978-0"}                  a line each (.ndjson)
  csv            the first line names the attributes, or --header; all are texts but keys of table and indexes,
                 and what --types says: --types copies=N,tags=JSON

Lines that cannot be written do not stop it; they are told with their numbers, to --rejects FILE all of
them, and the exit code then is 3. What stopped otherwise goes on when it is called again with the same --state FILE.
--dry-run reads the whole file and finds most of what is wrong with it. On AWS it wants --yes.

` + serviceHelp,
		Example: example(`
			tablewright import Books books.jsonl --dir ./data
			tablewright import Books books.csv --types copies=N --dir ./data --rejects rejects.jsonl
			tablewright import Books books.csv --dir ./data --dry-run
			tablewright import Shop shop.jsonl.gz --aws --region eu-central-1 --parallel 4 --rate 500 --state shop.state --yes`),
		Args: takes("TABLE", "[FILE]"),
		RunE: func(c *cobra.Command, args []string) error {
			file := fileArgument(args)
			if b.format == "" {
				b.format = formatOf(file)
			}
			if err := b.check(string(bulk.DynamoDBJSON), string(bulk.JSON), string(bulk.CSV)); err != nil {
				return err
			}
			o, err := own.options(&b)
			if err != nil {
				return err
			}
			if err := service.check(); err != nil {
				return err
			}
			p, err := b.prices.read()
			if err != nil {
				return err
			}
			in := a.stdin
			switch {
			case file != "":
				f, err := os.Open(file)
				if err != nil {
					return err
				}
				defer f.Close()
				in = f
			case terminal(a.stdin):
				return usage("items are read from FILE or standard input: tablewright import %s items.jsonl", args[0])
			case b.state != "":
				return usage("--state goes with FILE: what has been read from standard input is gone")
			case service.billed() && !b.yes && !b.dryRun:
				return usage("that costs money: --yes says that you want it; for FILE --dry-run says how much")
			}
			return service.with(c.Context(), false, func(db *tablewright.DB) error {
				d, table, err := openTable(c.Context(), db, args[0], service.prefix)
				if err != nil {
					return err
				}
				if b.dryRun || service.billed() && !b.yes {
					e, err := bulk.EstimateImport(&d, table.Raw(), in, o, p)
					if err != nil {
						return err
					}
					_, err = a.consent(&b, &service, estimateOf(&e, b.rate))
					return err
				}
				return a.importItems(c.Context(), db, table, in, o, &own)
			})
		},
	}
	b.add(c, "write")
	flags := c.Flags()
	flags.StringVar(&b.format, "format", "", "read `dynamodb-json|json|csv`; as the file's name says")
	flags.StringVar(&own.header, "header", "", "of CSV without a first line of names: the `NAMES` of the attributes")
	flags.StringVar(&own.comma, "comma", ",", "of CSV: the `CHARACTER` between fields, such as ; or \\t")
	flags.StringVar(&own.types, "types", "", "of CSV: `NAME=TYPE,…` of attributes that are no texts: N, B (base64), BOOL, JSON")
	flags.StringVar(&own.rejects, "rejects", "", "write what is refused to `FILE`: lines of JSON with line and error")
	flags.StringVar(&b.state, "state", "", "keep in `FILE` how far it is, and go on from there")
	service.add(c)
	return c
}

// formatOf is the format that a file's name tells.
func formatOf(file string) string {
	switch filepath.Ext(strings.TrimSuffix(file, ".gz")) {
	case ".csv", ".tsv":
		return string(bulk.CSV)
	case ".ndjson":
		return string(bulk.JSON)
	}
	return string(bulk.DynamoDBJSON)
}

func (own *importFlags) options(b *bulkFlags) (bulk.ImportOptions, error) {
	o := bulk.ImportOptions{Format: bulk.Format(b.format), Parallel: b.parallel, Rate: capacity.WriteUnits(b.rate), State: b.state}
	if o.Format != bulk.CSV && (own.header != "" || own.types != "" || own.comma != ",") {
		return o, usage("--header, --types and --comma go with CSV")
	}
	if own.comma == `\t` {
		own.comma = "\t"
	}
	r, n := utf8.DecodeRuneInString(own.comma)
	if n == 0 || n != len(own.comma) {
		return o, usage("--comma takes one character, not %q", own.comma)
	}
	o.Comma = r
	if own.header != "" {
		o.Header = strings.Split(own.header, ",")
	}
	for one := range strings.SplitSeq(own.types, ",") {
		if one == "" {
			continue
		}
		name, typ, ok := strings.Cut(one, "=")
		if !ok || typ != "S" && typ != "N" && typ != "B" && typ != "BOOL" && typ != "JSON" {
			return o, usage("--types takes NAME=TYPE,… with the types S, N, B, BOOL and JSON, not %q", one)
		}
		if o.Types == nil {
			o.Types = map[string]plan.Type{}
		}
		o.Types[name] = plan.Type(typ)
	}
	return o, nil
}

// errRefused ends an import whose output has already said which lines were not written.
var errRefused = errors.New("lines were refused")

func (a *app) importItems(ctx context.Context, db *tablewright.DB, table *tablewright.Table, in io.Reader, o bulk.ImportOptions, own *importFlags) error {
	var rejects *rejectsFile
	if own.rejects != "" {
		var err error
		if rejects, err = openRejects(own.rejects); err != nil {
			return err
		}
		o.Refused = rejects.add
	}
	tell, done := a.progress()
	o.Progress = told(tell, "import", 0)
	loaded, err := bulk.Import(ctx, db, table.Raw(), in, o)
	done()
	if rejects != nil {
		err = errors.Join(err, rejects.close())
	}
	if err != nil {
		if o.State != "" {
			err = fmt.Errorf("%w\ncalled again with --state %s it goes on from there", err, o.State)
		}
		return err
	}
	if a.output == "json" {
		type refused struct {
			Line  int    `json:"line"`
			Error string `json:"error"`
		}
		list := []refused{}
		for _, r := range loaded.Refusals {
			list = append(list, refused{r.Line, r.Err.Error()})
		}
		err = a.json(struct {
			Version  int       `json:"tablewright"`
			Items    int64     `json:"items"`
			Refused  int64     `json:"refused"`
			Refusals []refused `json:"refusals"`
			Write    float64   `json:"writeUnits"`
			Resumed  bool      `json:"resumed,omitempty"`
		}{outputVersion, loaded.Items, loaded.Refused, list, float64(loaded.Write), loaded.Resumed})
	} else {
		fmt.Fprintf(a.stdout, "imported %s into %s; %s write units\n", show.Count(int(loaded.Items), "item", ""), table.Name(), show.Units(float64(loaded.Write)))
		if loaded.Refused > 0 {
			fmt.Fprintf(a.stdout, "%s refused:\n", show.Count(int(loaded.Refused), "line", ""))
			a.refusals(a.stdout, loaded.Refusals, loaded.Refused)
		}
	}
	if err == nil && loaded.Refused > 0 {
		return errRefused
	}
	return err
}
