package plan

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// Refusal codes with a meaning of their own.
const (
	RefusedExists    = "exists"
	RefusedMissing   = "missing"
	RefusedUnique    = "unique"
	RefusedState     = "state"
	RefusedVersion   = "version"
	RefusedCondition = "condition"
	RefusedTwice     = "twice" // two actions are about one item, and cannot be one: nothing is sent
)

// refusalsOf lists the codes with which a pattern's actions may refuse. maybe are those of them that a plan need not
// have, because what they guard against cannot happen.
func refusalsOf(p *spec.Pattern) (codes, maybe map[string]bool) {
	codes, maybe = map[string]bool{}, map[string]bool{}
	for _, a := range p.Actions {
		switch a.Verb {
		case spec.Create:
			entities := []*spec.Entity{a.Entity}
			for _, way := range a.With {
				if w := a.Entity.WayBack(way); w != nil {
					entities = append(entities, w.From)
				}
			}
			for i, e := range entities {
				if e.GeneratesIdentity() && !codes[RefusedExists] {
					maybe[RefusedExists] = true
				} else if i == 0 || !e.GeneratesIdentity() {
					delete(maybe, RefusedExists)
				}
				codes[RefusedExists] = true
				if len(e.Unique) > 0 {
					codes[RefusedUnique] = true
				}
			}
		case spec.Replace, spec.Upsert:
			if a.Verb == spec.Replace {
				codes[RefusedMissing] = true
			}
			if len(a.Entity.Unique) > 0 {
				codes[RefusedUnique] = true
			}
		case spec.Update:
			if a.Demands() {
				codes[RefusedMissing] = true
			}
			for _, s := range a.Set {
				at := a.Entity.Attribute(s.Path[0])
				if at == nil {
					continue
				}
				if at.States != nil {
					codes[RefusedState] = true
				}
			}
			for _, u := range a.Entity.Unique {
				if _, gets := a.Turns(u); gets {
					codes[RefusedUnique] = true
				}
			}
			for _, at := range a.Entity.Attributes {
				if p.StatesVersion(at) {
					codes[RefusedVersion] = true
					if slices.ContainsFunc(spec.Conjuncts(a.Condition), func(c spec.Condition) bool { return testsVersion(c, at) }) {
						maybe[RefusedVersion] = true // the pattern may call it otherwise
					}
				}
			}
		case spec.Delete:
			if a.Condition != nil {
				codes[RefusedMissing] = true
				maybe[RefusedMissing] = true
			}
		}
		if slices.ContainsFunc(spec.Conjuncts(a.Condition), func(c spec.Condition) bool { return !isPresent(c) }) {
			code := a.Refusal
			if code == "" {
				code = RefusedCondition
			}
			codes[code] = true
		}
		if len(a.Requires) > 0 {
			codes[RefusedMissing] = true
		}
	}
	return codes, maybe
}

// testsVersion reports whether a condition demands that a version is the one that the caller knows.
func testsVersion(c spec.Condition, at *spec.Attribute) bool {
	t, ok := c.(*spec.Test)
	return ok && t.Op == "=" && t.Path.String() == at.Name && len(t.Args[0].Reference) > 0
}

// versionRefusal is the code with which a pattern refuses that a version is another than the caller knows.
func versionRefusal(p *spec.Pattern, at *spec.Attribute) string {
	for _, a := range p.Actions {
		if slices.ContainsFunc(spec.Conjuncts(a.Condition), func(c spec.Condition) bool { return a.Entity == at.Entity && testsVersion(c, at) }) {
			return a.Refusal
		}
	}
	return RefusedVersion
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
		if s.Verb == Get {
			for _, g := range s.guards {
				have[g.code] = s
			}
		}
		if len(s.singles)+len(s.all) > 0 && s.Verb.Writes() && w.p.codes[RefusedMissing] {
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
