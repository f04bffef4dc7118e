package engine

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// The parameters from before expressions (LegacyConditionalParameters) are made into the trees of package expr, so that
// there is one evaluator. What they are checked for is another thing than what expressions are checked for, and has other
// texts: catalogued on AWS by the authors of dynalite, and in 2026 by those of floci for Expected; the rest is DynamoDB
// Local's.

// parameter is a parameter from before expressions and whether the request has it. Empty ones count as absent.
type parameter struct {
	name  string
	given bool
}

// given are the names of those that the request has, in the order in which the service lists them.
func given(list ...parameter) (names []string) {
	for _, p := range list {
		if p.given {
			names = append(names, p.name)
		}
	}
	return names
}

// expectations are the parameters from before expressions that all writes have.
func expectations(x *wire.Expectations) (expected, operator parameter) {
	return parameter{"Expected", len(x.Expected) > 0}, parameter{"ConditionalOperator", x.ConditionalOperator != ""}
}

// invalid refuses with one of the texts about these parameters.
func (d dialect) invalid(message string) *wire.Error {
	if d == prefixed {
		message = expr.Prefix + message
	}
	return wire.Invalid(message)
}

// expected makes a condition of Expected.
func (d dialect) expected(x *wire.Expectations) (*expr.Condition, *wire.Error) {
	for i := range x.Expected {
		if err := d.checkExpected(&x.Expected[i]); err != nil {
			return nil, err
		}
	}
	return d.compare(x.Expected, x.ConditionalOperator)
}

// checkExpected holds one of Expected to which of its members go together, and gives it the form that filters have: an
// operator with its values.
func (d dialect) checkExpected(c *wire.Comparison) *wire.Error {
	invalid := func(message string) *wire.Error { return d.invalid(inv + message + " for Attribute: " + c.Attribute) }
	switch {
	case c.Null:
		return invalid("ExpectedAttributeValue must not be null")
	case c.Listed && c.Value != nil:
		return invalid("Value and AttributeValueList cannot be used together")
	case c.Operator == "" && c.Listed:
		return invalid("AttributeValueList can only be used with a ComparisonOperator")
	case c.Operator != "" && c.Exists != nil:
		return invalid("Exists and ComparisonOperator cannot be used together")
	case c.Operator != "":
		if c.Value != nil {
			c.Values, c.Value = append(c.Values, *c.Value), nil
		} else if !c.Listed && c.Operator != "NULL" && c.Operator != "NOT_NULL" {
			return invalid("Value or AttributeValueList must be used with ComparisonOperator: " + c.Operator)
		}
		return nil
	}
	exists := "null"
	if c.Exists != nil {
		exists = "true"
	}
	switch without := c.Exists != nil && !*c.Exists; {
	case without && c.Value != nil:
		return invalid("Value cannot be used when Exists is false")
	case without:
		c.Operator = "NULL"
	case c.Value == nil:
		return invalid("Value must be provided when Exists is " + exists)
	default:
		c.Operator, c.Values = "EQ", []attr.Value{*c.Value}
	}
	c.Value, c.Exists = nil, nil
	return nil
}

// comparison is what an operator from before expressions takes and means.
type comparison struct {
	least, most int // values; most 0 is no bound
	kinds       string
	make        func(p expr.Path, v []expr.Operand) *expr.Condition
}

// comparisons are all operators (LegacyConditionalParameters.Conditions). That which types CONTAINS takes besides the
// documented ones, and that NOT_CONTAINS does not hold for a missing attribute, is DynamoDB Local's.
var comparisons = map[string]comparison{
	"EQ": {1, 1, "", func(p expr.Path, v []expr.Operand) *expr.Condition { return expr.Equal(p, v[0]) }},
	"NE": {1, 1, "", func(p expr.Path, v []expr.Operand) *expr.Condition { return expr.NotEqual(p, v[0]) }},
	"LE": {1, 1, "S N B", func(p expr.Path, v []expr.Operand) *expr.Condition { return expr.AtMost(p, v[0]) }},
	"LT": {1, 1, "S N B", func(p expr.Path, v []expr.Operand) *expr.Condition { return expr.Less(p, v[0]) }},
	"GE": {1, 1, "S N B", func(p expr.Path, v []expr.Operand) *expr.Condition { return expr.AtLeast(p, v[0]) }},
	"GT": {1, 1, "S N B", func(p expr.Path, v []expr.Operand) *expr.Condition { return expr.Greater(p, v[0]) }},
	"IN": {1, 0, "S N B", func(p expr.Path, v []expr.Operand) *expr.Condition { return expr.In(p, v...) }},
	"BETWEEN": {2, 2, "S N B", func(p expr.Path, v []expr.Operand) *expr.Condition {
		return expr.Between(p, v[0], v[1])
	}},
	"BEGINS_WITH": {1, 1, "S B", func(p expr.Path, v []expr.Operand) *expr.Condition { return expr.BeginsWith(p, v[0]) }},
	"CONTAINS": {1, 1, "S N B BOOL NULL", func(p expr.Path, v []expr.Operand) *expr.Condition {
		return expr.Contains(p, v[0])
	}},
	"NOT_CONTAINS": {1, 1, "S N B BOOL NULL", func(p expr.Path, v []expr.Operand) *expr.Condition {
		return expr.And(expr.Exists(p), expr.Not(expr.Contains(p, v[0])))
	}},
	"NULL":     {0, 0, "", func(p expr.Path, _ []expr.Operand) *expr.Condition { return expr.NotExists(p) }},
	"NOT_NULL": {0, 0, "", func(p expr.Path, _ []expr.Operand) *expr.Condition { return expr.Exists(p) }},
}

