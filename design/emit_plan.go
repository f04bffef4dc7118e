package design

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// plan writes the plan of one access pattern, over all components that it touches.
func (e *emission) plan(p *spec.Pattern) plan.Plan {
	d := plan.Plan{Name: p.Name, Steps: map[string]plan.Step{}}
	if p.Writes() {
		e.writes(p, &d, e.configs...)
		return d
	}
	for _, c := range e.configs {
		for i, dm := range c.demands {
			if dm.pattern == p && dm.locates == nil {
				e.reads(&d, c.layout, c.plans[i])
			}
		}
	}
	return d
}

// reads writes the steps of a read plan and how they become the answer.
func (e *emitter) reads(d *plan.Plan, l *layout, q *readPlan) {
	p := q.demand.pattern
	if q.demand.snapshot && len(q.steps) > 1 { // gets by known keys, all of one moment
		var gets []plan.Step
		for _, t := range q.steps {
			both := []which{t.parts}
			if t.parts == bothParts {
				both = []which{restOnly, partOnly}
			}
			for _, part := range both {
				u := *t
				u.parts = part
				s := e.step(l, q, &u, nil)
				s.Consistent = false
				gets = append(gets, s)
			}
		}
		d.Steps[stepName(p, "read", func(string) bool { return false })] = plan.Step{TransactGet: gets}
		d.Answer.Keep = spec.AllOf(q.keep)
		return
	}
	names := e.steps(d, l, q)
	if len(q.steps) > 1 {
		for _, i := range q.from {
			d.Answer.From = append(d.Answer.From, names[i])
		}
	}
	if q.demand.page > 0 {
		d.Answer.Page = q.demand.page
		if q.cut {
			d.Answer.Cursor = plan.CutAnswer
		}
		for i, t := range q.steps {
			if t.limit > 0 && len(q.steps) > 1 {
				d.Answer.Cursor = names[i]
			}
		}
	}
	if len(q.keep) > 0 {
		d.Answer.Keep = spec.AllOf(q.keep)
	}
	main := slices.DeleteFunc(slices.Clone(q.steps), func(t *readStep) bool { return t.aside != nil })
	from := slices.DeleteFunc(slices.Clone(q.from), func(i int) bool { return q.steps[i].aside != nil })
	if last := main[len(main)-1]; len(p.Order) > 0 && q.sorted && len(from) == 1 && last.verb == verbGet && last.prev >= 0 && !oneAt(q.steps, last.prev) {
		d.Answer.OrderOf = names[last.prev]
	}
}

// oneAt reports whether a step finds at most one item: so does each of the requests of it and of those that it runs for.
func oneAt(steps []*readStep, i int) bool {
	for ; i >= 0; i = steps[i].prev {
		if !steps[i].one() {
			return false
		}
	}
	return true
}

// one reports whether a request of a step finds at most one item.
func (t *readStep) one() bool {
	if t.inside != nil { // the children are what it finds
		return false
	}
	if t.verb == verbGet {
		return t.prev >= 0 || t.per.single()
	}
	var bound []ref
	for _, x := range t.eqs {
		bound = append(bound, x.ref)
	}
	if identified(t.kinds[0], bound) {
		return true
	}
	return slices.ContainsFunc(t.kinds[0].There, func(w *spec.Relationship) bool {
		return single(w) && !slices.ContainsFunc(w.By, func(a *spec.Attribute) bool { return !hasRef(bound, ref{from: t.kinds[0], attr: a}) })
	})
}

