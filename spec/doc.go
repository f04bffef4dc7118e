// Package spec holds what an application needs of its data as Go values: entities and their attributes, the
// relationships between them, and the access patterns with their rates. It also holds the small language in which
// requirements and plans state values, conditions and paths (see [ParseCondition], [ParseValue], [ParsePath]).
//
// Values of this package are resolved: every name has been looked up, every default applied, every count, size and
// share filled in. Package model reads them from a requirements file and reports what is wrong with it; the client
// library makes the same values from Go struct declarations.
//
// Logical values are attr.Values in the form in which they are stored without a template: string, enum and state S,
// number N, bool BOOL, binary B, timestamp S as 2026-11-21T09:04:00.000Z, date S as 2026-11-21, map M, list L, set
// SS, NS or BS. An entity is an attr.Item of its attributes; children and related entities inside it stand under the
// names of the ways that lead to them.
package spec