// attributeName holds the name of an attribute to 1 to 65,535 bytes.
func (d dialect) attributeName(name string) *wire.Error {
	switch {
	case name == "":
		return d.invalid("Empty attribute name")
	case len(name) > maxName:
		return d.invalid(nameTooLarge)
	}
	return nil
}

// checkComparison holds a condition on one attribute to what its operator takes.
func (d dialect) checkComparison(c *wire.Comparison) *wire.Error {
	switch {
	case c.Null:
		return d.invalid("The filter condition for an attribute cannot be null: " + c.Attribute)
	case c.Bad != nil:
		return d.value(c.Bad)
	}
	if err := d.attributeName(c.Attribute); err != nil {
		return err
	}
	takes := comparisons[c.Operator]
	if n := len(c.Values); n < takes.least || n > takes.most && (takes.most > 0 || takes.least == 0) {
		return d.invalid(inv + "Invalid number of argument(s) for the " + c.Operator + " ComparisonOperator")
	}
	for _, v := range c.Values {
		if takes.kinds != "" && !slices.Contains(strings.Fields(takes.kinds), v.Kind().String()) {
			return d.invalid(inv + "ComparisonOperator " + c.Operator + " is not valid for " + v.Kind().String() + " AttributeValue type")
		}
	}
	for _, v := range c.Values {
		if v.Kind() != c.Values[0].Kind() {
			return d.invalid(inv + "AttributeValues inside AttributeValueList must be of same type")
		}
	}
	if c.Operator == "BETWEEN" && attr.Compare(c.Values[0], c.Values[1]) > 0 {
		return d.invalid("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")
	}
	return nil
}

// compare makes a condition of Expected, QueryFilter or ScanFilter and of ConditionalOperator.
func (d dialect) compare(list []wire.Comparison, operator string) (*expr.Condition, *wire.Error) {
	conditions := make([]*expr.Condition, len(list))
	for i := range list {
		c := &list[i]
		if err := d.checkComparison(c); err != nil {
			return nil, err
		}
		values := make([]expr.Operand, len(c.Values))
		for j, v := range c.Values {
			values[j] = expr.Literal(v)
		}
		conditions[i] = comparisons[c.Operator].make(expr.Name(c.Attribute), values)
	}
	switch {
	case operator == "":
	case len(list) == 0:
		return nil, d.invalid("ConditionalOperator cannot be used without Filter or Expected")
	case len(list) == 1:
		return nil, d.invalid("ConditionalOperator can only be used when Filter or Expected has two or more elements")
	}
	if operator == "OR" {
		return expr.Or(conditions...), nil
	}
	return expr.And(conditions...), nil
}

// keyOps are the operators of KeyConditions that an index can serve. The others are refused when the key is known.
var keyOps = map[string]expr.KeyOp{
	"EQ": expr.KeyEqual, "LT": expr.KeyLess, "LE": expr.KeyAtMost, "GT": expr.KeyGreater, "GE": expr.KeyAtLeast,
	"BETWEEN": expr.KeyBetween, "BEGINS_WITH": expr.KeyBeginsWith,
}

