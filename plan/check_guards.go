package plan

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// demandsAbsent reports whether the write fails when its item is there.
func (s *Stage) demandsAbsent() bool {
	return slices.ContainsFunc(s.guards, func(g guard) bool {
		t, ok := g.cond.(*spec.Test)
		return ok && t.Op == "absent" && len(t.Path) == 0
	})
}

// demandsPresent reports whether the write fails when its item is not there: because it says so, or because it tests
// what only an item can have.
func (s *Stage) demandsPresent() bool {
	return slices.ContainsFunc(s.guards, func(g guard) bool {
		t, ok := g.cond.(*spec.Test)
		return ok && t.Op != "absent" && t.Op != "!="
	})
}

// guards checks the conditions of the puts of a whole value: one for each of its parts. All parts come and go together,
// so that it is enough to ask one of them whether they are there.
func (w *writeCheck) guards(a *spec.Action, v *written, puts []*Stage) {
	name, s := w.p.Name, puts[0]
	absent, present := slices.ContainsFunc(puts, (*Stage).demandsAbsent), slices.ContainsFunc(puts, (*Stage).demandsPresent)
	switch {
	case a.Verb == spec.Create && !absent:
		if !w.generatedRoot(v.entity) {
			w.errorf(s.Path, CodeGuard, "if: absent", "%s creates a %s and does not refuse a second one with the same %s", name, v.entity.Name, attributeList(v.entity.Identity))
		}
	case a.Verb == spec.Replace && v.parent == nil && !present:
		w.errorf(s.Path, CodeGuard, "if: present", "%s replaces a %s, and its plan would create one", name, v.entity.Name)
	case a.Verb == spec.Upsert && (absent || present && a.Condition == nil):
		w.errorf(s.Path, CodeGuard, "leave the condition out", "%s writes a %s whether there is one or not, and its plan refuses", name, v.entity.Name)
	}
	if v.parent == nil {
		w.conditions(a, puts...)
	}
}

// conditions checks that the writes of an entity's parts demand what the action demands, and no more.
func (w *writeCheck) conditions(a *spec.Action, stages ...*Stage) {
	code := a.Refusal
	if code == "" {
		code = RefusedCondition
	}
	first := stages[0]
	want := spec.Conjuncts(a.Condition)
	if (a.Verb == spec.Upsert || a.Makes) && a.Condition != nil { // it is about what is there
		want = []spec.Condition{&spec.Logic{Op: "or", Args: []spec.Condition{&spec.Test{Op: "absent"}, a.Condition}}}
	}
	for _, c := range want {
		if isPresent(c) && first.Verb == Get { // a write that waits for it is not done where it has found nothing
			continue
		}
		var found *guard
		for _, s := range stages {
			if i := slices.IndexFunc(s.guards, func(g guard) bool { return equivalent(g.cond, c) }); i >= 0 && found == nil {
				first, found = s, &s.guards[i]
			}
		}
		switch {
		case found == nil:
			w.errorf(first.Path, CodeGuard, "if: "+c.String(), "%s demands %s, and the %s of %s does not", w.p.Name, c, first.Verb, first.Kind.Name)
		case found.code != code && found.code != RefusedVersion && !isPresent(c):
			w.errorf(first.Path, CodeRefusal, "else: "+code, "%s refuses as %s unless %s, and its plan as %s", w.p.Name, code, c, found.code)
		}
	}
	for _, s := range stages {
		for _, g := range s.guards {
			t, ok := g.cond.(*spec.Test)
			if ok && (t.Op == "absent" && len(t.Path) == 0 || t.Op == "present" || t.Op == "before" || g.code == RefusedVersion) {
				continue
			}
			if g.again {
				continue
			}
			if !slices.ContainsFunc(want, func(c spec.Condition) bool { return equivalent(g.cond, c) }) {
				w.errorf(s.Path, CodeExtra, "leave it out", "%s does not demand %s, and the %s of %s refuses without it", w.p.Name, g.cond, s.Verb, s.Kind.Name)
			}
		}
	}
}

