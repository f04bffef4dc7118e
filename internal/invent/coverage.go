package invent

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// Constructs are the constructs of the language that requirements use, as counted by [Count].
type Constructs map[string]int

// Count counts what of the language resolved requirements use. The names of all that there is are in [Language].
func Count(r *spec.Requirements) Constructs {
	c := Constructs{}
	c.application(r)
	for _, e := range r.Entities {
		c.entity(r, e)
	}
	for _, p := range r.Patterns {
		c.pattern(p)
	}
	return c
}

func (c Constructs) see(name string, is bool) {
	if is {
		c[name]++
	}
}

func (c Constructs) application(r *spec.Requirements) {
	a := r.Application
	c.see("application: texts", a.Domain != "" && a.Context != "")
	c.see("application: recovery", a.RecoveryPoint > 0)
	c.see("application: compliance", a.Compliance != nil)
	c.see("application: regions", a.Regions != nil)
	c.see("application: streams", a.Streams != nil)
	c.see("workflows", r.Workflows != nil)
	c.see("accept", r.Accept != nil)
}

func (c Constructs) entity(r *spec.Requirements, e *spec.Entity) {
	c.see("identity: of several", len(e.Identity) > 1)
	references := 0
	for _, a := range e.Identity {
		if a.Reference != nil {
			references++
		}
		c.see("identity: "+a.Type.String(), true)
		c.see("identity: generated", a.Generated != "")
		c.see("identity: given", a.Given() && a.Reference == nil)
		c.see("identity: sequence", a.Sequence != nil)
		c.see("identity: enum", a.Enum != nil)
	}
	c.see("identity: two references", references > 1)
	c.see("retention", e.Retention > 0)
	c.see("expires", e.Expires != nil)
	c.see("unique", len(e.Unique) > 0)
	c.see("unique: of several", slices.ContainsFunc(e.Unique, func(u spec.Unique) bool { return len(u.Of) > 1 }))
	c.see("unique: for a while", slices.ContainsFunc(e.Unique, func(u spec.Unique) bool { return !u.Always() }))
	c.see("group", e.Group != "")
	c.see("parent", e.Parent != nil)
	c.see("parent: of a parent", e.Parent != nil && e.Parent.To.Parent != nil)
	for _, w := range e.There {
		c.see("references", !w.Identifying)
		c.see("references: itself", w.To == e)
		c.see("references: what is declared later", slices.Index(r.Entities, w.To) > slices.Index(r.Entities, e))
		c.see("references: by several", len(w.By) > 1)
		c.see("references: optional", slices.ContainsFunc(w.By, func(a *spec.Attribute) bool { return a.Optional }))
		c.see("references: no way back", w.Inverse == "")
		c.see("references: named with as", !slices.Contains([]string{w.By[len(w.By)-1].Name, w.Name + "Id"}, w.By[len(w.By)-1].Name) || w.Name+"Id" != w.By[len(w.By)-1].Name && w.Name != w.By[len(w.By)-1].Name)
		c.see("per-parent: not stated", !w.PerParent.Stated)
		c.see("per-parent: exactly", w.PerParent.Stated && w.PerParent.Average == w.PerParent.Max)
		c.see("per-parent: at most one", w.Single())
		c.see("per-parent: thousands", w.PerParent.Max > 1000)
		c.see("per-parent: zipf", w.PerParent.Skew.Zipf > 0)
		c.see("per-parent: hottest", w.PerParent.Skew.Hottest > 0)
	}
	for _, a := range e.Attributes {
		c.attribute(a)
	}
}

func (c Constructs) attribute(a *spec.Attribute) {
	if d := a.Derived; d != nil {
		f := d.Func
		if f == "" {
			f = "path"
		}
		c.see("derived: "+f, true)
		c.see("derived: within", d.Within > 0)
		return
	}
	if a.Rest {
		c.see("bytes: more than those of attributes", true)
		return
	}
	switch {
	case a.States != nil:
		c.see("states", true)
		from := a.States.Names[0]
		again := false
		for _, s := range a.States.Names {
			again = again || slices.Contains(a.States.Next[s], from)
		}
		c.see("states: back to the first", again)
		ends := 0
		for _, s := range a.States.Names {
			if len(a.States.Next[s]) == 0 {
				ends++
			}
		}
		c.see("states: several ends", ends > 1)
	case a.Enum != nil:
		c.see("enum", true)
		c.see("ordered: as stated", a.Sorts == spec.AsStated)
		c.see("ordered: as text", a.Sorts == spec.AsText)
	default:
		c.see("type: "+a.Type.String(), true)
	}
	if len(a.Shares) > 1 {
		c.see("share: of true and false", a.Type == spec.Bool && a.Shares[0].Of != a.Shares[1].Of)
		c.see("share: of values", slices.ContainsFunc(a.Shares, func(s spec.Share) bool { return s.Of != a.Shares[0].Of }))
	}
	c.see("optional", a.Optional)
	c.see("optional: seldom there", a.Optional && a.Present < 0.1)
	if a.Generated != "" {
		c.see("generated: "+a.Generated, true)
	}
	c.see("sequence", a.Sequence != nil)
	c.see("digits: more than 20", a.Digits > 20)
	c.see("scale", a.Scale > 0)
	c.see("min", a.Min != nil)
	c.see("min: negative", a.Min != nil && a.Min.Sign() < 0)
	c.see("max", a.Max != nil)
	c.see("map: what is inside", len(a.Fields) > 0)
	c.see("map: inside another", slices.ContainsFunc(a.Fields, func(f *spec.Attribute) bool { return f.Type == spec.MapType }))
	c.see("map: of a named type", len(a.Fields) > 0 && a.Fields[0].Entity == nil || a.Type == spec.MapType && a.Entity == nil)
	c.see("map: not declared", a.Type == spec.MapType && len(a.Fields) == 0)
	if a.Of != nil {
		c.see(a.Type.String()+": of "+a.Of.Type.String(), true)
	}
	c.see("sensitive", a.Sensitive != "")
}

