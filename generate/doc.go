// Package generate writes what a model becomes outside Tablewright. So far these are two documents in Markdown:
//
//   - [Requirement], dynamodb_requirement.md: what the application needs, and what follows from it.
//   - [DataModel], dynamodb_data_model.md: tables, indexes, plans, cost, hot keys and the proof.
//
// Both are for people who have never seen the tool. Everything in them is computed from an [Input]: requirements,
// compiled model, price and evidence; nothing is ticked by hand, and a section that would be empty is not there. The same
// input gives the same bytes. What the designer notes about its decisions is put into sentences here: [Rule], [Remark],
// [Impossible], [Turns] and [Roles] serve whoever explains a model elsewhere, too.
//
// Where to start reading: generate.go (input and the Markdown writer), requirement.go and datamodel.go (the order of the
// two documents; every section is a function in a file named after it), describe.go (a plan in words), trips.go (how often
// a call waits).
package generate
