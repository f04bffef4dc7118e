package tablewright

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// FromPlan makes an access pattern of a plan, of a model say, and runs it as it is: the query of its only step, which answers
// the items of e, an entity or a view. The fields of P are the plan's parameters, as with NewPattern, each of the type of the
// attribute it is compared with; what is marked optional may be left out of the filter, and of the key from the right.
//
//	var PaidOrders = tablewright.FromPlan[PaidOf](Orders, model.Plans["paidOrders"])
//
// All is checked when it is declared: FromPlan panics, naming the caller's file and line, if the index does not exist or
// does not project what e's type has, the partition is not bound, sort parts are bound out of order, a parameter is missing,
// of another type or not used, a kind of item can fall into the range that the step does not list, or the filter names a
// part of the key. A plan that scatters over the shards of the key or the buckets of a time, and merges them in the order of
// the index, is run as an Index runs it. Plans of several steps and writes are for a [Program].
func FromPlan[P, K, T any](e Typed[K, T], p plan.Plan) Pattern[P, Query[T]] {
	_, _, d := e.typed()
	if d == undeclared {
		panicAt(1, "plan %s: the entity: %v", p.Name, errUndeclared)
	}
	t := d.table
	q, err := newPlanned(d, p, reflect.TypeFor[P]())
	if err != nil {
		panicAt(1, "plan %s: %v", p.Name, err)
	}
	query := func(params any) *state { return q.query(reflect.ValueOf(params).Elem()) }
	// What is optional in the key is left out from the right, not one by one.
	err = t.declarePattern(p.Name, reflect.TypeFor[P](), false, func(params any) call { return query(params) })
	if err != nil {
		panicAt(1, "plan %s: %v", p.Name, err)
	}
	return Pattern[P, Query[T]]{p.Name, func(params P) Query[T] { return Query[T]{query(&params)} }}
}

// planned is a query that a plan describes.
type planned struct {
	x      *access
	parts  []operand // partition, then sort parts that equal something
	op     rangeOp
	lo, hi operand
	filter *plannedTest
	across *across // of buckets: from lo to hi
	step   plan.Step
}

// scatters checks that what the plan reads in several partitions and puts into order is what the query does.
func (q *planned) scatters(order []string) error {
	x := q.x
	switch {
	case q.step.Scatter == "shard" && x.shards == 0:
		return fmt.Errorf("it scatters over shards, and the partition of %s has none", x.name())
	case q.step.Scatter == "" && x.shards > 0 && !q.tellsShard():
		return fmt.Errorf("the partition of %s has {shard}, and the plan does not scatter over the shards", x.name())
	case q.step.Scatter != "" && q.step.Scatter != "shard" && q.across == nil:
		return fmt.Errorf("it scatters over %s, which is no bucket of time in the partition of %s", q.step.Scatter, x.name())
	}
	for i, text := range order {
		path, down, _ := strings.Cut(text, " ")
		if i >= len(x.sortPaths) || string(x.sortPaths[i].plain()) != path || (down == "descending") != (q.step.Order == "descending") {
			return fmt.Errorf("its answer is ordered by %s, which is not the order of %s: give it to a Program", strings.Join(order, ", "), x.name())
		}
	}
	return nil
}

// tellsShard reports whether the plan binds what the shard follows from.
func (q *planned) tellsShard() bool {
	i := slices.Index(q.x.sortPaths, q.x.shardPart.plain())
	return i >= 0 && len(q.x.partPaths)+i < len(q.parts)
}

// operand is a value of a plan: a literal, or a parameter.
type operand struct {
	literal   attr.Value
	parameter *parameter       // nil: the literal
	field     attr.StructField // with which it is compared, whose tag says how the parameter is stored
	path      attrPath         // for errors
}

// plannedTest is a test of a plan's filter.
type plannedTest struct {
	op   testOp
	n    *node
	size bool
	args []operand
	kids []*plannedTest
}

// planner reads a plan.
type planner struct {
	d      *decl // whose items are answered
	params []parameter
	typ    reflect.Type // P
	used   map[string]bool
}

