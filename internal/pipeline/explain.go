package pipeline

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/generate"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

// Explanation says why a part of a model is as it is. Units are capacity units of a call, costs dollars a month.
type Explanation struct {
	Version   int                `json:"tablewright"`
	About     string             `json:"about"`
	What      string             `json:"what"` // access pattern, table, index or entity
	Plan      []string           `json:"plan,omitempty"`
	Rounds    int                `json:"roundTrips,omitempty"` // requests of a call that wait for each other, at least
	Read      map[string]float64 `json:"read,omitempty"`
	Write     map[string]float64 `json:"write,omitempty"`
	Average   float64            `json:"averageRate,omitempty"`
	Peak      float64            `json:"peakRate,omitempty"`
	Cost      *float64           `json:"cost,omitempty"`   // nil of an entity: what others share with it cannot be divided
	Holds     []string           `json:"holds,omitempty"`  // of a table: why items lie in it that are no entities
	Stored    []Stored           `json:"stored,omitempty"` // of an entity: where its items and entries lie
	Inside    []string           `json:"inside,omitempty"` // of an entity: the items of others that it lies in
	Serves    []string           `json:"serves,omitempty"` // access patterns that read or write it
	Decisions []Decision         `json:"decisions"`
}

// Stored is what lies of an entity in a table or index.
type Stored struct {
	Place string  `json:"place"` // Table or Table.Index
	Items float64 `json:"items"`
	Bytes float64 `json:"bytes"` // of one, on average
	Cost  float64 `json:"cost"`  // of storage
}

// Decision is a choice with what it rests on.
type Decision struct {
	About    string      `json:"about"`
	Rule     string      `json:"rule,omitempty"`
	Because  string      `json:"because,omitempty"`
	Inputs   []Input     `json:"inputs,omitempty"`
	Cost     float64     `json:"cost,omitempty"`
	Rejected []Rejection `json:"rejected,omitempty"`
}

// Input is one figure a decision rests on.
type Input struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Rejection is an alternative with the best total it allows; 0 if it is inadmissible.
type Rejection struct {
	What    string  `json:"what"`
	Cost    float64 `json:"cost,omitempty"`
	Because string  `json:"because,omitempty"`
}

// Names are what can be explained: access patterns, entities, tables and indexes.
func (j *Job) Names() []string {
	var out []string
	for _, p := range j.Requirements.Patterns {
		out = append(out, p.Name)
	}
	for _, e := range j.Requirements.Entities {
		out = append(out, e.Name)
	}
	for _, t := range j.Program.Tables {
		out = append(out, t.Name)
		for _, x := range t.Indexes {
			out = append(out, x.Name())
		}
	}
	return out
}

// Explain explains what one of Names stands for.
func (j *Job) Explain(name string) *Explanation {
	x := &Explanation{Version: 1, About: name, What: "entity", Decisions: []Decision{}}
	var beside []string // what it rests on, explained after itself
	if proc := j.Program.Procedure(name); proc != nil {
		x.What, x.Plan, x.Rounds = "access pattern", generate.Steps(proc), generate.Rounds(proc)
		c := j.Price.Pattern(name)
		x.Read, x.Write, x.Average, x.Peak, x.Cost = c.Read, c.Write, c.Rate.Average, c.Rate.Peak, new(c.Cost.Dollars())
		for _, units := range []map[string]float64{c.Read, c.Write} {
			for place := range units {
				beside = append(beside, place)
			}
		}
	}
	if place := j.Price.Place(name); place != nil {
		x.What, x.Cost = "table", new(place.Bill.Total().Dollars())
		if place.Index != nil {
			x.What = "index"
		} else {
			x.Holds = generate.Roles(j.Program, place.Table)
		}
		for _, c := range j.Price.Patterns {
			_, reads := c.Read[name]
			_, writes := c.Write[name]
			if reads || writes {
				x.Serves = append(x.Serves, c.Name)
			}
		}
		for _, it := range place.Items {
			beside = append(beside, it.Name)
		}
	}
	if x.What == "entity" {
		x.Stored = j.stored(name)
		x.Inside = j.inside(name)
		x.Serves = generate.Uses(j.Requirements, name)
	}
	for _, d := range j.Model.Decisions {
		if o, ok := design.OfferOf(d); concerns(d.About, name) || ok && (slices.Contains(o.Patterns, name) || slices.ContainsFunc(o.Attributes, func(a string) bool { return concerns(a, name) })) {
			x.Decisions = append(x.Decisions, j.decision(d))
		}
	}
	for _, d := range j.Model.Decisions {
		if slices.Contains(beside, d.About) && !concerns(d.About, name) {
			x.Decisions = append(x.Decisions, j.decision(d))
		}
	}
	return x
}

// concerns reports whether a decision is about a name or a part of it.
func concerns(about, name string) bool { return about == name || strings.HasPrefix(about, name+".") }

// stored is where the items of an entity lie, copies and entries of indexes included.
func (j *Job) stored(entity string) []Stored {
	var out []Stored
	for _, place := range j.Price.Places {
		for _, it := range place.Items {
			k := j.Program.Kind(it.Name)
			if k == nil || k.Entity.Name != entity || k.Role != plan.EntityItem && k.Role != plan.CopyItem {
				continue
			}
			share := float64(capacity.Stored(it.Count, it.Bytes)) / math.Max(float64(place.Stored), 1)
			out = append(out, Stored{place.Name, it.Count, it.Bytes, place.Bill.Storage.Dollars() * share})
		}
	}
	return out
}

