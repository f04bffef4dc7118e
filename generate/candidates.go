package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// identifying analyses children that belong to a parent: do their reads know the parent's key?
func (in *Input) identifying(p *page) {
	var rows [][]string
	for _, e := range in.Requirements.Entities {
		r := e.Parent
		if r == nil {
			continue
		}
		knows, reads := 0.0, 0.0
		var others []string
		for _, x := range in.Requirements.Patterns {
			if x.Writes() || x.Read != e {
				continue
			}
			reads += x.Rate.Average
			if givenBy(x, r) {
				knows += x.Rate.Average
			} else {
				others = append(others, x.Name)
			}
		}
		what := "no read starts at " + e.Name + ": it comes with its parent"
		if reads > 0 {
			what = fmt.Sprintf("%s of %s reads/s (%s)", show.Number(knows), show.Number(reads), show.Percent(knows/reads))
		}
		rows = append(rows, []string{e.Name + " of " + r.To.Name, what, in.under(e, r), strings.Join(codes(others), ", "), in.otherWays(e, others)})
	}
	if len(rows) == 0 {
		return
	}
	p.heading(2, "Identifying relationships")
	p.text("A child that lives and dies with its parent can lie under the parent's key. Whatever reads it with that key then needs no index; each index that is " +
		"saved saves one more write per change and one more copy in storage.")
	p.table([]string{"child of parent", "reads that give the parent's key", "in the model", "reads that do not", "and what serves these"}, rows)
}

// under says where a child lies, as seen from its parent.
func (in *Input) under(e *spec.Entity, r *spec.Relationship) string {
	how, text := in.place(r.To, e)
	k := in.home(e)
	switch {
	case how == "one item":
		return text
	case k == nil:
		return "inside another item"
	case keyedBy(k, r):
		return "under the parent's key in " + code(k.Table.Name)
	}
	return "table " + code(k.Table.Name) + ", under a key of its own"
}

// keyedBy reports whether a kind's partition key is made of the foreign key of a relationship.
func keyedBy(k *plan.Kind, r *spec.Relationship) bool {
	for _, w := range k.Table.Base.Partition {
		rec := k.Recipe(w.Name)
		if rec == nil {
			return false
		}
		for _, part := range rec.Parts {
			if part.Path == nil || len(part.Path) != 1 || !slices.ContainsFunc(r.By, func(a *spec.Attribute) bool { return a.Name == part.Path[0] }) {
				return false
			}
		}
	}
	return true
}

// otherWays are the tables and indexes that serve patterns, with what the indexes among them cost a month.
func (in *Input) otherWays(e *spec.Entity, patterns []string) string {
	var out []string
	for _, name := range patterns {
		proc := in.Program.Procedure(name)
		if proc == nil {
			continue
		}
		for _, s := range proc.Stages {
			if s.Verb != plan.Query && s.Verb != plan.Scan {
				if s.Kind != nil && !s.Verb.Writes() {
					out = appendNew(out, code(s.Kind.Table.Name))
				}
				continue
			}
			text := code(s.Access.Name())
			if s.Access.Index != "" {
				bill := in.Price.Place(s.Access.Name()).Bill
				text += fmt.Sprintf(" (%s a month for writes and storage)", bill.Writes+bill.Storage)
			}
			out = appendNew(out, text)
		}
	}
	return strings.Join(out, ", ")
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// consolidation looks at pairs of parent and child that could share an item or a table.
func (in *Input) consolidation(p *page) {
	var rows [][]string
	for _, x := range in.pairs() {
		if x.way == nil || !x.way.PerParent.Stated {
			continue
		}
		average, most := x.union()
		bounded := most <= itemLimit
		bound := fmt.Sprintf("%s, at most %s", show.Bytes(average), show.Bytes(most))
		var verdict string
		switch c := x.correlation(); {
		case !bounded:
			verdict = "apart: not bounded by 400 KB"
		case c < 0.3:
			verdict = "apart: needed together too rarely"
		case c > 0.5 && x.way.Identifying:
			verdict = "merge"
		default:
			verdict = "cost decides"
		}
		how, text := in.place(x.a, x.b)
		if apart := strings.HasPrefix(verdict, "apart"); apart && how != "apart" || verdict == "merge" && how == "apart" {
			text += "; the rule is overruled" + in.because(x, how)
		}
		rows = append(rows, []string{
			x.a.Name + " with its " + x.b.Name, yes(x.way.Identifying), show.Percent(x.correlation()), show.Number(x.way.PerParent.Average) + " (" + show.Number(x.way.PerParent.Max) + ")", bound,
			fmt.Sprintf("%s of %s", show.Number(x.writesBoth), show.Number(x.writesA+x.writesB+x.writesBoth)), verdict, text, in.forced(x),
		})
	}
	if len(rows) == 0 {
		return
	}
	p.heading(2, "Consolidation candidates")
	p.text("Parents and children that could share an item or a table. The rule says merge if more than half of the reads need both, the child lives with its parent and the whole " +
		"stays below 400 KB; apart if fewer than 30 %% do or the whole is not bounded; in between, cost decides.")
	p.table([]string{"candidate", "lives with it", ">read together", ">children (most)", "together", ">writes/s of both, of either", "rule", "decision", "the alternatives, for the whole model"}, rows)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// forced are the alternatives that the design has priced for one of a pair, as differences to what was chosen: those that
// would bring it nearer to the other, and of a child that belongs to it also those that keep it apart.
func (in *Input) forced(x *pair) string {
	var out []string
	for _, d := range in.decisions() {
		if d.About != x.b.Name && d.About != x.a.Name+"."+x.way.Inverse {
			continue
		}
		for _, r := range d.Rejected {
			near := strings.Contains(r.What, " of its "+x.a.Name) && !strings.Contains(r.What, " again ")
			apart := x.way.Identifying && strings.HasPrefix(r.What, "items of their own")
			if r.Cost > 0 && d.Cost > 0 && (near || apart) {
				out = append(out, r.What+": "+Difference(r.Cost-d.Cost))
			}
		}
	}
	return strings.Join(out[:min(len(out), 3)], "; ")
}

// names reports whether what a decision is about is a name, or something of it.
func names(about, name string) bool {
	return about == name || strings.HasPrefix(about, name+".")
}
