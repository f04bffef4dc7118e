package plan

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// writeCheck proves that a plan does what its write pattern's actions say, and keeps true all that depends on it.
type writeCheck struct {
	*compiler
	p       *Procedure
	path    []string
	writes  []*Stage          // single actions, those inside transactions and batches too
	group   map[*Stage]*Stage // the transaction or batch that holds one
	claimed map[*Stage]bool   // what an action or something that depends on it accounts for
}

func (c *compiler) checkWrite(p *Procedure) {
	w := &writeCheck{compiler: c, p: p, path: []string{"plans", p.Name}, group: map[*Stage]*Stage{}, claimed: map[*Stage]bool{}}
	for _, s := range p.Stages {
		if len(s.Actions) == 0 && (s.Verb.Writes() || s.Verb == Check) {
			w.writes = append(w.writes, s)
		}
		for _, a := range s.Actions {
			if s.Verb != TransactGet {
				w.writes = append(w.writes, a)
				w.group[a] = s
			}
		}
	}
	for _, s := range p.Stages {
		if s.Verb == Get && len(s.guards) > 0 && !w.awaited(s) {
			c.errorf(at(s.Path, "if"), CodeSteps, "name it under `needs` of a write, which is refused then", "%s asks for %s, and nothing depends on it", s.Name, s.guards[0].cond)
		}
	}
	for _, a := range p.Pattern.Actions {
		w.action(w.foundFirst(a))
	}
	for _, s := range w.writes {
		if !w.claimed[s] && s.Verb != Check {
			c.errorf(s.Path, CodeExtra, "leave it out", "%s does not ask for the %s of %s", p.Name, s.Verb, s.Kind.Name)
		}
	}
	w.atomic()
	w.stale()
	w.claims()
	w.copied()
	w.codes()
}

// written is an entity that an action writes: where its value lies in the parameters.
type written struct {
	entity *spec.Entity
	ref    string // order.items
	way    *spec.Relationship
	parent *written
}

// values lists what an action writes whole.
func values(a *spec.Action) []*written {
	ref := slices.Clone(a.Value)
	if len(ref) > 0 && ref[0] == "each" {
		ref = append(slices.Clone(a.Each), ref[1:]...)
	}
	root := &written{entity: a.Entity, ref: strings.Join(ref, ".")}
	all := []*written{root}
	for _, name := range a.With {
		if w := a.Entity.WayBack(name); w != nil {
			all = append(all, &written{entity: w.From, ref: root.ref + "." + name, way: w, parent: root})
		}
	}
	return all
}

// denotes is the place in the parameters of what a put writes.
func (s *Stage) denotes() string {
	if s.value == nil {
		return ""
	}
	ref := s.valueRef
	if ref[0] == "each" && s.Each != nil {
		ref = append(slices.Clone(s.Each), ref[1:]...)
	}
	return strings.Join(ref, ".")
}

func (w *writeCheck) action(a *spec.Action) {
	switch a.Verb {
	case spec.Create, spec.Replace, spec.Upsert:
		for _, v := range values(a) {
			w.whole(a, v)
		}
	case spec.Update:
		w.update(a)
	case spec.Delete:
		w.delete(a)
	}
	for _, r := range a.Requires {
		w.requires(a, r)
	}
}

// find looks for writes and claims them.
func (w *writeCheck) find(match func(*Stage) bool) *Stage {
	var found *Stage
	for _, s := range w.writes {
		if match(s) {
			w.claimed[s] = true
			if found == nil {
				found = s
			}
		}
	}
	return found
}

