// Package graphql holds package relay against a GraphQL library that people use, graph-gophers/graphql-go: a schema with
// connections and an edge that a loader serves, on the engine.
package graphql
