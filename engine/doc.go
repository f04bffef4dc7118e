// Package engine is a DynamoDB of its own: it answers the service's operations with the service's results, messages and
// consumed capacity, in memory or durably in a directory.
//
//	e, err := engine.Open("", nil) // in memory; or Open("data", nil)
//	answer, err := e.Do(ctx, "PutItem", []byte(`{"TableName":"Books","Item":{"isbn":{"S":"…"}}}`))
//	httptest.NewServer(e.Handler()) // for any SDK; tablewright serve is the same as a program
//
// Do and the Handler take and answer the same bytes. Errors are *wire.Error. The client library of this module works on an
// engine in the same process through tablewright.New(tablewright.InProcess(e), tablewright.Options{}). An Engine lives until
// Close. The Handler takes requests for any host: a server that only listens on a loopback address is still reached from
// web pages whose names resolve to it, unless it looks at the Host header, as the command tablewright serve does.
//
// # Durability
//
// In a directory a write is answered after it is on disk; NoSync in Options gives that up for speed. The directory belongs
// to one Engine at a time. Killed at any moment and opened again it has everything that was answered, and of what was not
// answered a transaction or batch as a whole or nothing; so it has after a loss of power. An index that was being filled is
// filled again from the beginning, entries that a Lag held back still wait. In memory all is gone with Close, which waits for
// what runs.
//
// A commit goes to a log, and stays in memory until 24 MB have come together for the file of tables (STORAGE.md). The file grows
// to about twice its content and does not shrink by itself: room of what was deleted is used again, Compact gives it back.
//
// # Limits
//
// Items, keys, expressions, batches and transactions have the service's limits, those of package capacity; tables have its
// default quotas of indexes and throughput, and a Region 2,500 tables. A request has up to 16 MB, over HTTP also unpacked. A
// page of Query or Scan ends at 1 MB of what it reads, with what it fetches from the table for a local index. Longer work
// (filling an index, expiry, delayed entries) is done in steps of about a megabyte, so that memory is bounded by what runs
// at a time; only Check and dropping a table take more. In memory, reads run side by side and writes alone; in a directory
// reads go on while one writes.
//
// # How it works
//
// An operation has a file of its own. It decodes the request (package wire), checks what can be checked without tables
// (request.go), finds the table (catalog.go), checks keys (keycheck.go) and then reads in a consistent view or writes in
// an update of the store (internal/kv). Updates run one after another, so that transactions are serializable and a
// condition holds until its write is done; each checks everything before it writes anything. What meets a transaction that
// is under way on the same item is refused as the service refuses it (conflict.go). Durable updates that wait at
// the same time share one commit, and are answered after it is on disk.
//
// Items are stored as JSON under keys that sort as DynamoDB sorts (stored.go, keys.go): a query is one range read whose
// values are copied to the answer. write.go has what every write does to a table and its indexes.
//
// Indexes may lag as the service's do (Options.Lag). Check looks whether everything
// in the data fits together.
//
// # In tests
//
// New makes an engine of a test's own in microseconds, which ends with the test. What a test needs to reach what production
// shows sooner or later:
//
//	clock := engine.NewClock(time.Time{})                      // time passes when clock.Advance says so
//	e := engine.New(t, engine.Options{Clock: clock})
//	e.Inject(engine.Fault{Operation: "PutItem", Times: 2, Err: wire.NewError(wire.CodeUnavailable, "")})
//	e.Inject(engine.Fault{Table: "Books", Key: `{"isbn":{"S":"978-0"}}`, Throttle: true})
//	e.Inject(engine.Fault{Operation: "TransactWriteItems", DropAnswer: true})
//	release := e.Hold(t, "Books", `{"isbn":{"S":"978-0"}}`)    // a transaction is on the item
//	show := e.HoldIndex(t, "Books", "ByAuthor")                // the index lags behind
//	before := e.Snapshot(t)
//	…
//	if d := before.Diff(e.Snapshot(t)); d != want { … }       // items and attributes that came, went and changed
//
// An engine without a Fault pays nothing for them but one look at a pointer.
//
// # Transactions
//
// While a TransactWriteItems is under way, from its start until its commit is durable, other writes of its items are refused
// with TransactionConflictException, other transactions on them are cancelled with the reason TransactionConflict, and
// writes of a batch are left over. A TransactGetItems is cancelled while any write of its items is under way. Reads that are
// not transactions never conflict; plain writes wait for each other. Calls with the same client request token run one after
// another. Concurrent histories are recorded with faults on and checked to be strictly serializable (linear_test.go).
//
// # Throttling
//
// With Options.Throttle tables and indexes take what is provisioned for them or, on demand, what the service would let them
// take, and partitions 3,000 reads and 1,000 writes per second, which divide as they get hot or large. THROTTLING.md tells the
// model, what of it AWS documents and what are choices; the fields of Throttle are its parameters. Engine.Limits asks them for
// requests that are not made, by units and keys alone: for loads that nobody could run.
//
// # Who may do what
//
// Over HTTP a request has to say how it was signed, as for the service: one without a signature is refused with a
// MissingAuthenticationTokenException, behind the content type, the JSON and the target. Without Options.Credentials any key
// and any signature will do, and whoever reaches the Handler reads and writes everything; but forms and images of a web page
// cannot send a signature, and its scripts need an origin that is allowed (Options.Origins). With them a request is answered
// if it is signed with one of the keys (Signature Version 4, in headers or in the URL; internal/sigv4), for this service, at
// most 15 minutes off the engine's clock, and unaltered; refusals are AWS's and come where they do there, behind the target
// and before the members. What a key may do is what policies say (internal/iam): the identity policy of its user, and the
// resource policies of tables and streams; what one of them denies is denied, what none allows too. They are asked about the
// input that the operation itself works on, decoded and parsed (authorize.go, accesses.go), and may ask for the keys and
// attributes of a request (dynamodb:LeadingKeys, Attributes, Select, ReturnValues, EnclosingOperation), and for who, when,
// from where and over TLS or not. Do, in the same process, is not asked who it is.
//
// # Running it
//
// Logger has a line for each request at the level Debug, slow ones at Warn; WriteMetrics is what Prometheus reads; Stats tells how
// much there is. Dump and Load write and read everything as lines of JSON, CopyTo makes a copy while requests go on, Compact
// rewrites a directory's data. A directory is locked; who comes second is told the process that has it. While the disk is full
// writes are refused with an InternalServerError that says so, and reads go on. None of this shows a value of an item.
//
// # Streams and time to live
//
// A table's stream has a record of every change, written in the update that makes the change and copied from what the table
// stores (stream.go says how, stream_record.go in what form). It can be read for 24 hours by the engine's clock, also after
// it was disabled, its table deleted, or the engine restarted. Its endpoint is the Handler's, with the service's own targets
// (DynamoDBStreams_20120810); with Do the operations are by their names: ListStreams, DescribeStream, GetShardIterator,
// GetRecords. A stream begins with StreamOptions.Shards shards, among which the hashes of partition keys are divided; a shard
// is closed after StreamOptions.ShardLife, four hours, and by SplitShard, and names itself as the parent of what follows it.
// Records are there at once: nothing of the delay of the service's streams is imitated.
//
// Items whose time to live is over are deleted by Sweep, by itself every SweepEvery, and told in the stream as the service's
// own deletions are (expire.go). What has been trimmed of streams leaves the store at that pace, too.
//
// # PartiQL
//
// ExecuteStatement, BatchExecuteStatement and ExecuteTransaction take the whole language of the developer guide (pages
// ql-reference.*, ql-functions.*, ql-operators). Package expr makes of a statement the trees that expressions make, so that
// conditions and updates mean the same, and what is written goes the way of all writes (statement.go). A SELECT reads the
// partitions that its WHERE names with = or IN and else scans (statement_select.go); a page ends at 1 MB, at Limit, and
// after ten values of a list of partition keys. Statements work on tables with indexes of several key attributes too, of
// which the documentation says nothing. Values within lists, maps and sets cannot be parameters, as on DynamoDB Local.
//
// # Tables
//
// Tables and indexes pass through the service's states. With the zero Options a state is in the answer to the request that
// begins a change and is over for the next one; with StateTime states last, and what the service refuses in them is refused
// (states.go, busy.go). Indexes are filled while writes go on. Settings are stored with the table and told as they were
// made: capacity of all kinds, class, protection, encryption, tags, resource policies, recovery to a point in time, Kinesis
// destinations, contributor insights. Policies decide where there are credentials; the others are descriptions: nothing is
// encrypted, restored, sent or counted. Of the service's limits on changes those are kept that last (decreases of throughput,
// changes of class and encryption), not the seconds between two changes of tags, protection or policies.
//
// # What is not supported yet
//
// Backups, restoring, import, export and bulk puts, global tables and searches of vector indexes (later.go): an
// UnknownOperationException names what is missing. Members of CreateTable and UpdateTable for them (ReplicaUpdates,
// VectorIndexes, …) are refused by name with a ValidationException, not left out in silence.
//
// Of the operations on items nothing is missing. The parameters from before expressions (AttributesToGet, Expected,
// KeyConditions, …) are made into expressions (legacy.go), and exclude them as in the service. Where the service words a check
// in two ways, by Region and month, the engine has the words of us-east-1 in August 2026.
package engine
