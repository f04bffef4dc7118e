package invent

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/tablewright/tablewright/spec"
)

// Variant makes another application of one that somebody has stated: it takes a part of its entities with some of their
// access patterns, invents further patterns, and changes what some of them ask. What people state differs from what is
// drawn by chance: its entities are richer, and its patterns belong together. The same arguments give the same text, which
// has no errors; nil if there is none in the text to begin with, or too little of it is left.
func Variant(seed uint64, text []byte) []byte {
	root, err := parse(text)
	if err != nil || accepted(text) == nil {
		return nil
	}
	v := newInventor(seed, Small)
	v.mild, v.plain = true, v.chance(40)
	drop(root, "accept")
	drop(root, "workflows")
	if root = v.part(root); root == nil {
		return nil
	}
	for range v.between(0, 3) {
		v.turn(root)
	}
	if root = repair(root); root == nil {
		return nil
	}
	v.adopt(accepted(print(root)), get(root, "patterns"))
	for range v.between(1, 4) {
		if e := pick(v, v.entities); v.chance(65) {
			v.read(e)
		} else {
			v.write(e)
		}
	}
	if root = repair(root); root == nil {
		return nil
	}
	return print(root)
}

// part keeps a few entities that belong together, what creates them and some of the patterns that are about them alone.
func (v *inventor) part(root *yaml.Node) *yaml.Node {
	r := accepted(print(root))
	kept := map[string]bool{pick(v, r.Entities).Name: true}
	for range v.between(1, 4) {
		var near []string
		for _, e := range r.Entities {
			for _, w := range e.There {
				if kept[w.From.Name] != kept[w.To.Name] {
					near = append(near, w.From.Name, w.To.Name)
				}
			}
		}
		if len(near) > 0 {
			kept[pick(v, near)] = true
		}
	}
	for _, e := range r.Entities {
		if !kept[e.Name] {
			withoutEntity(root, e.Name)
		}
	}
	if root = repair(root); root == nil {
		return nil
	}
	var others []string
	for name, p := range entries(get(root, "patterns")) {
		creates := slices.ContainsFunc(actionsOf(p), func(a *yaml.Node) bool { return get(a, "create") != nil || get(a, "upsert") != nil })
		if !creates {
			others = append(others, name)
		}
	}
	few := v.between(1, 5)
	for i, name := range some(v, len(others), others) {
		if i >= few {
			drop(get(root, "patterns"), name)
		}
	}
	return repair(root)
}

// turn changes one thing that the requirements ask, if what comes out is accepted.
func (v *inventor) turn(root *yaml.Node) {
	before := clone(root)
	patterns := get(root, "patterns")
	if len(patterns.Content) == 0 {
		return
	}
	i := v.IntN(len(patterns.Content)/2)*2 + 1
	p := patterns.Content[i]
	if reads(p) {
		pick(v, readTurns)(v, p)
	} else {
		pick(v, writeTurns)(v, p)
	}
	if accepted(print(root)) == nil {
		*root = *before
	}
}

var readTurns = []func(v *inventor, p *yaml.Node){
	func(v *inventor, p *yaml.Node) {
		set(p, "consistency", pick(v, []string{"strong", "eventual"}))
		drop(p, "staleness")
	},
	func(v *inventor, p *yaml.Node) {
		drop(p, "consistency")
		set(p, "staleness", pick(v, []string{"5s", "10min", "1 day"}))
	},
	func(v *inventor, p *yaml.Node) {
		drop(p, "whole")
		drop(p, "top")
		set(p, "page", strconv.Itoa(pick(v, []int{5, 20, 100})))
	},
	func(v *inventor, p *yaml.Node) {
		drop(p, "whole")
		drop(p, "page")
		set(p, "top", strconv.Itoa(pick(v, []int{1, 5, 20})))
	},
	func(_ *inventor, p *yaml.Node) { drop(p, "order") },
	func(_ *inventor, p *yaml.Node) { drop(p, "with") },
	func(_ *inventor, p *yaml.Node) { drop(p, "where") },
	func(v *inventor, p *yaml.Node) { rateTimes(p, pick(v, []float64{0.01, 0.1, 10})) },
	func(v *inventor, p *yaml.Node) {
		if w := get(p, "where"); w != nil {
			if parts := operands(w.Value); parts != nil {
				w.Value = pick(v, parts)
			}
		}
	},
	func(v *inventor, p *yaml.Node) {
		if given := texts(get(p, "given")); len(given) > 0 {
			set(p, "optional", words(last(pick(v, given))))
		}
	},
	func(v *inventor, p *yaml.Node) {
		if o := get(p, "order"); o != nil && o.Kind == yaml.SequenceNode && len(o.Content) > 1 {
			v.Shuffle(len(o.Content), func(i, j int) { o.Content[i], o.Content[j] = o.Content[j], o.Content[i] })
		}
	},
}

