package cost

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// The consumer of a stream keeps numbers beside their entity. It takes the records of the children one by one. Each child that
// comes, goes or changes what is summed costs one write of the number's item, or of the entity's own item if that holds the number,
// outside of any transaction. It also keeps copies of
// what another entity has. For each change it finds the items that hold a copy, by an index on their foreign key, and writes
// them one by one. Lambda reads streams free of charge, so reading the stream adds nothing.

// keeps is what the consumer writes to a kind for one call of a pattern; nil: nothing.
func (f *figures) keeps(p *spec.Pattern, k *plan.Kind) units {
	if k.Role != plan.AggregateItem || !k.Kept.Stream {
		return nil
	}
	n := f.counted(p, k.Entity, k.Attribute)
	if n == 0 {
		return nil
	}
	arm := f.sizeWith(k, nil, workload.Even(f.Members(k.Entity)), nil).written()
	return units{k.Table.Name: float64(n * float64(arm))}
}

// counted is how often a number that is derived from children changes in one call of a pattern.
func (f *figures) counted(p *spec.Pattern, of *spec.Entity, number *spec.Attribute) float64 {
	path, where := number.Derived.Path, number.Derived.Where
	way := of.WayBack(path[0])
	if way == nil {
		return 0
	}
	has := 1.0 // share of children that count anywhere
	for _, a := range way.By {
		has *= known(nil).Presence(a)
	}
	total := 0.0
	for _, a := range p.Actions {
		times := 1.0
		if len(a.Each) > 0 {
			times = f.Elements(p, a.Each)
		}
		some := func(k known) float64 { // share of those that come or go that count
			if where == nil {
				return 1
			}
			return f.Share(where, way.From, k)
		}
		inside := workload.Initial(way.From)
		if a.Verb == spec.Delete {
			inside = nil
		}
		total += float64(times * has * some(inside) * f.carries(a, way))
		if a.Entity != way.From {
			continue
		}
		demanded := func() (share float64) {
			for _, d := range workload.Demands(p, way.From) {
				share += float64(d.Share * some(d.Is))
			}
			return share
		}
		changed := 0.0 // writes for one that stays
		switch a.Verb {
		case spec.Replace, spec.Upsert:
			if len(path) > 1 {
				changed = 1
			}
			if slices.ContainsFunc(way.By, func(by *spec.Attribute) bool { return !slices.Contains(a.Entity.Identity, by) }) {
				changed = 2
			}
		case spec.Update:
			if len(path) > 1 && a.Changes(path[1]) {
				changed = demanded()
			}
			if slices.ContainsFunc(way.By, func(by *spec.Attribute) bool { return a.Changes(by.Name) }) {
				changed = 2 * demanded()
			}
		}
		if where != nil && changed == 0 && a.Verb == spec.Update {
			concerned := func(name string) bool {
				for t := range spec.Tests(where) {
					if t.Path[0] == name {
						return true
					}
				}
				return false
			}
			for _, step := range f.Steps(p, way.From, concerned) {
				was, is, both := f.Turn(where, way.From, step.Before, step.After)
				changed += float64(step.Share * (was + is - 2*both))
			}
		}
		fresh := 0.0 // share of calls in which one comes, or goes
		switch a.Verb {
		case spec.Create:
			fresh = some(workload.Initial(way.From))
		case spec.Delete:
			fresh = demanded()
		case spec.Upsert:
			fresh = 1 - f.Renews(p)
		case spec.Update:
			fresh = a.Made(p)
		}
		total += float64(times * has * (fresh + changed*(1-fresh)))
	}
	return total
}

// carries is how many children by a way come or go inside the value of an action.
func (f *figures) carries(a *spec.Action, way *spec.Relationship) float64 {
	total := 0.0
	seen := map[string]bool{}
	for _, with := range a.With {
		n, e := 1.0, a.Entity
		names := strings.Split(with, ".")
		for i, name := range names {
			back := e.WayBack(name)
			if back == nil {
				break
			}
			n *= f.Lying(back).Average
			if e = back.From; e == way.From && !seen[strings.Join(names[:i+1], ".")] {
				seen[strings.Join(names[:i+1], ".")] = true
				total += n
			}
		}
	}
	return total
}

