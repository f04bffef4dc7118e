package model

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tablewright/tablewright/spec"
)

// creation is how a pattern brings entities into being.
type creation struct {
	pattern *spec.Pattern
	path    []string
	perCall float64
	maybe   bool // upsert: it may be there already
}

// write resolves the actions of a write: first what comes in whole, so that what is inside can be named before it, then
// all else in the order in which it is written.
func (p *patternReader) write() {
	for i := range p.doc.Write {
		p.action(&p.doc.Write[i], with(p.path, "write", index(i)))
	}
	for _, whole := range []bool{true, false} { // a list of values is known before an action that goes over it
		for _, a := range p.out.Actions {
			if a.Entity != nil && comesWhole(a) == whole {
				p.values(a)
			}
		}
	}
	j := 0
	for i := range p.doc.Write {
		if a := p.out.Actions[i]; a.Entity != nil {
			p.details(a, &p.doc.Write[i], with(p.path, "write", index(i)))
			p.out.Actions[j] = a
			j++
		}
	}
	p.out.Actions = p.out.Actions[:j]
	for _, a := range p.out.Actions {
		if a.Verb == spec.Delete && len(a.Found) > 0 && a.Condition == nil { // what is not there says nothing
			a.Condition, a.Refusal = &spec.Test{Op: "present"}, "condition"
		}
	}
	for _, a := range p.out.Actions {
		if p.out.Circular(a) {
			p.errorAt(with(p.actionPath(a), "key"), "not-applicable", "let the call state one of the keys", "which %s is meant is said by a stored entity whose key is found by it", a.Entity.Name)
			break
		}
	}
	order := p.out.Reading()
	slices.SortStableFunc(p.out.Found, func(a, b *spec.Parameter) int { return slices.Index(order, a.From) - slices.Index(order, b.From) })
	p.made()
	p.implied()
	p.written = append(p.written, p)
	p.madeLate()
	p.orphan()
	p.apart()
}

// made reports a way there that an action requires and the same transaction makes, should there be nothing at its end.
func (p *patternReader) made() {
	if !p.out.Atomic {
		return
	}
	for _, a := range p.out.Actions {
		for _, way := range a.Requires {
			if slices.ContainsFunc(p.out.Actions, func(b *spec.Action) bool { return b.Makes && ends(a, way, b) }) {
				p.errorAt(with(p.actionPath(a), "requires"), "not-applicable", "leave "+way.Name+" out of it, for there is one after the write in any case; or let `update`, instead of `upsert`, refuse the write without it",
					"%s is to be refused without a %s, and its upsert makes one then", p.out.Name, way.Name)
			}
		}
	}
}

// implied adds the ways there that an action requires because the same transaction updates what is at their end, which
// is refused where there is none: who takes a seat of the course that a booking names requires the course. An upsert
// makes what is missing, so that nothing has to be there before.
func (p *patternReader) implied() {
	if !p.out.Atomic {
		return
	}
	for _, a := range p.out.Actions {
		for _, way := range a.Entity.There {
			if !slices.Contains(a.Requires, way) && slices.ContainsFunc(p.out.Actions, func(b *spec.Action) bool { return meets(a, way, b) }) {
				a.Requires = append(a.Requires, way)
			}
		}
	}
}

// meets reports whether an action updates the entity to which a way leads from what another writes whole.
func meets(a *spec.Action, way *spec.Relationship, b *spec.Action) bool {
	return b.Verb == spec.Update && !b.Makes && ends(a, way, b)
}

// ends reports whether an action by key is about the entity to which a way leads from what another writes whole.
func ends(a *spec.Action, way *spec.Relationship, b *spec.Action) bool {
	if !whole(a.Verb) || b.Entity != way.To || b.Each.String() != a.Each.String() || len(b.Key) != len(way.By) {
		return false
	}
	value := a.Value
	if len(a.Each) > 0 {
		value = spec.Reference{"each"}
	}
	for _, k := range b.Key {
		i := slices.IndexFunc(way.To.Identity, func(x *spec.Attribute) bool { return x.Name == k.Path[0] })
		if i < 0 || !slices.Equal(k.Value.Reference, append(slices.Clone(value), way.By[i].Name)) || k.Value.Neg || k.Value.Op != "" {
			return false
		}
	}
	return true
}

// madeLate reports an action that requires what another action of the write creates, where that comes too late for it.
func (p *patternReader) madeLate() {
	for i, a := range p.out.Actions {
		for n, way := range a.Requires {
			if p.out.MadeBefore(a, way) != nil {
				continue
			}
			j := slices.IndexFunc(p.out.Actions, func(b *spec.Action) bool { return b != a && b.Verb == spec.Create && b.Entity == way.To })
			switch at := with(p.actionPath(a), "requires", index(n)); {
			case j < 0:
			case !p.out.Atomic:
				p.errorAt(at, "conflict", "leave `atomic: false` out, or this `requires`: the create before it makes what it leads to",
					"what a write needs that is not all or nothing is asked for before any of its actions is done, and the %s that it creates is not there then", way.To.Name)
			case j > i:
				p.errorAt(at, "conflict", "write {create: "+way.To.Name+"} first", "actions are done one after the other, and the %s that the write creates is not there yet", way.To.Name)
			}
		}
	}
}

