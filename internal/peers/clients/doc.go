// Package clients measures the client beside others: the AWS SDK with its package attributevalue, and guregu/dynamo. All
// send the same operations to the same canned HTTP answers in the same run, so that what is compared is the client alone:
// building, signing and sending a request, reading and decoding the answer.
//
//	cd internal/peers/clients
//	go test -bench . -benchmem          # the figures
//	go test -run TestReport -timeout 30m -report ../../../docs/performance.md   # on a machine that does nothing else
//
// Package compare, below, has whole programs written with the three, which docs/comparison.md shows.
//
// It is a module of its own so that nobody who uses the library downloads its competitors.
package clients
