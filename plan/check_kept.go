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
func (w *writeCheck) followed(k *Kind) bool { return k.Kept.differs() }

// markers checks that something keeps every unique set of an entity unique.
func (w *writeCheck) markers(e *spec.Entity) {
	for _, u := range e.Unique {
		if slices.Equal(u.Of, e.Identity) || slices.ContainsFunc(w.dependent(e), func(k *Kind) bool { return k.keeps(u) }) {
			continue
		}
		holds := "{unique: " + e.Name + "." + strings.ReplaceAll(attributeList(u.Of), ", ", "+")
		if u.While != nil {
			holds += ", while: \"" + u.While.String() + "\""
		}
		w.errorf([]string{"tables"}, CodeUnique, "add an item that holds "+holds+"}", "nothing keeps %s of %s unique", attributeList(u.Of), e.Name)
	}
}

// overwrites checks that the put of a whole value does not wipe out what its item holds besides: numbers that are
// counted there, and children inside that do not come with the value.
func (w *writeCheck) overwrites(a *spec.Action, v *written, puts []*Stage) {
	for _, put := range puts {
		if put.Embed == nil {
			w.overwritten(a, v, put)
		}
	}
}

func (w *writeCheck) overwritten(a *spec.Action, v *written, put *Stage) {
	for _, s := range put.Kind.Stored {
		if d := s.Attribute.Derived; !s.Copy && d != nil && d.Func != "" && !has(put.with, own(s.Attribute)) {
			w.errorf(put.Path, CodeKept, "update the item, or keep the number in an item of its own: {aggregate: "+v.entity.Name+"."+s.Name+"}",
				"%s %ss a %s whole, and the put begins its %s anew", w.p.Name, a.Verb, v.entity.Name, s.Name)
		}
	}
	for _, m := range put.Kind.Embeds {
		if v.parent != nil || !slices.Contains(a.With, m.Way.Inverse) {
			w.errorf(put.Path, CodeEmbed, "update the item, or give the children items of their own",
				"%s %ss a %s whole, and the put drops the %s inside it", w.p.Name, a.Verb, v.entity.Name, m.Way.Inverse)
		}
	}
}

// leftBehind checks that what is built from an entity goes with it.
func (w *writeCheck) leftBehind(e *spec.Entity) {
	for _, k := range w.allKinds() {
		if k.Entity != e || w.followed(k) {
			continue
		}
		code, what := CodeKept, "copy"
		switch k.Role {
		case CopyItem:
		case UniqueItem:
			code, what = CodeUnique, "marker"
		case AggregateItem:
			what = k.Attribute.Name + " in"
		default:
			continue
		}
		if w.find(func(s *Stage) bool { return s.Verb == Delete && s.Kind == k }) != nil {
			continue
		}
		if k.Role == UniqueItem && !slices.ContainsFunc(w.p.Pattern.Actions, func(a *spec.Action) bool {
			if a.Entity != e {
				return a.Verb == spec.Delete // it may go as a child of that
			}
			before, _ := a.Decides(k.While)
			return before != spec.Never
		}) {
			continue // what it deletes has none
		}
		report, remedy := w.errorf, "delete it in the same transaction"
		if k.Shards > 0 && k.ShardBy == nil { // no write can name all shards
			report, remedy = w.warnf, "nothing, if that identity never comes back; else delete all shards by a stream consumer"
		}
		report(w.path, code, remedy, "%s deletes a %s, and its %s %s stays", w.p.Name, e.Name, what, k.Name)
	}
}

