package plan

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// Copies that come while others are written anew. A write that changes a value looks for all copies of it, and then writes them in one
// transaction with it. What another write brings in between it does not find: nothing that either of them tests has changed by then. Only
// a stamp of what the copies are of, which the one makes anew and the other tests, lets the two not both be done.

// copied checks it of a write that brings copies and of one that writes them anew.
func (w *writeCheck) copied() {
	for _, s := range w.writes {
		for _, st := range s.Kind.Stored {
			way := s.Kind.Entity.WayOn(st.Path)
			if !st.Copy || len(st.Kept.By) == 0 || way == nil || s.Kind.Role != EntityItem || s.Embed != nil {
				continue
			}
			if w.p.brings(s, st) {
				w.announces(s, st, way)
			}
			if w.p.rewrites(st, way) && s.Verb == Update && s.each != nil && s.each.stage != nil {
				w.awaits(s, st, way)
			}
		}
	}
}

// brings reports whether a write gives an item a copy of a value that a step before has read.
func (p *Procedure) brings(s *Stage, st *Stored) bool {
	return slices.ContainsFunc(slices.Concat(s.with, s.sets), func(a assign) bool {
		from, _, ok := p.follow(s, a.value)
		return same(a.target, st.target) && ok && !from.stage.Verb.Writes()
	})
}

// rewrites reports whether a pattern changes what a copy is of, all copies at once, and sees what is there when it looks for them.
func (p *Procedure) rewrites(st *Stored, way *spec.Relationship) bool {
	return p.Pattern.Atomic && p.Pattern.Consistency != "eventual" && slices.Contains(st.Kept.By, p.Name) &&
		slices.ContainsFunc(p.Pattern.Actions, func(a *spec.Action) bool {
			return a.Entity == way.To && (a.Verb == spec.Replace || a.Verb == spec.Upsert || a.Verb == spec.Update && a.Changes(st.Attribute.Name))
		})
}

// announces checks that a write that brings a copy makes the stamp of what it is of anew, where others write copies anew.
func (w *writeCheck) announces(s *Stage, st *Stored, way *spec.Relationship) {
	i := slices.IndexFunc(w.prog.Procedures, func(o *Procedure) bool { return o != w.p && o.rewrites(st, way) })
	if i < 0 || slices.ContainsFunc(w.writes, func(x *Stage) bool {
		return x.Kind.Entity == way.To && x.Document.Stamp && w.group[x] != nil && w.group[x] == w.group[s]
	}) {
		return
	}
	w.errorf(s.Path, CodeStale, "give the item of "+way.To.Name+" a `stamp`, and let this transaction update it with `stamp: true` instead of only checking it",
		"%s makes a copy of %s that %s does not find if it comes between its steps, and the copy would stay as it was",
		w.p.Name, st.Path, w.prog.Procedures[i].Name)
}

// awaits checks that a write that writes copies anew tests a stamp that it has read before it looked for them, where others bring some.
func (w *writeCheck) awaits(s *Stage, st *Stored, way *spec.Relationship) {
	i := slices.IndexFunc(w.prog.Procedures, func(o *Procedure) bool {
		return o != w.p && slices.ContainsFunc(o.Stages, func(x *Stage) bool {
			return slices.ContainsFunc(append([]*Stage{x}, x.Actions...), func(x *Stage) bool { return x.Kind == s.Kind && x.Verb.Writes() && o.brings(x, st) })
		})
	})
	if i < 0 || slices.ContainsFunc(w.writes, func(x *Stage) bool {
		return x.Kind.Entity == way.To && x.Kind.Stamp != "" && x.still != nil && w.group[x] != nil && w.group[x] == w.group[s] && s.each.stage.follows(x.still)
	}) {
		return
	}
	w.errorf(s.Path, CodeStale, "give the item of "+way.To.Name+" a `stamp`; get it consistent in a step of its own, let step "+s.each.stage.Name+" come `after` that, and write the "+way.To.Name+" with `still`",
		"%s writes the copies of %s that step %s found, and misses what %s brings in between",
		w.p.Name, st.Path, s.each.stage.Name, w.prog.Procedures[i].Name)
}

// follows reports whether a stage is not begun before another one is done.
func (s *Stage) follows(o *Stage) bool {
	return slices.ContainsFunc(s.Needs, func(n *Stage) bool { return n == o || n.follows(o) })
}
