package expr

import "fmt"

// Rules about statements of PartiQL. What conditions, paths and updates in statements break are the rules of expressions,
// whose texts stand alone there. Where no other source is named a text is DynamoDB Local 3.3.1's, whose PartiQL is the
// service's own; of those that were captured on AWS nearly all are the same.
const (
	RuleStatement                Rule = 128 + iota // not in the grammar
	RuleStatementSize                              // longer than 8,192 characters
	RuleStatementOperation                         // no SELECT, INSERT, UPDATE, DELETE or EXISTS
	RuleStatementParameters                        // more ? than parameters
	RuleStatementToken                             // something of SQL that DynamoDB does not have
	RuleStatementClause                            // a clause of SQL that DynamoDB does not have
	RuleStatementAlias                             // AS
	RuleStatementProjection                        // SELECT VALUE
	RuleStatementColumn                            // something else than a path in the list of SELECT
	RuleStatementColumnTwice                       // two columns of one name
	RuleStatementEvery                             // a.* in the list of SELECT
	RuleStatementEveryPath                         // a.* elsewhere
	RuleStatementSource                            // something else than a name behind FROM
	RuleStatementSources                           // several tables
	RuleStatementSourceList                        // an element of a list behind FROM
	RuleStatementSourceSteps                       // a name of more than table and index
	RuleStatementSourceIndex                       // INSERT into an index
	RuleStatementOnIndex                           // UPDATE or DELETE on an index
	RuleStatementTableName                         // no name of a table or index
	RuleStatementNameEmpty                         // ""
	RuleStatementWhere                             // a value as condition
	RuleStatementAndOr                             // … of AND or OR
	RuleStatementNot                               // … of NOT
	RuleStatementOperator                          // an operator that conditions do not have
	RuleStatementOperatorUpdate                    // an operator that SET does not have
	RuleStatementFunction                          // no such function
	RuleStatementMissing                           // a comparison with MISSING
	RuleStatementIs                                // IS of something else than an attribute or value
	RuleStatementIsType                            // IS with a type that DynamoDB does not have
	RuleStatementIn                                // IN without a list
	RuleStatementOrderWhere                        // ORDER BY without WHERE
	RuleStatementOrder                             // ORDER BY something else than an attribute
	RuleStatementItem                              // INSERT of something else than a tuple
	RuleStatementAt                                // INSERT … AT
	RuleStatementReturningInsert                   // INSERT … RETURNING
	RuleStatementReturningStar                     // RETURNING without *
	RuleStatementReturningList                     // RETURNING of several things
	RuleStatementReturningDelete                   // DELETE … RETURNING anything but ALL OLD *
	RuleStatementTupleName                         // a name in a tuple that is no string
	RuleStatementTupleTwice                        // a name that a tuple has twice
	RuleStatementValue                             // something else than a value in a tuple or list
	RuleStatementIon                               // a literal of Ion
	RuleStatementBagEmpty                          // << >>
	RuleStatementBag                               // a set of anything but strings or numbers
	RuleStatementBagTwice                          // a set that has something twice
	RuleStatementSetFirst                          // set_add and set_delete of another attribute than is assigned
	RuleStatementSetSecond                         // … with something else than a set
	RuleStatementSetCount                          // … of more or less than two operands
	RuleStatementKey                               // a write without the whole key
	RuleStatementKeyTwice                          // two values for one key attribute
)

