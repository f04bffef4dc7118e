// Package spec holds what an application needs of its data as Go values: entities and their attributes, the
// relationships between them, and the access patterns with their rates ([Requirements]). It also holds the small
// language in which requirements and plans state values, conditions and paths, and evaluates it.
//
// Values of this package are resolved: every name has been looked up, every default applied, every count, size and
// share filled in. Package model reads them from a requirements file and reports what is wrong with it.
//
// # Logical values
//
// Logical values are attr.Values in the form in which they are stored without a template: string, enum and state S,
// number N, bool BOOL, binary B, timestamp S as 2026-11-21T09:04:00.000Z, date S as 2026-11-21, map M, list L, set
// SS, NS or BS. An entity is an attr.Item of its attributes; children and related entities inside it stand under the
// names of the ways that lead to them.
//
// # The language
//
// Text becomes a tree ([ParseValue], [ParseCondition], [ParsePath], [ParseReference]), whose String is text again that
// parses back to the same tree. A [Scope] looks up the names in it, checks types, and turns bare names of states and
// enum values into literals. [Eval] and [Holds] compute it over a logical value and an [Env]: the one evaluator for
// oracle, plans and client. In short:
//
//	value      = term { (" + " | " - ") term }
//	term       = [ "-" ] number | duration | 'text' | true | false | now | $reference | path
//	           | append(path, value) | prepend(path, value) | if_missing(path, value)      (in `set`)
//	           | larger(value, value) | smaller(value, value)                                    (of known values; one that is absent gives way)
//	condition  = tests with and, or, not, ( ); and binds more tightly than or, not more tightly than and
//	test       = path (= != < <= > >=) value | path between value and value | path in (value, …)
//	           | path in before(value) | exists(path) | absent(path) | begins_with(path, value)
//	           | contains(path, value) | size(path) (= != < <= > >=) value | present | absent
//
// What hurts: a dash belongs to a name, so a minus has spaces around it; a quote inside 'text' is doubled; a test on an
// absent attribute is false, also !=, and `not` makes it true; no arithmetic touches a path in a condition, because
// DynamoDB has none there (Expressions.OperatorsAndFunctions in the developer guide).
//
// Errors about texts are [*Error]: they say at which byte, and what to write instead.
package spec
