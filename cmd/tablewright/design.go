package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/internal/pipeline"
)

func (a *app) designCommand() *cobra.Command {
	var out string
	var prices priceFlag
	var limit timeFlag
	var school schoolFlag
	c := &cobra.Command{
		Use:   "design REQUIREMENTS",
		Short: "Design a model and print it",
		Long: `Designs the cheapest model that serves every access pattern within DynamoDB's limits, and prints the
model file: tables, items, a plan per access pattern, and every decision with what the rejected
alternatives would have cost. Nothing is proven: build and prove do that.

With --school single-table, or application: {school: single-table} in the requirements, what the
search chose lies in one table with generic keys (PK, SK) and shared indexes (GSI1PK, GSI1SK …).
What that costs beside tables of their own is told by its first decision, and by compare.

The model file is YAML; with --output json, or --out ending in .json, it is the same as JSON. With
--out a summary is printed instead.`,
		Example: example(`
			tablewright design shop.yaml > model.yaml
			tablewright design shop.yaml --out model.yaml --prices eu-central-1.txt
			tablewright design shop.yaml --output json > model.json
			tablewright design shop.yaml --school single-table > single.yaml
			tablewright design shop.yaml --time 2m`),
		Args: takes("REQUIREMENTS"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := prices.read()
			if err != nil {
				return err
			}
			within, err := limit.read(c, false)
			if err != nil {
				return err
			}
			convention, err := school.read(c)
			if err != nil {
				return err
			}
			a.abrupt.Store(true)
			if out != "" {
				if err := hasFolder(out); err != nil {
					return err
				}
			}
			tell, done := a.progress()
			defer done()
			job, err := a.job(c.Context(), args, pipeline.Options{Prices: p, School: convention, Time: within, Progress: tell})
			if err != nil {
				return err
			}
			text, err := job.ModelText()
			if err == nil && (a.output == "json" && out == "" || filepath.Ext(out) == ".json") {
				text, err = pipeline.JSON(text)
			}
			if err != nil {
				return err
			}
			done()
			if err := c.Context().Err(); err != nil {
				return err
			}
			if out == "" {
				_, err := a.stdout.Write(text)
				return err
			}
			if err := writeFile(out, text); err != nil {
				return err
			}
			if a.output == "json" {
				s := summaryOf(job)
				s.Files = []string{out}
				return a.json(s)
			}
			a.summary(job)
			fmt.Fprintf(a.stdout, "  files     %s\n", out)
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "write the model to `FILE` (default: standard output)")
	prices.add(c)
	limit.add(c)
	school.add(c)
	return c
}
