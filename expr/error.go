package expr

import "fmt"

// Kind is one of the five kinds of expression, or PartiQL. Condition, filter and key condition expressions have one grammar.
type Kind uint8

// The kinds, named as the request parameters are.
const (
	ConditionExpression Kind = iota + 1
	FilterExpression
	KeyConditionExpression
	ProjectionExpression
	UpdateExpression
	PartiQL // a statement, or a part of one
)

var kindNames = [...]string{"", "ConditionExpression", "FilterExpression", "KeyConditionExpression", "ProjectionExpression", "UpdateExpression", "PartiQL"}

// String is the name of the request parameter; PartiQL is none.
func (k Kind) String() string { return kindNames[k] }

// Error is a refusal by DynamoDB's rules; the service answers it as a ValidationException.
type Error struct {
	Kind    Kind   // 0: the substitutions, not one expression
	Rule    Rule   // the rule that was broken
	Message string // DynamoDB's text, without Prefix
	At      int    // where in the text the mistake is, in bytes from 1; 0 if no place in a text is to blame, and for statements
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

// Prefix is what PutItem, UpdateItem and DeleteItem put before many messages since 2026 (see Rule.Prefixed).
const Prefix = "1 validation error detected: "

// Rule names a rule of the language. Every rule has one text, in one table; texts were measured on AWS where it could be
// done, the others are DynamoDB Local's.
type Rule uint8

// Rules about the substitutions of a request.
const (
	RuleNamesEmpty         Rule = iota + 1 // ExpressionAttributeNames is there and has no entry
	RuleValuesEmpty                        // ExpressionAttributeValues is there and has no entry
	RuleNameSyntax                         // a key of ExpressionAttributeNames is no #name
	RuleNameKeyEmpty                       // … is ""
	RuleNameKeyLong                        // … is longer than 255 bytes
	RuleNameEmpty                          // the attribute name behind a #name is ""
	RuleNameLong                           // … is longer than 65,535 bytes
	RuleValueSyntax                        // a key of ExpressionAttributeValues is no :name
	RuleValueKeyEmpty                      // … is ""
	RuleValueKeyLong                       // … is longer than 255 bytes
	RuleNamesSize                          // names with their placeholders have more than 2 MB
	RuleValuesSize                         // values with their placeholders have more than 2 MB
	RuleNamesUnspecified                   // names without any expression
	RuleValuesUnspecified                  // values without an expression that can have values
	RuleNamesUnused                        // names that no expression uses
	RuleValuesUnused                       // values that no expression uses
	RuleSize                               // an expression is longer than 4,096 bytes
	RuleEmpty                              // an expression is ""
	RuleSyntax                             // the text is not in the language
	RuleParentheses                        // ((…))
	RuleFunctionUnknown                    // no such function; names are case-sensitive
	RuleFunctionCondition                  // a function of update expressions in a condition
	RuleFunctionUpdate                     // a function of conditions in an update expression
	RuleFunctionUse                        // a condition as operand, an operand as condition
	RuleReserved                           // a reserved word as attribute name
	RuleIndex                              // a list index beyond 4,294,967,294
	RuleNameUndefined                      // #name without entry
	RuleValueUndefined                     // :name without entry
	RuleNesting                            // a path of more than 32 steps
	RuleOperandCount                       // too few or many operands for a function
	RuleOperandPath                        // an operand must be a path
	RuleOperandType                        // a literal operand has a type that the operator or function does not take
	RuleOperandTypeUpdate                  // … that ADD or DELETE does not take
	RuleOperandDistinct                    // an operand is repeated
	RuleAttributeType                      // the second operand of attribute_type names no type
	RuleBetweenType                        // literal bounds of BETWEEN have different types
	RuleBetweenOrder                       // literal bounds of BETWEEN are the wrong way round
	RuleInCount                            // more than 100 operands of IN
	RuleOperatorCount                      // more than 300 operators and functions
	RuleSectionTwice                       // SET, REMOVE, ADD or DELETE for the second time
	RuleOverlap                            // two paths, one of them leading to or through the other
	RuleConflict                           // two paths that cannot both exist
	RuleValue                              // a literal without value; only what was built in Go can have one
	RuleKeyOperator                        // an operator that key conditions do not take
	RuleKeyNestedOperation                 // a function as operand
	RuleKeyNestedPath                      // a path into an attribute
	RuleKeySeveralNames                    // a comparison of two attributes
	RuleKeyNoName                          // a comparison of two values
	RuleKeyFirst                           // BETWEEN or begins_with with the attribute elsewhere than first
	RuleKeyTwice                           // two conditions on one attribute
	RuleKeyLength                          // more than two conditions on a key of two attributes
	RuleKeyMissing                         // a condition on something else than the key
	RuleKeyUnsupported                     // the partition key is not fixed
	RuleKeyHash                            // HASH attributes without =, of a multi-attribute key
	RuleKeyRange                           // a gap in RANGE attributes, of a multi-attribute key
	RuleKeyType                            // a value whose type is not the key attribute's
	RuleKeyEmpty                           // an empty string or binary for a table's key
	RuleKeyEmptyIndex                      // an empty string or binary for an index key
	RuleKeySize                            // a value that is too long for a sort key
	RuleAttributeMissing                   // at run time: an attribute to read does not exist
	RuleOperandTypeStored                  // at run time: a stored attribute has a type that does not fit
	RulePath                               // at run time: a path whose parent does not exist or is of another type
	RuleNumber                             // at run time: a sum out of range or of too many digits
	RuleItemSize                           // at run time: lists are put together that no item has room for
)

// form is how a rule's text is made and where Prefix may stand before it.
type form struct {
	format string
	head   bool // "Invalid <Kind>: " comes first
	bare   bool // never behind Prefix
}

// forms is the one table of texts. Which messages PutItem, UpdateItem and DeleteItem answer behind Prefix was captured on
// AWS in 2026 for most static rules; it is taken to hold for all rules that are checked without looking at the table. What
// needs the table or the item is answered bare by every operation.
var forms = [...]form{
	RuleNamesEmpty:         {format: "ExpressionAttributeNames must not be empty"},
	RuleValuesEmpty:        {format: "ExpressionAttributeValues must not be empty"},
	RuleNameSyntax:         {format: `ExpressionAttributeNames contains invalid key: Syntax error; key: "%s"`},
	RuleNameKeyEmpty:       {format: "ExpressionAttributeNames contains invalid key: The expression attribute map contains an empty key;"},
	RuleNameKeyLong:        {format: "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: %d"},
	RuleNameEmpty:          {format: "ExpressionAttributeNames contains invalid value: Empty attribute name for key %s"},
	RuleNameLong:           {format: "ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes for key %s"},
	RuleValueSyntax:        {format: `ExpressionAttributeValues contains invalid key: Syntax error; key: "%s"`},
	RuleValueKeyEmpty:      {format: "ExpressionAttributeValues contains invalid key: The expression attribute map contains an empty key;"},
	RuleValueKeyLong:       {format: "ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too long;"},
	RuleNamesSize:          {format: "ExpressionAttributeNames exceeds max size"},
	RuleValuesSize:         {format: "ExpressionAttributeValues exceeds max size"},
	RuleNamesUnspecified:   {format: "ExpressionAttributeNames can only be specified when using expressions"},
	RuleValuesUnspecified:  {format: "ExpressionAttributeValues can only be specified when using expressions: %s null"},
	RuleNamesUnused:        {format: "Value provided in ExpressionAttributeNames unused in expressions: keys: {%s}"},
	RuleValuesUnused:       {format: "Value provided in ExpressionAttributeValues unused in expressions: keys: {%s}"},
	RuleSize:               {format: "Expression size has exceeded the maximum allowed size;%s", head: true},
	RuleEmpty:              {format: "The expression can not be empty;", head: true},
	RuleSyntax:             {format: `Syntax error; token: "%s", near: "%s"`, head: true},
	RuleParentheses:        {format: "The expression has redundant parentheses;", head: true},
	RuleFunctionUnknown:    {format: "Invalid function name; function: %s", head: true},
	RuleFunctionCondition:  {format: "The function is not allowed in a condition expression; function: %s", head: true},
	RuleFunctionUpdate:     {format: "The function is not allowed in an update expression; function: %s", head: true},
	RuleFunctionUse:        {format: "The function is not allowed to be used this way in an expression; function: %s", head: true},
	RuleReserved:           {format: "Attribute name is a reserved keyword; reserved keyword: %s", head: true},
	RuleIndex:              {format: "List index is not within the allowable range; index: [%s]", head: true},
	RuleNameUndefined:      {format: "An expression attribute name used in the document path is not defined; attribute name: %s", head: true},
	RuleValueUndefined:     {format: "An expression attribute value used in expression is not defined; attribute value: %s", head: true},
	RuleNesting:            {format: "The document path has too many nesting levels; nesting levels: %d", head: true},
	RuleOperandCount:       {format: "Incorrect number of operands for operator or function; operator or function: %s, number of operands: %d", head: true},
	RuleOperandPath:        {format: "Operator or function requires a document path; operator or function: %s", head: true},
	RuleOperandType:        {format: "Incorrect operand type for operator or function; operator or function: %s, operand type: %s", head: true},
	RuleOperandTypeUpdate:  {format: "Incorrect operand type for operator or function; operator: %s, operand type: %s", head: true},
	RuleOperandDistinct:    {format: "The first operand must be distinct from the remaining operands for this operator or function; operator: %s, first operand: %s", head: true},
	RuleAttributeType:      {format: "Invalid attribute type name found; type: %s, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}", head: true},
	RuleBetweenType:        {format: "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: %s, upper bound operand: AttributeValue: %s", head: true},
	RuleBetweenOrder:       {format: "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: %s, upper bound operand: AttributeValue: %s", head: true},
	RuleInCount:            {format: "The IN operator is provided with too many operands; number of operands: %d", head: true},
	RuleOperatorCount:      {format: "The expression contains too many operators; operator count: %d", head: true},
	RuleSectionTwice:       {format: `The "%s" section can only be used once in an update expression;`, head: true},
	RuleOverlap:            {format: "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: %s, path two: %s", head: true},
	RuleConflict:           {format: "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: %s, path two: %s", head: true},
	RuleValue:              {format: "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes", bare: true},
	RuleKeyOperator:        {format: "Invalid operator used in KeyConditionExpression: %s", bare: true},
	RuleKeyNestedOperation: {format: "KeyConditionExpressions cannot contain nested operations", head: true},
	RuleKeyNestedPath:      {format: "KeyConditionExpressions cannot have conditions on nested attributes", head: true},
	RuleKeySeveralNames:    {format: "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition", bare: true},
	RuleKeyNoName:          {format: "Invalid condition in KeyConditionExpression: No key attribute specified", bare: true},
	RuleKeyFirst:           {format: "Invalid condition in KeyConditionExpression: %s operator must have the key attribute as its first operand", bare: true},
	RuleKeyTwice:           {format: "KeyConditionExpressions must only contain one condition per key", head: true},
	RuleKeyLength:          {format: "Conditions can be of length 1 or 2 only", bare: true},
	RuleKeyMissing:         {format: "Query condition missed key schema element: %s", bare: true},
	RuleKeyUnsupported:     {format: "Query key condition not supported", bare: true},
	RuleKeyHash:            {format: "HASH key attributes %s must have equality conditions specified in the query", bare: true},
	RuleKeyRange:           {format: "RANGE key attributes %s must have equality conditions specified in the query because a condition is present on key attribute %s", bare: true},
	RuleKeyType:            {format: "One or more parameter values were invalid: Condition parameter type does not match schema type", bare: true},
	RuleKeyEmpty:           {format: "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", bare: true},
	RuleKeyEmptyIndex:      {format: "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s", bare: true},
	RuleKeySize:            {format: "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes", bare: true},
	RuleAttributeMissing:   {format: "The provided expression refers to an attribute that does not exist in the item", bare: true},
	RuleOperandTypeStored:  {format: "An operand in the update expression has an incorrect data type", bare: true},
	RulePath:               {format: "The document path provided in the update expression is invalid for update", bare: true},
	RuleNumber:             {format: "%s", bare: true},
	RuleItemSize:           {format: "Item size to update has exceeded the maximum allowed size", bare: true},
}

// Prefixed reports whether PutItem, UpdateItem and DeleteItem answer the rule's message behind Prefix. All other
// operations, batches and transactions included, answer it bare.
func (r Rule) Prefixed() bool { return !r.form().bare }

// fail makes the error of a broken rule. k is 0 for rules about substitutions.
func (r Rule) fail(k Kind, args ...any) *Error {
	f := r.form()
	text := f.format
	if len(args) > 0 {
		text = fmt.Sprintf(f.format, args...)
	}
	if f.head && k != PartiQL {
		text = "Invalid " + k.String() + ": " + text
	}
	return &Error{Kind: k, Rule: r, Message: text}
}

// from is the error with the place of its mistake, unless a narrower one is known.
func (e *Error) from(at int32) *Error {
	if e != nil && e.At == 0 {
		e.At = int(at)
	}
	return e
}

// nowhere is an error about what was built in Go, of which some may have stood in texts.
func (e *Error) nowhere() *Error {
	if e != nil {
		e.At = 0
	}
	return e
}

// result turns the package's own error type into error, so that no error is nil and not a nil *Error.
func result(err *Error) error {
	if err == nil {
		return nil
	}
	return err
}
