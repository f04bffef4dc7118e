package plan

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// procedures resolves all plans.
func (c *compiler) procedures() {
	seen := map[string]bool{}
	for i := range c.m.Plans {
		d := &c.m.Plans[i]
		path := []string{"plans", d.Name}
		p := c.r.Pattern(d.Name)
		switch {
		case p == nil:
			var names []string
			for _, p := range c.r.Patterns {
				names = append(names, p.Name)
			}
			c.errorf(path, CodeUnknown, meant(d.Name, names), "there is no access pattern %s", d.Name)
		case seen[d.Name]:
			c.errorf(path, CodeDuplicate, "", "two plans are called %s", d.Name)
		default:
			seen[d.Name] = true
			c.procedure(path, d, p)
		}
	}
	for _, p := range c.r.Patterns {
		if !seen[p.Name] {
			c.errorf([]string{"plans"}, CodeNoPlan, "add a plan of this name", "no plan serves the access pattern %s", p.Name)
		}
	}
}

func (c *compiler) procedure(path []string, d *Plan, p *spec.Pattern) {
	proc := &Procedure{Name: d.Name, Pattern: p, Document: *d, Program: c.prog}
	proc.codes, proc.maybe = refusalsOf(p)
	stages := map[string]*Stage{}
	for _, name := range sortedKeys(d.Steps) {
		if p.Parameter(name) != nil || name == "each" {
			c.errorf(at(path, "steps", name), CodeDuplicate, "parameters and steps share one name space: rename the step", "step %s of %s is called like a parameter", name, d.Name)
			return
		}
	}
	order, ok := stepOrder(d.Steps)
	if !ok {
		c.errorf(at(path, "steps"), CodeSteps, "let no step use what a later one finds", "the steps of %s wait for each other", d.Name)
		return
	}
	for _, name := range order {
		step := d.Steps[name]
		s := c.stage(at(path, "steps", name), proc, &step, stages)
		if s == nil {
			continue
		}
		s.Name = name
		stages[name] = s
		proc.Stages = append(proc.Stages, s)
	}
	for _, s := range proc.Stages {
		for _, n := range s.Document.After {
			if stages[n] == nil {
				if _, ok := d.Steps[n]; ok {
					continue
				}
				c.errorf(at(s.Path, "after"), CodeUnknown, meant(n, sortedKeys(stages)), "%s has no step %s", d.Name, n)
				continue
			}
		}
		for _, n := range s.Document.Needs {
			c.needed(s, n, stages)
		}
		for _, o := range proc.Stages {
			if s.uses[o] || slices.Contains(s.Document.After, o.Name) {
				s.Needs = append(s.Needs, o)
			}
		}
	}
	for _, s := range proc.Stages {
		proc.rereading(s)
	}
	if len(d.Steps) == 0 {
		c.errorf(path, CodeSteps, "", "the plan of %s has no steps", d.Name)
		return
	}
	if len(proc.Stages) < len(d.Steps) {
		return // what is wrong is reported already
	}
	if c.answer(at(path, "answer"), proc, stages) {
		c.prog.procedures[d.Name] = proc
		c.prog.Procedures = append(c.prog.Procedures, proc)
	}
}

// needed has a write be refused as missing where a step before has found nothing.
func (c *compiler) needed(s *Stage, name string, stages map[string]*Stage) {
	o := stages[name]
	if o == nil {
		c.errorf(at(s.Path, "needs"), CodeUnknown, meant(name, sortedKeys(stages)), "%s has no step %s", s.Procedure.Name, name)
		return
	}
	each := o.Verb == BatchGet && o.each != nil && o.each.stage == nil && o.Scatter == 0 // of what the call gives
	if o.Verb != Get && !each || !o.Consistent {
		c.errorf(at(s.Path, "needs"), CodeSteps, "name a consistent get, or a consistent batch-get for each element of a list of the call", "%s is no get that sees what is there now", name)
		return
	}
	s.use(o)
	if each {
		s.all[o] = true
	} else {
		s.singles[o] = true
	}
}

