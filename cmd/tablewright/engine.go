package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/show"
)

// errUnsound ends a command whose output has already said what does not fit together.
var errUnsound = errors.New("the data does not fit together")

func (a *app) engineCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "engine COMMAND DIR",
		Short: "Look after a folder that serve keeps tables in",
		Long: `Commands for a folder of tables, as serve --dir keeps it. No server may have it open meanwhile; of one
that runs, --admin of serve gives a consistent copy: curl http://ADDRESS/dump > backup.jsonl.gz`,
		Example: example(`
			tablewright engine check ./data
			tablewright engine stats ./data
			tablewright engine dump ./data backup.jsonl.gz
			tablewright engine load ./restored backup.jsonl.gz
			tablewright engine compact ./data`),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return noSuchCommand(c, args)
		},
	}
	c.AddCommand(a.engineCheckCommand(), a.engineStatsCommand(), a.engineCompactCommand(), a.engineDumpCommand(), a.engineLoadCommand())
	for _, sub := range c.Commands() {
		sub.DisableFlagsInUseLine = true
	}
	return c
}

// withEngine opens the tables of a folder that has some, as they are: nothing expires meanwhile.
func withEngine(dir string, f func(e *engine.Engine) error) error {
	if err := hasData(dir); err != nil {
		return err
	}
	e, err := engine.Open(dir, &engine.Options{SweepEvery: -1})
	if err != nil {
		return inUse(err)
	}
	return errors.Join(f(e), e.Close())
}

// inUse adds what to do about a folder that a server has open.
func inUse(err error) error {
	if errors.Is(err, engine.ErrInUse) {
		return fmt.Errorf("%w: stop it first, or ask it for a copy: GET /dump at its --admin address", err)
	}
	return err
}

func hasData(dir string) error {
	there, err := engine.HasData(dir)
	if err != nil {
		return err
	}
	if !there {
		return fmt.Errorf("%s has no tables: it is not a folder of serve --dir", dir)
	}
	return nil
}

func (a *app) engineCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check DIR",
		Short: "Look whether everything in the data fits together",
		Long: `Reads all of it: every item is under its key, with its size, and has its entries in every index, every
entry has its item, figures add up, streams have no gap. What does not is told by table and index,
with hashes of keys and never a value; the exit code then is 1.`,
		Example: example(`
			tablewright engine check ./data
			tablewright engine check ./data --output json`),
		Args: takes("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			return withEngine(args[0], func(e *engine.Engine) error {
				stats, err := e.Stats()
				if err != nil {
					return err
				}
				return a.checked(stats, e.Check())
			})
		},
	}
}

func (a *app) checked(stats *engine.Stats, wrong error) error {
	problems := []string{}
	if wrong != nil {
		problems = strings.Split(wrong.Error(), "\n")
	}
	items := int64(0)
	for _, t := range stats.Tables {
		items += t.Items
	}
	if a.output == "json" {
		if err := a.json(struct {
			Version  int      `json:"tablewright"`
			Sound    bool     `json:"sound"`
			Problems []string `json:"problems"`
			Tables   int      `json:"tables"`
			Items    int64    `json:"items"`
		}{outputVersion, wrong == nil, problems, len(stats.Tables), items}); err != nil {
			return err
		}
	} else if wrong == nil {
		fmt.Fprintf(a.stdout, "sound: %s, %s\n", show.Count(len(stats.Tables), "table", ""), show.Count(int(items), "item", ""))
	} else {
		fmt.Fprintf(a.stdout, "%s\n\n%s\n", strings.Join(problems, "\n"), show.Count(len(problems), "problem", ""))
	}
	if wrong != nil {
		return errUnsound
	}
	return nil
}

func (a *app) engineStatsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stats DIR",
		Short: "Tell how much the tables and indexes hold",
		Long: `Tells items and bytes of every table, entries and bytes of every index, and the size of the file. Bytes of
items are as DynamoDB counts them for limits and capacity.`,
		Example: example(`
			tablewright engine stats ./data
			tablewright engine stats ./data --output json`),
		Args: takes("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			return withEngine(args[0], func(e *engine.Engine) error {
				stats, err := e.Stats()
				if err != nil {
					return err
				}
				return a.stats(stats)
			})
		},
	}
}

func (a *app) stats(s *engine.Stats) error {
	if a.output == "json" {
		return a.json(struct {
			Version int `json:"tablewright"`
			*engine.Stats
		}{outputVersion, s})
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, t := range s.Tables {
		fmt.Fprintf(w, "%s/%s\t%s\t%s\n", t.Region, t.Name, show.Count(int(t.Items), "item", ""), show.Bytes(float64(t.Bytes)))
		for _, x := range t.Indexes {
			entries := show.Count(int(x.Entries), "entry", "entries")
			if x.Filling {
				entries += " so far"
			}
			fmt.Fprintf(w, "  %s.%s\t%s\t%s\n", t.Name, x.Name, entries, show.Bytes(float64(x.Bytes)))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s in a file of %s, format %d\n", show.Count(len(s.Tables), "table", ""), show.Bytes(float64(s.FileBytes)), s.Format)
	return nil
}

func (a *app) engineCompactCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "compact DIR",
		Short: "Rewrite the data without room that is not used",
		Long: `Rewrites the file of a folder, which grows and does not shrink by itself. The copy needs room beside it; the
old file stays until the new one is complete on disk, so that whatever happens one of them is there.`,
		Example: example(`tablewright engine compact ./data`),
		Args:    takes("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := hasData(args[0]); err != nil {
				return err
			}
			before, after, err := engine.Compact(args[0])
			if err != nil {
				return inUse(err)
			}
			if a.output == "json" {
				return a.json(struct {
					Version int   `json:"tablewright"`
					Before  int64 `json:"bytesBefore"`
					After   int64 `json:"bytesAfter"`
				}{outputVersion, before, after})
			}
			_, err = fmt.Fprintf(a.stdout, "%s, before %s\n", show.Bytes(float64(after)), show.Bytes(float64(before)))
			return err
		},
	}
}

// fileArgument is the second argument of dump and load; - and none are the standard stream.
func fileArgument(args []string) string {
	if len(args) < 2 || args[1] == "-" {
		return ""
	}
	return args[1]
}