// isPresent reports whether a condition is that there is something: what is not there is refused as missing, whatever
// code the action has for its condition.
func isPresent(c spec.Condition) bool {
	t, ok := c.(*spec.Test)
	return ok && t.Op == "present"
}

// equivalent compares a guard with what the pattern demands, as they are written: references inside `each` have the
// same names in both.
func equivalent(a, b spec.Condition) bool { return a.String() == b.String() }

// requires checks that a related entity is tested to exist: by the transaction, or, if what has once been there stays,
// by a read before.
func (w *writeCheck) requires(a *spec.Action, r *spec.Relationship) {
	ok := false
	for _, s := range w.writes {
		switch {
		case s.Embed != nil && s.Embed.Way == r && s.Verb == Put, s.Embed != nil && s.Embed.Child == r.To && s.Verb == Update && s.demandsPresent():
			ok = true
		case (s.Kind.Role == EntityItem && s.Kind.Entity == r.To || s.Kind.pointsTo(r.To)) && (s.Verb == Check || s.Verb == Update) && s.Embed == nil && s.demandsPresent():
			w.claimed[s] = true
			ok = true
		}
	}
	ok = ok || slices.ContainsFunc(w.p.Stages, func(s *Stage) bool { return w.readBefore(a, r, s) })
	if !ok {
		w.errorf(w.path, CodeGuard, "add {check: …, if: present} to the transaction", "%s requires a %s to exist, and its plan does not ask", w.p.Name, r.Name)
	}
}

// readBefore reports whether a step reads what an action requires, or the marker that says where that lies, so that the
// write is not done where it found nothing.
func (w *writeCheck) readBefore(a *spec.Action, r *spec.Relationship, s *Stage) bool {
	each := s.Verb == BatchGet && len(a.Each) > 0 && s.Each.String() == a.Each.String()
	if s.Verb != Get && !each || !s.Consistent || !w.prog.Requirements.Lasts(r.To) {
		return false
	}
	if !(s.Kind.Role == EntityItem && s.Kind.Entity == r.To) && !s.Kind.pointsTo(r.To) {
		return false
	}
	for i, by := range r.By { // the one that the action is about
		if !slices.ContainsFunc(s.key, func(x assign) bool {
			return x.target.attribute() == r.To.Identity[i] && w.becomes(a, by, s, x.value)
		}) {
			return false
		}
	}
	return w.awaited(s)
}

// settled reports whether a step reads what an action asks before the write, which is not done where it found nothing.
func (w *writeCheck) settled(a *spec.Action, s *Stage) bool {
	return s.Verb == Get && s.Consistent && s.about(a) && w.prog.Requirements.Settled(a) && w.awaited(s)
}

// awaited reports whether a write is not done where a step has not found what it asks for.
func (w *writeCheck) awaited(s *Stage) bool {
	return slices.ContainsFunc(w.p.Stages, func(x *Stage) bool { return x.Verb.Writes() && (x.singles[s] || x.all[s]) })
}

// becomes reports whether a value that a step uses is what an action makes of an attribute, or leaves as a step found
// it, for good.
func (w *writeCheck) becomes(a *spec.Action, x *spec.Attribute, s *Stage, value spec.Expr) bool {
	if a.Verb != spec.Update {
		of := a.Value.String()
		if len(a.Each) > 0 {
			of = "$each"
		}
		return value.String() == of+"."+x.Name
	}
	if at := slices.IndexFunc(a.Set, func(set spec.Assign) bool { return len(set.Path) == 1 && set.Path[0] == x.Name }); at >= 0 {
		return value.String() == a.Set[at].Value.String()
	}
	from, t, ok := w.p.follow(s, value)
	return ok && same(t, own(x)) && len(w.mutable(t)) == 0 && from.stage.Verb == Get && from.stage.about(a)
}
