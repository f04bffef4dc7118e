package generate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/spec"
)

// Names of the documents.
const (
	RequirementFile = "dynamodb_requirement.md"
	DataModelFile   = "dynamodb_data_model.md"
)

// Requirement writes dynamodb_requirement.md.
func Requirement(in Input) []byte {
	p := &page{}
	r := in.Requirements
	p.heading(1, "%s: what its data must do", r.Application.Name)
	p.text("What the application needs of its data, and how the model in [%s](%s) meets that. Up to the access patterns nothing depends on tables, keys or indexes; "+
		"the analyses after them hold the needs against the model. Rates are calls per second; a month has %s hours.", DataModelFile, DataModelFile, show.Number(spec.Month.Hours()))
	in.application(p)
	in.entities(p)
	in.relationships(p)
	in.patterns(p)
	in.aggregates(p)
	in.identifying(p)
	in.consolidation(p)
	in.checklist(p)
	return p.b.Bytes()
}

// application says what the whole is, and how much of it there is.
func (in *Input) application(p *page) {
	r := in.Requirements
	a := r.Application
	p.heading(2, "Application")
	if a.Context != "" {
		p.text("%s", sentence(a.Context))
	}
	var rows [][]string
	row := func(name, value string) {
		if value != "" {
			rows = append(rows, []string{name, value})
		}
	}
	row("Domain", a.Domain)
	row("Source", a.Source)
	row("Whose figures", a.Figures)
	row("Compliance", strings.Join(a.Compliance, ", "))
	if len(a.Regions) > 1 {
		row("Regions", strings.Join(a.Regions, ", ")+"; the model and its price are those of one, see *Outside DynamoDB* in "+DataModelFile)
	} else {
		row("Regions", strings.Join(a.Regions, ", "))
	}
	if a.RecoveryPoint > 0 {
		row("Recovery point", spec.FormatDuration(a.RecoveryPoint))
	}
	if a.RecoveryTime > 0 {
		row("Recovery time", spec.FormatDuration(a.RecoveryTime))
	}
	row("Followed by others", strings.Join(entityNames(a.Streams), ", "))
	reads, writes := in.rates()
	row("Reads", fmt.Sprintf("%s/s on average, %s/s at peak", show.Number(reads.Average), show.Number(reads.Peak)))
	row("Writes", fmt.Sprintf("%s/s on average, %s/s at peak", show.Number(writes.Average), show.Number(writes.Peak)))
	if writes.Average > 0 {
		row("Reads per write", show.Number(reads.Average/writes.Average))
	}
	stored, growth := 0.0, 0.0
	for _, e := range r.Entities {
		if e.External {
			continue
		}
		stored += e.Count * e.Bytes.Average
		growth += e.Growth * spec.Month.Seconds() * e.Bytes.Average
	}
	row("Stored today", show.Bytes(stored)+" of entities, before keys, indexes and copies")
	if growth > 0 {
		row("Created a month", show.Bytes(growth))
	}
	row("Note", a.Note)
	p.table([]string{"", ""}, rows)
	for _, w := range r.Workflows {
		var names []string
		for _, x := range w.Patterns {
			names = append(names, code(x.Name))
		}
		p.text("Workflow %s: %s.", w.Name, strings.Join(names, ", then "))
	}
}

// rates sums the rates of reads and writes.
func (in *Input) rates() (reads, writes spec.Rate) {
	for _, x := range in.Requirements.Patterns {
		to := &reads
		if x.Writes() {
			to = &writes
		}
		to.Average += x.Rate.Average
		to.Peak += x.Rate.Peak
	}
	return reads, writes
}

func entityNames(es []*spec.Entity) []string {
	var out []string
	for _, e := range es {
		out = append(out, e.Name)
	}
	return out
}

func attributeNames(as []*spec.Attribute) []string {
	var out []string
	for _, a := range as {
		out = append(out, a.Name)
	}
	return out
}

