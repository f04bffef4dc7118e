// Package norace lets tests that are long, and not about races, run without the race detector while everything else runs
// with it: the detector makes a proof take eight times as long.
//
//	func TestProofs(t *testing.T) {
//		if !norace.Here(t) {
//			return // it has run in a binary of its own
//		}
//		…
//	}
//
// Under `go test` such a test is like any other. Under `go test -race` its package is built once more without the detector,
// and the test runs there with the same flags; its verdict and output are taken over. What runs concurrently must be tested
// under the detector as well, by a smaller test.
package norace