// inside are the items in which an entity is embedded.
func (j *Job) inside(entity string) []string {
	var out []string
	for _, t := range j.Program.Tables {
		for _, k := range t.Kinds {
			for _, m := range k.Embeds {
				if m.Child.Name == entity {
					out = append(out, fmt.Sprintf("%s in %s, as %s %s", k.Name, t.Name, m.As, m.Attribute))
				}
			}
		}
	}
	return out
}

func (j *Job) decision(d plan.Decision) Decision {
	out := Decision{About: d.About, Rule: generate.Rule(j.Program, d), Because: d.Because, Cost: d.Cost}
	for _, i := range d.Inputs {
		out.Inputs = append(out.Inputs, Input(i))
	}
	for _, r := range d.Rejected {
		if r.Cost == 0 {
			r.Because = generate.Impossible(j.Requirements, d, r)
		}
		out.Rejected = append(out.Rejected, Rejection(r))
	}
	return out
}

// Text is the explanation for people.
func (x *Explanation) Text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s, %s", x.About, x.What)
	if x.Cost != nil {
		fmt.Fprintf(&b, ": %s a month", money(*x.Cost))
	}
	if len(x.Plan) > 0 {
		fmt.Fprintf(&b, " at %s calls/s on average, %s at peak", show.Number(x.Average), show.Number(x.Peak))
	}
	b.WriteString("\n")
	for i, line := range x.Plan {
		if i == 0 {
			b.WriteString("\nplan\n")
		}
		fmt.Fprintf(&b, "  %s\n", line)
	}
	if x.Rounds > 0 {
		fmt.Fprintf(&b, "\n%s\n", show.Count(x.Rounds, "round trip", ""))
	}
	if len(x.Read)+len(x.Write) > 0 {
		b.WriteString("\nunits of a call\n")
		units(&b, "read", x.Read)
		units(&b, "write", x.Write)
	}
	for _, text := range x.Holds {
		fmt.Fprintf(&b, "\n%s\n", text)
	}
	for i, s := range x.Stored {
		if i == 0 {
			b.WriteString("\nstored\n")
		}
		fmt.Fprintf(&b, "  %s: %s of %s, %s a month\n", s.Place, show.Count(int(s.Items), "item", ""), show.Bytes(s.Bytes), money(s.Cost))
	}
	for _, text := range x.Inside {
		fmt.Fprintf(&b, "\ninside %s\n", text)
	}
	if len(x.Serves) > 0 {
		fmt.Fprintf(&b, "\nread or written by %s\n", show.List(x.Serves))
	}
	counted := false
	for _, d := range x.Decisions {
		counted = d.text(&b) || counted
	}
	if counted {
		fmt.Fprintf(&b, "\n%s\n", generate.Complexity)
	}
	if len(x.Decisions)+len(x.Holds) == 0 {
		b.WriteString("\nThe model holds no decision about it.\n")
	}
	return b.Bytes()
}

// text writes a decision for people, and reports whether it compares how simple models are.
func (d *Decision) text(b *bytes.Buffer) (counted bool) {
	fmt.Fprintf(b, "\ndecision: %s", d.About)
	if d.Rule != "" {
		fmt.Fprintf(b, " (%s)", d.Rule)
	}
	b.WriteString("\n")
	if d.Because != "" {
		fmt.Fprintf(b, "  %s\n", d.Because)
	}
	whole := plan.Decision{About: d.About}
	for _, i := range d.Inputs {
		whole.Inputs = append(whole.Inputs, plan.Input(i))
	}
	turns, rest := generate.Turns(whole)
	for _, i := range rest {
		fmt.Fprintf(b, "  %s: %s\n", i.Name, i.Value)
	}
	for _, t := range turns {
		fmt.Fprintf(b, "  calls: %s\n", t)
	}
	if d.Cost > 0 {
		fmt.Fprintf(b, "  the whole with it: %s a month\n", money(d.Cost))
	}
	for _, r := range d.Rejected {
		cost, remark := "not possible", r.Because
		if r.Cost > 0 {
			cost, remark = fmt.Sprintf("%s a month, %s", money(r.Cost), generate.Difference(r.Cost-d.Cost)), generate.Remark(plan.Rejected(r))
		}
		fmt.Fprintf(b, "  instead %s: %s", r.What, cost)
		if remark != "" {
			fmt.Fprintf(b, ", %s", remark)
		}
		b.WriteString("\n")
		counted = counted || strings.Contains(remark, "complexity")
	}
	return counted
}

func money(dollars float64) string {
	return capacity.MoneyOf(dollars * float64(capacity.Dollar)).String()
}

func units(b *bytes.Buffer, kind string, m map[string]float64) {
	var places []string
	for place := range m {
		places = append(places, place)
	}
	slices.Sort(places)
	for _, place := range places {
		fmt.Fprintf(b, "  %8s %s %s\n", show.Units(m[place]), kind, place)
	}
}
