// Package differ has the test that gives the engine and DynamoDB Local the same requests and compares all that they
// answer: items, order, pages, errors and their messages, reasons of cancelled transactions, consumed capacity.
//
//	go test ./internal/peers/differ                                           // some thousand requests, always the same ones
//	go test ./internal/peers/differ -args -requests 50000 -seed 7             // more and other ones
//	go test ./internal/peers/differ -args -requests 9000 -dump all.tsv        // with every difference, listed ones too
//
// What differs has to match an entry of testdata/differences.txt, which says by which page of DynamoDB's documentation or
// which measurement the engine is right; package ledger describes its form. Everything else fails the test, and so does
// an entry that explains nothing any more: DynamoDB Local may have changed its mind, or the engine. Requests that an entry
// needs in order to be met, and that are rarely generated, stand in testdata/requests.txt and come first.
//
// Run it long when either side has changed. Where a difference comes up, find out what the service does before anything
// else; where that cannot be found out, the entry says "undecided".
//
// The test has these parts: tables_test.go (the tables), values_test.go and expressions_test.go (what requests are made
// of), requests_test.go (valid requests), mistakes_test.go (what goes wrong in them) and differ_test.go, which runs it
// all. Both sides are kept at the same items: after a difference over whether a write happens, DynamoDB Local is given the
// engine's items.
package differ
