//go:build !race

package compare_test

const many = 10_000 // items of the batch
