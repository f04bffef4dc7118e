package workload

import (
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// Key is a part of a partition key: an attribute by its path, or the bucket of time in which it lies, such as its day.
type Key struct {
	Path   spec.Path
	Bucket bool
}

// Fall is the share of calls that fall on the hottest key among those with certain values of enums, states and buckets of
// time. Falls on different values are on different keys.
type Fall struct {
	Value string // "" where a key has no such parts
	Share float64
}

// mostFalls bounds how many values are told apart.
const mostFalls = 32

// Falls says on which keys the writes of a pattern fall that create an instance, or update or delete one of which something
// is known: act is the action on it, nil if it only follows from others. fresh says which attributes are written now.
func (w *Workload) Falls(p *spec.Pattern, act *spec.Action, e *spec.Entity, keys []Key, is Known, fresh func(name string) bool) []Fall {
	if w.Once(p, act, e) && identifies(e, keys) {
		return []Fall{{"", 1 / float64(w.Members(e))}}
	}
	falls := []Fall{{"", 1}}
	rest, owned := 1.0, false
	for _, k := range keys {
		owned = owned || w.OwnerOf(e, []spec.Path{k.Path}).Entity != nil
		a := e.Attribute(k.Path[0])
		if len(k.Path) > 1 || a == nil || !inTurns(a, k) && len(shares(a)) == 0 {
			rest = math.Min(rest, w.hottest(p, act, e, k.Path, fresh))
			continue
		}
		if inTurns(a, k) {
			if fresh(a.Name) {
				falls = each(falls, []spec.Share{{Value: "now", Of: 1}})
			} else {
				rest = math.Min(rest, w.mostOf(e, k.Path))
			}
			continue
		}
		if v := is[a.Name]; v != There && v != Gone {
			falls = each(falls, []spec.Share{{Value: v, Of: 1}})
		} else {
			falls = each(falls, shares(a))
		}
	}
	for i := range falls {
		falls[i].Share = math.Max(float64(falls[i].Share*rest), 1/float64(w.Members(e)))
	}
	if n := len(keys); n > 0 && !owned && len(falls) == 1 { // values of owners are as hot as calls about these
		paths := make([]spec.Path, n)
		for i, k := range keys {
			paths[i] = k.Path
		}
		falls[0].Share = math.Max(falls[0].Share, w.frequent[valuesOf(e, paths)])
	}
	return falls
}

// Once reports whether an action writes each instance once at most, and each unique value: it creates what nothing deletes, so that a
// second create of it is refused. However skewed calls are, that is about the foreign keys of what they create, unless the pattern says
// of what else.
func (w *Workload) Once(p *spec.Pattern, act *spec.Action, e *spec.Entity) bool {
	return act != nil && act.Verb == spec.Create && act.Entity == e && p.SkewOf == nil && w.requirements.Lasts(e)
}

// identifies reports whether no two instances have the same key: it has all of the identity, or of what is unique.
func identifies(e *spec.Entity, keys []Key) bool {
	has := func(a *spec.Attribute) bool {
		return slices.ContainsFunc(keys, func(k Key) bool { return !k.Bucket && len(k.Path) == 1 && k.Path[0] == a.Name })
	}
	all := func(as []*spec.Attribute) bool {
		return len(as) > 0 && !slices.ContainsFunc(as, func(a *spec.Attribute) bool { return !has(a) })
	}
	return all(e.Identity) || slices.ContainsFunc(e.Unique, func(u spec.Unique) bool { return u.Always() && all(u.Of) })
}

// inTurns reports whether a part of a key is a time that stays the same for many creations in a row.
func inTurns(a *spec.Attribute, k Key) bool {
	return a.Type == spec.Date || a.Type == spec.Timestamp && k.Bucket
}

// each tells falls apart by the values of one more attribute: of too many together only the most frequent counts.
func each(falls []Fall, values []spec.Share) (out []Fall) {
	if len(falls)*len(values) > mostFalls {
		most := 0.0
		for _, v := range values {
			most = math.Max(most, v.Of)
		}
		values = []spec.Share{{Of: most}}
	}
	for _, f := range falls {
		for _, v := range values {
			if v.Of <= 0 {
				continue
			}
			name := v.Value
			if f.Value != "" {
				name = strings.TrimSuffix(f.Value+", "+name, ", ")
			}
			out = append(out, Fall{name, float64(f.Share * v.Of)})
		}
	}
	return out
}

// hottest is the share of writes that fall on the most frequent value of an attribute which names an owner, or anything else.
func (w *Workload) hottest(p *spec.Pattern, act *spec.Action, e *spec.Entity, path spec.Path, fresh func(name string) bool) float64 {
	creates := act != nil && act.Entity == e && act.Verb != spec.Update && act.Verb != spec.Delete
	made := creates || fresh(path[0])
	skew := w.SkewOf(p, path)
	skewed := func(share float64, members int64) float64 {
		if skew.Uniform() || act == nil || act.Entity != e {
			return share
		}
		return math.Max(share, w.Hottest(Calls(members, skew)))
	}
	a := e.Attribute(path[0])
	if creates && len(path) == 1 && a != nil && a.Generated != "" {
		return 1 / float64(w.Members(e))
	}
	o := w.OwnerOf(e, []spec.Path{path})
	if o.Entity == nil {
		members := w.Members(e)
		if p.SkewOf != nil { // it says how many of the calls the most frequent value gets, whatever is stored
			members = o.Members
		}
		return skewed(w.mostOf(e, path), members)
	}
	if !slices.ContainsFunc(o.Ways, func(r *spec.Relationship) bool { return w.Children(r).Stated }) {
		return skewed(1/float64(o.Members), o.Members)
	}
	direct, _ := w.Under(o)
	if made {
		direct = w.Born(o.Ways[len(o.Ways)-1])
		if !skew.Uniform() { // creations follow the children that are there unless the pattern says otherwise
			return skewed(0, o.Members)
		}
	}
	if p.SkewOf != nil {
		return skewed(w.Hottest(direct), o.Members)
	}
	return skewed(w.Hottest(direct), w.Members(e))
}

// mostOf is the share of instances that have the most frequent value of an attribute that names nobody: as patterns state
// that look for it.
func (w *Workload) mostOf(e *spec.Entity, path spec.Path) float64 {
	return math.Max(1/float64(w.Members(e)), w.frequent[valuesOf(e, []spec.Path{path})])
}

// frequent is the share of instances that have the most frequent values of what a pattern looks for, by these.
func frequent(r *spec.Requirements) map[string]float64 {
	out := map[string]float64{}
	for _, e := range r.Entities {
		for _, a := range e.Attributes {
			if a.Hottest > 0 {
				out[valuesOf(e, []spec.Path{{a.Name}})] = a.Hottest
			}
		}
	}
	for _, p := range r.Patterns {
		if p.Writes() || p.Read == nil || len(p.Given) == 0 || p.Read.Count <= 0 {
			continue
		}
		name := valuesOf(p.Read, p.Given)
		out[name] = math.Max(out[name], math.Min(math.Max(p.Results.Max, p.Results.Average)/p.Read.Count, 1))
	}
	return out
}

// lists are the patterns that list all with the same values of some attributes, by these.
func lists(r *spec.Requirements) map[string]*spec.Pattern {
	out := map[string]*spec.Pattern{}
	for _, p := range r.Patterns {
		if p.Read != nil && len(p.Given) > 0 && p.Where == nil && p.Results.Average > 0 {
			if name := valuesOf(p.Read, p.Given); out[name] == nil {
				out[name] = p
			}
		}
	}
	return out
}

// valuesOf names the values of some paths together, in whatever order they are stated.
func valuesOf(e *spec.Entity, paths []spec.Path) string {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = p.String()
	}
	slices.Sort(names)
	return e.Name + ": " + strings.Join(names, ", ")
}

// Asked are the keys that reads fall on which state parts of a key by equality: constant says which value is always the same one.
// Of enums and states a call states each value as often.
func (w *Workload) Asked(e *spec.Entity, keys []Key, constant func(path spec.Path) (value spec.Expr, ok bool)) []Fall {
	falls := []Fall{{"", 1}}
	for _, k := range keys {
		a := e.Attribute(k.Path[0])
		if a == nil || len(k.Path) > 1 {
			continue
		}
		if inTurns(a, k) {
			falls = each(falls, []spec.Share{{Value: "now", Of: 1}})
			continue
		}
		all := shares(a)
		if len(all) == 0 {
			continue
		}
		if v, ok := constant(k.Path); ok {
			if value, ok := text(v); ok {
				falls = each(falls, []spec.Share{{Value: value, Of: 1}})
				continue
			}
		}
		even := make([]spec.Share, len(all))
		for i, s := range all {
			even[i] = spec.Share{Value: s.Value, Of: 1 / float64(len(all))}
		}
		falls = each(falls, even)
	}
	return falls
}
