package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/internal/near"
	"github.com/tablewright/tablewright/spec"
)

// patternReader resolves one access pattern.
type patternReader struct {
	*requirementsReader
	doc  *patternDoc
	path []string
	out  *spec.Pattern

	known      map[string]*spec.Parameter // by name; appear brings them into the pattern, in their order
	unsure     bool                       // whether there may be more parameters than are known
	lostValues []string                   // names of values of entities that are not known
}

func (r *requirementsReader) readPatterns() {
	for i := range r.doc.Patterns {
		d := &r.doc.Patterns[i]
		path := []string{"patterns", d.Key}
		r.checkName(d.Key, path, true)
		p := &patternReader{requirementsReader: r, doc: &d.Value, path: path, out: &spec.Pattern{Name: d.Key}, known: map[string]*spec.Parameter{}}
		r.out.Patterns = append(r.out.Patterns, p.out)
		p.pattern()
	}
	for _, p := range r.written { // what another pattern deletes is known by now
		p.refusedTwice()
	}
	for _, w := range r.doc.Workflows {
		flow := spec.Workflow{Name: w.Key}
		for i, name := range w.Value {
			at := []string{"workflows", w.Key, index(i)}
			if p := r.out.Pattern(string(name)); p != nil {
				flow.Patterns = append(flow.Patterns, p)
			} else if !r.isBroken(at...) {
				var names []string
				for _, p := range r.out.Patterns {
					names = append(names, p.Name)
				}
				r.errorAt(at, "unknown-name", nearest(string(name), names), "there is no pattern %s", name)
			}
		}
		r.out.Workflows = append(r.out.Workflows, flow)
	}
}

func (p *patternReader) pattern() {
	d, out := p.doc, p.out
	if p.isBroken(p.path...) {
		return
	}
	out.Latency, out.Staleness = duration(d.Latency), duration(d.Staleness)
	out.Whole, out.Page, out.Top, out.Bulk, out.Note = d.Whole, d.Page, d.Top, d.Bulk, d.Note
	out.Atomic = d.Atomic == nil || *d.Atomic
	p.rate()
	reads := d.Read != "" || p.isBroken(with(p.path, "read")...)
	writes := len(d.Write) > 0 || p.isBroken(with(p.path, "write")...)
	switch {
	case reads && writes:
		p.errorAt(p.path, "conflict", "make it two patterns", "%s reads and writes", out.Name)
		return
	case !reads && !writes:
		p.errorAt(p.path, "missing-key", "add `read: Entity`, or `write` with actions", "%s neither reads nor writes", out.Name)
		return
	}
	p.fits(reads)
	if reads {
		out.Consistency = or(d.Consistency, "eventual")
		out.Read = p.entity(d.Read, with(p.path, "read")...)
		if out.Read == nil {
			return
		}
		p.read(out.Read)
	} else {
		out.Consistency = or(d.Consistency, "strong")
		p.write()
	}
	p.skew()
	p.parameters()
	p.alike()
}

// skew reads how calls spread: on average, at peak, and over the values of what.
func (p *patternReader) skew() {
	d, out := p.doc.Skew, p.out
	path := with(p.path, "skew")
	if d == nil || p.isBroken(path...) {
		return
	}
	out.Skew = d.Calls.Skew
	if d.Peak != nil {
		peak := d.Peak.Skew
		out.AtPeak = &peak
	}
	for _, s := range []struct {
		spec.Skew
		at []string
	}{{out.Skew, with(path, "calls")}, {out.PeakSkew(), with(path, "peak")}} {
		if s.BySize && (out.Writes() || len(out.Given) == 0 || p.byIdentity()) {
			p.errorAt(s.at, "not-applicable", "write uniform, zipf 1.0 or hottest 2%", "`by-size` is for reads that find several: they ask for a value in proportion to how much is found there")
			out.Skew, out.AtPeak = spec.Skew{}, nil
			return
		}
	}
	if len(d.Of) == 0 {
		return
	}
	at := with(path, "of")
	if !out.Writes() {
		p.errorAt(at, "not-applicable", "leave it out", "the calls of a read spread over the values of its `given`")
		return
	}
	of := spec.Path(d.Of[0])
	if len(d.Of) > 1 {
		p.errorAt(at, "not-applicable", "leave `of` out: then calls spread so over the identities that are written, and over the foreign keys of what is created",
			"`of` takes one attribute, and here are %d", len(d.Of))
		return
	}
	for _, a := range out.Actions {
		if segments, err := a.Entity.Resolve(of); err == nil && segments[len(segments)-1].Attribute != nil && segments[len(segments)-1].ToOne() {
			out.SkewOf = of
			return
		}
	}
	if len(out.Actions) > 0 {
		p.one(out.Actions[0].Entity, of, at)
	}
}

