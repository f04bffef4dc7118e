package plan

import (
	"fmt"
	"slices"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// Request is one operation of DynamoDB, ready to be written in its wire form.
type Request struct {
	Stage      *Stage
	Verb       Verb
	Table      string
	Index      string      // of query and scan
	Kind       *Kind       // of the verbs on one item
	Key        attr.Item   // wire key of get, update, delete and check
	Keys       []attr.Item // of batch-get: each once, any number
	Item       attr.Item   // of put: the whole wire item
	KeyExpr    *expr.KeyExpression
	Filter     *expr.Condition
	Condition  *expr.Condition
	Update     *expr.Update
	Projection *expr.Projection
	Descending bool
	Consistent bool
	Limit      int        // 0: none
	Start      attr.Item  // ExclusiveStartKey; empty: from the beginning
	ReturnNew  bool       // of update: ReturnValues ALL_NEW
	ReturnOld  bool       // of put, update and delete: ReturnValues ALL_OLD
	Actions    []*Request // of transact, transact-get (at most 100) and batch-write (any number), unrolled
	Token      string     // of transact: the caller's idempotency token; ""

	tests  []test
	part   *part
	scope  *scope // of what is written
	linear *linear
	limits []interval // of query: what each kind may have in limited
	wire   string     // the attribute of limits
}

// test is one part of a condition with the code that its failure means.
type test struct {
	cond  *expr.Condition
	code  string
	again bool // it only repeats what an earlier step found
	// of a number compared with a value, path op value: so that two changes of one item can be made one
	path  string
	at    expr.Path
	op    string
	value attr.Number
}

// element is one element of `each`.
type element struct {
	scope *scope // of an entity
	value attr.Value
}

// elements lists what a stage is done for: one nil element without `each`.
func (c *Call) elements(s *Stage) ([]*element, error) {
	if s.each == nil {
		return []*element{nil}, nil
	}
	if s.each.stage == nil && s.each.entity == nil { // a list of plain values
		var out []*element
		for _, v := range spec.Env.Lookup(spec.Env{Values: c.values}, s.Each).Elems() {
			out = append(out, &element{value: v})
		}
		return out, nil
	}
	level := c.roots(s.each)
	for _, g := range s.each.segs {
		var next []*scope
		for _, up := range level {
			for _, v := range inside(up.value, g.Way) {
				next = append(next, &scope{entity: g.Way.From, value: v, outer: up, way: g.Way})
			}
		}
		level = next
	}
	out := make([]*element, len(level))
	for i, s := range level {
		out[i] = &element{scope: s, value: attr.Map(s.value)}
	}
	return out, nil
}

// roots are the values that a referent begins at: a parameter's, or what a step found.
func (c *Call) roots(r *referent) []*scope {
	if r.stage != nil {
		var out []*scope
		for _, f := range c.states[r.stage].found {
			if f.kind.Entity == r.from {
				out = append(out, &scope{entity: r.from, value: f.entity})
			}
		}
		return out
	}
	v := c.values.Get(r.param.Name)
	if r.param.List {
		var out []*scope
		for _, e := range v.Elems() {
			out = append(out, &scope{entity: r.from, value: e.Map()})
		}
		return out
	}
	if v.IsZero() {
		return nil
	}
	return []*scope{{entity: r.from, value: v.Map()}}
}

// valueScope is the value that a put writes.
func (c *Call) valueScope(s *Stage, e *element) (*scope, error) {
	var sc *scope
	if s.value.each {
		sc = e.scope
	} else if list := c.roots(s.value); len(list) > 0 {
		sc = list[0]
	}
	for _, g := range s.value.segs {
		if sc == nil {
			break
		}
		list := inside(sc.value, g.Way)
		if len(list) == 0 {
			sc = nil
			break
		}
		sc = &scope{entity: g.Way.From, value: list[0], outer: sc, way: g.Way}
	}
	if sc == nil {
		return nil, nil
	}
	copied := *sc // with is this step's alone
	return &copied, nil
}

// env is what values and conditions of a stage can see.
func (c *Call) env(e *element) spec.Env {
	env := spec.Env{Now: c.now, Values: c.values}
	if e != nil {
		env.Values = c.values.Clone()
		env.Values.Set("each", e.value)
	}
	return env
}

// left reports whether a parameter is left out of the call.
func (c *Call) left(name string) bool {
	p := c.proc.Pattern.Parameter(name)
	return p != nil && p.Optional && !c.values.Has(name)
}

// leaves reports whether a value uses a parameter that is left out.
func (c *Call) leaves(v spec.Expr) bool {
	for t := range v.Terms() {
		if len(t.Reference) > 0 && c.left(t.Reference[0]) {
			return true
		}
	}
	return false
}

func (c *Call) assign(sc *scope, as []assign, env spec.Env) error {
	for _, a := range as {
		if len(itemPaths(a.value)) > 0 || c.leaves(a.value) {
			continue
		}
		v, err := spec.Eval(a.value, spec.On(attr.Item{}), env)
		if err != nil {
			return err
		}
		sc.give(a.target, v)
	}
	return nil
}

// bind makes the requests of a stage.
func (c *Call) bind(s *Stage) ([]*Request, error) {
	switch s.Verb {
	case Transact, TransactGet, BatchWrite:
		r := &Request{Stage: s, Verb: s.Verb, Table: ""}
		for _, a := range s.Actions {
			list, err := c.each(a)
			if err != nil {
				return nil, err
			}
			r.Actions = append(r.Actions, list...)
		}
		if s.token != nil {
			r.Token = spec.Env{Values: c.values}.Lookup(s.token).Str()
		}
		if len(r.Actions) == 0 {
			return nil, nil
		}
		return []*Request{r}, c.once(r)
	case BatchGet:
		return c.batch(s)
	case Query, Scan:
		return c.queries(s)
	}
	return c.each(s)
}

// each makes one request of a stage about one item for each element.
func (c *Call) each(s *Stage) ([]*Request, error) {
	elements, err := c.elements(s)
	if err != nil {
		return nil, err
	}
	out := make([]*Request, 0, len(elements))
	for _, e := range elements {
		r, err := c.one(s, e)
		if err != nil {
			return nil, fmt.Errorf("step %s: %w", s.label(), err)
		}
		if r != nil {
			out = append(out, r)
		}
	}
	return out, nil
}

// keyScope is what a stage without value knows of its item.
func (c *Call) keyScope(s *Stage, env spec.Env) (*scope, error) {
	sc := &scope{entity: s.entity()}
	if err := c.assign(sc, s.key, env); err != nil {
		return nil, err
	}
	return sc, nil
}

// itemScope is the scope of the item: of the parent if the stage is about a child inside it.
func (s *Stage) itemScope(sc *scope) *scope {
	if s.Embed == nil {
		return sc
	}
	parent := &scope{entity: s.Kind.Entity}
	for _, r := range s.Kind.Recipes {
		for _, p := range r.Parts {
			if r.Key && p.Attribute != nil {
				parent.give(p.target, sc.at(s.Embed.up(p.target)))
			}
		}
	}
	if s.Kind.ShardBy != nil {
		t := own(s.Kind.ShardBy)
		parent.give(t, sc.at(s.Embed.up(t)))
	}
	return parent
}

// one makes the request about one item; nil if there is nothing to do.
func (c *Call) one(s *Stage, e *element) (*Request, error) {
	env := c.env(e)
	r := &Request{Stage: s, Verb: s.Verb, Table: s.Kind.Table.Name, Kind: s.Kind, Consistent: s.Consistent, Projection: s.projection}
	var sc *scope
	var err error
	if s.Verb == Put {
		if sc, err = c.valueScope(s, e); err != nil || sc == nil {
			return nil, err
		}
		if err = c.assign(sc, s.with, env); err != nil {
			return nil, err
		}
		if err = c.bump(s, sc, env); err != nil {
			return nil, err
		}
		c.given(s, sc)
	} else if sc, err = c.keyScope(s, env); err != nil {
		return nil, err
	}
	r.scope = sc
	item := s.itemScope(sc)
	shard := s.Kind.shardOf(item, c.source.Random)
	if s.Verb != Put || s.Embed != nil {
		if s.reads() && !s.Kind.complete(item) {
			return nil, nil // the key leads nowhere
		}
		if r.Key, err = s.Kind.key(item, shard); err != nil {
			return nil, err
		}
	}
	x := &translator{kind: s.Kind, embed: s.Embed, entity: s.entity(), env: env}
	if s.Embed != nil {
		x.place = s.Embed.place(sc)
		r.tests = append(r.tests, test{cond: x.exists(), code: RefusedMissing})
	}
	if err := c.guards(s, x, r); err != nil {
		return nil, err
	}
	switch {
	case s.Embed != nil:
		err = c.child(s, x, r, env, shard)
	case s.Verb == Put:
		r.Item, err = s.Kind.item(sc, shard, env)
		r.ReturnOld = s.Document.Return == "old"
	case s.Verb == Update:
		err = c.update(s, x, r, env, shard)
	case s.Verb == Delete:
		r.ReturnOld = s.Document.Return == "old"
	}
	return r, err
}

// reads reports whether the stage only reads.
func (s *Stage) reads() bool { return s.Verb == Get || s.Verb == BatchGet }

// complete reports whether all parts of the key have a value.
func (k *Kind) complete(sc *scope) bool {
	for _, r := range k.Recipes {
		for _, p := range r.Parts {
			if r.Key && p.Attribute != nil && sc.at(p.target).IsZero() {
				return false
			}
		}
	}
	return true
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
	set := func(t target, p expr.Path, v attr.Value) {
		if v.IsZero() {
			changes = append(changes, expr.Remove(p))
		} else {
			changes = append(changes, expr.Set(p, expr.Literal(v)))
		}
		sc.give(t, v)
		r.linear = nil
	}
	for _, a := range s.sets {
		if c.leaves(a.value) {
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
		changes, r.linear = append(changes, expr.Add(p, v)), nil
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
	if s.version != nil && len(changed) > 0 {
		p, err := x.target(own(s.version))
		if err != nil {
			return err
		}
		changes, r.linear = append(changes, expr.Set(p, expr.Plus(p, expr.Literal(attr.Num(attr.Int(1)))))), nil
	}
	for _, rec := range s.rewrites {
		if !rec.dependsOn(changed) {
			continue // only what is left out of this call would have changed it
		}
		v, err := rec.build(sc, shard, env)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Kind.Name, err)
		}
		p := expr.Name(rec.Wire.Name)
		if v.IsZero() {
			changes = append(changes, expr.Remove(p))
		} else {
			changes = append(changes, expr.Set(p, expr.Literal(v)))
		}
		r.linear = nil
	}
	if len(changes) > 0 {
		r.Update = expr.NewUpdate(changes...)
	}
	r.ReturnNew, r.ReturnOld = s.Document.Return == "new", s.Document.Return == "old"
	return nil
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
		if s.Embed.As == "list" {
			r.Update = expr.NewUpdate(expr.Set(x.place, expr.ListAppend(x.place, expr.Literal(attr.List(attr.Map(it))))))
		} else {
			r.Update = expr.NewUpdate(expr.Set(x.place, expr.Literal(attr.Map(it))))
		}
		return nil
	case Delete:
		r.Update = expr.NewUpdate(expr.Remove(x.place))
		return nil
	case Update:
		return c.update(s, x, r, env, shard)
	}
	return fmt.Errorf("a child inside an item cannot be the subject of %s", verb)
}

