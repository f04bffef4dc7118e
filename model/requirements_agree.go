package model

import (
	"math"
	"slices"
	"strconv"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/spec"
)

// tolerance is how far two figures that say the same may lie apart.
const tolerance = 0.05

// same reports whether two figures agree, by the larger of them.
func same(a, b float64) bool { return math.Abs(a-b) <= tolerance*math.Max(a, b)+1e-12 }

// results fills in how many entities match what a read states.
func (p *patternReader) results(e *spec.Entity) {
	path := with(p.path, "results")
	limit, by, perParent := p.matches(e)
	if p.doc.Results == nil {
		switch {
		case p.isBroken(path...) || len(p.out.Given) < len(p.doc.Given) || !p.isWhole(e) || p.brokenWithin(with(p.entities[e].path, "unique")...):
		case perParent != nil && !perParent.PerParent.Stated:
			return // reported once, where it belongs
		case by && p.out.Where == nil:
			p.out.Results = limit
		case limit.Max == 1:
			p.out.Results = limit
		default:
			remedy := "add `results: {average: …, max: …}`: the matches of one call's values, over all pages"
			if perParent != nil {
				remedy += "; one " + perParent.To.Name + " has " + spec.FormatNumber(limit.Average) + " on average and at most " + spec.FormatNumber(limit.Max) + ", before the rest is tested"
				if share := shareOf(e, p.out.Where); share > 0 && len(p.out.Given) == len(perParent.By) {
					remedy = "add `results: {average: " + figure(limit.Average*share) + ", max: …}`, if they are spread evenly: one " + perParent.To.Name + " has " + spec.FormatNumber(limit.Average) +
						" on average and at most " + spec.FormatNumber(limit.Max) + ", and for " + figure(share*100) + "% of all " + e.Name + " the rest holds"
				}
			} else if count := p.countOf(e); count > 0 {
				remedy += "; there are " + spec.FormatNumber(count) + " " + e.Name
			}
			if a := p.plainGiven(e); a != nil && p.out.Where == nil {
				remedy += "; or say `distinct` and `hottest` at " + a.Name + ", which is no foreign key: it follows from these"
				if a.Type == spec.String || a.Type == spec.Number {
					remedy += "; or `unique: [" + a.Name + "]` in " + e.Name + ", if no two have the same"
				}
			}
			p.errorAt(p.path, "results-missing", remedy, "how many %s a call of %s finds does not follow from what it states", e.Name, p.out.Name)
		}
		return
	}
	p.out.Results = p.count(p.doc.Results, path)
	if r := p.out.Results; limit.Max > 0 && (r.Max > limit.Max*(1+tolerance) || r.Average > limit.Max) {
		p.errorAt(path, "results-disagree", "", "%s finds up to %s %s, but there are at most %s", p.out.Name, spec.FormatNumber(r.Max), e.Name, spec.FormatNumber(limit.Max))
	}
}

// plainGiven is the attribute of an entity that alone is given, and leads to no other entity; nil if that is not what
// is given.
func (p *patternReader) plainGiven(e *spec.Entity) *spec.Attribute {
	if len(p.out.Given) != 1 || len(p.doc.Given) != 1 || len(p.out.Given[0]) != 1 {
		return nil
	}
	a := e.Attribute(p.out.Given[0][0])
	if a == nil || a.Reference != nil || a.Derived != nil || len(a.Values()) > 0 || a.Type == spec.Bool {
		return nil
	}
	return a
}

// matches is how many entities there are for what is given, as far as identities and relationships tell. exact says
// that it is what is found, not only a bound; way is the relationship that it follows from.
func (p *patternReader) matches(e *spec.Entity) (n spec.Size, exact bool, way *spec.Relationship) {
	given, through := p.told(e)
	all := func(as []*spec.Attribute) bool {
		return len(as) > 0 && !slices.ContainsFunc(as, func(a *spec.Attribute) bool { return !given[a.Name] })
	}
	if all(e.Identity) || slices.ContainsFunc(e.Unique, func(u spec.Unique) bool { return all(u.Of) && e.Implies(p.out.Where, u.While) }) || p.givenBelow(e) {
		return spec.Size{Average: 1, Max: 1}, true, nil
	}
	for _, w := range e.There {
		if !all(w.By) {
			continue
		}
		if _, ok := p.uses[w]; !ok {
			p.uses[w] = with(p.path, "given")
		}
		c := spec.Size{Average: w.PerParent.Average, Max: w.PerParent.Max}
		if n.Max == 0 || c.Max < n.Max {
			n, way = c, w
		}
		exact = len(given) == len(w.By) && !through
	}
	if way == nil && len(given) == 1 && !through && len(p.out.Given) == len(p.doc.Given) {
		for name := range given {
			if a := e.Attribute(name); a != nil && a.Distinct > 0 {
				count := p.countOf(e) * a.Present
				n = spec.Size{Average: count / a.Distinct, Max: max(count/a.Distinct, count*a.Hottest)}
				if a.Hottest == 0 {
					n.Max = count
				}
				return n, a.Hottest > 0, nil
			}
		}
	}
	if way == nil && len(p.doc.Given) == 0 {
		if count := p.countOf(e); count > 0 {
			return spec.Size{Average: count, Max: count}, true, nil
		}
	}
	return n, exact, way
}

