//go:build race

package compare_test

const many = 2_000 // items of the batch: the race detector makes each of them ten times as slow
