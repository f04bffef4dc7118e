package expr

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// The checks of this file look at literals only, never at an item. They hold for what was parsed and for what was built in
// Go. The limits are from the page Constraints of the developer guide.
const (
	maxOperators = 300 // operators and functions in an expression
	maxIn        = 100 // operands of IN behind the first
)

func (p Path) check(k Kind) *Error {
	if n := len(p.steps); n > maxSteps || n == 0 {
		return RuleNesting.fail(k, n)
	}
	return nil
}

// tooMany is the error of operators beyond the limit, of which the first is at a place. The service stops counting there,
// however many follow.
func tooMany(k Kind, at int32) *Error { return RuleOperatorCount.fail(k, maxOperators+1).from(at) }

func (n *node) checkOperators(k Kind) *Error {
	if n.operators() <= maxOperators {
		return nil
	}
	left := maxOperators
	at, _ := n.beyond(&left)
	return tooMany(k, at)
}

// beyond finds the operator for which nothing is left, where it stands.
func (n *node) beyond(left *int) (at int32, found bool) {
	for i := range n.kids {
		if i > 0 || n.op == opNot {
			if *left--; *left < 0 {
				return n.kids[i].at, true
			}
		}
		if at, found = n.kids[i].beyond(left); found {
			return at, true
		}
	}
	if len(n.kids) > 0 {
		return 0, false
	}
	if *left--; *left < 0 {
		return n.at, true
	}
	return beyond(n.args, left)
}

func beyond(args []operand, left *int) (at int32, found bool) {
	for i := range args {
		o := &args[i]
		if o.kind == oPath || o.kind == oValue {
			continue
		}
		if *left--; *left < 0 {
			return o.at, true
		}
		if at, found = beyond(o.args, left); found {
			return at, true
		}
	}
	return 0, false
}

// literal is the type of an operand that is known without an item: that of a value, or the number that size is. It is 0
// for a path.
func (o *operand) literal() attr.Kind {
	switch o.kind {
	case oValue:
		return o.value.Kind()
	case oSize:
		return attr.KindN
	}
	return 0
}

// kinds is a set of types.
type kinds uint16

func kindsOf(list ...attr.Kind) (s kinds) {
	for _, k := range list {
		s |= 1 << k
	}
	return s
}

// has reports whether the set has k. It has 0, the type of what is not known yet.
func (s kinds) has(k attr.Kind) bool { return k == 0 || s&(1<<k) != 0 }

var (
	orderedKinds = kindsOf(attr.KindS, attr.KindN, attr.KindB)
	prefixKinds  = kindsOf(attr.KindS, attr.KindB)
	sizedKinds   = kindsOf(attr.KindS, attr.KindB, attr.KindM, attr.KindL, attr.KindSS, attr.KindNS, attr.KindBS)
	sumKinds     = kindsOf(attr.KindN)
	listKinds    = kindsOf(attr.KindL)
	addKinds     = kindsOf(attr.KindN, attr.KindSS, attr.KindNS, attr.KindBS)
	deleteKinds  = kindsOf(attr.KindSS, attr.KindNS, attr.KindBS)
)

// checkTypes checks the types of literal operands, from left to right.
func checkTypes(k Kind, name fmt.Stringer, args []operand, allowed kinds) *Error {
	for i := range args {
		if l := args[i].literal(); !allowed.has(l) {
			return RuleOperandType.fail(k, name, l).from(args[i].at)
		}
	}
	return nil
}

// checkCount checks the number of operands of a function.
func checkCount(k Kind, name fmt.Stringer, args []operand, want int) *Error {
	switch {
	case len(args) > want:
		return RuleOperandCount.fail(k, name, len(args)).from(args[want].at)
	case len(args) < want:
		return RuleOperandCount.fail(k, name, len(args))
	}
	return nil
}

// checkPath checks that the first operand is a path.
func checkPath(k Kind, name fmt.Stringer, args []operand) *Error {
	if args[0].kind != oPath {
		return RuleOperandPath.fail(k, name).from(args[0].at)
	}
	return nil
}

