package plan

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/spec"
)

// translator writes conditions and changes of an entity as expressions on wire attributes.
type translator struct {
	kind   *Kind
	embed  *Embedding // paths are those of a child inside the item
	place  expr.Path  // of that child, or of one of several entities in the item
	packed bool       // several entities lie in the item
	entity *spec.Entity
	env    spec.Env
	filter bool // of a query or scan: DynamoDB lets it name no attribute of a key
}

// path is where a path of the entity lies in the item.
func (x *translator) path(p spec.Path) (expr.Path, error) {
	tg, err := resolvePath(x.entity, p)
	if err != nil {
		return expr.Path{}, err
	}
	return x.target(tg)
}

func (x *translator) target(tg target) (expr.Path, error) {
	if x.embed != nil {
		out := x.place
		for _, n := range tg.path {
			out = out.Field(n)
		}
		return out, nil
	}
	for _, t := range []target{tg, origin(tg)} {
		if st := x.kind.storing(t); st != nil {
			out := expr.Name(st.Name)
			if n := len(st.target.path); n < len(t.path) && t.path[:n].String() == st.target.id {
				for _, f := range t.path[n:] {
					out = out.Field(f)
				}
			}
			return out, nil
		}
	}
	if r := x.kind.alone(tg); r != nil {
		return expr.Name(r.Wire.Name), nil
	}
	return expr.Path{}, fmt.Errorf("%s does not store %s", x.kind.Name, tg.id)
}

// exists holds for every item that is there.
func (x *translator) exists() *expr.Condition {
	if x.filter {
		return expr.NotExists(x.unknown())
	}
	return expr.Exists(expr.Name(x.kind.Table.Base.Partition[0].Name))
}

// never holds for no item. A filter on an index names nothing that the index may not have: what the test is about.
func (x *translator) never(about expr.Path) *expr.Condition {
	if !x.filter {
		about = expr.Name(x.kind.Table.Base.Partition[0].Name)
	}
	return expr.And(expr.Exists(about), expr.NotExists(about))
}

// unknown is an attribute that no item of the table has.
func (x *translator) unknown() expr.Path {
	name := "_"
	for slices.ContainsFunc(x.kind.Table.Kinds, func(k *Kind) bool {
		return k.stored(name) != nil || k.recipe(name) != nil || slices.ContainsFunc(k.Embeds, func(m *Embedding) bool { return m.Attribute == name })
	}) {
		name += "_"
	}
	return expr.Name(name)
}

func (x *translator) condition(c spec.Condition) (*expr.Condition, error) {
	switch c := c.(type) {
	case nil:
		return nil, nil
	case *spec.Test:
		return x.test(c)
	case *spec.Logic:
		args := make([]*expr.Condition, len(c.Args))
		for i, a := range c.Args {
			var err error
			if args[i], err = x.condition(a); err != nil {
				return nil, err
			}
		}
		switch c.Op {
		case "and":
			return expr.And(args...), nil
		case "or":
			return expr.Or(args...), nil
		}
		return expr.Not(args[0]), nil
	}
	return nil, fmt.Errorf("%T is not a condition", c)
}

func (x *translator) test(t *spec.Test) (*expr.Condition, error) {
	if len(t.Path) == 0 {
		present := x.exists()
		if x.embed != nil || x.packed {
			present = expr.Exists(x.place)
		}
		if t.Op == "present" {
			return present, nil
		}
		if x.embed != nil || x.packed {
			return expr.NotExists(x.place), nil
		}
		return expr.NotExists(expr.Name(x.kind.Table.Base.Partition[0].Name)), nil
	}
	p, err := x.path(t.Path)
	if err != nil {
		return nil, err
	}
	switch t.Op {
	case "exists":
		return expr.Exists(p), nil
	case "absent":
		return expr.NotExists(p), nil
	case "before":
		v, err := spec.Eval(t.Args[0], spec.On(attr.Item{}), x.env)
		if err != nil {
			return nil, err
		}
		var from []expr.Operand
		for _, s := range t.States.Before(v.Str()) {
			from = append(from, expr.Literal(attr.Text(s)))
		}
		if len(from) == 0 {
			return x.never(p), nil
		}
		return expr.In(p, from...), nil
	}
	var args []expr.Operand
	var literals []attr.Value
	var others []*expr.Condition // that an attribute on the right is there
	for _, a := range t.Args {
		if len(a.Path) > 0 && a.Op == "" && !a.Neg {
			q, err := x.path(a.Path)
			if err != nil {
				return nil, err
			}
			args, literals = append(args, q), append(literals, attr.Value{})
			others = append(others, expr.Exists(q))
			continue
		}
		v, err := spec.Eval(a, spec.On(attr.Item{}), x.env)
		if err != nil {
			return nil, err
		}
		if v.IsZero() {
			if t.Op == "in" {
				continue
			}
			return x.never(p), nil // a test against an absent value is false
		}
		args, literals = append(args, expr.Literal(v)), append(literals, v)
	}
	// DynamoDB's <> is true on missing attributes, and a test on an absent attribute is false.
	unequal := func(a expr.Operand) (*expr.Condition, error) {
		return expr.And(append(append([]*expr.Condition{expr.Exists(p)}, others...), expr.NotEqual(a, args[0]))...), nil
	}
	switch t.Op {
	case "=":
		return expr.Equal(p, args[0]), nil
	case "!=":
		return unequal(p)
	case "between":
		// DynamoDB refuses the whole request if two values given are the wrong way round.
		if low, high := literals[0], literals[1]; !low.IsZero() && !high.IsZero() && attr.Compare(low, high) > 0 {
			return x.never(p), nil
		}
		return expr.Between(p, args[0], args[1]), nil
	case "in":
		if len(args) == 0 {
			return x.never(p), nil
		}
		return expr.In(p, args...), nil
	case "begins_with":
		return expr.BeginsWith(p, args[0]), nil
	case "contains":
		return expr.Contains(p, args[0]), nil
	case "size":
		if t.SizeOp == "!=" {
			return unequal(expr.Size(p))
		}
		return compare(t.SizeOp, expr.Size(p), args[0])
	}
	return compare(t.Op, p, args[0])
}

