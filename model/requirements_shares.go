package model

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// share fills in how often an attribute is there, and how often each of its values.
func (r *requirementsReader) share(a *spec.Attribute, d *attributeDoc, path []string) {
	at := with(path, "share")
	values := a.Values()
	if a.Type == spec.Bool {
		values = []string{"true", "false"}
	}
	if d.Derived != nil || d.References != "" || d.Parent != "" {
		values = nil
	}
	stated := map[string]float64{}
	switch {
	case d.Share == nil:
		if listed, ok := r.listed(a); ok && d.Derived == nil {
			a.Present = listed
		} else if a.Optional && d.Derived == nil && !r.isBroken(at...) {
			r.warnAt(path, "share-missing", "add `share: 30%`, the share of entities that have it", "how often %s is there is not said: taken as half", a.Name)
		}
	case r.brokenWithin(with(path, "optional")...) || a.Type == 0 && d.Share.B != nil:
	case d.Share.A != nil:
		if a.Present = float64(*d.Share.A); !a.Optional {
			r.errorAt(at, "not-applicable", "write {value: percentage}, or add `optional: true`", "%s is always there", a.Name)
			a.Present = 1
		}
	case values == nil:
		r.errorAt(at, "not-applicable", "", "%s is %s: shares of values are for states, enum and bool", a.Name, a.Kind())
	default:
		for _, s := range *d.Share.B {
			if !slices.Contains(values, s.Key) {
				r.errorAtKey(with(at, s.Key), "unknown-name", nearest(s.Key, values), "%s has no value %s", a.Name, s.Key)
				continue
			}
			stated[s.Key] = float64(s.Value)
		}
	}
	var sum float64
	for _, s := range stated {
		sum += s
	}
	switch unnamed := len(values) - len(stated); {
	case sum > 1+1e-9 || unnamed == 0 && len(values) > 0 && sum < 1-1e-9:
		r.errorAt(at, "bad-share", "", "the shares add up to %s%%", spec.FormatNumber(sum*100))
		fallthrough // something has to stand there to go on with
	default:
		for _, v := range values {
			of, ok := stated[v]
			if !ok {
				of = max(0, 1-sum) / float64(max(unnamed, 1))
			}
			a.Shares = append(a.Shares, spec.Share{Value: v, Of: of})
		}
	}
}

// listed is the share of entities that have an optional attribute, as a pattern says that lists all which have it: its results
// of the stated count.
func (r *requirementsReader) listed(a *spec.Attribute) (float64, bool) {
	if !a.Optional || a.Entity == nil {
		return 0, false
	}
	var count *numberText
	for _, e := range r.doc.Entities {
		if e.Key == a.Entity.Name {
			count = e.Value.Count
		}
	}
	if count == nil || count.Float64() <= 0 {
		return 0, false
	}
	for _, p := range r.doc.Patterns {
		d := p.Value
		t, ok := d.Where.Condition.(*spec.Test)
		if string(d.Read) != a.Entity.Name || len(d.Given) > 0 || !ok || t.Op != "exists" || len(t.Path) != 1 || t.Path[0] != a.Name || d.Results == nil || d.Results.Average == nil {
			continue
		}
		if share := d.Results.Average.Float64() / count.Float64(); share <= 1 {
			return share, true
		}
	}
	return 0, false
}

// count reads {average, max} of a number of things.
func (r *requirementsReader) count(d *countDoc, path []string) spec.Size {
	if d == nil || d.Average == nil {
		return spec.Size{}
	}
	s := spec.Size{Average: d.Average.Float64(), Max: d.Average.Float64()}
	if d.Max != nil {
		s.Max = d.Max.Float64()
	}
	if s.Average < 0 || s.Average > s.Max {
		r.spread(path, s.Average, s.Max)
	}
	return s
}

// bytes reads {average, max} of a size.
func (r *requirementsReader) bytes(d *sizeDoc, path []string) (spec.Size, bool) {
	if d == nil || d.Average == nil {
		return spec.Size{}, false
	}
	s := spec.Size{Average: float64(*d.Average), Max: float64(*d.Average)}
	if d.Max != nil {
		s.Max = float64(*d.Max)
	}
	if s.Average > s.Max {
		r.spread(path, s.Average, s.Max)
	}
	return s, true
}
