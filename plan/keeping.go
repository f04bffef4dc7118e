package plan

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// Keeping is what the consumer of a stream does after a call of a write: it finds the items of a kind that hold copies of what the
// call has changed, and writes the copies anew in each. There is one Procedure for each way to such items; none if the write changes
// nothing, or if no table or index finds the items by their foreign key. others are tables that the ways of copies pass.
func (f *Fragments) Keeping(k *Kind, p *spec.Pattern, others ...*Schema) (out []*Procedure) {
	for _, a := range p.Actions {
		if len(a.Each) > 0 {
			continue
		}
		seen := map[string]bool{}
		for _, st := range k.Stored {
			for _, ways := range st.changedBy(a) {
				if seen[waysText(ways)] {
					continue
				}
				seen[waysText(ways)] = true
				if proc := f.keeping(k, a, p, ways, others); proc != nil {
					out = append(out, proc)
				}
			}
		}
	}
	return out
}

// changedBy are the first ways of a copy, up to what an action changes of it: the value at the end, or on the way there
// to what the next way leads. What the item itself points to is filled in: see Filling.
func (s *Stored) changedBy(a *spec.Action) (out [][]*spec.Relationship) {
	ways := s.ways()
	for i := range ways {
		last := i == len(ways)-1
		if ways[i].To == a.Entity && (last && rewrites(a, s.Attribute) || !last && turns(a, ways[i+1])) {
			out = append(out, ways[:i+1])
		}
	}
	return out
}

// turns reports whether an action makes what is there already point to something else.
func turns(a *spec.Action, way *spec.Relationship) bool {
	return redirects(a, way) || (a.Verb == spec.Replace || a.Verb == spec.Upsert) && a.Entity == way.From &&
		slices.ContainsFunc(way.By, func(x *spec.Attribute) bool { return !slices.Contains(way.From.Identity, x) })
}

// Turns reports whether some write makes what lies on the way of a copy, behind the first, point to something else.
func (f *Fragments) Turns(s *Stored) bool {
	return slices.ContainsFunc(s.behind(), func(way *spec.Relationship) bool { return f.turned(way) })
}

// turned reports whether some write makes what is there point to something else by a way.
func (f *Fragments) turned(way *spec.Relationship) bool {
	return slices.ContainsFunc(f.r.Patterns, func(p *spec.Pattern) bool {
		return slices.ContainsFunc(p.Actions, func(a *spec.Action) bool { return turns(a, way) })
	})
}

// behind are the ways of a copy that start where another one ends.
func (s *Stored) behind() []*spec.Relationship { return s.ways()[min(1, len(s.ways())):] }