func newPlanned(d *decl, p plan.Plan, params reflect.Type) (*planned, error) {
	t := d.table
	var step plan.Step
	for _, step = range p.Steps {
	}
	rest := step
	rest.Query, rest.Items, rest.Where, rest.Order, rest.Evaluate, rest.Consistent, rest.Filter, rest.Project = "", nil, nil, "", 0, false, "", nil
	rest.Scatter = ""
	switch {
	case len(p.Steps) != 1 || step.Query == "" || !reflect.DeepEqual(rest, plan.Step{}):
		return nil, errors.New("only a plan of one query can be run so: give the others to a Program")
	case p.Answer.Keep != "" || p.Answer.Cursor == plan.CutAnswer || len(p.Answer.Order) > 0 && step.Scatter == "":
		return nil, errors.New("its answer is filtered, ordered or cut by the client: give it to a Program")
	case step.Order != "" && step.Order != "ascending" && step.Order != "descending":
		return nil, fmt.Errorf("order %q: ascending or descending are possible", step.Order)
	}
	index, of := strings.CutPrefix(step.Query, t.p.Name+".")
	if step.Query == t.p.Name {
		index, of = t.p.Name, true
	}
	if !of {
		return nil, fmt.Errorf("it queries %s, not table %s", step.Query, t.p.Name)
	}
	if len(step.Items) > 0 && !slices.Contains(step.Items, d.name) {
		return nil, fmt.Errorf("it reads %s, not %s", strings.Join(step.Items, ", "), d.name)
	}
	r := &planner{d: d, params: parametersOf(params), typ: params, used: map[string]bool{}}
	var err error
	q := &planned{step: step}
	if q.x, err = newAccess(r.d, index); err != nil {
		return nil, err
	}
	if err := q.lists(t, step.Items); err != nil {
		return nil, err
	}
	if len(step.Project) > 0 {
		for _, name := range fieldNames(r.d) {
			if !slices.Contains(step.Project, name) {
				return nil, fmt.Errorf("it does not project %s of %s", name, d.typ)
			}
		}
	}
	if err := r.where(q, maps.Clone(step.Where)); err != nil {
		return nil, err
	}
	if err := q.scatters(p.Answer.Order); err != nil {
		return nil, err
	}
	if err := r.filter(q, step.Filter); err != nil {
		return nil, fmt.Errorf("filter: %w", err)
	}
	for _, param := range r.params {
		if !r.used[param.Name] {
			return nil, fmt.Errorf("%s has the parameter %s, which it does not use", params, param.Name)
		}
	}
	return q, nil
}

// lists checks that every kind in the range is among the items that a step names.
func (q *planned) lists(t *Table, items []string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(items) == 0 {
		return nil
	}
	for _, other := range t.decls {
		if !slices.Contains(items, other.name) && q.x.reaches(other) {
			return fmt.Errorf("items of %s fall into the range, too, and are not listed", other.name)
		}
	}
	for _, name := range items {
		_, other := t.p.Items[name]
		if !other && !slices.ContainsFunc(t.decls, func(d *decl) bool { return d.name == name }) {
			return fmt.Errorf("table %s has no items called %s", t.p.Name, name)
		}
	}
	return nil
}

// where reads the key condition; it takes what it has read from the map.
func (r *planner) where(q *planned, where map[string]plan.Range) (err error) {
	take := func(p attrPath) (plan.Range, bool) {
		for _, name := range []string{string(p), string(p.plain())} {
			if one, ok := where[name]; ok {
				delete(where, name)
				return one, true
			}
		}
		return plan.Range{}, false
	}
	for i, p := range q.x.partPaths {
		one, bound := take(p)
		if _, bucketed := p.bucket(); bound && bucketed && q.step.Scatter == string(p.plain()) {
			if err = r.rangeOf(q, p, one); err != nil {
				return err
			}
			if q.op != rangeBetween {
				return fmt.Errorf("%s: the buckets of a range are read, which needs both ends", p)
			}
			q.across, q.op = &across{part: i}, rangeNone
			q.parts = append(q.parts, q.lo)
			continue
		}
		if !bound || one.Is == "" {
			return fmt.Errorf("the partition attribute %s is not bound: a query names one partition", p)
		}
		o, err := r.operand(p, one.Is)
		if err != nil {
			return err
		}
		q.parts = append(q.parts, o)
	}
	missing := ""
	for _, p := range q.x.sortPaths {
		one, bound := take(p)
		switch {
		case !bound && string(p) == q.step.Scatter && q.across != nil:
			continue // the buckets' range is that of the time in them
		case !bound:
			if missing == "" {
				missing = string(p)
			}
			continue
		case missing != "":
			return fmt.Errorf("%s is bound, but %s before it is not: sort attributes are bound from left to right", p, missing)
		case q.op != rangeNone:
			return fmt.Errorf("%s is bound behind a range: only the last part that is bound can have one", p)
		case one.Is != "":
			o, err := r.operand(p, one.Is)
			if err != nil {
				return err
			}
			q.parts = append(q.parts, o)
			continue
		}
		if err = r.rangeOf(q, p, one); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(where)) {
		return fmt.Errorf("%s is no part of the key of %s", name, q.step.Query)
	}
	return nil
}

