// Package sdk has the tests in which the AWS SDKs for Go (v2) and for JavaScript (v3) talk to the engine's HTTP server,
// as a program would to the service: the life of a table, items, queries, transactions, expiry, and errors as the
// types that the SDKs make of them. Neither SDK is configured beyond address, Region and credentials: what they check
// about an answer, such as its checksum, they check here.
package sdk
