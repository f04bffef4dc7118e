package plan

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/spec"
)

// test is one part of a condition with the code that its failure means.
type test struct {
	cond  *expr.Condition
	code  string
	again bool // it only repeats what an earlier step found
	still bool // it was found so, or not found, and decides even where there is no item
	// of a number compared with a value, path op value: so that two changes of one item can be made one
	path  string
	at    expr.Path
	op    string
	value attr.Number
}

// bump gives a put of a versioned entity its version: one more than the version it demands, else 1.
func (c *Call) bump(s *Stage, sc *scope, env spec.Env) error {
	for _, a := range s.entity().Attributes {
		if a.Generated != "version" {
			continue
		}
		for _, g := range s.guards {
			t, ok := g.cond.(*spec.Test)
			if !ok || t.Op != "=" || len(t.Path) != 1 || t.Path[0] != a.Name {
				continue
			}
			v, err := spec.Eval(t.Args[0], sc, env)
			if err != nil {
				return err
			}
			n, err := v.Number().Add(attr.Int(1))
			if err != nil {
				return err
			}
			sc.give(own(a), attr.Num(n))
		}
	}
	return nil
}

// given shows in the arguments what a put adds to the value that a caller passed: a sequence's number, a version.
func (c *Call) given(s *Stage, sc *scope) {
	if s.value.param == nil || s.value.param.List || s.value.each || len(s.value.segs) > 0 || s.Kind.Role != EntityItem {
		return
	}
	it := c.args.Get(s.value.param.Name).Map().Clone()
	for _, g := range sc.given {
		if len(g.target.path) == 1 {
			it.Set(g.target.path[0], g.value)
		}
	}
	for _, a := range s.entity().Attributes {
		if a.Derived != nil && a.Derived.Func == "" && !it.Has(a.Name) {
			it.Set(a.Name, sc.at(own(a)))
		}
	}
	c.args.Set(s.value.param.Name, attr.Map(it))
}

// guards translates `if`.
func (c *Call) guards(s *Stage, x *translator, r *Request) error {
	for _, g := range s.guards {
		cond := spec.Without(g.cond, c.left)
		if cond == nil {
			continue
		}
		t := test{code: g.code, again: g.again}
		if from := s.eachFound(); from != nil && from.Consistent && c.proc.Pattern.Atomic && g.code == RefusedMissing && isPresent(g.cond) {
			t.again, t.still = true, true // what was found is gone since: there is one less to be written
		}
		var err error
		if t.cond, err = x.condition(cond); err != nil {
			return err
		}
		x.linear(cond, &t)
		r.tests = append(r.tests, t)
	}
	r.condition()
	return nil
}

// condition joins the tests.
func (r *Request) condition() {
	all := make([]*expr.Condition, len(r.tests))
	for i, t := range r.tests {
		all[i] = t.cond
	}
	switch len(all) {
	case 0:
		r.Condition = nil
	case 1:
		r.Condition = all[0]
	default:
		r.Condition = expr.And(all...)
	}
}

