package generate

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// check is one line of a checklist: ticked if ok.
type check struct {
	ok   bool
	text string
}

func (p *page) checks(list []check) {
	var out []string
	for _, c := range list {
		box := "[ ] "
		if c.ok {
			box = "[x] "
		}
		out = append(out, box+c.text)
	}
	p.list(out...)
}

// every is a check that all of some things hold.
func every[T any](list []T, holds func(T) bool, name func(T) string, format string) check {
	var missing []string
	for _, x := range list {
		if !holds(x) {
			missing = append(missing, name(x))
		}
	}
	text := fmt.Sprintf(format+" (%d of %d)", len(list)-len(missing), len(list))
	if len(missing) > 0 {
		text += "; not: " + show.List(codes(missing[:min(len(missing), 6)]))
		if len(missing) > 6 {
			text += fmt.Sprintf(" and %d more", len(missing)-6)
		}
	}
	return check{len(missing) == 0, text}
}

// checklist says what the requirements state and what follows, each line computed.
func (in *Input) checklist(p *page) {
	r := in.Requirements
	p.heading(2, "Checklist")
	p.text("Computed from the requirements, the model and the proof.")
	entity := func(e *spec.Entity) string { return e.Name }
	pattern := func(x *spec.Pattern) string { return x.Name }
	var followed []*spec.Relationship
	for _, e := range r.Entities {
		for _, x := range e.There {
			if in.followedBack(x) {
				followed = append(followed, x)
			}
		}
	}
	own := slices.DeleteFunc(slices.Clone(r.Entities), func(e *spec.Entity) bool { return e.External })
	list := []check{
		every(r.Patterns, func(x *spec.Pattern) bool { return x.Rate.Peak > 0 }, pattern, "Every access pattern has an average and a peak rate"),
		every(r.Entities, func(e *spec.Entity) bool { return e.Bytes.Average > 0 && e.Count > 0 }, entity, "Every entity has a size and a number"),
		every(r.Entities, func(e *spec.Entity) bool { return rest(e) == nil }, entity, "Every entity's attributes add up to its stated size"),
		every(own, in.created, entity, "Every entity has an access pattern that creates it"),
		every(own, in.read, entity, "Every entity is read by an access pattern"),
		every(followed, func(x *spec.Relationship) bool { return x.PerParent.Stated }, func(x *spec.Relationship) string { return x.From.Name + "." + x.Name },
			"Every relationship that a read follows from its parent has its number of children, average and most"),
		every(r.Entities, func(e *spec.Entity) bool { return max(e.Bytes.Max, e.Bytes.Average) <= itemLimit }, entity,
			fmt.Sprintf("Every entity fits into an item of 400 KB: the largest is %s with %s", in.largest().Name, show.Bytes(max(in.largest().Bytes.Max, in.largest().Bytes.Average)))),
		every(r.Patterns, func(x *spec.Pattern) bool {
			return x.Writes() || x.Page > 0 || x.Top > 0 || x.Whole || one(x) || x.Results.Max*x.Read.Bytes.Average <= 1<<20
		}, pattern,
			"Every read is bounded: one entity, a page, a top list, or at most 1 MB"),
		every(r.Patterns, func(x *spec.Pattern) bool { return in.Program.Procedure(x.Name) != nil }, pattern, "Every access pattern has a plan in the model"),
		every(r.Patterns, func(x *spec.Pattern) bool { return x.Whole || !in.scans(x) }, pattern, "No access pattern is served by a scan, unless it asks for the whole set"),
		every(r.Patterns, func(x *spec.Pattern) bool { return !in.tooLate(x) }, pattern, "No access pattern that must be strongly consistent reads a global index"),
	}
	if in.Proof != nil {
		list = append(list, every(r.Patterns, func(x *spec.Pattern) bool { v := in.Proof.pattern(x.Name); return v != nil && v.Proven }, pattern, "Every access pattern is proven"))
	} else {
		list = append(list, check{false, "The model has not been proven"})
	}
	if n := slices.IndexFunc(r.Patterns, func(x *spec.Pattern) bool { return x.Latency > 0 }); n >= 0 {
		list = append(list, every(r.Patterns, func(x *spec.Pattern) bool { return x.Latency > 0 }, pattern, "Every access pattern has a latency goal"))
	}
	p.checks(list)
}

func (in *Input) created(e *spec.Entity) bool {
	return slices.ContainsFunc(in.Requirements.Patterns, func(x *spec.Pattern) bool {
		return slices.ContainsFunc(x.Actions, func(a *spec.Action) bool {
			return (a.Verb == spec.Create || a.Verb == spec.Upsert || a.Makes) && (a.Entity == e || slices.Contains(inside(a), e))
		})
	})
}

func (in *Input) read(e *spec.Entity) bool {
	return slices.ContainsFunc(in.Requirements.Patterns, func(x *spec.Pattern) bool {
		return !x.Writes() && (slices.Contains(answers(x), e) || slices.ContainsFunc(walks(x), func(w walk) bool { return w.end == e }))
	})
}

// scans reports whether the plan of a pattern scans.
func (in *Input) scans(x *spec.Pattern) bool {
	proc := in.Program.Procedure(x.Name)
	return proc != nil && slices.ContainsFunc(proc.Stages, func(s *plan.Stage) bool { return s.Verb == plan.Scan && !s.Handful() })
}

// tooLate reports whether a pattern that sees everything answered before reads what may lag.
func (in *Input) tooLate(x *spec.Pattern) bool {
	proc := in.Program.Procedure(x.Name)
	return proc != nil && !x.Writes() && x.Consistency != "eventual" && slices.ContainsFunc(proc.Stages, func(s *plan.Stage) bool { return s.Access != nil && s.Access.Global() })
}