// told are the attributes of an entity that what is given tells: those that are given themselves, and the foreign keys
// that lead to what is given by its identity or by what is unique of it. through says that something else is given of
// what lies at the end of ways.
func (p *patternReader) told(e *spec.Entity) (given map[string]bool, through bool) {
	given = map[string]bool{}
	there := map[string][]string{}
	for _, g := range p.out.Given {
		switch len(g) {
		case 1:
			given[g[0]] = true
		case 2:
			there[g[0]] = append(there[g[0]], g[1])
		default:
			through = true
		}
	}
	for name, of := range there {
		all := func(as []*spec.Attribute) bool {
			return !slices.ContainsFunc(as, func(a *spec.Attribute) bool { return !slices.Contains(of, a.Name) })
		}
		w := e.WayThere(name)
		if w == nil || e.Attribute(name) != nil || !all(w.To.Identity) && !slices.ContainsFunc(w.To.Unique, func(u spec.Unique) bool { return u.Always() && all(u.Of) }) {
			through = true
			continue
		}
		for _, a := range w.By {
			given[a.Name] = true
		}
	}
	return given, through
}

// shareOf is the share of an entity for which a condition holds, as far as its tests are of constants and of what is
// there, whose shares are stated; 0 if that is not known.
func shareOf(e *spec.Entity, c spec.Condition) float64 {
	share := 1.0
	for _, c := range spec.Conjuncts(c) {
		t, ok := c.(*spec.Test)
		if !ok || len(t.Path) != 1 || e.Attribute(t.Path[0]) == nil {
			return 0
		}
		a := e.Attribute(t.Path[0])
		values, listed := e.Among(t)
		switch {
		case t.Op == "exists":
			share *= a.Present
		case t.Op == "absent":
			share *= 1 - a.Present
		case listed && len(a.Shares) > 0:
			sum := 0.0
			for _, s := range a.Shares {
				if slices.Contains(values, s.Value) {
					sum += s.Of
				}
			}
			share *= sum
		default:
			return 0
		}
	}
	return share
}

// givenBelow reports whether what is given identifies something that belongs to one e: a path of ways back that ends
// in the whole identity.
func (p *patternReader) givenBelow(e *spec.Entity) bool {
	named := map[string][]string{}
	for _, g := range p.out.Given {
		if segments, err := e.Resolve(g); err == nil && len(segments) > 1 {
			prefix := spec.Path(g[:len(g)-1]).String()
			if !slices.ContainsFunc(segments[:len(segments)-1], func(s spec.Segment) bool { return !s.Back }) {
				named[prefix] = append(named[prefix], g[len(g)-1])
			}
		}
	}
	for prefix, names := range named {
		path, _ := spec.ParsePath(prefix)
		segments, _ := e.Resolve(path)
		below := segments[len(segments)-1].Entity()
		if !slices.ContainsFunc(below.Identity, func(a *spec.Attribute) bool { return !slices.Contains(names, a.Name) }) {
			return true
		}
	}
	return false
}

// countOf is how many of an entity are stored, stated or from its parent; 0 if that is not known.
func (r *requirementsReader) countOf(e *spec.Entity) float64 {
	per := 1.0
	for range len(r.out.Entities) { // parents may run in a circle, which is reported
		if c := r.entities[e].doc.Count; c != nil {
			return per * c.Float64()
		}
		if e.Parent == nil || !e.Parent.PerParent.Stated {
			break
		}
		per *= e.Parent.PerParent.Average
		e = e.Parent.To
	}
	return 0
}

// agree fills in counts and growth, and compares what the file says in two ways.
func (r *requirementsReader) agree() {
	for _, e := range r.out.Entities {
		r.counts(e)
	}
	for _, e := range r.out.Entities {
		r.growth(e)
		r.expiry(e)
		r.relationships(e)
	}
	r.firsts()
	r.unread()
	r.neverWritten()
	for i, p := range r.out.Patterns {
		r.largeAnswer(p)
		r.brings(p)
		r.fitsTransaction(p)
		r.listDisagrees(p, &r.doc.Patterns[i].Value)
	}
}

