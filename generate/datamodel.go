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

// DataModel writes dynamodb_data_model.md.
func DataModel(in Input) []byte {
	p := &page{}
	p.heading(1, "%s: DynamoDB data model", in.Requirements.Application.Name)
	in.overview(p)
	in.philosophy(p)
	in.aggregateDecisions(p)
	p.heading(2, "Tables")
	p.text("In templates, `{name}` is an attribute of the item's entity and `{name:codec}` how it is written so that it sorts as it should: `iso` a time, `pad` a number with leading zeros, `raw` a text as it is. " +
		"Capacity is that of all access patterns together.")
	for _, t := range in.Program.Tables {
		in.table(p, t)
	}
	in.mapping(p)
	in.heat(p)
	in.cost(p)
	in.tradeOffs(p)
	in.outside(p)
	in.validation(p)
	return p.b.Bytes()
}

// overview is what somebody reads who reads no further.
func (in *Input) overview(p *page) {
	indexes := 0
	for _, t := range in.Program.Tables {
		indexes += len(t.Indexes)
	}
	verb := "serve"
	if len(in.Program.Tables) == 1 {
		verb = "serves"
	}
	text := fmt.Sprintf("%s with %s %s %s for %s a month: %s (on demand, %s, prices of %s).",
		show.Count(len(in.Program.Tables), "table", ""), show.Count(indexes, "index", "indexes"), verb, show.Count(len(in.Requirements.Patterns), "access pattern", ""),
		in.Price.Total(), Parts(in.Price.Bill), in.Price.Prices.Region, in.Price.Prices.Date)
	if in.Proof != nil {
		proven, all := in.Proof.count()
		text += fmt.Sprintf(" %d of %d are proven: run on a data set and compared, call by call, with an oracle (see [Validation](#validation)).", proven, all)
	} else {
		text += " The model has not been proven."
	}
	p.text("%s What it has to do is in [%s](%s); the model itself, for programs, in `model.yaml`.", text, RequirementFile, RequirementFile)
	var rows [][]string
	for _, t := range in.Program.Tables {
		place := in.Price.Place(t.Name)
		var names []string
		for _, x := range t.Indexes {
			names = append(names, code(x.Index))
		}
		month := place.Bill
		for _, x := range t.Indexes {
			month = month.Plus(in.Price.Place(x.Name()).Bill)
		}
		rows = append(rows, []string{"[" + t.Name + "](#" + anchor(t.Name) + ")", strings.Join(kindNames(t.Kinds), ", "), keyText(t.Base), strings.Join(names, ", "), show.Number(stored(place)), month.Total().String()})
	}
	p.table([]string{"table", "holds", "key", "indexes", ">items", ">month, indexes included"}, rows)
}

// Parts are what a bill is the sum of, so that the sum can be checked: reads $1.00, writes $0.50, storage $0.20.
func Parts(b capacity.Bill) string {
	text := fmt.Sprintf("reads %s, writes %s, storage %s", b.Reads, b.Writes, b.Storage)
	if b.Streams != 0 {
		text += fmt.Sprintf(", streams %s", b.Streams)
	}
	if b.Recovery != 0 {
		text += fmt.Sprintf(", point-in-time recovery %s", b.Recovery)
	}
	return text
}

// anchor is the name under which a heading can be linked to.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r == ' ':
			return '-'
		}
		return -1
	}, heading)
}

func kindNames(ks []*plan.Kind) []string {
	var out []string
	for _, k := range ks {
		out = append(out, kindText(k))
	}
	return out
}

// kindText is what an item of the model is: an entity with what it embeds, or what it is kept for.
func kindText(k *plan.Kind) string {
	switch k.Role {
	case plan.UniqueItem:
		return k.Name + " (keeps " + k.Entity.Name + "." + strings.Join(attributeNames(k.Unique), "+") + " unique)"
	case plan.SequenceItem:
		return k.Name + " (last " + k.Entity.Name + "." + k.Attribute.Name + " given)"
	case plan.AggregateItem:
		return k.Name + " (" + k.Entity.Name + "." + k.Attribute.Name + ")"
	case plan.CopyItem:
		return k.Name + " (copy of " + k.Of.Name + ")"
	}
	name := k.Name
	if k.Entity.Name != k.Name {
		name += " (" + k.Entity.Name + ")"
	}
	var inside []string
	for _, m := range k.Embeds {
		inside = append(inside, m.Way.Inverse)
	}
	if len(inside) > 0 {
		name += " with " + show.List(inside) + " inside"
	}
	return name
}

// keyText is a key's attributes: {partition; sort}.
func keyText(a *plan.Access) string {
	text := strings.Join(wires(a.Partition), ", ")
	if len(a.Sort) > 0 {
		text += "; " + strings.Join(wires(a.Sort), ", ")
	}
	return code("{" + text + "}")
}

