package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/internal/pipeline"
)

func (a *app) explainCommand() *cobra.Command {
	var modelFile string
	var prices priceFlag
	var limit timeFlag
	c := &cobra.Command{
		Use:   "explain REQUIREMENTS NAME",
		Short: "Say why a pattern, table or index is as it is",
		Long: `NAME is an access pattern, an entity, a table or Table.Index. Of an access pattern it prints the
chosen plan, its units and cost; of everything the decisions about it: the rule, the numbers it
rests on, and what each alternative would have cost.`,
		Example: example(`
			tablewright explain shop.yaml lendBook
			tablewright explain shop.yaml Loans.ByReader
			tablewright explain shop.yaml lendBook --model model.yaml`),
		Args: takes("REQUIREMENTS", "NAME"),
		RunE: func(c *cobra.Command, args []string) error {
			files := args[:1]
			if modelFile != "" {
				files = []string{args[0], modelFile}
			}
			p, err := prices.read()
			if err != nil {
				return err
			}
			within, err := limit.read(c, modelFile != "")
			if err != nil {
				return err
			}
			a.abrupt.Store(true)
			tell, done := a.progress()
			defer done()
			job, err := a.job(c.Context(), files, pipeline.Options{Prices: p, Time: within, Progress: tell})
			if err != nil {
				return err
			}
			done()
			known := job.Names()
			if !slices.Contains(known, args[1]) {
				return usage("there is no access pattern, entity, table or index %s%s", args[1], meant(args[1], known))
			}
			explanation := job.Explain(args[1])
			if a.output == "json" {
				return a.json(explanation)
			}
			_, err = a.stdout.Write(explanation.Text())
			return err
		},
	}
	prices.add(c)
	limit.add(c)
	c.Flags().StringVar(&modelFile, "model", "", "explain the model in `FILE` instead of designing one")
	return c
}
