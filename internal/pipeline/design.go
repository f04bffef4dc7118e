package pipeline

import (
	"context"
	"fmt"

	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/show"
)

// Design makes the cheapest model that serves every access pattern, compiles and prices it. Errors of package design pass
// through: requirements that cannot be met are one.
func (j *Job) Design(ctx context.Context, o Options) error {
	o.tell(Event{Stage: "design", Detail: fmt.Sprintf("%d access patterns", len(j.Requirements.Patterns))})
	if school := j.Requirements.Application.School; school != "aggregates" {
		return &design.UnsupportedError{Cases: []design.Unsupported{{Pattern: "application", Statement: "school: " + school, Instead: "write `school: aggregates`, or make the model by hand: it can be proven"}}}
	}
	if err := j.priced(o); err != nil {
		return err
	}
	found, err := design.Design(ctx, j.Requirements, design.Options{Prices: o.Prices, Time: o.Time, Progress: func(p design.Progress) {
		detail := show.List(p.Entities)
		if p.Cheapest > 0 {
			detail += ", " + p.Cheapest.String() + " a month so far"
		}
		o.tell(Event{Stage: "design", Detail: detail, Done: p.Component, Of: p.Components})
	}})
	if err != nil {
		return err
	}
	j.Components = found.Components
	if err := ctx.Err(); err != nil { // it has answered with what it had
		return err
	}
	if err := j.compile(found.Model, o); err != nil || !warm(found.Model, j.Price) {
		return err
	}
	warnings := len(j.Warnings) // what compiling finds is found already
	err = j.compile(found.Model, o)
	j.Warnings = j.Warnings[:warnings]
	return err
}