// keeping goes back along some ways, from what an action has changed to the items of a kind, and writes these. Where
// the action has made something on the way point elsewhere, it gets what lies there now. What is behind a way that can
// change it gets once more when all is written: another change may have been followed in between, and what is old must
// not stay.
func (f *Fragments) keeping(k *Kind, a *spec.Action, p *spec.Pattern, ways []*spec.Relationship, others []*Schema) *Procedure {
	steps, at, each, last := map[string]Step{}, map[string]string{}, "", len(ways)-1
	for i := last; i >= 0; i-- {
		of, way := k, ways[i]
		if i > 0 {
			if of = holder(way.From, others); of == nil {
				return nil
			}
		}
		found := finders(of, way)
		if len(found) == 0 {
			return nil
		}
		find := Step{Query: found[0].Name(), Items: []string{of.Name}, Where: map[string]Range{}, Each: each}
		for j, id := range way.To.Identity {
			value := "$each." + id.Name
			if i == last {
				if value = told(a, id.Name); value == "" {
					return nil
				}
			}
			find.Where[way.By[j].Name] = Range{Is: value}
		}
		name := "found" + strconv.Itoa(i)
		steps[name], each = find, "$"+name
		if i > 0 && f.turned(way) {
			steps["again"+strconv.Itoa(i)] = Step{BatchGet: of.Name, Each: each, Key: keyEach(of), Consistent: true}
		}
	}
	keep := Step{Update: k.Name, Each: each, Key: keyEach(k), Set: map[string]string{}, If: []string{"present"}}
	for _, st := range k.Stored {
		all := st.ways()
		switch n := len(ways); {
		case len(all) < n || !slices.Equal(all[:n], ways):
		case len(all) == n:
			keep.copies(a, st.Attribute, st.Path.String())
		case turns(a, all[n]):
			from := lookUp(all[n:], a, k, others, steps, at)
			if from == "" {
				return nil
			}
			keep.Set[st.Path.String()] = from + "." + st.Attribute.Name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(steps)) {
		if get := steps[name]; strings.HasPrefix(name, "led") {
			steps["again"+name] = get
		}
	}
	steps["keep"] = keep
	return f.over(Plan{Name: p.Name, Steps: steps}, k, others)
}

// keyEach is the key of each item that a step has found.
func keyEach(k *Kind) map[string]string {
	key := map[string]string{}
	for _, r := range k.Recipes {
		for _, part := range r.Parts {
			if r.Key && part.Path != nil {
				key[part.Path.String()] = "$each." + part.Path.String()
			}
		}
	}
	return key
}

// Filling is what the consumer of a stream does for an item of a kind that comes without its copies along a way, or that is made to
// point to something else: it gets what the way leads to and what lies behind, and writes the copies. nil if there are none.
func (f *Fragments) Filling(k *Kind, way *spec.Relationship, p *spec.Pattern, others ...*Schema) *Procedure {
	steps := map[string]Step{}
	keep := Step{Update: k.Name, Key: map[string]string{}, Set: map[string]string{}, If: []string{"present"}}
	at := map[string]string{}
	for _, st := range k.Stored {
		ways := st.ways()
		if len(ways) == 0 || ways[0] != way || !fillsIn(f.r, ways) {
			continue
		}
		from := lookUp(ways, nil, k, others, steps, at)
		if from == "" {
			return nil
		}
		keep.Set[st.Path.String()] = from + "." + st.Attribute.Name
	}
	if len(keep.Set) == 0 {
		return nil
	}
	for _, r := range k.Recipes {
		for _, part := range r.Parts {
			if r.Key && part.Attribute != nil {
				keep.Key[part.Path.String()] = example(part.Attribute)
			}
		}
	}
	steps["keep"] = keep
	proc := f.over(Plan{Name: p.Name, Steps: steps}, k, others)
	if proc != nil && !slices.ContainsFunc(p.Actions, func(a *spec.Action) bool { return redirects(a, way) }) {
		for _, s := range proc.Stages {
			s.Fills = s.Verb == Update
		}
	}
	return proc
}

// lookUp adds the gets of what some ways lead to, one after the other, and answers how the steps refer to the last one;
// "" if the tables do not hold one of them. The ways start at an item of a kind, or at what an action makes point
// elsewhere. at are the steps by the ways that they follow.
func lookUp(ways []*spec.Relationship, a *spec.Action, k *Kind, others []*Schema, steps map[string]Step, at map[string]string) (from string) {
	for i := range ways {
		text := waysText(ways[:i+1])
		if at[text] == "" {
			of := holder(ways[i].To, append([]*Schema{k.Table}, others...))
			if of == nil {
				return ""
			}
			get := Step{Get: of.Name, Key: map[string]string{}, Consistent: true}
			for j, id := range ways[i].To.Identity {
				switch by := ways[i].By[j]; {
				case i > 0:
					get.Key[id.Name] = from + "." + by.Name
				case a != nil && told(a, by.Name) != "":
					get.Key[id.Name] = told(a, by.Name)
				default:
					get.Key[id.Name] = example(id)
				}
			}
			at[text] = "led" + strconv.Itoa(len(at))
			steps[at[text]] = get
		}
		from = "$" + at[text]
	}
	return from
}

// Rechecking is what the consumer of a stream does for a new item of a kind whose copies along a way the write has not checked again: it
// gets the source. Only if that has changed in between does it write the copies, which is too rare to be priced. nil if there are none.
func (f *Fragments) Rechecking(k *Kind, way *spec.Relationship, p *spec.Pattern, others ...*Schema) *Procedure {
	steps, at := map[string]Step{}, map[string]string{}
	for _, st := range k.Stored {
		if ways := st.ways(); len(ways) > 0 && ways[0] == way && st.rechecks(f.r) && lookUp(ways, nil, k, others, steps, at) == "" {
			return nil
		}
	}
	if len(steps) == 0 {
		return nil
	}
	return f.over(Plan{Name: p.Name, Steps: steps}, k, others)
}

// Rechecked are the first ways of copies that the consumer of a stream compares with their sources when an item comes, and does not
// fill in anyway.
func (f *Fragments) Rechecked(k *Kind) (out []*spec.Relationship) {
	for _, st := range k.Stored {
		if ways := st.ways(); len(ways) > 0 && st.rechecks(f.r) && !slices.Contains(out, ways[0]) {
			out = append(out, ways[0])
		}
	}
	return out
}

// rechecks reports whether the consumer of a stream compares a copy with its source and does not fill it in.
func (s *Stored) rechecks(r *spec.Requirements) bool {
	ways := s.ways()
	return s.Kept.Recheck && len(ways) > 0 && !fillsIn(r, ways)
}

// redirects reports whether an update makes what it is about point to something else.
func redirects(a *spec.Action, way *spec.Relationship) bool {
	return a.Verb == spec.Update && a.Entity == way.From && slices.ContainsFunc(way.By, func(x *spec.Attribute) bool { return a.Changes(x.Name) })
}

// Filled are the first ways of copies that the consumer of a stream fills into items that come without them.
func (f *Fragments) Filled(k *Kind) (out []*spec.Relationship) {
	for _, st := range k.Stored {
		if ways := st.ways(); len(ways) > 0 && fillsIn(f.r, ways) && !slices.Contains(out, ways[0]) {
			out = append(out, ways[0])
		}
	}
	return out
}

// Follow returns the attributes that templates derive from copies, by their names in the item. A program that changes
// copies without the model's plans, such as the consumer of a stream, writes these attributes in the same update, and
// removes those whose value is zero. copies has the new values under their names in the item; removed names the
// copies that go. Follow returns an error if a template cannot be built from the item.
func (k *Kind) Follow(item, copies attr.Item, removed ...string) (map[string]attr.Value, error) {
	next := item.Clone()
	var changed []target
	change := func(name string, v attr.Value) {
		if st := k.stored(name); st != nil {
			next.Set(name, v)
			changed = append(changed, st.target)
		}
	}
	for name, v := range copies.All() {
		change(name, v)
	}
	for _, name := range removed {
		change(name, attr.Value{})
	}
	var after []*Recipe
	for _, r := range k.Recipes {
		if !r.Key && !r.Native && r.dependsOn(changed) {
			after = append(after, r)
			next.Remove(r.Wire.Name) // it tells what was
		}
	}
	out := map[string]attr.Value{}
	s := &scope{entity: k.Entity, value: k.Read(next)}
	for _, r := range after {
		v, err := r.build(s, 0, spec.Env{})
		if err != nil {
			return nil, err
		}
		out[r.Wire.Name] = v
	}
	return out, nil
}

// Followers returns the names of the attributes that templates derive from a copy, and that change with it: see
// [Kind.Follow].
func (k *Kind) Followers(s *Stored) (out []string) {
	for _, r := range k.Recipes {
		if !r.Key && !r.Native && r.dependsOn([]target{s.target}) {
			out = append(out, r.Wire.Name)
		}
	}
	return out
}

// over resolves a plan over the table of a kind and others; nil if it cannot be.
func (f *Fragments) over(d Plan, k *Kind, others []*Schema) *Procedure {
	tables := []*Schema{k.Table}
	for _, t := range others {
		if !slices.Contains(tables, t) {
			tables = append(tables, t)
		}
	}
	proc, err := f.Plan(d, tables...)
	if err != nil {
		return nil
	}
	return proc
}

// ways are the ways there that a copy follows which the consumer of a stream keeps; none of any other.
func (s *Stored) ways() (out []*spec.Relationship) {
	if !s.Copy || !s.Kept.Stream {
		return nil
	}
	for _, x := range s.target.segs[:len(s.target.segs)-1] {
		if x.Way == nil || x.Back {
			return nil
		}
		out = append(out, x.Way)
	}
	return out
}

func waysText(ways []*spec.Relationship) string {
	var names []string
	for _, w := range ways {
		names = append(names, w.Name)
	}
	return strings.Join(names, ".")
}

// fillsIn reports whether copies along some ways are filled in by the consumer of the stream that keeps them: what lies behind the
// first way, and what some write need not know of the items that it makes, or makes to point to something else. A write that makes one for
// each element of a list reads nothing for one of them.
func fillsIn(r *spec.Requirements, ways []*spec.Relationship) bool {
	way := ways[0]
	return len(ways) > 1 || slices.ContainsFunc(r.Patterns, func(p *spec.Pattern) bool {
		return slices.ContainsFunc(p.Actions, func(a *spec.Action) bool {
			if a.Entity == way.From && (len(a.Each) > 0 && a.Verb != spec.Update || !slices.Contains(a.Requires, way)) && a.Verb != spec.Delete &&
				(a.Verb != spec.Update || a.Makes || slices.ContainsFunc(way.By, func(x *spec.Attribute) bool { return a.Changes(x.Name) })) {
				return true
			}
			for _, with := range a.With {
				e := a.Entity
				for _, name := range strings.Split(with, ".") {
					back := e.WayBack(name)
					if back == nil {
						break
					}
					if e = back.From; e == way.From && back != way && a.Verb != spec.Delete {
						return true
					}
				}
			}
			return false
		})
	})
}

// holder is the kind of items that hold an entity in some tables; nil if there is none.
func holder(e *spec.Entity, tables []*Schema) *Kind {
	for _, t := range tables {
		for _, k := range t.Kinds {
			if k.Role == EntityItem && k.Entity == e {
				return k
			}
		}
	}
	return nil
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

// told is how a call of an action refers to what it makes of an attribute, or to a part of the identity; "" if the call does not say
// it: what the action sets by itself or out of what is there, such as a literal, is in what it makes and not in the call.
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

// rewrites reports whether an action can change an attribute of what it is about.
func rewrites(a *spec.Action, x *spec.Attribute) bool {
	return told(a, x.Name) != "" || a.Verb == spec.Update && a.Changes(x.Name)
}

// copies adds to a step what the consumer writes of an attribute that an action has changed: what the call says, or a value as large
// as what the action makes. What the action removes goes from the copies too.
func (s *Step) copies(a *spec.Action, x *spec.Attribute, path string) {
	switch value := told(a, x.Name); {
	case value != "":
		s.Set[path] = value
	case a.Sets(x.Name):
		s.Set[path] = example(x)
	case a.Removes(x.Name):
		s.Remove = append(s.Remove, path)
	}
}

// finders are the table and the indexes whose partition keys are made of a foreign key alone; the table first, then those that
// hold nothing else in their keys.
func finders(k *Kind, way *spec.Relationship) (out []*Access) {
	for _, x := range append([]*Access{k.Table.Base}, k.Table.Indexes...) {
		if in, _ := k.In(x); !in || slices.ContainsFunc(x.keys(), func(w Wire) bool { // what has no foreign key need not be found
			r := k.recipe(w.Name)
			return r.mayLack() && (r.When != nil || slices.ContainsFunc(r.Parts, func(p *Part) bool { return !slices.Contains(way.By, p.Attribute) }))
		}) {
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
