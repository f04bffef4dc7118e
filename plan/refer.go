package plan

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// referent is what a reference stands for: a parameter, what an earlier step found, the element of `each`, or something
// inside one of them.
type referent struct {
	param  *spec.Parameter // set if it comes from a parameter
	stage  *Stage          // set if it comes from a step
	each   bool            // it is the element of `each`, or inside it
	entity *spec.Entity    // it is a value of an entity
	like   *spec.Attribute // or of an attribute
	list   bool            // or a list of them
	from   *spec.Entity    // the entity that segs begin at
	segs   []spec.Segment  // names behind the first
}

func refError(format string, args ...any) *spec.Error {
	return &spec.Error{Message: fmt.Sprintf(format, args...)}
}

// refer looks a reference up from a stage.
func (s *Stage) refer(ref spec.Reference, stages map[string]*Stage) (*referent, *spec.Error) {
	name := ref[0]
	var r referent
	step, param := stages[name], s.Procedure.Pattern.Parameter(name)
	switch {
	case name == "each":
		if s.each == nil {
			return nil, refError("$each stands beside `each`, and this step has none")
		}
		r = *s.each
		r.list, r.each = false, true
		if r.entity != nil {
			r.from, r.segs = r.entity, nil
		}
	case step != nil:
		if step == s {
			return nil, refError("step %s refers to itself", name)
		}
		if step.Kind == nil {
			return nil, refError("step %s finds no item that could be referred to", name)
		}
		if step.Verb.Writes() && step.Document.Return == "" {
			err := refError("step %s returns nothing that could be referred to", name)
			err.Remedy = "add `return: new` or `return: old` to it"
			return nil, err
		}
		s.use(step)
		r = referent{stage: step, entity: step.Kind.Entity, from: step.Kind.Entity, list: step.several()}
		if s.goesWith(step) { // a read leaves out those for which it found nothing
			s.all[step], r.list = s.Verb.Writes() || s.Verb == Check, false
		} else {
			s.singles[step] = true
		}
	case param != nil:
		r = referent{param: param, entity: param.Entity, like: param.Like, from: param.Entity, list: param.List}
	default:
		if _, ok := s.Procedure.Document.Steps[name]; ok {
			return nil, refError("") // the step could not be resolved, which is reported already
		}
		var names []string
		for _, p := range s.Procedure.Pattern.Parameters {
			names = append(names, p.Name)
		}
		names = append(names, sortedKeys(stages)...)
		err := refError("there is no parameter or step %s", name)
		err.Remedy = meant(name, names)
		return nil, err
	}
	rest := spec.Path(ref[1:])
	if len(rest) == 0 {
		return &r, nil
	}
	if r.list && r.stage == nil {
		return nil, refError("$%s is a list: use it with `each`", name)
	}
	if r.entity == nil {
		for _, n := range rest {
			i := slices.IndexFunc(r.like.Fields, func(a *spec.Attribute) bool { return a.Name == n })
			if i < 0 {
				return nil, refError("$%s has no %s inside", name, n)
			}
			r.like = r.like.Fields[i]
		}
		return &r, nil
	}
	segs, err := r.entity.Resolve(rest)
	if err != nil {
		if e, ok := err.(*spec.Error); ok {
			return nil, e
		}
		return nil, refError("%s", err)
	}
	r.segs = append(slices.Clone(r.segs), segs...)
	r.list = r.list && r.stage == nil
	for _, g := range segs {
		if r.list && r.stage == nil && !g.Back {
			return nil, refError("%s goes on behind a list", ref)
		}
		r.entity, r.like = g.Entity(), g.Attribute
		r.list = r.list || !g.ToOne()
	}
	return &r, nil
}

// use records that the stage needs another, which then runs first.
func (s *Stage) use(other *Stage) {
	if s.uses == nil {
		s.uses, s.singles, s.keyed, s.all = map[*Stage]bool{}, map[*Stage]bool{}, map[*Stage]bool{}, map[*Stage]bool{}
	}
	s.uses[other] = true
}

// goesWith reports whether a stage and a batch-get before it go over one list of the call. What the one refers to of
// the other is what that found for the same element. A write demands that it has found something for each.
func (s *Stage) goesWith(before *Stage) bool {
	return before.Verb == BatchGet && before.Scatter == 0 && before.each != nil && before.each.stage == nil &&
		s.each != nil && s.Each.String() == before.Each.String()
}

// several reports whether a stage can find more than one item.
func (s *Stage) several() bool {
	switch s.Verb {
	case BatchGet, Scan:
		return true
	case Query:
		return !s.unique()
	}
	return s.each != nil
}

// unique reports whether a query finds at most one item of its first kind: it binds the identity, other attributes that
// are unique, or the foreign key to a parent that has at most one.
func (s *Stage) unique() bool {
	bound := map[string]bool{}
	for _, b := range s.Where {
		if b.Form == "is" {
			bound[b.Path.String()] = true
		}
	}
	all := func(as []*spec.Attribute) bool {
		for _, a := range as {
			if !bound[a.Name] {
				return false
			}
		}
		return len(as) > 0
	}
	e := s.Kind.Entity
	if all(e.Identity) || slices.ContainsFunc(e.Unique, func(u spec.Unique) bool { return u.Always() && all(u.Of) }) {
		return true
	}
	return slices.ContainsFunc(e.There, func(w *spec.Relationship) bool {
		return w.PerParent.Stated && w.PerParent.Max <= 1 && all(w.By)
	})
}

// lookup is the function by which package spec resolves references of a stage.
func (s *Stage) lookup(stages map[string]*Stage) func(spec.Reference, *spec.Attribute, int) *spec.Error {
	return func(ref spec.Reference, like *spec.Attribute, pos int) *spec.Error {
		r, err := s.refer(ref, stages)
		if err != nil {
			err.Offset += pos
			return err
		}
		switch {
		case r.entity != nil:
			return refErrorAt(pos, "%s is a value of %s, not of one attribute", ref, r.entity.Name)
		case r.list && r.stage == nil:
			return refErrorAt(pos, "%s is a list: use it with `each`", ref)
		case !spec.SameType(r.like, like):
			return refErrorAt(pos, "%s is a %s, and %s is a %s", ref, r.like.Type, like.Name, like.Type)
		}
		return nil
	}
}

func refErrorAt(pos int, format string, args ...any) *spec.Error {
	e := refError(format, args...)
	e.Offset = pos
	return e
}

// resolveCondition looks up the names of a condition.
func resolveCondition(e *spec.Entity, refs scopeOf, c spec.Condition) (spec.Condition, error) {
	out, errs := spec.Scope{Entity: e, Reference: refs}.Condition(c)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	return out, nil
}

// scopeOf resolves the references of a value or condition.
type scopeOf = func(ref spec.Reference, like *spec.Attribute, pos int) *spec.Error
