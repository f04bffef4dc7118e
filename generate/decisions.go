package generate

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// aggregateDecisions says where every entity lives, and why.
func (in *Input) aggregateDecisions(p *page) {
	p.heading(2, "Aggregate decisions")
	var rows [][]string
	for _, e := range in.Requirements.Entities {
		if e.External {
			rows = append(rows, []string{e.Name, "elsewhere", "Another system keeps it: here it is only referred to."})
			continue
		}
		rows = append(rows, []string{e.Name, in.lives(e.Name), in.grounds(e)})
	}
	p.table([]string{"entity", "lives", "because"}, rows)
	in.rejected(p)
}

// rejections is how many alternatives of one decision the document shows; model.yaml has all.
const rejections = 4

// rejected lists what was decided against, the nearest alternatives first.
func (in *Input) rejected(p *page) {
	var rows [][]string
	counted := false
	for _, d := range in.decisions() {
		rest := slices.Clone(d.Rejected)
		slices.SortStableFunc(rest, func(a, b plan.Rejected) int {
			return cmp.Or(boolOrder(a.Cost == 0, b.Cost == 0), cmp.Compare(a.Cost, b.Cost))
		})
		for i, r := range rest[:min(len(rest), rejections)] {
			about, rule := "", ""
			if i == 0 {
				about, rule = code(d.About), Rule(in.Program, d)
			}
			cost, remark := "not possible", in.named(Impossible(in.Requirements, d, r))
			if r.Cost > 0 {
				cost, remark = Difference(r.Cost-d.Cost), Remark(r)
				if r.Cost < d.Cost-0.005 && remark == "" {
					remark = "cheaper, less simple: within the 2 % that simplicity may cost"
				}
			}
			counted = counted || strings.Contains(remark, "complexity")
			rows = append(rows, []string{about, rule, in.named(r.What), cost, remark})
		}
	}
	if len(rows) == 0 {
		return
	}
	p.text("What was decided against. The difference is that of the whole model's month, with the alternative forced and everything else chosen anew. At most %d alternatives of a decision are shown; `model.yaml` has all, with the figures that each decision rests on.", rejections)
	p.text("How alternatives are written: `{a; b}` is a key with the partition `a` and the sort key `b`; several names on one side of the semicolon make that side together, in a global index as " +
		"attributes of their own, in a table joined into one text. *keys* is an index that holds keys only, from which the items are then read in the table; *local* is a local secondary index; " +
		"*map*, *list* and *value* are how children lie inside an item.")
	p.table([]string{"decision", "rule", "alternative", ">difference", "remark"}, rows)
	if counted {
		p.text("%s", Complexity)
	}
}

// Complexity says what the designer counts when it compares how simple models are.
const Complexity = "Complexity counts what has to be understood and kept right: 3 for each table, 2 for a global index, 1 for a local one, for what is stored twice, for a marker of a unique value, " +
	"for a transaction, and for each step of a read that waits for another or sorts at the client; 3 for a division into shards. Of models within 2 % of the cheapest the simplest is chosen."

// Rule is the name of the rule that a decision follows. An index with a sort key is called multi-attribute only if a part
// of its key has several attributes: that is what tools have to support.
func Rule(program *plan.Program, d plan.Decision) string {
	if d.Rule != "multi-attribute index" {
		return d.Rule
	}
	table, index, _ := strings.Cut(d.About, ".")
	if t := program.Table(table); t != nil && index != "" {
		if x := t.Access(index); x != nil && !multi(x) {
			return "global secondary index"
		}
	}
	return d.Rule
}

var pointsText = regexp.MustCompile(`is less simple \((\d+) points to (\d+)[^)]*\)`)

// Remark is what is to be said of an alternative besides its price.
func Remark(r plan.Rejected) string {
	rest, same := strings.CutPrefix(r.Because, "costs the same, and ")
	_, less, cheaper := strings.Cut(r.Because, " less a month, within 2 %, and ")
	switch {
	case same:
	case cheaper:
		rest = less
	case strings.HasPrefix(r.Because, "costs "):
		return "" // the difference says it
	default:
		return r.Because
	}
	rest = pointsText.ReplaceAllString(rest, "less simple (complexity $1 instead of $2)")
	rest = strings.Replace(rest, "reads by identity need", "reads by identity would need", 1)
	if cheaper {
		return "cheaper, but " + rest
	}
	return "but " + rest
}

// unexplained is what the designer says of an alternative under which some access pattern has no plan.
const unexplained = "no model serves all patterns with it"

var keyOf = regexp.MustCompile(`key \{([^}]*)\}`)

