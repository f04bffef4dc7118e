// Package keysinuse holds the tests of keys as programs use them: declared entities whose keys are composite, sharded,
// bucketed, inverted, padded or one of a kind, read and written through the client on the embedded engine.
package keysinuse