// brings compares how many children come with one call with how many a parent has in all.
func (r *requirementsReader) brings(p *spec.Pattern) {
	for _, q := range p.Parameters {
		for _, in := range q.Inside {
			e, all := in.Way.From, in.Way.PerParent
			path := with([]string{"patterns", p.Name}, "parameters", q.Name+"."+in.Way.Inverse, "length")
			total := "one " + in.Way.To.Name + " has "
			switch {
			case !all.Stated:
			case in.Number.Max > all.Max:
				r.errorAt(path, "count-disagrees", "write `max: "+figure(all.Max)+"`, or correct `per-parent` of "+e.Name+"."+in.Way.By[0].Name,
					"a call of %s brings up to %s %s, and %sat most %s", p.Name, spec.FormatNumber(in.Number.Max), e.Name, total, spec.FormatNumber(all.Max))
			case same(in.Number.Average, all.Average) || r.patternsBroken("write"):
			case in.Number.Average < all.Average && len(r.entities[e].created) == 1:
				r.warnAt(path, "count-disagrees", "write `average: "+figure(all.Average)+"`, correct `per-parent`, or add the pattern that creates the others",
					"%s alone creates %s, %s with one call on average, but %s%s", p.Name, e.Name, spec.FormatNumber(in.Number.Average), total, spec.FormatNumber(all.Average))
			case in.Number.Average > all.Average && len(r.entities[in.Way.To].created) == 1 && r.out.Lasts(e) && e.Retention == 0:
				r.warnAt(path, "count-disagrees", "write `average: "+figure(all.Average)+"`, or correct `per-parent`",
					"each %s comes with %s %s on average and nothing deletes them, but %s%s", in.Way.To.Name, spec.FormatNumber(in.Number.Average), e.Name, total, spec.FormatNumber(all.Average))
			}
		}
	}
}

// fitsTransaction reports a write that is all or nothing and that no transaction holds: it writes many items, and they
// cannot lie inside one, at their average size.
func (r *requirementsReader) fitsTransaction(p *spec.Pattern) {
	if !p.Writes() || !p.Atomic {
		return
	}
	inside := func(e *spec.Entity, w *spec.Relationship) bool {
		return w.PerParent.Stated && e.Bytes.Average*w.PerParent.Max <= float64(capacity.ItemBytes)
	}
	all := 0.0
	var most float64 // of one action, and what it is about
	var what, remedy, path = "", "", []string(nil)
	add := func(i int, n float64, items, smaller string) {
		if all += n; n > most {
			most, what, remedy, path = n, items, smaller, []string{"patterns", p.Name, "write", index(i)}
		}
	}
	for i, a := range p.Actions {
		n := 1.0
		if len(a.Each) == 1 && p.Parameter(a.Each[0]) != nil && p.Parameter(a.Each[0]).List {
			n = p.Parameter(a.Each[0]).Length.Max
			if slices.ContainsFunc(a.Entity.There, func(w *spec.Relationship) bool { return inside(a.Entity, w) }) {
				n = 0 // they may lie inside
			}
			add(i, n, "up to "+spec.FormatNumber(n)+" "+a.Entity.Name, "a list with at most "+spec.FormatNumber(capacity.TransactionActions)+" elements")
			continue
		}
		if len(a.Each) == 0 {
			all++
		}
		for _, name := range a.With {
			if w := a.Entity.WayBack(name); w != nil && w.PerParent.Stated && !inside(w.From, w) {
				q, limit := p.ValueOf(a), spec.FormatNumber(capacity.TransactionActions-1)
				smaller := "a `length` of at most " + limit
				if !q.BringsStated(w) {
					smaller = "two creates where one call brings one " + w.From.Name + " of all that a " + a.Entity.Name + " gets, with an identity that the caller chooses, or a `max` of at most " + limit +
						" for " + w.From.Name + "." + w.By[0].Name
					if q != nil {
						smaller += ", or, where fewer come with one call, `" + q.LengthOf(w, float64(capacity.TransactionActions-1)) + "`"
					}
				}
				most := q.Brings(w, w.PerParent).Max
				add(i, most, "up to "+spec.FormatNumber(most)+" "+w.From.Name+", which are too large to lie inside the item of their "+a.Entity.Name, smaller)
			}
		}
	}
	if all > float64(capacity.TransactionActions) && what != "" {
		r.errorAt(path, "too-many-actions", "write `atomic: false`, or "+remedy,
			"%s is all or nothing and writes %s: that can be %s actions, and a transaction takes %d", p.Name, what, spec.FormatNumber(all), capacity.TransactionActions)
	}
}