// byIdentity reports whether a read finds one at most.
func (p *patternReader) byIdentity() bool {
	return p.out.Read != nil && !slices.ContainsFunc(p.out.Read.Identity, func(a *spec.Attribute) bool {
		return !slices.ContainsFunc(p.out.Given, func(g spec.Path) bool { return len(g) == 1 && g[0] == a.Name })
	})
}

// rate is the one figure that nothing can stand in for.
func (p *patternReader) rate() {
	path := with(p.path, "rate")
	d := p.doc.Rate
	switch {
	case p.isBroken(p.path...) || p.isBroken(path...):
	case d == nil:
		p.errorAt(p.path, "rate-missing",
			"estimate it: users a day × calls of one user a day / 86_400 is the average per second; the peak is often 5 to 10 times that. Then write `rate: {average: 3/s, peak: 15/s}`",
			"how often %s is called is not said", p.out.Name)
	case d.Average != nil && d.Peak != nil:
		p.out.Rate = spec.Rate{Average: float64(*d.Average), Peak: float64(*d.Peak)}
		if p.out.Rate.Peak < p.out.Rate.Average {
			p.errorAt(with(path, "peak"), "bad-rate", "", "the peak, %s, is below the average, %s", spec.FormatRate(p.out.Rate.Peak), spec.FormatRate(p.out.Rate.Average))
		}
	}
}

// fits reports keys that mean nothing for a read, or for a write, and keys that exclude each other.
func (p *patternReader) fits(reads bool) {
	d := p.doc
	for _, k := range []struct {
		name         string
		given, reads bool
	}{
		{"given", d.Given != nil, true}, {"where", d.Where.Condition != nil, true}, {"with", d.With != nil, true},
		{"returns", d.Returns != nil, true}, {"aggregate", d.Aggregate != nil, true}, {"order", d.Order != nil, true},
		{"page", d.Page != 0, true}, {"top", d.Top != 0, true}, {"whole", d.Whole, true}, {"results", d.Results != nil, true},
		{"staleness", d.Staleness != 0, true},
		{"atomic", d.Atomic != nil, false}, {"idempotency", d.Idempotency != "", false}, {"bulk", d.Bulk != 0, false},
	} {
		if k.given && k.reads != reads {
			what := "a read"
			if !k.reads {
				what = "a write"
			}
			p.errorAt(with(p.path, k.name), "not-applicable", "", "`%s` is for %s", k.name, what)
		}
	}
	for _, k := range []struct {
		name  string
		value int
	}{{"page", d.Page}, {"top", d.Top}, {"bulk", d.Bulk}} {
		at := with(p.path, k.name)
		if _, n := p.find(at); n != nil && k.value == 0 && !p.isBroken(at...) {
			p.errorAt(at, "bad-value", "write a number from 1, or leave it out", "`%s` is 0", k.name)
		}
	}
	conflict := func(key, remedy, because string) { p.errorAt(with(p.path, key), "conflict", remedy, "%s", because) }
	if d.Idempotency != "" && d.Atomic != nil && !*d.Atomic {
		conflict("atomic", "leave `atomic` out, or `idempotency`", "a token stands for a write that happens as a whole")
	}
	if d.Page != 0 && d.Top != 0 {
		conflict("top", "keep one of them", "`page` goes on with a cursor, `top` does not")
	}
	if d.Aggregate != nil {
		for _, k := range []struct {
			name  string
			given bool
		}{{"with", d.With != nil}, {"returns", d.Returns != nil}, {"order", d.Order != nil}, {"page", d.Page != 0}, {"top", d.Top != 0}} {
			if k.given {
				conflict(k.name, "", "`"+k.name+"` is for entities, and `aggregate` answers none")
			}
		}
	}
	if d.Staleness != 0 && (d.Consistency == "strong" || d.Consistency == "snapshot") {
		conflict("staleness", "", "what is "+d.Consistency+" is never stale")
	}
	if d.Consistency == "snapshot" && !reads {
		conflict("consistency", "write strong, and leave `atomic` as it is", "a snapshot is read, not written")
	}
}

