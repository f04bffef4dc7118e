package engine

import (
	"errors"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// What the service checks of a request before it looks for the table, in its order (captured on AWS, 2026): parameters
// that exclude each other, placeholders without an expression, their maps and names, their values, the texts of the
// expressions, and placeholders that none of them used.

// dialect is how an operation words its refusals and what it checks at once.
type dialect uint8

const (
	plain      dialect = iota
	prefixed           // PutItem, UpdateItem and DeleteItem put a prefix before many texts
	transacted         // actions of a transaction do not refuse values of placeholders for their depth (captured on AWS)
)

// refuse makes the answer of an error of package expr or attr.
func (d dialect) refuse(err error) *wire.Error {
	var e *expr.Error
	if errors.As(err, &e) {
		if d == prefixed && e.Rule.Prefixed() {
			return wire.Invalid(expr.Prefix + e.Message)
		}
		return wire.Invalid(e.Message)
	}
	var v *attr.ValueError
	if errors.As(err, &v) {
		return d.value(v)
	}
	return wire.Invalid(err.Error())
}

// value makes the answer of a value that is not proper.
func (d dialect) value(v *attr.ValueError) *wire.Error {
	switch v.Check {
	case attr.CheckEmptySet, attr.CheckSetTwice, attr.CheckNull:
		if d == prefixed {
			return wire.Invalid(expr.Prefix + v.Message)
		}
	}
	return wire.Invalid(v.Message)
}

// attributes checks an item or key for values that are not proper or nested too deep.
func (d dialect) attributes(a *wire.Attributes) *wire.Error {
	if a.Bad != nil {
		return d.value(a.Bad)
	}
	if a.Depth() > attr.MaxDepth {
		return wire.Invalid(attr.ErrDepth.Error())
	}
	return nil
}

// text is an expression parameter of a request: its name, and its text or nil.
type text struct {
	kind expr.Kind
	text *string
}

// parameters checks which parameters stand together: those from before expressions exclude expressions, and placeholders
// need one. The kinds are those that the operation has, in the order in which the service lists them.
func (d dialect) parameters(old []string, x *wire.Expressions, texts ...text) *wire.Error {
	if len(old) == 0 && x.Names == nil && x.Values == nil {
		return nil
	}
	valued := false          // there is an expression that may use values
	var kinds []expr.Kind    // that may use values
	var expressions []string // that there are
	for _, t := range texts {
		if t.text != nil {
			expressions = append(expressions, t.kind.String())
		}
		if t.kind != expr.ProjectionExpression {
			kinds = append(kinds, t.kind)
			valued = valued || t.text != nil
		}
	}
	if len(old) > 0 && len(expressions) > 0 {
		return d.invalid("Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {" +
			strings.Join(old, ", ") + "} Expression parameters: {" + strings.Join(expressions, ", ") + "}")
	}
	names := x.Names
	if len(expressions) > 0 {
		names = nil
	}
	values := x.Values
	if valued || len(kinds) == 0 {
		values = nil
	}
	if err := expr.NewSubstitutions(names, values).Unspecified(kinds...); err != nil {
		return d.refuse(err)
	}
	return nil
}

// substitutions checks the placeholders' names and values, and makes what expressions are read with.
func (d dialect) substitutions(x *wire.Expressions) (*expr.Substitutions, *wire.Error) {
	s := expr.NewSubstitutions(x.Names, x.Values)
	if x.Names == nil && x.Values == nil {
		return s, nil
	}
	if err := s.Check(); err != nil {
		return nil, d.refuse(err)
	}
	if x.Bad != nil {
		switch x.Bad.Check {
		case attr.CheckEmptySet, attr.CheckSetTwice, attr.CheckNull:
			if d == prefixed {
				return nil, d.value(x.Bad)
			}
		}
		return nil, wire.Invalid("ExpressionAttributeValues contains invalid value: " + x.Bad.Message + " for key " + x.BadKey)
	}
	if d != transacted && tooDeep(x) {
		return nil, wire.Invalid(attr.ErrDepth.Error())
	}
	return s, nil
}

// tooDeep reports whether the value of a placeholder nests deeper than items may.
func tooDeep(x *wire.Expressions) bool {
	for _, v := range x.Values {
		if v.Depth() > attr.MaxDepth {
			return true
		}
	}
	return false
}

// parse reads an expression with read, unless it is absent.
func parse[T any](d dialect, text *string, s *expr.Substitutions, read func(string, *expr.Substitutions) (*T, error)) (*T, *wire.Error) {
	if text == nil {
		return nil, nil
	}
	x, err := read(*text, s)
	if err != nil {
		return nil, d.refuse(err)
	}
	return x, nil
}

// unused refuses placeholders that no expression used.
func (d dialect) unused(s *expr.Substitutions) *wire.Error {
	if err := s.Unused(); err != nil {
		return d.refuse(err)
	}
	return nil
}

// condition reads the condition of a write that has no other expression; itemCheck is done before it is read.
func (d dialect) condition(c *wire.Condition, old *wire.Expectations, itemCheck func() *wire.Error) (*expr.Condition, *wire.Error) {
	if err := d.parameters(given(expectations(old)), &c.Expressions, text{expr.ConditionExpression, c.ConditionExpression}); err != nil {
		return nil, err
	}
	if err := itemCheck(); err != nil {
		return nil, err
	}
	if c.ConditionExpression == nil {
		return d.expected(old)
	}
	s, err := d.substitutions(&c.Expressions)
	if err != nil {
		return nil, err
	}
	condition, err := parse(d, c.ConditionExpression, s, expr.ParseCondition)
	if err != nil {
		return nil, err
	}
	return condition, d.unused(s)
}

// failed is the answer of a condition that does not hold for the item before.
func failed(c *wire.Condition, before *image) *wire.Error {
	err := wire.NewError(wire.CodeConditionFailed, "The conditional request failed")
	if c.ReturnOnFailure == "ALL_OLD" && before.stored != nil {
		err.Item = append(wire.Raw(nil), before.stored.json()...)
	}
	return err
}

// holds reports whether the condition holds for the image.
func holds(c *expr.Condition, before *image) bool { return c == nil || c.Eval(before.get()) }
