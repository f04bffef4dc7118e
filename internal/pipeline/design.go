package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/spec"
)

// Design makes the cheapest model that serves every access pattern, compiles and prices it. Errors of package design pass
// through: requirements that cannot be met are one.
func (j *Job) Design(ctx context.Context, o Options) error {
	o.tell(Event{Stage: "design", Detail: fmt.Sprintf("%d access patterns", len(j.Requirements.Patterns))})
	if err := j.priced(o); err != nil {
		return err
	}
	if o.School != "" {
		j.Requirements.Application.School = o.School
	}
	found, err := design.Design(ctx, j.Requirements, design.Options{Prices: o.Prices, Time: o.Time, Progress: func(p design.Progress) {
		detail := show.List(p.Entities)
		if p.Cheapest > 0 {
			detail += ", " + p.Cheapest.String() + " a month so far"
		}
		o.tell(Event{Stage: "design", Detail: detail, Done: p.Component, Of: p.Components})
	}})
	if err != nil {
		return j.uncovered(err)
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

// Examine adds to the warnings what the designer would refuse, without a search for a good model. It ends after o.Time; all is
// false if that was before it had looked at everything.
func (j *Job) Examine(ctx context.Context, o Options) (all bool) {
	if j.source == nil || j.priced(o) != nil {
		return true
	}
	found, all := design.Examine(ctx, j.Requirements, design.Options{Prices: o.Prices, Time: o.Time})
	for _, x := range found {
		code := "uncovered"
		if x.Limit {
			code = "beyond-limits"
		}
		if slices.ContainsFunc(j.Requirements.Accept, func(a spec.Accept) bool { return a.Code == code && a.Of == x.Of }) {
			continue
		}
		d := j.source.Finding(x.At, x.Offset, code, x.Of, x.Message, x.Instead)
		d.Severity = model.Warning
		j.Warnings = append(j.Warnings, d)
	}
	j.Warnings = j.Warnings.Sorted()
	return all
}

// Uncovered is the error of requirements that say something which no rule of the designer covers: what, and where it stands.
type Uncovered struct {
	Diagnostics model.Diagnostics
	err         *design.UnsupportedError
}

// Error says what is not covered.
func (u *Uncovered) Error() string { return u.err.Error() }

// Unwrap is the designer's error.
func (u *Uncovered) Unwrap() error { return u.err }

// uncovered adds to the designer's error the places of what it is about.
func (j *Job) uncovered(err error) error {
	var none *design.UnsupportedError
	if !errors.As(err, &none) || j.source == nil {
		return err
	}
	u := &Uncovered{err: none}
	for _, c := range none.Findings(j.Requirements) {
		u.Diagnostics = append(u.Diagnostics, j.source.Finding(c.At, c.Offset, "uncovered", c.Pattern, c.Message(), c.Instead))
	}
	return u
}
