package plan

import (
	"fmt"
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
	for _, a := range p.Pattern.Actions {
		w.action(a)
	}
	for _, s := range w.writes {
		if !w.claimed[s] && s.Verb != Check {
			c.errorf(s.Path, CodeExtra, "leave it out", "%s does not ask for the %s of %s", p.Name, s.Verb, s.Kind.Name)
		}
	}
	w.atomic()
	w.limits()
	w.stale()
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
	home := w.prog.home(e)
	var put *Stage
	puts := func(k *Kind) *Stage {
		return w.find(func(s *Stage) bool { return s.Verb == Put && s.Kind == k && s.Embed == nil && s.denotes() == v.ref })
	}
	if home != nil {
		if put = puts(home); put == nil {
			w.errorf(w.path, CodeWrite, "add {put: "+home.Name+"}", "%s %ss a %s, and its plan does not put %s", w.p.Name, a.Verb, e.Name, home.Name)
			return
		}
	}
	for _, m := range w.prog.embeddings(e) {
		inside := v.way == m.Way && v.parent != nil // written with its parent's item
		alone := w.find(func(s *Stage) bool { return s.Verb == Put && s.Embed == m && s.denotes() == v.ref })
		if alone != nil {
			put = alone
		}
		if !inside && alone == nil {
			w.errorf(w.path, CodeWrite, "add {put: "+m.Kind.Name+"."+m.Way.Inverse+"}", "%s %ss a %s, and its plan does not put it inside %s", w.p.Name, a.Verb, e.Name, m.Kind.Name)
		}
	}
	if put != nil {
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
				w.errorf(w.path, CodeUnique, "add {put: "+k.Name+", if: absent} to a transaction", "%s %ss a %s, and the marker %s, which keeps %s unique, is not put", w.p.Name, a.Verb, e.Name, k.Name, attributeList(k.Unique))
			} else if a.Verb == spec.Create && !s.demandsAbsent() {
				w.errorf(s.Path, CodeUnique, "if: absent", "%s puts the marker %s without asking whether it is there already", w.p.Name, k.Name)
			}
			if a.Verb != spec.Create && w.find(func(d *Stage) bool { return d.Verb == Delete && d.Kind == k }) == nil {
				w.errorf(w.path, CodeUnique, "delete the old marker in the same transaction", "%s %ss a %s, and the marker %s of the old %s stays", w.p.Name, a.Verb, e.Name, k.Name, attributeList(k.Unique))
			}
		}
	}
	w.markers(e)
	if a.Verb == spec.Create {
		w.sequences(e, put)
		w.aggregates(a, e, nil, v.parent != nil)
	}
}

