// Package engine is a DynamoDB of its own: it answers the service's operations with the service's results, messages and
// consumed capacity, in memory or durably in a directory.
//
//	e, err := engine.Open("", nil) // in memory; or Open("data", nil)
//	answer, err := e.Do(ctx, "PutItem", []byte(`{"TableName":"Books","Item":{"isbn":{"S":"…"}}}`))
//	http.ListenAndServe("127.0.0.1:8000", e.Handler()) // for any SDK
//
// Do and the Handler take and answer the same bytes. Errors are *wire.Error. The client library of this module works on an
// engine in the same process through tablewright.New(tablewright.InProcess(e), tablewright.Options{}).
//
// An Engine lives until Close, which waits for what runs. A directory belongs to one Engine at a time; killed at any moment
// and opened again, it has everything that was answered, transactions and batches whole.
//
// # How it works
//
// An operation has a file of its own. It decodes the request (package wire), checks what can be checked without tables
// (request.go), finds the table (catalog.go), checks keys (keycheck.go) and then reads in a consistent view or writes in
// an update of the store (internal/kv). Updates run one after another, so that transactions are serializable and a
// condition holds until its write is done; each checks everything before it writes anything. Durable updates that wait at
// the same time share one commit, and are answered after it is on disk.
//
// Items are stored as JSON under keys that sort as DynamoDB sorts (stored.go, keys.go): a query is one range read whose
// values are copied to the answer. write.go has what every write does to a table and its indexes.
//
// Indexes may lag as the service's do (Options.Lag). Items expire by a sweep (expire.go). Check looks whether everything
// in the data fits together.
//
// # What it leaves out
//
// Streams are described, not kept. The parameters from before expressions, PartiQL, backups, global tables and resource
// policies are refused. Nothing is throttled, and no request needs a signature.
package engine