// update makes the changes of an update: what it sets, then every template that follows from it.
func (c *Call) update(s *Stage, x *translator, r *Request, env spec.Env, shard int) error {
	sc := r.scope
	if err := c.assign(sc, s.with, env); err != nil {
		return err
	}
	var changes []expr.Change
	r.linear = &linear{}
	changed := make([]target, 0, 8)
	makes := s.makes()
	set := func(t target, p expr.Path, v attr.Value) {
		if v.IsZero() {
			changes = append(changes, expr.Remove(p))
		} else {
			changes = append(changes, expr.Set(p, expr.Literal(v)))
		}
		sc.give(t, v)
		r.linear = nil
	}
	for _, a := range slices.Concat(s.told, s.sets) {
		if c.leaves(a.value) || s.passes(a.value, env) {
			continue
		}
		changed = append(changed, a.target)
		if len(itemPaths(a.value)) == 0 {
			v, err := spec.Eval(a.value, spec.On(attr.Item{}), env)
			if err != nil {
				return err
			}
			if s.Embed == nil && s.Kind.storing(a.target) == nil { // lives in templates alone
				sc.give(a.target, v)
				r.linear = nil
				continue
			}
			p, err := x.target(a.target)
			if err != nil {
				return err
			}
			set(a.target, p, v)
			continue
		}
		p, err := x.target(a.target)
		if err != nil {
			return err
		}
		if a.value.Op == "append" && a.target.attribute().Type == spec.SetType {
			v, err := spec.Eval(a.value.Args[1], spec.On(attr.Item{}), env)
			if err != nil {
				return err
			}
			changes, r.linear = append(changes, expr.Add(p, setOf(v))), nil
			continue
		}
		ch, err := x.change(p, a.value)
		if err != nil {
			return err
		}
		changes = append(changes, ch)
		x.delta(r, p, a)
		if at, ok := a.begun(); ok && makes { // templates are only written anew where all states that it can have would do the same
			sc.give(a.target, attr.Text(at.States.Names[0]))
		}
	}
	for _, a := range s.adds {
		if c.leaves(a.value) {
			continue
		}
		changed = append(changed, a.target)
		p, err := x.target(a.target)
		if err != nil {
			return err
		}
		v, err := spec.Eval(a.value, spec.On(attr.Item{}), env)
		if err != nil {
			return err
		}
		if v.IsZero() {
			continue
		}
		changes = append(changes, expr.Add(p, v))
		if r.linear != nil && v.Kind() == attr.KindN {
			r.linear.deltas = append(r.linear.deltas, delta{p.String(), p, v.Number(), true})
		} else {
			r.linear = nil
		}
	}
	for _, t := range s.removes {
		changed = append(changed, t)
		if s.Embed == nil && s.Kind.storing(t) == nil {
			sc.give(t, attr.Value{})
			r.linear = nil
			continue
		}
		p, err := x.target(t)
		if err != nil {
			return err
		}
		set(t, p, attr.Value{})
	}
	if s.version != nil && (len(changed) > 0 || len(s.changed()) == 0) {
		p, err := x.target(own(s.version))
		if err != nil {
			return err
		}
		ch := expr.Set(p, expr.Plus(p, expr.Literal(attr.Num(attr.Int(1)))))
		if makes { // it begins at one
			ch = expr.Add(p, attr.Num(attr.Int(1)))
		}
		changes = append(changes, ch)
		if r.linear != nil { // of two such updates each raises it
			r.linear.deltas = append(r.linear.deltas, delta{p.String(), p, attr.Int(1), makes})
		}
	}
	for _, rec := range s.rewrites {
		if !makes && !rec.dependsOn(changed) {
			continue // only what is left out of this call would have changed it
		}
		if a, added, ok := s.mirrored(rec); ok {
			ch, err := x.mirror(rec, a, added)
			if err != nil {
				return err
			}
			changes, r.linear = append(changes, ch), nil
			continue
		}
		first, once := s.once(rec)
		if once {
			v, err := spec.Eval(first, spec.On(attr.Item{}), env)
			if err != nil {
				return err
			}
			sc.give(rec.Parts[0].target, v)
		}
		v, err := rec.build(sc, shard, env)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Kind.Name, err)
		}
		p := expr.Name(rec.Wire.Name)
		switch {
		case v.IsZero():
			changes = append(changes, expr.Remove(p))
		case once:
			changes = append(changes, expr.Set(p, expr.IfNotExists(p, expr.Literal(v))))
		default:
			changes = append(changes, expr.Set(p, expr.Literal(v)))
		}
		r.linear = nil
	}
	if s.Document.Stamp {
		r.stamp = expr.Set(expr.Name(s.Kind.Stamp), expr.Literal(c.stamp()))
		changes, r.stamped = append(changes, r.stamp), true
	}
	if len(changes) > 0 {
		r.changes, r.Update = changes, expr.NewUpdate(changes...)
	}
	r.ReturnNew, r.ReturnOld = s.Document.Return == "new", s.Document.Return == "old"
	return nil
}

// passes reports whether a value is what an element of the caller's list could say and does not: then it stays as it
// is, as with a parameter that is left out.
func (s *Stage) passes(v spec.Expr, env spec.Env) bool {
	return s.each != nil && s.each.param != nil && len(v.Reference) > 1 && v.Reference[0] == "each" && env.Lookup(v.Reference).IsZero()
}

func setOf(v attr.Value) attr.Value {
	switch v.Kind() {
	case attr.KindN:
		return attr.NumSet(v.Number())
	case attr.KindB:
		return attr.BinarySet(v.Bytes())
	}
	return attr.TextSet(v.Str())
}

// child makes an UpdateItem of a put, update or delete of one child inside an item.
func (c *Call) child(s *Stage, x *translator, r *Request, env spec.Env, shard int) error {
	verb := r.Verb
	r.Verb = Update
	switch verb {
	case Put:
		var it attr.Item
		for _, st := range s.Embed.Stored {
			it.Set(st.Name, r.scope.at(st.target))
		}
		change := expr.Set(x.place, expr.Literal(attr.Map(it)))
		if s.Embed.As == "list" {
			change = expr.Set(x.place, expr.ListAppend(x.place, expr.Literal(attr.List(attr.Map(it)))))
		}
		r.changes, r.Update = []expr.Change{change}, expr.NewUpdate(change)
		return nil
	case Delete:
		r.changes = []expr.Change{expr.Remove(x.place)}
		r.Update = expr.NewUpdate(r.changes...)
		return nil
	case Update:
		return c.update(s, x, r, env, shard)
	}
	return fmt.Errorf("a child inside an item cannot be the subject of %s", verb)
}
