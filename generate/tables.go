package generate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

func stored(p *cost.Place) float64 {
	n := 0.0
	for _, it := range p.Items {
		n += it.Count
	}
	return n
}

// table is the section of one table, its indexes included.
func (in *Input) table(p *page, t *plan.Schema) {
	place := in.Price.Place(t.Name)
	p.heading(3, "%s", t.Name)
	p.text("%s", in.purpose(t))
	in.samples(p, t.Base)
	p.heading(4, "Keys of %s", t.Name)
	in.keys(p, t.Base)
	in.taxonomy(p, t)
	p.heading(4, "Attributes of %s", t.Name)
	in.attributes(p, t)
	p.heading(4, "Load of %s", t.Name)
	in.bounded(p, t.Base)
	in.capacity(p, place)
	warm(p, t.Document.Warm)
	if t.TTL != "" {
		readers := "until then reads answer it, since its retention promises no end."
		if slices.ContainsFunc(t.Kinds, func(k *plan.Kind) bool { return k.Entity.Expires != nil }) {
			readers = "readers filter what is expired and still there."
		}
		p.text("Time to live is on %s: DynamoDB deletes an item some time after the moment that it holds (usually within days), without write units; %s", code(t.TTL), readers)
	}
	if t.Document.Stream != "" {
		p.text("A stream (%s) is on: consumers outside see every change once, in order per item.", t.Document.Stream)
	}
	for _, x := range t.Indexes {
		in.index(p, x)
	}
}

// purpose says in a sentence or two what a table is for.
func (in *Input) purpose(t *plan.Schema) string {
	place := in.Price.Place(t.Name)
	reads, writes := in.patternsOf(t.Base)
	text := fmt.Sprintf("Holds %s: %s items, %s as billed.", show.List(kindNames(t.Kinds)), show.Number(stored(place)), show.Bytes(float64(place.Stored)))
	switch {
	case len(reads) > 0 && len(writes) > 0:
		text += fmt.Sprintf(" It serves %s and takes the writes of %s.", show.List(codes(reads)), show.List(codes(writes)))
	case len(reads) > 0:
		text += fmt.Sprintf(" It serves %s.", show.List(codes(reads)))
	case len(writes) > 0:
		text += fmt.Sprintf(" It takes the writes of %s", show.List(codes(writes)))
		if len(t.Indexes) > 0 {
			text += "; it is read through its indexes"
		}
		text += "."
	}
	for _, role := range Roles(in.Program, t) {
		text += " " + role
	}
	if class := t.Document.Class; class != "" && class != "standard" {
		text += " Its table class is " + class + "."
	}
	return text
}

// Roles says of each item of a table that is no whole entity why it is there.
func Roles(program *plan.Program, t *plan.Schema) []string {
	var out []string
	for _, k := range t.Kinds {
		switch k.Role {
		case plan.EntityItem:
			if p := k.Pack; p != nil {
				beside := ""
				if len(p.Within) > 0 {
					beside = ", and by its " + show.List(attributeNames(p.Within))
				}
				out = append(out, fmt.Sprintf("As many %s as fall into one %s lie in one item, each an attribute that is named by the milliseconds of its %s from the beginning of that on%s. DynamoDB takes up to 400 KB, which are %s of the largest.",
					k.Name, p.Words(), p.By.Name, beside, show.Number(p.Holds())))
			}
			if k.Part() {
				out = append(out, fmt.Sprintf("%s holds only a part of each %s, %s, so that a write of it leaves the others as they are.", k.Name, k.Entity.Name, show.List(codes(heldBy(k)))))
			}
		case plan.UniqueItem:
			if k.Points() {
				out = append(out, fmt.Sprintf("%s says where the %s with an %s lies: the table has the key that a strongly consistent list asks for, and whoever knows the identity alone gets this item first. It never changes, and is put and deleted with its %s.",
					k.Name, k.Entity.Name, strings.Join(attributeNames(k.Unique), "+"), k.Entity.Name))
				continue
			}
			what := k.Entity.Name + "." + strings.Join(attributeNames(k.Unique), "+")
			text := fmt.Sprintf("%s keeps %s unique. DynamoDB refuses a second item only under one table key, so each value is an item of its own, written in one transaction with its %s.", k.Name, what, k.Entity.Name)
			if x := indexBy(program, k); x != nil {
				text += fmt.Sprintf(" %s cannot do that, as an index accepts a value twice; and this item cannot replace the index, as it does not hold what reads answer.", x.Name())
			}
			if held := heldBy(k); len(held) > 0 {
				text += fmt.Sprintf(" It holds %s as well: a read by what is unique gets all that it asks for in this item.", show.List(codes(held)))
			}
			out = append(out, text)
		case plan.SequenceItem:
			out = append(out, fmt.Sprintf("%s holds the last %s.%s that was given: whoever creates a %s counts it up in the same transaction, so that no number is given twice.", k.Name, k.Entity.Name, k.Attribute.Name, k.Entity.Name))
		case plan.AggregateItem:
			out = append(out, fmt.Sprintf("%s holds %s.%s apart from the %s, so that counting does not write the whole item anew.", k.Name, k.Entity.Name, k.Attribute.Name, k.Entity.Name))
		case plan.CopyItem:
			out = append(out, fmt.Sprintf("%s is %s once more under another key%s.", k.Name, k.Of.Name, kept(k.Kept)))
		}
	}
	return out
}

