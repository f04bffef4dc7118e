package cost

import (
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// The consumer of a stream keeps numbers beside their entity. Children that come, go or change what is summed are added
// up for a while (see bundled), and then cost one write of the number's item, or of the entity's own item if that holds
// the number, outside of any transaction. The consumer also keeps copies of what another entity has. For each change it
// finds the items that hold a copy, by an index on their foreign key, and writes them one by one. Lambda reads streams
// free of charge, so reading the stream adds nothing.

// keeps is what it takes the consumer to write an item of a kind once that keeps a number beside its entity; 0 for all
// other kinds.
func (f *figures) keeps(k *plan.Kind) float64 {
	if k.Role != plan.AggregateItem || !k.Kept.Stream {
		return 0
	}
	return float64(f.sizeWith(k, nil, workload.Even(f.Members(k.Entity)), nil).written())
}

// counted is how often a number that is derived from children changes in one call of a pattern.
func (f *figures) counted(p *spec.Pattern, of *spec.Entity, number *spec.Attribute) float64 {
	path, where := number.Derived.Path, number.Derived.Where
	way := of.WayBack(path[0])
	if way == nil {
		return 0
	}
	total := 0.0
	for _, a := range p.Actions {
		times := 1.0
		if len(a.Each) > 0 {
			times = f.Elements(p, a.Each)
		}
		some := func(k known) float64 { // share of those that come or go that count
			if where == nil {
				return leads(way, k)
			}
			return float64(leads(way, k) * f.Share(where, way.From, k))
		}
		inside := f.Initial(way.From)
		if a.Verb == spec.Delete {
			inside = nil
		}
		total += float64(times * some(inside) * f.carries(p, a, way))
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
				changed = leads(way, nil)
			}
			if !fixed(way) {
				changed = 2 * leads(way, nil)
			}
		case spec.Update:
			if len(path) > 1 && a.Changes(path[1]) {
				changed = demanded()
			}
			if redirects(a, way) {
				leave, come := f.moved(p, way, where)
				changed = leave + come
			}
		}
		if where != nil && changed == 0 && a.Verb == spec.Update {
			for _, step := range f.Steps(p, way.From, concerns(nil, where)) {
				was, is, both := f.Turn(where, way.From, step.Before, step.After)
				changed += float64(step.Share * leads(way, step.After) * (was + is - 2*both))
			}
		}
		fresh := 0.0 // share of calls in which one comes, or goes
		of := leads(way, nil)
		switch a.Verb {
		case spec.Create:
			fresh, of = 1, some(f.Initial(way.From))
		case spec.Delete:
			fresh, of = 1, demanded()
		case spec.Upsert:
			fresh = 1 - f.Renews(p)
		case spec.Update:
			fresh = a.Made(p)
		}
		total += float64(times * (fresh*of + changed*(1-fresh)))
	}
	return total
}

// leads is the share of children that have a parent by a way, as far as what is known of them says.
func leads(way *spec.Relationship, k known) float64 {
	share := 1.0
	for _, by := range way.By {
		share *= k.Presence(by)
	}
	return share
}

// redirects reports whether an action changes to which parent children belong by a way.
func redirects(a *spec.Action, way *spec.Relationship) bool {
	return slices.ContainsFunc(way.By, func(by *spec.Attribute) bool { return a.Changes(by.Name) })
}

// moved is how many children, for each that an update gives to another parent, leave one where they counted, and how
// many come to one where they do. One that belonged to none leaves none, and one whose way is removed comes to none:
// the state that the update finds tells both, where the way comes and goes with that.
func (f *figures) moved(p *spec.Pattern, way *spec.Relationship, where spec.Condition) (leave, come float64) {
	for _, step := range f.Steps(p, way.From, concerns(way, where)) {
		was, is := leads(way, step.Before), leads(way, step.After)
		if where != nil {
			was *= f.Share(where, way.From, step.Before)
			is *= f.Share(where, way.From, step.After)
		}
		leave += float64(step.Share * was)
		come += float64(step.Share * is)
	}
	return leave, come
}

// concerns tells the attributes on which it depends where a child counts, and whether it does.
func concerns(way *spec.Relationship, where spec.Condition) func(name string) bool {
	return func(name string) bool {
		if way != nil && slices.ContainsFunc(way.By, func(by *spec.Attribute) bool { return by.Name == name }) {
			return true
		}
		for t := range spec.Tests(where) {
			if t.Path[0] == name {
				return true
			}
		}
		return false
	}
}

