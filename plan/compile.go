package plan

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// Compile resolves a model against the requirements it serves and proves what can be proven without data. The Program
// holds every table, item and plan that could be resolved, also where there are problems, so that a model can be run to
// show what a problem does; it is nil only if m or r is nil. Problems come in the order of the document's parts: tables,
// then plans.
func Compile(m *Model, r *spec.Requirements) (*Program, []Problem) {
	if m == nil || r == nil {
		return nil, nil
	}
	c := &compiler{m: m, r: r, prog: &Program{
		Model: m, Requirements: r, kinds: map[string]*Kind{}, procedures: map[string]*Procedure{},
	}}
	if m.Application != "" && r.Application.Name != "" && m.Application != r.Application.Name {
		c.errorf([]string{"application"}, CodeUnknown, "use the requirements it was made for", "the model serves %s, and these are the requirements of %s", m.Application, r.Application.Name)
	}
	c.tables()
	c.procedures()
	return c.prog, slices.Clip(c.problems)
}

// refuses reports whether the pattern can be refused with a code.
func (p *Procedure) refuses(code string) bool { return p.codes[code] }