// Impossible is why an alternative cannot be. Where the designer says only that something has no plan, the access pattern is
// looked for that must see the latest state and does not know the key.
func Impossible(req *spec.Requirements, d plan.Decision, r plan.Rejected) string {
	why := strings.TrimPrefix(strings.TrimPrefix(r.Because, "inadmissible: "), unexplained+": ")
	if why == unexplained {
		why = "an access pattern would have no plan"
	} else if !strings.HasPrefix(why, "no plan serves ") {
		return why
	}
	m := keyOf.FindStringSubmatch(r.What)
	if m == nil {
		return why
	}
	partition, sort, _ := strings.Cut(m[1], "; ")
	for _, x := range req.Patterns {
		if x.Consistency == "eventual" {
			continue
		}
		writes := slices.ContainsFunc(x.Actions, func(a *spec.Action) bool {
			return a.Entity.Name == d.About && (a.Verb == spec.Update || a.Verb == spec.Delete)
		})
		if !writes && (x.Writes() || x.Read.Name != d.About) {
			continue
		}
		for _, name := range strings.Split(partition, ",") {
			if !states(x, name) {
				return fmt.Sprintf("%s must act on the latest state and does not state %s: only an index, which lags, would tell where the item is", x.Name, name)
			}
		}
		for _, name := range strings.Split(sort, ",") {
			if writes && name != "" && !states(x, name) {
				return fmt.Sprintf("%s does not state %s, which this key needs", x.Name, name)
			}
		}
	}
	return why
}

// states reports whether the callers of an access pattern pass in an attribute.
func states(x *spec.Pattern, name string) bool {
	return slices.ContainsFunc(x.Given, func(g spec.Path) bool { return g.String() == name }) || x.Parameter(name) != nil
}

// boolOrder puts what is false before what is true.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Difference is one in dollars a month, with its sign: +$1.20, or "the same".
func Difference(d float64) string {
	m := capacity.MoneyOf(d * float64(capacity.Dollar))
	if math.Abs(d) < 0.005 {
		return "the same"
	}
	if m < 0 {
		return m.String()
	}
	return "+" + m.String()
}

// reason is what decisions say about a name.
func (in *Input) reason(name string) string {
	var out []string
	for _, d := range in.decisions() {
		about := d.About == name || names(d.About, name) && in.Price.Place(d.About) == nil // Inventory is an entity, Inventory.ByWarehouse an index
		if about && d.Because != "" {
			out = append(out, sentence(d.Because))
		}
	}
	return strings.Join(out, " ")
}

// grounds is why an entity lives where it does: what the decisions say, else what its reads and writes say.
func (in *Input) grounds(e *spec.Entity) string {
	if why := in.reason(e.Name); why != "" {
		return in.named(why)
	}
	var with, alone []string
	together, all := 0.0, 0.0
	for _, x := range in.Requirements.Patterns {
		if x.Writes() {
			continue
		}
		got := answers(x)
		if !slices.Contains(got, e) {
			continue
		}
		all += x.Rate.Average
		if len(got) > 1 {
			together += x.Rate.Average
			with = append(with, x.Name)
		} else {
			alone = append(alone, x.Name)
		}
	}
	switch {
	case all == 0:
		if by := in.writers(e); len(by) > 0 {
			return "No read answers it; " + show.List(by) + map[bool]string{true: " writes it.", false: " write it."}[len(by) == 1]
		}
		return "No access pattern reads or writes it."
	case len(with) == 0:
		return fmt.Sprintf("No read answers it together with another entity: all %s/s ask for it alone.", show.Number(all))
	}
	text := fmt.Sprintf("%s of the %s reads/s that answer it want others with it (%s)", show.Number(together), show.Number(all), strings.Join(codes(with), ", "))
	if len(alone) > 0 {
		text += fmt.Sprintf("; %s for it alone", strings.Join(codes(alone), ", ")+map[bool]string{true: " asks", false: " ask"}[len(alone) == 1])
	}
	return text + "."
}

// Uses are the access patterns that answer or write an entity, alone or with others.
func Uses(r *spec.Requirements, entity string) []string {
	e := r.Entity(entity)
	var out []string
	for _, x := range r.Patterns {
		touched := x.Writes() && slices.ContainsFunc(x.Actions, func(a *spec.Action) bool { return a.Entity == e || slices.Contains(inside(a), e) })
		if e != nil && (touched || !x.Writes() && slices.Contains(answers(x), e)) {
			out = append(out, x.Name)
		}
	}
	return out
}

// writers are the access patterns that write an entity.
func (in *Input) writers(e *spec.Entity) []string {
	var out []string
	for _, x := range in.Requirements.Patterns {
		if slices.ContainsFunc(x.Actions, func(a *spec.Action) bool { return a.Entity == e || slices.Contains(inside(a), e) }) {
			out = append(out, code(x.Name))
		}
	}
	return out
}

// lives is where an entity is stored, all places.
func (in *Input) lives(e string) string {
	var out []string
	for _, t := range in.Program.Tables {
		for _, k := range t.Kinds {
			for _, m := range k.Embeds {
				if m.Child.Name == e {
					out = append(out, fmt.Sprintf("inside %s, as %s %s", k.Name, m.As, code(m.Attribute)))
				}
			}
			if k.Entity == nil || k.Entity.Name != e {
				continue
			}
			switch {
			case k.Role == plan.CopyItem:
				out = append(out, "copied as "+code(k.Name)+" in "+code(t.Name))
			case k.Role != plan.EntityItem:
			case k.Part():
				out = append(out, "a part of it as "+code(k.Name)+" in "+code(t.Name))
			case len(t.Kinds) == 1:
				out = append(out, "table of its own, "+code(t.Name))
			default:
				out = append(out, "table "+code(t.Name)+", beside other kinds")
			}
		}
	}
	return strings.Join(out, "; ")
}