func (r *requirementsReader) counts(e *spec.Entity) {
	s := r.entities[e]
	path := with(s.path, "count")
	var fromParent float64
	if e.Parent != nil && e.Parent.PerParent.Stated {
		fromParent = e.Parent.PerParent.Average * r.countOf(e.Parent.To)
	}
	switch c := s.doc.Count; {
	case c != nil:
		e.Count = c.Float64()
		if fromParent > 0 && !same(e.Count, fromParent) {
			r.errorAt(path, "count-disagrees", "leave it out, or correct it or `per-parent`", "%s is said to be stored %s times, but %s %s with %s each are %s",
				e.Name, spec.FormatNumber(e.Count), spec.FormatNumber(r.countOf(e.Parent.To)), e.Parent.To.Name, spec.FormatNumber(e.Parent.PerParent.Average), spec.FormatNumber(fromParent))
		}
	case r.isBroken(path...):
	case e.Parent != nil:
		if e.Count = fromParent; !e.Parent.PerParent.Stated {
			if _, ok := r.uses[e.Parent]; !ok { // how many there are needs it
				r.uses[e.Parent] = path
			}
		}
	default:
		r.errorAt(s.path, "count-missing", r.countRemedy(e), "how many %s there are is not said, and it has no parent from which it follows", e.Name)
	}
}

// firsts reports entities of which none can ever be the first, because whatever creates one is refused without another
// that comes into being no sooner.
func (r *requirementsReader) firsts() {
	if r.isBroken("patterns") || r.patternsBroken("write") {
		return
	}
	made := map[*spec.Entity]bool{}
	lacks := func(c creation, e *spec.Entity) *spec.Entity {
		there := func(a *spec.Action, e *spec.Entity) bool { // or another action of the call makes it
			return made[e] || slices.ContainsFunc(c.pattern.Actions, func(b *spec.Action) bool {
				return b != a && b.Entity == e && (b.Verb == spec.Create || b.Verb == spec.Upsert || b.Makes)
			})
		}
		for _, a := range c.pattern.Actions {
			if !c.pattern.Atomic && a.Entity != e {
				continue
			}
			for _, way := range a.Requires {
				optional := slices.ContainsFunc(way.By, func(a *spec.Attribute) bool { return a.Optional })
				if !optional && !there(a, way.To) {
					return way.To
				}
			}
			if a.Demands() && len(a.Each) == 0 && !there(a, a.Entity) {
				return a.Entity
			}
		}
		return nil
	}
	for again := true; again; {
		again = false
		for _, e := range r.out.Entities {
			s := r.entities[e]
			if !made[e] && (e.External || slices.ContainsFunc(s.created, func(c creation) bool { return lacks(c, e) == nil })) {
				made[e], again = true, true
			}
		}
	}
	for _, e := range r.out.Entities {
		s := r.entities[e]
		if made[e] || len(s.created) == 0 {
			continue
		}
		c := s.created[0]
		r.errorAt(c.path, "circle", "leave out `requires` or the update of it in one of them, or make the way there optional",
			"no first %s can ever be created: %s is refused without a %s, and what creates that needs a %s in turn", e.Name, c.pattern.Name, lacks(c, e).Name, e.Name)
		return
	}
}

// growth compares what is said to be created with the rates of the patterns that create it.
func (r *requirementsReader) growth(e *spec.Entity) {
	s := r.entities[e]
	var sure, maybe float64
	for _, c := range s.created {
		if rate := c.pattern.Rate.Average * c.perCall; c.maybe {
			maybe += rate
		} else {
			sure += rate
		}
	}
	if len(s.created) == 0 {
		if !e.External && !r.isBroken("patterns") && !r.isBroken(s.path...) && !r.patternsBroken("write") {
			r.errorAt(s.path, "no-create", "add a pattern with `write: {create: "+e.Name+"}`, or `with` where its parent is created; `external: true` if another system keeps it", "no pattern creates %s", e.Name)
		}
		return
	}
	path := with(s.path, "growth")
	e.Growth = sure
	if s.doc.Growth == nil {
		return
	}
	e.Growth = float64(*s.doc.Growth)
	if maybe > 0 {
		e.Newly = min(max(e.Growth-sure, 0)/maybe, 1)
	}
	month := spec.Month.Seconds()
	if r.patternsBroken("write") || e.Growth >= sure && e.Growth <= sure+maybe || same(e.Growth, sure) || same(e.Growth, sure+maybe) {
		return
	}
	remedy := "correct it, or the `rate` of what creates it: a rate of 1/s is 2_628_000 a month"
	for _, c := range s.created {
		others := sure + maybe - c.pattern.Rate.Average*c.perCall
		if n := float64(c.pattern.Bulk); n > 1 && same(e.Growth, others+c.pattern.Rate.Average*c.perCall*n) {
			remedy = "write `rate: {average: " + figure(c.pattern.Rate.Average*n*spec.Month.Seconds()) + "/month, …}` in " + c.pattern.Name + ": where data is loaded in bulk, its rate counts each " + e.Name
		}
	}
	r.errorAt(path, "growth-disagrees", remedy,
		"%s is said to grow by %s a month, but the patterns that create it make %s", e.Name, spec.FormatNumber(e.Growth*month), spec.FormatNumber(math.Round((sure+maybe)*month)))
}

