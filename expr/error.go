package expr

// Kind is one of the five kinds of expression. Condition and filter expressions have one grammar and differ in the word
// that messages use.
type Kind uint8

// The kinds, named as the request parameters are.
const (
	ConditionExpression Kind = iota + 1
	FilterExpression
	KeyConditionExpression
	ProjectionExpression
	UpdateExpression
)

var kindNames = [...]string{"", "ConditionExpression", "FilterExpression", "KeyConditionExpression", "ProjectionExpression", "UpdateExpression"}

// String is the name of the request parameter.
func (k Kind) String() string { return kindNames[k] }

// Error is a refusal by DynamoDB's rules; the service answers it as a ValidationException.
type Error struct {
	Kind    Kind   // 0: the substitutions, not one expression
	Rule    Rule   // which rule was broken: decides whether an operation puts Prefix before the message
	Message string // DynamoDB's text, without Prefix
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

// Prefix is what PutItem, UpdateItem and DeleteItem put before many messages since 2026 (see Rule.Prefixed).
const Prefix = "1 validation error detected: "

// Rule names a rule of the language, one per message.
type Rule uint8

// Prefixed reports whether PutItem, UpdateItem and DeleteItem answer the rule's message behind Prefix. All other
// operations answer it bare.
func (r Rule) Prefixed() bool { panic("expr: to be written") }