// steps writes the steps of a read plan into d and answers their names.
func (e *emitter) steps(d *plan.Plan, l *layout, q *readPlan) []string {
	p := q.demand.pattern
	names := make([]string, len(q.steps))
	taken := func(n string) bool { _, ok := d.Steps[n]; return ok }
	for i, t := range q.steps {
		base := lowerFirst(t.kinds[0].Name)
		if t.inside != nil {
			base = lowerFirst(t.kinds[0].Name)
		}
		if t.aside != nil {
			base = t.aside.Name
		} else if t.marker != nil {
			switch {
			case t.verb == verbQuery && i+1 < len(q.steps) && q.steps[i+1].prev == i:
				base += "Keys"
			case t.verb == verbQuery:
			case slices.Equal(t.marker, t.kinds[0].Identity):
				base = lowerFirst(markerName(t.kinds[0], t.marker))
			default:
				base = "claim"
			}
		} else if i+1 < len(q.steps) && q.steps[i+1].prev == i && t.index != nil && t.keysOnly() {
			base += "Keys"
		}
		names[i] = stepName(p, base, taken)
		d.Steps[names[i]] = e.step(l, q, t, names)
	}
	return names
}

// step writes one read step.
func (e *emitter) step(l *layout, q *readPlan, t *readStep, names []string) plan.Step {
	var s plan.Step
	value := func(v string) string { return v }
	each := false
	switch {
	case t.prev < 0:
	case t.verb == verbScan: // for all of them together, and not before they are known
		s.After = []string{names[t.prev]}
	default:
		if oneAt(q.steps, t.prev) {
			value = func(v string) string { return strings.Replace(v, "@", "$"+names[t.prev]+".", 1) }
		} else {
			each = true
			s.Each = "$" + names[t.prev]
			if m := q.steps[t.prev].inside; m != nil {
				s.Each += "." + m.way.Inverse
			}
			value = func(v string) string { return strings.Replace(v, "@", "$each.", 1) }
		}
	}
	s.Consistent = t.strong
	if t.after != "" {
		s.After = []string{t.after}
	}
	kind := t.kinds[0]
	if t.verb == verbGet && t.parts != bothParts {
		name := kind.Name
		parts := 1
		switch {
		case t.parts == partOnly:
			name = l.options[kind].cut.name
		case t.marker != nil:
			name = l.options[kind].markerName(t.marker)
		case t.aside != nil:
			name = asideName(t.aside)
			parts = l.options[kind].aside.shards
		}
		if parts > 1 {
			s.Scatter = "shard"
		}
		s.Key = map[string]string{}
		for _, x := range t.eqs {
			s.Key[x.ref.key()] = value(x.value)
		}
		if t.each != "" {
			s.Each, each = t.each, true
		}
		if each || parts > 1 {
			s.BatchGet = name
		} else {
			s.Get, s.If, s.Else = name, t.conds, t.orElse
		}
		return s
	}
	place := e.tables[l.kinds[kind].table]
	s.Items = l.itemsRead(t)
	if t.index != nil {
		place = e.indexes[t.index.id]
	}
	if t.marker != nil || t.aside != nil {
		if t.aside != nil {
			place = asideName(t.aside)
		} else {
			place = l.options[kind].markerName(t.marker)
			if r := l.options[kind].roster(t.marker); r != nil && r.root != nil {
				place = e.tables[r.root]
			}
		}
		if name := e.markers[place]; name != "" {
			place = name
		}
	}
	if t.verb != verbScan && l.shards(t) > 1 {
		s.Scatter = "shard"
	}
	if t.each != "" {
		s.Each = t.each
	}
	if t.verb == verbScan {
		s.Scan = place
	} else {
		s.Query = place
		s.Where = map[string]plan.Range{}
		for _, x := range t.eqs {
			s.Where[x.ref.key()] = plan.Range{Is: value(x.value)}
		}
		if t.rng != nil {
			s.Where[t.rng.ref.key()] = t.rng.bounds
		}
		if t.down {
			s.Order = "descending"
		}
	}
	s.Evaluate = t.limit
	if len(t.filter) > 0 {
		s.Filter = spec.AllOf(t.filter)
	}
	return s
}

