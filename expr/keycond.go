package expr

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

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

var keyOps = [...]op{KeyEqual: opEqual, KeyLess: opLess, KeyAtMost: opAtMost, KeyGreater: opGreater, KeyAtLeast: opAtLeast, KeyBetween: opBetween, KeyBeginsWith: opBeginsWith}

// String is the operator as it is written.
func (o KeyOp) String() string { return keyOps[o].String() }

// mirrored are the operators that mean the same with their operands swapped.
var mirrored = [...]KeyOp{KeyEqual: KeyEqual, KeyLess: KeyGreater, KeyAtMost: KeyAtLeast, KeyGreater: KeyLess, KeyAtLeast: KeyAtMost}

// KeyTerm is a condition on one key attribute. Low is the operand, or the lower bound of BETWEEN, which alone has a High.
type KeyTerm struct {
	Attribute string
	Op        KeyOp
	Low, High attr.Value

	at int32 // where the attribute stands in the text, from 1; 0 if it was built in Go
}

// Match reports whether a value of the attribute meets the term.
func (t KeyTerm) Match(v attr.Value) bool {
	if t.Op == KeyBeginsWith {
		return beginsWith(v, t.Low)
	}
	c, ok := compareValues(v, t.Low)
	switch {
	case !ok:
		return false
	case t.Op == KeyEqual:
		return c == 0
	case t.Op != KeyBetween:
		return keyOps[t.Op].holds(c)
	}
	high, ok := compareValues(v, t.High)
	return ok && c >= 0 && high <= 0
}

// KeyExpression is a key condition expression read without knowing the key: conditions on different attributes, joined by
// AND. Errors of the text come before the table is looked up, errors of For after. It is immutable and safe for concurrent
// use.
type KeyExpression struct{ terms []KeyTerm }

// ParseKey reads a KeyConditionExpression. Errors are *Error.
func ParseKey(text string, s *Substitutions) (*KeyExpression, error) {
	var c Condition
	if err := c.read(KeyConditionExpression, text, s, false); err != nil {
		return nil, err
	}
	k := new(KeyExpression)
	if err := k.take(&c.root); err != nil {
		return nil, err
	}
	return k, nil
}

// NewKeyExpression makes a key condition expression of terms.
func NewKeyExpression(t ...KeyTerm) *KeyExpression { return &KeyExpression{slices.Clone(t)} }

// Terms are the conditions in the order of the text. The caller must not change them.
func (k *KeyExpression) Terms() []KeyTerm { return k.terms }

// take adds the terms of a condition, as far as it has only what a key condition can have (page Query.KeyConditionExpressions
// of the developer guide).
func (k *KeyExpression) take(n *node) *Error {
	const kind = KeyConditionExpression
	switch n.op {
	case opAnd:
		for i := range n.kids {
			if err := k.take(&n.kids[i]); err != nil {
				return err
			}
		}
		return nil
	case opOr, opNot:
		return RuleKeyOperator.fail(kind, n.op).from(n.at)
	}
	names, at := 0, 0
	for i := range n.args {
		switch o := &n.args[i]; o.kind {
		case oSize:
			return RuleKeyNestedOperation.fail(kind).from(o.at)
		case oPath:
			if o.path.Len() > 1 {
				return RuleKeyNestedPath.fail(kind).from(o.at)
			}
			names, at = names+1, i
		}
	}
	op := KeyOp(max(0, slices.Index(keyOps[:], n.op)))
	switch {
	case op == 0:
		return RuleKeyOperator.fail(kind, n.op).from(n.at)
	case names > 1:
		return RuleKeySeveralNames.fail(kind).from(n.args[at].at)
	case names == 0:
		return RuleKeyNoName.fail(kind).from(n.at)
	}
	t := KeyTerm{Attribute: n.args[at].path.Attribute(), Op: op, at: n.args[at].at}
	switch {
	case at == 0:
		t.Low = n.args[1].value
		if op == KeyBetween {
			t.High = n.args[2].value
		}
	case op == KeyBetween || op == KeyBeginsWith:
		return RuleKeyFirst.fail(kind, op).from(n.at)
	default:
		t.Low, t.Op = n.args[0].value, mirrored[op]
	}
	if slices.ContainsFunc(k.terms, func(other KeyTerm) bool { return other.Attribute == t.Attribute }) {
		return RuleKeyTwice.fail(kind).from(n.args[at].at)
	}
	k.terms = append(k.terms, t)
	return nil
}

