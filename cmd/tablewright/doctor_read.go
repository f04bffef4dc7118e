package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/bulk"
	"github.com/tablewright/tablewright/doctor"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

// chart reads the files and addresses of a command line, each for what it is.
func (a *app) chart(ctx context.Context, m *modelFlags, o *doctorFlags, args []string, live bool) (*chart, error) {
	x := &chart{}
	var err error
	if x.Prices, err = o.prices.read(); err != nil {
		return nil, err
	}
	if o.thresholds != "" {
		text, err := os.ReadFile(o.thresholds)
		if err != nil {
			return nil, err
		}
		if x.Thresholds, x.Ranges, err = doctor.ReadThresholds(o.thresholds, text); err != nil {
			return nil, err
		}
	}
	var snapshots []*stats.Snapshot
	var statistics []string
	var items []string
	for _, arg := range args {
		switch kind, text, err := a.kindOfInput(ctx, arg); {
		case err != nil:
			return nil, err
		case kind == isStatistics:
			s, err := readStatistics(arg, text)
			if err != nil {
				return nil, err
			}
			snapshots, statistics = append(snapshots, s), append(statistics, arg)
		case kind == isModel:
			if m.model != "" {
				return nil, usage("two models: %s and %s", m.model, arg)
			}
			m.model = arg
		case kind == isDump:
			x.dumps = append(x.dumps, arg)
		default:
			items = append(items, arg)
		}
		x.read = append(x.read, arg)
	}
	if x.Stats, err = a.merged(statistics, snapshots); err != nil {
		return nil, err
	}
	if len(args) > 0 {
		x.places.File = args[0]
	}
	if m.model != "" {
		if x.Program, err = m.load(); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(m.model)
		if err != nil {
			return nil, err
		}
		source, _ := model.NewSource(m.model, text)
		x.places = doctor.Places{File: m.model, Source: source}
		if !slices.Contains(args, m.model) {
			x.read = append(x.read, m.model)
		}
		x.again = againBy(m, statistics)
	} else if m.requirements != "" {
		return nil, usage("--requirements goes with --model")
	}
	switch {
	case len(items) > 0 && live:
		return nil, usage("items in a file and live tables are looked at one after the other: %s", strings.Join(items, ", "))
	case len(x.dumps) > 0 && (live || len(items) > 0):
		return nil, usage("a dump has tables of its own, and is looked at without others: %s", strings.Join(x.dumps, ", "))
	}
	if len(o.tables) > 0 && len(items) == 0 && !live && len(x.dumps) == 0 {
		return nil, usage("--table %s: where is it? --dir ./data (of serve), --endpoint http://127.0.0.1:8000 or --aws says it", o.tables[0])
	}
	for i, file := range items {
		if err := a.sampleFile(ctx, x, o, file, i); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// againBy is doctor.Again with the names of the files that were read.
func againBy(m *modelFlags, statistics []string) string {
	if len(statistics) == 0 || slices.Contains(statistics, "-") {
		return ""
	}
	text := strings.Replace(doctor.Again, "requirements.yaml", forShell(m.requirements), 1)
	text = strings.Replace(text, "--model model.yaml", "--model "+forShell(m.model), 1)
	var words []string
	for _, name := range statistics {
		words = append(words, "--stats "+forShell(name))
	}
	return strings.Replace(text, "--stats statistics.json", strings.Join(words, " "), 1)
}

// forShell is a word as a shell takes it.
func forShell(word string) string {
	if strings.ContainsAny(word, " \t\n'\"\\$`&|;<>()*?[]#~!{}") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

type inputKind int

const (
	isItems inputKind = iota
	isStatistics
	isModel
	isDump
)

// kindOfInput says what a file or address is. The text is that of statistics only.
func (a *app) kindOfInput(ctx context.Context, arg string) (inputKind, []byte, error) {
	if u, err := url.Parse(arg); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		text, err := fetch(ctx, u)
		return isStatistics, text, err
	}
	in := a.stdin
	if arg != "-" {
		f, err := os.Open(arg)
		if err != nil {
			return 0, nil, err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return 0, nil, usage("%s is a folder: --dir %[1]s examines tables of serve; else name the files in it", arg)
		}
		in = f
	} else if terminal(a.stdin) {
		return 0, nil, usage("- reads standard input, and nothing is written to it")
	}
	// The first lines tell.
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return 0, nil, err
	}
	head = head[:n]
	begin := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case len(begin) == 0:
		return 0, nil, fmt.Errorf("%s is empty", arg)
	case bytes.HasPrefix(head, []byte(journalBegins)), bytes.HasPrefix(begin, []byte("{")) && bytes.Contains(head, []byte(`"tablewrightStats"`)):
		rest, err := io.ReadAll(in)
		return isStatistics, append(head, rest...), err
	case bytes.HasPrefix(head, gzipBegins) && isPackedStatistics(head):
		rest, err := io.ReadAll(in)
		if err != nil {
			return 0, nil, err
		}
		text, err := unpackStatistics(arg, append(head, rest...))
		return isStatistics, text, err
	case arg == "-":
		return 0, nil, usage("standard input can be statistics; models, items and dumps are read from files")
	case bytes.HasPrefix(unpackedHead(begin), []byte(`{"dump":`)):
		return isDump, nil, nil
	case isModelText(arg, begin):
		rest, err := io.ReadAll(io.LimitReader(in, 4<<20))
		if h, ok := headingOf(append(head, rest...)); ok && h.patterns {
			return 0, nil, usage("%s has requirements, not a model: tablewright doctor --model MODEL --requirements %[1]s", arg)
		}
		return isModel, nil, err
	case begin[0] == '{' || bytes.HasPrefix(begin, gzipBegins):
		return isItems, nil, nil
	}
	return 0, nil, fmt.Errorf("%s is neither statistics (JSON with tablewrightStats, as stats.Snapshot.Write writes it, or a journal), a model, a dump of tablewright engine dump, nor a file with an item in JSON on each line", arg)
}