// pointed is how many entities one call of a pattern makes with a way there, or makes to point to something else.
func (f *figures) pointed(p *spec.Pattern, way *spec.Relationship) float64 {
	has := 1.0
	for _, a := range way.By {
		has *= known(nil).Presence(a)
	}
	total := 0.0
	for _, a := range p.Actions {
		times := 1.0
		if len(a.Each) > 0 {
			times = f.Elements(p, a.Each)
		}
		if a.Verb != spec.Delete {
			total += float64(times * has * f.carries(a, way))
		}
		if a.Entity != way.From {
			continue
		}
		switch a.Verb {
		case spec.Create, spec.Replace, spec.Upsert:
			total += float64(times * has)
		case spec.Update:
			if slices.ContainsFunc(way.By, func(by *spec.Attribute) bool { return a.Changes(by.Name) }) {
				total += times
			}
		}
	}
	return total
}

// keptHeat is what the consumer puts on the item that it writes most.
func (f *figures) keptHeat(p *spec.Pattern, k *plan.Kind) []Heat {
	u := f.keeps(p, k)
	if u == nil {
		return nil
	}
	share := f.atPeak(p).hottestCount(p, k)
	return []Heat{{k.Table.Name, itemName(k), "", true, Part{p.Name, p.Rate.Peak, share, u[k.Table.Name], true}, 0}}
}

// Keeping is what the consumer of a stream consumes to keep what lies in a table true, for one call of a pattern. others are tables
// that the ways of copies pass.
func (p *Pricer) Keeping(t *plan.Schema, pattern *spec.Pattern, others ...*plan.Schema) Use {
	return p.f.keeping(t, pattern, others)
}

func (f *figures) keeping(t *plan.Schema, pattern *spec.Pattern, others []*plan.Schema) Use {
	u := Use{Read: units{}, Write: units{}}
	for _, k := range t.Kinds {
		if n := f.keeps(pattern, k); n != nil {
			units(u.Write).plus(n)
			u.Heat = append(u.Heat, f.keptHeat(pattern, k)...)
		}
		add := func(proc *plan.Procedure, times float64) {
			read, write := f.procedure(proc)
			for where, n := range read {
				units(u.Read).add(where, times*n)
			}
			for where, n := range write {
				units(u.Write).add(where, times*n)
			}
			for _, h := range f.heats(proc) {
				h.Part.Units *= times
				u.Heat = append(u.Heat, h)
			}
		}
		for _, proc := range f.fragments.Keeping(k, pattern, others...) {
			add(proc, 1)
		}
		for _, way := range f.fragments.Filled(k) {
			if n := f.pointed(pattern, way); n > 0 {
				if proc := f.fragments.Filling(k, way, pattern, others...); proc != nil {
					add(proc, n)
				}
			}
		}
		if k.Role != plan.EntityItem {
			continue
		}
		for _, a := range k.Followed() {
			if n := f.counted(pattern, k.Entity, a); n > 0 {
				if proc := f.fragments.Counting(k, a, pattern); proc != nil {
					add(proc, n)
				}
			}
		}
	}
	return u
}

// follow adds to a report what the consumer of a stream does for each call of a pattern.
func (f *figures) follow(t *plan.Schema, tables []*plan.Schema, pattern *spec.Pattern, c *Pattern, r *Report) {
	u := f.keeping(t, pattern, tables)
	for where, n := range u.Read {
		if c.Finds == nil {
			c.Finds = map[string]float64{}
		}
		c.Finds[where] += n
		place := r.Place(where)
		place.Read += n * pattern.Rate.Average
		place.PeakRead += n * pattern.Rate.Peak
		c.Cost += place.tariff(r.Prices).Reads(capacity.ReadUnits(n * pattern.Rate.Average))
	}
	for where, n := range u.Write {
		if c.Kept == nil {
			c.Kept = map[string]float64{}
		}
		c.Kept[where] += n
		place := r.Place(where)
		place.Write += n * pattern.Rate.Average
		place.PeakWrite += n * pattern.Rate.Peak
		c.Cost += place.tariff(r.Prices).Writes(capacity.WriteUnits(n * pattern.Rate.Average))
	}
}