// patternsBroken reports whether there are errors in writes, or with kind "read" in any pattern, so that what patterns
// do is not fully known.
func (r *requirementsReader) patternsBroken(kind string) bool {
	for _, d := range r.diags {
		if p := r.out.Pattern(d.Of); d.Severity == Error && p != nil && (p.Read == nil || kind == "read") {
			return true
		}
	}
	return r.isBroken("patterns")
}

// expiry compares the count with what is created while one is kept.
func (r *requirementsReader) expiry(e *spec.Entity) {
	s := r.entities[e]
	path := with(s.path, "expires")
	if a := e.Expires; a != nil && a.Type != spec.Timestamp && a.Type != 0 {
		r.errorAt(path, "wrong-type", "", "%s is %s, not a timestamp", a.Name, a.Kind())
	}
	r.kept(e)
	if e.Retention == 0 || s.doc.Retention.After != "" || e.Count == 0 || e.Growth == 0 { // how long it lives before that time is not stated
		return
	}
	if kept := e.Growth * e.Retention.Seconds(); !same(kept, e.Count) {
		r.warnAt(with(s.path, "retention"), "retention-disagrees", "correct count, growth or retention, or accept that it is not settled yet",
			"%s is kept %s and created %s times a month, which makes %s, but %s are stored", e.Name, spec.FormatDuration(e.Retention),
			spec.FormatNumber(math.Round(e.Growth*spec.Month.Seconds())), spec.FormatNumber(math.Round(kept)), spec.FormatNumber(e.Count))
	}
}

// kept finds what time to live can be made of where an entity has a retention: the time of its creation, which never
// changes. What it deletes nobody is told of, so that nothing may have to follow.
func (r *requirementsReader) kept(e *spec.Entity) {
	if e.Retention == 0 || e.Expires != nil || e.External || r.patternsBroken("write") {
		return
	}
	var stated []*spec.Attribute
	for _, a := range e.Attributes {
		switch {
		case e.After != nil:
		case a.Type != spec.Timestamp || a.Optional || a.Derived != nil || r.out.Updates(e, a):
		case a.Generated == "now" && e.Kept == nil:
			e.Kept = a
		default:
			stated = append(stated, a)
		}
	}
	switch at := with(r.entities[e].path, "retention"); {
	case e.After != nil && e.After.Type == 0: // which is reported
		return
	case e.After != nil && (e.After.Type != spec.Timestamp && e.After.Type != spec.Date || e.After.Derived != nil):
		r.errorAt(at, "wrong-type", "name a timestamp or date of "+e.Name+" itself, such as `closedAt: {type: timestamp, optional: true}`", "a retention counts from a time that is kept, and %s is none", e.After.Name)
		return
	case e.After != nil && r.computes(e, e.After):
		return
	case e.After != nil:
		e.Kept = e.After
	case len(stated) == 1 && e.Kept == nil:
		e.Kept = stated[0]
	}
	remedy := "delete it with a pattern, or accept that it stays"
	switch by := r.followers(e); {
	case e.Kept == nil && len(stated) > 1:
		e.Stays, remedy = "it is not known which of "+attributeNames(stated)+" is the time of its creation", "add `createdAt: {type: timestamp, generated: now}`"
	case e.Kept == nil:
		e.Stays, remedy = "no attribute holds the time of its creation", "add `createdAt: {type: timestamp, generated: now}`"
	case r.claimsStay(e) != nil:
		e.Stays = "what keeps " + attributeNames(r.claimsStay(e)) + " unique would stay, because time to live tells nobody"
		if e.After != nil {
			remedy = "let what sets " + e.After.Name + " end the `while` of it for good, as `while: absent(" + e.After.Name + ")` or a state does that none leads out of (a write that removes what is unique does not count as that); or " + remedy
		}
	case by != "":
		e.Stays = by
	default:
		return
	}
	e.Kept = nil
	switch by, rate := r.deleters(e); {
	case rate >= (1-tolerance)*e.Growth && by != "":
		e.Stays = "" // who calls it looks to it
		return
	case by != "":
		month := spec.Month.Seconds()
		remedy += "; " + by + " deletes " + figure(rate*month) + " a month of " + figure(e.Growth*month) + " that come: let it delete as many"
	}
	r.warnAt(with(r.entities[e].path, "retention"), "kept-longer", remedy, "nothing deletes %s when its retention is over: %s", e.Name, e.Stays)
}

