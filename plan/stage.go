package plan

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// assign gives a path of the entity a value.
type assign struct {
	target target
	value  spec.Expr
}

// guard is one test of `if`, with the code that its failure means.
type guard struct {
	cond  spec.Condition
	code  string
	again bool // it demands that something is still as an earlier step found it: if not, the call begins anew
}

// stage resolves a step; nil if it cannot be.
func (c *compiler) stage(path []string, proc *Procedure, d *Step, stages map[string]*Stage) *Stage {
	v, name, count := d.verb()
	if count == 0 && d.Raw != nil {
		c.errorf(path, CodeRaw, "state it as get, query, put, …", "a step of %s is imported as it is: it cannot be proven, priced or run", proc.Name)
		return nil
	}
	if count != 1 {
		c.errorf(path, CodeSteps, "exactly one of "+strings.Join(verbNames[1:], ", "), "a step of %s has %d verbs", proc.Name, count)
		return nil
	}
	s := &Stage{Path: path, Verb: v, Document: d, Procedure: proc, Consistent: d.Consistent, Evaluate: d.Evaluate, Code: d.Else}
	if s.Code == "" {
		s.Code = RefusedCondition
	}
	c.misplaced(s)
	if d.Each != "" {
		ref, err := spec.ParseReference(d.Each)
		if err != nil {
			c.failed(at(path, "each"), err)
			return nil
		}
		r, rerr := s.refer(ref, stages)
		if rerr != nil {
			c.failed(at(path, "each"), rerr)
			return nil
		}
		if !r.list && r.stage == nil {
			c.errorf(at(path, "each"), CodeSteps, "`each` takes a list or a step", "%s is one value", d.Each)
			return nil
		}
		s.Each, s.each = ref, r
		delete(s.singles, r.stage)
	}
	ok := true
	switch v {
	case Query, Scan:
		ok = c.reading(s, name, stages)
	case Transact, TransactGet, BatchWrite:
		ok = c.group(s, stages)
	default:
		ok = c.single(s, name, stages)
	}
	if !ok {
		return nil
	}
	return s
}

// misplaced reports keys that the verb does not take.
func (c *compiler) misplaced(s *Stage) {
	d := s.Document
	type verbs []Verb
	for _, x := range []struct {
		key   string
		used  bool
		verbs verbs
	}{
		{"items", len(d.Items) > 0, verbs{Query, Scan}},
		{"where", len(d.Where) > 0, verbs{Query}},
		{"order", d.Order != "", verbs{Query}},
		{"evaluate", d.Evaluate != 0, verbs{Query, Scan}},
		{"consistent", d.Consistent, verbs{Get, BatchGet, Query, Scan}},
		{"filter", d.Filter != "", verbs{Query, Scan}},
		{"project", len(d.Project) > 0, verbs{Get, BatchGet, Query, Scan, TransactGet}},
		{"scatter", d.Scatter != "", verbs{Query, BatchGet}},
		{"key", len(d.Key) > 0, verbs{Get, BatchGet, Update, Delete, Check}},
		{"each", d.Each != "", verbs{Get, BatchGet, Query, Put, Update, Delete, Check, Transact}},
		{"value", d.Value != "", verbs{Put}},
		{"with", len(d.With) > 0, verbs{Put, Update}},
		{"set", len(d.Set) > 0, verbs{Update}},
		{"add", len(d.Add) > 0, verbs{Update}},
		{"remove", len(d.Remove) > 0, verbs{Update}},
		{"if", len(d.If) > 0, verbs{Get, Put, Update, Delete, Check}},
		{"else", d.Else != "", verbs{Get, Put, Update, Delete, Check}},
		{"still", d.Still != "", verbs{Put, Update, Delete, Check}},
		{"stamp", d.Stamp, verbs{Update}},
		{"return", d.Return != "", verbs{Put, Update, Delete}},
		{"token", d.Token != "", verbs{Transact}},
		{"needs", len(d.Needs) > 0, verbs{Put, Update, Delete, Transact}},
	} {
		if x.used && !slices.Contains(x.verbs, s.Verb) {
			c.errorf(at(s.Path, x.key), CodeSteps, "", "%s does not take `%s`", s.Verb, x.key)
		}
	}
	if s.Verb == Get && len(d.If) > 0 && !s.Procedure.Pattern.Writes() {
		c.errorf(at(s.Path, "if"), CodeSteps, "give it under keep of the answer", "what a read finds is not refused")
	}
	if d.Evaluate < 0 {
		c.errorf(at(s.Path, "evaluate"), CodeSteps, "", "evaluate counts items: at least 1")
	}
	if d.Order != "" && d.Order != "ascending" && d.Order != "descending" {
		c.errorf(at(s.Path, "order"), CodeSteps, "write ascending or descending", "a query's order is not %q", d.Order)
	}
	if d.Return != "" && d.Return != "new" && d.Return != "old" {
		c.errorf(at(s.Path, "return"), CodeSteps, "write new or old", "a write returns no %q", d.Return)
	}
}