// isModelText reports whether a text is a document: a model, or requirements.
func isModelText(name string, begin []byte) bool {
	switch filepath.Ext(name) {
	case ".yaml", ".yml":
		return true
	}
	return bytes.HasPrefix(begin, []byte("{")) && bytes.Contains(begin, []byte(`"tablewright"`)) && bytes.Contains(begin, []byte(`"tables"`))
}

// mostFetched bounds what an address may answer.
const mostFetched = 256 << 20

// fetch reads the statistics of a running program: the address itself, or what the page there has under ?show=statistics.
func fetch(ctx context.Context, u *url.URL) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	get := func(u *url.URL) ([]byte, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
		if err != nil {
			return nil, err
		}
		request.Header.Set("Accept", "application/json")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			var bad *url.Error
			if errors.As(err, &bad) {
				err = bad.Err
			}
			return nil, fmt.Errorf("%s: %w\n(is the program running, and is its page of statistics mounted there?)", u.Redacted(), err)
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%s answers %s: is its page of statistics mounted there?", u.Redacted(), answer.Status)
		}
		text, err := io.ReadAll(io.LimitReader(answer.Body, mostFetched+1))
		if len(text) > mostFetched {
			return nil, fmt.Errorf("%s answers more than %d MB", u.Redacted(), mostFetched>>20)
		}
		return text, err
	}
	text, err := get(u)
	if err != nil || bytes.Contains(text[:min(len(text), 4096)], []byte(`"tablewrightStats"`)) {
		return text, err
	}
	other := *u
	query := other.Query()
	query.Set("show", "statistics")
	other.RawQuery = query.Encode()
	if text, err = get(&other); err == nil && !bytes.Contains(text[:min(len(text), 4096)], []byte(`"tablewrightStats"`)) {
		return nil, fmt.Errorf("%s has no statistics: the address of an Adviser's handler is wanted, or of what writes a Snapshot as JSON", u.Redacted())
	}
	return text, err
}

