package invent

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// creations has every entity created: alone, inside the value of what it belongs to, by a list, or by an upsert.
func (v *inventor) creations() {
	inside := map[*entity][]*way{}
	done := map[*entity]bool{}
	for _, e := range v.entities {
		for _, w := range e.there {
			if w.inverse == "" || w.silent || done[e] || w.to == e || done[w.to] && inside[w.to] == nil {
				continue
			}
			if slices.ContainsFunc(w.to.there, func(up *way) bool { return done[w.to] && slices.Contains(inside[up.to], up) }) {
				continue // what is inside another value has nothing inside it
			}
			percent := 25
			if w.identifying && w.most <= 60 {
				percent = 50
			} else if w.most > 90 {
				percent = 4
			}
			if v.chance(percent) && !slices.ContainsFunc(w.by, func(a *attribute) bool { return a.optional }) {
				inside[w.to] = append(inside[w.to], w)
				done[e] = true
			}
		}
	}
	for e, ways := range inside {
		for _, w := range ways {
			v.maker[w.from] = e
		}
	}
	for _, e := range v.entities {
		if done[e] && inside[e] == nil {
			continue
		}
		v.creation(e, inside[e])
	}
}

// demands notes that what creates an entity needs another one; false: that one needs the first already, and none could be made.
func (v *inventor) demands(e, other *entity) bool {
	of := func(e *entity) *entity {
		for v.maker[e] != nil {
			e = v.maker[e]
		}
		return e
	}
	seen := map[*entity]bool{}
	var leads func(from *entity) bool
	leads = func(from *entity) bool {
		if seen[from] {
			return false
		}
		seen[from] = true
		return from == of(e) || slices.ContainsFunc(v.needs[from], leads)
	}
	if leads(of(other)) {
		return false
	}
	v.needs[of(e)] = append(v.needs[of(e)], of(other))
	return true
}

func (v *inventor) creation(e *entity, children []*way) {
	p := v.newPattern(e, pick(v, []string{"create", "add", "open"})+e.name)
	lowest, highest := 1e-5, 300.0
	rate, second := v.rate(lowest, highest)
	action := pairs()
	actions := []*yaml.Node{action}
	value := lower(e.name)
	list := len(children) == 0 && v.unusual(10)
	switch {
	case len(children) == 0 && !list && !v.plain && v.chance(8):
		set(action, "upsert", e.name)
		e.perhaps = true
	case list:
		set(action, "create", e.name)
		value = value + "s"
		set(action, "each", "$"+value)
		average := float64(v.between(2, 10))
		set(p.ranges, value, pairs("length", spread(average, average*float64(v.between(1, 5)))))
		e.created += second * average
		p.parameters[value] = nil
	default:
		set(action, "create", e.name)
		e.created += second
		if v.chance(10) {
			value = "fresh" + e.name
			set(action, "value", "$"+value)
		}
		p.parameters[value] = nil
	}
	if len(children) > 0 {
		var names []string
		for _, w := range children {
			names = append(names, w.inverse)
			p.children += w.most
			w.from.created += second * w.average
		}
		set(action, "with", words(names...))
	}
	var required []string
	for _, w := range e.there {
		if v.chance(25) && !slices.ContainsFunc(w.by, func(a *attribute) bool { return a.optional }) && v.demands(e, w.to) {
			required = append(required, w.name)
		}
	}
	if len(required) > 0 {
		set(action, "requires", words(required...))
	}
	// What it points to, or what its children point to, is changed with it.
	if !list && v.unusual(30) {
		if b := v.besides(p, e, value, children); b != nil {
			actions = append(actions, b)
		}
	}
	v.put(p, actions)
	set(p.doc, "rate", rate)
	v.writeFigures(p, e, len(actions) > 1 || len(children) > 0, list)
	v.finish(p)
}

// put writes the actions of a pattern down.
func (v *inventor) put(p *pattern, actions []*yaml.Node) {
	if len(actions) == 1 && v.chance(80) {
		set(p.doc, "write", actions[0])
		return
	}
	set(p.doc, "write", list(actions...))
}