// group resolves the actions of a transaction or batch.
func (c *compiler) group(s *Stage, stages map[string]*Stage) bool {
	d := s.Document
	steps, allowed := d.Transact, []Verb{Put, Update, Delete, Check}
	switch s.Verb {
	case TransactGet:
		steps, allowed = d.TransactGet, []Verb{Get}
	case BatchWrite:
		steps, allowed = d.BatchWrite, []Verb{Put, Delete}
	}
	if len(steps) == 0 {
		c.errorf(s.Path, CodeSteps, "", "%s without actions", s.Verb)
	}
	ok := len(steps) > 0
	for i := range steps {
		path := at(s.Path, s.Verb.String(), strconv.Itoa(i))
		if v, _, n := steps[i].verb(); n == 1 && !slices.Contains(allowed, v) {
			c.errorf(path, CodeSteps, "", "%s cannot hold a %s", s.Verb, v)
			ok = false
			continue
		}
		if s.Verb == BatchWrite && len(steps[i].If) > 0 {
			c.errorf(at(path, "if"), CodeSteps, "use transact, or single writes", "DynamoDB's batches take no conditions")
			ok = false
		}
		step := &steps[i]
		if d.Each != "" { // a transaction for each element, of what is done for that
			copied := *step
			if step = &copied; step.Each != "" {
				c.errorf(at(path, "each"), CodeSteps, "leave it out: the transaction's `each` is also its actions'", "a transaction for each of %s has an action for each of %s", d.Each, step.Each)
				ok = false
				continue
			}
			step.Each = d.Each
		}
		a := c.stage(path, s.Procedure, step, stages)
		if a == nil {
			ok = false
			continue
		}
		for o := range a.uses {
			s.use(o)
			if a.singles[o] {
				s.singles[o] = true
			}
			if a.keyed[o] {
				s.keyed[o] = true
			}
			if a.all[o] {
				s.all[o] = true
			}
		}
		s.Actions = append(s.Actions, a)
	}
	if d.Token != "" && d.Each != "" {
		c.errorf(at(s.Path, "token"), CodeSteps, "leave it out", "one token for a transaction for each of %s: all but the first would count as repeated", d.Each)
		return false
	}
	if d.Token != "" {
		ref, err := spec.ParseReference(d.Token)
		if err != nil {
			c.failed(at(s.Path, "token"), err)
			return false
		}
		r, rerr := s.refer(ref, stages)
		if rerr != nil {
			c.failed(at(s.Path, "token"), rerr)
			return false
		}
		if r.param == nil || r.like == nil || r.like.Type != spec.String {
			c.errorf(at(s.Path, "token"), CodeSteps, "a token is a text that the caller passes", "%s is no token", d.Token)
			return false
		}
		s.token = ref
	}
	return ok
}

// single resolves a step about one item, or about one child inside an item: Order.items.
func (c *compiler) single(s *Stage, name string, stages map[string]*Stage) bool {
	place := at(s.Path, s.Verb.String())
	item, way, inside := strings.Cut(name, ".")
	k := c.kind(place, item)
	if k == nil {
		return false
	}
	s.Kind, s.Access = k, k.Table.Base
	if inside {
		for _, m := range k.Embeds {
			if m.Way.Inverse == way {
				s.Embed = m
			}
		}
		if s.Embed == nil {
			c.errorf(place, CodeUnknown, "", "%s embeds no %s", item, way)
			return false
		}
		if s.Verb == Get || s.Verb == BatchGet || s.Verb == Check {
			c.errorf(place, CodeSteps, "read "+item+": answers take the children out of it", "%s reads whole items", s.Verb)
			return false
		}
		if s.Embed.As == "list" && s.Verb != Put {
			c.errorf(place, CodeEmbed, "embed as map", "a child in a list has no place of its own, so it can only be appended")
			return false
		}
	}
	e := s.entity()
	refs := s.lookup(stages)
	ok := true
	assigns := func(key string, m map[string]string, e *spec.Entity) (out []assign) {
		for _, n := range sortedKeys(m) {
			place := at(s.Path, key, n)
			tg, err := c.path(place, e, n)
			if err != nil {
				ok = false
				continue
			}
			v, err := c.value(place, e, refs, m[n], tg.attribute())
			if err != nil {
				ok = false
				continue
			}
			out = append(out, assign{tg, v})
		}
		return out
	}
	s.key = assigns("key", s.Document.Key, e)
	found := maps.Clone(s.singles) // without what only `with` refers to: lookups decides about that
	s.with = assigns("with", s.Document.With, e)
	given := s.singles
	if s.singles = found; s.uses != nil && s.singles == nil {
		s.singles = map[*Stage]bool{}
	}
	s.sets = assigns("set", s.Document.Set, e)
	s.adds = assigns("add", s.Document.Add, e)
	for i, text := range s.Document.Remove {
		tg, err := c.path(at(s.Path, "remove", strconv.Itoa(i)), e, text)
		if err != nil {
			ok = false
			continue
		}
		s.removes = append(s.removes, tg)
	}
	for i, text := range s.Document.If {
		cond, err := c.condition(at(s.Path, "if", strconv.Itoa(i)), e, refs, text)
		if err != nil || !c.testable(s, at(s.Path, "if", strconv.Itoa(i)), cond) {
			ok = false
			continue
		}
		s.guard(cond)
	}
	for i, text := range s.Document.Project {
		tg, err := c.path(at(s.Path, "project", strconv.Itoa(i)), e, text)
		if err != nil {
			ok = false
			continue
		}
		s.project = append(s.project, tg)
	}
	ok = c.stillAs(s, stages) && ok
	if s.Verb == BatchGet {
		ok = c.scatterKeys(s) && ok
	}
	if s.Verb == Put {
		ok = c.putValue(s, stages) && ok
		return c.lookups(s, given) && ok
	}
	maps.Copy(s.singles, given)
	ok = c.keyKnown(s) && ok
	if s.Verb == Update {
		ok = c.updates(s) && ok
	}
	return ok
}