// heldBy are the attributes that a part of an entity holds, without those by which it is found.
func heldBy(k *plan.Kind) (names []string) {
	for _, s := range k.Stored {
		if !s.Copy && !slices.Contains(k.Entity.Identity, s.Attribute) {
			names = append(names, s.Name)
		}
	}
	return names
}

// indexBy is the index of an entity's items that has what a marker keeps unique as its partition; nil if there is none.
func indexBy(program *plan.Program, marker *plan.Kind) *plan.Access {
	for _, k := range program.Parts(marker.Entity) {
		for _, x := range k.Table.Indexes {
			if slices.Equal(wires(x.Partition), attributeNames(marker.Unique)) {
				return x
			}
		}
	}
	return nil
}

// attributes lists what is stored: names, types, in which items.
func (in *Input) attributes(p *page, t *plan.Schema) {
	type column struct {
		name, kind, from string
		in               []string
	}
	var list []*column
	add := func(name, kind, from string, k *plan.Kind) {
		for _, c := range list {
			if c.name == name && c.from == from {
				c.in = append(c.in, k.Name)
				return
			}
		}
		list = append(list, &column{name, kind, from, []string{k.Name}})
	}
	for _, k := range t.Kinds {
		for _, r := range k.Recipes {
			if r.Native && slices.ContainsFunc(k.Stored, func(s *plan.Stored) bool { return s.Name == r.Wire.Name }) {
				continue
			}
			from := "built: " + code(r.Text)
			if len(r.Parts) == 0 {
				from = "constant: " + code(r.Text)
			}
			if r.WhenText != "" {
				from += " when " + code(r.WhenText)
			}
			if r.Else != "" {
				from += ", " + code(r.Else) + " if there is none"
			}
			add(r.Wire.Name, string(r.Wire.Type), from, k)
		}
		for _, s := range k.Stored {
			from := ""
			switch {
			case s.Copy:
				from = "copy of " + code(s.Path.String()) + kept(s.Kept)
			case s.Attribute != nil && s.Attribute.Rest:
				from = fmt.Sprintf("stands for about %s that the stated size leaves to attributes without a name; not to be created", show.Bytes(s.Attribute.Bytes.Average))
			case s.Attribute != nil:
				from = attribute(s.Attribute)
			}
			add(s.Name, wireType(s.Attribute), from, k)
		}
		for _, m := range k.Embeds {
			add(m.Attribute, map[string]string{"list": "L"}[m.As]+map[string]string{"map": "M", "value": "M"}[m.As],
				m.Way.Inverse+": "+m.Child.Name+childrenText(m), k)
		}
	}
	var rows [][]string
	order := map[string]int{}
	for i, c := range list {
		if _, seen := order[c.name]; !seen {
			order[c.name] = i
		}
	}
	slices.SortStableFunc(list, func(a, b *column) int { return order[a.name] - order[b.name] }) // one name, several meanings: side by side
	for _, c := range list {
		where := strings.Join(c.in, ", ")
		if len(t.Kinds) == 1 {
			where = ""
		} else if len(c.in) == len(t.Kinds) {
			where = "all"
		}
		rows = append(rows, []string{code(c.name), c.kind, c.from, where})
	}
	p.table([]string{"attribute", "type", "what it is", "in"}, rows)
}