// deleters names the patterns that delete an entity, and says how many a second they delete; "" if there is none.
func (r *requirementsReader) deleters(e *spec.Entity) (names string, rate float64) {
	var by []string
	for _, p := range r.out.Patterns {
		n := 0.0
		for _, a := range p.Actions {
			if a.Verb != spec.Delete {
				continue
			}
			each := 1.0
			if len(a.Each) == 1 && p.Parameter(a.Each[0]) != nil {
				each = max(p.Parameter(a.Each[0]).Length.Average, 1)
			}
			if a.Entity == e {
				n += each
			}
			for _, name := range a.With {
				if w := a.Entity.WayBack(name); w != nil && w.From == e {
					n += each * w.PerParent.Average
				}
			}
		}
		if n > 0 {
			by, rate = append(by, p.Name), rate+n*p.Rate.Average
		}
	}
	return joined(by), rate
}

// computes reports updates that set a time from which a retention counts to what they compute from what is stored: time
// to live is made of it in the same request, which does not know that.
func (r *requirementsReader) computes(e *spec.Entity, a *spec.Attribute) (some bool) {
	for _, p := range r.out.Patterns {
		for i, act := range p.Actions {
			for _, s := range act.Set {
				if act.Entity != e || len(s.Path) != 1 || s.Path[0] != a.Name || s.Once() || !slices.ContainsFunc(slices.Collect(s.Value.Terms()), func(t spec.Expr) bool { return len(t.Path) > 0 }) {
					continue
				}
				some = true
				r.errorAt([]string{"patterns", p.Name, "write", index(i), "set", a.Name}, "not-applicable",
					"set it to what the call states, or once, `"+a.Name+": if_missing("+a.Name+", now)`",
					"the retention of %s counts from %s, and no write knows what `%s` makes of it", e.Name, a.Name, s.Value)
			}
		}
	}
	return some
}

// claimsStay finds what is still unique of an entity whose retention is over. A marker that is put when the time is
// known ends by itself; claimsStay are the attributes of one that would stay: the time becomes known to it later. nil
// if there is none.
func (r *requirementsReader) claimsStay(e *spec.Entity) []*spec.Attribute {
	for i := range e.Unique {
		u := &e.Unique[i]
		if u.Outlives = !r.out.Over(e, u.While); u.Outlives && r.out.Updates(e, e.Kept) {
			return u.Of
		}
	}
	return nil
}

// followers says what would have to follow if an entity were deleted without a word; "" if nothing would.
func (r *requirementsReader) followers(e *spec.Entity) string {
	for _, w := range e.There {
		for _, a := range w.To.Attributes {
			if d := a.Derived; a.Counted() && w.Inverse != "" && d.Path[0] == w.Inverse && !r.out.Over(e, d.Where) {
				return w.To.Name + "." + a.Name + " follows from it, and time to live tells nobody"
			}
		}
	}
	for _, child := range r.out.Entities {
		if child.Parent != nil && child.Parent.To == e && child.Retention == 0 && child.Expires == nil {
			return child.Name + " lives and dies with it, and has no retention"
		}
	}
	return ""
}

// relationships checks the numbers of children: that they are there where a pattern needs them, and fit the counts.
func (r *requirementsReader) relationships(e *spec.Entity) {
	for _, w := range e.There {
		a := r.entities[e].attributes[r.declares[w]]
		path := with(a.path, "per-parent")
		c := w.PerParent
		if !c.Stated {
			if use, ok := r.uses[w]; ok && !r.isBroken(path...) {
				remedy := r.childrenRemedy(e, w)
				if w.Inverse == "" {
					remedy += ". Nobody goes back, but what lies there may be kept in each " + e.Name + ", and follows there"
				}
				r.errorAt(a.path, "children-missing", remedy, "how many %s one %s has is not said, and %s needs it", e.Name, w.To.Name, r.of(use))
			}
			continue
		}
		if most := apart(e, w); c.Max > most {
			r.errorAt(path, "count-disagrees", "write `max: "+spec.FormatNumber(most)+"`, or add to the identity what else tells them apart",
				"one %s has up to %s %s, but the identity of %s tells no more than %s of one %s apart", w.To.Name, spec.FormatNumber(c.Max), e.Name, e.Name, spec.FormatNumber(most), w.To.Name)
			continue
		}
		to := r.countOf(w.To)
		if e.Count == 0 || to == 0 {
			continue
		}
		present := 1.0
		for _, key := range w.By {
			present *= key.Present
		}
		if c.Max > e.Count*(1+tolerance) {
			r.errorAt(path, "count-disagrees", "", "one %s has up to %s %s, but there are only %s", w.To.Name, spec.FormatNumber(c.Max), e.Name, spec.FormatNumber(e.Count))
		}
		r.skewCut(w, e.Count*present, to, with(path, "skew"))
		if all := to * c.Average; !w.Identifying && !same(all, e.Count*present) {
			remedy := "correct `per-parent` or one of the counts: collections are sized by the one, storage by the other"
			if average := e.Count * present / to; average <= c.Max {
				remedy = "write `average: " + figure(average) + "`, or correct one of the counts: collections are sized by the one, storage by the other"
			}
			r.errorAt(path, "count-disagrees", remedy, "%s %s with %s %s each are %s, but %s point to one", spec.FormatNumber(to), w.To.Name, spec.FormatNumber(c.Average), e.Name, spec.FormatNumber(all), spec.FormatNumber(e.Count*present))
		}
	}
}