// refusedTwice warns of a write that need not be all or nothing and of which more than one action can be refused: what
// came before the second stays.
func (p *patternReader) refusedTwice() {
	if p.out.Atomic {
		return
	}
	var refusable []*spec.Action
	for _, a := range p.out.InTurn() {
		if a.Refusable() && !slices.ContainsFunc(refusable, func(b *spec.Action) bool { return p.ensures(b, a) }) {
			refusable = append(refusable, a)
		}
	}
	if len(refusable) < 2 {
		return
	}
	text := func(a *spec.Action) string { return string(a.Verb) + " " + a.Entity.Name }
	p.warnAt(with(p.path, "atomic"), "refused-halfway", "list first what is to stay when the other is refused, and accept it; or leave `atomic: false` out",
		"%s is not all or nothing, and two of its actions can be refused: %s comes first, and what it does stays when %s is refused", p.out.Name, text(refusable[0]), text(refusable[1]))
}

// ensures reports whether an action that is done leaves nothing for which another one could be refused: it requires the
// entity that the other updates without a condition, and nothing deletes that.
func (p *patternReader) ensures(a, b *spec.Action) bool {
	return b.Verb == spec.Update && b.Condition == nil && len(b.Requires) == 0 && len(b.Entity.Unique) == 0 && p.requirementsReader.out.Lasts(b.Entity) &&
		!slices.ContainsFunc(b.Set, func(s spec.Assign) bool {
			x := b.Entity.Attribute(s.Path[0])
			return x != nil && x.States != nil
		}) &&
		slices.ContainsFunc(a.Requires, func(way *spec.Relationship) bool { return ends(a, way, b) })
}

// action reads verb, entity, children, value and each.
func (p *patternReader) action(d *actionDoc, path []string) {
	a := &spec.Action{}
	p.out.Actions = append(p.out.Actions, a)
	var verbs []string
	named := "" // the entity, as it is written
	for _, v := range []struct {
		verb spec.Verb
		name nameText
	}{{spec.Create, d.Create}, {spec.Replace, d.Replace}, {spec.Upsert, d.Upsert}, {spec.Update, d.Update}, {spec.Delete, d.Delete}} {
		if v.name == "" {
			continue
		}
		if verbs = append(verbs, string(v.verb)); len(verbs) == 1 {
			a.Verb, named = v.verb, string(v.name)
			a.Entity = p.entity(v.name, with(path, string(v.verb))...)
		}
	}
	switch {
	case len(verbs) == 0:
		if !p.isBroken(path...) && !p.anyVerbBroken(path) {
			p.errorAt(path, "missing-key", "add create, replace, upsert, update or delete with an entity", "the action has no verb")
		}
		return
	case len(verbs) > 1:
		p.errorAt(with(path, verbs[1]), "conflict", "make two actions of it", "the action has two verbs, %s and %s", verbs[0], verbs[1])
		return
	case a.Entity == nil:
		p.lostValues = append(p.lostValues, lowerFirst(named))
		return
	}
	if a.Entity.External {
		p.elsewhere(a.Entity, with(path, string(a.Verb)))
	}
	if a.Verb == spec.Replace && a.Entity.GeneratesIdentity() {
		p.errorAt(with(path, "replace"), "not-applicable", "write `update: "+a.Entity.Name+"` with `set`; or let the caller choose the identity, without `generated`",
			"no %s is there to be replaced: its identity is made at the call", a.Entity.Name)
	}
	if a.Verb == spec.Upsert && d.Set != nil && len(d.Value) == 0 {
		a.Verb, a.Makes = spec.Update, true
	}
	p.applies(a.Verb, d, path)
	if len(d.Each) > 0 {
		a.Each = spec.Reference(d.Each)
	}
	for i, way := range d.With {
		at := with(path, "with", index(i))
		if len(way) != 1 {
			p.generations(a, spec.Path(way), at)
			continue
		}
		w := a.Entity.WayBack(way[0])
		if w == nil {
			if w = a.Entity.WayBack(p.notAWay(a.Entity, way[0], at)); w == nil {
				continue
			}
		}
		if _, ok := p.uses[w]; !ok {
			p.uses[w] = at
		}
		a.With = append(a.With, w.Inverse)
	}
	if whole(a.Verb) {
		switch {
		case len(d.Value) > 1:
			p.errorAt(with(path, "value"), "wrong-type", "children are created with `with`", "a value comes in by itself, not inside another")
		case len(d.Value) == 1:
			a.Value = spec.Reference(d.Value)
		case len(a.Each) > 0:
			a.Value = spec.Reference{"each"}
		default:
			a.Value = spec.Reference{lowerFirst(named)}
		}
	}
}

