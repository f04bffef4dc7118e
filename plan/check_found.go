package plan

import "github.com/tablewright/tablewright/spec"

// foundFirst is an action in which values of stored entities that the pattern reads first are what a step of its plan found:
// loan.memberId is $loanFound.memberId where loanFound gets the loan that the pattern is about. What no step reads stays, and
// then no write is found that has it.
func (w *writeCheck) foundFirst(a *spec.Action) *spec.Action {
	if len(w.p.Pattern.Found) == 0 {
		return a
	}
	out := *a
	out.Key, out.Set = w.foundIn(a.Key), w.foundIn(a.Set)
	out.Condition = spec.MapTerms(a.Condition, w.foundTerm)
	return &out
}

func (w *writeCheck) foundIn(as []spec.Assign) (out []spec.Assign) {
	for _, a := range as {
		out = append(out, spec.Assign{Path: a.Path, Value: a.Value.Map(w.foundTerm)})
	}
	return out
}

// foundTerm is a term of a pattern as its plan names it.
func (w *writeCheck) foundTerm(v spec.Expr) spec.Expr {
	if len(v.Reference) == 0 {
		return v
	}
	q := w.p.Pattern.Known(v.Reference[0])
	if q == nil || q.From == nil {
		return v
	}
	var from *Stage // the entity's item rather than a marker, which has little more than the key
	for _, s := range w.p.Stages {
		if s.Verb != Get || !s.Consistent || !s.about(w.foundFirst(q.From)) || from != nil && s.Kind.Role != EntityItem {
			continue
		}
		if t, err := resolvePath(s.Kind.Entity, spec.Path(v.Reference[1:])); err == nil && s.Kind.offers(t, s.Access) && (from == nil || from.Kind.Role != EntityItem) {
			from = s
		}
	}
	if from != nil {
		v.Reference = append(spec.Reference{from.Name}, v.Reference[1:]...)
	}
	return v
}