// keepCopies checks that the items that hold an entity once more, and its markers, follow what is changed of it.
func (w *writeCheck) keepCopies(e *spec.Entity, targets []target) {
	for _, k := range w.dependent(e) {
		if w.followed(k) {
			continue
		}
		touched := ""
		var shown []target
		for _, t := range targets {
			if st := k.storing(t); st != nil && !st.Copy && k.Role == UniqueItem {
				shown = append(shown, t)
			}
			if k.storing(t) != nil && k.Role == CopyItem || slices.ContainsFunc(k.Recipes, func(r *Recipe) bool { return r.dependsOn([]target{t}) }) ||
				k.Role == UniqueItem && slices.ContainsFunc(append(k.while, targetsOf(k.Unique)...), func(u target) bool { return touches(u, t) }) {
				touched = t.id
			}
		}
		if k.Role == UniqueItem {
			if touched != "" {
				w.follows(k, touched)
			}
			w.shows(k, shown)
			continue
		}
		if touched == "" {
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
}

// shows checks that a marker stores what a pattern changes of what it stores: it is updated as well, or put anew with that, or gone.
func (w *writeCheck) shows(k *Kind, shown []target) {
	if !slices.ContainsFunc(w.p.Pattern.Actions, func(a *spec.Action) bool {
		before, after := a.Decides(k.While)
		return a.Entity == k.Entity && (before != spec.Never || after != spec.Never)
	}) {
		return // what it changes has no marker
	}
	for _, t := range shown {
		put := w.find(func(s *Stage) bool { return s.Verb == Put && s.Kind == k })
		del := w.find(func(s *Stage) bool { return s.Verb == Delete && s.Kind == k })
		updated := w.find(func(s *Stage) bool {
			return s.Verb == Update && s.Kind == k && slices.ContainsFunc(s.changed(), func(u target) bool { return u.id == t.id })
		})
		switch {
		case updated != nil, put == nil && del != nil:
		case put != nil && (put.value == nil || put.value.stage == nil || has(put.with, t)):
		default:
			w.errorf(w.path, CodeKept, "leave it out of `stores`, or update "+k.Name+" in the same transaction", "%s changes %s of %s, and the marker %s, which stores it, does not follow", w.p.Name, t.id, k.Entity.Name, k.Name)
		}
	}
}

// follows checks that a marker follows what a pattern changes of what it rests on.
func (w *writeCheck) follows(k *Kind, touched string) {
	put := w.find(func(s *Stage) bool { return s.Verb == Put && s.Kind == k })
	del := w.find(func(s *Stage) bool { return s.Verb == Delete && s.Kind == k })
	if del != nil && put == nil && w.takesAway(k.Unique) {
		return // what has no value needs no marker
	}
	gives, gets := false, false
	for _, a := range w.p.Pattern.Actions {
		if a.Entity == k.Entity && a.Verb == spec.Update {
			loses, claims := a.Turns(k.unique())
			gives, gets = gives || loses, gets || claims
		}
	}
	switch {
	case gives && gets && (put == nil || del == nil), gets && put != nil && !put.demandsAbsent() && !k.Lists():
		w.errorf(w.path, CodeUnique, "delete the old marker and put the new one, if: absent, in one transaction", "%s changes %s, and the marker %s does not follow", w.p.Name, touched, k.Name)
	case gets && put == nil:
		w.errorf(w.path, CodeUnique, "add {put: "+k.Name+", value: $step, if: absent} to a transaction, of a step that reads the "+k.Entity.Name+" first", "%s changes %s, and nothing puts the marker %s, which is to be there from then on", w.p.Name, touched, k.Name)
	case gets && put.value != nil && put.value.stage != nil:
		for _, a := range w.p.Pattern.Actions {
			for _, r := range a.Remove {
				if x := a.Entity.Attribute(r[0]); a.Entity == k.Entity && a.Verb == spec.Update && len(r) == 1 && x != nil && k.unique().Tests(x) {
					w.errorf(put.Path, CodeUnique, "let a state say what is unique", "%s removes %s, and the marker %s is put of what was there before", w.p.Name, x.Name, k.Name)
				}
			}
			for _, s := range a.Set {
				if x := a.Entity.Attribute(s.Path[0]); a.Entity == k.Entity && a.Verb == spec.Update && len(s.Path) == 1 && x != nil && k.unique().Rests(x) && !has(put.with, own(x)) {
					w.errorf(put.Path, CodeUnique, "with: {"+x.Name+": \""+s.Value.String()+"\"}", "%s changes %s, and the marker %s is put of what was there before", w.p.Name, x.Name, k.Name)
				}
			}
		}
	case gives && del == nil:
		w.errorf(w.path, CodeUnique, "delete the marker in the same transaction", "%s changes %s, and the marker %s stays", w.p.Name, touched, k.Name)
	}
}

// claims checks that no marker is deleted that another instance has: of what is unique for a while, an instance may have none. It is
// deleted for each that a step has found, or by a pattern that demands that there is one.
func (w *writeCheck) claims() {
	for _, s := range w.writes {
		if s.Verb != Delete || s.Kind.Role != UniqueItem || s.Kind.While == nil || s.Kind.Lists() {
			continue
		}
		if o := s.eachFound(); o != nil {
			if !slices.ContainsFunc(w.writes, func(x *Stage) bool { return x.still == o && w.group[x] != nil && w.group[x] == w.group[s] }) {
				w.errorf(s.Path, CodeStale, "still: $"+o.Name+" at what is done to the "+s.Kind.Entity.Name+" in the same transaction",
					"%s deletes the marker %s of what step %s found, and nothing checks again whether it has one", w.p.Name, s.Kind.Name, o.Name)
			}
			continue
		}
		if !slices.ContainsFunc(w.p.Pattern.Actions, func(a *spec.Action) bool {
			before, _ := a.Decides(s.Kind.While)
			return a.Entity == s.Kind.Entity && before == spec.Always
		}) {
			w.errorf(s.Path, CodeUnique, "get the "+s.Kind.Entity.Name+" first, and delete {each: $step, key: …}", "%s deletes the marker %s also where the %s has none: it may be another's", w.p.Name, s.Kind.Name, s.Kind.Entity.Name)
		}
	}
}

// eachFound is the step whose findings a write is done for, each; nil if it is done for others, or once.
func (s *Stage) eachFound() *Stage {
	if s.each == nil || s.each.stage == nil || s.each.from != s.Kind.Entity || len(s.each.segs) > 0 {
		return nil
	}
	return s.each.stage
}

func targetsOf(as []*spec.Attribute) (out []target) {
	for _, a := range as {
		out = append(out, own(a))
	}
	return out
}

// takesAway reports whether the pattern removes one of the attributes that are unique together.
func (w *writeCheck) takesAway(unique []*spec.Attribute) bool {
	return slices.ContainsFunc(w.p.Pattern.Actions, func(a *spec.Action) bool {
		return slices.ContainsFunc(a.Remove, func(p spec.Path) bool {
			return len(p) == 1 && slices.ContainsFunc(unique, func(u *spec.Attribute) bool { return u.Entity == a.Entity && u.Name == p[0] })
		})
	})
}

// keepStored checks that copies inside items of other entities follow what is changed of this one, if they name the
// pattern as one that keeps them. Those that name no pattern are checked with their items.
func (w *writeCheck) keepStored(e *spec.Entity, targets []target) {
	for _, k := range w.allKinds() {
		for _, st := range k.Stored {
			if !st.Copy || !slices.Contains(st.Kept.By, w.p.Name) ||
				!slices.ContainsFunc(targets, func(x target) bool { return passes(st.target, e, x) }) {
				continue
			}
			if w.find(func(s *Stage) bool {
				return s.Kind == k && (s.Verb == Update && slices.ContainsFunc(s.changed(), func(x target) bool { return same(x, st.target) }) || s.Verb == Put)
			}) == nil {
				w.errorf(w.path, CodeKept, "update "+k.Name+" with set: {"+st.target.id+": …}", "%s keeps the copy %s of %s true, and its plan does not write it", w.p.Name, st.Name, k.Name)
			}
		}
	}
}

// passes reports whether a path through ways changes its value with an entity's attribute: it ends there, or the
// attribute is the foreign key of one of its ways.
func passes(t target, e *spec.Entity, x target) bool {
	o := origin(t)
	for i, s := range o.segs {
		switch {
		case s.Way == nil:
		case !s.Back && s.Way.From == e && slices.ContainsFunc(s.Way.By, func(by *spec.Attribute) bool { return touches(own(by), x) }):
			return true
		case s.Entity() == e && i+1 < len(o.segs) && touches(newTarget(o.path[i+1:], o.segs[i+1:]), x):
			return true
		}
	}
	return false
}

// sequences checks that the numbers of an entity come from where they are counted.
func (w *writeCheck) sequences(e *spec.Entity, puts []*Stage) {
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
		for _, put := range puts {
			if (put.Embed != nil || put.Kind.has(own(a))) && !has(put.with, own(a)) {
				w.errorf(put.Path, CodeElsewhere, "with: {"+a.Name+": $step."+a.Name+"}", "%s puts a %s without its %s", w.p.Name, e.Name, a.Name)
			}
		}
	}
}

// allKinds lists the kinds of all tables.
func (w *writeCheck) allKinds() (out []*Kind) {
	for _, t := range w.prog.Tables {
		out = append(out, t.Kinds...)
	}
	return out
}

// aggregates checks that numbers derived from an entity follow the change of some of its attributes; without targets, its
// creation or deletion. withParent: it is written or deleted together with what encloses it, whose numbers come or go
// with it.
func (w *writeCheck) aggregates(a *spec.Action, e *spec.Entity, targets []target, withParent bool) {
	for _, parent := range w.r.Entities {
		for _, d := range parent.Attributes {
			if d.Derived == nil || d.Derived.Func == "" || !derivesFrom(parent, d, e, targets) {
				continue
			}
			for _, k := range w.allKinds() {
				if k.Entity != parent || k.byPath[d.Name] == nil || w.followed(k) && k.Role != EntityItem || slices.Contains(k.Followed(), d) {
					continue
				}
				if withParent && (parent == a.Entity || slices.ContainsFunc(values(a), func(v *written) bool { return v.entity == parent })) {
					continue // counted when the parent's value is completed, or gone with the parent
				}
				n := 0
				w.find(func(s *Stage) bool {
					counts := s.Verb == Update && s.Kind == k && slices.ContainsFunc(s.changed(), func(t target) bool { return t.id == d.Name })
					if counts {
						n++
					}
					return counts
				})
				switch {
				case n == 0:
					w.errorf(w.path, CodeKept, "update "+k.Name+" with add: {"+d.Name+": …} in the same transaction", "%s %ss a %s, and %s of %s, derived from it, does not follow", w.p.Name, a.Verb, e.Name, d.Name, k.Name)
				case n == 1 && moves(parent, d, e, targets):
					w.errorf(w.path, CodeKept, "update "+k.Name+" under the old key and under the new one", "%s moves a %s from one %s to another, and %s follows in one of them only", w.p.Name, e.Name, parent.Name, d.Name)
				}
			}
		}
	}
}

// moves reports whether one of the targets is a foreign key along which a number is derived: changing it takes from one
// and gives to another.
func moves(parent *spec.Entity, d *spec.Attribute, e *spec.Entity, targets []target) bool {
	segs, err := parent.Resolve(d.Derived.Path)
	return err == nil && slices.ContainsFunc(segs, func(s spec.Segment) bool {
		return s.Way != nil && s.Back && s.Way.From == e && slices.ContainsFunc(s.Way.By, func(by *spec.Attribute) bool {
			return slices.ContainsFunc(targets, func(t target) bool { return touches(own(by), t) })
		})
	})
}

// derivesFrom reports whether a number derived for a parent depends on what is changed of an entity; nil: on there being
// one more, or one less.
func derivesFrom(parent *spec.Entity, d *spec.Attribute, e *spec.Entity, targets []target) bool {
	segs, err := parent.Resolve(d.Derived.Path)
	if err != nil {
		return false
	}
	for i, s := range segs {
		if s.Way == nil || s.Way.From != e || !s.Back {
			continue
		}
		if targets == nil {
			return true
		}
		if moves(parent, d, e, targets) {
			return true
		}
		for _, t := range targets {
			if i+1 < len(segs) && touches(newTarget(spec.Path(d.Derived.Path[i+1:]), segs[i+1:]), t) {
				return true
			}
		}
	}
	return false
}
