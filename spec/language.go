package spec

import (
	"github.com/tablewright/tablewright/attr"
)

// Path is names joined by dots: every name but the last is a way there, a way back or a map; the last is an
// attribute or a way.
type Path []string

// Reference is $name then .names: a parameter, an earlier step, or $each.
type Reference []string

// Expr is a value: a Term or a sum of them, or one of the functions of `set`. Exactly one of the fields is used.
type Expr struct {
	Literal   attr.Value // number, 'text', true, false; a duration is milliseconds with Duration set
	Duration  bool
	Now       bool
	Reference Reference
	Path      Path
	Neg       bool   // unary minus before Reference, Literal or Path
	Op        string // "+" or "-" of Args; or append, prepend, if_missing
	Args      []Expr
}

// Condition is a tree of tests; nil holds always.
type Condition interface{ condition() }

// Test is one comparison. Op is one of = != < <= > >= between in before exists absent begins_with contains size,
// or present / absent of the item itself with no Path.
//   - between has two Args, in has one or more, before has one (path in before(v)), exists and absent none.
//   - size has the comparison in SizeOp.
//   - a right-hand bare name that is a state or enum value is a Literal once resolved.
type Test struct {
	Path   Path
	Op     string
	SizeOp string
	Args   []Expr
}

// Logic joins conditions: Op is "and" or "or" of two or more, "not" of one.
type Logic struct {
	Op   string
	Args []Condition
}

func (*Test) condition()  {}
func (*Logic) condition() {}