// keyConditions makes a key condition of KeyConditions.
func (d dialect) keyConditions(list []wire.Comparison) (*expr.KeyExpression, *wire.Error) {
	terms := make([]expr.KeyTerm, len(list))
	for i := range list {
		c := &list[i]
		if err := d.checkComparison(c); err != nil {
			return nil, err
		}
		t := expr.KeyTerm{Attribute: c.Attribute, Op: keyOps[c.Operator]}
		if len(c.Values) > 0 {
			t.Low = c.Values[0]
		}
		if len(c.Values) > 1 && t.Op == expr.KeyBetween {
			t.High = c.Values[1]
		}
		terms[i] = t
	}
	if len(terms) == 0 {
		return nil, d.invalid("Conditions can be of length 1 or 2 only")
	}
	return expr.NewKeyExpression(terms...), nil
}

// checkKeyOperators refuses operators that no index can serve, in conditions on its key; NE on the partition key is refused
// as those are that only a sort key can have.
func checkKeyOperators(list []wire.Comparison, schema expr.KeySchema) *wire.Error {
	find := func(name string) *wire.Comparison {
		i := slices.IndexFunc(list, func(c wire.Comparison) bool { return c.Attribute == name })
		if i < 0 {
			return nil
		}
		return &list[i]
	}
	if find(schema.Hash[0].Name) == nil { // told first
		return nil
	}
	for i, a := range attributesOf(schema) {
		c := find(a.Name)
		if c == nil || keyOps[c.Operator] != 0 || c.Operator == "NE" && i < len(schema.Hash) {
			continue
		}
		return wire.Invalid("Attempted conditional constraint is not an indexable operation")
	}
	return nil
}

// attributesToGet makes a projection of AttributesToGet; nil if there is none.
func (d dialect) attributesToGet(names []string) (*expr.Projection, *wire.Error) {
	if len(names) == 0 {
		return nil, nil
	}
	paths := make([]expr.Path, len(names))
	for i, n := range names {
		if err := d.attributeName(n); err != nil {
			return nil, err
		}
		if slices.Contains(names[:i], n) {
			return nil, d.invalid(inv + "Duplicate value in attribute name: " + n)
		}
		paths[i] = expr.Name(n)
	}
	return expr.Project(paths...), nil
}

// longNames are the types' names in messages about AttributeUpdates.
var longNames = [...]string{
	attr.KindS: "STRING", attr.KindN: "NUMBER", attr.KindB: "BINARY", attr.KindBOOL: "BOOLEAN", attr.KindNULL: "NULL",
	attr.KindM: "MAP", attr.KindL: "LIST", attr.KindSS: "STRING_SET", attr.KindNS: "NUMBER_SET", attr.KindBS: "BINARY_SET",
}

// attributeUpdates makes an update of AttributeUpdates; nil if there is none. late is about a type that ADD or DELETE does
// not take, which is told after the table was looked up and the update of key attributes was refused.
func (d dialect) attributeUpdates(list []wire.AttributeUpdate) (u *expr.Update, late, refused *wire.Error) {
	changes := make([]expr.Change, len(list))
	wrong := func(message string, kind attr.Kind) {
		if late == nil {
			late = d.invalid(inv + message + longNames[kind])
		}
	}
	for i := range list {
		u := &list[i]
		path := expr.Name(u.Attribute)
		if u.Bad != nil {
			return nil, nil, d.value(u.Bad)
		}
		if err := d.attributeName(u.Attribute); err != nil {
			return nil, nil, err
		}
		switch {
		case u.Value == nil && u.Action != "DELETE":
			return nil, nil, d.invalid(inv + "Only DELETE action is allowed when no attribute value is specified")
		case u.Value == nil:
			changes[i] = expr.Remove(path)
			continue
		}
		if u.Value.Depth() > attr.MaxDepth {
			return nil, nil, wire.Invalid(attr.ErrDepth.Error())
		}
		changes[i] = expr.Set(path, expr.Literal(*u.Value))
		switch kind := u.Value.Kind(); u.Action {
		case "ADD":
			switch kind {
			case attr.KindN, attr.KindSS, attr.KindNS, attr.KindBS:
				changes[i] = expr.Add(path, *u.Value)
			case attr.KindL: // appends
				empty := expr.IfNotExists(path, expr.Literal(attr.List()))
				changes[i] = expr.Set(path, expr.ListAppend(empty, expr.Literal(*u.Value)))
			default:
				wrong("ADD action is not supported for the type ", kind)
			}
		case "DELETE":
			switch kind {
			case attr.KindSS, attr.KindNS, attr.KindBS:
				changes[i] = expr.Delete(path, *u.Value)
			default:
				wrong("DELETE action with value is not supported for the type ", kind)
			}
		}
	}
	return expr.NewUpdate(changes...), late, nil
}