// entities tells what is kept: identity, sizes, numbers, then the attributes.
func (in *Input) entities(p *page) {
	p.heading(2, "Entities")
	month := spec.Month.Seconds()
	var rows [][]string
	for _, e := range in.Requirements.Entities {
		kept := ""
		if e.External {
			kept = "by another system"
		}
		if e.Retention > 0 {
			kept = spec.FormatDuration(e.Retention)
			if e.Kept != nil {
				kept += " from " + code(e.Kept.Name)
			} else if e.Stays != "" {
				kept += ", and nothing deletes it: " + e.Stays
			}
		}
		if e.Expires != nil {
			kept = strings.TrimPrefix(kept+"; until "+code(e.Expires.Name), "; ")
		}
		var unique []string
		for _, u := range e.Unique {
			text := strings.Join(codes(attributeNames(u.Of)), " + ")
			if !u.Always() {
				text += " while " + u.While.String()
			}
			unique = append(unique, text)
		}
		rows = append(rows, []string{
			e.Name, strings.Join(codes(attributeNames(e.Identity)), " + "), strings.Join(unique, ", "), size(e.Bytes), show.Number(e.Count),
			show.Number(math.Round(e.Growth * month)), show.Bytes(e.Count * e.Bytes.Average), kept, e.Group, e.Note,
		})
	}
	p.table([]string{"entity", "identity", "also unique", ">bytes (most)", ">stored today", ">created a month", ">together", "kept", "group", "note"}, rows)
	rows = nil
	for _, e := range in.Requirements.Entities {
		var list []string
		for _, a := range e.Attributes {
			if !a.Rest {
				list = append(list, code(a.Name)+" "+attribute(a))
			}
		}
		rows = append(rows, []string{e.Name, strings.Join(list, ", ")})
	}
	p.table([]string{"entity", "attributes"}, rows)
	if list := in.unnamed(); len(list) > 0 {
		p.text("**Bytes without a name.** The stated size of an entity can be more than its attributes add up to: %s. This remainder is stored, priced and proven as one opaque attribute, `%s`, "+
			"which the application does not have. Nothing is known of it: what callers read, test or sort by has to be named.", show.List(list), filler(in.Requirements))
	}
}

// unnamed are the entities whose attributes do not add up to their size, with what is left.
func (in *Input) unnamed() []string {
	var out []string
	for _, e := range in.Requirements.Entities {
		if a := rest(e); a != nil {
			out = append(out, fmt.Sprintf("%s of the %s bytes of %s", show.Number(math.Round(a.Bytes.Average)), show.Number(e.Bytes.Average), e.Name))
		}
	}
	return out
}

// rest is the attribute that stands for what an entity's size leaves; nil if its attributes add up to it.
func rest(e *spec.Entity) *spec.Attribute {
	for _, a := range e.Attributes {
		if a.Rest {
			return a
		}
	}
	return nil
}

// filler is what such attributes are called.
func filler(r *spec.Requirements) string {
	for _, e := range r.Entities {
		if a := rest(e); a != nil {
			return a.Name
		}
	}
	return ""
}

// size is a size by its average and, where it differs, its maximum.
func size(s spec.Size) string {
	average, most := show.Number(s.Average), show.Number(s.Max)
	if s.Max <= s.Average || average == most {
		return average
	}
	return average + " (" + most + ")"
}

// attribute is what an attribute is, in a few words.
func attribute(a *spec.Attribute) string {
	var words []string
	switch {
	case a.Derived != nil && a.Derived.Func != "":
		words = append(words, "= "+a.Derived.Func+"("+a.Derived.Path.String()+whereText(a.Derived.Where)+")")
	case a.Derived != nil:
		words = append(words, "= "+a.Derived.Path.String())
	case a.Reference != nil && a.Reference.Identifying:
		words = append(words, "→ "+a.Reference.To.Name+" (parent)")
	case a.Reference != nil:
		words = append(words, "→ "+a.Reference.To.Name)
	case a.States != nil:
		words = append(words, "state: "+strings.Join(a.States.Names, " → "))
	case len(a.Enum) > 0:
		words = append(words, "one of "+strings.Join(a.Enum, ", "))
	default:
		words = append(words, a.Type.String())
	}
	if a.Generated != "" {
		words = append(words, "generated ("+a.Generated+")")
	}
	if a.Sequence != nil {
		words = append(words, "numbered per "+a.Sequence.Name)
	}
	if a.Optional {
		words = append(words, "optional, "+show.Percent(a.Present)+" have it")
	}
	if a.Sensitive != "" {
		words = append(words, a.Sensitive)
	}
	return strings.Join(words, ", ")
}

