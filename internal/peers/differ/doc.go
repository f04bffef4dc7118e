// Package differ has the test that gives the engine and DynamoDB Local the same generated requests and compares all that
// they answer: items, order, pages, errors and their messages, reasons of cancelled transactions, consumed capacity.
//
//	go test ./internal/peers/differ                              // some thousand requests, always the same ones
//	go test ./internal/peers/differ -requests 50000 -seed 7      // more and other ones
//
// Run it so, long, when either side has changed. What differs has to match a rule of testdata/differences.txt, which says by which page of DynamoDB's documentation or
// which measurement the engine is right; everything else fails the test. In a long run a rule without use fails it,
// too: DynamoDB Local may have changed its mind, or the engine.
//
// The test has these parts: tables_test.go (the tables), values_test.go and expressions_test.go (what requests are made
// of), requests_test.go (requests, valid and not), compare_test.go (what counts as equal), rules_test.go (the file of
// differences) and differ_test.go, which runs it all. Both sides are kept at the same items: after a difference over
// whether a write happens, DynamoDB Local is given the engine's items.
package differ