// whole checks the creation or replacement of one entity.
func (w *writeCheck) whole(a *spec.Action, v *written) {
	e := v.entity
	var put []*Stage
	puts := func(k *Kind) *Stage {
		return w.find(func(s *Stage) bool { return s.Verb == Put && s.Kind == k && s.Embed == nil && s.denotes() == v.ref })
	}
	for _, k := range w.prog.Parts(e) {
		s := puts(k)
		if s == nil {
			w.errorf(w.path, CodeWrite, "add {put: "+k.Name+"}", "%s %ss a %s, and its plan does not put %s", w.p.Name, a.Verb, e.Name, k.Name)
		}
		put = append(put, s)
	}
	if slices.Contains(put, nil) {
		return
	}
	for _, m := range w.prog.embeddings(e) {
		inside := v.way == m.Way && v.parent != nil // written with its parent's item
		alone := w.find(func(s *Stage) bool { return s.Verb == Put && s.Embed == m && s.denotes() == v.ref })
		if alone != nil {
			put = append(put, alone)
		}
		if !inside && alone == nil {
			w.errorf(w.path, CodeWrite, "add {put: "+m.Kind.Name+"."+m.Way.Inverse+"}", "%s %ss a %s, and its plan does not put it inside %s", w.p.Name, a.Verb, e.Name, m.Kind.Name)
		}
	}
	if len(put) > 0 {
		w.together(e, put)
		w.guards(a, v, put)
	}
	for _, k := range w.dependent(e) {
		switch k.Role {
		case CopyItem:
			if !w.followed(k) {
				if s := puts(k); s == nil {
					w.errorf(w.path, CodeKept, "add {put: "+k.Name+"} to the same transaction", "%s %ss a %s, and its copy %s is not put", w.p.Name, a.Verb, e.Name, k.Name)
				}
			}
		case UniqueItem:
			s := puts(k)
			if s == nil {
				w.errorf(w.path, CodeUnique, "add {put: "+k.Name+", if: absent} to a transaction", "%s %ss a %s, and the marker %s, which %s, is not put", w.p.Name, a.Verb, e.Name, k.Name, k.purpose())
			} else if a.Verb == spec.Create && !s.demandsAbsent() && !k.Lists() {
				w.errorf(s.Path, CodeUnique, "if: absent", "%s puts the marker %s without asking whether it is there already", w.p.Name, k.Name)
			}
			if a.Verb != spec.Create && w.find(func(d *Stage) bool { return d.Verb == Delete && d.Kind == k }) == nil {
				w.errorf(w.path, CodeUnique, "delete the old marker in the same transaction", "%s %ss a %s, and the marker %s of the old %s stays", w.p.Name, a.Verb, e.Name, k.Name, attributeList(k.Unique))
			}
		}
	}
	w.markers(e)
	switch {
	case a.Verb == spec.Create:
		w.sequences(e, put)
		w.aggregates(a, e, nil, v.parent != nil)
	case a.Verb == spec.Replace && v.parent == nil:
		w.overwrites(a, v, put)
		w.keepStored(e, replaced(e))
		w.aggregates(a, e, replaced(e), false)
	default: // there may be one more than before
		w.overwrites(a, v, put)
		w.keepStored(e, replaced(e))
		w.aggregates(a, e, nil, v.parent != nil)
	}
}

// replaced lists what can differ between an entity and the whole value that replaces it.
func replaced(e *spec.Entity) (out []target) {
	for _, a := range e.Attributes {
		if !slices.Contains(e.Identity, a) && a.Derived == nil {
			out = append(out, own(a))
		}
	}
	return out
}

// about reports whether a stage is about the entities that an action names by key.
func (s *Stage) about(a *spec.Action) bool {
	if s.entity() != a.Entity {
		return false
	}
	if (len(a.Each) > 0) != (s.each != nil && s.each.stage == nil) && !(s.each != nil && s.each.stage != nil) {
		return false
	}
	if len(a.Each) > 0 && s.Each != nil && s.each.stage == nil && s.Each.String() != a.Each.String() {
		return false
	}
	for _, k := range a.Key {
		t, err := resolvePath(a.Entity, k.Path)
		if err != nil {
			return false
		}
		for _, have := range s.key {
			if !same(have.target, t) || have.value.String() == k.Value.String() {
				continue
			}
			from, u, ok := s.Procedure.follow(s, have.value)
			if !ok || !s.Procedure.holds(from, restriction{target: u, op: "=", value: k.Value}, 0) {
				return false
			}
		}
	}
	return true
}

