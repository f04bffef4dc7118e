package design

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// A write that creates a reading often also sets the values of its device, so that a transaction writes two items. If
// the device derives these values as the last of its readings, the write stores only the reading. The two statements
// differ: the derived form does not refuse a reading older than the newest, and it loses the values when all readings
// are gone. The designer therefore offers it and does not choose it.

// A latest is an update that gives a parent what the child has that the same write creates.
type latest struct {
	pattern *spec.Pattern
	update  int                // of its actions
	create  int                // of its actions
	way     *spec.Relationship // from the child to the parent
	attrs   []*spec.Attribute  // of the parent, in its order
	from    []*spec.Attribute  // what each is of the child
}

// statement is what the requirements would say instead.
func (l latest) statement() string {
	var all []string
	for _, x := range l.from {
		all = append(all, "last("+l.way.Inverse+"."+x.Name+")")
	}
	text := "derived: " + strings.Join(all, ", ") + ", instead of the update in " + l.pattern.Name
	if slices.Contains(l.pattern.Actions[l.create].Requires, l.way) { // the update did, and does not any more
		text += ", and requires: [" + l.way.Name + "] there"
	}
	return text
}

// because says what would be different then.
func (l latest) because() string {
	var names []string
	for _, a := range l.attrs {
		names = append(names, a.Name)
	}
	text := fmt.Sprintf("The requirements do not say so; if they did, %s would write its %s alone, and reads of %s take %s from the newest of its %s.",
		l.pattern.Name, l.way.From.Name, l.way.To.Name, listOf(names), l.way.Inverse)
	if l.pattern.Actions[l.update].Condition != nil {
		text += " One that is older than that is written then, and not refused."
	}
	if l.way.From.Retention > 0 {
		text += fmt.Sprintf(" A %s whose %s are all gone shows none.", l.way.To.Name, l.way.Inverse)
	}
	return text
}

// latests are such updates where a derived value can stand for what they set.
func latests(r *spec.Requirements) (out []latest) {
	for _, p := range r.Patterns {
		for i, up := range p.Actions {
			for j, c := range p.Actions {
				if l, ok := latestOf(r, p, i, j, up, c); ok {
					out = append(out, l)
				}
			}
		}
	}
	return out
}

// latestOf reports whether one action creates a child, and another gives its parent what the child has if it is the
// newest.
func latestOf(r *spec.Requirements, p *spec.Pattern, i, j int, up, c *spec.Action) (l latest, ok bool) {
	if up.Verb != spec.Update || c.Verb != spec.Create || len(up.Each)+len(c.Each)+len(up.Remove)+len(up.Found)+len(c.With) > 0 || up.Makes || len(up.Set) == 0 || len(c.Value) != 1 {
		return l, false
	}
	k := slices.IndexFunc(c.Entity.There, func(w *spec.Relationship) bool {
		return w.To == up.Entity && w.Inverse != "" && w.Succession() != nil && !slices.ContainsFunc(up.Key, func(s spec.Assign) bool {
			at := slices.IndexFunc(w.To.Identity, func(a *spec.Attribute) bool { return a.Name == s.Path[0] })
			return at < 0 || !isOf(s.Value, c, w.By[at])
		})
	})
	if k < 0 || c.Entity.Expires != nil || c.Entity.External || c.Entity == up.Entity {
		return l, false
	}
	l = latest{pattern: p, update: i, create: j, way: c.Entity.There[k]}
	by := l.way.Succession()
	var at *spec.Attribute // of the parent, that has the time of the newest
	for _, a := range up.Entity.Attributes {
		s := slices.IndexFunc(up.Set, func(s spec.Assign) bool { return s.Path[0] == a.Name })
		if s < 0 {
			continue
		}
		from := slices.IndexFunc(c.Entity.Attributes, func(x *spec.Attribute) bool {
			return !x.Optional && x.Derived == nil && x.Sequence == nil && x.Type == a.Type && isOf(up.Set[s].Value, c, x)
		})
		if from < 0 || len(up.Set[s].Path) > 1 || !a.Optional || a.Reference != nil || a.States != nil || slices.Contains(up.Entity.Identity, a) {
			return l, false
		}
		if x := c.Entity.Attributes[from]; x == by {
			at = a
		}
		l.attrs, l.from = append(l.attrs, a), append(l.from, c.Entity.Attributes[from])
	}
	if len(l.attrs) != len(up.Set) || !newestWins(up, c, at, by) {
		return l, false
	}
	for _, q := range r.Patterns {
		for _, a := range q.Actions {
			switch {
			case a == up || a == c:
			case a.Entity == l.way.From: // others come without it, change or go
				return l, false
			case a.Entity == l.way.To && (a.Verb == spec.Replace || a.Verb == spec.Upsert || slices.ContainsFunc(l.attrs, func(x *spec.Attribute) bool { return a.Sets(x.Name) || a.Removes(x.Name) })):
				return l, false
			}
		}
	}
	again := r.Clone()
	l.state(again)
	return l, len(again.MoreThanShown((*spec.Attribute).Last)) == 0
}

