// Package proofs has the test that proves models on DynamoDB Local as they are proven on the engine: the published model
// of the online shop, and what package design makes of each example. Every access pattern has to have the same verdict
// on both. What patterns consume may differ by what DynamoDB Local is known to charge otherwise, and by nothing else:
// internal/peers/differ/testdata/differences.txt has the sources, consumption_test.go the arithmetic.
package proofs
