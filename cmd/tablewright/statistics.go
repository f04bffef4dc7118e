package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

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

// merged is what several processes know together; nil of none.
func merged(names []string, all []*stats.Snapshot) (*stats.Snapshot, error) {
	if len(all) < 2 {
		return append(all, nil)[0], nil
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
	return merged(args, all)
}