// generations reports children of children: a value has those that belong to it alone.
func (p *patternReader) generations(a *spec.Action, path spec.Path, at []string) {
	if len(path) == 0 || p.isBroken(at...) {
		return
	}
	remedy := ""
	if way := a.Entity.WayBack(path[0]); way != nil && len(path) == 2 && way.From.WayBack(path[1]) != nil && a.Verb != spec.Delete {
		remedy = "write `" + path[0] + "` alone, and add an action with a list of its own, `{" + string(a.Verb) + ": " + way.From.WayBack(path[1]).From.Name + ", each: $" + path[1] +
			"}`, and `parameters: {" + path[1] + ": {length: {average: …, max: …}}}`"
	}
	p.errorAt(at, "not-applicable", remedy, "`with` of a write goes one way, and %s goes %d", path, len(path))
}

// orphan warns of a child that a write creates by itself, next to a parent, or what it requires, whose identity is made
// at the call: the child names another one, for its value cannot have what is not made yet.
func (p *patternReader) orphan() {
	for i, a := range p.out.Actions {
		if a.Verb != spec.Create {
			continue
		}
		var ways []*spec.Relationship
		if w := a.Entity.Parent; w != nil {
			ways = append(ways, w)
		}
		for _, w := range append(ways, a.Requires...) {
			if !slices.ContainsFunc(p.out.Actions, func(b *spec.Action) bool {
				return b.Verb == spec.Create && b.Entity == w.To && len(b.Each) == 0 && b.Entity != a.Entity &&
					slices.ContainsFunc(b.Entity.Identity, func(id *spec.Attribute) bool { return id.Generated != "" && id.Generated != "now" })
			}) {
				continue
			}
			remedy := "let the caller choose the identity of " + w.To.Name + ", without `generated`"
			if w.Inverse != "" {
				remedy = "create them together, `{create: " + w.To.Name + ", with: [" + w.Inverse + "]}`; or " + remedy
			}
			p.warnAt(with(p.path, "write", index(i)), "unknown-parent", remedy, "%s creates a %s, whose identity is made at the call, and a %s, which cannot name it", p.out.Name, w.To.Name, a.Entity.Name)
			return
		}
	}
}

// apart warns of a child that a write creates by itself, next to a parent: no rule says that it is the child of that
// parent, so nothing of the one can lie with the other.
func (p *patternReader) apart() {
	for i, a := range p.out.Actions {
		w := a.Entity.Parent
		if a.Verb != spec.Create || w == nil || !w.Identifying || slices.Contains(a.Requires, w) {
			continue
		}
		if !slices.ContainsFunc(p.out.Actions, func(b *spec.Action) bool {
			return b.Verb == spec.Create && b.Entity == w.To && len(b.Each) == 0 && !b.Entity.GeneratesIdentity() && !slices.Contains(b.With, w.Inverse)
		}) {
			continue
		}
		remedy := "create them together, `{create: " + w.To.Name + ", with: [" + w.Inverse + "]}`"
		if w.Inverse == "" {
			remedy = "give " + w.By[0].Name + " of " + a.Entity.Name + " an `inverse`, such as children, and create them together, `{create: " + w.To.Name + ", with: [children]}`"
		}
		p.warnAt(with(p.path, "write", index(i)), "created-apart", remedy+"; or accept it if it is the child of another "+w.To.Name,
			"%s creates a %s and a %s, and nothing says that the one is the child of the other", p.out.Name, w.To.Name, a.Entity.Name)
	}
}

// alike warns of what a write creates several of at once, and whose identities differ in nothing but the time of the
// call, which is one for all: no call could bring two of them.
func (p *patternReader) alike() {
	report := func(i int, e *spec.Entity, shared []string) {
		at := ""
		for _, id := range e.Identity {
			switch {
			case slices.Contains(shared, id.Name):
			case id.Generated == "now":
				at = id.Name
			default:
				return // it tells them apart
			}
		}
		if at != "" {
			p.warnAt(with(p.path, "write", index(i)), "same-identity", "add a part to the identity that tells them apart, such as one with `generated: ulid`, in place of "+at,
				"%s creates several %s at once, and their identities differ in nothing but %s, the time of the call", p.out.Name, e.Name, at)
		}
	}
	for i, a := range p.out.Actions {
		if a.Verb != spec.Create {
			continue
		}
		for _, name := range a.With {
			if w := a.Entity.WayBack(name); w != nil && !w.Single() {
				report(i, w.From, namesOf(w.By))
			}
		}
		if q := p.out.ValueOf(a); q != nil && len(a.Each) > 0 {
			report(i, a.Entity, q.Same)
		}
	}
}

