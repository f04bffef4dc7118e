package expr

import "github.com/tablewright/tablewright/attr"

// Operand is what conditions compare and SET assigns: a Path, a Literal, or a function or sum of these.
type Operand interface{ operand() operand }

type operand struct{}

func (p Path) operand() operand { panic("expr: to be written") }

// Literal makes an operand of a value.
func Literal(v attr.Value) Operand { panic("expr: to be written") }

// Size is size(o), in conditions only.
func Size(o Operand) Operand { panic("expr: to be written") }

// IfNotExists is if_not_exists(p, o), in updates only.
func IfNotExists(p Path, o Operand) Operand { panic("expr: to be written") }

// ListAppend is list_append(a, b), in updates only.
func ListAppend(a, b Operand) Operand { panic("expr: to be written") }

// Plus is a + b, in updates only.
func Plus(a, b Operand) Operand { panic("expr: to be written") }

// Minus is a - b, in updates only.
func Minus(a, b Operand) Operand { panic("expr: to be written") }

// Equal is a = b.
func Equal(a, b Operand) *Condition { panic("expr: to be written") }

// NotEqual is a <> b; true if either is missing.
func NotEqual(a, b Operand) *Condition { panic("expr: to be written") }

// Less is a < b.
func Less(a, b Operand) *Condition { panic("expr: to be written") }

// AtMost is a <= b.
func AtMost(a, b Operand) *Condition { panic("expr: to be written") }

// Greater is a > b.
func Greater(a, b Operand) *Condition { panic("expr: to be written") }

// AtLeast is a >= b.
func AtLeast(a, b Operand) *Condition { panic("expr: to be written") }

// Between is a BETWEEN low AND high, both included.
func Between(a, low, high Operand) *Condition { panic("expr: to be written") }

// In is a IN (list…).
func In(a Operand, list ...Operand) *Condition { panic("expr: to be written") }

// Exists is attribute_exists(p).
func Exists(p Path) *Condition { panic("expr: to be written") }

// NotExists is attribute_not_exists(p).
func NotExists(p Path) *Condition { panic("expr: to be written") }

// HasType is attribute_type(p, k).
func HasType(p Path, k attr.Kind) *Condition { panic("expr: to be written") }

// BeginsWith is begins_with(a, prefix).
func BeginsWith(a, prefix Operand) *Condition { panic("expr: to be written") }

// Contains is contains(a, b).
func Contains(a, b Operand) *Condition { panic("expr: to be written") }

// And holds if all of c hold. Nil conditions are left out.
func And(c ...*Condition) *Condition { panic("expr: to be written") }

// Or holds if any of c holds. A nil condition holds always, and so does an Or with one.
func Or(c ...*Condition) *Condition { panic("expr: to be written") }

// Not holds if c does not.
func Not(c *Condition) *Condition { panic("expr: to be written") }

// Project makes a projection of paths.
func Project(paths ...Path) *Projection { panic("expr: to be written") }

// Change is an action of an update with what it writes.
type Change struct{}

// Set is SET p = o.
func Set(p Path, o Operand) Change { panic("expr: to be written") }

// Remove is REMOVE p.
func Remove(p Path) Change { panic("expr: to be written") }

// Add is ADD p v: v is a number or a set.
func Add(p Path, v attr.Value) Change { panic("expr: to be written") }

// Delete is DELETE p v: v is a set.
func Delete(p Path, v attr.Value) Change { panic("expr: to be written") }

// NewUpdate makes an update of changes.
func NewUpdate(c ...Change) *Update { panic("expr: to be written") }

// NewKeyExpression makes a key condition expression of terms.
func NewKeyExpression(t ...KeyTerm) *KeyExpression { panic("expr: to be written") }
