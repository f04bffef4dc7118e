package main

import (
	"context"
	"io"

	"github.com/tablewright/tablewright/internal/pipeline"
)

// document reads a file, or standard input for "-".
func (a *app) document(path string) (pipeline.Document, error) {
	if path != "-" {
		return pipeline.Open(path)
	}
	text, err := io.ReadAll(a.stdin)
	return pipeline.Document{Name: "<stdin>", Text: text}, err
}

// job reads requirements and the model that is to serve them: args[1] if it is there, else a designed one.
func (a *app) job(ctx context.Context, args []string, o pipeline.Options) (*pipeline.Job, error) {
	collectLess()
	d, err := a.document(args[0])
	if err != nil {
		return nil, err
	}
	job, err := pipeline.Read(d)
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
