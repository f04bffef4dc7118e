// Package surface holds what this module offers to its users against two rules: every exported name of the client's packages
// has a doc comment, and every exported function and method of them is used by a test.
package surface