func (v *inventor) writeFigures(p *pattern, e *entity, several, bulk bool) {
	of := ""
	if e != nil {
		of = pick(v, own(e)).path
	}
	if s := v.calls(of, false); s != nil {
		set(p.doc, "skew", s)
	}
	if v.chance(10) {
		set(p.doc, "consistency", pick(v, []string{"eventual", "strong"}))
	}
	if several && v.unusual(30) {
		set(p.doc, "atomic", pick(v, []string{"false", "false", "true"}))
	}
	if p.children > 90 { // no transaction holds them
		set(p.doc, "atomic", "false")
	}
	if v.unusual(10) {
		token := p.parameter(nil, "token", "once")
		p.order = p.order[:len(p.order)-1]
		set(p.doc, "idempotency", token[1:])
	}
	if bulk && v.chance(40) {
		set(p.doc, "bulk", "100_000")
	}
	if v.chance(10) {
		set(p.doc, "latency", "50ms")
	}
}

// besides changes what a created entity, or each of its children, points to.
func (v *inventor) besides(p *pattern, e *entity, value string, children []*way) *yaml.Node {
	holder, prefix := e, "$"+value+"."
	var each string
	if len(children) > 0 && v.chance(50) {
		w := pick(v, children)
		if w.most > 1 {
			holder, prefix, each = w.from, "$each.", "$"+value+"."+w.inverse
		}
	}
	var ways []*way
	for _, w := range holder.there {
		outside := w.to != e && w.to != holder && !slices.ContainsFunc(children, func(c *way) bool { return c.from == w.to })
		stated := !slices.ContainsFunc(w.by, func(a *attribute) bool { return a.optional || !a.given() })
		if outside && stated {
			ways = append(ways, w)
		}
	}
	if len(ways) == 0 {
		return nil
	}
	w := pick(v, ways)
	if !v.demands(e, w.to) {
		return nil
	}
	action := pairs("update", w.to.name)
	if each != "" {
		set(action, "each", each)
	}
	key := pairs()
	for i, id := range w.to.identity {
		set(key, id.name, prefix+w.by[i].name)
	}
	set(action, "key", key)
	if !v.changes(p, w.to, action, prefix, holder) {
		return nil
	}
	return action
}

// changes gives an update what it sets and removes, and under which condition. inside is what stands before the attributes
// of a value that the call brings, and holder the entity of that value; nil: there is none.
func (v *inventor) changes(p *pattern, e *entity, action *yaml.Node, inside string, holder *entity) bool {
	targets := where(own(e), func(x at) bool {
		a := x.a
		if slices.Contains(e.identity, a) || a.way != nil && a.way.identifying || a.derived != "" || a.sequence != nil || a.generated == "version" {
			return false
		}
		if a.silent() || len(a.name) == 0 || a.way != nil && len(a.way.by) > 1 {
			return false
		}
		first := segments(x.path)[0]
		top := e.attributes[slices.IndexFunc(e.attributes, func(b *attribute) bool { return b.name == first })]
		return top == a || top.derived == "" && !top.optional && x.sure && top.generated == ""
	})
	sets, short, removed := pairs(), []string{}, []string{}
	var guards []string
	plain := true // the short form can say it
	var changed []string
	for _, x := range some(v, v.between(1, 3), targets) {
		if slices.ContainsFunc(changed, func(c string) bool {
			return c == x.path || strings.HasPrefix(c, x.path+".") || strings.HasPrefix(x.path, c+".")
		}) {
			continue
		}
		changed = append(changed, x.path)
		if x.a.optional && v.chance(20) && (len(segments(x.path)) == 1) {
			removed = append(removed, x.path)
			continue
		}
		value, guard := v.newValue(p, e, x, inside, holder)
		if value == "" {
			continue
		}
		guards = append(guards, guard...)
		if value != "$"+last(x.path) {
			plain = false
		}
		short = append(short, x.path)
		set(sets, x.path, value)
	}
	if len(short) == 0 && len(removed) == 0 {
		return false
	}
	if len(short) > 0 && plain && inside == "" && v.chance(70) {
		set(action, "set", words(short...))
	} else if len(short) > 0 {
		set(action, "set", sets)
	}
	if len(removed) > 0 {
		set(action, "remove", words(removed...))
	}
	if v.unusual(25) {
		if t := v.test(p, e); t != "" && !strings.Contains(t, " or ") {
			guards = append(guards, t)
		}
	} else if len(guards) == 0 && v.chance(4) {
		guards = append(guards, "present")
	}
	v.guarded(action, guards)
	return true
}

func (v *inventor) guarded(action *yaml.Node, guards []string) {
	if len(guards) == 0 {
		return
	}
	set(action, "condition", strings.Join(guards, " and "))
	if v.chance(60) {
		set(action, "refusal", pick(v, []string{"out-of-stock", "too-late", "refused", "full"}))
	}
}