// batch makes the one request of a batch-get, each key once.
func (c *Call) batch(s *Stage) ([]*Request, error) {
	elements, err := c.elements(s)
	if err != nil {
		return nil, err
	}
	r := &Request{Stage: s, Verb: BatchGet, Table: s.Kind.Table.Name, Kind: s.Kind, Consistent: s.Consistent, Projection: s.projection}
	seen := map[string]bool{}
	for _, e := range elements {
		sc, err := c.keyScope(s, c.env(e))
		if err != nil {
			return nil, err
		}
		if !s.Kind.complete(sc) {
			continue
		}
		first, last := 0, max(s.Scatter, 1)
		if s.Scatter == 0 {
			first = s.Kind.shardOf(sc, c.source.Random)
			last = first + 1
		}
		for shard := first; shard < last; shard++ {
			key, err := s.Kind.key(sc, shard)
			if err != nil {
				return nil, fmt.Errorf("step %s: %w", s.label(), err)
			}
			if id := string(attr.AppendItem(nil, key)); !seen[id] {
				seen[id] = true
				r.Keys = append(r.Keys, key)
			}
		}
	}
	if len(r.Keys) == 0 {
		return nil, nil
	}
	return []*Request{r}, nil
}

// queries makes the requests of a query or scan: one, or one for each shard or bucket, for each element.
func (c *Call) queries(s *Stage) ([]*Request, error) {
	elements, err := c.elements(s)
	if err != nil {
		return nil, err
	}
	var out []*Request
	for _, e := range elements {
		env := c.env(e)
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
			if r != nil {
				out = append(out, r)
			}
		}
	}
	return out, nil
}

