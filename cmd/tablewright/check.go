package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/model"
)

// examineTime bounds what check asks the designer, which is bounded by how much it looks at as well: what it says is the same
// each time, unless a machine is so slow that this ends it.
const examineTime = 30 * time.Second

func (a *app) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check REQUIREMENTS [MODEL]",
		Short: "Check a requirements file, and a model against it",
		Long: `Reports every problem of a requirements file at once, each with its place and what to do about it;
what the designer would refuse of it, as far as a second or two tell, as warnings: a model by hand
may still serve it; with MODEL instead what can be proven of the model without running it: its limits, what can fall
into each query's key range, whether every write keeps every copy and index attribute.

Exits 3 if there are errors; warnings alone are no reason to fail. - reads standard input.`,
		Example: example(`
			tablewright check shop.yaml
			tablewright check shop.yaml model.yaml
			tablewright check --output json shop.yaml > findings.json
			tablewright new | tablewright check -`),
		Args: takes("REQUIREMENTS", "[MODEL]"),
		RunE: func(c *cobra.Command, args []string) error {
			d, err := a.document(args[0])
			if err != nil {
				return err
			}
			job, err := read(d, pipeline.Options{}, len(args) == 2, true)
			if err != nil {
				return err
			}
			whole := true
			if len(args) == 1 {
				whole = job.Examine(c.Context(), pipeline.Options{Time: examineTime})
			} else {
				m, err := a.document(args[1])
				if err != nil {
					return err
				}
				if err := job.Load(m, pipeline.Options{}); err != nil {
					return err
				}
			}
			a.findingsOf(job.Warnings, whole)
			if a.output == "text" {
				r := job.Requirements
				what := fmt.Sprintf("%s: %s, %s", args[len(args)-1], show.Count(len(r.Entities), "entity", "entities"), show.Count(len(r.Patterns), "access pattern", ""))
				if job.Model != nil {
					what = fmt.Sprintf("%s: %s, %s", args[1], show.Count(len(job.Model.Tables), "table", ""), show.Count(len(job.Model.Plans), "plan", ""))
				}
				fmt.Fprintf(a.stdout, "%s, %s\n", what, verdict(job.Warnings, whole))
				if !whole {
					fmt.Fprintf(a.stdout, "whether the designer serves all of it is not known: that takes longer than check looks, and is no fault of the file; tablewright design %s tells\n", args[0])
				}
			}
			return nil
		},
	}
}

// verdict says what was found; whole: all was looked at.
func verdict(ds model.Diagnostics, whole bool) string {
	switch {
	case len(ds) > 0:
		return show.Count(ds.Warnings(), "warning", "")
	case !whole:
		return "nothing to object to so far"
	}
	return "nothing to object to"
}
