// Package differ has the tests that give the engine and DynamoDB Local the same requests and compare all that they
// answer: items, order, pages, errors and their messages, reasons of cancelled transactions, consumed capacity, what
// tables are, and what streams tell.
//
//	go test ./internal/peers/differ                                           // some thousand requests, always the same ones
//	TABLEWRIGHT_DIFFER_REQUESTS=50000 go test ./internal/peers/differ         // more of each kind
//	go test ./internal/peers/differ -args -requests 50000 -seed 7             // and other ones
//	go test ./internal/peers/differ -run /statements -args -requests 90000    // of one part: requests, statements, lives
//	go test ./internal/peers/differ -args -seed 7 -check                      // items are compared after every write
//	go test ./internal/peers/differ -args -requests 9000 -dump all.tsv        // with every difference, listed ones too
//
// What differs has to match an entry of testdata/differences.txt (of statements.txt for PartiQL, of lives.txt for the lives
// of tables), which says by which page of DynamoDB's documentation or which measurement the engine is right; package ledger
// describes its form. Everything else fails the test with the smallest request found that is answered so, and so does, in the
// usual run, an entry that explains nothing any more: DynamoDB Local may have changed its mind, or the engine. Requests that
// an entry needs in order to be met, and that are rarely generated, stand in testdata/requests.txt and
// statement_requests.txt and come first.
//
// Run it long when either side has changed. Where a difference comes up, find out what the service does before anything
// else; where that cannot be found out, the entry says "undecided".
//
// TestAgainstLocal (differ_test.go) has three parts, on the same two servers. Requests are made of tables_test.go (the
// tables), values_test.go and expressions_test.go; requests_test.go has the valid ones, legacy_test.go those with the
// parameters from before expressions, mistakes_test.go what goes wrong in them, sequences_test.go parallel scans and
// transactions with tokens, and mutations_test.go changes one place in a request that both sides take: whether members then
// still have the types that the API's model gives them is known without either side. Statements (statements_test.go, statement_conditions_test.go) are made
// word by word, and mistakes are made in their words. Lives (lives_test.go) make, change and delete tables. Both sides are
// kept at the same items: after a difference over whether a write happens, DynamoDB Local is given the engine's items. All
// tables have streams, which are read along (streams_test.go).
package differ
