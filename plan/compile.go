package plan

import (
	"slices"

	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/spec"
)

// Compile resolves a model against the requirements it serves and proves what can be proven without data. The Program
// holds every table, item and plan that could be resolved, also where there are problems, so that a model can be run to
// show what a problem does; it is nil only if m or r is nil. Problems come in the order of the document's parts:
// tables, then plans.
func Compile(m *Model, r *spec.Requirements) (*Program, []Problem) {
	if m == nil || r == nil {
		return nil, nil
	}
	c := &compiler{m: m, r: r, prog: &Program{
		Model: m, Requirements: r, kinds: map[string]*Kind{}, procedures: map[string]*Procedure{},
	}}
	foreign := m.Application != "" && r.Application.Name != "" && m.Application != r.Application.Name
	if foreign {
		c.errorf([]string{"application"}, CodeUnknown, "use the requirements it was made for", "the model serves %s, and these are the requirements of %s", m.Application, r.Application.Name)
	}
	c.tables()
	c.checkTables()
	c.checkItems()
	c.procedures()
	for _, t := range c.prog.Tables {
		for _, k := range t.Kinds {
			c.checkSecond(k)
			for _, m := range k.Embeds {
				c.checkInside(m)
			}
		}
	}
	for _, p := range c.prog.Procedures {
		for _, s := range p.Stages {
			c.checkPacked(p, s, nil)
			for _, a := range s.Actions {
				c.checkPacked(p, a, s)
			}
			if s.Verb == Query || s.Verb == Scan {
				c.checkRange(s)
			}
			s.projection = s.projected()
		}
		c.checkParameters(p)
		c.checkTransactions(p)
		c.checkTaken(p)
		if p.Pattern.Writes() {
			c.checkWrite(p)
		} else {
			c.checkRead(p)
		}
	}
	if foreign { // whatever else there is follows from that
		c.problems = c.problems[:1]
	}
	return c.prog, slices.Clip(c.problems)
}

// refuses reports whether the pattern can be refused with a code.
func (p *Procedure) refuses(code string) bool { return p.codes[code] }

// projected is the projection of a stage that reads only some attributes: always with the keys, which tell the kind and
// where reading can go on.
func (s *Stage) projected() *expr.Projection {
	if len(s.project) == 0 || s.Access == nil {
		return nil
	}
	var names []string
	add := func(n string) {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	for _, w := range append(s.Access.Table.Base.keys(), s.Access.keys()...) {
		add(w.Name)
	}
	if n := s.Access.Table.tell.name; n != "" && s.Access.Projects(n) {
		add(n)
	}
	var paths []expr.Path
	for _, t := range s.project {
		for _, k := range s.found() {
			if st := k.storing(t); st != nil {
				add(st.Name)
			}
		}
	}
	for _, k := range s.found() {
		if k.Stamp != "" {
			add(k.Stamp)
		}
	}
	for _, n := range names {
		paths = append(paths, expr.Name(n))
	}
	return expr.Project(paths...)
}