// update checks a change of attributes.
func (w *writeCheck) update(a *spec.Action) {
	e := a.Entity
	name := w.p.Name
	var targets []target
	for _, s := range a.Set {
		if t, err := resolvePath(e, s.Path); err == nil {
			targets = append(targets, t)
		}
	}
	for _, p := range a.Remove {
		if t, err := resolvePath(e, p); err == nil {
			targets = append(targets, t)
		}
	}
	var stages []*Stage // of each part that it changes, and the checks of others
	found := func(what string, changes bool, match func(*Stage) bool) {
		if a.Checks() { // beside it another step may count there for each of what a step found: one request asks and counts
			if s := w.find(func(s *Stage) bool { return s.Verb == Check && match(s) && s.about(a) }); s != nil {
				stages = append(stages, s)
				return
			}
			if i := slices.IndexFunc(w.p.Stages, func(s *Stage) bool { return match(s) && w.settled(a, s) }); i >= 0 {
				stages = append(stages, w.p.Stages[i])
				return
			}
		}
		updates := func(s *Stage) bool { return s.Verb == Update && match(s) && s.about(a) }
		s := w.find(updates)
		if i := slices.IndexFunc(w.writes, func(s *Stage) bool { // another one may count there for an action before
			return updates(s) && slices.ContainsFunc(s.changed(), func(t target) bool {
				return slices.ContainsFunc(targets, func(x target) bool { return same(x, t) })
			})
		}); i >= 0 {
			s = w.writes[i]
		}
		switch {
		case s == nil && changes:
			w.errorf(w.path, CodeWrite, "add {update: "+what+"}", "%s updates a %s, and its plan does not update %s by the same key", name, e.Name, what)
		case s == nil:
			if s = w.find(func(s *Stage) bool { return s.Verb == Check && match(s) && s.about(a) }); s != nil {
				stages = append(stages, s)
			}
		default:
			stages = append(stages, s)
		}
	}
	version := slices.IndexFunc(e.Attributes, func(at *spec.Attribute) bool { return at.Generated == "version" })
	parts := w.prog.Parts(e)
	for _, k := range parts {
		changes := !a.Checks() && len(parts) == 1 || a.Makes || slices.ContainsFunc(targets, k.has) || !a.Checks() && version >= 0 && k.has(own(e.Attributes[version]))
		found(k.Name, changes, func(s *Stage) bool { return s.Kind == k && s.Embed == nil })
	}
	if len(stages) > 0 {
		w.together(e, stages)
		w.changed(a, stages, targets)
	} else if a.Checks() && len(parts) > 0 {
		w.errorf(w.path, CodeGuard, "add {check: "+parts[0].Name+", if: [present, "+a.Condition.String()+"]} to the transaction", "%s demands %s of a %s, and its plan does not ask by the same key", name, a.Condition, e.Name)
	}
	for _, m := range w.prog.embeddings(e) {
		stages = nil
		if found(m.Kind.Name+"."+m.Way.Inverse, true, func(s *Stage) bool { return s.Embed == m }); len(stages) > 0 {
			w.changed(a, stages, targets)
		}
	}
	if a.Checks() {
		return
	}
	w.keepCopies(e, targets)
	w.keepStored(e, targets)
	if a.Makes { // there may be one more than before
		targets = nil
	}
	w.aggregates(a, e, targets, false)
}

// together checks that what is done to the parts of an entity is done at once: else some would be there without the others.
func (w *writeCheck) together(e *spec.Entity, stages []*Stage) {
	for _, s := range stages[min(1, len(stages)):] {
		if g := w.group[s]; g == nil || g.Verb != Transact || g != w.group[stages[0]] {
			w.errorf(s.Path, CodeAtomic, "put them into one transact", "%s writes %s and %s, parts of a %s, one after another", w.p.Name, stages[0].Kind.Name, s.Kind.Name, e.Name)
		}
	}
}

// changed checks what an update does to the parts of an entity, and what it demands of them.
func (w *writeCheck) changed(a *spec.Action, stages []*Stage, targets []target) {
	e, name := a.Entity, w.p.Name
	asks := func(test func(g guard) bool) bool {
		return slices.ContainsFunc(stages, func(s *Stage) bool { return slices.ContainsFunc(s.guards, test) })
	}
	first := stages[0]
	for _, s := range stages {
		if s.Verb == Update {
			w.sets(a, s, targets)
		}
	}
	w.conditions(a, stages...)
	present := first.Verb == Get || slices.ContainsFunc(stages, (*Stage).demandsPresent)
	switch {
	case a.Makes && first.Embed != nil:
		w.errorf(first.Path, CodeGuard, "let it have items of its own", "%s may make a %s, and the item in which it lies may not be there", name, e.Name)
	case a.AdmitsNone() && present:
		w.errorf(first.Path, CodeGuard, "leave the condition out", "%s goes on where there is no %s, and its plan refuses", name, e.Name)
	case a.Makes && present:
		w.errorf(first.Path, CodeGuard, "leave the condition out", "%s changes a %s or makes one, and its plan refuses", name, e.Name)
	case a.Demands() && !present:
		w.errorf(first.Path, CodeGuard, "if: present", "%s refuses to update a %s that is not there, and its plan would make half a one", name, e.Name)
	}
	for _, set := range a.Set {
		at := e.Attribute(set.Path[0])
		if at != nil && at.States != nil && len(set.Path) == 1 && !asks(func(g guard) bool {
			t, ok := g.cond.(*spec.Test)
			return ok && t.Op == "before" && t.Path.String() == at.Name && t.Args[0].String() == set.Value.String()
		}) {
			w.errorf(first.Path, CodeGuard, "if: "+at.Name+" in before("+set.Value.String()+")", "%s sets %s, which only moves forward, without asking where it stands", name, at.Name)
		}
	}
	for _, at := range e.Attributes {
		if w.p.Pattern.StatesVersion(at) && !asks(func(g guard) bool { return g.code == RefusedVersion || testsVersion(g.cond, at) }) {
			w.errorf(first.Path, CodeGuard, "if: "+at.Name+" = $"+at.Name, "%s is given the %s that the caller knows, and does not test it", name, at.Name)
		}
	}
}