// apart is how many instances that point to the same one can differ in their identity: by what is not part of the way,
// as far as the number of its values is known.
func apart(e *spec.Entity, w *spec.Relationship) float64 {
	most := 1.0
	for _, a := range e.Identity {
		switch n := len(a.Values()); {
		case slices.Contains(w.By, a):
		case n > 0:
			most *= float64(n)
		case a.Type == spec.Bool:
			most *= 2
		default:
			return math.Inf(1)
		}
	}
	return most
}

// skewCut reports a skew by which one parent has more than any can have.
func (r *requirementsReader) skewCut(w *spec.Relationship, children, parents float64, path []string) {
	c := w.PerParent
	most, remedy := 0.0, "lower the exponent"
	switch n := int64(parents); {
	case c.Skew.Hottest > 0:
		keys := float64(max(c.Skew.Keys, 1))
		fits := spec.Skew{Hottest: c.Max * keys / children, Keys: c.Skew.Keys}
		most, remedy = c.Skew.Hottest*children/keys, "write `skew: "+fits.String()+"`"
	case c.Skew.Zipf > 0 && n > 0:
		most = dist.Zipf(n, c.Skew.Zipf, children/parents, math.Inf(1)).Max() / 2 // an exponent is not known more exactly than that
	}
	if most <= c.Max*(1+tolerance) {
		return
	}
	if c.Skew.Zipf > 0 {
		most *= 2
	}
	r.warnAt(path, "skew-cut", "write `max: "+figure(most)+"`, or "+remedy+" if "+spec.FormatNumber(c.Max)+" is the most that one can have",
		"%s gives one %s %s of %s %s, and its `max` says that none has more than %s: that is what is reckoned with",
		c.Skew, w.To.Name, figure(most), spec.FormatNumber(children), w.From.Name, spec.FormatNumber(c.Max))
}

// countRemedy says what count would agree with what else the file says.
func (r *requirementsReader) countRemedy(e *spec.Entity) string {
	remedy := "add `count: …`, how many are stored today"
	for _, w := range e.There {
		if to := r.countOf(w.To); to > 0 && w.PerParent.Stated && len(w.By) == 1 && !w.By[0].Optional {
			return "add `count: " + figure(to*w.PerParent.Average) + "`, how many are stored today: " + spec.FormatNumber(to) + " " + w.To.Name + " with " +
				spec.FormatNumber(w.PerParent.Average) + " each"
		}
	}
	if g := r.entities[e].doc.Growth; g != nil && e.Retention > 0 && e.After == nil && *g > 0 {
		return "add `count: " + figure(float64(*g)*e.Retention.Seconds()) + "`, how many are stored today: what grows while one is kept"
	}
	return remedy
}

// childrenRemedy says what number of children would agree with the counts.
func (r *requirementsReader) childrenRemedy(e *spec.Entity, w *spec.Relationship) string {
	count, to := e.Count, r.countOf(w.To)
	for _, key := range w.By {
		count *= key.Present
	}
	if count == 0 || to == 0 {
		return "add `per-parent: {average: …, max: …}`, or a number if it is always the same"
	}
	return "add `per-parent: {average: " + figure(count/to) + ", max: …}`: " + spec.FormatNumber(count) + " " + e.Name + " among " + spec.FormatNumber(to) + " " + w.To.Name +
		"; max is how many one of them can get"
}

// figure is a number as it would be estimated: with three digits.
func figure(v float64) string {
	if r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64); err == nil {
		v = r
	}
	return spec.FormatNumber(v)
}

// unread reports writes whose result no pattern reads.
func (r *requirementsReader) unread() {
	if r.patternsBroken("read") {
		return
	}
	for i, p := range r.out.Patterns {
		if !p.Writes() || len(p.Actions) == 0 {
			continue
		}
		seen := false
		var unread []string
		for _, a := range p.Actions {
			for _, e := range written(a) {
				seen = seen || r.isRead(e) || r.isTested(e, p)
				if !slices.Contains(unread, e.Name) {
					unread = append(unread, e.Name)
				}
			}
		}
		if !seen {
			path := []string{"patterns", r.doc.Patterns[i].Key}
			r.warnAt(path, "unread-write", "add the pattern that reads it, or accept this with a reason if something outside reads it",
				"%s writes %s, which no pattern reads", p.Name, joined(unread))
		}
	}
}

