// Package plan holds a data model as Go values: tables and their indexes, what lies in them (item templates), and for
// every access pattern the plan that serves it, with the promise it was priced with. [Compile] resolves a model
// against the requirements it serves, proves what can be proven without data, and gives a [Program] that the client
// library runs, package cost prices and package generate prints.
package plan
