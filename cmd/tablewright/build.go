package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/internal/pipeline"
)

func (a *app) buildCommand() *cobra.Command {
	var out string
	var seed uint64
	var force bool
	var prices priceFlag
	var limit timeFlag
	var school schoolFlag
	var throttle throttleFlags
	var scale dataScale
	c := &cobra.Command{
		Use:   "build REQUIREMENTS",
		Short: "Design a model, prove it, price it, and write the documents",
		Long: `Reads requirements, designs the cheapest model that serves them, loads synthetic data into the
embedded engine, runs every access pattern on it and compares each answer with an oracle, prices
the model at average and at peak, and writes into --out:

  dynamodb_requirement.md   the requirements, analysed
  dynamodb_data_model.md    tables, indexes, plans, cost, hot keys, proof
  model.yaml                the model: input of prove, cost, explain
  proof.json                the evidence, pattern by pattern

They replace those of the last build; a model.yaml that was edited since, by the digest in its last
line, only with --force. None is ever left half written. Exits 0 only if every access pattern is proven; with 4 and 7 the
files are written all the same, and say what is not: with 7 all answers are right, and only units differ from the estimate. With --throttle it is also proven that the model stays within DynamoDB's
limits at peak rates, as prove --help tells. With --school single-table everything lies in one table, as design --help tells.`,
		Example: example(`
			tablewright build examples/online-shop.yaml
			tablewright build shop.yaml --out design --seed 7
			tablewright build shop.yaml --school single-table --out single
			tablewright build shop.yaml --prices eu-central-1.txt`),
		Args: takes("REQUIREMENTS"),
		RunE: func(c *cobra.Command, args []string) error {
			collectLess()
			p, err := prices.read()
			if err != nil {
				return err
			}
			limits, err := throttle.read(c)
			if err != nil {
				return err
			}
			if err := scale.check(); err != nil {
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
			d, err := a.document(args[0])
			if err != nil {
				return err
			}
			job, err := read(d, pipeline.Options{Prices: p}, false, false)
			if err != nil {
				return err
			}
			if out == "" {
				out = folderName(job.Requirements.Application.Name)
			}
			if err := creatable(out); err != nil {
				return err
			}
			if !force {
				if err := untouched(filepath.Join(out, pipeline.ModelFile)); err != nil {
					return err
				}
			}
			tell, done := a.progress()
			defer done()
			if err := job.Build(c.Context(), pipeline.Options{Prices: p, Seed: seed, Scale: float64(scale), School: convention, Time: within, Throttle: limits, Progress: tell}); err != nil {
				return err
			}
			files, err := job.Documents()
			if err != nil {
				return err
			}
			for i, f := range files {
				if f.Name == pipeline.ModelFile {
					files[i].Text = seal(append(f.Text, servesLine(out, args[0])...))
				}
			}
			if err := c.Context().Err(); err != nil {
				return err
			}
			if err := writeAll(out, files); err != nil {
				return err
			}
			done()
			return a.built(job, out, files)
		},
	}
	flags := c.Flags()
	flags.StringVar(&out, "out", "", "write into `DIR` (default: a folder named after the application)")
	flags.Uint64Var(&seed, "seed", 1, "`SEED` of the proof's data and calls")
	scale.add(c)
	throttle.add(c)
	flags.BoolVar(&force, "force", false, "overwrite a model.yaml that was edited")
	prices.add(c)
	limit.add(c)
	school.add(c)
	_ = c.MarkFlagDirname("out")
	return c
}

// built prints what came out, and answers whether all of it is proven.
func (a *app) built(job *pipeline.Job, out string, files []pipeline.File) error {
	if a.output == "json" {
		s := summaryOf(job)
		for _, f := range files {
			s.Files = append(s.Files, filepath.Join(out, f.Name))
		}
		if err := a.json(s); err != nil {
			return err
		}
	} else {
		a.summary(job)
		head := "files"
		for _, f := range files {
			fmt.Fprintf(a.stdout, "  %-8s  %s\n", head, filepath.Join(out, f.Name))
			head = ""
		}
	}
	if !job.Proven() {
		if a.output == "text" {
			fmt.Fprintf(a.stdout, "\nThe first counterexample of each access pattern that is not proven is in %s.\n", filepath.Join(out, pipeline.ProofFile))
		}
		return unproven(job)
	}
	return nil
}