// newValue is what an attribute is set to, with the tests that keep it in its range; "" if nothing fits.
func (v *inventor) newValue(p *pattern, e *entity, x at, inside string, holder *entity) (value string, guards []string) {
	a := x.a
	stem := last(x.path)
	if a.generated == "now" {
		return "now", nil
	}
	if a.generated != "" {
		return "", nil
	}
	if v.plain {
		return p.parameter(a, stem, "new"+upper(stem)), nil
	}
	if holder != nil && v.chance(35) { // from the value that the call brings
		for _, b := range some(v, 20, holder.attributes) {
			if b.like(a) && b.given() && !b.optional && a.kind != "number" && a.kind != "map" && a.kind != "list" && a.kind != "set" && a.kind != "states" && b.kind != "states" {
				return inside + b.name, nil
			}
			if a.kind == "number" && b.kind == "number" && b.given() && !b.optional && b.scale <= a.scale && x.sure {
				sum := x.path + pick(v, []string{" - ", " + "}) + inside + b.name
				return sum, v.guard(a, x.path, true, true, inside+b.name)
			}
		}
	}
	named := func() string { return p.parameter(a, stem, "new"+upper(stem)) }
	switch a.kind {
	case "number":
		if a.way != nil {
			return named(), nil
		}
		switch n := v.IntN(10); {
		case n < 4:
			return named(), nil
		case n < 5:
			return v.literal(a), nil
		case n < 6 && !x.sure && a.min == nil && a.max == nil:
			return "if_missing(" + x.path + ", 0) + " + p.parameter(a, "more"), nil
		case !x.sure:
			return "if_missing(" + x.path + ", " + v.literal(a) + ")", nil
		case n < 7:
			return x.path + " + 1", v.guard(a, x.path, false, true, "")
		case n < 8:
			return x.path + " - 1", v.guard(a, x.path, true, false, v.lowest(a))
		default:
			q := p.parameter(a, "delta", "by"+upper(stem))
			if v.chance(50) {
				set(p.ranges, q[1:], pairs("min", "1", "max", "5"))
				return x.path + " - " + q, v.guard(a, x.path, true, false, q)
			}
			return x.path + " + " + q, v.guard(a, x.path, true, true, "-"+q)
		}
	case "states":
		var reached []string
		for _, s := range a.values {
			if a.next != nil && slices.ContainsFunc(a.next, func(n [2]string) bool { return n[1] == s }) || a.next == nil && s != a.values[0] {
				reached = append(reached, s)
			}
		}
		if len(reached) > 0 && v.chance(60) {
			return pick(v, reached), nil
		}
		return named(), nil
	case "enum":
		if v.chance(30) {
			return pick(v, a.values), nil
		}
		return named(), nil
	case "bool":
		if v.chance(50) {
			return pick(v, []string{"true", "false"}), nil
		}
		return named(), nil
	case "timestamp":
		switch n := v.IntN(10); {
		case n < 3:
			return "now", nil
		case n < 4:
			return "now + 30 days", nil
		case n < 5 && x.sure:
			return x.path + " + 1 h", nil
		}
		return named(), nil
	case "date":
		if v.chance(20) {
			return "now + 7 days", nil
		}
		return named(), nil
	case "list", "set":
		if a.of != nil && v.chance(60) {
			element := p.parameter(a.of, "element", "member")
			if a.of.kind == "map" {
				return "append(" + x.path + ", " + element + ")", nil
			}
			if a.kind == "list" && v.chance(40) {
				return "prepend(" + x.path + ", " + element + ")", nil
			}
			return "append(" + x.path + ", " + element + ")", nil
		}
		return named(), nil
	case "string":
		if a.way == nil && v.chance(15) {
			return quoted(pick(v, []string{"new", "none", "x-2"})), nil
		}
		if a.way == nil && v.chance(8) {
			for _, y := range own(e) {
				if y.a != a && y.a.kind == "string" && y.sure && !y.a.silent() && y.a.generated == "" {
					return y.path, nil
				}
			}
		}
		if !x.sure && v.chance(30) && a.way == nil {
			return "if_missing(" + x.path + ", " + named() + ")", nil
		}
	}
	return named(), nil
}

func (v *inventor) lowest(a *attribute) string {
	if a.min == nil {
		return "1"
	}
	return number(*a.min + 1)
}

// makeable reports whether an update can make an entity: nothing of it begins, is counted or is unique.
func (e *entity) makeable() bool {
	for _, w := range e.there {
		if len(w.by) > 1 || slices.ContainsFunc(w.to.attributes, func(a *attribute) bool { return strings.Contains(a.derived, "(") }) {
			return false
		}
	}
	return len(e.unique) == 0 && !slices.ContainsFunc(e.attributes, func(a *attribute) bool {
		return a.derived != "" || a.kind == "states" || a.generated == "version" || a.sequence != nil || a.generated != "" && (slices.Contains(e.identity, a) || a.generated != "now")
	})
}