func (p *patternReader) read(e *spec.Entity) {
	p.entities[e].read = true
	if e.External {
		p.elsewhere(e, with(p.path, "read"))
	}
	for i, path := range p.doc.Given {
		p.given(e, spec.Path(path), with(p.path, "given", index(i)))
	}
	p.returned(e)
	p.out.Where = p.condition(spec.Scope{Entity: e, Reference: p.scalar}, p.doc.Where.Condition, with(p.path, "where"))
	for i := range p.doc.Order {
		p.order(e, i)
	}
	for _, a := range p.doc.Aggregate {
		p.aggregate(e, a.Key, a.Value, with(p.path, "aggregate", a.Key))
	}
	p.results(e)
}

// order reads one key of the order.
func (p *patternReader) order(e *spec.Entity, i int) {
	d, at := p.doc.Order[i], with(p.path, "order", index(i))
	key := d.By.Order
	if word := key.Path.String(); i > 0 && e.Attribute(word) == nil && (strings.HasPrefix("descending", strings.ToLower(word)) || strings.HasPrefix("ascending", strings.ToLower(word))) {
		before := p.doc.Order[i-1].By.Path.String()
		p.errorAt(at, "bad-value", "write ["+before+" descending], or ["+before+"] alone", "`%s` is not an attribute: the direction stands behind its path", word)
		return
	}
	if a := p.one(e, key.Path, at); a != nil {
		switch a.Type {
		case spec.MapType, spec.ListType, spec.SetType:
			p.errorAt(at, "wrong-type", "", "%s is %s, which has no order", key.Path, a.Kind())
		}
		p.sorted(a, at)
		if d.Missing != "" && !p.mayLack(e, key.Path) {
			p.errorAt(with(at, "missing"), "not-applicable", "leave it out", "%s is always there", key.Path)
		}
		key.Attribute, key.First = a, d.Missing == "first"
	}
	p.out.Order = append(p.out.Order, key)
}

// mayLack reports whether there may be nothing at the end of a path.
func (p *patternReader) mayLack(e *spec.Entity, path spec.Path) bool {
	segments, _ := e.Resolve(path)
	return slices.ContainsFunc(segments, func(s spec.Segment) bool {
		return s.Attribute != nil && s.Attribute.Optional || s.Way != nil && (s.Back || slices.ContainsFunc(s.Way.By, func(a *spec.Attribute) bool { return a.Optional }))
	})
}

// sorted reports an order by states or enum values of which it is not said how they sort.
func (p *patternReader) sorted(a *spec.Attribute, at []string) {
	values := a.Values()
	if a.Sorts != spec.Unsorted || slices.IsSorted(values) || p.isBroken(at...) { // sorted, both orders are one
		return
	}
	texts := slices.Sorted(slices.Values(values))
	p.errorAt(at, "unordered", "add `ordered: true` to "+a.Name+" if it is the order in which they are stated, "+strings.Join(values, ", ")+
		"; `ordered: false` if that of their texts, "+strings.Join(texts, ", "), "%s is ordered by %s, %s, and how its values sort is not said", p.out.Name, a.Name, a.Kind())
}

