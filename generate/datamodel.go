package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

// DataModel writes dynamodb_data_model.md.
func DataModel(in Input) []byte {
	p := &page{}
	p.heading(1, "%s: DynamoDB data model", in.Requirements.Application.Name)
	in.overview(p)
	in.philosophy(p)
	in.aggregateDecisions(p)
	p.heading(2, "Tables")
	p.text("In templates, `{name}` is an attribute of the item's entity and `{name:codec}` how it is written so that it sorts as it should: `iso` a time, `pad` a number with leading zeros, `signed` the same behind its sign, `rank` a value by its place, `raw` a text as it is. " +
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
		if k.Points() {
			return k.Name + " (leads from " + strings.Join(attributeNames(k.Unique), "+") + " to its " + k.Entity.Name + ")"
		}
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