func (r *planner) rangeOf(q *planned, p attrPath, one plan.Range) (err error) {
	ends := map[rangeOp]string{rangeFrom: one.From, rangeAfter: one.After, rangeTo: one.To, rangeBefore: one.Before, rangePrefix: one.Prefix}
	maps.DeleteFunc(ends, func(_ rangeOp, text string) bool { return text == "" })
	lo, hi := "", ""
	switch {
	case len(one.Between) == 2 && len(ends) == 0:
		q.op, lo, hi = rangeBetween, one.Between[0], one.Between[1]
	case len(ends) == 2 && one.From != "" && one.To != "":
		q.op, lo, hi = rangeBetween, one.From, one.To
	case len(ends) == 1:
		for q.op, lo = range ends {
		}
	default:
		return fmt.Errorf("%s: a range has one end, or From and To, or Between", p)
	}
	if q.lo, err = r.operand(p, lo); err == nil && hi != "" {
		q.hi, err = r.operand(p, hi)
	}
	return err
}

// operand reads a value for a part of the key.
func (r *planner) operand(p attrPath, text string) (operand, error) {
	f, err := r.d.origin().find(p)
	if err != nil {
		return operand{}, err
	}
	v, err := spec.ParseValue(text)
	if err != nil {
		return operand{}, fmt.Errorf("%s: %q: %w", p, text, err)
	}
	target := r.d.origin().entity.Attribute(p.top())
	for _, name := range p.names()[1:] {
		if i := slices.IndexFunc(target.Fields, func(a *spec.Attribute) bool { return a.Name == name }); i >= 0 {
			target = target.Fields[i]
		}
	}
	v, errs := r.scope().Value(v, target)
	for _, err := range errs {
		return operand{}, fmt.Errorf("%s: %q: %w", p, text, err)
	}
	return r.value(f, p, v)
}

func (r *planner) scope() spec.Scope {
	return spec.Scope{Entity: r.d.origin().entity, Reference: func(ref spec.Reference, _ *spec.Attribute, pos int) *spec.Error { return nil }}
}

// value makes an operand of a resolved value that is compared with a field.
func (r *planner) value(f attr.StructField, p attrPath, v spec.Expr) (operand, error) {
	switch {
	case v.Now || v.Op != "" || len(v.Path) > 0:
		return operand{}, fmt.Errorf("%s: %s is computed: make it a parameter", p, v)
	case v.Reference == nil:
		literal, err := stored(f, v.Literal)
		return operand{literal: literal, path: p}, err
	}
	name := v.Reference.String()[len("$"):]
	i := slices.IndexFunc(r.params, func(q parameter) bool { return q.Name == name || q.field < 0 })
	if i < 0 {
		return operand{}, fmt.Errorf("%s has no field for the parameter %s", r.typ, name)
	}
	param := &r.params[i]
	param.Name = name // one that is no struct is called so
	r.used[name] = true
	typ := r.typ
	if param.field >= 0 {
		typ = r.typ.Field(param.field).Type
	}
	if typ != f.Type {
		return operand{}, fmt.Errorf("the parameter %s is %s, and %s, with which it is compared, %s", name, typ, p, f.Type)
	}
	return operand{parameter: param, field: f, path: p}, nil
}

// filter reads the filter.
func (r *planner) filter(q *planned, text string) error {
	if text == "" {
		return nil
	}
	c, err := spec.ParseCondition(text)
	if err != nil {
		return err
	}
	resolved, errs := r.scope().Condition(c)
	for _, err := range errs {
		return fmt.Errorf("%q: %w", text, err)
	}
	q.filter, err = r.test(resolved)
	return err
}

func (r *planner) test(c spec.Condition) (*plannedTest, error) {
	switch c := c.(type) {
	case *spec.Logic:
		t := &plannedTest{op: map[string]testOp{"and": opAnd, "or": opOr, "not": opNot}[c.Op]}
		for _, arg := range c.Args {
			kid, err := r.test(arg)
			if err != nil {
				return nil, err
			}
			t.kids = append(t.kids, kid)
		}
		return t, nil
	case *spec.Test:
		return r.comparison(c)
	}
	return nil, fmt.Errorf("%s cannot be filtered by", c)
}

