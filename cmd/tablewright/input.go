package main

import (
	"context"
	"io"
	"slices"

	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/model"
)

// document reads a file, or standard input for "-".
func (a *app) document(path string) (pipeline.Document, error) {
	if path != "-" {
		return pipeline.Open(path)
	}
	text, err := io.ReadAll(a.stdin)
	return pipeline.Document{Name: "<stdin>", Text: text}, err
}

// read reads requirements. What keeps a model from being designed or priced is no matter where there is one, or where
// prices are given.
func read(d pipeline.Document, o pipeline.Options, hasModel, checks bool) (*pipeline.Job, error) {
	job, err := pipeline.Read(d)
	if err != nil {
		return nil, err
	}
	job.Warnings = slices.DeleteFunc(job.Warnings, func(w model.Diagnostic) bool {
		return w.Code == "foreign-prices" && o.Prices != nil || w.Code == "uncovered" && hasModel ||
			w.Code == "one-region" && !checks // what it means for the price is said with the price
	})
	return job, nil
}

// job reads requirements and the model that is to serve them: args[1] if it is there, else a designed one.
func (a *app) job(ctx context.Context, args []string, o pipeline.Options) (*pipeline.Job, error) {
	collectLess()
	d, err := a.document(args[0])
	if err != nil {
		return nil, err
	}
	job, err := read(d, o, len(args) == 2, false)
	if err != nil {
		return nil, err
	}
	if len(args) < 2 {
		return job, job.Design(ctx, o)
	}
	m, err := a.document(args[1])
	if err != nil {
		return nil, err
	}
	return job, job.Load(m, o)
}
