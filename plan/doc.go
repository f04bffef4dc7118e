// Package plan holds a data model as Go values: tables and their indexes, what lies in them (item templates), and for
// every access pattern the plan that serves it, with the promise it was priced with.
//
// A [Model] is what a model file says, as text and names. [Compile] resolves it against the requirements it serves and
// proves what can be proven without data, each finding a [Problem] with the place in the document:
//
//   - which items can fall into the key range of each query; one that is not listed is an error;
//   - that no two kinds of items can have one key, that keys contain identities, and that templates write different
//     values differently wherever they must be told apart;
//   - that codecs keep the order that ranges and answers rely on;
//   - that every write keeps each copy, unique marker, counted number and index attribute that it touches, asks what it
//     must before it writes, and refuses with the codes of its pattern;
//   - that entities which lie in parts are made, changed and deleted as if each were one item, and that no read puts together
//     what was never true at once because a write changed several parts;
//   - that reads answer what is asked: all of it, in order, in pages, as fresh as demanded;
//   - that keys, items, tables and transactions stay within DynamoDB's limits, at the stated maxima
//     (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html).
//
// The result is a [Program]: immutable, safe for concurrent use, and without any I/O. A [Call] of one of its procedures
// is a machine that says which requests to send next, is told their results, and assembles the answer; the client
// library drives it, and so can anything else that speaks to DynamoDB. Package cost prices a program, package prove
// checks it against an oracle, package generate prints it; all of them read the same values.
//
// The code is in three parts. resolve*.go, steps.go, stage.go and reading.go turn text into resolved tables, items and
// steps; check*.go, with restrict.go, joins.go, lang.go and interval.go, prove; complete.go, elements.go, request*.go,
// call.go, pages.go, cut.go, late.go, pool.go and assemble.go run.
package plan