// resolve looks up a path that begins at an entity, and remembers the ways it goes.
func (p *patternReader) resolve(e *spec.Entity, path spec.Path, at []string) []spec.Segment {
	if len(path) == 0 || p.isBroken(at...) {
		return nil
	}
	segments, err := e.Resolve(path)
	if err != nil {
		if !p.lost(e, path) {
			p.expression(p.meantWay(e, path, err), at)
		}
		return nil
	}
	p.goesAlong(segments, at)
	return segments
}

// meantWay adds to an error about an unknown name that the way to the entity of that name is called otherwise, and
// takes what else begins with it as reported.
func (r *requirementsReader) meantWay(e *spec.Entity, path spec.Path, err error) error {
	var se *spec.Error
	if !errors.As(err, &se) || se.Code != spec.UnknownName {
		return err
	}
	for i, name := range path {
		for _, w := range e.There {
			if name != lowerFirst(w.To.Name) || e.Attribute(name) != nil || e.WayThere(name) != nil || e.WayBack(name) != nil {
				continue
			}
			se.Remedy = wayRemedy(w, slices.Concat(path[:i], spec.Path{w.Name}, path[i+1:]))
			r.entities[e].lost[name] = true
			return se
		}
		w := e.WayOn(path[i:])
		if w == nil {
			break
		}
		e = w.To
	}
	return err
}

// wayRemedy says how a way is called.
func wayRemedy(w *spec.Relationship, path spec.Path) string {
	return "the way to " + w.To.Name + " is called " + w.Name + ": add `as: " + lowerFirst(w.To.Name) + "` to " + w.By[len(w.By)-1].Name + ", or write " + path.String()
}

// lost reports whether a path goes a way that could not be read: there is no telling where it leads.
func (r *requirementsReader) lost(e *spec.Entity, path spec.Path) bool {
	for _, name := range path {
		if r.entities[e].lost[name] || r.isOpaque(e) {
			return true
		}
		segments, err := e.Resolve(spec.Path{name})
		if err != nil || segments[0].Entity() == nil {
			if w := e.WayThere(name); w != nil {
				e = w.To
				continue
			}
			return false
		}
		e = segments[0].Entity()
	}
	return false
}

// goesAlong remembers which ways are gone, and what entities are read there.
func (r *requirementsReader) goesAlong(segments []spec.Segment, at []string) {
	for i, s := range segments {
		if s.Way == nil {
			continue
		}
		if to := s.Entity(); to.External && !(i == len(segments)-2 && slices.Contains(to.Identity, segments[i+1].Attribute)) {
			r.elsewhere(to, at)
		}
		if _, ok := r.uses[s.Way]; !ok {
			r.uses[s.Way] = at
		}
		r.entities[s.Entity()].read = true
	}
}

// elsewhere reports a use of more than the identity of an entity that another system keeps.
func (r *requirementsReader) elsewhere(e *spec.Entity, at []string) {
	r.errorAt(at, "external", "ask the system that keeps it, or keep a copy here: an entity of its own, without `external`",
		"%s is kept elsewhere: only its identity is known here", e.Name)
}

// ofEach says how each of the many at the end of a way back has the value to which a path goes on from there; "" if
// it does not go on over ways there to an attribute.
func ofEach(segments []spec.Segment, back int, path spec.Path) string {
	rest := segments[back+1:]
	if len(rest) < 2 || slices.ContainsFunc(rest, func(s spec.Segment) bool { return !s.ToOne() }) || rest[len(rest)-1].Attribute == nil {
		return ""
	}
	from := segments[back].Way.From
	name := rest[len(rest)-2].Name + strings.ToUpper(path[len(path)-1][:1]) + path[len(path)-1][1:]
	return fmt.Sprintf("let each %s have it, `%s: {derived: %s, within: 1h}`, and read them `with: [%s]`", from.Name, name, path[back+1:], path[:back+1])
}

