// Package proofs has the test that proves models on DynamoDB Local as they are proven on the engine: the published model
// of the online shop, and what package design makes of each example. Every access pattern has to have the same verdict.
//
//	go test -v ./internal/peers/proofs
//
// The proof runs as `prove --endpoint` does. Between it and DynamoDB Local stands a mirror (mirror_test.go), which gives
// each request to an engine as well and compares the answers, one by one: what they hold, their errors, and what they
// consumed. Consumption may differ only as testdata/ledger.txt says, with the page or measurement that decides for the
// engine's figure; the proof then gets that figure, and DynamoDB Local's in all other cases.
//
// An entry of the ledger that is not needed any more fails the test, as a difference without an entry does.
package proofs