func (p *patternReader) anyVerbBroken(path []string) bool {
	return slices.ContainsFunc([]string{"create", "replace", "upsert", "update", "delete"}, func(v string) bool { return p.isBroken(with(path, v)...) })
}

// whole reports whether a verb takes the whole value of an entity.
func whole(v spec.Verb) bool { return v == spec.Create || v == spec.Replace || v == spec.Upsert }

func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}

// applies reports keys that mean nothing for a verb.
func (p *patternReader) applies(v spec.Verb, d *actionDoc, path []string) {
	for _, k := range []struct {
		name  string
		given bool
		fits  bool
		what  string
	}{
		{"value", len(d.Value) > 0, whole(v), "create, replace and upsert"},
		{"with", d.With != nil, v != spec.Update, "all but update"},
		{"key", d.Key != nil, v == spec.Update || v == spec.Delete, "update and delete: a value holds its identity"},
		{"set", d.Set != nil, v == spec.Update, "update, and for upsert without a value"},
		{"remove", d.Remove != nil, v == spec.Update, "update"},
		{"condition", d.Condition.Condition != nil, v != spec.Create, "what is there already"},
		{"requires", d.Requires != nil, v != spec.Delete, "all but delete"},
		{"refusal", d.Refusal != "", d.Condition.Condition != nil || p.isBroken(with(path, "condition")...), "an action with a condition"},
	} {
		if k.given && !k.fits {
			p.errorAt(with(path, k.name), "not-applicable", "", "`%s` is for %s", k.name, k.what)
		}
	}
}

// values makes the parameters that are entities, or lists of something.
func (p *patternReader) values(a *spec.Action) {
	path := p.actionPath(a)
	if comesWhole(a) {
		if a.Value[0] != "each" {
			p.entityParameter(a.Value[0], a, false, path)
		} else if len(a.Each) == 1 {
			p.entityParameter(a.Each[0], a, true, path)
		} else if len(a.Each) == 0 {
			p.errorAt(with(path, "value"), "wrong-type", "add `each`", "$each is an element of `each`, and there is none here")
		}
		return
	}
	if len(a.Each) == 1 { // a list of what this action uses
		if q := p.known[a.Each[0]]; q == nil {
			p.known[a.Each[0]] = &spec.Parameter{Name: a.Each[0], Stated: 1, List: true}
		} else if !q.List {
			p.errorAt(with(path, "each"), "parameter-clash", "", "$%s is a whole %s, not a list", q.Name, q.Entity.Name)
		}
	}
}

// comesWhole says whether the call brings the value of the entity.
func comesWhole(a *spec.Action) bool { return whole(a.Verb) && a.Value != nil }

func (p *patternReader) actionPath(a *spec.Action) []string {
	return with(p.path, "write", index(slices.Index(p.out.Actions, a)))
}

func (p *patternReader) entityParameter(name string, a *spec.Action, list bool, path []string) {
	if name == "each" {
		p.errorAt(path, "parameter-clash", "", "$each is an element of `each`, not a parameter")
		return
	}
	if q := p.known[name]; q != nil {
		p.errorAt(path, "parameter-clash", "give one of them another name with `value`", "two actions take $%s", name)
		return
	}
	q := &spec.Parameter{Name: name, Stated: 1, Entity: a.Entity, With: a.With, List: list}
	p.known[name] = q
	for _, d := range p.doc.Parameters { // what is created by a call follows from it
		if part, inside := strings.CutPrefix(d.Key, name+"."); inside && slices.Contains(q.With, part) {
			p.inValue(q, a.Entity.WayBack(part), &d.Value, with(p.path, "parameters", d.Key))
		}
	}
}

// eachEntity is the entity of which $each is one; nil if it is none.
func (p *patternReader) eachEntity(a *spec.Action) *spec.Entity {
	switch len(a.Each) {
	case 1:
		if q := p.known[a.Each[0]]; q != nil && q.List {
			return q.Entity
		}
	case 2:
		if q := p.known[a.Each[0]]; q != nil && q.Entity != nil && slices.Contains(q.With, a.Each[1]) {
			return q.Entity.WayBack(a.Each[1]).From
		}
	}
	return nil
}