// guessed is how many items of a file a key is guessed from.
const guessed = 1000

// sampleFile looks at the items of a file.
func (a *app) sampleFile(ctx context.Context, x *chart, o *doctorFlags, file string, i int) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	table := plan.Table{Name: strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".gz"), filepath.Ext(strings.TrimSuffix(file, ".gz")))}
	if i < len(o.tables) {
		table.Name = o.tables[i]
	}
	known := false
	x.bare = append(x.bare, table.Name)
	if schema := schemaOf(x.Program, table.Name); schema != nil {
		table, known = *schema.Document, true
		table.Items, x.bare = nil, x.bare[:len(x.bare)-1]
	} else if x.Program != nil && len(x.Program.Tables) == 1 && len(o.tables) == 0 {
		table, known = *x.Program.Tables[0].Document, true
		table.Items, x.bare = nil, x.bare[:len(x.bare)-1]
	}
	if o.key != "" {
		parts := strings.Split(o.key, ",")
		if len(parts) > 2 {
			return usage("--key takes a partition key, or that and a sort key: PK,SK")
		}
		table.Key = plan.Key{Partition: strings.TrimSpace(parts[0])}
		if len(parts) == 2 {
			table.Key.Sort = strings.TrimSpace(parts[1])
		}
		known = true
	}
	out := sampled{From: file}
	var sampler *doctor.Sampler
	var first []attr.Item
	begin := func() error {
		if !known {
			if table.Key = doctor.GuessKey(first); table.Key.Partition == "" {
				return usage("%s: which attributes are the key? None that all items have tells them apart: --key PK,SK", file)
			}
		}
		if table.Attributes == nil && len(first) > 0 {
			table.Attributes = keyTypes(first[0], table.Key)
		}
		sampler = doctor.NewSampler(table, doctor.SamplerOptions{HashKeys: o.secret()})
		for _, it := range first {
			sampler.Add(it)
		}
		first = nil
		return nil
	}
	tell, done := a.progress()
	defer done()
	n := 0
	for it, err := range bulk.Items(f, "", func(bulk.Refusal) { out.Refused++ }) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, readable(err))
		}
		if n++; tell != nil && n%1000 == 0 {
			tell(pipeline.Event{Stage: "read " + file, Detail: show.Count(n, "item", "")})
		}
		if sampler != nil {
			sampler.Add(it)
			continue
		}
		if first = append(first, it); len(first) == guessed {
			if err := begin(); err != nil {
				return err
			}
		}
	}
	if n == 0 {
		return fmt.Errorf("%s: no line of it is an item in JSON", file)
	}
	if sampler == nil {
		if err := begin(); err != nil {
			return err
		}
	}
	if sampler.Passed() == n {
		return usage("%s: no item has the key %s; --key ATTRIBUTES says what it is", file, strings.Join(keyNames(table.Key), " and "))
	}
	x.know(table, nil)
	x.take(sampler)
	out.Table, out.Key, out.Items, out.Bytes = table.Name, keyNames(table.Key), sampler.Items, sampler.Bytes
	x.samples = append(x.samples, out)
	return nil
}

func keyNames(k plan.Key) []string {
	if k.Sort == "" {
		return []string{k.Partition}
	}
	return []string{k.Partition, k.Sort}
}

// keyTypes are the types of key attributes, as an item has them.
func keyTypes(it attr.Item, k plan.Key) map[string]plan.Type {
	types := map[string]plan.Type{}
	for _, name := range keyNames(k) {
		switch it.Get(name).Kind() {
		case attr.KindN:
			types[name] = plan.N
		case attr.KindB:
			types[name] = plan.B
		default:
			types[name] = plan.S
		}
	}
	return types
}

// readable says what is wrong with a packed file in words.
func readable(err error) error {
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) {
		return fmt.Errorf("it is packed, and damaged: %w", err)
	}
	return err
}
