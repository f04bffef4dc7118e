// Package expr is DynamoDB's expression language: it reads, checks, evaluates, builds and prints condition, filter, key
// condition, projection and update expressions, with the service's own limits and error texts. It knows no tables and sends
// nothing; it is of use to an engine, a client, a proxy, a rule engine.
//
// # Reading
//
// The parameters of one request share their placeholders, so one [Substitutions] goes to the parsers of all its expressions,
// and afterwards tells which placeholder none of them used:
//
//	s := expr.NewSubstitutions(request.ExpressionAttributeNames, request.ExpressionAttributeValues)
//	err := s.Check()                                                     // the maps themselves
//	update, err := expr.ParseUpdate(request.UpdateExpression, s)
//	condition, err := expr.ParseCondition(request.ConditionExpression, s)
//	err = s.Unused()
//	if condition.Eval(item) { after, written, err := update.Apply(item) }
//
// [ParseFilter], [ParseProjection] and [ParseKeyCondition] read the others. A key condition is fitted to a [KeySchema], of a
// table or of an index with up to four HASH and four RANGE attributes; [ParseKey] is the part of it that needs no schema.
//
// What was parsed has names and values resolved. It is immutable, independent of the Substitutions and safe to share; a nil
// *[Condition], *[Update] or *[Projection] stands for a parameter that is not there, and all methods take it.
//
// # PartiQL
//
// [ParseStatement] reads a statement of PartiQL with its parameters. Its WHERE is a [*Condition], its SET and REMOVE are an
// [*Update]: the same trees, with the same meaning and limits.
//
//	s, err := expr.ParseStatement("UPDATE tbl SET n = n + 1 WHERE pk = ? AND n < 5", []attr.Value{attr.Text("a")})
//	key, rest, err := s.Where.Key([]string{"pk"})       // the item that is written, and what it depends on
//	boxes, ok := s.Where.Boxes(schema)                  // the partitions that a SELECT leads to; else all is scanned
//
// [ParseOutline] reads what it says whatever its parameters are.
//
// # Errors
//
// All errors are [*Error]. Of several mistakes the first is reported that the service would report; its text is the service's.
// Since 2026 PutItem, UpdateItem and DeleteItem put [Prefix] before most of them, other operations do not: the caller decides,
// [Rule.Prefixed] tells which texts are meant.
//
// # Building
//
// [Equal], [And], [Set], [Project] and their like make the same trees in Go, and a [Printer] writes them for a request:
//
//	c := expr.And(expr.Exists(expr.Name("pk")), expr.Less(expr.Name("stock"), expr.Literal(attr.Num(attr.Int(5)))))
//	text, err := p.AppendCondition(nil, c)      // attribute_exists(#0) AND #1 < :0
//
// Nothing is checked while building; printing checks everything, as the service would. What is printed is read as the tree
// it was made of.
//
// # What surprises
//
//   - A missing attribute makes every comparison false, but <> true; NOT turns that around. Types do not mix: 1 and "1" are
//     unequal and have no order.
//   - The same goes for a stored attribute of a type that an operator does not take, while a literal of such a type is an
//     error, before any item is looked at.
//   - An update reads the item before it: SET a = b, b = a swaps. List elements are meant as they were numbered before.
//   - if_not_exists and + look at stored types at run time, so an update may fail for one item and not for another.
//   - String of the types here writes names in full and never a value, so that it can be logged.
//
// # Inside
//
// A text goes through lexer.go and syntax.go into a syntax tree, through names.go, then through resolve.go into the trees of
// condition.go, update.go and projection.go; check.go holds what both parsed and built trees are checked for, error.go the one
// table of texts. A statement goes through partiql_lexer.go, partiql_syntax.go and partiql_clauses.go into a syntax tree of its
// own, and from there through partiql_statement.go, partiql_where.go and partiql_update.go into the same trees; its texts are in
// partiql_error.go. Cases are in testdata, as text.
package expr