// query makes one request; nil if nothing can lie in its range.
func (c *Call) query(s *Stage, env spec.Env, scattered attr.Value) (*Request, error) {
	r := &Request{
		Stage: s, Verb: s.Verb, Table: s.Access.Table.Name, Index: s.Access.Index, Consistent: s.Consistent,
		Descending: s.Descending, Limit: s.Evaluate, Projection: s.projection,
	}
	if s.filter != nil {
		x := &translator{kind: s.Kind, entity: s.Kind.Entity, env: env}
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
				return nil, err
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
				return nil, err
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
	e.low, e.lowOut = end(b.low)
	e.high, e.highOut = end(b.high)
	if b.prefix != nil {
		e.prefix, _ = end(&limit{value: *b.prefix})
	}
	return e, nothing, err
}

// maxBuckets bounds a scatter over the buckets of a range.
const maxBuckets = 10_000

// buckets lists the values of a bucketed part between the two ends of its range, in the order of the query.
func (c *Call) buckets(s *Stage, env spec.Env) ([]attr.Value, error) {
	var part *Part
	var e ends
	for i := range s.binds {
		b := &s.binds[i]
		for j, v := range b.values {
			if len(v.Reference) == 1 && v.Reference[0] == refBucket {
				part = b.recipes[0].Parts[j]
			}
		}
		if b.low != nil && b.high != nil {
			var nothing bool
			var err error
			if e, nothing, err = c.ends(b, func(v spec.Expr) (attr.Value, error) { return spec.Eval(v, spec.On(attr.Item{}), env) }); err != nil || nothing {
				return nil, err
			}
		}
	}
	if part == nil || e.low == nil || e.high == nil {
		return nil, fmt.Errorf("step %s: a scatter over buckets needs both ends", s.label())
	}
	from, err := moment(*e.low)
	if err != nil {
		return nil, err
	}
	to, err := moment(*e.high)
	if err != nil {
		return nil, err
	}
	var out []attr.Value
	last := ""
	for t := from; ; {
		v, err := keys.TimestampOf(t)
		if err != nil {
			return nil, err
		}
		if part.Attribute.Type == spec.Date {
			v = attr.Text(t.Format(keys.DateLayout))
		}
		text, err := part.codec.encode(nil, v)
		if err != nil {
			return nil, err
		}
		if string(text) != last {
			last = string(text)
			out = append(out, v)
		}
		if !t.Before(to) {
			break
		}
		if t = part.nextBucket(t); t.After(to) {
			t = to
		}
		if len(out) > maxBuckets {
			return nil, fmt.Errorf("step %s: the range spans more than %d buckets", s.label(), maxBuckets)
		}
	}
	if from.After(to) {
		return nil, nil
	}
	if s.Descending {
		slices.Reverse(out)
	}
	return out, nil
}

func moment(v attr.Value) (time.Time, error) {
	if len(v.Str()) == len(keys.DateLayout) {
		return time.Parse(keys.DateLayout, v.Str())
	}
	return keys.TimeOf(v)
}

// nextBucket is the beginning of the bucket behind that of t.
func (p *Part) nextBucket(t time.Time) time.Time {
	switch p.codec.base {
	case keys.HourCodec:
		return t.Truncate(time.Hour).Add(time.Hour)
	case keys.DayCodec:
		return time.Date(t.Year(), t.Month(), t.Day()+1, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(t.Year(), t.Month()+1, 1, 0, 0, 0, 0, time.UTC)
}
