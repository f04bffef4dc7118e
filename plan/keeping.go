package plan

import (
	"maps"
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// Keeping is what the consumer of a stream does after a call of a write: it finds the items of a kind that hold a copy of what the
// call has changed, and writes the copy anew in each. There is one Procedure for each action that changes the value; nil if none
// does, or if no table or index finds the items by their foreign key.
func (f *Fragments) Keeping(k *Kind, st *Stored, p *spec.Pattern) (out []*Procedure) {
	if !st.Copy || !st.Kept.Stream || len(st.target.segs) != 2 || st.target.segs[0].Way == nil || st.target.segs[0].Back {
		return nil
	}
	way, changed := st.target.segs[0].Way, st.target.segs[1].Attribute
	for _, a := range p.Actions {
		if a.Entity != way.To || len(a.Each) > 0 {
			continue
		}
		value, key := told(a, changed.Name), map[string]string{}
		for i, id := range way.To.Identity {
			key[way.By[i].Name] = told(a, id.Name)
		}
		if value == "" || slices.Contains(slices.Collect(maps.Values(key)), "") {
			continue
		}
		keep := Step{Update: k.Name, Each: "$found", Key: map[string]string{}, Set: map[string]string{st.Path.String(): value}, If: []string{"present"}}
		for _, r := range k.Recipes {
			for _, part := range r.Parts {
				if r.Key && part.Path != nil {
					keep.Key[part.Path.String()] = "$each." + part.Path.String()
				}
			}
		}
		find := Step{Items: []string{k.Name}, Where: map[string]Range{}}
		for name, v := range key {
			find.Where[name] = Range{Is: v}
		}
		for _, x := range finders(k, way) {
			find.Query = x.Name()
			if proc, err := f.Plan(Plan{Name: p.Name, Steps: map[string]Step{"found": find, "keep": keep}}, k.Table); err == nil {
				out = append(out, proc)
				break
			}
		}
	}
	return out
}

// Counting is what the consumer of a stream does for one child that comes or goes: it writes a number of its entity anew, in the
// entity's own item. Which entity that is does not show in it. nil if keys of the kind cannot be stated by example.
func (f *Fragments) Counting(k *Kind, number *spec.Attribute, p *spec.Pattern) *Procedure {
	step := Step{Update: k.Name, Key: map[string]string{}, If: []string{"present"}}
	for _, r := range k.Recipes {
		for _, part := range r.Parts {
			if r.Key && part.Attribute != nil {
				step.Key[part.Path.String()] = example(part.Attribute)
			}
		}
	}
	if number.Derived.Func == "count" || number.Derived.Func == "sum" {
		step.Add = map[string]string{number.Name: "1"}
	} else {
		step.Set = map[string]string{number.Name: example(number)}
	}
	proc, err := f.Plan(Plan{Name: p.Name, Steps: map[string]Step{"keep": step}}, k.Table)
	if err != nil {
		return nil
	}
	return proc
}

// example is a value of an attribute as plans write it.
func example(a *spec.Attribute) string {
	switch {
	case len(a.Enum) > 0:
		return "'" + a.Enum[0] + "'"
	case a.States != nil:
		return "'" + a.States.Names[0] + "'"
	case a.Type == spec.Number:
		return "1"
	case a.Type == spec.Timestamp:
		return "now"
	case a.Type == spec.Date:
		return "'2000-01-01'"
	case a.Type == spec.Bool:
		return "true"
	}
	return "'x'"
}

// told is what an action says that an attribute becomes, or of a part of the identity what it is; "" if it does not say.
func told(a *spec.Action, name string) string {
	switch a.Verb {
	case spec.Replace, spec.Upsert:
		if len(a.Value) > 0 {
			return a.Value.String() + "." + name
		}
	case spec.Update:
		for _, list := range [][]spec.Assign{a.Key, a.Set} {
			for _, s := range list {
				if len(s.Path) == 1 && s.Path[0] == name && s.Value.Op == "" && len(s.Value.Reference) > 0 {
					return s.Value.String()
				}
			}
		}
	}
	return ""
}

// finders are the table and the indexes whose partition keys are made of a foreign key alone; the table first, then those that
// hold nothing else in their keys.
func finders(k *Kind, way *spec.Relationship) (out []*Access) {
	for _, x := range append([]*Access{k.Table.Base}, k.Table.Indexes...) {
		if in, sparse := k.In(x); !in || sparse {
			continue
		}
		if !slices.ContainsFunc(x.Partition, func(w Wire) bool {
			r := k.recipe(w.Name)
			return r == nil || len(r.Parts) == 0 || slices.ContainsFunc(r.Parts, func(p *Part) bool { return !slices.Contains(way.By, p.Attribute) || len(p.Path) > 1 })
		}) {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b *Access) int {
		order := func(x *Access) int {
			if x == k.Table.Base {
				return -1
			}
			return len(x.Sort)
		}
		return order(a) - order(b)
	})
	return out
}
