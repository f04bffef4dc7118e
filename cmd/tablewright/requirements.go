package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/doctor"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/model"
)

func (a *app) requirementsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "requirements",
		Short: "Work on requirements files",
		Long:  "Works on requirements files: see its commands.",
		Example: example(`
			tablewright requirements update shop.yaml --model model.yaml --stats statistics.json --out measured.yaml`),
		Args: noSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.requirementsUpdateCommand())
	return c
}

// updateFlags are those of requirements update.
type updateFlags struct {
	model, out string
	stats      []string
	noDesign   bool
	force      bool
	prices     priceFlag
}

func (a *app) requirementsUpdateCommand() *cobra.Command {
	var o updateFlags
	c := &cobra.Command{
		Use:   "update REQUIREMENTS",
		Short: "Write measured figures into a copy of requirements",
		Long: `Reads requirements, the model that a program runs, and statistics of that program, and writes a copy of the
requirements with the figures as they were measured: rates, result sizes, numbers of children, sizes of entities, and skew
where it is known. Comments and layout stay. It prints what changed and from what, and what could not be told.

Figures within 5 % of what was measured stay as they are, and a maximum is never lowered. What contradicts figures that
nobody measured is not written but told.

Then it designs a model for the measured figures and compares: what the model costs a month for what was planned, for what
was measured, and what the new one costs. --no-design leaves that out. To build the new model:

  tablewright build measured.yaml`,
		Example: example(`
			tablewright requirements update shop.yaml --model model.yaml --stats statistics.json --out measured.yaml
			tablewright requirements update shop.yaml --model model.yaml --stats statistics.json --no-design > measured.yaml
			tablewright requirements update shop.yaml --model model.yaml --stats one.json --stats two.json --out measured.yaml --force`),
		Args: takes("REQUIREMENTS"),
		RunE: func(c *cobra.Command, args []string) error { return a.updateRequirements(c.Context(), &o, args[0]) },
	}
	flags := c.Flags()
	flags.StringVar(&o.model, "model", "model.yaml", "the model that the program runs is in `FILE`")
	flags.StringArrayVar(&o.stats, "stats", nil, "statistics in `FILE`, or at the URL of a program's page of them; of several processes as often")
	flags.StringVar(&o.out, "out", "", "write to `FILE` (default: standard output, and what changed to standard error)")
	flags.BoolVar(&o.noDesign, "no-design", false, "do not design a model for the measured figures")
	flags.BoolVar(&o.force, "force", false, "overwrite FILE")
	o.prices.add(c)
	return c
}

// updatedRequirements is what `requirements update --output json` prints.
type updatedRequirements struct {
	Version int    `json:"tablewright"`
	File    string `json:"file,omitempty"`
	Text    string `json:"text,omitempty"` // without File
	*doctor.Updated
	Warning  string        `json:"warning,omitempty"`
	Compared *costCompared `json:"compared,omitempty"`
}

// costCompared is a month of the models, in dollars.
type costCompared struct {
	Planned  float64 `json:"planned"`               // the model, at the rates and sizes of the requirements
	Measured float64 `json:"measured"`              // the model, at the measured ones
	Designed float64 `json:"designed"`              // a new model, at the measured ones
	Why      string  `json:"notCompared,omitempty"` // there is none
	Same     bool    `json:"same,omitempty"`        // the new model has the same tables, indexes and plans
}

func (a *app) updateRequirements(ctx context.Context, o *updateFlags, file string) error {
	collectLess()
	if len(o.stats) == 0 {
		return usage("--stats FILE is missing: statistics as package stats writes them, or the URL of a program's page of them")
	}
	if o.out != "" {
		if err := hasFolder(o.out); err != nil {
			return err
		}
		if _, err := os.Stat(o.out); err == nil && !o.force {
			return usage("%s is there already: --force overwrites it", o.out)
		}
	}
	prices, err := o.prices.read()
	if err != nil {
		return err
	}
	options := pipeline.Options{Prices: prices}
	d, err := a.document(file)
	if err != nil {
		return err
	}
	job, err := read(d, options, true, false)
	if err != nil {
		return err
	}
	m, err := a.document(o.model)
	if err != nil {
		return err
	}
	if err := job.Load(m, options); err != nil {
		return err
	}
	s, err := a.statistics(ctx, o.stats)
	if err != nil {
		return err
	}
	updated, err := doctor.Update(d.Name, d.Text, job.Program, s, &doctor.Options{Prices: prices})
	if err != nil {
		return err
	}
	updated.Text = measuredText(filepath.Base(d.Name), updated.Text)
	compared := doctor.Compare(job.Program, s, nil)
	out := updatedRequirements{Version: outputVersion, File: o.out, Updated: updated, Warning: compared.Short()}
	if noneRan(compared) {
		out.Warning = noneRanText(compared)
	}
	if !o.noDesign {
		if out.Compared, err = a.compareCosts(ctx, job, d.Name, updated.Text, m, options); err != nil {
			return err
		}
	}
	if o.out != "" {
		if err := writeFile(o.out, updated.Text); err != nil {
			return err
		}
	}
	return a.requirementsUpdated(&out)
}