// rereading marks the tests of writes that only repeat what an earlier step found: path = $step.path.
func (p *Procedure) rereading(s *Stage) {
	for i := range s.guards {
		if t, ok := s.guards[i].cond.(*spec.Test); ok && t.Op == "=" && p.rereads(s, t) {
			s.guards[i].again, s.guards[i].code = true, ""
		}
	}
	for _, a := range s.Actions {
		p.rereading(a)
	}
}

// rereads reports whether a test demands that something is still as an earlier step found it.
func (p *Procedure) rereads(s *Stage, t *spec.Test) bool {
	from, tg, ok := p.follow(s, t.Args[0])
	return ok && !from.stage.Verb.Writes() && from.entity() == s.entity() && tg.id == t.Path.String()
}

// stepOrder lists the steps so that each comes behind those it refers to, else by name.
func stepOrder(steps map[string]Step) (order []string, ok bool) {
	names := sortedKeys(steps)
	state := map[string]int{} // 1: being visited, 2: done
	ok = true
	var visit func(string)
	visit = func(n string) {
		if state[n] == 1 {
			ok = false
		}
		if state[n] != 0 {
			return
		}
		state[n] = 1
		step := steps[n]
		for _, m := range step.Mentions() {
			if _, is := steps[m]; is {
				visit(m)
			}
		}
		state[n] = 2
		order = append(order, n)
	}
	for _, n := range names {
		visit(n)
	}
	return order, ok
}

// Mentions lists the first names of all references in a step, and what it comes after.
func (s *Step) Mentions() []string {
	out := append(slices.Clone(s.After), s.Needs...)
	add := func(texts ...string) {
		for _, t := range texts {
			for {
				i := strings.IndexByte(t, '$')
				if i < 0 {
					break
				}
				t = t[i+1:]
				n := 0
				for n < len(t) && (t[n] == '_' || t[n] == '-' && n+1 < len(t) && t[n+1] != ' ' || t[n] >= '0' && t[n] <= '9' || t[n] >= 'A' && t[n] <= 'Z' || t[n] >= 'a' && t[n] <= 'z' || t[n] >= 0x80) {
					n++
				}
				out = append(out, t[:n])
			}
		}
	}
	add(s.Each, s.Value, s.Token, s.Filter, s.Still)
	add(s.If...)
	for _, m := range []map[string]string{s.Key, s.With, s.Set, s.Add} {
		for _, n := range sortedKeys(m) {
			add(m[n])
		}
	}
	for _, n := range sortedKeys(s.Where) {
		r := s.Where[n]
		add(r.Is, r.From, r.To, r.After, r.Before, r.Prefix)
		add(r.Between...)
	}
	for _, list := range [][]Step{s.Transact, s.TransactGet, s.BatchWrite} {
		for i := range list {
			out = append(out, list[i].Mentions()...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// verb finds the one verb of a step and what it names.
func (s *Step) verb() (v Verb, name string, count int) {
	for _, x := range []struct {
		verb Verb
		name string
	}{
		{Get, s.Get}, {BatchGet, s.BatchGet}, {Query, s.Query}, {Scan, s.Scan},
		{Put, s.Put}, {Update, s.Update}, {Delete, s.Delete}, {Check, s.Check},
	} {
		if x.name != "" {
			v, name = x.verb, x.name
			count++
		}
	}
	for _, x := range []struct {
		verb  Verb
		steps []Step
	}{{Transact, s.Transact}, {TransactGet, s.TransactGet}, {BatchWrite, s.BatchWrite}} {
		if x.steps != nil {
			v = x.verb
			count++
		}
	}
	return v, name, count
}

var verbNames = [...]string{"", "get", "batch-get", "query", "scan", "put", "update", "delete", "check", "transact", "transact-get", "batch-write"}

// String is the verb as the model file writes it.
func (v Verb) String() string { return verbNames[v] }

// Writes reports whether the verb changes something.
func (v Verb) Writes() bool {
	return v == Put || v == Update || v == Delete || v == Transact || v == BatchWrite
}
