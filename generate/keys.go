package generate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// keys justifies the key of a table or index: what it is, how many values it has, how much lies under one.
func (in *Input) keys(p *page, a *plan.Access) {
	var rows [][]string
	for _, k := range a.Table.Kinds {
		if ok, _ := k.In(a); !ok {
			continue
		}
		rows = append(rows, []string{kindText(k), template(k, a.Partition), template(k, a.Sort), in.spread(k, a)})
	}
	p.table([]string{"item", "partition key", "sort key", "how it spreads"}, rows)
	if a.Index == "" {
		if why := in.reason(a.Table.Name + ".key"); why != "" {
			p.text("%s", why)
		}
	}
}

// template is how a kind builds some key attributes.
func template(k *plan.Kind, ws []plan.Wire) string {
	var out []string
	for _, w := range ws {
		r := k.Recipe(w.Name)
		if r == nil {
			continue
		}
		text := code(w.Name)
		if !r.Native || len(r.Parts) != 1 || r.Parts[0].Path.String() != w.Name {
			text += " = " + code(r.Text)
		}
		if r.WhenText != "" {
			text += " when " + code(r.WhenText)
		}
		if r.Else != "" {
			text += ", " + code(r.Else) + " if there is none"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// spread says how many partition key values a kind has and how many items lie under one.
func (in *Input) spread(k *plan.Kind, a *plan.Access) string {
	var paths []spec.Path
	for _, w := range a.Partition {
		r := k.Recipe(w.Name)
		if r == nil {
			return ""
		}
		for _, part := range r.Parts {
			if part.Path != nil {
				paths = append(paths, source(k.Entity, part.Path))
			}
		}
	}
	shards := ""
	if k.Shards > 1 && slices.ContainsFunc(a.Partition, func(w plan.Wire) bool {
		return slices.ContainsFunc(k.Recipe(w.Name).Parts, func(x *plan.Part) bool { return x.Path == nil })
	}) {
		shards = fmt.Sprintf(", spread over %d shards", k.Shards)
	}
	if len(paths) == 0 {
		return "one value for all" + shards
	}
	owner, way := ownerOf(k.Entity, paths)
	switch {
	case owner == k.Entity && way == nil:
		return fmt.Sprintf("%s values, one item each", show.Number(owner.Count)) + shards
	case owner == nil:
		return in.spreadOfValues(k, a, paths) + shards
	case way == nil || !way.PerParent.Stated:
		return fmt.Sprintf("%s values, one per %s", show.Number(owner.Count), owner.Name) + shards
	case len(paths[0]) == 1 && way.PerParent.Max > 1:
		return fmt.Sprintf("%s values, one per %s: %s items each, at most %s", show.Number(owner.Count), owner.Name, show.Number(way.PerParent.Average), show.Number(way.PerParent.Max)) + shards
	case len(paths[0]) == 1:
		return fmt.Sprintf("%s values, one per %s: one item each", show.Number(owner.Count), owner.Name) + shards
	}
	return fmt.Sprintf("%s values, one per %s: %s items each", show.Number(owner.Count), owner.Name, show.Number(k.Entity.Count/math.Max(owner.Count, 1))) + shards
}

// source is where the value of a path comes from: what is derived without a function is followed to what it copies.
func source(e *spec.Entity, path spec.Path) spec.Path {
	for len(path) == 1 {
		a := e.Attribute(path[0])
		if a == nil || a.Derived == nil || a.Derived.Func != "" || len(a.Derived.Path) == 0 {
			break
		}
		path = a.Derived.Path
	}
	return path
}

// spreadOfValues says what is known of a partition that belongs to no entity: of enums and states their number and
// shares, else how many items the reads of it find.
func (in *Input) spreadOfValues(k *plan.Kind, a *plan.Access, paths []spec.Path) string {
	for _, u := range k.Entity.Unique {
		if set := u.Of; u.Always() && len(set) == len(paths) && !slices.ContainsFunc(paths, func(p spec.Path) bool { return len(p) != 1 || !slices.Contains(set, k.Entity.Attribute(p[0])) }) {
			return fmt.Sprintf("%s values, one item each", show.Number(k.Entity.Count))
		}
	}
	values, largest := 1, 1.0
	for _, path := range paths {
		at := k.Entity.Attribute(path[len(path)-1])
		if len(path) != 1 || at == nil || len(at.Shares) == 0 {
			values = 0
			break
		}
		values *= len(at.Shares)
		most := 0.0
		for _, s := range at.Shares {
			most = math.Max(most, s.Of)
		}
		largest *= most
	}
	if values > 0 {
		text := show.Count(values, "value", "")
		if _, sparse := k.In(a); !sparse {
			text += fmt.Sprintf(", the most frequent on about %s of the items", show.Percent(largest))
		}
		return text
	}
	for _, x := range in.Requirements.Patterns {
		if x.Writes() || x.Read != k.Entity || len(x.Given) != len(paths) || x.Where != nil || x.Results.Average == 0 {
			continue
		}
		if !slices.ContainsFunc(paths, func(p spec.Path) bool {
			return !slices.ContainsFunc(x.Given, func(g spec.Path) bool { return g.String() == p.String() })
		}) {
			return fmt.Sprintf("%s items each, at most %s, as %s finds them", show.Number(x.Results.Average), show.Number(x.Results.Max), code(x.Name))
		}
	}
	return "the requirements do not say how many values there are"
}

// ownerOf is the entity whose instances are told apart by some paths of another entity, and the way there; nil if the
// paths are no identity.
func ownerOf(e *spec.Entity, paths []spec.Path) (*spec.Entity, *spec.Relationship) {
	var whole []*spec.Attribute
	var last *spec.Relationship
	for _, path := range paths {
		a := origin(e, path)
		if a == nil {
			return nil, nil
		}
		whole = append(whole, a)
		x := e
		for _, name := range path {
			if r := x.WayThere(name); r != nil {
				x, last = r.To, r
			} else if at := x.Attribute(name); at != nil && at.Reference != nil && last == nil {
				last = at.Reference
			}
		}
	}
	holds := func(o *spec.Entity) bool {
		for _, a := range o.Identity {
			if !slices.Contains(whole, a) && !slices.Contains(whole, origin(o, spec.Path{a.Name})) {
				return false
			}
		}
		return len(o.Identity) == len(whole)
	}
	if holds(e) {
		if last != nil && last.To == e {
			return e, last // it points to others of its kind
		}
		return e, nil
	}
	for _, a := range whole {
		if a.Entity != nil && holds(a.Entity) {
			return a.Entity, last
		}
	}
	return nil, nil
}

// taxonomy says what sort keys stand side by side in a table with several kinds.
func (in *Input) taxonomy(p *page, t *plan.Schema) {
	if len(t.Base.Sort) == 0 || len(t.Kinds) < 2 {
		return
	}
	sort := t.Base.Sort[0].Name
	var rows [][]string
	for _, k := range t.Kinds {
		r := k.Recipe(sort)
		example := ""
		if in.Proof != nil {
			for _, s := range typical(in.Proof.Samples[t.Name], wires(t.Base.Sort)) {
				if s.Kind == k.Name {
					example = code(brief(s.Item.Get(sort), keyWidth))
					break
				}
			}
		}
		prefix := "the whole range"
		if lead := r.Literals[0]; lead != "" && len(r.Parts) > 0 {
			prefix = "begins with " + code(lead)
		} else if len(r.Parts) == 0 {
			prefix = "exactly " + code(r.Text)
		}
		rows = append(rows, []string{k.Name, code(r.Text), prefix, example, strings.Join(codes(in.queriesOf(k, t.Base)), ", ")})
	}
	p.text("What the sort key %s of one collection holds, and which queries read it:", code(sort))
	p.table([]string{"kind", code(sort), "range", "example", "queried by"}, rows)
}

// picks reports whether a stage reads single items by their keys.
func picks(s *plan.Stage) bool { return s.Verb == plan.Get || s.Verb == plan.BatchGet }

// queriesOf are the patterns that read items of a kind through a table or index.
func (in *Input) queriesOf(k *plan.Kind, a *plan.Access) []string {
	var out []string
	for _, proc := range in.Program.Procedures {
		stages(proc, func(s *plan.Stage) {
			hit := a.Index == "" && picks(s) && s.Kind == k
			hit = hit || s.Access == a && (s.Verb == plan.Query || s.Verb == plan.Scan) && slices.Contains(s.Kinds, k)
			if hit {
				out = appendNew(out, proc.Name)
			}
		})
	}
	return out
}
