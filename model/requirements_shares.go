package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
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
	listed := r.listedShares(a)
	switch {
	case d.Share == nil && len(listed) > 0:
		if share, ok := listed[""]; ok && a.Optional {
			a.Present = share
			break
		}
		sum := 0.0
		for _, share := range listed {
			sum += share
		}
		if _, ok := listed[""]; !ok && sum <= 1 && (len(listed) < len(values) || sum > 1-1e-9) {
			stated = listed
		}
	case d.Share == nil:
		if a.Optional && d.Derived == nil && !r.isBroken(at...) {
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

// listedShares are the shares of an attribute's values that lists of all that have them imply by their results, "" of those
// that have any. What is stated as a share is held against them once patterns are read.
func (r *requirementsReader) listedShares(a *spec.Attribute) map[string]float64 {
	out := map[string]float64{}
	e := a.Entity
	if e == nil || e.Attribute(a.Name) != a || a.Reference != nil {
		return out
	}
	count := r.countOf(e)
	for i := range r.doc.Patterns {
		d := &r.doc.Patterns[i].Value
		if string(d.Read) != e.Name || d.Given != nil || d.Optional != nil || d.Results == nil || d.Results.Average == nil || count <= 0 {
			continue
		}
		name, values := listedBy(d.Where.Condition)
		if share := d.Results.Average.Float64() / count; name == a.Name && len(values) == 1 && share > 0 && share <= 1 {
			out[values[0]] = share
		}
	}
	return out
}

// listedBy is the attribute whose values alone a condition tests against constants, and the values that it allows: "" for any.
func listedBy(c spec.Condition) (name string, values []string) {
	t, ok := c.(*spec.Test)
	if !ok || len(t.Path) != 1 {
		return "", nil
	}
	switch t.Op {
	case "exists":
		return t.Path[0], []string{""}
	case "=", "in":
		for _, v := range t.Args {
			switch {
			case v.Op != "" || v.Neg || v.Duration:
				return "", nil
			case len(v.Path) == 1:
				values = append(values, v.Path[0])
			case v.Literal.Kind() == attr.KindS, v.Literal.Kind() == attr.KindBOOL:
				values = append(values, spec.ConstantText(v.Literal))
			default:
				return "", nil
			}
		}
		return t.Path[0], values
	}
	return "", nil
}

// listDisagrees compares the results of a list of all that have a value with the share that is stated of it.
func (r *requirementsReader) listDisagrees(p *spec.Pattern, d *patternDoc) {
	e := p.Read
	if e == nil || len(p.Given) > 0 || len(p.Optional) > 0 || d.Results == nil || e.Count == 0 || e.Expires != nil {
		return
	}
	name, values := listedBy(p.Where)
	a := e.Attribute(name)
	if a == nil || a.Derived != nil {
		return
	}
	share := 0.0
	for _, v := range values {
		if v == "" {
			share = a.Present
			continue
		}
		for _, s := range a.Shares {
			if s.Value == v {
				share += float64(s.Of * a.Present)
			}
		}
	}
	if len(values) == 0 || share == 0 && len(a.Shares) == 0 && values[0] != "" {
		return // nothing is said of its values
	}
	found := p.Results.Average
	if same(found, share*e.Count) {
		return
	}
	stated, of := found/e.Count, ""
	if a.Optional && values[0] != "" { // a share of a value is one of those that have any
		stated, of = stated/a.Present, fmt.Sprintf(", as %s%% have any %s", figure(a.Present*100), name)
	}
	remedy := "correct the results or the count"
	if stated <= 1 {
		remedy = "write `share: " + percent(stated, values) + "` at " + name + ", or " + remedy
	}
	r.warnAt([]string{"patterns", p.Name, "results"}, "share-disagrees", remedy,
		"%s finds %s %s, but with a share of %s%% of %s there are %s%s", p.Name, spec.FormatNumber(found), e.Name, figure(share*100), spec.FormatNumber(e.Count), figure(share*e.Count), of)
}

// percent is how a share is stated: of what is there at all, or of one value.
func percent(share float64, values []string) string {
	text := figure(share*100) + "%"
	if len(values) == 1 && values[0] != "" {
		return "{" + values[0] + ": " + text + "}"
	}
	if len(values) > 1 {
		return "{" + strings.Join(values, ": …, ") + ": …}"
	}
	return text
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
