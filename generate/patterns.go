package generate

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/spec"
)

// patterns is the table of access patterns.
func (in *Input) patterns(p *page) {
	p.heading(2, "Access patterns")
	reads, writes := in.rates()
	p.text("%s reads and %s writes. A page is a call; the status is the verdict of the proof that %s ends with.", show.Number(float64(in.count(false))), show.Number(float64(in.count(true))), DataModelFile)
	var rows [][]string
	for i, x := range in.Requirements.Patterns {
		all := reads
		if x.Writes() {
			all = writes
		}
		rows = append(rows, []string{
			show.Number(float64(i + 1)), code(x.Name), patternType(x), patternInput(x), patternAnswer(x), results(x),
			show.Number(x.Rate.Average), show.Number(x.Rate.Peak), share(x.Rate.Average, all.Average), skew(x), consistency(x), latency(x), in.status(x), x.Note,
		})
	}
	p.table([]string{">#", "access pattern", "type", "attributes given", "answer or effect", ">entities per value (most)", ">average/s", ">peak/s", ">share of reads or writes", "spread", "consistency", "latency goal", "status", "note"}, rows)
}

func (in *Input) count(writes bool) int {
	n := 0
	for _, x := range in.Requirements.Patterns {
		if x.Writes() == writes {
			n++
		}
	}
	return n
}

func share(part, all float64) string {
	if all <= 0 {
		return ""
	}
	if part > 0 && part/all < 0.001 {
		return "< 0.1 %"
	}
	return show.Percent(part / all)
}

func skew(x *spec.Pattern) string {
	return x.SkewText()
}

func latency(x *spec.Pattern) string {
	if x.Latency == 0 {
		return ""
	}
	return "99 % within " + spec.FormatDuration(x.Latency)
}

func consistency(x *spec.Pattern) string {
	if x.Staleness > 0 {
		return x.Consistency + ", at most " + spec.FormatDuration(x.Staleness) + " old"
	}
	return x.Consistency
}

// patternType is what a pattern does, in a word or two.
func patternType(x *spec.Pattern) string {
	switch {
	case x.Writes() && len(x.Actions) > 1 || x.Writes() && len(x.Actions[0].With) > 0:
		if x.Atomic {
			return "write, all or nothing"
		}
		return "write of several"
	case x.Writes():
		return "write: " + string(x.Actions[0].Verb)
	case len(x.Aggregates) > 0:
		return "read: aggregate"
	case x.Whole:
		return "read: the whole set"
	case x.Page > 0:
		return "read: pages of " + show.Number(float64(x.Page))
	case x.Top > 0:
		return "read: top " + show.Number(float64(x.Top))
	case one(x):
		return "read: one"
	}
	return "read: all of a value"
}

// one reports whether at most one entity answers a read: its whole identity is given, or there is no more than one.
func one(x *spec.Pattern) bool {
	if x.Results.Max <= 1 && x.Results.Average > 0 {
		return true
	}
	for _, a := range x.Read.Identity {
		if !slices.ContainsFunc(x.Given, func(g spec.Path) bool { return len(g) == 1 && g[0] == a.Name }) {
			return false
		}
	}
	return true
}

// patternInput is what a call passes in.
func patternInput(x *spec.Pattern) string {
	var out []string
	for _, q := range x.Parameters {
		name := code(q.Name)
		if q.Entity != nil {
			name += " (" + q.Entity.Name
			if len(q.With) > 0 {
				name += " with " + strings.Join(q.With, ", ")
			}
			name += ")"
		}
		if q.Optional {
			name += "?"
		}
		out = append(out, name)
	}
	return strings.Join(out, ", ")
}

// patternAnswer is what comes back, or what changes.
func patternAnswer(x *spec.Pattern) string {
	if x.Writes() {
		var out []string
		for _, a := range x.Actions {
			verb := a.Verb
			if a.Makes {
				verb = spec.Upsert
			}
			text := string(verb) + " " + a.Entity.Name
			if len(a.With) > 0 {
				text += " with " + strings.Join(a.With, ", ")
			}
			if len(a.Each) > 0 {
				text += " for each of " + code(a.Each.String())
			}
			var set []string
			for _, s := range a.Set {
				set = append(set, s.Path.String())
			}
			if len(set) > 0 {
				text += " (" + strings.Join(set, ", ") + ")"
			}
			if a.Condition != nil {
				text += " if " + code(a.Condition.String())
				if a.Refusal != "" {
					text += ", else " + code(a.Refusal)
				}
			}
			out = append(out, text)
		}
		return strings.Join(out, "; ")
	}
	text := x.Read.Name
	if len(x.Aggregates) > 0 {
		var names []string
		for _, a := range x.Aggregates {
			names = append(names, a.Name)
		}
		text = strings.Join(names, ", ") + " of " + text
	}
	if len(x.With) > 0 {
		var names []string
		for _, w := range x.With {
			names = append(names, w.String())
		}
		text += " with " + strings.Join(names, ", ")
	}
	if len(x.Returns) > 0 {
		var names []string
		for _, w := range x.Returns {
			names = append(names, w.String())
		}
		if x.All {
			text += " and " + strings.Join(names, ", ")
		} else {
			text += ": " + strings.Join(names, ", ")
		}
	}
	if x.Where != nil {
		text += " where " + code(x.Where.String())
	}
	if len(x.Order) > 0 {
		var keys []string
		for _, o := range x.Order {
			k := o.Path.String()
			if o.Descending {
				k += " descending"
			}
			keys = append(keys, k)
		}
		text += ", by " + strings.Join(keys, ", ")
	}
	return text
}

func results(x *spec.Pattern) string {
	if x.Writes() || one(x) {
		return ""
	}
	return size(x.Results)
}

// status is the proof's verdict.
func (in *Input) status(x *spec.Pattern) string {
	if in.Proof == nil {
		return "planned, not proven"
	}
	r := in.Proof.pattern(x.Name)
	switch {
	case r == nil:
		return "no plan"
	}
	return r.verdict()
}