// checkDistinct checks that the first operand, if it is a path, is not repeated.
func checkDistinct(k Kind, name fmt.Stringer, args []operand) *Error {
	first := &args[0]
	if first.kind != oPath {
		return nil
	}
	for i := range args[1:] {
		if o := &args[1+i]; o.kind == oPath && o.path.Equal(first.path) {
			return RuleOperandDistinct.fail(k, name, first.path.inMessage()).from(o.at)
		}
	}
	return nil
}

// check checks the operands of a condition that has operands.
func (n *node) check(k Kind) *Error {
	switch n.op {
	case opExists, opNotExists:
		if err := checkCount(k, n.op, n.args, 1); err != nil {
			return err
		}
		return checkPath(k, n.op, n.args)
	case opType, opBeginsWith, opContains:
		if err := checkCount(k, n.op, n.args, 2); err != nil {
			return err
		}
	}
	if err := checkDistinct(k, n.op, n.args); err != nil {
		return err
	}
	switch n.op {
	case opLess, opAtMost, opGreater, opAtLeast:
		return checkTypes(k, n.op, n.args, orderedKinds)
	case opBetween:
		if err := checkTypes(k, n.op, n.args, orderedKinds); err != nil {
			return err
		}
		return checkBounds(k, &n.args[1], &n.args[2])
	case opIn:
		if count := len(n.args) - 1; count > maxIn {
			return RuleInCount.fail(k, count).from(n.args[1+maxIn].at)
		}
	case opBeginsWith:
		return checkTypes(k, n.op, n.args, prefixKinds)
	case opType:
		return checkAttributeType(k, &n.args[1])
	}
	return nil
}

// checkBounds checks literal bounds of BETWEEN.
func checkBounds(k Kind, low, high *operand) *Error {
	if low.kind != oValue || high.kind != oValue {
		return nil
	}
	c, ok := compareValues(low.value, high.value)
	if !ok {
		return RuleBetweenType.fail(k, boundInMessage(low.value), boundInMessage(high.value)).from(high.at)
	}
	if c > 0 {
		return RuleBetweenOrder.fail(k, boundInMessage(low.value), boundInMessage(high.value)).from(high.at)
	}
	return nil
}

// boundInMessage writes a bound as the service does, which prints its Java value: of a binary it tells only the length.
func boundInMessage(v attr.Value) string {
	if v.Kind() == attr.KindB {
		n := len(v.Str())
		return fmt.Sprintf("{B:java.nio.HeapByteBuffer[pos=0 lim=%d cap=%d]}", n, n)
	}
	return "{" + v.Kind().String() + ":" + v.Str() + "}"
}

// typeNames are what attribute_type can ask for.
var typeNames = []string{"B", "NULL", "SS", "BOOL", "L", "BS", "N", "NS", "S", "M"}

func checkAttributeType(k Kind, o *operand) *Error {
	switch l := o.literal(); {
	case l == 0:
		return RuleOperandType.fail(k, opType, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}").from(o.at)
	case l != attr.KindS:
		return RuleOperandType.fail(k, opType, l).from(o.at)
	case !slices.Contains(typeNames, o.value.Str()):
		return RuleAttributeType.fail(k, o.value.Str()).from(o.at)
	}
	return nil
}

// check checks the operands of an operand that has some.
func (o *operand) check(k Kind) *Error {
	switch o.kind {
	case oSize:
		if err := checkCount(k, o.kind, o.args, 1); err != nil {
			return err
		}
		return checkTypes(k, o.kind, o.args, sizedKinds)
	case oIfNotExists:
		if err := checkCount(k, o.kind, o.args, 2); err != nil {
			return err
		}
		if err := checkPath(k, o.kind, o.args); err != nil {
			return err
		}
		return checkDistinct(k, o.kind, o.args)
	case oListAppend:
		if err := checkCount(k, o.kind, o.args, 2); err != nil {
			return err
		}
		return checkTypes(k, o.kind, o.args, listKinds)
	case oPlus, oMinus:
		return checkTypes(k, o.kind, o.args, sumKinds)
	}
	return nil
}