// carries is how many children by a way come or go inside the value of an action.
func (f *figures) carries(p *spec.Pattern, a *spec.Action, way *spec.Relationship) float64 {
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
			if q := p.ValueOf(a); q.BringsStated(back) {
				n *= q.Brings(back, f.Children(back)).Average
			} else {
				n *= f.Lying(back).Average
			}
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
			total += float64(times * has * f.carries(p, a, way))
		}
		if a.Entity != way.From {
			continue
		}
		fresh := 1.0 // share of them that are made, where what is there points where it pointed
		switch a.Verb {
		case spec.Create, spec.Replace:
		case spec.Upsert:
			if fixed(way) {
				fresh = 1 - f.Renews(p)
			}
		case spec.Update:
			if redirects(a, way) {
				total += times
				continue
			}
			fresh = a.Made(p)
		default:
			fresh = 0
		}
		total += float64(times * has * fresh)
	}
	return total
}

// fixed reports whether an entity points by a way to the same as long as it lives.
func fixed(way *spec.Relationship) bool {
	return !slices.ContainsFunc(way.By, func(by *spec.Attribute) bool { return !slices.Contains(way.From.Identity, by) })
}

// keptHeat is the load that the consumer puts on the item of a kind that it writes most, by the units that it writes
// for each call.
func (f *figures) keptHeat(p *spec.Pattern, k *plan.Kind, units float64) []Heat {
	share := f.atPeak(p).hottestCount(p, k)
	return []Heat{{k.Table.Name, itemName(k), "", true, Part{p.Name, pace(p, lag(k.Kept)), share, units, true}, 0}}
}

// pace is how many calls of a write the consumer of a stream follows in a second at peak. What it writes may be late,
// so that it spreads the work of each call over that time, in which no more calls come than in a month: a rename that
// comes four times a month and writes ten thousand copies within an hour is no burst, whatever its peak says of the
// calls themselves.
func pace(p *spec.Pattern, late time.Duration) float64 {
	if late <= 0 {
		return p.Rate.Peak
	}
	return min(p.Rate.Peak, max(p.Rate.Average, p.Rate.Average*spec.Month.Seconds()/late.Seconds()))
}

// lag is how late the consumer of a stream may be with what it keeps; 0 if that is not stated.
func lag(kept plan.Kept) time.Duration {
	d, err := spec.ParseDuration(kept.Within)
	if err != nil {
		return 0
	}
	return d
}

// lagOf is how late the consumer may be with the copies of a kind that come along a way.
func lagOf(k *plan.Kind, way *spec.Relationship) (shortest time.Duration) {
	for _, st := range k.Stored {
		if d := lag(st.Kept); st.Copy && st.Kept.Stream && k.Entity.WayOn(st.Path) == way && (shortest == 0 || d < shortest) {
			shortest = d
		}
	}
	return shortest
}

// late is how late the consumer of a stream may be with what a plan of it writes: the shortest lag of all that it keeps
// there.
func late(proc *plan.Procedure) (shortest time.Duration) {
	for _, s := range proc.Stages {
		if s.Verb != plan.Update {
			continue
		}
		for _, st := range s.Kind.Stored {
			if d := lag(st.Kept); st.Kept.Stream && slices.Contains(s.Changes, st.Name) && (shortest == 0 || d < shortest) {
				shortest = d
			}
		}
	}
	return shortest
}

// Keeping is what the consumer of a stream consumes to keep what lies in a table true, for one call of a pattern.
// others are tables that the ways of copies pass.
func (p *Pricer) Keeping(t *plan.Schema, pattern *spec.Pattern, others ...*plan.Schema) Use {
	out := Use{Read: units{}, Write: units{}}
	for _, k := range p.f.keeping(t, pattern, others) {
		units(out.Read).plus(k.Read)
		units(out.Write).plus(k.Write)
		out.Heat = append(out.Heat, k.Heat...)
	}
	return out
}

// kept is a part of what the consumer of a stream does for each call of a pattern, and how many calls it follows in a
// second at peak.
type kept struct {
	Use
	pace float64
}

