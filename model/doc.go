// Package model reads and writes the two documents of Tablewright, in YAML or JSON: the requirements of an
// application, and the data model that serves them.
//
// [LoadRequirements] reads a requirements file: what an application keeps, how often it reads and writes it, and no
// table, key or index. The result is a [spec.Requirements] in which every name is looked up and every default, count,
// size and share filled in, or, if that cannot be, diagnostics. [Starter] is a file to begin with, [RequirementsSchema]
// what an editor needs to complete and check one.
//
// [LoadModel] reads a model file, written by hand, imported or designed: tables, what lies in them, one plan for each
// access pattern. [CompileModel] proves it against its requirements and gives every problem its place in the file;
// [AppendModel] writes a model, always the same bytes for the same model, so that it reads back as it was.
//
// # Diagnostics
//
// Everything that is wrong with a document is reported at once, each finding with its place, a stable code and what to
// do about it:
//
//	requirements.yaml:12:11: error: there is no entity Oder (unknown-name)
//	   12 |     read: Oder
//	      |           ^~~~
//	      = did you mean Order?
//
// Nothing is guessed silently. What leaves the result open is an error: a pattern without a rate, an entity that no
// pattern creates, a relationship that a pattern goes without its number of children. What leaves it doubtful is a
// warning, which the file can accept with a reason. [Codes] lists them all. What follows from another error is not
// reported.
//
// # How a document is read
//
// YAML and JSON become one tree of nodes that know their places ([Source]); scalars are text. The tree is decoded into
// plain Go structs whose tags say keys, short forms, descriptions and examples: messages and JSON Schema come from the
// same tags. Only then are names resolved. Reading never fails half-way: there are requirements, or errors.
package model
