// Package clienttest tests the client as a program of another module uses it: what has no test beside its own code. Tests that
// declare kinds of items of their own go here, or into another small package, rather than beside the client: the compiler makes
// some thousand functions of each kind, and the client's own tests have dozens of them already.
package clienttest
