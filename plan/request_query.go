package plan

import (
	"errors"
	"fmt"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// queries makes the requests of a query or scan: one, or one for each shard or bucket, for each element; what several elements
// lead to is asked for once.
func (c *Call) queries(s *Stage) ([]*Request, error) {
	elements, err := c.elements(s)
	if err != nil {
		return nil, err
	}
	var out []*Request
	asked := map[string]bool{}
	for _, e := range elements {
		env, err := c.env(s, e)
		if err != nil {
			return nil, err
		}
		var scattered []attr.Value
		switch {
		case s.Scatter > 0:
			for i := range s.Scatter {
				scattered = append(scattered, attr.Num(attr.Int(int64(i))))
			}
		case s.Scatter < 0:
			if scattered, err = c.buckets(s, env); err != nil {
				return nil, err
			}
		default:
			scattered = []attr.Value{{}}
		}
		for _, v := range scattered {
			r, err := c.query(s, env, v)
			if err != nil {
				return nil, fmt.Errorf("step %s: %w", s.label(), err)
			}
			if r == nil {
				continue
			}
			if r.KeyExpr != nil && s.filter == nil {
				key := rangeID(r.KeyExpr)
				if asked[key] {
					continue
				}
				asked[key] = true
			}
			out = append(out, r)
		}
	}
	return out, nil
}

// rangeID is a text that two ranges of keys share only if they are the same.
func rangeID(k *expr.KeyExpression) string {
	var b []byte
	for _, t := range k.Terms() {
		b = append(append(b, t.Attribute...), 0, byte(t.Op))
		for _, v := range []attr.Value{t.Low, t.High} {
			if !v.IsZero() {
				b = attr.AppendValue(b, v)
			}
			b = append(b, 0)
		}
	}
	return string(b)
}

// query makes one request; nil if nothing can lie in its range.
func (c *Call) query(s *Stage, env spec.Env, scattered attr.Value) (*Request, error) {
	r := &Request{
		Stage: s, Verb: s.Verb, Table: s.Access.Table.Name, Index: s.Access.Index, Consistent: s.Consistent,
		Descending: s.Descending, Limit: s.Evaluate, Projection: s.projection,
	}
	if s.filter != nil {
		x := &translator{kind: s.Kind, entity: s.Kind.Entity, env: env, filter: true}
		var err error
		if r.Filter, err = x.condition(spec.Without(s.filter, c.left)); err != nil {
			return nil, err
		}
	}
	if s.Verb == Scan {
		return r, nil
	}
	eval := func(v spec.Expr) (attr.Value, error) {
		if len(v.Reference) == 1 && (v.Reference[0] == refShard || v.Reference[0] == refBucket) {
			return scattered, nil
		}
		return spec.Eval(v, spec.On(attr.Item{}), env)
	}
	var terms []expr.KeyTerm
	for i := range s.binds {
		b := &s.binds[i]
		values, state, err := c.evalAll(b.values, eval)
		if err != nil || state == absent {
			return nil, err
		}
		if b.equal && state == complete {
			x, err := b.recipes[0].rangeOn(values, ends{})
			if err != nil {
				return nil, unlessOutside(err)
			}
			t, _ := x.term(b.wire.Name)
			terms = append(terms, t)
			continue
		}
		var e ends
		if state == complete {
			var nothing bool
			if e, nothing, err = c.ends(b, eval); err != nil || nothing {
				return nil, err
			}
		}
		xs := make([]interval, len(b.recipes))
		for j, rec := range b.recipes {
			own := values
			if len(b.each[j]) != len(b.values) || j > 0 && len(own) > 0 {
				if own, state, err = c.evalAll(b.each[j], eval); err != nil || state == absent {
					return nil, err
				}
			}
			if xs[j], err = rec.rangeOn(own, e); err != nil {
				if err = unlessOutside(err); err != nil {
					return nil, err
				}
				xs[j] = interval{none: true}
			}
		}
		h := b.cover(xs, values)
		if h.none {
			return nil, nil
		}
		r.limits, r.wire = xs, b.wire.Name
		if t, ok := h.term(b.wire.Name); ok {
			terms = append(terms, t)
		}
		break
	}
	r.KeyExpr = expr.NewKeyExpression(terms...)
	return r, nil
}

// unlessOutside is an error of a key that is read; nil where no key can hold the value, so that nothing lies under it.
func unlessOutside(err error) error {
	if errors.Is(err, keys.ErrOutside) {
		return nil
	}
	return err
}

// How far the values of a key are there.
type filled uint8

const (
	complete filled = iota
	cut             // an optional parameter is left out: what follows is open
	absent          // a value is absent: nothing equals it
)

// evalAll evaluates values up to the first that is left out.
func (c *Call) evalAll(list []spec.Expr, eval func(spec.Expr) (attr.Value, error)) ([]attr.Value, filled, error) {
	out := make([]attr.Value, 0, len(list))
	for _, v := range list {
		if c.leaves(v) {
			return out, cut, nil
		}
		w, err := eval(v)
		if err != nil {
			return nil, absent, err
		}
		if w.IsZero() {
			return nil, absent, nil
		}
		out = append(out, w)
	}
	return out, complete, nil
}

// ends evaluates the ends of a range. nothing: an end is absent, so that nothing lies in it.
func (c *Call) ends(b *bind, eval func(spec.Expr) (attr.Value, error)) (e ends, nothing bool, err error) {
	end := func(l *limit) (*attr.Value, bool) {
		if l == nil || err != nil || c.leaves(l.value) {
			return nil, false
		}
		var v attr.Value
		v, err = eval(l.value)
		nothing = nothing || v.IsZero()
		return &v, l.open
	}
	e.absent = b.absent
	e.low, e.lowOut = end(b.low)
	e.high, e.highOut = end(b.high)
	if b.prefix != nil {
		e.prefix, _ = end(&limit{value: *b.prefix})
	}
	return e, nothing, err
}

// cover is the range that is read: the smallest that holds what each kind may have, written as simply as its surroundings
// allow.
func (b *bind) cover(xs []interval, values []attr.Value) interval {
	h := hull(xs)
	if len(xs) < 2 || h.none || b.ranged() || h.one || h.isPrefix {
		return h
	}
	switch b.shape {
	case coverAll:
		return interval{}
	case coverPrefix:
		base, err := b.recipes[0].appendParts(nil, values)
		if err == nil {
			base = base[:len(base)-len(b.recipes[0].Literals[len(values)])+b.common]
			return b.wire.begins(base)
		}
	}
	return h
}
