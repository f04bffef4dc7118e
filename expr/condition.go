package expr

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// op is an operator or function that makes a condition.
type op uint8

const (
	opAnd op = iota + 1
	opOr
	opNot
	opEqual
	opNotEqual
	opLess
	opAtMost
	opGreater
	opAtLeast
	opBetween
	opIn
	opExists
	opNotExists
	opType
	opBeginsWith
	opContains
)

var opNames = [...]string{
	opAnd: "AND", opOr: "OR", opNot: "NOT",
	opEqual: "=", opNotEqual: "<>", opLess: "<", opAtMost: "<=", opGreater: ">", opAtLeast: ">=", opBetween: "BETWEEN", opIn: "IN",
	opExists: "attribute_exists", opNotExists: "attribute_not_exists", opType: "attribute_type", opBeginsWith: "begins_with", opContains: "contains",
}

func (o op) String() string { return opNames[o] }

// node is a condition: an operator and what it is applied to. AND and OR have two or more conditions, written side by side,
// NOT has one, all others have operands.
type node struct {
	op   op
	at   int32 // where the operator stands in the text, from 1; 0 if it was built in Go
	kids []node
	args []operand
}

// Condition is a condition or filter expression. It is immutable and safe for concurrent use. A nil *Condition holds
// for every item.
type Condition struct{ root node }

// ParseCondition reads a ConditionExpression. Errors are *Error.
func ParseCondition(text string, s *Substitutions) (*Condition, error) {
	return parseCondition(ConditionExpression, text, s, false)
}

// ParseFilter reads a FilterExpression: the same grammar, another word in messages. Errors are *Error.
func ParseFilter(text string, s *Substitutions) (*Condition, error) {
	return parseCondition(FilterExpression, text, s, false)
}

func parseCondition(kind Kind, text string, s *Substitutions, open bool) (*Condition, error) {
	c := new(Condition)
	if err := c.read(kind, text, s, open); err != nil {
		return nil, err
	}
	return c, nil
}

// read fills c. All kinds of conditions pass through here. What depends on values is left to the caller to check if open.
func (c *Condition) read(kind Kind, text string, s *Substitutions, open bool) error {
	return result(read(kind, text, func(p *parser) *Error {
		root := p.condition()
		if p.err != nil {
			return p.err
		}
		if err := p.search(); err != nil {
			return err
		}
		r := newResolver(p, s, open)
		if err := r.condition(root, &c.root); err != nil {
			return err
		}
		return c.root.checkOperators(kind)
	}))
}

// Eval reports whether the item meets the condition. For an item that does not exist pass the empty Item. A missing
// attribute makes every comparison false but <>, which it makes true; NOT turns both around. Eval does not allocate, save
// for a size that is compared with a number that is no integer.
func (c *Condition) Eval(it attr.Item) bool { return c == nil || c.root.eval(it) }

func (n *node) eval(it attr.Item) bool {
	switch n.op {
	case opAnd:
		for i := range n.kids {
			if !n.kids[i].eval(it) {
				return false
			}
		}
		return true
	case opOr:
		for i := range n.kids {
			if n.kids[i].eval(it) {
				return true
			}
		}
		return false
	case opNot:
		return !n.kids[0].eval(it)
	case opEqual:
		return isEqual(&n.args[0], &n.args[1], it)
	case opNotEqual:
		return !isEqual(&n.args[0], &n.args[1], it)
	case opLess, opAtMost, opGreater, opAtLeast:
		c, ok := compare(&n.args[0], &n.args[1], it)
		return ok && n.op.holds(c)
	case opBetween:
		low, ok := compare(&n.args[0], &n.args[1], it)
		if !ok || low < 0 {
			return false
		}
		high, ok := compare(&n.args[0], &n.args[2], it)
		return ok && high <= 0
	case opIn:
		for i := range n.args[1:] {
			if isEqual(&n.args[0], &n.args[1+i], it) {
				return true
			}
		}
		return false
	case opExists:
		return !n.args[0].get(it).IsZero()
	case opNotExists:
		return n.args[0].get(it).IsZero()
	case opType:
		v := n.args[0].get(it)
		return !v.IsZero() && v.Kind().String() == n.args[1].value.Str()
	case opBeginsWith:
		return beginsWith(n.args[0].get(it), n.args[1].get(it))
	case opContains:
		return contains(n.args[0].get(it), n.args[1].get(it))
	}
	return false
}

// holds reports whether the comparison holds of operands of which the first stands to the second as c to 0.
func (o op) holds(c int) bool {
	switch o {
	case opLess:
		return c < 0
	case opAtMost:
		return c <= 0
	case opGreater:
		return c > 0
	default:
		return c >= 0
	}
}

// operators is the number of operators and functions in the condition, as the service counts them towards its limit.
func (n *node) operators() int {
	count := 1
	if n.op == opAnd || n.op == opOr {
		count = len(n.kids) - 1
	}
	for i := range n.kids {
		count += n.kids[i].operators()
	}
	for i := range n.args {
		count += n.args[i].operators()
	}
	return count
}

func (o *operand) operators() int {
	if o.kind == oPath || o.kind == oValue {
		return 0
	}
	count := 1
	for i := range o.args {
		count += o.args[i].operators()
	}
	return count
}

// Paths are the document paths that the condition reads, each once, in the order they are written.
func (c *Condition) Paths() []Path {
	if c == nil {
		return nil
	}
	return c.root.paths(nil)
}

func (n *node) paths(list []Path) []Path {
	for i := range n.kids {
		list = n.kids[i].paths(list)
	}
	return argPaths(n.args, list)
}

func argPaths(args []operand, list []Path) []Path {
	for i := range args {
		if o := &args[i]; o.kind == oPath && !slices.ContainsFunc(list, o.path.Equal) {
			list = append(list, o.path)
		} else {
			list = argPaths(o.args, list)
		}
	}
	return list
}
