package model

import (
	"fmt"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// describe prints requirements as resolved, so that tests can compare and show them.
func describe(r *spec.Requirements) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	size := func(s spec.Size) string {
		if s.Average == s.Max {
			return spec.FormatNumber(s.Max)
		}
		return spec.FormatNumber(s.Average) + " to " + spec.FormatNumber(s.Max)
	}
	names := func(as []*spec.Attribute) string {
		var n []string
		for _, a := range as {
			n = append(n, a.Name)
		}
		return strings.Join(n, ",")
	}
	var attribute func(indent string, a *spec.Attribute)
	attribute = func(indent string, a *spec.Attribute) {
		p("%s%s: %s, %s bytes%s", indent, a.Name, a.Kind(), size(a.Bytes), facts(a, size))
		for _, f := range a.Fields {
			attribute(indent+"  ", f)
		}
		if a.Of != nil {
			attribute(indent+"  of ", a.Of)
		}
	}
	app := r.Application
	app.Streams = nil
	p("%+v", app)
	for _, e := range r.Application.Streams {
		p("stream of %s", e.Name)
	}
	for _, w := range r.Workflows {
		p("workflow %s of %d patterns", w.Name, len(w.Patterns))
	}
	for _, a := range r.Accept {
		p("accept %s of %s: %s", a.Code, a.Of, a.Because)
	}
	for _, e := range r.Entities {
		p("%s: identity %s, %s bytes, %s stored, %s created", e.Name, names(e.Identity), size(e.Bytes), spec.FormatNumber(e.Count), spec.FormatRate(e.Growth))
		if e.Retention > 0 {
			p("  kept %s", spec.FormatDuration(e.Retention))
			if e.After != nil {
				p("    after %s", e.After.Name)
			}
		}
		if e.Expires != nil {
			p("  expires at %s", e.Expires.Name)
		}
		for _, u := range e.Unique {
			p("  unique %s", names(u.Of))
			if u.While != nil {
				p("    while %s", u.While)
			}
		}
		for _, a := range e.Attributes {
			attribute("  ", a)
		}
		for _, w := range e.There {
			p("  way there %s to %s by %s, back %q, parent %v, %v", w.Name, w.To.Name, names(w.By), w.Inverse, w.Identifying, w.PerParent)
		}
	}
	for _, q := range r.Patterns {
		p("%s: rate %s to %s, skew %s, %s", q.Name, spec.FormatRate(q.Rate.Average), spec.FormatRate(q.Rate.Peak), spreads(q), q.Consistency)
		if q.Read != nil {
			p("  read %s given %v where %v with %v returns %v all %v aggregates %v order %v", q.Read.Name, q.Given, q.Where, q.With, q.Returns, q.All, q.Aggregates, orders(q.Order))
			p("  page %d top %d whole %v results %s", q.Page, q.Top, q.Whole, size(q.Results))
		}
		for _, a := range q.Actions {
			p("  %s %s value %v with %v each %v key %v set %v remove %v if %v else %q requires %d", a.Verb, a.Entity.Name, a.Value, a.With, a.Each, assigns(a.Key), assigns(a.Set), a.Remove, a.Condition, a.Refusal, len(a.Requires))
		}
		for _, x := range q.Parameters {
			what := ""
			if x.Entity != nil {
				what = "a whole " + x.Entity.Name + fmt.Sprint(x.With)
			} else {
				what = x.Like.Kind() + " like " + x.Like.Name
			}
			if x.List {
				what = "list of " + size(x.Length) + " " + what
			}
			p("  $%s %s from %v to %v, stated %v", x.Name, what, x.Min, x.Max, x.Stated)
			if x.Like != nil {
				for _, f := range x.Like.Fields {
					attribute("    ", f)
				}
			}
		}
	}
	return b.String()
}

func orders(keys []spec.Order) (out []string) {
	for _, k := range keys {
		text := k.Path.String()
		if k.Descending {
			text += " descending"
		}
		if k.First {
			text += ", missing first"
		}
		out = append(out, text)
	}
	return out
}

func facts(a *spec.Attribute, size func(spec.Size) string) string {
	s := ""
	add := func(yes bool, format string, args ...any) {
		if yes {
			s += ", " + fmt.Sprintf(format, args...)
		}
	}
	add(a.Reference != nil, "foreign key")
	add(a.States != nil, "states %v", a.States)
	add(a.Enum != nil, "enum %v", a.Enum)
	add(a.Sorts != spec.Unsorted, "sorts %v", a.Sorts)
	add(a.Shares != nil, "shares %v", a.Shares)
	add(a.Distinct > 0, "%v values, %v the most frequent", a.Distinct, a.Hottest)
	add(a.Optional, "optional, present %v", a.Present)
	add(a.Generated != "", "generated %s", a.Generated)
	add(a.Derived != nil, "derived %v", a.Derived)
	add(a.Sequence != nil, "sequence")
	add(a.Type == spec.Number, "digits %d.%d from %v to %v", a.Digits, a.Scale, a.Min, a.Max)
	add(a.Length.Max > 0, "%s elements", size(a.Length))
	add(a.Rest, "rest")
	return s
}

func spreads(q *spec.Pattern) string {
	if text := q.SkewText(); text != "" {
		return text
	}
	return "uniform"
}

// assigns tells what paths get, and what a call may leave out.
func assigns(as []spec.Assign) []string {
	out := []string{}
	for _, a := range as {
		text := "{" + a.Path.String() + " " + a.Value.String() + "}"
		if a.Optional {
			text += "?"
		}
		out = append(out, text)
	}
	return out
}