func (f *figures) keeping(t *plan.Schema, pattern *spec.Pattern, others []*plan.Schema) (out []kept) {
	for _, k := range t.Kinds {
		if n := f.keeps(k); n > 0 {
			if b := f.bundled(pattern, k.Entity, k.Attribute, lag(k.Kept)); b.changes > 0 {
				use := Use{Write: units{k.Table.Name: float64(n * b.writes)}, Heat: f.keptHeat(pattern, k, float64(n*b.hottest))}
				out = append(out, kept{use, pace(pattern, lag(k.Kept))})
			}
		}
		add := func(proc *plan.Procedure, times, hottest float64) {
			own := kept{Use{Read: units{}, Write: units{}}, pace(pattern, late(proc))}
			read, write := f.procedure(proc)
			for where, n := range read {
				units(own.Read).add(where, times*n)
			}
			for where, n := range write {
				units(own.Write).add(where, times*n)
			}
			for _, h := range f.heats(proc) {
				h.Part.Units *= hottest
				h.Part.Rate = own.pace
				own.Heat = append(own.Heat, h)
			}
			out = append(out, own)
		}
		for _, proc := range f.fragments.Keeping(k, pattern, others...) {
			add(proc, 1, 1)
		}
		for _, way := range f.fragments.Filled(k) {
			if n := f.pointed(pattern, way); n > 0 {
				if proc := f.fragments.Filling(k, way, pattern, others...); proc != nil {
					add(proc, n, n)
				}
			}
		}
		for _, way := range f.fragments.Rechecked(k) {
			if b := f.rechecked(pattern, way, lagOf(k, way)); b.changes > 0 {
				if proc := f.fragments.Rechecking(k, way, pattern, others...); proc != nil {
					add(proc, b.writes, b.hottest)
				}
			}
		}
		if k.Role != plan.EntityItem {
			continue
		}
		for _, a := range k.Followed() {
			if f.counted(pattern, k.Entity, a) == 0 {
				continue
			}
			proc := f.fragments.Counting(k, a, pattern)
			if proc == nil {
				continue
			}
			b := f.bundled(pattern, k.Entity, a, late(proc))
			if f.joins(pattern, k, a) { // only what it alone changes is written beside: the indexes that hold it
				at := len(out)
				add(proc, b.writes, b.hottest)
				delete(out[at].Write, k.Table.Name)
				out[at].Heat = slices.DeleteFunc(out[at].Heat, func(h Heat) bool { return h.Place == k.Table.Name })
				continue
			}
			add(proc, b.writes, b.hottest)
		}
	}
	return out
}

// joins reports whether the consumer of a stream writes a number of an item with another one that changes at least as
// often: that counts or sums all children of the same way, so that each change of one is a change of the other, and may
// lag as long.
func (f *figures) joins(p *spec.Pattern, k *plan.Kind, number *spec.Attribute) bool {
	n := f.counted(p, k.Entity, number)
	all := k.Followed()
	at := slices.Index(all, number)
	return slices.ContainsFunc(all, func(a *spec.Attribute) bool {
		if a == number || a.Derived.Where != nil || a.Derived.Path[0] != number.Derived.Path[0] || a.Derived.Within != number.Derived.Within {
			return false
		}
		m := f.counted(p, k.Entity, a)
		if m == n && number.Derived.Where == nil {
			return slices.Index(all, a) < at // of two that always change together the first is written, the other with it
		}
		return m >= n
	})
}

// follow adds to a report what the consumer of a stream does for each call of a pattern.
func (f *figures) follow(t *plan.Schema, tables []*plan.Schema, pattern *spec.Pattern, c *Pattern, r *Report) {
	for _, k := range f.keeping(t, pattern, tables) {
		for where, n := range k.Read {
			if c.Finds == nil {
				c.Finds = map[string]float64{}
			}
			c.Finds[where] += n
			place := r.Place(where)
			place.Read += n * pattern.Rate.Average
			place.PeakRead += n * k.pace
			c.Cost += place.tariff(r.Prices).Reads(capacity.ReadUnits(n * pattern.Rate.Average))
		}
		for where, n := range k.Write {
			if c.Kept == nil {
				c.Kept = map[string]float64{}
			}
			c.Kept[where] += n
			place := r.Place(where)
			place.Write += n * pattern.Rate.Average
			place.PeakWrite += n * k.pace
			c.Cost += place.tariff(r.Prices).Writes(capacity.WriteUnits(n * pattern.Rate.Average))
		}
	}
}