func wires(ws []plan.Wire) []string {
	var out []string
	for _, w := range ws {
		out = append(out, w.Name)
	}
	return out
}

// philosophy says by which conventions the model is made, with their numbers.
func (in *Input) philosophy(p *page) {
	p.heading(2, "Design philosophy")
	tables := in.Program.Tables
	var mixed, overloaded []string
	embedded, kinds := 0, 0
	var several []string
	for _, t := range tables {
		n := 0
		for _, k := range t.Kinds {
			if k.Role == plan.EntityItem {
				n++
			}
			embedded += len(k.Embeds)
			kinds++
		}
		if n > 1 {
			mixed = append(mixed, code(t.Name))
		}
		for _, x := range t.Indexes {
			if multi(x) {
				several = append(several, code(x.Name())+" "+keyText(x))
			}
			if in.overloads(x) {
				overloaded = append(overloaded, code(x.Name()))
			}
		}
	}
	var points []string
	switch {
	case len(tables) == 1 && kinds > 2:
		points = append(points, fmt.Sprintf("**One table for all %d kinds of items.** Their keys are generic attributes, and what a key means is told by the item: whatever one request reads together lies in one collection.", kinds))
	case len(mixed) == 0:
		points = append(points, "**A table per aggregate.** Every table holds one kind of item; nothing shares a table that is not read together.")
	default:
		points = append(points, fmt.Sprintf("**A table per aggregate.** Items share a table only where one request reads them together: %s; all other tables hold one kind.", show.List(mixed)))
	}
	if embedded > 0 {
		points = append(points, fmt.Sprintf("**Children inside their parent where that is cheaper**: %s stored in the parent's item, so that one read and one write serve both.", show.Count(embedded, "relationship is", "relationships are")))
	}
	if len(overloaded) > 0 {
		points = append(points, fmt.Sprintf("**Overloaded indexes.** %s serve several kinds of items, each with another meaning of the same key.", show.List(overloaded)))
	} else if len(tables) > 1 || kinds < 3 {
		points = append(points, "**Keys are the entities' own attributes**, under their own names and types. A synthetic key stands only where several kinds share a collection, or where an order needs several parts in one attribute.")
	}
	if len(several) > 0 {
		points = append(points, fmt.Sprintf("**Multi-attribute index keys**: %s. Their partition or sort key is several attributes of the item, instead of a text that joins them: %s", show.List(several), multiText))
	}
	points = append(points, "**Cost decides within the limits.** Everything is priced at the stated average rates as the expectation of rounded capacity units; what exceeds a limit of DynamoDB at peak is not a candidate.")
	if len(in.decisions()) > 0 && !in.designed() {
		points[len(points)-1] = "**Made by hand.** The keys follow a published or chosen design; this document prices and checks it with the arithmetic that designed models are made by."
	}
	p.list(points...)
}

// designed reports whether the model comes from the designer: its decisions are priced.
func (in *Input) designed() bool {
	return slices.ContainsFunc(in.decisions(), func(d plan.Decision) bool { return d.Cost > 0 || d.Rule != "" })
}

// overloads reports whether an index holds several kinds whose keys mean different things.
func (in *Input) overloads(x *plan.Access) bool {
	if !x.Global() {
		return false
	}
	first := ""
	for _, k := range x.Table.Kinds {
		if ok, _ := k.In(x); !ok {
			continue
		}
		text := k.Recipe(x.Partition[0].Name).Text
		if first != "" && text != first {
			return true
		}
		first = text
	}
	return false
}

// aggregateDecisions says where every entity lives, and why.
func (in *Input) aggregateDecisions(p *page) {
	p.heading(2, "Aggregate decisions")
	var rows [][]string
	for _, e := range in.Requirements.Entities {
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

var pointsText = regexp.MustCompile(`is less simple \((\d+) points to (\d+)\)`)

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

// Impossible is why an alternative cannot be. Where the designer says only that no model has it, the access pattern is
// looked for that must see the latest state and does not know the key.
func Impossible(req *spec.Requirements, d plan.Decision, r plan.Rejected) string {
	why := strings.TrimPrefix(r.Because, "inadmissible: ")
	if why != unexplained {
		return why
	}
	m := keyOf.FindStringSubmatch(r.What)
	if m == nil {
		return "an access pattern would have no plan"
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
	return "an access pattern would have no plan"
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
			case len(t.Kinds) == 1:
				out = append(out, "table of its own, "+code(t.Name))
			default:
				out = append(out, "table "+code(t.Name)+", beside other kinds")
			}
		}
	}
	return strings.Join(out, "; ")
}