func attributeList(as []*spec.Attribute) string {
	var names []string
	for _, a := range as {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}

// dependent lists the items that are built from an entity besides its own.
func (w *writeCheck) dependent(e *spec.Entity) (out []*Kind) {
	for _, t := range w.prog.Tables {
		for _, k := range t.Kinds {
			if k.Entity == e && (k.Role == CopyItem || k.Role == UniqueItem) {
				out = append(out, k)
			}
		}
	}
	return out
}

// followed reports whether a stream consumer keeps an item true, so that plans need not.
func (w *writeCheck) followed(k *Kind) bool { return k.Kept.Stream || k.Kept.Snapshot }

// markers checks that something keeps every unique set of an entity unique.
func (w *writeCheck) markers(e *spec.Entity) {
	for _, set := range e.Unique {
		if slices.Equal(set, e.Identity) || slices.ContainsFunc(w.dependent(e), func(k *Kind) bool {
			return k.Role == UniqueItem && len(k.Unique) == len(set) && !slices.ContainsFunc(set, func(a *spec.Attribute) bool { return !slices.Contains(k.Unique, a) })
		}) {
			continue
		}
		w.errorf([]string{"tables"}, CodeUnique, "add an item that holds {unique: "+e.Name+"."+strings.ReplaceAll(attributeList(set), ", ", "+")+"}", "nothing keeps %s of %s unique", attributeList(set), e.Name)
	}
}

func (s *Stage) demandsAbsent() bool {
	return slices.ContainsFunc(s.guards, func(g guard) bool {
		t, ok := g.cond.(*spec.Test)
		return ok && t.Op == "absent" && len(t.Path) == 0
	})
}

// demandsPresent reports whether the write fails when its item is not there: because it says so, or because it tests what
// only an item can have.
func (s *Stage) demandsPresent() bool {
	return slices.ContainsFunc(s.guards, func(g guard) bool {
		t, ok := g.cond.(*spec.Test)
		return ok && t.Op != "absent" && t.Op != "!="
	})
}

// guards checks the conditions of a put.
func (w *writeCheck) guards(a *spec.Action, v *written, s *Stage) {
	name := w.p.Name
	switch {
	case a.Verb == spec.Create && !s.demandsAbsent():
		if !w.generatedRoot(v.entity) {
			w.errorf(s.Path, CodeGuard, "if: absent", "%s creates a %s and does not refuse a second one with the same %s", name, v.entity.Name, attributeList(v.entity.Identity))
		}
	case a.Verb == spec.Replace && v.parent == nil && !s.demandsPresent():
		w.errorf(s.Path, CodeGuard, "if: present", "%s replaces a %s, and its plan would create one", name, v.entity.Name)
	case a.Verb == spec.Upsert && (s.demandsAbsent() || s.demandsPresent() && a.Condition == nil):
		w.errorf(s.Path, CodeGuard, "leave the condition out", "%s writes a %s whether there is one or not, and its plan refuses", name, v.entity.Name)
	}
	if v.parent == nil {
		w.conditions(a, s)
	}
}

// conditions checks that a write demands what the action demands, and no more.
func (w *writeCheck) conditions(a *spec.Action, s *Stage) {
	code := a.Refusal
	if code == "" {
		code = RefusedCondition
	}
	want := conjuncts(a.Condition)
	for _, c := range want {
		i := slices.IndexFunc(s.guards, func(g guard) bool { return w.equivalent(s, g.cond, c) })
		switch {
		case i < 0:
			w.errorf(s.Path, CodeGuard, "if: "+c.String(), "%s demands %s, and the %s of %s does not", w.p.Name, c, s.Verb, s.Kind.Name)
		case s.guards[i].code != code && s.guards[i].code != RefusedVersion:
			w.errorf(s.Path, CodeRefusal, "else: "+code, "%s refuses as %s unless %s, and its plan as %s", w.p.Name, code, c, s.guards[i].code)
		}
	}
	for _, g := range s.guards {
		t, ok := g.cond.(*spec.Test)
		if ok && (t.Op == "absent" && len(t.Path) == 0 || t.Op == "present" || t.Op == "before" || g.code == RefusedVersion) {
			continue
		}
		if g.again {
			continue
		}
		if !slices.ContainsFunc(want, func(c spec.Condition) bool { return w.equivalent(s, g.cond, c) }) {
			w.errorf(s.Path, CodeExtra, "leave it out", "%s does not demand %s, and the %s of %s refuses without it", w.p.Name, g.cond, s.Verb, s.Kind.Name)
		}
	}
}

// equivalent compares a guard with what the pattern demands. References inside `each` have the same names in both.
func (w *writeCheck) equivalent(_ *Stage, a, b spec.Condition) bool { return a.String() == b.String() }

func conjuncts(c spec.Condition) []spec.Condition {
	if c == nil {
		return nil
	}
	if l, ok := c.(*spec.Logic); ok && l.Op == "and" {
		var out []spec.Condition
		for _, a := range l.Args {
			out = append(out, conjuncts(a)...)
		}
		return out
	}
	return []spec.Condition{c}
}

// about reports whether a stage is about the entities that an action names by key.
func (w *writeCheck) about(s *Stage, a *spec.Action) bool {
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
			from, u, ok := w.p.follow(s, have.value)
			if !ok || !w.p.holds(from, restriction{target: u, op: "=", value: k.Value}, 0) {
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
	home := w.prog.home(e)
	var places int
	each := func(what string, match func(*Stage) bool) {
		places++
		s := w.find(func(s *Stage) bool { return s.Verb == Update && match(s) && w.about(s, a) })
		if s == nil {
			w.errorf(w.path, CodeWrite, "add {update: "+what+"}", "%s updates a %s, and its plan does not update %s by the same key", name, e.Name, what)
			return
		}
		w.sets(a, s, targets)
		w.conditions(a, s)
		if !s.demandsPresent() {
			w.errorf(s.Path, CodeGuard, "if: present", "%s refuses to update a %s that is not there, and its plan would make half a one", name, e.Name)
		}
		for _, set := range a.Set {
			at := e.Attribute(set.Path[0])
			if at != nil && at.States != nil && len(set.Path) == 1 && !slices.ContainsFunc(s.guards, func(g guard) bool {
				t, ok := g.cond.(*spec.Test)
				return ok && t.Op == "before" && t.Path.String() == at.Name && t.Args[0].String() == set.Value.String()
			}) {
				w.errorf(s.Path, CodeGuard, "if: "+at.Name+" in before("+set.Value.String()+")", "%s sets %s, which only moves forward, without asking where it stands", name, at.Name)
			}
		}
		for _, at := range e.Attributes {
			if at.Generated == "version" && w.p.Pattern.Parameter(at.Name) != nil && !slices.ContainsFunc(s.guards, func(g guard) bool { return g.code == RefusedVersion }) {
				w.errorf(s.Path, CodeGuard, "if: "+at.Name+" = $"+at.Name, "%s is given the %s that the caller knows, and does not test it", name, at.Name)
			}
		}
	}
	if home != nil {
		each(home.Name, func(s *Stage) bool { return s.Kind == home && s.Embed == nil })
	}
	for _, m := range w.prog.embeddings(e) {
		each(m.Kind.Name+"."+m.Way.Inverse, func(s *Stage) bool { return s.Embed == m })
	}
	w.keepCopies(a, targets)
	w.aggregates(a, e, targets, false)
}

// sets checks that an update changes what the action says, and nothing else.
func (w *writeCheck) sets(a *spec.Action, s *Stage, targets []target) {
	for _, set := range a.Set {
		t, err := resolvePath(a.Entity, set.Path)
		if err != nil {
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
		if t, err := resolvePath(a.Entity, r); err == nil && !slices.ContainsFunc(s.removes, func(x target) bool { return same(x, t) }) {
			w.errorf(s.Path, CodeWrite, "remove: ["+t.id+"]", "%s removes %s, and its plan does not", w.p.Name, t.id)
		}
	}
	for _, t := range s.changed() {
		at := t.attribute()
		if slices.ContainsFunc(targets, func(x target) bool { return same(x, t) }) || at != nil && (at.Derived != nil || at.Generated == "version") {
			continue
		}
		w.errorf(s.Path, CodeExtra, "leave it out", "%s does not change %s, and its plan does", w.p.Name, t.id)
	}
}

// keepCopies checks that everything that holds the changed attributes once more is changed too.
func (w *writeCheck) keepCopies(a *spec.Action, targets []target) {
	e := a.Entity
	for _, k := range w.dependent(e) {
		if w.followed(k) {
			continue
		}
		touched := ""
		for _, t := range targets {
			if k.storing(t) != nil && k.Role == CopyItem || slices.ContainsFunc(k.Recipes, func(r *Recipe) bool { return r.dependsOn([]target{t}) }) ||
				k.Role == UniqueItem && slices.ContainsFunc(k.Unique, func(u *spec.Attribute) bool { return touches(own(u), t) }) {
				touched = t.id
			}
		}
		if touched == "" {
			continue
		}
		if k.Role == UniqueItem {
			put := w.find(func(s *Stage) bool { return s.Verb == Put && s.Kind == k })
			del := w.find(func(s *Stage) bool { return s.Verb == Delete && s.Kind == k })
			if put == nil || del == nil || !put.demandsAbsent() {
				w.errorf(w.path, CodeUnique, "delete the old marker and put the new one, if: absent, in one transaction", "%s changes %s, and the marker %s does not follow", w.p.Name, touched, k.Name)
			}
			continue
		}
		moved := w.find(func(s *Stage) bool { return s.Verb == Delete && s.Kind == k }) != nil && w.find(func(s *Stage) bool { return s.Verb == Put && s.Kind == k }) != nil
		updated := w.find(func(s *Stage) bool {
			return s.Verb == Update && s.Kind == k && slices.ContainsFunc(s.changed(), func(t target) bool { return t.id == touched })
		})
		if !moved && updated == nil {
			w.errorf(w.path, CodeKept, "update "+k.Name+" in the same transaction", "%s changes %s of %s, and the copy %s does not follow", w.p.Name, touched, e.Name, k.Name)
		}
	}
	for _, t := range w.prog.Tables {
		for _, k := range t.Kinds {
			for _, st := range k.Stored {
				if !st.Copy || !slices.Contains(st.Kept.By, w.p.Name) {
					continue
				}
				if !slices.ContainsFunc(targets, func(x target) bool { return endsIn(st.target, e, x) }) {
					continue
				}
				if w.find(func(s *Stage) bool {
					return s.Verb == Update && s.Kind == k && slices.ContainsFunc(s.changed(), func(x target) bool { return same(x, st.target) })
				}) == nil {
					w.errorf(w.path, CodeKept, "update "+k.Name+" with set: {"+st.target.id+": …}", "%s keeps the copy %s of %s true, and its plan does not write it", w.p.Name, st.Name, k.Name)
				}
			}
		}
	}
}

// endsIn reports whether a path through ways ends in an entity's attribute.
func endsIn(t target, e *spec.Entity, x target) bool {
	o := origin(t)
	for i, s := range o.segs {
		if s.Way != nil && s.Entity() == e && i+1 < len(o.segs) {
			rest := newTarget(o.path[i+1:], o.segs[i+1:])
			if touches(rest, x) {
				return true
			}
		}
	}
	return false
}

// delete checks the deletion of an entity and of the children named with it.
func (w *writeCheck) delete(a *spec.Action) {
	e := a.Entity
	one := func(what string, match func(*Stage) bool) {
		s := w.find(func(s *Stage) bool { return s.Verb == Delete && match(s) && w.about(s, a) })
		if s == nil {
			w.errorf(w.path, CodeWrite, "add {delete: "+what+"}", "%s deletes a %s, and its plan does not delete %s by the same key", w.p.Name, e.Name, what)
			return
		}
		w.conditions(a, s)
	}
	if home := w.prog.home(e); home != nil {
		one(home.Name, func(s *Stage) bool { return s.Kind == home && s.Embed == nil })
	}
	for _, m := range w.prog.embeddings(e) {
		one(m.Kind.Name+"."+m.Way.Inverse, func(s *Stage) bool { return s.Embed == m })
	}
	for _, k := range w.dependent(e) {
		if !w.followed(k) && w.find(func(s *Stage) bool { return s.Verb == Delete && s.Kind == k }) == nil {
			code, what := CodeKept, "copy"
			if k.Role == UniqueItem {
				code, what = CodeUnique, "marker"
			}
			w.errorf(w.path, code, "delete it in the same transaction", "%s deletes a %s, and its %s %s stays", w.p.Name, e.Name, what, k.Name)
		}
	}
	for _, name := range a.With {
		way := e.WayBack(name)
		if way == nil {
			continue
		}
		home := w.prog.home(way.From)
		if home == nil {
			continue // inside the parent's item
		}
		if w.find(func(s *Stage) bool { return s.Verb == Delete && s.Kind == home && s.each != nil && s.each.stage != nil }) == nil {
			w.errorf(w.path, CodeWrite, "query them, then {delete: "+home.Name+", each: $step}", "%s deletes the %s of a %s too, and its plan does not delete %s", w.p.Name, name, e.Name, home.Name)
		}
	}
	w.aggregates(a, e, nil, false)
}

// sequences checks that the numbers of an entity come from where they are counted.
func (w *writeCheck) sequences(e *spec.Entity, put *Stage) {
	for _, a := range e.Attributes {
		if a.Sequence == nil {
			continue
		}
		kind := slices.IndexFunc(w.allKinds(), func(k *Kind) bool { return k.Role == SequenceItem && k.Attribute == a })
		if kind < 0 {
			w.errorf([]string{"tables"}, CodeHome, "add an item that holds {sequence: "+e.Name+"."+a.Name+"}", "nothing counts %s of %s", a.Name, e.Name)
			continue
		}
		k := w.allKinds()[kind]
		if w.find(func(s *Stage) bool { return s.Verb == Update && s.Kind == k }) == nil {
			w.errorf(w.path, CodeWrite, "add {update: "+k.Name+", add: {"+a.Name+": 1}, return: new}", "%s creates a %s and does not count %s on", w.p.Name, e.Name, k.Name)
		}
		if put != nil && !has(put.with, own(a)) {
			w.errorf(put.Path, CodeElsewhere, "with: {"+a.Name+": $step."+a.Name+"}", "%s puts a %s without its %s", w.p.Name, e.Name, a.Name)
		}
	}
}

func (w *writeCheck) allKinds() (out []*Kind) {
	for _, t := range w.prog.Tables {
		out = append(out, t.Kinds...)
	}
	return out
}

// aggregates checks that numbers derived from an entity follow its creation, deletion or change.
func (w *writeCheck) aggregates(a *spec.Action, e *spec.Entity, targets []target, withParent bool) {
	for _, parent := range w.r.Entities {
		for _, d := range parent.Attributes {
			if d.Derived == nil || d.Derived.Func == "" || !w.derivesFrom(parent, d, a, e, targets) {
				continue
			}
			for _, k := range w.allKinds() {
				if k.Entity != parent || k.byPath[d.Name] == nil || w.followed(k) && k.Role != EntityItem {
					continue
				}
				if withParent && slices.ContainsFunc(values(a), func(v *written) bool { return v.entity == parent }) {
					continue // counted when the parent's value is completed
				}
				if w.find(func(s *Stage) bool {
					return s.Verb == Update && s.Kind == k && slices.ContainsFunc(s.changed(), func(t target) bool { return t.id == d.Name })
				}) == nil {
					w.errorf(w.path, CodeKept, "update "+k.Name+" with add: {"+d.Name+": …} in the same transaction", "%s %ss a %s, and %s of %s, derived from it, does not follow", w.p.Name, a.Verb, e.Name, d.Name, k.Name)
				}
			}
		}
	}
}

// derivesFrom reports whether a derived number depends on what an action does to an entity.
func (w *writeCheck) derivesFrom(parent *spec.Entity, d *spec.Attribute, a *spec.Action, e *spec.Entity, targets []target) bool {
	segs, err := parent.Resolve(d.Derived.Path)
	if err != nil {
		return false
	}
	for i, s := range segs {
		if s.Way == nil || s.Way.From != e || !s.Back {
			continue
		}
		if a.Verb != spec.Update {
			return true
		}
		for _, t := range targets {
			for _, by := range s.Way.By {
				if touches(own(by), t) {
					return true
				}
			}
			if i+1 < len(segs) && touches(newTarget(spec.Path(d.Derived.Path[i+1:]), segs[i+1:]), t) {
				return true
			}
		}
	}
	return false
}

// requires checks that a related entity is tested to exist.
func (w *writeCheck) requires(a *spec.Action, r *spec.Relationship) {
	ok := false
	for _, s := range w.writes {
		switch {
		case s.Embed != nil && s.Embed.Way == r && s.Verb == Put:
			ok = true
		case s.Kind.Role == EntityItem && s.Kind.Entity == r.To && (s.Verb == Check || s.Verb == Update) && s.Embed == nil && s.demandsPresent():
			w.claimed[s] = true
			ok = true
		}
	}
	if !ok {
		w.errorf(w.path, CodeGuard, "add {check: …, if: present} to the transaction", "%s requires a %s to exist, and its plan does not ask", w.p.Name, r.Name)
	}
}

// atomic checks that several writes happen all or not at all.
func (w *writeCheck) atomic() {
	var stages []*Stage
	several := false
	for _, s := range w.p.Stages {
		if !s.Verb.Writes() {
			continue
		}
		if s.Kind != nil && s.Kind.Role == SequenceItem {
			if !w.p.Document.Gaps {
				w.errorf(s.Path, CodeAtomic, "gaps: allowed, or read the number and count on in the transaction that uses it", "%s counts %s on before the rest is written: if that is refused, a number is skipped", w.p.Name, s.Kind.Name)
			}
			continue
		}
		stages = append(stages, s)
		several = several || s.Verb == BatchWrite && (len(s.Actions) > 1 || s.Actions[0].each != nil) || s.Verb != Transact && s.each != nil
	}
	if !w.p.Pattern.Atomic || len(stages) < 2 && !several {
		return
	}
	at := w.path
	if len(stages) > 0 {
		at = stages[0].Path
	}
	w.errorf(at, CodeAtomic, "put them into one transact", "%s happens all or not at all, and its plan writes several items one after another", w.p.Name)
}

// limits holds transactions to DynamoDB's limits at their maxima.
func (w *writeCheck) limits() {
	for _, s := range w.p.Stages {
		if s.Verb != Transact && s.Verb != TransactGet {
			continue
		}
		actions, bytes := 0.0, 0.0
		for _, a := range s.Actions {
			n := a.most()
			actions += n
			if a.Verb == Put || a.Verb == Update {
				bytes += n * a.Kind.largest()
			}
		}
		if actions > MaxTransaction {
			w.errorf(s.Path, CodeLimit, "put fewer items, embed children, or split what need not be atomic", "%s can need %.0f actions in one transaction, and DynamoDB takes %d", w.p.Name, actions, MaxTransaction)
		}
		if bytes > maxTransactBytes {
			w.errorf(s.Path, CodeLimit, "write smaller items", "%s can write %.1f MB in one transaction, and DynamoDB takes 4", w.p.Name, bytes/(1<<20))
		}
	}
}

// most is how often a stage is carried out at most.
func (s *Stage) most() float64 {
	if s.each == nil {
		return 1
	}
	n := 1.0
	for _, g := range s.each.segs {
		if g.Back && g.Way.PerParent.Stated {
			n *= max(g.Way.PerParent.Max, 1)
		}
	}
	if s.each.stage != nil {
		n *= s.each.stage.mostFound()
	}
	return n
}

// mostFound is how many items a reading stage finds at most, as far as the relationships tell.
func (s *Stage) mostFound() float64 {
	if s.Verb == Query {
		for _, w := range s.Kind.Entity.There {
			if w.PerParent.Stated && !slices.ContainsFunc(w.By, func(by *spec.Attribute) bool {
				return !slices.ContainsFunc(s.Where, func(b *Bound) bool { return b.Form == "is" && b.Path.String() == by.Name })
			}) {
				return max(w.PerParent.Max, 1)
			}
		}
	}
	return 1
}

// stale checks rule 6: what a write reads first it must check again, unless it cannot change; and that the reading sees
// what the pattern must see.
func (w *writeCheck) stale() {
	for _, s := range w.p.Stages {
		if s.Verb.Writes() || s.Verb == Check || w.p.Pattern.Consistency == "eventual" {
			continue
		}
		switch {
		case s.Verb == TransactGet:
		case s.Access.Global():
			w.errorf(s.Path, CodeConsistency, "find it in the table, or say consistency: eventual in the requirements", "%s must not miss what was just written, and step %s reads %s, which is eventually consistent", w.p.Name, s.label(), s.Access.Name())
		case !s.Consistent:
			w.errorf(s.Path, CodeConsistency, "consistent: true", "%s must not miss what was just written, and step %s is not consistent", w.p.Name, s.label())
		}
	}
	for _, s := range w.writes {
		for _, as := range [][]assign{s.key, s.with, s.sets, s.adds} {
			for _, a := range as {
				for t := range a.value.Terms() {
					w.recheck(s, t)
				}
			}
		}
	}
}

func (w *writeCheck) recheck(s *Stage, v spec.Expr) {
	bare := v
	bare.Neg = false
	from, t, ok := w.p.follow(s, bare)
	if !ok || from.stage.Verb.Writes() || len(w.mutable(t)) == 0 {
		return
	}
	for _, o := range w.writes {
		if o != s && (w.group[o] == nil || w.group[o] != w.group[s]) || o.entity() != from.kind.Entity {
			continue
		}
		for _, g := range o.guards {
			if u, ok := g.cond.(*spec.Test); ok && (g.again || g.code == RefusedVersion) {
				if tg, err := resolvePath(o.entity(), u.Path); err == nil && (same(tg, t) || tg.attribute().Generated == "version") {
					return
				}
			}
		}
	}
	w.errorf(s.Path, CodeStale, "if: "+t.id+" = "+v.Reference.String(), "%s uses %s as step %s found it, and it can have changed since: nothing checks it again", w.p.Name, t.id, from.stage.Name)
}

// codes checks that the plan refuses with the pattern's codes.
func (w *writeCheck) codes() {
	have := map[string]*Stage{}
	for _, s := range w.writes {
		for _, g := range s.guards {
			if !g.again {
				have[g.code] = s
			}
		}
		if s.demandsPresent() || s.Embed != nil {
			have[RefusedMissing] = s
		}
	}
	for _, s := range w.p.Stages {
		if len(s.singles) > 0 && s.Verb.Writes() && w.p.codes[RefusedMissing] {
			have[RefusedMissing] = s
		}
	}
	for _, code := range sortedKeys(have) {
		if !w.p.codes[code] && !(code == RefusedMissing && have[code].Verb == Delete) {
			w.errorf(have[code].Path, CodeRefusal, "use a code of the pattern: "+strings.Join(sortedKeys(w.p.codes), ", "), "%s is never refused as %s, and its plan can refuse so", w.p.Name, code)
		}
	}
	for _, code := range sortedKeys(w.p.codes) {
		if have[code] == nil && !w.p.maybe[code] {
			w.errorf(w.path, CodeRefusal, "add the condition", "%s can be refused as %s, and nothing in its plan does so", w.p.Name, code)
		}
	}
}

// checkParameters checks that a plan uses every parameter of its pattern.
func (c *compiler) checkParameters(p *Procedure) {
	used := map[string]bool{}
	for _, s := range p.Stages {
		for _, n := range s.Document.mentions() {
			used[n] = true
		}
		s.implied(used)
	}
	for t := range spec.Tests(p.keep) {
		for _, a := range t.Args {
			for x := range a.Terms() {
				if len(x.Reference) > 0 {
					used[x.Reference[0]] = true
				}
			}
		}
	}
	for _, q := range p.Pattern.Parameters {
		if !used[q.Name] && q.Name != p.Pattern.Idempotency {
			c.errorf([]string{"plans", p.Name}, CodeParameter, fmt.Sprintf("bind it: $%s", q.Name), "the plan of %s does not use the parameter %s", p.Name, q.Name)
		}
	}
}

// implied notes the parameters that puts take without naming them.
func (s *Stage) implied(used map[string]bool) {
	if s.value != nil && s.value.param != nil {
		used[s.value.param.Name] = true
	}
	for _, a := range s.Actions {
		a.implied(used)
	}
}
