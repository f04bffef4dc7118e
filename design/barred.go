package design

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// The search drops every candidate whose write plan the compiler refuses. A layout has one plan for a write, so that what is
// barred is that plan in all configurations of the layout; or that plan beside an index that it does not keep; or,
// where no single index is the reason, beside all that the refused configuration has. Of a table it refuses the key of
// what lies there.

// bar leaves out what a problem of the compiler's is about, in the plan of a write; false if the solution does nothing
// for it.
func (s *solution) bar(pattern string, x plan.Problem) bool {
	c, p := s.chosen, s.planner
	i := slices.IndexFunc(c.writing, func(w *writePlan) bool { return w.pattern.Name == pattern })
	if i < 0 || len(c.writing[i].acts) == 0 {
		return false
	}
	w, why := c.writing[i], refusal(pattern, x).Losses[0]
	defer p.anew()
	if p.refuses(c, w, nil, x) {
		for _, y := range p.written {
			if y.writePlan == w {
				y.why, w.refused = why, true
			}
		}
		return true
	}
	some := false
	for k := range c.indexes {
		if on := &c.indexes[k]; w.keeps(on.shape) && p.refuses(c, w, on, x) {
			p.barred[p.barring(c, w, on)] = why
			some = true
		}
	}
	if !some {
		p.barred[p.barring(c, w, nil)] = why
	}
	return true
}

// unseat drops every option of an entity that has the key which the compiler refuses. It returns false if a problem is
// about something else, or if no other option is left.
func (s *solution) unseat(m *plan.Model, x plan.Problem) bool {
	if len(x.Path) < 4 || x.Path[0] != "tables" || x.Path[2] != "items" {
		return false
	}
	p, name := s.planner, x.Path[3]
	for _, t := range m.Tables {
		if it, ok := t.Items[x.Path[3]]; ok && t.Name == x.Path[1] && it.Holds.Entity != "" {
			name = it.Holds.Entity
		}
	}
	i := slices.IndexFunc(p.c.entities, func(e *spec.Entity) bool { return e.Name == name })
	if i < 0 || s.chosen.options[i].own == nil {
		return false
	}
	seat := func(o *option) string {
		text := keyText(refsKey(o.own.partition), o.own.sort)
		if o.pack != nil {
			text += o.pack.text()
		}
		return text
	}
	left := slices.DeleteFunc(slices.Clone(p.c.options[p.c.entities[i]]), func(o *option) bool {
		return o.own != nil && o.root == s.chosen.options[i].root && seat(o) == seat(s.chosen.options[i])
	})
	if len(left) == 0 {
		return false
	}
	p.c.options[p.c.entities[i]] = left
	p.anew()
	return true
}

// keeps reports whether a write changes items that an index is on.
func (w *writePlan) keeps(x *indexShape) bool {
	return slices.ContainsFunc(w.acts, func(a *act) bool { return a.item() == x.entity && !a.beside() })
}

// barring names a write beside an index; nil: beside all that a configuration has on what it touches.
func (p *planner) barring(c *config, w *writePlan, on *chosenIndex) string {
	if on != nil {
		return w.pattern.Name + " beside " + on.shape.id
	}
	ids := []string{w.pattern.Name}
	for _, e := range w.touched {
		if g := c.figures[e]; g != nil {
			ids = append(ids, g.id)
		}
	}
	return strings.Join(ids, "\n")
}

// refuses reports whether the compiler finds a problem in the plan of a write where there is one index alone on what it
// touches, and those by which it finds keys; nil: none besides these.
func (p *planner) refuses(c *config, w *writePlan, on *chosenIndex, x plan.Problem) bool {
	var indexes []chosenIndex
	add := func(y chosenIndex) {
		if !slices.ContainsFunc(indexes, func(z chosenIndex) bool { return z.shape.id == y.shape.id }) {
			indexes = append(indexes, y)
		}
	}
	if on != nil {
		add(*on)
	}
	beside, es := w.beside(), slices.Clone(w.touched)
	for i, d := range c.demands {
		if slices.Contains(w.locators, d) && c.plans[i] != nil {
			beside, es = append(beside, c.plans[i].beside()...), append(es, c.plans[i].touched...)
			for _, u := range c.plans[i].indexUses {
				add(chosenIndex{u.shape, c.project(u.shape)})
			}
		}
	}
	e := &emitter{req: p.facts.req, facts: p.facts, tables: map[*spec.Entity]string{}, indexes: map[string]string{}}
	model := &plan.Model{Application: p.facts.req.Application.Name}
	for _, y := range indexes {
		e.indexes[y.shape.id] = p.place(c, y.shape)
	}
	figureOf := func(e *spec.Entity) *figure {
		var shapes []*indexShape
		for _, y := range indexes {
			if y.shape.entity == e {
				shapes = append(shapes, y.shape)
			}
		}
		return p.figure(c.layout.kinds[e], shapes, c.figures[e].copies, c.figures[e].stamp != "")
	}
	for _, x := range es {
		k := c.layout.kinds[x]
		if k == nil || e.tables[k.table] != "" {
			continue
		}
		e.tables[k.table] = k.table.Name
		var mine []chosenIndex
		for _, y := range indexes {
			if c.layout.kinds[y.shape.entity].table == k.table {
				mine = append(mine, y)
			}
		}
		model.Tables = append(model.Tables, e.table(c.layout, c.layout.kinds[k.table], figureOf, mine))
	}
	for _, b := range beside {
		if c.layout.host(b) != nil {
			continue // with what the write touches
		}
		t := e.tableBeside(c, b)
		if !slices.ContainsFunc(model.Tables, func(u plan.Table) bool { return u.Name == t.Name }) {
			model.Tables = append(model.Tables, t)
		}
	}
	doc := plan.Plan{Name: w.pattern.Name, Steps: map[string]plan.Step{}}
	e.writes(w.pattern, &doc, c)
	model.Plans = append(model.Plans, doc)
	_, problems := plan.Compile(model, p.facts.req)
	return slices.ContainsFunc(problems, func(y plan.Problem) bool { return y.Severity == plan.Error && y.Message == x.Message })
}