// relationships tells how entities hang together.
func (in *Input) relationships(p *page) {
	var rows [][]string
	for _, e := range in.Requirements.Entities {
		for _, r := range e.There {
			kind := "refers to"
			if r.Identifying {
				kind = "belongs to, lives and dies with"
			}
			number, most := "not stated", ""
			if r.PerParent.Stated {
				number, most = show.Number(r.PerParent.Average), show.Number(r.PerParent.Max)
			}
			back := ""
			if r.Inverse != "" {
				back = code(r.To.Name + "." + r.Inverse)
			}
			skew := ""
			if !r.PerParent.Skew.Uniform() {
				skew = r.PerParent.Skew.String()
			}
			rows = append(rows, []string{r.To.Name + " 1:n " + e.Name, e.Name + " " + kind + " " + r.To.Name, code(e.Name + "." + r.Name), back, number, most, skew,
				strings.Join(codes(in.followers(r)), ", ")})
			if r.Single() {
				rows[len(rows)-1][0] = r.To.Name + " 1:1 " + e.Name
			}
		}
	}
	if len(rows) == 0 {
		return
	}
	p.heading(2, "Relationships")
	p.table([]string{"relationship", "meaning", "way there", "way back", ">children on average", ">at most", "spread over parents", "followed by"}, rows)
	p.text("A relationship without a number of children is one that no access pattern follows from its parent.")
	if !slices.ContainsFunc(rows, func(r []string) bool { return r[4] == "not stated" }) {
		p.b.Truncate(p.b.Len() - len("A relationship without a number of children is one that no access pattern follows from its parent.\n"))
	}
}

// followers are the patterns that go along a relationship, either way.
func (in *Input) followers(r *spec.Relationship) []string {
	var out []string
	for _, x := range in.Requirements.Patterns {
		if x.Writes() {
			continue
		}
		if slices.ContainsFunc(walks(x), func(w walk) bool { return slices.Contains(w.ways, r) }) || givenBy(x, r) {
			out = append(out, x.Name)
		}
	}
	return out
}

// followedBack reports whether a read goes along a relationship from its parent.
func (in *Input) followedBack(r *spec.Relationship) bool {
	return slices.ContainsFunc(in.Requirements.Patterns, func(x *spec.Pattern) bool {
		if x.Writes() {
			return false
		}
		return givenBy(x, r) || slices.ContainsFunc(walks(x), func(w walk) bool {
			e := x.Read
			for _, step := range w.ways {
				if step == r && step.To == e {
					return true
				}
				if step.From == e {
					e = step.To
				} else {
					e = step.From
				}
			}
			return false
		})
	})
}

// givenBy reports whether calls of a read state the foreign key of a relationship of what they read.
func givenBy(x *spec.Pattern, r *spec.Relationship) bool {
	return r.From == x.Read && slices.ContainsFunc(x.Given, func(g spec.Path) bool {
		return len(g) == 1 && slices.ContainsFunc(r.By, func(a *spec.Attribute) bool { return a.Name == g[0] })
	})
}

// largest is the entity whose value can be largest.
func (in *Input) largest() *spec.Entity {
	return slices.MaxFunc(in.Requirements.Entities, func(a, b *spec.Entity) int {
		return int(max(a.Bytes.Max, a.Bytes.Average) - max(b.Bytes.Max, b.Bytes.Average))
	})
}

const itemLimit = float64(capacity.ItemBytes)

// whereText is which children count.
func whereText(c spec.Condition) string {
	if c == nil {
		return ""
	}
	return " where " + c.String()
}