// makes is an upsert that sets: it adds to numbers, and makes what is not there.
func (v *inventor) makes(p *pattern, e *entity) *yaml.Node {
	sets := pairs()
	for _, a := range e.attributes {
		switch {
		case slices.Contains(e.identity, a) || a.optional:
		case a.generated == "now":
			set(sets, a.name, "now")
		case a.kind == "number" && a.way == nil && a.max == nil && (a.min == nil || *a.min <= 0):
			set(sets, a.name, "if_missing("+a.name+", 0) + 1")
		default:
			set(sets, a.name, p.parameter(a, a.name))
		}
	}
	e.perhaps = true
	return pairs("upsert", e.name, "set", sets)
}

// write invents a write besides those that create.
func (v *inventor) write(e *entity) {
	p := v.newPattern(e, pick(v, []string{"change", "edit", "move", "settle"})+e.name)
	var actions []*yaml.Node
	switch n := v.IntN(100); {
	case n < 50, v.mild && n >= 75 && v.chance(70):
		actions = v.update(p, e)
	case n < 65 || v.plain:
		actions = v.remove(p, e)
	case n < 78 && e.makeable() && (v.mild || v.chance(60)):
		actions = []*yaml.Node{v.makes(p, e)}
	case n < 75:
		action := pairs(pick(v, []string{"replace", "upsert"}), e.name)
		if get(action, "upsert") != nil {
			e.perhaps = true
		}
		p.parameters[lower(e.name)] = nil
		var guards []string
		if v.chance(30) {
			if t := v.test(p, e); t != "" {
				guards = append(guards, t)
				if get(action, "upsert") != nil && v.chance(60) {
					guards = []string{"absent or " + t}
					if other := v.test(p, e); other != "" && v.chance(50) {
						guards[0] += " or " + other
					}
				}
			}
		}
		v.guarded(action, guards)
		actions = []*yaml.Node{action}
	case n < 88:
		if actions = v.together(p, e); actions != nil {
			break
		}
		other := pick(v, v.entities)
		actions = v.update(p, e)
		if other != e {
			if further := v.update(p, other); further != nil {
				actions = append(actions, further...)
			}
		}
	default:
		actions = v.eachOf(p, e)
	}
	if len(actions) == 0 {
		drop(v.patterns, v.patterns.Content[len(v.patterns.Content)-2].Value)
		v.read(e)
		return
	}
	v.put(p, actions)
	rate, _ := v.rate(1e-5, 500)
	set(p.doc, "rate", rate)
	v.optionalSets(p, actions)
	v.writeFigures(p, e, len(actions) > 1, false)
	v.finish(p)
}

// together updates a child and its parent in one write, each on condition of its state: an open ride ends, and the
// scooter of that ride is in use. It returns nil if the child has no such parent.
func (v *inventor) together(p *pattern, e *entity) []*yaml.Node {
	moves := func(of *entity) *attribute { // what such a write moves on
		for _, a := range of.attributes {
			moving := (a.kind == "states" || a.kind == "bool") && !a.optional || a.kind == "timestamp" && a.optional && of.expires != a
			if moving && a.given() && a.way == nil && !slices.Contains(of.identity, a) {
				return a
			}
		}
		return nil
	}
	own := moves(e)
	for _, w := range e.there {
		theirs := moves(w.to)
		if own == nil || theirs == nil || w.to == e || len(w.by) != 1 || w.identifying || w.by[0].optional || !w.by[0].given() {
			continue
		}
		action := func(of *entity, a *attribute, more string) *yaml.Node {
			guard, to := a.name+" = false", "true"
			switch {
			case a.kind == "timestamp":
				guard, to = "absent("+a.name+")", "now"
			case a.next != nil:
				n := pick(v, a.next)
				guard, to = a.name+" = "+n[0], n[1]
			case a.kind == "states":
				i := v.IntN(len(a.life) - 1)
				guard, to = a.name+" = "+a.life[i], a.life[i+1]
			}
			out := pairs("update", of.name)
			if of == e {
				v.keys(p, e, out)
			} else {
				set(out, "key", pairs(of.identity[0].name, "$"+w.by[0].name))
			}
			set(out, "set", pairs(a.name, to))
			v.guarded(out, []string{guard + more})
			return out
		}
		if _, taken := p.parameters[w.by[0].name]; taken {
			continue
		}
		p.parameters[w.by[0].name] = w.by[0]
		return []*yaml.Node{action(e, own, " and "+w.by[0].name+" = $"+w.by[0].name), action(w.to, theirs, "")}
	}
	return nil
}

