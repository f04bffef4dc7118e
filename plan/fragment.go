package plan

import (
	"errors"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// Fragments resolves tables and plans one at a time, for whoever tries many combinations of few parts: a table is resolved
// once, and every plan over it shares what was resolved. Nothing beyond names, types and values is checked; [Compile]
// checks a whole model.
type Fragments struct{ r *spec.Requirements }

// NewFragments resolves parts of models that serve r.
func NewFragments(r *spec.Requirements) *Fragments { return &Fragments{r} }

// Table resolves one table with its indexes and items. An item whose `stores` is left out stores all attributes of its
// entity.
func (f *Fragments) Table(d Table) (*Schema, error) {
	c := f.compiler(&Model{Tables: []Table{d}})
	c.tables()
	if err := c.failure(); err != nil {
		return nil, err
	}
	return c.prog.Tables[0], nil
}

// Plan resolves the plan of an access pattern over some tables, each of them once. The Procedure belongs to a Program that
// holds these tables and nothing else.
func (f *Fragments) Plan(d Plan, tables ...*Schema) (*Procedure, error) {
	c := f.compiler(&Model{Plans: []Plan{d}})
	c.prog.Tables = tables
	for _, t := range tables {
		for _, k := range t.Kinds {
			c.prog.kinds[k.Name] = k
		}
	}
	p := f.r.Pattern(d.Name)
	if p == nil {
		return nil, errors.New("there is no access pattern " + d.Name)
	}
	c.procedure([]string{"plans", d.Name}, &c.m.Plans[0], p)
	if err := c.failure(); err != nil {
		return nil, err
	}
	return c.prog.procedures[d.Name], nil
}

func (f *Fragments) compiler(m *Model) *compiler {
	return &compiler{m: m, r: f.r, prog: &Program{Model: m, Requirements: f.r, kinds: map[string]*Kind{}, procedures: map[string]*Procedure{}}}
}

// failure is what keeps a part from being used; nil if nothing does.
func (c *compiler) failure() error {
	var lines []string
	for _, p := range c.problems {
		if p.Severity == Error {
			lines = append(lines, p.String())
		}
	}
	if lines == nil {
		return nil
	}
	return errors.New(strings.Join(lines, "\n"))
}
