// Package sdk has the tests in which the AWS SDKs for Go (v2), for JavaScript (v3) and for Python (boto3) talk to `tablewright serve`, as a
// program would to the service: the life of a table, items, queries, transactions, streams, expiry, errors as the types that the
// SDKs make of them, and the document client. None of the SDKs is configured beyond address, Region and credentials: what they
// check about an answer, such as its checksum, they check here.
//
//	go test ./internal/peers/sdk
//
// The program is built and started on an empty folder; at the end it has to stop at a signal, and what it leaves in the
// folder has to fit together. Where a test waits for items to expire, which the program looks for once a minute, or
// spoils an answer on its way, the engine's handler is served in the test's process instead. Node.js is looked for as
// package peers says.
package sdk
