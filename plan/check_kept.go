package plan

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

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