// details resolves everything of an action that can name parameters.
func (p *patternReader) details(a *spec.Action, d *actionDoc, path []string) {
	if whole(a.Verb) && a.Value != nil && a.Value[0] != "each" {
		p.appear(a.Value[0])
	}
	if len(a.Each) > 0 && !p.each(a, with(path, "each")) {
		return
	}
	e := a.Entity
	scope := spec.Scope{Entity: e, Reference: func(ref spec.Reference, like *spec.Attribute, pos int) *spec.Error {
		if ref[0] != "each" || len(a.Each) == 0 {
			return p.scalar(ref, like, pos)
		}
		return p.element(a, ref, like, pos)
	}}
	if a.Verb == spec.Update || a.Verb == spec.Delete {
		p.key(a, d, scope, path)
	}
	for _, s := range d.Set {
		p.set(a, d, s, scope, with(path, "set", s.Key))
	}
	for i, r := range d.Remove {
		at := with(path, "remove", index(i))
		if target := p.changed(a, spec.Path(r), at); target != nil {
			if !target.Optional {
				p.errorAt(at, "set-required", "add `optional: true` to it", "%s is not optional: it cannot be removed", r[len(r)-1])
			}
			a.Remove = append(a.Remove, spec.Path(r))
		}
	}
	if a.Verb == spec.Update && len(d.Set) == 0 && len(d.Remove) == 0 && !p.isBroken(with(path, "set")...) && !p.isBroken(with(path, "remove")...) {
		switch alone := len(p.doc.Write) < 2 || !p.out.Atomic; {
		case p.isBroken(with(path, "condition")...): // it may be what the action is for
		case d.Condition.Condition == nil && !alone:
			p.errorAt(path, "missing-key", "add `set` or `remove`, or `condition: present`, so that the rest happens only where it is there", "the update changes nothing")
		case d.Condition.Condition == nil:
			p.errorAt(path, "missing-key", "add `set` or `remove`", "the update changes nothing")
		case alone:
			p.errorAt(path, "missing-key", "add `set` or `remove`", "the update changes nothing, and there is no other action that its condition lets happen or not")
		}
	}
	a.Condition = p.condition(scope, spec.MapTerms(d.Condition.Condition, func(v spec.Expr) spec.Expr { return p.foundTerm(a, v) }), with(path, "condition"))
	p.ofItself(a, with(path, "condition"))
	if a.Verb == spec.Upsert || a.Makes {
		a.Condition = ofStored(a.Condition)
	}
	p.neverEntered(a, with(path, "condition"))
	p.neverThere(a, with(path, "condition"))
	for _, s := range a.Set { // after the condition, which may say that it is there
		p.onAbsent(a, s.Value, with(path, "set", s.Path.String()))
	}
	if a.Condition != nil {
		a.Refusal = or(string(d.Refusal), "condition")
	}
	for i, name := range d.Requires {
		at := with(path, "requires", index(i))
		if p.isBroken(at...) {
			continue
		}
		if w := e.WayThere(string(name)); w != nil && w.To.External {
			p.elsewhere(w.To, at)
		} else if w != nil {
			a.Requires = append(a.Requires, w)
		} else {
			p.notAWay(e, string(name), at)
		}
	}
	if a.Verb == spec.Delete {
		p.orphans(a, path)
	}
	if a.Makes {
		p.makes(a, d, scope, path)
	}
	p.creates(a, path)
}

// ofItself reports a condition on another entity than the one that is written: DynamoDB tests the item at hand.
func (p *patternReader) ofItself(a *spec.Action, at []string) {
	for t := range spec.Tests(a.Condition) {
		segments, err := a.Entity.Resolve(t.Path)
		if err != nil || len(segments) < 2 || segments[0].Way == nil {
			continue
		}
		w, own := segments[0].Way, *t
		own.Path = t.Path[1:]
		var key, claimed []string
		for i, by := range w.By {
			value := "$" + by.Name
			at := slices.IndexFunc(a.Key, func(k spec.Assign) bool { return k.Path[0] == by.Name })
			switch {
			case w.To != segments[0].Entity():
				continue
			case len(a.Value) > 0:
				value = a.Value.String() + "." + by.Name
			case at >= 0:
				value = a.Key[at].Value.String()
			default:
				claimed = append(claimed, by.Name+" = "+value)
			}
			key = append(key, w.To.Identity[i].Name+": "+value)
		}
		here := ""
		if len(claimed) > 0 {
			here = "; and here say `condition: " + strings.Join(claimed, " and ") + "`, so that it is the right one"
		}
		p.report(p.Inside(t.Pos, at...), Error, "not-applicable", at,
			fmt.Sprintf("a condition is of the %s that is written, and %s is of another entity", a.Entity.Name, t.Path),
			"add an action that tests it and changes nothing: {update: "+segments[0].Entity().Name+", key: {"+strings.Join(key, ", ")+"}, condition: "+own.String()+"}"+here)
		return
	}
}

