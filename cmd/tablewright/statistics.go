package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/stats"
)

// journalBegins is how the files that stats.Journal.WriteTo writes begin.
const journalBegins = "tablewright-journal "

// readStatistics reads an export, or computes it from a journal.
func readStatistics(name string, text []byte) (*stats.Snapshot, error) {
	if bytes.HasPrefix(text, []byte(journalBegins)) {
		j, err := stats.ReadJournal(bytes.NewReader(text), 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return j.Snapshot(stats.Options{}), nil
	}
	s, err := stats.ReadSnapshot(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// mostStatistics bounds what packed statistics may have unpacked.
const mostStatistics = 1 << 30

var gzipBegins = []byte{0x1f, 0x8b}

// isPackedStatistics reports whether a packed file begins as statistics do.
func isPackedStatistics(head []byte) bool {
	begin := unpackedHead(head)
	return bytes.HasPrefix(begin, []byte(journalBegins)) || bytes.HasPrefix(begin, []byte("{")) && bytes.Contains(begin, []byte(`"tablewrightStats"`))
}

// unpackStatistics unpacks them.
func unpackStatistics(name string, packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, readable(err))
	}
	out, err := io.ReadAll(io.LimitReader(z, mostStatistics+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%s: the packed file ends in the middle: it was cut, or is still being written", name)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, readable(err))
	case len(out) > mostStatistics:
		return nil, fmt.Errorf("%s has more than %d GB unpacked", name, mostStatistics>>30)
	}
	return out, nil
}

// merged is what several processes know together; nil of none.
func (a *app) merged(names []string, all []*stats.Snapshot) (*stats.Snapshot, error) {
	if len(all) < 2 {
		return append(all, nil)[0], nil
	}
	for i, s := range all {
		if j := slices.IndexFunc(all[:i], func(o *stats.Snapshot) bool { return o.From.Equal(s.From) }); j >= 0 {
			fmt.Fprintf(a.stderr, "%s and %s begin at the same moment, %s: if they are of one process, its calls are counted twice, and the later one alone has them all\n",
				names[j], names[i], s.From.UTC().Format(time.RFC3339Nano))
			break
		}
	}
	for i, s := range all {
		if s.KeySpace != all[0].KeySpace {
			return nil, fmt.Errorf("%s and %s hashed their keys with different secrets, so that these cannot be compared: examine them one by one,\n"+
				"and give all processes the same secret (stats.Options.HashKeys, or hash= in TABLEWRIGHT_STATS), or none", names[0], names[i])
		}
	}
	s, err := stats.Merge(all...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(names, ", "), err)
	}
	return s, nil
}

// statistics reads and merges what several processes wrote.
func (a *app) statistics(ctx context.Context, args []string) (*stats.Snapshot, error) {
	var all []*stats.Snapshot
	for _, arg := range args {
		kind, text, err := a.kindOfInput(ctx, arg)
		if err != nil {
			return nil, err
		}
		if kind != isStatistics {
			return nil, usage("%s has no statistics: JSON with tablewrightStats is wanted, as stats.Snapshot.Write writes it, or a journal", arg)
		}
		s, err := readStatistics(arg, text)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return a.merged(args, all)
}