var writeTurns = []func(v *inventor, p *yaml.Node){
	func(_ *inventor, p *yaml.Node) { set(p, "atomic", "false") },
	func(v *inventor, p *yaml.Node) { rateTimes(p, pick(v, []float64{0.01, 0.1, 10})) },
	func(v *inventor, p *yaml.Node) {
		if a := pick(v, actionsOf(p)); get(a, "requires") != nil {
			drop(a, "requires")
		}
	},
	func(v *inventor, p *yaml.Node) {
		if a := pick(v, actionsOf(p)); get(a, "condition") != nil {
			drop(a, "condition")
			drop(a, "refusal")
		}
	},
	func(v *inventor, p *yaml.Node) {
		if w := get(p, "write"); w.Kind == yaml.SequenceNode && len(w.Content) > 1 {
			i := v.IntN(len(w.Content))
			w.Content = slices.Delete(w.Content, i, i+1)
		}
	},
}

// adopt has the inventor go on with entities that are stated already.
func (v *inventor) adopt(r *spec.Requirements, patterns *yaml.Node) {
	v.patterns = patterns
	known := map[*spec.Entity]*entity{}
	attributes := map[*spec.Attribute]*attribute{}
	for _, e := range r.Entities {
		v.taken[e.Name] = true
		n := &entity{name: e.Name, taken: map[string]bool{"all": true, "rest": true}, count: e.Count, created: e.Growth}
		for _, a := range e.Attributes {
			if a.Rest {
				continue
			}
			b := v.adopted(a)
			own := func(b *attribute) { b.entity = n }
			own(b)
			for _, f := range b.fields {
				own(f)
			}
			n.attributes, attributes[a] = append(n.attributes, b), b
			if e.Expires == a {
				n.expires = b
			}
			n.taken[a.Name] = true
		}
		of := func(as []*spec.Attribute) (out []*attribute) {
			for _, a := range as {
				out = append(out, attributes[a])
			}
			return out
		}
		n.identity = of(e.Identity)
		if len(n.identity) == 1 {
			n.identity[0].distinct = n.count
		}
		for _, u := range e.Unique {
			w := unique{of: of(u.Of)}
			if u.While != nil {
				w.while = u.While.String()
			}
			if len(w.of) == 1 {
				w.of[0].distinct = n.count
			}
			n.unique = append(n.unique, w)
		}
		known[e] = n
		v.entities = append(v.entities, n)
	}
	for _, e := range r.Entities {
		for _, w := range e.There {
			n := &way{name: w.Name, inverse: w.Inverse, from: known[w.From], to: known[w.To], identifying: w.Identifying, average: w.PerParent.Average, most: w.PerParent.Max,
				silent: !w.PerParent.Stated}
			for _, a := range w.By {
				b := attributes[a]
				n.by, b.way = append(n.by, b), n
			}
			n.declaredBy().declares = true
			n.from.there = append(n.from.there, n)
			n.from.taken[n.name] = true
			if n.inverse != "" {
				n.to.back = append(n.to.back, n)
				n.to.taken[n.inverse] = true
			}
			if n.identifying {
				n.from.parent = n
			}
		}
	}
	for _, p := range r.Patterns {
		v.taken[p.Name] = true
	}
}

var kinds = map[spec.Type]string{spec.String: "string", spec.Number: "number", spec.Bool: "bool", spec.Binary: "binary", spec.Timestamp: "timestamp", spec.Date: "date",
	spec.MapType: "map", spec.ListType: "list", spec.SetType: "set"}

// adopted is an attribute that is stated already.
func (v *inventor) adopted(a *spec.Attribute) *attribute {
	n := &attribute{name: a.Name, kind: kinds[a.Type], values: a.Values(), optional: a.Optional, present: a.Present, generated: a.Generated, digits: a.Digits, scale: a.Scale,
		size: a.Bytes.Average, most: a.Bytes.Max, length: [2]float64{a.Length.Average, a.Length.Max}, distinct: a.Distinct}
	switch {
	case a.States != nil:
		n.kind = "states"
		for _, from := range a.States.Names {
			for _, to := range a.States.Next[from] {
				n.next = append(n.next, [2]string{from, to})
			}
		}
	case len(a.Enum) > 0:
		n.kind = "enum"
	}
	n.sorted = map[spec.Sorting]string{spec.AsStated: "true", spec.AsText: "false"}[a.Sorts]
	if a.Derived != nil {
		n.derived = a.Derived.Func + "(" // it is only looked at whether one is, and which kind
	}
	if a.Sequence != nil {
		n.sequence = n
	}
	if a.Min != nil {
		n.min = new(a.Min.Float64())
	}
	if a.Max != nil {
		n.max = new(a.Max.Float64())
	}
	for _, f := range a.Fields {
		n.fields = append(n.fields, v.adopted(f))
	}
	if a.Of != nil {
		n.of = v.adopted(a.Of)
	}
	if n.distinct == 0 {
		n.distinct = max(2, float64(len(n.values)))
		if len(n.values) == 0 {
			n.distinct = 1000
		}
	}
	return n
}