// makes reports what an update cannot make of its key and of what it sets.
func (p *patternReader) makes(a *spec.Action, d *actionDoc, scope spec.Scope, path []string) {
	e := a.Entity
	for _, k := range []struct {
		name  string
		given bool
	}{{"requires", d.Requires != nil}, {"remove", d.Remove != nil}} {
		if k.given {
			p.errorAt(with(path, k.name), "not-applicable", "write it on an update, which refuses what is missing, or upsert the whole value", "`%s` is not for an upsert that sets", k.name)
		}
	}
	whole := "upsert the whole value, without `set`"
	if len(e.Unique) > 0 {
		p.errorAt(path, "not-applicable", whole, "%s has what is unique: it is made whole", e.Name)
		return
	}
	for _, at := range e.Attributes {
		isSet := slices.ContainsFunc(d.Set, func(s entry[valueText]) bool { return s.Key == at.Name })
		switch {
		case slices.Contains(e.Identity, at):
			if at.Generated != "" || at.Sequence != nil {
				p.errorAt(path, "not-applicable", "create it", "%s of %s is made with it: no call can name one that is not there", at.Name, e.Name)
			}
		case at.Generated == "version": // begins at one
		case at.States != nil && isSet:
			p.errorAt(with(path, "set", at.Name), "not-applicable", "leave it out of `set`, and move it on with an update",
				"what an upsert makes begins as %s, and what is there stays in its %s", at.States.Names[0], at.Name)
		case at.States != nil: // begins as the first
		case at.Sequence != nil:
			p.errorAt(path, "not-applicable", whole, "%s of %s begins when it is created", at.Name, e.Name)
		case !isSet && at.Generated == "now": // when it is made
			v, err := spec.ParseValue("if_missing(" + at.Name + ", now)")
			if err != nil {
				continue
			}
			if v, ok := p.assign(scope, v, at, path); ok {
				a.Set = append(a.Set, spec.Assign{Path: spec.Path{at.Name}, Value: v})
			}
		case !isSet && !at.Optional && !at.Rest && (at.Derived == nil || at.Derived.Func != ""):
			if at.Derived == nil {
				p.errorAt(path, "set-required", "set it, or make it optional", "%s may be made here, and %s of it is not set", e.Name, at.Name)
			} else {
				p.errorAt(path, "not-applicable", whole, "%s of %s is derived from others", at.Name, e.Name)
			}
		}
	}
}

// ofStored is the condition of an upsert without the `absent` that it need not say: what is not there is created.
func ofStored(c spec.Condition) spec.Condition {
	l, ok := c.(*spec.Logic)
	if !ok || l.Op != "or" {
		return c
	}
	rest := slices.DeleteFunc(slices.Clone(l.Args), func(c spec.Condition) bool {
		t, ok := c.(*spec.Test)
		return ok && t.Op == "absent" && len(t.Path) == 0
	})
	if len(rest) == 1 {
		return rest[0]
	}
	return &spec.Logic{Op: "or", Args: rest}
}

// each looks up the list that an action goes through.
func (p *patternReader) each(a *spec.Action, at []string) bool {
	q := p.appear(a.Each[0])
	switch {
	case len(a.Each) == 1:
		return true
	case len(a.Each) > 2 || q.Entity == nil || q.List:
		p.errorAt(at, "wrong-type", "write a list parameter, or children inside a value: $order.items", "%s is not a list", a.Each)
		return false
	case !slices.Contains(q.With, a.Each[1]):
		remedy := nearest(a.Each[1], q.With)
		if q.Entity.WayBack(a.Each[1]) != nil {
			remedy = "add `with: [" + a.Each[1] + "]` to the action that takes $" + q.Name
		}
		p.errorAt(at, "unknown-name", remedy, "the value of %s has no %s inside", q.Entity.Name, a.Each[1])
		return false
	case whole(a.Verb) && q.Entity.WayBack(a.Each[1]).From != a.Entity:
		p.errorAt(at, "wrong-type", "", "%s is a list of %s, not of %s", a.Each, q.Entity.WayBack(a.Each[1]).From.Name, a.Entity.Name)
		return false
	}
	return true
}

// element is told of a reference to $each beside an attribute.
func (p *patternReader) element(a *spec.Action, ref spec.Reference, like *spec.Attribute, pos int) *spec.Error {
	if e := p.eachEntity(a); e != nil {
		if len(ref) == 1 {
			return &spec.Error{Code: spec.WrongType, Offset: pos, Message: fmt.Sprintf("$each is a whole %s", e.Name), Remedy: "name an attribute of it, such as $each." + anAttribute(e)}
		}
		return p.inside(e, nil, ref, 1, like, pos)
	}
	// A list of what is used: of values, or of maps.
	q := p.known[a.Each[0]]
	clash := &spec.Error{Code: "parameter-clash", Offset: pos, Message: fmt.Sprintf("%s is used in two ways", ref)}
	if len(ref) == 1 {
		if q.Like != nil && (q.Like.Fields != nil || !spec.SameType(q.Like, like)) {
			return clash
		}
		q.Like = like
		return nil
	}
	if len(ref) > 2 {
		return &spec.Error{Code: spec.UnknownName, Offset: pos, Message: fmt.Sprintf("what is inside %s is not known", spec.Reference(ref[:2]))}
	}
	if q.Like == nil {
		q.Like = &spec.Attribute{Name: q.Name, Type: spec.MapType, Present: 1}
	}
	if q.Like.Type != spec.MapType && q.Like.Type != 0 {
		return clash
	}
	for _, f := range q.Like.Fields {
		if f.Name == ref[1] {
			if !spec.SameType(f, like) {
				return clash
			}
			return nil
		}
	}
	f := *like
	f.Name = ref[1]
	q.Like.Fields = append(q.Like.Fields, &f)
	return nil
}