func (c Constructs) pattern(p *spec.Pattern) {
	c.see("rate: less than one a day", p.Rate.Average < 1.0/86400)
	c.see("rate: more than 1000 a second", p.Rate.Peak > 1000)
	c.see("skew: zipf", p.Skew.Zipf > 0)
	c.see("skew: hottest", p.Skew.Hottest > 0 && p.Skew.Keys == 0)
	c.see("skew: several hottest", p.Skew.Keys > 1)
	c.see("skew: by size", p.Skew.BySize)
	c.see("skew: at peak", p.AtPeak != nil)
	c.see("skew: of another attribute", p.SkewOf != nil)
	c.see("latency", p.Latency > 0)
	c.see("consistency: "+p.Consistency, p.Consistency != "eventual" || p.Writes())
	for _, q := range p.Parameters {
		c.see("parameters: optional", q.Optional)
		c.see("parameters: with a range", q.Like != nil && (q.Min != q.Like.Min || q.Max != q.Like.Max))
		c.see("parameters: a list of values", q.List && q.Entity == nil && q.Like != nil && q.Like.Type != spec.MapType)
		c.see("parameters: a list of maps", q.List && q.Entity == nil && q.Like != nil && q.Like.Type == spec.MapType)
		c.see("parameters: a list of entities", q.List && q.Entity != nil)
	}
	if p.Writes() {
		c.write(p)
	} else {
		c.read(p)
	}
}

func (c Constructs) read(p *spec.Pattern) {
	e := p.Read
	named := map[string]bool{}
	for _, g := range p.Given {
		segments, err := e.Resolve(g)
		if err != nil {
			continue
		}
		named[g.String()] = true
		back := slices.ContainsFunc(segments, func(s spec.Segment) bool { return s.Back })
		c.see("given: through a way back", back)
		c.see("given: through a way there", !back && segments[0].Way != nil)
		c.see("given: inside a map", segments[0].Attribute != nil && len(segments) > 1)
		if a := segments[len(segments)-1].Attribute; a != nil && len(segments) == 1 {
			kind := a.Type.String()
			if a.Values() != nil {
				kind = "enum or state"
			}
			c.see("given: "+kind, true)
			c.see("given: foreign key", a.Reference != nil)
			c.see("given: derived", a.Derived != nil)
		}
	}
	c.see("given: several", len(p.Given) > 1)
	c.see("given: nothing", len(p.Given) == 0)
	whole := func(as []*spec.Attribute) bool {
		return !slices.ContainsFunc(as, func(a *spec.Attribute) bool { return !named[a.Name] })
	}
	c.see("given: identity", whole(e.Identity))
	c.see("given: what is unique", slices.ContainsFunc(e.Unique, func(u spec.Unique) bool { return whole(u.Of) }))
	c.condition("where", e, p.Where)
	for _, w := range p.With {
		s, err := e.Resolve(w)
		c.see("with: ways back", err == nil && s[len(s)-1].Back)
		c.see("with: ways there", err == nil && !s[len(s)-1].Back)
		c.see("with: two ways", len(w) > 1)
	}
	c.see("returns", len(p.Returns) > 0)
	c.see("returns: all and more", len(p.Returns) > 0 && p.All)
	c.see("returns: through a way", slices.ContainsFunc(p.Returns, func(w spec.Path) bool { return len(w) > 1 && e.WayOn(w) != nil }))
	for _, a := range p.Aggregates {
		c.see("aggregate: "+a.Func, true)
	}
	for i, o := range p.Order {
		c.see("order: descending", o.Descending)
		c.see("order: missing first", o.First)
		c.see("order: mixed", i > 0 && o.Descending != p.Order[0].Descending)
		c.see("order: through a way", e.WayOn(o.Path) != nil)
		if s, err := e.Resolve(o.Path); err == nil {
			a := s[len(s)-1].Attribute
			c.see("order: optional", a.Optional)
			c.see("order: values of a list", a.Values() != nil)
		}
	}
	c.see("order: of several", len(p.Order) > 1)
	c.see("page", p.Page > 0)
	c.see("top", p.Top > 0)
	c.see("whole", p.Whole)
	c.see("staleness", p.Staleness > 0)
	c.see("results: thousands", p.Results.Max > 1000)
	c.see("results: less than one", p.Results.Average < 1)
}