// statementForms is the table of texts of statements.
var statementForms = map[Rule]form{
	RuleStatement:                {format: "Statement wasn't well formed, can't be processed: %s"},
	RuleStatementSize:            {format: "Member must have length less than or equal to %d"},
	RuleStatementOperation:       {format: "Unsupported operation: %s"},
	RuleStatementParameters:      {format: "Number of parameters in request and statement don't match."},
	RuleStatementToken:           {format: "Unsupported token in expression: %s"},
	RuleStatementClause:          {format: "Unsupported clause: %s"},
	RuleStatementAlias:           {format: "Aliasing is not supported"},
	RuleStatementProjection:      {format: "Select projection doesn't support value or pivot keywords"},
	RuleStatementColumn:          {format: "Unexpected path component"}, // captured on AWS, 2026
	RuleStatementColumnTwice:     {format: "Duplicate identifiers in select clause: %s"},
	RuleStatementEvery:           {format: "Changing item's hierarchy while reading isn't supported"},
	RuleStatementEveryPath:       {format: "Unpivot path component like a.*.b are not supported"},
	RuleStatementSource:          {format: "Unexpected from source"},
	RuleStatementSources:         {format: "Only select from a single table or index is supported."},
	RuleStatementSourceList:      {format: "Invalid list expression in source."},
	RuleStatementSourceSteps:     {format: "A path may contain at most 2 components in the FROM clause"},
	RuleStatementSourceIndex:     {format: "FROM clause may only contain a single table name in data manipulation statements"}, // captured on AWS, 2026
	RuleStatementOnIndex:         {format: "This operation is not supported on an index"},                                      // captured on AWS, 2026
	RuleStatementTableName:       {format: "Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', '-', '_', '.'."},
	RuleStatementNameEmpty:       {format: "Path component cannot be an empty string"},
	RuleStatementWhere:           {format: "WHERE clause must contain an expression that resolves to a boolean"},
	RuleStatementAndOr:           {format: "The arguments to AND/OR must be Expressions"},
	RuleStatementNot:             {format: "The argument to NOT must be a Type or Expression"},
	RuleStatementOperator:        {format: "Unsupported operator in Condition Expression. Operator: %s"},
	RuleStatementOperatorUpdate:  {format: "Unsupported operator in Update Expression. Operator: %s"},
	RuleStatementFunction:        {format: "Unrecognized function: %s"},
	RuleStatementMissing:         {format: "MISSING must be compared using IS operator"},
	RuleStatementIs:              {format: "The left hand side argument to IS must be a Variable Reference, Literal, or Path"},
	RuleStatementIsType:          {format: "Unsupported data type for IS operator: %s. Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]"},
	RuleStatementIn:              {format: "IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq with at least one member"},
	RuleStatementOrderWhere:      {format: "Must have WHERE clause in the statement when using ORDER BY clause."},
	RuleStatementOrder:           {format: "Argument to ORDER BY must be of type VariableReference. Type: %s"},
	RuleStatementItem:            {format: "Unsupported format in item expression. Please use struct format {...} to express item values for insert statement."},
	RuleStatementAt:              {format: "AT is not supported in insert statements."},
	RuleStatementReturningInsert: {format: "RETURNING is not supported in INSERT"},
	RuleStatementReturningStar:   {format: "Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause"},
	RuleStatementReturningList:   {format: "Invalid syntax with multiple returning elements in RETURNING clause"},
	RuleStatementReturningDelete: {format: "Invalid returning clause: %s. Only RETURNING ALL OLD * is allowed in DELETE statements."}, // captured on AWS, 2026
	RuleStatementTupleName:       {format: "Tuple keys must be of type String. Actual type: %s under root"},
	RuleStatementTupleTwice:      {format: "Duplicate keys in tuple. Key: %s under %s"},
	RuleStatementValue:           {format: "Unsupported data type: %s under key %s"},
	RuleStatementIon:             {format: "Ion Literals are not supported: %s under key %s"},
	RuleStatementBagEmpty:        {format: "Empty bags are not supported"},
	RuleStatementBag:             {format: "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"},
	RuleStatementBagTwice:        {format: "Input collection contains duplicates"},
	RuleStatementSetFirst:        {format: "The first argument to %s must equal the assignment value"},
	RuleStatementSetSecond:       {format: "The second argument to %s must be a value with type SET"},
	RuleStatementSetCount:        {format: "%s must have exactly two arguments"},
	RuleStatementKey:             {format: "Where clause does not contain a mandatory equality on all key attributes"}, // captured on AWS, 2026
	RuleStatementKeyTwice:        {format: "Multiple conditions on same key %s. Only single item Update/Insert/Delete are supported"},
}

// form is the rule's text.
func (r Rule) form() form {
	if r >= RuleStatement {
		return statementForms[r]
	}
	return forms[r]
}

// at is fail for a rule of statements, with the place where it is broken.
func (r Rule) at(place sqlPlace, args ...any) *Error {
	err := r.fail(PartiQL, args...)
	err.Message += fmt.Sprintf(" at %d:%d:%d", place.line, place.column, place.length)
	return err
}