// sets checks that an update changes what the action says, and nothing else.
func (w *writeCheck) sets(a *spec.Action, s *Stage, targets []target) {
	elsewhere := func(t target) bool { return s.Embed == nil && s.Kind.part && !s.Kind.has(t) } // in another part
	for _, set := range a.Set {
		t, err := resolvePath(a.Entity, set.Path)
		if err != nil || elsewhere(t) {
			continue
		}
		ok := slices.ContainsFunc(s.sets, func(x assign) bool { return same(x.target, t) && x.value.String() == set.Value.String() }) ||
			slices.ContainsFunc(s.adds, func(x assign) bool {
				return same(x.target, t) && set.Path.String()+" + "+x.value.String() == set.Value.String()
			})
		if !ok {
			w.errorf(s.Path, CodeWrite, "set: {"+t.id+": "+set.Value.String()+"}", "%s sets %s to %s, and its plan does not", w.p.Name, t.id, set.Value)
		}
	}
	for _, r := range a.Remove {
		if t, err := resolvePath(a.Entity, r); err == nil && !elsewhere(t) && !slices.ContainsFunc(s.removes, func(x target) bool { return same(x, t) }) {
			w.errorf(s.Path, CodeWrite, "remove: ["+t.id+"]", "%s removes %s, and its plan does not", w.p.Name, t.id)
		}
	}
	about := targets
	if a.Makes { // it may bring what the item copies by its key
		for _, k := range a.Key {
			if t, err := resolvePath(a.Entity, k.Path); err == nil {
				about = append(slices.Clone(about), t)
			}
		}
	}
	for _, t := range s.changed() {
		at := t.attribute()
		begins := a.Makes && slices.ContainsFunc(s.sets, func(x assign) bool { _, ok := x.begun(); return ok && same(x.target, t) })
		if begins || slices.ContainsFunc(about, func(x target) bool { return same(x, t) || passes(t, a.Entity, x) }) ||
			at != nil && (at.Derived != nil || at.Generated == "version") {
			continue // what is asked for, a copy that follows from it, or what no pattern names
		}
		w.errorf(s.Path, CodeExtra, "leave it out", "%s does not change %s, and its plan does", w.p.Name, t.id)
	}
}

// delete checks the deletion of an entity and of the children named with it.
func (w *writeCheck) delete(a *spec.Action) {
	e := a.Entity
	one := func(what string, match func(*Stage) bool) *Stage {
		s := w.find(func(s *Stage) bool { return s.Verb == Delete && match(s) && s.about(a) })
		if s == nil {
			w.errorf(w.path, CodeWrite, "add {delete: "+what+"}", "%s deletes a %s, and its plan does not delete %s by the same key", w.p.Name, e.Name, what)
		}
		return s
	}
	var stages []*Stage
	for _, k := range w.prog.Parts(e) {
		if s := one(k.Name, func(s *Stage) bool { return s.Kind == k && s.Embed == nil }); s != nil {
			stages = append(stages, s)
		}
	}
	for _, m := range w.prog.embeddings(e) {
		if s := one(m.Kind.Name+"."+m.Way.Inverse, func(s *Stage) bool { return s.Embed == m }); s != nil {
			stages = append(stages, s)
		}
	}
	if len(stages) > 0 {
		w.together(e, stages)
		w.conditions(a, stages...)
	}
	w.leftBehind(e)
	for _, name := range a.With {
		way := e.WayBack(name)
		if way == nil {
			continue
		}
		w.leftBehind(way.From)
		w.aggregates(a, way.From, nil, true)
		for _, k := range w.prog.Parts(way.From) { // none: inside the parent's item
			if w.find(func(s *Stage) bool {
				return s.Verb == Delete && s.Kind == k && (s.each != nil && s.each.stage != nil || onlyChild(s, a, way))
			}) == nil {
				w.errorf(w.path, CodeWrite, "query them, then {delete: "+k.Name+", each: $step}", "%s deletes the %s of a %s too, and its plan does not delete %s", w.p.Name, name, e.Name, k.Name)
			}
		}
	}
	w.aggregates(a, e, nil, false)
}

// onlyChild reports whether a stage is about the only child by a way of what an action names by key.
func onlyChild(s *Stage, a *spec.Action, way *spec.Relationship) bool {
	if !way.PerParent.Stated || way.PerParent.Max > 1 {
		return false
	}
	for i, by := range way.By {
		if !slices.ContainsFunc(s.key, func(x assign) bool {
			return same(x.target, own(by)) && slices.ContainsFunc(a.Key, func(k spec.Assign) bool {
				return k.Path.String() == way.To.Identity[i].Name && k.Value.String() == x.value.String()
			})
		}) {
			return false
		}
	}
	return true
}

func attributeList(as []*spec.Attribute) string {
	var names []string
	for _, a := range as {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}