func (c Constructs) condition(where string, e *spec.Entity, condition spec.Condition) {
	if condition == nil {
		return
	}
	var walk func(k spec.Condition)
	walk = func(k spec.Condition) {
		if l, ok := k.(*spec.Logic); ok {
			c.see(where+": "+l.Op, true)
			for _, a := range l.Args {
				walk(a)
			}
		}
	}
	walk(condition)
	for t := range spec.Tests(condition) {
		c.see(where+": "+t.Op, true)
		if len(t.Path) == 0 {
			continue
		}
		if s, err := e.Resolve(t.Path); err == nil {
			c.see(where+": through a way", s[0].Way != nil)
			c.see(where+": inside a map", s[0].Way == nil && len(s) > 1)
			if a := s[len(s)-1].Attribute; a != nil {
				c.see(where+": of a "+a.Type.String(), true)
			}
		}
		for _, a := range t.Args {
			c.see(where+": arithmetic", a.Op != "")
			for term := range a.Terms() {
				c.see(where+": now", term.Now)
				c.see(where+": beside a path", len(term.Path) > 0)
				c.see(where+": literal", !term.Literal.IsZero() && !term.Duration)
				c.see(where+": negative", term.Neg)
			}
		}
	}
}

func (c Constructs) write(p *spec.Pattern) {
	c.see("actions: several", len(p.Actions) > 1)
	c.see("atomic: false", !p.Atomic)
	c.see("idempotency", p.Idempotency != "")
	c.see("bulk", p.Bulk > 0)
	for _, a := range p.Actions {
		c.see(string(a.Verb), true)
		c.see("upsert: of what is set", a.Makes)
		c.see(string(a.Verb)+": with", len(a.With) > 0)
		c.see(string(a.Verb)+": each", len(a.Each) > 0)
		c.see("each: children of a value", len(a.Each) == 2)
		c.see(string(a.Verb)+": requires", len(a.Requires) > 0)
		c.see("value: by another name", len(a.Value) == 1 && a.Value[0] != "each" && a.Value[0] != lower(a.Entity.Name))
		c.see("refusal", a.Refusal != "" && a.Refusal != "condition")
		c.see(string(a.Verb)+": condition", a.Condition != nil)
		c.condition("condition", a.Entity, a.Condition)
		for _, k := range a.Key {
			c.see("key: of a value", len(k.Value.Reference) > 1)
			c.see("key: by another name", len(k.Value.Reference) == 1 && k.Value.Reference[0] != k.Path[0])
		}
		c.see("remove", len(a.Remove) > 0)
		for _, s := range a.Set {
			c.assign(a, s)
		}
	}
}

func (c Constructs) assign(a *spec.Action, s spec.Assign) {
	segments, err := a.Entity.Resolve(s.Path)
	if err != nil {
		return
	}
	target := segments[len(segments)-1].Attribute
	c.see("set: inside a map", len(segments) > 1)
	c.see("set: a state", target.States != nil)
	c.see("set: a foreign key", target.Reference != nil)
	c.see("set: what is unique", slices.ContainsFunc(a.Entity.Unique, func(u spec.Unique) bool { return slices.Contains(u.Of, target) }))
	c.see("set: what says whether it is unique", slices.ContainsFunc(a.Entity.Unique, func(u spec.Unique) bool { return u.Tests(target) }))
	c.see("set: what is optional", target.Optional)
	v := s.Value
	switch {
	case v.Op != "":
		op := v.Op
		c.see("set: "+op, true)
		c.see("set: counts itself", (op == "+" || op == "-") && slices.Equal(v.Args[0].Path, s.Path) && target.Type == spec.Number)
	case v.Now:
		c.see("set: now", true)
	case len(v.Path) > 0:
		c.see("set: another attribute", true)
	case len(v.Reference) > 1:
		c.see("set: of a value", true)
	case len(v.Reference) == 1:
		c.see("set: a parameter", true)
	case v.Literal.Kind() == attr.KindS:
		c.see("set: a text or value", true)
	case v.Literal.Kind() == attr.KindN:
		c.see("set: a number", true)
	case v.Literal.Kind() == attr.KindBOOL:
		c.see("set: true or false", true)
	}
}