// KeyAttr is an attribute of a key. Its type is S, N or B.
type KeyAttr struct {
	Name string
	Kind attr.Kind
}

// KeySchema is the key of a table or index, in the order of its KeySchema: one HASH and at most one RANGE attribute, up to
// four of each in a GSI.
type KeySchema struct {
	Hash, Range []KeyAttr
	Index       string // name of the index, for messages; "" for a table
}

// has reports whether the attribute is one of the key's.
func (k KeySchema) has(attribute string) bool {
	is := func(a KeyAttr) bool { return a.Name == attribute }
	return slices.ContainsFunc(k.Hash, is) || slices.ContainsFunc(k.Range, is)
}

// KeyCondition selects items of one partition: all HASH attributes have a value, some of the leading RANGE attributes have
// one, and the RANGE attribute after these may have one more operator. It is immutable and safe for concurrent use.
type KeyCondition struct {
	key         KeySchema
	hash, equal []attr.Value
	last        KeyTerm
}

// ParseKeyCondition is ParseKey and For.
func ParseKeyCondition(text string, s *Substitutions, key KeySchema) (*KeyCondition, error) {
	k, err := ParseKey(text, s)
	if err != nil {
		return nil, err
	}
	return k.For(key)
}

// For fits the expression to a key. Errors are *Error.
func (k *KeyExpression) For(key KeySchema) (*KeyCondition, error) {
	c := &KeyCondition{key: key}
	check := c.fill
	if len(key.Hash) > 1 || len(key.Range) > 1 {
		check = c.fillMulti
	}
	if err := check(k.terms); err != nil {
		return nil, err
	}
	return c, nil
}

// find is the term on an attribute; nil if there is none.
func find(terms []KeyTerm, attribute string) *KeyTerm {
	for i := range terms {
		if terms[i].Attribute == attribute {
			return &terms[i]
		}
	}
	return nil
}

// other is the term of two that is not on the attribute.
func other(terms []KeyTerm, attribute string) *KeyTerm {
	if terms[0].Attribute == attribute {
		return &terms[1]
	}
	return &terms[0]
}

// fill checks and takes the terms for a key of one or two attributes.
func (c *KeyCondition) fill(terms []KeyTerm) *Error {
	const kind = KeyConditionExpression
	if len(terms) > 2 {
		return RuleKeyLength.fail(kind).from(terms[2].at)
	}
	if len(terms) > 1 && len(c.key.Range) == 0 {
		return RuleKeyUnsupported.fail(kind).from(terms[1].at)
	}
	hash := find(terms, c.key.Hash[0].Name)
	switch {
	case hash == nil:
		return RuleKeyMissing.fail(kind, c.key.Hash[0].Name)
	case hash.Op != KeyEqual:
		return RuleKeyUnsupported.fail(kind).from(hash.at)
	}
	if err := c.checkValues(hash, c.key.Hash[0]); err != nil {
		return err
	}
	c.hash = []attr.Value{hash.Low}
	if len(terms) == 1 {
		return nil
	}
	t := find(terms, c.key.Range[0].Name)
	if t == nil {
		return RuleKeyMissing.fail(kind, c.key.Range[0].Name).from(other(terms, hash.Attribute).at)
	}
	return c.takeRange(t, c.key.Range[0])
}

// fillMulti is fill for a key of several HASH or several RANGE attributes (page GSI.DesignPattern.MultiAttributeKeys of the
// developer guide; texts and their order are DynamoDB Local's).
func (c *KeyCondition) fillMulti(terms []KeyTerm) *Error {
	const kind = KeyConditionExpression
	if most := len(c.key.Hash) + len(c.key.Range); len(terms) > most {
		return RuleKeyUnsupported.fail(kind).from(terms[most].at)
	}
	var missing []string
	unequal := int32(0)
	for _, a := range c.key.Hash {
		t := find(terms, a.Name)
		if t == nil || t.Op != KeyEqual {
			if missing = append(missing, a.Name); t != nil && unequal == 0 {
				unequal = t.at
			}
			continue
		}
		c.hash = append(c.hash, t.Low)
	}
	if len(missing) > 0 {
		return RuleKeyHash.fail(kind, strings.Join(missing, ", ")).from(unequal)
	}
	for _, a := range c.key.Hash {
		if err := c.checkValues(find(terms, a.Name), a); err != nil {
			return err
		}
	}
	if err := checkPrefix(c.key.Range, terms); err != nil {
		return err
	}
	used := len(c.hash)
	for _, a := range c.key.Range {
		t := find(terms, a.Name)
		if t == nil {
			break
		}
		used++
		if err := c.takeRange(t, a); err != nil {
			return err
		}
	}
	if used < len(terms) {
		free := c.key.Range[used-len(c.hash)] // there is one, because there are not more terms than attributes
		err := RuleKeyMissing.fail(kind, free.Name)
		if stray := slices.IndexFunc(terms, func(t KeyTerm) bool { return !c.key.has(t.Attribute) }); stray >= 0 {
			return err.from(terms[stray].at)
		}
		return err
	}
	return nil
}