// one looks up a path that leads to one value.
func (p *patternReader) one(e *spec.Entity, path spec.Path, at []string) *spec.Attribute {
	segments := p.resolve(e, path, at)
	if segments == nil {
		return nil
	}
	if i := slices.IndexFunc(segments, func(s spec.Segment) bool { return !s.ToOne() }); i >= 0 {
		p.errorAt(at, "wrong-type", ofEach(segments, i, path), "the way back %s leads to many %s", segments[i].Name, segments[i].Way.From.Name)
		return nil
	}
	last := segments[len(segments)-1]
	if last.Attribute == nil {
		p.errorAt(at, "wrong-type", attributeOf(path, last), "`%s` is a way to %s, not an attribute", path, last.Entity().Name)
	}
	return last.Attribute
}

// attributeOf says what attributes a path that ends in a way may go on with.
func attributeOf(path spec.Path, last spec.Segment) string {
	inside := "name an attribute at its end, such as " + path.String() + "." + anAttribute(last.Entity())
	if !last.Back && len(last.Way.By) == 1 {
		foreign := slices.Concat(path[:len(path)-1], spec.Path{last.Way.By[0].Name})
		return "write " + foreign.String() + ", the foreign key, or " + inside
	}
	return inside
}

func (p *patternReader) given(e *spec.Entity, path spec.Path, at []string) {
	segments := p.resolve(e, path, at)
	if segments == nil {
		return
	}
	last := segments[len(segments)-1]
	switch {
	case last.Attribute == nil:
		p.errorAt(at, "wrong-type", attributeOf(path, last), "`%s` is a way to %s, not an attribute", path, last.Entity().Name)
		return
	case last.Attribute.Type == spec.MapType || last.Attribute.Type == spec.ListType || last.Attribute.Type == spec.SetType:
		p.errorAt(at, "wrong-type", "test it in `where`, with contains(…)", "%s is %s: no call states the whole of it", path, last.Attribute.Kind())
		return
	}
	p.out.Given = append(p.out.Given, path)
	name := path[len(path)-1]
	if q := p.known[name]; q != nil {
		p.errorAt(at, "parameter-clash", "give one of them in `where`, with a parameter of another name", "two paths of `given` make the parameter $%s", name)
		return
	}
	if err := p.scalar(spec.Reference{name}, last.Attribute, 0); err != nil {
		p.expression(err, at)
	}
}

// returned reads `with`, `returns`.
func (p *patternReader) returned(e *spec.Entity) {
	p.out.All = p.doc.Returns == nil && p.doc.Aggregate == nil
	for i, path := range p.doc.With {
		at := with(p.path, "with", index(i))
		here := e
		for j, name := range path {
			way, to := here.WayThere(name), (*spec.Entity)(nil)
			back := here.WayBack(name)
			switch {
			case way != nil && here.Attribute(name) == nil:
				to = way.To
			case back != nil:
				way, to = back, back.From
			default:
				p.notAWay(here, name, at)
			}
			if to == nil {
				break
			}
			if to.External {
				p.elsewhere(to, at)
				break
			}
			if _, ok := p.uses[way]; !ok {
				p.uses[way] = at
			}
			p.entities[to].read = true
			prefix := spec.Path(path[:j+1])
			if !slices.ContainsFunc(p.out.With, func(w spec.Path) bool { return slices.Equal(w, prefix) }) {
				p.out.With = append(p.out.With, slices.Clone(prefix))
			}
			here = to
		}
	}
	for i, path := range p.doc.Returns {
		at := with(p.path, "returns", index(i))
		if len(path) == 1 && path[0] == "all" {
			p.out.All = true
			continue
		}
		if a := p.one(e, spec.Path(path), at); a != nil {
			p.out.Returns = append(p.out.Returns, spec.Path(path))
			if len(path) > 1 && e.Attribute(path[0]) != nil && e.WayThere(path[0]) != nil {
				p.errorAt(at, "name-clash", "name the way with `as`", "the answer has an attribute %s: there is no place for what is inside the way %s", path[0], path[0])
			}
		}
	}
}