// writes writes the steps of a write: what has to be found and read, then one write or transaction.
func (e *emitter) writes(p *spec.Pattern, d *plan.Plan, configs ...*config) {
	var actions []action
	var needs []string
	transact := false
	taken := func(n string) bool { _, ok := d.Steps[n]; return ok }
	e.parts, e.late = map[string]string{}, nil
	for _, c := range configs {
		for x, o := range c.layout.options {
			if o.cut != nil {
				e.parts[o.cut.name] = x.Name
			}
		}
		for _, w := range c.writing {
			if w.pattern != p {
				continue
			}
			transact = transact || w.transact
			for _, t := range w.reads {
				if t.late {
					e.late = append(e.late, t.foundAs())
				}
				d.Steps[t.foundAs()] = e.step(c.layout, &readPlan{steps: []*readStep{t}}, t, nil)
			}
			for _, t := range w.needs {
				needs = append(needs, t.foundAs())
			}
			for _, a := range w.acts {
				if a.number != nil {
					d.Steps[numberStep(p)] = e.act(c, d, p, a)
					d.Gaps = true
					continue
				}
				x := action{Step: e.act(c, d, p, a), unit: a.unit, depth: a.touch.depth(), turn: turnOf(p, a)}
				if i := slices.IndexFunc(actions, func(o action) bool { return o.unit != nil && o.unit == x.unit }); i >= 0 {
					actions[i].also = append(actions[i].also, x.Step)
				} else {
					actions = append(actions, x)
				}
			}
		}
	}
	e.inOrder(p, actions)
	switch {
	case transact:
		s := plan.Step{Needs: needs}
		for _, a := range actions {
			s.Transact = append(s.Transact, a.Step)
		}
		if p.Idempotency != "" {
			s.Token = "$" + p.Idempotency
		}
		d.Steps[stepName(p, "write", taken)] = s
	default:
		// One after another, when all that has to be read first has been: what tells the rest goes last, so that a call
		// that breaks off can be made again; but what is only done if a condition holds waits for the condition.
		var before, late []string
		for name := range d.Steps {
			if slices.Contains(e.late, name) {
				late = append(late, name)
			} else {
				before = append(before, name)
			}
		}
		slices.Sort(before)
		slices.SortStableFunc(actions, func(a, b action) int {
			byDepth := 0
			if a.Delete != "" && b.Delete != "" {
				byDepth = b.depth - a.depth
			}
			return cmp.Or(a.turn-b.turn, e.turn(a.Step)-e.turn(b.Step), byDepth)
		})
		for _, a := range actions {
			name, s := stepName(p, "write", taken), a.step()
			s.Needs = needs
			if len(actions) > 1 {
				s.After = before
			}
			d.Steps[name], before = s, []string{name}
			if e.asks(a.Step) {
				for _, x := range late {
					t := d.Steps[x]
					t.After = before
					d.Steps[x] = t
				}
			}
		}
	}
}

// An action of a write, with what happens only together with it.
type action struct {
	plan.Step
	unit  *act
	also  []plan.Step
	depth int // how many values or parents enclose what it writes
	turn  int // its place among the actions of a write that need not be all or nothing
}

// step is the step that carries an action out alone.
func (a action) step() plan.Step {
	if len(a.also) == 0 {
		return a.Step
	}
	s := plan.Step{Each: a.Each}
	for _, x := range append([]plan.Step{a.Step}, a.also...) {
		if s.Each != "" {
			x.Each = "" // the transaction's
		}
		s.Transact = append(s.Transact, x)
	}
	return s
}

// asks reports whether a step deletes what a condition holds of.
func (e *emitter) asks(s plan.Step) bool {
	return s.Delete != "" && slices.ContainsFunc(s.If, func(c string) bool { return c != "present" })
}

// turnOf is the place of the action that an act belongs to. What is only counted of it comes last: that is never refused.
func turnOf(p *spec.Pattern, a *act) int {
	turns := p.InTurn()
	if a.via != nil {
		return len(turns)
	}
	return slices.Index(turns, a.touch.action)
}