func (r *planner) comparison(c *spec.Test) (*plannedTest, error) {
	op := c.Op
	if op == "size" {
		op = c.SizeOp
	}
	i := slices.Index(comparisons[:], op)
	if i < 0 || len(c.Path) == 0 {
		return nil, fmt.Errorf("%s cannot be filtered by", c)
	}
	p := attrPath(strings.Join(c.Path, "."))
	f, err := r.d.find(p)
	if err != nil {
		return nil, err
	}
	if c.Op == "contains" && f.Kind != attr.KindS {
		f, _ = f.Elem()
	}
	at := make([]step, len(c.Path))
	for i, name := range c.Path {
		at[i] = step{name, -1}
	}
	t := &plannedTest{op: testOp(i), n: &node{decl: r.d, at: at, path: pathOf(at)}, size: c.Op == "size"}
	for _, arg := range c.Args {
		var o operand
		if t.size {
			if arg.Reference != nil {
				return nil, fmt.Errorf("%s: the size is compared with a number", c)
			}
			o = operand{literal: arg.Literal, path: p}
		} else if o, err = r.value(f, p, arg); err != nil {
			return nil, err
		}
		t.args = append(t.args, o)
	}
	return t, nil
}

// left reports whether the operand is an optional parameter that the call leaves out.
func (o operand) left(params reflect.Value) bool {
	return o.parameter != nil && o.parameter.Optional && o.parameter.value(params).IsZero()
}

// stored is the operand's value in a call.
func (o operand) stored(params reflect.Value) (attr.Value, error) {
	if o.parameter == nil {
		return o.literal, nil
	}
	v, err := o.field.Value(o.parameter.value(params))
	if err == nil && v.IsZero() {
		err = errEmptyKey
	}
	if err != nil {
		return v, fmt.Errorf("%s: %w", o.path, err)
	}
	return v, nil
}

// query is the query of a call.
func (q *planned) query(params reflect.Value) *state {
	s := &state{x: q.x, descending: q.step.Order == "descending", consistent: q.step.Consistent, evaluate: q.step.Evaluate}
	left := "" // the first part that is left out
	put := func(o operand, into *attr.Value) {
		v, err := o.stored(params)
		if err != nil && s.err == nil {
			s.err = err
		}
		*into = v
	}
	for i, o := range q.parts {
		if i >= len(q.x.partPaths) && o.left(params) {
			if left == "" {
				left = string(o.path)
			}
			continue
		}
		if left != "" && s.err == nil {
			s.err = fmt.Errorf("%s is stated, but %s before it is not", o.path, left)
		}
		put(o, &s.parts[s.n])
		s.n++
	}
	if q.across != nil {
		s.across = &across{part: q.across.part, from: s.parts[q.across.part]}
		put(q.hi, &s.across.until)
	}
	switch {
	case q.op == rangeNone || q.lo.left(params) && (q.op != rangeBetween || q.hi.left(params)):
	case left != "":
		s.err = fmt.Errorf("%s is stated, but %s before it is not", q.lo.path, left)
	case q.op == rangeBetween && q.lo.left(params):
		s.op = rangeTo
		put(q.hi, &s.lo)
	case q.op == rangeBetween && q.hi.left(params):
		s.op = rangeFrom
		put(q.lo, &s.lo)
	default:
		s.op = q.op
		put(q.lo, &s.lo)
		if s.op == rangeBetween {
			put(q.hi, &s.hi)
		}
	}
	if q.filter != nil {
		t, err := q.filter.test(params)
		if err != nil && s.err == nil {
			s.err = err
		}
		if t.op != opTrue {
			s.tests = []test{t}
		}
	}
	return s
}

// test is the filter of a call. Without its optional parameters a test holds always, and goes from what joins it.
func (t *plannedTest) test(params reflect.Value) (out test, err error) {
	if t.n == nil {
		out.op = t.op
		for _, kid := range t.kids {
			one, err := kid.test(params)
			if err != nil {
				return out, err
			}
			if one.op != opTrue {
				out.kids = append(out.kids, one)
			}
		}
		switch {
		case len(out.kids) == 0:
			return test{}, nil
		case len(out.kids) == 1 && t.op != opNot:
			return out.kids[0], nil
		}
		return out, nil
	}
	out = test{op: t.op, n: t.n, size: t.size}
	values := make([]attr.Value, len(t.args))
	for i, o := range t.args {
		if o.left(params) {
			return test{}, nil
		}
		if values[i], err = o.stored(params); err != nil {
			return out, err
		}
	}
	switch {
	case t.op == opIn:
		out.list = values
	case len(values) > 0:
		out.a, out.b = values[0], values[len(values)-1]
	}
	return out, nil
}
