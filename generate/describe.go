package generate

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/plan"
)

// Steps describes the plan of an access pattern in DynamoDB's words, one request to a line; the actions of a transaction
// or batch follow it, indented. What the client does with the answers follows the requests that it waits for.
func Steps(p *plan.Procedure) []string {
	var client string
	if done := p.AtClient(); len(done) > 0 {
		client = "at the client: " + strings.Join(done, ", then ")
	}
	var out []string
	for _, s := range p.Stages {
		if s.Late() && client != "" {
			out, client = append(out, client), ""
		}
		out = append(out, lines(s.Explain())...)
	}
	if client != "" {
		out = append(out, client)
	}
	return out
}

func lines(x plan.Explanation) []string {
	out := []string{line(x)}
	for _, a := range x.Actions {
		out = append(out, "  "+line(a))
	}
	return out
}

// line is one request, or one action inside one.
func line(x plan.Explanation) string {
	text := strings.TrimSpace(x.Operation + " " + x.Target)
	if x.Operation == "PutItem" || x.Operation == "ConditionCheck" || len(x.Items) > 1 {
		text += " (" + strings.Join(x.Items, ", ") + ")"
	}
	add := func(word string, parts []string, between string) {
		if len(parts) > 0 {
			text += word + strings.Join(parts, between)
		}
	}
	add(": ", x.Key, " and ")
	if x.Operation != "PutItem" {
		add("; set ", x.Changes, ", ")
	}
	var conditions []string
	for _, c := range x.Condition { // each with the code of its refusal
		if i := strings.LastIndex(c, ", else "); i > 0 {
			c = c[:i] + " (" + c[i+len(", "):] + ")"
		}
		conditions = append(conditions, c)
	}
	add("; if ", conditions, " and ")
	if x.Filter != "" {
		text += "; filter " + x.Filter
	}
	add("; ", x.Options, ", ")
	return text
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// stages calls f with every stage of a plan; of a transaction or batch with its actions instead.
func stages(p *plan.Procedure, f func(*plan.Stage)) {
	for _, s := range p.Stages {
		if len(s.Actions) == 0 {
			f(s)
		}
		for _, a := range s.Actions {
			f(a)
		}
	}
}

// patternsOf lists the access patterns whose plans read or write a table or index.
func (in *Input) patternsOf(a *plan.Access) (reads, writes []string) {
	for _, c := range in.Price.Patterns {
		if _, ok := c.Read[a.Name()]; ok {
			reads = append(reads, c.Name)
		}
		if _, ok := c.Write[a.Name()]; ok {
			writes = append(writes, c.Name)
		}
	}
	return reads, writes
}