// entity is what the paths of a stage begin at.
func (s *Stage) entity() *spec.Entity {
	if s.Embed != nil {
		return s.Embed.Child
	}
	return s.Kind.Entity
}

// guard adds a condition of `if`, taking `and` apart so that each test has its own code.
func (s *Stage) guard(c spec.Condition) {
	if l, ok := c.(*spec.Logic); ok && l.Op == "and" {
		for _, a := range l.Args {
			s.guard(a)
		}
		return
	}
	g := guard{cond: c, code: s.Code}
	if t, ok := c.(*spec.Test); ok {
		switch {
		case t.Op == "absent" && len(t.Path) == 0 && s.Kind.Role == UniqueItem && !s.Kind.pointsTo(s.Kind.Entity):
			g.code = RefusedUnique
		case t.Op == "absent" && len(t.Path) == 0 && s.Verb != Check: // a check of an action that only asks has the action's code
			g.code = RefusedExists
		case t.Op == "present":
			g.code = RefusedMissing
		case t.Op == "before":
			g.code = RefusedState
		case t.Op == "=" && len(t.Path) == 1 && s.Document.Else == "":
			if a := s.entity().Attribute(t.Path[0]); a != nil && a.Generated == "version" {
				g.code = versionRefusal(s.Procedure.Pattern, a)
			}
		}
	}
	s.guards = append(s.guards, g)
}

// value parses and resolves a value for an attribute.
func (c *compiler) value(place []string, e *spec.Entity, refs scopeOf, text string, like *spec.Attribute) (spec.Expr, error) {
	v, err := spec.ParseValue(text)
	if err == nil {
		var errs []*spec.Error
		if v, errs = (spec.Scope{Entity: e, Reference: refs}).Value(v, like); len(errs) > 0 {
			err = errs[0]
		}
	}
	if err != nil {
		c.failed(place, err)
	}
	return v, err
}

// putValue resolves what a put writes.
func (c *compiler) putValue(s *Stage, stages map[string]*Stage) bool {
	text := s.Document.Value
	place := at(s.Path, "value")
	if text == "" {
		place = s.Path
		if s.each != nil {
			text = "$each"
		} else {
			for _, p := range s.Procedure.Pattern.Parameters {
				if p.Entity == s.entity() && !p.List {
					text = "$" + p.Name
					break
				}
			}
		}
	}
	if text == "" {
		c.errorf(place, CodeSteps, "say which with `value`", "%s passes no %s that could be put", s.Procedure.Name, s.entity().Name)
		return false
	}
	ref, err := spec.ParseReference(text)
	if err != nil {
		c.failed(place, err)
		return false
	}
	r, rerr := s.refer(ref, stages)
	if rerr != nil {
		c.failed(place, rerr)
		return false
	}
	if r.entity != s.entity() || r.list && r.stage == nil {
		what := "no entity"
		if r.entity != nil {
			what = r.entity.Name
		}
		c.errorf(place, CodeType, "put one "+s.entity().Name, "%s is %s, and %s holds %s", text, what, s.Kind.Name, s.entity().Name)
		return false
	}
	s.value, s.valueRef = r, ref
	return c.putComplete(s)
}