// notAWay reports a name that is no way, and answers the way that may be meant.
func (p *patternReader) notAWay(e *spec.Entity, name string, at []string) string {
	if p.entities[e].lost[name] || p.isOpaque(e) {
		return ""
	}
	var ways []string
	for _, w := range e.There {
		ways = append(ways, w.Name)
	}
	for _, w := range e.Back {
		ways = append(ways, w.Inverse)
	}
	if a := e.Attribute(name); a != nil {
		remedy := "what it has is returned with `returns`"
		if a.Reference != nil && a.Reference.Name != name {
			remedy = "the way is " + a.Reference.Name
		} else if a.Reference != nil {
			remedy = "name the way with `as`"
		}
		p.errorAt(at, "wrong-type", remedy, "%s of %s is an attribute, not a way to another entity", name, e.Name)
		return ""
	}
	remedy := nearest(name, ways)
	for _, w := range e.There {
		if name == lowerFirst(w.To.Name) {
			remedy = wayRemedy(w, spec.Path{w.Name})
			if e.Attribute(w.Name) != nil {
				remedy = "the way to " + w.To.Name + " is called " + w.Name + ", as its foreign key is: add `as: " + name + "` to it"
			}
			p.errorAt(at, "unknown-name", remedy, "%s has no way %s", e.Name, name)
			p.entities[e].lost[name] = true
			return ""
		}
	}
	if len(ways) == 0 {
		remedy = "a foreign key elsewhere names a way back here with `inverse`"
	}
	p.errorAt(at, "unknown-name", remedy, "%s has no way %s", e.Name, name)
	return near.Name(name, ways)
}

func (p *patternReader) aggregate(e *spec.Entity, name string, f functionText, at []string) {
	if f.Where != nil {
		p.errorAt(at, "wrong-type", "write it as the pattern's `where`", "an aggregate is of all that the pattern matches")
		return
	}
	if f.Func == "" && (name == "by" || name == "group-by" || name == "groupBy" || name == "per") {
		p.errorAtKey(at, "not-applicable", groupsRemedy, "an aggregate is of all that a call finds, and there are none of groups")
		return
	}
	p.checkName(name, at, false)
	if p.isBroken(at...) {
		return
	}
	if f.Func == "" || f.Func == "last" || f.Func == "count" && f.Path != nil {
		p.errorAt(at, "bad-value", "write count, exists, sum(path), min(path) or max(path)", "`%s` is not an aggregate", f.text())
		return
	}
	if f.Path != nil {
		a := p.one(e, f.Path, at)
		switch {
		case a == nil:
			return
		case a.Type == 0: // which is reported
		case f.Func == "sum" && a.Type != spec.Number:
			p.errorAt(at, "wrong-type", "", "%s is %s: only numbers have a sum", f.Path, a.Kind())
		case !a.Ordered():
			p.errorAt(at, "wrong-type", "", "%s is %s, which has no order", f.Path, a.Kind())
		}
	}
	p.out.Aggregates = append(p.out.Aggregates, spec.Aggregate{Name: name, Func: f.Func, Path: f.Path})
}

// condition resolves a condition at a document path.
func (p *patternReader) condition(scope spec.Scope, c spec.Condition, at []string) spec.Condition {
	if c == nil || p.isBroken(at...) {
		return nil
	}
	out, errs := scope.Condition(c)
	for t := range spec.Tests(c) {
		if t.Path != nil && p.lost(scope.Entity, t.Path) {
			return nil
		}
	}
	for _, err := range errs {
		for t := range spec.Tests(c) {
			if t.Path != nil && scope.Entity != nil {
				if _, unknown := scope.Entity.Resolve(t.Path); unknown != nil && strings.HasSuffix(err.Message, " "+t.Path[0]) {
					_ = p.meantWay(scope.Entity, t.Path, err)
				}
			}
		}
		p.expression(err, at)
	}
	if errs != nil {
		return nil
	}
	paths := func(path spec.Path) {
		if segments, err := scope.Entity.Resolve(path); err == nil {
			p.goesAlong(segments, at)
		}
	}
	for t := range spec.Tests(out) {
		if t.Path != nil {
			paths(t.Path)
		}
		for _, a := range t.Args {
			for term := range a.Terms() {
				if term.Path != nil {
					paths(term.Path)
				}
			}
		}
	}
	return out
}
