package plan

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// A write may create what another of its actions requires: a workspace, and the membership of whoever opens it. What is read
// before the write does not find the workspace; it is there all the same, as the write puts it.

// beside adds to what a step before a write has found what the write itself puts under the keys that were read, where an action
// before the one that requires it creates that.
func (c *Call) beside(s, n *Stage) error {
	if n.Verb != Get && n.Verb != BatchGet || !c.proc.Pattern.Atomic {
		return nil
	}
	st, made := c.states[n], map[string]*Request{}
	for _, a := range s.Actions {
		if a.Verb != Put || a.Embed != nil || a.Kind != n.Kind || !a.madeFor(n) {
			continue
		}
		requests, err := c.each(a)
		if err != nil {
			return err
		}
		for _, r := range requests {
			made[r.item()] = r
		}
	}
	if len(made) == 0 {
		return nil
	}
	for i, p := range st.parts {
		keys := p.req.Keys
		if n.Verb == Get {
			keys = []attr.Item{p.req.Key}
		}
		seen := map[string]bool{}
		for _, f := range p.items {
			seen[(&Request{Verb: Put, Table: p.req.Table, Kind: f.kind, Item: f.wire}).item()] = true
		}
		for _, key := range keys {
			r := made[(&Request{Verb: Get, Table: p.req.Table, Key: key}).item()]
			if r == nil || seen[r.item()] {
				continue
			}
			f := &found{kind: n.Kind, wire: r.Item, entity: n.Kind.Read(r.Item), part: i}
			if st.found = append(st.found, f); c.values.Get(n.Name).IsZero() {
				c.values.Set(n.Name, attr.Map(f.entity))
			}
		}
	}
	return nil
}

// madeFor reports whether a put is that of an action which creates what an action after it requires, and a step reads for that.
func (s *Stage) madeFor(n *Stage) bool {
	p := s.Procedure.Pattern
	made := slices.IndexFunc(p.Actions, func(b *spec.Action) bool {
		return b.Verb == spec.Create && b.Entity == s.Kind.Entity && says(b, s.root())
	})
	if made < 0 {
		return false
	}
	asks := map[string]bool{n.root(): true}
	for _, k := range n.key {
		for t := range k.value.Terms() {
			if len(t.Reference) > 0 && t.Reference[0] != "each" {
				asks[t.Reference[0]] = true
			}
		}
	}
	return slices.ContainsFunc(p.Actions[made+1:], func(a *spec.Action) bool {
		if !slices.ContainsFunc(a.Requires, func(way *spec.Relationship) bool { return way.To == s.Kind.Entity }) {
			return false
		}
		for name := range asks {
			if name != "" && says(a, name) {
				return true
			}
		}
		return false
	})
}

// JoinsPut reports whether what an action requires is created by one before it, and this stage asks for it or counts at it: where a call
// leads to what it creates, as it does by all that is known, this is part of the put. A transaction takes each item once.
func (s *Stage) JoinsPut() bool {
	if s.Verb != Check && !(s.Verb == Update && s.LeadsOn()) && !(s.Verb == Put && s.Embed != nil) {
		return false
	}
	i := slices.IndexFunc(s.Procedure.Stages, func(t *Stage) bool { return slices.Contains(t.Actions, s) })
	return i >= 0 && slices.ContainsFunc(s.Procedure.Stages[i].Actions, func(a *Stage) bool {
		return a.Verb == Put && a.Embed == nil && a.Kind == s.Kind && a.demandsAbsent() && a.madeFor(s)
	})
}

// root is the name of the parameter that a stage takes its value or its elements from; "" if there is none.
func (s *Stage) root() string {
	for _, r := range []*referent{s.each, s.value} {
		if r != nil && r.param != nil {
			return r.param.Name
		}
	}
	return ""
}

// says reports whether an action takes something from a parameter.
func says(a *spec.Action, name string) bool {
	of := func(r spec.Reference) bool { return len(r) > 0 && r[0] == name }
	if of(a.Value) || of(a.Each) {
		return true
	}
	for _, list := range [][]spec.Assign{a.Key, a.Set} {
		for _, x := range list {
			for t := range x.Value.Terms() {
				if of(t.Reference) {
					return true
				}
			}
		}
	}
	return false
}
