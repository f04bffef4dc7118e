package design

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

// explained is the model as it stands, with what was decided: the search's decisions, which priced alternatives in
// tables of their own, behind those on the one table.
func (s *overload) explained() *plan.Model {
	m := s.model()
	names := map[string]string{} // of indexes
	var mine []plan.Decision
	before := cost.Price(s.was, s.prices)
	program, _ := plan.Compile(m, s.req)
	after := cost.Price(program, s.prices)
	total := after.Total().Dollars()
	for _, g := range s.groups() {
		t := tableOf(m, g[0].root().Name)
		mine = append(mine, s.whyOne(t, g, before, after))
		for _, o := range s.indexes {
			if slices.Contains(g, o.of) {
				names[o.was.Name()] = t + "." + indexNumbered(o.number)
			}
		}
		for n := range len(s.lying(g)) {
			if d, ok := s.whyShared(t, n+1, g); ok {
				d.Cost = total
				mine = append(mine, d)
			}
		}
	}
	for _, j := range s.tables {
		if j.apart != "" {
			mine = append(mine, plan.Decision{About: j.was.Name, Rule: "table of its own", Because: "Is not part of the one table: " + j.apart + ".", Cost: total})
		}
	}
	m.Decisions = mine
	now := renamer(names)
	for _, d := range s.from.Decisions {
		if names[d.About] != "" {
			continue // it is told by what it shares
		}
		d.Because = now.Replace(d.Because)
		d.Inputs = slices.Clone(d.Inputs)
		for i := range d.Inputs {
			d.Inputs[i].Value = now.Replace(d.Inputs[i].Value)
		}
		d.Rejected = slices.Clone(d.Rejected)
		for i, r := range d.Rejected {
			d.Rejected[i].What, d.Rejected[i].Because = now.Replace(r.What), now.Replace(r.Because)
		}
		m.Decisions = append(m.Decisions, d)
	}
	return m
}

// tableOf is the table that an item lies in.
func tableOf(m *plan.Model, item string) string {
	for _, t := range m.Tables {
		if _, ok := t.Items[item]; ok {
			return t.Name
		}
	}
	return ""
}

// renamer replaces names of indexes, the longest first.
func renamer(names map[string]string) *strings.Replacer {
	var old []string
	for n := range names {
		old = append(old, n)
	}
	slices.SortFunc(old, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, n := range old {
		pairs = append(pairs, n, names[n])
	}
	return strings.NewReplacer(pairs...)
}

// whyOne says what one table holds, and what that costs.
func (s *overload) whyOne(table string, g []*joining, before, after *cost.Report) plan.Decision {
	var names []string
	for _, j := range g {
		names = append(names, j.was.Name)
	}
	most := len(s.lying(g))
	on := 0
	for _, o := range s.lying(g) {
		on = max(on, o.number)
	}
	where := "a table of its own"
	if len(g) > 1 {
		where = show.Count(len(g), "table", "") + " of their own"
	}
	text := "The school single-table is asked for. This table holds what the search put into " + where + ": " + show.List(names)
	if most > 1 {
		text += fmt.Sprintf("; %d indexes lie on %d", most, on)
	}
	text += "."
	more := after.Total() - before.Total()
	text += " Literals and generic attributes make items larger, a shared index projects what the widest of its entries need, and what keys tell is stored once."
	text += " The alternatives below were priced in tables of their own."
	d := plan.Decision{About: table, Rule: SingleTable, Because: text, Cost: after.Total().Dollars()}
	for _, x := range []struct {
		name     string
		was, now capacity.Money
	}{
		{"reads", before.Bill.Reads, after.Bill.Reads}, {"writes", before.Bill.Writes, after.Bill.Writes},
		{"storage", before.Bill.Storage, after.Bill.Storage}, {"streams", before.Bill.Streams, after.Bill.Streams},
	} {
		if x.was.String() != x.now.String() {
			d.Inputs = append(d.Inputs, plan.Input{Name: x.name, Value: fmt.Sprintf("%s a month, %s in tables of their own", x.now, x.was)})
		}
	}
	why := "one table is asked for"
	if more < 0 {
		why += "; here it is the cheaper one"
	}
	d.Rejected = []plan.Rejected{{What: "the same in tables of their own (school aggregates)", Cost: before.Total().Dollars(), Because: why}}
	return d
}

// whyShared says what lies on one index; false if none has the number.
func (s *overload) whyShared(table string, number int, g []*joining) (plan.Decision, bool) {
	d := plan.Decision{About: table + "." + indexNumbered(number), Rule: "overloaded index"}
	var texts []string
	for _, o := range s.lying(g) {
		if o.number != number {
			continue
		}
		for _, was := range s.from.Decisions {
			if was.About != o.was.Name() {
				continue
			}
			texts = append(texts, strings.TrimSuffix(was.Because, "."))
			for _, in := range was.Inputs {
				d.Inputs = append(d.Inputs, plan.Input{Name: in.Name + " of " + was.About + ", apart", Value: in.Value})
			}
		}
		switch {
		case o.whole:
			texts = append(texts, "It is scanned, so that nothing else lies on it")
		case o.bare, o.native:
			texts = append(texts, "It is not shared: its key is made of attributes of their own, not of one text, for "+o.why)
			d.Rule = "index of attributes"
		}
	}
	if len(texts) == 0 && len(d.Inputs) == 0 {
		return d, false
	}
	d.Because = strings.Join(texts, ". ") + "."
	return d, true
}