func compare(op string, a, b expr.Operand) (*expr.Condition, error) {
	switch op {
	case "=":
		return expr.Equal(a, b), nil
	case "!=":
		return expr.NotEqual(a, b), nil
	case "<":
		return expr.Less(a, b), nil
	case "<=":
		return expr.AtMost(a, b), nil
	case ">":
		return expr.Greater(a, b), nil
	case ">=":
		return expr.AtLeast(a, b), nil
	}
	return nil, fmt.Errorf("%q is not a comparison", op)
}

// change is SET of a target to a value that the stored item takes part in.
func (x *translator) change(p expr.Path, v spec.Expr) (expr.Change, error) {
	switch v.Op {
	case "append", "prepend":
		element, err := spec.Eval(v.Args[1], spec.On(attr.Item{}), x.env)
		if err != nil {
			return expr.Change{}, err
		}
		list := expr.IfNotExists(p, expr.Literal(attr.List()))
		one := expr.Literal(attr.List(element))
		if v.Op == "prepend" {
			return expr.Set(p, expr.ListAppend(one, list)), nil
		}
		return expr.Set(p, expr.ListAppend(list, one)), nil
	}
	o, err := x.operand(v)
	if err != nil {
		return expr.Change{}, err
	}
	return expr.Set(p, o), nil
}

// stored is a path, or if_missing(path, v), as an operand.
func (x *translator) stored(v spec.Expr) (expr.Operand, error) {
	if v.Op != "if_missing" {
		return x.path(v.Path)
	}
	p, err := x.path(v.Args[0].Path)
	if err != nil {
		return nil, err
	}
	missing := v.Args[1]
	if len(missing.Path) > 0 && !missing.Neg || missing.Op == "if_missing" {
		o, err := x.stored(missing)
		if err != nil {
			return nil, err
		}
		return expr.IfNotExists(p, o), nil
	}
	if len(itemPaths(missing)) > 0 {
		return nil, fmt.Errorf("%s: DynamoDB computes nothing inside if_not_exists", v)
	}
	w, err := spec.Eval(missing, spec.On(attr.Item{}), x.env)
	if err == nil && w.IsZero() {
		err = fmt.Errorf("%s has no value", missing)
	}
	if err != nil {
		return nil, err
	}
	return expr.IfNotExists(p, expr.Literal(w)), nil
}

// operand is a value in SET: what only the caller knows is summed up beforehand, because DynamoDB takes one + or -.
func (x *translator) operand(v spec.Expr) (expr.Operand, error) {
	if len(itemPaths(v)) == 0 {
		w, err := spec.Eval(v, spec.On(attr.Item{}), x.env)
		if err == nil && w.IsZero() {
			err = fmt.Errorf("%s has no value", v)
		}
		return expr.Literal(w), err
	}
	var sum attr.Number // of what the caller knows
	known := false
	var plus, minus []expr.Operand
	if err := x.terms(v, false, &sum, &known, &plus, &minus); err != nil {
		return nil, err
	}
	switch {
	case len(plus) == 2 && len(minus) == 0 && !known:
		return expr.Plus(plus[0], plus[1]), nil
	case len(plus) == 1 && len(minus) == 1 && !known:
		return expr.Minus(plus[0], minus[0]), nil
	case len(plus) == 1 && len(minus) == 0 && !known:
		return plus[0], nil
	case len(plus) == 1 && len(minus) == 0 && sum.Sign() < 0:
		return expr.Minus(plus[0], expr.Literal(attr.Num(sum.Neg()))), nil
	case len(plus) == 1 && len(minus) == 0:
		return expr.Plus(plus[0], expr.Literal(attr.Num(sum))), nil
	case len(plus) == 0 && len(minus) == 1:
		return expr.Minus(expr.Literal(attr.Num(sum)), minus[0]), nil
	}
	return nil, fmt.Errorf("%s: DynamoDB takes one + or - of two operands", v)
}

// terms takes a sum apart.
func (x *translator) terms(v spec.Expr, negative bool, sum *attr.Number, known *bool, plus, minus *[]expr.Operand) error {
	if v.Op == "+" || v.Op == "-" {
		if err := x.terms(v.Args[0], negative, sum, known, plus, minus); err != nil {
			return err
		}
		return x.terms(v.Args[1], negative != (v.Op == "-"), sum, known, plus, minus)
	}
	if len(v.Path) > 0 || v.Op == "if_missing" && len(itemPaths(v)) > 0 {
		p, err := x.stored(v)
		if negative != v.Neg {
			*minus = append(*minus, p)
		} else {
			*plus = append(*plus, p)
		}
		return err
	}
	w, err := spec.Eval(v, spec.On(attr.Item{}), x.env)
	if err != nil {
		return err
	}
	if w.Kind() != attr.KindN {
		return fmt.Errorf("%s has no value", v)
	}
	*known = true
	if negative {
		*sum, err = sum.Sub(w.Number())
	} else {
		*sum, err = sum.Add(w.Number())
	}
	return err
}
