package expr

import "github.com/tablewright/tablewright/attr"

// KeyAttr is an attribute of a key: S, N or B.
type KeyAttr struct {
	Name string
	Kind attr.Kind
}

// KeySchema is the key of a table or index, in the order of its KeySchema: one HASH and at most one RANGE attribute, up to
// four of each in a GSI.
type KeySchema struct{ Hash, Range []KeyAttr }

// KeyOp is an operator on a key attribute.
type KeyOp uint8

// The operators.
const (
	KeyEqual KeyOp = iota + 1
	KeyLess
	KeyAtMost
	KeyGreater
	KeyAtLeast
	KeyBetween
	KeyBeginsWith
)

// KeyTerm is a condition on one key attribute. High is there for BETWEEN alone.
type KeyTerm struct {
	Attribute string
	Op        KeyOp
	Low, High attr.Value
}

// KeyExpression is a key condition expression read without knowing the key. Errors of its text come before the table is
// looked up, errors of For after.
type KeyExpression struct{ terms []KeyTerm }

// ParseKey reads a KeyConditionExpression. Errors are *Error.
func ParseKey(text string, s *Substitutions) (*KeyExpression, error) { panic("expr: to be written") }

// For fits the expression to a key. Errors are *Error.
func (k *KeyExpression) For(key KeySchema) (*KeyCondition, error) { panic("expr: to be written") }

// ParseKeyCondition is ParseKey and For.
func ParseKeyCondition(text string, s *Substitutions, key KeySchema) (*KeyCondition, error) {
	k, err := ParseKey(text, s)
	if err != nil {
		return nil, err
	}
	return k.For(key)
}

// KeyCondition selects items of one partition: all HASH attributes have a value, a prefix of the RANGE attributes has
// one, and the RANGE attribute after these may have one more operator.
type KeyCondition struct {
	hash, equal []attr.Value
	last        KeyTerm
}

// Hash are the values of the HASH attributes, in the order of the schema.
func (k *KeyCondition) Hash() []attr.Value { return k.hash }

// Equal are the values of the leading RANGE attributes that are fixed, in the order of the schema.
func (k *KeyCondition) Equal() []attr.Value { return k.equal }

// Range is the operator on the RANGE attribute that follows the fixed ones; ok is false if there is none. Its Op is never
// KeyEqual.
func (k *KeyCondition) Range() (term KeyTerm, ok bool) { return k.last, k.last.Op != 0 }

// Match reports whether the item (which must have the key's attributes) meets the condition.
func (k *KeyCondition) Match(it attr.Item) bool { panic("expr: to be written") }