// key says which entity is updated or deleted: the identity by name, of $each, else as parameters.
func (p *patternReader) key(a *spec.Action, d *actionDoc, scope spec.Scope, path []string) {
	stated := map[string]spec.Expr{}
	for _, k := range d.Key {
		at := with(path, "key", k.Key)
		target := p.attribute(a.Entity, k.Key, at)
		if target == nil {
			continue
		}
		if !slices.Contains(a.Entity.Identity, target) {
			if !p.isWhole(a.Entity) {
				continue // it may be
			}
			p.errorAt(at, "wrong-type", "the identity is "+attributeNames(a.Entity.Identity), "%s is not part of the identity of %s", k.Key, a.Entity.Name)
			continue
		}
		v := k.Value.Expr
		if k.Short && len(a.Each) > 0 && p.hasElement(a, d, k.Key) {
			v = spec.Expr{Reference: spec.Reference{"each", k.Key}, Pos: v.Pos}
		}
		v = p.foundFirst(a, v)
		if p.keyFound(a, target, v, at) {
			continue
		}
		if v, ok := p.assign(scope, v, target, at); ok {
			if len(v.Reference) == 0 && v.Literal.IsZero() {
				p.errorAt(at, "wrong-type", "write a parameter", "`%s` does not say which %s is meant before it is read", v, a.Entity.Name)
			}
			stated[k.Key] = v
		}
	}
	for _, id := range a.Entity.Identity {
		v, ok := stated[id.Name]
		if !ok {
			if slices.ContainsFunc(d.Key, func(k entry[valueText]) bool { return k.Key == id.Name }) {
				continue // it could not be read
			}
			v = spec.Expr{Reference: spec.Reference{id.Name}}
			if len(a.Each) > 0 && p.hasElement(a, d, id.Name) {
				v.Reference = spec.Reference{"each", id.Name}
			}
			if err := scope.Reference(v.Reference, id, 0); err != nil {
				p.report(p.Place(path...), Error, or(err.Code, "bad-value"), path, err.Message, or(err.Remedy, "say with `key` which one is meant"))
				continue
			}
		}
		a.Key = append(a.Key, spec.Assign{Path: spec.Path{id.Name}, Value: v})
	}
}

// foundFirst lets a value use what is stored of what another action of the write is about: {key: {memberId:
// loan.memberId}} beside {update: Loan}. The client reads the loan first, and writes only while that is still so.
func (p *patternReader) foundFirst(a *spec.Action, v spec.Expr) spec.Expr {
	return v.Map(func(v spec.Expr) spec.Expr { return p.foundTerm(a, v) })
}

func (p *patternReader) foundTerm(a *spec.Action, v spec.Expr) spec.Expr {
	path := v.Path
	if len(v.Reference) > 0 && p.known[v.Reference[0]] == nil {
		path = spec.Path(v.Reference)
	}
	if len(path) < 2 || v.Neg || a.Entity.WayThere(path[0]) != nil || a.Entity.Attribute(path[0]) != nil {
		return v
	}
	for _, b := range p.out.Actions {
		if !p.readsFirst(a, b, path[0]) {
			continue
		}
		at := ownValue(b.Entity, path[1:])
		if at == nil || at.Optional || at.Derived != nil {
			return v
		}
		name := spec.FoundName(b.Entity)
		if p.known[name] == nil {
			p.known[name] = &spec.Parameter{Name: name, Stated: 1, Entity: b.Entity, From: b}
		}
		if !slices.Contains(b.Found, at) {
			b.Found = append(b.Found, at)
		}
		v.Path, v.Reference = nil, spec.Reference{name, at.Name}
		return v
	}
	return v
}

// ownValue is the attribute of an entity in which lies what a path leads to, at the end of one way there too:
// copy.copyId of a loan is its copyId. It returns nil where the path leads elsewhere.
func ownValue(e *spec.Entity, path spec.Path) *spec.Attribute {
	if len(path) == 2 {
		if w := e.WayThere(path[0]); w != nil {
			if i := slices.IndexFunc(w.To.Identity, func(x *spec.Attribute) bool { return x.Name == path[1] }); i >= 0 {
				return w.By[i]
			}
		}
	}
	if len(path) != 1 {
		return nil
	}
	return e.Attribute(path[0])
}

