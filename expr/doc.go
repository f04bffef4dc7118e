// Package expr is DynamoDB's expression language: it reads, checks, evaluates, builds and prints condition, filter, key
// condition, projection and update expressions, with the service's own limits and error texts.
package expr