func childrenText(m *plan.Embedding) string {
	n := m.Way.PerParent
	switch {
	case m.As == "value":
		return ", one"
	case m.By != nil:
		return fmt.Sprintf(" by %s, %s on average, at most %s", code(m.By.Name), show.Number(n.Average), show.Number(n.Max))
	}
	return fmt.Sprintf(", %s on average, at most %s", show.Number(n.Average), show.Number(n.Max))
}

// kept says how a copy stays true.
func kept(k plan.Kept) string {
	switch {
	case k.Snapshot:
		return ", as it was then"
	case len(k.By) > 0:
		text := ", rewritten by " + strings.Join(codes(k.By), ", ")
		if k.Atomic {
			text += " in the same transaction"
		}
		return text
	case k.Stream:
		return ", kept by a stream consumer within " + k.Within
	}
	return ", which never changes"
}

func wireType(a *spec.Attribute) string {
	if a == nil {
		return ""
	}
	switch a.Type {
	case spec.Number:
		return "N"
	case spec.Bool:
		return "BOOL"
	case spec.Binary:
		return "B"
	case spec.MapType:
		return "M"
	case spec.ListType:
		return "L"
	case spec.SetType:
		if a.Of != nil && a.Of.Type == spec.Number {
			return "NS"
		}
		return "SS"
	}
	return "S"
}

// bounded says how much each read over a table or index can bring.
func (in *Input) bounded(p *page, a *plan.Access) {
	var rows [][]string
	for _, x := range in.Requirements.Patterns {
		proc := in.Program.Procedure(x.Name)
		if proc == nil || x.Writes() {
			continue
		}
		var how []string
		stages(proc, func(s *plan.Stage) {
			if s.Access == a && (s.Verb == plan.Query || s.Verb == plan.Scan) {
				x := s.Explain()
				x.Target, x.Items = "", nil
				how = append(how, line(x))
			} else if a.Index == "" && picks(s) && s.Kind.Table == a.Table {
				how = append(how, s.Verb.Operation())
			}
		})
		if len(how) == 0 {
			continue
		}
		read := in.Price.Pattern(x.Name).Read[a.Name()]
		rows = append(rows, []string{code(x.Name), strings.Join(how, "; "), bound(x), in.tripsText(proc), show.Number(x.Rate.Average) + " (" + show.Number(x.Rate.Peak) + ")", show.Units(read)})
	}
	p.table([]string{"read", "how", "at most", ">round trips of the whole call", ">calls/s (peak)", ">read units of a call here"}, rows)
}

// bound is what limits an answer.
func bound(x *spec.Pattern) string {
	switch {
	case one(x):
		return oneWith(x)
	case x.Page > 0:
		return fmt.Sprintf("%s a page", show.Number(float64(x.Page)))
	case x.Top > 0:
		return show.Number(float64(x.Top))
	case x.Whole:
		return "everything, in pages of 1 MB"
	}
	return fmt.Sprintf("%s, %s", show.Number(x.Results.Max), show.Bytes(x.Results.Max*x.Read.Bytes.Average))
}

// oneWith is one entity with the most of its children that an answer holds.
func oneWith(x *spec.Pattern) string {
	var children []string
	for _, path := range x.With {
		if way := x.Read.WayBack(path[0]); way != nil && len(path) == 1 {
			children = append(children, show.Number(math.Max(way.PerParent.Max, 1))+" "+path[0])
		}
	}
	if len(children) == 0 {
		return "one"
	}
	return "one with " + show.List(children)
}

// capacity is what a table or index consumes and costs.
func (in *Input) capacity(p *page, place *cost.Place) {
	b := place.Bill
	rows := [][]string{
		{"read units/s", show.Number(place.Read), show.Number(place.PeakRead), b.Reads.String()},
		{"write units/s", show.Number(place.Write), show.Number(place.PeakWrite), b.Writes.String()},
		{"stored", show.Bytes(float64(place.Stored)), "", b.Storage.String()},
	}
	if b.Streams != 0 {
		rows = append(rows, []string{"reads of the stream", "", "", b.Streams.String()})
	}
	if b.Recovery != 0 {
		rows = append(rows, []string{"point-in-time recovery", "", "", b.Recovery.String()})
	}
	p.table([]string{"", ">on average", ">at peak", ">a month"}, append(rows, []string{"together", "", "", b.Total().String()}))
}
