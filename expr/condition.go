package expr

import "github.com/tablewright/tablewright/attr"

// Condition is a condition or filter expression. It is immutable and safe for concurrent use. A nil *Condition holds
// for every item.
type Condition struct{ root node }

type node struct{}

// ParseCondition reads a ConditionExpression. Errors are *Error.
func ParseCondition(text string, s *Substitutions) (*Condition, error) { panic("expr: to be written") }

// ParseFilter reads a FilterExpression: the same grammar, another word in messages. Errors are *Error.
func ParseFilter(text string, s *Substitutions) (*Condition, error) { panic("expr: to be written") }

// Eval reports whether the item meets the condition. For an item that does not exist pass the empty Item. It does not
// allocate.
func (c *Condition) Eval(it attr.Item) bool { panic("expr: to be written") }

// Paths are the document paths the condition reads, each once, in the order they are written.
func (c *Condition) Paths() []Path { panic("expr: to be written") }

// String is the condition with names written out where the language allows it and values as :0, :1, …, so that it can
// be logged without showing values. Use Printer for a text to send.
func (c *Condition) String() string { panic("expr: to be written") }