// stored is the item that an action writes: the entity, where it is a part of one.
func (e *emitter) stored(s plan.Step) string {
	name := s.Put + s.Update + s.Delete + s.Check
	if of := e.parts[name]; of != "" {
		return of
	}
	return name
}

// turn is when an action comes that is no part of a transaction: checks, what must not be there yet, changes, then deletes,
// those of children before that of their parent.
func (e *emitter) turn(s plan.Step) int {
	entity := slices.ContainsFunc(e.req.Entities, func(x *spec.Entity) bool { return x.Name == e.stored(s) })
	switch {
	case s.Check != "":
		return 0
	case s.Put != "" && !entity:
		return 1
	case s.Delete == "", e.asks(s): // a refusal changes nothing
		return 2
	case slices.ContainsFunc(e.req.Entities, func(x *spec.Entity) bool { return s.Delete == markerName(x, x.Identity) }):
		return 6 // whoever makes the call again still finds what it leads to
	case s.Each != "":
		return 3
	case !entity:
		return 4
	}
	return 5
}

// inOrder puts the actions of several components in the order of the pattern's own.
func (e *emitter) inOrder(p *spec.Pattern, actions []action) {
	rank := func(s plan.Step) int {
		name := e.stored(s)
		n := 0
		for _, t := range e.facts.touches {
			if t.pattern != p {
				continue
			}
			if t.entity.Name == name {
				return n
			}
			n++
		}
		return n
	}
	slices.SortStableFunc(actions, func(a, b action) int { return rank(a.Step) - rank(b.Step) })
}

// foundName is the step that reads what a new entity belongs to.
func foundName(x *spec.Entity) string { return spec.FoundName(x) }

// act writes one action, with the steps that find its key.
func (e *emitter) act(c *config, d *plan.Plan, p *spec.Pattern, a *act) plan.Step {
	s := plan.Step{Each: a.each, If: a.conds, Else: a.orElse}
	if a.still || a.seen {
		s.Still = "$" + foundName(a.entity)
	}
	name := a.entity.Name
	switch {
	case a.inside != nil:
		name = a.item().Name + "." + a.inside.way.Inverse
	case a.marker != nil:
		name = c.layout.options[a.entity].markerName(a.marker)
	case a.part:
		name = c.layout.options[a.entity].cut.name
	case a.aside != nil:
		name = asideName(a.aside)
	case a.number != nil:
		name = sequenceName(a.number)
		s.Return = "new"
	}
	if a.verb != actPut {
		s.Key = assigned(a.key)
		if a.locate != nil {
			maps.Copy(s.Key, e.located(c, d, a))
		}
	}
	switch a.verb {
	case actPut:
		s.Put = name
		if a.value != "$each" {
			s.Value = a.value
		}
		s.With = assigned(a.with)
	case actUpdate:
		s.Update = name
		s.Set, s.Add, s.Remove, s.Stamp = assigned(a.set), assigned(a.add), a.remove, a.stamp
		s.With = assigned(a.with)
	case actDelete:
		s.Delete = name
	case actCheck:
		s.Check = name
	}
	return s
}

// located writes the steps that find a key, and answers its parts that they tell.
func (e *emitter) located(c *config, d *plan.Plan, a *act) map[string]string {
	for i, dm := range c.demands {
		if dm != a.locate {
			continue
		}
		names := e.steps(d, c.layout, c.plans[i])
		key := map[string]string{}
		for _, r := range dm.needs {
			key[r.key()] = "$" + names[len(names)-1] + "." + r.key()
		}
		return key
	}
	return nil
}

func assigned(as []assignment) map[string]string {
	if len(as) == 0 {
		return nil
	}
	m := make(map[string]string, len(as))
	for _, a := range as {
		m[a.path] = a.value
	}
	return m
}