// isOf reports whether a value is that of an attribute of what an action creates.
func isOf(v spec.Expr, c *spec.Action, a *spec.Attribute) bool {
	if v.Op != "" {
		return false
	}
	return v.Now && a.Generated == "now" || len(v.Reference) == 2 && v.Reference[0] == c.Value[0] && v.Reference[1] == a.Name
}

// newestWins reports whether an update is done for the newest child alone: its condition says so, or each child is
// newer than those before because the client makes its time.
func newestWins(up, c *spec.Action, at, by *spec.Attribute) bool {
	if up.Condition == nil {
		return by.Generated == "now"
	}
	later := func(x spec.Condition) bool {
		t, ok := x.(*spec.Test)
		return ok && at != nil && (t.Op == "<" || t.Op == "<=") && len(t.Path) == 1 && t.Path[0] == at.Name && isOf(t.Args[0], c, by)
	}
	none := func(x spec.Condition) bool {
		t, ok := x.(*spec.Test)
		return ok && at != nil && t.Op == "absent" && len(t.Path) == 1 && t.Path[0] == at.Name
	}
	either, ok := up.Condition.(*spec.Logic)
	return ok && either.Op == "or" && len(either.Args) == 2 && (none(either.Args[0]) && later(either.Args[1]) || none(either.Args[1]) && later(either.Args[0]))
}

// state has requirements say it: the values are derived, and the child is created alone.
func (l latest) state(r *spec.Requirements) {
	p := r.Pattern(l.pattern.Name)
	way := r.Entity(l.way.From.Name).WayThere(l.way.Name)
	for i, a := range l.attrs {
		x := way.To.Attribute(a.Name)
		x.Derived = &spec.Derived{Func: "last", Path: spec.Path{way.Inverse, l.from[i].Name}}
	}
	p.Actions = slices.Delete(p.Actions, l.update, l.update+1)
}

// latestOffered are those whose write costs a noticeable part of the total.
func (r *Result) latestOffered(total capacity.Money) (out []latest) {
	for _, l := range latests(r.facts.req) {
		if float64(r.billed(l.pattern.Name)) >= dominant*float64(total) {
			out = append(out, l)
		}
	}
	return out
}

// last is the offer that a write creates the child alone; nil if that saves too little, or nothing serves it. Entities
// that the update joined may be decided apart then, so that all are decided anew.
func (r *Result) last(ctx context.Context, prices *capacity.Prices, o Options, l latest, total capacity.Money) *Offer {
	req := r.facts.req.Clone()
	l.state(req)
	_, found, err := search(ctx, req, prices, o, func(*component) bool { return true })
	if err != nil {
		return nil
	}
	var cost capacity.Money
	for _, s := range found {
		cost += s.chosen.cost
	}
	if withSlack(cost) >= total {
		return nil
	}
	one := &Offer{Statement: l.statement(), Cost: cost, because: l.because()}
	for _, a := range l.attrs {
		one.Attributes = append(one.Attributes, l.way.To.Name+"."+a.Name)
	}
	return one
}