// neverWritten warns of values that are stated to be stored and that no pattern writes: of what is only made by
// updates, for who creates an entity whole decides.
func (r *requirementsReader) neverWritten() {
	if r.patternsBroken("") {
		return
	}
	for _, e := range r.out.Entities {
		made := false
		whole := slices.ContainsFunc(r.out.Patterns, func(p *spec.Pattern) bool {
			return slices.ContainsFunc(p.Actions, func(a *spec.Action) bool {
				made = made || a.Makes && a.Entity == e
				return a.Verb != spec.Update && a.Verb != spec.Delete && slices.Contains(written(a), e)
			})
		})
		if whole || !made {
			continue
		}
		for _, a := range e.Attributes {
			for _, s := range a.Shares {
				if a.States != nil || a.Reference != nil || s.Of == 0 || slices.ContainsFunc(r.out.Patterns, func(p *spec.Pattern) bool { return writes(p, a, s.Value) }) {
					continue
				}
				r.warnAt(with(r.entities[e].attributes[a].path, "share"), "never-written", "add the pattern that writes it, or accept this with a reason if something outside does",
					"%s of %s are stated to have %s = %s, and no pattern writes that", spec.FormatNumber(100*s.Of)+" %", e.Name, a.Name, s.Value)
			}
		}
	}
}

// writes reports whether a pattern may give an attribute a value: in what it sets, or in the key of what it makes.
func writes(p *spec.Pattern, at *spec.Attribute, value string) bool {
	return slices.ContainsFunc(p.Actions, func(a *spec.Action) bool {
		given := a.Set
		if a.Makes {
			given = slices.Concat(a.Key, a.Set)
		}
		return a.Entity == at.Entity && slices.ContainsFunc(given, func(s spec.Assign) bool {
			return len(s.Path) == 1 && s.Path[0] == at.Name && slices.ContainsFunc(constants(s.Value, at), func(v string) bool { return v == value || v == anything })
		})
	})
}

const anything = "\x00" // that a caller says, or that something else decides

// constants are the values that an expression can give an attribute beside the one that it has.
func constants(v spec.Expr, at *spec.Attribute) (out []string) {
	switch {
	case v.Op == "if_missing":
		for _, x := range v.Args {
			out = append(out, constants(x, at)...)
		}
		return out
	case v.Op == "" && len(v.Path) == 1 && v.Path[0] == at.Name:
		return nil // what it has already
	case v.Op == "" && !v.Literal.IsZero():
		return []string{spec.ConstantText(v.Literal)}
	}
	return []string{anything}
}

// isRead reports whether a pattern reads an entity, or one whose derived attributes count it.
func (r *requirementsReader) isRead(e *spec.Entity) bool { return r.entities[e].read }

// isTested says whether a write other than p decides by what is stored of an entity, without changing it: whether a
// permit may be given depends on the officer.
func (r *requirementsReader) isTested(e *spec.Entity, p *spec.Pattern) bool {
	return slices.ContainsFunc(r.out.Patterns, func(q *spec.Pattern) bool {
		return q != p && slices.ContainsFunc(q.Actions, func(a *spec.Action) bool {
			test, is := a.Condition.(*spec.Test)
			presence := a.Condition == nil || is && test.Op == "present"
			return a.Entity == e && a.Verb == spec.Update && !presence && len(a.Set) == 0 && len(a.Remove) == 0
		})
	})
}

func written(a *spec.Action) []*spec.Entity {
	out := []*spec.Entity{a.Entity}
	for _, name := range a.With {
		out = append(out, a.Entity.WayBack(name).From)
	}
	return out
}

func joined(names []string) string {
	out := ""
	for i, n := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			out += " and "
		default:
			out += ", "
		}
		out += n
	}
	return out
}

// largest is what one page of a query reads at most: beyond 1 MB an answer takes several requests (Query.Pagination in
// the developer guide).
const largest = 1 << 20

// largeAnswer warns of answers that are unbounded in practice.
func (r *requirementsReader) largeAnswer(p *spec.Pattern) {
	if slices.ContainsFunc(r.diags, func(d Diagnostic) bool { return d.Severity == Error && d.Of == p.Name }) || p.Read == nil || p.Whole || p.Page > 0 || p.Top > 0 || len(p.Aggregates) > 0 {
		return
	}
	bytes := p.Results.Max * p.Read.Bytes.Average
	if bytes > largest {
		r.warnAt([]string{"patterns", p.Name}, "large-answer", "add `page: 50` or `top: 50`, or `whole: true` if everything is wanted",
			"one call of %s can answer %s %s of %s bytes: more than one request can read", p.Name, spec.FormatNumber(p.Results.Max), p.Read.Name, spec.FormatNumber(math.Round(p.Read.Bytes.Average)))
	}
}
