// Package sdk has the tests in which the AWS SDKs for Go (v2), JavaScript (v3) and Python (boto3) and the AWS CLI talk to
// `tablewright serve`, as a program would to the service. None of them is configured beyond address, Region and credentials:
// what they check about an answer, such as its checksum, they check here.
//
//	go test ./internal/peers/sdk      # -v: with the table of operations and clients
//
// Each client is answered every operation that the engine has: the tests fail where one is missing, by the servers' own
// counts (operations_test.go), unless the installed version of the client does not know it. Beside the lives of tables and
// items the tests have what clients add by themselves: pages, waiters, document clients and boto3's resources, errors of their
// own types with their members, new attempts after errors that pass and after answers that are lost or spoiled
// (faults_test.go), compression, signatures over TLS.
//
// The scripts are in testdata: *.mjs for JavaScript and *.py for Python are run by run.mjs and run.py there; commands.py has
// the commands of the AWS CLI. The program is built and started on an empty folder; at the end it has to stop at a signal,
// and what it leaves in the folder has to fit together. Where a test waits for items to expire, which the program looks for
// once a minute, or something is to go wrong, the engine's handler is served in the test's process instead. Node.js and
// Python are looked for as package peers says.
package sdk