// checkPrefix checks that no RANGE attribute with a term comes behind one without, and then that all but the last of those
// with a term have an equality.
func checkPrefix(keys []KeyAttr, terms []KeyTerm) *Error {
	var absent, unequal []string
	last := ""
	for _, a := range keys {
		t := find(terms, a.Name)
		switch {
		case t == nil:
			absent = append(absent, a.Name)
			continue
		case len(absent) > 0:
			return RuleKeyRange.fail(KeyConditionExpression, strings.Join(absent, ", "), a.Name).from(t.at)
		}
		last = a.Name
		if t.Op != KeyEqual {
			unequal = append(unequal, a.Name)
		}
	}
	if n := len(unequal); n > 0 && unequal[n-1] == last {
		unequal = unequal[:n-1]
	}
	if len(unequal) > 0 {
		return RuleKeyRange.fail(KeyConditionExpression, strings.Join(unequal, ", "), last).from(find(terms, last).at)
	}
	return nil
}

// takeRange checks and takes the term on the next RANGE attribute.
func (c *KeyCondition) takeRange(t *KeyTerm, a KeyAttr) *Error {
	if err := c.checkValues(t, a); err != nil {
		return err
	}
	for _, v := range [...]attr.Value{t.Low, t.High} {
		if (v.Kind() == attr.KindS || v.Kind() == attr.KindB) && len(v.Str()) > maxRangeBytes {
			return RuleKeySize.fail(KeyConditionExpression).from(t.at)
		}
	}
	if t.Op == KeyEqual {
		c.equal = append(c.equal, t.Low)
	} else {
		c.last = *t
	}
	return nil
}

// maxRangeBytes is the size of a sort key value (page Constraints of the developer guide).
const maxRangeBytes = 1024

// checkValues checks the values of a term against the attribute's type.
func (c *KeyCondition) checkValues(t *KeyTerm, a KeyAttr) *Error {
	const kind = KeyConditionExpression
	values := [...]attr.Value{t.Low, t.High}
	used := values[:1]
	if t.Op == KeyBetween {
		used = values[:]
	}
	for _, v := range used {
		if v.Kind() != a.Kind {
			return RuleKeyType.fail(kind).from(t.at)
		}
		if v.Kind() == attr.KindN || v.Str() != "" {
			continue
		}
		word := "string"
		if v.Kind() == attr.KindB {
			word = "binary"
		}
		if c.key.Index != "" {
			return RuleKeyEmptyIndex.fail(kind, word, c.key.Index, a.Name).from(t.at)
		}
		return RuleKeyEmpty.fail(kind, word, a.Name).from(t.at)
	}
	return nil
}

// Hash are the values of the HASH attributes, in the order of the schema.
func (c *KeyCondition) Hash() []attr.Value { return c.hash }

// Equal are the values of the leading RANGE attributes that are fixed, in the order of the schema.
func (c *KeyCondition) Equal() []attr.Value { return c.equal }

// Range is the operator on the RANGE attribute that follows the fixed ones; ok is false if there is none. Its Op is never
// KeyEqual.
func (c *KeyCondition) Range() (term KeyTerm, ok bool) { return c.last, c.last.Op != 0 }

// Match reports whether the item has the key's attributes and meets the condition.
func (c *KeyCondition) Match(it attr.Item) bool {
	for i, v := range c.hash {
		if !attr.Equal(v, it.Get(c.key.Hash[i].Name)) {
			return false
		}
	}
	return c.MatchRange(it)
}

// MatchRange is Match for the RANGE attributes alone.
func (c *KeyCondition) MatchRange(it attr.Item) bool {
	for i, v := range c.equal {
		if !attr.Equal(v, it.Get(c.key.Range[i].Name)) {
			return false
		}
	}
	return c.last.Op == 0 || c.last.Match(it.Get(c.last.Attribute))
}