// measuredHead begins a copy of requirements with measured figures: it is not taken for what a model serves as long as there are
// the requirements that somebody wrote.
const measuredHead = "# with figures as they were measured, by tablewright requirements update: "

// measuredText is a copy with that line; JSON has no comments.
func measuredText(name string, text []byte) []byte {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return text
	}
	if bytes.HasPrefix(text, []byte(measuredHead)) {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return append([]byte(measuredHead+name+"\n"), text...)
}

// compareCosts prices the model that there is at the measured figures, and one that is designed for them.
func (a *app) compareCosts(ctx context.Context, planned *pipeline.Job, name string, text []byte, m pipeline.Document, o pipeline.Options) (*costCompared, error) {
	out := &costCompared{Planned: planned.Price.Total().Dollars()}
	measured, err := read(pipeline.Document{Name: name, Text: text}, o, true, false)
	if err != nil {
		return nil, err
	}
	designed := &pipeline.Job{Requirements: measured.Requirements}
	program, found := model.CompileModel(planned.Model, nil, measured.Requirements)
	if err := found.Err(); err != nil { // a limit that the larger figures exceed, say
		out.Why = "the model does not hold at the measured figures: " + err.Error()
	} else {
		out.Measured = cost.Price(program, o.Prices).Total().Dollars()
	}
	tell, done := a.progress()
	defer done()
	o.Progress = tell
	if err := designed.Design(ctx, o); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		out.Why = strings.TrimPrefix(out.Why+"; no model was designed: "+strings.TrimPrefix(err.Error(), "tablewright: "), "; ")
		return out, nil
	}
	out.Designed = designed.Price.Total().Dollars()
	out.Same = bytes.Equal(shape(planned), shape(designed))
	return out, nil
}

// shape is a model without figures and reasons, to tell whether another one is the same.
func shape(j *pipeline.Job) []byte {
	m := *j.Model
	m.Decisions = nil
	return model.AppendModel(nil, &m)
}

func (a *app) requirementsUpdated(out *updatedRequirements) error {
	if a.output == "json" {
		if out.File == "" {
			out.Text = string(out.Updated.Text)
		}
		return a.json(out)
	}
	w := a.stdout
	if out.File == "" {
		if _, err := a.stdout.Write(out.Updated.Text); err != nil {
			return err
		}
		w = a.stderr
	}
	switch {
	case len(out.Changes) == 0 && len(out.Left) > 0:
		fmt.Fprintln(w, "nothing changed")
	case len(out.Changes) == 0:
		fmt.Fprintln(w, "nothing changed: all figures agree with what was measured within 5 %")
	default:
		rows := [][]string{{"of", "figure", "before", "after", "measured"}}
		for _, c := range out.Changes {
			rows = append(rows, []string{c.Of, c.What, c.Before, c.After, c.From})
		}
		columns(w, rows)
	}
	if len(out.Left) > 0 {
		fmt.Fprintln(w, "\nnot changed:")
		for _, l := range out.Left {
			fmt.Fprintf(w, "  %s %s: %s\n", l.Of, l.What, l.Why)
		}
	}
	if out.Warning != "" {
		fmt.Fprintf(w, "\n%s\n", out.Warning)
	}
	if c := out.Compared; c != nil {
		fmt.Fprintln(w)
		money := func(d float64) string { return capacity.MoneyOf(d * float64(capacity.Dollar)).String() }
		fmt.Fprintf(w, "the model as it was planned   %s a month\n", money(c.Planned))
		if c.Measured > 0 {
			fmt.Fprintf(w, "the model as it is used       %s a month\n", money(c.Measured))
		}
		switch {
		case c.Same:
			fmt.Fprintln(w, "a model designed for that     is the same")
		case c.Designed > 0:
			text := fmt.Sprintf("a model designed for that     %s a month", money(c.Designed))
			if c.Measured > 0 && c.Designed < c.Measured {
				text += ", " + show.Percent(1-c.Designed/c.Measured) + " less"
			}
			fmt.Fprintln(w, text)
		}
		if c.Why != "" {
			fmt.Fprintln(w, c.Why)
		}
	}
	if out.File != "" {
		fmt.Fprintf(w, "\n%s\n", out.File)
	}
	return nil
}
