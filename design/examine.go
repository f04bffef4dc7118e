package design

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// An Obstacle is a statement of the requirements that keeps [Design] from making a model.
type Obstacle struct {
	Of      string // the pattern or entity
	Limit   bool   // a limit of DynamoDB is in the way, else a rule of the designer is missing
	Message string // what is in the way
	Instead string // what to write instead; "" if that is not known

	At     []string // where it stands in the requirements: the keys that lead there
	Offset int      // within that text
}

// mostExamined is how many configurations Examine compares over all components. Nearly all requirements need fewer.
const mostExamined = 2_000

// Examine looks for what [Design] would refuse, without looking for a good model: of each component it is content with
// the first one that serves. It compares so many configurations, which are the same whenever it is asked, and ends
// after Options.Time if that is over before; all is false if either was before every component was looked into.
func Examine(ctx context.Context, r *spec.Requirements, o Options) (found []Obstacle, all bool) {
	prices := o.Prices
	if prices == nil {
		prices = capacity.DefaultPrices()
	}
	if o.Steps == 0 {
		o.Steps = DefaultSteps
	}
	within := &effort{most: mostExamined}
	if o.Time > 0 {
		within.deadline = time.Now().Add(o.Time)
	}
	over := func() bool { return ctx.Err() != nil || within.over() }
	f := study(r)
	ds, err := f.demands()
	var none *UnsupportedError
	if errors.As(err, &none) {
		for _, c := range none.Cases {
			found = append(found, c.obstacle())
		}
	}
	price := newPricer(r, prices)
	for _, c := range components(f, ds) {
		if u, ok := keyless(c); ok {
			return append(found, u.obstacle()), false
		}
		x := examiner{planner: newPlanner(ctx, f, price, c), over: over}
		x.parts()
		found = append(found, x.found...)
	}
	rest := r.Clone() // what is left may still collide
	rest.Patterns = slices.DeleteFunc(rest.Patterns, func(p *spec.Pattern) bool {
		return slices.ContainsFunc(found, func(o Obstacle) bool { return o.Of == p.Name })
	})
	f = study(rest)
	ds, err = f.demands()
	if err != nil {
		return found, false
	}
	price, all = newPricer(rest, prices), true
	for _, c := range components(f, ds) {
		p := newPlanner(ctx, f, price, c)
		p.budget = o.Steps
		s, cut := within.solve(p)
		switch {
		case s.cheapest.admissible():
		case cut || over():
			all = false
		default:
			found = append(found, obstacles(r, c, conflict(ctx, s, prices, within))...)
			all = all && !over()
		}
	}
	return found, all
}

// examiner looks into the patterns of a component, each for itself: that is quick, and names the pattern.
type examiner struct {
	*planner
	over  func() bool
	found []Obstacle
}

// layoutsExamined is in how many layouts a pattern is looked at.
const layoutsExamined = 2_000

// parts finds the patterns that no layout serves, and leaves them out of the component.
func (x *examiner) parts() {
	c := x.c
	reads := c.demands[:0:0]
	for _, d := range c.demands {
		es := x.footprint(d)
		if !x.none(es, func(l *layout) bool { return len(x.plansOf(l, d)) > 0 }) {
			reads = append(reads, d)
			continue
		}
		o := Obstacle{Of: d.name, Message: x.unserved(d), At: []string{"patterns", d.name}}
		hints := hints(d, func(p *spec.Pattern) bool {
			e, err := x.facts.normalize(p)
			return err == nil && !x.none(es, func(l *layout) bool { return x.reaches(l, e) })
		})
		var fits []string
		for i, h := range hints {
			if i == 0 {
				o.Message, o.Limit = "no model serves "+d.name+" with "+h.Statement, h.Statement == "consistency strong" || h.Statement == "consistency snapshot"
				if why := x.misses[d.name]; why != "" {
					o.Message += ": " + why
				}
			}
			if key, left := strings.CutPrefix(h.Fits, "no "); left {
				fits = append(fits, "leave `"+key+"` out")
			} else {
				fits = append(fits, "write `"+strings.Replace(h.Fits, " ", ": ", 1)+"`")
			}
		}
		if len(fits) > 0 {
			o.Instead = strings.Join(fits, ", or ")
		}
		x.found = append(x.found, o)
	}
	writes := c.writes[:0:0]
	for _, w := range c.writes {
		var refused *synthesis
		served, crowded := false, x.overcrowded(w)
		none := x.none(x.affected(w), func(l *layout) bool {
			s := x.writePlan(l, w, nil, nil)
			if s.why != "" && (refused == nil || crowded && s.crowded != "" && refused.crowded == "") {
				refused = s
			}
			served = s.why == ""
			return served || crowded && s.crowded != "" // the others are refused for the same
		})
		if served || refused == nil || !none && !(crowded && refused.crowded != "") {
			writes = append(writes, w)
			continue
		}
		why := refused.why
		if refused.crowded != "" { // which stands by itself
			why = strings.Replace(why, ": "+refused.crowded, "", 1)
		}
		x.found = append(x.found, Obstacle{Of: w.Name, Limit: refused.limit, Message: "no model serves " + w.Name + ": " + why, Instead: refused.crowded, At: []string{"patterns", w.Name}})
	}
	c.demands, c.writes = reads, writes
}

