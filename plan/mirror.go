package plan

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// A number that is written with its sign turned, {points:negated}, sorts the other way round beside others that do not. It follows
// what is added to the number without knowing it: as much is taken away.

const negatedName = "negated"

// negatedCodec writes a number with its sign turned, so that ascending keys hold it in descending order.
func negatedCodec(alone bool) (*codec, error) {
	c, err := numberCodec(nil, alone)
	if err != nil {
		return nil, err
	}
	turn := func(v attr.Value) (attr.Value, error) {
		if err := kind(v, attr.KindN); err != nil {
			return v, err
		}
		return attr.Num(v.Number().Neg()), nil
	}
	c.order, c.negated, c.number, c.back = keys.Reversed, true, turn, turn
	return c, nil
}

// Mirrors returns the attributes of a kind's items that hold a number with its sign turned. A program that changes the
// number without the model's plans, such as the consumer of a stream, has to change them in the same write.
func (k *Kind) Mirrors(number *spec.Attribute) (out []string) {
	for _, r := range k.Recipes {
		if len(r.Parts) == 1 && r.Parts[0].codec != nil && r.Parts[0].codec.negated && same(r.Parts[0].target, own(number)) {
			out = append(out, r.Wire.Name)
		}
	}
	return out
}

// mirrored is the assignment of an update that a template follows by taking away what that adds; false if it cannot.
func (s *Stage) mirrored(r *Recipe) (by assign, added, ok bool) {
	if len(r.Parts) != 1 || r.Parts[0].codec == nil || !r.Parts[0].codec.negated || r.When != nil || r.Else != "" || s.Embed != nil {
		return assign{}, false, false
	}
	of := func(as []assign) int {
		return slices.IndexFunc(as, func(a assign) bool { return same(a.target, r.Parts[0].target) })
	}
	if i := of(s.adds); i >= 0 {
		return s.adds[i], true, true
	}
	i := of(s.sets)
	if i < 0 {
		return assign{}, false, false
	}
	a := s.sets[i]
	paths := itemPaths(a.value)
	return a, false, len(paths) == 1 && slices.Equal(paths[0], a.target.path) && a.value.Op != "" && plusSide(a.value, a.target.path)
}

// plusSide reports whether a sum has a path, or what stands for it where it is missing, among what is added.
func plusSide(v spec.Expr, path spec.Path) bool {
	switch v.Op {
	case "+":
		return plusSide(v.Args[0], path) || plusSide(v.Args[1], path)
	case "-":
		return plusSide(v.Args[0], path)
	case "if_missing":
		return slices.Equal(v.Args[0].Path, path) && !v.Args[0].Neg && len(itemPaths(v.Args[1])) == 0
	case "":
		return slices.Equal(v.Path, path) && !v.Neg
	}
	return false
}

// mirror is the change of the attribute that a template writes, after an assignment that adds to the number.
func (x *translator) mirror(r *Recipe, a assign, added bool) (expr.Change, error) {
	p := expr.Name(r.Wire.Name)
	if added {
		v, err := spec.Eval(a.value, spec.On(attr.Item{}), x.env)
		if err != nil {
			return expr.Change{}, err
		}
		return expr.Add(p, attr.Num(v.Number().Neg())), nil
	}
	var sum attr.Number
	var base expr.Operand = p
	var walk func(v spec.Expr, negative bool) error
	walk = func(v spec.Expr, negative bool) error {
		switch {
		case v.Op == "+" || v.Op == "-":
			if err := walk(v.Args[0], negative); err != nil {
				return err
			}
			return walk(v.Args[1], negative != (v.Op == "-"))
		case len(v.Path) > 0:
			return nil
		case v.Op == "if_missing":
			first, err := spec.Eval(v.Args[1], spec.On(attr.Item{}), x.env)
			if err == nil {
				base = expr.IfNotExists(p, expr.Literal(attr.Num(first.Number().Neg())))
			}
			return err
		}
		w, err := spec.Eval(v, spec.On(attr.Item{}), x.env)
		if err != nil {
			return err
		}
		if negative { // the other way round
			sum, err = sum.Add(w.Number())
		} else {
			sum, err = sum.Sub(w.Number())
		}
		return err
	}
	if err := walk(a.value, false); err != nil {
		return expr.Change{}, err
	}
	return expr.Set(p, expr.Plus(base, expr.Literal(attr.Num(sum)))), nil
}