// readsFirst reports whether an action can use what is stored of what another, called by the name of its entity,
// changes.
func (p *patternReader) readsFirst(a, b *spec.Action, name string) bool {
	if b == a || b.Entity == nil || b.Entity == a.Entity || lowerFirst(b.Entity.Name) != name || !p.out.Atomic || len(a.Each) > 0 || len(b.Each) > 0 {
		return false
	}
	return b.Verb == spec.Update && !b.Makes || b.Verb == spec.Delete
}

// keyFound reports a key that is said by what is stored of what another action of the write is about where that is not
// read first: the call states it, and the other action demands that it is so.
func (p *patternReader) keyFound(a *spec.Action, target *spec.Attribute, v spec.Expr, at []string) bool {
	path := append(spec.Path(slices.Clone(v.Path)), v.Reference...)
	created := func(b *spec.Action) bool { return b.Verb == spec.Create && len(b.Value) > 0 && b.Value[0] == path[0] }
	if len(path) < 2 || v.Op != "" || path[0] == "each" || slices.ContainsFunc(p.out.Actions, created) { // what is created the call states
		return false
	}
	for _, b := range p.out.Actions {
		if b == a || b.Verb != spec.Update && b.Verb != spec.Delete || path[0] != b.Entity.Name && path[0] != strings.ToLower(b.Entity.Name[:1])+b.Entity.Name[1:] {
			continue
		}
		segments, err := b.Entity.Resolve(path[1:])
		if err != nil || segments[len(segments)-1].Attribute == nil {
			continue
		}
		name, of := segments[len(segments)-1].Attribute.Name, b.Entity // of is whose attribute says it
		ways := segments[:len(segments)-1]
		if n := len(ways); n > 0 && ways[n-1].Way != nil && !ways[n-1].Back { // the identity at the end of a way is the foreign key at its beginning
			if i := slices.Index(ways[n-1].Way.To.Identity, segments[n].Attribute); i >= 0 {
				name, ways = ways[n-1].Way.By[i].Name, ways[:n-1]
			}
		}
		if n := len(ways); n > 0 {
			of = ways[n-1].Entity()
		}
		demand := "`condition: " + name + " = $" + target.Name + "` at the " + string(b.Verb) + " of " + b.Entity.Name
		if of != b.Entity && of != nil {
			demand = "an action {update: " + of.Name + ", key: …, condition: " + name + " = $" + target.Name + "}"
		}
		p.errorAt(at, "not-applicable", "let the call state it, and demand that it is so: `key: {"+target.Name+": $"+target.Name+"}`, and "+demand,
			"which %s is meant is said by the %s that is stored, in a way that no read before the write finds", a.Entity.Name, b.Entity.Name)
		return true
	}
	return false
}

// hasElement reports whether $each has an attribute. A list that is no list of entities has whatever is used, unless
// $each itself is.
func (p *patternReader) hasElement(a *spec.Action, d *actionDoc, name string) bool {
	if e := p.eachEntity(a); e != nil {
		return e.Attribute(name) != nil
	}
	for _, v := range slices.Concat(d.Key, d.Set) {
		for t := range v.Value.Terms() {
			if len(t.Reference) == 1 && t.Reference[0] == "each" {
				return false
			}
		}
	}
	return true
}

func (p *patternReader) assign(scope spec.Scope, v spec.Expr, target *spec.Attribute, at []string) (spec.Expr, bool) {
	if p.isBroken(at...) {
		return v, false
	}
	out, errs := scope.Value(v, target)
	for _, err := range errs {
		if text, ok := strings.CutPrefix(err.Remedy, spec.QuoteRemedy); ok {
			err.Remedy = fmt.Sprintf("a text stands in quotes, and YAML takes one pair away: \"%s\"", text)
		}
		p.expression(err, at)
	}
	return out, errs == nil
}

// creates notes what an action brings into being.
func (p *patternReader) creates(a *spec.Action, path []string) {
	if !whole(a.Verb) && !a.Makes {
		return
	}
	n := 1.0
	switch {
	case len(a.Each) == 1:
		if d := p.length(a.Each[0]); d != nil && d.Average != nil {
			n = d.Average.Float64()
		}
	case len(a.Each) == 2:
		q := p.known[a.Each[0]]
		way := q.Entity.WayBack(a.Each[1])
		n = q.Brings(way, way.PerParent).Average
	}
	add := func(e *spec.Entity, perCall float64) {
		if a.Verb != spec.Replace {
			s := p.entities[e]
			s.created = append(s.created, creation{p.out, path, perCall, a.Verb == spec.Upsert || a.Makes})
		}
	}
	add(a.Entity, n)
	for _, name := range a.With {
		if w := a.Entity.WayBack(name); w != nil {
			add(w.From, n*p.out.ValueOf(a).Brings(w, w.PerParent).Average)
		}
	}
}

// length is what the pattern says of the length of a list parameter.
func (p *patternReader) length(name string) *countDoc {
	for _, d := range p.doc.Parameters {
		if d.Key == name {
			return d.Value.Length
		}
	}
	return nil
}