// overcrowded reports whether a write has more actions than a transaction takes in whatever layout: what no option
// stores inside something else, or several of it together, is written by an action each.
func (x *examiner) overcrowded(w *spec.Pattern) bool {
	n := 0.0
	for _, t := range x.facts.touches {
		apart := len(x.c.options[t.entity]) > 0 && !slices.ContainsFunc(x.c.options[t.entity], func(o *option) bool { return o.within != nil || o.pack != nil })
		if t.pattern == w && t.puts() && apart {
			n += t.times.most
		}
	}
	return w.Atomic && n > float64(capacity.TransactionActions)
}

// none reports whether no layout does, of all that differ in how some entities are stored. It is false if that are too
// many to tell.
func (x *examiner) none(es []*spec.Entity, does func(*layout) bool) bool {
	chosen := map[*spec.Entity]*option{}
	for _, e := range x.c.entities {
		chosen[e] = x.c.options[e][0]
	}
	es = slices.DeleteFunc(slices.Clone(es), func(e *spec.Entity) bool { return chosen[e] == nil })
	left, served := layoutsExamined, false
	var vary func(i int)
	vary = func(i int) {
		if served {
			return
		}
		if i < len(es) {
			before := chosen[es[i]]
			for _, o := range x.c.options[es[i]] {
				chosen[es[i]] = o
				vary(i + 1)
			}
			chosen[es[i]] = before
			return
		}
		if left--; left < 0 || x.over() {
			served = true // for all that is known
			return
		}
		if l, ok := arrange(x.c.entities, maps.Clone(chosen)); ok {
			served = does(l)
		}
	}
	vary(0)
	return !served
}

func (c Unsupported) obstacle() Obstacle {
	return Obstacle{Of: c.Pattern, Message: c.Message(), Instead: c.Instead, At: c.At, Offset: c.Offset}
}

// obstacles are what the error of a component names.
func obstacles(r *spec.Requirements, c *component, err error) []Obstacle {
	var none *UnsupportedError
	if errors.As(err, &none) {
		var out []Obstacle
		for _, u := range none.Findings(r) {
			o := u.obstacle()
			if len(none.Cases) == 0 {
				o = about(r, c, none.Losses, o)
			}
			out = append(out, o)
		}
		return out
	}
	var limit *InfeasibleError
	if !errors.As(err, &limit) {
		return nil
	}
	o := Obstacle{Of: c.names()[0], Limit: true, At: []string{"entities", c.names()[0]}, Message: strings.Join(limit.Losses, "; ")}
	if len(limit.Conflicts) == 0 {
		return []Obstacle{about(r, c, limit.Losses, o)}
	}
	first := limit.Conflicts[0]
	o.Of, o.At = first.Of, statedBy(r, first)
	var stated, fits []string
	for _, x := range limit.Conflicts {
		stated = append(stated, x.Of+": "+x.Statement)
		if x.Fits != "" {
			fits = append(fits, x.Fits+" of "+x.Of)
		}
	}
	o.Message = "no model serves " + strings.Join(stated, " together with ") + " within DynamoDB's limits"
	if len(limit.Losses) > 0 {
		o.Message += ": " + strings.Join(limit.Losses, "; ")
	}
	if len(fits) > 0 {
		o.Instead = "what would fit: " + strings.Join(fits, ", or ")
	}
	return []Obstacle{o}
}

// statedBy is where a conflict stands: at a pattern, a foreign key or an entity.
func statedBy(r *spec.Requirements, x Conflict) []string {
	if r.Pattern(x.Of) != nil {
		return []string{"patterns", x.Of}
	}
	entity, way, _ := strings.Cut(x.Of, ".")
	if e := r.Entity(entity); e != nil && way != "" {
		for _, w := range e.There {
			if w.Name == way {
				return []string{"entities", entity, "attributes", w.By[0].Name}
			}
		}
	}
	return []string{"entities", entity}
}

// about puts an obstacle that has only reasons at the pattern that the first reason begins with.
func about(r *spec.Requirements, c *component, losses []string, o Obstacle) Obstacle {
	for _, why := range losses {
		for word := range strings.FieldsSeq(why) {
			name := strings.Trim(word, ":,;.")
			if p := r.Pattern(name); p != nil {
				o.Of, o.At = name, []string{"patterns", name}
				return o
			}
			if slices.Contains(c.names(), name) && o.Limit {
				o.Of, o.At = name, []string{"entities", name}
				return o
			}
		}
	}
	return o
}
