package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/internal/near"
	"github.com/tablewright/tablewright/internal/pipeline"
)

func (a *app) explainCommand() *cobra.Command {
	var modelFile string
	c := &cobra.Command{
		Use:   "explain REQUIREMENTS NAME",
		Short: "Say why a pattern, table or index is as it is",
		Long: `NAME is an access pattern, an entity, a table or Table.Index. Of an access pattern it prints the
chosen plan, its units and cost; of everything the decisions about it: the rule, the numbers it
rests on, and what each alternative would have cost.`,
		Example: example(`
			tablewright explain examples/online-shop.yaml placeOrder
			tablewright explain examples/online-shop.yaml Orders
			tablewright explain shop.yaml getOrder --model model.yaml`),
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			files := args[:1]
			if modelFile != "" {
				files = []string{args[0], modelFile}
			}
			tell, done := a.progress()
			defer done()
			job, err := a.job(c.Context(), files, pipeline.Options{Progress: tell})
			if err != nil {
				return err
			}
			done()
			known := job.Names()
			if !slices.Contains(known, args[1]) {
				if n := near.Name(args[1], known); n != "" {
					return usage("there is no access pattern, entity, table or index %s; did you mean %s?", args[1], n)
				}
				return usage("there is no access pattern, entity, table or index %s", args[1])
			}
			explanation := job.Explain(args[1])
			if a.output == "json" {
				return a.json(explanation)
			}
			_, err = a.stdout.Write(explanation.Text())
			return err
		},
	}
	c.Flags().StringVar(&modelFile, "model", "", "explain the model in `FILE` instead of designing one")
	return c
}
