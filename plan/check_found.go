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
	for _, s := range w.p.Stages {
		if s.Verb == Get && s.Consistent && s.about(w.foundFirst(q.From)) {
			v.Reference = append(spec.Reference{s.Name}, v.Reference[1:]...)
			break
		}
	}
	return v
}
