package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/generate"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/internal/show"
)

func (a *app) compareCommand() *cobra.Command {
	var prices priceFlag
	var limit timeFlag
	var schools []string
	c := &cobra.Command{
		Use:   "compare REQUIREMENTS [MODEL...]",
		Short: "Set models of the same requirements side by side",
		Long: `Prints the designed model beside the given ones: what a month costs and what for, tables and indexes,
the hottest keys at peak, the limits that each comes near, and for every access pattern what a call
consumes, how many round trips it takes, and what it costs a month. All are priced by the same
arithmetic, at the rates of the requirements. Nothing is run: prove tells whether a model is right.

With --school, once for each, there is a designed model for each of these schools, called by it.

If no model can be designed, the given ones are compared, and it is said why.`,
		Example: example(`
			tablewright compare shop.yaml model.yaml
			tablewright compare examples/online-shop.yaml examples/online-shop.published-model.yaml
			tablewright compare shop.yaml --school aggregates,single-table
			tablewright compare shop.yaml model.yaml --output json`),
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("REQUIREMENTS is missing: %s", c.UseLine())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			p, err := prices.read()
			if err != nil {
				return err
			}
			within, err := limit.read(c, false)
			if err != nil {
				return err
			}
			names := []string{"designed"}
			for i, s := range schools {
				if err := schoolFlag(s).check(); err != nil {
					return err
				}
				if slices.Contains(schools[:i], s) {
					return usage("--school %s is there twice", s)
				}
				names = schools
			}
			a.abrupt.Store(true)
			collectLess()
			tell, done := a.progress()
			defer done()
			o := pipeline.Options{Prices: p, Time: within, Progress: tell}
			d, err := a.document(args[0])
			if err != nil {
				return err
			}
			all := &comparison{Version: outputVersion}
			var none *design.InfeasibleError
			var unsupported *design.UnsupportedError
			for i, name := range append(slices.Clone(names), sideNames(names, args[1:])...) {
				given := i - len(names) // of the models that are given
				job, err := read(d, o, given >= 0, false)
				if err != nil {
					return err
				}
				known := len(job.Warnings) // which the requirements have whatever the model
				if given < 0 {
					if len(schools) > 0 {
						o.School = name
					}
					err = job.Design(c.Context(), o)
				} else {
					var m pipeline.Document
					if m, err = a.document(args[1+given]); err == nil {
						err = job.Load(m, o)
					}
				}
				switch {
				case given < 0 && len(args) > 1 && (errors.As(err, &none) || errors.As(err, &unsupported)):
					all.NotDesigned = err.Error()
					continue
				case err != nil:
					return err
				}
				all.add(name, job, known)
			}
			done()
			if a.output == "json" {
				return a.json(all)
			}
			a.showComparison(all)
			return nil
		},
	}
	prices.add(c)
	limit.add(c)
	c.Flags().StringSliceVar(&schools, "school", nil, "design for each `SCHOOL`: "+strings.Join(design.Schools, ", ")+" (default: what the requirements say)")
	_ = c.RegisterFlagCompletionFunc("school", cobra.FixedCompletions(design.Schools, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// sideNames are short names of files, or their paths where two would be the same, or as a designed one is called.
func sideNames(designed, paths []string) []string {
	var names []string
	for _, p := range paths {
		names = append(names, filepath.Base(p))
	}
	for i, n := range names {
		if slices.Contains(designed, n) || slices.Contains(names[:i], n) || slices.Contains(names[i+1:], n) {
			return paths
		}
	}
	return names
}

// comparison is what `compare --output json` prints.
type comparison struct {
	Version     int               `json:"tablewright"`
	Application string            `json:"application"`
	Models      []modelCompared   `json:"models"`
	NotDesigned string            `json:"notDesigned,omitempty"` // why there is no designed model
	Patterns    []patternCompared `json:"patterns"`
}

type modelCompared struct {
	Name     string       `json:"name"` // designed, or the file
	Tables   []tableShown `json:"tables"`
	Cost     costShown    `json:"cost"`
	Read     float64      `json:"peakRead"` // units per second of all tables and indexes
	Write    float64      `json:"peakWrite"`
	Hottest  []loadShown  `json:"hottest"`
	Warnings []string     `json:"warnings"` // of the model: limits that it comes near, and what was found in it

	bill capacity.Bill
}

type patternCompared struct {
	Name    string         `json:"name"`
	Average float64        `json:"averageRate"`
	Models  []callCompared `json:"models"` // in the order of the models
}

// callCompared is what a call consumes and takes.
type callCompared struct {
	Model string  `json:"model"`
	Read  float64 `json:"read"`  // units
	Write float64 `json:"write"` // units
	Trips int     `json:"roundTrips"`
	Month float64 `json:"month"`

	cost capacity.Money
}

// hottestShown is how many of its hottest keys are shown of each model.
const hottestShown = 3

func (x *comparison) add(name string, job *pipeline.Job, known int) {
	s := summaryOf(job)
	x.Application = s.Application
	m := modelCompared{Name: name, Tables: s.Tables, Cost: s.Cost, Hottest: []loadShown{}, Warnings: []string{}, bill: job.Price.Bill}
	for _, place := range job.Price.Places {
		m.Read += place.PeakRead
		m.Write += place.PeakWrite
	}
	for _, l := range job.Price.Loads[:min(hottestShown, len(job.Price.Loads))] {
		m.Hottest = append(m.Hottest, loadShown{l.Place, l.Of, l.Read, l.Write, l.Heat, l.Patterns})
	}
	for _, d := range job.Warnings[known:] {
		m.Warnings = append(m.Warnings, d.Message)
	}
	for _, f := range job.Concerns() {
		m.Warnings = append(m.Warnings, f.Message)
	}
	x.Models = append(x.Models, m)
	if x.Patterns == nil {
		for _, p := range job.Requirements.Patterns {
			x.Patterns = append(x.Patterns, patternCompared{Name: p.Name, Average: p.Rate.Average})
		}
	}
	for i := range x.Patterns {
		p := &x.Patterns[i]
		c := callCompared{Model: name}
		if e := job.Price.Pattern(p.Name); e != nil {
			c.Read, c.Write = e.Units()
			c.cost, c.Month = e.Cost, e.Cost.Dollars()
		}
		if proc := job.Program.Procedure(p.Name); proc != nil {
			c.Trips = generate.Rounds(proc)
		}
		p.Models = append(p.Models, c)
	}
}

// showComparison prints it for people.
func (a *app) showComparison(x *comparison) {
	w := a.stdout
	fmt.Fprintf(w, "%s\n\n", x.Application)
	if x.NotDesigned != "" {
		for _, line := range wrap("no model is designed: "+x.NotDesigned, 100) {
			fmt.Fprintln(w, line)
		}
		fmt.Fprintln(w)
	}
	head := []string{"a month"}
	for _, m := range x.Models {
		head = append(head, ">"+m.Name)
	}
	rows := [][]string{head}
	row := func(name string, of func(m *modelCompared) string) {
		cells := []string{name}
		for i := range x.Models {
			cells = append(cells, of(&x.Models[i]))
		}
		if slices.ContainsFunc(cells[1:], func(c string) bool { return c != "" }) {
			rows = append(rows, cells)
		}
	}
	row("cost", func(m *modelCompared) string { return m.bill.Total().String() })
	first := x.Models[0].Cost.Month
	row("  beside "+x.Models[0].Name, func(m *modelCompared) string {
		if first <= 0 || len(x.Models) == 1 || m == &x.Models[0] {
			return ""
		}
		return fmt.Sprintf("%+.1f %%", 100*(m.Cost.Month/first-1))
	})
	row("  reads", func(m *modelCompared) string { return m.bill.Reads.String() })
	row("  writes", func(m *modelCompared) string { return m.bill.Writes.String() })
	row("  storage", func(m *modelCompared) string { return m.bill.Storage.String() })
	row("  streams", func(m *modelCompared) string { return ifAny(m.bill.Streams) })
	row("  point-in-time recovery", func(m *modelCompared) string { return ifAny(m.bill.Recovery) })
	row("tables", func(m *modelCompared) string { return strconv.Itoa(len(m.Tables)) })
	row("indexes", func(m *modelCompared) string {
		n := 0
		for _, t := range m.Tables {
			n += len(t.Indexes)
		}
		return strconv.Itoa(n)
	})
	row("read units/s at peak", func(m *modelCompared) string { return show.Number(m.Read) })
	row("write units/s at peak", func(m *modelCompared) string { return show.Number(m.Write) })
	columns(w, rows)

	fmt.Fprintln(w)
	rows = [][]string{{"access pattern", ">calls/s", "model", ">read units", ">write units", ">round trips", ">$ a month"}}
	for _, p := range x.Patterns {
		name, rate := p.Name, show.Number(p.Average)
		for _, c := range p.Models {
			rows = append(rows, []string{name, rate, c.Model, units(c.Read), units(c.Write), strconv.Itoa(c.Trips), c.cost.String()})
			name, rate = "", ""
		}
	}
	columns(w, rows)

	fmt.Fprintln(w)
	rows = [][]string{{"hottest keys at peak", "in", "of", ">read/s", ">write/s", ">of its limit"}}
	for _, m := range x.Models {
		name := m.Name
		for _, l := range m.Hottest {
			rows = append(rows, []string{name, l.Place, l.Of, show.Number(l.Read), show.Number(l.Write), fmt.Sprintf("%.1f %%", 100*l.Heat)})
			name = ""
		}
	}
	columns(w, rows)
	for _, m := range x.Models {
		if len(m.Warnings) == 0 {
			fmt.Fprintf(w, "\n%s: no warnings\n", m.Name)
			continue
		}
		fmt.Fprintf(w, "\n%s: %s\n", m.Name, paint(w, amber, show.Count(len(m.Warnings), "warning", "")))
		for _, text := range m.Warnings {
			mark := "-"
			for _, line := range wrap(text, 96) {
				fmt.Fprintf(w, "  %s %s\n", mark, line)
				mark = " "
			}
		}
	}
}

func ifAny(m capacity.Money) string {
	if m == 0 {
		return ""
	}
	return m.String()
}
