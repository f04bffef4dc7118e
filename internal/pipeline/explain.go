package pipeline

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
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
	Read      map[string]float64 `json:"read,omitempty"`
	Write     map[string]float64 `json:"write,omitempty"`
	Average   float64            `json:"averageRate,omitempty"`
	Peak      float64            `json:"peakRate,omitempty"`
	Cost      float64            `json:"cost"`
	Serves    []string           `json:"serves,omitempty"` // access patterns that read or write it
	Decisions []Decision         `json:"decisions"`
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
		x.What, x.Plan = "access pattern", generate.Steps(proc)
		c := j.Price.Pattern(name)
		x.Read, x.Write, x.Average, x.Peak, x.Cost = c.Read, c.Write, c.Rate.Average, c.Rate.Peak, c.Cost.Dollars()
		for _, units := range []map[string]float64{c.Read, c.Write} {
			for place := range units {
				beside = append(beside, place)
			}
		}
	}
	if place := j.Price.Place(name); place != nil {
		x.What, x.Cost = "table", place.Bill.Total().Dollars()
		if place.Index != nil {
			x.What = "index"
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
	for _, d := range j.Model.Decisions {
		if concerns(d.About, name) {
			x.Decisions = append(x.Decisions, decision(d))
		}
	}
	for _, d := range j.Model.Decisions {
		if slices.Contains(beside, d.About) && !concerns(d.About, name) {
			x.Decisions = append(x.Decisions, decision(d))
		}
	}
	return x
}

// concerns reports whether a decision is about a name or a part of it.
func concerns(about, name string) bool { return about == name || strings.HasPrefix(about, name+".") }

func decision(d plan.Decision) Decision {
	out := Decision{About: d.About, Rule: d.Rule, Because: d.Because, Cost: d.Cost}
	for _, i := range d.Inputs {
		out.Inputs = append(out.Inputs, Input(i))
	}
	for _, r := range d.Rejected {
		out.Rejected = append(out.Rejected, Rejection(r))
	}
	return out
}

// Text is the explanation for people.
func (x *Explanation) Text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s, %s: %s a month", x.About, x.What, money(x.Cost))
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
	if len(x.Read)+len(x.Write) > 0 {
		b.WriteString("\nunits of a call\n")
		units(&b, "read", x.Read)
		units(&b, "write", x.Write)
	}
	if len(x.Serves) > 0 {
		fmt.Fprintf(&b, "\nread or written by %s\n", show.List(x.Serves))
	}
	for _, d := range x.Decisions {
		fmt.Fprintf(&b, "\ndecision: %s", d.About)
		if d.Rule != "" {
			fmt.Fprintf(&b, " (%s)", d.Rule)
		}
		b.WriteString("\n")
		if d.Because != "" {
			fmt.Fprintf(&b, "  %s\n", d.Because)
		}
		for _, i := range d.Inputs {
			fmt.Fprintf(&b, "  %s: %s\n", i.Name, i.Value)
		}
		if d.Cost > 0 {
			fmt.Fprintf(&b, "  the whole with it: %s a month\n", money(d.Cost))
		}
		for _, r := range d.Rejected {
			cost := "not possible"
			if r.Cost > 0 {
				cost = fmt.Sprintf("%s a month, %+.2f", money(r.Cost), r.Cost-d.Cost)
			}
			fmt.Fprintf(&b, "  instead %s: %s", r.What, cost)
			if r.Because != "" && !strings.HasSuffix(r.Because, " more a month") { // which is the difference again
				fmt.Fprintf(&b, " (%s)", r.Because)
			}
			b.WriteString("\n")
		}
	}
	if len(x.Decisions) == 0 {
		b.WriteString("\nThe model holds no decision about it.\n")
	}
	return b.Bytes()
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