// optionalSets lets a call leave out what it sets. A parameter that says which entity is meant is always there.
func (v *inventor) optionalSets(p *pattern, actions []*yaml.Node) {
	p.order = slices.DeleteFunc(p.order, func(q string) bool {
		return slices.ContainsFunc(actions, func(a *yaml.Node) bool { return strings.Contains(string(print(orEmpty(get(a, "key")))), "$"+q) }) || get(p.ranges, q, "length") != nil
	})
	v.optional(p)
}

func orEmpty(n *yaml.Node) *yaml.Node {
	if n == nil {
		return pairs()
	}
	return n
}

// keys makes the parameters that say which entity is meant: its identity by name, or by other names where these are taken.
func (v *inventor) keys(p *pattern, e *entity, action *yaml.Node) {
	key := pairs()
	renamed := v.chance(10)
	for _, id := range e.identity {
		if _, taken := p.parameters[id.name]; taken {
			renamed = true
		}
	}
	for _, id := range e.identity {
		if !renamed {
			p.parameters[id.name] = id
			continue
		}
		q := p.parameter(id, "which"+upper(id.name))
		p.order = p.order[:len(p.order)-1]
		set(key, id.name, q)
	}
	if renamed {
		set(action, "key", key)
	}
}

func (v *inventor) update(p *pattern, e *entity) []*yaml.Node {
	action := pairs("update", e.name)
	v.keys(p, e, action)
	if !v.changes(p, e, action, "", nil) {
		return nil
	}
	v.require(e, action)
	return []*yaml.Node{action}
}

// require has an update that sets a foreign key ask for what it points to.
func (v *inventor) require(e *entity, action *yaml.Node) {
	for _, w := range e.there {
		if len(w.by) == 1 && get(orEmpty(get(action, "set")), w.by[0].name) != nil && v.chance(50) {
			set(action, "requires", words(w.name))
			return
		}
	}
}

// remove deletes an entity with the children that live and die with it.
func (v *inventor) remove(p *pattern, e *entity) []*yaml.Node {
	children, ok := v.dying(e)
	if !ok {
		return nil
	}
	action := pairs("delete", e.name)
	v.keys(p, e, action)
	if len(children) > 0 {
		set(action, "with", words(children...))
		for _, c := range v.entities {
			if c.parent != nil && c.parent.to == e {
				p.children += c.parent.most
			}
		}
	}
	var guards []string
	if v.chance(25) {
		if t := v.test(p, e); t != "" {
			guards = append(guards, t)
		}
	}
	v.guarded(action, guards)
	return []*yaml.Node{action}
}

// dying are the ways to the children that a delete takes along; not ok: it would leave some behind.
func (v *inventor) dying(e *entity) (children []string, ok bool) {
	for _, c := range v.entities {
		if c.parent == nil || c.parent.to != e {
			continue
		}
		if c.parent.inverse == "" || slices.ContainsFunc(v.entities, func(g *entity) bool { return g.parent != nil && g.parent.to == c }) {
			return nil, false
		}
		children = append(children, c.parent.inverse)
	}
	return children, true
}

// eachOf changes or deletes what a list names.
func (v *inventor) eachOf(p *pattern, e *entity) []*yaml.Node {
	list := name(map[string]bool{}, "changes")
	p.parameters[list] = nil
	average := float64(v.between(2, 8))
	length := pairs("length", spread(average, average*float64(v.between(1, 6))))
	_, deletable := v.dying(e)
	if children, _ := v.dying(e); deletable && len(children) == 0 && v.chance(40) {
		set(p.ranges, list, length)
		action := pairs("delete", e.name, "each", "$"+list)
		if len(e.identity) == 1 && v.chance(50) {
			set(action, "key", pairs(e.identity[0].name, "$each"))
		}
		return []*yaml.Node{action}
	}
	var names []string
	for _, a := range e.attributes {
		if a.given() && a.way == nil && a.generated == "" && !slices.Contains(e.identity, a) && a.kind != "map" && a.min == nil && a.max == nil {
			names = append(names, a.name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	set(p.ranges, list, length)
	return []*yaml.Node{pairs("update", e.name, "each", "$"+list, "set", words(some(v, v.between(1, 2), names)...))}
}
