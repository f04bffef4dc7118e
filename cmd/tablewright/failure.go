package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/model"
)

// errNotProven ends a command whose output has already said what is not proven.
var errNotProven = errors.New("not every access pattern is proven")

// errUnitsDiffer ends a command whose output has already said which answers are right at other units than estimated.
var errUnitsDiffer = errors.New("answers are right, but units differ from the estimate")

// unproven is the error of a job that is not proven: what is wrong says which.
func unproven(j *pipeline.Job) error {
	if j.Evidence != nil && j.Evidence.UnitsAlone() {
		return errUnitsDiffer
	}
	return errNotProven
}

// failure is an error as --output json prints it. Exit is the exit code; its meaning does not change.
type failure struct {
	Exit      int        `json:"exit"`
	Message   string     `json:"message"`
	Conflicts []conflict `json:"conflicts,omitempty"` // statements of the requirements that collide

	Diagnostics model.Diagnostics `json:"diagnostics,omitempty"` // statements that no rule of the designer covers
}

type conflict struct {
	Of        string `json:"of"`
	Statement string `json:"statement"`
	Fits      string `json:"fits,omitempty"`
}

// report prints an error and gives its exit code.
func (a *app) report(ctx context.Context, c *cobra.Command, err error) int {
	var findings *pipeline.Findings
	switch {
	case errors.Is(err, errNotProven):
		return exitNotProven
	case errors.Is(err, errDiffers), errors.Is(err, errUnitsDiffer):
		return exitDiffers
	case errors.Is(err, errUnsound):
		return exitFailed
	case errors.Is(err, errDifferent), errors.Is(err, errRefused), errors.Is(err, errPressing):
		return exitFindings
	case errors.As(err, &findings):
		a.findings(findings.Diagnostics)
		return exitFindings
	}
	f := failure{Exit: exitFailed, Message: strings.TrimPrefix(err.Error(), "tablewright: ")} // as errors of the client begin
	text := "tablewright: " + f.Message + "\n"
	var use usageError
	var infeasible *design.InfeasibleError
	var unsupported *design.UnsupportedError
	switch {
	case errors.As(err, &use):
		f.Exit = exitUsage
		text += c.CommandPath() + " --help says more.\n"
	case errors.As(err, &infeasible):
		f.Exit = exitUnmet
		for _, x := range infeasible.Conflicts {
			f.Conflicts = append(f.Conflicts, conflict(x))
		}
	case errors.As(err, &unsupported):
		f.Exit = exitUncovered
		var where *pipeline.Uncovered
		if errors.As(err, &where) {
			var b strings.Builder
			_ = where.Diagnostics.WriteText(&b)
			f.Diagnostics, text = where.Diagnostics, b.String()
		}
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		f.Exit, f.Message, text = exitInterrupted, "interrupted", "tablewright: interrupted\n"
	}
	if a.output == "json" {
		_ = a.json(struct {
			Version int     `json:"tablewright"`
			Error   failure `json:"error"`
		}{outputVersion, f})
		return f.Exit
	}
	fmt.Fprint(a.stderr, text)
	return f.Exit
}
